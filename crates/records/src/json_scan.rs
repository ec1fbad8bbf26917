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

impl State {
    /// Lets go of the bytes that were looked at, which the caller drops; gives how many. The scan goes
    /// on with those behind them.
    pub fn forget(&mut self) -> usize {
        std::mem::take(&mut self.at)
    }
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
    let inside = json.get(start..)?;
    Some((start, start + inside_end(inside)?))
}

/// Where the bracket is that closes the array whose inside `bytes` begins. Blocks without an escape
/// in which it cannot be are counted through by bits, eight bytes at a time.
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

/// Bytes that are counted through at once: as many as a word has bits.
const BLOCK: usize = 64;

impl State {
    /// Passes over a block where no bracket in it can be the last one. False where one may be, or
    /// where the block holds an escape.
    fn pass(&mut self, block: &[u8; BLOCK]) -> bool {
        let (mut quotes, mut opened, mut closed, mut escapes) = (0, 0, 0, 0);
        let (words, _) = block.as_chunks::<8>();
        for (n, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            // Square and curly brackets differ in this bit alone.
            let curled = word | 0x2020_2020_2020_2020;
            quotes |= bits(word, b'"') << (n * 8);
            escapes |= bits(word, b'\\');
            opened |= bits(curled, b'{') << (n * 8);
            closed |= bits(curled, b'}') << (n * 8);
        }
        if escapes != 0 {
            return false;
        }
        // Each quotation mark turns all bits behind it over: set bits are within strings.
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

/// A bit for each byte of a word that equals `byte`, the first byte's lowest.
fn bits(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const REST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differs = word ^ (LOW * u64::from(byte));
    let equal = !((differs & REST).wrapping_add(REST) | differs | REST);
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
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
