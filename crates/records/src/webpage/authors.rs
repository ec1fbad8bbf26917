//! The candidates for the authors: the lists of every vocabulary and of every visible place with names.

use std::cmp::Ordering;
use std::collections::HashSet;

use citation_fields::names::{is_full_name, suffixes};
use citation_matching::reference::{Reference, Role};
use citation_model::lists::{phrases, words};
use citation_model::name::Name;
use citation_model::variable::NameVar;

use super::claims::Claims;
use super::labels::{self, Label, Labelled};
use super::marks::Part;
use super::metas::Metas;
use super::page::{Line, Marked, Page};
use super::pool::Pool;
use super::title::{self, bare, fold};
use super::traits::{Trait, Traits};
use super::weights::Field;
use super::{Sources, address, byline, dates, given_names, open_graph, people};
use crate::names;

/// Number of lines before and after the heading that are searched for a byline.
const BEFORE: usize = 10;
const BEHIND: usize = 30;

/// Number of lines above the heading in which names without markup are claims.
const ABOVE: usize = 4;

/// Maximum number of claims of lines near the heading, and of those elsewhere.
const CLAIMS: usize = 8;

/// Number of lines behind the heading that are next to it.
const BESIDE: usize = 4;

/// Number of lines between two rows of a record.
const ROWS: usize = 8;

/// Maximum number of groups of marked elements of one kind.
const GROUPS: usize = 6;

/// What is known before the authors are chosen.
pub(super) struct Known<'k> {
    pub heading: Option<usize>,
    /// Names of the site and its publisher, folded without article and domain.
    pub owners: &'k [String],
    pub host: Option<&'k str>,
    pub is_article: bool,
    pub is_story: bool,
    pub is_wiki: bool,
    /// Whether the page shows posts, whose authors are accounts.
    pub is_thread: bool,
    pub title: &'k str,
    /// The name of the site as it is written.
    pub site: Option<&'k str>,
}

/// The ranked candidates.
pub(super) fn candidates(
    page: &Page,
    sources: &Sources,
    cited: &[Claims],
    own: &[Name],
    known: &Known<'_>,
) -> Pool<Vec<Name>> {
    let mut pool = Pool::new(Field::Authors);
    let mut add = |names: Vec<Name>, traits: Traits| {
        let names = people::distinct(names.into_iter().map(once));
        let names = without_owners(names, known);
        pool.add_or(key(&names), names, traits, |one, known| {
            is_better_spelled(one, known)
        });
    };
    add(
        sources.highwire.authors.clone(),
        Traits::of(&[Trait::Highwire]),
    );
    add(
        sources.dublin_core.authors.clone(),
        Traits::of(&[Trait::DublinCore]),
    );
    add(
        sources.eprints.authors.clone(),
        Traits::of(&[Trait::Eprints]),
    );
    add(sources.coins.authors.clone(), Traits::of(&[Trait::Coins]));
    add(sources.schema.authors.clone(), Traits::of(&[Trait::Schema]));
    let metas = Metas(page);
    for (at, name) in open_graph::AUTHORS.iter().enumerate() {
        let names = metas
            .all(std::slice::from_ref(name))
            .filter(|text| !is_imprint(text))
            .flat_map(people::list);
        let source = if name.contains("article") && at < 6 {
            Trait::OpenGraph
        } else {
            Trait::Meta
        };
        add(names.collect(), Traits::of(&[source]));
    }
    for name in open_graph::other_authors(metas) {
        let name = [name];
        let names = metas.all(&name).filter(|text| !is_imprint(text));
        let names: Vec<Name> = names.flat_map(people::list).collect();
        add(names, Traits::of(&[Trait::Meta]));
    }
    add(open_graph::creator(metas), Traits::of(&[Trait::SocialTag]));
    add(
        open_graph::written_by(metas),
        Traits::of(&[Trait::SocialTag, Trait::LabelValue]),
    );
    // Wikis have no bylines; their tables name the makers of films.
    if !known.is_wiki {
        add_visible(page, cited, own, known, &mut add);
    }
    describe(&mut pool, page, known);
    pool.rank();
    pool
}

/// Whether a tag has the publisher with its place: `Example GmbH, Bern, Switzerland`.
fn is_imprint(text: &str) -> bool {
    let has_address = text.contains(" www.") && names::is_institution(text);
    let parts = text.split_once(',');
    has_address
        || parts.is_some_and(|(first, rest)| {
            let is_body = people::names_site(first) || names::is_institution(first);
            let is_place = |word: &str| word.starts_with(char::is_uppercase);
            is_body && rest.split_whitespace().all(is_place) && !given_names::begins_with_one(rest)
        })
}

/// Adds the names of visible places.
fn add_visible(
    page: &Page,
    cited: &[Claims],
    own: &[Name],
    known: &Known<'_>,
    add: &mut dyn FnMut(Vec<Name>, Traits),
) {
    let dated = dated_lines(page, known.heading);
    add(
        page.people.clone(),
        Traits::of(&[Trait::MarkedSure, Trait::Near]),
    );
    let (sure, marked): (Vec<&Marked>, Vec<&Marked>) =
        page.bylines.iter().partition(|mark| mark.is_sure);
    let profiles = page.profiles.iter().collect();
    for (marks, source) in [
        (sure, Trait::MarkedSure),
        (marked, Trait::Marked),
        (profiles, Trait::Profile),
    ] {
        for group in groups(page, &marks, LISTED, known).into_iter().take(2) {
            let place = place(group.line, group.part, known);
            // Lists far from the heading are those of references.
            let beside = beside(group.line, known);
            if group.names.len() > 1 && place == Trait::Near && beside == Trait::Beside {
                add(
                    group.names,
                    Traits::of(&[source, place, beside, Trait::Listed]),
                );
            }
        }
        let mut order = Trait::First;
        for group in groups(page, &marks, APART, known) {
            // Several people beside the work are the staff of the site.
            if group.part == Part::Aside && group.names.len() > 2 {
                continue;
            }
            let place = place(group.line, group.part, known);
            let behind = behind(page, known, group.line);
            let traits = Traits::of(&[source, place, order, behind, beside(group.line, known)]);
            add(
                group.names,
                traits.with_if(is_beside(&dated, group.line), Trait::BesideOther),
            );
            if group.part == Part::Main {
                order = Trait::Late;
            }
        }
    }
    // Records have a row for the first author and others for the rest.
    let mut of_record: Vec<Name> = Vec::new();
    let mut last_row = 0;
    for labelled in labels::labelled(page, Label::Author).take(GROUPS) {
        let names = in_rows(page, &labelled);
        let is_cell = if labelled.is_cell {
            if labelled.line > last_row + ROWS {
                of_record.clear();
            }
            last_row = labelled.line + labelled.rest.len();
            of_record.extend(names.iter().cloned());
            Trait::LabelValue
        } else {
            Trait::LabelledLine
        };
        let place = place(labelled.line, Part::Main, known);
        add(
            names,
            Traits::of(&[is_cell, place, beside(labelled.line, known)]),
        );
    }
    if labels::is_record(page) {
        add(of_record, Traits::of(&[Trait::LabelValue]));
    }
    for (names, line) in name_lists(page, known) {
        let place = place(line, Part::Main, known);
        add(
            names,
            Traits::of(&[Trait::NameList, place, beside(line, known)]),
        );
    }
    for (names, traits) in printed(page, known, &dated) {
        add(names, traits);
    }
    for (names, source) in signatures(page) {
        add(names, Traits::of(&[source]));
    }
    for names in closing(page, known.heading) {
        add(names, Traits::of(&[Trait::Closing, Trait::Far]));
    }
    if let Some(name) = owner_of_site(page, known) {
        add(vec![name], Traits::of(&[Trait::Copyright]));
    }
    if let Some(name) = namesake_of_site(known) {
        add(vec![name], Traits::of(&[Trait::IsOwnerOfSite]));
    }
    for cited in cited {
        add(cited.authors.clone(), Traits::of(&[Trait::CitationLine]));
    }
    add(own.to_vec(), Traits::of(&[Trait::OwnCitation]));
}

/// The person whose name the copyright line has, and who therefore wrote the pages of the site.
fn owner_of_site(page: &Page, known: &Known<'_>) -> Option<Name> {
    const WORDS: std::ops::RangeInclusive<usize> = 2..=3;
    let holders = page.copyrights().take(2).map(|text| {
        let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
        let text = text
            .split(['|', '·', '•', ',', '–', '©'])
            .next()
            .unwrap_or(text);
        // A stop behind a long word ends the name, one behind an initial does not.
        let mut stops = text.match_indices('.').map(|(at, _)| at);
        let end = stops.find(|at| {
            let word = text.get(..*at).and_then(|head| head.rsplit(' ').next());
            word.is_some_and(|word| word.chars().count() > 2)
        });
        end.and_then(|at| text.get(..at)).unwrap_or(text).trim()
    });
    let is_person = |holder: &&str| {
        let mut words = holder.split_whitespace();
        // `SPA`, `LLC` and other forms of companies.
        let is_form = |word: &str| word.len() > 1 && word.chars().all(char::is_uppercase);
        WORDS.contains(&words.clone().count())
            && !words.any(is_form)
            && given_names::begins_with_one(holder)
            && !names::is_institution(holder)
    };
    let names = holders.filter(is_person).map(names::from_text);
    let mut people =
        names.filter(|name| people::is_person(name) && byline::is_plausible(name, false));
    people.next().filter(|_| !known.is_article)
}

/// The person whose name is that of the site and is in its host, who therefore wrote its pages.
fn namesake_of_site(known: &Known<'_>) -> Option<Name> {
    let site = known.site.filter(|_| !known.is_article)?;
    let name = names::from_text(site);
    let host = fold(&address::bare_host(&known.host?.to_lowercase()));
    let family = fold(name.family.as_deref()?);
    let is_host = family.len() > 2 && host.contains(&family);
    (is_host && is_personal(&name)).then_some(name)
}

/// Whether a name is that of a person: a common given name with one or two others, without a word of the press.
fn is_personal(name: &Name) -> bool {
    let shown = name.display();
    let is_of_press =
        |word: &str| STAFF.contains(&fold(word).as_str()) || PRESS.contains(&fold(word).as_str());
    people::is_person(name)
        && (2..=3).contains(&shown.split_whitespace().count())
        && given_names::begins_with_one(&shown)
        && !shown.split_whitespace().any(is_of_press)
        && !names::is_institution(&shown)
}

/// A name without its repetition, as in cards that show it beside a picture of the same text: `Jane Roe Jane Roe`.
fn once(name: Name) -> Name {
    let shown = name.display();
    // Without a blank: `Jane RoeJane Roe`.
    let halves = shown.split_at_checked(shown.len() / 2);
    if let Some((first, second)) = halves
        && first == second
        && first.contains(' ')
    {
        return names::from_text(first);
    }
    let words: Vec<&str> = shown.split_whitespace().collect();
    match words.split_at_checked(words.len() / 2) {
        Some((first, second)) if !first.is_empty() && first == second => {
            names::from_text(&first.join(" "))
        }
        _ => name,
    }
}

fn place(line: usize, part: Part, known: &Known<'_>) -> Trait {
    match known.heading {
        _ if part == Part::Aside => Trait::Aside,
        Some(at) if line < at.saturating_sub(BEFORE) || line > at + BEHIND => Trait::Far,
        // The account of a post is above or beside its title.
        Some(at) if line < at && !known.is_thread => Trait::Above,
        Some(_) => Trait::Near,
        None => Trait::Far,
    }
}

/// `Beside` for the lines next to the heading, otherwise what every candidate has.
fn beside(line: usize, known: &Known<'_>) -> Trait {
    match known.heading {
        Some(at) if (at.saturating_sub(1)..=at + BESIDE).contains(&line) => Trait::Beside,
        _ => Trait::Given,
    }
}

/// `Behind` for a line behind another heading, otherwise what every candidate has.
fn behind(page: &Page, known: &Known<'_>, line: usize) -> Trait {
    if title::is_behind_another(page, known.heading, line) {
        Trait::Behind
    } else {
        Trait::Given
    }
}

/// The names without those of the site's owner, if others remain.
fn without_owners(names: Vec<Name>, known: &Known<'_>) -> Vec<Name> {
    let others: Vec<Name> = (names.iter())
        .filter(|name| !is_impersonal_owner(name, known, &HashSet::new()))
        .cloned()
        .collect();
    if others.iter().any(people::is_person) {
        others
    } else {
        names
    }
}

/// Words beside the name of a site that stands as its author: `Example Redaktion`.
const STAFF: [&str; 26] = words(
    "redaktion online news team staff editorial editors desk redacción redação redazione rédaction press presse \
     media newsroom office web die der the la le el das diario",
);

/// Words in names of newspapers and broadcasters.
const PRESS: [&str; 16] = words(
    "news times herald tribune gazette post journal nachrichten zeitung anzeiger magazin magazine radio tv \
     figaro noticias",
);

/// Whether a name is the site, its publisher or its staff: it has the words of their names or of the host, and no
/// given name before others.
fn is_owner(name: &Name, known: &Known<'_>) -> bool {
    const MIN_LENGTH: usize = 4;
    let display = name.display();
    let shown = bare(&display);
    let words = display.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(fold).collect();
    let is_own = |word: &&String| !STAFF.contains(&word.as_str());
    let core: String = words.iter().filter(is_own).map(String::as_str).collect();
    let host = known.host.map(str::to_lowercase).unwrap_or_default();
    let mut labels = host.split(['.', '-']).filter(|label| label.len() > 1);
    let name_of_host = fold(&address::bare_host(&host));
    let is_long = core.chars().count() >= MIN_LENGTH;
    known.owners.contains(&shown)
        || core.is_empty()
        || is_long
            && known.owners.iter().any(|owner| {
                owner.starts_with(&core)
                    || core.starts_with(owner.as_str()) && owner.chars().count() >= MIN_LENGTH
            })
        || is_long && name_of_host.contains(&core)
        || name_of_host.len() >= MIN_LENGTH && core.contains(&name_of_host)
        || labels.any(|label| label == core)
}

/// Whether a name is that of the owner and not of a person whose site has the same name: the name of a site has an
/// article, a word of the press, or one that the text has in lower case.
fn is_impersonal_owner(name: &Name, known: &Known<'_>, plain: &HashSet<String>) -> bool {
    let display = name.display();
    let is_of_site = |word: &str| {
        let word = fold(word);
        STAFF.contains(&word.as_str()) || PRESS.contains(&word.as_str()) || plain.contains(&word)
    };
    let is_person = people::is_person(name)
        && display.contains(' ')
        && !display.split_whitespace().any(is_of_site);
    is_owner(name, known) && !is_person && !given_names::begins_with_one(&display)
}

/// The names folded, without suffixes, which some places leave out.
fn key(names: &[Name]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|name| fold(&without_suffix(name).display()))
        .collect();
    names.join(";")
}

fn without_suffix(name: &Name) -> Name {
    Name {
        suffix: None,
        ..name.clone()
    }
}

/// Whether names are written in more words than equal ones, or in capital and small letters instead of one kind:
/// `Jane Roe` instead of `janeroe` and `JANE ROE`.
fn is_better_spelled(names: &[Name], known: &[Name]) -> bool {
    let shown = |names: &[Name]| -> Vec<String> {
        let names = names.iter().map(without_suffix);
        names.map(|name| name.display()).collect()
    };
    let (names, known) = (shown(names), shown(known));
    let words = |names: &[String]| -> usize {
        let words = |name: &String| {
            let words = name.split_whitespace();
            words.filter(|word| !word.ends_with('.')).count()
        };
        names.iter().map(words).sum()
    };
    let is_mixed = |names: &[String]| {
        let all = || names.iter().flat_map(|name| name.chars());
        all().any(char::is_lowercase) && all().any(char::is_uppercase)
    };
    match words(&names).cmp(&words(&known)) {
        Ordering::Greater => is_mixed(&names) || !is_mixed(&known),
        Ordering::Equal => is_mixed(&names) && !is_mixed(&known),
        Ordering::Less => false,
    }
}

/// Adds the traits of the values and of their relations.
fn describe(pool: &mut Pool<Vec<Name>>, page: &Page, known: &Known<'_>) {
    let names = pool
        .candidates()
        .iter()
        .flat_map(|candidate| &candidate.value);
    let plain = plain_words(page, names);
    let headings = page.lines.iter().filter(|line| line.heading > 0).take(100);
    let headings: HashSet<String> = headings.map(|line| fold(&line.text)).collect();
    let sets: Vec<Vec<String>> = (pool.candidates().iter())
        .map(|candidate| candidate.key.split(';').map(str::to_owned).collect())
        .collect();
    join_parts(pool, &sets);
    let shown = Shown::of(pool, known);
    let title = fold(known.title);
    let words_of_title = known.title.split(|c: char| !c.is_alphanumeric());
    let words_of_title: HashSet<String> = words_of_title.map(str::to_lowercase).collect();
    let menu = page.lines.iter().filter(|line| line.part == Part::Aside);
    let menu = menu.filter(|line| line.text.len() <= 60).take(MENU);
    let menu: HashSet<String> = menu.map(|line| fold(&line.text)).collect();
    let bylines: Vec<Vec<String>> = (pool.candidates().iter())
        .filter(|candidate| {
            let traits = candidate.traits;
            let is_near = traits.has(Trait::LabelledLine) && traits.has(Trait::Near);
            is_near && candidate.value.iter().all(people::is_person)
        })
        .map(|candidate| candidate.key.split(';').map(str::to_owned).collect())
        .collect();
    for (at, candidate) in pool.candidates_mut().iter_mut().enumerate() {
        let names = &candidate.value;
        let own = sets.get(at).map(Vec::as_slice).unwrap_or_default();
        let has_all = |of: &[String], all: &[String]| {
            all.len() > of.len() && of.len() <= 100 && of.iter().all(|one| all.contains(one))
        };
        let others = || sets.iter().enumerate().filter(|(other, _)| *other != at);
        let words = |name: &Name| name.display().split_whitespace().count();
        candidate.traits = candidate
            .traits
            .with_if(
                names
                    .iter()
                    .all(|name| is_owner(name, known) && !is_personal(name)),
                Trait::IsSite,
            )
            .with_if(names.iter().all(people::is_person), Trait::IsPeople)
            .with_if(names.iter().any(people::is_person), Trait::HasPerson)
            .with_if(
                names
                    .iter()
                    .any(|name| has_given_name(name) && !names::is_institution(&name.display())),
                Trait::HasGivenName,
            )
            .with_if(
                names.iter().all(|name| (2..=4).contains(&words(name))),
                Trait::IsFullName,
            )
            .with_if(
                names
                    .iter()
                    .all(|name| is_impersonal_owner(name, known, &plain)),
                Trait::IsOwner,
            )
            .with_if(own.iter().any(|one| menu.contains(one)), Trait::IsInMenu)
            .with_if(
                bylines.iter().any(|byline| has_all(own, byline)),
                Trait::IsInByline,
            )
            .with_if(
                is_posted_only(candidate.traits)
                    && (is_unlike(own, &shown.labelled)
                        || names.iter().all(|name| words(name) == 1)
                            && is_unlike(own, &shown.marked)),
                Trait::IsUnlikeByline,
            )
            .with_if(
                shown.far > 1 && is_far_line(candidate.traits),
                Trait::IsOneOfFar,
            )
            .with_if(
                shown.is_stated && is_elsewhere(candidate.traits),
                Trait::IsElsewhere,
            )
            .with_if(
                is_stated(candidate.traits)
                    && !shown.is_near
                    && names.iter().all(|name| {
                        people::is_person(name)
                            && (2..=4).contains(&words(name))
                            && !is_owner(name, known)
                            && !words_of(name).any(|word| plain.contains(&word))
                    })
                    && !names.iter().any(has_given_name),
                Trait::IsStatedPerson,
            )
            .with_if(
                names
                    .iter()
                    .any(|name| words(name) == 1 && !people::is_east_asian(&name.display())),
                Trait::IsSingleWord,
            )
            .with_if(
                known.is_thread && names.iter().all(|name| is_account(name, &plain)),
                Trait::IsAccount,
            )
            .with_if(known.is_thread, Trait::OfThread)
            .with_if(names.len() == 1, Trait::IsSingle)
            .with_if(
                names
                    .iter()
                    .any(|name| words_of(name).any(|word| plain.contains(&word))),
                Trait::HasPlainWord,
            )
            .with_if(
                own.iter().any(|one| headings.contains(one)),
                Trait::IsLowerHeading,
            )
            .with_if(
                names.iter().all(|name| is_named_in(name, &words_of_title)),
                Trait::IsNamedInTitle,
            )
            .with_if(others().any(|(_, set)| has_all(own, set)), Trait::Subset)
            .with_if(others().any(|(_, set)| has_all(set, own)), Trait::Superset)
            .with_if(
                names.iter().any(|name| is_of_title(name, &title)),
                Trait::IsGeneric,
            )
            .with_if(known.is_article, Trait::OfArticle)
            .with_if(known.is_story, Trait::OfStory);
    }
}

fn has_given_name(name: &Name) -> bool {
    let shown = name.display();
    given_names::begins_with_one(&shown) || given_names::is_chinese(&shown)
}

/// Whether a tag of the web states the names.
fn is_stated(traits: Traits) -> bool {
    traits.has_any(&[Trait::Schema, Trait::OpenGraph, Trait::Meta])
}

/// Whether only tags of the web state the names, which may be those of the account that posted.
fn is_posted_only(traits: Traits) -> bool {
    const OTHERS: [Trait; 8] = [
        Trait::Highwire,
        Trait::DublinCore,
        Trait::Eprints,
        Trait::Coins,
        Trait::LabelledLine,
        Trait::LabelInText,
        Trait::Beside,
        Trait::OwnCitation,
    ];
    is_stated(traits) && !traits.has_any(&OTHERS)
}

/// The folded names of people with common given names whom the page shows.
#[derive(Default)]
struct Shown {
    /// In labelled lines next to the heading.
    labelled: Vec<String>,
    /// In elements with a class of authors next to the heading, too.
    marked: Vec<String>,
    /// Whether such a line or element is near the heading.
    is_near: bool,
    /// Number of those that only labelled lines far from the heading name.
    far: usize,
    /// Whether tags of the web state people.
    is_stated: bool,
}

impl Shown {
    fn of(pool: &Pool<Vec<Name>>, known: &Known<'_>) -> Shown {
        const LABELS: [Trait; 3] = [Trait::LabelledLine, Trait::LabelInText, Trait::Bracketed];
        const MARKS: [Trait; 3] = [Trait::MarkedSure, Trait::Marked, Trait::Profile];
        let mut shown = Shown::default();
        for candidate in pool.candidates() {
            let (traits, names) = (candidate.traits, &candidate.value);
            let are_people = names.iter().all(people::is_person);
            if !are_people {
                continue;
            }
            shown.is_stated |= is_stated(traits)
                && !names
                    .iter()
                    .any(|name| is_owner(name, known) && !is_personal(name));
            if !names.iter().any(has_given_name) {
                if traits.has(Trait::Marked) && is_in_byline(traits) {
                    shown
                        .marked
                        .extend(candidate.key.split(';').map(str::to_owned));
                }
                continue;
            }
            // Brackets stand at the start of the text.
            let is_beside = traits.has(Trait::Near) && traits.has(Trait::Beside)
                || traits.has(Trait::Bracketed);
            let (is_labelled, is_marked) = (traits.has_any(&LABELS), traits.has_any(&MARKS));
            let keys = || candidate.key.split(';').map(str::to_owned);
            if is_labelled && is_beside {
                shown.labelled.extend(keys());
            }
            if (is_labelled || is_marked) && is_beside {
                shown.marked.extend(keys());
            }
            shown.is_near |= (is_labelled || is_marked) && !is_elsewhere(traits);
            shown.far += usize::from(is_far_line(traits));
        }
        shown
    }
}

/// Whether names stand in labelled lines far from the heading only, as those of other works do.
fn is_far_line(traits: Traits) -> bool {
    traits.has(Trait::LabelledLine)
        && traits.has(Trait::Far)
        && !traits.has(Trait::Near)
        && !traits.has(Trait::Above)
        && traits.kinds_of_sources() == 1
}

/// Whether names stand only far from the heading or beside the work.
fn is_elsewhere(traits: Traits) -> bool {
    const NEAR: [Trait; 8] = [
        Trait::Near,
        Trait::Above,
        Trait::Closing,
        Trait::Bracketed,
        Trait::Signature,
        Trait::CitationLine,
        Trait::OwnCitation,
        Trait::Copyright,
    ];
    traits.has_any(&[Trait::Far, Trait::Aside])
        && !traits.has_any(&NEAR)
        && traits.kinds_of_sources() == 1
}

/// Whether none of the names is one of a byline or a part of one.
fn is_unlike(names: &[String], byline: &[String]) -> bool {
    let is_in = |name: &String| {
        byline
            .iter()
            .any(|one| one.contains(name) || name.contains(one))
    };
    !byline.is_empty() && !names.iter().any(is_in)
}

/// Gives names the evidence of a part of them that tags state: a list of which two kinds of sources have the whole, as
/// tags often name the first author only; and a whole name in a byline of which tags have one word.
fn join_parts(pool: &mut Pool<Vec<Name>>, sets: &[Vec<String>]) {
    let all: Vec<Traits> = pool.candidates().iter().map(|one| one.traits).collect();
    let is_sublist = |of: &[String], all: &[String]| {
        all.len() > of.len() && of.len() <= 100 && of.iter().all(|one| all.contains(one))
    };
    for (candidate, own) in pool.candidates_mut().iter_mut().zip(sets) {
        let is_tagged = is_stated(candidate.traits) && candidate.traits.kinds_of_sources() > 1;
        let words = match candidate.value.as_slice() {
            [name] if is_in_byline(candidate.traits) && people::is_person(name) => {
                words_of(name).map(|word| fold(&word)).collect()
            }
            _ => Vec::new(),
        };
        // A line of elements without separators has the same names as one.
        let glued = own.concat();
        let is_list = own.len() > 1;
        if !is_tagged && words.is_empty() && !is_list {
            continue;
        }
        for (part, traits) in sets.iter().zip(&all) {
            let is_word = match part.as_slice() {
                [word] => is_posted_only(*traits) && words.contains(word),
                _ => false,
            };
            let is_glued = is_list && part.len() == 1 && part.first() == Some(&glued);
            if is_word || is_glued || is_tagged && is_sublist(part, own) {
                candidate.traits = candidate.traits.and(*traits);
            }
        }
    }
}

/// Whether names stand in a line with a label or an element for authors next to the heading.
fn is_in_byline(traits: Traits) -> bool {
    const BYLINES: [Trait; 4] = [
        Trait::LabelledLine,
        Trait::LabelInText,
        Trait::MarkedSure,
        Trait::Marked,
    ];
    traits.has_any(&BYLINES) && traits.has(Trait::Near) && traits.has(Trait::Beside)
}

/// Whether a name may be that of an account: a single word that is neither one of the text nor one of the system.
fn is_account(name: &Name, plain: &HashSet<String>) -> bool {
    const SYSTEM: [&str; 24] = words(
        "register login logout cancel block member members guest guests reply quote loading administrator moderator \
         profile threads posts topics forums home search help anonymous username",
    );
    let word = name.display();
    let bare = fold(&word);
    !word.contains(' ')
        && !bare.is_empty()
        && !plain.contains(&bare)
        && !SYSTEM.contains(&bare.as_str())
}

/// Maximum number of lines of menus that names are compared with.
const MENU: usize = 400;

/// Whether a name is the folded title or a phrase of it: `Jacobs Gold Coffee` in `Jacobs Gold Coffee for 4.80 €`.
fn is_of_title(name: &Name, title: &str) -> bool {
    const MIN_WORDS: usize = 3;
    let shown = name.display();
    let is_phrase = shown.split_whitespace().count() >= MIN_WORDS;
    let name = fold(&shown);
    name == title || is_phrase && title.contains(&name)
}

/// Whether a title has the words of a personal name: that of its subject, unless a byline says otherwise.
fn is_named_in(name: &Name, title: &HashSet<String>) -> bool {
    let shown = name.display();
    let mut words = shown.split(|c: char| !c.is_alphanumeric());
    shown.contains(' ') && words.all(|word| word.is_empty() || title.contains(&word.to_lowercase()))
}

/// The words of a name in lower case, without particles and initials.
fn words_of(name: &Name) -> impl Iterator<Item = String> {
    let shown = name.display();
    let words: Vec<String> = (shown.split(|c: char| !c.is_alphabetic()))
        .filter(|word| word.chars().count() > 2 && word.starts_with(char::is_uppercase))
        .map(str::to_lowercase)
        .collect();
    words.into_iter()
}

/// The words of names that the text of the page has in lower case too, as names of people do not have.
fn plain_words<'n>(page: &Page, names: impl Iterator<Item = &'n Name>) -> HashSet<String> {
    let asked: HashSet<String> = names.take(400).flat_map(words_of).collect();
    let texts = page.lines.iter().map(|line| line.text.as_str());
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphabetic()));
    let lower = words.filter(|word| word.starts_with(char::is_lowercase));
    let found = lower.filter(|word| asked.contains(*word));
    found.map(str::to_owned).collect()
}

/// Names in related elements.
struct Group {
    names: Vec<Name>,
    line: usize,
    part: Part,
}

/// Maximum number of lines between two elements of one list of authors; affiliations may be between them.
const APART: usize = 2;

/// The same for long entries of a list, with affiliations, addresses and roles.
const LISTED: usize = 8;

/// The names of elements, grouped: adjacent ones, or ones of the same class without a heading between, which
/// teasers have.
fn groups(page: &Page, marks: &[&Marked], apart: usize, known: &Known<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut last: Option<&Marked> = None;
    for mark in marks {
        let between = |last: &Marked| {
            let lines = page.lines.get(last.line + 1..=mark.line);
            lines.unwrap_or_default()
        };
        let belongs = last.is_some_and(|last| {
            let between = between(last);
            let is_headed = between.iter().any(|line| line.heading > 0);
            let is_listed = mark.class == last.class && !mark.class.is_empty();
            mark.line <= last.line + 1 || is_listed && !is_headed && between.len() <= apart
        });
        let text = fold(&mark.text);
        // An element around one already read repeats its text.
        let repeats = |known: &String| text.contains(known.as_str());
        if belongs && texts.iter().any(repeats) {
            continue;
        }
        // A common given name may stand alone, and begin a name in small letters.
        let is_short = || {
            let text = mark.text.trim();
            let is_word = !text.contains(char::is_whitespace);
            let is_small = !text.contains(char::is_uppercase);
            (is_word || is_small) && given_names::begins_with_one(text)
        };
        let may_be_short = mark.is_sure || known.is_thread || is_short();
        let names = byline::names_in(&mark.text, may_be_short);
        if names.is_empty() {
            continue;
        }
        last = Some(mark);
        if !belongs {
            texts.clear();
            if groups.len() >= GROUPS {
                break;
            }
            groups.push(Group {
                names: Vec::new(),
                line: mark.line,
                part: mark.part,
            });
        }
        if let Some(group) = groups.last_mut() {
            group.names.extend(names);
        }
        texts.push(text);
    }
    groups
}

/// The names of lines with their traits: near the heading those behind a label, beside a date and alone on a line;
/// elsewhere those behind a label on a short line.
fn printed(page: &Page, known: &Known<'_>, dated: &HashSet<usize>) -> Vec<(Vec<Name>, Traits)> {
    const LONGEST: usize = 400;
    const SHORT: usize = 80;
    let from = known.heading.unwrap_or(0).saturating_sub(ABOVE);
    let around = from..from + BEHIND;
    let mut counts = [0_usize; 2];
    let mut found = Vec::new();
    for (at, line) in page.lines.iter().enumerate() {
        let is_near = around.contains(&at);
        let longest = if is_near { LONGEST } else { SHORT };
        if line.part != Part::Main || line.text.len() > longest || Some(at) == known.heading {
            continue;
        }
        let mut claims: Vec<(Vec<Name>, Trait)> = Vec::new();
        let (rest, is_labelled) = people::without_label(&line.text);
        if is_labelled {
            claims.push((byline::names_in(rest, true), Trait::LabelledLine));
        }
        if is_near && !is_labelled {
            claims.push((in_part(&line.text), Trait::LabelledLine));
            claims.push((in_text(&line.text), Trait::LabelInText));
        }
        let is_bare = is_near && !is_labelled && line.heading == 0;
        if is_bare && !byline::has_sentence(&line.text) {
            let source = if dated.contains(&at) {
                Trait::DatedLine
            } else {
                Trait::BareLine
            };
            claims.push((byline::names_in(without_date(&line.text), false), source));
            if source == Trait::DatedLine {
                claims.push((in_facts(&line.text), source));
            }
        }
        let Some(count) = counts.get_mut(usize::from(is_near)) else {
            continue;
        };
        for (names, source) in claims {
            // A line without a label is one of names only if these are people's.
            let is_stated = source == Trait::LabelledLine || names.iter().all(people::is_person);
            if names.is_empty() || !is_stated || *count >= CLAIMS {
                continue;
            }
            let order = if *count == 0 {
                Trait::First
            } else {
                Trait::Late
            };
            *count += 1;
            let place = place(at, Part::Main, known);
            let traits = Traits::of(&[source, place, order, beside(at, known)])
                .with_if(is_beside(dated, at), Trait::BesideOther)
                .with_if(is_continued(page, at), Trait::IsContinued);
            found.push((names, traits));
        }
    }
    found
}

/// Whether the next line goes on with the sentence, as the text behind the place of a report does.
fn is_continued(page: &Page, line: usize) -> bool {
    let next = page.lines.get(line + 1);
    next.is_some_and(|next| next.text.starts_with([',', '–', '—', ';']))
}

/// The lines near the heading, with their places.
fn lines_near(page: &Page, heading: Option<usize>) -> impl Iterator<Item = (usize, &Line)> {
    let from = heading.unwrap_or(0).saturating_sub(BEFORE);
    let lines = page.lines.iter().enumerate();
    lines.skip(from).take(BEFORE + BEHIND)
}

/// The lines near the heading with a date.
fn dated_lines(page: &Page, heading: Option<usize>) -> HashSet<usize> {
    const SHORT: usize = 160;
    let lines = lines_near(page, heading);
    let short = lines.filter(|(_, line)| line.text.len() <= SHORT);
    let dated = short.filter(|(_, line)| {
        let mut dates = dates::mentions(&line.text).into_iter();
        dates.any(|one| dates::precision(&one.date) > 1)
    });
    dated.map(|(at, _)| at).collect()
}

/// Whether a line or the one above or below has a date, as bylines have.
fn is_beside(dated: &HashSet<usize>, line: usize) -> bool {
    (line.saturating_sub(1)..=line + 1).any(|at| dated.contains(&at))
}

/// The text of a line before its first date, or behind it if it begins the line; the whole line if there is none.
fn without_date(text: &str) -> &str {
    let text = byline::behind_date(text);
    let date = dates::mentions(text).into_iter().next();
    date.and_then(|date| text.get(..date.start)).unwrap_or(text)
}

/// The labelled names in one part of a line of facts: `发表于2014-08-24 21:30| 来源SITE| 作者魏星`, `3 April 2009 by
/// Jane Roe`, `2020-01-02 | By Jane Roe | Oceans`.
fn in_part(text: &str) -> Vec<Name> {
    let mut cuts: Vec<usize> = (dates::mentions(text).iter())
        .map(|date| date.end)
        .collect();
    cuts.push(text.len());
    let mut from = 0;
    let spans = cuts.into_iter().filter_map(|end| {
        let span = text.get(from..end);
        from = end;
        span
    });
    let parts = spans.flat_map(|span| span.split(['|', '•', '·', '｜', '/', '\u{3000}']));
    let named = parts.map(str::trim).map(|part| {
        let (rest, is_labelled) = people::without_label(part);
        match EAST_ASIAN_LABELS
            .iter()
            .find_map(|label| part.split_once(label))
        {
            // East Asian labels have nothing between the parts, or a blank.
            Some((_, rest)) => {
                let rest = rest.trim_start_matches([':', '：', ' ']);
                let first = rest.split([' ', '(', '（']).find(|word| !word.is_empty());
                first.map(people::list).unwrap_or_default()
            }
            None if is_labelled => byline::names_in(rest, true),
            None => Vec::new(),
        }
    });
    let fits = |name: &Name| people::is_person(name) && byline::is_plausible(name, true);
    let mut named = named.filter(|names| !names.is_empty() && names.iter().all(fits));
    named.next().unwrap_or_default()
}

/// The people in one part of a line of facts with a date: `04.02.2022 | 13:10 | Jane Roe`.
fn in_facts(text: &str) -> Vec<Name> {
    let parts: Vec<&str> = text.split(['|', '•', '·', '｜']).map(str::trim).collect();
    if parts.len() < 2 || parts.len() > 6 {
        return Vec::new();
    }
    let has_digit = |part: &&str| part.contains(|c: char| c.is_ascii_digit());
    let (numbers, parts): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(has_digit);
    // Beside a category the name must be known as one.
    let is_rest = numbers.len() > 1 && parts.len() == 1;
    let fits = |name: &Name| {
        people::is_person(name)
            && is_full_name(&name.display())
            && (is_rest || has_given_name(name))
            && byline::is_plausible(name, false)
    };
    let mut named = parts.into_iter().map(people::list);
    named
        .find(|names| !names.is_empty() && names.iter().all(fits))
        .unwrap_or_default()
}

/// Labels before authors in East Asian lines of facts.
const EAST_ASIAN_LABELS: [&str; 6] = words("作者 撰稿： 記者： 记者： 文： 글：");

/// The names of a label's value: one a line if it has several, and those of the rows below it without a label, each
/// with an affiliation behind.
fn in_rows(page: &Page, labelled: &Labelled<'_>) -> Vec<Name> {
    if let [first, ..] = labelled.rest {
        let lines = labelled.rest.iter().map(|line| line.text.as_str());
        let lines: Vec<&str> = std::iter::once(labelled.value).chain(lines).collect();
        let is_list = first.text.len() <= 200;
        return lines
            .into_iter()
            .filter(|_| is_list)
            .flat_map(of_cell)
            .collect();
    }
    let value = labelled.value;
    let (head, has_affiliation) = without_affiliation(value);
    if !has_affiliation {
        return if labelled.is_cell || has_other_role(value) {
            of_cell(value)
        } else {
            byline::names_in(value, true)
        };
    }
    let mut found = byline::names_in(head, false);
    if found.is_empty() {
        return found;
    }
    for row in page.lines.iter().skip(labelled.line + 1).take(40) {
        let (head, has_affiliation) = without_affiliation(&row.text);
        let names = byline::names_in(head, false);
        if !has_affiliation || names.is_empty() {
            break;
        }
        found.extend(names);
    }
    found
}

/// Whether a role in brackets says that a name is not that of an author: `Roe, Jane [Hrsg.]`.
fn has_other_role(value: &str) -> bool {
    let role = value.rsplit_once(['[', '(']).map(|(_, role)| role);
    let role = role.map(|role| role.trim_end_matches([']', ')', ' ', '.', ';']));
    let relator = role.and_then(citation_fields::roles::of_relator);
    relator.is_some_and(|relator| relator != Some(NameVar::Author))
}

/// The authors of a cell of a record.
fn of_cell(value: &str) -> Vec<Name> {
    if has_other_role(value) {
        return Vec::new();
    }
    let (head, has_affiliation) = without_affiliation(value);
    if has_affiliation {
        return byline::names_in(head, false);
    }
    let names = people::names(value);
    let is_plausible = |name: &Name| byline::is_plausible(name, true);
    if names.iter().all(is_plausible) {
        names
    } else {
        Vec::new()
    }
}

/// A person's name without the institution behind it: `Jane Roe Department of Oceans, University of Example`.
fn without_affiliation(text: &str) -> (&str, bool) {
    let mut at = 0;
    for (count, word) in text.split(' ').enumerate() {
        let rest = text.get(at..).unwrap_or_default();
        let begins = word.starts_with(char::is_uppercase) && is_of_institution(word);
        if count >= 2 && (begins || rest.starts_with("http")) {
            let head = text.get(..at).unwrap_or(text);
            return (head.trim_end_matches([' ', ',', ';', '-']), true);
        }
        if count > 8 {
            break;
        }
        at += word.len() + 1;
    }
    (text, false)
}

/// Whether a word begins the name of an institution.
fn is_of_institution(word: &str) -> bool {
    const STEMS: [&str; 24] = words(
        "univers institut department dept. laborator école faculty faculdade facultad fakultät school centre \
         center centro college hospital departamento department museum museu academy akademie abteilung \
         division",
    );
    let lower = word.to_lowercase();
    STEMS.iter().any(|stem| lower.starts_with(stem))
}

/// Lines of names below the heading, as in old layouts and records of indexes: a list of people; or people each on
/// a line with the affiliation behind or below.
fn name_lists(page: &Page, known: &Known<'_>) -> Vec<(Vec<Name>, usize)> {
    let Some(heading) = known.heading else {
        return Vec::new();
    };
    let lines = page.lines.iter().enumerate().skip(heading + 1).take(BEHIND);
    let own: Vec<(usize, &Line)> = lines
        .filter(|(_, line)| line.part == Part::Main && line.heading != 1 && line.text.len() <= 600)
        .collect();
    let mut found: Vec<(Vec<Name>, usize)> = Vec::new();
    for (at, line) in &own {
        // Elsewhere than in scholarly works a list is one of people in the text.
        let is_place = known.is_article || *at <= heading + 3;
        let list = if is_place {
            match list_of_people(&line.text) {
                list if list.is_empty() => with_affiliations(&line.text),
                list => list,
            }
        } else {
            Vec::new()
        };
        if !list.is_empty() && found.len() < 4 {
            found.push((list, *at));
        }
    }
    // One person a line, each with the affiliation on the line or below.
    let mut people: Vec<Name> = Vec::new();
    let mut first = 0;
    let mut gap = 0;
    for (place, (at, line)) in own.iter().enumerate() {
        let (head, has_affiliation) = without_affiliation(&line.text);
        let below = own
            .get(place + 1)
            .map_or("", |(_, line)| line.text.as_str());
        let is_followed = names::is_institution(below) || is_email(below);
        let names = if (has_affiliation || is_followed) && head.split(' ').count() <= 5 {
            byline::names_in(head, false)
        } else {
            Vec::new()
        };
        let is_people = !names.is_empty()
            && names
                .iter()
                .all(|name| people::is_person(name) && !names::is_institution(&name.display()));
        if is_people {
            if people.is_empty() {
                first = *at;
            }
            people.extend(names);
            gap = 0;
        } else if !people.is_empty() {
            gap += 1;
            if gap > 4 {
                break;
            }
        }
    }
    if !people.is_empty() {
        found.push((people, first));
    }
    found
}

fn is_email(text: &str) -> bool {
    text.len() < 120 && text.contains('@') && text.contains('.')
}

/// The people of a line, each with an affiliation behind a comma: `Jane Roe, Example University; John Doe, Example`.
fn with_affiliations(text: &str) -> Vec<Name> {
    let parts: Vec<&str> = text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() < 2 || text.contains(['?', '!', '"']) {
        return Vec::new();
    }
    let heads: Vec<(&str, bool)> = parts
        .iter()
        .map(|part| {
            part.split_once(',')
                .map_or((*part, false), |(head, _)| (head, true))
        })
        .collect();
    let affiliated = heads
        .iter()
        .filter(|(_, has_affiliation)| *has_affiliation)
        .count();
    let names: Vec<Name> = heads
        .iter()
        .flat_map(|(head, _)| people::list(head))
        .collect();
    let fits = |name: &Name| {
        people::is_person(name)
            && is_full_name(&name.display())
            && byline::is_plausible(name, false)
    };
    if affiliated * 2 >= parts.len() && names.len() >= parts.len() && names.iter().all(fits) {
        names
    } else {
        Vec::new()
    }
}

/// The people of a line that is nothing but a list of people.
fn list_of_people(text: &str) -> Vec<Name> {
    if text.len() < 8 || text.contains([':', '?', '!', '"']) || byline::has_sentence(text) {
        return Vec::new();
    }
    let is_number = |word: &str| word.bytes().filter(u8::is_ascii_digit).count() > 2;
    if text.split_whitespace().any(is_number) {
        return Vec::new();
    }
    let text = text.trim_end_matches(['.', ',', ';', ' ']);
    // `Remo DM, Bongo RS, de Voss P`
    if text.contains(char::is_whitespace) && text.split(',').all(has_initials_last) {
        let reference = Reference::parse(text);
        let count = reference.tokens.len();
        let is_whole = (0..count).all(|at| reference.role(at) == Role::Name);
        if is_whole && !reference.names.is_empty() {
            return reference.names;
        }
    }
    let without_marks = without_marks(text);
    let parts: Vec<&str> = without_marks
        .split([',', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let is_list =
        parts.len() > 1 || without_marks.contains(" and ") || without_marks.contains(" & ");
    let names = people::list(&without_marks);
    let fits = |name: &Name| {
        people::is_person(name)
            && is_full_name(&name.display())
            && byline::is_plausible(name, false)
    };
    if is_list && names.len() > 1 && names.iter().all(fits) {
        names
    } else {
        Vec::new()
    }
}

fn has_initials_last(text: &str) -> bool {
    let last = text.trim().rsplit(' ').next().unwrap_or_default();
    let last = last.trim_matches('.');
    (1..=4).contains(&last.chars().count()) && last.chars().all(|c| c.is_uppercase() || c == '.')
        || suffixes::is_suffix(last)
}

/// A list of names without footnote marks: `Jane Roe1,2*, John Doe†`.
fn without_marks(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for part in text.split_inclusive([',', ';']) {
        let (name, joint) = match part.strip_suffix([',', ';']) {
            Some(name) => (name, part.get(name.len()..).unwrap_or_default()),
            None => (part, ""),
        };
        let bare = name.trim_end_matches(|c: char| {
            c.is_ascii_digit() || c.is_whitespace() || "*†‡§¶#()[]✉".contains(c)
        });
        if bare.trim().is_empty() {
            continue;
        }
        // A single letter behind a name is a mark too: `Jane Roe a, b`.
        if bare.trim().chars().count() == 1 && bare.trim().chars().all(char::is_lowercase) {
            continue;
        }
        let bare = match bare.rsplit_once(' ') {
            Some((name, mark))
                if mark.len() == 1
                    && mark.chars().all(char::is_lowercase)
                    && name.contains(' ') =>
            {
                name
            }
            _ => bare,
        };
        found.push_str(bare);
        found.push_str(joint);
    }
    found
}

/// Words in the role of an East Asian journalist, before the name: what is before them is the employer.
const ROLES: [&str; 16] = words(
    "通讯员 通訊員 专栏作者 特约记者 实习记者 本报记者 记者 記者 作者 评论员 编译 칼럼니스트 기자 논설위원 특파원 통신원",
);

/// The signatures of East Asian articles: `【文/示例网专栏作者 甲乙】`, `半月刊记者 史卫` as a line, and the last
/// lines of a text.
fn signatures(page: &Page) -> Vec<(Vec<Name>, Trait)> {
    let mut found = Vec::new();
    let main = page
        .lines
        .iter()
        .filter(|line| line.part == Part::Main && line.heading == 0);
    for line in main {
        if found.len() >= GROUPS {
            break;
        }
        let inner = bracketed(&line.text).or_else(|| of_dateline(&line.text));
        let (text, source) = match inner {
            Some(inner) => (inner, Trait::Bracketed),
            None if line.text.len() <= 90 => (line.text.as_str(), Trait::Signature),
            None => continue,
        };
        let names = after_role(text, source == Trait::Bracketed);
        if !names.is_empty() {
            found.push((names, source));
        }
    }
    found
}

/// The people on the short lines behind the last long paragraph.
fn closing(page: &Page, heading: Option<usize>) -> Vec<Vec<Name>> {
    const PARAGRAPH: usize = 200;
    const SHORT: usize = 80;
    let is_main = |line: &Line| line.part == Part::Main && line.heading == 0;
    let lines = page.lines.get(heading.unwrap_or(0)..).unwrap_or_default();
    let last = lines
        .iter()
        .rposition(|line| is_main(line) && line.text.len() >= PARAGRAPH);
    let behind = last.and_then(|at| lines.get(at + 1..)).unwrap_or_default();
    let behind = behind.iter().take_while(|line| is_main(line)).take(3);
    let found = behind
        .filter(|line| line.text.len() <= SHORT)
        .map(|line| byline::names_in(line.text.trim_matches(['(', ')', '–', '-', ' ']), false));
    let is_people = |names: &Vec<Name>| !names.is_empty() && names.iter().all(people::is_person);
    found.filter(is_people).collect()
}

/// The text in brackets at the start of a line: `【…】`, `（…）`, `[…]`.
fn bracketed(text: &str) -> Option<&str> {
    let pairs = [
        ('【', '】'),
        ('（', '）'),
        ('[', ']'),
        ('(', ')'),
        ('〔', '〕'),
    ];
    pairs.iter().find_map(|(open, close)| {
        let inner = text.trim_start().strip_prefix(*open)?;
        let end = inner.char_indices().take(60).find(|(_, c)| c == close)?.0;
        inner.get(..end)
    })
}

/// The brackets behind the dateline of a report: `示例社北京12月9日电（记者张三）…`.
fn of_dateline(text: &str) -> Option<&str> {
    const LONGEST: usize = 40;
    let (at, open) = (text.char_indices().take(LONGEST)).find(|(_, c)| matches!(c, '（' | '('))?;
    let head = text.get(..at)?.trim_end();
    let inner = text.get(at + open.len_utf8()..)?;
    let end = inner
        .char_indices()
        .take(LONGEST)
        .find(|(_, c)| matches!(c, '）' | ')'))?
        .0;
    head.ends_with(['讯', '訊', '电', '電'])
        .then(|| inner.get(..end))?
}

/// The names behind the role of a journalist, without an address of mail.
fn after_role(text: &str, is_bracketed: bool) -> Vec<Name> {
    let text: String = text
        .split_whitespace()
        .filter(|word| !word.contains('@'))
        .collect::<Vec<_>>()
        .join(" ");
    let text = text.trim_matches(|c: char| c.is_whitespace() || "()（）[]".contains(c));
    let text = if is_bracketed {
        ["文/", "文｜", "文|", "文／", "作者/", "글/"]
            .iter()
            .find_map(|lead| text.strip_prefix(lead))
            .unwrap_or(text)
    } else {
        text
    };
    let behind = ROLES.iter().find_map(|role| {
        let (head, rest) = text.split_once(role)?;
        let is_employer = head.chars().count() <= 12 && !head.contains(['，', '。', ',', '.']);
        is_employer.then_some(rest)
    });
    // Korean names are before the role: `박샘플 기자`.
    let before = ["기자", "특파원", "논설위원"].iter().find_map(|role| {
        let head = text.trim_end_matches(['.', '=']).strip_suffix(role)?;
        head.trim().rsplit([' ', '=', '/']).next()
    });
    let rest = match behind.map(str::trim).filter(|rest| !rest.is_empty()) {
        Some(rest) => rest,
        None => match before {
            Some(name) => name,
            None => return Vec::new(),
        },
    };
    // The credit of a picture, and a role inside a sentence.
    if text.contains(['摄', '攝']) || rest.starts_with(['，', '。', '、', '的']) {
        return Vec::new();
    }
    let rest = rest.trim_start_matches([':', '：', ' ', '/', '／']);
    let is_name =
        |word: &&str| people::is_east_asian_name(word) && (2..=4).contains(&word.chars().count());
    let words: Vec<&str> = rest
        .split([' ', '、', '，', '\u{3000}'])
        .filter(|word| !word.is_empty())
        .collect();
    // Beside a Chinese name other words are what the person did: `张三 整理`.
    let is_chinese = |word: &&str| given_names::is_chinese(word);
    let words: Vec<&str> = if words.iter().any(is_chinese) {
        words.into_iter().filter(is_chinese).collect()
    } else {
        words
    };
    if words.is_empty() || words.len() > 4 || !words.iter().all(is_name) {
        return Vec::new();
    }
    let names: Vec<Name> = words.into_iter().map(names::from_text).collect();
    let is_plausible = |name: &Name| byline::is_plausible(name, false);
    if names.iter().all(is_plausible) {
        names
    } else {
        Vec::new()
    }
}

/// Words in a sentence before the author: of interviews, speeches, guest posts.
const IN_TEXT: [&str; 24] = phrases(
    "das gespräch führte|das interview führte|die fragen stellte|interview:|rede von|ansprache von|vortrag von|\
     a speech by|speech by|remarks by|address by|statement by|keynote by|a guest post by|guest post by|\
     discours de|allocution de|discurso de|discorso di|propos recueillis par|entrevista de|interview by|\
     interviewed by|intervista di",
);

/// What stands behind a word for a text and «by» at the start of a line: `Eine Kolumne von Jane Roe`.
fn behind_noun(text: &str) -> Option<&str> {
    const NOUNS: [&str; 44] = words(
        "interview kolumne kommentar gastkommentar gastbeitrag beitrag artikel essay analyse bericht reportage text \
         glosse rezension kritik porträt documentaire article chronique tribune entretien enquête récit column post \
         review report analysis story opinion commentary artículo columna análisis reportaje crónica entrevista \
         articolo commento analisi artigo coluna opinião reportagem",
    );
    const BY: [&str; 6] = words("by von par por di de");
    const WORDS: usize = 4;
    let mut is_behind = false;
    for word in text.split(' ').take(WORDS) {
        let lower = word.to_lowercase();
        if is_behind && BY.contains(&lower.as_str()) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            return text.get(at + word.len()..);
        }
        is_behind = NOUNS.contains(&lower.as_str());
    }
    None
}

/// The people behind such words, up to the first word that is no name.
fn in_text(text: &str) -> Vec<Name> {
    let lower = text.to_lowercase();
    let rest = IN_TEXT.iter().find_map(|lead| {
        let at = lower.find(lead).filter(|_| lower.len() == text.len())?;
        text.get(at + lead.len()..)
    });
    let rest = rest.or_else(|| behind_noun(text));
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            || citation_model::name::is_particle(word)
            || matches!(*word, "und" | "and" | "et" | "y" | "e")
    };
    let mut names: Vec<&str> = Vec::new();
    for word in rest
        .unwrap_or_default()
        .split_whitespace()
        .take(10)
        .take_while(is_name)
    {
        names.push(word);
        if word.ends_with(['.', ',', ';', ':']) && word.chars().count() > 2 {
            break;
        }
    }
    let list = people::list(names.join(" ").trim_end_matches(['.', ',', ';', ':']));
    let is_plausible = |name: &Name| people::is_person(name) && byline::is_plausible(name, false);
    if list.iter().all(is_plausible) {
        list
    } else {
        Vec::new()
    }
}

/// The lines near the heading that name the first of the authors.
pub(super) fn lines_of(page: &Page, names: &[Name], heading: Option<usize>) -> Vec<usize> {
    let Some(first) = names.first().map(|name| fold(&name.display())) else {
        return Vec::new();
    };
    let lines = lines_near(page, heading);
    let short = lines.filter(|(_, line)| line.text.len() <= 200 && line.part == Part::Main);
    let named = short.filter(|(_, line)| fold(&line.text).contains(&first));
    named.map(|(at, _)| at).take(4).collect()
}
