//! Identifies the work of a reference: candidates in order, with their similarity and differences.
//!
//! `cargo run --example which_work`

use citation_matching::rank::rank;
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_model::item::Item;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let items: Vec<Item> = serde_json::from_slice(&citation_embedded::starter()?)?;
    let line = "Watson & Crick, molecular structure of nucleic acids, Nature 1953";
    let reference = Reference::parse(line);
    for found in rank(&reference, &items, &Budget::unlimited())?
        .into_iter()
        .take(3)
    {
        let item = items.get(found.index).ok_or("no such item")?;
        println!("{:.2}  {}", found.score, item.id);
    }
    Ok(())
}
