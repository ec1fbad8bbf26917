//! Blanks what is not text: code, comments, multi-line formulas.

/// The text with non-text blanked: code, comments, multi-line formulas.
pub(super) fn masked(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut fence: Option<&str> = None;
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                blank(line, &mut out);
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                blank(line, &mut out);
            }
            (Some(_), _) => blank(line, &mut out),
            (None, None) => out.push_str(line),
        }
    }
    without_spans(&out)
}

/// Blanks inline code and comments.
fn without_spans(text: &str) -> String {
    // After an unclosed comment no other one is closed.
    let mut is_unclosed = false;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '<', '\\']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let escaped = behind
            .strip_prefix('\\')
            .and_then(|next| next.chars().next());
        if let Some(c) = escaped {
            let length = 1 + c.len_utf8();
            out.push_str(behind.get(..length).unwrap_or_default());
            rest = behind.get(length..).unwrap_or_default();
            continue;
        }
        let ticks = behind.len() - behind.trim_start_matches('`').len();
        let end = match ticks {
            0 if behind.starts_with("<!--") && !is_unclosed => {
                let end = behind.find("-->").map(|end| end + "-->".len());
                is_unclosed = end.is_none();
                end
            }
            0 => None,
            _ => {
                let mark = behind.get(..ticks).unwrap_or_default();
                let inside = behind.get(ticks..).unwrap_or_default();
                let inside = near(inside);
                let paragraph = inside.find("\n\n").unwrap_or(inside.len());
                let inside = inside.get(..paragraph).unwrap_or_default();
                inside.find(mark).map(|end| ticks + end + ticks)
            }
        };
        match end {
            Some(end) => {
                let span = behind.get(..end).unwrap_or(behind);
                blank(span, &mut out);
                rest = behind.get(span.len()..).unwrap_or_default();
            }
            None => {
                let length = ticks.max(1);
                out.push_str(behind.get(..length).unwrap_or_default());
                rest = behind.get(length..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// The start of a text that is searched for the end of code.
fn near(text: &str) -> &str {
    const LONGEST_CODE: usize = 10_000;
    text.get(..text.floor_char_boundary(LONGEST_CODE))
        .unwrap_or(text)
}

fn blank(text: &str, out: &mut String) {
    // A blank for each byte keeps all offsets.
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}
