//! Sends one message by SMTP. The only file that names the crate `lettre`; without the feature `mail` nothing is
//! sent.

/// A message to one recipient, as plain text.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m> {
    pub address: &'m str,
    pub subject: &'m str,
    pub text: &'m str,
}

/// Why a message was not accepted. It contains no address and nothing of the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    pub reason: String,
    /// Whether it is the same the next time.
    pub is_permanent: bool,
}

impl SendError {
    fn permanent(reason: impl Into<String>) -> SendError {
        SendError {
            reason: reason.into(),
            is_permanent: true,
        }
    }
}

/// Whether the program can send mail.
pub const IS_BUILT_IN: bool = cfg!(feature = "mail");

#[cfg(not(feature = "mail"))]
pub fn send(_: &crate::config::MailSettings, _: &Message<'_>) -> Result<(), SendError> {
    Err(SendError::permanent(
        "the program is built without the feature `mail`",
    ))
}

#[cfg(feature = "mail")]
pub use with_lettre::send;

#[cfg(feature = "mail")]
mod with_lettre {
    use std::time::Duration;

    use lettre::message::Mailbox;
    use lettre::message::header::ContentType;
    use lettre::transport::smtp;
    use lettre::transport::smtp::authentication::Credentials;
    use lettre::{SmtpTransport, Transport};

    use super::{Message, SendError};
    use crate::config::{MailSecurity, MailSettings};

    /// Connects, sends the message and leaves: messages are few.
    pub fn send(settings: &MailSettings, message: &Message<'_>) -> Result<(), SendError> {
        let mailbox = |text: &str, whose: &str| {
            let parsed = text.parse::<Mailbox>();
            parsed.map_err(|_| SendError::permanent(format!("{whose} is no address")))
        };
        let composed = lettre::Message::builder()
            .from(mailbox(&settings.from, "`mail.from`")?)
            .to(mailbox(message.address, "the recipient")?)
            .subject(message.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(message.text.to_owned());
        let composed =
            composed.map_err(|_| SendError::permanent("the message cannot be composed"))?;
        let sent = transport(settings)?.send(&composed);
        sent.map(drop).map_err(|cause| failure(&cause))
    }

    fn transport(settings: &MailSettings) -> Result<SmtpTransport, SendError> {
        let server = settings.server.as_str();
        let builder = match settings.security {
            MailSecurity::Tls => SmtpTransport::relay(server),
            MailSecurity::Starttls => SmtpTransport::starttls_relay(server),
            MailSecurity::None => Ok(SmtpTransport::builder_dangerous(server)),
        };
        let builder = builder.map_err(|cause| failure(&cause))?;
        let builder = builder
            .port(settings.port)
            .timeout(Some(Duration::from_millis(settings.timeout_ms)));
        if settings.user.is_empty() {
            return Ok(builder.build());
        }
        let password = settings.password.reveal().to_owned();
        let credentials = Credentials::new(settings.user.clone(), password);
        Ok(builder.credentials(credentials).build())
    }

    /// The server's own words may repeat the address or the name of the user, so only its status is told.
    fn failure(cause: &smtp::Error) -> SendError {
        let reason = match cause.status() {
            Some(status) => format!("the mail server answered {status}"),
            None if cause.is_timeout() => "the mail server does not answer in time".to_owned(),
            None if cause.is_tls() => "there is no secure connection to the mail server".to_owned(),
            None if cause.is_client() => {
                "the mail server lacks something needed, such as a way to sign in".to_owned()
            }
            None => "the mail server cannot be reached".to_owned(),
        };
        SendError {
            reason,
            is_permanent: cause.is_permanent(),
        }
    }
}
