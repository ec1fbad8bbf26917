//! Citations by commands of TeX, which R Markdown and pandoc hand on to natbib and biblatex: `\citep[p.~3]{doe}`.

use citation_model::lookahead::Lookahead;

use super::citations::KeyCitation;
use crate::document::{ManuscriptCitation, Place};
use crate::latex::syntax::braced;
use crate::tex::CiteArguments;

/// What a body cites by commands.
#[derive(Default)]
pub(super) struct Commands {
    pub citations: Vec<KeyCitation>,
    /// Keys that are only listed.
    pub nocite: Vec<String>,
}

/// A command that lists works without citing them.
const LISTS: &str = "nocite";

impl Commands {
    /// Reads a body; `masked` is the body with code and formulas blanked.
    pub fn read(body: &str, masked: &str, above: usize, ahead: &Lookahead<'_>) -> Commands {
        let mut commands = Commands::default();
        let (mut line, mut counted, mut end) = (0, 0, 0);
        for (at, _) in masked.match_indices('\\') {
            let rest = masked.get(at + 1..).unwrap_or_default();
            let Some(name) = name(rest).filter(|_| at >= end) else {
                continue;
            };
            let arguments_start = at + 1 + name.len();
            let arguments = body.get(arguments_start..).unwrap_or_default();
            if name == LISTS {
                let keys = braced(arguments, ahead).unwrap_or_default().split(',');
                let keys = keys.map(str::trim).filter(|key| !key.is_empty());
                commands.nocite.extend(keys.map(str::to_owned));
                continue;
            }
            let found = CiteArguments::read(name, arguments, ahead);
            let Some(found) = found.filter(|found| found.command.is_standard) else {
                continue;
            };
            if found.items.is_empty() {
                continue;
            }
            end = arguments_start + found.used;
            let passed = body.get(counted..at).unwrap_or_default();
            line += passed.matches('\n').count();
            counted = at;
            commands.citations.push(KeyCitation {
                citation: ManuscriptCitation {
                    items: found.items,
                    text: body.get(at..end).unwrap_or_default().to_owned(),
                    place: Place::line(above + line + 1),
                    form: found.command.form,
                    ..ManuscriptCitation::default()
                },
                range: at..end,
                is_bare: false,
            });
        }
        commands
    }
}

/// The name of a command that may cite, before its arguments.
fn name(text: &str) -> Option<&str> {
    const MAX_NAME: usize = 20;
    let letters = { text.bytes() }
        .take(MAX_NAME)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let name = text.get(..letters)?;
    let has_arguments = text.get(letters..)?.starts_with(['{', '[', '*']);
    (has_arguments && name.to_ascii_lowercase().contains("cite")).then_some(name)
}
