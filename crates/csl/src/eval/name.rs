//! One name: its parts and their order (specification, «Name-part order»).

use std::sync::LazyLock;

use super::Eval;
use super::initials::initials;
use crate::hints::GivenLevel;
use crate::item::{PersonName, Script, without_article};
use crate::locale::lang;
use crate::node::{NIL, Node, NodeId, Tag};
use crate::style::names::*;
use crate::style::*;

static PLAIN: LazyLock<RenderingAttributes> = LazyLock::new(RenderingAttributes::default);

/// How the names of a list are shown.
#[derive(Clone, Copy)]
pub struct NameStyle<'a> {
    pub form: NameForm,
    pub initialize: bool,
    pub initialize_with: Option<&'a str>,
    pub as_sort_order: Option<NameAsSortOrder>,
    pub sort_separator: &'a str,
    pub family: Option<&'a NamePart>,
    pub given: Option<&'a NamePart>,
    /// Whether the name is for a sort key.
    pub for_sort: bool,
}

impl NameStyle<'_> {
    fn comes_inverted(&self, position: usize) -> bool {
        match self.as_sort_order {
            Some(NameAsSortOrder::All) => true,
            Some(NameAsSortOrder::First) => position == 0,
            None => false,
        }
    }

    /// Whether `name-as-sort-order` inverts the name at a position.
    pub(super) fn inverts(&self, name: &PersonName, position: usize) -> bool {
        self.comes_inverted(position)
            && name.literal.is_none()
            && name.script == Script::Romanesque
            && !name.static_ordering
    }
}

impl<'a> Eval<'a, '_> {
    /// Adds one name to the current level. `position` is zero-based.
    pub(super) fn name(
        &mut self,
        name: &PersonName,
        position: usize,
        style: &NameStyle<'a>,
        level: GivenLevel,
        attributes: &RenderingAttributes,
    ) -> NodeId {
        let node = match &name.literal {
            Some(_) => self.open_institution(attributes, style.family),
            None => self.tree.open(attributes, "", Tag::Name),
        };
        match &name.literal {
            Some(literal) => {
                let case = style.family.map_or(TextCase::None, |part| part.case);
                let case = if case == TextCase::None {
                    attributes.case
                } else {
                    case
                };
                let text = if style.for_sort {
                    without_article(literal)
                } else {
                    literal
                };
                self.dressed(text, None, case);
            }
            None => self.person(name, position, style, level),
        }
        self.tree.close_to(node);
        self.tree.close();
        self.tree.node_mut(node).number = position as u32;
        if !self.tree.has_children(node) {
            self.tree.detach(node);
            return NIL;
        }
        node
    }

    /// Institutions take the formatting of `cs:name` and of its part for family names, but not the
    /// affixes, which are for persons.
    fn open_institution(
        &mut self,
        attributes: &RenderingAttributes,
        family: Option<&NamePart>,
    ) -> NodeId {
        let part = family.map_or(Formatting::default(), |part| part.formatting);
        self.tree.open_node(Node {
            formatting: attributes.formatting.merged(part),
            tag: Tag::Name,
            ..Node::default()
        })
    }

    fn person(
        &mut self,
        name: &PersonName,
        position: usize,
        style: &NameStyle<'a>,
        level: GivenLevel,
    ) {
        self.tree.spend((name.given.len() + name.family.len()) / 32);
        let long = style.form == NameForm::Long || level != GivenLevel::AsStyled;
        let given = if long {
            self.given_text(name, style, level)
        } else {
            String::new()
        };
        let inverted = style.comes_inverted(position);
        if name.family.is_empty() {
            // A single part is the name by which a person is known, so it is formatted as a family name.
            let only = if name.given.is_empty() {
                &name.suffix
            } else {
                &name.given
            };
            self.word(only, style.family);
        } else if name.script == Script::Other {
            self.word(&name.non_dropping, style.family);
            self.word(&name.family, style.family);
            self.word(&given, style.given);
        } else if !long && (style.for_sort || inverted) && self.demotes(style) {
            self.family(style, &["", "", &name.family]);
            if !name.non_dropping.is_empty() {
                self.tree.plain(style.sort_separator);
                self.word(&name.non_dropping, style.family);
            }
        } else if !long {
            self.family(style, &["", &name.non_dropping, &name.family]);
        } else if name.static_ordering {
            // Affixes of the family name, such as a comma, apply to inverted names only.
            self.open_part(None);
            self.particles(style, &["", &name.non_dropping, &name.family]);
            self.tree.close();
            for part in [&given, &*name.dropping, &*name.suffix] {
                self.blank(!part.is_empty());
                self.word(part, style.given);
            }
        } else if inverted {
            self.inverted(name, &given, style);
        } else {
            let shortened = style.initialize_with.is_some() && level != GivenLevel::Full;
            self.straight(name, &given, style, shortened);
        }
    }

    fn given_text(&self, name: &PersonName, style: &NameStyle<'a>, level: GivenLevel) -> String {
        let hyphen = self.style().options.initialize_with_hyphen;
        match style.initialize_with {
            Some(_) if name.script == Script::Other || level == GivenLevel::Full => {
                name.given.to_string()
            }
            Some(with) => initials(&name.given, with, hyphen, !style.initialize),
            // Rules that require initials use bare ones if the style does not set `initialize-with`.
            None if level == GivenLevel::Initials && self.wants_initials() => {
                initials(&name.given, "", hyphen, false)
            }
            None => name.given.to_string(),
        }
    }

    fn wants_initials(&self) -> bool {
        matches!(
            self.style().citation.givenname_rule,
            GivennameRule::AllNamesWithInitials | GivennameRule::PrimaryNameWithInitials
        )
    }

    /// Given name first: `Ludwig van Beethoven Jr.`
    fn straight(&mut self, name: &PersonName, given: &str, style: &NameStyle<'a>, shortened: bool) {
        let first = self.open_part(style.given);
        self.word(given, style.given);
        self.tree.close();
        // If no blank separates the initials, none separates them from the name.
        let close = shortened
            && style
                .initialize_with
                .is_some_and(|with| with.contains(['\u{a0}', '\u{feff}']));
        let blank = if close { self.particle_blank() } else { " " };
        // A style may provide its own blank between the two.
        let own = style
            .given
            .is_some_and(|part| part.suffix.ends_with(char::is_whitespace));
        if !given.is_empty() && !own {
            self.tree.add_suffix(first, blank);
        }
        self.open_part(style.family);
        let whole = self.tree.open_node(Node::default());
        self.particles(style, &[&name.dropping, &name.non_dropping, &name.family]);
        self.tree.close();
        if !name.suffix.is_empty() {
            let comma = if name.comma_suffix { ", " } else { " " };
            self.tree.add_suffix(whole, comma);
            self.suffix(name, style);
        }
        self.tree.close();
    }

    /// Family name first: `Beethoven, Ludwig van, Jr.`
    fn inverted(&mut self, name: &PersonName, given: &str, style: &NameStyle<'a>) {
        let demoted = self.demotes(style);
        let (before, behind) = if demoted {
            ("", &*name.non_dropping)
        } else {
            (&*name.non_dropping, "")
        };
        // In sort keys a dropping particle precedes the given name (specification, «Name-part Order»). If
        // the non-dropping particle follows the given name, both do, as in citeproc-js.
        let (close, apart) = if style.for_sort && !demoted {
            (&*name.dropping, "")
        } else {
            ("", &*name.dropping)
        };
        let both = self.tree.open_node(Node::default());
        let family = self.family(style, &["", before, &name.family]);
        if !close.is_empty() {
            self.tree.add_suffix(family, " ");
            self.word(close, style.given);
        }
        if !(given.is_empty() && apart.is_empty() && behind.is_empty()) {
            // The part's own suffix may already end in a blank.
            let separator = match style.family {
                Some(part) if part.suffix.ends_with(' ') => {
                    let separator = style.sort_separator;
                    separator.strip_prefix(' ').unwrap_or(separator)
                }
                _ => style.sort_separator,
            };
            if close.is_empty() {
                self.tree.add_suffix(family, separator);
            } else {
                self.tree.plain(separator);
            }
            self.open_part(style.given);
            self.word(given, style.given);
            self.blank(!given.is_empty() && !apart.is_empty());
            self.word(apart, style.given);
            let before = !given.is_empty() || !apart.is_empty();
            self.blank(before && !behind.is_empty());
            self.word(behind, style.family);
            self.tree.close();
        }
        self.tree.close_to(both);
        self.tree.close();
        if !name.suffix.is_empty() {
            self.tree.add_suffix(both, style.sort_separator);
            self.suffix(name, style);
        }
    }

    /// Whether a non-dropping particle follows the given name.
    fn demotes(&self, style: &NameStyle<'a>) -> bool {
        match self.style().options.demote_particle {
            DemoteParticle::DisplayAndSort => true,
            DemoteParticle::SortOnly => style.for_sort,
            DemoteParticle::Never => false,
        }
    }

    /// If the style's initials have no periods, the suffix has none either.
    fn suffix(&mut self, name: &PersonName, style: &NameStyle<'a>) {
        match style.initialize_with {
            Some(with) if !with.contains('.') => self.word(&name.suffix.replace('.', ""), None),
            _ => self.word(&name.suffix, None),
        }
    }

    /// The family name with its particles, inside the part's affixes.
    fn family(&mut self, style: &NameStyle<'a>, parts: &[&str; 3]) -> NodeId {
        let level = self.open_part(style.family);
        self.particles(style, parts);
        self.tree.close();
        level
    }

    /// Dropping particle, non-dropping particle and family name, separated by blanks except after
    /// particles that end in an apostrophe or a hyphen.
    fn particles(&mut self, style: &NameStyle<'a>, parts: &[&str; 3]) {
        let mut before = "";
        for (at, part) in parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.is_empty())
        {
            let joined = !style.for_sort && before.ends_with(['’', '\'', 'ʼ', '-', '‘', '־']);
            if !before.is_empty() && !joined {
                self.tree.plain(self.particle_blank());
            }
            match at {
                0 => self.word(part, style.given),
                _ => self.word(part, style.family),
            }
            before = part;
        }
    }

    /// In French and similar languages, a particle must not end a line.
    fn particle_blank(&self) -> &'static str {
        match lang::language(&self.context.compiled.locale.lang) {
            "fr" | "ru" | "cs" => "\u{a0}",
            _ => " ",
        }
    }

    fn blank(&mut self, needed: bool) {
        if needed {
            self.tree.plain(" ");
        }
    }

    /// Opens a level with the affixes of a name part.
    fn open_part(&mut self, part: Option<&NamePart>) -> NodeId {
        let (prefix, suffix) = part.map_or(("", ""), |part| (&*part.prefix, &*part.suffix));
        let node = Node {
            prefix: self.tree.span(prefix),
            suffix: self.tree.span(suffix),
            ..Node::default()
        };
        self.tree.open_node(node)
    }

    fn word(&mut self, text: &str, part: Option<&NamePart>) {
        self.dressed(text, part, part.map_or(TextCase::None, |part| part.case));
    }

    fn dressed(&mut self, text: &str, part: Option<&NamePart>, case: TextCase) {
        let formatting = part.map_or(Formatting::default(), |part| part.formatting);
        match formatting {
            formatting if !formatting.is_plain() || case != TextCase::None => {
                let attributes = RenderingAttributes {
                    formatting,
                    case,
                    ..RenderingAttributes::default()
                };
                self.rich(text, &attributes, Tag::None);
            }
            _ => {
                self.rich(text, &PLAIN, Tag::None);
            }
        }
    }
}
