//! Markdown of pandoc, Quarto and R Markdown: citations by key, bibliographies in the front matter, and
//! typed lists.

mod blocks;
mod citations;
mod mask;

pub(crate) use citations::markers;

use citation_model::budget::Budget;
use serde_json::Value;

use self::blocks::blocks;
use self::citations::{CitationScanner, is_cross_reference};
use self::mask::masked;
use crate::Companions;
use crate::document::{Document, Place};
use crate::error::DocumentError;
use crate::keyed::Keyed;
use crate::{library, list, yaml};

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "---\n",
    "bibliography: ",
    "[",
    "](",
    "]",
    "@",
    "@a",
    "@{",
    "[@a",
    "[-@a",
    "; ",
    "{",
    "}",
    "\\",
    "{\\[@",
    "<div>",
    "<div ",
    "</div>",
    "<!--",
    "-->",
    "<a",
    "`",
    "```\n",
    "~~~\n",
    "::: ",
    "\n",
    "\n\n",
    "# ",
    "## References\n",
    "- ",
    "> ",
    "[^1]: ",
    "(",
    "*",
    "_",
    "$",
    "|",
    "10.1000/",
    "a ",
];

pub(crate) fn read(
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    budget.spend(text.len() as u64)?;
    let (front, body) = front_matter(&text);
    let mut keyed = Keyed::default();
    let metadata = read_front(front, companions, &mut keyed, budget)?;
    let masked = masked(body);
    let above_bytes = text.len().saturating_sub(body.len());
    let first_line = text.get(..above_bytes);
    let above = first_line.map_or(0, |front| front.matches('\n').count());
    let citations = CitationScanner::new(&masked, above, budget).run()?;
    let library = &keyed.library;
    keyed.citations = citations
        .into_iter()
        .filter_map(|mut found| {
            let is_bare = found.is_bare;
            if let Some(span) = &mut found.citation.span {
                *span = span.start + above_bytes..span.end + above_bytes;
            }
            found.citation.items.retain(|cited| {
                let key = cited.cite.id.as_str();
                library.position(key).is_some()
                    || !(is_cross_reference(key)
                        || is_bare && library.is_empty() && !key.contains(':'))
            });
            (!found.citation.items.is_empty()).then_some(found.citation)
        })
        .collect();
    let mut document = Document {
        metadata,
        ..keyed.document()
    };
    if document.references.is_empty() {
        let blocks = blocks(&masked, above);
        document.references = list::find(&blocks, budget)?;
        document.marks_citations = !document.citations.is_empty();
        if !document.references.is_empty() && document.citations.is_empty() {
            document.blocks = blocks;
        }
    }
    Ok(document)
}

/// Reads the front matter, and the file of the project if the front matter has no bibliography.
fn read_front(
    front: &str,
    companions: Companions<'_>,
    keyed: &mut Keyed,
    budget: &Budget,
) -> Result<Value, DocumentError> {
    let metadata = match yaml::parse("the front matter", front, budget) {
        Ok(metadata) => metadata,
        Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
        Err(_) => {
            let unread = ("front matter".to_owned(), Place::line(1));
            keyed.missing.push(unread);
            Value::Null
        }
    };
    read_metadata(&metadata, companions, keyed, budget)?;
    if keyed.library.is_empty()
        && let Some(project) = companions("_quarto.yml")
    {
        let (project, _) = citation_exchange::decode(&project);
        let project = yaml::parse("_quarto.yml", &project, budget)?;
        read_metadata(&project, companions, keyed, budget)?;
    }
    Ok(metadata)
}

/// The YAML at the start, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let Some(rest) = text.strip_prefix("---").filter(|rest| {
        rest.trim_start_matches([' ', '\t', '-'])
            .starts_with(['\n', '\r'])
    }) else {
        return ("", text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if at > 0 && matches!(line.trim_end(), "---" | "...") {
            let front = rest.get(..at).unwrap_or_default();
            return (front, rest.get(at + line.len()..).unwrap_or_default());
        }
        at += line.len();
    }
    ("", text)
}

fn read_metadata(
    metadata: &Value,
    companions: Companions<'_>,
    keyed: &mut Keyed,
    budget: &Budget,
) -> Result<(), DocumentError> {
    let place = Place::line(1);
    if let Some(references) = metadata.get("references") {
        keyed
            .library
            .extend(library::entries_of_yaml(references, &place));
    }
    let named = metadata.get("bibliography").map(yaml::texts_of);
    for name in named.unwrap_or_default() {
        keyed.add_file(&name, companions, budget)?;
    }
    let nocite = metadata.get("nocite").map(yaml::texts_of);
    for text in nocite.unwrap_or_default() {
        keyed.is_whole |= text.contains("@*");
        for found in CitationScanner::new(&text, 0, budget).run()? {
            let keys = found.citation.items.into_iter().map(|cited| cited.cite.id);
            keyed.nocite.extend(keys);
        }
    }
    Ok(())
}
