//! Crossref's record format. Unused members (references, links, funders) have no field and are skipped.

use serde::Deserialize;

use crate::lenient;
use citation_model::date::Date;

/// A Crossref work.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct CrossrefRecord {
    #[serde(rename = "DOI", deserialize_with = "lenient::text")]
    pub(super) doi: Option<String>,
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub(super) kind: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) subtype: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) source: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) member: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) title: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) subtitle: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) short_title: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) original_title: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) container_title: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) short_container_title: Vec<String>,
    /// The name of `short-container-title` in content negotiation.
    #[serde(rename = "container-title-short", deserialize_with = "lenient::texts")]
    pub(super) container_title_short: Vec<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) author: Vec<Contributor>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) editor: Vec<Contributor>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) translator: Vec<Contributor>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) chair: Vec<Contributor>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) published_print: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) published_online: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) published_other: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) published: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) issued: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) posted: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) approved: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) content_created: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) created: Option<Date>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) indexed: Option<Moment>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) page: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) article_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) volume: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) issue: Option<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) journal_issue: Option<JournalIssue>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) report_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) edition_number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) publisher: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) publisher_location: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) institution: Vec<Institution>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) standards_body: Option<Institution>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) group_title: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) degree: Vec<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) event: Option<Event>,
    #[serde(rename = "ISBN", deserialize_with = "lenient::texts")]
    pub(super) isbn: Vec<String>,
    #[serde(rename = "ISSN", deserialize_with = "lenient::texts")]
    pub(super) issn: Vec<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) isbn_type: Vec<TypedNumber>,
    #[serde(rename = "URL", deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) resource: Option<Resource>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) language: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) license: Vec<License>,
    #[serde(rename = "abstract", deserialize_with = "lenient::text")]
    pub(super) summary: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) subject: Vec<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) update_to: Vec<UpdateNotice>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) updated_by: Vec<UpdateNotice>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) relation: Option<Relations>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Contributor {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) family: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) given: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) suffix: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) literal: Option<String>,
    #[serde(rename = "ORCID", deserialize_with = "lenient::text")]
    pub(super) orcid: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Moment {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) date_time: Option<String>,
    /// Milliseconds since 1970.
    #[serde(deserialize_with = "lenient::number")]
    pub(super) timestamp: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct JournalIssue {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) issue: Option<String>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) published_print: Option<Date>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Institution {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) place: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) location: Option<String>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) start: Option<Date>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) end: Option<Date>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypedNumber {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) value: Option<String>,
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub(super) kind: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resource {
    #[serde(deserialize_with = "lenient::object")]
    pub(super) primary: Option<Address>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Address {
    #[serde(rename = "URL", deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct License {
    #[serde(rename = "URL", deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
}

/// A member of `update-to` or `updated-by`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UpdateNotice {
    #[serde(rename = "DOI", deserialize_with = "lenient::text")]
    pub(super) doi: Option<String>,
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub(super) kind: Option<String>,
    #[serde(deserialize_with = "lenient::date")]
    pub(super) updated: Option<Date>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) source: Option<String>,
}

/// The relations that indicate a change of a work, and the works reviewed. Others (data, preprints) are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Relations {
    #[serde(deserialize_with = "lenient::list")]
    pub(super) retraction: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) withdrawal: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) expression_of_concern: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) correction: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) corrigendum: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) erratum: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) is_replaced_by: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) replaces: Vec<Related>,
    /// The works that a peer review is about.
    #[serde(deserialize_with = "lenient::list")]
    pub(super) is_review_of: Vec<Related>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Related {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) id: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) id_type: Option<String>,
}
