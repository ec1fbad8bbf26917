//! Merges punctuation where siblings, affixes and quotation marks meet. Four walks over the tree: blanks
//! and marks move up to the outermost affix, marks move left to the preceding sibling, then down to their
//! text, and finally into or out of quotation marks as the locale sets (`punctuation-in-quote`). The
//! specification leaves this to the processor; the walks and their order follow citeproc-js, so that
//! styles developed with it render as their authors saw them.

use super::node::{NIL, Node, NodeId, Quote, Span, Tag, Tree};

/// The result for two adjacent marks, left and right, if one replaces the other.
fn merged(left: char, right: char) -> Option<char> {
    match (left, right) {
        ('!' | '?', '.' | ':') => Some(left),
        (':' | ';', '!' | '?') => Some(right),
        (':', '.') | (';', ':' | '.') => Some(left),
        _ => None,
    }
}

pub fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '.' | ':' | ',' | ';')
}

fn is_mark_or_space(c: char) -> bool {
    is_mark(c) || c == ' ' || c == '\u{a0}'
}

/// Marks that move inside a closing quotation mark.
fn swaps_in(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?')
}

/// Marks that move outside a closing quotation mark.
fn swaps_out(c: char) -> bool {
    matches!(c, ',' | ';' | ':')
}

/// Applies all walks to the tree below `root`.
pub fn settle(tree: &mut Tree, root: NodeId, in_quotes: bool) {
    if tree.budget.is_spent() {
        return;
    }
    tree.purge(root);
    if is_leaf(tree, root) {
        drop_repeated(tree, root);
    }
    backward(tree, root, upward);
    backward(tree, root, leftward);
    downward(tree, root, in_quotes);
    quotes(tree, root, in_quotes);
}

/// A string of a node that marks move into or out of.
#[derive(Clone, Copy)]
enum NodeText {
    Text,
    Prefix,
    Suffix,
}

#[derive(Clone, Copy)]
struct Spot {
    node: NodeId,
    part: NodeText,
}

fn suffix_of(node: NodeId) -> Spot {
    Spot {
        node,
        part: NodeText::Suffix,
    }
}

fn text_of(node: NodeId) -> Spot {
    Spot {
        node,
        part: NodeText::Text,
    }
}

/// The text of a leaf, or the suffix of a level: where marks after the node go.
fn end_of(tree: &Tree, node: NodeId) -> Spot {
    if is_leaf(tree, node) {
        text_of(node)
    } else {
        suffix_of(node)
    }
}

impl Spot {
    fn span(self, tree: &Tree) -> Span {
        let node = tree.node(self.node);
        match self.part {
            NodeText::Text => node.text,
            NodeText::Prefix => node.prefix,
            NodeText::Suffix => node.suffix,
        }
    }

    fn set(self, tree: &mut Tree, span: Span) {
        let node = tree.node_mut(self.node);
        match self.part {
            NodeText::Text => node.text = span,
            NodeText::Prefix => node.prefix = span,
            NodeText::Suffix => node.suffix = span,
        }
    }

    fn first(self, tree: &Tree) -> Option<char> {
        tree.first_char(self.span(tree))
    }

    fn last(self, tree: &Tree) -> Option<char> {
        tree.last_char(self.span(tree))
    }

    fn drop_first(self, tree: &mut Tree) {
        let span = tree.without_first(self.span(tree));
        self.set(tree, span);
    }

    fn drop_last(self, tree: &mut Tree) {
        let span = tree.without_last(self.span(tree));
        self.set(tree, span);
    }

    fn push(self, tree: &mut Tree, c: char) {
        let span = tree.appended(self.span(tree), c);
        self.set(tree, span);
    }

    fn push_front(self, tree: &mut Tree, c: char) {
        let span = tree.preceded(c, self.span(tree));
        self.set(tree, span);
    }
}

fn is_leaf(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).first == NIL
}

fn is_formatted(tree: &Tree, id: NodeId) -> bool {
    !tree.node(id).formatting.is_plain()
}

fn is_quoted(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).quote != Quote::None
}

fn is_numeral(tree: &Tree, id: NodeId) -> bool {
    let tag = tree.node(id).tag;
    is_leaf(tree, id) && matches!(tag, Tag::CitationNumber | Tag::YearSuffix | Tag::Number)
}

/// Whether a node is a number, or a level that contains only one. A number variable is a level of its own, so
/// that a level around it contains a level.
fn is_number(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    let is_only = node.first == node.last && node.first != NIL;
    is_numeral(tree, id)
        || is_only && is_numeral(tree, node.first) && tree.node(node.first).tag != Tag::Number
}

/// A node, its last child, the last child of that, and so on.
fn lasts(tree: &Tree, id: NodeId) -> impl Iterator<Item = NodeId> {
    let last = |id: &NodeId| {
        tree.spend(1);
        Some(tree.node(*id).last).filter(|last| *last != NIL)
    };
    std::iter::successors(Some(id), last)
}

fn ends_in_number(tree: &Tree, id: NodeId) -> bool {
    lasts(tree, id).any(|id| is_numeral(tree, id))
}

fn ends_in_quotes(tree: &Tree, id: NodeId) -> bool {
    lasts(tree, id).any(|id| is_quoted(tree, id))
}

/// Whether a mark would merge with the last mark of the node or of its last descendants.
fn ends_in_merging(tree: &Tree, id: NodeId, mark: char) -> bool {
    lasts(tree, id).any(|id| {
        let own = match suffix_of(id).last(tree) {
            None if is_leaf(tree, id) => text_of(id).last(tree),
            own => own,
        };
        own.is_some_and(|own| merged(own, mark).is_some())
    })
}

/// Whether the content of the level already ends in the mark.
fn holds_mark_last(tree: &Tree, id: NodeId, mark: char) -> bool {
    let below = || lasts(tree, id).skip(1);
    let end = match below().find_map(|id| suffix_of(id).last(tree)) {
        Some(end) => Some(end),
        None => lasts(tree, id)
            .last()
            .and_then(|leaf| text_of(leaf).last(tree)),
    };
    end == Some(mark)
}

/// Moves the first mark of `right` into `left`; drops one of two equal marks.
fn merge_left(tree: &mut Tree, left: Spot, right: Spot) {
    let (first, second) = (left.last(tree), right.first(tree));
    let Some(second) = second else { return };
    if first == Some(second) {
        right.drop_first(tree);
    } else if is_mark(second) {
        right.drop_first(tree);
        match first.and_then(|first| merged(first, second)) {
            Some(both) => {
                left.drop_last(tree);
                left.push(tree, both);
            }
            None => left.push(tree, second),
        }
    }
}

/// Moves the last mark of `left` into `right`; drops one of two equal marks.
fn merge_right(tree: &mut Tree, left: Spot, right: Spot) {
    let (first, second) = (left.last(tree), right.first(tree));
    let Some(first) = first else { return };
    if second == Some(first) {
        left.drop_last(tree);
    } else if is_mark(first) {
        left.drop_last(tree);
        match second.and_then(|second| merged(first, second)) {
            Some(both) => {
                right.drop_first(tree);
                right.push_front(tree, both);
            }
            None => right.push_front(tree, first),
        }
    }
}

/// Drops the first mark of a suffix if the text already ends in it.
fn drop_repeated(tree: &mut Tree, leaf: NodeId) {
    let suffix = suffix_of(leaf);
    if let Some(c) = suffix.first(tree)
        && is_mark(c)
        && text_of(leaf).last(tree) == Some(c)
    {
        suffix.drop_first(tree);
    }
}

/// Visits the descendants of a node from last to first, children before their level.
fn backward(tree: &mut Tree, root: NodeId, mut visit: impl FnMut(&mut Tree, NodeId)) {
    let mut id = root;
    loop {
        while tree.node(id).last != NIL {
            id = tree.node(id).last;
        }
        loop {
            if id == root {
                return;
            }
            visit(tree, id);
            let Node { prev, parent, .. } = *tree.node(id);
            if prev != NIL {
                id = prev;
                break;
            }
            id = parent;
        }
    }
}

/// Moves marks and blanks of a child at the edge of its level to the level's own affixes.
fn upward(tree: &mut Tree, child: NodeId) {
    if is_leaf(tree, child) {
        drop_repeated(tree, child);
    }
    let Node {
        parent, prev, next, ..
    } = *tree.node(child);
    let fixed = is_formatted(tree, parent) || is_quoted(tree, parent);
    if prev == NIL {
        lift_prefix(tree, parent, child, fixed);
    }
    if next == NIL && !fixed {
        lift_suffix(tree, parent, child);
    }
    let prefix = Spot {
        node: child,
        part: NodeText::Prefix,
    };
    let delimiter = tree.last_char(tree.node(parent).delimiter);
    if prev != NIL && delimiter.is_some_and(is_mark_or_space) && prefix.first(tree) == delimiter {
        prefix.drop_first(tree);
    }
}

fn lift_prefix(tree: &mut Tree, parent: NodeId, child: NodeId, fixed: bool) {
    let spot = |node| Spot {
        node,
        part: NodeText::Prefix,
    };
    let (above, below) = (spot(parent), spot(child));
    if above.last(tree) == Some(' ') && below.first(tree) == Some(' ') {
        below.drop_first(tree);
    }
    if let Some(c) = below.first(tree)
        && is_mark_or_space(c)
        && !fixed
        && above.span(tree).is_empty()
    {
        above.push(tree, c);
        below.drop_first(tree);
    }
}

/// Only a blank moves up from a suffix, and is not doubled.
fn lift_suffix(tree: &mut Tree, parent: NodeId, child: NodeId) {
    let (above, below) = (suffix_of(parent), suffix_of(child));
    if below.last(tree) != Some(' ') {
        return;
    }
    if above.first(tree) != Some(' ') {
        above.push_front(tree, ' ');
    }
    below.drop_last(tree);
}

/// Moves a mark at the start of a sibling's prefix to the end of the preceding sibling.
fn leftward(tree: &mut Tree, child: NodeId) {
    let Node { parent, next, .. } = *tree.node(child);
    let bare = tree.node(parent).delimiter.is_empty();
    if bare && next != NIL && !is_formatted(tree, child) && !is_formatted(tree, next) {
        take_from_sibling(tree, child, next);
    }
}

fn take_from_sibling(tree: &mut Tree, child: NodeId, next: NodeId) {
    let (suffix, prefix) = (
        suffix_of(child),
        Spot {
            node: next,
            part: NodeText::Prefix,
        },
    );
    let Some(mark) = prefix.first(tree).filter(|c| is_mark(*c)) else {
        return;
    };
    let said_in_text = suffix.span(tree).is_empty()
        && is_leaf(tree, child)
        && text_of(child).last(tree) == Some(mark);
    if said_in_text {
        prefix.drop_first(tree);
    } else {
        merge_left(tree, suffix, prefix);
    }
}

/// Merges marks of affixes and delimiters with the end of the preceding text.
fn downward(tree: &mut Tree, root: NodeId, in_quotes: bool) {
    let mut id = root;
    loop {
        if id != root {
            meet_text(tree, id, in_quotes);
        }
        let last = tree.node(id).last;
        if last != NIL {
            spread_delimiter(tree, id);
            id = last;
            continue;
        }
        drop_repeated(tree, id);
        // Continue with the preceding sibling, or with that of a level above.
        while id != root && tree.node(id).prev == NIL {
            id = tree.node(id).parent;
        }
        if id == root {
            return;
        }
        id = tree.node(id).prev;
    }
}

/// Merges what follows a child with its end.
fn meet_text(tree: &mut Tree, child: NodeId, in_quotes: bool) {
    let Node { parent, next, .. } = *tree.node(child);
    let suffix = suffix_of(child);
    if next == NIL {
        meet_suffix(tree, parent, child, in_quotes);
    } else if let Some(c) = tree.first_char(tree.node(parent).delimiter) {
        if is_mark_or_space(c) && suffix.last(tree) == Some(c) {
            suffix.drop_last(tree);
        }
    } else {
        drop_from_sibling(tree, child, next);
    }
    if let Some(c) = suffix.first(tree)
        && is_mark(c)
        && is_leaf(tree, child)
        && !is_number(tree, child)
        && !is_formatted(tree, child)
        && !is_quoted(tree, child)
    {
        merge_left(tree, text_of(child), suffix);
    }
}

/// Moves a mark at the start of the delimiter to the preceding children.
fn spread_delimiter(tree: &mut Tree, parent: NodeId) {
    let delimiter = tree.node(parent).delimiter;
    let Some(mark) = tree.first_char(delimiter).filter(|c| is_mark(*c)) else {
        return;
    };
    let mut child = tree.node(parent).first;
    while child != NIL && tree.node(child).next != NIL {
        let suffix = suffix_of(child);
        if suffix.last(tree) != Some(mark) {
            suffix.push(tree, mark);
        }
        child = tree.node(child).next;
    }
    let rest = tree.without_first(delimiter);
    tree.node_mut(parent).delimiter = rest;
}

/// Merges the level's suffix with its last child: a mark moves down if it merges with one there, or if
/// quotation marks end there.
fn meet_suffix(tree: &mut Tree, parent: NodeId, child: NodeId, in_quotes: bool) {
    let (above, below) = (suffix_of(parent), suffix_of(child));
    if let Some(mark) = above.first(tree).filter(|c| is_mark(*c))
        && (ends_in_merging(tree, child, mark) || in_quotes && ends_in_quotes(tree, child))
        && !ends_in_number(tree, child)
    {
        merge_left(tree, end_of(tree, child), above);
        if above.first(tree) == Some('.') {
            below.push(tree, '.');
            above.drop_first(tree);
        }
    }
    if below.last(tree) == Some(' ') && above.first(tree) == Some(' ') {
        above.drop_first(tree);
    }
    if let Some(c) = below.first(tree).filter(|c| is_mark_or_space(*c)) {
        if is_leaf(tree, child) && text_of(child).last(tree) == Some(c) {
            below.drop_first(tree);
        }
        if below.last(tree) == above.first(tree) {
            above.drop_last(tree);
        }
    }
    if let Some(c) = above.first(tree)
        && is_mark(c)
        && holds_mark_last(tree, parent, c)
    {
        above.drop_first(tree);
    }
}

fn drop_from_sibling(tree: &mut Tree, child: NodeId, next: NodeId) {
    let prefix = Spot {
        node: next,
        part: NodeText::Prefix,
    };
    let fixed = is_number(tree, child) || is_formatted(tree, child) || is_quoted(tree, child);
    if let Some(c) = suffix_of(child).last(tree)
        && !fixed
        && is_mark_or_space(c)
        && prefix.first(tree) == Some(c)
    {
        prefix.drop_first(tree);
    }
}

/// Moves marks across closing quotation marks.
fn quotes(tree: &mut Tree, root: NodeId, in_quotes: bool) {
    let mut at = tree.following(root, root, true);
    while let Some(child) = at {
        if is_quoted(tree, child) {
            let last = tree.node(child).last;
            let inner = if last == NIL {
                text_of(child)
            } else {
                suffix_of(last)
            };
            let outer = suffix_of(child);
            if in_quotes {
                while outer.first(tree).is_some_and(swaps_in) {
                    merge_left(tree, inner, outer);
                }
            } else {
                while inner.last(tree).is_some_and(swaps_out) {
                    merge_right(tree, inner, outer);
                }
            }
        }
        at = tree.following(child, root, true);
    }
}
