//! A list of references as people paste it, taken apart: numbered, bulleted, wrapped, under
//! headings, parted by blank lines, or glued together.

use std::ops::Range;

use super::reference::{Reference, Role};

/// One reference of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The reference in one line, without its number or bullet; a word broken by a hyphen at the
    /// end of a line is put together.
    pub text: String,
    /// Where it stands in the input, in bytes.
    pub span: Range<usize>,
    /// The line on which it begins, from 1.
    pub line: usize,
}

/// How many references are taken from one text.
pub const MOST_PIECES: usize = 10_000;

/// Takes a pasted text apart. Text without any sign of a list is one reference.
pub fn split(text: &str) -> Vec<Piece> {
    let lines = lines(text);
    let style = Style::of(&lines);
    let mut pieces = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for (n, line) in lines.iter().enumerate() {
        if line.is_blank() {
            if style.blank_parts {
                pieces.extend(open.take());
            }
            continue;
        }
        if line.is_heading() {
            pieces.extend(open.take());
            continue;
        }
        let begins = open.is_none() || style.begins(&lines, n);
        if begins {
            pieces.extend(open.take());
            open = Some(line.span.clone());
        } else if let Some(open) = &mut open {
            open.end = line.span.end;
        }
    }
    pieces.extend(open);
    let mut pieces: Vec<Piece> = pieces
        .into_iter()
        .flat_map(|span| glued(text, span))
        .filter_map(|span| piece(text, span, &lines))
        .take(MOST_PIECES)
        .collect();
    if pieces.len() > 1 {
        pieces.retain(|piece| !is_caption(&piece.text));
    }
    repeat_authors(&mut pieces);
    pieces
}

/// Whether a piece is the heading of a part of the list (`Primary sources`) or the number of a
/// page: a few words, and nothing that a reference is punctuated with.
fn is_caption(text: &str) -> bool {
    const MOST_WORDS: usize = 5;
    let is_page = text.chars().all(|c| c.is_ascii_digit());
    let is_plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '&' | '-' | ':');
    let spaced = text.is_ascii() || text.contains(' ');
    is_page || (spaced && text.chars().all(is_plain) && text.split(' ').count() <= MOST_WORDS)
}

/// Writes the authors out where a dash stands for those of the reference before: `———. 1990.`
fn repeat_authors(pieces: &mut [Piece]) {
    for n in 1..pieces.len() {
        let (before, rest) = pieces.split_at_mut(n);
        let (Some(before), Some(piece)) = (before.last(), rest.first_mut()) else {
            continue;
        };
        if let Some(behind) = behind_dashes(&piece.text)
            && let Some(authors) = head(&before.text)
        {
            piece.text = format!("{authors}{behind}");
        }
    }
}

/// What follows two dashes or more at the start of a text.
fn behind_dashes(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['—', '–', '―', '-', '_']);
    let dashes = text.get(..text.len() - rest.len())?.chars().count();
    (dashes >= 2 && rest.starts_with(['.', ',', ' ', ':', '('])).then_some(rest)
}

/// The authors at the start of a reference, as they are written.
fn head(text: &str) -> Option<&str> {
    let reference = Reference::parse(super::reference::cut(text, HEAD));
    let names = reference
        .roles
        .iter()
        .take_while(|role| **role == Role::Name)
        .count();
    let end = reference.token(names.checked_sub(1)?)?.span.end;
    text.get(..end)
}

/// One line of the input.
struct Line<'a> {
    text: &'a str,
    span: Range<usize>,
}

/// What parts the references of a list.
struct Style {
    /// Numbers (`[12]`, `12.`) or bullets begin them.
    marked: bool,
    blank_parts: bool,
    /// Lines that go on are indented.
    hanging: bool,
    /// Every line is a reference.
    each_line: bool,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let span = start..start + line.trim_end().len();
            start += line.len();
            Line {
                text: line.trim_end(),
                span,
            }
        })
        .collect()
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t', '\u{a0}'])
    }

    /// Whether the line names the list (`References`, `Literaturverzeichnis:`) or the page.
    fn is_heading(&self) -> bool {
        let bare = self
            .text
            .trim()
            .trim_matches(['#', '*', '=', '-', ':', '.', ' ']);
        let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        let folded = super::normalize::fold(bare);
        matches!(
            folded.as_str(),
            "references"
                | "reference list"
                | "bibliography"
                | "works cited"
                | "literature cited"
                | "literature"
                | "cited works"
                | "sources"
                | "further reading"
                | "notes and references"
                | "literatur"
                | "literaturverzeichnis"
                | "quellen"
                | "quellenverzeichnis"
                | "bibliographie"
                | "bibliografie"
                | "references bibliographiques"
                | "ouvrages cites"
                | "bibliografia"
                | "referencias"
                | "referencias bibliograficas"
                | "riferimenti bibliografici"
                | "literatuur"
                | "literatura"
                | "referenser"
                | "litteratur"
                | "参考文献"
                | "参考資料"
                | "spisok literatury"
                | "literature tsitirovannaya"
        )
    }

    /// The length of a number or bullet at the start, with the white space behind it.
    fn marker(&self) -> Option<usize> {
        let indent = self.text.len() - self.text.trim_start().len();
        let rest = self.text.trim_start();
        marker_length(rest).map(|length| indent + length)
    }

    /// Whether the line may begin a reference: a capital, a digit, a quotation mark, or a script
    /// without capitals.
    fn may_begin(&self) -> bool {
        let particle = [
            "van ", "von ", "de ", "d'", "del ", "della ", "di ", "da ", "le ", "la ", "ten ",
            "ter ",
        ];
        let trimmed = self.text.trim_start();
        particle.iter().any(|p| trimmed.starts_with(p))
            || behind_dashes(trimmed).is_some()
            || trimmed.chars().next().is_some_and(|c| {
                !c.is_lowercase()
                    && (c.is_alphanumeric() || matches!(c, '“' | '"' | '«' | '„' | '['))
            })
    }
}

/// `[12]`, `(12)`, `12.`, `12)`, `•`, `-`, each with what stands between it and the reference.
fn marker_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if matches!(
        first,
        '•' | '‣' | '▪' | '◦' | '·' | '–' | '—' | '*' | '-' | '+'
    ) {
        let behind = text.get(first.len_utf8()..)?;
        let white = behind.len() - behind.trim_start().len();
        return (white > 0).then_some(first.len_utf8() + white);
    }
    let bracket = matches!(first, '[' | '(');
    let inside = text.get(usize::from(bracket)..)?;
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let behind = inside.get(digits..)?;
    let close = behind.chars().next()?;
    let closed = match (first, close) {
        ('[', ']') | ('(', ')') => true,
        ('[' | '(', _) => false,
        (_, '.' | ')' | ']') => true,
        (_, '\t') => return Some(digits + 1),
        _ => false,
    };
    let rest = behind.get(close.len_utf8()..)?;
    let white = rest.len() - rest.trim_start().len();
    // `12.5` is a number, and `(2001) Title` a year.
    let number = !bracket && white == 0 && rest.starts_with(|c: char| c.is_ascii_digit());
    let year = first == '(' && digits == 4;
    (closed && !number && !year).then(|| usize::from(bracket) + digits + close.len_utf8() + white)
}

impl Style {
    fn of(lines: &[Line<'_>]) -> Style {
        let full: Vec<&Line> = lines
            .iter()
            .filter(|l| !l.is_blank() && !l.is_heading())
            .collect();
        let count = |test: &dyn Fn(&Line) -> bool| full.iter().filter(|line| test(line)).count();
        let marked = count(&|l| l.marker().is_some());
        let indented = count(&|l| l.is_indented());
        let longest = full
            .iter()
            .map(|l| l.text.chars().count())
            .max()
            .unwrap_or(0);
        let first_is_marked = full.first().is_some_and(|l| l.marker().is_some());
        let blank_between = lines.windows(3).any(
            |three| matches!(three, [a, b, c] if !a.is_blank() && b.is_blank() && !c.is_blank()),
        );
        let marks = first_is_marked && (marked >= 2 || full.len() == 1);
        let hanging =
            indented > 0 && indented < full.len() && !full.first().is_some_and(|l| l.is_indented());
        // Wrapped text has lines of much the same length; references on a line each end with a
        // full stop, a page or an address, and begin like references.
        let ended = full.iter().filter(|l| ends_like_reference(l.text)).count();
        let started = count(&|l| l.may_begin());
        let each_line = full.len() > 1
            && started == full.len()
            && ended * 10 >= full.len() * 8
            && (longest > 100 || ended == full.len());
        Style {
            marked: marks,
            blank_parts: blank_between || !marks,
            hanging,
            each_line,
        }
    }

    fn begins(&self, lines: &[Line<'_>], n: usize) -> bool {
        let Some(line) = lines.get(n) else {
            return true;
        };
        if self.marked {
            return line.marker().is_some();
        }
        if self.hanging {
            return !line.is_indented();
        }
        if self.each_line {
            return true;
        }
        let before = n.checked_sub(1).and_then(|n| lines.get(n));
        let ended = before.is_some_and(|before| ends_like_reference(before.text));
        ended && line.may_begin() && looks_like_head(line.text)
    }
}

/// Whether a line ends as references do: with a full stop behind something that is no
/// abbreviation, with a number, or with an address.
fn ends_like_reference(line: &str) -> bool {
    let line = line.trim_end();
    let last_word = line.split_whitespace().next_back().unwrap_or_default();
    let address =
        last_word.contains("://") || last_word.starts_with("10.") || last_word.contains("doi");
    let bare = last_word.trim_end_matches(['.', ')', ']', '”', '"', '»', '。']);
    let stopped = line.ends_with(['.', '。', ')', ']']) && bare.chars().count() > 2;
    let number =
        bare.ends_with(|c: char| c.is_ascii_digit()) && !last_word.ends_with([',', ':', ';', '-']);
    address || stopped || number
}

/// Bytes of a reference in which its authors are looked for.
const HEAD: usize = 200;

/// Bytes in which a reference that is glued to another has its authors and its year.
const LONGEST_GLUED: usize = 600;

/// Whether a line begins with names (`Berg, J.`, `Berg JP,`, `J. P. Berg`) or with dashes that
/// stand for them.
fn looks_like_head(line: &str) -> bool {
    let line = line.trim_start();
    let head = super::reference::cut(line, HEAD);
    behind_dashes(line).is_some() || !Reference::parse(head).names.is_empty()
}

/// References glued together on one line: `… 12–14. [13] Doe …`, `… 12–14. 13. Doe …`, or with
/// nothing between the pages of one and the authors of the next.
fn glued(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let Some(whole) = text.get(span.clone()) else {
        return Vec::new();
    };
    let start = whole.trim_start();
    let forms: [fn(&str) -> Option<u32>; 3] = [bracket_number, stopped_number, closed_number];
    let numbered = forms
        .into_iter()
        .find_map(|form| Some((form, form(start)?)));
    let cuts = match numbered {
        Some((form, first)) => numbered_cuts(whole, form, first),
        None => authors_behind_pages(whole),
    };
    let mut pieces = Vec::new();
    let mut start = span.start;
    for cut in cuts {
        pieces.push(start..span.start + cut);
        start = span.start + cut;
    }
    pieces.push(start..span.end);
    pieces
}

/// Where the numbers that follow the first one in their order begin.
fn numbered_cuts(whole: &str, number: fn(&str) -> Option<u32>, first: u32) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut next = first + 1;
    let opens = |c: char| c == '[' || c.is_ascii_digit();
    for (at, _) in whole.match_indices(opens) {
        let head = whole.get(..at).unwrap_or_default();
        let ended = head.trim_end().ends_with(['.', ')', ']'])
            && (head.ends_with(char::is_whitespace) || head.ends_with('.'));
        if ended && whole.get(at..).and_then(number) == Some(next) {
            cuts.push(at);
            next += 1;
        }
    }
    cuts
}

/// Where a reference with authors and a year begins behind another that has its year and pages:
/// `… 1953;171:737. Berg A, Doe J. …`.
fn authors_behind_pages(whole: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut from = 0;
    for (at, _) in whole.match_indices(['.', ';', '\n']) {
        let (Some(before), Some(behind)) = (whole.get(from..at), whole.get(at + 1..)) else {
            continue;
        };
        let closed = before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']'));
        let begins = behind.starts_with(char::is_whitespace)
            && behind.trim_start().starts_with(char::is_uppercase);
        if closed && begins && is_placed(before) && has_head_and_year(behind.trim_start()) {
            from = at + 1;
            cuts.push(from);
        }
    }
    cuts
}

fn is_placed(text: &str) -> bool {
    let end = super::reference::cut_front(text, LONGEST_GLUED);
    let reference = Reference::parse(end);
    reference.year().is_some() && reference.pages.is_some()
}

/// Whether a text begins with an author whose initials are told, set off from what follows, and
/// has a year. `Eur J Cancer 2010` and `Social Forces. 2004` are journals.
fn has_head_and_year(text: &str) -> bool {
    let reference = Reference::parse(super::reference::cut(text, LONGEST_GLUED));
    let Some(name) = reference.names.first() else {
        return false;
    };
    let given = name.given.as_deref().unwrap_or_default();
    let initials = given.chars().filter(|c| c.is_alphabetic());
    let is_initials =
        (1..=4).contains(&initials.clone().count()) && initials.clone().all(char::is_uppercase);
    let end = reference
        .roles
        .iter()
        .take_while(|role| **role == Role::Name);
    let set_off = !reference.gap(end.count()).trim().is_empty();
    is_initials && set_off && reference.role(0) == Role::Name && reference.year().is_some()
}

/// `13. Doe`: a number, a full stop and a capital.
fn stopped_number(text: &str) -> Option<u32> {
    number_before(text, '.')
}

/// `13) Doe`: a number, a bracket and a capital.
fn closed_number(text: &str) -> Option<u32> {
    number_before(text, ')')
}

fn number_before(text: &str, mark: char) -> Option<u32> {
    let end = text.find(mark).filter(|end| *end <= 3)?;
    let behind = text.get(end + 1..)?;
    let capital = behind
        .trim_start()
        .chars()
        .next()
        .is_some_and(char::is_uppercase);
    let spaced = behind.starts_with(char::is_whitespace);
    text.get(..end)?.parse().ok().filter(|_| spaced && capital)
}

fn bracket_number(text: &str) -> Option<u32> {
    let inside = text.strip_prefix('[')?;
    let end = inside.find(']').filter(|end| *end <= 4)?;
    inside.get(..end)?.parse().ok()
}

fn piece(text: &str, span: Range<usize>, lines: &[Line<'_>]) -> Option<Piece> {
    let raw = text.get(span.clone())?;
    let lead = raw.len() - raw.trim_start().len();
    let body = raw.trim();
    let marker = marker_length(body).unwrap_or(0);
    let joined = join_lines(body.get(marker..)?);
    if !joined.chars().any(char::is_alphanumeric) {
        return None;
    }
    let start = span.start + lead;
    let line = lines.iter().take_while(|l| l.span.start <= start).count();
    Some(Piece {
        text: joined,
        span: start..start + body.len(),
        line: line.max(1),
    })
}

/// One line of several; a hyphen between small letters at the end of a line goes.
fn join_lines(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let broken = joined.ends_with('-')
            && joined.chars().rev().nth(1).is_some_and(char::is_lowercase)
            && line.starts_with(char::is_lowercase);
        let address = joined
            .rsplit(' ')
            .next()
            .is_some_and(|word| word.contains("://") || word.starts_with("10."));
        let goes_on = address && joined.ends_with(['/', '-', '.', '_']);
        if broken && !address {
            joined.pop();
        } else if !joined.is_empty() && !goes_on {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = split(text);
        let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, expected, "{text:?}");
        for piece in found {
            assert!(text.get(piece.span.clone()).is_some_and(|s| !s.is_empty()));
        }
    }

    #[test]
    fn numbers_begin_references() {
        check(
            "References\n[1] Doe J. First title of\n    the list. Ring. 2001.\n[2] Roe R. Second. Ring. 2002.",
            &[
                "Doe J. First title of the list. Ring. 2001.",
                "Roe R. Second. Ring. 2002.",
            ],
        );
        check("1. Doe J. A.\n2. Roe R. B.\n", &["Doe J. A.", "Roe R. B."]);
        check("• Doe J. A.\n• Roe R. B.", &["Doe J. A.", "Roe R. B."]);
    }

    #[test]
    fn blank_lines_part_references() {
        check(
            "Doe, J. (2001). A long\ntitle. Ring, 3.\n\nRoe, R. (2002). Another.",
            &[
                "Doe, J. (2001). A long title. Ring, 3.",
                "Roe, R. (2002). Another.",
            ],
        );
    }

    #[test]
    fn every_line_may_be_a_reference() {
        check(
            "Doe, J. (2001). A. Ring, 3, 1–9.\nRoe, R. (2002). B. Ring, 4, 1–9.",
            &[
                "Doe, J. (2001). A. Ring, 3, 1–9.",
                "Roe, R. (2002). B. Ring, 4, 1–9.",
            ],
        );
    }

    #[test]
    fn wrapped_lines_are_joined() {
        check(
            "Doe, J., & Roe, R. (2001). Coher-\nence of light in the\nworld. Ring, 3, 1–9.\nRoe, R. (2002). Waves and\nrays. Ring, 4, 1–9.",
            &[
                "Doe, J., & Roe, R. (2001). Coherence of light in the world. Ring, 3, 1–9.",
                "Roe, R. (2002). Waves and rays. Ring, 4, 1–9.",
            ],
        );
        check(
            "Doe, J. (2001). Hanging\n   lines here. Ring.\nRoe, R. (2002). More\n   of them. Ring.",
            &[
                "Doe, J. (2001). Hanging lines here. Ring.",
                "Roe, R. (2002). More of them. Ring.",
            ],
        );
    }

    #[test]
    fn references_glued_on_a_line_are_parted() {
        check(
            "[7] Doe J. A. Ring 1, 2. [8] Roe R. B [2] of it. Ring 3, 4. [9] Poe E. C.",
            &[
                "Doe J. A. Ring 1, 2.",
                "Roe R. B [2] of it. Ring 3, 4.",
                "Poe E. C.",
            ],
        );
        check(
            "1) Doe J. A. Ring 1, 2. 2) Roe R. B. Ring 3, 4.",
            &["Doe J. A. Ring 1, 2.", "Roe R. B. Ring 3, 4."],
        );
    }

    #[test]
    fn authors_behind_pages_begin_a_reference() {
        check(
            "Doe J, Roe R. First of it. Ring. 1953;171:737. Poe EC. Second. Ring 2015;52:43-44.",
            &[
                "Doe J, Roe R. First of it. Ring. 1953;171:737.",
                "Poe EC. Second. Ring 2015;52:43-44.",
            ],
        );
        check(
            "Doe, J. (2001). First. Ring, 12(3), 45–67; Roe, R. (2002). Second. Ring, 13, 5–9.",
            &[
                "Doe, J. (2001). First. Ring, 12(3), 45–67;",
                "Roe, R. (2002). Second. Ring, 13, 5–9.",
            ],
        );
        for whole in [
            "Doe J. Review of Ring, 2002, pp. 1-302. Irish Social History. 2003. 30. 141-142",
            "Doe J: Rings in Sweden, 12:1970-2006. Eur J Cancer 2010, 46:1093-1100.",
        ] {
            check(whole, &[whole]);
        }
    }

    #[test]
    fn dashes_stand_for_the_authors_before() {
        check(
            "Price, R. 1983. First-Time. Baltimore.\n———. 1990. Alabi's World. Baltimore.\n---, ed. 1996. Maroon Societies. Baltimore.",
            &[
                "Price, R. 1983. First-Time. Baltimore.",
                "Price, R. 1990. Alabi's World. Baltimore.",
                "Price, R, ed. 1996. Maroon Societies. Baltimore.",
            ],
        );
    }

    #[test]
    fn lists_as_they_are_pasted() {
        check(
            "Bibliography\n\nBooks\n\nDoe, J. (2001). A. Ring.\n\nJournal articles\n\nRoe, R. (2002). B. Ring, 4.\n\n17\n",
            &["Doe, J. (2001). A. Ring.", "Roe, R. (2002). B. Ring, 4."],
        );
        check(
            "1. Doe J. A of it. Ring 2001;1:2. 2. Roe R. B 3. of it. Ring 2002;3:4. 3. Poe E. C.",
            &[
                "Doe J. A of it. Ring 2001;1:2.",
                "Roe R. B 3. of it. Ring 2002;3:4.",
                "Poe E. C.",
            ],
        );
        check(
            "1) Doe J. Eine lange Über-\nschrift. Ring. 2001.\n2) Щербаков И. Звон старых\nколоколов. 1987. Т. 5.\n3) 田中花子「架空都市」仮想\n地理学雑誌 18(4), 2011",
            &[
                "Doe J. Eine lange Überschrift. Ring. 2001.",
                "Щербаков И. Звон старых колоколов. 1987. Т. 5.",
                "田中花子「架空都市」仮想 地理学雑誌 18(4), 2011",
            ],
        );
        check(
            "- Doe, J. (2001). A. Ring, 3, 1–9.\n  https://doi.org/10.1000/a\n- Roe, R. (2002). B. Ring, 4.",
            &[
                "Doe, J. (2001). A. Ring, 3, 1–9. https://doi.org/10.1000/a",
                "Roe, R. (2002). B. Ring, 4.",
            ],
        );
    }

    #[test]
    fn headings_and_emptiness_are_no_references() {
        check("Literaturverzeichnis:\n\n", &[]);
        check("", &[]);
        check(
            "参考文献\n[1] 王小明. 标题. 北京, 2001.",
            &["王小明. 标题. 北京, 2001."],
        );
    }

    #[test]
    fn the_line_is_counted_from_one() {
        let found = split("References\n\n[1] Doe J. A.\n[2] Roe R. B.");
        let lines: Vec<usize> = found.iter().map(|piece| piece.line).collect();
        assert_eq!(lines, [3, 4]);
    }
}
