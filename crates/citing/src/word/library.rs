//! The works of a Word document.

use std::collections::HashSet;

use citation_documents::Cited;
use citation_model::item::Item;

use crate::Sources;
use crate::collect::says_enough;
use crate::works::Works;

/// The works of a document. Each key names one work.
pub struct CitedWorks<'s> {
    works: Works,
    sources: &'s dyn Sources,
    asked: HashSet<String>,
    pub items: Vec<Item>,
}

impl CitedWorks<'_> {
    pub fn new(works: Works, sources: &dyn Sources) -> CitedWorks<'_> {
        CitedWorks {
            works,
            sources,
            asked: HashSet::new(),
            items: Vec::new(),
        }
    }

    /// Adds works that are listed, whether cited or not.
    pub fn list(&mut self, items: &[Item]) {
        for item in items {
            if says_enough(item) && self.asked.insert(item.id.clone()) {
                self.items.push(item.clone());
            }
        }
    }

    /// Adds the work: as the document has it, or from a bibliography or the caller.
    pub fn add(&mut self, cited: &Cited) {
        let key = &cited.cite.id;
        if !self.asked.insert(key.clone()) {
            return;
        }
        let own = cited.item.as_ref().filter(|item| says_enough(item));
        let known = own.or_else(|| self.works.get(key)).cloned();
        let known = known.or_else(|| self.sources.work(key));
        let known = known.or_else(|| self.sources.work(&format!("doi:{}", cited.doi.as_ref()?)));
        self.items.extend(known.map(|mut item| {
            item.id.clone_from(key);
            item
        }));
    }
}
