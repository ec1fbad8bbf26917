//! The records of one work under identifiers of their own: preprint and article, translation and original, a
//! publication registered twice.

use super::difference::{Difference, DifferenceSeverity, differences_of};
use crate::lookup::reference::Candidate;
use citation_matching::duplicate::{self, Veto};
use citation_matching::normalize::squeeze;
use citation_matching::record::{answerable, identifiers_of};
use citation_matching::reference::Reference;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::Work;

/// Another record of a work, with its own identifier.
#[derive(Clone, Debug)]
pub struct OtherForm {
    pub form: WorkForm,
    pub work: Work,
}

/// The relation of another record to a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkForm {
    Preprint,
    /// The publication of a preprint.
    Published,
    /// Another publication: of a conference, in a journal, another edition.
    Version,
    /// The same publication, registered twice.
    Registration,
    Translation,
    /// The original of a translation.
    Original,
}

impl WorkForm {
    pub fn as_str(self) -> &'static str {
        match self {
            WorkForm::Preprint => "preprint",
            WorkForm::Published => "published",
            WorkForm::Version => "version",
            WorkForm::Registration => "registration",
            WorkForm::Translation => "translation",
            WorkForm::Original => "original",
        }
    }

    /// The message if a reference has the identifier of this form and the fields of another.
    pub(super) fn message(self) -> &'static str {
        match self {
            WorkForm::Preprint => {
                "The work is known, and the reference agrees with it; its identifier is that of the preprint."
            }
            WorkForm::Published => {
                "The preprint is known, and the reference agrees with it; its identifier is that of the \
                 published work."
            }
            WorkForm::Version => {
                "The work is known, and the reference agrees with it; its identifier is that of another version."
            }
            WorkForm::Registration => {
                "The work is known, and the reference agrees with it; it is registered under two identifiers."
            }
            WorkForm::Translation => {
                "The work is known, and the reference agrees with it; its identifier is that of a translation."
            }
            WorkForm::Original => {
                "The translation is known, and the reference agrees with it; its identifier is that of \
                 the original."
            }
        }
    }
}

/// The index of the record that agrees best with a reference, among those of the work at `at`. A
/// preprint and its article are one work, and the reference may have the identifier of one and
/// the volume of the other.
pub(super) fn form_that_agrees(candidates: &[Candidate], at: usize) -> usize {
    let Some(best) = candidates.get(at) else {
        return at;
    };
    let disagreements = |candidate: &Candidate| {
        let differences = differences_of(candidate).into_iter();
        let grave =
            |d: &Difference| d.severity != DifferenceSeverity::Info && d.field != "identifier";
        differences.filter(grave).count()
    };
    let forms = candidates.iter().enumerate();
    let forms = forms.filter(|(n, other)| *n == at || form(best, other).is_some());
    forms
        .min_by_key(|(n, candidate)| (disagreements(candidate), *n != at))
        .map_or(at, |(n, _)| n)
}

/// The other records of the work at `at` among the candidates.
pub(super) fn other_forms(candidates: &[Candidate], at: usize) -> Vec<OtherForm> {
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
pub(super) fn named_form(
    reference: &Reference,
    matched: &Candidate,
    forms: &[OtherForm],
) -> Option<WorkForm> {
    let has = |item: &Item| {
        let known = identifiers_of(item);
        reference.identifiers.iter().any(|id| known.contains(id))
    };
    let named = forms.iter().find(|other| has(&other.work.item));
    named
        .map(|other| other.form)
        .filter(|_| !has(&matched.work.item))
}

/// The relation of another record to this one; `None` if it is another work.
pub(super) fn form(best: &Candidate, other: &Candidate) -> Option<WorkForm> {
    let (a, b) = (&best.work.item, &other.work.item);
    if is_translation_of(b, a) {
        return Some(WorkForm::Translation);
    }
    if is_translation_of(a, b) {
        return Some(WorkForm::Original);
    }
    if !is_same_work(best, other) || title(best).is_empty() {
        return None;
    }
    match (duplicate::is_preprint(a), duplicate::is_preprint(b)) {
        (false, true) => return Some(WorkForm::Preprint),
        (true, false) => return Some(WorkForm::Published),
        _ => {}
    }
    let compared = duplicate::compare(a, b);
    let vetoes = &compared.vetoes;
    let one_publication = vetoes.iter().all(|veto| *veto == Veto::OtherIdentifier);
    let placed = ["year", "volume", "issue", "pages", "container_title"];
    let conflicts = compared.conflicting_fields();
    let is_moved = placed.iter().any(|field| conflicts.contains(field));
    let is_registered_twice = one_publication && !is_moved && a.year() == b.year();
    if is_registered_twice || is_same_publication(best, other) {
        return Some(WorkForm::Registration);
    }
    let has_same_authors = compared.matched_fields().contains(&"authors");
    let title_weight = best.found.evidence.title.weight;
    let is_version = |veto: &Veto| {
        use Veto::{OtherEdition, OtherIdentifier, OtherPlace, YearsApart};
        matches!(
            veto,
            OtherEdition | OtherIdentifier | OtherPlace | YearsApart
        )
    };
    let is_moved = is_moved || vetoes.contains(&Veto::OtherEdition) || a.year() != b.year();
    (is_moved && has_same_authors && title_weight >= TELLING && vetoes.iter().all(is_version))
        .then_some(WorkForm::Version)
}

/// Whether two records without a common identifier are of one publication: all but one of the fields that place
/// it agree, at least two.
pub(super) fn is_same_publication(a: &Candidate, b: &Candidate) -> bool {
    const MIN_AGREEING: usize = 2;
    const MAX_CONFLICTS: usize = 1;
    let (first, second) = (&a.work.item, &b.work.item);
    if !is_same_work(a, b) || duplicate::is_preprint(first) != duplicate::is_preprint(second) {
        return false;
    }
    let compared = duplicate::compare(first, second);
    let count = |fields: Vec<&'static str>| {
        let placed = ["year", "volume", "pages", "container_title"];
        fields.iter().filter(|field| placed.contains(field)).count()
    };
    let may_be_one = |veto: &Veto| {
        use Veto::{OtherIdentifier, OtherPlace, YearsApart};
        matches!(veto, OtherIdentifier | OtherPlace | YearsApart)
    };
    compared.vetoes.iter().all(may_be_one)
        && count(compared.matched_fields()) >= MIN_AGREEING
        && count(compared.conflicting_fields()) <= MAX_CONFLICTS
}

/// The weight from which a title says, together with the authors, which work it is; `Annual report` does not.
const TELLING: f64 = 1.3;

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
pub(super) fn is_same_work(a: &Candidate, b: &Candidate) -> bool {
    let first = |c: &Candidate| {
        let names = answerable(&c.work.item);
        names.first().map(|name| squeeze(&name.heading()))
    };
    title(a) == title(b) && first(a) == first(b)
}

pub(super) fn title(candidate: &Candidate) -> String {
    squeeze(candidate.work.item.text(TextVar::Title).unwrap_or_default())
}
