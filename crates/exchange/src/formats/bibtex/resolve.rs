//! Turns raw entries into records: expands strings, joins values, and inherits fields through `crossref`
//! and `xdata` (biblatex manual, appendix B).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::ieee;
use super::raw::{Entry, Field, MAX_FIELDS, Piece};
use citation_fields::clean::cut;
use citation_fields::notice::{Notice, Notices};
use citation_model::budget::{Budget, Exceeded};
use citation_model::lists::words;

/// An entry with text values. Names are in lower case.
#[derive(Clone, Debug)]
pub struct ResolvedEntry<'a> {
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

impl ResolvedEntry<'_> {
    pub fn get(&self, name: &str) -> Option<&str> {
        get(&self.fields, name)
    }
}

fn get<'f>(fields: &'f [FieldText<'_>], name: &str) -> Option<&'f str> {
    let field = fields.iter().find(|field| field.name == name)?;
    Some(field.text.as_ref())
}

/// The strings of a file. Names are case-insensitive.
pub struct Strings<'b> {
    budget: &'b Budget,
    values: HashMap<String, String>,
    /// Bytes produced by expanding strings so far; bounds strings made of strings.
    expanded: usize,
}

/// Maximum length of a string in bytes; longer ones are cut. Journal names are far shorter.
const MAX_STRING_LENGTH: usize = 16 * 1024;
/// Maximum number of strings per file.
const MAX_STRINGS: usize = 100_000;
/// Maximum bytes of a name in a message.
const MAX_NAME_LENGTH: usize = 100;
/// Maximum bytes that expansion may produce per file; beyond it strings are left as their names.
const MAX_EXPANDED: usize = 64 * 1024 * 1024;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

impl<'b> Strings<'b> {
    /// An empty table. The size of joined values is spent from `budget`.
    pub fn new(budget: &'b Budget) -> Strings<'b> {
        Strings {
            budget,
            values: HashMap::new(),
            expanded: 0,
        }
    }

    /// Adds the definitions of one `@string`.
    pub fn define(&mut self, fields: &[Field<'_>], notices: &mut Notices) {
        for field in fields {
            if self.values.len() >= MAX_STRINGS {
                notices.push(Notice {
                    code: "too_many_strings",
                    message: format!("The strings behind the first {MAX_STRINGS} were left out."),
                    offset: field.offset,
                });
                return;
            }
            let mut text = self.join(field, notices).into_owned();
            if text.len() > MAX_STRING_LENGTH {
                text.truncate(cut(&text, MAX_STRING_LENGTH).len());
                notices.push(Notice {
                    code: "string_too_long",
                    message: format!(
                        "The string “{}” is too long and was cut.",
                        cut(field.name, MAX_NAME_LENGTH)
                    ),
                    offset: field.offset,
                });
            }
            self.values.insert(field.name.to_lowercase(), text);
        }
    }

    /// Joins the pieces of a value; an unknown string is replaced by its name.
    pub fn join<'a>(&mut self, field: &Field<'a>, notices: &mut Notices) -> Cow<'a, str> {
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
        // An exceeded budget is reported after the block; what one block joins is bounded.
        let _ = self.budget.spend_bytes(joined.len());
        Cow::Owned(joined)
    }

    fn lookup<'s>(&'s self, word: &'s str, field: &Field<'_>, notices: &mut Notices) -> &'s str {
        let number = word
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_digit() || b == b'-');
        if number || self.expanded > MAX_EXPANDED {
            return word;
        }
        let lower = word.to_lowercase();
        if let Some(text) = self.values.get(&lower) {
            return text;
        }
        if let Some(title) = ieee::title(&lower) {
            return title;
        }
        if !MONTHS.contains(&lower.as_str()) {
            notices.push(Notice {
                code: "undefined_string",
                message: format!(
                    "The string “{}” is not defined; its name was taken.",
                    cut(word, MAX_NAME_LENGTH)
                ),
                offset: field.offset,
            });
        }
        word
    }

    /// Makes a record of an entry. The first occurrence of a repeated field counts, as in BibTeX.
    pub fn record<'a>(
        &mut self,
        entry: &Entry<'a>,
        offset: usize,
        notices: &mut Notices,
    ) -> ResolvedEntry<'a> {
        let mut fields: Vec<FieldText<'a>> = Vec::with_capacity(entry.fields.len());
        for (at, field) in entry.fields.iter().enumerate() {
            if at == MAX_FIELDS {
                notices.push(Notice {
                    code: "too_many_fields",
                    message: format!("The fields behind the first {MAX_FIELDS} were left out."),
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
                        message: format!(
                            "The field “{}” is given twice; the first counts.",
                            cut(&name, MAX_NAME_LENGTH)
                        ),
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
        ResolvedEntry {
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

/// Maximum length of a chain of `crossref` and `xdata`.
const MAX_CHAIN_LENGTH: usize = 8;
/// Maximum number of keys of one entry in `xdata` and in `ids`.
const MAX_KEYS: usize = 100;
/// Maximum bytes inherited by all records of a file: enough for any real file, and a bound if thousands of
/// entries refer to a giant one.
const MAX_INHERITED: usize = 64 * 1024 * 1024;
/// Size of an inherited field without its text, in bytes.
const FIELD_BYTES: usize = 64;

/// The records of a file, by key.
pub struct Library<'l, 'a> {
    records: &'l [ResolvedEntry<'a>],
    by_key: HashMap<&'l str, usize>,
    /// Records with inherited fields, cached for entries that refer to them.
    complete: HashMap<usize, Rc<Vec<FieldText<'a>>>>,
    /// Bytes inherited so far.
    inherited: usize,
    budget: &'l Budget,
}

impl<'l, 'a> Library<'l, 'a> {
    pub fn new(records: &'l [ResolvedEntry<'a>], budget: &'l Budget) -> Library<'l, 'a> {
        let mut by_key: HashMap<&'l str, usize> = HashMap::with_capacity(records.len());
        for (index, record) in records.iter().enumerate() {
            if !record.key.is_empty() {
                by_key.entry(record.key).or_insert(index);
            }
        }
        for (index, record) in records.iter().enumerate() {
            let ids = record.get("ids").unwrap_or_default().split(',');
            let ids = ids.map(str::trim).filter(|id| !id.is_empty());
            for id in ids.take(MAX_KEYS) {
                by_key.entry(id).or_insert(index);
            }
        }
        Library {
            records,
            by_key,
            complete: HashMap::new(),
            inherited: 0,
            budget,
        }
    }

    /// The record with all inherited fields.
    pub fn resolve(
        &mut self,
        index: usize,
        notices: &mut Notices,
    ) -> Result<Option<ResolvedEntry<'a>>, Exceeded> {
        let fields = self.fields(index, &mut Vec::new(), notices);
        self.budget.check()?;
        let record = self.records.get(index).cloned();
        Ok(record.map(|record| ResolvedEntry { fields, ..record }))
    }

    fn fields(
        &mut self,
        index: usize,
        chain: &mut Vec<usize>,
        notices: &mut Notices,
    ) -> Rc<Vec<FieldText<'a>>> {
        if let Some(done) = self.complete.get(&index) {
            return Rc::clone(done);
        }
        let Some(record) = self.records.get(index) else {
            return Rc::default();
        };
        if chain.len() >= MAX_CHAIN_LENGTH || chain.contains(&index) || !inherits(record) {
            return Rc::clone(&record.fields);
        }
        // Notices about a parent are reported at the parent.
        let mut elsewhere = Notices::default();
        let notices = if chain.is_empty() {
            notices
        } else {
            &mut elsewhere
        };
        let mut collected = InheritedFields::new(&record.fields);
        let mut found = HashSet::new();
        chain.push(index);
        for reference in references(record, notices) {
            match self.by_key.get(reference.key).copied() {
                Some(parent) => {
                    found.insert(reference.field);
                    if parent != index {
                        self.inherit(&mut collected, record, parent, reference.data, chain);
                    }
                }
                None => notices.push(Notice {
                    code: "missing_crossref",
                    message: format!(
                        "The entry “{}”, from which this one inherits, is not in the file.",
                        cut(reference.key, MAX_NAME_LENGTH)
                    ),
                    offset: reference.offset,
                }),
            }
        }
        chain.pop();
        let mut fields = collected.fields;
        fields.retain(|field| !found.contains(field.name.as_ref()));
        let fields = Rc::new(fields);
        if !chain.is_empty() {
            self.complete.insert(index, Rc::clone(&fields));
        }
        fields
    }

    /// Adds the fields of a parent that the child lacks.
    fn inherit(
        &mut self,
        collected: &mut InheritedFields<'a>,
        child: &ResolvedEntry<'_>,
        parent: usize,
        data: bool,
        chain: &mut Vec<usize>,
    ) {
        let inherited = self.fields(parent, chain, &mut Notices::default());
        let rule = Rule {
            data,
            child: &child.kind,
            parent: self.records.get(parent).map_or("", |r| r.kind.as_str()),
        };
        let mut added = Vec::new();
        for field in inherited.iter() {
            let bytes = field.text.len() + FIELD_BYTES;
            // An exceeded budget is reported once the record is complete.
            if self.budget.spend(1).is_err() || self.inherited + bytes > MAX_INHERITED {
                break;
            }
            for name in rule.names_in_child(&field.name).into_iter().flatten() {
                if collected.has(&name) {
                    continue;
                }
                self.inherited += bytes;
                let _ = self.budget.spend_bytes(bytes);
                added.push(collected.add(name, field));
            }
        }
        collected.known.extend(added);
    }
}

/// The fields of a record with those inherited so far.
struct InheritedFields<'a> {
    fields: Vec<FieldText<'a>>,
    names: HashSet<Cow<'a, str>>,
    /// Canonical names of its own fields and of those of earlier parents.
    known: HashSet<Cow<'a, str>>,
}

impl<'a> InheritedFields<'a> {
    fn new(own: &[FieldText<'a>]) -> InheritedFields<'a> {
        let names = own.iter().map(|field| field.name.clone());
        InheritedFields {
            fields: own.to_vec(),
            known: names.clone().map(canonical).collect(),
            names: names.collect(),
        }
    }

    fn has(&self, name: &str) -> bool {
        let canonical = canonical(Cow::Borrowed(name));
        self.names.contains(name) || self.known.contains(canonical.as_ref())
    }

    /// Adds a field under `name` and returns its canonical name.
    fn add(&mut self, name: Cow<'a, str>, field: &FieldText<'a>) -> Cow<'a, str> {
        self.names.insert(name.clone());
        self.fields.push(FieldText {
            name: name.clone(),
            text: field.text.clone(),
            offset: field.offset,
        });
        canonical(name)
    }
}

fn inherits(record: &ResolvedEntry<'_>) -> bool {
    record.get("xdata").is_some() || record.get("crossref").is_some()
}

/// A reference from one record to another.
struct Reference<'r> {
    key: &'r str,
    field: &'static str,
    offset: usize,
    /// Whether the target is `@xdata`, whose fields are copied unchanged.
    data: bool,
}

/// `xdata` before `crossref`: the more specific data win. Repeated keys of `xdata` are ignored.
fn references<'r>(record: &'r ResolvedEntry<'_>, notices: &mut Notices) -> Vec<Reference<'r>> {
    let field = |name: &'static str| record.fields.iter().find(move |field| field.name == name);
    let mut found = Vec::new();
    if let Some(xdata) = field("xdata") {
        let mut seen = HashSet::new();
        let keys = xdata.text.split(',').map(str::trim);
        for key in keys.filter(|key| !key.is_empty()) {
            if !seen.insert(key) {
                continue;
            }
            if seen.len() > MAX_KEYS {
                notices.push(Notice {
                    code: "too_many_references",
                    message: format!("The entries behind the first {MAX_KEYS} were left out."),
                    offset: xdata.offset,
                });
                break;
            }
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

/// The canonical name of a field with several spellings; both forms of a date are one field.
fn canonical(name: Cow<'_, str>) -> Cow<'_, str> {
    match name.as_ref() {
        "journal" => Cow::Borrowed("journaltitle"),
        "address" => Cow::Borrowed("location"),
        "school" => Cow::Borrowed("institution"),
        "annote" => Cow::Borrowed("annotation"),
        "year" => Cow::Borrowed("date"),
        _ => name,
    }
}

impl Rule<'_> {
    /// The names under which a child inherits a field: none, one, or both `author` and `bookauthor` for a
    /// part of its author's own book.
    fn names_in_child<'f>(&self, name: &Cow<'f, str>) -> [Option<Cow<'f, str>>; 2] {
        if self.data {
            return [Some(name.clone()), None];
        }
        let own_book = is_whole(self.parent) && is_part(self.child) && self.child.ends_with("book");
        let book_author = (own_book && name == "author").then_some(Cow::Borrowed("bookauthor"));
        [self.name_in_child(name), book_author]
    }

    /// The name under which a child inherits a field through `crossref`; `None` if it does not.
    fn name_in_child<'f>(&self, name: &Cow<'f, str>) -> Option<Cow<'f, str>> {
        const OF_PARENT_ALONE: [&str; 23] = words(
            "ids crossref xref xdata entryset entrysubtype execute label options presort \
             related relatedoptions relatedstring relatedtype shorthand shorthandintro sortkey \
             sorttitle indextitle indexsorttitle abstract file pagetotal",
        );
        let of_parent_alone = OF_PARENT_ALONE.contains(&name.as_ref());
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
            // Pages, identifiers and short titles of the whole do not apply to a part.
            "shorttitle" | "doi" | "pages" | "eprint" | "eprinttype" => return None,
            _ => return Some(name.clone()),
        };
        Some(Cow::Owned(renamed))
    }
}

fn is_part(kind: &str) -> bool {
    const PARTS: [&str; 8] = words(
        "inbook bookinbook suppbook incollection suppcollection inproceedings conference \
         inreference",
    );
    PARTS.contains(&kind)
}

fn is_whole(kind: &str) -> bool {
    const WHOLES: [&str; 10] = words(
        "book collection proceedings reference mvbook mvcollection mvproceedings mvreference \
         booklet manual",
    );
    WHOLES.contains(&kind)
}
