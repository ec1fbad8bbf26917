//! Exports of Ovid's databases: tagged (`AU  - `) or with labels on separate lines (`Author`), each record
//! after its number (`<1. >`). According to the field guides of MEDLINE, PsycINFO and BIOSIS.

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::syntax::tagged::{Line, Syntax, TaggedRecord, is_any, read, without_stop};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::names::suffixes::is_degree;
use citation_model::date::Date;
use citation_model::identifier::form_decode;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static OVID_TAGGED: Format = Format {
    id: "ovid-tagged",
    title: "Ovid tagged",
    media_types: &["application/x-ovid"],
    extensions: &["ovd", "ovid"],
    recognise: |content: &Content<'_>, _| {
        let mut lines = content.lines().skip_while(|line| !is_number(line)).skip(1);
        let first = lines.find(|line| !line.trim().is_empty());
        first.is_some_and(|line| field(line).is_some() || label(line).is_some())
    },
    read: Some(|content, budget| read(content.text(), &SYNTAX, item, budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[&[
        "<1. >\n",
        "TI  - ",
        "AU  - ",
        "SO  - ",
        "Title\n  ",
        "(",
        "[",
        ". ",
        ":",
        "\n",
        "2001",
        "a ",
    ]],
};

const SYNTAX: Syntax = Syntax {
    line: |line, place| match (is_number(line), field(line).or_else(|| label(line))) {
        (true, _) => Line::End,
        (false, Some((tag, value))) => Line::Field { tag, value },
        (false, None) if place.in_record => Line::More,
        (false, None) => Line::Skip,
    },
    begins: |_, _, _| false,
};

/// `<12. >`
fn is_number(line: &str) -> bool {
    let inside = line
        .trim()
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    inside.is_some_and(|inside| {
        let number = inside.trim().trim_end_matches('.');
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// `AU  - `, with one or two blanks; some exports indent every line by one blank.
fn field(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix(' ').unwrap_or(line);
    let (tag, value) = (line.get(..2)?, line.get(2..)?);
    let value = value
        .trim_start_matches(' ')
        .strip_prefix('-')
        .filter(|_| value.starts_with(' '))?;
    let is_tag = tag
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    (is_tag && (value.is_empty() || value.starts_with(' '))).then(|| (tag, value.trim()))
}

/// A label alone on a line; the values are indented below it.
fn label(line: &str) -> Option<(&str, &str)> {
    const LABELS: [(&str, &str); 22] = [
        ("Accession Number", "AN"),
        ("Author", "AU"),
        ("Authors", "AU"),
        ("Title", "TI"),
        ("Chapter Title", "CT"),
        ("Book Title", "BT"),
        ("Source", "SO"),
        ("Abstract", "AB"),
        ("Publication Type", "PT"),
        ("Document Type", "DT"),
        ("Year of Publication", "YR"),
        ("Publisher", "PU"),
        ("Language", "LG"),
        ("ISSN", "IS"),
        ("ISBN", "IB"),
        ("DOI Number", "DO"),
        ("DOI", "DO"),
        ("Digital Object Identifier", "DO"),
        ("Keywords", "KW"),
        ("Author Keywords", "KW"),
        ("Institution", "IN"),
        ("Status", "ST"),
    ];
    let is_label = line.starts_with(|c: char| c.is_uppercase()) && line.len() < 60;
    let known = LABELS.iter().find(|(label, _)| *label == line.trim_end());
    match known {
        Some((_, tag)) => Some((tag, "")),
        // An unknown label ends the previous value.
        None if is_label
            && !line.contains(['.', ',', ':', '-'])
            && line.split(' ').count() <= 4 =>
        {
            Some((line.trim_end(), ""))
        }
        None => None,
    }
}

fn item(record: &TaggedRecord<'_>, item: &mut ItemBuilder) -> String {
    let kinds: Vec<String> = record
        .all("DT")
        .chain(record.all("PT"))
        .map(|field| field.text())
        .collect();
    let kind = kind_of(&kinds, record);
    item.set_kind(kind);
    let in_book = matches!(kind, ItemType::Chapter | ItemType::ConferencePaper);
    let is_medline = record.first("DB").to_lowercase().contains("medline");
    let pages = record.first("PG");
    if pages.contains(|c: char| c.is_ascii_digit()) {
        item.number(NumberVar::Page, &pages);
    }
    if kind == ItemType::Thesis
        && let Some((_, university)) = record.first("IN").split_once(": ")
    {
        item.text(TextVar::Publisher, university);
    }
    if record.has("CT") {
        item.text(TextVar::Title, &title(&record.first("CT")));
        item.text(TextVar::ContainerTitle, &title(&record.first("TI")));
    }
    for field in &record.fields {
        let text = field.text();
        match field.tag {
            // Full names are listed in addition to short ones.
            "AU" if record.has("FA") => {}
            "AU" | "FA" => people(&text, NameVar::Author, item),
            "ED" => people(&text, NameVar::Editor, item),
            "TI" => item.text(TextVar::Title, &title(&text)),
            "TT" | "OT" if record.has("TI") => item.text(TextVar::OriginalTitle, &title(&text)),
            "JN" | "JT" => item.text(TextVar::ContainerTitle, &text),
            "BT" if record.has("PB") => whole_book(&text, &record.first("PB"), item),
            "BT" | "BK" => item.text(TextVar::ContainerTitle, &title(&text)),
            "VO" | "VI" => item.number(NumberVar::Volume, &text),
            "IP" => item.number(NumberVar::Issue, &text),
            "YR" => item.written_date(DateVar::Issued, &text),
            "DO" | "DI" => item.text(TextVar::Doi, &text),
            "UI" if is_medline => item.text(TextVar::Pmid, &text),
            "IS" | "IB" => item.serial_number(&text),
            "PU" | "PB" | "PI" => publisher(&text, item),
            "PN" => item.number(NumberVar::Number, &text),
            "LG" | "LA" => item.text(TextVar::Language, text.trim_end_matches('.')),
            "AB" => item.text(TextVar::Abstract, &text),
            "KW" | "DE" | "MH" => {
                let separator = if text.contains(';') { ';' } else { ',' };
                for keyword in text.split(separator) {
                    item.keyword(keyword.trim_start_matches(['*', ' ']));
                }
            }
            "DB" => item.text(TextVar::Source, &text),
            "AN" => item.custom("AN", &text),
            _ => {}
        }
    }
    for field in record.all("SO") {
        source(&field.text(), kind, item);
    }
    for field in record.all("XL") {
        open_url(&field.text(), in_book, item);
    }
    let date = record.first("DP");
    item.written_date(DateVar::Issued, &date);
    kinds.into_iter().next().unwrap_or_default()
}

fn kind_of(kinds: &[String], record: &TaggedRecord<'_>) -> ItemType {
    let is = |words: &[&str]| {
        kinds
            .iter()
            .any(|kind| is_any(kind.trim_end_matches('.'), words))
    };
    let begins = |word: &str| {
        kinds
            .iter()
            .any(|kind| kind.to_lowercase().starts_with(word))
    };
    match () {
        () if is(&["Chapter", "Book Chapter"]) || record.has("CT") => ItemType::Chapter,
        () if begins("dissertation") || begins("thesis") => ItemType::Thesis,
        () if begins("patent") => ItemType::Patent,
        () if begins("conference") || begins("meeting") => ItemType::ConferencePaper,
        () if begins("report") || begins("technical report") => ItemType::Report,
        () if begins("book") || is(&["Authored Book", "Edited Book"]) => ItemType::Book,
        // Books in Ovid's own collection have no journal.
        () if record.has("PU") && !["SO", "JN", "JT"].iter().any(|tag| record.has(tag)) => {
            ItemType::Book
        }
        () => ItemType::Article,
    }
}

/// `Walsdorf, Neill B. [Inventor, Reprint Author]`; `[Ed]` marks an editor. Footnote marks and academic
/// degrees are removed.
fn people(text: &str, variable: NameVar, item: &mut ItemBuilder) {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        depth += usize::from(c == '[');
        depth -= usize::from(c == ']').min(depth);
        c == ';' && depth == 0
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let (name, role) = part.split_once('[').unwrap_or((part, ""));
        let is_editor = role.starts_with("Ed") && role.contains(']');
        let variable = if is_editor { NameVar::Editor } else { variable };
        item.name(variable, person(without_degrees(name)));
    }
}

/// `Lefkowitz, Rafael Y. MD, MPH 1`. Possible initials are kept unless a full given name precedes them.
fn without_degrees(text: &str) -> &str {
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '*' | '+' | '#' | ',' | ' ');
    let has_full_name = text.split_once(',').is_some_and(|(_, given)| {
        let first = given.trim().split(' ').next().unwrap_or_default();
        first.contains(char::is_lowercase)
    });
    let mut text = text.trim_end_matches(is_mark);
    while has_full_name && let Some((before, last)) = text.rsplit_once([' ', ',']) {
        if !before.contains(',') || !is_degree(last) {
            break;
        }
        text = before.trim_end_matches(is_mark);
    }
    text.trim()
}

fn person(text: &str) -> Name {
    let text = match text.strip_suffix('.') {
        // The full stop after a full given name ends the field.
        Some(name)
            if name
                .rsplit([' ', '.', '-'])
                .next()
                .is_some_and(|last| last.len() > 2) =>
        {
            name
        }
        _ => text,
    };
    if text.contains(',') {
        names::inverted(text)
    } else {
        names::in_any_order(text)
    }
}

/// Removes what databases append to a title: `A title. [Review] [32 refs].`
fn title(text: &str) -> String {
    let mut text = text.trim().trim_end_matches('.');
    while let Some((before, said)) = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['))
    {
        let before = before.trim_end();
        if said.len() > 30 || !before.ends_with(['.', '?', '!', ']']) {
            break;
        }
        text = before;
    }
    without_stop(text).to_owned()
}

/// `Springer-Verlag GmbH & Co. KG, Heidelberger Platz 3, D-14197, Berlin, Germany`,
/// `Cambridge University Press; United Kingdom`, `Sage Publications, Inc`
fn publisher(text: &str, item: &mut ItemBuilder) {
    let (name, place) = text
        .split_once("; ")
        .or_else(|| text.split_once(", "))
        .filter(|(_, place)| !is_any(place.trim_end_matches('.'), &["Inc", "Ltd", "LLC", "Co"]))
        .unwrap_or((text, ""));
    item.text(TextVar::Publisher, name);
    if place != "place of publication not given" {
        item.text(TextVar::PublisherPlace, place);
    }
}

/// `Roe, A. [Ed.]. Title. Publisher, Place. 2002: 1-234.`, for a known publisher.
fn whole_book(text: &str, publisher: &str, item: &mut ItemBuilder) {
    let text = editors_before(text, item);
    let container = text.split_once(publisher).map_or(text, |(title, _)| title);
    if item.kind() != ItemType::Book {
        item.text(TextVar::ContainerTitle, &title(container));
    } else if let Some((_, behind)) = text.split_once(publisher) {
        let date = behind.trim_start_matches(['.', ' ']).split(':').next();
        let date = date
            .and_then(Date::parse)
            .filter(|date| date.start.is_some());
        item.date(DateVar::Issued, date);
    }
}

/// Reads the editors at the start of a text; returns the rest.
fn editors_before<'a>(text: &'a str, item: &mut ItemBuilder) -> &'a str {
    let ends = ["]. ", "]("].into_iter().filter_map(|end| text.find(end));
    let last = text.rfind("[Ed").and_then(|at| {
        let behind = text.get(at..)?;
        behind.find(']').map(|close| at + close)
    });
    let Some(end) = last.filter(|_| ends.min().is_some()) else {
        return text.trim();
    };
    let (editors, rest) = (text.get(..=end), text.get(end + 1..));
    for editor in editors.unwrap_or_default().split_inclusive(']') {
        let editor = editor.trim_start_matches([',', ';', ' ']);
        people(editor, NameVar::Editor, item);
    }
    rest.unwrap_or_default()
        .trim_start_matches(['.', ' '])
        .trim_end()
}

/// Parses the source statement in the forms of the databases: `Journal. 201(2-3):327-334, November 15,
/// 2004.`, `Journal, 2013(1): 3-28.`, `Journal. Vol.75(2), 2014, pp. 1-9.`, and for books `Doe, J. [Ed];
/// Roe, A. [Ed]. (2012). Title. (pp. 11-31). xvii, 254 pp. New York: Publisher.`
fn source(text: &str, kind: ItemType, item: &mut ItemBuilder) {
    let (text, series) = text.split_once("Series Information:").unwrap_or((text, ""));
    item.text(TextVar::CollectionTitle, without_stop(series));
    let text = editors_before(text, item);
    match year_in_brackets(text) {
        Some((year, rest)) => {
            item.written_date(DateVar::Issued, year);
            book(rest, kind, item);
        }
        None => journal(text, item),
    }
}

/// `(2012). Rest`, optionally after a name.
fn year_in_brackets(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.split_once('(')?;
    let (year, rest) = rest.split_once(')')?;
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    let follows = rest.starts_with('.') && !before.contains(". ");
    (is_year && follows).then(|| (year, rest.trim_start_matches(['.', ' '])))
}

/// `Title. (pp. 11-31). xvii, 254 pp. New York: Publisher.`
fn book(text: &str, kind: ItemType, item: &mut ItemBuilder) {
    let (title, rest) = match text.split_once("(pp.") {
        Some((title, rest)) => {
            let (pages, rest) = rest.split_once(')').unwrap_or((rest, ""));
            item.number(NumberVar::Page, pages);
            (title, rest)
        }
        None => text.split_once(". ").unwrap_or((text, "")),
    };
    let variable = match kind {
        ItemType::Book => TextVar::Title,
        _ => TextVar::ContainerTitle,
    };
    item.text(variable, without_stop(title));
    let imprint = rest.rsplit_once("pp.").map_or(rest, |(_, imprint)| imprint);
    if let Some((place, name)) = imprint.rsplit_once(": ") {
        item.text(TextVar::PublisherPlace, place);
        item.text(TextVar::Publisher, name.trim_end_matches(['.', ' ']));
    }
}

/// The journal name ends before a date followed by a semicolon, or before a volume that follows a full
/// stop, a comma or a blank.
fn journal(text: &str, item: &mut ItemBuilder) {
    if let Some((title, date, rest)) = dated_title(text) {
        item.text(
            TextVar::ContainerTitle,
            title.trim_end_matches(['.', ',', ' ']),
        );
        item.date(DateVar::Issued, Some(date));
        volume_and_pages(rest, item);
    } else if let Some(place) = volume_place(text) {
        let (title, rest) = text.split_at_checked(place).unwrap_or((text, ""));
        item.text(
            TextVar::ContainerTitle,
            title.trim_end_matches(['.', ',', ' ']),
        );
        volume_and_pages(without_word(rest), item);
    } else if let Some((title, rest)) = text.split_once(".:") {
        // A book without volume: `Title.:371-397, 2004.`
        item.text(TextVar::ContainerTitle, title);
        item.number(NumberVar::Page, rest.split(',').next().unwrap_or_default());
        item.date(DateVar::Issued, last_date(rest));
    } else {
        item.text(TextVar::ContainerTitle, without_stop(text));
    }
}

/// Splits `Journal January/February 2010;14(1):56` or `Journal. 2007 15 June; 433-441` into the text before
/// the date, the date, and the text after the semicolon.
fn dated_title(text: &str) -> Option<(&str, Date, &str)> {
    let (head, rest) = text.split_once(';')?;
    let is_of_date = |word: &str| {
        let mut parts = word.trim_end_matches(['.', ',']).split(['/', '-']);
        parts.all(|part| {
            let is_number =
                matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|b| b.is_ascii_digit());
            is_number
                || Date::parse(&format!("{part} 2000")).is_some_and(|date| {
                    date.start
                        .is_some_and(|start| start.month.is_some() || start.season.is_some())
                })
        })
    };
    let words = head.rsplit(' ').take(4).take_while(|word| is_of_date(word));
    let length = words.map(|word| word.len() + 1).sum::<usize>();
    let (title, date) = head.split_at_checked(head.len().checked_sub(length)?)?;
    let date = Date::parse(date)?;
    let is_year = date.start.is_some_and(|start| start.year > 1000);
    is_year.then_some((title, date, rest.trim()))
}

/// `201(2-3):327-334, November 15, 2004.`, or only pages.
fn volume_and_pages(text: &str, item: &mut ItemBuilder) {
    let digits = text
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    let (volume, mut rest) = text.split_at_checked(digits).unwrap_or((text, ""));
    let is_volume = text.starts_with(|c: char| c.is_ascii_digit()) && !volume.ends_with("pp");
    if is_volume && !rest.starts_with('-') {
        item.number(NumberVar::Volume, volume);
    } else {
        rest = text;
    }
    if rest.starts_with('(')
        && let Some(close) = closing_bracket(rest)
    {
        item.number(NumberVar::Issue, rest.get(1..close).unwrap_or_default());
        rest = rest.get(close + 1..).unwrap_or_default();
    }
    let words = rest.split([',', ':', ' ', ';']);
    let pages = words
        .map(|word| word.trim_end_matches('.'))
        .find(|word| is_pages(word));
    let single = || {
        let behind = rest.strip_prefix(':')?.trim_start();
        let page = behind.split([',', ' ', ';', '.']).next()?;
        page.contains(|c: char| c.is_ascii_digit()).then_some(page)
    };
    item.number(NumberVar::Page, pages.or_else(single).unwrap_or_default());
    item.date(DateVar::Issued, last_date(rest));
}

/// The start of the volume.
fn volume_place(text: &str) -> Option<usize> {
    let separators = text.match_indices(['.', ',', ' ']);
    let mut places = separators.filter_map(|(at, separator)| {
        let behind = text.get(at + 1..)?;
        let rest = behind.trim_start();
        let number = without_word(rest);
        let digits = number
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(number.len());
        let next = number.get(digits..)?.chars().next();
        let fits = digits > 0
            && match (number.len() < rest.len(), separator) {
                // `Vol 28(2) April`
                (true, _) => true,
                (false, ".") => matches!(next, Some('(' | ':' | ',')),
                (false, ",") => matches!(next, Some('(' | ':')),
                (false, _) => matches!(next, Some('(' | ':' | ',')),
            };
        fits.then_some(at + 1 + behind.len() - rest.len())
    });
    places.next()
}

/// The text after `Vol.` or `Vol`.
fn without_word(text: &str) -> &str {
    let rest = text
        .strip_prefix("Vol")
        .map(|rest| rest.trim_start_matches(['.', ' ']));
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(text)
}

/// The end of the bracket that opens the text; it may be nested: `(2-A(E))`.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        depth += usize::from(byte == b'(');
        depth -= usize::from(byte == b')').min(depth);
        byte == b')' && depth == 0
    })
}

/// `327-334`, `e12-e15`
fn is_pages(word: &str) -> bool {
    word.split_once('-').is_some_and(|(first, last)| {
        let is = |page: &str| {
            page.contains(|c: char| c.is_ascii_digit()) && page.chars().all(char::is_alphanumeric)
        };
        is(first) && is(last)
    })
}

/// `November 15, 2004.`, after pages or a colon.
fn last_date(text: &str) -> Option<Date> {
    let text = text.trim().trim_end_matches('.');
    let is_date = |text: &str| {
        let date = Date::parse(text.trim())?;
        // Page numbers are not years.
        date.start
            .is_some_and(|start| start.year > 1000)
            .then_some(date)
    };
    let parts = text.split([':', ';']).flat_map(|part| {
        let behind = part.split_once(',').map(|(_, behind)| behind);
        let before = part.rsplit_once(',').map(|(before, _)| before);
        [behind, before, Some(part)]
    });
    { parts }
        .flatten()
        .filter(|part| part.bytes().any(|b| b.is_ascii_digit()))
        .find_map(is_date)
}

/// Reads the link to a library's resolver (OpenURL 0.1).
fn open_url(text: &str, in_book: bool, item: &mut ItemBuilder) {
    let Some((_, query)) = text
        .split_once('?')
        .filter(|(_, query)| query.contains("sid=OVID"))
    else {
        return;
    };
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = form_decode(value);
        match name {
            "id" => match (value.strip_prefix("doi:"), value.strip_prefix("pmid:")) {
                (Some(doi), _) => item.text(TextVar::Doi, doi),
                (_, Some(pmid)) => item.text(TextVar::Pmid, pmid),
                _ => {}
            },
            "title" if in_book || item.kind().is_in_periodical() => {
                item.text(TextVar::ContainerTitle, without_stop(&value));
            }
            "volume" => item.number(NumberVar::Volume, &value),
            "issue" if !in_book => item.number(NumberVar::Issue, &value),
            "pages" if value.bytes().any(|byte| byte.is_ascii_digit()) => {
                item.number(NumberVar::Page, &value);
            }
            "date" => item.written_date(DateVar::Issued, &value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tagged;
    use citation_model::budget::Budget;
    use citation_model::item::Item;

    fn items(text: &str) -> Vec<Item> {
        let content = Content::of_text(text);
        assert!(
            OVID_TAGGED
                .recognises(&content, &Budget::unlimited())
                .unwrap(),
            "{text}"
        );
        let reading = tagged::read(content.text(), &SYNTAX, item, &Budget::unlimited()).unwrap();
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[track_caller]
    fn check(source: &str, journal: &str, volume: &str, issue: &str, pages: &str, date: &str) {
        let items = items(&format!(
            "<1. >\nTI  - Title. [Review] [3 refs]\nSO  - {source}\n"
        ));
        let item = &items[0];
        let number = |variable| item.number(variable).unwrap_or_default();
        assert_eq!(item.text(TextVar::Title), Some("Title"));
        assert_eq!(item.text(TextVar::ContainerTitle), Some(journal));
        assert_eq!(number(NumberVar::Volume), volume);
        assert_eq!(number(NumberVar::Issue), issue);
        assert_eq!(number(NumberVar::Page), pages);
        let issued = item.date(DateVar::Issued).map(|date| date.edtf());
        assert_eq!(issued.unwrap_or_default(), date);
    }

    #[test]
    fn sources_are_taken_apart() {
        check(
            "Annals. 201(2-3):327-334, November 15, 2004.",
            "Annals",
            "201",
            "2-3",
            "327-334",
            "2004-11-15",
        );
        check(
            "Lancet. 363(9402):13-20, 2004 Jan 3.",
            "Lancet",
            "363",
            "9402",
            "13-20",
            "2004-01-03",
        );
        check(
            "Annals of It, 2013(1): 3-28.",
            "Annals of It",
            "2013",
            "1",
            "3-28",
            "",
        );
        check(
            "Annals. Vol.28(2), Jun 2013, pp. 103-106.",
            "Annals",
            "28",
            "2",
            "103-106",
            "2013-06",
        );
        check(
            "Annals. Vol.75(2-A(E)),2014, pp. 1-9.",
            "Annals",
            "75",
            "2-A(E)",
            "1-9",
            "2014",
        );
        check("Annals", "Annals", "", "", "", "");
        check(
            "Annals of Health & It January/February 2010;14(1):56",
            "Annals of Health & It",
            "14",
            "1",
            "56",
            "2010-01/2010-02",
        );
        check(
            "Annals August 2011;43(8):647-653",
            "Annals",
            "43",
            "8",
            "647-653",
            "2011-08",
        );
        check(
            "Annals. 2007 15 June; 433-441.",
            "Annals",
            "",
            "",
            "433-441",
            "2007-06-15",
        );
        check("Annals. 2005; 9pp..", "Annals", "", "", "", "2005");
    }

    #[test]
    fn chapters_have_editors_and_publishers() {
        let text = "<1. >\nTI - Part.\nAU - Doe, Jane\nSO - Roe, Al [Ed]; Poe, Bo [Ed]. (2012). Whole: A book. (pp. 11-31). \
                    xvii, 254 pp. New York, NY, US: Press.\nDT - Chapter\n";
        let item = &items(text)[0];
        assert_eq!(item.kind, ItemType::Chapter);
        assert_eq!(item.names(NameVar::Editor).len(), 2);
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Whole: A book"));
        assert_eq!(item.text(TextVar::Publisher), Some("Press"));
        assert_eq!(item.number(NumberVar::Page), Some("11-31"));
    }

    #[test]
    fn names_lose_degrees_addresses_and_marks() {
        let text = " <1. >\n TI  - It.\n AU  - Low, Rafael Y. MD, MPH 1\n AU  - He, Zhi 1,2,*\n AU  - Roe, MA\n \
                    AU  - Wer, S. M. [Author; E-mail: a@example.org]\n";
        let item = &items(text)[0];
        let names = item.names(NameVar::Author).iter();
        let names: Vec<String> = names.map(crate::syntax::tagged::inverted).collect();
        assert_eq!(
            names,
            ["Low, Rafael Y.", "He, Zhi", "Roe, MA", "Wer, S. M."]
        );
    }

    #[test]
    fn books_and_their_chapters_are_told_by_what_they_have() {
        let text = "<1. >\nTI  - Part.\nPB  - Press of It, Here\nYR  - 2002\nPT  - Book chapter\n\
                    BT  - Roe, V.D. [Ed.]. [The whole: of it.] Press of It, Here. 2002: 1-234.\n\
                    <2. >\nED  - Roe, Al;  Poe, Bo\nTI  - Atlas\nPU  - Press\nPT  - Text/Reference\n";
        let items = items(text);
        assert_eq!(
            items[0].text(TextVar::ContainerTitle),
            Some("[The whole: of it.]")
        );
        assert_eq!(items[0].text(TextVar::PublisherPlace), Some("Here"));
        assert_eq!(items[0].names(NameVar::Editor).len(), 1);
        assert_eq!(items[1].kind, ItemType::Book);
    }

    #[test]
    fn labels_on_lines_of_their_own_are_read() {
        let text = "<7>\nAuthor\n  Doe, Jane;  Roe, Al\nTitle\n  It.\nOdd Label\n  odd\nSource\n  Annals. 1(2):3-4, 2001.\n";
        let item = &items(text)[0];
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(item.text(TextVar::Title), Some("It"));
        assert_eq!(item.number(NumberVar::Volume), Some("1"));
    }
}
