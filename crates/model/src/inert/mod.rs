//! Text written for TeX, a terminal, a table or a link, with nothing active in it. Every writer of one of these
//! uses the functions here, so that no field of an item runs where a file is opened or a line is shown.

pub mod link;
pub mod table;
pub mod terminal;
pub mod tex;

/// Whether a character is shown as nothing and changes how others are shown or compared: controls (C0, DEL, C1),
/// marks of direction, separators of lines, and other format characters of Unicode (general category Cf).
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
