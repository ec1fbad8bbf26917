//! The conditions of `filter`.

use std::collections::BTreeMap;

use crate::api::error::ApiError;
use citation_exchange::linked;
use citation_model::date::{Date, DateParts};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::variable::{DateVar, NameVar, TextVar};

/// The conditions of `filter` by name; those with the same name are alternatives.
pub(super) type Filters = BTreeMap<&'static str, Vec<Filter>>;

/// A condition of `filter`.
pub(super) enum Filter {
    Doi(Doi),
    Type(String),
    From(DateParts),
    Until(DateParts),
    Issn(String),
    Isbn(String),
    Has(fn(&Item) -> bool, bool),
}

/// The names of dates are equivalent: a work here has the date of its first publication.
const FROM: [&str; 4] = [
    "from-pub-date",
    "from-issued-date",
    "from-print-pub-date",
    "from-online-pub-date",
];
const UNTIL: [&str; 4] = [
    "until-pub-date",
    "until-issued-date",
    "until-print-pub-date",
    "until-online-pub-date",
];

/// `type:journal-article,from-pub-date:2010-05`.
pub(super) fn read_filters(text: &str, filters: &mut Filters) -> Result<(), ApiError> {
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (name, filter) = read_filter(part).ok_or_else(|| {
            let problem = format!(
                "The filter “{part}” is not supported, or its value is invalid; supported are doi, type, issn, isbn, from-pub-date, until-pub-date, has-abstract and has-orcid."
            );
            ApiError::invalid_parameter("filter", problem)
        })?;
        filters.entry(name).or_default().push(filter);
    }
    Ok(())
}

fn read_filter(text: &str) -> Option<(&'static str, Filter)> {
    let (name, value) = text.trim().split_once(':')?;
    let value = value.trim();
    let named = |names: [&'static str; 4]| names.into_iter().find(|known| *known == name);
    let date = || Date::parse_iso(value)?.start;
    let is_wanted = || match value {
        "1" | "t" | "true" => Some(true),
        "0" | "f" | "false" => Some(false),
        _ => None,
    };
    Some(match name {
        "doi" => ("doi", Filter::Doi(Doi::parse(value).ok()?)),
        "type" => ("type", Filter::Type(value.to_owned())),
        "issn" => ("issn", Filter::Issn(value.to_uppercase())),
        "isbn" => ("isbn", Filter::Isbn(value.replace('-', ""))),
        "has-abstract" => {
            let has = |item: &Item| item.text(TextVar::Abstract).is_some();
            ("has-abstract", Filter::Has(has, is_wanted()?))
        }
        "has-orcid" => {
            let has = |item: &Item| {
                let mut authors = item.names(NameVar::Author).iter();
                authors.any(|name| name.orcid.is_some())
            };
            ("has-orcid", Filter::Has(has, is_wanted()?))
        }
        _ => match (named(FROM), named(UNTIL)) {
            (Some(name), _) => (name, Filter::From(date()?)),
            (_, Some(name)) => (name, Filter::Until(date()?)),
            (None, None) => return None,
        },
    })
}

impl Filter {
    pub fn fits(&self, item: &Item) -> bool {
        let issued = || item.date(DateVar::Issued).and_then(|date| date.start);
        match self {
            Filter::Doi(doi) => item.doi().as_ref() == Some(doi),
            Filter::Type(id) => linked::crossref_type(item.kind) == id,
            Filter::From(from) => issued().is_some_and(|date| first_day(date) >= first_day(*from)),
            Filter::Until(until) => {
                issued().is_some_and(|date| first_day(date) <= last_day(*until))
            }
            Filter::Issn(issn) => item.issns().iter().any(|found| found.as_str() == issn),
            Filter::Isbn(isbn) => item.isbns().iter().any(|found| found.as_str() == isbn),
            Filter::Has(has, is_wanted) => has(item) == *is_wanted,
        }
    }
}

/// Year, month and day; missing parts are the first.
pub(super) fn first_day(date: DateParts) -> (i32, u8, u8) {
    (date.year, date.month.unwrap_or(1), date.day.unwrap_or(1))
}

/// The same with missing parts as the last.
fn last_day(date: DateParts) -> (i32, u8, u8) {
    (date.year, date.month.unwrap_or(12), date.day.unwrap_or(31))
}
