//! The meaning of the columns of a table: proposed from its header and correctable by the caller.

use serde::Serialize;

use super::table::Row;
use citation_fields::clean::cut;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// A column of a table and the variable that it is read into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// As in the header.
    pub name: String,
    /// A CSL variable or one of `type`, `citation-key`, `year`, `month`, `day`, `page-last`, `citation`; `None` if the
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
    Month,
    Day,
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
            ColumnTarget::Month => "month",
            ColumnTarget::Day => "day",
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
            "month" => ColumnTarget::Month,
            "day" => ColumnTarget::Day,
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

/// Targets and their header words, normalised to lower-case letters and digits, of Zotero, Scopus, Web of
/// Science, IEEE Xplore, PubMed, SpringerLink, Dimensions, EBSCO, Lens and Publish or Perish, of the screening
/// programs Covidence, Rayyan, ASReview, EPPI-Reviewer, DistillerSR, Colandr, Abstrackr, SysRev, CADIMA and
/// revtools, and common ones of hand-made tables.
/// If several columns contain names or types, the one listed first here is used.
const WORDS: &[(&str, &str)] = &[
    ("type", "itemtype"),
    (
        "database-type",
        "documenttype contenttype publicationtype documentidentifier doctype",
    ),
    ("type", "entrytype referencetype type typ"),
    (
        "citation-key",
        "key citationkey citekey bibtexkey bibliographykey",
    ),
    (
        "author",
        "authorfullnames authorfullname author authors authornames creator creators autor \
         autoren autores auteur auteurs verfasser author1 authorshipsauthordisplayname citationauthors authorlist authorsfull \
         byline reviewbyline",
    ),
    (
        "editor",
        "editor editors bookeditors herausgeber parentauthors",
    ),
    ("collection-editor", "serieseditor"),
    ("translator", "translator"),
    ("contributor", "contributor"),
    ("container-author", "bookauthor"),
    ("reviewed-author", "reviewedauthor"),
    ("composer", "composer"),
    ("interviewer", "interviewer"),
    ("recipient", "recipient"),
    ("script-writer", "scriptwriter"),
    ("guest", "guest"),
    ("producer", "producer"),
    ("director", "director"),
    ("performer", "castmember performer"),
    (
        "title",
        "title documenttitle articletitle itemtitle papertitle titel titre titulo titolo citationtitle primarytitle studytitle referencetitle",
    ),
    ("title-short", "shorttitle"),
    ("original-title", "originaltitle"),
    (
        "container-title",
        "publicationtitle sourcetitle journal journaltitle journalname journalbook \
         containertitle anthologytitle primarylocationsourcedisplayname booktitle publication \
         periodical zeitschrift revue revista parenttitle citationjournalname secondarytitle fulljournaltitle \
         source",
    ),
    (
        "container-title-short",
        "journalabbreviation abbreviatedsourcetitle isosourceabbreviation",
    ),
    (
        "collection-title",
        "series seriestitle bookseriestitle reihe",
    ),
    ("collection-number", "seriesnumber"),
    (
        "issued",
        "date issued publicationdate dateofpublication published datepublished coverdate datum \
         fecha",
    ),
    (
        "year",
        "publicationyear year pubyear yearofpublication jahr annee ano anno publishedyear \
         citationpubyear yearpublished",
    ),
    (
        "month",
        "publishedmonth month publicationmonth citationpubmonth monat",
    ),
    ("day", "publishedday day publicationday"),
    ("accessed", "accessdate accessed"),
    (
        "volume",
        "volume journalvolume vol band citationjournalvolume",
    ),
    (
        "issue",
        "issue journalissue issuenumber heft numero citationissuenumber journalnumber",
    ),
    (
        "page",
        "pages page pagerange pagination seiten paginas citationpages pagenumbers",
    ),
    ("page-first", "pagestart startpage firstpage beginningpage"),
    ("page-last", "pageend endpage lastpage endingpage"),
    ("citation", "citation"),
    ("number", "artno articlenumber articleno number"),
    ("number-of-pages", "numpages"),
    ("number-of-volumes", "numberofvolumes"),
    ("edition", "edition auflage"),
    ("version", "version"),
    ("section", "section"),
    ("publisher", "publisher verlag editeur editorial"),
    (
        "publisher-place",
        "place publisherplace publisheraddress publishercity placeofpublication city ort publisherlocation \
         location",
    ),
    (
        "DOI",
        "doi itemdoi digitalobjectidentifier doilink citationdoi",
    ),
    ("ISBN", "isbn isbns printisbn eisbn"),
    (
        "ISSN",
        "issn issns printissn eissn citationissn standardnumber",
    ),
    ("PMID", "pmid pubmedid pubmed entrezuid"),
    ("PMCID", "pmcid pmc"),
    (
        "URL",
        "url link itemurl landingpageurl articleurl externalurl permalink plink sourceurl",
    ),
    (
        "abstract",
        "abstract abstractnote zusammenfassung resume resumen citationabstract",
    ),
    (
        "keyword",
        "keywords keyword authorkeywords manualtags automatictags tags subjects schlagworter citationkeywords meshterms",
    ),
    ("language", "language languageoforiginaldocument sprache"),
    ("event-title", "conferencename conferencetitle meetingname"),
    ("event-place", "conferencelocation"),
    ("event-date", "conferencedate"),
    ("note", "extra note notes comments"),
    ("license", "rights license"),
    ("archive", "archive"),
    ("archive_location", "archivelocation"),
    ("source", "librarycatalog"),
    ("call-number", "callnumber applicationnumber"),
    ("medium", "medium"),
    ("scale", "scale"),
    ("reviewed-title", "reviewedtitle"),
    ("authority", "authority"),
    ("dimensions", "dimensions"),
    ("original-date", "originaldate"),
    ("submitted", "filingdate submitted"),
];

/// The header words with their targets, in order.
fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = |(target, words): &(&'static str, &'static str)| {
        let target = *target;
        words.split(' ').map(move |word| (word, target))
    };
    WORDS.iter().flat_map(words)
}

/// The columns of a header.
pub(super) fn propose(header: &Row<'_>) -> Vec<Column> {
    let ranks: Vec<Option<usize>> = header.cells.iter().map(|name| rank(name)).collect();
    let field_at = |rank: &Option<usize>| match words().nth((*rank)?)?.1 {
        "database-type" => Some(ColumnTarget::DatabaseKind),
        name => ColumnTarget::parse(name),
    };
    let mut fields: Vec<Option<ColumnTarget>> = ranks.iter().map(field_at).collect();
    // The summaries of PubMed have names of their own, which elsewhere mean other things.
    let is_summary = has_names(header, &["EntrezUID", "Details"]);
    for (name, field) in header.cells.iter().zip(&mut fields).filter(|_| is_summary) {
        match name.trim() {
            "Description" => *field = Some(ColumnTarget::Names(NameVar::Author)),
            "Details" => *field = Some(ColumnTarget::Citation),
            "URL" | "Type" => *field = None,
            _ => {}
        }
    }
    let known = ranks.iter().zip(&fields);
    let source = rank("source");
    let cells = header.cells.iter().zip(known.clone());
    let columns = cells.map(|(name, (rank, field))| {
        let field = *field;
        // Another column has better data for the field.
        let is_worse = field.is_some_and(|field| {
            let alike = |other: Option<ColumnTarget>| match (field, other) {
                (ColumnTarget::Names(own), Some(ColumnTarget::Names(other))) => own == other,
                // Embase's `Source` is a whole citation, its `Source title` the journal.
                (ColumnTarget::Text(TextVar::ContainerTitle), Some(other)) => {
                    field == other && *rank == source
                }
                (ColumnTarget::Kind | ColumnTarget::DatabaseKind, Some(other)) => {
                    matches!(other, ColumnTarget::Kind | ColumnTarget::DatabaseKind)
                }
                _ => false,
            };
            { known.clone() }.any(|(other, field)| other < rank && alike(*field))
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

fn has_names(header: &Row<'_>, names: &[&str]) -> bool {
    let has = |name: &&str| header.cells.iter().any(|cell| cell.trim() == *name);
    names.iter().all(has)
}

/// The position of a header word in the list; names of variables come last.
fn rank(name: &str) -> Option<usize> {
    let folded: String = deunicode::deunicode(name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let find = |folded: &str| words().position(|(word, _)| word == folded);
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
    let short = row.cells.iter().all(|cell| cell.len() < MAX_NAME_LENGTH);
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
const MAX_NAME_LENGTH: usize = 100;

/// The names of the columns without a variable, in quotation marks, the first ones of many.
pub(super) fn without_variable(columns: &[Column]) -> Option<String> {
    let unknown = columns
        .iter()
        .filter(|column| column.field.is_none() && !column.name.is_empty());
    let quoted = |column: &Column| format!("“{}”", cut(&column.name, MAX_NAME_LENGTH));
    let names: Vec<String> = unknown.clone().take(MAX_NAMED).map(quoted).collect();
    let more = unknown.count().saturating_sub(MAX_NAMED);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| format!("{}{more}", names.join(", ")))
}

/// Maximum number of columns that are named.
const MAX_NAMED: usize = 30;

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
                format!("“{variable}” is no variable of CSL, and not type, citation-key, year, month, day, page-last or citation")
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
