//! schema.org, from JSON-LD and microdata.

use citation_model::item_type::ItemType;
use citation_model::name::Name;
use serde_json::{Map, Value};

use super::claims::Claims;
use super::{dates, people, tags};
use crate::{clean, language, names};

/// The deepest object that is looked at.
const DEPTH: usize = 16;

/// What the objects of a page say of its work: of several works the one that says most of what a citation needs.
pub(super) fn read(objects: &[Value]) -> Claims {
    let mut found = Vec::new();
    for object in objects {
        collect(object, 0, &mut found);
    }
    let site = found
        .iter()
        .find(|object| kinds(object).any(|kind| kind == "WebSite"));
    let site = site.and_then(|object| text(object.get("name")?));
    let works = found
        .iter()
        .filter_map(|object| Some((work_type(object)?, *object)));
    // The last of equal ones would be a teaser.
    let mut best: Option<(usize, Claims)> = None;
    for ((kind, weight), object) in works {
        let claims = claims(kind, object);
        let says = [
            claims.title.is_some(),
            !claims.authors.is_empty(),
            claims.date.is_some(),
        ];
        let score = weight * 4 + says.into_iter().filter(|says| *says).count();
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, claims));
        }
    }
    let claims = best.map(|(_, claims)| claims).unwrap_or_default();
    Claims {
        site: claims.site.clone().or(site),
        ..claims
    }
}

/// All objects, those in lists, graphs and under `mainEntity` too.
fn collect<'v>(value: &'v Value, depth: usize, found: &mut Vec<&'v Map<String, Value>>) {
    if depth > DEPTH {
        return;
    }
    match value {
        Value::Array(list) => list
            .iter()
            .for_each(|value| collect(value, depth + 1, found)),
        Value::Object(object) => {
            found.push(object);
            for member in [
                "@graph",
                "mainEntity",
                "mainEntityOfPage",
                "@reverse",
                "itemListElement",
                "item",
            ] {
                if let Some(inner @ (Value::Object(_) | Value::Array(_))) = object.get(member) {
                    collect(inner, depth + 1, found);
                }
            }
        }
        _ => {}
    }
}

fn kinds(object: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let kinds = match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    kinds
        .iter()
        .filter_map(Value::as_str)
        .map(|kind| kind.rsplit(['/', ':', '#']).next().unwrap_or(kind))
}

/// The type of a work and how sure it is that the page is about it: 2 for what is an article of its
/// own kind, 1 for works in general, 0 for the page.
fn work_type(object: &Map<String, Value>) -> Option<(Option<ItemType>, usize)> {
    kinds(object).find_map(|kind| {
        Some(match kind {
            "ScholarlyArticle" | "MedicalScholarlyArticle" => (Some(ItemType::Article), 2),
            "NewsArticle"
            | "ReportageNewsArticle"
            | "OpinionNewsArticle"
            | "AnalysisNewsArticle"
            | "BackgroundNewsArticle"
            | "ReviewNewsArticle"
            | "LiveBlogPosting" => (Some(ItemType::NewspaperArticle), 2),
            "BlogPosting" => (Some(ItemType::BlogPost), 2),
            "SocialMediaPosting" | "DiscussionForumPosting" => (Some(ItemType::Post), 2),
            "Dataset" => (Some(ItemType::Dataset), 2),
            "Book" => (Some(ItemType::Book), 2),
            "Chapter" => (Some(ItemType::Chapter), 2),
            "Thesis" => (Some(ItemType::Thesis), 2),
            "Report" => (Some(ItemType::Report), 2),
            "SoftwareSourceCode" | "SoftwareApplication" | "WebApplication" => {
                (Some(ItemType::Software), 2)
            }
            "VideoObject" | "Movie" | "TVEpisode" => (Some(ItemType::MotionPicture), 1),
            "PodcastEpisode" | "RadioEpisode" => (Some(ItemType::Broadcast), 2),
            "Legislation" => (Some(ItemType::Legislation), 2),
            "Article" | "TechArticle" | "AdvertiserContentArticle" => (None, 2),
            "Review" => (None, 0),
            "CreativeWork" => (None, 1),
            "WebPage" | "AboutPage" | "ItemPage" => (None, 0),
            _ => return None,
        })
    })
}

fn claims(kind: Option<ItemType>, object: &Map<String, Value>) -> Claims {
    let of = |names: &[&str]| names.iter().find_map(|name| text(object.get(*name)?));
    let people = |names: &[&str]| -> Vec<Name> {
        let value = names.iter().find_map(|name| object.get(*name));
        value.map(|value| persons(value, 0)).unwrap_or_default()
    };
    let part_of = object
        .get("isPartOf")
        .map(|whole| whole_parts(whole, 0))
        .unwrap_or_default();
    let publisher = object
        .get("publisher")
        .or_else(|| object.get("sourceOrganization"));
    let identifiers = ["identifier", "doi", "sameAs", "@id", "url"];
    let registered = matches!(
        kind,
        Some(
            ItemType::Article
                | ItemType::Dataset
                | ItemType::Software
                | ItemType::Thesis
                | ItemType::Book
                | ItemType::Chapter
        )
    );
    let doi = || {
        identifiers
            .iter()
            .find_map(|name| doi_in(object.get(*name)?, 0))
    };
    Claims {
        kind,
        title: of(&["headline", "name"]).map(|title| clean::rich(&title)),
        authors: people(&["author", "creator"]),
        editors: people(&["editor"]),
        date: ["datePublished", "dateCreated", "uploadDate"]
            .iter()
            .find_map(|name| dates::parse(&text(object.get(*name)?)?)),
        container: part_of.journal,
        publisher: publisher
            .and_then(text_or_name)
            .map(|name| clean::plain(&name)),
        doi: registered.then(doi).flatten(),
        isbn: of(&["isbn"]).into_iter().collect(),
        issn: part_of.issn.into_iter().collect(),
        volume: part_of.volume.or_else(|| of(&["volumeNumber"])),
        issue: part_of.issue.or_else(|| of(&["issueNumber"])),
        pages: of(&["pagination"]).or_else(|| {
            let first = of(&["pageStart"])?;
            Some(of(&["pageEnd"]).map_or(first.clone(), |last| format!("{first}-{last}")))
        }),
        language: of(&["inLanguage"]).as_deref().and_then(language::tag),
        ..Claims::default()
    }
}

#[derive(Default)]
struct Whole {
    journal: Option<String>,
    issn: Option<String>,
    volume: Option<String>,
    issue: Option<String>,
}

/// What an article is part of: an issue of a volume of a periodical.
fn whole_parts(value: &Value, depth: usize) -> Whole {
    let mut whole = Whole::default();
    let objects = match value {
        Value::Array(list) => list.as_slice(),
        value => std::slice::from_ref(value),
    };
    for object in objects.iter().filter_map(Value::as_object) {
        let of = |name: &str| object.get(name).and_then(text);
        for kind in kinds(object) {
            match kind {
                "Periodical" | "Journal" | "Book" | "Newspaper" => {
                    whole.journal = whole.journal.take().or(of("name"));
                    whole.issn = whole.issn.take().or(of("issn"));
                }
                "PublicationVolume" => whole.volume = whole.volume.take().or(of("volumeNumber")),
                "PublicationIssue" => whole.issue = whole.issue.take().or(of("issueNumber")),
                _ => {}
            }
        }
        if let Some(outer) = object.get("isPartOf").filter(|_| depth < DEPTH) {
            let outer = whole_parts(outer, depth + 1);
            whole.journal = whole.journal.or(outer.journal);
            whole.issn = whole.issn.or(outer.issn);
            whole.volume = whole.volume.or(outer.volume);
            whole.issue = whole.issue.or(outer.issue);
        }
    }
    whole
}

/// A value as one text: itself, its `@value` or `name`, the first of a list.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => clean::plain(text),
        Value::Number(number) => number.to_string(),
        Value::Array(list) => return list.iter().find_map(text),
        Value::Object(object) => {
            return object
                .get("@value")
                .or_else(|| object.get("name"))
                .and_then(plain_text);
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(clean::plain(text)).filter(|text| !text.is_empty()),
        Value::Array(list) => list.iter().find_map(Value::as_str).map(clean::plain),
        _ => None,
    }
}

fn text_or_name(value: &Value) -> Option<String> {
    text(value).filter(|text| !text.contains("://"))
}

fn persons(value: &Value, depth: usize) -> Vec<Name> {
    match value {
        Value::String(text) => people::list(text),
        Value::Array(list) if depth < DEPTH => list
            .iter()
            .flat_map(|value| persons(value, depth + 1))
            .collect(),
        Value::Object(object) => {
            let part = |name: &str| object.get(name).and_then(plain_text);
            let is_body = kinds(object).any(|kind| kind.contains("Organization"));
            let name = match (part("familyName"), part("name")) {
                (Some(family), _) => {
                    names::from_parts(Some(&family), part("givenName").as_deref(), None)
                }
                (None, Some(name)) if is_body => names::literal(&name),
                (None, Some(name)) => return people::list(&name),
                (None, None) => return Vec::new(),
            };
            Some(name)
                .filter(|name| !name.is_empty())
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn doi_in(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(text) => tags::doi(text),
        Value::Array(list) if depth < DEPTH => {
            list.iter().find_map(|value| doi_in(value, depth + 1))
        }
        Value::Object(object) if depth < DEPTH => ["value", "@id", "url", "@value"]
            .iter()
            .find_map(|name| doi_in(object.get(*name)?, depth + 1)),
        _ => None,
    }
}
