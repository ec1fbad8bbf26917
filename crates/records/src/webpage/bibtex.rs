//! The BibTeX entry of its work that a page shows, read by `exchange`.

use citation_exchange::{BIBTEX, Content};
use citation_model::budget::Budget;

use super::claims::Claims;
use super::page::Page;
use crate::clean;

/// Maximum bytes and lines of an entry.
const BYTES: usize = 8 * 1024;
const LINES: usize = 60;

/// The fields of the only entry of a page. A page with several entries lists other works.
pub(super) fn read(page: &Page) -> Claims {
    let mut starts = page.lines.iter().enumerate().filter_map(|(at, line)| {
        let start = begin(&line.text)?;
        Some((at, start))
    });
    let (Some((line, start)), None) = (starts.next(), starts.next()) else {
        return Claims::default();
    };
    let text = entry(page, line, start);
    let reading = citation_exchange::read(
        &Content::new(text.as_bytes()),
        &BIBTEX,
        &Budget::unlimited(), // the text is short
    );
    match reading.unwrap_or_default().items.as_slice() {
        [read] => {
            let claims = Claims::of_item(&read.item);
            // Braces that protect capitals are no part of a title.
            let title = claims.title.as_deref().map(clean::plain);
            Claims { title, ..claims }
        }
        _ => Claims::default(),
    }
}

/// The position of an entry in a line: `@article{key,`.
fn begin(line: &str) -> Option<usize> {
    let at = line.find('@')?;
    let rest = line.get(at + 1..)?;
    let kind = rest.split('{').next()?;
    let is_kind = |kind: &str| {
        (4..=16).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_entry = rest.len() > kind.len() && is_kind(kind.trim());
    is_entry.then_some(at)
}

/// The text of an entry up to its closing brace; what the page cuts off is closed.
fn entry(page: &Page, line: usize, start: usize) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let lines = page.lines.iter().skip(line).take(LINES);
    for (count, line) in lines.enumerate() {
        let from = if count == 0 { start } else { 0 };
        for c in line.text.get(from..).unwrap_or_default().chars() {
            text.push(c);
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_closed = depth == 0 && c == '}';
            if is_closed || text.len() >= BYTES {
                text.push_str(&"}".repeat(depth.min(8)));
                return text;
            }
        }
        text.push('\n');
    }
    text.push_str(&"}".repeat(depth.min(8)));
    text
}
