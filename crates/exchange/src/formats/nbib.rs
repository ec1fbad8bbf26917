//! PubMed's tagged format (MEDLINE, `.nbib`), according to “MEDLINE/PubMed Data Element (Field)
//! Descriptions” of the National Library of Medicine; also written by ERIC and other databases.

use crate::content::Content;
use crate::cost::spend_written;
use crate::format::{Format, KeyRule};
use crate::rows::{self, FieldRow, number, text};
use crate::syntax::tagged::{
    Line, LineContext, Syntax, TaggedRecord, inverted, is_any, one_line, read, without_stop,
};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::parts::month_name;
use citation_fields::{keywords, names};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static NBIB: Format = Format {
    id: "nbib",
    title: "PubMed (nbib)",
    media_types: &["application/nbib"],
    extensions: &["nbib", "medline"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[&[
        "PMID- ", "OWN - ", "TI  - ", "FAU - ", "AU  - ", "DP  - ", "PG  - ", "LID - ", "IS  - ",
        "      ", "\n", "1-", "[doi]", "a ",
    ]],
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
    begins: |tag, record, place: LineContext| {
        place.after_blank || tag == "PMID" && record.has("PMID")
    },
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

/// Tags about the record, not the work.
const ADMINISTRATIVE: &[&str] = &[
    "OWN", "STAT", "DA", "DCOM", "LR", "CRDT", "EDAT", "MHDA", "PHST", "PST", "SO", "SB", "JID",
    "PUBM", "OTO", "CDAT", "CTDT", "DRDT", "OABL", "CRTI",
];

pub(crate) const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        text("PMID", Pmid),
        number("VI", Volume),
        number("IP", Issue),
        number("PG", Page),
        number("EN", Edition),
        text("JT", Publisher).of(is_report).read_only(),
        text("JT", ContainerTitle).of(ItemType::is_in_periodical),
        text("JT", ContainerTitle).read_only(),
        text("TA", ContainerTitleShort),
        text("CTI", CollectionTitle),
        text("VTI", VolumeTitle),
        text("PB", Publisher),
        text("LA", Language),
        text("CI", License),
        text("PMC", Pmcid),
        text("AB", Abstract),
        text("GN", Note),
    ]
};

fn is_report(kind: ItemType) -> bool {
    kind == ItemType::Report
}

fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    let kinds: Vec<String> = record.all("PT").map(|field| field.text()).collect();
    let kind = kind_of(&kinds, record);
    item.set_kind(kind);
    let title: Vec<String> = record.all("TI").map(|field| field.text()).collect();
    let title = title.join(" ");
    // A translated title is in brackets; the original is in `TT`.
    let title = without_stop(&title);
    let translated = title
        .strip_prefix('[')
        .and_then(|title| title.strip_suffix(']'));
    item.text(TextVar::Title, without_stop(translated.unwrap_or(title)));
    // A short name follows each full one.
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
        if rows::set(item, FIELDS, field.tag, &text) {
            continue;
        }
        match field.tag {
            "FAU" => item.listed_name(NameVar::Author, names::inverted(&text)),
            "AU" if !full_authors => item.listed_name(NameVar::Author, names::family_first(&text)),
            "AUID" if text.to_ascii_uppercase().contains("ORCID") => {
                item.orcid(NameVar::Author, &text)
            }
            "FED" => item.listed_name(NameVar::Editor, names::inverted(&text)),
            "ED" if !full_editors => item.listed_name(NameVar::Editor, names::family_first(&text)),
            "CN" => item.name(NameVar::Author, Name::literal(&text)),
            "BTI" if record.has("TI") => item.text(TextVar::ContainerTitle, &text),
            "BTI" => item.text(TextVar::Title, without_stop(&text)),
            "TT" => item.text(TextVar::OriginalTitle, without_stop(&text)),
            "DP" => item.date(DateVar::Issued, published(&text)),
            "DEP" => item.date(DateVar::AvailableDate, day(&text)),
            "AID" | "LID" if label == "doi" => item.text(TextVar::Doi, bare),
            // Identifies articles without pages within a volume.
            "LID" if label == "pii" && !record.has("PG") => item.article_number(bare),
            "AID" | "LID" if label.is_empty() => location(&text, item),
            "IS" | "ISSN" => item.text(TextVar::Issn, serial(&text, "ISSN")),
            "ISBN" => item.text(TextVar::Isbn, serial(&text, "ISBN")),
            "MH" | "OT" => item.keyword(text.trim_start_matches('*')),
            "SO" if kind == ItemType::Thesis => {
                let (_, university) = text.split_once("Dissertation, ").unwrap_or_default();
                item.text(TextVar::Publisher, university);
            }
            "PL" if record.has("PB") => item.text(TextVar::PublisherPlace, &text),
            "PT" | "TI" | "AU" | "ED" => {}
            tag if ADMINISTRATIVE.contains(&tag) => {}
            tag => item.custom(tag, &text),
        }
    }
    kinds.into_iter().next().unwrap_or_default()
}

/// `2019 Jan 3`; ERIC puts the article number before the year (`Article 10 2019`).
fn published(text: &str) -> Option<Date> {
    let date = Date::parse(text)?;
    if date.start.is_some() {
        return Some(date);
    }
    let mut words = text.split_whitespace();
    let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.find(is_year).and_then(Date::parse).or(Some(date))
}

/// The first match in a record determines its type.
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
    // ERIC's types have a subtype after a hyphen.
    let begins = |word: &str| kinds.iter().any(|kind| kind.starts_with(word));
    // This program's own form for types that PubMed lacks. A single word is also a genre of articles.
    let in_journal = record.has("JT");
    let named = ItemType::ALL.iter().copied().find(|known| {
        let name = known.json_name();
        let is_own = !in_journal || name.chars().filter(char::is_ascii_uppercase).count() > 1;
        is_own && kinds.iter().any(|kind| kind == name)
    });
    match row.map(|(_, kind)| *kind).or(named) {
        Some(kind) => kind,
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
        Ok(_) if text.starts_with("http") => item.address(text),
        Ok(doi) => item.text(TextVar::Doi, doi.as_str()),
        Err(_) if is_address(text) => item.text(TextVar::Url, text),
        Err(_) => item.custom("AID", text),
    }
}

/// An address, also without its scheme: `www.example.org/a`.
fn is_address(text: &str) -> bool {
    let host = text.split('/').next().unwrap_or_default();
    let mut labels = host.split('.');
    let last = labels.next_back().unwrap_or_default();
    let is_host = labels.next().is_some_and(|first| !first.is_empty())
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (host.starts_with("www.") || host.len() < text.len());
    text.starts_with("http") || is_host && !text.contains(char::is_whitespace)
}

/// The number without its label and qualifier: `ISSN-1234-4567`, `1467-5463 (Print)`.
fn serial<'a>(text: &'a str, name: &str) -> &'a str {
    let bare = text.strip_prefix(name).unwrap_or(text);
    let bare = bare.trim_start_matches(['-', ' ', ':']);
    bare.split('(').next().unwrap_or(bare).trim()
}

/// Writes items like PubMed, short names next to full ones. A record without a PMID begins with an owner.
fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::new();
    for item in items {
        let before = out.len();
        if before > 0 {
            out.push('\n');
        }
        write_item(item, &mut out);
        spend_written(budget, out.len() - before)?;
    }
    if out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

fn write_item(item: &Item, out: &mut String) {
    let mut field = |tag: &str, value: &str| {
        if !value.trim().is_empty() {
            out.push_str(&format!("{tag:<4}- {}\n", one_line(value)));
        }
    };
    let text = |variable| item.text(variable).unwrap_or_default();
    if item.text(TextVar::Pmid).is_none() {
        field("OWN", "NOTNLM");
    }
    for (tag, value) in rows::values(FIELDS, item) {
        match tag {
            "GN" => value.lines().for_each(|line| field(tag, line)),
            _ => field(tag, value),
        }
    }
    for issn in text(TextVar::Issn).split(',') {
        field("IS", issn);
    }
    for isbn in text(TextVar::Isbn).split(',') {
        field("ISBN", isbn);
    }
    let date = item.date(DateVar::Issued).map(publication_date);
    field("DP", &date.unwrap_or_default());
    // PubMed puts translated titles into brackets, and a full stop behind each.
    let title = without_stop(text(TextVar::Title));
    let inside = title
        .strip_prefix('[')
        .and_then(|title| title.strip_suffix(']'));
    field("TI", inside.unwrap_or(title));
    field("TT", without_stop(text(TextVar::OriginalTitle)));
    for name in item.names(NameVar::Author) {
        match &name.literal {
            Some(literal) => field("CN", literal),
            None => {
                field("FAU", &inverted(name));
                field("AU", &names::short(name));
                if let Some(orcid) = &name.orcid {
                    field("AUID", &format!("ORCID: {orcid}"));
                }
            }
        }
    }
    for name in item.names(NameVar::Editor) {
        field("FED", &inverted(name));
        field("ED", &names::short(name));
    }
    if !item.kind.is_in_periodical() {
        field("BTI", text(TextVar::ContainerTitle));
    }
    // Otherwise it is the country of the journal.
    if item.text(TextVar::Publisher).is_some() {
        field("PL", text(TextVar::PublisherPlace));
    }
    let row = KINDS.iter().find(|(_, kind)| *kind == item.kind);
    let word = row.and_then(|(words, _)| words.first().copied());
    field("PT", word.unwrap_or(item.kind.json_name()));
    if let Some(doi) = item.text(TextVar::Doi) {
        field("AID", &format!("{doi} [doi]"));
    }
    field("LID", text(TextVar::Url));
    for keyword in keywords::split(text(TextVar::Keyword)) {
        field("OT", keyword);
    }
}

/// `2006 Mar 1`, `2006 Jan-Feb`, `2006 Winter`
fn publication_date(date: &Date) -> String {
    let month = |parts: &DateParts| month_name(parts.month?);
    match (&date.start, date.end_parts()) {
        (Some(start), None) if start.season.is_none() && date.end.is_none() && start.year > 0 => {
            let day = start.day.map(|day| day.to_string());
            let parts = [
                Some(start.year.to_string()),
                month(start).map(str::to_owned),
                day,
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        (Some(start), Some(end)) if end.year == start.year && start.day.is_none() => {
            match (month(start), month(&end)) {
                (Some(first), Some(last)) => format!("{} {first}-{last}", start.year),
                _ => date.edtf(),
            }
        }
        _ => date.edtf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadItem;

    fn reading(text: &str) -> Vec<ReadItem> {
        let content = Content::of_text(text);
        assert!(recognise(&content));
        read(content.text(), &SYNTAX, item, &Budget::unlimited())
            .unwrap()
            .items
    }

    const ARTICLE: &str = "
PMID- 12345678
OWN - NLM
IS  - 2049-3630 (Print)
IS  - 2049-3630 (Linking)
VI  - 3
IP  - 2
DP  - 2002 Jan-Feb
TI  - On the origin of
      records.
LID - 10.1000/abc [doi]
FAU - de la Roe, Jane B
AU  - de la Roe JB
FAU - Doe, Al Jr
CN  - Group of Readers
LA  - eng
PT  - Review
PT  - Journal Article
TA  - J Rec
JT  - Journal of records
PG  - 296-302
MH  - *Records
";

    #[test]
    fn articles_without_pages_are_found_by_a_number() {
        let page = |pii: &str| {
            let items = reading(&format!("PMID- 1\nTI  - A\nLID - {pii} [pii]\n"));
            items[0].item.number(NumberVar::Page).map(str::to_owned)
        };
        assert_eq!(page("e42692").as_deref(), Some("e42692"));
        assert_eq!(page("S0140-6736(20)30183-5"), None);
    }

    #[test]
    fn address_needs_no_scheme() {
        let url = |place: &str| {
            let items = reading(&format!("PMID- 1\nTI  - A\nLID - {place}\n"));
            items[0].item.text(TextVar::Url).map(str::to_owned)
        };
        for address in [
            "www.example.org",
            "example.org/a-b?c",
            "https://example.org",
        ] {
            assert_eq!(url(address).as_deref(), Some(address));
        }
        assert_eq!(url("ED123.4"), None);
        assert_eq!(url("a/b.c"), None);
    }

    #[test]
    fn report_of_eric_has_year_and_university() {
        let text = "PMID- 1\nTI  - A\nSO  - Ph.D. Dissertation, Any University\nDP  - Article 10 2019\n\
                    PT  - Dissertations/Theses - Doctoral Dissertations\n";
        let item = &reading(text)[0].item;
        assert_eq!(item.text(TextVar::Publisher), Some("Any University"));
        assert_eq!(item.date(DateVar::Issued).unwrap().edtf(), "2019");
    }

    #[test]
    fn article_is_read_whole() {
        let items = reading(&format!("{ARTICLE}\nPMID- 2\nTI  - Other\n"));
        assert_eq!(items.len(), 2);
        let item = &items[0].item;
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.text(TextVar::Title), Some("On the origin of records"));
        assert_eq!(item.text(TextVar::Doi), Some("10.1000/abc"));
        assert_eq!(item.text(TextVar::Issn), Some("2049-3630"));
        assert_eq!(item.text(TextVar::Keyword), Some("Records"));
        assert_eq!(item.number(NumberVar::Page), Some("296-302"));
        let authors: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(Name::display)
            .collect();
        assert_eq!(
            authors,
            ["Jane B de la Roe", "Al Doe Jr", "Group of Readers"]
        );
        assert_eq!(items[1].line, 24);
    }

    #[test]
    fn translated_title_loses_its_brackets_and_authors_keep_their_orcid() {
        let text = "PMID- 1\nTI  - [An odd title].\nTT  - Ein Titel.\nFAU - Doe, Jane\nAU  - Doe J\n\
                    AUID- ORCID: http://orcid.org/0000000218250097\nFAU - Roe, Al\n";
        let item = &reading(text)[0].item;
        assert_eq!(item.text(TextVar::Title), Some("An odd title"));
        let authors = item.names(NameVar::Author).iter();
        let orcids: Vec<Option<&str>> = authors.map(|name| name.orcid.as_deref()).collect();
        assert_eq!(orcids, [Some("0000-0002-1825-0097"), None]);
    }

    #[test]
    fn erics_reports_have_publishers_and_chapters_have_books() {
        let text = "OWN - ERIC\nTI  - A Brief\nJT  - OECD\nPT  - Reports - Research\nAID - http://dx.doi.org/10.1000/x\n\n\
                    PMID- 1\nTI  - Part\nBTI - Whole\nPT  - Book Chapter\nPB  - P\nPL  - Bethesda\n";
        let items = reading(text);
        let (report, chapter) = (&items[0].item, &items[1].item);
        assert_eq!(report.kind, ItemType::Report);
        assert_eq!(report.text(TextVar::Publisher), Some("OECD"));
        assert_eq!(report.text(TextVar::Doi), Some("10.1000/x"));
        assert_eq!(chapter.kind, ItemType::Chapter);
        assert_eq!(chapter.text(TextVar::ContainerTitle), Some("Whole"));
        assert_eq!(chapter.text(TextVar::PublisherPlace), Some("Bethesda"));
    }

    #[test]
    fn written_items_read_back() {
        let first: Vec<Item> = reading(ARTICLE).into_iter().map(|read| read.item).collect();
        let written = write(&first, &Budget::unlimited()).unwrap();
        let again: Vec<Item> = reading(&written)
            .into_iter()
            .map(|read| read.item)
            .collect();
        assert_eq!(first, again, "{written}");
    }
}
