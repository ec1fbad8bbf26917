//! Results of disambiguation that evaluation applies to an item.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

/// The hints of one item. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hints {
    /// For each name list of the cite, in order: how its names are shown.
    pub lists: Vec<ListHint>,
    /// How many `disambiguate="true"` tests hold, in evaluation order.
    pub conditions: u32,
    /// 1 for `a`.
    pub year_suffix: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListHint {
    /// The minimum number of names to show.
    pub shown: u32,
    /// For each name, the minimum part of the given name to show.
    pub given: Vec<GivenLevel>,
}

/// The minimum part of a given name that a cite shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GivenLevel {
    /// As the style's name form specifies.
    #[default]
    AsStyled,
    Initials,
    Full,
}

impl Hints {
    pub fn shown(&self, list: usize) -> u32 {
        self.lists.get(list).map_or(0, |hint| hint.shown)
    }

    pub fn given(&self, list: usize, name: usize) -> GivenLevel {
        self.lists
            .get(list)
            .and_then(|hint| hint.given.get(name))
            .copied()
            .unwrap_or_default()
    }

    /// The hints about given names only.
    pub fn given_names(&self) -> Hints {
        let list = |list: &ListHint| ListHint {
            shown: 0,
            given: list.given.clone(),
        };
        Hints {
            lists: self.lists.iter().map(list).collect(),
            ..Hints::default()
        }
    }

    pub fn list_mut(&mut self, list: usize) -> &mut ListHint {
        if self.lists.len() <= list {
            self.lists.resize(list + 1, ListHint::default());
        }
        &mut self.lists[list]
    }

    pub fn set_given(&mut self, list: usize, name: usize, level: GivenLevel) {
        let given = &mut self.list_mut(list).given;
        if given.len() <= name {
            given.resize(name + 1, GivenLevel::default());
        }
        given[name] = level;
    }
}

/// `a` for 1, `z` for 26, `aa` for 27.
pub fn letters(mut number: u32) -> String {
    let mut out = Vec::new();
    while number > 0 {
        number -= 1;
        out.push(b'a' + (number % 26) as u8);
        number /= 26;
    }
    out.reverse();
    String::from_utf8(out).unwrap_or_default()
}
