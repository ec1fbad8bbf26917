//! Verification: does a cited work exist in the sources searched, and do its fields agree with
//! the reference? A reference that could not be checked is never reported as not found.

use super::reference::{Candidate, ReferenceSearch, Scope, SearchOutcome};
use super::resolve::{LookupError, Resolver, Tried};
use crate::blocking::Job;
use citation_matching::duplicate::{self, Veto};
use citation_matching::evidence::{Agreement, Evidence};
use citation_matching::explain::{FieldReport, Verdict as FieldVerdict, explain};
use citation_matching::normalize::squeeze;
use citation_matching::rank;
use citation_matching::record::{answerable, identifiers_of};
use citation_matching::reference::Reference;
use citation_matching::score;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::{Update, Work};

/// The result of checking one reference.
#[derive(Clone, Debug)]
pub struct Verification {
    pub verdict: Verdict,
    /// One sentence for a reader.
    pub message: &'static str,
    /// The work that the reference refers to, or the nearest one.
    pub matched: Option<Candidate>,
    /// Other works that match as well; only if the verdict is `Ambiguous`.
    pub others: Vec<Candidate>,
    /// Differing fields, most severe first.
    pub differences: Vec<Difference>,
    /// Other records of the matched work, under identifiers of their own.
    pub forms: Vec<OtherForm>,
    /// Notices about the matched work.
    pub updates: Vec<Update>,
    /// The sources in the order of the requests.
    pub tried: Vec<Tried>,
}

/// The verdicts of interface decisions, section 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Verified,
    /// The work exists, but an identifier or a key field differs.
    Mismatch,
    /// The work exists and has been retracted or withdrawn.
    Retracted,
    /// Several works match, or the only match is too weak.
    Ambiguous,
    NotFound,
    /// A source failed, or there was nothing to search for.
    NotChecked,
    /// Not checked, because the caller's lookups are used up.
    QuotaExhausted,
}

impl Verdict {
    pub const ALL: [Verdict; 7] = [
        Verdict::Verified,
        Verdict::Mismatch,
        Verdict::Retracted,
        Verdict::Ambiguous,
        Verdict::NotFound,
        Verdict::NotChecked,
        Verdict::QuotaExhausted,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Mismatch => "mismatch",
            Verdict::Retracted => "retracted",
            Verdict::Ambiguous => "ambiguous",
            Verdict::NotFound => "not_found",
            Verdict::NotChecked => "not_checked",
            Verdict::QuotaExhausted => "quota_exhausted",
        }
    }

    /// Whether the sources have answered: then the check costs a lookup.
    pub fn is_answer(self) -> bool {
        !matches!(self, Verdict::NotChecked | Verdict::QuotaExhausted)
    }
}

/// Another record of a work, with its own identifier.
#[derive(Clone, Debug)]
pub struct OtherForm {
    pub form: Form,
    pub work: Work,
}

/// The relation of another record to a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Preprint,
    /// The publication of a preprint.
    Published,
    /// The same publication, registered twice.
    Registration,
    Translation,
    /// The original of a translation.
    Original,
}

impl Form {
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Preprint => "preprint",
            Form::Published => "published",
            Form::Registration => "registration",
            Form::Translation => "translation",
            Form::Original => "original",
        }
    }

    /// The message if a reference has the identifier of this form and the fields of another.
    fn message(self) -> &'static str {
        match self {
            Form::Preprint => {
                "The work is known, and the reference agrees with it; its identifier is that of the preprint."
            }
            Form::Published => {
                "The preprint is known, and the reference agrees with it; its identifier is that of the \
                 published work."
            }
            Form::Registration => {
                "The work is known, and the reference agrees with it; it is registered under two identifiers."
            }
            Form::Translation => {
                "The work is known, and the reference agrees with it; its identifier is that of a translation."
            }
            Form::Original => {
                "The translation is known, and the reference agrees with it; its identifier is that of \
                 the original."
            }
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

/// The severity of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Another work may be meant: identifier, title, first author.
    Critical,
    /// Wrong publication details: year, volume, issue, page, container.
    Warning,
    /// Minor: the year is off by one, or a word is misspelt.
    Info,
}

/// Candidates whose scores are closer than this cannot be distinguished.
const INDISTINGUISHABLE: f64 = 0.01;

/// The share of a title that the text must contain for a candidate to be the work behind a
/// reference.
const TITLE_RECOGNISED: f64 = 0.9;

/// The share of a field below which the text does not contain it.
const RECOGNISED: f64 = 0.4;

/// Fewer words than this cannot be checked.
const FEWEST_WORDS: usize = 2;

/// Checks one reference, for a user or an anonymous caller.
pub fn verify(
    search: &ReferenceSearch,
    resolver: &Resolver,
    reference: &Reference,
    user: Option<i64>,
    scope: Scope,
    job: &Job,
) -> Result<Verification, LookupError> {
    if is_empty(reference) {
        return Ok(Verification::of(
            Verdict::NotChecked,
            "The reference is too short to check: it needs two words, or an identifier.",
        ));
    }
    let found = search.find(resolver, reference, user, scope, job)?;
    Ok(judge(reference, found))
}

/// What is checked: a reference, and its printed form if a document embeds the work itself.
#[derive(Clone, Debug)]
pub struct VerificationInput {
    pub reference: Reference,
    pub printed: Option<Box<Printed>>,
}

/// An entry of a printed list, and the work that the document embeds for it.
#[derive(Clone, Debug)]
pub struct Printed {
    pub text: Reference,
    pub item: Item,
}

impl VerificationInput {
    pub fn text(text: &str) -> VerificationInput {
        VerificationInput::from(Reference::parse(text))
    }

    /// Checks the reference like [`verify`], and then whether the list prints the work as the document
    /// embeds it.
    pub fn verify(
        &self,
        search: &ReferenceSearch,
        resolver: &Resolver,
        user: Option<i64>,
        scope: Scope,
        job: &Job,
    ) -> Result<Verification, LookupError> {
        let mut verification = verify(search, resolver, &self.reference, user, scope, job)?;
        if let Some(printed) = &self.printed {
            verification.compare_with_printed(printed, job.budget())?;
        }
        Ok(verification)
    }
}

impl From<Reference> for VerificationInput {
    fn from(reference: Reference) -> VerificationInput {
        VerificationInput {
            reference,
            printed: None,
        }
    }
}

impl Printed {
    /// The differences between the printed text and the embedded work.
    fn differences(&self, budget: &Budget) -> Result<Vec<Difference>, Exceeded> {
        let ranked = rank::rank(&self.text, [&self.item], budget)?;
        let Some(found) = ranked.first() else {
            return Ok(Vec::new());
        };
        let alignment = explain(&self.text, &self.item, found);
        Ok(differences(&alignment, &found.evidence))
    }
}

/// Whether there is neither an identifier nor enough words.
fn is_empty(reference: &Reference) -> bool {
    let words = reference.tokens.iter().filter(|token| token.is_word());
    reference.identifiers.is_empty() && words.count() < FEWEST_WORDS
}

impl Verification {
    /// A verdict without details.
    pub fn of(verdict: Verdict, message: &'static str) -> Verification {
        Verification {
            verdict,
            message,
            matched: None,
            others: Vec::new(),
            differences: Vec::new(),
            forms: Vec::new(),
            updates: Vec::new(),
            tried: Vec::new(),
        }
    }

    /// Adds the differences between the printed list and the embedded work.
    fn compare_with_printed(&mut self, printed: &Printed, budget: &Budget) -> Result<(), Exceeded> {
        if !matches!(self.verdict, Verdict::Verified | Verdict::Mismatch) {
            return Ok(());
        }
        let known: Vec<&str> = self.differences.iter().map(|d| d.field).collect();
        let mut further = printed.differences(budget)?;
        further.retain(|d| d.severity != Severity::Info && !known.contains(&d.field));
        if self.verdict == Verdict::Verified && !further.is_empty() {
            self.verdict = Verdict::Mismatch;
            self.message = "The work is known, but the printed list differs from the document's \
                            embedded record.";
        }
        self.differences.extend(further);
        self.differences
            .sort_by_key(|difference| difference.severity);
        Ok(())
    }
}

/// The verdict on the result of a search.
fn judge(reference: &Reference, found: SearchOutcome) -> Verification {
    let tried = found.tried.clone();
    let complete = found.failure.is_none();
    let mut verification = match chosen(&found) {
        Some(at) => judge_match(reference, found, at),
        None if !complete => Verification::of(
            Verdict::NotChecked,
            "A source could not be asked, so the work may exist there.",
        ),
        None => judge_loose(found),
    };
    verification.tried = tried;
    verification
}

/// The candidate that the reference refers to: the accepted one, else the one with its
/// identifier, else the one that it must be based on.
fn chosen(found: &SearchOutcome) -> Option<usize> {
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

/// Whether the text contains the candidate's identifier.
fn names(candidate: &Candidate) -> bool {
    matches!(candidate.found.evidence.identifier, Agreement::Equal(_))
}

/// Whether the text contains the work's whole title, and the title is distinctive by itself or its first
/// author is there too, while the other fields contradict the work.
fn is_origin(e: &Evidence) -> bool {
    const TELLING: f64 = 4.0;
    const TELLING_WITH_AUTHOR: f64 = 1.3;
    let telling = if e.people.first >= TITLE_RECOGNISED {
        TELLING_WITH_AUTHOR
    } else {
        TELLING
    };
    e.title.share >= TITLE_RECOGNISED && e.title.weight >= telling && !e.companion_differs
}

fn judge_match(reference: &Reference, found: SearchOutcome, at: usize) -> Verification {
    let mut candidates = found.candidates;
    let at = form_that_agrees(&candidates, at);
    let rivals = rivals(&candidates, at);
    let foreign = foreign_identifiers(reference, &candidates, at);
    let forms = other_forms(&candidates, at);
    let matched = candidates.swap_remove(at);
    let named = named_form(reference, &matched, &forms);
    let mut differences = differences_of(&matched);
    if named.is_some() {
        for difference in differences.iter_mut().filter(|d| d.field == "identifier") {
            difference.severity = Severity::Info;
        }
        differences.sort_by_key(|difference| difference.severity);
    }
    differences.retain(|d| d.field != "identifier" || foreign.iter().all(|f| f.given != d.given));
    differences.splice(0..0, foreign);
    let updates = matched.work.updates.clone();
    let disagrees = differences.iter().any(|d| d.severity != Severity::Info);
    let is_retracted = updates.iter().any(Update::is_retraction);
    let (verdict, message) = if is_retracted && !differences.iter().any(means_other_work) {
        (
            Verdict::Retracted,
            "The work has been retracted or withdrawn.",
        )
    } else if disagrees {
        let message = if is_cited_as_published(&matched, &differences) {
            "A preprint of the work is known, but not the publication that the reference cites."
        } else {
            "The work is known, but the reference differs from it."
        };
        (Verdict::Mismatch, message)
    } else if !rivals.is_empty() {
        (
            Verdict::Ambiguous,
            "Several works match the reference equally well.",
        )
    } else if matched.score < score::ACCEPTED && !key_fields_agree(&matched) {
        (
            Verdict::Ambiguous,
            "A work is similar, but the reference has too little information to decide.",
        )
    } else {
        (
            Verdict::Verified,
            named.map_or(
                "The work is known, and the reference agrees with it.",
                Form::message,
            ),
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
        forms,
        updates,
        tried: Vec::new(),
    }
}

/// Whether a difference means that the reference is about another work.
fn means_other_work(difference: &Difference) -> bool {
    let names_the_work = matches!(difference.field, "identifier" | "title");
    names_the_work && difference.severity == Severity::Critical
}

/// Whether title, first author and year are given and agree, as far as the work has them. The record may
/// then lack other fields of the reference.
fn key_fields_agree(candidate: &Candidate) -> bool {
    let agrees = |field: &str| {
        let report = candidate.fields.iter().find(|report| report.field == field);
        report.is_none_or(|report| report.found.is_none() || is_confirmed(report))
    };
    let titled = candidate.work.item.text(TextVar::Title).is_some();
    titled && ["title", "authors", "year"].into_iter().all(agrees)
}

fn is_confirmed(report: &FieldReport) -> bool {
    matches!(report.verdict, FieldVerdict::Equal | FieldVerdict::Similar)
}

/// Identifiers of the reference that belong to another work than the one at `at`, among the
/// candidates.
fn foreign_identifiers(
    reference: &Reference,
    candidates: &[Candidate],
    at: usize,
) -> Vec<Difference> {
    let Some(best) = candidates.get(at) else {
        return Vec::new();
    };
    let own = identifiers_of(&best.work.item);
    let owner = |id: &Identifier| {
        let has = |other: &&Candidate| identifiers_of(&other.work.item).contains(id);
        candidates.iter().find(has)
    };
    let foreign = reference.identifiers.iter().filter(|id| {
        let is_of_work = |other: &Candidate| {
            is_same_work(best, other) || form(best, other).is_some() || contains(other, best)
        };
        let other = owner(id).filter(|other| !is_of_work(other));
        !own.contains(id) && other.is_some()
    });
    foreign
        .map(|id| Difference {
            field: "identifier",
            given: Some(id.as_str().to_owned()),
            found: own
                .iter()
                .find(|known| known.kind() == id.kind())
                .map(|known| known.as_str().to_owned()),
            severity: Severity::Critical,
        })
        .collect()
}

/// The index of the record that agrees best with a reference, among those of the work at `at`. A
/// preprint and its article are one work, and the reference may have the identifier of one and
/// the volume of the other.
fn form_that_agrees(candidates: &[Candidate], at: usize) -> usize {
    let Some(best) = candidates.get(at) else {
        return at;
    };
    let disagreements = |candidate: &Candidate| {
        let differences = differences_of(candidate).into_iter();
        let grave = |d: &Difference| d.severity != Severity::Info && d.field != "identifier";
        differences.filter(grave).count()
    };
    let forms = candidates.iter().enumerate();
    let forms = forms.filter(|(n, other)| *n == at || form(best, other).is_some());
    forms
        .min_by_key(|(n, candidate)| (disagreements(candidate), *n != at))
        .map_or(at, |(n, _)| n)
}

/// The other records of the work at `at` among the candidates.
fn other_forms(candidates: &[Candidate], at: usize) -> Vec<OtherForm> {
    let Some(best) = candidates.get(at) else {
        return Vec::new();
    };
    let others = candidates.iter().enumerate().filter(|(n, _)| *n != at);
    others
        .filter_map(|(_, other)| {
            Some(OtherForm {
                form: form(best, other)?,
                work: other.work.clone(),
            })
        })
        .collect()
}

/// The form whose identifier a reference has, if it has none of the matched record's.
fn named_form(reference: &Reference, matched: &Candidate, forms: &[OtherForm]) -> Option<Form> {
    let has = |item: &Item| {
        let known = identifiers_of(item);
        reference.identifiers.iter().any(|id| known.contains(id))
    };
    let named = forms.iter().find(|other| has(&other.work.item));
    named
        .map(|other| other.form)
        .filter(|_| !has(&matched.work.item))
}

/// Whether a reference cites a journal, a book or a number for a work known only as a preprint.
fn is_cited_as_published(matched: &Candidate, differences: &[Difference]) -> bool {
    let of_place = |d: &Difference| {
        let place = ["year", "volume", "issue", "pages", "container_title"];
        d.severity == Severity::Info || place.contains(&d.field)
    };
    duplicate::is_preprint(&matched.work.item) && differences.iter().all(of_place)
}

/// The relation of another record to this one; `None` if it is another work.
fn form(best: &Candidate, other: &Candidate) -> Option<Form> {
    let (a, b) = (&best.work.item, &other.work.item);
    if is_translation_of(b, a) {
        return Some(Form::Translation);
    }
    if is_translation_of(a, b) {
        return Some(Form::Original);
    }
    if !is_same_work(best, other) || title(best).is_empty() {
        return None;
    }
    match (duplicate::is_preprint(a), duplicate::is_preprint(b)) {
        (false, true) => return Some(Form::Preprint),
        (true, false) => return Some(Form::Published),
        _ => {}
    }
    let compared = duplicate::compare(a, b);
    let one_publication = compared
        .vetoes
        .iter()
        .all(|veto| *veto == Veto::OtherIdentifier);
    let placed = ["year", "volume", "issue", "pages", "container_title"];
    let conflicts = compared.conflicting_fields();
    let is_moved = placed.iter().any(|field| conflicts.contains(field));
    (one_publication && !is_moved && a.year() == b.year()).then_some(Form::Registration)
}

/// Whether a record names the title of another one as its original. Names do not help, since
/// they are in different scripts.
fn is_translation_of(translation: &Item, original: &Item) -> bool {
    let text = |item: &Item, variable| squeeze(item.text(variable).unwrap_or_default());
    let title = text(translation, TextVar::OriginalTitle);
    !title.is_empty()
        && title == text(original, TextVar::Title)
        && title != text(translation, TextVar::Title)
}

/// Whether two records are versions or editions of one work: same title and first author.
fn is_same_work(a: &Candidate, b: &Candidate) -> bool {
    let first = |c: &Candidate| {
        let names = answerable(&c.work.item);
        names.first().map(|name| squeeze(&name.heading()))
    };
    title(a) == title(b) && first(a) == first(b)
}

/// Whether one work is the book that the other is a part of.
fn contains(book: &Candidate, part: &Candidate) -> bool {
    let container = part.work.item.text(TextVar::ContainerTitle);
    container.is_some_and(|container| squeeze(container) == title(book))
}

fn title(candidate: &Candidate) -> String {
    squeeze(candidate.work.item.text(TextVar::Title).unwrap_or_default())
}

/// Other candidates that match as well: accepted ones with nearly the same score, and those that
/// agree in every field in which this one does. Another registration of the same work, with the same
/// title and year, is not a rival.
fn rivals(candidates: &[Candidate], at: usize) -> Vec<Candidate> {
    let Some(best) = candidates.get(at) else {
        return Vec::new();
    };
    let is_accepted = |candidate: &Candidate| candidate.score >= score::ACCEPTED;
    let is_close = |other: &Candidate| {
        let apart = best.score - other.score;
        is_accepted(best) && is_accepted(other) && apart < INDISTINGUISHABLE
    };
    candidates
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != at)
        .filter(|(_, other)| is_close(other) || agrees_like(other, best))
        .filter(|(_, other)| !is_same_record(best, other) && form(best, other).is_none())
        .map(|(_, other)| other.clone())
        .collect()
}

/// Whether a candidate agrees with the reference in every field in which the best one does, and never differs.
fn agrees_like(other: &Candidate, best: &Candidate) -> bool {
    let confirmed = best.fields.iter().filter(|report| is_confirmed(report));
    let shared = |report: &FieldReport| {
        let same = |field: &&FieldReport| field.field == report.field;
        other.fields.iter().find(same).is_some_and(is_confirmed)
    };
    let titled = confirmed.clone().any(|report| report.field == "title");
    let is_about = other.found.evidence.companion_differs;
    titled && !is_about && confirmed.into_iter().all(shared) && differences_of(other).is_empty()
}

fn is_same_record(a: &Candidate, b: &Candidate) -> bool {
    title(a) == title(b) && a.work.item.year() == b.work.item.year()
}

/// The verdict if nothing was accepted, and every source has answered.
fn judge_loose(found: SearchOutcome) -> Verification {
    let mut candidates = found.candidates.into_iter();
    match candidates
        .next()
        .filter(|best| best.score >= score::POSSIBLE)
    {
        Some(best) => Verification {
            differences: differences_of(&best),
            updates: best.work.updates.clone(),
            others: candidates.filter(|c| c.score >= score::POSSIBLE).collect(),
            matched: Some(best),
            ..Verification::of(
                Verdict::Ambiguous,
                "A work is similar, but not similar enough to decide.",
            )
        },
        None => Verification::of(Verdict::NotFound, "No source searched has the work."),
    }
}

fn differences_of(candidate: &Candidate) -> Vec<Difference> {
    differences(&candidate.fields, &candidate.found.evidence)
}

/// The differing fields, most severe first.
fn differences(fields: &[FieldReport], evidence: &Evidence) -> Vec<Difference> {
    let mut found: Vec<Difference> = fields
        .iter()
        .filter_map(|report| {
            let severity = severity(report, evidence)?;
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

/// The severity of a differing field; `None` if it agrees or is missing on one side.
fn severity(report: &FieldReport, e: &Evidence) -> Option<Severity> {
    // The parser may not have separated the text in place of the title or the container;
    // unexplained words indicate a difference.
    let replaced = |share: f64, weight: f64, words: f64| {
        let found = is_confirmed(report);
        !found && share < RECOGNISED && weight > 0.0 && e.unexplained.longest >= words
    };
    if report.field == "title" && replaced(e.title.share, e.title.weight, 2.0) {
        return Some(Severity::Critical);
    }
    if report.field == "container_title" && replaced(e.container.share, e.container.weight, 1.0) {
        return Some(Severity::Warning);
    }
    match report.verdict {
        FieldVerdict::Equal | FieldVerdict::Missing => None,
        FieldVerdict::Similar => Some(severity_of_likeness(report, e)),
        FieldVerdict::Different => Some(match report.field {
            "identifier" | "title" | "authors" => Severity::Critical,
            _ => Severity::Warning,
        }),
    }
}

/// The severity of a nearly equal field.
fn severity_of_likeness(report: &FieldReport, e: &Evidence) -> Severity {
    let grave = match report.field {
        // A word is missing or replaced; a typing error is less severe.
        "title" => e.title.lacks_a_word(),
        // A record may have only the first author.
        "authors" => e.people.known > 1 || e.people.first < SURELY,
        // `Journal of Physics` for `Journal of Chemistry`: a word is replaced.
        "container_title" => {
            let is_there = e.container.share >= RECOGNISED;
            is_there && e.container.lacks_a_word() && e.unexplained.longest >= 0.5
        }
        _ => true,
    };
    if grave {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// With this share or more a name counts as found.
const SURELY: f64 = 0.97;
