//! Formats the citations of a pandoc document and inserts its bibliography, as `--citeproc` does.

mod ast;
mod bibliography;
mod citations;
mod cites;
mod locators;
mod markup;
mod metadata;
mod notes;
mod punctuation;

use std::collections::HashMap;

use citation_csl::{Class, Formatted, Options};
use citation_model::budget::Budget;
use citation_model::cite::Citation;
use citation_model::item::Item;
use serde_json::Value;

use self::bibliography::PandocBibliography;
use self::citations::CitationWriter;
use self::markup::Kept;
use self::notes::CitationOpening;
use self::punctuation::Rules;
use crate::format::{by_id, format, split_note};
use crate::works::{self, Works};
use crate::{CitingError, Sources};

/// Formats the citations of a document in pandoc's JSON. Returns the keys without a known work.
pub fn filter(
    document: &mut Value,
    sources: &dyn Sources,
    budget: &Budget,
) -> Result<Vec<String>, CitingError> {
    let mut meta = document
        .get_mut("meta")
        .map(Value::take)
        .ok_or(CitingError::NoDocument)?;
    // Their cites are not those of the text.
    let nocite = remove(&mut meta, "nocite");
    let references = remove(&mut meta, "references");
    let mut kept = Kept::default();

    let style = metadata::text(&meta, &["csl", "citation-style"]);
    let locale = metadata::text(&meta, &["lang", "locale"]);
    let compiled = sources
        .style(style.as_deref(), locale.as_deref())
        .map_err(CitingError::Style)?;
    let is_note_style = compiled.style().options.class == Class::Note;

    let (mut works, groups) = library(&meta, references.as_ref(), sources, &mut kept, budget)?;
    let citations = cites::citations(&meta, document.get("blocks"), &compiled, &mut kept);
    let keys = keys(&citations, nocite.as_ref(), &works);
    let (mut items, ids) = works.select(&keys, sources, budget)?;
    abbreviate(&mut items, &meta, sources)?;
    let mut citations: Vec<Citation> = { citations.into_iter() }
        .map(|citation| cites::resolved(citation, &ids))
        .collect();
    let openings = if is_note_style {
        split_notes(&mut citations, &items)
    } else {
        Vec::new()
    };
    let options = options(&meta, budget);
    let formatted = format(&compiled, &items, citations, &options, None)?;

    let mut writer = CitationWriter {
        compiled: &compiled,
        kept: &kept,
        has_links: options.link_cites,
        citations: formatted.citations.iter(),
        openings: openings.into_iter(),
    };
    let rules = Rules {
        moves_notes: metadata::is_set(&meta, "notes-after-punctuation", is_note_style),
        in_quotes: compiled.punctuation_in_quote(),
    };
    let blocks = document.get_mut("blocks");
    for part in [Some(&mut meta), blocks].into_iter().flatten() {
        write_citations(part, &mut writer, rules, is_note_style);
    }

    if let Some(Value::Array(blocks)) = document.get_mut("blocks") {
        insert_bibliography(blocks, &formatted.formatted, &meta, &kept, &groups);
    }
    put_back(
        document,
        meta,
        [("nocite", nocite), ("references", references)],
    );
    Ok(formatted.unknown)
}

/// Writes the citations of a part of the document, and moves notes and punctuation around them.
fn write_citations(
    part: &mut Value,
    writer: &mut CitationWriter<'_>,
    rules: Rules,
    is_note_style: bool,
) {
    ast::each_cite_mut(part, &mut |cite| writer.write(cite));
    if is_note_style {
        notes::settle(part);
    }
    punctuation::settle(part, rules);
}

/// Inserts the bibliography if it has entries.
fn insert_bibliography(
    blocks: &mut Vec<Value>,
    formatted: &Formatted,
    meta: &Value,
    kept: &Kept,
    groups: &HashMap<String, String>,
) {
    let entries = formatted.bibliography.iter().flatten();
    let entries: Vec<(String, Value)> = entries
        .map(|entry| (entry.id.clone(), bibliography::entry(entry, kept)))
        .collect();
    if entries.is_empty() {
        return;
    }
    let bibliography = PandocBibliography {
        parameters: formatted.parameters,
        title: meta.get("reference-section-title").map(metadata::inlines),
    };
    bibliography.insert(blocks, entries, groups);
}

/// Puts the metadata back, with the members that were taken out of it.
fn put_back(document: &mut Value, mut meta: Value, taken: [(&str, Option<Value>); 2]) {
    for (name, value) in taken {
        if let (Some(value), Some(members)) = (value, meta.as_object_mut()) {
            members.insert(name.to_owned(), value);
        }
    }
    if let Some(place) = document.get_mut("meta") {
        *place = meta;
    }
}

/// The keys of the citations, then those of `nocite`, in the order of the bibliographies.
fn keys(citations: &[Citation], nocite: Option<&Value>, works: &Works) -> Vec<String> {
    let mut keys: Vec<String> = { citations.iter() }
        .flat_map(|citation| citation.cites.iter().map(|cite| cite.id.clone()))
        .collect();
    let mut uncited: Vec<String> = Vec::new();
    if let Some(nocite) = nocite {
        ast::each_cite(nocite, &mut |cite| {
            uncited.extend(cites::citation_keys(cite).map(str::to_owned));
        });
    }
    if uncited.iter().any(|key| key == "*") {
        keys.extend(works.keys())
    } else {
        uncited.sort_by_key(|key| works.position(key));
        keys.extend(uncited);
    }
    keys
}

/// Abbreviates titles by the table that the document names.
fn abbreviate(items: &mut [Item], meta: &Value, sources: &dyn Sources) -> Result<(), CitingError> {
    let Some(name) = metadata::text(meta, &["citation-abbreviations"]) else {
        return Ok(());
    };
    let bytes = sources
        .file(&name)
        .ok_or(CitingError::MissingFile(name.clone()))?;
    let table = serde_json::from_slice(&bytes).map_err(|_| CitingError::UnknownFormat(name))?;
    works::abbreviate(items, &table);
    Ok(())
}

/// Marks where the notes of the citations start.
fn split_notes(citations: &mut [Citation], items: &[Item]) -> Vec<CitationOpening> {
    let by_id = by_id(items);
    let openings = { citations.iter() }.map(|citation| CitationOpening::of(citation, &by_id));
    let openings = openings.collect();
    citations.iter_mut().for_each(split_note);
    openings
}

fn options(meta: &Value, budget: &Budget) -> Options {
    let has_bibliography = !metadata::is_set(meta, "suppress-bibliography", false);
    Options {
        bibliography: has_bibliography,
        links: metadata::is_set(meta, "link-bibliography", true),
        link_cites: has_bibliography && metadata::is_set(meta, "link-citations", false),
        affixes_part_cites: true,
        budget: budget.clone(),
        ..Options::default()
    }
}

fn remove(meta: &mut Value, name: &str) -> Option<Value> {
    meta.as_object_mut()?.remove(name)
}

/// The works that the document names, and the bibliography of each work that comes from a named one.
fn library(
    meta: &Value,
    references: Option<&Value>,
    sources: &dyn Sources,
    kept: &mut Kept,
    budget: &Budget,
) -> Result<(Works, HashMap<String, String>), CitingError> {
    let mut works = Works::default();
    let mut groups = HashMap::new();
    match meta.get("bibliography") {
        Some(named) if ast::name(named) == "MetaMap" => {
            let named = named.get("c").and_then(Value::as_object);
            let named = named.into_iter().flatten();
            let named = named.flat_map(|(group, files)| {
                let files = metadata::texts(files).into_iter();
                files.map(move |file| (group, file))
            });
            let named: Vec<(&String, String)> = named.collect();
            let names = named.iter().map(|(_, file)| file.as_str());
            let keys = works.add_files(names, sources, budget)?;
            for ((group, _), keys) in named.iter().zip(keys) {
                for key in keys {
                    groups.entry(key).or_insert_with(|| (*group).clone());
                }
            }
        }
        Some(files) => {
            let files = metadata::texts(files);
            works.add_files(files.iter().map(String::as_str), sources, budget)?;
        }
        None => {}
    }
    for item in references
        .map(|list| metadata::references(list, kept))
        .unwrap_or_default()
    {
        works.add(item);
    }
    Ok((works, groups))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::TestSources;

    fn words(text: &str) -> Vec<Value> {
        let words = text.split_inclusive(' ').flat_map(|word| {
            let blank = word.ends_with(' ').then(ast::space);
            let word = Some(word.trim_end()).filter(|word| !word.is_empty());
            word.map(ast::str).into_iter().chain(blank)
        });
        words.collect()
    }

    /// The formatted result of `[PREFIX @KEY SUFFIX; …]` as pandoc's reader parses it.
    fn set(cites: &[(&str, &str, &str)], references: Value) -> Vec<Value> {
        let cites: Vec<Value> = { cites.iter() }
            .map(|(prefix, key, suffix)| {
                json!({"citationId": key, "citationPrefix": words(prefix), "citationSuffix": words(suffix),
                    "citationMode": {"t": "NormalCitation"}, "citationNoteNum": 1, "citationHash": 0})
            })
            .collect();
        let mut document = json!({
            "pandoc-api-version": [1, 23],
            "meta": {"references": {"t": "MetaList", "c": references}},
            "blocks": [{"t": "Para", "c": [{"t": "Cite", "c": [cites, []]}]}],
        });
        filter(&mut document, &TestSources, &Budget::unlimited()).unwrap();
        let shown = document.pointer("/blocks/0/c/0/c/1");
        ast::list(shown).to_vec()
    }

    fn reference(id: &str, year: &str) -> Value {
        let text = |text: &str| json!({"t": "MetaString", "c": text});
        json!({"t": "MetaMap", "c": {
            "id": text(id), "type": text("book"), "issued": text(year),
            "author": {"t": "MetaMap", "c": {"family": text(id)}},
        }})
    }

    #[test]
    fn unknown_keys_keep_prefix_and_suffix() {
        let shown = set(&[("see", "nobody", ", p. 3")], json!([]));
        assert_eq!(ast::text(&shown), "(see nobody?, p. 3)");
        let is_key = |inline: &Value| *inline == ast::element("Strong", words("nobody?"));
        assert!(shown.iter().any(is_key), "{shown:?}");
    }

    #[test]
    fn prefix_limits_sorting() {
        let works = json!([
            reference("Ash", "2003"),
            reference("Elm", "2001"),
            reference("Oak", "2002")
        ]);
        let shown = set(
            &[("", "Oak", ""), ("", "Elm", ""), ("but see", "Ash", "")],
            works,
        );
        assert_eq!(
            ast::text(&shown),
            "(Elm, 2001; Oak, 2002; but see Ash, 2003)"
        );
    }
}
