//! CSL-JSON from doi.org's content negotiation. Crossref's responses are its own records with small
//! changes, including its type names, and are read as such; those of other agencies are genuine CSL-JSON.

use serde_json::Value;

use citation_exchange::linked::item_type_of_crossref;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::{Abstracts, RecordError, clean, crossref, fields, json_scan, language, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "{\"DOI\":\"10.1000/a\",",
    "\"title\":\"",
    "\"author\":[",
    "{\"family\":\"",
    "\"issued\":{\"date-parts\":[[",
    "\"page\":\"",
    "\",",
    "1,",
    "],",
    "}",
];

/// Reads a response and maps it.
pub fn from_slice(json: &[u8]) -> Result<Work, RecordError> {
    // Parsing as Crossref's record is cheap and also succeeds for other agencies.
    let record = crossref::CrossrefRecord::from_slice(json)?;
    let mut work = if record.is_from_crossref() {
        record.work(Abstracts::Leave)?
    } else {
        if json_scan::has_more_values(json, MAX_VALUES) {
            return Err(RecordError::Syntax("it holds too many values".into()));
        }
        from_other_agency(serde_json::from_slice(json)?)?
    };
    work.provenance.source = Source::Doi;
    Ok(work)
}

/// Maximum number of values per record. Unknown members are kept and each takes some hundred times the size of
/// its text; the longest real records have about 5,000 names.
const MAX_VALUES: usize = 50_000;

fn from_other_agency(mut item: Item) -> Result<Work, RecordError> {
    let given = item.text(TextVar::Doi).unwrap_or(&item.id).to_owned();
    let doi = Doi::parse(&given).map_err(|_| match given.is_empty() {
        true => RecordError::Missing("DOI"),
        false => RecordError::malformed("DOI", &given),
    })?;
    doi.as_str().clone_into(&mut item.id);
    // A type unknown to CSL is one of Crossref's.
    if let Some(Value::String(kind)) = item.custom.get("type") {
        item.kind = item_type_of_crossref(kind).unwrap_or_default();
    }
    let title = item
        .text(TextVar::Title)
        .ok_or(RecordError::Missing("title"))?
        .to_owned();
    let custom = std::mem::take(&mut item.custom);
    clean_texts(&mut item);
    fields::title(&mut item, &title, None);
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    clean_names(&mut item);
    set_from_custom(&mut item, &custom);
    item.set_text(TextVar::Doi, doi.as_str());
    if item.kind == ItemType::Preprint && item.text(TextVar::Genre).is_none() && is_preprint(&item)
    {
        item.set_text(TextVar::Genre, "preprint");
    }
    let provenance = Provenance {
        source: Source::Doi,
        record_id: doi.as_str().to_owned(),
        url: Some(doi.url()),
        license: None,
        fetched_at: 0,
    };
    Ok(Work::new(item, provenance))
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
            // Abstracts are not facts, and the others describe how the response was made.
            TextVar::Abstract | TextVar::Source | TextVar::CitationKey => {
                item.text.remove(variable);
            }
            TextVar::Isbn => fields::isbns(item, value.split([',', ' ', ';'])),
            TextVar::Issn => fields::issns(item, value.split([',', ' ', ';'])),
            TextVar::Language => {
                let tag = language::tag(&value).unwrap_or_default();
                item.set_text(variable, tag);
            }
            TextVar::Url => {
                item.set_text(variable, fields::web_address(&value).unwrap_or_default());
            }
            TextVar::ContainerTitle | TextVar::CollectionTitle | TextVar::TitleShort => {
                item.set_text(variable, clean::rich(&value));
            }
            TextVar::Publisher if names::is_nobody(&value) => {
                item.text.remove(variable);
            }
            _ => item.set_text(variable, clean::plain(&value)),
        }
    }
    for &variable in NumberVar::ALL {
        let Some(value) = item.number(variable).map(str::to_owned) else {
            continue;
        };
        item.number.remove(variable);
        match variable {
            NumberVar::Page => fields::pages(item, Some(&value)),
            NumberVar::Volume | NumberVar::Issue => {
                fields::volume_or_issue(item, variable, Some(&value));
            }
            _ => fields::number(item, variable, Some(&value)),
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
        orcid: name.orcid.as_deref().and_then(names::orcid),
        ..cleaned
    }
}

/// What DataCite adds to CSL-JSON: `copyright` (a licence) and `categories` (keywords).
fn set_from_custom(item: &mut Item, custom: &citation_model::item::Custom) {
    if let Some(Value::String(license)) = custom.get("copyright") {
        fields::plain(item, TextVar::License, Some(license));
    }
    if let Some(Value::Array(categories)) = custom.get("categories") {
        fields::keywords(item, categories.iter().filter_map(Value::as_str));
    }
    if let Some(Value::String(number)) = custom.get("article-number") {
        fields::number(item, NumberVar::Number, Some(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossref_in_disguise() {
        let work = from_slice(
            br#"{"source":"Crossref","member":"78","type":"posted-content","subtype":"preprint",
                 "DOI":"10.5555/A","title":"On x","container-title":[],"issued":{"date-parts":[[2020,1]]},
                 "author":[{"family":"Doe","given":"J."}],"institution":[{"name":"bioRxiv"}]}"#,
        )
        .unwrap();
        assert_eq!(work.item.kind, ItemType::Preprint);
        assert_eq!(work.item.text(TextVar::Publisher), Some("bioRxiv"));
        assert_eq!(work.provenance.source, Source::Doi);
    }

    #[test]
    fn crossref_with_types_of_csl() {
        for (name, kind) in [
            ("article-journal", ItemType::Article),
            ("paper-conference", ItemType::ConferencePaper),
            ("journal-article", ItemType::Article),
        ] {
            let json = format!(
                r#"{{"source":"Crossref","type":"{name}","DOI":"10.5555/a","title":"T","container-title":"J"}}"#
            );
            assert_eq!(from_slice(json.as_bytes()).unwrap().item.kind, kind);
        }
    }

    #[test]
    fn csl_json_of_datacite() {
        let work = from_slice(
            br#"{"type":"dataset","id":"https://doi.org/10.5555/a","DOI":"10.5555/A","title":"Rain &amp; snow",
                 "author":[{"literal":"Met Office"},{"family":"(:unav)"}],"abstract":"x","copyright":"CC BY 4.0",
                 "categories":["rain"],"publisher":"Zenodo","issued":{"date-parts":[[2014,5,6]]}}"#,
        )
        .unwrap();
        assert_eq!(work.item.id, "10.5555/a");
        assert_eq!(work.item.text(TextVar::Title), Some("Rain & snow"));
        assert_eq!(work.item.text(TextVar::License), Some("CC BY 4.0"));
        assert_eq!(work.item.text(TextVar::Abstract), None);
        assert!(work.item.custom.is_empty());
    }

    #[test]
    fn only_a_server_makes_a_preprint() {
        let genre = |publisher: &str| {
            let json = format!(
                r#"{{"type":"article","DOI":"10.5555/a","title":"T","publisher":"{publisher}"}}"#
            );
            let work = from_slice(json.as_bytes()).unwrap();
            work.item.text(TextVar::Genre).map(str::to_owned)
        };
        assert_eq!(genre("arXiv").as_deref(), Some("preprint"));
        assert_eq!(genre("Some University"), None);
    }

    #[test]
    fn answers_without_a_doi_or_title_are_refused() {
        assert_eq!(
            from_slice(br#"{"title":"x"}"#),
            Err(RecordError::Missing("DOI"))
        );
        assert_eq!(
            from_slice(br#"{"DOI":"10.5555/a"}"#),
            Err(RecordError::Missing("title"))
        );
        assert!(from_slice(b"<html>").is_err());
    }
}
