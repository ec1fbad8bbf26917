//! Changes of collections as they are made, for whoever watches: one channel for each watched collection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;

use crate::store::collections::LoggedChange;

/// The number of changes that a slow watcher may be behind before it has to read them again.
const BUFFERED_CHANGES: usize = 32;

type Channel = broadcast::Sender<Arc<LoggedChange>>;

/// The channels by the row id of their collection. Changes of other processes do not pass here.
#[derive(Default)]
pub struct Live(Mutex<HashMap<i64, Channel>>);

impl Live {
    /// The changes of a collection from now on.
    pub fn watch(&self, collection: i64) -> broadcast::Receiver<Arc<LoggedChange>> {
        let mut channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let channel = channels.entry(collection);
        channel
            .or_insert_with(|| broadcast::channel(BUFFERED_CHANGES).0)
            .subscribe()
    }

    /// Sends a change to everybody who watches the collection.
    pub(super) fn publish(&self, collection: i64, change: LoggedChange) {
        let mut channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(channel) = channels.get(&collection) else {
            return;
        };
        // An error says that nobody watches any more.
        if channel.send(Arc::new(change)).is_err() {
            channels.remove(&collection);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::collections::ChangeKind;

    fn change(version: i64) -> LoggedChange {
        LoggedChange {
            version,
            at: 0,
            user: None,
            by: None,
            kind: ChangeKind::EntriesAdded,
            entries: None,
            fields: Vec::new(),
        }
    }

    #[test]
    fn change_reaches_the_watchers_of_its_collection() {
        let live = Live::default();
        let (mut first, mut other) = (live.watch(1), live.watch(2));
        live.publish(1, change(7));
        assert_eq!(first.try_recv().unwrap().version, 7);
        assert!(other.try_recv().is_err());
        drop(first);
        live.publish(1, change(8));
        assert!(!live.0.lock().unwrap().contains_key(&1));
    }
}
