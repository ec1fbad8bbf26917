//! Placeholders of Citavi: JSON in base64 with complete works.

use citation_fields::names;
use citation_model::cite::Locator;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::NameVar;
use serde_json::Value;

use super::citation::FieldCitation;
use super::encoded;
use crate::document::Cited;
use crate::library::CslRecord;

/// The citation of `CitaviPlaceholder{eyJ…}`; `None` if its works cannot be read.
pub(super) fn citation(code: &str) -> Option<FieldCitation> {
    let (_, rest) = code.split_once('{')?;
    let encoded = rest.split('}').next()?;
    let placeholder: Value = serde_json::from_str(&encoded::text(encoded)?).ok()?;
    let entries = placeholder.get("Entries")?.as_array()?;
    let items: Option<Vec<Cited>> = entries.iter().map(cited).collect();
    Some(FieldCitation {
        items: items?,
        ..FieldCitation::default()
    })
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    let text = value.get(name).and_then(Value::as_str);
    text.unwrap_or_default().trim()
}

fn cited(entry: &Value) -> Option<Cited> {
    let reference = entry.get("Reference")?;
    let key = match text(reference, "CitationKey") {
        "" => text(reference, "BibTeXKey"),
        key => key,
    };
    let mut cited = Cited::of_item(key, item(reference)?);
    let id = text(entry, "ReferenceId");
    cited.records = (!id.is_empty())
        .then(|| id.to_owned())
        .into_iter()
        .collect();
    text(entry, "Prefix").clone_into(&mut cited.cite.prefix);
    text(entry, "Suffix").clone_into(&mut cited.cite.suffix);
    let pages = entry.get("PageRange").map(pages).unwrap_or_default();
    if !pages.is_empty() {
        cited.cite.locator = Some(Locator {
            label: "page".to_owned(),
            value: pages,
        });
    }
    Some(cited)
}

/// A range of pages: an object, or XML in older versions.
fn pages(range: &Value) -> String {
    let plain = |text: &str| match text.rsplit_once("<os>") {
        Some((_, rest)) => rest.split("</os>").next().unwrap_or_default().to_owned(),
        None if text.contains('<') => String::new(),
        None => text.to_owned(),
    };
    match range {
        Value::String(text) => plain(text.trim()),
        range => plain(text(range, "OriginalString")),
    }
}

fn item(reference: &Value) -> Option<Item> {
    let mut record = CslRecord::new(item_type(text(reference, "ReferenceType")));
    record.set("title", title(reference));
    for (from, to) in [
        ("Volume", "volume"),
        ("Number", "issue"),
        ("Edition", "edition"),
        ("PlaceOfPublication", "publisher-place"),
        ("Doi", "DOI"),
        ("Isbn", "ISBN"),
        ("OnlineAddress", "URL"),
    ] {
        record.set(to, text(reference, from));
    }
    let pages = reference.get("PageRange").map(pages).unwrap_or_default();
    record.set("page", pages);
    let name = |value: Option<&Value>| value.map(|value| text(value, "Name").to_owned());
    let parent = reference.get("ParentReference");
    let container = name(reference.get("Periodical")).or_else(|| parent.map(title));
    record.set("container-title", container.unwrap_or_default());
    let publisher = |of: &Value| name(of.get("Publishers")?.get(0));
    let publisher = publisher(reference).or_else(|| publisher(parent?));
    record.set("publisher", publisher.unwrap_or_default());
    let year = { ["Year", "YearResolved", "Date"].iter() }
        .map(|field| text(reference, field))
        .chain(parent.map(|parent| text(parent, "Year")));
    if let Some(year) = year.into_iter().find(|year| !year.is_empty()) {
        record.year(year);
    }
    let mut item = record.item()?;
    for (field, variable, of) in [
        ("Authors", NameVar::Author, Some(reference)),
        ("Editors", NameVar::Editor, Some(reference)),
        ("Translators", NameVar::Translator, Some(reference)),
        ("Editors", NameVar::Editor, parent),
        ("Authors", NameVar::ContainerAuthor, parent),
    ] {
        let people = of.and_then(|of| of.get(field)).map(people);
        let people = people.unwrap_or_default();
        if !people.is_empty() && item.names(variable).is_empty() {
            item.set_names(variable, people);
        }
    }
    Some(item)
}

fn title(reference: &Value) -> String {
    let (title, subtitle) = (text(reference, "Title"), text(reference, "Subtitle"));
    match (title, subtitle) {
        (title, "") => title.to_owned(),
        ("", subtitle) => subtitle.to_owned(),
        (title, subtitle) => format!("{title}: {subtitle}"),
    }
}

fn people(list: &Value) -> Vec<Name> {
    let people = list.as_array().into_iter().flatten();
    people
        .map(|person| {
            let given: Vec<&str> = ["FirstName", "MiddleName"]
                .into_iter()
                .map(|part| text(person, part))
                .filter(|part| !part.is_empty())
                .collect();
            let family: Vec<&str> = ["Prefix", "LastName"]
                .into_iter()
                .map(|part| text(person, part))
                .filter(|part| !part.is_empty())
                .collect();
            let suffix = Some(text(person, "Suffix")).filter(|suffix| !suffix.is_empty());
            if given.is_empty() {
                Name::literal(&family.join(" "))
            } else {
                names::from_parts(Some(&family.join(" ")), Some(&given.join(" ")), suffix)
            }
        })
        .collect()
}

/// The type of a work of Citavi.
fn item_type(name: &str) -> &'static str {
    match name {
        "JournalArticle" | "SpecialIssue" => "article-journal",
        "Contribution" | "ContributionInLegalCommentary" => "chapter",
        "Book" | "BookEdited" | "CollectedWorks" | "ConferenceProceedings" | "Series" => "book",
        "Thesis" => "thesis",
        "InternetDocument" => "webpage",
        "NewspaperArticle" => "article-newspaper",
        "UnpublishedWork" | "Manuscript" => "manuscript",
        "Lecture" => "speech",
        "Patent" => "patent",
        "Standard" => "standard",
        "Software" => "software",
        "Map" => "map",
        "Movie" | "VideoDocument" => "motion_picture",
        "CourtDecision" => "legal_case",
        "StatuteOrRegulation" => "legislation",
        "InterviewMaterial" => "interview",
        "PersonalCommunication" => "personal_communication",
        "PressRelease" => "article",
        _ => "document",
    }
}
