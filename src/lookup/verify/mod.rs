//! Verification: does a cited work exist in the sources searched, and do its fields agree with
//! the reference? A reference that could not be checked is never reported as not found.

mod difference;
mod field;
mod form;
mod identifier;
pub mod probability;
mod record;
mod rivals;

pub use difference::{Difference, DifferenceReason, DifferenceSeverity};
pub use field::{FieldCheck, FieldStatus};
pub use form::{OtherForm, WorkForm};
pub use record::SourceValue;
pub use rivals::rivals;

use super::overrides::AppliedOverride;
use super::reference::{AskedIdentifiers, Candidate, ReferenceSearch, SearchOutcome};
use super::resolve::{LookupError, Resolver, SourceResult};
use super::scope::Scope;
use crate::blocking::Job;
use crate::config::Strictness;
use citation_matching::certainty::Certainty;
use citation_matching::duplicate;
use citation_matching::evidence::{Agreement, Evidence};
use citation_matching::explain::{FieldVerdict, explain};
use citation_matching::mark_cut_people;
use citation_matching::rank;
use citation_matching::reference::Reference;
use citation_model::access::TextAccess;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::{Update, standing_retraction};
use difference::{differences, differences_of, is_confirmed, means_other_work};
use form::{form_that_agrees, named_form, other_forms};
use identifier::OpenIdentifier;

/// The result of checking one reference.
#[derive(Clone, Debug)]
pub struct Verification {
    pub verdict: Verdict,
    /// One sentence for a reader.
    pub message: &'static str,
    /// The probability that the verdict is right, 0 to 1; `None` if it decides nothing.
    pub probability: Option<f64>,
    /// The decision of a person that the verdict follows.
    pub decided: Option<Box<AppliedOverride>>,
    /// The work that the reference refers to, or the nearest one.
    pub matched: Option<Candidate>,
    /// Other works that match as well if the verdict is `Ambiguous`, and the nearest work if it is `NotFound`.
    pub others: Vec<Candidate>,
    /// Differing fields, most severe first.
    pub differences: Vec<Difference>,
    /// Every field of the reference and the work, and which source says so.
    pub fields: Vec<FieldCheck>,
    /// Other records of the matched work, under identifiers of their own.
    pub forms: Vec<OtherForm>,
    /// Notices about the matched work.
    pub updates: Vec<Update>,
    /// The ways to the text of the matched work.
    pub access: TextAccess,
    /// The sources in the order of the requests.
    pub tried: Vec<SourceResult>,
}

/// The verdicts of interface decisions, section 9.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
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

    /// Whether the sources have answered.
    pub fn is_answer(self) -> bool {
        !matches!(self, Verdict::NotChecked | Verdict::QuotaExhausted)
    }
}

impl Verification {
    /// Whether the check costs a lookup: if the sources have answered, unless the work is a local one and
    /// such works are free.
    pub fn costs(&self, local_works_are_free: bool) -> bool {
        let is_local = self.matched.as_ref().is_some_and(|found| found.is_local);
        self.verdict.is_answer() && !(is_local && local_works_are_free)
    }
}

/// The share of a title that the text must contain for a candidate to be the work behind a
/// reference.
const TITLE_RECOGNISED: f64 = 0.9;

/// Fewer words than this cannot be checked.
const MIN_WORDS: usize = 2;

/// Checks one reference.
pub fn verify(
    search: &ReferenceSearch,
    resolver: &Resolver,
    reference: &Reference,
    scope: Scope,
    job: &Job,
) -> Result<Verification, LookupError> {
    if is_empty(reference) {
        return Ok(Verification::of(
            Verdict::NotChecked,
            "The reference is too short to check: it needs two words, or an identifier.",
        ));
    }
    let found = search.find_asking(AskedIdentifiers::All, resolver, reference, scope, job)?;
    let candidates = &found.candidates;
    let open = identifier::open_identifiers(resolver, reference, candidates, scope, job)?;
    let mut verification = judge(reference, found, &open, job.budget())?;
    if let Some(matched) = &verification.matched {
        verification.access = resolver.known_access(&matched.work.item)?;
    }
    verification.assess(search.strictness());
    Ok(verification)
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
        scope: Scope,
        job: &Job,
    ) -> Result<Verification, LookupError> {
        let mut verification = verify(search, resolver, &self.reference, scope, job)?;
        if let Some(printed) = &self.printed {
            verification.compare_with_printed(printed, job.budget())?;
            verification.assess(search.strictness());
        }
        Ok(verification)
    }
}

/// Reads the style of the list from the printed texts: how many people of each work it names.
pub fn apply_list_style<'i>(inputs: impl Iterator<Item = &'i mut VerificationInput>) {
    mark_cut_people(inputs.map(|input| match &mut input.printed {
        Some(printed) => &mut printed.text,
        None => &mut input.reference,
    }));
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
    reference.identifiers.is_empty() && words.count() < MIN_WORDS
}

impl Verification {
    /// A verdict without details.
    pub fn of(verdict: Verdict, message: &'static str) -> Verification {
        Verification {
            verdict,
            message,
            probability: None,
            decided: None,
            matched: None,
            others: Vec::new(),
            differences: Vec::new(),
            fields: Vec::new(),
            forms: Vec::new(),
            updates: Vec::new(),
            access: TextAccess::default(),
            tried: Vec::new(),
        }
    }

    /// Sets the probability of the verdict, which is ambiguous if it is not sure enough.
    fn assess(&mut self, strictness: Strictness) {
        self.probability = probability::probability(self);
        if probability::is_too_unsure(self, strictness) {
            self.verdict = Verdict::Ambiguous;
            self.message = match strictness {
                Strictness::Strict => {
                    "The reference agrees with a known work, but not surely enough for a strict check."
                }
                _ => {
                    "The reference differs from a known work, but not surely enough for a lenient check."
                }
            };
        }
    }

    /// Adds the differences between the printed list and the embedded work.
    fn compare_with_printed(&mut self, printed: &Printed, budget: &Budget) -> Result<(), Exceeded> {
        if !matches!(self.verdict, Verdict::Verified | Verdict::Mismatch) {
            return Ok(());
        }
        let known: Vec<&str> = self.differences.iter().map(|d| d.field).collect();
        let mut further = printed.differences(budget)?;
        further.retain(|d| d.severity != DifferenceSeverity::Info && !known.contains(&d.field));
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
fn judge(
    reference: &Reference,
    found: SearchOutcome,
    open: &[OpenIdentifier],
    budget: &Budget,
) -> Result<Verification, Exceeded> {
    let tried = found.tried.clone();
    let complete = found.failure.is_none();
    let mut verification = match chosen(reference, &found) {
        Some(at) => judge_match(reference, found, at, open, budget)?,
        None if !complete => Verification {
            fields: field::unmatched(reference, open),
            ..Verification::of(
                Verdict::NotChecked,
                "A source could not be asked, so the work may exist there.",
            )
        },
        None => judge_loose(reference, found, open),
    };
    verification.tried = tried;
    Ok(verification)
}

/// The candidate that the reference refers to: the accepted one, else the one with its
/// identifier, else the one that it must be based on. The nearest of several other works is none. An identifier
/// whose work has another title and other authors is a slip if the reference must be based on a candidate.
fn chosen(reference: &Reference, found: &SearchOutcome) -> Option<usize> {
    let candidates = &found.candidates;
    let is_other = |c: &Candidate| is_another_work(reference, c) && differs(c, "year");
    if let Some(best) = found.accepted() {
        return (!is_other(best) || names(best)).then_some(0);
    }
    let is_based = |c: &Candidate| {
        let has_parts = is_origin(&c.found.evidence) || is_retitled(reference, c) || is_placed(c);
        has_parts && !is_other(c)
    };
    let named = candidates.iter().position(names);
    let is_slip = |at: usize| {
        candidates
            .get(at)
            .is_some_and(|c| is_another_work(reference, c))
    };
    let based = || candidates.iter().position(is_based);
    match named {
        Some(named) if is_slip(named) => based().or(Some(named)),
        Some(named) => Some(named),
        None => based(),
    }
}

/// Whether the reference has all authors and the year of a work, and a good part of its title.
fn is_retitled(reference: &Reference, candidate: &Candidate) -> bool {
    const TITLE_SHARE: f64 = 0.6;
    const MIN_PEOPLE: usize = 2;
    let is_equal = |name: &str| {
        let mut fields = candidate.fields.iter();
        fields.any(|report| report.field == name && report.verdict == FieldVerdict::Equal)
    };
    let e = &candidate.found.evidence;
    reference.names_listed
        && e.people.known >= MIN_PEOPLE
        && e.title.share >= TITLE_SHARE
        && !e.companion_differs
        && is_equal("authors")
        && is_equal("year")
}

/// Whether the reference has the first author, the year and the place of a work: a place holds one work, whatever
/// title stands with it.
fn is_placed(candidate: &Candidate) -> bool {
    let is_equal = |name: &str| {
        let mut fields = candidate.fields.iter();
        fields.any(|report| report.field == name && report.verdict == FieldVerdict::Equal)
    };
    let e = &candidate.found.evidence;
    e.people.first >= TITLE_RECOGNISED
        && !e.companion_differs
        && ["year", "pages", "container_title"]
            .into_iter()
            .all(is_equal)
}

/// Whether title and authors both are another work's.
fn is_another_work(reference: &Reference, candidate: &Candidate) -> bool {
    let share = candidate.found.evidence.title.share;
    let is_told = reference.names_listed || share < TITLE_RECOGNISED;
    is_told && differs(candidate, "title") && differs(candidate, "authors")
}

fn differs(candidate: &Candidate, field: &str) -> bool {
    let is_grave = |d: &Difference| d.field == field && d.severity != DifferenceSeverity::Info;
    differences_of(candidate).iter().any(is_grave)
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

/// The verdict on the record of the work that agrees best with the reference.
fn judge_match(
    reference: &Reference,
    found: SearchOutcome,
    at: usize,
    open: &[OpenIdentifier],
    budget: &Budget,
) -> Result<Verification, Exceeded> {
    let mut candidates = found.candidates;
    let at = form_that_agrees(&candidates, at);
    let rivals = rivals(&candidates, at);
    let mut foreign = identifier::foreign(reference, &candidates, at);
    let forms = other_forms(&candidates, at);
    let records = record::of_publication(reference, &candidates, at, budget)?;
    let matched = candidates.swap_remove(at);
    foreign.extend(identifier::unregistered(open, Some(&matched.work.item)));
    let named = named_form(reference, &matched, &forms);
    let mut differences = differences_from_match(&matched, named.is_some(), foreign);
    record::settle(&mut differences, &records);
    differences.sort_by_key(|difference| difference.severity);
    let (verdict, message) = verdict_on_match(&matched, &differences, &rivals, named);
    Ok(Verification {
        verdict,
        message,
        probability: None,
        decided: None,
        others: if verdict == Verdict::Ambiguous {
            rivals
        } else {
            Vec::new()
        },
        updates: matched.work.updates.clone(),
        fields: field::checks(&matched, &differences, &records, open),
        matched: Some(matched),
        differences,
        forms,
        access: TextAccess::default(),
        tried: Vec::new(),
    })
}

/// The differences of a reference from its work. An identifier of another form of the work is a minor one, and
/// the identifiers of other works come first.
fn differences_from_match(
    matched: &Candidate,
    names_other_form: bool,
    foreign: Vec<Difference>,
) -> Vec<Difference> {
    let mut differences = differences_of(matched);
    if names_other_form {
        for difference in differences.iter_mut().filter(|d| d.field == "identifier") {
            difference.severity = DifferenceSeverity::Info;
        }
    }
    differences.retain(|d| d.field != "identifier" || foreign.iter().all(|f| f.given != d.given));
    differences.splice(0..0, foreign);
    differences
}

/// The verdict and its message. A retraction outweighs differences, unless they mean another work.
fn verdict_on_match(
    matched: &Candidate,
    differences: &[Difference],
    rivals: &[Candidate],
    named: Option<WorkForm>,
) -> (Verdict, &'static str) {
    let is_retracted = standing_retraction(&matched.work.updates).is_some();
    if is_retracted && !differences.iter().any(means_other_work) {
        return (
            Verdict::Retracted,
            "The work has been retracted or withdrawn.",
        );
    }
    if differences
        .iter()
        .any(|d| d.severity != DifferenceSeverity::Info)
    {
        let message = if is_cited_as_published(matched, differences) {
            "A preprint of the work is known, but not the publication that the reference cites."
        } else {
            "The work is known, but the reference differs from it."
        };
        return (Verdict::Mismatch, message);
    }
    if !rivals.is_empty() {
        return (
            Verdict::Ambiguous,
            "Several works match the reference equally well.",
        );
    }
    if matched.certainty() < Certainty::Accepted && !key_fields_agree(matched) {
        return (
            Verdict::Ambiguous,
            "A work is similar, but the reference has too little information to decide.",
        );
    }
    let is_settled = |d: &Difference| d.reason == Some(DifferenceReason::SourcesDisagree);
    let message = match named {
        Some(form) => form.message(),
        None if differences.iter().any(is_settled) => {
            "The work is known, and the reference agrees with it in all fields in which the sources agree."
        }
        None => "The work is known, and the reference agrees with it.",
    };
    (Verdict::Verified, message)
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

/// Whether a reference cites a journal, a book or a number for a work known only as a preprint.
fn is_cited_as_published(matched: &Candidate, differences: &[Difference]) -> bool {
    let of_place = |d: &Difference| {
        let place = ["year", "volume", "issue", "pages", "container_title"];
        d.severity == DifferenceSeverity::Info || place.contains(&d.field)
    };
    duplicate::is_preprint(&matched.work.item) && differences.iter().all(of_place)
}

/// The verdict if nothing was accepted, and every source has answered.
fn judge_loose(
    reference: &Reference,
    found: SearchOutcome,
    open: &[OpenIdentifier],
) -> Verification {
    let mut candidates = found.candidates.into_iter();
    let possible = |c: &Candidate| c.certainty() >= Certainty::Possible;
    let best = candidates.next().filter(possible);
    let not_found = |message| Verification {
        differences: identifier::unregistered(open, None),
        fields: field::unmatched(reference, open),
        ..Verification::of(Verdict::NotFound, message)
    };
    match best {
        Some(best) if is_another_work(reference, &best) => Verification {
            others: vec![best],
            ..not_found(
                "No source searched has the work; the nearest known one has another title and other authors.",
            )
        },
        Some(best) => {
            let mut differences = identifier::unregistered(open, Some(&best.work.item));
            differences.extend(differences_of(&best));
            Verification {
                fields: field::checks(&best, &differences, &[], open),
                differences,
                updates: best.work.updates.clone(),
                others: candidates.filter(possible).collect(),
                matched: Some(best),
                ..Verification::of(
                    Verdict::Ambiguous,
                    "A work is similar, but not similar enough to decide.",
                )
            }
        }
        None => not_found("No source searched has the work."),
    }
}
