//! Bibliography files, parsed by the exchange formats.

use citation_exchange::{self as exchange, Content, Severity};
use citation_model::budget::Budget;
use citation_model::item::Item;

use super::format::RecordFormat;
use super::refused::RejectedRecord;

/// The content of a run of a text format.
pub struct ParsedRun {
    pub items: Vec<Item>,
    pub refused: Vec<RejectedRecord>,
}

/// Parses a run of whole entries, in any encoding. The first bytes of a BibTeX run may be inherited
/// from other runs.
pub fn read(format: RecordFormat, bytes: &[u8], inherited: usize) -> ParsedRun {
    let content = Content::new(bytes);
    let budget = Budget::unlimited();
    let reading = match format {
        RecordFormat::File(format) => exchange::read(&content, format, &budget),
        RecordFormat::Ris => exchange::read(&content, &exchange::RIS, &budget),
        _ => exchange::bibtex::read::read_after(content.text(), inherited, &budget),
    };
    // Without a limit nothing is exceeded.
    let reading = reading.unwrap_or_default();
    let lost = reading
        .problems
        .into_iter()
        .filter(|problem| problem.severity == Severity::Error);
    ParsedRun {
        items: reading.items.into_iter().map(|read| read.item).collect(),
        refused: lost
            .map(|problem| RejectedRecord {
                reason: problem.message,
                line: Some(problem.line as u64),
            })
            .collect(),
    }
}
