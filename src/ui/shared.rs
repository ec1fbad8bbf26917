//! A shared collection: to read, export and copy, and to change if its link allows that.

use super::bibliography::{Choice, WorkView, annotated_links, export_links};
use super::words::Words;
use askama::Template;

/// The page.
#[derive(Template)]
#[template(path = "shared.html")]
pub struct SharedPage {
    pub words: Words,
    pub token: String,
    pub name: String,
    pub description: String,
    pub choice: Choice,
    pub lines: Vec<WorkView>,
    pub has_hanging_indent: bool,
    pub problem: Option<String>,
    /// The date of sharing, if the list is a fixed copy: `2026-11-21`.
    pub made: Option<String>,
    /// Whether a signed-in reader can keep a copy on the server.
    pub is_signed_in: bool,
    /// Whether whoever has the link may change the works.
    pub can_edit: bool,
}

impl SharedPage {
    fn exports(&self) -> Vec<(String, &'static str)> {
        export_links(&format!("/s/{}/export.", self.token), &self.choice)
    }

    fn annotated(&self) -> Vec<(String, &'static str)> {
        annotated_links(&format!("/s/{}/export.", self.token), &self.choice)
    }

    fn has_notes(&self) -> bool {
        self.lines.iter().any(|line| !line.note.is_empty())
    }
}
