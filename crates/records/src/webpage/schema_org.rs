//! schema.org, from JSON-LD, microdata and RDFa.

use std::collections::{HashMap, HashSet};

use citation_model::item_type::ItemType;
use citation_model::name::Name;
use serde_json::{Map, Value};

use super::claims::Claims;
use super::title::fold;
use super::{dates, metas, people};
use crate::{clean, language, names};

/// Maximum nesting of objects.
const DEPTH: usize = 16;

/// Maximum number of objects.
const OBJECTS: usize = 2_000;

type Object = Map<String, Value>;

/// The metadata of the page's work: of several works the one that matches the page's titles and has most of
/// the facts of a citation. `titles` are from other tags, `headings` are the visible ones of the top level.
pub(super) fn read(objects: &[Value], titles: &[&str], headings: &[&str]) -> Claims {
    let graph = Graph::new(objects);
    let titles: Vec<String> = titles.iter().map(|title| fold(title)).collect();
    let headings: HashSet<String> = headings.iter().map(|heading| fold(heading)).collect();
    let mut best: Option<(usize, Claims)> = None;
    let is_known = |title: &str| {
        let title = fold(title);
        let mut known = titles.iter();
        title.len() > 8 && known.any(|known| known.contains(&title) || title.contains(known))
    };
    for object in &graph.objects {
        let Some((kind, weight)) = work_type(object) else {
            continue;
        };
        let mut claims = graph.claims(kind, object);
        let name = object.get("name").and_then(text);
        // Encyclopedias state a description as headline.
        let is_heading = |title: &str| headings.contains(&fold(title));
        let is_seen = claims.title.as_deref().is_some_and(is_heading);
        if !is_seen && name.as_deref().is_some_and(is_heading) {
            claims.title = name;
        }
        let is_titled = claims.title.as_deref().is_some_and(is_known);
        // The page's object may have the site's name.
        if weight == 0 && !is_titled && !titles.is_empty() {
            claims.title = None;
        }
        let says = [
            claims.title.is_some(),
            !claims.authors.is_empty(),
            claims.date.is_some(),
            is_titled,
            is_titled,
        ];
        let score = weight * 4 + says.into_iter().filter(|says| *says).count();
        // A later object of equal score would be a teaser.
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, claims));
        }
    }
    let claims = best.map(|(_, claims)| claims).unwrap_or_default();
    Claims {
        site: claims.site.clone().or_else(|| graph.site()),
        ..claims
    }
}

/// What the objects of a page state of it as a whole.
pub(super) struct Stated<'v> {
    /// The types of the objects, and those of their publishers.
    pub kinds: HashSet<&'v str>,
    /// Whether an object says who may read it, wholly or in parts.
    pub has_access: bool,
}

impl<'v> Stated<'v> {
    pub fn of(objects: &'v [Value]) -> Stated<'v> {
        let graph = Graph::new(objects);
        let mut stated = Stated {
            kinds: HashSet::new(),
            has_access: false,
        };
        for object in &graph.objects {
            let member = |name: &str| object.get(name).and_then(Value::as_object);
            let publisher = member("publisher").map(|object| graph.resolve(object));
            stated.kinds.extend(kinds(object));
            stated.kinds.extend(publisher.into_iter().flat_map(kinds));
            let whole = member("isPartOf");
            stated.has_access |= object.contains_key("isAccessibleForFree")
                || object.contains_key("hasPart")
                || whole.is_some_and(|whole| kinds(whole).any(|kind| kind == "Product"));
        }
        stated
    }

    /// Whether an object is a text.
    pub fn is_written(&self) -> bool {
        let is_text = |kind: &&str| kind.ends_with("Article") || *kind == "BlogPosting";
        self.kinds.iter().any(is_text)
    }
}

/// All objects of a page, and the targets of `@id`.
struct Graph<'v> {
    objects: Vec<&'v Object>,
    by_id: HashMap<&'v str, &'v Object>,
}

impl<'v> Graph<'v> {
    fn new(values: &'v [Value]) -> Graph<'v> {
        let mut graph = Graph {
            objects: Vec::new(),
            by_id: HashMap::new(),
        };
        for value in values {
            graph.collect(value, 0);
        }
        for object in &graph.objects {
            let id = object.get("@id").and_then(Value::as_str);
            if let Some(id) = id.filter(|_| object.len() > 1) {
                graph.by_id.entry(id).or_insert(object);
            }
        }
        graph
    }

    /// Collects all objects, including those in lists, graphs and members that contain the work.
    fn collect(&mut self, value: &'v Value, depth: usize) {
        if depth > DEPTH || self.objects.len() >= OBJECTS {
            return;
        }
        match value {
            Value::Array(list) => {
                list.iter().for_each(|value| self.collect(value, depth + 1));
            }
            Value::Object(object) => {
                self.objects.push(object);
                for member in [
                    "@graph",
                    "mainEntity",
                    "mainEntityOfPage",
                    "@reverse",
                    "blogPost",
                ] {
                    if let Some(inner @ (Value::Object(_) | Value::Array(_))) = object.get(member) {
                        self.collect(inner, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// The object that a value is or refers to.
    fn resolve(&self, object: &'v Object) -> &'v Object {
        let id = object.get("@id").and_then(Value::as_str);
        let named = object.contains_key("name") || object.contains_key("familyName");
        match id.filter(|_| !named).and_then(|id| self.by_id.get(id)) {
            Some(found) => found,
            None => object,
        }
    }

    fn site(&self) -> Option<String> {
        let is_site =
            |object: &&&Object| kinds(object).any(|kind| kind == "WebSite" || kind == "Blog");
        let site = self.objects.iter().find(is_site)?;
        text(site.get("name")?).filter(|name| name.len() <= 80)
    }

    fn claims(&self, kind: Option<ItemType>, object: &'v Object) -> Claims {
        let of = |names: &[&str]| names.iter().find_map(|name| text(object.get(*name)?));
        let people = |names: &[&str]| -> Vec<Name> {
            let lists = names.iter().filter_map(|name| object.get(*name));
            let lists = lists.map(|value| self.persons(value, 0));
            lists
                .into_iter()
                .find(|list| !list.is_empty())
                .unwrap_or_default()
        };
        let date = |names: &[&str]| {
            let texts = names.iter().filter_map(|name| text(object.get(*name)?));
            texts.into_iter().find_map(|text| dates::parse(&text))
        };
        let container = object
            .get("isPartOf")
            .map(|container| self.container(container, 0));
        let container = container.unwrap_or_default();
        let publisher = object
            .get("publisher")
            .or_else(|| object.get("sourceOrganization"));
        let publisher = publisher.and_then(|value| self.publisher(value));
        let is_news = publisher
            .as_ref()
            .is_some_and(|publisher| publisher.is_news);
        let registered = matches!(
            kind,
            Some(
                ItemType::Article
                    | ItemType::Dataset
                    | ItemType::Software
                    | ItemType::Thesis
                    | ItemType::Book
                    | ItemType::Chapter
                    | ItemType::Report
            )
        );
        let identifiers = ["identifier", "doi", "sameAs", "@id", "url"];
        let doi = || {
            identifiers
                .iter()
                .find_map(|name| doi_in(object.get(*name)?, 0))
        };
        let kind = kind.or(is_news.then_some(ItemType::NewspaperArticle));
        let authors = people(&["author", "creator"]);
        let authors = match kind {
            Some(ItemType::NewspaperArticle) => authors.into_iter().map(without_place).collect(),
            _ => authors,
        };
        Claims {
            kind,
            title: of(&["headline", "name"]).map(|title| clean::rich(&title)),
            authors,
            editors: people(&["editor"]),
            date: date(&["datePublished", "dateCreated", "uploadDate"]),
            modified: date(&["dateModified"]),
            container: container.journal,
            site: container.site,
            publisher: publisher.map(|publisher| publisher.name),
            doi: registered.then(doi).flatten(),
            isbn: of(&["isbn"]).into_iter().collect(),
            issn: container.issn.into_iter().collect(),
            volume: container.volume.or_else(|| of(&["volumeNumber"])),
            issue: container.issue.or_else(|| of(&["issueNumber"])),
            pages: of(&["pagination"])
                .or_else(|| metas::pages(of(&["pageStart"]), of(&["pageEnd"]))),
            language: of(&["inLanguage"]).as_deref().and_then(language::tag),
            ..Claims::default()
        }
    }

    fn publisher(&self, value: &'v Value) -> Option<Publisher> {
        let first = match value {
            Value::Array(list) => list.first()?,
            value => value,
        };
        let object = first.as_object().map(|object| self.resolve(object));
        let name = match object {
            Some(object) => text(object.get("name")?)?,
            None => text(first)?,
        };
        let mut kinds = object.into_iter().flat_map(kinds);
        let is_news = kinds.any(|kind| kind == "NewsMediaOrganization");
        (!name.contains("://")).then_some(Publisher { name, is_news })
    }

    fn persons(&self, value: &'v Value, depth: usize) -> Vec<Name> {
        match value {
            // A link to a profile on the site is not a name.
            Value::String(text) if text.starts_with('/') => Vec::new(),
            Value::String(text) => people::list(text),
            Value::Array(list) if depth < DEPTH => {
                let lists = list.iter().map(|value| self.persons(value, depth + 1));
                people::distinct(lists.flatten())
            }
            Value::Object(object) => match object.get("@list") {
                Some(list) if depth < DEPTH => self.persons(list, depth + 1),
                _ => self.person(self.resolve(object)),
            },
            _ => Vec::new(),
        }
    }

    fn person(&self, object: &'v Object) -> Vec<Name> {
        let part = |name: &str| object.get(name).and_then(text);
        let is_body = kinds(object).any(|kind| kind.contains("Organization"));
        let is_named = |name: &String| !name.contains("://");
        let names = object.get("name").map(texts).unwrap_or_default();
        match part("familyName") {
            Some(family) => {
                let given = part("givenName");
                vec![names::from_parts(Some(&family), given.as_deref(), None)]
            }
            None if is_body => names
                .iter()
                .filter(|name| is_named(name))
                .map(|name| names::literal(name))
                .collect(),
            None => names.iter().flat_map(|name| people::list(name)).collect(),
        }
    }

    /// The containers of an article: issue, volume, periodical, site.
    fn container(&self, value: &'v Value, depth: usize) -> Container {
        let mut container = Container::default();
        let objects = match value {
            Value::Array(list) => list.as_slice(),
            value => std::slice::from_ref(value),
        };
        for object in objects.iter().filter_map(Value::as_object) {
            let object = self.resolve(object);
            let of = |name: &str| object.get(name).and_then(text);
            for kind in kinds(object) {
                match kind {
                    "Periodical" | "Journal" | "Book" | "Newspaper" | "Magazine" => {
                        container.journal = container.journal.take().or(of("name"));
                        container.issn = container.issn.take().or(of("issn"));
                    }
                    "WebSite" | "Blog" => container.site = container.site.take().or(of("name")),
                    "PublicationVolume" => {
                        container.volume = container.volume.take().or(of("volumeNumber"));
                    }
                    "PublicationIssue" => {
                        container.issue = container.issue.take().or(of("issueNumber"))
                    }
                    _ => {}
                }
            }
            if let Some(outer) = object.get("isPartOf").filter(|_| depth < DEPTH) {
                let outer = self.container(outer, depth + 1);
                container.journal = container.journal.or(outer.journal);
                container.issn = container.issn.or(outer.issn);
                container.volume = container.volume.or(outer.volume);
                container.issue = container.issue.or(outer.issue);
                container.site = container.site.or(outer.site);
            }
        }
        container
    }
}

/// A journalist without the place of work: `Jane Roe, London`. Newspapers do not put family names first.
fn without_place(name: Name) -> Name {
    let family = name.family.as_deref().unwrap_or_default();
    let given = name.given.as_deref().unwrap_or_default();
    if family.contains(' ') && !given.is_empty() && !given.contains(' ') {
        names::from_text(family)
    } else {
        name
    }
}

struct Publisher {
    name: String,
    /// Whether it declares itself a news publisher.
    is_news: bool,
}

#[derive(Default)]
struct Container {
    journal: Option<String>,
    issn: Option<String>,
    volume: Option<String>,
    issue: Option<String>,
    site: Option<String>,
}

fn kinds(object: &Object) -> impl Iterator<Item = &str> {
    let kinds = match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    let kinds = kinds.iter().filter_map(Value::as_str);
    kinds.map(|kind| kind.rsplit(['/', ':', '#']).next().unwrap_or(kind))
}

/// Types of works, their CSL types, and how likely the page is about them: 2 for specific article types, 1
/// for works in general, 0 for the page.
const WORKS: [(&str, Option<ItemType>, usize); 48] = [
    ("ScholarlyArticle", Some(ItemType::Article), 2),
    ("MedicalScholarlyArticle", Some(ItemType::Article), 2),
    ("NewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("ReportageNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("OpinionNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("AnalysisNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("BackgroundNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("ReviewNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("AskPublicNewsArticle", Some(ItemType::NewspaperArticle), 2),
    ("LiveBlogPosting", Some(ItemType::NewspaperArticle), 2),
    ("BlogPosting", Some(ItemType::BlogPost), 2),
    ("SocialMediaPosting", Some(ItemType::Post), 2),
    ("DiscussionForumPosting", Some(ItemType::Post), 2),
    ("Dataset", Some(ItemType::Dataset), 2),
    ("Book", Some(ItemType::Book), 2),
    ("Chapter", Some(ItemType::Chapter), 2),
    ("Thesis", Some(ItemType::Thesis), 2),
    ("Report", Some(ItemType::Report), 2),
    ("SoftwareSourceCode", Some(ItemType::Software), 2),
    ("SoftwareApplication", Some(ItemType::Software), 2),
    ("WebApplication", Some(ItemType::Software), 2),
    ("PodcastEpisode", Some(ItemType::Broadcast), 2),
    ("RadioEpisode", Some(ItemType::Broadcast), 2),
    ("Legislation", Some(ItemType::Legislation), 2),
    ("Map", Some(ItemType::Map), 2),
    ("Article", None, 2),
    ("TechArticle", None, 2),
    ("AdvertiserContentArticle", None, 2),
    ("SatiricalArticle", None, 2),
    ("VideoObject", Some(ItemType::MotionPicture), 1),
    ("Movie", Some(ItemType::MotionPicture), 1),
    ("TVEpisode", Some(ItemType::MotionPicture), 1),
    ("MusicRecording", Some(ItemType::Song), 1),
    ("MusicAlbum", Some(ItemType::Song), 1),
    ("PodcastSeries", Some(ItemType::Broadcast), 1),
    ("VisualArtwork", Some(ItemType::Graphic), 1),
    ("Recipe", None, 1),
    ("HowTo", None, 1),
    ("ClaimReview", None, 1),
    ("DigitalDocument", None, 1),
    ("CreativeWork", None, 1),
    ("Review", None, 0),
    ("WebPage", None, 0),
    ("AboutPage", None, 0),
    ("ItemPage", None, 0),
    ("MedicalWebPage", None, 0),
    ("FAQPage", None, 0),
    ("QAPage", None, 0),
];

fn work_type(object: &Object) -> Option<(Option<ItemType>, usize)> {
    // The questions of a list of them have no author.
    let is_post = |kind: &str| kind == "Question" && object.contains_key("author");
    if kinds(object).any(is_post) {
        return Some((Some(ItemType::Post), 1));
    }
    kinds(object).find_map(|kind| {
        let found = WORKS
            .iter()
            .find(|(name, _, _)| name.eq_ignore_ascii_case(kind));
        found.map(|(_, kind, weight)| (*kind, *weight))
    })
}

/// A value as one text: a string, its `@value` or `name`, or the first of a list.
fn text(value: &Value) -> Option<String> {
    texts(value).into_iter().next()
}

/// A value as texts.
fn texts(value: &Value) -> Vec<String> {
    let single = |value: &Value| match value {
        Value::String(text) => Some(clean::plain(text)).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let of_object = |object: &Object| {
        let value = object.get("@value").or_else(|| object.get("name"))?;
        match value {
            Value::Array(list) => list.iter().find_map(single),
            value => single(value),
        }
    };
    match value {
        Value::Array(list) => (list.iter())
            .filter_map(|value| single(value).or_else(|| of_object(value.as_object()?)))
            .collect(),
        Value::Object(object) => of_object(object).into_iter().collect(),
        value => single(value).into_iter().collect(),
    }
}

fn doi_in(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(text) => metas::doi(text),
        Value::Array(list) if depth < DEPTH => {
            list.iter().find_map(|value| doi_in(value, depth + 1))
        }
        Value::Object(object) if depth < DEPTH => ["value", "@id", "url", "@value"]
            .iter()
            .find_map(|name| doi_in(object.get(*name)?, depth + 1)),
        _ => None,
    }
}
