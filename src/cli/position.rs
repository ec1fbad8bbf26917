//! Positions in a file, in the form that compilers and readers write.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use citation_documents as documents;
use citation_matching as matching;

/// A position. Parts that a format lacks are unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePosition {
    /// The path as given, or that of a file which the document names.
    pub file: String,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// Range in characters of the text.
    pub characters: Option<Range<usize>>,
    /// Page, from 1, in formats with pages.
    pub page: Option<usize>,
    /// Paragraph, from 1, in formats without lines.
    pub paragraph: Option<usize>,
    /// Number of the note, from 1.
    pub note: Option<usize>,
}

impl FilePosition {
    pub fn line(file: &str, line: usize) -> FilePosition {
        FilePosition {
            file: file.to_owned(),
            line: Some(line),
            ..FilePosition::default()
        }
    }

    /// A position in a pasted list.
    pub fn in_list(file: &str, place: &matching::TextPosition) -> FilePosition {
        FilePosition {
            column: Some(place.column),
            characters: Some(place.characters.clone()),
            ..FilePosition::line(file, place.line)
        }
    }

    /// A position in a manuscript. Files that it names are relative to it.
    pub fn in_document(file: &str, place: &documents::Place) -> FilePosition {
        FilePosition {
            file: match &place.file {
                Some(name) => {
                    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
                    folder.join(name).display().to_string()
                }
                None => file.to_owned(),
            },
            line: place.line,
            page: place.page,
            paragraph: place.paragraph,
            note: place.note,
            ..FilePosition::default()
        }
    }

    /// The parts besides file and line: `paragraph 3, note 1`.
    pub fn within(&self) -> String {
        let named = [
            ("page", self.page),
            ("paragraph", self.paragraph),
            ("note", self.note),
        ];
        let parts = named
            .iter()
            .filter_map(|(name, number)| Some(format!("{name} {}", (*number)?)));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// `refs.txt:3:1`, `refs.bib:12`, `paper.docx, paragraph 3, note 1`,
/// `paper.pdf, page 4, paragraph 31`
impl fmt::Display for FilePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        match self.within() {
            within if within.is_empty() => Ok(()),
            within => write!(f, ", {within}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_names_line_paragraph_and_note() {
        let check = |place: documents::Place, expected: &str| {
            let position = FilePosition::in_document("a.tex", &place);
            assert_eq!(position.to_string(), expected);
        };
        check(documents::Place::line(3), "a.tex:3");
        let note = documents::Place {
            paragraph: Some(2),
            note: Some(1),
            ..documents::Place::default()
        };
        check(note, "a.tex, paragraph 2, note 1");
    }
}
