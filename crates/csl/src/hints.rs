//! What disambiguation has found out about an item and evaluation must heed.

/// The hints of one item. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hints {
    /// For each name list of the cite, in order: how its names are shown.
    pub lists: Vec<ListHint>,
    /// How many of the tests `disambiguate="true"` hold, in the order in which they are met.
    pub conditions: u32,
    /// 1 for `a`.
    pub year_suffix: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListHint {
    /// How many names to show at least.
    pub shown: u32,
    /// For each name, how much of the given name to show.
    pub given: Vec<GivenLevel>,
}

/// How much of a given name a cite shows, at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GivenLevel {
    /// As the style's name form says.
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

    /// What the hints say of given names alone.
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
