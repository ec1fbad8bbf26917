//! The tokens of every kind of manuscript, which the modules of the formats declare.

use crate::format::ManuscriptFormat;
#[cfg(feature = "pdf")]
use crate::pdf;
use crate::{docx, html, markdown, odt, rtf, tex, text, typst};

/// What files of a format are made of: tests repeat and combine these tokens, so that no text costs more than
/// its length. Those of packages are of the part with the text.
pub fn tokens(format: ManuscriptFormat) -> &'static [&'static str] {
    match format {
        ManuscriptFormat::Docx => docx::TOKENS,
        ManuscriptFormat::Odt => odt::TOKENS,
        ManuscriptFormat::Tex => tex::TOKENS,
        ManuscriptFormat::Markdown => markdown::TOKENS,
        ManuscriptFormat::Typst => typst::TOKENS,
        ManuscriptFormat::Html => html::TOKENS,
        ManuscriptFormat::Rtf => rtf::TOKENS,
        #[cfg(feature = "pdf")]
        ManuscriptFormat::Pdf => pdf::TOKENS,
        #[cfg(not(feature = "pdf"))]
        ManuscriptFormat::Pdf => &[],
        ManuscriptFormat::Text => text::TOKENS,
    }
}
