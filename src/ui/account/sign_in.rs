//! Signing in, signing up, and one-time links.

use crate::ui::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The sign-in page.
#[derive(Debug, Default, Template)]
#[template(path = "account/sign_in.html")]
pub struct SignInPage<'p> {
    pub words: Words,
    /// Identity providers: name in addresses, and label.
    pub providers: Vec<(String, String)>,
    pub sign_up_is_open: bool,
    /// Whether a link to choose a new password can be sent.
    pub sends_mail: bool,
    /// The path to continue to.
    pub return_to: &'p str,
    pub email: &'p str,
    pub problem: Option<&'p str>,
    /// Identifies an identity provider's failure in the operator's log.
    pub request_id: Option<&'p str>,
}

/// A page that creates an account or resets its password.
#[derive(Debug, Default, Template)]
#[template(path = "account/new_password.html")]
pub struct NewPasswordPage<'p> {
    pub words: Words,
    /// The form's action.
    pub action: &'p str,
    /// The token of the link, if the form belongs to one.
    pub token: &'p str,
    /// The introduction of the page.
    pub text: &'p str,
    /// The e-mail address, if already given.
    pub fixed_email: Option<&'p str>,
    /// The e-mail address as typed.
    pub email: &'p str,
    pub asks_for_email: bool,
    pub min_chars: usize,
    pub button: &'p str,
    pub problem: Option<&'p str>,
}

/// The page that sends a link to choose a new password.
#[derive(Debug, Default, Template)]
#[template(path = "account/forgotten.html")]
pub struct ForgottenPage<'p> {
    pub words: Words,
    /// The e-mail address as typed.
    pub email: &'p str,
    pub is_sent: bool,
    pub problem: Option<&'p str>,
}

/// Why the page needs an account, and the available ways to sign in.
#[derive(Template)]
#[template(path = "account/refused.html")]
pub struct RefusedPage<'p> {
    pub words: Words,
    pub problem: Option<&'p str>,
}

/// The page after signing out or after deleting the account.
#[derive(Template)]
#[template(path = "account/signed_out.html")]
pub struct SignedOutPage<'p> {
    pub words: Words,
    /// The address that starts sign-out at the identity provider.
    pub provider: Option<&'p str>,
    pub is_deleted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_form_shows_its_values_as_text() {
        let view = SignInPage {
            providers: vec![("university".to_owned(), "<University>".to_owned())],
            return_to: "/account?a=\"b\"&c",
            email: "\"><script>",
            problem: Some("The <password> is wrong."),
            sign_up_is_open: true,
            ..SignInPage::default()
        };
        let html = view.to_string();
        assert!(!html.contains("<script>") && !html.contains("<password>"));
        assert!(html.contains("return_to=%2Faccount%3Fa%3D%22b%22%26c\""));
        assert!(html.contains("Sign in with &#60;University&#62;"));
        assert!(html.contains("/auth/sign-up"));
    }
}
