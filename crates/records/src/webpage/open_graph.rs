//! Open Graph and related tags of content management systems.

use citation_model::item_type::ItemType;
use citation_model::lists::{phrases, words};
use citation_model::name::Name;

use super::claims::Claims;
use super::metas::Metas;
use super::people;
use crate::{language, names};

/// Names of author tags, the more specific first.
pub(super) const AUTHORS: [&str; 21] = words(
    "byl parsely-author sailthru.author article:author og:article:author author dcsext.author \
     article.author article_author dc.author bt:author cxenseparse:author twitter:creator:name \
     og:author rbauthors authors articleauthor article:byline article.byline byline \
     dable:author",
);

/// The names of other tags that end with the word for an author: `example:post_author`, `example.author_name`.
pub(super) fn other_authors(metas: Metas<'_>) -> Vec<&str> {
    const MOST: usize = 8;
    let mut found: Vec<&str> = Vec::new();
    for (name, _) in &metas.0.metas {
        let bare = name.strip_suffix("name").unwrap_or(name);
        let bare = bare.trim_end_matches(is_joint);
        let is_author = ["author", "authors", "byline"].iter().any(|word| {
            let head = bare.strip_suffix(word);
            head.is_some_and(|head| head.ends_with(is_joint) && !head.contains("comment"))
        });
        let is_new = !AUTHORS.contains(&name.as_str()) && !found.contains(&name.as_str());
        if is_author && is_new && found.len() < MOST {
            found.push(name);
        }
    }
    found
}

fn is_joint(c: char) -> bool {
    matches!(c, ':' | '.' | '_' | '-')
}

pub(super) const PUBLISHED: [&str; 24] = words(
    "article:published_time og:article:published_time article:published parsely-pub-date \
     sailthru.date pubdate publishdate publish-date publish_date publication_date \
     datepublished date dcsext.articlefirstpublished og:published_time published_time \
     article.published article_date_original cxenseparse:recs:publishtime rnews:datepublished \
     bt:pubdate ptime pdate displaydate dc.date.published",
);

const MODIFIED: [&str; 6] = [
    "article:modified_time",
    "og:updated_time",
    "last-modified",
    "revised",
    "lastmod",
    "datemodified",
];

pub(super) fn read(metas: Metas<'_>) -> Claims {
    let site = metas.plain(&[
        "og:site_name",
        "application-name",
        "apple-mobile-web-app-title",
    ]);
    Claims {
        kind: metas.first(&["og:type"]).and_then(kind),
        title: metas.rich(&[
            "og:title",
            "twitter:title",
            "parsely-title",
            "sailthru.title",
        ]),
        date: metas.date(&PUBLISHED),
        modified: metas.date(&MODIFIED),
        isbn: metas.owned(&["books:isbn", "book:isbn"]),
        language: metas.first(&["og:locale"]).and_then(language::tag),
        url: metas.plain(&["og:url"]),
        site: site.filter(|site| !names::is_nobody(site)),
        ..Claims::default()
    }
}

fn kind(text: &str) -> Option<ItemType> {
    Some(match text {
        "book" | "books.book" => ItemType::Book,
        "video" | "video.other" | "video.movie" | "video.episode" => ItemType::MotionPicture,
        "song" | "album" | "music.song" | "music.album" => ItemType::Song,
        _ => return None,
    })
}

/// The account that posted, if it is a name: it is usually `@example`.
pub(super) fn creator(metas: Metas<'_>) -> Vec<Name> {
    let creator = metas.all(&["twitter:creator"]);
    let names = creator.filter(|name| name.contains(' ') && !name.contains(['@', '/']));
    names.flat_map(people::list).collect()
}

/// Labelled values of Twitter cards, as filled by the Yoast plug-in for WordPress: `twitter:label1`
/// «Written by», `twitter:data1` the name. This is the account that posted, so a byline is preferred.
pub(super) fn written_by(metas: Metas<'_>) -> Vec<Name> {
    const LABELS: [&str; 8] = phrases(
        "written by|by|author|verfasst von|écrit par|escrito por|scritto da|geschreven door",
    );
    let pairs = [
        ("twitter:label1", "twitter:data1"),
        ("twitter:label2", "twitter:data2"),
    ];
    let value = pairs.iter().find_map(|(label, value)| {
        let label = metas.first(&[label])?.to_lowercase();
        let is_known = LABELS.contains(&label.as_str());
        is_known.then(|| metas.first(&[value]))?
    });
    value.map(people::list).unwrap_or_default()
}
