//! Reads Word's sources.

use super::kinds::KINDS;
use crate::kinds::read_kind;
use crate::reading::Reading;
use crate::syntax::paragraphs::paragraphs;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::Element;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::parts::{date_of_parts, person};
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::{Doi, Isbn, Issn};
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads every source of a file.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| name == "Source",
        is_skipped: |_| false,
    };
    records::read(text, budget, &LAYOUT, |source, offset, found| {
        let mut item = ItemBuilder::new(offset);
        let entry_type = read_source(source, &mut item);
        found.push(Found { item, entry_type });
    })
}

/// Names by role; Word stores each list in an element of that name.
pub(super) const ROLES: &[(&str, NameVar)] = &[
    ("Author", NameVar::Author),
    ("Editor", NameVar::Editor),
    ("BookAuthor", NameVar::ContainerAuthor),
    ("Translator", NameVar::Translator),
    ("Compiler", NameVar::Compiler),
    ("Composer", NameVar::Composer),
    ("Director", NameVar::Director),
    ("Interviewer", NameVar::Interviewer),
    ("Performer", NameVar::Performer),
    ("ProducerName", NameVar::Producer),
    ("Writer", NameVar::ScriptWriter),
];

/// The element of the author for some types.
pub(super) const MAKERS: &[(ItemType, &str)] = &[
    (ItemType::Interview, "Interviewee"),
    (ItemType::Patent, "Inventor"),
    (ItemType::Graphic, "Artist"),
];

/// Texts with one variable for all types.
pub(super) const TEXTS: &[(&str, TextVar)] = &[
    ("Title", TextVar::Title),
    ("ShortTitle", TextVar::TitleShort),
    ("Publisher", TextVar::Publisher),
    ("Medium", TextVar::Medium),
    ("DOI", TextVar::Doi),
    ("Comments", TextVar::Note),
    ("Court", TextVar::Authority),
    ("BIBTEX_Abstract", TextVar::Abstract),
];

/// Numbers with one variable for all types.
pub(super) const NUMBERS: &[(&str, NumberVar)] = &[
    ("Volume", NumberVar::Volume),
    ("Issue", NumberVar::Issue),
    ("Edition", NumberVar::Edition),
    ("NumberVolumes", NumberVar::NumberOfVolumes),
    ("ChapterNumber", NumberVar::ChapterNumber),
    ("Pages", NumberVar::Page),
    ("Version", NumberVar::Version),
    ("PatentNumber", NumberVar::Number),
    ("CaseNumber", NumberVar::Number),
    ("RecordingNumber", NumberVar::Number),
];

fn read_source(source: Element<'_>, item: &mut ItemBuilder) -> String {
    let said = source.child_text("SourceType");
    let told = read_kind(KINDS, &said);
    match said.as_str() {
        "Misc" => {}
        said => item.set_kind_or_say(told, said),
    }
    refine_kind(source, item);
    item.set_key(&source.child_text("Tag"));
    for (name, variable) in TEXTS {
        let lines = || source.child(name).map(Element::lines).unwrap_or_default();
        let text = match variable {
            TextVar::Note => lines(),
            TextVar::Abstract => paragraphs(&lines()),
            _ => source.child_text(name),
        };
        item.text(*variable, &text);
    }
    for (name, variable) in NUMBERS {
        item.number(*variable, &source.child_text(name));
    }
    container_titles(source, &said, item);
    names(source, item);
    let part = |name: &str| source.child_text(name);
    item.date(
        DateVar::Issued,
        date_of_parts(&part("Year"), &part("Month"), &part("Day")),
    );
    item.date(
        DateVar::Accessed,
        date_of_parts(
            &part("YearAccessed"),
            &part("MonthAccessed"),
            &part("DayAccessed"),
        ),
    );
    place(source, item);
    for publisher in [
        "Institution",
        "Distributor",
        "ProductionCompany",
        "Broadcaster",
        "Station",
    ] {
        item.text(TextVar::Publisher, &part(publisher));
    }
    for genre in ["ThesisType", "Type"] {
        item.text(TextVar::Genre, &part(genre));
    }
    for keyword in part("BIBTEX_KeyWords").split(';') {
        item.keyword(keyword);
    }
    item.address(&part("URL"));
    standard_number(&part("StandardNumber"), item);
    if let Some(tag) = part("LCID").parse().ok().and_then(language) {
        item.text(TextVar::Language, tag);
    }
    said
}

/// Word stores a thesis as a report with a type; JabRef also stores the BibTeX type.
fn refine_kind(source: Element<'_>, item: &mut ItemBuilder) {
    let entry = source.child_text("BIBTEX_Entry");
    let is_thesis = item.kind() == ItemType::Report
        && (!source.child_text("ThesisType").is_empty() || entry.ends_with("thesis"));
    if is_thesis {
        item.set_kind(ItemType::Thesis);
    } else if item.kind() == ItemType::Document && entry != "misc" {
        item.set_kind(ItemType::parse(&entry).unwrap_or_default());
    }
}

/// The elements of the container title, by source type.
pub(super) const CONTAINERS: &[(&str, &str)] = &[
    ("JournalArticle", "JournalName"),
    ("ArticleInAPeriodical", "PeriodicalTitle"),
    ("BookSection", "BookTitle"),
    ("ConferenceProceedings", "ConferenceName"),
    ("InternetSite", "InternetSiteTitle"),
    ("DocumentFromInternetSite", "InternetSiteTitle"),
    ("SoundRecording", "AlbumTitle"),
    ("Interview", "BroadcastTitle"),
    ("Case", "Reporter"),
    ("", "PublicationTitle"),
];

/// The container title: from the element of the source's type, otherwise from any of them.
fn container_titles(source: Element<'_>, said: &str, item: &mut ItemBuilder) {
    let own = CONTAINERS.iter().filter(|(kind, _)| *kind == said);
    for (_, name) in own.chain(CONTAINERS) {
        item.text(TextVar::ContainerTitle, &source.child_text(name));
    }
    let series = source.child_text("BIBTEX_Series");
    item.text(TextVar::CollectionTitle, &series);
}

fn names(source: Element<'_>, item: &mut ItemBuilder) {
    let Some(all) = source.child("Author") else {
        return;
    };
    for (role, variable) in ROLES {
        add_names(all, role, *variable, item);
    }
    if item.item().names(NameVar::Author).is_empty() {
        for (_, role) in MAKERS {
            add_names(all, role, NameVar::Author, item);
        }
    }
}

fn add_names(all: Element<'_>, role: &str, variable: NameVar, item: &mut ItemBuilder) {
    for list in all.children_named(role) {
        // Several people are often typed into the field of an institution.
        let corporate = list.child_text("Corporate");
        let people = names::several(&corporate).or_else(|| two_people(&corporate));
        item.name_list(
            variable,
            people.unwrap_or_else(|| vec![Name::literal(&corporate)]),
        );
        for person in list
            .descendants()
            .filter(|inside| inside.name() == "Person")
        {
            for name in read_person(person) {
                item.name(variable, name);
            }
        }
    }
}

/// Two persons in reading order: `Jane Doe, Al Roe`.
fn two_people(text: &str) -> Option<Vec<Name>> {
    let (first, second) = text.split_once(',')?;
    let are_people = names::is_full_name(first) && names::is_full_name(second);
    are_people.then(|| [first, second].map(Name::parse).to_vec())
}

/// The person of an element, or the people of a list that Word's dialogue has cut at its first blanks and commas.
fn read_person(element: Element<'_>) -> Vec<Name> {
    let [last, first, middle] = ["Last", "First", "Middle"].map(|name| element.child_text(name));
    let given = [first.as_str(), &middle].join(" ");
    let is_list =
        given.contains(',') || names::with_initials(&last).is_some() && !given.trim().is_empty();
    let people = is_list.then(|| names::several(&format!("{last}, {given}")));
    people
        .flatten()
        .unwrap_or_else(|| vec![person(&last, &given, "")])
}

fn place(source: Element<'_>, item: &mut ItemBuilder) {
    let parts = ["City", "StateProvince", "CountryRegion"].map(|name| source.child_text(name));
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    item.text(TextVar::PublisherPlace, &parts.join(", "));
}

/// A number without label, or in JabRef's form: ` ISSN: 0937-6429`.
fn standard_number(text: &str, item: &mut ItemBuilder) {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    for word in words.map(|word| word.trim_start_matches(':')) {
        let number = word.rsplit_once(':').map_or(word, |(_, number)| number);
        if Isbn::parse(number).is_ok() {
            item.text(TextVar::Isbn, number);
        } else if Issn::parse(number).is_ok() && !word.contains("LCCN") && !word.contains("MRN") {
            item.text(TextVar::Issn, number);
        } else if Doi::parse(number).is_ok() {
            item.text(TextVar::Doi, number);
        }
    }
}

/// Windows language identifiers and their tags.
const LANGUAGES: &[(u32, &str)] = &[
    (1033, "en-US"),
    (2057, "en-GB"),
    (3081, "en-AU"),
    (4105, "en-CA"),
    (1031, "de"),
    (2055, "de-CH"),
    (3079, "de-AT"),
    (1036, "fr"),
    (3084, "fr-CA"),
    (1034, "es"),
    (3082, "es"),
    (1040, "it"),
    (1046, "pt-BR"),
    (2070, "pt"),
    (1043, "nl"),
    (1030, "da"),
    (1044, "nb"),
    (2068, "nn"),
    (1053, "sv"),
    (1035, "fi"),
    (1045, "pl"),
    (1029, "cs"),
    (1038, "hu"),
    (1048, "ro"),
    (1032, "el"),
    (1049, "ru"),
    (1058, "uk"),
    (1055, "tr"),
    (1037, "he"),
    (1025, "ar"),
    (2052, "zh-CN"),
    (1028, "zh-TW"),
    (1041, "ja"),
    (1042, "ko"),
];

fn language(number: u32) -> Option<&'static str> {
    let row = LANGUAGES.iter().find(|(known, _)| *known == number);
    row.map(|(_, tag)| *tag)
}

/// The identifier of a tag, otherwise of its language alone.
pub(super) fn language_number(tag: &str) -> Option<u32> {
    let find = |tag: &str| {
        LANGUAGES
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(tag))
    };
    let language = tag.split('-').next().unwrap_or_default();
    let named = find(tag).or_else(|| find(language));
    named
        .or_else(|| find("en-US").filter(|_| language == "en"))
        .map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MSBIB;
    use crate::testing::check_read;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let text = format!(
            r#"<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography"><b:Source>{source}</b:Source></b:Sources>"#
        );
        check_read(&MSBIB, &text, &format!("[{expected}]"));
    }

    #[test]
    fn names_by_their_roles() {
        check(
            "<b:SourceType>BookSection</b:SourceType><b:Tag>k</b:Tag><b:Title>Part</b:Title><b:BookTitle>Whole</b:BookTitle><b:Author>
            <b:Author><b:NameList><b:Person><b:Last>Doe</b:Last><b:First>Jane</b:First><b:Middle>Q.</b:Middle></b:Person></b:NameList></b:Author>
            <b:Editor><b:NameList><b:Person><b:Last>Roe</b:Last></b:Person></b:NameList></b:Editor>
            <b:BookAuthor><b:Corporate>A Body</b:Corporate></b:BookAuthor></b:Author>",
            r#"{"type": "chapter", "title": "Part", "container-title": "Whole", "author": [{"family": "Doe", "given": "Jane Q."}],
            "editor": [{"family": "Roe"}], "container-author": [{"literal": "A Body"}], "citation-key": "k"}"#,
        );
        check(
            "<b:SourceType>Patent</b:SourceType><b:Author><b:Inventor><b:NameList><b:Person><b:Last>Doe</b:Last></b:Person></b:NameList></b:Inventor></b:Author>",
            r#"{"type": "patent", "author": [{"family": "Doe"}]}"#,
        );
    }

    #[test]
    fn people_in_the_field_of_an_institution_are_people() {
        let corporate = |text: &str, expected: &str| {
            check(
                &format!(
                    "<b:SourceType>Book</b:SourceType><b:Author><b:Author><b:Corporate>{text}</b:Corporate></b:Author></b:Author>"
                ),
                &format!(r#"{{"type": "book", "author": {expected}}}"#),
            );
        };
        corporate(
            "Jane Doe, Al Roe, Eve Poe",
            r#"[{"family": "Doe", "given": "Jane"}, {"family": "Roe", "given": "Al"}, {"family": "Poe", "given": "Eve"}]"#,
        );
        corporate(
            "Jane Doe, Al Roe",
            r#"[{"family": "Doe", "given": "Jane"}, {"family": "Roe", "given": "Al"}]"#,
        );
        corporate(
            "University of Tests, New Town",
            r#"[{"literal": "University of Tests, New Town"}]"#,
        );
        corporate(
            "Ministry of Tests, Office of Papers, New Town",
            r#"[{"literal": "Ministry of Tests, Office of Papers, New Town"}]"#,
        );
    }

    #[test]
    fn dates_places_and_numbers() {
        check(
            "<b:SourceType>JournalArticle</b:SourceType><b:Year>2011</b:Year><b:Month>March</b:Month><b:Day>4</b:Day><b:YearAccessed>2012</b:YearAccessed>
            <b:City>Austin</b:City><b:StateProvince>TX</b:StateProvince><b:StandardNumber> ISSN: 2049-3630 DOI: 10.5555/x</b:StandardNumber>
            <b:Pages>1–9</b:Pages><b:LCID>1031</b:LCID><b:BIBTEX_KeyWords>ants; bees</b:BIBTEX_KeyWords>",
            r#"{"issued": {"date-parts": [[2011, 3, 4]]}, "accessed": {"date-parts": [[2012]]}, "publisher-place": "Austin, TX",
            "ISSN": "2049-3630", "DOI": "10.5555/x", "page": "1-9", "language": "de", "keyword": "ants, bees"}"#,
        );
    }

    #[test]
    fn a_thesis_is_a_report_of_a_kind() {
        check(
            "<b:SourceType>Report</b:SourceType><b:ThesisType>PhD thesis</b:ThesisType><b:Institution>University</b:Institution>",
            r#"{"type": "thesis", "genre": "PhD thesis", "publisher": "University"}"#,
        );
    }

    #[test]
    fn languages_have_numbers() {
        assert_eq!(language_number("de-DE"), Some(1031));
        assert_eq!(language_number("en"), Some(1033));
        assert_eq!(language_number("tlh"), None);
    }
}
