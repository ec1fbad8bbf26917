//! Tables of works: the CSV of Scopus, Zotero, IEEE Xplore, PubMed, SpringerLink and others, the tables of
//! Web of Science, and any table with a recognisable header.

pub(crate) mod columns;
mod people;
pub mod table;
mod write;

pub use columns::Column;

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::formats::wos;
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::tagged;
use crate::syntax::tokens;
use citation_fields::clean::cut;
use citation_fields::item_builder::{ItemBuilder, MAX_CUSTOM_NAME};
use citation_fields::keywords;
use citation_fields::parts::{date_of_parts, full_date};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NumberVar, TextVar};
use columns::ColumnTarget;
use table::{Row, Rows};

pub static SCOPUS_CSV: Format = Format {
    id: "scopus-csv",
    title: "Scopus CSV",
    media_types: &[],
    extensions: &[],
    recognise: |content, _| has_columns(content, &["Source title", "EID"]),
    read: Some(|content, budget| read(content, None, budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::TABLE,
        &[
            "Authors,Title,Year,Source title,EID\n",
            "Doe J.; Roe A.",
            "2-s2.0-1",
        ],
    ],
};

pub static ZOTERO_CSV: Format = Format {
    id: "zotero-csv",
    title: "Zotero CSV",
    media_types: &[],
    extensions: &[],
    recognise: |content, _| has_columns(content, &["Item Type", "Publication Title"]),
    read: Some(|content, budget| read(content, None, budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::TABLE,
        &[
            "Key,Item Type,Author,Title,Publication Title\n",
            "book,",
            "Doe, Jane; Roe, Al",
        ],
    ],
};

pub static WOS_TAB: Format = Format {
    id: "wos-tab",
    title: "Web of Science tab-delimited",
    media_types: &[],
    extensions: &[],
    recognise: |content, _| {
        content.head().starts_with("PT\t") && has_columns(content, &["PT", "AU", "TI", "SO"])
    },
    read: Some(read_web_of_science),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::TABLE,
        &["PT\tAU\tTI\tSO\n", "J\tDoe, J; Roe, A\tT\tS\n"],
    ],
};

/// Any table; the columns can be changed with [`read_table`].
pub static CSV: Format = Format {
    id: "csv",
    title: "CSV",
    media_types: &["text/csv", "text/tab-separated-values"],
    extensions: &["csv", "tsv", "tab"],
    recognise: |content, _| !content.is_structured() && header(content.head()).is_some(),
    read: Some(|content, budget| read(content, None, budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::AnyText,
    tokens: &[
        tokens::TABLE,
        &[
            "title,author,year\n",
            "title;author\n",
            "title\tauthor\n",
            "Doe, J; Roe, A",
        ],
    ],
};

/// The code of the error for a table without a known column: nothing of it can be read.
pub const UNKNOWN_COLUMNS: &str = "unknown_columns";

fn has_columns(content: &Content<'_>, names: &[&str]) -> bool {
    let has = |row: &Row<'_>, name: &str| row.cells.iter().any(|cell| cell.trim() == name);
    let mut rows = Rows::new(content.head()).take(LINES_BEFORE);
    !content.is_structured() && rows.any(|row| names.iter().all(|name| has(&row, name)))
}

/// Maximum number of lines before the header: Scopus used to write its name and a date first.
const LINES_BEFORE: usize = 6;

/// The header of a table and the rows after it.
fn header(text: &str) -> Option<(Row<'_>, Rows<'_>)> {
    let mut rows = Rows::new(text);
    for _ in 0..LINES_BEFORE {
        let row = rows.next()?;
        if columns::is_header(&row) {
            return Some((row, rows));
        }
    }
    None
}

/// Reads a table with changes to the detected columns: `Titel=title, Jahr=year, Nr=`. Invalid changes are
/// the inner error.
pub fn read_table(
    content: &Content<'_>,
    corrections: &str,
    budget: &Budget,
) -> Result<Result<Reading, String>, Exceeded> {
    let mut columns = match header(content.text()) {
        Some((row, _)) => columns::propose(&row),
        None => Rows::new(content.text())
            .next()
            .map(|row| columns::propose(&row))
            .unwrap_or_default(),
    };
    match columns::correct(&mut columns, corrections) {
        Ok(()) => read(content, Some(columns), budget).map(Ok),
        Err(fault) => Ok(Err(fault)),
    }
}

fn read(
    content: &Content<'_>,
    corrected: Option<Vec<Column>>,
    budget: &Budget,
) -> Result<Reading, Exceeded> {
    let text = content.text();
    let mut reading = ReadingBuilder::new(text, budget)?;
    let mut first = Rows::new(text);
    let found = header(text).or_else(|| Some((first.next()?, first)));
    let Some((header, rows)) = found else {
        return Ok(reading.finish());
    };
    let is_corrected = corrected.is_some();
    let columns = corrected.unwrap_or_else(|| columns::propose(&header));
    if columns.iter().all(|column| column.field.is_none()) {
        let message = "No column of the table is known; say what they hold with “columns”, such as Titel=title,Jahr=year.";
        reading.lost(header.offset, UNKNOWN_COLUMNS, message.to_owned());
        return Ok(reading.finish());
    }
    let unknown = columns::without_variable(&columns).filter(|_| !is_corrected);
    if let Some(names) = unknown {
        let message = format!("These columns have no variable and were left out: {names}.");
        reading.between(header.offset, "columns_left_out", message);
    }
    for row in rows {
        if row.is_blank() || is_no_work(&columns, &row) {
            continue;
        }
        if reading.is_full(row.offset) {
            continue;
        }
        let bytes = row.cells.iter().map(|cell| cell.len()).sum();
        reading.spend(row.cells.len(), bytes)?;
        let mut item = ItemBuilder::new(row.offset);
        let kind = fill(&columns, &row, &mut item);
        let (item, notices) = item.finish();
        reading.add(item, &kind, row.offset, notices);
    }
    let mut reading = reading.finish();
    reading.columns = columns;
    Ok(reading)
}

/// Zotero also lists attachments and notes.
fn is_no_work(columns: &[Column], row: &Row<'_>) -> bool {
    let mut pairs = columns.iter().zip(&row.cells);
    pairs.any(|(column, cell)| {
        column.field == Some(ColumnTarget::Kind)
            && matches!(cell.trim(), "attachment" | "note" | "annotation")
    })
}

/// The column of the book in the tables of Dimensions.
const ANTHOLOGY: &str = "Anthology title";

/// Fills an item from a row and returns its type as written.
fn fill(columns: &[Column], row: &Row<'_>, item: &mut ItemBuilder) -> String {
    let pairs = columns.iter().zip(&row.cells);
    let cells: Vec<(&Column, ColumnTarget, &str)> = pairs
        .filter_map(|(column, cell)| Some((column, column.field?, cell.trim())))
        .collect();
    let cells = || cells.iter().copied();
    let cell = |wanted: ColumnTarget| {
        let found = cells().find(|(_, field, cell)| *field == wanted && !cell.is_empty());
        found.map_or("", |(_, _, cell)| cell)
    };
    let said = match cell(ColumnTarget::Kind) {
        "" => cell(ColumnTarget::DatabaseKind),
        said => said,
    };
    match (cell(ColumnTarget::Kind), cell(ColumnTarget::DatabaseKind)) {
        ("", "") => item.set_kind(kind_of_fields(&cell)),
        ("", said) => item.set_kind(kind_of_database(said, &cell)),
        (said, _) => {
            item.set_kind(kind_of_fields(&cell));
            item.set_kind_or_say(ItemType::parse(said), said);
        }
    }
    // Dimensions has the book beside its series.
    let book = cells().find(|(column, _, cell)| column.name == ANTHOLOGY && !cell.is_empty());
    if let (Some((_, _, book)), ItemType::Chapter | ItemType::ConferencePaper) = (book, item.kind())
    {
        let container = ColumnTarget::Text(TextVar::ContainerTitle);
        item.text(TextVar::ContainerTitle, book);
        let series =
            { cells() }.find(|(column, field, _)| *field == container && column.name != ANTHOLOGY);
        item.text(
            TextVar::CollectionTitle,
            series.map_or("", |(_, _, series)| series),
        );
    }
    item.pages(
        cell(ColumnTarget::Number(NumberVar::PageFirst)),
        cell(ColumnTarget::PageLast),
    );
    let issued = ColumnTarget::Date(DateVar::Issued);
    item.check_date(cell(issued));
    item.date(DateVar::Issued, issue_date(&cell));
    let is_springer = is_springer(columns);
    let issue = ColumnTarget::Number(NumberVar::Issue);
    let is_in_volume = item.kind() == ItemType::Article
        && !cell(ColumnTarget::Number(NumberVar::Volume)).is_empty()
        && !cells().any(|(_, target, _)| target == issue);
    for (column, target, cell) in cells() {
        let is_unparted = is_springer && column.name == "Authors";
        // A number beside the volume of a journal is that of the issue.
        let is_issue = column.name.eq_ignore_ascii_case("number") && is_in_volume;
        let target = if is_issue { issue } else { target };
        set(target, cell, is_unparted, item);
    }
    said.to_owned()
}

/// The date of issue from its column and those of year, month and day.
fn issue_date<'c>(cell: &dyn Fn(ColumnTarget) -> &'c str) -> Option<Date> {
    let date = full_date(
        cell(ColumnTarget::Date(DateVar::Issued)),
        cell(ColumnTarget::Year),
    )?;
    let is_year = |start: &DateParts| start.month.is_none() && start.season.is_none();
    let Some(year) = date
        .start
        .filter(is_year)
        .filter(|_| date.end.is_none() && !date.circa)
    else {
        return Some(date);
    };
    let (month, day) = (cell(ColumnTarget::Month), cell(ColumnTarget::Day));
    date_of_parts(&year.iso(), month, day).or(Some(date))
}

/// Sets what a cell holds, except what several columns give together.
fn set(target: ColumnTarget, cell: &str, is_unparted: bool, item: &mut ItemBuilder) {
    match target {
        ColumnTarget::Kind
        | ColumnTarget::DatabaseKind
        | ColumnTarget::Year
        | ColumnTarget::Month
        | ColumnTarget::Day
        | ColumnTarget::PageLast => {}
        ColumnTarget::Number(NumberVar::PageFirst) | ColumnTarget::Date(DateVar::Issued) => {}
        ColumnTarget::Citation => place_in_journal(cell, item),
        ColumnTarget::Key => item.set_key(cell),
        ColumnTarget::Text(TextVar::Url) => item.address(cell),
        ColumnTarget::Text(TextVar::Keyword) => {
            for keyword in keywords::split(cell) {
                item.keyword(&keywords::clean(keyword));
            }
        }
        ColumnTarget::Text(TextVar::Title) => item.text(TextVar::Title, &title(cell)),
        ColumnTarget::Text(variable) => item.text(variable, cell),
        ColumnTarget::Number(variable) => item.number(variable, whole_number(cell)),
        ColumnTarget::Date(variable) => item.written_date(variable, cell),
        ColumnTarget::Names(variable) if is_unparted => {
            for name in parted_by_case(cell) {
                item.listed_name(variable, citation_fields::names::in_any_order(&name));
            }
        }
        ColumnTarget::Names(variable) => {
            for name in people::names_of(cell) {
                item.listed_name(variable, name);
            }
        }
    }
}

/// A title without its full stop, and with Scopus's tag of subscripts as markup.
fn title(cell: &str) -> String {
    let title = tagged::without_stop(cell);
    title.replace("<inf>", "<sub>").replace("</inf>", "</sub>")
}

/// PubMed's tables have volume, issue and pages, the older also journal, date and DOI only in `Nature. 2021 Dec
/// 21;1(2):10-11. doi: …`.
fn place_in_journal(citation: &str, item: &mut ItemBuilder) {
    if let Some((journal, behind)) = citation.split_once(". ") {
        let date = behind.split([';', '.', ':']).next().unwrap_or_default();
        let date = Date::parse(date).filter(|date| date.start.is_some());
        if date.is_some() {
            item.text(TextVar::ContainerTitle, journal);
            item.date(DateVar::Issued, date);
            item.set_kind(ItemType::Article);
        }
    }
    if let Some((_, doi)) = citation.split_once("doi: ") {
        let doi = doi.split_whitespace().next().unwrap_or_default();
        item.text(TextVar::Doi, doi.trim_end_matches('.'));
    }
    let Some((_, behind)) = citation.split_once(';') else {
        return;
    };
    let place = behind
        .split(". ")
        .next()
        .unwrap_or(behind)
        .trim_end_matches('.');
    let (volume, pages) = place.split_once(':').unwrap_or((place, ""));
    let (volume, issue) = volume.split_once('(').unwrap_or((volume, ""));
    if volume.len() <= 12 && issue.len() <= 20 {
        item.number(NumberVar::Volume, volume);
        item.number(NumberVar::Issue, issue.trim_end_matches(')'));
        item.number(NumberVar::Page, pages);
    }
}

/// `12.0`, written by programs that store integers as floats.
fn whole_number(cell: &str) -> &str {
    match cell.strip_suffix(".0") {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => number,
        _ => cell,
    }
}

/// For tables without types: a work in a journal is an article.
fn kind_of_fields<'c>(cell: &dyn Fn(ColumnTarget) -> &'c str) -> ItemType {
    let has = |field| !cell(field).is_empty();
    match () {
        () if has(ColumnTarget::Text(TextVar::ContainerTitle))
            && has(ColumnTarget::Text(TextVar::Isbn)) =>
        {
            ItemType::Chapter
        }
        () if has(ColumnTarget::Text(TextVar::ContainerTitle)) => ItemType::Article,
        () if has(ColumnTarget::Text(TextVar::Isbn))
            || has(ColumnTarget::Text(TextVar::Publisher)) =>
        {
            ItemType::Book
        }
        () if has(ColumnTarget::Text(TextVar::Doi)) || has(ColumnTarget::Text(TextVar::Pmid)) => {
            ItemType::Article
        }
        () if has(ColumnTarget::Text(TextVar::Url)) => ItemType::Webpage,
        () => ItemType::Document,
    }
}

/// Types of databases: a letter, a note or a review is a journal article.
fn kind_of_database<'c>(said: &str, cell: &dyn Fn(ColumnTarget) -> &'c str) -> ItemType {
    let lower = said.to_lowercase();
    let has = |word: &str| lower.contains(word);
    match () {
        () if has("chapter") => ItemType::Chapter,
        () if has("conference review") || has("proceedings book") => ItemType::Book,
        () if has("conference") || has("proceeding") => ItemType::ConferencePaper,
        () if has("reference work") || has("referencework") || has("encyclop") => {
            ItemType::EncyclopediaEntry
        }
        () if has("book review") => ItemType::Article,
        () if has("book") || has("monograph") => ItemType::Book,
        () if has("dissertation") || has("thesis") => ItemType::Thesis,
        () if has("preprint") => ItemType::Preprint,
        () if has("patent") => ItemType::Patent,
        () if has("standard") => ItemType::Standard,
        () if has("magazine") => ItemType::MagazineArticle,
        () if has("newspaper") => ItemType::NewspaperArticle,
        () if has("report") && !has("case report") => ItemType::Report,
        () if has("dataset") || has("data set") => ItemType::Dataset,
        () if has("software") => ItemType::Software,
        () if has("web") => ItemType::Webpage,
        () if cell(ColumnTarget::Text(TextVar::ContainerTitle)).is_empty() && has("other") => {
            ItemType::Document
        }
        () => ItemType::Article,
    }
}

/// SpringerLink writes names without separators.
fn is_springer(columns: &[Column]) -> bool {
    columns.iter().any(|column| column.name == "Item DOI")
}

/// Splits `Jane DoeAl McRoe` where a capital follows a lower-case letter, except after `Mc` and similar
/// prefixes.
fn parted_by_case(cell: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut name = String::new();
    for c in cell.chars() {
        let is_inside = matches!(
            word.as_str(),
            "Mc" | "Mac" | "De" | "Di" | "La" | "Le" | "Van" | "Fitz"
        );
        if c.is_uppercase() && word.ends_with(char::is_lowercase) && !is_inside {
            names.push(std::mem::take(&mut name));
            word.clear();
        }
        if c.is_whitespace() || c == '-' {
            word.clear()
        } else {
            word.push(c)
        }
        name.push(c);
    }
    names.push(name);
    names
}

/// The columns of Web of Science are named by its tags.
fn read_web_of_science(content: &Content<'_>, budget: &Budget) -> Result<Reading, Exceeded> {
    let text = content.text();
    let mut reading = ReadingBuilder::new(text, budget)?;
    let mut rows = Rows::new(text);
    let Some(header) = rows.next() else {
        return Ok(reading.finish());
    };
    // Every row looks for its tags: long ones would be read once per row.
    let tags = header.cells.iter();
    let tags: Vec<&str> = tags.map(|tag| cut(tag.trim(), MAX_CUSTOM_NAME)).collect();
    for row in rows.filter(|row| !row.is_blank()) {
        if reading.is_full(row.offset) {
            continue;
        }
        let cells: Vec<&str> = row.cells.iter().map(|cell| cell.trim()).collect();
        reading.spend(cells.len(), cells.iter().map(|cell| cell.len()).sum())?;
        let record = tagged::TaggedRecord::of_columns(&tags, &cells);
        let mut item = ItemBuilder::new(row.offset);
        let kind = wos::item(&record, &mut item);
        let (item, notices) = item.finish();
        reading.add(item, &kind, row.offset, notices);
    }
    Ok(reading.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item::Item;
    use citation_model::variable::NameVar;

    #[track_caller]
    fn items(text: &str, id: &str) -> Vec<Item> {
        let content = Content::of_text(text);
        let told = crate::recognise(&content, crate::Hints::default(), &Budget::unlimited())
            .unwrap()
            .unwrap()
            .unwrap();
        assert_eq!(told.id, id);
        let reading = crate::read(&content, told, &Budget::unlimited()).unwrap();
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn number_beside_a_volume_is_that_of_the_issue() {
        let screened = "Title,Author,Year,Journal Title,Volume,Number,Location\nA,\"Doe, J\",2016,J Tests,1,2,Rome\n";
        let item = &items(screened, "csv")[0];
        assert_eq!(item.number(NumberVar::Issue), Some("2"));
        assert_eq!(item.number(NumberVar::Number), None);
        assert_eq!(item.text(TextVar::PublisherPlace), Some("Rome"));
        let own = "Title,Journal Title,Volume,Issue,Number\nA,J Tests,1,,e2\n";
        let item = &items(own, "csv")[0];
        assert_eq!(item.number(NumberVar::Number), Some("e2"));
    }

    #[test]
    fn summaries_of_pubmed_have_names_of_their_own() {
        let summary = "Title,URL,Description,Details,ShortDetails,Resource,Type,Identifiers,Db,EntrezUID,Properties\n\
                       A,/pubmed/1234567,\"Doe C, Roe M.\",\"J Tests. 2019 Jul 13. doi: 10.1000/x. [Epub ahead of print]\",J Tests 2019,PubMed,citation,PMID:1234567,pubmed,1234567,x\n";
        let item = &items(summary, "csv")[0];
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(item.text(TextVar::ContainerTitle), Some("J Tests"));
        assert_eq!(item.text(TextVar::Doi), Some("10.1000/x"));
        assert_eq!(item.text(TextVar::Pmid), Some("1234567"));
        assert_eq!(item.text(TextVar::Url), None);
        let date = item.date(DateVar::Issued).map(|date| date.edtf());
        assert_eq!(date.as_deref(), Some("2019-07-13"));
    }

    #[test]
    fn tables_of_databases_are_read() {
        let scopus = "\"Authors\",\"Title\",\"Year\",\"Source title\",\"Volume\",\"Page start\",\"Page end\",\"Document Type\",\"EID\"\n\
                      \"Pan, Y., Yu, C.\",\"A, \"\"b\"\"\",2015,\"Annals\",\"60\",\"184\",\"191\",\"Review\",\"2-s2.0\"\n";
        let item = &items(scopus, "scopus-csv")[0];
        assert_eq!(item.kind, ItemType::Article);
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(item.text(TextVar::Title), Some("A, \"b\""));
        assert_eq!(item.number(NumberVar::Page), Some("184-191"));
        let ieee = "Document Title,Authors,Publication Title,Publication Year,Document Identifier\n\
                    A,J. B. Doe; A. Roe,Proc. of It,2001,IEEE Conferences\n";
        let item = &items(ieee, "csv")[0];
        assert_eq!(item.kind, ItemType::ConferencePaper);
        assert_eq!(
            item.names(NameVar::Author)[0].given.as_deref(),
            Some("J. B.")
        );
        let springer = "Item Title,Publication Title,Item DOI,Authors,Publication Year,Content Type\n\
                        A,Annals,10.1000/x,Jane DoeAl McRoe,2001,Article\n";
        let item = &items(springer, "csv")[0];
        let families: Vec<String> = item
            .names(NameVar::Author)
            .iter()
            .map(|name| name.heading())
            .collect();
        assert_eq!(families, ["Doe", "McRoe"]);
        let science = "PT\tAU\tTI\tSO\tPY\nJ\tDoe, J; Roe, A\tA\tANNALS\t2001\n";
        let item = &items(science, "wos-tab")[0];
        assert_eq!(item.names(NameVar::Author).len(), 2);
        let german = "Titel;Verfasser;Jahr;Verlag\nEin Buch;Müller, Jo;2001;Verlag\n";
        let item = &items(german, "csv")[0];
        assert_eq!(item.kind, ItemType::Book);
        assert_eq!(item.year(), Some(2001));
    }

    #[test]
    fn books_in_series_and_paths_are_columns() {
        let dimensions = "Title,Source title,Anthology title,Publication Type,PubYear\nA <inf>2</inf>.,Series,Book,Chapter,2019\nB,Journal,,Article,2020\n";
        let found = items(dimensions, "csv");
        let text = |at: usize, variable| found[at].text(variable);
        assert_eq!(text(0, TextVar::Title), Some("A <sub>2</sub>"));
        assert_eq!(text(0, TextVar::ContainerTitle), Some("Book"));
        assert_eq!(text(0, TextVar::CollectionTitle), Some("Series"));
        assert_eq!(text(1, TextVar::ContainerTitle), Some("Journal"));
        let openalex = "title,authorships.author.display_name,primary_location.source.display_name,biblio.volume,biblio.first_page,ids.pmid\n\
                        A,Jane Doe|Al Roe,Nature,500,54,https://pubmed.ncbi.nlm.nih.gov/23903748\n";
        let item = &items(openalex, "csv")[0];
        assert_eq!(item.names(NameVar::Author).len(), 2);
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Nature"));
        assert_eq!(item.text(TextVar::Pmid), Some("23903748"));
        assert_eq!(item.number(NumberVar::Page), Some("54"));
    }

    #[test]
    fn columns_are_proposed_and_corrected() {
        let content = Content::of_text("Titel;Wer;Jahr\nA;Doe, J.;2001\n");
        let read =
            |corrections: &str| read_table(&content, corrections, &Budget::unlimited()).unwrap();
        let reading = read("").unwrap();
        let proposed: Vec<Option<&str>> = reading
            .columns
            .iter()
            .map(|column| column.variable)
            .collect();
        assert_eq!(proposed, [Some("title"), None, Some("year")]);
        let corrected = read("wer=author, Jahr=").unwrap();
        let item = &corrected.items[0].item;
        assert_eq!((item.names(NameVar::Author).len(), item.year()), (1, None));
        assert!(read("Wer=heading").unwrap_err().contains("heading"));
        assert!(read("Wo=title").unwrap_err().contains("Wo"));
    }

    #[test]
    fn reading_gives_the_word_for_the_type() {
        let text = "Title,Authors,Publication Year,Publication Date,Document Type\nA,\"Doe, J\",2012,2012-06-03,Article\n";
        let reading = crate::read(&Content::of_text(text), &CSV, &Budget::unlimited()).unwrap();
        assert_eq!(reading.items[0].entry_type, "Article");
    }

    #[test]
    fn dates_without_a_year_complete_it() {
        let found = items(
            "Title,Authors,Publication Year,Publication Date\nA,\"Doe, J\",2012,JUN 3\nB,\"Doe, J\",2012,\n",
            "csv",
        );
        let dates: Vec<String> = found
            .iter()
            .filter_map(|item| item.date(DateVar::Issued))
            .map(|date| date.edtf())
            .collect();
        assert_eq!(dates, ["2012-06-03", "2012"]);
    }

    #[test]
    fn written_items_read_back() {
        let text = "Key,Item Type,Author,Title,Publication Title,DOI,Date,Pages,Volume,Manual Tags,Editor\n\
                    doe,article-journal,\"Doe, Jane; World Bank of It\",\"A \"\"title\"\"\",Annals,10.1000/x,2001-02-03,1-9,3,\"a, b\",\"Roe, Al\"\n";
        let first = items(text, "zotero-csv");
        assert_eq!(first[0].kind, ItemType::Article);
        let written = write::write(&first, &Budget::unlimited()).unwrap();
        assert_eq!(items(&written, "zotero-csv"), first, "{written}");
    }
}
