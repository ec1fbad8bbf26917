//! Read-only links.

use serde_json::{Value, json};

use super::{Library, expect, text};

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
