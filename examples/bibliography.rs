//! A bibliography: items in CSL-JSON, an embedded style, HTML output.
//!
//! `cargo run --example bibliography`

use std::sync::Arc;

use citation_csl::{Compiled, Locale, Options, Style, format};
use citation_model::item::Item;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let items: Vec<Item> = serde_json::from_str(
        r#"[
        {"id": "emma", "type": "book", "title": "Emma", "publisher": "Murray",
         "author": [{"family": "Austen", "given": "Jane"}], "issued": {"date-parts": [[1815]]}},
        {"id": "dna", "type": "article-journal", "title": "Molecular structure of nucleic acids",
         "author": [{"family": "Watson", "given": "J. D."}, {"family": "Crick", "given": "F. H. C."}],
         "container-title": "Nature", "volume": "171", "page": "737-738",
         "issued": {"date-parts": [[1953, 4, 25]]}, "DOI": "10.1038/171737a0"}
    ]"#,
    )?;
    // Any style file and locale file can be used; the service embeds some.
    let style = Style::parse(&citation_embedded::style("apa").ok_or("no such style")?)?;
    let locale = |tag: &str| {
        Some(Arc::new(
            Locale::parse(&citation_embedded::locale(tag)?).ok()?,
        ))
    };
    let compiled = Compiled::new(Arc::new(style), Some("en-GB"), &locale)?;

    let formatted = format(&compiled, &items, &[], &Options::default())?;
    for entry in formatted.bibliography.into_iter().flatten() {
        println!("{}", entry.content.html());
    }
    Ok(())
}
