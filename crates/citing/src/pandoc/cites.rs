//! The citations of a document, as the processor takes them.

use std::collections::HashMap;

use citation_csl::{Class, Compiled};
use citation_documents::Labels;
use citation_model::cite::{Citation, Cite, CiteMode};
use serde_json::Value;

use super::markup::Kept;
use super::{ast, locators};

/// The citations of metadata and text in reading order.
pub fn citations(
    meta: &Value,
    blocks: Option<&Value>,
    compiled: &Compiled,
    kept: &mut Kept,
) -> Vec<Citation> {
    let labels = locators::labels(compiled);
    let is_note_style = compiled.style().options.class == Class::Note;
    let mut out: Vec<Citation> = Vec::new();
    let mut visit = |cite: &Value, resets: bool| {
        if has_cites(cite) {
            let mut citation = citation(cite, &labels, kept);
            citation.resets_positions = resets;
            if !is_note_style {
                citation.note_number = 0;
            }
            out.push(citation);
        }
    };
    ast::each_cite(meta, &mut |cite| visit(cite, false));
    let mut resets = false;
    for block in ast::list(blocks) {
        if ast::name(block) == "Header" && ast::has_class(block, "reset-citation-positions") {
            resets = true;
        }
        ast::each_cite(block, &mut |cite| visit(cite, std::mem::take(&mut resets)));
    }
    out
}

pub fn citation_keys(cite: &Value) -> impl Iterator<Item = &str> {
    let citations = ast::list(ast::part(cite, 0)).iter();
    citations.filter_map(|citation| citation.get("citationId")?.as_str())
}

/// `@*` is not a work.
pub fn has_cites(cite: &Value) -> bool {
    citation_keys(cite).any(|key| key != "*")
}

fn citation(cite: &Value, labels: &Labels, kept: &mut Kept) -> Citation {
    let mut out = Citation::default();
    for pandoc in ast::list(ast::part(cite, 0)) {
        let member = |name: &str| pandoc.get(name);
        let key = member("citationId")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if key == "*" {
            continue;
        }
        let mode = member("citationMode").map(ast::name).unwrap_or_default();
        let note = member("citationNoteNum")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        if out.cites.is_empty() {
            out.note_number = u32::try_from(note).unwrap_or(u32::MAX);
        }
        let mut cite = Cite {
            id: key.to_owned(),
            prefix: kept.markup(ast::list(member("citationPrefix"))),
            mode: match mode {
                "AuthorInText" => CiteMode::Composite,
                "SuppressAuthor" => CiteMode::SuppressAuthor,
                _ => CiteMode::Normal,
            },
            ..Cite::default()
        };
        if !cite.prefix.is_empty() {
            cite.prefix.push(' ');
        }
        let suffix = kept.markup(ast::list(member("citationSuffix")));
        if !suffix.is_empty() {
            labels.add(&mut cite, &suffix);
        }
        out.cites.push(cite);
    }
    out
}

/// With work ids instead of keys.
pub fn resolved(mut citation: Citation, ids: &HashMap<String, String>) -> Citation {
    for cite in &mut citation.cites {
        if let Some(id) = ids.get(&cite.id) {
            cite.id.clone_from(id);
        }
    }
    citation
}
