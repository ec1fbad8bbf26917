//! Highwire tags, which Google Scholar requires of publishers, and the similar tags of bepress and Wolters
//! Kluwer.

use citation_model::item_type::ItemType;
use citation_model::lists::phrases;
use citation_model::name::Name;

use super::claims::Claims;
use super::metas::{Metas, pages};
use super::people;
use crate::{language, names};

/// The tags of a field, best first.
mod tags {
    pub const JOURNAL: &[&str] = &[
        "citation_journal_title",
        "bepress_citation_journal_title",
        "wkhealth_journal_title",
    ];
    pub const INSTITUTION: &[&str] = &[
        "citation_dissertation_institution",
        "bepress_citation_dissertation_institution",
    ];
    pub const VOLUME: &[&str] = &[
        "citation_volume",
        "bepress_citation_volume",
        "wkhealth_volume",
    ];
    pub const FIRST_PAGE: &[&str] = &[
        "citation_firstpage",
        "citation_first_page",
        "bepress_citation_firstpage",
    ];
    pub const LAST_PAGE: &[&str] = &[
        "citation_lastpage",
        "citation_last_page",
        "bepress_citation_lastpage",
    ];
}

/// The tags of dates, best first.
pub(super) const DATES: [&str; 7] = [
    "citation_publication_date",
    "citation_cover_date",
    "citation_date",
    "bepress_citation_date",
    "wkhealth_date",
    "citation_year",
    "citation_online_date",
];

pub(super) fn read(metas: Metas<'_>) -> Claims {
    let journal = metas.plain(tags::JOURNAL);
    let conference = metas.plain(&["citation_conference_title", "citation_conference"]);
    let book = metas.plain(&["citation_inbook_title", "citation_book_title"]);
    let institution = metas.plain(tags::INSTITUTION);
    let report = metas.plain(&["citation_technical_report_institution"]);
    let number = metas.plain(&["citation_technical_report_number"]);
    let arxiv = metas.plain(&["citation_arxiv_id"]);
    let is_preprint = arxiv.is_some() || journal.as_deref().is_some_and(is_preprint_server);
    let has = |name: &str| metas.first(&[name]).is_some();
    let kind = match () {
        () if journal.is_some() && !is_preprint => Some(ItemType::Article),
        () if conference.is_some() => Some(ItemType::ConferencePaper),
        () if book.is_some() => Some(ItemType::Chapter),
        () if institution.is_some() || has("citation_dissertation_name") => Some(ItemType::Thesis),
        () if report.is_some() || number.is_some() => Some(ItemType::Report),
        () if is_preprint => Some(ItemType::Preprint),
        () if has("citation_isbn") => Some(ItemType::Book),
        () => None,
    };
    Claims {
        kind,
        title: metas.rich(&["citation_title", "bepress_citation_title", "wkhealth_title"]),
        authors: authors(metas),
        editors: metas
            .all(&["citation_editor"])
            .flat_map(people::names)
            .collect(),
        date: metas.date(&DATES),
        container: journal.or(book).or(conference),
        container_short: metas.plain(&["citation_journal_abbrev"]),
        publisher: metas
            .plain(&["citation_publisher", "bepress_citation_publisher"])
            .or(institution)
            .or(report),
        doi: metas.doi(&["citation_doi", "bepress_citation_doi", "wkhealth_doi"]),
        isbn: metas.owned(&["citation_isbn"]),
        issn: metas.owned(&["citation_issn", "bepress_citation_issn"]),
        pmid: metas.plain(&["citation_pmid"]),
        pmcid: metas.plain(&["citation_pmcid", "citation_pmc_id"]),
        arxiv,
        volume: metas.plain(tags::VOLUME),
        issue: metas.plain(&["citation_issue", "bepress_citation_issue", "wkhealth_issue"]),
        pages: pages(metas.plain(tags::FIRST_PAGE), metas.plain(tags::LAST_PAGE))
            .or_else(|| pages(metas.plain(&["citation_pages", "citation_page"]), None)),
        number,
        language: metas.first(&["citation_language"]).and_then(language::tag),
        url: metas.plain(&["citation_abstract_html_url", "citation_public_url"]),
        ..Claims::default()
    }
}

/// One tag per author, or all in one.
fn authors(metas: Metas<'_>) -> Vec<Name> {
    let single = metas.list(&["citation_author", "bepress_citation_author"]);
    let lists = if single.is_empty() {
        metas.list(&["citation_authors", "wkhealth_authors"])
    } else {
        single
    };
    let names = people::of_tags(&lists);
    if are_initials_last(&lists) || names.len() != lists.len() {
        names
    } else {
        let pairs = names.into_iter().zip(&lists);
        let named = pairs.map(|(name, text)| in_capitals(text).unwrap_or(name));
        named.collect()
    }
}

/// Whether names have the order of bibliographic databases, `Roe JB` or `van Roe J. B.`: each ends in initials, and
/// the last word of one is nothing else. `Xin WU` may have a family name in capitals.
fn are_initials_last(texts: &[&str]) -> bool {
    let last = |text: &&str| text.rsplit(' ').next().unwrap_or_default().to_owned();
    let is_sure = |word: &str| {
        word.contains('.')
            || word.chars().count() == 1
            || !word.contains(['A', 'E', 'I', 'O', 'U', 'Y'])
    };
    texts.iter().map(last).all(|word| is_in_capitals(&word))
        && texts.iter().map(last).any(|word| is_sure(&word))
}

/// `Xin WU`, in reading order.
fn in_capitals(text: &str) -> Option<Name> {
    let (given, family) = text.trim().rsplit_once(' ')?;
    let is_given = !text.contains([',', ';']) && given.contains(char::is_lowercase);
    (is_given && is_in_capitals(family)).then(|| names::from_parts(Some(family), Some(given), None))
}

/// Whether a word may be initials: at most three capitals with points or two without.
fn is_in_capitals(word: &str) -> bool {
    let letters = || word.chars().filter(|c| c.is_alphabetic());
    let is_short = word.contains('.') || letters().count() <= 2;
    is_short && (1..=3).contains(&letters().count()) && letters().all(char::is_uppercase)
}

/// Preprint servers that declare themselves a journal in their tags.
pub(super) fn is_preprint_server(name: &str) -> bool {
    const SERVERS: [&str; 20] = phrases(
        "africarxiv|agrirxiv|arxiv|authorea|biorxiv|chemrxiv|eartharxiv|ecoevorxiv|edarxiv|\
         engrxiv|essoar|hal |medrxiv|osf preprints|preprints.org|psyarxiv|research square|\
         socarxiv|ssrn|techrxiv",
    );
    let name = name.to_lowercase();
    SERVERS.iter().any(|server| name.starts_with(server))
}
