//! Joins the cites of a citation: collapsing, delimiters and ranges (specification, «Cite grouping» and
//! «Cite collapsing»). Where the specification is silent the rules follow citeproc-js.

#![allow(
    clippy::indexing_slicing,
    reason = "positions stay within the bounds of their loop"
)]

use citation_model::budget::Budget;
use citation_model::cite::{Cite, CiteMode};

use super::document::Document;
use super::node::{NodeId, Tag, Tree};
use super::output::{Flatten, NO_PRINTED_FORM, Rich};
use super::punctuation;
use super::style::{CitationElement, Class, Collapse};

/// A cite after evaluation.
pub struct EvaluatedCite<'c> {
    pub cite: &'c Cite,
    pub tree: Tree,
    /// Whether the style requested a text variable other than the locator.
    pub asked_text: bool,
    /// The names that a cite without its author would show.
    pub suppressed: Option<String>,
}

/// Which parts become links.
#[derive(Clone, Copy, Default)]
pub struct Links {
    /// URLs and identifiers.
    pub fields: bool,
    /// Cites, which link to their entries.
    pub cites: bool,
}

/// How the cites of one citation are joined.
pub struct Joiner<'d, 'a> {
    pub document: &'d Document<'a>,
    pub budget: &'d Budget,
    pub links: Links,
    /// The layout's affixes.
    pub prefix: &'d str,
    pub suffix: &'d str,
}

/// A piece to be joined: a cite, or the letter or number at its end, which may become part of a range.
struct Piece {
    rich: Rich,
    /// The delimiter before the piece unless it continues a run.
    delimiter: String,
    /// The number of a stand-alone numeral.
    number: Option<u32>,
    /// Whether the numeral is a citation number or a letter, which a delimiter separates from others.
    delimited: bool,
}

/// The position of a numbered piece in a run of consecutive numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Start,
    Seen,
    /// Follows the previous number.
    Next,
    /// Follows two consecutive numbers; may end a range.
    NextAgain,
    /// Inside a range.
    Hidden,
    End,
}

/// Links a piece, without the layout's affixes.
fn link(rich: &mut Rich, prefix: &str, suffix: &str, target: &str) {
    let from = if rich.text.starts_with(prefix) {
        prefix.len()
    } else {
        0
    };
    let text = &rich.text;
    let end = text.strip_suffix(suffix).map_or(rich.text.len(), str::len);
    if from < end {
        rich.link(from, end, target.to_owned());
    }
}

impl Joiner<'_, '_> {
    pub fn write(&self, parts: &mut [EvaluatedCite]) -> Rich {
        let citation = &self.document.compiled.style.citation;
        let delimiters = self.collapse(parts);
        let last = parts.len().saturating_sub(1);
        if let Some(first) = parts.first_mut() {
            first.tree.add_prefix(0, self.prefix);
        }
        if let Some(part) = parts.get_mut(last) {
            part.tree.add_suffix(0, layout_suffix(self.suffix));
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for (at, (part, delimiter)) in parts.iter_mut().zip(delimiters).enumerate() {
            let before = pieces.len();
            // A first cite that shows nothing without its author is replaced by the next.
            if at > 0 && pieces.is_empty() {
                part.tree.add_prefix(0, self.prefix);
            }
            let delimiter = if pieces.is_empty() {
                String::new()
            } else {
                delimiter
            };
            let affixes = self.pieces(part, delimiter, &mut pieces);
            if self.links.cites && part.cite.mode != CiteMode::AuthorOnly {
                let target = format!("#ref-{}", part.cite.id);
                let (mut prefix, mut suffix) = affixes;
                if at == 0 {
                    prefix.insert_str(0, self.prefix);
                }
                if at == last {
                    suffix.push_str(self.suffix);
                }
                for piece in pieces.iter_mut().skip(before) {
                    link(&mut piece.rich, &prefix, &suffix, &target);
                }
            }
            if pieces.len() > before {
                continue;
            }
            if at == 0 && !part.suppresses_author() && self.document.suite_notation {
                let suffix = if last == 0 { self.suffix } else { "" };
                let text = format!("{}{NO_PRINTED_FORM}{suffix}", self.prefix);
                pieces.push(Piece::text(Rich::plain(&text), String::new()));
            } else if at == last
                && let Some(piece) = pieces.last_mut()
            {
                piece.rich.push(self.suffix);
            }
        }
        let text = |piece: &Piece| piece.rich.text.len() + piece.delimiter.len();
        let length = pieces.iter().map(text).sum();
        if self.budget.spend_bytes(length).is_err() {
            return Rich::default();
        }
        let between = RangeDelimiters::new(citation);
        between.join(&pieces)
    }

    /// Removes what collapses and determines the delimiter before each cite.
    fn collapse(&self, parts: &mut [EvaluatedCite]) -> Vec<String> {
        let style = &self.document.compiled.style;
        let citation = &style.citation;
        let mut state = Collapsing {
            citation,
            in_text: style.options.class == Class::InText && !self.document.compiled.numbers_cites,
            primary: None,
            years: Vec::new(),
            behind_locator: false,
            in_group: false,
        };
        let mut delimiters = Vec::with_capacity(parts.len());
        let mut collapsed_before = false;
        for at in 0..parts.len() {
            let (before, here) = parts.split_at_mut(at);
            let Some(part) = here.first_mut() else { break };
            let collapsed = state.cite(part);
            let delimiter = match before.last() {
                Some(before) => {
                    let delimiter = state.delimiter(before, collapsed_before, collapsed);
                    let _ = self.budget.spend_bytes(delimiter.len());
                    at_seam(delimiter, before, part)
                }
                None => String::new(),
            };
            delimiters.push(delimiter);
            collapsed_before = collapsed;
        }
        delimiters
    }

    /// The pieces of one cite; empty if nothing is shown. Also returns the cite's own affixes as shown if
    /// cites become links.
    fn pieces(
        &self,
        part: &mut EvaluatedCite,
        delimiter: String,
        out: &mut Vec<Piece>,
    ) -> (String, String) {
        let tree = &mut part.tree;
        let in_quotes = self.document.compiled.locale.punctuation_in_quote;
        punctuation::settle(tree, 0, in_quotes);
        match last_numeral(tree) {
            Some((id, alone)) => self.numeral(tree, id, alone, delimiter, out),
            None if tree.has_children(0) => {
                out.push(Piece::text(self.flattened(tree, 0), delimiter));
            }
            None => {}
        }
        if self.links.cites {
            (
                self.affix(tree, Tag::CitePrefix),
                self.affix(tree, Tag::CiteSuffix),
            )
        } else {
            Default::default()
        }
    }

    /// The pieces of a cite that is or ends in a numeral. The numeral after the cite can begin a range; the
    /// text before it cannot.
    fn numeral(
        &self,
        tree: &Tree,
        id: NodeId,
        alone: bool,
        delimiter: String,
        out: &mut Vec<Piece>,
    ) {
        let node = tree.node(id);
        let numbered = |rich: Rich, delimiter: String| Piece {
            rich,
            delimiter,
            number: Some(node.number),
            delimited: node.tag != Tag::Number,
        };
        let mut whole = self.flattened(tree, 0);
        if alone {
            out.push(numbered(whole, delimiter));
            return;
        }
        let numeral = whole.split_off(&self.flattened(tree, id));
        out.push(Piece::text(whole, delimiter));
        out.push(numbered(numeral, String::new()));
    }

    /// The text of an affix of the cite itself.
    fn affix(&self, tree: &Tree, tag: Tag) -> String {
        let mut found = Vec::new();
        tree.find_all(0, &|node| node.tag == tag, &mut found);
        let shown = found.first().map(|id| self.flattened(tree, *id).text);
        shown.unwrap_or_default()
    }

    /// What a node shows within the layout's formatting.
    fn flattened(&self, tree: &Tree, id: NodeId) -> Rich {
        let compiled = self.document.compiled;
        let mut rich = Rich::default();
        Flatten {
            tree,
            locale: &compiled.locale,
            links: self.links.fields,
            anchor: None,
            around: compiled.style.citation.layout.attributes.formatting,
        }
        .render(id, &mut rich);
        rich
    }
}

impl Piece {
    /// A piece that is no part of a range.
    fn text(rich: Rich, delimiter: String) -> Piece {
        Piece {
            rich,
            delimiter,
            number: None,
            delimited: false,
        }
    }
}

/// A suffix that begins with a mark is reduced to that mark.
fn layout_suffix(suffix: &str) -> &str {
    match suffix.split_at_checked(1) {
        Some((mark @ ("." | ":" | ";" | "!" | "?"), _)) => mark,
        _ => suffix,
    }
}

/// The numeral that ends a cite outside all affixes and formatting, and whether the cite shows nothing
/// else.
fn last_numeral(tree: &Tree) -> Option<(NodeId, bool)> {
    let mut id = 0;
    let (mut alone, mut wrapped) = (true, false);
    while tree.has_children(id) {
        let node = tree.node(id);
        alone &= node.first == node.last;
        wrapped |= !node.suffix.is_empty() || !node.formatting.is_plain();
        id = node.last;
    }
    let node = tree.node(id);
    let is_numeral = matches!(
        node.tag,
        Tag::CitationNumber | Tag::YearSuffix | Tag::Number
    );
    // The affixes of a number variable enclose the whole value.
    wrapped |= node.tag == Tag::Number && (!node.suffix.is_empty() || !node.formatting.is_plain());
    (is_numeral && (alone || !wrapped)).then_some((id, alone))
}

impl EvaluatedCite<'_> {
    fn has_locator(&self) -> bool {
        self.cite.locator.is_some()
    }

    fn suppresses_author(&self) -> bool {
        self.cite.mode == CiteMode::SuppressAuthor
    }
}

/// What earlier cites of the citation have shown.
struct Collapsing<'c> {
    citation: &'c CitationElement,
    in_text: bool,
    /// The names that were shown last.
    primary: Option<String>,
    /// The date part values of the previous cite.
    years: Vec<u32>,
    /// Whether the previous cite has a locator.
    behind_locator: bool,
    /// Whether the previous cite has the same names as the current one.
    in_group: bool,
}

impl Collapsing<'_> {
    fn collapses(&self) -> bool {
        self.citation.collapse != Collapse::None
    }

    /// Removes from a cite what the previous cite has shown. Returns whether the cite is collapsed: it
    /// shows neither names of its own nor a text variable.
    fn cite(&mut self, part: &mut EvaluatedCite) -> bool {
        let collapses = self.collapses();
        if !collapses && self.citation.cite_group_delimiter.is_none() {
            return false;
        }
        let mut collapsed = collapses;
        // A cite without its author is grouped with cites of the same author only.
        if let Some(names) = &part.suppressed {
            self.in_group = self.primary.as_ref() == Some(names);
            collapsed &= self.in_group;
            self.primary = Some(names.clone());
        }
        for list in name_lists(&part.tree) {
            let text = list_text(&part.tree, list);
            self.in_group = self.primary.as_ref() == Some(&text);
            if !self.in_group {
                self.primary = Some(text);
                collapsed = false;
            } else if collapses {
                part.tree.detach(list);
            }
        }
        collapsed &= !part.asked_text;
        self.years(part, collapsed);
        part.tree.purge(0);
        collapsed
    }

    /// Omits a year that the previous cite has shown if letters tell the works apart, unless one of the two
    /// cites has a locator, which would separate the letters.
    fn years(&mut self, part: &mut EvaluatedCite, collapsed: bool) {
        let by_letters = matches!(
            self.citation.collapse,
            Collapse::YearSuffix | Collapse::YearSuffixRanged
        );
        if !by_letters || !self.citation.disambiguate_add_year_suffix {
            return;
        }
        let mut found = Vec::new();
        part.tree
            .find_all(0, &|node| node.tag == Tag::DatePart, &mut found);
        let years: Vec<u32> = found.iter().map(|&id| part.tree.node(id).number).collect();
        let beside_locator = part.has_locator() || self.behind_locator;
        self.behind_locator = part.has_locator();
        if collapsed && !beside_locator {
            for (at, &id) in found.iter().enumerate() {
                if self.years.get(at) == years.get(at) {
                    part.tree.detach(id);
                }
            }
        }
        self.years = years;
    }

    /// The delimiter between a cite and the previous one.
    fn delimiter(&self, before: &EvaluatedCite, collapsed_before: bool, collapsed: bool) -> &str {
        let citation = self.citation;
        let layout = &*citation.layout.delimiter;
        if let Some(after) = citation.after_collapse_delimiter.as_deref() {
            let ends_collapse =
                !collapsed && (collapsed_before || citation.collapse != Collapse::YearSuffix);
            return if before.has_locator() || ends_collapse {
                after
            } else {
                layout
            };
        }
        match citation.cite_group_delimiter.as_deref() {
            Some(group) if self.in_group => group,
            // The default of `cite-group-delimiter`.
            None if self.in_text && self.in_group && self.collapses() => ", ",
            _ if collapsed && self.in_text => ", ",
            _ => layout,
        }
    }
}

/// The delimiter if affixes of the cites bring their own marks.
fn at_seam(delimiter: &str, before: &EvaluatedCite, here: &EvaluatedCite) -> String {
    const MARKS: [char; 3] = [';', '.', ','];
    let (suffix, prefix) = (&before.cite.suffix, &here.cite.prefix);
    let begins = suffix.is_empty() && prefix.starts_with(MARKS);
    if !begins && !suffix.ends_with(MARKS) {
        return delimiter.to_owned();
    }
    match delimiter.split_once(' ') {
        Some((_, rest)) if !begins => format!(" {rest}"),
        _ => String::new(),
    }
}

/// The name lists of a cite that come from variables, in order.
pub fn name_lists(tree: &Tree) -> Vec<NodeId> {
    let mut found = Vec::new();
    tree.find_all(0, &|node| node.tag == Tag::Names, &mut found);
    found.retain(|&id| {
        let mut lists = Vec::new();
        tree.find_all(id, &|node| matches!(node.tag, Tag::NameList(_)), &mut lists);
        !lists.is_empty()
    });
    found
}

/// The text of the last list below a names element, including the label.
pub fn list_text(tree: &Tree, names: NodeId) -> String {
    let last = tree.node(names).last;
    let mut out = String::new();
    tree.content(last, &mut out);
    out
}

/// The delimiters between numbered pieces.
struct RangeDelimiters<'c> {
    /// Before a number that follows its predecessor.
    next: &'c str,
    /// Between the ends of a range; `None` without ranges.
    range: Option<&'c str>,
}

impl<'c> RangeDelimiters<'c> {
    fn new(citation: &'c CitationElement) -> RangeDelimiters<'c> {
        let layout = &*citation.layout.delimiter;
        let ranged = matches!(
            citation.collapse,
            Collapse::CitationNumber | Collapse::YearSuffixRanged
        );
        let next = match citation.collapse {
            Collapse::CitationNumber => layout,
            _ => citation
                .year_suffix_delimiter
                .as_deref()
                .or(citation.cite_group_delimiter.as_deref())
                .unwrap_or(layout),
        };
        RangeDelimiters {
            next,
            range: ranged.then_some("–"),
        }
    }

    fn join(&self, pieces: &[Piece]) -> Rich {
        let statuses = self.statuses(pieces);
        let mut out = Rich::default();
        for (piece, status) in pieces.iter().zip(statuses) {
            match status {
                Status::Hidden => continue,
                Status::End => out.push(self.range.unwrap_or_default()),
                Status::Next | Status::NextAgain if !piece.delimited => out.push(&piece.delimiter),
                Status::Next | Status::NextAgain => out.push(self.next),
                Status::Start | Status::Seen => out.push(&piece.delimiter),
            }
            out.append(&piece.rich);
        }
        out
    }

    fn statuses(&self, pieces: &[Piece]) -> Vec<Status> {
        let mut statuses = vec![Status::Start; pieces.len()];
        for at in 1..pieces.len() {
            let (Some(before), Some(here)) = (pieces[at - 1].number, pieces[at].number) else {
                self.end_run(&mut statuses, at - 1);
                continue;
            };
            if here != before + 1 {
                self.end_run(&mut statuses, at - 1);
                statuses[at] = Status::Seen;
                continue;
            }
            statuses[at] = match statuses[at - 1] {
                Status::Next | Status::NextAgain if self.range.is_some() => {
                    statuses[at - 1] = Status::Hidden;
                    Status::NextAgain
                }
                _ => Status::Next,
            };
        }
        if let Some(last) = pieces.len().checked_sub(1) {
            self.end_run(&mut statuses, last);
        }
        self.last_seen(pieces, &mut statuses);
        statuses
    }

    fn end_run(&self, statuses: &mut [Status], at: usize) {
        if statuses[at] == Status::NextAgain {
            statuses[at] = Status::End;
        }
    }

    /// The last number out of sequence is joined like one in sequence.
    fn last_seen(&self, pieces: &[Piece], statuses: &mut [Status]) {
        let mut open = true;
        for at in (1..pieces.len()).rev() {
            if pieces[at].number.is_none() {
                open = true;
            } else if open && statuses[at] == Status::Seen {
                statuses[at] = Status::Next;
                open = false;
            }
        }
    }
}
