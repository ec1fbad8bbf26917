//! Fixed inputs of the targets (a style that uses every element, a locale, some items, and a document that
//! cites them), and the checks for all bibliography formats.

use std::sync::Arc;

use citation_csl::{self as csl, Compiled, Formatted, Locale, Options, Style};
use citation_exchange::{self as exchange, CSL_JSON, Format, Reading, WriteOptions};
use citation_model::budget::Budget;
use citation_model::cite::{Citation, Cite, CiteMode, Locator};
use citation_model::item::Item;

/// Uses every rendering element, sorts, disambiguates and collapses.
pub const STYLE: &str = include_str!("sample.csl");

const LOCALE: &str = r#"<locale xmlns="http://purl.org/net/xbiblio/csl" version="1.0" xml:lang="en-US">
<style-options punctuation-in-quote="true"/>
<date form="text"><date-part name="month" suffix=" "/><date-part name="day" suffix=", "/><date-part name="year"/></date>
<date form="numeric"><date-part name="year"/><date-part name="month" form="numeric" prefix="-"/><date-part name="day" prefix="-"/></date>
<terms><term name="and">and</term><term name="et-al">et al.</term><term name="ibid">ibid.</term>
<term name="open-quote">“</term><term name="close-quote">”</term><term name="open-inner-quote">‘</term><term name="close-inner-quote">’</term>
<term name="page" form="short"><single>p.</single><multiple>pp.</multiple></term>
<term name="editor" form="short"><single>ed.</single><multiple>eds.</multiple></term>
<term name="ordinal">th</term><term name="ordinal-01">st</term><term name="long-ordinal-01">first</term></terms></locale>"#;

const ITEMS: &str = r#"[
{"id":"a","type":"book","title":"A “Title” of <i>it</i>: the rest","author":[{"family":"de la Roe","given":"Jane Q."},{"literal":"A Body"}],"issued":{"date-parts":[[1999,5,3],[2001]]},"edition":"2nd","publisher":"P","language":"en"},
{"id":"b","type":"article-journal","title":"Other","author":[{"family":"Roe","given":"J."}],"container-title":"T","volume":"12","page":"101-9","issued":{"raw":"1999?"},"DOI":"10.1/x"},
{"id":"c","type":"chapter","title":"Other","author":[{"family":"Roe","given":"John"}],"editor":[{"family":"王","given":"伟"}],"issued":{"date-parts":[[-44]],"circa":true},"number":"3a & 4"},
{"id":"d","type":"webpage","title":"Roe","URL":"https://example.org/a?b=c","accessed":{"literal":"long ago"},"note":"original-date: 1900"}]"#;

pub fn items() -> Vec<Item> {
    read(ITEMS, &CSL_JSON)
        .items
        .into_iter()
        .map(|read| read.item)
        .collect()
}

/// Reads a text without a limit.
pub fn read(text: &str, format: &Format) -> Reading {
    exchange::read(&text.into(), format, &Budget::unlimited()).expect("an unlimited budget")
}

/// Writes items in a format without a limit.
pub fn write(items: &[Item], format: &Format) -> String {
    exchange::write(
        items,
        format,
        &WriteOptions::default(),
        &Budget::unlimited(),
    )
    .expect("an unlimited budget")
}

/// Checks that any text gives items and problems, and that the items can be written in every format and
/// read back.
pub fn exchange(text: &str, format: &Format) {
    let reading = read(text, format);
    let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
    for format in Format::writable().filter(|format| format.is_readable()) {
        let written = write(&items, format);
        assert_eq!(
            read(&written, format).items.len(),
            items.len(),
            "{format:?}"
        );
    }
}

pub fn locale() -> Arc<Locale> {
    Arc::new(Locale::parse(LOCALE).expect("the sample locale parses"))
}

/// Joins a style with a locale, which is used for every tag.
pub fn compile(style: Style, locale: &Arc<Locale>) -> Option<Compiled> {
    let find = |_: &str| Some(Arc::clone(locale));
    Compiled::new(Arc::new(style), None, &find).ok()
}

/// Formats a document that cites all items together and each alone, with every cite option, in every output
/// format.
pub fn format(compiled: &Compiled, items: &[Item]) -> Formatted {
    let cites: Vec<Cite> = items
        .iter()
        .enumerate()
        .map(|(at, item)| cite(item, at))
        .collect();
    let mut citations: Vec<Citation> = cites
        .iter()
        .chain(&cites)
        .enumerate()
        .map(|(at, cite)| Citation {
            id: at.to_string(),
            cites: vec![cite.clone()],
            note_number: at as u32 + 1,
            ..Citation::default()
        })
        .collect();
    citations.push(Citation {
        id: "all".to_owned(),
        cites,
        note_number: 0,
        ..Citation::default()
    });
    let options = Options {
        markers: true,
        links: true,
        ..Options::default()
    };
    let formatted = csl::format(compiled, items, &citations, &options)
        .expect("nothing is spent of an unlimited budget");
    let entries = formatted.bibliography.iter().flatten().map(|e| &e.content);
    for rich in formatted
        .citations
        .iter()
        .chain(&formatted.markers)
        .chain(entries)
    {
        let _ = (rich.html(), rich.text());
        for dialect in DIALECTS {
            let _ = rich.markup(dialect);
        }
    }
    formatted
}

const DIALECTS: [csl::OutputFormat; 4] = [
    csl::OutputFormat::Rtf,
    csl::OutputFormat::Markdown,
    csl::OutputFormat::Latex,
    csl::OutputFormat::Typst,
];

fn cite(item: &Item, at: usize) -> Cite {
    let modes = [
        CiteMode::Normal,
        CiteMode::AuthorOnly,
        CiteMode::SuppressAuthor,
        CiteMode::Composite,
    ];
    Cite {
        id: item.id.clone(),
        locator: (at % 2 == 1).then(|| Locator {
            label: "page".to_owned(),
            value: "12-15".to_owned(),
        }),
        prefix: if at % 3 == 1 { "see" } else { "" }.to_owned(),
        suffix: if at % 3 == 2 { ", end" } else { "" }.to_owned(),
        mode: modes.get(at % 4).copied().unwrap_or_default(),
        ..Cite::default()
    }
}
