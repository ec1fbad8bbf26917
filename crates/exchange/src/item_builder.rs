//! Puts an item together from the fields of a record, in any order: of two values for one variable the first
//! stays, blank ones count for nothing, and identifiers are canonical.

use std::collections::HashSet;

use serde_json::Value;

use crate::problem::{Notice, Notices};
use crate::reading::MOST_NAMES;
use crate::{identifiers, keywords, languages, pages};
use citation_model::date::Date;
use citation_model::identifier::{Doi, Isbn, Issn};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// See the module.
pub(crate) struct ItemBuilder {
    item: Item,
    notices: Notices,
    /// Where the record begins in the text, in bytes.
    offset: usize,
    keywords: Vec<String>,
    notes: Vec<String>,
    isbns: Vec<String>,
    issns: Vec<String>,
    seen_names: HashSet<(NameVar, Name)>,
}

impl ItemBuilder {
    /// For a record that begins at a byte offset of the text.
    pub fn new(offset: usize) -> ItemBuilder {
        ItemBuilder {
            item: Item::default(),
            notices: Notices::default(),
            offset,
            keywords: Vec::new(),
            notes: Vec::new(),
            isbns: Vec::new(),
            issns: Vec::new(),
            seen_names: HashSet::new(),
        }
    }

    pub fn kind(&self) -> ItemType {
        self.item.kind
    }

    pub fn set_kind(&mut self, kind: ItemType) {
        self.item.kind = kind;
    }

    /// The type that a word means. A word that means none is said and kept as `custom.entry_type`.
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

    /// Sets a text. Identifiers are put in their canonical form; a wrong one is kept and said. ISBNs, ISSNs,
    /// keywords and notes add up; a language becomes its tag.
    pub fn text(&mut self, variable: TextVar, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        match variable {
            TextVar::Keyword => {
                return self
                    .keywords
                    .extend(keywords::split(value).map(str::to_owned));
            }
            TextVar::Note => return self.notes.push(value.to_owned()),
            TextVar::Isbn => return self.isbns.push(value.to_owned()),
            TextVar::Issn => return self.issns.push(value.to_owned()),
            _ => {}
        }
        if self.item.text(variable).is_some() {
            return;
        }
        let value = match (variable, identifiers::canonical(variable, value)) {
            (_, Some(Ok(canonical))) => canonical,
            (_, Some(Err(wrong))) => {
                self.notice(wrong.code, wrong.message);
                value.to_owned()
            }
            (TextVar::Language, _) => languages::tag_of(value),
            _ => value.to_owned(),
        };
        self.item.set_text(variable, value);
    }

    pub fn number(&mut self, variable: NumberVar, value: &str) {
        let value = value.trim();
        if !value.is_empty() && self.item.number(variable).is_none() {
            let value = match variable {
                NumberVar::Page => pages::normal(value),
                _ => value.to_owned(),
            };
            self.item.set_number(variable, value);
        }
    }

    /// Pages from one to another, either of which may be blank or hold the whole range.
    pub fn pages(&mut self, first: &str, last: &str) {
        let (first, last) = (pages::normal(first.trim()), pages::normal(last.trim()));
        let range = match (first.as_str(), last.as_str()) {
            (first, "") => first.to_owned(),
            ("", last) => last.to_owned(),
            (first, last) if first == last || first.contains('-') => first.to_owned(),
            (first, last) => format!("{first}-{last}"),
        };
        self.number(NumberVar::Page, &range);
    }

    pub fn date(&mut self, variable: DateVar, date: Option<Date>) {
        if let Some(date) = date.filter(|date| !date.is_empty())
            && self.item.date(variable).is_none()
        {
            self.item.set_date(variable, date);
        }
    }

    /// The number of an article that has no pages (`e42692`). A publisher's own key
    /// (`S0140-6736(20)30183-5`) is none.
    pub fn article_number(&mut self, text: &str) {
        let is_number = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_number {
            self.number(NumberVar::Page, text);
        }
    }

    /// Adds a name behind those that are there. A name that is there already is passed over.
    pub fn name(&mut self, variable: NameVar, name: Name) {
        if name.is_empty() || !self.seen_names.insert((variable, name.clone())) {
            return;
        }
        let names = match self.item.names.get_mut(variable) {
            Some(names) if names.len() == MOST_NAMES => {
                let message = format!("The names behind the first {MOST_NAMES} were left out.");
                return self.notice("too_many_names", message);
            }
            Some(names) => names,
            None => return self.item.set_names(variable, vec![name]),
        };
        names.push(name);
    }

    /// One keyword, whatever it holds.
    pub fn keyword(&mut self, keyword: &str) {
        self.keywords.extend(non_blank(keyword));
    }

    /// A number that is an ISBN or an ISSN; what is neither is the one that the type would have.
    pub fn serial_number(&mut self, text: &str) {
        for part in text.split([';', ',']) {
            let bare = part.split('(').next().unwrap_or_default().trim();
            if Issn::parse(bare).is_ok() {
                self.text(TextVar::Issn, bare);
            } else if Isbn::parse(bare).is_ok() || !self.item.kind.is_in_periodical() {
                self.text(TextVar::Isbn, bare);
            } else {
                self.text(TextVar::Issn, bare);
            }
        }
    }

    /// An address. That of the DOI resolver gives the DOI too.
    pub fn address(&mut self, url: &str) {
        let url = url.trim();
        self.text(TextVar::Url, url);
        let is_resolver = url.contains("doi.org/");
        if let (true, Ok(doi)) = (is_resolver, Doi::parse(url)) {
            self.text(TextVar::Doi, doi.as_str());
        }
    }

    /// What has no variable is kept under its own name; several values make a list.
    pub fn custom(&mut self, name: &str, value: &str) {
        let Some(value) = non_blank(value).map(Value::String) else {
            return;
        };
        match self.item.custom.get_mut(name) {
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                self.item.custom.insert(name.to_owned(), value);
            }
        }
    }

    pub fn notice(&mut self, code: &'static str, message: String) {
        let offset = self.offset;
        self.notices.push(Notice {
            code,
            message,
            offset,
        });
    }

    pub fn finish(mut self) -> (Item, Notices) {
        let words = keywords::join(self.keywords.iter().map(String::as_str));
        self.item.set_text(TextVar::Keyword, words);
        let notes = std::mem::take(&mut self.notes);
        self.item.set_text(TextVar::Note, notes.join("\n"));
        for (variable, list) in [
            (TextVar::Isbn, std::mem::take(&mut self.isbns)),
            (TextVar::Issn, std::mem::take(&mut self.issns)),
        ] {
            match identifiers::canonical(variable, &list.join(", ")) {
                Some(Ok(canonical)) => self.item.set_text(variable, canonical),
                Some(Err(wrong)) if !list.is_empty() => {
                    self.notice(wrong.code, wrong.message);
                    self.item.set_text(variable, list.join(", "));
                }
                _ => {}
            }
        }
        (self.item, self.notices)
    }
}
