//! Converts BibTeX to RIS and reports unreadable input with its position.
//!
//! `cargo run --example bibtex_to_ris`

use citation_exchange::{BIBTEX, RIS, WriteOptions, read, write};
use citation_model::budget::Budget;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Limit untrusted input with `Budget::new(steps, bytes)`.
    let budget = Budget::unlimited();
    let text = r#"
        @string{nature = "Nature"}
        @article{dna,
          author = {Watson, J. D. and Crick, F. H. C.},
          title = {Molecular structure of nucleic acids},
          journal = nature, volume = 171, pages = {737--738}, year = 1953}
        @book{cut, title = {Never closed"#;
    let reading = read(&text.into(), &BIBTEX, &budget)?;
    for problem in &reading.problems {
        eprintln!("line {}: {}", problem.line, problem.message);
    }
    let items: Vec<_> = reading.items.into_iter().map(|read| read.item).collect();
    let ris = write(&items, &RIS, &WriteOptions::default(), &budget)?;
    print!("{ris}");
    Ok(())
}
