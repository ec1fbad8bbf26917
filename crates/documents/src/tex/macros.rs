//! Macros of the document that cite: `\newcommand{\refer}[2]{\cite[#2]{#1}}`.

use citation_model::lookahead::Lookahead;

use super::cite::CiteArguments;
use super::commands::is_cite;
use super::reader::{CommandSite, TexReader};
use crate::document::{CitationFrame, ManuscriptCitation};
use crate::latex::syntax::{after_options, braced, bracketed, skip_blank};

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
        let body = after_options(rest, ahead);
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
            name: command_name(name),
            arguments: arguments.filter(|count| *count <= MAX_ARGUMENTS),
            default,
            body: inside,
            body_start,
            length: body_start + inside.len() + 1,
        })
    }
}

fn command_name(name: &str) -> &str {
    name.trim().trim_start_matches('\\')
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
        if self.cites_arguments(definition.body) {
            let citing = CitingMacro {
                arguments: definition.arguments,
                default: definition.default.map(str::to_owned),
                body: self.resolved(definition.body),
            };
            self.macros.insert(definition.name.to_owned(), citing);
            return definition.length;
        }
        for (at, name, arguments) in commands(definition.body) {
            let Some(meaning) = self.standard_name(name) else {
                continue;
            };
            let start = site.arguments + definition.body_start + at;
            let inner = CommandSite {
                start,
                arguments: start + 1 + name.len(),
                ..site.clone()
            };
            let citation = self.keyed.citations.len();
            self.cite(&meaning, arguments, &inner);
            if self.keyed.citations.len() > citation {
                let owner = definition.name.to_owned();
                self.defined.push((owner, citation));
            }
        }
        definition.length
    }

    /// The standard name of a command that cites, if it is one.
    pub fn standard_name(&self, name: &str) -> Option<String> {
        match self.aliases.get(name) {
            Some(meaning) => Some(meaning.clone()),
            None => is_cite(name).then(|| name.to_owned()),
        }
    }

    /// Whether a body cites what arguments name: its own, or those that follow the call.
    fn cites_arguments(&self, body: &str) -> bool {
        { commands(body) }
            .filter(|(_, name, _)| self.standard_name(name).is_some())
            .any(|(.., arguments)| {
                let rest = after_options(arguments.trim_start_matches('*'), &self.ahead);
                let keys = braced(rest, &self.ahead);
                keys.map_or(rest.trim().is_empty(), |keys| keys.contains('#'))
            })
    }

    /// A body with the standard names of commands that cite.
    fn resolved(&self, body: &str) -> String {
        let (mut out, mut from) = (String::with_capacity(body.len()), 0);
        for (at, name, _) in commands(body) {
            if let Some(meaning) = self.aliases.get(name) {
                out.push_str(body.get(from..at).unwrap_or_default());
                out.push_str(&format!("\\{meaning}"));
                from = at + 1 + name.len();
            }
        }
        out.push_str(body.get(from..).unwrap_or_default());
        out
    }

    /// `\let\oc\cite` and `\let\oc=\cite`. Returns the length of the arguments.
    pub fn read_let(&mut self, arguments: &str) -> usize {
        let read = || {
            let (name, rest) = named(arguments.trim_start(), &self.ahead)?;
            let rest = rest.trim_start().trim_start_matches('=').trim_start();
            let (meaning, rest) = named(rest, &self.ahead)?;
            Some((command_name(name), command_name(meaning), rest.len()))
        };
        let Some((name, meaning, rest)) = read() else {
            return 0;
        };
        self.add_alias(name, meaning);
        arguments.len() - rest
    }

    /// `\NewCommandCopy{\oc}{\cite}`
    pub fn read_copy(&mut self, arguments: &str) -> usize {
        self.read_let(arguments)
    }

    /// A name that means what another one means now.
    fn add_alias(&mut self, name: &str, meaning: &str) {
        if let Some(citing) = self.macros.get(meaning).cloned() {
            self.macros.insert(name.to_owned(), citing);
            return;
        }
        match self.standard_name(meaning) {
            Some(meaning) => {
                self.macros.remove(name);
                self.aliases.insert(name.to_owned(), meaning);
            }
            None => {
                self.aliases.remove(name);
            }
        }
    }

    /// `\newenvironment{name}[1]{\cite{#1}}{}`: a use of it is not read.
    pub fn define_environment(&mut self, arguments: &str) {
        let rest = arguments.trim_start_matches(['*', ' ']);
        let Some(name) = braced(rest, &self.ahead) else {
            return;
        };
        let mut rest = skip_blank(rest.get(name.len() + 2..).unwrap_or_default());
        for _ in 0..3 {
            rest = after_options(rest, &self.ahead);
            let Some(body) = braced(rest, &self.ahead) else {
                return;
            };
            if self.cites_arguments(body) {
                self.environments.insert(name.to_owned());
            }
            rest = skip_blank(rest.get(body.len() + 2..).unwrap_or_default());
        }
    }

    /// The call of a macro that cites: what it writes around its citation stays around it.
    pub fn call(&mut self, citing: &CitingMacro, arguments: &str, site: &CommandSite) -> usize {
        match citing.citation(arguments, &self.ahead) {
            Some((mut citation, used)) => {
                citation.place = site.place.clone();
                citation.setting = self.settings.at(site.file, site.start);
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
        let found = CiteArguments::read(name, behind, ahead)?;
        // A command at the end of the body takes the arguments that follow the call.
        let is_end = found.items.is_empty() && behind.trim().is_empty();
        let (found, behind) = if is_end {
            let given = CiteArguments::read(name, rest, ahead)?;
            rest = rest.get(given.used..)?;
            (given, "")
        } else {
            let behind = behind.get(found.used..)?;
            (found, behind)
        };
        if found.items.is_empty() {
            return None;
        }
        let citation = ManuscriptCitation {
            items: found.items,
            text: body.clone(),
            frame: CitationFrame {
                before: body.get(..at)?.to_owned(),
                after: behind.to_owned(),
            },
            form: found.command.form,
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
