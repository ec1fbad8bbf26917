//! EndNote's tagged format, an extension of Refer (`.enw`): a tag is a percent sign and a letter. According
//! to “EndNote Import/Export format” of its help, refer(1) and BibIX.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::kinds::{KindRow, both, read_kind, write_kind};
use crate::rows::{self, FieldRow, number, text};
use crate::syntax::tagged::{
    Line, Syntax, TagWriter, TaggedRecord, inverted, read, write_records, year_and_date,
};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::parts::{date_of, maker_role, makers, second_role};
use citation_fields::{names, pages};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::identifier::{Doi, Pmcid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

pub static REFER: Format = Format {
    id: "refer",
    title: "EndNote tagged (Refer)",
    media_types: &["application/x-endnote-refer"],
    extensions: &["enw", "refer", "bix"],
    recognise: |content: &Content<'_>, _| {
        let tags = || content.lines().filter_map(field).map(|(tag, _)| tag);
        tags()
            .take(200)
            .filter(|tag| "0TADJBI".contains(tag))
            .count()
            >= 2
            && tags().any(|tag| "0TA".contains(tag))
    },
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[&[
        "%0 Book\n",
        "%A ",
        "%T ",
        "%D ",
        "%P ",
        "%X ",
        "%",
        "\n",
        "Doe, J",
        "1-",
        "a ",
    ]],
};

const SYNTAX: Syntax = Syntax {
    line: |line, place| match field(line) {
        Some((tag, value)) => Line::Field { tag, value },
        None if place.in_record => Line::More,
        None => Line::Skip,
    },
    // Blank lines separate records. If types are given, they start a record, and a value may contain blank
    // lines.
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

/// EndNote's names of types.
pub(crate) const KINDS: &[KindRow] = {
    use ItemType::*;
    &[
        both(
            "Journal Article|electronic article|journal",
            &[Article, Review, BookReview],
        ),
        both("Preprint", &[Preprint]),
        both("Magazine Article", &[MagazineArticle]),
        both("Newspaper Article", &[NewspaperArticle]),
        both(
            "Book|edited book|electronic book|book, whole|serial",
            &[Book, Collection, Periodical],
        ),
        both(
            "Book Section|electronic book section|serial (book, monograph)",
            &[Chapter, Entry],
        ),
        both(
            "Conference Paper|conference proceedings|conference proceeding",
            &[ConferencePaper],
        ),
        both("Dictionary", &[DictionaryEntry]),
        both("Encyclopedia", &[EncyclopediaEntry]),
        both("Thesis|dissertation", &[Thesis]),
        both("Report|government document", &[Report]),
        both("Web Page|electronic source|online multimedia", &[Webpage]),
        both("Discussion Forum|social media", &[Post]),
        both("Blog", &[BlogPost]),
        both("Patent", &[Patent]),
        both("Computer Program", &[Software]),
        both("Dataset|online database|aggregated database", &[Dataset]),
        both("Statute|legal rule or regulation", ItemType::LAWS),
        both("Bill|unenacted bill/resolution|bills/resolutions", &[Bill]),
        both("Case", &[LegalCase]),
        both("Hearing", &[Hearing]),
        both("Standard", &[Standard]),
        both("Map", &[Map]),
        both("Artwork", &[Graphic]),
        both("Figure|chart or table", &[Figure]),
        both(
            "Film or Broadcast|audiovisual material|television episode",
            &[MotionPicture],
        ),
        both("Podcast", &[Broadcast]),
        both("Music", &[MusicalScore, Song]),
        both("Manuscript|unpublished work", &[Manuscript]),
        both("Personal Communication", &[PersonalCommunication]),
        both("Interview", &[Interview]),
        both("Pamphlet", &[Pamphlet]),
        both("Classical Work|ancient text", &[Classic]),
        both(
            "Generic|grant|equation|catalog|multimedia application|press release",
            &[Document, Event, Performance, Speech],
        ),
    ]
};

/// Refer has no types, so the fields decide.
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
    if said.is_empty() {
        item.set_kind(kind_by_fields(record))
    } else {
        item.set_kind_or_say(read_kind(KINDS, &said), &said)
    }
    let kind = item.kind();
    let in_periodical = kind.is_in_periodical();
    let is_whole = matches!(kind, Book | Report | Thesis | Manuscript);
    let has_event = is_paper(kind) && record.has("3");
    let from_pubmed = record.first("~").to_lowercase().contains("pubmed");
    item.date(
        DateVar::Issued,
        issued(&record.first("D"), &record.first("8")),
    );
    let keywords = record.all("K").flat_map(|field| field.lines());
    let is_list_of_keywords = keywords.count() > 1;
    for field in &record.fields {
        let text = field.text();
        if has_event && field.tag == "B" {
            item.text(TextVar::EventTitle, &text);
            continue;
        }
        let is_degree = field.tag == "V"
            && kind == Thesis
            && !text.contains(|letter: char| letter.is_ascii_digit());
        if is_degree {
            item.text(TextVar::Genre, &text);
            continue;
        }
        if rows::set(item, FIELDS, field.tag, &text) {
            continue;
        }
        match field.tag {
            "A" | "Q" => people(&text, NameVar::Author, item),
            "E" => people(&text, second_role(kind), item),
            "Y" if is_whole || !in_periodical => people(&text, NameVar::CollectionEditor, item),
            "H" if !text.is_ascii() || text.contains(',') => {
                people(&text, NameVar::Translator, item)
            }
            "Z" if in_periodical && !record.has("J") => item.text(TextVar::ContainerTitle, &text),
            "Z" => item.text(TextVar::Note, &field.paragraphs()),
            "O" if Doi::parse(&text).is_ok() => item.text(TextVar::Doi, &text),
            "R" if kind != Report || Doi::parse(&text).is_ok() => item.text(TextVar::Doi, &text),
            "O" => item.text(TextVar::Note, &text),
            "2" if Pmcid::parse(&text).is_ok() => item.text(TextVar::Pmcid, &text),
            "P" => match pages::count(&text).filter(|_| is_whole || kind.counts_pages()) {
                Some(count) => item.number(NumberVar::NumberOfPages, count),
                None => item.number(NumberVar::Page, &text),
            },
            "@" => item.serial_number(&text),
            "U" | "4" | ">" => item.address(&text),
            "X" => item.text(TextVar::Abstract, &field.paragraphs()),
            "K" => {
                for line in field.lines() {
                    // Of several each is whole: `Doe, Jane (1950-2010)`.
                    if is_list_of_keywords && !line.contains(';') {
                        item.keyword(line);
                    } else {
                        item.text(TextVar::Keyword, line);
                    }
                }
            }
            "~" | "W" => item.text(TextVar::Source, &text),
            "[" => item.written_date(DateVar::Accessed, &text),
            "M" if from_pubmed => item.text(TextVar::Pmid, &text),
            "F" => item.set_key(&text),
            "0" | "D" | "8" => {}
            tag => item.custom(&format!("%{tag}"), &text),
        }
    }
    said
}

pub(crate) const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        text("T", Title),
        text("J", ContainerTitle).of(is_in_journal),
        text("B", Division).of(|kind| kind == ItemType::Thesis),
        text("B", ContainerTitle).of(is_in_whole),
        // Papers have it there beside the name of the conference.
        text("3", ContainerTitle).of(is_paper).read_only(),
        text("B", ContainerTitle)
            .of(|kind| !kind.has_series())
            .read_only(),
        text("B", CollectionTitle).read_only(),
        text("J", ContainerTitle).read_only(),
        text("S", CollectionTitle),
        number("V", Number).of(is_patent).read_only(),
        number("V", Volume).of(|kind| !is_patent(kind)),
        number("N", Issue).of(ItemType::is_in_periodical),
        number("N", Number).of(|kind| !kind.is_in_periodical()),
        number("]", Number).of(ItemType::is_in_periodical),
        number("]", Number).read_only(),
        number("6", NumberOfVolumes),
        number("7", Version).of(ItemType::has_versions),
        number("7", Edition).of(|kind| !kind.has_versions()),
        number("&", Section),
        text("!", TitleShort),
        text("(", OriginalTitle),
        text("I", Publisher),
        text("C", PublisherPlace),
        text("9", Genre),
        text("G", Language),
        text("L", CallNumber),
        text("*", ReviewedTitle),
    ]
};

fn is_paper(kind: ItemType) -> bool {
    kind == ItemType::ConferencePaper
}

fn is_patent(kind: ItemType) -> bool {
    kind == ItemType::Patent
}

fn is_in_journal(kind: ItemType) -> bool {
    kind.is_in_periodical() || kind.has_series()
}

fn is_in_whole(kind: ItemType) -> bool {
    !is_in_journal(kind) && !is_paper(kind)
}

/// One name, or several separated by semicolons.
fn people(text: &str, variable: NameVar, item: &mut ItemBuilder) {
    for name in names::people_in_any_order(text) {
        item.listed_name(variable, name);
    }
}

/// The year, and the date if it is more precise.
fn issued(year: &str, date: &str) -> Option<Date> {
    small_year(year).or_else(|| date_of(year, date))
}

/// A two-digit year, not recognised as a year in other text.
fn small_year(text: &str) -> Option<Date> {
    let is_small = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = is_small.then(|| text.parse().ok()).flatten()?;
    Some(citation_model::date::DateParts::year(year).into())
}

/// Writes items in the form of EndNote's export.
fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    write_records(items, write_item, budget)
}

/// Variables without a tag; the first has one in papers.
const UNTAGGED: [Variable; 5] = [
    Variable::Text(TextVar::EventTitle),
    Variable::Date(DateVar::EventDate),
    Variable::Number(NumberVar::CollectionNumber),
    Variable::Text(TextVar::ContainerTitleShort),
    Variable::Text(TextVar::ArchiveLocation),
];

fn write_item(item: &Item, out: &mut String) {
    let mut writer = TagWriter {
        out,
        mark: "%",
        clean: str::to_owned,
        is_field: |line| field(line).is_some(),
    };
    let text = |variable| item.text(variable).unwrap_or_default();
    writer.field("0", write_kind(KINDS, item.kind).unwrap_or("Generic"));
    write_names(item, &mut writer);
    if is_paper(item.kind) {
        write_conference(item, &mut writer);
    }
    for (tag, value) in rows::values(FIELDS, item) {
        writer.field(tag, value);
    }
    let is_report = item.kind == ItemType::Report;
    let (year, date) = year_and_date(item.date(DateVar::Issued));
    let is_year = !year.is_empty();
    writer.field("D", if is_year { &year } else { &date });
    writer.field("8", if is_year { &date } else { "" });
    let pages = item.number(NumberVar::Page);
    let pages = pages.or(item.number(NumberVar::NumberOfPages));
    writer.field("P", pages.unwrap_or_default());
    // Of a report it is the number.
    let doi = Some(text(TextVar::Doi)).filter(|doi| !is_report || Doi::parse(doi).is_ok());
    writer.field("R", doi.unwrap_or_default());
    writer.field("U", text(TextVar::Url));
    if let Some(date) = item.date(DateVar::Accessed) {
        writer.field("[", &date.edtf());
    }
    writer.field("2", text(TextVar::Pmcid));
    let pmid = text(TextVar::Pmid);
    writer.field("M", pmid);
    // An accession number is a PMID beside the name of the database.
    let source = match pmid {
        "" => text(TextVar::Source),
        _ => "PubMed",
    };
    writer.field("~", source);
    // `%Z` of an article without `%J` is the journal.
    let is_alone = item.kind.is_in_periodical() && item.text(TextVar::ContainerTitle).is_none();
    let note = if is_alone { "O" } else { "Z" };
    writer.lists(item, ["K", note, "@"]);
    let has_event = is_paper(item.kind);
    let mut written = vec![
        maker_role(item),
        second_role(item.kind),
        NameVar::Translator,
    ];
    if !item.kind.is_in_periodical() {
        written.push(NameVar::CollectionEditor);
    }
    writer.extra(
        item,
        note,
        UNTAGGED.get(usize::from(has_event)..).unwrap_or_default(),
        &written,
    );
    writer.field("F", &item.id);
    writer.field("X", text(TextVar::Abstract));
}

/// The editors of the series, which journals do not have.
fn series_editors(item: &Item) -> &[Name] {
    if item.kind.is_in_periodical() {
        return &[];
    }
    item.names(NameVar::CollectionEditor)
}

fn write_names(item: &Item, writer: &mut TagWriter<'_>) {
    for (tag, names) in [
        ("A", makers(item)),
        ("E", item.names(second_role(item.kind))),
        ("Y", series_editors(item)),
        ("H", item.names(NameVar::Translator)),
    ] {
        for name in names {
            // A comma after several words marks an institution.
            let whole =
                Some(name.heading()).filter(|_| name.given.is_none() && name.suffix.is_none());
            match whole.filter(|whole| whole.contains(' ') && !whole.contains([',', ';'])) {
                Some(whole) => writer.field(tag, &format!("{whole},")),
                // `%H` has other things as well.
                None if tag == "H" && name.given.is_none() => {
                    writer.field(tag, &format!("{},", inverted(name).trim_end_matches(',')));
                }
                None => writer.field(tag, &inverted(name)),
            }
        }
    }
}

/// Papers have the name of the conference in the place of the container, if it is known.
fn write_conference(item: &Item, writer: &mut TagWriter<'_>) {
    let container = match item.text(TextVar::EventTitle) {
        Some(event) => {
            writer.field("B", event);
            "3"
        }
        None => "B",
    };
    writer.texts(item, &[(container, TextVar::ContainerTitle)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<Item> {
        let content = Content::of_text(text);
        assert!(
            REFER.recognises(&content, &Budget::unlimited()).unwrap(),
            "{text}"
        );
        let reading = read(content.text(), &SYNTAX, item, &Budget::unlimited()).unwrap();
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn records_of_refer_and_endnote_are_read() {
        let refer = "%A Jane Doe\n%A World Health Organization\n%T A Title\n%J Journal\n%V 3\n%P 1-9\n%D 2001\n\n\
                     %A Roe, Al\n%T Part\n%B Whole\n%E Doe, Jane\n%D 2002\n";
        let both = items(refer);
        assert_eq!(both.len(), 2);
        assert_eq!(both[0].kind, ItemType::Article);
        assert_eq!(
            both[0].names(NameVar::Author)[0].family.as_deref(),
            Some("Doe")
        );
        assert!(both[0].names(NameVar::Author)[1].literal.is_some());
        assert_eq!(both[1].kind, ItemType::Chapter);
        assert_eq!(both[1].text(TextVar::ContainerTitle), Some("Whole"));
        let endnote = "%0 Book\n%T A\n%X First.\n\nSecond.\n%P XX, 327 \n%0 Journal Article\n%T B\n%O 10.1000/x\n";
        let both = items(endnote);
        assert_eq!(both[0].text(TextVar::Abstract), Some("First.\nSecond."));
        assert_eq!(both[0].number(NumberVar::NumberOfPages), Some("327"));
        assert_eq!(both[1].text(TextVar::Doi), Some("10.1000/x"));
        let endnote = "%0 Journal Article\n%A Doe, J. and Roe, K.\n%A Jane Poe\n%U http://x.org http://y.org\n%M 123\n%~ PubMed\n";
        let item = &items(endnote)[0];
        let names = item.names(NameVar::Author).iter();
        assert_eq!(
            names.map(Name::heading).collect::<Vec<_>>(),
            ["Doe", "Roe", "Poe"]
        );
        assert_eq!(item.text(TextVar::Url), Some("http://x.org"));
        assert_eq!(item.text(TextVar::Pmid), Some("123"));
    }

    #[test]
    fn thesis_has_a_degree_and_a_department() {
        let item = &items("%0 Thesis\n%T A\n%B Physics\n%V PhD\n%I MIT\n")[0];
        assert_eq!(item.text(TextVar::Division), Some("Physics"));
        assert_eq!(item.text(TextVar::Genre), Some("PhD"));
        assert_eq!(item.number(NumberVar::Volume), None);
    }

    #[test]
    fn dates_without_a_year_complete_it() {
        let both = items(
            "%0 Journal Article\n%T A\n%D 2012\n%8 Jun 3\n\n%0 Journal Article\n%T B\n%D 2012\n%8 unknown\n",
        );
        let dates: Vec<String> = both
            .iter()
            .filter_map(|item| item.date(DateVar::Issued))
            .map(|date| date.edtf())
            .collect();
        assert_eq!(dates, ["2012-06-03", "2012"]);
    }

    #[test]
    fn written_items_read_back() {
        let text = "%0 Journal Article\n%A Doe, Jane B.\n%A van der Berg, Al, Jr.\n%A World Bank,\n%T It: a title\n\
                    %J Journal\n%D 2003\n%8 2003-04-05\n%V 1\n%N 2\n%P 3-9\n%@ 2049-3630\n%R 10.1000/x\n\
                    %U https://example.org/a\n%K one\n%K two, of three\n%F doe\n%X Abstract.\n";
        let first = items(text);
        let written = write(&first, &Budget::unlimited()).unwrap();
        assert_eq!(items(&written), first, "{written}");
    }

    #[test]
    fn every_type_has_a_word() {
        for &kind in ItemType::ALL {
            let word = write_kind(KINDS, kind).unwrap();
            assert!(read_kind(KINDS, word).is_some(), "{kind:?}");
        }
    }
}
