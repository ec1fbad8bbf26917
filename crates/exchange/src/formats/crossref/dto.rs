//! Crossref's record format. Unused members (references, funders) have no field and are skipped.

use serde::Deserialize;

use citation_fields::lenient::{self, LenientDate, List, Object, Text, Texts};

/// A Crossref work.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct CrossrefRecord {
    #[serde(rename = "DOI")]
    pub(super) doi: Text,
    #[serde(rename = "type")]
    pub(super) kind: Text,
    pub(super) subtype: Text,
    pub(super) source: Text,
    pub(super) member: Text,
    pub(super) title: Texts,
    pub(super) subtitle: Texts,
    pub(super) short_title: Texts,
    pub(super) original_title: Texts,
    pub(super) container_title: Texts,
    pub(super) short_container_title: Texts,
    /// The name of `short-container-title` in content negotiation.
    #[serde(rename = "container-title-short")]
    pub(super) container_title_short: Texts,
    pub(super) author: List<Contributor>,
    pub(super) editor: List<Contributor>,
    pub(super) translator: List<Contributor>,
    pub(super) chair: List<Contributor>,
    pub(super) published_print: LenientDate,
    pub(super) published_online: LenientDate,
    pub(super) published_other: LenientDate,
    pub(super) published: LenientDate,
    pub(super) issued: LenientDate,
    pub(super) posted: LenientDate,
    pub(super) approved: LenientDate,
    pub(super) content_created: LenientDate,
    pub(super) created: LenientDate,
    pub(super) indexed: Object<Moment>,
    pub(super) page: Text,
    pub(super) article_number: Text,
    pub(super) volume: Text,
    pub(super) issue: Text,
    pub(super) journal_issue: Object<JournalIssue>,
    pub(super) report_number: Text,
    pub(super) number: Text,
    pub(super) edition_number: Text,
    pub(super) publisher: Text,
    pub(super) publisher_location: Text,
    pub(super) institution: List<Institution>,
    pub(super) standards_body: Object<Institution>,
    pub(super) group_title: Text,
    pub(super) degree: Texts,
    pub(super) event: Object<Event>,
    #[serde(rename = "ISBN")]
    pub(super) isbn: Texts,
    #[serde(rename = "ISSN")]
    pub(super) issn: Texts,
    pub(super) isbn_type: List<TypedNumber>,
    #[serde(rename = "URL")]
    pub(super) url: Text,
    pub(super) resource: Object<Resource>,
    pub(super) language: Text,
    pub(super) license: List<License>,
    pub(super) link: List<FullTextLink>,
    #[serde(rename = "abstract")]
    pub(super) summary: Text,
    pub(super) subject: Texts,
    pub(super) update_to: List<UpdateNotice>,
    pub(super) updated_by: List<UpdateNotice>,
    pub(super) relation: Object<Relations>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Contributor {
    pub(super) family: Text,
    pub(super) given: Text,
    pub(super) suffix: Text,
    pub(super) name: Text,
    pub(super) literal: Text,
    #[serde(rename = "ORCID")]
    pub(super) orcid: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Moment {
    pub(super) date_time: Text,
    /// Milliseconds since 1970.
    #[serde(deserialize_with = "lenient::number")]
    pub(super) timestamp: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct JournalIssue {
    pub(super) issue: Text,
    pub(super) published_print: LenientDate,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Institution {
    pub(super) name: Text,
    pub(super) place: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event {
    pub(super) name: Text,
    pub(super) location: Text,
    pub(super) start: LenientDate,
    pub(super) end: LenientDate,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypedNumber {
    pub(super) value: Text,
    #[serde(rename = "type")]
    pub(super) kind: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resource {
    pub(super) primary: Object<Address>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Address {
    #[serde(rename = "URL")]
    pub(super) url: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct License {
    #[serde(rename = "URL")]
    pub(super) url: Text,
    pub(super) content_version: Text,
    pub(super) start: Object<Moment>,
}

/// An address of the text.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct FullTextLink {
    #[serde(rename = "URL")]
    pub(super) url: Text,
    pub(super) content_version: Text,
    pub(super) intended_application: Text,
}

/// A member of `update-to` or `updated-by`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UpdateNotice {
    #[serde(rename = "DOI")]
    pub(super) doi: Text,
    #[serde(rename = "type")]
    pub(super) kind: Text,
    pub(super) updated: LenientDate,
    pub(super) source: Text,
}

/// The relations that indicate a change of a work, and the works reviewed. Others (data, preprints) are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Relations {
    pub(super) retraction: List<Related>,
    pub(super) withdrawal: List<Related>,
    pub(super) expression_of_concern: List<Related>,
    pub(super) correction: List<Related>,
    pub(super) corrigendum: List<Related>,
    pub(super) erratum: List<Related>,
    pub(super) is_replaced_by: List<Related>,
    pub(super) replaces: List<Related>,
    /// The works that a peer review is about.
    pub(super) is_review_of: List<Related>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Related {
    pub(super) id: Text,
    pub(super) id_type: Text,
}
