//! Nested parentheses: in notes, parentheses from the affixes of levels alternate with brackets, counted
//! from the start of the citation. The specification is silent; the count follows citeproc-js.

use std::borrow::Cow;

/// The nesting depth of parentheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Braces {
    /// `None` if parentheses do not alternate.
    depth: Option<i32>,
}

impl Braces {
    pub fn counted(on: bool) -> Braces {
        Braces {
            depth: on.then_some(0),
        }
    }

    /// The affix with its parentheses adjusted to the depth.
    pub fn alternate<'t>(&mut self, affix: &'t str) -> Cow<'t, str> {
        let Some(depth) = &mut self.depth else {
            return affix.into();
        };
        if !affix.contains(['(', ')']) {
            return affix.into();
        }
        let mut out = String::with_capacity(affix.len());
        for c in affix.chars() {
            match c {
                '(' => {
                    out.push(if *depth % 2 == 1 { '[' } else { '(' });
                    *depth += 1;
                }
                ')' => {
                    out.push(if *depth % 2 == 0 { ']' } else { ')' });
                    *depth -= 1;
                }
                other => out.push(other),
            }
        }
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_parentheses_are_brackets() {
        let mut braces = Braces::counted(true);
        let shown: Vec<Cow<str>> = ["a (", " (", "), ", ")"]
            .iter()
            .map(|affix| braces.alternate(affix))
            .collect();
        assert_eq!(shown.concat(), "a ( [], )");
        assert_eq!(Braces::default().alternate("(("), "((");
    }
}
