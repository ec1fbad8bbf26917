//! Foreign records → works, over every recorded answer and every sample of a dump. What is
//! expected is read from the raw JSON here, by other code than the mappers': plain `Value`s, and
//! texts compared by their letters and digits alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use citation::model::date::Date;
use citation::model::item::Item;
use citation::model::item_type::ItemType;
use citation::model::name::Name;
use citation::model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation::model::work::{Source, UpdateKind, UpdateRelation, Work};
use citation::records::{RecordError, crossref, datacite, doi_csl, openalex, openlibrary, pubmed};
use serde_json::Value;

/// A folder of the shared material; nothing, with a line that says so, where it is absent.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

/// The files of a folder by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a readable file")).expect("JSON")
}

/// The lines of a file, unpacked where its name says that it is packed.
fn lines(path: &Path) -> Vec<Vec<u8>> {
    let file = std::fs::File::open(path).expect("a readable file");
    let reader: Box<dyn Read> = match path.extension().and_then(|e| e.to_str()) {
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        _ => Box::new(file),
    };
    let lines = BufReader::new(reader)
        .split(b'\n')
        .map(|line| line.expect("a line"));
    lines
        .filter(|line| !line.iter().all(u8::is_ascii_whitespace))
        .collect()
}

/// Everything that differs, told at the end.
#[derive(Default)]
struct Differences {
    told: Vec<String>,
    compared: usize,
}

impl Differences {
    fn same(&mut self, record: &str, field: &str, expected: &str, found: &str) {
        self.compared += 1;
        if expected != found {
            self.told.push(format!(
                "{record} {field}: expected {expected:?}, found {found:?}"
            ));
        }
    }

    fn none(self, least: usize) {
        assert!(
            self.told.is_empty(),
            "{} differ:\n{}",
            self.told.len(),
            self.told.join("\n")
        );
        assert!(
            self.compared >= least,
            "only {} fields were compared",
            self.compared
        );
    }
}

/// Letters and digits alone, in lower case, without markup and entities: what two renderings of
/// one text must share.
fn letters(text: &str) -> String {
    let mut text = mended(text);
    for _ in 0..3 {
        for (entity, character) in [
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
        ] {
            text = text.replace(entity, character);
        }
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let tag = &rest[at..];
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match tag.find('>').filter(|_| is_tag) {
            Some(end) => rest = &tag[end + 1..],
            None => rest = &tag[1..],
        }
    }
    plain.push_str(rest);
    plain
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// UTF-8 that was taken for Latin-1 or Windows-1252, read again.
fn mended(text: &str) -> String {
    if !text.contains(['Ã', 'â', 'Â']) {
        return text.to_owned();
    }
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let (windows, _, is_lossy) = encoding_rs::WINDOWS_1252.encode(text);
    let windows = (!is_lossy).then(|| windows.into_owned());
    let mended = [latin, windows].into_iter().flatten().find_map(|b| String::from_utf8(b).ok());
    mended.unwrap_or_else(|| text.to_owned())
}

fn text<'a>(item: &'a Item, variable: TextVar) -> &'a str {
    item.text(variable).unwrap_or_default()
}

fn issued(item: &Item) -> String {
    item.date(DateVar::Issued)
        .map(Date::edtf)
        .unwrap_or_default()
}

fn people(names: &[Name]) -> String {
    let people: Vec<String> = names.iter().map(|name| letters(&name.display())).collect();
    people.join("|")
}

// Crossref, read independently.

fn first(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        Value::Array(list) => list.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "",
    }
}

/// `date-parts` as text: `2012-03`.
fn date_parts(value: &Value) -> Option<String> {
    let parts = value.get("date-parts")?.get(0)?.as_array()?;
    let numbers: Vec<i64> = parts.iter().filter_map(Value::as_i64).collect();
    let (year, rest) = numbers.split_first()?;
    let rest: String = rest.iter().map(|number| format!("-{number:02}")).collect();
    Some(format!("{year:04}{rest}"))
}

fn crossref_type(record: &Value) -> ItemType {
    let subtype = record["subtype"].as_str().unwrap_or("preprint");
    match record["type"].as_str().unwrap_or_default() {
        "journal-article" => ItemType::Article,
        "journal" | "journal-issue" | "journal-volume" => ItemType::Periodical,
        "book-chapter" | "book-section" | "book-part" => ItemType::Chapter,
        "reference-entry" => ItemType::EncyclopediaEntry,
        "proceedings-article" => ItemType::ConferencePaper,
        "posted-content" if subtype == "preprint" => ItemType::Preprint,
        "posted-content" => ItemType::BlogPost,
        "report" | "report-component" => ItemType::Report,
        "dissertation" => ItemType::Thesis,
        "dataset" => ItemType::Dataset,
        "standard" => ItemType::Standard,
        "peer-review" => ItemType::Review,
        "book" | "monograph" | "edited-book" | "reference-book" | "proceedings" => ItemType::Book,
        "other"
            if record.get("ISBN").is_some() && !first(&record["container-title"]).is_empty() =>
        {
            ItemType::Chapter
        }
        "other" | "component" => ItemType::Document,
        "" if record.get("ISSN").is_some() => ItemType::Article,
        "" => ItemType::Document,
        other => panic!("a type that the test does not know: {other}"),
    }
}

fn crossref_title(record: &Value) -> String {
    let (title, subtitle) = (
        letters(first(&record["title"])),
        letters(first(&record["subtitle"])),
    );
    if title.contains(&subtitle) {
        title
    } else {
        format!("{title}{subtitle}")
    }
}

fn crossref_people(list: &Value) -> String {
    let person = |person: &Value| -> String {
        let part = |key: &str| person[key].as_str().map(letters).unwrap_or_default();
        format!(
            "{}{}{}{}",
            part("name"),
            part("given"),
            part("family"),
            part("suffix")
        )
    };
    let people = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let people: Vec<String> = people
        .iter()
        .map(person)
        .filter(|name| name != "etal")
        .collect();
    people.join("|")
}

fn crossref_date(record: &Value) -> String {
    let approved = (record["type"] == "dissertation")
        .then(|| date_parts(&record["approved"]))
        .flatten();
    let keys = [
        "published-print",
        "issued",
        "published-online",
        "published",
        "posted",
        "published-other",
        "approved",
        "content-created",
        "created",
    ];
    approved
        .or_else(|| keys.iter().find_map(|key| date_parts(&record[*key])))
        .unwrap_or_default()
}

fn crossref_publisher(record: &Value) -> Vec<String> {
    let own = letters(first(&record["publisher"]));
    let institution = record["institution"]
        .get(0)
        .map(|i| letters(first(&i["name"])));
    match (crossref_type(record), institution) {
        (ItemType::Report | ItemType::Thesis | ItemType::Preprint, Some(institution)) => {
            vec![institution]
        }
        (ItemType::Preprint, None) => vec![letters(first(&record["group-title"])), own],
        (ItemType::Standard, _) if record["standards-body"]["name"].is_string() => {
            vec![letters(first(&record["standards-body"]["name"]))]
        }
        _ => vec![own],
    }
}

fn check_crossref(record: &Value, work: &Work, differences: &mut Differences) {
    let item = &work.item;
    let doi = record["DOI"].as_str().expect("a DOI").to_lowercase();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&doi, field, expected, found);
    };
    same("DOI", &doi, text(item, TextVar::Doi));
    same("type", crossref_type(record).csl(), item.kind.csl());
    let title = crossref_title(record);
    if !first(&record["title"]).trim().is_empty() {
        same("title", &title, &letters(text(item, TextVar::Title)));
    }
    same(
        "author",
        &crossref_people(&record["author"]),
        &people(item.names(NameVar::Author)),
    );
    same(
        "editor",
        &crossref_people(&record["editor"]),
        &people(item.names(NameVar::Editor)),
    );
    same("issued", &crossref_date(record), &issued(item));
    // Two records say in words that there is nothing.
    let said = |text: &str| {
        if matches!(text, "null" | "no-no") {
            String::new()
        } else {
            text.to_owned()
        }
    };
    let volume = said(first(&record["volume"]));
    same(
        "volume",
        &volume,
        item.number(NumberVar::Volume).unwrap_or_default(),
    );
    let issue = record["issue"]
        .as_str()
        .or(record["journal-issue"]["issue"].as_str());
    same(
        "issue",
        issue.unwrap_or_default(),
        item.number(NumberVar::Issue).unwrap_or_default(),
    );
    let article = first(&record["article-number"]);
    let page = record["page"].as_str().unwrap_or(article);
    same(
        "page",
        &letters(&said(page)),
        &letters(item.number(NumberVar::Page).unwrap_or_default()),
    );
    same(
        "number",
        article,
        item.number(NumberVar::Number).unwrap_or_default(),
    );
    let publishers = crossref_publisher(record);
    let publisher = letters(text(item, TextVar::Publisher));
    let known = publishers.iter().any(|expected| *expected == publisher);
    same(
        "publisher",
        &publishers.join(" or "),
        if known {
            publishers.join(" or ")
        } else {
            publisher
        }
        .as_str(),
    );
    check_container(record, item, &mut same);
    let numbers = |key: &str, digits: usize| -> BTreeSet<String> {
        let list = record[key]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let bare = list.iter().filter_map(Value::as_str).map(|number| {
            let number = number.rsplit('/').next().unwrap_or_default();
            number
                .chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
        });
        bare.filter(|number| number.len() == digits).collect()
    };
    let found = |variable| -> BTreeSet<String> {
        let list = text(item, variable)
            .split(", ")
            .map(|number| number.replace('-', ""));
        list.filter(|number| !number.is_empty()).collect()
    };
    same(
        "ISSN",
        &format!("{:?}", numbers("ISSN", 8)),
        &format!("{:?}", found(TextVar::Issn)),
    );
    let missing: Vec<String> = numbers("ISBN", 13)
        .difference(&found(TextVar::Isbn))
        .cloned()
        .collect();
    same("ISBN", "[]", &format!("{missing:?}"));
    let updates = ["update-to", "updated-by"].map(|key| record[key].as_array().map_or(0, Vec::len));
    let of = |relation| {
        work.updates
            .iter()
            .filter(|update| update.relation == relation)
            .count()
    };
    assert!(
        of(UpdateRelation::UpdateTo) >= updates[0],
        "{doi}: {:?}",
        work.updates
    );
    assert!(
        of(UpdateRelation::UpdatedBy) >= updates[1],
        "{doi}: {:?}",
        work.updates
    );
}

/// One container is the container, or the series of a whole book; of two, one is each.
fn check_container(record: &Value, item: &Item, same: &mut impl FnMut(&str, &str, &str)) {
    let titles = record["container-title"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let titles: BTreeSet<String> = titles
        .iter()
        .filter_map(Value::as_str)
        .map(letters)
        .filter(|t| !t.is_empty())
        .collect();
    let container = letters(text(item, TextVar::ContainerTitle));
    let series = letters(text(item, TextVar::CollectionTitle));
    let short = letters(text(item, TextVar::ContainerTitleShort));
    if item.kind == ItemType::BlogPost || item.kind == ItemType::Periodical {
        return;
    }
    let all = [&container, &series, &short];
    let found: BTreeSet<String> = all
        .into_iter()
        .filter(|t| titles.contains(*t))
        .cloned()
        .collect();
    same("containers", &format!("{titles:?}"), &format!("{found:?}"));
    let place = if item.kind == ItemType::Book {
        &series
    } else {
        &container
    };
    if let (1, Some(only)) = (titles.len(), titles.first()) {
        same("container", only, place);
    }
}

#[test]
fn every_recorded_crossref_work_is_mapped() {
    let Some(folder) = shared("providers/crossref") else {
        return;
    };
    let mut differences = Differences::default();
    let mut works = 0;
    let mut untitled = Vec::new();
    for path in files(&folder.join("works")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let record = json(&path)["message"].clone();
        match crossref::from_envelope(&bytes) {
            Ok(work) => check_crossref(&record, &work, &mut differences),
            Err(RecordError::Missing("title")) => untitled.push(record["DOI"].to_string()),
            Err(error) => panic!("{}: {error}", path.display()),
        }
        works += 1;
    }
    for path in files(&folder.join("lists")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let records = json(&path)["message"]["items"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let mapped = crossref::from_list(&bytes).expect("a list");
        assert_eq!(records.len(), mapped.len());
        for (record, work) in records.iter().zip(mapped) {
            match work {
                Ok(work) => check_crossref(record, &work, &mut differences),
                Err(RecordError::Missing("title")) => untitled.push(record["DOI"].to_string()),
                Err(error) => panic!("{}: {error}", path.display()),
            }
            works += 1;
        }
    }
    println!(
        "{works} works, {} without a title: {untitled:?}",
        untitled.len()
    );
    assert!(works > 500 && untitled.len() < 20);
    differences.none(5_000);
}

#[test]
fn doi_org_says_the_same_as_crossref() {
    let Some(folder) = shared("providers") else {
        return;
    };
    let by_doi = directly_recorded(&folder);
    let mut differences = Differences::default();
    let (mut both, mut of_crossref, mut all) = (0, 0, 0);
    for path in files(&folder.join("doi-csl")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let raw = json(&path);
        let work =
            doi_csl::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        all += 1;
        assert_eq!(work.provenance.source, Source::Doi);
        if raw["source"] == "Crossref" {
            of_crossref += 1;
            check_crossref(&listed(&raw), &work, &mut differences);
        } else {
            check_csl(&raw, &work.item, &mut differences);
        }
        let Some(direct) = by_doi.get(&work.item.id) else {
            continue;
        };
        both += 1;
        let (a, b) = (&direct.item, &work.item);
        let mut same = |field: &str, a: &str, b: &str| differences.same(&work.item.id, field, a, b);
        same("type", a.kind.csl(), b.kind.csl());
        same("title", text(a, TextVar::Title), text(b, TextVar::Title));
        same(
            "author",
            &people(a.names(NameVar::Author)),
            &people(b.names(NameVar::Author)),
        );
        same("issued", &issued(a), &issued(b));
        for variable in [
            TextVar::ContainerTitle,
            TextVar::Publisher,
            TextVar::Issn,
            TextVar::Doi,
        ] {
            same(variable.csl(), text(a, variable), text(b, variable));
        }
        for variable in [
            NumberVar::Volume,
            NumberVar::Issue,
            NumberVar::Page,
            NumberVar::Number,
        ] {
            let (a, b) = (a.number(variable), b.number(variable));
            same(variable.csl(), a.unwrap_or_default(), b.unwrap_or_default());
        }
    }
    println!(
        "{all} answers of doi.org, {of_crossref} of them Crossref's, {both} recorded both ways"
    );
    assert!(all >= 40 && of_crossref >= 30 && both >= 1);
    differences.none(500);
}

/// Every work that was recorded at Crossref or DataCite itself, by DOI.
fn directly_recorded(folder: &Path) -> BTreeMap<String, Work> {
    let read = |path: &PathBuf| std::fs::read(path).expect("a readable file");
    let mut works: Vec<Work> = Vec::new();
    for path in files(&folder.join("crossref/works")) {
        works.extend(crossref::from_envelope(&read(&path)));
    }
    for path in files(&folder.join("crossref/lists")) {
        works.extend(
            crossref::from_list(&read(&path))
                .expect("a list")
                .into_iter()
                .flatten(),
        );
    }
    for path in files(&folder.join("datacite/dois")) {
        works.extend(datacite::from_envelope(&read(&path)));
    }
    if let Some(dumps) = shared("dumps") {
        for path in files(&dumps.join("crossref/items-array")) {
            let raw: Value = serde_json::from_slice(&lines(&path).concat()).expect("JSON");
            let records = raw["items"].as_array().expect("items").iter();
            works.extend(records.flat_map(|r| crossref::from_slice(r.to_string().as_bytes())));
        }
        let line = |line: Vec<u8>| datacite::from_slice(&line).ok();
        works.extend(
            lines(&dumps.join("datacite/part_0000.jsonl.gz"))
                .into_iter()
                .filter_map(line),
        );
    }
    works
        .into_iter()
        .map(|work| (work.item.id.clone(), work))
        .collect()
}

/// Crossref's record as content negotiation gives it, with the titles in lists again.
fn listed(raw: &Value) -> Value {
    let mut record = raw.clone();
    for key in ["title", "container-title"] {
        if let Some(text) = raw[key].as_str() {
            record[key] = serde_json::json!([text]);
        }
    }
    record
}

fn check_csl(raw: &Value, item: &Item, differences: &mut Differences) {
    let doi = raw["DOI"].as_str().expect("a DOI").to_lowercase();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&doi, field, expected, found);
    };
    same("DOI", &doi, text(item, TextVar::Doi));
    same("type", first(&raw["type"]), item.kind.csl());
    same(
        "title",
        &letters(first(&raw["title"])),
        &letters(text(item, TextVar::Title)),
    );
    let authors = raw["author"].as_array().cloned().unwrap_or_default();
    let authors: Vec<String> = authors
        .iter()
        .map(|a| {
            format!(
                "{}{}{}",
                first(&a["literal"]),
                first(&a["given"]),
                first(&a["family"])
            )
        })
        .map(|name| letters(&name))
        .collect();
    same(
        "author",
        &authors.join("|"),
        &people(item.names(NameVar::Author)),
    );
    same(
        "issued",
        &date_parts(&raw["issued"]).unwrap_or_default(),
        &issued(item),
    );
    same(
        "publisher",
        &letters(first(&raw["publisher"])),
        &letters(text(item, TextVar::Publisher)),
    );
    let container = letters(first(&raw["container-title"]));
    same(
        "container",
        &container,
        &letters(text(item, TextVar::ContainerTitle)),
    );
}

// DataCite, read independently.

fn check_datacite(record: &Value, work: &Work, differences: &mut Differences) {
    let attributes = &record["attributes"];
    let item = &work.item;
    let doi = attributes["doi"].as_str().expect("a DOI").to_lowercase();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&doi, field, expected, found);
    };
    same("DOI", &doi, text(item, TextVar::Doi));
    let titles = attributes["titles"].as_array().cloned().unwrap_or_default();
    let own = titles
        .iter()
        .find(|t| t["titleType"].is_null())
        .or(titles.first());
    let own = own
        .map(|title| letters(first(&title["title"])))
        .unwrap_or_default();
    let found = letters(text(item, TextVar::Title));
    assert!(
        found.starts_with(&own),
        "{doi}: {found} does not begin with {own}"
    );
    let is_code = |text: &str| {
        let text = text.to_lowercase();
        text.contains(":un")
            || text.contains(":(un")
            || text.contains(":{un")
            || text.contains(":none")
            || text.contains(":null")
    };
    let creators = attributes["creators"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut expected: Vec<String> = creators
        .iter()
        .filter(|creator| !is_code(first(&creator["name"])))
        .map(sorted_letters_of_creator)
        .collect();
    let nobody = ["anon", "anonymous", "unknown", "others"];
    expected.retain(|name| !nobody.iter().any(|n| sorted(n) == *name) && !name.is_empty());
    let found: Vec<String> = item
        .names(NameVar::Author)
        .iter()
        .map(|name| sorted(&letters(&name.display())))
        .collect();
    same("author", &expected.join("|"), &found.join("|"));
    let dates = attributes["dates"].as_array().cloned().unwrap_or_default();
    let issued_on = dates
        .iter()
        .find(|date| date["dateType"] == "Issued")
        .map(|date| first(&date["date"]));
    let year = attributes["publicationYear"].to_string();
    let is_plain = |date: &&str| date.len() >= 4 && date[..4].bytes().all(|b| b.is_ascii_digit());
    let expected = issued_on.filter(is_plain).unwrap_or(&year);
    same("year", &expected[..4], &issued(item)[..4]);
    let publisher = first(&attributes["publisher"]);
    if !is_code(publisher) {
        same(
            "publisher",
            &letters(publisher),
            &letters(text(item, TextVar::Publisher)),
        );
    }
    let container = letters(first(&attributes["container"]["title"]));
    let places =
        [TextVar::ContainerTitle, TextVar::CollectionTitle].map(|v| letters(text(item, v)));
    let placed = places
        .iter()
        .find(|place| **place == container)
        .cloned()
        .unwrap_or_default();
    same("container", &container, &placed);
    let version = first(&attributes["version"]);
    same(
        "version",
        &letters(version),
        &letters(item.number(NumberVar::Version).unwrap_or_default()),
    );
}

/// The order of the parts of a name differs; its letters do not.
fn sorted_letters_of_creator(creator: &Value) -> String {
    let whole = first(&creator["name"]);
    let parts = format!(
        "{}{}",
        first(&creator["givenName"]),
        first(&creator["familyName"])
    );
    let is_body = creator["nameType"] == "Organizational";
    let has_family = creator["familyName"].is_string();
    sorted(&letters(if has_family && !is_body {
        &parts
    } else {
        whole
    }))
}

fn sorted(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    characters.into_iter().collect()
}

#[test]
fn every_recorded_datacite_doi_is_mapped() {
    let Some(folder) = shared("providers/datacite/dois") else {
        return;
    };
    let mut differences = Differences::default();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let work =
            datacite::from_envelope(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let record = &json(&path)["data"];
        check_datacite(record, &work, &mut differences);
        *kinds.entry(work.item.kind.csl()).or_default() += 1;
        let general = first(&record["attributes"]["types"]["resourceTypeGeneral"]).to_owned();
        let expected = match general.as_str() {
            "Dataset" => Some(ItemType::Dataset),
            "Software" => Some(ItemType::Software),
            "Preprint" => Some(ItemType::Preprint),
            "JournalArticle" => Some(ItemType::Article),
            "ConferencePaper" => Some(ItemType::ConferencePaper),
            "Image" => Some(ItemType::Graphic),
            "Collection" | "InteractiveResource" | "Other" => Some(ItemType::Document),
            _ => None,
        };
        if let Some(expected) = expected {
            differences.same(&work.item.id, "type", expected.csl(), work.item.kind.csl());
        }
    }
    println!("{kinds:?}");
    differences.none(300);
}

// Open Library, read independently.

fn check_edition(record: &Value, work: &Work, differences: &mut Differences) {
    let item = &work.item;
    let key = first(&record["key"]).to_owned();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&key, field, expected, found);
    };
    let part = |name: &str| letters(first(&record[name]));
    let title = letters(text(item, TextVar::Title));
    let (prefix, own, subtitle) = (part("title_prefix"), part("title"), part("subtitle"));
    let whole = if own.starts_with(&prefix) {
        own
    } else {
        format!("{prefix}{own}")
    };
    let whole = if whole.contains(&subtitle) {
        whole
    } else {
        format!("{whole}{subtitle}")
    };
    same("title", &whole, &title);
    same("type", "book", item.kind.csl());
    same(
        "publisher",
        &part("publishers"),
        &letters(text(item, TextVar::Publisher)),
    );
    same(
        "place",
        &part("publish_places"),
        &letters(text(item, TextVar::PublisherPlace)),
    );
    if let Some(year) = year_in(first(&record["publish_date"])) {
        let issued = issued(item);
        same("year", &year, issued.get(..4).unwrap_or_default());
    }
    let list = |name: &str| record[name].as_array().cloned().unwrap_or_default();
    for isbn in list("isbn_13").iter().filter_map(Value::as_str) {
        let digits: String = isbn.chars().filter(char::is_ascii_digit).collect();
        let is_valid = digits.len() == 13
            && digits
                .bytes()
                .zip([1, 3].iter().cycle())
                .map(|(d, w)| u32::from(d - b'0') * w)
                .sum::<u32>()
                % 10
                == 0;
        if is_valid {
            assert!(
                text(item, TextVar::Isbn).contains(&digits),
                "{key}: {digits}"
            );
        }
    }
    if let Some(pages) = record["number_of_pages"].as_i64() {
        let found = item.number(NumberVar::NumberOfPages).unwrap_or_default();
        same("pages", &pages.to_string(), found);
    }
    let language = list("languages")
        .first()
        .map(|l| first(&l["key"]).rsplit('/').next().unwrap_or("").to_owned());
    let expected = match language.as_deref() {
        Some("eng") => Some("en"),
        Some("fre") => Some("fr"),
        Some("ger") => Some("de"),
        Some("rus") => Some("ru"),
        Some("spa") => Some("es"),
        _ => None,
    };
    if let Some(expected) = expected {
        same("language", expected, text(item, TextVar::Language));
    }
}

/// The one run of four digits in a text.
fn year_in(text: &str) -> Option<String> {
    let runs: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| run.len() == 4)
        .collect();
    match runs[..] {
        [year] => Some(year.to_owned()),
        _ => None,
    }
}

#[test]
fn every_recorded_edition_is_mapped() {
    let Some(folder) = shared("providers/openlibrary") else {
        return;
    };
    let mut differences = Differences::default();
    let authors: Vec<openlibrary::Author> = files(&folder.join("authors"))
        .iter()
        .map(|path| openlibrary::Author::from_slice(&std::fs::read(path).unwrap()).unwrap())
        .collect();
    for path in files(&folder.join("isbn")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let edition = openlibrary::Edition::from_slice(&bytes).expect("an edition");
        let work = openlibrary::join(&edition, None, &authors).expect("a work");
        check_edition(&json(&path), &work, &mut differences);
    }
    for path in files(&folder.join("authors")) {
        let raw = json(&path);
        let key = first(&raw["key"])
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        let edition = format!(
            r#"{{"key":"/books/OL1M","title":"t","authors":[{{"key":"/authors/{key}"}}]}}"#
        );
        let edition = openlibrary::Edition::from_slice(edition.as_bytes()).expect("an edition");
        let work = openlibrary::join(&edition, None, &authors).expect("a work");
        let [name] = work.item.names(NameVar::Author) else {
            panic!("{key}: {:?}", work.item.names(NameVar::Author));
        };
        // A title may stand apart; all other letters of the name are there.
        let plain = if raw["title"].is_string() {
            &raw["personal_name"]
        } else {
            &raw["name"]
        };
        let expected = sorted(&letters(first(plain)));
        differences.same(&key, "name", &expected, &sorted(&letters(&name.display())));
    }
    for path in files(&folder.join("api-books")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let works = openlibrary::from_books_api(&bytes).expect("an answer");
        let raw = json(&path);
        let records: Vec<&Value> = raw.as_object().expect("an object").values().collect();
        assert_eq!(works.len(), records.len());
        for (record, work) in records.into_iter().zip(&works) {
            let title = letters(first(&record["title"]));
            differences.same(
                "jscmd",
                "title",
                &title,
                &letters(text(&work.item, TextVar::Title)),
            );
            let author = record["authors"]
                .get(0)
                .map(|a| letters(first(&a["name"])))
                .unwrap_or_default();
            differences.same(
                "jscmd",
                "author",
                &author,
                &people(work.item.names(NameVar::Author)),
            );
        }
    }
    let search = std::fs::read(folder.join("other/search-sabriel.json")).expect("a search");
    let hits = openlibrary::from_search(&search).expect("an answer");
    assert_eq!(hits.len(), 2);
    assert_eq!(
        text(&hits[0].item, TextVar::Title),
        "This Is How You Lose the Time War"
    );
    assert_eq!(
        people(hits[0].item.names(NameVar::Author)),
        "amalelmohtar|maxgladstone"
    );
    differences.none(200);
}

// The dumps.

/// How many records were mapped, and why the others were not.
#[derive(Debug, Default)]
struct Tally {
    mapped: usize,
    refused: BTreeMap<String, usize>,
}

impl Tally {
    fn count(&mut self, result: Result<Work, RecordError>) -> Option<Work> {
        match result {
            Ok(work) => {
                assert!(work.item.text(TextVar::Title).is_some(), "{}", work.item.id);
                assert!(!work.item.id.is_empty());
                assert!(
                    work.item.text(TextVar::Abstract).is_none(),
                    "abstracts are not facts"
                );
                self.mapped += 1;
                return Some(work);
            }
            Err(error) => *self.refused.entry(error.to_string()).or_default() += 1,
        }
        None
    }

    fn is(&self, source: &str, mapped: usize, refused: usize) {
        println!("{source}: {self:?}");
        let all_refused: usize = self.refused.values().sum();
        assert_eq!(
            (self.mapped, all_refused),
            (mapped, refused),
            "{source}: {self:?}"
        );
    }
}

#[test]
fn crossref_dumps_are_mapped() {
    let Some(folder) = shared("dumps/crossref") else {
        return;
    };
    let mut differences = Differences::default();
    let mut tally = Tally::default();
    for path in files(&folder.join("items-array")) {
        let raw: Value = serde_json::from_slice(&lines(&path).concat()).expect("JSON");
        for record in raw["items"].as_array().expect("items") {
            let bytes = serde_json::to_vec(record).expect("JSON");
            if let Some(work) = tally.count(crossref::from_slice(&bytes)) {
                check_crossref(record, &work, &mut differences);
                assert!(work.provenance.fetched_at > 0);
            }
        }
    }
    tally.is("items-array", 1_259, 0);
    differences.none(10_000);

    let mut tally = Tally::default();
    let mut differences = Differences::default();
    for line in files(&folder.join("jsonl"))
        .iter()
        .flat_map(|path| lines(path))
    {
        if let Some(work) = tally.count(crossref::from_slice(&line)) {
            let record = serde_json::from_slice(&line).expect("JSON");
            check_crossref(&record, &work, &mut differences);
        }
    }
    tally.is("jsonl", 300, 0);
    differences.none(3_000);

    let mut tally = Tally::default();
    for line in lines(&folder.join("fatcat-2018-mongoexport.jsonl")) {
        let work = tally.count(crossref::from_slice(&line)).expect("a work");
        assert!(
            work.provenance.fetched_at > 1_400_000_000,
            "mongoexport's numbers are read"
        );
    }
    tally.is("mongoexport", 14, 0);

    let mut tally = Tally::default();
    for line in lines(&folder.join("span.ldj")) {
        let work = tally.count(crossref::from_slice(&line)).expect("a work");
        let short = text(&work.item, TextVar::ContainerTitleShort);
        assert!(
            short.len() < text(&work.item, TextVar::ContainerTitle).len(),
            "{short}"
        );
    }
    tally.is("span", 10, 0);
}

#[test]
fn datacite_dumps_are_mapped() {
    let Some(folder) = shared("dumps/datacite") else {
        return;
    };
    let mut tally = Tally::default();
    let mut differences = Differences::default();
    for line in lines(&folder.join("part_0000.jsonl.gz")) {
        if let Some(work) = tally.count(datacite::from_slice(&line)) {
            let record = serde_json::from_slice(&line).expect("JSON");
            check_datacite(&record, &work, &mut differences);
        }
    }
    // One has no title, and two say `:{unav)` for it.
    tally.is("datacite", 664, 3);
    differences.none(4_000);
}

#[test]
fn openalex_dumps_are_mapped() {
    let Some(folder) = shared("dumps/openalex/works/updated_date=sample") else {
        return;
    };
    let mut tally = Tally::default();
    let mut differences = Differences::default();
    for line in lines(&folder.join("part_000.gz")) {
        let raw: Value = serde_json::from_slice(&line).expect("JSON");
        let Some(work) = tally.count(openalex::from_slice(&line)) else {
            continue;
        };
        let item = &work.item;
        let mut same = |field: &str, expected: &str, found: &str| {
            differences.same(&item.id, field, expected, found);
        };
        same(
            "title",
            &letters(first(&raw["title"])),
            &letters(text(item, TextVar::Title)),
        );
        same(
            "year",
            &raw["publication_year"].to_string(),
            &issued(item)[..4],
        );
        same(
            "volume",
            first(&raw["biblio"]["volume"]),
            item.number(NumberVar::Volume).unwrap_or_default(),
        );
        let doi = first(&raw["doi"])
            .trim_start_matches("https://doi.org/")
            .to_lowercase();
        same("DOI", &doi, text(item, TextVar::Doi));
        let authors = raw["authorships"].as_array().map_or(0, Vec::len);
        same(
            "authors",
            &authors.to_string(),
            &item.names(NameVar::Author).len().to_string(),
        );
    }
    tally.is("openalex", 31, 1);
    differences.none(150);
}

#[test]
fn pubmed_dumps_are_mapped() {
    let Some(folder) = shared("dumps/pubmed") else {
        return;
    };
    let mut tally = Tally::default();
    let mut updates: BTreeMap<&str, usize> = BTreeMap::new();
    let mut notices = 0;
    let xml = lines(&folder.join("pubmedsample_2019.xml.gz")).join(&b'\n');
    let xml = String::from_utf8(xml).expect("UTF-8");
    for article in xml.split("<PubmedArticle>").skip(1) {
        let end = article.find("</PubmedArticle>").expect("an end");
        let article = format!("<PubmedArticle>{}</PubmedArticle>", &article[..end]);
        let Some(work) = tally.count(pubmed::from_slice(article.as_bytes())) else {
            continue;
        };
        check_pubmed(&article, &work);
        notices += usize::from(work.item.custom.contains_key("pubmed-notices"));
        for update in &work.updates {
            *updates.entry(update.kind.as_str()).or_default() += 1;
        }
    }
    tally.is("pubmed", 176, 0);
    println!("{updates:?}, {notices} with notices by PubMed id");
    assert!(notices >= 2);
    assert!(!pubmed::deleted(xml.as_bytes()).is_empty());
    let single = std::fs::read(folder.join("pubmed_31393839.xml")).expect("a record");
    assert_eq!(
        text(
            &pubmed::from_slice(&single).expect("a work").item,
            TextVar::Pmid
        ),
        "31393839"
    );
}

/// Compares with what plain searching in the text finds.
fn check_pubmed(article: &str, work: &Work) {
    let item = &work.item;
    let inner = |tag: &str| -> Option<&str> {
        let start = article.find(&format!("<{tag}"))?;
        let start = start + article[start..].find('>')? + 1;
        let end = start + article[start..].find(&format!("</{tag}>"))?;
        article.get(start..end)
    };
    let pmid = inner("PMID").expect("a PMID");
    assert_eq!(text(item, TextVar::Pmid), pmid);
    let title = letters(inner("ArticleTitle").expect("a title"));
    if title != "notavailable" {
        assert_eq!(letters(text(item, TextVar::Title)), title, "{pmid}");
    }
    let journal = inner("Title").map(letters).unwrap_or_default();
    assert_eq!(
        letters(text(item, TextVar::ContainerTitle)),
        journal,
        "{pmid}"
    );
    let volume = inner("Volume").map(letters).unwrap_or_default();
    assert_eq!(
        letters(item.number(NumberVar::Volume).unwrap_or_default()),
        volume,
        "{pmid}"
    );
    let date = inner("PubDate").expect("a date");
    let year: String = date.chars().filter(char::is_ascii_digit).take(4).collect();
    assert_eq!(issued(item).get(..4), Some(year.as_str()), "{pmid}");
    let authors = article.matches("<Author ").count();
    assert_eq!(item.names(NameVar::Author).len(), authors, "{pmid}");
    if article.contains("RefType=\"RetractionIn\"") {
        assert_eq!(item.text(TextVar::Status), Some("retracted"), "{pmid}");
    }
}

#[test]
fn open_library_dumps_are_joined() {
    let Some(folder) = shared("dumps/openlibrary") else {
        return;
    };
    let of = |name: &str| lines(&folder.join(format!("ol_dump_{name}_sample.txt.gz")));
    let names: Vec<String> = of("authors")
        .iter()
        .map(|line| openlibrary::DumpLine::parse(line).expect("five columns"))
        .map(|line| openlibrary::Author::from_slice(line.json).expect("an author"))
        .filter_map(|author| author.name().map(str::to_owned))
        .collect();
    assert_eq!(names.len(), 703);
    for line in of("works") {
        let line = openlibrary::DumpLine::parse(&line).expect("five columns");
        let work = openlibrary::AbstractWork::from_slice(line.json).expect("a work");
        assert_eq!(work.key(), Some(openlibrary::bare_key(line.key)));
        assert!(work.author_keys().next().is_some());
    }
    let mut tally = Tally::default();
    let mut differences = Differences::default();
    let mut named = 0;
    for (at, line) in of("editions").iter().enumerate() {
        let line = openlibrary::DumpLine::parse(line).expect("five columns");
        assert_eq!(line.kind, openlibrary::DumpKind::Edition);
        let edition = openlibrary::Edition::from_slice(line.json).expect("an edition");
        // The samples share no keys, so each edition gets names of the sample in its authors' place.
        let authors: Vec<openlibrary::Author> = edition
            .author_keys()
            .enumerate()
            .map(|(n, key)| openlibrary::Author::new(key, &names[(at + n) % names.len()]))
            .collect();
        let Some(work) = tally.count(openlibrary::join(&edition, None, &authors)) else {
            continue;
        };
        let raw: Value = serde_json::from_slice(line.json).expect("JSON");
        check_edition(&raw, &work, &mut differences);
        let found = work.item.names(NameVar::Author);
        let wanted: BTreeSet<&str> = authors.iter().filter_map(|author| author.name()).collect();
        if !wanted.is_empty() {
            named += 1;
            assert!(
                !found.is_empty() && found.len() <= wanted.len(),
                "{}",
                work.item.id
            );
        }
    }
    tally.is("open library", 703, 0);
    assert!(named > 500);
    differences.none(2_500);
}

// What stands without the shared material.

#[test]
fn a_work_is_the_same_by_either_way() {
    let record = r#"{"source":"Crossref","DOI":"10.5555/X.1","type":"journal-article",
        "title":["Waves of H<sub>2</sub>O"],"container-title":["Annals"],"volume":"4","page":"1--9",
        "author":[{"family":"de la Cruz","given":"Ana"}],"issued":{"date-parts":[[2001,2]]},
        "updated-by":[{"DOI":"10.5555/n","type":"retraction","source":"retraction-watch"}]}"#;
    let direct = crossref::from_slice(record.as_bytes()).expect("a work");
    let envelope = format!(r#"{{"status":"ok","message":{record}}}"#);
    let enveloped = crossref::from_envelope(envelope.as_bytes()).expect("a work");
    assert_eq!(direct, enveloped);
    let negotiated = record
        .replace(
            r#"["Waves of H<sub>2</sub>O"]"#,
            r#""Waves of H<sub>2</sub>O""#,
        )
        .replace(r#"["Annals"]"#, r#""Annals""#);
    let negotiated = doi_csl::from_slice(negotiated.as_bytes()).expect("a work");
    assert_eq!(direct.item, negotiated.item);
    assert_eq!(direct.updates, negotiated.updates);
    assert_eq!(direct.updates[0].kind, UpdateKind::Retraction);
    assert_eq!(direct.item.number(NumberVar::Page), Some("1-9"));
}

#[test]
fn no_input_makes_a_mapper_panic() {
    let record = r#"{"DOI":"10.5555/1","title":["<i>a &amp;lt; b"],"author":[{"family":"B"}],
        "issued":{"date-parts":[[2001,2]]},"attributes":{"doi":"10.5555/1","titles":[{"title":"x"}]},
        "key":"/books/OL1M","id":"W1"}"#;
    let xml = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>x</ArticleTitle></Article></MedlineCitation></PubmedArticle>";
    for (text, is_xml) in [(record, false), (xml, true)] {
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            for byte in [b'"', b'{', b'[', b'<', b'&', 0, 0xff, b'9'] {
                bytes[at] = byte;
                if is_xml {
                    let _ = pubmed::from_slice(&bytes);
                    let _ = pubmed::from_slice(&bytes[..at]);
                } else {
                    let _ = crossref::from_slice(&bytes);
                    let _ = datacite::from_slice(&bytes);
                    let _ = doi_csl::from_slice(&bytes);
                    let _ = openalex::from_slice(&bytes);
                    let _ = openlibrary::Edition::from_slice(&bytes)
                        .and_then(|edition| openlibrary::join(&edition, None, &[]));
                }
            }
        }
    }
}
