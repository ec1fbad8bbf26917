//! CSL-JSON as doi.org returns it for Crossref's DOIs: a whole record of the registry, with some fields under
//! names that CSL does not have.

use serde_json::Value;

use citation_model::date::Date;
use citation_model::item::{Custom, Item};
use citation_model::lists::words;
use citation_model::variable::{DateVar, NumberVar, TextVar};

use crate::content::Members;
use crate::linked::item_type_of_crossref;

/// Members that only Crossref's records have.
const MARKS: [&str; 3] = [
    "content-domain",
    "reference-count",
    "is-referenced-by-count",
];

/// Members about the record and not the work.
const BOOKKEEPING: [&str; 24] = words(
    "alternative-id assertion content-domain created deposited funder indexed \
     is-referenced-by-count isbn-type issn-type license link member prefix published \
     published-online published-print reference reference-count references-count relation \
     resource score update-policy",
);

/// Whether an object is a record of Crossref in the form of CSL-JSON.
pub(crate) fn is_record(members: &Members<'_>) -> bool {
    let is_marked = MARKS.iter().any(|mark| members.has(mark));
    is_marked && members.text("DOI").is_some() && members.has("title")
}

/// Sets variables from the members that CSL does not have, and removes the record's own.
pub(crate) fn settle(item: &mut Item) {
    if !MARKS.iter().any(|mark| item.custom.contains_key(*mark)) {
        return;
    }
    let mut custom = std::mem::take(&mut item.custom);
    let text = |custom: &mut Custom, name: &str| match custom.remove(name)? {
        Value::Array(list) => list
            .into_iter()
            .find_map(|value| value.as_str().map(str::to_owned)),
        value => value.as_str().map(str::to_owned),
    };
    // A type of Crossref's that is none of the common names.
    if let Some(kind) = text(&mut custom, "type") {
        item.kind = item_type_of_crossref(&kind).unwrap_or_default();
    }
    if let Some(subtitle) = text(&mut custom, "subtitle")
        && let Some(title) = item.text(TextVar::Title)
        && !title.to_lowercase().contains(&subtitle.to_lowercase())
    {
        let title = format!("{title}: {subtitle}");
        item.set_text(TextVar::Title, title);
    }
    let short = text(&mut custom, "short-container-title");
    if let (Some(short), None) = (short, item.text(TextVar::ContainerTitleShort)) {
        item.set_text(TextVar::ContainerTitleShort, short);
    }
    for (name, variable) in [
        ("publisher-location", TextVar::PublisherPlace),
        ("group-title", TextVar::CollectionTitle),
    ] {
        if let (Some(value), None) = (text(&mut custom, name), item.text(variable)) {
            item.set_text(variable, value);
        }
    }
    if let Some(number) = text(&mut custom, "article-number") {
        if item.number(NumberVar::Page).is_none() {
            item.set_number(NumberVar::Page, number.as_str());
        }
        item.set_number(NumberVar::Number, number);
    }
    if let Some(edition) = text(&mut custom, "edition-number") {
        item.set_number(NumberVar::Edition, edition);
    }
    let issue = custom.remove("journal-issue");
    let issue = issue
        .as_ref()
        .and_then(|issue| issue.get("issue")?.as_str());
    if let (Some(issue), None) = (issue, item.number(NumberVar::Issue)) {
        item.set_number(NumberVar::Issue, issue);
    }
    if item.date(DateVar::Issued).is_none() {
        let dates = [
            "published-print",
            "published-online",
            "published",
            "posted",
            "created",
        ];
        let date = dates.iter().find_map(|name| date(custom.get(*name)?));
        if let Some(date) = date {
            item.set_date(DateVar::Issued, date);
        }
    }
    custom.retain(|name, _| !BOOKKEEPING.contains(&name.as_str()));
    item.custom = custom;
}

fn date(value: &Value) -> Option<Date> {
    let date: Date = serde_json::from_value(value.clone()).ok()?;
    date.start.is_some().then_some(date)
}

#[cfg(test)]
mod tests {
    use crate::CSL_JSON;
    use crate::testing::check_read;

    #[test]
    fn record_of_the_registry_has_its_variables() {
        check_read(
            &CSL_JSON,
            r#"{"indexed":{"timestamp":1},"reference-count":2,"content-domain":{"domain":[]},"publisher":"P",
                "DOI":"10.5555/ABC","type":"journal-article","source":"Crossref","title":"Waves","subtitle":["A study"],
                "container-title":"Annals","container-title-short":"Ann.","article-number":"e7","volume":"4",
                "journal-issue":{"issue":"2"},"issued":{"date-parts":[[null]]},"published-print":{"date-parts":[[2001,2]]},
                "author":[{"given":"A.","family":"Doe","sequence":"first","affiliation":[]}],"reference":[{"key":"1"}]}"#,
            r#"[{"type": "article-journal", "DOI": "10.5555/abc", "title": "Waves: A study", "container-title": "Annals",
                "container-title-short": "Ann.", "number": "e7", "page": "e7", "volume": "4", "issue": "2",
                "issued": {"date-parts": [[2001, 2]]}, "custom": null}]"#,
        );
        check_read(
            &CSL_JSON,
            r#"{"content-domain":{},"DOI":"10.5555/1","title":"T","type":"reference-entry","edition-number":"3"}"#,
            r#"[{"type": "entry-encyclopedia", "edition": "3"}]"#,
        );
    }
}
