//! Tokenises text with HTML, JATS and MathML tags.

pub enum Token<'a> {
    Text(&'a str),
    Open(Tag<'a>),
    Close(String),
    /// A comment or a processing instruction.
    Hidden,
}

/// An opening tag.
pub struct Tag<'a> {
    /// In lower case, without prefix.
    pub name: String,
    pub attributes: &'a str,
    /// Whether the tag closes itself.
    pub is_empty: bool,
    pub has_prefix: bool,
}

impl Tag<'_> {
    /// The value of an attribute, entities decoded.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let start = self.attributes.find(&format!("{name}="))? + name.len() + 1;
        let value = self.attributes.get(start..)?;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value.get(1..)?.split(quote).next().map(str::to_owned)
    }
}

/// The token at the start of a non-empty text, and the rest.
pub fn next_token(text: &str) -> (Token<'_>, &str) {
    if let Some(found) = tag_at_start(text) {
        return found;
    }
    // There is no tag at the start, so the first character is text.
    let from = text.chars().next().map_or(0, char::len_utf8);
    let end = text
        .get(from..)
        .and_then(|rest| rest.find('<'))
        .map_or(text.len(), |at| from + at);
    let (run, tail) = text.split_at(end);
    (Token::Text(run), tail)
}

fn tag_at_start(text: &str) -> Option<(Token<'_>, &str)> {
    let inner = text.strip_prefix('<')?;
    if let Some(comment) = inner.strip_prefix("!--") {
        let (comment, _) = near(comment).split_once("-->")?;
        let tail = inner.get("!--".len() + comment.len() + "-->".len()..)?;
        return Some((Token::Hidden, tail));
    }
    if let Some(data) = inner.strip_prefix("![CDATA[") {
        let (data, _) = start(data, MAX_DATA).split_once("]]>")?;
        let tail = inner.get("![CDATA[".len() + data.len() + "]]>".len()..)?;
        return Some((Token::Text(data), tail));
    }
    if inner.starts_with('?') {
        let (instruction, _) = near(inner).split_once("?>")?;
        let tail = inner.get(instruction.len() + "?>".len()..)?;
        return Some((Token::Hidden, tail));
    }
    let end = inner
        .find(['<', '>'])
        .filter(|at| inner.as_bytes().get(*at) == Some(&b'>'))?;
    let (inside, tail) = (inner.get(..end)?, inner.get(end + 1..)?);
    let (is_close, inside) = match inside.strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, inside),
    };
    let name_end = inside
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_')))
        .unwrap_or(inside.len());
    let (name, attributes) = inside.split_at(name_end);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_empty = attributes.ends_with('/');
    let attributes = attributes.trim_end_matches('/');
    // `<b and c>` is not an element: attributes have values.
    let plausible = attributes.trim().is_empty()
        || attributes.starts_with(char::is_whitespace) && attributes.contains('=');
    if !is_name || !plausible {
        return None;
    }
    let local = name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase();
    if is_close {
        return Some((Token::Close(local), tail));
    }
    let tag = Tag {
        has_prefix: name.contains(':'),
        name: local,
        attributes,
        is_empty,
    };
    Some((Token::Open(tag), tail))
}

/// Maximum number of bytes after a tag to search for something optional.
const LOOKED_AT: usize = 4_096;

/// Maximum length of a section of character data, in bytes.
const MAX_DATA: usize = 8 * 1024;

pub fn near(text: &str) -> &str {
    start(text, LOOKED_AT)
}

fn start(text: &str, longest: usize) -> &str {
    text.get(..text.floor_char_boundary(longest))
        .unwrap_or(text)
}
