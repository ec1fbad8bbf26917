//! The candidates for the DOI: tags, the address, and the DOIs that the page prints and links.

use citation_model::identifier::address as implied;
use citation_model::lists::phrases;

use super::Sources;
use super::claims::Claims;
use super::labels::{self, Label};
use super::marks::Part;
use super::metas;
use super::page::{Page, WorkOnPage};
use super::pool::Pool;
use super::traits::{Trait, Traits};
use super::weights::Field;

/// Maximum number of lines after the heading in which a DOI belongs to the work.
const BEHIND: usize = 40;
const BEFORE: usize = 20;

/// Maximum number of printed DOIs that are candidates.
const PRINTED: usize = 40;

/// Labels before the work's own DOI.
const OWN: [&str; 16] = phrases(
    "published as|published version|cite as|cite this|how to cite|to cite|citation:|suggested citation|\
     digital object identifier|version of record|引用|doi bookmark|zitieren|citer|cómo citar|como citar",
);

/// Labels before the DOI of another work.
const OTHERS: [&str; 22] = phrases(
    "originalpublikation|original publication|original paper|original article|originalveröffentlichung|\
     journal reference|publication:|reference:|references|related|more information|source:|study:|paper:|\
     read the|correction to|erratum|retraction|supplement to|is cited by|data set:|dataset:",
);

/// The ranked candidates.
pub(super) fn candidates(
    page: &Page,
    sources: &Sources,
    cited: &[Claims],
    own: &Claims,
    known: &WorkOnPage<'_>,
) -> Pool<String> {
    let mut pool = Pool::new(Field::Doi);
    let mut add = |doi: Option<String>, traits: Traits| {
        if let Some(doi) = doi {
            pool.add(doi.to_lowercase(), doi, traits);
        }
    };
    add(sources.highwire.doi.clone(), Traits::of(&[Trait::Highwire]));
    add(sources.prism.doi.clone(), Traits::of(&[Trait::DublinCore]));
    add(
        sources.dublin_core.doi.clone(),
        Traits::of(&[Trait::DublinCore]),
    );
    add(sources.eprints.doi.clone(), Traits::of(&[Trait::Eprints]));
    add(sources.coins.doi.clone(), Traits::of(&[Trait::Coins]));
    add(sources.schema.doi.clone(), Traits::of(&[Trait::Schema]));
    let in_address = known.url.and_then(implied::doi);
    add(
        in_address.map(|doi| doi.as_str().to_owned()),
        Traits::of(&[Trait::InAddress]),
    );
    for value in labels::values(page, Label::Doi).take(4) {
        add(metas::doi(value), Traits::of(&[Trait::LabelValue]));
    }
    for cited in cited {
        add(cited.doi.clone(), Traits::of(&[Trait::CitationLine]));
    }
    add(own.doi.clone(), Traits::of(&[Trait::OwnCitation]));
    let printed = printed(page, known.heading);
    let is_only = {
        let mut all = printed.iter().map(|(doi, _)| doi.to_lowercase());
        let first = all.next();
        all.all(|doi| Some(&doi) == first.as_ref())
    };
    for (doi, traits) in printed {
        add(Some(doi), traits.with_if(is_only, Trait::IsOnly));
    }
    for candidate in pool.candidates_mut() {
        candidate.traits = candidate
            .traits
            .with_if(known.is_article, Trait::OfArticle)
            .with_if(known.is_story, Trait::OfStory);
    }
    pool.rank();
    pool
}

/// The DOIs of lines and links with their places and labels.
fn printed(page: &Page, heading: Option<usize>) -> Vec<(String, Traits)> {
    let place = |line: usize, part: Part| match heading {
        _ if part != Part::Main => Trait::Aside,
        Some(at) if (at.saturating_sub(BEFORE)..=at + BEHIND).contains(&line) => Trait::Near,
        _ => Trait::Far,
    };
    let label = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| page.lines.get(before));
        let near = [page.lines.get(at), before].into_iter().flatten();
        let texts = near
            .filter(|line| line.text.len() <= 400)
            .map(|line| line.text.to_lowercase());
        let texts: Vec<String> = texts.collect();
        let has = |words: &[&str]| {
            texts
                .iter()
                .any(|text| words.iter().any(|word| text.contains(word)))
        };
        (has(&OWN), has(&OTHERS))
    };
    let mut found = Vec::new();
    let lines = page
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.text.contains("10."));
    for (at, line) in lines
        .filter(|(_, line)| line.part != Part::Others)
        .take(PRINTED)
    {
        let Some(doi) = metas::doi(&line.text) else {
            continue;
        };
        let (is_own, is_other) = label(at);
        let says_doi = line.text.to_ascii_lowercase().contains("doi");
        let is_alone = says_doi && line.text.len() <= doi.len() + 40;
        let traits = Traits::of(&[Trait::LabelledLine, place(at, line.part)])
            .with_if(is_own, Trait::IsWork)
            .with_if(is_other && !is_own, Trait::IsOtherWork)
            .with_if(is_alone, Trait::IsOwnLine);
        found.push((doi, traits));
    }
    for link in page.doi_links.iter().take(PRINTED) {
        let Some(doi) = implied::doi(&link.text) else {
            continue;
        };
        let (is_own, is_other) = label(link.line);
        let traits = Traits::of(&[Trait::Link, place(link.line, link.part)])
            .with_if(is_own, Trait::IsWork)
            .with_if(is_other && !is_own, Trait::IsOtherWork);
        found.push((doi.as_str().to_owned(), traits));
    }
    found
}
