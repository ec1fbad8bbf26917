//! DataCite's resource format.

use serde::Deserialize;

use crate::lenient;

/// A resource.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DataciteRecord {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) id: Option<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) attributes: Option<Attributes>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attributes {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) doi: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) creators: Vec<Person>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) contributors: Vec<Person>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) titles: Vec<Title>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) publisher: Option<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) container: Option<Container>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) publication_year: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) dates: Vec<TypedDate>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) language: Option<String>,
    #[serde(deserialize_with = "lenient::object")]
    pub(super) types: Option<Types>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) related_identifiers: Vec<Related>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) related_items: Vec<RelatedItem>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) sizes: Vec<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) version: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) rights_list: Vec<Rights>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) subjects: Vec<Subject>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) descriptions: Vec<Description>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) updated: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Person {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) family_name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) given_name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) contributor_type: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) name_identifiers: Vec<NameIdentifier>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct NameIdentifier {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name_identifier: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name_identifier_scheme: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Title {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title_type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Container {
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub(super) kind: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) volume: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) issue: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) first_page: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) last_page: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) identifier: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) identifier_type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TypedDate {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) date: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) date_type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Types {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) resource_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) resource_type_general: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) citeproc: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Related {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) related_identifier: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) related_identifier_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) relation_type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RelatedItem {
    #[serde(deserialize_with = "lenient::object")]
    pub(super) related_item_identifier: Option<ItemIdentifier>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) contributors: Vec<Person>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) number_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) edition: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) relation_type: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) titles: Vec<Title>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) volume: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) issue: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) number: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) first_page: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) last_page: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ItemIdentifier {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) related_item_identifier: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) related_item_identifier_type: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Rights {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) rights: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) rights_uri: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Subject {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) subject: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Description {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) description: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) description_type: Option<String>,
}
