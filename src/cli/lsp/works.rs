//! Works beyond the project: those of the corpus, their formatted entries, and what is known of them.

use std::sync::Arc;

use super::project::Project;
use crate::app::App;
use crate::blocking::Job;
use crate::config::Config;
use crate::formatting::{Formatter, StyleChoice};
use crate::lookup::scope::Scope;
use crate::lookup::verify::{Verdict, VerificationInput};
use crate::styles::Styles;
use citation_csl::OutputFormat;
use citation_exchange::key_pattern::Pattern;
use citation_exchange::{self as exchange, BIBLATEX, WriteOptions, keys};
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::work::standing_retraction;

/// Opened once; without a database there is no corpus.
pub struct Library {
    pub config: Config,
    pub styles: Styles,
    pub app: Option<Arc<App>>,
    pub style: Option<String>,
    pub local_only: bool,
}

/// The result of checking an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedEntry {
    pub severity: Severity,
    /// `retracted`, `mismatch`, `not_found`.
    pub code: &'static str,
    pub message: String,
}

/// In the protocol's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error = 1,
    Warning = 2,
    Information = 3,
    Hint = 4,
}

impl Library {
    fn scope(&self) -> Scope {
        Scope {
            user: None,
            local_only: self.local_only,
        }
    }

    /// Works of the corpus for a key that is being typed: `watson1953dna` asks for watson, 1953 and dna.
    pub fn search(&self, typed: &str, most: usize) -> Vec<Item> {
        let Some(app) = &self.app else {
            return Vec::new();
        };
        let query = Reference::parse(&words(typed));
        let job = Job::unbounded(Budget::unlimited());
        let found = app
            .references
            .find(&app.lookup, &query, Scope::local(), &job);
        let candidates = found.map(|found| found.candidates).unwrap_or_default();
        let candidates = candidates.into_iter().take(most);
        candidates.map(|candidate| candidate.work.item).collect()
    }

    /// The work of an identifier.
    pub fn find(&self, identifier: &Identifier) -> Result<Item, String> {
        let app = self
            .app
            .as_ref()
            .ok_or("there is no database; `citation lsp --init` creates it")?;
        let job = Job::unbounded(Budget::unlimited());
        let found = app.lookup.resolve(self.scope(), identifier, &job);
        let found = found.map_err(|cause| cause.to_string())?;
        let work = found
            .work
            .ok_or_else(|| format!("no source has {identifier}"))?;
        Ok(work.item)
    }

    /// The entry in the style, in Markdown.
    pub fn formatted(&self, item: &Item) -> String {
        let job = Job::unbounded(Budget::unlimited());
        let formatter = Formatter {
            styles: &self.styles,
            settings: &self.config.format,
            user: None,
            job: &job,
        };
        let choice = StyleChoice::named(self.style.clone(), None);
        let made = formatter.in_dialect(vec![item.clone()], &choice, OutputFormat::Markdown);
        made.map(|text| text.trim().to_owned()).unwrap_or_default()
    }

    /// What the local works say against an item: its retraction.
    pub fn warning(&self, item: &Item) -> Option<String> {
        let app = self.app.as_ref()?;
        let identifier = Identifier::Doi(item.doi()?);
        let found = app.lookup.local(Scope::local(), &identifier).ok()??;
        let work = found.work?;
        let notice = standing_retraction(&work.updates)?;
        Some(format!("This work is retracted ({}).", notice.doi))
    }

    /// A new key for a work, and its entry in BibTeX.
    pub fn new_entry(&self, project: &Project, item: &Item) -> Option<(String, String)> {
        let bare = Item {
            id: String::new(),
            ..item.clone()
        };
        let base = keys::assign(std::slice::from_ref(&bare), &Pattern::default());
        let base = base.into_iter().next()?;
        let letters = std::iter::once(String::new()).chain(('a'..='z').map(String::from));
        let key = { letters.map(|letter| format!("{base}{letter}")) }
            .find(|key| project.entry(key).is_none())?;
        let keyed = Item {
            id: key.clone(),
            ..bare
        };
        let options = WriteOptions::default();
        let entry = exchange::write(&[keyed], &BIBLATEX, &options, &Budget::unlimited());
        Some((key, entry.ok()?))
    }

    /// Checks an entry; `None` if nothing speaks against it.
    pub fn check(&self, item: &Item) -> Option<CheckedEntry> {
        let app = self.app.as_ref()?;
        let given = VerificationInput::from(Reference::of_item(item));
        let job = Job::unbounded(Budget::unlimited());
        let found = given.verify(&app.references, &app.lookup, self.scope(), &job);
        let found = found.ok()?;
        let (severity, code) = match found.verdict {
            Verdict::Retracted => (Severity::Error, "retracted"),
            Verdict::Mismatch => (Severity::Warning, "mismatch"),
            // Local works alone do not say that a work does not exist.
            Verdict::NotFound if !self.local_only => (Severity::Warning, "not_found"),
            Verdict::NotFound => (Severity::Hint, "not_found"),
            Verdict::Verified
            | Verdict::Ambiguous
            | Verdict::NotChecked
            | Verdict::QuotaExhausted => return None,
        };
        let mut message = found.message.to_owned();
        for difference in &found.differences {
            let show = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
            let (given, found) = (show(&difference.given), show(&difference.found));
            message.push_str(&format!("\n{}: {given} → {found}", difference.field));
        }
        Some(CheckedEntry {
            severity,
            code,
            message,
        })
    }
}

/// The words of a key: letters and digits apart, and a capital begins a word.
fn words(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 8);
    let mut before = ' ';
    for c in key.chars() {
        let is_part = c.is_alphanumeric();
        let begins = c.is_uppercase() && before.is_lowercase()
            || c.is_numeric() != before.is_numeric() && before.is_alphanumeric();
        if !is_part || begins {
            words.push(' ');
        }
        if is_part {
            words.push(c);
        }
        before = c;
    }
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_words() {
        let check = |key: &str, expected: &str| assert_eq!(words(key), expected);
        check("watson1953dna", "watson 1953 dna");
        check("WatsonCrick1953", "Watson Crick 1953");
        check("watson:1953_a", "watson 1953 a");
        check("müller20", "müller 20");
    }
}
