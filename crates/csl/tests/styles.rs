//! Whole styles: the built-in ones and those of the public collection parse and format in every locale,
//! and hostile styles are rejected.
//!
//! The collection is read from `../shared/csl/styles.zip`; without it only our own part runs.
//! `cargo test --release --test styles -- --ignored` formats with every style in every locale.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "csl/archive.rs"]
mod archive;

use citation_testing::suite;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use citation_csl::{Compiled, Locale, Options, Style};

use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Citation, Cite};
use citation_model::item::Item;
use citation_model::spread::Run;

/// In unoptimized builds, only every `STRIDE`th style is used for formatting.
const STRIDE: usize = if cfg!(debug_assertions) { 24 } else { 1 };

type Locales = BTreeMap<String, Arc<Locale>>;

/// The public collection: its independent styles, its locales, and items to format.
struct Collection {
    styles: BTreeMap<String, Arc<Style>>,
    locales: Locales,
    items: Vec<Item>,
}

#[test]
fn every_style_of_the_program_formats_in_every_locale() {
    let locales: Locales = citation_embedded::locale_tags()
        .into_iter()
        .map(|tag| {
            let xml = citation_embedded::locale(&tag).unwrap();
            (tag, Arc::new(Locale::parse(&xml).unwrap()))
        })
        .collect();
    let items: Vec<Item> = serde_json::from_slice(&citation_embedded::starter().unwrap()).unwrap();
    let items: Vec<Item> = one_of_each_type(items);
    let tags: Vec<&str> = locales.keys().map(String::as_str).collect();
    for (at, (name, xml)) in citation_embedded::styles().enumerate() {
        let style = Arc::new(Style::parse(&xml).unwrap());
        for tag in tags.iter().skip(at % STRIDE).step_by(STRIDE) {
            check_formats(name, &style, tag, &locales, &items);
        }
    }
}

#[test]
fn lists_come_out_the_same_on_several_threads() {
    let items: Vec<Item> = serde_json::from_slice(&citation_embedded::starter().unwrap()).unwrap();
    let items: Vec<Item> = items.into_iter().take(300).collect();
    let find = |tag: &str| {
        Some(Arc::new(
            Locale::parse(&citation_embedded::locale(tag)?).ok()?,
        ))
    };
    let run: &Run = &|work| {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| work(&|| false));
            }
            // A thread told to stop at once leaves all work to the others.
            work(&|| true);
        });
    };
    let options = Options {
        markers: true,
        ..Options::default()
    };
    for (name, xml) in citation_embedded::styles().step_by(STRIDE) {
        let style = Arc::new(Style::parse(&xml).unwrap());
        let compiled = Compiled::new(style, None, &find).unwrap();
        let alone = citation_csl::format(&compiled, &items, &[], &options).unwrap();
        let spread = citation_csl::format_spread(&compiled, &items, &[], &options, run).unwrap();
        assert_eq!(format!("{alone:?}"), format!("{spread:?}"), "{name}");
    }
    let budget = Budget::new(10_000, u64::MAX);
    let options = Options { budget, ..options };
    let style = Arc::new(Style::parse(&citation_embedded::style("apa").unwrap()).unwrap());
    let compiled = Compiled::new(style, None, &find).unwrap();
    let refused = citation_csl::format_spread(&compiled, &items, &[], &options, run);
    assert_eq!(refused.unwrap_err(), Exceeded::Steps { limit: 10_000 });
}

#[test]
fn every_style_of_the_collection_parses_and_formats() {
    let Some(all) = collection() else {
        return;
    };
    let tags: Vec<&str> = all.locales.keys().map(String::as_str).collect();
    for (at, (name, style)) in all.styles.iter().enumerate().step_by(STRIDE) {
        check_formats(
            name,
            style,
            tags[at / STRIDE % tags.len()],
            &all.locales,
            &all.items,
        );
    }
}

#[test]
#[ignore = "takes half an hour of CPU time, optimised"]
fn every_style_of_the_collection_formats_in_every_locale() {
    let Some(all) = collection() else {
        return;
    };
    let styles: Vec<_> = all.styles.iter().collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (all, styles) = (&all, &styles);
            scope.spawn(move || {
                for (name, style) in styles.iter().skip(first).step_by(threads) {
                    for tag in all.locales.keys() {
                        check_formats(name, style, tag, &all.locales, &all.items);
                    }
                }
            });
        }
    });
}

/// Reads the collection. Checks that every style parses and every dependent one has its parent.
fn collection() -> Option<Collection> {
    let archive = suite("csl/styles.zip")?;
    let mut styles = BTreeMap::new();
    let mut parents = Vec::new();
    for (path, xml) in archive::members(&archive, "styles/") {
        let Some(name) = path.strip_suffix(".csl") else {
            continue;
        };
        let style = Style::parse(&xml).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        match &style.info.parent {
            Some(parent) => parents.push((path.clone(), last_segment(parent).to_owned())),
            None => {
                styles.insert(last_segment(name).to_owned(), Arc::new(style));
            }
        }
    }
    for (path, parent) in parents {
        assert!(styles.contains_key(&parent), "{path} depends on {parent}");
    }
    let locales = archive::members(&archive, "locales/locales-")
        .into_iter()
        .filter_map(|(path, xml)| {
            let name = path.strip_prefix("locales/locales-")?;
            let tag = name.strip_suffix(".xml")?.to_owned();
            Some((tag, Arc::new(Locale::parse(&xml).unwrap())))
        })
        .collect();
    let items = std::fs::read_to_string(suite("csl/oracle/items-dev.json")?).unwrap();
    Some(Collection {
        styles,
        locales,
        items: serde_json::from_str(&items).unwrap(),
    })
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn one_of_each_type(items: Vec<Item>) -> Vec<Item> {
    let mut seen = HashSet::new();
    items
        .into_iter()
        .filter(|item| seen.insert(item.kind.csl()))
        .collect()
}

/// Formats a document that cites every item twice, and its bibliography.
fn check_formats(name: &str, style: &Arc<Style>, tag: &str, locales: &Locales, items: &[Item]) {
    let find = |tag: &str| locales.get(tag).cloned();
    let compiled = Compiled::new(Arc::clone(style), Some(tag), &find)
        .unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let citations: Vec<Citation> = items
        .chunks(3)
        .chain(items.chunks(5))
        .enumerate()
        .map(|(at, cited)| Citation {
            id: at.to_string(),
            cites: cited.iter().map(cite).collect(),
            note_number: at as u32 + 1,
            ..Citation::default()
        })
        .collect();
    let formatted =
        citation_csl::format(&compiled, items, &citations, &Options::default()).unwrap();
    assert_eq!(formatted.citations.len(), citations.len(), "{name}, {tag}");
    for citation in &formatted.citations {
        assert!(!citation.text().is_empty(), "{name}, {tag}");
    }
    if let Some(entries) = formatted.bibliography {
        assert!(!entries.is_empty(), "{name}, {tag}");
        assert!(
            entries.iter().all(|entry| !entry.content.html().is_empty()),
            "{name}, {tag}"
        );
    }
}

fn cite(item: &Item) -> Cite {
    Cite {
        id: item.id.clone(),
        ..Cite::default()
    }
}

/// A style with the given citation layout and macros.
fn style_of(macros: &str, layout: &str) -> String {
    format!(
        "<style xmlns=\"http://purl.org/net/xbiblio/csl\" class=\"in-text\" version=\"1.0\">\n\
         <info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>\n\
         {macros}\n<citation><layout>{layout}</layout></citation></style>"
    )
}

fn check_refused(xml: &str, expected: &str) {
    let fault = Style::parse(xml).map(|_| ()).unwrap_err().to_string();
    assert_eq!(fault, expected);
}

#[test]
fn macros_that_call_themselves_are_refused() {
    check_refused(
        &style_of(
            "<macro name=\"a\"><text macro=\"b\"/></macro>\n<macro name=\"b\"><group><text macro=\"a\"/></group></macro>",
            "<text macro=\"a\"/>",
        ),
        "line 3, column 1: the macro \"a\" calls itself",
    );
}

#[test]
fn macros_that_double_are_refused() {
    let double = |n: usize| {
        let call = format!("<text macro=\"m{}\"/>", n + 1);
        format!("<macro name=\"m{n}\">{call}{call}</macro>")
    };
    let mut macros: String = (0..30).map(double).collect();
    macros.push_str("<macro name=\"m30\"><text variable=\"title\"/></macro>");
    let fault = Style::parse(&style_of(&macros, "<text macro=\"m0\"/>")).unwrap_err();
    assert_eq!(fault.reason, citation_csl::StyleFault::Bomb(100_000));
}

/// Accepted styles must not overflow the stack of a server thread.
#[test]
fn nesting_is_bounded_across_macros() {
    let nested = |macros: usize, groups: usize| {
        let wrap = |inner: &str| {
            format!(
                "{}{inner}{}",
                "<group>".repeat(groups),
                "</group>".repeat(groups)
            )
        };
        let call = |n: usize| wrap(&format!("<text macro=\"m{}\"/>", n + 1));
        let mut xml: String = (0..macros)
            .map(|n| format!("<macro name=\"m{n}\">{}</macro>", call(n)))
            .collect();
        xml.push_str(&format!(
            "<macro name=\"m{macros}\"><text variable=\"title\"/></macro>"
        ));
        style_of(&xml, "<text macro=\"m0\"/>")
    };
    let fault = Style::parse(&nested(39, 100)).unwrap_err();
    assert_eq!(fault.reason, citation_csl::StyleFault::TooDeep(48));
    let style = Arc::new(Style::parse(&nested(3, 14)).unwrap());
    let formatting = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            let compiled = Compiled::new(style, None, &|_| None).unwrap();
            let mut item = Item::default();
            item.set_text(citation_model::variable::TextVar::Title, "T");
            let options = Options {
                markers: true,
                ..Options::default()
            };
            citation_csl::format(&compiled, &[item], &[], &options)
                .unwrap()
                .markers[0]
                .text()
        });
    assert_eq!(formatting.unwrap().join().unwrap(), "T");
}

/// A style that shows a long field hundreds of times must not exhaust memory.
#[test]
fn output_of_one_cite_is_bounded() {
    let layout = "<text variable=\"title\"/>".repeat(200);
    let style = Arc::new(Style::parse(&style_of("", &layout)).unwrap());
    let compiled = Compiled::new(style, None, &|_| None).unwrap();
    let mut item = Item::default();
    item.set_text(
        citation_model::variable::TextVar::Title,
        "x".repeat(100_000),
    );
    let options = Options {
        markers: true,
        ..Options::default()
    };
    let formatted = citation_csl::format(&compiled, &[item], &[], &options).unwrap();
    let length = formatted.markers[0].text().len();
    assert!((1_000_000..10_000_000).contains(&length), "{length}");
}

#[test]
fn faults_say_where_they_are() {
    check_refused(
        &style_of("", "\n  <text variable=\"titel\"/>"),
        "line 5, column 3: variable=\"titel\" is not a value that <text> knows",
    );
    check_refused(
        &style_of("", "<text macro=\"lost\"/>"),
        "line 4, column 19: the macro \"lost\" is not defined",
    );
    check_refused(
        "<locale/>",
        "line 1, column 1: the root element is <locale>, where <style> was expected",
    );
}
