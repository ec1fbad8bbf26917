//! Verdicts on references of several fields, half of them altered: detection and false alarms by field and kind of
//! alteration, and the probabilities of the verdicts.
//!
//! `CITATION_VERDICT_SAMPLE=6000 cargo test --test service verdicts_of_altered -- --nocapture` prints the tables, and
//! with `CITATION_FIT=1` the weights of `src/lookup/verify/probability.rs`. They are fitted on every second work; the
//! tables are of the others.

use citation::lookup::verify::probability::{COUNT, NAMES, Weights, features, logistic};
use citation::lookup::verify::{Verdict, Verification};
use citation_matching::reference::Reference;
use citation_model::date::DateParts;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_testing::Random;

use super::works::{Works, benchmark, read_items};

/// References, unless `CITATION_VERDICT_SAMPLE` says how many.
const SAMPLE: usize = 600;

/// One work in so many is not in the corpus.
const LEFT_OUT: usize = 8;

/// Fields of research, told by words of the container.
const FIELDS: [(&str, &[&str]); 4] = [
    ("history", &["Histor", "Antiqu", "Archaeo", "Mediev"]),
    (
        "law",
        &["Law", "Legal", "Jurid", "Rechts", "Derecho", "Crimin"],
    ),
    (
        "medicine",
        &["Medic", "Clin", "Surg", "Lancet", "Health", "Onco", "Cardi"],
    ),
    ("other", &[""]),
];

type Make = fn(&Item, &Item, &mut Random) -> Option<Item>;

/// What a reference may leave out or write otherwise, and what is wrong in it.
const KINDS: [(&str, bool, Make); 20] = [
    ("as it is", false, |item, _, _| Some(item.clone())),
    ("initials", false, |item, _, _| with_names(item, initials)),
    ("et al.", false, others_left_out),
    ("no details", false, |item, _, _| {
        let mut item = item.clone();
        for variable in [NumberVar::Volume, NumberVar::Issue, NumberVar::Page] {
            item.set_number(variable, "");
        }
        Some(item)
    }),
    ("misspelt title", false, misspelt),
    ("lower case", false, |item, _, _| {
        with_title(item, str::to_lowercase)
    }),
    ("short container", false, |item, _, _| {
        let short = item.text(TextVar::ContainerTitleShort)?.to_owned();
        Some(with_text(item, TextVar::ContainerTitle, short))
    }),
    ("no subtitle", false, |item, _, _| {
        let (main, _) = item.text(TextVar::Title)?.split_once(": ")?;
        let is_telling = main.split(' ').count() > 3;
        is_telling.then(|| with_text(item, TextVar::Title, main.to_owned()))
    }),
    ("other title word", true, other_word),
    ("mixed title", true, |item, other, _| {
        let (a, b) = (words(item)?, words(other)?);
        let mixed = [&a[..a.len() / 2], &b[b.len() / 2..]].concat().join(" ");
        Some(with_text(item, TextVar::Title, mixed))
    }),
    ("co-author replaced", true, |item, other, random| {
        let mut names = item.names(NameVar::Author).to_vec();
        let stranger = other.names(NameVar::Author).first()?.clone();
        let at = 1 + random.below(names.len().checked_sub(1).filter(|n| *n > 0)?);
        *names.get_mut(at)? = stranger;
        Some(with_authors(item, names))
    }),
    ("authors added", true, |item, other, _| {
        let mut names = item.names(NameVar::Author).to_vec();
        names.extend(other.names(NameVar::Author).iter().take(2).cloned());
        Some(with_authors(item, names))
    }),
    ("authors left out", true, |item, _, _| {
        let names = item.names(NameVar::Author);
        let kept = names
            .get(..names.len() / 2)
            .filter(|kept| !kept.is_empty())?;
        Some(with_authors(item, kept.to_vec()))
    }),
    ("other first author", true, |item, other, _| {
        let mut names = item.names(NameVar::Author).to_vec();
        *names.first_mut()? = other.names(NameVar::Author).first()?.clone();
        Some(with_authors(item, names))
    }),
    ("other authors", true, |item, other, _| {
        Some(with_authors(item, other.names(NameVar::Author).to_vec()))
    }),
    ("other container", true, |item, other, _| {
        let container = other.text(TextVar::ContainerTitle)?.to_owned();
        let is_other = item.text(TextVar::ContainerTitle) != Some(&container);
        is_other.then(|| with_text(item, TextVar::ContainerTitle, container))
    }),
    ("invented container", true, |item, _, random| {
        let of = ["Advanced", "Applied", "Global", "Modern"][random.below(4)];
        let on = ["Horizons", "Frontiers", "Perspectives"][random.below(3)];
        let container = format!("International Symposium on {of} {on}");
        Some(with_text(item, TextVar::ContainerTitle, container))
    }),
    ("other year", true, |item, _, random| {
        let year = item.year()? + 2 + random.below(9) as i32;
        let mut item = item.clone();
        item.set_date(DateVar::Issued, DateParts::year(year).into());
        Some(item)
    }),
    ("other DOI", true, |item, other, _| {
        let doi = other.text(TextVar::Doi)?.to_owned();
        Some(with_text(item, TextVar::Doi, doi))
    }),
    ("invented", true, |item, other, random| {
        let mixed = KINDS.iter().find(|(name, ..)| *name == "mixed title")?.2;
        let mut made = mixed(item, other, random)?;
        let mut names = other.names(NameVar::Author).to_vec();
        names.reverse();
        made.set_names(NameVar::Author, names);
        made.set_text(TextVar::Doi, "");
        Some(made)
    }),
];

fn with_text(item: &Item, variable: TextVar, text: String) -> Item {
    let mut item = item.clone();
    item.set_text(variable, text);
    item
}

fn with_title(item: &Item, change: impl FnOnce(&str) -> String) -> Option<Item> {
    let title = change(item.text(TextVar::Title)?);
    Some(with_text(item, TextVar::Title, title))
}

fn with_authors(item: &Item, names: Vec<Name>) -> Item {
    let mut item = item.clone();
    item.set_names(NameVar::Author, names);
    item
}

fn with_names(item: &Item, change: impl Fn(&Name) -> Name) -> Option<Item> {
    let names = item.names(NameVar::Author).iter().map(change).collect();
    Some(with_authors(item, names))
}

fn initials(name: &Name) -> Name {
    let given = name.given.as_deref().unwrap_or_default();
    let initials: Vec<String> = { given.split_whitespace() }
        .filter_map(|part| part.chars().next())
        .map(|initial| format!("{initial}."))
        .collect();
    Name {
        given: Some(initials.join(" ")).filter(|given| !given.is_empty()),
        ..name.clone()
    }
}

fn others_left_out(item: &Item, _: &Item, _: &mut Random) -> Option<Item> {
    let names = item.names(NameVar::Author);
    let kept = names.get(..2).filter(|_| names.len() > 3)?.to_vec();
    let mut item = with_authors(item, kept);
    item.set_others(NameVar::Author);
    Some(item)
}

fn words(item: &Item) -> Option<Vec<&str>> {
    let words: Vec<&str> = item.text(TextVar::Title)?.split(' ').collect();
    (words.len() > 3).then_some(words)
}

/// Exchanges two letters within a long word.
fn misspelt(item: &Item, _: &Item, random: &mut Random) -> Option<Item> {
    let words = words(item)?;
    let long: Vec<usize> = (0..words.len())
        .filter(|n| words[*n].len() > 6 && words[*n].bytes().all(|b| b.is_ascii_lowercase()))
        .collect();
    let at = *long.get(random.below(long.len()))?;
    let mut letters: Vec<char> = words[at].chars().collect();
    letters.swap(3, 4);
    let changed: String = letters.into_iter().collect();
    let mut words = words;
    words[at] = &changed;
    Some(with_text(item, TextVar::Title, words.join(" ")))
}

/// Replaces a long word by one of another title.
fn other_word(item: &Item, other: &Item, random: &mut Random) -> Option<Item> {
    let mut own = words(item)?;
    let is_long = |word: &&str| word.len() > 5;
    let foreign: Vec<&str> = words(other)?.into_iter().filter(is_long).collect();
    let long: Vec<usize> = (0..own.len()).filter(|n| own[*n].len() > 5).collect();
    let (at, word) = (
        *long.get(random.below(long.len()))?,
        *foreign.get(random.below(foreign.len()))?,
    );
    let is_other = !own[at].eq_ignore_ascii_case(word);
    own[at] = word;
    is_other.then(|| with_text(item, TextVar::Title, own.join(" ")))
}

/// The reference as an entry of a file, or as printed in one of two styles.
fn reference(item: &Item, form: usize) -> Reference {
    if form.is_multiple_of(2) {
        return Reference::of_item(item);
    }
    let names = item.names(NameVar::Author).iter().map(|name| {
        let given = initials(name).given.unwrap_or_default();
        let given = match form % 4 {
            1 => given.replace(['.', ' '], ""),
            _ => given,
        };
        format!("{} {given}", name.heading()).trim().to_owned()
    });
    let mut names: Vec<String> = names.collect();
    if item.has_others(NameVar::Author) {
        names.push("et al".to_owned());
    }
    let text = |variable| item.text(variable).unwrap_or_default();
    let number = |variable| item.number(variable).unwrap_or_default();
    let year = item.year().map(|year| year.to_string()).unwrap_or_default();
    let title = text(TextVar::Title);
    let container = text(TextVar::ContainerTitle);
    let (volume, page) = (number(NumberVar::Volume), number(NumberVar::Page));
    let names = names.join(", ");
    let mut written = match form % 4 {
        1 => format!("{names}. {title}. {container}. {year};{volume}:{page}."),
        _ => format!("{names} ({year}) {title}. {container} {volume}, {page}."),
    };
    written = written.replace(";:.", ".").replace(" , .", ".");
    if let Some(doi) = item.doi() {
        written.push_str(&format!(" https://doi.org/{doi}"));
    }
    Reference::parse(&written)
}

/// A reference and its verdict.
struct Sample {
    field: &'static str,
    kind: &'static str,
    is_file: bool,
    is_altered: bool,
    is_known: bool,
    is_for_fit: bool,
    verification: Verification,
    text: String,
}

impl Sample {
    fn is_flagged(&self) -> bool {
        matches!(
            self.verification.verdict,
            Verdict::Mismatch | Verdict::NotFound
        )
    }

    /// Whether the verdict is right; `None` for one that decides nothing.
    fn is_right(&self) -> Option<bool> {
        match self.verification.verdict {
            Verdict::Verified => Some(!self.is_altered && self.is_known),
            Verdict::Mismatch => Some(self.is_altered),
            Verdict::NotFound => Some(!self.is_known || self.is_altered),
            _ => None,
        }
    }
}

fn field_of(item: &Item) -> &'static str {
    let container = item.text(TextVar::ContainerTitle).unwrap_or_default();
    let is_of = |words: &&[&str]| words.iter().any(|word| container.contains(word));
    let field = FIELDS.iter().find(|(_, words)| is_of(words));
    field.map_or("other", |(name, _)| name)
}

/// Works with enough fields, more of the rare fields of research.
fn items() -> Option<Vec<Item>> {
    const ONE_OF_OTHERS: usize = 6;
    let mut items = read_items(&benchmark("corpus-dev.jsonl.gz")?);
    items.extend(read_items(&benchmark("corpus-noise.jsonl.gz")?));
    items.retain(|item| {
        let has = |variable| item.text(variable).is_some_and(|text| text.len() > 3);
        let authors = item.names(NameVar::Author);
        has(TextVar::ContainerTitle)
            && item.year().is_some()
            && words(item).is_some()
            && !authors.is_empty()
            && authors.iter().all(|name| name.given.is_some())
    });
    let mut n = 0;
    items.retain(|item| {
        n += 1;
        matches!(field_of(item), "history" | "law") || n % ONE_OF_OTHERS == 0
    });
    Some(items)
}

fn samples() -> Vec<Sample> {
    let Some(items) = items() else {
        return Vec::new();
    };
    let is_known = |n: usize| !n.is_multiple_of(LEFT_OUT);
    let kept = items.iter().enumerate().filter(|(n, _)| is_known(*n));
    let works = Works::new(kept.map(|(_, item)| item.clone()).collect());
    let rare: Vec<usize> = (0..items.len())
        .filter(|n| field_of(&items[*n]) != "other")
        .collect();
    let count = std::env::var("CITATION_VERDICT_SAMPLE").ok();
    let count = count.and_then(|n| n.parse().ok()).unwrap_or(SAMPLE);
    let mut random = Random::seeded(11);
    let mut samples = Vec::new();
    for n in 0..count {
        let at = match n % 2 {
            0 => rare[random.below(rare.len())],
            _ => random.below(items.len()),
        };
        let (item, other) = (&items[at], &items[random.below(items.len())]);
        let (kind, is_altered, make) = KINDS[random.below(KINDS.len())];
        let Some(mut made) = make(item, other, &mut random).filter(|_| at != 0) else {
            continue;
        };
        if kind != "other DOI" && random.below(2) == 0 {
            made.set_text(TextVar::Doi, "");
        }
        let form = random.below(4);
        let reference = reference(&made, form);
        samples.push(Sample {
            field: field_of(item),
            kind,
            is_file: form.is_multiple_of(2),
            is_altered,
            is_known: is_known(at),
            is_for_fit: at.is_multiple_of(2),
            verification: works.verify_reference(&reference),
            text: reference.text,
        });
    }
    samples
}

#[test]
fn verdicts_of_altered_references_by_field() {
    let samples = samples();
    if samples.is_empty() {
        return;
    }
    let (fitted, kept): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|s| s.is_for_fit);
    println!("| field | altered | flagged | true | flagged |\n|---|---|---|---|---|");
    for (field, _) in FIELDS {
        let of_field = samples.iter().filter(|s| s.field == field && s.is_known);
        print_rates(field, &of_field.collect::<Vec<_>>());
    }
    println!("\n| reference | altered | flagged | true | flagged |\n|---|---|---|---|---|");
    for (name, is_file) in [("entry of a file", true), ("printed", false)] {
        let of_form = samples
            .iter()
            .filter(|s| s.is_file == is_file && s.is_known);
        print_rates(name, &of_form.collect::<Vec<_>>());
    }
    println!(
        "\n| kind | references | verified | mismatch | ambiguous | not found |\n|---|---|---|---|---|---|"
    );
    for (kind, ..) in KINDS {
        let of_kind: Vec<&Sample> = samples
            .iter()
            .filter(|s| s.kind == kind && s.is_known)
            .collect();
        let count = |verdict| {
            of_kind
                .iter()
                .filter(|s| s.verification.verdict == verdict)
                .count()
        };
        println!(
            "| {kind} | {} | {} | {} | {} | {} |",
            of_kind.len(),
            count(Verdict::Verified),
            count(Verdict::Mismatch),
            count(Verdict::Ambiguous),
            count(Verdict::NotFound)
        );
    }
    match std::env::var_os("CITATION_FIT") {
        Some(_) => {
            let weights = DECIDED.map(|verdict| fitted_weights(verdict, &fitted));
            print_reliability(&kept, |verdict, sample| {
                let at = DECIDED.iter().position(|decided| *decided == verdict)?;
                Some(logistic(&weights[at], &features(&sample.verification)))
            });
        }
        None => print_reliability(&kept, |_, sample| sample.verification.probability),
    }
    if std::env::var_os("CITATION_SHOW").is_some() {
        for sample in samples
            .iter()
            .filter(|s| s.is_known && s.is_flagged() != s.is_altered)
        {
            let found = &sample.verification;
            println!(
                "{} {:?} {}\n    {:?}",
                sample.kind, found.verdict, sample.text, found.differences
            );
        }
    }
    let known: Vec<&Sample> = samples.iter().filter(|s| s.is_known).collect();
    let (detection, false_alarms) = rates(&known);
    assert!(detection >= 0.9, "{detection}");
    assert!(false_alarms <= 0.05, "{false_alarms}");
}

/// The share of altered references that are flagged, and of true ones.
fn rates(samples: &[&Sample]) -> (f64, f64) {
    let share = |is_altered: bool| {
        let of: Vec<&&Sample> = samples
            .iter()
            .filter(|s| s.is_altered == is_altered)
            .collect();
        of.iter().filter(|s| s.is_flagged()).count() as f64 / of.len().max(1) as f64
    };
    (share(true), share(false))
}

fn print_rates(name: &str, samples: &[&Sample]) {
    let altered = samples.iter().filter(|s| s.is_altered).count();
    let (detection, false_alarms) = rates(samples);
    let sound = samples.len() - altered;
    println!("| {name} | {altered} | {detection:.3} | {sound} | {false_alarms:.3} |");
}

const DECIDED: [Verdict; 3] = [Verdict::Verified, Verdict::Mismatch, Verdict::NotFound];

/// Mean probability and share of right verdicts, by band of probability.
fn print_reliability(samples: &[&Sample], probability: impl Fn(Verdict, &Sample) -> Option<f64>) {
    const BANDS: [f64; 6] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.98];
    println!("\n| verdict | probability | verdicts | mean | right |\n|---|---|---|---|---|");
    for verdict in DECIDED {
        for (n, from) in BANDS.into_iter().enumerate() {
            let to = BANDS.get(n + 1).copied().unwrap_or(1.01);
            let band: Vec<(f64, bool)> = { samples.iter() }
                .filter(|s| s.verification.verdict == verdict)
                .filter_map(|s| Some((probability(verdict, s)?, s.is_right()?)))
                .filter(|(probability, _)| *probability >= from && *probability < to)
                .collect();
            if band.is_empty() {
                continue;
            }
            let mean = band.iter().map(|(p, _)| p).sum::<f64>() / band.len() as f64;
            let right = band.iter().filter(|(_, right)| *right).count() as f64 / band.len() as f64;
            println!(
                "| {} | {from} to {} | {} | {mean:.3} | {right:.3} |",
                verdict.as_str(),
                to.min(1.0),
                band.len()
            );
        }
    }
}

/// Fits and prints the weights of a verdict.
fn fitted_weights(verdict: Verdict, samples: &[&Sample]) -> Weights {
    let of_verdict: Vec<(Weights, bool)> = { samples.iter() }
        .filter(|s| s.verification.verdict == verdict)
        .filter_map(|s| Some((features(&s.verification), s.is_right()?)))
        .collect();
    let weights = fit(&of_verdict);
    println!("{}: {} verdicts", verdict.as_str(), of_verdict.len());
    for (name, weight) in NAMES.iter().zip(weights) {
        println!("    {weight:.3}, // {name}");
    }
    weights
}

/// A logistic model by gradient descent, with weights held small.
fn fit(rows: &[(Weights, bool)]) -> Weights {
    const ROUNDS: usize = 4_000;
    const STEP: f64 = 0.5;
    const DECAY: f64 = 0.002;
    let mut weights = [0.0; COUNT];
    for _ in 0..ROUNDS {
        let mut slope = [0.0; COUNT];
        for (features, is_right) in rows {
            let error = logistic(&weights, features) - f64::from(u8::from(*is_right));
            for (slope, feature) in slope.iter_mut().zip(features) {
                *slope += error * feature;
            }
        }
        for (n, (weight, slope)) in weights.iter_mut().zip(slope).enumerate() {
            let decay = if n == 0 { 0.0 } else { DECAY * *weight };
            *weight -= STEP * (slope / rows.len().max(1) as f64 + decay);
        }
    }
    weights
}
