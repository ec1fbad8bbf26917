//! Works as linked data, in the form of Crossref's API, and as metadata for web pages. Write-only.

mod crossref;
mod highwire;
mod open_url;
mod rdf;
mod schema_org;

pub use crossref::{crossref, crossref_type, item_type_of_crossref};
pub use highwire::highwire;
pub use open_url::{coins, open_url};
pub use rdf::{rdf_xml, turtle};
pub use schema_org::schema_org;

use citation_model::item::Item;
use citation_model::variable::NumberVar;

/// The first page and the last page, if any.
fn pages(item: &Item) -> Option<(&str, Option<&str>)> {
    let pages = item
        .number(NumberVar::Page)
        .or_else(|| item.number(NumberVar::PageFirst))?;
    let mut ends = pages
        .split(['-', '–', '—'])
        .map(str::trim)
        .filter(|end| !end.is_empty());
    Some((ends.next()?, ends.next_back()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::budget::Budget;
    use citation_model::date::{Date, DateParts};
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar, TextVar};
    use serde_json::json;

    fn article() -> Item {
        let mut item = Item::new("a", ItemType::Article);
        item.set_text(TextVar::Title, "Oaks & \"elms\"");
        item.set_text(TextVar::Doi, "10.1000/a<b");
        item.set_text(TextVar::ContainerTitle, "Journal of Trees");
        item.set_text(TextVar::Issn, "1234-5679");
        item.set_text(TextVar::Publisher, "Wood Press");
        item.set_number(NumberVar::Volume, "3");
        item.set_number(NumberVar::Issue, "4");
        item.set_number(NumberVar::Page, "12–34");
        let authors = vec![Name::person("Doe", "Jane"), Name::literal("Tree Society")];
        item.set_names(NameVar::Author, authors);
        let parts = DateParts::new(2020, Some(5), None);
        item.set_date(
            DateVar::Issued,
            Date {
                start: Some(parts),
                ..Date::default()
            },
        );
        item
    }

    #[test]
    fn schema_org_names_article_and_journal() {
        let written = schema_org(&article());
        assert_eq!(written["@context"], "https://schema.org");
        assert_eq!(written["@type"], "ScholarlyArticle");
        assert_eq!(written["@id"], "https://doi.org/10.1000/a%3Cb");
        assert_eq!(written["headline"], "Oaks & \"elms\"");
        assert_eq!(written["author"][0]["familyName"], "Doe");
        assert_eq!(written["author"][1]["@type"], "Organization");
        assert_eq!(written["datePublished"], "2020-05");
        assert_eq!(written["isPartOf"]["@type"], "PublicationIssue");
        assert_eq!(written["isPartOf"]["isPartOf"]["volumeNumber"], "3");
        assert_eq!(
            written["isPartOf"]["isPartOf"]["isPartOf"]["issn"],
            json!(["1234-5679"])
        );
        assert_eq!(
            (&written["pageStart"], &written["pageEnd"]),
            (&json!("12"), &json!("34"))
        );
    }

    #[test]
    fn turtle_escapes_what_would_end_a_literal() {
        let written = turtle(&[article()], &Budget::unlimited()).unwrap();
        assert!(
            written.contains("<http://dx.doi.org/10.1000/a%3Cb>"),
            "{written}"
        );
        assert!(
            written.contains(r#"dct:title "Oaks & \"elms\"""#),
            "{written}"
        );
        assert!(
            written.contains(r#"dct:date "2020-05"^^xsd:gYearMonth"#),
            "{written}"
        );
        assert!(written.contains(r#"bibo:pageEnd "34""#), "{written}");
        assert!(written.ends_with(".\n"));
    }

    #[test]
    fn rdf_xml_is_well_formed() {
        let written = rdf_xml(&[article()], &Budget::unlimited()).unwrap();
        let mut reader = quick_xml::Reader::from_str(&written);
        let mut depth = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Start(_) => depth += 1,
                quick_xml::events::Event::End(_) => depth -= 1,
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        assert!(
            written.contains("<dct:title>Oaks &amp; &quot;elms&quot;</dct:title>"),
            "{written}"
        );
    }

    #[test]
    fn crossref_message_has_lists_and_date_parts() {
        let written = crossref(&article());
        assert_eq!(written["DOI"], "10.1000/a<b");
        assert_eq!(written["type"], "journal-article");
        assert_eq!(written["title"], json!(["Oaks & \"elms\""]));
        assert_eq!(written["container-title"], json!(["Journal of Trees"]));
        assert_eq!(written["issued"]["date-parts"], json!([[2020, 5]]));
        assert_eq!(written["author"][0]["sequence"], "first");
        assert_eq!(written["author"][1]["name"], "Tree Society");
        assert_eq!(written["page"], "12-34");
        let unknown = crossref(&Item::new("b", ItemType::Book));
        assert_eq!(unknown["issued"]["date-parts"], json!([[null]]));
    }
}
