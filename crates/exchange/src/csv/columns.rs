//! The meaning of the columns of a table: proposed from its header and correctable by the caller.

use serde::Serialize;

use super::table::Row;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// A column of a table and the variable that it is read into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// As in the header.
    pub name: String,
    /// A CSL variable or one of `type`, `citation-key`, `year`, `page-last`, `citation`; `None` if the
    /// column is ignored.
    pub variable: Option<&'static str>,
    #[serde(skip)]
    pub(super) field: Option<ColumnTarget>,
}

/// The target of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnTarget {
    /// A type in the terms of CSL, Zotero, BibTeX and others.
    Kind,
    /// A type in the terms of databases, in which a letter is an article.
    DatabaseKind,
    Key,
    Year,
    PageLast,
    /// A whole reference; only volume, issue and pages are used.
    Citation,
    Text(TextVar),
    Number(NumberVar),
    Date(DateVar),
    Names(NameVar),
}

impl ColumnTarget {
    fn name(self) -> &'static str {
        match self {
            ColumnTarget::Kind | ColumnTarget::DatabaseKind => "type",
            ColumnTarget::Key => "citation-key",
            ColumnTarget::Year => "year",
            ColumnTarget::PageLast => "page-last",
            ColumnTarget::Citation => "citation",
            ColumnTarget::Text(variable) => variable.csl(),
            ColumnTarget::Number(variable) => variable.csl(),
            ColumnTarget::Date(variable) => variable.csl(),
            ColumnTarget::Names(variable) => variable.csl(),
        }
    }

    fn parse(name: &str) -> Option<ColumnTarget> {
        Some(match name {
            "type" => ColumnTarget::Kind,
            "citation-key" | "id" => ColumnTarget::Key,
            "year" => ColumnTarget::Year,
            "page-last" => ColumnTarget::PageLast,
            "citation" => ColumnTarget::Citation,
            _ => return variable(name),
        })
    }
}

fn variable(name: &str) -> Option<ColumnTarget> {
    let text = TextVar::from_csl(name).map(ColumnTarget::Text);
    text.or_else(|| NumberVar::from_csl(name).map(ColumnTarget::Number))
        .or_else(|| DateVar::from_csl(name).map(ColumnTarget::Date))
        .or_else(|| NameVar::from_csl(name).map(ColumnTarget::Names))
}

/// Header words, normalised to lower-case letters and digits, of Zotero, Scopus, Web of Science, IEEE
/// Xplore, PubMed, SpringerLink, Dimensions and EBSCO, and common ones of hand-made tables. If several
/// columns contain names or types, the one listed first here is used.
const WORDS: &[(&str, &str)] = &[
    ("itemtype", "type"),
    ("documenttype", "database-type"),
    ("contenttype", "database-type"),
    ("publicationtype", "database-type"),
    ("documentidentifier", "database-type"),
    ("doctype", "database-type"),
    ("entrytype", "type"),
    ("referencetype", "type"),
    ("type", "type"),
    ("typ", "type"),
    ("key", "citation-key"),
    ("citationkey", "citation-key"),
    ("citekey", "citation-key"),
    ("bibtexkey", "citation-key"),
    ("bibliographykey", "citation-key"),
    ("authorfullnames", "author"),
    ("authorfullname", "author"),
    ("author", "author"),
    ("authors", "author"),
    ("authornames", "author"),
    ("creator", "author"),
    ("creators", "author"),
    ("autor", "author"),
    ("autoren", "author"),
    ("autores", "author"),
    ("auteur", "author"),
    ("auteurs", "author"),
    ("verfasser", "author"),
    ("author1", "author"),
    ("authorshipsauthordisplayname", "author"),
    ("editor", "editor"),
    ("editors", "editor"),
    ("bookeditors", "editor"),
    ("herausgeber", "editor"),
    ("serieseditor", "collection-editor"),
    ("translator", "translator"),
    ("contributor", "contributor"),
    ("bookauthor", "container-author"),
    ("reviewedauthor", "reviewed-author"),
    ("composer", "composer"),
    ("interviewer", "interviewer"),
    ("recipient", "recipient"),
    ("scriptwriter", "script-writer"),
    ("guest", "guest"),
    ("producer", "producer"),
    ("director", "director"),
    ("castmember", "performer"),
    ("performer", "performer"),
    ("title", "title"),
    ("documenttitle", "title"),
    ("articletitle", "title"),
    ("itemtitle", "title"),
    ("papertitle", "title"),
    ("titel", "title"),
    ("titre", "title"),
    ("titulo", "title"),
    ("titolo", "title"),
    ("shorttitle", "title-short"),
    ("originaltitle", "original-title"),
    ("publicationtitle", "container-title"),
    ("sourcetitle", "container-title"),
    ("journal", "container-title"),
    ("journaltitle", "container-title"),
    ("journalname", "container-title"),
    ("journalbook", "container-title"),
    ("containertitle", "container-title"),
    ("anthologytitle", "container-title"),
    ("primarylocationsourcedisplayname", "container-title"),
    ("booktitle", "container-title"),
    ("publication", "container-title"),
    ("periodical", "container-title"),
    ("source", "container-title"),
    ("zeitschrift", "container-title"),
    ("revue", "container-title"),
    ("revista", "container-title"),
    ("journalabbreviation", "container-title-short"),
    ("abbreviatedsourcetitle", "container-title-short"),
    ("isosourceabbreviation", "container-title-short"),
    ("series", "collection-title"),
    ("seriestitle", "collection-title"),
    ("bookseriestitle", "collection-title"),
    ("reihe", "collection-title"),
    ("seriesnumber", "collection-number"),
    ("date", "issued"),
    ("issued", "issued"),
    ("publicationdate", "issued"),
    ("dateofpublication", "issued"),
    ("published", "issued"),
    ("datepublished", "issued"),
    ("coverdate", "issued"),
    ("datum", "issued"),
    ("fecha", "issued"),
    ("publicationyear", "year"),
    ("year", "year"),
    ("pubyear", "year"),
    ("yearofpublication", "year"),
    ("jahr", "year"),
    ("annee", "year"),
    ("ano", "year"),
    ("anno", "year"),
    ("accessdate", "accessed"),
    ("accessed", "accessed"),
    ("volume", "volume"),
    ("journalvolume", "volume"),
    ("vol", "volume"),
    ("band", "volume"),
    ("issue", "issue"),
    ("journalissue", "issue"),
    ("issuenumber", "issue"),
    ("heft", "issue"),
    ("numero", "issue"),
    ("pages", "page"),
    ("page", "page"),
    ("pagerange", "page"),
    ("pagination", "page"),
    ("seiten", "page"),
    ("paginas", "page"),
    ("pagestart", "page-first"),
    ("startpage", "page-first"),
    ("firstpage", "page-first"),
    ("beginningpage", "page-first"),
    ("pageend", "page-last"),
    ("endpage", "page-last"),
    ("lastpage", "page-last"),
    ("endingpage", "page-last"),
    ("citation", "citation"),
    ("artno", "number"),
    ("articlenumber", "number"),
    ("articleno", "number"),
    ("number", "number"),
    ("numpages", "number-of-pages"),
    ("numberofvolumes", "number-of-volumes"),
    ("edition", "edition"),
    ("auflage", "edition"),
    ("version", "version"),
    ("section", "section"),
    ("publisher", "publisher"),
    ("verlag", "publisher"),
    ("editeur", "publisher"),
    ("editorial", "publisher"),
    ("place", "publisher-place"),
    ("publisherplace", "publisher-place"),
    ("publisheraddress", "publisher-place"),
    ("publishercity", "publisher-place"),
    ("placeofpublication", "publisher-place"),
    ("city", "publisher-place"),
    ("ort", "publisher-place"),
    ("doi", "DOI"),
    ("itemdoi", "DOI"),
    ("digitalobjectidentifier", "DOI"),
    ("doilink", "DOI"),
    ("isbn", "ISBN"),
    ("isbns", "ISBN"),
    ("printisbn", "ISBN"),
    ("eisbn", "ISBN"),
    ("issn", "ISSN"),
    ("issns", "ISSN"),
    ("printissn", "ISSN"),
    ("eissn", "ISSN"),
    ("pmid", "PMID"),
    ("pubmedid", "PMID"),
    ("pmcid", "PMCID"),
    ("url", "URL"),
    ("link", "URL"),
    ("itemurl", "URL"),
    ("landingpageurl", "URL"),
    ("articleurl", "URL"),
    ("externalurl", "URL"),
    ("permalink", "URL"),
    ("plink", "URL"),
    ("abstract", "abstract"),
    ("abstractnote", "abstract"),
    ("zusammenfassung", "abstract"),
    ("resume", "abstract"),
    ("resumen", "abstract"),
    ("keywords", "keyword"),
    ("keyword", "keyword"),
    ("authorkeywords", "keyword"),
    ("manualtags", "keyword"),
    ("automatictags", "keyword"),
    ("tags", "keyword"),
    ("subjects", "keyword"),
    ("schlagworter", "keyword"),
    ("language", "language"),
    ("languageoforiginaldocument", "language"),
    ("sprache", "language"),
    ("conferencename", "event-title"),
    ("conferencetitle", "event-title"),
    ("meetingname", "event-title"),
    ("conferencelocation", "event-place"),
    ("conferencedate", "event-date"),
    ("extra", "note"),
    ("note", "note"),
    ("rights", "license"),
    ("license", "license"),
    ("archive", "archive"),
    ("archivelocation", "archive_location"),
    ("librarycatalog", "source"),
    ("callnumber", "call-number"),
    ("medium", "medium"),
    ("scale", "scale"),
    ("applicationnumber", "call-number"),
    ("reviewedtitle", "reviewed-title"),
    ("authority", "authority"),
    ("dimensions", "dimensions"),
    ("originaldate", "original-date"),
    ("filingdate", "submitted"),
    ("submitted", "submitted"),
];

/// The columns of a header.
pub(super) fn propose(header: &Row<'_>) -> Vec<Column> {
    let ranks: Vec<Option<usize>> = header.cells.iter().map(|name| rank(name)).collect();
    let field_at = |rank: Option<usize>| {
        let (_, name) = WORDS.get(rank?)?;
        match *name {
            "database-type" => Some(ColumnTarget::DatabaseKind),
            name => ColumnTarget::parse(name),
        }
    };
    let columns = header.cells.iter().zip(&ranks).map(|(name, rank)| {
        let field = field_at(*rank);
        // Another column has better data for the field.
        let is_worse = field.is_some_and(|field| {
            let alike = |other: Option<ColumnTarget>| match (field, other) {
                (ColumnTarget::Names(own), Some(ColumnTarget::Names(other))) => own == other,
                (ColumnTarget::Kind | ColumnTarget::DatabaseKind, Some(other)) => {
                    matches!(other, ColumnTarget::Kind | ColumnTarget::DatabaseKind)
                }
                _ => false,
            };
            { ranks.iter() }.any(|other| other < rank && alike(field_at(*other)))
        });
        let field = match (field, is_worse) {
            (Some(ColumnTarget::Kind), true) => Some(ColumnTarget::Text(TextVar::Genre)),
            (_, true) => None,
            (field, false) => field,
        };
        Column {
            name: name.trim().to_owned(),
            variable: field.map(ColumnTarget::name),
            field,
        }
    });
    columns.collect()
}

/// The position of a header word in the list; names of variables come last.
fn rank(name: &str) -> Option<usize> {
    let folded: String = deunicode::deunicode(name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let find = |folded: &str| WORDS.iter().position(|(word, _)| *word == folded);
    // OpenAlex names columns by paths: `biblio.first_page`.
    let last = || {
        let (group, last) = name.rsplit_once('.')?;
        let is_group = matches!(group, "biblio" | "ids" | "primary_location");
        is_group.then(|| find(&last.replace('_', "")))?
    };
    find(&folded).or_else(last)
}

/// Whether a row is the header of a table of works: it has a title or a DOI, and another known column.
pub(super) fn is_header(row: &Row<'_>) -> bool {
    let short = row.cells.iter().all(|cell| cell.len() < LONGEST_NAME);
    if !short || row.cells.len() < 2 {
        return false;
    }
    let columns = propose(row);
    let known = columns.iter().filter_map(|column| column.field);
    let is_work = |field| {
        matches!(
            field,
            ColumnTarget::Text(TextVar::Title | TextVar::Doi | TextVar::Pmid)
        )
    };
    known.clone().any(is_work) && known.count() >= 2
}

/// Maximum bytes of a column name.
const LONGEST_NAME: usize = 100;

/// Changes the targets of columns: `Titel=title, Jahr=year, Nr=`. A column without a variable is ignored.
/// Unknown columns and unknown variables are errors.
pub(super) fn correct(columns: &mut [Column], corrections: &str) -> Result<(), String> {
    for pair in corrections
        .split(',')
        .filter(|pair| !pair.trim().is_empty())
    {
        let (name, variable) = pair.rsplit_once('=').ok_or_else(|| {
            format!(
                "“{}” is no column and its variable, such as Titel=title",
                pair.trim()
            )
        })?;
        let (name, variable) = (name.trim(), variable.trim());
        let field = match variable {
            "" => None,
            _ => Some(ColumnTarget::parse(variable).ok_or_else(|| {
                format!("“{variable}” is no variable of CSL, and not type, citation-key, year, page-last or citation")
            })?),
        };
        let same = |column: &&mut Column| column.name.eq_ignore_ascii_case(name);
        let column = columns
            .iter_mut()
            .find(same)
            .ok_or_else(|| format!("the table has no column “{name}”"))?;
        column.field = field;
        column.variable = field.map(ColumnTarget::name);
    }
    Ok(())
}
