//! Terms: their names, forms and fallbacks between forms.

use std::borrow::Cow;

use citation_model::variable::{NameVar, NumberVar};

/// A term of the current style and locale: an index into the compiled table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermId(pub u16);

impl TermId {
    pub const AND: TermId = TermId(0);
    pub const ET_AL: TermId = TermId(2);
    pub const AD: TermId = TermId(3);
    pub const BC: TermId = TermId(4);
    pub const OPEN_QUOTE: TermId = TermId(5);
    pub const CLOSE_QUOTE: TermId = TermId(6);
    pub const OPEN_INNER_QUOTE: TermId = TermId(7);
    pub const CLOSE_INNER_QUOTE: TermId = TermId(8);
    pub const PAGE_RANGE_DELIMITER: TermId = TermId(9);
    pub const EDITOR_TRANSLATOR: TermId = TermId(10);
    const MONTH: u16 = 13;
    const SEASON: u16 = 25;
    const LONG_ORDINAL: u16 = 29;
    const NAMES: u16 = 39;

    /// A core term by its canonical name.
    pub fn core(name: &str) -> Option<TermId> {
        CORE.iter()
            .position(|known| *known == name)
            .map(|at| TermId(at as u16))
    }

    /// A term of the style's own list.
    pub fn extra(at: usize) -> TermId {
        TermId(u16::try_from(CORE.len() + at).unwrap_or(u16::MAX))
    }

    /// `month` is 1 to 12.
    pub fn month(month: u8) -> TermId {
        TermId(Self::MONTH + u16::from(month.clamp(1, 12)) - 1)
    }

    /// `season` is 1 to 4.
    pub fn season(season: u8) -> TermId {
        TermId(Self::SEASON + u16::from(season.clamp(1, 4)) - 1)
    }

    /// `number` is 1 to 10.
    pub fn long_ordinal(number: u32) -> TermId {
        TermId(Self::LONG_ORDINAL + (number.clamp(1, 10) as u16) - 1)
    }

    /// The term of a role.
    pub fn role(variable: NameVar) -> TermId {
        TermId(Self::NAMES + variable as u16)
    }

    /// The term of a number variable; a locator uses the term of its label.
    pub fn number(variable: NumberVar) -> Option<TermId> {
        let name = match variable {
            NumberVar::PageFirst => "page",
            NumberVar::Locator => return None,
            other => other.csl(),
        };
        TermId::core(name)
    }
}

/// The names of the terms that the processor itself uses, with roles in the order of [`NameVar`].
pub const CORE: &[&str] = &[
    "and",
    "and-others",
    "et-al",
    "ad",
    "bc",
    "open-quote",
    "close-quote",
    "open-inner-quote",
    "close-inner-quote",
    "page-range-delimiter",
    "editor-translator",
    "circa",
    "page",
    "month-01",
    "month-02",
    "month-03",
    "month-04",
    "month-05",
    "month-06",
    "month-07",
    "month-08",
    "month-09",
    "month-10",
    "month-11",
    "month-12",
    "season-01",
    "season-02",
    "season-03",
    "season-04",
    "long-ordinal-01",
    "long-ordinal-02",
    "long-ordinal-03",
    "long-ordinal-04",
    "long-ordinal-05",
    "long-ordinal-06",
    "long-ordinal-07",
    "long-ordinal-08",
    "long-ordinal-09",
    "long-ordinal-10",
    "author",
    "chair",
    "collection-editor",
    "compiler",
    "composer",
    "container-author",
    "contributor",
    "curator",
    "director",
    "editor",
    // The role `editor-translator` of the names table uses the term of the same name above.
    "(editor-translator)",
    "editorial-director",
    "executive-producer",
    "guest",
    "host",
    "illustrator",
    "interviewer",
    "narrator",
    "organizer",
    "original-author",
    "performer",
    "producer",
    "recipient",
    "reviewed-author",
    "script-writer",
    "series-creator",
    "translator",
    "chapter-number",
    "citation-number",
    "collection-number",
    "edition",
    "first-reference-note-number",
    "issue",
    "number",
    "number-of-pages",
    "number-of-volumes",
    "part-number",
    "printing-number",
    "section",
    "supplement-number",
    "version",
    "volume",
    "act",
    "appendix",
    "article-locator",
    "book",
    "canon",
    "chapter",
    "column",
    "elocation",
    "equation",
    "figure",
    "folio",
    "line",
    "note",
    "opus",
    "paragraph",
    "part",
    "rule",
    "scene",
    "sub-verbo",
    "supplement",
    "table",
    "timestamp",
    "title-locator",
    "verse",
];

/// The term name with hyphens for blanks, or the new name for an old one.
pub fn canonical(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    match name {
        "editortranslator" => return "editor-translator".into(),
        "printing" => return "printing-number".into(),
        "sub verbo" => return "sub-verbo".into(),
        "article" => return "article".into(),
        _ => {}
    }
    if name.contains(' ') {
        Cow::Owned(name.replace(' ', "-"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The name of a locator label in styles and terms.
pub fn locator_label(label: &str) -> &str {
    match label {
        "sub verbo" => "sub-verbo",
        "article" => "article-locator",
        "title" => "title-locator",
        "" => "page",
        other => other,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TermForm {
    #[default]
    Long,
    Short,
    Verb,
    VerbShort,
    Symbol,
}

impl TermForm {
    pub fn parse(text: &str) -> Option<TermForm> {
        match text {
            "long" => Some(TermForm::Long),
            "short" => Some(TermForm::Short),
            "verb" => Some(TermForm::Verb),
            "verb-short" => Some(TermForm::VerbShort),
            "symbol" => Some(TermForm::Symbol),
            _ => None,
        }
    }

    /// The form that replaces this one if it is missing (specification, «Terms»).
    pub fn fallback(self) -> Option<TermForm> {
        match self {
            TermForm::Long => None,
            TermForm::VerbShort => Some(TermForm::Verb),
            TermForm::Symbol => Some(TermForm::Short),
            TermForm::Short | TermForm::Verb => Some(TermForm::Long),
        }
    }
}

/// Grammatical gender of a noun, or of an ordinal that agrees with one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gender {
    #[default]
    Neuter,
    Masculine,
    Feminine,
}

impl Gender {
    pub fn parse(text: &str) -> Option<Gender> {
        match text {
            "masculine" => Some(Gender::Masculine),
            "feminine" => Some(Gender::Feminine),
            "neuter" => Some(Gender::Neuter),
            _ => None,
        }
    }
}

/// `cs:term` as the locale defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermDefinition {
    /// Canonical, see [`canonical`].
    pub name: Box<str>,
    pub form: TermForm,
    pub gender: Option<Gender>,
    pub gender_form: Option<Gender>,
    pub match_mode: Option<OrdinalMatch>,
    pub single: Box<str>,
    pub multiple: Box<str>,
}

/// Which numbers an `ordinal-NN` term applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrdinalMatch {
    LastDigit,
    LastTwoDigits,
    WholeNumber,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_point_at_their_names() {
        let check = |id: TermId, name: &str| assert_eq!(CORE[id.0 as usize], name);
        check(TermId::month(12), "month-12");
        check(TermId::season(4), "season-04");
        check(TermId::long_ordinal(10), "long-ordinal-10");
        for &variable in NameVar::ALL {
            if variable != NameVar::EditorTranslator {
                check(TermId::role(variable), variable.csl());
            }
        }
    }

    #[test]
    fn every_label_of_a_locator_has_a_term() {
        let labels = "act appendix article-locator book canon chapter column elocation equation figure \
            folio issue line note opus page paragraph part rule scene section sub-verbo supplement \
            table timestamp title-locator verse version volume";
        for label in labels.split_whitespace() {
            assert!(TermId::core(label).is_some(), "{label}");
        }
    }
}
