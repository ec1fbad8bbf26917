//! The list of Retraction Watch, which Crossref publishes as CSV: a notice a row.
//!
//! Written after the columns of <https://gitlab.com/crossref/retraction-watch-data>.

use citation_exchange::table::Rows;
use citation_model::date::Date;
use citation_model::identifier::{Doi, Pmid};
use citation_model::work::{Update, UpdateKind, UpdateRelation};

use super::RecordError;

/// The name of the list as the source of its notices.
pub const SOURCE: &str = "retraction-watch";

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "RetractionDOI,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,RetractionDate,Reason\n",
    "10.1000/a,",
    "unavailable,",
    "\"\"",
    "\n",
    ";",
    "\"",
    "Retraction,",
    "1/31/2020 0:00,",
    "+Error in Data;",
];

/// A notice of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedNotice {
    pub work: NotedWork,
    /// Its DOI is that of the notice; the work's own where the list gives none.
    pub notice: Option<Doi>,
    pub kind: UpdateKind,
    pub date: Option<Date>,
    pub reasons: Vec<String>,
}

/// The work that a notice is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotedWork {
    Doi(Doi),
    /// The list has no DOI for it.
    Pmid(Pmid),
}

impl ListedNotice {
    /// The notice as that of a work with this DOI.
    pub fn update(&self, work: &Doi) -> Update {
        Update {
            kind: self.kind,
            relation: UpdateRelation::UpdatedBy,
            doi: self.notice.clone().unwrap_or_else(|| work.clone()),
            date: self.date.clone(),
            source: SOURCE.to_owned(),
            reasons: self.reasons.clone(),
        }
    }
}

/// Whether the start of a file is the header of the list.
pub fn is_header(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    line.contains("RetractionNature") && line.contains("OriginalPaperDOI")
}

/// Maximum number of reasons of a notice.
const MAX_REASONS: usize = 50;

/// Reads a row behind the header of its file, in one text.
pub fn from_slice(bytes: &[u8]) -> Result<ListedNotice, RecordError> {
    let text = String::from_utf8_lossy(bytes);
    let mut rows = Rows::new(&text);
    let header = rows.next().ok_or(RecordError::Missing("header"))?;
    let row = rows.next().ok_or(RecordError::Missing("row"))?;
    let cell = |name: &str| {
        let is_named = |cell: &std::borrow::Cow<'_, str>| cell.trim().eq_ignore_ascii_case(name);
        let at = header.cells.iter().position(is_named);
        at.and_then(|at| row.cells.get(at))
            .map_or("", |cell| cell.trim())
    };
    let nature = cell("RetractionNature");
    let kind = match UpdateKind::parse(nature) {
        UpdateKind::Other => return Err(RecordError::malformed("RetractionNature", nature)),
        kind => kind,
    };
    let doi = Doi::parse(cell("OriginalPaperDOI")).ok();
    let work = doi.map(NotedWork::Doi).or_else(|| {
        let pmid = Pmid::parse(cell("OriginalPaperPubMedID")).ok()?;
        Some(NotedWork::Pmid(pmid))
    });
    let reasons = cell("Reason").split(';');
    let reasons = reasons.map(|reason| reason.trim().trim_start_matches('+').trim());
    Ok(ListedNotice {
        work: work.ok_or(RecordError::Missing(
            "DOI or PubMed id of the original paper",
        ))?,
        notice: Doi::parse(cell("RetractionDOI")).ok(),
        kind,
        date: date(cell("RetractionDate")),
        reasons: reasons
            .filter(|reason| !reason.is_empty())
            .take(MAX_REASONS)
            .map(str::to_owned)
            .collect(),
    })
}

/// `1/31/2020 0:00`: month, day, year; or an ISO date.
fn date(text: &str) -> Option<Date> {
    let day = text.split_whitespace().next()?;
    let mut parts = day.split('/').map(|part| part.parse::<u16>().ok());
    match (
        parts.next()?,
        parts.next().flatten(),
        parts.next().flatten(),
    ) {
        (Some(month), Some(day), Some(year)) => {
            Date::parse_iso(&format!("{year:04}-{month:02}-{day:02}"))
        }
        _ => Date::parse_iso(day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes";

    fn read(row: &str) -> Result<ListedNotice, RecordError> {
        from_slice(format!("{HEADER}\n{row}").as_bytes())
    }

    #[test]
    fn row_is_a_notice_about_a_work() {
        let notice = read(
            "70001,\"Frogs, and \"\"toads\"\"\nof the marsh\",(BLS) Biology;,A; B,J,P,X,Jo Doe,,Research Article;,7/4/2023 0:00,10.1000/Notice,111,1/1/2019 0:00,10.1000/Work,222,Retraction,+Concerns/Issues About Data;+Investigation by Journal/Publisher;,No,\"See, note\"",
        )
        .unwrap();
        let work = Doi::parse("10.1000/work").unwrap();
        assert_eq!(notice.work, NotedWork::Doi(work.clone()));
        let update = notice.update(&work);
        assert_eq!(update.doi.as_str(), "10.1000/notice");
        assert_eq!(update.kind, UpdateKind::Retraction);
        assert_eq!(update.date.unwrap().edtf(), "2023-07-04");
        assert_eq!(
            update.reasons,
            [
                "Concerns/Issues About Data",
                "Investigation by Journal/Publisher"
            ]
        );
    }

    #[test]
    fn missing_identifiers_are_replaced_or_rejected() {
        let row = |notice: &str, doi: &str, pmid: &str, nature: &str| {
            read(&format!(
                ",,,,,,,,,,1/1/2020,{notice},0,,{doi},{pmid},{nature},,,"
            ))
        };
        let work = Doi::parse("10.1000/work").unwrap();
        let in_place = row("unavailable", "10.1000/work", "0", "Expression of concern").unwrap();
        assert_eq!(in_place.update(&work).doi, work);
        assert_eq!(in_place.kind, UpdateKind::ExpressionOfConcern);
        let by_pmid = row("Unavailable", "unavailable", "22222", "Reinstatement").unwrap();
        assert_eq!(by_pmid.work, NotedWork::Pmid(Pmid::parse("22222").unwrap()));
        assert_eq!(by_pmid.kind, UpdateKind::Reinstatement);
        assert!(row("", "unavailable", "0", "Retraction").is_err());
        assert!(row("", "10.1000/work", "0", "Curiosity").is_err());
        assert!(from_slice(b"").is_err());
    }
}
