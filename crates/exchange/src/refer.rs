//! EndNote's tagged format, which is Refer's with more tags (`.enw`): a tag is a per cent sign and a letter.
//! After “EndNote Import/Export format” of its help, refer(1) and BibIX.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::item_builder::ItemBuilder;
use crate::names;
use crate::tagged::{Line, Syntax, TaggedRecord, read};
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static REFER: Format = Format {
    id: "refer",
    title: "EndNote tagged (Refer)",
    media_types: &["application/x-endnote-refer"],
    extensions: &["enw", "refer", "bix"],
    recognise: |content: &Content<'_>| {
        let tags = || content.lines().filter_map(field).map(|(tag, _)| tag);
        tags()
            .take(200)
            .filter(|tag| "0TADJBI".contains(tag))
            .count()
            >= 2
            && tags().any(|tag| "0TA".contains(tag))
    },
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: None,
    keys: KeyRule::Optional,
};

const SYNTAX: Syntax = Syntax {
    line: |line, place| match field(line) {
        Some((tag, value)) => Line::Field { tag, value },
        None if place.in_record => Line::More,
        None => Line::Skip,
    },
    // Records are parted by blank lines; where types are written, these begin one, and a value may have blank
    // lines in it.
    begins: |tag, record, place| match tag {
        "0" => record.has("0") || place.after_blank,
        _ if !place.after_blank => false,
        _ if record.has("0") => tag == "T" && record.has("T") || tag == "A" && record.has("T"),
        _ => true,
    },
};

fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('%')?;
    let (tag, value) = (rest.get(..1)?, rest.get(1..)?);
    let is_tag = tag
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'%');
    (is_tag && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (tag, value.trim()))
}

fn kind_of(text: &str) -> Option<ItemType> {
    use ItemType::*;
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "generic" | "grant" | "equation" | "catalog" | "multimedia application" => Document,
        "journal article" | "electronic article" | "journal" => Article,
        "book" | "edited book" | "electronic book" | "book, whole" => Book,
        "serial" => Book,
        "book section" | "electronic book section" | "serial (book, monograph)" => Chapter,
        "conference paper" | "conference proceedings" | "conference proceeding" => ConferencePaper,
        "thesis" | "dissertation" => Thesis,
        "report" | "government document" => Report,
        "newspaper article" => NewspaperArticle,
        "magazine article" => MagazineArticle,
        "web page" | "electronic source" | "online multimedia" => Webpage,
        "blog" => BlogPost,
        "discussion forum" | "social media" => Post,
        "patent" => Patent,
        "computer program" => Software,
        "dataset" | "online database" | "aggregated database" => Dataset,
        "statute" | "legal rule or regulation" => Legislation,
        "bill" | "unenacted bill/resolution" | "bills/resolutions" => Bill,
        "case" => LegalCase,
        "hearing" => Hearing,
        "standard" => Standard,
        "map" => Map,
        "artwork" => Graphic,
        "figure" | "chart or table" => Figure,
        "audiovisual material" | "film or broadcast" | "television episode" => MotionPicture,
        "music" => MusicalScore,
        "podcast" => Broadcast,
        "manuscript" | "unpublished work" => Manuscript,
        "personal communication" => PersonalCommunication,
        "interview" => Interview,
        "pamphlet" => Pamphlet,
        "ancient text" | "classical work" => Classic,
        "dictionary" => DictionaryEntry,
        "encyclopedia" => EncyclopediaEntry,
        "press release" => Document,
        "preprint" => Preprint,
        _ => return None,
    })
}

/// Refer has no types: what a record has tells.
fn kind_by_fields(record: &TaggedRecord<'_>) -> ItemType {
    match () {
        () if record.has("J") => ItemType::Article,
        () if record.has("B") && record.has("V") && record.has("N") => ItemType::Article,
        () if record.has("B") => ItemType::Chapter,
        () if record.has("R") && Doi::parse(&record.first("R")).is_err() => ItemType::Report,
        () if record.has("I") => ItemType::Book,
        () if record.has("U") => ItemType::Webpage,
        () => ItemType::Document,
    }
}

fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    use ItemType::*;
    let said = record.first("0");
    match said.is_empty() {
        true => item.set_kind(kind_by_fields(record)),
        false => item.set_kind_or_say(kind_of(&said), &said),
    }
    let kind = item.kind();
    let in_periodical = kind.is_in_periodical();
    let in_book = matches!(
        kind,
        Chapter | ConferencePaper | DictionaryEntry | EncyclopediaEntry
    );
    let is_whole = matches!(kind, Book | Report | Thesis | Manuscript);
    item.date(
        DateVar::Issued,
        issued(&record.first("D"), &record.first("8")),
    );
    for field in &record.fields {
        let text = field.text();
        match field.tag {
            "A" | "Q" => people(&text, NameVar::Author, item),
            "E" => people(&text, NameVar::Editor, item),
            "Y" if in_book || is_whole => people(&text, NameVar::CollectionEditor, item),
            "H" if !text.is_ascii() || text.contains(',') => {
                people(&text, NameVar::Translator, item)
            }
            "T" => item.text(TextVar::Title, &text),
            "Z" if in_periodical && !record.has("J") => item.text(TextVar::ContainerTitle, &text),
            "Z" => item.text(TextVar::Note, &text),
            "J" => item.text(TextVar::ContainerTitle, &text),
            "B" if in_periodical || in_book || kind == Document => {
                item.text(TextVar::ContainerTitle, &text);
            }
            "B" | "S" => item.text(TextVar::CollectionTitle, &text),
            "!" => item.text(TextVar::TitleShort, &text),
            "O" | "R" if Doi::parse(&text).is_ok() => item.text(TextVar::Doi, &text),
            "O" => item.text(TextVar::Note, &text),
            "V" if matches!(kind, Patent) => item.number(NumberVar::Number, &text),
            "V" => item.number(NumberVar::Volume, &text),
            "N" if in_periodical => item.number(NumberVar::Issue, &text),
            "N" => item.number(NumberVar::Number, &text),
            "6" => item.number(NumberVar::NumberOfVolumes, &text),
            "7" => item.number(NumberVar::Edition, &text),
            "&" => item.number(NumberVar::Section, &text),
            "P" if is_whole => item.number(NumberVar::NumberOfPages, pages_of_book(&text)),
            "P" => item.number(NumberVar::Page, &text),
            "I" => item.text(TextVar::Publisher, &text),
            "C" => item.text(TextVar::PublisherPlace, &text),
            "@" => item.serial_number(&text),
            "U" | "4" | ">" => item.address(&text),
            "X" => item.text(TextVar::Abstract, &text),
            "K" => {
                for line in field.lines() {
                    item.text(TextVar::Keyword, line);
                }
            }
            "G" => item.text(TextVar::Language, &text),
            "L" => item.text(TextVar::CallNumber, &text),
            "9" => item.text(TextVar::Genre, &text),
            "~" | "W" => item.text(TextVar::Source, &text),
            "[" => item.date(DateVar::Accessed, Date::parse(&text)),
            "(" => item.text(TextVar::OriginalTitle, &text),
            "F" => item.set_key(&text),
            "0" | "D" | "8" => {}
            tag => item.custom(&format!("%{tag}"), &text),
        }
    }
    said
}

/// One name, or several parted by semicolons.
fn people(text: &str, variable: NameVar, item: &mut ItemBuilder) {
    for name in names::list(text) {
        item.name(variable, names::in_any_order(name));
    }
}

/// The year, and the date that may say more.
fn issued(year: &str, date: &str) -> Option<Date> {
    let date = Date::parse(date).filter(|date| date.start.is_some());
    match date {
        Some(date) if year.is_empty() || date.start.is_some_and(|s| s.year.to_string() == year) => {
            Some(date)
        }
        _ => small_year(year).or_else(|| Date::parse(year)),
    }
}

/// The year 32, which is none among other words.
fn small_year(text: &str) -> Option<Date> {
    let is_small = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = is_small.then(|| text.parse().ok()).flatten()?;
    Some(citation_model::date::DateParts::year(year).into())
}

/// `XX, 327` and `173 s.` are pages of a book, whose number the last one is.
fn pages_of_book(text: &str) -> &str {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    match digits.rsplit_once(|c: char| !c.is_ascii_digit()) {
        Some((before, number))
            if !before.ends_with(|c: char| c.is_ascii_digit()) && !text.contains('-') =>
        {
            number
        }
        None if !digits.is_empty() => digits,
        _ => text,
    }
}
