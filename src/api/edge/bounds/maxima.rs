//! The table of maxima.

use std::collections::HashMap;

use crate::api::edge::multipart::MAX_PARTS;
use crate::config::Config;
use citation_model::variable::NameVar;

/// The maximum of each member: characters of a text, items of a list, or the value of a number. A
/// name is a member's, prefixed by its schema's if it is ambiguous; `[]` is a list's
/// item. The schema of a work's metadata has its own limits.
pub(super) fn most(config: &Config) -> HashMap<String, u64> {
    let limits = &config.limits;
    let file = limits.import_bytes;
    let entries = u64::from(config.format.max_entries);
    let batch = u64::from(limits.batch_entries);
    let table: [(&str, u64); _] = [
        ("doi", limits.identifier_chars.into()),
        ("isbn", limits.identifier_chars.into()),
        ("issn", limits.identifier_chars.into()),
        ("text", limits.reference_chars.into()),
        ("LookupRequest.query", limits.reference_chars.into()),
        ("UrlRequest.url", limits.reference_chars.into()),
        ("UrlRequest.html", 500_000),
        ("references", limits.batch_items.into()),
        ("VerifyJobRequest.references", config.jobs.max_items.into()),
        ("FormatJobRequest.items", config.jobs.max_items.into()),
        ("references[]", limits.reference_chars.into()),
        ("companion", MAX_PARTS as u64),
        ("filename", 1_000),
        ("FormatBatchRequest.items", limits.batch_items.into()),
        ("FormatRequest.entries", entries),
        ("ExportRequest.entries", entries),
        (
            "CitationKeysRequest.entries",
            limits.citation_key_entries.into(),
        ),
        ("GroupCites.items", config.format.max_indices.into()),
        ("indices", config.format.max_indices.into()),
        ("indices[]", entries),
        ("index", entries),
        ("first_number", 1_000_000),
        ("locator", 1_000),
        ("label", 100),
        ("prefix", 10_000),
        ("suffix", 10_000),
        ("formats", 100),
        ("style", limits.name_chars.into()),
        ("defaultstyle", limits.name_chars.into()),
        ("locale", 100),
        ("language", 100),
        ("style_xml", config.format.max_style_bytes),
        ("limit", u32::MAX.into()),
        ("offset", u32::MAX.into()),
        ("abbreviation", 1_000),
        ("title", 10_000),
        ("AbbreviateRequest.title", 1_000),
        ("pattern", 200),
        ("name", limits.name_chars.into()),
        ("description", limits.description_chars.into()),
        ("note", limits.note_chars.into()),
        ("tags", limits.tags.into()),
        ("tags[]", limits.tag_chars.into()),
        ("add", limits.tags.into()),
        ("add[]", limits.tag_chars.into()),
        ("remove", limits.tags.into()),
        ("remove[]", limits.tag_chars.into()),
        ("entries", batch),
        ("LocalCollection.entries", most_entries(config)),
        (
            "PermalinkRequest.entries",
            config.sharing.anonymous_entries.into(),
        ),
        ("collections", 1_000),
        ("client_id", 200),
        ("resource", 2_000),
        ("redirect_uris[]", 2_000),
        ("grant_types[]", 100),
        ("response_types[]", 100),
        ("entry_ids", batch),
        ("EntryOrder.entry_ids", most_entries(config)),
        ("scopes", 10),
        ("scopes[]", 100),
        ("created_at", 100),
        ("q", limits.query_chars.into()),
        ("query", limits.query_chars.into()),
        ("query.bibliographic", limits.reference_chars.into()),
        ("query.title", limits.query_chars.into()),
        ("query.author", limits.query_chars.into()),
        ("query.container-title", limits.query_chars.into()),
        ("query.publisher-name", limits.query_chars.into()),
        ("filter", 2_000),
        ("rows", u32::MAX.into()),
        ("cursor", 200),
        ("sort", 100),
        ("order", 100),
        ("columns", 4_000),
        ("select", 1_000),
        ("mailto", 1_000),
        ("tag", limits.tag_chars.into()),
        ("TagName.name", limits.tag_chars.into()),
        ("token", 100),
        ("uncited[]", 1_000),
        ("uris[]", 2_000),
        ("field", 100),
        ("include", 200),
        ("format", 100),
        ("single", 100),
        ("WebSelection.url", limits.reference_chars.into()),
        ("session", 100),
        ("key", 200),
        ("user", 100),
        ("item", 100),
        ("collection", 100),
        ("itemKey", 1_000),
        ("itemType", 1_000),
        ("direction", 10),
        ("start", u32::MAX.into()),
        ("since", u32::MAX.into()),
        ("after", u32::MAX.into()),
        ("events", 20),
        ("events[]", 100),
        ("state", 100),
        ("delivery", 64),
        ("WebhookRequest.url", 2_000),
        ("WebhookPatch.url", 2_000),
        ("notes", 10),
        ("encoding", 100),
        ("collection_id", 64),
        ("file", file),
    ];
    let uuids = [
        "id",
        "eid",
        "uid",
        "entry_ids[]",
        "delete_entry_id",
        "source_collection_id",
        "target_collection_id",
    ];
    let names = NameVar::ALL.iter().map(|variable| {
        let member = format!("CitationMetadata.{}", variable.json_name());
        (member, limits.authors.into())
    });
    let own = table
        .into_iter()
        .chain(uuids.map(|name| (name, UUID_CHARS)));
    own.map(|(name, most)| (name.to_owned(), most))
        .chain(names)
        .collect()
}

/// Characters of a UUID, in the longest form (`urn:uuid:{…}`), with a margin.
const UUID_CHARS: u64 = 64;

/// Entries of the largest collection of any plan.
fn most_entries(config: &Config) -> u64 {
    let limits = &config.limits;
    let plans = [
        limits.free_entries,
        limits.academic_entries,
        limits.business_entries,
    ];
    u64::from(
        plans
            .into_iter()
            .max()
            .unwrap_or_default()
            .max(limits.batch_entries),
    )
}
