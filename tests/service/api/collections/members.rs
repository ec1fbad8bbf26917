//! Collections of several people: roles, invitations, groups, and what becomes of a collection.

use std::collections::BTreeSet;

use citation::api;
use citation::auth::accounts::Actor;
use citation::auth::sign_in::Visitor;
use citation::config::{Config, IssuerSettings};
use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, NO_ID, NOW, expect, text};
use crate::support::identity_provider::IdentityProvider;
use crate::support::list;

/// A role in the walk; strangers have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Owner,
    Editor,
    Reader,
    /// An editor by a group.
    GroupEditor,
    /// An editor by a group of an identity provider.
    ClaimEditor,
    Stranger,
}

const PARTS: [Part; 6] = [
    Part::Owner,
    Part::Editor,
    Part::Reader,
    Part::GroupEditor,
    Part::ClaimEditor,
    Part::Stranger,
];

/// Who may do it.
#[derive(Clone, Copy, Debug)]
enum Allowed {
    Members,
    Editors,
    Owner,
    NotOwner,
}

use Allowed::{Editors, Members, NotOwner};

/// Every operation on one collection, with a body that it accepts and who may do it.
fn operations() -> Vec<(&'static str, &'static str, Value, Allowed)> {
    let metadata = json!({"title": "New"});
    let ids = json!({"entry_ids": ["{eid}"]});
    vec![
        ("GET", "", Value::Null, Members),
        ("GET", "/changes", Value::Null, Members),
        ("GET", "/members", Value::Null, Members),
        ("GET", "/export.{format}", Value::Null, Members),
        ("GET", "/entries/{eid}", Value::Null, Members),
        ("GET", "/entries/{eid}/history", Value::Null, Members),
        ("POST", "/check-duplicates", metadata.clone(), Members),
        (
            "POST",
            "/not-duplicates",
            json!({"entry_ids": ["{eid}", "00000000-0000-4000-8000-000000000002"]}),
            Editors,
        ),
        ("POST", "/entries", metadata.clone(), Editors),
        (
            "POST",
            "/entries/batch",
            json!({"entries": [{"title": "B"}]}),
            Editors,
        ),
        (
            "POST",
            "/entries/batch-tag",
            json!({"entry_ids": ["{eid}"], "add": ["t"]}),
            Editors,
        ),
        ("POST", "/entries/batch-restore", ids.clone(), Editors),
        ("POST", "/entries/batch-delete", ids.clone(), Editors),
        ("PATCH", "/entries/{eid}", json!({"note": "N"}), Editors),
        ("PUT", "/entries/{eid}/metadata", metadata.clone(), Editors),
        (
            "POST",
            "/entries/{eid}/merge",
            json!({"metadata": {"publisher": "P"}}),
            Editors,
        ),
        (
            "POST",
            "/entries/{eid}/undo",
            json!({"version": 1}),
            Editors,
        ),
        ("POST", "/entries/{eid}/restore", Value::Null, Editors),
        ("DELETE", "/entries/{eid}", Value::Null, Editors),
        ("PATCH", "/reorder", ids, Editors),
        (
            "POST",
            "/import",
            json!([{"title": "I", "type": "document"}]),
            Editors,
        ),
        ("PATCH", "", json!({"name": "Other"}), Editors),
        ("PATCH", "/tags", json!({"tags": ["t"]}), Editors),
        ("POST", "/share", Value::Null, Allowed::Owner),
        ("DELETE", "/share", Value::Null, Allowed::Owner),
        ("GET", "/invitations", Value::Null, Allowed::Owner),
        (
            "POST",
            "/invitations",
            json!({"role": "reader"}),
            Allowed::Owner,
        ),
        (
            "DELETE",
            "/invitations/{invitation}",
            Value::Null,
            Allowed::Owner,
        ),
        (
            "PATCH",
            "/members/{uid}",
            json!({"role": "reader"}),
            Allowed::Owner,
        ),
        ("DELETE", "/members/{uid}", Value::Null, Allowed::Owner),
        (
            "PUT",
            "/groups/{group}",
            json!({"role": "reader"}),
            Allowed::Owner,
        ),
        ("DELETE", "/groups/{group}", Value::Null, Allowed::Owner),
        (
            "POST",
            "/transfer",
            json!({"member_id": "{uid}"}),
            Allowed::Owner,
        ),
        ("POST", "/restore", Value::Null, Allowed::Owner),
        ("DELETE", "", Value::Null, Allowed::Owner),
        ("POST", "/leave", Value::Null, NotOwner),
    ]
}

/// A collection with people in every role.
struct Shared {
    path: String,
    entry: String,
    member: String,
    group: String,
    invitation: String,
}

struct Cast {
    owner: Member,
    editor: Member,
    reader: Member,
    by_group: Member,
    by_claim: Member,
    stranger: Member,
    /// UUID of the group.
    group: String,
    /// UUID of the group of the identity provider.
    claimed: String,
}

impl Cast {
    /// A library that knows an identity provider, and the people.
    fn open(plan: Plan, change: impl FnOnce(&mut Config)) -> (Library, Cast) {
        let provider = IdentityProvider::start(NOW);
        let library = Library::open_with(|config| {
            config.auth.oidc = vec![IssuerSettings {
                shared_groups: vec!["staff".to_owned()],
                ..provider.settings()
            }];
            change(config);
        });
        let cast = Cast::new(&library, &provider, plan);
        (library, cast)
    }

    fn new(library: &Library, provider: &IdentityProvider, plan: Plan) -> Cast {
        let member = |name: &str| library.named_member(&format!("{name}@example.org"), plan);
        let cast = Cast {
            owner: member("owner"),
            editor: member("editor"),
            reader: member("reader"),
            by_group: member("by-group"),
            by_claim: member("by-claim"),
            stranger: member("stranger"),
            group: String::new(),
            claimed: String::new(),
        };
        for (member, subject) in [(&cast.owner, "owner"), (&cast.by_claim, "by-claim")] {
            sign_in(library, provider, member, subject, json!(["staff"]));
        }
        let groups = expect(&cast.owner.get("/groups"), 200);
        let claimed = text(&groups[0]["id"]).to_owned();
        let group = expect(&cast.owner.post("/groups", json!({"name": "Lab"})), 201);
        let group = text(&group["id"]).to_owned();
        let invitations = format!("/groups/{group}/invitations");
        let link = expect(&cast.owner.post(&invitations, Value::Null), 201);
        let accept = format!("/invitations/{}/accept", text(&link["token"]));
        expect(&cast.by_group.post(&accept, Value::Null), 200);
        Cast {
            group,
            claimed,
            ..cast
        }
    }

    fn member(&self, part: Part) -> &Member {
        match part {
            Part::Owner => &self.owner,
            Part::Editor => &self.editor,
            Part::Reader => &self.reader,
            Part::GroupEditor => &self.by_group,
            Part::ClaimEditor => &self.by_claim,
            Part::Stranger => &self.stranger,
        }
    }

    fn share(&self) -> Shared {
        let path = self.owner.collection("A");
        let entry = self.owner.entry(&path, "One");
        let metadata = format!("{path}/entries/{entry}/metadata");
        expect(&self.owner.put(&metadata, json!({"title": "Two"})), 200);
        join(&self.owner, &path, "editor", &self.editor);
        join(&self.owner, &path, "reader", &self.reader);
        for group in [&self.group, &self.claimed] {
            let group = format!("{path}/groups/{group}");
            expect(&self.owner.put(&group, json!({"role": "editor"})), 204);
        }
        let invited = self
            .owner
            .post(&format!("{path}/invitations"), json!({"role": "reader"}));
        let members = expect(&self.owner.get(&format!("{path}/members")), 200);
        let member = list(&members["members"])
            .iter()
            .find(|member| member["email"] == "reader@example.org");
        Shared {
            entry,
            member: text(&member.unwrap()["id"]).to_owned(),
            group: self.group.clone(),
            invitation: text(&expect(&invited, 201)["id"]).to_owned(),
            path,
        }
    }
}

impl Shared {
    fn filled(&self, text: &str) -> String {
        text.replace("{eid}", &self.entry)
            .replace("{uid}", &self.member)
            .replace("{group}", &self.group)
            .replace("{invitation}", &self.invitation)
            .replace("{format}", "bib")
    }
}

/// Signs a member in by an identity provider, which tells their groups.
fn sign_in(
    library: &Library,
    provider: &IdentityProvider,
    member: &Member,
    subject: &str,
    groups: Value,
) {
    let auth = &library.app.app.auth;
    let person = provider.vouch(auth, subject, groups);
    let account = auth.by_api_key(member.key()).unwrap().unwrap().account;
    let actor = Actor::command_line();
    auth.link_person(&account, &person, &actor).unwrap();
    let visitor = Visitor {
        address: [127, 0, 0, 1].into(),
        agent: String::new(),
    };
    auth.sign_in_person(&person, &visitor).unwrap();
}

/// Invites somebody to a collection, who accepts.
fn join(owner: &Member, path: &str, role: &str, guest: &Member) {
    let link = expect(
        &owner.post(&format!("{path}/invitations"), json!({"role": role})),
        201,
    );
    let accept = format!("/invitations/{}/accept", text(&link["token"]));
    expect(&guest.post(&accept, Value::Null), 200);
}

#[test]
fn policy_holds_for_every_operation_role_and_plan() {
    let mut wrong = Vec::new();
    let mut cells = 0;
    for plan in [Plan::Free, Plan::Academic] {
        let (_library, cast) = Cast::open(plan, |config| {
            config.limits.free_collections = 10_000;
            config.limits.academic_collections = 10_000;
        });
        for (method, place, body, allowed) in operations() {
            for part in PARTS {
                let shared = cast.share();
                let path = shared.filled(&format!("{}{place}", shared.path));
                let body = shared.filled(&body.to_string());
                let body: Value = serde_json::from_str(&body).unwrap();
                let answer = cast.member(part).send(method, &path, &body, &[]);
                let may = match allowed {
                    Members => part != Part::Stranger,
                    Editors => !matches!(part, Part::Reader | Part::Stranger),
                    Allowed::Owner => part == Part::Owner,
                    // Who has access by a group has no membership to end.
                    NotOwner => matches!(part, Part::Editor | Part::Reader),
                };
                let expected = match part {
                    _ if may => 200..=299,
                    Part::Stranger => 404..=404,
                    Part::GroupEditor | Part::ClaimEditor if matches!(allowed, NotOwner) => {
                        404..=404
                    }
                    _ => 403..=403,
                };
                if !expected.contains(&answer.status) {
                    wrong.push(format!(
                        "{method} {place} × {part:?} × {plan}: {} {}",
                        answer.status,
                        answer.text()
                    ));
                }
                cells += 1;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{cells} cells");
}

/// The walk above covers every route of a collection. The stream does not end; its test is `changes`.
#[test]
fn policy_walk_knows_every_route() {
    let walked: BTreeSet<(String, String)> = operations()
        .into_iter()
        .map(|(method, place, ..)| {
            let place = place
                .replace("{group}", "{uid}")
                .replace("{invitation}", "{uid}");
            (
                method.to_owned(),
                format!("/api/v1/collections/{{id}}{place}"),
            )
        })
        .collect();
    let routes: BTreeSet<(String, String)> = api::rows()
        .into_iter()
        .filter(|(_, path, _)| path.starts_with("/api/v1/collections/{id}"))
        .filter(|(_, path, _)| !path.ends_with("/changes/stream"))
        .map(|(method, path, _)| (method.to_string(), path.to_owned()))
        .collect();
    assert_eq!(walked, routes);
}

/// Ids of others' objects below one's own collection are not found either.
#[test]
fn ids_of_others_are_not_found_below_an_own_collection() {
    let (_library, cast) = Cast::open(Plan::Academic, |_| {});
    let shared = cast.share();
    let own = cast.stranger.collection("Mine");
    for (method, place, body) in [
        ("GET", "/entries/{eid}", Value::Null),
        ("PUT", "/entries/{eid}/metadata", json!({"title": "X"})),
        ("POST", "/entries/{eid}/undo", json!({"version": 1})),
        ("PATCH", "/members/{uid}", json!({"role": "editor"})),
        ("DELETE", "/members/{uid}", Value::Null),
        ("PUT", "/groups/{group}", json!({"role": "reader"})),
        ("DELETE", "/groups/{group}", Value::Null),
        ("DELETE", "/invitations/{invitation}", Value::Null),
        ("POST", "/transfer", json!({"member_id": "{uid}"})),
    ] {
        let path = shared.filled(&format!("{own}{place}"));
        let body: Value = serde_json::from_str(&shared.filled(&body.to_string())).unwrap();
        let answer = cast.stranger.send(method, &path, &body, &[]);
        assert_eq!(answer.status, 404, "{method} {place}: {}", answer.text());
    }
    let group = format!("/groups/{}", shared.group);
    for (method, path, body) in [
        ("GET", group.clone(), Value::Null),
        ("PATCH", group.clone(), json!({"name": "X"})),
        ("DELETE", group.clone(), Value::Null),
        ("GET", format!("{group}/invitations"), Value::Null),
        ("POST", format!("{group}/invitations"), Value::Null),
        (
            "DELETE",
            format!("{group}/members/{}", shared.member),
            Value::Null,
        ),
        ("POST", format!("{group}/leave"), Value::Null),
    ] {
        let answer = cast.stranger.send(method, &path, &body, &[]);
        assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
    }
    // A group of an identity provider: strangers find none, and nobody changes it or invites people.
    let claimed = format!("/groups/{}", cast.claimed);
    for (method, path, body) in [
        ("GET", claimed.clone(), Value::Null),
        ("PATCH", claimed.clone(), json!({"name": "X"})),
        ("DELETE", claimed.clone(), Value::Null),
        ("GET", format!("{claimed}/invitations"), Value::Null),
        ("POST", format!("{claimed}/invitations"), Value::Null),
        (
            "DELETE",
            format!("{claimed}/members/{}", shared.member),
            Value::Null,
        ),
    ] {
        let answer = cast.stranger.send(method, &path, &body, &[]);
        assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
        let expected = if method == "GET" && path == claimed {
            200
        } else {
            403
        };
        let answer = cast.by_claim.send(method, &path, &body, &[]);
        assert_eq!(
            answer.status,
            expected,
            "{method} {path}: {}",
            answer.text()
        );
    }
    let own_claimed = format!("{own}/groups/{}", cast.claimed);
    let answer = cast.stranger.put(&own_claimed, json!({"role": "reader"}));
    assert_eq!(answer.status, 404, "{}", answer.text());
    // A member sees the group, and only its owner changes it.
    expect(&cast.by_group.get(&group), 200);
    assert_eq!(
        cast.by_group.patch(&group, json!({"name": "X"})).status,
        403
    );
    assert_eq!(cast.by_group.delete(&group).status, 403);
}

#[test]
fn shared_collection_is_listed_with_its_role_and_without_its_link() {
    let (_library, cast) = Cast::open(Plan::Free, |_| {});
    let shared = cast.share();
    expect(
        &cast
            .owner
            .post(&format!("{}/share", shared.path), Value::Null),
        201,
    );
    for (member, role) in [
        (&cast.owner, "owner"),
        (&cast.editor, "editor"),
        (&cast.reader, "reader"),
        (&cast.by_group, "editor"),
        (&cast.by_claim, "editor"),
    ] {
        let all = expect(&member.get("/collections"), 200);
        assert_eq!(all[0]["role"], role);
        assert_eq!(all[0]["share_token"].is_null(), role != "owner");
        let one = expect(&member.get(&shared.path), 200);
        assert_eq!(one["share_url"].is_null(), role != "owner");
        let seen = expect(&member.get(&format!("{}/members", shared.path)), 200);
        let has_addresses = list(&seen["members"])
            .iter()
            .any(|one| !one["email"].is_null());
        assert_eq!(has_addresses, role == "owner");
    }
    assert_eq!(expect(&cast.stranger.get("/collections"), 200), json!([]));
}

#[test]
fn invitation_works_as_often_as_it_says_and_until_it_ends() {
    let (library, cast) = Cast::open(Plan::Free, |_| {});
    let path = cast.owner.collection("A");
    let invitations = format!("{path}/invitations");
    let invite = |body: Value| {
        let link = expect(&cast.owner.post(&invitations, body), 201);
        (
            text(&link["id"]).to_owned(),
            format!("/invitations/{}", text(&link["token"])),
        )
    };
    let (_, once) = invite(json!({"role": "reader"}));
    let offer = expect(&cast.reader.get(&once), 200);
    assert_eq!(
        (&offer["name"], &offer["role"]),
        (&json!("A"), &json!("reader"))
    );
    assert_eq!(offer["invited_by"], "owner");
    // The owner does not use it up.
    expect(
        &cast.owner.post(&format!("{once}/accept"), Value::Null),
        200,
    );
    expect(
        &cast.reader.post(&format!("{once}/accept"), Value::Null),
        200,
    );
    assert_eq!(cast.stranger.get(&once).status, 404);
    assert_eq!(
        cast.stranger
            .post(&format!("{once}/accept"), Value::Null)
            .status,
        404
    );

    let (id, many) = invite(json!({"role": "editor", "reusable": true}));
    expect(
        &cast.reader.post(&format!("{many}/accept"), Value::Null),
        200,
    );
    expect(
        &cast.editor.post(&format!("{many}/accept"), Value::Null),
        200,
    );
    let listed = expect(&cast.owner.get(&invitations), 200);
    assert_eq!((list(&listed).len(), &listed[0]["uses"]), (1, &json!(2)));
    assert!(listed[0].get("token").is_none());
    expect(&cast.owner.delete(&format!("{invitations}/{id}")), 204);
    assert_eq!(
        cast.stranger
            .post(&format!("{many}/accept"), Value::Null)
            .status,
        404
    );

    let (_, short) = invite(json!({"role": "reader", "reusable": true}));
    library.clock.advance(8 * 24 * 60 * 60);
    assert_eq!(cast.stranger.get(&short).status, 404);
    for body in [
        json!({"role": "owner"}),
        json!({}),
        json!({"role": "reader", "expires_at": "2020-01-01T00:00:00Z"}),
        json!({"role": "reader", "expires_at": "2099-01-01T00:00:00Z"}),
    ] {
        cast.owner
            .post(&invitations, body)
            .expect_error(422, "validation_failed");
    }
    assert_eq!(cast.owner.get(&format!("/invitations/{NO_ID}")).status, 404);
}

#[test]
fn entries_count_for_the_owner_and_lookups_are_free_for_readers() {
    let library = Library::open_with(|config| config.limits.free_entries = 2);
    let owner = library.named_member("owner@example.org", Plan::Free);
    let editor = library.named_member("editor@example.org", Plan::Academic);
    let path = owner.collection("A");
    join(&owner, &path, "editor", &editor);
    let work = json!({"metadata": {"title": "Only here", "doi": "10.5555/only-here"}});
    expect(&editor.post(&format!("{path}/entries"), work), 201);
    editor.entry(&path, "Two");
    let third = editor.post(&format!("{path}/entries"), json!({"title": "Three"}));
    third.expect_error(403, "entry_limit_reached");
    // What the editor has not made counts for nobody else.
    assert_eq!(
        expect(&editor.get("/me"), 200)["limits"]["account_bytes_used"],
        0
    );
    let kept =
        |member: &Member| expect(&member.get("/me"), 200)["limits"]["account_bytes_used"].clone();
    assert!(kept(&owner).as_u64().unwrap() > 0);

    let asked = |member: &Member| {
        let answer = member.post("/lookup/doi", json!({"doi": "10.5555/only-here"}));
        (answer.status, answer.header("x-lookup-cost").to_owned())
    };
    assert_eq!(asked(&editor), (200, "0".to_owned()));
    let stranger = library.named_member("stranger@example.org", Plan::Free);
    assert_eq!(asked(&stranger).0, 404);
}

#[test]
fn transfer_needs_room_and_takes_the_bytes_along() {
    let library = Library::open_with(|config| config.limits.free_collections = 1);
    let owner = library.named_member("owner@example.org", Plan::Free);
    let heir = library.named_member("heir@example.org", Plan::Free);
    let path = owner.collection("A");
    owner.entry(&path, "One");
    join(&owner, &path, "reader", &heir);
    let members = expect(&owner.get(&format!("{path}/members")), 200);
    let id = text(&members["members"][1]["id"]).to_owned();
    let transfer = format!("{path}/transfer");
    let own = heir.collection("Mine");
    let refused = owner.post(&transfer, json!({"member_id": id}));
    refused.expect_error(403, "collection_limit_reached");
    expect(&heir.delete(&own), 204);
    let kept = |member: &Member| {
        let me = expect(&member.get("/me"), 200);
        me["limits"]["account_bytes_used"].as_u64().unwrap()
    };
    let (owners, heirs) = (kept(&owner), kept(&heir));
    let given = expect(&owner.post(&transfer, json!({"member_id": id})), 200);
    assert_eq!(given["role"], "editor");
    assert_eq!(expect(&heir.get(&path), 200)["role"], "owner");
    assert_eq!(kept(&owner) + kept(&heir), owners + heirs);
    assert_eq!(kept(&owner), 0);
}

#[test]
fn collection_of_an_ended_account_goes_to_its_successor_or_ends() {
    let (library, cast) = Cast::open(Plan::Free, |_| {});
    let (kept, lost) = (cast.share(), cast.share());
    let successor = json!({"is_successor": true});
    let member = format!("{}/members/{}", kept.path, kept.member);
    expect(&cast.owner.patch(&member, successor), 204);
    let auth = &library.app.app.auth;
    let owner = auth
        .store()
        .user_by_email("owner@example.org")
        .unwrap()
        .unwrap();
    let actor = citation::auth::accounts::Actor::command_line();
    auth.delete_user(owner.id, &owner.uid, &actor).unwrap();
    assert_eq!(expect(&cast.reader.get(&kept.path), 200)["role"], "owner");
    assert_eq!(expect(&cast.editor.get(&kept.path), 200)["role"], "editor");
    assert_eq!(cast.reader.get(&lost.path).status, 404);
    // The group was the owner's.
    assert_eq!(cast.by_group.get(&kept.path).status, 404);
}

#[test]
fn removed_member_loses_access_and_one_may_leave() {
    let (_library, cast) = Cast::open(Plan::Free, |_| {});
    let shared = cast.share();
    let member = format!("{}/members/{}", shared.path, shared.member);
    expect(&cast.owner.delete(&member), 204);
    assert_eq!(cast.reader.get(&shared.path).status, 404);
    expect(
        &cast
            .editor
            .post(&format!("{}/leave", shared.path), Value::Null),
        204,
    );
    assert_eq!(cast.editor.get(&shared.path).status, 404);
    let group = format!("/groups/{}/leave", shared.group);
    expect(&cast.by_group.post(&group, Value::Null), 204);
    assert_eq!(cast.by_group.get(&shared.path).status, 404);
}

#[test]
fn sign_in_that_no_longer_tells_a_group_ends_its_role() {
    let provider = IdentityProvider::start(NOW);
    let library = Library::open_with(|config| {
        config.auth.oidc = vec![IssuerSettings {
            shared_groups: vec!["staff".to_owned()],
            ..provider.settings()
        }];
    });
    let cast = Cast::new(&library, &provider, Plan::Free);
    let shared = cast.share();
    let edit = || {
        let path = format!("{}/entries/{}", shared.path, shared.entry);
        cast.by_claim.patch(&path, json!({"note": "N"})).status
    };
    let claim = |groups: Value| sign_in(&library, &provider, &cast.by_claim, "by-claim", groups);
    assert_eq!(edit(), 200);
    claim(json!([]));
    assert_eq!(edit(), 404);
    assert_eq!(cast.by_claim.get(&shared.path).status, 404);
    claim(json!(["staff"]));
    assert_eq!(edit(), 200);
}
