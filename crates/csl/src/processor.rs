//! The formatting pipeline: number → sort the bibliography → disambiguate → sort cites → positions → cites
//! → entries. Each stage is a call into its own module; they share the [`Document`].

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::hash::{DefaultHasher, Hash, Hasher};

use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Citation, Cite};
use citation_model::item::Item;
use citation_model::spread::{Run, Spread};

use super::addresses;
use super::braces::Braces;
use super::cite_order::CiteOrder;
use super::cluster::{BareCites, CiteInput, Clusters};
use super::collapse::Links;
use super::compiled::Compiled;
use super::disambiguate::{self, Render, RenderedCite};
use super::document::Document;
use super::entry::{self, Entry};
use super::error::Warning;
use super::hints::Hints;
use super::output::Rich;
use super::position::{self, CitePosition};
use super::sort::{self, Collation};
use super::style::{Bibliography, Class, SecondFieldAlign};
use super::titles;
use super::warnings;

/// Options of formatting.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to render the bibliography. Default true.
    pub bibliography: bool,
    /// Whether to render, for each item, its marker as if it were cited alone. Default false.
    pub markers: bool,
    /// Whether the citations form one document in which cites depend on earlier ones. Otherwise each
    /// citation is independent. Default true.
    pub document: bool,
    /// Whether URLs and DOIs become links in formats with links. If an entry shows none of its item's, the
    /// title is linked, or otherwise the entry (specification, appendix VI). Default false.
    pub links: bool,
    /// Whether each cite links to its entry at `#ref-ID`. Default false.
    pub link_cites: bool,
    /// Whether a work with titles in two languages is shown under the one in the script of the locale's
    /// language. Default true; citeproc-js shows the title.
    pub titles_in_locale: bool,
    /// Whether a work that only an identifier leads to (a preprint with a number of arXiv and without DOI and
    /// address) is printed with its address, at the end of the entry if the style shows none. Default true;
    /// citeproc-js shows none.
    pub addresses: bool,
    /// The number of the first entry, for a bibliography that is formatted in parts. Default 1.
    pub first_number: u32,
    /// Whether to return the sort keys of the items. Default false.
    pub sort_keys: bool,
    /// Whether cites are sorted only between prefixes and suffixes, because text before a cite may also
    /// refer to those after it. Default false.
    pub affixes_part_cites: bool,
    /// Whether the test suite's notation stands for a citation or an entry of which the style shows nothing.
    /// Default false: such a citation is empty. For comparisons with the suite and with citeproc-js.
    pub suite_notation: bool,
    /// The budget of formatting. Default unlimited; set it for untrusted input, which has no other limit.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bibliography: true,
            markers: false,
            document: true,
            links: false,
            link_cites: false,
            titles_in_locale: true,
            addresses: true,
            first_number: 1,
            sort_keys: false,
            affixes_part_cites: false,
            suite_notation: false,
            budget: Budget::unlimited(),
        }
    }
}

/// The result of formatting.
#[derive(Clone, Debug, Default)]
pub struct Formatted {
    /// One per citation, in the order of the citations.
    pub citations: Vec<Rich>,
    /// For each citation, a number that changes when anything changes that its text may depend on:
    /// positions, the note of the first cite, and disambiguation. If a citation and its number are
    /// unchanged, its old text is still valid.
    pub states: Vec<u64>,
    /// One per item in input order, if requested by `Options::markers`.
    pub markers: Vec<Rich>,
    /// In bibliography order; `None` if the style has no bibliography or none was requested.
    pub bibliography: Option<Vec<Entry>>,
    /// Indexes of the items in bibliography order.
    pub order: Vec<usize>,
    /// One per item in input order, if requested by `Options::sort_keys`: texts of ASCII that compare as the
    /// items do in the bibliography, also with those of other calls in the same style and locale. Empty if
    /// the style does not sort.
    pub sort_keys: Vec<String>,
    pub parameters: BibliographyParameters,
    pub warnings: Vec<Warning>,
}

/// The layout of the entries (specification, «Bibliography-specific options»).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BibliographyParameters {
    pub hanging_indent: bool,
    pub second_field_align: Option<SecondFieldAlign>,
    /// Multiples of the line height.
    pub line_spacing: u32,
    /// Multiples of the line height.
    pub entry_spacing: u32,
    /// The number of characters in the widest first field; 0 if the second field is not aligned.
    pub max_offset: u32,
}

/// Formats citations and a bibliography. See the crate's documentation for an example. Fails only if the
/// budget of the options is spent or cancelled, and then at once.
pub fn format(
    compiled: &Compiled,
    items: &[Item],
    citations: &[Citation],
    options: &Options,
) -> Result<Formatted, Exceeded> {
    formatted(compiled, items, citations, options, Spread(None))
}

/// Like [`format()`], with long lists processed on the threads that `run` provides.
pub fn format_spread(
    compiled: &Compiled,
    items: &[Item],
    citations: &[Citation],
    options: &Options,
    run: &Run,
) -> Result<Formatted, Exceeded> {
    formatted(compiled, items, citations, options, Spread(Some(run)))
}

fn formatted(
    compiled: &Compiled,
    items: &[Item],
    citations: &[Citation],
    options: &Options,
    spread: Spread,
) -> Result<Formatted, Exceeded> {
    let cited = if options.document { citations } else { &[] };
    let titled;
    let items = if options.titles_in_locale {
        titled = titles::of_all(compiled, items, &options.budget)?;
        &*titled
    } else {
        items
    };
    let addressed;
    let items = if options.addresses {
        addressed = addresses::of_all(items, &options.budget)?;
        &*addressed
    } else {
        items
    };
    let mut document = Document::new(compiled, items, cited, &options.budget, spread)?;
    document.suite_notation = options.suite_notation;
    document.shows_addresses = options.addresses;
    document.first_number = options.first_number;
    let collation = Collation::of(compiled);
    document.number();
    let first = cites_before_sorting(&document, spread)?;
    if let Some(first) = &first {
        document.hints = disambiguate::given_names(&compiled.style, &document.items, first);
    }
    sort::bibliography(&mut document, collation.as_ref(), spread)?;
    document.number();
    let sort_keys = if options.sort_keys {
        sort::comparable_keys(&document, collation.as_ref())?
    } else {
        Vec::new()
    };
    document.hints = disambiguated(&document, first, spread)?;
    let cite_order = CiteOrder::new(&document, citations, collation.as_ref(), options.document)?;

    let mut out = Formatted {
        order: document.order.clone(),
        sort_keys,
        ..Formatted::default()
    };
    warnings::unknown_items(&document, citations, &mut out.warnings);
    let braces = cite_all(&document, &cite_order, citations, options, &mut out)?;
    if options.markers {
        out.markers = markers(&document, spread)?;
    }
    let bibliography = compiled.style.bibliography.as_ref();
    let mut empty = Vec::new();
    if let Some(bibliography) = bibliography.filter(|_| options.bibliography) {
        let entries = entry::all(&document, bibliography, braces, options.links, spread)?;
        out.parameters = parameters(bibliography, entries.max_offset);
        out.bibliography = Some(entries.shown);
        empty = entries.empty;
    }
    warnings::missing_fields(&document, &mut out.warnings);
    warnings::empty_entries(empty, &mut out.warnings);
    options.budget.check()?;
    Ok(out)
}

fn parameters(bibliography: &Bibliography, max_offset: u32) -> BibliographyParameters {
    BibliographyParameters {
        hanging_indent: bibliography.hanging_indent,
        second_field_align: bibliography.second_field_align,
        line_spacing: bibliography.line_spacing,
        entry_spacing: bibliography.entry_spacing,
        max_offset,
    }
}

/// The bare cites of all items, if the bibliography is sorted by rendered names and names are disambiguated in
/// the whole document. Later steps reuse the cites, so they must not contain citation numbers.
fn cites_before_sorting(
    document: &Document,
    spread: Spread,
) -> Result<Option<Vec<RenderedCite>>, Exceeded> {
    let compiled = document.compiled;
    let needed = sort::by_macro(compiled)
        && disambiguate::tells_names_apart(&compiled.style.citation)
        && !compiled.numbers_cites;
    needed
        .then(|| BareCites::new(document, spread).all())
        .transpose()
}

/// The hints that disambiguate the items.
fn disambiguated(
    document: &Document,
    first: Option<Vec<RenderedCite>>,
    spread: Spread,
) -> Result<Vec<Hints>, Exceeded> {
    let style = &document.compiled.style;
    let mut render = BareCites::new(document, spread);
    disambiguate::run(style, &document.items, &document.order, first, &mut render)
}

/// Renders the citations. Also returns the parenthesis state after the last.
fn cite_all(
    document: &Document,
    cite_order: &CiteOrder,
    citations: &[Citation],
    options: &Options,
    out: &mut Formatted,
) -> Result<Braces, Exceeded> {
    let mut braces = Braces::default();
    let order = |citation| cite_order.of(document, citation, options.affixes_part_cites);
    let orders: Vec<Vec<usize>> = citations.iter().map(order).collect();
    let places = if options.document {
        let distance = document.compiled.style.citation.near_note_distance;
        position::in_document(citations, &orders, distance)
    } else {
        citations.iter().map(position::alone).collect()
    };
    let clusters = Clusters {
        document,
        links: Links {
            fields: options.links,
            cites: options.link_cites,
        },
        budget: &document.budget,
    };
    for ((citation, order), places) in citations.iter().zip(&orders).zip(&places) {
        document.budget.spend(citation.cites.len() as u64 + 1)?;
        let inputs: Vec<CiteInput> = order
            .iter()
            .filter_map(|&at| {
                let cite = citation.cites.get(at)?;
                Some(CiteInput {
                    cite,
                    item: document.index(&cite.id)?,
                    place: places.get(at).copied().unwrap_or_default(),
                })
            })
            .collect();
        out.states.push(state(document, &inputs));
        let (citation, after) = clusters.render(&inputs);
        out.citations.push(citation);
        braces = after;
    }
    Ok(braces)
}

/// What a citation's text may depend on besides its cites, as one number.
fn state(document: &Document, inputs: &[CiteInput]) -> u64 {
    let style = &document.compiled.style;
    let mut hasher = DefaultHasher::new();
    for input in inputs {
        input.place.hash(&mut hasher);
        document.hints[input.item].hash(&mut hasher);
        let citings = &document.citings[input.item];
        if document.compiled.shows_first_note {
            citings.first_note.hash(&mut hasher);
        }
        if style.asks_ambiguity && style.options.class == Class::Note {
            citings.repeated.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The marker of each item as if it were cited alone.
fn markers(document: &Document, spread: Spread) -> Result<Vec<Rich>, Exceeded> {
    let count = document.items.len();
    spread.map(&document.budget, count, Budget::clone, |budget, item| {
        budget.check()?;
        let cite = Cite {
            id: document.items[item].item.id.clone(),
            ..Cite::default()
        };
        let input = CiteInput {
            cite: &cite,
            item,
            place: CitePosition::default(),
        };
        let clusters = Clusters {
            document,
            links: Links::default(),
            budget,
        };
        Ok(clusters.render(&[input]).0)
    })
}
