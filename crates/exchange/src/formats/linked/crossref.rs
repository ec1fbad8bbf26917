//! A work in the form of Crossref's REST API: lists where CSL-JSON has texts, Crossref's `type` values,
//! `date-parts` with a null for unknown dates.

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use serde_json::{Map, Value, json};

use citation_fields::names::joined;

/// The `message` of a work.
pub fn crossref(item: &Item) -> Value {
    let mut message = Map::new();
    let text = |variable| item.text(variable);
    let list = |value: Option<&str>| value.map_or_else(|| json!([]), |value| json!([value]));
    message.insert("type".to_owned(), crossref_type(item.kind).into());
    message.insert("title".to_owned(), list(text(TextVar::Title)));
    message.insert(
        "container-title".to_owned(),
        list(text(TextVar::ContainerTitle)),
    );
    message.insert("issued".to_owned(), date(item.date(DateVar::Issued)));
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            message.insert(name.to_owned(), value);
        }
    };
    if let Some(doi) = item.doi() {
        put("DOI", Some(doi.as_str().into()));
        put("URL", Some(doi.url().into()));
        put("prefix", doi.as_str().split('/').next().map(Value::from));
    }
    // Always present, as clients expect.
    let short: Vec<&str> = text(TextVar::ContainerTitleShort).into_iter().collect();
    put("short-container-title", Some(json!(short)));
    for (name, variable) in [
        ("publisher", TextVar::Publisher),
        ("publisher-location", TextVar::PublisherPlace),
        ("abstract", TextVar::Abstract),
        ("language", TextVar::Language),
    ] {
        put(name, text(variable).map(Value::from));
    }
    for (name, variable) in [
        ("volume", NumberVar::Volume),
        ("issue", NumberVar::Issue),
        ("edition-number", NumberVar::Edition),
    ] {
        put(name, item.number(variable).map(Value::from));
    }
    let page = super::pages(item).map(|(first, last)| match last {
        Some(last) => format!("{first}-{last}"),
        None => first.to_owned(),
    });
    put("page", page.map(Value::from));
    for (name, variable) in [
        ("author", NameVar::Author),
        ("editor", NameVar::Editor),
        ("translator", NameVar::Translator),
        ("chair", NameVar::Chair),
    ] {
        let names = item.names(variable);
        put(name, (!names.is_empty()).then(|| people(names)));
    }
    let issued = item.date(DateVar::Issued);
    put("published", issued.map(|issued| date(Some(issued))));
    let issns: Vec<String> = item.issns().iter().map(ToString::to_string).collect();
    put("ISSN", (!issns.is_empty()).then(|| json!(issns)));
    let isbns: Vec<String> = item.isbns().iter().map(ToString::to_string).collect();
    put("ISBN", (!isbns.is_empty()).then(|| json!(isbns)));
    put(
        "license",
        text(TextVar::License).map(|license| json!([{"URL": license}])),
    );
    let subjects = text(TextVar::Keyword).map(|words| {
        let words = words.split([',', ';']).map(str::trim);
        words
            .filter(|word| !word.is_empty())
            .map(Value::from)
            .collect()
    });
    put("subject", subjects);
    Value::Object(message)
}

/// Crossref's name of an item type.
pub fn crossref_type(kind: ItemType) -> &'static str {
    use ItemType::*;
    match kind {
        Article | MagazineArticle | NewspaperArticle => "journal-article",
        Preprint => "posted-content",
        Book | Classic => "book",
        Chapter => "book-chapter",
        Entry | DictionaryEntry | EncyclopediaEntry => "reference-entry",
        ConferencePaper => "proceedings-article",
        Dataset => "dataset",
        Thesis => "dissertation",
        Report => "report",
        Standard => "standard",
        Periodical => "journal",
        Review | BookReview => "peer-review",
        _ => "other",
    }
}

/// The item type of a Crossref type; posted content is a preprint. `None` for types that Crossref does not
/// use.
pub fn item_type_of_crossref(name: &str) -> Option<ItemType> {
    let kind = match name {
        "journal-article" => ItemType::Article,
        "journal" | "journal-volume" | "journal-issue" => ItemType::Periodical,
        "book" | "monograph" | "edited-book" | "reference-book" | "book-set" | "book-series"
        | "book-track" | "proceedings" | "proceedings-series" => ItemType::Book,
        "book-chapter" | "book-part" | "book-section" => ItemType::Chapter,
        "reference-entry" => ItemType::EncyclopediaEntry,
        "proceedings-article" => ItemType::ConferencePaper,
        "posted-content" => ItemType::Preprint,
        "report" | "report-component" | "report-series" => ItemType::Report,
        "dissertation" => ItemType::Thesis,
        "dataset" | "database" => ItemType::Dataset,
        "standard" | "standard-series" => ItemType::Standard,
        "peer-review" => ItemType::Review,
        "component" | "grant" | "other" => ItemType::Document,
        _ => return None,
    };
    Some(kind)
}

fn date(date: Option<&Date>) -> Value {
    let start = date.and_then(|date| date.start);
    let parts = start.map_or_else(
        || json!([null]),
        |mut parts| {
            // Crossref has no seasons.
            parts.season = None;
            json!(parts.numbers())
        },
    );
    json!({"date-parts": [parts]})
}

fn people(names: &[Name]) -> Value {
    let person = |(n, name): (usize, &Name)| {
        let mut object = Map::new();
        let mut put = |member: &str, value: &Option<String>| {
            if let Some(value) = value {
                object.insert(member.to_owned(), value.as_str().into());
            }
        };
        put("name", &name.literal);
        put("given", &name.given);
        let particles = [
            &name.dropping_particle,
            &name.non_dropping_particle,
            &name.family,
        ];
        put("family", &non_blank(&joined(&particles)));
        put("suffix", &name.suffix);
        if let Some(orcid) = &name.orcid {
            object.insert(
                "ORCID".to_owned(),
                format!("https://orcid.org/{orcid}").into(),
            );
        }
        let sequence = if n == 0 { "first" } else { "additional" };
        object.insert("sequence".to_owned(), sequence.into());
        object.insert("affiliation".to_owned(), json!([]));
        Value::Object(object)
    };
    names.iter().enumerate().map(person).collect()
}
