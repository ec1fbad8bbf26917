//! Moves notes after the following punctuation and removes the space before a note.

use serde_json::Value;

use super::ast;

/// How punctuation around citations is handled.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether notes go after punctuation.
    pub moves_notes: bool,
    /// Whether full stops and commas go inside quotation marks.
    pub in_quotes: bool,
}

pub fn settle(document: &mut Value, rules: Rules) {
    ast::each_list(document, &mut |list| {
        if list.iter().any(|inline| ast::name(inline) == "Cite") {
            *list = settled(std::mem::take(list), rules);
        }
    });
}

fn settled(list: Vec<Value>, rules: Rules) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::with_capacity(list.len());
    let mut rest: std::collections::VecDeque<Value> = list.into();
    while let Some(mut inline) = rest.pop_front() {
        if ast::name(&inline) != "Cite" {
            out.push(inline);
            continue;
        }
        let shown = ast::inlines(&inline);
        let is_note_alone = matches!(shown, [only] if is_note(only));
        let ends_in_note = shown.last().is_some_and(is_note);
        let has_blank = out.len() > 1 && out.last().is_some_and(ast::is_space);
        if is_note_alone && has_blank {
            out.pop();
            let marks = leading_marks(&rest);
            if rules.moves_notes && !marks.is_empty() {
                drop_leading(&mut rest, marks.chars().count());
                push_marks(&mut out, marks, rules);
            }
            out.push(inline);
            continue;
        }
        if ends_in_note && rules.moves_notes && starts_with_mark(&rest) {
            let marks = leading_marks(&rest);
            drop_leading(&mut rest, marks.chars().count());
            if let Some(shown) = ast::inlines_mut(&mut inline)
                && let Some(note) = shown.pop()
            {
                if !ends_with_mark(shown) {
                    push_marks(shown, marks, rules);
                }
                shown.push(note);
            }
            out.push(inline);
            continue;
        }
        if ast::text(shown).ends_with('.')
            && rest.front().is_some_and(|next| *next == ast::str("."))
        {
            rest.pop_front();
        }
        out.push(inline);
    }
    out
}

/// Superscript numbers are moved like notes.
fn is_note(inline: &Value) -> bool {
    matches!(ast::name(inline), "Note" | "Superscript")
}

/// Dashes stay where they are.
fn is_mark(c: char) -> bool {
    match c {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' | '—' | '–' => false,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' => true,
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '、' | '。' | '」' | '』' => true,
        _ => c.is_ascii_punctuation(),
    }
}

fn leading_text(rest: &std::collections::VecDeque<Value>) -> String {
    let mut text = String::new();
    for inline in rest {
        text.push_str(&ast::text(std::slice::from_ref(inline)));
        if !text.chars().all(is_mark) {
            break;
        }
    }
    text
}

fn leading_marks(rest: &std::collections::VecDeque<Value>) -> String {
    leading_text(rest)
        .chars()
        .take_while(|c| is_mark(*c))
        .collect()
}

fn starts_with_mark(rest: &std::collections::VecDeque<Value>) -> bool {
    leading_text(rest).starts_with(['.', ',', ';', ':', '!', '?'])
}

/// Whether a text ends with `.` or a similar mark, or with such a mark in brackets or quotation marks.
fn ends_with_mark(inlines: &[Value]) -> bool {
    let text = ast::text(inlines);
    let is_end = |c: char| ".,;:!?".contains(c);
    let mut chars = text.chars().rev();
    match (chars.next(), chars.next()) {
        (Some(last), Some(before)) => is_end(last) || is_mark(last) && is_end(before),
        (Some(last), None) => is_end(last),
        (None, _) => !inlines.is_empty(),
    }
}

/// Adds marks; the first goes inside a closing quotation mark if it belongs there.
fn push_marks(out: &mut Vec<Value>, mut marks: String, rules: Rules) {
    if rules.in_quotes
        && marks.starts_with(['.', ','])
        && let Some(last) = out.last_mut().filter(|last| is_quotation(last))
        && let Some(inner) = ast::inlines_mut(last)
    {
        let first = marks.remove(0);
        if !ends_with_mark(inner) {
            inner.push(ast::str(first));
        }
    }
    if !marks.is_empty() {
        out.push(ast::str(marks));
    }
}

fn is_quotation(inline: &Value) -> bool {
    ast::name(inline) == "Quoted" || ast::has_class(inline, "csl-quoted")
}

/// Removes letters from the start.
fn drop_leading(rest: &mut std::collections::VecDeque<Value>, mut count: usize) {
    while count > 0
        && let Some(first) = rest.front_mut()
    {
        let length = ast::text(std::slice::from_ref(first)).chars().count();
        if length <= count {
            count -= length;
            rest.pop_front();
            continue;
        }
        if ast::name(first) == "Str" {
            let left: String = ast::content_text(first).chars().skip(count).collect();
            *first = ast::str(left);
        }
        return;
    }
}
