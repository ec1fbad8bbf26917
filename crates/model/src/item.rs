//! The item: one bibliographic record in the terms of CSL.

use super::date::Date;
use super::identifier::{ArxivId, Doi, Identifier, Isbn, Issn, Pmcid, Pmid};
use super::item_type::ItemType;
use super::name::Name;
use super::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Members of a record without a CSL variable, kept so that nothing is lost.
pub type Custom = serde_json::Map<String, serde_json::Value>;

/// The member of [`Custom`] with the names of the variables whose lists end in “and others”, which CSL cannot say.
pub const AND_OTHERS: &str = "and_others";

/// One bibliographic record, a plain value with getters. Absent and empty are equivalent, so empty values
/// are never stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Chosen by the creator of the item; may be empty.
    pub id: String,
    pub kind: ItemType,
    pub text: VarMap<TextVar, String>,
    pub number: VarMap<NumberVar, String>,
    pub date: VarMap<DateVar, Date>,
    pub names: VarMap<NameVar, Vec<Name>>,
    pub custom: Custom,
}

impl Item {
    pub fn new(id: impl Into<String>, kind: ItemType) -> Item {
        Item {
            id: id.into(),
            kind,
            ..Item::default()
        }
    }

    /// Whether no CSL variable is set, so that a style has nothing to show.
    pub fn says_nothing(&self) -> bool {
        self.text.is_empty()
            && self.number.is_empty()
            && self.date.is_empty()
            && self.names.is_empty()
    }

    pub fn text(&self, variable: TextVar) -> Option<&str> {
        self.text.get(variable).map(String::as_str)
    }

    pub fn number(&self, variable: NumberVar) -> Option<&str> {
        self.number.get(variable).map(String::as_str)
    }

    pub fn date(&self, variable: DateVar) -> Option<&Date> {
        self.date.get(variable)
    }

    /// The names of a variable; empty if there are none.
    pub fn names(&self, variable: NameVar) -> &[Name] {
        self.names.get(variable).map_or(&[], Vec::as_slice)
    }

    /// Sets a text. Outer white space is trimmed; a blank value removes the variable.
    pub fn set_text(&mut self, variable: TextVar, value: impl Into<String>) {
        set_trimmed(&mut self.text, variable, value.into());
    }

    /// Sets a number. Outer white space is trimmed; a blank value removes the variable.
    pub fn set_number(&mut self, variable: NumberVar, value: impl Into<String>) {
        set_trimmed(&mut self.number, variable, value.into());
    }

    /// Sets a date; an empty one removes the variable.
    pub fn set_date(&mut self, variable: DateVar, value: Date) {
        if value.is_empty() {
            self.date.remove(variable);
        } else {
            self.date.insert(variable, value);
        }
    }

    /// Sets the names. Empty names are skipped; an empty list removes the variable.
    pub fn set_names(&mut self, variable: NameVar, mut value: Vec<Name>) {
        value.retain(|name| !name.is_empty());
        if value.is_empty() {
            self.names.remove(variable);
        } else {
            self.names.insert(variable, value);
        }
    }

    /// Whether a list of names ends in “and others”: the work has more than it names.
    pub fn has_others(&self, variable: NameVar) -> bool {
        let lists = self.custom.get(AND_OTHERS).and_then(|v| v.as_array());
        lists.is_some_and(|lists| lists.iter().any(|list| list == variable.json_name()))
    }

    /// Ends a list of names in “and others”.
    pub fn set_others(&mut self, variable: NameVar) {
        if self.has_others(variable) {
            return;
        }
        let lists = self.custom.entry(AND_OTHERS);
        let lists = lists.or_insert_with(|| serde_json::Value::Array(Vec::new()));
        if let Some(lists) = lists.as_array_mut() {
            lists.push(variable.json_name().into());
        }
    }

    /// The year in which the item was issued.
    pub fn year(&self) -> Option<i32> {
        self.date(DateVar::Issued)?.start.map(|start| start.year)
    }

    pub fn doi(&self) -> Option<Doi> {
        Doi::parse(self.text(TextVar::Doi)?).ok()
    }

    /// The ISBNs; the variable may hold several, separated by spaces, commas or semicolons.
    pub fn isbns(&self) -> Vec<Isbn> {
        let Some(text) = self.text(TextVar::Isbn) else {
            return Vec::new();
        };
        if let Ok(isbn) = Isbn::parse(text) {
            return vec![isbn];
        }
        distinct(
            text.split([' ', ',', ';'])
                .filter_map(|part| Isbn::parse(part).ok()),
        )
    }

    /// The item's identifiers, without duplicates. ISSNs are excluded because they identify the container.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let doi = self.doi().map(Identifier::Doi);
        let isbns = if self.kind.is_whole_book() {
            self.isbns()
        } else {
            Vec::new()
        };
        let pmid = self.text(TextVar::Pmid).and_then(|t| Pmid::parse(t).ok());
        let pmcid = self.text(TextVar::Pmcid).and_then(|t| Pmcid::parse(t).ok());
        let arxiv = self
            .text(TextVar::ArxivId)
            .and_then(|t| ArxivId::parse(t).ok())
            .map(|id| id.unversioned());
        distinct(
            doi.into_iter()
                .chain(isbns.into_iter().map(Identifier::Isbn))
                .chain(pmid.map(Identifier::Pmid))
                .chain(pmcid.map(Identifier::Pmcid))
                .chain(arxiv.map(Identifier::Arxiv)),
        )
    }

    /// The ISSNs of the container.
    pub fn issns(&self) -> Vec<Issn> {
        let text = self.text(TextVar::Issn).unwrap_or_default();
        distinct(
            text.split([' ', ',', ';'])
                .filter_map(|part| Issn::parse(part).ok()),
        )
    }
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

fn set_trimmed<K: Copy + Ord>(map: &mut VarMap<K, String>, variable: K, value: String) {
    let trimmed = value.trim();
    if trimmed.is_empty() {
        map.remove(variable);
    } else if trimmed.len() == value.len() {
        map.insert(variable, value);
    } else {
        map.insert(variable, trimmed.to_owned());
    }
}

/// A small map sorted by variable. Items have about ten variables; for so few, a sorted vector is smaller
/// and faster than a tree or a hash table.
#[derive(Clone, Debug, PartialEq)]
pub struct VarMap<K, V> {
    pairs: Vec<(K, V)>,
}

impl<K, V> Default for VarMap<K, V> {
    fn default() -> Self {
        VarMap { pairs: Vec::new() }
    }
}

impl<K: Copy + Ord, V> VarMap<K, V> {
    pub fn get(&self, key: K) -> Option<&V> {
        self.pairs.iter().find(|pair| pair.0 == key).map(|p| &p.1)
    }

    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.pairs
            .iter_mut()
            .find(|pair| pair.0 == key)
            .map(|p| &mut p.1)
    }

    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    pub fn insert(&mut self, key: K, value: V) {
        match self.pairs.binary_search_by(|pair| pair.0.cmp(&key)) {
            Ok(at) => {
                if let Some(pair) = self.pairs.get_mut(at) {
                    pair.1 = value;
                }
            }
            Err(at) => self.pairs.insert(at, (key, value)),
        }
    }

    pub fn remove(&mut self, key: K) -> Option<V> {
        let at = self.pairs.binary_search_by(|pair| pair.0.cmp(&key)).ok()?;
        Some(self.pairs.remove(at).1)
    }

    /// In the order of the variable table.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K, &V)> {
        self.pairs.iter().map(|pair| (pair.0, &pair.1))
    }

    /// In the order of the variable table.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (K, &mut V)> {
        self.pairs.iter_mut().map(|pair| (pair.0, &mut pair.1))
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_values_are_not_stored() {
        let mut item = Item::new("a", ItemType::Book);
        item.set_text(TextVar::Title, "  Emma ");
        assert_eq!(item.text(TextVar::Title), Some("Emma"));
        item.set_text(TextVar::Title, " ");
        assert_eq!(item.text(TextVar::Title), None);
    }

    #[test]
    fn an_isbn_identifies_a_book_but_not_its_chapter() {
        let mut item = Item::new("a", ItemType::Book);
        item.set_text(TextVar::Isbn, "0-19-852663-6, 9780198526636");
        assert_eq!(item.identifiers().len(), 1);
        item.kind = ItemType::Chapter;
        assert!(item.identifiers().is_empty());
    }
}
