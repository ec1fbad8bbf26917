//! One name: which parts in which order (specification, «Name-part order»).

use super::Eval;
use super::initials::initials;
use crate::csl::hints::GivenLevel;
use crate::csl::item::{PersonName, Script};
use crate::csl::node::{NIL, Node, Span, Tag};
use crate::csl::style::names::*;
use crate::csl::style::*;

/// How the names of a list are to be shown.
#[derive(Clone, Copy)]
pub struct NameStyle<'a> {
    pub form: NameForm,
    pub initialize: bool,
    pub initialize_with: Option<&'a str>,
    pub as_sort_order: Option<NameAsSortOrder>,
    pub sort_separator: &'a str,
    pub family: Option<&'a NamePart>,
    pub given: Option<&'a NamePart>,
    /// For sort keys.
    pub for_sort: bool,
}

/// A part on its way into the tree.
#[derive(Clone, Copy)]
enum Piece<'p> {
    Family(&'p str),
    Given(&'p str),
    Particle(&'p str, bool),
    Suffix(&'p str),
    Mark(&'p str),
}

impl<'a> Eval<'a, '_> {
    /// Adds one name to the current level. `position` counts from 0.
    pub(super) fn name(
        &mut self,
        name: &PersonName,
        position: usize,
        style: &NameStyle<'a>,
        level: GivenLevel,
    ) {
        let node = self.tree.open_node(Node {
            tag: Tag::Name,
            ..Node::default()
        });
        match &name.literal {
            Some(literal) => self.literal_name(literal, style),
            None => self.person(name, position, style, level),
        }
        self.tree.close_to(node);
        self.tree.close();
        if !self.tree.has_children(node) {
            self.tree.detach(node);
        }
    }

    fn literal_name(&mut self, literal: &str, style: &NameStyle<'a>) {
        let look = part_look(style.family);
        self.rich_part(literal, look.as_ref(), TextCase::None);
    }

    fn person(
        &mut self,
        name: &PersonName,
        position: usize,
        style: &NameStyle<'a>,
        level: GivenLevel,
    ) {
        let given = self.given_text(name, style, level);
        let given = given.as_str();
        let long = style.form == NameForm::Long || level != GivenLevel::AsStyled;
        let demote = self.style().options.demote_particle;
        let inverted = match style.as_sort_order {
            Some(NameAsSortOrder::All) => true,
            Some(NameAsSortOrder::First) => position == 0,
            None => false,
        };
        if name.script == Script::Other {
            self.part_list(&[
                Piece::Particle(&name.non_dropping, false),
                Piece::Family(&name.family),
                Piece::Given(if long { given } else { "" }),
            ], style);
            return;
        }
        if !long {
            self.family_with_particle(name, style);
            return;
        }
        if name.static_ordering || name.script == Script::Mixed && false {
            self.family_with_particle(name, style);
            self.separated(" ", !name.family.is_empty() && !given.is_empty());
            self.part_list(&[Piece::Given(given)], style);
            return;
        }
        if inverted {
            self.inverted(name, given, style, demote);
        } else {
            self.straight(name, given, style);
        }
    }

    fn given_text(&self, name: &PersonName, style: &NameStyle<'a>, level: GivenLevel) -> String {
        if name.script == Script::Other {
            return name.given.to_string();
        }
        let hyphen = self.style().options.initialize_with_hyphen;
        match style.initialize_with {
            Some(with) if style.initialize && level != GivenLevel::Full => {
                initials(&name.given, with, hyphen, false)
            }
            Some(with) => initials(&name.given, with, hyphen, true),
            None => name.given.to_string(),
        }
    }

    /// Given name first: `Ludwig van Beethoven Jr.`
    fn straight(&mut self, name: &PersonName, given: &str, style: &NameStyle<'a>) {
        let before = self.tree.mark();
        let _ = before;
        self.part_list(&[Piece::Given(given)], style);
        let has_given = !given.is_empty();
        let family = [&*name.dropping, &*name.non_dropping, &*name.family];
        let any_family = family.iter().any(|part| !part.is_empty());
        self.separated(" ", has_given && any_family);
        self.family_parts(&name.dropping, &name.non_dropping, &name.family, style);
        if !name.suffix.is_empty() {
            let separator = if name.comma_suffix { ", " } else { " " };
            self.separated(separator, has_given || any_family);
            self.part_list(&[Piece::Suffix(&name.suffix)], style);
        }
    }

    /// Family name first: `Beethoven, Ludwig van, Jr.`
    fn inverted(
        &mut self,
        name: &PersonName,
        given: &str,
        style: &NameStyle<'a>,
        demote: DemoteParticle,
    ) {
        let separator = style.sort_separator;
        let demoted = demote == DemoteParticle::DisplayAndSort
            || style.for_sort && demote == DemoteParticle::SortOnly;
        if demoted {
            self.part_list(&[Piece::Family(&name.family)], style);
        } else {
            self.family_parts("", &name.non_dropping, &name.family, style);
        }
        let behind = if demoted { &*name.non_dropping } else { "" };
        let tail: Vec<Piece> = [
            Piece::Given(given),
            Piece::Particle(&name.dropping, true),
            Piece::Particle(behind, false),
        ]
        .into_iter()
        .filter(|piece| !piece.text().is_empty())
        .collect();
        if !tail.is_empty() {
            self.separated(separator, !name.family.is_empty());
            for (at, piece) in tail.iter().enumerate() {
                self.separated(" ", at > 0);
                self.part_list(&[*piece], style);
            }
        }
        if !name.suffix.is_empty() {
            self.separated(separator, true);
            self.part_list(&[Piece::Suffix(&name.suffix)], style);
        }
    }

    fn family_with_particle(&mut self, name: &PersonName, style: &NameStyle<'a>) {
        self.family_parts("", &name.non_dropping, &name.family, style);
    }

    /// Particles and family name, parted by blanks but for particles that end in an apostrophe
    /// or a hyphen.
    fn family_parts(
        &mut self,
        dropping: &str,
        non_dropping: &str,
        family: &str,
        style: &NameStyle<'a>,
    ) {
        let mut before = "";
        for piece in [
            Piece::Particle(dropping, true),
            Piece::Particle(non_dropping, false),
            Piece::Family(family),
        ] {
            if piece.text().is_empty() {
                continue;
            }
            let joined = before.ends_with(['’', '\'', 'ʼ', '-', '‘', '־']);
            self.separated(" ", !before.is_empty() && !joined);
            self.part_list(&[piece], style);
            before = piece.text();
        }
    }

    fn separated(&mut self, separator: &str, needed: bool) {
        if needed {
            self.tree.plain(separator);
        }
    }

    fn part_list(&mut self, pieces: &[Piece], style: &NameStyle<'a>) {
        for piece in pieces {
            let part = match piece {
                Piece::Family(_) => style.family,
                Piece::Given(_) => style.given,
                // A particle that stays is dressed like the family name, one that drops like
                // the given name.
                Piece::Particle(_, drops) => {
                    if *drops { style.given } else { style.family }
                }
                Piece::Suffix(_) | Piece::Mark(_) => None,
            };
            let mut look = part_look(part);
            if let (Piece::Particle(..), Some(look)) = (piece, look.as_mut()) {
                look.prefix = "".into();
                look.suffix = "".into();
            }
            let case = look.as_ref().map_or(TextCase::None, |look| look.case);
            self.rich_part(piece.text(), look.as_ref(), case);
        }
    }

    fn rich_part(&mut self, text: &str, look: Option<&Look>, _case: TextCase) {
        static PLAIN: std::sync::LazyLock<Look> = std::sync::LazyLock::new(Look::default);
        self.rich(text, look.unwrap_or(&PLAIN), Tag::None);
    }
}

impl<'p> Piece<'p> {
    fn text(self) -> &'p str {
        match self {
            Piece::Family(text)
            | Piece::Given(text)
            | Piece::Particle(text, _)
            | Piece::Suffix(text)
            | Piece::Mark(text) => text,
        }
    }
}

fn part_look(part: Option<&NamePart>) -> Option<Look> {
    part.map(|part| Look {
        formatting: part.formatting,
        prefix: part.prefix.clone(),
        suffix: part.suffix.clone(),
        case: part.case,
        ..Look::default()
    })
}

#[allow(unused_imports)]
use {NIL as _, Span as _};
