//! Rendered text and its writers. A rendering is evaluated once and can be written in any number of
//! formats.

pub mod html;
pub mod other;
pub mod plain;

use super::locale::MergedLocale;
use super::locale::term::{TermForm, TermId};
use super::node::{NIL, Node, NodeId, Quote, Span, Tag, Tree};
use super::style::*;
use super::text;
use citation_model::variable::TextVar;

/// The suite's notation for a citation of which the style shows nothing.
pub(crate) const EMPTY_CITATION: &str = "[NO_PRINTED_FORM]";
/// The suite's notation for an item of which the style shows nothing.
pub(crate) const NO_PRINTED_FORM: &str = "[CSL STYLE ERROR: reference with no printed form.]";

/// Text with marks where formatting starts and ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rich {
    pub(crate) text: String,
    /// In the order of application; byte offsets never decrease.
    pub(crate) marks: Vec<(u32, Mark)>,
    pub(crate) links: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Open(Shape),
    Close(Shape),
    /// An index into the links.
    OpenLink(u32),
    CloseLink,
}

/// A part of a rendering. Opening parts are closed in reverse order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'r> {
    Text(&'r str),
    Open(Shape),
    Close(Shape),
    /// With the address of the link.
    OpenLink(&'r str),
    CloseLink,
}

/// A formatting that writers support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Italic,
    Oblique,
    /// Upright within italics; the other `Normal` shapes likewise undo a formatting.
    NormalStyle,
    SmallCaps,
    NormalVariant,
    Bold,
    Light,
    NormalWeight,
    Underline,
    NoDecoration,
    Sup,
    Sub,
    Baseline,
    /// A separate line.
    Block,
    /// The first field, if the second is aligned.
    LeftMargin,
    /// The text next to the first field.
    RightInline,
    Indent,
}

impl Shape {
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Shape::Block | Shape::LeftMargin | Shape::RightInline | Shape::Indent
        )
    }
}

impl From<Display> for Shape {
    fn from(display: Display) -> Shape {
        match display {
            Display::Block => Shape::Block,
            Display::LeftMargin => Shape::LeftMargin,
            Display::RightInline => Shape::RightInline,
            Display::Indent => Shape::Indent,
        }
    }
}

impl Rich {
    pub fn plain(text: &str) -> Rich {
        Rich {
            text: text.to_owned(),
            ..Rich::default()
        }
    }

    /// Text and formatting in order, for writing another format.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut from = 0;
        let mut marked: Vec<Part<'_>> = Vec::with_capacity(self.marks.len() * 2 + 1);
        let text = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        for (at, mark) in &self.marks {
            let at = *at as usize;
            marked.push(Part::Text(text(from, at)));
            from = at;
            marked.push(match *mark {
                Mark::Open(shape) => Part::Open(shape),
                Mark::Close(shape) => Part::Close(shape),
                Mark::OpenLink(link) => {
                    let target = self.links.get(link as usize);
                    Part::OpenLink(target.map_or("", String::as_str))
                }
                Mark::CloseLink => Part::CloseLink,
            });
        }
        marked.push(Part::Text(text(from, self.text.len())));
        marked
            .into_iter()
            .filter(|part| !matches!(part, Part::Text("")))
    }

    /// Turns the text between two byte offsets into a link.
    pub(crate) fn link(&mut self, from: usize, to: usize, target: String) {
        let number = self.links.len() as u32;
        self.links.push(target);
        // Outside marks at the same offsets.
        let first = self.marks.partition_point(|(at, _)| (*at as usize) < from);
        self.marks
            .insert(first, (from as u32, Mark::OpenLink(number)));
        let last = self.marks.partition_point(|(at, _)| *at as usize <= to);
        self.marks.insert(last, (to as u32, Mark::CloseLink));
    }

    /// Writes RTF, Markdown, LaTeX or Typst.
    pub fn markup(&self, format: other::OutputFormat) -> String {
        other::write(self, format)
    }

    /// As [`Rich::markup`], for text that follows other text of its paragraph.
    pub fn markup_inside(&self, format: other::OutputFormat) -> String {
        other::write_at(self, format, other::TextPlace::Inside)
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes HTML with the classes of the specification; it contains only the formatter's own tags.
    pub fn html(&self) -> String {
        html::write(self)
    }

    /// Writes text without formatting.
    pub fn text(&self) -> String {
        plain::write(self)
    }

    /// Adds a text. The first of two consecutive blanks becomes non-breaking, so that both are visible.
    pub(crate) fn push(&mut self, text: &str) {
        let text = if self.is_behind_block() {
            text.trim_start_matches(' ')
        } else {
            text
        };
        if !text::has_pair(text, |first, second| {
            (first.is_ascii_whitespace() || first == 0xA0)
                & (second.is_ascii_whitespace() || second == 0xC2)
        }) {
            self.text.push_str(text);
            return;
        }
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_whitespace() && chars.next_if(|next| next.is_whitespace()).is_some() {
                self.text.push_str("\u{a0} ");
            } else {
                self.text.push(c);
            }
        }
    }

    /// Removes trailing blanks that no mark follows.
    fn trim_end(&mut self) {
        let kept = self.text.trim_end().len();
        let last = self.marks.last().map_or(0, |(at, _)| *at as usize);
        self.text.truncate(kept.max(last));
    }

    /// A line after a block needs no leading blank.
    fn is_behind_block(&self) -> bool {
        match self.marks.last() {
            Some((at, Mark::Close(shape))) => *at as usize == self.text.len() && shape.is_block(),
            _ => false,
        }
    }

    /// Divides the text at the first occurrence of a character, which is dropped. Formatting around it is on
    /// both sides; a link around it ends there.
    pub fn split_once(&self, at: char) -> Option<(Rich, Rich)> {
        let from = self.text.find(at)?;
        Some((
            self.slice(0..from),
            self.slice(from + at.len_utf8()..self.text.len()),
        ))
    }

    /// Without these characters at the start.
    pub fn trim_start_matches(&self, characters: &[char]) -> Rich {
        let kept = self.text.trim_start_matches(characters);
        self.slice(self.text.len() - kept.len()..self.text.len())
    }

    /// Without blanks at the end.
    pub fn trim_end_blanks(&self) -> Rich {
        self.slice(0..self.text.trim_end().len())
    }

    /// With the first character in upper case.
    pub fn capitalized(&self) -> Rich {
        let Some(first) = self.text.chars().next() else {
            return self.clone();
        };
        let rest = self.text.get(first.len_utf8()..).unwrap_or_default();
        let text: String = first.to_uppercase().chain(rest.chars()).collect();
        // Marks behind the character move if it has another length now.
        let moved = |at: u32| match at as usize {
            at if at >= first.len_utf8() => (at + text.len() - self.text.len()) as u32,
            at => at as u32,
        };
        Rich {
            marks: (self.marks.iter().map(|(at, mark)| (moved(*at), *mark))).collect(),
            links: self.links.clone(),
            text,
        }
    }

    /// The text between two byte offsets, which are those of characters, with the formatting around it.
    fn slice(&self, range: std::ops::Range<usize>) -> Rich {
        let mut open: Vec<Mark> = Vec::new();
        let mut marks: Vec<(u32, Mark)> = Vec::new();
        let mut has_begun = false;
        let closing = |mark: &Mark| match mark {
            Mark::Open(shape) => Mark::Close(*shape),
            _ => Mark::CloseLink,
        };
        for (at, mark) in &self.marks {
            let place = *at as usize;
            let opens = matches!(mark, Mark::Open(_) | Mark::OpenLink(_));
            if place > range.end || place == range.end && opens {
                break;
            }
            if !has_begun && (place > range.start || place == range.start && opens) {
                marks.extend(open.iter().map(|mark| (0, *mark)));
                has_begun = true;
            }
            match mark {
                Mark::Open(_) | Mark::OpenLink(_) => open.push(*mark),
                Mark::Close(_) | Mark::CloseLink => {
                    open.pop();
                }
            }
            if has_begun {
                marks.push(((place - range.start) as u32, *mark));
            }
        }
        if !has_begun {
            marks.extend(open.iter().map(|mark| (0, *mark)));
        }
        let end = range.len() as u32;
        marks.extend(open.iter().rev().map(|mark| (end, closing(mark))));
        Rich {
            text: self.text.get(range).unwrap_or_default().to_owned(),
            marks,
            links: self.links.clone(),
        }
    }

    /// Adds another rendering at the end.
    pub fn append(&mut self, other: &Rich) {
        let shift = self.text.len() as u32;
        let links = self.links.len() as u32;
        self.text.push_str(&other.text);
        self.marks.extend(other.marks.iter().map(|(at, mark)| {
            let mark = match *mark {
                Mark::OpenLink(link) => Mark::OpenLink(link + links),
                other => other,
            };
            (at + shift, mark)
        }));
        self.links.extend(other.links.iter().cloned());
    }

    /// Removes `end`, which must be at the end of this text.
    pub(crate) fn split_off(&mut self, end: &Rich) -> Rich {
        let at = self.text.len() - end.text.len();
        let text = self.text.split_off(at);
        let marks = self.marks.len().saturating_sub(end.marks.len());
        let marks = self.marks.split_off(marks);
        let shift = at as u32;
        Rich {
            text,
            marks: marks
                .into_iter()
                .map(|(place, mark)| (place.saturating_sub(shift), mark))
                .collect(),
            links: Vec::new(),
        }
    }

    /// The text in the left margin.
    pub(crate) fn margin(&self) -> &str {
        let place = |mark| {
            let found = self.marks.iter().find(|(_, known)| *known == mark);
            found.map_or(0, |(at, _)| *at as usize)
        };
        let shape = Shape::LeftMargin;
        let range = place(Mark::Open(shape))..place(Mark::Close(shape));
        self.text.get(range).unwrap_or_default()
    }

    pub(crate) fn open(&mut self, shape: Shape) {
        self.marks.push((self.text.len() as u32, Mark::Open(shape)));
    }

    pub(crate) fn close(&mut self, shape: Shape) {
        self.marks
            .push((self.text.len() as u32, Mark::Close(shape)));
    }
}

/// The formatting set by the enclosing levels, and the nesting depth of quotation marks.
#[derive(Clone, Copy, Default)]
struct InheritedFormat {
    italic: bool,
    oblique: bool,
    small_caps: bool,
    bold: bool,
    light: bool,
    /// The fonts in effect around the current names.
    around_names: Fonts,
    in_name: bool,
    quotes: u32,
}

#[derive(Clone, Copy, Default)]
struct Fonts {
    slanted: bool,
    small_caps: bool,
    weighted: bool,
}

impl InheritedFormat {
    fn fonts(&self) -> Fonts {
        Fonts {
            slanted: self.italic || self.oblique,
            small_caps: self.small_caps,
            weighted: self.bold || self.light,
        }
    }

    fn set_fonts(&mut self, fonts: Fonts) {
        self.italic = fonts.slanted;
        self.oblique = false;
        self.small_caps = fonts.small_caps;
        self.bold = fonts.weighted;
        self.light = false;
    }

    /// The shapes of markup in a field, which undoes the same formatting around it.
    fn toggled(&mut self, formatting: Formatting) -> [Option<Shape>; 3] {
        let toggle = |is_set: &mut bool, set: Shape, undo: Shape| {
            *is_set = !*is_set;
            if *is_set { set } else { undo }
        };
        let style = formatting.font_style;
        let variant = formatting.font_variant;
        let weight = formatting.font_weight;
        [
            style.map(|_| toggle(&mut self.italic, Shape::Italic, Shape::NormalStyle)),
            variant.map(|_| toggle(&mut self.small_caps, Shape::SmallCaps, Shape::NormalVariant)),
            weight.map(|_| toggle(&mut self.bold, Shape::Bold, Shape::NormalWeight)),
        ]
    }

    /// The shapes of formatting that the style sets. `normal` has none where there is nothing to undo.
    fn styled(&mut self, formatting: Formatting) -> [Option<Shape>; 3] {
        let around = self.fonts();
        let set = |is_set: &mut bool, shape: Shape| {
            *is_set = true;
            Some(shape)
        };
        [
            match formatting.font_style {
                Some(FontStyle::Italic) => set(&mut self.italic, Shape::Italic),
                Some(FontStyle::Oblique) => set(&mut self.oblique, Shape::Oblique),
                Some(FontStyle::Normal) => around.slanted.then_some(Shape::NormalStyle),
                None => None,
            },
            match formatting.font_variant {
                Some(FontVariant::SmallCaps) => set(&mut self.small_caps, Shape::SmallCaps),
                Some(FontVariant::Normal) => around.small_caps.then_some(Shape::NormalVariant),
                None => None,
            },
            match formatting.font_weight {
                Some(FontWeight::Bold) => set(&mut self.bold, Shape::Bold),
                Some(FontWeight::Light) => set(&mut self.light, Shape::Light),
                Some(FontWeight::Normal) => around.weighted.then_some(Shape::NormalWeight),
                None => None,
            },
        ]
    }

    fn merge_fonts(&mut self, other: &InheritedFormat) {
        self.italic |= other.italic;
        self.oblique |= other.oblique;
        self.small_caps |= other.small_caps;
        self.bold |= other.bold;
        self.light |= other.light;
    }
}

/// Writes the tree below a node into `out`, including affixes and formatting.
pub(crate) struct Flatten<'t> {
    pub tree: &'t Tree,
    pub locale: &'t MergedLocale,
    pub links: bool,
    /// A node that is a link as a whole, and its address.
    pub anchor: Option<(NodeId, String)>,
    /// The formatting around the output.
    pub around: Formatting,
}

/// A level being written.
struct Level {
    id: NodeId,
    /// The formatting in effect inside.
    inner: InheritedFormat,
    shapes: [Option<Shape>; 5],
    /// The term that closes its quotation.
    close_quote: Option<TermId>,
}

impl Flatten<'_> {
    /// Writes a node and its descendants. The budget counts bytes of text, since a delimiter follows each
    /// child; writing stops when the budget is spent.
    pub fn render(&self, id: NodeId, out: &mut Rich) {
        let mut inherited = InheritedFormat::default();
        self.shapes(self.around, false, &mut inherited, &mut [None; 5]);
        let mut open = vec![self.open(id, inherited, out)];
        let mut next = self.tree.node(id).first;
        while let Some(level) = open.last() {
            if next == NIL {
                let done = level.id;
                self.close(level, out);
                open.pop();
                next = self.tree.node(done).next;
                if let Some(level) = open.last()
                    && next != NIL
                {
                    self.push(self.tree.node(level.id).delimiter, out);
                }
                continue;
            }
            if self.tree.budget.is_spent() {
                return;
            }
            let (inner, delimiter) = (level.inner, self.tree.node(level.id).delimiter);
            let node = self.tree.node(next);
            if !self.is_bare(next, node) {
                open.push(self.open(next, inner, out));
                next = node.first;
                continue;
            }
            for span in [node.prefix, node.text, node.suffix] {
                self.push(span, out);
            }
            next = node.next;
            if next != NIL {
                self.push(delimiter, out);
            }
        }
    }

    /// Whether a node is only text, as most are.
    fn is_bare(&self, id: NodeId, node: &Node) -> bool {
        node.first == NIL
            && node.formatting.is_plain()
            && node.quote == Quote::None
            && node.display.is_none()
            && !node.no_decor
            && !matches!(node.tag, Tag::Name | Tag::WithOthers | Tag::Linkable(_))
            && self.anchor_at(id).is_none()
    }

    fn push(&self, span: Span, out: &mut Rich) {
        if !span.is_empty() && self.tree.budget.spend_bytes(span.len as usize).is_ok() {
            out.push(self.tree.str(span));
        }
    }

    fn push_term(&self, term: TermId, out: &mut Rich) {
        let text = self.locale.term(term, TermForm::Long, false);
        out.push(text.unwrap_or_default());
    }

    /// Writes the prefix of a node and its own text.
    fn open(&self, id: NodeId, inherited: InheritedFormat, out: &mut Rich) -> Level {
        let node = self.tree.node(id);
        if let Some(display) = node.display {
            if display == Display::Block {
                // A blank before a separate line is redundant.
                out.trim_end();
            }
            out.open(display.into());
        }
        self.push(node.prefix, out);
        let mut inner = inherited;
        let mut close_quote = None;
        // Inner marks in a field that are not inside a quotation stay inner marks.
        let outer = inherited.quotes.is_multiple_of(2)
            && (node.quote != Quote::Inner || inherited.quotes > 0);
        if node.quote != Quote::None {
            let (opening, closing) = if outer {
                (TermId::OPEN_QUOTE, TermId::CLOSE_QUOTE)
            } else {
                (TermId::OPEN_INNER_QUOTE, TermId::CLOSE_INNER_QUOTE)
            };
            self.push_term(opening, out);
            close_quote = Some(closing);
            inner.quotes += if outer || inherited.quotes > 0 { 1 } else { 2 };
        }
        if let Some((_, target)) = self.anchor_at(id) {
            let place = out.text.len() as u32;
            out.marks
                .push((place, Mark::OpenLink(out.links.len() as u32)));
            out.links.push(target.clone());
        }
        let mut shapes = [None; 5];
        if node.tag == Tag::Names {
            inner.around_names = inherited.fonts();
        }
        let is_name = matches!(node.tag, Tag::Name | Tag::WithOthers);
        if is_name || inherited.in_name && !node.is_markup {
            // Formatting of names and name parts depends on the text around the list, not on the list.
            let mut outer = inner;
            outer.set_fonts(inner.around_names);
            outer.italic |= self.has_slanted_others(id);
            self.shapes(node.formatting, false, &mut outer, &mut shapes);
            inner.merge_fonts(&outer);
            inner.in_name |= node.tag == Tag::Name;
        } else {
            self.shapes(node.formatting, node.is_markup, &mut inner, &mut shapes);
        }
        if node.no_decor {
            self.plain_shapes(&mut inner, &mut shapes);
        }
        for shape in shapes.iter().rev().flatten() {
            out.open(*shape);
        }
        match node.tag {
            Tag::Linkable(variable) if self.links => self.link(variable, node, out),
            _ => self.push(node.text, out),
        }
        Level {
            id,
            inner,
            shapes,
            close_quote,
        }
    }

    /// Writes what follows the children of a node.
    fn close(&self, level: &Level, out: &mut Rich) {
        let node = self.tree.node(level.id);
        for shape in level.shapes.iter().flatten() {
            out.close(*shape);
        }
        if self.anchor_at(level.id).is_some() {
            out.marks.push((out.text.len() as u32, Mark::CloseLink));
        }
        if let Some(term) = level.close_quote {
            self.push_term(term, out);
        }
        self.push(node.suffix, out);
        if let Some(display) = node.display {
            if display != Display::LeftMargin {
                out.trim_end();
            }
            out.close(display.into());
        }
    }

    fn anchor_at(&self, id: NodeId) -> Option<&(NodeId, String)> {
        self.anchor.as_ref().filter(|(anchor, _)| *anchor == id)
    }

    /// Writes the text of a variable as a link to its address. The link excludes punctuation merged into
    /// the text and includes the start of the address before it (specification, appendix VI).
    fn link(&self, variable: TextVar, node: &Node, out: &mut Rich) {
        let text = self.tree.str(node.text);
        let source = self.tree.source(node).and_then(|(value, shown)| {
            let (shown, marks) = text.split_at_checked(shown)?;
            Some((super::links::target(variable, value)?, shown, marks))
        });
        let Some((target, shown, marks)) = source else {
            return self.push(node.text, out);
        };
        let _ = self.tree.budget.spend_bytes(text.len() + target.len());
        let last = out.marks.last().map_or(0, |(at, _)| *at as usize);
        let before = out.text.get(last..).unwrap_or_default();
        let start = out.text.len() - super::links::address_start(before).len();
        out.marks
            .push((start as u32, Mark::OpenLink(out.links.len() as u32)));
        out.links.push(target);
        out.push(shown);
        out.marks.push((out.text.len() as u32, Mark::CloseLink));
        out.push(marks);
    }

    /// Whether the names end in an «et al.» that the style sets in italics.
    fn has_slanted_others(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.tag == Tag::WithOthers && node.number > 0
    }

    /// The shapes that undo the inherited formatting.
    fn plain_shapes(&self, inner: &mut InheritedFormat, out: &mut [Option<Shape>; 5]) {
        out[0] = (inner.italic || inner.oblique).then_some(Shape::NormalStyle);
        out[1] = inner.small_caps.then_some(Shape::NormalVariant);
        out[2] = (inner.bold || inner.light).then_some(Shape::NormalWeight);
        let quotes = inner.quotes;
        *inner = InheritedFormat {
            quotes,
            ..InheritedFormat::default()
        };
    }

    /// The shapes of a formatting, innermost first, given the inherited formatting.
    fn shapes(
        &self,
        formatting: Formatting,
        markup: bool,
        inner: &mut InheritedFormat,
        out: &mut [Option<Shape>; 5],
    ) {
        let fonts = if markup {
            inner.toggled(formatting)
        } else {
            inner.styled(formatting)
        };
        out[..3].copy_from_slice(&fonts);
        out[3] = match formatting.text_decoration {
            Some(TextDecoration::Underline) => Some(Shape::Underline),
            Some(TextDecoration::None) => Some(Shape::NoDecoration),
            None => None,
        };
        out[4] = match formatting.vertical_align {
            Some(VerticalAlign::Sup) => Some(Shape::Sup),
            Some(VerticalAlign::Sub) => Some(Shape::Sub),
            Some(VerticalAlign::Baseline) => Some(Shape::Baseline),
            None => None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `A <i>b|c</i> d`.
    fn sample() -> Rich {
        let mut rich = Rich::default();
        rich.push("a ");
        rich.open(Shape::Italic);
        rich.push("b|c");
        rich.close(Shape::Italic);
        rich.push(", d");
        rich
    }

    #[test]
    fn divided_rendering_keeps_its_formatting() {
        let (before, behind) = sample().split_once('|').unwrap();
        assert_eq!(before.html(), "a <i>b</i>");
        assert_eq!(behind.html(), "<i>c</i>, d");
        let (_, end) = behind.split_once('c').unwrap();
        assert_eq!(end.html(), ", d");
        assert_eq!(end.trim_start_matches(&[',', ' ']).html(), "d");
        assert!(sample().split_once('x').is_none());
    }

    #[test]
    fn capital_moves_marks() {
        assert_eq!(sample().capitalized().html(), "A <i>b|c</i>, d");
        let mut sharp = Rich::plain("ßa");
        sharp.open(Shape::Bold);
        sharp.push("b");
        sharp.close(Shape::Bold);
        assert_eq!(sharp.capitalized().html(), "SSa<b>b</b>");
        assert_eq!(Rich::default().capitalized(), Rich::default());
    }
}
