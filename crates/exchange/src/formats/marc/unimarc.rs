//! Maps UNIMARC fields to the variables of an item: the MARC of the national libraries of France, Italy and
//! Portugal, and of SUDOC.
//!
//! Written after IFLA's UNIMARC bibliographic manual and the BnF's guide to its fields.

use super::item::part_of_host;
use super::record::{DataField, MarcRecord, without_sorting_signs};
use citation_fields::catalogue::without_stop;
use citation_fields::item_builder::ItemBuilder;
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Whether a record is UNIMARC: its title is in field 200, which MARC 21 does not have.
pub fn is_unimarc(record: &MarcRecord<'_>) -> bool {
    record.first("200").is_some() && record.first("245").is_none()
}

/// Reads a record into an item.
pub fn read_fields(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    item.set_kind(kind(record));
    titles(record, item);
    names(record, item);
    publication(record, item);
    thesis(record, item);
    host(record, item);
    series(record, item);
    identifiers(record, item);
    texts(record, item);
}

fn kind(record: &MarcRecord<'_>) -> ItemType {
    use ItemType::*;
    let host = record.first("463").or_else(|| record.first("461"));
    match (record.leader_at(6), record.leader_at(7)) {
        (Some('c' | 'd'), _) => MusicalScore,
        (Some('e' | 'f'), _) => Map,
        (Some('g'), _) => MotionPicture,
        (Some('i' | 'j'), _) => Song,
        (Some('k' | 'r'), _) => Graphic,
        _ if record.first("328").is_some() => Thesis,
        (Some('b'), _) => Manuscript,
        (_, Some('s' | 'i')) => Periodical,
        (_, Some('a')) => match host {
            Some(host) if host.get('x').is_none() && host.get('y').is_some() => Chapter,
            _ => Article,
        },
        _ => Book,
    }
}

/// A value without sorting marks and punctuation at its end.
fn clean(value: &str) -> String {
    without_stop(&without_sorting_signs(value)).to_owned()
}

/// The title proper, what follows it, and the number and the name of a part. `$d` repeats the title in another
/// language.
fn title_of(field: &DataField<'_>) -> String {
    let mut title = String::new();
    let mut before = ' ';
    for (code, value) in &field.subfields {
        let text = clean(value);
        let separator = match code {
            _ if text.is_empty() => continue,
            'a' if title.is_empty() => "",
            // Another work by the same author in one volume.
            'a' => "; ",
            'e' if before == 'd' => continue,
            'e' => ": ",
            'h' => ". ",
            'i' if before == 'h' => ", ",
            'i' => ". ",
            'd' => {
                before = 'd';
                continue;
            }
            _ => continue,
        };
        title.push_str(separator);
        title.push_str(&text);
        before = *code;
    }
    title
}

fn titles(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let title = record.first("200").map(title_of).unwrap_or_default();
    item.text(TextVar::Title, &title);
    item.text(TextVar::OriginalTitle, &clean(record.value("454", 't')));
}

/// Persons and bodies with a responsibility: first, equal and secondary.
fn names(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    for tag in ["700", "701", "710", "711", "702", "712"] {
        for field in record.all(tag) {
            let is_body = tag.starts_with("71");
            if is_body && field.first_indicator == '1' {
                item.text(
                    TextVar::EventTitle,
                    &clean(field.get('a').unwrap_or_default()),
                );
                item.text(
                    TextVar::EventPlace,
                    &clean(field.get('e').unwrap_or_default()),
                );
                continue;
            }
            let mut codes = field.every('4').map(role).peekable();
            let is_secondary = tag.ends_with('2');
            let variable = match codes.peek() {
                Some(_) => codes.flatten().next(),
                None if is_secondary => None,
                None => Some(NameVar::Author),
            };
            let name = if is_body { body(field) } else { person(field) };
            if let Some(variable) = variable {
                item.name(variable, name);
            }
        }
    }
}

/// The variable of a code of responsibility (UNIMARC manual, appendix C); None for one that is not cited.
fn role(code: &str) -> Option<NameVar> {
    Some(match code {
        "070" | "100" | "305" | "330" => NameVar::Author,
        "340" | "651" => NameVar::Editor,
        "730" => NameVar::Translator,
        "440" => NameVar::Illustrator,
        "220" => NameVar::Compiler,
        "230" => NameVar::Composer,
        "300" => NameVar::Director,
        "590" => NameVar::Performer,
        "080" | "205" | "212" | "214" => NameVar::Contributor,
        _ => return None,
    })
}

/// The entry element is the family name if the rest stands behind it, as the second indicator says too.
fn person(field: &DataField<'_>) -> Name {
    let family = clean(field.get('a').unwrap_or_default());
    let number = field.get('d').map(clean).unwrap_or_default();
    match field.get('b') {
        Some(given) => Name::person(&family, &clean(given)),
        None if number.is_empty() => Name::literal(&family),
        // `Jean-Paul` and `II`.
        None => Name::literal(&format!("{family} {number}")),
    }
}

fn body(field: &DataField<'_>) -> Name {
    let parts = field.every('a').chain(field.every('b'));
    let parts: Vec<String> = parts.map(clean).collect();
    Name::literal(&parts.join(". "))
}

fn publication(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let is_publication = |field: &&DataField<'_>| matches!(field.second_indicator, '0' | ' ' | '#');
    let newer = record.all("214").find(is_publication);
    if let Some(field) = newer.or_else(|| record.first("210")) {
        let bare = |code| clean(field.get(code).unwrap_or_default());
        item.text(TextVar::PublisherPlace, bare('a').trim_matches(['[', ']']));
        item.text(TextVar::Publisher, bare('c').trim_matches(['[', ']']));
        item.date(DateVar::Issued, field.get('d').and_then(year));
    }
    // Characters 9 to 12 of the coded data.
    let coded = record.value("100", 'a').get(9..13);
    item.date(DateVar::Issued, coded.and_then(Date::parse_iso));
    // Its subfields end without punctuation of their own: the stop belongs to `2e éd.`
    item.number(
        NumberVar::Edition,
        &without_sorting_signs(record.value("205", 'a')),
    );
    let mut extents = record.all("215").flat_map(|field| field.every('a'));
    if let Some(count) = extents.find_map(citation_fields::pages::count_before_unit) {
        item.number(NumberVar::NumberOfPages, count);
    }
}

/// `impr. 2004`, `DL 2004`, `[2004]`, `cop. 2004`, `2004-2006`: the first year.
fn year(text: &str) -> Option<Date> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let words = text.split(|c: char| !c.is_ascii_digit());
    let mut years = words.filter(|word| word.len() == 4 && digits(word));
    Date::parse_iso(years.next()?)
}

/// The note of a thesis: `$bThèse de doctorat$cHistoire$eParis 1$d2004`.
fn thesis(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let Some(field) = record.first("328") else {
        return;
    };
    item.text(TextVar::Genre, &clean(field.get('b').unwrap_or_default()));
    item.text(
        TextVar::Publisher,
        &clean(field.get('e').unwrap_or_default()),
    );
    item.date(DateVar::Issued, field.get('d').and_then(year));
}

/// The journal, the volume or the set that contains the work.
fn host(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let is_part = matches!(item.kind(), ItemType::Article | ItemType::Chapter);
    for tag in ["463", "461"] {
        let Some(host) = record.first(tag) else {
            continue;
        };
        let part = host.get('v').unwrap_or_default();
        if !is_part {
            // A volume of a set.
            item.text(
                TextVar::VolumeTitle,
                &clean(host.get('t').unwrap_or_default()),
            );
            item.number(NumberVar::Volume, part);
            continue;
        }
        item.text(
            TextVar::ContainerTitle,
            &clean(host.get('t').unwrap_or_default()),
        );
        item.text(TextVar::Issn, host.get('x').unwrap_or_default());
        item.text(TextVar::Isbn, host.get('y').unwrap_or_default());
        item.date(DateVar::Issued, host.get('d').and_then(year));
        numbering(part, item);
        part_of_host(host.get('p').unwrap_or_default(), item);
    }
    if is_part && let Some(extent) = record.first("215").and_then(|field| field.get('a')) {
        part_of_host(extent, item);
    }
}

/// `13, 1992, fasc. 1, p. 52-76`: the volume stands first, with a label or without one; a number behind it is the
/// year.
fn numbering(part: &str, item: &mut ItemBuilder) {
    for (at, piece) in part.split(',').map(str::trim).enumerate().take(20) {
        let digits = !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_digit());
        let mut labels = ["fasc.", "fasc", "n°", "no.", "no", "num.", "nr."].iter();
        let issue = labels.find_map(|label| piece.strip_prefix(label));
        // A month may begin like a label: `novembre 2001`.
        let issue =
            issue.filter(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        match issue {
            Some(issue) => {
                let number = issue.split_whitespace().next().unwrap_or_default();
                item.number(NumberVar::Issue, number);
                item.date(
                    DateVar::Issued,
                    year(issue.strip_prefix(number).unwrap_or(issue)),
                );
            }
            None if digits && at == 0 => item.number(NumberVar::Volume, piece),
            None if digits => item.date(DateVar::Issued, year(piece)),
            None => part_of_host(piece, item),
        }
    }
}

fn series(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    for (tag, title) in [("225", 'a'), ("410", 't')] {
        if let Some(field) = record.first(tag) {
            let text = |code| clean(field.get(code).unwrap_or_default());
            item.text(TextVar::CollectionTitle, &text(title));
            item.number(NumberVar::CollectionNumber, &text('v'));
        }
    }
}

fn identifiers(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let mut numbers = |tag: &str, variable| {
        for value in record.all(tag).filter_map(|field| field.get('a')) {
            item.text(variable, value.split([' ', '(']).next().unwrap_or_default());
        }
    };
    numbers("010", TextVar::Isbn);
    numbers("011", TextVar::Issn);
    for field in record.all("017") {
        let id = field.get('a').unwrap_or_default();
        if field
            .get('2')
            .is_some_and(|kind| kind.eq_ignore_ascii_case("doi"))
        {
            item.text(TextVar::Doi, id);
        }
    }
    for field in record.all("856") {
        item.address(field.get('u').unwrap_or_default());
    }
}

fn texts(record: &MarcRecord<'_>, item: &mut ItemBuilder) {
    let summary: Vec<&str> = record
        .all("330")
        .flat_map(|field| field.every('a'))
        .collect();
    item.text(TextVar::Abstract, &summary.join(" "));
    item.text(TextVar::Language, record.value("101", 'a'));
    for tag in [
        "600", "601", "602", "604", "605", "606", "607", "608", "610",
    ] {
        for subject in record.all(tag).filter_map(|field| field.get('a')) {
            item.keyword(&clean(subject));
        }
    }
    for tag in ["676", "675"] {
        item.text(TextVar::CallNumber, record.value(tag, 'a'));
    }
}

#[cfg(test)]
mod tests {
    use crate::MARCXML;
    use crate::testing::check_read;

    /// Builds a record from fields given as `tag`, both indicators and subfields: `700 1$aDoe$bJo`.
    fn xml(leader: &str, fields: &[&str]) -> String {
        let mut out = format!(
            "<mxc:record xmlns:mxc='info:lc/xmlns/marcxchange-v2' format='UNIMARC' type='Bibliographic'><mxc:leader>{leader}</mxc:leader><mxc:controlfield tag='001'>FRBNF1</mxc:controlfield>"
        );
        for field in fields {
            let (head, rest) = field.split_once('$').unwrap();
            let mut indicators = head.chars().skip(3).chain([' ', ' ']);
            let (first, second) = (indicators.next().unwrap(), indicators.next().unwrap());
            out.push_str(&format!(
                "<mxc:datafield tag='{}' ind1='{first}' ind2='{second}'>",
                head.get(..3).unwrap()
            ));
            for subfield in rest.split('$') {
                let (code, value) = subfield.split_at(1);
                out.push_str(&format!(
                    "<mxc:subfield code='{code}'>{value}</mxc:subfield>"
                ));
            }
            out.push_str("</mxc:datafield>");
        }
        out + "</mxc:record>"
    }

    #[track_caller]
    fn check(leader: &str, fields: &[&str], expected: &str) {
        check_read(&MARCXML, &xml(leader, fields), &format!("[{expected}]"));
    }

    const BOOK: &str = "     cam  22        450 ";

    #[test]
    fn book_of_the_bnf() {
        check(
            BOOK,
            &[
                "010  $a978-2-07-036822-8$bbr.$d5 EUR",
                "100  $a20050101d2004    m  y0frey50      ba",
                "101 1$afre$ceng",
                "102  $aFR",
                "200 1$a\u{88}La \u{89}marche des grenouilles$bTexte imprimé$eune histoire$fAnn Doe$gtrad. de l'anglais par Bo Roe",
                "205  $a2e éd.",
                "210  $a[Paris]$cGallimard$dimpr. 2004",
                "215  $a1 vol. (312 p.)$d18 cm",
                "225 | $aFolio$v3682",
                "330  $aUn résumé.",
                "454 1$tThe march of frogs",
                "606  $aGrenouilles$xMigrations",
                "700  |$aDoe$bAnn$f1950-....$4070",
                "702  |$aRoe$bBo$4730",
            ],
            r#"{"type": "book", "title": "La marche des grenouilles: une histoire", "author": [{"family": "Doe", "given": "Ann"}],
            "translator": [{"family": "Roe", "given": "Bo"}], "original-title": "The march of frogs", "publisher": "Gallimard",
            "publisher-place": "Paris", "issued": {"date-parts": [[2004]]}, "edition": "2e éd.", "collection-title": "Folio",
            "collection-number": "3682", "ISBN": "9782070368228", "language": "fr", "number-of-pages": "312",
            "abstract": "Un résumé.", "keyword": "Grenouilles"}"#,
        );
    }

    #[test]
    fn newer_imprint_stands_in_another_field() {
        check(
            BOOK,
            &[
                "200 1$aT",
                "214 4$dC 2021",
                "214 0$aLyon$cÉditions du Marais$dDL 2022",
                "710 02$aMuséum national$bService des grenouilles$4070",
            ],
            r#"{"title": "T", "publisher": "Éditions du Marais", "publisher-place": "Lyon", "issued": {"date-parts": [[2022]]},
            "author": [{"literal": "Muséum national. Service des grenouilles"}]}"#,
        );
    }

    #[test]
    fn thesis_has_its_university() {
        check(
            BOOK,
            &[
                "200 1$aDes grenouilles",
                "328  $bThèse de doctorat$cBiologie$eLyon 1$d1999",
                "700  |$aDoe$bAnn$4070",
                "702  |$aRoe$bBo$4727",
            ],
            r#"{"type": "thesis", "title": "Des grenouilles", "genre": "Thèse de doctorat", "publisher": "Lyon 1",
            "issued": {"date-parts": [[1999]]}, "author": [{"family": "Doe", "given": "Ann"}]}"#,
        );
    }

    #[test]
    fn article_has_its_journal() {
        check(
            "     caa  22        450 ",
            &[
                "200 1$aDes crapauds",
                "463  $tRevue des marais$vVol. 12, no 3 (2001), p. 23-45$x2049-3630",
                "700  |$aDoe$bAnn$4070",
            ],
            r#"{"type": "article-journal", "title": "Des crapauds", "container-title": "Revue des marais", "volume": "12",
            "issue": "3", "page": "23-45", "ISSN": "2049-3630"}"#,
        );
        check(
            "     caa0 22        450 ",
            &[
                "200 1$aDes tritons",
                "463 ##$tRevue des marais$x2049-3630$v13, 1992, fasc. 1, p. 52-76",
                "700 #1$aDoe$bAnn",
            ],
            r#"{"type": "article-journal", "title": "Des tritons", "container-title": "Revue des marais", "volume": "13",
            "issue": "1", "page": "52-76", "issued": {"date-parts": [[1992]]}, "author": [{"family": "Doe", "given": "Ann"}]}"#,
        );
    }
}
