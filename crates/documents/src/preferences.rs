//! Zotero's document preferences, which include the style, in properties `ZOTERO_PREF_1`, ….

use citation_exchange::correction::{Edits, apply};
use quick_xml::escape::escape;
use serde_json::Value;

use crate::error::DocumentError;
use crate::xml::{Node, Xml};

/// The part with the custom properties in Word.
pub(crate) const PART: &str = "docProps/custom.xml";

/// Maximum length of a property in Word, in UTF-16 units.
const MAX_PIECE_LENGTH: usize = 255;

/// The style of a document.
#[derive(Clone, Copy, Debug)]
pub struct StyleName<'a> {
    /// `http://www.zotero.org/styles/apa`
    pub id: &'a str,
    /// Whether citations are notes.
    pub is_note: bool,
    pub has_bibliography: bool,
}

/// A property with a part of the preferences.
struct PreferencesPart {
    number: usize,
    pid: u32,
    text: String,
    place: std::ops::Range<usize>,
}

/// The properties with another style in Zotero's preferences; `None` if there are none.
pub(crate) fn with_style(
    properties: &str,
    style: StyleName<'_>,
) -> Result<Option<String>, DocumentError> {
    let mut pieces: Vec<PreferencesPart> = Vec::new();
    let mut next_pid = 2;
    let mut xml = Xml::new(properties, PART);
    while let Some(node) = xml.next()? {
        let Node::Open(element) = node else { continue };
        let start = xml.place().start;
        if element.name != "property" {
            continue;
        }
        let pid = element.attribute("pid").and_then(|pid| pid.parse().ok());
        let pid: u32 = pid.unwrap_or_default();
        next_pid = next_pid.max(pid.saturating_add(1));
        let name = element.attribute("name").unwrap_or_default();
        if let Some(Ok(number)) = name.strip_prefix("ZOTERO_PREF_").map(str::parse) {
            pieces.push(PreferencesPart {
                number,
                pid,
                text: xml.inner_text()?,
                place: start..xml.place().end,
            });
        }
    }
    pieces.sort_by_key(|piece| piece.number);
    let all: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
    let Some(all) = changed(&all, style) else {
        return Ok(None);
    };
    let pids = pieces.iter().map(|piece| piece.pid).chain(next_pid..);
    let new = split(&all);
    let written: String = { new.iter().zip(pids).enumerate() }
        .map(|(n, (piece, pid))| property(n + 1, pid, piece))
        .collect();
    let mut edits: Edits = Vec::new();
    let mut written = Some(written);
    for piece in pieces {
        edits.push((piece.place, written.take().unwrap_or_default()));
    }
    Ok(Some(apply(properties, edits)?))
}

/// The preferences, JSON or XML, with another style; `None` if they name no style.
fn changed(preferences: &str, style: StyleName<'_>) -> Option<String> {
    if let Ok(mut json) = serde_json::from_str::<Value>(preferences) {
        *json.pointer_mut("/style/styleID")? = Value::from(style.id);
        for (pointer, value) in [
            (
                "/style/hasBibliography",
                Value::from(style.has_bibliography),
            ),
            ("/prefs/noteType", Value::from(u8::from(style.is_note))),
        ] {
            if let Some(place) = json.pointer_mut(pointer) {
                *place = value;
            }
        }
        return Some(json.to_string());
    }
    let mut edits: Edits = Vec::new();
    let mut names_style = false;
    let mut xml = Xml::new(preferences, "the preferences of Zotero");
    while let Some(node) = xml.next().ok()? {
        let Node::Open(element) = node else { continue };
        let mut set = |attribute: &str, value: &str| {
            let tag = preferences.get(xml.place())?;
            let open = format!(" {attribute}=\"");
            let start = xml.place().start + tag.find(&open)? + open.len();
            let length = preferences.get(start..)?.find('"')?;
            edits.push((start..start + length, escape(value).into_owned()));
            Some(())
        };
        let digit = |is_set: bool| if is_set { "1" } else { "0" };
        match element.name.as_str() {
            "style" => {
                names_style |= set("id", style.id).is_some();
                set("hasBibliography", digit(style.has_bibliography));
            }
            "pref" if element.attribute("name").as_deref() == Some("noteType") => {
                set("value", digit(style.is_note));
            }
            _ => {}
        }
    }
    { names_style.then_some(()) }.and_then(|()| apply(preferences, edits).ok())
}

fn split(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut length = 0;
    for c in text.chars() {
        length += c.len_utf16();
        if length > MAX_PIECE_LENGTH {
            pieces.push(String::new());
            length = c.len_utf16();
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
    }
    pieces
}

fn property(number: usize, pid: u32, text: &str) -> String {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006";
    format!(
        "<property xmlns=\"{OFFICE}/custom-properties\" fmtid=\"{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}\" pid=\"{pid}\" name=\"ZOTERO_PREF_{number}\"><vt:lpwstr xmlns:vt=\"{OFFICE}/docPropsVTypes\">{}</vt:lpwstr></property>",
        escape(text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: StyleName<'_> = StyleName {
        id: "http://www.zotero.org/styles/a&b",
        is_note: true,
        has_bibliography: true,
    };

    /// Properties with Zotero's text in parts.
    fn properties(pieces: &[&str]) -> String {
        let own: String = { pieces.iter().enumerate() }
            .map(|(n, piece)| property(n + 1, n as u32 + 3, piece))
            .collect();
        format!(
            "<Properties><property pid=\"2\" name=\"Other\"/>{own}<property pid=\"9\" name=\"Z\"/></Properties>"
        )
    }

    /// The joined text of the properties, and their number.
    fn joined(properties: &str) -> (String, usize) {
        let mut xml = Xml::new(properties, PART);
        let mut pieces = Vec::new();
        while let Some(node) = xml.next().unwrap() {
            if let Node::Open(element) = node
                && let Some(name) = element.attribute("name")
                && name.starts_with("ZOTERO_PREF")
            {
                pieces.push(xml.inner_text().unwrap());
            }
        }
        assert!(pieces.iter().all(|piece| piece.len() <= MAX_PIECE_LENGTH));
        (pieces.concat(), pieces.len())
    }

    #[test]
    fn style_in_xml_is_changed() {
        let text = properties(&[
            "<data data-version=\"3\"><session id=\"s\"/><style id=\"http://www.zot",
            "ero.org/styles/apa\" locale=\"de-DE\" hasBibliography=\"0\"/><prefs><pref name=\"fieldType\" value=\"Field\"/><pref name=\"noteType\" value=\"0\"/></prefs></data>",
        ]);
        let text = with_style(&text, NEW).unwrap().unwrap();
        let (found, pieces) = joined(&text);
        assert_eq!(
            found,
            "<data data-version=\"3\"><session id=\"s\"/><style id=\"http://www.zotero.org/styles/a&amp;b\" locale=\"de-DE\" hasBibliography=\"1\"/><prefs><pref name=\"fieldType\" value=\"Field\"/><pref name=\"noteType\" value=\"1\"/></prefs></data>"
        );
        assert_eq!(pieces, 1);
        assert!(text.contains("name=\"Other\"") && text.contains("name=\"Z\""));
    }

    #[test]
    fn style_in_json_is_changed_in_separate_properties() {
        let long = "x".repeat(600);
        let text = properties(&[&format!(
            "{{\"style\":{{\"styleID\":\"old\",\"locale\":\"en-US\"}},\"long\":\"{long}\"}}"
        )]);
        let text = with_style(&text, NEW).unwrap().unwrap();
        let (found, pieces) = joined(&text);
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["style"]["styleID"], NEW.id);
        assert_eq!(found["style"]["locale"], "en-US");
        assert_eq!(found["prefs"], Value::Null);
        assert_eq!(pieces, 3);
        for pid in ["\"3\"", "\"10\"", "\"11\""] {
            assert_eq!(text.matches(&format!("pid={pid}")).count(), 1, "{text}");
        }
    }

    #[test]
    fn properties_without_preferences_are_unchanged() {
        assert_eq!(with_style(&properties(&[]), NEW).unwrap(), None);
        assert_eq!(with_style(&properties(&["{}"]), NEW).unwrap(), None);
        assert_eq!(with_style("", NEW).unwrap(), None);
    }
}
