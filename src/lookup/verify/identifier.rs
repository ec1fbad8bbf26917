//! The identifiers of a reference that its work does not have: another work's, or registered nowhere.

use super::difference::{Difference, DifferenceReason, DifferenceSeverity};
use super::form::{form, is_same_work, title};
use crate::blocking::Job;
use crate::lookup::reference::{Candidate, MAX_IDENTIFIERS};
use crate::lookup::resolve::{LookupError, Registration, Resolver};
use crate::lookup::scope::Scope;
use citation_matching::normalize::squeeze;
use citation_matching::record::identifiers_of;
use citation_matching::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// An identifier that no candidate has, and what its registry says.
#[derive(Clone, Debug)]
pub(super) struct OpenIdentifier {
    pub identifier: Identifier,
    pub registration: Registration,
}

/// Asks the registries of the identifiers that no candidate has. An offline check leaves them unchecked.
pub(super) fn open_identifiers(
    resolver: &Resolver,
    reference: &Reference,
    candidates: &[Candidate],
    scope: Scope,
    job: &Job,
) -> Result<Vec<OpenIdentifier>, LookupError> {
    let known: Vec<Identifier> = { candidates.iter() }
        .flat_map(|candidate| identifiers_of(&candidate.work.item))
        .collect();
    let identifiers = reference.identifiers.iter().take(MAX_IDENTIFIERS);
    let open = identifiers.filter(|identifier| !has(&known, identifier));
    open.map(|identifier| {
        let registration = if scope.local_only {
            Registration::Unchecked
        } else {
            resolver.registration(identifier, job)?
        };
        Ok(OpenIdentifier {
            identifier: identifier.clone(),
            registration,
        })
    })
    .collect()
}

/// Whether an identifier is among others, without a suffix that does not belong to it.
fn has(known: &[Identifier], identifier: &Identifier) -> bool {
    let shorter = match identifier {
        Identifier::Doi(doi) => doi.shorter_forms(),
        _ => Vec::new(),
    };
    let mut shorter = shorter.into_iter().map(Identifier::Doi);
    known.contains(identifier) || shorter.any(|shorter| known.contains(&shorter))
}

/// The differences of identifiers that are registered nowhere, from a work or from none.
pub(super) fn unregistered(open: &[OpenIdentifier], matched: Option<&Item>) -> Vec<Difference> {
    let own = matched.map(identifiers_of).unwrap_or_default();
    let denied = { open.iter() }
        .filter(|open| matches!(open.registration, Registration::NotRegistered(_)))
        .map(|open| difference(&open.identifier, &own, DifferenceReason::NotRegistered));
    denied.collect()
}

/// The differences of identifiers that belong to another work than the one at `at`, among the candidates.
pub(super) fn foreign(
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
    { foreign }
        .map(|id| difference(id, &own, DifferenceReason::OtherWork))
        .collect()
}

fn difference(given: &Identifier, own: &[Identifier], reason: DifferenceReason) -> Difference {
    let found = own.iter().find(|known| known.kind() == given.kind());
    Difference {
        field: "identifier",
        given: Some(given.as_str().to_owned()),
        found: found.map(|known| known.as_str().to_owned()),
        severity: DifferenceSeverity::Critical,
        reason: Some(reason),
    }
}

/// Whether one work is the book that the other is a part of.
fn contains(book: &Candidate, part: &Candidate) -> bool {
    let container = part.work.item.text(TextVar::ContainerTitle);
    container.is_some_and(|container| squeeze(container) == title(book))
}
