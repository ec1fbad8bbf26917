//! Writes the formatted citations into a document.

use citation_csl::Compiled;
use serde_json::{Value, json};

use super::ast;
use super::cites::has_cites;
use super::markup::Kept;
use super::notes::{CitationOpening, as_note};
use crate::format::FormattedCitation;

/// Writes citations in the order in which they were read.
pub struct CitationWriter<'a> {
    pub compiled: &'a Compiled,
    pub kept: &'a Kept,
    pub has_links: bool,
    pub citations: std::slice::Iter<'a, FormattedCitation>,
    /// One for each citation that becomes a note; empty for styles without notes.
    pub openings: std::vec::IntoIter<CitationOpening>,
}

impl CitationWriter<'_> {
    pub fn write(&mut self, cite: &mut Value) {
        if !has_cites(cite) {
            return;
        }
        let Some(formatted) = self.citations.next() else {
            return;
        };
        let mut inlines = self.inlines(formatted, cite);
        if let Some(opening) = self.openings.next() {
            inlines = as_note(inlines, opening);
        }
        if let Some(content) = ast::part_mut(cite, 1) {
            *content = Value::Array(inlines);
        }
    }

    fn inlines(&self, formatted: &FormattedCitation, cite: &Value) -> Vec<Value> {
        let rich = match formatted {
            FormattedCitation::Known(rich) => rich,
            FormattedCitation::Unknown(_) => return unknown(cite, self.compiled, self.has_links),
        };
        self.kept.inlines(rich)
    }
}

/// `(see **key?**, p. 3)`, with the text around each key unchanged
fn unknown(cite: &Value, compiled: &Compiled, has_links: bool) -> Vec<Value> {
    let [prefix, delimiter, suffix] = compiled.citation_affixes();
    let mut out = Vec::new();
    if !prefix.is_empty() {
        out.push(ast::str(prefix));
    }
    for (at, pandoc) in ast::list(ast::part(cite, 0)).iter().enumerate() {
        let key = pandoc.get("citationId").and_then(Value::as_str);
        let key = key.unwrap_or_default();
        if at > 0 {
            let mark = delimiter.trim_end();
            out.push(ast::str(mark));
            if mark.len() < delimiter.len() {
                out.push(ast::space());
            }
        }
        let before = ast::list(pandoc.get("citationPrefix"));
        push_all(&mut out, before);
        out.extend((!before.is_empty()).then(ast::space));
        let key_shown = ast::element("Strong", vec![ast::str(format!("{key}?"))]);
        out.push(if has_links { json!({"t": "Link", "c": [ast::attributes("", &[]), [key_shown], [format!("#ref-{key}"), ""]]}) } else { key_shown });
        push_all(&mut out, ast::list(pandoc.get("citationSuffix")));
    }
    // No full stop after the question mark.
    let suffix = suffix.strip_prefix('.').unwrap_or(suffix);
    if !suffix.is_empty() {
        push_all(&mut out, &[ast::str(suffix)]);
    }
    out
}

/// Adds inlines; the first may continue the last word.
fn push_all(out: &mut Vec<Value>, inlines: &[Value]) {
    let Some((first, rest)) = inlines.split_first() else {
        return;
    };
    match out.last_mut() {
        Some(last) if ast::name(last) == "Str" && ast::name(first) == "Str" => {
            *last = ast::str(format!(
                "{}{}",
                ast::content_text(last),
                ast::content_text(first)
            ));
        }
        _ => out.push(first.clone()),
    }
    out.extend_from_slice(rest);
}
