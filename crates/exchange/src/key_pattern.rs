//! Patterns for citation keys, such as the default `[auth][year]`, which gives `Smith2020`.

use citation_model::item::Item;
use citation_model::lists;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// How keys are made. Keys are ASCII letters and digits: `Müller` gives `Muller`, other scripts are
/// transliterated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<PatternPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    /// Literal characters.
    Text(String),
    Field(PatternField, Vec<Modifier>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternField {
    Auth,
    Authors,
    Year,
    ShortYear,
    Word,
    Title,
    Journal,
    Volume,
    FirstPage,
}

/// The fields and their names in patterns.
const FIELDS: [(&str, PatternField); 9] = [
    // The first name, otherwise a word of the title, otherwise `Anon`.
    ("auth", PatternField::Auth),
    // The first three names, and `EtAl` for more.
    ("authors", PatternField::Authors),
    // `nd` if there is none.
    ("year", PatternField::Year),
    // The last two digits.
    ("shortyear", PatternField::ShortYear),
    // The first significant word of the title.
    ("word", PatternField::Word),
    // The first three significant words of the title.
    ("title", PatternField::Title),
    // The initials of the journal or book title.
    ("journal", PatternField::Journal),
    ("volume", PatternField::Volume),
    ("firstpage", PatternField::FirstPage),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Modifier {
    Lower,
    Upper,
    /// The first characters.
    First(usize),
}

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("is longer than {MAX_CHARS} characters")]
    TooLong,
    #[error("has “[” or “]” without the other")]
    Unbalanced,
    #[error("names “{0}”, but the fields are {names}", names = field_names())]
    UnknownField(String),
    #[error("has “:{0}”, but behind a field can stand :lower, :upper or a number of characters")]
    UnknownModifier(String),
    #[error(
        "has “{0}”, which no key can have; there can be letters, digits and - _ : . / + of ASCII"
    )]
    InvalidText(char),
    #[error("names no field, so that all keys would be alike")]
    NoField,
}

const MAX_CHARS: usize = 200;

fn field_names() -> String {
    let names: Vec<String> = FIELDS.iter().map(|(name, _)| format!("[{name}]")).collect();
    names.join(", ")
}

impl Default for Pattern {
    /// `[auth][year]`.
    fn default() -> Pattern {
        Pattern {
            parts: vec![
                PatternPart::Field(PatternField::Auth, Vec::new()),
                PatternPart::Field(PatternField::Year, Vec::new()),
            ],
        }
    }
}

impl Pattern {
    /// Parses a pattern: fields in brackets with optional modifiers (`[auth:lower]`, `[title:upper:5]`),
    /// and literal text.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        if text.chars().count() > MAX_CHARS {
            return Err(PatternError::TooLong);
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (before, after) = rest.split_once('[').unwrap_or((rest, ""));
            parts.extend(read_text(before)?);
            let has_field = rest.len() > before.len();
            rest = after;
            if has_field {
                let (field, behind) = after.split_once(']').ok_or(PatternError::Unbalanced)?;
                parts.push(read_field(field)?);
                rest = behind;
            }
        }
        if !parts
            .iter()
            .any(|part| matches!(part, PatternPart::Field(..)))
        {
            return Err(PatternError::NoField);
        }
        Ok(Pattern { parts })
    }

    /// The key of an item without a disambiguating letter. Never empty.
    pub fn base(&self, item: &Item) -> String {
        let parts = self.parts.iter().map(|part| match part {
            PatternPart::Text(text) => text.clone(),
            PatternPart::Field(field, modifiers) => modifiers
                .iter()
                .fold(field.of(item), |text, modifier| modifier.apply(&text)),
        });
        let key: String = parts.collect();
        if key.is_empty() {
            return UNKNOWN.to_owned();
        }
        key
    }
}

fn read_text(text: &str) -> Result<Option<PatternPart>, PatternError> {
    if text.contains(']') {
        return Err(PatternError::Unbalanced);
    }
    let allowed = |c: &char| c.is_ascii_alphanumeric() || "-_:./+".contains(*c);
    if let Some(wrong) = text.chars().find(|c| !allowed(c)) {
        return Err(PatternError::InvalidText(wrong));
    }
    Ok((!text.is_empty()).then(|| PatternPart::Text(text.to_owned())))
}

fn read_field(text: &str) -> Result<PatternPart, PatternError> {
    let mut words = text.split(':').map(str::trim);
    let name = words.next().unwrap_or_default();
    let known = FIELDS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    let (_, field) = known.ok_or_else(|| PatternError::UnknownField(name.to_owned()))?;
    let modifiers = words.map(|word| match (word, word.parse()) {
        ("lower", _) => Ok(Modifier::Lower),
        ("upper", _) => Ok(Modifier::Upper),
        (_, Ok(count @ 1..=MAX_CHARS)) => Ok(Modifier::First(count)),
        _ => Err(PatternError::UnknownModifier(word.to_owned())),
    });
    Ok(PatternPart::Field(
        *field,
        modifiers.collect::<Result<_, _>>()?,
    ))
}

impl Modifier {
    fn apply(self, text: &str) -> String {
        match self {
            Modifier::Lower => text.to_ascii_lowercase(),
            Modifier::Upper => text.to_ascii_uppercase(),
            Modifier::First(count) => text.chars().take(count).collect(),
        }
    }
}

/// Used if an item has neither names nor a title.
const UNKNOWN: &str = "Anon";

/// Maximum number of names in `[authors]`.
const MAX_NAMES: usize = 3;

/// Maximum number of words of an institution or title in a key.
const MAX_WORDS: usize = 3;

impl PatternField {
    fn of(self, item: &Item) -> String {
        match self {
            PatternField::Auth => first_stem(item),
            PatternField::Authors => all_stems(item),
            PatternField::Year => year(item).unwrap_or_else(|| "nd".to_owned()),
            PatternField::ShortYear => match year(item) {
                Some(year) => year
                    .get(year.len().saturating_sub(2)..)
                    .unwrap_or_default()
                    .to_owned(),
                None => "nd".to_owned(),
            },
            PatternField::Word => title(item).and_then(title_word).unwrap_or_default(),
            PatternField::Title => title(item)
                .map(|text| title_words(text).concat())
                .unwrap_or_default(),
            PatternField::Journal => {
                let words = item.text(TextVar::ContainerTitle).map(telling_words);
                let initials = words.unwrap_or_default();
                initials
                    .iter()
                    .filter_map(|word| word.chars().next())
                    .collect()
            }
            PatternField::Volume => folded(item.number(NumberVar::Volume).unwrap_or_default()),
            PatternField::FirstPage => first_page(item),
        }
    }
}

fn year(item: &Item) -> Option<String> {
    Some(item.year()?.unsigned_abs().to_string())
}

fn title(item: &Item) -> Option<&str> {
    item.text(TextVar::Title)
}

fn first_page(item: &Item) -> String {
    let page = item
        .number(NumberVar::Page)
        .or(item.number(NumberVar::PageFirst));
    let first = page.and_then(|page| page.split(['-', '–', ',', ';']).next());
    folded(first.unwrap_or_default())
}

/// The names that an item is attributed to.
fn names(item: &Item) -> &[Name] {
    let variables = [NameVar::Author, NameVar::Editor, NameVar::Translator];
    let mut lists = variables.into_iter().map(|variable| item.names(variable));
    lists.find(|names| !names.is_empty()).unwrap_or_default()
}

fn first_stem(item: &Item) -> String {
    names(item)
        .first()
        .map(name_stem)
        .filter(|stem| !stem.is_empty())
        .or_else(|| title(item).and_then(title_word))
        .unwrap_or_else(|| UNKNOWN.to_owned())
}

fn all_stems(item: &Item) -> String {
    let names = names(item);
    let stems: String = names.iter().take(MAX_NAMES).map(name_stem).collect();
    match (stems.is_empty(), names.len() > MAX_NAMES) {
        (true, _) => first_stem(item),
        (false, true) => format!("{stems}EtAl"),
        (false, false) => stems,
    }
}

/// `vanderBerg` for a person, the first words of an institution.
fn name_stem(name: &Name) -> String {
    match &name.literal {
        Some(institution) => {
            let words = words(institution).filter(|word| !is_small_word(word));
            words
                .take(MAX_WORDS)
                .map(|word| capitalised(&word))
                .collect()
        }
        None => folded(&name.heading()),
    }
}

/// The first significant word of a title, otherwise the first word.
fn title_word(title: &str) -> Option<String> {
    telling_words(title).into_iter().next()
}

fn title_words(title: &str) -> Vec<String> {
    let mut words = telling_words(title);
    words.truncate(MAX_WORDS);
    words
}

/// The significant words of a text, otherwise all, capitalised.
fn telling_words(text: &str) -> Vec<String> {
    let text = without_tags(text);
    let capitals = |words: &mut dyn Iterator<Item = String>| -> Vec<String> {
        words.map(|word| capitalised(&word)).collect()
    };
    let telling = capitals(&mut words(&text).filter(|word| !is_small_word(word)));
    if telling.is_empty() {
        return capitals(&mut words(&text));
    }
    telling
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .map(folded)
        .filter(|word| !word.is_empty())
}

/// ASCII letters and digits; other scripts are transliterated.
fn folded(text: &str) -> String {
    let ascii = deunicode::deunicode_with_tofu(text, "");
    ascii.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tagged)) = rest.split_once('<') {
        out.push_str(before);
        match tagged.split_once('>') {
            Some((_, after)) => rest = after,
            None => {
                // No more tags end; the brackets are dropped.
                out.extend(tagged.split('<'));
                return out;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Articles, prepositions and conjunctions of common title languages.
fn is_small_word(word: &str) -> bool {
    const WORDS: [&str; 50] = lists::words(
        "a an the on in of for and or to at by from with der die das ein eine und von zur zum \
         uber le la les un une des du de et l el los las y il lo gli i e het een o os as um uma",
    );
    WORDS.contains(&word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BIBTEX, read};
    use citation_model::budget::Budget;

    const ITEM: &str = "@article{x, author={van der Berg, Jan and Müller, Jo and Smith, A and Doe, B}, \
                        title={On the <i>Origin</i> of {DNA} in species}, journal={Journal of the Art}, \
                        year=2020, volume={12}, pages={101--9}}";

    fn keys(pattern: &str, item: &str) -> String {
        let reading = read(&item.into(), &BIBTEX, &Budget::unlimited()).unwrap();
        let item = &reading.items[0].item;
        Pattern::parse(pattern).unwrap().base(item)
    }

    #[test]
    fn patterns_name_fields() {
        let check = |pattern: &str, expected: &str| assert_eq!(keys(pattern, ITEM), expected);
        check("[auth][year]", "vanderBerg2020");
        check("[auth:lower]_[shortyear]", "vanderberg_20");
        check("[authors]", "vanderBergMullerSmithEtAl");
        check("[word:upper]:[title:8]", "ORIGIN:OriginDN");
        check("[journal][volume]-[firstpage]", "JA12-101");
        check("x.[AUTH:upper:3]", "x.VAN");
    }

    #[test]
    fn missing_fields_are_left_out() {
        let check =
            |pattern: &str, expected: &str| assert_eq!(keys(pattern, "@misc{x,}"), expected);
        check("[auth][year]", "Anonnd");
        check("[volume]", "Anon");
        check("[title][shortyear]", "nd");
        check("[authors]", "Anon");
        assert_eq!(keys("[word]", "@misc{x, title={The}}"), "The");
    }

    #[test]
    fn broken_patterns_are_refused() {
        let check = |pattern: &str, expected: PatternError| {
            assert_eq!(Pattern::parse(pattern), Err(expected), "{pattern}");
        };
        check("[auth", PatternError::Unbalanced);
        check("auth]", PatternError::Unbalanced);
        check("[name]", PatternError::UnknownField("name".to_owned()));
        check(
            "[auth:abbr]",
            PatternError::UnknownModifier("abbr".to_owned()),
        );
        check("[auth:0]", PatternError::UnknownModifier("0".to_owned()));
        check("[auth], [year]", PatternError::InvalidText(','));
        check("", PatternError::NoField);
        check("key", PatternError::NoField);
        check(&"[auth]".repeat(40), PatternError::TooLong);
        let told = PatternError::UnknownField("x".to_owned()).to_string();
        assert!(told.contains("[auth], [authors]"), "{told}");
    }
}
