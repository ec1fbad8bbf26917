//! The table inside the program: some 38,000 pairs. What is kept in memory beside the text are two
//! orders of its lines, of four bytes a line each, made when the table is first asked.

use std::sync::LazyLock;

use super::key::{initials, key};
use super::pair::{Origin, Pair};
use super::question::Tables;

/// The table, as something to ask.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

static LISTS: [&str; 2] = [
    include_str!("../../corpus/journals/general.tsv"),
    include_str!("../../corpus/journals/medicine.tsv"),
];

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// A line: which list, and where it starts there, in bytes.
#[derive(Clone, Copy)]
struct Line {
    list: u8,
    start: u32,
}

struct Table {
    by_short: Order,
    by_title: Order,
    by_initials: Order,
}

/// Lines in the order of what `of` makes of them. Finding one makes it anew for the dozen lines
/// that are looked at, which costs microseconds and saves megabytes.
struct Order {
    of: fn(&str, &str) -> String,
    lines: Vec<Line>,
}

/// Makes the table ready, so that the first question does not wait for it.
pub fn warm() {
    LazyLock::force(&TABLE);
}

/// How many pairs there are.
pub fn count() -> usize {
    TABLE.by_short.lines.len()
}

impl Tables for BuiltIn {
    type Error = std::convert::Infallible;

    fn by_short(&self, key: &str) -> Result<Vec<Pair>, Self::Error> {
        Ok(TABLE.by_short.equal(key))
    }

    fn by_title(&self, key: &str) -> Result<Vec<Pair>, Self::Error> {
        Ok(TABLE.by_title.equal(key))
    }

    fn by_initials(&self, beginning: &str, limit: usize) -> Result<Vec<Pair>, Self::Error> {
        Ok(TABLE.by_initials.beginning(beginning, limit))
    }
}

impl Table {
    fn new() -> Table {
        Table {
            by_short: Order::new(|_, short| key(short)),
            by_title: Order::new(|title, _| key(title)),
            by_initials: Order::new(|title, _| initials(title)),
        }
    }
}

impl Order {
    fn new(of: fn(&str, &str) -> String) -> Order {
        let mut lines: Vec<Line> = (0..LISTS.len() as u8).flat_map(lines_of).collect();
        lines.sort_by_cached_key(|line| {
            let (title, short) = line.fields();
            of(title, short)
        });
        Order { of, lines }
    }

    fn made_of(&self, line: &Line) -> String {
        let (title, short) = line.fields();
        (self.of)(title, short)
    }

    fn equal(&self, wanted: &str) -> Vec<Pair> {
        let from = self
            .lines
            .partition_point(|line| self.made_of(line).as_str() < wanted);
        let same = |line: &&Line| self.made_of(line) == wanted;
        self.lines
            .iter()
            .skip(from)
            .take_while(same)
            .map(Line::pair)
            .collect()
    }

    fn beginning(&self, wanted: &str, limit: usize) -> Vec<Pair> {
        let from = self
            .lines
            .partition_point(|line| self.made_of(line).as_str() < wanted);
        let begins = |line: &&Line| self.made_of(line).starts_with(wanted);
        let rest = self.lines.iter().skip(from);
        rest.take_while(begins)
            .take(limit)
            .map(Line::pair)
            .collect()
    }
}

fn lines_of(list: u8) -> impl Iterator<Item = Line> {
    let text = LISTS.get(usize::from(list)).copied().unwrap_or_default();
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len() as u32;
        Line { list, start: at }
    })
}

impl Line {
    fn fields(&self) -> (&'static str, &'static str) {
        let text = LISTS
            .get(usize::from(self.list))
            .and_then(|text| text.get(self.start as usize..));
        let line = text
            .and_then(|text| text.split('\n').next())
            .unwrap_or_default();
        line.split_once('\t').unwrap_or((line, ""))
    }

    fn pair(&self) -> Pair {
        let (title, short) = self.fields();
        Pair {
            title: title.to_owned(),
            short: short.to_owned(),
            origin: Origin::BuiltIn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_16_000_short_forms_come_with_the_program() {
        let lines = LISTS.iter().flat_map(|list| list.lines());
        let shorts: std::collections::HashSet<&str> = lines
            .map(|line| line.split_once('\t').expect("a pair").1)
            .collect();
        assert!(shorts.len() > 16_000, "{}", shorts.len());
        assert_eq!(
            count(),
            LISTS.iter().map(|list| list.lines().count()).sum::<usize>()
        );
    }

    #[test]
    fn pairs_are_found_by_any_of_their_keys() {
        let title = "Journal of the American Chemical Society";
        let has = |pairs: Result<Vec<Pair>, _>| {
            let Ok::<_, std::convert::Infallible>(pairs) = pairs;
            pairs.iter().any(|pair| pair.title == title)
        };
        assert!(has(BuiltIn.by_short("j am chem soc")));
        assert!(has(BuiltIn.by_title("journal american chemical society")));
        assert!(has(BuiltIn.by_initials("jacs", 100)));
        assert_eq!(BuiltIn.by_short("no such thing"), Ok(Vec::new()));
        assert_eq!(BuiltIn.by_short(""), Ok(Vec::new()));
    }
}
