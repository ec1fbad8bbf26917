//! Every work that a manuscript cites, under the manuscript's own keys.

use std::collections::{HashMap, HashSet};

use citation_documents::{DistinctKeys, Document, Finding, FindingKind, WorkRecord, same_works};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};
use serde_json::Value;

use crate::Sources;

/// The works of a manuscript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collected {
    /// In the order of first citation, followed by works that are not cited.
    pub items: Vec<Item>,
    /// Keys, or printed references, without a known work.
    pub missing: Vec<String>,
    /// Fields whose works cannot be read.
    pub unread: Vec<Finding>,
}

impl Collected {
    /// Adds the works of another manuscript, each once. A key of another work gets a number; further keys of
    /// one work are its aliases.
    pub fn add(&mut self, mut other: Collected, budget: &Budget) -> Result<(), Exceeded> {
        let mut items = std::mem::take(&mut self.items);
        items.append(&mut other.items);
        let records: Vec<WorkRecord<'_>> = items.iter().map(WorkRecord::from).collect();
        let firsts = same_works(&records, budget)?;
        let mut kept: Vec<Option<usize>> = Vec::with_capacity(items.len());
        let mut ids = DistinctKeys::default();
        for (mut item, first) in items.into_iter().zip(firsts) {
            let known = kept.get(first).copied().flatten();
            if let Some(known) = known.and_then(|at| self.items.get_mut(at)) {
                add_alias(known, &item.id);
                kept.push(None);
                continue;
            }
            if !item.id.is_empty() {
                item.id = ids.add(&item.id);
            }
            kept.push(Some(self.items.len()));
            self.items.push(item);
        }
        self.missing.append(&mut other.missing);
        self.unread.append(&mut other.unread);
        Ok(())
    }
}

/// Adds a further key of a work: biblatex's field `ids`.
fn add_alias(item: &mut Item, key: &str) {
    const ALIASES: &str = "ids";
    if key.is_empty() || key == item.id {
        return;
    }
    let known = item.custom.get(ALIASES).and_then(Value::as_str);
    let known = known.unwrap_or_default();
    if known.split(',').any(|known| known.trim() == key) {
        return;
    }
    let all = match known {
        "" => key.to_owned(),
        known => format!("{known},{key}"),
    };
    item.custom.insert(ALIASES.to_owned(), Value::from(all));
}

/// Collects the works of a manuscript. The caller is asked for what the manuscript and its bibliographies
/// lack: by key, DOI or printed reference.
pub fn collect(
    document: &Document,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Collected, Exceeded> {
    let mut collector = Collector {
        sources,
        seen: HashSet::new(),
        out: Collected::default(),
    };
    let entries = document.references.iter().filter(|r| r.item.is_none());
    let printed: HashMap<&str, &str> = entries
        .filter_map(|reference| Some((reference.key.as_deref()?, reference.text.as_str())))
        .collect();
    for cited in document
        .citations
        .iter()
        .flat_map(|citation| &citation.items)
    {
        let key = cited.cite.id.as_str();
        let text = printed.get(key).copied().unwrap_or_default();
        if !key.is_empty() || cited.item.is_some() {
            collector.add(key, cited.known().as_ref(), text);
        }
    }
    // If the citations yield nothing, only the printed list remains.
    let is_cited = !collector.out.items.is_empty();
    for reference in &document.references {
        let key = reference.key.as_deref().unwrap_or_default();
        if is_cited && key.is_empty() {
            continue;
        }
        collector.add(key, reference.known().as_ref(), &reference.text);
    }
    for finding in &document.findings {
        match finding.kind {
            FindingKind::UndefinedKey => {
                for key in &finding.keys {
                    collector.add(key, None, "");
                }
            }
            FindingKind::UnreadField => collector.out.unread.push(finding.clone()),
            _ => {}
        }
    }
    let mut out = Collected::default();
    out.add(collector.out, budget)?;
    Ok(out)
}

struct Collector<'s> {
    sources: &'s dyn Sources,
    seen: HashSet<String>,
    out: Collected,
}

impl Collector<'_> {
    fn add(&mut self, key: &str, item: Option<&Item>, text: &str) {
        let doi = item.and_then(Item::doi).map(|doi| format!("doi:{doi}"));
        let name = [
            key,
            item.map_or("", |item| item.id.as_str()),
            doi.as_deref().unwrap_or(text),
        ]
        .into_iter()
        .find(|name| !name.is_empty());
        let Some(name) = name.map(str::to_owned) else {
            return;
        };
        if !self.seen.insert(name.clone()) {
            return;
        }
        let known = item.filter(|item| says_enough(item)).cloned();
        let found = known
            .or_else(|| self.sources.work(key))
            .or_else(|| self.sources.work(doi.as_deref()?))
            .or_else(|| {
                (!text.is_empty())
                    .then(|| self.sources.reference(text))
                    .flatten()
            });
        match found {
            Some(mut item) => {
                if !key.is_empty() {
                    item.id = key.to_owned();
                    item.text.remove(TextVar::CitationKey);
                }
                self.out.items.push(item);
            }
            None => self.out.missing.push(name),
        }
    }
}

/// Whether an item has more than its identifiers.
pub(crate) fn says_enough(item: &Item) -> bool {
    item.text(TextVar::Title).is_some()
        || item.text(TextVar::ContainerTitle).is_some()
        || !item.names(NameVar::Author).is_empty()
        || !item.names(NameVar::Editor).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::TestSources;

    fn collected(name: &str, text: &str, sources: &TestSources) -> Collected {
        let beside = |name: &str| sources.file(name);
        let document =
            citation_documents::read(name, text.as_bytes(), &beside, &Budget::unlimited()).unwrap();
        collect(&document, sources, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn works_keep_their_keys_and_others_are_missing() {
        let sources = TestSources;
        let text = "---\nbibliography: refs.bib\n---\n[@doi:10.1/light; @young, p. 3; @nobody].";
        let found = collected("paper.md", text, &sources);
        let ids: Vec<&str> = found.items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["doi:10.1/light", "young"]);
        assert_eq!(found.missing, ["nobody"]);
    }

    #[test]
    fn printed_list_is_looked_up() {
        let sources = TestSources;
        let text = "Text.\n\nReferences\n\n1. Huygens C. Treatise on light. Leiden, 1690.\n";
        let found = collected("paper.txt", text, &sources);
        assert_eq!(found.items.len(), 1, "{found:?}");
    }

    #[test]
    fn printed_entry_of_a_cited_key_is_looked_up() {
        let sources = TestSources;
        let text = "\\cite{h}\\begin{thebibliography}{1}\\bibitem{h} Huygens C. Treatise on light. Leiden, 1690.\\end{thebibliography}";
        let found = collected("paper.tex", text, &sources);
        let ids: Vec<&str> = found.items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!((ids, found.missing), (vec!["h"], Vec::new()));
    }
}
