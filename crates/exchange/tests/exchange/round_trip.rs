//! Differences after reading, writing and reading again. Keys are counted separately: missing, duplicate
//! and invalid BibTeX keys are replaced by design.

use std::collections::BTreeMap;

use citation_exchange::{Format, WriteOptions};
use citation_model::item::Item;
use citation_model::variable::TextVar;
use serde_json::Value;

use super::{read, write};

use super::corpus::File;

/// Number of items that returned unchanged, and the changed members of the others.
#[derive(Default)]
pub struct Tally {
    same: usize,
    all: usize,
    renamed: usize,
    members: BTreeMap<String, usize>,
    differences: Vec<String>,
}

impl Tally {
    pub fn share(&self) -> f64 {
        self.same as f64 / self.all.max(1) as f64
    }

    pub fn report(&self) -> String {
        let mut lines = vec![format!(
            "{} of {} items came back ({:.4}), {} under another key",
            self.same,
            self.all,
            self.share(),
            self.renamed
        )];
        lines.extend(
            self.members
                .iter()
                .map(|(name, count)| format!("{name:24} {count:5}")),
        );
        let shown = std::env::var("EXCHANGE_MISSES")
            .ok()
            .and_then(|n| n.parse().ok());
        lines.extend(self.differences.iter().take(shown.unwrap_or(10)).cloned());
        lines.join("\n")
    }
}

/// Reads a file, writes its items in a format and reads them again.
pub fn compare(file: &File, format: &Format, options: &WriteOptions, tally: &mut Tally) {
    let first = items(&file.text(), file.format);
    let written = write(&first, format, options);
    let second = items(&written, format);
    tally.all += first.len();
    if first.len() != second.len() {
        let line = format!(
            "{}: {} items, then {}",
            file.name,
            first.len(),
            second.len()
        );
        tally.differences.push(line);
        return;
    }
    for (one, mut two) in first.iter().zip(second) {
        tally.renamed += usize::from(one.id != two.id);
        two.id.clone_from(&one.id);
        let key = one.text(TextVar::CitationKey).unwrap_or_default();
        two.set_text(TextVar::CitationKey, key);
        if *one == two {
            tally.same += 1;
        } else {
            record(file, one, &two, tally);
        }
    }
}

fn items(text: &str, format: &Format) -> Vec<Item> {
    read(text, format)
        .items
        .into_iter()
        .map(|read| read.item)
        .collect()
}

fn record(file: &File, one: &Item, two: &Item, tally: &mut Tally) {
    let (one_members, two_members) = (members(one), members(two));
    let names = one_members.keys().chain(two_members.keys());
    let names: std::collections::BTreeSet<&String> = names.collect();
    for name in names {
        let (before, after) = (one_members.get(name), two_members.get(name));
        if before != after {
            *tally.members.entry(name.clone()).or_default() += 1;
            let show = |value: Option<&Value>| value.map(Value::to_string).unwrap_or_default();
            let line = format!(
                "{} {} {name}: {} | {}",
                file.name,
                one.id,
                show(before),
                show(after)
            );
            tally.differences.push(line);
        }
    }
}

/// The members of an item, with those of `custom` separately.
fn members(item: &Item) -> BTreeMap<String, Value> {
    let Ok(Value::Object(mut members)) = serde_json::to_value(item) else {
        return BTreeMap::new();
    };
    let custom = members.remove("custom");
    let mut all: BTreeMap<String, Value> = members.into_iter().collect();
    if let Some(Value::Object(custom)) = custom {
        all.extend(
            custom
                .into_iter()
                .map(|(name, value)| (format!("custom.{name}"), value)),
        );
    }
    all
}
