//! Joins lines to paragraphs by increasing labels, by vertical space and by indents, hanging or not, across
//! columns and pages.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::columns::ColumnLine;
use super::words::KnownWords;
use crate::document::BlockKind;
use crate::headings::{follows_list, is_caption, names_list};
use crate::shape::entry_key;

/// A paragraph and its first page, from 0.
#[derive(Debug)]
pub(super) struct Paragraph {
    pub kind: BlockKind,
    pub text: String,
    pub page: usize,
}

/// The distance that separates a line from the previous one, relative to the usual one.
const GAP: f32 = 1.22;
/// An indent, in font sizes.
const INDENT: f32 = 0.5;

/// A line with its position relative to its column and the previous line.
struct Placed {
    line: ColumnLine,
    /// Distance from the left edge of the column, in font sizes.
    indent: f32,
    /// Free space at the right edge, in font sizes.
    free: f32,
    /// Distance from the line above, relative to the usual one; `None` at the top of a column.
    gap: Option<f32>,
}

/// The paragraphs in the columns of a document, notes after the text.
pub(super) fn build(columns: Vec<Vec<ColumnLine>>) -> Vec<Paragraph> {
    let words = KnownWords::of(columns.iter().flatten().map(|line| line.text.as_str()));
    let sizes = sizes(&columns);
    let usual = usual_size(&sizes);
    let (columns, notes) = part_notes(columns, &sizes);
    let mut paragraphs = Vec::new();
    for mut zone in zones(place(columns), usual) {
        set_base(&mut zone);
        let starts = starts(&zone);
        let mut lines: Vec<&Placed> = Vec::new();
        for (placed, is_start) in zone.iter().zip(starts) {
            if is_start && !lines.is_empty() {
                paragraphs.push(paragraph(&lines, usual, &words));
                lines.clear();
            }
            lines.push(placed);
        }
        if !lines.is_empty() {
            paragraphs.push(paragraph(&lines, usual, &words));
        }
    }
    paragraphs.extend(notes.into_iter().map(|lines| Paragraph {
        kind: BlockKind::Note,
        page: lines.first().map_or(0, |line| line.page),
        text: words.join(lines.iter().map(|line| line.text.as_str())),
    }));
    paragraphs
}

fn paragraph(lines: &[&Placed], usual: f32, words: &KnownWords) -> Paragraph {
    const MAX_WORDS: usize = 14;
    let text = words.join(lines.iter().map(|placed| placed.line.text.as_str()));
    let first = lines.first();
    let size = first.map_or(0.0, |placed| placed.line.size);
    let is_large = size > usual * 1.12
        && text.split_whitespace().count() <= MAX_WORDS
        && text.contains(char::is_alphabetic);
    let is_heading = is_large || names_list(&text);
    Paragraph {
        kind: if is_heading {
            BlockKind::Heading(1)
        } else {
            BlockKind::Paragraph
        },
        text: if is_heading {
            text
        } else {
            with_brackets(text)
        },
        page: first.map_or(0, |placed| placed.line.page),
    }
}

/// Puts a purely numeric label into brackets, to distinguish it from a year or page.
fn with_brackets(text: String) -> String {
    match label(&text).or_else(|| digit_label(&text)) {
        Some((LabelForm::Bare, number)) => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("[{number}]{rest}")
        }
        _ => text,
    }
}

/// The length of the text in each font size, in hundredths of a point.
fn sizes(columns: &[Vec<ColumnLine>]) -> BTreeMap<i32, usize> {
    let mut sizes = BTreeMap::new();
    for line in columns.iter().flatten() {
        *sizes.entry(hundredths(line.size)).or_default() += line.text.len();
    }
    sizes
}

fn hundredths(size: f32) -> i32 {
    (size * 100.0).round() as i32
}

/// The most frequent font size, to a quarter of a point.
fn usual_size(sizes: &BTreeMap<i32, usize>) -> f32 {
    let mut quarters: BTreeMap<i32, usize> = BTreeMap::new();
    for (size, length) in sizes {
        *quarters.entry(size / 25).or_default() += length;
    }
    let most = quarters
        .into_iter()
        .max_by_key(|(size, length)| (*length, *size));
    most.map_or(10.0, |(size, _)| size as f32 / 4.0)
}

/// Separates the notes at the bottom of columns from the text: lines that begin with a note mark under larger ones
/// of the text. Some papers print notes as large as the text, so that only a heading is larger: under it they begin
/// with the number after the last note's.
fn part_notes(
    columns: Vec<Vec<ColumnLine>>,
    sizes: &BTreeMap<i32, usize>,
) -> (Vec<Vec<ColumnLine>>, Vec<Vec<ColumnLine>>) {
    /// The share of a document in the size of its text, at least; headings have less.
    const MIN_TEXT: f32 = 0.1;
    let whole: usize = sizes.values().sum();
    let is_usual = |size: f32| {
        let alike = sizes.range(hundredths(size * 0.96)..=hundredths(size * 1.04));
        alike.map(|(_, length)| *length).sum::<usize>() as f32 >= whole as f32 * MIN_TEXT
    };
    let mut notes: Vec<Vec<ColumnLine>> = Vec::new();
    let mut text = Vec::new();
    for mut column in columns {
        let last = column.last().map_or(0.0, |line| line.size);
        let is_like_last = |line: &ColumnLine| (line.size - last).abs() < last * 0.08;
        let above = column.iter().rposition(|line| !is_like_last(line));
        let is_larger = |line: &ColumnLine| line.size * 0.93 > last && !names_list(&line.text);
        let (mut start, is_below_text) =
            match above.and_then(|n| column.get(n).map(|line| (n, line))) {
                Some((n, line)) if is_larger(line) => (n + 1, is_usual(line.size)),
                _ => (column.len(), false),
            };
        let next = { notes.iter().rev() }
            .filter_map(|note| note_number(note.first()?))
            .next()
            .unwrap_or(0)
            + 1;
        let is_first = |line: &ColumnLine| {
            begins_note(line) && (is_below_text || note_number(line) == Some(next))
        };
        // Small text above the first mark is a caption or table.
        while column.get(start).is_some_and(|line| !is_first(line)) {
            start += 1;
        }
        // A list begins below its heading, which may be below the small print of the text.
        if is_below_heading(&column, start) {
            start = column.len();
        }
        let mut tail = column.split_off(start.min(column.len()));
        if let Some(heading) = tail.iter().position(|line| names_list(&line.text)) {
            column.extend(tail.split_off(heading));
        }
        for line in tail {
            match notes.last_mut() {
                Some(note) if !begins_note(&line) => note.push(line),
                _ => notes.push(vec![line]),
            }
        }
        text.push(column);
    }
    (text, notes)
}

/// Whether the heading of a list is directly above a line.
fn is_below_heading(column: &[ColumnLine], line: usize) -> bool {
    let above = line.checked_sub(1).and_then(|n| column.get(n));
    above.is_some_and(|line| names_list(&line.text))
}

/// `1 See`, `∗ Corresponding author`; list labels have brackets or a full stop.
fn begins_note(line: &ColumnLine) -> bool {
    let text = &line.text;
    let is_marked = text.starts_with(['*', '∗', '†', '‡', '§', '¶']);
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - number.len();
    let is_numbered = (1..=3).contains(&digits)
        && (line.begins_raised
            || number.starts_with(' ')
            || number.starts_with(char::is_uppercase));
    is_marked || is_numbered
}

/// The number at the start of a line.
fn note_number(line: &ColumnLine) -> Option<u32> {
    let rest = line.text.trim_start_matches(|c: char| c.is_ascii_digit());
    line.text.strip_suffix(rest)?.parse().ok()
}

/// Computes the position of each line in its column.
fn place(columns: Vec<Vec<ColumnLine>>) -> Vec<Placed> {
    let edges = edges(&columns);
    let mut placed = Vec::new();
    for (column, (left, right)) in columns.into_iter().zip(edges) {
        let usual = usual_distance(&column);
        let mut above: Option<(f32, f32)> = None;
        for line in column {
            let gap = above.map(|(baseline, size)| {
                // Each size has its own distance.
                let usual = usual.max(line.size.min(size) * 1.05);
                (line.baseline - baseline) / usual
            });
            above = Some((line.baseline, line.size));
            placed.push(Placed {
                indent: (line.left - left) / line.size,
                free: (right - line.right) / line.size,
                gap,
                line,
            });
        }
    }
    placed
}

/// The left and right edges of each column. A column with only the ends of hanging paragraphs gets the edge
/// of a column of the same width on another page.
fn edges(columns: &[Vec<ColumnLine>]) -> Vec<(f32, f32)> {
    let own: Vec<(f32, f32, f32)> = columns
        .iter()
        .map(|column| {
            let left = column.iter().map(|l| l.left).fold(f32::MAX, f32::min);
            let right = column.iter().map(|l| l.right).fold(f32::MIN, f32::max);
            let size = column.first().map_or(10.0, |line| line.size);
            (left, right, size)
        })
        .collect();
    own.iter()
        .map(|(left, right, size)| {
            let like = own.iter().filter(|(other, end, _)| {
                (left - size * 4.0..*left).contains(other) && (end - right).abs() < *size
            });
            let left = like.map(|(other, ..)| *other).fold(*left, f32::min);
            (left, *right)
        })
        .collect()
}

/// The usual distance between lines: the lower quartile, because paragraphs are farther apart.
fn usual_distance(column: &[ColumnLine]) -> f32 {
    let mut distances: Vec<f32> = column
        .iter()
        .zip(column.iter().skip(1))
        .map(|(above, line)| line.baseline - above.baseline)
        .filter(|distance| *distance > 2.0)
        .collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 4).copied().unwrap_or(12.0)
}

/// Sections with the same layout, between list headings and changes of font size.
fn zones(lines: Vec<Placed>, usual: f32) -> Vec<Vec<Placed>> {
    let mut zones: Vec<Vec<Placed>> = Vec::new();
    let mut is_open = false;
    // The font size of a list below its heading.
    let mut list: Option<f32> = None;
    for placed in lines {
        let line = &placed.line;
        let before = zones.last().and_then(|zone| zone.last());
        let is_heading = names_list(&line.text);
        let differs = |size: f32| (size - line.size).abs() > usual * 0.08;
        let is_apart = placed.gap.is_none_or(|gap| gap > GAP);
        let is_below_heading = before.is_some_and(|before| names_list(&before.line.text));
        if is_below_heading {
            list = Some(line.size);
        }
        // Entries may have parts in small print, such as addresses.
        let is_other_size = match list {
            Some(size) => is_apart && differs(size),
            None => before.is_some_and(|before| differs(before.line.size)),
        };
        let is_after = follows_list(&line.text) && is_apart;
        if is_other_size || is_after {
            list = None;
        }
        if is_open && !is_heading && !is_other_size && !is_after {
            zones.last_mut().map(|zone| zone.push(placed))
        } else {
            is_open = !is_heading;
            zones.push(vec![placed]);
            continue;
        };
    }
    zones
}

/// Measures indents from the leftmost line of each column of a zone, because a whole list may be indented, also
/// on the page of its heading only. A short column may have only the end of an entry with a hanging indent.
fn set_base(zone: &mut [Placed]) {
    const MIN_LENGTH: usize = 6;
    let leftmost = |lines: &[Placed]| lines.iter().map(|p| p.indent).fold(f32::MAX, f32::min);
    let whole = leftmost(zone);
    for column in zone.chunk_by_mut(|_, next| next.gap.is_some()) {
        let own = leftmost(column);
        let is_edge = |placed: &Placed| placed.indent - own < INDENT;
        let is_label = |placed: &Placed| is_edge(placed) && label(&placed.line.text).is_some();
        let base = if column.len() >= MIN_LENGTH || column.iter().any(is_label) {
            own
        } else {
            whole
        };
        for placed in column {
            placed.indent -= base;
        }
    }
}

/// The lines of a zone that begin a paragraph.
fn starts(zone: &[Placed]) -> Vec<bool> {
    if let Some(starts) = labelled(zone) {
        return starts;
    }
    let is_apart = |placed: &Placed| placed.gap.is_some_and(|gap| gap > GAP);
    // Text above the first line is another zone.
    let apart = zone.iter().skip(1).filter(|p| is_apart(p)).count();
    let named = named(zone);
    let by_indent = indent(zone);
    let last_indented = zone.iter().rposition(is_indented).unwrap_or_default();
    zone.iter()
        .enumerate()
        .map(|(n, placed)| {
            let before = n.checked_sub(1).and_then(|n| zone.get(n));
            let Some(before) = before else { return true };
            if placed.gap.is_some_and(|gap| gap > 2.0 * GAP) {
                return true;
            }
            match by_indent {
                // Text below without indents is split by its gaps and sentences.
                EntryIndent::Hanging if n > last_indented + 1 => {
                    is_apart(placed) || ends(before) && begins(placed)
                }
                EntryIndent::Hanging => !is_indented(placed),
                EntryIndent::First => is_indented(placed) || is_apart(placed),
                EntryIndent::Neither => {
                    let least_free = match placed.gap {
                        // The vertical space is unknown.
                        None if apart * 8 >= zone.len() => 1.0,
                        _ if apart == 0 => 3.0,
                        _ => f32::MAX,
                    };
                    let is_parted = ends(before) && begins(placed) && before.free > least_free;
                    // At the top of a column, names after an address.
                    let form = name_form(&placed.line.text);
                    let is_next = placed.gap.is_none()
                        && ends_in_address(&before.line.text)
                        && form.is_some_and(|form| form != NameForm::Address);
                    is_apart(placed) || is_parted || is_next || named.contains(&n)
                }
            }
        })
        .collect()
}

/// The lines that begin with a name in the form of the first line, after a line that may end an entry.
/// Empty if they are too few for a list.
fn named(zone: &[Placed]) -> HashSet<usize> {
    /// Maximum number of lines per entry.
    const MAX_LINES: usize = 6;
    const MIN_COUNT: usize = 3;
    let form = |n: usize| zone.get(n).and_then(|placed| name_form(&placed.line.text));
    let Some(first) = form(0) else {
        return HashSet::new();
    };
    let follows = |n: &usize| n.checked_sub(1).and_then(|n| zone.get(n)).is_none_or(ends);
    let lines = (0..zone.len())
        .filter(|n| form(*n) == Some(first))
        .filter(follows);
    let lines: HashSet<usize> = lines.collect();
    if lines.len() >= MIN_COUNT && lines.len() * MAX_LINES >= zone.len() {
        lines
    } else {
        HashSet::new()
    }
}

/// The form of the first name of an entry, or what stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameForm {
    /// `Doe, J.`, `Doe, Jane`
    Inverted,
    /// `Doe J,`, `Doe JR.`
    Bare,
    /// `J. Doe`
    InitialsFirst,
    /// `https://example.org`
    Address,
}

fn name_form(text: &str) -> Option<NameForm> {
    /// Maximum number of words of a family name.
    const MAX_WORDS: usize = 3;
    let is_initial = |word: &str| {
        let letters = word.trim_end_matches(['.', ',', ';', ':']);
        let is_dotted = word.len() > letters.len() && word.chars().nth(1) == Some('.');
        is_dotted && letters.starts_with(char::is_uppercase)
    };
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let words: Vec<&str> = text.split_whitespace().take(MAX_WORDS + 1).collect();
    let first = *words.first()?;
    if first.starts_with("http") || first.starts_with("www.") {
        return Some(NameForm::Address);
    }
    if is_initial(first) {
        let family = words.iter().skip(1).find(|word| !is_initial(word))?;
        return is_capital(family).then_some(NameForm::InitialsFirst);
    }
    let comma = words.iter().position(|word| word.ends_with(','))?;
    let before = words.get(..comma)?;
    let is_short = |word: &str| {
        let letters = word.trim_end_matches(',');
        (1..=3).contains(&letters.chars().count()) && letters.chars().all(char::is_uppercase)
    };
    let last = *words.get(comma)?;
    if is_short(last)
        && before
            .iter()
            .all(|word| word.chars().all(|c| c.is_alphabetic() || c == '-'))
    {
        return (!before.is_empty() && is_capital(first)).then_some(NameForm::Bare);
    }
    let is_family = before.iter().chain([&last]).any(|word| is_capital(word));
    let given = words.get(comma + 1)?;
    let is_given = is_initial(given) || is_capital(given) && given.ends_with([',', '.']);
    (is_family && is_given).then_some(NameForm::Inverted)
}

fn is_indented(placed: &Placed) -> bool {
    placed.indent > INDENT
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryIndent {
    /// All lines but the first are indented.
    Hanging,
    /// Only the first line is indented.
    First,
    Neither,
}

/// The kind of indent in a zone that gives the better starts and ends of paragraphs.
fn indent(zone: &[Placed]) -> EntryIndent {
    // Text below without indents does not show their kind.
    let shown = zone.iter().rposition(is_indented).unwrap_or(zone.len());
    let pairs = || zone.iter().zip(zone.iter().skip(1)).take(shown);
    let quality = |is_indented_start: bool| {
        let starts = pairs().filter(|(_, p)| is_indented(p) == is_indented_start);
        let (mut good, mut all) = (0, 0);
        for (before, placed) in starts {
            all += 2;
            good += usize::from(ends(before)) + usize::from(begins(placed));
        }
        (good, all)
    };
    let (hanging, first) = (quality(false), quality(true));
    let least = zone.len() * 2 / 12;
    if first.1 < least.max(2) {
        return EntryIndent::Neither;
    }
    // In prose most lines shaped like list entries are not references; in a list most first lines are. Prose below a
    // list makes its share smaller, but leaves few indented lines that could begin a paragraph.
    let share = |(good, all): (usize, usize)| good as f32 / all.max(1) as f32;
    let least = if share(first) < 0.25 { 0.4 } else { 0.6 };
    let is_hanging = share(hanging) > share(first) && share(hanging) > least
        || hanging.1 == 0 && share(first) <= 0.5;
    if is_hanging {
        EntryIndent::Hanging
    } else {
        EntryIndent::First
    }
}

/// Whether a line may end a paragraph. A title follows the names of authors.
fn ends(placed: &Placed) -> bool {
    let text = placed.line.text.trim_end();
    !text.ends_with("et al.") && text.ends_with(['.', '?', '!', ')', ']', '。', '/', '”', ':'])
        || ends_in_address(text)
        || placed.free > 2.0 && text.ends_with(|c: char| c.is_ascii_digit())
}

fn ends_in_address(text: &str) -> bool {
    let last = text.split_whitespace().next_back();
    last.is_some_and(|word| word.contains("http") || word.contains("10."))
}

/// Whether a line may begin a paragraph.
fn begins(placed: &Placed) -> bool {
    let text = placed.line.text.as_str();
    let first = text.chars().find(|c| c.is_alphanumeric());
    label(text).is_some()
        || text.starts_with(['“', '„', '«', '"', '—'])
        || first.is_some_and(|c| !c.is_lowercase() && !c.is_ascii_digit())
}

/// The form of an entry label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LabelForm {
    /// `[1]`
    Brackets,
    /// `(1)`
    Parentheses,
    /// `1.`, `1)`
    Point,
    /// `1`
    Bare,
}

/// The label that a line begins with.
fn label(text: &str) -> Option<(LabelForm, u32)> {
    let inside = text.trim_start_matches(['[', '(']);
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = inside.get(..inside.len() - rest.len())?;
    let number = (1..=4)
        .contains(&digits.len())
        .then(|| digits.parse().ok())??;
    let opening = text.get(..text.len() - inside.len())?;
    let behind = |closing: char| rest.strip_prefix(closing);
    let mark = match opening {
        "[" => behind(']').map(|_| LabelForm::Brackets),
        "(" => behind(')').map(|_| LabelForm::Parentheses),
        "" => match behind('.').or_else(|| behind(')')) {
            Some(rest) => {
                (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some(LabelForm::Point)
            }
            None => {
                let rest = rest.trim_start();
                let is_word = rest.starts_with(|c: char| c.is_uppercase() || "“\"‘".contains(c));
                is_word.then_some(LabelForm::Bare)
            }
        },
        _ => None,
    };
    Some((mark?, number))
}

/// The label of a title that begins with a digit: `4 3D maps`.
fn digit_label(text: &str) -> Option<(LabelForm, u32)> {
    let (number, title) = text.split_once(' ')?;
    let word = title.split_whitespace().next()?;
    let is_title = word.starts_with(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
        && title.contains(' ');
    let number = (1..=3)
        .contains(&number.len())
        .then(|| number.parse().ok())??;
    is_title.then_some((LabelForm::Bare, number))
}

/// If labels increase from line to line, lines with the next label begin entries. Lines above the first
/// label are split by indent.
fn labelled(zone: &[Placed]) -> Option<Vec<bool>> {
    const MIN_COUNT: usize = 3;
    let labels: Vec<Option<(LabelForm, u32)>> = zone
        .iter()
        .map(|placed| label(&placed.line.text).or_else(|| digit_label(&placed.line.text)))
        .collect();
    let marks = [
        LabelForm::Brackets,
        LabelForm::Parentheses,
        LabelForm::Point,
        LabelForm::Bare,
    ];
    let chains = marks.into_iter().map(|mark| chain(zone, &labels, mark));
    let chain = chains.max_by_key(Vec::len)?;
    let begun = chain.len() >= MIN_COUNT
        || chain.len() == 2 && chain.first() == Some(&0)
        || keyed(zone).len() >= MIN_COUNT;
    if !begun {
        return None;
    }
    let keyed = keyed(zone);
    let chain = if keyed.len() > chain.len() {
        keyed
    } else {
        chain
    };
    let (first, last) = (*chain.first()?, *chain.last()?);
    let mut starts = match zone.get(..first) {
        Some(above) if !above.is_empty() => self::starts(above),
        _ => Vec::new(),
    };
    // A figure at the top of a column may interrupt an entry.
    let is_caption = |placed: &Placed| placed.gap.is_none() && is_caption(&placed.line.text);
    let is_first =
        |n: usize| chain.binary_search(&n).is_ok() || zone.get(n).is_some_and(is_caption);
    starts.extend((first..=last).map(is_first));
    // After the last label, the entry ends at a gap or a change of layout.
    let edge = zone.get(last).map_or(0.0, |placed| placed.indent);
    let inside = (first..last).filter(|n| chain.binary_search(n).is_err());
    let hangs = {
        let indents = || {
            inside
                .clone()
                .filter_map(|n| zone.get(n))
                .map(|placed| placed.indent)
        };
        indents().next().is_some() && indents().all(|indent| indent > edge + INDENT)
    };
    let mut gaps = chain.iter().skip(1).filter_map(|n| zone.get(*n)?.gap);
    let has_gaps = chain.len() >= MIN_COUNT && gaps.all(|gap| gap > GAP);
    let mut before = zone.get(last);
    let mut is_over = false;
    for placed in zone.get(last + 1..).unwrap_or_default() {
        let is_apart = placed.gap.is_some_and(|gap| gap > GAP * 1.1);
        // Entries with a hanging indent do not continue at the left edge; others end with a short line, if not at a
        // gap.
        let is_left = hangs && placed.indent < edge + INDENT;
        let is_short =
            !hangs && !has_gaps && before.is_some_and(|before| ends(before) && before.free > 3.0);
        let is_start = is_apart
            || !is_over && (is_left || is_short && begins(placed))
            || is_over && placed.gap.is_none() && begins(placed)
            || is_over && is_indented(placed);
        before = Some(placed);
        is_over |= is_start;
        starts.push(is_start);
    }
    Some(starts)
}

/// The lines on which labels of one kind increase by one, or by a few if the numbers between do not occur.
fn chain(zone: &[Placed], labels: &[Option<(LabelForm, u32)>], mark: LabelForm) -> Vec<usize> {
    /// Maximum number of chains; more sequences that begin with 1 are tables.
    const MAX_CHAINS: usize = 50;
    /// Maximum number of consecutive numbers that a list leaves out.
    const MAX_LOST: u32 = 3;
    let mut begun = 0;
    let mut best: Vec<usize> = Vec::new();
    let firsts = labels
        .iter()
        .enumerate()
        .filter_map(|(n, label)| match label {
            Some((own, number)) if *own == mark => Some((n, *number)),
            _ => None,
        });
    let numbered: Vec<(usize, u32)> = firsts.collect();
    // A number that comes later is not left out.
    let last_of: HashMap<u32, usize> = numbered.iter().map(|(n, number)| (*number, *n)).collect();
    let is_left_out = |number: u32, n: usize| last_of.get(&number).is_none_or(|last| *last < n);
    let lost = if mark == LabelForm::Bare { 0 } else { MAX_LOST };
    for (at, (first, number)) in numbered.iter().enumerate() {
        // A chain begins where no other continues.
        if *number > 1 && at > 0 || best.binary_search(first).is_ok() {
            continue;
        }
        begun += 1;
        if begun > MAX_CHAINS {
            break;
        }
        let indent = zone.get(*first).map_or(0.0, |placed| placed.indent);
        let mut chain = vec![*first];
        let mut next = number + 1;
        for (n, number) in numbered.iter().skip(at + 1) {
            let is_aligned = zone
                .get(*n)
                .is_some_and(|placed| (placed.indent - indent).abs() < 1.6);
            let goes_on = (next..=next + lost).contains(number)
                && (next..*number).all(|number| is_left_out(number, *n));
            if goes_on && is_aligned {
                chain.push(*n);
                next = number + 1;
            }
        }
        if chain.len() > best.len() {
            best = chain;
        }
    }
    best
}

/// The lines that begin with `[Doe01]` or `Doe01: `.
fn keyed(zone: &[Placed]) -> Vec<usize> {
    let is_labelled = |placed: &Placed| {
        let text = placed.line.text.as_str();
        if entry_key(text).is_some_and(|key| key.contains(|c: char| c.is_ascii_digit())) {
            return Some(());
        }
        let (label, rest) = text.strip_prefix('[')?.split_once(']')?;
        let has_year = label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.contains(|c: char| c.is_ascii_digit());
        let is_label = (2..=12).contains(&label.chars().count())
            && label.starts_with(char::is_alphabetic)
            && label
                .chars()
                .all(|c| c.is_alphanumeric() || "+*-".contains(c) || c == ' ' && has_year)
            && !rest.is_empty();
        is_label.then_some(())
    };
    let like = (0..zone.len()).filter(|n| zone.get(*n).and_then(is_labelled).is_some());
    like.collect()
}
