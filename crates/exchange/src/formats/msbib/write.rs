//! Writes items as Word sources for its source manager.

use std::collections::HashSet;

use super::kinds::KINDS;
use super::read::{CONTAINERS, MAKERS, NUMBERS, ROLES, TEXTS, language_number};
use crate::formats::zotero::extra;
use crate::kinds::write_kind;
use crate::syntax::tagged::serials;
use crate::syntax::xml::write::{Writer, plain};
use citation_fields::names::joined;
use citation_fields::{identifiers, keywords};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

const NAMESPACE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/bibliography";

/// Writes items as one list of sources. Variables without an element in Word are omitted.
pub fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let writer = Writer::with_prefix("b:");
    let mut tags = HashSet::new();
    let attributes = [
        ("xmlns:b", NAMESPACE),
        ("xmlns", NAMESPACE),
        ("SelectedStyle", ""),
    ];
    writer.document("Sources", &attributes, items, budget, |at, item, writer| {
        let tag = unique_tag(item, at, &mut tags);
        writer.element("Source", |writer| source(item, &tag, writer));
    })
}

/// Word identifies sources by their tags.
fn unique_tag(item: &Item, at: usize, tags: &mut HashSet<String>) -> String {
    let own = item.text(TextVar::CitationKey).unwrap_or(&item.id);
    let tag = if own.is_empty() || tags.contains(own) {
        format!("{own}Source{}", at + 1)
    } else {
        own.to_owned()
    };
    tags.insert(tag.clone());
    tag
}

fn source(item: &Item, tag: &str, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let kind = write_kind(KINDS, item.kind).unwrap_or("Misc");
    writer.leaf("Tag", tag);
    writer.leaf("SourceType", kind);
    for (name, variable) in TEXTS.iter().filter(|row| row.1 != TextVar::Note) {
        writer.leaf(name, &plain(text(*variable)));
    }
    writer.leaf("Comments", &comments(item));
    for (name, variable) in NUMBERS {
        let number = item.number(*variable).unwrap_or_default();
        let is_own = match *name {
            "CaseNumber" => kind == "Case",
            "RecordingNumber" => kind == "SoundRecording",
            "PatentNumber" => !matches!(kind, "Case" | "SoundRecording"),
            _ => true,
        };
        if is_own {
            writer.leaf(name, number);
        }
    }
    let own = CONTAINERS.iter().find(|(known, _)| *known == kind);
    let (_, container) = own.or(CONTAINERS.last()).copied().unwrap_or_default();
    writer.leaf(container, &plain(text(TextVar::ContainerTitle)));
    writer.leaf("BIBTEX_Series", &plain(text(TextVar::CollectionTitle)));
    names(item, writer);
    dates(item, writer);
    writer.leaf("City", text(TextVar::PublisherPlace));
    match item.kind {
        ItemType::Thesis => writer.leaf(
            "ThesisType",
            match text(TextVar::Genre) {
                "" => "Thesis",
                genre => genre,
            },
        ),
        _ => writer.leaf("Type", text(TextVar::Genre)),
    }
    let words: Vec<&str> = keywords::split(text(TextVar::Keyword)).collect();
    writer.leaf("BIBTEX_KeyWords", &words.join("; "));
    writer.leaf("URL", text(TextVar::Url));
    // Only valid numbers are told apart.
    let is_valid = |number: &String| identifiers::serial_numbers(number).others.is_empty();
    let serials: Vec<String> = serials(item).into_iter().filter(is_valid).collect();
    writer.leaf("StandardNumber", &serials.join(", "));
    if let Some(number) = language_number(text(TextVar::Language)) {
        writer.leaf("LCID", &number.to_string());
    }
}

/// The notes, and a line for each variable without an element.
fn comments(item: &Item) -> String {
    const OTHERS: [Variable; 11] = [
        Variable::Date(DateVar::EventDate),
        Variable::Number(NumberVar::CollectionNumber),
        Variable::Number(NumberVar::NumberOfPages),
        Variable::Text(TextVar::ArchiveLocation),
        Variable::Text(TextVar::ArxivId),
        Variable::Text(TextVar::CallNumber),
        Variable::Text(TextVar::ContainerTitleShort),
        Variable::Text(TextVar::EventTitle),
        Variable::Text(TextVar::Pmcid),
        Variable::Text(TextVar::Pmid),
        Variable::Text(TextVar::ReviewedTitle),
    ];
    let mut written: Vec<NameVar> = ROLES.iter().map(|(_, variable)| *variable).collect();
    written.push(NameVar::Author);
    let note = item.text(TextVar::Note).map(str::to_owned);
    let mut lines: Vec<String> = note.into_iter().collect();
    lines.extend(extra::lines(item, &OTHERS));
    lines.extend(extra::lines(item, &extra::RARE));
    lines.extend(extra::other_names(item, &written));
    plain(&lines.join("\n"))
}

fn names(item: &Item, writer: &mut Writer) {
    let maker = MAKERS.iter().find(|(kind, _)| *kind == item.kind);
    writer.element("Author", |writer| {
        for (role, variable) in ROLES {
            let role = match (*variable, maker) {
                (NameVar::Author, Some((_, maker))) => maker,
                _ => role,
            };
            name_list(role, item.names(*variable), writer);
        }
    });
}

/// A list contains persons or a single institution. With several names, institutions are written as
/// persons.
fn name_list(role: &'static str, names: &[Name], writer: &mut Writer) {
    writer.element(role, |writer| match names {
        [
            Name {
                literal: Some(body),
                ..
            },
        ] => writer.leaf("Corporate", body),
        names => writer.element("NameList", |writer| {
            for name in names {
                writer.element("Person", |writer| person(name, writer));
            }
        }),
    });
}

fn person(name: &Name, writer: &mut Writer) {
    if let Some(body) = &name.literal {
        return writer.leaf("Last", body);
    }
    let last = [&name.non_dropping_particle, &name.family, &name.suffix];
    writer.leaf("Last", &joined(&last));
    writer.leaf("First", &joined(&[&name.given, &name.dropping_particle]));
}

fn dates(item: &Item, writer: &mut Writer) {
    let parts = |date: &Date| {
        let numbers = date.start.map(|start| start.numbers()).unwrap_or_default();
        let mut texts = numbers.into_iter().map(|number| number.to_string());
        [texts.next(), texts.next(), texts.next()].map(Option::unwrap_or_default)
    };
    if let Some(date) = item.date(DateVar::Issued) {
        let [year, month, day] = parts(date);
        let year = match (year.as_str(), date.end_parts()) {
            ("", _) => date.literal.clone().unwrap_or_default(),
            (year, Some(end)) if month.is_empty() => format!("{year}-{}", end.year),
            (year, _) => year.to_owned(),
        };
        writer.leaf("Year", &year);
        writer.leaf("Month", &month);
        writer.leaf("Day", &day);
    }
    if let Some(date) = item.date(DateVar::Accessed) {
        let [year, month, day] = parts(date);
        writer.leaf("YearAccessed", &year);
        writer.leaf("MonthAccessed", &month);
        writer.leaf("DayAccessed", &day);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MSBIB;
    use crate::testing::{check_round_trip, items};

    #[test]
    fn fields_that_word_knows_read_back() {
        check_round_trip(
            &MSBIB,
            r#"[
            {"type": "article-journal", "citation-key": "doe2001", "title": "On it & x",
             "author": [{"family": "Doe", "given": "Jane Q."}, {"family": "Roe", "given": "A."}],
             "container-title": "Journal of Tests", "volume": "12", "issue": "3", "page": "101-109", "issued": {"date-parts": [[2001, 5, 3]]},
             "DOI": "10.5555/abc", "ISSN": "2049-3630", "abstract": "Text.", "keyword": "ants, bees", "language": "en-US", "note": "Mine",
             "URL": "https://example.org/a?b=c&d", "accessed": {"date-parts": [[2020, 1, 2]]}, "PMID": "123", "PMCID": "PMC45",
             "event-title": "Test Days", "illustrator": [{"family": "Poe", "given": "Pia"}]},
            {"type": "book", "citation-key": "b", "title": "Whole", "editor": [{"literal": "World Health Organization"}], "publisher": "House", "publisher-place": "Rome",
             "collection-title": "Series", "edition": "2", "ISBN": "9780198526636", "issued": {"date-parts": [[1999]]}},
            {"type": "chapter", "citation-key": "c", "title": "Part", "author": [{"family": "Doe", "given": "J."}], "container-title": "Whole", "chapter-number": "4", "page": "1-9"},
            {"type": "thesis", "citation-key": "t", "title": "Ding", "author": [{"family": "Doe", "given": "J."}], "genre": "PhD thesis", "publisher": "University"},
            {"type": "patent", "citation-key": "p", "title": "P", "number": "US 1", "author": [{"family": "Doe", "given": "J."}]},
            {"type": "legal_case", "citation-key": "l", "title": "L", "number": "5", "authority": "Court", "container-title": "Reports"},
            {"type": "webpage", "citation-key": "w", "title": "W", "container-title": "Site", "URL": "https://example.org/"}]"#,
        );
    }

    #[test]
    fn tags_are_unique() {
        let items =
            items(r#"[{"id": "a", "title": "A"}, {"id": "a", "title": "B"}, {"title": "C"}]"#);
        let written = write(&items, &Budget::unlimited()).unwrap();
        let tags = written.lines().filter(|line| line.contains("<b:Tag>"));
        let tags: Vec<&str> = tags.map(str::trim).collect();
        assert_eq!(
            tags,
            [
                "<b:Tag>a</b:Tag>",
                "<b:Tag>aSource2</b:Tag>",
                "<b:Tag>Source3</b:Tag>"
            ]
        );
    }
}
