//! Maps MARC 21 fields to the variables of an item.

use super::record::{DataField, MarcRecord, without_sorting_signs};
use super::unimarc;
use citation_fields::catalogue::{self, without_stop};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names::suffixes::is_suffix;
use citation_fields::roles;
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads a record into an item; returns its type and level from the leader.
pub fn read_item(record: &MarcRecord<'_>, item: &mut ItemBuilder) -> String {
    if unimarc::is_unimarc(record) {
        unimarc::read_fields(record, item);
        return letters(record);
    }
    item.set_kind(kind(record));
    title(record, item);
    names(record, item);
    publication(record, item);
    thesis(record, item);
    host(record, item);
    series(record, item);
    identifiers(record, item);
    texts(record, item);
    letters(record)
}

fn letters(record: &MarcRecord<'_>) -> String {
    let letters = [6, 7].map(|at| record.leader_at(at).unwrap_or(' '));
    letters.iter().collect::<String>().trim().to_owned()
}

fn kind(record: &MarcRecord<'_>) -> ItemType {
    use ItemType::*;
    let has_isbn = !record.value("020", 'a').is_empty();
    let is_thesis = record.first("502").is_some();
    match (record.leader_at(6), record.leader_at(7)) {
        (Some('c' | 'd'), _) => MusicalScore,
        (Some('e' | 'f'), _) => Map,
        (Some('g'), _) => MotionPicture,
        (Some('i' | 'j'), _) => Song,
        (Some('k' | 'r'), _) => Graphic,
        _ if is_thesis => Thesis,
        (Some('t' | 'p'), _) => Manuscript,
        (Some('a'), Some('s' | 'i')) => Periodical,
        (Some('m'), _) if !has_isbn => match record.control_at("008", 26) {
            Some('a') => Dataset,
            Some('b' | 'f' | 'g') => Software,
            Some('d' | 'e' | '|') | None => Book,
            _ if !record.value("856", 'u').is_empty() => Webpage,
            _ => Software,
        },
        (_, Some('a' | 'b')) | (None, _) if record.first("773").is_some() => {
            let host = record.first("773");
            let in_book = host.is_some_and(|host| host.get('z').is_some())
                || host.is_some_and(|host| host.get('x').is_none() && host.get('g').is_none());
            if in_book { Chapter } else { Article }
        }
        _ => Book,
    }
}

/// A value without record punctuation and sorting marks.
fn clean(value: &str) -> String {
    without_stop(&without_sorting_signs(value)).to_owned()
}

/// Title, subtitle and parts of a field: `The work: a story. 2, The end`. Text after `=` repeats the title
/// in another language.
fn title_of(field: &DataField<'_>) -> String {
    let mut title = String::new();
    let mut before = ' ';
    for (code, value) in &field.subfields {
        let text = clean(value);
        let separator = match code {
            _ if text.is_empty() => continue,
            'a' if title.is_empty() => "",
            'b' if before == '=' => continue,
            'b' => ": ",
            'n' => ". ",
            'p' if before == 'n' => ", ",
            'p' => ". ",
            _ => continue,
        };
        title.push_str(separator);
        title.push_str(&text);
        before = if value.trim_end().ends_with('=') {
            '='
        } else {
            *code
        };
    }
    title
}

fn title(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    item.text(
        TextVar::Title,
        &record.first("245").map(title_of).unwrap_or_default(),
    );
    // A uniform title with the language of the translation is the original title.
    let uniform = record.first("240").filter(|field| field.get('l').is_some());
    item.text(
        TextVar::OriginalTitle,
        &uniform.map(title_of).unwrap_or_default(),
    );
    item.text(TextVar::TitleShort, &clean(record.value("210", 'a')));
}

fn names(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let statement = record.value("245", 'c').to_lowercase();
    for tag in ["100", "110", "700", "710"] {
        for field in record.all(tag) {
            // The author of a work contained in this one.
            if field.second_indicator == '2' || field.get('t').is_some() {
                continue;
            }
            let is_person = tag.ends_with("00");
            let name = if is_person {
                person(field)
            } else {
                body(field)
            };
            let has_creators = [NameVar::Author, NameVar::Editor]
                .iter()
                .any(|variable| !item.item().names(*variable).is_empty());
            let variable = match relator(field) {
                Some(variable) => variable,
                None if tag == "100" || tag == "110" => Some(NameVar::Author),
                None if is_person => Some(role_in(&statement, &name, has_creators)),
                None if !has_creators && !is_service(&name) => Some(NameVar::Author),
                None => None,
            };
            if let Some(variable) = variable {
                item.name(variable, name);
            }
        }
    }
    for tag in ["111", "711"] {
        let event = record.first(tag).map(meeting).unwrap_or_default();
        item.text(TextVar::EventTitle, &event);
        item.text(TextVar::EventPlace, &clean(record.value(tag, 'c')));
    }
}

/// The variable of a relator; `Some(None)` if it is irrelevant to citations.
fn relator(field: &DataField<'_>) -> Option<Option<NameVar>> {
    let terms = field.every('4').chain(field.every('e'));
    let known: Vec<Option<NameVar>> = terms.filter_map(roles::of_relator).collect();
    let citable = known.iter().find(|variable| variable.is_some());
    citable.or(known.first()).copied()
}

fn person(field: &DataField<'_>) -> Name {
    let heading = without_sorting_signs(field.get('a').unwrap_or_default());
    let mut name = catalogue::heading(&heading, true);
    if let Some(number) = field.get('b') {
        let number = without_stop(number);
        // `John Paul` and `II`.
        let whole = name.literal.as_mut().or(name.family.as_mut());
        if let Some(whole) = whole {
            *whole = format!("{whole} {number}");
        }
    }
    let suffix = field.get('c').map(|text| text.trim_end_matches([',', ' ']));
    if let Some(suffix) = suffix.filter(|text| is_suffix(text)) {
        name.suffix = Some(suffix.to_owned());
    }
    name
}

fn body(field: &DataField<'_>) -> Name {
    let parts = field.every('a').chain(field.every('b'));
    let parts: Vec<String> = parts.map(clean).collect();
    Name::literal(&parts.join(". "))
}

/// Platforms of publishers and libraries are entered as corporate bodies.
fn is_service(name: &Name) -> bool {
    let text = name.literal.as_deref().unwrap_or_default().to_lowercase();
    [
        "online service",
        "ebrary",
        "springerlink",
        "proquest (firm)",
    ]
    .iter()
    .any(|sign| text.contains(sign))
}

fn meeting(field: &DataField<'_>) -> String {
    let parts = field.every('a').chain(field.every('e'));
    let parts: Vec<String> = parts.map(clean).collect();
    parts.join(". ")
}

/// The role of a person in the statement of responsibility: `edited by A. Doe ; translated by B. Roe`.
fn role_in(statement: &str, name: &Name, has_creators: bool) -> NameVar {
    const WORDS: &[(NameVar, &str)] = &[
        (
            NameVar::Editor,
            "edited|editor|ed. by|eds.|hrsg|herausg|éd. |sous la dir|a cura di|redaktion",
        ),
        (NameVar::Translator, "translat|übers|trad"),
        (NameVar::Illustrator, "illus|ill. "),
        (NameVar::Compiler, "compil"),
        (NameVar::Contributor, "foreword|introd|preface"),
    ];
    let family = name.heading().to_lowercase();
    let mut parts = statement.split(';');
    let part = parts.find(|part| !family.is_empty() && part.contains(&family));
    let told = |part: &str| {
        let is_told = |words: &str| words.split('|').any(|word| part.contains(word));
        let row = WORDS.iter().find(|(_, words)| is_told(words));
        row.map(|(role, _)| *role)
    };
    match part.and_then(told) {
        Some(role) => role,
        // Without authors, all names of a book are its editors, if it has any.
        None if !has_creators && part.is_none() => told(statement)
            .filter(|role| *role == NameVar::Editor)
            .unwrap_or(NameVar::Author),
        None => NameVar::Author,
    }
}

fn publication(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let published = record
        .all("264")
        .find(|field| field.second_indicator == '1');
    let field = published
        .or_else(|| record.first("260"))
        .or_else(|| record.first("264"));
    if let Some(field) = field {
        let bare = |code| clean(field.get(code).unwrap_or_default());
        item.text(TextVar::PublisherPlace, bare('a').trim_matches(['[', ']']));
        item.text(TextVar::Publisher, bare('b').trim_matches(['[', ']']));
        item.date(DateVar::Issued, field.get('c').and_then(year));
    }
    for tag in ["264", "260"] {
        let date = record
            .all(tag)
            .find_map(|field| field.get('c'))
            .and_then(year);
        item.date(DateVar::Issued, date);
    }
    let coded = record.control("008").and_then(|field| field.get(7..11));
    item.date(DateVar::Issued, coded.and_then(Date::parse_iso));
    let edition = clean(record.value("250", 'a'));
    item.number(NumberVar::Edition, &edition);
    // The pages of an electronic book may stand behind its carrier.
    let mut extents = record.all("300").flat_map(|field| field.every('a'));
    if let Some(count) = extents.find_map(citation_fields::pages::count_before_unit) {
        item.number(NumberVar::NumberOfPages, count);
    }
}

/// `c1977.`, `[1957?]`, `2007, c2006`: the first of two years counts unless a dash joins them.
fn year(text: &str) -> Option<Date> {
    let bare = text.trim_matches(|c: char| matches!(c, '[' | ']' | '.' | ',' | ' ' | '<' | '>'));
    let mut date = Date::parse(bare).filter(|date| date.start.is_some())?;
    if !bare.contains('-') {
        date.end = None;
    }
    Some(date)
}

/// The degree and the institution: in subfields, or `Thesis (Ph. D.)--Harvard University, 1995.`
fn thesis(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let Some(field) = record.first("502") else {
        return;
    };
    let note = field.get('a').unwrap_or_default();
    let (kind, granted) = note.split_once("--").unwrap_or((note, ""));
    let granted = granted.split(',').next().unwrap_or_default();
    let publisher = field.get('c').unwrap_or(granted);
    let degree = kind
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'));
    item.text(
        TextVar::Genre,
        field
            .get('b')
            .or(degree.map(|(degree, _)| degree))
            .unwrap_or(kind.trim()),
    );
    item.text(TextVar::Publisher, &clean(publisher));
    item.date(DateVar::Issued, field.get('d').and_then(year));
}

/// The journal or book that contains the work.
fn host(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    if !matches!(item.kind(), ItemType::Article | ItemType::Chapter) {
        return;
    }
    let Some(host) = record.first("773") else {
        return;
    };
    item.text(
        TextVar::ContainerTitle,
        &clean(host.get('t').unwrap_or_default()),
    );
    item.text(
        TextVar::ContainerTitleShort,
        host.get('p').unwrap_or_default(),
    );
    item.text(TextVar::Issn, host.get('x').unwrap_or_default());
    item.text(TextVar::Isbn, host.get('z').unwrap_or_default());
    for part in host.every('g') {
        part_of_host(part, item);
    }
}

/// `volume:12`, or `Vol. 12, no. 3 (Mar. 2001), p. 23-45`.
pub(super) fn part_of_host(part: &str, item: &mut ItemBuilder) {
    let words = part.split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(40).collect();
    for pair in words.windows(2) {
        let [label, value] = pair else { continue };
        let label = label.trim_end_matches('.').to_lowercase();
        let value = value.trim_end_matches(['.', ';']);
        if !value.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        match label.as_str() {
            "vol" | "v" | "volume" | "bd" | "band" | "t" | "tome" => {
                item.number(NumberVar::Volume, value)
            }
            "no" | "nr" | "issue" | "number" | "h" | "heft" | "n°" => {
                item.number(NumberVar::Issue, value)
            }
            "p" | "pp" | "pages" | "page" | "s" | "seiten" => item.number(NumberVar::Page, value),
            "year" | "day" => item.date(DateVar::Issued, year(value)),
            _ => {}
        }
    }
}

fn series(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    for tag in ["490", "440", "830"] {
        if let Some(field) = record.first(tag) {
            item.text(
                TextVar::CollectionTitle,
                &clean(field.get('a').unwrap_or_default()),
            );
            item.number(
                NumberVar::CollectionNumber,
                &clean(field.get('v').unwrap_or_default()),
            );
        }
    }
}

fn identifiers(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let numbers = |tag| {
        let values = record.all(tag).filter_map(|field| field.get('a'));
        values.map(|value: &str| {
            value
                .split([' ', '(', ':'])
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    };
    let isbns: Vec<String> = numbers("020").collect();
    let issns: Vec<String> = numbers("022").collect();
    for isbn in isbns {
        item.text(TextVar::Isbn, &isbn);
    }
    for issn in issns {
        item.text(TextVar::Issn, &issn);
    }
    for field in record.all("024") {
        let id = field.get('a').unwrap_or_default();
        match field.get('2') {
            Some("doi") => item.text(TextVar::Doi, id),
            Some("arxiv") => item.text(TextVar::ArxivId, id),
            Some("pmid") => item.text(TextVar::Pmid, id),
            _ => {}
        }
    }
    for field in record
        .all("856")
        .filter(|field| !is_related_material(field))
    {
        item.address(field.get('u').unwrap_or_default());
    }
}

/// Whether a link leads to related material: a table of contents, a review.
fn is_related_material(field: &DataField<'_>) -> bool {
    let said = ['3', 'y', 'z'].map(|code| field.get(code).unwrap_or_default().to_lowercase());
    [
        "inhalt",
        "contents",
        "cover",
        "klappentext",
        "rezension",
        "review",
        "description",
        "contributor",
        "sample",
    ]
    .iter()
    .any(|word| said.iter().any(|said| said.contains(word)))
}

fn texts(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let summary: Vec<&str> = record
        .all("520")
        .flat_map(|field| field.every('a'))
        .collect();
    item.text(TextVar::Abstract, &summary.join(" "));
    // Older records join several codes.
    let code = record.value("041", 'a').get(..3);
    let coded = record.control("008").and_then(|field| field.get(35..38));
    let coded = coded.filter(|code| code.bytes().all(|b| b.is_ascii_lowercase()));
    if let Some(code) = code.or(coded) {
        item.text(TextVar::Language, code);
    }
    for tag in ["600", "610", "630", "648", "650", "651", "653"] {
        for subject in record.all(tag).flat_map(|field| field.every('a')) {
            item.keyword(&clean(subject));
        }
    }
    for tag in ["050", "090", "082"] {
        if let Some(field) = record.first(tag) {
            let parts: Vec<&str> = field.every('a').take(1).chain(field.every('b')).collect();
            item.text(TextVar::CallNumber, &parts.join(" "));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_content, check_read};
    use crate::{Content, MARC21, MARCXML};

    /// Builds MARCXML from fields given as `tag`, second indicator and subfields: `245 0$aTitle$cby A.`.
    fn xml(leader: &str, fields: &[&str]) -> String {
        let mut out = format!(
            "<collection xmlns='http://www.loc.gov/MARC21/slim'><record><leader>{leader}</leader>"
        );
        for field in fields {
            let (head, data) = field.split_at(5);
            let (tag, indicator) = head.split_at(4);
            out.push_str(&format!(
                "<datafield tag='{}' ind1=' ' ind2='{indicator}'>",
                tag.trim()
            ));
            for subfield in data.split('$').skip(1) {
                let (code, value) = subfield.split_at(1);
                out.push_str(&format!("<subfield code='{code}'>{value}</subfield>"));
            }
            out.push_str("</datafield>");
        }
        out + "</record></collection>"
    }

    const BOOK: &str = "00000cam a2200000 a 4500";

    #[track_caller]
    fn check(leader: &str, fields: &[&str], expected: &str) {
        check_read(&MARCXML, &xml(leader, fields), &format!("[{expected}]"));
    }

    #[test]
    fn pages_of_an_electronic_book_stand_behind_its_carrier() {
        let record = xml(
            BOOK,
            &[
                "300  $aOnline-Ressource$aVIII, 412 S.",
                "490  $aSeries$v: 3",
            ],
        );
        check_read(
            &MARCXML,
            &record,
            r#"[{"number-of-pages": "412", "collection-number": "3"}]"#,
        );
    }

    #[test]
    fn a_book() {
        check(
            BOOK,
            &[
                "020  $a0198526636 (pbk.)",
                "041  $aengund",
                "100  $aKing, Martin Luther,$cJr.,$d1929-1968.",
                "240 0$aDe la solitude.$lEnglish.",
                "245 4$aThe town /$cby M. L. King ; ill. by Margaret Lampe.",
                "250  $a2nd ed.",
                "260  $a[Taftsville, Vt.] :$bCountryman Press,$cc1977.",
                "300  $axvii, 39 p. :$bill. ;$c23 cm.",
                "490  $aHer Waste ;$vpt. 1",
                "520  $aA summary.",
                "650 0$aLoneliness.",
                "700  $aLampe, Margaret.",
                "700 2$aOther, A.$tAnother work.",
                "710  $aSpringerLink (Online service)",
            ],
            r#"{"type": "book", "title": "The town", "author": [{"family": "King", "given": "Martin Luther", "suffix": "Jr."}],
            "illustrator": [{"family": "Lampe", "given": "Margaret"}], "contributor": null, "original-title": "De la solitude",
            "publisher": "Countryman Press", "publisher-place": "Taftsville, Vt.", "issued": {"date-parts": [[1977]]}, "edition": "2nd ed.",
            "number-of-pages": "39", "collection-title": "Her Waste", "collection-number": "pt. 1", "ISBN": "9780198526636", "language": "en",
            "abstract": "A summary.", "keyword": "Loneliness"}"#,
        );
    }

    #[test]
    fn editors_by_relator_and_by_statement() {
        let editor = r#"{"editor": [{"family": "Roe", "given": "R."}], "author": null}"#;
        check(BOOK, &["245 0$aT", "700  $aRoe, R.$4edt"], editor);
        check(
            BOOK,
            &["245 0$aT$chrsg. von R. Roe", "700  $aRoe, R."],
            editor,
        );
        check(BOOK, &["245 0$aT", "700  $aRoe, R.,$eeditor."], editor);
        check(
            BOOK,
            &["245 0$aT", "700  $aRoe, R."],
            r#"{"author": [{"family": "Roe", "given": "R."}]}"#,
        );
    }

    #[test]
    fn titles_of_parts_and_in_other_languages() {
        check(
            BOOK,
            &["245 0$aWork :$ba story /$cby A."],
            r#"{"title": "Work: a story"}"#,
        );
        check(
            BOOK,
            &["245 0$aWork.$n2,$pThe end"],
            r#"{"title": "Work. 2, The end"}"#,
        );
        check(BOOK, &["245 0$aWerk =$bWork"], r#"{"title": "Werk"}"#);
        check(
            BOOK,
            &["245 0$a\u{98}Der \u{9c}Prozess"],
            r#"{"title": "Der Prozess"}"#,
        );
    }

    #[test]
    fn types_by_the_leader() {
        let kind = |letters: &str, fields: &[&str], kind: &str| {
            let leader = format!("00000c{letters} a2200000 a 4500");
            check(&leader, fields, &format!(r#"{{"type": "{kind}"}}"#));
        };
        kind("as", &["245 0$aT"], "periodical");
        kind("em", &["245 0$aT"], "map");
        kind("jm", &["245 0$aT"], "song");
        kind(
            "am",
            &["245 0$aT", "502  $aThesis (Ph. D.)--University, 1995."],
            "thesis",
        );
        kind("aa", &["245 0$aT", "773  $tBook$z0198526636"], "chapter");
        kind("mm", &["245 0$aT", "020  $a0198526636"], "book");
    }

    #[test]
    fn an_article_in_its_journal() {
        check(
            "00000cab a2200000 a 4500",
            &[
                "245 0$aT",
                "773  $tJournal.$gVol. 12, no. 3 (Mar. 2001), p. 23-45$x2049-3630",
            ],
            r#"{"type": "article-journal", "container-title": "Journal", "volume": "12", "issue": "3", "page": "23-45", "ISSN": "2049-3630"}"#,
        );
    }

    #[test]
    fn a_record_inside_of_answers() {
        let record = xml(BOOK, &["245 0$aT"]);
        let inside = format!(
            "<z:searchRetrieveResponse><z:records><z:record><z:recordData>{record}</z:recordData></z:record></z:records></z:searchRetrieveResponse>"
        );
        check_read(&MARCXML, &inside, r#"[{"title": "T"}]"#);
        let harvested = format!(
            "<OAI-PMH><ListRecords><record><metadata>{record}</metadata></record><record><header/></record></ListRecords></OAI-PMH>"
        );
        check_read(&MARCXML, &harvested, r#"[{"title": "T"}]"#);
    }

    /// Builds an ISO 2709 record; `length_off` makes its directory wrong.
    fn binary(encoding: u8, fields: &[(&str, &[u8])], length_off: usize) -> Vec<u8> {
        let mut directory = Vec::new();
        let mut data = Vec::new();
        for (tag, field) in fields {
            let (length, start) = (field.len() + 1 + length_off, data.len());
            directory.extend(format!("{tag}{length:04}{start:05}").into_bytes());
            data.extend_from_slice(field);
            data.push(0x1e);
        }
        let base = 24 + directory.len() + 1;
        let mut record = format!(
            "{:05}cam {}22{base:05} a 4500",
            base + data.len() + 1,
            char::from(encoding)
        )
        .into_bytes();
        record.extend(directory);
        record.push(0x1e);
        record.extend(data);
        record.push(0x1d);
        record
    }

    #[test]
    fn binary_records_in_their_encodings() {
        let check = |bytes: Vec<u8>, title: &str| {
            let expected = format!(r#"[{{"title": "{title}"}}]"#);
            check_content(&MARC21, &Content::new(&bytes), &expected);
        };
        let marc8: &[u8] = b"10\x1faLa communaut\xe2e /";
        check(
            binary(b' ', &[("001", b"1"), ("245", marc8)], 0),
            "La communauté",
        );
        let utf8 = "10\u{1f}aÉtude".as_bytes();
        check(binary(b'a', &[("245", utf8)], 0), "Étude");
        // The leader does not declare UTF-8, and the directory counts characters.
        check(binary(b' ', &[("245", utf8)], 3), "Étude");
    }

    #[test]
    fn broken_binary_records_are_told() {
        let good = binary(b'a', &[("245", b"10\x1faT")], 0);
        let mut bytes = good.clone();
        bytes.extend(b"00012cam a22junk\x1d");
        bytes.extend(&good);
        let content = Content::new(&bytes);
        let reading = crate::read(
            &content,
            &MARC21,
            &citation_model::budget::Budget::unlimited(),
        )
        .unwrap();
        assert_eq!((reading.items.len(), reading.problems.len()), (2, 1));
        for cut in 0..good.len() {
            let part = Content::new(good.get(..cut).unwrap());
            crate::read(&part, &MARC21, &citation_model::budget::Budget::unlimited()).unwrap();
        }
    }
}
