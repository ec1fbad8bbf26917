//! The nodes of RDF/XML and their properties by local name; the same names in different vocabularies are
//! treated alike.

use crate::syntax::paragraphs::paragraphs;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use crate::reading::ReadingBuilder;
use crate::syntax::xml::records::{Layout, walk};
use crate::syntax::xml::tree::Element;
use citation_model::budget::{Budget, Exceeded};

/// A node with its properties.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// The local name of its class: `Article`, `Description`.
    pub class: String,
    /// Its offset in the text; for a nested node, that of the outer node.
    pub offset: usize,
    /// Its address or its id in the document.
    pub id: String,
    pub properties: Vec<(String, Object)>,
    /// Number of properties of this node and of nested ones.
    size: usize,
}

/// The value of a property.
#[derive(Clone, Debug)]
pub enum Object {
    Text(String),
    Reference(String),
    Node(Resource),
}

/// All top-level nodes.
#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Resource>,
    by_id: HashMap<String, usize>,
    /// Ids of nodes that describe parts of others: journals, people.
    pub used: HashSet<String>,
    /// Remaining properties that may be visited through references, since many may refer to one node.
    left: Cell<usize>,
}

const LAYOUT: Layout = Layout {
    is_record: |_, parent| parent == "RDF",
    is_skipped: |_| false,
};

/// How often, on average, each property may be visited through references, and the minimum for small files.
const MAX_FOLLOWED: usize = 16;
const MAX_FOLLOWED_IN_ALL: usize = 100_000;

/// Maximum depth of nested nodes.
const MAX_DEPTH: usize = 16;

impl Graph {
    /// Reads a document. Problems are reported to the builder.
    pub fn read<'t>(
        text: &'t str,
        budget: &'t Budget,
    ) -> Result<(Graph, ReadingBuilder<'t>), Exceeded> {
        let mut graph = Graph::default();
        let builder = walk(text, budget, &LAYOUT, |element, offset, _| {
            graph.nodes.push(resource(element, offset, 0));
        })?;
        budget.spend_bytes(text.len())?;
        let size: usize = graph.nodes.iter().map(|node| node.size + 1).sum();
        graph.left.set(size * MAX_FOLLOWED + MAX_FOLLOWED_IN_ALL);
        for (at, node) in graph.nodes.iter().enumerate() {
            if !node.id.is_empty() {
                graph.by_id.entry(node.id.clone()).or_insert(at);
            }
            let parts = node.properties.iter().filter(|(name, _)| is_part(name));
            graph
                .used
                .extend(parts.filter_map(|(_, object)| match object {
                    Object::Reference(id) => Some(id.clone()),
                    _ => None,
                }));
        }
        Ok((graph, builder))
    }

    /// The node that a value is or refers to.
    pub fn node<'g>(&'g self, object: &'g Object) -> Option<&'g Resource> {
        match object {
            Object::Node(node) => Some(node),
            Object::Reference(id) => {
                let node = self.nodes.get(*self.by_id.get(id)?)?;
                self.left.set(self.left.get().checked_sub(node.size + 1)?);
                Some(node)
            }
            Object::Text(_) => None,
        }
    }
}

/// Whether the value of a property describes the node and is not a work itself.
fn is_part(property: &str) -> bool {
    matches!(
        property,
        "isPartOf"
            | "publisher"
            | "link"
            | "isReferencedBy"
            | "presentedAt"
            | "hasPart"
            | "encoding"
    )
}

fn resource(element: Element<'_>, offset: usize, depth: usize) -> Resource {
    let id = ["about", "nodeID", "ID"]
        .iter()
        .find_map(|name| element.attribute(name));
    let mut properties = Vec::new();
    let mut size = 0;
    if depth < MAX_DEPTH {
        for property in element.children() {
            let name = property.name();
            let reference = ["resource", "nodeID"]
                .iter()
                .find_map(|name| property.attribute(name));
            if let Some(reference) = reference {
                properties.push((name.to_owned(), Object::Reference(reference.into_owned())));
                continue;
            }
            let before = properties.len();
            for node in property.children() {
                let node = resource(node, offset, depth + 1);
                size += node.size;
                properties.push((name.to_owned(), Object::Node(node)));
            }
            if properties.len() == before {
                // The lines of Zotero's extra field are fields of their own.
                let text = match name {
                    "description" => property.lines(),
                    "abstract" => paragraphs(&property.lines()),
                    _ => property.text(),
                };
                properties.push((name.to_owned(), Object::Text(text)));
            }
        }
    }
    Resource {
        class: element.name().to_owned(),
        offset,
        id: id.unwrap_or_default().into_owned(),
        size: size + properties.len(),
        properties,
    }
}

impl Resource {
    pub fn all<'r>(&'r self, names: &'r [&'r str]) -> impl Iterator<Item = &'r Object> {
        let named = self
            .properties
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        named.map(|(_, object)| object)
    }

    /// The first text of any of these properties, including that of a node with only a value.
    pub fn text(&self, names: &[&str]) -> &str {
        let found = names.iter().find_map(|wanted| {
            let mut named = self.properties.iter().filter(|(name, _)| name == wanted);
            named.find_map(|(_, object)| object.text())
        });
        found.unwrap_or_default()
    }
}

impl Object {
    pub fn text(&self) -> Option<&str> {
        match self {
            Object::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
            Object::Node(node) => {
                let value = node.properties.iter().find(|(name, _)| name == "value")?;
                match &value.1 {
                    Object::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
                    _ => None,
                }
            }
            Object::Reference(_) => None,
        }
    }
}
