//! PubMed: `<PubmedArticle>` and `<PubmedBookArticle>` elements of the baseline, the update files and efetch.
//! The fields are those of the import of such files.

use memchr::memmem;

use citation_exchange::{PubmedRecord, pubmed_record};
use citation_model::budget::Budget;
use citation_model::identifier::{Doi, Pmid};
use citation_model::variable::TextVar;
use citation_model::work::{Provenance, Source, Work};

use super::RecordError;

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<PubmedArticleSet>",
    "<PubmedArticle>",
    "</PubmedArticle>",
    "<PubmedBookArticle>",
    "<MedlineCitation>",
    "<PMID>1</PMID>",
    "<ArticleTitle>",
    "<AuthorList>",
    "<Author><LastName>",
    "<CommentsCorrections RefType=\"RetractionIn\">",
    "<ArticleId IdType=\"doi\">",
    "<DeleteCitation>",
];

/// Reads one article or book and maps it.
pub fn from_slice(xml: &[u8]) -> Result<Work, RecordError> {
    let xml = std::str::from_utf8(xml).map_err(|error| RecordError::Syntax(error.to_string()))?;
    let record = pubmed_record(xml, &Budget::unlimited())
        .map_err(|error| RecordError::Syntax(error.to_string()))?;
    work(record.ok_or(RecordError::Missing("PMID"))?)
}

/// Reads the articles and books of a set, as in efetch responses, each as a work or an error.
pub fn from_set(xml: &[u8]) -> Vec<Result<Work, RecordError>> {
    const ENDS: [(&[u8], &[u8]); 2] = [
        (b"<PubmedArticle>", b"</PubmedArticle>"),
        (b"<PubmedBookArticle>", b"</PubmedBookArticle>"),
    ];
    let mut found: Vec<(usize, Result<Work, RecordError>)> = Vec::new();
    for (open, close) in ENDS {
        let starts: Vec<usize> = memmem::find_iter(xml, open).collect();
        let ends = starts.iter().skip(1).copied().chain([xml.len()]);
        found.extend(starts.iter().zip(ends).filter_map(|(start, end)| {
            let record = xml.get(*start..end)?;
            let record = record.get(..memmem::find(record, close)? + close.len())?;
            Some((*start, from_slice(record)))
        }));
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, work)| work).collect()
}

/// The ids of withdrawn records in the `<DeleteCitation>` of an update file.
pub fn deleted(xml: &[u8]) -> Vec<Pmid> {
    let text = memmem::find(xml, b"<DeleteCitation>").and_then(|start| {
        let end = memmem::find(xml.get(start..)?, b"</DeleteCitation>")?;
        std::str::from_utf8(xml.get(start..start + end)?).ok()
    });
    let pieces = text.unwrap_or_default().split("</PMID>");
    let ids = pieces.filter_map(|piece| Pmid::parse(piece.rsplit('>').next()?).ok());
    ids.collect()
}

/// Adds the provenance. Fails without a PubMed id or a title.
fn work(record: PubmedRecord) -> Result<Work, RecordError> {
    let mut item = record.item;
    let given = item
        .text(TextVar::Pmid)
        .ok_or(RecordError::Missing("PMID"))?;
    let pmid = Pmid::parse(given).map_err(|_| RecordError::malformed("PMID", given))?;
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    let doi = item.doi();
    item.id = doi.as_ref().map_or(pmid.as_str(), Doi::as_str).to_owned();
    let url = format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/");
    item.set_text(
        TextVar::Url,
        doi.as_ref().map_or_else(|| url.clone(), Doi::url),
    );
    let revised = record.revised.and_then(|date| date.start);
    let provenance = Provenance {
        source: Source::Pubmed,
        record_id: pmid.as_str().to_owned(),
        url: Some(url),
        license: None,
        fetched_at: revised.map_or(0, |day| super::unix_seconds(&day.iso())),
    };
    Ok(Work {
        updates: record.updates,
        ..Work::new(item, provenance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::Date;
    use citation_model::name::Name;
    use citation_model::variable::{DateVar, NameVar, NumberVar};

    const ARTICLE: &str = r#"<PubmedArticle><MedlineCitation><PMID Version="1">123</PMID>
        <DateRevised><Year>2019</Year><Month>12</Month><Day>17</Day></DateRevised>
        <Article><Journal><ISSN IssnType="Print">2049-3630</ISSN><JournalIssue><Volume>3</Volume><Issue>1</Issue>
        <PubDate><Year>1976</Year><Month>Feb</Month><Day>03</Day></PubDate></JournalIssue>
        <Title>Acta of tests</Title><ISOAbbreviation>Acta Tests</ISOAbbreviation></Journal>
        <ArticleTitle>[On <i>x</i> &amp; y].</ArticleTitle><VernacularTitle>Von <i>x</i>.</VernacularTitle>
        <Pagination><MedlinePgn>69-81</MedlinePgn></Pagination>
        <AuthorList><Author><LastName>Blume</LastName><ForeName>F R</ForeName><Initials>FR</Initials>
        <Suffix>Jr</Suffix><Identifier Source="ORCID">0000-0002-1825-0097</Identifier></Author>
        <Author><CollectiveName>The Group</CollectiveName></Author></AuthorList><Language>ger</Language>
        <PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList></Article>
        <CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><RefSource>Acta. doi: 10.5555/R</RefSource>
        <PMID Version="1">124</PMID></CommentsCorrections><CommentsCorrections RefType="CommentIn">
        <RefSource>x</RefSource></CommentsCorrections></CommentsCorrectionsList></MedlineCitation>
        <PubmedData><ArticleIdList><ArticleId IdType="doi">10.5555/A</ArticleId>
        <ArticleId IdType="pmc">PMC77</ArticleId></ArticleIdList><ReferenceList><Reference><ArticleIdList>
        <ArticleId IdType="doi">10.5555/other</ArticleId></ArticleIdList></Reference></ReferenceList>
        </PubmedData></PubmedArticle>"#;

    #[test]
    fn an_article() {
        let work = from_slice(ARTICLE.as_bytes()).unwrap();
        let item = &work.item;
        assert_eq!(item.text(TextVar::Title), Some("On <i>x</i> & y"));
        assert_eq!(item.text(TextVar::OriginalTitle), Some("Von <i>x</i>"));
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/a"));
        assert_eq!(item.text(TextVar::Pmcid), Some("PMC77"));
        let names: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(Name::display)
            .collect();
        assert_eq!(names, ["F R Blume Jr", "The Group"]);
        assert_eq!(
            item.date(DateVar::Issued).map(Date::edtf).as_deref(),
            Some("1976-02-03")
        );
        assert_eq!(item.number(NumberVar::Page), Some("69-81"));
        assert_eq!(item.text(TextVar::Language), Some("de"));
        assert_eq!(item.text(TextVar::Status), Some("retracted"));
        assert_eq!(work.updates.len(), 1);
        assert_eq!(work.updates[0].doi.as_str(), "10.5555/r");
        assert_eq!(work.provenance.fetched_at, 1_576_540_800);
    }

    #[test]
    fn dates_in_elements_and_words() {
        let date = |inner: &str| {
            let from = "<Year>1976</Year><Month>Feb</Month><Day>03</Day>";
            let work = from_slice(ARTICLE.replace(from, inner).as_bytes()).unwrap();
            work.item
                .date(DateVar::Issued)
                .map(Date::edtf)
                .unwrap_or_default()
        };
        assert_eq!(date("<Year>1976</Year><Season>Fall</Season>"), "1976-23");
        assert_eq!(
            date("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>"),
            "1998-12/1999-01"
        );
        assert_eq!(date("<Year>1976</Year><Month>02</Month>"), "1976-02");
    }

    #[test]
    fn withdrawn_records_are_named() {
        let file = format!(
            "<PubmedArticleSet>{ARTICLE}<DeleteCitation><PMID Version=\"1\">9</PMID></DeleteCitation>"
        );
        assert_eq!(deleted(file.as_bytes()).len(), 1);
    }

    #[test]
    fn broken_records_are_refused() {
        let cut = ARTICLE.get(..ARTICLE.len() - 200).unwrap();
        assert!(matches!(
            from_slice(cut.as_bytes()),
            Err(RecordError::Syntax(_))
        ));
        assert_eq!(
            from_slice(b"<PubmedArticle/>"),
            Err(RecordError::Missing("PMID"))
        );
    }
}
