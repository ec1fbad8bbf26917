//! What classes and ids of elements mean: who wrote a page, when, and which parts of it are not the work.

/// Which part of a page an element stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// The work, or what cannot be told apart from it.
    #[default]
    Main,
    /// The list of the works that it cites.
    References,
    /// Navigation, comments, teasers of other works, the end of the page.
    Aside,
    /// Scripts and what only scripts show.
    Hidden,
}

/// What the classes and the id of an element say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub part: Part,
    pub author: bool,
    pub date: bool,
    /// The given name of a person, whose family name is marked too.
    pub given: bool,
    pub family: bool,
}

/// Words of references, at the start of a class or behind a hyphen.
const REFERENCES: [&str; 9] = [
    "references",
    "reference",
    "bibliography",
    "bibliographic",
    "ref-list",
    "reflist",
    "bib-",
    "citation-list",
    "footnotes",
];

/// Words of what stands beside the work.
const ASIDE: [&str; 22] = [
    "comment",
    "respond",
    "related",
    "recommend",
    "sidebar",
    "footer",
    "teaser",
    "newsletter",
    "breadcrumb",
    "menu",
    "navigation",
    "navbar",
    "trending",
    "popular",
    "latest",
    "promo",
    "read-more",
    "readmore",
    "more-stories",
    "recirc",
    "widget",
    "cookie",
];

/// Words that make a class of the work itself out of one of those: `comments-count` beside the byline
/// of `article-header has-sidebar`.
const MAIN: [&str; 12] = [
    "has-",
    "with-",
    "no-",
    "article",
    "content",
    "wrapper",
    "container",
    "page",
    "single",
    "body",
    "layout",
    "main",
];

const AUTHOR: [&str; 7] = [
    "byline",
    "author",
    "autor",
    "auteur",
    "verfasser",
    "writer",
    "contrib",
];

/// What stands about the author, or is another's.
const NOT_AUTHOR: [&str; 34] = [
    "bio",
    "box",
    "comment",
    "image",
    "img",
    "avatar",
    "photo",
    "follow",
    "social",
    "link-",
    "info",
    "notes",
    "list",
    "count",
    "description",
    "title",
    "authorit",
    "affil",
    "email",
    "contact",
    "role",
    "job",
    "icon",
    "twitter",
    "button",
    "picture",
    "logo",
    "tooltip",
    "instructions",
    "contribute",
    "contribution",
    "corresp",
    "index",
    "about",
];

const DATE: [&str; 17] = [
    "published",
    "pubdate",
    "pub-date",
    "entry-date",
    "post-date",
    "postdate",
    "article-date",
    "date-header",
    "datepublished",
    "publish-date",
    "publication-date",
    "dateline",
    "timestamp",
    "datetime",
    "posted-on",
    "postmetadata",
    "publicationdate",
];

const NOT_DATE: [&str; 9] = [
    "updat",
    "modif",
    "comment",
    "unpublish",
    "event",
    "access",
    "revis",
    "received",
    "accepted",
];

/// Reads the words of a class or of an id.
pub(super) fn read(words: &str) -> Marks {
    let mut marks = Marks::default();
    for word in words.split_ascii_whitespace().take(24) {
        let word = word.to_ascii_lowercase().replace('_', "-");
        let has = |list: &[&str]| list.iter().any(|part| word.contains(part));
        let begins = |list: &[&str]| {
            list.iter().any(|part| {
                let at = word.find(part);
                at.is_some_and(|at| at == 0 || word.as_bytes().get(at - 1) == Some(&b'-'))
            })
        };
        if marks.part == Part::Main {
            marks.part = match () {
                () if has(&MAIN) => Part::Main,
                () if begins(&REFERENCES) => Part::References,
                () if begins(&ASIDE) => Part::Aside,
                () => Part::Main,
            };
        }
        marks.author |= has(&AUTHOR) && !has(&NOT_AUTHOR);
        let is_date = word == "date" || word.ends_with("-date") || has(&DATE);
        marks.date |= is_date && !has(&NOT_DATE);
        match word.replace('-', "").as_str() {
            "givenname" | "givennames" | "firstname" | "forename" => marks.given = true,
            "surname" | "familyname" | "lastname" => marks.family = true,
            _ => {}
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(read("bib-reference u-margin").part, Part::References);
        assert_eq!(read("comments").part, Part::Aside);
        assert_eq!(read("article has-sidebar").part, Part::Main);
        assert_eq!(read("post-content").part, Part::Main);
    }
}
