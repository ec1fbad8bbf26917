//! Splits a value into chunks at its joints.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

/// The locale's «and», long and as a symbol.
pub type AndTerms<'s> = (&'s str, &'s str);

/// The text between two joints.
pub struct Chunk {
    pub body: String,
    /// Empty after the last chunk.
    pub joint: String,
}

/// Splits a value at commas, semicolons, hyphens and words for «and».
pub(super) fn chunks(text: &str, and: AndTerms) -> Vec<Chunk> {
    let escaped = text.contains("\\-");
    let text = if escaped {
        let parts: Vec<String> = text.split("\\-").map(|p| p.replace('-', "–")).collect();
        parts.join("-").replace('\\', "")
    } else {
        text.to_owned()
    };
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        match joint(&text[at..], and, !escaped) {
            Some(length) => {
                let body = &text[from..at];
                chunks.push(Chunk {
                    body: body.to_owned(),
                    joint: shown_joint(&text[at..at + length], and),
                });
                at += length;
                from = at;
            }
            None => at += unjoined(&text[at..]),
        }
    }
    chunks.push(Chunk {
        body: text[from..].to_owned(),
        joint: String::new(),
    });
    chunks
}

/// The length of the joint at the start of a text.
fn joint(text: &str, and: AndTerms, hyphens: bool) -> Option<usize> {
    let blanks = text.len() - text.trim_start().len();
    let rest = &text[blanks..];
    let tail = |from: usize| from + text[from..].len() - text[from..].trim_start().len();
    if rest.starts_with('&') {
        return Some(tail(blanks + 1));
    }
    for (comma, word) in [(true, "and"), (false, "and"), (true, and.0), (false, and.0)] {
        let after = if comma {
            let Some(after) = text.strip_prefix(',') else {
                continue;
            };
            after
        } else {
            text
        };
        let inner = after.trim_start();
        if inner.len() < after.len()
            && let Some(end) = inner.strip_prefix(word)
            && !word.is_empty()
            && end.starts_with(char::is_whitespace)
        {
            return Some(tail(text.len() - end.len()));
        }
    }
    if let Some(after) = text.strip_prefix([',', ';'])
        && after.starts_with(char::is_whitespace)
    {
        return Some(tail(1));
    }
    let dashes = rest.trim_start_matches('\\');
    let end = dashes.trim_start_matches(|c| c == '–' || hyphens && c == '-');
    (end.len() < dashes.len()).then(|| tail(text.len() - end.len()))
}

fn shown_joint(joint: &str, and: AndTerms) -> String {
    if joint.trim() == "&" {
        let symbol = if and.1 == and.0 || and.1.is_empty() {
            "&"
        } else {
            and.1
        };
        return format!(" {symbol} ");
    }
    match joint.find('-') {
        Some(_) if joint.trim() == "-" => "-".to_owned(),
        _ => joint.to_owned(),
    }
}

/// The number of bytes to skip at the start of a text without a joint: a character, or a whole run of
/// blanks or backslashes.
fn unjoined(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 1;
    };
    let rest = match first {
        '\\' => text.trim_start_matches(first),
        _ if first.is_whitespace() => text.trim_start(),
        _ => return first.len_utf8(),
    };
    text.len() - rest.len()
}

/// Rejoins `12a-c`, which is one number.
pub(super) fn mend_subsections(chunks: &mut Vec<Chunk>) {
    let is_tail =
        |text: &str| !text.is_empty() && text.chars().all(|c| c == ',' || c.is_ascii_alphabetic());
    let mut mended: Vec<Chunk> = Vec::with_capacity(chunks.len());
    while let Some(mut head) = chunks.pop() {
        let number = head.body.rsplit(' ').next().unwrap_or_default();
        let letters = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_head = head.joint == "-" && letters.len() < number.len() && is_tail(letters);
        if let Some(tail) = mended.pop_if(|tail| is_head && is_tail(&tail.body)) {
            head.body = format!("{}-{}", head.body, tail.body);
            head.joint = tail.joint;
        }
        mended.push(head);
    }
    mended.reverse();
    *chunks = mended;
}
