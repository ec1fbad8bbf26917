//! Citations of Word, and the sources that a document contains for them.

use citation_model::cite::{CiteMode, Locator};
use citation_model::identifier::Identifier;
use citation_model::item::Item;

use super::citation::{FieldCitation, Wording};
use crate::document::Cited;
use crate::error::DocumentError;
use crate::library::CslRecord;
use crate::xml::{Node, Xml};

/// The citation of a Word field: `Tag \p 12 \m Other \l 1033`.
pub(super) fn citation(arguments: &str) -> Option<FieldCitation> {
    let mut cited: Vec<Cited> = Vec::new();
    let mut wording = Wording::Style;
    let mut words = Arguments(arguments);
    let mut expects_tag = true;
    while let Some(word) = words.next() {
        let switch = word.strip_prefix('\\').map(str::to_ascii_lowercase);
        match (switch.as_deref(), cited.last_mut()) {
            (Some("m"), _) => expects_tag = true,
            (Some("l"), _) => {
                words.next();
            }
            // Without the year or the title: no style has that.
            (Some("y" | "t"), _) => wording = Wording::Author,
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
    Some(FieldCitation {
        items: cited,
        wording,
    })
}

/// The words of a field; quoted text is one word.
struct Arguments<'a>(&'a str);

impl Iterator for Arguments<'_> {
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
            items.extend(source(&mut xml)?);
        }
    }
    Ok(items)
}

fn source(xml: &mut Xml<'_>) -> Result<Option<Item>, DocumentError> {
    let mut record = CslRecord::new("document");
    let mut tag = String::new();
    let mut role = "author";
    let (mut last, mut first) = (String::new(), String::new());
    while let Some(node) = xml.next()? {
        let name = match node {
            Node::Open(element) => element.name,
            Node::Close(name) if name == "Source" => break,
            Node::Close(name) if name == "Person" => {
                let name = if first.is_empty() {
                    last.clone()
                } else {
                    format!("{last}, {first}")
                };
                record.person(role, &name);
                (last, first) = Default::default();
                continue;
            }
            _ => continue,
        };
        match name.as_str() {
            "Tag" => tag = xml.inner_text()?.trim().to_owned(),
            "SourceType" => record.set("type", item_type(xml.inner_text()?.trim())),
            "Last" => last = xml.inner_text()?,
            "First" | "Middle" => {
                first = format!("{first} {}", xml.inner_text()?).trim().to_owned()
            }
            "Corporate" => record.person(role, &xml.inner_text()?.replace(',', " ")),
            "Year" => record.year(&xml.inner_text()?),
            "Editor" | "BookAuthor" | "Translator" => role = "editor",
            "Author" => role = "author",
            "StandardNumber" => {
                let number = xml.inner_text()?;
                match Identifier::parse(&number) {
                    Ok(Identifier::Doi(doi)) => record.set("DOI", doi.as_str()),
                    _ => record.set("ISBN", number),
                }
            }
            name => {
                if let Some(variable) = variable(name) {
                    record.set(variable, xml.inner_text()?);
                }
            }
        }
    }
    Ok(record.item().map(|mut item| {
        item.id = tag;
        item
    }))
}

/// The CSL variable of an element.
fn variable(name: &str) -> Option<&'static str> {
    Some(match name {
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
        _ => return None,
    })
}

fn item_type(name: &str) -> &'static str {
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
