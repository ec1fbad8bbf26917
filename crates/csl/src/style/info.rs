//! A style's metadata: titles, links, categories, license.

use crate::xml::XmlElement;

/// The metadata of a style (specification, «Info»).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Usually a URL, such as `http://www.zotero.org/styles/apa`.
    pub id: String,
    pub title: String,
    pub title_short: Option<String>,
    /// The id of the independent style that a dependent style uses.
    pub parent: Option<String>,
    pub citation_format: Option<CitationFormat>,
    pub fields: Vec<String>,
    /// ISSN and eISSN of the journal.
    pub issn: Vec<String>,
    pub summary: Option<String>,
    /// As written in the style, an ISO 8601 date and time.
    pub updated: Option<String>,
    /// The license's address, or its text if there is no address.
    pub license: Option<String>,
    pub documentation: Vec<String>,
}

/// The kind of citation (specification, «Info», `citation-format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationFormat {
    AuthorDate,
    Author,
    Numeric,
    Label,
    Note,
}

impl CitationFormat {
    pub fn parse(text: &str) -> Option<CitationFormat> {
        match text {
            "author-date" => Some(CitationFormat::AuthorDate),
            "author" => Some(CitationFormat::Author),
            "numeric" => Some(CitationFormat::Numeric),
            "label" => Some(CitationFormat::Label),
            "note" => Some(CitationFormat::Note),
            _ => None,
        }
    }

    /// The CSL spelling.
    pub fn csl(self) -> &'static str {
        match self {
            CitationFormat::AuthorDate => "author-date",
            CitationFormat::Author => "author",
            CitationFormat::Numeric => "numeric",
            CitationFormat::Label => "label",
            CitationFormat::Note => "note",
        }
    }
}

/// Reads `cs:info`.
pub fn read(info: &XmlElement) -> Info {
    let mut out = Info::default();
    for child in &info.children {
        let text = || squeezed(&child.text);
        match child.name {
            "id" => out.id = text(),
            "title" => out.title = text(),
            "title-short" => out.title_short = Some(text()),
            "summary" => out.summary = Some(text()),
            "updated" => out.updated = Some(text()),
            "issn" | "eissn" | "issnl" => out.issn.push(text()),
            "rights" => {
                let words = text();
                let address = child.attribute("license").map(str::to_owned);
                out.license = address.or((!words.is_empty()).then_some(words));
            }
            "link" => read_link(child, &mut out),
            "category" => {
                if let Some(format) = child.attribute("citation-format") {
                    out.citation_format = CitationFormat::parse(format);
                }
                out.fields
                    .extend(child.attribute("field").map(str::to_owned));
            }
            _ => {}
        }
    }
    out
}

fn read_link(link: &XmlElement, out: &mut Info) {
    let Some(href) = link.attribute("href") else {
        return;
    };
    match link.attribute("rel") {
        Some("independent-parent") => out.parent = Some(href.to_owned()),
        Some("documentation") => out.documentation.push(href.to_owned()),
        _ => {}
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
