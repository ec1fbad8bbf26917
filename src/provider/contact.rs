//! The operator's contact for providers.

use citation_model::identifier::percent_encode;

use crate::config::ProviderSettings;

impl ProviderSettings {
    /// `citation/0.1.0 (mailto:ops@example.org)`, or with `+https://…` for a web page.
    pub(super) fn user_agent(&self) -> String {
        let product = concat!("citation/", env!("CARGO_PKG_VERSION"));
        match (self.mail(), self.contact()) {
            (Some(mail), _) => format!("{product} (mailto:{mail})"),
            (None, Some(page)) => format!("{product} (+{page})"),
            (None, None) => product.to_owned(),
        }
    }

    /// The contact, if it is an e-mail address.
    fn mail(&self) -> Option<&str> {
        self.contact()
            .filter(|contact| contact.contains('@') && !contact.contains('/'))
    }

    /// The operator's e-mail address as a query parameter; empty without one.
    pub(super) fn mail_parameter(&self, name: &str) -> String {
        self.mail()
            .map(|mail| format!("&{name}={}", percent_encode(mail)))
            .unwrap_or_default()
    }

    /// The contact, if it is valid in a header.
    fn contact(&self) -> Option<&str> {
        let contact = self.contact.trim();
        let contact = contact.strip_prefix("mailto:").unwrap_or(contact);
        let is_plain = contact
            .bytes()
            .all(|b| b.is_ascii_graphic() && !matches!(b, b'(' | b')'));
        (is_plain && !contact.is_empty()).then_some(contact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agent_names_the_contact() {
        let agent = |contact: &str| {
            let settings = ProviderSettings {
                contact: contact.to_owned(),
                ..ProviderSettings::default()
            };
            settings.user_agent()
        };
        assert!(agent("https://a.example/x").ends_with(" (+https://a.example/x)"));
        assert!(agent("a@example.org").ends_with(" (mailto:a@example.org)"));
        assert!(!agent("a@example.org\r\nX: y").contains("mailto"));
        assert!(!agent("").contains("mailto"));
    }
}
