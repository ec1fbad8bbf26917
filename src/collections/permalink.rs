//! Links to lists without an account: a snapshot of the list, kept until it has not been visited for
//! some time, or its creator deletes it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::entry::Entry;
use super::error::{CollectionError, Resource};
use super::service::{Collections, DAY_SECONDS};
use super::share::new_token;
use super::shown;
use crate::store::StoreError;
use crate::store::collections::{CollectionRow, EntryRow, Role, ShareRow, Stored};
use crate::store::permalinks::NewPermalink;
use citation_exchange::keys;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::work::Update;

/// A list as its link shows it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Permalink {
    pub name: String,
    pub style: Option<String>,
    pub works: Vec<LinkedWork>,
    /// Unix seconds.
    pub created_at: i64,
}

/// A work of such a list.
#[derive(Debug, Serialize, Deserialize)]
pub struct LinkedWork {
    pub item: Item,
    pub note: Option<String>,
}

/// A link, and the key that deletes it. The key is not stored.
pub struct CreatedPermalink {
    pub token: String,
    pub key: String,
}

/// Why no link was created.
#[derive(Debug, thiserror::Error)]
pub enum PermalinkError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the list uses {bytes} bytes; one link may have {most}")]
    TooLarge { bytes: usize, most: u64 },
    #[error("the storage for lists shared without an account is full")]
    Full,
}

/// A list in the form of a collection, with its items.
pub struct LinkedCollection {
    pub row: CollectionRow,
    pub entries: Vec<Entry>,
    pub items: Vec<Item>,
}

impl LinkedCollection {
    /// The items, each with a citation key.
    pub fn keyed_items(self) -> Vec<Item> {
        let mut items: Vec<(i64, Item)> = (0..).zip(self.items).collect();
        keys::assign_stable(&mut items, &[]);
        items.into_iter().map(|(_, item)| item).collect()
    }
}

impl Collections {
    /// Creates a link to a list.
    pub fn make_permalink(&self, list: &Permalink) -> Result<CreatedPermalink, PermalinkError> {
        let content =
            serde_json::to_vec(list).map_err(|cause| StoreError::Internal(cause.to_string()))?;
        let most = self.sharing().anonymous_list_bytes;
        if content.len() as u64 > most {
            let bytes = content.len();
            return Err(PermalinkError::TooLarge { bytes, most });
        }
        let made = CreatedPermalink {
            token: new_token()?,
            key: new_token()?,
        };
        let new = NewPermalink {
            token: &made.token,
            hash: hash(&made.key),
            content: &content,
        };
        let room = self.sharing().anonymous_bytes;
        if self.store.put_permalink(&new, self.clock.unix(), room)? {
            Ok(made)
        } else {
            Err(PermalinkError::Full)
        }
    }

    /// The list of a link; counts as a visit.
    pub fn permalink(&self, token: &str) -> Result<LinkedCollection, CollectionError> {
        let found = if self.sharing().anonymous {
            self.store.permalink(token, self.visited_since())?
        } else {
            None
        };
        let found = found.ok_or(CollectionError::NotFound(Resource::Share))?;
        let list: Permalink = serde_json::from_slice(&found.content)
            .map_err(|cause| StoreError::Corrupt(format!("a permalink: {cause}")))?;
        let now = self.clock.unix();
        if now - found.visited_at > DAY_SECONDS && !self.store.is_read_only() {
            self.store.visit_permalink(token, now)?;
        }
        let dois: Vec<Option<Doi>> = list.works.iter().map(|work| work.item.doi()).collect();
        let notices = self.store.notices_of(&dois)?;
        Ok(list.shown(token, notices))
    }

    /// Deletes a link: with its key, or, without one, as an operator.
    pub fn delete_permalink(&self, token: &str, key: Option<&str>) -> Result<(), CollectionError> {
        if self.store.delete_permalink(token, key.map(hash))? {
            Ok(())
        } else {
            Err(CollectionError::NotFound(Resource::Share))
        }
    }
}

impl Permalink {
    /// In the form of a collection shared with its notes. Notices are looked up for the works: they may be
    /// newer than the link.
    fn shown(self, token: &str, notices: Vec<Vec<Update>>) -> LinkedCollection {
        let row = CollectionRow {
            id: 0,
            uid: uuid::Uuid::nil().to_string(),
            user: 0,
            name: self.name,
            description: None,
            style: self.style,
            tags: Vec::new(),
            version: 1,
            entries: self.works.len() as u64,
            created_at: self.created_at,
            updated_at: self.created_at,
            deleted_at: None,
            share: Some(ShareRow {
                token: token.to_owned(),
                with_notes: true,
                can_edit: false,
                created_at: self.created_at,
                expires_at: None,
            }),
            role: Role::Reader,
        };
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        for (position, (work, updates)) in (0_u64..).zip(self.works.into_iter().zip(notices)) {
            let row = EntryRow {
                id: 0,
                uid: uuid::Uuid::from_u128(u128::from(position) + 1).to_string(),
                collection: 0,
                rank: 0,
                note: work.note,
                tags: Vec::new(),
                review_status: ReviewStatus::Clean,
                citation_key: None,
                added_at: self.created_at,
                updated_at: self.created_at,
            };
            let stored = Stored {
                row,
                position,
                shown: shown::metadata(&work.item),
                form: shown::FORM,
            };
            entries.push(Entry { stored, updates });
            items.push(work.item);
        }
        LinkedCollection {
            row,
            entries,
            items,
        }
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}
