//! The items of a bibliography of any size: the works of the starter corpus, then the same works with other
//! names and titles.

use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};

/// The works from which all items are made.
pub fn base() -> Vec<Item> {
    let json = match std::env::var_os("CITATION_BENCH_ITEMS") {
        Some(path) => std::fs::read(path).expect("the file of CITATION_BENCH_ITEMS"),
        None => citation_embedded::starter().expect("the starter corpus"),
    };
    serde_json::from_slice(&json).expect("an array of CSL-JSON items")
}

/// Items whose authors repeat no more often than in the base: in each round, every family name gets its own
/// syllable.
pub fn distinct(base: &[Item], count: usize) -> Vec<Item> {
    (0..count)
        .map(|at| {
            let mut item = base[at % base.len()].clone();
            item.id = format!("item-{at}");
            let round = at / base.len();
            if round > 0 {
                rename(&mut item, &syllables(round));
            }
            item
        })
        .collect()
}

/// The works of the base repeatedly, distinguished only by id: every cite is ambiguous.
pub fn repeated(base: &[Item], count: usize) -> Vec<Item> {
    (0..count)
        .map(|at| {
            let mut item = base[at % base.len()].clone();
            item.id = format!("item-{at}");
            item
        })
        .collect()
}

fn rename(item: &mut Item, ending: &str) {
    for variable in [NameVar::Author, NameVar::Editor, NameVar::Translator] {
        let mut names = item.names(variable).to_vec();
        for name in &mut names {
            let text = name.family.as_mut().or(name.literal.as_mut());
            if let Some(text) = text {
                text.push_str(ending);
            }
        }
        if !names.is_empty() {
            item.set_names(variable, names);
        }
    }
    if let Some(title) = item.text(TextVar::Title).map(str::to_owned) {
        item.set_text(TextVar::Title, format!("{title} {ending}"));
    }
}

/// A pronounceable ending for a number: `ba`, `be`, …
fn syllables(mut number: usize) -> String {
    let mut out = String::new();
    while number > 0 {
        let (consonant, vowel) = (number % 20, number / 20 % 5);
        out.push_str(&"bcdfghjklmnpqrstvwxz"[consonant..=consonant]);
        out.push_str(&"aeiou"[vowel..=vowel]);
        number /= 100;
    }
    out
}
