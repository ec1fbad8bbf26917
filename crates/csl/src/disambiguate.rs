//! Disambiguates cites: more names, given names, year suffixes, and where the style has no year suffixes the
//! `disambiguate` condition, which is for cites that «all other disambiguation methods» leave ambiguous
//! («Choose»). Ambiguous sets are found by rendered text, so the cost is linear in the number of items,
//! not quadratic.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::collections::{HashMap, HashSet};

use citation_model::budget::Exceeded;

use super::eval::{NameListInfo, initials_of};
use super::hints::{GivenLevel, Hints};
use super::item::{PersonName, Prepared, Script};
use super::style::names::NameForm;
use super::style::{CitationElement, GivennameRule, Style};

/// The number of conditions tried individually. Styles of the public collection have at most 14.
const MAX_CONDITIONS: u32 = 16;

/// Renders the bare cite of an item under hints.
pub trait Render {
    /// Spends steps on comparisons.
    fn spend(&self, steps: usize) -> Result<(), Exceeded>;

    /// The cites of all items, without hints.
    fn all(&mut self) -> Result<Vec<RenderedCite>, Exceeded>;

    /// The text of the cite.
    fn cite(&mut self, item: usize, hints: &Hints) -> Result<RenderedCite, Exceeded>;
}

/// What disambiguation needs from a rendered cite.
#[derive(Clone, Debug, Default)]
pub struct RenderedCite {
    pub text: String,
    pub lists: Vec<NameListInfo>,
    /// How many `disambiguate="true"` tests were evaluated.
    pub conditions: u32,
}

/// Whether names are disambiguated in the whole document, and not only within cites.
pub fn tells_names_apart(citation: &CitationElement) -> bool {
    citation.disambiguate_add_givenname && citation.givenname_rule != GivennameRule::ByCite
}

/// The given names that disambiguate in the whole document, in whatever order the works stand. `first` are
/// the cites of all items without hints.
pub fn given_names(style: &Style, items: &[Prepared], first: &[RenderedCite]) -> Vec<Hints> {
    let mut hints = vec![Hints::default(); items.len()];
    globally(style, items, first, &mut hints);
    hints
}

/// Computes the hints of every item. `order` is the bibliography order, in which year suffixes are
/// assigned. `first` are the cites of all items without hints, if they are known.
pub fn run(
    style: &Style,
    items: &[Prepared],
    order: &[usize],
    first: Option<Vec<RenderedCite>>,
    render: &mut dyn Render,
) -> Result<Vec<Hints>, Exceeded> {
    let citation = &style.citation;
    let mut hints = vec![Hints::default(); items.len()];
    let wanted = citation.disambiguate_add_names
        || citation.disambiguate_add_givenname
        || citation.disambiguate_add_year_suffix;
    if !wanted && !style.asks_ambiguity {
        return Ok(hints);
    }
    let first = match first {
        Some(first) => first,
        None => render.all()?,
    };
    if !wanted && first.iter().all(|rendered| rendered.conditions == 0) {
        return Ok(hints);
    }
    let mut texts: Vec<String> = first.iter().map(|r| r.text.clone()).collect();
    if tells_names_apart(citation) {
        globally(style, items, &first, &mut hints);
        for at in 0..items.len() {
            // If no names can be added, cites count as alike regardless of given names.
            if citation.disambiguate_add_names && hints[at] != Hints::default() {
                texts[at] = render.cite(at, &hints[at])?.text;
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
        solver.solve(set)?;
    }
    Ok(hints)
}

/// Items with the same text, in order; each set has at least two members.
fn sets(order: &[usize], texts: &[String]) -> Groups {
    let mut by_text: HashMap<&str, usize> = HashMap::new();
    let mut sets: Groups = Vec::new();
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

/// Given names under the rules that consider all names of the document.
fn globally(style: &Style, items: &[Prepared], first: &[RenderedCite], hints: &mut [Hints]) {
    let rule = style.citation.givenname_rule;
    let hyphen = style.options.initialize_with_hyphen;
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
            family.add(name, hyphen);
        }
    }
    for (item, hints) in hints.iter_mut().enumerate() {
        for (list, at, info, name) in shown(item) {
            let Some(family) = families.get(&family_key(name)) else {
                continue;
            };
            let level = family.level(name, info, limit, hyphen);
            if level > GivenLevel::AsStyled {
                hints.set_given(list, at, level);
            }
        }
    }
}

#[derive(Default)]
struct Family {
    /// Initials → the full given names that share them.
    by_initials: HashMap<String, HashSet<String>>,
}

impl Family {
    fn add(&mut self, name: &PersonName, hyphen: bool) {
        let full = self
            .by_initials
            .entry(initials_of(&name.given, hyphen))
            .or_default();
        full.insert(name.given.replace(['.', ' ', '\u{a0}'], ""));
    }

    /// The level that distinguishes a name from others with the same family name. Initials are skipped if
    /// they cannot.
    fn level(
        &self,
        name: &PersonName,
        info: &NameListInfo,
        limit: GivenLevel,
        hyphen: bool,
    ) -> GivenLevel {
        let same_initials = self
            .by_initials
            .get(&initials_of(&name.given, hyphen))
            .map_or(0, HashSet::len);
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

struct Solver<'s> {
    citation: &'s CitationElement,
    items: &'s [Prepared<'s>],
    first: &'s [RenderedCite],
    hints: &'s mut [Hints],
    render: &'s mut dyn Render,
}

/// The groups into which a set splits, with the hints and the step that split it.
type Split = (Groups, Hints, usize);

/// Items that look alike, by group.
type Groups = Vec<Vec<usize>>;

/// The names of the cites of a set, list by list.
struct Differences<'n>(Vec<ListNames<'n>>);

struct ListNames<'n> {
    /// Whether names are shown in full.
    is_long: bool,
    /// Those of each item; of adjacent items with the same names only the first.
    names: Vec<(usize, &'n [PersonName])>,
}

impl<'n> Differences<'n> {
    /// Whether a step may show a difference between two of the cites. It cannot if all have the same name
    /// at its position and the same number of names after it, because «et al.» and the last names depend on
    /// that number.
    fn may_show(&self, step: Step, hints: &[Hints]) -> bool {
        let (list, name, is_long) = match step {
            Step::Name(list, shown) => (list, (shown as usize).saturating_sub(1), false),
            Step::Given(list, name, _) => (list, name, true),
        };
        let Some(ListNames {
            is_long: long,
            names,
        }) = self.0.get(list)
        else {
            return true;
        };
        let is_long = is_long || *long;
        let shown = |(item, names): &(usize, &'n [PersonName])| {
            let level = hints.get(*item).map(|hints| hints.given(list, name));
            let is_long = is_long || level.is_some_and(|level| level > GivenLevel::AsStyled);
            let behind = names.len().saturating_sub(name + 1).min(2);
            let name = names.get(name).map(|name| Shown::new(name, is_long));
            (name, level, behind)
        };
        let mut all = names.iter().map(shown);
        let first = all.next();
        all.any(|other| Some(&other) != first.as_ref())
    }
}

/// What a cite can show of a name.
#[derive(PartialEq)]
enum Shown<'n> {
    Whole(&'n PersonName),
    Short {
        family: (&'n str, &'n str),
        /// Both affect the order of its parts.
        order: (Script, bool),
    },
}

impl<'n> Shown<'n> {
    fn new(name: &'n PersonName, is_long: bool) -> Shown<'n> {
        if is_long || name.literal.is_some() || name.family.is_empty() {
            return Shown::Whole(name);
        }
        Shown::Short {
            family: (&name.non_dropping, &name.family),
            order: (name.script, name.static_ordering),
        }
    }
}

/// A step that shows more of the names.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The number of names shown from a list.
    Name(usize, u32),
    Given(usize, usize, GivenLevel),
}

impl<'s> Solver<'s> {
    fn solve(&mut self, set: Vec<usize>) -> Result<(), Exceeded> {
        let mut rest = vec![set];
        if self.citation.disambiguate_add_names || self.citation.disambiguate_add_givenname {
            rest = rest.into_iter().try_fold(Vec::new(), |mut left, set| {
                left.append(&mut self.by_names(set)?);
                Ok(left)
            })?;
        }
        for set in rest {
            if self.citation.disambiguate_add_year_suffix {
                for (at, item) in set.into_iter().enumerate() {
                    self.hints[item].year_suffix = Some(at as u32 + 1);
                }
            } else {
                self.by_conditions(set)?;
            }
        }
        Ok(())
    }

    /// Shows more names and given names step by step and keeps the steps that split the set. Returns the
    /// sets that stay ambiguous.
    fn by_names(&mut self, set: Vec<usize>) -> Result<Groups, Exceeded> {
        let mut left = Vec::new();
        let mut work = vec![(set, Hints::default(), 0)];
        while let Some((set, kept, from)) = work.pop() {
            match self.next_split(&set, &kept, from)? {
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
        Ok(left)
    }

    /// The first step from `from` on that splits a set, with the resulting groups and hints. Added names
    /// stay; a given name that does not help is reverted.
    fn next_split(
        &mut self,
        set: &[usize],
        kept: &Hints,
        from: usize,
    ) -> Result<Option<Split>, Exceeded> {
        let steps = self.steps(set);
        let lists = set.iter().flat_map(|&item| &self.first[item].lists);
        let names: usize = lists.map(|list| list.total as usize).sum();
        self.render.spend(steps.len() + set.len() + names / 4)?;
        let differences = self.differences(set);
        let mut base = kept.clone();
        for (at, step) in steps.iter().enumerate() {
            if let Step::Name(list, shown) = *step {
                let hint = base.list_mut(list);
                hint.shown = hint.shown.max(shown);
            }
            if at < from {
                continue;
            }
            self.render.spend(set.len() / 4)?;
            if !differences.may_show(*step, self.hints) {
                continue;
            }
            let mut tentative = base.clone();
            if let Step::Given(list, name, level) = *step {
                tentative.set_given(list, name, level);
            }
            let groups = self.groups(set, &tentative)?;
            if groups.len() > 1 {
                return Ok(Some((groups, tentative, at)));
            }
        }
        Ok(None)
    }

    /// Positions where the names of a set differ, so that showing more can disambiguate. This avoids
    /// rendering cites with identical names, of which there may be thousands.
    fn differences(&self, set: &[usize]) -> Differences<'s> {
        let lists = set.iter().map(|&item| self.first[item].lists.len()).max();
        let lists = (0..lists.unwrap_or(0)).map(|list| {
            let infos = set
                .iter()
                .filter_map(|&item| self.first[item].lists.get(list));
            let is_long = infos.clone().any(|info| info.form != NameForm::Short);
            let names = set.iter().map(|&item| (item, self.names(item, list)));
            let mut names: Vec<_> = names.collect();
            names.dedup_by_key(|(_, names)| *names);
            ListNames { is_long, names }
        });
        Differences(lists.collect())
    }

    fn names(&self, item: usize, list: usize) -> &'s [PersonName] {
        match self.first[item].lists.get(list) {
            Some(info) => self.items[item].names(info.variable),
            None => &[],
        }
    }

    /// The steps possible for the cites of a set, in order.
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
    fn groups(&mut self, set: &[usize], tentative: &Hints) -> Result<Groups, Exceeded> {
        let mut by_text: HashMap<String, usize> = HashMap::new();
        let mut groups: Groups = Vec::new();
        for &item in set {
            let hints = combined(&self.hints[item], tentative);
            let text = self.render.cite(item, &hints)?.text;
            let at = *by_text.entry(text).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[at].push(item);
        }
        Ok(groups)
    }

    fn keep(&mut self, item: usize, tentative: &Hints) {
        self.hints[item] = combined(&self.hints[item], tentative);
    }

    /// Enables one condition after another until a set splits, then continues with the cites that are still
    /// alike (see disambiguate_IncrementalExtraText). Names precede conditions, so cites count as
    /// disambiguated by names that only a condition adds, even if those stay short (see
    /// bugreports_EnvAndUrb).
    fn by_conditions(&mut self, set: Vec<usize>) -> Result<(), Exceeded> {
        let mut work = vec![(set, 0)];
        while let Some((set, held)) = work.pop() {
            if let Some((groups, held)) = self.next_condition(&set, held)? {
                for &item in &set {
                    self.hints[item].conditions = held;
                }
                let alike = groups.into_iter().filter(|group| group.len() > 1);
                work.extend(alike.map(|group| (group, held)));
            }
        }
        Ok(())
    }

    /// The fewest additional conditions that split a set, with the groups.
    fn next_condition(
        &mut self,
        set: &[usize],
        held: u32,
    ) -> Result<Option<(Groups, u32)>, Exceeded> {
        let Some(&first) = set.first() else {
            return Ok(None);
        };
        let met = set.iter().map(|&item| self.first[item].conditions).max();
        let mut met = met.unwrap_or(0);
        let mut tentative = Hints {
            conditions: held,
            ..Hints::default()
        };
        while tentative.conditions < met.min(MAX_CONDITIONS) {
            tentative.conditions += 1;
            let hints = combined(&self.hints[first], &tentative);
            let sample = self.render.cite(first, &hints)?;
            met = met.max(sample.conditions);
            self.add_all_names(&sample.lists, &mut tentative);
            let groups = self.groups(set, &tentative)?;
            if groups.len() > 1 {
                return Ok(Some((groups, tentative.conditions)));
            }
        }
        Ok(None)
    }

    /// Shows as many names of a cite as the style allows.
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

/// Merges two hints; the stronger wins.
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
