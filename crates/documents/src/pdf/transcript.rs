//! What a process that reads a PDF writes, line by line: the number of pages, each page, and at the end what the
//! pages say. If it ends before, another process goes on from its lines, without the page in which it ended.

use super::pages::{MAX_PAGES, PageText, UnreadCause};

/// The lines of one process or of several that went on from each other, without the last one.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    lines: Vec<String>,
    /// The number of pages, once known.
    pages: Option<usize>,
}

/// What follows after a process ended in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remaining {
    /// The pages after it are still to be drawn.
    Drawn,
    /// They are left out.
    Unread,
}

impl Transcript {
    /// The transcript as text for another process.
    pub fn to_text(&self) -> String {
        self.lines.join("\n")
    }

    /// Adds the output of a process that ended before it was done. False if it did not end in a page, so that
    /// another one would end as well.
    #[must_use]
    pub fn add_ended(&mut self, output: &[u8], remaining: Remaining) -> bool {
        let mut lines = output.split(|byte| *byte == b'\n');
        // What follows the last line break is cut off.
        lines.next_back();
        let count = lines.next().and_then(page_count);
        let Some(count) = count.filter(|count| self.pages.is_none_or(|known| known == *count))
        else {
            return false;
        };
        self.pages = Some(count);
        self.lines
            .extend(lines.map(|line| String::from_utf8_lossy(line).into_owned()));
        if self.lines.len() >= count {
            return false;
        }
        self.push(UnreadCause::Stopped);
        while remaining == Remaining::Unread && self.lines.len() < count {
            self.push(UnreadCause::Late);
        }
        true
    }

    fn push(&mut self, cause: UnreadCause) {
        let line = serde_json::to_string(&PageText::Unread(cause));
        self.lines.push(line.unwrap_or_default());
    }
}

fn page_count(line: &[u8]) -> Option<usize> {
    let count: usize = std::str::from_utf8(line).ok()?.parse().ok()?;
    (count <= MAX_PAGES).then_some(count)
}

/// The pages of a transcript; those behind a broken line are missing.
pub(super) fn parse(transcript: &str) -> Vec<PageText> {
    let lines = transcript.lines();
    lines
        .map_while(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The last line of a process that has done its work.
pub(super) fn last_line(output: &[u8]) -> &[u8] {
    let output = output.strip_suffix(b"\n").unwrap_or(output);
    output
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = r#"{"Drawn":{"segments":[],"height":9.0,"letters":1,"unknown":0}}"#;

    /// The pages after a process with this output: read, stopped or late.
    fn check(before: &mut Transcript, output: &str, remaining: Remaining, expected: Option<&str>) {
        let goes_on = before.add_ended(output.as_bytes(), remaining);
        let pages = parse(&before.to_text()).into_iter().map(|page| match page {
            PageText::Drawn(_) => 'r',
            PageText::Unread(UnreadCause::Stopped) => 's',
            PageText::Unread(_) => 'l',
        });
        let pages = goes_on.then(|| pages.collect::<String>());
        assert_eq!(pages.as_deref(), expected, "{output}");
    }

    #[test]
    fn page_in_which_a_process_ends_is_left_out() {
        let new = Transcript::default;
        check(&mut new(), "", Remaining::Drawn, None);
        check(&mut new(), "3", Remaining::Drawn, None);
        check(&mut new(), "3\n", Remaining::Drawn, Some("s"));
        check(
            &mut new(),
            &format!("3\n{LETTER}\n{{\"Dra"),
            Remaining::Drawn,
            Some("rs"),
        );
        check(
            &mut new(),
            &format!("3\n{LETTER}\n"),
            Remaining::Unread,
            Some("rsl"),
        );
        // It ended after its pages.
        check(
            &mut new(),
            &format!("1\n{LETTER}\n"),
            Remaining::Drawn,
            None,
        );
        check(&mut new(), "99999999999\n", Remaining::Unread, None);
    }

    #[test]
    fn process_goes_on_from_another() {
        let mut transcript = Transcript::default();
        check(
            &mut transcript,
            &format!("4\n{LETTER}\n"),
            Remaining::Drawn,
            Some("rs"),
        );
        let mut other = transcript.clone();
        check(
            &mut transcript,
            &format!("4\n{LETTER}\n"),
            Remaining::Drawn,
            Some("rsrs"),
        );
        check(
            &mut other,
            &format!("7\n{LETTER}\n"),
            Remaining::Drawn,
            None,
        );
    }
}
