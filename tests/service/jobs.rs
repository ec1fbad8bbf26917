//! Jobs: the results and prices of the synchronous requests, in the background, whatever happens to the server.
//!
//! ```text
//! cargo test --test service jobs::                        # some kills
//! CITATION_KILLS=50 cargo test --test service jobs::      # as many as wanted
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::time::Duration;

use citation_model::plan::Plan;
use citation_testing::Random;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::api::collections::{Library, Member, expect, text};
use crate::support::list;
use crate::support::program::{run_line, serve};
use crate::support::providers_off_but;
use crate::support::server_process::ServerProcess;
use crate::support::waiting::{wait_for, wait_until};
use crate::webhooks::{Received, Receiver};

const WATSON: &str =
    "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.";
const DARWIN: &str =
    "Darwin C. On the origin of species by means of natural selection. London: John Murray; 1859.";

/// A reference to a work that nobody has written.
fn unknown(number: usize) -> String {
    format!(
        "Nobody{number} N. Of nothing in particular, part {number}. Journal of Nothing 1999;{number}:1-2."
    )
}

fn is_over(job: &Value) -> bool {
    ["done", "failed", "canceled"].contains(&job["state"].as_str().unwrap())
}

/// Sends a request for a job; gives its path.
#[track_caller]
fn submitted(member: &Member, kind: &str, body: Value) -> String {
    let answer = member.post(&format!("/jobs/{kind}"), body);
    let job = expect(&answer, 202);
    let location = answer.header("location");
    assert_eq!(location, format!("/api/v1/jobs/{}", text(&job["id"])));
    location.trim_start_matches("/api/v1").to_owned()
}

/// The job when it has ended.
fn ended(member: &Member, path: &str) -> Value {
    wait_for(|| {
        let job = expect(&member.get(path), 200);
        is_over(&job).then_some(job)
    })
}

fn results(member: &Member, path: &str) -> Vec<Value> {
    let page = expect(&member.get(&format!("{path}/results?limit=1000")), 200);
    list(&page["results"]).to_vec()
}

fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer
            .start_file(name.as_str(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn used(member: &Member) -> u64 {
    expect(&member.get("/me"), 200)["lookups"]["used"]
        .as_u64()
        .unwrap()
}

#[test]
fn verification_job_says_what_the_batch_says() {
    let (library, member) = Library::with_member(Plan::Business);
    let body = json!({"references": [WATSON, unknown(1), DARWIN]});
    let batch = expect(&member.post("/verify/batch", body.clone()), 200);
    let before = used(&member);
    let path = submitted(&member, "verify", body);
    let job = ended(&member, &path);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(
        (&job["items"], &job["lookups_used"]),
        (&json!(3), &json!(3)),
        "{job}"
    );
    assert_eq!(used(&member), before + 3);
    let results = results(&member, &path);
    assert_eq!(results[0]["references"], 3, "{}", results[0]);
    let found: Vec<&Value> = results[1..].iter().map(|line| &line["result"]).collect();
    let expected: Vec<&Value> = list(&batch["results"]).iter().collect();
    assert_eq!(found, expected);
    for (verdict, count) in job["summary"].as_object().unwrap() {
        assert_eq!(count, &batch["summary"][verdict], "{job}");
    }
    // By pages, and as lines.
    let page = expect(&member.get(&format!("{path}/results?after=1&limit=2")), 200);
    assert_eq!(page["next_after"], 3);
    assert_eq!(list(&page["results"])[0], results[1]);
    let lines = member.send_bytes(
        "GET",
        &format!("{path}/results"),
        "",
        None,
        &[("accept", "application/x-ndjson")],
    );
    let said = lines.text();
    let lines: Vec<Value> = { said.lines() }
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines, results);
    drop(library);
}

#[test]
fn archive_of_manuscripts_is_one_job() {
    let (_library, member) = Library::with_member(Plan::Business);
    let tex = "\\documentclass{article}\\begin{document}As said \\cite{w}.\\bibliography{refs}\\end{document}";
    let bib = "@article{w, author={Watson, J. D. and Crick, F. H. C.}, title={Molecular structure of nucleic acids}, journal={Nature}, year={1953}, volume={171}, pages={737--738}}";
    let mut files: Vec<(String, Vec<u8>)> = (0..30)
        .map(|n| (format!("{n:02}/list.txt"), unknown(n).into_bytes()))
        .collect();
    files.push(("paper/paper.tex".to_owned(), tex.into()));
    files.push(("paper/refs.bib".to_owned(), bib.into()));
    files.push(("broken/paper.docx".to_owned(), b"not a package".to_vec()));
    let body = archive(&files);
    let send =
        |body: &[u8]| member.send_bytes("POST", "/jobs/verify", "application/zip", Some(body), &[]);
    let job = expect(&send(&body), 202);
    assert_eq!(job["files"], 33, "{job}");
    let path = format!("/jobs/{}", text(&job["id"]));
    let job = ended(&member, &path);
    assert_eq!(
        (&job["state"], &job["files_done"]),
        (&json!("done"), &json!(33)),
        "{job}"
    );
    assert_eq!(job["summary"]["unreadable"], 1, "{job}");
    let results = results(&member, &path);
    let of = |name: &str| -> Vec<&Value> {
        results.iter().filter(|line| line["file"] == name).collect()
    };
    assert_eq!(
        of("paper/paper.tex").len(),
        2,
        "{:?}",
        of("paper/paper.tex")
    );
    assert_eq!(of("paper/paper.tex")[1]["result"]["verdict"], "verified");
    assert!(of("paper/refs.bib").is_empty());
    assert_eq!(
        of("broken/paper.docx")[0]["error"]["error"],
        "unprocessable_import"
    );
    assert_eq!(of("07/list.txt").len(), 2);

    let bomb = archive(&[("a.txt".to_owned(), vec![b' '; 8 << 20])]);
    send(&bomb).expect_error(413, "payload_too_large");
    let nested = archive(&[("inner.zip".to_owned(), archive(&files))]);
    send(&nested).expect_error(413, "payload_too_large");
    let nested = archive(&[("inner.txt".to_owned(), bomb)]);
    send(&nested).expect_error(413, "payload_too_large");
    send(&body[..body.len() / 2]).expect_error(422, "unprocessable_import");
}

#[test]
fn job_waits_for_quota_and_goes_on() {
    let library = Library::open_with(|config| config.quota.business_daily = 3);
    let member = library.member(Plan::Business);
    let references: Vec<String> = (0..5).map(unknown).collect();
    let path = submitted(&member, "verify", json!({"references": references}));
    let waiting = wait_for(|| {
        let job = expect(&member.get(&path), 200);
        (job["state"] == "waiting_for_quota").then_some(job)
    });
    assert_eq!(waiting["lookups_used"], 3, "{waiting}");
    assert_eq!(results(&member, &path).len(), 4);
    assert_eq!(used(&member), 3);
    library.clock.advance(86_400);
    let job = ended(&member, &path);
    assert_eq!(
        (&job["state"], &job["lookups_used"]),
        (&json!("done"), &json!(5)),
        "{job}"
    );
    assert_eq!(used(&member), 2);
}

#[test]
fn job_is_canceled_and_removed() {
    let library = Library::open_with(|config| {
        config.jobs.places = 0;
        config.jobs.max_per_account = 2;
    });
    let member = library.member(Plan::Business);
    let body = json!({"references": [WATSON]});
    let path = submitted(&member, "verify", body.clone());
    submitted(&member, "verify", body.clone());
    let refused = member.post("/jobs/verify", body.clone());
    assert_eq!(refused.expect_error(403, "job_limit_reached")["limit"], 2);
    assert_eq!(member.delete(&path).status, 204);
    assert_eq!(expect(&member.get(&path), 200)["state"], "canceled");
    submitted(&member, "verify", body);
    assert_eq!(member.delete(&path).status, 204);
    member.get(&path).expect_error(404, "not_found");
    assert_eq!(used(&member), 0);
}

#[test]
fn files_of_jobs_count_as_storage() {
    let library = Library::open_with(|config| config.limits.academic_account_bytes = 20_000);
    let me = library.member(Plan::Academic);
    let kept = || {
        expect(&me.get("/me"), 200)["limits"]["account_bytes_used"]
            .as_u64()
            .unwrap()
    };
    let collection = me.collection("Wood");
    me.entry(&collection, "Tree");
    let before = kept();
    let id = collection.trim_start_matches("/collections/");
    let path = submitted(&me, "export", json!({"collection_id": id, "format": "bib"}));
    assert_eq!(ended(&me, &path)["state"], "done");
    assert!(kept() > before, "the file that it has made is kept");
    expect(&me.delete(&path), 204);
    assert_eq!(kept(), before);

    // Text that does not pack well, so that its size is about known.
    let mut random = Random::seeded(7);
    let mut reference = || -> String {
        (0..40)
            .map(|_| format!("{:08x} ", random.below(u32::MAX as usize)))
            .collect()
    };
    let references: Vec<String> = (0..400).map(|_| reference()).collect();
    let body = json!({"references": references, "local_only": true});
    let full = me
        .post("/jobs/verify", body)
        .expect_error(403, "storage_limit_reached");
    assert_eq!(
        (&full["active_plan"], &full["limit"]),
        (&json!("Academic"), &json!(20_000))
    );
    assert_eq!(kept(), before);
    let path = submitted(
        &me,
        "verify",
        json!({"references": [unknown(1)], "local_only": true}),
    );
    assert_eq!(ended(&me, &path)["state"], "done");
    assert_eq!(kept(), before, "what was sent is gone");
}

#[test]
fn request_with_the_same_key_is_one_job() {
    let library = Library::open_with(|config| config.jobs.places = 0);
    let member = library.member(Plan::Business);
    let body = json!({"references": [WATSON]});
    let send =
        |body: &Value| member.send("POST", "/jobs/verify", body, &[("idempotency-key", "k")]);
    let first = expect(&send(&body), 202);
    let again = send(&body);
    assert_eq!(
        again.header("location"),
        format!("/api/v1/jobs/{}", text(&first["id"]))
    );
    assert_eq!(expect(&again, 202)["id"], first["id"]);
    send(&json!({"references": [DARWIN]})).expect_error(422, "idempotency_mismatch");
    assert_eq!(list(&expect(&member.get("/jobs"), 200)).len(), 1);
}

#[test]
fn jobs_of_others_do_not_exist() {
    let library = Library::open_with(|config| config.jobs.places = 0);
    let member = library.named_member("a@example.org", Plan::Business);
    let other = library.named_member("b@example.org", Plan::Business);
    let path = submitted(&member, "verify", json!({"references": [WATSON]}));
    let missing = "/jobs/6f1c1a3e-3c1d-4f0a-9a53-0f0f6f0b7a11";
    for end in ["", "/results", "/result"] {
        let strange = other.get(&format!("{path}{end}"));
        let absent = other.get(&format!("{missing}{end}"));
        let (strange, absent) = (
            strange.expect_error(404, "not_found"),
            absent.expect_error(404, "not_found"),
        );
        assert_eq!(strange["message"], absent["message"]);
    }
    other.delete(&path).expect_error(404, "not_found");
    assert!(list(&expect(&other.get("/jobs"), 200)).is_empty());
    assert_eq!(expect(&member.get(&path), 200)["state"], "queued");
    let collection = member.collection("Wood");
    let id = collection.trim_start_matches("/collections/");
    let export = json!({"collection_id": id, "format": "bib"});
    other
        .post("/jobs/export", export.clone())
        .expect_error(404, "not_found");
    let import = format!("/jobs/import?collection_id={id}");
    let sent = other.send_bytes(
        "POST",
        &import,
        "application/x-bibtex",
        Some(b"@book{a}"),
        &[],
    );
    sent.expect_error(404, "not_found");
    expect(&member.post("/jobs/export", export), 202);
}

#[test]
fn files_are_imported_exported_and_formatted() {
    let (_library, member) = Library::with_member(Plan::Business);
    let collection = member.collection("Wood");
    let id = collection.trim_start_matches("/collections/");
    let ris = "TY  - BOOK\nTI  - Oaks\nER  - \nTY  - BOOK\nTI  - Elms\nER  - \n";
    let path = format!("/jobs/import?collection_id={id}");
    let sent = member.send_bytes(
        "POST",
        &path,
        "application/x-research-info-systems",
        Some(ris.as_bytes()),
        &[],
    );
    let import = format!("/jobs/{}", text(&expect(&sent, 202)["id"]));
    assert_eq!(ended(&member, &import)["summary"], json!({"imported": 1}));
    assert_eq!(results(&member, &import)[0]["result"]["imported"], 2);
    assert_eq!(expect(&member.get(&collection), 200)["entry_count"], 2);

    let body = json!({"collection_id": id, "format": "ris"});
    let export = submitted(&member, "export", body);
    assert_eq!(ended(&member, &export)["state"], "done");
    let whole = member.get(&format!("{collection}/export.ris"));
    let file = member.get(&format!("{export}/result"));
    assert_eq!(file.text(), whole.text());
    assert_eq!(file.header("content-type"), whole.header("content-type"));
    let body = json!({"collection_id": id, "format": "nothing"});
    member
        .post("/jobs/export", body)
        .expect_error(404, "not_found");

    let items = json!([{"doi": "10.1038/171737a0"}, {"doi": "10.1000/none"}, {"title": "Oaks", "entry_type": "Book"}]);
    let path = submitted(&member, "format", json!({"items": items, "style": "apa"}));
    let job = ended(&member, &path);
    assert_eq!(job["summary"], json!({"ok": 2, "not_found": 1}), "{job}");
    let bibliography = member.get(&format!("{path}/result")).json();
    let plain = bibliography["plain"].as_str().unwrap();
    assert!(
        plain.contains("Watson") && plain.contains("Oaks"),
        "{plain}"
    );
}

/// A client of a server that may be gone at any time.
struct Client<'k> {
    agent: ureq::Agent,
    url: String,
    key: &'k str,
}

impl<'k> Client<'k> {
    fn new(server: &ServerProcess, key: &'k str) -> Client<'k> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)));
        Client {
            agent: config.build().into(),
            url: server.url("/api/v1"),
            key,
        }
    }

    fn send(&self, method: &str, path: &str, body: &Value, key: &str) -> Option<Value> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json");
        if !key.is_empty() {
            request = request.header("idempotency-key", key);
        }
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let mut reply = self.agent.run(request.body(body).unwrap()).ok()?;
        let body = reply
            .body_mut()
            .with_config()
            .limit(64 << 20)
            .read_to_string()
            .ok()?;
        serde_json::from_str(&body).ok()
    }

    fn get(&self, path: &str) -> Option<Value> {
        self.send("GET", path, &Value::Null, "")
    }
}

fn kills() -> usize {
    let wanted = std::env::var("CITATION_KILLS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// What the server has acknowledged of one collection.
struct Begun {
    collection: String,
    entry: bool,
    /// The id and the token of an invitation for one guest.
    invitation: Option<(String, String)>,
    accepted: bool,
}

/// Number of collections that one round begins at most.
const BEGUN: usize = 40;

/// Makes collections, each with an entry and an invitation that a guest accepts, until the server is gone.
fn invite_until_gone(owner: &Client<'_>, guest: &Client<'_>, begun: &mut Vec<Begun>) {
    for _ in 0..BEGUN {
        let made = owner.send("POST", "/collections", &json!({"name": "Shared"}), "");
        let Some(made) = made else { return };
        let collection = text(&made["id"]).to_owned();
        begun.push(Begun {
            collection: collection.clone(),
            entry: false,
            invitation: None,
            accepted: false,
        });
        let this = begun.last_mut().unwrap();
        let path = format!("/collections/{collection}");
        let entry = json!({"metadata": {"title": "Oaks"}});
        let Some(added) = owner.send("POST", &format!("{path}/entries"), &entry, "") else {
            return;
        };
        assert!(added["id"].is_string(), "{added}");
        this.entry = true;
        let terms = json!({"role": "reader"});
        let link = owner.send("POST", &format!("{path}/invitations"), &terms, "");
        let Some(link) = link else { return };
        let token = text(&link["token"]).to_owned();
        this.invitation = Some((text(&link["id"]).to_owned(), token.clone()));
        let accept = format!("/invitations/{token}/accept");
        let Some(accepted) = guest.send("POST", &accept, &Value::Null, "") else {
            return;
        };
        assert!(accepted["error"].is_null(), "{accepted}");
        this.accepted = true;
    }
}

/// Every acknowledged invitation can be used, or has made the guest a member; nobody else can use it then.
fn check_invitations(owner: &Client<'_>, other: &Client<'_>, begun: &[Begun]) -> usize {
    let mut members = 0;
    for one in begun {
        let path = format!("/collections/{}", one.collection);
        let entries = owner.get(&path).unwrap()["entry_count"].as_u64().unwrap();
        assert!(entries <= 1 && (entries == 1 || !one.entry), "{entries}");
        let Some((id, token)) = &one.invitation else {
            continue;
        };
        let listed = owner.get(&format!("{path}/invitations")).unwrap();
        let mut listed = list(&listed).iter();
        let is_open = listed.any(|open| open["id"] == id.as_str());
        let access = owner.get(&format!("{path}/members")).unwrap();
        let guests = list(&access["members"]).len() - 1;
        // One that was used is listed no more.
        assert_eq!(guests, usize::from(!is_open), "{access}");
        assert!(
            guests == 1 || !one.accepted,
            "an accepted invitation is lost"
        );
        if guests == 1 {
            let accept = format!("/invitations/{token}/accept");
            let again = other.send("POST", &accept, &Value::Null, "").unwrap();
            assert_eq!(again["error"], "not_found", "{again}");
        }
        members += guests;
    }
    members
}

/// Every event arrives at least once, and one that arrives again is the same.
fn check_events(received: &[Received], jobs: &[String], begun: &[Begun]) -> usize {
    let mut bodies: BTreeMap<String, Value> = BTreeMap::new();
    for one in received {
        let body = one.json();
        let id = text(&body["id"]).to_owned();
        assert_eq!(one.header("citation-delivery"), id);
        let before = bodies.insert(id, body.clone());
        assert!(before.is_none_or(|before| before == body), "{body}");
    }
    let of = |event: &str, member: &str| -> Vec<String> {
        let bodies = bodies.values().filter(|body| body["event"] == event);
        bodies
            .map(|body| text(&body["data"][member]).to_owned())
            .collect()
    };
    let told = of("job.done", "job_id");
    assert_eq!(told.len(), jobs.len(), "a job ended twice");
    for job in jobs {
        assert!(told.contains(job), "the end of a job was not told: {job}");
    }
    let told: BTreeSet<String> = of("collection.changed", "collection_id")
        .into_iter()
        .collect();
    for one in begun.iter().filter(|one| one.entry) {
        let is_told = told.contains(&one.collection);
        assert!(is_told, "a change was not told: {}", one.collection);
    }
    bodies.len()
}

#[test]
fn killed_server_loses_no_job_invitation_or_event_and_charges_none_twice() {
    const REFERENCES: usize = 10;
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let settings = format!(
        "[limits]\ncredential_per_minute = 10000000\nbusiness_collections = 1000000\n\
         [quota]\nbusiness_daily = 1000000\n\
         [jobs]\nmax_per_account = 1000\nmax_ended = 1000\nplaces_per_account = 2\n\
         [webhooks]\nallow_private = true\nretry_seconds = 1\nmax_attempts = 100\n{}",
        providers_off_but(&[])
    );
    std::fs::write(folder.join("citation.toml"), settings).unwrap();
    let key = |name: &str| {
        let add = format!(
            "--init --data data user add {name}@example.org --plan business --api-key --json"
        );
        let made = run_line(folder, &add).json();
        text(&made["api_key"]).to_owned()
    };
    let (key, guest_key, other_key) = (&key("a"), &key("guest"), &key("other"));
    // Every third answer refuses.
    let statuses: Vec<u16> = [200, 200, 503].repeat(100_000);
    let receiver = Receiver::start(&statuses);
    let mut random = Random::new();
    let mut jobs: Vec<String> = Vec::new();
    let mut begun: Vec<Begun> = Vec::new();
    let mut webhook = String::new();
    let body = |job: usize| {
        let references: Vec<String> = (0..REFERENCES).map(|n| unknown(job * 1_000 + n)).collect();
        json!({"references": references})
    };
    let rounds = kills();
    for round in 0..rounds {
        let server = serve(folder);
        let (client, guest) = (Client::new(&server, key), Client::new(&server, guest_key));
        if webhook.is_empty() {
            let events = json!({"url": receiver.url, "events": ["job.done", "collection.changed"]});
            let made = client.send("POST", "/webhooks", &events, "").unwrap();
            webhook = format!("/webhooks/{}", text(&made["id"]));
        }
        // The request of the last round may have been stored, although its reply was lost.
        let sent = client.send(
            "POST",
            "/jobs/verify",
            &body(round),
            &format!("key {round}"),
        );
        let job = sent.unwrap();
        jobs.push(job["id"].as_str().unwrap().to_owned());
        std::thread::scope(|scope| {
            let begun = &mut begun;
            scope.spawn(|| invite_until_gone(&client, &guest, begun));
            let watcher = Client::new(&server, key);
            let before = progress(&watcher).unwrap_or_default();
            wait_until(|| progress(&watcher).is_none_or(|now| now > before));
            std::thread::sleep(Duration::from_micros(random.below(150_000) as u64));
            drop(server);
        });
    }
    let server = serve(folder);
    let client = Client::new(&server, key);
    let again = client
        .send("POST", "/jobs/verify", &body(0), "key 0")
        .unwrap();
    assert_eq!(
        again["id"],
        jobs[0].as_str(),
        "a request was answered twice"
    );
    let all = || {
        let all = client.get("/jobs").unwrap();
        list(&all).iter().all(is_over).then_some(all)
    };
    let all = wait_for(all);
    assert_eq!(list(&all).len(), rounds, "a job was lost, or made twice");
    let mut charged = 0;
    for job in &jobs {
        let state = client.get(&format!("/jobs/{job}")).unwrap();
        assert_eq!(state["state"], "done", "{state}");
        let page = client
            .get(&format!("/jobs/{job}/results?limit=1000"))
            .unwrap();
        let results = list(&page["results"]);
        let indices: BTreeSet<u64> = { results.iter() }
            .filter_map(|line| line["result"]["index"].as_u64())
            .collect();
        assert_eq!(indices.len(), REFERENCES, "an item was lost: {job}");
        assert_eq!(
            results.len(),
            REFERENCES + 1,
            "an item was done twice: {job}"
        );
        charged += state["lookups_used"].as_u64().unwrap();
    }
    assert_eq!(charged as usize, rounds * REFERENCES);
    let me = client.get("/me").unwrap();
    assert_eq!(me["lookups"]["used"], charged, "the quota is not exact");
    let members = check_invitations(&client, &Client::new(&server, other_key), &begun);
    let waiting = format!("{webhook}/deliveries?state=pending");
    wait_until(|| list(&client.get(&waiting).unwrap()).is_empty());
    let dead = client.get(&format!("{webhook}/deliveries?state=dead"));
    assert_eq!(dead.unwrap(), json!([]));
    let received = receiver.received();
    let events = check_events(&received, &jobs, &begun);
    println!(
        "{} jobs, {charged} lookups, {} collections, {members} accepted invitations, {events} events in {} \
         deliveries after {rounds} kills",
        jobs.len(),
        begun.len(),
        received.len(),
    );
}

/// Number of results of all jobs; nothing if they have all ended.
fn progress(client: &Client<'_>) -> Option<u64> {
    let all = client.get("/jobs")?;
    let all = list(&all);
    let results = all.iter().map(|job| job["results"].as_u64().unwrap()).sum();
    (!all.iter().all(is_over)).then_some(results)
}
