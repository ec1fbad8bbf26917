//! LaTeX as plain text.

use citation_model::lists::words;

use citation_fields::latex::plain;
use citation_model::lookahead::Lookahead;

use super::syntax::after_argument;

/// LaTeX as plain printed text.
pub(crate) fn printed(text: &str, ahead: &Lookahead<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '%']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        rest = match behind.strip_prefix('%') {
            Some(comment) => {
                let end = comment.find('\n').map_or(comment.len(), |end| end + 1);
                comment.get(end..).unwrap_or_default()
            }
            None => command(behind, &mut out, ahead),
        };
    }
    out.push_str(rest);
    without_commands(&plain(&out))
}

/// Commands that print their last argument, and the number of arguments before it.
const LAST_ARGUMENT_PRINTED: [(&str, usize); 14] = [
    ("href", 1),
    ("bibinfo", 1),
    ("bibfield", 1),
    ("bibfnamefont", 0),
    ("bibnamefont", 0),
    ("citenamefont", 0),
    ("natexlab", 0),
    ("BIBforeignlanguage", 1),
    ("foreignlanguage", 1),
    ("textcolor", 1),
    ("Eprint", 1),
    ("enquote", 0),
    ("doi", 0),
    ("url", 0),
];

/// Commands that print nothing, with their number of arguments.
const UNPRINTED: [(&str, usize); 8] = [
    ("bibAnnoteFile", 1),
    ("label", 1),
    ("hskip", 0),
    ("Eprint", 0),
    ("providecommand", 2),
    ("bibAnnote", 2),
    ("SelectLanguage", 1),
    ("selectlanguage", 1),
];

/// Commands that change the font or only have a meaning for LaTeX; those of `BIB…` and `Bibitem…` too.
const WITHOUT_TEXT: [&str; 13] =
    words("urlprefix urlstyle relax bibnodot em it bf sc rm sl tt bgroup egroup");

/// The text of spaces and marks.
fn text_of(name: &str) -> Option<&'static str> {
    match name {
        "newblock" | "par" | "quad" | "qquad" | "space" | "bibinitdelim" | "bibnamedelima"
        | "bibnamedelimb" | "bibnamedelimc" | "bibnamedelimd" | "bibnamedelimi" => Some(" "),
        "bibrangedash" => Some("--"),
        "bibinitperiod" => Some("."),
        _ => None,
    }
}

/// Writes the command at the start of a text, if it is unknown or printed; returns what follows.
fn command<'a>(text: &'a str, out: &mut String, ahead: &Lookahead<'_>) -> &'a str {
    let name_end = text
        .get(1..)
        .and_then(|name| name.find(|c: char| !c.is_ascii_alphabetic()))
        .map_or(text.len(), |end| end + 1);
    let name = text.get(1..name_end).unwrap_or_default();
    if name.is_empty() {
        // `\&`, `\"o`
        let length = 1 + text.chars().nth(1).map_or(0, char::len_utf8);
        out.push_str(text.get(..length).unwrap_or_default());
        return text.get(length..).unwrap_or_default();
    }
    let rest = text.get(name_end..).unwrap_or_default();
    let count_in = |table: &[(&str, usize)]| {
        let row = table.iter().find(|(known, _)| *known == name);
        row.map(|(_, count)| *count)
    };
    if let Some(count) = count_in(&LAST_ARGUMENT_PRINTED) {
        // The braces of the last argument stay as a group.
        return after_arguments(rest, count, ahead).trim_start();
    }
    if let Some(count) = count_in(&UNPRINTED) {
        return after_arguments(rest, count, ahead);
    }
    if let Some(printed) = text_of(name) {
        out.push_str(printed);
        return rest.strip_prefix("{}").unwrap_or(rest).trim_start();
    }
    // A penalty is a number terminated by one blank.
    if name == "penalty" {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        return behind.strip_prefix(' ').unwrap_or(behind);
    }
    if name.starts_with("BIB") || name.starts_with("Bibitem") || WITHOUT_TEXT.contains(&name) {
        return rest.trim_start();
    }
    out.push_str(text.get(..name_end).unwrap_or_default());
    rest
}

fn after_arguments<'t>(text: &'t str, count: usize, ahead: &Lookahead<'_>) -> &'t str {
    (0..count).fold(text, |rest, _| after_argument(rest, ahead))
}

/// A text without unknown commands.
fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{', '}']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let length = match behind.strip_prefix('\\') {
            Some(name) => {
                let end = name.find(|c: char| !c.is_ascii_alphabetic());
                1 + end.unwrap_or(name.len())
            }
            None => 1,
        };
        rest = behind.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    let words: Vec<&str> = out.split_whitespace().collect();
    words.join(" ").replace(" ,", ",").replace(" .", ".")
}
