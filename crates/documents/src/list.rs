//! Finds the reference list among the paragraphs of a document: as marked by the document, under its
//! heading, by its shape, or in the notes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use citation_matching::reference::Reference as Parsed;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::{Doi, Identifier};
use citation_model::item::Item;
use citation_model::name::is_particle;
use citation_model::variable::TextVar;

use crate::document::{Block, BlockKind, Citation, Cited, Document, Reference};
use crate::error::DocumentError;
use crate::headings::{follows_list, is_caption, names_list};
use crate::library;
use crate::shape::{LIKELY, has_year, may_be_reference, score, without_label};

/// Assembles a document from paragraphs. `sources` are the works embedded apart from the text, with their
/// keys as ids.
pub(crate) fn assemble(
    blocks: Vec<Block>,
    mut citations: Vec<Citation>,
    sources: Vec<Item>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    resolve(citations.iter_mut(), &sources);
    let mut references = find(&blocks, budget)?;
    let works = works(&citations);
    match references.is_empty() {
        true => {
            references = works
                .iter()
                .map(|(cited, citation)| Reference {
                    text: cited.item.as_ref().map(library::line).unwrap_or_default(),
                    doi: cited.doi.clone(),
                    key: Some(cited.cite.id.clone()).filter(|key| !key.is_empty()),
                    item: cited.item.clone(),
                    place: citation.place.clone(),
                    ..Reference::default()
                })
                .filter(|reference| !reference.text.is_empty())
                .collect();
        }
        false => link(&mut references, &works, budget)?,
    }
    let cited: HashSet<&str> = works
        .iter()
        .map(|(cited, _)| cited.cite.id.as_str())
        .collect();
    let uncited = sources
        .iter()
        .filter(|item| !cited.contains(item.id.as_str()))
        .map(|item| library::Entry::of_item(item.clone(), Default::default()).reference())
        .collect();
    Ok(Document {
        marks_citations: !citations.is_empty(),
        blocks,
        citations,
        references,
        uncited,
        ..Document::default()
    })
}

/// Adds the works of the document to the items cited by key.
pub(crate) fn resolve<'c>(citations: impl Iterator<Item = &'c mut Citation>, sources: &[Item]) {
    let by_key: HashMap<&str, &Item> = sources
        .iter()
        .map(|item| (item.id.as_str(), item))
        .collect();
    for cited in citations.flat_map(|citation| &mut citation.items) {
        if cited.item.is_none()
            && let Some(item) = by_key.get(cited.cite.id.as_str())
        {
            cited.doi = item.doi();
            cited.item = Some((*item).clone());
        }
    }
}

/// The distinct works cited, each with its first citation.
fn works(citations: &[Citation]) -> Vec<(&Cited, &Citation)> {
    let mut seen = HashSet::new();
    let cited = citations
        .iter()
        .flat_map(|citation| citation.items.iter().map(move |cited| (cited, citation)));
    cited
        .filter(|(cited, _)| {
            let name = match &cited.doi {
                Some(doi) => doi.to_string(),
                None => format!("{} {}", cited.cite.id, title(cited)),
            };
            seen.insert(name)
        })
        .collect()
}

fn title(cited: &Cited) -> String {
    let title = cited
        .item
        .as_ref()
        .and_then(|item| item.text(TextVar::Title));
    letters(title.unwrap_or_default())
}

/// The letters and digits of a text in lower case.
pub(crate) fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Assigns to printed entries the works in citations with the same DOI or title.
fn link(
    references: &mut [Reference],
    works: &[(&Cited, &Citation)],
    budget: &Budget,
) -> Result<(), Exceeded> {
    const SHORTEST_TITLE: usize = 8;
    let titles: Vec<String> = works.iter().map(|(cited, _)| title(cited)).collect();
    let mut is_taken = vec![false; works.len()];
    for reference in references {
        let text = letters(&reference.text);
        budget.spend(works.len() as u64 * (1 + text.len() as u64 / 64))?;
        let by_doi = works
            .iter()
            .position(|(cited, _)| cited.doi.is_some() && cited.doi == reference.doi);
        // If the text contains two titles, the longer is used.
        let by_title = || {
            let fits = |n: &usize| {
                let title = titles.get(*n).map_or("", String::as_str);
                is_taken.get(*n) == Some(&false)
                    && title.chars().count() >= SHORTEST_TITLE
                    && text.contains(title)
            };
            (0..works.len())
                .filter(fits)
                .max_by_key(|n| titles.get(*n).map_or(0, String::len))
        };
        let found = by_doi.or_else(|| reference.doi.is_none().then(by_title).flatten());
        let Some((position, (cited, _))) = found.and_then(|n| Some((n, works.get(n)?))) else {
            continue;
        };
        if let Some(taken) = is_taken.get_mut(position) {
            *taken = true;
        }
        reference.doi = reference.doi.take().or_else(|| cited.doi.clone());
        reference.key = Some(cited.cite.id.clone()).filter(|key| !key.is_empty());
        reference.item = cited.item.clone();
    }
    Ok(())
}

/// The references among the paragraphs.
pub(crate) fn find(blocks: &[Block], budget: &Budget) -> Result<Vec<Reference>, Exceeded> {
    /// Steps per paragraph in addition to its letters.
    const BLOCK_STEPS: u64 = 50;
    for block in blocks {
        budget.spend(BLOCK_STEPS + block.text.len() as u64 / 2)?;
    }
    let regions = under_headings(blocks);
    let mut found = Vec::new();
    for region in &regions {
        let region: Vec<&Block> = blocks.get(region.clone()).into_iter().flatten().collect();
        found.extend(entries(&region, budget)?);
    }
    let marked: Vec<usize> = (0..blocks.len())
        .filter(|n| blocks.get(*n).is_some_and(|block| block.is_reference))
        .collect();
    let inside: Vec<&Block> = marked.iter().filter_map(|n| blocks.get(*n)).collect();
    let entries_marked = entries(&inside, budget)?;
    // A style used by only some of the entries does not mark a list.
    let is_part = marked
        .iter()
        .all(|n| regions.iter().any(|region| region.contains(n)))
        && found.len() * 2 > entries_marked.len() * 3;
    if !entries_marked.is_empty() && !is_part {
        return Ok(entries_marked);
    }
    if found.is_empty()
        && let Some(run) = plain_run(blocks)
    {
        let run: Vec<&Block> = blocks.get(run).into_iter().flatten().collect();
        found = entries(&run, budget)?;
    }
    if found.is_empty() {
        found = in_notes(blocks, budget)?;
    }
    Ok(found)
}

/// Lines of a block that match a list heading are headings.
fn is_heading(block: &Block) -> bool {
    block.kind != BlockKind::Note && names_list(&block.text)
}

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
            like > 0 && like * 3 >= counted
        })
        .collect()
}

/// Labels and separators alone, and captions, do not affect the list around them.
fn is_slight(block: &Block) -> bool {
    const FEWEST: usize = 6;
    let letters = block.text.chars().filter(|c| c.is_alphanumeric());
    letters.take(FEWEST).count() < FEWEST || is_caption(&block.text)
}

fn may_begin_list(block: &Block) -> bool {
    block.text.lines().any(|line| score(line) >= LIKELY) || score(&block.text) >= LIKELY
}

/// The end of the list under a heading.
fn end_of_list(blocks: &[Block], heading: usize) -> usize {
    /// Number of paragraphs unlike references that end a list.
    const MOST_OTHERS: usize = 2;
    let level = blocks.get(heading).and_then(|block| match block.kind {
        BlockKind::Heading(level) => Some(level),
        _ => None,
    });
    let mut others = 0;
    for (n, block) in blocks.iter().enumerate().skip(heading + 1) {
        if block.kind == BlockKind::Note {
            continue;
        }
        let ends = match block.kind {
            BlockKind::Heading(own) => {
                level.is_none_or(|level| own <= level)
                    || follows_list(&block.text)
                    || is_heading(block)
            }
            _ => is_heading(block) || follows_list(&block.text),
        };
        if ends {
            return n - others;
        }
        if is_slight(block) {
            continue;
        }
        let is_like = may_be_reference(&block.text) || may_begin_list(block);
        others = match is_like || matches!(block.kind, BlockKind::Heading(_)) {
            true => 0,
            false => others + 1,
        };
        if others > MOST_OTHERS {
            return n + 1 - others;
        }
    }
    blocks.len() - others
}

/// The run of paragraphs with the most evident references, if no heading marks them.
pub(crate) fn plain_run(blocks: &[Block]) -> Option<Range<usize>> {
    const FEWEST: usize = 3;
    const LONGEST_ENTRY: usize = 700;
    let text = |n: usize| blocks.get(n).map_or("", |block| block.text.as_str());
    let is_plain = |n: usize| score(text(n)) > LIKELY;
    let is_member = |n: usize| {
        blocks.get(n).is_some_and(|block| {
            !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Note)
                && block.text.len() <= LONGEST_ENTRY
                && may_be_reference(&block.text)
                && begins_entry(&block.text)
        })
    };
    // An entry with little evidence counts if its number follows that of the previous entry.
    let goes_on = |n: usize| {
        let number = |n: usize| label_number(text(n));
        let above = n.checked_sub(1).and_then(number);
        above.is_some_and(|above| number(n) == Some(above + 1)) && text(n).len() <= LONGEST_ENTRY
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
        let is_prose = |n: usize| match has_labels {
            true => !is_labelled(text(n)),
            false => is_sentence(text(n)),
        };
        let first = (start..n).find(|n| !is_prose(*n)).unwrap_or(n);
        let last = (first..n).rfind(|n| !is_prose(*n)).map_or(n, |n| n + 1);
        let plain = (first..last).filter(|n| is_plain(*n)).count();
        if plain > best.0 && plain * 2 >= last - first {
            best = (plain, first..last);
        }
        start = n + 1;
    }
    (best.0 >= FEWEST).then_some(best.1)
}

/// The number of `[12]`, `12.`
fn label_number(text: &str) -> Option<u32> {
    let label = text.get(..text.len() - without_label(text).len())?;
    let digits = label.trim_matches(|c: char| !c.is_ascii_digit());
    digits.parse().ok()
}

/// The label of an entry, without brackets and marks.
fn label(text: &str) -> Option<String> {
    let text = text.trim();
    let label = text.get(..text.len() - without_label(text).len())?;
    let label = label.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '*');
    (!label.is_empty()).then(|| label.to_owned())
}

fn is_labelled(text: &str) -> bool {
    without_label(text).len() < text.len()
}

/// Whether a text begins like a sentence: `We thank`, `The sample`; in names, a capital follows.
fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    first.chars().all(char::is_alphabetic)
        && second.chars().all(char::is_lowercase)
        && !is_of_names(second)
        && !is_of_names(first)
}

/// Whether a lower-case word is part of a name or between two names.
fn is_of_names(word: &str) -> bool {
    is_particle(word) || matches!(word, "and" | "et" | "und" | "y" | "e" | "och" | "og" | "en")
}

/// Whether a text begins like an entry: with a label, a capital, a digit, a bracket, a quotation mark, or the
/// particle of a name (`van Dongen`, `d’Alembert`).
fn begins_entry(text: &str) -> bool {
    let rest = without_label(text);
    let first = rest.split_whitespace().next().unwrap_or_default();
    let has_label = rest.len() != text.len();
    let is_name = is_particle(first) || first.contains(char::is_uppercase);
    !rest.is_empty() && (has_label || is_name || !first.starts_with(char::is_lowercase))
}

/// The entries in the paragraphs of a list.
fn entries(blocks: &[&Block], budget: &Budget) -> Result<Vec<Reference>, Exceeded> {
    let blocks: Vec<&&Block> = blocks
        .iter()
        .filter(|block| {
            !matches!(block.kind, BlockKind::Heading(_) | BlockKind::Note)
                && !is_heading(block)
                && !is_slight(block)
        })
        .collect();
    let mut blocks = without_prose_behind(blocks);
    blocks.truncate(count_before_notes(
        blocks.iter().map(|block| block.text.as_str()),
    ));
    let whole = blocks.iter().filter(|block| is_whole(block)).count();
    let mut found: Vec<Reference> = Vec::new();
    // Most paragraphs are parts of entries: lines of a pasted list.
    if whole * 2 < blocks.len() && blocks.len() > 2 {
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
        for piece in split.pieces {
            let line = piece.place.line.saturating_sub(1);
            let block = blocks.get(ends.partition_point(|end| *end <= line));
            found.push(reference(&piece.text, block.copied().copied(), budget)?);
        }
        found.retain(|reference| may_be_reference(&reference.text));
        return Ok(found);
    }
    for block in blocks {
        let lines: Vec<&str> = block.text.lines().collect();
        let begin = lines
            .iter()
            .filter(|line| score(line) >= LIKELY && begins_entry(line));
        if lines.len() > 2 && begin.count() * 2 > lines.len() {
            for (n, line) in lines.iter().enumerate() {
                let mut reference = reference(line, Some(block), budget)?;
                reference.place.line = block.place.line.map(|first| first + n);
                push(&mut found, reference);
            }
            continue;
        }
        let joined = lines.join(" ");
        let mut pieces = Vec::new();
        if lines.len() > 1 || is_several(&joined) {
            pieces = citation_matching::split(&block.text, budget)?.pieces;
        }
        match pieces.len() > 1 && pieces.iter().all(|piece| may_be_reference(&piece.text)) {
            true => {
                for piece in pieces {
                    let reference = reference(&piece.text, Some(block), budget)?;
                    push(&mut found, reference);
                }
            }
            false => push(&mut found, reference(&joined, Some(block), budget)?),
        }
    }
    Ok(found)
}

/// Text after the last number of a numbered list is prose without a heading.
fn without_prose_behind<'a>(mut blocks: Vec<&'a &'a Block>) -> Vec<&'a &'a Block> {
    const FEWEST: usize = 3;
    let mut labelled = Vec::new();
    for (n, block) in blocks.iter().enumerate() {
        if label_number(&block.text).is_some_and(|number| number as usize == labelled.len() + 1) {
            labelled.push(n);
        }
    }
    let Some(last) = labelled.last().filter(|_| labelled.len() >= FEWEST) else {
        return blocks;
    };
    let is_list = labelled.len() * 2 > *last;
    let behind = blocks.iter().skip(last + 1);
    let prose = behind.take_while(|block| !is_sentence(&block.text)).count();
    if is_list {
        blocks.truncate(last + 1 + prose);
    }
    blocks
}

/// The number of paragraphs of a list before its notes: numbered sentences after unnumbered entries are
/// notes of the text.
pub(crate) fn count_before_notes<'b>(texts: impl Iterator<Item = &'b str> + Clone) -> usize {
    const FEWEST: usize = 3;
    let entries = texts.clone().take_while(|text| !is_labelled(text)).count();
    let mut behind = texts.clone().skip(entries).enumerate();
    let are_notes = behind.all(|(n, text)| {
        label_number(text).is_some_and(|number| number as usize == n + 1)
            && is_sentence(without_label(text))
    });
    match entries >= FEWEST && are_notes {
        true => entries,
        false => texts.count(),
    }
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

/// Adds an entry. Text that continues a sentence is appended to the previous entry; text without evidence
/// of a reference is a heading or remark.
fn push(found: &mut Vec<Reference>, reference: Reference) {
    let is_piece = reference.text.starts_with(|c: char| c.is_lowercase())
        && reference
            .text
            .split_whitespace()
            .next()
            .is_some_and(|word| !is_of_names(word))
        && !has_year(&reference.text);
    let is_entry = may_be_reference(&reference.text) || reference.doi.is_some();
    match found.last_mut() {
        Some(last) if is_piece => {
            last.text.push(' ');
            last.text.push_str(&reference.text);
        }
        _ if is_entry || is_untyped_entry(&reference.text) => found.push(reference),
        _ => {}
    }
}

/// Entries without year or number exist: laws, classics, web pages. They are full sentences.
fn is_untyped_entry(text: &str) -> bool {
    text.split_whitespace().count() >= 5 && text.ends_with(['.', '。', '/'])
}

fn reference(text: &str, block: Option<&Block>, budget: &Budget) -> Result<Reference, Exceeded> {
    let label = label(text);
    let text = without_label(text).to_owned();
    budget.spend_bytes(text.len())?;
    let key = block.and_then(|block| block.anchors.first().cloned());
    let linked = block.and_then(|block| block.doi.clone());
    Ok(Reference {
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

/// The works cited in full in notes. Short forms and `ibid.` refer to works of earlier notes.
fn in_notes(blocks: &[Block], budget: &Budget) -> Result<Vec<Reference>, Exceeded> {
    let mut found: Vec<Reference> = Vec::new();
    let mut seen = HashSet::new();
    for note in blocks.iter().filter(|block| block.kind == BlockKind::Note) {
        for piece in note_pieces(&note.text) {
            let text = without_signal(piece);
            let is_full = score(text) > LIKELY && has_year(text) && text.len() > 30;
            if is_full && seen.insert(letters(text)) {
                found.push(reference(text, Some(note), budget)?);
            }
        }
    }
    Ok(found)
}

/// Splits the cites of a note at semicolons between possible full cites.
fn note_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices("; ") {
        let before = text.get(start..at).unwrap_or_default();
        let behind = text.get(at + 2..).unwrap_or_default();
        if score(before) >= LIKELY || behind.len() < 30 || !has_year(behind) {
            pieces.push(before);
            start = at + 2;
        }
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

/// A cite without its introductory words.
fn without_signal(text: &str) -> &str {
    let mut text = text.trim();
    for signal in [
        "See also ",
        "see also ",
        "See, e.g., ",
        "See ",
        "see ",
        "Cf. ",
        "cf. ",
        "Vgl. ",
        "vgl. ",
        "Voir ",
        "Siehe ",
        "Compare ",
        "compare ",
    ] {
        text = text.strip_prefix(signal).unwrap_or(text);
    }
    text
}

/// Trims lines and collapses blanks.
pub(crate) fn tidy(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ")
    });
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// A table row is one block, unless the table is only used for layout.
pub(crate) fn row(cells: Vec<Vec<Block>>) -> Vec<Block> {
    const MOST_PARAGRAPHS: usize = 2;
    let is_row = cells.iter().all(|cell| cell.len() <= MOST_PARAGRAPHS);
    let blocks: Vec<Block> = cells.into_iter().flatten().collect();
    let Some(first) = blocks.first().filter(|_| is_row) else {
        return blocks;
    };
    let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    vec![Block {
        kind: BlockKind::Row,
        text: texts.join(" "),
        place: first.place.clone(),
        is_reference: blocks.iter().any(|block| block.is_reference),
        anchors: blocks
            .iter()
            .flat_map(|block| block.anchors.clone())
            .collect(),
        doi: blocks.iter().find_map(|block| block.doi.clone()),
    }]
}
