//! Citavi 5 and 6: projects as XML, their zipped backups, and the JSON of projects and of the citations in
//! Word documents.

mod json;
mod reference;
mod xml;

use std::io::{Cursor, Read};

use crate::content::{Content, Members};
use crate::format::{Format, KeyRule};
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::encoding;
use crate::syntax::tokens;
use citation_model::budget::{Budget, Exceeded};

pub static CITAVI: Format = Format {
    id: "citavi",
    title: "Citavi",
    media_types: &["application/vnd.citavi+xml"],
    extensions: &["ctv6", "ctv5", "ctv6bak", "ctv5bak"],
    recognise: |content, _| recognise(content),
    read: Some(read),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        tokens::JSON,
        &[
            "<CitaviExchangeData>",
            "<References>",
            "<Reference id=\"1\">",
            "</Reference>",
            "<Persons>",
            "<Person id=\"a\">",
            "<Title>",
            "<PageRange>",
            "<sp>",
            "\"ReferenceType\":\"",
            "\"Title\":\"",
        ],
    ],
};

const ROOT: &str = "CitaviExchangeData";

fn recognise(content: &Content<'_>) -> bool {
    let is_reference = |members: &Members<'_>| {
        let named = [
            "ReferenceType",
            "Title",
            "Authors",
            "Periodical",
            "ParentReference",
        ];
        members.has("ReferenceType") && named.iter().filter(|name| members.has(name)).count() > 1
    };
    let is_json = |members: Members<'_>| {
        let inside = |name: &str| members.inside(name);
        is_reference(&members)
            || inside("References").is_some_and(|inside| is_reference(&inside))
            || inside("Entries")
                .is_some_and(|entry| entry.has("Reference") && entry.has("ReferenceId"))
    };
    content.root().is_some_and(|root| root.name == ROOT)
        || content.json().is_some_and(is_json)
        || unpacked(content.bytes(), HEAD)
            .is_some_and(|head| encoding::decode(&head).0.contains(ROOT))
}

/// Bytes of a packed project that are searched for its root element.
const HEAD: u64 = 4 * 1024;
/// Maximum unpacked size of a project, in bytes. Real ones of 10,000 references have some 100 million.
const MAX_SIZE: u64 = 512 * 1024 * 1024;

fn read(content: &Content<'_>, budget: &Budget) -> Result<Reading, Exceeded> {
    if content.json().is_some() {
        return json::read(content.text(), budget);
    }
    if !content.bytes().starts_with(b"PK") {
        return xml::read(content.text(), budget);
    }
    let most = content.bytes().len() as u64 * MAX_EXPANSION;
    let unpacked = unpacked(content.bytes(), most.min(MAX_SIZE) + 1).unwrap_or_default();
    budget.spend(unpacked.len() as u64 / 8)?;
    budget.spend_bytes(unpacked.len())?;
    if unpacked.len() as u64 > most.min(MAX_SIZE) {
        let mut builder = ReadingBuilder::new("", budget)?;
        builder.lost(
            0,
            "too_large",
            "The packed project is too large.".to_owned(),
        );
        return Ok(builder.finish());
    }
    xml::read(&encoding::decode(&unpacked).0, budget)
}

/// Maximum expansion factor of a packed project. XML expands about 20 times.
const MAX_EXPANSION: u64 = 256;

/// The beginning of the only file in a backup; `None` for any other archive.
fn unpacked(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
    if !bytes.starts_with(b"PK") {
        return None;
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    if archive.len() != 1 {
        return None;
    }
    let file = archive.by_index(0).ok()?;
    let mut unpacked = Vec::new();
    file.take(most).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item::Item;
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{NameVar, NumberVar, TextVar};
    use std::io::Write;

    fn items(bytes: &[u8]) -> Vec<Item> {
        let content = Content::new(bytes);
        assert!(recognise(&content));
        let reading = read(&content, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, []);
        reading.items.into_iter().map(|read| read.item).collect()
    }

    const PROJECT: &str = r#"<?xml version="1.0"?><CitaviExchangeData Version="6.0">
        <Keywords><Keyword id="k"><Name>bees</Name></Keyword></Keywords>
        <Periodicals><Periodical id="j"><ISSN>1234-5679</ISSN><Name>Journal</Name><StandardAbbreviation>J.</StandardAbbreviation></Periodical></Periodicals>
        <Persons><Person id="a"><FirstName>Ann</FirstName><MiddleName>B.</MiddleName><LastName>Doe</LastName><Prefix>van</Prefix></Person>
            <Person id="o"><LastName>The Office</LastName></Person></Persons>
        <Publishers><Publisher id="p"><Name>House</Name></Publisher></Publishers>
        <SeriesTitles><SeriesTitle id="s"><Name>Series</Name></SeriesTitle></SeriesTitles>
        <References>
            <Reference id="1"><ReferenceType>JournalArticle</ReferenceType><Title>One</Title><Subtitle>Two</Subtitle><PeriodicalID>j</PeriodicalID>
                <Year>2001</Year><Volume>3</Volume><Number>4</Number><PageRange><![CDATA[<sp><n>5</n></sp><ep><n>9</n></ep><os>5-9</os>]]></PageRange>
                <CitationKey> Doe 2001 </CitationKey><DOI>10.5555/x</DOI><PubMedID>123</PubMedID></Reference>
            <Reference id="2"><ReferenceType>BookEdited</ReferenceType><Title>Book</Title><Date>May 2002</Date><SeriesTitleID>s</SeriesTitleID><Number>7</Number>
                <PlaceOfPublication>Rome</PlaceOfPublication><PageCount>&lt;c&gt;113&lt;/c&gt;&#xD;&lt;os&gt;113 p.&lt;/os&gt;</PageCount></Reference>
            <Reference id="3"><ReferenceType>Contribution</ReferenceType><Title>Chapter</Title></Reference>
        </References>
        <ReferenceAuthors><OnetoN>1;a;o</OnetoN><OnetoN>3;a</OnetoN></ReferenceAuthors>
        <ReferenceEditors><OnetoN>2;a</OnetoN></ReferenceEditors>
        <ReferenceKeywords><OnetoN>1;k</OnetoN></ReferenceKeywords>
        <ReferencePublishers><OnetoN>2;p</OnetoN></ReferencePublishers>
        <ReferenceReferences><OnetoN>2;3;3</OnetoN></ReferenceReferences>
        <KnowledgeItems><KnowledgeItem id="x"><Title>Thought</Title></KnowledgeItem></KnowledgeItems>
    </CitaviExchangeData>"#;

    #[test]
    fn a_project_is_joined_from_its_tables() {
        let read = items(PROJECT.as_bytes());
        assert_eq!(read.len(), 3);
        let (article, book, chapter) = (&read[0], &read[1], &read[2]);
        assert_eq!(article.text(TextVar::Title), Some("One: Two"));
        assert_eq!(article.text(TextVar::ContainerTitle), Some("Journal"));
        assert_eq!(article.text(TextVar::Issn), Some("1234-5679"));
        assert_eq!(article.number(NumberVar::Page), Some("5-9"));
        assert_eq!(article.id, "Doe 2001");
        assert_eq!(article.text(TextVar::Keyword), Some("bees"));
        let authors = article.names(NameVar::Author);
        assert_eq!(authors[0].given.as_deref(), Some("Ann B."));
        assert_eq!(authors[0].non_dropping_particle.as_deref(), Some("van"));
        assert_eq!(authors[1], Name::literal("The Office"));
        assert_eq!(book.number(NumberVar::CollectionNumber), Some("7"));
        assert_eq!(book.number(NumberVar::NumberOfPages), Some("113"));
        assert_eq!(book.year(), Some(2002));
        assert_eq!(chapter.kind, ItemType::Chapter);
        assert_eq!(chapter.text(TextVar::ContainerTitle), Some("Book"));
        assert_eq!(chapter.text(TextVar::Publisher), Some("House"));
        assert_eq!(chapter.names(NameVar::Editor).len(), 1);
        assert_eq!(chapter.year(), Some(2002));
    }

    #[test]
    fn a_backup_is_unpacked() {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("x.ctv6", zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(PROJECT.as_bytes()).unwrap();
        assert_eq!(items(&zip.finish().unwrap().into_inner()).len(), 3);
        let mut bomb = zip::ZipWriter::new(Cursor::new(Vec::new()));
        bomb.start_file("x.ctv6", zip::write::SimpleFileOptions::default())
            .unwrap();
        bomb.write_all(b"<CitaviExchangeData>").unwrap();
        bomb.write_all(&vec![b' '; 20_000_000]).unwrap();
        let bytes = bomb.finish().unwrap().into_inner();
        let reading = read(&Content::new(&bytes), &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems[0].code, "too_large");
    }

    #[test]
    fn json_holds_everything_in_place() {
        let reference = r#"{"ReferenceType": "Contribution", "Title": "C", "Id": "1", "Authors": [{"FirstName": "A", "LastName": "B"}], "PageRange": "<sp><n>1</n></sp><os>1-2</os>",
            "ParentReference": {"ReferenceType": "ConferenceProceedings", "Title": "P", "Id": "2", "Year": "2001", "Publishers": [{"Name": "H"}]}}"#;
        for text in [
            format!("[{reference}]"),
            format!("{{\"References\": [{reference}]}}"),
            format!(
                "{{\"Entries\": [{{\"Id\": \"x\", \"ReferenceId\": \"1\", \"Reference\": {reference}}}, {{\"ReferenceId\": \"1\", \"Reference\": {reference}}}]}}"
            ),
        ] {
            let read = items(text.as_bytes());
            assert_eq!(read.len(), 2, "{text}");
            assert_eq!(read[0].kind, ItemType::Book);
            assert_eq!(read[1].kind, ItemType::ConferencePaper);
            assert_eq!(read[1].text(TextVar::ContainerTitle), Some("P"));
            assert_eq!(read[1].year(), Some(2001));
        }
    }

    #[test]
    fn work_is_linear() {
        let steps = |count: usize| {
            let budget = Budget::unlimited();
            let reference =
                "<Reference id='1'><ReferenceType>Book</ReferenceType><Title>T</Title></Reference>";
            let list = "<OnetoN>1;1;1;1</OnetoN>".repeat(count);
            let text = format!(
                "<CitaviExchangeData><References>{}</References><ReferenceReferences>{list}</ReferenceReferences></CitaviExchangeData>",
                reference.repeat(count)
            );
            xml::read(&text, &budget).unwrap();
            budget.steps()
        };
        assert!(steps(1000) <= 11 * steps(100));
    }
}
