//! Lists that services give in parts as JSON: what asks for the part after one.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::RecordError;

/// The cursor of Crossref (`message.next-cursor`). Its last part is empty and has a cursor too.
pub fn crossref(json: &[u8]) -> Result<Option<String>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        message: Part,
    }
    #[derive(Deserialize)]
    struct Part {
        items: Vec<IgnoredAny>,
        #[serde(rename = "next-cursor", default)]
        cursor: Option<String>,
    }
    let part = serde_json::from_slice::<Answer>(json)?.message;
    Ok(part.cursor.filter(|_| !part.items.is_empty()))
}

/// The cursor of OpenAlex (`meta.next_cursor`).
pub fn openalex(json: &[u8]) -> Result<Option<String>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        results: Vec<IgnoredAny>,
        meta: Meta,
    }
    #[derive(Deserialize)]
    struct Meta {
        #[serde(default)]
        next_cursor: Option<String>,
    }
    let answer: Answer = serde_json::from_slice(json)?;
    Ok({ answer.meta.next_cursor }.filter(|_| !answer.results.is_empty()))
}

/// The query of DataCite's next part (`links.next`).
pub fn datacite(json: &[u8]) -> Result<Option<String>, RecordError> {
    #[derive(Deserialize)]
    struct Answer {
        data: Vec<IgnoredAny>,
        #[serde(default)]
        links: Links,
    }
    #[derive(Default, Deserialize)]
    struct Links {
        #[serde(default)]
        next: Option<String>,
    }
    let answer: Answer = serde_json::from_slice(json)?;
    let next = answer.links.next.filter(|_| !answer.data.is_empty());
    Ok(next.and_then(|next| Some(next.split_once('?')?.1.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_part_has_no_next_one() {
        let cursor = |json: &str| crossref(json.as_bytes()).unwrap();
        let part =
            r#"{"status":"ok","message":{"next-cursor":"AoJ=","items":[{"DOI":"10.5555/a"}]}}"#;
        assert_eq!(cursor(part).as_deref(), Some("AoJ="));
        assert_eq!(
            cursor(r#"{"message":{"next-cursor":"AoJ=","items":[]}}"#),
            None
        );

        let cursor = |json: &str| openalex(json.as_bytes()).unwrap();
        let part = r#"{"meta":{"count":3,"next_cursor":"Ij"},"results":[{"id":"W1"}]}"#;
        assert_eq!(cursor(part).as_deref(), Some("Ij"));
        assert_eq!(
            cursor(r#"{"meta":{"next_cursor":null},"results":[{"id":"W1"}]}"#),
            None
        );

        let query = |json: &str| datacite(json.as_bytes()).unwrap();
        let part = r#"{"data":[{"id":"a"}],"links":{"next":"https://api.datacite.org/dois?page%5Bcursor%5D=MTY&x=1"}}"#;
        assert_eq!(query(part).as_deref(), Some("page%5Bcursor%5D=MTY&x=1"));
        assert_eq!(query(r#"{"data":[{"id":"a"}],"links":{}}"#), None);
        assert!(crossref(b"{}").is_err() && openalex(b"[]").is_err() && datacite(b"").is_err());
    }
}
