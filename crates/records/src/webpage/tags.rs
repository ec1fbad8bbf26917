//! Vocabularies of `<meta>`: Highwire's `citation_*`, PRISM, Dublin Core and Open Graph.

use citation_model::identifier::Doi;
use citation_model::item_type::ItemType;
use citation_model::name::Name;

use super::claims::Claims;
use super::markup::Markup;
use super::{dates, people};
use crate::{clean, language, names};

/// The metas of a page, asked by name.
pub(super) struct Tags<'m>(pub &'m Markup);

impl<'m> Tags<'m> {
    fn all<'n>(&self, name: &'n str) -> impl Iterator<Item = &'m str> + use<'m, 'n> {
        let metas = self.0.metas.iter();
        metas
            .filter(move |(n, _)| n == name)
            .map(|(_, content)| content.as_str())
    }

    /// The first value under the first of the names that has one.
    fn first(&self, names: &[&str]) -> Option<&'m str> {
        let values = names.iter().flat_map(|name| self.all(name));
        values.into_iter().find(|value| !is_blank(value))
    }

    fn plain(&self, names: &[&str]) -> Option<String> {
        self.first(names)
            .map(clean::plain)
            .filter(|text| !text.is_empty())
    }

    fn rich(&self, names: &[&str]) -> Option<String> {
        self.first(names)
            .map(clean::rich)
            .filter(|text| !text.is_empty())
    }

    /// The values under the first of the names that has any.
    fn list(&self, names: &[&str]) -> Vec<&'m str> {
        let lists = names
            .iter()
            .map(|name| self.all(name).filter(|v| !is_blank(v)).collect());
        lists
            .into_iter()
            .find(|list: &Vec<_>| !list.is_empty())
            .unwrap_or_default()
    }

    fn date(&self, names: &[&str]) -> Option<citation_model::date::Date> {
        names
            .iter()
            .flat_map(|name| self.all(name))
            .find_map(dates::parse)
    }

    fn doi(&self, names: &[&str]) -> Option<String> {
        let values = names.iter().flat_map(|name| self.all(name));
        values.into_iter().find_map(doi)
    }
}

/// Placeholders that templates leave behind.
fn is_blank(value: &str) -> bool {
    let value = value.trim();
    value.is_empty()
        || value == "-"
        || value.starts_with("{{")
        || value.eq_ignore_ascii_case("null")
}

/// The DOI in a text that may hold more.
pub(super) fn doi(text: &str) -> Option<String> {
    let at = text.find("10.")?;
    let end =
        text[at..].find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '?' | '#'));
    let text = end.map_or(&text[at..], |end| &text[at..at + end]);
    Doi::parse(text).ok().map(|doi| doi.as_str().to_owned())
}

/// What Highwire's tags say, which Google Scholar asks publishers for.
pub(super) fn highwire(tags: &Tags<'_>) -> Claims {
    let title = tags.rich(&["citation_title", "bepress_citation_title", "wkhealth_title"]);
    let mut authors: Vec<Name> = Vec::new();
    for value in tags.list(&["citation_author", "bepress_citation_author"]) {
        authors.extend(people::list(value));
    }
    if authors.is_empty() {
        let lists = tags.list(&["citation_authors", "wkhealth_authors"]);
        authors.extend(lists.into_iter().flat_map(people::list));
    }
    let journal = tags.plain(&[
        "citation_journal_title",
        "bepress_citation_journal_title",
        "wkhealth_journal_title",
    ]);
    let conference = tags.plain(&["citation_conference_title", "citation_conference"]);
    let book = tags.plain(&["citation_inbook_title", "citation_book_title"]);
    let institution = tags.plain(&["citation_dissertation_institution"]);
    let report = tags.plain(&["citation_technical_report_institution"]);
    let arxiv = tags.plain(&["citation_arxiv_id"]);
    let has_title = title.is_some();
    let is_book = tags.first(&["citation_isbn"]).is_some() && journal.is_none();
    let is_preprint = journal.as_deref().is_some_and(is_preprint_server);
    let kind = if journal.is_some() && !is_preprint {
        Some(ItemType::Article)
    } else if conference.is_some() {
        Some(ItemType::ConferencePaper)
    } else if book.is_some() {
        Some(ItemType::Chapter)
    } else if institution.is_some() || tags.first(&["citation_dissertation_name"]).is_some() {
        Some(ItemType::Thesis)
    } else if report.is_some() || tags.first(&["citation_technical_report_number"]).is_some() {
        Some(ItemType::Report)
    } else if arxiv.is_some() || is_preprint {
        Some(ItemType::Preprint)
    } else if is_book {
        Some(ItemType::Book)
    } else {
        None
    };
    Claims {
        kind: kind.filter(|_| has_title),
        title,
        authors,
        editors: tags.all("citation_editor").flat_map(people::list).collect(),
        date: tags.date(&[
            "citation_publication_date",
            "citation_cover_date",
            "citation_date",
            "bepress_citation_date",
            "wkhealth_date",
            "citation_year",
            "citation_online_date",
        ]),
        container: journal.or(conference).or(book),
        container_short: tags.plain(&["citation_journal_abbrev"]),
        publisher: tags
            .plain(&["citation_publisher", "bepress_citation_publisher"])
            .or(institution)
            .or(report),
        doi: tags.doi(&["citation_doi", "bepress_citation_doi", "wkhealth_doi"]),
        isbn: tags
            .list(&["citation_isbn"])
            .into_iter()
            .map(str::to_owned)
            .collect(),
        issn: tags.all("citation_issn").map(str::to_owned).collect(),
        pmid: tags.plain(&["citation_pmid"]),
        arxiv,
        volume: tags.plain(&[
            "citation_volume",
            "bepress_citation_volume",
            "wkhealth_volume",
        ]),
        issue: tags.plain(&["citation_issue", "bepress_citation_issue", "wkhealth_issue"]),
        pages: pages(
            tags.plain(&[
                "citation_firstpage",
                "citation_first_page",
                "bepress_citation_firstpage",
            ]),
            tags.plain(&[
                "citation_lastpage",
                "citation_last_page",
                "bepress_citation_lastpage",
            ]),
        ),
        number: tags.plain(&["citation_technical_report_number"]),
        language: tags.first(&["citation_language"]).and_then(language::tag),
        url: tags.plain(&["citation_abstract_html_url", "citation_public_url"]),
        abstract_text: tags.rich(&["citation_abstract"]),
        ..Claims::default()
    }
}

/// Servers that call themselves a journal in their tags.
fn is_preprint_server(name: &str) -> bool {
    const SERVERS: [&str; 10] = [
        "biorxiv",
        "medrxiv",
        "arxiv",
        "chemrxiv",
        "psyarxiv",
        "socarxiv",
        "edarxiv",
        "ssrn",
        "research square",
        "preprints.org",
    ];
    let name = name.to_lowercase();
    SERVERS.iter().any(|server| name.starts_with(server))
}

fn pages(first: Option<String>, last: Option<String>) -> Option<String> {
    let first = first?;
    let pages = match last {
        Some(last) if last != first => format!("{first}-{last}"),
        _ => first,
    };
    clean::pages(&pages)
}

/// PRISM, which publishers put beside Dublin Core.
pub(super) fn prism(tags: &Tags<'_>) -> Claims {
    let container = tags.plain(&["prism.publicationname"]);
    Claims {
        kind: container.is_some().then_some(ItemType::Article),
        doi: tags.doi(&["prism.doi"]),
        container,
        volume: tags.plain(&["prism.volume"]),
        issue: tags.plain(&["prism.number", "prism.issueidentifier"]),
        pages: pages(
            tags.plain(&["prism.startingpage"]),
            tags.plain(&["prism.endingpage"]),
        ),
        date: tags.date(&["prism.publicationdate", "prism.coverdate"]),
        issn: tags
            .all("prism.issn")
            .chain(tags.all("prism.eissn"))
            .map(str::to_owned)
            .collect(),
        ..Claims::default()
    }
}

/// Dublin Core under its prefixes, and EPrints.
pub(super) fn dublin_core(tags: &Tags<'_>) -> Claims {
    let authors = tags.list(&[
        "dc.creator",
        "dcterms.creator",
        "dc.creator.personalname",
        "eprints.creators_name",
        "dc.contributor",
    ]);
    let identifiers = ["dc.identifier", "dc.identifier.doi", "dcterms.identifier"];
    Claims {
        kind: tags
            .first(&["dc.type", "dcterms.type", "eprints.type"])
            .and_then(kind_of_type),
        title: tags.rich(&["dc.title", "dcterms.title", "eprints.title"]),
        authors: authors.into_iter().flat_map(people::list).collect(),
        date: tags.date(&[
            "dc.date.issued",
            "dcterms.issued",
            "dc.issued",
            "dc.date",
            "dcterms.date",
            "dcterms.created",
            "eprints.date",
        ]),
        container: tags
            .plain(&["dc.source", "dcterms.bibliographiccitation"])
            .filter(|text| is_container(text)),
        publisher: tags.plain(&["dc.publisher", "dcterms.publisher", "eprints.publisher"]),
        doi: tags.doi(&identifiers),
        isbn: tags.all("dc.identifier.isbn").map(str::to_owned).collect(),
        issn: tags.all("dc.source.issn").map(str::to_owned).collect(),
        language: tags
            .first(&["dc.language", "dcterms.language"])
            .and_then(language::tag),
        ..Claims::default()
    }
}

/// Dublin Core's source may hold an address or a whole reference.
fn is_container(text: &str) -> bool {
    !text.contains("://") && !text.chars().any(|c| c.is_ascii_digit()) && text.len() < 200
}

fn kind_of_type(text: &str) -> Option<ItemType> {
    let text = text.to_lowercase();
    let has = |word: &str| text.contains(word);
    if has("thesis") || has("dissertation") {
        Some(ItemType::Thesis)
    } else if has("dataset") {
        Some(ItemType::Dataset)
    } else if has("software") {
        Some(ItemType::Software)
    } else if has("report") || has("workingpaper") || has("working paper") {
        Some(ItemType::Report)
    } else {
        None
    }
}

/// Open Graph, and what content systems put beside it.
pub(super) fn open_graph(tags: &Tags<'_>) -> Claims {
    let authors = tags.list(&[
        "byl",
        "author",
        "parsely-author",
        "sailthru.author",
        "og:article:author",
        "article:author",
        "dcsext.author",
        "article.author",
        "twitter:creator:name",
    ]);
    let kind = match tags.first(&["og:type"]).unwrap_or_default() {
        "book" | "books.book" => Some(ItemType::Book),
        "video" | "video.other" | "video.movie" | "video.episode" => Some(ItemType::MotionPicture),
        _ => None,
    };
    let site = tags.plain(&["og:site_name", "application-name"]);
    let own = |name: &Name| {
        site.as_deref()
            .is_none_or(|site| !site.eq_ignore_ascii_case(&name.display()))
    };
    Claims {
        kind,
        title: tags.rich(&[
            "og:title",
            "twitter:title",
            "parsely-title",
            "sailthru.title",
        ]),
        authors: authors
            .into_iter()
            .flat_map(people::list)
            .filter(own)
            .collect(),
        date: tags.date(&[
            "article:published_time",
            "og:article:published_time",
            "article:published",
            "parsely-pub-date",
            "sailthru.date",
            "pubdate",
            "publishdate",
            "publish-date",
            "datepublished",
            "date",
            "dcsext.articlefirstpublished",
            "og:published_time",
            "published_time",
            "article.published",
            "rnews:datepublished",
            "ptime",
            "pdate",
            "displaydate",
        ]),
        isbn: tags
            .all("books:isbn")
            .chain(tags.all("book:isbn"))
            .map(str::to_owned)
            .collect(),
        language: tags.first(&["og:locale"]).and_then(language::tag),
        url: tags.plain(&["og:url"]),
        abstract_text: None,
        site: site.filter(|site| !names::is_nobody(site)),
        ..Claims::default()
    }
}
