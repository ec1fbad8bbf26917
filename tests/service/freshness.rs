//! Stored works whose sources were asked long ago: they are answered at once, asked for again in the
//! background, and what has become of them reaches the work, its collection and its verdict.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use citation::clock::Clock;
use citation::config::Config;
use citation_model::identifier::Identifier;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::program::run_line;
use crate::support::waiting::wait_until;
use crate::support::{Answer, TestApp};

const START: i64 = 1_780_000_000;
const DAY: u64 = 86_400;

/// What Crossref says about the work.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Sound,
    Doubtful,
    Retracted,
    Reinstated,
    /// The service answers with an error.
    Down,
    Gone,
}

fn record(state: State) -> Reply {
    let notice = |kind: &str, doi: &str, date: &str| {
        json!({"DOI": doi, "type": kind, "source": "publisher",
            "updated": {"date-parts": [date.split('-').map(|n| n.parse::<u32>().unwrap()).collect::<Vec<_>>()]}})
    };
    let retraction = notice("retraction", "10.5555/notice", "2026-07-01");
    let notices = match state {
        State::Down => return Reply::status(503),
        State::Gone => return Reply::status(404),
        State::Sound => vec![],
        State::Doubtful => vec![notice(
            "expression_of_concern",
            "10.5555/concern",
            "2026-06-01",
        )],
        State::Retracted => vec![retraction],
        State::Reinstated => vec![
            retraction,
            notice("reinstatement", "10.5555/again", "2026-09-01"),
        ],
    };
    let title = match state {
        State::Sound => "On frogs of the northern marsh",
        _ => "On frogs of the northern marshes",
    };
    let body = json!({"status": "ok", "message": {"DOI": "10.5555/frogs", "type": "journal-article",
        "title": [title], "author": [{"family": "Doe", "given": "Jo"}],
        "container-title": ["Journal of Frogs"], "volume": "3", "page": "11-19",
        "issued": {"date-parts": [[2001]]}, "updated-by": notices}});
    Reply::json(body.to_string())
}

/// A collection with one entry, and its owner.
struct Kept {
    bearer: String,
    path: String,
}

impl Kept {
    fn of(app: &TestApp, metadata: &Value) -> Kept {
        let bearer = app.bearer(Plan::Academic);
        let made = app.post_as(&bearer, "/api/v1/collections", &json!({"name": "A"}));
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/collections/{id}");
        let entry = json!({"metadata": {"title": metadata["title"], "doi": metadata["doi"]}});
        let added = app.post_as(&bearer, &format!("{path}/entries"), &entry);
        assert_eq!(added.status, 201, "{}", added.text());
        Kept { bearer, path }
    }

    fn read(&self, app: &TestApp) -> Answer {
        let headers = [("authorization", self.bearer.as_str())];
        app.get_with(&self.path, &headers)
    }

    fn status(&self, app: &TestApp) -> String {
        let collection = self.read(app).json();
        let status = &collection["entries"][0]["review_status"];
        status.as_str().unwrap_or_default().to_owned()
    }

    /// Changes with every version of the collection, and with the notices about its works.
    fn version(&self, app: &TestApp) -> String {
        let tag = self.read(app).header("etag").to_owned();
        assert!(!tag.is_empty());
        tag
    }
}

/// A server with a stand-in for Crossref, a clock, and an account with a key.
struct World {
    state: Arc<Mutex<State>>,
    asked: Arc<AtomicUsize>,
    clock: Clock,
    app: TestApp,
    _crossref: StandIn,
}

impl World {
    fn start(change: impl FnOnce(&mut Config)) -> World {
        let state = Arc::new(Mutex::new(State::Sound));
        let asked = Arc::new(AtomicUsize::new(0));
        let (told, counted) = (Arc::clone(&state), Arc::clone(&asked));
        let crossref = StandIn::start(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            record(*told.lock().unwrap())
        });
        let clock = Clock::set_to(START);
        let app = TestApp::start_at(clock.clone(), |config| {
            let provider = &mut config.providers.crossref;
            provider.enabled = true;
            provider.retries = 0;
            provider.breaker_failures = 0;
            provider.max_per_second = 0;
            provider.base_url = crossref.url().parse().unwrap();
            config.lookup.refresh_per_minute = 60_000;
            change(config);
        });
        World {
            state,
            asked,
            clock,
            app,
            _crossref: crossref,
        }
    }

    fn say(&self, state: State) {
        *self.state.lock().unwrap() = state;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// The work as a lookup shows it.
    fn look_up(&self) -> Value {
        let answer = self
            .app
            .post("/api/v1/lookup/doi", &json!({"doi": "10.5555/frogs"}));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    fn kinds(&self) -> Vec<String> {
        let work = self.look_up();
        let updates = work["updates"].as_array().cloned().unwrap_or_default();
        updates
            .iter()
            .map(|update| update["type"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// The verdict on a reference without its DOI, from the local works alone.
    fn verdict(&self) -> String {
        let reference =
            "Doe, J. (2001). On frogs of the northern marshes. Journal of Frogs, 3, 11-19.";
        let answer = self.app.post(
            "/api/v1/verify",
            &json!({"text": reference, "local_only": true}),
        );
        answer.json()["verdict"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Lets no more than a moment pass in which nothing may be asked.
    fn expect_silence(&self) {
        let before = self.asked();
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(self.asked(), before);
    }
}

#[test]
fn retraction_and_reinstatement_reach_the_stored_work_once() {
    let world = World::start(|_| {});
    let first = world.look_up();
    assert_eq!(first["provenance"]["fetched_at"], "2026-05-28T20:26:40Z");
    let collection = Kept::of(&world.app, &first);

    // A young work is answered from the corpus.
    world.say(State::Retracted);
    world.clock.advance(29 * DAY);
    world.look_up();
    world.expect_silence();
    assert_eq!(world.asked(), 1);

    // An old one is answered as it is, and changed in the background.
    world.clock.advance(DAY);
    assert_eq!(world.kinds(), Vec::<String>::new());
    wait_until(|| world.kinds() == ["retraction"]);
    assert_eq!(world.asked(), 2);
    let work = world.look_up();
    assert_eq!(work["title"], "On frogs of the northern marshes");
    assert_eq!(work["provenance"]["fetched_at"], "2026-06-27T20:26:40Z");
    assert_eq!(world.verdict(), "retracted");
    wait_until(|| collection.status(&world.app) == "retracted");
    let version = collection.version(&world.app);

    // What it said before is kept.
    let id = Identifier::parse("10.5555/frogs").unwrap();
    let versions = world.app.app.store.versions(&id).unwrap();
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0].provenance.fetched_at, START);
    assert_eq!(versions[0].replaced_at, START + 30 * DAY as i64);

    // Asked again with the same answer, nothing changes but the time.
    world.clock.advance(31 * DAY);
    world.look_up();
    wait_until(|| world.asked() == 3);
    wait_until(|| world.look_up()["provenance"]["fetched_at"] == "2026-07-28T20:26:40Z");
    assert_eq!(world.kinds(), ["retraction"]);
    assert_eq!(world.app.app.store.versions(&id).unwrap().len(), 1);
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    assert_eq!(collection.version(&world.app), version, "marked once");

    world.say(State::Reinstated);
    world.clock.advance(31 * DAY);
    world.look_up();
    wait_until(|| world.kinds().contains(&"reinstatement".to_owned()));
    assert_eq!(world.kinds().len(), 2);
    assert_eq!(world.verdict(), "verified");
    wait_until(|| collection.status(&world.app) == "clean");
}

#[test]
fn withdrawn_notice_leaves_the_work() {
    let world = World::start(|_| {});
    world.say(State::Retracted);
    world.look_up();
    assert_eq!(world.verdict(), "retracted");
    world.say(State::Sound);
    world.clock.advance(30 * DAY);
    world.look_up();
    wait_until(|| world.kinds().is_empty());
    assert_ne!(world.verdict(), "retracted");
}

#[test]
fn doubtful_work_is_asked_for_after_a_day() {
    let world = World::start(|_| {});
    world.say(State::Doubtful);
    world.look_up();
    world.clock.advance(DAY - 1);
    world.look_up();
    world.expect_silence();
    world.clock.advance(1);
    world.say(State::Retracted);
    world.look_up();
    wait_until(|| world.kinds() == ["retraction"]);
}

#[test]
fn failed_source_is_asked_again_an_hour_later() {
    let world = World::start(|_| {});
    world.look_up();
    world.say(State::Down);
    world.clock.advance(30 * DAY);
    world.look_up();
    wait_until(|| world.asked() == 2);
    world.look_up();
    world.expect_silence();
    world.say(State::Retracted);
    world.clock.advance(3_600);
    world.look_up();
    wait_until(|| world.kinds() == ["retraction"]);
}

#[test]
fn work_that_its_source_no_longer_has_stays() {
    let world = World::start(|_| {});
    world.look_up();
    world.say(State::Gone);
    world.clock.advance(30 * DAY);
    world.look_up();
    wait_until(|| world.asked() == 2);
    let id = Identifier::parse("10.5555/frogs").unwrap();
    wait_until(|| world.app.app.store.asked_at(&id).unwrap() == Some(START + 30 * DAY as i64));
    // It is not asked for at every answer, and shows when it was fetched.
    world.clock.advance(29 * DAY);
    assert_eq!(
        world.look_up()["provenance"]["fetched_at"],
        "2026-05-28T20:26:40Z"
    );
    world.expect_silence();
}

#[test]
fn many_answers_ask_once() {
    let world = World::start(|_| {});
    world.look_up();
    world.clock.advance(30 * DAY);
    for _ in 0..20 {
        world.look_up();
    }
    wait_until(|| world.asked() == 2);
    world.expect_silence();
}

#[test]
fn local_lookups_ask_nobody_again() {
    let world = World::start(|_| {});
    world.look_up();
    world.clock.advance(300 * DAY);
    assert!(!world.verdict().is_empty());
    world.expect_silence();
    assert_eq!(world.asked(), 1);
}

#[test]
fn age_is_set_for_each_source() {
    let world = World::start(|config| {
        config.lookup.refresh_after_seconds = 0;
        config.providers.crossref.refresh_after_seconds = 3 * DAY;
    });
    world.look_up();
    world.clock.advance(3 * DAY);
    world.look_up();
    wait_until(|| world.asked() == 2);
}

/// The header of Retraction Watch's list, and rows of notices about works.
fn list_of(rows: &[(&str, &str, &str)]) -> String {
    let rows = rows.iter().map(|(doi, nature, date)| {
        format!(
            "1,\"T, t\",,,,,,,,,{date},10.5555/rw-notice,0,,{doi},0,{nature},+Error in Data;,No,\n"
        )
    });
    let header = "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,\
        RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,\
        OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes\n";
    header.to_owned() + &rows.collect::<String>()
}

#[test]
fn list_of_retractions_is_fetched_when_it_is_due() {
    let list = Arc::new(Mutex::new(list_of(&[(
        "10.5555/frogs",
        "Retraction",
        "7/4/2026 0:00",
    )])));
    let told = Arc::clone(&list);
    let site = StandIn::start(move |_| Reply::whole(200, "text/csv", told.lock().unwrap().clone()));
    let world = World::start(|config| {
        config.updates.retraction_watch_url =
            Some(format!("{}/list.csv", site.url()).parse().unwrap());
    });
    wait_until(|| !world.look_up()["updates"].is_null());
    let work = world.look_up();
    assert_eq!(work["updates"][0]["source"], "retraction-watch");
    assert_eq!(work["updates"][0]["date"], "2026-07-04");
    assert_eq!(work["updates"][0]["reasons"], json!(["Error in Data"]));
    assert_eq!(world.kinds(), ["retraction"]);
    assert_eq!(site.requests().len(), 1, "once in the interval");
}

#[test]
fn same_notice_of_two_sources_is_one() {
    let world = World::start(|_| {});
    world.say(State::Retracted);
    world.look_up();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.csv");
    let row = list_of(&[("10.5555/frogs", "Retraction", "7/4/2026 0:00")]);
    std::fs::write(&path, row.replace("10.5555/rw-notice", "10.5555/notice")).unwrap();
    let corpus = &world.app.app.corpus;
    let ingest = |path: &std::path::Path| {
        let options = citation::corpus::ingest::IngestOptions::default();
        let stop = std::sync::atomic::AtomicBool::new(false);
        let paths = [path.to_owned()];
        citation::corpus::ingest::ingest(corpus, &paths, &options, &stop, &mut |_| {}).unwrap()
    };
    ingest(&path);
    let work = world.look_up();
    assert_eq!(work["updates"].as_array().map(Vec::len), Some(1), "{work}");
    assert_eq!(work["updates"][0]["reasons"], json!(["Error in Data"]));

    // Another notice that the list does not identify is the one that is known.
    let in_place = row.replace("10.5555/rw-notice", "unavailable");
    std::fs::write(&path, in_place).unwrap();
    assert_eq!(ingest(&path).notices_removed, 1);
    assert_eq!(world.kinds(), ["retraction"]);

    // A reinstatement in the list lifts the retraction that Crossref still has.
    let both = list_of(&[
        ("10.5555/frogs", "Retraction", "7/4/2026 0:00"),
        ("10.5555/frogs", "Reinstatement", "8/4/2026 0:00"),
    ]);
    std::fs::write(&path, both).unwrap();
    ingest(&path);
    assert_eq!(world.verdict(), "verified");

    // A row about an article of which only the PubMed id is known is counted; one without any id is rejected.
    let without_doi = list_of(&[
        ("10.5555/frogs", "Retraction", "7/4/2026 0:00"),
        ("unavailable", "Retraction", "7/4/2026 0:00"),
        ("", "Retraction", "7/4/2026 0:00"),
    ]);
    std::fs::write(
        &path,
        without_doi.replace("unavailable,0,", "unavailable,777,"),
    )
    .unwrap();
    let summary = ingest(&path);
    assert_eq!((summary.works.unplaced_notices, summary.rejected), (1, 1));

    // A list without rows is taken for a part.
    std::fs::write(&path, list_of(&[])).unwrap();
    assert_eq!(ingest(&path).notices_removed, 0);
}

/// A line of Crossref's file, as indexed at a time.
fn indexed(title: &str, seconds: i64) -> String {
    json!({"DOI": "10.5555/frogs", "type": "journal-article", "title": [title], "member": "1", "prefix": "10.5555",
        "container-title": ["Journal of Frogs"], "indexed": {"timestamp": seconds * 1000}})
    .to_string()
}

#[test]
fn old_records_are_warned_of_and_earlier_ones_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[corpus]\nstarter = false\nwarn_after_days = 30\n";
    std::fs::write(folder.path().join("citation.toml"), config).unwrap();
    let run = |line: &str| run_line(folder.path(), &format!("--data data {line}"));
    for (name, title, seconds) in [
        ("1.jsonl", "On frogs", 1_600_000_000),
        ("2.jsonl", "On toads", 1_700_000_000),
    ] {
        std::fs::write(folder.path().join(name), indexed(title, seconds)).unwrap();
        run(&format!("ingest {name}")).done();
    }
    let stats = run("corpus stats");
    let warning = "the newest record of crossref is ";
    assert!(stats.said.contains(warning), "{}", stats.said);
    let history = run("corpus history 10.5555/frogs").done();
    let versions: Value = serde_json::from_str(&history).unwrap();
    assert_eq!(versions.as_array().map(Vec::len), Some(1), "{versions}");
    assert_eq!(versions[0]["metadata"]["title"], "On frogs");
    assert_eq!(
        versions[0]["metadata"]["provenance"]["fetched_at"],
        "2020-09-13T12:26:40Z"
    );
    assert_eq!(versions[0]["replaced_at"], "2023-11-14T22:13:20Z");
    assert_eq!(run("corpus history 10.5555/none").code, 1);

    let young = config.replace("= 30", "= 36500");
    std::fs::write(folder.path().join("citation.toml"), young).unwrap();
    assert!(!run("corpus stats").said.contains(warning));
}
