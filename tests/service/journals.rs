//! Journal titles and short forms: the built-in table, those of records and
//! lists, and the figures on the list in `../shared` if present.

use citation_testing::suite;
use std::io::Read;

use citation::corpus::Corpus;
use citation::lookup::journals::{full_title, short_form};
use citation::store::{Store, StoreSettings};
use citation_matching::journals::{Pair, PairOrigin, list};
use citation_matching::normalize::tokens;
use citation_model::item::Item;
use citation_model::work::{Provenance, Source, Work};

fn store() -> (tempfile::TempDir, std::sync::Arc<Store>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &StoreSettings::default()).unwrap();
    (folder, std::sync::Arc::new(store))
}

#[track_caller]
fn expands(store: &Store, short: &str, expected: Option<&str>) {
    let answer = full_title(store, short).unwrap();
    assert_eq!(answer.certain.as_deref(), expected, "{short}: {answer:?}");
}

#[test]
fn builtin_journal_table_needs_no_setup() {
    let (_folder, store) = store();
    expands(&store, "Phys. Rev. Lett.", Some("Physical Review Letters"));
    expands(&store, "phys rev lett", Some("Physical Review Letters"));
    expands(&store, "Muscle Nerve", Some("Muscle and Nerve"));
    // A title stands for itself, however it is spelt.
    expands(
        &store,
        "Physical review letters",
        Some("Physical review letters"),
    );
    expands(&store, "Nature", Some("Nature"));
    expands(&store, "Brain", Some("Brain"));
    expands(&store, "", None);
    expands(&store, "...", None);
}

#[test]
fn invented_short_forms_are_never_certain() {
    let (_folder, store) = store();
    for invented in [
        "J. Inv. Thing. Stud.",
        "Q. J. Imag. Sci.",
        "Acta Nonex. Med.",
        "Trans. Fict. Eng.",
        "Ann. Hypoth. Phys.",
        "Rev. Mod. Nons.",
        "Int. J. Unlik. Res.",
        "Phys. Rev. Q",
        "IEEE Trans. Unic.",
        "J",
        "J of",
        "Journal of the",
        "XQZ",
        "PDQX",
        "J. Q.",
    ] {
        expands(&store, invented, None);
    }
}

#[test]
fn record_titles_are_found_by_word_prefixes() {
    let (_folder, store) = store();
    let corpus = Corpus::open(std::sync::Arc::clone(&store));
    for (n, (title, short)) in [
        ("Annals of Imaginary Zoology", ""),
        ("Zoological Letters of Atlantis", "Zool. Lett. Atl."),
        ("Теоретические основы зоологии", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let json = format!(
            r#"{{"type":"article-journal","title":"T{n}","DOI":"10.1000/{n}",
                "container-title":"{title}","container-title-short":"{short}"}}"#
        );
        let item: Item = serde_json::from_str(&json).unwrap();
        let provenance = Provenance {
            source: Source::Crossref,
            record_id: n.to_string(),
            url: None,
            license: None,
            fetched_at: 0,
        };
        let work = corpus.store().prepare(Work::new(item, provenance)).unwrap();
        corpus.store().put(&[work]).unwrap();
    }
    expands(
        &store,
        "Ann. Imag. Zool.",
        Some("Annals of Imaginary Zoology"),
    );
    expands(
        &store,
        "Zool. Lett. Atl.",
        Some("Zoological Letters of Atlantis"),
    );
    expands(
        &store,
        "zool lett atlant",
        Some("Zoological Letters of Atlantis"),
    );
    expands(
        &store,
        "Теор. основы зоол.",
        Some("Теоретические основы зоологии"),
    );
    let short = short_form(&store, "Zoological letters of Atlantis").unwrap();
    assert_eq!(short.certain.as_deref(), Some("Zool. Lett. Atl."));
    // Initials alone name candidates and no more.
    let answer = full_title(&store, "AIZ").unwrap();
    assert_eq!(answer.certain, None);
    assert!(
        answer
            .candidates
            .iter()
            .any(|c| c.text == "Annals of Imaginary Zoology")
    );
}

#[test]
fn operator_overrides_lists() {
    let (_folder, store) = store();
    let pair = |title: &str, short: &str| Pair {
        title: title.to_owned(),
        short: short.to_owned(),
        origin: PairOrigin::Imported,
    };
    let listed = [
        pair("Journal of Dragons", "J. Drag."),
        pair("Journal of Drag", "J. Drag."),
    ];
    assert_eq!(store.import_journals(&listed).unwrap(), 2);
    assert_eq!(store.import_journals(&listed).unwrap(), 0);
    let answer = full_title(&store, "J. Drag.").unwrap();
    assert_eq!(answer.candidates.len(), 2, "{answer:?}");

    store
        .set_journal("J. Drag.", "Jahrbuch der Drachen")
        .unwrap();
    expands(&store, "j drag", Some("Jahrbuch der Drachen"));
    store.import_journals(&listed).unwrap();
    store.set_journal("J Drag", "Journal of Dragging").unwrap();
    expands(&store, "J. Drag.", Some("Journal of Dragging"));
    assert!(store.unset_journal("J. DRAG.").unwrap());
    assert!(!store.unset_journal("J. Drag.").unwrap());
    assert_eq!(full_title(&store, "J. Drag.").unwrap().candidates.len(), 2);
}

/// How names are compared: case, accents, punctuation, `&` and a leading article do not matter.
fn folded(title: &str) -> String {
    let title = title.replace(['\'', '’'], "").replace('&', " and ");
    let words: Vec<String> = tokens(&title).into_iter().map(|token| token.text).collect();
    let text = words.join(" ");
    text.strip_prefix("the ")
        .map_or(text.clone(), str::to_owned)
}

/// Rows with the right name first, and among the candidates.
fn figures(store: &Store, rows: &[(String, String)]) -> (usize, usize) {
    let (mut first, mut among) = (0, 0);
    for (short, title) in rows {
        let answer = full_title(store, short).unwrap();
        let right = |text: &str| folded(text) == folded(title);
        first += usize::from(answer.candidates.first().is_some_and(|c| right(&c.text)));
        among += usize::from(answer.candidates.iter().any(|c| right(&c.text)));
    }
    (first, among)
}

#[test]
fn journal_list_coverage_reaches_its_floors() {
    let Some(folder) = suite("data") else { return };
    let rows = std::fs::read_to_string(folder.join("journals-test.tsv")).unwrap();
    let packed = std::fs::read(folder.join("journals.tsv.gz")).unwrap();
    let rows: Vec<(String, String)> = rows
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some((fields.next()?.to_owned(), fields.next()?.to_owned()))
        })
        .collect();
    let (_folder, store) = store();
    let (first, among) = figures(&store, &rows);
    println!(
        "out of the box: {first} of {} first, {among} among the candidates",
        rows.len()
    );
    assert!(first * 100 >= rows.len() * 85);

    let mut text = String::new();
    flate2::read::GzDecoder::new(packed.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    let list = list::read(&text);
    assert_eq!(list.faults, []);
    let titles: std::collections::HashSet<String> =
        list.pairs.iter().map(|pair| folded(&pair.title)).collect();
    store.import_journals(&list.pairs).unwrap();
    let (first, among) = figures(&store, &rows);
    println!("after the import: {first} first, {among} among the candidates");
    assert!(first * 100 >= rows.len() * 92);
    // Some journals of the test stand in no list; nobody can name those.
    let known: Vec<(String, String)> = rows
        .into_iter()
        .filter(|(_, title)| titles.contains(&folded(title)))
        .collect();
    let (_, among) = figures(&store, &known);
    println!(
        "of {} that the list holds, {among} are among the candidates",
        known.len()
    );
    assert!(among * 100 >= known.len() * 98);
}
