//! One record of MARC: a leader, control fields and data fields with subfields.

use std::borrow::Cow;

/// See the module.
#[derive(Debug, Default)]
pub struct MarcRecord<'a> {
    pub leader: Cow<'a, str>,
    pub control: Vec<(&'a str, Cow<'a, str>)>,
    pub fields: Vec<DataField<'a>>,
}

#[derive(Debug)]
pub struct DataField<'a> {
    pub tag: Cow<'a, str>,
    pub first_indicator: char,
    pub second_indicator: char,
    pub subfields: Vec<(char, Cow<'a, str>)>,
}

impl MarcRecord<'_> {
    /// The character at a position of the leader, if it has full length.
    pub fn leader_at(&self, at: usize) -> Option<char> {
        char_at(&self.leader, at).filter(|_| self.leader.len() >= 20)
    }

    /// The character at a position of a control field.
    pub fn control_at(&self, tag: &str, at: usize) -> Option<char> {
        char_at(self.control(tag)?, at)
    }

    pub fn control(&self, tag: &str) -> Option<&str> {
        let field = self.control.iter().find(|(known, _)| *known == tag);
        field.map(|(_, value)| value.as_ref())
    }

    pub fn all<'s>(&'s self, tag: &'s str) -> impl Iterator<Item = &'s DataField<'s>> {
        self.fields.iter().filter(move |field| field.tag == tag)
    }

    pub fn first<'s>(&'s self, tag: &'s str) -> Option<&'s DataField<'s>> {
        self.all(tag).next()
    }

    /// A subfield of the first field with this tag that has it; otherwise empty.
    pub fn value<'s>(&'s self, tag: &'s str, code: char) -> &'s str {
        self.all(tag)
            .find_map(|field| field.get(code))
            .unwrap_or_default()
    }
}

impl DataField<'_> {
    pub fn get(&self, code: char) -> Option<&str> {
        self.every(code).next()
    }

    pub fn every(&self, code: char) -> impl Iterator<Item = &str> {
        let subfields = self
            .subfields
            .iter()
            .filter(move |(known, _)| *known == code);
        subfields
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.as_bytes().get(at).map(|byte| char::from(*byte))
}

/// Removes the marks around text that is skipped in sorting: `\u{98}Der \u{9c}Prozess`.
pub fn without_sorting_signs(text: &str) -> String {
    let is_sign = |c: char| matches!(c, '\u{88}' | '\u{89}' | '\u{98}' | '\u{9c}' | '¬');
    text.replace(is_sign, "")
        .replace("<<", "")
        .replace(">>", "")
}
