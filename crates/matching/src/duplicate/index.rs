//! Finds duplicates in a list without comparing every pair. Only items with a common key are
//! compared: an identifier, the beginning of the title, two rare words of it, first author and
//! year, or volume and page.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::traits::Traits;
use super::{Comparison, DUPLICATE, compare_traits, fields, veto};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// The maximum number of neighbours compared per key, in title order. Without it, thousands of
/// equal titles would cost quadratic time.
const NEIGHBOURS: usize = 40;

/// The number of rare title words that form keys in pairs.
const RARE_WORDS: usize = 3;

/// The maximum number of group members that a new item is checked against.
const CHECKED_MEMBERS: usize = 50;

/// An indexed list for queries.
pub struct Index<'a> {
    /// In list order.
    traits: Vec<Traits<'a>>,
    /// The number of titles with each word, by the word's hash.
    frequency: HashMap<u64, u32>,
    /// The positions with each key, in title order.
    blocks: HashMap<u64, Vec<u32>>,
}

/// An item of the list that is similar to the queried one.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarItem {
    /// Position in the list, from 0.
    pub index: usize,
    pub comparison: Comparison,
}

impl<'a> Index<'a> {
    pub fn new(items: impl IntoIterator<Item = &'a Item>) -> Index<'a> {
        let traits: Vec<Traits> = items.into_iter().map(Traits::of).collect();
        let mut frequency = HashMap::new();
        for word in traits.iter().flat_map(|t| t.title.words()) {
            *frequency.entry(hash(word)).or_default() += 1;
        }
        let mut index = Index {
            traits,
            frequency,
            blocks: HashMap::new(),
        };
        index.fill();
        index
    }

    fn fill(&mut self) {
        let mut order: Vec<u32> = (0..self.traits.len() as u32).collect();
        order.sort_by_key(|n| {
            self.traits
                .get(*n as usize)
                .map(|t| t.title.letters.as_str())
        });
        for position in order {
            let Some(traits) = self.traits.get(position as usize) else {
                continue;
            };
            for key in keys(traits, &self.frequency) {
                self.blocks.entry(key).or_default().push(position);
            }
        }
    }

    /// The items of the list that are worth showing beside an item, best first.
    pub fn like(&self, item: &Item) -> Vec<SimilarItem> {
        let asked = Traits::of(item);
        let mut positions: Vec<u32> = keys(&asked, &self.frequency)
            .into_iter()
            .filter_map(|key| self.blocks.get(&key))
            .flat_map(|block| self.neighbours(block, &asked))
            .collect();
        positions.sort_unstable();
        positions.dedup();
        let mut found: Vec<SimilarItem> = positions
            .into_iter()
            .filter_map(|position| {
                let index = position as usize;
                let comparison = compare_traits(&asked, self.traits.get(index)?);
                let shown = comparison.is_worth_showing();
                shown.then_some(SimilarItem { index, comparison })
            })
            .collect();
        found.sort_by(|a, b| {
            let by_score = b.comparison.score.total_cmp(&a.comparison.score);
            by_score.then(a.index.cmp(&b.index))
        });
        found
    }

    /// The items of a block whose titles are nearest to the queried title in title order.
    fn neighbours(&self, block: &[u32], asked: &Traits) -> Vec<u32> {
        let letters = |position: &u32| {
            let traits = self.traits.get(*position as usize);
            traits.map_or("", |t| t.title.letters.as_str())
        };
        let middle = block.partition_point(|p| letters(p) < asked.title.letters.as_str());
        let from = middle.saturating_sub(NEIGHBOURS);
        block
            .iter()
            .skip(from)
            .take(2 * NEIGHBOURS)
            .copied()
            .collect()
    }

    /// The duplicates of the list: groups of at least two positions in ascending order, sorted by
    /// their first positions. No group contains a pair with a veto.
    pub fn groups(&self, budget: &Budget) -> Result<Vec<Vec<usize>>, Exceeded> {
        let mut groups = Groups::new(self.traits.len());
        for (_, a, b) in self.pairs(budget)? {
            groups.join(a, b, |x, y| self.may_share_group(x, y, budget));
            budget.check()?;
        }
        Ok(groups.larger_than_one())
    }

    /// The pairs that score as duplicates, best first.
    fn pairs(&self, budget: &Budget) -> Result<Vec<(f64, usize, usize)>, Exceeded> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for block in self.blocks.values() {
            for (at, a) in block.iter().enumerate() {
                let behind = block.iter().skip(at + 1).take(NEIGHBOURS);
                budget.spend(behind.len() as u64)?;
                pairs.extend(behind.map(|b| (*a.min(b), *a.max(b))));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut scored: Vec<(f64, usize, usize)> = Vec::new();
        for (a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            let (Some(given), Some(found)) = (self.traits.get(a), self.traits.get(b)) else {
                continue;
            };
            budget.spend(given.steps(found))?;
            let score = fields::judge(given, found).score;
            if score >= DUPLICATE {
                scored.push((score, a, b));
            }
        }
        scored.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        Ok(scored)
    }

    /// Whether two items have no veto; false if the budget is spent.
    fn may_share_group(&self, a: usize, b: usize, budget: &Budget) -> bool {
        let (Some(a), Some(b)) = (self.traits.get(a), self.traits.get(b)) else {
            return false;
        };
        if budget.spend(a.steps(b)).is_err() {
            return false;
        }
        let titles = !a.title.is_empty() && !b.title.is_empty();
        let likeness = titles.then(|| a.title.likeness(&b.title));
        veto::against(a, b, likeness.as_ref()).is_empty()
    }
}

/// The keys of an item. Duplicates share at least one unless all data of one of them is wrong.
fn keys(traits: &Traits, frequency: &HashMap<u64, u32>) -> Vec<u64> {
    let mut keys: Vec<u64> = traits.identifiers.iter().map(hash).collect();
    let main: Vec<&str> = traits.title.main_words().take(3).collect();
    if !main.is_empty() {
        keys.push(hash(("title", &main)));
    }
    let rare = rare_words(traits, frequency);
    for (at, word) in rare.iter().enumerate() {
        let behind = rare.iter().skip(at + 1);
        keys.extend(behind.map(|other| hash(("words", word.min(other), word.max(other)))));
    }
    if let Some(first) = traits.people.first().map(|person| person.family()) {
        match traits.year {
            // Adjacent years share one of the two keys.
            Some(year) => keys.extend([year, year + 1].map(|y| hash(("author", first, y)))),
            None => keys.push(hash(("author", first, main.first()))),
        }
    }
    if let (Some(volume), Some(page)) = (&traits.volume, &traits.page) {
        keys.push(hash(("place", volume, page)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn rare_words<'t>(traits: &'t Traits, frequency: &HashMap<u64, u32>) -> Vec<&'t str> {
    let mut words: Vec<(u32, &str)> = traits
        .title
        .words()
        .map(|word| {
            (
                frequency.get(&hash(word)).copied().unwrap_or(u32::MAX),
                word,
            )
        })
        .collect();
    words.sort_unstable();
    words.dedup();
    words
        .into_iter()
        .map(|(_, word)| word)
        .take(RARE_WORDS)
        .collect()
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Positions merged into groups.
struct Groups {
    /// The group of each position.
    of: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Groups {
    fn new(length: usize) -> Groups {
        Groups {
            of: (0..length).collect(),
            members: (0..length).map(|position| vec![position]).collect(),
        }
    }

    /// Merges the groups of two positions, unless two of their members may not share one.
    fn join(&mut self, a: usize, b: usize, may_share: impl Fn(usize, usize) -> bool) {
        let (Some(&into), Some(&from)) = (self.of.get(a), self.of.get(b)) else {
            return;
        };
        if into == from {
            return;
        }
        let checked = |group: usize| {
            let members = self.members.get(group).into_iter().flatten();
            members.take(CHECKED_MEMBERS).copied()
        };
        if !checked(into).all(|x| checked(from).all(|y| may_share(x, y))) {
            return;
        }
        let moved = self
            .members
            .get_mut(from)
            .map(std::mem::take)
            .unwrap_or_default();
        for position in &moved {
            if let Some(group) = self.of.get_mut(*position) {
                *group = into;
            }
        }
        if let Some(members) = self.members.get_mut(into) {
            members.extend(moved);
        }
    }

    fn larger_than_one(self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = self
            .members
            .into_iter()
            .filter(|group| group.len() > 1)
            .collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        groups
    }
}
