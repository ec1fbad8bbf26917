//! Inserts the bibliography into a document.

use std::collections::HashMap;

use citation_csl::{BibliographyParameters, Entry};
use serde_json::{Value, json};

use super::ast;
use super::markup::Kept;

/// The bibliography and its position.
pub struct PandocBibliography {
    pub parameters: BibliographyParameters,
    pub title: Option<Vec<Value>>,
}

impl PandocBibliography {
    /// Inserts into the division `refs`, entries of a named bibliography into `refs-NAME`, otherwise at the
    /// end.
    pub fn insert(
        &self,
        blocks: &mut Vec<Value>,
        entries: Vec<(String, Value)>,
        groups: &HashMap<String, String>,
    ) {
        let mut rest = Vec::new();
        let mut of_group: HashMap<&str, Vec<Value>> = HashMap::new();
        for (id, entry) in entries {
            match groups.get(&id) {
                Some(group) => of_group.entry(group).or_default().push(entry),
                None => rest.push(entry),
            }
        }
        let mut names: Vec<&str> = of_group.keys().copied().collect();
        names.sort_unstable();
        for name in names {
            let Some(entries) = of_group.remove(name) else {
                continue;
            };
            match find_div(blocks, &|id| id == format!("refs-{name}")) {
                Some(div) => self.fill(div, entries),
                None => rest.extend(entries),
            }
        }
        if rest.is_empty() {
            return;
        }
        if let Some(div) = find_div(blocks, &|id| id == "refs" || id.ends_with("__refs")) {
            return self.fill(div, rest);
        }
        match &self.title {
            Some(title) => blocks.push(json!({
                "t": "Header",
                "c": [1, ast::attributes("bibliography", &["unnumbered"]), title],
            })),
            None => {
                if let Some(last) = blocks.last_mut().filter(|last| ast::name(last) == "Header") {
                    unnumber(last);
                }
            }
        }
        let mut div = json!({"t": "Div", "c": [ast::attributes("refs", &[]), []]});
        self.fill(&mut div, rest);
        blocks.push(div);
    }

    fn fill(&self, div: &mut Value, entries: Vec<Value>) {
        let mut classes = vec!["references", "csl-bib-body"];
        if self.parameters.hanging_indent {
            classes.push("hanging-indent");
        }
        let own = div.pointer_mut("/c/0/1").and_then(Value::as_array_mut);
        if let Some(own) = own {
            for class in classes {
                if !own.iter().any(|known| known == class) {
                    own.push(json!(class));
                }
            }
        }
        let own = div.pointer_mut("/c/0/2").and_then(Value::as_array_mut);
        if let Some(own) = own {
            if self.parameters.entry_spacing != 1 {
                own.push(json!([
                    "entry-spacing",
                    self.parameters.entry_spacing.to_string()
                ]));
            }
            if self.parameters.line_spacing > 1 {
                own.push(json!([
                    "line-spacing",
                    self.parameters.line_spacing.to_string()
                ]));
            }
        }
        if let Some(Value::Array(content)) = ast::part_mut(div, 1) {
            content.extend(entries);
        }
    }
}

/// An entry as a division.
pub fn entry(entry: &Entry, kept: &Kept) -> Value {
    entry_div(&entry.id, aligned(kept.inlines(&entry.content)))
}

fn entry_div(id: &str, inlines: Vec<Value>) -> Value {
    let attributes = ast::attributes(&format!("ref-{id}"), &["csl-entry"]);
    json!({"t": "Div", "c": [attributes, [ast::element("Para", inlines)]]})
}

/// A space separates the margin from the text in formats without margins.
fn aligned(mut inlines: Vec<Value>) -> Vec<Value> {
    let is_aligned = matches!(inlines.as_slice(), [margin, text, ..]
        if ast::has_class(margin, "csl-left-margin") && ast::has_class(text, "csl-right-inline"));
    if is_aligned
        && let Some(margin) = inlines.first_mut().and_then(ast::inlines_mut)
        && !margin.last().is_some_and(ast::is_space)
    {
        margin.push(ast::space());
    }
    inlines
}

fn unnumber(header: &mut Value) {
    if let Some(Value::Array(classes)) = header.pointer_mut("/c/1/1") {
        classes.retain(|class| class != "unnumbered");
        classes.insert(0, json!("unnumbered"));
    }
}

/// The first division with an id, at any depth.
fn find_div<'b>(blocks: &'b mut [Value], is_meant: &dyn Fn(&str) -> bool) -> Option<&'b mut Value> {
    for block in blocks {
        if ast::name(block) != "Div" {
            continue;
        }
        if is_meant(ast::id(block)) {
            return Some(block);
        }
        if let Some(Value::Array(inner)) = ast::part_mut(block, 1)
            && let Some(found) = find_div(inner, is_meant)
        {
            return Some(found);
        }
    }
    None
}
