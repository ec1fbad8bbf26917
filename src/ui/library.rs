//! The library: the account's collections, and the lists kept only in this browser.

use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The page.
#[derive(Debug, Default, Template)]
#[template(path = "library.html")]
pub struct LibraryPage {
    pub words: Words,
    /// Whether somebody has signed in; otherwise only the browser's lists are shown.
    pub is_signed_in: bool,
    /// The collections by folder, those of none first.
    pub folders: Vec<Folder>,
    /// The plan's number of collections.
    pub limit: u64,
    /// Whether plans are shown.
    pub sells_plans: bool,
    pub problem: Option<String>,
    /// The id of a collection just deleted.
    pub deleted: Option<String>,
    /// Whether all works are shown.
    pub is_all: bool,
    /// The address of the next works.
    pub next: Option<String>,
    /// The searches that the account keeps: query and name.
    pub searches: Vec<(String, String)>,
    /// The query of the search that is shown, to be kept.
    pub search: String,
    /// The words searched in all collections; None without a search.
    pub query: Option<String>,
    /// The tag whose works are shown.
    pub tag: Option<String>,
    /// The works that match the words and the tag.
    pub found: Vec<FoundWorkView>,
    /// Whether more works match.
    pub is_cut_off: bool,
    /// Each tag and its number of works.
    pub tags: Vec<(String, u64)>,
    /// The works added last.
    pub recent: Vec<FoundWorkView>,
}

impl LibraryPage {
    /// The address of a tag's works.
    fn tagged(tag: &str) -> String {
        format!("/library?tag={}", percent_encode(tag))
    }

    fn has_search(&self) -> bool {
        self.query.is_some() || self.tag.is_some()
    }

    fn is_kept(&self) -> bool {
        self.searches.iter().any(|(query, _)| *query == self.search)
    }

    fn collections(&self) -> usize {
        self.folders.iter().map(|folder| folder.cards.len()).sum()
    }

    fn is_chosen(&self, tag: &str) -> bool {
        let chosen = self.tag.as_ref();
        chosen.is_some_and(|chosen| chosen.to_lowercase() == tag.to_lowercase())
    }
}

/// Collections whose names begin alike.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Empty for those of no folder.
    pub name: String,
    pub cards: Vec<CollectionView>,
}

/// What separates the folder from the rest of a name: `Thesis / Chapter 1`.
const SEPARATOR: &str = " / ";

/// Puts collections into the folders that their names tell: all that stands before the last ` / `.
pub fn folders(cards: Vec<CollectionView>) -> Vec<Folder> {
    let mut folders: Vec<Folder> = vec![Folder::default()];
    for mut card in cards {
        let parts = card.name.rsplit_once(SEPARATOR);
        let parts = parts.map(|(folder, name)| (folder.trim().to_owned(), name.trim().to_owned()));
        let (folder, name) = parts
            .filter(|(folder, name)| !folder.is_empty() && !name.is_empty())
            .unwrap_or_else(|| (String::new(), card.name.clone()));
        card.name = name;
        match folders.iter_mut().find(|known| known.name == folder) {
            Some(known) => known.cards.push(card),
            None => folders.push(Folder {
                name: folder,
                cards: vec![card],
            }),
        }
    }
    // Folders of one folder stand together.
    folders.sort_by(|a, b| a.name.cmp(&b.name));
    folders.retain(|folder| !folder.cards.is_empty());
    folders
}

/// A work of any collection.
#[derive(Clone, Debug, Default)]
pub struct FoundWorkView {
    pub collection: String,
    pub collection_name: String,
    pub id: String,
    pub title: String,
    pub about: String,
    pub tags: Vec<String>,
}

/// A collection in the list.
#[derive(Clone, Debug, Default)]
pub struct CollectionView {
    pub id: String,
    pub name: String,
    pub entries: u64,
    pub tags: Vec<String>,
    /// A day: `2026-11-21`.
    pub updated: String,
    pub is_shared: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_folders() {
        let card = |name: &str| CollectionView {
            name: name.to_owned(),
            ..CollectionView::default()
        };
        let names = [
            "Thesis / One",
            "Alone",
            "Thesis / One / Deep",
            "Thesis / Two",
            " / x",
        ];
        let folders = folders(names.map(card).to_vec());
        let shown: Vec<(&str, Vec<&str>)> = { folders.iter() }
            .map(|folder| {
                let cards = folder.cards.iter().map(|card| card.name.as_str());
                (folder.name.as_str(), cards.collect())
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("", vec!["Alone", " / x"]),
                ("Thesis", vec!["One", "Two"]),
                ("Thesis / One", vec!["Deep"]),
            ]
        );
    }
}
