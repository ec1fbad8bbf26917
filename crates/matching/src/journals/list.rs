//! Reads lists of journals: JabRef's CSV (title, short form, optionally a shorter one), with commas
//! or semicolons, its older `title = short form`, and tables with column headings.

use super::pair::{Pair, PairOrigin};

/// The contents of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// All with the imported origin.
    pub pairs: Vec<Pair>,
    pub faults: Vec<ListFault>,
}

/// A line without a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFault {
    /// From 1.
    pub line: usize,
    /// The error as a clause: `has no short form`.
    pub text: &'static str,
}

/// The maximum length of a title or short form, in characters.
const MAX_LENGTH: usize = 1_000;

/// Reads a list. Skips empty lines and comments (`#`); every other line gives pairs or a fault.
pub fn read(text: &str) -> List {
    let mut list = List::default();
    let mut layout = Layout::of(text);
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(columns) = layout.take_heading(line) {
            layout = columns;
            continue;
        }
        match layout.pairs(line) {
            Ok(pairs) => list.pairs.extend(pairs),
            Err(text) => list.faults.push(ListFault { line: at + 1, text }),
        }
    }
    list
}

/// The layout of the lines of a list.
#[derive(Clone, Debug)]
struct Layout {
    separator: Separator,
    title: usize,
    /// Columns with short forms.
    shorts: Vec<usize>,
    /// Whether the first line was read.
    begun: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Character(char),
    /// ` = ` between title and short form, `;` between short forms.
    Equals,
}

impl Layout {
    /// Uses the separator that most of the first lines have outside quotes.
    fn of(text: &str) -> Layout {
        const LOOKED_AT: usize = 50;
        let lines = || {
            let is_pair = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
            text.lines().filter(is_pair).take(LOOKED_AT)
        };
        let having = |separator| {
            lines()
                .filter(|line| split(line, separator).len() > 1)
                .count()
        };
        // Reversed so that the first separator wins a tie.
        let separator = [
            Separator::Character('\t'),
            Separator::Equals,
            Separator::Character(','),
            Separator::Character(';'),
        ]
        .into_iter()
        .rev()
        .max_by_key(|separator| having(*separator))
        .unwrap_or(Separator::Character(','));
        Layout {
            separator,
            title: 0,
            shorts: vec![1, 2],
            begun: false,
        }
    }

    /// The layout in a heading line, if the first line is one.
    fn take_heading(&mut self, line: &str) -> Option<Layout> {
        if std::mem::replace(&mut self.begun, true) {
            return None;
        }
        let names: Vec<String> = split(line, self.separator)
            .iter()
            .map(|name| name.trim().to_lowercase().replace([' ', '-'], "_"))
            .collect();
        let column = |wanted: &[&str]| {
            names
                .iter()
                .position(|name| wanted.contains(&name.as_str()))
        };
        let title = column(&["full_name", "title", "full_title", "journal", "name"])?;
        let short = column(&[
            "abbr_display",
            "abbreviation",
            "abbreviation_1",
            "short",
            "short_title",
            "abbr",
        ])?;
        Some(Layout {
            title,
            shorts: vec![short],
            ..self.clone()
        })
    }

    fn pairs(&self, line: &str) -> Result<Vec<Pair>, &'static str> {
        let fields = split(line, self.separator);
        let field = |column: &usize| fields.get(*column).map_or("", |field| field.trim());
        let title = field(&self.title);
        if title.is_empty() {
            return Err("has no title");
        }
        let mut shorts: Vec<&str> = self.shorts.iter().map(field).collect();
        // The third column of old lists is a citation count.
        shorts.retain(|short| !short.is_empty() && short.contains(char::is_alphabetic));
        shorts.dedup();
        if shorts.is_empty() {
            return Err("has no short form");
        }
        let too_long = |text: &str| text.chars().count() > MAX_LENGTH;
        if too_long(title) || shorts.iter().any(|short| too_long(short)) {
            return Err("is longer than a title can be");
        }
        let pair = |short: &str| Pair {
            origin: PairOrigin::Imported,
            title: title.to_owned(),
            short: short.to_owned(),
        };
        Ok(shorts.into_iter().map(pair).collect())
    }
}

/// Splits a line into fields. Quotes enclose a field, and two quotes inside them are one.
fn split(line: &str, separator: Separator) -> Vec<String> {
    let separator = match separator {
        Separator::Character(separator) => separator,
        Separator::Equals => {
            let Some((title, shorts)) = line.split_once(" = ") else {
                return vec![line.to_owned()];
            };
            let shorts = shorts.split(';').map(str::to_owned);
            return std::iter::once(title.to_owned()).chain(shorts).collect();
        }
    };
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(field) = fields.last_mut() else {
            break;
        };
        match c {
            // In a tab-separated table, quotes only occur as part of the text.
            '"' if separator != '\t' && quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if separator != '\t' && (quoted || field.trim().is_empty()) => quoted = !quoted,
            c if c == separator && !quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let list = read(text);
        let pairs: Vec<(&str, &str)> = list
            .pairs
            .iter()
            .map(|p| (p.title.as_str(), p.short.as_str()))
            .collect();
        assert_eq!(pairs, expected, "{text}");
    }

    #[test]
    fn lists_of_every_layout_are_read() {
        check(
            "Accounts of Chemical Research,Acc. Chem. Res.\n\"Birds, Bees\",\"Birds \"\"B\"\"\",BB\n",
            &[
                ("Accounts of Chemical Research", "Acc. Chem. Res."),
                ("Birds, Bees", "Birds \"B\""),
                ("Birds, Bees", "BB"),
            ],
        );
        check(
            "Acta, Sect. B;Acta B;;\r\nActa;Act.;A;12\r\n",
            &[("Acta, Sect. B", "Acta B"), ("Acta", "Act."), ("Acta", "A")],
        );
        check(
            "# a list\nActa Botanica = Acta Bot.;AB\n",
            &[("Acta Botanica", "Acta Bot."), ("Acta Botanica", "AB")],
        );
        check(
            "abbr_norm\tfull_name\tabbr_display\nacta bot\tActa \"Botanica\"\tActa Bot.\n",
            &[("Acta \"Botanica\"", "Acta Bot.")],
        );
    }

    #[test]
    fn lines_without_a_pair_are_named() {
        let list = read("Acta,Act.\n\n,Act.\nNature,\n");
        let faults: Vec<(usize, &str)> = list.faults.iter().map(|f| (f.line, f.text)).collect();
        assert_eq!(faults, [(3, "has no title"), (4, "has no short form")]);
    }
}
