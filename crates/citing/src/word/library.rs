//! The works of a Word document.

use std::collections::HashMap;

use citation_documents::Cited;
use citation_model::item::Item;
use citation_model::variable::TextVar;

use crate::Sources;
use crate::collect::says_enough;
use crate::works::Works;

/// The works of a document, without duplicates. Citation programs renumber works in every citation, so an
/// id alone does not identify a work.
pub struct CitedWorks<'s> {
    works: Works,
    sources: &'s dyn Sources,
    pub items: Vec<Item>,
    /// By identifying content.
    ids: HashMap<String, String>,
}

impl CitedWorks<'_> {
    pub fn new(works: Works, sources: &dyn Sources) -> CitedWorks<'_> {
        CitedWorks {
            works,
            sources,
            items: Vec::new(),
            ids: HashMap::new(),
        }
    }

    /// The work's id in the processor.
    pub fn id(&mut self, cited: &Cited) -> String {
        let key = &cited.cite.id;
        let own = cited.item.as_ref().filter(|item| says_enough(item));
        let name = match (&cited.doi, own) {
            (Some(doi), _) => doi.to_string(),
            (None, Some(item)) => {
                let title = item.text(TextVar::Title).unwrap_or_default();
                format!("{key} {title} {}", item.year().unwrap_or_default())
            }
            (None, None) => key.clone(),
        };
        if let Some(id) = self.ids.get(&name) {
            return id.clone();
        }
        let known = own.or_else(|| self.works.get(key)).cloned();
        let known = known.or_else(|| self.sources.work(key));
        let known = known.or_else(|| self.sources.work(&format!("doi:{}", cited.doi.as_ref()?)));
        let mut id = key.clone();
        if self.items.iter().any(|item| item.id == id) {
            id = format!("{key} {}", self.items.len());
        }
        self.ids.insert(name, id.clone());
        self.items.extend(known.map(|mut item| {
            item.id.clone_from(&id);
            item
        }));
        id
    }
}
