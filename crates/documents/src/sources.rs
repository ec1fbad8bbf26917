//! The text files of a manuscript, the ranges in them, and the one function that edits them.

use std::ops::Range;

use citation_exchange::correction::{OverlappingEdits, apply};
use citation_exchange::decode;

use crate::error::DocumentError;

/// Maximum nesting of included files.
const MAX_DEPTH: usize = 16;
const MAX_FILES: usize = 1_000;

/// The files of a manuscript that were read as its text, the document itself first.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    files: Vec<SourceFile>,
    /// The files that are being read, each included by the one before it.
    open: Vec<FileId>,
}

/// A text file of a manuscript.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// Relative to the folder of the document; `None` for the document itself.
    pub name: Option<String>,
    text: String,
    has_mark: bool,
    /// Whether the text is the file's, byte for byte.
    is_exact: bool,
}

/// A file of a manuscript. Only its reader makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(usize);

/// A range of one file of a manuscript. Only its reader makes them, so an edit cannot name a file that its
/// position does not belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    file: FileId,
    /// In bytes of the text without byte order mark.
    range: Range<usize>,
    mode: SourceMode,
}

/// What a range of a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceMode {
    #[default]
    Markup,
    /// An expression of Typst's code, in which markup needs brackets.
    Code,
}

/// A new text for a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    pub span: SourceSpan,
    pub text: String,
}

/// A file with its edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the folder of the document; `None` for the document itself.
    pub name: Option<String>,
    pub bytes: Vec<u8>,
}

/// Why edits cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error("{0} is not in UTF-8; save it in UTF-8 first")]
    Encoding(String),
    #[error("two edits of {0} overlap")]
    Overlap(String),
}

/// The outcome of adding an included file.
pub(crate) enum Added {
    New(FileId),
    /// The file was read before. Its text is one text, so its citations are set once.
    Known,
}

impl SourceSpan {
    pub fn file(&self) -> FileId {
        self.file
    }

    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    pub fn mode(&self) -> SourceMode {
        self.mode
    }

    /// Another range of the same file.
    #[must_use]
    pub fn with_range(&self, range: Range<usize>) -> SourceSpan {
        SourceSpan {
            range,
            ..self.clone()
        }
    }

    pub(crate) fn in_code(mut self, is_code: bool) -> SourceSpan {
        if is_code {
            self.mode = SourceMode::Code;
        }
        self
    }
}

impl FileId {
    pub(crate) fn span(self, range: Range<usize>) -> SourceSpan {
        SourceSpan {
            file: self,
            range,
            mode: SourceMode::Markup,
        }
    }
}

impl SourceFiles {
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The document itself, if it has a text.
    pub fn first(&self) -> Option<FileId> {
        (!self.files.is_empty()).then_some(FileId(0))
    }

    /// The text of a file without byte order mark.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0).map_or("", |file| &file.text)
    }

    /// The name of a file; `None` for the document itself.
    pub fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0)?.name.as_deref()
    }

    /// The bytes of a file whose text is exact.
    pub fn original(&self, file: FileId) -> Result<Vec<u8>, EditError> {
        let found = self.files.get(file.0).cloned().unwrap_or_default();
        if found.is_exact {
            Ok(found.with_text(&found.text))
        } else {
            Err(EditError::Encoding(found.title()))
        }
    }

    /// Applies edits, each to its own file. Everything outside of them stays byte for byte. Returns the files
    /// that change.
    pub fn apply(&self, mut edits: Vec<FileEdit>) -> Result<Vec<ChangedFile>, EditError> {
        edits.sort_by_key(|edit| (edit.span.file, edit.span.range.start));
        let mut changed = Vec::new();
        let mut edits = edits.into_iter().peekable();
        for (at, file) in self.files.iter().enumerate() {
            let mut own = Vec::new();
            while let Some(edit) = edits.next_if(|edit| edit.span.file == FileId(at)) {
                own.push((edit.span.range, edit.text));
            }
            if own.is_empty() {
                continue;
            }
            if !file.is_exact {
                return Err(EditError::Encoding(file.title()));
            }
            let text = apply(&file.text, own);
            let text = text.map_err(|OverlappingEdits| EditError::Overlap(file.title()))?;
            changed.push(ChangedFile {
                name: file.name.clone(),
                bytes: file.with_text(&text),
            });
        }
        Ok(changed)
    }

    /// Adds the document itself.
    pub(crate) fn add_document(&mut self, bytes: &[u8]) -> FileId {
        self.push(None, bytes)
    }

    /// Adds an included file and opens it; [`SourceFiles::close`] ends it.
    pub(crate) fn open(&mut self, name: &str, bytes: &[u8]) -> Result<Added, DocumentError> {
        let too_deep = || DocumentError::TooDeep {
            what: name.to_owned(),
            limit: MAX_DEPTH,
        };
        let known = self.files.iter();
        let known = { known }.position(|file| file.name.as_deref() == Some(name));
        if let Some(at) = known {
            return if self.open.contains(&FileId(at)) {
                Err(too_deep())
            } else {
                Ok(Added::Known)
            };
        }
        if self.open.len() >= MAX_DEPTH || self.files.len() >= MAX_FILES {
            return Err(too_deep());
        }
        let file = self.push(Some(name.to_owned()), bytes);
        self.open.push(file);
        Ok(Added::New(file))
    }

    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    fn push(&mut self, name: Option<String>, bytes: &[u8]) -> FileId {
        let (text, _) = decode(bytes);
        let has_mark = bytes.starts_with(b"\xef\xbb\xbf");
        let body = bytes.get(if has_mark { 3 } else { 0 }..);
        self.files.push(SourceFile {
            name,
            is_exact: body == Some(text.as_bytes()),
            text: text.into_owned(),
            has_mark,
        });
        FileId(self.files.len() - 1)
    }
}

impl SourceFile {
    /// The bytes of a text, with the byte order mark of the file.
    fn with_text(&self, text: &str) -> Vec<u8> {
        let mark: &[u8] = if self.has_mark { b"\xef\xbb\xbf" } else { b"" };
        [mark, text.as_bytes()].concat()
    }

    /// Without byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn title(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| "the document".to_owned())
    }
}

/// A path named in a file whose folder is `folder`, without `.` and inner `..`.
pub(crate) fn joined(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The folder of a file, empty for the folder of the document.
pub(crate) fn folder(file: Option<&str>) -> &str {
    file.and_then(|file| file.rsplit_once('/'))
        .map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_changes_its_own_file_alone() {
        let mut files = SourceFiles::default();
        let main = files.add_document(b"\xef\xbb\xbfone two");
        let Ok(Added::New(part)) = files.open("part.tex", b"one\r\ntwo") else {
            panic!("it is new")
        };
        let edit = |file: FileId, range, text: &str| FileEdit {
            span: file.span(range),
            text: text.to_owned(),
        };
        let changed = files.apply(vec![edit(part, 5..8, "2")]).unwrap();
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].name.as_deref(), Some("part.tex"));
        assert_eq!(changed[0].bytes, b"one\r\n2");
        let changed = files.apply(vec![edit(main, 0..3, "1")]).unwrap();
        assert_eq!(changed[0].bytes, b"\xef\xbb\xbf1 two");
        let overlapping = vec![edit(main, 0..3, ""), edit(main, 2..4, "")];
        assert!(matches!(
            files.apply(overlapping),
            Err(EditError::Overlap(_))
        ));
    }

    #[test]
    fn file_in_another_encoding_is_not_edited() {
        let mut files = SourceFiles::default();
        let main = files.add_document(b"caf\xe9 \\cite{doe}, na\xefve, r\xe9sum\xe9");
        let edit = FileEdit {
            span: main.span(0..1),
            text: String::new(),
        };
        assert!(matches!(
            files.apply(vec![edit]),
            Err(EditError::Encoding(_))
        ));
        assert_eq!(files.apply(Vec::new()), Ok(Vec::new()));
    }

    #[test]
    fn paths_are_joined_without_dots() {
        assert_eq!(joined("a/b", "../c.tex"), "a/c.tex");
        assert_eq!(joined("", "./c.tex"), "c.tex");
        assert_eq!(joined("a", "../../c.tex"), "../c.tex");
    }
}
