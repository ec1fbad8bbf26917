//! Joins glyphs that are close together on a line.

use serde::{Deserialize, Serialize};
use unicode_normalization::char::compose;

use super::glyphs::Glyph;

/// Minimum gap between words, in font sizes.
const WORD_GAP: f32 = 0.14;
/// Minimum gap between columns, in font sizes.
const COLUMN_GAP: f32 = 0.75;

/// Maximum number of segments per page. A page of text has some hundred, one whose letters are all drawn
/// apart has some thousand. Those of a line are compared with each other.
pub(super) const MAX_SEGMENTS: usize = 20_000;

/// Text without wide gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Segment {
    pub text: String,
    pub left: f32,
    pub right: f32,
    /// That of its largest letters.
    pub baseline: f32,
    /// That of most letters, or of much larger ones.
    pub size: f32,
    /// By how many letters this size outnumbers others.
    pub lead: usize,
    /// Whether it begins with superscript letters, like a note mark.
    pub begins_raised: bool,
}

impl Segment {
    fn new(glyph: &Glyph) -> Segment {
        Segment {
            text: String::new(),
            left: glyph.left,
            right: glyph.left,
            baseline: glyph.baseline,
            size: glyph.size,
            lead: 0,
            begins_raised: false,
        }
    }

    /// Whether both are on one line, including superscripts and subscripts.
    pub fn is_level_with(&self, baseline: f32, size: f32) -> bool {
        let distance = (self.baseline - baseline).abs();
        if (self.size - size).abs() > self.size.max(size) * 0.15 {
            distance < self.size.max(size) * 0.55
        } else {
            distance < self.size.max(size) * 0.3
        }
    }

    fn gap(&self, left: f32, size: f32) -> f32 {
        (left - self.right) / self.size.max(size)
    }

    fn takes(&self, glyph: &Glyph) -> bool {
        self.is_level_with(glyph.baseline, glyph.size)
            && self.gap(glyph.left, glyph.size) >= -0.6
            && !self.is_column_gap(glyph.left, glyph.size)
    }

    /// Relative to the smaller size: a heading may be next to text.
    fn is_column_gap(&self, left: f32, size: f32) -> bool {
        (left - self.right) / self.size.min(size) >= COLUMN_GAP
    }

    fn add(&mut self, glyph: &Glyph) {
        let gap = self.gap(glyph.left, glyph.size);
        if gap > WORD_GAP && !self.text.is_empty() {
            self.space();
        }
        self.add_letters(glyph.size, glyph.baseline, 1);
        // An accent printed over its letter.
        let over = self.text.chars().next_back().filter(|_| gap < -0.15);
        let composed = over.and_then(|over| {
            let accented = |letter, accent| compose(dotted(letter), combining(accent)?);
            accented(over, glyph.letter).or_else(|| accented(glyph.letter, over))
        });
        if let Some(composed) = composed {
            self.text.pop();
            self.text.push(composed);
        } else {
            self.text.push(glyph.letter);
        }
        self.right = self.right.max(glyph.right);
    }

    /// Adds letters to those that determine the size. Small capitals and symbols differ a little from the text.
    fn add_letters(&mut self, size: f32, baseline: f32, count: usize) {
        if size > self.size * 1.15 {
            self.begins_raised |= baseline > self.baseline + 0.5;
            (self.baseline, self.size, self.lead) = (baseline, size, count);
        } else if (size - self.size).abs() < 0.01 {
            self.lead += count;
        } else if size * 1.15 < self.size {
            // Superscripts and subscripts do not count.
        } else if count <= self.lead {
            self.lead -= count;
        } else {
            (self.size, self.lead) = (size, count - self.lead);
        }
    }

    fn space(&mut self) {
        if !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Appends a segment to the right.
    fn append(&mut self, other: Segment) {
        if self.gap(other.left, other.size) > WORD_GAP {
            self.space();
        }
        self.text.push_str(&other.text);
        self.add_letters(other.size, other.baseline, other.lead);
        self.right = self.right.max(other.right);
    }
}

/// The letter that an accent is printed over instead of its dot.
fn dotted(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    }
}

/// The combining character of a printed accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '`' | '\u{2cb}' => '\u{300}',
        '´' | '\u{2ca}' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' | '~' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        '\u{300}'..='\u{328}' => accent,
        _ => return None,
    })
}

/// The segments of a page, top to bottom and left to right; `None` if they are too many.
pub(super) fn join(glyphs: &[Glyph]) -> Option<Vec<Segment>> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut is_spaced = false;
    for glyph in glyphs {
        if glyph.letter.is_whitespace() || glyph.letter.is_control() {
            is_spaced = true;
            continue;
        }
        match segments.last_mut().filter(|last| last.takes(glyph)) {
            Some(last) => {
                if std::mem::take(&mut is_spaced) && glyph.left > last.right + 0.04 * last.size {
                    last.space();
                }
                last.add(glyph);
            }
            None => {
                if segments.len() == MAX_SEGMENTS {
                    return None;
                }
                is_spaced = false;
                let mut segment = Segment::new(glyph);
                segment.add(glyph);
                segments.push(segment);
            }
        }
    }
    Some(neighbours(segments))
}

/// Joins adjacent segments that were drawn separately.
fn neighbours(mut segments: Vec<Segment>) -> Vec<Segment> {
    segments.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut joined: Vec<Segment> = Vec::new();
    // Indexed by the nearest baseline, because a page has many segments.
    let mut ends: std::collections::BTreeMap<i32, Vec<usize>> = Default::default();
    for segment in segments {
        let line = segment.baseline as i32;
        let reach = (segment.size * 0.6) as i32 + 6;
        let near = ends.range(line - reach..=line + reach).flat_map(|(_, n)| n);
        let before = near.copied().find(|n| {
            joined.get(*n).is_some_and(|last| {
                last.is_level_with(segment.baseline, segment.size)
                    && last.gap(segment.left, segment.size) >= -0.2
                    && !last.is_column_gap(segment.left, segment.size)
            })
        });
        match before.and_then(|n| joined.get_mut(n)) {
            Some(last) => last.append(segment),
            None => {
                ends.entry(line).or_default().push(joined.len());
                joined.push(segment);
            }
        }
    }
    joined.retain(|segment| !segment.text.trim().is_empty());
    joined.sort_by(|a, b| {
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.left.total_cmp(&b.left))
    });
    joined
}
