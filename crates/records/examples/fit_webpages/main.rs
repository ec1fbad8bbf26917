//! Fits the weights of the evidence on web pages: `fit_webpages [--only FIELD]... [--write FOLDER] INDEX.tsv...`.
//! With `--only`, the other columns of the tables stay as they are; `--only type` fits the weights of types alone.
//! `FOLDER` is `src/webpage`.
//!
//! Every page is read twice, as it is and without its tags: most pages of sets have tags, so what the visible page
//! says is learned where the tags are taken away.
//!
//! For each field of each page, the candidates of the engine's explanation compete in a conditional logit, with
//! «none» as a candidate of score 0. Which are right is told by the expectations beside the index. The weights stay
//! near those of `PRIORS` where pages say little. Accuracy is measured with sites kept apart: all pages of a host
//! are in one of five parts, and each part is judged by weights fitted on the others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod kinds;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use citation_model::budget::Budget;
use citation_records::webpage::{self, Field, FieldExplanation, Trait};
use serde_json::Value;

/// What is believed before any page is seen: a row a trait, a column a field of `Field::ALL`. The column of the
/// authors is what an earlier fit to the pages with tags found.
const PRIORS: &str = "\
Given                 0  -0.5  0.91  -1.5  -1.5    -2
Highwire            3.5     0  8.42     4     4     6
DublinCore          2.5     0  4.42     3   2.5     4
Eprints             2.5     0  4.50   3.5     4     5
Coins               0.2     0  2.00   1.5     2     3
Schema              2.2     2  5.84   3.2     0     4
SchemaPart            0     1  0.00     0     4     0
OpenGraph           2.2   2.5  4.59   3.5     0     0
Meta                0.5   0.5  2.54   2.5     0     0
SocialTag           1.2   0.5 -0.39     0     0     0
TitleTag              1     0  0.00     0     0     0
TitlePart             1   0.6  0.00     1   1.5     0
TagPart             0.5   0.3  0.00     0     0     0
Heading             1.5     0  0.00     1     0     0
LowerHeading        0.4     0  0.00     0     0     0
MarkedSure            1     0  2.36   2.5     0     0
Marked              0.8     0  2.24     2     0     0
Profile               0     0  1.28     0     0     0
LabelledLine          0     0  3.50   2.5     0     0
LabelInText           0   0.6  2.95   0.7     0     0
LabelValue            2   0.6  3.95   2.2     2   3.5
BareLine              0     0  0.00     2     0     0
DatedLine             0     0 -0.13     0     0     0
NameList              0     0  0.41     0     0     0
Listed                0     0  1.00     0     0     0
Bracketed             0     0  2.80     0     0     0
Signature             0     0  2.55     0     0     0
CitationLine          0     0  1.50   2.2   2.5     2
OwnCitation           3     0  2.03     2     3     3
InAddress             0     1  0.00   2.5     0     5
Host                 -3   0.2  0.00     0     0     0
Copyright             0   0.2  0.00  -0.5     0     0
Feed                  0   0.5  0.00     0     0     0
Logo                  0   1.0  0.00     0     0     0
Link                  0   1.0  0.00     0     0   0.2
Modified              0     0  0.00   0.3     0     0
Near                  0     0  0.00   0.8     0   0.6
Beside                0     0  0.60   0.6     0     0
BesideOther           0     0   0.5   0.5     0     0
Above                 0     0 -2.40  -0.2     0     0
Far                   0     0  0.03  -0.4     0  -0.6
Aside                 0     0 -0.08  -1.2     0  -1.5
First               0.5     0  0.81   0.4     0     0
Behind                0     0 -0.86  -0.6     0     0
Late               -0.6     0 -1.27  -0.5     0     0
Closing               0     0     1     0     0     0
BehindKicker          2     0     0     0     0     0
BehindElement       0.3     0     0     0     0     0
Agreed              0.6   0.8  0.63   0.8   0.8   0.8
AgreedTwice         1.6   1.5  1.22   1.2   1.2     1
Alone                 0     0  1.17     0     0     0
Finer                 0     0  0.00     0     0     0
Superset              0     0  2.04     0     0     0
Subset                0     0  0.81  -2.5  -0.8     0
IsSite               -4     0 -0.97     0  -0.8     0
KeepsSite          -3.5     0  0.00     0     0     0
HasHeading           -3     0  0.00     0     0     0
IsTitle               0    -6  0.00     0     0     0
RestIsSite          0.0     0  0.00     0     0     0
RestIsOther        -1.5  -0.2  0.00     0     0     0
IsHeading           1.5    -4  0.00     0     0     0
IsOnlyHeading       1.2     0  0.00     0     0     0
IsLowerHeading      0.7     0  0.00     0     0     0
InTitleTag          0.8   0.6  0.00     0   0.5     0
InTag               0.2     0  0.00     0     0     0
InHeading          -0.3    -3  0.00     0     0     0
IsCutShort           -4     0  0.00     0     0     0
IsLonger              1     0  0.00     0     0     0
IsGeneric            -4    -2 -3.00     0     0     0
EndsTitleTag         -3     0  0.00     0     0     0
IsShort            -0.8     0  0.00     0     0     0
IsLong               -1  -1.5  0.00     0    -1     0
InSlug              1.2     0  0.00     0     0     0
MatchesHost           0     3  0.00     0     0     0
SpellsHost            0     1  0.00     0     0     0
AbbreviatesToHost     0     1  0.00     0     0     0
IsPeriodical          0     0  0.00     0     1     0
HasPlainWord          0     0 -1.00     0     0     0
IsPeople              0     0  1.65     0     0     0
HasPerson             0     0 -0.85     0     0     0
HasGivenName          0     0   1.5     0     0     0
IsFullName            0     0   0.3     0     0     0
IsOwner               0     0    -4     0     0     0
IsInMenu              0     0  -1.5     0     0     0
IsInByline            0     0  -1.5     0     0     0
IsSingleWord       -0.3     0 -1.89     0     0     0
IsAccount             0     0   3.2     0     0     0
IsSingle              0     0  0.17     0     0     0
IsNamedInTitle        0     0  -2.6     0     0     0
IsContinued           0     0  -2.5     0     0     0
IsDay                 0     0  0.00   0.5     0     0
IsMonth               0     0  0.00     0     0     0
IsYear                0     0  0.00  -0.6     0     0
IsOther               0     0  0.00  -2.5     0     0
IsLatest              0     0  0.00  -0.3     0     0
IsEarliest            0     0  0.00     0     0     0
IsWork                0     0  0.00   0.2     1   2.5
IsOtherWork           0     0  0.00     0     0  -2.5
IsOnly                0     0  0.00     0     0   0.8
IsOwnLine             0     0  0.00     0     0   1.6
OfThread              0     0     0     0     0     0
OfArticle             0     0  0.46     0   0.8     1
OfStory               0     0  0.71     0  -1.5  -1.5
";

/// How strongly the weights of each field are drawn to the priors.
const RIDGE: [f64; 6] = [0.3, 0.3, 2.0, 0.5, 0.25, 1.0];

/// The same for traits that no earlier fit knew.
const LOOSE_RIDGE: f64 = 0.3;

const LOOSE: [Trait; 12] = [
    Trait::BesideOther,
    Trait::BareLine,
    Trait::Closing,
    Trait::BehindKicker,
    Trait::BehindElement,
    Trait::HasGivenName,
    Trait::IsFullName,
    Trait::IsOwner,
    Trait::IsInMenu,
    Trait::IsInByline,
    Trait::IsNamedInTitle,
    Trait::IsContinued,
];

/// How much a page without its tags counts.
const BARE: f64 = 0.5;

/// How much a page counts whose expectation is only that of another project (`other` in the column
/// `expected_by`), and how much if it says that there is no value, which often means that nobody looked.
const UNCHECKED: f64 = 0.4;
const UNCHECKED_NONE: f64 = 0.15;

const ROUNDS: usize = 150;
const PARTS: usize = 5;

/// A field of a page.
struct Example {
    part: usize,
    /// How much it counts in a fit.
    weight: f64,
    /// The traits of each candidate, and whether it is right.
    candidates: Vec<(Vec<usize>, bool)>,
    /// Whether it is right to give none.
    is_none_right: bool,
    /// Whether the engine's own choice is right.
    is_chosen_right: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut write = None;
    let mut only: Vec<String> = Vec::new();
    while let Some(option) = arguments.first().filter(|first| first.starts_with("--")) {
        let value = arguments
            .get(1)
            .cloned()
            .ok_or("an option without a value")?;
        match option.as_str() {
            "--write" => write = Some(value),
            "--only" => only.push(value),
            _ => return Err(format!("unknown option {option}").into()),
        }
        arguments.drain(..2);
    }
    let is_fitted = |field: Field| only.is_empty() || only.iter().any(|one| one == field.as_str());
    let mut examples: Vec<Vec<Example>> = Field::ALL.iter().map(|_| Vec::new()).collect();
    let mut pages = Vec::new();
    for index in &arguments {
        add(Path::new(index), &mut examples, &mut pages)?;
    }
    if only.is_empty() || only.iter().any(|one| one == "type") {
        let table = kinds::fit(&pages);
        if let Some(folder) = &write {
            kinds::write(&Path::new(folder).join("kind_weights.rs"), &table)?;
        }
    }
    let priors = priors();
    let mut table = vec![vec![0.0; Field::ALL.len()]; Trait::ALL.len()];
    for (column, field) in Field::ALL.iter().enumerate() {
        if !is_fitted(*field) {
            continue;
        }
        let prior: Vec<f64> = priors.iter().map(|row| row[column]).collect();
        let all: Vec<&Example> = examples[column].iter().collect();
        let has_none = *field != Field::Title;
        let mut held_out = 0;
        for part in 0..PARTS {
            let known: Vec<&Example> = all.iter().copied().filter(|e| e.part != part).collect();
            let weights = fit(&known, &prior, has_none, RIDGE[column]);
            let judged = all.iter().filter(|example| example.part == part);
            held_out += judged
                .filter(|example| is_right(example, &weights, has_none))
                .count();
        }
        let weights = fit(&all, &prior, has_none, RIDGE[column]);
        let right = |weights: &[f64]| {
            all.iter()
                .filter(|e| is_right(e, weights, has_none))
                .count()
        };
        let can_be = all
            .iter()
            .filter(|e| e.is_none_right || e.candidates.iter().any(|c| c.1))
            .count();
        println!(
            "{:10} {:4} pages: the engine {}, priors {}, fitted {}, held out {held_out}, a right candidate {can_be}",
            field.as_str(),
            all.len(),
            all.iter().filter(|e| e.is_chosen_right).count(),
            right(&prior),
            right(&weights),
        );
        for (row, weight) in table.iter_mut().zip(&weights) {
            row[column] = *weight;
        }
    }
    if let Some(folder) = write.filter(|_| Field::ALL.iter().any(|field| is_fitted(*field))) {
        let path = Path::new(&folder).join("weights.rs");
        let text = std::fs::read_to_string(&path)?;
        let (head, known) = text.split_once("const WEIGHTS").ok_or("no table")?;
        for (row, known) in table.iter_mut().zip(known.lines().skip(1)) {
            let numbers = known.split(['[', ']']).nth(1).unwrap_or_default();
            let numbers = numbers
                .split(", ")
                .map(|number| number.parse().unwrap_or(0.0));
            for ((field, weight), number) in Field::ALL.iter().zip(row).zip(numbers) {
                if !is_fitted(*field) {
                    *weight = number;
                }
            }
        }
        std::fs::write(&path, format!("{head}{}", rows(&table)))?;
    }
    Ok(())
}

fn rows(table: &[Vec<f64>]) -> String {
    let mut text = format!("const WEIGHTS: [(Trait, [f32; 6]); {}] = [\n", table.len());
    for (name, row) in Trait::ALL.iter().zip(table) {
        let numbers: Vec<String> = row.iter().map(|weight| format!("{weight:.2}")).collect();
        let _ = writeln!(text, "    (Trait::{name:?}, [{}]),", numbers.join(", "));
    }
    text.replace("-0.00", "0.00") + "];\n"
}

fn priors() -> Vec<Vec<f64>> {
    let rows = rows_of(PRIORS);
    let row = |name: &Trait| rows[format!("{name:?}").as_str()].clone();
    Trait::ALL.iter().map(row).collect()
}

/// The rows of a table of priors by their names.
fn rows_of(table: &str) -> BTreeMap<&str, Vec<f64>> {
    let row = |line: &'_ str| -> Vec<f64> {
        let numbers = line.split_whitespace().skip(1);
        numbers.filter_map(|word| word.parse().ok()).collect()
    };
    let named = table
        .lines()
        .filter_map(|line| Some((line.split_whitespace().next()?, row(line))));
    named.collect()
}

fn score(traits: &[usize], weights: &[f64]) -> f64 {
    traits.iter().map(|one| weights[*one]).sum()
}

fn is_right(example: &Example, weights: &[f64], has_none: bool) -> bool {
    let best = example
        .candidates
        .iter()
        .map(|(traits, is_right)| (score(traits, weights), *is_right))
        .rev()
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match best {
        Some((score, is_right)) if score > 0.0 || !has_none => is_right,
        _ => example.is_none_right,
    }
}

/// Ascent on the logarithm of the probability of the right candidates.
fn fit(examples: &[&Example], prior: &[f64], has_none: bool, ridge: f64) -> Vec<f64> {
    ascend(prior, |weights| {
        let mut slopes: Vec<f64> = (weights.iter().zip(prior).zip(Trait::ALL))
            .map(|((weight, prior), one)| {
                let ridge = if LOOSE.contains(one) {
                    LOOSE_RIDGE.min(ridge)
                } else {
                    ridge
                };
                ridge * (prior - weight)
            })
            .collect();
        for example in examples {
            let has_right = example.is_none_right || example.candidates.iter().any(|one| one.1);
            if !has_right {
                continue;
            }
            let scores: Vec<f64> = example
                .candidates
                .iter()
                .map(|one| score(&one.0, weights))
                .collect();
            let none = if has_none { 1.0 } else { 0.0 };
            let total: f64 = scores.iter().map(|score| score.exp()).sum::<f64>() + none;
            let right: f64 = (scores.iter().zip(&example.candidates))
                .filter(|(_, one)| one.1)
                .map(|(score, _)| score.exp())
                .sum::<f64>()
                + if example.is_none_right { none } else { 0.0 };
            for (score, (traits, is_right)) in scores.iter().zip(&example.candidates) {
                let share = if *is_right {
                    score.exp() / right.max(1e-12)
                } else {
                    0.0
                };
                for one in traits {
                    slopes[*one] += example.weight * (share - score.exp() / total);
                }
            }
        }
        slopes
    })
}

/// Goes up the slopes; the step of a weight grows while its slope keeps its sign, and shrinks when the sign changes
/// (Rprop).
fn ascend(start: &[f64], slopes: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut weights = start.to_vec();
    let mut steps = vec![0.1_f64; weights.len()];
    let mut before = vec![0.0_f64; weights.len()];
    for _ in 0..ROUNDS {
        for (at, slope) in slopes(&weights).into_iter().enumerate() {
            let goes_on = slope * before[at];
            steps[at] = match () {
                () if goes_on > 0.0 => (steps[at] * 1.2).min(0.5),
                () if goes_on < 0.0 => steps[at] * 0.5,
                () => steps[at],
            };
            if slope.abs() > 1e-9 {
                weights[at] += steps[at] * slope.signum();
            }
            before[at] = slope;
        }
    }
    weights
}

/// Adds the pages of an index.
fn add(
    index: &Path,
    examples: &mut [Vec<Example>],
    pages: &mut Vec<kinds::Page>,
) -> Result<(), Box<dyn std::error::Error>> {
    let folder = index.parent().ok_or("no folder")?;
    for line in std::fs::read_to_string(index)?.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, url, kind, expected, expected_by, ..] = cells.as_slice() else {
            continue;
        };
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(std::fs::File::open(folder.join(file))?)
            .read_to_end(&mut bytes)?;
        let wanted: Value = serde_json::from_slice(&std::fs::read(folder.join(expected))?)?;
        let host = url
            .split('/')
            .nth(2)
            .filter(|host| !host.is_empty())
            .unwrap_or(file);
        let part = host
            .bytes()
            .fold(7_usize, |sum, byte| (sum * 31 + usize::from(byte)) % 10_007)
            % PARTS;
        for (is_bare, page) in [(true, without_tags(&bytes)), (false, bytes)] {
            let (_, explanation) = webpage::explain(&page, Some(url), None, &Budget::unlimited())?;
            let weight = if is_bare { BARE } else { 1.0 };
            pages.extend(kinds::page(&explanation, &wanted, part, weight));
            for (column, field) in explanation.fields.iter().enumerate() {
                // Without tags most DOIs of a page are those of other works.
                if is_bare && field.field == Field::Doi {
                    continue;
                }
                let example = example(field, &wanted, matches!(*kind, "news" | "blog"), part);
                examples[column].extend(example.map(|example| {
                    let checked = match (*expected_by, example.is_none_right) {
                        ("other", true) => UNCHECKED_NONE,
                        ("other", false) => UNCHECKED,
                        _ => 1.0,
                    };
                    let weight = if is_bare { checked * BARE } else { checked };
                    Example { weight, ..example }
                }));
            }
        }
    }
    Ok(())
}

/// A page without its `<meta>` except that of the charset, and without JSON-LD.
fn without_tags(page: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(page.len());
    let mut rest = page;
    let find = |text: &[u8], what: &[u8]| {
        let mut windows = text.windows(what.len());
        windows.position(|window| window.eq_ignore_ascii_case(what))
    };
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        kept.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let starts = |what: &[u8]| {
            rest.get(..what.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(what))
        };
        let end = find(&rest[..rest.len().min(4_000)], b">").map_or(1, |end| end + 1);
        let tag = &rest[..end];
        let is_dropped = starts(b"<meta") && find(tag, b"charset").is_none();
        let is_json = starts(b"<script") && find(tag, b"ld+json").is_some();
        let length = match () {
            () if is_json => find(rest, b"</script>").map_or(rest.len(), |end| end + 9),
            () if is_dropped => end,
            () => {
                kept.extend_from_slice(tag);
                end
            }
        };
        rest = &rest[length..];
    }
    kept.extend_from_slice(rest);
    kept
}

/// The candidates of a field with those that are right; `None` if the field is not judged.
fn example(
    field: &FieldExplanation,
    wanted: &Value,
    is_story: bool,
    part: usize,
) -> Option<Example> {
    let name = match field.field {
        Field::Title => "title",
        Field::Site => "site_name",
        Field::Authors => "authors",
        Field::Date => "date",
        Field::Container => "container_title",
        Field::Doi => "doi",
    };
    let mut answers: Vec<Value> = Vec::new();
    let is_judged = wanted.get(name).is_some();
    if let Some(value) = wanted.get(name).filter(|value| !value.is_null()) {
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        answers.extend((!is_empty).then(|| value.clone()));
    }
    if let Some(Value::Array(also)) = wanted.get(format!("{name}_also")) {
        answers.extend(also.iter().cloned());
    }
    // Stories have no journal and no DOI, whether it is written down or not.
    let is_without = is_story && matches!(field.field, Field::Container | Field::Doi);
    if !is_judged && !is_without {
        return None;
    }
    let candidates = field.candidates.iter().map(|candidate| {
        let is_right = answers
            .iter()
            .any(|answer| is_same(field.field, answer, &candidate.value));
        let traits = candidate.traits.iter().map(|one| *one as usize).collect();
        (traits, is_right)
    });
    let mut candidates: Vec<(Vec<usize>, bool)> = candidates.collect();
    prefer_without(&mut candidates, Trait::KeepsSite);
    if field.field == Field::Date {
        prefer_without(&mut candidates, Trait::Subset);
    }
    let is_none_right = answers.is_empty();
    let is_chosen_right = match candidates.first() {
        Some((_, is_right)) if field.is_chosen => *is_right,
        _ => is_none_right,
    };
    Some(Example {
        part,
        weight: 1.0,
        candidates,
        is_none_right,
        is_chosen_right,
    })
}

/// The sets accept titles with and without the site's name, and a year for a day of it; where a candidate without the
/// trait is right, it is better.
fn prefer_without(candidates: &mut [(Vec<usize>, bool)], other: Trait) {
    let has = |traits: &[usize]| traits.contains(&(other as usize));
    let is_better = candidates
        .iter()
        .any(|(traits, is_right)| *is_right && !has(traits));
    for (traits, is_right) in candidates.iter_mut() {
        *is_right &= !(is_better && has(traits));
    }
}

/// Whether a candidate is the expected value, as the sets judge it.
fn is_same(field: Field, wanted: &Value, value: &str) -> bool {
    match field {
        Field::Authors => {
            let names: Vec<&str> = value.split("; ").collect();
            let wanted: Vec<&str> = wanted.as_array().map_or_else(Vec::new, |all| {
                all.iter().filter_map(Value::as_str).collect()
            });
            let pairs = || wanted.iter().zip(&names);
            wanted.len() == names.len() && pairs().all(|(one, other)| is_same_person(one, other))
        }
        Field::Date => {
            let wanted = wanted.as_str().unwrap_or_default();
            let length = wanted.len().min(value.len());
            length > 3 && wanted.get(..length) == value.get(..length)
        }
        Field::Doi => wanted
            .as_str()
            .is_some_and(|doi| doi.eq_ignore_ascii_case(value)),
        _ => wanted
            .as_str()
            .is_some_and(|text| fold(text) == fold(value)),
    }
}

fn fold(text: &str) -> String {
    let text = text.replace("<i>", "").replace("</i>", "");
    let text = text
        .replace("<sub>", "")
        .replace("</sub>", "")
        .replace("<sup>", "")
        .replace("</sup>", "");
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether two names have the same words, or one has initials of the other's.
fn is_same_person(one: &str, other: &str) -> bool {
    let words = |name: &str| {
        let words = name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_lowercase).collect();
        words.sort();
        words
    };
    let (one, other) = (words(one), words(other));
    let initials = |words: &[String]| {
        words
            .iter()
            .filter_map(|word| word.chars().next())
            .collect::<Vec<_>>()
    };
    let has_common = one
        .iter()
        .any(|word| word.chars().count() > 1 && other.contains(word));
    one == other || has_common && initials(&one) == initials(&other)
}
