//! Links: that they read, and what those that edit may change.

use std::collections::BTreeSet;

use citation::api;
use citation::clock::iso8601;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, NO_ID, expect, text};
use crate::support::{Answer, list};

#[test]
fn link_opens_a_collection_until_it_is_revoked() {
    let (library, me, path) = Library::with_collection("Ünï/x");
    let metadata = json!({"title": "One", "annote": "private", "file": "/home/me/one.pdf"});
    expect(
        &me.post(
            &format!("{path}/entries"),
            json!({"metadata": metadata, "note": "secret", "tags": ["t"]}),
        ),
        201,
    );
    let share = format!("{path}/share");
    let shared = expect(&me.post(&share, Value::Null), 201);
    let token = text(&shared["share_token"]).to_owned();
    assert!(token.len() >= 22 && token.bytes().all(|b| b.is_ascii_alphanumeric()));
    assert_eq!(shared["share_url"], library.app.url(&format!("/s/{token}")));
    assert_eq!(
        (&shared["expires_at"], &shared["include_notes"]),
        (&Value::Null, &json!(false))
    );
    assert_eq!(
        expect(&me.post(&share, json!({})), 200)["share_token"],
        token
    );
    assert_eq!(
        expect(&me.get("/collections"), 200)[0]["share_token"],
        token
    );

    let open = |path: &str| library.app.get(&format!("/api/v1/shared/{path}"));
    let answer = open(&token);
    let body = expect(&answer, 200);
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let origin = [("origin", "https://example.org")];
    let foreign = library
        .app
        .get_with(&format!("/api/v1/shared/{token}"), &origin);
    assert_eq!(foreign.header("access-control-allow-origin"), "*");
    assert!(!answer.header("etag").is_empty());
    let entry = &body["entries"][0];
    assert_eq!(
        (&entry["note"], &entry["tags"]),
        (&Value::Null, &json!(["t"]))
    );
    assert_eq!(body["share_token"], Value::Null);
    for hint in ["secret", "private", "/home", "Free@", "example.org"] {
        assert!(!answer.text().contains(hint), "{hint}");
    }
    let file = open(&format!("{token}/export.bib"));
    assert!(
        file.text().contains("One")
            && !file.text().contains("/home")
            && !file.text().contains("private")
    );
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"Uni-x.bib\"; filename*=UTF-8''%C3%9Cn%C3%AF-x.bib"
    );

    let annotated = |form: &str| open(&format!("{token}/export.{form}?notes=true"));
    assert!(!annotated("html").text().contains("secret"));
    expect(&me.post(&share, json!({"include_notes": true})), 200);
    let html = annotated("html").text();
    assert!(
        html.contains("<div class=\"csl-annotation\">secret</div>"),
        "{html}"
    );
    for form in ["rtf", "md", "txt"] {
        assert!(annotated(form).text().contains("secret"), "{form}");
        let plain = open(&format!("{token}/export.{form}"));
        assert!(!plain.text().contains("secret"), "{form}");
    }
    assert_eq!(expect(&open(&token), 200)["entries"][0]["note"], "secret");
    let rotated = expect(
        &me.post(
            &share,
            json!({"rotate": true, "expires_at": "2026-11-21T05:00:00Z"}),
        ),
        201,
    );
    let second = text(&rotated["share_token"]).to_owned();
    assert_eq!(rotated["include_notes"], true);
    open(&token).expect_error(404, "not_found");
    expect(&open(&second), 200);
    library.clock.advance(3600);
    let fault = open(&second).expect_error(404, "not_found");
    assert_eq!(fault["resource"], "share");
    assert_eq!(expect(&me.get(&path), 200)["share_token"], Value::Null);

    let third = text(&expect(&me.post(&share, json!({})), 201)["share_token"]).to_owned();
    expect(&open(&third), 200);
    assert_eq!(me.delete(&share).status, 204);
    assert_eq!(me.delete(&share).status, 204);
    open(&third).expect_error(404, "not_found");
    open("x").expect_error(404, "not_found");
    me.post(&share, json!({"expires_at": "2020-01-01T00:00:00Z"}))
        .expect_error(422, "validation_failed");
    me.post(&share, json!({"expires_at": "soon"}))
        .expect_error(422, "validation_failed");
}

#[test]
fn deleted_collection_is_not_shared() {
    let (library, me, path) = Library::with_collection("A");
    let token =
        text(&expect(&me.post(&format!("{path}/share"), json!({})), 201)["share_token"]).to_owned();
    let open = || library.app.get(&format!("/api/v1/shared/{token}"));
    assert_eq!(me.delete(&path).status, 204);
    open().expect_error(404, "not_found");
    expect(&me.post(&format!("{path}/restore"), json!({})), 200);
    expect(&open(), 200);
}

#[test]
fn shared_collection_has_feeds_of_entries_and_retractions() {
    let (library, me, path) = Library::with_collection("News & more");
    let metadata = json!({"title": "A <b>bold</b> & new work", "doi": "10.5555/new",
        "authors": [{"family": "Lovelace", "given": "Ada"}]});
    let body = json!({"metadata": metadata, "note": "secret", "tags": ["t"]});
    expect(&me.post(&format!("{path}/entries"), body), 201);
    let shared = expect(&me.post(&format!("{path}/share"), Value::Null), 201);
    let feed = |rest: &str| {
        let token = text(&shared["share_token"]);
        library
            .app
            .get(&format!("/api/v1/shared/{token}/feed.{rest}"))
    };
    let atom = feed("atom");
    assert_eq!(
        atom.header("content-type"),
        "application/atom+xml; charset=utf-8"
    );
    let xml = atom.text();
    for part in [
        "<title>News &amp; more</title>",
        "A bold &amp; new work",
        "Ada Lovelace",
        "https://doi.org/10.5555/new",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    assert!(!xml.contains("secret"));
    let json_feed = expect(&feed("json"), 200);
    assert_eq!(json_feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(json_feed["items"][0]["tags"], json!(["t"]));
    let retractions = expect(&feed("json?of=retractions"), 200);
    assert_eq!(retractions["items"], json!([]));
    feed("json?of=all").expect_error(400, "invalid_parameter");
    assert_eq!(feed("rss").status, 404);
    let unknown = library.app.get("/api/v1/shared/unknown/feed.atom");
    assert_eq!(unknown.status, 404);
}

/// A link in the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Edits,
    Reads,
    Expired,
    Revoked,
    Unknown,
}

const LINKS: [Link; 5] = [
    Link::Edits,
    Link::Reads,
    Link::Expired,
    Link::Revoked,
    Link::Unknown,
];

/// Every operation below a link, with a body that it accepts, and whether it changes entries.
fn operations() -> Vec<(&'static str, &'static str, Value, bool)> {
    vec![
        ("GET", "", Value::Null, false),
        ("GET", "/export.{format}", Value::Null, false),
        ("GET", "/feed.{format}", Value::Null, false),
        ("POST", "/entries", json!({"title": "New"}), true),
        ("PATCH", "/entries/{eid}", json!({"tags": ["t"]}), true),
        (
            "PUT",
            "/entries/{eid}/metadata",
            json!({"title": "Other"}),
            true,
        ),
        ("DELETE", "/entries/{eid}", Value::Null, true),
        ("POST", "/entries/{eid}/restore", Value::Null, true),
    ]
}

fn send(library: &Library, method: &str, path: &str, body: &Value) -> Answer {
    let text = body.to_string();
    let body = (!body.is_null()).then_some(text.as_bytes());
    let headers: &[(&str, &str)] = match body {
        Some(_) => &[("content-type", "application/json")],
        None => &[],
    };
    library.app.send(method, path, headers, body)
}

/// A collection with an entry and a link: the paths of both, and the token.
fn linked(library: &Library, me: &Member, link: Link) -> (String, String, String) {
    let path = me.collection("A");
    let entry = me.entry(&path, "One");
    let share = format!("{path}/share");
    let ends = matches!(link, Link::Expired).then(|| iso8601(library.clock.unix() + 60));
    let options = json!({"can_edit": link != Link::Reads, "expires_at": ends});
    let made = expect(&me.post(&share, options), 201);
    assert_eq!(made["can_edit"], link != Link::Reads);
    let token = match link {
        Link::Unknown => NO_ID.to_owned(),
        _ => text(&made["share_token"]).to_owned(),
    };
    match link {
        Link::Expired => library.clock.advance(3_600),
        Link::Revoked => assert_eq!(me.delete(&share).status, 204),
        _ => {}
    }
    (path, entry, token)
}

#[test]
fn link_changes_entries_only_if_it_and_the_configuration_say_so() {
    let mut wrong = Vec::new();
    let mut cells = 0;
    let library = shared_library();
    let me = library.member(Plan::Free);
    for (method, place, body, edits) in operations() {
        for link in LINKS {
            let (path, entry, token) = linked(&library, &me, link);
            let before = me.get(&path).header("etag").to_owned();
            let form = if place.contains("feed") {
                "atom"
            } else {
                "bib"
            };
            let place = place.replace("{eid}", &entry).replace("{format}", form);
            let answer = send(
                &library,
                method,
                &format!("/api/v1/shared/{token}{place}"),
                &body,
            );
            let expected = match link {
                Link::Edits => 200..=299,
                Link::Reads if edits => 403..=403,
                Link::Reads => 200..=299,
                _ => 404..=404,
            };
            let is_changed = me.get(&path).header("etag") != before;
            // Restoring what exists changes nothing.
            let may_change = edits && link == Link::Edits && !place.ends_with("/restore");
            if !expected.contains(&answer.status) || is_changed != may_change {
                wrong.push(format!(
                    "{method} {place} × {link:?}: {} {}",
                    answer.status,
                    answer.text()
                ));
            }
            cells += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{cells} cells");
}

fn shared_library() -> Library {
    Library::open_with(|config| {
        config.sharing.edit_links = true;
        config.limits.free_collections = 1_000;
    })
}

#[test]
fn walk_of_links_knows_every_route() {
    let walked: BTreeSet<(String, String)> = { operations().into_iter() }
        .map(|(method, place, ..)| {
            (
                method.to_owned(),
                format!("/api/v1/shared/{{token}}{place}"),
            )
        })
        .collect();
    let routes: BTreeSet<(String, String)> = { api::rows().into_iter() }
        .filter(|(_, path, _)| path.starts_with("/api/v1/shared/{token}"))
        .map(|(method, path, _)| (method.to_string(), path.to_owned()))
        .collect();
    assert_eq!(walked, routes);
}

/// A link is no credential for the collection's own routes, and reaches no other collection.
#[test]
fn link_that_edits_opens_nothing_else() {
    let library = shared_library();
    let me = library.member(Plan::Free);
    let (path, entry, token) = linked(&library, &me, Link::Edits);
    let other = me.collection("B");
    let foreign = me.entry(&other, "Two");
    for (method, place) in [
        ("PATCH", format!("/entries/{foreign}")),
        ("DELETE", format!("/entries/{foreign}")),
        ("POST", format!("/entries/{foreign}/restore")),
        ("PUT", format!("/entries/{foreign}/metadata")),
    ] {
        let body = match method {
            "PUT" => json!({"title": "X"}),
            "PATCH" => json!({"tags": ["x"]}),
            _ => Value::Null,
        };
        let answer = send(
            &library,
            method,
            &format!("/api/v1/shared/{token}{place}"),
            &body,
        );
        answer.expect_error(404, "not_found");
    }
    let id = path.trim_start_matches("/collections/");
    for (method, path) in [
        ("GET", format!("/api/v1/collections/{id}")),
        ("GET", format!("/api/v1/collections/{token}")),
        (
            "DELETE",
            format!("/api/v1/collections/{id}/entries/{entry}"),
        ),
        ("GET", format!("/api/v1/collections/{id}/members")),
        ("DELETE", format!("/api/v1/collections/{id}")),
    ] {
        let bearer = format!("Bearer {token}");
        assert_eq!(library.app.send(method, &path, &[], None).status, 401);
        let headers = [("authorization", bearer.as_str())];
        assert_eq!(library.app.send(method, &path, &headers, None).status, 401);
    }
    assert_eq!(me.titles(&path), ["One"]);
    assert_eq!(me.titles(&other), ["Two"]);
}

#[test]
fn change_by_a_link_keeps_what_it_does_not_show_and_names_nobody() {
    let library = shared_library();
    let me = library.member(Plan::Free);
    let path = me.collection("A");
    let metadata = json!({"title": "One", "annote": "private", "file": "/home/me/one.pdf"});
    let new = json!({"metadata": metadata, "note": "secret"});
    let entry = expect(&me.post(&format!("{path}/entries"), new), 201);
    let entry = text(&entry["id"]);
    let link = expect(
        &me.post(&format!("{path}/share"), json!({"can_edit": true})),
        201,
    );
    let shared = format!("/api/v1/shared/{}", text(&link["share_token"]));
    let opened = expect(&library.app.get(&shared), 200);
    assert_eq!(opened["link_can_edit"], true);
    let at = format!("{shared}/entries/{entry}");

    let answer = send(
        &library,
        "PUT",
        &format!("{at}/metadata"),
        &json!({"title": "Two"}),
    );
    let shown = expect(&answer, 200);
    assert_eq!(
        (&shown["metadata"]["title"], &shown["note"]),
        (&json!("Two"), &Value::Null)
    );
    for hint in ["secret", "private", "/home", "Free@"] {
        assert!(!answer.text().contains(hint), "{hint}");
    }
    let kept = expect(&me.get(&format!("{path}/entries/{entry}")), 200);
    assert_eq!(kept["note"], "secret");
    assert_eq!(kept["metadata"]["title"], "Two");
    assert!(kept.to_string().contains("/home/me/one.pdf"), "{kept}");
    assert!(kept.to_string().contains("private"), "{kept}");
    // Notes are written only where they are shown.
    send(&library, "PATCH", &at, &json!({"note": "mine"})).expect_error(422, "validation_failed");
    let history = expect(&me.get(&format!("{path}/entries/{entry}/history")), 200);
    assert!(!history.to_string().contains("Free"), "{history}");
    let changes = expect(&me.get(&format!("{path}/changes")), 200);
    let last = list(&changes["changes"]).last().unwrap();
    assert_eq!(
        (&last["kind"], &last["by"]),
        (&json!("entries_changed"), &Value::Null)
    );

    // Who has read an older version is refused, without the fields of others.
    let stale = [("if-match", "\"1\""), ("content-type", "application/json")];
    let body = json!({"title": "Three"}).to_string();
    let place = format!("{at}/metadata?on_conflict=merge");
    let refused = library
        .app
        .send("PUT", &place, &stale, Some(body.as_bytes()));
    let refused = refused.expect_error(412, "precondition_failed");
    assert!(refused["conflicts"].is_null(), "{refused}");
}

#[test]
fn edit_links_need_the_configuration_and_the_owners_room() {
    let (library, me, path) = Library::with_collection("A");
    let share = format!("{path}/share");
    let refused = me.post(&share, json!({"can_edit": true}));
    let refused = refused.expect_error(422, "validation_failed");
    assert!(
        refused.to_string().contains("sharing.edit_links"),
        "{refused}"
    );
    expect(&me.post(&share, Value::Null), 201);
    drop((library, me));

    let library = Library::open_with(|config| {
        config.sharing.edit_links = true;
        config.limits.free_entries = 2;
    });
    let me = library.member(Plan::Free);
    let (_, _, token) = linked(&library, &me, Link::Edits);
    let add = || {
        let path = format!("/api/v1/shared/{token}/entries");
        send(&library, "POST", &path, &json!({"title": "New"}))
    };
    expect(&add(), 201);
    add().expect_error(403, "entry_limit_reached");
}
