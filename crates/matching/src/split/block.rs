//! Finds which unmarked lines between two blank ones begin a reference.

use std::ops::Range;

use super::join;
use super::line::{IdentifierKind, Line};
use crate::reference::{MAX_TEXT_LENGTH, Reference, cut};

/// A group of lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineGroup {
    /// Indexes into the block.
    pub lines: Range<usize>,
    /// Whether it is the caption of the following lines, not a reference.
    pub is_caption: bool,
}

/// What the whole text shows about its blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockLayout {
    /// Whether continuation lines are indented.
    pub is_hanging: bool,
    /// The width in characters to which the lines of each block are filled, if blank lines separate the
    /// references and every block is filled: then a full line does not end a reference.
    pub filled_to: Option<usize>,
    /// Whether a link on a line of its own belongs to the reference above it.
    pub has_links_below: bool,
}

/// The width to which the lines of a text, given as blocks, are filled, if blank lines separate its references:
/// nearly no line but the last of a block has room for the first word of the next one.
pub fn filled_to(blocks: &[Vec<&Line<'_>>]) -> Option<usize> {
    const MIN_BLOCKS: usize = 3;
    const MIN_PAIRS: usize = 3;
    if blocks.len() < MIN_BLOCKS {
        return None;
    }
    // An address that is longer than the lines are wide stands alone.
    let lines = blocks.iter().flatten();
    let wrapped = lines.filter(|line| line.text.trim().contains(char::is_whitespace));
    let width = wrapped.map(|line| width(line.text)).max()?;
    let pairs = || blocks.iter().flat_map(|block| block.windows(2));
    let (all, full) = (
        pairs().count(),
        pairs().filter(|two| is_full(two, width)).count(),
    );
    (all >= MIN_PAIRS && full * 10 >= all * 9).then_some(width)
}

/// Whether the references of a text, given as blocks, regularly have a link on a line of its own below
/// them: several have one, or blank lines separate the references. Then no link is left without a
/// reference, and no reference is directly followed by another one.
pub fn has_links_below(blocks: &[Vec<&Line<'_>>]) -> bool {
    const MIN_COUNT: usize = 2;
    let (mut references, mut links) = (0, 0);
    for block in blocks {
        let kinds: Vec<Vec<IdentifierKind>> = block.iter().map(|line| line.identifiers()).collect();
        let is_text = |n: usize| kinds.get(n).is_some_and(Vec::is_empty);
        references += usize::from((0..block.len()).any(is_text));
        for (n, kinds) in kinds.iter().enumerate() {
            let is_below = n.checked_sub(1).is_some_and(is_text);
            match kinds.contains(&IdentifierKind::Address) {
                true if !is_below => return false,
                true => links += 1,
                false => {}
            }
        }
        if are_two_references(block, is_text) {
            return false;
        }
    }
    links >= MIN_COUNT || references >= MIN_COUNT || is_web_reference(blocks)
}

/// Whether a text is one reference that names no pages, and a link below it: then its place is
/// the link.
fn is_web_reference(blocks: &[Vec<&Line<'_>>]) -> bool {
    let [block] = blocks else { return false };
    let Some((link, above)) = block.split_last().filter(|(_, above)| !above.is_empty()) else {
        return false;
    };
    if link.bare_identifier() != Some(IdentifierKind::Address)
        || above.iter().any(|l| l.has_identifier())
    {
        return false;
    }
    let text = join::lines(above.iter().map(|line| line.text));
    let reference = Reference::parse(cut(&text, MAX_TEXT_LENGTH));
    reference.pages.is_none() && !reference.names.is_empty()
}

/// Splits a block into parts.
pub fn parts(lines: &[&Line<'_>], layout: BlockLayout) -> Vec<LineGroup> {
    let mut parts = Vec::new();
    let mut from = 0;
    for n in 0..lines.len() {
        if is_caption(lines, n) {
            parts.extend(references(lines, from..n, layout));
            parts.push(LineGroup {
                lines: n..n + 1,
                is_caption: true,
            });
            from = n + 1;
        }
    }
    parts.extend(references(lines, from..lines.len(), layout));
    parts
}

/// Whether a line is the heading of a part of the list (`Primary sources`): a few words without a
/// number, name or identifier, between the end of one reference and the authors of the next.
fn is_caption(lines: &[&Line<'_>], n: usize) -> bool {
    let (Some(line), Some(next)) = (lines.get(n), lines.get(n + 1)) else {
        return false;
    };
    let above = n.checked_sub(1).and_then(|n| lines.get(n));
    above.is_none_or(|above| above.is_ended()) && line.is_title() && next.begins_reference()
}

fn references(lines: &[&Line<'_>], range: Range<usize>, layout: BlockLayout) -> Vec<LineGroup> {
    let Some(block) = lines.get(range.clone()).filter(|block| !block.is_empty()) else {
        return Vec::new();
    };
    let begins = begins(block, layout);
    let mut parts: Vec<LineGroup> = Vec::new();
    for (n, begins) in begins.into_iter().enumerate() {
        let at = range.start + n;
        match parts.last_mut().filter(|_| !begins) {
            Some(part) => part.lines.end = at + 1,
            None => parts.push(LineGroup {
                lines: at..at + 1,
                is_caption: false,
            }),
        }
    }
    parts
}

/// Whether each line of a block begins a reference.
fn begins(block: &[&Line<'_>], layout: BlockLayout) -> Vec<bool> {
    if layout.is_hanging && block.iter().any(|line| !line.is_indented()) {
        return block.iter().map(|line| !line.is_indented()).collect();
    }
    let mut joints: Vec<LineRelation> = joints(block, layout.has_links_below);
    part_remarks(block, &mut joints);
    if let Some(width) = layout.filled_to {
        join_full_lines(block, &mut joints, width);
    }
    let each_line = is_each_line(block, &joints);
    let begins = joints.into_iter().map(|joint| match joint {
        LineRelation::Parted => true,
        LineRelation::Joined => false,
        LineRelation::Open => each_line,
    });
    std::iter::once(true).chain(begins).collect()
}

/// The relation of a line to the one above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineRelation {
    Parted,
    Joined,
    /// Undecided from the two lines alone.
    Open,
}

fn joints(block: &[&Line<'_>], has_links_below: bool) -> Vec<LineRelation> {
    let kinds: Vec<Vec<IdentifierKind>> = block.iter().map(|line| line.identifiers()).collect();
    let kinds_of = |n: usize| kinds.get(n).map_or(&[][..], Vec::as_slice);
    let is_regular = is_regular(block, &kinds);
    // Anybody may paste a link below a reference: without a sign it is an item of its own.
    let is_lone_link = |n: usize| {
        let above = n.checked_sub(1).and_then(|n| block.get(n));
        let is_announced = block.get(n).is_some_and(|line| line.announces_link())
            || above.is_some_and(|above| above.goes_on());
        kinds_of(n) == [IdentifierKind::Address] && !has_links_below && !is_announced
    };
    let mut joints = Vec::with_capacity(block.len());
    // Whether the current run of identifier lines belongs to the text above it.
    let mut is_taken = false;
    for (n, pair) in block.windows(2).enumerate() {
        let [above, line] = pair else { continue };
        let was_identifier = !kinds_of(n).is_empty();
        let joint = if breaks_address(above) {
            LineRelation::Joined
        } else if kinds_of(n + 1).is_empty() {
            match was_identifier {
                true if line.continues() => LineRelation::Joined,
                true => LineRelation::Parted,
                false => joint(above, line),
            }
        } else {
            if is_lone_link(n + 1) {
                is_taken = false;
            } else if !was_identifier {
                let run: Vec<usize> = (n + 1..block.len())
                    .take_while(|n| !kinds_of(*n).is_empty() && !is_lone_link(*n))
                    .collect();
                let run_kinds: Vec<IdentifierKind> =
                    run.iter().flat_map(|n| kinds_of(*n)).copied().collect();
                let are_named = run
                    .iter()
                    .filter_map(|n| block.get(*n))
                    .all(|line| line.names_identifier());
                is_taken = are_of_one_work(&run_kinds)
                    && !run_kinds.iter().any(|kind| above.holds(*kind))
                    && (is_regular || are_named);
            }
            if is_taken {
                LineRelation::Joined
            } else {
                LineRelation::Parted
            }
        };
        joints.push(joint);
    }
    joints
}

/// Separates a remark in small letters (`see you on Thursday`) from a completed reference, if every
/// other line is a reference of its own.
fn part_remarks(block: &[&Line<'_>], joints: &mut [LineRelation]) {
    const MIN_COUNT: usize = 2;
    let is_whole = |line: &Line| {
        line.bare_identifier().is_some() || (line.begins_reference() && line.is_ended())
    };
    let is_remark = |line: &Line| {
        line.continues() && !line.goes_on() && !line.has_digit() && !line.has_identifier()
    };
    let (remarks, others): (Vec<_>, Vec<_>) =
        (0..block.len()).partition(|n| block.get(*n).is_some_and(|line| is_remark(line)));
    let all_whole = others
        .iter()
        .all(|n| block.get(*n).is_some_and(|line| is_whole(line)));
    if others.len() < MIN_COUNT || remarks.len() >= others.len() || !all_whole {
        return;
    }
    for n in remarks {
        let Some(above) = n.checked_sub(1) else {
            continue;
        };
        let is_ended = block.get(above).is_some_and(|line| line.is_ended());
        if let Some(joint) = joints.get_mut(above).filter(|_| is_ended) {
            *joint = LineRelation::Parted;
        }
        // The line after a remark begins a new part.
        if let Some(joint) = joints.get_mut(n).filter(|_| is_ended) {
            *joint = LineRelation::Parted;
        }
    }
}

/// Joins each line that has no room for the next word to the line below.
fn join_full_lines(block: &[&Line<'_>], joints: &mut [LineRelation], width: usize) {
    for (joint, two) in joints.iter_mut().zip(block.windows(2)) {
        if is_full(two, width) {
            *joint = LineRelation::Joined;
        }
    }
}

/// Whether the first word of the second of two lines does not fit on the first one.
fn is_full(two: &[&Line<'_>], width: usize) -> bool {
    match two {
        [above, line] => {
            // Lines are not broken at other white space.
            let first = line.text.trim_start().split([' ', '\t']).next();
            self::width(above.text) + 1 + self::width(first.unwrap_or_default()) > width
        }
        _ => false,
    }
}

/// Whether each reference of a block is followed by identifiers on separate lines, as far as single
/// lines show.
fn is_regular(block: &[&Line<'_>], kinds: &[Vec<IdentifierKind>]) -> bool {
    let is_text = |n: usize| kinds.get(n).is_some_and(Vec::is_empty);
    is_text(0)
        && !are_two_references(block, is_text)
        && block
            .len()
            .checked_sub(1)
            .is_some_and(|last| !is_text(last))
}

/// Whether a reference directly follows another one, as far as single lines show.
fn are_two_references(block: &[&Line<'_>], is_text: impl Fn(usize) -> bool) -> bool {
    block.windows(2).enumerate().any(|(n, pair)| match pair {
        [above, line] => {
            is_text(n) && is_text(n + 1) && above.is_ended() && line.begins_reference()
        }
        _ => false,
    })
}

/// Whether one work may have all these identifiers: each kind once, and no book identifier beside
/// an article's.
fn are_of_one_work(kinds: &[IdentifierKind]) -> bool {
    let is_repeated =
        |(n, kind): (usize, &IdentifierKind)| kinds.iter().take(n).any(|before| before == kind);
    let has_isbn = kinds.contains(&IdentifierKind::Isbn);
    let of_article = |kind: &IdentifierKind| {
        matches!(
            kind,
            IdentifierKind::Doi | IdentifierKind::Arxiv | IdentifierKind::Pmid
        )
    };
    let is_of_two = has_isbn && kinds.iter().any(of_article);
    !is_of_two && !kinds.iter().enumerate().any(is_repeated)
}

/// Whether the line ends within an address: `https://doi.org/`
fn breaks_address(line: &Line<'_>) -> bool {
    let word = line.text.split_whitespace().next_back().unwrap_or_default();
    super::line::is_address(word) && line.text.ends_with(['/', '-', '_'])
}

fn joint(above: &Line<'_>, line: &Line<'_>) -> LineRelation {
    if above.goes_on()
        || line.continues()
        || !line.may_begin()
        || line.is_fragment()
        || above.is_names()
    {
        LineRelation::Joined
    } else if above.is_ended() && line.begins_reference() {
        LineRelation::Parted
    } else {
        LineRelation::Open
    }
}

/// Whether every line is a separate reference: no line continues, and either all end like
/// references, or all or none have a year, or most break off although the next word would have fit.
/// Wrapped text does none of this.
fn is_each_line(block: &[&Line<'_>], joints: &[LineRelation]) -> bool {
    const LONG: usize = 100;
    if joints.contains(&LineRelation::Joined) && !are_addressed(block, joints) {
        return false;
    }
    let count = |test: &dyn Fn(&Line) -> bool| block.iter().filter(|line| test(line)).count();
    let ended = count(&|line| line.is_ended());
    let widest = block.iter().map(|line| width(line.text)).max().unwrap_or(0);
    if ended * 10 >= block.len() * 8 && (widest > LONG || ended == block.len()) {
        return true;
    }
    let own = |line: &Line| line.bare_identifier().is_none();
    let dated = count(&|line| own(line) && line.has_year());
    let others = count(&own);
    if dated == 0 || dated == others {
        return true;
    }
    let roomy = block
        .windows(2)
        .filter(|two| !is_full(two, widest.saturating_sub(1)));
    roomy.count() * 2 >= block.len() - 1
}

/// Whether every continuation line of a block is a bare identifier or address.
fn are_addressed(block: &[&Line<'_>], joints: &[LineRelation]) -> bool {
    let lines = block.iter().skip(1).zip(joints);
    lines
        .filter(|(_, joint)| **joint == LineRelation::Joined)
        .all(|(line, _)| line.bare_identifier().is_some())
}

fn width(text: &str) -> usize {
    text.chars().count()
}
