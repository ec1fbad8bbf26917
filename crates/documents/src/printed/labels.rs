//! Citations by label: `[12]`, `[3–5]`, `[ABC+99]`.

use std::collections::HashMap;

use super::citations::{MAX_GROUP_LENGTH, PrintedCitations, citation, cited};
use crate::document::{Block, Cited, ListedReference};
use crate::locator;

/// Citations by bracketed number or mark.
pub(super) fn by_label(body: &[&Block], references: &[ListedReference]) -> PrintedCitations {
    let mut labels: HashMap<String, usize> = HashMap::new();
    for (n, reference) in references.iter().enumerate() {
        if let Some(label) = &reference.label {
            labels.entry(label.clone()).or_insert(n);
        }
    }
    // If most entries lack their numbers, they are numbered by order.
    let is_counted = labels.len() * 5 < references.len() * 4;
    if is_counted {
        labels = (0..references.len())
            .map(|n| ((n + 1).to_string(), n))
            .collect();
    }
    let mut found = PrintedCitations {
        is_by_label: true,
        ..PrintedCitations::default()
    };
    for block in body {
        let text = block.text.as_str();
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find('[')) {
            let start = at + start;
            let Some(group) = LabelGroup::read(text, start) else {
                at = start + 1;
                continue;
            };
            at = group.end;
            let shown = text.get(start..group.end).unwrap_or_default();
            match group.items(&labels, references) {
                Some(items) => found.citations.push(citation(block, items, shown)),
                None => {
                    let beyond = group.numbers().find(|n| *n > references.len());
                    let near = beyond.filter(|n| *n <= references.len() + 5);
                    let citation = citation(block, Vec::new(), shown);
                    found
                        .undefined
                        .extend(near.map(|n| (n.to_string(), citation)));
                }
            }
        }
    }
    let cited = found.cited();
    let is_whole =
        cited.contains(&(references.len() - 1)) && cited.len() * 5 >= references.len() * 4;
    let is_sure = if is_counted {
        is_whole
    } else {
        cited.len() * 2 >= references.len()
    };
    if is_sure {
        found
    } else {
        PrintedCitations::default()
    }
}

/// The content of brackets, or of several consecutive ones: `[1], [3]–[5]`.
struct LabelGroup<'t> {
    /// Each with whether it ends a range.
    parts: Vec<(&'t str, bool)>,
    end: usize,
}

impl<'t> LabelGroup<'t> {
    fn read(text: &'t str, start: usize) -> Option<LabelGroup<'t>> {
        let mut group = LabelGroup {
            parts: Vec::new(),
            end: start,
        };
        let mut is_range = false;
        loop {
            let rest = text.get(group.end..)?;
            let rest = rest
                .get(..rest.floor_char_boundary(MAX_GROUP_LENGTH))
                .unwrap_or(rest);
            let open = rest.find('[')?;
            let close = rest.find(']')?;
            let inside = rest.get(open + 1..close)?;
            for part in inside.split([',', ';']) {
                let mut ends = part.split(['-', '–', '—', '‐', '‑', '−']);
                group.parts.push((ends.next()?.trim(), is_range));
                group.parts.extend(ends.map(|end| (end.trim(), true)));
                is_range = false;
            }
            group.end += close + 1;
            let behind = text.get(group.end..)?;
            let next = behind.find('[').and_then(|next| behind.get(..next));
            match next.map(str::trim) {
                Some("," | ", and" | "and" | "") => {}
                Some("-" | "–" | "—") => is_range = true,
                _ => return Some(group),
            }
        }
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|(part, _)| part.parse().ok())
    }

    /// The works cited; `None` if a part is neither a label nor a locator after one.
    fn items(
        &self,
        labels: &HashMap<String, usize>,
        references: &[ListedReference],
    ) -> Option<Vec<Cited>> {
        const MAX_RANGE_LENGTH: usize = 100;
        let mut items: Vec<Cited> = Vec::new();
        let mut before: Option<usize> = None;
        for (part, is_end) in &self.parts {
            let Some(n) = labels.get(*part).copied() else {
                let is_locator = part.starts_with(|c: char| c.is_alphabetic() || c == '§');
                let last = items.last_mut().filter(|_| is_locator && !is_end)?;
                locator::add(&mut last.cite, &format!(", {part}"));
                continue;
            };
            if *is_end {
                let first = before?;
                if first >= n || n - first > MAX_RANGE_LENGTH {
                    return None;
                }
                items.extend((first + 1..n).map(|n| cited(references, n)));
            }
            items.push(cited(references, n));
            before = Some(n);
        }
        Some(items)
    }
}
