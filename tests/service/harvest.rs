//! Harvests by OAI-PMH, and catalogues by SRU, with stand-ins for both.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use citation::config::{HarvestSettings, SruSettings};
use citation::corpus::Corpus;
use citation::harvest::{self, HarvestError, HarvestSummary};
use citation::store::{Store, StoreSettings};
use citation_model::identifier::Identifier;
use serde_json::json;

use crate::support::TestApp;
use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::program::run_line;

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
    assert_eq!((first.parts, first.new, first.rejected), (2, 2, 0));
    assert!(world.has(1) && world.has(2));
    let second = world.round(LATER).unwrap();
    assert_eq!((second.new, second.deleted), (1, 1), "{second:?}");
    assert!(!world.has(1) && world.has(3));
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
    assert_eq!((rest.parts, rest.new), (1, 1));
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
    assert_eq!((summary.new, summary.unchanged), (2, 1), "{summary:?}");
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
