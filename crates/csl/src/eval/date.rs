//! `cs:date`: localized and non-localized dates, ranges, seasons, eras.

#![allow(
    clippy::indexing_slicing,
    reason = "an array has a place for each member of the enum"
)]

use std::borrow::Cow;
use std::fmt::Write;

use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::variable::{DateVar, Variable};

use super::{Eval, Usage};
use crate::locale::LocaleDate;
use crate::locale::term::{TermForm, TermId};
use crate::node::{NIL, Node, NodeId, Tag};
use crate::style::*;

/// One date part to show.
#[derive(Clone)]
struct ShownPart<'p> {
    name: DatePartName,
    form: DatePartForm,
    attributes: Cow<'p, RenderingAttributes>,
    range_delimiter: Option<&'p str>,
}

impl<'a> Eval<'a, '_> {
    pub(super) fn date(&mut self, element: &'a DateElement) -> Usage {
        let variable = Variable::Date(element.variable);
        if self.suppressed.contains(variable) {
            return Usage::MISSED;
        }
        // The access date does not disambiguate works.
        if self.context.bare && element.variable == DateVar::Accessed {
            return Usage::MISSED;
        }
        let Some(date) = self.context.item.date(element.variable) else {
            return Usage::MISSED;
        };
        let found = if self.context.sort.is_some() {
            self.date_key(element, date)
        } else {
            self.shown_date(element, date)
        };
        if found {
            self.use_up(variable);
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
        let parts = self.parts(element);
        self.tree.spend(parts.len());
        let (delimiter, attributes): (&str, &RenderingAttributes) = match element.form {
            Some(form) => (&self.localized(form).delimiter, &element.attributes),
            None => (&element.delimiter, &element.attributes),
        };
        let plain;
        let attributes = if element.form.is_some() {
            plain = without_normals(attributes);
            &plain
        } else {
            attributes
        };
        self.date_case = element.attributes.case;
        let checkpoint = self.tree.checkpoint();
        let level = self.tree.open_level(attributes, delimiter, Tag::Date);
        let shown = ShownDate {
            variable: element.variable,
            delimiter,
            parts: &parts,
            changes_era: changes_era(date),
        };
        match (&date.literal, date.start, date.end) {
            (Some(literal), ..) => self.literal(literal, &parts),
            (None, Some(start), None) => {
                for part in &parts {
                    self.part(part, &start, &shown);
                }
            }
            (None, Some(start), Some(end)) => self.range(&shown, &start, end),
            (None, None, _) => {}
        }
        self.tree.close_level(level, attributes);
        if !self.tree.has_children(level) {
            self.tree.rollback(checkpoint);
            return false;
        }
        true
    }

    /// A literal date replaces the year.
    fn literal(&mut self, literal: &str, parts: &[ShownPart<'a>]) {
        for part in parts.iter().filter(|p| p.name == DatePartName::Year) {
            self.rich(literal, &part.attributes, Tag::None);
        }
    }

    fn localized(&self, form: DateForm) -> &'a LocaleDate {
        &self.context.compiled.locale.dates[form as usize]
    }

    /// The parts to show; the style's attributes override the locale's.
    fn parts(&self, element: &'a DateElement) -> Vec<ShownPart<'a>> {
        let Some(form) = element.form else {
            return element.date_parts.iter().map(own_part).collect();
        };
        let wanted = |name| match element.parts {
            DatePartsShown::YearMonthDay => true,
            DatePartsShown::YearMonth => name != DatePartName::Day,
            DatePartsShown::Year => name == DatePartName::Year,
        };
        let names = [DatePartName::Year, DatePartName::Month, DatePartName::Day];
        let own = names.map(|name| element.date_parts.iter().find(|own| own.name == name));
        let mut parts = Vec::with_capacity(3);
        for part in &self.localized(form).parts {
            if !wanted(part.name) {
                continue;
            }
            let mut shown = own_part(part);
            if let Some(own) = own[part.name as usize] {
                if own.form != DatePartForm::Unset {
                    shown.form = own.form;
                }
                shown.range_delimiter = own_part(own).range_delimiter.or(shown.range_delimiter);
                shown.attributes = Cow::Owned(overridden(&part.attributes, &own.attributes));
            }
            parts.push(shown);
        }
        parts
    }

    /// Shows one part with its era and year suffix.
    fn part(&mut self, part: &ShownPart<'a>, date: &DateParts, shown: &ShownDate<'a, '_>) {
        let level = self.tree.open_node(Node::default());
        let node = self.value(part, date);
        self.finish_part(level, node, part, date, shown);
    }

    /// Adds the era and the year suffix, and closes the part's level.
    fn finish_part(
        &mut self,
        level: NodeId,
        node: NodeId,
        part: &ShownPart<'a>,
        date: &DateParts,
        shown: &ShownDate<'a, '_>,
    ) {
        if node == NIL {
            self.tree.close_to(level);
            self.tree.close();
            self.tree.detach(level);
            return;
        }
        if part.name == DatePartName::Year {
            // If both years of a range are in the same era, only the second shows it.
            if !shown.changes_era {
                self.era(date.year);
            }
            // If a work has no issued date, its first date takes the year suffix.
            let issued = self.context.item.date(DateVar::Issued);
            if shown.variable == DateVar::Issued || issued.is_none() {
                self.implicit_year_suffix(&part.attributes);
            }
        }
        self.tree.close_to(level);
        self.tree.close();
    }

    /// The bare value of a part with the part's affixes and formatting.
    fn value(&mut self, part: &ShownPart<'a>, date: &DateParts) -> NodeId {
        let Some(mut text) = self.part_text(part, date) else {
            return NIL;
        };
        if part.attributes.strip_periods || self.strips_periods > 0 {
            text.retain(|c| c != '.');
        }
        let case = if part.attributes.case == TextCase::None {
            self.date_case
        } else {
            part.attributes.case
        };
        if case != TextCase::None {
            text = crate::text::case::recase(&text, case, self.language);
        }
        // Styles superscript ordinals by markup.
        let node = if text.contains('<') {
            self.rich(&text, &part.attributes, Tag::DatePart)
        } else {
            self.tree.text(&text, &part.attributes, Tag::DatePart)
        };
        if node != NIL {
            self.tree.node_mut(node).number = part_number(part.name, date);
        }
        node
    }

    /// The era follows the year and the style's suffix for it (`380年紀元前`).
    fn era(&mut self, year: i32) {
        let term = match year {
            ..=-1 => TermId::BC,
            1..500 => TermId::AD,
            _ => return,
        };
        let locale = &self.context.compiled.locale;
        let text = locale.term(term, TermForm::Long, false);
        self.tree.plain(text.unwrap_or_default());
    }

    /// The year suffix follows the first year of the cite unless the style places it. It takes the
    /// formatting of the year.
    fn implicit_year_suffix(&mut self, attributes: &RenderingAttributes) {
        if !self.year_suffix_placed && !self.style().places_year_suffix {
            self.year_suffix(attributes);
        }
    }

    fn part_text(&self, part: &ShownPart, date: &DateParts) -> Option<String> {
        let locale = &self.context.compiled.locale;
        // Locale files use straight apostrophes (`נוב'`).
        let name_of = |term, form| {
            let name = locale.term(term, form, false);
            name.map(|name| name.replace('\'', "’"))
        };
        match part.name {
            DatePartName::Year => Some(self.year(date.year, part.form)),
            DatePartName::Month => {
                let Some(month) = date.month else {
                    return name_of(TermId::season(date.season?), TermForm::Long);
                };
                let form = match part.form {
                    DatePartForm::Numeric => return Some(month.to_string()),
                    DatePartForm::NumericLeadingZeros => return Some(format!("{month:02}")),
                    DatePartForm::Short => TermForm::Short,
                    _ => TermForm::Long,
                };
                name_of(TermId::month(month), form)
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

    /// A range shows the parts that both ends share once. The parts of the end follow the last part of
    /// the start that differs; between them, the range delimiter replaces the affixes.
    fn range(&mut self, shown: &ShownDate<'a, '_>, start: &DateParts, end: DateEnd) {
        let mut twice = differing(shown.parts, start, end);
        let mark = range_mark(shown.parts, twice.first().copied());
        let mut ends: Vec<usize> = Vec::new();
        for (at, part) in shown.parts.iter().enumerate() {
            if !twice.contains(&part.name) {
                self.part(part, start, shown);
                continue;
            }
            twice.retain(|name| *name != part.name);
            ends.push(at);
            let level = self.tree.open_node(Node::default());
            let node = self.value(part, start);
            if node != NIL && part.name == DatePartName::Year && shown.changes_era {
                self.era(start.year);
            }
            if twice.is_empty() && node != NIL {
                self.tree.node_mut(node).suffix = Default::default();
                self.tree.plain(mark);
                if let DateEnd::At(end) = end {
                    self.range_end(shown, &ends, &end);
                }
            }
            self.finish_part(level, node, part, start, shown);
        }
    }

    fn range_end(&mut self, shown: &ShownDate<'a, '_>, ends: &[usize], end: &DateParts) {
        let delimiter = self.tree.span(shown.delimiter);
        self.tree.open_node(Node {
            delimiter,
            ..Node::default()
        });
        let parts = ends.iter().filter_map(|&at| shown.parts.get(at));
        for (at, part) in parts.enumerate() {
            let has_era = part.name == DatePartName::Year && shown.changes_era;
            if has_era {
                self.tree.open_node(Node::default());
            }
            let node = self.value(part, end);
            if node != NIL && at == 0 {
                self.tree.node_mut(node).prefix = Default::default();
            }
            if has_era {
                self.era(end.year);
                self.tree.close();
            }
        }
        self.tree.close();
    }
}

/// The range delimiter of the largest part that differs (specification, «Date ranges»).
fn range_mark<'p>(parts: &[ShownPart<'p>], largest: Option<DatePartName>) -> &'p str {
    let part = parts.iter().find(|part| Some(part.name) == largest);
    part.and_then(|part| part.range_delimiter).unwrap_or("–")
}

/// The properties of a date that its parts need.
struct ShownDate<'a, 's> {
    variable: DateVar,
    delimiter: &'s str,
    parts: &'s [ShownPart<'a>],
    /// The range starts BC and ends AD, so each year shows its era (specification, «AD and BC»).
    changes_era: bool,
}

fn changes_era(date: &Date) -> bool {
    match (date.start, date.end) {
        (Some(start), Some(DateEnd::At(end))) => (start.year < 0) != (end.year < 0),
        _ => false,
    }
}

/// The parts that a range shows for both ends: the largest that differs and all smaller ones.
fn differing(parts: &[ShownPart], start: &DateParts, end: DateEnd) -> Vec<DatePartName> {
    let all = [DatePartName::Year, DatePartName::Month, DatePartName::Day];
    let shown = |name: &DatePartName| parts.iter().any(|part| part.name == *name);
    let DateEnd::At(end) = end else {
        return vec![DatePartName::Year];
    };
    let both = |name: &DatePartName| has(*name, start) && has(*name, &end);
    let common: Vec<DatePartName> = all
        .into_iter()
        .filter(|name| shown(name) && both(name))
        .collect();
    let agrees = |name: &DatePartName| part_number(*name, start) == part_number(*name, &end);
    common.into_iter().skip_while(agrees).collect()
}

fn has(name: DatePartName, date: &DateParts) -> bool {
    match name {
        DatePartName::Year => true,
        DatePartName::Month => date.month.is_some() || date.season.is_some(),
        DatePartName::Day => date.day.is_some(),
    }
}

/// A number that distinguishes the values of a part.
fn part_number(name: DatePartName, date: &DateParts) -> u32 {
    match name {
        DatePartName::Year => date.year.cast_unsigned(),
        DatePartName::Month => match (date.month, date.season) {
            (Some(month), _) => u32::from(month),
            (None, Some(season)) => 100 + u32::from(season),
            (None, None) => 0,
        },
        DatePartName::Day => date.day.map_or(0, u32::from),
    }
}

fn own_part(part: &DatePart) -> ShownPart<'_> {
    ShownPart {
        name: part.name,
        form: part.form,
        attributes: Cow::Borrowed(&part.attributes),
        // A range needs a delimiter between its ends, so an empty one counts as unset.
        range_delimiter: part
            .range_delimiter
            .as_deref()
            .filter(|mark| !mark.is_empty()),
    }
}

/// A localized date is formatted as a whole; `normal` values format nothing.
fn without_normals(attributes: &RenderingAttributes) -> RenderingAttributes {
    let mut attributes = attributes.clone();
    let font = &mut attributes.formatting;
    font.font_style = font.font_style.filter(|style| *style != FontStyle::Normal);
    font.font_variant = font
        .font_variant
        .filter(|variant| *variant != FontVariant::Normal);
    font.font_weight = font
        .font_weight
        .filter(|weight| *weight != FontWeight::Normal);
    attributes
}

/// A localized date keeps the locale's affixes; the style may override the rest.
fn overridden(locale: &RenderingAttributes, own: &RenderingAttributes) -> RenderingAttributes {
    RenderingAttributes {
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

/// The date as a string that sorts chronologically; empty for a literal date.
pub fn sort_value(date: &Date) -> String {
    sort_key(date, (true, true, true))
}

fn sort_key(date: &Date, shown: (bool, bool, bool)) -> String {
    let mut key = String::new();
    if let Some(start) = &date.start {
        sort_parts(start, shown, &mut key);
    }
    if let Some(DateEnd::At(end)) = &date.end {
        key.push(' ');
        sort_parts(end, shown, &mut key);
    }
    key
}

/// Hidden parts count as 00, so that keys of all shapes compare (specification, «Sorting»: `YYYYMMDD`).
fn sort_parts(date: &DateParts, (year, month, day): (bool, bool, bool), key: &mut String) {
    let year = if year { date.year } else { 0 };
    // Seasons do not affect the chronological order.
    let month = date.month.filter(|_| month).unwrap_or(0);
    let day = date.day.filter(|_| day).unwrap_or(0);
    if year < 0 {
        // A sign sorts before digits, so BC years precede AD years.
        let _ = write!(key, "<{:06}", 999_999 + i64::from(year).max(-999_999));
    } else {
        let _ = write!(key, "{year:06}");
    }
    let _ = write!(key, "{month:02}{day:02}");
}
