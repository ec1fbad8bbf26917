//! What takes long: checks of entries and lookups, on a thread of their own.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::works::{CheckedEntry, Library};
use citation_model::identifier::Identifier;
use citation_model::item::Item;

/// A task for the thread.
#[derive(Debug)]
pub enum Task {
    Check(Arc<Item>),
    /// Looks up a work, for an entry in a bibliography and instead of a range of a text.
    Add(AddTask),
}

#[derive(Clone, Debug)]
pub struct AddTask {
    pub identifier: Identifier,
    pub uri: String,
    pub key: String,
}

/// A task that is done.
#[derive(Debug)]
pub enum Done {
    Checked,
    Added(AddTask, Result<Box<Item>, String>),
}

/// The results of checks by their items, without the ids.
pub type Checks = Arc<Mutex<HashMap<String, Option<CheckedEntry>>>>;

pub struct Worker {
    tasks: Option<Sender<Task>>,
    pub done: Receiver<Done>,
    pub pending: usize,
    checks: Checks,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub fn start(library: &Arc<Library>) -> std::io::Result<Worker> {
        let (tasks, received) = channel();
        let (sender, done) = channel();
        let checks = Checks::default();
        let (library, known) = (Arc::clone(library), Arc::clone(&checks));
        let thread = std::thread::Builder::new()
            .name("lsp-worker".to_owned())
            .spawn(move || run(&library, &received, &sender, &known))?;
        Ok(Worker {
            tasks: Some(tasks),
            done,
            pending: 0,
            checks,
            thread: Some(thread),
        })
    }

    /// Checks an item that was not checked yet.
    pub fn check(&mut self, item: &Arc<Item>) {
        if self.checked(item).is_none() {
            self.send(Task::Check(Arc::clone(item)));
        }
    }

    pub fn send(&mut self, task: Task) {
        if self
            .tasks
            .as_ref()
            .is_some_and(|tasks| tasks.send(task).is_ok())
        {
            self.pending += 1;
        }
    }

    /// The result of a check, if it was done.
    pub fn checked(&self, item: &Item) -> Option<Option<CheckedEntry>> {
        let checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.get(&fingerprint(item)).cloned()
    }

    /// Ends the thread after the task that runs; those behind it are dropped.
    pub fn stop(&mut self) {
        self.tasks = None;
        // A lookup may wait for a provider; the process ends without it.
        drop(self.thread.take());
    }
}

fn run(library: &Library, tasks: &Receiver<Task>, done: &Sender<Done>, checks: &Checks) {
    while let Ok(task) = tasks.recv() {
        let result = match task {
            Task::Check(item) => {
                let found = library.check(&item);
                let mut checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
                checks.insert(fingerprint(&item), found);
                Done::Checked
            }
            Task::Add(task) => {
                let item = library.find(&task.identifier).map(Box::new);
                Done::Added(task, item)
            }
        };
        if done.send(result).is_err() {
            return;
        }
    }
}

fn fingerprint(item: &Item) -> String {
    let bare = Item {
        id: String::new(),
        ..item.clone()
    };
    serde_json::to_string(&bare).unwrap_or_default()
}
