//! Parses values and classifies their numbers.

#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "positions stay within the bounds of their loop"
)]

use super::ParsedNumber;
use super::joints::{AndTerms, Chunk, chunks, mend_subsections};
use super::labels::{label_term, slug_of, split_labels};
use super::shape::{
    is_digits, is_fraction, is_numeric_head, is_plain_number, is_roman, split_particle,
};

/// The parser of one kind of value.
#[derive(Clone, Copy)]
pub struct NumberParser<'s> {
    /// The variable; `page` for the first page.
    pub variable: &'s str,
    /// The label of a locator.
    pub label: Option<&'s str>,
    pub and: AndTerms<'s>,
    /// Whether the locale has a term.
    pub has_term: &'s dyn Fn(&str) -> bool,
}

impl NumberParser<'_> {
    /// Parses a value. The result is empty only for an empty value.
    pub fn parse(&self, value: &str) -> Vec<ParsedNumber> {
        if self.label.is_none() {
            if is_digits(value) {
                return vec![self.plain(value)];
            }
            let dash: &[char] = match self.variable {
                "page" => &['-', '–'],
                _ => &['-'],
            };
            if self.variable != "locator"
                && let Some((from, to)) = value.split_once(dash)
                && is_digits(from)
                && is_digits(to)
            {
                let end = |value| ParsedNumber {
                    plural: true,
                    ..self.plain(value)
                };
                let mut numbers = vec![end(from), end(to)];
                numbers[0].joint.push('-');
                return numbers;
            }
        }
        let (text, implied) = self.labelled(value.trim());
        let text = if self.variable == "page" {
            text.replace('–', "-")
        } else {
            text
        };
        let mut chunks = chunks(&text, self.and);
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

    /// Fast path for most values and the ends of most ranges.
    fn plain(&self, value: &str) -> ParsedNumber {
        let several = value.parse::<u64>().is_ok_and(|n| n > 1);
        ParsedNumber {
            label: slug_of(self.variable).unwrap_or_default().to_owned(),
            value: value.to_owned(),
            numeric: true,
            ranges: true,
            plural: several && self.counts(),
            ..ParsedNumber::default()
        }
    }

    fn counts(&self) -> bool {
        self.variable.starts_with("number-of-")
    }

    fn is_located(&self) -> bool {
        matches!(self.variable, "locator" | "page")
    }

    /// Prepends the implied label to the value. Also returns whether that label is never shown, even if
    /// the locale has no term for it.
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

    /// Parses the numbers of one chunk, each with the preceding label. `implied` is whether the very
    /// first label is implied.
    fn chunk(
        &self,
        at: usize,
        implied: bool,
        chunk: &Chunk,
        labels: &mut Labels,
        out: &mut Vec<ParsedNumber>,
    ) {
        let (mut texts, mut found) = split_labels(&chunk.body);
        if found.is_empty() {
            out.push(self.number(labels, &chunk.body, &chunk.joint, None));
            return;
        }
        join_texts(&mut texts, &mut found);
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

    fn number(&self, labels: &Labels, text: &str, joint: &str, at: Option<usize>) -> ParsedNumber {
        let slug = labels.current.trim();
        let (particle, value) = split_particle(text);
        let blank = &labels.current[labels.current.trim_end().len()..];
        ParsedNumber {
            label: slug.to_owned(),
            label_blank: blank.to_owned(),
            shows_label: self.variable == "page"
                && at == Some(0)
                && !matches!(slug, "p." | "pp." | ""),
            particle: particle.to_owned(),
            value: value.to_owned(),
            joint: joint.to_owned(),
            ..ParsedNumber::default()
        }
    }

    /// Sets which numbers are numeric, plural or parts of ranges, and which labels are shown.
    fn judge(&self, numbers: &mut [ParsedNumber], value: &str) {
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

/// Rejoins labels between texts that are not numbers.
fn join_texts(texts: &mut Vec<String>, labels: &mut Vec<String>) {
    let mut joins = vec![false; texts.len() + 1];
    for at in (1..texts.len()).rev() {
        // A text joined with others is not a number.
        let numbers =
            !joins[at + 1] && is_plain_number(&texts[at]) && is_plain_number(&texts[at - 1]);
        joins[at] = !texts[at - 1].is_empty() && !numbers;
    }
    let mut between = std::mem::take(labels).into_iter();
    for (at, text) in std::mem::take(texts).into_iter().enumerate() {
        let label = if at > 0 { between.next() } else { None };
        match (texts.last_mut(), label) {
            (Some(before), Some(label)) if joins[at] => {
                before.push_str(&label);
                before.push_str(&text);
            }
            (_, label) => {
                labels.extend(label);
                texts.push(text);
            }
        }
    }
}

/// The label in effect at the current position, with the blanks after it.
struct Labels {
    current: String,
}
