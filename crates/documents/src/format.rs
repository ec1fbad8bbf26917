//! Detects the format of a file.

use citation_exchange::{Content, Hints};
use citation_model::budget::Budget;

use crate::error::DocumentError;

/// A manuscript format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ManuscriptFormat {
    Docx,
    Odt,
    /// With `.bbl` and `.aux`.
    Tex,
    /// Of pandoc, Quarto and R Markdown.
    Markdown,
    Typst,
    Html,
    Rtf,
    Pdf,
    #[default]
    Text,
}

impl ManuscriptFormat {
    pub const ALL: [ManuscriptFormat; 9] = [
        ManuscriptFormat::Docx,
        ManuscriptFormat::Odt,
        ManuscriptFormat::Tex,
        ManuscriptFormat::Markdown,
        ManuscriptFormat::Typst,
        ManuscriptFormat::Html,
        ManuscriptFormat::Rtf,
        ManuscriptFormat::Pdf,
        ManuscriptFormat::Text,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ManuscriptFormat::Docx => "docx",
            ManuscriptFormat::Odt => "odt",
            ManuscriptFormat::Tex => "tex",
            ManuscriptFormat::Markdown => "markdown",
            ManuscriptFormat::Typst => "typst",
            ManuscriptFormat::Html => "html",
            ManuscriptFormat::Rtf => "rtf",
            ManuscriptFormat::Pdf => "pdf",
            ManuscriptFormat::Text => "text",
        }
    }

    /// The format of a file extension without dot, case-insensitively.
    pub fn of_extension(extension: &str) -> Option<ManuscriptFormat> {
        let extension = extension.to_ascii_lowercase();
        let has = |format: &ManuscriptFormat| format.extensions().contains(&extension.as_str());
        ManuscriptFormat::ALL.into_iter().find(has)
    }

    /// The file extensions without dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            ManuscriptFormat::Docx => &["docx", "docm", "dotx"],
            ManuscriptFormat::Odt => &["odt", "ott"],
            ManuscriptFormat::Tex => &["tex", "latex", "ltx", "bbl", "aux"],
            ManuscriptFormat::Markdown => &["md", "markdown", "qmd", "rmd", "mdown"],
            ManuscriptFormat::Typst => &["typ"],
            ManuscriptFormat::Html => &["html", "htm", "xhtml"],
            ManuscriptFormat::Rtf => &["rtf"],
            ManuscriptFormat::Pdf => &["pdf"],
            ManuscriptFormat::Text => &["txt", "text"],
        }
    }
}

/// The format of a file. Packages and PDF are detected by content, the rest by name.
pub fn detect(name: &str, bytes: &[u8]) -> Result<ManuscriptFormat, DocumentError> {
    let unsupported = |kind, hint| Err(DocumentError::Unsupported { kind, hint });
    if is_pdf(bytes) {
        return Ok(ManuscriptFormat::Pdf);
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return if is_encrypted_package(bytes) {
            Err(DocumentError::Encrypted(name.to_owned()))
        } else {
            unsupported("a file of Word 97 to 2003", "save it as .docx")
        };
    }
    if is_flat_text(bytes) {
        return Ok(ManuscriptFormat::Odt);
    }
    if bytes.starts_with(b"{\\rtf") {
        return Ok(ManuscriptFormat::Rtf);
    }
    let by_name = if is_book(name) {
        Some(ManuscriptFormat::Markdown)
    } else {
        name.rsplit_once('.')
            .and_then(|(_, extension)| ManuscriptFormat::of_extension(extension))
    };
    if bytes.starts_with(b"PK") {
        return match crate::package::kind(bytes) {
            Some(format) => Ok(format),
            None => unsupported("a package of another kind", "give a .docx or an .odt"),
        };
    }
    if let Some((_, kind, hint)) = unread(name) {
        return unsupported(kind, hint);
    }
    match by_name {
        Some(ManuscriptFormat::Docx | ManuscriptFormat::Odt) => {
            Err(DocumentError::broken(name, "it is no package"))
        }
        Some(ManuscriptFormat::Pdf) => Err(DocumentError::broken(name, "it is no PDF")),
        Some(format) => Ok(format),
        None if looks_like_html(bytes) => Ok(ManuscriptFormat::Html),
        None => Ok(ManuscriptFormat::Text),
    }
}

/// Manuscripts that are not read: their file extensions, their names, and what to do.
const UNREAD: [(&[&str], &str, &str); 6] = [
    (
        &["org"],
        "an Org document",
        "convert it to Markdown (pandoc -t markdown), which keeps its citations",
    ),
    (
        &["rst", "rest"],
        "a reStructuredText document",
        "convert it to Markdown of MyST (rst2myst), which keeps its citations",
    ),
    (
        &["adoc", "asciidoc", "asc"],
        "an AsciiDoc document",
        "write its citations as [@key] in Markdown",
    ),
    (
        &["ipynb"],
        "a Jupyter notebook",
        "convert it to Markdown (jupyter nbconvert --to markdown), which keeps its citations",
    ),
    (&["lyx"], "a LyX document", "export it as LaTeX"),
    (
        &["rnw", "snw"],
        "a Sweave document",
        "run knitr, and use the .tex that it writes",
    ),
];

/// The row of a file that is not read.
fn unread(name: &str) -> Option<&'static (&'static [&'static str], &'static str, &'static str)> {
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    UNREAD
        .iter()
        .find(|(endings, ..)| endings.contains(&extension.as_str()))
}

/// Refuses what would be read as text and is a bibliography, or data of another kind.
pub(crate) fn refuse_data(name: &str, bytes: &[u8], budget: &Budget) -> Result<(), DocumentError> {
    let content = Content::new(bytes);
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    let unsupported = |kind, hint| Err(DocumentError::Unsupported { kind, hint });
    match citation_exchange::recognise(&content, hints, budget)? {
        Ok(Some(_)) => unsupported("a bibliography", BIBLIOGRAPHY_HINT),
        Err(unreadable) if is_data(content.text()) => {
            unsupported(unreadable.title, unreadable.advice)
        }
        _ => Ok(()),
    }
}

const BIBLIOGRAPHY_HINT: &str = "convert, format and verify read its entries";

/// Whether a text is XML or JSON.
fn is_data(text: &str) -> bool {
    let start = text.trim_start();
    let is_json = start.starts_with(['{', '[']) && text.trim_end().ends_with(['}', ']']);
    start.starts_with('<') || is_json
}

/// Whether a file lists the chapters of a book of Quarto or bookdown.
pub(crate) fn is_book(name: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    matches!(name, "_quarto.yml" | "_quarto.yaml" | "_bookdown.yml")
}

/// Mail programs and servers may prepend lines.
fn is_pdf(bytes: &[u8]) -> bool {
    const FARTHEST: usize = 1024;
    let start = bytes.get(..bytes.len().min(FARTHEST)).unwrap_or_default();
    start.windows(5).any(|window| window == b"%PDF-")
}

/// Whether a file is a flat OpenDocument text, `.fodt`.
fn is_flat_text(bytes: &[u8]) -> bool {
    const FARTHEST: usize = 8192;
    let start = bytes.get(..bytes.len().min(FARTHEST)).unwrap_or_default();
    let start = String::from_utf8_lossy(start);
    start.contains("<office:document ") && start.contains("opendocument.text")
}

/// Whether a compound file contains a package encrypted by Office.
fn is_encrypted_package(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    bytes.windows(name.len()).any(|window| window == name)
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let start = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let start = String::from_utf8_lossy(start).to_ascii_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind of manuscript that is not read is refused by its name, with what to do, whatever its text looks
    /// like and however its extension is written.
    #[test]
    fn unread_manuscripts_are_refused_by_name() {
        let texts = [
            "",
            "Text [@doe].\n",
            "References\n\n1. Doe, J. A title. 2001.\n",
            "<html>",
            "{}",
        ];
        for (endings, kind, hint) in UNREAD {
            for ending in endings {
                let names = [
                    format!("paper.{ending}"),
                    format!("a.md/{}", ending.to_uppercase()),
                ];
                assert_eq!(
                    ManuscriptFormat::of_extension(ending),
                    None,
                    "{ending} is read, too"
                );
                for text in texts {
                    let told = detect(&names[0].to_uppercase(), text.as_bytes()).unwrap_err();
                    let told = told.to_string();
                    assert!(
                        told.contains(kind) && told.contains(hint),
                        "{ending}: {told}"
                    );
                }
                // The extension of a folder is not that of the file.
                assert!(detect(&names[1], b"text").is_ok(), "{names:?}");
            }
        }
    }

    #[test]
    fn every_format_is_read_by_its_extensions() {
        let formats = ManuscriptFormat::ALL.into_iter();
        let extensions =
            formats.flat_map(|format| format.extensions().iter().map(move |e| (format, e)));
        for (format, extension) in extensions {
            assert_eq!(
                ManuscriptFormat::of_extension(extension),
                Some(format),
                "{extension}"
            );
            assert!(
                unread(&format!("paper.{extension}")).is_none(),
                "{extension}"
            );
        }
    }
}
