//! Text in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Decodes base64 with line breaks and any padding.
pub(super) fn text(text: &str) -> Option<String> {
    let mut compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '=')
        .collect();
    while !compact.len().is_multiple_of(4) {
        compact.push('=');
    }
    let bytes = STANDARD.decode(compact).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(text.trim_end_matches('\0').to_owned())
}

pub(super) fn encode(text: &str) -> String {
    STANDARD.encode(text)
}
