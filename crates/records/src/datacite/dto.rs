//! DataCite's resource format.

use serde::Deserialize;

use crate::lenient::{List, Object, Text, Texts};

/// A resource.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DataciteRecord {
    pub(super) id: Text,
    pub(super) attributes: Object<Attributes>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attributes {
    pub(super) doi: Text,
    pub(super) creators: List<Person>,
    pub(super) contributors: List<Person>,
    pub(super) titles: List<Title>,
    pub(super) publisher: Text,
    pub(super) container: Object<Container>,
    pub(super) publication_year: Text,
    pub(super) dates: List<TypedDate>,
    pub(super) language: Text,
    pub(super) types: Object<Types>,
    pub(super) related_identifiers: List<Related>,
    pub(super) related_items: List<RelatedItem>,
    pub(super) sizes: Texts,
    pub(super) version: Text,
    pub(super) rights_list: List<Rights>,
    pub(super) subjects: List<Subject>,
    pub(super) descriptions: List<Description>,
    pub(super) url: Text,
    pub(super) updated: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) name: Text,
    pub(super) family_name: Text,
    pub(super) given_name: Text,
    pub(super) name_type: Text,
    pub(super) contributor_type: Text,
    pub(super) name_identifiers: List<NameIdentifier>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct NameIdentifier {
    pub(super) name_identifier: Text,
    pub(super) name_identifier_scheme: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Title {
    pub(super) title: Text,
    pub(super) title_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Container {
    #[serde(rename = "type")]
    pub(super) kind: Text,
    pub(super) title: Text,
    pub(super) volume: Text,
    pub(super) issue: Text,
    pub(super) number: Text,
    pub(super) first_page: Text,
    pub(super) last_page: Text,
    pub(super) identifier: Text,
    pub(super) identifier_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TypedDate {
    pub(super) date: Text,
    pub(super) date_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Types {
    pub(super) resource_type: Text,
    pub(super) resource_type_general: Text,
    pub(super) citeproc: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Related {
    pub(super) related_identifier: Text,
    pub(super) related_identifier_type: Text,
    pub(super) relation_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RelatedItem {
    pub(super) related_item_identifier: Object<ItemIdentifier>,
    pub(super) contributors: List<Person>,
    pub(super) number_type: Text,
    pub(super) edition: Text,
    pub(super) relation_type: Text,
    pub(super) titles: List<Title>,
    pub(super) volume: Text,
    pub(super) issue: Text,
    pub(super) number: Text,
    pub(super) first_page: Text,
    pub(super) last_page: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ItemIdentifier {
    pub(super) related_item_identifier: Text,
    pub(super) related_item_identifier_type: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Rights {
    pub(super) rights: Text,
    pub(super) rights_uri: Text,
    pub(super) rights_identifier: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Subject {
    pub(super) subject: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Description {
    pub(super) description: Text,
    pub(super) description_type: Text,
}
