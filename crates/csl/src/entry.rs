//! Bibliography entries: the layout's affixes, blocks for an aligned second field, and substitutes for
//! repeated authors.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::spread::Spread;
use citation_model::variable::TextVar;

use super::addresses;
use super::braces::Braces;
use super::document::Document;
use super::eval::{Area, Eval};
use super::links;
use super::node::{NIL, Node, NodeId, Tag, Tree};
use super::output::{Flatten, NO_PRINTED_FORM, Rich};
use super::position::CitePosition;
use super::punctuation;
use super::style::{Bibliography, Display, Element, Formatting, RenderingAttributes};
use super::substitute::{self, EntryNames};

/// One entry of the bibliography.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    /// The item's index in the input.
    pub index: usize,
    pub content: Rich,
}

/// The entries of a bibliography.
#[derive(Default)]
pub struct Entries {
    /// In bibliography order.
    pub shown: Vec<Entry>,
    /// The width of the widest first field in characters.
    pub max_offset: u32,
    /// Indexes of the items for which the style shows nothing.
    pub empty: Vec<usize>,
}

impl Entries {
    /// Empty entries are skipped unless cites are numbered, because the numbers must lead somewhere (see
    /// sort_OmittedBibRefMixedNumericStyle).
    fn push_empty(&mut self, document: &Document, index: usize) {
        self.empty.push(index);
        if document.compiled.numbers_cites {
            let number = format!("{}.", self.shown.len() + 1);
            let text = if document.suite_notation {
                format!("{number} {NO_PRINTED_FORM}")
            } else {
                number
            };
            self.push(document, index, Rich::plain(&text));
        }
    }

    fn push(&mut self, document: &Document, index: usize, content: Rich) {
        self.shown.push(Entry {
            id: document.items[index].item.id.clone(),
            index,
            content,
        });
    }
}

/// All entries. `braces` is the parenthesis state after the citations.
pub fn all(
    document: &Document,
    bibliography: &Bibliography,
    braces: Braces,
    links: bool,
    spread: Spread,
) -> Result<Entries, Exceeded> {
    let writer = Writer {
        document,
        bibliography,
        links,
    };
    let start = |budget: &Budget| State {
        tree: Tree::counting(braces, budget),
        before: None,
        is_named: false,
        next: 0,
    };
    // Parenthesis counting continues from entry to entry.
    let spread = if braces == Braces::default() {
        spread
    } else {
        Spread(None)
    };
    let written = spread.map(
        &document.budget,
        document.order.len(),
        start,
        |state, at| writer.write(state, at),
    )?;
    let mut entries = Entries::default();
    for (&index, written) in document.order.iter().zip(written) {
        match written {
            Some((content, offset)) => {
                entries.max_offset = entries.max_offset.max(offset);
                entries.push(document, index, content);
            }
            None => entries.push_empty(document, index),
        }
    }
    Ok(entries)
}

struct Writer<'d> {
    document: &'d Document<'d>,
    bibliography: &'d Bibliography,
    links: bool,
}

/// The state of writing entries in sequence.
struct State<'d> {
    tree: Tree,
    /// The names of the previous entry.
    before: Option<EntryNames<'d>>,
    /// Whether the names belong to the current entry.
    is_named: bool,
    /// The position of the next entry.
    next: usize,
}

impl<'d> Writer<'d> {
    /// Writes the entry at a position and returns the width of its first field; `None` if it is empty.
    fn write(&self, state: &mut State<'d>, at: usize) -> Result<Option<(Rich, u32)>, Exceeded> {
        state.tree.budget.check()?;
        if state.next != at {
            self.catch_up(state, at)?;
        }
        state.next = at + 1;
        let Some((index, edges)) = self.evaluate(state, at) else {
            return Ok(None);
        };
        let item = &self.document.items[index].item;
        let way = if self.document.shows_addresses {
            addresses::only_way(item)
        } else {
            None
        };
        let (content, offset) = finish(
            self.document,
            self.bibliography,
            &mut state.tree,
            &edges,
            way,
            self.links.then_some(&**item),
        );
        Ok((!content.is_empty()).then_some((content, offset)))
    }

    /// Finds the names before an entry that does not follow the last one written: those of the nearest
    /// skipped entry that has any.
    fn catch_up(&self, state: &mut State<'d>, at: usize) -> Result<(), Exceeded> {
        if self.bibliography.subsequent_author_substitute.is_none() {
            return Ok(());
        }
        for between in (state.next..at).rev() {
            state.tree.budget.check()?;
            state.is_named = false;
            self.evaluate(state, between);
            if state.is_named {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates the entry at a position into the tree, which stays empty if the entry is.
    fn evaluate(&self, state: &mut State<'d>, at: usize) -> Option<(usize, Edges)> {
        let (document, bibliography) = (self.document, self.bibliography);
        let index = *document.order.get(at)?;
        state.tree.clear();
        let context = document.context(
            index,
            Area::Bibliography,
            &document.hints[index],
            &CitePosition::default(),
        );
        let mut eval = Eval::new(context, &mut state.tree);
        // With an aligned second field the blocks are predetermined.
        eval.ignores_blocks = bibliography.second_field_align.is_some();
        eval.fields(&bibliography.layout.elements);
        let first_field = eval.first_field.unwrap_or(NIL);
        let edges = Edges {
            first_field: bibliography.second_field_align.map(|_| first_field),
            ends_empty: eval.ends_empty,
        };
        if !state.tree.purge(0) {
            return None;
        }
        if let Some(mark) = &bibliography.subsequent_author_substitute {
            let rule = bibliography.substitute_rule;
            let item = &document.items[index];
            state.is_named =
                substitute::replace(&mut state.tree, item, rule, mark, &mut state.before);
        }
        Some((index, edges))
    }
}

/// The state at the ends of the layout.
struct Edges {
    /// The node of the first field if the second is aligned; [`NIL`] for an empty one.
    first_field: Option<NodeId>,
    /// Whether the last level is empty, which also omits the layout's suffix in an entry made of blocks.
    ends_empty: bool,
}

/// The entry with the layout's affixes, and the width of its first field if the second is aligned.
fn finish(
    document: &Document,
    bibliography: &Bibliography,
    tree: &mut Tree,
    edges: &Edges,
    way: Option<&str>,
    linked: Option<&Item>,
) -> (Rich, u32) {
    let layout = &bibliography.layout;
    tree.node_mut(0).formatting = layout.attributes.formatting;
    let first = tree.node(0).first;
    tree.add_prefix(first, &layout.attributes.prefix);
    let outer = match edges.first_field {
        Some(field) => align(tree, field),
        None => 0,
    };
    // If blocks make up the entry, the suffix belongs to the last of them.
    let opening = layout.elements.first().and_then(Element::attributes);
    let last = tree.node(outer).last;
    let in_blocks = opening.is_some_and(|attributes| attributes.display.is_some());
    let level = if in_blocks { last } else { outer };
    let suffix = if in_blocks && edges.ends_empty {
        ""
    } else {
        &*layout.attributes.suffix
    };
    if level != NIL {
        match way.filter(|_| !shows_address(tree)) {
            Some(way) => append_way(tree, level, suffix, way),
            None => tree.set_suffix(level, suffix),
        }
    }
    let in_quotes = document.compiled.locale.punctuation_in_quote;
    punctuation::settle(tree, 0, in_quotes);
    let flatten = Flatten {
        tree,
        locale: &document.compiled.locale,
        links: linked.is_some(),
        anchor: linked.and_then(|item| anchor(item, tree, outer)),
        around: Formatting::default(),
    };
    let mut out = Rich::default();
    flatten.render(0, &mut out);
    let margin = tree.node(0).first;
    if margin == NIL || tree.node(margin).display != Some(Display::LeftMargin) {
        return (out, 0);
    }
    let width = out.margin().trim_end().chars().count() as u32;
    (out, width)
}

/// Whether an entry shows an address or an identifier.
fn shows_address(tree: &Tree) -> bool {
    let mut found = Vec::new();
    tree.find_all(0, &|node| matches!(node.tag, Tag::Linkable(_)), &mut found);
    !found.is_empty()
}

/// Ends an entry with the address of its work, behind the layout's suffix.
fn append_way(tree: &mut Tree, level: NodeId, suffix: &str, way: &str) {
    let end = match suffix.trim_end() {
        "" => ".",
        suffix => suffix,
    };
    tree.close_to(level);
    let plain = RenderingAttributes::default();
    let node = tree.text(way, &plain, Tag::Linkable(TextVar::Url));
    tree.set_source(node, way);
    tree.set_affixes(node, &format!("{end} "), "");
}

/// The part that links to the work if the entry shows no address: the title, or otherwise the whole entry
/// (specification, appendix VI).
fn anchor(item: &Item, tree: &Tree, whole: NodeId) -> Option<(NodeId, String)> {
    const BY_PRIORITY: [TextVar; 4] = [TextVar::Doi, TextVar::Pmcid, TextVar::Pmid, TextVar::Url];
    let found = |wanted: &dyn Fn(&Node) -> bool| {
        let mut found = Vec::new();
        tree.find_all(0, wanted, &mut found);
        found.first().copied()
    };
    if shows_address(tree) {
        return None;
    }
    let mut targets = BY_PRIORITY.iter();
    let target = targets.find_map(|variable| links::target(*variable, item.text(*variable)?))?;
    Some((
        found(&|node| node.tag == Tag::Title).unwrap_or(whole),
        target,
    ))
}

/// Moves the first field into the margin and the rest into a block beside it, which is returned. An empty
/// first field leaves the margin empty.
fn align(tree: &mut Tree, field: NodeId) -> NodeId {
    let block = |display| Node {
        display: Some(display),
        ..Node::default()
    };
    let (mut rest, last) = (tree.node(0).first, tree.node(0).last);
    if rest == field {
        rest = tree.node(field).next;
        let margin = tree.wrap(field, field, block(Display::LeftMargin));
        if rest == NIL {
            return margin;
        }
    }
    tree.wrap(rest, last, block(Display::RightInline))
}
