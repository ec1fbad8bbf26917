//! Plain text: paragraphs parted by blank lines; the list is taken apart by the splitter of pasted lists.

use citation_model::budget::Budget;

use crate::document::{Block, BlockKind, Document, Place, Reference};
use crate::error::DocumentError;
use crate::headings::{follows_list, names_list};
use crate::list;
use crate::shape::{LIKELY, may_be_reference, score};

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
        match (line.is_empty(), blocks.last_mut().filter(|_| is_open)) {
            (true, _) => is_open = false,
            (false, Some(block)) => {
                block.text.push('\n');
                block.text.push_str(line);
            }
            (false, None) => {
                is_open = true;
                blocks.push(Block {
                    kind: match names_list(line) {
                        true => BlockKind::Heading(1),
                        false => BlockKind::Paragraph,
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

/// The lists under headings, or the whole text where it is nothing but a list.
pub(crate) fn references(text: &str, budget: &Budget) -> Result<Vec<Reference>, DocumentError> {
    let lines: Vec<&str> = text.lines().collect();
    let headings: Vec<usize> = (0..lines.len())
        .filter(|n| lines.get(*n).is_some_and(|line| names_list(line)))
        .collect();
    let mut found = Vec::new();
    for (n, heading) in headings.iter().enumerate() {
        let next = headings.get(n + 1).copied().unwrap_or(lines.len());
        let inside = lines.get(heading + 1..next).unwrap_or_default();
        let end = inside
            .iter()
            .position(|line| follows_list(line) || is_markup_heading(line));
        let inside = inside
            .get(..end.unwrap_or(inside.len()))
            .unwrap_or_default();
        found.extend(split(inside, heading + 1, budget)?);
    }
    if found.is_empty() && headings.is_empty() {
        let all = split(&lines, 0, budget)?;
        let like = all
            .iter()
            .filter(|reference| score(&reference.text) >= LIKELY)
            .count();
        // A text without a list has sentences for references.
        if like * 10 >= all.len() * 6 {
            found = all;
        }
    }
    Ok(found)
}

/// `# Appendix`
fn is_markup_heading(line: &str) -> bool {
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

fn split(lines: &[&str], above: usize, budget: &Budget) -> Result<Vec<Reference>, DocumentError> {
    let split = citation_matching::split(&lines.join("\n"), budget)?;
    let mut found = Vec::new();
    for piece in split.pieces {
        if may_be_reference(&piece.text) {
            found.push(Reference {
                doi: list::doi(&piece.text, budget)?,
                text: piece.text,
                place: Place::line(above + piece.place.line),
                ..Reference::default()
            });
        }
    }
    Ok(found)
}
