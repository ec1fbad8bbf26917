//! Reading what the interface answered.

use serde_json::Value;

use crate::api::error::{ApiError, Code};
use crate::api::subrequest::Answer;
use crate::ui::words::Words;

/// What a failed answer says to the reader: in the reader's language where the code has a message
/// there, else in the interface's own words.
pub fn error_message(words: Words, answer: &Answer) -> String {
    let own = words.find(&format!("error.{}", answer.error()));
    let text = match own {
        Some(own) => own,
        None => text(&answer.body, "message"),
    };
    text.to_owned()
}

/// A failed answer of the interface as a failure of the page.
pub fn failed(answer: &Answer) -> ApiError {
    let code = Code::ALL
        .iter()
        .find(|code| code.as_str() == answer.error());
    let code = code.copied().unwrap_or(Code::InternalError);
    ApiError::new(code, text(&answer.body, "message"))
}

/// A member that is text; empty where it is none.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The members of a list; none where it is no list.
pub fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}
