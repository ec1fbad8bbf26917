//! From raw entries to records: strings put in, values joined, and fields inherited through
//! `crossref` and `xdata` (biblatex manual, appendix B).

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use super::raw::{Entry, Field, Piece};

/// An entry whose values are texts. Names are in lower case.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    pub kind: String,
    pub key: &'a str,
    /// Byte offset of the `@`.
    pub offset: usize,
    pub fields: Rc<Vec<FieldText<'a>>>,
}

#[derive(Clone, Debug)]
pub struct FieldText<'a> {
    pub name: Cow<'a, str>,
    /// Still in LaTeX.
    pub text: Cow<'a, str>,
    /// Byte offset of the name.
    pub offset: usize,
}

impl Record<'_> {
    pub fn get(&self, name: &str) -> Option<&str> {
        get(&self.fields, name)
    }
}

fn get<'f>(fields: &'f [FieldText<'_>], name: &str) -> Option<&'f str> {
    let field = fields.iter().find(|field| field.name == name)?;
    Some(field.text.as_ref())
}

/// What a step noticed: a stable code, a sentence, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub code: &'static str,
    pub message: String,
    pub offset: usize,
}

/// The strings of a file. Names do not mind case.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    values: HashMap<String, String>,
    /// Bytes made out of strings so far, so that strings of strings cannot grow without bound.
    expanded: usize,
}

/// A string longer than this is cut. No journal's name comes near it.
const LONGEST_STRING: usize = 16 * 1024;
/// Fields of one entry. The longest real ones have some sixty.
const MOST_FIELDS: usize = 500;
/// Bytes that joining may make in one file before strings stand for their names only.
const MOST_EXPANDED: usize = 64 * 1024 * 1024;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

impl Strings {
    /// Takes the definitions of one `@string`.
    pub fn define(&mut self, fields: &[Field<'_>], notices: &mut Vec<Notice>) {
        for field in fields {
            let mut text = self.join(field, notices).into_owned();
            if text.len() > LONGEST_STRING {
                let cut = (0..=LONGEST_STRING)
                    .rev()
                    .find(|at| text.is_char_boundary(*at));
                text.truncate(cut.unwrap_or_default());
                notices.push(Notice {
                    code: "string_too_long",
                    message: format!("The string “{}” is too long and was cut.", field.name),
                    offset: field.offset,
                });
            }
            self.values.insert(field.name.to_lowercase(), text);
        }
    }

    /// Joins the pieces of a value; an unknown string stands for its own name.
    pub fn join<'a>(&mut self, field: &Field<'a>, notices: &mut Vec<Notice>) -> Cow<'a, str> {
        if let [Piece::Braced(text) | Piece::Quoted(text)] = field.value.as_slice() {
            return Cow::Borrowed(text);
        }
        let mut joined = String::new();
        for piece in &field.value {
            match piece {
                Piece::Braced(text) | Piece::Quoted(text) => joined.push_str(text),
                Piece::Bare(word) => joined.push_str(self.lookup(word, field, notices)),
            }
        }
        self.expanded += joined.len();
        Cow::Owned(joined)
    }

    fn lookup<'s>(
        &'s self,
        word: &'s str,
        field: &Field<'_>,
        notices: &mut Vec<Notice>,
    ) -> &'s str {
        let number = word
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_digit() || b == b'-');
        if number || self.expanded > MOST_EXPANDED {
            return word;
        }
        let lower = word.to_lowercase();
        if let Some(text) = self.values.get(&lower) {
            return text;
        }
        if !MONTHS.contains(&lower.as_str()) {
            notices.push(Notice {
                code: "undefined_string",
                message: format!("The string “{word}” is not defined; its name was taken."),
                offset: field.offset,
            });
        }
        word
    }

    /// Makes a record of an entry. Of a field that is given twice, the first counts, as in BibTeX.
    pub fn record<'a>(
        &mut self,
        entry: &Entry<'a>,
        offset: usize,
        notices: &mut Vec<Notice>,
    ) -> Record<'a> {
        let mut fields: Vec<FieldText<'a>> = Vec::with_capacity(entry.fields.len());
        for (at, field) in entry.fields.iter().enumerate() {
            if at == MOST_FIELDS {
                notices.push(Notice {
                    code: "too_many_fields",
                    message: format!("The fields behind the first {MOST_FIELDS} were left out."),
                    offset: field.offset,
                });
                break;
            }
            let name = lower(field.name);
            let text = self.join(field, notices);
            if text.trim().is_empty() {
                continue;
            }
            if let Some(first) = get(&fields, &name) {
                if first.trim() != text.trim() {
                    notices.push(Notice {
                        code: "duplicate_field",
                        message: format!("The field “{name}” is given twice; the first counts."),
                        offset: field.offset,
                    });
                }
                continue;
            }
            fields.push(FieldText {
                name,
                text,
                offset: field.offset,
            });
        }
        Record {
            kind: entry.kind.to_lowercase(),
            key: entry.key,
            offset,
            fields: Rc::new(fields),
        }
    }
}

fn lower(name: &str) -> Cow<'_, str> {
    if name
        .bytes()
        .all(|b| b.is_ascii() && !b.is_ascii_uppercase())
    {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

/// How far `crossref` and `xdata` are followed.
const LONGEST_CHAIN: usize = 8;
/// Fields inherited by all records of a file together, in bytes: enough for any real file, and a
/// bound where thousands of entries point at one giant.
const MOST_INHERITED: usize = 64 * 1024 * 1024;

/// The records of a file, by key.
pub struct Library<'l, 'a> {
    records: &'l [Record<'a>],
    by_key: HashMap<&'l str, usize>,
    /// Records with what they inherit, kept for those that others point at.
    complete: HashMap<usize, Rc<Vec<FieldText<'a>>>>,
    inherited: usize,
}

impl<'l, 'a> Library<'l, 'a> {
    pub fn new(records: &'l [Record<'a>]) -> Library<'l, 'a> {
        let mut by_key: HashMap<&'l str, usize> = HashMap::with_capacity(records.len());
        for (index, record) in records.iter().enumerate() {
            if !record.key.is_empty() {
                by_key.entry(record.key).or_insert(index);
            }
        }
        for (index, record) in records.iter().enumerate() {
            let ids = record.get("ids").unwrap_or_default().split(',');
            for id in ids.map(str::trim).filter(|id| !id.is_empty()) {
                by_key.entry(id).or_insert(index);
            }
        }
        Library {
            records,
            by_key,
            complete: HashMap::new(),
            inherited: 0,
        }
    }

    /// The record with everything that it inherits.
    pub fn resolve(&mut self, index: usize, notices: &mut Vec<Notice>) -> Option<Record<'a>> {
        let record = self.records.get(index)?;
        let fields = self.fields(index, &mut Vec::new(), notices);
        Some(Record {
            fields,
            ..record.clone()
        })
    }

    fn fields(
        &mut self,
        index: usize,
        chain: &mut Vec<usize>,
        notices: &mut Vec<Notice>,
    ) -> Rc<Vec<FieldText<'a>>> {
        if let Some(done) = self.complete.get(&index) {
            return Rc::clone(done);
        }
        let Some(record) = self.records.get(index) else {
            return Rc::default();
        };
        let references = references(record);
        if references.is_empty() || chain.len() >= LONGEST_CHAIN || chain.contains(&index) {
            return Rc::clone(&record.fields);
        }
        let mut fields = record.fields.as_ref().clone();
        chain.push(index);
        for reference in references {
            match self.by_key.get(reference.key).copied() {
                Some(parent) if parent != index => {
                    let inherited = self.fields(parent, chain, notices);
                    let parent_kind = self.records.get(parent).map_or("", |r| r.kind.as_str());
                    let rule = Rule {
                        data: reference.data,
                        child: &record.kind,
                        parent: parent_kind,
                    };
                    self.inherited += inherit(&mut fields, &inherited, &rule, self.inherited);
                    fields.retain(|field| field.name != reference.field);
                }
                Some(_) => fields.retain(|field| field.name != reference.field),
                None if chain.len() == 1 => notices.push(Notice {
                    code: "missing_crossref",
                    message: format!(
                        "The entry “{}”, from which this one inherits, is not in the file.",
                        reference.key
                    ),
                    offset: reference.offset,
                }),
                None => {}
            }
        }
        chain.pop();
        let fields = Rc::new(fields);
        if !chain.is_empty() {
            self.complete.insert(index, Rc::clone(&fields));
        }
        fields
    }
}

/// A pointer from one record to another.
struct Reference<'r> {
    key: &'r str,
    field: &'static str,
    offset: usize,
    /// Whether the other is `@xdata`, which lends its fields as they are.
    data: bool,
}

/// `xdata` before `crossref`: the nearer data win.
fn references<'r>(record: &'r Record<'_>) -> Vec<Reference<'r>> {
    let field = |name: &'static str| record.fields.iter().find(move |field| field.name == name);
    let mut found = Vec::new();
    if let Some(xdata) = field("xdata") {
        for key in xdata
            .text
            .split(',')
            .map(str::trim)
            .filter(|key| !key.is_empty())
        {
            found.push(Reference {
                key,
                field: "xdata",
                offset: xdata.offset,
                data: true,
            });
        }
    }
    if let Some(crossref) = field("crossref") {
        found.push(Reference {
            key: crossref.text.trim(),
            field: "crossref",
            offset: crossref.offset,
            data: false,
        });
    }
    found
}

struct Rule<'r> {
    data: bool,
    child: &'r str,
    parent: &'r str,
}

/// Adds the parent's fields that the child lacks. Gives the bytes added.
fn inherit<'a>(
    fields: &mut Vec<FieldText<'a>>,
    parent: &[FieldText<'a>],
    rule: &Rule<'_>,
    so_far: usize,
) -> usize {
    let mut added = 0;
    let known = fields.len();
    for field in parent {
        for name in rule.names_in_child(&field.name).into_iter().flatten() {
            let own = fields
                .iter()
                .take(known)
                .any(|own| same_field(&own.name, &name));
            if own || get(fields, &name).is_some() || so_far + added > MOST_INHERITED {
                continue;
            }
            added += field.text.len();
            fields.push(FieldText {
                name,
                text: field.text.clone(),
                offset: field.offset,
            });
        }
    }
    added
}

/// Whether two names are spellings of one field; a date is one field in either form.
fn same_field(a: &str, b: &str) -> bool {
    fn canonical(name: &str) -> &str {
        match name {
            "journal" => "journaltitle",
            "address" => "location",
            "school" => "institution",
            "annote" => "annotation",
            "year" => "date",
            _ => name,
        }
    }
    a == b || canonical(a) == canonical(b)
}

impl Rule<'_> {
    /// The names under which a child inherits a field: none, one, or both `author` and
    /// `bookauthor` for a part of its author's own book.
    fn names_in_child<'f>(&self, name: &Cow<'f, str>) -> [Option<Cow<'f, str>>; 2] {
        if self.data {
            return [Some(name.clone()), None];
        }
        let own_book = is_whole(self.parent) && is_part(self.child) && self.child.ends_with("book");
        let book_author = (own_book && name == "author").then_some(Cow::Borrowed("bookauthor"));
        [self.name_in_child(name), book_author]
    }

    /// The name under which a child inherits a field through `crossref`; `None` where it does not.
    fn name_in_child<'f>(&self, name: &Cow<'f, str>) -> Option<Cow<'f, str>> {
        let of_parent_alone = matches!(
            name.as_ref(),
            "ids"
                | "crossref"
                | "xref"
                | "xdata"
                | "entryset"
                | "entrysubtype"
                | "execute"
                | "label"
                | "options"
                | "presort"
                | "related"
                | "relatedoptions"
                | "relatedstring"
                | "relatedtype"
                | "shorthand"
                | "shorthandintro"
                | "sortkey"
                | "sorttitle"
                | "indextitle"
                | "indexsorttitle"
                | "abstract"
                | "file"
                | "pagetotal"
        );
        if of_parent_alone {
            return None;
        }
        let multi_volume = self.parent.starts_with("mv") && !self.child.starts_with("mv");
        let part = is_part(self.child) && is_whole(self.parent);
        let prefix = if multi_volume {
            "main"
        } else if part {
            "book"
        } else if self.parent == "periodical" && self.child != "periodical" {
            "journal"
        } else {
            return Some(name.clone());
        };
        let renamed = match name.as_ref() {
            "title" => format!("{prefix}title"),
            "subtitle" => format!("{prefix}subtitle"),
            "titleaddon" => format!("{prefix}titleaddon"),
            // A part has pages, an identifier and a short title of its own or none.
            "shorttitle" | "doi" | "pages" | "eprint" | "eprinttype" => return None,
            _ => return Some(name.clone()),
        };
        Some(Cow::Owned(renamed))
    }
}

fn is_part(kind: &str) -> bool {
    matches!(
        kind,
        "inbook"
            | "bookinbook"
            | "suppbook"
            | "incollection"
            | "suppcollection"
            | "inproceedings"
            | "conference"
            | "inreference"
    )
}

fn is_whole(kind: &str) -> bool {
    matches!(
        kind,
        "book"
            | "collection"
            | "proceedings"
            | "reference"
            | "mvbook"
            | "mvcollection"
            | "mvproceedings"
            | "mvreference"
            | "booklet"
            | "manual"
    )
}
