//! Citations of EndNote.

use citation_model::cite::{CiteMode, Locator};
use citation_model::item::Item;
use citation_model::variable::TextVar;

use super::citation::{FieldCitation, Wording};
use crate::document::Cited;
use crate::error::DocumentError;
use crate::library::CslRecord;
use crate::xml::{Node, Xml};

/// The citation of an EndNote field.
pub(super) fn citation(xml: &str) -> Option<FieldCitation> {
    read(xml).ok()
}

fn read(xml: &str) -> Result<FieldCitation, DocumentError> {
    let mut xml = Xml::new(xml, "a field of EndNote");
    let mut citation = FieldCitation::default();
    let mut are_alike = true;
    while let Some(node) = xml.next()? {
        let element = match node {
            Node::Open(element) if element.name == "Cite" => element,
            // The data may have anything behind their end.
            Node::Close(name) if name == "EndNote" => break,
            _ => continue,
        };
        let is = |name: &str| element.attribute(name).as_deref() == Some("1");
        let mode = match (is("AuthorYear"), is("ExcludeAuth"), is("ExcludeYear")) {
            _ if is("Hidden") => None,
            (_, true, true) => None,
            (_, true, false) => Some(CiteMode::SuppressAuthor),
            (_, false, true) => Some(CiteMode::AuthorOnly),
            (true, false, false) => Some(CiteMode::Composite),
            (false, false, false) => Some(CiteMode::Normal),
        };
        let mut cited = cite(&mut xml)?;
        cited.cite.mode = mode.unwrap_or_default();
        are_alike &= mode.is_some_and(|mode| mode != CiteMode::Composite);
        citation.items.push(cited);
    }
    // A style names one author in the text, and prints every work.
    let is_narrative =
        matches!(citation.items.as_slice(), [cited] if cited.cite.mode == CiteMode::Composite);
    if !are_alike && !is_narrative {
        citation.wording = Wording::Author;
    }
    Ok(citation)
}

fn cite(xml: &mut Xml<'_>) -> Result<Cited, DocumentError> {
    let mut cited = Cited::default();
    let (mut author, mut year) = (String::new(), String::new());
    while let Some(node) = xml.next()? {
        let name = match node {
            Node::Open(element) => element.name,
            Node::Close(name) if name == "Cite" => break,
            _ => continue,
        };
        match name.as_str() {
            "RecNum" => cited.cite.id = xml.inner_text()?.trim().to_owned(),
            "Author" => author = xml.inner_text()?,
            "Year" => year = xml.inner_text()?,
            "Prefix" => cited.cite.prefix = xml.inner_text()?,
            "Suffix" => cited.cite.suffix = xml.inner_text()?,
            "Pages" => {
                let value = xml.inner_text()?.trim().to_owned();
                cited.cite.locator = (!value.is_empty()).then(|| Locator {
                    label: "page".to_owned(),
                    value,
                });
            }
            "record" => record(xml, &mut cited)?,
            _ => {}
        }
    }
    if cited.item.is_none() {
        let mut record = CslRecord::new("document");
        record.person("author", &author);
        record.year(&year);
        cited.item = record.item();
    }
    cited.doi = cited.item.as_ref().and_then(Item::doi);
    Ok(cited)
}

fn record(xml: &mut Xml<'_>, cited: &mut Cited) -> Result<(), DocumentError> {
    let mut record = CslRecord::new("document");
    let (mut address, mut full_title) = (String::new(), String::new());
    let mut role = "author";
    let mut inside = String::new();
    while let Some(node) = xml.next()? {
        let element = match node {
            Node::Open(element) => element,
            Node::Close(name) if name == "record" => break,
            Node::Close(_) => continue,
            Node::Text(_) => continue,
        };
        match element.name.as_str() {
            "ref-type" => {
                let name = element.attribute("name").unwrap_or_default();
                record.set("type", item_type(&name));
            }
            // The number of a record counts within its library.
            "key" => {
                let library = element.attribute("db-id").unwrap_or_default();
                let number = xml.inner_text()?;
                if !library.is_empty() && !number.trim().is_empty() {
                    cited.records.push(format!("{library} {}", number.trim()));
                }
            }
            "authors" => role = "author",
            "secondary-authors" => role = "editor",
            "tertiary-authors" | "subsidiary-authors" | "translated-authors" => {
                role = "contributor"
            }
            "author" => record.person(role, &xml.inner_text()?),
            "related-urls" | "pdf-urls" | "web-urls" => inside = element.name,
            "url" if inside != "pdf-urls" && address.is_empty() => address = xml.inner_text()?,
            "title" => record.set("title", xml.inner_text()?),
            "secondary-title" => record.set("container-title", xml.inner_text()?),
            "full-title" => full_title = xml.inner_text()?,
            "year" => record.year(&xml.inner_text()?),
            "electronic-resource-num" => record.set("DOI", xml.inner_text()?),
            name => {
                let variable = match name {
                    "volume" => "volume",
                    "number" => "issue",
                    "pages" => "page",
                    "publisher" => "publisher",
                    "pub-location" => "publisher-place",
                    "isbn" => "ISBN",
                    "accession-num" => "archive_location",
                    _ => continue,
                };
                record.set(variable, xml.inner_text()?);
            }
        }
    }
    record.set("URL", address);
    let mut item = record.item();
    if let Some(item) = &mut item
        && item.text(TextVar::ContainerTitle).is_none()
    {
        item.set_text(TextVar::ContainerTitle, full_title);
    }
    cited.item = item;
    Ok(())
}

fn item_type(name: &str) -> &'static str {
    match name {
        "Journal Article" | "Electronic Article" => "article-journal",
        "Book" | "Edited Book" | "Electronic Book" => "book",
        "Book Section" | "Electronic Book Section" | "Encyclopedia" => "chapter",
        "Conference Paper" | "Conference Proceedings" => "paper-conference",
        "Thesis" => "thesis",
        "Report" | "Government Document" => "report",
        "Web Page" | "Blog" | "Online Multimedia" => "webpage",
        "Newspaper Article" => "article-newspaper",
        "Magazine Article" => "article-magazine",
        "Patent" => "patent",
        "Dataset" => "dataset",
        "Computer Program" => "software",
        _ => "document",
    }
}
