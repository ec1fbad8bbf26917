//! Index queries for the works that a reference may mean. Each query finds works that the others miss; the
//! index decides how many words it uses.

use super::reference::{Reference, Role};

/// The queries for one reference: words and numbers as spelt in the text, separated by spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Every word and number, without identifiers and list number. Finds the work unless most of the rare
    /// words are not its own, as with many authors of whom the record has only the first.
    pub words: String,
    /// The first author and the title, if it can be determined. Finds the work if the other authors' names
    /// or a long container would dominate.
    pub title: String,
    /// Finds the work if no word is rare.
    pub place: Option<PublicationQuery>,
}

/// The place of publication. Each part may be common, but few works share first author and first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicationQuery {
    pub first_author: String,
    pub first_page: String,
    /// Volume and year. A work that also matches these ranks higher.
    pub beside: String,
}

impl Questions {
    pub fn of(reference: &Reference) -> Questions {
        let searched = |at: &usize| !matches!(reference.role(*at), Role::Identifier | Role::Marker);
        let first_author = reference.names.first().map(|name| name.heading());
        let mut title = first_author.clone().unwrap_or_default();
        for at in reference.title_tokens.clone().filter(searched) {
            title.push(' ');
            push_word(reference, at, &mut title);
        }
        let mut words = String::with_capacity(reference.text.len());
        for at in (0..reference.tokens.len()).filter(searched) {
            push_word(reference, at, &mut words);
            words.push(' ');
        }
        Questions {
            words,
            title,
            place: first_author.and_then(|author| PublicationQuery::of(reference, author)),
        }
    }
}

impl PublicationQuery {
    fn of(reference: &Reference, first_author: String) -> Option<PublicationQuery> {
        let first_page = reference.with_role(Role::FirstPage).next()?.text.clone();
        let year = reference.year().map(|year| year.to_string());
        let beside: Vec<String> = reference.volume.clone().into_iter().chain(year).collect();
        Some(PublicationQuery {
            first_author,
            first_page,
            beside: beside.join(" "),
        })
    }
}

/// Adds a token in its original spelling: split if joined to another, joined if broken at a line end.
fn push_word(reference: &Reference, at: usize, text: &mut String) {
    let span = reference.token(at).map(|token| token.span.clone());
    let raw = span.and_then(|span| reference.text.get(span));
    text.extend(
        raw.unwrap_or_default()
            .chars()
            .filter(|c| c.is_alphanumeric()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &str, title: &str, place: Option<[&str; 3]>) {
        let questions = Questions::of(&Reference::parse(text));
        assert_eq!(questions.words.trim(), words, "{text:?}");
        assert_eq!(questions.title, title, "{text:?}");
        let found = questions.place.as_ref();
        let found = found.map(|p| [&p.first_author, &p.first_page, &p.beside].map(String::as_str));
        assert_eq!(found, place, "{text:?}");
    }

    #[test]
    fn an_index_is_asked_for_whole_words() {
        check(
            "[4]1Proceedings of coher-\nence, doi:10.1000/xyz",
            "1 Proceedings of coherence doi",
            " 1 Proceedings of coherence doi",
            None,
        );
    }

    #[test]
    fn title_and_place_are_asked_for_by_themselves() {
        check(
            "Doe, J., & Roe, R. (2018). A title of it. Ring World, 12(3), 45–67.",
            "Doe J Roe R 2018 A title of it Ring World 12 3 45 67",
            "Doe A title of it",
            Some(["Doe", "45", "12 2018"]),
        );
    }

    #[test]
    fn an_empty_text_asks_for_nothing() {
        assert_eq!(Questions::of(&Reference::parse("")), Questions::default());
    }
}
