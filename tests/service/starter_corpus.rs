//! The starter corpus in `corpus/`: every fact is well-formed, identifiers are
//! unique, and, if recorded answers of real sources are present beside the project, the
//! two agree.

use citation_testing::suite;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi, Isbn, Issn, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};
use citation_model::work::UpdateKind;
use flate2::read::GzDecoder;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const NOTICES: &str = "notices.json";

#[test]
fn every_member_is_a_variable_and_reads_back() {
    for work in starter() {
        let Value::Object(members) = &work.raw else {
            panic!("{}: not an object", work.name());
        };
        for key in members.keys() {
            let known = matches!(key.as_str(), "id" | "type") || Variable::from_csl(key).is_some();
            assert!(known, "{}: {key} is no variable", work.name());
        }
        let kind = members.get("type").and_then(Value::as_str).unwrap_or("");
        assert!(
            ItemType::from_csl(kind).is_some(),
            "{}: type {kind}",
            work.name()
        );
        assert!(work.item.custom.is_empty(), "{}: custom", work.name());
        let written = serde_json::to_value(&work.item).unwrap_or_default();
        let read: Item = serde_json::from_value(written).unwrap_or_default();
        assert_eq!(read, work.item, "{}", work.name());
    }
}

#[test]
fn every_work_can_be_cited() {
    for work in starter() {
        let item = &work.item;
        let name = work.name();
        assert!(item.text(TextVar::Title).is_some(), "{name}: no title");
        assert!(
            item.text(TextVar::Language).is_some(),
            "{name}: no language"
        );
        let year = item.year().unwrap_or_default();
        assert!((1600..=2025).contains(&year), "{name}: year {year}");
        assert!(
            !item.identifiers().is_empty() || item.text(TextVar::Url).is_some(),
            "{name}: nothing to find it by"
        );
        let named = [NameVar::Author, NameVar::Editor]
            .iter()
            .any(|role| !item.names(*role).is_empty());
        assert!(named || speaks_for_itself(item.kind), "{name}: no names");
        if item.kind.is_in_periodical() {
            let placed = [NumberVar::Volume, NumberVar::Page, NumberVar::Number]
                .iter()
                .any(|number| item.number(*number).is_some());
            assert!(
                item.text(TextVar::ContainerTitle).is_some(),
                "{name}: container"
            );
            assert!(placed, "{name}: neither volume nor page nor number");
        }
        if item.kind == ItemType::Book && item.doi().is_none() {
            assert!(item.text(TextVar::Publisher).is_some(), "{name}: publisher");
        }
    }
}

/// Laws, treaties and judgments have no author; everything else must say who made it.
fn speaks_for_itself(kind: ItemType) -> bool {
    matches!(
        kind,
        ItemType::LegalCase | ItemType::Legislation | ItemType::Treaty
    )
}

#[test]
fn identifiers_are_in_canonical_form() {
    for work in starter() {
        let check = |variable: TextVar, canonical: &dyn Fn(&str) -> Option<String>| {
            if let Some(text) = work.item.text(variable) {
                let found = canonical(text);
                assert_eq!(found.as_deref(), Some(text), "{}", work.name());
            }
        };
        check(TextVar::Doi, &|t| {
            Doi::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::Isbn, &|t| {
            Isbn::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::Issn, &|t| {
            Issn::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::Pmid, &|t| {
            Pmid::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::Pmcid, &|t| {
            Pmcid::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::ArxivId, &|t| {
            ArxivId::parse(t).ok().map(|id| id.to_string())
        });
        check(TextVar::Url, &|t| {
            let plain = t.starts_with("http") && !t.contains(|c: char| c.is_whitespace());
            plain.then(|| t.to_owned())
        });
        if let Some(Ok(arxiv)) = work.item.text(TextVar::ArxivId).map(ArxivId::parse) {
            assert_eq!(work.item.doi(), Some(arxiv.doi()), "{}", work.name());
        }
    }
}

#[test]
fn no_two_works_share_an_identifier() {
    let mut owners: HashMap<String, String> = HashMap::new();
    let mut claim = |claimed: String, owner: &str| {
        if let Some(other) = owners.insert(claimed.clone(), owner.to_owned()) {
            panic!("{claimed} is claimed by {other} and by {owner}");
        }
    };
    for work in starter() {
        let name = work.name();
        claim(format!("id {}", work.item.id), &name);
        for identifier in work.item.identifiers() {
            claim(format!("{} {identifier}", identifier.kind()), &name);
        }
        if let Some(url) = work.item.text(TextVar::Url) {
            claim(url.to_owned(), &name);
        }
    }
}

#[test]
fn numbers_and_dates_are_sound() {
    for work in starter() {
        let name = work.name();
        if let Some(pages) = work.item.number(NumberVar::Page) {
            assert!(!pages.contains(['–', '—', ' ']), "{name}: pages {pages}");
            if let Some((first, last)) = pages.split_once('-') {
                let (first, last) = (digits(first), digits(last));
                assert!(first < last, "{name}: pages {pages}");
            }
        }
        if let Some(original) = work.item.date(DateVar::OriginalDate) {
            let original = original.start.map(|start| start.year);
            assert!(original < work.item.year(), "{name}: original date");
        }
    }
}

/// The number in a page such as `S71` or `B864`.
fn digits(text: &str) -> u32 {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

#[test]
fn texts_are_clean() {
    for work in starter() {
        let name = work.name();
        each_text(&work.raw, &mut |text| {
            assert_eq!(text, text.trim(), "{name}");
            assert!(!text.contains("  "), "{name}: {text:?}");
            assert!(!text.contains("&amp;"), "{name}: {text:?}");
            assert!(text.nfc().eq(text.chars()), "{name}: {text:?} is not NFC");
        });
        let title = work.item.text(TextVar::Title).unwrap_or_default();
        assert!(!title.ends_with('.'), "{name}: {title}");
        for tag in ["i", "sub", "sup"] {
            let count = |text: String| title.matches(text.as_str()).count();
            let (opened, closed) = (count(format!("<{tag}>")), count(format!("</{tag}>")));
            assert_eq!(opened, closed, "{name}: {title}");
        }
    }
}

fn each_text(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(list) => list.iter().for_each(|value| each_text(value, visit)),
        Value::Object(members) => members.values().for_each(|value| each_text(value, visit)),
        _ => {}
    }
}

#[test]
fn files_are_sorted_by_id() {
    let mut by_file: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for work in starter() {
        by_file.entry(work.file).or_default().push(work.item.id);
    }
    for (file, ids) in by_file {
        assert!(ids.is_sorted(), "{file} is not sorted by id");
    }
}

#[test]
fn starter_corpus_is_broad() {
    let works = starter();
    let types: BTreeSet<&str> = works.iter().map(|work| work.item.kind.csl()).collect();
    let scripts: BTreeSet<&str> = works
        .iter()
        .filter_map(|work| work.item.text(TextVar::Title))
        .flat_map(str::chars)
        .filter_map(script)
        .collect();
    let languages: BTreeSet<&str> = works
        .iter()
        .filter_map(|work| work.item.text(TextVar::Language))
        .collect();
    assert!(works.len() >= 500, "{} works", works.len());
    assert!(types.len() >= 15, "{types:?}");
    assert!(scripts.len() >= 9, "{scripts:?}");
    assert!(languages.len() >= 12, "{languages:?}");
}

/// The script of a letter, by Unicode block; coarse on purpose.
fn script(c: char) -> Option<&'static str> {
    let script = match c {
        'a'..='z' | 'A'..='Z' => "Latin",
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{400}'..='\u{4ff}' => "Cyrillic",
        '\u{590}'..='\u{5ff}' => "Hebrew",
        '\u{600}'..='\u{6ff}' => "Arabic",
        '\u{900}'..='\u{97f}' => "Devanagari",
        '\u{3040}'..='\u{30ff}' => "Kana",
        '\u{4e00}'..='\u{9fff}' => "Han",
        '\u{ac00}'..='\u{d7a3}' => "Hangul",
        _ => return None,
    };
    Some(script)
}

#[test]
fn notices_are_about_works_of_the_corpus() {
    let works = starter();
    let years: HashMap<String, i32> = works
        .iter()
        .filter_map(|work| Some((work.item.doi()?.to_string(), work.item.year()?)))
        .collect();
    let notices = read_array(&corpus_dir().join(NOTICES));
    assert!(!notices.is_empty());
    let mut seen = BTreeSet::new();
    for notice in &notices {
        let Value::Object(members) = notice else {
            panic!("{notice} is not an object");
        };
        let allowed = ["doi", "type", "notice_doi", "date", "source"];
        for key in members.keys() {
            assert!(allowed.contains(&key.as_str()), "{notice}: {key}");
        }
        let text = |key: &str| members.get(key).and_then(Value::as_str).unwrap_or("");
        let (target, by) = (text("doi"), text("notice_doi"));
        for doi in [target, by] {
            let canonical = Doi::parse(doi).map(|doi| doi.to_string());
            assert_eq!(canonical.as_deref(), Ok(doi), "{notice}");
        }
        assert_ne!(target, by);
        assert!(seen.insert((target, by)), "{notice} stands twice");
        let kind = UpdateKind::parse(text("type"));
        assert_eq!(kind.as_str(), text("type"), "{notice}");
        let date = Date::parse_iso(text("date")).and_then(|date| date.start);
        let Some(date) = date.filter(|date| date.precision() == 3) else {
            panic!("{notice}: the date must have a day");
        };
        let issued = years.get(target).copied();
        assert!(issued.is_some(), "{notice} is about no work of the corpus");
        assert!(issued <= Some(date.year), "{notice}: before its work");
        assert!(!text("source").is_empty(), "{notice}: source");
    }
}

#[test]
fn first_lookups_of_the_readme_are_answered() {
    let works = starter();
    for doi in [
        "10.1038/171737a0",
        "10.1038/nature12373",
        "10.1038/s41586-020-2649-2",
        "10.1103/physrevlett.116.061102",
        "10.48550/arxiv.1706.03762",
        "10.1016/s0140-6736(97)11096-0",
    ] {
        let wanted = Doi::parse(doi).ok();
        assert!(works.iter().any(|w| w.item.doi() == wanted), "{doi}");
    }
    for isbn in ["978-0-226-45808-3", "0-262-03384-4"] {
        let Ok(wanted) = Isbn::parse(isbn) else {
            panic!("{isbn}");
        };
        let found = works.iter().any(|w| w.item.isbns().contains(&wanted));
        assert!(found, "{isbn}");
    }
}

/// Every starter work that a recorded answer or a sampled dump also describes must agree with it.
#[test]
fn recorded_answers_agree_with_starter_corpus() {
    agree_with_records_in(&["data/providers", "data/dumps"], 10);
}

#[test]
#[ignore = "reads 170,000 records, which takes a minute without optimisation"]
fn benchmark_records_agree_with_starter_corpus() {
    agree_with_records_in(&["matching"], 20);
}

fn agree_with_records_in(folders: &[&str], at_least: usize) {
    let Some(shared) = suite("") else { return };
    let works: HashMap<String, Starter> = starter()
        .into_iter()
        .filter_map(|work| Some((work.item.doi()?.to_string(), work)))
        .collect();
    let mut compared = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut compare = |record: Recorded| {
        if let Some(work) = works.get(&record.doi) {
            compared.insert(record.doi.clone());
            wrong.extend(disagreements(&work.item, &record));
        }
    };
    for folder in folders {
        for path in files_below(&shared.join(folder)) {
            read_records(&path, &works, &mut compare);
        }
    }
    eprintln!("compared {} works with recorded ones", compared.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        compared.len() >= at_least,
        "only {} compared",
        compared.len()
    );
}

/// What a recorded answer says of a work, as far as it is compared.
#[derive(Debug)]
struct Recorded {
    doi: String,
    title: String,
    /// Printed, online and registered years; the starter corpus may follow any of them.
    years: Vec<i64>,
    first_author: String,
    volume: String,
    first_page: String,
}

impl Recorded {
    /// From a Crossref work, a CSL-JSON item or a DataCite `attributes` object.
    fn from_json(value: &Value) -> Option<Recorded> {
        let text = |key: &str| first_text(value.get(key));
        let doi = Doi::parse(
            &Some(text("DOI"))
                .filter(|t| !t.is_empty())
                .unwrap_or(text("doi")),
        )
        .ok()?
        .to_string();
        let title = match value.get("titles") {
            Some(titles) => first_text(titles.pointer("/0/title")),
            None => text("title"),
        };
        let author = value.pointer("/author/0").or(value.pointer("/creators/0"));
        let name_part = |key: &str| author.map(|name| first_text(name.get(key)));
        let first_author = ["family", "familyName", "literal", "name"]
            .iter()
            .filter_map(|key| name_part(key))
            .find(|part| !part.is_empty())
            .unwrap_or_default();
        let mut years: Vec<i64> = ["issued", "published-print", "published-online"]
            .iter()
            .filter_map(|key| value.get(key)?.pointer("/date-parts/0/0")?.as_i64())
            .collect();
        years.extend(value.get("publicationYear").and_then(Value::as_i64));
        let page = text("page");
        Some(Recorded {
            doi,
            title,
            years,
            first_author,
            volume: text("volume"),
            first_page: page.split(['-', '–']).next().unwrap_or("").to_owned(),
        })
    }
}

/// The text of a value, or of the first element where it is a list.
fn first_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => first_text(list.first()),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn disagreements(item: &Item, record: &Recorded) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut differ = |what: &str, ours: &str, theirs: &str| {
        wrong.push(format!("{} {what}: {ours:?}, not {theirs:?}", record.doi));
    };
    let title = item.text(TextVar::Title).unwrap_or_default();
    if !record.title.is_empty() && !same_title(title, &record.title) {
        differ("title", title, &record.title);
    }
    let year = i64::from(item.year().unwrap_or_default());
    if !record.years.is_empty() && !record.years.contains(&year) {
        differ("year", &year.to_string(), &format!("{:?}", record.years));
    }
    let first = item.names(NameVar::Author).first();
    let author = first.map(|name| name.heading()).unwrap_or_default();
    let (ours, theirs) = (fold(&author), fold(&record.first_author));
    if !theirs.is_empty() && !ours.contains(&theirs) && !theirs.contains(&ours) {
        differ("author", &author, &record.first_author);
    }
    let volume = item.number(NumberVar::Volume).unwrap_or_default();
    if !record.volume.is_empty() && digits(volume) != digits(&record.volume) {
        differ("volume", volume, &record.volume);
    }
    let page = item.number(NumberVar::Page).unwrap_or_default();
    let first_page = page.split('-').next().unwrap_or_default();
    if !record.first_page.is_empty() && fold(first_page) != fold(&record.first_page) {
        differ("page", first_page, &record.first_page);
    }
    wrong
}

/// Sources cut subtitles off, add them, and drop small words; most words must be shared.
fn same_title(ours: &str, theirs: &str) -> bool {
    let (folded, other) = (fold(ours), fold(theirs));
    if folded.starts_with(&other) || other.starts_with(&folded) {
        return true;
    }
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).map(fold);
        parts.filter(|word| !word.is_empty()).collect()
    };
    let (ours, theirs) = (words(ours), words(theirs));
    let shared = ours.intersection(&theirs).count();
    shared * 10 >= ours.len().min(theirs.len()) * 8
}

/// Lower-case letters and digits without marks, markup and punctuation.
fn fold(text: &str) -> String {
    let mut plain = text.to_owned();
    for tag in ["i", "sub", "sup"] {
        plain = plain
            .replace(&format!("<{tag}>"), "")
            .replace(&format!("</{tag}>"), "");
    }
    let letters = plain.nfkd().filter(|c| !is_combining_mark(*c));
    letters
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// Reads a JSON file, or one JSON value a line; other formats and broken files are passed over.
fn read_records(path: &Path, works: &HashMap<String, Starter>, found: &mut impl FnMut(Recorded)) {
    let name = path.to_string_lossy();
    let Ok(file) = fs::File::open(path) else {
        return;
    };
    let mut reader: Box<dyn BufRead> = if name.ends_with(".gz") {
        Box::new(BufReader::new(GzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    if name.contains(".jsonl") {
        for line in reader.lines().map_while(Result::ok) {
            if line_may_matter(&line, works) {
                collect(&serde_json::from_str(&line).unwrap_or_default(), found);
            }
        }
    } else if name.contains(".json") {
        let mut text = String::new();
        if reader.read_to_string(&mut text).is_ok() {
            collect(&serde_json::from_str(&text).unwrap_or_default(), found);
        }
    }
}

/// Cheap sieve for big files: parse a line only where its DOI is one of ours.
fn line_may_matter(line: &str, works: &HashMap<String, Starter>) -> bool {
    let Some((_, rest)) = line.split_once("\"DOI\"") else {
        return line.contains("\"doi\"");
    };
    let doi = rest.trim_start_matches([':', ' ']).trim_start_matches('"');
    let doi = doi.split('"').next().unwrap_or("").to_lowercase();
    works.contains_key(&doi)
}

/// Finds records at any depth: in an envelope, in a list of items, or bare.
fn collect(value: &Value, found: &mut impl FnMut(Recorded)) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
        Value::Object(members) => {
            let titled = members.contains_key("title") || members.contains_key("titles");
            match Recorded::from_json(value).filter(|_| titled) {
                Some(record) => found(record),
                None => members.values().for_each(|value| collect(value, found)),
            }
        }
        _ => {}
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// One work of the starter corpus with the file it stands in.
struct Starter {
    file: String,
    raw: Value,
    item: Item,
}

impl Starter {
    fn name(&self) -> String {
        format!("{} {}", self.file, self.item.id)
    }
}

/// Every work, in the order of the files.
fn starter() -> Vec<Starter> {
    let mut paths = files_below(&corpus_dir());
    paths.sort();
    let mut works = Vec::new();
    for path in paths {
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !file.ends_with(".json") || file == NOTICES {
            continue;
        }
        for raw in read_array(&path) {
            let item = serde_json::from_value(raw.clone())
                .unwrap_or_else(|error| panic!("{file}: {error}: {raw}"));
            works.push(Starter {
                file: file.clone(),
                raw,
                item,
            });
        }
    }
    works
}

fn read_array(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn corpus_dir() -> PathBuf {
    manifest_dir().join("corpus")
}

fn manifest_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
