//! Collections over HTTP: every operation with its errors.

mod concurrent;
mod edits;
mod entries;
mod files;
mod history;
mod limits;
mod lists;
mod members;
mod moving;
mod permalinks;
mod removal;
mod repeated;
mod sharing;
mod tagging;
mod tags;

use std::sync::Arc;

use citation::auth::accounts::NewAccount;
use citation::clock::Clock;
use citation::config::Config;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, list};

pub const NOW: i64 = 1_795_233_600;

/// A server, and a clock that is moved by hand.
pub struct Library {
    pub app: Arc<TestApp>,
    pub clock: Clock,
}

/// Somebody with an account and a key.
pub struct Member {
    app: Arc<TestApp>,
    bearer: String,
}

impl Library {
    pub fn open() -> Library {
        Library::open_with(|_| {})
    }

    pub fn open_with(change: impl FnOnce(&mut Config)) -> Library {
        let clock = Clock::set_to(NOW);
        Library {
            app: Arc::new(TestApp::start_at(clock.clone(), change)),
            clock,
        }
    }

    /// A library and its only member.
    pub fn with_member(plan: Plan) -> (Library, Member) {
        let library = Library::open();
        let member = library.member(plan);
        (library, member)
    }

    /// The same, with an empty collection; gives its path below `/api/v1`.
    pub fn with_collection(name: &str) -> (Library, Member, String) {
        let (library, member) = Library::with_member(Plan::Free);
        let path = member.collection(name);
        (library, member, path)
    }

    pub fn member(&self, plan: Plan) -> Member {
        self.named_member(&format!("{plan}@example.org"), plan)
    }

    pub fn named_member(&self, email: &str, plan: Plan) -> Member {
        let new = NewAccount {
            email: Some(email),
            plan: Some(plan),
            ..NewAccount::default()
        };
        Member {
            app: Arc::clone(&self.app),
            bearer: format!("Bearer {}", self.app.key_of(&new)),
        }
    }
}

impl Member {
    pub fn key(&self) -> &str {
        self.bearer.trim_start_matches("Bearer ")
    }

    /// Sends a JSON request with further headers.
    pub fn send(&self, method: &str, path: &str, body: &Value, more: &[(&str, &str)]) -> Answer {
        let text = body.to_string();
        let body = (!body.is_null()).then_some(text.as_bytes());
        self.send_bytes(method, path, "application/json", body, more)
    }

    pub fn send_bytes(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: Option<&[u8]>,
        more: &[(&str, &str)],
    ) -> Answer {
        let mut headers = vec![("authorization", self.bearer.as_str())];
        if body.is_some() {
            headers.push(("content-type", content_type));
        }
        headers.extend_from_slice(more);
        let path = format!("/api/v1{path}");
        self.app.send(method, &path, &headers, body)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &Value::Null, &[])
    }

    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &body, &[])
    }

    pub fn patch(&self, path: &str, body: Value) -> Answer {
        self.send("PATCH", path, &body, &[])
    }

    pub fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, &body, &[])
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &Value::Null, &[])
    }

    /// Makes a collection; gives its path below `/api/v1`.
    pub fn collection(&self, name: &str) -> String {
        let answer = self.post("/collections", json!({"name": name}));
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("/collections/{}", text(&answer.json()["id"]))
    }

    /// Adds an entry; gives its id.
    pub fn entry(&self, collection: &str, title: &str) -> String {
        let body = json!({"metadata": {"title": title}});
        let answer = self.post(&format!("{collection}/entries"), body);
        assert_eq!(answer.status, 201, "{}", answer.text());
        text(&answer.json()["id"]).to_owned()
    }

    /// The titles of a collection in their order; checks that the places have no gaps.
    pub fn titles(&self, collection: &str) -> Vec<String> {
        let body = self.get(collection).json();
        let entries = list(&body["entries"]);
        assert_eq!(body["entry_count"], entries.len());
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(entry["sort_order"], place, "{body}");
        }
        let title = |entry: &Value| text(&entry["metadata"]["title"]).to_owned();
        entries.iter().map(title).collect()
    }
}

/// The tags of each entry.
pub fn tags(me: &Member, path: &str) -> Value {
    let body = me.get(path).json();
    let entries = list(&body["entries"]).iter();
    entries.map(|entry| entry["tags"].clone()).collect()
}

#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

#[track_caller]
pub fn expect(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    if answer.body.is_empty() {
        Value::Null
    } else {
        answer.json()
    }
}

/// An id that nothing has.
pub const NO_ID: &str = "00000000-0000-7000-8000-000000000000";
