//! `citation import zotero`: imports a Zotero library into the collections of an account.
//!
//! Items are imported by version, oldest first, and each entry stores the version of its item. So the
//! entries tell where to resume, after an interrupted import or after changes in the library.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::app::App;
use crate::collections::change::NewCollection;
use crate::collections::draft::{Annotations, check_entry, metadata_limits};
use crate::collections::entries::OnDuplicate;
use crate::collections::{CollectionError, Owner, Precondition};
use crate::config::BaseUrl;
use crate::provider::zotero::{ADDRESS, BATCH, ZoteroCollection, ZoteroLibrary};
use crate::store::users::User;
use citation_exchange::{self as exchange, Content, ZOTERO_JSON};
use citation_model::budget::Budget;
use citation_model::item::Item;

#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import a Zotero library, or its changes since the last import
    Zotero(Zotero),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ZOTERO_API_KEY=… citation import zotero ann@example.org
  citation import zotero ann@example.org --library groups/123456 --key-file zotero.key")]
pub struct Zotero {
    /// The account to import into: its e-mail address or id
    account: String,
    /// The library, users/NUMBER or groups/NUMBER (default: the library of the key's owner)
    #[arg(long, value_parser = read_library)]
    library: Option<String>,
    /// A file with a Zotero key that can read (default: the variable ZOTERO_API_KEY)
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The address of Zotero's web API
    #[arg(long, value_name = "URL", default_value = ADDRESS)]
    base_url: BaseUrl,
    /// Import at most so many items; the next run resumes
    #[arg(long, value_name = "N")]
    most: Option<usize>,
}

fn read_library(text: &str) -> Result<String, String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('/') {
        Some(("users" | "groups", number)) if is_number(number) => Ok(text.to_owned()),
        _ => Err("a library must be users/NUMBER or groups/NUMBER".to_owned()),
    }
}

/// The members of an entry's metadata that store the key and version of its item.
const ORIGIN: &str = "zotero";
const VERSION: &str = "zotero_version";

impl ImportCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let ImportCommand::Zotero(command) = self;
        command.run(global)
    }
}

impl Zotero {
    fn run(&self, global: &Global) -> Outcome {
        let key = self.key()?;
        let app = open::app(open::config(open::overrides(global))?)?;
        let store = app.auth.store();
        let user = match store.user_by_email(&self.account)? {
            Some(user) => user,
            None => match store.user_by_uid(&self.account)? {
                Some(user) => user,
                None => {
                    tell!("The account {} does not exist.", self.account);
                    return Ok(Status::Negative);
                }
            },
        };
        let library = ZoteroLibrary::open(self.base_url.clone(), &key, self.library.as_deref())?;
        let mut import = Import::new(&app, &user, &library)?;
        import.run(self.most.unwrap_or(usize::MAX))?;
        import.print_summary(global.json)?;
        Ok(Status::Done)
    }

    fn key(&self) -> Result<String, Failure> {
        let text = match &self.key_file {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?,
            None => std::env::var("ZOTERO_API_KEY").unwrap_or_default(),
        };
        match text.trim() {
            "" => Err(Failure(
                "A Zotero key is required: --key-file, or ZOTERO_API_KEY.".to_owned(),
            )),
            key => Ok(key.to_owned()),
        }
    }
}

/// An entry imported from an item of the library.
struct ImportedItem {
    collection: String,
    entry: String,
    version: u64,
}

struct Import<'i> {
    app: &'i App,
    owner: Owner,
    library: &'i ZoteroLibrary,
    known: HashMap<String, ImportedItem>,
    /// UUIDs of the account's collections by name.
    collections: HashMap<String, String>,
    /// Full names of Zotero's collections by key.
    names: BTreeMap<String, String>,
    added: u64,
    updated: u64,
    unchanged: u64,
    /// Number of items that `most` leaves for the next run.
    left: usize,
    deleted: usize,
    /// Keys of skipped items, with the reason.
    skipped: Vec<(String, String)>,
}

impl<'i> Import<'i> {
    fn new(app: &'i App, user: &User, library: &'i ZoteroLibrary) -> Result<Import<'i>, Failure> {
        let owner = Owner::of(user.id, user.plan, app.quota.plans());
        let (known, collections) = app.collections.read(user.id, |reading| {
            let (mut known, mut collections) = (HashMap::new(), HashMap::new());
            for row in reading.collections(false)? {
                for entry in reading.rows(&row)? {
                    let item = reading.item(&entry)?;
                    if let Some((key, version)) = origin(&item, library.path()) {
                        let found = ImportedItem {
                            collection: row.uid.clone(),
                            entry: entry.uid,
                            version,
                        };
                        known.insert(key, found);
                    }
                }
                collections.entry(row.name).or_insert(row.uid);
            }
            Ok::<_, CollectionError>((known, collections))
        })?;
        Ok(Import {
            app,
            owner,
            library,
            known,
            collections,
            names: full_names(&library.collections()?),
            added: 0,
            updated: 0,
            unchanged: 0,
            left: 0,
            deleted: 0,
            skipped: Vec::new(),
        })
    }

    fn run(&mut self, most: usize) -> Result<(), Failure> {
        // Items of one version may be interrupted halfway: those of the last version are fetched again.
        let newest = self.known.values().map(|known| known.version).max();
        let since = newest.unwrap_or(0).saturating_sub(1);
        let mut changed: Vec<(u64, String)> = { self.library.changed(since)?.into_iter() }
            .map(|(key, version)| (version, key))
            .collect();
        changed.sort_unstable();
        let before = changed.len();
        changed.retain(|(version, key)| {
            { self.known.get(key) }.is_none_or(|known| known.version != *version)
        });
        self.unchanged = (before - changed.len()) as u64;
        self.left = changed.len().saturating_sub(most);
        changed.truncate(most);
        for batch in changed.chunks(BATCH) {
            let keys: Vec<&str> = batch.iter().map(|(_, key)| key.as_str()).collect();
            let mut items: HashMap<String, Value> = { self.library.items(&keys)?.into_iter() }
                .filter_map(|item| Some((item["key"].as_str()?.to_owned(), item)))
                .collect();
            for (version, key) in batch {
                match items.remove(key) {
                    Some(item) => self.take(key, *version, &item)?,
                    None => self.skip(key, "Zotero did not return it"),
                }
            }
        }
        if since > 0 {
            let deleted = self.library.deleted(since)?;
            let is_known = |key: &&String| self.known.contains_key(*key);
            self.deleted = deleted.iter().filter(is_known).count();
        }
        Ok(())
    }

    fn skip(&mut self, key: &str, why: &str) {
        self.skipped.push((key.to_owned(), why.to_owned()));
    }

    /// Imports one item as a new entry, or updates its entry.
    fn take(&mut self, key: &str, version: u64, object: &Value) -> Result<(), Failure> {
        let budget = Budget::unlimited();
        let text = object.to_string();
        let reading = exchange::read(&Content::of_text(&text), &ZOTERO_JSON, &budget)?;
        let Some(read) = reading.items.into_iter().next() else {
            let kind = object["data"]["itemType"].as_str().unwrap_or("item");
            self.skip(key, &format!("not a reference: {kind}"));
            return Ok(());
        };
        let mut item = read.item;
        let origin = format!("{}/items/{key}", self.library.path());
        item.custom.insert(ORIGIN.to_owned(), origin.into());
        item.custom.insert(VERSION.to_owned(), version.into());
        let limits = metadata_limits(self.app.collections.limits());
        if let Err(fault) = check_entry(&item, &limits) {
            self.skip(key, &fault.to_string());
            return Ok(());
        }
        match self.known.get(key) {
            Some(known) => {
                let metadata = self.app.collections.metadata(item)?;
                let (collection, entry) = (known.collection.clone(), known.entry.clone());
                let anything = Precondition::default();
                self.app
                    .collections
                    .write(self.owner, &anything, |change| {
                        let target = (collection.as_str(), entry.as_str());
                        change
                            .replace(&self.app.collections, target, &metadata)
                            .map(drop)
                    })?;
                self.updated += 1;
            }
            None => self.add(key, version, item, object)?,
        }
        Ok(())
    }

    fn add(&mut self, key: &str, version: u64, item: Item, object: &Value) -> Result<(), Failure> {
        let collection = self.collection_of(object)?;
        let collections = &self.app.collections;
        let draft = collections.draft(item, Annotations::default())?;
        let compared = collections.read(self.owner.user, |reading| {
            reading.compare_one(&collection, &draft.item)
        })?;
        let (_, added) = collections.write(self.owner, &Precondition::default(), |change| {
            change.add(&collection, &draft, &compared, OnDuplicate::Skip)
        })?;
        if !added.is_new {
            self.skip(key, "the same work is already in the collection");
            return Ok(());
        }
        let entry = added.entry.stored.row.uid;
        let known = ImportedItem {
            collection,
            entry,
            version,
        };
        self.known.insert(key.to_owned(), known);
        self.added += 1;
        Ok(())
    }

    /// The account's collection for an item: named like the item's first one, and created if it does
    /// not exist.
    fn collection_of(&mut self, object: &Value) -> Result<String, Failure> {
        let key = object["data"]["collections"][0].as_str();
        let name = key.and_then(|key| self.names.get(key));
        let name = name.cloned().unwrap_or_else(|| "Zotero".to_owned());
        if let Some(uid) = self.collections.get(&name) {
            return Ok(uid.clone());
        }
        let new = NewCollection {
            name: name.clone(),
            ..NewCollection::default()
        };
        let collections = &self.app.collections;
        let row = collections.write(self.owner, &Precondition::default(), |change| {
            change.create(&new)
        })?;
        self.collections.insert(name, row.uid.clone());
        Ok(row.uid)
    }

    fn print_summary(&self, as_json: bool) -> Result<(), Failure> {
        if as_json {
            let skipped = self.skipped.iter();
            let skipped: Vec<Value> = skipped
                .map(|(key, reason)| json!({"key": key, "reason": reason}))
                .collect();
            terminal::print_json(&json!({
                    "library": self.library.path(), "added": self.added, "updated": self.updated,
                    "unchanged": self.unchanged, "left": self.left, "deleted": self.deleted,
                    "skipped": skipped,
            }));
            return Ok(());
        }
        for (key, reason) in &self.skipped {
            tell!("{key}: {reason}");
        }
        say!(
            "{}: {} added, {} updated, {} skipped",
            self.library.path(),
            self.added,
            self.updated,
            self.skipped.len()
        );
        if self.left > 0 {
            say!("{} are left for the next run", self.left);
        }
        if self.deleted > 0 {
            say!("{} were deleted in Zotero and stay here", self.deleted);
        }
        Ok(())
    }
}

/// The key and version of the item of a library that an entry was.
fn origin(item: &Item, library: &str) -> Option<(String, u64)> {
    let origin = item.custom.get(ORIGIN)?.as_str()?;
    let key = origin.strip_prefix(library)?.strip_prefix("/items/")?;
    Some((key.to_owned(), item.custom.get(VERSION)?.as_u64()?))
}

/// The longest name of a collection, in characters.
const MAX_NAME_LENGTH: usize = 200;

/// The deepest nesting of collections.
const DEEPEST: usize = 20;

/// The names of collections, prefixed by those of their parents: `Thesis / Chapter 1`.
fn full_names(collections: &BTreeMap<String, ZoteroCollection>) -> BTreeMap<String, String> {
    let full_name = |collection: &ZoteroCollection| {
        let mut names = vec![collection.name.as_str()];
        let mut above = collection.parent();
        while let Some(parent) = above.and_then(|key| collections.get(key))
            && names.len() < DEEPEST
        {
            names.push(&parent.name);
            above = parent.parent();
        }
        names.reverse();
        let name = names.join(" / ");
        name.trim()
            .chars()
            .take(MAX_NAME_LENGTH)
            .collect::<String>()
    };
    { collections.iter() }
        .map(|(key, collection)| (key.clone(), full_name(collection)))
        .filter(|(_, name)| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collection_names_include_parents() {
        let collections = json!({
            "A": {"name": "Thesis", "parentCollection": false},
            "B": {"name": "One", "parentCollection": "A"},
            "C": {"name": "Loop", "parentCollection": "C"},
        });
        let names = full_names(&serde_json::from_value(collections).unwrap());
        assert_eq!(names["B"], "Thesis / One");
        assert!(names["C"].starts_with("Loop / Loop"));
    }

    #[test]
    fn libraries_are_of_users_or_groups() {
        assert!(read_library("users/12").is_ok() && read_library("groups/3").is_ok());
        for text in ["12", "users/", "users/a", "people/1", "users/1/../2"] {
            assert!(read_library(text).is_err(), "{text}");
        }
    }
}
