//! Fits the weights of types: a multinomial logit over the types of prose, with the votes for other types as they are.

use std::path::Path;

use citation_records::webpage::{Explanation, PROSE, Sign};
use serde_json::Value;

use super::{PARTS, ascend, rows_of};

/// What is believed before any page is seen: a row a sign, a column a type of `PROSE`.
const PRIORS: &str = "\
Every                 0.6  0.0 -0.6 -0.2
StatesNews           -0.8  1.2  0.4 -0.2
StatesBlogPost       -0.5 -0.4 -0.2  1.4
StatesArticle         0.0  0.0  0.3  0.1
StatesPage            0.4 -0.4 -0.2  0.2
StatesNothing         0.3  0.0 -0.1  0.0
StatesRecipe          0.3 -0.5  0.0  0.5
StatesProduct         1.0 -0.4 -0.2 -0.4
StatesNewsroom       -0.6  1.0  0.0 -0.5
StatesAccess         -0.5  0.6  0.2 -0.3
StatesSite            0.5 -0.4 -0.2  0.0
StatesStory          -0.3  0.3  0.2  0.2
StatesSection        -0.3  0.4  0.2  0.0
StatesTags           -0.3  0.2  0.2  0.1
StatesTime           -0.5  0.2  0.2  0.3
NewsroomTags         -0.5  0.8  0.3 -0.6
Keywords              0.0  0.1  0.1  0.0
ScholarlyTags         0.5 -0.5 -0.3 -0.3
BlogSystem           -0.4 -0.7 -0.5  1.6
WordPress            -0.2 -0.2  0.1  0.5
InstitutionSystem     0.7 -0.2 -0.1 -0.4
CommentFeed          -0.3 -0.2  0.1  0.6
OneFeed               0.0  0.0  0.0  0.1
ManyFeeds            -0.3  0.5  0.1 -0.2
NoFeed                0.2  0.1  0.0 -0.3
HostOfBlogs          -0.6 -0.8 -0.6  2.0
HostOfInstitution     1.2 -0.7 -0.5 -0.2
HostOfPress          -0.6  1.0  0.2 -0.4
SubHost               0.1  0.2  0.0  0.0
PathOfBlog           -0.2 -0.6 -0.2  1.4
PathOfNews           -0.2  0.6  0.0 -0.3
PathOfMagazine       -0.1 -0.2  0.7 -0.2
PathOfPress           1.0 -0.5 -0.3 -0.4
PathOfSection        -0.4  0.8  0.1 -0.5
PathWithDay          -0.4  0.4  0.1  0.1
PathWithMonth        -0.4  0.1  0.1  0.4
PathWithNumber       -0.2  0.6  0.2 -0.6
PathOfOnePart         0.1 -0.2  0.0  0.3
PathOfTwoParts        0.0  0.0  0.1  0.0
PathDeep              0.1  0.2  0.0 -0.2
PathWithEnding        0.1  0.2  0.0 -0.1
SiteOfNews           -0.6  1.4  0.0 -0.5
SiteOfBroadcaster    -0.3  1.0  0.0 -0.3
SiteOfMagazine       -0.4 -0.4  1.6 -0.3
SiteOfBlog           -0.4 -0.6 -0.4  1.4
SiteOfInstitution     1.0 -0.3 -0.3 -0.3
SiteOfAuthor         -0.3 -0.9 -0.6  1.8
SiteIsDomain          0.0  0.2  0.0  0.0
SiteIsLong            0.3 -0.1  0.0  0.1
NoAuthor              0.7 -0.1 -0.3 -0.3
AuthorIsSite          0.3  0.2  0.0 -0.1
AuthorIsHandle       -0.3 -0.3 -0.2  0.8
AuthorIsInstitution   0.4  0.0 -0.1 -0.3
AuthorIsPerson       -0.5  0.3  0.3  0.2
AuthorIsMarked        0.0  0.3  0.0 -0.1
SeveralAuthors       -0.2  0.3  0.2 -0.3
OwnerIsAuthor        -0.2 -0.6 -0.3  1.2
OwnerIsCompany        0.3  0.2  0.0 -0.4
OwnerIsPublisher     -0.4  0.6  0.4 -0.5
NoDate                1.2 -0.8 -0.2 -0.5
DateShown            -0.4  0.3  0.1  0.2
TimeShown            -0.4  0.7 -0.1 -0.2
ChangeShown          -0.1  0.3  0.0 -0.1
ReadingTime          -0.2  0.0  0.3  0.2
Byline               -0.3  0.2  0.2  0.1
FewSections          -0.2  0.3  0.1 -0.2
ManySections         -0.6  1.0 -0.1 -0.7
OneOfPaper            0.0  0.1  0.0 -0.1
ManyOfPaper          -0.3  0.6  0.0 -0.4
OneOfMagazine         0.0  0.0  0.1  0.0
ManyOfMagazine       -0.2 -0.1  0.5 -0.2
OneOfBlog             0.0 -0.1  0.0  0.2
ManyOfBlog           -0.3 -0.4 -0.2  0.9
ArchiveOfMonths      -0.2 -0.4 -0.3  0.7
FewOfInstitution      0.2  0.0  0.0  0.0
ManyOfInstitution     0.8 -0.3 -0.1 -0.4
Shop                  0.3 -0.1  0.1 -0.1
Advertises           -0.5  0.3  0.3 -0.3
Newsroom             -0.3  0.4  0.3 -0.3
PoweredBy            -0.1 -0.3 -0.2  0.7
CommentForm          -0.2 -0.2  0.0  0.5
Breadcrumb            0.3  0.0  0.0 -0.2
Dateline             -0.1  0.7 -0.2 -0.4
Agency               -0.4  0.7  0.1 -0.3
StockPhoto            0.0  0.0  0.2  0.0
FirstPerson          -0.2  0.1  0.1  0.1
MuchFirstPerson      -0.4 -0.4  0.1  0.9
Speech               -0.2  0.3  0.2 -0.2
MuchSpeech           -0.4  0.9 -0.1 -0.5
Address               0.2 -0.4  0.1  0.3
WeVoice               0.3 -0.3  0.0  0.2
NoText                0.4 -0.2 -0.1 -0.1
ShortText             0.2  0.1 -0.1 -0.1
LongText             -0.2  0.0  0.2  0.1
ManyHeadings          0.2 -0.2  0.1  0.1
TitleOfAdvice         0.2 -0.3  0.1  0.2
IsStory              -0.5  0.4  0.3  0.2
IsScholarly           0.4 -0.8 -0.4 -0.4
IsThread             -0.3 -0.5 -0.4 -0.2
IsRecord              0.6 -0.6 -0.4 -0.5
HardSections         -0.4  0.8 -0.3 -0.4
";

/// How strongly the weights are drawn to the priors.
const RIDGE: f64 = 2.0;

const TYPES: usize = PROSE.len();

/// A page whose type is known.
pub struct Page {
    part: usize,
    weight: f64,
    signs: Vec<usize>,
    /// Whether each type of prose is right.
    is_right: [bool; TYPES],
    /// The scores of the votes for each type of prose.
    votes: [f64; TYPES],
    /// The scores of other types, and whether they are right.
    others: Vec<(f64, bool)>,
    is_chosen_right: bool,
}

/// The page of an explanation; `None` if its type is not judged.
pub fn page(explanation: &Explanation, wanted: &Value, part: usize, weight: f64) -> Option<Page> {
    let mut right: Vec<&str> = vec![wanted.get("type")?.as_str()?];
    if let Some(Value::Array(also)) = wanted.get("type_also") {
        right.extend(also.iter().filter_map(Value::as_str));
    }
    let is_right = |kind: &str| right.contains(&kind);
    let chosen = explanation.kinds.first();
    Some(Page {
        part,
        weight,
        signs: explanation
            .signs
            .iter()
            .map(|sign| *sign as usize)
            .collect(),
        is_right: PROSE.map(|kind| is_right(kind.csl())),
        votes: PROSE.map(|kind| {
            let votes = explanation.votes.iter().filter(|(voted, _)| *voted == kind);
            votes.map(|(_, weight)| f64::from(*weight)).sum()
        }),
        others: explanation
            .kinds
            .iter()
            .filter(|(kind, _, _)| !PROSE.contains(kind))
            .map(|(kind, score, _)| (f64::from(*score), is_right(kind.csl())))
            .collect(),
        is_chosen_right: chosen.is_some_and(|(kind, _, _)| is_right(kind.csl())),
    })
}

/// The weights, in rows of types.
pub fn fit(pages: &[Page]) -> Vec<f64> {
    let rows = rows_of(PRIORS);
    let prior: Vec<f64> = Sign::ALL
        .iter()
        .flat_map(|sign| rows[format!("{sign:?}").as_str()].clone())
        .collect();
    let all: Vec<&Page> = pages.iter().collect();
    let whole = |page: &&&Page| page.weight >= 1.0;
    let mut held_out = 0;
    for part in 0..PARTS {
        let known: Vec<&Page> = all
            .iter()
            .copied()
            .filter(|page| page.part != part)
            .collect();
        let weights = weights(&known, &prior);
        let judged = all.iter().filter(whole).filter(|page| page.part == part);
        held_out += judged.filter(|page| is_right(page, &weights)).count();
    }
    let weights = weights(&all, &prior);
    let right = |weights: &[f64]| {
        all.iter()
            .filter(whole)
            .filter(|page| is_right(page, weights))
            .count()
    };
    println!(
        "type       {:4} pages: the engine {}, priors {}, fitted {}, held out {held_out}",
        all.iter().filter(whole).count(),
        all.iter()
            .filter(whole)
            .filter(|page| page.is_chosen_right)
            .count(),
        right(&prior),
        right(&weights),
    );
    weights
}

/// Writes the table of a file.
pub fn write(path: &Path, weights: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let (head, _) = text.split_once("const WEIGHTS").ok_or("no table")?;
    let rows = Sign::ALL
        .iter()
        .zip(weights.chunks(TYPES))
        .map(|(sign, row)| {
            let numbers: Vec<String> = row.iter().map(|weight| format!("{weight:.2}")).collect();
            format!("    (Sign::{sign:?}, [{}]),\n", numbers.join(", "))
        });
    let rows: String = rows.collect();
    let rows = rows.replace("-0.00", "0.00");
    let table = format!(
        "const WEIGHTS: [(Sign, [f32; {TYPES}]); {}] = [\n{rows}];\n",
        Sign::ALL.len()
    );
    std::fs::write(path, format!("{head}{table}"))?;
    Ok(())
}

fn scores(page: &Page, weights: &[f64]) -> [f64; TYPES] {
    let mut scores = page.votes;
    for sign in &page.signs {
        for (at, score) in scores.iter_mut().enumerate() {
            *score += weights[sign * TYPES + at];
        }
    }
    scores
}

fn is_right(page: &Page, weights: &[f64]) -> bool {
    let prose = scores(page, weights).into_iter().zip(page.is_right);
    let all = prose.chain(page.others.iter().copied());
    let best = all.max_by(|one, other| one.0.total_cmp(&other.0));
    best.is_some_and(|(_, is_right)| is_right)
}

fn weights(pages: &[&Page], prior: &[f64]) -> Vec<f64> {
    ascend(prior, |weights| {
        let drawn = weights.iter().zip(prior);
        let mut slopes: Vec<f64> = drawn
            .map(|(weight, prior)| RIDGE * (prior - weight))
            .collect();
        for page in pages {
            let scores = scores(page, weights).map(f64::exp);
            let others = page
                .others
                .iter()
                .map(|(score, is_right)| (score.exp(), *is_right));
            let total: f64 =
                scores.iter().sum::<f64>() + others.clone().map(|one| one.0).sum::<f64>();
            let prose = scores.iter().copied().zip(page.is_right);
            let right: f64 = prose
                .chain(others)
                .filter(|one| one.1)
                .map(|one| one.0)
                .sum();
            if right == 0.0 {
                continue;
            }
            for (at, score) in scores.into_iter().enumerate() {
                let share = if page.is_right[at] {
                    score / right
                } else {
                    0.0
                };
                for sign in &page.signs {
                    slopes[sign * TYPES + at] += page.weight * (share - score / total);
                }
            }
        }
        slopes
    })
}
