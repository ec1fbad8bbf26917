//! Takes the markup of an item's text apart into runs, for formats that have no nested tags.

use super::write::plain;

/// The tags of an item's text and their names in documents.
const FACES: [(&str, &str, &str); 4] = [
    ("<b>", "</b>", "bold"),
    ("<i>", "</i>", "italic"),
    ("<sup>", "</sup>", "superscript"),
    ("<sub>", "</sub>", "subscript"),
];

/// The runs of a text, each with the same markup, with their faces: `bold italic`, empty for plain text.
pub fn runs(text: &str) -> Vec<(String, String)> {
    let mut runs = Vec::new();
    let mut on = [false; FACES.len()];
    let mut rest = text;
    let mut run = String::new();
    while !rest.is_empty() {
        let tag = FACES.iter().zip(0..).find_map(|((open, close, _), at)| {
            let opened = rest.strip_prefix(open).map(|behind| (at, true, behind));
            opened.or_else(|| rest.strip_prefix(close).map(|behind| (at, false, behind)))
        });
        match tag {
            Some((at, is_on, behind)) => {
                if !run.is_empty() {
                    runs.push((face(on), plain(&std::mem::take(&mut run))));
                }
                if let Some(face) = on.get_mut::<usize>(at) {
                    *face = is_on;
                }
                rest = behind;
            }
            None => {
                let next = rest.char_indices().skip(1).find(|(_, c)| *c == '<');
                let (text, behind) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
                run.push_str(text);
                rest = behind;
            }
        }
    }
    if !run.is_empty() {
        runs.push((face(on), plain(&run)));
    }
    runs
}

fn face(on: [bool; FACES.len()]) -> String {
    let words = FACES.iter().zip(on).filter(|(_, on)| *on);
    let words: Vec<&str> = words.map(|((.., word), _)| *word).collect();
    words.join(" ")
}
