//! Recognises printed citations without markup: `[12]`, `[3–5]`, `(Doe, 2020; Roe & Poe, 2019a)`, `Doe
//! (2020)`. Each must match an entry of the printed list.

mod authors;
mod citations;
mod labels;

use std::collections::HashSet;

use citation_model::budget::{Budget, Exceeded};

use self::authors::by_author;
use self::citations::PrintedCitations;
use self::labels::by_label;
use crate::document::{Block, BlockKind, Document, ListedReference};

/// Steps per letter of the text.
const LETTER_STEPS: u64 = 1;

/// The paragraphs around a printed list.
struct PrintedText<'d> {
    body: Vec<&'d Block>,
    /// The first paragraph of the list.
    list: usize,
}

impl<'d> PrintedText<'d> {
    /// `None` without a list in paragraphs.
    fn of(document: &'d Document) -> Option<PrintedText<'d>> {
        let references = &document.references;
        let places = || references.iter().filter_map(|r| r.place.paragraph);
        if references.iter().any(|r| r.place.note.is_some()) {
            return None;
        }
        let (first, last) = (places().min()?, places().max()?);
        let is_body = |block: &&Block| {
            let at = block.place.paragraph.unwrap_or_default();
            !(first..=last).contains(&at) && !matches!(block.kind, BlockKind::Heading(_))
        };
        Some(PrintedText {
            body: document.blocks.iter().filter(is_body).collect(),
            list: first,
        })
    }

    fn citations(
        &self,
        references: &[ListedReference],
        budget: &Budget,
    ) -> Result<PrintedCitations, Exceeded> {
        let length: usize = self.body.iter().map(|block| block.text.len()).sum();
        budget.spend(length as u64 * LETTER_STEPS)?;
        let found = by_label(&self.body, references);
        if found.citations.is_empty() {
            by_author(&self.body, references, budget)
        } else {
            Ok(found)
        }
    }
}

/// The entries that the text of a document cites in print, beside its fields.
pub(crate) fn cited(document: &Document, budget: &Budget) -> Result<HashSet<usize>, Exceeded> {
    match PrintedText::of(document) {
        Some(text) => Ok(text.citations(&document.references, budget)?.cited()),
        None => Ok(HashSet::new()),
    }
}

/// Adds the citations of a document with printed text and list, and findings if they are certain.
pub(crate) fn add(document: &mut Document, budget: &Budget) -> Result<(), Exceeded> {
    let references = &document.references;
    let Some(text) = PrintedText::of(document).filter(|_| document.citations.is_empty()) else {
        return Ok(());
    };
    let found = text.citations(references, budget)?;
    let list = { document.blocks.iter() }
        .filter(|block| block.place.paragraph.is_some_and(|at| at >= text.list))
        .map(|block| block.text.as_str());
    let list = list.collect::<Vec<_>>().join("\n");
    let findings = found.findings(&text.body, references, &list);
    document.citations = found.citations;
    document.findings.extend(findings);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Place;
    use crate::list;

    /// Paragraphs of a text, a heading, and the entries of its list.
    fn document(text: &[&str], entries: &[&str]) -> Document {
        let all = text.iter().chain(&["References"]).chain(entries);
        let blocks = all.enumerate().map(|(n, text)| Block {
            text: (*text).to_owned(),
            place: Place {
                paragraph: Some(n + 1),
                ..Place::default()
            },
            ..Block::default()
        });
        let budget = Budget::unlimited();
        let blocks: Vec<Block> = blocks.collect();
        let mut document = list::assemble(blocks, Vec::new(), Vec::new(), &budget).unwrap();
        assert_eq!(document.references.len(), entries.len());
        add(&mut document, &budget).unwrap();
        document
    }

    /// Checks the entries of each citation, from 1.
    #[track_caller]
    fn check(text: &[&str], entries: &[&str], expected: &[(&str, &[usize])]) -> Vec<String> {
        let document = document(text, entries);
        let found: Vec<(&str, Vec<usize>)> = { document.citations.iter() }
            .map(|citation| {
                let items = citation.items.iter().filter_map(|cited| cited.reference);
                (citation.text.as_str(), items.map(|n| n + 1).collect())
            })
            .collect();
        let expected: Vec<(&str, Vec<usize>)> = expected
            .iter()
            .map(|(text, items)| (*text, items.to_vec()))
            .collect();
        assert_eq!(found, expected);
        let findings = document.findings.into_iter();
        findings.map(|finding| finding.message).collect()
    }

    const NUMBERED: [&str; 4] = [
        "[1] Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
        "[2] Roe, R. (2002). On knots. Journal of Knots, 4(2), 11–19.",
        "[3] Poe, P. (2003). On bows. Journal of Bows, 5(2), 21–29.",
        "[4] Moe, M. (2004). On arrows. Journal of Bows, 6(2), 31–39.",
    ];

    #[test]
    fn numbers_in_brackets_are_citations() {
        let text = [
            "As said [1, p. 4], and again [2–4]; in [0, 1] it holds.",
            "Others [1], [3]–[4] agree [see there].",
        ];
        let expected: [(&str, &[usize]); 3] = [
            ("[1, p. 4]", &[1]),
            ("[2–4]", &[2, 3, 4]),
            ("[1], [3]–[4]", &[1, 3, 4]),
        ];
        assert!(check(&text, &NUMBERED, &expected).is_empty());
        let found = document(&text, &NUMBERED);
        let locator = found.citations[0].items[0].cite.locator.clone().unwrap();
        assert_eq!(
            (locator.label.as_str(), locator.value.as_str()),
            ("page", "4")
        );
    }

    #[test]
    fn numbers_without_a_list_are_not_citations() {
        check(
            &["In [1] and [2]."],
            &[
                "Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
                "Roe, R. (2002). On knots. Journal of Knots, 4(2), 11–19.",
                "Poe, P. (2003). On bows. Journal of Bows, 5(2), 21–29.",
            ],
            &[],
        );
    }

    const DATED: [&str; 4] = [
        "Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
        "Doe, J., & Roe, R. (2001). On knots. Journal of Knots, 4(2), 11–19.",
        "Poe, P. (2003a). On bows. Journal of Bows, 5(2), 21–29.",
        "Poe, P. (2003b). On arrows. Journal of Bows, 6(2), 31–39.",
    ];

    #[test]
    fn names_and_years_are_citations() {
        let text = [
            "As said (Doe, 2001; see Doe & Roe, 2001, p. 12), in May (2004) too.",
            "Poe (2003a, 2003b) disagrees (n = 12, 2019), and so do Doe and Roe (2001).",
        ];
        let expected: [(&str, &[usize]); 3] = [
            ("(Doe, 2001; see Doe & Roe, 2001, p. 12)", &[1, 2]),
            ("Poe (2003a, 2003b)", &[3, 4]),
            ("Roe (2001)", &[2]),
        ];
        assert!(check(&text, &DATED, &expected).is_empty());
    }

    #[test]
    fn findings_are_reported_if_all_else_matches() {
        let entries: Vec<String> = (1..=10)
            .map(|n| format!("[{n}] Doe{n}, J. (20{n:02}). On rings of kind {n}. Journal of Rings, 3(2), 1–9."))
            .collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let expected: [(&str, &[usize]); 1] = [("[1–9]", &[1, 2, 3, 4, 5, 6, 7, 8, 9])];
        let told = check(&["See [1–9]. Elsewhere [12]."], &entries, &expected);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("Doe10"), "{told:?}");
        assert!(told[1].contains("[12]"), "{told:?}");
        let expected: [(&str, &[usize]); 1] = [("[1–7]", &[1, 2, 3, 4, 5, 6, 7])];
        let told = check(&["See [1–7]. Elsewhere [12]."], &entries, &expected);
        assert!(told.is_empty(), "{told:?}");
    }
}
