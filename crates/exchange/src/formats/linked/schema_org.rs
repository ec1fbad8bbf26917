//! schema.org as JSON-LD.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use serde_json::{Map, Value, json};

/// A work as a JSON-LD object in the schema.org vocabulary.
pub fn schema_org(item: &Item) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            object.insert(name.to_owned(), value);
        }
    };
    let text = |variable| item.text(variable).map_or(Value::Null, Value::from);
    let number = |variable| item.number(variable).map_or(Value::Null, Value::from);
    put("@context", "https://schema.org".into());
    put("@type", schema_type(item.kind).into());
    if let Some(doi) = item.doi() {
        put("@id", doi.url().into());
    }
    put("name", text(TextVar::Title));
    if is_article(item.kind) {
        put("headline", text(TextVar::Title));
    }
    put("author", agents(item.names(NameVar::Author)));
    put("editor", agents(item.names(NameVar::Editor)));
    put("translator", agents(item.names(NameVar::Translator)));
    put("datePublished", date(item, DateVar::Issued));
    put("dateModified", Value::Null);
    put("inLanguage", text(TextVar::Language));
    put("abstract", text(TextVar::Abstract));
    put("keywords", text(TextVar::Keyword));
    put("license", text(TextVar::License));
    put("version", number(NumberVar::Version));
    put("bookEdition", number(NumberVar::Edition));
    put("numberOfPages", number(NumberVar::NumberOfPages));
    put("genre", text(TextVar::Genre));
    if let Some((first, last)) = super::pages(item) {
        put("pageStart", first.into());
        put("pageEnd", last.map_or(Value::Null, Value::from));
    }
    if let Some(publisher) = item.text(TextVar::Publisher) {
        put(
            "publisher",
            json!({"@type": "Organization", "name": publisher}),
        );
    }
    if item.kind == ItemType::Book {
        let isbns: Vec<String> = item.isbns().iter().map(ToString::to_string).collect();
        if !isbns.is_empty() {
            put("isbn", json!(isbns));
        }
    }
    put("isPartOf", container(item));
    put("identifier", identifiers(item));
    put("url", text(TextVar::Url));
    Value::Object(object)
}

fn is_article(kind: ItemType) -> bool {
    use ItemType::*;
    matches!(
        kind,
        Article | Preprint | MagazineArticle | NewspaperArticle | ConferencePaper | BlogPost
    )
}

fn schema_type(kind: ItemType) -> &'static str {
    use ItemType::*;
    match kind {
        Article | Preprint | ConferencePaper => "ScholarlyArticle",
        MagazineArticle => "Article",
        NewspaperArticle => "NewsArticle",
        BlogPost => "BlogPosting",
        Post => "SocialMediaPosting",
        Book | Classic => "Book",
        Chapter => "Chapter",
        Collection => "Collection",
        Dataset => "Dataset",
        Software => "SoftwareSourceCode",
        Thesis => "Thesis",
        Report | Standard => "Report",
        Legislation | Bill | Regulation | Treaty => "Legislation",
        Map => "Map",
        MotionPicture => "Movie",
        Broadcast => "Episode",
        Song | MusicalScore => "MusicComposition",
        Review | BookReview => "Review",
        Webpage => "WebPage",
        Periodical => "Periodical",
        Event => "Event",
        Graphic | Figure => "VisualArtwork",
        Manuscript => "Manuscript",
        _ => "CreativeWork",
    }
}

fn date(item: &Item, variable: DateVar) -> Value {
    let start = item.date(variable).and_then(|date| date.start);
    // ISO 8601 has no seasons; the year is written.
    start.map_or(Value::Null, |parts| match parts.season {
        Some(_) => format!("{:04}", parts.year).into(),
        None => parts.iso().into(),
    })
}

fn agents(names: &[Name]) -> Value {
    if names.is_empty() {
        return Value::Null;
    }
    names.iter().map(agent).collect()
}

fn agent(name: &Name) -> Value {
    if let Some(literal) = &name.literal {
        return json!({"@type": "Organization", "name": literal});
    }
    let mut object = Map::new();
    object.insert("@type".to_owned(), "Person".into());
    object.insert("name".to_owned(), name.display().into());
    let parts = [
        ("familyName", &name.family),
        ("givenName", &name.given),
        ("honorificSuffix", &name.suffix),
    ];
    for (member, part) in parts {
        if let Some(part) = part {
            object.insert(member.to_owned(), part.as_str().into());
        }
    }
    if let Some(orcid) = &name.orcid {
        object.insert(
            "@id".to_owned(),
            format!("https://orcid.org/{orcid}").into(),
        );
    }
    Value::Object(object)
}

/// The journal, through volume and issue; the book of a chapter; the series of a book.
fn container(item: &Item) -> Value {
    let title = item
        .text(TextVar::ContainerTitle)
        .or_else(|| item.text(TextVar::CollectionTitle));
    let Some(title) = title else {
        return Value::Null;
    };
    let issns: Vec<String> = item.issns().iter().map(ToString::to_string).collect();
    let isbns: Vec<String> = item.isbns().iter().map(ToString::to_string).collect();
    if !is_article(item.kind) || issns.is_empty() && !isbns.is_empty() {
        let kind = if isbns.is_empty() {
            "CreativeWork"
        } else {
            "Book"
        };
        let mut whole = json!({"@type": kind, "name": title});
        if !isbns.is_empty() && item.kind != ItemType::Book {
            whole["isbn"] = json!(isbns);
        }
        return whole;
    }
    let mut part = json!({"@type": "Periodical", "name": title});
    if !issns.is_empty() {
        part["issn"] = json!(issns);
    }
    if let Some(volume) = item.number(NumberVar::Volume) {
        part = json!({"@type": "PublicationVolume", "volumeNumber": volume, "isPartOf": part});
    }
    if let Some(issue) = item.number(NumberVar::Issue) {
        part = json!({"@type": "PublicationIssue", "issueNumber": issue, "isPartOf": part});
    }
    part
}

fn identifiers(item: &Item) -> Value {
    let found = item.identifiers();
    if found.is_empty() {
        return Value::Null;
    }
    let property = |identifier: &Identifier| json!({"@type": "PropertyValue", "propertyID": identifier.kind(), "value": identifier.as_str()});
    found.iter().map(property).collect()
}
