//! Decisions of people about references: "I looked, it is real" and "this is not it".
//!
//! A decision is kept with who, when and why in the file `citation-verify.toml` beside a manuscript. It holds for
//! the reference as it was written: if the reference changes, it is forgotten.

use std::collections::HashMap;

use super::verify::{Verdict, Verification};
use citation_matching::normalize::squeeze;
use citation_matching::reference::Reference;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The name of the file beside a manuscript.
pub const FILE_NAME: &str = "citation-verify.toml";

/// The maximum size of the file in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Names a reference by its letters, so that spaces and punctuation do not matter: 32 hexadecimal digits.
pub fn reference_key(text: &str) -> String {
    let hash = Sha256::digest(squeeze(text));
    let digits = hash.iter().take(16).map(|byte| format!("{byte:02x}"));
    digits.collect()
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// The reference as it was checked: `reference` of a result.
    pub reference: String,
    pub decision: Decision,
    /// Who decided.
    pub by: String,
    /// When: `2026-11-28`.
    pub date: String,
    /// The reason.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The reference is real, and right as it stands.
    Real,
    /// The work found is not the cited one.
    OtherWork,
}

impl Decision {
    /// `real`, `other_work`.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::Real => "real",
            Decision::OtherWork => "other_work",
        }
    }

    pub fn parse(text: &str) -> Option<Decision> {
        let mut all = [Decision::Real, Decision::OtherWork].into_iter();
        all.find(|decision| decision.as_str() == text)
    }
}

/// An applied decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AppliedOverride {
    #[serde(flatten)]
    pub made: Override,
    /// The verdict that it replaces.
    pub replaced: &'static str,
}

/// The decisions of a file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    list: Vec<Override>,
    /// Positions by the key of the reference.
    places: HashMap<String, usize>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverridesFile {
    #[serde(default, rename = "override")]
    overrides: Vec<Override>,
}

/// Why a file of decisions cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverridesError {
    #[error("it has more than {MAX_BYTES} bytes")]
    TooLong,
    #[error("it is not UTF-8")]
    NotText,
    #[error("{0}")]
    Syntax(String),
}

impl Overrides {
    /// Reads a file. Of two decisions about one reference the later one holds.
    pub fn read(bytes: &[u8]) -> Result<Overrides, OverridesError> {
        if bytes.len() > MAX_BYTES {
            return Err(OverridesError::TooLong);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| OverridesError::NotText)?;
        let file: OverridesFile = toml::from_str(text)
            .map_err(|cause| OverridesError::Syntax(cause.to_string().trim().to_owned()))?;
        let mut overrides = Overrides::default();
        for made in file.overrides {
            overrides.add(made);
        }
        Ok(overrides)
    }

    /// Adds a decision, in place of an earlier one about the same reference.
    pub fn add(&mut self, made: Override) {
        self.add_keyed(reference_key(&made.reference), made);
    }

    /// Adds a decision about the reference with a key.
    pub fn add_keyed(&mut self, key: String, made: Override) {
        let place = *self.places.entry(key).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some(known) => *known = made,
            None => self.list.push(made),
        }
    }

    /// The text of the file.
    pub fn written(&self) -> String {
        let file = OverridesFile {
            overrides: self.list.clone(),
        };
        toml::to_string(&file).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the decisions of others about references that have none.
    pub fn complete(&mut self, others: Overrides) {
        for (key, place) in others.places {
            if let Some(made) = others.list.get(place)
                && !self.places.contains_key(&key)
            {
                self.add_keyed(key, made.clone());
            }
        }
    }

    /// The decision about a reference, if there is one.
    pub fn about(&self, reference: &Reference) -> Option<&Override> {
        let place = self.places.get(&reference_key(&reference.text))?;
        self.list.get(*place)
    }

    /// Applies the decision about a reference, if there is one. A retraction stays one.
    pub fn apply(&self, reference: &Reference, verification: &mut Verification) {
        let Some(made) = self.about(reference) else {
            return;
        };
        let replaced = verification.verdict;
        let (verdict, message) = match (made.decision, replaced) {
            (_, Verdict::Retracted) => return,
            (Decision::Real, _) => (
                Verdict::Verified,
                "A person has found that the reference is right.",
            ),
            (Decision::OtherWork, _) => (
                Verdict::NotFound,
                "A person has found that the nearest known work is not the cited one.",
            ),
        };
        verification.verdict = verdict;
        verification.message = message;
        verification.probability = None;
        if made.decision == Decision::OtherWork {
            verification.others.extend(verification.matched.take());
        }
        verification.decided = Some(Box::new(AppliedOverride {
            made: made.clone(),
            replaced: replaced.as_str(),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        [[override]]
        reference = "Doe, J. On the tides of nowhere. 1999."
        decision = "real"
        by = "An editor"
        date = "2026-11-28"
        why = "Seen on paper."
    "#;

    fn applied(overrides: &Overrides, text: &str, verdict: Verdict) -> Verification {
        let mut verification = Verification::of(verdict, "");
        overrides.apply(&Reference::parse(text), &mut verification);
        verification
    }

    #[test]
    fn decision_holds_for_the_reference_as_it_was_written() {
        let overrides = Overrides::read(FILE.as_bytes()).unwrap();
        let found = |text: &str| applied(&overrides, text, Verdict::NotFound);
        let decided = found("Doe J: On the tides of nowhere, 1999");
        assert_eq!(decided.verdict, Verdict::Verified);
        let decided = decided.decided.expect("a decision");
        assert_eq!(
            (decided.replaced, decided.made.why.as_str()),
            ("not_found", "Seen on paper.")
        );
        let changed = found("Doe, J. On the tides of nowhere. 1998.");
        assert_eq!(changed.verdict, Verdict::NotFound);
        let retracted = applied(
            &overrides,
            "Doe, J. On the tides of nowhere. 1999.",
            Verdict::Retracted,
        );
        assert_eq!(retracted.verdict, Verdict::Retracted);
    }

    #[test]
    fn later_decision_about_a_reference_holds() {
        let mut overrides = Overrides::read(FILE.as_bytes()).unwrap();
        let mut later = overrides.list[0].clone();
        later.decision = Decision::OtherWork;
        overrides.add(later.clone());
        let again = Overrides::read(overrides.written().as_bytes()).unwrap();
        assert_eq!(again.list, [later.clone()]);
        let found = applied(&again, &later.reference, Verdict::Mismatch);
        assert_eq!(found.verdict, Verdict::NotFound);
    }

    #[test]
    fn broken_file_is_refused() {
        let check = |text: &str, expected: &str| {
            let error = Overrides::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("[[override]]\nreference = \"x\"", "missing field");
        check("[[overrides]]", "unknown field");
        check(&FILE.replace("real", "fake"), "unknown variant");
        assert!(Overrides::read(b"\xff").is_err());
    }
}
