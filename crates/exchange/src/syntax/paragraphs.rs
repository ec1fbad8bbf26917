//! Tells the lines of a wrapped text from its paragraphs.

/// Columns of the longest lines that programs wrap texts to.
const MAX_WRAP_WIDTH: usize = 200;
/// Columns that every program fills before it wraps.
const NARROWEST_WRAP: usize = 60;
/// Columns of a tag before the first line.
const TAG: usize = 6;

/// The paragraphs of a text, one a line. A line break ends a paragraph if it follows the end of a sentence
/// and the next word had fit into the line; a blank line always does.
pub(crate) fn paragraphs(text: &str) -> String {
    let lines = || {
        text.lines()
            .flat_map(|line| line.split('\r'))
            .map(str::trim)
    };
    let length = |line: &str| line.chars().count();
    let longest = lines().map(length).max().unwrap_or_default();
    let width = longest.max(NARROWEST_WRAP);
    let mut out = String::with_capacity(text.len());
    let (mut before, mut is_after_blank) = ("", false);
    for line in lines() {
        if line.is_empty() {
            is_after_blank = true;
            continue;
        }
        if !out.is_empty() {
            let tag = if out.len() == before.len() { TAG } else { 0 };
            let word = line.split_whitespace().next().map_or(0, length);
            let had_fit = longest > MAX_WRAP_WIDTH || tag + length(before) + 1 + word <= width;
            let ends = before.ends_with(['.', '!', '?', ':', ';', ')', '”', '"']);
            let is_end = is_after_blank || had_fit && ends;
            out.push(if is_end { '\n' } else { ' ' });
        }
        out.push_str(line);
        (before, is_after_blank) = (line, false);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn wrapped_lines_are_joined_and_paragraphs_kept() {
        let check = |text: &str, expected: &str| assert_eq!(paragraphs(text), expected);
        check("One.\nTwo.", "One.\nTwo.");
        check("One.\r\n\r\n two", "One.\ntwo");
        check("One\ntwo.", "One two.");
        let long = "A line of as many words as fit into it, which ends with a stop by chance.";
        check(&format!("{long}\nAnd more."), &format!("{long} And more."));
        check(&format!("{long}\nA.\nB"), &format!("{long} A.\nB"));
        let longest = long.repeat(3);
        check(&format!("{longest}\nB."), &format!("{longest}\nB."));
    }
}
