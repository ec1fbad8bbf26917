//! Commands and their arguments.

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
pub(crate) fn braced(text: &str) -> Option<&str> {
    enclosed(text, '{', '}')
}

/// The content of the square brackets at the start of a text.
pub(crate) fn bracketed(text: &str) -> Option<&str> {
    enclosed(text, '[', ']')
}

fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    /// The longest real case: the authors of a work in biber's output.
    const LONGEST: usize = 100_000;
    let inside = text.strip_prefix(open)?;
    let (mut braces, mut own) = (0_usize, 0_usize);
    let mut is_escaped = false;
    for (at, c) in inside.char_indices().take(LONGEST) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == close && braces == 0 && own == 0 => return inside.get(..at),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            c if c == open => own += 1,
            c if c == close && braces == 0 => own = own.saturating_sub(1),
            _ => {}
        }
    }
    None
}

pub(crate) fn behind_argument(text: &str) -> &str {
    let text = text.trim_start();
    match braced(text) {
        Some(argument) => text.get(argument.len() + 2..).unwrap_or_default(),
        None => text,
    }
}

/// The text behind options.
pub(crate) fn behind_options(text: &str) -> &str {
    let mut rest = skip_blank(text);
    while let Some(option) = bracketed(rest) {
        rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
    }
    rest
}

/// White space and the end of a line between arguments.
pub(crate) fn skip_blank(text: &str) -> &str {
    let trimmed = text.trim_start();
    let blank = text.get(..text.len() - trimmed.len()).unwrap_or_default();
    match blank.matches('\n').count() > 1 {
        true => text,
        false => trimmed,
    }
}

/// The content of the angle brackets at the start of a text: `<2->` of beamer, `<see>` of apacite.
pub(crate) fn in_angle_brackets(text: &str) -> Option<&str> {
    const LONGEST: usize = 100;
    let inside = text.strip_prefix('<')?;
    let end = inside.find(['>', '\n']).filter(|end| *end <= LONGEST)?;
    inside
        .get(end..)?
        .starts_with('>')
        .then(|| inside.get(..end))?
}

/// The content of the parentheses at the start of a text.
pub(crate) fn in_parentheses(text: &str) -> Option<&str> {
    const LONGEST: usize = 2_000;
    let inside = text.strip_prefix('(')?;
    let end = inside.find(')').filter(|end| *end <= LONGEST)?;
    inside.get(..end)
}
