//! Writes items as MODS 3.7.

use super::kinds::write_kind;
use crate::syntax::xml::write::{Writer, plain};
use citation_fields::keywords;
use citation_fields::names::joined;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateEnd};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as one collection. Variables without a MODS element are omitted.
pub fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let namespace = [("xmlns", "http://www.loc.gov/mods/v3")];
    let one = |_, item: &Item, writer: &mut Writer| record(item, writer);
    Writer::new().document("modsCollection", &namespace, items, budget, one)
}

/// Relators of names of the record and of its host.
const ROLES: &[(NameVar, &str)] = &[
    (NameVar::Author, "author"),
    (NameVar::Translator, "translator"),
    (NameVar::Compiler, "compiler"),
    (NameVar::Composer, "composer"),
    (NameVar::Illustrator, "illustrator"),
    (NameVar::Director, "director"),
    (NameVar::Producer, "producer"),
    (NameVar::Performer, "performer"),
    (NameVar::Interviewer, "interviewer"),
    (NameVar::Recipient, "addressee"),
    (NameVar::Contributor, "contributor"),
];

fn record(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let own = item.text(TextVar::CitationKey).unwrap_or(&item.id);
    let attributes = [("version", "3.7")];
    writer.element_with("mods", &attributes, |writer| {
        title("", text(TextVar::Title), writer);
        title("abbreviated", text(TextVar::TitleShort), writer);
        for (variable, role) in ROLES {
            names(item.names(*variable), role, writer);
        }
        let in_host = item.text(TextVar::ContainerTitle).is_some();
        if !in_host {
            names(item.names(NameVar::Editor), "editor", writer);
        }
        conference(item, writer);
        let (resource, genre) = write_kind(item.kind);
        writer.leaf("typeOfResource", resource);
        writer.leaf("genre", genre);
        if text(TextVar::Genre) != genre {
            writer.leaf("genre", text(TextVar::Genre));
        }
        writer.element("originInfo", |writer| origin(item, writer));
        writer.element("language", |writer| {
            let attributes = [("type", "code"), ("authority", "rfc5646")];
            writer.leaf_with("languageTerm", &attributes, text(TextVar::Language));
        });
        if let Some(count) = item.number(NumberVar::NumberOfPages) {
            writer.element("physicalDescription", |writer| {
                writer.leaf("extent", &format!("{count} pages"));
            });
        }
        writer.leaf("abstract", &plain(text(TextVar::Abstract)));
        for line in text(TextVar::Note).lines() {
            writer.leaf("note", line);
        }
        subjects(item, writer);
        related(item, in_host, writer);
        identifiers(item, OWN, writer);
        let number = item.number(NumberVar::Number).unwrap_or_default();
        let kind = number_kind(item.kind);
        writer.leaf_with("identifier", &[("type", kind)], number);
        writer.leaf_with("identifier", &[("type", "citekey")], own);
        writer.element("location", |writer| {
            writer.leaf("physicalLocation", text(TextVar::Archive));
            writer.leaf("shelfLocator", text(TextVar::CallNumber));
            writer.leaf("url", text(TextVar::Url));
        });
        writer.leaf("accessCondition", text(TextVar::License));
    });
}

fn conference(item: &Item, writer: &mut Writer) {
    let Some(event) = item.text(TextVar::EventTitle) else {
        return;
    };
    writer.element_with("name", &[("type", "conference")], |writer| {
        writer.leaf("namePart", event);
        if let Some(date) = item.date(DateVar::EventDate) {
            writer.leaf_with("namePart", &[("type", "date")], &date.edtf());
        }
    });
}

fn subjects(item: &Item, writer: &mut Writer) {
    for word in keywords::split(item.text(TextVar::Keyword).unwrap_or_default()) {
        writer.element("subject", |writer| writer.leaf("topic", word));
    }
    writer.element("subject", |writer| {
        writer.element("cartographics", |writer| {
            writer.leaf("scale", item.text(TextVar::Scale).unwrap_or_default());
        });
    });
}

/// The book or journal, the series, the first publication and the reviewed work.
fn related(item: &Item, in_host: bool, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    if in_host {
        writer.element_with("relatedItem", &[("type", "host")], |writer| {
            title("", text(TextVar::ContainerTitle), writer);
            title("abbreviated", text(TextVar::ContainerTitleShort), writer);
            names(item.names(NameVar::ContainerAuthor), "author", writer);
            names(item.names(NameVar::Editor), "editor", writer);
            writer.element("part", |writer| part(item, writer));
            identifiers(item, AROUND, writer);
        })
    } else {
        writer.element("part", |writer| part(item, writer));
        identifiers(item, AROUND, writer);
    }
    writer.element_with("relatedItem", &[("type", "series")], |writer| {
        writer.element("titleInfo", |writer| {
            writer.leaf("title", &plain(text(TextVar::CollectionTitle)));
            let number = item.number(NumberVar::CollectionNumber);
            writer.leaf("partNumber", number.unwrap_or_default());
        });
    });
    writer.element_with("relatedItem", &[("type", "original")], |writer| {
        title("", text(TextVar::OriginalTitle), writer);
        writer.element("originInfo", |writer| {
            if let Some(date) = item.date(DateVar::OriginalDate) {
                dates("dateIssued", date, writer);
            }
        });
    });
    writer.element_with("relatedItem", &[("type", "reviewOf")], |writer| {
        title("", text(TextVar::ReviewedTitle), writer);
        names(item.names(NameVar::ReviewedAuthor), "author", writer);
    });
}

/// The type of the identifier that is the number of a work.
fn number_kind(kind: ItemType) -> &'static str {
    match kind {
        ItemType::Report => "report number",
        ItemType::Patent => "patent number",
        _ => "serial number",
    }
}

const OWN: &[(TextVar, &str)] = &[
    (TextVar::Doi, "doi"),
    (TextVar::Pmid, "pmid"),
    (TextVar::Pmcid, "pmcid"),
    (TextVar::ArxivId, "arxiv"),
];

/// Identifiers of the containing book or journal, if any.
const AROUND: &[(TextVar, &str)] = &[(TextVar::Isbn, "isbn"), (TextVar::Issn, "issn")];

fn identifiers(item: &Item, kinds: &[(TextVar, &str)], writer: &mut Writer) {
    for (variable, kind) in kinds {
        for id in item.text(*variable).unwrap_or_default().split(", ") {
            writer.leaf_with("identifier", &[("type", kind)], id);
        }
    }
}

fn title(kind: &str, text: &str, writer: &mut Writer) {
    let attributes = [("type", kind)];
    let attributes = match kind {
        "" => &[][..],
        _ => &attributes[..],
    };
    if !text.is_empty() {
        writer.element_with("titleInfo", attributes, |writer| {
            writer.leaf("title", &plain(text))
        });
    }
}

fn names(names: &[Name], role: &str, writer: &mut Writer) {
    for name in names {
        let kind = match name.literal {
            Some(_) => "corporate",
            None => "personal",
        };
        writer.element_with("name", &[("type", kind)], |writer| {
            writer.leaf("namePart", name.literal.as_deref().unwrap_or_default());
            let family = [&name.non_dropping_particle, &name.family];
            let given = [&name.given, &name.dropping_particle];
            let parts: [(&str, &[_]); 3] = [
                ("family", &family),
                ("given", &given),
                ("termsOfAddress", &[&name.suffix]),
            ];
            for (kind, parts) in parts {
                writer.leaf_with("namePart", &[("type", kind)], &joined(parts));
            }
            writer.element("role", |writer| {
                let attributes = [("type", "text"), ("authority", "marcrelator")];
                writer.leaf_with("roleTerm", &attributes, role);
            });
            if let Some(orcid) = &name.orcid {
                writer.leaf_with("nameIdentifier", &[("type", "orcid")], orcid);
            }
        });
    }
}

fn origin(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    writer.element("place", |writer| {
        writer.leaf_with(
            "placeTerm",
            &[("type", "text")],
            text(TextVar::PublisherPlace),
        );
    });
    writer.leaf("publisher", text(TextVar::Publisher));
    if let Some(date) = item.date(DateVar::Issued) {
        dates("dateIssued", date, writer);
    }
    if let Some(date) = item.date(DateVar::Accessed) {
        dates("dateCaptured", date, writer);
    }
    writer.leaf(
        "edition",
        item.number(NumberVar::Edition).unwrap_or_default(),
    );
}

/// A date in W3CDTF, a range as two; other dates unchanged.
fn dates(name: &'static str, date: &Date, writer: &mut Writer) {
    let encoding = ("encoding", "w3cdtf");
    let qualifier = ("qualifier", "approximate");
    let write = |writer: &mut Writer, text: &str, point: Option<&str>| {
        let mut attributes = vec![encoding];
        attributes.extend(point.map(|point| ("point", point)));
        attributes.extend(date.circa.then_some(qualifier));
        writer.leaf_with(name, &attributes, text);
    };
    match (date.start, date.end) {
        (Some(start), Some(DateEnd::At(end))) => {
            write(writer, &start.iso(), Some("start"));
            write(writer, &end.iso(), Some("end"));
        }
        (Some(start), None) => write(writer, &start.iso(), None),
        _ => writer.leaf(name, &date.edtf()),
    }
}

fn part(item: &Item, writer: &mut Writer) {
    for (variable, kind) in [
        (NumberVar::Volume, "volume"),
        (NumberVar::Issue, "issue"),
        (NumberVar::SupplementNumber, "supplement"),
        (NumberVar::ChapterNumber, "chapter"),
        (NumberVar::Section, "section"),
    ] {
        writer.element_with("detail", &[("type", kind)], |writer| {
            writer.leaf("number", item.number(variable).unwrap_or_default());
        });
    }
    let page = item.number(NumberVar::Page).unwrap_or_default();
    writer.element_with("extent", &[("unit", "pages")], |writer| {
        let is_page = |text: &str| !text.is_empty() && !text.contains(['-', ',', ' ']);
        match page.split_once('-') {
            Some((first, last)) if is_page(first) && is_page(last) => {
                writer.leaf("start", first);
                writer.leaf("end", last);
            }
            None if is_page(page) => writer.leaf("start", page),
            _ => writer.leaf("list", page),
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::MODS;
    use crate::testing::check_round_trip;

    #[test]
    fn fields_that_mods_has_read_back() {
        check_round_trip(
            &MODS,
            r#"[
            {"type": "article-journal", "citation-key": "doe2001", "title": "On it & x",
             "author": [{"family": "Doe", "given": "Jane Q.", "suffix": "Jr."}, {"literal": "World Health Organization"}],
             "container-title": "Journal of Tests", "container-title-short": "J. Tests", "volume": "12", "issue": "3", "page": "101-109",
             "issued": {"date-parts": [[2001, 5, 3]]}, "DOI": "10.5555/abc", "ISSN": "2049-3630", "PMID": "123", "PMCID": "PMC77",
             "abstract": "Text.", "keyword": "ants, bees", "language": "en-GB", "note": "Mine", "license": "CC BY",
             "URL": "https://example.org/a?b=c&d", "accessed": {"date-parts": [[2020, 1, 2]]}},
            {"type": "book", "title": "Whole", "title-short": "W", "author": [{"family": "Doe", "given": "J."}], "editor": [{"family": "Roe", "given": "R."}],
             "translator": [{"family": "Poe", "given": "P."}], "publisher": "House", "publisher-place": "Rome", "collection-title": "Series", "collection-number": "7",
             "number-of-pages": "300", "edition": "2", "ISBN": "9780198526636", "issued": {"date-parts": [[1998], [2000]], "circa": true}},
            {"type": "chapter", "title": "Part", "author": [{"family": "Doe", "given": "J."}], "container-author": [{"family": "Moe", "given": "M."}],
             "editor": [{"family": "Roe", "given": "R."}], "container-title": "Whole", "page": "17"},
            {"type": "thesis", "title": "Ding", "author": [{"family": "Doe", "given": "J."}], "genre": "thesis", "publisher": "University"},
            {"type": "map", "title": "M"}, {"type": "song", "title": "S"}, {"type": "webpage", "title": "W", "URL": "https://example.org/"}]"#,
        );
    }
}
