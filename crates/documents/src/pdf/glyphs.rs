//! The glyphs of a page: character, position and size.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use hayro_interpret::font::{Glyph as Drawn, GlyphRun, PositionedGlyph};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, RenderContent, SoftMask, TransformExt, interpret_page,
};

use super::bitmap;

/// Maximum number of glyphs kept per page: more are drawings made of letters, or an attack.
const MAX_GLYPHS: usize = 100_000;

/// A character. Positions are in points from the upper left corner of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub letter: char,
    pub left: f32,
    pub right: f32,
    pub baseline: f32,
    /// The font size.
    pub size: f32,
}

/// The glyphs of a page in drawing order, and the number without a known character.
#[derive(Default)]
pub(super) struct Drawing {
    pub glyphs: Vec<Glyph>,
    pub unknown: usize,
}

/// Renders a page and keeps its text.
pub(super) fn draw<'a>(pdf: &'a Pdf, page: &Page<'a>, cache: &InterpreterCache<'a>) -> Drawing {
    let settings = InterpreterSettings {
        render_content: RenderContent::PAGE,
        ..InterpreterSettings::default()
    };
    let (width, height) = page.render_dimensions();
    let paper = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let upright = page.initial_transform(true).to_kurbo();
    let mut context = Context::new(upright, paper, cache, pdf.xref(), settings);
    let mut text = TextDevice {
        drawing: Drawing::default(),
        paper,
        seen: HashSet::default(),
    };
    interpret_page(page, &mut context, &mut text);
    let Drawing { glyphs, unknown } = &mut text.drawing;
    *unknown = unknown.saturating_sub(bitmap::resolve(glyphs));
    text.drawing
}

/// A render target that keeps only the text.
struct TextDevice {
    drawing: Drawing,
    paper: Rect,
    /// Characters and their positions, because bold type may draw the same letter twice.
    seen: HashSet<(char, i32, i32), BuildHasherDefault<GlyphHasher>>,
}

/// Hashes glyphs faster than the default hasher, which takes a quarter of the time of a page. How badly they
/// collide does not matter: the time of a page is limited.
#[derive(Default)]
struct GlyphHasher(u64);

impl Hasher for GlyphHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, part: u32) {
        /// Odd, with about as many zeros as ones (the golden ratio in 64 bits).
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(5) ^ u64::from(part)).wrapping_mul(FACTOR);
    }

    fn write_i32(&mut self, part: i32) {
        self.write_u32(part.cast_unsigned());
    }
}

impl TextDevice {
    fn add(&mut self, glyph: &PositionedGlyph<'_>, page: Affine) {
        /// Units of glyph space per font size.
        const UNITS: f64 = 1000.0;
        let transform = page * glyph.transform();
        let advance = match &**glyph {
            Drawn::Outline(glyph) => glyph.advance_width(),
            Drawn::Type3(glyph) => glyph.advance_width(),
        };
        let advance = f64::from(advance.unwrap_or(500.0));
        let start = transform * Point::ZERO;
        let end = transform * Point::new(advance, 0.0);
        let top = transform * Point::new(0.0, UNITS);
        let size = (top - start).hypot();
        let is_upright = (end.y - start.y).abs() <= (end.x - start.x).abs() * 0.1
            && end.x >= start.x
            && top.y < start.y;
        let is_placed =
            size.is_finite() && end.x.is_finite() && size > 0.5 && self.paper.contains(start);
        if !is_upright || !is_placed {
            return;
        }
        let text = match glyph.as_unicode() {
            Some(BfString::Char(letter)) => letter.to_string(),
            Some(BfString::String(text)) => text,
            None => {
                self.drawing.unknown += 1;
                let code = match &**glyph {
                    Drawn::Type3(glyph) => bitmap::keep(glyph.char_code()),
                    Drawn::Outline(_) => None,
                };
                match code {
                    Some(code) => code.to_string(),
                    None => return,
                }
            }
        };
        let letters = text.chars().flat_map(unligated);
        let count = letters.clone().count().max(1) as f64;
        for (n, letter) in letters.enumerate() {
            let width = (end.x - start.x) / count;
            let left = start.x + width * n as f64;
            let place = (letter, (left * 4.0) as i32, (start.y * 4.0) as i32);
            if self.drawing.glyphs.len() < MAX_GLYPHS && self.seen.insert(place) {
                self.drawing.glyphs.push(Glyph {
                    letter,
                    left: left as f32,
                    right: (left + width) as f32,
                    baseline: start.y as f32,
                    size: size as f32,
                });
            }
        }
    }
}

/// The letters of a ligature.
fn unligated(letter: char) -> std::vec::IntoIter<char> {
    use unicode_normalization::UnicodeNormalization;
    let letters: Vec<char> = match letter {
        '\u{fb00}'..='\u{fb06}' => std::iter::once(letter).nfkc().collect(),
        letter => vec![letter],
    };
    letters.into_iter()
}

impl Device<'_> for TextDevice {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        for glyph in run.glyphs() {
            self.add(glyph, props.transform);
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
