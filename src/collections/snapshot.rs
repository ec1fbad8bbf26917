//! Reading one owner's collections: lists, entries, filters.

use super::entry::{Entry, in_form};
use super::error::{CollectionError, Resource};
use super::input::has_tag;
use super::policy::{self, CollectionAction};
use super::shown;
use crate::store::StoreError;
use crate::store::collections::{CollectionRow, EntryRow, LoggedChange, Range, Stored, View};
use citation_exchange::keys;
use citation_matching::normalize::fold;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::variable::{NameVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

/// A consistent snapshot of one owner's collections.
pub struct Snapshot<'c> {
    pub(super) view: &'c View<'c>,
    pub(super) user: i64,
    pub(super) now: i64,
    pub(super) replies_since: i64,
}

/// A filter for entries; the default matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// Words that must occur anywhere in the entry, regardless of case and accents.
    pub words: Option<String>,
    /// A tag, regardless of case.
    pub tag: Option<String>,
    pub review_status: Option<ReviewStatus>,
    /// Restorable deleted entries instead, most recent first.
    pub are_deleted: bool,
}

impl EntryFilter {
    fn is_empty(&self) -> bool {
        *self == EntryFilter::default()
    }
}

/// A page of a collection's entries.
#[derive(Clone, Debug)]
pub struct EntriesPage {
    pub entries: Vec<Entry>,
    /// Number of entries that match the filter.
    pub total: u64,
}

impl Snapshot<'_> {
    /// The caller's own collections, oldest first: either the deleted ones or the others.
    pub fn collections(&self, deleted: bool) -> Result<Vec<CollectionRow>, StoreError> {
        self.view.collections(self.user, deleted)
    }

    /// The collections of others in which the caller has a role, oldest first.
    pub fn granted_collections(&self) -> Result<Vec<CollectionRow>, StoreError> {
        self.view.granted_collections(self.user)
    }

    /// The changes of a collection after a version, oldest first. `None` if some of them are no longer
    /// kept.
    pub fn changes_since(
        &self,
        collection: &CollectionRow,
        version: i64,
    ) -> Result<Option<Vec<LoggedChange>>, CollectionError> {
        Ok(self.view.changes_since(collection, version)?)
    }

    /// One collection, for reading.
    pub fn collection(&self, uid: &str) -> Result<CollectionRow, CollectionError> {
        self.permitted(uid, CollectionAction::Read)
    }

    /// One collection, for an action that the caller's role allows.
    pub fn permitted(
        &self,
        uid: &str,
        action: CollectionAction,
    ) -> Result<CollectionRow, CollectionError> {
        policy::permitted(self.view.collection(self.user, uid)?, action)
    }

    /// The collection of a share token, whoever owns it.
    pub fn shared(&self, token: &str) -> Result<CollectionRow, CollectionError> {
        self.permitted_by_link(token, CollectionAction::Read, false)
    }

    /// The same for an action that the link allows, where `edit_links` says whether the configuration allows
    /// links that edit.
    pub fn permitted_by_link(
        &self,
        token: &str,
        action: CollectionAction,
        edit_links: bool,
    ) -> Result<CollectionRow, CollectionError> {
        let row = self.view.shared_collection(token)?;
        policy::permitted_by_link(row, action, edit_links, self.now)
    }

    /// The most recently added entries of all collections.
    pub fn added_last(&self, most: u32) -> Result<Vec<EntryRow>, StoreError> {
        self.view.added_last(self.user, most)
    }

    /// One entry.
    pub fn entry(&self, collection: &CollectionRow, uid: &str) -> Result<Entry, CollectionError> {
        Ok(Entry::of_row(self.view, self.find_entry(collection, uid)?)?)
    }

    /// Fails if the entry does not exist.
    pub fn has_entry(&self, collection: &CollectionRow, uid: &str) -> Result<(), CollectionError> {
        self.find_entry(collection, uid).map(|_| ())
    }

    pub(super) fn find_entry(
        &self,
        collection: &CollectionRow,
        uid: &str,
    ) -> Result<EntryRow, CollectionError> {
        let row = self.view.entry(collection.id, uid)?;
        row.ok_or(CollectionError::NotFound(Resource::Entry))
    }

    /// The entries that match a filter, in order.
    pub fn entries(
        &self,
        collection: &CollectionRow,
        filter: &EntryFilter,
        range: Range,
    ) -> Result<EntriesPage, StoreError> {
        let mut notices = self.view.notices(collection.id)?;
        let (stored, total) = if filter.is_empty() {
            let stored = self.view.stored(collection.id, range)?;
            (stored, collection.entries)
        } else {
            self.filtered(collection, filter, range)?
        };
        let entries = stored.into_iter().map(|stored| {
            Ok(Entry {
                updates: notices.remove(&stored.row.id).unwrap_or_default(),
                stored: in_form(self.view, stored)?,
            })
        });
        Ok(EntriesPage {
            entries: entries.collect::<Result<_, StoreError>>()?,
            total,
        })
    }

    /// The entries of a collection in order, without metadata.
    pub fn rows(&self, collection: &CollectionRow) -> Result<Vec<EntryRow>, StoreError> {
        self.view.entries(collection.id)
    }

    /// The UUIDs of entries that were deleted from a collection after a time, in Unix seconds, and can
    /// still be restored.
    pub fn deleted_since(
        &self,
        collection: &CollectionRow,
        moment: i64,
    ) -> Result<Vec<String>, StoreError> {
        self.view.deleted_since(collection.id, moment)
    }

    fn filtered(
        &self,
        collection: &CollectionRow,
        filter: &EntryFilter,
        range: Range,
    ) -> Result<(Vec<Stored>, u64), StoreError> {
        let words: Vec<String> = fold(filter.words.as_deref().unwrap_or_default())
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let mut found = Vec::new();
        let all = if filter.are_deleted {
            self.view.stored_deleted(collection.id)?
        } else {
            self.view.stored(collection.id, Range::ALL)?
        };
        for stored in all {
            let row = &stored.row;
            let fits = filter
                .review_status
                .is_none_or(|status| status == row.review_status)
                && filter
                    .tag
                    .as_ref()
                    .is_none_or(|tag| has_tag(&row.tags, tag))
                && (words.is_empty() || self.has_words(row, &words)?);
            if fits {
                found.push(stored);
            }
        }
        let total = found.len() as u64;
        let found = found
            .into_iter()
            .skip(range.offset as usize)
            .take(range.limit as usize);
        Ok((found.collect(), total))
    }

    /// Whether an entry contains folded words.
    pub fn has_words(&self, row: &EntryRow, words: &[String]) -> Result<bool, StoreError> {
        let text = fold(&searched_text(row, &self.view.item(row.id)?));
        Ok(words.iter().all(|word| text.contains(word.as_str())))
    }

    /// Adds the abstracts to entries.
    pub fn add_abstracts(&self, page: &mut EntriesPage) -> Result<(), StoreError> {
        let mut entries = page.entries.iter_mut();
        entries.try_for_each(|entry| self.add_abstract(entry))
    }

    /// Adds the abstract to an entry.
    pub fn add_abstract(&self, entry: &mut Entry) -> Result<(), StoreError> {
        entry.stored.shown = shown::with_abstract(&self.view.item(entry.stored.row.id)?);
        Ok(())
    }

    /// Removes private parts from entries: the notes, unless they are shared, and unknown
    /// members of the metadata, where programs store folders and names.
    pub fn make_public(
        &self,
        entries: &mut [Entry],
        with_notes: bool,
        with_abstract: bool,
    ) -> Result<(), StoreError> {
        let mut entries = entries.iter_mut();
        entries.try_for_each(|entry| make_public(self.view, entry, with_notes, with_abstract))
    }

    /// The items of a shared collection, in the order of its entries.
    pub fn public_items(
        &self,
        collection: &CollectionRow,
        keyed: bool,
    ) -> Result<Vec<Item>, StoreError> {
        let share = collection.share.as_ref();
        let with_notes = share.is_some_and(|share| share.with_notes);
        let items = self.items(collection, keyed)?.into_iter();
        Ok(items.map(|item| public(item, with_notes)).collect())
    }

    /// The items of a collection, in the order of its entries; `keyed` adds citation keys that do not
    /// depend on the order or on later entries (`keys::assign_stable`).
    pub fn items(&self, collection: &CollectionRow, keyed: bool) -> Result<Vec<Item>, StoreError> {
        let mut items = self.view.items(collection.id)?;
        if keyed {
            keys::assign_stable(&mut items, &self.view.deleted_items(collection.id)?);
        }
        Ok(items.into_iter().map(|(_, item)| item).collect())
    }

    /// An entry's item.
    pub fn item(&self, entry: &EntryRow) -> Result<Item, StoreError> {
        self.view.item(entry.id)
    }

    /// The work of the corpus that an identifier names.
    pub fn corpus_work(&self, identifier: &Identifier) -> Result<Option<Work>, StoreError> {
        self.view.work(identifier)
    }

    /// The caller's entry for an identifier, as a work: an own one, or else one of a collection that the
    /// caller may read.
    pub fn work(&self, identifier: &Identifier) -> Result<Option<Work>, StoreError> {
        let own = self.view.holders(self.user, identifier)?;
        let row = match own.into_iter().next() {
            Some(row) => row,
            None => match self
                .view
                .granted_holders(self.user, identifier)?
                .into_iter()
                .next()
            {
                Some(row) => row,
                None => return Ok(None),
            },
        };
        let provenance = Provenance {
            source: Source::Collection,
            record_id: row.uid,
            url: None,
            license: None,
            fetched_at: row.updated_at,
        };
        Ok(Some(Work {
            updates: self.view.notices_of_entry(row.id)?,
            ..Work::new(self.view.item(row.id)?, provenance)
        }))
    }
}

/// Removes the private parts of an entry.
pub(super) fn make_public(
    view: &View<'_>,
    entry: &mut Entry,
    with_notes: bool,
    with_abstract: bool,
) -> Result<(), StoreError> {
    let row = &mut entry.stored.row;
    if !with_notes {
        row.note = None;
    }
    let item = public(view.item(row.id)?, with_notes);
    entry.stored.shown = if with_abstract {
        shown::with_abstract(&item)
    } else {
        shown::metadata(&item)
    };
    Ok(())
}

fn public(mut item: Item, with_notes: bool) -> Item {
    item.custom.clear();
    if !with_notes {
        item.text.remove(TextVar::Annote);
    }
    item
}

/// An item with the private parts of the stored one, which whoever sent it has not seen.
pub(super) fn with_private_parts(mut item: Item, stored: &Item, with_notes: bool) -> Item {
    item.custom.clone_from(&stored.custom);
    if !with_notes {
        item.text.remove(TextVar::Annote);
        if let Some(note) = stored.text(TextVar::Annote) {
            item.set_text(TextVar::Annote, note);
        }
    }
    item
}

/// The text that a search looks through.
fn searched_text(row: &EntryRow, item: &Item) -> String {
    let texts = [
        TextVar::Title,
        TextVar::ContainerTitle,
        TextVar::ContainerTitleShort,
        TextVar::Publisher,
        TextVar::EventTitle,
        TextVar::Doi,
        TextVar::Isbn,
        TextVar::Keyword,
        TextVar::CitationKey,
    ];
    let mut parts: Vec<&str> = texts
        .into_iter()
        .filter_map(|variable| item.text(variable))
        .collect();
    for variable in NameVar::ALL {
        for name in item.names(*variable) {
            let of_name = [&name.given, &name.family, &name.literal];
            parts.extend(of_name.into_iter().filter_map(|part| part.as_deref()));
        }
    }
    parts.extend(row.note.as_deref());
    parts.extend(row.tags.iter().map(String::as_str));
    let year = item.year().map(|year| year.to_string());
    parts.extend(year.as_deref());
    parts.join("\n")
}
