//! Reads saved pages and prints a line of JSON a page: `webpages INDEX.tsv`; with words behind it, the evidence of
//! the pages whose file has one of them in its name.

use std::io::Read;

use citation_model::budget::Budget;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_records::{clean, webpage};
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
        let budget = Budget::unlimited();
        let words: Vec<String> = std::env::args().skip(2).collect();
        if !words.is_empty() && !words.iter().any(|word| file.contains(word.as_str())) {
            continue;
        }
        let (page, explanation) = webpage::explain(&bytes, Some(url), None, &budget)?;
        if !words.is_empty() {
            println!("{file}\n{explanation}");
            continue;
        }
        let item = &page.item;
        let names = item.names(NameVar::Author).iter();
        let authors: Vec<String> = names.map(|name| name.display()).collect();
        let issns: Vec<String> = item.issns().iter().map(ToString::to_string).collect();
        let isbns: Vec<String> = item.isbns().iter().map(ToString::to_string).collect();
        println!(
            "{}",
            json!({
                "file": file, "title": item.text(TextVar::Title).map(clean::plain), "authors": authors,
                "date": item.date(DateVar::Issued).map(|date| date.edtf()),
                "container_title": item.text(TextVar::ContainerTitle), "site_name": page.site,
                "publisher": item.text(TextVar::Publisher), "doi": item.text(TextVar::Doi),
                "isbn": isbns.first(), "pmid": item.text(TextVar::Pmid),
                "volume": item.number(NumberVar::Volume), "issue": item.number(NumberVar::Issue),
                "pages": item.number(NumberVar::Page), "issn": issns,
                "language": item.text(TextVar::Language), "type": item.kind.csl(),
                "url": item.text(TextVar::Url),
                "steps": budget.steps(), "bytes": bytes.len(),
            })
        );
    }
    Ok(())
}
