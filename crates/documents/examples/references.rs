//! Prints the references and citations of manuscripts, a JSON object a file:
//! `cargo run -p citation-documents --example references -- paper.docx`.

use std::path::Path;

use citation_documents::read;
use citation_model::budget::Budget;

fn main() {
    for path in std::env::args().skip(1) {
        let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
        let beside = |name: &str| std::fs::read(folder.join(name)).ok();
        let document = std::fs::read(&path)
            .map_err(|cause| cause.to_string())
            .and_then(|bytes| {
                read(&path, &bytes, &beside, &Budget::unlimited())
                    .map_err(|cause| cause.to_string())
            });
        match document {
            Ok(document) => println!("{}", document.json(&path)),
            Err(cause) => eprintln!("{path}: {cause}"),
        }
    }
}
