//! A citation: its cites evaluated, grouped, collapsed and joined (specification, «Cite grouping»
//! and «Cite collapsing»).

use crate::model::cite::{Cite, CiteMode};

use super::disambiguate::Rendered;
use super::eval::{Area, Eval, Scene};
use super::node::{NodeId, TERM_ONLY, Tag, Tree};
use super::output::{Flatten, Rich};
use super::position::Place;
use super::processor::Document;
use super::punctuation;
use super::style::{Class, Collapse, Look};

/// One cite with its item and place.
#[derive(Clone, Copy)]
pub struct CiteInput<'c> {
    pub cite: &'c Cite,
    /// The item's index.
    pub item: usize,
    pub place: Place,
}

/// A cite after evaluation.
struct Part<'c> {
    input: CiteInput<'c>,
    tree: Tree,
    /// The text of the first names, by which cites are grouped.
    names: String,
    /// The text without names and year suffix; what must be equal for suffixes to collapse.
    rest: String,
    suffix: Option<u32>,
    number: Option<u32>,
    /// The names are left out, being those of the cite before.
    collapsed: bool,
    /// No variable has given the cite any names.
    nameless: bool,
    /// All but the year suffix is left out.
    letters_only: bool,
}

/// The text of a bare cite, for disambiguation.
pub fn bare(scene: Scene, tree: &mut Tree) -> Rendered {
    tree.clear();
    let compiled = scene.compiled;
    let mut eval = Eval::new(scene, tree);
    eval.elements(&compiled.style.citation.layout.elements);
    let lists = std::mem::take(&mut eval.lists);
    let asks_condition = eval.asked_disambiguate;
    let mut out = Rich::default();
    let flatten = Flatten {
        tree,
        locale: &compiled.locale,
        links: false,
    };
    flatten.render(0, &mut out);
    Rendered {
        text: out.text,
        lists,
        asks_condition,
    }
}

/// The names by which a cite is grouped.
pub fn names(scene: Scene, tree: &mut Tree) -> String {
    tree.clear();
    let style = &scene.compiled.style;
    Eval::new(scene, tree).elements(&style.citation.layout.elements);
    first_names(tree)
        .map(|id| content(tree, id))
        .unwrap_or_default()
}

/// Renders a citation.
pub fn render(document: &Document, inputs: &[CiteInput], links: bool) -> Rich {
    match inputs.first() {
        Some(first) if first.cite.mode == CiteMode::Composite => composite(document, inputs, links),
        _ => cluster(document, inputs, links),
    }
}

/// The first cite's author in running text, and the citation without it behind.
fn composite(document: &Document, inputs: &[CiteInput], links: bool) -> Rich {
    let with_mode = |at: usize, mode: CiteMode| -> Option<Cite> {
        let mut cite = inputs.get(at)?.cite.clone();
        cite.mode = mode;
        Some(cite)
    };
    let author = with_mode(0, CiteMode::AuthorOnly);
    let rest: Vec<Cite> = (0..inputs.len())
        .filter_map(|at| {
            let mode = if at == 0 {
                CiteMode::SuppressAuthor
            } else {
                CiteMode::Normal
            };
            with_mode(at, mode)
        })
        .collect();
    let mut out = Rich::default();
    if let (Some(author), Some(input)) = (&author, inputs.first()) {
        let input = CiteInput {
            cite: author,
            ..*input
        };
        out.append(&cluster(document, &[input], links));
        out.push(" ");
    }
    let rest: Vec<CiteInput> = rest
        .iter()
        .zip(inputs)
        .map(|(cite, input)| CiteInput { cite, ..*input })
        .collect();
    out.append(&cluster(document, &rest, links));
    out
}

fn cluster(document: &Document, inputs: &[CiteInput], links: bool) -> Rich {
    let citation = &document.compiled.style.citation;
    let mut parts: Vec<Part> = inputs
        .iter()
        .enumerate()
        .map(|(at, input)| part(document, *input, at == 0))
        .collect();
    if citation.groups_cites() {
        group(&mut parts);
    }
    let look = &citation.layout.look;
    let author_only = inputs.len() == 1 && inputs[0].cite.mode == CiteMode::AuthorOnly;
    if !author_only
        && let Some(last) = parts
            .iter_mut()
            .rev()
            .find(|part| part.tree.has_children(0))
    {
        // The layout's suffix meets the last cite like any other suffix.
        let suffix = last.tree.span(&look.suffix);
        last.tree.node_mut(0).suffix = suffix;
    }
    let mut out = Rich::default();
    let pieces = join(document, &mut parts, links);
    for piece in pieces {
        out.append(&piece);
    }
    if out.is_empty() && !inputs.is_empty() {
        return Rich::plain("[NO_PRINTED_FORM]");
    }
    if author_only {
        return out;
    }
    dress(out, look)
}

/// Puts the layout's prefix and formatting around a citation.
fn dress(inner: Rich, look: &Look) -> Rich {
    let mut tree = Tree::default();
    tree.node_mut(0).formatting = look.formatting;
    let locale = super::locale::MergedLocale::default();
    let flatten = Flatten {
        tree: &tree,
        locale: &locale,
        links: false,
    };
    let mut frame = Rich::default();
    flatten.render(0, &mut frame);
    let mut out = Rich::default();
    let half = frame.marks.len() / 2;
    out.marks.extend(frame.marks.iter().take(half).copied());
    out.push(&look.prefix);
    out.append(&inner);
    let end = out.text.len() as u32;
    out.marks
        .extend(frame.marks.iter().skip(half).map(|(_, mark)| (end, *mark)));
    out
}

fn part<'c>(document: &Document, input: CiteInput<'c>, first: bool) -> Part<'c> {
    let citation = &document.compiled.style.citation;
    let mut tree = Tree::default();
    let cite = input.cite;
    let mut scene = document.scene(
        input.item,
        Area::Citation,
        &document.hints[input.item],
        &input.place,
    );
    scene.mode = cite.mode;
    scene.opens_citation = first;
    scene.prefix_ends_sentence = ends_sentence(&cite.prefix);
    scene.locator = cite
        .locator
        .as_ref()
        .map(|locator| (locator.label.as_str(), locator.value.trim()))
        .filter(|(_, value)| !value.is_empty());
    let plain = Look::default();
    let mut eval = Eval::new(scene, &mut tree);
    if cite.mode != CiteMode::AuthorOnly {
        eval.cite_affix(&prefix_text(&cite.prefix), &plain, Tag::CitePrefix);
    }
    eval.elements(&citation.layout.elements);
    if cite.mode != CiteMode::AuthorOnly {
        eval.cite_affix(&suffix_text(&cite.suffix), &plain, Tag::CiteSuffix);
    }
    if !tree.purge(0) {
        tree.clear();
        tree.plain("[CSL STYLE ERROR: reference with no printed form.]");
    }
    shape(&mut tree, cite.mode);
    let names = first_names(&tree)
        .map(|id| content(&tree, id))
        .unwrap_or_default();
    let mut part = Part {
        input,
        names,
        rest: String::new(),
        suffix: None,
        number: None,
        collapsed: false,
        letters_only: false,
        nameless: false,
        tree,
    };
    part.note_collapsible();
    part
}

/// A blank goes between the prefix and the cite where a word ends the prefix.
fn prefix_text(prefix: &str) -> String {
    let last = prefix.chars().next_back();
    let needs_blank = last.is_some_and(|c| {
        c.is_alphanumeric() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')')
    });
    if needs_blank {
        format!("{prefix} ")
    } else {
        prefix.to_owned()
    }
}

fn suffix_text(suffix: &str) -> String {
    let first = suffix.chars().next();
    if first.is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '[')) {
        format!(" {suffix}")
    } else {
        suffix.to_owned()
    }
}

/// Whether a prefix of two words or more ends with a full stop or its like.
fn ends_sentence(prefix: &str) -> bool {
    let prefix = prefix.trim();
    let end = prefix.trim_end_matches(['”', '’', '"', '\'', '»', ')']);
    end.ends_with(['.', '!', '?']) && prefix.contains(' ')
}

fn first_names(tree: &Tree) -> Option<NodeId> {
    let mut found = Vec::new();
    tree.find_all(0, &|node| node.tag == Tag::Names, &mut found);
    found.first().copied()
}

fn content(tree: &Tree, id: NodeId) -> String {
    let mut out = String::new();
    tree.content(id, &mut out);
    out
}

/// Leaves only the author, or all but the author.
fn shape(tree: &mut Tree, mode: CiteMode) {
    match mode {
        CiteMode::Normal | CiteMode::Composite => {}
        CiteMode::SuppressAuthor => {
            if let Some(names) = first_names(tree) {
                tree.detach(names);
                tree.purge(0);
            }
        }
        CiteMode::AuthorOnly => {
            if let Some(names) = first_names(tree) {
                tree.keep_only(names);
                let node = tree.node_mut(names);
                node.prefix = Default::default();
                node.suffix = Default::default();
            }
        }
    }
}

impl Part<'_> {
    fn note_collapsible(&mut self) {
        let mut found = Vec::new();
        self.tree
            .find_all(0, &|node| node.tag == Tag::YearSuffix, &mut found);
        self.suffix = found.first().map(|&id| self.tree.node(id).number);
        found.clear();
        self.tree
            .find_all(0, &|node| node.tag == Tag::CitationNumber, &mut found);
        if let [only] = found.as_slice() {
            let number = *self.tree.node(*only);
            let all = content(&self.tree, 0);
            if all == self.tree.str(number.text) {
                self.number = Some(number.number);
            }
        }
        self.nameless = match first_names(&self.tree) {
            Some(names) => self.tree.node(names).number == TERM_ONLY,
            None => true,
        };
        let mut rest = String::new();
        self.rest_of(0, &mut rest);
        self.rest = rest;
    }

    fn rest_of(&self, id: NodeId, out: &mut String) {
        let node = self.tree.node(id);
        if matches!(node.tag, Tag::YearSuffix) {
            return;
        }
        out.push_str(self.tree.str(node.text));
        for child in self.tree.children(id) {
            self.rest_of(child, out);
        }
    }

    fn keep_letters(&mut self) {
        let mut found = Vec::new();
        self.tree
            .find_all(0, &|node| node.tag == Tag::YearSuffix, &mut found);
        let Some(&id) = found.first() else { return };
        let affix = self.tree.node(0).last;
        let affix = (self.tree.node(affix).tag == Tag::CiteSuffix).then_some(affix);
        self.tree.keep_only(id);
        if let Some(affix) = affix {
            self.tree.put_last(affix);
        }
        self.letters_only = true;
    }

    fn has_prefix(&self) -> bool {
        !self.input.cite.prefix.is_empty()
    }

    fn has_suffix(&self) -> bool {
        !self.input.cite.suffix.is_empty()
    }

    fn has_locator(&self) -> bool {
        self.input.cite.locator.is_some()
    }
}

/// Moves cites with the same names behind the first of them.
fn group(parts: &mut Vec<Part>) {
    let mut at = 0;
    while at < parts.len() {
        let mut end = at + 1;
        for other in at + 1..parts.len() {
            if !parts[at].names.is_empty() && parts[other].names == parts[at].names {
                let moved = parts.remove(other);
                parts.insert(end, moved);
                end += 1;
            }
        }
        at = end;
    }
}

/// Collapses what can be collapsed and writes the cites with what stands between them.
fn join(document: &Document, parts: &mut [Part], links: bool) -> Vec<Rich> {
    let citation = &document.compiled.style.citation;
    match citation.collapse {
        Collapse::CitationNumber => return join_numbers(document, parts, links),
        Collapse::Year => collapse_names(parts),
        Collapse::YearSuffix | Collapse::YearSuffixRanged => collapse_suffixes(parts),
        Collapse::None => {}
    }
    let mut out: Vec<Rich> = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let delimiter = if at == 0 {
            ""
        } else {
            delimiter(document, parts, at)
        };
        let text = finish(document, &mut parts[at].tree, links);
        add_cite(&mut out, delimiter, text);
        let end = (citation.collapse == Collapse::YearSuffixRanged)
            .then(|| range_end(parts, at))
            .flatten();
        if let Some(end) = end {
            out.push(Rich::plain("–"));
            out.push(finish(document, &mut parts[end].tree, links));
            at = end;
        }
        at += 1;
    }
    out
}

/// Adds a cite. A comma at the seam, from a cite's own affix, stands in for the delimiter.
fn add_cite(out: &mut Vec<Rich>, delimiter: &str, text: Rich) {
    if text.text.trim().is_empty() {
        return;
    }
    if let Some(before) = out.last() {
        let mark = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?');
        if before.text.ends_with(',') && delimiter.starts_with([',', ';']) {
            out.push(Rich::plain(" "));
        } else if !text.text.starts_with(mark) {
            out.push(Rich::plain(delimiter));
        }
    }
    out.push(text);
}

/// What stands between a cite and the one before it.
fn delimiter<'d>(document: &'d Document, parts: &[Part], at: usize) -> &'d str {
    let style = &document.compiled.style;
    let citation = &style.citation;
    let layout = &*citation.layout.delimiter;
    let group = citation.cite_group_delimiter.as_deref();
    let (before, here) = (&parts[at - 1], &parts[at]);
    let same = before.names == here.names;
    let after = citation.after_collapse_delimiter.as_deref();
    if same && here.letters_only {
        return citation
            .year_suffix_delimiter
            .as_deref()
            .or(group)
            .unwrap_or(layout);
    }
    let collapses = citation.collapse != Collapse::None;
    let numbered = here.number.is_some();
    let nameless = here.nameless && !numbered && citation.collapse.is_by_names() && group.is_none();
    if same && (here.collapsed || group.is_some() && !here.names.is_empty()) || nameless {
        return match (group, after) {
            (_, Some(after)) if collapses && before.has_locator() => after,
            (Some(group), _) => group,
            (None, None) if style.options.class == Class::InText => ", ",
            (None, _) => layout,
        };
    }
    let in_text = style.options.class == Class::InText;
    if collapses && (in_text || before.collapsed || before.letters_only || at == 1) {
        return after.unwrap_or(layout);
    }
    layout
}

/// Cites of the same names show them once.
fn collapse_names(parts: &mut [Part]) {
    for at in 1..parts.len() {
        let (before, here) = parts.split_at_mut(at);
        let (Some(before), Some(here)) = (before.last(), here.first_mut()) else {
            continue;
        };
        let same = !here.names.is_empty() && here.names == before.names;
        if same
            && !here.has_prefix()
            && let Some(names) = first_names(&here.tree)
        {
            here.tree.detach(names);
            here.tree.purge(0);
            here.collapsed = true;
        }
    }
}

/// Cites of the same names and year show both once, and then the letters alone.
fn collapse_suffixes(parts: &mut [Part]) {
    collapse_names(parts);
    for at in 1..parts.len() {
        let (before, here) = parts.split_at_mut(at);
        let (Some(before), Some(here)) = (before.last(), here.first_mut()) else {
            continue;
        };
        let same = here.names == before.names
            && here.rest == before.rest
            && here.suffix.is_some()
            && before.suffix.is_some();
        if same && !here.has_prefix() && !before.has_locator() && !before.has_suffix() {
            here.keep_letters();
        }
    }
}

/// The end of the run of letters that begins at `at`, where a range may stand for it.
fn range_end(parts: &[Part], at: usize) -> Option<usize> {
    let mut end = at;
    while let Some(next) = parts.get(end + 1) {
        let follows = next.suffix == parts[end].suffix.map(|number| number + 1);
        if !next.letters_only || !follows || parts[end].has_locator() || parts[end].has_suffix() {
            break;
        }
        end += 1;
    }
    (end >= at + 2).then_some(end)
}

/// Runs of three and more consecutive numbers become a range.
fn join_numbers(document: &Document, parts: &mut [Part], links: bool) -> Vec<Rich> {
    let citation = &document.compiled.style.citation;
    let layout = &citation.layout.delimiter;
    let mut out = Vec::new();
    let mut at = 0;
    let mut after_range = false;
    while at < parts.len() {
        let mut end = at;
        while end + 1 < parts.len()
            && let (Some(number), Some(next)) = (parts[end].number, parts[end + 1].number)
            && next == number + 1
        {
            end += 1;
        }
        let ranged = end >= at + 2;
        if !out.is_empty() {
            let delimiter = match &citation.after_collapse_delimiter {
                Some(delimiter) if after_range => delimiter,
                _ => layout,
            };
            out.push(Rich::plain(delimiter));
        }
        let first = finish(document, &mut parts[at].tree, links);
        if first.is_empty() {
            out.pop();
        }
        out.push(first);
        if ranged {
            out.push(Rich::plain("–"));
            out.push(finish(document, &mut parts[end].tree, links));
            at = end + 1;
        } else {
            at += 1;
        }
        after_range = ranged;
    }
    out
}

fn finish(document: &Document, tree: &mut Tree, links: bool) -> Rich {
    let locale = &document.compiled.locale;
    punctuation::settle(tree, 0, locale.punctuation_in_quote);
    let mut out = Rich::default();
    Flatten {
        tree,
        locale,
        links,
    }
    .render(0, &mut out);
    out
}
