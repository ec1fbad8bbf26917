//! Works whose sources are to be asked again: which are due, and the queue of those that were answered
//! meanwhile. The resolver asks.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use citation_model::identifier::Identifier;
use citation_model::work::{Source, UpdateKind, Work};

/// When stored works are asked for again.
#[derive(Clone, Debug, Default)]
pub struct RefreshSettings {
    /// The age from which a work is asked for again. Zero: never.
    pub after: Duration,
    /// The same for a work with an expression of concern.
    pub concern_after: Duration,
    /// The same for the works of some sources, instead of `after`.
    pub by_source: Vec<(Source, Duration)>,
}

/// The maximum number of waiting works. More are noted when they are next answered.
const MAX_WAITING: usize = 1_000;

/// The maximum number of works whose last attempt is remembered.
const MAX_REMEMBERED: usize = 20_000;

/// Seconds between two attempts for one work: a failed source is not asked at each answer.
const RETRY_SECONDS: i64 = 3_600;

/// The works to ask for again, each once.
#[derive(Debug, Default)]
pub struct RefreshQueue {
    settings: RefreshSettings,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    queue: VecDeque<Identifier>,
    /// When each work that waits, or was asked for recently, was added: Unix seconds.
    added: HashMap<Identifier, i64>,
}

impl RefreshQueue {
    pub fn new(settings: RefreshSettings) -> RefreshQueue {
        RefreshQueue {
            settings,
            waiting: Mutex::default(),
        }
    }

    /// Whether a work whose sources were last asked at `asked_at` is due at `now`, both Unix seconds.
    /// An entry of a collection says nothing about its sources: it may be due.
    pub fn is_due(&self, work: &Work, asked_at: i64, now: i64) -> bool {
        let limit = self.limit(work);
        if limit.is_zero() {
            return false;
        }
        let age = now.saturating_sub(asked_at);
        work.provenance.source == Source::Collection
            || u64::try_from(age).is_ok_and(|age| age >= limit.as_secs())
    }

    fn limit(&self, work: &Work) -> Duration {
        let settings = &self.settings;
        let of_source = settings.by_source.iter();
        let mut of_source = of_source.filter(|(source, _)| *source == work.provenance.source);
        let limit = of_source.next().map_or(settings.after, |(_, after)| *after);
        let is_doubtful = work
            .updates
            .iter()
            .any(|update| update.concerns_work() && update.kind == UpdateKind::ExpressionOfConcern);
        if is_doubtful && !limit.is_zero() {
            limit.min(settings.concern_after)
        } else {
            limit
        }
    }

    /// Adds a work, unless it waits already or was asked for within the last hour.
    pub fn add(&self, identifier: Identifier, now: i64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |added: &i64| now.saturating_sub(*added) < RETRY_SECONDS;
        if waiting.added.get(&identifier).is_some_and(is_recent) {
            return;
        }
        if waiting.added.len() >= MAX_REMEMBERED {
            waiting.added.retain(|_, added| is_recent(added));
        }
        let is_full = waiting.queue.len() >= MAX_WAITING || waiting.added.len() >= MAX_REMEMBERED;
        if !is_full {
            waiting.added.insert(identifier.clone(), now);
            waiting.queue.push_back(identifier);
        }
    }

    /// The work that has waited longest.
    pub fn take(&self) -> Option<Identifier> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.queue.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::identifier::Doi;
    use citation_model::item::Item;
    use citation_model::work::{Provenance, Update, UpdateRelation};

    const DAY: u64 = 86_400;

    fn queue() -> RefreshQueue {
        RefreshQueue::new(RefreshSettings {
            after: Duration::from_secs(30 * DAY),
            concern_after: Duration::from_secs(DAY),
            by_source: vec![
                (Source::Arxiv, Duration::from_secs(2 * DAY)),
                (Source::Local, Duration::ZERO),
            ],
        })
    }

    fn work(source: Source, kinds: &[UpdateKind]) -> Work {
        let provenance = Provenance {
            source,
            record_id: String::new(),
            url: None,
            license: None,
            fetched_at: 0,
        };
        let mut work = Work::new(Item::default(), provenance);
        work.updates.extend(kinds.iter().map(|kind| Update {
            kind: *kind,
            relation: UpdateRelation::UpdatedBy,
            doi: Doi::parse("10.1000/notice").unwrap(),
            date: None,
            source: String::new(),
            reasons: Vec::new(),
        }));
        work
    }

    /// Whether a work is due a second before and at the given age in days.
    #[track_caller]
    fn check(source: Source, kinds: &[UpdateKind], days: u64) {
        let (queue, work) = (queue(), work(source, kinds));
        let at = (days * DAY) as i64;
        assert!(!queue.is_due(&work, 0, at - 1));
        assert!(queue.is_due(&work, 0, at));
    }

    #[test]
    fn age_depends_on_source_and_notices() {
        use UpdateKind::{Correction, ExpressionOfConcern};
        check(Source::Crossref, &[], 30);
        check(Source::Crossref, &[Correction], 30);
        check(Source::Crossref, &[Correction, ExpressionOfConcern], 1);
        check(Source::Arxiv, &[], 2);
        let local = work(Source::Local, &[ExpressionOfConcern]);
        assert!(!queue().is_due(&local, 0, i64::MAX), "turned off");
        let own = work(Source::Collection, &[]);
        assert!(queue().is_due(&own, 100, 100));
    }

    #[test]
    fn work_waits_once_and_is_retried_after_an_hour() {
        let (queue, doi) = (queue(), Identifier::parse("10.1000/a").unwrap());
        queue.add(doi.clone(), 0);
        queue.add(doi.clone(), 10);
        assert_eq!(queue.take(), Some(doi.clone()));
        assert_eq!(queue.take(), None);
        queue.add(doi.clone(), RETRY_SECONDS - 1);
        assert_eq!(queue.take(), None);
        queue.add(doi.clone(), RETRY_SECONDS);
        assert_eq!(queue.take(), Some(doi));
    }
}
