//! Prints what is in the documents that are named, a JSON line each:
//! `cargo run -p citation-documents --example references -- paper.docx …`

use std::path::Path;

use citation_documents::read;
use citation_model::budget::Budget;

fn main() {
    for name in std::env::args().skip(1) {
        let folder = Path::new(&name)
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default();
        let beside = |path: &str| std::fs::read(folder.join(path)).ok();
        let budget = Budget::unlimited();
        let document = std::fs::read(&name)
            .map_err(|cause| cause.to_string())
            .and_then(|bytes| {
                read(&name, &bytes, &beside, &budget).map_err(|cause| cause.to_string())
            });
        match document {
            Ok(document) => println!("{}", document.json(&name)),
            Err(cause) => eprintln!("{name}: {cause}"),
        }
        eprintln!("{name}: {} steps", budget.steps());
    }
}
