//! Harvests of repositories, registries, lists of files and folders, and catalogues by SRU, with stand-ins.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use citation::auth::accounts::NewAccount;
use citation::clock::Clock;
use citation::config::{HarvestKind, HarvestSettings, SruSettings};
use citation::corpus::Corpus;
use citation::harvest::{self, HarvestError, HarvestSummary};
use citation::store::{Store, StoreSettings};
use citation_model::identifier::Identifier;
use citation_model::plan::Plan;
use serde_json::json;

use crate::api::pages::session;
use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::program::run_line;
use crate::support::waiting::{wait_for, wait_until};
use crate::support::{Answer, TestApp, add_account};

/// 28 May and 7 June 2026.
const START: i64 = 1_780_000_000;
const LATER: i64 = START + 10 * 86_400;

fn record(number: u32, title: &str) -> String {
    format!(
        "<record><header><identifier>oai:repo.example:{number}</identifier><datestamp>2026-05-0{number}</datestamp></header>\
         <metadata><oai_dc:dc xmlns:oai_dc=\"a\" xmlns:dc=\"b\"><dc:title>{title}</dc:title><dc:creator>Doe, Jo</dc:creator>\
         <dc:date>2020</dc:date><dc:type>article</dc:type><dc:identifier>https://doi.org/10.5555/{number}</dc:identifier>\
         </oai_dc:dc></metadata></record>"
    )
}

fn deleted(number: u32) -> String {
    format!(
        "<record><header status=\"deleted\"><identifier>oai:repo.example:{number}</identifier>\
         <datestamp>2026-06-01</datestamp></header></record>"
    )
}

fn answer(inside: &str) -> Reply {
    let body = format!(
        "<?xml version=\"1.0\"?><OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\">{inside}</OAI-PMH>"
    );
    Reply::whole(200, "text/xml", body)
}

fn list(records: &[String], token: &str) -> Reply {
    let token = match token {
        "" => String::new(),
        token => format!("<resumptionToken>{token}</resumptionToken>"),
    };
    answer(&format!(
        "<ListRecords>{}{token}</ListRecords>",
        records.concat()
    ))
}

fn has(request: &Request, parameter: &str) -> bool {
    let (_, query) = request.target.split_once('?').unwrap_or_default();
    query.split('&').any(|part| part == parameter)
}

struct World {
    corpus: Corpus,
    settings: HarvestSettings,
    _data: tempfile::TempDir,
}

impl World {
    fn new(repository: &StandIn) -> World {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open(data.path(), &StoreSettings::default()).unwrap();
        World {
            corpus: Corpus::open(Arc::new(store)),
            settings: HarvestSettings {
                name: "repo".to_owned(),
                url: repository.url().parse().unwrap(),
                set: "col_1".to_owned(),
                ..HarvestSettings::default()
            },
            _data: data,
        }
    }

    fn round(&self, now: i64) -> Result<HarvestSummary, HarvestError> {
        let stop = AtomicBool::new(false);
        harvest::round(&self.corpus, &self.settings, now, &stop, &mut |_| {})
    }

    fn has(&self, number: u32) -> bool {
        let id = Identifier::parse(&format!("10.5555/{number}")).unwrap();
        self.corpus.get(&id).unwrap().is_some()
    }
}

#[test]
fn rounds_take_what_is_new_and_what_is_gone() {
    let repository = StandIn::start(|request| {
        if has(request, "from=2026-05-28") {
            list(&[record(3, "Three"), deleted(1)], "")
        } else if has(request, "resumptionToken=t%7C1") {
            list(&[record(2, "Two")], "")
        } else if has(request, "metadataPrefix=oai_dc") && has(request, "set=col_1") {
            list(&[record(1, "One")], "t|1")
        } else {
            answer("<error code=\"badArgument\">What?</error>")
        }
    });
    let world = World::new(&repository);
    let first = world.round(START).unwrap();
    assert_eq!((first.parts, first.works.new, first.rejected), (2, 2, 0));
    assert!(world.has(1) && world.has(2));
    let second = world.round(LATER).unwrap();
    assert_eq!(
        (second.works.new, second.works.deleted),
        (1, 1),
        "{second:?}"
    );
    assert!(!world.has(1) && world.has(3));
}

#[test]
fn second_round_at_once_is_refused() {
    let repository = StandIn::start(|_| list(&[record(1, "One")], ""));
    let world = World::new(&repository);
    let mut second = None;
    let mut during = |_: &HarvestSummary| second = Some(world.round(START));
    let stop = AtomicBool::new(false);
    let first = harvest::round(&world.corpus, &world.settings, START, &stop, &mut during);
    assert_eq!(first.unwrap().works.new, 1);
    assert!(matches!(second, Some(Err(HarvestError::Running))));
    assert!(world.round(LATER).is_ok());
}

#[test]
fn interrupted_round_goes_on_where_it_ended() {
    let (asked, is_down) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(true)),
    );
    let (counted, down) = (Arc::clone(&asked), Arc::clone(&is_down));
    let repository = StandIn::start(move |request| {
        if !has(request, "resumptionToken=t") {
            counted.fetch_add(1, Ordering::SeqCst);
            return list(&[record(1, "One")], "t");
        }
        if down.load(Ordering::SeqCst) {
            Reply::status(400)
        } else {
            list(&[record(2, "Two")], "")
        }
    });
    let world = World::new(&repository);
    assert!(matches!(world.round(START), Err(HarvestError::Provider(_))));
    assert!(world.has(1) && !world.has(2));
    is_down.store(false, Ordering::SeqCst);
    let rest = world.round(START + 100).unwrap();
    assert_eq!((rest.parts, rest.works.new), (1, 1));
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[test]
fn forgotten_list_starts_again_and_empty_list_is_no_error() {
    let state = Arc::new(Mutex::new("bad"));
    let told = Arc::clone(&state);
    let repository = StandIn::start(move |request| {
        let mut state = told.lock().unwrap();
        match *state {
            "none" => answer("<error code=\"noRecordsMatch\">None.</error>"),
            "bad" if has(request, "resumptionToken=t") => {
                *state = "good";
                answer("<error code=\"badResumptionToken\">Too old.</error>")
            }
            "good" if has(request, "resumptionToken=t") => list(&[record(2, "Two")], ""),
            _ => list(&[record(1, "One")], "t"),
        }
    });
    let world = World::new(&repository);
    let summary = world.round(START).unwrap();
    assert_eq!(
        (summary.works.new, summary.works.unchanged),
        (2, 1),
        "{summary:?}"
    );
    *state.lock().unwrap() = "none";
    assert_eq!(world.round(LATER).unwrap(), HarvestSummary::default());
}

#[test]
fn odd_repositories_are_errors() {
    let check = |reply: Reply, is_expected: fn(&HarvestError) -> bool| {
        let repository = StandIn::start(move |_| reply.clone());
        let failed = World::new(&repository).round(START).expect_err("an error");
        assert!(is_expected(&failed), "{failed}");
    };
    check(Reply::status(404), |e| matches!(e, HarvestError::NotThere));
    check(
        answer("<error code=\"cannotDisseminateFormat\">No.</error>"),
        |e| matches!(e, HarvestError::Refused { .. }),
    );
    check(list(&[record(1, "One")], "t"), |e| {
        matches!(e, HarvestError::Endless)
    });
    check(
        Reply::whole(200, "text/xml", "<OAI-PMH><ListRecords><record><header>"),
        |e| matches!(e, HarvestError::Incomplete | HarvestError::Answer(_)),
    );
}

#[test]
fn command_does_one_round() {
    let repository = StandIn::start(|_| list(&[record(1, "One")], ""));
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "[corpus]\nstarter = false\n[[corpus.harvest]]\nname = \"repo\"\nurl = \"{}\"\n",
        repository.url()
    );
    std::fs::write(folder.path().join("citation.toml"), file).unwrap();
    let done = run_line(folder.path(), "--data data harvest repo").done();
    assert!(done.contains("1 records: 1 new"), "{done}");
    let failed = run_line(folder.path(), "--data data harvest other");
    assert_eq!(failed.code, 2);
    assert!(failed.said.contains("there are repo"), "{}", failed.said);
}

/// A book of a catalogue.
fn book(title: &str, isbn: &str) -> Reply {
    let field = |tag: &str, text: &str| {
        format!(
            "<datafield tag=\"{tag}\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">{text}</subfield></datafield>"
        )
    };
    let body = format!(
        "<searchRetrieveResponse><records><record><recordData><record xmlns=\"http://www.loc.gov/MARC21/slim\">\
         <controlfield tag=\"001\">77</controlfield>{}{}{}</record></recordData></record></records></searchRetrieveResponse>",
        field("020", isbn),
        field("100", "Doe, Jo"),
        field("245", title)
    );
    Reply::whole(200, "text/xml", body)
}

#[test]
fn catalogues_are_asked_in_their_order() {
    let none = StandIn::start(|_| {
        let body =
            "<searchRetrieveResponse><numberOfRecords>0</numberOfRecords></searchRetrieveResponse>";
        Reply::whole(200, "text/xml", body)
    });
    let own = StandIn::start(|_| book("Frogs of the marsh", "9780262033848"));
    let catalogue = |name: &str, stand_in: &StandIn| SruSettings {
        name: name.to_owned(),
        url: format!("{}/sru", stand_in.url()).parse().unwrap(),
        isbn_index: "num".to_owned(),
        title_index: "tit".to_owned(),
        author_index: "per".to_owned(),
        max_per_second: 0,
        ..SruSettings::default()
    };
    let app = TestApp::start_with(|config| {
        config.lookup.sru = vec![catalogue("first", &none), catalogue("second", &own)];
        config.corpus.starter = false;
    });
    let answer = app.post("/api/v1/lookup/isbn", &json!({"isbn": "978-0-262-03384-8"}));
    let work = answer.json();
    assert_eq!(work["title"], "Frogs of the marsh", "{work}");
    assert_eq!(work["provenance"]["source"], "catalogue");
    let request = none.requests().pop().expect("a request");
    assert!(
        request.target.starts_with("/sru?version=1.1&"),
        "{request:?}"
    );
    assert!(
        request
            .target
            .ends_with("query=num%3D9780262033848%20or%20num%3D0262033844"),
        "{request:?}"
    );

    let query = json!({"text": "Doe, Jo. Toads of the pond. Marsh Press, 2001."});
    app.post("/api/v1/reverse", &query);
    let request = none.requests().pop().expect("a request");
    assert!(request.target.contains("tit%20all%20"), "{request:?}");
}

/// An article as a line of CSL-JSON.
fn article(number: u32, title: &str) -> String {
    json!({"id": format!("a{number}"), "type": "article-journal", "title": title,
        "DOI": format!("10.5555/{number}")})
    .to_string()
}

#[test]
fn list_of_files_takes_those_that_have_changed() {
    let version = Arc::new(AtomicUsize::new(1));
    let told = Arc::clone(&version);
    let site = StandIn::start(move |request| {
        let version = told.load(Ordering::SeqCst);
        let host = request.header("host").unwrap_or_default().to_owned();
        let entry = |name: &str, about: &str| {
            format!("<url><loc>http://{host}/{name}</loc><rs:md {about}/></url>")
        };
        let sitemap = |inside: String| {
            let body = format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                 xmlns:rs=\"http://www.openarchives.org/rs/terms/\">{inside}</urlset>"
            );
            Reply::whole(200, "application/xml", body)
        };
        match request.target.as_str() {
            "/index.xml" => Reply::whole(
                200,
                "application/xml",
                format!(
                    "<sitemapindex><sitemap><loc>http://{host}/list.xml</loc></sitemap></sitemapindex>"
                ),
            ),
            "/list.xml" => sitemap(
                entry("1.json", "hash=\"md5:1\"")
                    + &entry("2.json", &format!("hash=\"md5:2-{version}\""))
                    + &entry("3.json", "change=\"deleted\""),
            ),
            "/1.json" => Reply::json(article(1, "One")),
            "/2.json" => Reply::json(article(2, &format!("Two, edition {version}"))),
            _ => Reply::status(404),
        }
    });
    let mut world = World::new(&site);
    world.settings.kind = HarvestKind::List;
    world.settings.url = format!("{}/index.xml", site.url()).parse().unwrap();
    let asked = |path: &str| {
        let requests = site.requests();
        requests
            .iter()
            .filter(|request| request.target == path)
            .count()
    };
    let first = world.round(START).unwrap();
    assert_eq!((first.parts, first.works.new), (2, 2), "{first:?}");
    let second = world.round(LATER).unwrap();
    assert_eq!(
        (second.parts, asked("/1.json"), asked("/2.json")),
        (0, 1, 1)
    );
    version.store(2, Ordering::SeqCst);
    let third = world.round(LATER).unwrap();
    assert_eq!((third.parts, third.works.changed), (1, 1), "{third:?}");
    assert_eq!(
        (asked("/1.json"), asked("/2.json"), asked("/3.json")),
        (1, 2, 0)
    );
}

#[test]
fn files_of_other_places_are_not_fetched() {
    let other = StandIn::start(|_| Reply::json(article(1, "One")));
    let url = other.url();
    let site = StandIn::start(move |_| {
        let body = format!("<urlset><url><loc>{url}/1.json</loc></url></urlset>");
        Reply::whole(200, "application/xml", body)
    });
    let mut world = World::new(&site);
    world.settings.kind = HarvestKind::List;
    let failed = world.round(START).expect_err("an error");
    assert!(matches!(failed, HarvestError::Elsewhere { .. }), "{failed}");
    assert!(other.requests().is_empty());
}

#[test]
fn folder_takes_new_files() {
    let site = StandIn::start(|_| Reply::status(404));
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::new(&site);
    world.settings.kind = HarvestKind::Folder;
    world.settings.path = folder.path().display().to_string();
    std::fs::write(folder.path().join("1.json"), article(1, "One")).unwrap();
    assert_eq!(world.round(START).unwrap().works.new, 1);
    std::fs::write(folder.path().join("2.json"), article(2, "Two")).unwrap();
    let second = world.round(LATER).unwrap();
    assert_eq!((second.records, second.works.new), (1, 1), "{second:?}");
    world.settings.path = folder.path().join("gone").display().to_string();
    assert!(matches!(world.round(LATER), Err(HarvestError::NotThere)));
}

#[test]
fn changes_of_crossref_are_taken_since_the_last_round() {
    let crossref = StandIn::start(|request| {
        let page = |numbers: &[u32], cursor: &str| {
            let items: Vec<_> = { numbers.iter() }
                .map(|number| {
                    json!({"DOI": format!("10.5555/{number}"), "title": ["T"], "member": "1",
                        "type": "journal-article", "indexed": {"timestamp": 1_779_000_000_000_i64}})
                })
                .collect();
            let message = json!({"total-results": 2, "items": items, "next-cursor": cursor});
            Reply::json(json!({"status": "ok", "message": message}).to_string())
        };
        let is_first = has(request, "cursor=%2A");
        if has(request, "filter=from-index-date:2026-05-01") && is_first {
            page(&[1], "c1")
        } else if has(request, "filter=from-index-date:2026-05-28") && is_first {
            page(&[3], "c2")
        } else if has(request, "cursor=c1") && !request.target.contains("2026-05-28") {
            page(&[2], "c9")
        } else {
            page(&[], "c9")
        }
    });
    let mut world = World::new(&crossref);
    world.settings.kind = HarvestKind::Crossref;
    world.settings.since = "2026-05-01".to_owned();
    let first = world.round(START).unwrap();
    assert_eq!((first.parts, first.works.new), (2, 2), "{first:?}");
    assert!(world.has(1) && world.has(2));
    let second = world.round(LATER).unwrap();
    assert_eq!((second.parts, second.works.new), (1, 1), "{second:?}");
    assert!(world.has(3));
}

#[test]
fn server_harvests_what_is_due() {
    let (slow, quick) = (
        StandIn::start(|_| list(&[record(1, "One")], "")),
        StandIn::start(|_| list(&[record(2, "Two")], "")),
    );
    let world = World::new(&slow);
    let settings = |name: &str, repository: &StandIn, every_hours| HarvestSettings {
        name: name.to_owned(),
        url: repository.url().parse().unwrap(),
        every_hours,
        ..HarvestSettings::default()
    };
    let clock = Clock::set_to(START);
    // The second is asked after the first, so that it shows when a look at both has ended.
    let look = |rounds: usize| {
        let harvests = vec![settings("slow", &slow, 48), settings("quick", &quick, 1)];
        let thread = harvest::start(world.corpus.clone(), harvests, clock.clone()).unwrap();
        wait_until(|| quick.requests().len() == rounds);
        drop(thread.expect("a thread"));
    };
    look(1);
    assert_eq!(slow.requests().len(), 1);
    assert!(world.has(1) && world.has(2));
    clock.advance(47 * 3_600);
    look(2);
    assert_eq!(slow.requests().len(), 1, "not due");
    clock.advance(3_600);
    look(3);
    assert_eq!(slow.requests().len(), 2);
    let never = vec![settings("never", &slow, 0)];
    assert!(
        harvest::start(world.corpus.clone(), never, clock)
            .unwrap()
            .is_none()
    );
}

/// Sends a request in the session of an operator, or with what `credential` says instead.
fn send(app: &TestApp, method: &str, path: &str, body: &str, credential: (&str, &str)) -> Answer {
    let origin = app.url("");
    let headers = [
        credential,
        ("origin", origin.as_str()),
        ("content-type", "application/json"),
    ];
    let body = (!body.is_empty()).then_some(body.as_bytes());
    app.send(method, path, &headers, body)
}

#[test]
fn job_harvests_for_operators_part_by_part() {
    let repository = StandIn::start(|request| {
        if has(request, "resumptionToken=t%7C1") {
            list(&[record(2, "Two")], "")
        } else {
            list(&[record(1, "One")], "t|1")
        }
    });
    let url = repository.url().parse().unwrap();
    let data = tempfile::tempdir().unwrap();
    let app = TestApp::start_with(|config| {
        config.corpus.harvest = vec![HarvestSettings {
            name: "repo".to_owned(),
            url,
            every_hours: 0,
            ..HarvestSettings::default()
        }];
        config.data.dir = data.path().to_path_buf();
        let new = NewAccount {
            email: Some("operator@example.org"),
            ..NewAccount::default()
        };
        config.auth.operators = vec![add_account(config, &new)];
    });
    let key = app.key(Plan::Business);
    let bearer = format!("Bearer {key}");
    let path = "/api/v1/jobs/harvest";
    let body = r#"{"name": "repo"}"#;
    let by_key = send(&app, "POST", path, body, ("authorization", &bearer));
    by_key.expect_error(403, "forbidden");
    let cookie = session(&app, "operator@example.org");
    let operator = ("cookie", cookie.as_str());
    let unknown = send(&app, "POST", path, r#"{"name": "other"}"#, operator);
    unknown.expect_error(422, "validation_failed");
    let made = send(&app, "POST", path, body, operator);
    assert_eq!(made.status, 202, "{}", made.text());
    let address = made.header("location").to_owned();
    let job = wait_for(|| {
        let job = send(&app, "GET", &address, "", operator).json();
        (job["state"] == "done" || job["state"] == "failed").then_some(job)
    });
    assert_eq!(
        (&job["state"], &job["kind"]),
        (&json!("done"), &json!("harvest"))
    );
    assert_eq!(job["summary"], json!({"part": 2, "harvested": 1}), "{job}");
    assert_eq!(job["lookups_used"], 0);
    let results = send(&app, "GET", &format!("{address}/results"), "", operator).json();
    let last = results["results"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["result"]["new"], &last["result"]["parts"]),
        (&json!(2), &json!(2)),
        "{last}"
    );
    for number in [1, 2] {
        let found = app.get(&format!("/api/v1/works/10.5555/{number}"));
        assert_eq!(found.status, 200, "{}", found.text());
    }
    // The job of another account does not exist.
    let foreign = send(&app, "GET", &address, "", ("authorization", &bearer));
    foreign.expect_error(404, "not_found");
}
