//! The position of each cite of a document relative to earlier ones: first, subsequent, ibid, near-note
//! (specification, «Locators», `position`). Depends only on the citations.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::collections::HashMap;

use citation_model::cite::{Citation, Cite, Position};

/// The position of one cite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CitePosition {
    pub position: Position,
    pub near_note: bool,
    /// The note number of the item's first cite; 0 if there is none.
    pub first_note: u32,
}

struct Seen {
    first_note: u32,
    last_note: u32,
}

/// The positions of all cites of a document. `orders` holds, for each citation, the order of its cites
/// after sorting.
pub fn in_document(
    citations: &[Citation],
    orders: &[Vec<usize>],
    near_note_distance: u32,
) -> Vec<Vec<CitePosition>> {
    let mut seen: HashMap<&str, Seen> = HashMap::new();
    let mut previous = Previous::default();
    let mut all = Vec::with_capacity(citations.len());
    for (citation, order) in citations.iter().zip(orders) {
        let mut places = vec![CitePosition::default(); citation.cites.len()];
        if citation.resets_positions {
            seen.clear();
            previous = Previous::default();
        }
        let mut before: Option<&Cite> = None;
        for &at in order {
            let Some(cite) = citation.cites.get(at) else {
                continue;
            };
            let known = seen.get(cite.id.as_str());
            let mut place = CitePosition::default();
            if let Some(known) = known {
                place.first_note = known.first_note;
                place.near_note =
                    citation.note_number.saturating_sub(known.last_note) <= near_note_distance;
                let preceding = match before {
                    Some(cite) => Some(cite),
                    None => previous.only_cite(citation.note_number, &cite.id),
                };
                place.position = match preceding {
                    Some(preceding) if preceding.id == cite.id => repeated(preceding, cite),
                    _ => Position::Subsequent,
                };
            }
            apply_fixed(&mut place, cite);
            places[at] = place;
            before = Some(cite);
            let entry = seen.entry(cite.id.as_str()).or_insert(Seen {
                first_note: citation.note_number,
                last_note: citation.note_number,
            });
            entry.last_note = citation.note_number;
        }
        if !citation.cites.is_empty() {
            previous.push(citation);
        }
        all.push(places);
    }
    all
}

/// The positions of independent cites, as set by the caller.
pub fn alone(citation: &Citation) -> Vec<CitePosition> {
    citation
        .cites
        .iter()
        .map(|cite| {
            let mut place = CitePosition::default();
            apply_fixed(&mut place, cite);
            place
        })
        .collect()
}

fn apply_fixed(place: &mut CitePosition, cite: &Cite) {
    if let Some(position) = cite.position {
        place.position = position;
    }
    if let Some(near) = cite.near_note {
        place.near_note = near;
    }
    if let Some(note) = cite.first_reference_note_number {
        place.first_note = note;
    }
}

/// The preceding citations: those in the text, and those of the last note. The two are independent.
#[derive(Default)]
struct Previous<'c> {
    in_text: Option<&'c Citation>,
    /// The citations of the last note that has any, in order.
    in_note: Vec<&'c Citation>,
}

impl<'c> Previous<'c> {
    fn push(&mut self, citation: &'c Citation) {
        if citation.note_number == 0 {
            self.in_text = Some(citation);
            return;
        }
        let same_note = |before: &&Citation| before.note_number == citation.note_number;
        if !self.in_note.last().is_some_and(same_note) {
            self.in_note.clear();
        }
        self.in_note.push(citation);
    }

    /// The only cite of the preceding citation, if it cites the item. If that citation is in another
    /// note, the note must directly precede this one and cite no other item: after a note without
    /// citations readers look for the work in that note.
    fn only_cite(&self, note: u32, id: &str) -> Option<&'c Cite> {
        if note == 0 {
            return self.in_text.and_then(|citation| single_cite(citation, id));
        }
        let last = *self.in_note.last()?;
        if note.saturating_sub(last.note_number) > 1 {
            return None;
        }
        let of_one = |c: &&Citation| c.cites.iter().all(|cite| cite.id == id);
        let alone = last.note_number == note || self.in_note.iter().all(of_one);
        alone.then(|| single_cite(last, id)).flatten()
    }
}

/// The only cite of a citation, if it cites the item (specification, `position`, b).
fn single_cite<'c>(citation: &'c Citation, id: &str) -> Option<&'c Cite> {
    match citation.cites.as_slice() {
        [only] if only.id == id => Some(only),
        _ => None,
    }
}

/// The position of a cite directly after another of the same item.
fn repeated(before: &Cite, cite: &Cite) -> Position {
    match (&before.locator, &cite.locator) {
        (None, None) => Position::Ibid,
        (None, Some(_)) => Position::IbidWithLocator,
        (Some(_), None) => Position::Subsequent,
        (Some(a), Some(b)) if a == b => Position::Ibid,
        (Some(_), Some(_)) => Position::IbidWithLocator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::cite::Locator;

    fn citation(note: u32, cites: &[(&str, &str)]) -> Citation {
        Citation {
            note_number: note,
            cites: cites
                .iter()
                .map(|(id, page)| Cite {
                    id: (*id).into(),
                    locator: (!page.is_empty()).then(|| Locator {
                        label: "page".into(),
                        value: (*page).into(),
                    }),
                    ..Cite::default()
                })
                .collect(),
            ..Citation::default()
        }
    }

    #[test]
    fn cites_know_their_predecessors() {
        let citations = [
            citation(1, &[("a", "")]),
            citation(2, &[("a", "5")]),
            citation(3, &[("a", "5")]),
            citation(4, &[("b", ""), ("b", "")]),
            citation(5, &[("b", "")]),
            citation(9, &[("a", "")]),
            citation(11, &[("a", "")]),
            citation(12, &[("a", "")]),
        ];
        let orders: Vec<Vec<usize>> = citations
            .iter()
            .map(|c| (0..c.cites.len()).collect())
            .collect();
        let places = in_document(&citations, &orders, 5);
        let positions: Vec<Position> = places.iter().flatten().map(|p| p.position).collect();
        use Position::*;
        assert_eq!(
            positions,
            [
                First,
                IbidWithLocator,
                Ibid,
                First,
                Ibid,
                Subsequent,
                Subsequent,
                Subsequent,
                Ibid
            ]
        );
        assert!(!places[5][0].near_note);
        assert_eq!(places[5][0].first_note, 1);
    }

    #[test]
    fn positions_begin_anew_where_a_citation_says_so() {
        let again = Citation {
            resets_positions: true,
            ..citation(2, &[("a", "")])
        };
        let citations = [citation(1, &[("a", "")]), again, citation(3, &[("a", "")])];
        let places = in_document(&citations, &[vec![0], vec![0], vec![0]], 5);
        let positions: Vec<Position> = places.iter().flatten().map(|p| p.position).collect();
        assert_eq!(
            positions,
            [Position::First, Position::First, Position::Ibid]
        );
    }
}
