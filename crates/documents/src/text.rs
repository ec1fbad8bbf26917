//! Plain text: paragraphs separated by blank lines; the splitter for pasted lists splits the list.

use citation_model::budget::Budget;

use crate::document::{Block, BlockKind, Document, ListedReference, Place};
use crate::error::DocumentError;
use crate::headings::{follows_list, names_list};
use crate::list;
use crate::shape::{LIKELY, may_be_reference, score};

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "References\n",
    "[1] ",
    "1. ",
    "Doe, J. (2001). ",
    "(Doe 2001)",
    "A title. ",
    "Journal 1(2), 3-4.",
    "10.1000/",
    "https://doi.org/",
    "(",
    "[",
    "]",
    "et al., ",
    "@doi:10.1000/a",
    "[@",
    "\n",
    "\n\n",
    "- ",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    if !citation_exchange::is_text(&text) {
        return Err(DocumentError::broken("the file", "it is no text"));
    }
    Ok(Document {
        references: references(&text, budget)?,
        blocks: paragraphs(&text),
        ..Document::default()
    })
}

pub(crate) fn paragraphs(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        // There may be no blank line before or after the heading of the list.
        let is_heading = names_list(line);
        is_open &= !is_heading;
        match (line.is_empty(), blocks.last_mut().filter(|_| is_open)) {
            (true, _) => is_open = false,
            (false, Some(block)) => {
                block.text.push('\n');
                block.text.push_str(line);
            }
            (false, None) => {
                is_open = !is_heading;
                blocks.push(Block {
                    kind: if is_heading {
                        BlockKind::Heading(1)
                    } else {
                        BlockKind::Paragraph
                    },
                    text: line.to_owned(),
                    place: Place::line(n + 1),
                    ..Block::default()
                });
            }
        }
    }
    blocks
}

/// The lists under headings, or the whole text if it is only a list.
pub(crate) fn references(
    text: &str,
    budget: &Budget,
) -> Result<Vec<ListedReference>, DocumentError> {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = paragraphs(text);
    let mut regions = list::under_headings(&blocks);
    if regions.is_empty() {
        regions.extend(list::plain_run(&blocks));
    }
    let mut found = Vec::new();
    for region in regions {
        let inside = blocks.get(region).unwrap_or_default();
        let kept = list::count_before_notes(inside.iter().map(|block| block.text.as_str()));
        let inside = inside.get(..kept).unwrap_or_default();
        let first = inside.first().and_then(|block| block.place.line);
        let end = inside.last().and_then(|block| {
            let height = block.text.lines().count();
            block.place.line.map(|line| line + height)
        });
        let (Some(first), Some(end)) = (first, end) else {
            continue;
        };
        let inside = lines.get(first - 1..end - 1).unwrap_or_default();
        let behind = inside.iter().position(|line| follows_list(line));
        let inside = inside.get(..behind.unwrap_or(inside.len()));
        found.extend(split(inside.unwrap_or_default(), first - 1, budget)?);
    }
    if found.is_empty() {
        let all = split(&lines, 0, budget)?;
        let like = all
            .iter()
            .filter(|reference| score(&reference.text) >= LIKELY)
            .count();
        // Without a list, the parts are sentences.
        if like * 10 >= all.len() * 6 {
            found = all;
        }
    }
    list::keys::separate(&mut found);
    Ok(found)
}

fn split(
    lines: &[&str],
    above: usize,
    budget: &Budget,
) -> Result<Vec<ListedReference>, DocumentError> {
    let split = citation_matching::split(&lines.join("\n"), budget)?;
    let mut found = Vec::new();
    let line = |number: usize| {
        lines
            .get(number.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    };
    let numbered = list::numbered(split.pieces.iter().map(|piece| line(piece.place.line)));
    for (n, piece) in split.pieces.into_iter().enumerate() {
        if may_be_reference(&piece.text) || numbered.binary_search(&n).is_ok() {
            found.push(ListedReference {
                doi: list::doi(&piece.text, budget)?,
                text: piece.text,
                place: Place::line(above + piece.place.line),
                ..ListedReference::default()
            });
        }
    }
    Ok(found)
}
