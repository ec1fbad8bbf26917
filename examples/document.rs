//! A document with citations: each cite depends on earlier ones.
//!
//! `cargo run --example document`

use std::sync::Arc;

use citation_csl::{Compiled, Locale, Options, Style, format};
use citation_model::cite::{Citation, Cite, CiteMode, Locator};
use citation_model::item::Item;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let items: Vec<Item> = serde_json::from_str(
        r#"[
        {"id": "emma", "type": "book", "title": "Emma", "publisher": "Murray",
         "author": [{"family": "Austen", "given": "Jane"}], "issued": {"date-parts": [[1815]]}},
        {"id": "persuasion", "type": "book", "title": "Persuasion", "publisher": "Murray",
         "author": [{"family": "Austen", "given": "Jane"}], "issued": {"date-parts": [[1817]]}}
    ]"#,
    )?;
    let cite = |id: &str| Cite {
        id: id.to_owned(),
        ..Cite::default()
    };
    let page = Locator {
        label: "page".to_owned(),
        value: "12-15".to_owned(),
    };
    let citations = [
        vec![Cite {
            locator: Some(page),
            ..cite("emma")
        }],
        vec![cite("emma"), cite("persuasion")],
        // The running text names the author.
        vec![Cite {
            mode: CiteMode::SuppressAuthor,
            ..cite("persuasion")
        }],
    ];
    let citations: Vec<Citation> = citations
        .into_iter()
        .zip(1..)
        .map(|(cites, note_number)| Citation {
            cites,
            note_number,
            ..Citation::default()
        })
        .collect();

    for name in ["chicago-notes", "modern-language-association"] {
        let style = Style::parse(&citation_embedded::style(name).ok_or("no such style")?)?;
        let locale = |tag: &str| {
            Some(Arc::new(
                Locale::parse(&citation_embedded::locale(tag)?).ok()?,
            ))
        };
        let compiled = Compiled::new(Arc::new(style), None, &locale)?;
        let formatted = format(&compiled, &items, &citations, &Options::default())?;
        println!("{name}");
        for citation in &formatted.citations {
            println!("  {}", citation.text());
        }
    }
    Ok(())
}
