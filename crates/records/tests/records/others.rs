//! OpenAlex and PubMed, for which only dumps are available.

use std::collections::BTreeMap;

use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::Work;
use citation_records::{openalex, pubmed};
use serde_json::Value;

use crate::compare::{Differences, Tally, first, issued, letters, lines, shared, text};

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

/// Compares with the result of a plain text search.
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
    // Without the place that tells journals of one title apart: `Science (New York, N.Y.)`.
    let journal = inner("Title").unwrap_or_default();
    let found = letters(text(item, TextVar::ContainerTitle));
    let short = journal.split(" (").next().unwrap_or_default();
    assert!(
        found == letters(journal) || found == letters(short),
        "{pmid}: {journal}"
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

/// All JSON and XML readers stay within a small stack at any depth.
#[test]
fn depth_takes_no_stack() {
    let nest = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let jsons = [60, 120, 100_000].map(|depth| {
        let value = nest(depth);
        format!(
            "{{\"DOI\":\"10.5555/a\",\"title\":{value},\"author\":{value},\"issued\":{{\"date-parts\":{value}}},\"x\":{value}}}"
        )
    });
    let objects = format!("{}1{}", "{\"author\":".repeat(100_000), "}".repeat(100_000));
    let xml = "<PubmedArticle>".repeat(100_000);
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    let run = move || {
        for json in jsons.iter().chain([&objects]) {
            let json = json.as_bytes();
            let _ = citation_records::crossref::from_slice(json);
            let _ = citation_records::crossref::from_envelope(json);
            let _ = citation_records::datacite::from_slice(json);
            let _ = citation_records::openalex::from_slice(json);
            let _ = citation_records::doi_csl::from_slice(json);
        }
        assert!(citation_records::pubmed::from_slice(xml.as_bytes()).is_err());
    };
    thread.spawn(run).unwrap().join().unwrap();
}

/// The end of unclosed elements is searched once in total, not once per element.
#[test]
fn unclosed_markup_is_read_in_one_pass() {
    use citation_records::clean::rich;
    for open in [
        "<xref>",
        "<!--",
        "<?",
        "<odd a=\"b\">",
        "<q1>",
        "<tex-math>",
        "<math>",
    ] {
        rich(&open.repeat(32 * 1024 / open.len()));
    }
    assert_eq!(rich("a<xref>1</xref> b<xref>c"), "a bc");
    let wide = format!(
        "{{\"DOI\":\"10.5555/a\",\"title\":\"T\",\"x\":[{}0]}}",
        "0,".repeat(200_000)
    );
    assert!(citation_records::doi_csl::from_slice(wide.as_bytes()).is_err());
}
