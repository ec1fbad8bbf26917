//! Works in a separate corpus, searched like in the service, and their
//! sources.

use citation_testing::suite;
use std::sync::Arc;
use std::time::Duration;

use citation::blocking::Job;
use citation::clock::Clock;
use citation::collections::Collections;
use citation::config::{LimitSettings, SharingSettings, Strictness};
use citation::corpus::Corpus;
use citation::lookup::reference::{Candidate, ReferenceSearch, SearchSettings};
use citation::lookup::refresh::RefreshSettings;
use citation::lookup::resolve::{Chains, Resolver, ResolverSettings};
use citation::lookup::scope::Scope;
use citation::lookup::verify::{Verification, verify};
use citation::quota::plans::Plans;
use citation::store::{Store, StoreSettings};
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::work::{Provenance, Source, Work};

/// Works in a corpus that goes with the test, without providers.
pub struct Works {
    pub items: Vec<Item>,
    resolver: Resolver,
    search: ReferenceSearch,
    _directory: tempfile::TempDir,
}

impl Works {
    pub fn new(items: Vec<Item>) -> Works {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::open(directory.path(), &StoreSettings::default()).expect("a store");
        let store = Arc::new(store);
        let corpus = Corpus::open(Arc::clone(&store));
        for items in items.chunks(1000) {
            let works = items.iter().cloned().map(work).collect();
            corpus.put(works).expect("works that can be stored");
        }
        corpus.index_pending().expect("an index");
        let settings = ResolverSettings {
            local_works_free: false,
            budget: Duration::ZERO,
            miss_ttl: Duration::ZERO,
            openurl_base: None,
            refresh: RefreshSettings::default(),
        };
        let limits = LimitSettings::default();
        let sharing = SharingSettings::default();
        let collections = Collections::new(
            Arc::clone(&store),
            &limits,
            &sharing,
            Plans::default(),
            Clock::system(),
        );
        let chains = Chains::default();
        let resolver = Resolver::new(
            Arc::new(collections),
            corpus.clone(),
            store,
            chains,
            settings,
            Clock::system(),
        );
        let settings = SearchSettings {
            budget: Duration::ZERO,
            sufficient_score: 1.0,
            strictness: Strictness::Normal,
        };
        Works {
            items,
            resolver,
            search: ReferenceSearch::new(corpus, Vec::new(), settings),
            _directory: directory,
        }
    }

    /// The best work and how it fits.
    pub fn best(&self, text: &str) -> Option<Candidate> {
        let reference = Reference::parse(text);
        let found = self
            .search
            .find(&self.resolver, &reference, Scope::local(), &job());
        found.expect("a search").candidates.into_iter().next()
    }

    pub fn verify(&self, text: &str) -> Verification {
        self.verify_reference(&Reference::parse(text))
    }

    pub fn verify_reference(&self, reference: &Reference) -> Verification {
        let (search, resolver) = (&self.search, &self.resolver);
        verify(search, resolver, reference, Scope::local(), &job()).expect("a search")
    }
}

fn work(item: Item) -> Work {
    let provenance = Provenance {
        source: Source::Local,
        record_id: item.id.clone(),
        url: None,
        license: None,
        fetched_at: 0,
    };
    Work::new(item, provenance)
}

/// One CSL-JSON item a line.
pub fn read_items(lines: &str) -> Vec<Item> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an item a line"))
        .collect()
}

/// A file of the benchmark, unpacked; nothing, with a printed line, where it is absent.
pub fn benchmark(name: &str) -> Option<String> {
    use std::io::Read;
    let file = std::fs::File::open(suite(&format!("matching/{name}"))?).expect("a readable file");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip");
    Some(text)
}

fn job() -> Job {
    Job::unbounded(Budget::unlimited())
}
