//! BibTeX to RIS, and what could not be read, with its place.
//!
//! `cargo run --example bibtex_to_ris`

use citation_exchange::{Format, WriteOptions, read, write};
use citation_model::budget::Budget;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What strangers send gets a limit: `Budget::new(steps, bytes)`.
    let budget = Budget::unlimited();
    let text = r#"
        @string{nature = "Nature"}
        @article{dna,
          author = {Watson, J. D. and Crick, F. H. C.},
          title = {Molecular structure of nucleic acids},
          journal = nature, volume = 171, pages = {737--738}, year = 1953}
        @book{cut, title = {Never closed"#;
    let reading = read(text, Format::Bibtex, &budget)?;
    for problem in &reading.problems {
        eprintln!("line {}: {}", problem.line, problem.message);
    }
    let items: Vec<_> = reading.items.into_iter().map(|read| read.item).collect();
    let ris = write(&items, Format::Ris, &WriteOptions::default(), &budget)?;
    print!("{ris}");
    Ok(())
}
