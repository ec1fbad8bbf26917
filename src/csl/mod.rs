//! CSL 1.0.2: styles, locales, and the processor that turns items and citations into text.
//! Pure: no I/O, no clock, no globals.
//!
//! ```
//! use std::sync::Arc;
//! use citation::csl::{self, Compiled, Locale, Options, Style};
//! use citation::model::{item::Item, item_type::ItemType, name::Name};
//! use citation::model::variable::{NameVar, TextVar};
//!
//! let style = Style::parse(r#"
//!   <style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
//!     <info><title>Small</title><id>small</id><updated>2026-01-01T00:00:00Z</updated></info>
//!     <citation><layout prefix="(" suffix=")">
//!       <names variable="author"><name form="short"/></names>
//!     </layout></citation>
//!     <bibliography><layout suffix=".">
//!       <group delimiter=", ">
//!         <names variable="author"><name and="text"/></names>
//!         <text variable="title" font-style="italic"/>
//!       </group>
//!     </layout></bibliography>
//!   </style>"#)?;
//! let locale = Arc::new(Locale::parse(r#"
//!   <locale xml:lang="en-US"><terms><term name="and">and</term></terms></locale>"#)?);
//! let find = |tag: &str| (tag == "en-US").then(|| locale.clone());
//! let compiled = Compiled::new(Arc::new(style), None, &find)?;
//!
//! let mut item = Item::new("emma", ItemType::Book);
//! item.set_text(TextVar::Title, "Emma");
//! item.set_names(NameVar::Author, vec![Name::person("Austen", "Jane")]);
//! let options = Options { markers: true, ..Options::default() };
//! let formatted = csl::format(&compiled, &[item], &[], &options);
//!
//! assert_eq!(formatted.markers[0].text(), "(Austen)");
//! let entries = formatted.bibliography.unwrap_or_default();
//! assert_eq!(entries[0].content.html(), "Jane Austen, <i>Emma</i>.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The stages stand in `processor`; each is one call into a module of its own.

mod braces;
mod cluster;
mod compiled;
mod disambiguate;
mod entry;
mod error;
mod eval;
mod hints;
mod item;
mod links;
pub mod locale;
mod node;
pub mod output;
mod particles;
mod position;
mod processor;
mod punctuation;
mod sort;
mod splice;
pub mod style;
mod substitute;
mod text;
mod xml;

pub use compiled::Compiled;
pub use error::{LocaleError, StyleError, StyleFault, Warning};
pub use locale::Locale;
pub use output::Rich;
pub use output::other::Dialect;
pub use processor::{BibliographyParameters, Entry, Formatted, Options, format};
pub use style::Style;
