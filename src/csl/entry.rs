//! Bibliography entries: the layout's affixes, blocks for an aligned second field, and marks in
//! place of repeated authors.

use super::eval::{Area, Eval};
use super::node::{NIL, Node, NodeId, Tree};
use super::output::{Flatten, Rich};
use super::position::Place;
use super::processor::{Document, Entry};
use super::punctuation;
use super::style::{Bibliography, Display};
use super::substitute::{self, EntryNames};

/// All entries in bibliography order, and the width of the widest first field in characters.
/// Entries that come out empty are left out.
pub fn all(document: &Document, bibliography: &Bibliography, links: bool) -> (Vec<Entry>, u32) {
    let mut tree = Tree::default();
    let mut entries = Vec::with_capacity(document.items.len());
    let mut before: Option<EntryNames> = None;
    let mut widest = 0;
    for &index in &document.order {
        tree.clear();
        let scene = document.scene(
            index,
            Area::Bibliography,
            &document.hints[index],
            &Place::default(),
        );
        Eval::new(scene, &mut tree).elements(&bibliography.layout.elements);
        if !tree.purge(0) {
            continue;
        }
        if let Some(mark) = &bibliography.subsequent_author_substitute {
            let rule = bibliography.substitute_rule;
            before = Some(substitute::replace(&mut tree, rule, mark, before.as_ref()));
        }
        let content = finish(document, bibliography, &mut tree, links, &mut widest);
        if content.is_empty() {
            continue;
        }
        entries.push(Entry {
            id: document.items[index].item.id.clone(),
            index,
            content,
        });
    }
    (entries, widest)
}

fn finish(
    document: &Document,
    bibliography: &Bibliography,
    tree: &mut Tree,
    links: bool,
    widest: &mut u32,
) -> Rich {
    let layout = &bibliography.layout.look;
    tree.node_mut(0).formatting = layout.formatting;
    let (first, last) = (tree.node(0).first, tree.node(0).last);
    if !layout.prefix.is_empty() {
        let own = tree.node(first).prefix;
        let prefix = tree.span(&layout.prefix);
        let own = tree.str(own).to_owned();
        tree.node_mut(first).prefix = tree.joined(prefix, &own);
    }
    let own = tree.node(last).suffix;
    // A mark that the last element brings itself is not said twice.
    let end = tree.last_char(own).filter(|c| punctuation::is_mark(*c));
    let rest = match end {
        Some(mark) => layout.suffix.strip_prefix(mark).unwrap_or(&layout.suffix),
        None => &layout.suffix,
    };
    let suffix = tree.joined(own, rest);
    tree.node_mut(last).suffix = suffix;
    let aligned = bibliography.second_field_align.is_some() && tree.node(first).display.is_none();
    if aligned {
        align(tree, first);
    }
    let in_quotes = document.compiled.locale.punctuation_in_quote;
    punctuation::settle(tree, 0, in_quotes);
    let flatten = Flatten {
        tree,
        locale: &document.compiled.locale,
        links,
    };
    let mut out = Rich::default();
    flatten.render(0, &mut out);
    if aligned {
        let mut field = Rich::default();
        flatten.render(tree.node(0).first, &mut field);
        *widest = (*widest).max(field.text.trim_end().chars().count() as u32);
    }
    out
}

/// The first field goes into the margin, the rest into a block beside it.
fn align(tree: &mut Tree, first: NodeId) {
    let second = tree.node(first).next;
    let last = tree.node(0).last;
    let block = |display| Node {
        display: Some(display),
        ..Node::default()
    };
    tree.wrap(first, first, block(Display::LeftMargin));
    if second != NIL {
        tree.wrap(second, last, block(Display::RightInline));
    }
}
