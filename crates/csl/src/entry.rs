//! Bibliography entries: the layout's affixes, blocks for an aligned second field, and marks in
//! place of repeated authors.

use citation_model::budget::Exceeded;
use citation_model::item::Item;
use citation_model::variable::TextVar;

use super::braces::Braces;
use super::document::Document;
use super::eval::{Area, Eval};
use super::links;
use super::node::{NIL, Node, NodeId, Tag, Tree};
use super::output::{Flatten, NO_PRINTED_FORM, Rich};
use super::position::CitePosition;
use super::punctuation;
use super::style::{Bibliography, Display, Element, Formatting};
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
    /// Indexes of the items of which the style shows nothing.
    pub empty: Vec<usize>,
}

impl Entries {
    /// An empty entry is left out, but where cites are numbers, their numbers must lead somewhere
    /// (see sort_OmittedBibRefMixedNumericStyle).
    fn push_empty(&mut self, document: &Document, index: usize) {
        self.empty.push(index);
        if document.compiled.numbers_cites {
            let text = format!("{}. {NO_PRINTED_FORM}", self.shown.len() + 1);
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

/// All entries. `braces` is how the citations have left the parentheses.
pub fn all(
    document: &Document,
    bibliography: &Bibliography,
    braces: Braces,
    links: bool,
) -> Result<Entries, Exceeded> {
    let mut tree = Tree::counting(braces, &document.budget);
    let mut entries = Entries::default();
    let mut before: Option<EntryNames> = None;
    for &index in &document.order {
        document.budget.check()?;
        tree.clear();
        let context = document.context(
            index,
            Area::Bibliography,
            &document.hints[index],
            &CitePosition::default(),
        );
        let mut eval = Eval::new(context, &mut tree);
        // With an aligned second field the blocks are given.
        eval.ignores_blocks = bibliography.second_field_align.is_some();
        eval.fields(&bibliography.layout.elements);
        let first_field = eval.first_field.unwrap_or(NIL);
        let ends_empty = eval.ends_empty;
        if !tree.purge(0) {
            entries.push_empty(document, index);
            continue;
        }
        if let Some(mark) = &bibliography.subsequent_author_substitute {
            let rule = bibliography.substitute_rule;
            let item = &document.items[index];
            substitute::replace(&mut tree, item, rule, mark, &mut before);
        }
        let first_field = bibliography.second_field_align.map(|_| first_field);
        let edges = Edges {
            first_field,
            ends_empty,
        };
        let (content, offset) = finish(
            document,
            bibliography,
            &mut tree,
            &edges,
            links.then_some(&*document.items[index].item),
        );
        entries.max_offset = entries.max_offset.max(offset);
        if content.is_empty() {
            entries.push_empty(document, index);
        } else {
            entries.push(document, index, content);
        }
    }
    Ok(entries)
}

/// What the layout has come to at its ends.
struct Edges {
    /// The node of the first field where the second is to be aligned; [`NIL`] for an empty one.
    first_field: Option<NodeId>,
    /// Whether the last level is empty, and with it the place of the layout's suffix in an entry
    /// made of blocks.
    ends_empty: bool,
}

/// The entry with the layout's affixes, and the width of its first field where that is aligned.
fn finish(
    document: &Document,
    bibliography: &Bibliography,
    tree: &mut Tree,
    edges: &Edges,
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
    // Where blocks make up the entry, its end is in the last of them.
    let opening = layout.elements.first().and_then(Element::attributes);
    let last = tree.node(outer).last;
    if opening.is_some_and(|attributes| attributes.display.is_some()) {
        if last != NIL && !edges.ends_empty {
            tree.set_suffix(last, &layout.attributes.suffix);
        }
    } else {
        tree.set_suffix(outer, &layout.attributes.suffix);
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

/// What leads to the work where the entry shows no address of it: the title, or the whole entry
/// (specification, appendix VI).
fn anchor(item: &Item, tree: &Tree, whole: NodeId) -> Option<(NodeId, String)> {
    const BY_PRIORITY: [TextVar; 4] = [TextVar::Doi, TextVar::Pmcid, TextVar::Pmid, TextVar::Url];
    let found = |wanted: &dyn Fn(&Node) -> bool| {
        let mut found = Vec::new();
        tree.find_all(0, wanted, &mut found);
        found.first().copied()
    };
    if found(&|node| matches!(node.tag, Tag::Linkable(_))).is_some() {
        return None;
    }
    let mut targets = BY_PRIORITY.iter();
    let target = targets.find_map(|variable| links::target(*variable, item.text(*variable)?))?;
    Some((
        found(&|node| node.tag == Tag::Title).unwrap_or(whole),
        target,
    ))
}

/// The first field goes into the margin, the rest into a block beside it, which is given back. An
/// empty first field leaves the margin empty.
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
