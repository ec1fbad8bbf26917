//! Finding where JSON values begin and end without reading them.

use std::borrow::Cow;

use memchr::memmem;

/// Members under which interfaces and dumps keep their records.
const RECORD_MEMBERS: [&[u8]; 3] = [b"items", b"data", b"results"];

/// Where the scan of a value stands, so that it can go on when more bytes are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Bytes looked at already.
    at: usize,
    depth: usize,
    in_string: bool,
}

/// Where the value at the start of `bytes` ends; nothing where it goes on behind them.
pub fn value_end(bytes: &[u8], state: &mut State) -> Option<usize> {
    while let Some(&byte) = bytes.get(state.at) {
        if state.in_string {
            let rest = bytes.get(state.at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                state.at = bytes.len();
                return None;
            };
            state.at += found;
            if rest.get(found) == Some(&b'\\') {
                // The escaped character may lie behind the edge; then the backslash waits for it.
                bytes.get(state.at + 1)?;
                state.at += 2;
                continue;
            }
            state.in_string = false;
            state.at += 1;
            if state.depth == 0 {
                return Some(state.at);
            }
            continue;
        }
        match byte {
            b'"' => state.in_string = true,
            b'{' | b'[' => state.depth += 1,
            b'}' | b']' if state.depth <= 1 => {
                // A closing bracket behind a bare number belongs to what holds the number.
                return Some(state.at + state.depth);
            }
            b'}' | b']' => state.depth -= 1,
            b',' | b' ' | b'\n' | b'\r' | b'\t' if state.depth == 0 && state.at > 0 => {
                return Some(state.at);
            }
            _ => {}
        }
        state.at += 1;
    }
    None
}

/// The text without what stands in its first array under a key, at whatever depth: most of a record
/// may be something that nobody reads. Only in compact JSON, which dumps are; other text stays as it
/// is. What is left out is not checked.
pub fn without_array<'j>(json: &'j [u8], key: &str) -> Cow<'j, [u8]> {
    array_inside(json, key).map_or(Cow::Borrowed(json), |(start, end)| {
        let (before, behind) = (json.get(..start), json.get(end..));
        Cow::Owned([before.unwrap_or_default(), behind.unwrap_or_default()].concat())
    })
}

/// From behind the opening bracket to the closing one.
fn array_inside(json: &[u8], key: &str) -> Option<(usize, usize)> {
    let opening = format!("\"{key}\":[");
    let at = memmem::find(json, opening.as_bytes())?;
    // Within a string a quotation mark follows a backslash, so this is the beginning of a key.
    let before = json.get(at.checked_sub(1)?)?;
    if !matches!(before, b',' | b'{') {
        return None;
    }
    let start = at + opening.len();
    let array = json.get(start - 1..)?;
    let end = start - 1 + value_end(array, &mut State::default())?;
    Some((start, end - 1))
}

/// Where the first element of the array of records may begin: the array is the whole text, or
/// stands under `items`, `data` or `results`, there or under `message`.
pub fn find_array(head: &[u8]) -> Option<usize> {
    let start = head
        .iter()
        .position(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf))?;
    match head.get(start)? {
        b'[' => Some(start + 1),
        b'{' => find_member_array(head, start + 1),
        _ => None,
    }
}

/// Walks the members of the object whose inside begins at `at`.
fn find_member_array(head: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = skip_space(head, at);
        if head.get(at)? != &b'"' {
            return None;
        }
        let key_end = at + value_end(head.get(at..)?, &mut State::default())?;
        let key = head.get(at + 1..key_end - 1)?;
        at = skip_space(head, key_end);
        if head.get(at)? != &b':' {
            return None;
        }
        at = skip_space(head, at + 1);
        let opens = *head.get(at)?;
        if opens == b'[' && RECORD_MEMBERS.contains(&key) {
            return Some(at + 1);
        }
        if opens == b'{' && key == b"message" {
            return find_member_array(head, at + 1);
        }
        at += value_end(head.get(at..)?, &mut State::default())?;
        at = skip_space(head, at);
        if head.get(at)? != &b',' {
            return None;
        }
        at += 1;
    }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<usize>) {
        assert_eq!(
            value_end(text.as_bytes(), &mut State::default()),
            expected,
            "{text}"
        );
        // The same when the text comes byte by byte.
        let mut state = State::default();
        let whole = text.as_bytes();
        let found = (1..=whole.len()).find_map(|end| value_end(&whole[..end], &mut state));
        assert_eq!(found, expected, "{text}, bytewise");
    }

    #[test]
    fn values_end_where_they_end() {
        check(r#"{"a":[1,"}"]},"#, Some(13));
        check(r#""x\"y" "#, Some(6));
        check("12,", Some(2));
        check("12]", Some(2));
        check("[[1],2]", Some(7));
        check(r#"{"a":"#, None);
        check(r#"{"a":"\\"}"#, Some(10));
        check(r#""unclosed"#, None);
    }

    #[test]
    fn an_array_that_nobody_reads_is_left_out() {
        let check = |json: &str, expected: &str| {
            let left = without_array(json.as_bytes(), "r");
            assert_eq!(String::from_utf8_lossy(&left), expected, "{json}");
        };
        check(r#"{"r":[{"a":["]\"",1]},2],"b":3}"#, r#"{"r":[],"b":3}"#);
        check(r#"{"b":3,"r":[]}"#, r#"{"b":3,"r":[]}"#);
        check(r#"{"b":{"r":["x"]}}"#, r#"{"b":{"r":[]}}"#);
        for untouched in [
            r#"{"b":"\"r\":[1]"}"#,
            r#"{"b":",\"r\":[1]"}"#,
            r#"{"r": [1]}"#,
            r#"{"r":"[1]"}"#,
            r#"{"r":[1,"#,
            r#""r":[1]"#,
            "",
        ] {
            check(untouched, untouched);
        }
    }

    #[test]
    fn a_member_called_items_deeper_down_is_no_list_of_records() {
        assert_eq!(find_array(br#"{"a":{"items":[1]}}"#), None);
        assert_eq!(find_array(br#"{"a":{"b":1},"data": [ 1 ]}"#), Some(22));
        assert_eq!(find_array(br#"{"data":{"id":"x"}}"#), None);
    }
}
