//! Style XML → [`Style`].

use std::collections::HashMap;

use crate::model::item_type::ItemType;
use crate::model::variable::{DateVar, TextVar, Variable};

use super::names::*;
use super::*;
use crate::csl::error::{StyleError, StyleFault};
use crate::csl::locale::parse::overrides;
use crate::csl::locale::term::{self, TermForm, TermId};
use crate::csl::xml::{self, XmlElement};

/// Elements that both layouts and all sort keys may unfold to, of every choice its largest branch.
/// The largest style of the public collection unfolds to 5,329.
const MAX_UNFOLDED: u64 = 100_000;
/// How deep elements may lie in elements, macros unfolded; it bounds the recursion of evaluation.
/// The deepest style of the public collection has 39 levels.
const MAX_UNFOLDED_DEPTH: usize = 200;

pub fn style(source: &str) -> Result<Style, StyleError> {
    let root = xml::parse(source)?;
    let mut reader = StyleReader {
        source: source.trim_start_matches('\u{feff}'),
        macros: HashMap::new(),
        terms: Vec::new(),
        places_year_suffix: false,
    };
    reader.read(&root)
}

struct StyleReader<'a> {
    source: &'a str,
    macros: HashMap<&'a str, usize>,
    terms: Vec<Box<str>>,
    places_year_suffix: bool,
}

type Parsed<T> = Result<T, StyleError>;

impl<'a> StyleReader<'a> {
    fn read(&mut self, root: &'a XmlElement<'a>) -> Parsed<Style> {
        if root.name != "style" {
            let found = root.name.to_owned();
            return Err(self.fail(
                root,
                StyleFault::WrongRoot {
                    expected: "style",
                    found,
                },
            ));
        }
        let info = root.child("info").map(info::read).unwrap_or_default();
        for (index, element) in root.children_named("macro").enumerate() {
            let name = self.required(element, "name")?;
            if self.macros.insert(name, index).is_some() {
                return Err(self.fail(element, StyleFault::DuplicateMacro(name.to_owned())));
            }
        }
        let mut macros = Vec::with_capacity(self.macros.len());
        for element in root.children_named("macro") {
            macros.push(Macro {
                name: self.required(element, "name")?.into(),
                has_date: has_date(element),
                elements: self.elements(element)?,
            });
        }
        let citation = match root.child("citation") {
            Some(element) => self.citation(element)?,
            None if info.parent.is_some() => Citation::default(),
            None => {
                return Err(self.fail(
                    root,
                    StyleFault::MissingElement {
                        element: "style".into(),
                        child: "citation",
                    },
                ));
            }
        };
        let bibliography = match root.child("bibliography") {
            Some(element) => Some(self.bibliography(element)?),
            None => None,
        };
        let locales = root
            .children_named("locale")
            .map(|element| overrides(element))
            .collect();
        let style = Style {
            info,
            options: self.options(root)?,
            macros,
            citation,
            bibliography,
            locales,
            extra_terms: std::mem::take(&mut self.terms),
            places_year_suffix: self.places_year_suffix,
        };
        self.refuse_bombs(&style, root)?;
        Ok(style)
    }

    fn options(&self, root: &XmlElement) -> Parsed<StyleOptions> {
        Ok(StyleOptions {
            class: match root.attribute("class") {
                Some("note") => Class::Note,
                _ => Class::InText,
            },
            default_locale: root
                .attribute("default-locale")
                .map(str::trim)
                .filter(|lang| !lang.is_empty())
                .map(str::to_owned),
            demote_particle: match root.attribute("demote-non-dropping-particle") {
                Some("never") => DemoteParticle::Never,
                Some("sort-only") => DemoteParticle::SortOnly,
                _ => DemoteParticle::DisplayAndSort,
            },
            initialize_with_hyphen: root.attribute("initialize-with-hyphen") != Some("false"),
            page_range_format: match root.attribute("page-range-format") {
                Some("expanded") => Some(PageRangeFormat::Expanded),
                Some("minimal") => Some(PageRangeFormat::Minimal),
                Some("minimal-two") => Some(PageRangeFormat::MinimalTwo),
                Some("chicago" | "chicago-15") => Some(PageRangeFormat::Chicago15),
                Some("chicago-16") => Some(PageRangeFormat::Chicago16),
                _ => None,
            },
            names: self.name_options(root, true),
        })
    }

    fn citation(&mut self, element: &'a XmlElement<'a>) -> Parsed<Citation> {
        let truth = |name| element.attribute(name) == Some("true");
        let text = |name| element.attribute(name).map(Box::from);
        Ok(Citation {
            layout: self.layout(element)?,
            sort: self.sort(element)?,
            names: self.name_options(element, true),
            disambiguate_add_names: truth("disambiguate-add-names"),
            disambiguate_add_givenname: truth("disambiguate-add-givenname"),
            disambiguate_add_year_suffix: truth("disambiguate-add-year-suffix"),
            givenname_rule: match element.attribute("givenname-disambiguation-rule") {
                Some("all-names") => GivennameRule::AllNames,
                Some("all-names-with-initials") => GivennameRule::AllNamesWithInitials,
                Some("primary-name") => GivennameRule::PrimaryName,
                Some("primary-name-with-initials") => GivennameRule::PrimaryNameWithInitials,
                _ => GivennameRule::ByCite,
            },
            cite_group_delimiter: element
                .attribute("cite-group-delimiter")
                .filter(|text| !text.is_empty())
                .map(Box::from),
            collapse: match element.attribute("collapse") {
                Some("citation-number") => Collapse::CitationNumber,
                Some("year") => Collapse::Year,
                Some("year-suffix") => Collapse::YearSuffix,
                Some("year-suffix-ranged") => Collapse::YearSuffixRanged,
                _ => Collapse::None,
            },
            year_suffix_delimiter: text("year-suffix-delimiter"),
            after_collapse_delimiter: text("after-collapse-delimiter"),
            near_note_distance: number(element, "near-note-distance").unwrap_or(5),
        })
    }

    fn bibliography(&mut self, element: &'a XmlElement<'a>) -> Parsed<Bibliography> {
        Ok(Bibliography {
            layout: self.layout(element)?,
            sort: self.sort(element)?,
            names: self.name_options(element, true),
            hanging_indent: element.attribute("hanging-indent") == Some("true"),
            second_field_align: match element.attribute("second-field-align") {
                Some("flush" | "true") => Some(SecondFieldAlign::Flush),
                Some("margin") => Some(SecondFieldAlign::Margin),
                _ => None,
            },
            line_spacing: number(element, "line-spacing").unwrap_or(1),
            entry_spacing: number(element, "entry-spacing").unwrap_or(1),
            subsequent_author_substitute: element
                .attribute("subsequent-author-substitute")
                .map(Box::from),
            substitute_rule: match element.attribute("subsequent-author-substitute-rule") {
                Some("complete-each") => SubstituteRule::CompleteEach,
                Some("partial-each") => SubstituteRule::PartialEach,
                Some("partial-first") => SubstituteRule::PartialFirst,
                _ => SubstituteRule::CompleteAll,
            },
        })
    }

    fn layout(&mut self, element: &'a XmlElement<'a>) -> Parsed<Layout> {
        let Some(layout) = element.child("layout") else {
            return Err(self.fail(
                element,
                StyleFault::MissingElement {
                    element: element.name.to_owned(),
                    child: "layout",
                },
            ));
        };
        Ok(Layout {
            look: look(layout),
            delimiter: layout.attribute("delimiter").unwrap_or_default().into(),
            elements: self.elements(layout)?,
        })
    }

    fn sort(&mut self, element: &'a XmlElement<'a>) -> Parsed<Vec<SortKey>> {
        let Some(sort) = element.child("sort") else {
            return Ok(Vec::new());
        };
        let mut keys = Vec::new();
        for key in sort.children_named("key") {
            let by = match (key.attribute("macro"), key.attribute("variable")) {
                (Some(name), _) => SortBy::Macro(self.macro_index(key, name)?),
                (None, Some(name)) => SortBy::Variable(self.variable(key, "variable", name)?),
                (None, None) => return Err(self.missing(key, "variable")),
            };
            keys.push(SortKey {
                by,
                descending: key.attribute("sort") == Some("descending"),
                names_min: number(key, "names-min"),
                names_use_first: number(key, "names-use-first"),
                names_use_last: truth(key, "names-use-last"),
            });
        }
        Ok(keys)
    }

    fn elements(&mut self, parent: &'a XmlElement<'a>) -> Parsed<Vec<Element>> {
        let mut out = Vec::with_capacity(parent.children.len());
        for child in &parent.children {
            if let Some(element) = self.element(child, parent)? {
                out.push(element);
            }
        }
        Ok(out)
    }

    fn element(
        &mut self,
        element: &'a XmlElement<'a>,
        parent: &XmlElement,
    ) -> Parsed<Option<Element>> {
        Ok(Some(match element.name {
            "text" => match self.text(element)? {
                Some(text) => Element::Text(text),
                None => return Ok(None),
            },
            "number" => Element::Number(self.number(element)?),
            "label" => Element::Label(self.label(element)?),
            "date" => Element::Date(Box::new(self.date(element)?)),
            "names" => Element::Names(Box::new(self.names(element)?)),
            "group" => Element::Group(Group {
                look: look(element),
                delimiter: element.attribute("delimiter").unwrap_or_default().into(),
                elements: self.elements(element)?,
            }),
            "choose" => Element::Choose(self.choose(element)?),
            "sort" if parent.name == "layout" => return Ok(None),
            _ => {
                return Err(self.fail(
                    element,
                    StyleFault::UnknownElement {
                        element: element.name.to_owned(),
                        parent: parent.name.to_owned(),
                    },
                ));
            }
        }))
    }

    fn text(&mut self, element: &'a XmlElement<'a>) -> Parsed<Option<Text>> {
        let source = if let Some(name) = element.attribute("variable") {
            let variable = self.variable(element, "variable", name.trim())?;
            self.places_year_suffix |= matches!(
                variable,
                Variable::Text(TextVar::YearSuffix | TextVar::CitationLabel)
            );
            TextSource::Variable {
                variable,
                short: element.attribute("form") == Some("short"),
            }
        } else if let Some(name) = element.attribute("macro") {
            TextSource::Macro(self.macro_index(element, name)?)
        } else if let Some(name) = element.attribute("term") {
            TextSource::Term {
                term: self.term(name),
                form: self.term_form(element)?,
                plural: element.attribute("plural") == Some("true"),
            }
        } else if let Some(value) = element.attribute("value") {
            TextSource::Value(value.into())
        } else {
            return Ok(None);
        };
        Ok(Some(Text {
            source,
            look: look(element),
        }))
    }

    fn number(&mut self, element: &'a XmlElement<'a>) -> Parsed<Number> {
        let name = self.required(element, "variable")?;
        Ok(Number {
            variable: self.variable(element, "variable", name.trim())?,
            form: match element.attribute("form") {
                Some("ordinal") => NumberForm::Ordinal,
                Some("long-ordinal") => NumberForm::LongOrdinal,
                Some("roman") => NumberForm::Roman,
                _ => NumberForm::Numeric,
            },
            look: look(element),
        })
    }

    fn label(&mut self, element: &'a XmlElement<'a>) -> Parsed<Label> {
        let variable = match element.attribute("variable") {
            Some(name) => match self.variable(element, "variable", name.trim())? {
                Variable::Number(v) => Some(v),
                _ => return Err(self.bad(element, "variable", name)),
            },
            None => None,
        };
        Ok(Label {
            variable,
            form: self.term_form(element)?,
            plural: match element.attribute("plural") {
                Some("always" | "true") => Plural::Always,
                Some("never" | "false") => Plural::Never,
                _ => Plural::Contextual,
            },
            look: look(element),
        })
    }

    fn date(&mut self, element: &'a XmlElement<'a>) -> Parsed<DateElement> {
        let name = self.required(element, "variable")?;
        let Variable::Date(variable) = self.variable(element, "variable", name.trim())? else {
            return Err(self.bad(element, "variable", name));
        };
        Ok(DateElement {
            variable,
            form: match element.attribute("form") {
                Some("text") => Some(DateForm::Text),
                Some("numeric") => Some(DateForm::Numeric),
                _ => None,
            },
            parts: match element.attribute("date-parts") {
                Some("year") => DatePartsShown::Year,
                Some("year-month") => DatePartsShown::YearMonth,
                _ => DatePartsShown::YearMonthDay,
            },
            delimiter: element.attribute("delimiter").unwrap_or_default().into(),
            date_parts: date_parts(element),
            look: look(element),
        })
    }

    fn names(&mut self, element: &'a XmlElement<'a>) -> Parsed<Names> {
        let mut names = Names {
            look: look(element),
            delimiter: element.attribute("delimiter").map(Box::from),
            ..Names::default()
        };
        for name in element
            .attribute("variable")
            .unwrap_or_default()
            .split_whitespace()
        {
            match self.variable(element, "variable", name)? {
                Variable::Names(v) => names.variables.push(v),
                _ => return Err(self.bad(element, "variable", name)),
            }
        }
        for child in &element.children {
            match child.name {
                "name" => names.name = Some(self.name(child)),
                "et-al" => {
                    let term = child.attribute("term").unwrap_or("et-al");
                    names.et_al = Some(EtAl {
                        term: self.term(term),
                        look: look(child),
                    });
                }
                "label" => {
                    names.label_before_name = names.name.is_none();
                    names.label = Some(self.label(child)?);
                }
                "substitute" => names.substitute = Some(self.elements(child)?),
                // `cs:institution` belongs to an extension; a name list stands without it.
                "institution" => {}
                _ => {
                    return Err(self.fail(
                        child,
                        StyleFault::UnknownElement {
                            element: child.name.to_owned(),
                            parent: "names".into(),
                        },
                    ));
                }
            }
        }
        // A label stands before the names only where a name element follows it.
        names.label_before_name &= names.name.is_some();
        Ok(names)
    }

    fn name(&self, element: &XmlElement) -> NameElement {
        let part = |wanted: &str| {
            let part = element
                .children_named("name-part")
                .find(|part| part.attribute("name") == Some(wanted))?;
            let look = look(part);
            Some(NamePart {
                formatting: look.formatting,
                prefix: look.prefix,
                suffix: look.suffix,
                case: look.case,
            })
        };
        NameElement {
            options: self.name_options(element, false),
            look: look(element),
            family: part("family"),
            given: part("given"),
        }
    }

    /// Reads the name options of `cs:name`, or the inheritable ones of a higher element, which
    /// are spelled with `name-` where the plain word would be unclear.
    fn name_options(&self, element: &XmlElement, inherited: bool) -> NameOptions {
        let plain = |name: &'static str, long: &'static str| {
            element.attribute(if inherited { long } else { name })
        };
        let precedes = |name: &str| match element.attribute(name)? {
            "always" => Some(DelimiterPrecedes::Always),
            "never" => Some(DelimiterPrecedes::Never),
            "after-inverted-name" => Some(DelimiterPrecedes::AfterInvertedName),
            _ => Some(DelimiterPrecedes::Contextual),
        };
        NameOptions {
            and: match element.attribute("and") {
                Some("text") => Some(And::Text),
                Some("symbol") => Some(And::Symbol),
                _ => None,
            },
            delimiter: plain("delimiter", "name-delimiter").map(Box::from),
            names_delimiter: element.attribute("names-delimiter").map(Box::from),
            delimiter_precedes_et_al: precedes("delimiter-precedes-et-al"),
            delimiter_precedes_last: precedes("delimiter-precedes-last"),
            et_al_min: number(element, "et-al-min"),
            et_al_use_first: number(element, "et-al-use-first"),
            et_al_use_last: truth(element, "et-al-use-last"),
            et_al_subsequent_min: number(element, "et-al-subsequent-min"),
            et_al_subsequent_use_first: number(element, "et-al-subsequent-use-first"),
            form: match plain("form", "name-form") {
                Some("short") => Some(NameForm::Short),
                Some("count") => Some(NameForm::Count),
                Some("long") => Some(NameForm::Long),
                _ => None,
            },
            initialize: truth(element, "initialize"),
            initialize_with: element.attribute("initialize-with").map(Box::from),
            name_as_sort_order: match element.attribute("name-as-sort-order") {
                Some("first") => Some(NameAsSortOrder::First),
                Some("all") => Some(NameAsSortOrder::All),
                _ => None,
            },
            sort_separator: element.attribute("sort-separator").map(Box::from),
        }
    }

    fn choose(&mut self, element: &'a XmlElement<'a>) -> Parsed<Choose> {
        let mut branches = Vec::with_capacity(element.children.len());
        for child in &element.children {
            let condition = match child.name {
                "if" | "else-if" => self.condition(child)?,
                "else" => Condition::default(),
                _ => {
                    return Err(self.fail(
                        child,
                        StyleFault::UnknownElement {
                            element: child.name.to_owned(),
                            parent: "choose".into(),
                        },
                    ));
                }
            };
            branches.push(Branch {
                condition,
                elements: self.elements(child)?,
            });
        }
        Ok(Choose { branches })
    }

    fn condition(&mut self, element: &XmlElement) -> Parsed<Condition> {
        let mut tests = Vec::new();
        for (name, value) in &element.attributes {
            let words = value.split_whitespace();
            tests.push(match *name {
                "type" => {
                    let mut mask = 0;
                    for word in words {
                        // A type that CSL does not know matches no item.
                        if let Some(kind) = ItemType::from_csl(word) {
                            mask |= 1 << kind as u8;
                        }
                    }
                    Test::Type(mask)
                }
                "variable" => {
                    let mut set = VariableSet::default();
                    for word in words {
                        if let Some(variable) = Variable::from_csl(word) {
                            set.insert(variable);
                        }
                    }
                    Test::Variable(set)
                }
                "is-numeric" => Test::IsNumeric(words.filter_map(Variable::from_csl).collect()),
                "is-uncertain-date" => {
                    Test::IsUncertainDate(words.filter_map(DateVar::from_csl).collect())
                }
                "locator" => Test::Locator(words.map(|w| term::locator_label(w).into()).collect()),
                "position" => Test::Position(words.filter_map(position).collect()),
                "disambiguate" => Test::Disambiguate(value.trim() == "true"),
                _ => continue,
            });
        }
        Ok(Condition {
            match_mode: match element.attribute("match") {
                Some("any") => MatchMode::Any,
                Some("none") => MatchMode::None,
                _ => MatchMode::All,
            },
            tests,
        })
    }

    fn variable(&self, element: &XmlElement, attribute: &str, name: &str) -> Parsed<Variable> {
        Variable::from_csl(name).ok_or_else(|| self.bad(element, attribute, name))
    }

    fn macro_index(&self, element: &XmlElement, name: &str) -> Parsed<usize> {
        self.macros
            .get(name)
            .copied()
            .ok_or_else(|| self.fail(element, StyleFault::UnknownMacro(name.to_owned())))
    }

    fn term(&mut self, name: &str) -> TermId {
        let name = term::canonical(name);
        if let Some(id) = TermId::core(&name) {
            return id;
        }
        if let Some(at) = self.terms.iter().position(|known| **known == *name) {
            return TermId::extra(at);
        }
        self.terms.push(name.into());
        TermId::extra(self.terms.len() - 1)
    }

    fn term_form(&self, element: &XmlElement) -> Parsed<TermForm> {
        Ok(element
            .attribute("form")
            .and_then(TermForm::parse)
            .unwrap_or_default())
    }

    fn required(&self, element: &'a XmlElement<'a>, attribute: &'static str) -> Parsed<&'a str> {
        element
            .attribute(attribute)
            .ok_or_else(|| self.missing(element, attribute))
    }

    fn missing(&self, element: &XmlElement, attribute: &'static str) -> StyleError {
        let name = element.name.to_owned();
        self.fail(
            element,
            StyleFault::MissingAttribute {
                element: name,
                attribute,
            },
        )
    }

    fn bad(&self, element: &XmlElement, attribute: &str, value: &str) -> StyleError {
        self.fail(
            element,
            StyleFault::BadValue {
                element: element.name.to_owned(),
                attribute: attribute.to_owned(),
                value: value.to_owned(),
            },
        )
    }

    fn fail(&self, element: &XmlElement, reason: StyleFault) -> StyleError {
        xml::error_at(self.source, element.offset, reason)
    }

    /// Refuses macros that call themselves and macros that unfold without measure.
    fn refuse_bombs(&self, style: &Style, root: &XmlElement) -> Parsed<()> {
        let mut unfolding = Unfolding::new(style);
        for (index, called) in style.macros.iter().enumerate() {
            if let Err(reason) = unfolding.called(index) {
                let at = root
                    .children_named("macro")
                    .find(|element| element.attribute("name") == Some(&called.name))
                    .unwrap_or(root);
                return Err(self.fail(at, reason));
            }
        }
        let fail = |reason| self.fail(root, reason);
        let entries = style.bibliography.as_ref();
        let mut total = unfolding
            .elements(&style.citation.layout.elements)
            .map_err(fail)?;
        if let Some(entries) = entries {
            total.add(unfolding.elements(&entries.layout.elements).map_err(fail)?);
        }
        let entry_keys = entries.into_iter().flat_map(|b| &b.sort);
        for key in style.citation.sort.iter().chain(entry_keys) {
            if let SortBy::Macro(index) = key.by {
                total.add(unfolding.called(index).map_err(fail)?);
            }
        }
        total.check().map_err(fail)
    }
}

/// How large elements are once macros stand in the place of their calls.
#[derive(Clone, Copy, Default)]
struct Unfolded {
    /// Elements and conditions that are looked at, at most.
    size: u64,
    /// Elements that lie in each other, at most.
    depth: usize,
}

impl Unfolded {
    fn add(&mut self, other: Unfolded) {
        self.size = self.size.saturating_add(other.size);
        self.depth = self.depth.max(other.depth);
    }

    /// Of two choices one is taken.
    fn or(&mut self, other: Unfolded) {
        self.size = self.size.max(other.size);
        self.depth = self.depth.max(other.depth);
    }

    fn check(self) -> Result<(), StyleFault> {
        if self.size > MAX_UNFOLDED {
            Err(StyleFault::Bomb(MAX_UNFOLDED))
        } else if self.depth > MAX_UNFOLDED_DEPTH {
            Err(StyleFault::TooDeep(MAX_UNFOLDED_DEPTH))
        } else {
            Ok(())
        }
    }
}

/// Unfolds macros, each once.
struct Unfolding<'s> {
    style: &'s Style,
    known: Vec<Option<Unfolded>>,
    /// Macros that are being unfolded.
    open: Vec<usize>,
    /// How deep the unfolding itself has come.
    level: usize,
}

impl<'s> Unfolding<'s> {
    fn new(style: &'s Style) -> Unfolding<'s> {
        Unfolding {
            style,
            known: vec![None; style.macros.len()],
            open: Vec::new(),
            level: 0,
        }
    }

    fn called(&mut self, index: usize) -> Result<Unfolded, StyleFault> {
        if let Some(Some(known)) = self.known.get(index) {
            return Ok(*known);
        }
        let Some(called) = self.style.macros.get(index) else {
            return Ok(Unfolded::default());
        };
        if self.open.contains(&index) {
            return Err(StyleFault::Recursion(called.name.to_string()));
        }
        self.open.push(index);
        let unfolded = self.elements(&called.elements)?;
        self.open.pop();
        unfolded.check()?;
        if let Some(slot) = self.known.get_mut(index) {
            *slot = Some(unfolded);
        }
        Ok(unfolded)
    }

    fn elements(&mut self, elements: &[Element]) -> Result<Unfolded, StyleFault> {
        let mut total = Unfolded::default();
        if self.level >= MAX_UNFOLDED_DEPTH && !elements.is_empty() {
            return Err(StyleFault::TooDeep(MAX_UNFOLDED_DEPTH));
        }
        self.level += 1;
        for element in elements {
            let mut unfolded = match element {
                Element::Text(Text {
                    source: TextSource::Macro(index),
                    ..
                }) => self.called(*index)?,
                Element::Group(group) => self.elements(&group.elements)?,
                Element::Names(names) => {
                    self.elements(names.substitute.as_deref().unwrap_or_default())?
                }
                Element::Choose(choose) => {
                    let mut taken = Unfolded::default();
                    for branch in &choose.branches {
                        taken.or(self.elements(&branch.elements)?);
                    }
                    taken.size = taken.size.saturating_add(choose.branches.len() as u64);
                    taken
                }
                _ => Unfolded::default(),
            };
            unfolded.size = unfolded.size.saturating_add(1);
            unfolded.depth += 1;
            total.add(unfolded);
        }
        self.level -= 1;
        Ok(total)
    }
}

fn position(word: &str) -> Option<PositionTest> {
    match word {
        "first" => Some(PositionTest::First),
        "subsequent" => Some(PositionTest::Subsequent),
        "ibid" => Some(PositionTest::Ibid),
        "ibid-with-locator" => Some(PositionTest::IbidWithLocator),
        "near-note" => Some(PositionTest::NearNote),
        "far-note" => Some(PositionTest::FarNote),
        _ => None,
    }
}

fn number(element: &XmlElement, name: &str) -> Option<u32> {
    element.attribute(name)?.trim().parse().ok()
}

fn truth(element: &XmlElement, name: &str) -> Option<bool> {
    match element.attribute(name)?.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Reads the `cs:date-part` children, in a style and in a locale.
fn has_date(element: &XmlElement) -> bool {
    element
        .children
        .iter()
        .any(|child| child.name == "date" || has_date(child))
}

pub fn date_parts(element: &XmlElement) -> Vec<DatePart> {
    let mut parts = Vec::new();
    for child in element.children_named("date-part") {
        let name = match child.attribute("name") {
            Some("year") => DatePartName::Year,
            Some("month") => DatePartName::Month,
            Some("day") => DatePartName::Day,
            _ => continue,
        };
        parts.push(DatePart {
            name,
            form: match child.attribute("form") {
                Some("long") => DatePartForm::Long,
                Some("short") => DatePartForm::Short,
                Some("numeric") => DatePartForm::Numeric,
                Some("numeric-leading-zeros") => DatePartForm::NumericLeadingZeros,
                Some("ordinal") => DatePartForm::Ordinal,
                _ => DatePartForm::Unset,
            },
            range_delimiter: child.attribute("range-delimiter").map(Box::from),
            look: look(child),
        });
    }
    parts
}

/// Reads affixes, formatting and the like.
pub fn look(element: &XmlElement) -> Look {
    let mut look = Look::default();
    for (name, value) in &element.attributes {
        let value: &str = value;
        let font = &mut look.formatting;
        match *name {
            "prefix" => look.prefix = value.into(),
            "suffix" => look.suffix = value.into(),
            "quotes" => look.quotes = value == "true",
            "strip-periods" => look.strip_periods = value == "true",
            "font-style" => {
                font.font_style = match value {
                    "italic" => Some(FontStyle::Italic),
                    "oblique" => Some(FontStyle::Oblique),
                    "normal" => Some(FontStyle::Normal),
                    _ => None,
                }
            }
            "font-variant" => {
                font.font_variant = match value {
                    "small-caps" => Some(FontVariant::SmallCaps),
                    "normal" => Some(FontVariant::Normal),
                    _ => None,
                }
            }
            "font-weight" => {
                font.font_weight = match value {
                    "bold" => Some(FontWeight::Bold),
                    "light" => Some(FontWeight::Light),
                    "normal" => Some(FontWeight::Normal),
                    _ => None,
                }
            }
            "text-decoration" => {
                font.text_decoration = match value {
                    "underline" => Some(TextDecoration::Underline),
                    "none" => Some(TextDecoration::None),
                    _ => None,
                }
            }
            "vertical-align" => {
                font.vertical_align = match value {
                    "sup" => Some(VerticalAlign::Sup),
                    "sub" => Some(VerticalAlign::Sub),
                    "baseline" => Some(VerticalAlign::Baseline),
                    _ => None,
                }
            }
            "text-case" => {
                look.case = match value {
                    "lowercase" => TextCase::Lowercase,
                    "uppercase" => TextCase::Uppercase,
                    "capitalize-first" => TextCase::CapitalizeFirst,
                    "capitalize-all" => TextCase::CapitalizeAll,
                    "sentence" => TextCase::Sentence,
                    "title" => TextCase::Title,
                    _ => TextCase::None,
                }
            }
            "display" => {
                look.display = match value {
                    "block" => Some(Display::Block),
                    "left-margin" => Some(Display::LeftMargin),
                    "right-inline" => Some(Display::RightInline),
                    "indent" => Some(Display::Indent),
                    _ => None,
                }
            }
            _ => {}
        }
    }
    look
}
