//! Checking a list of references: given and found values side by side, with differing characters
//! marked.

use super::page::Moment;
use super::words::Words;
use super::work::{about, plain_title};
use crate::lookup::reference::Candidate;
use crate::lookup::resolve::SourceResult;
use crate::lookup::verify::{Difference, Verdict, Verification};
use askama::Template;
use citation_model::access::TextAccess;
use citation_model::variable::TextVar;

/// The page.
#[derive(Default, Template)]
#[template(path = "verify.html")]
pub struct VerifyPage<'p> {
    pub words: Words,
    /// The list as pasted.
    pub list: &'p str,
    pub rows: Vec<ReferenceView>,
    /// References not checked, since the form without script checks only a few.
    pub left_out: u64,
    /// Lines not recognised as references.
    pub around: Vec<String>,
    pub problem: Option<String>,
    /// Lookups left and allowed in 24 hours.
    pub lookups: (u64, u64),
    /// Whether the caller's plan includes manuscripts and batches.
    pub has_batches: bool,
    /// Whether plans are shown.
    pub sells_plans: bool,
    /// When the rows were checked.
    pub checked_at: Moment,
    /// Bytes of a file that is checked at once; larger ones become jobs.
    pub max_bytes: u64,
}

/// One reference and its result.
#[derive(Clone, Debug, Default)]
pub struct ReferenceView {
    /// `verified`, `mismatch`, `retracted`, `ambiguous`, `not_found`, `not_checked`,
    /// `quota_exhausted`.
    pub verdict: &'static str,
    pub given: String,
    /// Title and location of the work found.
    pub found: Option<(String, String)>,
    pub doi: Option<String>,
    /// The ways to the text of the work found.
    pub access: TextAccess,
    pub source: &'static str,
    pub differences: Vec<Difference>,
    /// Sources asked, if nothing was found.
    pub tried: Vec<SourceResult>,
    /// The position of the reference; empty if obvious.
    pub place: String,
    /// One sentence, or None.
    pub message: &'static str,
    /// Notices about the work.
    pub notices: Vec<String>,
}

impl ReferenceView {
    pub fn of(given: String, checked: Verification) -> ReferenceView {
        let matched = checked.matched.as_ref();
        let item = matched.map(|candidate| &candidate.work.item);
        ReferenceView {
            verdict: checked.verdict.as_str(),
            given,
            found: item.map(|item| (plain_title(item), about(item))),
            doi: item.and_then(|item| item.text(TextVar::Doi).map(str::to_owned)),
            access: checked.access,
            source: matched.map_or("", Candidate::source),
            differences: checked.differences,
            tried: match checked.verdict {
                Verdict::NotFound | Verdict::NotChecked => checked.tried,
                _ => Vec::new(),
            },
            ..ReferenceView::default()
        }
    }
}

impl VerifyPage<'_> {
    /// Number of rows per verdict: `Verified: 2 · Differs: 1`.
    fn counts(&self) -> String {
        let counts = Verdict::ALL.into_iter().map(|verdict| {
            let is_it = |row: &&ReferenceView| row.verdict == verdict.as_str();
            (verdict, self.rows.iter().filter(is_it).count())
        });
        let counts = counts.filter(|(_, n)| *n > 0).map(|(verdict, n)| {
            let name = self.words.name("verdict", verdict.as_str());
            format!("{name}: {n}")
        });
        counts.collect::<Vec<_>>().join(" · ")
    }
}

/// Maximum number of characters compared; longer fields are marked whole.
const MAX_COMPARED: usize = 400;

/// The minimum share of common characters, in tenths, for a comparison by character. Below it,
/// letters match by chance.
const ALIKE: usize = 7;

/// A run of characters of one of two texts.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkedRun {
    /// Whether the other text has them at the same place.
    pub is_kept: bool,
    pub text: String,
}

/// The given and the found text as runs. Unlike values differ as a whole.
pub fn marked(given: Option<&str>, found: Option<&str>) -> (Vec<MarkedRun>, Vec<MarkedRun>) {
    let characters = |text: Option<&str>| text.unwrap_or_default().chars().collect();
    let (a, b): (Vec<char>, Vec<char>) = (characters(given), characters(found));
    let (mut keep_a, mut keep_b) = common(&a, &b);
    let kept = keep_a.iter().chain(&keep_b).filter(|kept| **kept).count();
    if kept * 10 < ALIKE * (a.len() + b.len()) {
        keep_a.fill(false);
        keep_b.fill(false);
    }
    (runs(&a, &keep_a), runs(&b, &keep_b))
}

/// Which characters belong to the longest common subsequence.
fn common(a: &[char], b: &[char]) -> (Vec<bool>, Vec<bool>) {
    let (mut keep_a, mut keep_b) = (vec![false; a.len()], vec![false; b.len()]);
    if a.len() > MAX_COMPARED || b.len() > MAX_COMPARED {
        return (keep_a, keep_b);
    }
    let width = b.len() + 1;
    let mut lengths = vec![0u16; (a.len() + 1) * width];
    let length =
        |lengths: &[u16], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let best = if x == y {
                length(&lengths, i + 1, j + 1) + 1
            } else {
                length(&lengths, i + 1, j).max(length(&lengths, i, j + 1))
            };
            if let Some(slot) = lengths.get_mut(i * width + j) {
                *slot = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x == y {
            if let (Some(in_a), Some(in_b)) = (keep_a.get_mut(i), keep_b.get_mut(j)) {
                (*in_a, *in_b) = (true, true);
            }
            (i, j) = (i + 1, j + 1);
        } else if length(&lengths, i + 1, j) >= length(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    (keep_a, keep_b)
}

fn runs(characters: &[char], keep: &[bool]) -> Vec<MarkedRun> {
    let mut runs: Vec<MarkedRun> = Vec::new();
    for (character, is_kept) in characters.iter().zip(keep.iter().copied()) {
        match runs.last_mut() {
            Some(run) if run.is_kept == is_kept => run.text.push(*character),
            _ => runs.push(MarkedRun {
                is_kept,
                text: character.to_string(),
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_characters_are_marked() {
        let shown = |runs: Vec<MarkedRun>| -> String {
            let shown = runs.into_iter().map(|run| {
                if run.is_kept {
                    run.text
                } else {
                    format!("[{}]", run.text)
                }
            });
            shown.collect()
        };
        let check = |given: &str, found: &str, expected: (&str, &str)| {
            let (a, b) = marked(Some(given), Some(found));
            assert_eq!((shown(a).as_str(), shown(b).as_str()), expected);
        };
        check("1953", "1954", ("195[3]", "195[4]"));
        check("Watson", "Watson <b>", ("Watson", "Watson[ <b>]"));
        check("", "x", ("", "[x]"));
        check("same", "same", ("same", "same"));
        check("Nature", "Science", ("[Nature]", "[Science]"));
    }
}
