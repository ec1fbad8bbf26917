//! Providers over HTTP, with stand-ins for the services: good answers, recorded
//! and handwritten, and all kinds of bad ones.

use crate::support::waiting::wait_until;
use citation_testing::suite;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use crate::support::TestApp;
use crate::support::http_stand_in::{Reply, Request, StandIn};
use citation::config::{Config, ProviderName, ProviderSettings, template};
use citation::provider::{
    self, Arxiv, BreakerState, Crossref, Datacite, Deadline, DoiOrg, EuropePmc, Loc, OpenAlex,
    OpenLibrary, Provider, ProviderError, ProviderErrorKind, PubMed, ReferenceQuery,
    SemanticScholar,
};
use citation_model::budget::Budget;
use citation_model::identifier::{Doi, Identifier, Isbn, ShortDoi};
use citation_model::variable::{NameVar, TextVar};
use citation_model::work::{Source, Work};
use citation_records::{crossref, datacite, doi_csl};
use serde_json::Value;

const PATIENT: Duration = Duration::from_secs(30);
const HASTY: Duration = Duration::from_millis(400);

const RECORD: &str = r#"{"status":"ok","message":{"DOI":"10.5555/a","type":"journal-article",
    "title":["On x"],"author":[{"family":"Doe","given":"Jo"}],"issued":{"date-parts":[[2001]]}}}"#;

/// Settings for a stand-in: no rate to wait for, no retries, no breaker.
fn settings(stand_in: &StandIn) -> ProviderSettings {
    ProviderSettings {
        max_per_second: 0,
        retries: 0,
        breaker_failures: 0,
        base_url: stand_in.url().parse().expect("an address"),
        ..ProviderSettings::default()
    }
}

fn doi(text: &str) -> Identifier {
    Identifier::Doi(Doi::parse(text).expect("a DOI"))
}

fn isbn(text: &str) -> Identifier {
    Identifier::Isbn(Isbn::parse(text).expect("an ISBN"))
}

fn find(provider: &dyn Provider, identifier: &Identifier) -> Result<Option<Work>, ProviderError> {
    provider.find(identifier, &Deadline::of(PATIENT))
}

fn search(provider: &dyn Provider, text: &str) -> Vec<Work> {
    let query = ReferenceQuery::text(text);
    let works = provider.search(&query, &Deadline::of(PATIENT));
    works.expect("works")
}

fn ask(provider: &dyn Provider, patience: Duration) -> Result<Option<Work>, ProviderError> {
    provider.find(&doi("10.5555/a"), &Deadline::of(patience))
}

/// Asks Crossref's stand-in once; gives the failure and how often the stand-in was asked.
fn failure(reply: Reply, patience: Duration) -> (ProviderErrorKind, usize) {
    let stand_in = StandIn::start(move |_| reply.clone());
    let provider = Crossref::new(settings(&stand_in));
    let error = ask(&provider, patience).expect_err("a failure");
    assert_eq!(error.provider, "crossref");
    (error.kind, stand_in.requests().len())
}

/// The recorded bodies of a folder, by the DOI inside them.
fn recorded(folder: &Path, doi_at: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let bodies =
        entries.map(|entry| std::fs::read(entry.expect("an entry").path()).expect("a file"));
    bodies
        .map(|body| {
            let json: Value = serde_json::from_slice(&body).expect("JSON");
            let doi = json.pointer(doi_at).and_then(Value::as_str).expect("a DOI");
            (doi.to_lowercase(), body)
        })
        .collect()
}

/// A stand-in that knows the bodies by the DOI behind `prefix` in the path.
fn replay(bodies: &BTreeMap<String, Vec<u8>>, prefix: &'static str, kind: &'static str) -> StandIn {
    let bodies = bodies.clone();
    StandIn::start(move |request| {
        let path = request.path();
        match path.strip_prefix(prefix).and_then(|doi| bodies.get(doi)) {
            Some(body) => Reply::whole(200, kind, body.clone()),
            None => Reply::status(404),
        }
    })
}

/// Finds each recorded work by its DOI, as the mapping of `read` gives it but for the time of the fetch.
fn check_recorded<E: std::fmt::Debug>(
    provider: &dyn Provider,
    bodies: &BTreeMap<String, Vec<u8>>,
    read: fn(&[u8]) -> Result<Work, E>,
) {
    for (id, body) in bodies {
        let found = find(provider, &doi(id));
        let mut found = found.expect("an answer").expect("a work");
        let fetched_at = found.provenance.fetched_at;
        assert!(fetched_at > 1_700_000_000, "fetched now");
        let expected = read(body).expect("a work");
        found.provenance.fetched_at = expected.provenance.fetched_at;
        assert_eq!(found, expected, "{id}");
    }
}

#[test]
fn recorded_answers_of_crossref_are_found_by_doi() {
    let Some(folder) = suite("data/providers") else {
        return;
    };
    let bodies = recorded(&folder.join("crossref/works"), "/message/DOI");
    let stand_in = replay(&bodies, "/works/", "application/json");
    let provider = Crossref::new(settings(&stand_in));
    check_recorded(&provider, &bodies, crossref::from_envelope);
    let stats = provider.stats();
    assert_eq!((stats.answered, stats.failed), (bodies.len() as u64, 0));
    assert_eq!(find(&provider, &doi("10.5555/unknown")), Ok(None));
}

#[test]
fn recorded_answers_of_datacite_are_found_by_doi() {
    let Some(folder) = suite("data/providers") else {
        return;
    };
    let bodies = recorded(&folder.join("datacite/dois"), "/data/id");
    let stand_in = replay(&bodies, "/dois/", "application/json");
    let provider = Datacite::new(settings(&stand_in));
    check_recorded(&provider, &bodies, datacite::from_envelope);
}

#[test]
fn recorded_answers_of_doi_org_are_found_by_doi() {
    let Some(folder) = suite("data/providers") else {
        return;
    };
    let bodies = recorded(&folder.join("doi-csl"), "/DOI");
    let kind = "application/vnd.citationstyles.csl+json";
    let stand_in = replay(&bodies, "/", kind);
    let provider = DoiOrg::new(settings(&stand_in));
    check_recorded(&provider, &bodies, doi_csl::from_slice);
    assert!(
        stand_in
            .requests()
            .iter()
            .all(|request| request.header("accept") == Some(kind))
    );
}

#[test]
fn recorded_errors_have_distinct_kinds() {
    let Some(folder) = suite("data/providers") else {
        return;
    };
    let mut checked = 0;
    for entry in std::fs::read_dir(folder.join("errors")).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name")
            .to_owned();
        let recorded: Value =
            serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
        let status = recorded["status"].as_u64().expect("a status") as u16;
        if matches!(status, 301 | 302) {
            // These lead out into the world, where a test does not go.
            continue;
        }
        let mut reply = Reply::whole(
            status,
            "text/html",
            recorded["body"].as_str().unwrap_or_default(),
        );
        for name in ["Retry-After", "retry-after"] {
            let value = &recorded["headers"][name];
            if let Some(value) = value.as_str().or(value[0].as_str()) {
                reply = reply.with_header(name, value);
            }
        }
        let stand_in = StandIn::start(move |_| reply.clone());
        let provider: Box<dyn Provider> = match name.split('-').next() {
            Some("crossref") => Box::new(Crossref::new(settings(&stand_in))),
            Some("datacite") => Box::new(Datacite::new(settings(&stand_in))),
            _ => Box::new(DoiOrg::new(settings(&stand_in))),
        };
        let result = provider.find(&doi("10.5555/a"), &Deadline::of(HASTY));
        match (status, result) {
            (404, Ok(None)) => {}
            (429, Err(error)) => {
                assert_eq!(
                    error.kind,
                    ProviderErrorKind::RateLimited { retry_after: None }
                );
            }
            (400 | 500 | 504, Err(error)) => {
                assert_eq!(error.kind, ProviderErrorKind::Refused { status });
            }
            (_, result) => panic!("{name}: {result:?}"),
        }
        checked += 1;
    }
    assert!(checked >= 12);
}

#[test]
fn doi_request_is_encoded_and_identifies_itself() {
    let stand_in = StandIn::start(|_| Reply::json(RECORD));
    let mut settings = settings(&stand_in);
    settings.contact = "ops@example.org".into();
    let provider = Crossref::new(settings);
    let sici = "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID>3.0.CO;2-2";
    let work = find(&provider, &doi(sici))
        .expect("an answer")
        .expect("a work");
    assert_eq!(work.item.text(TextVar::Title), Some("On x"));
    let [request] = &stand_in.requests()[..] else {
        panic!("one request")
    };
    assert_eq!(request.path(), format!("/works/{}", sici.to_lowercase()));
    assert!(!request.target.contains(['<', '>']));
    assert!(
        request.target.ends_with("?mailto=ops%40example.org"),
        "{}",
        request.target
    );
    let agent = request.header("user-agent").unwrap_or_default();
    assert!(
        agent.starts_with("citation/") && agent.ends_with("(mailto:ops@example.org)"),
        "{agent}"
    );
}

#[test]
fn provider_is_not_asked_for_unknown_kinds() {
    let stand_in = StandIn::start(|_| Reply::json("{}"));
    let provider = Crossref::new(settings(&stand_in));
    assert!(!provider.knows(&isbn("9780198526636")));
    assert_eq!(find(&provider, &isbn("9780198526636")), Ok(None));
    assert!(stand_in.requests().is_empty());
}

#[test]
fn hanging_provider_stays_within_the_budget() {
    let (kind, asked) = failure(Reply::Hang, HASTY);
    let ProviderErrorKind::Timeout { after_ms } = kind else {
        panic!("{kind:?}")
    };
    assert!(after_ms >= 300, "{after_ms}");
    assert_eq!(asked, 1);
    let stand_in = StandIn::start(|_| Reply::Hang);
    let provider = Crossref::new(ProviderSettings {
        timeout_ms: 200,
        ..settings(&stand_in)
    });
    let kind = ask(&provider, PATIENT).expect_err("a failure").kind;
    assert!(
        matches!(kind, ProviderErrorKind::Timeout { .. }),
        "{kind:?}"
    );
    assert_eq!(provider.stats().timeouts, 1);
}

#[test]
fn cancelled_request_ends_the_read_and_does_not_count_for_the_breaker() {
    let stand_in = StandIn::start(|_| Reply::Hang);
    let provider = Crossref::new(ProviderSettings {
        timeout_ms: 3_600_000,
        breaker_failures: 1,
        ..settings(&stand_in)
    });
    let request = Budget::unlimited();
    let deadline = Deadline::of(Duration::from_secs(3_600)).for_request(&request);
    let found = std::thread::scope(|scope| {
        let found = scope.spawn(|| provider.find(&doi("10.5555/a"), &deadline));
        wait_until(|| !stand_in.requests().is_empty());
        request.cancel();
        found.join().expect("an answer")
    });
    let kind = found.expect_err("a failure").kind;
    assert!(
        matches!(kind, ProviderErrorKind::Timeout { .. }),
        "{kind:?}"
    );
    assert_eq!(provider.stats().breaker, BreakerState::Closed);
}

#[test]
fn slow_trickle_is_aborted() {
    let (kind, _) = failure(Reply::Trickle(Duration::from_millis(20)), HASTY);
    assert!(
        matches!(kind, ProviderErrorKind::Timeout { .. }),
        "{kind:?}"
    );
}

#[test]
fn spent_budget_sends_no_request() {
    let stand_in = StandIn::start(|_| Reply::json(RECORD));
    let provider = Crossref::new(settings(&stand_in));
    let kind = ask(&provider, Duration::ZERO).expect_err("a failure").kind;
    assert!(
        matches!(kind, ProviderErrorKind::Timeout { .. }),
        "{kind:?}"
    );
    assert!(stand_in.requests().is_empty());
}

#[test]
fn unreadable_answers_are_malformed() {
    for body in [
        "{\"message\":{\"DOI\":",
        "<html>Hello</html>",
        "[]",
        "{}",
        "{\"message\":{\"DOI\":\"10.5555/a\"}}",
    ] {
        let (kind, asked) = failure(Reply::json(body), PATIENT);
        assert!(
            matches!(kind, ProviderErrorKind::Malformed { .. }),
            "{body}: {kind:?}"
        );
        assert_eq!(asked, 1, "what cannot be read is not asked for again");
    }
}

#[test]
fn broken_connection_is_retried() {
    for broken in [Reply::Close, Reply::CutOff] {
        let stand_in = StandIn::replies(vec![broken.clone(), Reply::json(RECORD)]);
        let provider = Crossref::new(ProviderSettings {
            retries: 2,
            ..settings(&stand_in)
        });
        let work = ask(&provider, PATIENT).expect("an answer");
        assert!(work.is_some(), "{broken:?}");
        assert_eq!(stand_in.requests().len(), 2);
        assert_eq!(provider.stats().retries, 1);
    }
}

#[test]
fn closed_connection_is_reported() {
    let address = StandIn::start(|_| Reply::Close).url();
    let provider = Crossref::new(ProviderSettings {
        retries: 0,
        base_url: address.parse().expect("an address"),
        ..ProviderSettings::default()
    });
    let kind = ask(&provider, PATIENT).expect_err("a failure").kind;
    assert!(
        matches!(kind, ProviderErrorKind::Connection { .. }),
        "{kind:?}"
    );
}

#[test]
fn only_transient_failures_are_retried() {
    for (status, tries) in [
        (500, 1),
        (501, 1),
        (400, 1),
        (403, 1),
        (502, 3),
        (503, 3),
        (504, 3),
    ] {
        let stand_in = StandIn::start(move |_| Reply::status(status));
        let provider = Crossref::new(ProviderSettings {
            retries: 2,
            ..settings(&stand_in)
        });
        let kind = ask(&provider, PATIENT).expect_err("a failure").kind;
        assert_eq!(kind, ProviderErrorKind::Refused { status });
        assert_eq!(stand_in.requests().len(), tries, "{status}");
    }
}

#[test]
fn retry_after_is_honoured_within_the_budget() {
    let busy = |seconds: &str| Reply::status(429).with_header("Retry-After", seconds);
    let stand_in = StandIn::replies(vec![busy("0"), busy("1"), Reply::json(RECORD)]);
    let patient = ProviderSettings {
        retries: 2,
        ..settings(&stand_in)
    };
    assert!(
        ask(&Crossref::new(patient), PATIENT)
            .expect("an answer")
            .is_some()
    );
    assert_eq!(stand_in.requests().len(), 3);

    let stand_in = StandIn::start(move |_| busy("120"));
    let provider = Crossref::new(ProviderSettings {
        retries: 2,
        ..settings(&stand_in)
    });
    let error = ask(&provider, HASTY).expect_err("a failure");
    let retry_after = Some(Duration::from_secs(120));
    assert_eq!(error.kind, ProviderErrorKind::RateLimited { retry_after });
    // The provider asked for quiet and gets it.
    let again = ask(&provider, HASTY).expect_err("a failure");
    assert!(
        matches!(
            again.kind,
            ProviderErrorKind::RateLimited {
                retry_after: Some(_)
            }
        ),
        "{again:?}"
    );
    assert_eq!(stand_in.requests().len(), 1);
    assert_eq!(provider.stats().rate_limited, 2);
}

/// Kibibytes of memory that the process has had at most.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn endless_answers_stay_within_memory() {
    let before = peak_memory();
    for reply in [Reply::Zeros, Reply::PackedZeros] {
        let (kind, asked) = failure(reply, PATIENT);
        assert_eq!(
            kind,
            ProviderErrorKind::TooLarge {
                limit_bytes: 4 * 1024 * 1024
            }
        );
        assert_eq!(asked, 1);
    }
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let grown = after.saturating_sub(before);
        // Two gibibytes were on offer. The other tests of this program run beside this one.
        assert!(grown < 128 * 1024, "memory grew by {grown} KiB");
    }
}

#[test]
fn redirects_stay_within_the_origin() {
    let inside = StandIn::start(|_| Reply::json(RECORD));
    let port = inside.port();
    let places = [
        format!("http://127.0.0.1:{port}/secret"),
        format!("http://localhost:{port}/secret"),
        format!("https://127.0.0.1:{port}/secret"),
        format!("https://localhost:{port}/secret"),
        format!("https://0x7f.1:{port}/secret"),
        format!("//localhost:{port}/secret"),
        "https://[::1]/".to_owned(),
        "https://169.254.169.254/latest/meta-data/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        "http://example.org/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "https://user:word@example.org/".to_owned(),
        String::new(),
    ];
    for place in places {
        let (kind, asked) = failure(Reply::redirect(&place), PATIENT);
        let is_refused = matches!(kind, ProviderErrorKind::Redirect { .. });
        // An empty reference leads to the same place, again and again.
        assert!(is_refused, "{place}: {kind:?}");
        assert_eq!(asked, if place.is_empty() { 4 } else { 1 }, "{place}");
    }
    assert!(inside.requests().is_empty(), "{:?}", inside.requests());
}

#[test]
fn redirects_within_the_origin_are_followed_three_times() {
    let hops = |last: usize| {
        StandIn::start(move |request: &Request| {
            let at: usize = request
                .path()
                .trim_start_matches("/hop/")
                .parse()
                .unwrap_or(0);
            if at == last {
                Reply::json(RECORD)
            } else {
                Reply::redirect(&format!("/hop/{}", at + 1))
            }
        })
    };
    let near = hops(3);
    assert!(
        ask(&Crossref::new(settings(&near)), PATIENT)
            .expect("an answer")
            .is_some()
    );
    assert_eq!(near.requests().len(), 4);
    let far = hops(4);
    let kind = ask(&Crossref::new(settings(&far)), PATIENT)
        .expect_err("a failure")
        .kind;
    assert!(
        matches!(kind, ProviderErrorKind::Redirect { .. }),
        "{kind:?}"
    );
}

#[test]
fn failing_provider_is_not_asked() {
    let stand_in = StandIn::start(|_| Reply::status(500));
    let provider = Crossref::new(ProviderSettings {
        breaker_failures: 3,
        ..settings(&stand_in)
    });
    for _ in 0..3 {
        let kind = ask(&provider, PATIENT).expect_err("a failure").kind;
        assert_eq!(kind, ProviderErrorKind::Refused { status: 500 });
    }
    let error = ask(&provider, PATIENT).expect_err("a failure");
    assert!(
        matches!(error.kind, ProviderErrorKind::CircuitOpen { .. }),
        "{error:?}"
    );
    assert_eq!(stand_in.requests().len(), 3);
    let stats = provider.stats();
    assert_eq!((stats.breaker, stats.turned_away), (BreakerState::Open, 1));
}

#[test]
fn definitive_miss_is_not_a_failure() {
    let stand_in = StandIn::start(|_| Reply::status(404));
    let provider = Crossref::new(ProviderSettings {
        breaker_failures: 1,
        ..settings(&stand_in)
    });
    for _ in 0..3 {
        assert_eq!(ask(&provider, PATIENT), Ok(None));
    }
    assert_eq!(provider.stats().breaker, BreakerState::Closed);
}

#[test]
fn requests_in_flight_are_limited() {
    let stand_in = StandIn::start(|_| Reply::Hang);
    let provider = Crossref::new(ProviderSettings {
        max_in_flight: 1,
        ..settings(&stand_in)
    });
    let started = Barrier::new(2);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            started.wait();
            ask(&provider, Duration::from_secs(2))
        });
        started.wait();
        wait_until(|| provider.stats().in_flight > 0);
        let kind = ask(&provider, Duration::from_millis(50))
            .expect_err("a failure")
            .kind;
        assert_eq!(kind, ProviderErrorKind::Busy);
        let kind = first.join().expect("no panic").expect_err("a failure").kind;
        assert!(
            matches!(kind, ProviderErrorKind::Timeout { .. }),
            "{kind:?}"
        );
    });
    assert_eq!(stand_in.requests().len(), 1);
    assert_eq!(provider.stats().in_flight, 0);
}

#[test]
fn provider_without_base_url_is_an_error() {
    let provider = Crossref::new(ProviderSettings::default());
    let kind = ask(&provider, PATIENT).expect_err("a failure").kind;
    assert!(matches!(kind, ProviderErrorKind::Setup { .. }), "{kind:?}");
}

/// An identifier of each kind.
const KINDS: [&str; 12] = [
    "10.48550/arXiv.1706.03762",
    "10/aabbe",
    "9780262033848",
    "ISSN 0028-0836",
    "pmid:23903748",
    "PMC3737249",
    "arXiv:1706.03762",
    "W2741809807",
    "hdl:20.1000/100",
    "pii:S0140673620301835",
    "OCLC 123456",
    "OL7353617M",
];

#[test]
fn provider_needs_only_a_row_of_the_table() {
    let stand_in = StandIn::start(|_| Reply::status(404));
    let app = TestApp::start_with(|config| {
        for provider in config.providers.iter_mut() {
            provider.enabled = true;
            provider.api_key = serde_json::from_str("\"k\"").expect("a key");
        }
    });
    let health: Value = app.get("/api/health").json();
    let (shipped, mut defaults) = (template(), Config::default());
    let identifiers = KINDS.map(|text| Identifier::parse(text).expect(text));
    let kinds: HashSet<&str> = identifiers.iter().map(Identifier::kind).collect();
    assert_eq!(kinds.len(), KINDS.len());
    assert_eq!(
        defaults.providers.iter_mut().count(),
        ProviderName::ALL.len()
    );
    for name in ProviderName::ALL.iter().copied() {
        let id = name.id();
        assert_eq!(serde_json::to_value(name).expect("a name"), id);
        assert!(shipped.contains(&format!("[providers.{id}]")), "{id}");
        let mut rows = health["providers"].as_array().into_iter().flatten();
        assert!(rows.any(|row| row["name"] == id), "{id}");
        // Another instance passes on what it has from a source of its own.
        assert!(
            name == ProviderName::Citation || Source::parse(id).is_some(),
            "{id}"
        );

        let provider = provider::open(name, settings(&stand_in));
        assert_eq!((provider.name(), provider.stats().name), (id, id));
        let deadline = Deadline::of(PATIENT);
        for identifier in &identifiers {
            assert_eq!(
                provider.knows(identifier),
                name.knows(identifier),
                "{id} {identifier}"
            );
            let before = stand_in.requests().len();
            let _ = provider.find(identifier, &deadline);
            let is_asked = stand_in.requests().len() > before;
            assert_eq!(is_asked, name.knows(identifier), "{id} {identifier}");
        }
        let before = stand_in.requests().len();
        // Some search by title alone.
        let title = "On the electrodynamics of moving bodies";
        let query = ReferenceQuery {
            title: Some(title.to_owned()),
            ..ReferenceQuery::text(title)
        };
        let _ = provider.search(&query, &deadline);
        assert_eq!(stand_in.requests().len() > before, name.searches(), "{id}");

        // Those that know a DOI may be in the order of DOIs, and no others; the rest likewise.
        let orders = [
            ("doi_order", 0),
            ("isbn_order", 2),
            ("pmid_order", 4),
            ("arxiv_order", 6),
        ];
        let may_be_in = |order: &str| {
            let rule = format!("#{order} = ");
            let (before, _) = shipped.split_once(&rule).expect("the key");
            let allowed = before.lines().last().unwrap_or_default();
            let (words, _) = allowed.split_once(", each once").expect("a list");
            words.contains(&format!("\"{id}\""))
        };
        for (order, kind) in orders {
            assert_eq!(
                may_be_in(order),
                name.knows(&identifiers[kind]),
                "{id} {order}"
            );
        }
        assert_eq!(may_be_in("reverse_order"), name.searches(), "{id}");
    }
}

#[test]
fn references_are_searched_at_crossref() {
    let stand_in = StandIn::start(|_| {
        Reply::json(
            r#"{"message":{"items":[{"DOI":"10.5555/a","title":["On x"],"score":70.1},
                {"DOI":"10.5555/untitled"},{"DOI":"10.5555/b","title":["On y"]}]}}"#,
        )
    });
    let provider = Crossref::new(settings(&stand_in));
    let query = ReferenceQuery {
        title: Some("On x & y".into()),
        author: Some("Doe".into()),
        year: Some(2001),
        rows: 5,
        ..ReferenceQuery::default()
    };
    let works = provider
        .search(&query, &Deadline::of(PATIENT))
        .expect("an answer");
    let ids: Vec<&str> = works.iter().map(|work| work.item.id.as_str()).collect();
    assert_eq!(ids, ["10.5555/a", "10.5555/b"]);
    let target = &stand_in.requests()[0].target;
    assert!(
        target.contains("query.bibliographic=Doe%202001%20On%20x%20%26%20y&rows=5&select="),
        "{target}"
    );
    assert_eq!(search(&provider, " "), []);
    assert_eq!(stand_in.requests().len(), 1);
}

#[test]
fn references_are_searched_at_datacite_and_open_library() {
    let stand_in = StandIn::start(|request: &Request| match request.path().as_str() {
        "/dois" => Reply::json(
            r#"{"data":[{"id":"10.5555/d","attributes":{"titles":[{"title":"Rain"}]}}]}"#,
        ),
        _ => Reply::json(
            r#"{"docs":[{"key":"/works/OL1W","title":"Rain","author_name":["Jo Doe"]}]}"#,
        ),
    });
    let text = "Doe, Rain in Ohio (2001)";
    let found = search(&Datacite::new(settings(&stand_in)), text);
    assert_eq!(found[0].item.id, "10.5555/d");
    let found = search(&OpenLibrary::new(settings(&stand_in)), text);
    assert_eq!(found[0].item.id, "OL1W");
}

#[test]
fn short_doi_is_expanded_and_found() {
    let stand_in = StandIn::start(|request: &Request| match request.path().as_str() {
        "/api/handles/10/abc" => Reply::json(
            r#"{"responseCode":1,"handle":"10/abc","values":[{"index":100,"type":"HS_ADMIN",
                "data":{"format":"admin","value":{"handle":"10.admin/codata"}}},
                {"index":1,"type":"HS_ALIAS","data":{"format":"string","value":"10.5555/A"}}]}"#,
        ),
        "/10.5555/a" => Reply::whole(
            200,
            "application/vnd.citationstyles.csl+json",
            r#"{"DOI":"10.5555/A","type":"dataset","title":"Rain"}"#,
        ),
        "/10.5555/page" => Reply::whole(200, "text/html", "<html></html>"),
        "/10.5555/none" => Reply::status(406),
        "/10.5555/empty" => Reply::status(204),
        _ => Reply::status(404),
    });
    let provider = DoiOrg::new(settings(&stand_in));
    let find = |identifier: &Identifier| find(&provider, identifier).expect("an answer");
    let short = |text: &str| Identifier::ShortDoi(ShortDoi::parse(text).expect("a shortDOI"));
    assert_eq!(find(&short("10/abc")).expect("a work").item.id, "10.5555/a");
    assert_eq!(find(&short("10/nope")), None);
    // Agencies without metadata send on to a page, or say that they cannot.
    for none in ["10.5555/page", "10.5555/none", "10.5555/empty"] {
        assert_eq!(find(&doi(none)), None, "{none}");
    }
}

/// An Open Library with one book, of which some parts cannot be had.
fn library(broken: &'static str) -> StandIn {
    StandIn::start(move |request: &Request| {
        let path = request.path();
        if !broken.is_empty() && path.starts_with(broken) {
            return Reply::status(500);
        }
        match path.as_str() {
            "/isbn/9780198526636.json" => Reply::redirect("/books/OL1M.json"),
            "/books/OL1M.json" => Reply::json(
                r#"{"key":"/books/OL1M","title":"Data","works":[{"key":"/works/OL2W"}],
                    "isbn_13":["9780198526636"],"publishers":["OUP"],"publish_date":"1996"}"#,
            ),
            "/works/OL2W.json" => Reply::json(
                r#"{"key":"/works/OL2W","title":"Data","first_publish_date":"1985",
                    "authors":[{"author":{"key":"/authors/OL3A"}},{"author":{"key":"/authors/OL4A"}}]}"#,
            ),
            "/authors/OL3A.json" => Reply::json(r#"{"key":"/authors/OL3A","name":"Jo Doe"}"#),
            "/authors/OL4A.json" => Reply::json(r#"{"key":"/authors/OL4A","name":"Roe, Ann"}"#),
            _ => Reply::status(404),
        }
    })
}

#[test]
fn book_is_joined_with_its_work_and_authors() {
    let check = |broken: &'static str, expected: &[&str]| {
        let stand_in = library(broken);
        let provider = OpenLibrary::new(settings(&stand_in));
        let work = find(&provider, &isbn("0-19-852663-6"));
        let work = work.expect("an answer").expect("a work");
        assert_eq!(work.item.text(TextVar::Title), Some("Data"));
        let names = work.item.names(NameVar::Author).iter();
        let names: Vec<String> = names.map(|name| name.display()).collect();
        assert_eq!(names, expected, "without {broken}");
    };
    check("", &["Jo Doe", "Ann Roe"]);
    check("/authors/OL3A", &["Ann Roe"]);
    check("/authors", &[]);
    check("/works", &[]);
    let stand_in = library("/isbn");
    let provider = OpenLibrary::new(settings(&stand_in));
    assert!(find(&provider, &isbn("9780198526636")).is_err());
    let stand_in = library("");
    let provider = OpenLibrary::new(settings(&stand_in));
    assert_eq!(find(&provider, &isbn("9783161484100")), Ok(None));
}

#[test]
fn recorded_editions_of_open_library_are_found_by_isbn() {
    let Some(folder) = suite("data/providers") else {
        return;
    };
    let folder = folder.join("openlibrary");
    let isbns: Vec<String> = std::fs::read_dir(folder.join("isbn"))
        .expect("a readable folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .replace(".json", "")
        })
        .collect();
    let by_isbn: BTreeMap<String, String> = isbns
        .iter()
        .map(|text| {
            (
                Isbn::parse(text).expect("an ISBN").as_str().to_owned(),
                text.clone(),
            )
        })
        .collect();
    let stand_in = {
        let (folder, by_isbn) = (folder.clone(), by_isbn.clone());
        StandIn::start(move |request: &Request| {
            let path = request.path();
            let name = path
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .replace(".json", "");
            let name = by_isbn.get(&name).cloned().unwrap_or(name);
            let kind = path.split('/').nth(1).unwrap_or_default();
            match std::fs::read(folder.join(kind).join(format!("{name}.json"))) {
                Ok(body) => Reply::json(body),
                Err(_) => Reply::status(404),
            }
        })
    };
    let provider = OpenLibrary::new(settings(&stand_in));
    let mut with_authors = 0;
    for isbn in by_isbn.keys() {
        let identifier = Identifier::Isbn(Isbn::parse(isbn).expect("an ISBN"));
        let work = find(&provider, &identifier)
            .expect("an answer")
            .expect("a work");
        assert!(work.identifiers().contains(&identifier), "{isbn}");
        with_authors += usize::from(!work.item.names(NameVar::Author).is_empty());
    }
    println!("{} editions, {with_authors} with authors", by_isbn.len());
    assert!(with_authors >= 12);
}

/// Finds by an identifier as it is written, at a stand-in; gives the work and the requests, decoded.
fn found_at(
    stand_in: &StandIn,
    provider: &dyn Provider,
    identifier: &str,
) -> (Option<Work>, Vec<String>) {
    let identifier = Identifier::parse(identifier).expect("an identifier");
    assert!(provider.knows(&identifier), "{identifier}");
    let found = find(provider, &identifier);
    let targets = stand_in
        .requests()
        .into_iter()
        .map(|request| citation_model::identifier::percent_decode(&request.target));
    (found.expect("an answer"), targets.collect())
}

fn with_contact(stand_in: &StandIn) -> ProviderSettings {
    ProviderSettings {
        contact: "ops@example.org".into(),
        ..settings(stand_in)
    }
}

/// The answers are made by NCBI's description (ncbi.nlm.nih.gov/books/NBK25499).
#[test]
fn pubmed_is_asked_by_its_ids_and_by_words() {
    const ARTICLE: &str = "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version=\"1\">23903748</PMID>\
        <Article><Journal><JournalIssue><Volume>500</Volume><PubDate><Year>2013</Year></PubDate></JournalIssue>\
        <Title>Nature</Title></Journal><ArticleTitle>On heat.</ArticleTitle><AuthorList><Author>\
        <LastName>Kucsko</LastName><ForeName>G</ForeName></Author></AuthorList></Article></MedlineCitation>\
        </PubmedArticle></PubmedArticleSet>";
    let stand_in = StandIn::start(|request: &Request| match request.path().as_str() {
        "/elink.fcgi" => {
            Reply::json(r#"{"linksets":[{"linksetdbs":[{"dbto":"pubmed","links":["23903748"]}]}]}"#)
        }
        "/esearch.fcgi" => Reply::json(r#"{"esearchresult":{"count":"1","idlist":["23903748"]}}"#),
        _ if request.target.contains("id=404040") => {
            Reply::whole(200, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
        }
        _ => Reply::whole(200, "text/xml", ARTICLE),
    });
    let provider = PubMed::new(with_contact(&stand_in));
    for id in ["PMID: 23903748", "PMC4221854"] {
        let (work, _) = found_at(&stand_in, &provider, id);
        let work = work.expect("a work");
        assert_eq!(work.item.text(TextVar::Title), Some("On heat"));
        assert_eq!(work.provenance.source, Source::Pubmed);
    }
    let (none, targets) = found_at(&stand_in, &provider, "404040");
    assert_eq!(none, None);
    assert!(
        targets
            .iter()
            .all(|target| target.contains("tool=citation&email=ops@example.org")),
        "{targets:?}"
    );
    assert_eq!(search(&provider, "Kucsko G. On heat. Nature 2013").len(), 1);
}

/// The answer is made by the description of the service (europepmc.org/RestfulWebService).
#[test]
fn europe_pmc_is_asked_by_ids_and_by_words() {
    let stand_in = StandIn::start(|request: &Request| {
        if request.target.contains("404040") {
            Reply::json(r#"{"hitCount":0,"resultList":{"result":[]}}"#)
        } else {
            Reply::json(
                r#"{"resultList":{"result":[{"id":"23903748","source":"MED","pmid":"23903748","title":"On heat.",
            "doi":"10.1038/nature12373","pubYear":"2013"}]}}"#,
            )
        }
    });
    let provider = EuropePmc::new(with_contact(&stand_in));
    let (work, targets) = found_at(&stand_in, &provider, "23903748");
    assert_eq!(work.expect("a work").provenance.source, Source::Europepmc);
    assert!(
        targets[0].contains("query=ext_id:23903748 AND src:med&email=ops@example.org"),
        "{targets:?}"
    );
    let (none, _) = found_at(&stand_in, &provider, "404040");
    assert_eq!(none, None);
    assert_eq!(search(&provider, "Kucsko G. On heat. Nature 2013").len(), 1);
}

/// The feeds are made by arXiv's description (info.arxiv.org/help/api/user-manual).
#[test]
fn arxiv_is_asked_by_id_and_by_the_doi_it_registers() {
    let stand_in = StandIn::start(|request: &Request| {
        let entry = if request.target.contains("9999") {
            "<entry><id>http://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title></entry>"
        } else {
            "<entry><id>http://arxiv.org/abs/1706.03762v7</id><title>Attention</title>\
            <published>2017-06-12T17:57:34Z</published><author><name>Ann Doe</name></author></entry>"
        };
        Reply::whole(200, "application/atom+xml", format!("<feed>{entry}</feed>"))
    });
    let provider = Arxiv::new(settings(&stand_in));
    for id in ["1706.03762", "10.48550/arXiv.1706.03762"] {
        let (work, targets) = found_at(&stand_in, &provider, id);
        let work = work.expect("a work");
        assert_eq!(
            work.item.text(TextVar::Doi),
            Some("10.48550/arxiv.1706.03762")
        );
        assert!(
            targets
                .iter()
                .all(|target| target.ends_with("id_list=1706.03762")),
            "{targets:?}"
        );
    }
    let (none, _) = found_at(&stand_in, &provider, "1706.9999");
    assert_eq!(none, None);
}

/// The records are made by the description of the API (docs.openalex.org).
#[test]
fn openalex_is_asked_by_all_ids_and_by_words() {
    const RECORD: &str = r#"{"id":"https://openalex.org/W2741809807","doi":"https://doi.org/10.7717/peerj.4375",
        "title":"The state of OA","publication_year":2018,"type":"article"}"#;
    let stand_in = StandIn::start(
        |request: &Request| match request.target.contains("search=") {
            true => Reply::json(format!(r#"{{"meta":{{"count":1}},"results":[{RECORD}]}}"#)),
            false if request.target.contains("W404040") => Reply::status(404),
            false => Reply::json(RECORD),
        },
    );
    let provider = OpenAlex::new(with_contact(&stand_in));
    for (id, path) in [
        ("W2741809807", "/works/W2741809807?mailto=ops@example.org"),
        (
            "10.7717/peerj.4375",
            "/works/doi:10.7717/peerj.4375?mailto=ops@example.org",
        ),
        (
            "PMID 29456894",
            "/works/pmid:29456894?mailto=ops@example.org",
        ),
    ] {
        let (work, targets) = found_at(&stand_in, &provider, id);
        assert_eq!(work.expect("a work").provenance.source, Source::Openalex);
        assert_eq!(targets.last().map(String::as_str), Some(path));
    }
    assert_eq!(found_at(&stand_in, &provider, "W404040").0, None);
    assert_eq!(search(&provider, "The state of OA").len(), 1);
}

/// Made by the descriptions of SRU 1.1 and MARC 21 (loc.gov/standards/sru, loc.gov/marc).
#[test]
fn library_of_congress_is_asked_by_both_forms_of_an_isbn() {
    let stand_in = StandIn::start(|request: &Request| {
        let record = "<record><controlfield tag=\"001\">1</controlfield><datafield tag=\"245\">\
            <subfield code=\"a\">The great Gatsby /</subfield></datafield></record>";
        let records = if request.target.contains("9780743273565") {
            record
        } else {
            ""
        };
        Reply::whole(
            200,
            "text/xml",
            format!(
                "<searchRetrieveResponse><records>{records}</records></searchRetrieveResponse>"
            ),
        )
    });
    let provider = Loc::new(settings(&stand_in));
    let (work, targets) = found_at(&stand_in, &provider, "9780743273565");
    assert_eq!(
        work.expect("a work").item.text(TextVar::Title),
        Some("The great Gatsby")
    );
    assert!(
        targets[0].ends_with("bath.isbn=9780743273565 or bath.isbn=0743273567"),
        "{targets:?}"
    );
    assert_eq!(found_at(&stand_in, &provider, "9780262033848").0, None);
}

#[test]
fn publisher_and_catalogue_ids_are_resolved_by_one_service_each() {
    let crossref = StandIn::start(|_: &Request| {
        Reply::json(
            r#"{"status":"ok","message":{"items":[{"DOI":"10.1016/j.cell.2011.02.013","type":"journal-article",
            "title":["Hallmarks of cancer"],"issued":{"date-parts":[[2011]]}}]}}"#,
        )
    });
    let (work, targets) = found_at(
        &crossref,
        &Crossref::new(settings(&crossref)),
        "S0092-8674(11)00127-9",
    );
    assert_eq!(
        work.expect("a work").item.text(TextVar::Doi),
        Some("10.1016/j.cell.2011.02.013")
    );
    assert!(
        targets[0].contains("filter=alternative-id:S0092867411001279"),
        "{targets:?}"
    );
    let openlibrary = StandIn::start(|_: &Request| {
        Reply::json(
            r#"{"key":"/books/OL7353617M","title":"Fantastic Mr. Fox","isbn_10":["0140328726"]}"#,
        )
    });
    let provider = OpenLibrary::new(settings(&openlibrary));
    for (id, path) in [
        ("OL7353617M", "/books/OL7353617M.json"),
        ("oclc:297222669", "/oclc/297222669.json"),
    ] {
        let (work, targets) = found_at(&openlibrary, &provider, id);
        assert_eq!(
            work.expect("a work").item.text(TextVar::Title),
            Some("Fantastic Mr. Fox")
        );
        assert_eq!(targets.last().map(String::as_str), Some(path));
    }
}

/// The settings of a stand-in that wants a key.
fn with_key(stand_in: &StandIn) -> ProviderSettings {
    ProviderSettings {
        api_key: serde_json::from_str("\"k 1&\"").expect("a key"),
        ..settings(stand_in)
    }
}

#[test]
fn keys_are_sent_as_each_provider_wants_them() {
    let stand_in = StandIn::start(|_| Reply::status(404));
    let id = doi("10.5555/a");
    for (name, expected) in [
        (
            ProviderName::Crossref,
            ("crossref-plus-api-token", "Bearer k 1&"),
        ),
        (ProviderName::SemanticScholar, ("x-api-key", "k 1&")),
        (ProviderName::Citation, ("x-api-key", "k 1&")),
    ] {
        let provider = provider::open(name, with_key(&stand_in));
        assert_eq!(find(provider.as_ref(), &id), Ok(None));
        let request = stand_in.requests().pop().expect("a request");
        assert_eq!(request.header(expected.0), Some(expected.1), "{name:?}");
        assert!(!request.target.contains("k+1"), "{request:?}");
    }
    for (name, id) in [
        (ProviderName::OpenAlex, id),
        (
            ProviderName::PubMed,
            Identifier::parse("pmid:1").expect("an id"),
        ),
    ] {
        let provider = provider::open(name, with_key(&stand_in));
        assert_eq!(find(provider.as_ref(), &id), Ok(None));
        let request = stand_in.requests().pop().expect("a request");
        assert!(request.target.ends_with("api_key=k+1%26"), "{request:?}");
        assert_eq!(request.header("x-api-key"), None, "{name:?}");
    }
    // DataCite takes none.
    let provider = provider::open(ProviderName::DataCite, with_key(&stand_in));
    let _ = find(provider.as_ref(), &doi("10.5555/a"));
    let request = stand_in.requests().pop().expect("a request");
    assert!(!format!("{request:?}").contains("k 1&"), "{request:?}");
}

#[test]
fn key_is_not_sent_to_another_address() {
    let elsewhere = StandIn::start(|_| Reply::status(404));
    let target = format!("{}/works/x", elsewhere.url());
    let stand_in = StandIn::start(move |_| Reply::redirect(&target));
    let provider = OpenAlex::new(with_key(&stand_in));
    assert!(find(&provider, &doi("10.5555/a")).is_err());
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn provider_that_needs_a_key_is_left_out_without_one() {
    let app = TestApp::start_with(|config| {
        for provider in config.providers.iter_mut() {
            provider.enabled = true;
        }
        config.providers.openalex.api_key = serde_json::from_str("\"k\"").expect("a key");
    });
    let asked: Vec<&str> = app.app.provider_stats().iter().map(|s| s.name).collect();
    assert!(asked.contains(&"openalex") && asked.contains(&"crossref"));
    assert!(!asked.contains(&"semanticscholar"), "{asked:?}");
}

#[test]
fn budget_is_not_spent_to_the_end() {
    let left = std::sync::atomic::AtomicI64::new(13);
    let stand_in = StandIn::start(move |_| {
        let left = left.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) - 1;
        Reply::json(RECORD)
            .with_header("X-RateLimit-Limit", "1000")
            .with_header("X-RateLimit-Remaining", &left.to_string())
            .with_header("X-RateLimit-Reset", "3600")
    });
    let provider = Crossref::new(settings(&stand_in));
    for _ in 0..3 {
        assert!(ask(&provider, PATIENT).is_ok());
    }
    let refused = ask(&provider, PATIENT).expect_err("a refusal");
    assert!(
        matches!(refused.kind, ProviderErrorKind::RateLimited { .. }),
        "{refused}"
    );
    assert_eq!(stand_in.requests().len(), 3);
    let stats = provider.stats();
    assert_eq!(stats.budget.map(|budget| budget.remaining), Some(10.0));
    assert!(stats.quiet > Duration::from_secs(3_500));
}

#[test]
fn pause_is_kept_over_a_restart() {
    let stand_in = StandIn::start(|_| Reply::status(429).with_header("Retry-After", "7200"));
    let data = tempfile::tempdir().expect("a folder");
    let start = || {
        TestApp::start_with(|config| {
            config.data.dir = data.path().to_path_buf();
            config.providers.crossref = ProviderSettings {
                enabled: true,
                ..settings(&stand_in)
            };
        })
    };
    let look_up = |app: &TestApp| {
        let request = serde_json::json!({"doi": "10.5555/a"});
        app.post("/api/v1/lookup/doi", &request).status
    };
    let app = start();
    assert_eq!(look_up(&app), 502);
    let key = "provider.crossref.quiet_until";
    wait_until(|| app.app.store.fact(key).expect("a database").is_some());
    drop(app);
    let app = start();
    let health = app.get("/api/health").json();
    let quiet = health["providers"][0]["quiet_seconds"].as_u64();
    assert!(quiet.is_some_and(|seconds| seconds > 7_000), "{health}");
    look_up(&app);
    assert_eq!(stand_in.requests().len(), 1);
}

#[test]
fn semantic_scholar_is_asked_by_id_and_title() {
    let paper = r#"{"paperId":"p1","externalIds":{"DOI":"10.5555/a"},"title":"On x","year":2001}"#;
    let stand_in = StandIn::start(move |request| match request.path().as_str() {
        "/paper/DOI:10.5555/a" => Reply::json(paper),
        "/paper/search/match" => Reply::json(format!("{{\"data\":[{paper}]}}")),
        _ => Reply::status(404),
    });
    let provider = SemanticScholar::new(with_key(&stand_in));
    let work = find(&provider, &doi("10.5555/a")).expect("an answer");
    assert_eq!(
        work.expect("a work").provenance.source,
        Source::SemanticScholar
    );
    assert_eq!(find(&provider, &doi("10.5555/b")), Ok(None));
    assert!(search(&provider, "Doe. On x. 2001").is_empty(), "no title");
    let query = ReferenceQuery {
        title: Some("On x".to_owned()),
        ..ReferenceQuery::default()
    };
    let works = provider.search(&query, &Deadline::of(PATIENT));
    assert_eq!(works.expect("works").len(), 1);
}
