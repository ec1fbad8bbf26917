//! The corpus through its public API: search, the index that follows the database in every
//! situation, the starter corpus.

use crate::support::waiting::wait_until;
use std::path::Path;
use std::sync::Arc;

use citation::corpus::{Corpus, starter};
use citation::store::{Store, StoreSettings};
use citation_matching::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, Work};

struct TestCorpus {
    corpus: Corpus,
    directory: tempfile::TempDir,
}

impl std::ops::Deref for TestCorpus {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        &self.corpus
    }
}

impl TestCorpus {
    fn new() -> TestCorpus {
        let directory = tempfile::tempdir().unwrap();
        TestCorpus {
            corpus: open(directory.path()),
            directory,
        }
    }

    /// The corpus as another process would see it.
    fn again(&self) -> Corpus {
        open(self.directory.path())
    }

    fn put(&self, n: usize, title: &str) {
        self.corpus.put_one(&work(n, title)).unwrap();
    }

    fn index_files(&self) -> std::path::PathBuf {
        self.directory.path().join("index")
    }
}

fn open(directory: &Path) -> Corpus {
    let store = Store::open(directory, &StoreSettings::default()).unwrap();
    Corpus::open(Arc::new(store))
}

fn work(n: usize, title: &str) -> Work {
    let json = format!(
        r#"{{"type":"book","title":"{title}","DOI":"10.1000/{n}",
            "author":[{{"family":"Müller","given":"Zoë"}}],"issued":{{"date-parts":[[2001]]}}}}"#
    );
    let item: Item = serde_json::from_str(&json).unwrap();
    let provenance = Provenance {
        source: Source::Crossref,
        record_id: String::new(),
        url: None,
        license: None,
        fetched_at: 0,
    };
    Work::new(item, provenance)
}

fn titles(corpus: &Corpus, query: &str) -> Vec<String> {
    let hits = corpus.search(query, 10).unwrap();
    hits.iter()
        .map(|hit| hit.work.item.text(TextVar::Title).unwrap().to_owned())
        .collect()
}

fn assert_sound(corpus: &Corpus, works: u64) {
    let found = corpus.verify().unwrap();
    assert!(found.is_sound(), "{found:?}");
    assert_eq!(found.works, works, "{found:?}");
}

#[test]
fn works_are_found_by_their_words() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Die Wärmelehre der Gase");
    corpus.put(2, "Gase und Flüssigkeiten");
    corpus.put(3, "東京の歴史");
    corpus.index_pending().unwrap();
    let check = |query: &str, expected: &[&str]| {
        assert_eq!(titles(&corpus, query), expected, "{query}");
    };
    check("warmelehre", &["Die Wärmelehre der Gase"]);
    check(
        "GASE wärmelehre",
        &["Die Wärmelehre der Gase", "Gase und Flüssigkeiten"],
    );
    check("flüssigkeiten xylophon", &["Gase und Flüssigkeiten"]);
    check("歴史", &["東京の歴史"]);
    check("xylophon", &[]);
    check("", &[]);
    assert_eq!(corpus.search("muller 2001", 10).unwrap().len(), 3);
    assert_eq!(corpus.search("muller 2001", 2).unwrap().len(), 2);
    assert_eq!(
        corpus
            .candidates(
                &Reference::parse("Muller Z (2001) Gase u. Flussigkeiten"),
                1
            )
            .unwrap()[0]
            .id,
        2
    );
}

#[test]
fn changes_and_deletions_reach_the_index() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.put(2, "Beta");
    corpus.index_pending().unwrap();
    let mut changed = work(1, "Gamma");
    changed.provenance.fetched_at = 5;
    corpus.put_one(&changed).unwrap();
    assert!(
        corpus
            .delete(&Identifier::parse("10.1000/2").unwrap())
            .unwrap()
    );
    assert!(!corpus.verify().unwrap().is_sound(), "the index is behind");
    corpus.index_pending().unwrap();
    assert_eq!(titles(&corpus, "alpha"), [""; 0]);
    assert_eq!(titles(&corpus, "beta"), [""; 0]);
    assert_eq!(titles(&corpus, "gamma"), ["Gamma"]);
    assert_sound(&corpus, 1);
}

#[test]
fn work_is_found_before_indexing() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.index_pending().unwrap();
    corpus.put(2, "Gasdynamik der Rohre");
    let check = || {
        assert_eq!(titles(&corpus, "gasdynamik"), ["Gasdynamik der Rohre"]);
        assert_eq!(titles(&corpus, "rohre alpha").len(), 2);
        assert_eq!(
            titles(&corpus, "muller rohre"),
            ["Gasdynamik der Rohre", "Alpha"]
        );
        let reference = Reference::parse("Muller Z (2001) Gasdynamik der Rohre");
        let hits = corpus.candidates(&reference, 10).unwrap();
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        assert!(ids.contains(&2), "{ids:?}");
        assert_eq!(ids.iter().filter(|id| **id == 2).count(), 1, "{ids:?}");
    };
    check();
    corpus.index_pending().unwrap();
    check();

    let mut changed = work(1, "Gamma");
    changed.provenance.fetched_at = 5;
    corpus.put_one(&changed).unwrap();
    assert_eq!(titles(&corpus, "gamma"), ["Gamma"]);
    corpus.delete(&identifier(2)).unwrap();
    assert_eq!(titles(&corpus, "gasdynamik"), [""; 0]);
}

#[test]
fn newest_works_are_found_before_indexing() {
    let corpus = TestCorpus::new();
    corpus.index_pending().unwrap();
    let works = (0..600).map(|n| work(n, &format!("Omega{n}"))).collect();
    corpus.corpus.put(works).unwrap();
    assert_eq!(titles(&corpus, "omega599"), ["Omega599"]);
    assert_eq!(titles(&corpus, "omega0"), [""; 0]);
    corpus.put(1000, "Psi");
    assert_eq!(titles(&corpus, "psi"), ["Psi"]);
    corpus.index_pending().unwrap();
    assert_eq!(titles(&corpus, "omega0"), ["Omega0"]);
}

#[test]
fn second_process_neither_indexes_nor_fails() {
    let corpus = TestCorpus::new();
    let mut holder = corpus.indexer().unwrap().unwrap();
    let other = corpus.again();
    assert!(other.indexer().unwrap().is_none());
    other.put_one(&work(1, "Alpha")).unwrap();
    other.index_pending().unwrap();
    holder.catch_up(|_| {}).unwrap();
    assert_eq!(titles(&corpus, "alpha"), ["Alpha"]);
    holder.close().unwrap();
    assert!(other.indexer().unwrap().is_some());
}

#[test]
fn server_thread_indexes_new_works() {
    let corpus = TestCorpus::new();
    for (n, title) in ["Alpha", "Beta"].into_iter().enumerate() {
        let thread = corpus.start_indexer();
        corpus.put(n, title);
        await_sound(&corpus, n as u64 + 1);
        assert_eq!(titles(&corpus, title), [title]);
        thread.stop();
    }
}

#[test]
fn crash_between_commits_loses_nothing() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.index_pending().unwrap();
    // The database has the work, and the index was about to commit it.
    corpus.put(2, "Beta");
    let mut indexer = corpus.indexer().unwrap().unwrap();
    indexer.step().unwrap();
    drop(indexer);
    let after = corpus.again();
    assert!(!after.verify().unwrap().is_sound());
    after.index_pending().unwrap();
    assert_sound(&after, 2);
    assert_eq!(titles(&after, "beta"), ["Beta"]);
}

#[test]
fn missing_index_is_rebuilt() {
    let corpus = TestCorpus::new();
    for n in 0..50 {
        corpus.put(n, &format!("Title {n}"));
    }
    corpus.index_pending().unwrap();
    std::fs::remove_dir_all(corpus.index_files()).unwrap();
    let after = corpus.again();
    assert_eq!(titles(&after, "title"), [""; 0]);
    after.index_pending().unwrap();
    assert_sound(&after, 50);
}

#[test]
fn damaged_index_is_rebuilt() {
    let damages: [fn(&Path); 4] = [
        |index| std::fs::write(index.join("meta.json"), b"{").unwrap(),
        |index| std::fs::remove_file(index.join("meta.json")).unwrap(),
        |index| {
            for file in std::fs::read_dir(index).unwrap() {
                let path = file.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "idx") {
                    std::fs::remove_file(path).unwrap();
                }
            }
        },
        |index| {
            for file in std::fs::read_dir(index).unwrap() {
                let path = file.unwrap().path();
                if path
                    .extension()
                    .is_some_and(|extension| extension == "term")
                {
                    std::fs::write(path, b"").unwrap();
                }
            }
        },
    ];
    for (n, damage) in damages.iter().enumerate() {
        let corpus = TestCorpus::new();
        corpus.put(1, "Alpha");
        corpus.index_pending().unwrap();
        damage(&corpus.index_files());
        let after = corpus.again();
        assert!(!after.verify().is_ok_and(|found| found.is_sound()), "{n}");
        after.index_pending().unwrap();
        assert_sound(&after, 1);
        assert_eq!(titles(&after, "alpha"), ["Alpha"]);
    }
}

/// Waits until the index is whole again.
fn await_sound(corpus: &Corpus, works: u64) {
    let is_sound =
        || matches!(corpus.verify(), Ok(found) if found.is_sound() && found.works == works);
    wait_until(is_sound);
}

#[test]
fn lost_or_damaged_index_is_rebuilt_by_the_running_server() {
    let damages: [fn(&Path); 3] = [
        |index| std::fs::remove_dir_all(index).unwrap(),
        |index| each_file(index, "idx", |path| std::fs::remove_file(path).unwrap()),
        |index| std::fs::write(index.join("meta.json"), b"{").unwrap(),
    ];
    for damage in damages {
        let corpus = TestCorpus::new();
        corpus.put(1, "Alpha");
        let thread = corpus.start_indexer();
        await_sound(&corpus, 1);
        damage(&corpus.index_files());
        // The numbers are of the database, and are told meanwhile.
        assert_eq!(corpus.stats().unwrap().works, 1);
        assert!(corpus.get(&identifier(1)).unwrap().is_some());
        await_sound(&corpus, 1);
        assert_eq!(titles(&corpus, "alpha"), ["Alpha"]);
        thread.stop();
    }
}

fn each_file(directory: &Path, ending: &str, change: fn(&Path)) {
    for file in std::fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            change(&path);
        }
    }
}

fn identifier(n: usize) -> Identifier {
    Identifier::parse(&format!("10.1000/{n}")).unwrap()
}

#[test]
fn lost_index_is_not_ready_but_database_is_sound() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.index_pending().unwrap();
    std::fs::remove_dir_all(corpus.index_files()).unwrap();
    let stats = corpus.stats().unwrap();
    assert_eq!((stats.works, stats.search_ready), (1, false));
}

#[test]
fn index_writer_rebuilds_on_request() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    let thread = corpus.start_indexer();
    await_sound(&corpus, 1);
    let other = corpus.again();
    other.ask_for_rebuild().unwrap();
    wait_until(|| other.is_rebuild_taken());
    await_sound(&other, 1);
    thread.stop();
}

#[test]
fn index_of_another_database_is_rebuilt() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.index_pending().unwrap();
    let other = TestCorpus::new();
    other.put(1, "Beta");
    std::fs::rename(corpus.index_files(), other.index_files()).unwrap();
    let other = other.again();
    other.index_pending().unwrap();
    assert_sound(&other, 1);
    assert_eq!(titles(&other, "beta"), ["Beta"]);
}

#[test]
fn restored_database_rebuilds_its_index() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    let backup = corpus.directory.path().join("backup.db");
    corpus.store().back_up(&backup).unwrap();
    corpus.put(2, "Beta");
    corpus.index_pending().unwrap();

    let restored = tempfile::tempdir().unwrap();
    std::fs::rename(&backup, restored.path().join("citation.db")).unwrap();
    std::fs::rename(corpus.index_files(), restored.path().join("index")).unwrap();
    let after = open(restored.path());
    // Another history of the same length, so that numbers alone do not tell.
    after.put_one(&work(3, "Gamma")).unwrap();
    after.put_one(&work(4, "Delta")).unwrap();
    after.index_pending().unwrap();
    assert_sound(&after, 3);
    assert_eq!(titles(&after, "beta"), [""; 0]);
    assert_eq!(titles(&after, "gamma"), ["Gamma"]);
}

#[test]
fn interrupted_rebuild_resumes() {
    let corpus = TestCorpus::new();
    let works: Vec<Work> = (0..2500).map(|n| work(n, &format!("Title {n}"))).collect();
    corpus.corpus.put(works).unwrap();
    corpus.index_pending().unwrap();
    let mut indexer = corpus.indexer().unwrap().unwrap();
    indexer.begin_rebuild().unwrap();
    indexer.step().unwrap();
    drop(indexer);
    // What changes meanwhile must be right too, a new work included.
    corpus.put(9000, "Omega");
    assert!(
        corpus
            .delete(&Identifier::parse("10.1000/7").unwrap())
            .unwrap()
    );
    let after = corpus.again();
    assert!(!after.stats().unwrap().search_ready);
    after.index_pending().unwrap();
    assert_sound(&after, 2500);
    assert_eq!(titles(&after, "omega"), ["Omega"]);
}

#[test]
fn starter_corpus_is_loaded_once() {
    let corpus = TestCorpus::new();
    let first = br#"[{"id":"a","type":"book","title":"Emma","ISBN":"9780198526636"},
                     {"id":"b","type":"book","title":"Ilias"}]"#;
    let counts = starter::load(&corpus, first, b"[]", 100).unwrap().unwrap();
    assert_eq!((counts.new, counts.changed), (2, 0));
    assert_eq!(starter::load(&corpus, first, b"[]", 200).unwrap(), None);

    let second = br#"[{"id":"a","type":"book","title":"Emma","ISBN":"9780198526636"},
                      {"id":"b","type":"book","title":"The Iliad"}]"#;
    let counts = starter::load(&corpus, second, b"[]", 300).unwrap().unwrap();
    assert_eq!((counts.new, counts.changed, counts.unchanged), (0, 1, 1));
    assert!(starter::load(&corpus, b"{", b"[]", 400).is_err());
}

#[test]
fn counts_are_kept_up_to_date() {
    let corpus = TestCorpus::new();
    corpus.put(1, "Alpha");
    corpus.put(2, "Beta");
    let stats = corpus.stats().unwrap();
    assert_eq!((stats.works, stats.indexed, stats.pending), (2, 0, 2));
    assert!(!stats.search_ready);
    corpus.index_pending().unwrap();
    let stats = corpus.stats().unwrap();
    assert_eq!((stats.works, stats.indexed, stats.pending), (2, 2, 0));
    assert!(stats.search_ready);
    assert_eq!(stats.by_source["crossref"], 2);
}
