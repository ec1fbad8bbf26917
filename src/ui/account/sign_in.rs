//! Signing in, signing up, and links that work once.

use crate::ui::html::{Fill, Html, Template};
use crate::ui::page;
use crate::ui::words::Words;
use citation_model::identifier::percent_encode;

/// What the sign-in page offers.
#[derive(Clone, Debug, Default)]
pub struct SignIn<'p> {
    /// Identity providers: the name in addresses, and the label.
    pub providers: Vec<(String, String)>,
    pub sign_up_is_open: bool,
    /// The path to go on to.
    pub return_to: &'p str,
    pub email: &'p str,
    pub problem: Option<&'p str>,
}

const SIGN_IN: Template = Template(
    r#"{problem}{providers}
<form method="post" action="/auth/login">
<input type="hidden" name="return_to" value="{return_to}">
<label for="email">{~account.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="{email}">
<label for="password">{~account.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div><button>{~nav.sign-in}</button></div>
</form>
{sign_up}
<p class="hint">{~sign-in.cookie}</p>"#,
);

const PROVIDER: Template = Template(
    r#"<p><a class="button" href="/auth/login?provider={name}&amp;return_to={return_to}">{~sign-in.with}</a></p>"#,
);

const SIGN_UP_LINK: Template =
    Template(r#"<p>{~sign-in.none} <a href="/auth/sign-up">{~sign-in.make}</a></p>"#);

/// The main part of the sign-in page.
pub fn sign_in(words: Words, view: &SignIn<'_>) -> Html {
    let providers = view.providers.iter().map(|(name, label)| {
        PROVIDER.say(
            words,
            &[
                ("name", name.as_str().into()),
                ("label", label.as_str().into()),
                ("return_to", percent_encode(view.return_to).into()),
            ],
        )
    });
    let sign_up = if view.sign_up_is_open {
        SIGN_UP_LINK.say(words, &[])
    } else {
        Html::empty()
    };
    SIGN_IN.say(
        words,
        &[
            ("problem", page::problem(view.problem).into()),
            ("providers", Html::join(providers).into()),
            ("return_to", view.return_to.into()),
            ("email", view.email.into()),
            ("sign_up", sign_up.into()),
        ],
    )
}

/// A form that makes an account, or opens one anew.
#[derive(Clone, Debug, Default)]
pub struct NewPassword<'p> {
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

const NEW_PASSWORD: Template = Template(
    r#"{problem}<p>{text}</p>
<form method="post" action="{action}">
{token}{email}
<label for="password">{~account.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="{min}" aria-describedby="password-hint">
<p class="hint" id="password-hint">{~sign-in.password-hint}</p>
<div><button>{button}</button></div>
</form>"#,
);

const TOKEN: Template = Template(r#"<input type="hidden" name="token" value="{token}">"#);

const EMAIL: Template = Template(
    r#"<label for="email">{~account.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="{email}">"#,
);

const FIXED_EMAIL: Template = Template(
    r#"<label for="email">{~account.email}</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="{email}">"#,
);

/// The main part of a page that asks for a new password.
pub fn new_password(words: Words, view: &NewPassword<'_>) -> Html {
    let email = match view.fixed_email {
        Some(email) => FIXED_EMAIL.say(words, &[("email", email.into())]),
        None if view.asks_for_email => EMAIL.say(words, &[("email", view.email.into())]),
        None => Html::empty(),
    };
    let token = match view.token {
        "" => Html::empty(),
        token => TOKEN.say(words, &[("token", token.into())]),
    };
    NEW_PASSWORD.say(
        words,
        &[
            ("problem", page::problem(view.problem).into()),
            ("text", view.text.into()),
            ("action", view.action.into()),
            ("token", token.into()),
            ("email", email.into()),
            ("min", Fill::from(view.min_chars as u64)),
            ("button", view.button.into()),
        ],
    )
}

const FAILED: Template =
    Template(r#"{problem}<p class="quiet">{~failure.request} <code>{request}</code></p>"#);

/// What went wrong at an identity provider, and how whoever runs the server finds it in the log.
pub fn failed(words: Words, text: &str, request_id: &str) -> Html {
    FAILED.say(
        words,
        &[
            ("problem", page::problem(Some(text)).into()),
            ("request", request_id.into()),
        ],
    )
}

const REFUSED: Template = Template(
    r#"{problem}<p><a class="button" href="/auth/login">{~nav.sign-in}</a> <a class="button" href="/">{~failure.home}</a></p>"#,
);

/// Why somebody who has not signed in cannot go on, and the ways that are open.
pub fn refused(words: Words, text: &str) -> Html {
    REFUSED.say(words, &[("problem", page::problem(Some(text)).into())])
}

const SIGNED_OUT: Template = Template(
    r#"<p>{outcome}</p>{provider}<p><a href="/auth/login">{~sign-in.again}</a></p><div id="local"></div>"#,
);

const PROVIDER_SIGN_OUT: Template =
    Template(r#"<p>{~sign-in.provider} <a href="{address}">{~sign-in.out-there}</a></p>"#);

/// The main part of the page after signing out, or after the account was deleted. `provider` is where
/// signing out of the identity provider begins.
pub fn signed_out(words: Words, provider: Option<&str>, is_deleted: bool) -> Html {
    let provider = provider.map_or_else(Html::empty, |address| {
        PROVIDER_SIGN_OUT.say(words, &[("address", address.into())])
    });
    let outcome = match is_deleted {
        true => "sign-in.deleted",
        false => "sign-in.out",
    };
    let outcome = words.get(outcome).into();
    SIGNED_OUT.say(
        words,
        &[("outcome", outcome), ("provider", provider.into())],
    )
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
        };
        let html = sign_in(Words::default(), &view).into_string();
        assert!(!html.contains("<script>") && !html.contains("<password>"));
        assert!(html.contains("return_to=%2Faccount%3Fa%3D%22b%22%26c\""));
        assert!(html.contains("Sign in with &lt;University&gt;"));
        assert!(html.contains("/auth/sign-up"));
    }
}
