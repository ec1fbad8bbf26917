//! Zotero items: from its API and connectors, from Better BibTeX exports, and in RDF. Types, fields and
//! creators follow Zotero's schema, version 41.

pub(crate) mod extra;
mod fields;
mod json;
mod record;
mod types;
mod write;

pub(crate) use record::ZoteroRecord;
pub(crate) use types::{is_creator, kind_named};
pub use write::{Blanks, api_object};

use crate::content::{Content, Members};
use crate::format::{Format, KeyRule};
use crate::syntax::tokens;
use citation_model::item_type::ItemType;

pub static ZOTERO_JSON: Format = Format {
    id: "zotero-json",
    title: "Zotero JSON",
    media_types: &["application/vnd.zotero+json"],
    extensions: &["json"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| json::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::JSON,
        &[
            "{\"itemType\":\"book\",",
            "\"creators\":[",
            "{\"name\":\"",
            "\"extra\":\"",
            "\"date\":\"",
            "\"tags\":[",
            "\"data\":{",
            "\"items\":[",
            "\"config\":{",
        ],
    ],
};

/// Zotero's name of an item type or of the nearest one.
pub fn type_name(kind: ItemType) -> &'static str {
    types::written(kind).0.name
}

/// Whether the first object is an item, has one as `data`, or has a list of them.
fn recognise(content: &Content<'_>) -> bool {
    let is_item = |members: &Members<'_>| members.text("itemType").is_some();
    let Some(members) = content.json() else {
        return false;
    };
    is_item(&members)
        || ["data", "items"]
            .iter()
            .any(|name| members.inside(name).is_some_and(|inside| is_item(&inside)))
        || members
            .inside("config")
            .is_some_and(|config| config.text("label") == Some("BetterBibTeX JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::budget::Budget;
    use citation_model::item::Item;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

    fn items(text: &str) -> Vec<Item> {
        let reading = json::read(text, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, [], "{text}");
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn items_stand_alone_in_lists_and_in_envelopes() {
        let item = r#"{"itemType": "book", "title": "T"}"#;
        let note = r#"{"itemType": "note", "note": "<p>x</p>"}"#;
        for text in [
            item.to_owned(),
            format!("[{item}, {note}]"),
            format!("{{\"key\": \"A\", \"version\": 1, \"data\": {item}}}"),
            format!("[{{\"data\": {note}}}, {{\"data\": {item}}}]"),
            format!(
                "{{\"config\": {{\"label\": \"BetterBibTeX JSON\"}}, \"items\": [{item}, {note}]}}"
            ),
        ] {
            let read = items(&text);
            assert_eq!(read.len(), 1, "{text}");
            assert_eq!(
                (read[0].kind, read[0].text(TextVar::Title)),
                (ItemType::Book, Some("T"))
            );
            assert!(recognise(&Content::of_text(&text)), "{text}");
        }
        assert!(!recognise(&Content::of_text(
            r#"[{"id": "a", "type": "book"}]"#
        )));
    }

    #[test]
    fn fields_and_creators_become_variables() {
        let read = items(
            r#"[{"itemType": "bookSection", "title": "E", "bookTitle": "B", "date": "2001-05-00 May 2001", "pages": "1–9",
                "accessDate": "2017-05-28T14:08:38Z", "citationKey": "k", "tags": [{"tag": "a"}, {"tag": "b"}],
                "creators": [{"creatorType": "author", "firstName": "A.", "lastName": "B"}, {"creatorType": "editor", "name": "The Org"},
                    {"creatorType": "bookAuthor", "lastName": "C", "firstName": ""}], "extra": "DOI: 10.5555/x\nfree text", "assignee": "me"},
               {"itemType": "patent", "creators": [{"creatorType": "inventor", "firstName": "A.", "lastName": "B"}], "filingDate": "2001"},
               {"itemType": "computerProgram", "version": "1.2", "system": "Linux", "company": "C"},
               {"itemType": "preprint", "archiveID": "arXiv:2001.01234", "repository": "arXiv"}]"#,
        );
        let chapter = &read[0];
        assert_eq!(chapter.text(TextVar::ContainerTitle), Some("B"));
        assert_eq!(chapter.number(NumberVar::Page), Some("1-9"));
        assert_eq!(chapter.date(DateVar::Issued).unwrap().edtf(), "2001-05");
        assert_eq!(
            chapter.date(DateVar::Accessed).unwrap().edtf(),
            "2017-05-28"
        );
        assert_eq!(chapter.names(NameVar::Editor), [Name::literal("The Org")]);
        assert_eq!(
            chapter.names(NameVar::ContainerAuthor),
            [Name::person("C", "")]
        );
        assert_eq!(chapter.text(TextVar::Doi), Some("10.5555/x"));
        assert_eq!(chapter.text(TextVar::Note), Some("free text"));
        assert_eq!(chapter.text(TextVar::Keyword), Some("a, b"));
        assert_eq!((chapter.id.as_str(), chapter.custom.len()), ("k", 1));
        assert_eq!(read[1].names(NameVar::Author).len(), 1);
        assert!(read[1].date(DateVar::Submitted).is_some());
        assert_eq!(read[2].number(NumberVar::Version), Some("1.2"));
        assert_eq!(read[3].text(TextVar::ArxivId), Some("2001.01234"));
    }

    #[test]
    fn extra_lines_are_fields() {
        let read = items(
            "{\"itemType\": \"document\", \"publisher\": \"P\", \"date\": \"2001\", \"extra\": \"Type: dataset\\nPMID: 12345678\\n\
             Original Date: 1900-02\\noriginal-publisher: Q\\nEditor: Doe || Jane\\nPublisher: other\\nCitation Key: k\\n\
             arXiv:1908.03119 [cs.IT]\\ntex.x: y\\nSee: also\"}",
        );
        let item = &read[0];
        assert_eq!(item.kind, ItemType::Dataset);
        assert_eq!(item.text(TextVar::Pmid), Some("12345678"));
        assert_eq!(item.date(DateVar::OriginalDate).unwrap().edtf(), "1900-02");
        assert_eq!(item.text(TextVar::OriginalPublisher), Some("Q"));
        assert_eq!(item.names(NameVar::Editor), [Name::person("Doe", "Jane")]);
        assert_eq!(item.text(TextVar::Publisher), Some("P"));
        assert_eq!(item.text(TextVar::ArxivId), Some("1908.03119"));
        assert_eq!(
            item.text(TextVar::Note),
            Some("Publisher: other\ntex.x: y\nSee: also")
        );
        assert_eq!(item.id, "k");
    }

    #[test]
    fn written_items_read_back() {
        let first = items(
            r#"[{"itemType": "journalArticle", "title": "T <i>x</i>", "publicationTitle": "J", "journalAbbreviation": "J.", "volume": "1",
                "issue": "2", "pages": "3-4", "date": "2001-02-03", "DOI": "10.5555/x", "ISSN": "1234-5679", "url": "https://x.org",
                "accessDate": "2020-01-02", "extra": "Type: review\noriginal-date: 1900\nnumber: 7\nfree: text", "citationKey": "k",
                "creators": [{"creatorType": "author", "firstName": "Jo", "lastName": "van Doe"}, {"creatorType": "author", "name": "X Y"}]},
               {"itemType": "film", "title": "F", "creators": [{"creatorType": "director", "firstName": "A", "lastName": "B"}], "distributor": "D"},
               {"itemType": "case", "caseName": "A v. B", "reporter": "R", "reporterVolume": "5", "firstPage": "10", "dateDecided": "1999"}]"#,
        );
        let budget = Budget::unlimited();
        let written = write::write(&first, &budget).unwrap();
        assert_eq!(items(&written), first, "{written}");
        assert!(recognise(&Content::of_text(&written)));
        assert_eq!(write::write(&[], &budget).unwrap(), "[]\n");
    }

    #[test]
    fn broken_json_is_said_and_hostile_json_survived() {
        let problems = |text: &str| {
            let reading = json::read(text, &Budget::unlimited()).unwrap();
            reading
                .problems
                .iter()
                .map(|problem| problem.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(problems("[{\"itemType\": \"book\","), ["invalid_json"]);
        assert_eq!(problems("[1, {\"itemType\": \"book\"}]"), ["not_an_object"]);
        let deep = format!(
            "[{{\"itemType\": \"book\", \"x\": {}1{}}}]",
            "[".repeat(5000),
            "]".repeat(5000)
        );
        assert_eq!(problems(&deep), ["invalid_json"]);
        let steps = |count: usize| {
            let budget = Budget::unlimited();
            let extra = "a: b\\n".repeat(count);
            json::read(
                &format!("[{{\"itemType\": \"book\", \"extra\": \"{extra}\"}}]"),
                &budget,
            )
            .unwrap();
            budget.steps()
        };
        assert!(steps(1000) <= 11 * steps(100));
    }
}
