//! The lines of a page in reading order, column by column, top to bottom. A gutter is a strip that several
//! consecutive lines leave free, with text on both sides.

use super::segments::Segment;

/// A line of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnLine {
    pub text: String,
    pub left: f32,
    pub right: f32,
    pub baseline: f32,
    pub size: f32,
    pub begins_raised: bool,
    /// From 0.
    pub page: usize,
}

/// Resolution of the search for gutters, in points.
const STEP: f32 = 2.0;
/// Maximum nesting of columns.
const DEEPEST: usize = 6;

/// The lines of a page by column.
pub(super) fn order(segments: Vec<Segment>) -> Vec<Vec<ColumnLine>> {
    let mut columns = Vec::new();
    cut(with_labels(segments), 0, &mut columns);
    columns
}

/// Joins labels, `12.` and `[12]`, with the text behind them: the space between them is no gutter.
fn with_labels(mut segments: Vec<Segment>) -> Vec<Segment> {
    /// Maximum distance of a label from its text, in font sizes.
    const FAR: f32 = 2.5;
    /// Number of segments before and after a label that are searched for its text.
    const AROUND: usize = 8;
    let mut gone = vec![false; segments.len()];
    for n in 0..segments.len() {
        let Some(label) = segments.get(n).filter(|segment| is_label(&segment.text)) else {
            continue;
        };
        let label = label.clone();
        let from = n.saturating_sub(AROUND);
        let around = segments.iter_mut().enumerate().skip(from).take(2 * AROUND);
        let behind = around.filter(|(at, other)| {
            *at != n
                && other.left >= label.right
                && !other.text.trim().is_empty()
                && other.is_level_with(label.baseline, label.size)
        });
        let next = behind.min_by(|(_, a), (_, b)| a.left.total_cmp(&b.left));
        if let Some((_, text)) = next
            && text.left - label.right < FAR * label.size
            && text.text.chars().any(char::is_alphabetic)
        {
            text.text = format!("{} {}", label.text.trim(), text.text.trim_start());
            text.left = label.left;
            if let Some(gone) = gone.get_mut(n) {
                *gone = true;
            }
        }
    }
    let mut gone = gone.into_iter();
    segments.retain(|_| gone.next() != Some(true));
    segments
}

/// Whether a text is only the label of an entry.
fn is_label(text: &str) -> bool {
    let text = text.trim();
    let inside = text.trim_start_matches('[').trim_end_matches([']', '.']);
    inside.len() < text.len()
        && (1..=3).contains(&inside.len())
        && inside.bytes().all(|byte| byte.is_ascii_digit())
}

/// A horizontal band of a page.
enum Band {
    /// Lines that cross the gutter or do not show one.
    Whole(Vec<Segment>),
    Parted(Vec<Segment>, Vec<Segment>),
}

fn cut(segments: Vec<Segment>, depth: usize, columns: &mut Vec<Vec<ColumnLine>>) {
    let gutter = if depth < DEEPEST {
        gutter(&segments)
    } else {
        None
    };
    let Some(gutter) = gutter else {
        columns.push(lines(segments));
        return;
    };
    for band in bands(segments, gutter) {
        match band {
            Band::Whole(segments) => cut(segments, depth + 1, columns),
            Band::Parted(left, right) => {
                cut(left, depth + 1, columns);
                cut(right, depth + 1, columns);
            }
        }
    }
}

/// The text on one side of a gutter.
#[derive(Default)]
struct GutterSide {
    count: usize,
    letters: usize,
    top: f32,
    bottom: f32,
}

impl GutterSide {
    fn add(&mut self, segment: &Segment) {
        if self.count == 0 {
            self.top = segment.baseline;
        }
        self.count += 1;
        // Letters of scripts without blanks are twice as wide.
        let wide = |c: char| if c > '\u{2e80}' { 2 } else { 1 };
        self.letters += segment.text.chars().map(wide).sum::<usize>();
        self.bottom = segment.baseline;
    }

    /// Labels, equation numbers and similar text do not form a column.
    fn is_column(&self) -> bool {
        const MIN_LINES_LENGTH: usize = 12;
        self.count >= 2 && self.letters >= self.count * MIN_LINES_LENGTH
    }
}

/// The evidence of lines that leave a strip free for a gutter: the text on its thinner side.
fn worth(left: &GutterSide, right: &GutterSide) -> usize {
    const MIN_COUNT: usize = 8;
    let is_beside = left.top.max(right.top) <= left.bottom.min(right.bottom);
    let is_gutter =
        left.is_column() && right.is_column() && left.count + right.count >= MIN_COUNT && is_beside;
    if is_gutter {
        left.letters.min(right.letters)
    } else {
        0
    }
}

fn crosses(segment: &Segment, gutter: f32) -> bool {
    segment.left < gutter - 1.0 && segment.right > gutter + 1.0
}

/// The gutter with the most text beside it.
fn gutter(segments: &[Segment]) -> Option<f32> {
    let left = segments.iter().map(|s| s.left).fold(f32::MAX, f32::min);
    let right = segments.iter().map(|s| s.right).fold(f32::MIN, f32::max);
    if segments.len() < 8 || right - left < 100.0 {
        return None;
    }
    let mut best = (0, Vec::new());
    let steps = ((right - left) / STEP).min(2_000.0) as usize;
    for n in 1..steps {
        let at = left + STEP * n as f32;
        let mut sides = (GutterSide::default(), GutterSide::default());
        let mut sum = 0;
        for segment in segments {
            if crosses(segment, at) {
                sum += worth(&sides.0, &sides.1);
                sides = Default::default();
            } else if segment.right <= at + 1.0 {
                sides.0.add(segment);
            } else {
                sides.1.add(segment);
            }
        }
        sum += worth(&sides.0, &sides.1);
        if sum > best.0 {
            best = (sum, vec![at]);
        } else if sum == best.0 && sum > 0 {
            best.1.push(at);
        }
    }
    best.1.get(best.1.len() / 2).copied()
}

fn bands(segments: Vec<Segment>, gutter: f32) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    let mut whole: Vec<Segment> = Vec::new();
    let mut run: Vec<Segment> = Vec::new();
    let mut end = |run: &mut Vec<Segment>, whole: &mut Vec<Segment>| {
        let (mut left, mut right) = (GutterSide::default(), GutterSide::default());
        for segment in run.iter() {
            if segment.right <= gutter + 1.0 {
                left.add(segment)
            } else {
                right.add(segment)
            }
        }
        if worth(&left, &right) == 0 {
            whole.append(run);
            return;
        }
        if !whole.is_empty() {
            bands.push(Band::Whole(std::mem::take(whole)));
        }
        let is_left = |segment: &Segment| segment.right <= gutter + 1.0;
        for part in storeys(std::mem::take(run), &is_left) {
            let (left, right) = part.into_iter().partition(is_left);
            bands.push(Band::Parted(left, right));
        }
    };
    for segment in segments {
        if crosses(&segment, gutter) {
            end(&mut run, &mut whole);
            whole.push(segment);
        } else {
            run.push(segment);
        }
    }
    end(&mut run, &mut whole);
    if !whole.is_empty() {
        bands.push(Band::Whole(whole));
    }
    bands
}

/// Splits columns at a height where text of one size ends in all of them and another size begins, such as
/// the list below the end of an article. The upper part is read first.
fn storeys(mut segments: Vec<Segment>, is_left: &impl Fn(&Segment) -> bool) -> Vec<Vec<Segment>> {
    const DISTANCE: f32 = 1.6;
    const FAR: f32 = 4.5;
    let cut = (1..segments.len()).find(|n| {
        let (above, below) = segments.split_at(*n);
        let (Some(last), Some(first)) = (above.last(), below.first()) else {
            return false;
        };
        let distance = (first.baseline - last.baseline) / first.size.max(last.size);
        distance > FAR || distance > DISTANCE && is_other_size(above, below, is_left)
    });
    match cut {
        Some(n) => {
            let below = segments.split_off(n);
            let mut parts = vec![segments];
            parts.extend(storeys(below, is_left));
            parts
        }
        None => vec![segments],
    }
}

/// Whether text gets smaller in both columns at a height, or larger in both. A list that begins under the end
/// of the text on the left and goes on at the top on the right does neither.
fn is_other_size(
    above: &[Segment],
    below: &[Segment],
    is_left: &impl Fn(&Segment) -> bool,
) -> bool {
    const MINIMUM: f32 = 0.06;
    let differs = |is_side: &dyn Fn(&Segment) -> bool| {
        let above = usual_size(above.iter().filter(|s| is_side(s)))?;
        let below = usual_size(below.iter().filter(|s| is_side(s)))?;
        let change = below / above - 1.0;
        Some(if change.abs() > MINIMUM {
            change.signum()
        } else {
            0.0
        })
    };
    match (differs(&|s| is_left(s)), differs(&|s| !is_left(s))) {
        (Some(left), Some(right)) => left != 0.0 && left == right,
        (left, right) => left.or(right).is_some_and(|change| change != 0.0),
    }
}

/// The median font size.
fn usual_size<'a>(segments: impl Iterator<Item = &'a Segment>) -> Option<f32> {
    let mut sizes: Vec<f32> = segments.map(|segment| segment.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// The lines of a column, top to bottom.
fn lines(segments: Vec<Segment>) -> Vec<ColumnLine> {
    let mut rows: Vec<Vec<Segment>> = Vec::new();
    for segment in segments {
        let is_level = |row: &Vec<Segment>| {
            row.iter()
                .any(|other| other.is_level_with(segment.baseline, segment.size))
        };
        match rows.iter().rev().take(3).position(is_level) {
            Some(back) => {
                let n = rows.len() - 1 - back;
                if let Some(row) = rows.get_mut(n) {
                    row.push(segment);
                }
            }
            None => rows.push(vec![segment]),
        }
    }
    rows.into_iter().map(line).collect()
}

fn line(mut row: Vec<Segment>) -> ColumnLine {
    row.sort_by(|a, b| a.left.total_cmp(&b.left));
    let texts: Vec<&str> = row.iter().map(|segment| segment.text.trim()).collect();
    let largest = row.iter().max_by(|a, b| a.size.total_cmp(&b.size));
    let first = row.first();
    let size = largest.map_or(0.0, |segment| segment.size);
    let baseline = largest.map_or(0.0, |segment| segment.baseline);
    ColumnLine {
        text: texts.join(" "),
        left: first.map_or(0.0, |segment| segment.left),
        right: row.iter().map(|s| s.right).fold(f32::MIN, f32::max),
        baseline,
        size,
        begins_raised: first.is_some_and(|segment| {
            segment.begins_raised
                || segment.size < size * 0.87 && segment.baseline < baseline - size * 0.1
        }),
        ..ColumnLine::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_belong_to_the_text_behind_them() {
        let segment = |text: &str, left: f32, right: f32| Segment {
            text: text.to_owned(),
            left,
            right,
            baseline: 100.0,
            size: 10.0,
            lead: text.len(),
            begins_raised: false,
        };
        let row = vec![
            segment("Waves of the open sea", 40.0, 290.0),
            segment("20.", 300.0, 312.0),
            segment("Roe J. Tides", 324.0, 400.0),
            segment("3.", 500.0, 510.0),
        ];
        let joined: Vec<(String, f32)> = with_labels(row)
            .into_iter()
            .map(|segment| (segment.text, segment.left))
            .collect();
        let expected = [
            ("Waves of the open sea", 40.0),
            ("20. Roe J. Tides", 300.0),
            ("3.", 500.0),
        ];
        assert_eq!(joined, expected.map(|(text, left)| (text.to_owned(), left)));
    }
}
