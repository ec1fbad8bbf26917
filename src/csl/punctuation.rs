//! Punctuation where siblings, affixes and quotation marks meet. Four walks over the tree: marks
//! go up to the outermost affix, left to the sibling before, down to the text they belong to, and
//! last into or out of quotation marks as the locale asks (`punctuation-in-quote`).

use super::node::{NIL, NodeId, Quote, Span, Tag, Tree};

/// What remains of two marks that meet; `None` where both stay.
pub fn merged(left: char, right: char) -> Option<&'static str> {
    let rest = match (left, right) {
        ('!', '.' | ':') => "!",
        ('?', '.' | ':') => "?",
        (':', '!') => "!",
        (':', '?') => "?",
        (':', '.') => ":",
        (';', '!') => "!",
        (';', '?') => "?",
        (';', ':' | '.') => ";",
        ('.', '.') => ".",
        (',', ',') => ",",
        (':', ':') => ":",
        (';', ';') => ";",
        ('!', '!') => "!",
        ('?', '?') => "?",
        _ => return None,
    };
    Some(rest)
}

pub fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '.' | ':' | ',' | ';')
}

fn is_mark_or_space(c: char) -> bool {
    is_mark(c) || c == ' ' || c == '\u{a0}'
}

/// Marks that go inside a closing quotation mark.
fn swaps_in(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?')
}

/// Marks that leave a closing quotation mark.
fn swaps_out(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':')
}

/// Settles the punctuation of the whole tree below `root`.
pub fn settle(tree: &mut Tree, root: NodeId, in_quotes: bool) {
    tree.purge(root);
    upward(tree, root);
    leftward(tree, root);
    downward(tree, root);
    quotes(tree, root, in_quotes);
}

fn ends_in_number(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    if matches!(node.tag, Tag::CitationNumber | Tag::YearSuffix) {
        return true;
    }
    node.last != NIL && ends_in_number(tree, node.last)
}

fn ends_in_quotes(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.quote != Quote::None || node.last != NIL && ends_in_quotes(tree, node.last)
}

/// Affixes of a child that stands at the edge of its level move out to the level's own.
fn upward(tree: &mut Tree, id: NodeId) {
    let parent = *tree.node(id);
    if parent.first == NIL {
        let last = tree.last_char(parent.text);
        if let Some(c) = tree.first_char(parent.suffix)
            && is_mark(c)
            && last == Some(c)
        {
            tree.node_mut(id).suffix = tree.without_first(parent.suffix);
        }
        return;
    }
    let mut child = parent.last;
    while child != NIL {
        upward(tree, child);
        let prev = tree.node(child).prev;
        if prev == NIL {
            lift_prefix(tree, id, child);
        }
        if tree.node(child).next == NIL {
            lift_suffix(tree, id, child);
        }
        meet_delimiter(tree, id, child);
        child = prev;
    }
}

fn lift_prefix(tree: &mut Tree, parent: NodeId, child: NodeId) {
    if !tree.node(parent).formatting.is_plain() {
        return;
    }
    let (above, below) = (tree.node(parent).prefix, tree.node(child).prefix);
    let Some(c) = tree.first_char(below) else {
        return;
    };
    if c == ' ' && tree.last_char(above) == Some(' ') {
        tree.node_mut(child).prefix = tree.without_first(below);
    } else if is_mark_or_space(c) && above.is_empty() {
        let above = tree.appended(above, c);
        tree.node_mut(parent).prefix = above;
        tree.node_mut(child).prefix = tree.without_first(below);
    }
}

fn lift_suffix(tree: &mut Tree, parent: NodeId, child: NodeId) {
    // What closes a block stays in it, and what is formatted with its level stays formatted.
    if !tree.node(parent).formatting.is_plain()
        || tree.node(parent).quote != Quote::None
        || tree.node(child).display.is_some()
    {
        return;
    }
    let (above, below) = (tree.node(parent).suffix, tree.node(child).suffix);
    let Some(c) = tree.last_char(below) else {
        return;
    };
    if is_mark_or_space(c) {
        let first = tree.first_char(above);
        if let Some(both) = first.and_then(|first| merged(c, first)) {
            let rest = tree.without_first(above);
            let rest = tree.str(rest).to_owned();
            let both = tree.span(both);
            let above = tree.joined(both, &rest);
            tree.node_mut(parent).suffix = above;
        } else if first != Some(c) {
            let above = tree.preceded(c, above);
            tree.node_mut(parent).suffix = above;
        }
        tree.node_mut(child).suffix = tree.without_last(below);
    }
}

fn meet_delimiter(tree: &mut Tree, parent: NodeId, child: NodeId) {
    let delimiter = tree.node(parent).delimiter;
    let node = *tree.node(child);
    if delimiter.is_empty() {
        return;
    }
    if node.prev != NIL
        && let Some(c) = tree.last_char(delimiter)
        && is_mark_or_space(c)
        && tree.first_char(node.prefix) == Some(c)
    {
        tree.node_mut(child).prefix = tree.without_first(node.prefix);
    }
    if node.next != NIL
        && let Some(c) = tree.first_char(delimiter)
        && is_mark_or_space(c)
        && tree.last_char(node.suffix) == Some(c)
    {
        tree.node_mut(child).suffix = tree.without_last(node.suffix);
    }
}

/// A mark at the head of a sibling's prefix goes to the end of the sibling before.
fn leftward(tree: &mut Tree, id: NodeId) {
    let bare = tree.node(id).delimiter.is_empty();
    let mut child = tree.node(id).last;
    while child != NIL {
        leftward(tree, child);
        let node = *tree.node(child);
        if bare && node.next != NIL {
            let prefix = tree.node(node.next).prefix;
            if let Some(c) = tree.first_char(prefix)
                && is_mark_or_space(c)
                && !(ends_in_number(tree, child) && ends_in_number(tree, node.next))
            {
                let next = node.next;
                if is_mark(c) {
                    let (left, right) = merge(tree, node.suffix, prefix);
                    tree.node_mut(child).suffix = left;
                    tree.node_mut(next).prefix = right;
                } else if tree.last_char(node.suffix) == Some(c) {
                    tree.node_mut(next).prefix = tree.without_first(prefix);
                }
            }
        }
        child = node.prev;
    }
}

/// Takes the first mark of `right` over to the end of `left`.
fn merge(tree: &mut Tree, left: Span, right: Span) -> (Span, Span) {
    let Some(second) = tree.first_char(right) else {
        return (left, right);
    };
    let rest = tree.without_first(right);
    let Some(first) = tree.last_char(left) else {
        return (tree.appended(left, second), rest);
    };
    match merged(first, second) {
        Some(both) => {
            let kept = tree.without_last(left);
            (tree.joined(kept, both), rest)
        }
        None => (tree.appended(left, second), rest),
    }
}

/// Marks of an affix or a delimiter meet the end of the text that they follow.
fn downward(tree: &mut Tree, id: NodeId) {
    let node = *tree.node(id);
    if node.first == NIL {
        absorb(tree, id);
        return;
    }
    spread_delimiter(tree, id);
    let last = node.last;
    push_down_suffix(tree, id, last);
    let mut child = last;
    while child != NIL {
        downward(tree, child);
        child = tree.node(child).prev;
    }
}

/// The text's last mark and the suffix's first become what the table says.
fn absorb(tree: &mut Tree, id: NodeId) {
    let node = *tree.node(id);
    let (Some(last), Some(first)) = (tree.last_char(node.text), tree.first_char(node.suffix))
    else {
        return;
    };
    let Some(both) = (is_mark(first) && is_mark(last))
        .then(|| merged(last, first))
        .flatten()
    else {
        return;
    };
    let kept = tree.without_last(node.text);
    let text = tree.joined(kept, both);
    let suffix = tree.without_first(node.suffix);
    let node = tree.node_mut(id);
    node.text = text;
    node.suffix = suffix;
}

/// A mark that opens the delimiter belongs to the child before it.
fn spread_delimiter(tree: &mut Tree, id: NodeId) {
    let node = *tree.node(id);
    let Some(mark) = tree.first_char(node.delimiter) else {
        return;
    };
    if !is_mark(mark) {
        return;
    }
    let mut child = node.first;
    while child != NIL {
        let inner = *tree.node(child);
        if inner.next == NIL {
            break;
        }
        if tree.last_char(inner.suffix) != Some(mark) {
            let suffix = match tree.last_char(inner.suffix) {
                Some(c) if is_mark(c) => {
                    let single = tree.appended(Span::default(), mark);
                    merge(tree, inner.suffix, single).0
                }
                _ => tree.appended(inner.suffix, mark),
            };
            tree.node_mut(child).suffix = suffix;
        }
        child = inner.next;
    }
    let delimiter = tree.without_first(node.delimiter);
    tree.node_mut(id).delimiter = delimiter;
}

/// A mark of the level's suffix goes down to the last child where it can merge with the text
/// there, or where quotation marks close.
fn push_down_suffix(tree: &mut Tree, id: NodeId, child: NodeId) {
    let suffix = tree.node(id).suffix;
    let Some(mark) = tree.first_char(suffix) else {
        return;
    };
    if mark == ' ' && tree.last_char(tree.node(child).suffix) == Some(' ') {
        tree.node_mut(id).suffix = tree.without_first(suffix);
        return;
    }
    if !is_mark(mark)
        || tree.node(id).quote != Quote::None
            && !ends_in_quotes(tree, child)
            && !merges_with(tree, child, mark)
    {
        return;
    }
    if ends_in_number(tree, child) && !ends_in_quotes(tree, child) {
        return;
    }
    if !ends_in_quotes(tree, child) && !merges_with(tree, child, mark) {
        return;
    }
    let (below, above) = merge(tree, tree.node(child).suffix, suffix);
    tree.node_mut(child).suffix = below;
    tree.node_mut(id).suffix = above;
}

fn merges_with(tree: &Tree, id: NodeId, mark: char) -> bool {
    let node = tree.node(id);
    if let Some(last) = tree.last_char(node.suffix) {
        return merged(last, mark).is_some();
    }
    if node.last != NIL {
        return merges_with(tree, node.last, mark);
    }
    tree.last_char(node.text)
        .is_some_and(|last| merged(last, mark).is_some())
}

/// Lets marks swap sides with closing quotation marks.
fn quotes(tree: &mut Tree, id: NodeId, in_quotes: bool) {
    let mut child = tree.node(id).first;
    while child != NIL {
        quotes(tree, child, in_quotes);
        let node = *tree.node(child);
        if matches!(node.quote, Quote::Style | Quote::Field) {
            if in_quotes {
                pull_mark(tree, child);
                swap_in(tree, child);
            } else {
                swap_out(tree, child);
            }
        }
        child = node.next;
    }
}

/// A mark that opens the text right behind the quotation marks becomes their suffix.
fn pull_mark(tree: &mut Tree, id: NodeId) {
    let node = *tree.node(id);
    let bare = node.parent == NIL || tree.node(node.parent).delimiter.is_empty();
    let in_prefix = tree.node(node.parent).tag == Tag::CitePrefix;
    if node.next == NIL || !node.suffix.is_empty() || !bare || in_prefix {
        return;
    }
    let mut next = node.next;
    while tree.node(next).first != NIL && tree.node(next).prefix.is_empty() {
        if tree.node(next).quote != Quote::None {
            return;
        }
        next = tree.node(next).first;
    }
    let text = tree.node(next).text;
    if !tree.node(next).prefix.is_empty() || tree.node(next).quote != Quote::None {
        return;
    }
    let Some(mark) = tree.first_char(text).filter(|c| swaps_in(*c)) else {
        return;
    };
    tree.node_mut(next).text = tree.without_first(text);
    let suffix = tree.appended(Span::default(), mark);
    tree.node_mut(id).suffix = suffix;
}

fn swap_in(tree: &mut Tree, id: NodeId) {
    let suffix = tree.node(id).suffix;
    let Some(mark) = tree.first_char(suffix) else {
        return;
    };
    if !swaps_in(mark) {
        return;
    }
    tree.node_mut(id).suffix = tree.without_first(suffix);
    // The innermost level that closes here takes the mark.
    let mut inner = id;
    while tree.node(inner).last != NIL && tree.node(inner).suffix.is_empty() | (inner == id) {
        inner = tree.node(inner).last;
    }
    let node = *tree.node(inner);
    let single = tree.appended(Span::default(), mark);
    if node.first == NIL && (node.suffix.is_empty() || inner == id) {
        let (text, _) = merge(tree, node.text, single);
        tree.node_mut(inner).text = text;
    } else {
        let (suffix, _) = merge(tree, node.suffix, single);
        tree.node_mut(inner).suffix = suffix;
    }
}

fn swap_out(tree: &mut Tree, id: NodeId) {
    let mut inner = id;
    while tree.node(inner).last != NIL && tree.node(inner).suffix.is_empty() | (inner == id) {
        inner = tree.node(inner).last;
    }
    let node = *tree.node(inner);
    let from_suffix = inner != id && !node.suffix.is_empty();
    let span = if from_suffix { node.suffix } else { node.text };
    let Some(mark) = tree.last_char(span) else {
        return;
    };
    // A mark that belongs to the field's own text stays where the author put it.
    if !from_suffix || !swaps_out(mark) {
        return;
    }
    tree.node_mut(inner).suffix = tree.without_last(span);
    let outer = tree.node(id).suffix;
    let outer = tree.preceded(mark, outer);
    tree.node_mut(id).suffix = outer;
}
