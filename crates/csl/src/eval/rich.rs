//! Converts a field's text to nodes: text case, markup and quotation marks.

use std::borrow::Cow;
use std::ops::Range;

use super::Eval;
use crate::node::{NIL, Node, NodeId, Quote, Tag};
use crate::style::*;
use crate::text::case::{Language, Recase, recase};
use crate::text::has_pair;
use crate::text::markup::{self, Markup, Piece};
use citation_model::variable::TextVar;

/// Bytes of a field parsed or recased per step of the budget.
const BYTES_PER_STEP: usize = 2;

impl Eval<'_, '_> {
    /// Adds a field's text with an element's attributes. Returns the node, or [`NIL`] if the text is
    /// empty.
    pub(super) fn rich(
        &mut self,
        text: &str,
        attributes: &RenderingAttributes,
        tag: Tag,
    ) -> NodeId {
        self.tree.spend(text.len() / 16);
        let stripped = self.stripped(text, attributes);
        let text = &*stripped;
        if text.is_empty() {
            return NIL;
        }
        // Leading punctuation merges with preceding text, like that of a prefix.
        let lead = if attributes.case == TextCase::None {
            leading_marks(text)
        } else {
            0
        };
        if lead > 0 {
            let (marks, rest) = text.split_at(lead);
            let node = self.rich(rest, attributes, tag);
            self.tree.extend_prefix(node, marks);
            return node;
        }
        let spaced;
        let text = if has_open_marks(text) {
            spaced = narrowed(text);
            &spaced
        } else {
            text
        };
        if markup::is_plain(text) {
            return self.recased(text, attributes, tag);
        }
        self.tree.spend(text.len() / BYTES_PER_STEP);
        let pieces = markup::parse(text, &self.context.compiled.marks);
        // A text with an apostrophe is a level, like one with quotation marks, so that punctuation of a
        // suffix moves inside (`What’s new?` and a full stop).
        if let [Piece::Text(piece)] = pieces.as_slice()
            && !markup::has_marks(text, &self.context.compiled.marks)
        {
            return self.recased(piece, attributes, tag);
        }
        let pieces = if attributes.case == TextCase::None {
            pieces
        } else {
            self.tree.spend(text.len() / BYTES_PER_STEP);
            recase_pieces(&pieces, attributes.case, self.language)
        };
        let level = self.tree.open(attributes, "", tag);
        self.pieces(&pieces);
        self.tree.close_to(level);
        self.tree.close();
        level
    }

    /// Adds a text without parsing markup.
    pub(super) fn verbatim(
        &mut self,
        text: &str,
        attributes: &RenderingAttributes,
        tag: Tag,
    ) -> NodeId {
        let stripped = self.stripped(text, attributes);
        self.recased(&stripped, attributes, tag)
    }

    fn recased(&mut self, text: &str, attributes: &RenderingAttributes, tag: Tag) -> NodeId {
        if attributes.case == TextCase::None {
            return self.tree.text(text, attributes, tag);
        }
        self.tree.spend(text.len() / BYTES_PER_STEP);
        let text = recase(text, attributes.case, self.language);
        self.tree.text(&text, attributes, tag)
    }

    fn stripped<'t>(&self, text: &'t str, attributes: &RenderingAttributes) -> Cow<'t, str> {
        if self.strips_periods > 0 && text.contains('.') {
            without_periods(text).into()
        } else if attributes.strip_periods && text.contains('.') {
            without_stops(text).into()
        } else {
            text.into()
        }
    }

    /// Terms have the locale's language. A style's title case applies to them in every language, except
    /// for items of a jurisdiction, as with their titles.
    pub(super) fn term_language(&self) -> Language {
        let mut language = self.context.compiled.language;
        language.takes_title_case = self.context.item.text(TextVar::Jurisdiction).is_none();
        language
    }

    /// Adds a term in the locale's language.
    pub(super) fn rich_term(&mut self, text: &str, attributes: &RenderingAttributes) -> NodeId {
        let own = self.term_language();
        // English stop words are meaningless in a language with its own alphabet.
        let titled;
        let attributes = if own.is_turkic() && attributes.case == TextCase::Title {
            titled = RenderingAttributes {
                case: TextCase::CapitalizeAll,
                ..attributes.clone()
            };
            &titled
        } else {
            attributes
        };
        let language = std::mem::replace(&mut self.language, own);
        let stripped;
        let text = if self.strips_periods > 0 {
            stripped = text.replace('.', "");
            &stripped
        } else {
            text
        };
        let node = self.rich(text, attributes, Tag::None);
        self.language = language;
        node
    }

    /// Adds pieces to the current level.
    pub(super) fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    self.tree.plain(text);
                }
                Piece::Open(Markup::NoCase) | Piece::Close(Markup::NoCase) => {}
                Piece::Open(markup) => {
                    self.tree.open_node(markup_node(*markup));
                }
                Piece::Close(_) => self.tree.close(),
            }
        }
    }
}

/// Removes the periods of abbreviations. A period before a lowercase letter is part of a name.
fn without_periods(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '.' && next.is_ascii_digit() && ends_in_digit(&out) => out.push(c),
            Some(next) if c == '.' && !next.is_ascii_lowercase() => {
                out.extend(chars.next());
            }
            None if c == '.' => {}
            _ => out.push(c),
        }
    }
    out
}

/// Removes periods, except between digits: 4.2 is not 42.
fn without_stops(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_digit = |c: &char| c.is_ascii_digit();
        let between = ends_in_digit(&out) && chars.peek().is_some_and(is_digit);
        if c != '.' || between {
            out.push(c);
        }
    }
    out
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

/// The length of leading punctuation, if other text follows.
fn leading_marks(text: &str) -> usize {
    let is_mark = |c: char| matches!(c, ':' | '.' | ';' | '!' | '?');
    if !text.starts_with(is_mark) {
        return 0;
    }
    let rest = text.trim_start_matches(|c| is_mark(c) || c == ' ');
    if rest.is_empty() {
        0
    } else {
        text.len() - rest.len()
    }
}

/// French puts a space before high marks; it is non-breaking in every locale (see
/// punctuation_FrenchOrthography).
const HIGH_MARKS: [char; 5] = [':', ';', '?', '!', '»'];

/// Whether a blank may be a French one before or after a mark; checks `«` and `»` by their bytes.
fn has_open_marks(text: &str) -> bool {
    has_pair(text, |first, second| {
        matches!(
            (first, second),
            (b' ', b':' | b';' | b'?' | b'!' | 0xC2) | (0xAB, b' ')
        )
    })
}

/// Narrows the blank of a mark, unless another blank stands beside it: of two, the first does not break.
fn narrowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let is_narrow = c == ' '
            && (before == Some('«') && next != Some(' ')
                || before != Some(' ') && next.is_some_and(|next| HIGH_MARKS.contains(&next)));
        out.push(if is_narrow { '\u{202f}' } else { c });
        before = Some(c);
    }
    out
}

fn markup_node(markup: Markup) -> Node {
    let mut node = Node {
        is_markup: true,
        ..Node::default()
    };
    let formatting = &mut node.formatting;
    match markup {
        Markup::Italic => formatting.font_style = Some(FontStyle::Italic),
        Markup::Bold => formatting.font_weight = Some(FontWeight::Bold),
        Markup::SmallCaps => formatting.font_variant = Some(FontVariant::SmallCaps),
        Markup::Sup => formatting.vertical_align = Some(VerticalAlign::Sup),
        Markup::Sub => formatting.vertical_align = Some(VerticalAlign::Sub),
        Markup::Quote => node.quote = Quote::Field,
        Markup::InnerQuote => node.quote = Quote::Inner,
        Markup::NoDecor => node.no_decor = true,
        Markup::NoCase => {}
    }
    node
}

/// Recases the text as a whole, so that words are seen in context across tags.
fn recase_pieces<'p>(pieces: &[Piece<'p>], case: TextCase, language: Language) -> Vec<Piece<'p>> {
    let mut whole = String::new();
    let mut boundaries = Vec::new();
    let mut protected: Vec<Range<usize>> = Vec::new();
    let mut open: Vec<(Markup, usize)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                whole.push_str(text);
                boundaries.push(whole.len());
            }
            Piece::Open(markup) => {
                open.push((*markup, whole.len()));
            }
            Piece::Close(_) => {
                if let Some((markup, start)) = open.pop()
                    && keeps_case(markup)
                {
                    protected.push(start..whole.len());
                }
            }
        }
    }
    protected.sort_by_key(|range| range.start);
    protected.dedup_by(|inner, outer| {
        let lies_in = inner.start < outer.end;
        outer.end = outer.end.max(if lies_in { inner.end } else { 0 });
        lies_in
    });
    let changed = Recase {
        text: &whole,
        protected: &protected,
        boundaries: &mut boundaries,
    }
    .apply(case, language);
    let mut from = 0;
    let mut ends = boundaries.into_iter();
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(_) => {
                let to = ends.next().unwrap_or(changed.len());
                let text = changed.get(from..to).unwrap_or_default().to_owned();
                from = to;
                Piece::Text(text.into())
            }
            other => other.clone(),
        })
        .collect()
}

/// Whether text in this markup keeps its case.
fn keeps_case(markup: Markup) -> bool {
    matches!(
        markup,
        Markup::NoCase | Markup::NoDecor | Markup::Sup | Markup::Sub | Markup::SmallCaps
    )
}
