//! Crossref works, in its own responses, those of doi.org and its public data files, compared with an
//! independent reader of the raw JSON.

use std::collections::BTreeSet;

use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Source, UpdateRelation, Work};
use citation_records::{RecordError, crossref, doi_csl};
use serde_json::Value;

use crate::compare::{
    Differences, Tally, date_parts, files, first, issued, json, letters, lines, people, publisher,
    shared, text,
};

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
    // An article not yet in print has its online date.
    let is_placed = ["volume", "issue", "page", "article-number"]
        .into_iter()
        .any(|key| record[key].is_string());
    let skipped = usize::from(record["type"] == "journal-article" && !is_placed);
    let mut keys = keys.iter().skip(skipped);
    approved
        .or_else(|| keys.find_map(|key| date_parts(&record[*key])))
        .unwrap_or_default()
}

fn crossref_publisher(record: &Value) -> Vec<String> {
    let own = publisher(first(&record["publisher"]));
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
    // Two records have a textual placeholder.
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
    // `00-00` stands for no page.
    let page = if page.trim_matches(['0', '-']).is_empty() {
        ""
    } else {
        page
    };
    // Crossref has a range for a single page, too.
    let page = match page.split_once('-') {
        Some((first, last)) if first == last && first != "no" => first,
        _ => page,
    };
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
    let known = publishers.contains(&publisher);
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
    check_details(record, item, &mut same);
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

/// Fields with one source each.
fn check_details(record: &Value, item: &Item, same: &mut impl FnMut(&str, &str, &str)) {
    for (key, variable) in [
        ("translator", NameVar::Translator),
        ("chair", NameVar::Chair),
    ] {
        let found = people(item.names(variable));
        same(key, &crossref_people(&record[key]), &found);
    }
    let parts = |list: &Value| -> Vec<String> {
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let is_person =
            |person: &&Value| person["given"].is_string() || person["family"].is_string();
        let family = |person: &Value| match letters(first(&person["family"])) {
            // The whole name may be in the given name.
            family if family.is_empty() => {
                let given = first(&person["given"]);
                letters(given.split_whitespace().next_back().unwrap_or_default())
            }
            family => family,
        };
        list.iter().filter(is_person).map(family).collect()
    };
    // A suffix may be registered in the family name.
    let families: Vec<String> = { item.names(NameVar::Author).iter() }
        .filter(|name| name.literal.is_none())
        .map(|name| {
            let particle = name.non_dropping_particle.as_deref().unwrap_or_default();
            let family = name.family.as_deref().unwrap_or_default();
            letters(&format!("{particle}{family}"))
        })
        .collect();
    let expected = parts(&record["author"]);
    let is_same = expected.len() == families.len() && { expected.iter().zip(&families) }
        .all(|(raw, own)| raw.starts_with(own));
    if !is_same {
        same("family names", &expected.join("|"), &families.join("|"));
    } else {
        same("family names", "", "");
    }
    let event = &record["event"];
    for (field, value, variable) in [
        ("event title", &event["name"], TextVar::EventTitle),
        ("event place", &event["location"], TextVar::EventPlace),
        (
            "place",
            &record["publisher-location"],
            TextVar::PublisherPlace,
        ),
    ] {
        let own = letters(text(item, variable));
        // The place of an institution stands in for the publisher's.
        if !(value.is_null() && variable == TextVar::PublisherPlace) {
            same(field, &letters(first(value)), &own);
        }
    }
    let start = date_parts(&event["start"]).unwrap_or_default();
    let found = item.date(DateVar::EventDate).map(|date| date.edtf());
    let found = found.unwrap_or_default();
    same(
        "event date",
        &start,
        found.split('/').next().unwrap_or_default(),
    );
    let language = first(&record["language"]).to_lowercase();
    let found = text(item, TextVar::Language).to_lowercase();
    same(
        "language",
        language.split(['-', '_']).next().unwrap_or_default(),
        found.split('-').next().unwrap_or_default(),
    );
    let edition = first(&record["edition-number"]);
    let edition: String = edition.chars().filter(char::is_ascii_digit).collect();
    let found = item.number(NumberVar::Edition).unwrap_or_default();
    same("edition", edition.trim_start_matches('0'), found);
    let address = first(&record["resource"]["primary"]["URL"]);
    if !address.is_empty() {
        same(
            "URL",
            &address.replace("&amp;", "&"),
            text(item, TextVar::Url),
        );
    }
    if record["type"] == "posted-content" && item.kind == ItemType::Preprint {
        same("genre", "preprint", text(item, TextVar::Genre));
    }
    let orcids = |list: &Value| {
        list.as_array()
            .map_or(0, |l| l.iter().filter(|a| a["ORCID"].is_string()).count())
    };
    let found = item
        .names(NameVar::Author)
        .iter()
        .filter(|name| name.orcid.is_some())
        .count();
    same(
        "ORCID",
        &orcids(&record["author"]).to_string(),
        &found.to_string(),
    );
}

/// A single container is the container, or the series of a whole book; two are one of each.
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
fn every_recorded_answer_of_doi_org_is_mapped() {
    let Some(folder) = shared("providers") else {
        return;
    };
    let mut differences = Differences::default();
    let (mut of_crossref, mut all) = (0, 0);
    for path in files(&folder.join("doi-csl")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let raw = json(&path);
        let work =
            doi_csl::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        all += 1;
        assert_eq!(work.provenance.source, Source::Doi);
        if raw["source"] == "Crossref" {
            of_crossref += 1;
            let record = listed(&raw);
            check_crossref(&record, &work, &mut differences);
            // The same record from the REST API gives the same item.
            let direct = crossref::from_slice(record.to_string().as_bytes()).expect("a work");
            assert_eq!(direct.item, work.item);
            assert_eq!(direct.updates, work.updates);
        } else {
            check_csl(&raw, &work.item, &mut differences);
        }
    }
    println!("{all} answers of doi.org, {of_crossref} of them Crossref's");
    assert!(all >= 40 && of_crossref >= 30);
    differences.none(500);
}

/// Crossref's record in content negotiation, with titles converted back to lists.
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
