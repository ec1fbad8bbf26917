//! Verification: does a work as cited exist in the sources searched, and do the given fields agree
//! with it? A reference that could not be checked is never reported as not found.

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
    /// Other records of the matched work, under identifiers of their own.
    pub forms: Vec<OtherForm>,
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
    /// Not checked, since the lookups of whoever asked were used up.
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

/// Another record of a work, under an identifier of its own.
#[derive(Clone, Debug)]
pub struct OtherForm {
    pub form: Form,
    pub work: Work,
}

/// What another record of a work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Preprint,
    /// What became of a preprint.
    Published,
    /// The same publication, registered twice.
    Registration,
    Translation,
    /// What a translation was made of.
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

    /// What a reader is told where a reference has the identifier of this form, and the rest of another.
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

/// Candidates whose scores are closer than this cannot be told apart.
const INDISTINGUISHABLE: f64 = 0.01;

/// The share of a title that has to be in the text for a candidate to be the work that a
/// reference started from.
const TITLE_RECOGNISED: f64 = 0.9;

/// The share of a field below which it is not in the text at all.
const RECOGNISED: f64 = 0.4;

/// Words below which there is nothing to check.
const FEWEST_WORDS: usize = 2;

/// Checks one reference, for a user or for nobody in particular.
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
            "There is too little in the reference to check: it takes two words, or an identifier.",
        ));
    }
    let found = search.find(resolver, reference, user, scope, job)?;
    Ok(judge(reference, found))
}

/// What is checked: a reference, and what is printed of it where a document carries the work itself.
#[derive(Clone, Debug)]
pub struct Given {
    pub reference: Reference,
    pub printed: Option<Box<Printed>>,
}

/// An entry of a printed list, and the work that the document says it is.
#[derive(Clone, Debug)]
pub struct Printed {
    pub text: Reference,
    pub item: Item,
}

impl Given {
    pub fn text(text: &str) -> Given {
        Given::from(Reference::parse(text))
    }

    /// Checks the reference as [`verify`] does, and then whether the list prints the work as the document
    /// carries it.
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
            verification.hold_against(printed, job.budget())?;
        }
        Ok(verification)
    }
}

impl From<Reference> for Given {
    fn from(reference: Reference) -> Given {
        Given {
            reference,
            printed: None,
        }
    }
}

impl Printed {
    /// Where the printed text says something else than the carried work.
    fn differences(&self, budget: &Budget) -> Result<Vec<Difference>, Exceeded> {
        let ranked = rank::rank(&self.text, [&self.item], budget)?;
        let Some(found) = ranked.first() else {
            return Ok(Vec::new());
        };
        let alignment = explain(&self.text, &self.item, found);
        Ok(differences(&alignment, &found.evidence))
    }
}

/// Whether neither an identifier nor enough words are there.
fn is_empty(reference: &Reference) -> bool {
    let words = reference.tokens.iter().filter(|token| token.is_word());
    reference.identifiers.is_empty() && words.count() < FEWEST_WORDS
}

impl Verification {
    /// A verdict that nothing stands beside.
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

    /// Adds where the list prints the work otherwise than the document carries it.
    fn hold_against(&mut self, printed: &Printed, budget: &Budget) -> Result<(), Exceeded> {
        if !matches!(self.verdict, Verdict::Verified | Verdict::Mismatch) {
            return Ok(());
        }
        let known: Vec<&str> = self.differences.iter().map(|d| d.field).collect();
        let mut further = printed.differences(budget)?;
        further.retain(|d| d.severity != Severity::Info && !known.contains(&d.field));
        if self.verdict == Verdict::Verified && !further.is_empty() {
            self.verdict = Verdict::Mismatch;
            self.message = "The work is known, but the list prints something else of it than the document's \
                            own record.";
        }
        self.differences.extend(further);
        self.differences
            .sort_by_key(|difference| difference.severity);
        Ok(())
    }
}

/// The verdict on what a search has found.
fn judge(reference: &Reference, found: SearchOutcome) -> Verification {
    let tried = found.tried.clone();
    let complete = found.failure.is_none();
    let mut verification = match chosen(&found) {
        Some(at) => judge_match(reference, found, at),
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

/// Whether the text has the candidate's identifier.
fn names(candidate: &Candidate) -> bool {
    matches!(candidate.found.evidence.identifier, Agreement::Equal(_))
}

/// Whether the work's title is in the text, whole, and it is telling by itself or has its first
/// author beside it, while the rest speaks against the work.
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
    let (verdict, message) = if is_retracted && !differences.iter().any(speaks_of_another) {
        (
            Verdict::Retracted,
            "The work has been retracted or withdrawn.",
        )
    } else if disagrees {
        let message = if is_cited_as_published(&matched, &differences) {
            "A preprint of the work is known, but not the publication that the reference cites."
        } else {
            "The work is known, but the reference says something else of it."
        };
        (Verdict::Mismatch, message)
    } else if !rivals.is_empty() {
        (
            Verdict::Ambiguous,
            "Several works fit the reference equally well.",
        )
    } else if matched.score < score::ACCEPTED && !agrees_in_essence(&matched) {
        (
            Verdict::Ambiguous,
            "A work comes near, but the reference says too little to tell.",
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

/// Whether a difference says that the reference speaks of another work than the one found.
fn speaks_of_another(difference: &Difference) -> bool {
    let names_the_work = matches!(difference.field, "identifier" | "title");
    names_the_work && difference.severity == Severity::Critical
}

/// Whether title, first author and year are given and agree, as far as the work has them. The rest
/// may then be missing from the record, or be more than it has.
fn agrees_in_essence(candidate: &Candidate) -> bool {
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

/// Where the record stands that a reference agrees with best, among those of the work at `at`. A
/// preprint and its article are one work, and the reference may have the identifier of the one and
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

/// The form whose identifier a reference has, where it has none of the matched record's.
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

/// Whether a reference cites a journal, a book or a number for a work of which a preprint is known.
fn is_cited_as_published(matched: &Candidate, differences: &[Difference]) -> bool {
    let of_place = |d: &Difference| {
        let place = ["year", "volume", "issue", "pages", "container_title"];
        d.severity == Severity::Info || place.contains(&d.field)
    };
    duplicate::is_preprint(&matched.work.item) && differences.iter().all(of_place)
}

/// What another record is to this one; nothing where it is another work.
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

/// Whether a record has the title of another one as that of its original. Their names are no help,
/// since each is written in its own letters.
fn is_translation_of(translation: &Item, original: &Item) -> bool {
    let text = |item: &Item, variable| squeeze(item.text(variable).unwrap_or_default());
    let title = text(translation, TextVar::OriginalTitle);
    !title.is_empty()
        && title == text(original, TextVar::Title)
        && title != text(translation, TextVar::Title)
}

/// Whether two records are versions or editions of one work: title and first author are the same.
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

/// Other candidates that fit as well: accepted ones with nearly the same score, and those that
/// agree in everything in which this one does. A work that is registered twice, under the same
/// title and in the same year, is no rival of itself.
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
        .filter(|(_, other)| is_close(other) || agrees_as_far(other, best))
        .filter(|(_, other)| !is_same_record(best, other) && form(best, other).is_none())
        .map(|(_, other)| other.clone())
        .collect()
}

/// Whether a candidate agrees with the reference wherever the best one does, and nowhere differs.
fn agrees_as_far(other: &Candidate, best: &Candidate) -> bool {
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

/// Nothing was accepted, and every source has answered.
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
                "A work comes near, but not near enough to tell.",
            )
        },
        None => Verification::of(
            Verdict::NotFound,
            "No such work is in the sources searched.",
        ),
    }
}

fn differences_of(candidate: &Candidate) -> Vec<Difference> {
    differences(&candidate.fields, &candidate.found.evidence)
}

/// The fields that disagree, the gravest first.
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

/// How grave it is that a field differs; nothing where it agrees or is missing on one side.
fn severity(report: &FieldReport, e: &Evidence) -> Option<Severity> {
    // What stands in the text in place of the title or the container may not have been told apart
    // from the rest; words that nothing explains give it away.
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

/// How grave it is that a field is nearly the same.
fn severity_of_likeness(report: &FieldReport, e: &Evidence) -> Severity {
    let grave = match report.field {
        // A word is missing or another one stands in its place; a typing error is less.
        "title" => e.title.lacks_a_word(),
        // A record may know of the first author alone.
        "authors" => e.people.known > 1 || e.people.first < SURELY,
        // `Journal of Physics` for `Journal of Chemistry`: another word stands in the place of ours.
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

/// From here on a name is found as it is.
const SURELY: f64 = 0.97;
