//! Ranks candidates: a cheap prefilter score for all, a full comparison for the best.

use std::collections::HashSet;

use super::align;
use super::evidence::{self, Evidence};
use super::normalize::{Token, fold, squeeze};
use super::record::Record;
use super::reference::Reference;
use super::score::{self, FeatureVector, Rivals};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// The maximum number of candidates compared in full.
pub const FINALISTS: usize = 20;

/// A candidate and its score.
#[derive(Clone, Debug)]
pub struct Match {
    /// The index of the candidate in the input list.
    pub index: usize,
    /// The probability that it is the intended work, 0 to 1.
    pub score: f64,
    pub evidence: Evidence,
    pub rivals: Rivals,
}

/// Scores candidates and returns at most [`FINALISTS`], best first. Ties keep the input order. The budget
/// covers explaining them too.
pub fn rank<'a>(
    reference: &Reference,
    items: impl IntoIterator<Item = &'a Item>,
    budget: &Budget,
) -> Result<Vec<Match>, Exceeded> {
    let words: HashSet<&str> = reference.tokens.iter().map(|t| t.text.as_str()).collect();
    let mut candidates: Vec<Candidate> = items
        .into_iter()
        .enumerate()
        .map(|(index, item)| {
            let candidate = Candidate::new(reference, &words, index, item);
            budget.spend(candidate.record.tokens())?;
            Ok(candidate)
        })
        .collect::<Result<_, Exceeded>>()?;
    candidates.sort_by(|a, b| b.prefilter_score.total_cmp(&a.prefilter_score));
    candidates.truncate(FINALISTS);
    let rivals = rivals(reference, &candidates);
    let mut matches: Vec<Match> = candidates
        .iter()
        .zip(rivals)
        .map(|(candidate, rivals)| {
            // Every word of a field is searched in the text.
            budget.spend(candidate.record.tokens() * reference.tokens.len() as u64 / 2)?;
            Ok(Match {
                index: candidate.index,
                score: 0.0,
                evidence: evidence::compare(reference, &candidate.record),
                rivals,
            })
        })
        .collect::<Result<_, Exceeded>>()?;
    judge(&mut matches);
    matches.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    Ok(matches)
}

/// The rivals of each candidate.
fn rivals(reference: &Reference, candidates: &[Candidate]) -> Vec<Rivals> {
    let others = |keys: &[Option<String>], key: &Option<String>| {
        let same = keys.iter().filter(|other| *other == key);
        key.as_ref().map_or(0, |_| same.count().saturating_sub(1))
    };
    let with_volume = reference.volume.is_some();
    let titles: Vec<_> = candidates.iter().map(|c| Some(c.title())).collect();
    let places: Vec<_> = candidates.iter().map(|c| c.place(with_volume)).collect();
    let containers: Vec<_> = candidates.iter().map(|c| c.containers()).collect();
    let parts = |title: &Option<String>| {
        let title = title.as_ref().filter(|title| !title.is_empty());
        let is_part = |containers: &&Vec<String>| title.is_some_and(|t| containers.contains(t));
        containers.iter().filter(is_part).count()
    };
    let pairs = titles.iter().zip(&places);
    let count = |(title, place)| Rivals {
        twins: others(&titles, title),
        siblings: others(&places, place),
        parts: parts(title),
        lead: 0.0,
    };
    pairs.map(count).collect()
}

struct Candidate<'a> {
    index: usize,
    item: &'a Item,
    record: Record,
    /// Comparable only among the candidates of one reference.
    prefilter_score: f64,
}

impl<'a> Candidate<'a> {
    fn new(
        reference: &Reference,
        words: &HashSet<&str>,
        index: usize,
        item: &'a Item,
    ) -> Candidate<'a> {
        let record = Record::of(item);
        Candidate {
            index,
            item,
            prefilter_score: prefilter_score(reference, words, &record),
            record,
        }
    }

    /// The title without spaces and punctuation.
    fn title(&self) -> String {
        squeeze(self.item.text(TextVar::Title).unwrap_or_default())
    }

    /// The names of its container, like [`Candidate::title`].
    fn containers(&self) -> Vec<String> {
        [TextVar::ContainerTitle, TextVar::CollectionTitle]
            .into_iter()
            .filter_map(|variable| self.item.text(variable))
            .map(squeeze)
            .collect()
    }

    /// The container, and the volume if the text has one.
    fn place(&self, with_volume: bool) -> Option<String> {
        let container = self.item.text(TextVar::ContainerTitle)?;
        let volume = self.record.volume.as_deref().filter(|_| with_volume);
        Some(format!(
            "{} {}",
            squeeze(container),
            volume.unwrap_or_default()
        ))
    }
}

/// Scores the candidates, each beside the others.
fn judge(matches: &mut [Match]) {
    let places: Vec<f64> = matches.iter().map(|m| score::place(&m.evidence)).collect();
    for (n, found) in matches.iter_mut().enumerate() {
        let others = places.iter().enumerate().filter(|(other, _)| *other != n);
        let best = others.map(|(_, place)| *place).fold(0.0, f64::max);
        found.rivals.lead = score::place(&found.evidence) - best;
        found.score = score::probability(&FeatureVector::new(&found.evidence, found.rivals));
    }
}

/// How much of the record is among the words of the text, in any position. The weights express how
/// significant a field is; they only need to get the right record among the finalists.
fn prefilter_score(reference: &Reference, words: &HashSet<&str>, record: &Record) -> f64 {
    let shared = |field: &[Token]| {
        let total = align::total_weight(field);
        let found: f64 = field
            .iter()
            .filter(|token| words.contains(token.text.as_str()))
            .map(|token| token.weight)
            .sum();
        if total > 0.0 { found / total } else { 0.0 }
    };
    let number = |known: &Option<String>| {
        let known = known.as_deref().map(fold);
        f64::from(u8::from(known.is_some_and(|known| {
            words.contains(known.trim_start_matches('0'))
        })))
    };
    let title = shared(&record.title);
    let info = 1.0 - (-align::total_weight(&record.title) / 3.0).exp();
    let people: Vec<f64> = record
        .people
        .iter()
        .map(|person| shared(&person.family))
        .collect();
    let containers = &record.containers;
    let container = containers.iter().map(|c| shared(c)).fold(0.0, f64::max);
    let year = record
        .year
        .is_some_and(|year| reference.years.contains(&year));
    let identifiers = &reference.identifiers;
    let named = identifiers.iter().any(|id| record.identifiers.contains(id));
    title * (1.0 + 3.0 * info)
        + 1.5 * people.first().copied().unwrap_or_default()
        + 0.5 * people.iter().sum::<f64>() / people.len().max(1) as f64
        + f64::from(u8::from(year))
        + number(&record.volume)
        + 0.6 * number(&record.issue)
        + 1.3 * number(&record.page)
        + 1.2 * container
        + 20.0 * f64::from(u8::from(named))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certainty::Certainty;
    use citation_model::date::DateParts;
    use citation_model::item_type::ItemType;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar, NumberVar};

    const LINE: &str = "Doe J. Coherence of light in rings. Ring 1999;1:2.";

    fn steps(items: usize) -> u64 {
        let mut item = Item::new("a", ItemType::Article);
        item.set_text(TextVar::Title, "Coherence of light in rings");
        let items = vec![item; items];
        let budget = Budget::unlimited();
        rank(&Reference::parse(LINE), &items, &budget).unwrap();
        budget.steps()
    }

    #[test]
    fn container_alone_means_none_of_its_entries() {
        let entry = |title: &str| {
            let mut item = Item::new(title, ItemType::Entry);
            item.set_text(TextVar::Title, title);
            item.set_text(TextVar::ContainerTitle, "Dictionary of Imagined Rings");
            item
        };
        let entries = [entry("Amber"), entry("Front matter"), entry("Zinc")];
        let best = |text: &str| {
            let found = rank(&Reference::parse(text), &entries, &Budget::unlimited());
            found.unwrap()[0].score
        };
        let alone = best("1 Dictionary of Imagined Rings.");
        assert!(Certainty::of(alone) < Certainty::Accepted, "{alone}");
        let named = best("Amber. Dictionary of Imagined Rings.");
        assert!(Certainty::of(named) >= Certainty::Accepted, "{named}");
    }

    /// An item of `title`, names as `Family/Given; …`, and other fields as `variable=value; …`.
    fn item(kind: ItemType, title: &str, names: &str, fields: &str) -> Item {
        let mut item = Item::new("a", kind);
        item.set_text(TextVar::Title, title);
        let names: Vec<Name> = names
            .split("; ")
            .filter_map(|name| name.split_once('/'))
            .map(|(family, given)| Name::person(family, given))
            .collect();
        item.set_names(NameVar::Author, names);
        for (name, value) in fields.split("; ").filter_map(|field| field.split_once('=')) {
            match name {
                "in" => item.set_text(TextVar::ContainerTitle, value),
                "volume" => item.set_number(NumberVar::Volume, value),
                "page" => item.set_number(NumberVar::Page, value),
                _ => item.set_date(
                    DateVar::Issued,
                    DateParts::year(value.parse().unwrap()).into(),
                ),
            }
        }
        item
    }

    fn check(text: &str, item: &Item, is_accepted: bool) {
        let found = rank(
            &Reference::parse(text),
            std::slice::from_ref(item),
            &Budget::unlimited(),
        );
        let best = found.unwrap()[0].score;
        assert_eq!(
            Certainty::of(best) >= Certainty::Accepted,
            is_accepted,
            "{best} for {text:?}"
        );
    }

    #[test]
    fn notes_behind_a_reference_are_no_evidence() {
        let work = item(
            ItemType::Article,
            "Coherence of light in rings",
            "Doe/Jane",
            "in=Imagined Ring Letters; volume=11; page=10-14; year=2009",
        );
        for note in [
            "Accessed 12 May 2019.",
            "[PubMed] [Google Scholar]",
            "DOI 10.",
        ] {
            check(
                &format!("1 Doe, Imagined Ring Letters 11, 10 (2009). {note}"),
                &work,
                true,
            );
        }
    }

    #[test]
    fn given_and_family_names_may_be_swapped() {
        let work = item(
            ItemType::Article,
            "Coherence of light in rings",
            "Berg/Mauro; Roe/Luisa; Falk/Marta",
            "in=Imagined Ring Letters; volume=11; page=10-14; year=2009",
        );
        let line = "B. Mauro, R. Luisa, and F. Marta, Imagined Ring Letters 11, 10 (2009).";
        check(line, &work, true);
        let others = "D. Mauro, S. Luisa, and G. Marta, Imagined Ring Letters 11, 10 (2009).";
        check(others, &work, false);
    }

    #[test]
    fn record_may_abbreviate_its_container() {
        let work = item(
            ItemType::Article,
            "Coherence of light in rings",
            "Doe/Jane",
            "in=Imag Ring Lett; volume=11; page=10-14; year=2009",
        );
        check(
            "Doe, “Coherence of Light in Rings,” Imagined Ring Letters, 11 (2008), p. 10",
            &work,
            true,
        );
    }

    #[test]
    fn chapter_is_not_its_book() {
        let book = item(
            ItemType::Book,
            "Imagined rings and their uses",
            "Berg/Johan",
            "year=2008",
        );
        check("J. Berg, Imagined rings and their uses (2008)", &book, true);
        check(
            "Doe, J. 2008, in Imagined rings and their uses, ed. J. Berg, 109",
            &book,
            false,
        );
    }

    #[test]
    fn book_is_not_one_of_its_chapters() {
        let chapter = item(
            ItemType::Chapter,
            "Foamed and other light ones",
            "Berg/Johan; Doe/Jane",
            "in=Imagined rings and their uses; page=61-90; year=2008",
        );
        check(
            "Berg J, Doe J (2008) Imagined rings and their uses. Springer, Berlin",
            &chapter,
            false,
        );
    }

    #[test]
    fn editors_may_be_missing_in_the_record() {
        let book = item(
            ItemType::Book,
            "Imagined rings and their uses",
            "",
            "year=2008",
        );
        check(
            "Berg, Johan, and Jane Doe, eds. Imagined Rings and Their Uses. 2008.",
            &book,
            true,
        );
    }

    #[test]
    fn identifier_in_a_title_is_not_the_identifier_of_the_work() {
        let mut figure = item(
            ItemType::Figure,
            "Figure 2 from: Doe J (2018) Imagined rings. https://doi.org/10.1000/rings.1",
            "Doe/Jane",
            "year=2018",
        );
        figure.set_text(TextVar::Doi, "10.1000/rings.1.figure2");
        check(
            "Doe, Jane. Figure 2 from: Doe J (2018) Imagined rings. https://doi.org/10.1000/rings.1. 2018.",
            &figure,
            true,
        );
    }

    #[test]
    fn steps_grow_with_the_candidates() {
        let (few, many) = (steps(100), steps(1_000));
        assert!(few < many && many < 10 * few, "{few} {many}");
    }

    #[test]
    fn ranking_stops_where_the_budget_ends() {
        let items = vec![Item::new("a", ItemType::Article); 100];
        let ranked = rank(&Reference::parse(LINE), &items, &Budget::new(50, 0));
        assert_eq!(ranked.unwrap_err(), Exceeded::Steps { limit: 50 });
    }
}
