//! The tags of HTML in a text, and the elements whose content is no text.

use std::collections::HashMap;

use citation_model::lookahead::Lookahead;

/// Elements whose content is shown as it is, or not at all.
const VERBATIM: [&str; 9] = [
    "pre", "code", "script", "style", "textarea", "title", "svg", "math", "xmp",
];

/// Maximum length of a tag, in bytes.
const MAX_TAG: usize = 20_000;

pub(crate) struct Tags<'t> {
    text: &'t str,
    ahead: &'t Lookahead<'t>,
    /// The ends of the closing tags of each verbatim element.
    closings: HashMap<&'static str, Vec<usize>>,
    /// The ends of comments.
    comments: Vec<usize>,
}

impl<'t> Tags<'t> {
    pub fn new(text: &'t str, ahead: &'t Lookahead<'t>) -> Tags<'t> {
        let mut closings: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, _) in text.match_indices("</") {
            let rest = text.get(at + 2..).unwrap_or_default();
            if let Some((name, behind)) = element(rest)
                && let Some(length) = behind.trim_start().strip_prefix('>')
            {
                let end = text.len() - length.len();
                closings.entry(name).or_default().push(end);
            }
        }
        let comments = text.match_indices("-->").map(|(at, _)| at + 3).collect();
        Tags {
            text,
            ahead,
            closings,
            comments,
        }
    }

    /// The end of what begins at a `<` and is no text: a tag, a comment, a verbatim element.
    pub fn end(&self, at: usize) -> Option<usize> {
        let after = |ends: &[usize], from: usize| {
            ends.get(ends.partition_point(|end| *end < from)).copied()
        };
        let rest = self.text.get(at..)?;
        if rest.starts_with("<!--") {
            return after(&self.comments, at + 7);
        }
        let inside = rest.strip_prefix('<')?;
        let is_tag = |c: char| c.is_ascii_alphabetic() || "/!?".contains(c);
        if !inside.starts_with(is_tag) {
            return None;
        }
        let end = at + 2 + self.ahead.find(inside, MAX_TAG, tag_end)?;
        let verbatim = element(inside).and_then(|(name, behind)| {
            let is_name = behind.starts_with(|c: char| c.is_whitespace() || c == '>');
            self.closings.get(name).filter(|_| is_name)
        });
        let is_empty = self.text.get(..end)?.ends_with("/>");
        match verbatim.filter(|_| !is_empty) {
            Some(ends) => after(ends, end).or(Some(end)),
            None => Some(end),
        }
    }
}

/// The verbatim element at the start of a text, and what follows its name.
fn element(text: &str) -> Option<(&'static str, &str)> {
    VERBATIM.iter().find_map(|name| {
        let own = text.get(..name.len())?;
        let is_name = own.eq_ignore_ascii_case(name);
        let behind = text.get(name.len()..)?;
        let is_whole = !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
        (is_name && is_whole).then_some((*name, behind))
    })
}

/// The position of the `>` of a tag: one in the value of an attribute is none.
fn tag_end(inside: &str) -> Option<usize> {
    let (mut quote, mut is_value) = (None, false);
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '>') => return Some(at),
            (None, '"' | '\'') if is_value => quote = Some(c),
            _ => {}
        }
        is_value = c == '=' || is_value && c.is_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use citation_model::budget::Budget;

    use super::*;

    #[test]
    fn tags_and_verbatim_elements_end() {
        let check = |text: &str, expected: Option<&str>| {
            let budget = Budget::unlimited();
            let ahead = Lookahead::new(text.len(), &budget);
            let end = Tags::new(text, &ahead).end(0);
            assert_eq!(end.and_then(|end| text.get(..end)), expected, "{text}");
        };
        check("<a title=\"a > b\">c", Some("<a title=\"a > b\">"));
        check("<pre>a <b> </pre>c", Some("<pre>a <b> </pre>"));
        check("<CODE class=x>a</code >c", Some("<CODE class=x>a</code >"));
        check("<codes>a</code>", Some("<codes>"));
        check("<pre>a", Some("<pre>"));
        check("<!-- a > b --> c", Some("<!-- a > b -->"));
        check("<https://a.org/it's> b", Some("<https://a.org/it's>"));
        check("< 3", None);
        check("<a", None);
    }
}
