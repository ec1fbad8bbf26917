//! `cs:text`: variables, macros, terms and values.

use std::borrow::Cow;

use citation_model::variable::{NumberVar, TextVar, Variable};

use super::{Area, Eval, Usage};
use crate::hints::letters;
use crate::links;
use crate::locale::term::{TermForm, TermId};
use crate::node::{NIL, Tag};
use crate::style::*;
use crate::text::case::{Language, recase};

impl<'a> Eval<'a, '_> {
    pub(super) fn text(&mut self, text: &'a Text) -> Usage {
        match &text.source {
            TextSource::Variable { variable, short } => {
                self.text_variable(*variable, *short, &text.attributes)
            }
            TextSource::Macro(index) => self.call(*index, &text.attributes),
            TextSource::Term { term, form, plural } => {
                self.term(*term, *form, *plural, &text.attributes);
                Usage::default()
            }
            TextSource::Value(value) => {
                self.rich(value, &text.attributes, Tag::None);
                Usage::default()
            }
        }
    }

    fn term(
        &mut self,
        term: TermId,
        form: TermForm,
        plural: bool,
        attributes: &'a RenderingAttributes,
    ) {
        let Some(text) = self.context.compiled.locale.term(term, form, plural) else {
            return;
        };
        if self.begins_sentence() && attributes.case == TextCase::None {
            let text = recase(text, TextCase::CapitalizeFirst, self.term_language());
            self.rich_term(&text, attributes);
        } else {
            self.rich_term(text, attributes);
        }
    }

    /// In notes and entries the first term begins a sentence.
    pub(super) fn begins_sentence(&self) -> bool {
        let in_text = self.style().options.class == Class::InText;
        !(in_text && self.context.area == Area::Citation) && self.at_start()
    }

    fn text_variable(
        &mut self,
        variable: Variable,
        short: bool,
        attributes: &'a RenderingAttributes,
    ) -> Usage {
        self.asked_text |= !names_the_cite(variable);
        if self.suppressed.contains(variable) {
            return Usage::MISSED;
        }
        let found = match variable {
            Variable::Text(v) => self.plain_variable(v, short, attributes),
            Variable::Number(v) => self.number_text(v, attributes),
            Variable::Date(_) | Variable::Names(_) => return Usage::default(),
        };
        if found {
            self.use_up(variable);
        }
        // An absent year suffix does not count as missing: styles group it with `no date`.
        Usage::of(found || variable == Variable::Text(TextVar::YearSuffix))
    }

    fn plain_variable(
        &mut self,
        variable: TextVar,
        short: bool,
        attributes: &'a RenderingAttributes,
    ) -> bool {
        match variable {
            TextVar::YearSuffix => return self.year_suffix(attributes),
            TextVar::CitationLabel => return self.citation_label(attributes),
            _ => {}
        }
        let value = self.text_value(variable, short);
        let Some(value) = value else { return false };
        // A shortened address is not a valid link target.
        let whole = !(short && variable == TextVar::Url);
        let tag = match variable {
            _ if whole && links::is_linkable(variable) => Tag::Linkable(variable),
            TextVar::Title => Tag::Title,
            _ => Tag::None,
        };
        let address = matches!(variable, TextVar::Url | TextVar::Doi);
        let node = if address && attributes.case == TextCase::None {
            self.tree.text(&value, attributes, tag)
        } else {
            let language = self.language;
            if !is_located(variable) {
                self.language = self.unlocated_language();
            }
            let node = self.rich(&value, attributes, tag);
            self.language = language;
            node
        };
        if node != NIL && matches!(tag, Tag::Linkable(_)) {
            self.tree.set_source(node, &value);
        }
        node != NIL
    }

    /// The language of a text that does not follow the locale, if the item names none.
    pub(super) fn unlocated_language(&self) -> Language {
        let item = self.context.item;
        let named = item
            .text(TextVar::Language)
            .or(item.text(TextVar::Jurisdiction));
        if named.is_some() {
            self.language
        } else {
            Language::ENGLISH
        }
    }

    /// The value of a text variable, in its short form if there is one.
    fn text_value(&self, variable: TextVar, short: bool) -> Option<Cow<'a, str>> {
        let item = self.context.item;
        let brief = match variable {
            TextVar::Title if short => item.text(TextVar::TitleShort),
            TextVar::ContainerTitle if short => item.text(TextVar::ContainerTitleShort),
            _ => None,
        };
        let value = brief.or_else(|| item.text(variable))?;
        Some(match variable {
            TextVar::Url if short => site(value).into(),
            _ => value.into(),
        })
    }

    pub(super) fn year_suffix(&mut self, attributes: &RenderingAttributes) -> bool {
        let Some(number) = self.context.hints.year_suffix else {
            return false;
        };
        if self.context.sort.is_some() {
            return false;
        }
        self.year_suffix_placed = true;
        let node = self
            .tree
            .text(&letters(number), attributes, Tag::YearSuffix);
        if node != NIL {
            self.tree.node_mut(node).number = number;
        }
        true
    }

    fn citation_label(&mut self, attributes: &'a RenderingAttributes) -> bool {
        let mut label = match self.context.item.text(TextVar::CitationLabel) {
            Some(label) => label.to_owned(),
            None => self.context.item.trigraph(),
        };
        if let Some(suffix) = self.context.hints.year_suffix {
            label.push_str(&letters(suffix));
        }
        self.tree.text(&label, attributes, Tag::CitationLabel) != NIL
    }

    fn number_text(&mut self, variable: NumberVar, attributes: &'a RenderingAttributes) -> bool {
        match variable {
            // A citation number would make every cite unique.
            NumberVar::CitationNumber if self.context.bare => true,
            NumberVar::CitationNumber => {
                let number = self.context.citation_number;
                let node = self
                    .tree
                    .text(&number.to_string(), attributes, Tag::CitationNumber);
                if node != NIL {
                    self.tree.node_mut(node).number = number;
                }
                true
            }
            _ => {
                let Some(value) = self.context.number(variable) else {
                    return false;
                };
                if is_taken_apart(variable) {
                    self.numeric(&value, variable, NumberForm::Numeric, attributes)
                } else {
                    self.rich(&value.replace('\\', ""), attributes, Tag::None) != NIL
                }
            }
        }
    }
}

/// Whether `cs:text` parses the value of a variable into numbers; it shows other values unchanged.
fn is_taken_apart(variable: NumberVar) -> bool {
    !matches!(
        variable,
        NumberVar::PartNumber
            | NumberVar::PrintingNumber
            | NumberVar::Section
            | NumberVar::SupplementNumber
            | NumberVar::Version
    )
}

/// Whether a variable belongs to the cite rather than to the item.
fn names_the_cite(variable: Variable) -> bool {
    matches!(
        variable,
        Variable::Number(NumberVar::Locator | NumberVar::CitationNumber)
            | Variable::Text(TextVar::YearSuffix | TextVar::CitationLabel)
    )
}

/// Whether a variable's text follows the locale if the item names no language.
fn is_located(variable: TextVar) -> bool {
    matches!(
        variable,
        TextVar::Title
            | TextVar::TitleShort
            | TextVar::ContainerTitle
            | TextVar::ContainerTitleShort
            | TextVar::CollectionTitle
            | TextVar::Event
            | TextVar::Publisher
            | TextVar::PublisherPlace
            | TextVar::EventPlace
            | TextVar::Authority
            | TextVar::Genre
            | TextVar::Medium
            | TextVar::Jurisdiction
            | TextVar::Archive
            | TextVar::ArchivePlace
    )
}

/// The short form of an address: the site, without the scheme if `www.` identifies it as an address.
fn site(url: &str) -> &str {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url;
    };
    let host = rest.split('/').next().unwrap_or(rest);
    if host.starts_with("www.") {
        host
    } else {
        url.get(..scheme.len() + "://".len() + host.len())
            .unwrap_or(url)
    }
}

impl Eval<'_, '_> {
    /// Adds a cite's own prefix or suffix.
    pub fn cite_affix(&mut self, text: &str, attributes: &RenderingAttributes, tag: Tag) {
        let node = self.rich(text, attributes, tag);
        if tag == Tag::CitePrefix && node != NIL {
            self.prefix_nodes = self.tree.nodes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_form_of_an_address_is_its_site() {
        let check = |url, expected| assert_eq!(site(url), expected);
        check("https://www.oak.org/a/b.html", "www.oak.org");
        check("https://oak.org/a/", "https://oak.org");
        check("https://oak.org", "https://oak.org");
        check("oak", "oak");
    }
}
