//! Values of number variables taken apart: the single numbers, what joins them, and the labels
//! that a value may bring itself (`vol. 1, fol. 186`). The specification only says what makes a
//! value numeric; how values fall apart follows citeproc-js.

use crate::csl::style::PageRangeFormat;

/// Abbreviations that values use as labels, and the terms that they stand for.
const LABELS: &[(&str, &str)] = &[
    ("vrs.", "verse"),
    ("sv.", "sub-verbo"),
    ("subpara.", "subparagraph"),
    ("op.", "opus"),
    ("subch.", "subchapter"),
    ("add.", "addendum"),
    ("amend.", "amendment"),
    ("annot.", "annotation"),
    ("app.", "appendix"),
    ("art.", "article"),
    ("bibliog.", "bibliography"),
    ("bk.", "book"),
    ("ch.", "chapter"),
    ("cl.", "clause"),
    ("col.", "column"),
    ("cmt.", "comment"),
    ("dec.", "decision"),
    ("dept.", "department"),
    ("ex.", "example"),
    ("fig.", "figure"),
    ("fld.", "field"),
    ("fol.", "folio"),
    ("n.", "note"),
    ("hypo.", "hypothetical"),
    ("illus.", "illustration"),
    ("intro.", "introduction"),
    ("l.", "line"),
    ("no.", "issue"),
    ("p.", "page"),
    ("pp.", "page"),
    ("para.", "paragraph"),
    ("pt.", "part"),
    ("pmbl.", "preamble"),
    ("princ.", "principle"),
    ("pub.", "publication"),
    ("r.", "rule"),
    ("rn.", "randnummer"),
    ("sched.", "schedule"),
    ("sec.", "section"),
    ("ser.", "series"),
    ("subdiv.", "subdivision"),
    ("subsec.", "subsection"),
    ("supp.", "supplement"),
    ("tbl.", "table"),
    ("tit.", "title"),
    ("vol.", "volume"),
];

/// Words of more than four letters that can be labels.
const LONG_LABELS: &[&str] = &[
    "subpara", "subch", "amend", "bibliog", "annot", "illus", "princ", "intro", "sched", "subdiv",
    "subsec",
];

/// The term that an abbreviation stands for.
pub fn label_term(slug: &str) -> Option<&'static str> {
    LABELS
        .iter()
        .find(|(known, _)| *known == slug)
        .map(|(_, term)| *term)
}

fn slug_of(term: &str) -> Option<&'static str> {
    let term = match term {
        "sub verbo" => "sub-verbo",
        other => other,
    };
    LABELS
        .iter()
        .find(|(_, known)| *known == term)
        .map(|(slug, _)| *slug)
}

/// What kind of value is to be taken apart.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The variable; that of the first page is `page`.
    pub variable: &'s str,
    /// The label of a locator.
    pub label: Option<&'s str>,
    /// «and» in the locale, long and as a symbol.
    pub and: (&'s str, &'s str),
    /// Whether the locale has a term.
    pub has_term: &'s dyn Fn(&str) -> bool,
}

/// One number of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// The label as the value has it, or the one that goes without saying.
    pub label: String,
    /// Whether the label is to be shown with the number.
    pub shows_label: bool,
    /// Blanks behind the label.
    pub label_blank: String,
    /// Letters before the number.
    pub particle: String,
    pub value: String,
    /// What joins the number to the next one.
    pub joint: String,
    pub numeric: bool,
    /// Whether the number can be part of a range.
    pub ranges: bool,
    pub plural: bool,
}

impl Number {
    /// Whether the number can be counted: digits without letters or leading zeros.
    pub fn whole(&self) -> Option<u32> {
        let digits = self.ranges && !self.value.starts_with('0');
        digits.then(|| self.value.parse().ok()).flatten()
    }
}

impl Source<'_> {
    /// Takes a value apart. Never empty for a value that is not.
    pub fn parse(&self, value: &str) -> Vec<Number> {
        if self.label.is_none() && !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
            return vec![self.plain(value)];
        }
        let (text, implied) = self.labelled(value.trim());
        let text = if self.variable == "page" {
            text.replace('–', "-")
        } else {
            text
        };
        let mut chunks = self.chunks(&text);
        mend_subsections(&mut chunks);
        let mut numbers = Vec::new();
        let mut labels = Labels {
            current: slug_of(self.variable).unwrap_or_default().to_owned(),
        };
        for (at, chunk) in chunks.iter().enumerate() {
            self.chunk(at, implied, chunk, &mut labels, &mut numbers);
        }
        for at in 1..numbers.len() {
            if numbers[at - 1].joint.is_empty() {
                numbers[at - 1].joint.push(' ');
            }
        }
        self.judge(&mut numbers, value);
        if let Some(first) = numbers.first_mut().filter(|_| implied) {
            first.shows_label = false;
        }
        numbers
    }

    /// The short way for what most values are.
    fn plain(&self, value: &str) -> Number {
        let several = value.parse::<u64>().is_ok_and(|n| n > 1);
        Number {
            label: slug_of(self.variable).unwrap_or_default().to_owned(),
            value: value.to_owned(),
            numeric: true,
            ranges: true,
            plural: several && self.counts(),
            ..Number::default()
        }
    }

    fn counts(&self) -> bool {
        self.variable.starts_with("number-of-")
    }

    fn is_located(&self) -> bool {
        matches!(self.variable, "locator" | "page")
    }

    /// The value with the label before it that goes without saying, and whether that label is one
    /// that never shows, even where the locale has no term for it.
    fn labelled(&self, value: &str) -> (String, bool) {
        let first = value.split(' ').next().unwrap_or_default();
        if label_term(first).is_some() {
            return (value.to_owned(), false);
        }
        let slug = match self.variable {
            "locator" => match self.label {
                Some(label) => slug_of(label),
                None => Some("p."),
            },
            other => slug_of(other),
        };
        match slug {
            Some(slug) => {
                let implied = self.variable != "locator" || slug == "p.";
                (format!("{slug} {value}"), implied)
            }
            None => (value.to_owned(), false),
        }
    }

    /// Splits at commas, semicolons, hyphens and words for «and».
    fn chunks(&self, text: &str) -> Vec<Chunk> {
        let escaped = text.contains("\\-");
        let text = if escaped {
            let parts: Vec<String> = text.split("\\-").map(|p| p.replace('-', "–")).collect();
            parts.join("-").replace('\\', "")
        } else {
            text.to_owned()
        };
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while at < text.len() {
            match self.joint(&text[at..], !escaped) {
                Some(length) => {
                    let body = &text[from..at];
                    chunks.push(Chunk {
                        body: body.to_owned(),
                        joint: self.shown_joint(&text[at..at + length]),
                    });
                    at += length;
                    from = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        chunks.push(Chunk {
            body: text[from..].to_owned(),
            joint: String::new(),
        });
        chunks
    }

    /// The length of what joins two numbers at the head of a text.
    fn joint(&self, text: &str, hyphens: bool) -> Option<usize> {
        let blanks = text.len() - text.trim_start().len();
        let rest = &text[blanks..];
        let tail = |from: usize| from + text[from..].len() - text[from..].trim_start().len();
        if rest.starts_with('&') {
            return Some(tail(blanks + 1));
        }
        for (comma, word) in [
            (true, "and"),
            (false, "and"),
            (true, self.and.0),
            (false, self.and.0),
        ] {
            let after = if comma {
                let Some(after) = text.strip_prefix(',') else {
                    continue;
                };
                after
            } else {
                text
            };
            let inner = after.trim_start();
            if inner.len() < after.len()
                && let Some(end) = inner.strip_prefix(word)
                && !word.is_empty()
                && end.starts_with(char::is_whitespace)
            {
                return Some(tail(text.len() - end.len()));
            }
        }
        if let Some(after) = text.strip_prefix([',', ';'])
            && after.starts_with(char::is_whitespace)
        {
            return Some(tail(1));
        }
        let dashes = rest.trim_start_matches('\\');
        let end = dashes.trim_start_matches(|c| c == '–' || hyphens && c == '-');
        (end.len() < dashes.len()).then(|| tail(text.len() - end.len()))
    }

    fn shown_joint(&self, joint: &str) -> String {
        if joint.trim() == "&" {
            let symbol = if self.and.1 == self.and.0 || self.and.1.is_empty() {
                "&"
            } else {
                self.and.1
            };
            return format!(" {symbol} ");
        }
        match joint.find('-') {
            Some(_) if joint.trim() == "-" => "-".to_owned(),
            _ => joint.to_owned(),
        }
    }

    /// The numbers of one chunk, each with the label before it. `implied` where the first label of
    /// all goes without saying.
    fn chunk(
        &self,
        at: usize,
        implied: bool,
        chunk: &Chunk,
        labels: &mut Labels,
        out: &mut Vec<Number>,
    ) {
        let (mut texts, mut found) = split_labels(&chunk.body);
        if found.is_empty() {
            out.push(self.number(labels, &chunk.body, &chunk.joint, None));
            return;
        }
        // A label between what are no numbers is part of the text.
        for j in (1..texts.len()).rev() {
            let numbers = is_plain_number(&texts[j]) && is_plain_number(&texts[j - 1]);
            if !texts[j - 1].is_empty() && !numbers {
                let tail = texts.remove(j);
                let label = found.remove(j - 1);
                texts[j - 1].push_str(&label);
                texts[j - 1].push_str(&tail);
            }
        }
        if let Some(first) = found.first()
            && at == 0
            && !implied
            && !self.is_label(first.trim())
        {
            let slug = found.remove(0);
            let tail = texts.remove(1);
            texts[0] = format!("{} {} {tail}", texts[0], slug.trim());
        }
        let count = texts.len();
        for (j, text) in texts.iter().enumerate() {
            if text.is_empty() && j + 1 < count {
                continue;
            }
            if let Some(label) = j.checked_sub(1).and_then(|j| found.get(j)) {
                labels.current.clone_from(label);
            }
            let joint = if j + 1 == count { &*chunk.joint } else { "" };
            out.push(self.number(labels, text.trim(), joint, Some(at)));
        }
    }

    fn is_label(&self, slug: &str) -> bool {
        label_term(slug).is_some_and(|term| {
            let fits = self.is_located() || self.variable == "number" || term == self.variable;
            fits && (self.has_term)(term)
        })
    }

    fn number(&self, labels: &Labels, text: &str, joint: &str, at: Option<usize>) -> Number {
        let slug = labels.current.trim();
        let (particle, value) = split_particle(text);
        let blank = &labels.current[labels.current.trim_end().len()..];
        Number {
            label: slug.to_owned(),
            label_blank: blank.to_owned(),
            shows_label: self.variable == "page"
                && at == Some(0)
                && !matches!(slug, "p." | "pp." | ""),
            particle: particle.to_owned(),
            value: value.to_owned(),
            joint: joint.to_owned(),
            ..Number::default()
        }
    }

    /// Tells which numbers are numeric, plural, parts of ranges; whose label shows.
    fn judge(&self, numbers: &mut [Number], value: &str) {
        let mut start = 0;
        while start < numbers.len() {
            let label = numbers[start].label.clone();
            let end = numbers[start..]
                .iter()
                .position(|number| number.label != label)
                .map_or(numbers.len(), |length| start + length);
            let first = &numbers[start];
            let numeric = is_numeric_head(&first.value);
            let ranges =
                first.value.starts_with(|c: char| c.is_ascii_digit()) || is_roman(&first.value);
            let several = end - start > 1;
            for number in &mut numbers[start..end] {
                number.numeric = numeric;
                number.ranges = ranges;
                number.plural = numeric && several && ranges;
            }
            if !label.is_empty() {
                let number = &mut numbers[start];
                let term = label_term(&label);
                number.shows_label |= if start > 0 {
                    true
                } else if self.is_located() || self.variable == "number" {
                    !term.is_some_and(|term| (self.has_term)(term))
                } else {
                    term != Some(self.variable)
                };
            }
            start = end;
        }
        let Some(first) = numbers.first_mut() else {
            return;
        };
        if first.numeric && self.counts() {
            let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
            first.plural |= digits.parse::<u64>().is_ok_and(|n| n > 1);
        }
        if numbers.len() == 1 && is_fraction(&numbers[0].value) {
            numbers[0].numeric = true;
            numbers[0].plural = false;
            numbers[0].ranges = false;
        }
    }
}

struct Chunk {
    body: String,
    joint: String,
}

/// The label that holds where the parse has come to, with the blanks behind it.
struct Labels {
    current: String,
}

/// `12a-c` is one number.
fn mend_subsections(chunks: &mut Vec<Chunk>) {
    let is_tail =
        |text: &str| !text.is_empty() && text.chars().all(|c| c == ',' || c.is_ascii_alphabetic());
    for at in (0..chunks.len().saturating_sub(1)).rev() {
        let (head, tail) = (&chunks[at], &chunks[at + 1]);
        let number = head.body.rsplit(' ').next().unwrap_or_default();
        let letters = number.trim_start_matches(|c: char| c.is_ascii_digit());
        if head.joint == "-"
            && letters.len() < number.len()
            && is_tail(letters)
            && is_tail(&tail.body)
        {
            let tail = chunks.remove(at + 1);
            let head = &mut chunks[at];
            head.body = format!("{}-{}", head.body, tail.body);
            head.joint = tail.joint;
        }
    }
}

/// Splits at short words in lower case that a full stop or a blank ends.
fn split_labels(text: &str) -> (Vec<String>, Vec<String>) {
    let mut texts = vec![String::new()];
    let mut labels = Vec::new();
    let mut rest = text;
    let mut at_start = true;
    while !rest.is_empty() {
        let lead = if at_start && !rest.starts_with(' ') {
            Some(0)
        } else {
            rest.starts_with(' ').then_some(1)
        };
        if let Some(lead) = lead
            && let Some(length) = label_length(&rest[lead..])
        {
            labels.push(rest[..lead + length].to_owned());
            texts.push(String::new());
            rest = &rest[lead + length..];
            at_start = false;
            continue;
        }
        at_start = false;
        let Some(c) = rest.chars().next() else { break };
        if let Some(last) = texts.last_mut() {
            last.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    (texts, labels)
}

fn label_length(text: &str) -> Option<usize> {
    let word = text
        .find(|c: char| !c.is_ascii_lowercase())
        .unwrap_or(text.len());
    let fits = (1..=4).contains(&word) || LONG_LABELS.contains(&&text[..word]);
    let after = &text[word..];
    if !fits || !after.starts_with(['.', ' ']) {
        return None;
    }
    let blanks = after[1..].len() - after[1..].trim_start_matches(' ').len();
    Some(word + 1 + blanks)
}

/// `123N110` → (`123N`, `110`); only where digits and then at most letters follow.
fn split_particle(text: &str) -> (&str, &str) {
    let tail = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = rest.len() < text.len();
        digits
            && rest
                .chars()
                .all(|c| matches!(c, '-' | ',') || c.is_ascii_alphabetic())
    };
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if after.len() == letters.len() || !tail(after) {
        return ("", text);
    }
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let zeros = after.len() - after.trim_start_matches('0').len();
    let head = text.len() - after.len() + zeros.min(digits - 1);
    text.split_at(head)
}

fn is_plain_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len()
        && rest
            .chars()
            .all(|c| matches!(c, '-' | ';' | ',' | ':') || c.is_ascii_alphabetic())
}

/// Digits or a small Roman numeral, with letters behind them or other numbers behind a hyphen.
fn is_numeric_head(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let romans = text.trim_start_matches(['i', 'x', 'v']);
    let rest = if digits.len() < text.len() {
        digits
    } else if romans.len() < text.len() {
        romans
    } else {
        return false;
    };
    let letters = rest
        .chars()
        .all(|c| matches!(c, '-' | ',' | ':') || c.is_ascii_alphabetic());
    let range = rest.strip_prefix('-').is_some_and(|tail| {
        !tail.is_empty() && tail.chars().all(|c| c == '-' || c.is_ascii_digit())
    });
    letters || range
}

fn is_fraction(text: &str) -> bool {
    let mut parts = text.split('/');
    let all = parts
        .clone()
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    all && parts.nth(1).is_some()
}

fn is_roman(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| {
            matches!(
                c.to_ascii_lowercase(),
                'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm'
            )
        })
}

fn is_bare(text: &str) -> bool {
    is_roman(text) || !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// How ranges are written.
#[derive(Clone, Copy)]
pub struct Ranges<'s> {
    pub variable: &'s str,
    pub format: Option<PageRangeFormat>,
    pub mark: &'s str,
}

impl Ranges<'_> {
    /// Puts the locale's mark between the ends of ranges, and shortens pages as the style asks.
    pub fn write(&self, source: &Source, numbers: &mut [Number]) {
        let known = matches!(
            self.variable,
            "page"
                | "chapter-number"
                | "collection-number"
                | "edition"
                | "issue"
                | "number"
                | "number-of-pages"
                | "number-of-volumes"
                | "volume"
                | "locator"
        );
        if !known {
            return;
        }
        let mut count = 0;
        let mut label: Option<String> = None;
        for at in 0..numbers.len() {
            let number = &numbers[at];
            if !number.ranges {
                count = 0;
                label = None;
                let joint = self.mark_for(source, number, number.numeric);
                if let Some(joint) = joint {
                    numbers[at].joint = joint;
                }
            } else if label.as_deref() != Some(&number.label) {
                label = Some(number.label.clone());
                count = 1;
            } else if number.joint == "-" {
                count = 1;
            } else {
                count += 1;
                if count == 2 {
                    count = self.range(source, numbers, at);
                }
            }
        }
    }

    fn is_page(&self, number: &Number) -> bool {
        self.variable == "page" || self.variable == "locator" && number.label == "p."
    }

    /// What stands in for a hyphen behind a number.
    fn mark_for(&self, source: &Source, number: &Number, numeric: bool) -> Option<String> {
        let located = matches!(self.variable, "locator" | "page");
        let has_term = || label_term(&number.label).is_some_and(|term| (source.has_term)(term));
        if number.joint != "-" || !numeric || located && number.label != "p." && !has_term() {
            return None;
        }
        match self.variable {
            "page" | "locator" | "issue" | "volume" | "edition" | "number" => {
                Some(self.mark.to_owned())
            }
            "collection-number" => Some("–".to_owned()),
            _ => None,
        }
    }

    /// Writes the range that ends at `at`. Returns how many numbers of a new range are counted.
    fn range(&self, source: &Source, numbers: &mut [Number], at: usize) -> u32 {
        let (before, here) = (&numbers[at - 1], &numbers[at]);
        if before.particle != here.particle {
            return 2;
        }
        if before.joint != "-" {
            return 1;
        }
        let (low, high) = (leading(&before.value), leading(&here.value));
        if self.format.is_none()
            && let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            if let Some(mark) = self.mark_for(source, before, true) {
                numbers[at - 1].joint = mark;
            }
            return 2;
        }
        if self.is_page(here) && low.is_some() && high.is_some() {
            let end = super::super::eval::pages::shortened(before, here, self.format);
            numbers[at - 1].joint = self.mark.to_owned();
            numbers[at].particle = end.0;
            numbers[at].value = end.1;
        } else if is_bare(&before.value) && is_bare(&here.value) {
            numbers[at - 1].joint = self.mark.to_owned();
        } else if let Some(mark) = self.mark_for(source, before, here.numeric) {
            numbers[at - 1].joint = mark;
        }
        0
    }
}

fn leading(text: &str) -> Option<u64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(variable: &str, value: &str) -> Vec<Number> {
        Source {
            variable,
            label: None,
            and: ("and", "&"),
            has_term: &|term| matches!(term, "page" | "volume" | "folio" | "issue"),
        }
        .parse(value)
    }

    fn check(variable: &str, value: &str, expected: &[(&str, &str, &str)]) {
        let numbers = parsed(variable, value);
        let shown: Vec<(&str, String, &str)> = numbers
            .iter()
            .map(|n| (&*n.label, format!("{}{}", n.particle, n.value), &*n.joint))
            .collect();
        let shown: Vec<(&str, &str, &str)> = shown.iter().map(|(a, b, c)| (*a, &**b, *c)).collect();
        assert_eq!(shown, expected, "{value}");
    }

    #[test]
    fn values_fall_apart() {
        check("page", "12–15", &[("p.", "12", "-"), ("p.", "15", "")]);
        check("page", "7, 9", &[("p.", "7", ", "), ("p.", "9", "")]);
        check("page", "12a-c", &[("p.", "12a-c", "")]);
        check("edition", "1st bilingual", &[("", "1st bilingual", "")]);
        check(
            "number",
            "447 401-2",
            &[("", "447 401", "-"), ("", "2", "")],
        );
        check(
            "locator",
            "vol. 1, fol. 186",
            &[("vol.", "1", ", "), ("fol.", "186", "")],
        );
        check(
            "volume",
            "2 & 4",
            &[("vol.", "2", " & "), ("vol.", "4", "")],
        );
        check("issue", "3\\-4", &[("no.", "3-4", "")]);
    }

    #[test]
    fn what_counts_as_numeric() {
        for value in ["2", "2b", "D2", "2, 3", "2-4", "2 & 4", "12/3"] {
            assert!(parsed("edition", value)[0].numeric, "{value}");
        }
        for value in ["second", "4.3.2", "v6.6", "2nd edition", "12 February"] {
            assert!(!parsed("version", value)[0].numeric, "{value}");
        }
    }

    #[test]
    fn several_are_plural() {
        assert!(parsed("page", "12-15")[0].plural);
        assert!(parsed("number-of-pages", "300")[0].plural);
        assert!(!parsed("page", "300")[0].plural);
    }
}
