//! TEI `biblStruct`: bibliographies of Zotero and of editors, and reference lists that GROBID extracts from
//! articles. The description of the article in the header is an item only of a document without references.

mod write;

use crate::format::{Format, KeyRule};
use crate::reading::Reading;
use crate::syntax::tokens;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::{Element, Markup};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::parts::{date_range, person};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static TEI: Format = Format {
    id: "tei",
    title: "TEI references",
    media_types: &["application/tei+xml"],
    extensions: &["tei", "xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| {
            matches!(
                root.name,
                "TEI" | "TEI.2" | "teiCorpus" | "listBibl" | "biblStruct"
            ) || root.attributes.contains("tei-c.org/ns")
        })
    },
    read: Some(|content, budget| read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<TEI>",
            "<listBibl>",
            "<biblStruct>",
            "</biblStruct>",
            "<analytic>",
            "<monogr>",
            "<title level=\"a\">",
            "<author>",
            "<persName>",
            "<imprint>",
            "<date when=\"2001\">",
            "<idno type=\"DOI\">",
        ],
    ],
};

/// Reads every reference of a document.
fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let references = read_records(text, budget, |name, parent| {
        name == "biblStruct" && parent != "sourceDesc"
    })?;
    match references.total {
        0 => read_records(text, budget, |name, parent| {
            name == "biblStruct" && parent == "sourceDesc"
        }),
        _ => Ok(references),
    }
}

fn read_records(
    text: &str,
    budget: &Budget,
    is_record: fn(&str, &str) -> bool,
) -> Result<Reading, Exceeded> {
    let layout = Layout {
        is_record,
        is_skipped: |name| matches!(name, "profileDesc" | "encodingDesc" | "figure"),
    };
    records::read(text, budget, &layout, |record, offset, found| {
        let mut item = ItemBuilder::new(offset);
        let entry_type = reference(record, &mut item);
        found.push(Found { item, entry_type });
    })
}

fn reference(reference: Element<'_>, item: &mut ItemBuilder) -> String {
    if let Some(key) = reference.attribute("id") {
        item.set_key(&key);
    }
    let said = reference.attribute("type").unwrap_or_default().into_owned();
    let analytic = reference.child("analytic");
    let part = analytic.map(title).unwrap_or_default();
    let mut wholes = reference.children_named("monogr");
    let whole = wholes.next();
    let kind =
        ItemType::parse(&said).filter(|kind| *kind != ItemType::Document || said == "document");
    item.set_kind(kind.unwrap_or_else(|| likely_kind(&part, whole)));
    item.text(TextVar::Title, &part);
    if let Some(analytic) = analytic {
        item.text(TextVar::TitleShort, &short_title(analytic));
        names(analytic, NameVar::Author, item);
        details(analytic, item);
    }
    if let Some(whole) = whole {
        let role = match analytic {
            Some(_) if !item.kind().is_in_periodical() && !part.is_empty() => {
                NameVar::ContainerAuthor
            }
            _ => NameVar::Author,
        };
        monograph(whole, role, item);
    }
    for series in reference.children_named("series") {
        item.text(TextVar::CollectionTitle, &title(series));
        for scope in series.children_named("biblScope") {
            item.number(NumberVar::CollectionNumber, &scope.text());
        }
        for editor in series.children_named("editor") {
            item.name(NameVar::CollectionEditor, name(editor));
        }
    }
    details(reference, item);
    said
}

/// The type of a reference that does not state one.
fn likely_kind(part: &str, whole: Option<Element<'_>>) -> ItemType {
    let Some(whole) = whole else {
        return ItemType::Document;
    };
    let level = |level| {
        whole
            .children_named("title")
            .any(|title| title.has("level", level))
    };
    let text = title(whole).to_lowercase();
    let is_meeting = whole.child("meeting").is_some()
        || [
            "proceedings",
            "proc.",
            "conference",
            "symposium",
            "workshop",
        ]
        .iter()
        .any(|word| text.contains(word));
    match part.is_empty() {
        false if level("j") => ItemType::Article,
        false if is_meeting => ItemType::ConferencePaper,
        false if text.is_empty() => ItemType::Document,
        false => ItemType::Chapter,
        true if level("u") => ItemType::Manuscript,
        true if level("j") => ItemType::Article,
        true if text.is_empty() => ItemType::Document,
        true => ItemType::Book,
    }
}

/// A journal, a book, or another independent publication.
fn monograph(whole: Element<'_>, authors: NameVar, item: &mut ItemBuilder) {
    let own = title(whole);
    let is_journal = whole
        .children_named("title")
        .any(|title| title.has("level", "j"));
    let has_part = item.item().text(TextVar::Title).is_some();
    item.text(
        if has_part || is_journal && item.kind().is_in_periodical() {
            TextVar::ContainerTitle
        } else {
            TextVar::Title
        },
        &own,
    );
    let short = if has_part {
        TextVar::ContainerTitleShort
    } else {
        TextVar::TitleShort
    };
    item.text(short, &short_title(whole));
    names(whole, authors, item);
    if let Some(meeting) = whole.child("meeting") {
        let place = meeting
            .descendant("settlement")
            .or(meeting.descendant("address"))
            .or(meeting.descendant("placeName"));
        let place = place.map(Element::text).unwrap_or_default();
        item.text(TextVar::EventPlace, &place);
        let name = meeting.rich(|inside| match inside.name() {
            "address" | "placeName" | "date" => Markup::Nothing,
            _ => Markup::Content,
        });
        item.text(TextVar::EventTitle, &name);
        item.date(DateVar::EventDate, meeting.child("date").and_then(date));
    }
    let edition = whole.child_text("edition");
    item.number(NumberVar::Edition, &edition);
    details(whole, item);
    for imprint in whole.children_named("imprint") {
        item.text(TextVar::Publisher, &imprint.child_text("publisher"));
        item.text(TextVar::PublisherPlace, &imprint.child_text("pubPlace"));
        details(imprint, item);
    }
}

/// Elements allowed on every level: identifiers, scopes, dates, notes, links.
fn details(parent: Element<'_>, item: &mut ItemBuilder) {
    for element in parent.children() {
        match element.name() {
            "idno" => identifier(element, item),
            "biblScope" => scope(element, item),
            "date" => {
                let variable = match element.attribute("type").as_deref() {
                    Some("accessed" | "access") => DateVar::Accessed,
                    Some("original" | "orig") => DateVar::OriginalDate,
                    _ => DateVar::Issued,
                };
                item.date(variable, date(element));
            }
            "ptr" | "ref" => {
                if let Some(target) = element.attribute("target") {
                    item.address(&target);
                }
            }
            "note" => note(element, item),
            "extent" => {
                let extent = element.text();
                let count = citation_fields::pages::count_before_unit(&extent);
                item.number(NumberVar::NumberOfPages, count.unwrap_or_default());
            }
            "textLang" => {
                if let Some(tag) = element.attribute("mainLang") {
                    item.text(TextVar::Language, &tag);
                }
            }
            _ => {}
        }
    }
}

fn note(element: Element<'_>, item: &mut ItemBuilder) {
    let text = element.text();
    match element.attribute("type").as_deref() {
        Some("url") => item.address(&text),
        Some("accessed") => item.written_date(DateVar::Accessed, &text),
        Some("thesisType" | "report_type" | "reportType" | "genre") => {
            item.text(TextVar::Genre, &text);
        }
        Some("language") => item.text(TextVar::Language, &text),
        Some("abstract") => {
            let paragraphs = element.child_texts("p");
            item.text(TextVar::Abstract, &paragraphs.join("\n"));
            item.text(TextVar::Abstract, &text);
        }
        Some("tag" | "tags" | "keyword") => item.keyword(&text),
        Some("raw_reference" | "raw") => {}
        _ => item.text(TextVar::Note, &text),
    }
}

fn identifier(element: Element<'_>, item: &mut ItemBuilder) {
    let text = element.text();
    let kind = element
        .attribute("type")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let variable = match kind.as_str() {
        "doi" => TextVar::Doi,
        "isbn" | "isbn-13" | "isbn-10" => TextVar::Isbn,
        "issn" | "eissn" | "issne" => TextVar::Issn,
        "pmid" => TextVar::Pmid,
        "pmc" | "pmcid" => TextVar::Pmcid,
        "arxiv" => TextVar::ArxivId,
        "callnumber" => TextVar::CallNumber,
        "url" | "uri" => return item.address(&text),
        "ark" if text.starts_with("http") => return item.address(&text),
        "reportnumber" | "number" | "docnumber" | "patentnumber" => {
            return item.number(NumberVar::Number, &text);
        }
        _ if text.starts_with("10.") && text.contains('/') => TextVar::Doi,
        _ => return,
    };
    // GROBID puts the scheme in front: `arXiv:1706.03762[cs]`.
    item.text(variable, text.split('[').next().unwrap_or(&text));
}

fn scope(element: Element<'_>, item: &mut ItemBuilder) {
    let unit = element
        .attribute("unit")
        .or_else(|| element.attribute("type"));
    let text = element.text();
    let from = element.attribute("from").unwrap_or_default();
    let to = element.attribute("to").unwrap_or_default();
    match unit.as_deref().unwrap_or_default() {
        "volume" | "vol" => item.number(NumberVar::Volume, &text),
        "issue" | "no" | "number" | "iss" => item.number(NumberVar::Issue, &text),
        "page" | "pages" | "pp" | "p" => {
            item.number(NumberVar::Page, &text);
            item.pages(&from, &to);
        }
        "chapter" | "chap" => item.number(NumberVar::ChapterNumber, &text),
        "part" => item.number(NumberVar::PartNumber, &text),
        "section" => item.number(NumberVar::Section, &text),
        "series" => item.text(TextVar::CollectionTitle, &text),
        "volumes" => item.number(NumberVar::NumberOfVolumes, &text),
        _ => {}
    }
}

fn date(element: Element<'_>) -> Option<Date> {
    let by = |name| {
        element
            .attribute(name)
            .and_then(|text| Date::parse_iso(&text))
    };
    let said = Date::parse(&element.text());
    // The attributes do not say that a date is uncertain.
    let is_uncertain = |date: &Date| date.circa && date.end.is_some();
    if said.as_ref().is_some_and(is_uncertain) {
        return said;
    }
    if let Some(first) = by("from").or_else(|| by("notBefore")) {
        return Some(date_range(first, by("to").or_else(|| by("notAfter"))));
    }
    match said {
        Some(date) if date.circa && date.start.is_some() => Some(date),
        said => by("when").or(said),
    }
}

fn short_title(parent: Element<'_>) -> String {
    let is_short = |title: &Element<'_>| {
        ["short", "abbr", "abbrev"]
            .iter()
            .any(|kind| title.has("type", kind))
    };
    let short = parent.children_named("title").find(is_short);
    short.map(Element::text).unwrap_or_default()
}

/// The main title with its subtitle.
fn title(parent: Element<'_>) -> String {
    let mut main = String::new();
    let mut sub = String::new();
    for title in parent.children_named("title") {
        let place = match title.attribute("type").as_deref() {
            Some("sub") => &mut sub,
            None | Some("main" | "uniform" | "full") => &mut main,
            _ => continue,
        };
        if place.is_empty() {
            *place = rich(title);
        }
    }
    match (main.is_empty(), sub.is_empty()) {
        (false, false) => format!("{main}: {sub}"),
        (true, _) => sub,
        _ => main,
    }
}

fn rich(element: Element<'_>) -> String {
    element.rich(|inside| {
        let rendition = inside
            .attribute("rend")
            .or_else(|| inside.attribute("rendition"));
        match (inside.name(), rendition.as_deref().unwrap_or_default()) {
            ("note", _) => Markup::Nothing,
            ("hi", "italic" | "italics" | "i") | ("emph" | "foreign", _) => Markup::ITALIC,
            ("hi", "bold" | "b") => Markup::BOLD,
            ("hi", "sup" | "superscript" | "super") => Markup::SUPERSCRIPT,
            ("hi", "sub" | "subscript") => Markup::SUBSCRIPT,
            ("hi", "smallcaps" | "sc" | "small-caps") => Markup::SMALL_CAPS,
            _ => Markup::Content,
        }
    })
}

/// Authors, editors and names with a role in words.
fn names(parent: Element<'_>, authors: NameVar, item: &mut ItemBuilder) {
    for element in parent.children() {
        match element.name() {
            "author" => {
                for name in names_of(element) {
                    item.name(authors, name);
                }
            }
            "editor" => {
                let role = element.attribute("role");
                for name in names_of(element) {
                    item.name(role_of(role.as_deref().unwrap_or("editor")), name);
                }
            }
            "respStmt" => {
                let role = role_of(&element.child_text("resp"));
                let role = match role {
                    NameVar::Author => authors,
                    role => role,
                };
                for inside in element.children().filter(|inside| inside.name() != "resp") {
                    item.name(role, name(inside));
                }
            }
            _ => {}
        }
    }
}

fn names_of(element: Element<'_>) -> Vec<Name> {
    let names: Vec<Name> = element
        .children()
        .filter(|inside| matches!(inside.name(), "persName" | "orgName"))
        .map(name)
        .collect();
    if names.is_empty() {
        vec![name(element)]
    } else {
        names
    }
}

fn role_of(role: &str) -> NameVar {
    match role.trim().to_lowercase().as_str() {
        "editor" | "ed." | "edited by" | "hrsg." => NameVar::Editor,
        "translator" | "trl" | "translated by" => NameVar::Translator,
        "serieseditor" | "series editor" => NameVar::CollectionEditor,
        "author" | "artist" | "cartographer" | "programmer" | "inventor" | "podcaster"
        | "presenter" | "sponsor" | "interviewee" => NameVar::Author,
        "bookauthor" => NameVar::ContainerAuthor,
        "revieweda" | "reviewedauthor" => NameVar::ReviewedAuthor,
        "composer" | "wordsby" => NameVar::Composer,
        "director" => NameVar::Director,
        "interviewer" => NameVar::Interviewer,
        "recipient" => NameVar::Recipient,
        "performer" | "castmember" => NameVar::Performer,
        "producer" => NameVar::Producer,
        "scriptwriter" => NameVar::ScriptWriter,
        "guest" => NameVar::Guest,
        _ => NameVar::Contributor,
    }
}

fn orcid(person: Element<'_>) -> Option<String> {
    let mut ids = person.children_named("idno");
    let id = ids.find(|id| id.has("type", "ORCID"))?;
    citation_fields::identifiers::bare_orcid(&id.text())
}

/// A person in parts, an institution, or a name in one piece.
fn name(element: Element<'_>) -> Name {
    if element.name() == "orgName" {
        return Name::literal(&element.text());
    }
    let inner = ["persName", "orgName", "name"]
        .iter()
        .find_map(|name| element.child(name));
    let family = element.child_text("surname");
    let given = element.child_texts("forename").join(" ");
    match (family.is_empty() && given.is_empty(), inner) {
        (false, _) => Name {
            non_dropping_particle: non_blank(&element.child_text("nameLink")),
            orcid: orcid(element),
            ..person(&family, &given, &element.child_text("genName"))
        },
        (true, Some(inner)) if inner.name() != "name" => name(inner),
        // Zotero puts single-field names into `name`.
        (true, Some(inner)) => Name::literal(&inner.text()),
        (true, None) if element.name() == "name" => Name::literal(&element.text()),
        (true, None) => names::in_any_order(&element.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_read;

    #[track_caller]
    fn check(references: &str, expected: &str) {
        let text = format!(
            "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><sourceDesc><biblStruct><monogr><title>Own</title></monogr></biblStruct></sourceDesc></fileDesc></teiHeader>
            <text><back><listBibl>{references}</listBibl></back></text></TEI>"
        );
        check_read(&TEI, &text, &format!("[{expected}]"));
    }

    #[test]
    fn header_is_an_item_of_a_document_without_references() {
        check_read(
            &TEI,
            "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><sourceDesc><biblStruct><analytic><title level='a'>Own</title></analytic></biblStruct></sourceDesc></fileDesc></teiHeader></TEI>",
            r#"[{"title": "Own"}]"#,
        );
    }

    #[test]
    fn written_works_come_back() {
        crate::testing::check_round_trip(&TEI, crate::testing::WRITTEN);
    }

    #[test]
    fn an_article_as_grobid_has_it() {
        check(
            "<biblStruct xml:id='b0'><analytic><title level='a' type='main'>On it</title><author><persName><forename type='first'>Jane</forename><forename type='middle'>Q</forename><surname>Doe</surname></persName></author>
            <idno type='DOI'>10.5555/x</idno><idno type='arXiv'>arXiv:1706.03762[cs]</idno></analytic><monogr><title level='j'>Tests</title><imprint><biblScope unit='volume'>7</biblScope>
            <biblScope unit='page' from='1' to='9'/><date type='published' when='2019-05'/></imprint></monogr><note type='raw_reference'>raw</note></biblStruct>",
            r#"{"type": "article-journal", "citation-key": "b0", "title": "On it", "author": [{"family": "Doe", "given": "Jane Q"}], "container-title": "Tests", "volume": "7", "page": "1-9",
            "issued": {"date-parts": [[2019, 5]]}, "DOI": "10.5555/x", "note": null}"#,
        );
    }

    #[test]
    fn a_chapter_as_zotero_has_it() {
        check(
            "<biblStruct type='bookSection'><analytic><title level='a'>Part</title><author><forename>Jane</forename><surname>Doe</surname></author></analytic>
            <monogr><title level='m'>Whole</title><editor><forename>R.</forename><surname>Roe</surname></editor><author><name>A Body</name></author>
            <imprint><pubPlace>Rome</pubPlace><publisher>House</publisher><biblScope unit='page'>1–9</biblScope><date>1999</date><note type='url'>https://example.org/</note></imprint></monogr>
            <series><title level='s'>Series</title><biblScope unit='volume'>7</biblScope></series></biblStruct>",
            r#"{"type": "chapter", "title": "Part", "container-title": "Whole", "author": [{"family": "Doe", "given": "Jane"}], "editor": [{"family": "Roe", "given": "R."}],
            "container-author": [{"literal": "A Body"}], "publisher": "House", "publisher-place": "Rome", "page": "1-9", "collection-title": "Series", "collection-number": "7",
            "issued": {"date-parts": [[1999]]}, "URL": "https://example.org/"}"#,
        );
    }

    #[test]
    fn a_book_with_subtitle_and_those_who_helped() {
        check(
            "<biblStruct><monogr><title level='m' type='main'>Whole</title><title type='sub'>with <hi rend='italic'>more</hi></title><title type='short'>W</title>
            <respStmt><resp>translator</resp><persName><forename>P.</forename><surname>Poe</surname></persName></respStmt><imprint><date from='1998' to='2000'/></imprint></monogr></biblStruct>",
            r#"{"type": "book", "title": "Whole: with <i>more</i>", "title-short": "W", "translator": [{"family": "Poe", "given": "P."}], "issued": {"date-parts": [[1998], [2000]]}}"#,
        );
    }
}
