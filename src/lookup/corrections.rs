//! What verification knows to be wrong in a reference, and what is right.

use std::collections::HashSet;

use super::reference::Candidate;
use super::verify::{Difference, DifferenceSeverity, Verdict, Verification, VerificationInput};
use citation_exchange::correction::Correction;
use citation_matching::explain::FieldVerdict;
use citation_model::name::Name;
use citation_model::variable::NameVar;

/// Fields about the publication, which do not identify the work.
const FACTS: [&str; 5] = ["year", "volume", "issue", "pages", "container_title"];

/// The certain errors: the work is identified even without the differing field.
pub fn corrections(given: &VerificationInput, verification: &Verification) -> Vec<Correction> {
    // Other letters of a name are no mismatch, and an error all the same.
    let is_error = |d: &&Difference| d.severity != DifferenceSeverity::Info || d.field == "authors";
    let differences = verification.differences.iter().filter(is_error);
    let matched = match (&verification.matched, verification.verdict) {
        (Some(matched), Verdict::Mismatch | Verdict::Verified) => matched,
        _ => return Vec::new(),
    };
    let fields: Vec<&str> = differences.clone().map(|d| d.field).collect();
    match fields.as_slice() {
        ["authors"] if is_identified(matched, "title") => return names(given, matched),
        ["title"] if is_identified(matched, "authors") => {}
        fields if fields.iter().all(|field| FACTS.contains(field)) => {}
        _ => return Vec::new(),
    }
    let corrections = differences.filter_map(|difference| {
        let (given, found) = (difference.given.clone()?, difference.found.clone()?);
        let is_meant = difference.field != "title" || is_nearly(&given, &found);
        is_meant.then_some(Correction {
            field: difference.field,
            given,
            found,
        })
    });
    corrections.collect()
}

/// Whether a work is identified without its title or its authors: by the other of the two, and by its
/// identifier or its unique pages.
fn is_identified(matched: &Candidate, other: &str) -> bool {
    let is_equal = |name: &str| {
        let mut fields = matched.fields.iter();
        fields.any(|field| field.field == name && field.verdict == FieldVerdict::Equal)
    };
    let is_in = is_equal("container_title") || is_equal("volume");
    let is_placed = is_in && is_equal("year") && is_equal("pages");
    is_equal(other) && (is_equal("identifier") || is_placed)
}

/// Whether two titles share two thirds of their words; a missing subtitle is not an error.
fn is_nearly(given: &str, found: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (given, found) = (words(given), words(found));
    let known: HashSet<&String> = found.iter().collect();
    let shared = given.iter().filter(|word| known.contains(word)).count();
    shared * 3 >= given.len().max(found.len()) * 2
}

/// Family names that replace others in the same position with the same initials.
fn names(given: &VerificationInput, matched: &Candidate) -> Vec<Correction> {
    let printed = given.printed.as_ref().map_or(&given.reference, |p| &p.text);
    let item = &matched.work.item;
    let known = [NameVar::Author, NameVar::Editor]
        .map(|variable| item.names(variable))
        .into_iter()
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let has = |names: &[Name], family: &str| {
        let is_it = |name: &Name| name.family.as_deref() == Some(family);
        names.iter().any(is_it)
    };
    let initial = |name: &Name| {
        let first = name.given.as_ref().and_then(|given| given.chars().next());
        first.map(|c| c.to_lowercase().collect::<String>())
    };
    let mut corrections = Vec::new();
    for (given, found) in printed.names.iter().zip(known) {
        let (Some(is), Some(should_be)) = (&given.family, &found.family) else {
            return Vec::new();
        };
        if is.to_lowercase() == should_be.to_lowercase() {
            continue;
        }
        let is_another = has(known, is) || has(&printed.names, should_be);
        if is_another || initial(given).is_none() || initial(given) != initial(found) {
            return Vec::new();
        }
        corrections.push(Correction {
            field: "author",
            given: is.clone(),
            found: should_be.clone(),
        });
    }
    if printed.names.len() <= known.len() {
        corrections
    } else {
        Vec::new()
    }
}
