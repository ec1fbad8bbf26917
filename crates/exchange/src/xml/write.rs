//! Writes a document element by element.

use crate::problem::cut;

/// A document in the making. Elements without content are left out, unless they have attributes.
pub struct Writer {
    out: String,
    open: Vec<&'static str>,
    /// In front of each name: `b:`.
    prefix: &'static str,
}

impl Writer {
    pub fn new() -> Writer {
        Writer::with_prefix("")
    }

    pub fn with_prefix(prefix: &'static str) -> Writer {
        Writer {
            out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            open: Vec::new(),
            prefix,
        }
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// An element with what `content` writes into it; nothing where it writes nothing.
    pub fn element(&mut self, name: &'static str, content: impl FnOnce(&mut Writer)) {
        self.element_with(name, &[], content);
    }

    pub fn element_with(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Writer),
    ) {
        let before = self.out.len();
        self.start(name, attributes);
        let inside = self.out.len();
        self.open.push(name);
        content(self);
        self.open.pop();
        if self.out.len() == inside {
            self.out.truncate(before);
        } else {
            self.indent();
            self.out.extend(["</", self.prefix, name, ">\n"]);
        }
    }

    /// An element of text alone.
    pub fn leaf(&mut self, name: &'static str, text: &str) {
        self.leaf_with(name, &[], text);
    }

    pub fn leaf_with(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.start(name, attributes);
        self.out.pop();
        escape(text, &mut self.out);
        self.out.extend(["</", self.prefix, name, ">\n"]);
    }

    /// The opening tag and a line break.
    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.out.extend(["<", self.prefix, name]);
        for (key, value) in attributes {
            self.out.extend([" ", key, "=\""]);
            escape(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push_str(">\n");
    }

    fn indent(&mut self) {
        self.out.extend(self.open.iter().map(|_| "  "));
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// Appends a text with its markup characters as references. What XML cannot hold is left out.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => {}
        }
    }
}

/// A text of an item without the markup that it may carry.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        rest = match MARKUP.iter().find_map(|tag| behind.strip_prefix(tag)) {
            Some(behind) => behind,
            None => match behind.strip_prefix("span ").and_then(end_of_tag) {
                Some(behind) => behind,
                None => {
                    out.push('<');
                    behind
                }
            },
        };
    }
    out.push_str(rest);
    out
}

/// What stands behind a tag of an honest length.
fn end_of_tag(text: &str) -> Option<&str> {
    let (_, behind) = cut(text, 100).split_once('>')?;
    text.get(cut(text, 100).len() - behind.len()..)
}

const MARKUP: [&str; 9] = [
    "i>", "/i>", "b>", "/b>", "sub>", "/sub>", "sup>", "/sup>", "/span>",
];
