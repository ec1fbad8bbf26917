//! The meaning of classes and ids of elements: author, date, and parts of the page that are not the work.

use citation_model::lists::words;

use std::collections::HashMap;

/// The part of a page that contains an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// The work, or what cannot be distinguished from it.
    #[default]
    Main,
    /// Other works: cited ones, comments, teasers.
    Others,
    /// Navigation, sidebar, page footer.
    Aside,
    /// Scripts and content shown only by scripts.
    Hidden,
}

/// The meaning of the classes and the id of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub part: Part,
    pub author: bool,
    pub date: bool,
    /// The title of the work.
    pub title: bool,
    /// The line above the title, which some headings have inside: `Climate: The title`.
    pub kicker: bool,
    /// The work itself: `post`, `hentry`.
    pub is_work: bool,
    /// The given name of a person whose family name is also marked.
    pub given: bool,
    pub family: bool,
}

/// Words for other works, at the start of a class or after a hyphen.
const OTHERS: [&str; 24] = words(
    "references reference bibliography bibliographic ref-list reflist bib- citation-list \
     footnotes comment respond related recommend teaser appetizer newsletter trending popular \
     latest promo read-more readmore more-stories recirc",
);

/// Words for content next to the work.
const ASIDE: [&str; 7] = words("sidebar footer breadcrumb menu navigation navbar cookie");

/// Words before one of these that make it a part of the work: `article-with-sidebar`, `post-footer`.
const MAIN: [&str; 14] = words(
    "post entry has- with- no- article content wrapper container page single body layout main",
);

const AUTHOR: [&str; 13] = words(
    "byline author autor auteur verfasser writer contrib firma autore reporter journalist kirjoittaja skribent",
);

/// Words for content about the author, or of another person.
const NOT_AUTHOR: [&str; 34] = words(
    "bio box comment image img avatar photo follow social link- info notes list count \
     description title authorit affil email contact role job icon twitter button picture logo \
     tooltip instructions contribute contribution corresp index about",
);

const DATE: [&str; 19] = words(
    "published pubdate pub-date entry-date post-date postdate article-date date-header \
     datepublished publish-date publication-date dateline timestamp datetime posted-on \
     postmetadata publicationdate fecha tarih",
);

const NOT_DATE: [&str; 15] = words(
    "updat modif comment unpublish event access revis received accepted picker range filter \
     today current now",
);

const TITLE: [&str; 9] = words(
    "article-title articletitle entry-title post-title posttitle paper-title document-title headline \
     arttitle",
);

const NOT_TITLE: [&str; 12] =
    words("sub site blog comment list link series journal issue box -wrap container");

const KICKER: [&str; 13] = words(
    "kicker overline topline dachzeile roofline eyebrow spitzmarke antetitulo surtitre overtitle pretitle \
     headline-intro preline",
);

impl Marks {
    /// Combines the meanings of two words of one element.
    pub fn and(self, other: Marks) -> Marks {
        Marks {
            part: match self.part {
                Part::Main => other.part,
                part => part,
            },
            author: self.author || other.author,
            date: self.date || other.date,
            title: self.title || other.title,
            kicker: self.kicker || other.kicker,
            is_work: self.is_work || other.is_work,
            given: self.given || other.given,
            family: self.family || other.family,
        }
    }
}

/// Caches the meanings of class and id words.
#[derive(Debug, Default)]
pub(super) struct Words {
    known: HashMap<String, Marks>,
    word: String,
}

/// Maximum number of distinct words analysed; in pages with more, they have no meaning.
const WORDS: usize = 4_000;

/// Maximum number of words per attribute, and maximum length of a word.
const AT_ONCE: usize = 24;
const MAX_LENGTH: usize = 80;

impl Words {
    /// Reads a class or an id.
    pub fn read(&mut self, words: &str) -> Marks {
        let words = words.split_ascii_whitespace().take(AT_ONCE);
        let words = words.filter(|word| word.len() <= MAX_LENGTH);
        words.fold(Marks::default(), |marks, word| marks.and(self.of(word)))
    }

    fn of(&mut self, word: &str) -> Marks {
        // Numbers only distinguish the elements of a list.
        self.word.clear();
        for c in word.chars().filter(|c| !c.is_ascii_digit()) {
            self.word.push(if c == '_' {
                '-'
            } else {
                c.to_ascii_lowercase()
            });
        }
        match self.known.get(&self.word) {
            Some(known) => *known,
            None if self.known.len() >= WORDS => Marks::default(),
            None => {
                let marks = of_word(&self.word);
                self.known.insert(self.word.clone(), marks);
                marks
            }
        }
    }
}

/// Analyses one lower-case word.
fn of_word(word: &str) -> Marks {
    let has = |list: &[&str]| list.iter().any(|part| word.contains(part));
    let begins = |list: &[&str]| list.iter().any(|part| word.starts_with(part));
    let goes_on = |list: &[&str]| {
        let behind = |part: &str| {
            word.match_indices(part).any(|(at, _)| {
                let head = word.get(..at);
                // A single reference is a pointer, not a list: `sticky-reference`, `field-type-entity-reference`.
                let is_one = part == "reference" && word.get(at..) == Some(part);
                !is_one && head.is_some_and(|head| head.ends_with('-'))
            })
        };
        !has(&MAIN) && list.iter().any(|part| behind(part))
    };
    let part = match () {
        () if begins(&OTHERS) || goes_on(&OTHERS) => Part::Others,
        () if begins(&ASIDE) || goes_on(&ASIDE) => Part::Aside,
        () => Part::Main,
    };
    let is_date =
        word == "date" || word.ends_with("-date") || word.starts_with("date-") || has(&DATE);
    let bare = word.replace('-', "");
    let is_title = word == "title" || word == "headline" || has(&TITLE);
    Marks {
        part,
        author: has(&AUTHOR) && !has(&NOT_AUTHOR),
        date: is_date && !has(&NOT_DATE),
        title: is_title && !has(&NOT_TITLE),
        kicker: has(&KICKER),
        is_work: matches!(word, "post" | "hentry" | "type-post" | "site-main"),
        given: matches!(
            bare.as_str(),
            "givenname" | "givennames" | "firstname" | "forename"
        ),
        family: matches!(bare.as_str(), "surname" | "familyname" | "lastname"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Marks {
        Words::default().read(words)
    }

    #[test]
    fn classes_mark_authors_and_dates() {
        assert!(read("post__author").author);
        assert!(read("article-byline").author);
        assert!(!read("author-bio").author);
        assert!(!read("comment-author").author);
        assert!(read("content__meta__date").date);
        assert!(read("entry-date published").date);
        assert!(!read("date-modified").date);
        assert!(read("given-name").given);
        assert!(read("text surname").family);
    }

    #[test]
    fn classes_mark_parts() {
        assert_eq!(read("bib-reference u-margin").part, Part::Others);
        assert_eq!(read("list-references").part, Part::Others);
        assert_eq!(read("sticky-reference").part, Part::Main);
        assert_eq!(
            read("field--type-entity-reference field--name-author").part,
            Part::Main
        );
        assert_eq!(read("comments").part, Part::Others);
        assert_eq!(read("sidebar-left").part, Part::Aside);
        assert!(read("post hentry sidebar-on").is_work);
        assert_eq!(read("article has-sidebar").part, Part::Main);
        assert_eq!(read("post-content").part, Part::Main);
        assert_eq!(read("related-articles").part, Part::Others);
        // Blogger's container of posts.
        assert_eq!(read("widget Blog").part, Part::Main);
        assert_eq!(read("post-footer").part, Part::Main);
    }
}
