//! Finds the paragraphs of the reference list: under its heading, or by their shape.

use std::ops::Range;

use super::evidence::{
    begins_entry, is_heading, is_labelled, is_sentence, is_slight, label_number, may_begin_list,
    numbered,
};
use crate::document::{Block, BlockKind};
use crate::headings::follows_list;
use crate::shape::{LIKELY, may_be_reference, score};

/// The paragraphs under each list heading, up to the next section.
pub(crate) fn under_headings(blocks: &[Block]) -> Vec<Range<usize>> {
    let starts = (0..blocks.len()).filter(|n| blocks.get(*n).is_some_and(is_heading));
    let regions = starts.map(|heading| {
        let start = heading + 1;
        let end = end_of_list(blocks, heading);
        start..end
    });
    regions
        .filter(|region| {
            let inside = blocks.get(region.clone()).unwrap_or_default();
            let like = inside.iter().filter(|block| may_begin_list(block)).count();
            let counted = inside.iter().filter(|block| !is_slight(block)).count();
            like > 0 && like * 3 >= counted || is_plain_list(inside)
        })
        .collect()
}

/// Whether paragraphs under a heading are a list of entries with little evidence of their own (`Doe, Rings, 1910`):
/// numbered ones, most of them dated, or short ones that are all dated.
fn is_plain_list(blocks: &[Block]) -> bool {
    const MIN_COUNT: usize = 3;
    const MAX_LENGTH: usize = 300;
    let counted = || blocks.iter().filter(|block| !is_slight(block));
    let numbers = numbered(blocks.iter().map(|block| block.text.as_str()));
    let dated = { numbers.iter() }
        .filter_map(|n| blocks.get(*n))
        .filter(|block| may_be_reference(&block.text));
    let is_short = |block: &Block| {
        let text = block.text.as_str();
        may_be_reference(text) && text.len() <= MAX_LENGTH && !is_sentence(text)
    };
    let count = counted().count();
    numbers.len() * 2 > count && dated.count() * 2 > numbers.len()
        || count >= MIN_COUNT && counted().all(is_short)
}

/// Whether the labels of a list go on behind a heading, which then names a part of it.
fn continues_after(blocks: &[Block], heading: usize, number: u32) -> bool {
    let is_text = |block: &&Block| block.kind != BlockKind::Note && !is_slight(block);
    let behind = blocks.iter().skip(heading + 1).find(is_text);
    let is_keyed = |block: &Block| block.text.starts_with('[') && is_labelled(&block.text);
    let before = blocks.iter().take(heading).rfind(is_text);
    behind.is_some_and(|block| match label_number(&block.text) {
        Some(next) => next > 1 && next == number + 1,
        None => is_keyed(block) && before.is_some_and(is_keyed),
    })
}

/// The end of the list under a heading.
fn end_of_list(blocks: &[Block], heading: usize) -> usize {
    /// Number of paragraphs unlike references that end a list.
    const MAX_OTHERS: usize = 2;
    let level = blocks.get(heading).and_then(|block| match block.kind {
        BlockKind::Heading(level) => Some(level),
        _ => None,
    });
    let mut others = 0;
    let mut number = 0;
    for (n, block) in blocks.iter().enumerate().skip(heading + 1) {
        if block.kind == BlockKind::Note {
            continue;
        }
        let ends = match block.kind {
            BlockKind::Heading(own) => {
                follows_list(&block.text)
                    || is_heading(block)
                    || level.is_none_or(|level| own <= level) && !continues_after(blocks, n, number)
            }
            _ => is_heading(block) || follows_list(&block.text),
        };
        if ends {
            return n - others;
        }
        if is_slight(block) {
            continue;
        }
        // The next number is an entry, however little it says.
        let own = label_number(&block.text);
        let is_next = own == Some(number + 1);
        number = own.unwrap_or(number);
        let is_like = is_next || may_be_reference(&block.text) || may_begin_list(block);
        others = if is_like || matches!(block.kind, BlockKind::Heading(_)) {
            0
        } else {
            others + 1
        };
        if others > MAX_OTHERS {
            return n + 1 - others;
        }
    }
    blocks.len() - others
}

/// The run of paragraphs with the most evident references, if no heading marks them.
pub(crate) fn plain_run(blocks: &[Block]) -> Option<Range<usize>> {
    const MIN_COUNT: usize = 3;
    const MAX_ENTRY_LENGTH: usize = 700;
    let text = |n: usize| blocks.get(n).map_or("", |block| block.text.as_str());
    let is_plain = |n: usize| score(text(n)) > LIKELY;
    let is_member = |n: usize| {
        blocks.get(n).is_some_and(|block| {
            !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Note)
                && block.text.len() <= MAX_ENTRY_LENGTH
                && may_be_reference(&block.text)
                && begins_entry(&block.text)
        })
    };
    // An entry with little evidence counts if its number follows that of the previous entry.
    let goes_on = |n: usize| {
        let number = |n: usize| label_number(text(n));
        let above = n.checked_sub(1).and_then(number);
        above.is_some_and(|above| number(n) == Some(above + 1)) && text(n).len() <= MAX_ENTRY_LENGTH
    };
    let mut best = (0, 0..0);
    let mut start = 0;
    for n in 0..=blocks.len() {
        if is_member(n) || n > start && n < blocks.len() && goes_on(n) {
            continue;
        }
        let labelled = (start..n).filter(|n| is_labelled(text(*n))).count();
        let has_labels = labelled * 2 > n - start;
        // Prose around the list also has years and names.
        let is_prose = |n: usize| {
            if has_labels {
                !is_labelled(text(n))
            } else {
                is_sentence(text(n))
            }
        };
        let first = (start..n).find(|n| !is_prose(*n)).unwrap_or(n);
        let last = (first..n).rfind(|n| !is_prose(*n)).map_or(n, |n| n + 1);
        let plain = (first..last).filter(|n| is_plain(*n)).count();
        if plain > best.0 && plain * 2 >= last - first {
            best = (plain, first..last);
        }
        start = n + 1;
    }
    (best.0 >= MIN_COUNT).then_some(best.1)
}
