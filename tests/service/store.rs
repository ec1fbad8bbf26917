//! The store through its public API: stored works are found, merged fields name their
//! sources, and repeated records change nothing.

use crate::support::tiny_disk::TinyDisk;
use crate::support::waiting::wait_until;
use citation::store::outcome::PutOutcome;
use citation::store::works::ChangeKind;
use citation::store::{Store, StoreError, StoreSettings};
use citation_matching::journals::{PairOrigin, Tables};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, UpdateRelation, Work};
use serde_json::Value;

struct TestStore {
    store: Store,
    directory: tempfile::TempDir,
}

impl TestStore {
    /// A connection of its own, beside the store's.
    fn connection(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.directory.path().join("citation.db")).unwrap()
    }
}

impl std::ops::Deref for TestStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

fn open() -> TestStore {
    let directory = tempfile::tempdir().unwrap();
    TestStore {
        store: Store::open(directory.path(), &StoreSettings::default()).unwrap(),
        directory,
    }
}

fn work_of(source: Source, record_id: &str, json: &str) -> Work {
    let item: Item = serde_json::from_str(json).unwrap();
    let provenance = Provenance {
        source,
        record_id: record_id.to_owned(),
        url: None,
        license: None,
        fetched_at: 1_700_000_000,
    };
    Work::new(item, provenance)
}

/// The same, fetched that many seconds later.
fn later(mut work: Work, seconds: i64) -> Work {
    work.provenance.fetched_at += seconds;
    work
}

fn id(text: &str) -> Identifier {
    Identifier::parse(text).unwrap()
}

fn title(store: &Store, identifier: &str) -> Option<String> {
    let work = store.work(&id(identifier)).unwrap()?;
    work.item.text(TextVar::Title).map(str::to_owned)
}

#[test]
fn work_is_found_by_each_of_its_identifiers() {
    let store = open();
    let json = r#"{"type":"book","title":"Emma","DOI":"10.1000/EMMA","ISBN":"9780198526636"}"#;
    let outcome = store.put_one(work_of(Source::Crossref, "", json)).unwrap();
    assert!(matches!(outcome, PutOutcome::New(_)));
    for identifier in ["10.1000/emma", "0-19-852663-6"] {
        assert_eq!(title(&store, identifier).as_deref(), Some("Emma"));
    }
    assert_eq!(title(&store, "10.1000/other"), None);
    assert_eq!(title(&store, "1234-5679"), None);
    assert_eq!(store.counter("works").unwrap(), 1);
}

#[test]
fn repeated_record_changes_nothing() {
    let store = open();
    let json = r#"{"type":"book","title":"Emma","DOI":"10.1000/emma"}"#;
    let work = work_of(Source::Crossref, "10.1000/emma", json);
    store.put_one(work.clone()).unwrap();
    let before = store.change_range().unwrap();
    let again = later(work, 60);
    assert!(matches!(
        store.put_one(again.clone()).unwrap(),
        PutOutcome::Unchanged(_)
    ));
    assert_eq!(store.change_range().unwrap(), before);
    let found = store.work(&id("10.1000/emma")).unwrap().unwrap();
    assert_eq!(found, again, "only the time of fetching moved on");
}

#[test]
fn newest_version_of_a_source_wins_in_any_order() {
    let versions = [
        (
            1,
            r#"{"type":"book","title":"Emma, a Draft","note":"long","DOI":"10.1000/e"}"#,
        ),
        (3, r#"{"type":"book","title":"Emma","DOI":"10.1000/e"}"#),
        (
            2,
            r#"{"type":"book","title":"Emma: A Proof","DOI":"10.1000/e"}"#,
        ),
    ];
    for turn in 0..versions.len() {
        let store = open();
        for (version, json) in versions.iter().cycle().skip(turn).take(2 * versions.len()) {
            let work = work_of(Source::Crossref, "10.1000/e", json);
            store.put_one(later(work, *version)).unwrap();
        }
        assert_eq!(title(&store, "10.1000/e").as_deref(), Some("Emma"));
    }
}

#[test]
fn sources_are_merged_in_any_order_with_field_sources() {
    let records = [
        (
            Source::Openalex,
            "W1",
            r#"{"type":"article-journal","title":"ON X","abstract":"We.","DOI":"10.1000/x"}"#,
        ),
        (
            Source::Crossref,
            "10.1000/x",
            r#"{"type":"article-journal","title":"On X","DOI":"10.1000/x"}"#,
        ),
        (
            Source::Pubmed,
            "77",
            r#"{"type":"article-journal","title":"On x.","DOI":"10.1000/x","PMID":"77"}"#,
        ),
    ];
    for turn in 0..records.len() {
        let store = open();
        for (source, record_id, json) in records.iter().cycle().skip(turn).take(records.len()) {
            store.put_one(work_of(*source, record_id, json)).unwrap();
        }
        let seq = store.change_range().unwrap().newest;
        for (source, record_id, json) in &records {
            let outcome = store.put_one(work_of(*source, record_id, json)).unwrap();
            assert!(matches!(outcome, PutOutcome::Unchanged(_)));
        }
        assert_eq!(store.change_range().unwrap().newest, seq);

        let work = store.work(&id("10.1000/x")).unwrap().unwrap();
        assert_eq!(work.provenance.source, Source::Crossref);
        assert_eq!(work.item.text(TextVar::Title), Some("On X"));
        assert_eq!(work.item.text(TextVar::Abstract), Some("We."));
        let (fields, records): (String, i64) = store
            .connection()
            .query_row(
                "SELECT fields, (SELECT count(*) FROM records) FROM works",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        let fields: Value = serde_json::from_str(&fields).unwrap();
        assert_eq!(fields["abstract"], "openalex");
        assert_eq!(fields["PMID"], "pubmed");
        assert_eq!(records, 3);
        assert_eq!(title(&store, "PMID:77").as_deref(), Some("On X"));
        assert_eq!(store.counter("works").unwrap(), 1);
        assert_eq!(store.counter("works.crossref").unwrap(), 1);
        assert_eq!(store.counter("works.openalex").unwrap(), 0);
    }
}

#[test]
fn record_with_both_identifiers_joins_two_works() {
    let store = open();
    let put = |source, json| store.put_one(work_of(source, "", json)).unwrap();
    put(
        Source::Pubmed,
        r#"{"type":"article-journal","title":"P","PMID":"5"}"#,
    );
    put(
        Source::Crossref,
        r#"{"type":"article-journal","title":"C","DOI":"10.1000/c"}"#,
    );
    assert_eq!(store.counter("works").unwrap(), 2);
    put(
        Source::Openalex,
        r#"{"type":"article-journal","title":"O","DOI":"10.1000/c","PMID":"5"}"#,
    );
    assert_eq!(store.counter("works").unwrap(), 1);
    assert_eq!(title(&store, "PMID:5").as_deref(), Some("C"));
    let changes = store.changes_since(0, 100).unwrap();
    assert!(
        changes
            .iter()
            .any(|change| change.kind == ChangeKind::Deleted)
    );
}

#[test]
fn doi_registry_is_not_authoritative_for_pmids() {
    let store = open();
    let article = r#"{"type":"article-journal","title":"Snow","PMID":"12345678"}"#;
    store
        .put_one(work_of(Source::Pubmed, "12345678", article))
        .unwrap();
    let forged = r#"{"type":"dataset","title":"Forged","DOI":"10.1000/x","PMID":"12345678"}"#;
    let outcome = store.put_one(work_of(Source::Datacite, "10.1000/x", forged));
    assert!(matches!(outcome, Ok(PutOutcome::New(_))), "{outcome:?}");
    assert_eq!(title(&store, "pmid:12345678").as_deref(), Some("Snow"));
}

#[test]
fn works_with_different_dois_stay_apart() {
    let store = open();
    for volume in ["1", "2"] {
        let json = format!(
            r#"{{"type":"book","title":"Volume {volume}","DOI":"10.1000/v{volume}",
                 "ISBN":"9780198526636"}}"#
        );
        store.put_one(work_of(Source::Crossref, "", &json)).unwrap();
    }
    assert_eq!(store.counter("works").unwrap(), 2);
    assert_eq!(title(&store, "10.1000/v2").as_deref(), Some("Volume 2"));
    assert_eq!(title(&store, "9780198526636").as_deref(), Some("Volume 1"));
}

#[test]
fn record_without_identifiers_is_known_by_id_or_content() {
    let store = open();
    let named = |t: &str| {
        let json = format!(r#"{{"type":"book","title":"{t}"}}"#);
        store
            .put_one(work_of(Source::Local, "refs.bib#a", &json))
            .unwrap()
    };
    assert!(matches!(named("One"), PutOutcome::New(_)));
    assert!(matches!(
        named("Two words"),
        PutOutcome::Changed(_) | PutOutcome::Unchanged(_)
    ));
    let unnamed = || {
        let json = r#"{"type":"book","title":"Three"}"#;
        store.put_one(work_of(Source::Local, "", json)).unwrap()
    };
    assert!(matches!(unnamed(), PutOutcome::New(_)));
    assert!(matches!(unnamed(), PutOutcome::Unchanged(_)));
    assert_eq!(store.counter("works").unwrap(), 2);
}

#[test]
fn dropped_identifier_is_free_again() {
    let store = open();
    let put = |version, json| {
        let work = work_of(Source::Crossref, "10.1000/a", json);
        store.put_one(later(work, version)).unwrap()
    };
    put(
        1,
        r#"{"type":"book","title":"A","DOI":"10.1000/a","PMID":"9"}"#,
    );
    put(2, r#"{"type":"book","title":"A","DOI":"10.1000/a"}"#);
    assert_eq!(title(&store, "PMID:9"), None);
    let json = r#"{"type":"book","title":"B","PMID":"9"}"#;
    store.put_one(work_of(Source::Pubmed, "9", json)).unwrap();
    assert_eq!(title(&store, "PMID:9").as_deref(), Some("B"));
}

#[test]
fn source_may_know_a_work_under_two_ids() {
    let records = [
        (
            "11034741",
            r#"{"type":"article-journal","title":"First","DOI":"10.1000/r","PMID":"11034741"}"#,
        ),
        (
            "11406024",
            r#"{"type":"article-journal","title":"Second","DOI":"10.1000/r","PMID":"11406024"}"#,
        ),
    ];
    for turn in 0..2 {
        let store = open();
        for at in [turn, 1 - turn, turn] {
            let (record_id, json) = records[at];
            let work = later(work_of(Source::Pubmed, record_id, json), at as i64);
            store.put_one(work).unwrap();
        }
        assert_eq!(store.counter("works").unwrap(), 1);
        for identifier in ["10.1000/r", "PMID:11034741", "PMID:11406024"] {
            let found = title(&store, identifier);
            assert_eq!(found.as_deref(), Some("Second"), "{identifier}");
        }
    }
}

#[test]
fn deleted_work_can_be_added_again() {
    let store = open();
    let json = r#"{"type":"book","title":"Emma","DOI":"10.1000/e","ISBN":"9780198526636"}"#;
    let first = store
        .put_one(work_of(Source::Crossref, "", json))
        .unwrap()
        .id();
    assert!(store.delete_work(&id("10.1000/e")).unwrap());
    assert!(!store.delete_work(&id("10.1000/e")).unwrap());
    assert_eq!(title(&store, "9780198526636"), None);
    assert_eq!(store.counter("works").unwrap(), 0);
    let second = store
        .put_one(work_of(Source::Crossref, "", json))
        .unwrap()
        .id();
    assert_ne!(first, second, "numbers are never used again");
}

#[test]
fn notice_is_visible_from_both_works() {
    let store = open();
    let mut notice = work_of(
        Source::Crossref,
        "",
        r#"{"type":"article-journal","title":"Retraction","DOI":"10.1000/notice"}"#,
    );
    notice.updates.push(citation_model::work::Update {
        kind: citation_model::work::UpdateKind::Retraction,
        relation: UpdateRelation::UpdateTo,
        doi: citation_model::identifier::Doi::parse("10.1000/bad").unwrap(),
        date: citation_model::date::Date::parse_iso("2020-03-14"),
        source: "publisher".to_owned(),
        reasons: Vec::new(),
    });
    store.put_one(notice.clone()).unwrap();
    let json = r#"{"type":"article-journal","title":"Bad","DOI":"10.1000/bad"}"#;
    store.put_one(work_of(Source::Crossref, "", json)).unwrap();

    let bad = store.work(&id("10.1000/bad")).unwrap().unwrap();
    assert_eq!(bad.updates.len(), 1);
    assert_eq!(bad.updates[0].relation, UpdateRelation::UpdatedBy);
    assert_eq!(bad.updates[0].doi.as_str(), "10.1000/notice");
    assert_eq!(bad.updates[0].date, notice.updates[0].date);
    let found = store.work(&id("10.1000/notice")).unwrap().unwrap();
    assert_eq!(found.updates, notice.updates);
}

#[test]
fn miss_is_remembered_until_expiry_or_arrival_of_the_work() {
    let store = open();
    let doi = id("10.1000/nothing");
    store
        .remember_miss(&doi, &["crossref", "datacite"], 100, 200)
        .unwrap();
    let miss = store.miss(&doi, 150).unwrap().unwrap();
    assert_eq!(miss.sources, ["crossref", "datacite"]);
    assert_eq!(store.miss(&doi, 200).unwrap(), None);
    let json = r#"{"type":"book","title":"After all","DOI":"10.1000/nothing"}"#;
    store.put_one(work_of(Source::Crossref, "", json)).unwrap();
    assert_eq!(store.miss(&doi, 150).unwrap(), None);
}

#[test]
fn journal_titles_of_records_are_stored() {
    let store = open();
    let json = r#"{"type":"article-journal","container-title":"Physical Review",
                   "container-title-short":"Phys. Rev.","DOI":"10.1000/p"}"#;
    store.put_one(work_of(Source::Crossref, "", json)).unwrap();
    let found = [
        store.by_title("physical review").unwrap(),
        store.by_short("phys rev").unwrap(),
        store.by_initials("pr", 10).unwrap(),
    ];
    for pairs in found {
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].short, "Phys. Rev.");
        assert_eq!(pairs[0].origin, PairOrigin::Record("crossref".to_owned()));
    }
    // A title alone is kept too, but not what no journal is.
    for (n, kind) in ["article-journal", "chapter"].into_iter().enumerate() {
        let json =
            format!(r#"{{"type":"{kind}","container-title":"Only {kind}","DOI":"10.1000/q{n}"}}"#);
        store.put_one(work_of(Source::Crossref, "", &json)).unwrap();
    }
    assert_eq!(store.journal_count().unwrap(), 2);
    assert_eq!(store.by_short("").unwrap(), []);
}

#[test]
fn store_keeps_writes_when_reopened() {
    let store = open();
    let json = r#"{"type":"book","title":"Emma","DOI":"10.1000/e"}"#;
    store.put_one(work_of(Source::Local, "", json)).unwrap();
    let database = store.database_id().unwrap();
    let TestStore { store, directory } = store;
    drop(store);
    let again = Store::open(directory.path(), &StoreSettings::default()).unwrap();
    assert_eq!(title(&again, "10.1000/e").as_deref(), Some("Emma"));
    assert_eq!(again.database_id().unwrap(), database);
}

#[test]
fn two_stores_write_concurrently() {
    let first = open();
    let second = Store::open(first.directory.path(), &StoreSettings::default()).unwrap();
    std::thread::scope(|scope| {
        for (name, store) in [("a", &first.store), ("b", &second)] {
            scope.spawn(move || {
                for n in 0..50 {
                    let json =
                        format!(r#"{{"type":"book","title":"{name}","DOI":"10.1000/{name}{n}"}}"#);
                    store.put_one(work_of(Source::Local, "", &json)).unwrap();
                }
            });
        }
    });
    assert_eq!(first.counter("works").unwrap(), 100);
}

#[test]
fn non_database_file_is_rejected_with_reason() {
    let directory = tempfile::tempdir().unwrap();
    let text = "this is not a database, whatever its name says".repeat(100);
    std::fs::write(directory.path().join("citation.db"), text).unwrap();
    let result = Store::open(directory.path(), &StoreSettings::default());
    assert!(matches!(result.err(), Some(StoreError::Corrupt(_))));
}

/// A copy of a data directory as it is when its process is killed.
fn killed(store: &TestStore) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(store.directory.path()).unwrap() {
        let file = file.unwrap().path();
        if file.is_file() {
            std::fs::copy(&file, copy.path().join(file.file_name().unwrap())).unwrap();
        }
    }
    copy
}

/// Closes the store with all its connections: the pool may open one in the background, which ends a
/// little later than the store.
fn close(TestStore { store, directory }: TestStore) -> tempfile::TempDir {
    drop(store);
    wait_until(|| !directory.path().join("citation.db-wal").exists());
    directory
}

fn put_book(store: &Store, doi: &str) {
    let json = format!(r#"{{"type":"book","title":"Emma","DOI":"{doi}"}}"#);
    store.put_one(work_of(Source::Local, "", &json)).unwrap();
}

fn reopen(directory: &std::path::Path) -> Result<Store, StoreError> {
    Store::open(directory, &StoreSettings::default())
}

#[test]
fn log_is_replayed_after_a_kill() {
    let store = open();
    put_book(&store, "10.1000/a");
    let first = killed(&store);
    // Killed again before the log was moved into the file.
    let second = killed(&TestStore {
        store: reopen(first.path()).unwrap(),
        directory: first,
    });
    let again = reopen(second.path()).unwrap();
    assert_eq!(title(&again, "10.1000/a").as_deref(), Some("Emma"));
}

#[test]
fn backup_beside_foreign_log_is_rejected() {
    let store = open();
    put_book(&store, "10.1000/a");
    let backup = store.directory.path().join("backup.db");
    store.back_up(&backup).unwrap();
    put_book(&store, "10.1000/b");
    let killed = killed(&store);
    std::fs::copy(&backup, killed.path().join("citation.db")).unwrap();
    let Err(StoreError::Unfit(sentence)) = reopen(killed.path()) else {
        panic!("the log was mixed with the backup");
    };
    assert!(sentence.contains("citation.db-wal"), "{sentence}");
    for ending in ["-wal", "-shm"] {
        std::fs::remove_file(killed.path().join(format!("citation.db{ending}"))).unwrap();
    }
    let restored = reopen(killed.path()).unwrap();
    assert_eq!(title(&restored, "10.1000/a").as_deref(), Some("Emma"));
    assert_eq!(title(&restored, "10.1000/b"), None);
}

#[test]
fn older_database_beside_newer_log_is_rejected() {
    let store = open();
    put_book(&store, "10.1000/a");
    let directory = close(store);
    // The way to copy a database that no server has open.
    let file = directory.path().join("citation.db");
    let copy = directory.path().join("copy.db");
    std::fs::copy(&file, &copy).unwrap();
    let store = TestStore {
        store: reopen(directory.path()).unwrap(),
        directory,
    };
    put_book(&store, "10.1000/b");
    let killed = killed(&store);
    std::fs::copy(&copy, killed.path().join("citation.db")).unwrap();
    assert!(matches!(reopen(killed.path()), Err(StoreError::Unfit(_))));
}

#[test]
fn empty_or_truncated_database_is_rejected() {
    let check = |left: u64, beside: Option<&str>| {
        let store = open();
        put_book(&store, "10.1000/a");
        let directory = close(store);
        if let Some(folder) = beside {
            // As programs before this one left it.
            std::fs::remove_file(directory.path().join("citation.db-generation")).unwrap();
            std::fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let path = directory.path().join("citation.db");
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(left).unwrap();
        let error = reopen(directory.path()).err();
        assert!(
            matches!(error, Some(StoreError::Unfit(_) | StoreError::Corrupt(_))),
            "{left} bytes: {error:?}"
        );
        assert_eq!(std::fs::metadata(&path).unwrap().len(), left);
    };
    check(0, None);
    check(0, Some("index"));
    check(0, Some("usage"));
    check(100, None);
    check(4096, None);
    check(65_536, None);
}

#[test]
fn check_finds_damaged_pages() {
    let TestStore { store, directory } = open();
    for n in 0..200 {
        put_book(&store, &format!("10.1000/{n}"));
    }
    drop(store);
    let in_a_minute = || std::time::Instant::now() + std::time::Duration::from_secs(60);
    let sound = reopen(directory.path()).unwrap();
    sound.check(in_a_minute()).unwrap();
    assert_eq!(sound.condition().damaged, None);
    drop(sound);
    let path = directory.path().join("citation.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The last pages hold works, which nobody reads at the start.
    let start = bytes.len() - 4 * 4096;
    bytes[start..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let damaged = reopen(directory.path()).unwrap();
    let _ = damaged.check(in_a_minute());
    assert!(damaged.condition().damaged.is_some());
}

#[test]
fn full_disk_rejects_writes_until_space_is_free() {
    let Some(disk) = TinyDisk::mount(4096) else {
        return;
    };
    let store = reopen(disk.path()).unwrap();
    put_book(&store, "10.1000/a");
    disk.fill();
    let refused = store.set_fact("x", &"x".repeat(100_000));
    assert_eq!(refused, Err(StoreError::Full));
    assert_eq!(store.condition().unwritable, Some(StoreError::Full));
    let backup = disk.path().join("b.db");
    assert_eq!(store.back_up(&backup), Err(StoreError::Full));
    assert!(!backup.with_extension("db.partial").exists());
    assert_eq!(title(&store, "10.1000/a").as_deref(), Some("Emma"));
    disk.free();
    store.recheck();
    assert_eq!(store.condition().unwritable, None);
    store.set_fact("x", &"x".repeat(100_000)).unwrap();
}

#[test]
fn records_stay_readable_when_a_dictionary_is_trained() {
    let store = open();
    let prepare = |n: usize| {
        let json = format!(
            r#"{{"type":"article-journal","title":"On the number {n} and its neighbours",
                "container-title":"Journal of Numbers","volume":"{n}","DOI":"10.1000/n{n}",
                "author":[{{"family":"Noether","given":"Emmy"}}]}}"#
        );
        store.prepare(work_of(Source::Crossref, "", &json)).unwrap()
    };
    let works: Vec<_> = (0..2200).map(prepare).collect();
    store.put(&works).unwrap();
    assert!(store.train_dictionary_if_due(0).unwrap());
    assert!(!store.train_dictionary_if_due(0).unwrap());
    let more: Vec<_> = (2200..2300).map(prepare).collect();
    store.put(&more).unwrap();
    let again = Store::open(store.directory.path(), &StoreSettings::default()).unwrap();
    for n in [0, 2199, 2200, 2299] {
        let expected = format!("On the number {n} and its neighbours");
        assert_eq!(
            title(&store, &format!("10.1000/n{n}")),
            Some(expected.clone())
        );
        assert_eq!(title(&again, &format!("10.1000/n{n}")), Some(expected));
    }
}

#[test]
fn abstracts_are_kept_unless_disabled() {
    let kept = |keep_abstracts| {
        let directory = tempfile::tempdir().unwrap();
        let settings = StoreSettings {
            keep_abstracts,
            ..StoreSettings::default()
        };
        let store = Store::open(directory.path(), &settings).unwrap();
        let json =
            r#"{"type":"article-journal","title":"On X","abstract":"We.","DOI":"10.1000/x"}"#;
        store
            .put_one(work_of(Source::Crossref, "10.1000/x", json))
            .unwrap();
        let work = store.work(&id("10.1000/x")).unwrap().unwrap();
        work.item.text(TextVar::Abstract).map(str::to_owned)
    };
    assert_eq!(kept(true).as_deref(), Some("We."));
    assert_eq!(kept(false), None);
}
