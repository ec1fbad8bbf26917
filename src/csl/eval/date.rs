//! `cs:date`: localized and not, ranges, seasons, eras.

use std::borrow::Cow;
use std::fmt::Write;

use crate::model::date::{Date, DateEnd, DateParts};
use crate::model::variable::{DateVar, Variable};

use super::{Eval, Usage};
use crate::csl::locale::LocaleDate;
use crate::csl::locale::term::{TermForm, TermId};
use crate::csl::node::{NIL, Node, Tag};
use crate::csl::style::*;

/// One part as it is to be shown.
#[derive(Clone)]
struct Part<'p> {
    name: DatePartName,
    form: DatePartForm,
    look: Cow<'p, Look>,
    range_delimiter: Option<&'p str>,
}

impl<'a> Eval<'a, '_> {
    pub(super) fn date(&mut self, element: &'a DateElement) -> Usage {
        let variable = Variable::Date(element.variable);
        if self.suppressed.contains(variable) {
            return Usage::MISSED;
        }
        // When a work was seen does not tell it from another.
        if self.scene.bare && element.variable == DateVar::Accessed {
            return Usage::MISSED;
        }
        let Some(date) = self.scene.item.date(element.variable) else {
            return Usage::MISSED;
        };
        let found = if self.scene.sort.is_some() {
            self.date_key(element, date)
        } else if let Some(literal) = &date.literal {
            self.rich(literal, &element.look, Tag::Date) != NIL
        } else {
            self.shown_date(element, date)
        };
        if found && self.substituting.is_some() {
            self.suppressed.insert(variable);
        }
        Usage::of(found)
    }

    fn date_key(&mut self, element: &'a DateElement, date: &Date) -> bool {
        let parts = self.parts(element);
        let has = |name| parts.iter().any(|part| part.name == name);
        let shown = (
            has(DatePartName::Year),
            has(DatePartName::Month),
            has(DatePartName::Day),
        );
        let key = sort_key(date, shown);
        self.tree.plain(&key) != NIL
    }

    fn shown_date(&mut self, element: &'a DateElement, date: &Date) -> bool {
        let Some(start) = date.start else {
            return false;
        };
        let parts = self.parts(element);
        let (delimiter, look): (&str, &Look) = match element.form {
            Some(form) => (&self.localized(form).delimiter, &element.look),
            None => (&element.delimiter, &element.look),
        };
        let plain;
        let look = if element.form.is_some() {
            plain = without_normals(look);
            &plain
        } else {
            look
        };
        self.date_case = element.look.case;
        self.date_is_localized = element.form.is_some();
        let mark = self.tree.mark();
        let level = self.tree.open(look, delimiter, Tag::Date);
        match date.end {
            None => {
                for part in &parts {
                    self.part(part, &start, element.variable, true, true);
                }
            }
            Some(end) => self.range(&parts, &start, end, delimiter, element.variable),
        }
        self.tree.close_to(level);
        self.tree.close();
        if !self.tree.has_children(level) {
            self.tree.rollback(mark);
            return false;
        }
        true
    }

    fn localized(&self, form: DateForm) -> &'a LocaleDate {
        &self.scene.compiled.locale.dates[form as usize]
    }

    /// The parts to show, the style's own attributes over the locale's.
    fn parts(&self, element: &'a DateElement) -> Vec<Part<'a>> {
        let Some(form) = element.form else {
            return element.date_parts.iter().map(own_part).collect();
        };
        let wanted = |name| match element.parts {
            DatePartsShown::YearMonthDay => true,
            DatePartsShown::YearMonth => name != DatePartName::Day,
            DatePartsShown::Year => name == DatePartName::Year,
        };
        let mut parts = Vec::with_capacity(3);
        for part in &self.localized(form).parts {
            if !wanted(part.name) {
                continue;
            }
            let mut shown = own_part(part);
            if let Some(own) = element.date_parts.iter().find(|own| own.name == part.name) {
                if own.form != DatePartForm::Unset {
                    shown.form = own.form;
                }
                if own.range_delimiter.is_some() {
                    shown.range_delimiter = own.range_delimiter.as_deref();
                }
                shown.look = Cow::Owned(overridden(&part.look, &own.look));
            }
            parts.push(shown);
        }
        parts
    }

    /// Shows one part. `with_prefix` and `with_suffix` are off where a range joins.
    fn part(
        &mut self,
        part: &Part<'a>,
        date: &DateParts,
        variable: DateVar,
        with_prefix: bool,
        with_suffix: bool,
    ) {
        let Some(mut text) = self.part_text(part, date) else {
            return;
        };
        if part.look.strip_periods {
            text.retain(|c| c != '.');
        }
        let case = if part.look.case == TextCase::None {
            self.date_case
        } else {
            part.look.case
        };
        if case != TextCase::None {
            text = crate::csl::text::case::recase(&text, case, self.language);
        }
        let level = self.tree.open(&part.look, "", Tag::None);
        self.tree.plain(&text);
        if part.name == DatePartName::Year && !self.date_is_localized {
            self.era(date.year);
        }
        if part.name == DatePartName::Year && variable == DateVar::Issued {
            self.implicit_year_suffix();
        }
        self.tree.close();
        let node = self.tree.node_mut(level);
        if !with_prefix {
            node.prefix = Default::default();
        }
        if !with_suffix {
            node.suffix = Default::default();
        }
        if part.name == DatePartName::Year && self.date_is_localized {
            self.era(date.year);
        }
    }

    /// The era follows the year; in a localized date it follows what the locale puts behind the
    /// year as well (`380年紀元前`).
    fn era(&mut self, year: i32) {
        let term = match year {
            ..=-1 => TermId::BC,
            1..500 => TermId::AD,
            _ => return,
        };
        let text = self.scene.compiled.locale.term(term, TermForm::Long, false);
        self.tree.plain(text.unwrap_or_default());
    }

    /// The letter goes with the first year of the cite unless the style places it.
    fn implicit_year_suffix(&mut self) {
        if self.year_suffix_placed || self.style().places_year_suffix {
            return;
        }
        static PLAIN: std::sync::LazyLock<Look> = std::sync::LazyLock::new(Look::default);
        self.year_suffix(&PLAIN);
    }

    fn part_text(&self, part: &Part, date: &DateParts) -> Option<String> {
        let locale = &self.scene.compiled.locale;
        match part.name {
            DatePartName::Year => Some(self.year(date.year, part.form)),
            DatePartName::Month => {
                let Some(month) = date.month else {
                    let season = TermId::season(date.season?);
                    return locale
                        .term(season, TermForm::Long, false)
                        .map(str::to_owned);
                };
                let form = match part.form {
                    DatePartForm::Numeric => return Some(month.to_string()),
                    DatePartForm::NumericLeadingZeros => return Some(format!("{month:02}")),
                    DatePartForm::Short => TermForm::Short,
                    _ => TermForm::Long,
                };
                locale
                    .term(TermId::month(month), form, false)
                    .map(str::to_owned)
            }
            DatePartName::Day => {
                let day = date.day?;
                Some(match part.form {
                    DatePartForm::NumericLeadingZeros => format!("{day:02}"),
                    DatePartForm::Ordinal if day == 1 || !locale.limit_day_ordinals => {
                        let gender = date
                            .month
                            .map(|month| locale.gender(TermId::month(month)))
                            .unwrap_or_default();
                        let number = u32::from(day);
                        format!("{day}{}", locale.ordinal_suffix(number, gender))
                    }
                    _ => day.to_string(),
                })
            }
        }
    }

    fn year(&self, year: i32, form: DatePartForm) -> String {
        if form == DatePartForm::Short && year >= 1000 {
            return format!("{:02}", year % 100);
        }
        year.unsigned_abs().to_string()
    }

    /// A range shows the parts that both ends share once.
    fn range(
        &mut self,
        parts: &[Part<'a>],
        start: &DateParts,
        end: DateEnd,
        delimiter: &str,
        variable: DateVar,
    ) {
        let DateEnd::At(end) = end else {
            for (at, part) in parts.iter().enumerate() {
                let last = at + 1 == parts.len();
                self.part(part, start, variable, true, !last);
            }
            let dash = self.range_mark(parts, start, start);
            self.tree.plain(dash);
            return;
        };
        let differs = largest_difference(parts, start, &end);
        let doubled = |part: &Part| differs.is_some_and(|name| rank(part.name) >= rank(name));
        let shown = |part: &Part| self.part_text(part, start).is_some();
        let first = parts.iter().position(|part| doubled(part) && shown(part));
        let last = parts.iter().rposition(|part| doubled(part) && shown(part));
        let (Some(first), Some(last)) = (first, last) else {
            for part in parts {
                self.part(part, start, variable, true, true);
            }
            return;
        };
        let dash = self.range_mark(parts, start, &end).to_owned();
        for part in &parts[..first] {
            self.part(part, start, variable, true, true);
        }
        let dash = self.tree.span(&dash);
        let between = self.tree.span(delimiter);
        self.tree.open_node(Node {
            delimiter: dash,
            ..Node::default()
        });
        let middle = &parts[first..=last];
        for (side, date) in [start, &end].into_iter().enumerate() {
            self.tree.open_node(Node {
                delimiter: between,
                ..Node::default()
            });
            let ends = middle
                .iter()
                .rposition(|part| self.part_text(part, date).is_some());
            for (at, part) in middle.iter().enumerate() {
                let suffix = side == 1 || Some(at) != ends;
                // A blank before the first part of the end is the mark's to bring.
                let prefix = side == 0 || at > 0 || !part.look.prefix.trim().is_empty();
                self.part(part, date, variable, prefix, suffix);
            }
            self.tree.close();
        }
        self.tree.close();
        for part in &parts[last + 1..] {
            self.part(part, start, variable, true, true);
        }
    }

    fn range_mark(&self, parts: &[Part<'a>], start: &DateParts, end: &DateParts) -> &'a str {
        let name = largest_difference(parts, start, end).unwrap_or(DatePartName::Year);
        parts
            .iter()
            .find(|part| part.name == name)
            .and_then(|part| part.range_delimiter)
            .unwrap_or("–")
    }
}

fn own_part(part: &DatePart) -> Part<'_> {
    Part {
        name: part.name,
        form: part.form,
        look: Cow::Borrowed(&part.look),
        range_delimiter: part.range_delimiter.as_deref(),
    }
}

/// A localized date is formatted as a whole; that it be plain is nothing to format.
fn without_normals(look: &Look) -> Look {
    let mut look = look.clone();
    let font = &mut look.formatting;
    font.font_style = font.font_style.filter(|style| *style != FontStyle::Normal);
    font.font_variant = font
        .font_variant
        .filter(|variant| *variant != FontVariant::Normal);
    font.font_weight = font
        .font_weight
        .filter(|weight| *weight != FontWeight::Normal);
    look
}

/// A localized date keeps the locale's affixes; the style may set the rest.
fn overridden(locale: &Look, own: &Look) -> Look {
    Look {
        formatting: locale.formatting.merged(own.formatting),
        case: if own.case == TextCase::None {
            locale.case
        } else {
            own.case
        },
        strip_periods: locale.strip_periods || own.strip_periods,
        ..locale.clone()
    }
}

fn rank(name: DatePartName) -> u8 {
    match name {
        DatePartName::Year => 0,
        DatePartName::Month => 1,
        DatePartName::Day => 2,
    }
}

/// The largest part that is shown and differs.
fn largest_difference(parts: &[Part], start: &DateParts, end: &DateParts) -> Option<DatePartName> {
    let has = |name| parts.iter().any(|part| part.name == name);
    if start.year != end.year && has(DatePartName::Year) {
        return Some(DatePartName::Year);
    }
    if (start.month, start.season) != (end.month, end.season) && has(DatePartName::Month) {
        return Some(DatePartName::Month);
    }
    (start.day != end.day && has(DatePartName::Day)).then_some(DatePartName::Day)
}

/// The date as a text that sorts in order of time.
pub fn sort_value(date: &Date) -> String {
    sort_key(date, (true, true, true))
}

fn sort_key(date: &Date, shown: (bool, bool, bool)) -> String {
    let mut key = String::new();
    if let Some(start) = &date.start {
        sort_parts(start, shown, &mut key);
    } else if let Some(literal) = &date.literal {
        key.push_str(literal);
    }
    if let Some(DateEnd::At(end)) = &date.end {
        key.push(' ');
        sort_parts(end, shown, &mut key);
    }
    key
}

fn sort_parts(date: &DateParts, (year, month, day): (bool, bool, bool), key: &mut String) {
    if year {
        if date.year < 0 {
            // A sign sorts before the digits of the years of our era.
            let _ = write!(key, "<{:06}", 999_999 + i64::from(date.year).max(-999_999));
        } else {
            let _ = write!(key, "{:06}", date.year);
        }
    }
    if month {
        let number = date
            .month
            .or(date.season.map(|season| season * 3))
            .unwrap_or(0);
        let _ = write!(key, "{number:02}");
    }
    if day {
        let _ = write!(key, "{:02}", date.day.unwrap_or(0));
    }
}
