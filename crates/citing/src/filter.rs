//! Formats the citations of a pandoc document and inserts its bibliography, as `--citeproc` does.

use std::collections::HashMap;

use citation_csl::{BibliographyParameters, Class, Compiled, Options};
use citation_documents::Labels;
use citation_model::budget::Budget;
use citation_model::cite::{Citation, Cite, CiteMode};
use citation_model::item::Item;
use citation_model::variable::NameVar;
use serde_json::{Value, json};

use crate::locators;
use crate::markup::Kept;
use crate::punctuation::Rules;
use crate::setting::{self, Shown};
use crate::works::{self, Works};
use crate::{CitingError, Sources, ast, metadata, notes, punctuation};

/// Separates the author named in the text from the rest, which becomes a note.
pub const SPLIT: char = '\u{10fffd}';

/// The processor's text for empty output.
const NOTHING_PRINTED: &str = "[NO_PRINTED_FORM]";

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
    let citations = citations(&meta, document.get("blocks"), &compiled, &mut kept);
    let mut keys: Vec<String> = { citations.iter() }
        .flat_map(|citation| citation.cites.iter().map(|cite| cite.id.clone()))
        .collect();
    let mut uncited: Vec<String> = Vec::new();
    if let Some(nocite) = &nocite {
        ast::each_cite(nocite, &mut |cite| {
            uncited.extend(citation_keys(cite).map(str::to_owned));
        });
    }
    match uncited.iter().any(|key| key == "*") {
        true => keys.extend(works.keys()),
        false => {
            uncited.sort_by_key(|key| works.position(key));
            keys.extend(uncited);
        }
    }
    let (mut items, ids) = works.select(&keys, sources, budget)?;
    if let Some(name) = metadata::text(&meta, &["citation-abbreviations"]) {
        let bytes = sources
            .file(&name)
            .ok_or(CitingError::MissingFile(name.clone()))?;
        let table = serde_json::from_slice(&bytes).map_err(|_| CitingError::UnknownFormat(name))?;
        works::abbreviate(&mut items, &table);
    }
    let citations: Vec<Citation> = { citations.into_iter() }
        .map(|citation| resolved(citation, &ids))
        .collect();

    let has_bibliography = !metadata::is_set(&meta, "suppress-bibliography", false);
    let options = Options {
        bibliography: has_bibliography,
        links: metadata::is_set(&meta, "link-bibliography", true),
        link_cites: has_bibliography && metadata::is_set(&meta, "link-citations", false),
        affixes_part_cites: true,
        budget: budget.clone(),
        ..Options::default()
    };
    let by_id: HashMap<&str, &Item> = { items.iter() }
        .map(|item| (item.id.as_str(), item))
        .collect();
    let openings: Vec<bool> = { citations.iter() }
        .map(|citation| keeps_case(citation, &by_id))
        .collect();
    let modes: Vec<bool> = { citations.iter() }
        .map(|c| {
            c.cites
                .first()
                .is_some_and(|cite| cite.mode == CiteMode::Composite)
        })
        .collect();
    let citations = match is_note_style {
        true => citations.into_iter().map(split).collect(),
        false => citations,
    };
    let mut set = setting::set(&compiled, &items, citations, &options)?;

    let mut shown = set.citations.iter();
    let inlines = |shown: &Shown, cite: &Value| match shown {
        // Without its author a cite may be empty.
        Shown::Set(rich) if rich.text().ends_with(NOTHING_PRINTED) => {
            let mut inlines = kept.inlines(rich);
            inlines.retain(|inline| !ast::content_text(inline).ends_with(NOTHING_PRINTED));
            inlines
        }
        Shown::Set(rich) => kept.inlines(rich),
        Shown::Unknown(_) => unknown(cite, &compiled, options.link_cites),
    };
    let mut at = 0;
    let mut place = |cite: &mut Value| {
        if !has_cites(cite) {
            return;
        }
        let Some(mut inlines) = shown.next().map(|shown| inlines(shown, cite)) else {
            return;
        };
        if is_note_style {
            let keeps_case = openings.get(at).copied().unwrap_or_default();
            let by_author = modes.get(at).copied().unwrap_or_default();
            inlines = as_note(inlines, by_author, keeps_case);
        }
        at += 1;
        if let Some(content) = ast::part_mut(cite, 1) {
            *content = Value::Array(inlines);
        }
    };
    ast::each_cite_mut(&mut meta, &mut place);
    if let Some(blocks) = document.get_mut("blocks") {
        ast::each_cite_mut(blocks, &mut place);
    }
    let rules = Rules {
        moves_notes: metadata::is_set(&meta, "notes-after-punctuation", is_note_style),
        in_quotes: compiled.punctuation_in_quote(),
    };
    for part in [Some(&mut meta), document.get_mut("blocks")]
        .into_iter()
        .flatten()
    {
        if is_note_style {
            notes::settle(part);
        }
        punctuation::settle(part, rules);
    }

    let entries = set.formatted.bibliography.take().unwrap_or_default();
    let bibliography: Vec<(String, Value)> = { entries.iter() }
        .map(|entry| {
            let inlines = aligned(kept.inlines(&entry.content));
            (entry.id.clone(), entry_div(&entry.id, inlines))
        })
        .collect();
    if !bibliography.is_empty() {
        let list = List {
            parameters: set.formatted.parameters,
            title: meta.get("reference-section-title").map(metadata::inlines),
        };
        if let Some(Value::Array(blocks)) = document.get_mut("blocks") {
            list.insert(blocks, bibliography, &groups);
        }
    }
    for (name, value) in [("nocite", nocite), ("references", references)] {
        if let (Some(value), Some(members)) = (value, meta.as_object_mut()) {
            members.insert(name.to_owned(), value);
        }
    }
    if let Some(place) = document.get_mut("meta") {
        *place = meta;
    }
    Ok(set.unknown)
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
            for (group, files) in named.into_iter().flatten() {
                for file in metadata::texts(files) {
                    for key in works.add_file(&file, sources, budget)? {
                        groups.entry(key).or_insert_with(|| group.clone());
                    }
                }
            }
        }
        Some(files) => {
            for file in metadata::texts(files) {
                works.add_file(&file, sources, budget)?;
            }
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

/// The citations of metadata and text in reading order.
fn citations(
    meta: &Value,
    blocks: Option<&Value>,
    compiled: &Compiled,
    kept: &mut Kept,
) -> Vec<Citation> {
    let labels = locators::labels(compiled);
    let is_note_style = compiled.style().options.class == Class::Note;
    let mut out: Vec<Citation> = Vec::new();
    let mut visit = |cite: &Value, resets: bool| {
        if has_cites(cite) {
            let mut citation = citation(cite, &labels, kept);
            citation.resets_positions = resets;
            if !is_note_style {
                citation.note_number = 0;
            }
            out.push(citation);
        }
    };
    ast::each_cite(meta, &mut |cite| visit(cite, false));
    let mut resets = false;
    for block in ast::list(blocks) {
        if ast::name(block) == "Header" && ast::has_class(block, "reset-citation-positions") {
            resets = true;
        }
        ast::each_cite(block, &mut |cite| visit(cite, std::mem::take(&mut resets)));
    }
    out
}

fn citation_keys(cite: &Value) -> impl Iterator<Item = &str> {
    let citations = ast::list(ast::part(cite, 0)).iter();
    citations.filter_map(|citation| citation.get("citationId")?.as_str())
}

/// `@*` is not a work.
fn has_cites(cite: &Value) -> bool {
    citation_keys(cite).any(|key| key != "*")
}

fn citation(cite: &Value, labels: &Labels, kept: &mut Kept) -> Citation {
    let mut out = Citation::default();
    for pandoc in ast::list(ast::part(cite, 0)) {
        let member = |name: &str| pandoc.get(name);
        let key = member("citationId")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if key == "*" {
            continue;
        }
        let mode = member("citationMode").map(ast::name).unwrap_or_default();
        let note = member("citationNoteNum")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        if out.cites.is_empty() {
            out.note_number = u32::try_from(note).unwrap_or(u32::MAX);
        }
        let mut cite = Cite {
            id: key.to_owned(),
            prefix: kept.markup(ast::list(member("citationPrefix"))),
            mode: match mode {
                "AuthorInText" => CiteMode::Composite,
                "SuppressAuthor" => CiteMode::SuppressAuthor,
                _ => CiteMode::Normal,
            },
            ..Cite::default()
        };
        if !cite.prefix.is_empty() {
            cite.prefix.push(' ');
        }
        let suffix = kept.markup(ast::list(member("citationSuffix")));
        if !suffix.is_empty() {
            labels.add(&mut cite, &suffix);
        }
        out.cites.push(cite);
    }
    out
}

/// With work ids instead of keys.
fn resolved(mut citation: Citation, ids: &HashMap<String, String>) -> Citation {
    for cite in &mut citation.cites {
        if let Some(id) = ids.get(&cite.id) {
            cite.id.clone_from(id);
        }
    }
    citation
}

/// Marks the start of the note.
fn split(mut citation: Citation) -> Citation {
    if let Some(first) = citation.cites.first_mut()
        && first.mode == CiteMode::Composite
    {
        first.prefix.insert(0, SPLIT);
    }
    citation
}

/// Whether a citation begins with a name that is written in lower case.
fn keeps_case(citation: &Citation, items: &HashMap<&str, &Item>) -> bool {
    let Some(first) = citation.cites.first().filter(|cite| cite.prefix.is_empty()) else {
        return false;
    };
    let item = items.get(first.id.as_str());
    let names = item
        .map(|item| item.names(NameVar::Author))
        .unwrap_or_default();
    let is_small = |text: &Option<String>| {
        let letter = text
            .as_ref()
            .and_then(|text| text.chars().find(|c| c.is_alphabetic()));
        letter.is_some_and(char::is_lowercase)
    };
    let starts = names.first();
    starts.is_some_and(|name| {
        is_small(&name.family) || is_small(&name.given) || is_small(&name.literal)
    })
}

/// The author named in the text, and the note.
fn as_note(mut inlines: Vec<Value>, by_author: bool, keeps_case: bool) -> Vec<Value> {
    let mut note = inlines.clone();
    let mut out = Vec::new();
    if by_author {
        let has_split = |inline: &Value| ast::text(std::slice::from_ref(inline)).contains(SPLIT);
        if let Some(at) = inlines.iter().position(has_split) {
            note = inlines.split_off(at);
            out = inlines;
            while out.last().is_some_and(ast::is_space) {
                out.pop();
            }
            if let Some(first) = note.first_mut() {
                drop_split(first);
            }
            note.retain(|inline| *inline != ast::str(""));
        }
    }
    // The delimiter between author and cite is dropped at the start of a note.
    while let Some(first) = note.first_mut() {
        let text = ast::content_text(first).trim_start_matches([',', ';', '.', ':']);
        match ast::name(first) {
            "Str" if text.is_empty() => {}
            "Space" | "SoftBreak" => {}
            "Str" => {
                *first = ast::str(text);
                break;
            }
            _ => break,
        }
        note.remove(0);
    }
    let classes: &[&str] = match keeps_case {
        true => &[notes::NOTE, notes::KEPT_CASE],
        false => &[notes::NOTE],
    };
    out.push(ast::span(classes, note));
    out
}

fn drop_split(inline: &mut Value) {
    if ast::name(inline) == "Str" {
        *inline = ast::str(ast::content_text(inline).replace(SPLIT, ""));
    } else {
        ast::inlines_mut(inline)
            .into_iter()
            .flatten()
            .for_each(drop_split);
    }
}

/// `(see **key?**, p. 3)`, with the text around each key unchanged
fn unknown(cite: &Value, compiled: &Compiled, has_links: bool) -> Vec<Value> {
    let [prefix, delimiter, suffix] = compiled.citation_affixes();
    let mut out = Vec::new();
    if !prefix.is_empty() {
        out.push(ast::str(prefix));
    }
    for (at, pandoc) in ast::list(ast::part(cite, 0)).iter().enumerate() {
        let key = pandoc.get("citationId").and_then(Value::as_str);
        let key = key.unwrap_or_default();
        if at > 0 {
            let mark = delimiter.trim_end();
            out.push(ast::str(mark));
            if mark.len() < delimiter.len() {
                out.push(ast::space());
            }
        }
        let before = ast::list(pandoc.get("citationPrefix"));
        push_all(&mut out, before);
        out.extend((!before.is_empty()).then(ast::space));
        let key_shown = ast::element("Strong", vec![ast::str(format!("{key}?"))]);
        out.push(match has_links {
            true => json!({"t": "Link", "c": [ast::attributes("", &[]), [key_shown], [format!("#ref-{key}"), ""]]}),
            false => key_shown,
        });
        push_all(&mut out, ast::list(pandoc.get("citationSuffix")));
    }
    // No full stop after the question mark.
    let suffix = suffix.strip_prefix('.').unwrap_or(suffix);
    if !suffix.is_empty() {
        push_all(&mut out, &[ast::str(suffix)]);
    }
    out
}

/// Adds inlines; the first may continue the last word.
fn push_all(out: &mut Vec<Value>, inlines: &[Value]) {
    let Some((first, rest)) = inlines.split_first() else {
        return;
    };
    match out.last_mut() {
        Some(last) if ast::name(last) == "Str" && ast::name(first) == "Str" => {
            *last = ast::str(format!(
                "{}{}",
                ast::content_text(last),
                ast::content_text(first)
            ));
        }
        _ => out.push(first.clone()),
    }
    out.extend_from_slice(rest);
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

/// The bibliography and its position.
struct List {
    parameters: BibliographyParameters,
    title: Option<Vec<Value>>,
}

impl List {
    /// Inserts into the division `refs`, entries of a named bibliography into `refs-NAME`, otherwise at the
    /// end.
    fn insert(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Desk;

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
        filter(&mut document, &Desk, &Budget::unlimited()).unwrap();
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
    fn unknown_keys_stand_in_what_is_said_of_them() {
        let shown = set(&[("see", "nobody", ", p. 3")], json!([]));
        assert_eq!(ast::text(&shown), "(see nobody?, p. 3)");
        let is_key = |inline: &Value| *inline == ast::element("Strong", words("nobody?"));
        assert!(shown.iter().any(is_key), "{shown:?}");
    }

    #[test]
    fn prefix_parts_what_is_sorted() {
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
