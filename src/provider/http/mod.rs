//! The HTTP client of all providers: limits of time, size, rate and redirects, classified
//! failures, useful retries.

mod answer;
mod budget;
mod conditional;
mod failure;

pub use answer::{AnswerBody, ProviderAnswer};
pub use budget::ProviderBudget;
pub use conditional::{RecordRequest, Refreshed};

use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use ureq::unversioned::resolver::DefaultResolver;
use url::Url;

use self::answer::content_type;
use self::failure::{Failure, failure, jittered, refused_redirect, retry_after, timed_out};
use super::address::PublicResolver;
use super::breaker::{Breaker, Permit};
use super::deadline::Deadline;
use super::error::{ProviderError, ProviderErrorKind, ProviderResult};
use super::gate::{Gate, Pace, TooLong};
use super::http_url;
use super::stats::{Counters, ProviderStats};
use super::watch::{self, ReadWatch};
use crate::clock;
use crate::config::{KeyPlace, ProviderName, ProviderSettings, Secret};
use citation_model::identifier::Identifier;
use citation_model::work::{Validator, Work};
use citation_records::RecordError;

/// The client of one provider.
pub struct Client {
    provider: &'static str,
    /// `None` if it is not in the table.
    row: Option<ProviderName>,
    settings: ProviderSettings,
    base: Result<Url, String>,
    user_agent: String,
    /// Only sent to the base address.
    credential: Option<Credential>,
    /// Further origins that may be in the operator's own network.
    trusted: Vec<Url>,
    /// How to handle an answer over the size limit.
    overlong: Overlong,
    /// For the base address and the trusted origins, which may be any.
    own: Agent,
    /// For redirect targets, which must be public.
    foreign: Agent,
    gate: Gate,
    pace: Pace,
    breaker: Breaker,
    counters: Counters,
    budget: Mutex<Option<ProviderBudget>>,
}

/// What identifies the operator to a provider.
enum Credential {
    Header(&'static str, HeaderValue),
    /// A parameter of the query. It is added when a request is sent, so that no address with it is ever
    /// stored or logged.
    Parameter(&'static str, Secret),
}

/// The representation that is asked for.
#[derive(Clone, Copy)]
struct Wanted<'w> {
    accept: &'w str,
    /// What came with the stored one.
    known: Option<&'w Validator>,
}

/// How to handle an answer over the size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlong {
    Refuse,
    /// Truncate it.
    Cut,
}

/// Size from which an answer is large, in bytes. Parsed JSON takes many times its size.
const LARGE: usize = 64 * 1024;

/// Maximum number of large answers parsed at the same time, over all providers: a deep one of 4 MiB takes some
/// 160 MiB.
static PARSING: Gate = Gate::new(1);

/// Size from which an answer is huge, in bytes. Real ones are smaller.
const HUGE: usize = 256 * 1024;

/// Maximum number of huge answers held at the same time, over all providers.
static HELD: Gate = Gate::new(MAX_HELD);
const MAX_HELD: usize = 3;

/// Maximum number of redirects.
const MAX_REDIRECTS: usize = 3;

/// The pause before the first retry; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The configured API key, if the provider takes one and it is valid.
fn api_key(name: ProviderName, settings: &ProviderSettings) -> Option<Credential> {
    let key = Some(&settings.api_key).filter(|key| !key.is_empty())?;
    match name.key_use().sent_in {
        KeyPlace::Nowhere => None,
        KeyPlace::Parameter(parameter) => Some(Credential::Parameter(parameter, key.clone())),
        KeyPlace::Header(header, prefix) => {
            let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.reveal())).ok()?;
            value.set_sensitive(true);
            Some(Credential::Header(header, value))
        }
    }
}

impl Client {
    pub fn new(name: ProviderName, settings: ProviderSettings) -> Client {
        Client {
            row: Some(name),
            credential: api_key(name, &settings),
            ..Client::of_other(name.id(), settings)
        }
    }

    /// A client of a service that is not a provider of works.
    pub fn of_other(provider: &'static str, settings: ProviderSettings) -> Client {
        let capacity = usize::try_from(settings.max_in_flight)
            .unwrap_or(usize::MAX)
            .max(1);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // A proxy would resolve names itself, which would bypass the check of addresses.
            .proxy(None)
            .timeout_connect(Some(settings.connect_timeout()))
            .timeout_resolve(Some(settings.connect_timeout()))
            .max_idle_connections_per_host(capacity.min(32))
            .build();
        let (own_resolver, resolver) = (
            DefaultResolver::default(),
            PublicResolver::<DefaultResolver>::default(),
        );
        Client {
            provider,
            row: None,
            base: http_url::parse(settings.base_url.as_str()),
            user_agent: settings.user_agent(),
            credential: None,
            trusted: Vec::new(),
            overlong: Overlong::Refuse,
            own: Agent::with_parts(config.clone(), watch::connector(), own_resolver),
            foreign: Agent::with_parts(config, watch::connector(), resolver),
            gate: Gate::new(capacity),
            pace: Pace::new(settings.max_per_second),
            breaker: Breaker::new(settings.breaker_failures, settings.breaker_pause()),
            counters: Counters::default(),
            budget: Mutex::new(None),
            settings,
        }
    }

    /// A client for any address on the open internet and for some that the operator trusts, which
    /// truncates long answers.
    pub fn of_any_site(
        provider: &'static str,
        settings: ProviderSettings,
        trusted: Vec<Url>,
    ) -> Client {
        Client {
            trusted,
            overlong: Overlong::Cut,
            ..Client::of_other(provider, settings)
        }
    }

    /// The same client, which sends another credential to the base address.
    pub fn with_credential(mut self, name: &'static str, value: &str) -> ProviderResult<Client> {
        let Ok(mut value) = HeaderValue::from_str(value) else {
            let reason = format!("{name} is not valid in a header");
            return Err(self.error(ProviderErrorKind::Setup { reason }));
        };
        value.set_sensitive(true);
        self.credential = Some(Credential::Header(name, value));
        Ok(self)
    }

    pub fn provider(&self) -> &'static str {
        self.provider
    }

    /// Whether the service can resolve this kind of identifier.
    pub fn knows(&self, identifier: &Identifier) -> bool {
        self.row.is_some_and(|row| row.knows(identifier))
    }

    pub fn is_trusted(&self, url: &Url) -> bool {
        self.trusted
            .iter()
            .any(|origin| url.origin() == origin.origin())
    }

    pub fn error(&self, kind: ProviderErrorKind) -> ProviderError {
        ProviderError {
            provider: self.provider,
            kind,
        }
    }

    pub fn malformed(&self, reason: impl ToString) -> ProviderError {
        let reason = reason.to_string().chars().take(200).collect();
        self.error(ProviderErrorKind::Malformed { reason })
    }

    /// Requests `path` (with its query, encoded, starting with a slash) below the base address.
    pub fn get(
        &self,
        path: &str,
        accept: &str,
        deadline: &Deadline,
    ) -> ProviderResult<ProviderAnswer<'_>> {
        let base = self.base.as_ref().map_err(|reason| {
            let reason = reason.clone();
            self.error(ProviderErrorKind::Setup { reason })
        })?;
        self.fetch(&http_url::with_path(base, path), accept, deadline)
    }

    /// Requests an address.
    pub fn fetch(
        &self,
        url: &Url,
        accept: &str,
        deadline: &Deadline,
    ) -> ProviderResult<ProviderAnswer<'_>> {
        self.ask(
            url,
            Wanted {
                accept,
                known: None,
            },
            deadline,
        )
    }

    fn ask(
        &self,
        url: &Url,
        wanted: Wanted<'_>,
        deadline: &Deadline,
    ) -> ProviderResult<ProviderAnswer<'_>> {
        let started = Instant::now();
        let result = self
            .admitted(url, wanted, deadline)
            .map_err(|kind| self.error(kind));
        self.counters.times.add(started.elapsed());
        self.count(&result);
        result
    }

    /// The work at a path, fetched now.
    pub fn work<E: ToString>(
        &self,
        path: &str,
        accept: &str,
        deadline: &Deadline,
        read: impl FnOnce(&[u8]) -> Result<Work, E>,
    ) -> ProviderResult<Option<Work>> {
        match self.get(path, accept, deadline)? {
            ProviderAnswer::NotFound | ProviderAnswer::NotModified => Ok(None),
            ProviderAnswer::Body(body) => self.parse(body, deadline, read).map(finish).map(Some),
        }
    }

    /// The works at a path, fetched now. Uncitable ones are omitted.
    pub fn works<E: ToString>(
        &self,
        path: &str,
        accept: &str,
        deadline: &Deadline,
        read: impl FnOnce(&[u8]) -> Result<Vec<Result<Work, RecordError>>, E>,
    ) -> ProviderResult<Vec<Work>> {
        match self.get(path, accept, deadline)? {
            ProviderAnswer::NotFound | ProviderAnswer::NotModified => Ok(Vec::new()),
            ProviderAnswer::Body(body) => {
                let works = self.parse(body, deadline, read)?;
                Ok(works.into_iter().flatten().map(finish).collect())
            }
        }
    }

    /// Parses an answer.
    pub fn parse<T, E: ToString>(
        &self,
        body: AnswerBody<'_>,
        deadline: &Deadline,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> ProviderResult<T> {
        let _turn = if body.bytes.len() > LARGE {
            match PARSING.enter(deadline) {
                None => return Err(self.error(ProviderErrorKind::Busy)),
                turn => turn,
            }
        } else {
            None
        };
        parse(&body.bytes).map_err(|error| self.malformed(error))
    }

    fn count(&self, result: &ProviderResult<ProviderAnswer<'_>>) {
        let counters = &self.counters;
        match result {
            Ok(ProviderAnswer::Body(body)) => {
                counters.answered.one();
                counters.recent.note(false);
                counters.received_bytes.add(body.bytes.len() as u64);
            }
            Ok(ProviderAnswer::NotModified) => {
                counters.answered.one();
                counters.recent.note(false);
            }
            Ok(ProviderAnswer::NotFound) => {
                counters.answered.one();
                counters.recent.note(false);
                counters.not_found.one();
            }
            Err(error) => {
                tracing::debug!(provider = self.provider, error = %error.kind, "provider failed");
                counters.failed.one();
                counters.recent.note(true);
                match &error.kind {
                    ProviderErrorKind::Timeout { .. } => counters.timeouts.one(),
                    ProviderErrorKind::RateLimited { .. } => counters.rate_limited.one(),
                    ProviderErrorKind::CircuitOpen { .. } | ProviderErrorKind::Busy => {
                        counters.turned_away.one();
                    }
                    _ => {}
                }
            }
        }
    }

    pub fn stats(&self) -> ProviderStats {
        let counters = &self.counters;
        ProviderStats {
            name: self.provider,
            requests: counters.requests.get(),
            answered: counters.answered.get(),
            not_found: counters.not_found.get(),
            failed: counters.failed.get(),
            failed_recently: counters.recent.failed(),
            timeouts: counters.timeouts.get(),
            rate_limited: counters.rate_limited.get(),
            retries: counters.retries.get(),
            turned_away: counters.turned_away.get(),
            in_flight: self.gate.inside(),
            breaker: self.breaker.state(Instant::now()),
            times: counters.times.read(),
            received_bytes: counters.received_bytes.get(),
            budget: *self.budget.lock().unwrap_or_else(PoisonError::into_inner),
            quiet: self.pace.quiet(Instant::now()),
        }
    }

    /// Sends a request if breaker and gate allow it.
    fn admitted(
        &self,
        url: &Url,
        wanted: Wanted<'_>,
        deadline: &Deadline,
    ) -> Result<ProviderAnswer<'_>, ProviderErrorKind> {
        let permit = self.breaker.admit(Instant::now());
        let permit = permit.map_err(|left| ProviderErrorKind::CircuitOpen { retry_after: left })?;
        let Some(place) = self.gate.enter(deadline) else {
            return Err(ProviderErrorKind::Busy);
        };
        let question = deadline.at_most(self.settings.timeout());
        // A caller who leaves early says nothing about the provider.
        let is_fair = question.left() * 2 >= self.settings.timeout();
        let watch = ReadWatch::of(&question);
        let mut result = self.with_retries(url, wanted, &question);
        drop(watch);
        record_outcome(permit, &result, is_fair && !question.is_given_up());
        if let Ok(ProviderAnswer::Body(body)) = &mut result {
            body.place = Some(place);
        }
        result
    }

    fn with_retries(
        &self,
        url: &Url,
        wanted: Wanted<'_>,
        deadline: &Deadline,
    ) -> Result<ProviderAnswer<'_>, ProviderErrorKind> {
        let mut pause = FIRST_PAUSE;
        let mut tries_left = self.settings.retries.min(10);
        loop {
            self.wait_for_slot(deadline)?;
            let failure = match self.follow(url, wanted, deadline) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let asked_for = failure.retry_after();
            if let (ProviderErrorKind::RateLimited { .. }, Some(time)) = (&failure.kind, asked_for)
            {
                self.pace.keep_quiet(Instant::now(), time);
            }
            let wait = asked_for.unwrap_or_else(|| jittered(pause));
            if tries_left == 0 || !failure.may_pass() || wait >= deadline.left() {
                return Err(failure.kind);
            }
            tries_left -= 1;
            pause = pause.saturating_mul(2);
            self.counters.retries.one();
            if !deadline.sleep(wait) {
                return Err(timed_out(deadline).kind);
            }
        }
    }

    /// Waits until the rate allows another request.
    fn wait_for_slot(&self, deadline: &Deadline) -> Result<(), ProviderErrorKind> {
        match self.pace.take(Instant::now(), deadline.left()) {
            Ok(wait) if deadline.sleep(wait) => Ok(()),
            Ok(_) => Err(timed_out(deadline).kind),
            Err(TooLong::Queue) => Err(ProviderErrorKind::Busy),
            Err(TooLong::Quiet(left)) => Err(ProviderErrorKind::RateLimited {
                retry_after: Some(left),
            }),
        }
    }

    /// Sends one request and follows redirects.
    fn follow(
        &self,
        url: &Url,
        wanted: Wanted<'_>,
        deadline: &Deadline,
    ) -> Result<ProviderAnswer<'_>, Failure> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&url, wanted, deadline)?;
            let status = response.status();
            if !is_redirect(status) {
                return self.answer(&url, response, deadline);
            }
            let location = response.headers().get(header::LOCATION);
            let location = location.and_then(|value| value.to_str().ok());
            let location = location.ok_or_else(|| refused_redirect("it has no address"))?;
            url = self.target(&url, location)?;
        }
        Err(refused_redirect("there are too many"))
    }

    /// The target of a redirect, if allowed: within the origin, or `https` elsewhere.
    fn target(&self, from: &Url, location: &str) -> Result<Url, Failure> {
        let target = http_url::join(from, location).map_err(|reason| refused_redirect(&reason))?;
        if target.scheme() == "https" || target.origin() == from.origin() {
            Ok(target)
        } else {
            Err(refused_redirect("only https is allowed to another address"))
        }
    }

    fn send(
        &self,
        url: &Url,
        wanted: Wanted<'_>,
        deadline: &Deadline,
    ) -> Result<Response<ureq::Body>, Failure> {
        let is_base = self
            .base
            .as_ref()
            .is_ok_and(|base| url.origin() == base.origin());
        let is_own = is_base || self.is_trusted(url);
        let agent = if is_own { &self.own } else { &self.foreign };
        let left = deadline.left();
        if left.is_zero() {
            return Err(timed_out(deadline));
        }
        self.counters.requests.one();
        let credential = self.credential.as_ref().filter(|_| is_base);
        let mut url = url.clone();
        if let Some(Credential::Parameter(name, key)) = credential {
            url.query_pairs_mut().append_pair(name, key.reveal());
        }
        let mut request = agent
            .get(url.as_str())
            .config()
            .timeout_global(Some(left))
            .build()
            .header(header::USER_AGENT, &self.user_agent)
            .header(header::ACCEPT, wanted.accept);
        for (name, value) in conditional::headers(wanted.known) {
            request = request.header(name, value);
        }
        if let Some(Credential::Header(name, value)) = credential {
            request = request.header(*name, value);
        }
        let response = request.call().map_err(|error| failure(error, deadline))?;
        if is_base {
            self.note_limits(response.headers());
        }
        Ok(response)
    }

    /// Keeps within what the provider allows: its rate, and its budget, which is not spent to the end.
    fn note_limits(&self, headers: &HeaderMap) {
        if let Some(interval) = budget::interval(headers) {
            self.pace.slow_down(interval);
        }
        let now = clock::unix_now();
        let Some(budget) = ProviderBudget::read(headers, now) else {
            return;
        };
        if let Some(pause) = budget.pause(now) {
            self.pace.keep_quiet(Instant::now(), pause);
        }
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget);
    }

    /// Leaves the provider alone for some time, as it has asked before a restart.
    pub fn keep_quiet(&self, time: Duration) {
        self.pace.keep_quiet(Instant::now(), time);
    }

    /// Reads the answer, and classifies failures by status.
    fn answer(
        &self,
        url: &Url,
        response: Response<ureq::Body>,
        deadline: &Deadline,
    ) -> Result<ProviderAnswer<'_>, Failure> {
        let status = response.status();
        if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(ProviderAnswer::NotFound);
        }
        if status == StatusCode::NOT_MODIFIED {
            return Ok(ProviderAnswer::NotModified);
        }
        let asked_for = retry_after(response.headers());
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(Failure::of(ProviderErrorKind::RateLimited {
                retry_after: asked_for,
            }));
        }
        if !status.is_success() {
            let kind = ProviderErrorKind::Refused {
                status: status.as_u16(),
            };
            return Err(Failure { kind, asked_for });
        }
        let (content_type, charset) = content_type(response.headers());
        let (etag, last_modified) = conditional::validators(response.headers());
        let read = self.read(response.into_body(), deadline)?;
        Ok(ProviderAnswer::Body(AnswerBody {
            content_type,
            charset,
            etag,
            last_modified,
            url: url.as_str().to_owned(),
            ..read
        }))
    }

    /// Reads a body in chunks and counts the unpacked bytes, so that no answer exceeds the memory limit
    /// however small it is compressed, and waits with the rest of a huge one while too many are held.
    fn read(&self, body: ureq::Body, deadline: &Deadline) -> Result<AnswerBody<'_>, Failure> {
        let limit = self.settings.max_response_bytes;
        let mut reader = body.into_with_config().limit(u64::MAX).reader();
        let mut answer = AnswerBody::default();
        let bytes = &mut answer.bytes;
        let mut piece = vec![0_u8; 16 * 1024];
        loop {
            if deadline.is_over() {
                return Err(timed_out(deadline));
            }
            let count = match reader.read(&mut piece) {
                Ok(0) => return Ok(answer),
                Ok(count) => count,
                Err(error) => return Err(failure(ureq::Error::from(error), deadline)),
            };
            let room = limit.saturating_sub(bytes.len() as u64);
            if count as u64 > room && self.overlong == Overlong::Cut {
                let room = usize::try_from(room).unwrap_or(count);
                bytes.extend_from_slice(piece.get(..room).unwrap_or_default());
                return Ok(answer);
            }
            if count as u64 > room {
                return Err(Failure::of(ProviderErrorKind::TooLarge {
                    limit_bytes: limit,
                }));
            }
            bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
            if bytes.len() > HUGE && answer.huge.is_none() {
                answer.huge = HELD.enter(deadline);
                if answer.huge.is_none() {
                    return Err(Failure::of(ProviderErrorKind::Busy));
                }
            }
        }
    }
}

/// Reports the outcome to the breaker.
fn record_outcome(
    permit: Permit<'_>,
    result: &Result<ProviderAnswer<'_>, ProviderErrorKind>,
    is_fair: bool,
) {
    match result {
        Ok(_) => permit.succeeded(),
        Err(ProviderErrorKind::Timeout { .. }) if is_fair => permit.failed(Instant::now()),
        Err(ProviderErrorKind::Refused { status }) if *status >= 500 => {
            permit.failed(Instant::now());
        }
        Err(ProviderErrorKind::Connection { .. } | ProviderErrorKind::TooLarge { .. }) => {
            permit.failed(Instant::now());
        }
        // It did answer.
        Err(ProviderErrorKind::Refused { .. }) => permit.succeeded(),
        Err(_) => drop(permit),
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Sets the fetching time of a work to now.
pub(super) fn finish(mut work: Work) -> Work {
    work.provenance.fetched_at = jiff::Timestamp::now().as_second();
    work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_answers_are_parsed_one_at_a_time() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let client = Client::of_other("test", ProviderSettings::default());
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let parse = |_: &[u8]| {
            most.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
            // Gives a second one the time to enter if it is let in.
            std::thread::sleep(Duration::from_millis(20));
            inside.fetch_sub(1, SeqCst);
            Ok::<_, String>(())
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let body = AnswerBody {
                        bytes: vec![b' '; LARGE + 1],
                        ..AnswerBody::default()
                    };
                    let patient = Deadline::of(Duration::from_secs(60));
                    assert_eq!(client.parse(body, &patient, parse), Ok(()));
                });
            }
        });
        assert_eq!(most.load(SeqCst), 1);
    }

    #[test]
    fn huge_answers_wait_for_each_other() {
        let client = Client::of_other("test", ProviderSettings::default());
        let read = |length: usize, patience: Duration| {
            let body = ureq::Body::builder().data(vec![b' '; length]);
            let answer = client.read(body, &Deadline::of(patience));
            answer.map_err(|failure| failure.kind)
        };
        let patient = Duration::from_secs(60);
        let held: Vec<_> = (0..MAX_HELD).map(|_| read(HUGE + 1, patient)).collect();
        assert!(held.iter().all(Result::is_ok));
        let refused = read(HUGE + 1, Duration::from_millis(20));
        assert_eq!(refused.unwrap_err(), ProviderErrorKind::Busy);
        assert!(read(HUGE, patient).is_ok());
        drop(held);
        assert!(read(HUGE + 1, patient).is_ok());
    }
}
