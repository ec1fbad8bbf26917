//! RefWorks' tagged format, according to “RefWorks Tagged Format” of its help: a record begins with `RT`.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::kinds::{KindRow, both, read_kind, write_kind};
use crate::rows::{self, FieldRow, number, text};
use crate::syntax::tagged::{
    Line, Syntax, TagWriter, TaggedRecord, inverted, read, variable, write_records, year_and_date,
};
use crate::syntax::xml::write::plain;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::parts::{full_date, maker_role, makers};
use citation_fields::{names, pages};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

pub static REFWORKS: Format = Format {
    id: "refworks",
    title: "RefWorks tagged",
    media_types: &["application/x-refworks"],
    extensions: &["refworks", "rwf"],
    recognise: |content: &Content<'_>, _| {
        let kinds = content.lines().filter_map(|line| line.strip_prefix("RT "));
        { kinds }.any(|kind| read_kind(KINDS, kind).is_some())
    },
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[&[
        "RT Journal Article\n",
        "A1 ",
        "T1 ",
        "YR ",
        "SP ",
        "AB ",
        "\n",
        "Doe, J",
        "2001",
        "a ",
    ]],
};

const SYNTAX: Syntax = Syntax {
    line: |line, place| match field(line) {
        Some((tag, value)) if place.in_record || tag == "RT" => Line::Field { tag, value },
        _ if place.in_record => Line::More,
        // A header, such as the name of the file.
        _ => Line::Skip,
    },
    begins: |tag, _, _| tag == "RT",
};

fn field(line: &str) -> Option<(&str, &str)> {
    let (tag, value) = line.split_once(' ').unwrap_or((line, ""));
    TAGS.contains(&tag).then(|| (tag, value.trim()))
}

/// All tags, because a line of an abstract may also begin with two capitals.
const TAGS: &[&str] = &[
    "RT", "SR", "ID", "A1", "T1", "JF", "JO", "YR", "FD", "VO", "IS", "SP", "OP", "K1", "AB", "NO",
    "A2", "T2", "ED", "PB", "PP", "A3", "A4", "A5", "A6", "A7", "T3", "SN", "AV", "AD", "AN", "LA",
    "CL", "SF", "OT", "LK", "DO", "CN", "DB", "DS", "IP", "RD", "ST", "U1", "U2", "U3", "U4", "U5",
    "U6", "U7", "U8", "U9", "U10", "UL", "SL", "LL", "CR", "WT", "WV", "WP", "OL", "PMID", "PMCID",
    "OA", "JN", "TA", "RP", "IE", "AU", "TI", "WU", "DE", "IT", "EL",
];

/// RefWorks' names of types.
pub(crate) const KINDS: &[KindRow] = {
    use ItemType::*;
    &[
        both(
            "Journal Article|journal|journal, electronic|abstract",
            &[Article, Review, BookReview, Preprint],
        ),
        both(
            "Book, Whole|book, edited|book|monograph",
            &[Book, Collection, Periodical, Classic, Pamphlet],
        ),
        both("Book, Section|book chapter", ItemType::PARTS_OF_BOOKS),
        both(
            "Conference Proceedings|conference proceeding",
            &[ConferencePaper],
        ),
        both(
            "Dissertation/Thesis|dissertation|dissertation/thesis, unpublished|thesis",
            &[Thesis],
        ),
        both("Newspaper Article", &[NewspaperArticle]),
        both("Magazine Article|magazine", &[MagazineArticle]),
        both("Report", &[Report]),
        both("Web Page|website", &[Webpage]),
        both("Computer Program", &[Software]),
        both("Patent", &[Patent]),
        both("Map", &[Map]),
        both("Music Score", &[MusicalScore]),
        both("Sound Recording", &[Song]),
        both(
            "Motion Picture|video/ dvd|video/dvd|video",
            &[MotionPicture, Broadcast],
        ),
        both("Artwork", &[Graphic, Figure]),
        both("Bills/Resolutions", &[Bill]),
        both("Laws/Statutes", ItemType::LAWS),
        both("Case/Court Decisions", &[LegalCase]),
        both("Hearing", &[Hearing]),
        both("Personal Communication", &[PersonalCommunication]),
        both("Unpublished Material", &[Manuscript]),
        both(
            "Online Discussion Forum|online discussion forum/blogs",
            &[Post],
        ),
        both("Blog", &[BlogPost]),
        both("Standard", &[Standard]),
        both("Dataset", &[Dataset]),
        both(
            "Generic|resource|grant",
            &[Document, Event, Performance, Speech, Interview],
        ),
    ]
};

pub(crate) const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        text("T1", Title),
        text("TI", Title).read_only(),
        text("WT", ContainerTitle).of(is_page),
        text("JF", ContainerTitle).of(is_in_journal),
        text("T2", ContainerTitle).of(|kind| !is_page(kind) && !is_in_journal(kind)),
        text("T2", ContainerTitle)
            .of(|kind| !kind.has_series())
            .read_only(),
        text("T2", CollectionTitle).read_only(),
        text("JF", ContainerTitle).read_only(),
        text("WT", ContainerTitle).read_only(),
        text("T3", CollectionTitle),
        number("VO", Volume),
        number("IS", Issue).of(ItemType::is_in_periodical),
        number("IS", Number).of(has_number),
        number("ED", Edition),
        number("WV", Version),
        text("ST", TitleShort),
        text("OT", OriginalTitle),
        text("PB", Publisher),
        text("PP", PublisherPlace),
        text("DO", Doi),
        text("PMID", Pmid),
        text("PMCID", Pmcid),
        text("LA", Language),
        text("CL", CallNumber),
        text("CN", CallNumber).read_only(),
        text("DB", Source),
        text("AV", ArchiveLocation),
    ]
};

fn is_page(kind: ItemType) -> bool {
    kind == ItemType::Webpage
}

fn is_in_journal(kind: ItemType) -> bool {
    !is_page(kind) && (kind.is_in_periodical() || kind.has_series())
}

/// Not a part of a book, whose number is the book's, and not a preprint, which is written as an article.
fn has_number(kind: ItemType) -> bool {
    use ItemType::*;
    !kind.is_in_periodical() && !matches!(kind, Chapter | ConferencePaper | Preprint)
}

const NAMES: &[(&str, NameVar)] = &[
    ("A1", NameVar::Author),
    ("AU", NameVar::Author),
    ("A2", NameVar::Editor),
    ("A3", NameVar::CollectionEditor),
    ("A4", NameVar::Translator),
];

fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    let said = record.first("RT");
    item.set_kind_or_say(read_kind(KINDS, &said), &said);
    let kind = item.kind();
    let is_article = kind.is_in_periodical();
    let issued = full_date(&record.first("FD"), &record.first("YR"));
    item.date(DateVar::Issued, issued);
    // The page of an article may end in a letter: `106S`.
    let counted = Some(record.first("SP"))
        .filter(|_| !is_article)
        .unwrap_or_default();
    match pages::count_before_unit(&counted) {
        Some(count) => item.number(NumberVar::NumberOfPages, count),
        None => item.pages(&record.first("SP"), &record.first("OP")),
    }
    for field in &record.fields {
        let text = field.text();
        if let Some(role) = variable(NAMES, field.tag) {
            for name in names::people(&text) {
                item.listed_name(role, name);
            }
            continue;
        }
        if rows::set(item, FIELDS, field.tag, &without_marks(&text)) {
            continue;
        }
        match field.tag {
            "JO" if record.has("JF") || record.has("T2") => {
                item.text(TextVar::ContainerTitleShort, &text);
            }
            "JO" => item.text(TextVar::ContainerTitle, &text),
            "SN" => item.serial_number(&text),
            "UL" | "LK" => item.address(&text),
            "AB" => item.text(TextVar::Abstract, &field.paragraphs()),
            "NO" => item.text(TextVar::Note, &field.paragraphs()),
            "K1" => item.keyword(&text),
            "RD" => item.written_date(DateVar::Accessed, &text),
            "ID" => item.set_key(&text),
            "RT" | "SR" | "SP" | "OP" | "YR" | "FD" | "OL" => {}
            tag => item.custom(tag, &text),
        }
    }
    said
}

/// Writes items in the form of RefWorks' import.
fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    write_records(items, write_item, budget)
}

/// Variables without a tag; the first is a note of parts of books only.
const UNTAGGED: [Variable; 6] = [
    Variable::Number(NumberVar::Number),
    Variable::Date(DateVar::EventDate),
    Variable::Number(NumberVar::CollectionNumber),
    Variable::Number(NumberVar::NumberOfVolumes),
    Variable::Text(TextVar::EventTitle),
    Variable::Text(TextVar::ReviewedTitle),
];

fn write_item(item: &Item, out: &mut String) {
    let mut writer = TagWriter {
        out,
        mark: "",
        clean: plain,
        is_field: |line| field(line).is_some(),
    };
    let text = |variable| item.text(variable).unwrap_or_default();
    writer.field("RT", write_kind(KINDS, item.kind).unwrap_or("Generic"));
    writer.field("ID", item.text(TextVar::CitationKey).unwrap_or(&item.id));
    for (tag, variable) in NAMES.iter().filter(|(tag, _)| *tag != "AU") {
        let names = match variable {
            NameVar::Author => makers(item),
            variable => item.names(*variable),
        };
        for name in names {
            writer.field(tag, &inverted(name));
        }
    }
    for (tag, value) in rows::values(FIELDS, item) {
        writer.field(tag, value);
    }
    writer.field("JO", text(TextVar::ContainerTitleShort));
    let (year, date) = year_and_date(item.date(DateVar::Issued));
    writer.field("YR", &year);
    writer.field("FD", &date);
    write_pages(item, &mut writer);
    writer.field("UL", text(TextVar::Url));
    writer.field("AB", text(TextVar::Abstract));
    writer.lists(item, ["K1", "NO", "SN"]);
    let mut written: Vec<NameVar> = NAMES.iter().map(|(_, variable)| *variable).collect();
    written.push(maker_role(item));
    let is_part = matches!(item.kind, ItemType::Chapter | ItemType::ConferencePaper);
    let untagged = UNTAGGED.get(usize::from(!is_part)..).unwrap_or_default();
    writer.extra(item, "NO", untagged, &written);
    if let Some(date) = item.date(DateVar::Accessed) {
        writer.field("RD", &date.edtf());
    }
}

fn write_pages(item: &Item, writer: &mut TagWriter<'_>) {
    let count = item.number(NumberVar::NumberOfPages);
    let count = count.filter(|_| item.kind.counts_pages());
    let count = count.map(|count| format!("{count} p."));
    let page = item.number(NumberVar::Page).or(count.as_deref());
    let (first, last) = pages::ends(page.unwrap_or_default());
    writer.field("SP", first);
    writer.field("OP", last);
}

/// RefWorks writes `0RW1S34RfeSDcfkexd09rT2` where italics begin, and 1 for 0 where they end; the last
/// digit is the code for bold, underline, italic, superscript or subscript.
fn without_marks(text: &str) -> String {
    const MARK: &str = "RW1S34RfeSDcfkexd09rT";
    const TAGS: [(char, &str); 4] = [('0', "b"), ('2', "i"), ('3', "sup"), ('4', "sub")];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let (before, mark) = (rest.get(..at), rest.get(at + MARK.len()..));
        let (Some(before), Some(mark)) = (before, mark) else {
            break;
        };
        let kind = mark.chars().next();
        let tag = TAGS.iter().find(|(number, _)| Some(*number) == kind);
        let (text, slash) = match (before.strip_suffix('0'), before.strip_suffix('1')) {
            (Some(text), _) => (text, ""),
            (_, Some(text)) => (text, "/"),
            _ => (before, ""),
        };
        out.push_str(text);
        if let Some((_, tag)) = tag {
            out.push_str(&format!("<{slash}{tag}>"));
        }
        rest = mark
            .get(kind.map_or(0, char::len_utf8)..)
            .unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_round_trip;

    #[test]
    fn written_records_come_back() {
        check_round_trip(&REFWORKS, crate::testing::WRITTEN);
    }

    #[test]
    fn full_dates_without_a_year_complete_it() {
        crate::testing::check_read(
            &REFWORKS,
            "RT Journal Article\nT1 A\nYR 2012\nFD Jun 3\n\nRT Journal Article\nT1 B\nYR 2012\nFD 2011-02-01\n",
            r#"[{"issued": {"date-parts": [[2012, 6, 3]]}}, {"issued": {"date-parts": [[2011, 2, 1]]}}]"#,
        );
    }

    #[test]
    fn long_tags_end_the_field_before_them() {
        crate::testing::check_read(
            &REFWORKS,
            "RT Journal Article\nT1 A\nAB B\nPMID 123\nPMCID PMC77\nU10 x\n",
            r#"[{"abstract": "B", "PMID": "123", "PMCID": "PMC77", "custom": {"U10": "x"}}]"#,
        );
    }

    #[test]
    fn marks_of_italics_become_tags() {
        assert_eq!(
            without_marks("genus 0RW1S34RfeSDcfkexd09rT2Cyphon1RW1S34RfeSDcfkexd09rT2 x"),
            "genus <i>Cyphon</i> x"
        );
        assert_eq!(without_marks("RW1S34RfeSDcfkexd09rT"), "");
    }
}
