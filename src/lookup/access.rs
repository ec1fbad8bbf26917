//! The ways to a work's text: an open copy that one of its sources states, and the page of the instance's
//! library. Addresses alone; nothing is fetched from them.

use std::time::Duration;

use super::resolve::{LookupError, Resolver, store_error};
use super::scope::Scope;
use crate::blocking::{Job, PoolKind};
use crate::provider::Deadline;
use crate::store::open_copies::CopyStatement;
use citation_exchange::linked::open_url;
use citation_model::access::{OpenCopy, TextAccess};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::work::{Source, Work};

/// How long an answer about open copies is kept if works are never asked for again.
const KEPT: Duration = Duration::from_secs(30 * 86_400);

impl Resolver {
    /// The ways to the text of a work, without a request.
    pub fn known_access(&self, item: &Item) -> Result<TextAccess, LookupError> {
        let statements = self.statements(&item.identifiers())?;
        Ok(self.access(item, None, &statements))
    }

    /// The same. If no source states an open copy, the services that know them are asked, unless they may not be
    /// or have said so before. A service that fails is no error: there is then no copy.
    pub fn access_or_ask(
        &self,
        work: &Work,
        scope: Scope,
        job: &Job,
    ) -> Result<TextAccess, LookupError> {
        let identifiers = work.identifiers();
        let mut statements = self.statements(&identifiers)?;
        let own = work.open_copy.as_ref();
        let known = self.access(&work.item, own, &statements);
        let doi = identifiers
            .iter()
            .find(|id| matches!(id, Identifier::Doi(_)));
        let (None, Some(doi), false) = (&known.open_copy, doi, scope.local_only) else {
            return Ok(known);
        };
        let due = { self.chains.open_copies.iter() }
            .filter(|provider| !self.has_answered(provider.name(), &statements));
        let due: Vec<_> = due.cloned().collect();
        if due.is_empty() {
            return Ok(known);
        }
        let patience = self.settings.budget;
        let asked = job.enter_pool(PoolKind::Providers, |job| {
            job.with_slot(patience, || {
                let deadline = Deadline::of(patience).for_request(job.budget());
                let answers = due.iter().filter_map(|provider| {
                    let answer = provider.find(doi, &deadline).ok()?;
                    Some(CopyStatement {
                        by: Source::parse(provider.name())?,
                        copy: answer.and_then(|work| work.open_copy),
                        stated_at: self.clock.unix(),
                    })
                });
                answers.collect::<Vec<_>>()
            })
        });
        for statement in asked.flatten().unwrap_or_default() {
            if !self.store.is_read_only() {
                self.store
                    .note_open_copy(doi, &statement)
                    .map_err(store_error)?;
            }
            statements.push(statement);
        }
        Ok(self.access(&work.item, own, &statements))
    }

    /// What the sources said about the work that has any of the identifiers.
    fn statements(&self, identifiers: &[Identifier]) -> Result<Vec<CopyStatement>, LookupError> {
        let in_records = identifiers.iter().filter(|id| id.is_in_records());
        for identifier in in_records {
            let found = self.store.open_copies(identifier).map_err(store_error)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Whether a service has answered about the work less than the age at which works are asked for again.
    fn has_answered(&self, name: &str, statements: &[CopyStatement]) -> bool {
        let after = Some(self.settings.refresh.after).filter(|after| !after.is_zero());
        let kept = i64::try_from(after.unwrap_or(KEPT).as_secs()).unwrap_or(i64::MAX);
        statements.iter().any(|statement| {
            let age = self.clock.unix().saturating_sub(statement.stated_at);
            statement.by.as_str() == name && age < kept
        })
    }

    /// `own` is the copy of a record that is not stored.
    fn access(
        &self,
        item: &Item,
        own: Option<&OpenCopy>,
        statements: &[CopyStatement],
    ) -> TextAccess {
        let stated = statements
            .iter()
            .filter_map(|statement| statement.copy.clone());
        let by_id = OpenCopy::of_item(item);
        TextAccess {
            open_copy: OpenCopy::best(own.cloned().into_iter().chain(stated).chain(by_id)),
            library_url: self.library_url(item),
        }
    }

    /// The item at the link resolver of the instance's library, as an OpenURL 1.0 in key and value pairs.
    pub fn library_url(&self, item: &Item) -> Option<String> {
        let base = self.settings.openurl_base.as_deref()?;
        let joint = if base.contains('?') { '&' } else { '?' };
        Some(format!(
            "{base}{joint}url_ver=Z39.88-2004&{}",
            open_url(item)
        ))
    }
}
