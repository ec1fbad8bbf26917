//! The candidates for the date of publication: tags, marked elements, labels, lines near the heading, the
//! address.

use citation_model::date::Date;

use super::claims::Claims;
use super::labels::{self, DateRole, Label};
use super::marks::Part;
use super::metas::Metas;
use super::page::{Line, Marked, Page, WorkOnPage};
use super::pool::{Candidate, Pool};
use super::traits::{Trait, Traits};
use super::weights::Field;
use super::{Sources, address, byline, dates, highwire, open_graph, people, title};

/// Number of lines before and after the heading that are searched for the date.
const BEFORE: usize = 8;
const BEHIND: usize = 24;

/// Maximum number of claims of one kind of place.
const CLAIMS: usize = 12;

/// The ranked candidates.
pub(super) fn candidates(
    page: &Page,
    sources: &Sources,
    cited: &[Claims],
    own: &Claims,
    known: &WorkOnPage<'_>,
) -> Pool<Date> {
    let mut pool = Pool::new(Field::Date);
    for (date, traits) in printed(page, known) {
        pool.add(date.edtf(), date, traits);
    }
    let mut add = |date: Option<Date>, traits: &[Trait]| {
        if let Some(date) = date.filter(|date| dates::precision(date) > 0) {
            pool.add(date.edtf(), date, Traits::of(traits));
        }
    };
    let metas = Metas(page);
    for (at, name) in highwire::DATES.iter().enumerate() {
        let order = if at == 0 { Trait::First } else { Trait::Late };
        add(
            metas.date(std::slice::from_ref(name)),
            &[Trait::Highwire, order],
        );
    }
    add(sources.prism.date.clone(), &[Trait::DublinCore]);
    add(sources.dublin_core.date.clone(), &[Trait::DublinCore]);
    add(sources.eprints.date.clone(), &[Trait::Eprints]);
    add(sources.coins.date.clone(), &[Trait::Coins]);
    add(sources.schema.date.clone(), &[Trait::Schema]);
    add(sources.schema.modified.clone(), &[Trait::Modified]);
    for name in &open_graph::PUBLISHED {
        let source = if name.contains("published") {
            Trait::OpenGraph
        } else {
            Trait::Meta
        };
        add(metas.date(std::slice::from_ref(name)), &[source]);
    }
    add(sources.graph.modified.clone(), &[Trait::Modified]);
    if let Some(date) = known.url.and_then(address::date) {
        add(Some(date), &[Trait::InAddress]);
    }
    let lang = page.lang.as_deref();
    let read = |text: &str| recent(&dates::with_stops(text, lang));
    let mut counts = [0_usize; 2];
    for mark in page.dates.iter().take(4 * CLAIMS) {
        let Some(date) = read(&mark.text) else {
            continue;
        };
        let Some(count) = counts.get_mut(usize::from(mark.is_sure)) else {
            continue;
        };
        *count += 1;
        let source = if mark.is_sure {
            Trait::MarkedSure
        } else {
            Trait::Marked
        };
        let order = if *count == 1 {
            Trait::First
        } else {
            Trait::Late
        };
        let place = place(mark.line, mark.part, known);
        let behind = if title::is_behind_another(page, known.heading, mark.line) {
            Trait::Behind
        } else {
            Trait::Given
        };
        let beside = if known.is_beside_authors(mark.line) {
            Trait::BesideOther
        } else {
            Trait::Given
        };
        let role = of_role(role_of_mark(page, mark));
        add(Some(date), &[source, place, order, behind, beside, role]);
    }
    // Records have works of any age, and their imprint behind either label: `Hamburg: Example, 1964`.
    let is_record = labels::is_record(page);
    for label in [Label::Imprint, Label::Published] {
        for labelled in labels::labelled(page, label).take(2) {
            let date = if is_record {
                dates::parse(labelled.value)
            } else {
                read(labelled.value).filter(|_| label == Label::Imprint)
            };
            add(date, &[Trait::LabelValue]);
        }
    }
    for cited in cited {
        add(cited.date.clone(), &[Trait::CitationLine]);
    }
    add(own.date.clone(), &[Trait::OwnCitation]);
    let in_title = dates::mentions(&page.title)
        .into_iter()
        .find(|one| dates::precision(&one.date) > 1);
    add(in_title.map(|one| one.date), &[Trait::TitlePart]);
    for line in page.lines.iter().filter(|line| line.heading > 0).take(3) {
        add(dates::parse(&line.text), &[Trait::Heading]);
    }
    add(copyright(page), &[Trait::Copyright]);
    describe(&mut pool, known);
    pool.rank();
    pool
}

fn place(line: usize, part: Part, known: &WorkOnPage<'_>) -> Trait {
    match known.heading {
        _ if part != Part::Main => Trait::Aside,
        Some(at) if line < at.saturating_sub(BEFORE) || line > at + BEHIND => Trait::Far,
        Some(at) if line < at => Trait::Above,
        Some(_) => Trait::Near,
        None => Trait::Far,
    }
}

/// The sources that state the date of publication.
const STATED: [Trait; 4] = [
    Trait::Highwire,
    Trait::DublinCore,
    Trait::Schema,
    Trait::OpenGraph,
];

/// Whether the page shows a date, not only its tags, and it is one of publication, not merely of a change.
pub(super) fn is_publication_shown(date: &Candidate<Date>) -> bool {
    const SOURCES: [Trait; 4] = [
        Trait::Highwire,
        Trait::Schema,
        Trait::OpenGraph,
        Trait::IsWork,
    ];
    const PLACES: [Trait; 6] = [
        Trait::MarkedSure,
        Trait::Marked,
        Trait::LabelledLine,
        Trait::LabelValue,
        Trait::LabelInText,
        Trait::BareLine,
    ];
    let is_other = date.traits.has_any(&[Trait::Modified, Trait::IsOther]);
    date.traits.has_any(&PLACES) && (!is_other || date.traits.has_any(&SOURCES))
}

fn describe(pool: &mut Pool<Date>, known: &WorkOnPage<'_>) {
    // A coarser date is a claim for the finer one that it contains, and the other way round.
    let all: Vec<(String, Traits)> = (pool.candidates().iter())
        .map(|candidate| (candidate.key.clone(), candidate.traits))
        .collect();
    let days = all
        .iter()
        .filter(|(key, _)| key.len() == 10)
        .map(|(key, _)| key.as_str());
    let (first, last) = (days.clone().min(), days.clone().max());
    let many = days.count() > 1;
    for candidate in pool.candidates_mut() {
        let key = candidate.key.as_str();
        let coarser = all
            .iter()
            .filter(|(other, _)| key.len() > other.len() && key.starts_with(other.as_str()));
        let shared = coarser.fold(Traits::default(), |shared, (_, traits)| shared.and(*traits));
        let is_coarser = all
            .iter()
            .any(|(other, _)| other.len() > key.len() && other.starts_with(key));
        let precision = dates::precision(&candidate.value);
        // Behind an earlier date of publication, a date of a change is nothing else, whoever repeats it.
        let is_changed = candidate.traits.has(Trait::Modified)
            && all.iter().any(|(other, traits)| {
                let is_published = traits.has_any(&STATED) && !traits.has(Trait::Modified);
                is_published && other.len() == key.len() && other.as_str() < key
            });
        // Only the sources of the coarser date are shared.
        let sources = [
            Trait::Highwire,
            Trait::DublinCore,
            Trait::Eprints,
            Trait::Schema,
            Trait::OpenGraph,
            Trait::CitationLine,
            Trait::OwnCitation,
            Trait::InAddress,
            Trait::LabelValue,
        ];
        let shared = sources.into_iter().filter(|one| shared.has(*one));
        candidate.traits = shared
            .fold(candidate.traits, Traits::with)
            .with_if(is_coarser, Trait::Subset)
            .with_if(is_changed, Trait::IsOther)
            .with_if(precision == 3, Trait::IsDay)
            .with_if(precision == 2, Trait::IsMonth)
            .with_if(precision == 1, Trait::IsYear)
            .with_if(many && last == Some(key), Trait::IsLatest)
            .with_if(many && first == Some(key), Trait::IsEarliest)
            .with_if(known.is_article, Trait::OfArticle)
            .with_if(known.is_story, Trait::OfStory);
    }
}

/// The year of a copyright line: `© 2013 Example`.
fn copyright(page: &Page) -> Option<Date> {
    let rest = page.copyright()?;
    let rest = rest.get(..rest.floor_char_boundary(40)).unwrap_or(rest);
    recent(rest).filter(|date| dates::precision(date) == 1)
}

/// The year in which the web begins.
const FIRST_YEAR: i32 = 1990;

/// A date in the age of the web.
fn recent(text: &str) -> Option<Date> {
    let is_recent = |date: &Date| date.start.is_some_and(|start| start.year >= FIRST_YEAR);
    dates::parse(text).filter(is_recent)
}

/// The trait of the meaning of a date; `Given`, which every candidate has, for none.
fn of_role(role: Option<DateRole>) -> Trait {
    match role {
        Some(DateRole::Published) => Trait::IsWork,
        Some(DateRole::Changed) => Trait::Modified,
        Some(DateRole::Other) => Trait::IsOther,
        None => Trait::Given,
    }
}

/// The meaning of a marked date: by its own words, those before it on its line, or the line above.
fn role_of_mark(page: &Page, mark: &Marked) -> Option<DateRole> {
    let line = page
        .lines
        .get(mark.line)
        .map_or("", |line| line.text.as_str());
    let text = super::page::squeeze(&mark.text);
    let own = dates::mentions(&text)
        .first()
        .and_then(|one| text.get(..one.start))
        .and_then(labels::date_role);
    let before = line
        .find(&text)
        .and_then(|at| line.get(..at))
        .unwrap_or_default();
    let label = before.rsplit(['|', ';', '/', '•']).next().unwrap_or(before);
    own.or_else(|| match label.trim() {
        "" => labels::date_role(label_above(&page.lines, mark.line)),
        label => labels::date_role(label),
    })
}

/// The line above, if it has at most three words.
fn label_above(lines: &[Line], at: usize) -> &str {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let short = above.filter(|line| line.text.split(' ').count() <= 3);
    short.map_or("", |line| line.text.as_str())
}

/// The dates of lines with their traits: near the heading all that do not stand inside a text, elsewhere those with a
/// label.
fn printed(page: &Page, known: &WorkOnPage<'_>) -> Vec<(Date, Traits)> {
    const LONGEST: usize = 400;
    const SHORT: usize = 160;
    /// Number of words before a date at the start of a text.
    const MAX_WORDS: usize = 4;
    let from = known.heading.unwrap_or(0).saturating_sub(BEFORE);
    let around = from..from + BEFORE + BEHIND;
    let mut counts = [0_usize; 2];
    let mut has_first = false;
    let mut found = Vec::new();
    for (at, line) in page.lines.iter().enumerate() {
        let is_near = around.contains(&at) && line.part == Part::Main;
        let longest = if is_near { LONGEST } else { SHORT };
        if line.part == Part::Others || line.text.len() > longest {
            continue;
        }
        let text = dates::with_stops(&line.text, page.lang.as_deref());
        let mut end = 0;
        for one in dates::mentions(&text) {
            let before = text.get(end..one.start).unwrap_or_default();
            let behind = text.get(one.end..).unwrap_or_default();
            end = one.end;
            let is_cell = before.trim().is_empty();
            let label = if is_cell {
                label_above(&page.lines, at)
            } else {
                before
            };
            let role = labels::date_role(label);
            let precision = dates::precision(&one.date);
            let is_recent = one.date.start.is_some_and(|start| start.year >= FIRST_YEAR);
            if !is_recent || precision == 1 && role != Some(DateRole::Published) {
                continue;
            }
            let part = |side: Option<&str>| dates::is_rest(side.unwrap_or_default());
            let is_bare = part(before.rsplit(dates::is_separator).next())
                && part(behind.split(dates::is_separator).next());
            let has_people = is_near
                && (!byline::names_in(before, false).is_empty()
                    || people::without_label(behind.trim()).1);
            let source = match role {
                Some(_) if is_cell => Trait::LabelValue,
                Some(_) => Trait::LabelledLine,
                None if !is_near => continue,
                None if is_bare || has_people => Trait::BareLine,
                None if precision == 3 && before.split_whitespace().count() <= MAX_WORDS => {
                    Trait::LabelInText
                }
                None => continue,
            };
            let Some(count) = counts
                .get_mut(usize::from(is_near))
                .filter(|count| **count < CLAIMS)
            else {
                continue;
            };
            *count += 1;
            // Only dates near the heading that may be of publication have an order.
            let is_ordered = is_near && !matches!(role, Some(DateRole::Changed | DateRole::Other));
            let order = match (is_ordered, has_first) {
                (false, _) => Trait::Given,
                (true, false) => Trait::First,
                (true, true) => Trait::Late,
            };
            has_first |= is_ordered;
            let traits = Traits::of(&[source, place(at, line.part, known), order, of_role(role)])
                .with_if(has_people, Trait::HasPerson)
                .with_if(known.is_beside_authors(at), Trait::BesideOther);
            found.push((one.date, traits));
        }
    }
    found
}
