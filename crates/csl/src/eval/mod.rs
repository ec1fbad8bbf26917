//! Evaluates one item at one place into a tree of text. Each CSL element has its own file; this one holds
//! what they share and dispatches on elements.

mod choose;
mod date;
mod initials;
mod joins;
mod label;
mod name;
mod names;
pub mod number;
pub mod rich;
mod text;

use std::borrow::Cow;

use citation_model::cite::{CiteMode, Position};
use citation_model::variable::{NumberVar, TextVar, Variable};

use super::compiled::Compiled;
use super::hints::Hints;
use super::item::Prepared;
use super::node::{NIL, Node, NodeId, Tag, Tree};
use super::style::names::{NameOptions, Names};
use super::style::*;
use super::text::case::Language;
use super::text::numbers::pages;

pub use date::sort_value as date_sort_value;
pub use initials::key as initials_of;
pub use names::NameListInfo;

/// The place where an item is rendered, and its context.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub compiled: &'a Compiled,
    pub item: &'a Prepared<'a>,
    pub area: Area,
    pub position: Position,
    pub near_note: bool,
    pub first_note: u32,
    /// Label and value.
    pub locator: Option<(&'a str, &'a str)>,
    pub mode: CiteMode,
    /// Whether the cite is the first of its citation; always true for entries.
    pub opens_citation: bool,
    /// Whether the cite is rendered only for disambiguation.
    pub bare: bool,
    /// Whether the cite's own prefix ends a sentence.
    pub prefix_ends_sentence: bool,
    pub hints: &'a Hints,
    pub citation_number: u32,
    /// Set while a sort key is evaluated.
    pub sort: Option<SortOverrides>,
}

impl<'a> Context<'a> {
    /// The value of a number variable at this place.
    pub fn number(&self, variable: NumberVar) -> Option<Cow<'a, str>> {
        let item = self.item;
        match variable {
            NumberVar::Locator => match self.area {
                Area::Citation => self.locator.map(|(_, value)| value.into()),
                Area::Bibliography => None,
            },
            NumberVar::CitationNumber => Some(self.citation_number.to_string().into()),
            NumberVar::FirstReferenceNoteNumber => {
                (self.first_note > 0).then(|| self.first_note.to_string().into())
            }
            NumberVar::PageFirst => item.number(variable).map(Cow::from).or_else(|| {
                item.number(NumberVar::Page)
                    .map(|page| pages::first(page).into())
            }),
            _ => item.number(variable).map(Cow::from),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Citation,
    Bibliography,
}

/// What a sort key overrides for names in its macro.
#[derive(Clone, Copy, Debug, Default)]
pub struct SortOverrides {
    pub names_min: Option<u32>,
    pub names_use_first: Option<u32>,
    pub names_use_last: Option<bool>,
}

/// Whether an element requested and found variables; their sum decides whether a group is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// A variable was requested.
    pub asked: bool,
    /// A variable had a value to show.
    pub found: bool,
}

impl Usage {
    pub const FOUND: Usage = Usage {
        asked: true,
        found: true,
    };
    pub const MISSED: Usage = Usage {
        asked: true,
        found: false,
    };

    fn of(found: bool) -> Usage {
        Usage { asked: true, found }
    }

    fn add(&mut self, other: Usage) {
        self.asked |= other.asked;
        self.found |= other.found;
    }
}

/// The state of one evaluation.
pub struct Eval<'a, 't> {
    pub context: Context<'a>,
    pub tree: &'t mut Tree,
    /// The item's variables plus those that the place provides.
    variables: VariableSet,
    /// Variables not to be shown again; see [`Eval::use_up`].
    suppressed: VariableSet,
    /// The names element whose substitute is being evaluated.
    substituting: Option<&'a Names>,
    /// The name lists shown, in order.
    pub lists: Vec<NameListInfo>,
    /// The number of conditions that tested whether the cite is ambiguous.
    pub ambiguity_tests: u32,
    /// Whether a text variable other than the locator was requested.
    pub asked_text: bool,
    /// Whether the year suffix has been placed.
    year_suffix_placed: bool,
    /// The node of an entry's first field; [`NIL`] if the field is empty.
    pub first_field: Option<NodeId>,
    /// Whether only dates count, in sort keys.
    only_dates: bool,
    /// The number of variables shown.
    variables_shown: u32,
    /// Whether names were requested at the current level and not found.
    names_missed: bool,
    /// The number of enclosing levels that strip periods.
    strips_periods: u32,
    last_field: NodeId,
    /// Whether the last level of the layout is empty.
    pub ends_empty: bool,
    /// Whether `display` attributes of the layout's elements are ignored.
    pub ignores_blocks: bool,
    /// The text case of the current date.
    date_case: TextCase,
    /// The number of nodes of the cite's own prefix.
    prefix_nodes: usize,
    /// The language of the item's fields.
    language: Language,
}

impl<'a, 't> Eval<'a, 't> {
    pub fn new(context: Context<'a>, tree: &'t mut Tree) -> Eval<'a, 't> {
        let mut variables = context.item.variables;
        let mut set = |variable, present| {
            if present {
                variables.insert(variable);
            }
        };
        set(
            Variable::Number(NumberVar::Locator),
            context.locator.is_some() && context.area == Area::Citation,
        );
        set(Variable::Number(NumberVar::CitationNumber), true);
        set(
            Variable::Text(TextVar::YearSuffix),
            context.hints.year_suffix.is_some(),
        );
        set(
            Variable::Number(NumberVar::FirstReferenceNoteNumber),
            context.first_note > 0,
        );
        let tag = context.item.text(TextVar::Language);
        let mut language = tag.map_or(context.compiled.language, Language::of);
        // Items of a jurisdiction keep the case of their titles.
        language.takes_title_case &= context.item.text(TextVar::Jurisdiction).is_none();
        Eval {
            context,
            tree,
            variables,
            suppressed: VariableSet::default(),
            substituting: None,
            lists: Vec::new(),
            ambiguity_tests: 0,
            asked_text: false,
            year_suffix_placed: false,
            first_field: None,
            last_field: NIL,
            ends_empty: false,
            ignores_blocks: false,
            only_dates: false,
            names_missed: false,
            strips_periods: 0,
            variables_shown: 0,
            date_case: TextCase::None,
            prefix_nodes: 0,
            language,
        }
    }

    fn style(&self) -> &'a Style {
        &self.context.compiled.style
    }

    fn name_options(&self) -> &'a NameOptions {
        match self.context.area {
            Area::Citation => &self.context.compiled.citation_names,
            Area::Bibliography => &self.context.compiled.bibliography_names,
        }
    }

    /// A variable that substitutes for names is not shown again (specification, `cs:substitute`). Neither
    /// is the locator, because styles request it from overlapping macros.
    fn use_up(&mut self, variable: Variable) {
        if self.substituting.is_some() || variable == Variable::Number(NumberVar::Locator) {
            self.suppressed.insert(variable);
        }
    }

    /// Evaluates elements in order into the current level.
    pub fn elements(&mut self, elements: &'a [Element]) -> Usage {
        let mut usage = Usage::default();
        for element in elements {
            usage.add(self.element(element));
        }
        usage
    }

    /// Evaluates a macro as a sort key.
    pub fn sort_macro(&mut self, index: usize) {
        static PLAIN: std::sync::LazyLock<RenderingAttributes> =
            std::sync::LazyLock::new(RenderingAttributes::default);
        self.call(index, &PLAIN);
    }

    /// Evaluates the elements of a layout, which may be display blocks, and records the node of the
    /// first.
    pub fn fields(&mut self, elements: &'a [Element]) {
        for element in elements {
            if let Element::Choose(choose) = element {
                let branch = self.branch(choose);
                self.fields(branch);
                continue;
            }
            match element
                .attributes()
                .and_then(|attributes| attributes.display)
            {
                Some(display) if !self.ignores_blocks => self.block(element, display),
                _ => {
                    self.element(element);
                }
            }
            let last = self.tree.node(0).last;
            if self.first_field.is_none() {
                self.first_field = Some(last);
            }
            if last != self.last_field || is_level(element) {
                self.ends_empty = last == self.last_field;
            }
            self.last_field = last;
        }
    }

    fn block(&mut self, element: &'a Element, display: Display) {
        let checkpoint = self.tree.checkpoint();
        let block = self.tree.open_node(Node {
            display: Some(display),
            ..Node::default()
        });
        self.element(element);
        self.tree.close_to(block);
        self.tree.close();
        if !self.tree.has_children(block) {
            self.tree.rollback(checkpoint);
        }
    }

    fn element(&mut self, element: &'a Element) -> Usage {
        if self.tree.budget.spend(1).is_err() {
            return Usage::default();
        }
        let shows_text = match element {
            Element::Text(text) => !matches!(text.source, TextSource::Macro(_)),
            Element::Number(_) | Element::Label(_) | Element::Names(_) => true,
            _ => false,
        };
        if self.only_dates && shows_text {
            let checkpoint = self.tree.checkpoint();
            let usage = self.evaluate(element);
            self.tree.rollback(checkpoint);
            return usage;
        }
        let strips = element
            .attributes()
            .is_some_and(|attributes| attributes.strip_periods);
        self.strips_periods += u32::from(strips);
        let usage = self.evaluate(element);
        self.strips_periods -= u32::from(strips);
        self.variables_shown += u32::from(usage.found && is_variable(element));
        usage
    }

    fn evaluate(&mut self, element: &'a Element) -> Usage {
        match element {
            Element::Text(text) => self.text(text),
            Element::Number(number) => self.number(number),
            Element::Label(label) => self.label(label),
            Element::Date(date) => self.date(date),
            Element::Names(names) => self.names(names),
            Element::Group(group) => self.group(group),
            Element::Choose(choose) => self.choose(choose),
        }
    }

    /// A group that requested variables and found none shows nothing.
    fn group(&mut self, group: &'a Group) -> Usage {
        let checkpoint = self.tree.checkpoint();
        let missed = self.names_missed;
        let level = self
            .tree
            .open_level(&group.attributes, &group.delimiter, Tag::None);
        let usage = self.elements(&group.elements);
        self.tree.close_level(level, &group.attributes);
        if usage.asked && !usage.found {
            self.tree.rollback(checkpoint);
            self.names_missed = missed;
            return usage;
        }
        self.shown(level, usage)
    }

    /// A level that shows text without requesting a variable counts as a variable found (specification,
    /// `cs:group`).
    fn shown(&self, level: super::node::NodeId, usage: Usage) -> Usage {
        if !usage.asked && self.tree.has_text(level) {
            Usage::FOUND
        } else {
            usage
        }
    }

    /// Evaluates a macro as one unit. `attributes` are those of the calling element.
    fn call(&mut self, index: usize, attributes: &'a RenderingAttributes) -> Usage {
        let Some(called) = self.style().macros.get(index) else {
            return Usage::default();
        };
        let checkpoint = self.tree.checkpoint();
        let missed = self.names_missed;
        let level = self.tree.open_level(attributes, "", Tag::None);
        self.tree.open_node(Node::default());
        // As a sort key, a macro that contains a date uses only that date.
        self.only_dates |= called.has_date && self.context.sort.is_some();
        let usage = self.elements(&called.elements);
        self.only_dates &= !called.has_date;
        self.tree.close_to(level);
        self.tree.close_level(level, attributes);
        if !self.tree.has_text(level) || usage.asked && !usage.found {
            self.tree.rollback(checkpoint);
            self.names_missed = missed;
            return usage;
        }
        self.shown(level, usage)
    }

    /// Whether a term begins a sentence: nothing precedes it, or only a prefix that ends a sentence. A
    /// term after missing names replaces them and does not begin one.
    fn at_start(&self) -> bool {
        // The number of an entry precedes its text and does not count.
        let is_text = |node: &Node| !node.text.is_empty() && node.tag != Tag::CitationNumber;
        let own = self.tree.nodes.get(self.prefix_nodes..).unwrap_or_default();
        if self.names_missed {
            return false;
        }
        let first = own.iter().position(is_text);
        self.tree.spend(first.unwrap_or(own.len()) / 16);
        if first.is_some() {
            return false;
        }
        if self.prefix_nodes > 0 {
            self.context.prefix_ends_sentence
        } else {
            self.context.opens_citation
        }
    }
}

fn is_variable(element: &Element) -> bool {
    match element {
        Element::Text(text) => matches!(text.source, TextSource::Variable { .. }),
        Element::Number(_) | Element::Date(_) | Element::Names(_) => true,
        _ => false,
    }
}

fn is_level(element: &Element) -> bool {
    match element {
        Element::Text(text) => matches!(text.source, TextSource::Macro(_)),
        Element::Names(_) => true,
        _ => false,
    }
}
