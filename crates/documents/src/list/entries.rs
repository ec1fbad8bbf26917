//! Splits the paragraphs of a reference list into its entries.

use citation_matching::reference::Reference as Parsed;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::{Doi, Identifier};

use super::evidence::{
    begins_entry, is_address, is_heading, is_labelled, is_of_names, is_sentence, is_slight,
    is_web_resource, label, label_number, may_begin_list, numbered,
};
use crate::document::{Block, BlockKind, ListedReference};
use crate::shape::{LIKELY, has_year, may_be_reference, score, without_label};

/// Minimum number of paragraphs of a list with one entry in each.
const MIN_PARAGRAPHS: usize = 3;

/// The entries in the paragraphs of a list.
pub(super) fn entries(
    blocks: &[&Block],
    budget: &Budget,
) -> Result<Vec<ListedReference>, Exceeded> {
    let blocks: Vec<&&Block> = blocks
        .iter()
        .filter(|block| {
            !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Note)
                && !is_heading(block)
                && !is_slight(block)
        })
        .collect();
    let mut blocks = without_trailing_prose(blocks);
    let numbered = numbered(blocks.iter().map(|block| block.text.as_str()));
    blocks.truncate(count_before_notes(
        blocks.iter().map(|block| block.text.as_str()),
    ));
    let is_numbered = |n: usize| numbered.binary_search(&n).is_ok();
    let whole = blocks.iter().enumerate();
    let whole = whole.filter(|(n, block)| is_numbered(*n) || is_whole(block));
    let whole = whole.count();
    // Most paragraphs are parts of entries: lines of a pasted list.
    if whole * 2 < blocks.len() && blocks.len() > 2 {
        return entries_of_lines(&blocks, budget);
    }
    // If each paragraph begins an entry, the line breaks inside it end none.
    let by_paragraph =
        blocks.len() >= MIN_PARAGRAPHS && blocks.iter().all(|block| begins_entry(&block.text));
    let is_one = |n: usize, block: &Block| {
        let has_lines = by_paragraph && block.text.contains('\n') && !has_entries(block);
        (is_numbered(n) || has_lines) && !is_several(&block.text)
    };
    let mut found: Vec<ListedReference> = Vec::new();
    for (n, block) in blocks.into_iter().enumerate() {
        if is_one(n, block) {
            found.push(reference(&one_line(block), Some(block), budget)?)
        } else {
            add_entries(&mut found, block, budget)?
        }
    }
    Ok(found)
}

/// Whether most lines of a paragraph are entries.
fn has_entries(block: &Block) -> bool {
    let lines = || block.text.lines();
    let entries = lines().filter(|line| score(line) >= LIKELY && begins_entry(line));
    lines().count() > 2 && entries.count() * 2 > lines().count()
}

/// The text of a paragraph without its line breaks.
fn one_line(block: &Block) -> String {
    block.text.lines().collect::<Vec<_>>().join(" ")
}

/// The entries of a list whose lines are paragraphs.
fn entries_of_lines(blocks: &[&&Block], budget: &Budget) -> Result<Vec<ListedReference>, Exceeded> {
    let lines: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    let split = citation_matching::split(&lines.join("\n"), budget)?;
    // The line after the last one of each block.
    let ends: Vec<usize> = blocks
        .iter()
        .scan(0, |end, block| {
            *end += block.text.lines().count().max(1);
            Some(*end)
        })
        .collect();
    let mut found = Vec::with_capacity(split.pieces.len());
    for piece in split.pieces {
        let line = piece.place.line.saturating_sub(1);
        let block = blocks.get(ends.partition_point(|end| *end <= line));
        found.push(reference(&piece.text, block.copied().copied(), budget)?);
    }
    found.retain(|reference| may_be_reference(&reference.text));
    Ok(found)
}

/// Adds the entries of one paragraph: one, one a line, or several that run on.
fn add_entries(
    found: &mut Vec<ListedReference>,
    block: &Block,
    budget: &Budget,
) -> Result<(), Exceeded> {
    let lines: Vec<&str> = block.text.lines().collect();
    if has_entries(block) {
        for (n, line) in lines.iter().enumerate() {
            let mut reference = reference(line, Some(block), budget)?;
            reference.place.line = block.place.line.map(|first| first + n);
            push(found, reference);
        }
        return Ok(());
    }
    let joined = lines.join(" ");
    let mut pieces = Vec::new();
    if lines.len() > 1 || is_several(&joined) {
        pieces = citation_matching::split(&block.text, budget)?.pieces;
    }
    if pieces.len() > 1 && pieces.iter().all(|piece| may_be_reference(&piece.text)) {
        for piece in pieces {
            push(found, reference(&piece.text, Some(block), budget)?);
        }
    } else {
        push(found, reference(&joined, Some(block), budget)?)
    }
    Ok(())
}

/// Text after the last number of a numbered list is prose without a heading. If each entry has a number, text
/// without one begins none.
fn without_trailing_prose<'a>(mut blocks: Vec<&'a &'a Block>) -> Vec<&'a &'a Block> {
    let labelled = numbered(blocks.iter().map(|block| block.text.as_str()));
    let (Some(first), Some(last)) = (labelled.first(), labelled.last()) else {
        return blocks;
    };
    let is_list = labelled.len() * 2 > *last;
    let is_whole = labelled.len() * 10 > (last - first) * 9;
    let goes_on = |text: &str| {
        if is_whole {
            is_continuation(text) || is_address(text)
        } else {
            !is_sentence(text)
        }
    };
    let behind = blocks.iter().skip(last + 1);
    let kept = behind.take_while(|block| goes_on(&block.text)).count();
    if is_list {
        blocks.truncate(last + 1 + kept);
    }
    blocks
}

/// Whether a text begins within a sentence: `kernel, 2010`.
fn is_continuation(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let word = first.trim_end_matches(|c: char| ",.;)”".contains(c));
    word.starts_with(char::is_lowercase) && word.chars().all(|c| c.is_alphabetic() || c == '-')
}

/// Whether a text is names and a year, without a title: `Doe, J., & Roe, A. (2001).`
fn ends_in_names(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches('.');
    let Some((names, year)) = { text.strip_suffix(')') }.and_then(|text| text.rsplit_once('('))
    else {
        return false;
    };
    let digits = year.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_year = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            || word == "&"
            || word.starts_with("al.")
            || is_of_names(word)
    };
    let has_initials = names.contains("., ") || names.trim_end().ends_with('.');
    is_year && has_initials && names.contains(',') && names.split_whitespace().all(is_name)
}

/// Adds an entry. Text that continues a sentence, an address alone, and a title behind names and a year are appended to the
/// previous entry; text without evidence of a reference is a heading or remark.
fn push(found: &mut Vec<ListedReference>, reference: ListedReference) {
    let is_piece = reference.text.starts_with(|c: char| c.is_lowercase())
        && reference
            .text
            .split_whitespace()
            .next()
            .is_some_and(|word| !is_of_names(word))
        && !has_year(&reference.text);
    let is_entry = may_be_reference(&reference.text) || reference.doi.is_some();
    let is_alone = reference.label.is_none() && is_address(&reference.text);
    let is_part = |last: &str| {
        if is_web_resource(&reference.text) {
            (is_piece || is_alone) && !is_web_resource(last)
        } else {
            is_piece
        }
    };
    let first = reference.text.split_whitespace().next();
    let is_title = reference.label.is_none() && first.is_some_and(|word| !word.ends_with(','));
    match found.last_mut() {
        Some(last) if is_part(&last.text) || is_title && ends_in_names(&last.text) => {
            last.text.push(' ');
            last.text.push_str(&reference.text);
            last.doi = last.doi.take().or(reference.doi);
        }
        _ if is_entry || is_untyped_entry(&reference.text) => found.push(reference),
        _ => {}
    }
}

pub(super) fn reference(
    text: &str,
    block: Option<&Block>,
    budget: &Budget,
) -> Result<ListedReference, Exceeded> {
    let label = label(text);
    let text = without_label(text).to_owned();
    budget.spend_bytes(text.len())?;
    let key = block.and_then(|block| block.anchors.first().cloned());
    let linked = block.and_then(|block| block.doi.clone());
    Ok(ListedReference {
        doi: match linked {
            Some(doi) => Some(doi),
            None => doi(&text, budget)?,
        },
        text,
        key,
        label,
        item: None,
        place: block.map(|block| block.place.clone()).unwrap_or_default(),
    })
}

/// The DOI printed in a reference.
pub(crate) fn doi(text: &str, budget: &Budget) -> Result<Option<Doi>, Exceeded> {
    if !text.contains("10.") {
        return Ok(None);
    }
    budget.spend(Parsed::steps(text))?;
    let identifiers = Parsed::parse(text).identifiers.into_iter();
    let mut dois = identifiers.filter_map(|identifier| match identifier {
        Identifier::Doi(doi) => Some(doi),
        _ => None,
    });
    Ok(dois.next())
}

/// Whether a paragraph may contain several entries: `[1] … [2] …`.
fn is_several(text: &str) -> bool {
    text.contains("[1]") && text.contains("[2]")
}

/// Whether a paragraph is one or more complete entries.
fn is_whole(block: &Block) -> bool {
    block.is_reference && block.doi.is_some()
        || begins_entry(&block.text) && may_begin_list(block)
        || score(&block.text) >= LIKELY
}

/// Entries without year or number exist: laws, classics, web pages. They are full sentences.
fn is_untyped_entry(text: &str) -> bool {
    text.split_whitespace().count() >= 5 && text.ends_with(['.', '。', '/'])
}

/// The number of paragraphs of a list before its notes: numbered sentences after unnumbered entries are
/// notes of the text.
pub(crate) fn count_before_notes<'b>(texts: impl Iterator<Item = &'b str> + Clone) -> usize {
    const MIN_COUNT: usize = 3;
    let entries = texts.clone().take_while(|text| !is_labelled(text)).count();
    let mut behind = texts.clone().skip(entries).enumerate();
    let are_notes = behind.all(|(n, text)| {
        label_number(text).is_some_and(|number| number as usize == n + 1)
            && is_sentence(without_label(text))
    });
    if entries >= MIN_COUNT && are_notes {
        entries
    } else {
        texts.count()
    }
}
