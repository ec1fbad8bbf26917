//! `cs:names` and the inheritable name options.

use citation_model::variable::NameVar;

use super::{Element, Formatting, Label, RenderingAttributes, TextCase};
use crate::locale::term::TermId;

/// `cs:names`.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub variables: Vec<NameVar>,
    pub attributes: RenderingAttributes,
    /// Separates the name lists of several variables.
    pub delimiter: Option<Box<str>>,
    pub name: Option<NameElement>,
    pub et_al: Option<EtAl>,
    pub label: Option<Label>,
    pub label_before_name: bool,
    /// `None` without `cs:substitute`.
    pub substitute: Option<Vec<Element>>,
}

impl Names {
    /// Whether the element has no children.
    pub fn is_bare(&self) -> bool {
        self.name.is_none()
            && self.et_al.is_none()
            && self.label.is_none()
            && self.substitute.is_none()
    }
}

/// `cs:name`.
#[derive(Clone, Debug, Default)]
pub struct NameElement {
    pub options: NameOptions,
    pub attributes: RenderingAttributes,
    pub family: Option<NamePart>,
    pub given: Option<NamePart>,
}

/// `cs:name-part`.
#[derive(Clone, Debug, Default)]
pub struct NamePart {
    pub formatting: Formatting,
    pub prefix: Box<str>,
    pub suffix: Box<str>,
    pub case: TextCase,
}

/// `cs:et-al`.
#[derive(Clone, Debug)]
pub struct EtAl {
    pub term: TermId,
    pub attributes: RenderingAttributes,
}

/// The name options of a level; `None` inherits from the level above (specification, «Inheritable name
/// options»).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameOptions {
    pub and: Option<And>,
    pub delimiter: Option<Box<str>>,
    pub names_delimiter: Option<Box<str>>,
    pub delimiter_precedes_et_al: Option<DelimiterPrecedes>,
    pub delimiter_precedes_last: Option<DelimiterPrecedes>,
    pub et_al_min: Option<u32>,
    pub et_al_use_first: Option<u32>,
    pub et_al_use_last: Option<bool>,
    pub et_al_subsequent_min: Option<u32>,
    pub et_al_subsequent_use_first: Option<u32>,
    pub form: Option<NameForm>,
    pub initialize: Option<bool>,
    pub initialize_with: Option<Box<str>>,
    pub name_as_sort_order: Option<NameAsSortOrder>,
    pub sort_separator: Option<Box<str>>,
}

impl NameOptions {
    /// Fills unset options from the level above.
    pub fn inherit(&self, above: &NameOptions) -> NameOptions {
        NameOptions {
            and: self.and.or(above.and),
            delimiter: self
                .delimiter
                .as_ref()
                .or(above.delimiter.as_ref())
                .cloned(),
            names_delimiter: self
                .names_delimiter
                .as_ref()
                .or(above.names_delimiter.as_ref())
                .cloned(),
            delimiter_precedes_et_al: self
                .delimiter_precedes_et_al
                .or(above.delimiter_precedes_et_al),
            delimiter_precedes_last: self
                .delimiter_precedes_last
                .or(above.delimiter_precedes_last),
            et_al_min: self.et_al_min.or(above.et_al_min),
            et_al_use_first: self.et_al_use_first.or(above.et_al_use_first),
            et_al_use_last: self.et_al_use_last.or(above.et_al_use_last),
            et_al_subsequent_min: self.et_al_subsequent_min.or(above.et_al_subsequent_min),
            et_al_subsequent_use_first: self
                .et_al_subsequent_use_first
                .or(above.et_al_subsequent_use_first),
            form: self.form.or(above.form),
            initialize: self.initialize.or(above.initialize),
            initialize_with: self
                .initialize_with
                .as_ref()
                .or(above.initialize_with.as_ref())
                .cloned(),
            name_as_sort_order: self.name_as_sort_order.or(above.name_as_sort_order),
            sort_separator: self
                .sort_separator
                .as_ref()
                .or(above.sort_separator.as_ref())
                .cloned(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum And {
    Text,
    Symbol,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DelimiterPrecedes {
    #[default]
    Contextual,
    AfterInvertedName,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    #[default]
    Long,
    Short,
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameAsSortOrder {
    First,
    All,
}
