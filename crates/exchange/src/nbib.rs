//! PubMed's tagged format (MEDLINE, `.nbib`), after “MEDLINE/PubMed Data Element (Field) Descriptions” of the
//! National Library of Medicine; ERIC and other databases write it too.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::item_builder::ItemBuilder;
use crate::names;
use crate::tagged::{Line, Place, Syntax, TaggedRecord, is_any, read, without_stop};
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static NBIB: Format = Format {
    id: "nbib",
    title: "PubMed (nbib)",
    media_types: &["application/nbib"],
    extensions: &["nbib", "medline"],
    recognise,
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: None,
    keys: KeyRule::Optional,
};

fn recognise(content: &Content<'_>) -> bool {
    let tags = || content.lines().filter_map(field).map(|(tag, _)| tag);
    tags().any(|tag| tag == "PMID")
        || tags().any(|tag| tag == "OWN") && tags().any(|tag| tag == "TI")
}

const SYNTAX: Syntax = Syntax {
    line: |line, place| match field(line) {
        Some((tag, value)) => Line::Field { tag, value },
        None if line.starts_with(' ') => Line::More,
        None if place.after_blank || !place.in_record => Line::Stray,
        None => Line::More,
    },
    begins: |tag, record, place: Place| place.after_blank || tag == "PMID" && record.has("PMID"),
};

/// Up to four capitals, padded with blanks, and a hyphen: `PMID- 1`, `AB  - It`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (tag, value) = line.split_once('-')?;
    let name = tag.trim_end_matches(' ');
    let is_tag = (2..=4).contains(&name.len())
        && tag.len() <= 5
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_tag.then(|| (name, value.trim()))
}

/// What is about the record and not about the work.
const ADMINISTRATIVE: &[&str] = &[
    "OWN", "STAT", "DA", "DCOM", "LR", "CRDT", "EDAT", "MHDA", "PHST", "PST", "SO", "SB", "JID",
    "PUBM", "OTO", "CDAT", "CTDT", "DRDT", "OABL", "CRTI",
];

fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    let kinds: Vec<String> = record.all("PT").map(|field| field.text()).collect();
    let kind = kind_of(&kinds, record);
    item.set_kind(kind);
    let title: Vec<String> = record.all("TI").map(|field| field.text()).collect();
    item.text(TextVar::Title, without_stop(&title.join(" ")));
    // A short name stands behind each full one.
    let (full_authors, full_editors) = (record.has("FAU"), record.has("FED"));
    for field in &record.fields {
        let text = field.text();
        let (bare, label) = match text
            .strip_suffix(']')
            .and_then(|text| text.rsplit_once('['))
        {
            Some((bare, label)) => (bare.trim(), label),
            None => (text.as_str(), ""),
        };
        match field.tag {
            "PMID" => item.text(TextVar::Pmid, &text),
            "PMC" => item.text(TextVar::Pmcid, &text),
            "FAU" => item.name(NameVar::Author, names::inverted(&text)),
            "AU" if !full_authors => item.name(NameVar::Author, names::family_first(&text)),
            "FED" => item.name(NameVar::Editor, names::inverted(&text)),
            "ED" if !full_editors => item.name(NameVar::Editor, names::family_first(&text)),
            "CN" => item.name(NameVar::Author, Name::literal(&text)),
            "JT" if kind == ItemType::Report => item.text(TextVar::Publisher, &text),
            "JT" => item.text(TextVar::ContainerTitle, &text),
            "TA" => item.text(TextVar::ContainerTitleShort, &text),
            "BTI" if kind == ItemType::Chapter => item.text(TextVar::ContainerTitle, &text),
            "BTI" => item.text(TextVar::Title, without_stop(&text)),
            "CTI" => item.text(TextVar::CollectionTitle, &text),
            "VTI" => item.text(TextVar::VolumeTitle, &text),
            "TT" => item.text(TextVar::OriginalTitle, without_stop(&text)),
            "VI" => item.number(NumberVar::Volume, &text),
            "IP" => item.number(NumberVar::Issue, &text),
            "PG" => item.number(NumberVar::Page, &text),
            "EN" => item.number(NumberVar::Edition, &text),
            "DP" => item.date(DateVar::Issued, Date::parse(&text)),
            "DEP" => item.date(DateVar::AvailableDate, day(&text)),
            "AID" | "LID" if label == "doi" => item.text(TextVar::Doi, bare),
            // Articles without pages are found by this in their volume.
            "LID" if label == "pii" && !record.has("PG") => item.number(NumberVar::Page, bare),
            "AID" | "LID" if label.is_empty() => location(&text, item),
            "IS" | "ISSN" => item.text(TextVar::Issn, serial(&text, "ISSN")),
            "ISBN" => item.text(TextVar::Isbn, serial(&text, "ISBN")),
            "LA" => item.text(TextVar::Language, &text),
            "AB" => item.text(TextVar::Abstract, &text),
            "CI" => item.text(TextVar::License, &text),
            "MH" | "OT" => item.keyword(text.trim_start_matches('*')),
            "PB" => item.text(TextVar::Publisher, &text),
            "PL" if record.has("PB") => item.text(TextVar::PublisherPlace, &text),
            "GN" => item.text(TextVar::Note, &text),
            "PT" | "TI" | "AU" | "ED" => {}
            tag if ADMINISTRATIVE.contains(&tag) => {}
            tag => item.custom(tag, &text),
        }
    }
    kinds.into_iter().next().unwrap_or_default()
}

/// The first of these that a record has.
const KINDS: &[(&[&str], ItemType)] = &[
    (&["Book Chapter", "Chapter"], ItemType::Chapter),
    (&["Preprint"], ItemType::Preprint),
    (&["Newspaper Article"], ItemType::NewspaperArticle),
    (&["Journal Article", "Journal Articles"], ItemType::Article),
    (&["Book", "Books", "Monograph"], ItemType::Book),
    (&["Technical Report"], ItemType::Report),
    (
        &["Academic Dissertation", "Dissertation", "Thesis"],
        ItemType::Thesis,
    ),
    (&["Speeches/Meeting Papers"], ItemType::ConferencePaper),
    (&["Dataset"], ItemType::Dataset),
];

fn kind_of(kinds: &[String], record: &TaggedRecord<'_>) -> ItemType {
    let row = KINDS
        .iter()
        .find(|(words, _)| kinds.iter().any(|kind| is_any(kind, words)));
    // Those of ERIC have a word for what they are about behind a hyphen.
    let begins = |word: &str| kinds.iter().any(|kind| kind.starts_with(word));
    match row {
        Some((_, kind)) => *kind,
        None if begins("Dissertations/Theses") => ItemType::Thesis,
        None if begins("Reports - ") && !record.has("VI") => ItemType::Report,
        None if record.has("BTI") && record.has("TI") => ItemType::Chapter,
        None if record.has("BTI") => ItemType::Book,
        None => ItemType::Article,
    }
}

/// `20160419`
fn day(text: &str) -> Option<Date> {
    let part = |from: usize, to: usize| text.get(from..to).filter(|part| !part.is_empty());
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    Date::parse_iso(&format!("{year}-{month}-{day}"))
}

/// An address or a DOI without a label.
fn location(text: &str, item: &mut ItemBuilder) {
    match Doi::parse(text) {
        Ok(doi) => item.text(TextVar::Doi, doi.as_str()),
        Err(_) if text.starts_with("http") => item.text(TextVar::Url, text),
        Err(_) => item.custom("AID", text),
    }
}

/// The number without its name and without what is said of it: `ISSN-1234-4567`, `1467-5463 (Print)`.
fn serial<'a>(text: &'a str, name: &str) -> &'a str {
    let bare = text.strip_prefix(name).unwrap_or(text);
    let bare = bare.trim_start_matches(['-', ' ', ':']);
    bare.split('(').next().unwrap_or(bare).trim()
}
