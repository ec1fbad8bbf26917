//! Calibration: among answers with a score, the same share is right. The references are generated
//! from works that no query of the benchmark uses, so that no weight was
//! fitted to them; every fourth work is missing from the corpus.

use citation_testing::Random;

use citation_matching::certainty::Certainty;
use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};

use super::works::{Works, benchmark, read_items};

/// References, unless `CITATION_CALIBRATION_SAMPLE` says how many.
const SAMPLE: usize = 400;

/// One work in so many of the file is taken.
const TAKEN: usize = 7;

/// One work in so many is not in the corpus.
const LEFT_OUT: usize = 4;

/// Where the bands of scores begin.
const BANDS: [f64; 9] = [
    0.0,
    0.1,
    0.3,
    0.5,
    Certainty::Accepted.threshold(),
    Certainty::Certain.threshold(),
    0.9,
    0.97,
    0.99,
];

#[test]
fn scores_are_calibrated() {
    let Some(lines) = benchmark("distractors-real.jsonl.gz") else {
        return;
    };
    let lines: Vec<&str> = lines
        .lines()
        .filter(|line| line.contains("\"article-journal\""))
        .step_by(TAKEN)
        .collect();
    let mut items = read_items(&lines.join("\n"));
    items.retain(|item| Parts::of(item).is_some());
    let is_left_out = |n: usize| n.is_multiple_of(LEFT_OUT);
    let kept = items.iter().enumerate().filter(|(n, _)| !is_left_out(*n));
    let works = Works::new(kept.map(|(_, item)| item.clone()).collect());
    let sample = std::env::var("CITATION_CALIBRATION_SAMPLE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(SAMPLE);
    let mut random = Random::seeded(7);
    let mut tables = [Table::default(), Table::default()];
    for n in 0..sample {
        let at = random.below(items.len());
        let Some(parts) = items.get(at).and_then(Parts::of) else {
            continue;
        };
        let text = noisy(&parts.written(n, &mut random), &mut random);
        let best = works.best(&text);
        let answer = Answer {
            score: best.as_ref().map_or(0.0, |best| best.score),
            is_right: best.is_some_and(|best| best.work.item.id == items[at].id),
            is_known: !is_left_out(at),
        };
        tables[usize::from(n % FORMS >= TITLED)]
            .answers
            .push(answer);
    }
    for (name, table) in ["with titles", "without titles"].into_iter().zip(&tables) {
        println!("references {name}");
        table.print();
        assert!(table.accepted_of_unknown() <= 0.04, "{name}");
        assert!(table.right_of_accepted() >= 0.96, "{name}");
    }
}

/// What a reference was answered with.
struct Answer {
    score: f64,
    is_right: bool,
    is_known: bool,
}

#[derive(Default)]
struct Table {
    answers: Vec<Answer>,
}

impl Table {
    fn print(&self) {
        println!("| score | answers | mean score | right |\n|---|---|---|---|");
        for (n, from) in BANDS.into_iter().enumerate() {
            let to = BANDS.get(n + 1).copied().unwrap_or(1.0);
            let holds = |score: f64| score >= from && (score < to || n + 1 == BANDS.len());
            let band: Vec<&Answer> = self.answers.iter().filter(|a| holds(a.score)).collect();
            if band.is_empty() {
                continue;
            }
            let mean = band.iter().map(|a| a.score).sum::<f64>() / band.len() as f64;
            let right = share(band.iter().filter(|a| a.is_right).count(), band.len());
            println!(
                "| {from} to {to} | {} | {mean:.3} | {right:.3} |",
                band.len()
            );
        }
        let known: Vec<&Answer> = self.answers.iter().filter(|a| a.is_known).collect();
        let first = known.iter().filter(|a| a.is_right).count();
        let found = known
            .iter()
            .filter(|a| a.is_right && Certainty::of(a.score) >= Certainty::Accepted)
            .count();
        println!(
            "right work first {:.3}, accepted {:.3}; works left out accepted {:.3}; brier score {:.4}",
            share(first, known.len()),
            share(found, known.len()),
            self.accepted_of_unknown(),
            self.brier_score(),
        );
    }

    fn accepted_of_unknown(&self) -> f64 {
        let unknown = || self.answers.iter().filter(|a| !a.is_known);
        share(
            unknown()
                .filter(|a| Certainty::of(a.score) >= Certainty::Accepted)
                .count(),
            unknown().count(),
        )
    }

    fn right_of_accepted(&self) -> f64 {
        let accepted = || {
            self.answers
                .iter()
                .filter(|a| Certainty::of(a.score) >= Certainty::Accepted)
        };
        share(
            accepted().filter(|a| a.is_right).count(),
            accepted().count(),
        )
    }

    fn brier_score(&self) -> f64 {
        let errors = self
            .answers
            .iter()
            .map(|a| (a.score - f64::from(u8::from(a.is_right))).powi(2));
        errors.sum::<f64>() / self.answers.len().max(1) as f64
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// The parts of a journal article that has them all.
struct Parts {
    authors: Vec<(String, String)>,
    title: String,
    container: String,
    year: i32,
    volume: String,
    page: String,
}

/// Forms of a reference; those from [`TITLED`] on leave the title out.
const FORMS: usize = 8;
const TITLED: usize = 3;

impl Parts {
    fn of(item: &Item) -> Option<Parts> {
        let authors: Vec<(String, String)> = item
            .names(NameVar::Author)
            .iter()
            .filter_map(|name| Some((name.family.clone()?, name.given.clone().unwrap_or_default())))
            .collect();
        let parts = Parts {
            authors,
            title: item.text(TextVar::Title)?.to_owned(),
            container: item.text(TextVar::ContainerTitle)?.to_owned(),
            year: item.year()?,
            volume: item.number(NumberVar::Volume)?.to_owned(),
            page: item
                .number(NumberVar::Page)?
                .split(['-', '–'])
                .next()?
                .to_owned(),
        };
        (!parts.authors.is_empty()).then_some(parts)
    }

    /// One of the forms, with what authors of references leave out or get wrong.
    fn written(&self, form: usize, random: &mut Random) -> String {
        let one_in = |n: usize, random: &mut Random| random.below(n) == 0;
        let shown = if one_in(3, random) { 1 } else { 6 };
        let year = match random.below(20) {
            0 => self.year + 1,
            1 => self.year - 1,
            _ => self.year,
        };
        let page = if one_in(20, random) {
            String::new()
        } else {
            self.page.clone()
        };
        let journal = if one_in(3, random) {
            self.container.clone()
        } else {
            abbreviated(&self.container)
        };
        let et_al = if self.authors.len() > shown {
            " et al."
        } else {
            ""
        };
        let initials = |given: &str, dot: &str| -> String {
            let names = given
                .split([' ', '-', '.'])
                .filter_map(|name| name.chars().next());
            names
                .map(|initial| format!("{initial}{dot}"))
                .collect::<Vec<_>>()
                .join("")
        };
        let names = |write: &dyn Fn(&str, &str) -> String, mark: &str| -> String {
            let names = self
                .authors
                .iter()
                .take(shown)
                .map(|(family, given)| write(family, given));
            names.collect::<Vec<_>>().join(mark) + et_al
        };
        let family_first = names(&|f, g| format!("{f}, {}", initials(g, ".")), "; ");
        let plain = names(&|f, g| format!("{f} {}", initials(g, "")), ", ");
        let given_first = names(&|f, g| format!("{} {f}", initials(g, ".")), ", ");
        let Parts { title, volume, .. } = self;
        match form % FORMS {
            0 => format!("{family_first} ({year}). {title}. {journal}, {volume}, {page}."),
            1 => format!("{plain}. {title}. {journal}. {year};{volume}:{page}."),
            2 => format!("{given_first}, “{title},” {journal}, vol. {volume}, p. {page}, {year}."),
            3 => format!("{given_first}, {journal} {volume}, {page} ({year})."),
            4 => format!("{family_first} {journal} {year}, {volume}, {page}."),
            5 => format!("{plain}. {journal}. {year};{volume}:{page}."),
            6 => format!("{plain}, {year}, {journal}, {volume}, {page}"),
            _ => format!("{given_first}, {journal} {volume} ({year}) {page}."),
        }
    }
}

/// The words of a journal's name cut short, as lists of abbreviations do.
fn abbreviated(container: &str) -> String {
    let words: Vec<&str> = container.split(' ').collect();
    let is_form = |word: &str| {
        matches!(
            word.to_lowercase().as_str(),
            "of" | "the" | "and" | "in" | "for"
        )
    };
    let cut = |word: &&str| match word.chars().count() {
        0..=5 => (*word).to_owned(),
        length => word.chars().take(3 + length % 3).chain(['.']).collect(),
    };
    match words.len() {
        1 => container.to_owned(),
        _ => words
            .iter()
            .filter(|word| !is_form(word))
            .map(cut)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// The text as recognition or copying may have left it: misread letters, lost blanks, a broken line.
fn noisy(text: &str, random: &mut Random) -> String {
    let misread = |c: char| match c {
        'l' | 'i' => '1',
        'o' => '0',
        'e' => 'c',
        'h' => 'b',
        '1' => 'l',
        '0' => 'O',
        c => c,
    };
    let (rate, lost) = match random.below(8) {
        0 => (60, 0),
        1 => (25, 0),
        2 => (0, 4),
        _ => (0, 0),
    };
    let mut found = String::new();
    for c in text.chars() {
        if lost > 0 && c == ' ' && random.below(lost) == 0 {
            continue;
        }
        let is_misread = rate > 0 && random.below(rate) == 0;
        found.push(if is_misread { misread(c) } else { c });
    }
    if random.below(10) == 0 {
        found.replacen(' ', "\n", 1)
    } else {
        found
    }
}
