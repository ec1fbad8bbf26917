//! An element with its content: a list of nodes in document order, and cursors into it.

use std::borrow::Cow;

use quick_xml::escape::{resolve_html5_entity, unescape_with};

/// The nodes of one record. The first is its element.
#[derive(Debug, Default)]
pub struct Tree<'t> {
    nodes: Vec<Node<'t>>,
    /// Open elements.
    open: Vec<usize>,
}

#[derive(Debug)]
struct Node<'t> {
    kind: NodeKind,
    /// The local name of an element, a raw text, or the name of a reference.
    text: &'t str,
    /// For an element: its tag after the name.
    attributes: &'t str,
    /// Index after the last descendant.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeKind {
    Element,
    Text,
    Reference,
}

impl<'t> Tree<'t> {
    /// Number of nodes read so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.open.clear();
    }

    pub fn open(&mut self, tag: Tag<'t>) {
        self.open.push(self.nodes.len());
        self.push(NodeKind::Element, tag.name, tag.attributes);
    }

    pub fn close(&mut self) {
        let end = self.nodes.len();
        if let Some(node) = self.open.pop().and_then(|at| self.nodes.get_mut(at)) {
            node.end = end;
        }
    }

    pub fn text(&mut self, text: &'t str) {
        self.push(NodeKind::Text, text, "");
    }

    /// Adds a reference by name: `amp`, `#228`.
    pub fn reference(&mut self, name: &'t str) {
        self.push(NodeKind::Reference, name, "");
    }

    fn push(&mut self, kind: NodeKind, text: &'t str, attributes: &'t str) {
        let end = self.nodes.len() + 1;
        self.nodes.push(Node {
            kind,
            text,
            attributes,
            end,
        });
    }

    /// The element of the record, once it is closed.
    pub fn root(&self) -> Option<Element<'_>> {
        (!self.nodes.is_empty()).then_some(Element {
            nodes: &self.nodes,
            at: 0,
        })
    }
}

/// The tag that opens an element.
#[derive(Clone, Copy)]
pub struct Tag<'t> {
    /// Without prefix.
    pub name: &'t str,
    /// As written.
    pub attributes: &'t str,
}

impl<'t> Tag<'t> {
    /// Parses `<name attribute="value">`.
    pub fn new(tag: &'t str) -> Tag<'t> {
        let tag = tag.strip_prefix('<').unwrap_or(tag);
        let tag = tag.strip_suffix('>').unwrap_or(tag);
        let end = tag
            .bytes()
            .position(|byte| byte.is_ascii_whitespace() || byte == b'/');
        let (name, attributes) = tag.split_at(end.unwrap_or(tag.len()));
        Tag {
            name: local(name),
            attributes,
        }
    }
}

/// A name without its namespace prefix.
fn local(name: &str) -> &str {
    let colon = name.bytes().rposition(|byte| byte == b':');
    colon.and_then(|at| name.get(at + 1..)).unwrap_or(name)
}

/// How [`Element::rich`] renders a nested element.
pub enum Markup {
    /// Its content.
    Content,
    /// Its content between these tags.
    Tags(&'static str, &'static str),
    /// Omitted.
    Nothing,
}

impl Markup {
    pub const ITALIC: Markup = Markup::Tags("<i>", "</i>");
    pub const BOLD: Markup = Markup::Tags("<b>", "</b>");
    pub const SUPERSCRIPT: Markup = Markup::Tags("<sup>", "</sup>");
    pub const SUBSCRIPT: Markup = Markup::Tags("<sub>", "</sub>");
    pub const SMALL_CAPS: Markup =
        Markup::Tags("<span style=\"font-variant:small-caps;\">", "</span>");
}

/// A cursor on an element.
#[derive(Clone, Copy)]
pub struct Element<'x> {
    nodes: &'x [Node<'x>],
    at: usize,
}

impl<'x> Element<'x> {
    fn node(self) -> Option<&'x Node<'x>> {
        self.nodes.get(self.at)
    }

    fn end(self) -> usize {
        self.node().map_or(self.at, |node| node.end)
    }

    pub fn name(self) -> &'x str {
        self.node().map_or("", |node| node.text)
    }

    /// The value of an attribute with any prefix; references are resolved and outer white space trimmed. An
    /// empty value counts as absent.
    pub fn attribute(self, name: &str) -> Option<Cow<'x, str>> {
        let mut rest = self.node()?.attributes;
        loop {
            let (key, behind) = rest.split_once('=')?;
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, behind) = behind.get(1..)?.split_once(quote)?;
            if local(key.trim()) == name {
                let value = value.trim();
                let resolved = unescape_with(value, resolve_html5_entity);
                return Some(resolved.unwrap_or(Cow::Borrowed(value)))
                    .filter(|value| !value.is_empty());
            }
            rest = behind;
        }
    }

    /// Whether an attribute has this value, case-insensitively.
    pub fn has(self, attribute: &str, value: &str) -> bool {
        self.attribute(attribute)
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    pub fn children(self) -> impl Iterator<Item = Element<'x>> {
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            while at < self.end() {
                let child = Element {
                    nodes: self.nodes,
                    at,
                };
                at = child.end().max(at + 1);
                if child.node().is_some_and(|n| n.kind == NodeKind::Element) {
                    return Some(child);
                }
            }
            None
        })
    }

    pub fn children_named(self, name: &str) -> impl Iterator<Item = Element<'x>> {
        self.children().filter(move |child| child.name() == name)
    }

    pub fn child(self, name: &str) -> Option<Element<'x>> {
        self.children().find(|child| child.name() == name)
    }

    /// The element at a path of first children.
    pub fn path(self, names: &[&str]) -> Option<Element<'x>> {
        names.iter().try_fold(self, |at, name| at.child(name))
    }

    /// All descendant elements in document order.
    pub fn descendants(self) -> impl Iterator<Item = Element<'x>> {
        let inside = (self.at + 1..self.end()).map(move |at| Element {
            nodes: self.nodes,
            at,
        });
        inside.filter(|e| e.node().is_some_and(|n| n.kind == NodeKind::Element))
    }

    pub fn descendant(self, name: &str) -> Option<Element<'x>> {
        self.descendants().find(|inside| inside.name() == name)
    }

    /// All text content in one line.
    pub fn text(self) -> String {
        self.rich(|_| Markup::Content)
    }

    /// The direct text content with white space preserved.
    pub fn verbatim(self) -> String {
        let inside = self.nodes.get(self.at + 1..self.end()).unwrap_or_default();
        let texts = inside.iter().filter(|node| node.kind == NodeKind::Text);
        texts.map(|node| node.text).collect()
    }

    /// All text content with its lines, each without outer white space.
    pub fn lines(self) -> String {
        let mut text = String::new();
        for node in self.nodes.get(self.at + 1..self.end()).unwrap_or_default() {
            match node.kind {
                NodeKind::Text => text.push_str(node.text),
                NodeKind::Reference if is_break(node.text) => text.push('\n'),
                NodeKind::Reference => push_reference(&mut text, node.text),
                NodeKind::Element => {}
            }
        }
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("\n")
    }

    /// All text content, cut at the line breaks that are written as references, `&#xD;`: other line ends may be those of the
    /// file.
    pub fn parts(self) -> Vec<String> {
        let mut parts = vec![String::new()];
        for node in self.nodes.get(self.at + 1..self.end()).unwrap_or_default() {
            let part = match node.kind {
                NodeKind::Reference if is_break(node.text) => {
                    parts.push(String::new());
                    continue;
                }
                _ => parts.last_mut(),
            };
            match (part, node.kind) {
                (Some(part), NodeKind::Text) => part.push_str(node.text),
                (Some(part), NodeKind::Reference) => push_reference(part, node.text),
                _ => {}
            }
        }
        parts
    }

    /// The text of a child; empty if absent.
    pub fn child_text(self, name: &str) -> String {
        self.child(name).map(Element::text).unwrap_or_default()
    }

    /// The texts of all children of a name.
    pub fn child_texts(self, name: &str) -> Vec<String> {
        self.children_named(name).map(Element::text).collect()
    }

    /// All text content in one line, with the markup supported in items.
    pub fn rich(self, markup: impl Fn(Element<'x>) -> Markup) -> String {
        let mut out = String::new();
        let mut tags: Vec<(usize, &'static str, &'static str)> = Vec::new();
        let end = self.end();
        let mut at = self.at + 1;
        while at <= end {
            while let Some((_, open, close)) = tags.pop_if(|(tag_end, _, _)| *tag_end <= at) {
                match out.strip_suffix(open).map(str::len) {
                    Some(before) => out.truncate(before),
                    None => out.push_str(close),
                }
            }
            let Some(node) = self.nodes.get(at).filter(|_| at < end) else {
                break;
            };
            match node.kind {
                NodeKind::Text => push_spaced(&mut out, node.text),
                NodeKind::Reference => push_reference(&mut out, node.text),
                NodeKind::Element => {
                    let inside = Element {
                        nodes: self.nodes,
                        at,
                    };
                    match markup(inside) {
                        Markup::Content => {}
                        Markup::Tags(open, close) => {
                            out.push_str(open);
                            tags.push((node.end, open, close));
                        }
                        Markup::Nothing => {
                            at = node.end;
                            continue;
                        }
                    }
                }
            }
            at += 1;
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// Whether a reference is a line break.
fn is_break(reference: &str) -> bool {
    matches!(reference, "#10" | "#13" | "#xA" | "#xD")
}

/// Appends a text with white space collapsed and no leading blank.
fn push_spaced(out: &mut String, text: &str) {
    for (at, word) in text.split([' ', '\n', '\t', '\r', '\u{a0}']).enumerate() {
        if at > 0 && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Appends the character of a reference; an unknown one stays as written.
fn push_reference(out: &mut String, name: &str) {
    let numeric = name.strip_prefix('#').map(|digits| {
        let code = match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        };
        code.and_then(char::from_u32)
    });
    let mut buffer = [0; 4];
    let resolved = match numeric {
        Some(character) => character.map(|c| &*c.encode_utf8(&mut buffer)),
        None => resolve_html5_entity(name),
    };
    match resolved {
        Some(text) => push_spaced(out, text),
        None => out.extend(["&", name, ";"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(parts: &[&'static str]) -> Tree<'static> {
        let mut tree = Tree::default();
        for part in parts {
            match (part.strip_prefix('<'), part.strip_prefix('&')) {
                (Some(tag), _) => tree.open(Tag::new(tag)),
                (_, Some(name)) => tree.reference(name),
                _ if part.is_empty() => tree.close(),
                _ => tree.text(part),
            }
        }
        tree
    }

    #[test]
    fn elements_are_found_by_their_local_names() {
        let tree = tree(&[
            "<a",
            "<m:b x:c='1 &lt; 2' d=\"\"",
            "t",
            "",
            "<e/",
            "",
            "<b",
            "u",
            "",
            "",
        ]);
        let root = tree.root().unwrap();
        assert_eq!(
            root.children().map(Element::name).collect::<Vec<_>>(),
            ["b", "e", "b"]
        );
        assert_eq!(root.child_texts("b"), ["t", "u"]);
        let first = root.child("b").unwrap();
        assert_eq!(first.attribute("c").as_deref(), Some("1 < 2"));
        assert_eq!(first.attribute("d"), None);
        assert_eq!(root.path(&["b", "c"]).map(Element::name), None);
    }

    #[test]
    fn lines_are_kept_where_they_are_asked_for() {
        let tree = tree(&[
            "<t",
            " PMID: 1\n  number: 2 ",
            "&#xD",
            "a ",
            "&amp",
            " b",
            "",
        ]);
        let root = tree.root().unwrap();
        assert_eq!(root.lines(), "PMID: 1\nnumber: 2\na & b");
        assert_eq!(root.text(), "PMID: 1 number: 2 a & b");
    }

    #[test]
    fn text_is_one_line_with_markup() {
        let tree = tree(&[
            "<t",
            "  On ",
            "<i",
            "E.\n coli",
            "",
            " of ",
            "&amp",
            "&nobody",
            "&#x3b1",
            "<i",
            "",
            "<x",
            "no",
            "",
            " \t",
            "",
        ]);
        let text = tree.root().unwrap().rich(|inside| match inside.name() {
            "i" => Markup::ITALIC,
            "x" => Markup::Nothing,
            _ => Markup::Content,
        });
        assert_eq!(text, "On <i>E. coli</i> of &&nobody;α");
    }
}
