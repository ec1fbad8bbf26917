//! Writes items as a `listBibl` of TEI P5.

use crate::syntax::xml::runs::runs;
use crate::syntax::xml::write::{RunElement, Writer, plain};
use citation_fields::keywords;
use citation_fields::names::joined;
use citation_fields::parts::type_name;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateEnd};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as one list. Variables without a TEI element are omitted.
pub fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let namespace = [("xmlns", "http://www.tei-c.org/ns/1.0")];
    let one = |_, item: &Item, writer: &mut Writer| reference(item, writer);
    Writer::new().document("listBibl", &namespace, items, budget, one)
}

fn reference(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let key = item.text(TextVar::CitationKey).unwrap_or(&item.id);
    let all = [("type", type_name(item.kind)), ("xml:id", key)];
    let attributes = if is_name(key) { &all[..] } else { &all[..1] };
    let container = text(TextVar::ContainerTitle);
    // A journal title alone would be read as that of the article.
    let is_part = !container.is_empty() || item.kind.is_in_periodical();
    let level = match () {
        () if item.kind.is_in_periodical() => "j",
        () if is_part || item.kind.is_whole_book() => "m",
        () => "u",
    };
    writer.element_with("biblStruct", attributes, |writer| {
        if is_part {
            writer.element("analytic", |writer| {
                own(item, "a", writer);
            });
        }
        writer.element("monogr", |writer| {
            if is_part {
                title(level, container, writer);
                short_title(level, text(TextVar::ContainerTitleShort), writer);
                names(item, NameVar::ContainerAuthor, writer);
            } else {
                own(item, level, writer);
            }
            names(item, NameVar::Editor, writer);
            identifiers(
                item,
                &[(TextVar::Isbn, "ISBN"), (TextVar::Issn, "ISSN")],
                writer,
            );
            meeting(item, writer);
            writer.leaf(
                "edition",
                item.number(NumberVar::Edition).unwrap_or_default(),
            );
            imprint(item, writer);
            if let Some(count) = item.number(NumberVar::NumberOfPages) {
                writer.leaf("extent", &format!("{count} pages"));
            }
        });
        writer.element("series", |writer| {
            title("s", text(TextVar::CollectionTitle), writer);
            names(item, NameVar::CollectionEditor, writer);
            let number = item.number(NumberVar::CollectionNumber).unwrap_or_default();
            writer.leaf_with("biblScope", &[("unit", "volume")], number);
        });
        writer.element_with("note", &[("type", "abstract")], |writer| {
            for line in text(TextVar::Abstract).lines() {
                writer.leaf("p", &plain(line));
            }
        });
        for (kind, variable) in [("genre", TextVar::Genre), ("language", TextVar::Language)] {
            writer.leaf_with("note", &[("type", kind)], &plain(text(variable)));
        }
        for word in keywords::split(text(TextVar::Keyword)) {
            writer.leaf_with("note", &[("type", "tag")], word);
        }
        for line in text(TextVar::Note).lines() {
            writer.leaf("note", line);
        }
        if let Some(url) = item.text(TextVar::Url) {
            writer.leaf_with("idno", &[("type", "URI")], url);
        }
    });
}

/// The title of a work, those who made it and its identifiers.
fn own(item: &Item, level: &str, writer: &mut Writer) {
    title(level, item.text(TextVar::Title).unwrap_or_default(), writer);
    let short = item.text(TextVar::TitleShort);
    short_title(level, short.unwrap_or_default(), writer);
    names(item, NameVar::Author, writer);
    for (variable, _) in ROLES {
        names(item, *variable, writer);
    }
    identifiers(item, OWN, writer);
    let number = item.number(NumberVar::Number).unwrap_or_default();
    writer.leaf_with("idno", &[("type", "number")], number);
}

fn meeting(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let place = text(TextVar::EventPlace);
    let when = item.date(DateVar::EventDate);
    if place.is_empty() && when.is_none() {
        return writer.leaf("meeting", text(TextVar::EventTitle));
    }
    writer.element("meeting", |writer| {
        writer.leaf("name", text(TextVar::EventTitle));
        writer.leaf("placeName", place);
        date("", when, writer);
    });
}

/// Every `monogr` requires one (TEI P5).
fn imprint(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    writer.required("imprint", |writer| {
        writer.leaf("publisher", text(TextVar::Publisher));
        writer.leaf("pubPlace", text(TextVar::PublisherPlace));
        for (unit, variable) in [
            ("volume", NumberVar::Volume),
            ("issue", NumberVar::Issue),
            ("page", NumberVar::Page),
            ("chapter", NumberVar::ChapterNumber),
            ("section", NumberVar::Section),
            ("volumes", NumberVar::NumberOfVolumes),
        ] {
            let number = item.number(variable).unwrap_or_default();
            writer.leaf_with("biblScope", &[("unit", unit)], number);
        }
        date("", item.date(DateVar::Issued), writer);
        date("accessed", item.date(DateVar::Accessed), writer);
        date("original", item.date(DateVar::OriginalDate), writer);
    });
}

/// `when` is a single date, `from` and `to` a range; the text is for people.
fn date(kind: &str, date: Option<&Date>, writer: &mut Writer) {
    let Some(date) = date else { return };
    let start = date.start.map(|start| start.iso()).unwrap_or_default();
    let end = match date.end {
        Some(DateEnd::At(end)) => end.iso(),
        _ => String::new(),
    };
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    if !kind.is_empty() {
        attributes.push(("type", kind));
    }
    match (date.start, date.end) {
        (Some(start_of), None) if start_of.season.is_none() => attributes.push(("when", &start)),
        (Some(_), Some(DateEnd::At(_))) => attributes.extend([("from", &*start), ("to", &*end)]),
        _ => {}
    }
    writer.leaf_with("date", &attributes, &date.edtf());
}

const OWN: &[(TextVar, &str)] = &[
    (TextVar::Doi, "DOI"),
    (TextVar::Pmid, "PMID"),
    (TextVar::Pmcid, "PMCID"),
    (TextVar::ArxivId, "arXiv"),
    (TextVar::CallNumber, "callNumber"),
];

fn identifiers(item: &Item, kinds: &[(TextVar, &str)], writer: &mut Writer) {
    for (variable, kind) in kinds {
        for id in item.text(*variable).unwrap_or_default().split(", ") {
            writer.leaf_with("idno", &[("type", kind)], id);
        }
    }
}

const HIGHLIGHTED: RunElement = RunElement {
    name: "hi",
    attribute: "rend",
    plain: "",
};

fn title(level: &str, text: &str, writer: &mut Writer) {
    let attributes = [("level", level)];
    if text.contains('<') {
        writer.runs("title", &attributes, &HIGHLIGHTED, &runs(text))
    } else {
        writer.leaf_with("title", &attributes, text)
    }
}

fn short_title(level: &str, text: &str, writer: &mut Writer) {
    let attributes = [("level", level), ("type", "short")];
    writer.leaf_with("title", &attributes, &plain(text));
}

/// Roles of those who made a work with its authors.
const ROLES: &[(NameVar, &str)] = &[
    (NameVar::Translator, "translator"),
    (NameVar::Composer, "composer"),
    (NameVar::Director, "director"),
    (NameVar::Interviewer, "interviewer"),
    (NameVar::Performer, "performer"),
    (NameVar::Producer, "producer"),
    (NameVar::Recipient, "recipient"),
    (NameVar::ReviewedAuthor, "reviewedAuthor"),
    (NameVar::ScriptWriter, "scriptwriter"),
];

fn names(item: &Item, variable: NameVar, writer: &mut Writer) {
    for name in item.names(variable) {
        let role = match variable {
            NameVar::Editor => "editor",
            NameVar::CollectionEditor => "seriesEditor",
            variable => {
                let row = ROLES.iter().find(|(known, _)| *known == variable);
                row.map_or("", |(_, role)| role)
            }
        };
        match role {
            "" => writer.element("author", |writer| person(name, writer)),
            role => writer.element_with("editor", &[("role", role)], |writer| person(name, writer)),
        }
    }
}

fn person(name: &Name, writer: &mut Writer) {
    if let Some(literal) = &name.literal {
        return writer.leaf("orgName", literal);
    }
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    writer.element("persName", |writer| {
        let given = joined(&[&name.given, &name.dropping_particle]);
        writer.leaf("forename", &given);
        writer.leaf("nameLink", &part(&name.non_dropping_particle));
        writer.leaf("surname", &part(&name.family));
        writer.leaf("genName", &part(&name.suffix));
        writer.leaf_with("idno", &[("type", "ORCID")], &part(&name.orcid));
    });
}

/// Whether a key is a valid XML id.
fn is_name(key: &str) -> bool {
    key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
}
