//! `multipart/form-data` (RFC 7578): finds the file in an upload.
//! Own code: the body is already in memory, and parts are slices of it; the crates read streams, most of them async.

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'b> {
    /// The form field.
    pub name: String,
    /// Present for files.
    pub file_name: Option<String>,
    pub content_type: Option<String>,
    pub content: &'b [u8],
}

/// Why a form cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    #[error("the content type has no boundary")]
    NoBoundary,
    #[error("the body does not start with the boundary of the content type")]
    NoParts,
    #[error("a part of the form is not terminated")]
    Unfinished,
    #[error("a part of the form has no headers")]
    NoHead,
    #[error("the form has more than {MAX_PARTS} parts")]
    TooMany,
}

/// Maximum number of parts. An upload has a few.
pub const MAX_PARTS: usize = 100;

/// Maximum bytes of a part's headers.
const MAX_HEAD: usize = 8 * 1024;

/// Parses the parts of a body if its content type is a form.
pub fn parts_of<'b>(
    content_type: &str,
    body: &'b [u8],
) -> Option<Result<Vec<Part<'b>>, FormError>> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let is_form = essence.eq_ignore_ascii_case("multipart/form-data");
    is_form.then(|| parse(content_type, body))
}

/// Reads the parts of a form.
fn parse<'b>(content_type: &str, body: &'b [u8]) -> Result<Vec<Part<'b>>, FormError> {
    let boundary = parameter(content_type, "boundary").ok_or(FormError::NoBoundary)?;
    if boundary.is_empty() {
        return Err(FormError::NoBoundary);
    }
    let opening = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    // The text before the first boundary is for readers without multipart support.
    let start = if body.starts_with(opening.as_bytes()) {
        Some(opening.len())
    } else {
        find(body, between.as_bytes()).map(|at| at + between.len())
    };
    let mut rest = body
        .get(start.ok_or(FormError::NoParts)?..)
        .unwrap_or_default();
    let mut parts = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Ok(parts);
        }
        if parts.len() == MAX_PARTS {
            return Err(FormError::TooMany);
        }
        let line = find(rest, b"\r\n").ok_or(FormError::Unfinished)?;
        let part = rest.get(line + 2..).unwrap_or_default();
        let end = find(part, between.as_bytes()).ok_or(FormError::Unfinished)?;
        parts.push(read_part(part.get(..end).unwrap_or_default())?);
        rest = part.get(end + between.len()..).unwrap_or_default();
    }
}

fn read_part(part: &[u8]) -> Result<Part<'_>, FormError> {
    let head_end = if part.starts_with(b"\r\n") {
        Some(0)
    } else {
        find(part, b"\r\n\r\n").map(|at| at + 2)
    };
    let head_end = head_end
        .filter(|end| *end <= MAX_HEAD)
        .ok_or(FormError::NoHead)?;
    let head = String::from_utf8_lossy(part.get(..head_end).unwrap_or_default());
    let header = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim()
                .eq_ignore_ascii_case(wanted)
                .then(|| value.trim().to_owned())
        })
    };
    let disposition = header("content-disposition").unwrap_or_default();
    Ok(Part {
        name: parameter(&disposition, "name").unwrap_or_default(),
        file_name: parameter(&disposition, "filename"),
        content_type: header("content-type"),
        content: part.get(head_end + 2..).unwrap_or_default(),
    })
}

/// A parameter of a header: `form-data; name="a"`. Browsers escape quotation marks as `%22`, others
/// with a backslash.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (name, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let (text, after) = match value.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => {
                let end = value.find(';').unwrap_or(value.len());
                let (text, after) = value.split_at(end);
                (text.trim().to_owned(), after)
            }
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(text);
        }
        rest = after.trim_start().strip_prefix(';').unwrap_or_default();
    }
}

/// A quoted text up to its closing mark, and the rest.
fn unquote(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (out, text.get(at + 1..).unwrap_or_default()),
            // Internet Explorer sent whole paths here, with unescaped backslashes.
            '\\' => match characters.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    out.push(escaped);
                    characters.next();
                }
                _ => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    (out, "")
}

fn find(body: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(body, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; charset=utf-8; boundary=\"x y\"";

    #[test]
    fn multipart_parts_are_separated() {
        let body = b"preamble\r\n--x y\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n\
                     --x y  \r\ncontent-disposition: form-data; name=file; filename=\"a \\\"b\\\".bib\"\r\n\
                     Content-Type: text/x-bibtex\r\n\r\n@book{a,\r\n--x\r\n}\r\n--x y--\r\nepilogue";
        let parts = parse(TYPE, body).unwrap();
        assert_eq!(parts.len(), 2);
        assert_eq!(
            (parts[0].name.as_str(), parts[0].content),
            ("note", &b"hello"[..])
        );
        assert_eq!(parts[1].file_name.as_deref(), Some("a \"b\".bib"));
        assert_eq!(parts[1].content_type.as_deref(), Some("text/x-bibtex"));
        assert_eq!(parts[1].content, b"@book{a,\r\n--x\r\n}");
    }

    #[test]
    fn broken_multipart_is_rejected() {
        let check = |content_type: &str, body: &[u8], expected| {
            assert_eq!(parse(content_type, body), Err(expected));
        };
        check("multipart/form-data", b"", FormError::NoBoundary);
        check("multipart/form-data; boundary=", b"", FormError::NoBoundary);
        check(TYPE, b"", FormError::NoParts);
        check(TYPE, b"--x y", FormError::Unfinished);
        check(TYPE, b"--x y\r\na: b\r\n\r\nc", FormError::Unfinished);
        check(TYPE, b"--x y\r\na: b\r\n--x y--", FormError::NoHead);
        assert_eq!(parse(TYPE, b"--x y--"), Ok(Vec::new()));
    }

    #[test]
    fn truncated_multipart_never_panics() {
        let body = b"--x y\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\\\r\n\r\n\r\n--x y--";
        for end in 0..body.len() {
            let _ = parse(TYPE, &body[..end]);
        }
    }
}
