//! Reads saved pages and prints a line of JSON a page: `webpages INDEX.tsv`.

use std::io::Read;

use citation_model::budget::Budget;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_records::webpage;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let index = std::env::args().nth(1).ok_or("no index")?;
    let folder = std::path::Path::new(&index).parent().ok_or("no folder")?;
    for line in std::fs::read_to_string(&index)?.lines().skip(1) {
        let mut cells = line.split('\t');
        let (Some(file), Some(url)) = (cells.next(), cells.next()) else {
            continue;
        };
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(std::fs::File::open(folder.join(file))?)
            .read_to_end(&mut bytes)?;
        let html = webpage::decode(&bytes);
        let budget = Budget::unlimited();
        let page = webpage::read(
            &html,
            Some(url).filter(|url| !url.is_empty()),
            None,
            &budget,
        )?;
        let item = &page.item;
        let authors: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(|name| name.display())
            .collect();
        println!(
            "{}",
            json!({
                "file": file, "title": item.text(TextVar::Title), "authors": authors,
                "date": item.date(DateVar::Issued).map(|date| date.edtf()),
                "container_title": item.text(TextVar::ContainerTitle), "site_name": page.site,
                "publisher": item.text(TextVar::Publisher), "doi": item.text(TextVar::Doi),
                "isbn": item.text(TextVar::Isbn), "pmid": item.text(TextVar::Pmid),
                "volume": item.number(NumberVar::Volume), "issue": item.number(NumberVar::Issue),
                "pages": item.number(NumberVar::Page), "issn": item.text(TextVar::Issn),
                "language": item.text(TextVar::Language), "type": item.kind.csl(), "url": item.text(TextVar::Url),
                "steps": budget.steps(), "bytes": html.len(),
            })
        );
    }
    Ok(())
}
