//! The numbers, letters and bullets before the references of a list.

use super::line::Line;
use crate::words;

/// A mark at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub form: MarkForm,
    /// The byte length from the start of the text to the reference.
    pub length: usize,
    /// Its number in the sequence; absent for bullets and keys.
    pub number: Option<u32>,
}

/// The form of a mark. A list has one form throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkForm {
    /// `[12]`, `［12］`, `【12】`
    Square,
    /// `(12)`, `（12）`
    Round,
    /// `12.`, `12．`, `12、`
    Stopped,
    /// `12)`, `12]`
    Closed,
    /// `12` and a tab
    Tabulated,
    /// `①`
    Circled,
    /// `a)` and `(a)`
    Letter {
        round: bool,
    },
    /// `iv)` and `(iv)`
    Roman {
        round: bool,
    },
    Bullet(char),
    /// `\bibitem{knuth}`
    Bibitem,
    /// `[Knu84]`
    Key,
}

impl MarkForm {
    /// Whether the mark is in brackets that are rarely used for anything else.
    fn is_bracketed(self) -> bool {
        matches!(self, MarkForm::Square | MarkForm::Circled)
    }
}

/// The mark of a line that begins a reference.
#[derive(Clone, Copy, Debug)]
pub struct MarkedStart {
    /// The index of the line.
    pub line: usize,
    pub mark: Mark,
}

/// The lines that begin the references of a marked list, in order; `None` if the list has no marks.
/// `content` has the lines that are neither blank nor headings.
pub fn starts(lines: &[Line<'_>], content: &[usize]) -> Option<Vec<MarkedStart>> {
    let mut forms: Vec<(MarkForm, Vec<MarkedStart>)> = Vec::new();
    for &line in content {
        let Some(text) = lines.get(line).map(|line| line.text) else {
            continue;
        };
        for mark in marks(text) {
            let start = MarkedStart { line, mark };
            match forms.iter_mut().find(|(form, _)| *form == mark.form) {
                Some((_, list)) => list.push(start),
                None => forms.push((mark.form, vec![start])),
            }
        }
    }
    let mut best: Option<Vec<MarkedStart>> = None;
    for (form, list) in forms {
        let run = run(form, &list, lines);
        let longest = best.as_ref().map_or(0, Vec::len);
        if run.len() > longest && is_enough(&run, content) {
            best = Some(run);
        }
    }
    best
}

/// Whether the number of marks makes a list: three, or two that begin with the list or with number
/// one, or one if there is no other content.
fn is_enough(run: &[MarkedStart], content: &[usize]) -> bool {
    let Some(first) = run.first() else {
        return false;
    };
    let at_start = content.first() == Some(&first.line);
    let from_one = first.mark.number.is_none_or(|number| number <= 1);
    match run.len() {
        1 => content.len() == 1,
        2 => at_start || from_one,
        _ => true,
    }
}

/// The marks of one form in sequence.
fn run(form: MarkForm, list: &[MarkedStart], lines: &[Line<'_>]) -> Vec<MarkedStart> {
    let first = list.first().and_then(|start| start.mark.number);
    // Markdown renumbers lists, so every item may be `1.`.
    let alike = list.iter().all(|start| start.mark.number == first);
    if first.is_none() || (alike && list.len() > 1) {
        return list.to_vec();
    }
    let list: Vec<MarkCandidate> = list
        .iter()
        .map(|start| MarkCandidate {
            start: *start,
            number: i64::from(start.mark.number.unwrap_or_default()),
            is_begun: is_begun(lines, start),
        })
        .collect();
    // Quoted references may be out of order: `[12]` before `[5]`.
    if form.is_bracketed() && list.iter().all(|candidate| candidate.is_begun) {
        return list.iter().map(|candidate| candidate.start).collect();
    }
    /// The maximum number of marks tried as the first of a run; those before its first are strays.
    const MAX_FIRSTS: usize = 8;
    let mut best = Vec::new();
    for from in 0..list.len().min(MAX_FIRSTS) {
        let rest = list.get(from..).unwrap_or_default();
        for direction in [1, -1] {
            let run = counted(rest, direction, lines);
            if run.len() > best.len() {
                best = run;
            }
        }
    }
    best
}

/// A mark that may be the next of a run.
struct MarkCandidate {
    start: MarkedStart,
    number: i64,
    /// Whether the text above is complete.
    is_begun: bool,
}

/// The maximum number of marks searched for the next number.
const LOOK_AHEAD: usize = 50;

/// The maximum number of missing numbers between two marks.
const MAX_GAP: i64 = 3;

/// Marks that count up or down from the first. Counting may restart at one in a new part of the
/// list.
fn counted(list: &[MarkCandidate], direction: i64, lines: &[Line<'_>]) -> Vec<MarkedStart> {
    let mut run: Vec<MarkedStart> = Vec::new();
    let mut expected = list.first().map_or(0, |first| first.number);
    for (n, candidate) in list.iter().enumerate() {
        let (start, number) = (&candidate.start, candidate.number);
        let ahead = list.get(n + 1..).unwrap_or_default();
        let ahead = ahead.get(..LOOK_AHEAD.min(ahead.len())).unwrap_or_default();
        let step = (number - expected) * direction;
        let fits = match step {
            0 if run.is_empty() => true,
            0 => {
                let again = ahead
                    .iter()
                    .take_while(|other| other.number != expected + direction)
                    .any(|other| other.number == expected && other.is_begun);
                !breaks_off(lines, start) && (candidate.is_begun || !again)
            }
            _ if number == 1 && direction == 1 => {
                let mut following = ahead.iter().map(|other| other.number);
                let begun = candidate.is_begun || above(lines, start).is_some_and(Line::is_title);
                begun && following.find(|n| *n == 2 || *n == expected) == Some(2)
            }
            1..=MAX_GAP => {
                candidate.is_begun && !ahead.iter().any(|other| other.number == expected)
            }
            _ => false,
        };
        if fits {
            expected = number + direction;
            run.push(*start);
        }
    }
    run
}

/// Whether the text in the line above is complete.
fn is_begun(lines: &[Line<'_>], start: &MarkedStart) -> bool {
    above(lines, start)
        .is_none_or(|above| above.is_blank() || above.is_ended() || above.is_heading())
}

/// Whether the line above breaks off before a number: `pp. 11–`.
fn breaks_off(lines: &[Line<'_>], start: &MarkedStart) -> bool {
    above(lines, start).is_some_and(|above| above.text.ends_with(['–', '-', '(']))
}

fn above<'l, 'a>(lines: &'l [Line<'a>], start: &MarkedStart) -> Option<&'l Line<'a>> {
    lines.get(start.line.checked_sub(1)?)
}

/// The mark of a separate text, if it is not ambiguous with a word.
pub fn lone_mark(text: &str) -> Option<Mark> {
    let is_doubtful = |form: MarkForm| {
        matches!(
            form,
            MarkForm::Letter { .. } | MarkForm::Roman { .. } | MarkForm::Key
        )
    };
    marks(text).into_iter().find(|mark| !is_doubtful(mark.form))
}

/// The possible marks at the start of a text. A letter may also be a Roman numeral.
pub fn marks(text: &str) -> Vec<Mark> {
    let indent = text.len() - text.trim_start().len();
    let rest = text.trim_start();
    let mut found = Vec::new();
    if let Some(mark) = bullet(rest)
        .or_else(|| bibitem(rest))
        .or_else(|| numbered(rest))
    {
        found.push(mark);
    } else {
        found.extend(lettered(rest));
        found.extend(key(rest));
    }
    for mark in &mut found {
        mark.length += indent;
    }
    found
}

fn bullet(text: &str) -> Option<Mark> {
    let first = text.chars().next()?;
    let white = white_after(text, first.len_utf8())?;
    let alone = "•‣▪▫◦●○◉■□◆◇►▶▸▹→➔➢➤✓✔❖⁃∙\u{f0b7}\u{f0a7}".contains(first);
    let spaced = "·–—*-+※★☆".contains(first) && white > 0;
    (alone || spaced).then_some(Mark {
        form: MarkForm::Bullet(first),
        length: first.len_utf8() + white,
        number: None,
    })
}

/// The length of the white space behind this byte position.
fn white_after(text: &str, length: usize) -> Option<usize> {
    let behind = text.get(length..)?;
    Some(behind.len() - behind.trim_start().len())
}

/// `\bibitem[Knuth(1984)]{knuth}`
fn bibitem(text: &str) -> Option<Mark> {
    let rest = text.strip_prefix("\\bibitem")?;
    let rest = match rest.strip_prefix('[') {
        Some(label) => label.get(label.find("]{")? + 1..)?,
        None => rest,
    };
    let behind = rest.strip_prefix('{')?.split_once('}')?.1;
    Some(Mark {
        form: MarkForm::Bibitem,
        length: text.len() - behind.trim_start().len(),
        number: None,
    })
}

fn numbered(text: &str) -> Option<Mark> {
    let first = text.chars().next()?;
    if let Some(number) = circled(first) {
        let length = first.len_utf8();
        return Some(Mark {
            form: MarkForm::Circled,
            length: length + white_after(text, length)?,
            number: Some(number),
        });
    }
    let (form, closing): (Option<MarkForm>, &[char]) = match first {
        '[' | '［' | '【' | '〔' => (Some(MarkForm::Square), &[']', '］', '】', '〕']),
        '(' | '（' => (Some(MarkForm::Round), &[')', '）']),
        _ => (None, &['.', '．', '、', ')', '）', ']', '\t']),
    };
    let inside = form.map_or(0, |_| first.len_utf8());
    let digits = text
        .get(inside..)?
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let number: u32 = text.get(inside..inside + digits)?.parse().ok()?;
    let close = text.get(inside + digits..)?.chars().next()?;
    if !closing.contains(&close) {
        return None;
    }
    let form = form.unwrap_or(match close {
        '.' | '．' | '、' => MarkForm::Stopped,
        '\t' => MarkForm::Tabulated,
        _ => MarkForm::Closed,
    });
    let end = inside + digits + close.len_utf8();
    let white = white_after(text, end)?;
    // `12.5` is a number, and `(2001) Title` or `1990. Title` begin with a year.
    let rest = text.get(end..)?;
    let goes_on =
        form == MarkForm::Stopped && white == 0 && rest.starts_with(|c: char| c.is_ascii_digit());
    let year = digits == 4 && form != MarkForm::Square;
    (!goes_on && !year).then_some(Mark {
        form,
        length: end + white,
        number: Some(number),
    })
}

/// The circled number, from 1 to 20.
fn circled(c: char) -> Option<u32> {
    ('①'..='⑳')
        .contains(&c)
        .then(|| u32::from(c) - u32::from('①') + 1)
}

/// The largest Roman numeral considered.
const MAX_ROMAN: u32 = 99;

/// `a)`, `(a)`, `iv)`, `(iv)`, in small letters.
fn lettered(text: &str) -> Vec<Mark> {
    let round = text.starts_with('(');
    let inside = text.get(usize::from(round)..).unwrap_or_default();
    let Some((letters, behind)) = inside.split_once(')') else {
        return Vec::new();
    };
    let plain = (1..=6).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_lowercase());
    if !plain || !behind.starts_with(char::is_whitespace) {
        return Vec::new();
    }
    let length = text.len() - behind.trim_start().len();
    let of = |form, number| Mark {
        form,
        length,
        number: Some(number),
    };
    let mut found = Vec::new();
    if let [letter] = letters.as_bytes() {
        found.push(of(MarkForm::Letter { round }, u32::from(letter - b'a') + 1));
    }
    if let Some(number) = words::roman(letters).filter(|number| *number <= MAX_ROMAN) {
        found.push(of(MarkForm::Roman { round }, number));
    }
    found
}

/// `[Knu84]`, `[ABC+12a]`, `[Knuth 1984]`: a word and a year in square brackets.
fn key(text: &str) -> Option<Mark> {
    let (label, behind) = text.strip_prefix('[')?.split_once(']')?;
    let has_digit = label.contains(|c: char| c.is_ascii_digit());
    let fits = label.len() <= 24 && label.starts_with(char::is_alphabetic) && has_digit;
    (fits && behind.starts_with(char::is_whitespace)).then_some(Mark {
        form: MarkForm::Key,
        length: text.len() - behind.trim_start().len(),
        number: None,
    })
}
