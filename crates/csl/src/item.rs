//! An item prepared for repeated evaluation: the variables present, parsed names, and variables from its
//! note.

use std::borrow::Cow;

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

use super::particles;
use super::style::VariableSet;

/// An item in the form that the evaluation reads.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    pub item: Cow<'a, Item>,
    pub variables: VariableSet,
    /// `None` for a type unknown to CSL, for which no condition holds.
    pub kind: Option<ItemType>,
    names: Vec<(NameVar, Vec<PersonName>)>,
}

/// A name with its particles separated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonName {
    pub family: Box<str>,
    pub given: Box<str>,
    pub dropping: Box<str>,
    pub non_dropping: Box<str>,
    pub suffix: Box<str>,
    pub comma_suffix: bool,
    pub static_ordering: bool,
    /// An institution, or a name to be kept whole.
    pub literal: Option<Box<str>>,
    pub script: Script,
}

impl PersonName {
    /// Whether two names have the same parts, in any order. A family name alone equals a literal name.
    pub fn is_called_like(&self, other: &PersonName) -> bool {
        fn parts(name: &PersonName) -> [&str; 5] {
            [
                name.literal.as_deref().unwrap_or(&name.family),
                &name.given,
                &name.dropping,
                &name.non_dropping,
                &name.suffix,
            ]
        }
        parts(self) == parts(other)
    }
}

/// The script of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// Latin, Greek, Cyrillic and similar scripts: given name first, then family name.
    #[default]
    Romanesque,
    /// Mixed with such letters.
    Mixed,
    /// No such letters: the family name comes first, without a space.
    Other,
}

impl<'a> Prepared<'a> {
    pub fn new(item: &'a Item) -> Prepared<'a> {
        let mut item = with_note_fields(item);
        // The variable for an event's name was renamed; both names are accepted.
        if let Some(event) = item.text(TextVar::Event).map(str::to_owned)
            && !item.text.contains(TextVar::EventTitle)
        {
            item.to_mut().set_text(TextVar::EventTitle, event);
        }
        let mut variables = VariableSet::default();
        for (v, _) in item.text.iter() {
            variables.insert(Variable::Text(v));
        }
        for (v, _) in item.number.iter() {
            variables.insert(Variable::Number(v));
        }
        for (v, _) in item.date.iter() {
            variables.insert(Variable::Date(v));
        }
        for (v, _) in item.names.iter() {
            variables.insert(Variable::Names(v));
        }
        if item.number.contains(NumberVar::Page) {
            variables.insert(Variable::Number(NumberVar::PageFirst));
        }
        // A work in Chinese or Japanese orders names by its language's rules, even in Latin letters.
        let static_ordering = item.text(TextVar::Language).is_some_and(puts_family_first);
        let person = |name| {
            let name = PersonName::new(name);
            PersonName {
                static_ordering: static_ordering || name.static_ordering,
                ..name
            }
        };
        let names = item
            .names
            .iter()
            .map(|(variable, names)| (variable, names.iter().map(person).collect()))
            .collect();
        let kind = (!item.custom.contains_key("type")).then_some(item.kind);
        Prepared {
            item,
            variables,
            kind,
            names,
        }
    }

    /// Four letters of a single name, two of each of two, fewer of each of more, and the year. An item
    /// without names uses its title.
    pub fn trigraph(&self) -> String {
        let names = NameVar::ALL
            .iter()
            .map(|variable| self.names(*variable))
            .find(|names| !names.is_empty())
            .unwrap_or_default();
        let shares: &[usize] = match names.len() {
            1 => &[4],
            2 => &[2, 2],
            3 => &[2, 1, 1],
            _ => &[1, 1, 1, 1],
        };
        let mut label = String::new();
        for (name, share) in names.iter().zip(shares) {
            let text = name.literal.as_deref().unwrap_or(&name.family);
            let letters = without_article(text)
                .chars()
                .filter(|c| c.is_alphabetic() && is_romanesque(*c));
            push_capitalized(letters.take(*share), &mut label);
        }
        if label.is_empty() {
            let title = self.text(TextVar::Title).unwrap_or_default();
            let words = title
                .split_whitespace()
                .filter(|word| !matches!(*word, "a" | "an" | "the"));
            push_capitalized(words.flat_map(str::chars).take(4), &mut label);
        }
        let date = self.date(DateVar::Issued);
        let year = date
            .and_then(|date| date.start)
            .map_or(0, |start| start.year);
        label.push_str(&format!("{:02}", year.unsigned_abs() % 100));
        label
    }

    /// The cost of preparation, in budget steps.
    pub fn size(&self) -> usize {
        let names = self.names.iter().map(|(_, names)| names.len());
        let note = self.item.text(TextVar::Note).map_or(0, str::len);
        1 + names.sum::<usize>() * 4 + note / 8
    }

    pub fn text(&self, variable: TextVar) -> Option<&str> {
        self.item.text(variable)
    }

    pub fn number(&self, variable: NumberVar) -> Option<&str> {
        self.item.number(variable)
    }

    pub fn date(&self, variable: DateVar) -> Option<&Date> {
        self.item.date(variable)
    }

    pub fn names(&self, variable: NameVar) -> &[PersonName] {
        self.names
            .iter()
            .find(|(known, _)| *known == variable)
            .map_or(&[], |(_, names)| names)
    }
}

/// The name of an institution without a leading English article, for sorting (specification, «Name-part
/// order»).
pub fn without_article(name: &str) -> &str {
    let article = name.split_once(' ').filter(|(first, _)| {
        ["a", "an", "the"]
            .iter()
            .any(|a| first.eq_ignore_ascii_case(a))
    });
    article.map_or(name, |(_, rest)| rest)
}

fn push_capitalized(mut letters: impl Iterator<Item = char>, out: &mut String) {
    out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
    out.extend(letters.flat_map(char::to_lowercase));
}

impl PersonName {
    pub fn new(name: &Name) -> PersonName {
        fn text(part: &Option<String>) -> &str {
            part.as_deref().unwrap_or_default().trim()
        }
        let mut out = PersonName {
            suffix: text(&name.suffix).into(),
            comma_suffix: name.comma_suffix,
            static_ordering: name.static_ordering,
            ..PersonName::default()
        };
        if let Some(literal) = &name.literal {
            out.script = script([&**literal]);
            out.literal = Some(literal.trim().into());
            return out;
        }
        // A comma after a part is left over from splitting a name.
        let part = |part| Cow::from(text(part).trim_end_matches([',', ' ']));
        let mut family = part(&name.family);
        let mut given = part(&name.given);
        let mut dropping = Cow::from(text(&name.dropping_particle));
        let mut non_dropping = Cow::from(text(&name.non_dropping_particle));
        if name.parse_names {
            particles::split(
                family.to_mut(),
                given.to_mut(),
                dropping.to_mut(),
                non_dropping.to_mut(),
            );
            if out.suffix.is_empty()
                && let Some((rest, suffix, comma)) = given_suffix(&given)
            {
                out.suffix = suffix.into();
                out.comma_suffix |= comma;
                given = rest.into();
            }
        }
        let family = quoted(&family).unwrap_or(&family);
        out.script = script([family, &given]);
        out.family = curly(family);
        out.given = curly(&given);
        out.dropping = curly(&dropping);
        out.non_dropping = curly(&non_dropping);
        out
    }
}

fn puts_family_first(tag: &str) -> bool {
    tag.get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("ja") || start.eq_ignore_ascii_case("zh"))
}

/// A family name in straight quotation marks is kept unchanged, without the marks.
fn quoted(family: &str) -> Option<&str> {
    let inner = family.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.is_empty()).then_some(inner)
}

fn curly(text: &str) -> Box<str> {
    if text.contains('\'') {
        text.replace('\'', "’").into()
    } else {
        text.into()
    }
}

/// A suffix after a comma in the given name: `Martin Luther, Jr.`. An exclamation mark before it requests a
/// comma in display order.
fn given_suffix(given: &str) -> Option<(String, String, bool)> {
    let (rest, suffix) = given.split_once(',')?;
    let suffix = suffix.trim_start();
    let (suffix, comma) = match suffix.strip_prefix('!') {
        Some(rest) => (rest.trim_start(), true),
        None => (suffix, false),
    };
    (!suffix.is_empty()).then(|| (rest.trim_end().to_owned(), suffix.to_owned(), comma))
}

/// Determines the script of texts. Latin, Greek, Cyrillic, Hebrew, Arabic and similar scripts count as
/// romanesque: given name first, with spaces.
pub fn script<'t>(texts: impl IntoIterator<Item = &'t str>) -> Script {
    let (mut romanesque, mut other) = (false, false);
    for c in texts.into_iter().flat_map(str::chars) {
        if is_romanesque(c) {
            romanesque |= c.is_alphabetic();
        } else if c.is_alphabetic() {
            other = true;
        }
    }
    match (romanesque, other) {
        (_, false) => Script::Romanesque,
        (true, true) => Script::Mixed,
        (false, true) => Script::Other,
    }
}

/// Whether a word is surrounded by spaces. The Hebrew vav («and») is attached to its word.
pub fn opens_romanesque(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(|c| c == '&' || c != 'ו' && c.is_alphabetic() && is_romanesque(c))
}

/// Characters that Unicode defines as superscript forms of others.
pub fn is_raised(c: char) -> bool {
    // What most texts hold.
    if matches!(c, ..'ª' | 'À'..='ʯ' | '\u{2010}'..='\u{201f}') {
        return false;
    }
    matches!(c,
        'ª' | '²' | '³' | '¹' | 'º' | 'ʰ'..='ʸ' | 'ˀ' | 'ˁ' | 'ˠ'..='ˤ'
        | 'ۥ' | 'ۦ' | 'ᴬ'..='ᵡ' | '⁰' | 'ⁱ' | '⁴'..='ⁿ' | '℠' | '™' | '㆒'..='㆟')
        && !matches!(c, 'ᴯ' | 'ᴻ' | 'ᵎ')
}

pub fn is_romanesque(c: char) -> bool {
    matches!(u32::from(c), 0..=0x052f | 0x0531..=0x06ff | 0x0750..=0x077f | 0x0e00..=0x0e7f | 0x1e00..=0x1fff | 0x2000..=0x206f | 0x2c60..=0x2c7f | 0xa640..=0xa69f | 0xa720..=0xa7ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff)
}

/// Variables in a note, as `{:original-date: 1980}` or on its first lines as `original-date: 1980`, used
/// for fields that the source lacks. Only a date overrides the item's own value.
fn with_note_fields(item: &Item) -> Cow<'_, Item> {
    let Some(note) = item.text(TextVar::Note) else {
        return Cow::Borrowed(item);
    };
    let fields = note_fields(note);
    if fields.is_empty() {
        return Cow::Borrowed(item);
    }
    let mut item = item.clone();
    let mut names: Vec<(NameVar, Vec<Name>)> = Vec::new();
    for (key, value) in fields {
        if key == "type" {
            if let Some(kind) = ItemType::from_csl(value) {
                item.kind = kind;
                item.custom.remove("type");
            }
            continue;
        }
        match Variable::from_csl(key) {
            Some(Variable::Text(v)) if !item.text.contains(v) => item.set_text(v, value),
            Some(Variable::Number(v)) if !item.number.contains(v) => item.set_number(v, value),
            Some(Variable::Date(v)) => item.set_date(v, Date::parse(value).unwrap_or_default()),
            Some(Variable::Names(v)) if item.names.contains(v) => {}
            Some(Variable::Names(v)) => match names.iter_mut().find(|(known, _)| *known == v) {
                Some((_, list)) => list.push(note_name(value)),
                None => names.push((v, vec![note_name(value)])),
            },
            _ => {}
        }
    }
    for (variable, list) in names {
        item.set_names(variable, list);
    }
    Cow::Owned(item)
}

fn note_name(value: &str) -> Name {
    match value.split_once("||") {
        Some((family, given)) => Name::person(family, given),
        None => Name::literal(value),
    }
}

fn note_fields(note: &str) -> Vec<(&str, &str)> {
    let mut fields = Vec::new();
    let mut rest = note;
    while let Some((_, opened)) = rest.split_once("{:") {
        let Some((field, after)) = opened.split_once('}') else {
            break;
        };
        fields.extend(note_field(field));
        rest = after;
    }
    for (at, line) in note.lines().enumerate() {
        match note_field(line) {
            Some(field) => fields.push(field),
            // The first line may be an ordinary note.
            None if at == 0 || line.trim().is_empty() || line.contains("{:") => {}
            None => break,
        }
    }
    fields
}

/// A key in lower or upper case, known or not, and its value.
fn note_field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let value = value.trim();
    let small = |b: u8| b.is_ascii_lowercase() || matches!(b, b'-' | b'_');
    let is_key = key.bytes().all(small) || key.bytes().all(|b| b.is_ascii_uppercase());
    (is_key && !key.is_empty() && !value.is_empty() && !value.contains('}')).then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_may_hold_variables() {
        let mut item = Item::new("a", ItemType::Book);
        item.set_text(TextVar::Note, "{:original-date: 1980} seen");
        let prepared = Prepared::new(&item);
        assert!(prepared.date(DateVar::OriginalDate).is_some());
    }

    #[test]
    fn scripts() {
        assert_eq!(script(["Müller"]), Script::Romanesque);
        assert_eq!(script(["王伟"]), Script::Other);
        assert_eq!(script(["王 Wei"]), Script::Mixed);
    }
}
