//! A citation: evaluates each cite with its affixes and mode.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::borrow::Cow;

use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Cite, CiteMode, Position};
use citation_model::spread::Spread;

use super::braces::Braces;
use super::collapse::{self, EvaluatedCite, Links};
use super::disambiguate::{Render, RenderedCite};
use super::document::Document;
use super::eval::{Area, Context, Eval};
use super::hints::Hints;
use super::node::{NodeId, TERM_ONLY, Tag, Tree};
use super::output::{EMPTY_CITATION, Flatten, Rich};
use super::position::CitePosition;
use super::style::{Class, Formatting, RenderingAttributes};
use super::text::markup;

/// One cite with its item and place.
#[derive(Clone, Copy)]
pub struct CiteInput<'c> {
    pub cite: &'c Cite,
    /// The item's index.
    pub item: usize,
    pub place: CitePosition,
}

/// Renders bare cites for disambiguation.
pub struct BareCites<'d, 'a> {
    document: &'d Document<'a>,
    tree: Tree,
    spread: Spread<'d>,
}

impl<'d, 'a> BareCites<'d, 'a> {
    pub fn new(document: &'d Document<'a>, spread: Spread<'d>) -> BareCites<'d, 'a> {
        BareCites {
            document,
            tree: Tree::new(&document.budget),
            spread,
        }
    }
}

impl Render for BareCites<'_, '_> {
    fn spend(&self, steps: usize) -> Result<(), Exceeded> {
        self.document.budget.spend(steps as u64)
    }

    fn cite(&mut self, item: usize, hints: &Hints) -> Result<RenderedCite, Exceeded> {
        bare(self.document, item, hints, &mut self.tree)
    }

    fn all(&mut self) -> Result<Vec<RenderedCite>, Exceeded> {
        let (document, hints) = (self.document, &Hints::default());
        let cite = |tree: &mut Tree, item| bare(document, item, hints, tree);
        let count = document.items.len();
        self.spread.map(&document.budget, count, Tree::new, cite)
    }
}

/// The text of a bare cite.
fn bare(
    document: &Document,
    item: usize,
    hints: &Hints,
    tree: &mut Tree,
) -> Result<RenderedCite, Exceeded> {
    // Items are disambiguated in the form of subsequent cites, which is the shortest (see
    // disambiguate_BasedOnEtAlSubsequent).
    let place = CitePosition {
        position: Position::Subsequent,
        near_note: true,
        ..CitePosition::default()
    };
    let context = Context {
        bare: true,
        ..document.context(item, Area::Citation, hints, &place)
    };
    tree.clear();
    let compiled = context.compiled;
    let mut eval = Eval::new(context, tree);
    eval.elements(&compiled.style.citation.layout.elements);
    let lists = std::mem::take(&mut eval.lists);
    let conditions = eval.ambiguity_tests;
    let mut out = Rich::default();
    let flatten = Flatten {
        tree,
        locale: &compiled.locale,
        links: false,
        anchor: None,
        around: Formatting::default(),
    };
    flatten.render(0, &mut out);
    tree.budget.check()?;
    Ok(RenderedCite {
        text: out.text,
        lists,
        conditions,
    })
}

/// The names by which a cite is grouped; `None` if no variable provides any.
pub fn names(context: Context, tree: &mut Tree) -> Option<String> {
    tree.clear();
    let style = &context.compiled.style;
    Eval::new(context, tree).elements(&style.citation.layout.elements);
    let lists = collapse::name_lists(tree);
    lists.last().map(|&id| collapse::list_text(tree, id))
}

/// Renders citations of a document within a budget: the document's or a branch of it.
pub struct Clusters<'d, 'a> {
    pub document: &'d Document<'a>,
    pub links: Links,
    pub budget: &'d Budget,
}

impl Clusters<'_, '_> {
    /// Renders a citation. Also returns the resulting parenthesis depth.
    pub fn render(&self, inputs: &[CiteInput]) -> (Rich, Braces) {
        match inputs.first() {
            Some(first) if first.cite.mode == CiteMode::Composite => self.composite(inputs),
            _ => self.cluster(inputs),
        }
    }

    /// The first cite's author in running text, followed by the citation without it. If the style shows no
    /// names, as numeric styles do, only the citation is shown.
    fn composite(&self, inputs: &[CiteInput]) -> (Rich, Braces) {
        let with_mode = |cite: &Cite, mode: CiteMode| Cite {
            mode,
            ..cite.clone()
        };
        let rest: Vec<Cite> = { inputs.iter().enumerate() }
            .map(|(at, input)| match (at, input.cite.mode) {
                (0, _) => with_mode(input.cite, CiteMode::SuppressAuthor),
                (_, CiteMode::Composite) => with_mode(input.cite, CiteMode::Normal),
                (_, mode) => with_mode(input.cite, mode),
            })
            .collect();
        let mut out = Rich::default();
        if let Some(input) = inputs.first() {
            // What stands before and behind the cite is in the citation.
            let author = Cite {
                prefix: String::new(),
                suffix: String::new(),
                ..with_mode(input.cite, CiteMode::AuthorOnly)
            };
            // The text names the author even if the citation is «ibid.»; a title that stands for one is shown
            // by the citation itself.
            let later = CitePosition {
                position: Position::Subsequent,
                ..input.place
            };
            let author_at = |place| CiteInput {
                cite: &author,
                item: input.item,
                place,
            };
            let tree =
                |input| part(self.document, input, true, Braces::default(), self.budget).tree;
            let (here, later) = (author_at(input.place), author_at(later));
            if first_names(&tree(here)).is_some() {
                out = self.cluster(&[here]).0;
            } else if !collapse::name_lists(&tree(later)).is_empty() {
                out = self.cluster(&[later]).0;
            }
        }
        let rest: Vec<CiteInput> = rest
            .iter()
            .zip(inputs)
            .map(|(cite, input)| CiteInput { cite, ..*input })
            .collect();
        let (behind, braces) = self.cluster(&rest);
        if !out.is_empty() && !behind.is_empty() {
            out.push(" ");
        }
        out.append(&behind);
        (out, braces)
    }

    fn cluster(&self, inputs: &[CiteInput]) -> (Rich, Braces) {
        let style = &self.document.compiled.style;
        let attributes = &style.citation.layout.attributes;
        let mut braces = Braces::counted(style.options.class == Class::Note);
        let prefix = braces.alternate(&attributes.prefix);
        let mut parts: Vec<EvaluatedCite> = Vec::with_capacity(inputs.len());
        for (at, input) in inputs.iter().enumerate() {
            let part = part(self.document, *input, at == 0, braces, self.budget);
            braces = part.tree.braces;
            parts.push(part);
            if self.budget.is_spent() {
                break;
            }
        }
        let suffix = braces.alternate(&attributes.suffix);
        let author_only = matches!(inputs, [input] if input.cite.mode == CiteMode::AuthorOnly);
        let joiner = collapse::Joiner {
            document: self.document,
            budget: self.budget,
            links: self.links,
            prefix: if author_only { "" } else { &prefix },
            suffix: if author_only { "" } else { &suffix },
        };
        let out = joiner.write(&mut parts);
        let out = match inputs {
            [_, ..] if out.is_empty() => self.nothing(),
            _ if author_only => out,
            _ => dress(out, attributes, self.budget),
        };
        (out, braces)
    }
}

impl Clusters<'_, '_> {
    /// A citation of which the style shows nothing.
    fn nothing(&self) -> Rich {
        if self.document.suite_notation {
            Rich::plain(EMPTY_CITATION)
        } else {
            Rich::default()
        }
    }
}

/// Applies the layout's formatting to a citation.
fn dress(inner: Rich, attributes: &RenderingAttributes, budget: &Budget) -> Rich {
    let mut tree = Tree::new(budget);
    tree.node_mut(0).formatting = attributes.formatting;
    let locale = super::locale::MergedLocale::default();
    let flatten = Flatten {
        tree: &tree,
        locale: &locale,
        links: false,
        anchor: None,
        around: Formatting::default(),
    };
    let mut frame = Rich::default();
    flatten.render(0, &mut frame);
    let mut out = Rich::default();
    let half = frame.marks.len() / 2;
    out.marks.extend(frame.marks.iter().take(half).copied());
    out.append(&inner);
    let end = out.text.len() as u32;
    out.marks
        .extend(frame.marks.iter().skip(half).map(|(_, mark)| (end, *mark)));
    out
}

fn part<'c>(
    document: &Document,
    input: CiteInput<'c>,
    first: bool,
    mut braces: Braces,
    budget: &Budget,
) -> EvaluatedCite<'c> {
    let citation = &document.compiled.style.citation;
    let cite = input.cite;
    let prefix = braces.alternate(&cite.prefix);
    let mut tree = Tree::counting(braces, budget);
    let mut context = document.context(
        input.item,
        Area::Citation,
        &document.hints[input.item],
        &input.place,
    );
    context.mode = cite.mode;
    context.opens_citation = first;
    context.prefix_ends_sentence = ends_sentence(&cite.prefix);
    context.locator = cite
        .locator
        .as_ref()
        .map(|locator| (locator.label.as_str(), locator.value.trim()))
        .filter(|(_, value)| !value.is_empty());
    let plain = RenderingAttributes::default();
    let mut eval = Eval::new(context, &mut tree);
    eval.cite_affix(&prefix_text(&prefix), &plain, Tag::CitePrefix);
    eval.fields(&citation.layout.elements);
    let suffix = eval.tree.braces.alternate(&cite.suffix).into_owned();
    eval.cite_affix(&suffix_text(&suffix), &plain, Tag::CiteSuffix);
    let asked_text = eval.asked_text;
    tree.purge(0);
    let suppressed = shape(&mut tree, cite.mode);
    EvaluatedCite {
        cite,
        tree,
        asked_text,
        suppressed,
    }
}

/// Inserts a space between prefix and cite if the prefix ends with a word or a mark, in markup and
/// quotation marks too. Scripts without blanks between words need none.
fn prefix_text(prefix: &str) -> Cow<'_, str> {
    let needs_blank =
        |c: char| is_of_word(c) || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']');
    let shown = markup::stripped(prefix);
    if shown.ends_with(char::is_whitespace) || !unquoted(&shown).ends_with(needs_blank) {
        return prefix.into();
    }
    format!("{prefix} ").into()
}

fn suffix_text(suffix: &str) -> Cow<'_, str> {
    if suffix.starts_with(|c| is_of_word(c) || matches!(c, '(' | '[')) {
        return format!(" {suffix}").into();
    }
    suffix.into()
}

/// A text without blanks and closing quotation marks at its end.
fn unquoted(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | '»'))
}

/// Whether a character belongs to a word that blanks set apart, as those in Chinese and Japanese are not.
fn is_of_word(c: char) -> bool {
    let is_joined =
        matches!(c, '\u{3005}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}');
    c == '&' || c.is_alphanumeric() && !is_joined
}

/// Whether a prefix of two or more words ends with a full stop or similar mark.
fn ends_sentence(prefix: &str) -> bool {
    let shown = markup::stripped(prefix);
    let end = unquoted(&shown).trim_end_matches(')');
    unquoted(end).ends_with(['.', '!', '?']) && shown.trim().contains(' ')
}

fn first_names(tree: &Tree) -> Option<NodeId> {
    let mut found = Vec::new();
    tree.find_all(0, &|node| node.tag == Tag::Names, &mut found);
    found.first().copied()
}

/// Keeps only the author, with what the cite itself has before and behind it, or all but the author.
/// Returns the names that it removed.
fn shape(tree: &mut Tree, mode: CiteMode) -> Option<String> {
    match mode {
        CiteMode::Normal | CiteMode::Composite => {}
        CiteMode::SuppressAuthor => {
            // A term that substitutes for missing names is not an author, nor are names after a date.
            let mut dates = Vec::new();
            tree.find_all(0, &|node| node.tag == Tag::Date, &mut dates);
            let is_author = |names: &NodeId| {
                let before_dates = dates.first().is_none_or(|date| names < date);
                before_dates && tree.node(*names).number != TERM_ONLY
            };
            if let Some(names) = first_names(tree).filter(is_author) {
                let text = collapse::list_text(tree, names);
                tree.detach(names);
                tree.purge(0);
                return Some(text);
            }
        }
        CiteMode::AuthorOnly => {
            if let Some(names) = first_names(tree) {
                let affix = |tree: &Tree, tag: Tag| {
                    let mut found = Vec::new();
                    tree.find_all(0, &|node| node.tag == tag, &mut found);
                    found.first().copied()
                };
                let before = affix(tree, Tag::CitePrefix);
                let behind = affix(tree, Tag::CiteSuffix);
                let kept: Vec<NodeId> = before.into_iter().chain([names]).chain(behind).collect();
                tree.keep_only(&kept);
                let node = tree.node_mut(names);
                node.prefix = Default::default();
                node.suffix = Default::default();
            }
        }
    }
    None
}
