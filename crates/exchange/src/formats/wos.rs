//! Web of Science: its tagged export (ISI, `.ciw`) and the same fields in a tab-delimited table, according
//! to “Web of Science Core Collection Field Tags” of its help.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::rows::{self, FieldRow, number, text};
use crate::syntax::tagged::{Line, Syntax, TaggedRecord, read, without_stop};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::keywords;
use citation_fields::names;
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static WOS_TAGGED: Format = Format {
    id: "wos-tagged",
    title: "Web of Science tagged",
    media_types: &["application/x-inst-for-scientific-info"],
    extensions: &["ciw", "isi"],
    recognise: |content: &Content<'_>, _| {
        let mut lines = content.lines();
        lines.any(|line| line.strip_prefix("PT ").is_some_and(is_type))
            && lines
                .any(|line| matches!(line.get(..3), Some("AU " | "TI " | "SO ")) || line == "ER")
    },
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[&[
        "PT J\n",
        "AU ",
        "TI ",
        "PY 2001\n",
        "PG ",
        "ER\n",
        "EF\n",
        "   ",
        "\n",
        "Doe, J",
        "a ",
    ]],
};

fn is_type(text: &str) -> bool {
    matches!(text.trim(), "J" | "B" | "S" | "P" | "C" | "K")
}

const SYNTAX: Syntax = Syntax {
    line: |line, place| match field(line) {
        Some(("ER" | "EF", _)) => Line::End,
        Some((tag, value)) if place.in_record || !matches!(tag, "FN" | "VR") => {
            Line::Field { tag, value }
        }
        None if place.in_record => Line::More,
        _ => Line::Skip,
    },
    begins: |tag, record, _| tag == "PT" && record.has("PT"),
};

/// Two capitals, or a capital and a digit, and a blank.
fn field(line: &str) -> Option<(&str, &str)> {
    let (tag, value) = (line.get(..2)?, line.get(2..)?);
    let [first, second] = tag.as_bytes() else {
        return None;
    };
    let is_tag =
        first.is_ascii_uppercase() && (second.is_ascii_uppercase() || second.is_ascii_digit());
    (is_tag && (value.is_empty() || value.starts_with(' '))).then(|| (tag, value.trim()))
}

/// Tags about the record or other works.
const LEFT_OUT: &[&str] = &[
    "PT", "FN", "VR", "PY", "PD", "BP", "EP", "TC", "Z9", "NR", "PG", "U1", "U2", "CR", "DA", "GA",
    "OA", "HC", "HP", "C1", "C3", "RP", "EM", "RI", "OI", "FU", "FX", "PA", "HO", "SP", "EA", "AU",
    "BA", "DT",
];

const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        text("FT", OriginalTitle),
        text("SO", ContainerTitle).of(|kind| kind != ItemType::Book),
        text("SE", CollectionTitle),
        text("JI", ContainerTitleShort),
        number("VL", Volume),
        number("IS", Issue),
        number("PS", Page),
        number("PN", Number),
        text("DI", Doi),
        text("D2", Doi).of(|kind| kind == ItemType::Book),
        text("PM", Pmid),
        text("PU", Publisher),
        text("PI", PublisherPlace),
        text("SN", Issn),
        text("EI", Issn),
        text("BN", Isbn),
        text("CT", EventTitle),
        text("CL", EventPlace),
        text("LA", Language),
    ]
};

/// Fills an item from a record, whose fields were lines or columns.
pub(crate) fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    let said = record.first("PT");
    let kind = kind_of(record);
    item.set_kind(kind);
    let in_book = matches!(kind, ItemType::Chapter | ItemType::ConferencePaper);
    item.date(
        DateVar::Issued,
        issued(&record.first("PY"), &record.first("PD")),
    );
    // An article in press has only the date of its edition on the web.
    item.date(DateVar::Issued, issued("", &record.first("EA")));
    let (first, last) = (record.first("BP"), record.first("EP"));
    if !first.is_empty() {
        item.pages(&first, &last);
    }
    let [authors, of_book] = add_people(record, in_book, item);
    for field in &record.fields {
        let text = field.text();
        if rows::set(item, FIELDS, field.tag, &text) {
            continue;
        }
        match field.tag {
            "CA" => item.name(NameVar::Author, Name::literal(&text)),
            "GP" if !record.has(authors) => item.name(NameVar::Author, Name::literal(&text)),
            "TI" => item.text(TextVar::Title, without_stop(&with_scripts(&text))),
            // Of a book without another title.
            "SO" if !record.has("TI") => item.text(TextVar::Title, &text),
            "J9" if !record.has("JI") => item.text(TextVar::ContainerTitleShort, &text),
            "AR" if first.is_empty() && !record.has("PS") => {
                item.number(NumberVar::Page, text.strip_prefix("UNSP ").unwrap_or(&text));
            }
            "AR" => item.number(NumberVar::Number, &text),
            "UT" => match text.strip_prefix("MEDLINE:") {
                Some(pmid) => item.text(TextVar::Pmid, pmid),
                None => item.custom("UT", &text),
            },
            "CY" => item.written_date(DateVar::EventDate, &text),
            "AB" => item.text(TextVar::Abstract, &with_scripts(&text)),
            "DE" | "ID" => {
                for keyword in keywords::split_at_semicolons(&text) {
                    item.keyword(&keyword);
                }
            }
            tag if LEFT_OUT.contains(&tag) || tag == authors || tag == of_book => {}
            "BF" | "AF" | "BE" | "ED" | "GP" | "J9" | "D2" | "SO" => {}
            tag => item.custom(tag, &text),
        }
    }
    said
}

/// Adds the names; returns the tags of the authors of the work and of the book.
fn add_people(
    record: &TaggedRecord<'_>,
    in_book: bool,
    item: &mut ItemBuilder,
) -> [&'static str; 2] {
    // Full names are listed in addition to short ones, in the same order.
    let authors = if record.has("AF") { "AF" } else { "AU" };
    for name in people(record, authors) {
        item.listed_name(NameVar::Author, name);
    }
    let of_book = if record.has("BF") { "BF" } else { "BA" };
    let variable = if in_book {
        NameVar::ContainerAuthor
    } else {
        NameVar::Author
    };
    for name in people(record, of_book) {
        item.name(variable, name);
    }
    for name in people(record, "BE").chain(people(record, "ED")) {
        item.name(NameVar::Editor, name);
    }
    [authors, of_book]
}

fn kind_of(record: &TaggedRecord<'_>) -> ItemType {
    let document = record.first("DT").to_lowercase();
    let is = |kind: &str| {
        document
            .split(';')
            .any(|part| part.trim().starts_with(kind))
    };
    match record.first("PT").as_str() {
        "P" => ItemType::Patent,
        // Volumes of a review journal, as those of Annual Reviews, are books as well.
        "J" if is("book chapter") => ItemType::Article,
        _ if is("book chapter") => ItemType::Chapter,
        "J" if is("book") && !is("book review") && !record.has("VL") => ItemType::Book,
        "J" => ItemType::Article,
        _ if is("proceedings paper") || is("meeting") => ItemType::ConferencePaper,
        "B" if record.has("SO") && record.first("SO") != record.first("TI") && record.has("BP") => {
            ItemType::Chapter
        }
        "B" => ItemType::Book,
        "S" => ItemType::Chapter,
        "C" => ItemType::ConferencePaper,
        _ => ItemType::Article,
    }
}

/// One name per line, or several separated by semicolons.
fn people<'r>(record: &'r TaggedRecord<'_>, tag: &str) -> impl Iterator<Item = Name> + use<'r> {
    let tag = tag.to_owned();
    let fields = record.fields.iter().filter(move |field| field.tag == tag);
    fields.flat_map(|field| {
        let lines = field.value.split(['\n', '\r']);
        lines.flat_map(names::list).map(names::in_any_order)
    })
}

/// The year, and the separate month and day, which may repeat the year: `DEC 16`, `07 2006`.
fn issued(year: &str, rest: &str) -> Option<Date> {
    let whole = if rest.contains(year) {
        Date::parse(rest)
    } else {
        Date::parse(&format!("{rest} {year}"))
    };
    whole
        .filter(|date| date.start.is_some())
        .or_else(|| Date::parse(year))
}

/// Inspec writes `H/sub 2/O` for subscripts and `m/sup 2/` for superscripts.
fn with_scripts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag, inside)) = script(rest) {
        out.push_str(before.trim_end());
        let (raised, behind) = inside.split_once('/').unwrap_or((inside, ""));
        out.push_str(&format!("<{tag}>{}</{tag}>", raised.trim()));
        rest = behind;
    }
    out + rest
}

/// The text before the next mark, its tag, and the rest.
fn script(text: &str) -> Option<(&str, &'static str, &str)> {
    let find = |mark: &str, tag| {
        let at = text.find(mark)?;
        Some((text.get(..at)?, tag, text.get(at + mark.len()..)?))
    };
    let (lowered, raised) = (find("/sub ", "sub"), find("/sup ", "sup"));
    let first = [lowered, raised].into_iter().flatten();
    first
        .min_by_key(|(before, _, _)| before.len())
        .filter(|(_, _, behind)| behind.find('/').is_some_and(|end| end < 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapter_of_a_review_journal_is_an_article() {
        let check = |kind: &str, expected: &str| {
            let text = format!("FN X\nPT {kind}\nTI A\nSO B\nDT Review; Book Chapter\nER\nEF\n");
            let expected = format!(r#"[{{"type": "{expected}"}}]"#);
            crate::testing::check_read(&WOS_TAGGED, &text, &expected);
        };
        check("J", "article-journal");
        check("S", "chapter");
    }

    #[test]
    fn raised_and_lowered_text_is_marked() {
        assert_eq!(
            with_scripts("LiNbO/sub 3/ at m/sup -2/ and/or"),
            "LiNbO<sub>3</sub> at m<sup>-2</sup> and/or"
        );
        assert_eq!(with_scripts("a /sub"), "a /sub");
    }
}
