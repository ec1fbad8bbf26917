//! Parses what citation programs store in fields of word processors: CSL-JSON of Zotero and Mendeley, XML
//! of EndNote, tags of Word's own sources.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use citation_model::cite::{CiteMode, Locator};
use citation_model::cite_json::id_text;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use serde_json::Value;

use crate::document::Cited;
use crate::error::DocumentError;
use crate::library::Record;
use crate::xml::{Node, Xml};

/// The meaning of a field for references.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Citation(Vec<Cited>),
    Bibliography,
    /// A table of contents: its headings are not headings of the text.
    Contents,
    Other,
}

/// Reads the instruction of a field or the name of a mark, with EndNote's data.
pub(crate) fn read(instruction: &str, fld_data: &str) -> Field {
    let code = instruction.trim();
    let code = code.strip_prefix("ADDIN").unwrap_or(code).trim_start();
    let first = code.split_whitespace().next().unwrap_or_default();
    match first {
        "EN.CITE" => {
            let own = code.get("EN.CITE".len()..).unwrap_or_default().trim();
            let xml = match own.starts_with('<') {
                true => Some(own.to_owned()),
                false => base64_text(fld_data),
            };
            Field::Citation(xml.map(|xml| endnote(&xml)).unwrap_or_default())
        }
        "EN.REFLIST" | "BIBLIOGRAPHY" | "ZOTERO_BIBL" | "BIBL" => Field::Bibliography,
        "CITATION" => Field::Citation(word(code.get("CITATION".len()..).unwrap_or_default())),
        "TOC" => Field::Contents,
        _ if code.contains("CSL_BIBLIOGRAPHY") => Field::Bibliography,
        _ if code.contains("CSL_CITATION") || first.starts_with("ZOTERO_") || first == "ITEM" => {
            match code.find('{').and_then(|at| code.get(at..)) {
                Some(json) => Field::Citation(csl(json)),
                None => Field::Other,
            }
        }
        _ => Field::Other,
    }
}

/// The tag of a content control of Mendeley Cite.
pub(crate) fn read_tag(tag: &str) -> Field {
    if tag.starts_with("MENDELEY_BIBLIOGRAPHY") {
        return Field::Bibliography;
    }
    match tag.strip_prefix("MENDELEY_CITATION") {
        Some(rest) => {
            let code = rest.rsplit_once("v3_").map_or(rest, |(_, code)| code);
            Field::Citation(base64_text(code).map(|json| csl(&json)).unwrap_or_default())
        }
        None => Field::Other,
    }
}

/// Replaces the text in a code of Zotero or Mendeley, as RTF and unformatted; `None` for other codes.
pub(crate) fn with_text(code: &str, formatted: &str, plain: &str) -> Option<String> {
    if let Some(rest) = code.strip_prefix("MENDELEY_CITATION") {
        let (version, encoded) = rest.rsplit_once("v3_")?;
        let mut citation: Value = serde_json::from_str(&base64_text(encoded)?).ok()?;
        let text = citation.pointer_mut("/manualOverride/citeprocText")?;
        *text = Value::from(plain);
        let encoded = STANDARD.encode(citation.to_string());
        return Some(format!("MENDELEY_CITATION{version}v3_{encoded}"));
    }
    let (head, json) = code.split_at_checked(code.find('{')?)?;
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let mut citation = values.next()?.ok()?;
    let tail = json.get(values.byte_offset()..)?;
    citation.get("citationItems")?;
    let (place, names) = match citation.get("mendeley") {
        Some(_) => (
            "mendeley",
            [
                "formattedCitation",
                "plainTextFormattedCitation",
                "previouslyFormattedCitation",
            ]
            .as_slice(),
        ),
        None => (
            "properties",
            ["formattedCitation", "plainCitation"].as_slice(),
        ),
    };
    let members = citation.get_mut(place)?.as_object_mut()?;
    for name in names {
        let text = if *name == "formattedCitation" && place == "properties" {
            formatted
        } else {
            plain
        };
        members.insert((*name).to_owned(), Value::from(text));
    }
    Some(format!("{head}{citation}{tail}"))
}

/// Decodes base64 with line breaks and any padding.
fn base64_text(text: &str) -> Option<String> {
    let mut compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '=')
        .collect();
    while !compact.len().is_multiple_of(4) {
        compact.push('=');
    }
    let bytes = STANDARD.decode(compact).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(text.trim_end_matches('\0').to_owned())
}

/// A citation in CSL-JSON. Text after it, such as Zotero's random mark, is skipped.
fn csl(json: &str) -> Vec<Cited> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let Some(Ok(citation)) = values.next() else {
        return Vec::new();
    };
    let items = citation.get("citationItems").and_then(Value::as_array);
    items.into_iter().flatten().map(csl_cite).collect()
}

fn csl_cite(value: &Value) -> Cited {
    let data = value.get("itemData").or_else(|| value.get("item"));
    let item: Option<Item> = data.and_then(|data| serde_json::from_value(data.clone()).ok());
    let key = data
        .and_then(|data| data.get("citation-key"))
        .or_else(|| value.get("id"))
        .map(id_text)
        .unwrap_or_default();
    let mut cited = match item {
        Some(item) => Cited::of_item(key, item),
        None => Cited::key(key),
    };
    let text = |name: &str| value.get(name).map(id_text).unwrap_or_default();
    let is = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    cited.cite.prefix = text("prefix");
    cited.cite.suffix = text("suffix");
    let locator = text("locator");
    if !locator.is_empty() {
        let label = text("label");
        cited.cite.locator = Some(Locator {
            label: if label.is_empty() {
                "page".to_owned()
            } else {
                label
            },
            value: locator,
        });
    }
    cited.cite.mode = match () {
        () if is("suppress-author") => CiteMode::SuppressAuthor,
        () if is("author-only") => CiteMode::AuthorOnly,
        () if is("composite") => CiteMode::Composite,
        () => CiteMode::Normal,
    };
    cited
}

/// The citation of a Word field: `Tag \p 12 \m Other \l 1033`.
fn word(arguments: &str) -> Vec<Cited> {
    let mut cited: Vec<Cited> = Vec::new();
    let mut words = Words(arguments);
    let mut expects_tag = true;
    while let Some(word) = words.next() {
        let switch = word.strip_prefix('\\').map(str::to_ascii_lowercase);
        match (switch.as_deref(), cited.last_mut()) {
            (Some("m"), _) => expects_tag = true,
            (Some("l"), _) => {
                words.next();
            }
            (Some("n"), Some(last)) => last.cite.mode = CiteMode::SuppressAuthor,
            (Some("f"), Some(last)) => last.cite.prefix = words.next().unwrap_or_default(),
            (Some("s"), Some(last)) => last.cite.suffix = words.next().unwrap_or_default(),
            (Some(name @ ("p" | "v")), Some(last)) => {
                last.cite.locator = words.next().map(|value| Locator {
                    label: if name == "p" { "page" } else { "volume" }.to_owned(),
                    value,
                });
            }
            (Some(_), _) => {}
            (None, _) if expects_tag => {
                expects_tag = false;
                cited.push(Cited::key(word));
            }
            (None, _) => {}
        }
    }
    cited
}

/// The words of a field; quoted text is one word.
struct Words<'a>(&'a str);

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let text = self.0.trim_start();
        if text.is_empty() {
            return None;
        }
        let (word, rest) = match text.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        };
        self.0 = rest;
        Some(word.to_owned())
    }
}

/// The citation of an EndNote field.
fn endnote(xml: &str) -> Vec<Cited> {
    read_endnote(xml).unwrap_or_default()
}

fn read_endnote(xml: &str) -> Result<Vec<Cited>, DocumentError> {
    let mut xml = Xml::new(xml, "a field of EndNote");
    let mut cited = Vec::new();
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == "Cite"
        {
            let is_without = element.attribute("ExcludeAuth").as_deref() == Some("1");
            cited.push(endnote_cite(&mut xml)?.without_author(is_without));
        }
    }
    Ok(cited)
}

fn endnote_cite(xml: &mut Xml<'_>) -> Result<Cited, DocumentError> {
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
            "record" => cited.item = endnote_record(xml)?,
            _ => {}
        }
    }
    if cited.item.is_none() {
        let mut record = Record::new("document");
        record.person("author", &author);
        record.year(&year);
        cited.item = record.item();
    }
    cited.doi = cited.item.as_ref().and_then(Item::doi);
    Ok(cited)
}

fn endnote_record(xml: &mut Xml<'_>) -> Result<Option<Item>, DocumentError> {
    let mut record = Record::new("document");
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
                record.set("type", endnote_kind(&name));
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
    Ok(item)
}

fn endnote_kind(name: &str) -> &'static str {
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

/// The works in Word's own sources (ECMA-376 part 1, 22.6), with their tags as ids. Empty for any other
/// part.
pub(crate) fn word_sources(text: &str) -> Result<Vec<Item>, DocumentError> {
    let mut items = Vec::new();
    if !text.contains("/bibliography") {
        return Ok(items);
    }
    let mut xml = Xml::new(text, "the list of sources");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == "Source"
        {
            items.extend(word_source(&mut xml)?);
        }
    }
    Ok(items)
}

fn word_source(xml: &mut Xml<'_>) -> Result<Option<Item>, DocumentError> {
    let mut record = Record::new("document");
    let mut tag = String::new();
    let mut role = "author";
    let (mut last, mut first) = (String::new(), String::new());
    while let Some(node) = xml.next()? {
        let name = match node {
            Node::Open(element) => element.name,
            Node::Close(name) if name == "Source" => break,
            Node::Close(name) if name == "Person" => {
                let name = match first.is_empty() {
                    true => last.clone(),
                    false => format!("{last}, {first}"),
                };
                record.person(role, &name);
                (last, first) = Default::default();
                continue;
            }
            _ => continue,
        };
        let variable = match name.as_str() {
            "Tag" => {
                tag = xml.inner_text()?.trim().to_owned();
                continue;
            }
            "SourceType" => {
                record.set("type", word_kind(xml.inner_text()?.trim()));
                continue;
            }
            "Last" => {
                last = xml.inner_text()?;
                continue;
            }
            "First" | "Middle" => {
                first = format!("{first} {}", xml.inner_text()?).trim().to_owned();
                continue;
            }
            "Corporate" => {
                let name = xml.inner_text()?.replace(',', " ");
                record.person(role, &name);
                continue;
            }
            "Year" => {
                record.year(&xml.inner_text()?);
                continue;
            }
            "Editor" | "BookAuthor" | "Translator" => {
                role = "editor";
                continue;
            }
            "Author" => {
                role = "author";
                continue;
            }
            "Title" => "title",
            "JournalName" | "BookTitle" | "ConferenceName" | "PeriodicalTitle"
            | "InternetSiteTitle" | "PublicationTitle" => "container-title",
            "Volume" => "volume",
            "Issue" => "issue",
            "Pages" => "page",
            "Publisher" | "Institution" => "publisher",
            "City" => "publisher-place",
            "URL" => "URL",
            "DOI" => "DOI",
            "Edition" => "edition",
            "StandardNumber" => {
                let number = xml.inner_text()?;
                match Identifier::parse(&number) {
                    Ok(Identifier::Doi(doi)) => {
                        record.set("DOI", doi.as_str());
                    }
                    _ => record.set("ISBN", number),
                }
                continue;
            }
            _ => continue,
        };
        record.set(variable, xml.inner_text()?);
    }
    Ok(record.item().map(|mut item| {
        item.id = tag;
        item
    }))
}

fn word_kind(name: &str) -> &'static str {
    match name {
        "JournalArticle" => "article-journal",
        "ArticleInAPeriodical" => "article-magazine",
        "Book" => "book",
        "BookSection" => "chapter",
        "ConferenceProceedings" => "paper-conference",
        "Report" => "report",
        "InternetSite" | "DocumentFromInternetSite" => "webpage",
        "Patent" => "patent",
        _ => "document",
    }
}

/// The codes that Zotero stores in document properties if its citations are bookmarks; in pieces:
/// `ZOTERO_BREF_x_1`, `…_2`.
pub(crate) fn bookmark_codes(
    text: &str,
    property: &str,
) -> Result<HashMap<String, String>, DocumentError> {
    let mut pieces: HashMap<String, Vec<(usize, String)>> = HashMap::new();
    let mut xml = Xml::new(text, "the properties");
    while let Some(node) = xml.next()? {
        if let Node::Open(element) = node
            && element.name == property
            && let Some(name) = element.attribute("name")
            && let Some((bookmark, number)) = name.rsplit_once('_')
            && bookmark.starts_with("ZOTERO_BREF")
            && let Ok(number) = number.parse()
        {
            let piece = (number, xml.inner_text()?);
            pieces.entry(bookmark.to_owned()).or_default().push(piece);
        }
    }
    let joined = pieces.into_iter().map(|(bookmark, mut pieces)| {
        pieces.sort();
        (bookmark, pieces.into_iter().map(|(_, text)| text).collect())
    });
    Ok(joined.collect())
}
