//! Rich Text Format: paragraphs, notes and citations in fields.

use citation_model::budget::Budget;
use citation_model::lists::words;

use crate::document::{Block, BlockKind, Document, Finding, LeftPart, ManuscriptCitation, Place};
use crate::error::DocumentError;
use crate::fields::{self, Field};
use crate::list;
use crate::normalize::tidy;

const DEEPEST: usize = 500;

/// Destinations whose text is skipped.
const UNREAD: [&str; 21] = words(
    "fonttbl colortbl stylesheet info pict header headerl headerr headerf footer footerl footerr \
     footerf listtable listoverridetable rsidtbl generator themedata colorschememapping \
     datastore latentstyles",
);

/// The state of a group, inherited by nested groups.
#[derive(Clone, Default)]
struct Group {
    is_unread: bool,
    /// The code of a field is read but not printed.
    is_code: bool,
    is_field: bool,
    note: Option<usize>,
    /// Number of fallback bytes of a Unicode character.
    fallback: usize,
}

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "{\\rtf1",
    "{",
    "}",
    "\\par ",
    "{\\field",
    "{\\*\\fldinst ADDIN ",
    "{\\fldrslt ",
    "\\'f6",
    "\\u8211-",
    "\\bin3 ",
    "\\",
    "{\\footnote ",
    "\n",
    "References\\par ",
    "Doe 2001, 1(2), 3-4.",
    "[1]",
    "a ",
];

pub(crate) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    budget.spend(bytes.len() as u64)?;
    let mut reader = RtfReader {
        groups: vec![Group {
            fallback: 1,
            ..Group::default()
        }],
        ..RtfReader::default()
    };
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        at += 1;
        match byte {
            b'{' => {
                if reader.groups.len() >= DEEPEST {
                    return Err(DocumentError::TooDeep {
                        what: "the text".to_owned(),
                        limit: DEEPEST,
                    });
                }
                let group = reader.groups.last().cloned().unwrap_or_default();
                reader.groups.push(Group {
                    is_field: false,
                    ..group
                });
            }
            b'}' => reader.close(),
            b'\r' | b'\n' => {}
            b'\\' => at = reader.control(bytes, at),
            _ => reader.byte(byte),
        }
    }
    reader.paragraph();
    let mut document = list::assemble(reader.blocks, reader.citations, Vec::new(), budget)?;
    let unread = reader.unread.into_iter().map(Finding::from);
    document.findings.extend(unread);
    Ok(document)
}

#[derive(Default)]
struct RtfReader {
    groups: Vec<Group>,
    text: String,
    note_text: String,
    /// Codes and results of the open fields.
    fields: Vec<(String, String)>,
    blocks: Vec<Block>,
    notes: Vec<Block>,
    citations: Vec<ManuscriptCitation>,
    unread: Vec<LeftPart>,
    count: usize,
    note_count: usize,
    /// Bytes to skip after a Unicode character.
    skipped: usize,
    bibliography: usize,
    is_list: bool,
    level: Option<u8>,
}

impl RtfReader {
    /// Reads a control word or symbol; returns its end.
    fn control(&mut self, bytes: &[u8], at: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if letters == 0 {
            return match rest.first() {
                Some(b'\'') => {
                    let digits = rest.get(1..3).unwrap_or_default();
                    let value = std::str::from_utf8(digits).ok();
                    if let Some(value) =
                        value.and_then(|digits| u8::from_str_radix(digits, 16).ok())
                    {
                        self.byte(value);
                    }
                    at + 3
                }
                Some(b'*') => {
                    if let Some(group) = self.groups.last_mut() {
                        group.is_unread = true;
                    }
                    at + 1
                }
                Some(b'~') => {
                    self.write(" ");
                    at + 1
                }
                Some(b'_') => {
                    self.write("-");
                    at + 1
                }
                Some(b'-') | None => at + 1,
                Some(sign) => {
                    self.byte(*sign);
                    at + 1
                }
            };
        }
        let word = rest.get(..letters).unwrap_or_default();
        let word = std::str::from_utf8(word).unwrap_or_default();
        let number_length = rest
            .get(letters..)
            .unwrap_or_default()
            .iter()
            .enumerate()
            .take_while(|(n, b)| b.is_ascii_digit() || *n == 0 && **b == b'-')
            .count();
        let number = rest
            .get(letters..letters + number_length)
            .unwrap_or_default();
        let number: Option<i32> = std::str::from_utf8(number)
            .ok()
            .and_then(|n| n.parse().ok());
        let mut end = at + letters + number_length;
        if bytes.get(end) == Some(&b' ') {
            end += 1;
        }
        self.word(word, number);
        // `\bin` is followed by this number of raw bytes.
        if word == "bin" {
            end += number.unwrap_or(0).max(0) as usize;
        }
        end
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        match word {
            "par" | "row" | "sect" | "page" => self.paragraph(),
            "line" => self.write("\n"),
            "tab" | "cell" | "enspace" | "emspace" => self.write(" "),
            "emdash" => self.write("—"),
            "endash" => self.write("–"),
            "lquote" => self.write("‘"),
            "rquote" => self.write("’"),
            "ldblquote" => self.write("“"),
            "rdblquote" => self.write("”"),
            "uc" => group.fallback = number.unwrap_or(1).clamp(0, 8) as usize,
            "u" => {
                let code = number.unwrap_or(0);
                let code = if code < 0 { code + 65_536 } else { code };
                let fallback = group.fallback;
                if let Some(c) = u32::try_from(code).ok().and_then(char::from_u32) {
                    self.write(c.encode_utf8(&mut [0; 4]));
                }
                self.skipped = fallback;
            }
            "field" => {
                group.is_field = true;
                self.fields.push(Default::default());
            }
            "fldinst" => {
                group.is_unread = false;
                group.is_code = true;
            }
            "fldrslt" => {
                group.is_code = false;
                let kind = self.fields.last().map(|(code, _)| fields::read(code, &[]));
                self.bibliography += usize::from(kind == Some(Field::Bibliography));
            }
            "footnote" => {
                self.note_count += 1;
                group.is_unread = false;
                group.note = Some(self.note_count);
            }
            "outlinelevel" => self.level = number.and_then(|level| u8::try_from(level + 1).ok()),
            "pard" => self.level = None,
            "deleted" if number != Some(0) => group.is_unread = true,
            _ if UNREAD.contains(&word) => group.is_unread = true,
            _ => {}
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let bytes = [byte];
        let text = citation_exchange::encoding::decode_as(
            &bytes,
            citation_exchange::Encoding::Windows1252,
        );
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        const MAX_CITATION_LENGTH: usize = 2_000;
        let Some(group) = self.groups.last() else {
            return;
        };
        if group.is_code {
            if let Some((code, _)) = self.fields.last_mut() {
                code.push_str(text);
            }
            return;
        }
        if group.is_unread {
            return;
        }
        match group.note {
            Some(_) => self.note_text.push_str(text),
            None => self.text.push_str(text),
        }
        self.is_list |= self.bibliography > 0;
        if let Some((_, result)) = self.fields.last_mut()
            && result.len() < MAX_CITATION_LENGTH
        {
            result.push_str(text);
        }
    }

    fn close(&mut self) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        self.skipped = 0;
        if group.is_field
            && let Some((code, result)) = self.fields.pop()
        {
            let text = tidy(&result);
            let place = Place {
                paragraph: Some(self.count + 1),
                note: group.note,
                ..Place::default()
            };
            match fields::read(&code, &[]) {
                Field::Citation(citation) => self.citations.push(ManuscriptCitation {
                    items: citation.items,
                    text,
                    place,
                    ..ManuscriptCitation::default()
                }),
                Field::Unread => self.unread.push(LeftPart::field(text, place)),
                Field::Bibliography => self.bibliography = self.bibliography.saturating_sub(1),
                _ => {}
            }
        }
        let outer = self.groups.last().and_then(|group| group.note);
        if group.note.is_some() && outer.is_none() {
            let text = tidy(&std::mem::take(&mut self.note_text)).replace('\n', " ");
            self.notes.push(Block {
                kind: BlockKind::Note,
                text,
                place: Place {
                    paragraph: Some(self.count + 1),
                    note: group.note,
                    ..Place::default()
                },
                ..Block::default()
            });
        }
    }

    fn paragraph(&mut self) {
        if self.groups.last().is_some_and(|group| group.note.is_some()) {
            self.note_text.push('\n');
            return;
        }
        self.count += 1;
        let text = tidy(&std::mem::take(&mut self.text));
        let is_reference = std::mem::take(&mut self.is_list);
        if !text.is_empty() {
            self.blocks.push(Block {
                kind: self.level.map_or(BlockKind::Paragraph, BlockKind::Heading),
                text,
                place: Place {
                    paragraph: Some(self.count),
                    ..Place::default()
                },
                is_reference,
                ..Block::default()
            });
        }
        self.blocks.append(&mut self.notes);
    }
}
