//! The stages of formatting in order: number → sort the bibliography → sort cites → positions →
//! disambiguate → cites → entries. Each stage is a call into its own module.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Citation, Cite, CiteMode, Position};
use citation_model::item::Item;
use citation_model::variable::{NumberVar, Variable};

use super::braces::Braces;
use super::cluster::{self, CiteInput};
use super::compiled::Compiled;
use super::disambiguate::{self, Render, Rendered};
use super::entry;
use super::error::Warning;
use super::eval::{Area, Scene};
use super::hints::Hints;
use super::item::Prepared;
use super::node::Tree;
use super::output::Rich;
use super::position::{self, Place};
use super::sort::{self, Collation};
use super::style::*;
use super::warnings;

/// What to make of the items and citations.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to render the bibliography. Default true.
    pub bibliography: bool,
    /// Whether to render, for each item, the mark that it would have if it were cited alone.
    /// Default false.
    pub markers: bool,
    /// Whether the citations are one document, in which each cite knows the earlier ones. If not,
    /// each citation stands for itself. Default true.
    pub document: bool,
    /// Whether URLs and DOIs become links where the output format has links. Default false.
    pub links: bool,
    /// What the formatting may cost. Default unlimited: for input of people whom one does not know, a
    /// budget is the only bound.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bibliography: true,
            markers: false,
            document: true,
            links: false,
            budget: Budget::unlimited(),
        }
    }
}

/// All that formatting gives.
#[derive(Clone, Debug, Default)]
pub struct Formatted {
    /// One for each citation, in the order of the citations.
    pub citations: Vec<Rich>,
    /// For each citation a number that changes when anything changes that its text may depend on:
    /// positions, the note of the first cite, and how its items are told from others. A caller that keeps an old
    /// text may go on showing it while text and number stay the same.
    pub states: Vec<u64>,
    /// One for each item in input order, where `Options::markers` asked for them.
    pub markers: Vec<Rich>,
    /// In bibliography order; `None` for a style without a bibliography or where none was asked.
    pub bibliography: Option<Vec<Entry>>,
    /// Indexes of the items in bibliography order.
    pub order: Vec<usize>,
    pub parameters: BibliographyParameters,
    pub warnings: Vec<Warning>,
}

/// One entry of the bibliography.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    /// The item's index in the input.
    pub index: usize,
    pub content: Rich,
}

/// How the entries are to be laid out (specification, «Bibliography-specific options»).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BibliographyParameters {
    pub hanging_indent: bool,
    pub second_field_align: Option<SecondFieldAlign>,
    /// Multiples of the line height.
    pub line_spacing: u32,
    /// Multiples of the line height.
    pub entry_spacing: u32,
    /// Characters in the widest first field; 0 where the second field is not aligned.
    pub max_offset: u32,
}

/// Formats citations and a bibliography. See the module's documentation for an example. Fails only
/// where the budget of the options is spent or cancelled, and then at once.
pub fn format(
    compiled: &Compiled,
    items: &[Item],
    citations: &[Citation],
    options: &Options,
) -> Result<Formatted, Exceeded> {
    let document = Document::new(compiled, items, citations, options)?;
    let mut out = Formatted {
        order: document.order.clone(),
        ..Formatted::default()
    };
    let braces = document.cite_all(citations, options, &mut out)?;
    if options.markers {
        out.markers = document.markers()?;
    }
    let mut empty = Vec::new();
    if options.bibliography
        && let Some(bibliography) = &compiled.style.bibliography
    {
        let entries = entry::all(&document, bibliography, braces, options.links)?;
        out.parameters = BibliographyParameters {
            hanging_indent: bibliography.hanging_indent,
            second_field_align: bibliography.second_field_align,
            line_spacing: bibliography.line_spacing,
            entry_spacing: bibliography.entry_spacing,
            max_offset: entries.max_offset,
        };
        out.bibliography = Some(entries.shown);
        empty = entries.empty;
    }
    warnings::missing_fields(&document, &mut out.warnings);
    warnings::empty_entries(empty, &mut out.warnings);
    options.budget.check()?;
    Ok(out)
}

/// Where a document cites an item.
#[derive(Clone, Copy, Default)]
struct Citings {
    /// The note of the first cite, 0 for one in the text; `None` for an item that is not cited.
    first_note: Option<u32>,
    /// Whether there is more than one cite.
    repeated: bool,
}

/// The items of a document with all that cites and entries need to know of them.
pub struct Document<'a> {
    pub compiled: &'a Compiled,
    pub budget: Budget,
    pub items: Vec<Prepared<'a>>,
    by_id: HashMap<&'a str, usize>,
    /// Indexes in bibliography order.
    pub order: Vec<usize>,
    /// By item index.
    pub numbers: Vec<u32>,
    pub hints: Vec<Hints>,
    cite_keys: Vec<Vec<sort::Key>>,
    /// By item, where cites of the same names are brought together.
    cite_groups: Option<Vec<sort::Key>>,
    /// By item.
    citings: Vec<Citings>,
}

impl<'a> Document<'a> {
    pub fn new(
        compiled: &'a Compiled,
        items: &'a [Item],
        citations: &[Citation],
        options: &Options,
    ) -> Result<Document<'a>, Exceeded> {
        let budget = &options.budget;
        let prepare = |item| {
            let prepared = Prepared::new(item);
            budget.spend(prepared.size() as u64)?;
            Ok(prepared)
        };
        let prepared: Vec<Prepared> = items.iter().map(prepare).collect::<Result<_, _>>()?;
        let mut by_id = HashMap::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            by_id.entry(item.id.as_str()).or_insert(at);
        }
        let mut document = Document {
            compiled,
            budget: budget.clone(),
            hints: vec![Hints::default(); prepared.len()],
            numbers: vec![0; prepared.len()],
            order: Vec::new(),
            items: prepared,
            citings: vec![Citings::default(); items.len()],
            by_id,
            cite_keys: Vec::new(),
            cite_groups: None,
        };
        document.register(citations, options);
        let collation = document
            .needs_collation()
            .then(|| Collation::new(&compiled.locale.lang))
            .flatten();
        document.sort_bibliography(collation.as_ref())?;
        document.disambiguate()?;
        document.make_cite_keys(collation.as_ref(), options.document)?;
        Ok(document)
    }

    /// Items in the order of their first cite, then the others in input order.
    fn register(&mut self, citations: &[Citation], options: &Options) {
        for citation in citations.iter().filter(|_| options.document) {
            for cite in &citation.cites {
                let Some(&at) = self.by_id.get(cite.id.as_str()) else {
                    continue;
                };
                let citings = &mut self.citings[at];
                match citings.first_note {
                    Some(_) => citings.repeated = true,
                    None => {
                        citings.first_note = Some(citation.note_number);
                        self.order.push(at);
                    }
                }
            }
        }
        let uncited = |at: &usize| self.citings[*at].first_note.is_none();
        self.order.extend((0..self.items.len()).filter(uncited));
        self.number();
    }

    fn number(&mut self) {
        for (rank, &at) in self.order.iter().enumerate() {
            self.numbers[at] = rank as u32 + 1;
        }
    }

    fn needs_collation(&self) -> bool {
        let style = &self.compiled.style;
        let entries = style.bibliography.as_ref().map(|b| &b.sort);
        let by_text =
            |key: &SortKey| key.by != SortBy::Variable(Variable::Number(NumberVar::CitationNumber));
        entries
            .into_iter()
            .chain([&style.citation.sort])
            .flatten()
            .any(by_text)
    }

    fn sort_bibliography(&mut self, collation: Option<&Collation>) -> Result<(), Exceeded> {
        let Some(bibliography) = &self.compiled.style.bibliography else {
            return Ok(());
        };
        if bibliography.sort.is_empty() {
            return Ok(());
        }
        let keys = self.keys(&bibliography.sort, Area::Bibliography, collation)?;
        let budget = &self.budget;
        self.order.sort_by(|&a, &b| {
            let _ = budget.spend(1);
            sort::compare(&bibliography.sort, &keys[a], &keys[b])
        });
        self.number();
        self.budget.check()
    }

    fn make_cite_keys(
        &mut self,
        collation: Option<&Collation>,
        in_document: bool,
    ) -> Result<(), Exceeded> {
        let citation = &self.compiled.style.citation;
        if citation.sort.is_empty() {
            return Ok(());
        }
        self.cite_keys = self.keys(&citation.sort, Area::Citation, collation)?;
        if in_document && self.groups_cites() {
            let mut tree = Tree::new(&self.budget);
            let mut groups = Vec::with_capacity(self.items.len());
            for (item, hints) in self.hints.iter().enumerate() {
                self.budget.check()?;
                let scene = self.scene(item, Area::Citation, hints, &Place::default());
                let names = cluster::names(scene, &mut tree);
                groups.push(names.and_then(|names| sort::text_key(&names, collation)));
            }
            self.cite_groups = Some(groups);
        }
        Ok(())
    }

    /// Whether cites of the same names are brought together.
    fn groups_cites(&self) -> bool {
        let style = &self.compiled.style;
        let citation = &style.citation;
        let by_collapse =
            style.options.class == Class::InText && citation.collapse != Collapse::None;
        by_collapse || citation.cite_group_delimiter.is_some() && !self.compiled.numbers_cites
    }

    fn keys(
        &self,
        sort: &[SortKey],
        area: Area,
        collation: Option<&Collation>,
    ) -> Result<Vec<Vec<sort::Key>>, Exceeded> {
        let mut tree = Tree::new(&self.budget);
        (0..self.items.len())
            .map(|at| {
                let scene = self.scene(at, area, &self.hints[at], &Place::default());
                sort::keys(sort, &scene, collation, &mut tree)
            })
            .collect()
    }

    /// The scene of an item without a cite of its own.
    pub fn scene<'s>(
        &'s self,
        item: usize,
        area: Area,
        hints: &'s Hints,
        place: &Place,
    ) -> Scene<'s> {
        Scene {
            compiled: self.compiled,
            item: &self.items[item],
            area,
            position: place.position,
            near_note: place.near_note,
            first_note: place.first_note,
            locator: None,
            mode: CiteMode::Normal,
            opens_citation: true,
            bare: false,
            prefix_ends_sentence: false,
            hints,
            citation_number: self.numbers[item],
            sort: None,
        }
    }

    fn disambiguate(&mut self) -> Result<(), Exceeded> {
        let citation = &self.compiled.style.citation;
        let mut render = BareCites {
            document: self,
            tree: Tree::new(&self.budget),
        };
        let hints = disambiguate::run(citation, &self.items, &self.order, &mut render)?;
        self.hints = hints;
        Ok(())
    }

    /// Renders the citations. Gives back how the last of them leaves the parentheses.
    fn cite_all(
        &self,
        citations: &[Citation],
        options: &Options,
        out: &mut Formatted,
    ) -> Result<Braces, Exceeded> {
        let mut braces = Braces::default();
        let orders: Vec<Vec<usize>> = citations.iter().map(|c| self.cite_order(c)).collect();
        let places = if options.document {
            let distance = self.compiled.style.citation.near_note_distance;
            position::in_document(citations, &orders, distance)
        } else {
            citations.iter().map(position::alone).collect()
        };
        for ((citation, order), places) in citations.iter().zip(&orders).zip(&places) {
            self.budget.spend(citation.cites.len() as u64 + 1)?;
            for cite in &citation.cites {
                if !self.by_id.contains_key(cite.id.as_str()) {
                    out.warnings.push(Warning {
                        code: warnings::UNKNOWN_ITEM,
                        index: None,
                        message: warnings::unknown_item(&cite.id),
                    });
                }
            }
            let inputs: Vec<CiteInput> = order
                .iter()
                .filter_map(|&at| {
                    let cite = citation.cites.get(at)?;
                    let item = *self.by_id.get(cite.id.as_str())?;
                    Some(CiteInput {
                        cite,
                        item,
                        place: places.get(at).copied().unwrap_or_default(),
                    })
                })
                .collect();
            out.states.push(self.state(&inputs));
            out.citations
                .push(cluster::render(self, &inputs, options.links, &mut braces));
        }
        Ok(braces)
    }

    fn state(&self, inputs: &[CiteInput]) -> u64 {
        let style = &self.compiled.style;
        let mut hasher = DefaultHasher::new();
        for input in inputs {
            input.place.hash(&mut hasher);
            self.hints[input.item].hash(&mut hasher);
            let citings = &self.citings[input.item];
            if self.compiled.shows_first_note {
                citings.first_note.hash(&mut hasher);
            }
            if style.asks_ambiguity && style.options.class == Class::Note {
                citings.repeated.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The order of a citation's cites after sorting.
    fn cite_order(&self, citation: &Citation) -> Vec<usize> {
        let mut order: Vec<usize> = (0..citation.cites.len()).collect();
        let sort = &self.compiled.style.citation.sort;
        if sort.is_empty() || order.len() < 2 {
            return order;
        }
        let item = |at: usize| {
            let cite = citation.cites.get(at)?;
            self.by_id.get(cite.id.as_str()).copied()
        };
        let keys = |at: usize| -> &[sort::Key] {
            item(at)
                .and_then(|item| self.cite_keys.get(item))
                .map_or(&[], Vec::as_slice)
        };
        order.sort_by(|&a, &b| sort::compare(sort, keys(a), keys(b)));
        let Some(groups) = &self.cite_groups else {
            return order;
        };
        let group = |at: usize| item(at).and_then(|item| groups.get(item)?.as_deref());
        let descending = sort[0].descending;
        order.sort_by(|&a, &b| sort::directed(group(a), group(b), descending));
        // Each group stands where its first cite would.
        let mut leader = order[0];
        let mut led: Vec<(usize, usize)> = Vec::with_capacity(order.len());
        for &at in &order {
            if group(at) != group(leader) {
                leader = at;
            }
            led.push((leader, at));
        }
        if descending {
            led.reverse();
        }
        let first = |leader: usize| keys(leader).first().and_then(Option::as_deref);
        led.sort_by(|(a, _), (b, _)| sort::directed(first(*a), first(*b), descending));
        led.into_iter().map(|(_, at)| at).collect()
    }

    /// The mark of each item as if it were cited alone.
    fn markers(&self) -> Result<Vec<Rich>, Exceeded> {
        (0..self.items.len())
            .map(|item| {
                self.budget.check()?;
                let cite = Cite {
                    id: self.items[item].item.id.clone(),
                    ..Cite::default()
                };
                let input = CiteInput {
                    cite: &cite,
                    item,
                    place: Place::default(),
                };
                let mut braces = Braces::default();
                Ok(cluster::render(self, &[input], false, &mut braces))
            })
            .collect()
    }
}

/// Renders bare cites for disambiguation.
struct BareCites<'d, 'a> {
    document: &'d Document<'a>,
    tree: Tree,
}

impl Render for BareCites<'_, '_> {
    fn spend(&self, steps: usize) -> Result<(), Exceeded> {
        self.document.budget.spend(steps as u64)
    }

    fn cite(&mut self, item: usize, hints: &Hints) -> Result<Rendered, Exceeded> {
        // Items must be told apart in the form that later cites of them would have, which is the
        // shortest (see disambiguate_BasedOnEtAlSubsequent).
        let place = Place {
            position: Position::Subsequent,
            near_note: true,
            ..Place::default()
        };
        let scene = self.document.scene(item, Area::Citation, hints, &place);
        let scene = Scene {
            bare: true,
            ..scene
        };
        let rendered = cluster::bare(scene, &mut self.tree);
        self.document.budget.check()?;
        Ok(rendered)
    }
}
