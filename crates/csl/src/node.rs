//! The tree that an evaluation builds: texts with affixes, delimiters and formatting. All strings share
//! one buffer and all nodes one vector, so that building and dropping a tree is cheap and empty results
//! are truncated.

#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "ids of nodes are made by the tree that they index"
)]

use std::borrow::Cow;

use citation_model::budget::Budget;
use citation_model::variable::{NameVar, TextVar};

use super::braces::Braces;
use super::item::is_romanesque;
use super::style::{Display, Formatting, RenderingAttributes};

/// An index into the tree; [`NIL`] for none.
pub type NodeId = u32;
pub const NIL: NodeId = u32::MAX;

/// The number of a names node that a term replaces.
pub const TERM_ONLY: u32 = u32::MAX;

/// A range of the tree's buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    fn end(self) -> usize {
        (self.start + self.len) as usize
    }
}

/// What a node represents, for later stages that look for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tag {
    #[default]
    None,
    /// The output of `cs:names`, including label and et-al.
    Names,
    /// The names of one variable.
    NameList(NameVar),
    /// One name.
    Name,
    /// Names and the «et al.» after them.
    WithOthers,
    /// A date.
    Date,
    /// The value of a date part.
    DatePart,
    /// The letters that disambiguate works of the same year.
    YearSuffix,
    CitationNumber,
    CitationLabel,
    /// A number; adjacent punctuation stays in place.
    Number,
    /// A variable that may become a link.
    Linkable(TextVar),
    /// The title of the item.
    Title,
    CitePrefix,
    CiteSuffix,
}

/// Why a node is in quotation marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    #[default]
    None,
    /// The style sets `quotes`.
    Style,
    /// They are part of the field's text.
    Field,
    /// They are part of the field's text, and the locale's inner ones.
    Inner,
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub parent: NodeId,
    pub first: NodeId,
    pub last: NodeId,
    pub next: NodeId,
    pub prev: NodeId,
    /// The node's own text; a node has either text or children.
    pub text: Span,
    pub prefix: Span,
    pub suffix: Span,
    /// Separates the children.
    pub delimiter: Span,
    pub formatting: Formatting,
    pub quote: Quote,
    pub display: Option<Display>,
    pub tag: Tag,
    /// The value of a citation number or a year suffix. For [`Tag::WithOthers`], 1 if the style sets «et
    /// al.» in italics. For [`Tag::Linkable`], the index of its source. For [`Tag::Name`], the index
    /// among the names of its variable.
    pub number: u32,
    /// The formatting comes from markup in a field, which toggles inside the same formatting.
    pub is_markup: bool,
    /// The formatting of enclosing levels does not apply inside (`<span class="nodecor">`).
    pub no_decor: bool,
}

impl Default for Node {
    fn default() -> Self {
        Node {
            parent: NIL,
            first: NIL,
            last: NIL,
            next: NIL,
            prev: NIL,
            text: Span::default(),
            prefix: Span::default(),
            suffix: Span::default(),
            delimiter: Span::default(),
            formatting: Formatting::default(),
            quote: Quote::None,
            display: None,
            tag: Tag::None,
            number: 0,
            is_markup: false,
            no_decor: false,
        }
    }
}

/// The maximum size of a tree's text in bytes; more is dropped. An entry with thousands of authors needs
/// a tenth of it, a style that shows a long field ten thousand times much more.
const MAX_BUFFER: usize = 4 << 20;

/// Bytes of text copied per step of the budget.
const BYTES_PER_STEP: usize = 128;

/// A tree under construction. Node 0 is the root. Each node costs a step of the budget; when that is
/// spent, the tree accepts no more text, and its creator must check the budget.
#[derive(Clone, Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub budget: Budget,
    buffer: String,
    current: NodeId,
    /// The values of linkable texts; the number of a [`Tag::Linkable`] node is its index here.
    sources: Vec<Source>,
    /// Kept by [`Tree::clear`]: the count continues across cites.
    pub braces: Braces,
}

/// The value of a variable and the text shown for it, before punctuation merged into it.
#[derive(Clone, Copy, Debug)]
struct Source {
    value: Span,
    /// Bytes.
    shown: u32,
}

/// A state to which the tree can be rolled back.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    nodes: usize,
    buffer: usize,
    current: NodeId,
    last: NodeId,
}

impl Tree {
    pub fn new(budget: &Budget) -> Tree {
        Tree::counting(Braces::default(), budget)
    }

    /// A tree that continues a count of parentheses.
    pub fn counting(braces: Braces, budget: &Budget) -> Tree {
        Tree {
            nodes: vec![Node::default()],
            budget: budget.clone(),
            buffer: String::new(),
            current: 0,
            sources: Vec::new(),
            braces,
        }
    }

    /// Spends steps. The result is ignored here; callers check the budget where they can stop.
    pub fn spend(&self, steps: usize) {
        let _ = self.budget.spend(steps as u64);
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.buffer.clear();
        self.sources.clear();
        self.current = 0;
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub fn str(&self, span: Span) -> &str {
        &self.buffer[span.start as usize..span.end()]
    }

    pub fn span(&mut self, text: &str) -> Span {
        let start = self.buffer.len() as u32;
        if text.is_empty() || !self.append(text) {
            return Span::default();
        }
        Span {
            start,
            len: text.len() as u32,
        }
    }

    /// Appends a text to the buffer if there is room.
    fn append(&mut self, text: &str) -> bool {
        if text.len() >= BYTES_PER_STEP {
            self.spend(text.len() / BYTES_PER_STEP);
        }
        let fits = self.buffer.len() + text.len() <= MAX_BUFFER && !self.budget.is_spent();
        if fits {
            self.buffer.push_str(text);
        }
        fits
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            nodes: self.nodes.len(),
            buffer: self.buffer.len(),
            current: self.current,
            last: self.node(self.current).last,
        }
    }

    /// Discards everything added since the checkpoint.
    pub fn rollback(&mut self, checkpoint: Checkpoint) {
        self.nodes.truncate(checkpoint.nodes);
        self.buffer.truncate(checkpoint.buffer);
        self.current = checkpoint.current;
        let current = checkpoint.current as usize;
        if checkpoint.last == NIL {
            self.nodes[current].first = NIL;
        } else {
            self.nodes[checkpoint.last as usize].next = NIL;
        }
        self.nodes[current].last = checkpoint.last;
    }

    fn attach(&mut self, mut node: Node) -> NodeId {
        self.spend(1);
        let id = self.nodes.len() as NodeId;
        let parent = self.current;
        let last = self.nodes[parent as usize].last;
        node.parent = parent;
        node.prev = last;
        self.nodes.push(node);
        if last == NIL {
            self.nodes[parent as usize].first = id;
        } else {
            self.nodes[last as usize].next = id;
        }
        self.nodes[parent as usize].last = id;
        id
    }

    fn dressed(&mut self, attributes: &RenderingAttributes, delimiter: &str) -> Node {
        Node {
            prefix: self.span(&attributes.prefix),
            suffix: self.span(&attributes.suffix),
            delimiter: self.span(delimiter),
            formatting: attributes.formatting,
            quote: if attributes.quotes {
                Quote::Style
            } else {
                Quote::None
            },
            ..Node::default()
        }
    }

    /// Opens a level; later nodes become its children until [`Tree::close`].
    pub fn open(&mut self, attributes: &RenderingAttributes, delimiter: &str, tag: Tag) -> NodeId {
        let mut node = self.dressed(attributes, delimiter);
        node.tag = tag;
        self.open_node(node)
    }

    /// Opens a level of the style and counts its parentheses.
    pub fn open_level(
        &mut self,
        attributes: &RenderingAttributes,
        delimiter: &str,
        tag: Tag,
    ) -> NodeId {
        let level = self.open(attributes, delimiter, tag);
        let mut braces = self.braces;
        if let Cow::Owned(prefix) = braces.alternate(&attributes.prefix) {
            self.node_mut(level).prefix = self.span(&prefix);
        }
        self.braces = braces;
        level
    }

    /// Closes a level of the style and all levels open in it.
    pub fn close_level(&mut self, level: NodeId, attributes: &RenderingAttributes) {
        let mut braces = self.braces;
        if let Cow::Owned(suffix) = braces.alternate(&attributes.suffix) {
            self.node_mut(level).suffix = self.span(&suffix);
        }
        self.braces = braces;
        self.close_to(level);
        self.close();
    }

    pub fn open_node(&mut self, node: Node) -> NodeId {
        let id = self.attach(node);
        self.current = id;
        id
    }

    pub fn close(&mut self) {
        let parent = self.node(self.current).parent;
        if parent != NIL {
            self.current = parent;
        }
    }

    /// Returns to a level opened earlier.
    pub fn close_to(&mut self, level: NodeId) {
        self.current = level;
    }

    /// Adds a text with an element's affixes and formatting. Adds nothing if the text is empty.
    pub fn text(&mut self, text: &str, attributes: &RenderingAttributes, tag: Tag) -> NodeId {
        if text.is_empty() {
            return NIL;
        }
        let mut node = self.dressed(attributes, "");
        // Only some scripts have italics: a text entirely in others stays upright.
        let slants = |c: char| c.is_alphanumeric() && is_romanesque(c);
        if !text.is_ascii() && !text.chars().any(slants) {
            node.formatting.font_style = None;
        }
        node.text = self.span(text);
        node.tag = tag;
        self.attach(node)
    }

    /// Keeps the value of a linkable text, regardless of its text case and of punctuation merged into it
    /// later.
    pub fn set_source(&mut self, id: NodeId, value: &str) {
        let text = self.node(id).text;
        let value = if self.str(text) == value {
            text
        } else {
            self.span(value)
        };
        let shown = text.len;
        self.node_mut(id).number = self.sources.len() as u32;
        self.sources.push(Source { value, shown });
    }

    /// The value of a linkable text, and the byte offset in the text where merged punctuation starts.
    pub fn source(&self, node: &Node) -> Option<(&str, usize)> {
        let source = self.sources.get(node.number as usize)?;
        let text = self.str(node.text);
        let shown = text.floor_char_boundary(source.shown as usize);
        Some((self.str(source.value), shown))
    }

    /// Adds a text without affixes and formatting.
    pub fn plain(&mut self, text: &str) -> NodeId {
        if text.is_empty() {
            return NIL;
        }
        let text = self.span(text);
        self.attach(Node {
            text,
            ..Node::default()
        })
    }

    pub fn has_children(&self, id: NodeId) -> bool {
        self.node(id).first != NIL
    }

    /// The next node in document order below `root`: the first child if `inside`, otherwise the node
    /// after this one and its descendants.
    pub fn following(&self, mut id: NodeId, root: NodeId, inside: bool) -> Option<NodeId> {
        let first = self.node(id).first;
        if inside && first != NIL {
            return Some(first);
        }
        while id != root {
            let node = self.node(id);
            if node.next != NIL {
                return Some(node.next);
            }
            id = node.parent;
        }
        None
    }

    /// Whether a node or its descendants have text.
    pub fn has_text(&self, root: NodeId) -> bool {
        let mut at = Some(root);
        while let Some(id) = at {
            if !self.node(id).text.is_empty() {
                return true;
            }
            at = self.following(id, root, true);
        }
        false
    }

    /// Removes a node and its descendants from the tree.
    pub fn detach(&mut self, id: NodeId) {
        let Node {
            parent, prev, next, ..
        } = *self.node(id);
        if prev != NIL {
            self.node_mut(prev).next = next;
        } else if parent != NIL {
            self.node_mut(parent).first = next;
        }
        if next != NIL {
            self.node_mut(next).prev = prev;
        } else if parent != NIL {
            self.node_mut(parent).last = prev;
        }
    }

    /// Makes nodes the root's only children, in their order.
    pub fn keep_only(&mut self, ids: &[NodeId]) {
        let root = self.node_mut(0);
        root.first = ids.first().copied().unwrap_or(NIL);
        root.last = ids.last().copied().unwrap_or(NIL);
        let mut prev = NIL;
        for (at, &id) in ids.iter().enumerate() {
            let node = self.node_mut(id);
            node.parent = 0;
            node.prev = std::mem::replace(&mut prev, id);
            node.next = ids.get(at + 1).copied().unwrap_or(NIL);
        }
    }

    /// Inserts a new node between the siblings from `first` to `last` and their parent.
    pub fn wrap(&mut self, first: NodeId, last: NodeId, mut node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let parent = self.node(first).parent;
        let (prev, next) = (self.node(first).prev, self.node(last).next);
        node.parent = parent;
        node.prev = prev;
        node.next = next;
        node.first = first;
        node.last = last;
        self.nodes.push(node);
        if prev != NIL {
            self.node_mut(prev).next = id;
        } else if parent != NIL {
            self.node_mut(parent).first = id;
        }
        if next != NIL {
            self.node_mut(next).prev = id;
        } else if parent != NIL {
            self.node_mut(parent).last = id;
        }
        self.node_mut(first).prev = NIL;
        self.node_mut(last).next = NIL;
        let mut child = first;
        while child != NIL {
            self.node_mut(child).parent = id;
            child = self.node(child).next;
        }
        id
    }

    /// Removes every level without text. Returns whether anything is left below `root`.
    pub fn purge(&mut self, root: NodeId) -> bool {
        let mut id = root;
        loop {
            let node = self.node(id);
            if node.text.is_empty() && node.first != NIL {
                id = node.first;
                continue;
            }
            // The descendants are done: continue with the sibling, or with that of a level above.
            loop {
                let Node {
                    parent, next, text, ..
                } = *self.node(id);
                let is_empty = text.is_empty() && !self.has_children(id);
                if id == root {
                    return !is_empty;
                }
                if is_empty {
                    self.detach(id);
                }
                if next != NIL {
                    id = next;
                    break;
                }
                id = parent;
            }
        }
    }

    /// Finds nodes from `root` on in document order for which `wanted` holds; skips the descendants of a
    /// match.
    pub fn find_all(&self, root: NodeId, wanted: &dyn Fn(&Node) -> bool, out: &mut Vec<NodeId>) {
        let mut at = Some(root);
        while let Some(id) = at {
            let is_hit = wanted(self.node(id));
            if is_hit {
                out.push(id);
            }
            at = self.following(id, root, !is_hit);
        }
    }

    #[inline]
    pub fn last_char(&self, span: Span) -> Option<char> {
        if span.is_empty() {
            return None;
        }
        self.str(span).chars().next_back()
    }

    #[inline]
    pub fn first_char(&self, span: Span) -> Option<char> {
        if span.is_empty() {
            return None;
        }
        self.str(span).chars().next()
    }

    pub fn without_first(&self, span: Span) -> Span {
        let cut = self.first_char(span).map_or(0, char::len_utf8) as u32;
        Span {
            start: span.start + cut,
            len: span.len - cut,
        }
    }

    pub fn without_last(&self, span: Span) -> Span {
        let cut = self.last_char(span).map_or(0, char::len_utf8) as u32;
        Span {
            start: span.start,
            len: span.len - cut,
        }
    }

    /// The span followed by a text.
    pub fn joined(&mut self, span: Span, text: &str) -> Span {
        if span.is_empty() {
            return self.span(text);
        }
        if span.end() == self.buffer.len() {
            let more = if self.append(text) { text.len() } else { 0 };
            return Span {
                start: span.start,
                len: span.len + more as u32,
            };
        }
        let joined = [self.str(span), text].concat();
        self.span(&joined)
    }

    /// Appends a text to a node's suffix.
    pub fn add_suffix(&mut self, id: NodeId, text: &str) {
        if id != NIL && !text.is_empty() {
            let suffix = self.node(id).suffix;
            self.node_mut(id).suffix = self.joined(suffix, text);
        }
    }

    /// Appends a text to a node's prefix.
    pub fn extend_prefix(&mut self, id: NodeId, text: &str) {
        if id != NIL && !text.is_empty() {
            let prefix = self.node(id).prefix;
            self.node_mut(id).prefix = self.joined(prefix, text);
        }
    }

    /// Prepends a text to a node's prefix.
    pub fn add_prefix(&mut self, id: NodeId, text: &str) {
        if id != NIL && !text.is_empty() {
            let first = self.span(text);
            let own = self.str(self.node(id).prefix).to_owned();
            self.node_mut(id).prefix = self.joined(first, &own);
        }
    }

    pub fn set_suffix(&mut self, id: NodeId, suffix: &str) {
        if !suffix.is_empty() {
            self.node_mut(id).suffix = self.span(suffix);
        }
    }

    pub fn set_affixes(&mut self, id: NodeId, prefix: &str, suffix: &str) {
        if id != NIL {
            let (prefix, suffix) = (self.span(prefix), self.span(suffix));
            let node = self.node_mut(id);
            node.prefix = prefix;
            node.suffix = suffix;
        }
    }

    /// The span preceded by a character.
    pub fn preceded(&mut self, first: char, span: Span) -> Span {
        let mut joined = String::with_capacity(span.len as usize + first.len_utf8());
        joined.push(first);
        joined.push_str(self.str(span));
        self.span(&joined)
    }

    pub fn appended(&mut self, span: Span, last: char) -> Span {
        let mut bytes = [0; 4];
        self.joined(span, last.encode_utf8(&mut bytes))
    }

    /// The text of a node and its descendants without affixes and delimiters, for comparisons.
    pub fn content(&self, root: NodeId, out: &mut String) {
        let mut at = Some(root);
        while let Some(id) = at {
            out.push_str(self.str(self.node(id).text));
            at = self.following(id, root, true);
        }
    }
}
