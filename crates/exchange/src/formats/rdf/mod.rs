//! RDF/XML: Zotero's own, and that of other programs in Bibliontology, Dublin Core, schema.org and the
//! vocabularies of Zotero's RDF.

mod graph;
mod kinds;
mod read;
mod write;

use crate::format::{Format, KeyRule};
use crate::syntax::tokens;

pub static RDF: Format = Format {
    id: "rdf",
    title: "RDF (Zotero, Bibliontology, Dublin Core, schema.org)",
    media_types: &["application/rdf+xml"],
    extensions: &["rdf"],
    recognise: |content, _| {
        let names = ["http://www.w3.org/1999/02/22-rdf-syntax-ns#"];
        content.root().is_some_and(|root| root.name == "RDF")
            && names.iter().any(|name| content.head().contains(name))
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::zotero(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">",
            "<rdf:Description rdf:about=\"a\">",
            "</rdf:Description>",
            "<bib:Book rdf:about=\"#a\">",
            "<dc:title>",
            "<dcterms:isPartOf rdf:resource=\"#a\"/>",
            "<rdf:Seq>",
            "<rdf:li>",
            "<bib:authors>",
            "<foaf:Person>",
            "<rdf:value>",
        ],
    ],
};

/// Write-only: it is read like any RDF.
pub static DUBLIN_CORE: Format = Format {
    id: "dublin-core",
    title: "Dublin Core (RDF)",
    media_types: &["application/rdf+xml"],
    extensions: &["rdf"],
    recognise: |_, _| false,
    read: None,
    write: Some(|items, _, budget| write::dublin_core(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[],
};

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::budget::Budget;
    use citation_model::item::Item;
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

    const HEAD: &str = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#;

    fn items(body: &str) -> Vec<Item> {
        let text = format!("{HEAD}{body}</rdf:RDF>");
        let reading = read::read(&text, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, [], "{body}");
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn written_works_come_back() {
        crate::testing::check_round_trip(&RDF, crate::testing::WRITTEN);
    }

    #[test]
    fn section_of_a_newspaper_is_not_its_title() {
        let read = items(concat!(
            "<bib:Article rdf:about='#1'><z:itemType>newspaperArticle</z:itemType><dc:title>T</dc:title><dcterms:isPartOf><bib:Part><dc:title>Opinion</dc:title>",
            "<dcterms:isPartOf rdf:resource='urn:issn:1234-5679'/></bib:Part></dcterms:isPartOf></bib:Article>",
            "<bib:Newspaper rdf:about='urn:issn:1234-5679'><dc:title>The Daily</dc:title></bib:Newspaper>",
        ));
        assert_eq!(read[0].text(TextVar::ContainerTitle), Some("The Daily"));
    }

    #[test]
    fn zotero_items_are_joined_with_their_journals() {
        let read = items(concat!(
            "<bib:Article rdf:about='#1'><z:itemType>journalArticle</z:itemType><dcterms:isPartOf rdf:resource='urn:issn:1234-5679'/>",
            "<bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Doe</foaf:surname><foaf:givenName>J.</foaf:givenName></foaf:Person></rdf:li></rdf:Seq></bib:authors>",
            "<dc:title>T</dc:title><dc:date>2001-02</dc:date><bib:pages>1–9</bib:pages><link:link rdf:resource='#2'/><dcterms:isReferencedBy rdf:resource='#3'/>",
            "<dc:subject>a</dc:subject><dc:subject><z:AutomaticTag><rdf:value>b</rdf:value></z:AutomaticTag></dc:subject>",
            "<dc:identifier><dcterms:URI><rdf:value>https://x.org</rdf:value></dcterms:URI></dc:identifier><dcterms:dateSubmitted>2020-01-02 10:00:00</dcterms:dateSubmitted></bib:Article>",
            "<bib:Journal rdf:about='urn:issn:1234-5679'><dc:title>J</dc:title><prism:volume>3</prism:volume><prism:number>4</prism:number>",
            "<dcterms:alternative>J.</dcterms:alternative><dc:identifier>ISSN 1234-5679</dc:identifier><dc:identifier>DOI 10.5555/x</dc:identifier></bib:Journal>",
            "<z:Attachment rdf:about='#2'><z:itemType>attachment</z:itemType><dc:title>PDF</dc:title></z:Attachment>",
            "<bib:Memo rdf:about='#3'><rdf:value>note</rdf:value></bib:Memo><z:Collection rdf:about='#c'><dc:title>C</dc:title></z:Collection>",
        ));
        assert_eq!(read.len(), 1);
        let item = &read[0];
        assert_eq!(item.text(TextVar::ContainerTitle), Some("J"));
        assert_eq!(item.text(TextVar::ContainerTitleShort), Some("J."));
        assert_eq!(
            (
                item.number(NumberVar::Volume),
                item.number(NumberVar::Issue)
            ),
            (Some("3"), Some("4"))
        );
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/x"));
        assert_eq!(item.text(TextVar::Issn), Some("1234-5679"));
        assert_eq!(item.text(TextVar::Url), Some("https://x.org"));
        assert_eq!(item.text(TextVar::Keyword), Some("a, b"));
        assert_eq!(item.date(DateVar::Accessed).unwrap().edtf(), "2020-01-02");
        assert_eq!(item.names(NameVar::Author), [Name::person("Doe", "J.")]);
    }

    #[test]
    fn bibliontology_and_schema_are_read() {
        let read = items(concat!(
            "<bibo:Chapter rdf:about='x'><dcterms:title>C</dcterms:title><bibo:authorList><rdf:Seq><rdf:_2 rdf:nodeID='b'/><rdf:_1 rdf:nodeID='a'/></rdf:Seq></bibo:authorList>",
            "<dcterms:creator rdf:nodeID='a'/><dcterms:isPartOf><bibo:EditedBook><dcterms:title>B</dcterms:title><bibo:isbn13>9780306406157</bibo:isbn13>",
            "<dcterms:publisher><foaf:Organization><foaf:name>P</foaf:name></foaf:Organization></dcterms:publisher></bibo:EditedBook></dcterms:isPartOf>",
            "<bibo:pageStart>5</bibo:pageStart><bibo:pageEnd>9</bibo:pageEnd></bibo:Chapter>",
            "<foaf:Person rdf:nodeID='a'><foaf:name>Jane Doe</foaf:name></foaf:Person><foaf:Person rdf:nodeID='b'><foaf:familyName>Roe</foaf:familyName></foaf:Person>",
            "<schema:SoftwareSourceCode><schema:name>S</schema:name><schema:author rdf:resource='p'/><schema:datePublished>2017-06-05</schema:datePublished><schema:version>2.0</schema:version></schema:SoftwareSourceCode>",
            "<schema:Person rdf:about='p'><schema:givenName>Ann</schema:givenName><schema:familyName>Lee</schema:familyName></schema:Person>",
            "<rdf:Description rdf:about='d'><dc:title>D</dc:title><dc:creator>Lee, Ann</dc:creator><dc:type>Book</dc:type><dc:identifier>doi:10.5555/y</dc:identifier></rdf:Description>",
        ));
        assert_eq!(
            read.iter().map(|item| item.kind).collect::<Vec<_>>(),
            [ItemType::Chapter, ItemType::Software, ItemType::Book]
        );
        assert_eq!(
            read[0].names(NameVar::Author),
            [Name::person("Doe", "Jane"), Name::person("Roe", "")]
        );
        assert_eq!(read[0].text(TextVar::ContainerTitle), Some("B"));
        assert_eq!(read[0].text(TextVar::Publisher), Some("P"));
        assert_eq!(read[0].number(NumberVar::Page), Some("5-9"));
        assert_eq!(read[1].names(NameVar::Author), [Name::person("Lee", "Ann")]);
        assert_eq!(read[1].number(NumberVar::Version), Some("2.0"));
        assert_eq!(read[2].text(TextVar::Doi), Some("10.5555/y"));
    }

    #[test]
    fn circles_and_many_references_are_survived() {
        let circle = "<bib:Article rdf:about='a'><dc:title>T</dc:title><dcterms:isPartOf rdf:resource='a'/></bib:Article>";
        assert_eq!(items(circle).len(), 1);
        let parts = "<dcterms:isPartOf rdf:resource='j'/>".repeat(1000);
        let many = format!(
            "<bib:Journal rdf:about='j'>{parts}</bib:Journal><bib:Article>{parts}<dc:title>T</dc:title></bib:Article>"
        );
        assert_eq!(items(&many).len(), 1);
        let steps = |count: usize| {
            let budget = Budget::unlimited();
            let one = "<bib:Article><dc:title>T</dc:title><dcterms:isPartOf rdf:resource='j'/></bib:Article>";
            let text = format!(
                "{HEAD}{}<bib:Journal rdf:about='j'><dc:title>J</dc:title></bib:Journal></rdf:RDF>",
                one.repeat(count)
            );
            read::read(&text, &budget).unwrap();
            budget.steps()
        };
        assert!(steps(1000) <= 11 * steps(100));
    }
}
