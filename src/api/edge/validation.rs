//! Validation messages in the client's terms. serde reports the program's own types and
//! names (`expected struct LocalCollection`); a client knows members and kinds of JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::bounds::{is_long_integer, short};
use crate::api::error::FieldFault;
use crate::config::nearest::nearest_word;

/// Parses a value into a request struct, or returns where and why it does not fit. The error's pointer
/// starts at the value.
pub fn read<T: DeserializeOwned>(body: &Value) -> Result<T, FieldFault> {
    serde_path_to_error::deserialize(body).map_err(|fault| {
        let pointer = json_pointer(fault.path());
        explain::<T>(body, &pointer, &fault.inner().to_string())
    })
}

/// `/items/2/index` (RFC 6901).
fn json_pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer = below(&pointer, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

fn below(pointer: &str, member: &str) -> String {
    format!("{pointer}/{}", member.replace('~', "~0").replace('/', "~1"))
}

/// The meaning of serde's message. `pointer` is the position of the error.
fn explain<T: DeserializeOwned>(body: &Value, pointer: &str, text: &str) -> FieldFault {
    let (problem, expected) = text.split_once(", expected ").unwrap_or((text, ""));
    let named = quoted(problem).next().unwrap_or_default();
    if problem.starts_with("missing field") {
        return FieldFault::new(&below(pointer, named), "missing", "is missing");
    }
    if problem.starts_with("duplicate field") {
        return twice::<T>(body, pointer, named, text);
    }
    if problem.starts_with("unknown field") {
        let known: Vec<&str> = quoted(expected).collect();
        return FieldFault::new(pointer, "unknown", unknown_member(named, &known));
    }
    let found = body.pointer(pointer).unwrap_or(&Value::Null);
    let message = if let Some(most) = exceeded(expected, found) {
        format!("must be at most {most}, not {}", digits(found))
    } else if problem.starts_with("unknown variant") {
        let known: Vec<&str> = quoted(expected).collect();
        format!("must be {}, not “{named}”", list(&known, "or"))
    } else if problem.starts_with("invalid ") && !expected.is_empty() {
        format!("must be {}, not {}", wanted(expected), shown(found))
    } else if problem.contains("did not match any variant") {
        format!("cannot be {}", kind_of(found))
    } else {
        text.to_owned()
    };
    FieldFault::new(pointer, "invalid", message)
}

fn unknown_member(named: &str, known: &[&str]) -> String {
    match nearest_word(named, known) {
        Some(nearest) => format!("is unknown; did you mean `{nearest}`?"),
        None if known.is_empty() => "is unknown".to_owned(),
        None => format!("is unknown; known are {}", list(known, "and")),
    }
}

/// Maximum number of members of one object that are tried as aliases of another.
const MAX_MEMBERS: usize = 16;

/// A member that was sent under two of its names. serde names only one of them; the other is the
/// one whose removal fixes the error.
fn twice<T: DeserializeOwned>(body: &Value, pointer: &str, named: &str, text: &str) -> FieldFault {
    let object = body.pointer(pointer).and_then(Value::as_object);
    let is_other = |key: &&String| {
        let mut without = body.clone();
        let object = without.pointer_mut(pointer).and_then(Value::as_object_mut);
        object.is_some_and(|object| object.remove(*key).is_some())
            && serde_path_to_error::deserialize::<_, T>(&without)
                .err()
                .is_none_or(|fault| fault.inner().to_string() != text)
    };
    let others = object.filter(|object| object.len() <= MAX_MEMBERS);
    let mut others = others.into_iter().flat_map(|object| object.keys());
    match others.find(|key| *key != named && is_other(key)) {
        Some(other) => {
            let message = format!("is another name of `{named}`; send one of the two");
            FieldFault::new(&below(pointer, other), "invalid", message)
        }
        None => {
            let message = "is sent under two of its names; send one of them";
            FieldFault::new(&below(pointer, named), "invalid", message)
        }
    }
}

/// The text in back quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `a, b or c`.
fn list(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// serde's expectation, as a kind of JSON.
fn wanted(expected: &str) -> String {
    let kind = match expected.split(' ').next().unwrap_or_default() {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "struct" | "map" => "an object",
        "sequence" | "tuple" => "a list",
        "string" | "str" | "character" | "variant" => "text",
        "boolean" | "bool" => "true or false",
        "unit" | "null" => "null",
        "a" | "an" => match expected.split_once(' ') {
            Some((_, kind)) if wanted(kind) != kind => return wanted(kind),
            _ => expected,
        },
        _ => expected,
    };
    kind.to_owned()
}

/// The maximum, if a whole number is expected and a greater one was sent.
fn exceeded(expected: &str, found: &Value) -> Option<u64> {
    let most = match expected {
        "u8" => u8::MAX.into(),
        "u16" => u16::MAX.into(),
        "u32" => u32::MAX.into(),
        "i32" => i32::MAX as u64,
        "i64" => i64::MAX as u64,
        "u64" | "usize" => u64::MAX,
        _ => return None,
    };
    let digits = digits(found);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && digits.parse::<u64>().map_or(true, |number| number > most)).then_some(most)
}

/// The kind of a JSON value, for a message.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The digits of a number; those of a long one come as text (`exchange::exact`).
fn digits(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.len() > MAX_DIGITS => text.chars().take(MAX_DIGITS).collect(),
        Value::String(text) => text.clone(),
        _ => String::new(),
    }
}

/// Maximum number of digits shown.
const MAX_DIGITS: usize = 40;

/// A value in a message: numbers and short words themselves, others by their kind.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        // What the caller sent as a number.
        Value::String(text) if is_long_integer(text) => short(text),
        other => kind_of(other).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Outer {
        name: String,
        #[serde(default, alias = "default_style")]
        defaultstyle: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        parts: Vec<Inner>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Inner {
        #[serde(alias = "from")]
        source: String,
        count: Option<u32>,
        ratio: Option<f64>,
        last: Option<bool>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Fill,
        Overwrite,
    }

    #[test]
    fn validation_errors_use_the_clients_terms() {
        let check = |body: Value, field: &str, message: &str| {
            let fault = read::<Outer>(&body).unwrap_err();
            let found = (fault.field.as_str(), fault.message.as_str());
            assert_eq!(found, (field, message), "{body}");
        };
        let part = |part: Value| json!({"name": "n", "parts": [{"source": "s"}, part]});
        check(json!({}), "/name", "is missing");
        check(json!({"name": 7}), "/name", "must be text, not 7");
        check(json!({"name": null}), "/name", "must be text, not null");
        check(
            json!({"name": "n", "tags": "x"}),
            "/tags",
            "must be a list, not text",
        );
        check(
            json!({"name": "n", "tags": [{}]}),
            "/tags/0",
            "must be text, not an object",
        );
        check(part(json!(5)), "/parts/1", "must be an object, not 5");
        check(part(json!({})), "/parts/1/source", "is missing");
        let least = "must be a whole number of at least 0, not ";
        check(
            part(json!({"source": "s", "count": -1})),
            "/parts/1/count",
            &format!("{least}-1"),
        );
        check(
            part(json!({"source": "s", "count": 1.5})),
            "/parts/1/count",
            &format!("{least}1.5"),
        );
        let most = "must be at most 4294967295, not ";
        for number in ["5000000000", "99999999999999999999"] {
            let value: Value = match number.parse::<u64>() {
                Ok(number) => number.into(),
                Err(_) => number.into(),
            };
            check(
                part(json!({"source": "s", "count": value})),
                "/parts/1/count",
                &format!("{most}{number}"),
            );
        }
        check(
            part(json!({"source": "s", "ratio": "1"})),
            "/parts/1/ratio",
            "must be a number, not text",
        );
        check(
            part(json!({"source": "s", "last": []})),
            "/parts/1/last",
            "must be true or false, not a list",
        );
        check(
            json!({"name": "n", "nmae": "m"}),
            "/nmae",
            "is unknown; did you mean `name`?",
        );
        check(
            json!({"name": "n", "colour": "red"}),
            "/colour",
            "is unknown; known are name, default_style, defaultstyle, tags, parts and kind",
        );
        check(
            json!({"name": "n", "kind": "mix"}),
            "/kind",
            "must be fill or overwrite, not “mix”",
        );
        check(
            json!({"name": "n", "defaultstyle": "a", "default_style": "b"}),
            "/default_style",
            "is another name of `defaultstyle`; send one of the two",
        );
        check(
            part(json!({"source": "s", "from": "t"})),
            "/parts/1/from",
            "is another name of `source`; send one of the two",
        );
    }
}
