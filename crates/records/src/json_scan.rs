//! Finds the bounds of JSON values without parsing them.

use std::borrow::Cow;

use memchr::memmem;

/// Members that contain the records in APIs and dumps.
const RECORD_MEMBERS: [&[u8]; 4] = [b"items", b"data", b"results", b"bindings"];

/// The state of a scan, to continue it with more bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Number of bytes scanned.
    at: usize,
    depth: usize,
    in_string: bool,
}

impl State {
    /// Forgets the scanned bytes, which the caller drops, and returns their number. The scan continues with
    /// the bytes after them.
    pub fn forget(&mut self) -> usize {
        std::mem::take(&mut self.at)
    }
}

/// Whether a text has more than `most` signs of further values: commas and opening brackets, which in texts
/// are few.
pub fn has_more_values(json: &[u8], most: usize) -> bool {
    memchr::memchr3_iter(b',', b'[', b'{', json)
        .nth(most)
        .is_some()
}

/// The end of the value at the start of `bytes`; `None` if it continues beyond them.
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
                // The escaped character may be beyond the end; then the backslash waits for it.
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
                // A closing bracket after a bare number belongs to the enclosing value.
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

/// Removes the content of the first array under a key at any depth, because most of a record may be unused.
/// Works only for compact JSON, as in dumps; other text stays unchanged. The removed part is not validated.
pub fn without_array<'j>(json: &'j [u8], key: &str) -> Cow<'j, [u8]> {
    array_inside(json, key).map_or(Cow::Borrowed(json), |(start, end)| {
        let (before, behind) = (json.get(..start), json.get(end..));
        Cow::Owned([before.unwrap_or_default(), behind.unwrap_or_default()].concat())
    })
}

/// The range between the brackets of the array.
fn array_inside(json: &[u8], key: &str) -> Option<(usize, usize)> {
    let opening = format!("\"{key}\":[");
    let at = memmem::find(json, opening.as_bytes())?;
    // Inside a string a quotation mark follows a backslash, so this is the start of a key.
    let before = json.get(at.checked_sub(1)?)?;
    if !matches!(before, b',' | b'{') {
        return None;
    }
    let start = at + opening.len();
    let inside = json.get(start..)?;
    Some((start, start + inside_end(inside)?))
}

/// The position of the bracket that closes the array whose content is at the start of `bytes`. Blocks that
/// contain neither an escape nor the bracket are counted with bit operations, eight bytes at a time.
fn inside_end(bytes: &[u8]) -> Option<usize> {
    let mut state = State {
        depth: 1,
        ..State::default()
    };
    while let Some(block) = bytes.get(state.at..).and_then(|rest| rest.first_chunk()) {
        if !state.pass(block) {
            let end = state.at + block.len();
            if let Some(end) = value_end(bytes.get(..end)?, &mut state) {
                return Some(end - 1);
            }
        }
    }
    Some(value_end(bytes, &mut state)? - 1)
}

/// Bytes counted at once: the number of bits in a word.
const BLOCK: usize = 64;

impl State {
    /// Skips a block if no bracket in it can be the last one. Returns false if one may be, or if the block
    /// has an escape.
    fn pass(&mut self, block: &[u8; BLOCK]) -> bool {
        let (mut quotes, mut opened, mut closed, mut escapes) = (0, 0, 0, 0);
        let (words, _) = block.as_chunks::<8>();
        for (n, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            // Square and curly brackets differ only in this bit.
            let curled = word | 0x2020_2020_2020_2020;
            quotes |= bits(word, b'"') << (n * 8);
            escapes |= bits(word, b'\\');
            opened |= bits(curled, b'{') << (n * 8);
            closed |= bits(curled, b'}') << (n * 8);
        }
        if escapes != 0 {
            return false;
        }
        // Each quotation mark inverts all later bits: set bits are inside strings.
        let mut within = quotes;
        for shift in [1, 2, 4, 8, 16, 32] {
            within ^= within << shift;
        }
        if self.in_string {
            within = !within;
        }
        let opened = (opened & !within).count_ones() as usize;
        let closed = (closed & !within).count_ones() as usize;
        if closed >= self.depth {
            return false;
        }
        self.depth = self.depth + opened - closed;
        self.in_string ^= quotes.count_ones() % 2 == 1;
        self.at += BLOCK;
        true
    }
}

/// A bit for each byte of a word that equals `byte`, lowest for the first byte.
fn bits(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const REST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differs = word ^ (LOW * u64::from(byte));
    let equal = !((differs & REST).wrapping_add(REST) | differs | REST);
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The start of the first element of the array of records: the array is the whole text, or under `items`,
/// `data`, `results` or `bindings`, at top level or under `message` or `results`.
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

/// Visits the members of the object whose content begins at `at`.
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
        if opens == b'{' && [&b"message"[..], b"results"].contains(&key) {
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
        // The same, if the text arrives byte by byte.
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
    fn blocks_are_passed_over_as_bytes_are() {
        let item = r#"{"a":["x{","}\\"],"b":{"c":[1,2]},"text":"] no } end"},"#;
        for plain in [0, 3, 70, 200] {
            let text = format!("[{}\"{}\",7]", item.repeat(9), "(".repeat(plain));
            let found = inside_end(&text.as_bytes()[1..]).map(|end| end + 2);
            assert_eq!(found, value_end(text.as_bytes(), &mut State::default()));
            assert_eq!(found, Some(text.len()));
            assert_eq!(inside_end(&text.as_bytes()[1..text.len() - 1]), None);
        }
    }

    #[test]
    fn a_member_called_items_deeper_down_is_no_list_of_records() {
        assert_eq!(find_array(br#"{"a":{"items":[1]}}"#), None);
        assert_eq!(find_array(br#"{"a":{"b":1},"data": [ 1 ]}"#), Some(22));
        assert_eq!(find_array(br#"{"data":{"id":"x"}}"#), None);
    }
}
