//! The paragraphs of a document.

use crate::document::{Block, BlockKind, Place};
use crate::normalize::tidy;

/// Headings, paragraphs and list items as plain text.
pub(super) fn blocks(body: &str, above: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (n, line) in body.lines().enumerate() {
        let line = line.strip_prefix('>').unwrap_or(line);
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(":::") {
            is_open = false;
            continue;
        }
        // An underlined heading.
        if trimmed.len() > 2 && trimmed.chars().all(|c| c == '=' || c == '-') {
            if let Some(block) = blocks.last_mut().filter(|_| is_open) {
                block.kind = BlockKind::Heading(if trimmed.starts_with('=') { 1 } else { 2 });
            }
            is_open = false;
            continue;
        }
        let kind = begun(line).or((!is_open).then_some(BlockKind::Paragraph));
        let text = plain(match kind {
            Some(BlockKind::Heading(_)) => trimmed.trim_matches(['#', ' ']),
            Some(BlockKind::ListItem) => trimmed.trim_start_matches(['-', '*', '+']).trim_start(),
            Some(BlockKind::Note) => trimmed
                .split_once("]:")
                .map_or(trimmed, |(_, text)| text.trim()),
            _ => trimmed,
        });
        match (kind, blocks.last_mut()) {
            (None, Some(block)) => {
                let is_broken = block.text.ends_with('\n');
                block.text.push_str(if is_broken { "" } else { " " });
                block.text.push_str(&text);
            }
            (kind, _) => blocks.push(Block {
                kind: kind.unwrap_or_default(),
                text,
                place: Place::line(above + n + 1),
                ..Block::default()
            }),
        }
        if (trimmed.ends_with('\\') || line.ends_with("  "))
            && let Some(block) = blocks.last_mut()
        {
            block.text.push('\n');
        }
        is_open = !matches!(kind, Some(BlockKind::Heading(_)));
    }
    for block in &mut blocks {
        block.text = tidy(&block.text);
    }
    blocks
}

/// The kind of block that a line begins, even within a paragraph.
fn begun(line: &str) -> Option<BlockKind> {
    let trimmed = line.trim();
    let level = trimmed.len() - trimmed.trim_start_matches('#').len();
    match () {
        () if (1..=6).contains(&level)
            && trimmed.get(level..).is_some_and(|t| t.starts_with(' ')) =>
        {
            Some(BlockKind::Heading(level as u8))
        }
        () if is_item(trimmed) && line.len() - line.trim_start().len() < 4 => {
            Some(BlockKind::ListItem)
        }
        () if trimmed.starts_with("[^") => Some(BlockKind::Note),
        () => None,
    }
}

/// `- …`, `* …`, `12. …`, `[12] …`
fn is_item(line: &str) -> bool {
    let bullet = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = line.get(digits..).unwrap_or_default();
    bullet
        || (1..=4).contains(&digits) && (behind.starts_with(". ") || behind.starts_with(") "))
        || is_bracketed(line)
}

/// `[12] …`, `\[12\] …`, but not a link or link definition.
fn is_bracketed(line: &str) -> bool {
    let rest = line.strip_prefix('\\').unwrap_or(line);
    let Some((label, rest)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let label = label.strip_suffix('\\').unwrap_or(label);
    let is_number = (1..=4).contains(&label.len()) && label.chars().all(|c| c.is_ascii_digit());
    is_number && rest.starts_with(' ')
}

/// A line without emphasis, links and escapes.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    // Where the last word begins.
    let mut word = 0;
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '*' => {}
            '_' if out.ends_with(|c: char| c.is_alphanumeric())
                && chars.peek().is_some_and(|next| next.is_alphanumeric()) =>
            {
                out.push('_');
            }
            '_' => {}
            '<' if chars.peek() == Some(&'h') => {}
            '>' if out.get(word..).is_some_and(|word| word.starts_with("http")) => {}
            ']' if chars.peek() == Some(&'(') => out.push(' '),
            '[' if out.is_empty() => out.push('['),
            _ => out.push(c),
        }
        if out.ends_with(' ') {
            word = out.len();
        }
    }
    out
}
