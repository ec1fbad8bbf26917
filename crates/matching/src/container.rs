//! Compares the container in a text with the record's: in full or abbreviated on either side, as an
//! acronym, or with an additional word that makes it a different journal.

use std::ops::Range;

use super::evidence::Evidence;
use super::normalize::{Token, TokenShape, squeeze, tokens};
use super::reference::{Reference, Role};
use super::similar;
use super::words;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// The variables that can hold the container of a work.
const CONTAINERS: [TextVar; 4] = [
    TextVar::ContainerTitle,
    TextVar::ContainerTitleShort,
    TextVar::CollectionTitle,
    TextVar::EventTitle,
];

/// The container names of a record, in a fixed order.
pub fn names(item: &Item) -> Vec<&str> {
    CONTAINERS
        .into_iter()
        .filter_map(|v| item.text(v))
        .collect()
}

/// Whether words beside the container make it a different journal: `Nature Methods` for `Nature`.
/// Other containers have too many variant names to decide.
pub fn is_another(reference: &Reference, item: &Item, e: &Evidence) -> bool {
    let core = e.container.core(&reference.tokens);
    let (Some(place), Some(span)) = (e.container_place.clone(), core) else {
        return false;
    };
    if e.damage > 0.0 || is_acronym(item, e) {
        return false;
    }
    let written = squeeze(reference.slice(place.clone()));
    if names(item).into_iter().any(|name| squeeze(name) == written) {
        return false;
    }
    let found: Vec<usize> = e.container.tokens().collect();
    let says = |at: usize| {
        let strange = !found.contains(&at);
        strange && reference.token(at).is_some_and(is_telling)
    };
    // Places, dates and publishers stand around the names of conferences and books, not in them.
    if !item.kind.is_in_periodical() {
        return span.clone().any(says);
    }
    let behind = span.end..place.end;
    let describes = reference.token(span.end).is_some_and(leads_description);
    let another = (place.start..span.end).any(says) || (!describes && behind.clone().any(says));
    another && !spells_out(reference, span, behind)
}

/// Whether the words behind a container spell out its letters:
/// `JAMA: Journal of the American Medical Association`.
fn spells_out(reference: &Reference, span: Range<usize>, behind: Range<usize>) -> bool {
    let words = behind.filter_map(|at| reference.token(at));
    let initials: String = words
        .filter(|token| is_content(token))
        .filter_map(|token| token.text.chars().next())
        .collect();
    squeeze(reference.slice(span)) == initials
}

/// Whether the container matched as the initials of its words.
fn is_acronym(item: &Item, e: &Evidence) -> bool {
    let name = e.container_index.and_then(|n| names(item).get(n).copied());
    let words = tokens(name.unwrap_or_default()).len();
    e.container.places.len() < words
}

/// Whether a word beside a container is part of a name.
fn is_telling(token: &Token) -> bool {
    const TELLING: f64 = 0.5;
    if words::label(&token.text).is_some() {
        return false;
    }
    let form = matches!(
        token.text.as_str(),
        "proceedings" | "proc" | "annual" | "conference" | "journal" | "magazine" | "newspaper"
    );
    let silent = words::is_function_word(&token.text) || words::is_furniture(&token.text);
    token.is_word() && !form && !silent && token.weight >= TELLING
}

/// Whether the words from here only describe the container further: `of the United States`,
/// `Part A`, `B Condensed Matter`.
fn leads_description(token: &Token) -> bool {
    let part = matches!(
        token.text.as_str(),
        "part" | "section" | "sect" | "sec" | "series" | "ser"
    );
    part || token.shape == TokenShape::Letter || words::is_function_word(&token.text)
}

/// The place in the text of a container that the record abbreviates, or that the text abbreviates
/// differently: `Teratology` for `Teratol`. `None` unless a whole name matches.
pub fn written_otherwise(reference: &Reference, item: &Item, e: &Evidence) -> Option<Range<usize>> {
    let taken: Vec<usize> = e.title.tokens().collect();
    let open = |at: usize| {
        let role = reference.role(at);
        !taken.contains(&at) && matches!(role, Role::Open | Role::Furniture | Role::Name)
    };
    names(item).into_iter().find_map(|name| {
        let name: Vec<Token> = tokens(name).into_iter().filter(is_content).collect();
        (0..reference.tokens.len())
            .filter(|at| open(*at))
            .find_map(|at| Some(at..row_end(reference, &name, at, &open)?))
    })
}

fn is_content(token: &Token) -> bool {
    !words::is_function_word(&token.text)
}

/// The end of the name that starts here, with each word abbreviated or in full; function words may
/// come between.
fn row_end(
    reference: &Reference,
    name: &[Token],
    start: usize,
    open: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let mut at = start;
    for (n, word) in name.iter().enumerate() {
        while n > 0 && reference.token(at).is_some_and(|token| !is_content(token)) {
            at += 1;
        }
        let token = reference.token(at).filter(|_| open(at))?;
        let parted = n > 0 && reference.gap(at).contains([',', ';', '(', '“', '"']);
        if parted || !is_one_word(&token.text, &word.text, name.len()) {
            return None;
        }
        at += 1;
    }
    (at > start).then_some(at)
}

/// Whether one of two words abbreviates the other. A short word alone could abbreviate anything.
fn is_one_word(a: &str, b: &str, words: usize) -> bool {
    const SURE: f64 = 0.8;
    const MIN_LENGTH: usize = 4;
    let similarity = similar::abbreviation_similarity(a, b);
    let similarity = similarity.max(similar::abbreviation_similarity(b, a));
    let long_enough = words > 1 || a.len().min(b.len()) >= MIN_LENGTH;
    similarity >= SURE && long_enough
}

/// Whether a word of the text consists of parts of a container's words, in order: `ApJ`, `NeurIPS`,
/// `NAACL`.
pub fn has_acronym(reference: &Reference, item: &Item, e: &Evidence) -> bool {
    let taken: Vec<usize> = e.title.tokens().collect();
    let names: Vec<Vec<Token>> = names(item)
        .into_iter()
        .map(|name| tokens(name).into_iter().filter(is_content).collect())
        .collect();
    (0..reference.tokens.len())
        .filter(|at| !taken.contains(at) && reference.role(*at) == Role::Open)
        .filter_map(|at| reference.token(at))
        .filter_map(|token| reference.text.get(token.span.clone()))
        .map(pieces)
        .any(|pieces| names.iter().any(|name| is_made_of(&pieces, name)))
}

/// Splits a word at its capitals, in lower case.
fn pieces(word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for c in word.chars() {
        if c.is_uppercase() || found.is_empty() {
            found.push(String::new());
        }
        if let Some(last) = found.last_mut() {
            last.extend(c.to_lowercase());
        }
    }
    found
}

/// Whether the pieces abbreviate words of the name, in order. Two pieces must cover all of it.
fn is_made_of(pieces: &[String], name: &[Token]) -> bool {
    const ENOUGH: usize = 3;
    let mut rest = name.iter();
    let in_order = pieces
        .iter()
        .all(|piece| rest.any(|word| similar::is_within(piece, &word.text)));
    let whole = pieces.len() == name.len() && pieces.len() > 1;
    in_order && (whole || pieces.len() >= ENOUGH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item_type::ItemType;

    fn item(container: &str) -> Item {
        let mut item = Item::new("a", ItemType::Article);
        item.set_text(TextVar::ContainerTitle, container);
        item
    }

    #[test]
    fn either_side_may_abbreviate() {
        let check = |text: &str, container: &str, expected: Option<&str>| {
            let reference = Reference::parse(text);
            let place = written_otherwise(&reference, &item(container), &Evidence::default());
            assert_eq!(
                place.map(|place| reference.slice(place)),
                expected,
                "{text:?}"
            );
        };
        check("Teratology 12:3", "Teratol", Some("Teratology"));
        check(
            "Imagined Tern Research, 4",
            "Imag Tern Res",
            Some("Imagined Tern Research"),
        );
        check("Imagined Research, 4", "Imag Tern Res", None);
    }

    #[test]
    fn acronyms_are_made_of_pieces() {
        let check = |text: &str, container: &str, expected: bool| {
            let reference = Reference::parse(text);
            let found = has_acronym(&reference, &item(container), &Evidence::default());
            assert_eq!(found, expected, "{text:?}");
        };
        check("ApJ 544, 3", "The Astrophysical Journal", true);
        check(
            "Proc. NeurIPS",
            "Advances in Neural Information Processing Systems",
            true,
        );
        check("ApJ 544, 3", "Astronomy and Physics Journal Letters", false);
        check(
            "ICML",
            "Advances in Neural Information Processing Systems",
            false,
        );
    }
}
