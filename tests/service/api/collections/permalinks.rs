//! Links to lists without an account.

use citation::auth::accounts::NewAccount;
use citation::auth::sign_in::Visitor;
use citation::config::Config;
use serde_json::{Value, json};

use super::{Library, NOW, expect, text};
use crate::support::{Answer, add_account, list};

const DAY: u64 = 86_400;

fn open(change: impl FnOnce(&mut Config)) -> Library {
    Library::open_with(|config| {
        config.sharing.anonymous = true;
        change(config);
    })
}

fn make(library: &Library, entries: Value) -> Answer {
    let body = json!({"name": "Lückenlos", "style": "apa", "entries": entries});
    library.app.post("/api/v1/permalinks", &body)
}

fn delete(library: &Library, token: &str, body: &Value) -> Answer {
    library.app.send(
        "DELETE",
        &format!("/api/v1/permalinks/{token}"),
        &[("content-type", "application/json")],
        Some(body.to_string().as_bytes()),
    )
}

#[test]
fn permalink_shows_list_like_shared_collection() {
    let library = open(|_| {});
    let entries = json!([
        {"metadata": {"title": "Zebras", "authors": [{"family": "Zed"}], "date": {"year": 2001}, "shelf": "home"}, "note": "Read it"},
        {"title": "Ants", "authors": [{"family": "Ames"}], "date": {"year": 2002}, "annote": "private"},
    ]);
    let made = expect(&make(&library, entries), 201);
    let token = text(&made["share_token"]);
    assert_eq!(made["share_url"], library.app.url(&format!("/s/{token}")));
    assert_eq!(made["days"], 180);

    let shared = library.app.get(&format!("/api/v1/shared/{token}"));
    let body = expect(&shared, 200);
    assert_eq!(shared.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(body["name"], "Lückenlos");
    assert_eq!(body["entries"][0]["note"], "Read it");
    assert_eq!(body["entries"][1]["metadata"]["title"], "Ants");
    for secret in ["shelf", "private", text(&made["delete_key"])] {
        assert!(!shared.text().contains(secret), "{secret}");
    }
    let page = library.app.get(&format!("/s/{token}"));
    let html = page.text();
    assert_eq!(page.header("x-robots-tag"), "noindex");
    assert!(html.contains("noindex"));
    // In the order of the style.
    assert!(html.find("Ants").unwrap() < html.find("Zebras").unwrap());
    let bib = library.app.get(&format!("/s/{token}/export.bibtex"));
    assert!(bib.text().contains("@"), "{}", bib.text());
    assert!(bib.text().contains("Zed2001"), "{}", bib.text());

    let key = &made["delete_key"];
    delete(&library, token, &json!({"delete_key": "wrong"})).expect_error(404, "not_found");
    delete(&library, token, &json!({})).expect_error(422, "validation_failed");
    assert_eq!(
        delete(&library, token, &json!({"delete_key": key})).status,
        204
    );
    assert_eq!(library.app.get(&format!("/s/{token}")).status, 404);
    delete(&library, token, &json!({"delete_key": key})).expect_error(404, "not_found");
}

#[test]
fn link_expires_without_visits() {
    let library = open(|config| config.sharing.anonymous_days = 10);
    let made = expect(&make(&library, json!([{"title": "T"}])), 201);
    let path = format!("/api/v1/shared/{}", text(&made["share_token"]));
    for _ in 0..3 {
        library.clock.advance(9 * DAY);
        expect(&library.app.get(&path), 200);
    }
    library.clock.advance(10 * DAY);
    library.app.get(&path).expect_error(404, "not_found");
    library.app.app.collections.purge().unwrap();
    library.clock.jump_to(NOW + 30 * DAY as i64);
    library.app.get(&path).expect_error(404, "not_found");
}

#[test]
fn links_are_bounded_in_number_and_size() {
    let library = open(|config| {
        config.sharing.anonymous_per_day = 3;
        config.sharing.anonymous_entries = 2;
        config.sharing.anonymous_list_bytes = 2_048;
        config.sharing.anonymous_bytes = 1_100;
    });
    let work = || json!({"title": "T"});
    make(&library, json!([work(), work(), work()])).expect_error(413, "payload_too_large");
    make(&library, json!([])).expect_error(422, "validation_failed");
    make(
        &library,
        json!([{"title": "T", "abstract": "a".repeat(3_000)}]),
    )
    .expect_error(413, "payload_too_large");
    expect(&make(&library, json!([work()])), 201);
    make(&library, json!([work()])).expect_error(403, "storage_limit_reached");
    let refused = make(&library, json!([work()]));
    refused.expect_error(429, "rate_limited");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 3_600);
}

#[test]
fn permalinks_need_operators_permission() {
    let library = Library::open();
    make(&library, json!([{"title": "T"}])).expect_error(403, "forbidden");
    assert!(!library.app.get("/").text().contains("data-link-days"));
}

#[test]
fn operator_deletes_any_link() {
    let new = NewAccount {
        email: Some("operator@example.org"),
        ..NewAccount::default()
    };
    let library = open(|config| {
        config.auth.operators = vec![add_account(config, &new)];
    });
    let made = expect(&make(&library, json!([{"title": "T"}])), 201);
    let token = text(&made["share_token"]);
    let auth = &library.app.app.auth;
    let user = auth.store().user_by_email("operator@example.org");
    let visitor = Visitor {
        address: [127, 0, 0, 1].into(),
        agent: String::new(),
    };
    let session = auth.start_session(&user.unwrap().unwrap(), "test", &visitor);
    let cookie = format!("session={}", session.unwrap().reveal());
    let origin = library.app.url("");
    let headers = [
        ("cookie", cookie.as_str()),
        ("origin", origin.as_str()),
        ("content-type", "application/json"),
    ];
    let answer = library.app.send(
        "DELETE",
        &format!("/api/v1/permalinks/{token}"),
        &headers,
        Some(b"{}"),
    );
    assert_eq!(answer.status, 204, "{}", answer.text());
}

#[test]
fn link_shows_retraction_and_its_notice() {
    let library = open(|_| {});
    let entries = json!([
        {"title": "Withdrawn", "doi": "10.1016/S0140-6736(97)11096-0"},
        {"title": "Sound", "doi": "10.1038/171737a0"},
    ]);
    let made = expect(&make(&library, entries), 201);
    let token = text(&made["share_token"]);
    let body = expect(&library.app.get(&format!("/api/v1/shared/{token}")), 200);
    let updates = list(&body["entries"][0]["updates"]);
    assert!(updates.iter().any(|update| update["type"] == "retraction"));
    let page = library.app.get(&format!("/s/{token}")).text();
    let badge =
        "<a class=\"badge retracted\" href=\"https://doi.org/10.1016/s0140-6736(10)60175-4\"";
    assert_eq!(page.matches(badge).count(), 1, "{page}");
    assert_eq!(page.matches("badge retracted").count(), 1, "{page}");
}
