//! Checking a list of references: what was given beside what was found, the differing characters
//! marked.

use super::cite::{source_name, sources};
use super::html::{Html, Template};
use super::page;
use super::words::Words;
use super::work::{about, plain_title};
use crate::lookup::reference::Candidate;
use crate::lookup::resolve::Tried;
use crate::lookup::verify::{Difference, Verdict, Verification};
use citation_model::variable::TextVar;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Verify<'p> {
    /// The list as it was pasted.
    pub list: &'p str,
    pub rows: Vec<Row>,
    /// References in the list that were not checked, since without script only so many are.
    pub left_out: u64,
    /// Lines that were not taken for references.
    pub around: Vec<String>,
    pub problem: Option<String>,
    /// Lookups left and allowed in 24 hours.
    pub lookups: (u64, u64),
    /// Whether the caller's plan has manuscripts and batches.
    pub has_batches: bool,
    /// When the rows were checked, as it is shown.
    pub checked_at: String,
}

/// One reference and what became of it.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// `verified`, `mismatch`, `retracted`, `ambiguous`, `not_found`, `not_checked`,
    /// `quota_exhausted`.
    pub verdict: &'static str,
    pub given: String,
    /// Title and whereabouts of the work found.
    pub found: Option<(String, String)>,
    pub doi: Option<String>,
    pub source: &'static str,
    pub differences: Vec<Difference>,
    /// Sources asked, where nothing was found.
    pub tried: Vec<Tried>,
    /// Where the reference stands; empty where that need not be said.
    pub place: String,
    /// One sentence, or nothing.
    pub message: &'static str,
    /// Notices about the work.
    pub notices: Vec<String>,
    /// Sources asked, whatever they said.
    pub asked: Vec<&'static str>,
}

impl Row {
    pub fn of(given: String, checked: Verification) -> Row {
        let matched = checked.matched.as_ref();
        let item = matched.map(|candidate| &candidate.work.item);
        Row {
            verdict: checked.verdict.as_str(),
            given,
            found: item.map(|item| (plain_title(item), about(item))),
            doi: item.and_then(|item| item.text(TextVar::Doi).map(str::to_owned)),
            source: matched.map_or("", Candidate::source),
            differences: checked.differences,
            tried: match checked.verdict {
                Verdict::NotFound | Verdict::NotChecked => checked.tried,
                _ => Vec::new(),
            },
            ..Row::default()
        }
    }
}

const VERIFY: Template = Template(
    r#"<p class="lede">{~verify.lede}</p>
<form id="verify" data-scripted class="workbench" method="post" action="/verify">
<div class="box">
<label for="list">{~verify.label}</label>
<textarea id="list" name="list" rows="7" spellcheck="false" required aria-describedby="list-hint">{list}</textarea>
<p class="under" id="list-hint">{~verify.hint}</p>{allowance}
<div class="row"><button class="primary" id="check">{~verify.check}</button>
<label class="button plain scripted" for="file">{~verify.file}</label><input class="unseen scripted" type="file" id="file" multiple accept="{accept}">
<span id="quota" class="quota">{quota}</span></div>
</div>
{problem}
<section id="results" aria-label="{~verify.results}">{rows}</section>
</form>
<aside class="panel quiet"><p>{~verify.fair}</p></aside>"#,
);

const ALLOWANCE: Template =
    Template(r#"<p class="under">{~verify.allowance} <a href="/plans">{~verify.plans}</a></p>"#);

const TABLE: Template = Template(
    r#"{left_out}<p class="quiet" id="summary">{~verify.checked} {counts}</p><ol class="verdicts" role="list">{rows}</ol>{around}"#,
);

const ROW: Template = Template(
    r#"<li class="verdict {class}"><p class="stamp"><span class="badge {class}">{verdict}</span> <span class="quiet">{source}</span>{place}</p>
<p class="given" dir="auto">{given}</p>{message}{found}{differences}{notices}{tried}</li>"#,
);

const FOUND: Template = Template(
    r#"<p class="found"><b dir="auto">{title}</b><br><span class="quiet" dir="auto">{about}</span>{doi}</p>"#,
);

const DOI: Template =
    Template(r#" · <a href="https://doi.org/{doi}" rel="noreferrer" dir="ltr">{doi}</a>"#);

const DIFFERENCES: Template = Template(
    r#"<table class="diff"><thead><tr><th scope="col">{~verify.field}</th><th scope="col">{~verify.given}</th><th scope="col">{~verify.found}</th></tr></thead><tbody>{rows}</tbody></table>"#,
);

const DIFFERENCE: Template = Template(
    r#"<tr><th scope="row">{field}</th><td dir="auto">{given}</td><td dir="auto">{found}</td></tr>"#,
);

const LEFT_OUT: Template = Template(r#"<p class="notice" role="status">{text}</p>"#);

const AROUND: Template =
    Template(r#"<details id="around"><summary>{text}</summary><ul>{lines}</ul></details>"#);

/// The main part of the page.
pub fn verify(words: Words, view: &Verify<'_>) -> Html {
    let rows = match view.rows.len() {
        0 => Html::empty(),
        _ => TABLE.say(
            words,
            &[
                ("time", view.checked_at.as_str().into()),
                ("counts", counts(words, &view.rows).into()),
                ("rows", verdicts(words, &view.rows).into()),
                ("left_out", left_out(words, view.left_out).into()),
                ("around", around(words, &view.around).into()),
            ],
        ),
    };
    let (left, limit) = view.lookups;
    let quota = super::html::message(
        words,
        "quota.left",
        &[("left", left.into()), ("limit", limit.into())],
    );
    let (files, allowance) = match view.has_batches {
        true => (page::checkable_files(), Html::empty()),
        false => (page::readable_files(), ALLOWANCE.say(words, &[])),
    };
    VERIFY.say(
        words,
        &[
            ("list", view.list.into()),
            ("quota", quota.into()),
            ("accept", files.into()),
            ("allowance", allowance.into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("rows", rows.into()),
        ],
    )
}

fn left_out(words: Words, count: u64) -> Html {
    match count {
        0 => Html::empty(),
        n => LEFT_OUT.fill(&[("text", words.count("verify.left-out", n).into())]),
    }
}

/// How many rows got which verdict: `Verified: 2 · Differs: 1`.
fn counts(words: Words, rows: &[Row]) -> String {
    let count = |verdict: Verdict| {
        rows.iter()
            .filter(|r| r.verdict == verdict.as_str())
            .count()
    };
    let counts = Verdict::ALL
        .into_iter()
        .map(|verdict| (verdict, count(verdict)));
    let counts = counts.filter(|(_, n)| *n > 0);
    let counts = counts.map(|(verdict, n)| {
        let key = format!("verdict.{}", verdict.as_str());
        format!("{}: {n}", words.find(&key).unwrap_or(verdict.as_str()))
    });
    counts.collect::<Vec<_>>().join(" · ")
}

fn around(words: Words, lines: &[String]) -> Html {
    const LINE: Template = Template(r#"<li dir="auto">{line}</li>"#);
    if lines.is_empty() {
        return Html::empty();
    }
    let text = words.count("verify.around", lines.len() as u64);
    let lines = lines
        .iter()
        .map(|line| LINE.fill(&[("line", line.as_str().into())]));
    AROUND.fill(&[("text", text.into()), ("lines", Html::join(lines).into())])
}

/// The rows of a list.
pub fn verdicts(words: Words, rows: &[Row]) -> Html {
    Html::join(rows.iter().map(|r| row(words, r)))
}

fn row(words: Words, row: &Row) -> Html {
    const PLACE: Template = Template(r#" <span class="quiet place">{text}</span>"#);
    const SENTENCE: Template = Template(r#"<p class="quiet">{text}</p>"#);
    const NOTICE: Template = Template(r#"<p>{text}</p>"#);
    let filled = |template: Template, text: &str| match text {
        "" => Html::empty(),
        text => template.fill(&[("text", text.into())]),
    };
    let notices = row.notices.iter().map(|notice| filled(NOTICE, notice));
    let found = row
        .found
        .as_ref()
        .map_or_else(Html::empty, |(title, about)| {
            let doi = row.doi.as_deref();
            FOUND.fill(&[
                ("title", title.as_str().into()),
                ("about", about.as_str().into()),
                (
                    "doi",
                    doi.map_or_else(Html::empty, |doi| DOI.fill(&[("doi", doi.into())]))
                        .into(),
                ),
            ])
        });
    let differences = match row.differences.len() {
        0 => Html::empty(),
        _ => DIFFERENCES.say(
            words,
            &[(
                "rows",
                Html::join(row.differences.iter().map(|d| difference(words, d))).into(),
            )],
        ),
    };
    const TRIED: Template = Template(r#"<ul class="sources">{tried}</ul>"#);
    let tried = match row.tried.as_slice() {
        [] => Html::empty(),
        tried => TRIED.fill(&[("tried", sources(words, tried).into())]),
    };
    let verdict = format!("verdict.{}", row.verdict);
    ROW.fill(&[
        ("class", row.verdict.into()),
        (
            "verdict",
            words.find(&verdict).unwrap_or(row.verdict).into(),
        ),
        ("source", source_name(words, row.source).into()),
        ("given", row.given.as_str().into()),
        ("found", found.into()),
        ("differences", differences.into()),
        ("tried", tried.into()),
        ("place", filled(PLACE, &row.place).into()),
        ("message", filled(SENTENCE, row.message).into()),
        ("notices", Html::join(notices).into()),
    ])
}

fn difference(words: Words, difference: &Difference) -> Html {
    let (given, found) = (difference.given.as_deref(), difference.found.as_deref());
    let (given, found) = marked(given.unwrap_or_default(), found.unwrap_or_default());
    let field = format!("field.{}", difference.field);
    DIFFERENCE.fill(&[
        (
            "field",
            words.find(&field).unwrap_or(difference.field).into(),
        ),
        ("given", given.into()),
        ("found", found.into()),
    ])
}

/// Characters of one text that are compared; beyond that, a field is marked whole.
const MOST_COMPARED: usize = 400;

const DELETED: Template = Template("<del>{text}</del>");

const INSERTED: Template = Template("<ins>{text}</ins>");

/// The share of characters that two texts must have in common for their letters to be compared, in
/// tenths. Letters that unlike values happen to share say nothing.
const ALIKE: usize = 7;

/// Two texts, each with the characters marked that the other does not have in that place; unlike ones
/// are marked whole.
fn marked(given: &str, found: &str) -> (Html, Html) {
    let (a, b): (Vec<char>, Vec<char>) = (given.chars().collect(), found.chars().collect());
    let (mut keep_a, mut keep_b) = common(&a, &b);
    let kept = keep_a.iter().chain(&keep_b).filter(|kept| **kept).count();
    if kept * 10 < ALIKE * (a.len() + b.len()) {
        keep_a.fill(false);
        keep_b.fill(false);
    }
    (runs(&a, &keep_a, DELETED), runs(&b, &keep_b, INSERTED))
}

/// Which characters belong to the longest common subsequence.
fn common(a: &[char], b: &[char]) -> (Vec<bool>, Vec<bool>) {
    let (mut keep_a, mut keep_b) = (vec![false; a.len()], vec![false; b.len()]);
    if a.len() > MOST_COMPARED || b.len() > MOST_COMPARED {
        return (keep_a, keep_b);
    }
    let width = b.len() + 1;
    let mut lengths = vec![0u16; (a.len() + 1) * width];
    let length =
        |lengths: &[u16], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let best = match x == y {
                true => length(&lengths, i + 1, j + 1) + 1,
                false => length(&lengths, i + 1, j).max(length(&lengths, i, j + 1)),
            };
            if let Some(slot) = lengths.get_mut(i * width + j) {
                *slot = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x == y {
            if let (Some(in_a), Some(in_b)) = (keep_a.get_mut(i), keep_b.get_mut(j)) {
                (*in_a, *in_b) = (true, true);
            }
            (i, j) = (i + 1, j + 1);
        } else if length(&lengths, i + 1, j) >= length(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    (keep_a, keep_b)
}

/// Runs of characters, those that are not kept in a mark.
fn runs(characters: &[char], keep: &[bool], mark: Template) -> Html {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for (character, kept) in characters.iter().zip(keep) {
        match pieces.last_mut() {
            Some((was_kept, text)) if was_kept == kept => text.push(*character),
            _ => pieces.push((*kept, character.to_string())),
        }
    }
    Html::join(pieces.into_iter().map(|(kept, text)| match kept {
        true => Html::text(&text),
        false => mark.fill(&[("text", text.into())]),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_characters_are_marked() {
        let check = |given, found, expected: (&str, &str)| {
            let (a, b) = marked(given, found);
            assert_eq!((a.as_str(), b.as_str()), expected);
        };
        check("1953", "1954", ("195<del>3</del>", "195<ins>4</ins>"));
        check(
            "Watson",
            "Watson <b>",
            ("Watson", "Watson<ins> &lt;b&gt;</ins>"),
        );
        check("", "x", ("", "<ins>x</ins>"));
        check("same", "same", ("same", "same"));
        check(
            "Nature",
            "Science",
            ("<del>Nature</del>", "<ins>Science</ins>"),
        );
    }
}
