//! Records of OAI-PMH: `<record>` elements of `ListRecords` and `GetRecord`, with metadata as Dublin Core
//! (`oai_dc`), as MARC 21 or in arXiv's own format.
//!
//! Written after <https://www.openarchives.org/OAI/openarchivesprotocol.html>.

use citation_exchange::{Element, catalogue_records, each_record};
use citation_fields::names;
use citation_model::budget::Budget;
use citation_model::date::Date;
use citation_model::identifier::{Doi, Identifier};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::arxiv::Eprint;
use super::{RecordError, clean, fields, language, xml_text};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<ListRecords>",
    "<record><header><identifier>oai:example.org:1</identifier><datestamp>2020-01-01</datestamp></header>",
    "</record>",
    "<metadata>",
    "<oai_dc:dc>",
    "<dc:title>",
    "</dc:title>",
    "<dc:creator>",
    "<dc:type>",
    "<arXiv><id>2001.00001</id>",
    "<keyname>",
];

/// What a record says.
#[derive(Clone, Debug, PartialEq)]
pub enum OaiRecord {
    Work(Box<Work>),
    /// The source has deleted the record with this id.
    Deleted {
        source: Source,
        record_id: String,
    },
}

/// The prefix of the identifiers of arXiv.
const ARXIV: &str = "oai:arXiv.org:";

/// Reads one record.
pub fn from_slice(xml: &[u8]) -> Result<OaiRecord, RecordError> {
    let text = xml_text(xml);
    let mut found = None;
    let is_record = |name: &str, parent: &str| name == "record" && parent != "metadata";
    each_record(&text, &Budget::unlimited(), is_record, |record| {
        found.get_or_insert_with(|| read(record, &text));
    })
    .map_err(|error| RecordError::Syntax(error.to_string()))?;
    found.unwrap_or(Err(RecordError::Missing("record")))
}

/// The token with which the next part of a list is asked for; `None` at its end.
pub fn resumption_token(xml: &[u8]) -> Result<Option<String>, RecordError> {
    let text = xml_text(xml);
    let mut token = None;
    let is_token = |name: &str, _: &str| name == "resumptionToken";
    each_record(&text, &Budget::unlimited(), is_token, |element| {
        token = Some(element.text());
    })
    .map_err(|error| RecordError::Syntax(error.to_string()))?;
    Ok(token.filter(|token| !token.is_empty()))
}

/// The code and the text of an error that a repository answers with.
pub fn error(xml: &[u8]) -> Option<(String, String)> {
    let text = xml_text(xml);
    let mut found = None;
    let is_error = |name: &str, parent: &str| name == "error" && parent == "OAI-PMH";
    let _ = each_record(&text, &Budget::unlimited(), is_error, |element| {
        let code = element.attribute("code").unwrap_or_default().into_owned();
        found.get_or_insert((code, element.text()));
    });
    found
}

fn read(record: Element<'_>, text: &str) -> Result<OaiRecord, RecordError> {
    let header = record
        .child("header")
        .ok_or(RecordError::Missing("header"))?;
    let id = header.child_text("identifier");
    if id.is_empty() {
        return Err(RecordError::Missing("identifier"));
    }
    let (source, record_id) = match id.strip_prefix(ARXIV) {
        Some(id) => (Source::Arxiv, id.to_owned()),
        None => (Source::Repository, id),
    };
    if header.has("status", "deleted") {
        return Ok(OaiRecord::Deleted { source, record_id });
    }
    let metadata = record
        .child("metadata")
        .and_then(|metadata| metadata.children().next());
    let metadata = metadata.ok_or(RecordError::Missing("metadata"))?;
    let mut work = match metadata.name() {
        "arXiv" => eprint(metadata).work(super::Abstracts::Leave)?,
        "dc" => Work::new(
            dublin_core(metadata, &record_id)?,
            provenance(source, record_id),
        ),
        "record" | "collection" => marc(text, provenance(source, record_id))?,
        other => return Err(RecordError::malformed("metadata format", other)),
    };
    work.provenance.fetched_at = super::unix_seconds(&header.child_text("datestamp"));
    Ok(OaiRecord::Work(Box::new(work)))
}

fn provenance(source: Source, record_id: String) -> Provenance {
    Provenance {
        source,
        record_id,
        url: None,
        license: None,
        fetched_at: 0,
    }
}

fn marc(text: &str, provenance: Provenance) -> Result<Work, RecordError> {
    let records = catalogue_records(text, &Budget::unlimited())
        .map_err(|error| RecordError::Syntax(error.to_string()))?;
    let record = records.into_iter().next();
    let mut item = record.ok_or(RecordError::Missing("MARC record"))?.item;
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    item.id.clone_from(&provenance.record_id);
    Ok(Work::new(item, provenance))
}

fn eprint(metadata: Element<'_>) -> Eprint {
    let text = |name: &str| metadata.child_text(name);
    let authors = metadata.child("authors").into_iter();
    let authors = authors.flat_map(|authors| authors.children_named("author"));
    let authors = authors.map(|author| {
        let part = |name: &str| Some(author.child_text(name)).filter(|text| !text.is_empty());
        let (family, given) = (part("keyname"), part("forenames"));
        names::from_parts(
            family.as_deref(),
            given.as_deref(),
            part("suffix").as_deref(),
        )
    });
    Eprint {
        id: text("id"),
        title: text("title"),
        authors: authors.collect(),
        published: Date::parse_iso(&text("created")),
        summary: text("abstract"),
        comments: text("comments"),
        changed_at: 0,
    }
}

/// Maps the elements of Dublin Core, which a repository may repeat and fill as it likes.
fn dublin_core(metadata: Element<'_>, id: &str) -> Result<Item, RecordError> {
    let all = |name: &str| metadata.child_texts(name);
    let kind = all("type").iter().find_map(|kind| kind_of(kind));
    let mut item = Item::new(id, kind.unwrap_or_default());
    let title = metadata.child_text("title");
    fields::title(&mut item, &title, None);
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    item.set_names(NameVar::Author, people(&all("creator")));
    let dates = all("date");
    let date = dates
        .iter()
        .filter_map(|date| Date::parse_iso(date))
        .min_by_key(Date::edtf);
    fields::date(&mut item, DateVar::Issued, date.as_ref());
    fields::imprint(
        &mut item,
        TextVar::Publisher,
        Some(&metadata.child_text("publisher")),
    );
    let language = language::tag(&metadata.child_text("language"));
    fields::plain(&mut item, TextVar::Language, language.as_deref());
    set_identifiers(&mut item, &all("identifier"));
    Ok(item)
}

fn people(names: &[String]) -> Vec<Name> {
    let names = names.iter().map(|name| clean::plain(name));
    let names = names.filter(|name| !name.is_empty());
    names
        .map(|name| {
            if name.contains(',') {
                names::inverted(&name)
            } else {
                names::from_text(&name)
            }
        })
        .collect()
}

fn set_identifiers(item: &mut Item, identifiers: &[String]) {
    let mut url = None;
    for text in identifiers {
        match Identifier::parse(text) {
            Ok(Identifier::Doi(doi)) if item.text(TextVar::Doi).is_none() => {
                item.set_text(TextVar::Doi, doi.as_str());
            }
            Ok(Identifier::Isbn(isbn)) if item.text(TextVar::Isbn).is_none() => {
                item.set_text(TextVar::Isbn, isbn.as_str());
            }
            _ => url = url.or_else(|| fields::web_address(text)),
        }
    }
    let doi = item.text(TextVar::Doi).and_then(|doi| Doi::parse(doi).ok());
    if let Some(url) = doi.as_ref().map(Doi::url).or(url) {
        item.set_text(TextVar::Url, url);
    }
}

/// The type of a `dc:type`: a term of the DCMI, of `info:eu-repo/semantics` or COAR, or free text in
/// English.
fn kind_of(text: &str) -> Option<ItemType> {
    let words: String = text.rsplit('/').next().unwrap_or(text).to_lowercase();
    let words: String = words.chars().filter(|c| c.is_alphanumeric()).collect();
    Some(match words.as_str() {
        "article" | "journalarticle" | "researcharticle" | "review" => ItemType::Article,
        "bookpart" | "bookchapter" | "chapter" | "booksection" => ItemType::Chapter,
        "book" | "monograph" => ItemType::Book,
        "conferenceobject" | "conferencepaper" | "conferenceitem" | "conferencecontribution" => {
            ItemType::ConferencePaper
        }
        "bachelorthesis" | "masterthesis" | "doctoralthesis" | "thesis" | "dissertation"
        | "thesisdissertation" | "phdthesis" => ItemType::Thesis,
        "report" | "technicalreport" | "workingpaper" | "researchreport" => ItemType::Report,
        "preprint" => ItemType::Preprint,
        "dataset" => ItemType::Dataset,
        "software" => ItemType::Software,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(xml: &str) -> Work {
        match from_slice(xml.as_bytes()).unwrap() {
            OaiRecord::Work(work) => *work,
            deleted => panic!("{deleted:?}"),
        }
    }

    #[test]
    fn dublin_core_is_mapped() {
        let work = work(
            r#"<record><header><identifier>oai:repo.example:7</identifier><datestamp>2021-05-06T00:00:00Z</datestamp></header>
            <metadata><oai_dc:dc xmlns:oai_dc="x" xmlns:dc="y"><dc:title>On ponds</dc:title><dc:creator>Doe, Jo</dc:creator>
            <dc:creator>Ann Roe</dc:creator><dc:date>2021-02-03</dc:date><dc:date>2019</dc:date><dc:type>Text</dc:type>
            <dc:type>info:eu-repo/semantics/doctoralThesis</dc:type><dc:identifier>https://repo.example/7</dc:identifier>
            <dc:identifier>doi:10.5555/ponds</dc:identifier><dc:language>eng</dc:language></oai_dc:dc></metadata></record>"#,
        );
        let item = &work.item;
        assert_eq!(item.kind, ItemType::Thesis);
        assert_eq!(item.names(NameVar::Author)[0].display(), "Jo Doe");
        assert_eq!(item.year(), Some(2019));
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/ponds"));
        assert_eq!(work.provenance.source, Source::Repository);
        assert_eq!(work.provenance.record_id, "oai:repo.example:7");
        assert_eq!(work.provenance.fetched_at, 1_620_259_200);
    }

    #[test]
    fn eprint_and_marc_and_deletion() {
        let eprint = work(
            r#"<record><header><identifier>oai:arXiv.org:2001.00001</identifier><datestamp>2020-01-07</datestamp></header>
            <metadata><arXiv><id>2001.00001</id><created>2020-01-01</created><authors><author><keyname>van Doe</keyname>
            <forenames>Jo</forenames></author></authors><title>On $x$</title><doi>10.5555/other</doi></arXiv></metadata></record>"#,
        );
        assert_eq!(eprint.provenance.record_id, "2001.00001");
        assert_eq!(eprint.provenance.source, Source::Arxiv);
        assert_eq!(
            eprint.item.text(TextVar::Doi),
            Some("10.48550/arxiv.2001.00001")
        );
        let book = work(
            r#"<record><header><identifier>oai:lib.example:1</identifier><datestamp>2020-01-07</datestamp></header>
            <metadata><record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001">1</controlfield>
            <datafield tag="245" ind1="1" ind2="0"><subfield code="a">Frogs</subfield></datafield></record></metadata></record>"#,
        );
        assert_eq!(book.item.text(TextVar::Title), Some("Frogs"));
        let deleted = from_slice(
            b"<record><header status=\"deleted\"><identifier>oai:arXiv.org:2001.00002</identifier></header></record>",
        );
        assert_eq!(
            deleted,
            Ok(OaiRecord::Deleted {
                source: Source::Arxiv,
                record_id: "2001.00002".to_owned()
            })
        );
        assert!(from_slice(b"<record><header/></record>").is_err());
    }

    #[test]
    fn answers_have_tokens_or_errors() {
        let list = |inside: &str| format!("<OAI-PMH>{inside}</OAI-PMH>").into_bytes();
        let token = resumption_token(&list(
            "<ListRecords><resumptionToken cursor=\"0\">a|1</resumptionToken></ListRecords>",
        ));
        assert_eq!(token, Ok(Some("a|1".to_owned())));
        assert_eq!(
            resumption_token(&list("<ListRecords><resumptionToken/></ListRecords>")),
            Ok(None)
        );
        let refused = error(&list("<error code=\"noRecordsMatch\">None</error>"));
        assert_eq!(
            refused,
            Some(("noRecordsMatch".to_owned(), "None".to_owned()))
        );
        assert_eq!(error(&list("")), None);
    }
}
