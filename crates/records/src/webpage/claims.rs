//! The metadata of a page in one vocabulary: an optional value for each field.

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// The fields of one vocabulary. Empty fields are absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    pub kind: Option<ItemType>,
    pub title: Option<String>,
    pub authors: Vec<Name>,
    pub editors: Vec<Name>,
    pub date: Option<Date>,
    /// The date of the last change of the page.
    pub modified: Option<Date>,
    pub container: Option<String>,
    pub container_short: Option<String>,
    pub site: Option<String>,
    pub publisher: Option<String>,
    pub doi: Option<String>,
    pub isbn: Vec<String>,
    pub issn: Vec<String>,
    pub pmid: Option<String>,
    pub pmcid: Option<String>,
    pub arxiv: Option<String>,
    pub volume: Option<String>,
    pub issue: Option<String>,
    pub pages: Option<String>,
    pub number: Option<String>,
    pub language: Option<String>,
    pub url: Option<String>,
}

impl Claims {
    /// The fields of an item that another format states.
    pub fn of_item(item: &Item) -> Claims {
        let text = |variable| item.text(variable).map(str::to_owned);
        let number = |variable| item.number(variable).map(str::to_owned);
        Claims {
            kind: Some(item.kind),
            title: text(TextVar::Title),
            authors: item.names(NameVar::Author).to_vec(),
            date: item.date(DateVar::Issued).cloned(),
            container: text(TextVar::ContainerTitle),
            container_short: text(TextVar::ContainerTitleShort),
            publisher: text(TextVar::Publisher),
            doi: text(TextVar::Doi),
            isbn: text(TextVar::Isbn).into_iter().collect(),
            issn: text(TextVar::Issn).into_iter().collect(),
            pmid: text(TextVar::Pmid),
            pmcid: text(TextVar::Pmcid),
            arxiv: text(TextVar::ArxivId),
            volume: number(NumberVar::Volume),
            issue: number(NumberVar::Issue),
            pages: number(NumberVar::Page),
            ..Claims::default()
        }
    }

    /// Fills empty fields from a less reliable vocabulary.
    pub fn or(self, other: Claims) -> Claims {
        fn list<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
            if first.is_empty() { second } else { first }
        }
        Claims {
            kind: self.kind.or(other.kind),
            title: self.title.or(other.title),
            authors: list(self.authors, other.authors),
            editors: list(self.editors, other.editors),
            date: finer(self.date, other.date),
            modified: self.modified.or(other.modified),
            container: self.container.or(other.container),
            container_short: self.container_short.or(other.container_short),
            site: self.site.or(other.site),
            publisher: self.publisher.or(other.publisher),
            doi: self.doi.or(other.doi),
            isbn: list(self.isbn, other.isbn),
            issn: list(self.issn, other.issn),
            pmid: self.pmid.or(other.pmid),
            pmcid: self.pmcid.or(other.pmcid),
            arxiv: self.arxiv.or(other.arxiv),
            volume: self.volume.or(other.volume),
            issue: self.issue.or(other.issue),
            pages: self.pages.or(other.pages),
            number: self.number.or(other.number),
            language: self.language.or(other.language),
            url: self.url.or(other.url),
        }
    }
}

/// The first date, or the second if it is the same and more precise: `2014` and `2014-09-25`.
fn finer(first: Option<Date>, second: Option<Date>) -> Option<Date> {
    let (Some(known), Some(other)) = (&first, &second) else {
        return first.or(second);
    };
    let agrees = other.edtf().starts_with(&known.edtf());
    if agrees { second } else { first }
}
