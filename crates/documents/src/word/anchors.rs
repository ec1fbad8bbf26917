//! What other parts of a document need of markup that is replaced: bookmarks, comments and calls of notes; and
//! whether markup can be replaced at all.

use std::collections::HashMap;

/// Elements that mark a point or one end of a range.
const POINTS: [&str; 6] = [
    "bookmarkStart",
    "bookmarkEnd",
    "commentRangeStart",
    "commentRangeEnd",
    "permStart",
    "permEnd",
];

/// Calls of comments and notes, which are in runs.
const CALLS: [&str; 3] = ["commentReference", "footnoteReference", "endnoteReference"];

/// A tag of markup that need not be well-formed as a whole.
struct Tag<'a> {
    text: &'a str,
    /// With prefix.
    name: &'a str,
    kind: TagKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Open,
    Close,
    Empty,
}

impl Tag<'_> {
    fn local_name(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(self.name)
    }

    /// The attribute that joins the two ends of a range.
    fn id(&self) -> Option<&str> {
        let (_, rest) = self.text.split_once("id=\"")?;
        rest.split('"').next()
    }
}

/// The tags of markup. In XML that was read, `>` ends a tag, as Word and quick-xml escape it in values.
fn tags(markup: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = markup;
    std::iter::from_fn(move || {
        let start = rest.find('<')?;
        let end = start + rest.get(start..)?.find('>')? + 1;
        let text = rest.get(start..end)?;
        rest = rest.get(end..)?;
        let inside = text.trim_start_matches('<').trim_end_matches('>');
        let kind = match (inside.starts_with('/'), inside.ends_with('/')) {
            (true, _) => TagKind::Close,
            (_, true) => TagKind::Empty,
            _ => TagKind::Open,
        };
        let name = inside.trim_matches('/').split_whitespace().next();
        Some(Tag {
            text,
            name: name.unwrap_or_default(),
            kind,
        })
    })
}

/// The ends of elements without their starts in markup, and the starts without their ends, if they are not of
/// the same elements.
#[derive(Debug, Default, PartialEq, Eq)]
struct Nesting<'a> {
    closed: Vec<&'a str>,
    open: Vec<&'a str>,
}

impl Nesting<'_> {
    fn of(markup: &str) -> Nesting<'_> {
        let mut nesting = Nesting::default();
        for tag in tags(markup) {
            match tag.kind {
                TagKind::Open if !tag.name.starts_with(['?', '!']) => nesting.open.push(tag.name),
                TagKind::Close if nesting.open.pop().is_none() => nesting.closed.push(tag.name),
                _ => {}
            }
        }
        let ends = nesting.closed.iter().rev().zip(&nesting.open);
        let common = ends.take_while(|(closed, open)| closed == open).count();
        nesting.closed.truncate(nesting.closed.len() - common);
        nesting.open.drain(..common);
        nesting
    }
}

/// Whether one markup can stand in the place of another: not if only one end of an element, such as a tracked
/// insertion, is in it.
pub(crate) fn is_replaceable(old: &str, new: &str) -> bool {
    Nesting::of(old) == Nesting::of(new)
}

/// The elements of replaced markup that others refer to, without those that the new markup has.
pub(super) fn anchors(old: &str, new: &str, prefix: &str) -> String {
    let mut kept = String::new();
    for tag in tags(old).filter(|tag| tag.kind == TagKind::Empty && !new.contains(tag.text)) {
        if POINTS.contains(&tag.local_name()) {
            kept.push_str(tag.text);
        } else if CALLS.contains(&tag.local_name()) {
            kept.push_str(&format!("<{prefix}r>{}</{prefix}r>", tag.text));
        }
    }
    kept
}

/// The ends of ranges in markup whose other end is elsewhere.
pub(super) fn half_ranges(old: &str) -> String {
    let points: Vec<Tag<'_>> = tags(old)
        .filter(|tag| tag.kind == TagKind::Empty && POINTS.contains(&tag.local_name()))
        .collect();
    let range = |tag: &Tag<'_>| {
        let name = tag.local_name();
        let kind = name.trim_end_matches("Start").trim_end_matches("End");
        format!("{kind} {}", tag.id().unwrap_or_default())
    };
    let mut ends: HashMap<String, usize> = HashMap::new();
    for tag in &points {
        *ends.entry(range(tag)).or_default() += 1;
    }
    let is_half = |tag: &&Tag<'_>| ends.get(&range(tag)).is_none_or(|count| *count < 2);
    points.iter().filter(is_half).map(|tag| tag.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_an_element_is_not_replaced() {
        let check = |old: &str, expected: bool| {
            assert_eq!(
                is_replaceable(old, "<w:r><w:t>a</w:t></w:r>"),
                expected,
                "{old}"
            );
        };
        check(
            "<w:r/><w:ins w:id=\"1\"><w:r><w:t>b</w:t></w:r></w:ins>",
            true,
        );
        check("<w:r/><w:ins w:id=\"1\"><w:r/>", false);
        check("<w:r/></w:ins><w:r/>", false);
        check("<w:r/></w:ins><w:r/><w:ins w:id=\"2\"><w:r/>", true);
        assert!(is_replaceable("</w:r><w:r a=\"b\">", "</w:r><w:r/><w:r>"));
    }

    #[test]
    fn anchors_are_kept() {
        let old = "<w:bookmarkStart w:id=\"1\"/><w:r><w:t>a</w:t><w:commentReference w:id=\"4\"/></w:r><w:bookmarkStart w:id=\"2\"/><w:bookmarkEnd w:id=\"2\"/>";
        assert_eq!(
            anchors(old, "", "w:"),
            "<w:bookmarkStart w:id=\"1\"/><w:r><w:commentReference w:id=\"4\"/></w:r><w:bookmarkStart w:id=\"2\"/><w:bookmarkEnd w:id=\"2\"/>"
        );
        assert_eq!(anchors(old, old, "w:"), "");
        assert_eq!(half_ranges(old), "<w:bookmarkStart w:id=\"1\"/>");
    }
}
