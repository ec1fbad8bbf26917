//! Explains a candidate's score field by field, in terms that a reader can check.

use std::collections::BTreeMap;

use super::align::FieldAlignment;
use super::authors::{AuthorLists, AuthorsDifference};
use super::container;
use super::evidence::{Agreement, Evidence, Wording};
use super::given;
use super::normalize::{Token, squeeze, tokens};
use super::pages::{self, Paging};
use super::rank::Match;
use super::record::{MAX_PEOPLE, address_of, identifiers_of, is_in_joined_script, without_tex};
use super::reference::{Reference, Role};
use super::score::{self, FeatureVector, Field};
use super::similar;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// The report of one field.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct FieldReport {
    /// `title`, `authors`, `year`, `volume`, `issue`, `pages`, `container_title`, `identifier`.
    pub field: &'static str,
    /// The value in the reference; absent if it has none.
    pub given: Option<String>,
    /// The value in the record.
    pub found: Option<String>,
    /// 0 to 1.
    pub similarity: f64,
    /// The field's contribution to the log-odds of the score; negative counts against the candidate.
    pub weight: f64,
    pub verdict: FieldVerdict,
}

/// The agreement of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldVerdict {
    Equal,
    Similar,
    Different,
    /// One side has no value, or has it in a different script.
    Missing,
}

/// Reports every field that the reference or the record has.
pub fn explain(reference: &Reference, item: &Item, found: &Match) -> Vec<FieldReport> {
    let weights = weights(found);
    let e = &found.evidence;
    let mut reports = vec![
        title(reference, item, e),
        authors(reference, item, e),
        year(reference, item, e),
        volume(reference, item, e),
        issue(reference, item, e),
        pages(reference, item, e),
        container(reference, item, e),
        identifier(reference, item, e),
    ];
    reports.retain(|report| report.given.is_some() || report.found.is_some());
    for report in &mut reports {
        let weight = field_of(report.field).and_then(|field| weights.get(&field));
        report.weight = round(weight.copied().unwrap_or_default());
        report.similarity = round(report.similarity);
    }
    reports
}

fn weights(found: &Match) -> BTreeMap<Field, f64> {
    let facts = FeatureVector::new(&found.evidence, found.rivals);
    let mut weights = BTreeMap::new();
    for feature in &score::FEATURES {
        *weights.entry(feature.field).or_default() += feature.weight * (feature.value)(&facts);
    }
    weights
}

fn field_of(name: &str) -> Option<Field> {
    Some(match name {
        "title" => Field::Title,
        "authors" => Field::Authors,
        "year" => Field::Year,
        "volume" => Field::Volume,
        "issue" => Field::Issue,
        "pages" => Field::Pages,
        "container_title" => Field::Container,
        "identifier" => Field::Identifier,
        _ => return None,
    })
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The similarity above which a field is equal. Lists of authors above it that are not equal name the same people,
/// one of them with other letters.
pub const EQUAL: f64 = 0.97;

fn report(
    field: &'static str,
    given: Option<String>,
    found: Option<String>,
    similarity: f64,
) -> FieldReport {
    let same = matches!((&given, &found), (Some(a), Some(b)) if squeeze(a) == squeeze(b));
    let similarity = if same { 1.0 } else { similarity };
    let verdict = match (&given, &found) {
        (None, _) | (_, None) => FieldVerdict::Missing,
        _ if similarity > EQUAL => FieldVerdict::Equal,
        _ if similarity >= 0.6 => FieldVerdict::Similar,
        _ => FieldVerdict::Different,
    };
    FieldReport {
        field,
        given,
        found,
        similarity,
        weight: 0.0,
        verdict,
    }
}

/// The text in the place of a field: the stretch where the field was found, otherwise the parser's
/// guess.
fn shown(reference: &Reference, cover: &FieldAlignment, guess: Option<&String>) -> Option<String> {
    let stretch = cover.span().filter(|_| cover.share >= 0.5);
    let text = stretch.map(|span| reference.slice(span));
    text.map(one_line).or_else(|| guess.cloned())
}

fn title(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let known = item.text(TextVar::Title);
    let known = known.map(|title| without_tex(title).into_owned());
    let untitled = e.title.share < 0.4 && e.title_explained > 0.5;
    let place = e
        .title_place
        .clone()
        .map(|place| one_line(reference.slice(place)));
    let given = if untitled {
        None
    } else {
        place.or_else(|| shown(reference, &e.title, reference.title.as_ref()))
    };
    let mut report = report("title", given, known, e.title.share);
    if report.verdict == FieldVerdict::Missing {
        return report;
    }
    // In a damaged text, a word may be misread however different it looks.
    report.verdict = match e.title_wording {
        Wording::Unknown => report.verdict,
        Wording::Same => FieldVerdict::Equal,
        Wording::Other if e.damage == 0.0 => FieldVerdict::Different,
        Wording::Near | Wording::Reworded | Wording::Other => FieldVerdict::Similar,
    };
    report
}

fn container(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let present = container::names(item);
    let known = e
        .container_index
        .and_then(|n| present.get(n))
        .or(present.first())
        .map(|text| (*text).to_owned());
    let place = e.container_place.clone();
    let given = place.clone().map(|place| one_line(reference.slice(place)));
    let given = given.or_else(|| shown(reference, &e.container, reference.container.as_ref()));
    let given = given.filter(|given| !says_no_more(given, item));
    let mut report = report("container_title", given, known, e.container.share);
    if report.verdict == FieldVerdict::Missing {
        return report;
    }
    if container::is_another(reference, item, e) {
        report.verdict = FieldVerdict::Different;
    } else if place.is_some() {
        // An abbreviation of all words is the same container.
        report.verdict = FieldVerdict::Equal;
    } else {
        name_otherwise(reference, item, e, &mut report);
    }
    report
}

/// Whether the text in the container's place is the publisher or, if the work is not in a
/// periodical, consists of words of the title and the publisher.
fn says_no_more(given: &str, item: &Item) -> bool {
    let text = |variable| item.text(variable).unwrap_or_default();
    let publisher = text(TextVar::Publisher);
    if !publisher.is_empty() && squeeze(given) == squeeze(publisher) {
        return true;
    }
    let mut known = tokens(text(TextVar::Title));
    known.extend(tokens(publisher));
    let is_known = |word: &Token| known.iter().any(|token| token.text == word.text);
    !item.kind.is_in_periodical() && tokens(given).iter().filter(|t| t.is_word()).all(is_known)
}

/// Accepts a container that is written in a different form than the record's.
fn name_otherwise(reference: &Reference, item: &Item, e: &Evidence, report: &mut FieldReport) {
    if let Some(place) = container::written_otherwise(reference, item, e) {
        report.given = Some(one_line(reference.slice(place)));
        report.similarity = 1.0;
        report.verdict = FieldVerdict::Equal;
    } else if container::has_acronym(reference, item, e) {
        report.verdict = FieldVerdict::Equal;
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn authors(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let names = [NameVar::Author, NameVar::Editor]
        .into_iter()
        .map(|variable| item.names(variable))
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let known: Vec<String> = names.iter().take(20).map(|name| name.display()).collect();
    let given: Vec<String> = reference
        .names
        .iter()
        .take(20)
        .map(|name| name.display())
        .collect();
    let joined = |names: Vec<String>| (!names.is_empty()).then(|| names.join("; "));
    if reference.names_listed && !given.is_empty() && !known.is_empty() {
        return listed_authors(reference, item, names);
    }
    let given = joined(given).or_else(|| people_before_title(reference, e));
    // A reference may name only the first author; unknown names in it count against it.
    let unmatched = match e.people.known {
        ..=1 => 0.0,
        MAX_PEOPLE.. => share_of_added(&reference.names, names),
        _ => e.people.unmatched,
    };
    let similarity = e.people.first * (1.0 - 0.5 * unmatched);
    let mut report = report("authors", given, joined(known), similarity);
    if report.verdict != FieldVerdict::Missing && are_in_other_letters(&reference.names, names) {
        report.verdict = FieldVerdict::Missing;
    } else if another_leads(&reference.names, names) {
        report.verdict = FieldVerdict::Different;
    } else if report.verdict == FieldVerdict::Equal && has_more_names(reference, names, e) {
        report.verdict = FieldVerdict::Similar;
        report.similarity = report.similarity.min(EQUAL);
    } else if report.verdict != FieldVerdict::Different {
        name_people(reference, item, names, &mut report);
    }
    report
}

/// A printed list without words for others names everybody, in order. What stands elsewhere in the text, or cannot be
/// told from the words around it, is no difference.
fn name_people(reference: &Reference, item: &Item, known: &[Name], report: &mut FieldReport) {
    if reference.names.is_empty() || reference.names_editors {
        return;
    }
    let mut difference = author_lists(reference, item, known).compare();
    difference.missing.retain(|at| {
        known
            .get(*at)
            .is_some_and(|name| !is_in_text(name, reference))
    });
    if !difference.is_of_people() {
        return;
    }
    report.verdict = FieldVerdict::Similar;
    report.similarity = report.similarity.min(EQUAL);
    show_people(report, &difference, &reference.names, known);
}

/// Whether a word of a family name is a word of the text that is not read as a name, perhaps misspelt or joined to
/// another one.
fn is_in_text(name: &Name, reference: &Reference) -> bool {
    const MIN_JOINED_LENGTH: usize = 4;
    let heading = tokens(&name.heading());
    let is_like = |word: &Token, given: &Token| {
        word.text == given.text
            || similar::word_similarity(&given.text, &word.text) > 0.0
            || (word.text.len() >= MIN_JOINED_LENGTH && given.text.contains(&word.text))
    };
    // Names that were read are compared as names.
    let unread = || {
        reference
            .tokens
            .iter()
            .zip(&reference.roles)
            .filter(|(_, role)| **role != Role::Name)
    };
    let is_there = |word: &Token| unread().any(|(given, _)| is_like(word, given));
    heading.is_empty() || heading.iter().any(is_there)
}

fn author_lists<'n>(reference: &'n Reference, item: &Item, known: &'n [Name]) -> AuthorLists<'n> {
    AuthorLists {
        given: &reference.names,
        given_has_others: reference.has_others,
        known,
        known_has_others: given::has_others(item)
            || is_cut_short(known)
            || is_cut_by_source(item, known),
    }
}

/// Whether a record has as many authors as its source keeps of a longer list: MEDLINE kept ten of 1984 to 1995 and
/// 25 of 1996 to 1999, OpenAlex keeps a hundred.
fn is_cut_by_source(item: &Item, known: &[Name]) -> bool {
    let is_of_medline = item.text(TextVar::Pmid).is_some();
    match (known.len(), item.year()) {
        (100, _) => true,
        (10, Some(1984..=1996)) | (25, Some(1995..=2000)) => is_of_medline,
        _ => false,
    }
}

/// Shows the people of a difference: who is not of the work, and who is left out.
fn show_people(
    report: &mut FieldReport,
    difference: &AuthorsDifference,
    given: &[Name],
    known: &[Name],
) {
    if difference.missing.is_empty() && difference.added.is_empty() {
        report.given = people(given, &difference.moved);
    } else {
        report.given = people(given, &difference.added);
        report.found = people(known, &difference.missing);
    }
}

/// The names at some places of a list.
fn people(names: &[Name], places: &[usize]) -> Option<String> {
    let people = places.iter().filter_map(|at| names.get(*at));
    let people: Vec<String> = people.take(MAX_SHOWN).map(Name::display).collect();
    (!people.is_empty()).then(|| people.join("; "))
}

/// The share of the people in a text who are not of the work, for lists longer than the evidence has.
fn share_of_added(given: &[Name], known: &[Name]) -> f64 {
    let lists = AuthorLists {
        given,
        given_has_others: true,
        known,
        known_has_others: false,
    };
    lists.compare().added.len() as f64 / given.len().max(1) as f64
}

/// Compares the whole list of a reference with the work's; a difference names the people. A work with one author
/// may be a record that is cut short.
fn listed_authors(reference: &Reference, item: &Item, known: &[Name]) -> FieldReport {
    let difference = author_lists(reference, item, known).compare();
    let all = |names: &[Name]| people(names, &(0..names.len()).collect::<Vec<_>>());
    let changed = difference.missing.len().max(difference.added.len());
    let is_changed = difference.is_of_people();
    let share = changed as f64 / known.len().max(reference.names.len()) as f64;
    let most = match () {
        () if difference.other_first => 0.5,
        () if is_changed => EQUAL,
        () => 1.0,
    };
    let given = all(&reference.names);
    let mut report = report("authors", given, all(known), (1.0 - share).min(most));
    if are_in_other_letters(&reference.names, known) {
        report.verdict = FieldVerdict::Missing;
        return report;
    }
    let respelled = &difference.respelled;
    report.verdict = match () {
        () if difference.other_first => FieldVerdict::Different,
        () if is_changed || !respelled.is_empty() => FieldVerdict::Similar,
        () => FieldVerdict::Equal,
    };
    if is_changed {
        show_people(&mut report, &difference, &reference.names, known);
    } else if !respelled.is_empty() {
        let (given, found): (Vec<usize>, Vec<usize>) = respelled.iter().copied().unzip();
        report.given = people(&reference.names, &given);
        report.found = people(known, &found);
    }
    report
}

/// The maximum number of people of a list that are shown.
const MAX_SHOWN: usize = 20;

/// Whether a list has only a family name, as records that are cut short do.
fn is_cut_short(known: &[Name]) -> bool {
    matches!(known, [name] if name.given.is_none() && name.literal.is_none())
}

/// Whether one side's names are in Chinese, Japanese or Korean and the other's in Latin letters. A
/// character has many readings, so neither confirms or contradicts the other.
fn are_in_other_letters(given: &[Name], known: &[Name]) -> bool {
    let own = |names: &[Name]| {
        names
            .iter()
            .all(|name| is_in_joined_script(&name.heading()))
    };
    let latin = |names: &[Name]| {
        let mut letters = names
            .iter()
            .flat_map(|name| name.heading().chars().collect::<Vec<_>>());
        letters.all(|c| c < '\u{250}' || !c.is_alphabetic())
    };
    !given.is_empty()
        && !known.is_empty()
        && (own(given) && latin(known) || latin(given) && own(known))
}

/// Whether the text puts another author of the record before the first.
fn another_leads(given: &[Name], known: &[Name]) -> bool {
    let family = |name: &Name| squeeze(&name.heading());
    let (Some((leader, followers)), Some((first, others))) =
        (given.split_first(), known.split_first())
    else {
        return false;
    };
    let (leader, first) = (family(leader), family(first));
    leader != first
        && others.iter().any(|name| family(name) == leader)
        && followers.iter().any(|name| family(name) == first)
}

/// Whether the text names others besides the record's only author. A record with only a family name
/// is cut short.
fn has_more_names(reference: &Reference, known: &[Name], e: &Evidence) -> bool {
    let alone = known.len() == 1 && !is_cut_short(known);
    alone && reference.names.len() > 1 && e.people.unmatched > 0.0
}

/// The text before the title, if it must contain names that could not be parsed: the text has some
/// author of the record.
fn people_before_title(reference: &Reference, e: &Evidence) -> Option<String> {
    let title = e.title.span().filter(|_| e.people.count > 0)?;
    let is_listed = |at: &usize| reference.role(*at) == Role::Marker;
    let start = (0..title.start).find(|at| !is_listed(at))?;
    let words = reference.slice(start..title.start).split_whitespace();
    Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

fn year(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let known = item.year();
    // The record's year may be a number in the title; only a different year is a conflict.
    let differs = |year: &&i32| Some(**year) != known;
    let given = match e.year {
        Agreement::Equal(_) => known,
        _ => reference.years.iter().find(differs).copied(),
    };
    let text = |year: Option<i32>| year.map(|year| year.to_string());
    if given.is_some_and(|year| has_other_date(item, year)) {
        return report("year", text(given), text(given), 1.0);
    }
    let mut report = report(
        "year",
        text(given),
        text(known),
        agreement_similarity(e.year),
    );
    if e.year == Agreement::Near {
        report.verdict = FieldVerdict::Similar;
    }
    report
}

/// Whether this is the year of the item's other form (online, in print), of its event, or of its
/// first publication.
fn has_other_date(item: &Item, year: i32) -> bool {
    [
        DateVar::AvailableDate,
        DateVar::EventDate,
        DateVar::OriginalDate,
    ]
    .into_iter()
    .filter_map(|variable| item.date(variable)?.start)
    .any(|start| start.year == year)
}

fn number(
    field: &'static str,
    guess: Option<String>,
    known: Option<&str>,
    agreement: Agreement,
) -> FieldReport {
    let known = known.map(str::to_owned);
    let given = match agreement {
        // Found in another field's place, so the guess for this field may belong to that one.
        Agreement::Equal(fit) if fit < IN_PLACE => known.clone(),
        Agreement::Equal(_) => guess.or_else(|| known.clone()),
        Agreement::NotGiven | Agreement::Absent => None,
        _ => guess,
    };
    let similarity = agreement_similarity(agreement);
    let mut report = report(field, given, known, similarity);
    if similarity >= 0.6 && report.verdict != FieldVerdict::Missing {
        report.verdict = FieldVerdict::Equal;
    }
    report
}

fn volume(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let guess = match misplaced_page(reference, item, e) {
        Some(_) => None,
        None => reference.volume.clone(),
    };
    number("volume", guess, item.number(NumberVar::Volume), e.volume)
}

/// A supplement may be cited by its number alone.
fn issue(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let known = item.number(NumberVar::Issue);
    let mut report = number("issue", reference.issue.clone(), known, e.issue);
    let same = |given: &str, known: &str| {
        let number = pages::supplement(known).or(pages::supplement(given));
        number.is_some_and(|number| number == squeeze(given) || number == squeeze(known))
    };
    if let (Some(given), Some(known)) = (&report.given, &report.found)
        && same(given, known)
    {
        report.similarity = 1.0;
        report.verdict = FieldVerdict::Equal;
    }
    report
}

fn pages(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let known = item.number(NumberVar::Page);
    if known.is_some()
        && let Some(given) = misplaced_page(reference, item, e)
    {
        return report("pages", Some(given), known.map(str::to_owned), 0.0);
    }
    let mut report = number("pages", reference.pages.clone(), known, e.page);
    let (Some(given), Some(known)) = (&report.given, &report.found) else {
        return report;
    };
    match pages::compare(given, known) {
        Paging::Within => {
            report.similarity = 1.0;
            report.verdict = FieldVerdict::Equal;
        }
        Paging::OtherEnd if report.verdict == FieldVerdict::Equal => {
            report.verdict = FieldVerdict::Similar
        }
        _ => {}
    }
    report
}

/// The number read as the volume, if the volume was found elsewhere and no page is given. A volume
/// that looks like a year is not read as one; the page behind it is.
fn misplaced_page(reference: &Reference, item: &Item, e: &Evidence) -> Option<String> {
    let is_left = e.page == Agreement::NotGiven && e.unexplained.numbers > 0;
    let found =
        matches!(e.volume, Agreement::Equal(_)).then(|| item.number(NumberVar::Volume))??;
    let given = reference.volume.clone().filter(|_| is_left)?;
    let is_number = given.bytes().all(|b| b.is_ascii_digit());
    (is_number && squeeze(&given) != squeeze(found)).then_some(given)
}

/// From this value on, a number is in its field's place, or no other field claims it.
const IN_PLACE: f64 = 0.7;

fn agreement_similarity(agreement: Agreement) -> f64 {
    match agreement {
        // The place of a number in the text affects confidence, not similarity.
        Agreement::Equal(_) => 1.0,
        Agreement::Near => 0.7,
        Agreement::Misprint => 0.5,
        _ => 0.0,
    }
}

fn identifier(reference: &Reference, item: &Item, e: &Evidence) -> FieldReport {
    let known = identifiers_of(item);
    let shared = reference.identifiers.iter().find(|id| known.contains(id));
    let given = shared.or(reference.identifiers.first());
    let found = match given {
        Some(given) => known.iter().find(|id| id.kind() == given.kind()),
        None => None,
    };
    let text =
        |id: Option<&citation_model::identifier::Identifier>| id.map(|id| id.as_str().to_owned());
    let address = address_of(item).filter(|known| reference.addresses.contains(known));
    let is_at_address = shared.is_none() && address.is_some();
    let (given, found) = if is_at_address {
        (address.clone(), address)
    } else {
        (text(given), text(found))
    };
    report(
        "identifier",
        given,
        found,
        agreement_similarity(e.identifier),
    )
}

#[cfg(test)]
mod tests {
    use citation_model::item_type::ItemType;

    use super::*;

    #[test]
    fn words_of_title_and_publisher_name_no_container() {
        let work = |kind| {
            let mut item = Item::new("a", kind);
            item.set_text(TextVar::Title, "Algebraic geometry");
            item.set_text(TextVar::Publisher, "Springer Press");
            item
        };
        let book = work(ItemType::Book);
        for given in ["Algebraic geometry. Springer", "Springer", "Springer Press"] {
            assert!(says_no_more(given, &book), "{given}");
        }
        assert!(!says_no_more("Graduate Texts in Mathematics", &book));
        // A journal may be named after the same subject as the title.
        let article = work(ItemType::Article);
        assert!(!says_no_more("Geometry", &article));
        assert!(says_no_more("Springer Press", &article));
    }
}
