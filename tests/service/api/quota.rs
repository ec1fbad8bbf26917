//! Daily lookups, bursts and the monthly allowance over HTTP.

use crate::support::waiting::wait_until;
use citation::clock::Clock;
use citation::config::NetworkSettings;
use citation::quota::calendar::Month;
use citation::quota::report;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp};

const NOW: i64 = 1_795_233_600;

/// A server with the specification's numbers.
fn start(clock: &Clock) -> TestApp {
    TestApp::start_at(clock.clone(), |config| {
        config.quota.anonymous_daily = 20;
        config.limits.anonymous_per_minute = 10_000;
    })
}

#[test]
fn lookup_works_without_writable_usage_journal() {
    let app = TestApp::start();
    let key = app.bearer(Plan::Academic);
    let make = || {
        let headers = [
            ("authorization", key.as_str()),
            ("content-type", "application/json"),
        ];
        app.send(
            "POST",
            "/api/v1/collections",
            &headers,
            Some(b"{\"name\":\"a\"}"),
        )
    };
    assert_eq!(make().status, 201);
    let folder = app.app.store.directory().join("usage");
    let away = app.app.store.directory().join("away");
    std::fs::rename(&folder, &away).unwrap();
    assert_eq!((make().status, make().status), (201, 201));
    std::fs::rename(&away, &folder).unwrap();
    let counted = || {
        let month = Month::of(citation::clock::unix_now());
        report::monthly(&app.app.store, month).unwrap().total_calls
    };
    wait_until(|| app.app.quota.uncounted_calls() == 0);
    assert_eq!(counted(), 3);
}

fn look_up(app: &TestApp, key: Option<&str>, doi: &str) -> Answer {
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(key.map(|key| ("authorization", key)));
    app.send(
        "POST",
        "/api/v1/lookup/doi",
        &headers,
        Some(json!({"doi": doi}).to_string().as_bytes()),
    )
}

const DOI: &str = "10.1038/171737a0";

/// The four numbers that headers say.
fn counted(answer: &Answer) -> (u64, u64, u64, &str) {
    let number = |name| answer.header(name).parse().unwrap_or(u64::MAX);
    let limits = (
        number("x-ratelimit-limit"),
        number("x-ratelimit-remaining"),
        number("x-ratelimit-reset"),
    );
    (
        limits.0,
        limits.1,
        limits.2,
        answer.header("x-ratelimit-scope"),
    )
}

#[test]
fn exhausted_quota_has_specified_body_and_headers() {
    let clock = Clock::set_to(NOW);
    let app = start(&clock);
    for used in 1..=20 {
        let answer = look_up(&app, None, DOI);
        assert_eq!(answer.status, 200);
        assert_eq!(counted(&answer), (20, 20 - used, 86_400, "daily"));
        assert_eq!(answer.header("x-lookup-cost"), "1");
    }
    clock.advance(1_000);
    let answer = look_up(&app, None, DOI);
    let body = answer.expect_error(429, "quota_exhausted");
    let expected = json!({
        "retry_after": 85_400, "anonymous_daily_limit": 20, "free_daily_limit": 60, "academic_daily_limit": 20_000,
        "business_daily_limit": 20_000, "active_plan": "Anonymous", "limit": 20, "used": 20, "remaining": 0,
        "reset_seconds": 85_400, "reset_at": "2026-11-22T04:00:00Z",
        "actions": ["sign_in", "create_free_account", "view_plans"], "monthly": null,
        "limits": {"collections": 0, "entries_per_collection": 0, "burst_per_minute": 10_000},
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&body[name], value, "{name}");
    }
    assert_eq!(answer.header("retry-after"), "85400");
    assert_eq!(counted(&answer), (20, 0, 85_400, "daily"));
    // Whoever signs in goes on, and what costs nothing goes on too.
    let free = app.bearer(Plan::Free);
    assert_eq!(
        counted(&look_up(&app, Some(&free), DOI)),
        (60, 59, 86_400, "daily")
    );
    assert_eq!(app.get("/api/v1/styles").status, 200);
    look_up(&app, None, "no doi").expect_error(422, "invalid_doi");
    clock.advance(85_400);
    assert_eq!(
        counted(&look_up(&app, None, DOI)),
        (20, 19, 86_400, "daily")
    );
}

#[test]
fn concurrent_requests_never_exceed_the_quota() {
    let clock = Clock::set_to(NOW);
    let app = start(&clock);
    (0..10).for_each(|_| assert_eq!(look_up(&app, None, DOI).status, 200));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|_| scope.spawn(|| look_up(&app, None, DOI).status))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(200), count(429)), (10, 54), "{statuses:?}");
    assert_eq!(app.get("/api/v1/me").json()["lookups"]["used"], 20);
}

#[test]
fn only_failed_lookups_are_free() {
    let clock = Clock::set_to(NOW);
    let app = start(&clock);
    let remaining = || {
        app.get("/api/v1/me").json()["lookups_remaining"]
            .as_u64()
            .unwrap()
    };
    look_up(&app, None, "nonsense").expect_error(422, "invalid_doi");
    app.post("/api/v1/lookup/doi", &json!([]))
        .expect_error(400, "invalid_json");
    app.get("/api/v1/works/10.1038/171737a0?style=no-such-style")
        .text();
    let answer = app.get_with(
        "/api/v1/works/10.1038/171737a0",
        &[("accept", "text/x-bibliography; style=no-such-style-at-all")],
    );
    answer.expect_error(422, "unknown_style");
    assert_eq!(answer.header("x-lookup-cost"), "0");
    let before = remaining();
    look_up(&app, None, "10.5555/no-such-work").expect_error(404, "work_not_found");
    assert_eq!(remaining(), before - 1);
}

#[test]
fn unavailable_provider_is_free() {
    let clock = Clock::set_to(NOW);
    let app = TestApp::start_at(clock, |config| {
        config.providers.crossref.enabled = true;
        // Nobody listens on the discard port.
        config.providers.crossref.base_url = "http://127.0.0.1:9".parse().unwrap();
        config.providers.crossref.retries = 0;
    });
    let answer = look_up(&app, None, "10.5555/no-such-work");
    assert!(matches!(answer.status, 502..=504), "{}", answer.text());
    assert_eq!(answer.header("x-lookup-cost"), "0");
    assert_eq!(app.get("/api/v1/me").json()["lookups"]["used"], 0);
}

#[test]
fn me_and_policy_report_the_callers_quota() {
    let clock = Clock::set_to(NOW);
    let app = start(&clock);
    let me = app.get("/api/v1/me").json();
    assert_eq!(
        me,
        json!({
            "authenticated": false, "auth_method": "anonymous", "user": null, "plan": "Anonymous",
            "lookups_remaining": 20,
            "lookups": {"limit": 20, "used": 0, "remaining": 20, "reset_seconds": 86_400, "reset_at": "2026-11-22T04:00:00Z"},
            "monthly": null, "limits": {"collections": 0, "entries_per_collection": 0, "collections_used": 0, "account_bytes": 0, "account_bytes_used": 0}, "features": [],
        })
    );
    let business = app.bearer(Plan::Business);
    look_up(&app, Some(&business), DOI);
    let me = app
        .get_with("/api/v1/me", &[("authorization", &business)])
        .json();
    assert_eq!(
        (me["auth_method"].as_str(), me["plan"].as_str()),
        (Some("api_key"), Some("Business"))
    );
    assert_eq!(me["user"]["email"], "Business@example.org");
    assert_eq!(
        me["limits"],
        json!({"collections": 20, "entries_per_collection": 4_000, "collections_used": 0, "account_bytes": 1 << 30, "account_bytes_used": 0})
    );
    assert_eq!(
        me["monthly"],
        json!({"included": 40_000, "used": 1, "overage": 0, "resets_at": "2026-12-01T00:00:00Z"})
    );
    assert_eq!(
        me["features"],
        json!([
            "citation_keys",
            "journal_expand",
            "batch",
            "merge",
            "batch_move"
        ])
    );
    let policy = app
        .get_with("/api/v1/quota-policy", &[("authorization", &business)])
        .json();
    for absent in ["error", "message", "retry_after"] {
        assert!(policy.get(absent).is_none());
    }
    assert_eq!(
        (&policy["active_plan"], &policy["actions"]),
        (&json!("Business"), &json!([]))
    );
    assert_eq!(
        (&policy["limit"], &policy["used"], &policy["remaining"]),
        (&json!(20_000), &json!(1), &json!(19_999))
    );
    let free = app
        .get_with(
            "/api/v1/quota-policy",
            &[("authorization", &app.bearer(Plan::Free))],
        )
        .json();
    assert_eq!(
        (&free["actions"], &free["monthly"]),
        (&json!(["view_plans"]), &Value::Null)
    );
    let limits = app.get("/api/v1/limits").json();
    assert_eq!(limits["plans"][2]["entries_per_collection"], 1_000);
    assert_eq!(limits["requests"]["json_body_bytes"], 2_097_152);
}

#[test]
fn monthly_allowance_counts_successful_key_calls() {
    let clock = Clock::set_to(NOW);
    let app = TestApp::start_at(clock.clone(), |config| config.quota.academic_monthly = 3);
    let academic = app.bearer(Plan::Academic);
    let calls = |count: u64| {
        (0..count).for_each(|_| assert_eq!(look_up(&app, Some(&academic), DOI).status, 200))
    };
    calls(2);
    look_up(&app, Some(&academic), "nonsense").expect_error(422, "invalid_doi");
    look_up(&app, Some(&academic), "10.5555/none").expect_error(404, "work_not_found");
    for free in [
        "/api/v1/styles",
        "/api/v1/me",
        "/api/health",
        "/api/v1/quota-policy",
    ] {
        assert_eq!(
            app.get_with(free, &[("authorization", &academic)]).status,
            200
        );
    }
    clock.advance(86_400);
    let headers = [
        ("authorization", academic.as_str()),
        ("content-type", "application/json"),
    ];
    let formatted = app.send(
        "POST",
        "/api/v1/format",
        &headers,
        Some(b"{\"entries\":[]}"),
    );
    assert_eq!(formatted.status, 200, "{}", formatted.text());
    calls(1);
    let monthly = app
        .get_with("/api/v1/me", &[("authorization", &academic)])
        .json()["monthly"]
        .clone();
    assert_eq!(
        monthly,
        json!({"included": 3, "used": 5, "overage": 2, "resets_at": "2026-12-01T00:00:00Z"})
    );
    let report = report::monthly(&app.app.store, Month::of(NOW)).unwrap();
    assert_eq!((report.total_calls, report.total_overage), (5, 2));
    let days: Vec<(&str, u64)> = report.accounts[0]
        .days
        .iter()
        .map(|day| (day.date.as_str(), day.calls))
        .collect();
    assert_eq!(days, [("2026-11-21", 3), ("2026-11-22", 2)]);
}

#[test]
fn bursts_are_limited_by_address_and_credential() {
    let clock = Clock::set_to(NOW);
    let app = TestApp::start_at(clock.clone(), |config| {
        config.limits.anonymous_per_minute = 5;
        config.limits.credential_per_minute = 8;
        config.server.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    });
    let from = |address: &str| app.get_with("/api/v1/me", &[("x-forwarded-for", address)]);
    let allowed = |address: &str| (0..12).filter(|_| from(address).status == 200).count();
    assert_eq!(allowed("203.0.113.7"), 5);
    let answer = from("203.0.113.7");
    let body = answer.expect_error(429, "rate_limited");
    assert_eq!(body["scope"], "ip");
    assert_eq!(
        (&body["limit"], &body["remaining"], &body["retry_after"]),
        (&json!(5), &json!(0), &json!(12))
    );
    assert_eq!(answer.header("retry-after"), "12");
    assert_eq!(counted(&answer), (5, 0, 60, "burst"));
    // What the client claims further left does not count, nor does another address of its /64.
    assert_eq!(allowed("198.51.100.1, 203.0.113.7"), 0);
    assert_eq!(allowed("2001:db8:1:2::1"), 5);
    assert_eq!(allowed("2001:db8:1:2:ffff::2"), 0);
    assert_eq!(allowed("2001:db8:1:3::1"), 5);
    clock.advance(12);
    assert_eq!(allowed("203.0.113.7"), 1);
    // A credential has a bucket of its own, wherever it is used.
    let free = app.bearer(Plan::Free);
    let with_key = |address: &str| {
        let headers = [
            ("authorization", free.as_str()),
            ("x-forwarded-for", address),
        ];
        (0..10)
            .filter(|_| app.get_with("/api/v1/me", &headers).status == 200)
            .count()
    };
    assert_eq!((with_key("203.0.113.7"), with_key("192.0.2.1")), (8, 0));
    // Whoever tries keys is held back by address.
    let guess = |address: &str| {
        let headers = [
            ("authorization", "Bearer ck_guess"),
            ("x-forwarded-for", address),
        ];
        app.get_with("/api/v1/me", &headers).status
    };
    let statuses: Vec<u16> = (0..6).map(|_| guess("192.0.2.77")).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429]);
    // Health is never held back.
    assert!((0..20).all(|_| {
        app.get_with("/api/health", &[("x-forwarded-for", "203.0.113.7")])
            .status
            == 200
    }));
}

#[test]
fn named_network_has_a_quota_of_its_own() {
    let clock = Clock::set_to(NOW);
    let app = TestApp::start_at(clock.clone(), |config| {
        config.quota.anonymous_daily = 1;
        config.limits.anonymous_per_minute = 10_000;
        config.server.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        config.quota.networks = vec![NetworkSettings {
            name: "campus".to_owned(),
            addresses: vec!["192.0.2.0/24".parse().unwrap()],
            daily: 3,
            per_minute: 8,
        }];
    });
    let from = |address: &str, key: Option<&str>| {
        let mut headers = vec![
            ("content-type", "application/json"),
            ("x-forwarded-for", address),
        ];
        headers.extend(key.map(|key| ("authorization", key)));
        let body = json!({"doi": DOI}).to_string();
        app.send(
            "POST",
            "/api/v1/lookup/doi",
            &headers,
            Some(body.as_bytes()),
        )
    };
    let left = |answer: &Answer| (answer.status, counted(answer).0, counted(answer).1);
    // All addresses of the network share its lookups.
    assert_eq!(left(&from("192.0.2.1", None)), (200, 3, 2));
    assert_eq!(left(&from("192.0.2.2", None)), (200, 3, 1));
    assert_eq!(left(&from("192.0.2.1", None)), (200, 3, 0));
    let refused = from("192.0.2.3", None);
    let body = refused.expect_error(429, "quota_exhausted");
    assert_eq!(
        (&body["limit"], &body["limits"]["burst_per_minute"]),
        (&json!(3), &json!(8))
    );
    // An address outside has its own, and an account counts for itself.
    assert_eq!(left(&from("198.51.100.1", None)), (200, 1, 0));
    let free = app.bearer(Plan::Free);
    assert_eq!(left(&from("192.0.2.1", Some(&free))), (200, 60, 59));
    // The request rate is that of each address.
    let allowed = |address: &str| {
        let me = || app.get_with("/api/v1/me", &[("x-forwarded-for", address)]);
        (0..10).filter(|_| me().status == 200).count()
    };
    assert_eq!((allowed("192.0.2.9"), allowed("192.0.2.10")), (8, 8));
}

#[test]
fn local_works_are_free_if_the_operator_says_so() {
    let app = TestApp::start_with(|config| {
        config.quota.anonymous_daily = 1;
        config.quota.local_works_free = true;
    });
    let cost = |answer: &Answer| (answer.status, answer.header("x-lookup-cost").to_owned());
    let free = (200, "0".to_owned());
    for path in ["/api/v1/lookup", "/api/v1/verify"] {
        let body = json!({"query": DOI, "text": format!("https://doi.org/{DOI}")});
        let body = match path {
            "/api/v1/lookup" => json!({"query": body["query"]}),
            _ => json!({"text": body["text"]}),
        };
        assert_eq!(cost(&app.post(path, &body)), free, "{path}");
    }
    // What no source has costs a lookup, and with none left local works are still found.
    let miss = look_up(&app, None, "10.1234/none");
    assert_eq!(cost(&miss), (404, "1".to_owned()));
    look_up(&app, None, "10.1234/none").expect_error(429, "quota_exhausted");
    assert_eq!(cost(&look_up(&app, None, DOI)), free);
}

#[test]
fn forwarded_headers_of_untrusted_peers_are_ignored() {
    let clock = Clock::set_to(NOW);
    let app = TestApp::start_at(clock, |config| config.limits.anonymous_per_minute = 5);
    let spoofed = |number: u8| {
        let address = format!("203.0.113.{number}");
        let forwarded = format!("for={address}");
        app.get_with(
            "/api/v1/me",
            &[("x-forwarded-for", &address), ("forwarded", &forwarded)],
        )
        .status
    };
    assert_eq!((0..10).filter(|number| spoofed(*number) == 200).count(), 5);
}
