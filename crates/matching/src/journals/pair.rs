//! A title and a short form of it, as in tables.

/// A journal's title and a short form of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    pub title: String,
    /// Empty if only the title is known.
    pub short: String,
    pub origin: PairOrigin,
}

/// The source of the pair.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairOrigin {
    /// The operator, who overrides all others.
    Operator,
    /// An imported list.
    Imported,
    /// The embedded table.
    BuiltIn,
    /// A record with both; the name of its source.
    Record(String),
}

impl PairOrigin {
    /// The API and database spelling: `operator`, `imported`, `built-in`, or the name of a record
    /// source.
    pub fn as_str(&self) -> &str {
        match self {
            PairOrigin::Operator => "operator",
            PairOrigin::Imported => "imported",
            PairOrigin::BuiltIn => "built-in",
            PairOrigin::Record(source) => source,
        }
    }

    pub fn parse(text: &str) -> PairOrigin {
        match text {
            "operator" => PairOrigin::Operator,
            "imported" => PairOrigin::Imported,
            "built-in" => PairOrigin::BuiltIn,
            source => PairOrigin::Record(source.to_owned()),
        }
    }
}

/// A title without the additions of library lists: the society (` / American …`), a remark
/// (` : official journal of …`), the place (`(London, England)`).
pub fn bare_title(title: &str) -> &str {
    let end = [" : ", " / ", " = "]
        .into_iter()
        .filter_map(|mark| title.find(mark))
        .min()
        .unwrap_or(title.len());
    let bare = title.get(..end).unwrap_or(title);
    let bare = match bare
        .trim_end()
        .strip_suffix(')')
        .and_then(|t| t.rfind(" ("))
    {
        Some(open) => bare.get(..open).unwrap_or(bare),
        None => bare,
    };
    let bare = bare.trim_end_matches(['.', ' ', ';', ',']);
    if bare.is_empty() { title } else { bare }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_what_libraries_add() {
        let check = |title, expected| assert_eq!(bare_title(title), expected);
        check("Brain : a journal of neurology", "Brain");
        check("Cancer journal (Sudbury, Mass.)", "Cancer journal");
        check(
            "AAHS journal / American Aviation Historical Society",
            "AAHS journal",
        );
        check("JAMA: The Journal", "JAMA: The Journal");
        check("(Untitled)", "(Untitled)");
    }
}
