//! Own styles of accounts.

use citation::auth::accounts::Actor;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::api::collections::{Library, Member, expect};
use crate::support::Answer;

const STYLE: &str = "application/vnd.citationstyles.style+xml";

fn style(id: &str, title: &str, prefix: &str) -> String {
    format!(
        r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
        <info><title>{title}</title><id>{id}</id><updated>2026-01-01T00:00:00Z</updated></info>
        <citation><layout><text variable="title"/></layout></citation>
        <bibliography><layout prefix="{prefix}"><text variable="title"/></layout></bibliography></style>"#
    )
}

fn dependent(parent: &str) -> String {
    format!(
        r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" default-locale="de-DE">
        <info><title>Journal of Dependence</title><id>http://example.org/dependence</id>
        <link href="http://www.zotero.org/styles/{parent}" rel="independent-parent"/>
        <updated>2026-01-01T00:00:00Z</updated></info></style>"#
    )
}

fn keep(me: &Member, xml: &str) -> Answer {
    me.send_bytes("POST", "/me/styles", STYLE, Some(xml.as_bytes()), &[])
}

fn bibliography(me: &Member, style: &str) -> Value {
    let body = json!({"entries": [{"title": "One"}], "style": style});
    let formatted = expect(&me.post("/format", body), 200);
    assert_eq!(formatted["style"], style);
    formatted["entries"][0]["bibliography"].clone()
}

#[test]
fn own_style_is_private_to_its_owner() {
    let (library, me) = Library::with_member(Plan::Free);
    let answer = keep(&me, &style("http://example.org/Thesis", "My thesis", "A "));
    let kept = expect(&answer, 201);
    assert_eq!(
        (&kept["id"], &kept["title"]),
        (&json!("own:thesis"), &json!("My thesis"))
    );
    assert_eq!(answer.header("location"), "/api/v1/me/styles/thesis");
    assert_eq!(bibliography(&me, "own:thesis"), "A One");

    // In place of the former one, at once.
    let again = style("http://example.org/thesis", "My thesis, again", "B ");
    assert_eq!(keep(&me, &again).status, 200);
    assert_eq!(bibliography(&me, "own:thesis"), "B One");
    let listed = expect(&me.get("/me/styles"), 200);
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0]["title"], "My thesis, again");
    let file = me.get("/me/styles/own:thesis");
    assert_eq!((file.text(), file.header("content-type")), (again, STYLE));
    let one = me.get("/styles/own:thesis?preview=1");
    let detail = expect(&one, 200);
    assert_eq!(detail["origin"], "own");
    assert_eq!(detail["preview"].as_array().map(Vec::len), Some(4));
    assert!(one.header("cache-control").contains("private"));
    // Nobody else's style has changed.
    assert_ne!(bibliography(&me, "apa"), "B One");

    let other = library.named_member("other@example.org", Plan::Free);
    assert_eq!(expect(&other.get("/me/styles"), 200), json!([]));
    other
        .get("/styles/own:thesis")
        .expect_error(404, "not_found");
    other
        .get("/me/styles/thesis")
        .expect_error(404, "not_found");
    let body = json!({"entries": [{"title": "One"}], "style": "own:thesis"});
    for refused in [
        other.post("/format", body.clone()),
        library.app.send(
            "POST",
            "/api/v1/format",
            &[("content-type", "application/json")],
            Some(body.to_string().as_bytes()),
        ),
    ] {
        refused.expect_error(422, "unknown_style");
    }
    library
        .app
        .get("/api/v1/me/styles")
        .expect_error(401, "authentication_required");

    assert_eq!(me.delete("/me/styles/thesis").status, 204);
    me.delete("/me/styles/thesis")
        .expect_error(404, "not_found");
    me.post("/format", body).expect_error(422, "unknown_style");
}

#[test]
fn collection_accepts_owners_style() {
    let (library, me) = Library::with_member(Plan::Free);
    assert_eq!(
        keep(&me, &style("http://example.org/t", "T", "B ")).status,
        201
    );
    let path = me.collection("A");
    me.entry(&path, "One");
    let set = json!({"defaultstyle": "own:t"});
    expect(&me.patch(&path, set.clone()), 200);
    let text = me.get(&format!("{path}/export.txt")).text();
    assert_eq!(text.trim(), "B One");
    let shared = expect(&me.post(&format!("{path}/share"), json!({})), 201);
    let token = shared["share_token"].as_str().unwrap();
    let seen = library.app.get(&format!("/api/v1/shared/{token}"));
    assert_eq!(expect(&seen, 200)["defaultstyle"], Value::Null);
    let other = library.named_member("other@example.org", Plan::Free);
    let path = other.collection("B");
    other.patch(&path, set).expect_error(422, "unknown_style");
}

#[test]
fn own_style_is_deleted_with_its_account() {
    let (library, me) = Library::with_member(Plan::Free);
    assert_eq!(
        keep(&me, &style("http://example.org/t", "T", "B ")).status,
        201
    );
    let (auth, styles) = (&library.app.app.auth, &library.app.app.styles);
    let user = auth.store().user_by_email("free@example.org");
    let user = user.unwrap().unwrap();
    assert_eq!(styles.own(user.id).unwrap().len(), 1);
    auth.delete_user(user.id, &user.uid, &Actor::command_line())
        .unwrap();
    assert!(styles.own(user.id).unwrap().is_empty());
}

#[test]
fn dependent_style_takes_the_rules_of_its_parent() {
    let (_, me) = Library::with_member(Plan::Free);
    let kept = expect(&keep(&me, &dependent("apa")), 201);
    assert_eq!(
        (&kept["parent"], &kept["has_bibliography"]),
        (&json!("apa"), &json!(true))
    );
    let body = json!({"entries": [{"title": "One", "date": {"year": 2001, "month": 5}}], "style": "own:dependence"});
    let formatted = expect(&me.post("/format", body), 200);
    assert_eq!(formatted["locale"], "de-DE");
    let fault = keep(&me, &dependent("no-such-style")).expect_error(422, "validation_failed");
    assert!(
        fault["message"].as_str().unwrap().contains("no-such-style"),
        "{fault}"
    );
}

#[test]
fn unusable_styles_are_rejected() {
    let library = Library::open_with(|config| {
        config.limits.own_styles = 1;
        config.format.max_style_bytes = 2_000;
    });
    let me = library.member(Plan::Free);
    let check = |xml: &str, line: u64, part: &str| {
        let fault = keep(&me, xml).expect_error(422, "validation_failed");
        assert_eq!(
            (&fault["field"], &fault["line"]),
            (&json!("/file"), &json!(line))
        );
        assert!(fault["message"].as_str().unwrap().contains(part), "{fault}");
    };
    check("<style>\n<oops", 2, "well-formed");
    check("", 1, "");
    let good = style("http://example.org/t", "T", "");
    check(&good.replace("text variable", "txet variable"), 3, "<txet>");
    let macros = good.replace("<text variable=\"title\"/>", "<text macro=\"none\"/>");
    check(&macros, 3, "none");
    let entity = format!("<!DOCTYPE a [<!ENTITY b \"c\">]>{good}");
    check(&entity, 1, "document type");
    keep(&me, &good.replace('T', &"T".repeat(3_000))).expect_error(413, "payload_too_large");
    me.send_bytes("POST", "/me/styles", STYLE, Some(b"\xff\xfe"), &[])
        .expect_error(422, "validation_failed");
    assert_eq!(expect(&me.get("/me/styles"), 200), json!([]));

    assert_eq!(keep(&me, &good).status, 201);
    assert_eq!(keep(&me, &good).status, 200);
    let full = keep(&me, &style("http://example.org/u", "U", "")).expect_error(409, "conflict");
    assert_eq!(full["limit"], 1);
}
