//! Text of a field → nodes: letter case, markup and quotation marks.

use std::ops::Range;

use super::Eval;
use crate::csl::node::{NIL, Node, NodeId, Quote, Tag};
use crate::csl::style::*;
use crate::csl::text::case::{Recase, recase};
use crate::csl::text::markup::{self, Markup, Piece};

impl Eval<'_, '_> {
    /// Adds the text of a field with an element's look. Returns the node, or [`NIL`] where the
    /// text is empty.
    pub(super) fn rich(&mut self, text: &str, look: &Look, tag: Tag) -> NodeId {
        let stripped;
        let text = if look.strip_periods {
            stripped = text.replace('.', "");
            &stripped
        } else {
            text
        };
        if text.is_empty() {
            return NIL;
        }
        if markup::is_plain(text) {
            if look.case == TextCase::None {
                return self.tree.text(text, look, tag);
            }
            let text = recase(text, look.case, self.english);
            return self.tree.text(&text, look, tag);
        }
        let pieces = markup::parse(text);
        if let [Piece::Text(text)] = pieces.as_slice() {
            if look.case == TextCase::None {
                return self.tree.text(text, look, tag);
            }
            let text = recase(text, look.case, self.english);
            return self.tree.text(&text, look, tag);
        }
        let pieces = if look.case == TextCase::None {
            pieces
        } else {
            recase_pieces(&pieces, look.case, self.english)
        };
        let level = self.tree.open(look, "", tag);
        self.pieces(&pieces);
        self.tree.close_to(level);
        self.tree.close();
        level
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
        Markup::NoDecor => node.no_decor = true,
        Markup::NoCase => {}
    }
    node
}

/// Changes the case of the text as a whole, so that a word knows its neighbours across tags.
fn recase_pieces<'p>(pieces: &[Piece<'p>], case: TextCase, english: bool) -> Vec<Piece<'p>> {
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
                if *markup == Markup::Quote {
                    // The mark itself counts as one when words are told apart.
                }
            }
            Piece::Close(_) => {
                if let Some((markup, start)) = open.pop()
                    && matches!(markup, Markup::NoCase | Markup::Sup | Markup::Sub | Markup::SmallCaps | Markup::NoDecor)
                {
                    let keeps = matches!(case, TextCase::Title | TextCase::Sentence | TextCase::CapitalizeAll | TextCase::CapitalizeFirst | TextCase::Lowercase | TextCase::Uppercase);
                    if keeps && (markup == Markup::NoCase || case == TextCase::Title || case == TextCase::Sentence) {
                        protected.push(start..whole.len());
                    }
                }
            }
        }
    }
    protected.sort_by_key(|range| range.start);
    let changed = Recase {
        text: &whole,
        protected: &protected,
        boundaries: &mut boundaries,
    }
    .apply(case, english);
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
