//! Blanks what is not text: code, comments, tags, formulas, environments of TeX.

use std::collections::HashMap;

use citation_model::budget::Budget;
use citation_model::lists::words;
use citation_model::lookahead::Lookahead;

use crate::tags::Tags;

/// The text with everything else blanked; all offsets stay.
pub(super) fn masked(body: &str, budget: &Budget) -> String {
    without_spans(&without_blocks(body), budget)
}

/// A fence that is open: its sign and length.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    sign: char,
    length: usize,
}

impl Fence {
    /// The fence at the start of a line, and what stands behind it.
    pub fn of(line: &str) -> Option<(Fence, &str)> {
        let line = line.trim_start();
        let sign = line.chars().next().filter(|c| "`~".contains(*c))?;
        let rest = line.trim_start_matches(sign);
        let length = line.len() - rest.len();
        let is_fence = length >= 3 && !(sign == '`' && rest.contains('`'));
        is_fence.then_some((Fence { sign, length }, rest))
    }

    pub fn is_closed_by(self, line: &str) -> bool {
        Fence::of(line).is_some_and(|(other, rest)| {
            other.sign == self.sign && other.length >= self.length && rest.trim().is_empty()
        })
    }
}

/// The items and quotations that a line stands in: `> - ` and how far their content is indented.
struct Container {
    is_quoted: bool,
    indent: usize,
}

impl Container {
    /// The container that a line opens, and its content.
    fn of(line: &str) -> (Container, &str) {
        let mut rest = line.trim_start();
        let mut is_quoted = false;
        loop {
            let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_number = (1..=9).contains(&(rest.len() - digits.len()));
            let number = is_number.then(|| digits.strip_prefix(['.', ')'])).flatten();
            let behind = match rest.strip_prefix('>') {
                Some(behind) => {
                    is_quoted = true;
                    Some(behind)
                }
                None => { rest.strip_prefix(['-', '*', '+']).or(number) }
                    .filter(|behind| behind.starts_with(' ')),
            };
            match behind {
                Some(behind) => rest = behind.trim_start(),
                None => break,
            }
        }
        let opened = rest.len() < line.trim_start().len();
        let indent = if opened && !is_quoted {
            line.len() - rest.len()
        } else {
            0
        };
        (Container { is_quoted, indent }, rest)
    }

    /// The content of a line, if it is in the container.
    fn content<'t>(&self, line: &'t str) -> Option<&'t str> {
        let inside = line.trim_start();
        match self.is_quoted {
            true => inside.strip_prefix('>'),
            false if inside.is_empty() => Some(line),
            false => (line.len() - inside.len() >= self.indent).then_some(line),
        }
    }
}

/// Blanks blocks of code and environments of TeX.
fn without_blocks(body: &str) -> String {
    let ends = environment_ends(body);
    let mut out = String::with_capacity(body.len());
    // A fence ends with the item or quotation that it is in.
    let mut fence: Option<(Fence, Container)> = None;
    // Directives that are open; they hold text.
    let mut directives: Vec<Fence> = Vec::new();
    let mut indented = IndentedCode::default();
    // The end of an environment that is open.
    let mut environment = 0;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if start < environment {
            blank(line, &mut out);
            continue;
        }
        let inside = fence
            .as_ref()
            .map(|(open, container)| (open, container.content(line)));
        match inside {
            Some((open, Some(content))) => {
                if open.is_closed_by(content) {
                    fence = None;
                }
                blank(line, &mut out);
                continue;
            }
            Some((_, None)) => fence = None,
            None => {}
        }
        let is_code = indented.add(line);
        let (container, content) = Container::of(line);
        if let Some((open, info)) = Fence::of(content) {
            let is_end = directives
                .last()
                .is_some_and(|open| open.is_closed_by(line));
            match () {
                () if is_end => drop(directives.pop()),
                () if holds_text(info) => directives.push(open),
                () => fence = Some((open, container)),
            }
            blank(line, &mut out);
            continue;
        }
        let name = environment_name(line.trim_start(), "\\begin{");
        let end = name.and_then(|name| {
            let ends = ends.get(name)?;
            ends.get(ends.partition_point(|end| *end < at)).copied()
        });
        match end {
            Some(end) => {
                environment = end;
                blank(line, &mut out);
            }
            None if is_code => blank(line, &mut out),
            None => out.push_str(line),
        }
    }
    out
}

/// Directives of MyST that hold text, not code.
const TEXT_DIRECTIVES: [&str; 48] = words(
    "note warning tip important caution attention danger error hint seealso admonition margin sidebar topic \
     epigraph highlights pull-quote dropdown tab-set tab-item grid grid-item grid-item-card card figure aside \
     exercise solution exercise-start solution-start proof theorem lemma definition example remark corollary \
     proposition conjecture algorithm glossary list-table versionadded versionchanged deprecated div blockquote \
     container",
);

/// Whether a fence begins a directive with text: `{note}`, `{prf:theorem} A title`.
pub(super) fn holds_text(info: &str) -> bool {
    let name = info
        .trim()
        .strip_prefix('{')
        .and_then(|rest| rest.split_once('}'));
    let name = name.map_or("", |(name, _)| name);
    let own = name.strip_prefix("prf:").unwrap_or(name);
    TEXT_DIRECTIVES.contains(&own)
}

/// The starts of the lines behind the ends of environments, by name.
fn environment_ends(body: &str) -> HashMap<&str, Vec<usize>> {
    let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        at += line.len();
        let found = line.split("\\end{").skip(1);
        for name in found.filter_map(|rest| rest.split_once('}')) {
            ends.entry(name.0).or_default().push(at);
        }
    }
    ends
}

fn environment_name<'t>(line: &'t str, command: &str) -> Option<&'t str> {
    let (name, _) = line.strip_prefix(command)?.split_once('}')?;
    Some(name)
}

/// Tells indented code from the paragraphs of items and notes, which are indented, too.
#[derive(Default)]
struct IndentedCode {
    /// How far the content of the open item or note is indented.
    content: usize,
    /// Whether a paragraph goes on, which code does not interrupt.
    is_paragraph: bool,
}

impl IndentedCode {
    /// Whether the next line is code.
    fn add(&mut self, line: &str) -> bool {
        const STEP: usize = 4;
        let trimmed = line.trim_start_matches([' ', '\t']);
        let blanks = line.get(..line.len() - trimmed.len()).unwrap_or_default();
        let indent: usize = blanks
            .chars()
            .map(|c| if c == '\t' { STEP } else { 1 })
            .sum();
        if trimmed.trim().is_empty() {
            self.is_paragraph = false;
            return false;
        }
        let is_new = !self.is_paragraph;
        if is_new && indent >= self.content + STEP {
            return true;
        }
        if let Some(width) = marker(trimmed) {
            self.content = indent + width;
        } else if is_new && indent < self.content {
            self.content = 0;
            if indent >= STEP {
                return true;
            }
        }
        self.is_paragraph = true;
        false
    }
}

/// The width of the mark of an item or note: `- `, `12. `, `[^a]: `, `: `.
fn marker(line: &str) -> Option<usize> {
    const NOTE: usize = 4;
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = line.get(digits..).unwrap_or_default();
    let is_bullet = ["- ", "* ", "+ ", "-\t", "*\t", "+\t"]
        .iter()
        .any(|mark| line.starts_with(mark));
    let is_number = (1..=9).contains(&digits) && [". ", ") "].iter().any(|m| behind.starts_with(m));
    let is_example = line.starts_with("(@") || line.starts_with("#. ");
    let is_note = line.starts_with("[^") && line.contains("]:");
    match () {
        () if is_bullet => Some(2),
        () if is_number => Some(digits + 2),
        () if is_note || is_example || line.starts_with(": ") || line.starts_with(":   ") => {
            Some(NOTE)
        }
        () => None,
    }
}

/// Blanks code, formulas, tags and comments within paragraphs.
fn without_spans(text: &str, budget: &Budget) -> String {
    let ahead = Lookahead::new(text.len(), budget);
    let tags = Tags::new(text, &ahead);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    while let Some(next) = rest(at).find(['`', '<', '\\', '$']) {
        out.push_str(rest(at).get(..next).unwrap_or_default());
        at += next;
        let behind = rest(at);
        let mark = behind.chars().next().unwrap_or('\\');
        if mark == '\\' {
            let escaped = behind.chars().nth(1).map_or(0, char::len_utf8);
            out.push_str(behind.get(..1 + escaped).unwrap_or_default());
            at += 1 + escaped;
            continue;
        }
        let signs = behind.len() - behind.trim_start_matches(mark).len();
        let end = match mark {
            '`' => code(behind, signs, &ahead),
            '$' => formula(behind, signs, &ahead),
            _ => tags.end(at).map(|end| end - at),
        };
        match end {
            Some(end) => {
                blank(behind.get(..end).unwrap_or(behind), &mut out);
                at += end.min(behind.len());
            }
            None => {
                let length = if mark == '<' { 1 } else { signs };
                out.push_str(behind.get(..length).unwrap_or_default());
                at += length;
            }
        }
    }
    out.push_str(rest(at));
    out
}

/// Maximum length of code or a formula within a paragraph, in bytes.
const MAX_SPAN: usize = 10_000;

/// The length of the code at the start of a text.
fn code(text: &str, ticks: usize, ahead: &Lookahead<'_>) -> Option<usize> {
    let mark = text.get(..ticks)?;
    let inside = text.get(ticks..)?;
    let end = ahead.find(inside, MAX_SPAN, |window| {
        let paragraph = paragraph(window);
        paragraph.find(mark)
    })?;
    Some(ticks + end + ticks)
}

/// The length of the formula at the start of a text. `$5` and `$6` are none: a formula begins and ends with
/// a sign that is no blank, and no digit follows it.
fn formula(text: &str, signs: usize, ahead: &Lookahead<'_>) -> Option<usize> {
    let mark = text.get(..signs).filter(|_| signs < 3)?;
    let inside = text.get(signs..)?;
    if signs == 1 && inside.starts_with(char::is_whitespace) {
        return None;
    }
    let end = ahead.find(inside, MAX_SPAN, |window| {
        let paragraph = paragraph(window);
        let ends = paragraph.match_indices(mark).map(|(at, _)| at);
        let mut ends = ends.filter(|at| {
            let before = paragraph
                .get(..*at)
                .and_then(|text| text.chars().next_back());
            let behind = inside
                .get(at + signs..)
                .and_then(|text| text.chars().next());
            let is_escaped = before == Some('\\');
            let is_formula = signs == 2
                || before.is_some_and(|c| !c.is_whitespace())
                    && !behind.is_some_and(|c| c.is_ascii_digit());
            is_formula && !is_escaped
        });
        ends.next()
    })?;
    Some(signs + end + signs)
}

fn paragraph(text: &str) -> &str {
    let end = text.find("\n\n").unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn blank(text: &str, out: &mut String) {
    // A blank for each byte keeps all offsets.
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks whether the key of a text is still visible.
    fn check(text: &str, is_text: bool) {
        let masked = masked(text, &Budget::unlimited());
        assert_eq!(masked.len(), text.len(), "{text}");
        assert_eq!(masked.contains("@doe"), is_text, "{text}\n{masked}");
    }

    #[test]
    fn what_is_no_text_is_blanked() {
        for text in [
            "a `@doe` b",
            "```\n@doe\n```\n",
            "````\n```\n@doe\n```\n````\n",
            "```{note}\n```python\n@doe\n```\n```\n",
            "```{code-block} r\n@doe\n```\n",
            "- ```r\n  @doe\n  ```\n",
            "12. ~~~\n    @doe\n    ~~~\n",
            "> ```\n> @doe\n> ```\n",
            "> - ```\n>   @doe\n>   ```\n",
            "A.\n\n    @doe\n",
            "A.\n\n\t@doe\n",
            "- A.\n\n      @doe\n",
            "- A.\n\nB.\n\n    @doe\n",
            "A $x_{@doe}$.",
            "$$\nx @doe\n$$\n",
            "<a title=\"[@doe]\">b</a>",
            "<pre>\n[@doe]\n\n</pre>",
            "<code>@doe</code>",
            "<textarea>@doe</textarea> <title>@doe</title>",
            "<!-- @doe -->",
            "\\begin{tikzpicture}\n\\node {@doe};\n\\end{tikzpicture}\n",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn text_beside_it_stays() {
        for text in [
            "A.\n\n- B.\n\n    @doe\n",
            "1. A.\n\n   @doe\n",
            "[^1]: A.\n\n    @doe\n",
            "A\n    @doe\n",
            "It costs $5 @doe and $6.",
            "It costs $ 5 @doe and 6$.",
            "a < b @doe > c",
            "<div>\n@doe\n</div>",
            "\\begin{x} @doe",
            "- ```\n  a\n  ```\n- @doe\n",
            "- ```\n  a\n\n@doe\n",
            "> ```\n> a\n\n@doe\n",
            "- *@doe* ```a```\n",
            "```\na\n```\n@doe\n```\nb\n```\n",
            "```{note} A title\n@doe\n```\n",
            "````{margin}\n```{tip}\na\n```\n@doe\n````\n",
            "```{note}\na\n```\n@doe\n",
            "\\`@doe\\`",
            "\\$@doe\\$",
        ] {
            check(text, true);
        }
    }
}
