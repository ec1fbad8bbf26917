//! Hostile input: endless nesting, pairs that never close, products of input sizes. The cost is counted
//! in steps of the budget; everything runs on a small stack.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::sync::Arc;

use citation_csl::{Compiled, Formatted, Locale, Options, OutputFormat, Rich, Style};
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::{Citation, Cite, Locator};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// The stack size of a formatting thread.
const STACK: usize = 256 << 10;

/// The default limit of a request.
const STEPS: u64 = 20_000_000;
const BYTES: u64 = 128 << 20;

fn compiled(style: &str) -> Compiled {
    let xml = citation_embedded::style(style).unwrap();
    compile(&xml).unwrap()
}

fn compile(xml: &str) -> Result<Compiled, citation_csl::StyleError> {
    let find = |tag: &str| {
        let xml = citation_embedded::locale(tag)?;
        Some(Arc::new(Locale::parse(&xml).unwrap()))
    };
    Compiled::new(Arc::new(Style::parse(xml)?), None, &find)
}

/// A style with the given layout and macros.
fn style_of(macros: &str, layout: &str) -> String {
    format!(
        "<style xmlns=\"http://purl.org/net/xbiblio/csl\" class=\"in-text\" version=\"1.0\">\
         <info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>\
         {macros}<citation disambiguate-add-year-suffix=\"true\"><layout>{layout}</layout></citation>\
         <bibliography><layout>{layout}</layout></bibliography></style>"
    )
}

fn item(id: usize, set: impl FnOnce(&mut Item)) -> Item {
    let mut item = Item::new(id.to_string(), ItemType::Book);
    set(&mut item);
    item
}

fn titled(title: &str) -> Vec<Item> {
    vec![item(0, |item| item.set_text(TextVar::Title, title))]
}

/// Formats a bibliography with its markers on a small stack, and drops it there.
fn format(compiled: Compiled, items: Vec<Item>, budget: &Budget) -> Result<(), Exceeded> {
    let options = Options {
        markers: true,
        links: true,
        budget: budget.clone(),
        ..Options::default()
    };
    let work = move || {
        let cites = items.iter().map(|item| Cite {
            id: item.id.clone(),
            locator: item.number(NumberVar::Page).map(|page| Locator {
                label: String::new(),
                value: page.to_owned(),
            }),
            ..Cite::default()
        });
        let citation = Citation {
            cites: cites.collect(),
            ..Citation::default()
        };
        citation_csl::format(&compiled, &items, &[citation], &options).map(write)
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.unwrap().join().unwrap()
}

/// Writes everything in every format.
fn write(formatted: Formatted) {
    let entries = formatted.bibliography.iter().flatten();
    let contents = entries.map(|entry| &entry.content);
    for rich in contents
        .chain(&formatted.markers)
        .chain(&formatted.citations)
    {
        assert!(!rich.text().is_empty() || rich == &Rich::default());
        assert!(rich.html().len() >= rich.text().len());
        for format in OutputFormat::ALL {
            let _ = rich.markup(format);
        }
    }
}

fn steps(style: &str, items: Vec<Item>) -> u64 {
    let budget = Budget::unlimited();
    format(compiled(style), items, &budget).unwrap();
    budget.steps()
}

/// Asserts that ten times the input costs about ten times the steps.
#[track_caller]
fn check_linear(style: &str, items: impl Fn(usize) -> Vec<Item>) {
    let [small, large, huge] = [30, 300, 3_000].map(|n| steps(style, items(n)));
    assert!(large < small * 14 + 1_000, "{style}: {small}, {large}");
    assert!(huge < large * 14 + 1_000, "{style}: {large}, {huge}");
}

#[test]
fn nested_markup_is_bounded() {
    let nest =
        |open: &str, close: &str| format!("{}x{}", open.repeat(20_000), close.repeat(20_000));
    for title in [
        nest("<i>", "</i>"),
        nest("<span class=\"nocase\">", "</span>"),
        nest("“", "”"),
        nest("“<b>", "</b>”"),
        nest("<i>“", "</i>”"),
    ] {
        for style in ["apa", "chicago-notes-bibliography"] {
            let budget = Budget::new(STEPS, BYTES);
            format(compiled(style), titled(&title), &budget).unwrap();
        }
    }
}

#[test]
fn unpaired_markup_costs_its_length() {
    let titles: [fn(usize) -> String; 9] = [
        |n| "<i>".repeat(3 * n) + &"</b>".repeat(2 * n),
        |n| "<span".repeat(3 * n) + ">",
        |n| "<i>“</i>”".repeat(n),
        |n| "“<i>”</i>".repeat(n),
        |n| "“".repeat(n) + &"’ ".repeat(n),
        |n| " \"a".repeat(n),
        |n| "word ".repeat(n),
        |n| "<sup>a</sup>-".repeat(n),
        |n| "a-".repeat(n),
    ];
    for title in titles {
        check_linear("apa", |n| titled(&title(n)));
        check_linear("modern-language-association", |n| titled(&title(n)));
    }
}

#[test]
fn long_numbers_cost_their_length() {
    let values: [fn(usize) -> String; 7] = [
        |n| "1-2, ".repeat(n),
        |n| "1a-b-".repeat(n),
        |n| "\u{2003}".repeat(n) + "x",
        |n| "\\".repeat(n) + "x",
        |n| "Q ab. ".repeat(n),
        |n| "vol. 1 ".repeat(n),
        |n| "1".repeat(n),
    ];
    for value in values {
        check_linear("apa", |n| {
            vec![item(0, |item| {
                item.set_number(NumberVar::Page, value(n));
                item.set_number(NumberVar::Volume, value(n));
                item.set_number(NumberVar::Edition, value(n));
                item.set_text(TextVar::Doi, "10.1000/a".to_owned() + &")".repeat(n));
            })]
        });
    }
}

/// Names with the same family name; every second first one has a suffix.
fn many_authors(entries: usize, authors: usize) -> Vec<Item> {
    let author = Name::person("Ash", "Ann");
    (0..entries)
        .map(|at| {
            let mut names = vec![author.clone(); authors];
            names[0].suffix = (at % 2 == 1).then(|| "Jr.".to_owned());
            item(at, |item| item.set_names(NameVar::Author, names))
        })
        .collect()
}

#[test]
fn names_are_told_apart_in_linear_time() {
    for style in ["apa", "chicago-author-date", "modern-language-association"] {
        let [small, large] = [100, 1_000].map(|n| steps(style, many_authors(20, n)));
        assert!(large < small * 14, "{style}: {small}, {large}");
    }
    let budget = Budget::new(STEPS, BYTES);
    format(compiled("apa"), many_authors(20, 4_000), &budget).unwrap();
}

#[test]
fn equal_entries_cost_no_more_than_others() {
    let equal = |n: usize| {
        let author = || vec![Name::person("Ash", "Ann")];
        (0..n)
            .map(|at| item(at, |item| item.set_names(NameVar::Author, author())))
            .collect::<Vec<Item>>()
    };
    for style in ["apa", "chicago-author-date", "ieee"] {
        let [small, large, huge] = [10, 100, 1_000].map(|n| steps(style, equal(n)));
        assert!(large < small * 14, "{style}: {small}, {large}");
        assert!(huge < large * 14, "{style}: {large}, {huge}");
    }
}

#[test]
fn given_names_cost_their_length() {
    let names: [fn(usize) -> (String, String); 4] = [
        |n| ("a'".repeat(n), "Ann".to_owned()),
        |n| ("Ash".to_owned(), "A.  ".repeat(n)),
        |n| ("Ash".to_owned(), "Jean-".repeat(n)),
        |n| ("van ".repeat(n), "de ".repeat(n)),
    ];
    for name in names {
        check_linear("apa", |n| {
            let (family, given) = name(n);
            let mut name = Name::person(&family, &given);
            name.parse_names = true;
            vec![item(0, |item| item.set_names(NameVar::Author, vec![name]))]
        });
    }
}

#[test]
fn joined_text_spends_bytes() {
    let delimiter = "x".repeat(4_000);
    let values = "<text value=\"a\"/>".repeat(4_000);
    let macros =
        format!("<macro name=\"m\"><group delimiter=\"{delimiter}\">{values}</group></macro>");
    let xml = style_of(&macros, &"<text macro=\"m\"/>".repeat(5));
    let budget = Budget::new(STEPS, BYTES);
    let result = format(compile(&xml).unwrap(), titled("T"), &budget);
    assert_eq!(result, Err(Exceeded::Bytes { limit: BYTES }));
}

#[test]
fn attributes_are_bounded() {
    let delimiter = "x".repeat(100_000);
    let xml = style_of("", &format!("<group delimiter=\"{delimiter}\"/>"));
    let fault = compile(&xml).map(|_| ()).unwrap_err().reason;
    let attribute = "delimiter".to_owned();
    let expected = citation_csl::StyleFault::AttributeTooLong {
        attribute,
        limit: 4096,
    };
    assert_eq!(fault, expected);
}

/// The deepest accepted style, with the deepest text, on a small stack.
#[test]
fn deepest_style_formats_on_a_small_stack() {
    const DEPTH: usize = 48;
    let title = format!("{}x{}", "<i>".repeat(99), "</i>".repeat(99));
    let nest = |open: &str, close: &str, depth: usize, inner: &str| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let names = "<names variable=\"editor\"><substitute>";
    let layouts = [
        nest(
            "<group delimiter=\", \">",
            "</group>",
            DEPTH - 3,
            "<text variable=\"title\"/>",
        ),
        nest(
            "<choose><if variable=\"title\">",
            "</if></choose>",
            (DEPTH - 3) / 2,
            "<text variable=\"title\"/>",
        ),
        nest(
            names,
            "</substitute></names>",
            (DEPTH - 3) / 2,
            "<names variable=\"author\"/>",
        ),
    ];
    for layout in layouts {
        let items = || {
            let mut items = titled(&title);
            items[0].set_names(NameVar::Author, vec![Name::person("<i>Ash</i>", "Ann")]);
            items
        };
        let xml = style_of("", &layout);
        let parse = move || compile(&xml).unwrap();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(parse);
        format(
            thread.unwrap().join().unwrap(),
            items(),
            &Budget::unlimited(),
        )
        .unwrap();
    }
    let call = |n: usize| format!("<macro name=\"m{n}\"><text macro=\"m{}\"/></macro>", n + 1);
    let mut macros: String = (0..DEPTH - 2).map(call).collect();
    macros.push_str(&format!(
        "<macro name=\"m{}\"><text variable=\"title\"/></macro>",
        DEPTH - 2
    ));
    let xml = style_of(&macros, "<text macro=\"m0\"/>");
    format(compile(&xml).unwrap(), titled(&title), &Budget::unlimited()).unwrap();
}

#[test]
fn spent_budget_stops_at_once() {
    let authors = many_authors(10, 100);
    for limit in [1, 100, 1_000, 10_000] {
        let budget = Budget::new(limit, BYTES);
        let result = format(compiled("apa"), authors.clone(), &budget);
        assert_eq!(result, Err(Exceeded::Steps { limit }));
        assert!(
            budget.steps() < limit + 2_000,
            "{limit}: {}",
            budget.steps()
        );
    }
    let budget = Budget::new(STEPS, BYTES);
    budget.cancel();
    let result = format(compiled("apa"), authors, &budget);
    assert_eq!(result, Err(Exceeded::Cancelled));
}

/// A bibliography of a thousand entries takes a small part of a request's limit.
#[test]
fn honest_bibliographies_stay_far_below_the_budget() {
    let works: Vec<Item> = serde_json::from_slice(&citation_embedded::starter().unwrap()).unwrap();
    let works: Vec<Item> = works.into_iter().take(100).collect();
    for style in [
        "apa",
        "chicago-author-date",
        "chicago-notes-bibliography",
        "chicago-shortened-notes-bibliography",
        "modern-language-association",
    ] {
        let steps = steps(style, works.clone());
        println!("{style}: {} steps an entry", steps / 100);
        assert!(steps * 10 < STEPS / 4, "{style}: {steps}");
    }
}
