//! The candidates for the date of publication: tags, marked elements, labels, lines near the heading, the
//! address.

use citation_model::date::Date;
use citation_model::lists::phrases;

use super::claims::Claims;
use super::labels::{self, Label};
use super::marks::Part;
use super::metas::Metas;
use super::page::{Line, Page, WorkOnPage};
use super::pool::Pool;
use super::traits::{Trait, Traits};
use super::weights::Field;
use super::{Sources, address, byline, dates, highwire, open_graph, title};

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
        if is_other(page, &mark.text, mark.line) {
            add(Some(date), &[source, place, order, Trait::IsOther])
        } else {
            add(Some(date), &[source, place, order, behind])
        }
    }
    let mut order = Trait::First;
    for (date, source, line, is_other) in near(page, known.heading) {
        let place = place(line, Part::Main, known);
        if is_other {
            add(Some(date), &[source, place, Trait::IsOther])
        } else {
            add(Some(date), &[source, place, order]);
            order = Trait::Late;
        }
    }
    for labelled in labels::labelled(page, Label::Published).take(4) {
        let source = if labelled.is_cell {
            Trait::LabelValue
        } else {
            Trait::LabelledLine
        };
        add(
            read(labelled.value),
            &[source, place(labelled.line, Part::Main, known)],
        );
    }
    for labelled in labels::labelled(page, Label::Imprint).take(2) {
        add(read(labelled.value), &[Trait::LabelValue]);
    }
    for labelled in labels::labelled(page, Label::OtherDate).take(6) {
        add(read(labelled.value), &[Trait::LabelValue, Trait::IsOther]);
    }
    add(stated(page), &[Trait::LabelledLine, Trait::IsWork]);
    add(changed(page), &[Trait::Modified, Trait::LabelledLine]);
    for cited in cited {
        add(cited.date.clone(), &[Trait::CitationLine]);
    }
    add(own.date.clone(), &[Trait::OwnCitation]);
    add(dates::in_part(&page.title), &[Trait::TitlePart]);
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
fn changed(page: &Page) -> Option<Date> {
    const LABELS: [&str; 20] = phrases(
        "last updated|last modified|last edited|last changed|last reviewed|page updated|last revised|last update|\
         letzte änderung|letzte aktualisierung|zuletzt bearbeitet|zuletzt geändert|zuletzt aktualisiert|\
         dernière modification|dernière mise à jour|última actualización|ultima modifica|最終更新|\
         дата изменения|viimeksi muokattu",
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

/// The year of a copyright line: `© 2013 Example`.
fn copyright(page: &Page) -> Option<Date> {
    let rest = page.copyright()?;
    let rest = rest.get(..rest.floor_char_boundary(40)).unwrap_or(rest);
    recent(rest).filter(|date| dates::precision(date) == 1)
}

/// A date in the age of the web.
fn recent(text: &str) -> Option<Date> {
    let is_recent = |date: &Date| date.start.is_some_and(|start| start.year >= 1990);
    dates::parse(text).filter(is_recent)
}

/// Whether a date is the receipt of a manuscript or a change of the page, by its own words or those before it.
fn is_other(page: &Page, text: &str, at: usize) -> bool {
    let line = page.lines.get(at).map_or("", |line| line.text.as_str());
    let before = line.find(text.trim()).and_then(|at| line.get(..at));
    let before = before.unwrap_or_default();
    let label = before.rsplit(['|', ';', '/', '•']).next().unwrap_or(before);
    let label = if label.trim().is_empty() {
        label_above(&page.lines, at)
    } else {
        label
    };
    is_of_other(text) || is_of_other(label)
}

fn is_of_other(label: &str) -> bool {
    dates::is_of_change(label) || labels::is_label(label, Label::OtherDate)
}

/// The line above, if it has at most three words.
fn label_above(lines: &[Line], at: usize) -> &str {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let short = above.filter(|line| line.text.split(' ').count() <= 3);
    short.map_or("", |line| line.text.as_str())
}

/// Words before the publication date.
const PUBLISHED: [&str; 22] = phrases(
    "published|posted|first online|available online|veröffentlicht|publié|publicado|pubblicato|\
     released|erschienen am|veröffentlichung|gepubliceerd|publicerad|publisert|julkaistu|\
     opublikowan|publikováno|опубликован|发表于|发布时间|发布日期|기사입력",
);

/// The dates of the lines near the heading: after «Published», alone on a line, in a part of it, at its start, or
/// behind a byline; with the line and whether another date is meant.
fn near(page: &Page, heading: Option<usize>) -> Vec<(Date, Trait, usize, bool)> {
    let (lines, lang) = (page.lines.as_slice(), page.lang.as_deref());
    let from = heading.unwrap_or(0).saturating_sub(BEFORE);
    let around = lines.iter().enumerate().skip(from).take(BEFORE + BEHIND);
    let mut found = Vec::new();
    for (at, line) in around.filter(|(_, line)| line.part == Part::Main && line.text.len() <= 400) {
        if found.len() >= CLAIMS {
            break;
        }
        let text = dates::with_stops(&line.text, lang);
        let lower = text.to_lowercase();
        let places = PUBLISHED
            .iter()
            .filter_map(|word| Some(lower.find(word)? + word.len()));
        let labelled = places.min().and_then(|place| {
            let rest = lower.get(place..)?;
            let next = lines.get(at + 1).filter(|_| rest.len() < 3);
            let rest = next.map_or(rest, |next| next.text.as_str());
            let rest = rest.get(..rest.floor_char_boundary(40)).unwrap_or(rest);
            recent(rest).filter(|date| dates::precision(date) >= 2)
        });
        if let Some(date) = labelled {
            found.push((date, Trait::LabelledLine, at, false));
            continue;
        }
        let whole = &text;
        let text = dates::before_change(whole);
        let is_other = is_of_other(text) || is_of_other(label_above(lines, at));
        let (before, is_cut) = dates::before(text);
        let is_byline = || {
            let is_before = is_cut && !byline::names_in(before, false).is_empty();
            is_before || byline::behind_date(text).is_some()
        };
        let head = text.get(..text.floor_char_boundary(24)).unwrap_or(text);
        let begins = head.starts_with(|c: char| c.is_ascii_digit())
            && recent(head).is_some_and(|date| dates::precision(&date) == 3);
        let claim = match () {
            () if line.text.len() <= 160 && (dates::is_alone(text) || is_byline()) => recent(text)
                .filter(|date| dates::precision(date) >= 2)
                .map(|date| (date, Trait::BareLine)),
            () if line.text.len() <= 160 && dates::in_part(text).is_some() => {
                dates::in_part(text).map(|date| (date, Trait::BareLine))
            }
            () if begins => recent(head).map(|date| (date, Trait::LabelInText)),
            () => inside(text).map(|date| (date, Trait::LabelInText)),
        };
        if let Some((date, source)) = claim {
            found.push((date, source, at, is_other));
        }
    }
    found
}

/// The day in the first words of a text, behind a place and with its time: `Bern, 17.08.2007 - Rede`, `Minggu, 18
/// Juli 2021 – 18:52 WIB`.
fn inside(text: &str) -> Option<Date> {
    let head = text.get(..text.floor_char_boundary(60)).unwrap_or(text);
    let (before, is_cut) = dates::before(head);
    let is_start = is_cut && before.split_whitespace().count() <= 4;
    let rest = head.get(before.len()..)?;
    let date = recent(rest.trim_start_matches(|c: char| !c.is_alphanumeric()))?;
    (is_start && dates::precision(&date) == 3).then_some(date)
}
