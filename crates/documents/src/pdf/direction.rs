//! Puts lines with Hebrew or Arabic, read from left to right as printed, into the order in which they are written.

use unicode_normalization::UnicodeNormalization;

/// The direction of a letter or digit; `None` for spaces and punctuation, which follow their neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
}

fn direction(c: char) -> Option<Direction> {
    match c {
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            if c.is_alphabetic() =>
        {
            Some(Direction::Right)
        }
        // Numbers run from left to right in every script.
        _ => c.is_alphanumeric().then_some(Direction::Left),
    }
}

/// Whether most letters of a document are written from the right.
pub(super) fn is_from_right<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let (right, left) = texts.map(count).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    right > left
}

/// The number of letters written from the right and from the left.
fn count(text: &str) -> (usize, usize) {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (right, left): (Vec<char>, Vec<char>) =
        letters.partition(|c| direction(*c) == Some(Direction::Right));
    (right.len(), left.len())
}

/// The line as written, from the line as printed. In a document from the right, so are the lines most
/// letters of which are.
pub(super) fn logical(text: String, is_from_right: bool) -> String {
    let (right, left) = count(&text);
    if right == 0 {
        return text;
    }
    let mut line: Vec<char> = text.chars().collect();
    if is_from_right && right > left {
        turn(&mut line);
    } else {
        for (start, end) in spans(&line) {
            turn(line.get_mut(start..end).unwrap_or_default());
        }
    }
    let letters = line.into_iter().map(|c| match c {
        // Forms of a letter that depend on its place in a word, and ligatures.
        '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => c.nfkc().collect(),
        _ => String::from(c),
    });
    letters.collect()
}

/// The parts from the first to the last letter written from the right, without other letters in between.
fn spans(line: &[char]) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut is_open = false;
    for (n, c) in line.iter().enumerate() {
        match direction(*c) {
            Some(Direction::Right) => match spans.last_mut().filter(|_| is_open) {
                Some(span) => span.1 = n + 1,
                None => {
                    spans.push((n, n + 1));
                    is_open = true;
                }
            },
            Some(Direction::Left) if c.is_alphabetic() => is_open = false,
            _ => {}
        }
    }
    spans
}

/// Reverses a part, except for words and numbers written from the left.
fn turn(part: &mut [char]) {
    part.reverse();
    let mut run: Option<(usize, usize)> = None;
    for n in 0..=part.len() {
        match part.get(n).map(|c| direction(*c)) {
            Some(Some(Direction::Left)) => run = Some((run.map_or(n, |run| run.0), n + 1)),
            Some(None) => {}
            Some(Some(Direction::Right)) | None => {
                let run = run.take().and_then(|(start, end)| part.get_mut(start..end));
                turn_back(run.unwrap_or_default());
            }
        }
    }
    // Some programs print the mirrored sign, others write it.
    let brackets = || part.iter().filter(|c| "()[]{}".contains(**c));
    if brackets().next().is_some_and(|c| ")]}".contains(*c)) {
        part.iter_mut().for_each(|c| *c = mirrored(*c));
    }
}

/// Restores words with what is between them, or single numbers (`37-45`, `12.5`).
fn turn_back(run: &mut [char]) {
    if run.iter().any(|c| c.is_alphabetic()) {
        run.reverse();
        return;
    }
    let is_of_number = |c: &char| c.is_alphanumeric() || "-.,:/+".contains(*c);
    for number in run.split_mut(|c| !is_of_number(c)) {
        let digits = |c: &char| c.is_alphanumeric();
        let ends = (
            number.iter().position(digits),
            number.iter().rposition(digits),
        );
        if let (Some(first), Some(last)) = ends
            && let Some(number) = number.get_mut(first..=last)
        {
            number.reverse();
        }
    }
}

fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(printed: &str, written: &str) {
        assert_eq!(logical(printed.to_owned(), false), written);
    }

    fn check_from_right(printed: &str, written: &str) {
        assert_eq!(logical(printed.to_owned(), true), written);
    }

    #[test]
    fn left_to_right_lines_are_unchanged() {
        check("Doe, J. (2001). Title.", "Doe, J. (2001). Title.");
        check_from_right("Doe, J. (2001). Title.", "Doe, J. (2001). Title.");
    }

    #[test]
    fn right_to_left_words_within_a_line_are_reversed() {
        check("In םלוע יאב לכל (1948) at 3", "In לכל באי עולם (1948) at 3");
        check("In םלוע )1948( לכל at 3", "In לכל (1948) עולם at 3");
        check("In םלוע (1948) לכל at 3", "In לכל (1948) עולם at 3");
    }

    #[test]
    fn right_to_left_lines_keep_words_and_numbers() {
        check_from_right(
            ".Nature 12, 37–45 םלוע ,)1948( ןהכ",
            "כהן (1948), עולם Nature 12, 37–45.",
        );
        check_from_right(".45–37 ,12 םלוע ןהכ", "כהן עולם 12, 37–45.");
        check_from_right(".37-45 ,12 םלוע ןהכ", "כהן עולם 12, 37-45.");
    }

    #[test]
    fn presentation_forms_become_letters() {
        check("\u{fee2}\u{fefc}\u{fee8}", "نلام");
    }

    #[test]
    fn document_has_the_direction_of_most_letters() {
        assert!(is_from_right(["כהן עולם", "Doe"].into_iter()));
        assert!(!is_from_right(["כהן", "Doe, J."].into_iter()));
    }
}
