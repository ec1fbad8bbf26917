//! Lists of files in the form of sitemaps: resource lists and change lists of ResourceSync, and plain sitemaps.
//!
//! Written after <https://www.openarchives.org/rs/1.1/resourcesync> and <https://www.sitemaps.org/protocol.html>.

use citation_exchange::{Element, each_record};
use citation_model::budget::Budget;

use super::{RecordError, xml_text};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<urlset>",
    "<url>",
    "</url>",
    "<sitemap>",
    "<loc>https://example.org/a.xml</loc>",
    "<lastmod>2026-01-01</lastmod>",
    "<rs:md change=\"deleted\"/>",
];

/// What a list names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceList {
    pub files: Vec<ListedFile>,
    /// The addresses of further lists.
    pub lists: Vec<String>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    pub url: String,
    /// What changes with the file: its hash and its time, as written; empty if the list has neither.
    pub state: String,
    pub is_deleted: bool,
}

/// Reads a list. Of several entries of one file the last counts: a change list has each change.
pub fn read(xml: &[u8]) -> Result<ResourceList, RecordError> {
    let text = xml_text(xml);
    let mut list = ResourceList::default();
    let mut is_list = false;
    let is_entry = |name: &str, parent: &str| {
        matches!(
            (name, parent),
            ("url", "urlset") | ("sitemap", "sitemapindex")
        )
    };
    let is_root = |name: &str, _: &str| matches!(name, "urlset" | "sitemapindex");
    each_record(&text, &Budget::unlimited(), is_root, |_| is_list = true)
        .map_err(|error| RecordError::Syntax(error.to_string()))?;
    if !is_list {
        return Err(RecordError::Missing("list of files"));
    }
    each_record(&text, &Budget::unlimited(), is_entry, |entry| {
        let url = entry.child_text("loc").trim().to_owned();
        match entry.name() {
            _ if url.is_empty() => {}
            "sitemap" => list.lists.push(url),
            _ => list.files.push(file(entry, url)),
        }
    })
    .map_err(|error| RecordError::Syntax(error.to_string()))?;
    list.files.reverse();
    let mut known = std::collections::HashSet::new();
    list.files.retain(|file| known.insert(file.url.clone()));
    list.files.reverse();
    Ok(list)
}

fn file(entry: Element<'_>, url: String) -> ListedFile {
    let about = entry.child("md");
    let said = |name: &str| {
        let value = about.and_then(|about| about.attribute(name));
        value.unwrap_or_default().into_owned()
    };
    let parts = [said("hash"), said("datetime"), entry.child_text("lastmod")];
    let parts: Vec<&str> = { parts.iter() }
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    ListedFile {
        state: parts.join(" "),
        is_deleted: said("change") == "deleted",
        url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_list_names_files_and_their_last_change() {
        let list = read(
            br#"<?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
              <rs:ln rel="up" href="https://example.org/capabilitylist.xml"/>
              <rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>
              <url><loc>https://example.org/a.json</loc><lastmod>2026-01-01T00:00:00Z</lastmod><rs:md change="created" hash="md5:1"/></url>
              <url><loc>https://example.org/b.json</loc><rs:md change="deleted" datetime="2026-01-02T00:00:00Z"/></url>
              <url><loc>https://example.org/a.json</loc><rs:md change="updated" hash="md5:2"/></url>
            </urlset>"#,
        )
        .unwrap();
        let shown: Vec<(&str, &str, bool)> = { list.files.iter() }
            .map(|file| (file.url.as_str(), file.state.as_str(), file.is_deleted))
            .collect();
        assert_eq!(
            shown,
            [
                ("https://example.org/b.json", "2026-01-02T00:00:00Z", true),
                ("https://example.org/a.json", "md5:2", false),
            ]
        );
    }

    #[test]
    fn index_names_further_lists() {
        let list = read(
            b"<sitemapindex><sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>",
        )
        .unwrap();
        assert_eq!(list.lists, ["https://example.org/1.xml"]);
        assert!(list.files.is_empty());
        assert!(read(b"<html><body>No list</body></html>").is_err());
        assert_eq!(read(b"<urlset/>").unwrap(), ResourceList::default());
    }
}
