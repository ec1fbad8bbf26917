//! Infers the type of a page's work if no vocabulary states it.

use citation_model::item_type::ItemType;
use citation_model::lists::{phrases, words};

use super::claims::Claims;
use super::metas::Metas;

/// Registrants of preprint servers' DOIs.
const PREPRINTS: [&str; 14] = [
    "10.1101", "10.2139", "10.20944", "10.21203", "10.22541", "10.26434", "10.31219", "10.31223",
    "10.31234", "10.31235", "10.32942", "10.36227", "10.48550", "10.64898",
];

/// Systems used almost only for blogs, as named in `<meta name="generator">`.
const BLOG_ENGINES: [&str; 8] =
    phrases("blogger|ghost|medium|movable type|typepad|tumblr|substack|livejournal");

/// Hosts of blogs, including their subdomains.
const BLOG_HOSTS: [&str; 14] = words(
    "blogspot wordpress.com medium.com substack.com tumblr.com typepad.com hypotheses.org \
     ghost.io livejournal.com bearblog.dev dev.to hatenablog.com write.as svbtle.com",
);

const VIDEO_HOSTS: [&str; 4] = ["youtube.com", "youtu.be", "vimeo.com", "ted.com"];

const SOFTWARE_HOSTS: [&str; 4] = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];

/// Whether a page is one of a wiki, which many people write.
pub(super) fn is_wiki(metas: Metas<'_>) -> bool {
    let generator = metas.first(&["generator"]).unwrap_or_default();
    generator.starts_with("MediaWiki")
}

/// The type of a page from its metadata, its address and its generator.
pub(super) fn of(claims: &Claims, metas: Metas<'_>, url: Option<&str>) -> ItemType {
    let registrant = claims.doi.as_deref().and_then(|doi| doi.split('/').next());
    let is_preprint = registrant.is_some_and(|registrant| PREPRINTS.contains(&registrant));
    // Cold Spring Harbor uses one registrant for its journals and its preprint servers.
    if is_preprint
        && claims.volume.is_none()
        && claims.kind.is_none_or(|kind| kind == ItemType::Article)
    {
        let is_journal = registrant == Some("10.1101") && claims.issue.is_some();
        if !is_journal && claims.issn.is_empty() {
            return ItemType::Preprint;
        }
    }
    let host = url
        .and_then(super::address::host)
        .unwrap_or_default()
        .to_lowercase();
    let is_on = |hosts: &[&str]| {
        hosts.iter().any(|known| {
            let below = host.strip_suffix(known);
            below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    };
    if let Some(kind) = claims.kind {
        return kind;
    }
    let in_journal = claims.container.is_some()
        && (claims.volume.is_some() || claims.doi.is_some() || !claims.issn.is_empty());
    if in_journal {
        return ItemType::Article;
    }
    if claims.arxiv.is_some() {
        return ItemType::Preprint;
    }
    if !claims.isbn.is_empty() {
        return ItemType::Book;
    }
    let path = url.unwrap_or_default();
    let parts = || path.split('/').skip(3).filter(|part| !part.is_empty());
    let is_post = claims.date.is_some() || !claims.authors.is_empty();
    let generator = metas
        .first(&["generator"])
        .unwrap_or_default()
        .to_lowercase();
    let is_blog = BLOG_ENGINES
        .iter()
        .any(|engine| generator.starts_with(engine))
        || is_on(&BLOG_HOSTS)
        || host.contains(".blogspot.")
        || host.starts_with("blog.")
        || host.starts_with("blogs.")
        || parts().any(|part| matches!(part, "blog" | "blogs" | "blog-post"));
    match () {
        () if is_on(&VIDEO_HOSTS) => ItemType::MotionPicture,
        () if is_on(&SOFTWARE_HOSTS) && parts().count() == 2 => ItemType::Software,
        () if is_blog && is_post => ItemType::BlogPost,
        () => ItemType::Webpage,
    }
}
