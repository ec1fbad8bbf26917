//! Programs that the account has let in, and the question whether to let one in.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// A program as shown to the account's owner.
#[derive(Clone, Debug)]
pub struct ProgramView {
    pub id: String,
    pub name: String,
    /// The address of its document, if it has one.
    pub address: Option<String>,
    pub scopes: String,
    pub created_at: Moment,
    pub last_used_at: Option<Moment>,
}

/// The page.
#[derive(Template)]
#[template(path = "account/programs.html")]
pub struct ProgramsPage {
    pub words: Words,
    pub programs: Vec<ProgramView>,
}

/// The page that asks whether to let a program in.
#[derive(Template)]
#[template(path = "account/consent.html")]
pub struct ConsentPage<'p> {
    pub words: Words,
    pub name: &'p str,
    /// The address of its document, if it has one.
    pub address: Option<&'p str>,
    /// The host or the scheme that the browser is sent to.
    pub destination: &'p str,
    /// Whether that is a program on the user's own machine.
    pub is_local: bool,
    /// The account.
    pub account: &'p str,
    pub reads: bool,
    pub writes: bool,
    /// The request, which the form sends again.
    pub fields: Vec<(&'p str, &'p str)>,
    pub problem: Option<&'p str>,
}

/// Why a program cannot ask.
#[derive(Template)]
#[template(path = "account/program_refused.html")]
pub struct ProgramRefusedPage<'p> {
    pub words: Words,
    /// For the program's developer, in English.
    pub reason: &'p str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_of_a_program_is_shown_as_text() {
        let page = ConsentPage {
            words: Words::default(),
            name: "<b>App</b>",
            address: None,
            destination: "127.0.0.1",
            is_local: true,
            account: "a@example.org",
            reads: true,
            writes: false,
            fields: vec![("state", "\"><script>")],
            problem: None,
        };
        let html = page.to_string();
        assert!(
            !html.contains("<b>App") && !html.contains("<script>"),
            "{html}"
        );
        assert!(html.contains("name=\"read\"") && !html.contains("name=\"write\""));
    }
}
