//! The public API of the processor with the built-in styles: cite modes, warnings, and odd input.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::sync::Arc;

use citation_csl::{Compiled, Formatted, Locale, Options, Style};

use citation_model::cite::{Citation, Cite, CiteMode, Locator};
use citation_model::item::Item;

fn compiled(style: &str) -> Compiled {
    let style = Style::parse(&citation_embedded::style(style).unwrap()).unwrap();
    let find = |tag: &str| {
        let xml = citation_embedded::locale(tag)?;
        Some(Arc::new(Locale::parse(&xml).unwrap()))
    };
    Compiled::new(Arc::new(style), None, &find).unwrap()
}

fn items(json: &str) -> Vec<Item> {
    serde_json::from_str(json).unwrap()
}

fn two_works() -> Vec<Item> {
    items(
        r#"[{"id":"a","type":"book","title":"On Trees","issued":2000,
             "author":[{"family":"Ash","given":"Ann"}]},
            {"id":"b","type":"book","title":"On Leaves","issued":2001,
             "author":[{"family":"Elm","given":"Eve"},{"family":"Oak","given":"Olga"}]}]"#,
    )
}

fn cite(id: &str, mode: CiteMode) -> Cite {
    Cite {
        id: id.to_owned(),
        mode,
        ..Cite::default()
    }
}

fn format(style: &str, items: &[Item], cites: Vec<Cite>) -> Formatted {
    let citation = Citation {
        cites,
        ..Citation::default()
    };
    citation_csl::format(&compiled(style), items, &[citation], &Options::default()).unwrap()
}

fn check(style: &str, cites: Vec<Cite>, expected: &str) {
    let formatted = format(style, &two_works(), cites);
    assert_eq!(formatted.citations[0].text(), expected, "{style}");
}

#[test]
fn entry_ends_in_the_address_of_an_identifier_that_the_style_does_not_show() {
    let style = Style::parse(
        r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
          <info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>
          <citation><layout><text variable="title"/></layout></citation>
          <bibliography><layout suffix="."><text variable="title"/></layout></bibliography></style>"#,
    );
    let compiled = Compiled::new(Arc::new(style.unwrap()), None, &|_| None).unwrap();
    let check = |addresses: bool, expected: &str| {
        let options = Options {
            addresses,
            ..Options::default()
        };
        let item = r#"[{"id":"a","type":"article","title":"Trees","arxiv-id":"1703.04627"}]"#;
        let formatted = citation_csl::format(&compiled, &items(item), &[], &options).unwrap();
        assert_eq!(formatted.bibliography.unwrap()[0].content.text(), expected);
    };
    check(true, "Trees. https://arxiv.org/abs/1703.04627");
    check(false, "Trees.");
}

#[test]
fn entry_without_an_address_leads_by_its_title_or_as_a_whole() {
    let check = |item: &str, expected: &str| {
        let style = Style::parse(
            r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
              <info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>
              <citation><layout><text variable="title"/></layout></citation>
              <bibliography><layout suffix="."><group delimiter=", "><text variable="publisher"/>
                <text variable="title" font-style="italic"/><text variable="URL"/></group></layout>
              </bibliography></style>"#,
        );
        let compiled = Compiled::new(Arc::new(style.unwrap()), None, &|_| None).unwrap();
        let options = Options {
            links: true,
            addresses: false,
            ..Options::default()
        };
        let formatted = citation_csl::format(&compiled, &items(item), &[], &options).unwrap();
        assert_eq!(formatted.bibliography.unwrap()[0].content.html(), expected);
    };
    check(
        r#"[{"id":"a","type":"book","title":"Trees","publisher":"Oak","DOI":"10.1/a"}]"#,
        "Oak, <a href=\"https://doi.org/10.1/a\"><i>Trees</i></a>.",
    );
    check(
        r#"[{"id":"a","type":"book","publisher":"Oak","PMID":"1"}]"#,
        "<a href=\"https://www.ncbi.nlm.nih.gov/pubmed/1\">Oak</a>.",
    );
    check(
        r#"[{"id":"a","type":"book","title":"Trees","URL":"https://a.org","DOI":"10.1/a"}]"#,
        "<i>Trees</i>, <a href=\"https://a.org\">https://a.org</a>.",
    );
}

#[test]
fn cites_show_all_or_a_part() {
    use CiteMode::{AuthorOnly, Composite, Normal, SuppressAuthor};
    check("apa", vec![cite("a", Normal)], "(Ash, 2000)");
    check("apa", vec![cite("a", SuppressAuthor)], "(2000)");
    check("apa", vec![cite("b", AuthorOnly)], "Elm & Oak");
    check("apa", vec![cite("a", Composite)], "Ash (2000)");
    check(
        "apa",
        vec![cite("a", Composite), cite("b", Normal)],
        "Ash (2000; Elm & Oak, 2001)",
    );
    check(
        "apa",
        vec![cite("a", SuppressAuthor), cite("b", Normal)],
        "(2000; Elm & Oak, 2001)",
    );
    let page = Cite {
        locator: Some(Locator {
            label: "page".to_owned(),
            value: "3-4".to_owned(),
        }),
        ..cite("a", Composite)
    };
    check("apa", vec![page], "Ash (2000, pp. 3–4)");
    // A numeric style shows no author.
    check("ieee", vec![cite("a", Composite)], "[1]");
}

#[test]
fn cites_lead_to_their_entries_without_affixes() {
    let citation = Citation {
        cites: vec![Cite {
            prefix: "see ".to_owned(),
            suffix: ", and so on".to_owned(),
            ..cite("a", CiteMode::Normal)
        }],
        ..Citation::default()
    };
    let options = Options {
        link_cites: true,
        ..Options::default()
    };
    let formatted =
        citation_csl::format(&compiled("apa"), &two_works(), &[citation], &options).unwrap();
    assert_eq!(
        formatted.citations[0].html(),
        "(see <a href=\"#ref-a\">Ash, 2000</a>, and so on)"
    );
}

/// The warnings of a bibliography, as item indexes and codes.
fn warnings(style: &str, items: &[Item]) -> Vec<(Option<usize>, &'static str)> {
    let formatted = format(style, items, vec![cite("a", CiteMode::Normal)]);
    let found = formatted.warnings.iter();
    found.map(|warning| (warning.index, warning.code)).collect()
}

#[test]
fn missing_fields_are_reported() {
    assert_eq!(warnings("apa", &two_works()), []);
    let odd = items(
        r#"[{"id":"a","type":"article-journal","title":"On Roots","issued":2000,
             "author":[{"family":"Ash"}]},
            {"id":"b","type":"book","editor":[{"family":"Elm"}]}]"#,
    );
    assert_eq!(
        warnings("apa", &odd),
        [
            (Some(0), "missing_field"),
            (Some(1), "missing_field"),
            (Some(1), "missing_field"),
        ]
    );
    let unknown = format("apa", &odd[..1], vec![cite("lost", CiteMode::Normal)]);
    assert!(
        unknown
            .warnings
            .iter()
            .any(|warning| warning.code == "unknown_item")
    );
}

#[test]
fn entries_that_show_nothing_are_left_out_and_said_to_be() {
    let xml = r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
        <info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>
        <citation><layout><text variable="title"/></layout></citation>
        <bibliography><layout><text variable="publisher"/></layout></bibliography></style>"#;
    let compiled = Compiled::new(Arc::new(Style::parse(xml).unwrap()), None, &|_| None).unwrap();
    let formatted =
        citation_csl::format(&compiled, &two_works(), &[], &Options::default()).unwrap();
    assert_eq!(formatted.bibliography, Some(Vec::new()));
    let codes: Vec<_> = formatted
        .warnings
        .iter()
        .map(|w| (w.index, w.code))
        .collect();
    assert_eq!(codes, [(Some(0), "empty_entry"), (Some(1), "empty_entry")]);
}

/// Unusual items: an empty one, thousands of authors, very long fields.
#[test]
fn odd_items_are_formatted_like_any_others() {
    let author = r#"{"family":"Ash","given":"A. B."}"#;
    let many = vec![author; 3_000].join(",");
    let json = format!(
        r#"[{{"id":"a"}},
            {{"id":"b","type":"book","title":"T","author":[{many}]}},
            {{"id":"c","type":"book","title":"T","author":[{many},{{"family":"Elm"}}]}},
            {{"id":"d","type":"book","title":"{}"}}]"#,
        "long ".repeat(20_000)
    );
    let items = items(&json);
    for style in [
        "apa",
        "ieee",
        "chicago-notes-bibliography",
        "modern-language-association",
    ] {
        let cites = items
            .iter()
            .map(|item| cite(&item.id, CiteMode::Normal))
            .collect();
        let formatted = format(style, &items, cites);
        assert!(
            formatted
                .bibliography
                .is_some_and(|entries| entries.len() >= 3),
            "{style}"
        );
    }
}

/// Works with repeated, missing and multilingual fields, in no order.
fn many_works(count: usize) -> Vec<Item> {
    let families = ["Ash", "Élan", "elm", "Øster", "van Dyck", "王", "Zorn"];
    let work = |at: usize| {
        let family = families[at * 5 % families.len()];
        let year = 1900 + at * 37 % 50;
        let authors = match at % 6 {
            0 => String::new(),
            n => format!(r#""author":[{{"family":"{family}","given":"{n}"}}],"#),
        };
        let issued = match at % 11 {
            0 => String::new(),
            _ => format!(r#""issued":{year},"#),
        };
        format!(
            r#"{{"id":"{at}","type":"book",{authors}{issued}"title":"Title {}"}}"#,
            at % 13
        )
    };
    let works: Vec<String> = (0..count).map(work).collect();
    items(&format!("[{}]", works.join(",")))
}

#[test]
fn sort_keys_of_parts_join_to_the_order_of_the_whole() {
    const PART: usize = 17;
    let items = many_works(120);
    for style in [
        "apa",
        "chicago-author-date",
        "american-sociological-association",
        "nature",
    ] {
        let compiled = compiled(style);
        let options = Options {
            sort_keys: true,
            ..Options::default()
        };
        let whole = citation_csl::format(&compiled, &items, &[], &options).unwrap();
        let keys: Vec<String> = items
            .chunks(PART)
            .flat_map(|part| {
                let formatted = citation_csl::format(&compiled, part, &[], &options).unwrap();
                formatted.sort_keys
            })
            .collect();
        let mut order: Vec<usize> = (0..items.len()).collect();
        if !keys.is_empty() {
            order.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
        }
        assert_eq!(order, whole.order, "{style}");
        assert!(keys.iter().all(|key| key.is_ascii()));
    }
}

#[test]
fn numbers_of_a_part_begin_where_it_begins() {
    let options = Options {
        first_number: 41,
        ..Options::default()
    };
    let formatted = citation_csl::format(&compiled("ieee"), &two_works(), &[], &options).unwrap();
    let entries = formatted.bibliography.unwrap();
    let texts: Vec<String> = entries.iter().map(|entry| entry.content.text()).collect();
    assert!(
        texts[0].starts_with("[41]") && texts[1].starts_with("[42]"),
        "{texts:?}"
    );
}
