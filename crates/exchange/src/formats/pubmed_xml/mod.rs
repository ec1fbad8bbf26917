//! PubMed XML of PubMed, efetch and the annual baseline: articles, and books of the Bookshelf (NLM's PubMed
//! DTD). If an article has two titles, the translation is used.

mod updates;

use std::cell::RefCell;

use crate::format::{Format, KeyRule};
use crate::problem::ReadError;
use crate::reading::Reading;
use crate::syntax::tokens;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::{Element, Markup};
use citation_fields::clean;
use citation_fields::identifiers;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::parts::{date_of, date_of_parts};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::Update;

pub static PUBMED_XML: Format = Format {
    id: "pubmed-xml",
    title: "PubMed XML",
    media_types: &["application/vnd.nlm.pubmed+xml"],
    extensions: &["xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| {
            root.name.starts_with("Pubmed") || root.name.starts_with("MedlineCitation")
        })
    },
    read: Some(|content, budget| read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<PubmedArticleSet>",
            "<PubmedArticle>",
            "</PubmedArticle>",
            "<MedlineCitation>",
            "<ArticleTitle>",
            "<AuthorList>",
            "<Author>",
            "<LastName>",
            "<ArticleId IdType=\"doi\">",
            "<Year>",
        ],
    ],
};

/// A record, with what belongs to the work and not to its item.
#[derive(Clone, Debug, Default)]
pub struct PubmedRecord {
    pub item: Item,
    /// Notices of change, in both directions, without duplicates.
    pub updates: Vec<Update>,
    /// When PubMed last changed the record.
    pub revised: Option<Date>,
}

/// Reads the first article or book of a text, without its abstract and subject headings. The error is the
/// problem of a broken record; `None` if there is none.
pub fn pubmed_record(text: &str, budget: &Budget) -> Result<Option<PubmedRecord>, ReadError> {
    const LAYOUT: Layout = Layout {
        is_record,
        is_skipped: |name| is_skipped(name) || matches!(name, "Abstract" | "MeshHeadingList"),
    };
    let beside = RefCell::new(PubmedRecord::default());
    let reading = records::read(text, budget, &LAYOUT, |record, offset, found| {
        if found.is_empty() {
            let mut beside = beside.borrow_mut();
            found.extend(map(record, offset, &mut beside.updates));
            beside.revised = { record.child("MedlineCitation") }
                .and_then(|citation| date(citation.child("DateRevised")?));
        }
    })?;
    ReadError::of_loss(&reading.problems)?;
    let item = reading.items.into_iter().next();
    Ok(item.map(|read| PubmedRecord {
        item: read.item,
        ..beside.into_inner()
    }))
}

/// Reads every article and book of a file.
fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record,
        is_skipped,
    };
    records::read(text, budget, &LAYOUT, |record, offset, found| {
        found.extend(map(record, offset, &mut Vec::new()));
    })
}

fn is_record(name: &str, _parent: &str) -> bool {
    matches!(
        name,
        "PubmedArticle" | "PubmedBookArticle" | "MedlineCitation"
    )
}

fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "ReferenceList"
            | "ChemicalList"
            | "GrantList"
            | "History"
            | "AffiliationInfo"
            | "DataBankList"
            | "InvestigatorList"
            | "PersonalNameSubjectList"
            | "SupplMeshList"
            | "OtherAbstract"
            | "GeneSymbolList"
    )
}

/// Maps a record and adds its notices of change.
fn map(record: Element<'_>, offset: usize, updates: &mut Vec<Update>) -> Option<Found> {
    let mut item = ItemBuilder::new(offset);
    let entry_type = match record.name() {
        "PubmedBookArticle" => book(record.child("BookDocument")?, &mut item),
        "MedlineCitation" => article(record, None, &mut item, updates),
        _ => {
            let citation = record.child("MedlineCitation")?;
            article(citation, record.child("PubmedData"), &mut item, updates)
        }
    };
    Some(Found { item, entry_type })
}

/// Reads an article; returns its first publication type.
fn article(
    citation: Element<'_>,
    published: Option<Element<'_>>,
    item: &mut ItemBuilder,
    updates: &mut Vec<Update>,
) -> String {
    let types: Vec<String> = citation
        .path(&["Article", "PublicationTypeList"])
        .map(|list| list.child_texts("PublicationType"))
        .unwrap_or_default();
    let has = |kind: &str| types.iter().any(|known| known == kind);
    item.set_kind(match () {
        () if has("Preprint") => ItemType::Preprint,
        () if has("Dataset") => ItemType::Dataset,
        () if has("Newspaper Article") => ItemType::NewspaperArticle,
        () => ItemType::Article,
    });
    item.text(TextVar::Pmid, &citation.child_text("PMID"));
    if let Some(article) = citation.child("Article") {
        titles(article, item);
        journal(article, item);
        authors(article, item);
        pagination(article, item);
        electronic_location(article, item);
        article_number(article, item);
        language(article, item);
        description(article, item);
    }
    if let Some(published) = published {
        identifiers(published, item);
    }
    subjects(citation, item);
    if has("Retracted Publication") {
        item.text(TextVar::Status, "retracted");
    }
    if item.kind() == ItemType::Preprint {
        item.text(TextVar::Genre, "preprint");
    }
    updates.extend(updates::read(citation, item));
    types.into_iter().next().unwrap_or_default()
}

/// The author's keywords, otherwise the subject headings.
fn subjects(citation: Element<'_>, item: &mut ItemBuilder) {
    let mut words: Vec<String> = citation
        .children_named("KeywordList")
        .flat_map(|list| list.child_texts("Keyword"))
        .collect();
    if words.is_empty() {
        let headings = citation.child("MeshHeadingList").into_iter();
        words = headings
            .flat_map(|list| list.children_named("MeshHeading"))
            .map(|heading| heading.child_text("DescriptorName"))
            .collect();
    }
    for word in words {
        item.keyword(&word);
    }
}

/// Reads a book, or a chapter if there is also an article title.
fn book(document: Element<'_>, item: &mut ItemBuilder) -> String {
    let title = bare(&document.child("ArticleTitle").map(rich).unwrap_or_default());
    let book_title = if title.is_empty() {
        TextVar::Title
    } else {
        TextVar::ContainerTitle
    };
    item.set_kind(if title.is_empty() {
        ItemType::Book
    } else {
        ItemType::Chapter
    });
    item.text(TextVar::Title, &title);
    item.text(TextVar::Pmid, &document.child_text("PMID"));
    authors(document, item);
    pagination(document, item);
    if let Some(book) = document.child("Book") {
        let title = book.child("BookTitle").map(rich).unwrap_or_default();
        item.text(book_title, &bare(&title));
        if let Some(publisher) = book.child("Publisher") {
            item.text(TextVar::Publisher, &publisher.child_text("PublisherName"));
            let place = publisher.child_text("PublisherLocation");
            item.text(TextVar::PublisherPlace, &place);
        }
        item.date(DateVar::Issued, book.child("PubDate").and_then(date));
        let series = book.child("CollectionTitle").map(rich).unwrap_or_default();
        item.text(TextVar::CollectionTitle, &series);
        item.number(NumberVar::Volume, &book.child_text("Volume"));
        item.number(NumberVar::Edition, &book.child_text("Edition"));
        for isbn in book.child_texts("Isbn") {
            item.text(TextVar::Isbn, &isbn);
        }
        electronic_location(book, item);
        authors(book, item);
    }
    language(document, item);
    description(document, item);
    identifiers(document, item);
    let contributed = document.child("ContributionDate").and_then(date);
    item.date(DateVar::Issued, contributed);
    "Book".to_owned()
}

fn electronic_location(parent: Element<'_>, item: &mut ItemBuilder) {
    for location in parent.children_named("ELocationID") {
        if location.has("EIdType", "doi") && !location.has("ValidYN", "N") {
            item.text(TextVar::Doi, &location.text());
        }
    }
}

/// Identifies articles without pages within a volume.
fn article_number(article: Element<'_>, item: &mut ItemBuilder) {
    if article.child("Pagination").is_none() {
        let mut locations = article.children_named("ELocationID");
        let number = locations.find(|location| location.has("EIdType", "pii"));
        item.article_number(&number.map(|number| number.text()).unwrap_or_default());
    }
}

/// Rich text, also of markup and entities that were encoded twice.
fn rich(element: Element<'_>) -> String {
    clean::rich(&element.rich(|inside| match inside.name() {
        "i" => Markup::ITALIC,
        "b" => Markup::BOLD,
        "sup" => Markup::SUPERSCRIPT,
        "sub" => Markup::SUBSCRIPT,
        _ => Markup::Content,
    }))
}

/// Removes the full stop that PubMed puts after each title, and the brackets around a translation.
fn bare(title: &str) -> String {
    let cut = |text: &str| {
        let text = text.trim();
        let shorter = text.strip_suffix('.').filter(|t| !t.ends_with('.'));
        shorter.unwrap_or(text).to_owned()
    };
    let title = cut(title);
    let translated = title
        .strip_prefix('[')
        .and_then(|title| title.strip_suffix(']'))
        .filter(|title| !title.contains(['[', ']']));
    translated.map(cut).unwrap_or(title)
}

fn titles(article: Element<'_>, item: &mut ItemBuilder) {
    let title = |name| bare(&article.child(name).map(rich).unwrap_or_default());
    let (title, vernacular) = (title("ArticleTitle"), title("VernacularTitle"));
    if title.is_empty() || title.eq_ignore_ascii_case("not available") {
        item.title(&vernacular);
    } else {
        item.title(&title);
        item.text(TextVar::OriginalTitle, &vernacular);
    }
}

fn journal(article: Element<'_>, item: &mut ItemBuilder) {
    let Some(journal) = article.child("Journal") else {
        return;
    };
    let short = journal.child_text("ISOAbbreviation");
    let title = journal.child_text("Title");
    item.text(TextVar::ContainerTitle, without_place(&title));
    item.text(TextVar::ContainerTitle, &short);
    item.text(TextVar::ContainerTitleShort, &short);
    for issn in journal.child_texts("ISSN") {
        item.text(TextVar::Issn, &issn);
    }
    if let Some(issue) = journal.child("JournalIssue") {
        item.number(NumberVar::Volume, &issue.child_text("Volume"));
        item.number(NumberVar::Issue, &issue.child_text("Issue"));
        item.date(DateVar::Issued, issue.child("PubDate").and_then(date));
    }
    let electronic = article.child("ArticleDate").and_then(date);
    item.date(DateVar::Issued, electronic);
}

/// Removes the place or year that distinguishes journals with the same title: `Arthritis & rheumatology
/// (Hoboken, N.J.)`. An abbreviation of the title stays: `… on Space Research (COSPAR)`.
fn without_place(title: &str) -> &str {
    let parts = title
        .strip_suffix(')')
        .and_then(|title| title.rsplit_once(" ("));
    match parts {
        Some((title, inside)) if !inside.bytes().all(|byte| byte.is_ascii_uppercase()) => title,
        _ => title,
    }
}

/// A date in elements, or a textual range: `1998 Dec-1999 Jan`.
fn date(element: Element<'_>) -> Option<Date> {
    let year = element.child_text("Year");
    let season = element.child_text("Season");
    if year.is_empty() {
        return Date::parse(&element.child_text("MedlineDate"));
    }
    if season.is_empty() {
        date_of_parts(
            &year,
            &element.child_text("Month"),
            &element.child_text("Day"),
        )
    } else {
        date_of(&year, &season)
    }
}

fn authors(parent: Element<'_>, item: &mut ItemBuilder) {
    for list in parent.children_named("AuthorList") {
        // The authors of a book are not those of its chapter.
        let variable = match (parent.name(), item.kind()) {
            _ if list.has("Type", "editors") => NameVar::Editor,
            ("Book", ItemType::Chapter) => NameVar::ContainerAuthor,
            _ => NameVar::Author,
        };
        for author in list.children_named("Author") {
            item.listed_name(variable, name(author));
        }
    }
}

fn name(author: Element<'_>) -> Name {
    let family = author.child_text("LastName");
    let group = author.child_text("CollectiveName");
    if family.is_empty() && !group.is_empty() {
        return names::literal(&group);
    }
    let mut given = author.child_text("ForeName");
    if given.is_empty() {
        given = author.child_text("Initials");
    }
    let orcid = author
        .children_named("Identifier")
        .find(|identifier| identifier.has("Source", "ORCID"));
    Name {
        orcid: orcid.and_then(|identifier| identifiers::bare_orcid(&identifier.text())),
        ..names::from_parts(
            Some(&family),
            Some(&given),
            Some(&author.child_text("Suffix")),
        )
    }
}

fn pagination(parent: Element<'_>, item: &mut ItemBuilder) {
    if let Some(pagination) = parent.child("Pagination") {
        item.number(NumberVar::Page, &pagination.child_text("MedlinePgn"));
        let (first, last) = ("StartPage", "EndPage");
        item.pages(&pagination.child_text(first), &pagination.child_text(last));
    }
}

fn language(parent: Element<'_>, item: &mut ItemBuilder) {
    item.text(TextVar::Language, &parent.child_text("Language"));
}

/// The abstract, each part after its label.
fn description(parent: Element<'_>, item: &mut ItemBuilder) {
    let parts = parent.child("Abstract").into_iter();
    let parts = parts.flat_map(|part| part.children_named("AbstractText"));
    let parts: Vec<String> = parts
        .map(|part| match part.attribute("Label") {
            Some(label) => format!("{label}: {}", rich(part)),
            None => rich(part),
        })
        .collect();
    item.text(TextVar::Abstract, &parts.join(" "));
}

fn identifiers(parent: Element<'_>, item: &mut ItemBuilder) {
    let list = parent.child("ArticleIdList").into_iter();
    for id in list.flat_map(|list| list.children_named("ArticleId")) {
        let variable = match id.attribute("IdType").as_deref() {
            Some("doi") => TextVar::Doi,
            Some("pmc") => TextVar::Pmcid,
            Some("pubmed") => TextVar::Pmid,
            _ => continue,
        };
        item.text(variable, &id.text());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_read;

    const ARTICLE: &str = r#"<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "x.dtd">
        <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">123</PMID>
        <Article><Journal><ISSN IssnType="Print">2049-3630</ISSN><JournalIssue><Volume>3</Volume><Issue>1</Issue>
        <PubDate><Year>1976</Year><Month>Feb</Month><Day>03</Day></PubDate></JournalIssue>
        <Title>Acta of tests (Hoboken, N.J.)</Title><ISOAbbreviation>Acta Tests</ISOAbbreviation></Journal>
        <ArticleTitle>[On <i>x</i> &amp; y].</ArticleTitle><VernacularTitle>Von <i>x</i>.</VernacularTitle>
        <Pagination><StartPage>69</StartPage><EndPage>81</EndPage></Pagination>
        <ELocationID EIdType="doi" ValidYN="Y">10.5555/A</ELocationID>
        <Abstract><AbstractText Label="AIMS">First.</AbstractText><AbstractText>Then.</AbstractText></Abstract>
        <AuthorList><Author><LastName>Blume</LastName><ForeName>F R</ForeName><Initials>FR</Initials>
        <Suffix>Jr</Suffix><Identifier Source="ORCID">https://orcid.org/0000-0002-1825-0097</Identifier></Author>
        <Author><CollectiveName>The Group</CollectiveName></Author></AuthorList><Language>ger</Language>
        <PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList></Article>
        <MeshHeadingList><MeshHeading><DescriptorName>Ants</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>
        <PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC77</ArticleId></ArticleIdList>
        <ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.5555/other</ArticleId></ArticleIdList></Reference></ReferenceList>
        </PubmedData></PubmedArticle></PubmedArticleSet>"#;

    #[test]
    fn articles_without_pages_are_found_by_a_number() {
        let pages = "<Pagination><StartPage>69</StartPage><EndPage>81</EndPage></Pagination>";
        let number = r#"<ELocationID EIdType="pii" ValidYN="Y">e42692</ELocationID>"#;
        let text = ARTICLE.replace(pages, number);
        check_read(&PUBMED_XML, &text, r#"[{"page": "e42692"}]"#);
    }

    #[test]
    fn an_article() {
        check_read(
            &PUBMED_XML,
            ARTICLE,
            r#"[{"type": "article-journal", "title": "On <i>x</i> & y", "original-title": "Von <i>x</i>",
                "author": [{"family": "Blume", "given": "F R", "suffix": "Jr", "ORCID": "0000-0002-1825-0097"}, {"literal": "The Group"}],
                "container-title": "Acta of tests", "container-title-short": "Acta Tests", "volume": "3", "issue": "1", "page": "69-81",
                "issued": {"date-parts": [[1976, 2, 3]]}, "PMID": "123", "PMCID": "PMC77", "DOI": "10.5555/a", "ISSN": "2049-3630",
                "language": "de", "abstract": "AIMS: First. Then.", "keyword": "Ants"}]"#,
        );
    }

    #[test]
    fn dates_in_elements_and_words() {
        let check = |inner: &str, expected: &str| {
            let from = "<Year>1976</Year><Month>Feb</Month><Day>03</Day>";
            let expected = format!(r#"[{{"issued": {{"date-parts": {expected}}}}}]"#);
            check_read(&PUBMED_XML, &ARTICLE.replace(from, inner), &expected);
        };
        check("<Year>1976</Year><Season>Fall</Season>", "[[1976, 23]]");
        check(
            "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>",
            "[[1998, 12], [1999, 1]]",
        );
        check("<Year>1976</Year><Month>02</Month>", "[[1976, 2]]");
    }

    #[test]
    fn a_book_and_a_chapter_of_it() {
        let book = |article: &str| {
            format!(
                r#"<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>9</PMID><Book><Publisher><PublisherName>House</PublisherName>
            <PublisherLocation>Bethesda (MD)</PublisherLocation></Publisher><BookTitle book="x">The Book</BookTitle>
            <PubDate><Year>2010</Year></PubDate><AuthorList Type="editors"><Author><LastName>Roe</LastName><Initials>R</Initials></Author></AuthorList>
            <Isbn>0198526636</Isbn></Book>{article}</BookDocument></PubmedBookArticle></PubmedArticleSet>"#
            )
        };
        check_read(
            &PUBMED_XML,
            &book(
                "<ArticleTitle>A part</ArticleTitle><AuthorList Type='authors'><Author><LastName>Doe</LastName></Author></AuthorList>",
            ),
            r#"[{"type": "chapter", "title": "A part", "container-title": "The Book", "author": [{"family": "Doe"}],
                "editor": [{"family": "Roe", "given": "R"}], "publisher": "House", "ISBN": "9780198526636", "issued": {"date-parts": [[2010]]}}]"#,
        );
        check_read(
            &PUBMED_XML,
            &book(""),
            r#"[{"type": "book", "title": "The Book", "container-title": null}]"#,
        );
    }
}
