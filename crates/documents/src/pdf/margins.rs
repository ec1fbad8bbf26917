//! Removes page content outside of the text: running heads and feet, page numbers, line numbers.

use std::collections::{HashMap, HashSet};

use super::pages::DrawnPage;
use super::segments::Segment;
use crate::headings::names_list;

/// Number of rows at the top and bottom of a page that may be heads and feet.
const MARGIN_ROWS: usize = 8;
/// The share of a page's height in which they occur.
const MARGIN: f32 = 0.16;

/// Removes what is not text.
pub(super) fn strip(pages: &mut [DrawnPage]) {
    strip_line_numbers(pages);
    strip_heads(pages);
}

/// A row of segments at the top or the bottom of a page.
struct MarginRow {
    page: usize,
    baseline: f32,
    is_top: bool,
    /// Distance from the edge in rows, from 0.
    depth: usize,
    text: String,
    /// The text with `#` for numbers.
    pattern: String,
    /// Number of rows to the next gap larger than a line distance.
    to_gap: Option<usize>,
    /// Whether such a gap, or the edge, is outside of it.
    is_outmost: bool,
}

impl MarginRow {
    fn is_at(&self, other: &MarginRow) -> bool {
        self.is_top == other.is_top && (self.baseline - other.baseline).abs() < 2.0
    }
}

fn strip_heads(pages: &mut [DrawnPage]) {
    let all: Vec<MarginRow> = pages
        .iter()
        .enumerate()
        .flat_map(|(n, page)| margin_rows(n, page))
        .collect();
    let mut alike: HashMap<(&str, bool), Vec<&MarginRow>> = HashMap::new();
    for row in &all {
        let pattern = (row.pattern.as_str(), row.is_top);
        alike.entry(pattern).or_default().push(row);
    }
    alike.retain(|_, rows| differing_numbers(rows) <= MAX_DIFFERING);
    let pages_of: HashMap<(&str, bool), HashSet<usize>> = { alike.into_iter() }
        .map(|(pattern, rows)| (pattern, rows.iter().map(|row| row.page).collect()))
        .collect();
    let is_repeated = |row: &MarginRow| {
        let letters = row.pattern.chars().filter(|c| c.is_alphabetic()).count();
        let on = pages_of.get(&(row.pattern.as_str(), row.is_top));
        // A line of the text may occur twice.
        let is_apart = row.to_gap.is_some_and(|rows| rows <= 1);
        let is_usual = |on: &HashSet<usize>| is_apart || on.len() * 3 >= pages.len();
        letters >= 3 && on.is_some_and(|on| on.len() >= 2 && is_usual(on))
    };
    let mut numbers = page_numbers(&all);
    numbers.extend(numeric_marks(&all));
    let mut gone: Vec<usize> = (0..all.len())
        .filter(|n| numbers.contains(n) || all.get(*n).is_some_and(is_repeated))
        .collect();
    // Heads that change with the section are in the same place as the others.
    let known: Vec<&MarginRow> = gone.iter().filter_map(|n| all.get(*n)).collect();
    let places: HashSet<(bool, i32)> = known
        .iter()
        .map(|row| (row.is_top, row.baseline.round() as i32))
        .collect();
    let is_beside = |row: &MarginRow| {
        let near = row.baseline.round() as i32;
        // The heading of a list may be at the top of its page.
        row.depth == 0
            && !names_list(&row.text)
            && row.to_gap == Some(0)
            && (near - 1..=near + 1).any(|y| places.contains(&(row.is_top, y)))
            && known
                .iter()
                .filter(|k| k.page != row.page && k.is_at(row))
                .take(2)
                .count()
                >= 2
    };
    gone.extend((0..all.len()).filter(|n| all.get(*n).is_some_and(is_beside)));
    let gone = outside_text(&all, gone);
    let mut baselines: HashMap<usize, Vec<f32>> = HashMap::new();
    for row in gone.into_iter().filter_map(|n| all.get(n)) {
        baselines.entry(row.page).or_default().push(row.baseline);
    }
    for (n, page) in pages.iter_mut().enumerate() {
        if let Some(baselines) = baselines.get(&n) {
            let is_gone = |segment: &Segment| {
                let near = |b: &f32| (segment.baseline - b).abs() < segment.size * 0.5;
                baselines.iter().any(near)
            };
            page.segments.retain(|segment| !is_gone(segment));
        }
    }
}

/// The rows outside of the text: those without a row of the text between them and the edge. The rows of a page are in
/// the order of their depth.
fn outside_text(all: &[MarginRow], gone: Vec<usize>) -> HashSet<usize> {
    let gone: HashSet<usize> = gone.into_iter().collect();
    let mut outside: HashSet<usize> = HashSet::new();
    for (n, row) in all.iter().enumerate().filter(|(n, _)| gone.contains(n)) {
        let above = n.checked_sub(1).filter(|_| row.depth > 0);
        if row.is_outmost || above.is_some_and(|above| outside.contains(&above)) {
            outside.insert(n);
        }
    }
    outside
}

/// Maximum number of numbers in which the heads of pages differ: page and section. More differ in references
/// that consist of a volume, pages and an address.
const MAX_DIFFERING: usize = 2;

/// In how many of their numbers rows of one pattern differ.
fn differing_numbers(rows: &[&MarginRow]) -> usize {
    let numbers = |row: &MarginRow| -> Vec<String> {
        let runs = row.text.split(|c: char| !c.is_ascii_digit());
        runs.filter(|run| !run.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let Some(first) = rows.first().map(|row| numbers(row)) else {
        return 0;
    };
    let mut differs = vec![false; first.len()];
    for row in rows {
        for (at, number) in numbers(row).iter().enumerate() {
            if let Some(differs) = differs.get_mut(at) {
                *differs |= first.get(at) != Some(number);
            }
        }
    }
    differs.into_iter().filter(|differs| *differs).count()
}

/// Rows with only a number that increases with the pages.
fn page_numbers(rows: &[MarginRow]) -> HashSet<usize> {
    let number = |row: &MarginRow| -> Option<i64> {
        let digits = row.text.trim_matches(|c: char| !c.is_alphanumeric());
        (row.depth <= 1).then(|| digits.parse().ok())?
    };
    let mut offsets: HashMap<(bool, i64), Vec<usize>> = HashMap::new();
    for (n, row) in rows.iter().enumerate() {
        if let Some(number) = number(row) {
            let offset = (row.is_top, number - row.page as i64);
            offsets.entry(offset).or_default().push(n);
        }
    }
    let pages: HashSet<usize> = rows.iter().map(|row| row.page).collect();
    let fewest = if pages.len() < 2 { 1 } else { 2 };
    offsets
        .into_values()
        .filter(|rows| rows.len() >= fewest)
        .flatten()
        .collect()
}

/// Outermost rows with only a number that is the same in the same place of several pages: a mark of the
/// publisher.
fn numeric_marks(rows: &[MarginRow]) -> Vec<usize> {
    let mut alike: HashMap<(&str, bool, i32), Vec<usize>> = HashMap::new();
    for (n, row) in rows.iter().enumerate() {
        if row.depth == 0 && row.text.bytes().all(|byte| byte.is_ascii_digit()) {
            let place = (row.text.as_str(), row.is_top, row.baseline.round() as i32);
            alike.entry(place).or_default().push(n);
        }
    }
    let repeated = alike.into_values().filter(|rows| rows.len() >= 2);
    repeated.flatten().collect()
}

fn margin_rows(number: usize, page: &DrawnPage) -> Vec<MarginRow> {
    let rows = rows(&page.segments);
    let baselines: Vec<f32> = { rows.iter() }
        .filter_map(|row| row.first().map(|segment| segment.baseline))
        .collect();
    let apart = apart(&baselines);
    let top = rows.iter().take(MARGIN_ROWS).enumerate();
    let top = top.map(|(depth, row)| (true, depth, row));
    let bottom = rows.iter().rev().take(MARGIN_ROWS).enumerate();
    let bottom = bottom.map(|(depth, row)| (false, depth, row));
    let mut found = Vec::new();
    for (is_top, depth, row) in top.chain(bottom) {
        let Some(first) = row.first() else { continue };
        let is_inside = if is_top {
            first.baseline < page.height * MARGIN
        } else {
            first.baseline > page.height * (1.0 - MARGIN)
        };
        if !is_inside {
            continue;
        }
        // Left and right pages print the same parts in another order.
        let mut texts: Vec<&str> = row.iter().map(|segment| segment.text.as_str()).collect();
        texts.sort_by_cached_key(|text| pattern(text));
        let text = texts.join(" ");
        found.push(MarginRow {
            page: number,
            baseline: first.baseline,
            is_top,
            depth,
            to_gap: (depth..MARGIN_ROWS).position(|n| {
                let above = if is_top {
                    Some(n)
                } else {
                    rows.len().checked_sub(n + 2)
                };
                above.is_some_and(|above| apart.contains(&above))
            }),
            is_outmost: depth == 0
                || if is_top {
                    apart.contains(&(depth - 1))
                } else {
                    { rows.len().checked_sub(depth + 1) }.is_some_and(|row| apart.contains(&row))
                },
            pattern: pattern(&text),
            text,
        });
    }
    found
}

/// The rows farther from the next one than most.
fn apart(baselines: &[f32]) -> Vec<usize> {
    const GAP: f32 = 1.25;
    let pairs = baselines.iter().zip(baselines.iter().skip(1));
    let distances: Vec<f32> = pairs.map(|(above, row)| row - above).collect();
    let mut sorted = distances.clone();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let is_apart = |n: &usize| {
        distances
            .get(*n)
            .is_some_and(|distance| *distance > usual * GAP)
    };
    (0..distances.len()).filter(is_apart).collect()
}

/// Segments from the top down, grouped by line over the full page width.
fn rows(segments: &[Segment]) -> Vec<Vec<&Segment>> {
    let mut rows: Vec<Vec<&Segment>> = Vec::new();
    for segment in segments {
        match rows.last_mut() {
            Some(row)
                if row
                    .first()
                    .is_some_and(|first| segment.baseline - first.baseline < first.size * 0.5) =>
            {
                row.push(segment);
            }
            _ => rows.push(vec![segment]),
        }
    }
    rows
}

fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        match letter.is_ascii_digit() {
            true if pattern.ends_with('#') => {}
            true => pattern.push('#'),
            false => pattern.extend(letter.to_lowercase()),
        }
    }
    pattern
}

/// Removes vertically aligned numbers that increase by a constant step, and the same numbers on pages with
/// too few lines to show it.
fn strip_line_numbers(pages: &mut [DrawnPage]) {
    let mut known: Vec<f32> = Vec::new();
    for page in pages.iter() {
        known.extend(line_number_columns(page));
    }
    if known.is_empty() {
        return;
    }
    for page in pages {
        page.segments.retain(|segment| {
            let at = |edge: &f32| (segment.right - edge).abs() < EDGE;
            number(segment).is_none() || !known.iter().any(at)
        });
    }
}

/// Tolerance of the right edges of line numbers, in points.
const EDGE: f32 = 3.0;

fn number(segment: &Segment) -> Option<i64> {
    (segment.text.len() <= 5).then(|| segment.text.trim().parse().ok())?
}

/// The right edges of the line numbers.
fn line_number_columns(page: &DrawnPage) -> Vec<f32> {
    const MIN_COUNT: usize = 5;
    let height = rows(&page.segments).len();
    let mut columns: Vec<(f32, Vec<i64>)> = Vec::new();
    for segment in &page.segments {
        let Some(number) = number(segment) else {
            continue;
        };
        let at = |(edge, _): &&mut (f32, Vec<i64>)| (*edge - segment.right).abs() < EDGE;
        match columns.iter_mut().find(at) {
            Some((_, numbers)) => numbers.push(number),
            None => columns.push((segment.right, vec![number])),
        }
    }
    let counts_up = |numbers: &Vec<i64>| {
        let pairs = || numbers.iter().zip(numbers.iter().skip(1));
        let step = pairs().map(|(a, b)| b - a).min().unwrap_or(0);
        let even = pairs().filter(|(a, b)| *b - *a == step).count();
        // The labels of a list also increase by one, but not with each line.
        let is_dense = step > 1 || numbers.len() * 10 >= height * 6;
        step > 0 && even * 10 >= (numbers.len() - 1) * 8 && is_dense
    };
    columns
        .into_iter()
        .filter(|(_, numbers)| numbers.len() >= MIN_COUNT && counts_up(numbers))
        .map(|(edge, _)| edge)
        .collect()
}
