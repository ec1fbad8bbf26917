//! `cs:names`: selection of names, joints between lists, et-al, labels, substitution.

use std::collections::HashSet;

use citation_model::cite::Position;
use citation_model::variable::{NameVar, Variable};

use super::joins::{Cut, Parts, Row, option};
use super::name::NameStyle;
use super::{Area, Eval, Usage, initials_of};
use crate::item::PersonName;
use crate::locale::term::{TermForm, TermId};
use crate::node::{Node, TERM_ONLY, Tag};
use crate::style::names::*;
use crate::style::*;
use crate::text::case::recase;

/// A name list shown in a cite; the input of disambiguation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameListInfo {
    pub variable: NameVar,
    /// The number of names of the variable.
    pub total: u32,
    /// The number of names before et-al.
    pub shown: u32,
    pub form: NameForm,
    /// Whether the style sets `initialize-with`.
    pub initials: bool,
}

/// The number of names of a list that are compared with others of the work.
const MAX_HOMONYMS: usize = 50;

impl<'a> Eval<'a, '_> {
    pub(super) fn names(&mut self, names: &'a Names) -> Usage {
        self.tree.spend(names.variables.len());
        let parts = self.parts_of(names);
        let checkpoint = self.tree.checkpoint();
        // In `cs:substitute`, a bare `cs:names` takes the options of the element that it replaces.
        let above = self.substituting.filter(|_| names.is_bare());
        let dress = above.unwrap_or(names);
        let delimiter = dress
            .delimiter
            .as_deref()
            .or(self.name_options().names_delimiter.as_deref())
            .unwrap_or_default();
        let level = self.tree.open(&dress.attributes, delimiter, Tag::Names);
        let lists = self.lists.len();
        if let Some(number) = self.name_lists(names, &parts) {
            self.tree.rollback(checkpoint);
            self.lists.truncate(lists);
            if number > 0 {
                self.tree
                    .text(&number.to_string(), &dress.attributes, Tag::Names);
            }
            return Usage::of(number > 0);
        }
        self.tree.close_to(level);
        self.tree.close();
        if self.tree.has_children(level) {
            if self.substituting.is_some() {
                for &variable in &names.variables {
                    self.suppressed.insert(Variable::Names(variable));
                }
            }
            return Usage::FOUND;
        }
        self.tree.rollback(checkpoint);
        let usage = match &names.substitute {
            Some(substitute) => self.substitute(names, substitute),
            None => Usage::MISSED,
        };
        let replaces = self.substituting.is_some();
        self.names_missed |= !replaces && !usage.found;
        // Works without names come before those with one where a style sorts by their number.
        if !usage.found && !replaces && self.context.sort.is_some() && self.counts(&parts) {
            self.tree.text("0", &dress.attributes, Tag::Names);
            return Usage::FOUND;
        }
        usage
    }

    /// Shows the list of each variable, or returns the number of names that are shown instead.
    fn name_lists(&mut self, names: &'a Names, parts: &Parts<'a>) -> Option<u32> {
        let mut count = None;
        let merged = self.merged_roles(names);
        let mut has_merged = false;
        for &variable in &names.variables {
            let people = self.available(variable);
            let is_merged = merged && matches!(variable, NameVar::Editor | NameVar::Translator);
            if people.is_empty() || is_merged && std::mem::replace(&mut has_merged, true) {
                continue;
            }
            let role = if is_merged {
                NameVar::EditorTranslator
            } else {
                variable
            };
            if let Some(number) = self.name_list(variable, role, people, parts) {
                count = Some(count.unwrap_or(0) + number);
            }
        }
        count
    }

    fn parts_of(&self, names: &'a Names) -> Parts<'a> {
        let above = self.substituting.filter(|_| names.is_bare());
        let source = above.unwrap_or(names);
        Parts {
            name: source.name.as_ref(),
            et_al: source.et_al.as_ref(),
            label: source.label.as_ref(),
            label_first: source.label_before_name,
        }
    }

    /// Whether the number of names stands for them.
    fn counts(&self, parts: &Parts) -> bool {
        self.option(parts.name, |o| o.form) == Some(NameForm::Count)
    }

    fn available(&self, variable: NameVar) -> &'a [PersonName] {
        if self.suppressed.contains(Variable::Names(variable)) {
            return &[];
        }
        self.context.item.names(variable)
    }

    /// Editors who are also the translators are listed once, with both roles.
    fn merged_roles(&self, names: &Names) -> bool {
        let roles = [NameVar::Editor, NameVar::Translator];
        if !roles.iter().all(|role| names.variables.contains(role)) {
            return false;
        }
        let editors = self.available(NameVar::Editor);
        let locale = &self.context.compiled.locale;
        let has_term = locale
            .term(TermId::EDITOR_TRANSLATOR, TermForm::Long, false)
            .is_some_and(|term| !term.is_empty());
        has_term && !editors.is_empty() && editors == self.available(NameVar::Translator)
    }

    /// Shows the first substitute that has text.
    fn substitute(&mut self, names: &'a Names, substitute: &'a [Element]) -> Usage {
        let before = self.substituting.replace(names);
        let result = self.first_shown(substitute);
        self.substituting = before;
        result.unwrap_or(Usage::MISSED)
    }

    /// The elements of a matching condition are tried one by one too.
    fn first_shown(&mut self, substitute: &'a [Element]) -> Option<Usage> {
        for element in substitute {
            let shown = match element {
                Element::Choose(choose) => {
                    let branch = self.branch(choose);
                    self.first_shown(branch)
                }
                element => self.stand_in(element),
            };
            if shown.is_some() {
                return shown;
            }
        }
        None
    }

    fn stand_in(&mut self, element: &'a Element) -> Option<Usage> {
        let checkpoint = self.tree.checkpoint();
        let level = self.tree.open_node(Node {
            tag: Tag::Names,
            ..Node::default()
        });
        let variables = self.variables_shown;
        let usage = self.element(element);
        self.tree.close_to(level);
        self.tree.close();
        if !self.tree.has_text(level) {
            self.tree.rollback(checkpoint);
            return self.is_empty_term(element).then_some(Usage::FOUND);
        }
        let mut lists = Vec::new();
        let is_list = |node: &Node| matches!(node.tag, Tag::NameList(_));
        self.tree.find_all(level, &is_list, &mut lists);
        if !lists.is_empty() {
            // Later stages look for the inner names.
            self.tree.node_mut(level).tag = Tag::None;
        }
        if self.variables_shown == variables {
            self.tree.node_mut(level).number = TERM_ONLY;
        }
        // A bare term or value counts as a variable not found, which may suppress the group around it
        // (specification, `cs:group`); a macro that requests no variable counts as one found.
        Some(Usage::of(usage.found))
    }

    /// Whether an element is a term that the locale defines as empty, which also substitutes (see
    /// substitute_SubstituteOnlyOnceTermEmpty).
    fn is_empty_term(&self, element: &Element) -> bool {
        let Element::Text(text) = element else {
            return false;
        };
        let TextSource::Term { term, form, plural } = text.source else {
            return false;
        };
        self.context
            .compiled
            .locale
            .term(term, form, plural)
            .is_some()
    }

    pub(super) fn option<T: Copy>(
        &self,
        name: Option<&NameElement>,
        get: impl Fn(&NameOptions) -> Option<T>,
    ) -> Option<T> {
        option(name, self.name_options(), get)
    }

    pub(super) fn text_option(
        &self,
        name: Option<&'a NameElement>,
        get: impl Fn(&'a NameOptions) -> Option<&'a str>,
    ) -> Option<&'a str> {
        name.and_then(|name| get(&name.options))
            .or_else(|| get(self.name_options()))
    }

    /// The formatting of a name part: the element's own, or that of the element it substitutes for.
    fn name_part(
        &self,
        name: Option<&'a NameElement>,
        get: impl Fn(&'a NameElement) -> Option<&'a NamePart>,
    ) -> Option<&'a NamePart> {
        let above = self.substituting.and_then(|names| names.name.as_ref());
        name.and_then(&get).or_else(|| above.and_then(&get))
    }

    /// Shows one variable's names with their label. Returns the number for the form `count`.
    fn name_list(
        &mut self,
        variable: NameVar,
        role: NameVar,
        people: &'a [PersonName],
        parts: &Parts<'a>,
    ) -> Option<u32> {
        let name = parts.name;
        let mut style = NameStyle {
            form: self.option(name, |o| o.form).unwrap_or_default(),
            initialize: self.option(name, |o| o.initialize).unwrap_or(true),
            initialize_with: self.text_option(name, |o| o.initialize_with.as_deref()),
            as_sort_order: self.option(name, |o| o.name_as_sort_order),
            sort_separator: single_blank(
                self.text_option(name, |o| o.sort_separator.as_deref())
                    .unwrap_or(", "),
            ),
            family: self.name_part(name, |name| name.family.as_ref()),
            given: self.name_part(name, |name| name.given.as_ref()),
            for_sort: self.context.sort.is_some(),
        };
        if style.for_sort {
            style.as_sort_order = Some(NameAsSortOrder::All);
        }
        let list = self.hinted_list(variable);
        let named = people.len() as u32;
        let has_others = self.context.item.item.has_others(variable);
        let mut cut = self.cut(name, named + u32::from(has_others), list);
        if has_others && (cut.last || cut.shown >= named) {
            cut = Cut::open(cut.shown.min(named));
        }
        let count = people.len() + usize::from(has_others);
        if style.form == NameForm::Count {
            return Some(cut.shown + u32::from(cut.last && cut.shown < named));
        }
        self.lists.push(NameListInfo {
            variable,
            total: named,
            shown: cut.shown,
            form: style.form,
            initials: style.initialize_with.is_some(),
        });
        self.tree.open_node(Node::default());
        if parts.label_first {
            self.role_label(role, count, parts);
        }
        let row = Row {
            people,
            style: &style,
            cut: &cut,
            list,
            homonyms: self.homonyms(people, &style),
        };
        self.tree.open_node(Node {
            tag: Tag::NameList(variable),
            ..Node::default()
        });
        self.people(&row, parts);
        self.tree.close();
        if !parts.label_first {
            self.role_label(role, count, parts);
        }
        self.tree.close();
        None
    }

    /// The list whose hints apply to the names of a variable: the current list, or the variable's first
    /// list if names are disambiguated across the document.
    fn hinted_list(&self, variable: NameVar) -> usize {
        let known = match self.style().citation.givenname_rule {
            GivennameRule::ByCite => None,
            _ => self.lists.iter().position(|list| list.variable == variable),
        };
        known.unwrap_or(self.lists.len())
    }

    /// The names that differ from others of the item only in given names with the same initials: names of
    /// their list, whether shown or not, and of the lists before it. If given names disambiguate cites, these
    /// names are not shortened, as in citeproc-js.
    fn homonyms(&self, people: &[PersonName], style: &NameStyle) -> HashSet<usize> {
        let citation = &self.style().citation;
        let mut homonyms = HashSet::new();
        let shortens = style.form == NameForm::Long && style.initialize_with.is_some();
        if !citation.disambiguate_add_givenname
            || citation.givenname_rule != GivennameRule::ByCite
            || !shortens
            || people.len() + self.lists.len() < 3
        {
            return homonyms;
        }
        let hyphen = self.style().options.initialize_with_hyphen;
        let earlier = self.lists.iter().rev().skip(1);
        let earlier = earlier.flat_map(|list| {
            let names = self.context.item.names(list.variable);
            names.iter().take(MAX_HOMONYMS)
        });
        let mut names: Vec<_> = people
            .iter()
            .enumerate()
            .take(MAX_HOMONYMS)
            .map(|(at, name)| (name, Some(at)))
            .chain(earlier.map(|name| (name, None)))
            .filter(|(name, _)| name.literal.is_none() && !name.given.is_empty())
            .map(|(name, at)| ((&name.non_dropping, &name.family), at, &name.given))
            .collect();
        names.sort_unstable();
        let families = names.chunk_by(|one, other| one.0 == other.0);
        for family in families.filter(|family| family.len() > 1) {
            let bare = |given: &str| given.replace(['.', ' ', '\u{a0}'], "");
            let mut given: Vec<_> = family
                .iter()
                .map(|(_, at, given)| (initials_of(given, hyphen), bare(given), at))
                .collect();
            given.sort_unstable();
            for alike in given.chunk_by(|one, other| one.0 == other.0) {
                // Sorted, so they differ if the first and the last do.
                if alike.first().map(|name| &name.1) != alike.last().map(|name| &name.1) {
                    homonyms.extend(alike.iter().filter_map(|(_, _, at)| **at));
                }
            }
        }
        homonyms
    }

    /// Determines how many names are shown.
    fn cut(&self, name: Option<&'a NameElement>, total: u32, list: usize) -> Cut {
        let option = |get: fn(&NameOptions) -> Option<u32>| self.option(name, get);
        let mut min = option(|o| o.et_al_min);
        let mut first = option(|o| o.et_al_use_first);
        let mut later = 0;
        if self.context.area == Area::Citation {
            let later_min = option(|o| o.et_al_subsequent_min).or(min);
            let later_first = option(|o| o.et_al_subsequent_use_first).or(first);
            if self.context.position == Position::First {
                // Disambiguation uses the form of subsequent cites; a first cite shows no fewer names.
                let is_cut = later_min.is_some_and(|min| total >= min);
                later = later_first.filter(|_| is_cut).unwrap_or(total);
            } else {
                (min, first) = (later_min, later_first);
            }
        }
        let mut last = self.option(name, |o| o.et_al_use_last).unwrap_or(false);
        if let Some(sort) = self.context.sort {
            min = sort.names_min.or(min);
            first = sort.names_use_first.or(first);
            last = sort.names_use_last.unwrap_or(last);
            later = 0;
        }
        let (Some(min), Some(first)) = (min, first) else {
            return Cut::all(total);
        };
        // A last name after an ellipsis replaces at least two names (specification, `et-al-use-last`), so
        // no list omits fewer.
        let most = if last {
            min.saturating_sub(2).max(1)
        } else {
            u32::MAX
        };
        let (first, later) = (first.min(most), later.min(most));
        if total < min || first >= total {
            return Cut::all(total);
        }
        let hinted = match self.context.area {
            Area::Citation => self.context.hints.shown(list).max(later),
            Area::Bibliography => 0,
        };
        let shown = first.max(hinted).max(1);
        if first == 0 && hinted == 0 {
            return Cut::open(0);
        }
        if shown >= total {
            return Cut::all(total);
        }
        Cut {
            shown,
            et_al: true,
            last: last && shown + 2 <= total,
        }
    }

    fn role_label(&mut self, role: NameVar, count: usize, parts: &Parts<'a>) {
        let Some(label) = parts.label else { return };
        if self.context.sort.is_some() {
            return;
        }
        let plural = match label.plural {
            Plural::Always => true,
            Plural::Never => false,
            Plural::Contextual => count > 1,
        };
        let locale = &self.context.compiled.locale;
        let Some(text) = locale.term(TermId::role(role), label.form, plural) else {
            return;
        };
        if self.begins_sentence() && label.attributes.case == TextCase::None {
            let text = recase(text, TextCase::CapitalizeFirst, self.term_language());
            self.rich_term(&text, &label.attributes);
        } else {
            self.rich_term(text, &label.attributes);
        }
    }
}

/// The separator with at most one trailing blank.
fn single_blank(separator: &str) -> &str {
    let kept = separator.trim_end_matches(' ').len();
    separator.get(..kept + 1).unwrap_or(separator)
}
