//! One object of CSL-JSON as an item, for files, dumps and answers of services alike. Records of registries, as
//! doi.org returns them, are read as the registry means them.

use citation_fields::identifiers::{self, make_canonical};
use citation_fields::names;
use citation_fields::notice::Notices;
use citation_fields::{clean, set};
use citation_model::identifier::Doi;
use citation_model::item::{Custom, Item};
use citation_model::item_type::ItemType;
use citation_model::language;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::Update;
use serde_json::Value;

use crate::content::Members;
use crate::exact::long_integers_as_texts;
use crate::formats::crossref::{Abstracts, CrossrefRecord};
use crate::mend::{mend, report_capitals};
use crate::problem::ReadError;
use crate::reading::limit_names;

/// A record, with what belongs to the work and not to its item.
#[derive(Clone, Debug, Default)]
pub struct CslRecord {
    pub item: Item,
    /// Notices of change, in both directions, without duplicates.
    pub updates: Vec<Update>,
}

/// Reads one object as the import of a file does.
pub fn csl_record(json: &str) -> Result<CslRecord, ReadError> {
    read(json, 0, &mut Notices::default()).map_err(syntax)
}

/// Reads one object that a registry has returned, which need not have an id.
pub fn registry_record(json: &str) -> Result<CslRecord, ReadError> {
    read_from(true, json, 0, &mut Notices::default()).map_err(syntax)
}

fn syntax(error: serde_json::Error) -> ReadError {
    ReadError::Syntax(error.to_string())
}

/// Reads one object at a byte offset of a text.
pub(crate) fn read(
    json: &str,
    offset: usize,
    notices: &mut Notices,
) -> Result<CslRecord, serde_json::Error> {
    read_from(false, json, offset, notices)
}

fn read_from(
    is_of_registry: bool,
    json: &str,
    offset: usize,
    notices: &mut Notices,
) -> Result<CslRecord, serde_json::Error> {
    let mut item: Item = serde_json::from_str(&long_integers_as_texts(json))?;
    let is_named = is_of_registry && item.text(TextVar::Source).is_some_and(is_crossref);
    if (is_named || is_marked(|mark| item.custom.contains_key(mark)))
        && let Some(Ok(doi)) = item.text(TextVar::Doi).map(Doi::parse)
    {
        let record: CrossrefRecord = serde_json::from_str(json)?;
        let updates = record.updates(&doi);
        let item = of_crossref(item, record.item(&doi, Abstracts::Keep));
        report_capitals(&item, offset, notices);
        return Ok(CslRecord { item, updates });
    }
    if is_of_registry || has_doi_as_id(&item) {
        clean_registered(&mut item);
    }
    make_canonical(&mut item, offset, notices);
    mend(&mut item, offset, notices);
    limit_names(&mut item, offset, notices);
    Ok(CslRecord {
        item,
        updates: Vec::new(),
    })
}

/// Whether an object is a record of Crossref in the form of CSL-JSON.
pub(crate) fn is_of_crossref(members: &Members<'_>) -> bool {
    is_marked(|mark| members.has(mark)) && members.text("DOI").is_some() && members.has("title")
}

/// Whether a `source` is that of Crossref's records. In files, it is also that of a reference manager's.
fn is_crossref(source: &str) -> bool {
    source.eq_ignore_ascii_case("crossref")
}

/// Whether a record has a member that only Crossref's have.
fn is_marked(has: impl Fn(&str) -> bool) -> bool {
    const MARKS: [&str; 4] = [
        "content-domain",
        "is-referenced-by-count",
        "member",
        "reference-count",
    ];
    MARKS.into_iter().any(has)
}

/// The item of Crossref's record with what a person added to it in a file: an id, notes and keywords.
fn of_crossref(written: Item, mut item: Item) -> Item {
    use TextVar::{Annote, CitationKey, Keyword, Note};
    for variable in [Annote, CitationKey, Keyword, Note] {
        if let (None, Some(text)) = (item.text(variable), written.text(variable)) {
            item.set_text(variable, text);
        }
    }
    item.id = written.id;
    item
}

/// Whether the id of a record is its DOI, as in those of registries.
fn has_doi_as_id(item: &Item) -> bool {
    let doi = item.text(TextVar::Doi).map(Doi::parse);
    matches!((doi, Doi::parse(&item.id)), (Some(Ok(doi)), Ok(id)) if doi == id)
}

/// Cleans the values of a registry's record as those of the registry's own interface.
fn clean_registered(item: &mut Item) {
    // A type unknown to CSL is one of Crossref's.
    if let Some(Value::String(kind)) = item.custom.get("type")
        && let Some(kind) = crate::formats::linked::item_type_of_crossref(kind)
    {
        item.kind = kind;
        item.custom.remove("type");
    }
    let title = item.text(TextVar::Title).unwrap_or_default().to_owned();
    let custom = std::mem::take(&mut item.custom);
    clean_texts(item);
    set::title(item, &title, None);
    clean_names(item);
    set_from_custom(item, custom);
    if item.kind == ItemType::Preprint && item.text(TextVar::Genre).is_none() && is_preprint(item) {
        item.set_text(TextVar::Genre, "preprint");
    }
}

/// DataCite's `article` is also the type of everything unknown, so only a preprint server makes a preprint.
fn is_preprint(item: &Item) -> bool {
    let names = [TextVar::Publisher, TextVar::ContainerTitle].map(|variable| item.text(variable));
    names.iter().flatten().any(|name| {
        let name = name.to_lowercase();
        name.contains("rxiv") || name.contains("preprint")
    })
}

fn clean_texts(item: &mut Item) {
    for &variable in TextVar::ALL {
        let Some(value) = item.text(variable).map(str::to_owned) else {
            continue;
        };
        match variable {
            TextVar::Isbn => set::isbns(item, value.split([',', ' ', ';'])),
            TextVar::Issn => set::issns(item, value.split([',', ' ', ';'])),
            TextVar::Language => {
                item.set_text(variable, language::tag(&value).unwrap_or_default());
            }
            TextVar::Url => {
                item.set_text(variable, set::web_address(&value).unwrap_or_default());
            }
            TextVar::Abstract
            | TextVar::ContainerTitle
            | TextVar::CollectionTitle
            | TextVar::TitleShort => item.set_text(variable, clean::rich(&value)),
            TextVar::Publisher if names::is_nobody(&value) => {
                item.text.remove(variable);
            }
            _ => item.set_text(variable, clean::plain(&value)),
        }
    }
    for &variable in NumberVar::ALL {
        let Some(value) = item.number.remove(variable) else {
            continue;
        };
        match variable {
            NumberVar::Page => set::pages(item, Some(&value)),
            NumberVar::Volume | NumberVar::Issue => {
                set::volume_or_issue(item, variable, Some(&value));
            }
            _ => set::number(item, variable, Some(&value)),
        }
    }
}

fn clean_names(item: &mut Item) {
    for &variable in NameVar::ALL {
        let cleaned: Vec<Name> = item.names(variable).iter().map(clean_name).collect();
        item.set_names(variable, cleaned);
    }
}

fn clean_name(name: &Name) -> Name {
    if let Some(literal) = &name.literal {
        return names::literal(literal);
    }
    let (family, given) = (name.family.as_deref(), name.given.as_deref());
    let cleaned = names::from_parts(family, given, name.suffix.as_deref());
    Name {
        dropping_particle: name.dropping_particle.clone(),
        non_dropping_particle: name.non_dropping_particle.clone(),
        orcid: name.orcid.as_deref().and_then(identifiers::bare_orcid),
        ..cleaned
    }
}

/// Sets variables from what registries add to CSL-JSON: `copyright` (a licence), `categories` (keywords) and
/// `article-number`. Other members stay.
fn set_from_custom(item: &mut Item, custom: Custom) {
    for (name, value) in custom {
        match (name.as_str(), &value) {
            ("copyright", Value::String(license)) => {
                set::plain(item, TextVar::License, Some(license));
            }
            ("categories", Value::Array(categories)) => {
                set::keywords(item, categories.iter().filter_map(Value::as_str));
            }
            ("article-number", Value::String(number)) => {
                set::number(item, NumberVar::Number, Some(number));
            }
            _ => {
                item.custom.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::CSL_JSON;
    use crate::testing::check_read;

    #[test]
    fn record_of_crossref_has_its_variables() {
        check_read(
            &CSL_JSON,
            r#"{"indexed":{"timestamp":1},"reference-count":2,"content-domain":{"domain":[]},"publisher":"P",
                "DOI":"10.5555/ABC","type":"journal-article","source":"Crossref","title":"Waves","subtitle":["A study"],
                "container-title":"Annals","container-title-short":"Ann.","article-number":"e7","volume":"4",
                "journal-issue":{"issue":"2"},"issued":{"date-parts":[[null]]},"published-print":{"date-parts":[[2001,2]]},
                "author":[{"given":"A.","family":"Doe","sequence":"first","affiliation":[]}],"reference":[{"key":"1"}]}"#,
            r#"[{"type": "article-journal", "DOI": "10.5555/abc", "title": "Waves: A study", "container-title": "Annals",
                "container-title-short": "Ann.", "number": "e7", "page": "e7", "volume": "4", "issue": "2",
                "issued": {"date-parts": [[2001, 2]]}, "custom": null}]"#,
        );
        check_read(
            &CSL_JSON,
            r#"{"content-domain":{},"DOI":"10.5555/1","title":"T","type":"reference-entry","edition-number":"3","note":"Mine"}"#,
            r#"[{"type": "entry-encyclopedia", "edition": "3", "note": "Mine"}]"#,
        );
    }

    #[test]
    fn record_of_a_registry_is_clean() {
        check_read(
            &CSL_JSON,
            r#"{"id":"https://doi.org/10.5555/a","DOI":"10.5555/A","type":"dataset","title":"Rain &amp; snow",
                "author":[{"literal":"Met Office"},{"family":"(:unav)"}],"copyright":"CC BY 4.0","categories":["rain"]}"#,
            r#"[{"title": "Rain & snow", "author": [{"literal": "Met Office"}], "license": "CC BY 4.0", "keyword": "rain",
                "custom": null}]"#,
        );
    }
}
