//! When a page came out, as its readers see it: marked elements, its address, lines beside the heading.

use citation_model::date::Date;

use super::marks::Part;
use super::page::{Line, Marked, Page};
use super::{address, dates};

/// How many lines before and behind the heading the date stands.
const BEFORE: usize = 6;
const BEHIND: usize = 20;

/// The date, the surest first: a marked element near the heading, a day in the address, a line near the
/// heading, a month in the address, a marked element elsewhere, the heading itself.
pub(super) fn date(page: &Page, heading: Option<usize>, url: Option<&str>) -> Option<Date> {
    let around = |line: usize| {
        heading.is_none_or(|at| (at.saturating_sub(BEFORE)..=at + BEHIND).contains(&line))
    };
    let marked = |is_fit: &dyn Fn(&Marked) -> bool| {
        let fit = page.dates.iter().filter(|mark| is_fit(mark));
        fit.filter(|mark| !dates::is_of_change(&mark.text))
            .find_map(|mark| dates::parse(&mark.text).filter(|date| dates::precision(date) >= 2))
    };
    let is_main = |mark: &Marked| mark.part == Part::Main;
    let of_address = || url.and_then(address::date);
    let day = || of_address().filter(|date| dates::precision(date) == 3);
    let heading_line = || page.lines.get(heading?).map(|line| &line.text);
    marked(&|mark| mark.is_sure && is_main(mark))
        .or_else(|| marked(&|mark| is_main(mark) && heading.is_some() && around(mark.line)))
        .or_else(day)
        .or_else(|| near(&page.lines, heading?))
        .or_else(of_address)
        .or_else(|| marked(&is_main))
        .or_else(|| dates::parse(heading_line()?).filter(|date| dates::precision(date) == 3))
        .or_else(|| marked(&|mark| around(mark.line)))
}

/// A line beside the heading that is a date, or begins with a byline and ends in one.
fn near(lines: &[Line], heading: usize) -> Option<Date> {
    let from = heading.saturating_sub(BEFORE);
    let around = lines.get(from..)?.iter().take(BEFORE + BEHIND);
    let mut found = around
        .filter(|line| line.part == Part::Main && line.text.len() <= 160)
        .filter(|line| !dates::is_of_change(&line.text))
        .filter_map(|line| {
            let (before, is_cut) = dates::before(&line.text);
            let is_byline = || is_cut && !super::byline::names_in(before, false).is_empty();
            let tells = dates::is_alone(&line.text) || is_byline();
            dates::parse(&line.text).filter(|date| tells && dates::precision(date) >= 2)
        });
    found.next()
}
