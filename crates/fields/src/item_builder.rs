//! Builds an item from the fields of a record, in any order. The first value of a variable is kept, blank
//! values are ignored, identifiers are made canonical.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::catalogue::without_separator;
use crate::clean::cut;
use crate::names::MAX_NAMES;
use crate::notice::{Notice, Notices, lost_numbers};
use crate::{identifiers, keywords, languages, pages, set};
use citation_model::date::{Date, loses_numbers};
use citation_model::identifier::{Doi, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// The longest name of a value without a variable, in bytes.
pub const MAX_CUSTOM_NAME: usize = 200;

/// See the module.
pub struct ItemBuilder {
    item: Item,
    notices: Notices,
    /// Byte offset, in the text, of the record or of the field that is being read.
    offset: usize,
    keywords: Vec<String>,
    notes: Vec<String>,
    isbns: SerialTexts,
    issns: SerialTexts,
    known_names: HashMap<NameVar, KnownNames>,
    /// Names beyond the maximum.
    left_out: usize,
}

/// The names of a long list, to be found quickly.
#[derive(Default)]
struct KnownNames {
    set: HashSet<Name>,
    /// How many names of the list are in the set.
    taken: usize,
}

/// Length up to which a list is searched name by name.
const SHORT_LIST: usize = 16;

/// ISBNs or ISSNs as written, and the byte offset of the first.
#[derive(Default)]
struct SerialTexts {
    texts: Vec<String>,
    offset: usize,
}

impl SerialTexts {
    fn extend(&mut self, texts: impl IntoIterator<Item = String>, offset: usize) {
        if self.texts.is_empty() {
            self.offset = offset;
        }
        self.texts.extend(texts);
    }
}

impl ItemBuilder {
    /// A builder for a record at a byte offset of the text.
    pub fn new(offset: usize) -> ItemBuilder {
        ItemBuilder::with_notices(offset, Notices::default())
    }

    /// As [`ItemBuilder::new`], behind the notices that the record has already.
    pub fn with_notices(offset: usize, notices: Notices) -> ItemBuilder {
        ItemBuilder {
            item: Item::default(),
            notices,
            offset,
            keywords: Vec::new(),
            notes: Vec::new(),
            isbns: SerialTexts::default(),
            issns: SerialTexts::default(),
            known_names: HashMap::new(),
            left_out: 0,
        }
    }

    /// Continues with the field at a byte offset; notices point to it.
    pub fn at(&mut self, offset: usize) -> &mut ItemBuilder {
        self.offset = offset;
        self
    }

    pub fn kind(&self) -> ItemType {
        self.item.kind
    }

    pub fn set_kind(&mut self, kind: ItemType) {
        self.item.kind = kind;
    }

    /// Sets the item type. An unknown word is reported and kept as `custom.entry_type`.
    pub fn set_kind_or_say(&mut self, kind: Option<ItemType>, said: &str) {
        if let Some(kind) = kind {
            self.item.kind = kind;
        } else if !said.is_empty() {
            self.notice(
                "unknown_type",
                format!("“{said}” is no type that is known here."),
            );
            self.custom("entry_type", said);
        }
    }

    pub fn item(&self) -> &Item {
        &self.item
    }

    pub fn set_key(&mut self, key: &str) {
        if self.item.id.is_empty() && !key.trim().is_empty() {
            self.item.id = key.trim().to_owned();
            self.item.set_text(TextVar::CitationKey, key.trim());
        }
    }

    /// Sets a text. Identifiers are made canonical; an invalid one is kept and reported. ISBNs, ISSNs,
    /// keywords and notes accumulate; a language becomes its tag.
    pub fn text(&mut self, variable: TextVar, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        if identifiers::stands_for_none(value) && identifiers::canonical(variable, value).is_some()
        {
            let message = format!("“{value}” stands for a missing value; it was left out.");
            return self.notice("missing_value", message);
        }
        match variable {
            TextVar::Keyword => {
                let words = keywords::split(value).map(keywords::clean);
                return self.keywords.extend(words);
            }
            TextVar::Note => return self.notes.push(value.to_owned()),
            TextVar::Isbn => return self.isbns.extend([value.to_owned()], self.offset),
            TextVar::Issn => return self.issns.extend([value.to_owned()], self.offset),
            _ => {}
        }
        if self.item.text(variable).is_some() {
            return;
        }
        let is_set = match variable {
            TextVar::Doi => self.several(variable, value, Doi::parse, Doi::as_str, "DOIs"),
            TextVar::Pmid => self.several(variable, value, Pmid::parse, Pmid::as_str, "PubMed ids"),
            _ => false,
        };
        if is_set {
            return;
        }
        let value = match (variable, identifiers::canonical(variable, value)) {
            (_, Some(Ok(canonical))) => canonical,
            (_, Some(Err(wrong))) => {
                self.notice(wrong.code, wrong.message);
                value.to_owned()
            }
            (TextVar::Language, _) if languages::is_none(value) => return,
            (TextVar::Language, _) => languages::tag_of(value),
            (TextVar::Publisher | TextVar::PublisherPlace, _) => {
                without_separator(value).to_owned()
            }
            _ => value.to_owned(),
        };
        self.item.set_text(variable, value);
    }

    /// Of a text with several identifiers of one kind, sets the first and keeps the others under the name of the
    /// variable.
    fn several<I: PartialEq, E>(
        &mut self,
        variable: TextVar,
        text: &str,
        parse: impl Fn(&str) -> Result<I, E>,
        canonical: impl Fn(&I) -> &str,
        kind: &str,
    ) -> bool {
        let parts = text.split([',', ';', ' ', '\n', '\t']);
        let parts = parts.filter(|part| !part.is_empty());
        let identifiers: Result<Vec<I>, _> = parts.map(parse).collect();
        let Ok([first, others @ ..]) = identifiers.as_deref() else {
            return false;
        };
        if others.is_empty() {
            return false;
        }
        self.item.set_text(variable, canonical(first));
        let others = others.iter().filter(|other| *other != first);
        let others: Vec<&str> = others.map(canonical).collect();
        if !others.is_empty() {
            self.custom(variable.json_name(), &others.join(", "));
            let message =
                format!("The field names several {kind}; the first counts, the others are kept.");
            self.notice("several_identifiers", message);
        }
        true
    }

    /// Sets the title as a registry writes it: without note marks and its full stop, and recorded in `custom`
    /// if it is in all capitals.
    pub fn title(&mut self, text: &str) {
        if self.item.text(TextVar::Title).is_none() {
            set::title(&mut self.item, text, None);
        }
    }

    pub fn number(&mut self, variable: NumberVar, value: &str) {
        let value = value.trim();
        if !value.is_empty() && self.item.number(variable).is_none() {
            let value = match variable {
                NumberVar::Page => pages::normal(value),
                _ if is_range(value) => pages::normal(value),
                _ => value.to_owned(),
            };
            self.item.set_number(variable, value);
        }
    }

    /// Sets the page range; either end may be blank or contain the whole range.
    pub fn pages(&mut self, first: &str, last: &str) {
        let (first, last) = (pages::normal(first.trim()), pages::normal(last.trim()));
        self.number(NumberVar::Page, &pages::range(&first, &last));
    }

    /// Sets a date as written, and reports numbers of it that are lost.
    pub fn written_date(&mut self, variable: DateVar, text: &str) {
        self.check_date(text);
        self.date(variable, Date::parse(text));
    }

    /// Reports numbers of a written date that are lost.
    pub fn check_date(&mut self, text: &str) {
        if loses_numbers(text) {
            self.notice("invalid_date", lost_numbers(text));
        }
    }

    pub fn date(&mut self, variable: DateVar, date: Option<Date>) {
        if let Some(date) = date.filter(|date| !date.is_empty())
            && self.item.date(variable).is_none()
        {
            self.item.set_date(variable, date);
        }
    }

    /// Sets the number of an article without pages (`e42692`). A publisher's internal key
    /// (`S0140-6736(20)30183-5`) is ignored.
    pub fn article_number(&mut self, text: &str) {
        let is_number = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_number {
            self.number(NumberVar::Page, text);
        }
    }

    /// Appends a name unless it is already present.
    pub fn name(&mut self, variable: NameVar, name: Name) {
        if !name.is_empty() && !self.is_known(variable, &name) {
            self.push_name(variable, name);
        }
    }

    fn is_known(&mut self, variable: NameVar, name: &Name) -> bool {
        let names = self.item.names(variable);
        if names.len() <= SHORT_LIST {
            return names.contains(name);
        }
        let known = self.known_names.entry(variable).or_default();
        known.set.extend(names.iter().skip(known.taken).cloned());
        known.taken = names.len();
        known.set.contains(name)
    }

    /// Appends a name of a list that has everybody once. Two persons of it may have the same name, as `Zhang,
    /// Y.`; an institution is repeated by mistake.
    pub fn listed_name(&mut self, variable: NameVar, name: Name) {
        if name.given.is_none() {
            return self.name(variable, name);
        }
        self.push_name(variable, name);
    }

    /// Appends a list that has everybody once, without the names of earlier lists.
    pub fn name_list(&mut self, variable: NameVar, names: impl IntoIterator<Item = Name>) {
        let names = names.into_iter();
        let new: Vec<Name> = names
            .filter(|name| !self.is_known(variable, name))
            .collect();
        for name in new.into_iter().filter(|name| !name.is_empty()) {
            self.listed_name(variable, name);
        }
    }

    fn push_name(&mut self, variable: NameVar, name: Name) {
        match self.item.names.get_mut(variable) {
            Some(names) if names.len() == MAX_NAMES => self.left_out += 1,
            Some(names) => names.push(name),
            None => self.item.set_names(variable, vec![name]),
        }
    }

    /// Ends a list of names in “and others”.
    pub fn and_others(&mut self, variable: NameVar) {
        self.item.set_others(variable);
    }

    /// Counts names of a list that a reader did not create.
    pub fn leave_out_names(&mut self, count: usize) {
        self.left_out += count;
    }

    /// Sets the ORCID iD of the last name, in any spelling.
    pub fn orcid(&mut self, variable: NameVar, text: &str) {
        if let Some(name) = self
            .item
            .names
            .get_mut(variable)
            .and_then(|names| names.last_mut())
        {
            name.orcid = identifiers::bare_orcid(text);
        }
    }

    /// Adds one keyword without splitting it.
    pub fn keyword(&mut self, keyword: &str) {
        self.keywords.extend(non_blank(keyword));
    }

    /// Sets ISBNs and ISSNs; if there are none, other text is stored under the one that fits the type.
    pub fn serial_number(&mut self, text: &str) {
        let found = identifiers::serial_numbers(text);
        if found.isbns.is_empty() && found.issns.is_empty() {
            let other = if self.item.kind.is_in_periodical() {
                TextVar::Issn
            } else {
                TextVar::Isbn
            };
            return self.text(other, &found.others.join(", "));
        }
        self.isbns.extend(found.isbns, self.offset);
        self.issns.extend(found.issns, self.offset);
    }

    /// Sets an address, of several the first, without the command and the words around it. An address of the DOI resolver
    /// also sets the DOI. EndNote's `<Go to ISI>://WOS:000123` is the number of a record.
    pub fn address(&mut self, url: &str) {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'|' | b'{' | b'}');
        if url.contains("://") && url.bytes().all(is_plain) {
            return self.one_address(url.trim_end_matches([';', ',']));
        }
        let parts = url.split(|c: char| c.is_whitespace() || matches!(c, '|' | '{' | '}'));
        let is_record = |part: &str| part.starts_with("ISI>:");
        for part in parts.clone().filter(|part| is_record(part)) {
            let number = part.trim_start_matches("ISI>:").trim_start_matches('/');
            self.custom("AN", number);
        }
        let mut addresses = parts.filter(|part| part.contains("://") && !is_record(part));
        let is_record_alone = url.trim_start().starts_with("<Go to ISI>");
        let url = match addresses.next() {
            Some(first) => first.trim_end_matches([';', ',']),
            None if is_record_alone => return,
            None => url.trim(),
        };
        self.one_address(url);
    }

    fn one_address(&mut self, url: &str) {
        self.text(TextVar::Url, url);
        let is_resolver = url.contains("doi.org/");
        if let (true, Ok(doi)) = (is_resolver, Doi::parse(url)) {
            self.text(TextVar::Doi, doi.as_str());
        }
    }

    /// Keeps a value without a variable under its own name, which is cut if it is long: it is written once
    /// for each record. Several values form a list.
    pub fn custom(&mut self, name: &str, value: &str) {
        let name = cut(name, MAX_CUSTOM_NAME);
        let Some(value) = non_blank(value).map(Value::String) else {
            return;
        };
        match self.item.custom.get_mut(name) {
            Some(known) if *known == value => {}
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                self.item.custom.insert(name.to_owned(), value);
            }
        }
    }

    /// Keeps a structured value without a variable under its own name.
    pub fn custom_value(&mut self, name: &str, value: Value) {
        self.item.custom.insert(name.to_owned(), value);
    }

    pub fn notice(&mut self, code: &'static str, message: String) {
        let offset = self.offset;
        self.notices.push(Notice::new(code, message, offset));
    }

    pub fn finish(mut self) -> (Item, Notices) {
        let words = keywords::join(self.keywords.iter().map(String::as_str));
        self.item.set_text(TextVar::Keyword, words);
        let notes = std::mem::take(&mut self.notes);
        self.item.set_text(TextVar::Note, notes.join("\n"));
        if self.left_out > 0 {
            let count = self.left_out;
            let message = format!("The names behind the first {MAX_NAMES} were left out: {count}.");
            self.notice("too_many_names", message);
        }
        let (isbns, issns) = (
            std::mem::take(&mut self.isbns),
            std::mem::take(&mut self.issns),
        );
        let found = identifiers::serials(&isbns.texts.join(", "), &issns.texts.join(", "));
        self.item.set_text(TextVar::Isbn, found.isbn);
        self.item.set_text(TextVar::Issn, found.issn);
        for (variable, wrong) in found.wrong {
            let texts = match variable {
                TextVar::Isbn => &isbns,
                _ => &issns,
            };
            self.at(texts.offset).notice(wrong.code, wrong.message);
        }
        (self.item, self.notices)
    }
}

/// Whether a number is a range in digits: `3–4`.
fn is_range(text: &str) -> bool {
    let is_dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−' | ' ');
    text.chars().all(|c| c.is_ascii_digit() || is_dash(c))
}
