//! PubMed: `<PubmedArticle>` elements of the baseline, the update files and efetch. Read as a stream of
//! events; data not needed for citations (MeSH, grants, references) are skipped.

mod draft;

use memchr::memmem;

use citation_model::date::{Date, DateParts, month_by_name};
use citation_model::identifier::{Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::{Abstracts, RecordError, clean, fields, language, names};
use draft::{Author, DateText, Draft, Notice};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<PubmedArticleSet>",
    "<PubmedArticle>",
    "</PubmedArticle>",
    "<MedlineCitation>",
    "<PMID>1</PMID>",
    "<ArticleTitle>",
    "<AuthorList>",
    "<Author><LastName>",
    "<ArticleId IdType=\"doi\">",
    "<DeleteCitation>",
];

/// Reads one `<PubmedArticle>` and maps it.
pub fn from_slice(xml: &[u8]) -> Result<Work, RecordError> {
    let xml = std::str::from_utf8(xml).map_err(|error| RecordError::Syntax(error.to_string()))?;
    Draft::read(xml)?.work(Abstracts::Leave)
}

/// Reads the articles of a set, as in efetch responses, each as a work or an error.
pub fn from_set(xml: &[u8]) -> Vec<Result<Work, RecordError>> {
    const END: &[u8] = b"</PubmedArticle>";
    let starts: Vec<usize> = memmem::find_iter(xml, b"<PubmedArticle>").collect();
    let ends = starts.iter().skip(1).copied().chain([xml.len()]);
    let articles = starts.iter().zip(ends).filter_map(|(start, end)| {
        let article = xml.get(*start..end)?;
        article.get(..memmem::find(article, END)? + END.len())
    });
    articles.map(from_slice).collect()
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

/// Maximum number of notices per article; each is compared with the earlier ones.
const MOST_NOTICES: usize = 500;

impl Draft {
    /// Maps the article. Fails without a PubMed id or a title.
    fn work(self, abstracts: Abstracts) -> Result<Work, RecordError> {
        let given = self.pmid.as_deref().ok_or(RecordError::Missing("PMID"))?;
        let pmid = Pmid::parse(given).map_err(|_| RecordError::malformed("PMID", given))?;
        let doi = self.doi.as_deref().and_then(|doi| Doi::parse(doi).ok());
        let id = doi.as_ref().map_or(pmid.as_str(), Doi::as_str);
        let mut item = Item::new(id, self.item_type());
        item.set_text(TextVar::Pmid, pmid.as_str());
        item.set_text(TextVar::Doi, doi.as_ref().map_or("", Doi::as_str));
        let pmcid = self.pmcid.as_deref().and_then(|id| Pmcid::parse(id).ok());
        item.set_text(TextVar::Pmcid, pmcid.as_ref().map_or("", Pmcid::as_str));
        self.set_titles(&mut item)?;
        item.set_names(
            NameVar::Author,
            self.authors.iter().map(Author::name).collect(),
        );
        let date = self.published.date().or_else(|| self.electronic.date());
        fields::date(&mut item, DateVar::Issued, date.as_ref());
        self.set_journal(&mut item);
        self.set_description(&mut item, abstracts);
        let url = format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/");
        item.set_text(
            TextVar::Url,
            doi.as_ref().map_or_else(|| url.clone(), Doi::url),
        );
        let revised = self.revised.date().and_then(|date| date.start);
        let provenance = Provenance {
            source: Source::Pubmed,
            record_id: pmid.as_str().to_owned(),
            url: Some(url),
            license: None,
            fetched_at: revised.map_or(0, |day| super::unix_seconds(&day.iso())),
        };
        let mut work = Work::new(item, provenance);
        self.set_notices(&mut work, doi.as_ref());
        Ok(work)
    }

    fn item_type(&self) -> ItemType {
        let has = |kind: &str| self.publication_types.iter().any(|known| known == kind);
        if has("Preprint") {
            ItemType::Preprint
        } else if has("Dataset") {
            ItemType::Dataset
        } else if has("Newspaper Article") {
            ItemType::NewspaperArticle
        } else {
            ItemType::Article
        }
    }

    /// Titles end in a full stop, and a translated title is in brackets next to the title in the original
    /// language.
    fn set_titles(&self, item: &mut Item) -> Result<(), RecordError> {
        let bare = |text: &str| {
            let text = clean::rich(text);
            let text = text
                .strip_suffix('.')
                .filter(|t| !t.ends_with('.'))
                .unwrap_or(&text);
            text.to_owned()
        };
        let title = bare(&self.title);
        let translated = title
            .strip_prefix('[')
            .and_then(|title| title.strip_suffix(']'));
        let title = translated
            .unwrap_or(&title)
            .trim_end_matches('.')
            .to_owned();
        let vernacular = bare(&self.vernacular);
        let is_absent = title.is_empty() || title.eq_ignore_ascii_case("not available");
        let (title, original) = if is_absent {
            (vernacular, String::new())
        } else {
            (title, vernacular)
        };
        fields::title(item, &title, None);
        item.set_text(TextVar::OriginalTitle, original);
        match item.text(TextVar::Title) {
            Some(_) => Ok(()),
            None => Err(RecordError::Missing("title")),
        }
    }

    fn set_journal(&self, item: &mut Item) {
        fields::rich(item, TextVar::ContainerTitle, Some(&self.journal));
        if self.journal_short != self.journal {
            fields::plain(
                item,
                TextVar::ContainerTitleShort,
                Some(&self.journal_short),
            );
        }
        fields::issns(item, self.issns.iter().map(String::as_str));
        fields::volume_or_issue(item, NumberVar::Volume, Some(&self.volume));
        fields::volume_or_issue(item, NumberVar::Issue, Some(&self.issue));
        let range = match (self.first_page.as_str(), self.last_page.as_str()) {
            (first, "") => first.to_owned(),
            (first, last) if first == last => first.to_owned(),
            (first, last) => format!("{first}-{last}"),
        };
        let pages = if self.pages.trim().is_empty() {
            &range
        } else {
            &self.pages
        };
        fields::pages(item, Some(pages));
    }

    fn set_description(&self, item: &mut Item, abstracts: Abstracts) {
        let language = self.languages.first().and_then(|code| language::tag(code));
        fields::plain(item, TextVar::Language, language.as_deref());
        fields::keywords(item, self.keywords.iter().map(String::as_str));
        if item.kind == ItemType::Preprint {
            item.set_text(TextVar::Genre, "preprint");
        }
        if self
            .publication_types
            .iter()
            .any(|kind| kind == "Retracted Publication")
        {
            item.set_text(TextVar::Status, "retracted");
        }
        if abstracts == Abstracts::Keep {
            item.set_text(TextVar::Abstract, clean::rich(&self.summary.join(" ")));
        }
    }

    /// Notices with a DOI become updates. Those with only a PubMed id are kept in the item; if they change
    /// this work, its own DOI replaces the notice's.
    fn set_notices(&self, work: &mut Work, own: Option<&Doi>) {
        let mut by_pmid = Vec::new();
        for notice in self.notices.iter().take(MOST_NOTICES) {
            let Some((kind, relation)) = notice.meaning() else {
                continue;
            };
            if (kind, relation) == (UpdateKind::Retraction, UpdateRelation::UpdatedBy) {
                work.item.set_text(TextVar::Status, "retracted");
            }
            let stand_in = own.filter(|_| relation == UpdateRelation::UpdatedBy);
            if let Some(doi) = notice.doi().or(stand_in.cloned()) {
                let update = Update {
                    kind,
                    relation,
                    doi,
                    date: None,
                    source: "pubmed".into(),
                };
                if !work.updates.contains(&update) {
                    work.updates.push(update);
                }
            }
            if !notice.pmid.is_empty() {
                by_pmid.push(serde_json::json!({
                    "type": kind.as_str(),
                    "relation": relation.as_str(),
                    "pmid": notice.pmid,
                }));
            }
        }
        if !by_pmid.is_empty() {
            work.item
                .custom
                .insert("pubmed-notices".into(), by_pmid.into());
        }
    }
}

impl DateText {
    fn date(&self) -> Option<Date> {
        let Ok(year) = self.year.trim().parse::<i32>() else {
            return Date::parse(&clean::plain(&self.words));
        };
        if !self.season.is_empty() {
            return Date::parse(&format!("{} {year}", self.season));
        }
        let month = self.month.trim();
        let month = month
            .parse()
            .ok()
            .or_else(|| month_by_name(month).map(i64::from));
        let day = self.day.trim().parse().ok();
        Some(DateParts::new(year, month, day).into())
    }
}

impl Author {
    fn name(&self) -> Name {
        if self.family.is_empty() && !self.collective.is_empty() {
            return names::literal(&self.collective);
        }
        let given = if self.given.is_empty() {
            &self.initials
        } else {
            &self.given
        };
        let mut name = names::from_parts(Some(&self.family), Some(given), Some(&self.suffix));
        name.orcid.clone_from(&self.orcid);
        name
    }
}

impl Notice {
    fn meaning(&self) -> Option<(UpdateKind, UpdateRelation)> {
        use UpdateRelation::{UpdateTo, UpdatedBy};
        let meaning = match self.kind.as_str() {
            "RetractionIn" | "PartialRetractionIn" => (UpdateKind::Retraction, UpdatedBy),
            "RetractionOf" | "PartialRetractionOf" => (UpdateKind::Retraction, UpdateTo),
            "ErratumIn" => (UpdateKind::Correction, UpdatedBy),
            "ErratumFor" => (UpdateKind::Correction, UpdateTo),
            "CorrectedandRepublishedIn" => (UpdateKind::Correction, UpdatedBy),
            "CorrectedandRepublishedFrom" => (UpdateKind::Correction, UpdateTo),
            "ExpressionOfConcernIn" => (UpdateKind::ExpressionOfConcern, UpdatedBy),
            "ExpressionOfConcernFor" => (UpdateKind::ExpressionOfConcern, UpdateTo),
            "UpdateIn" | "RepublishedIn" => (UpdateKind::NewVersion, UpdatedBy),
            "UpdateOf" | "RepublishedFrom" => (UpdateKind::NewVersion, UpdateTo),
            _ => return None,
        };
        Some(meaning)
    }

    /// The DOI at the end of `J Urol. 2009;181(2):1. doi: 10.1016/j.juro.2008.12.001`.
    fn doi(&self) -> Option<Doi> {
        let at = self.source.to_ascii_lowercase().rfind("doi")?;
        Doi::parse(self.source.get(at..)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let cut = &ARTICLE[..ARTICLE.len() - 200];
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
