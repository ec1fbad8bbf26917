//! Verification: does a work as cited exist in the sources searched, and do the given fields agree
//! with it? A reference that could not be checked is never reported as not found.

use super::reference::{Candidate, Found, ReferenceSearch, Scope};
use super::resolve::{LookupError, Resolver, Tried};
use crate::matching::evidence::{Agreement, Evidence};
use crate::matching::explain::{FieldReport, Verdict as FieldVerdict};
use crate::matching::reference::Reference;
use crate::matching::score;
use crate::model::work::{Update, UpdateKind, UpdateRelation};

/// What became of checking one reference.
#[derive(Clone, Debug)]
pub struct Verification {
    pub verdict: Verdict,
    /// One sentence for a reader.
    pub message: &'static str,
    /// The work that the reference means, or comes nearest to.
    pub matched: Option<Candidate>,
    /// Other works that it may mean as well; only where the verdict is `Ambiguous`.
    pub others: Vec<Candidate>,
    /// Fields that disagree, the gravest first.
    pub differences: Vec<Difference>,
    /// Notices that change the matched work.
    pub updates: Vec<Update>,
    /// The sources in the order in which they were asked.
    pub tried: Vec<Tried>,
}

/// The verdicts of interface decisions, section 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Verified,
    /// The work is there, but an identifier or a key field says something else.
    Mismatch,
    /// The work is there and has been retracted or withdrawn.
    Retracted,
    /// Several works fit, or one fits too loosely to tell.
    Ambiguous,
    NotFound,
    /// A source could not be asked, or there was nothing to ask for.
    NotChecked,
}

impl Verdict {
    pub const ALL: [Verdict; 6] = [
        Verdict::Verified,
        Verdict::Mismatch,
        Verdict::Retracted,
        Verdict::Ambiguous,
        Verdict::NotFound,
        Verdict::NotChecked,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Mismatch => "mismatch",
            Verdict::Retracted => "retracted",
            Verdict::Ambiguous => "ambiguous",
            Verdict::NotFound => "not_found",
            Verdict::NotChecked => "not_checked",
        }
    }
}

/// A field in which reference and work differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    pub field: &'static str,
    pub given: Option<String>,
    pub found: Option<String>,
    pub severity: Severity,
}

/// How grave a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Another work may be meant: identifier, title, first author.
    Critical,
    /// The place of publication is wrong: year, volume, issue, page, container.
    Warning,
    /// Worth a look: the year is one off, or a word is misspelt.
    Info,
}

/// From here on a candidate that is not accepted is shown as what may be meant.
const POSSIBLE: f64 = 0.1;

/// Candidates whose scores are closer than this cannot be told apart.
const INDISTINGUISHABLE: f64 = 0.01;

/// The share of a title that has to be in the text for a candidate to be the work that a
/// reference started from.
const TITLE_RECOGNISED: f64 = 0.9;

/// The share of a field below which it is not in the text at all.
const RECOGNISED: f64 = 0.4;

/// Words below which there is nothing to check.
const FEWEST_WORDS: usize = 2;

/// Checks one reference.
pub fn verify(
    search: &ReferenceSearch,
    resolver: &Resolver,
    reference: &Reference,
    scope: Scope,
) -> Result<Verification, LookupError> {
    if is_empty(reference) {
        return Ok(Verification::of(
            Verdict::NotChecked,
            "There is too little in the reference to check: it takes two words, or an identifier.",
        ));
    }
    let found = search.find(resolver, reference, scope)?;
    Ok(judge(found))
}

/// Whether neither an identifier nor enough words are there.
fn is_empty(reference: &Reference) -> bool {
    let words = reference.tokens.iter().filter(|token| token.is_word());
    reference.identifiers.is_empty() && words.count() < FEWEST_WORDS
}

impl Verification {
    fn of(verdict: Verdict, message: &'static str) -> Verification {
        Verification {
            verdict,
            message,
            matched: None,
            others: Vec::new(),
            differences: Vec::new(),
            updates: Vec::new(),
            tried: Vec::new(),
        }
    }
}

/// The verdict on what a search has found.
fn judge(found: Found) -> Verification {
    let tried = found.tried.clone();
    let complete = found.failure.is_none();
    let mut verification = match chosen(&found) {
        Some(at) => judge_match(found, at),
        None if !complete => Verification::of(
            Verdict::NotChecked,
            "A source could not be asked, so it is not known whether the work exists.",
        ),
        None => judge_loose(found),
    };
    verification.tried = tried;
    verification
}

/// The candidate that the reference speaks of: the accepted one, else the one that its identifier
/// names, else the one that it must have started from.
fn chosen(found: &Found) -> Option<usize> {
    if found.accepted().is_some() {
        return Some(0);
    }
    found.candidates.iter().position(names).or_else(|| {
        found
            .candidates
            .iter()
            .position(|c| is_origin(&c.found.evidence))
    })
}

/// Whether the text has the candidate's identifier.
fn names(candidate: &Candidate) -> bool {
    matches!(candidate.found.evidence.identifier, Agreement::Equal(_))
}

/// Whether the work's title is in the text, whole, and it is telling by itself or has its first
/// author beside it, while the rest speaks against the work.
fn is_origin(e: &Evidence) -> bool {
    const TELLING: f64 = 4.0;
    const TELLING_WITH_AUTHOR: f64 = 1.5;
    let telling = if e.people.first >= TITLE_RECOGNISED {
        TELLING_WITH_AUTHOR
    } else {
        TELLING
    };
    e.title.share >= TITLE_RECOGNISED && e.title.weight >= telling && !e.companion_differs
}

fn judge_match(found: Found, at: usize) -> Verification {
    let mut candidates = found.candidates;
    let rivals = rivals(&candidates, at);
    let matched = candidates.swap_remove(at);
    let differences = differences(&matched);
    let updates = matched.work.updates.clone();
    let disagrees = differences.iter().any(|d| d.severity != Severity::Info);
    let (verdict, message) = if updates.iter().any(is_retraction) {
        (
            Verdict::Retracted,
            "The work has been retracted or withdrawn.",
        )
    } else if matched.score < score::ACCEPTED || disagrees {
        (
            Verdict::Mismatch,
            "The work is known, but the reference says something else of it.",
        )
    } else if !rivals.is_empty() {
        (
            Verdict::Ambiguous,
            "Several works fit the reference equally well.",
        )
    } else {
        (
            Verdict::Verified,
            "The work is known, and the reference agrees with it.",
        )
    };
    Verification {
        verdict,
        message,
        others: if verdict == Verdict::Ambiguous {
            rivals
        } else {
            Vec::new()
        },
        matched: Some(matched),
        differences,
        updates,
        tried: Vec::new(),
    }
}

fn is_retraction(update: &Update) -> bool {
    let concerns = update.relation == UpdateRelation::UpdatedBy;
    concerns && matches!(update.kind, UpdateKind::Retraction | UpdateKind::Withdrawal)
}

/// Other accepted candidates that fit as well. A work that is registered twice, under the same
/// title and in the same year, is no rival of itself.
fn rivals(candidates: &[Candidate], at: usize) -> Vec<Candidate> {
    let Some(best) = candidates
        .get(at)
        .filter(|best| best.score >= score::ACCEPTED)
    else {
        return Vec::new();
    };
    candidates
        .iter()
        .enumerate()
        .filter(|(n, other)| *n != at && other.score >= score::ACCEPTED)
        .filter(|(_, other)| best.score - other.score < INDISTINGUISHABLE)
        .filter(|(_, other)| !is_same_record(best, other))
        .map(|(_, other)| other.clone())
        .collect()
}

fn is_same_record(a: &Candidate, b: &Candidate) -> bool {
    use crate::matching::normalize::squeeze;
    use crate::model::variable::TextVar;
    let title = |c: &Candidate| squeeze(c.work.item.text(TextVar::Title).unwrap_or_default());
    title(a) == title(b) && a.work.item.year() == b.work.item.year()
}

/// Nothing was accepted, and every source has answered.
fn judge_loose(found: Found) -> Verification {
    let mut candidates = found.candidates.into_iter();
    match candidates.next().filter(|best| best.score >= POSSIBLE) {
        Some(best) => Verification {
            differences: differences(&best),
            updates: best.work.updates.clone(),
            others: candidates.filter(|c| c.score >= POSSIBLE).collect(),
            matched: Some(best),
            ..Verification::of(
                Verdict::Ambiguous,
                "A work comes near, but not near enough to tell.",
            )
        },
        None => Verification::of(
            Verdict::NotFound,
            "No such work is in the sources searched.",
        ),
    }
}

/// The fields that disagree, the gravest first.
fn differences(candidate: &Candidate) -> Vec<Difference> {
    let mut found: Vec<Difference> = candidate
        .fields
        .iter()
        .filter_map(|report| {
            let severity = severity(report, &candidate.found.evidence)?;
            Some(Difference {
                field: report.field,
                given: report.given.clone(),
                found: report.found.clone(),
                severity,
            })
        })
        .collect();
    found.sort_by_key(|difference| difference.severity);
    found
}

/// How grave it is that a field differs; nothing where it agrees or is missing on one side.
fn severity(report: &FieldReport, e: &Evidence) -> Option<Severity> {
    // What stands in the text in place of the title or the container may not have been told apart
    // from the rest; words that nothing explains give it away.
    let replaced = |share: f64, weight: f64, words: f64| {
        share < RECOGNISED && weight > 0.0 && e.unexplained.longest >= words
    };
    if report.field == "title" && replaced(e.title.share, e.title.weight, 2.0) {
        return Some(Severity::Critical);
    }
    if report.field == "container_title" && replaced(e.container.share, e.container.weight, 1.0) {
        return Some(Severity::Warning);
    }
    if matches!(report.verdict, FieldVerdict::Equal | FieldVerdict::Missing) {
        return None;
    }
    let different = report.verdict == FieldVerdict::Different;
    match report.field {
        "identifier" => different.then_some(Severity::Critical),
        "title" if different => Some(Severity::Critical),
        // A word is missing or another one stands in its place; a typing error is less.
        "title" if e.title.lacks_a_word() => Some(Severity::Warning),
        "title" => Some(Severity::Info),
        "authors" if different => Some(Severity::Critical),
        "authors" => Some(Severity::Warning),
        "year" if e.year == Agreement::Near => Some(Severity::Info),
        // `Journal of Physics` for `Journal of Chemistry`: another word stands in the place of ours.
        "container_title" if e.container.lacks_a_word() && e.unexplained.longest >= 0.5 => {
            Some(Severity::Warning)
        }
        "container_title" if !different => Some(Severity::Info),
        _ => Some(Severity::Warning),
    }
}
