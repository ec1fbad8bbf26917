//! Signing in, signing up, and links that work once.

use crate::ui::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The sign-in page.
#[derive(Debug, Default, Template)]
#[template(path = "account/sign_in.html")]
pub struct SignIn<'p> {
    pub words: Words,
    /// Identity providers: the name in addresses, and the label.
    pub providers: Vec<(String, String)>,
    pub sign_up_is_open: bool,
    /// The path to go on to.
    pub return_to: &'p str,
    pub email: &'p str,
    pub problem: Option<&'p str>,
    /// By which whoever runs the server finds in the log what went wrong at an identity provider.
    pub request_id: Option<&'p str>,
}

/// A page that makes an account, or opens one anew.
#[derive(Debug, Default, Template)]
#[template(path = "account/new_password.html")]
pub struct NewPassword<'p> {
    pub words: Words,
    /// Where the form goes.
    pub action: &'p str,
    /// The token of the link, where the form belongs to one.
    pub token: &'p str,
    /// What the page says first.
    pub text: &'p str,
    /// The address, where it is given already.
    pub fixed_email: Option<&'p str>,
    /// The address as it was typed.
    pub email: &'p str,
    pub asks_for_email: bool,
    pub min_chars: usize,
    pub button: &'p str,
    pub problem: Option<&'p str>,
}

/// Why somebody who has not signed in cannot go on, and the ways that are open.
#[derive(Template)]
#[template(path = "account/refused.html")]
pub struct Refused<'p> {
    pub words: Words,
    pub problem: Option<&'p str>,
}

/// The page after signing out, or after the account was deleted.
#[derive(Template)]
#[template(path = "account/signed_out.html")]
pub struct SignedOut<'p> {
    pub words: Words,
    /// Where signing out of the identity provider begins.
    pub provider: Option<&'p str>,
    pub is_deleted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_form_shows_its_values_as_text() {
        let view = SignIn {
            providers: vec![("university".to_owned(), "<University>".to_owned())],
            return_to: "/account?a=\"b\"&c",
            email: "\"><script>",
            problem: Some("The <password> is wrong."),
            sign_up_is_open: true,
            ..SignIn::default()
        };
        let html = view.to_string();
        assert!(!html.contains("<script>") && !html.contains("<password>"));
        assert!(html.contains("return_to=%2Faccount%3Fa%3D%22b%22%26c\""));
        assert!(html.contains("Sign in with &#60;University&#62;"));
        assert!(html.contains("/auth/sign-up"));
    }
}
