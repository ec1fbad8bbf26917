//! The visible publication date of a page: marked elements, its address, lines near the heading.

use citation_model::date::Date;
use citation_model::lists::phrases;

use super::marks::Part;
use super::page::{Line, Marked, Page};
use super::{address, byline, dates};

/// Number of lines before and after the heading that are searched for the date.
const BEFORE: usize = 6;
const BEHIND: usize = 20;

/// The date, most reliable source first: a marked element near the heading, a day in the address, a line
/// near the heading, a month in the address, a marked element elsewhere, the heading itself.
pub(super) fn date(page: &Page, heading: Option<usize>, url: Option<&str>) -> Option<Date> {
    let around = |line: usize| {
        heading.is_none_or(|at| (at.saturating_sub(BEFORE)..=at + BEHIND).contains(&line))
    };
    let marked = |is_fit: &dyn Fn(&Marked) -> bool| {
        let fit = page
            .dates
            .iter()
            .filter(|mark| is_fit(mark) && !is_other(page, mark));
        let lang = page.lang.as_deref();
        let mut dates = fit.filter_map(|mark| recent(&dates::with_stops(&mark.text, lang)));
        dates.find(|date| dates::precision(date) == 3)
    };
    let is_main = |mark: &Marked| mark.part == Part::Main;
    let of_address = || url.and_then(address::date);
    let day = || of_address().filter(|date| dates::precision(date) == 3);
    let heading_line = || page.lines.get(heading?).map(|line| &line.text);
    marked(&|mark| mark.is_sure && is_main(mark))
        .or_else(|| marked(&|mark| is_main(mark) && heading.is_some() && around(mark.line)))
        .or_else(day)
        .or_else(|| near(page, heading?))
        .or_else(of_address)
        .or_else(|| marked(&is_main))
        .or_else(|| dates::parse(heading_line()?).filter(|date| dates::precision(date) == 3))
        .or_else(|| marked(&|mark| around(mark.line)))
        .or_else(|| stated(page))
        .or_else(|| dates::in_part(&page.title).filter(|date| dates::precision(date) == 3))
}

/// The date on a short line that begins with «Published», anywhere on the page.
fn stated(page: &Page) -> Option<Date> {
    let fits = |line: &&Line| line.part == Part::Main && line.text.len() <= 60;
    page.lines.iter().filter(fits).find_map(|line| {
        let lower = dates::with_stops(&line.text, page.lang.as_deref()).to_lowercase();
        let mut labels = PUBLISHED.iter();
        let rest = labels.find_map(|label| lower.strip_prefix(label))?;
        recent(rest).filter(|date| dates::precision(date) == 3)
    })
}

/// The date of the last change that a page prints: `Last updated: 3 May 2021`.
pub(super) fn changed(page: &Page) -> Option<Date> {
    const LABELS: [&str; 16] = phrases(
        "last updated|last modified|last edited|last changed|last reviewed|page updated|\
         letzte änderung|letzte aktualisierung|zuletzt bearbeitet|zuletzt geändert|\
         zuletzt aktualisiert|dernière modification|dernière mise à jour|última actualización|\
         ultima modifica|最終更新",
    );
    let fits = |line: &&Line| line.part != Part::Others && line.text.len() <= 160;
    page.lines.iter().filter(fits).find_map(|line| {
        let lower = dates::with_stops(&line.text, page.lang.as_deref()).to_lowercase();
        let mut places = LABELS
            .iter()
            .filter_map(|word| Some(lower.find(word)? + word.len()));
        let rest = lower.get(places.next()?..)?;
        recent(rest).filter(|date| dates::precision(date) == 3)
    })
}

/// A date in the age of the web.
fn recent(text: &str) -> Option<Date> {
    let is_recent = |date: &Date| date.start.is_some_and(|start| start.year >= 1990);
    dates::parse(text).filter(is_recent)
}

/// Whether a marked date is the receipt of a manuscript or a change of the page, by its own words or those
/// before it.
fn is_other(page: &Page, mark: &Marked) -> bool {
    let line = page
        .lines
        .get(mark.line)
        .map_or("", |line| line.text.as_str());
    let before = line.find(mark.text.trim()).and_then(|at| line.get(..at));
    let before = before.unwrap_or_default();
    let label = before.rsplit(['|', ';', '/', '•']).next().unwrap_or(before);
    let label = match label.trim().is_empty() {
        true => label_above(&page.lines, mark.line),
        false => label,
    };
    dates::is_of_change(&mark.text) || dates::is_of_change(label)
}

/// The line above, if it has at most three words.
fn label_above(lines: &[Line], at: usize) -> &str {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let short = above.filter(|line| line.text.split(' ').count() <= 3);
    short.map_or("", |line| line.text.as_str())
}

/// Words before the publication date.
const PUBLISHED: [&str; 18] = phrases(
    "published|posted|first online|available online|veröffentlicht|publié|publicado|pubblicato|\
     released|erschienen am|veröffentlichung|gepubliceerd|publicerad|publisert|julkaistu|\
     opublikowan|publikováno|опубликован",
);

/// A date after «Published» near the heading, or a line that is a date, or that begins with a byline and
/// ends in a date.
fn near(page: &Page, heading: usize) -> Option<Date> {
    let (lines, lang) = (page.lines.as_slice(), page.lang.as_deref());
    let from = heading.saturating_sub(BEFORE);
    let around = lines.iter().enumerate().skip(from).take(BEFORE + BEHIND);
    let own = around.filter(|(_, line)| line.part == Part::Main && line.text.len() <= 400);
    let labelled = own.clone().find_map(|(at, line)| {
        let lower = dates::with_stops(&line.text, lang).to_lowercase();
        let places = PUBLISHED
            .iter()
            .filter_map(|word| Some(lower.find(word)? + word.len()));
        let rest = lower.get(places.min()?..)?;
        let next = lines.get(at + 1).filter(|_| rest.len() < 3);
        let rest = next.map_or(rest, |next| next.text.as_str());
        let rest = rest.get(..rest.floor_char_boundary(40)).unwrap_or(rest);
        recent(rest).filter(|date| dates::precision(date) == 3)
    });
    let alone = |(at, line): (usize, &Line)| {
        let text = dates::with_stops(&line.text, lang);
        let text = dates::before_change(&text);
        let is_other = dates::is_of_change(text) || dates::is_of_change(label_above(lines, at));
        let (before, is_cut) = dates::before(text);
        let is_byline = || {
            let is_before = is_cut && !byline::names_in(before, false).is_empty();
            is_before || byline::behind_date(text).is_some()
        };
        let tells = !is_other && (dates::is_alone(text) || is_byline());
        recent(text).filter(|date| tells && dates::precision(date) >= 2)
    };
    // `3 July 2021 | Science, Oceans`.
    let in_part = |(at, line): (usize, &Line)| {
        let is_other =
            dates::is_of_change(&line.text) || dates::is_of_change(label_above(lines, at));
        let text = dates::with_stops(&line.text, lang);
        dates::in_part(&text).filter(|date| !is_other && dates::precision(date) == 3)
    };
    // `2021-07-03 10:00 Source: Example`
    let timed = |(at, line): (usize, &Line)| {
        let text = dates::with_stops(&line.text, lang);
        let head = text.get(..text.floor_char_boundary(19)).unwrap_or(&text);
        let is_timed = head.starts_with(|c: char| c.is_ascii_digit()) && head.contains(':');
        let is_other = dates::is_of_change(label_above(lines, at));
        recent(head).filter(|date| is_timed && !is_other && dates::precision(date) == 3)
    };
    let short = || own.clone().filter(|(_, line)| line.text.len() <= 160);
    labelled
        .or_else(|| short().find_map(alone))
        .or_else(|| short().find_map(in_part))
        .or_else(|| short().find_map(timed))
}
