//! Reads the first document of a YAML text as a tree. Depth, aliases and merged mappings are bounded, so
//! time and memory are linear in the text.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use citation_fields::notice::Notice;
use citation_model::budget::{Budget, Exceeded};

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Byte offset of its first line.
    pub offset: usize,
    pub value: Value,
}

/// Numbers and booleans stay text: `1.10` is a version and `007` an issue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Text(String),
    List(Vec<Node>),
    /// In file order.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The member of a mapping.
    pub fn get(&self, name: &str) -> Option<&Node> {
        let found = self.members().iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value)
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a member of a mapping.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// The members of a mapping; empty for other values.
    pub fn members(&self) -> &[(String, Node)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// The values of a list; another value is a list of one, and null an empty list.
    pub fn values(&self) -> &[Node] {
        match &self.value {
            Value::List(values) => values,
            Value::Null => &[],
            _ => std::slice::from_ref(self),
        }
    }

    pub fn is_map(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }
}

/// Reads the first document of a text; null if there is none. Continuation lines of quoted texts that
/// start at the margin are indented first, because most YAML readers accept them.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Result<Node, Notice>, Exceeded> {
    budget.spend_bytes(text.len())?;
    let lines = line_starts(text);
    let read = document(text, &lines, budget)?;
    match read {
        Err(notice) if notice.message.contains(BAD_INDENT) => {
            Ok(document(&indented(text), &lines, budget)?.map_err(|_| notice))
        }
        read => Ok(read),
    }
}

/// The parser's message for such texts.
const BAD_INDENT: &str = "invalid indentation in quoted scalar";

/// Reads a document whose lines begin at these offsets.
fn document(
    text: &str,
    lines: &[usize],
    budget: &Budget,
) -> Result<Result<Node, Notice>, Exceeded> {
    let mut builder = Builder {
        lines,
        open: Vec::new(),
        anchors: HashMap::new(),
        copies_left: MAX_COPIED_TIMES.saturating_mul(text.len()) + MAX_COPIED,
        root: None,
    };
    for event in Parser::new_from_str(text) {
        budget.spend(STEPS_OF_EVENT)?;
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                let offset = builder.offset(error.marker().line());
                let message = format!("The YAML cannot be read: {}.", error.info());
                return Ok(Err(Notice::new("invalid_yaml", message, offset)));
            }
        };
        if matches!(event.0, Event::DocumentEnd) {
            break;
        }
        if let Err(notice) = builder.event(event) {
            return Ok(Err(notice));
        }
    }
    Ok(Ok(builder.root.unwrap_or(Node {
        offset: 0,
        value: Value::Null,
    })))
}

fn line_starts(text: &str) -> Vec<usize> {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes());
    [0].into_iter().chain(breaks.map(|at| at + 1)).collect()
}

/// Indents every line that begins inside double quotes. A quote opens where a value begins.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let value = line.split_once(": ").map_or(line, |(_, value)| value);
        let value = value.trim_start_matches([' ', '-']);
        let quoted = if inside {
            Some(line)
        } else {
            value.strip_prefix('"')
        };
        if inside {
            out.push_str(DEEP);
        }
        out.push_str(line);
        inside = quoted.is_some_and(is_left_open);
    }
    out
}

/// More blanks than the indentation of any real file.
const DEEP: &str = "                                                                ";

/// Whether a line inside double quotes does not close them.
fn is_left_open(line: &str) -> bool {
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return false,
            _ => {}
        }
    }
    true
}

/// An event costs about 300 ns.
const STEPS_OF_EVENT: u64 = 4;
/// Maximum nesting of lists and mappings.
const MAX_DEPTH: usize = 64;
/// Maximum bytes that aliases may copy: this many, and this multiple of the text.
const MAX_COPIED: usize = 64 * 1024;
const MAX_COPIED_TIMES: usize = 16;

struct Builder<'t> {
    lines: &'t [usize],
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    copies_left: usize,
    root: Option<Node>,
}

/// An open list or mapping.
struct Open {
    offset: usize,
    anchor: usize,
    content: Children,
}

enum Children {
    List(Vec<Node>),
    Map {
        members: Vec<(String, Node)>,
        key: Option<String>,
    },
}

impl Builder<'_> {
    fn event(&mut self, (event, span): (Event<'_>, Span)) -> Result<(), Notice> {
        let offset = self.offset(span.start.line());
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let is_null = style == ScalarStyle::Plain
                    && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                let value = if is_null {
                    Value::Null
                } else {
                    Value::Text(text.into_owned())
                };
                self.close(Node { offset, value }, anchor)
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    // An alias inside its own anchor.
                    return self.close(
                        Node {
                            offset,
                            value: Value::Null,
                        },
                        0,
                    );
                };
                let size = size(node);
                if size > self.copies_left {
                    let message = "The aliases (`*name`) of the YAML stand for too much text.";
                    return Err(refused("too_many_aliases", message, offset));
                }
                self.copies_left -= size;
                let node = node.clone();
                self.close(node, 0)
            }
            Event::SequenceStart(anchor, _) => {
                self.open(offset, anchor, Children::List(Vec::new()))
            }
            Event::MappingStart(anchor, _) => {
                let content = Children::Map {
                    members: Vec::new(),
                    key: None,
                };
                self.open(offset, anchor, content)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else {
                    return Ok(());
                };
                let value = match open.content {
                    Children::List(values) => Value::List(values),
                    Children::Map { members, .. } => Value::Map(merged(members)),
                };
                self.close(
                    Node {
                        offset: open.offset,
                        value,
                    },
                    open.anchor,
                )
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, offset: usize, anchor: usize, content: Children) -> Result<(), Notice> {
        if self.open.len() == MAX_DEPTH {
            return Err(refused("too_deep", "The YAML nests too deeply.", offset));
        }
        self.open.push(Open {
            offset,
            anchor,
            content,
        });
        Ok(())
    }

    /// Adds a complete value to the enclosing one.
    fn close(&mut self, node: Node, anchor: usize) -> Result<(), Notice> {
        if anchor > 0 {
            let size = size(&node);
            if size > self.copies_left {
                let message = "The anchors (`&name`) of the YAML hold too much text.";
                return Err(refused("too_many_aliases", message, node.offset));
            }
            self.copies_left -= size;
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Children::List(values)) => values.push(node),
            Some(Children::Map { members, key }) => match key.take() {
                Some(key) => members.push((key, node)),
                // A list or mapping as a key is not supported; its value is dropped.
                None => *key = Some(key_of(node)),
            },
        }
        Ok(())
    }

    /// The offset of a line.
    fn offset(&self, line: usize) -> usize {
        let line = self.lines.get(line.saturating_sub(1)).or(self.lines.last());
        line.copied().unwrap_or_default()
    }
}

fn refused(code: &'static str, message: &str, offset: usize) -> Notice {
    Notice::new(code, message, offset)
}

fn key_of(node: Node) -> String {
    match node.value {
        Value::Text(text) => text,
        _ => String::new(),
    }
}

/// The bytes that a copy of a value takes.
fn size(node: &Node) -> usize {
    let own = size_of::<Node>();
    own + match &node.value {
        Value::Null => 0,
        Value::Text(text) => text.len(),
        Value::List(values) => values.iter().map(size).sum(),
        Value::Map(members) => {
            let member =
                |(key, value): &(String, Node)| size_of::<String>() + key.len() + size(value);
            members.iter().map(member).sum()
        }
    }
}

/// The members with those merged by `<<`, unless overridden.
fn merged(members: Vec<(String, Node)>) -> Vec<(String, Node)> {
    if !members.iter().any(|(key, _)| key == "<<") {
        return members;
    }
    let (others, mut own): (Vec<_>, Vec<_>) = members.into_iter().partition(|(key, _)| key == "<<");
    let mut names: HashSet<String> = own.iter().map(|(key, _)| key.clone()).collect();
    let maps = others.into_iter().flat_map(|(_, node)| match node.value {
        Value::List(values) => values,
        _ => vec![node],
    });
    for map in maps {
        if let Value::Map(members) = map.value {
            own.extend(
                members
                    .into_iter()
                    .filter(|(key, _)| names.insert(key.clone())),
            );
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Node, Notice> {
        read(text, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn scalars_stay_as_they_stand() {
        let root =
            tree("---\nv: 1.10\nn: 007\nempty:\nq: ''\nb: >-\n  a\n  b\n...\nx: y\n").unwrap();
        assert_eq!(root.text_of("v"), Some("1.10"));
        assert_eq!(root.text_of("n"), Some("007"));
        assert_eq!(root.text_of("empty"), None);
        assert_eq!(root.text_of("q"), Some(""));
        assert_eq!(root.text_of("b"), Some("a b"));
        assert_eq!(root.get("x"), None);
    }

    #[test]
    fn offsets_are_those_of_lines() {
        let root = tree("ä: é\nb: [c,\n  d]\n").unwrap();
        let list = root.get("b").unwrap();
        assert_eq!((list.offset, list.values()[1].offset), (7, 14));
    }

    #[test]
    fn quoted_texts_may_go_on_at_the_margin() {
        let root = tree("- a: \"b\n  c\n\\\"d\"\n  e: f\n").unwrap();
        assert_eq!(root.values()[0].text_of("a"), Some("b c \"d"));
        assert_eq!(root.values()[0].text_of("e"), Some("f"));
    }

    #[test]
    fn aliases_and_merges_are_copied() {
        let root = tree("a: &x {b: 1, c: 2}\nd: *x\ne: {<<: *x, b: 3}\n").unwrap();
        assert_eq!(root.get("d").unwrap().text_of("c"), Some("2"));
        let merged = root.get("e").unwrap();
        assert_eq!(
            (merged.text_of("b"), merged.text_of("c")),
            (Some("3"), Some("2"))
        );
    }

    #[test]
    fn hostile_texts_are_refused() {
        let code = |text: &str| tree(text).unwrap_err().code;
        assert_eq!(code(&"- ".repeat(1000)), "too_deep");
        assert_eq!(code(&"[".repeat(100_000)), "invalid_yaml");
        assert_eq!(code("a: [b"), "invalid_yaml");
        assert_eq!(code("\"\\x"), "invalid_yaml");
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level}: &a{level} [{before}]\n"));
        }
        assert_eq!(code(&bomb), "too_many_aliases");
        assert!(tree("a: &a [*a]").is_ok());
    }

    #[test]
    fn work_is_linear() {
        let steps = |count: usize| {
            let budget = Budget::unlimited();
            let text = "- {a: &x b, c: *x}\n".repeat(count);
            read(&text, &budget).unwrap().unwrap();
            budget.steps()
        };
        assert!(steps(1000) <= 11 * steps(100));
    }
}
