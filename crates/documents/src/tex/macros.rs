//! Macros of the document that cite: `\newcommand{\refer}[2]{\cite[#2]{#1}}`.

use citation_model::lookahead::Lookahead;

use super::cite::{cites, is_cite};
use super::reader::{CommandSite, TexReader};
use crate::document::{CitationFrame, ManuscriptCitation};
use crate::latex::syntax::{behind_options, braced, bracketed, skip_blank};

/// The longest text that a call of a macro may stand for, in bytes.
const MAX_EXPANSION: usize = 20_000;

/// Maximum arguments of a macro in TeX.
const MAX_ARGUMENTS: usize = 9;

/// A definition, and where it lies in the text that it starts.
pub(super) struct Definition<'t> {
    name: &'t str,
    /// The number of arguments; `None` if their form is not read.
    arguments: Option<usize>,
    /// The value of an optional first argument.
    default: Option<&'t str>,
    body: &'t str,
    /// The position of the body, and the length of the definition.
    pub body_start: usize,
    pub length: usize,
}

/// A macro that cites what its arguments name.
#[derive(Clone, Debug)]
pub(super) struct CitingMacro {
    arguments: Option<usize>,
    default: Option<String>,
    body: String,
}

impl<'t> Definition<'t> {
    /// `{\name}[2][default]{body}` of `\newcommand`.
    pub fn newcommand(text: &'t str, ahead: &Lookahead<'_>) -> Option<Definition<'t>> {
        let rest = text.trim_start_matches(['*', ' ']);
        let (name, rest) = named(rest, ahead)?;
        let rest = skip_blank(rest);
        let (arguments, rest) = match bracketed(rest, ahead) {
            Some(count) => (
                count.trim().parse().ok(),
                skip_blank(rest.get(count.len() + 2..)?),
            ),
            None => (Some(0), rest),
        };
        let default = bracketed(rest, ahead);
        let body = behind_options(rest, ahead);
        Definition::new(text, name, arguments, default, body, ahead)
    }

    /// `{\name}{m m}{body}` of `\NewDocumentCommand`.
    pub fn document_command(text: &'t str, ahead: &Lookahead<'_>) -> Option<Definition<'t>> {
        let (name, rest) = named(text.trim_start(), ahead)?;
        let rest = skip_blank(rest);
        let form = braced(rest, ahead)?;
        let letters: String = form.split_whitespace().collect();
        let arguments = { letters.chars().all(|c| c == 'm') }.then_some(letters.len());
        let rest = skip_blank(rest.get(form.len() + 2..)?);
        Definition::new(text, name, arguments, None, rest, ahead)
    }

    /// `\name#1#2{body}` of `\def`.
    pub fn def(text: &'t str, ahead: &Lookahead<'_>) -> Option<Definition<'t>> {
        let (name, rest) = named(text.trim_start(), ahead)?;
        let body = near(rest).find('{')?;
        let (form, rest) = rest.split_at(body);
        let count = form.matches('#').count();
        let plain: String = (1..=count.min(MAX_ARGUMENTS))
            .map(|n| format!("#{n}"))
            .collect();
        let arguments = (plain == form.trim()).then_some(count);
        Definition::new(text, name, arguments, None, rest, ahead)
    }

    fn new(
        text: &'t str,
        name: &'t str,
        arguments: Option<usize>,
        default: Option<&'t str>,
        body: &'t str,
        ahead: &Lookahead<'_>,
    ) -> Option<Definition<'t>> {
        let inside = braced(body, ahead)?;
        let body_start = text.len() - body.len() + 1;
        Some(Definition {
            name: name.trim().trim_start_matches('\\'),
            arguments: arguments.filter(|count| *count <= MAX_ARGUMENTS),
            default,
            body: inside,
            body_start,
            length: body_start + inside.len() + 1,
        })
    }

    /// Whether the body cites what the arguments name.
    fn cites_arguments(&self, ahead: &Lookahead<'_>) -> bool {
        { commands(self.body) }
            .filter(|(_, name, _)| is_cite(name))
            .filter_map(|(.., arguments)| braced(behind_options(arguments, ahead), ahead))
            .any(|keys| keys.contains('#'))
    }
}

/// `{\name}` or `\name`, and the text behind.
fn named<'t>(text: &'t str, ahead: &Lookahead<'_>) -> Option<(&'t str, &'t str)> {
    if let Some(name) = braced(text, ahead) {
        return Some((name, text.get(name.len() + 2..)?));
    }
    let rest = text.strip_prefix('\\')?;
    let letters = rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '@'));
    let end = letters.unwrap_or(rest.len()).max(1);
    text.split_at_checked(end + 1)
}

/// The commands of a text: their positions, names, and the text behind the names.
fn commands(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.match_indices('\\').map(|(at, _)| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let end = behind
            .find(|c: char| !(c.is_ascii_alphabetic() || c == '@'))
            .unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        (at, name, rest)
    })
}

impl TexReader<'_> {
    /// Reads a definition. A macro that cites its arguments cites where it is called; keys in the body are
    /// cited in the definition. Returns the bytes that are not read again.
    pub fn define(&mut self, definition: Option<Definition<'_>>, site: &CommandSite) -> usize {
        let Some(definition) = definition else {
            return 0;
        };
        let names = commands(definition.body).map(|(_, name, _)| name.to_owned());
        self.used.extend(names);
        let includes = |(_, name, arguments): (usize, &str, &str)| {
            let is_include = matches!(
                name,
                "input" | "include" | "subfile" | "import" | "subimport"
            );
            is_include
                && braced(arguments, &self.ahead).is_some_and(|argument| argument.contains('#'))
        };
        if commands(definition.body).any(includes) {
            self.including.insert(definition.name.to_owned());
        }
        if definition.cites_arguments(&self.ahead) {
            let citing = CitingMacro {
                arguments: definition.arguments,
                default: definition.default.map(str::to_owned),
                body: definition.body.to_owned(),
            };
            self.macros.insert(definition.name.to_owned(), citing);
            return definition.length;
        }
        for (at, name, arguments) in commands(definition.body).filter(|(_, name, _)| is_cite(name))
        {
            let start = site.arguments + definition.body_start + at;
            let inner = CommandSite {
                start,
                arguments: start + 1 + name.len(),
                ..site.clone()
            };
            let citation = self.keyed.citations.len();
            self.cite(name, arguments, &inner);
            if self.keyed.citations.len() > citation {
                let owner = definition.name.to_owned();
                self.defined.push((owner, citation));
            }
        }
        definition.length
    }

    /// The call of a macro that cites: what it writes around its citation stays around it.
    pub fn call(&mut self, citing: &CitingMacro, arguments: &str, site: &CommandSite) -> usize {
        match citing.citation(arguments, &self.ahead) {
            Some((mut citation, used)) => {
                citation.place = site.place.clone();
                citation.span = Some(site.file.span(site.start..site.arguments + used));
                self.keyed.citations.push(citation);
                used
            }
            None => {
                self.keyed.add_unread_markup(&site.text, &site.place);
                0
            }
        }
    }
}

impl CitingMacro {
    /// The citation of a call, if the body has one command that cites, and the length of the arguments.
    fn citation(
        &self,
        arguments: &str,
        ahead: &Lookahead<'_>,
    ) -> Option<(ManuscriptCitation, usize)> {
        let mut body = self.body.clone();
        let mut rest = arguments;
        for n in 1..=self.arguments? {
            let value = match (&self.default, n) {
                (Some(default), 1) => match bracketed(rest, ahead) {
                    Some(given) => {
                        rest = rest.get(given.len() + 2..)?;
                        given.to_owned()
                    }
                    None => default.clone(),
                },
                _ => {
                    rest = skip_blank(rest);
                    let given = braced(rest, ahead)?;
                    rest = rest.get(given.len() + 2..)?;
                    given.to_owned()
                }
            };
            body = body.replace(&format!("#{n}"), &value);
            ahead.spend(body.len());
            if body.len() > MAX_EXPANSION {
                return None;
            }
        }
        let mut citing = commands(&body).filter(|(_, name, _)| is_cite(name));
        let ((at, name, behind), None) = (citing.next()?, citing.next()) else {
            return None;
        };
        let (items, used) = cites(name, behind, ahead);
        if items.is_empty() {
            return None;
        }
        let citation = ManuscriptCitation {
            items,
            text: body.clone(),
            frame: CitationFrame {
                before: body.get(..at)?.to_owned(),
                after: behind.get(used..)?.to_owned(),
            },
            ..ManuscriptCitation::default()
        };
        Some((citation, arguments.len() - rest.len()))
    }
}

/// The start of a text, which contains the body of a definition.
fn near(text: &str) -> &str {
    const LOOKED_AT: usize = 200;
    text.get(..text.floor_char_boundary(LOOKED_AT))
        .unwrap_or(text)
}
