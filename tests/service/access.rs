//! The ways to the text of a work, and records that are asked for again with a validator, with stand-ins for
//! Crossref and Unpaywall.

use citation::clock::Clock;
use citation::config::Config;
use citation_model::identifier::Identifier;
use serde_json::{Value, json};

use crate::api::pages::post_as;
use crate::support::TestApp;
use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::waiting::wait_until;

const START: i64 = 1_780_000_000;
const DAY: u64 = 86_400;

/// Crossref's record of a work, with an open licence or without one.
fn record(is_open: bool) -> Reply {
    let open =
        json!({"URL": "http://creativecommons.org/licenses/by/4.0/", "content-version": "vor"});
    let license: Vec<_> = is_open.then_some(open).into_iter().collect();
    let body = json!({"status": "ok", "message": {"DOI": "10.5555/frogs", "type": "journal-article",
        "title": ["On frogs of the northern marsh"], "author": [{"family": "Doe", "given": "Jo"}],
        "container-title": ["Journal of Frogs"], "volume": "3", "page": "11-19",
        "issued": {"date-parts": [[2001]]}, "license": license,
        "link": [{"URL": "https://frogs.example.org/11.pdf", "content-version": "vor",
            "intended-application": "text-mining"}]}});
    Reply::json(body.to_string())
}

fn start(crossref: &StandIn, clock: &Clock, change: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::start_at(clock.clone(), |config| {
        let provider = &mut config.providers.crossref;
        provider.enabled = true;
        provider.retries = 0;
        provider.max_per_second = 0;
        provider.base_url = crossref.url().parse().unwrap();
        config.lookup.refresh_per_minute = 60_000;
        change(config);
    })
}

fn look_up(app: &TestApp, include: &str) -> Value {
    let path = format!("/api/v1/lookup/doi?include={include}");
    let answer = app.post(&path, &json!({"doi": "10.5555/frogs"}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[test]
fn open_copy_and_library_are_told_on_request() {
    let crossref = StandIn::start(|_| record(true));
    let clock = Clock::set_to(START);
    let app = start(&crossref, &clock, |config| {
        config.lookup.openurl_base = "https://library.example.org/openurl?vid=1".to_owned();
    });
    let copy = json!({"url": "https://frogs.example.org/11.pdf", "version": "published",
        "license": "cc-by-4.0", "source": "crossref"});
    // From the provider's answer, then from what is stored.
    for _ in 0..2 {
        let work = look_up(&app, "abstract,open_access");
        assert_eq!(work["open_access"], copy);
        let library = work["library_url"].as_str().unwrap();
        let start =
            "https://library.example.org/openurl?vid=1&url_ver=Z39.88-2004&ctx_ver=Z39.88-2004&";
        assert!(library.starts_with(start), "{library}");
        assert!(library.contains("10.5555%2Ffrogs"), "{library}");
    }
    let plain = look_up(&app, "abstract");
    assert!(plain.get("open_access").is_none() && plain.get("library_url").is_none());
    assert_eq!(crossref.requests().len(), 1);

    let reference = "Doe, J. (2001). On frogs of the northern marsh. Journal of Frogs, 3, 11-19.";
    let checked = app.post(
        "/api/v1/verify",
        &json!({"text": reference, "local_only": true}),
    );
    assert_eq!(
        checked.json()["match"]["open_access"],
        copy,
        "{}",
        checked.text()
    );
    let page = post_as(&app, "", "/verify", &[("list", reference)]);
    assert!(
        page.text().contains("https://frogs.example.org/11.pdf"),
        "{}",
        page.text()
    );
}

#[test]
fn unpaywall_is_asked_once_if_no_source_states_a_copy() {
    let crossref = StandIn::start(|_| record(false));
    let unpaywall = StandIn::start(|_| {
        let body = json!({"doi": "10.5555/frogs", "title": "On frogs of the northern marsh",
            "best_oa_location": {"url": "https://repo.example.org/frogs", "version": "acceptedVersion",
                "license": null}});
        Reply::json(body.to_string())
    });
    let clock = Clock::set_to(START);
    let app = start(&crossref, &clock, |config| {
        let provider = &mut config.providers.unpaywall;
        provider.enabled = true;
        provider.base_url = unpaywall.url().parse().unwrap();
        provider.api_key = serde_json::from_str("\"me@example.org\"").unwrap();
    });
    let copy = json!({"url": "https://repo.example.org/frogs", "version": "accepted", "source": "unpaywall"});
    for _ in 0..2 {
        assert_eq!(look_up(&app, "open_access")["open_access"], copy);
    }
    let requests = unpaywall.requests();
    assert_eq!(requests.len(), 1, "the answer is kept");
    assert_eq!(
        requests[0].target,
        "/v2/10.5555%2Ffrogs?email=me%40example.org"
    );
    look_up(&app, "abstract");
    assert_eq!(unpaywall.requests().len(), 1);
}

#[test]
fn unpaywall_that_knows_no_copy_is_not_asked_again_at_once() {
    let crossref = StandIn::start(|_| record(false));
    let unpaywall = StandIn::start(|_| Reply::status(404));
    let clock = Clock::set_to(START);
    let app = start(&crossref, &clock, |config| {
        let provider = &mut config.providers.unpaywall;
        provider.enabled = true;
        provider.base_url = unpaywall.url().parse().unwrap();
        provider.api_key = serde_json::from_str("\"me@example.org\"").unwrap();
        config.lookup.refresh_after_seconds = 10 * DAY;
    });
    for _ in 0..2 {
        assert_eq!(look_up(&app, "open_access")["open_access"], Value::Null);
    }
    assert_eq!(unpaywall.requests().len(), 1);
    clock.advance(10 * DAY);
    look_up(&app, "open_access");
    assert_eq!(unpaywall.requests().len(), 2);
}

/// Whether a request carries the validator.
fn is_conditional(request: &Request) -> bool {
    request.header("if-none-match") == Some("\"v1\"")
        && request.header("if-modified-since") == Some("Thu, 01 Jan 2026 00:00:00 GMT")
}

#[test]
fn unchanged_record_is_confirmed_without_being_sent() {
    let crossref = StandIn::start(|request| {
        if is_conditional(request) {
            return Reply::status(304);
        }
        record(true)
            .with_header("etag", "\"v1\"")
            .with_header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
    });
    let clock = Clock::set_to(START);
    let app = start(&crossref, &clock, |_| {});
    let first = look_up(&app, "open_access");
    let id = Identifier::parse("10.5555/frogs").unwrap();
    for round in 1..=2 {
        clock.advance(30 * DAY);
        assert_eq!(look_up(&app, "open_access"), first);
        let asked_at = START + round * 30 * DAY as i64;
        wait_until(|| app.app.store.asked_at(&id).unwrap() == Some(asked_at));
    }
    let requests = crossref.requests();
    let conditional: Vec<bool> = requests.iter().map(is_conditional).collect();
    assert_eq!(conditional, [false, true, true]);
    assert_eq!(app.app.lookup.stored(), 1, "nothing was stored again");
    // The record itself is as old as it was.
    assert_eq!(look_up(&app, "open_access"), first);
}
