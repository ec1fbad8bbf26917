//! The matching engine: references of many kinds against a few works, and against the
//! benchmark if present.

mod calibration;
mod kinds;
mod verdicts;
mod verification;
mod works;

use citation_matching::certainty::Certainty;
use citation_model::budget::Budget;
use citation_testing::Random;
use works::{Works, benchmark, read_items};

#[test]
fn references_match_only_their_works() {
    let works = Works::new(read_items(include_str!("works.jsonl")));
    let mut wrong = Vec::new();
    for line in include_str!("references.tsv").lines() {
        let Some((text, expected)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
        else {
            continue;
        };
        let best = works.best(&text.replace("\\n", "\n"));
        let (found, score) = match &best {
            Some(best) => (best.work.item.id.as_str(), best.score),
            None => ("-", 0.0),
        };
        let accepted = if Certainty::of(score) >= Certainty::Accepted {
            found
        } else {
            "-"
        };
        if accepted != expected {
            wrong.push(format!("{text}\n    {found} {score:.3}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn arbitrary_input_never_panics() {
    let works = Works::new(read_items(include_str!("works.jsonl")));
    let alphabet: Vec<char> = "aZ0 .,;:()[]{}<>&-–—“”\"'/\\\n\t\u{0}\u{ad}\u{300}\u{200d}éßЩ日本語👩‍👩‍👧ﬁ\u{fffd}10.1000/x vol pp et al".chars().collect();
    let mut random = Random::new();
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..2000 {
            text.push(alphabet[random.below(alphabet.len())]);
        }
        works.best(&text);
        let _ = citation_matching::split(&text, &Budget::unlimited());
    }
    for text in [
        "",
        " ",
        "\n\n",
        "(",
        "10.",
        "[1]",
        "“",
        "-\n-",
        &"a ".repeat(1000),
        &"1".repeat(2000),
        &"A. ".repeat(700),
        &"日".repeat(2000),
    ] {
        works.best(text);
        let _ = citation_matching::split(text, &Budget::unlimited());
    }
}

#[test]
fn benchmark_is_matched() {
    let Some(works) = benchmark("corpus-dev.jsonl.gz") else {
        return;
    };
    let Some(queries) = benchmark("queries-dev.jsonl.gz") else {
        return;
    };
    let works = Works::new(read_items(&works));
    let (mut positive, mut first, mut negative, mut accepted_wrongly) = (0, 0, 0, 0);
    for line in queries.lines().step_by(40) {
        let query: serde_json::Value = serde_json::from_str(line).expect("a query a line");
        let best = works.best(query["text"].as_str().unwrap_or_default());
        let score = best.as_ref().map_or(0.0, |best| best.score);
        let found = best
            .map(|best| best.work.item.id.to_lowercase())
            .unwrap_or_default();
        let is_right =
            |id: &serde_json::Value| id.as_str().is_some_and(|id| id.to_lowercase() == found);
        if query["doi"].is_null() {
            negative += 1;
            accepted_wrongly += usize::from(Certainty::of(score) >= Certainty::Accepted);
        } else {
            positive += 1;
            let also = query["also"].as_array().cloned().unwrap_or_default();
            first += usize::from(is_right(&query["doi"]) || also.iter().any(is_right));
        }
    }
    println!(
        "right work first: {first} of {positive}; accepted wrongly: {accepted_wrongly} of {negative}"
    );
    assert!(first * 100 >= positive * 98);
    assert!(accepted_wrongly * 100 <= negative * 4);
}
