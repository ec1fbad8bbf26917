//! Open Library: an edition joined with its work and authors. The API (`/isbn/…`, `/books/…`, `/works/…`,
//! `/authors/…`) and the dumps share one format; `search.json` has its own, already joined.

mod dto;
mod dump;
mod search;

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::lists::words;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::{RecordError, clean, fields, language, names, roles, statement};

pub use dto::{AbstractWork, Author, Edition, bare_key};
pub use dump::{DumpKind, DumpLine};
pub use search::from_search;

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"key\":\"/books/OL1M\",",
    "{\"docs\":[",
    "\"title\":\"",
    "\"authors\":[{\"key\":\"",
    "\"by_statement\":\"",
    "\"publishers\":[\"",
    "\"publish_date\":\"",
    "\"isbn_13\":[\"",
    "\",",
    "1,",
    "],",
    "}",
];

/// Joins an edition with its work and the known authors, in any order. Missing authors are omitted and are
/// not an error.
pub fn join(
    edition: &Edition,
    work: Option<&AbstractWork>,
    authors: &[Author],
) -> Result<Work, RecordError> {
    if let Some(kind @ ("/type/redirect" | "/type/delete" | "/type/author" | "/type/work")) =
        edition.page_type.as_deref()
    {
        return Err(RecordError::NotAWork(format!("a page of {kind}")));
    }
    let key = edition.key().ok_or(RecordError::Missing("key"))?;
    let mut item = Item::new(key, ItemType::Book);
    set_title(&mut item, edition, work)?;
    set_people(&mut item, edition, work, authors);
    set_dates(&mut item, edition, work);
    set_imprint(&mut item, edition);
    set_description(&mut item, edition, work);
    Ok(Work::new(
        item,
        provenance(key, edition.last_modified.as_deref()),
    ))
}

fn provenance(key: &str, last_modified: Option<&str>) -> Provenance {
    let folder = if key.ends_with('W') { "works" } else { "books" };
    Provenance {
        source: Source::Openlibrary,
        record_id: format!("/{folder}/{key}"),
        url: Some(format!("https://openlibrary.org/{folder}/{key}")),
        license: None,
        fetched_at: last_modified.map_or(0, super::unix_seconds),
    }
}

fn set_title(
    item: &mut Item,
    edition: &Edition,
    work: Option<&AbstractWork>,
) -> Result<(), RecordError> {
    let from_work = work.and_then(|work| Some((work.title.as_deref()?, work.subtitle.as_deref())));
    let own = edition
        .title
        .as_deref()
        .map(|title| (title, edition.subtitle.as_deref()));
    let (title, subtitle) = own.or(from_work).ok_or(RecordError::Missing("title"))?;
    let prefix = edition.title_prefix.as_deref().unwrap_or_default().trim();
    let title = match prefix {
        "" => title.to_owned(),
        prefix if title.starts_with(prefix) => title.to_owned(),
        // No blank after an article that ends in an apostrophe: «L'étranger».
        prefix if prefix.ends_with(['\'', '’']) => format!("{prefix}{title}"),
        prefix => format!("{prefix} {title}"),
    };
    // Library records separate the title from the statement of responsibility by a slash.
    let title = title.trim_end_matches(['/', ' ', ':', ';', ',']);
    fields::title(item, title, subtitle);
    fields::rich(
        item,
        TextVar::OriginalTitle,
        edition.translation_of.as_deref(),
    );
    match item.text(TextVar::Title) {
        Some(_) => Ok(()),
        None => Err(RecordError::Missing("title")),
    }
}

fn set_people(item: &mut Item, edition: &Edition, work: Option<&AbstractWork>, authors: &[Author]) {
    let mut keys: Vec<&str> = edition.author_keys().collect();
    if keys.is_empty() {
        keys = work
            .map(|work| work.author_keys().collect())
            .unwrap_or_default();
    }
    let known = |key: &&str| authors.iter().find(|author| author.key() == Some(key));
    let mut people = statement::People::default();
    for author in keys.iter().filter_map(known) {
        people.add(NameVar::Author, author.person());
    }
    for contributor in edition.contributors.iter() {
        let role = contributor.role.as_deref().and_then(roles::of_words);
        let name = names::from_text(contributor.name.as_deref().unwrap_or_default());
        people.add(role.unwrap_or(NameVar::Contributor), name);
    }
    // If the record has no authors, contributors without a role are authors.
    let unnamed = if keys.is_empty() {
        NameVar::Author
    } else {
        NameVar::Contributor
    };
    for contribution in edition.contributions.iter() {
        let (name, role) = statement::contribution(contribution);
        people.add(role.unwrap_or(unnamed), name);
    }
    if people.is_empty()
        && let Some(words) = edition.by_statement.as_deref()
    {
        people = statement::by_statement(words);
    }
    people.set(item);
}

fn set_dates(item: &mut Item, edition: &Edition, work: Option<&AbstractWork>) {
    let published = edition.publish_date.as_deref().and_then(statement::date);
    fields::date(item, DateVar::Issued, published.as_ref());
    let first = work.and_then(|work| work.first_publish_date.as_deref());
    let first = first.and_then(Date::parse);
    let year = |date: &Date| date.start.map(|start| start.year);
    if let (Some(first), Some(issued)) = (first, item.year())
        && year(&first).is_some_and(|first| first < issued)
    {
        item.set_date(DateVar::OriginalDate, first);
    }
}

fn set_imprint(item: &mut Item, edition: &Edition) {
    let first = |texts: &[String]| texts.first().cloned();
    fields::imprint(
        item,
        TextVar::Publisher,
        first(&edition.publishers).as_deref(),
    );
    fields::imprint(
        item,
        TextVar::PublisherPlace,
        first(&edition.publish_places).as_deref(),
    );
    let isbns = edition.isbn_13.iter().chain(edition.isbn_10.iter());
    fields::isbns(item, isbns.map(String::as_str));
    let edition_name = edition.edition_name.as_deref().map(statement::edition);
    fields::number(item, NumberVar::Edition, edition_name.as_deref());
    let pages = edition
        .number_of_pages
        .0
        .clone()
        .filter(|count| count != "0");
    let pages = pages.or_else(|| {
        edition
            .pagination
            .as_deref()
            .and_then(statement::page_count)
    });
    fields::number(item, NumberVar::NumberOfPages, pages.as_deref());
    if let Some(series) = edition.series.first() {
        let (title, number) = statement::series(&clean::plain(series));
        item.set_text(TextVar::CollectionTitle, title);
        item.set_number(NumberVar::CollectionNumber, number.unwrap_or_default());
    }
}

fn set_description(item: &mut Item, edition: &Edition, work: Option<&AbstractWork>) {
    let language = edition.languages.first().map(|key| bare_key(key));
    let language = language.and_then(language::tag);
    fields::plain(item, TextVar::Language, language.as_deref());
    let medium = edition
        .physical_format
        .as_deref()
        .filter(|format| is_medium(format));
    fields::plain(item, TextVar::Medium, medium);
    let call_number = edition.lc_classifications.first().map(String::as_str);
    fields::plain(item, TextVar::CallNumber, call_number);
    let subjects = if edition.subjects.is_empty() {
        work.map(|work| work.subjects.as_slice())
            .unwrap_or_default()
    } else {
        &edition.subjects
    };
    fields::keywords(item, subjects.iter().map(String::as_str));
    if let Some(key) = edition.key() {
        item.set_text(TextVar::Url, format!("https://openlibrary.org/books/{key}"));
    }
}

/// Whether a format is relevant. A paperback binding is not.
fn is_medium(format: &str) -> bool {
    const MARKS: [&str; 13] =
        words("cd dvd audio e-book ebook electronic kindle micro braille cassette mp3 video pdf");
    let lower = format.to_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::name::Name;

    fn edition(json: &str) -> Edition {
        Edition::from_slice(json.as_bytes()).unwrap()
    }

    #[test]
    fn an_edition_with_its_work_and_authors() {
        let edition = edition(
            r#"{"key":"/books/OL7M","title_prefix":"The","title":"Sea /","subtitle":"a novel",
                "works":[{"key":"/works/OL5W"}],"publish_date":"March 2009","publishers":["Faber,"],
                "publish_places":["[London] :"],"isbn_10":["0198526636"],"isbn_13":["9780198526636"],
                "edition_name":"2nd ed.","pagination":"xii, 235 p. :","series":["Blue books ; v. 12"],
                "languages":[{"key":"/languages/ger"}],"physical_format":"Paperback",
                "contributions":["Mary Smith (Translator)"],
                "last_modified":{"type":"/type/datetime","value":"2010-04-24T17:55:39.722477"}}"#,
        );
        let work = AbstractWork::from_slice(
            br#"{"key":"/works/OL5W","title":"Sea","first_publish_date":"1978",
                 "authors":[{"type":"/type/author_role","author":{"key":"/authors/OL2A"}},
                            {"author":"/authors/OL3A"}]}"#,
        )
        .unwrap();
        assert_eq!(work.author_keys().collect::<Vec<_>>(), ["OL2A", "OL3A"]);
        let authors = [
            Author::new("OL3A", "University of Iowa"),
            Author::new("/authors/OL2A", "Ludwig van Beethoven"),
        ];
        let work = join(&edition, Some(&work), &authors).unwrap();
        let item = work.item;
        assert_eq!(item.text(TextVar::Title), Some("The Sea: a novel"));
        let names: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(Name::display)
            .collect();
        assert_eq!(names, ["Ludwig van Beethoven", "University of Iowa"]);
        assert_eq!(item.names(NameVar::Translator).len(), 1);
        assert_eq!(item.text(TextVar::Isbn), Some("9780198526636"));
        assert_eq!(item.text(TextVar::Publisher), Some("Faber"));
        assert_eq!(item.text(TextVar::PublisherPlace), Some("London"));
        assert_eq!(item.number(NumberVar::Edition), Some("2"));
        assert_eq!(item.number(NumberVar::NumberOfPages), Some("235"));
        assert_eq!(item.text(TextVar::CollectionTitle), Some("Blue books"));
        assert_eq!(item.number(NumberVar::CollectionNumber), Some("12"));
        assert_eq!(item.text(TextVar::Language), Some("de"));
        assert_eq!(item.text(TextVar::Medium), None);
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("2009-03")
        );
        assert_eq!(
            item.date(DateVar::OriginalDate).map(Date::edtf).as_deref(),
            Some("1978")
        );
        assert_eq!(work.provenance.record_id, "/books/OL7M");
        assert_eq!(work.provenance.fetched_at, 1_272_131_739);
    }

    #[test]
    fn an_edition_stands_without_its_authors() {
        let edition =
            edition(r#"{"key":"OL7M","title":"Sea","authors":[{"key":"/authors/OL2A"}]}"#);
        let work = join(&edition, None, &[]).unwrap();
        assert!(work.item.names(NameVar::Author).is_empty());
    }

    #[test]
    fn pages_about_other_things_are_refused() {
        let redirect = edition(r#"{"key":"/books/OL7M","type":{"key":"/type/redirect"}}"#);
        assert!(matches!(
            join(&redirect, None, &[]),
            Err(RecordError::NotAWork(_))
        ));
        let untitled = edition(r#"{"key":"/books/OL7M"}"#);
        assert_eq!(
            join(&untitled, None, &[]),
            Err(RecordError::Missing("title"))
        );
    }
}
