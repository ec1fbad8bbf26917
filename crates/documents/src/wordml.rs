//! Writes WordprocessingML: runs of text and their formatting.

use citation_model::budget::Budget;
use citation_model::lists::words;
use quick_xml::escape::escape;

use crate::error::DocumentError;
use crate::xml::{Node, Xml};

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
/// The namespace of ISO's strict form.
pub(crate) const STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";

/// A text with uniform formatting. Tabs and line feeds become Word's elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRun {
    pub text: String,
    pub style: TextStyle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    pub is_italic: bool,
    pub is_bold: bool,
    pub is_small_caps: bool,
    pub is_underlined: bool,
    pub height: Height,
}

/// Vertical position of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Height {
    #[default]
    Baseline,
    Superscript,
    Subscript,
}

/// The run properties that define the formatting.
const LOOKS: [&str; 7] = ["b", "bCs", "i", "iCs", "smallCaps", "u", "vertAlign"];

/// The order of run properties in Word's schema.
const ORDER: [&str; 25] = words(
    "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike noProof vanish color spacing w kern \
     position sz szCs highlight u shd vertAlign rtl lang",
);

/// How a part writes the elements of Word.
pub(crate) struct Markup {
    /// The prefix of Word elements, including the colon.
    pub prefix: String,
    pub namespace: String,
}

impl Markup {
    pub fn of(text: &str) -> Result<Markup, DocumentError> {
        let mut xml = Xml::new(text, "the text");
        let mut markup = Markup {
            prefix: String::new(),
            namespace: WORD.to_owned(),
        };
        while let Some(node) = xml.next()? {
            let Node::Open(element) = node else { continue };
            let tag = text.get(xml.place()).unwrap_or_default();
            let name = tag.trim_start_matches('<');
            let prefix = name.split(':').next().filter(|_| name.contains(':'));
            let prefix = prefix.filter(|prefix| prefix.chars().all(char::is_alphanumeric));
            if let Some(namespace) = element.attribute(prefix.unwrap_or("xmlns")) {
                markup.namespace = namespace;
            }
            markup.prefix = prefix
                .map(|prefix| format!("{prefix}:"))
                .unwrap_or_default();
            break;
        }
        Ok(markup)
    }

    /// Runs with their formatting and the common `properties`.
    pub fn runs(&self, properties: &str, runs: &[TextRun]) -> String {
        let w = &self.prefix;
        let mut out = String::new();
        for run in runs.iter().filter(|run| !run.text.is_empty()) {
            let properties = self.properties(properties, run.style);
            out.push_str(&format!("<{w}r>{properties}"));
            for (n, line) in run.text.split('\n').enumerate() {
                out.push_str(&if n > 0 {
                    format!("<{w}br/>")
                } else {
                    String::new()
                });
                for (n, text) in line.split('\t').enumerate() {
                    out.push_str(&if n > 0 {
                        format!("<{w}tab/>")
                    } else {
                        String::new()
                    });
                    out.push_str(&self.text(text));
                }
            }
            out.push_str(&format!("</{w}r>"));
        }
        out
    }

    /// The element of a text; empty for an empty text.
    pub fn text(&self, text: &str) -> String {
        let w = &self.prefix;
        if text.is_empty() {
            String::new()
        } else {
            format!("<{w}t xml:space=\"preserve\">{}</{w}t>", escape(text))
        }
    }

    /// The element of a field's code.
    pub fn instruction(&self, code: &str) -> String {
        let w = &self.prefix;
        let code = escape(code);
        format!("<{w}instrText xml:space=\"preserve\">{code}</{w}instrText>")
    }

    /// The properties of a run without formatting.
    pub fn plain(&self, properties: &str) -> String {
        self.joined(children(properties, |name| !LOOKS.contains(&name)))
    }

    fn properties(&self, properties: &str, style: TextStyle) -> String {
        let w = &self.prefix;
        let mut new: Vec<(&str, String)> = Vec::new();
        let mut add = |is_set: bool, names: &[&'static str], value: &str| {
            let element = |name: &&'static str| (*name, format!("<{w}{name}{value}/>"));
            new.extend(names.iter().filter(|_| is_set).map(element));
        };
        let value = |value: &str| format!(" {w}val=\"{value}\"");
        add(style.is_bold, &["b", "bCs"], "");
        add(style.is_italic, &["i", "iCs"], "");
        add(style.is_small_caps, &["smallCaps"], "");
        add(style.is_underlined, &["u"], &value("single"));
        let is_raised = style.height == Height::Superscript;
        add(is_raised, &["vertAlign"], &value("superscript"));
        let is_lowered = style.height == Height::Subscript;
        add(is_lowered, &["vertAlign"], &value("subscript"));
        if new.is_empty() {
            return properties.to_owned();
        }
        let is_kept = |name: &str| new.iter().all(|(other, _)| *other != name);
        let mut all = children(properties, is_kept);
        all.extend(new.into_iter().map(|(name, text)| (name.to_owned(), text)));
        self.joined(all)
    }

    fn joined(&self, mut properties: Vec<(String, String)>) -> String {
        let w = &self.prefix;
        let place = |name: &str| ORDER.iter().position(|known| *known == name);
        properties.sort_by_key(|(name, _)| place(name).unwrap_or(ORDER.len()));
        let inside: String = properties.into_iter().map(|(_, text)| text).collect();
        if inside.is_empty() {
            String::new()
        } else {
            format!("<{w}rPr>{inside}</{w}rPr>")
        }
    }
}

/// The selected children of an element, by name.
fn children(element: &str, is_kept: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut xml = Xml::new(element, "the properties of a run");
    let mut is_inside = false;
    while let Ok(Some(node)) = xml.next() {
        let Node::Open(child) = node else { continue };
        if !std::mem::replace(&mut is_inside, true) {
            continue;
        }
        let start = xml.place().start;
        if xml.skip().is_err() {
            break;
        }
        if let Some(text) = element
            .get(start..xml.place().end)
            .filter(|_| is_kept(&child.name))
        {
            found.push((child.name, text.to_owned()));
        }
    }
    found
}

/// Checks that a text is well-formed XML.
pub(crate) fn check(text: &str, what: &str, budget: &Budget) -> Result<(), DocumentError> {
    budget.spend(text.len() as u64 / 8)?;
    let mut xml = Xml::new(text, what);
    while xml.next()?.is_some() {}
    Ok(())
}
