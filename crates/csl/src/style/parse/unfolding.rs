//! Measures a style with its macro calls expanded and rejects styles that are too large.

use super::reader::{Parsed, StyleReader};
use crate::error::StyleFault;
use crate::style::{Element, SortBy, Style, Text, TextSource};
use crate::xml::XmlElement;

/// The maximum number of elements of both layouts and all sort keys, expanded, counting the largest
/// branch of every choice. The largest style of the public collection expands to 5,329.
const MAX_UNFOLDED: u64 = 100_000;
/// The maximum nesting depth of expanded elements; bounds the recursion of evaluation. The deepest style
/// of the public collection has 39 levels.
const MAX_UNFOLDED_DEPTH: usize = 48;

impl StyleReader<'_> {
    /// Rejects recursive macros and macros that expand beyond the limits.
    pub(super) fn refuse_bombs(&self, style: &Style, root: &XmlElement) -> Parsed<()> {
        let mut unfolding = Unfolding::new(style);
        for (index, called) in style.macros.iter().enumerate() {
            if let Err(reason) = unfolding.called(index) {
                let at = root
                    .children_named("macro")
                    .find(|element| element.attribute("name") == Some(&called.name))
                    .unwrap_or(root);
                return Err(self.fail(at, reason));
            }
        }
        let fail = |reason| self.fail(root, reason);
        let entries = style.bibliography.as_ref();
        let mut total = unfolding
            .elements(&style.citation.layout.elements)
            .map_err(fail)?;
        if let Some(entries) = entries {
            total.add(unfolding.elements(&entries.layout.elements).map_err(fail)?);
        }
        let entry_keys = entries.into_iter().flat_map(|b| &b.sort);
        for key in style.citation.sort.iter().chain(entry_keys) {
            if let SortBy::Macro(index) = key.by {
                total.add(unfolding.called(index).map_err(fail)?);
            }
        }
        total.check().map_err(fail)
    }
}

/// The size of elements with macro calls expanded.
#[derive(Clone, Copy, Default)]
struct Unfolded {
    /// The maximum number of elements and conditions evaluated.
    size: u64,
    /// The maximum nesting depth.
    depth: usize,
}

impl Unfolded {
    fn add(&mut self, other: Unfolded) {
        self.size = self.size.saturating_add(other.size);
        self.depth = self.depth.max(other.depth);
    }

    /// Only one of two branches is taken.
    fn or(&mut self, other: Unfolded) {
        self.size = self.size.max(other.size);
        self.depth = self.depth.max(other.depth);
    }

    fn check(self) -> Result<(), StyleFault> {
        if self.size > MAX_UNFOLDED {
            Err(StyleFault::Bomb(MAX_UNFOLDED))
        } else if self.depth > MAX_UNFOLDED_DEPTH {
            Err(StyleFault::TooDeep(MAX_UNFOLDED_DEPTH))
        } else {
            Ok(())
        }
    }
}

/// Expands each macro once.
struct Unfolding<'s> {
    style: &'s Style,
    known: Vec<Option<Unfolded>>,
    /// Macros being expanded.
    open: Vec<usize>,
    /// The current depth of the expansion.
    level: usize,
}

impl<'s> Unfolding<'s> {
    fn new(style: &'s Style) -> Unfolding<'s> {
        Unfolding {
            style,
            known: vec![None; style.macros.len()],
            open: Vec::new(),
            level: 0,
        }
    }

    fn called(&mut self, index: usize) -> Result<Unfolded, StyleFault> {
        if let Some(Some(known)) = self.known.get(index) {
            return Ok(*known);
        }
        let Some(called) = self.style.macros.get(index) else {
            return Ok(Unfolded::default());
        };
        if self.open.contains(&index) {
            return Err(StyleFault::Recursion(called.name.to_string()));
        }
        self.open.push(index);
        let unfolded = self.elements(&called.elements)?;
        self.open.pop();
        unfolded.check()?;
        if let Some(slot) = self.known.get_mut(index) {
            *slot = Some(unfolded);
        }
        Ok(unfolded)
    }

    fn elements(&mut self, elements: &[Element]) -> Result<Unfolded, StyleFault> {
        let mut total = Unfolded::default();
        if self.level >= MAX_UNFOLDED_DEPTH && !elements.is_empty() {
            return Err(StyleFault::TooDeep(MAX_UNFOLDED_DEPTH));
        }
        self.level += 1;
        for element in elements {
            let mut unfolded = match element {
                Element::Text(Text {
                    source: TextSource::Macro(index),
                    ..
                }) => self.called(*index)?,
                Element::Group(group) => self.elements(&group.elements)?,
                Element::Names(names) => {
                    self.elements(names.substitute.as_deref().unwrap_or_default())?
                }
                Element::Choose(choose) => {
                    let mut taken = Unfolded::default();
                    for branch in &choose.branches {
                        taken.or(self.elements(&branch.elements)?);
                    }
                    taken.size = taken.size.saturating_add(choose.branches.len() as u64);
                    taken
                }
                _ => Unfolded::default(),
            };
            unfolded.size = unfolded.size.saturating_add(1);
            unfolded.depth += 1;
            total.add(unfolded);
        }
        self.level -= 1;
        Ok(total)
    }
}
