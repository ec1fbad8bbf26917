//! Comparison with what citation-js (C), biblatex-csl-converter (B) and Zotero's translators (Z)
//! make of the same files. A field counts where two peers give it and say the same after the
//! normalisations below; then ours must say the same after the same normalisations.
//!
//! Normalisations, and why:
//! - Titles are compared without case and without `nocase` spans: B turns titles into sentence
//!   case, C does not, and neither is wrong.
//! - Dashes, curly quotes, no-break spaces and runs of white space are one sign each, raised and
//!   lowered digits are plain ones, and tags go: the peers choose differently among equals.
//! - A name is its words: whether an institution is `literal` or `family`, and which kind of
//!   particle a particle is, is not compared; «others» is no name.
//! - DOIs are compared without case, addresses without percent-encoding, ISBNs as ISBN-13.

use std::collections::BTreeMap;

use citation_exchange::ReadItem;
use citation_fields::identifiers::{canonical_isbns, canonical_issns};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::corpus::File;
use citation_testing::suite;

/// How often each field agreed, with examples of differences.
#[derive(Default)]
pub struct Tally {
    fields: BTreeMap<String, (usize, usize)>,
    misses: Vec<String>,
}

impl Tally {
    pub fn share(&self) -> f64 {
        let (same, all) = self.sum();
        same as f64 / all.max(1) as f64
    }

    fn sum(&self) -> (usize, usize) {
        let sums = self.fields.values();
        sums.fold((0, 0), |sum, (same, all)| (sum.0 + same, sum.1 + all))
    }

    pub fn report(&self) -> String {
        let (same, all) = self.sum();
        let mut lines = vec![format!("{same} of {all} fields agree: {:.4}", self.share())];
        for (field, (same, all)) in &self.fields {
            lines.push(format!("{field:24} {same:6} of {all:6}"));
        }
        let shown = std::env::var("EXCHANGE_MISSES")
            .ok()
            .and_then(|n| n.parse().ok());
        lines.extend(self.misses.iter().take(shown.unwrap_or(20)).cloned());
        lines.join("\n")
    }
}

/// Compares the items of a file with the results of the peers.
pub fn compare(file: &File, items: &[ReadItem], tally: &mut Tally) {
    let base = file.name.rsplit('/').next().unwrap_or_default();
    let read = |folder: &str| -> Option<Value> {
        let path = suite("data/import")?
            .join(folder)
            .join(format!("{base}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
    };
    let list = |answer: Option<Value>| match answer {
        Some(Value::Array(items)) => items,
        Some(mut answer) => match answer["items"].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    let c = list(read("expected-citationjs"));
    let b = list(read("expected-blcc"));
    let z: Vec<Value> = list(read("expected-zotero"))
        .iter()
        .map(zotero_to_csl)
        .collect();
    let everyone = Everyone {
        c: &c,
        b: &b,
        z: &z,
    };
    for (at, ours) in items.iter().enumerate() {
        let peers = everyone.of(ours, at, items.len());
        for (n, one) in peers.iter().enumerate() {
            for other in peers.iter().skip(n + 1) {
                compare_item(file, ours, one, other, tally);
            }
        }
        if let ([alone], true) = (
            peers.as_slice(),
            std::env::var_os("EXCHANGE_ALONE").is_some(),
        ) {
            compare_item(file, ours, alone, alone, tally);
        }
    }
}

struct Everyone<'v> {
    c: &'v [Value],
    b: &'v [Value],
    z: &'v [Value],
}

impl<'v> Everyone<'v> {
    /// The result of each peer for an item: by position if the counts match, otherwise by key if it is
    /// unique. Zotero returns no keys.
    fn of(&self, ours: &ReadItem, at: usize, count: usize) -> Vec<&'v Value> {
        let one = |items: &'v [Value]| {
            if items.len() == count {
                return items.get(at);
            }
            let key = |peer: &'v Value| peer["citation-key"].as_str().or(peer["id"].as_str());
            let mut found = items
                .iter()
                .filter(|peer| key(peer) == Some(&ours.citation_key));
            let first = found.next();
            first.filter(|_| found.next().is_none() && !ours.citation_key.is_empty())
        };
        [one(self.c), one(self.b), one(self.z)]
            .into_iter()
            .flatten()
            .collect()
    }
}

fn compare_item(file: &File, ours: &ReadItem, one: &Value, other: &Value, tally: &mut Tally) {
    let own = serde_json::to_value(&ours.item).unwrap_or_default();
    let (Some(first), Some(second)) = (one.as_object(), other.as_object()) else {
        return;
    };
    for (field, value) in first {
        if matches!(
            field.as_str(),
            "id" | "citation-key" | "_graph" | "citation-label"
        ) {
            continue;
        }
        let Some(peer) = second.get(field) else {
            continue;
        };
        let wanted = normal(field, value);
        if wanted.is_empty() || wanted != normal(field, peer) {
            continue;
        }
        let given = own
            .get(field)
            .map(|value| normal(field, value))
            .unwrap_or_default();
        let entry = tally.fields.entry(field.clone()).or_default();
        entry.1 += 1;
        if given == wanted {
            entry.0 += 1;
        } else {
            tally.misses.push(format!(
                "{} {} {field}: {given:?}, not {wanted:?}",
                file.name, ours.citation_key
            ));
        }
    }
}

fn normal(field: &str, value: &Value) -> String {
    match value {
        Value::Array(values) if values.iter().any(Value::is_object) => {
            let names: Vec<String> = values.iter().map(normal_name).collect();
            names
                .into_iter()
                .filter(|name| name != "others")
                .collect::<Vec<_>>()
                .join("; ")
        }
        Value::Object(_) => normal_date(value),
        Value::Array(values) => {
            let parts: Vec<String> = values.iter().map(|value| normal(field, value)).collect();
            parts.join(", ")
        }
        Value::String(text) => normal_text(field, text),
        other => normal_text(field, &other.to_string()),
    }
}

fn normal_name(name: &Value) -> String {
    let part = |key: &str| name[key].as_str().unwrap_or_default();
    let words = [
        part("given"),
        part("dropping-particle"),
        part("non-dropping-particle"),
        part("family"),
        part("literal"),
        part("suffix"),
    ];
    plain(&words.join(" "))
}

fn normal_date(date: &Value) -> String {
    match &date["date-parts"] {
        Value::Array(parts) => {
            let part = |number: &Value| number.to_string().replace('"', "");
            let point = |point: &Value| {
                let numbers = point.as_array().into_iter().flatten();
                let numbers: Vec<String> = numbers.map(part).filter(|n| n != "null").collect();
                numbers.join("-")
            };
            parts.iter().map(point).collect::<Vec<_>>().join("/")
        }
        _ => date["literal"]
            .as_str()
            .or(date["raw"].as_str())
            .map(plain)
            .unwrap_or_default(),
    }
}

fn normal_text(field: &str, text: &str) -> String {
    match field {
        "DOI" => text.to_lowercase(),
        "URL" => citation_model::identifier::percent_decode(text.trim()),
        "ISBN" => canonical_isbns(text),
        "ISSN" => canonical_issns(text),
        "page" | "issue" | "volume" | "number" => plain(text).replace(' ', ""),
        _ if field.contains("title") => plain(text).to_lowercase(),
        _ => plain(text),
    }
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut in_tag = false;
    for c in text.nfkc() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if in_tag => {}
            '\u{2010}'..='\u{2015}' | '−' => out.push('-'),
            '“' | '”' | '„' | '«' | '»' => out.push('"'),
            '‘' | '’' | '`' => out.push('\''),
            _ => out.push(c),
        }
    }
    while out.contains("--") {
        out = out.replace("--", "-");
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Zotero's items in CSL terms, as far as they are compared.
fn zotero_to_csl(item: &Value) -> Value {
    let mut csl = serde_json::Map::new();
    let texts = [
        ("title", "title"),
        ("publicationTitle", "container-title"),
        ("bookTitle", "container-title"),
        ("proceedingsTitle", "container-title"),
        ("DOI", "DOI"),
        ("url", "URL"),
        ("volume", "volume"),
        ("issue", "issue"),
        ("pages", "page"),
        ("publisher", "publisher"),
        ("place", "publisher-place"),
        ("ISBN", "ISBN"),
        ("ISSN", "ISSN"),
        ("series", "collection-title"),
        ("edition", "edition"),
        ("abstractNote", "abstract"),
    ];
    for (from, to) in texts {
        if let Some(text) = item[from].as_str() {
            csl.insert(to.to_owned(), text.into());
        }
    }
    for (role, to) in [
        ("author", "author"),
        ("editor", "editor"),
        ("translator", "translator"),
    ] {
        let creators = item["creators"].as_array().into_iter().flatten();
        let names: Vec<Value> = creators
            .filter(|creator| creator["creatorType"] == role)
            .map(|creator| {
                serde_json::json!({"given": creator["firstName"], "family": creator["lastName"]})
            })
            .collect();
        if !names.is_empty() {
            csl.insert(to.to_owned(), names.into());
        }
    }
    if let Some(date) = item["date"]
        .as_str()
        .and_then(citation_model::date::Date::parse)
    {
        csl.insert(
            "issued".to_owned(),
            serde_json::to_value(date).unwrap_or_default(),
        );
    }
    Value::Object(csl)
}
