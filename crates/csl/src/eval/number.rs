//! `cs:number` and number variables in `cs:text`: lists and ranges, ordinals, Roman numerals.

use std::borrow::Cow;

use citation_model::item_type::ItemType;
use citation_model::roman;
use citation_model::variable::{NumberVar, Variable};

use super::{Eval, Usage};
use crate::compiled::Compiled;
use crate::locale::term::{self, Gender, TermForm, TermId};
use crate::node::{NIL, NodeId, Tag};
use crate::style::*;
use crate::text::numbers::{self, NumberParser, ParsedNumber, Ranges, is_digits};

impl<'a> Eval<'a, '_> {
    pub(super) fn number(&mut self, number: &'a Number) -> Usage {
        if self.suppressed.contains(number.variable) {
            return Usage::MISSED;
        }
        let found = match number.variable {
            Variable::Number(NumberVar::CitationNumber) => {
                let value = self.context.citation_number;
                let text = self.formed(value, number.form, Gender::Neuter);
                let node = self
                    .tree
                    .text(&text, &number.attributes, Tag::CitationNumber);
                if node != NIL {
                    self.tree.node_mut(node).number = value;
                }
                true
            }
            Variable::Number(v) => match self.context.number(v) {
                Some(value) => self.numeric(&value, v, number.form, &number.attributes),
                None => false,
            },
            Variable::Text(v) => match self.context.item.text(v) {
                Some(value) => self.rich(value, &number.attributes, Tag::None) != NIL,
                None => false,
            },
            Variable::Date(_) | Variable::Names(_) => false,
        };
        if found {
            self.use_up(number.variable);
        }
        Usage::of(found)
    }

    /// Parses the numbers of a variable's value.
    pub(super) fn numbers(&self, value: &str, variable: NumberVar) -> Vec<ParsedNumber> {
        // The parser looks for parts, labels and joints at each letter.
        self.tree.spend(value.len() * 2);
        self.with_number_parser(variable, |parser| {
            parser.parse(&self.guarded(value, variable))
        })
    }

    /// The hyphen in a legal case's number is part of it.
    fn guarded<'v>(&self, value: &'v str, variable: NumberVar) -> Cow<'v, str> {
        let case = self.context.item.kind == Some(ItemType::LegalCase);
        if variable == NumberVar::Number && case && value.contains('-') {
            value.replace("\\-", "-").replace('-', "\\-").into()
        } else {
            value.into()
        }
    }

    fn with_number_parser<T>(
        &self,
        variable: NumberVar,
        run: impl FnOnce(&NumberParser) -> T,
    ) -> T {
        let locale = &self.context.compiled.locale;
        let and = |form| locale.term(TermId::AND, form, false).unwrap_or_default();
        let has_term = |name: &str| {
            TermId::core(term::locator_label(name))
                .is_some_and(|id| locale.term(id, TermForm::Long, false).is_some())
        };
        let label = self
            .context
            .locator
            .map(|(label, _)| label)
            .filter(|label| variable == NumberVar::Locator && !label.is_empty());
        run(&NumberParser {
            variable: name(variable),
            label,
            and: (and(TermForm::Long), and(TermForm::Symbol)),
            has_term: &has_term,
        })
    }

    /// Shows a number variable in a form. A non-numeric value is shown unchanged.
    pub(super) fn numeric(
        &mut self,
        value: &str,
        variable: NumberVar,
        form: NumberForm,
        attributes: &'a RenderingAttributes,
    ) -> bool {
        let gender = TermId::number(variable).map_or(Gender::Neuter, |term| {
            self.context.compiled.locale.gender(term)
        });
        // Fast path: most values are a number without a label.
        if variable != NumberVar::Locator
            && is_digits(value)
            && !value.starts_with('0')
            && let Ok(whole) = value.parse()
        {
            let node = self.whole(whole, "", form, gender, attributes);
            self.alternate(node, attributes);
            return node != NIL;
        }
        let mut numbers = self.numbers(value, variable);
        let compiled = self.context.compiled;
        let ranges = Ranges {
            variable: name(variable),
            format: compiled.style.options.page_range_format,
            mark: range_mark(compiled),
        };
        self.with_number_parser(variable, |parser| ranges.write(parser, &mut numbers));
        // Punctuation at the end of a non-numeric value merges with its affixes, not with its text.
        if let [only] = numbers.as_slice()
            && !only.shows_label
            && only.joint.is_empty()
            && (only.whole().is_some() || attributes.suffix.is_empty())
        {
            let node = self.single(only, form, gender, attributes);
            self.alternate(node, attributes);
            return node != NIL;
        }
        self.series(&mut numbers, form, gender, attributes)
    }

    /// Shows the numbers of a value, with the text between them.
    fn series(
        &mut self,
        numbers: &mut [ParsedNumber],
        form: NumberForm,
        gender: Gender,
        attributes: &'a RenderingAttributes,
    ) -> bool {
        let quoted = quoted(numbers);
        let level = self.tree.open_level(attributes, "", Tag::None);
        if quoted {
            self.tree.node_mut(level).quote = crate::node::Quote::Style;
        }
        let own = RenderingAttributes {
            case: attributes.case,
            strip_periods: attributes.strip_periods,
            ..RenderingAttributes::default()
        };
        let master = numbers.first().map(|first| first.label.clone());
        for number in numbers.iter() {
            let is_master = master.as_deref() == Some(&number.label);
            if number.shows_label {
                self.own_label(number, is_master);
            }
            let form = if is_master { form } else { NumberForm::Numeric };
            let node = self.single(number, form, gender, &own);
            self.tree.add_suffix(node, &number.joint);
        }
        self.tree.close_level(level, attributes);
        self.tree.has_children(level)
    }

    /// Adds one number with an element's attributes.
    fn single(
        &mut self,
        number: &ParsedNumber,
        form: NumberForm,
        gender: Gender,
        attributes: &RenderingAttributes,
    ) -> NodeId {
        let Some(whole) = number.whole() else {
            let text = format!("{}{}", number.particle, number.value);
            // A value that starts like a number is not rich text (see flipflop_NumericField).
            let language = self.unlocated_language();
            let language = std::mem::replace(&mut self.language, language);
            let node = if number.ranges {
                self.verbatim(&text, attributes, Tag::None)
            } else {
                self.rich(&text, attributes, Tag::None)
            };
            self.language = language;
            return node;
        };
        self.whole(whole, &number.particle, form, gender, attributes)
    }

    /// Adds a countable number, preceded by letters that take no form.
    fn whole(
        &mut self,
        number: u32,
        particle: &str,
        form: NumberForm,
        gender: Gender,
        attributes: &RenderingAttributes,
    ) -> NodeId {
        let text = if particle.is_empty() {
            self.formed(number, form, gender)
        } else {
            format!("{particle}{number}")
        };
        let node = self.rich(&text, attributes, Tag::Number);
        if node != NIL {
            self.tree.node_mut(node).number = number;
        }
        node
    }

    /// Counts an element's parentheses as if it were a level.
    fn alternate(&mut self, node: NodeId, attributes: &RenderingAttributes) {
        let mut braces = self.tree.braces;
        let affixes = (
            braces.alternate(&attributes.prefix),
            braces.alternate(&attributes.suffix),
        );
        self.tree.braces = braces;
        if let (Cow::Owned(_), _) | (_, Cow::Owned(_)) = &affixes {
            self.tree.set_affixes(node, &affixes.0, &affixes.1);
        }
    }

    /// Adds a label that is part of the value.
    fn own_label(&mut self, number: &ParsedNumber, first: bool) {
        let form = if first {
            TermForm::Long
        } else {
            TermForm::Short
        };
        let text = numbers::label_term(&number.label)
            .and_then(|name| TermId::core(term::locator_label(name)))
            .and_then(|id| self.context.compiled.locale.term(id, form, number.plural))
            .unwrap_or(&number.label)
            .to_owned();
        self.tree.plain(&format!("{text}{}", number.label_blank));
    }

    /// One number in a form.
    fn formed(&self, number: u32, form: NumberForm, gender: Gender) -> String {
        let locale = &self.context.compiled.locale;
        let ordinal = || format!("{number}{}", locale.ordinal_suffix(number, gender));
        match form {
            NumberForm::Numeric => number.to_string(),
            NumberForm::Ordinal => ordinal(),
            NumberForm::LongOrdinal => locale
                .long_ordinal(number, gender)
                .map_or_else(ordinal, str::to_owned),
            NumberForm::Roman => roman::write(number).unwrap_or_else(|| number.to_string()),
        }
    }
}

/// The name under which a variable's values are parsed.
fn name(variable: NumberVar) -> &'static str {
    match variable {
        NumberVar::PageFirst => "page",
        other => other.csl(),
    }
}

/// The delimiter of ranges.
fn range_mark(compiled: &Compiled) -> &str {
    compiled
        .locale
        .term(TermId::PAGE_RANGE_DELIMITER, TermForm::Long, false)
        .unwrap_or("–")
}

/// Removes quotation marks around a value.
fn quoted(numbers: &mut [ParsedNumber]) -> bool {
    let opens = numbers.first().is_some_and(|n| n.value.starts_with('"'));
    let closes = numbers.last().is_some_and(|n| n.value.ends_with('"'));
    if !(opens && closes) {
        return false;
    }
    if let Some(first) = numbers.first_mut() {
        first.value.remove(0);
    }
    if let Some(last) = numbers.last_mut() {
        last.value.pop();
    }
    true
}
