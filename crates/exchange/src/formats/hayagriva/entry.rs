//! An item as a Hayagriva entry. CSL variables of the containing book or journal become those of a parent.

use super::read::{ROLES, TEXTS};
use super::text::{date, formattable, is_web_address, language};
use crate::syntax::yaml::write::{Map, Value};
use citation_fields::names::joined;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// The entry of an item.
pub fn of(item: &Item) -> Map {
    let kind = Kind::of(item);
    let mut entry = Map::default();
    entry.set("type", Value::Word(kind.own));
    title(&mut entry, item, TextVar::Title, TextVar::TitleShort);
    entry.list("author", names(item, NameVar::Author));
    let mut parents = Vec::new();
    match kind.container.filter(|_| has_container(item)) {
        Some(container) => {
            own_dates_and_pages(&mut entry, item);
            identifiers(&mut entry, item, &OWN);
            parents.push(parent(item, container));
        }
        None => {
            entry.list("editor", names(item, NameVar::Editor));
            own_dates_and_pages(&mut entry, item);
            issuance(&mut entry, item);
            identifiers(&mut entry, item, &[OWN.as_slice(), &SHARED].concat());
            parents.extend(series(item));
        }
    }
    other_fields(&mut entry, item);
    parents.extend(event(item));
    parents.extend(original(item));
    add_parents(&mut entry, parents);
    entry
}

/// The types of an item and of its container.
struct Kind {
    own: &'static str,
    container: Option<&'static str>,
}

impl Kind {
    fn of(item: &Item) -> Kind {
        use ItemType::*;
        let (own, container) = match item.kind {
            Article | MagazineArticle | Review | BookReview => ("article", Some("periodical")),
            NewspaperArticle => ("article", Some("newspaper")),
            Preprint => ("article", Some("repository")),
            ConferencePaper => ("article", Some("proceedings")),
            BlogPost => ("article", Some("blog")),
            Chapter => ("chapter", Some("book")),
            Entry | DictionaryEntry | EncyclopediaEntry => ("entry", Some("reference")),
            Book | Classic | Pamphlet => ("book", None),
            Collection => ("anthology", None),
            Periodical => ("periodical", None),
            Report | Standard => ("report", None),
            Thesis => ("thesis", None),
            Webpage => ("web", Some("web")),
            Post => ("post", Some("thread")),
            Dataset | Software => ("repository", None),
            Patent => ("patent", None),
            LegalCase | Hearing => ("case", Some("reference")),
            Legislation | Bill | Regulation | Treaty => ("legislation", Some("anthology")),
            Manuscript => ("manuscript", None),
            Figure | Graphic | Map => ("artwork", Some("book")),
            MotionPicture | Broadcast => ("video", Some("video")),
            Song | MusicalScore => ("audio", Some("audio")),
            Performance => ("performance", None),
            Event => ("conference", None),
            Speech | Interview | PersonalCommunication | Document => ("misc", Some("misc")),
        };
        Kind { own, container }
    }
}

fn has_container(item: &Item) -> bool {
    item.text(TextVar::ContainerTitle).is_some()
}

fn own_dates_and_pages(entry: &mut Map, item: &Item) {
    entry.text("date", item.date(DateVar::Issued).and_then(date));
    let page = item.number(NumberVar::Page);
    entry.text("page-range", page.or(item.number(NumberVar::PageFirst)));
    entry.text("chapter", item.number(NumberVar::ChapterNumber));
    count(entry, item, "page-total", NumberVar::NumberOfPages);
}

/// The book, journal or site that contains an item, and its series.
fn parent(item: &Item, kind: &'static str) -> Map {
    let mut parent = Map::default();
    parent.set("type", Value::Word(kind));
    title(
        &mut parent,
        item,
        TextVar::ContainerTitle,
        TextVar::ContainerTitleShort,
    );
    parent.list("author", names(item, NameVar::ContainerAuthor));
    parent.list("editor", names(item, NameVar::Editor));
    issuance(&mut parent, item);
    identifiers(&mut parent, item, &SHARED);
    add_parents(&mut parent, series(item).into_iter().collect());
    parent
}

/// Publisher, edition, volume and similar numbers.
fn issuance(entry: &mut Map, item: &Item) {
    let mut publisher = Map::default();
    publisher.text("name", formatted(item, TextVar::Publisher));
    publisher.text("location", formatted(item, TextVar::PublisherPlace));
    entry.map("publisher", publisher);
    entry.text("volume", item.number(NumberVar::Volume));
    entry.text("issue", item.number(NumberVar::Issue));
    entry.text("edition", item.number(NumberVar::Edition));
    count(entry, item, "volume-total", NumberVar::NumberOfVolumes);
}

fn series(item: &Item) -> Option<Map> {
    item.text(TextVar::CollectionTitle)?;
    let mut series = Map::default();
    series.set("type", Value::Word("anthology"));
    series.text("title", formatted(item, TextVar::CollectionTitle));
    series.list("editor", names(item, NameVar::CollectionEditor));
    series.text("volume", item.number(NumberVar::CollectionNumber));
    Some(series)
}

fn event(item: &Item) -> Option<Map> {
    let name = formatted(item, TextVar::EventTitle).or(formatted(item, TextVar::Event))?;
    let mut event = Map::default();
    event.set("type", Value::Word("conference"));
    event.text("title", Some(name));
    event.text("date", item.date(DateVar::EventDate).and_then(date));
    event.text("location", formatted(item, TextVar::EventPlace));
    Some(event)
}

/// The original publication of an item.
fn original(item: &Item) -> Option<Map> {
    let mut original = Map::default();
    original.text("title", formatted(item, TextVar::OriginalTitle));
    original.list("author", names(item, NameVar::OriginalAuthor));
    original.text("date", item.date(DateVar::OriginalDate).and_then(date));
    let mut publisher = Map::default();
    publisher.text("name", formatted(item, TextVar::OriginalPublisher));
    publisher.text("location", formatted(item, TextVar::OriginalPublisherPlace));
    original.map("publisher", publisher);
    if original.is_empty() {
        return None;
    }
    original.set("type", Value::Word("original"));
    Some(original)
}

fn add_parents(entry: &mut Map, mut parents: Vec<Map>) {
    match parents.len() {
        0 => {}
        1 => entry.map("parent", parents.remove(0)),
        _ => entry.list("parent", parents.into_iter().map(Value::Map).collect()),
    }
}

/// Identifiers of an item only, and those that may belong to its book or journal.
const OWN: [(&str, TextVar); 4] = [
    ("doi", TextVar::Doi),
    ("pmid", TextVar::Pmid),
    ("pmcid", TextVar::Pmcid),
    ("arxiv", TextVar::ArxivId),
];
const SHARED: [(&str, TextVar); 2] = [("isbn", TextVar::Isbn), ("issn", TextVar::Issn)];

fn identifiers(entry: &mut Map, item: &Item, wanted: &[(&'static str, TextVar)]) {
    let mut numbers = Map::default();
    for (name, variable) in wanted {
        numbers.text(*name, item.text(*variable));
    }
    // The item's own identifiers come with numbers that only items have.
    if wanted.starts_with(&OWN) {
        numbers.text("serial", item.number(NumberVar::Number));
        numbers.text("version", item.number(NumberVar::Version));
        web_address(entry, item);
    }
    entry.map("serial-number", numbers);
}

fn web_address(entry: &mut Map, item: &Item) {
    let Some(url) = item.text(TextVar::Url).filter(|url| is_web_address(url)) else {
        return;
    };
    match item.date(DateVar::Accessed).and_then(date) {
        None => entry.text("url", Some(url)),
        Some(accessed) => {
            let mut dated = Map::default();
            dated.text("value", Some(url));
            dated.text("date", Some(accessed));
            entry.map("url", dated);
        }
    }
}

/// Other data of an item.
fn other_fields(entry: &mut Map, item: &Item) {
    entry.list("affiliated", affiliated(item));
    let tag = item.text(TextVar::Language).and_then(language);
    entry.text("language", tag);
    entry.text("organization", formatted(item, TextVar::Authority));
    for (name, variable) in TEXTS {
        // A runtime is a duration.
        let is_duration = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ':');
        let text = formatted(item, variable);
        entry.text(
            name,
            text.filter(|text| name != "runtime" || is_duration(text)),
        );
    }
}

fn affiliated(item: &Item) -> Vec<Value> {
    let present = ROLES
        .into_iter()
        .filter(|(_, variable)| !item.names(*variable).is_empty());
    present
        .map(|(role, variable)| {
            let mut people = Map::default();
            people.set("role", Value::Word(role));
            people.list("names", names(item, variable));
            Value::Map(people)
        })
        .collect()
}

fn title(entry: &mut Map, item: &Item, long: TextVar, short: TextVar) {
    let (long, short) = (formatted(item, long), formatted(item, short));
    match (long, short) {
        (Some(long), Some(short)) if long != short => {
            let mut both = Map::default();
            both.text("value", Some(long));
            both.text("short", Some(short));
            entry.map("title", both);
        }
        (long, short) => entry.text("title", long.or(short)),
    }
}

fn formatted(item: &Item, variable: TextVar) -> Option<String> {
    item.text(variable).map(formattable)
}

/// A count, which must be a number.
fn count(entry: &mut Map, item: &Item, name: &'static str, variable: NumberVar) {
    let is_number =
        |text: &&str| (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    entry.text(name, item.number(variable).filter(is_number));
}

fn names(item: &Item, variable: NameVar) -> Vec<Value> {
    item.names(variable).iter().map(person).collect()
}

/// `Family, Given` if it parses back, otherwise a mapping of the parts.
fn person(name: &Name) -> Value {
    let family = name.literal.as_deref().or(name.family.as_deref());
    let given = name.given.as_deref().filter(|_| name.literal.is_none());
    let prefix = joined(&[&name.dropping_particle, &name.non_dropping_particle]);
    if let (Some(family), Some(given)) = (family, given)
        && prefix.is_empty()
        && name.suffix.is_none()
        && !family.contains(',')
        && !given.contains(',')
        && !has_particle(family)
    {
        return Value::Text(format!("{family}, {given}"));
    }
    let mut parts = Map::default();
    if family.is_some() {
        parts.text("given-name", given);
    }
    parts.text("prefix", non_blank(&prefix));
    parts.text("name", family.or(given));
    parts.text("suffix", name.suffix.as_deref());
    Value::Map(parts)
}

/// Whether a reader would take the start of a name as a particle: a lower-case word.
fn has_particle(family: &str) -> bool {
    let mut words = family.split_whitespace();
    words.any(|word| word.starts_with(char::is_lowercase))
}
