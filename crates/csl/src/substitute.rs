//! `subsequent-author-substitute`: replaces names that repeat those of the preceding entry
//! (specification, «Reference grouping»).

use super::item::{PersonName, Prepared};
use super::node::{NIL, NodeId, TERM_ONLY, Tag, Tree};
use super::style::SubstituteRule;

/// The names of an entry, for comparison with the next one.
#[derive(Default)]
pub struct EntryNames<'i> {
    /// The output of the first `cs:names`.
    whole: String,
    each: Vec<ShownName<'i>>,
    /// Whether «et al.» stands for others.
    is_cut: bool,
}

/// A name as shown, and the name of the item that it shows.
struct ShownName<'i> {
    text: String,
    person: Option<&'i PersonName>,
}

/// People are equal if all their name parts are: the name order of a work's language does not matter, and
/// people with the same initials may differ.
impl PartialEq for ShownName<'_> {
    fn eq(&self, other: &Self) -> bool {
        match self.person.zip(other.person) {
            Some((one, other)) => one.is_called_like(other),
            None => self.text == other.text,
        }
    }
}

/// Replaces names in a tree that repeat those in `names_before`, which it then sets to the tree's own.
/// Returns `false` if a term replaces the tree's names.
pub fn replace<'i>(
    tree: &mut Tree,
    item: &'i Prepared,
    rule: SubstituteRule,
    mark: &str,
    names_before: &mut Option<EntryNames<'i>>,
) -> bool {
    let mut found = Vec::new();
    tree.find_all(0, &|node| node.tag == Tag::Names, &mut found);
    let Some(&names) = found.first() else {
        *names_before = Some(EntryNames::default());
        return true;
    };
    if tree.node(names).number == TERM_ONLY {
        // Text that replaces missing names does not repeat any.
        names_before.get_or_insert_default();
        return false;
    }
    let mut persons = Vec::new();
    tree.find_all(names, &|node| node.tag == Tag::Name, &mut persons);
    let own = EntryNames {
        whole: text(tree, names),
        each: persons
            .iter()
            .map(|&name| ShownName {
                text: text(tree, name),
                person: person(tree, name, item),
            })
            .collect(),
        is_cut: is_cut(tree, names),
    };
    if let Some(before) = names_before {
        let same = before
            .each
            .iter()
            .zip(&own.each)
            .take_while(|(a, b)| a == b)
            .count();
        // Labels may differ; the whole output is compared only if there are no names.
        let complete = if own.each.is_empty() {
            before.each.is_empty() && before.whole == own.whole && !own.whole.is_empty()
        } else {
            before.each == own.each && before.is_cut == own.is_cut
        };
        match rule {
            SubstituteRule::CompleteAll if complete => blank_all(tree, names, mark),
            SubstituteRule::PartialEach | SubstituteRule::CompleteEach
                if complete && own.each.is_empty() =>
            {
                blank_all(tree, names, mark);
            }
            SubstituteRule::CompleteEach if complete => blank(tree, &persons, mark),
            SubstituteRule::PartialEach => {
                blank(tree, persons.get(..same).unwrap_or_default(), mark)
            }
            SubstituteRule::PartialFirst => {
                blank(tree, persons.get(..same.min(1)).unwrap_or_default(), mark);
            }
            _ => {}
        }
    }
    *names_before = Some(own);
    true
}

/// The name of the item that a node shows.
fn person<'i>(tree: &Tree, name: NodeId, item: &'i Prepared) -> Option<&'i PersonName> {
    let mut above = name;
    while above != NIL {
        let node = tree.node(above);
        if let Tag::NameList(variable) = node.tag {
            let place = tree.node(name).number as usize;
            return item.names(variable).get(place);
        }
        above = node.parent;
    }
    None
}

fn is_cut(tree: &Tree, names: NodeId) -> bool {
    let mut found = Vec::new();
    tree.find_all(names, &|node| node.tag == Tag::WithOthers, &mut found);
    !found.is_empty()
}

fn text(tree: &Tree, id: NodeId) -> String {
    let mut out = String::new();
    tree.content(id, &mut out);
    out
}

fn blank(tree: &mut Tree, names: &[NodeId], mark: &str) {
    for &name in names {
        let text = tree.span(mark);
        let node = tree.node_mut(name);
        node.first = NIL;
        node.last = NIL;
        node.text = text;
    }
}

/// Removes the names and keeps the label.
fn blank_all(tree: &mut Tree, names: NodeId, mark: &str) {
    let mut lists = Vec::new();
    tree.find_all(
        names,
        &|node| matches!(node.tag, Tag::NameList(_)),
        &mut lists,
    );
    match lists.split_first() {
        Some((&list, others)) => {
            blank(tree, &[list], mark);
            let node = tree.node_mut(list);
            node.prefix = Default::default();
            node.suffix = Default::default();
            for &other in others {
                tree.detach(other);
            }
        }
        None => blank(tree, &[names], mark),
    }
}
