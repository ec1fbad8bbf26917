//! Formats ranges of numbers.

#![allow(
    clippy::indexing_slicing,
    reason = "positions stay within the bounds of their loop"
)]

use super::labels::label_term;
use super::pages::shortened;
use super::shape::{is_bare, leading};
use super::{NumberParser, ParsedNumber};
use crate::style::PageRangeFormat;

/// How ranges are formatted.
#[derive(Clone, Copy)]
pub struct Ranges<'s> {
    pub variable: &'s str,
    pub format: Option<PageRangeFormat>,
    pub mark: &'s str,
}

impl Ranges<'_> {
    /// Puts the locale's range delimiter into ranges, and abbreviates page ranges as the style asks.
    pub fn write(&self, parser: &NumberParser, numbers: &mut [ParsedNumber]) {
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
        let mut labelled: Option<usize> = None;
        for at in 0..numbers.len() {
            let number = &numbers[at];
            if !number.ranges {
                count = 0;
                labelled = None;
                let joint = self.mark_for(parser, number, number.numeric);
                if let Some(joint) = joint {
                    numbers[at].joint = joint;
                }
            } else if labelled.is_none_or(|first| numbers[first].label != number.label) {
                labelled = Some(at);
                count = 1;
            } else if number.joint == "-" {
                count = 1;
            } else {
                count += 1;
                if count == 2 {
                    count = self.range(parser, numbers, at);
                }
            }
        }
    }

    fn is_page(&self, number: &ParsedNumber) -> bool {
        self.variable == "page" || self.variable == "locator" && number.label == "p."
    }

    /// The replacement for a hyphen after a number.
    fn mark_for(
        &self,
        parser: &NumberParser,
        number: &ParsedNumber,
        numeric: bool,
    ) -> Option<String> {
        let located = matches!(self.variable, "locator" | "page");
        let has_term = || label_term(&number.label).is_some_and(|term| (parser.has_term)(term));
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
    fn range(&self, parser: &NumberParser, numbers: &mut [ParsedNumber], at: usize) -> u32 {
        let (before, here) = (&numbers[at - 1], &numbers[at]);
        if before.particle != here.particle {
            return 2;
        }
        if before.joint != "-" {
            return 1;
        }
        // A range ends in a number: `12-`, `103-B` and `12-13A` keep their hyphen.
        if !ends_range(&here.value) {
            return 0;
        }
        // `436S-439S` keeps its hyphen: the first page of a range may only end in lowercase letters.
        if self.is_page(here) && before.value.ends_with(|c: char| c.is_ascii_uppercase()) {
            return 2;
        }
        let (low, high) = (leading(&before.value), leading(&here.value));
        if self.format.is_none()
            && let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            if let Some(mark) = self.mark_for(parser, before, true) {
                numbers[at - 1].joint = mark;
            }
            return 2;
        }
        if self.is_page(here) && low.is_some() && high.is_some() {
            let end = shortened(before, here, self.format);
            numbers[at - 1].joint = self.mark.to_owned();
            numbers[at].particle = end.0;
            numbers[at].value = end.1;
        } else if is_bare(&before.value) && is_bare(&here.value) {
            numbers[at - 1].joint = self.mark.to_owned();
        } else if let Some(mark) = self.mark_for(parser, before, here.numeric) {
            numbers[at - 1].joint = mark;
        }
        0
    }
}

/// Whether a value can end a range: a Roman numeral, or has digits and no capital letter at its end.
fn ends_range(value: &str) -> bool {
    let has_digits = value.contains(|c: char| c.is_ascii_digit());
    is_bare(value) || has_digits && !value.ends_with(|c: char| c.is_ascii_uppercase())
}
