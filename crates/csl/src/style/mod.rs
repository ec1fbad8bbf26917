//! A parsed style, with names of variables, terms and macros resolved.

pub mod info;
pub mod lints;
pub mod names;
pub(crate) mod parse;
pub mod rendering;

pub use rendering::*;

use citation_model::variable::{DateVar, NumberVar, Variable};

use super::locale::Overrides;
use super::locale::term::{TermForm, TermId};
use info::Info;
use names::{NameOptions, Names};

use super::error::StyleError;

/// What styles are made of, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<style xmlns=\"http://purl.org/net/xbiblio/csl\" class=\"in-text\" version=\"1.0\">",
    "</style>",
    "<info>",
    "<title>",
    "</info>",
    "<macro name=\"a\">",
    "</macro>",
    "<citation>",
    "<layout>",
    "</layout>",
    "</citation>",
    "<bibliography>",
    "<group delimiter=\"",
    "<text macro=\"a\"/>",
    "<text variable=\"title\"/>",
    "<names variable=\"author\">",
    "<name>",
    "<substitute>",
    "<choose>",
    "<if type=\"book\">",
    "</if>",
    "<date variable=\"issued\">",
    "<sort>",
    "<key variable=\"title\"/>",
    "<locale>",
    "<term name=\"a\">",
    "<",
    ">",
    "<!--",
    "-->",
    "<![CDATA[",
    "<!DOCTYPE a [",
    "&amp;",
    "&",
    "\"",
    "=",
    "\n",
    "a ",
];

/// A parsed independent or dependent style.
#[derive(Clone, Debug)]
pub struct Style {
    pub info: Info,
    pub options: StyleOptions,
    pub(crate) macros: Vec<Macro>,
    pub(crate) citation: CitationElement,
    pub(crate) bibliography: Option<Bibliography>,
    pub(crate) locales: Vec<Overrides>,
    /// Names of non-core terms that the style uses.
    pub(crate) extra_terms: Vec<Box<str>>,
    /// Whether the style itself shows the variable `year-suffix`.
    pub(crate) places_year_suffix: bool,
    /// Whether a condition tests for ambiguity.
    pub(crate) asks_ambiguity: bool,
}

impl Style {
    /// Parses a style's XML. Rejects files that are not CSL, missing or recursive macros, and macros that
    /// expand beyond the limit. A dependent style parses too; it has `info.parent` and no layouts.
    pub fn parse(xml: &str) -> Result<Style, StyleError> {
        parse::style(xml)
    }

    /// Whether elements, or the macros that they call, show a variable in `cs:text`.
    pub(crate) fn shows(&self, elements: &[Element], variable: Variable) -> bool {
        let mut called = vec![false; self.macros.len()];
        self.shows_beyond(elements, variable, &mut called)
    }

    fn shows_beyond(&self, elements: &[Element], wanted: Variable, called: &mut [bool]) -> bool {
        elements.iter().any(|element| match element {
            Element::Text(text) => match &text.source {
                TextSource::Variable { variable, .. } => *variable == wanted,
                TextSource::Macro(index) => {
                    let known = called
                        .get_mut(*index)
                        .is_none_or(|c| std::mem::replace(c, true));
                    !known
                        && self.macros.get(*index).is_some_and(|called_macro| {
                            self.shows_beyond(&called_macro.elements, wanted, called)
                        })
                }
                _ => false,
            },
            Element::Group(group) => self.shows_beyond(&group.elements, wanted, called),
            Element::Choose(choose) => choose
                .branches
                .iter()
                .any(|branch| self.shows_beyond(&branch.elements, wanted, called)),
            Element::Names(names) => self.shows_beyond(
                names.substitute.as_deref().unwrap_or_default(),
                wanted,
                called,
            ),
            _ => false,
        })
    }

    /// A term by its canonical name: a core term, or one that the style uses.
    pub(crate) fn term(&self, name: &str) -> Option<TermId> {
        TermId::core(name).or_else(|| {
            let extra = self.extra_terms.iter().position(|known| **known == *name);
            extra.map(TermId::extra)
        })
    }

    pub fn has_bibliography(&self) -> bool {
        self.bibliography.is_some()
    }

    /// Whether the style sorts the bibliography, so that the order of its items does not matter.
    pub fn sorts_bibliography(&self) -> bool {
        let bibliography = self.bibliography.as_ref();
        bibliography.is_some_and(|bibliography| !bibliography.sort.is_empty())
    }
}

/// Attributes of `cs:style`.
#[derive(Clone, Debug, Default)]
pub struct StyleOptions {
    pub class: Class,
    pub default_locale: Option<String>,
    pub(crate) demote_particle: DemoteParticle,
    pub(crate) initialize_with_hyphen: bool,
    pub(crate) page_range_format: Option<PageRangeFormat>,
    pub(crate) names: NameOptions,
}

/// Whether cites appear in notes or in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    #[default]
    InText,
    Note,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemoteParticle {
    Never,
    SortOnly,
    #[default]
    DisplayAndSort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageRangeFormat {
    Expanded,
    Minimal,
    MinimalTwo,
    Chicago15,
    Chicago16,
}

#[derive(Clone, Debug, Default)]
pub struct Macro {
    pub name: Box<str>,
    /// Whether the macro itself contains a date, not counting macros that it calls.
    pub has_date: bool,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub attributes: RenderingAttributes,
    pub delimiter: Box<str>,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, Default)]
pub struct CitationElement {
    pub layout: Layout,
    pub sort: Vec<SortKey>,
    pub names: NameOptions,
    pub disambiguate_add_names: bool,
    pub disambiguate_add_givenname: bool,
    pub disambiguate_add_year_suffix: bool,
    pub givenname_rule: GivennameRule,
    pub cite_group_delimiter: Option<Box<str>>,
    pub collapse: Collapse,
    pub year_suffix_delimiter: Option<Box<str>>,
    pub after_collapse_delimiter: Option<Box<str>>,
    /// In notes.
    pub near_note_distance: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Bibliography {
    pub layout: Layout,
    pub sort: Vec<SortKey>,
    pub names: NameOptions,
    pub hanging_indent: bool,
    pub second_field_align: Option<SecondFieldAlign>,
    pub line_spacing: u32,
    pub entry_spacing: u32,
    pub subsequent_author_substitute: Option<Box<str>>,
    pub substitute_rule: SubstituteRule,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GivennameRule {
    AllNames,
    AllNamesWithInitials,
    PrimaryName,
    PrimaryNameWithInitials,
    #[default]
    ByCite,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collapse {
    #[default]
    None,
    CitationNumber,
    Year,
    YearSuffix,
    YearSuffixRanged,
}

/// The alignment of an entry's second field (specification, «Whitespace»).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondFieldAlign {
    Flush,
    Margin,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubstituteRule {
    #[default]
    CompleteAll,
    CompleteEach,
    PartialEach,
    PartialFirst,
}

#[derive(Clone, Debug)]
pub struct SortKey {
    pub by: SortBy,
    pub descending: bool,
    pub names_min: Option<u32>,
    pub names_use_first: Option<u32>,
    pub names_use_last: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortBy {
    Variable(Variable),
    /// Index into the style's macros.
    Macro(usize),
}

/// A rendering element.
#[derive(Clone, Debug)]
pub enum Element {
    Text(Text),
    Number(Number),
    Label(Label),
    Date(Box<DateElement>),
    Names(Box<Names>),
    Group(Group),
    Choose(Choose),
}

impl Element {
    /// The affixes and formatting of a rendering element.
    pub fn attributes(&self) -> Option<&RenderingAttributes> {
        match self {
            Element::Text(text) => Some(&text.attributes),
            Element::Number(number) => Some(&number.attributes),
            Element::Label(label) => Some(&label.attributes),
            Element::Date(date) => Some(&date.attributes),
            Element::Names(names) => Some(&names.attributes),
            Element::Group(group) => Some(&group.attributes),
            Element::Choose(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Text {
    pub source: TextSource,
    pub attributes: RenderingAttributes,
}

#[derive(Clone, Debug)]
pub enum TextSource {
    Variable {
        variable: Variable,
        short: bool,
    },
    /// Index into the style's macros.
    Macro(usize),
    Term {
        term: TermId,
        form: TermForm,
        plural: bool,
    },
    Value(Box<str>),
}

#[derive(Clone, Debug)]
pub struct Number {
    pub variable: Variable,
    pub form: NumberForm,
    pub attributes: RenderingAttributes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberForm {
    #[default]
    Numeric,
    Ordinal,
    LongOrdinal,
    Roman,
}

#[derive(Clone, Debug)]
pub struct Label {
    /// `None` inside `cs:names`, where the label shows the role.
    pub variable: Option<NumberVar>,
    pub form: TermForm,
    pub plural: Plural,
    pub attributes: RenderingAttributes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plural {
    #[default]
    Contextual,
    Always,
    Never,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub attributes: RenderingAttributes,
    pub delimiter: Box<str>,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug)]
pub struct Choose {
    pub branches: Vec<Branch>,
}

/// `cs:if`, `cs:else-if`, or `cs:else`, whose condition always matches.
#[derive(Clone, Debug)]
pub struct Branch {
    pub condition: Condition,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, Default)]
pub struct Condition {
    pub match_mode: MatchMode,
    pub tests: Vec<Test>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchMode {
    #[default]
    All,
    Any,
    None,
}

/// The tests of one attribute.
#[derive(Clone, Debug)]
pub enum Test {
    /// One bit per item type.
    Type(u64),
    Variable(VariableSet),
    IsNumeric(Vec<Variable>),
    IsUncertainDate(Vec<DateVar>),
    /// Names of locator labels.
    Locator(Vec<Box<str>>),
    Position(Vec<PositionTest>),
    Disambiguate(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionTest {
    First,
    Subsequent,
    Ibid,
    IbidWithLocator,
    NearNote,
    FarNote,
}

/// A set of variables, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VariableSet {
    pub text: u64,
    pub number: u32,
    pub date: u32,
    pub names: u32,
}

impl VariableSet {
    pub fn insert(&mut self, variable: Variable) {
        match variable {
            Variable::Text(v) => self.text |= 1 << v as u8,
            Variable::Number(v) => self.number |= 1 << v as u8,
            Variable::Date(v) => self.date |= 1 << v as u8,
            Variable::Names(v) => self.names |= 1 << v as u8,
        }
    }

    pub fn contains(&self, variable: Variable) -> bool {
        match variable {
            Variable::Text(v) => self.text & (1 << v as u8) != 0,
            Variable::Number(v) => self.number & (1 << v as u8) != 0,
            Variable::Date(v) => self.date & (1 << v as u8) != 0,
            Variable::Names(v) => self.names & (1 << v as u8) != 0,
        }
    }

    pub fn intersects(&self, other: &VariableSet) -> bool {
        self.text & other.text != 0
            || self.number & other.number != 0
            || self.date & other.date != 0
            || self.names & other.names != 0
    }

    pub fn includes(&self, other: &VariableSet) -> bool {
        self.text & other.text == other.text
            && self.number & other.number == other.number
            && self.date & other.date == other.date
            && self.names & other.names == other.names
    }
}

/// `cs:date` in a style.
#[derive(Clone, Debug)]
pub struct DateElement {
    pub variable: DateVar,
    /// Set for localized dates.
    pub form: Option<DateForm>,
    /// Which of year, month and day a localized date shows.
    pub parts: DatePartsShown,
    pub delimiter: Box<str>,
    pub date_parts: Vec<DatePart>,
    pub attributes: RenderingAttributes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DatePartsShown {
    #[default]
    YearMonthDay,
    YearMonth,
    Year,
}
