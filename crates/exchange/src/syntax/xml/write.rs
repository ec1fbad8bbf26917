//! Writes a document element by element.

use crate::cost::spend_written;
use citation_fields::clean::cut;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// A document being written. Elements without content are omitted, except the root and required ones.
pub struct Writer {
    out: String,
    open: Vec<&'static str>,
    /// Prefix of each name: `b:`.
    prefix: &'static str,
}

/// The element of a run of text.
pub struct RunElement {
    pub name: &'static str,
    /// The attribute of the face.
    pub attribute: &'static str,
    /// The face of plain text; empty if that has no element.
    pub plain: &'static str,
}

impl Writer {
    /// Writes items while the budget lasts; each with its index from 0.
    pub fn each(
        &mut self,
        items: &[Item],
        budget: &Budget,
        mut one: impl FnMut(usize, &Item, &mut Writer),
    ) -> Result<(), Exceeded> {
        for (at, item) in items.iter().enumerate() {
            let before = self.len();
            one(at, item, self);
            spend_written(budget, self.len() - before)?;
        }
        Ok(())
    }

    /// Writes a document of one element with the items in it.
    pub fn document(
        mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        items: &[Item],
        budget: &Budget,
        one: impl FnMut(usize, &Item, &mut Writer),
    ) -> Result<String, Exceeded> {
        let mut result = Ok(());
        self.element_with(name, attributes, |writer| {
            result = writer.each(items, budget, one);
        });
        result.map(|()| self.finish())
    }

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

    /// Writes an element with the content of `content`; nothing if that is empty.
    pub fn element(&mut self, name: &'static str, content: impl FnOnce(&mut Writer)) {
        self.element_with(name, &[], content);
    }

    pub fn element_with(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Writer),
    ) {
        let is_required = self.open.is_empty();
        self.either(name, attributes, is_required, content);
    }

    /// Writes an element even if `content` writes nothing.
    pub fn required(&mut self, name: &'static str, content: impl FnOnce(&mut Writer)) {
        self.either(name, &[], true, content);
    }

    fn either(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        is_required: bool,
        content: impl FnOnce(&mut Writer),
    ) {
        let before = self.out.len();
        self.start(name, attributes);
        let inside = self.out.len();
        self.open.push(name);
        content(self);
        self.open.pop();
        if self.out.len() == inside && !is_required {
            self.out.truncate(before);
        } else {
            self.indent();
            self.out.extend(["</", self.prefix, name, ">\n"]);
        }
    }

    /// Writes an element with only text.
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

    /// Writes an element with runs of text of one face each, in child elements with the face as attribute. Text
    /// without a face gets `plain`; if that is empty, it has no element.
    pub fn runs(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        child: &RunElement,
        runs: &[(String, String)],
    ) {
        if let [(face, text)] = runs
            && face.is_empty()
        {
            return self.leaf_with(name, attributes, text);
        }
        self.start(name, attributes);
        self.out.pop();
        for (face, text) in runs {
            let face = if face.is_empty() { child.plain } else { face };
            if face.is_empty() {
                escape(text, &mut self.out);
                continue;
            }
            let open = [
                "<",
                self.prefix,
                child.name,
                " ",
                child.attribute,
                "=\"",
                face,
                "\">",
            ];
            self.out.extend(open);
            escape(text, &mut self.out);
            self.out.extend(["</", self.prefix, child.name, ">"]);
        }
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

/// Appends a text with markup characters escaped. Characters that XML excludes are dropped.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Otherwise read as a line feed.
            '\r' => out.push_str("&#xD;"),
            '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => {}
        }
    }
}

/// Escapes markup characters.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

/// The text of an item without its markup.
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

/// The text after a tag of plausible length.
fn end_of_tag(text: &str) -> Option<&str> {
    let (_, behind) = cut(text, 100).split_once('>')?;
    text.get(cut(text, 100).len() - behind.len()..)
}

const MARKUP: [&str; 9] = [
    "i>", "/i>", "b>", "/b>", "sub>", "/sub>", "sup>", "/sup>", "/span>",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_elements_are_left_out_and_signs_escaped() {
        let mut writer = Writer::with_prefix("b:");
        writer.element_with("a", &[("x", "\"1\" < 2")], |writer| {
            writer.element("empty", |writer| writer.leaf("blank", " "));
            writer.leaf("text", "R&D\u{1}\u{fffe} <i>");
        });
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <b:a x=\"&quot;1&quot; &lt; 2\">\n  <b:text>R&amp;D &lt;i&gt;</b:text>\n</b:a>\n";
        assert_eq!(writer.finish(), expected);
    }

    #[test]
    fn markup_goes_and_other_signs_stay() {
        assert_eq!(plain("a <i>b</i> < c<sub>2</sub>"), "a b < c2");
        assert_eq!(plain("<span class=\"nocase\">mRNA</span> <x>"), "mRNA <x>");
        assert_eq!(plain(&"<span ".repeat(3)), "<span <span <span ");
    }
}
