//! What each format keeps of a rich item of each CSL type: written, read again and compared. `kept.txt`
//! lists what is lost; `EXCHANGE_WRITE_LOST=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use citation_exchange::{CSL_JSON, Format, WriteOptions};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use serde_json::{Map, Value, json};

use super::{items_of, write};

/// Variables of every type.
const COMMON: &str = "title title-short author issued accessed publisher publisher-place DOI URL \
     PMID PMCID language abstract note keyword genre archive archive_location call-number license";
const IN_SERIES: &str = "collection-title collection-number editor translator";
const WHOLE: &str = "edition number-of-pages number-of-volumes volume ISBN original-date";
const PART: &str = "container-title page volume edition ISBN";
const PERIODICAL: &str = "container-title container-title-short volume issue page ISSN";
const SITE: &str = "container-title";
const CONFERENCE: &str = "event-title event-place event-date";

/// The variables of a type, without those in [`COMMON`].
fn variables(kind: ItemType) -> Vec<&'static str> {
    use ItemType::*;
    match kind {
        Article | MagazineArticle | NewspaperArticle | Review => vec![PERIODICAL],
        BookReview => vec![PERIODICAL, "reviewed-title reviewed-author"],
        Preprint => vec!["number"],
        Bill => vec!["number section authority"],
        Book | Collection | Classic => vec![IN_SERIES, WHOLE],
        Pamphlet => vec!["number-of-pages"],
        Periodical => vec!["volume issue ISSN editor"],
        Broadcast => vec![SITE, "number director medium"],
        Chapter | Entry | DictionaryEntry | EncyclopediaEntry => vec![IN_SERIES, PART],
        ConferencePaper => vec![IN_SERIES, PART, CONFERENCE],
        Dataset => vec!["version"],
        Document | Manuscript => vec!["number"],
        Event | Speech => vec![CONFERENCE],
        Performance => vec![CONFERENCE, "performer"],
        Figure | Graphic => vec!["medium dimensions"],
        Hearing => vec!["number authority"],
        Interview => vec!["interviewer medium"],
        LegalCase => vec!["container-title volume page number authority"],
        Legislation | Regulation => vec!["container-title volume page number section"],
        Map => vec!["scale edition ISBN"],
        MotionPicture => vec!["director medium"],
        MusicalScore => vec!["composer number-of-pages"],
        Patent => vec!["number authority submitted"],
        PersonalCommunication => vec!["recipient medium"],
        Post | BlogPost | Webpage => vec![SITE],
        Report => vec!["number number-of-pages collection-title editor"],
        Software => vec!["version"],
        Song => vec!["composer performer container-title medium"],
        Standard => vec!["number authority number-of-pages"],
        Thesis => vec!["number-of-pages"],
        Treaty => vec!["container-title volume page"],
    }
}

fn person(family: &str, given: &str) -> Value {
    json!([{"family": family, "given": given}])
}

fn value(variable: &str, kind: ItemType) -> Value {
    let date = |year: i32| json!({"date-parts": [[year, 5, 3]]});
    match variable {
        "title" => json!("On <i>E. coli</i> & its kin"),
        "author" => json!([
            {"family": "Doe", "given": "Jane Q.", "ORCID": "https://orcid.org/0000-0002-1825-0097"},
            {"family": "Berg", "given": "Al", "non-dropping-particle": "van der", "suffix": "Jr."},
            {"literal": "World Health Organization"}
        ]),
        "issued" => date(2001),
        "accessed" => date(2020),
        "submitted" => date(1999),
        "original-date" => json!({"date-parts": [[1899]]}),
        "event-date" => json!({"date-parts": [[2001, 4, 1], [2001, 4, 3]]}),
        "DOI" => json!("10.5555/abc"),
        "URL" => json!("https://example.org/a?b=c&d=e_f"),
        "PMID" => json!("12345678"),
        "PMCID" => json!("PMC1234567"),
        "ISBN" => json!("9780306406157"),
        "ISSN" => json!("2049-3630"),
        "language" => json!("de"),
        "abstract" => json!("One line.\nAnother line."),
        "note" => json!("One note.\nAnother note."),
        "keyword" => json!("ants, bees"),
        "genre" => json!(match kind {
            ItemType::Thesis => "PhD thesis",
            _ => "Special kind",
        }),
        "page" => json!("101-109"),
        "edition" => json!("2"),
        "version" => json!("1.2.3"),
        "volume" => json!("12"),
        "issue" => json!("3"),
        "number" => json!("A-17"),
        "section" => json!("4"),
        "number-of-pages" => json!("300"),
        "number-of-volumes" => json!("2"),
        "collection-number" => json!("7"),
        "license" => json!("CC-BY-4.0"),
        "scale" => json!("1:25000"),
        "editor" => person("Roe", "Richard"),
        "translator" => person("Poe", "Paula"),
        "director" => person("Loe", "Lena"),
        "composer" => person("Moe", "Max"),
        "performer" => person("Noe", "Nora"),
        "interviewer" => person("Foe", "Fred"),
        "recipient" => person("Zoe", "Zack"),
        "reviewed-author" => person("Koe", "Karl"),
        other => json!(format!("The {other} itself")),
    }
}

fn rich(kind: ItemType) -> Map<String, Value> {
    let names = std::iter::once(COMMON).chain(variables(kind));
    let names = names.flat_map(str::split_whitespace);
    let mut item: Map<String, Value> = names
        .map(|name| (name.to_owned(), value(name, kind)))
        .collect();
    item.insert("type".to_owned(), json!(kind.csl()));
    item.insert("id".to_owned(), json!("doe2001"));
    item
}

/// An item's CSL-JSON members. The particles and ORCID iDs of names and the line breaks of texts are members
/// of their own.
fn members(item: &Item) -> BTreeMap<String, Value> {
    let text = write(
        std::slice::from_ref(item),
        &CSL_JSON,
        &WriteOptions::default(),
    );
    let mut items: Vec<BTreeMap<String, Value>> = serde_json::from_str(&text).unwrap();
    let mut all = items.pop().unwrap();
    for name in ["id", "citation-key", "custom"] {
        all.remove(name);
    }
    for name in ["abstract", "note"] {
        if let Some(text) = all.get(name).and_then(Value::as_str) {
            let breaks = text.matches('\n').count();
            let words: Vec<&str> = text.split_whitespace().collect();
            let words = words.join(" ");
            all.insert(name.to_owned(), words.into());
            all.insert(format!("{name} line breaks"), breaks.into());
        }
    }
    let mut orcids: Vec<Value> = Vec::new();
    let mut particles: Vec<Value> = Vec::new();
    let authors = all.get_mut("author").and_then(Value::as_array_mut);
    for name in authors.into_iter().flatten() {
        let name = name.as_object_mut().unwrap();
        orcids.extend(name.remove("ORCID"));
        name.remove("comma-suffix");
        if let Some(particle) = name.remove("non-dropping-particle") {
            let family = format!(
                "{} {}",
                particle.as_str().unwrap(),
                name["family"].as_str().unwrap()
            );
            name.insert("family".to_owned(), family.into());
            particles.push(particle);
        }
    }
    all.insert("author ORCID".to_owned(), orcids.into());
    all.insert("author particle".to_owned(), particles.into());
    all
}

/// What changes if an item passes through a format: names of members, those that only come back after `+`.
/// `EXCHANGE_SHOW=ris` prints them.
fn changed(before: &BTreeMap<String, Value>, item: &Item, format: &Format) -> Vec<String> {
    let written = write(std::slice::from_ref(item), format, &WriteOptions::default());
    let again = items_of(&written, format);
    assert_eq!(again.len(), 1, "{written}");
    let after = members(&again[0]);
    let is_shown = std::env::var("EXCHANGE_SHOW").is_ok_and(|id| id == format.id);
    if is_shown {
        println!("{written}");
    }
    let names = before.keys().chain(after.keys()).collect::<BTreeSet<_>>();
    let changed = { names.into_iter() }.filter(|name| before.get(*name) != after.get(*name));
    let named = changed.map(|name| {
        if is_shown {
            println!("{name}: {:?} | {:?}", before.get(name), after.get(name));
        }
        if before.contains_key(name) {
            name.clone()
        } else {
            format!("+{name}")
        }
    });
    named.collect()
}

/// One line per format and variable, with the types that lose it, or `all`.
fn report() -> String {
    let mut out = String::new();
    for format in Format::writable().filter(|format| format.is_readable()) {
        let mut having: BTreeMap<String, usize> = BTreeMap::new();
        let mut losing: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for &kind in ItemType::ALL {
            let json = Value::from(vec![rich(kind)]).to_string();
            let item = &items_of(&json, &CSL_JSON)[0];
            let before = members(item);
            for name in changed(&before, item, format) {
                losing.entry(name).or_default().insert(kind.csl());
            }
            for name in before.into_keys() {
                *having.entry(name).or_default() += 1;
            }
        }
        writeln!(out, "{}", format.id).unwrap();
        for (name, kinds) in losing {
            let all = having.get(&name).copied().unwrap_or(ItemType::ALL.len());
            let kinds: Vec<&str> = if kinds.len() == all {
                vec!["all"]
            } else {
                kinds.into_iter().collect()
            };
            writeln!(out, "  {name}: {}", kinds.join(" ")).unwrap();
        }
    }
    out
}

#[test]
fn every_format_keeps_what_it_has_fields_for() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exchange/kept.txt");
    let found = report();
    if std::env::var_os("EXCHANGE_WRITE_LOST").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
