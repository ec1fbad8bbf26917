//! Refusals of sign-in and account changes, in the user's language.

use crate::auth::AuthError;
use crate::auth::oidc::OidcError;
use crate::auth::passwords::PasswordError;
use crate::ui::words::Words;

use crate::api::error::sentence;

/// The refusal as a sentence. Errors that are not refusals have the program's own text.
pub fn error_message(words: Words, cause: &AuthError) -> String {
    let count = |key, n: usize| words.count(key, n as u64);
    let key = match cause {
        AuthError::InvalidEmail(email) => {
            return words.get("refused.email").replace("{email}", email);
        }
        AuthError::TooManyAttempts { retry_seconds } => {
            return words.count("refused.attempts", retry_seconds.div_ceil(60));
        }
        AuthError::InvalidName(most) => return count("refused.name", *most),
        AuthError::TooManyKeys(most) => return words.count("refused.keys", *most),
        AuthError::Password(PasswordError::TooShort(least)) => {
            return count("refused.too-short", *least);
        }
        AuthError::Password(PasswordError::TooLong(most)) => {
            return count("refused.too-long", *most);
        }
        AuthError::Oidc(cause) => return at_provider(words, cause),
        AuthError::EmailTaken => "refused.email-taken",
        AuthError::Password(PasswordError::Busy) => "refused.busy",
        AuthError::WrongPassword => "refused.wrong",
        AuthError::Disabled => "refused.disabled",
        AuthError::SignUpClosed => "refused.closed",
        AuthError::LinkInvalid => "refused.link",
        AuthError::IdentityTaken => "refused.identity-taken",
        AuthError::LastWayIn => "refused.last-way",
        AuthError::ExpiryPast => "refused.expiry",
        AuthError::Password(PasswordError::Failed(_))
        | AuthError::Store(_)
        | AuthError::Random(_)
        | AuthError::Io(_) => return sentence(cause),
    };
    words.get(key).to_owned()
}

fn at_provider(words: Words, cause: &OidcError) -> String {
    let key = match cause {
        OidcError::UnknownIssuer => "refused.no-provider",
        OidcError::NotBegun => "refused.not-begun",
        OidcError::WrongState => "refused.wrong-state",
        OidcError::Used => "refused.used",
        OidcError::Refused(reason) => {
            return words.get("refused.by-provider").replace("{reason}", reason);
        }
        OidcError::Unreachable(_) => "refused.unreachable",
        OidcError::Untrusted(_) => "refused.untrusted",
    };
    words.get(key).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auth_messages_are_in_the_users_language() {
        let check = |tag, cause: &AuthError, expected: &str| {
            assert_eq!(
                error_message(Words::of(tag).unwrap(), cause),
                expected,
                "{cause}"
            );
        };
        check(
            "en",
            &AuthError::WrongPassword,
            "The e-mail address or the password is wrong.",
        );
        check(
            "de",
            &AuthError::TooManyAttempts { retry_seconds: 61 },
            "Zu viele Anmeldungen sind fehlgeschlagen. Versuchen Sie es in 2 Minuten wieder.",
        );
        check(
            "fr",
            &PasswordError::TooShort(12).into(),
            "Un mot de passe doit avoir au moins 12 caractères.",
        );
        check(
            "es",
            &AuthError::InvalidEmail("<b>".to_owned()),
            "«<b>» no es una dirección de correo.",
        );
        check(
            "zh-CN",
            &OidcError::Refused("access_denied".to_owned()).into(),
            "身份提供方拒绝了登录（access_denied）。",
        );
    }
}
