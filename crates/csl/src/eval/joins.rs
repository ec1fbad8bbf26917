//! Joints between the names of a list: delimiters, «and», «et al.», the ellipsis before a last name
//! (specification, `cs:name`, `cs:et-al`). A delimiter is the suffix of the preceding name, so that it
//! merges with punctuation at the end of that name.

use std::collections::HashSet;

use super::Eval;
use super::name::NameStyle;
use crate::hints::GivenLevel;
use crate::item::{PersonName, opens_romanesque};
use crate::locale::term::{TermForm, TermId};
use crate::node::{Node, NodeId, Tag};
use crate::style::names::*;
use crate::style::*;

/// The text before the last name.
struct Joint<'a> {
    before: &'a str,
    word: &'a str,
    after: &'a str,
}

/// `cs:names` with the options that it inherits from the element it substitutes for.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub name: Option<&'a NameElement>,
    pub et_al: Option<&'a EtAl>,
    pub label: Option<&'a Label>,
    pub label_first: bool,
}

/// How a name list is truncated.
pub(super) struct Cut {
    pub shown: u32,
    pub et_al: bool,
    /// Whether an ellipsis and the last name follow.
    pub last: bool,
}

impl Cut {
    pub fn all(total: u32) -> Cut {
        Cut {
            shown: total,
            et_al: false,
            last: false,
        }
    }

    /// So many names and «et al.».
    pub fn open(shown: u32) -> Cut {
        Cut {
            shown,
            et_al: true,
            last: false,
        }
    }
}

/// The names to show and how.
pub struct Row<'a, 's> {
    pub people: &'a [PersonName],
    pub style: &'s NameStyle<'a>,
    pub cut: &'s Cut,
    /// The index of the list within the cite.
    pub list: usize,
    /// Positions of names that share family name and initials with another name of the list.
    pub homonyms: HashSet<usize>,
}

impl<'a> Eval<'a, '_> {
    /// Adds the names of a list with their joints.
    pub(super) fn people(&mut self, row: &Row<'a, '_>, parts: &Parts<'a>) {
        let delimiter = self.name_delimiter(parts);
        let shown = (row.cut.shown as usize).min(row.people.len());
        if row.cut.et_al && !row.cut.last {
            let level = self
                .tree
                .open(self.name_attributes(parts), "", Tag::WithOthers);
            self.tree.open_node(Node::default());
            for at in 0..shown {
                let suffix = if at + 1 < shown { delimiter } else { "" };
                self.person_at(row, parts, at, suffix);
                if self.tree.budget.is_spent() {
                    break;
                }
            }
            self.tree.close();
            if shown > 0 && !row.style.for_sort {
                self.et_al(parts, delimiter, shown);
                let style = parts
                    .et_al
                    .and_then(|et_al| et_al.attributes.formatting.font_style);
                let slanted = style == Some(FontStyle::Italic);
                self.tree.node_mut(level).number = u32::from(slanted);
            }
            self.tree.close_to(level);
            self.tree.close();
            return;
        }
        let mut places: Vec<usize> = (0..shown).collect();
        if row.cut.last {
            places.push(row.people.len() - 1);
        }
        let joint = self.joint(row, parts, &places, delimiter);
        self.joined(row, parts, &places, delimiter, joint);
    }

    fn joined(
        &mut self,
        row: &Row<'a, '_>,
        parts: &Parts<'a>,
        places: &[usize],
        delimiter: &str,
        joint: Option<Joint>,
    ) {
        let level = self.tree.open_node(Node::default());
        let delimited = places
            .len()
            .saturating_sub(1 + usize::from(joint.is_some()));
        for (at, &place) in places.iter().enumerate() {
            if at > 0
                && at + 1 == places.len()
                && let Some(joint) = &joint
            {
                let node = self.tree.plain(joint.word);
                self.tree.add_prefix(node, joint.before);
                self.tree.add_suffix(node, joint.after);
            }
            let suffix = if at < delimited { delimiter } else { "" };
            self.person_at(row, parts, place, suffix);
            if self.tree.budget.is_spent() {
                break;
            }
        }
        self.tree.close_to(level);
        self.tree.close();
    }

    fn person_at(&mut self, row: &Row<'a, '_>, parts: &Parts<'a>, at: usize, suffix: &str) {
        let mut level = self.context.hints.given(row.list, at);
        if row.homonyms.contains(&at) {
            level = GivenLevel::Full;
        }
        // Entries show given names as styled: shorter ones might look like those of others.
        let long = row.style.form == NameForm::Long;
        if self.context.area == super::Area::Bibliography && long && level < GivenLevel::Full {
            level = GivenLevel::AsStyled;
        }
        if let Some(person) = row.people.get(at) {
            let attributes = self.name_attributes(parts);
            let node = self.name(person, at, row.style, level, attributes);
            // A single blank separates two names: the delimiter's or that of the next name's prefix.
            // Institutions have no prefix.
            let next = row.people.get(at + 1);
            let brings_blank = attributes.prefix.starts_with(' ')
                && next.is_some_and(|next| next.literal.is_none());
            let suffix = if brings_blank {
                suffix.trim_end_matches(' ')
            } else {
                suffix
            };
            self.tree.add_suffix(node, suffix);
        }
    }

    fn name_attributes(&self, parts: &Parts<'a>) -> &'a RenderingAttributes {
        static PLAIN: std::sync::LazyLock<RenderingAttributes> =
            std::sync::LazyLock::new(RenderingAttributes::default);
        parts.name.map_or(&PLAIN, |name| &name.attributes)
    }

    fn name_delimiter(&self, parts: &Parts<'a>) -> &'a str {
        self.text_option(parts.name, |o| o.delimiter.as_deref())
            .unwrap_or(", ")
    }

    /// The text before the last name shown.
    fn joint(
        &self,
        row: &Row<'a, '_>,
        parts: &Parts<'a>,
        places: &[usize],
        delimiter: &'a str,
    ) -> Option<Joint<'a>> {
        let [.., before_last, last] = *places else {
            return None;
        };
        if row.style.for_sort {
            return None;
        }
        let rule = self
            .option(parts.name, |o| o.delimiter_precedes_last)
            .unwrap_or_default();
        let several = places.len() > 2;
        let before_last = row.people.get(before_last)?;
        let after_inverted = rule == DelimiterPrecedes::AfterInvertedName
            && row.style.inverts(before_last, places.len() - 2);
        if row.cut.last {
            let is_delimited = several || after_inverted;
            return Some(Joint {
                before: if is_delimited { delimiter } else { " " },
                word: "…",
                after: " ",
            });
        }
        let word = self
            .option(parts.name, |o| o.and)
            .and_then(|and| self.and_text(and));
        let Some(word) = word else {
            return (!delimiter.is_empty()).then_some(Joint {
                before: "",
                word: delimiter,
                after: "",
            });
        };
        let rule = self.rule_before(row.people.get(last)?, rule);
        let are_words = opens_romanesque(word);
        let before = if after_inverted || rule == DelimiterPrecedes::Always && !several {
            delimiter
        } else if !are_words {
            ""
        } else if precedes_last(rule, several) {
            delimiter
        } else {
            " "
        };
        Some(Joint {
            before,
            word,
            after: if are_words { " " } else { "" },
        })
    }

    /// The rule for the delimiter before a last name. The element's own is for persons; before an
    /// institution only the inherited rule applies.
    fn rule_before(&self, last: &PersonName, rule: DelimiterPrecedes) -> DelimiterPrecedes {
        if last.literal.is_none() {
            return rule;
        }
        self.name_options()
            .delimiter_precedes_last
            .filter(|rule| *rule != DelimiterPrecedes::AfterInvertedName)
            .unwrap_or_default()
    }

    fn and_text(&self, and: And) -> Option<&'a str> {
        let locale = &self.context.compiled.locale;
        let word = locale.term(TermId::AND, TermForm::Long, false);
        match and {
            And::Text => word,
            And::Symbol => locale
                .term(TermId::AND, TermForm::Symbol, false)
                .filter(|symbol| Some(*symbol) != word)
                .or(Some("&")),
        }
    }

    /// Adds «et al.» after `shown` names.
    fn et_al(&mut self, parts: &Parts<'a>, delimiter: &str, shown: usize) {
        let term = parts.et_al.map_or(TermId::ET_AL, |et_al| et_al.term);
        let locale = &self.context.compiled.locale;
        let text = locale.term(term, TermForm::Long, false).unwrap_or_default();
        let rule = option(parts.name, self.name_options(), |o| {
            o.delimiter_precedes_et_al
        })
        .unwrap_or_default();
        let before = match (rule, shown > 1) {
            (DelimiterPrecedes::Always, _) => delimiter,
            (DelimiterPrecedes::Never, _) => " ",
            (DelimiterPrecedes::Contextual, several) if several => delimiter,
            (DelimiterPrecedes::AfterInvertedName, several) if !several => delimiter,
            _ => " ",
        };
        let before = if before == " " && !opens_romanesque(text) {
            ""
        } else {
            before
        };
        static PLAIN: std::sync::LazyLock<RenderingAttributes> =
            std::sync::LazyLock::new(RenderingAttributes::default);
        let attributes = parts.et_al.map_or(&*PLAIN, |et_al| &et_al.attributes);
        let node: NodeId = self.rich(text, attributes, Tag::None);
        self.tree.set_affixes(node, before, "");
    }
}

/// Whether the delimiter precedes the last of several names, or of two, when the name before is not
/// inverted.
fn precedes_last(rule: DelimiterPrecedes, several: bool) -> bool {
    match rule {
        DelimiterPrecedes::Always => true,
        DelimiterPrecedes::Never => false,
        DelimiterPrecedes::Contextual => several,
        DelimiterPrecedes::AfterInvertedName => !several,
    }
}

/// An option of the element, or of the levels above it.
pub(super) fn option<T: Copy>(
    name: Option<&NameElement>,
    above: &NameOptions,
    get: impl Fn(&NameOptions) -> Option<T>,
) -> Option<T> {
    name.and_then(|name| get(&name.options))
        .or_else(|| get(above))
}
