//! Citations as notes and inside notes: a note within a note becomes parentheses or follows a comma.

use std::collections::HashMap;

use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use serde_json::{Value, json};

use super::ast;
use crate::format::{SPLIT, keeps_case};

/// The class of a citation that becomes a note.
const NOTE: &str = "csl-note";

/// The class of a citation that begins with a lower-case name.
const KEPT_CASE: &str = "csl-kept-case";

/// How a citation begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct CitationOpening {
    /// With an author named in the text, before the note.
    names_author: bool,
    /// With a name that is written in lower case.
    keeps_case: bool,
}

impl CitationOpening {
    pub fn of(citation: &Citation, items: &HashMap<&str, &Item>) -> CitationOpening {
        let first = citation.cites.first();
        CitationOpening {
            names_author: first.is_some_and(|cite| cite.mode == CiteMode::Composite),
            keeps_case: keeps_case(citation, items),
        }
    }
}

/// The author named in the text, and the note.
pub fn as_note(mut inlines: Vec<Value>, opening: CitationOpening) -> Vec<Value> {
    let mut note = inlines.clone();
    let mut out = Vec::new();
    if opening.names_author {
        let has_split = |inline: &Value| ast::text(std::slice::from_ref(inline)).contains(SPLIT);
        if let Some(at) = inlines.iter().position(has_split) {
            note = inlines.split_off(at);
            out = inlines;
            while out.last().is_some_and(ast::is_space) {
                out.pop();
            }
            if let Some(first) = note.first_mut() {
                drop_split(first);
            }
            note.retain(|inline| *inline != ast::str(""));
        }
    }
    // The delimiter between author and cite is dropped at the start of a note.
    while let Some(first) = note.first_mut() {
        let text = ast::content_text(first).trim_start_matches([',', ';', '.', ':']);
        match ast::name(first) {
            "Str" if text.is_empty() => {}
            "Space" | "SoftBreak" => {}
            "Str" => {
                *first = ast::str(text);
                break;
            }
            _ => break,
        }
        note.remove(0);
    }
    let classes: &[&str] = if opening.keeps_case {
        &[NOTE, KEPT_CASE]
    } else {
        &[NOTE]
    };
    out.push(ast::span(classes, note));
    out
}

fn drop_split(inline: &mut Value) {
    if ast::name(inline) == "Str" {
        *inline = ast::str(ast::content_text(inline).replace(SPLIT, ""));
    } else {
        ast::inlines_mut(inline)
            .into_iter()
            .flatten()
            .for_each(drop_split);
    }
}

/// Unwraps citations that are already in notes, and turns the others into notes.
pub fn settle(document: &mut Value) {
    open_in_notes(document);
    make(document);
}

fn is_note_span(inline: &Value) -> bool {
    ast::name(inline) == "Span" && ast::has_class(inline, NOTE)
}

fn open_in_notes(value: &mut Value) {
    if ast::name(value) == "Note" {
        return open(value);
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(open_in_notes),
        Value::Object(members) => members.values_mut().for_each(open_in_notes),
        _ => {}
    }
}

/// Inserts the citations of one note into its text.
fn open(note: &mut Value) {
    let mut blocks = match note.get_mut("c") {
        Some(blocks) => blocks.take(),
        None => return,
    };
    let first = match blocks.as_array().map(Vec::as_slice) {
        Some([paragraph]) if ast::name(paragraph) == "Para" => ast::inlines(paragraph).first(),
        _ => None,
    };
    // A citation that begins the note is not parenthetical.
    let opening = first
        .filter(|first| ast::name(first) == "Cite" && !names_author(first))
        .cloned();
    ast::each_list(&mut blocks, &mut |list| {
        if list.iter().any(|inline| ast::name(inline) == "Cite") {
            into_text(list);
        }
    });
    if let Some(opening) = opening
        && let Some(first) = blocks
            .get_mut(0)
            .and_then(ast::inlines_mut)
            .and_then(|all| all.first_mut())
    {
        *first = opening;
    }
    ast::each_list(&mut blocks, &mut |list| {
        for inline in list.iter_mut().filter(|inline| is_note_span(inline)) {
            *inline = ast::span(&[], ast::inlines(inline).to_vec());
        }
    });
    if let Some(content) = note.get_mut("c") {
        *content = blocks;
    }
}

fn into_text(list: &mut [Value]) {
    for at in 0..list.len() {
        let (before, behind) = list.split_at_mut(at + 1);
        let Some(cite) = before
            .last_mut()
            .filter(|inline| ast::name(inline) == "Cite")
        else {
            continue;
        };
        let ends_sentence = ends_sentence(behind);
        let by_author = names_author(cite);
        let Some(inlines) = ast::inlines_mut(cite) else {
            continue;
        };
        let parts = std::mem::take(inlines);
        *inlines = if by_author {
            after_commas(parts, ends_sentence)
        } else {
            in_parentheses(parts)
        };
    }
}

/// Whether the text names the author of the citation's first work.
fn names_author(cite: &Value) -> bool {
    let first = ast::part(cite, 0).and_then(|citations| citations.get(0));
    let mode = first.and_then(|citation| citation.get("citationMode"));
    mode.is_some_and(|mode| ast::name(mode) == "AuthorInText")
}

/// Whether the following text begins a sentence.
fn ends_sentence(behind: &[Value]) -> bool {
    match behind.iter().find(|inline| ast::name(inline) != "Space") {
        None => true,
        Some(inline) => {
            ast::name(inline) == "Str" && ast::content_text(inline).starts_with(char::is_uppercase)
        }
    }
}

fn in_parentheses(parts: Vec<Value>) -> Vec<Value> {
    let mut out = Vec::with_capacity(parts.len() + 3);
    for part in parts {
        if !is_note_span(&part) {
            out.push(part);
            continue;
        }
        if !out.is_empty() {
            out.push(ast::space());
        }
        out.push(ast::str("("));
        let mut inner = ast::inlines(&part).to_vec();
        drop_final_stop(&mut inner);
        out.extend(inner);
        out.push(ast::str(")"));
    }
    out
}

fn after_commas(parts: Vec<Value>, ends_sentence: bool) -> Vec<Value> {
    let mut out = Vec::with_capacity(parts.len() + 3);
    for part in parts {
        if !is_note_span(&part) || ast::inlines(&part).is_empty() {
            out.push(part);
            continue;
        }
        if !out.is_empty() {
            out.extend([ast::str(","), ast::space()]);
        }
        let mut inner = ast::inlines(&part).to_vec();
        if !ends_sentence {
            drop_final_stop(&mut inner);
        }
        out.extend(inner);
    }
    out
}

/// Removes a full stop at the end, also inside emphasis or before a closing quotation mark.
fn drop_final_stop(inlines: &mut [Value]) {
    let Some(last) = inlines.last_mut() else {
        return;
    };
    match ast::name(last) {
        "Span" | "Emph" | "Strong" | "SmallCaps" | "Link" => {
            if let Some(inner) = ast::inlines_mut(last) {
                drop_final_stop(inner);
            }
        }
        "Str" => {
            let text = ast::content_text(last);
            let closing = text
                .chars()
                .next_back()
                .filter(|c| matches!(c, '”' | '’' | '»'));
            let bare = text.strip_suffix(['”', '’', '»']).unwrap_or(text);
            if let Some(bare) = bare.strip_suffix('.') {
                let closing = closing.map(String::from).unwrap_or_default();
                *last = ast::str(format!("{bare}{closing}"));
            }
        }
        _ => {}
    }
}

/// Turns marked citations into notes.
fn make(document: &mut Value) {
    ast::each_list(document, &mut |list| {
        for inline in list.iter_mut().filter(|inline| is_note_span(inline)) {
            let mut inner = ast::inlines(inline).to_vec();
            if !ast::has_class(inline, KEPT_CASE) {
                capitalize(&mut inner);
            }
            *inline = json!({"t": "Note", "c": [ast::element("Para", inner)]});
        }
    });
}

/// Capitalises the first letter.
fn capitalize(inlines: &mut [Value]) {
    let Some(first) = inlines.first_mut() else {
        return;
    };
    if ast::name(first) == "Str" {
        let text = ast::content_text(first);
        let mut chars = text.chars();
        if let Some(c) = chars.next().filter(|c| c.is_lowercase()) {
            let capital: String = c.to_uppercase().collect();
            *first = ast::str(format!("{capital}{}", chars.as_str()));
        }
    } else if let Some(inner) = ast::inlines_mut(first) {
        capitalize(inner);
    }
}
