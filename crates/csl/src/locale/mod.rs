//! Locales: the content of a locale file or a style's `cs:locale`, and the merged table that evaluation
//! reads.

#![allow(
    clippy::indexing_slicing,
    reason = "an array has a place for each member of the enum"
)]

pub mod lang;
pub mod parse;
pub mod term;

use std::collections::HashMap;
use std::sync::Arc;

use super::error::LocaleError;
use super::item::is_raised;
use super::style::rendering::{DateForm, DatePart};
use term::{CORE, Gender, OrdinalMatch, TermDefinition, TermForm, TermId};

/// What locales are made of, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<locale xmlns=\"http://purl.org/net/xbiblio/csl\" version=\"1.0\" xml:lang=\"en\">",
    "</locale>",
    "<info>",
    "<style-options punctuation-in-quote=\"true\"/>",
    "<date form=\"text\">",
    "<date-part name=\"year\"/>",
    "</date>",
    "<terms>",
    "<term name=\"and\">",
    "<term name=\"ordinal-01\">",
    "<single>",
    "<multiple>",
    "</term>",
    "</terms>",
    "<",
    ">",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    "&",
    "\"",
    "=",
    "\n",
    "a ",
];

/// A parsed locale file.
#[derive(Clone, Debug)]
pub struct Locale {
    pub lang: String,
    pub(crate) content: Overrides,
}

impl Locale {
    /// Parses a locale file. If `xml:lang` is absent, the language is English.
    pub fn parse(xml: &str) -> Result<Locale, LocaleError> {
        let content = parse::locale(xml)?;
        Ok(Locale {
            lang: content.lang.clone().unwrap_or_else(|| lang::ROOT.into()),
            content,
        })
    }
}

/// One layer of locale data.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    pub lang: Option<String>,
    pub terms: Vec<TermDefinition>,
    pub dates: [Option<LocaleDate>; 2],
    pub punctuation_in_quote: Option<bool>,
    pub limit_day_ordinals: Option<bool>,
}

impl Overrides {
    pub fn set_date(&mut self, form: DateForm, date: LocaleDate) {
        self.dates[form as usize] = Some(date);
    }

    fn has_ordinals(&self) -> bool {
        self.terms.iter().any(|term| is_ordinal(&term.name))
    }
}

fn is_ordinal(name: &str) -> bool {
    name == "ordinal" || name.starts_with("ordinal-")
}

/// A localized date format.
#[derive(Clone, Debug, Default)]
pub struct LocaleDate {
    pub delimiter: Box<str>,
    pub parts: Vec<DatePart>,
}

/// Singular and plural of one form of a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermText {
    pub single: Box<str>,
    pub multiple: Box<str>,
}

/// All layers merged, for evaluation.
#[derive(Clone, Debug, Default)]
pub struct MergedLocale {
    pub lang: String,
    /// By [`TermId`], then by form, with fallbacks between forms filled in.
    terms: Vec<[Option<TermText>; 5]>,
    genders: Vec<Gender>,
    /// Forms of `long-ordinal-NN` with a gender.
    gendered: Vec<(TermId, Gender, Box<str>)>,
    ordinals: Vec<Ordinal>,
    /// The ordinals of the locale files, if the style defines its own.
    ordinals_of_files: Vec<Ordinal>,
    pub dates: [LocaleDate; 2],
    pub punctuation_in_quote: bool,
    pub limit_day_ordinals: bool,
}

#[derive(Clone, Debug)]
struct Ordinal {
    /// `None` for the suffix of all other numbers.
    number: Option<u32>,
    match_mode: OrdinalMatch,
    gender: Option<Gender>,
    text: Box<str>,
}

impl MergedLocale {
    /// Merges the layers for a language: English, the language's primary dialect, the locale itself, then
    /// the style's overrides for any language, for the language and for the dialect. `extra_terms` are
    /// the names of non-core terms that the style uses.
    pub fn merge(
        of_style: &[Overrides],
        extra_terms: &[Box<str>],
        tag: &str,
        find: &dyn Fn(&str) -> Option<Arc<Locale>>,
    ) -> MergedLocale {
        let chain = lang::fallback_chain(tag);
        let tag = chain.first().map_or(lang::ROOT, String::as_str);
        let files: Vec<Arc<Locale>> = chain.iter().rev().filter_map(|name| find(name)).collect();
        let mut layers: Vec<&Overrides> = files.iter().map(|locale| &locale.content).collect();
        let bare = lang::language(tag);
        let mut wanted = vec![None, Some(bare)];
        // A style may define its terms for the primary dialect of the language.
        wanted.extend(
            chain
                .iter()
                .skip(1)
                .filter(|name| lang::language(name) == bare && **name != bare)
                .map(|name| Some(&**name)),
        );
        if bare != tag {
            wanted.push(Some(tag));
        }
        for wanted in wanted {
            layers.extend(of_style.iter().filter(|layer| {
                let lang = layer.lang.as_deref().and_then(lang::normalized);
                lang.as_deref() == wanted
            }));
        }
        let mut merged = MergedLocale {
            lang: tag.to_owned(),
            terms: vec![Default::default(); CORE.len() + extra_terms.len()],
            genders: vec![Gender::default(); CORE.len() + extra_terms.len()],
            ..MergedLocale::default()
        };
        let names: HashMap<&str, TermId> = CORE
            .iter()
            .enumerate()
            .map(|(at, name)| (*name, TermId(at as u16)))
            .chain(
                extra_terms
                    .iter()
                    .enumerate()
                    .map(|(at, name)| (&**name, TermId::extra(at))),
            )
            .collect();
        for (at, layer) in layers.into_iter().enumerate() {
            if at < files.len() {
                merged.forget(layer, &names);
            } else if layer.has_ordinals() && merged.ordinals_of_files.is_empty() {
                merged.ordinals_of_files = merged.ordinals.clone();
            }
            merged.add(layer, &names);
        }
        merged.fill();
        merged.complete_ordinals();
        merged
    }

    fn add(&mut self, layer: &Overrides, names: &HashMap<&str, TermId>) {
        if layer.has_ordinals() {
            self.ordinals.clear();
        }
        for term in &layer.terms {
            self.add_term(term, names);
        }
        for (slot, date) in self.dates.iter_mut().zip(&layer.dates) {
            if let Some(date) = date {
                *slot = date.clone();
            }
        }
        if let Some(value) = layer.punctuation_in_quote {
            self.punctuation_in_quote = value;
        }
        if let Some(value) = layer.limit_day_ordinals {
            self.limit_day_ordinals = value;
        }
    }

    /// A locale file replaces all forms of a term from lower layers, so that an English short form never
    /// replaces a long one of the language.
    fn forget(&mut self, layer: &Overrides, names: &HashMap<&str, TermId>) {
        for term in &layer.terms {
            if let Some(forms) = names
                .get(&*term.name)
                .and_then(|id| self.terms.get_mut(id.0 as usize))
            {
                *forms = Default::default();
            }
        }
    }

    fn add_term(&mut self, term: &TermDefinition, names: &HashMap<&str, TermId>) {
        if is_ordinal(&term.name) {
            let digits = term.name.strip_prefix("ordinal-");
            let number = digits.and_then(|digits| digits.parse::<u32>().ok());
            // Ordinal numbers have at most two digits (specification, «Ordinal suffixes»).
            if digits.is_some() && number.is_none_or(|number| number > 99) {
                return;
            }
            let default = match number {
                Some(0..=9) => OrdinalMatch::LastDigit,
                _ => OrdinalMatch::LastTwoDigits,
            };
            let ordinal = Ordinal {
                number,
                match_mode: term.match_mode.unwrap_or(default),
                gender: term.gender_form,
                text: term.single.clone(),
            };
            self.ordinals
                .retain(|o| o.number != ordinal.number || o.gender != ordinal.gender);
            self.ordinals.push(ordinal);
            return;
        }
        let Some(&id) = names.get(&*term.name) else {
            return;
        };
        let at = id.0 as usize;
        if let (Some(gender), Some(slot)) = (term.gender, self.genders.get_mut(at)) {
            *slot = gender;
        }
        if let Some(gender) = term.gender_form {
            self.gendered
                .retain(|(known, g, _)| (*known, *g) != (id, gender));
            self.gendered.push((id, gender, term.single.clone()));
            return;
        }
        if let Some(forms) = self.terms.get_mut(at) {
            forms[term.form as usize] = Some(TermText {
                single: term.single.clone(),
                multiple: term.multiple.clone(),
            });
        }
    }

    /// Fills each missing form from its fallback.
    fn fill(&mut self) {
        // The role of the names table shares the term of the same name.
        let role = TermId::role(citation_model::variable::NameVar::EditorTranslator).0 as usize;
        let terms = &self.terms;
        let shared = terms.get(TermId::EDITOR_TRANSLATOR.0 as usize).cloned();
        if let (Some(slot), Some(shared)) = (self.terms.get_mut(role), shared) {
            *slot = shared;
        }
        for forms in &mut self.terms {
            for form in [
                TermForm::Short,
                TermForm::Verb,
                TermForm::VerbShort,
                TermForm::Symbol,
            ] {
                if forms[form as usize].is_none() {
                    let source = form.fallback().unwrap_or_default();
                    forms[form as usize] = forms[source as usize].clone();
                }
            }
        }
    }

    /// Fills in the suffixes of the CSL 1.0 scheme, which has four: `ordinal-01` to `-03` for the last
    /// digits, except after a one (11, 12, 13), and `ordinal-04` for all other numbers (specification,
    /// «Ordinal suffixes»).
    fn complete_ordinals(&mut self) {
        let has_scheme = |o: &Ordinal| matches!(o.number, Some(1..=4));
        if !self.ordinals.iter().all(has_scheme) {
            return;
        }
        let others = self.ordinals.iter().filter(|o| o.number == Some(4));
        let served = [None, Some(11), Some(12), Some(13)];
        let added: Vec<Ordinal> = others
            .flat_map(|other| {
                served.map(|number| Ordinal {
                    number,
                    match_mode: OrdinalMatch::LastTwoDigits,
                    ..other.clone()
                })
            })
            .collect();
        self.ordinals.extend(added);
    }

    /// The text of a term, in the requested form or its fallback.
    pub fn term(&self, term: TermId, form: TermForm, plural: bool) -> Option<&str> {
        let text = self.terms.get(term.0 as usize)?[form as usize].as_ref()?;
        Some(if plural { &text.multiple } else { &text.single })
    }

    pub fn gender(&self, term: TermId) -> Gender {
        self.genders
            .get(term.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    /// `first` to `tenth`, in the gender of the noun if the locale distinguishes genders. A locale
    /// without neuter forms uses its feminine ones.
    pub fn long_ordinal(&self, number: u32, gender: Gender) -> Option<&str> {
        if !(1..=10).contains(&number) {
            return None;
        }
        let id = TermId::long_ordinal(number);
        let of = |gender| {
            let mut forms = self.gendered.iter();
            forms
                .find(|(known, g, _)| *known == id && *g == gender)
                .map(|(_, _, text)| &**text)
        };
        of(gender)
            .or_else(|| self.term(id, TermForm::Long, false))
            .or_else(|| of(Gender::Feminine))
            .or_else(|| of(Gender::Masculine))
    }

    /// The suffix that makes a number an ordinal. If the language superscripts it (`2ᵉ`), so are the plain
    /// letters of a style (`2e`, from when no locale file had others).
    pub fn ordinal_suffix(&self, number: u32, gender: Gender) -> &str {
        let suffix = self::suffix(&self.ordinals, number, gender);
        let of_file = self::suffix(&self.ordinals_of_files, number, gender);
        let is_plain = suffix.chars().all(|c| c.is_alphabetic() && !is_raised(c));
        if !suffix.is_empty() && is_plain && of_file.chars().any(is_raised) {
            of_file
        } else {
            suffix
        }
    }
}

/// Looks up the rule for the whole number, then for the last two digits, then for the last digit, then
/// the general one (specification, «Ordinal suffixes»). A locale without a neuter general rule uses the
/// feminine one.
fn suffix(ordinals: &[Ordinal], number: u32, gender: Gender) -> &str {
    let wanted = [Some(gender), None];
    let find = |mode: OrdinalMatch, value: u32| {
        wanted.iter().find_map(|gender| {
            ordinals.iter().find(|ordinal| {
                ordinal.number == Some(value)
                    && ordinal.match_mode == mode
                    && ordinal.gender == *gender
            })
        })
    };
    let lent = [Some(Gender::Feminine), Some(Gender::Masculine)];
    let general = || {
        wanted.iter().chain(&lent).find_map(|gender| {
            ordinals
                .iter()
                .find(|ordinal| ordinal.number.is_none() && ordinal.gender == *gender)
        })
    };
    find(OrdinalMatch::WholeNumber, number)
        .or_else(|| find(OrdinalMatch::LastTwoDigits, number % 100))
        .or_else(|| find(OrdinalMatch::LastDigit, number % 10))
        .or_else(general)
        .map_or("", |ordinal| &ordinal.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ordinals_of_a_style_are_raised_where_the_language_raises_them() {
        let parse = |terms: &str| {
            let xml = format!("<locale xml:lang=\"fr\"><terms>{terms}</terms></locale>");
            Locale::parse(&xml).unwrap()
        };
        let raised = r#"<term name="ordinal">ᵉ</term>
            <term name="ordinal-01" gender-form="feminine" match="whole-number">ʳᵉ</term>"#;
        let file = Arc::new(parse(raised));
        let suffixes = |of_style: &str| {
            let style = [parse(of_style).content];
            let find = |tag: &str| (tag == "fr-FR").then(|| file.clone());
            let merged = MergedLocale::merge(&style, &[], "fr-FR", &find);
            [1, 2, 11].map(|number| merged.ordinal_suffix(number, Gender::Feminine).to_owned())
        };
        let plain = r#"<term name="ordinal-01">ère</term><term name="ordinal-02">e</term>
            <term name="ordinal-03">e</term><term name="ordinal-04">e</term>"#;
        assert_eq!(suffixes(plain), ["ʳᵉ", "ᵉ", "ᵉ"]);
        assert_eq!(
            suffixes(r#"<term name="ordinal">.</term>"#),
            [".", ".", "."]
        );
    }
}
