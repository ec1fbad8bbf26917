//! The four ways to tell ambiguous cites apart, in the specification's order: more names, given
//! names, the `disambiguate` condition, year suffixes. Ambiguous sets are found by the rendered
//! text of the cites, so the work grows with the number of items, not with its square.

use std::collections::HashMap;

use super::eval::NameListInfo;
use super::hints::{GivenLevel, Hints};
use super::item::{PersonName, Prepared};
use super::style::names::NameForm;
use super::style::{Citation, GivennameRule};

/// Conditions that are tried one by one. No style of the public collection has more than 14 of
/// them.
const MAX_CONDITIONS: u32 = 16;

/// Renders the bare cite of an item under hints.
pub trait Render {
    /// The text of the cite.
    fn cite(&mut self, item: usize, hints: &Hints) -> Rendered;
}

/// What disambiguation needs to know of a rendered cite.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    pub text: String,
    pub lists: Vec<NameListInfo>,
    /// How many tests `disambiguate="true"` were met.
    pub conditions: u32,
}

/// Finds the hints of every item. `order` is the order of the bibliography, in which year
/// suffixes are given out.
pub fn run(
    citation: &Citation,
    items: &[Prepared],
    order: &[usize],
    render: &mut dyn Render,
) -> Vec<Hints> {
    let mut hints = vec![Hints::default(); items.len()];
    let wanted = citation.disambiguate_add_names
        || citation.disambiguate_add_givenname
        || citation.disambiguate_add_year_suffix;
    let first: Vec<Rendered> = items
        .iter()
        .enumerate()
        .map(|(at, _)| render.cite(at, &hints[at]))
        .collect();
    let conditional = first.iter().any(|rendered| rendered.conditions > 0);
    if !wanted && !conditional {
        return hints;
    }
    let mut texts: Vec<String> = first.iter().map(|r| r.text.clone()).collect();
    if citation.disambiguate_add_givenname && citation.givenname_rule != GivennameRule::ByCite {
        globally(citation.givenname_rule, items, &first, &mut hints);
        for at in 0..items.len() {
            // Without names to add, cites count as alike whatever given names tell apart.
            if citation.disambiguate_add_names && hints[at] != Hints::default() {
                texts[at] = render.cite(at, &hints[at]).text;
            }
        }
    }
    for set in sets(order, &texts) {
        let mut solver = Solver {
            citation,
            items,
            first: &first,
            hints: &mut hints,
            render,
        };
        solver.solve(set);
    }
    hints
}

/// Items with the same text, in order; each set has two members or more.
fn sets(order: &[usize], texts: &[String]) -> Vec<Vec<usize>> {
    let mut by_text: HashMap<&str, usize> = HashMap::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for &item in order {
        let Some(text) = texts.get(item) else {
            continue;
        };
        let at = *by_text.entry(text.as_str()).or_insert_with(|| {
            sets.push(Vec::new());
            sets.len() - 1
        });
        sets[at].push(item);
    }
    sets.retain(|set| set.len() > 1);
    sets
}

/// Given names by the rules that look at all names of the document.
fn globally(rule: GivennameRule, items: &[Prepared], first: &[Rendered], hints: &mut [Hints]) {
    let primary = matches!(
        rule,
        GivennameRule::PrimaryName | GivennameRule::PrimaryNameWithInitials
    );
    let limit = match rule {
        GivennameRule::AllNamesWithInitials | GivennameRule::PrimaryNameWithInitials => {
            GivenLevel::Initials
        }
        _ => GivenLevel::Full,
    };
    let mut families: HashMap<String, Family> = HashMap::new();
    let shown = |item: usize| {
        first[item]
            .lists
            .iter()
            .enumerate()
            .flat_map(move |(list, info)| {
                let names = items[item].names(info.variable);
                let count = if primary { 1 } else { names.len() };
                names
                    .iter()
                    .take(count)
                    .enumerate()
                    .map(move |(at, name)| (list, at, info, name))
            })
    };
    for item in 0..items.len() {
        for (_, _, _, name) in shown(item) {
            if name.literal.is_some() {
                continue;
            }
            let family = families.entry(family_key(name)).or_default();
            family.add(name);
        }
    }
    for (item, hints) in hints.iter_mut().enumerate() {
        for (list, at, info, name) in shown(item) {
            let Some(family) = families.get(&family_key(name)) else {
                continue;
            };
            let level = family.level(name, info, limit);
            if level > GivenLevel::AsStyled {
                hints.set_given(list, at, level);
            }
        }
    }
}

#[derive(Default)]
struct Family {
    /// Initials → the full given names that have them.
    by_initials: HashMap<String, Vec<Box<str>>>,
}

impl Family {
    fn add(&mut self, name: &PersonName) {
        let full = self.by_initials.entry(initials_key(name)).or_default();
        let given: Box<str> = name.given.replace(['.', ' ', '\u{a0}'], "").into();
        if !full.contains(&given) {
            full.push(given);
        }
    }

    /// What tells a name from the others of its family; initials are not asked to do what they
    /// cannot.
    fn level(&self, name: &PersonName, info: &NameListInfo, limit: GivenLevel) -> GivenLevel {
        let same_initials = self
            .by_initials
            .get(&initials_key(name))
            .map_or(0, Vec::len);
        if same_initials > 1 && limit == GivenLevel::Full {
            GivenLevel::Full
        } else if self.by_initials.len() > 1 && info.form == NameForm::Short {
            GivenLevel::Initials
        } else {
            GivenLevel::AsStyled
        }
    }
}

fn family_key(name: &PersonName) -> String {
    format!("{} {}", name.non_dropping, name.family)
}

fn initials_key(name: &PersonName) -> String {
    super::eval::initials_of(&name.given)
}

struct Solver<'s> {
    citation: &'s Citation,
    items: &'s [Prepared<'s>],
    first: &'s [Rendered],
    hints: &'s mut [Hints],
    render: &'s mut dyn Render,
}

/// A step that shows more of the names.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many names of a list.
    Name(usize, u32),
    Given(usize, usize, GivenLevel),
}

impl Step {
    /// Whether the step can tell cites apart whose names are common up to the given ones.
    fn may_split(self, common: &[usize]) -> bool {
        let (list, name) = match self {
            Step::Name(list, shown) => (list, (shown as usize).saturating_sub(1)),
            Step::Given(list, name, _) => (list, name),
        };
        common.get(list).is_none_or(|common| name >= *common)
    }
}

impl Solver<'_> {
    fn solve(&mut self, set: Vec<usize>) {
        let mut rest = vec![set];
        if self.citation.disambiguate_add_names || self.citation.disambiguate_add_givenname {
            rest = rest
                .into_iter()
                .flat_map(|set| self.by_names(set))
                .collect();
        }
        rest = rest
            .into_iter()
            .flat_map(|set| self.by_conditions(set))
            .collect();
        if self.citation.disambiguate_add_year_suffix {
            for set in rest {
                for (at, item) in set.into_iter().enumerate() {
                    self.hints[item].year_suffix = Some(at as u32 + 1);
                }
            }
        }
    }

    /// Shows more names and given names step by step, and keeps the steps that tell some of the
    /// set apart. Gives back the sets that stay ambiguous.
    fn by_names(&mut self, set: Vec<usize>) -> Vec<Vec<usize>> {
        let mut left = Vec::new();
        let mut work = vec![(set, Hints::default(), 0)];
        while let Some((set, kept, from)) = work.pop() {
            match self.next_split(&set, &kept, from) {
                Some((groups, hints, at)) => {
                    for group in groups {
                        if group.len() == 1 {
                            self.keep(group[0], &hints);
                        } else {
                            work.push((group, hints.clone(), at + 1));
                        }
                    }
                }
                None => {
                    for &item in &set {
                        self.keep(item, &kept);
                    }
                    left.push(set);
                }
            }
        }
        left
    }

    /// The first step from `from` on that splits a set, with the groups and the hints it needs.
    /// Names stay once they are added; a given name that does not help goes back.
    fn next_split(
        &mut self,
        set: &[usize],
        kept: &Hints,
        from: usize,
    ) -> Option<(Vec<Vec<usize>>, Hints, usize)> {
        let steps = self.steps(set);
        let common = self.common_names(set);
        let mut base = kept.clone();
        for (at, step) in steps.iter().enumerate() {
            let mut tentative = base.clone();
            match *step {
                Step::Name(list, shown) => {
                    let hint = tentative.list_mut(list);
                    hint.shown = hint.shown.max(shown);
                    base = tentative.clone();
                }
                Step::Given(list, name, level) => tentative.set_given(list, name, level),
            }
            if at < from || !step.may_split(&common) {
                continue;
            }
            let groups = self.groups(set, &tentative);
            if groups.len() > 1 {
                return Some((groups, tentative, at));
            }
        }
        None
    }

    /// For each name list, at which name showing more can first tell the cites of a set apart:
    /// where the names differ, or where one list ends before another. Cites of the same names, of
    /// which there may be thousands, need not be rendered to know that.
    fn common_names(&self, set: &[usize]) -> Vec<usize> {
        let lists = set.iter().map(|&item| self.first[item].lists.len()).max();
        (0..lists.unwrap_or(0))
            .map(|list| {
                let mut all = set.iter().map(|&item| self.names(item, list));
                let first = all.next().unwrap_or_default();
                let common = all.map(|names| match (first, names) {
                    (first, names) if first == names => usize::MAX,
                    (first, names) => {
                        let pairs = first.iter().zip(names);
                        let same = pairs.take_while(|(a, b)| a == b).count();
                        // The last common name of a list that ends has no «et al.» behind it.
                        same.min(first.len().min(names.len()).saturating_sub(1))
                    }
                });
                common.min().unwrap_or(usize::MAX)
            })
            .collect()
    }

    fn names(&self, item: usize, list: usize) -> &[PersonName] {
        match self.first[item].lists.get(list) {
            Some(info) => self.items[item].names(info.variable),
            None => &[],
        }
    }

    /// The steps that the cites of a set allow, in order.
    fn steps(&self, set: &[usize]) -> Vec<Step> {
        let mut steps = Vec::new();
        let by_cite = self.adds_given_by_cite();
        let lists = set.iter().map(|&item| self.first[item].lists.len()).max();
        for list in 0..lists.unwrap_or(0) {
            let infos: Vec<&NameListInfo> = set
                .iter()
                .filter_map(|&item| self.first[item].lists.get(list))
                .collect();
            let shown = infos.iter().map(|info| info.shown).min().unwrap_or(0) as usize;
            let total = infos.iter().map(|info| info.total).max().unwrap_or(0) as usize;
            let initials = infos.iter().any(|info| info.initials);
            let short = infos.iter().any(|info| info.form == NameForm::Short);
            let last = if self.citation.disambiguate_add_names {
                total
            } else {
                shown
            };
            for at in 0..last {
                if at >= shown {
                    steps.push(Step::Name(list, at as u32 + 1));
                }
                if by_cite {
                    if short && initials {
                        steps.push(Step::Given(list, at, GivenLevel::Initials));
                    }
                    if short || initials {
                        steps.push(Step::Given(list, at, GivenLevel::Full));
                    }
                }
            }
        }
        steps
    }

    /// The members of a set that still look alike under hints.
    fn groups(&mut self, set: &[usize], tentative: &Hints) -> Vec<Vec<usize>> {
        let mut by_text: HashMap<String, usize> = HashMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &item in set {
            let hints = combined(&self.hints[item], tentative);
            let text = self.render.cite(item, &hints).text;
            let at = *by_text.entry(text).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[at].push(item);
        }
        groups
    }

    fn keep(&mut self, item: usize, tentative: &Hints) {
        self.hints[item] = combined(&self.hints[item], tentative);
    }

    /// Lets one condition after the other hold, until a set falls apart, and then goes on with
    /// what is still alike (see disambiguate_IncrementalExtraText). Names come before conditions,
    /// so cites count as told apart by names that only a condition brings, even where they stay
    /// short (see bugreports_EnvAndUrb). Gives back the sets that stay ambiguous.
    fn by_conditions(&mut self, set: Vec<usize>) -> Vec<Vec<usize>> {
        let mut left = Vec::new();
        let mut work = vec![(set, 0)];
        while let Some((set, held)) = work.pop() {
            match self.next_condition(&set, held) {
                Some((groups, held)) => {
                    for &item in &set {
                        self.hints[item].conditions = held;
                    }
                    let alike = groups.into_iter().filter(|group| group.len() > 1);
                    work.extend(alike.map(|group| (group, held)));
                }
                None => left.push(set),
            }
        }
        left
    }

    /// The fewest conditions beyond those that hold which split a set, with the groups.
    fn next_condition(&mut self, set: &[usize], held: u32) -> Option<(Vec<Vec<usize>>, u32)> {
        let mut met = set.iter().map(|&item| self.first[item].conditions).max()?;
        let mut tentative = Hints {
            conditions: held,
            ..Hints::default()
        };
        while tentative.conditions < met.min(MAX_CONDITIONS) {
            tentative.conditions += 1;
            let hints = combined(&self.hints[*set.first()?], &tentative);
            let sample = self.render.cite(*set.first()?, &hints);
            met = met.max(sample.conditions);
            self.add_all_names(&sample.lists, &mut tentative);
            let groups = self.groups(set, &tentative);
            if groups.len() > 1 {
                return Some((groups, tentative.conditions));
            }
        }
        None
    }

    /// Shows as much of the names of a cite as the style lets cites show.
    fn add_all_names(&self, lists: &[NameListInfo], hints: &mut Hints) {
        for (list, info) in lists.iter().enumerate() {
            if self.citation.disambiguate_add_names {
                hints.list_mut(list).shown = info.total;
            }
            if self.adds_given_by_cite() {
                for name in 0..info.total as usize {
                    hints.set_given(list, name, GivenLevel::Full);
                }
            }
        }
    }

    fn adds_given_by_cite(&self) -> bool {
        self.citation.disambiguate_add_givenname
            && self.citation.givenname_rule == GivennameRule::ByCite
    }
}

/// Two hints added up; the stronger wins.
fn combined(own: &Hints, more: &Hints) -> Hints {
    let mut out = own.clone();
    for (list, hint) in more.lists.iter().enumerate() {
        let mine = out.list_mut(list);
        mine.shown = mine.shown.max(hint.shown);
        for (name, level) in hint.given.iter().enumerate() {
            if *level > GivenLevel::AsStyled {
                out.set_given(list, name, (*level).max(out.given(list, name)));
            }
        }
    }
    out.conditions = out.conditions.max(more.conditions);
    out
}
