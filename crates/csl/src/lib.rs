#![doc = include_str!("../README.md")]
//!
//! # Files that exist
//!
//! Any CSL 1.0.2 style and locale file works; `citation-embedded` contains some. Items are read from
//! CSL-JSON. A [`Compiled`] takes milliseconds to create and is cheap to share, so keep it.
//!
//! ```
//! # use std::sync::Arc;
//! # use citation_csl::{Compiled, Locale, Options, Style};
//! use citation_model::item::Item;
//!
//! let style = Style::parse(&citation_embedded::style("apa").ok_or("no such style")?)?;
//! let find = |tag: &str| Some(Arc::new(Locale::parse(&citation_embedded::locale(tag)?).ok()?));
//! let compiled = Compiled::new(Arc::new(style), Some("de-DE"), &find)?;
//! let items: Vec<Item> = serde_json::from_str(r#"[
//!   {"id": "emma", "type": "book", "title": "Emma", "publisher": "Murray", "edition": "2",
//!    "author": [{"family": "Austen", "given": "Jane"}], "issued": {"date-parts": [[1815]]}}
//! ]"#)?;
//!
//! let formatted = citation_csl::format(&compiled, &items, &[], &Options::default())?;
//! let entries = formatted.bibliography.unwrap_or_default();
//! assert_eq!(entries[0].content.text(), "Austen, J. (1815). Emma (2. Aufl.). Murray.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A document
//!
//! Citations are formatted together: each cite depends on earlier ones, ambiguous cites are disambiguated,
//! and numbers follow the bibliography. A cite has a locator, affixes and a mode.
//!
//! ```
//! # use std::sync::Arc;
//! # use citation_csl::{Compiled, Options, Style};
//! use citation_model::cite::{Citation, Cite, CiteMode, Locator};
//! # use citation_model::{date::DateParts, item::Item, item_type::ItemType, name::Name};
//! # use citation_model::variable::{DateVar, NameVar};
//! let style = Style::parse(r#"
//!   <style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
//!     <info><title>Dates</title><id>dates</id><updated>2026-01-01T00:00:00Z</updated></info>
//!     <citation disambiguate-add-year-suffix="true">
//!       <layout prefix="(" suffix=")" delimiter="; ">
//!         <group delimiter=", ">
//!           <group delimiter=" ">
//!             <names variable="author"><name form="short"/></names>
//!             <date variable="issued"><date-part name="year"/></date>
//!           </group>
//!           <text variable="locator"/>
//!         </group>
//!       </layout>
//!     </citation>
//!   </style>"#)?;
//! let compiled = Compiled::new(Arc::new(style), None, &|_| None)?;
//! let novel = |id: &str| {
//!     let mut item = Item::new(id, ItemType::Book);
//!     item.set_names(NameVar::Author, vec![Name::person("Austen", "Jane")]);
//!     item.set_date(DateVar::Issued, DateParts::year(1815).into());
//!     item
//! };
//! let cite = |id: &str, mode: CiteMode| Cite { id: id.to_owned(), mode, ..Cite::default() };
//! let alone = |cite: Cite| Citation { cites: vec![cite], ..Citation::default() };
//! let page = Locator { label: "page".to_owned(), value: "12".to_owned() };
//!
//! let citations = [
//!     alone(Cite { locator: Some(page), ..cite("emma", CiteMode::Normal) }),
//!     alone(cite("other", CiteMode::SuppressAuthor)),
//!     alone(cite("other", CiteMode::AuthorOnly)),
//!     alone(cite("emma", CiteMode::Composite)),
//! ];
//! let items = [novel("emma"), novel("other")];
//! let formatted = citation_csl::format(&compiled, &items, &citations, &Options::default())?;
//! let texts: Vec<String> = formatted.citations.iter().map(|c| c.text()).collect();
//! assert_eq!(texts, ["(Austen 1815a, 12)", "(1815b)", "Austen", "Austen (1815a)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Output
//!
//! The result is [`Rich`]: formatted once, writable in any output format.
//!
//! ```
//! # use std::sync::Arc;
//! # use citation_csl::{Compiled, Options, Style};
//! use citation_csl::OutputFormat;
//! # use citation_model::{item::Item, item_type::ItemType, variable::TextVar};
//! # let style = Style::parse(r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text"
//! #   version="1.0"><info><title>T</title><id>t</id><updated>2026-01-01T00:00:00Z</updated></info>
//! #   <citation><layout><text variable="title" font-style="italic"/></layout></citation></style>"#)?;
//! # let compiled = Compiled::new(Arc::new(style), None, &|_| None)?;
//! let mut item = Item::new("a", ItemType::Book);
//! item.set_text(TextVar::Title, "Cats & <b>Dogs</b>");
//! let options = Options { markers: true, ..Options::default() };
//! let marker = &citation_csl::format(&compiled, &[item], &[], &options)?.markers[0];
//!
//! assert_eq!(marker.text(), "Cats & Dogs");
//! assert_eq!(marker.html(), "<i>Cats &amp; <b>Dogs</b></i>");
//! assert_eq!(marker.markup(OutputFormat::Markdown), "*Cats \\& **Dogs***");
//! assert_eq!(marker.markup(OutputFormat::Latex), "\\textit{Cats \\& \\textbf{Dogs}}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors and warnings
//!
//! An invalid style or locale is rejected with line, column and reason, and so is a style whose macros are
//! recursive or expand beyond the limit. Items are never rejected: a missing variable that the style shows
//! is a [`Warning`]. Variables are shown unchanged, including field markup; everything else is escaped.
//!
//! ```
//! use citation_csl::Style;
//!
//! let fault = Style::parse("<style>\n  <macro/>\n</style>").unwrap_err();
//! assert_eq!(fault.line, 2);
//! ```
//!
//! Set [`Options::budget`] for untrusted input: formatting stops with an error once the budget is spent or
//! cancelled. All recursion fits a stack of 256 KiB.
//!
//! `processor` runs the stages; each is one call into a module.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod addresses;
mod braces;
mod cite_order;
mod cluster;
mod collapse;
mod compiled;
mod disambiguate;
mod document;
mod entry;
mod error;
mod eval;
mod hints;
mod item;
mod links;
mod locale;
mod node;
mod output;
mod particles;
mod position;
mod processor;
mod punctuation;
mod sort;
mod style;
mod substitute;
mod text;
mod titles;
mod warnings;
mod xml;

pub use compiled::Compiled;
pub use entry::Entry;
pub use error::{LocaleError, StyleError, StyleFault, Warning};
pub use locale::{Locale, TOKENS as LOCALE_TOKENS, lang};
pub use output::other::{OutputFormat, write_all};
pub use output::{Part, Rich, Shape};
pub use processor::{BibliographyParameters, Formatted, Options, format, format_spread};
pub use style::info::{CitationFormat, Info};
pub use style::lints::lints;
pub use style::{Class, SecondFieldAlign, Style, StyleOptions, TOKENS as STYLE_TOKENS};
pub use text::sentence::suggestion as sentence_case;
pub use warnings::{UNKNOWN_ITEM, unknown_item};
