//! Plain text: unformatted text on one line, blocks separated by a blank.

use super::{Mark, Rich};

/// Writes one citation or entry.
pub fn write(rich: &Rich) -> String {
    let mut out = String::with_capacity(rich.text.len() + 8);
    let mut from = 0;
    for (at, mark) in &rich.marks {
        let at = *at as usize;
        if let Mark::Open(shape) = mark
            && shape.is_block()
        {
            out.push_str(rich.text.get(from..at).unwrap_or_default());
            from = at;
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        }
    }
    out.push_str(rich.text.get(from..).unwrap_or_default());
    let out = out.trim();
    if out.contains('\n') {
        out.replace('\n', " ")
    } else {
        out.to_owned()
    }
}
