//! Commands and their arguments.

use citation_model::lookahead::Lookahead;

/// The positions of the commands with these names.
pub(super) fn commands<'a>(text: &'a str, names: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    text.match_indices('\\')
        .map(|(at, _)| at)
        .filter(move |at| {
            let rest = text.get(at + 1..).unwrap_or_default();
            names.iter().any(|name| {
                rest.strip_prefix(name)
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            })
        })
}

/// The content of the braces at the start of a text.
pub(crate) fn braced<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    enclosed(text, '{', '}', ahead)
}

/// The content of the square brackets at the start of a text.
pub(crate) fn bracketed<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    enclosed(text, '[', ']', ahead)
}

/// The longest real argument, in bytes: the authors of a work in biber's output.
const MAX_ARGUMENT: usize = 200_000;

fn enclosed<'t>(text: &'t str, open: char, close: char, ahead: &Lookahead<'_>) -> Option<&'t str> {
    let inside = text.strip_prefix(open)?;
    let end = ahead.find(inside, MAX_ARGUMENT, |window| closing(window, open, close))?;
    inside.get(..end)
}

/// The offset of the end of an argument.
fn closing(inside: &str, open: char, close: char) -> Option<usize> {
    let (mut braces, mut own) = (0_usize, 0_usize);
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == close && braces == 0 && own == 0 => return Some(at),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            c if c == open => own += 1,
            c if c == close && braces == 0 => own = own.saturating_sub(1),
            _ => {}
        }
    }
    None
}

pub(crate) fn after_argument<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    let text = text.trim_start();
    match braced(text, ahead) {
        Some(argument) => text.get(argument.len() + 2..).unwrap_or_default(),
        None => text,
    }
}

/// The text behind options.
pub(crate) fn after_options<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    let mut rest = skip_blank(text);
    while let Some(option) = bracketed(rest, ahead) {
        rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
    }
    rest
}

/// White space and the end of a line between arguments.
pub(crate) fn skip_blank(text: &str) -> &str {
    let trimmed = text.trim_start();
    let blank = text.get(..text.len() - trimmed.len()).unwrap_or_default();
    if blank.matches('\n').count() > 1 {
        text
    } else {
        trimmed
    }
}

/// The content of the angle brackets at the start of a text: `<2->` of beamer, `<see>` of apacite.
pub(crate) fn in_angle_brackets<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    const MAX_LENGTH: usize = 100;
    let inside = text.strip_prefix('<')?;
    let end = ahead.find(inside, MAX_LENGTH + 1, |window| window.find(['>', '\n']))?;
    inside
        .get(end..)?
        .starts_with('>')
        .then(|| inside.get(..end))?
}

/// The content of the parentheses at the start of a text.
pub(crate) fn in_parentheses<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<&'t str> {
    const MAX_LENGTH: usize = 2_000;
    let inside = text.strip_prefix('(')?;
    let end = ahead.find(inside, MAX_LENGTH + 1, |window| window.find(')'))?;
    inside.get(..end)
}
