//! Where manuscripts name the keys of works. The readers of manuscripts say what cites; here are the places of the
//! keys in it.

use std::ops::Range;

use citation_documents::{self as documents, ManuscriptFormat, SourceSpan};
use citation_model::budget::Budget;

/// A key in a manuscript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyUse {
    pub key: String,
    /// In bytes.
    pub range: Range<usize>,
    /// Whether it surely cites; `@name` in Markdown may be something else.
    pub is_certain: bool,
}

/// Whether a file is a manuscript whose keys are found.
pub fn is_manuscript(name: &str) -> bool {
    use ManuscriptFormat::{Html, Markdown, Tex, Typst};
    let Some((_, extension)) = name.rsplit_once('.') else {
        return false;
    };
    if matches!(extension, "bbl" | "aux") {
        return false;
    }
    let format = ManuscriptFormat::of_extension(extension);
    extension == "org"
        || format.is_some_and(|format| [Html, Markdown, Tex, Typst].contains(&format))
}

/// The keys of a manuscript in order.
pub fn key_uses(name: &str, text: &str) -> Vec<KeyUse> {
    let mut uses = match name.rsplit_once('.') {
        Some((_, "org")) => org_uses(text),
        _ => read_uses(name, text).unwrap_or_default(),
    };
    uses.sort_by_key(|found| found.range.start);
    uses.dedup_by(|one, other| one.range == other.range);
    uses
}

fn read_uses(name: &str, text: &str) -> Option<Vec<KeyUse>> {
    let document = documents::read(name, text.as_bytes(), &|_| None, &Budget::unlimited()).ok()?;
    let own = document.sources.first();
    let is_own = |span: &&SourceSpan| Some(span.file()) == own;
    let mut uses = Vec::new();
    let possible = document
        .possible
        .iter()
        .map(|found| (&found.citation, false));
    let certain = document.citations.iter().map(|citation| (citation, true));
    for (citation, is_certain) in certain.chain(possible) {
        let Some(span) = citation.span.as_ref().filter(is_own) else {
            continue;
        };
        let mut from = span.range().start;
        for cited in &citation.items {
            let key = &cited.cite.id;
            if let Some(range) = find_key(text, key, from..span.range().end) {
                from = range.end;
                uses.push(KeyUse {
                    key: key.clone(),
                    range,
                    is_certain,
                });
            }
        }
    }
    for span in document.additions.iter().filter(is_own) {
        uses.extend(listed_keys(text, span.range()));
    }
    match document.format {
        ManuscriptFormat::Markdown => uses.extend(nocite(text)),
        ManuscriptFormat::Tex => uses.extend(tex_nocite(text)),
        _ => {}
    }
    Some(uses)
}

/// A key as a whole word in a range.
fn find_key(text: &str, key: &str, range: Range<usize>) -> Option<Range<usize>> {
    if key.is_empty() {
        return None;
    }
    let mut from = range.start;
    loop {
        let rest = text.get(from..range.end)?;
        let start = from + rest.find(key)?;
        let end = start + key.len();
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let mut behind = text.get(end..).unwrap_or_default().chars();
        let goes_on = match behind.next() {
            Some('-' | ':' | '/' | '.') => behind.next().is_some_and(char::is_alphanumeric),
            Some(c) => c.is_alphanumeric() || c == '_',
            None => false,
        };
        // What stands before a key is a sign, except in the middle of a longer key.
        let is_inside = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if !is_inside && !goes_on {
            return Some(start..end);
        }
        from = end;
    }
}

/// The keys in the braces of a command that only adds works to the list: `\nocite{a, b}`.
fn listed_keys(text: &str, range: Range<usize>) -> Vec<KeyUse> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let Some(open) = inside.find(['{', '<']) else {
        return Vec::new();
    };
    let mut uses = Vec::new();
    let mut from = range.start + open + 1;
    let list = inside.get(open + 1..).unwrap_or_default();
    for part in list.split([',', '}', '>']) {
        let key = part.trim();
        let start = from + part.find(key).unwrap_or_default();
        if !key.is_empty() && key.chars().all(|c| is_key_char(c) || c == '*') {
            uses.push(KeyUse {
                key: key.to_owned(),
                range: start..start + key.len(),
                is_certain: true,
            });
        }
        from += part.len() + 1;
    }
    uses
}

/// The keys of `\nocite`, of which the reader of TeX keeps no places.
fn tex_nocite(text: &str) -> Vec<KeyUse> {
    let mut uses = Vec::new();
    for (at, command) in text.match_indices("\\nocite") {
        let before = text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_comment = line.replace("\\%", "").contains('%');
        let rest = text.get(at..).unwrap_or_default();
        let Some(end) = rest.find('}').filter(|_| !is_comment) else {
            continue;
        };
        if rest
            .get(command.len()..)
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
        {
            uses.extend(listed_keys(text, at..at + end + 1));
        }
    }
    uses
}

/// The keys of `nocite` in the front matter of Markdown.
fn nocite(text: &str) -> Vec<KeyUse> {
    let Some(start) = text.find("\nnocite:").filter(|_| text.starts_with("---")) else {
        return Vec::new();
    };
    let from = start + "\nnocite:".len();
    let rest = text.get(from..).unwrap_or_default();
    let mut end = rest.len();
    let mut at = 0;
    for (n, line) in rest.split_inclusive('\n').enumerate() {
        if n > 0 && !line.starts_with([' ', '\t', '@']) {
            end = at;
            break;
        }
        at += line.len();
    }
    at_keys(text, from..from + end)
}

/// What follows each `@` of a range.
fn at_keys(text: &str, range: Range<usize>) -> Vec<KeyUse> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let mut uses = Vec::new();
    for (at, _) in inside.match_indices('@') {
        let behind = inside.get(at + 1..).unwrap_or_default();
        let word = behind.split(|c| !is_key_char(c) && c != '*').next();
        let key = word
            .unwrap_or_default()
            .trim_end_matches(['.', ':', '/', '-']);
        if !key.is_empty() {
            let start = range.start + at + 1;
            uses.push(KeyUse {
                key: key.to_owned(),
                range: start..start + key.len(),
                is_certain: true,
            });
        }
    }
    uses
}

pub fn is_key_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '+')
}

/// Org: `[cite/t:see @key p. 3; @other]`, and the links of org-ref, `citep:key,other` and `cite:see &key`.
fn org_uses(text: &str) -> Vec<KeyUse> {
    let mut uses = Vec::new();
    let mut at = 0;
    let mut in_block = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start().to_ascii_lowercase();
        if bare.starts_with("#+begin_src") || bare.starts_with("#+begin_example") {
            in_block = true;
        } else if bare.starts_with("#+end_") {
            in_block = false;
        }
        if in_block || bare.starts_with("# ") {
            continue;
        }
        org_line(text, start..at, &mut uses);
    }
    uses
}

fn org_line(text: &str, range: Range<usize>, uses: &mut Vec<KeyUse>) {
    let line = text.get(range.clone()).unwrap_or_default();
    for (found, _) in line.match_indices("cite") {
        let behind = line.get(found + 4..).unwrap_or_default();
        let is_bracket = line
            .get(..found)
            .is_some_and(|before| before.ends_with('['));
        let head = behind.split(':').next().unwrap_or_default();
        let is_head = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '*');
        if head.len() == behind.len() || !head.chars().all(is_head) {
            continue;
        }
        let from = range.start + found + 4 + head.len() + 1;
        if is_bracket {
            // A citation may go on in the next lines.
            let rest = text.get(from..).unwrap_or_default();
            let length = rest.find([']', '[']).unwrap_or_default();
            uses.extend(at_keys(text, from..from + length));
            continue;
        }
        let rest = text.get(from..range.end).unwrap_or_default();
        let length = rest.find([' ', ']', '\n', '\r']).unwrap_or(rest.len());
        let mut at = from;
        for part in text
            .get(from..from + length)
            .unwrap_or_default()
            .split([',', ';'])
        {
            let key = part
                .trim_start_matches('&')
                .trim_end_matches(['.', ')', ':']);
            let start = at + part.len() - part.trim_start_matches('&').len();
            if !key.is_empty() && key.chars().all(is_key_char) {
                uses.push(KeyUse {
                    key: key.to_owned(),
                    range: start..start + key.len(),
                    is_certain: true,
                });
            }
            at += part.len() + 1;
        }
    }
}

/// The beginning of a key before the cursor, if a key is written there.
pub fn begun_key(name: &str, text: &str, offset: usize) -> Option<Range<usize>> {
    const MAX_BEFORE: usize = 2_000;
    let mut from = offset.saturating_sub(MAX_BEFORE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..offset)?;
    let word = before.trim_end_matches(is_key_char);
    let start = from + word.len();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_open = match extension {
        "tex" | "latex" | "ltx" => in_tex_argument(word),
        "org" => after_at(word) || org_link(word),
        "bib" => in_field_of_keys(word),
        "typ" => after_at(word) || word.trim_end_matches(' ').ends_with("#cite(<"),
        _ => after_at(word) || in_role(word),
    };
    is_open.then_some(start..offset)
}

/// Behind `@`, which does not follow a word as in an address.
fn after_at(before: &str) -> bool {
    let Some(before) = before.strip_suffix('@') else {
        return false;
    };
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Behind `` {cite:t}` `` of MyST, or a comma in it.
fn in_role(before: &str) -> bool {
    let Some((head, inside)) = before.rsplit_once('`') else {
        return false;
    };
    let is_list = |c: char| is_key_char(c) || matches!(c, ',' | ' ');
    let role = head.rsplit_once('{').map_or("", |(_, role)| role);
    role.starts_with("cite") && role.ends_with('}') && inside.chars().all(is_list)
}

/// In the argument of a command that cites: `\parencite[3]{a, `.
fn in_tex_argument(before: &str) -> bool {
    let Some((head, inside)) = before.rsplit_once('{') else {
        return false;
    };
    let is_list = |c: char| is_key_char(c) || matches!(c, ',' | '*') || c.is_whitespace();
    if !inside.chars().all(is_list) {
        return false;
    }
    let mut head = head.trim_end();
    while let Some(rest) = head.strip_suffix(']') {
        let Some((rest, _)) = rest.rsplit_once('[') else {
            return false;
        };
        head = rest.trim_end();
    }
    // The arguments before it of \cites.
    if let Some(rest) = head.strip_suffix('}')
        && let Some((rest, _)) = rest.rsplit_once('{')
    {
        head = rest;
    }
    let Some((_, command)) = head.trim_end_matches('*').rsplit_once('\\') else {
        return false;
    };
    let is_name = command
        .chars()
        .all(|c| c.is_ascii_alphabetic() || c == '[' || c == ']');
    is_name && command.to_ascii_lowercase().contains("cite")
}

/// In a field of BibTeX that names entries.
fn in_field_of_keys(before: &str) -> bool {
    let Some((head, inside)) = before.rsplit_once(['{', '"']) else {
        return false;
    };
    let is_list = |c: char| is_key_char(c) || matches!(c, ',' | ' ');
    let head = head.trim_end();
    let Some(head) = head.strip_suffix('=') else {
        return false;
    };
    let field = head
        .trim_end()
        .rsplit(|c: char| !c.is_ascii_alphabetic())
        .next();
    let field = field.unwrap_or_default().to_ascii_lowercase();
    inside.chars().all(is_list) && KEY_FIELDS.contains(&field.as_str())
}

/// The fields of BibTeX and biblatex that name other entries.
pub const KEY_FIELDS: [&str; 5] = ["crossref", "xref", "xdata", "related", "entryset"];

/// Behind the colon or a comma of a link of org-ref.
fn org_link(before: &str) -> bool {
    let word = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let word = word.trim_end_matches('&');
    let (head, list) = word.split_once(':').unwrap_or_default();
    head.contains("cite")
        && !head.contains('[')
        && list
            .chars()
            .all(|c| is_key_char(c) || matches!(c, ',' | '&'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &[&str]) {
        let found = key_uses(name, text);
        let keys: Vec<&str> = found.iter().map(|found| found.key.as_str()).collect();
        assert_eq!(keys, expected, "{text}");
        for found in &found {
            assert_eq!(text.get(found.range.clone()), Some(found.key.as_str()));
        }
    }

    #[test]
    fn keys_have_their_places() {
        check(
            "a.md",
            "---\nnocite: |\n  @n1, @n2\nx: y\n---\nÄ [see @a-b, p. 3; -@c] and @d says `[@code]`, {cite:t}`e,f`.\n",
            &["n1", "n2", "a-b", "c", "d", "e", "f"],
        );
        check(
            "a.tex",
            "\\begin{document}\\citep[see][3]{a,b} % \\cite{x}\n\\textcites{c}{d}\\nocite{e, f}\\end{document}",
            &["a", "b", "c", "d", "e", "f"],
        );
        check(
            "a.typ",
            "Was @a[p. 3] and #cite(<b>).\n#bibliography(\"r.bib\")\n",
            &["a", "b"],
        );
        check(
            "a.org",
            "See [cite/t:see @a p. 3;\n@b] and citep:c,d, cite:&e.\n#+begin_src\n[cite:@x]\n#+end_src\n# cite:y\n",
            &["a", "b", "c", "d", "e"],
        );
    }

    #[test]
    fn begun_keys_are_found() {
        let check = |name: &str, text: &str, expected: Option<&str>| {
            let found = begun_key(name, text, text.len());
            assert_eq!(
                found.and_then(|range| text.get(range)),
                expected,
                "{name}: {text}"
            );
        };
        check("a.md", "see [@you", Some("you"));
        check("a.md", "mail a@you", None);
        check("a.md", "{cite:t}`a,b", Some("b"));
        check("a.md", "`a,b", None);
        check("a.tex", "\\parencite[see][3]{a, yo", Some("yo"));
        check("a.tex", "\\autocites{a}{b", Some("b"));
        check("a.tex", "\\cite{a} and \\emph{b", None);
        check("a.typ", "#cite(<y", Some("y"));
        check("a.org", "[cite:@a;@b", Some("b"));
        check("a.org", "citep:a,b", Some("b"));
        check("r.bib", "  crossref = {a", Some("a"));
        check("r.bib", "  title = {a", None);
    }
}
