//! Shared by styles and locales: the attributes of rendering elements, and the parts of dates.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateForm {
    Text,
    Numeric,
}

#[derive(Clone, Debug)]
pub struct DatePart {
    pub name: DatePartName,
    pub form: DatePartForm,
    pub range_delimiter: Option<Box<str>>,
    pub attributes: RenderingAttributes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePartName {
    Year,
    Month,
    Day,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DatePartForm {
    /// The attribute is absent; a `cs:date-part` of a style then takes the locale's.
    #[default]
    Unset,
    Long,
    Short,
    Numeric,
    NumericLeadingZeros,
    Ordinal,
}

/// Affixes, formatting and other attributes of rendering elements.
#[derive(Clone, Debug, Default)]
pub struct RenderingAttributes {
    pub formatting: Formatting,
    pub prefix: Box<str>,
    pub suffix: Box<str>,
    pub case: TextCase,
    pub display: Option<Display>,
    pub quotes: bool,
    pub strip_periods: bool,
}

/// Font attributes. `None` if the style does not set them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Formatting {
    pub font_style: Option<FontStyle>,
    pub font_variant: Option<FontVariant>,
    pub font_weight: Option<FontWeight>,
    pub text_decoration: Option<TextDecoration>,
    pub vertical_align: Option<VerticalAlign>,
}

impl Formatting {
    pub fn is_plain(&self) -> bool {
        *self == Formatting::default()
    }

    /// Merges two formattings; `other` takes precedence.
    pub fn merged(self, other: Formatting) -> Formatting {
        Formatting {
            font_style: other.font_style.or(self.font_style),
            font_variant: other.font_variant.or(self.font_variant),
            font_weight: other.font_weight.or(self.font_weight),
            text_decoration: other.text_decoration.or(self.text_decoration),
            vertical_align: other.vertical_align.or(self.vertical_align),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FontStyle {
    Normal,
    Italic,
    Oblique,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FontVariant {
    Normal,
    SmallCaps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FontWeight {
    Normal,
    Bold,
    Light,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextDecoration {
    None,
    Underline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerticalAlign {
    Baseline,
    Sup,
    Sub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Display {
    Block,
    LeftMargin,
    RightInline,
    Indent,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextCase {
    #[default]
    None,
    Lowercase,
    Uppercase,
    CapitalizeFirst,
    CapitalizeAll,
    Sentence,
    Title,
}
