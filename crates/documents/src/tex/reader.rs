//! Reads the commands of a file and of its inputs.

use std::collections::{HashMap, HashSet};

use citation_model::budget::Budget;
use citation_model::lists::words;
use citation_model::lookahead::Lookahead;

use super::cite::{is_cite, keys};
use crate::Companions;
use crate::document::Place;
use crate::error::DocumentError;
use crate::included::IncludedFiles;
use crate::keyed::Keyed;
use crate::latex::syntax::{behind_options, braced};

/// Maximum steps to find the ends of arguments.
const CITE_STEPS: u64 = 200;

/// Environments whose text is verbatim or not printed.
const VERBATIM: [&str; 8] =
    words("verbatim verbatim* Verbatim lstlisting minted comment alltt filecontents");

pub(super) struct TexReader<'a> {
    pub companions: Companions<'a>,
    pub budget: &'a Budget,
    /// Finds the ends of arguments.
    pub ahead: Lookahead<'a>,
    pub keyed: Keyed,
    /// The document's file name without extension, also that of its `.bbl`.
    pub stem: &'a str,
    pub bibliographies: Vec<(String, Place)>,
    /// Files that the document writes itself.
    pub written: HashMap<String, String>,
    /// The document's macros that cite their first argument.
    pub macros: HashSet<String>,
    pub files: IncludedFiles,
    pub has_ended: bool,
}

impl<'a> TexReader<'a> {
    pub fn new(stem: &'a str, companions: Companions<'a>, budget: &'a Budget) -> TexReader<'a> {
        TexReader {
            companions,
            budget,
            ahead: Lookahead::new(0, budget),
            keyed: Keyed::default(),
            stem,
            bibliographies: Vec::new(),
            written: HashMap::new(),
            macros: HashSet::new(),
            files: IncludedFiles::default(),
            has_ended: false,
        }
    }

    pub fn read_file(
        &mut self,
        text: &str,
        file: Option<&str>,
        depth: usize,
    ) -> Result<(), DocumentError> {
        self.files.add(file, depth)?;
        self.budget.spend(text.len() as u64)?;
        self.ahead.add(text.len());
        let text = without_comments(text);
        let (mut at, mut line, mut counted) = (0, 1, 0);
        while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')) {
            at += next;
            self.budget.spend(2)?;
            let behind = text.get(at + 1..).unwrap_or_default();
            let name_end = behind
                .find(|c: char| !(c.is_ascii_alphabetic() || c == '@'))
                .unwrap_or(behind.len());
            let (name, arguments) = behind.split_at(name_end);
            if name.is_empty() {
                at += 1 + behind.chars().next().map_or(0, char::len_utf8);
                continue;
            }
            let passed = text.get(counted..at).unwrap_or_default();
            line += passed.matches('\n').count();
            counted = at;
            let place = Place {
                file: file.map(str::to_owned),
                ..Place::line(line)
            };
            let before = self.keyed.citations.len();
            let used = self.command(name, arguments, &place, depth)?;
            if let (None, Some(citation)) = (file, self.keyed.citations.get_mut(before)) {
                citation.span = Some(at..at + 1 + name_end + used);
            }
            if self.has_ended {
                break;
            }
            at += 1 + name_end + used;
        }
        Ok(())
    }

    /// Reads a command; returns the bytes of its arguments that must not be read again.
    fn command(
        &mut self,
        name: &str,
        arguments: &str,
        place: &Place,
        depth: usize,
    ) -> Result<usize, DocumentError> {
        let ahead = &self.ahead;
        let argument = || braced(arguments.trim_start(), ahead);
        match name {
            "nocite" => {
                for key in keys(argument().unwrap_or_default()) {
                    match key {
                        "*" => self.keyed.is_whole = true,
                        _ => self.keyed.nocite.push(key.to_owned()),
                    }
                }
            }
            "bibliography" | "nobibliography" => {
                for name in keys(argument().unwrap_or_default()) {
                    self.add_bibliography(name, place);
                }
            }
            "addbibresource" | "addglobalbib" | "addsectionbib" => {
                let rest = behind_options(arguments, ahead);
                if let Some(name) = braced(rest, ahead) {
                    self.add_bibliography(name, place);
                }
            }
            "input" | "include" | "subfile" | "subfileinclude" | "@input" => {
                let name = match argument() {
                    Some(name) => name,
                    None => word(arguments.trim_start(), ahead),
                };
                self.read_input(name.trim(), place, depth)?;
            }
            "import" | "subimport" => {
                let folder = argument().unwrap_or_default();
                let rest = arguments.trim_start().get(folder.len() + 2..);
                let name = rest
                    .and_then(|rest| braced(rest.trim_start(), ahead))
                    .unwrap_or_default();
                self.read_input(&format!("{folder}{name}"), place, depth)?;
            }
            "verb" => {
                let mark = arguments.chars().next().unwrap_or(' ');
                let inside = arguments.get(mark.len_utf8()..).unwrap_or_default();
                let end = ahead.find(inside, usize::MAX, |window| window.find([mark, '\n']));
                return Ok(mark.len_utf8() + end.unwrap_or(0));
            }
            "iffalse" => return Ok(arguments.find("\\fi").unwrap_or(arguments.len())),
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "DeclareRobustCommand"
            | "newrobustcmd" => return Ok(self.definition(arguments)),
            "def" | "gdef" | "edef" => {
                let body = near(arguments).find('{').unwrap_or(0);
                let body_text = arguments.get(body..).and_then(|body| braced(body, ahead));
                let length = body_text.map_or(0, str::len);
                return Ok(body + length);
            }
            "begin" => return self.environment(arguments, place),
            "end" if arguments.trim_start().starts_with("{document}") => {
                self.has_ended = place.file.is_none()
            }
            _ if self.macros.contains(name) || is_cite(name) => {
                self.budget.spend(CITE_STEPS)?;
                return Ok(self.cite(name, arguments, place));
            }
            _ => {}
        }
        Ok(0)
    }

    /// `\newcommand{\name}[1]{… \cite{#1} …}`: a command that cites. Definitions themselves cite nothing.
    fn definition(&mut self, arguments: &str) -> usize {
        let rest = arguments.trim_start_matches(['*', ' ']);
        let (name, rest) = match braced(rest, &self.ahead) {
            Some(name) => (name, rest.get(name.len() + 2..).unwrap_or_default()),
            None => {
                let end = near(rest).find(['[', '{']).unwrap_or(0);
                rest.split_at(end)
            }
        };
        let body = behind_options(rest, &self.ahead);
        let Some(inside) = braced(body, &self.ahead) else {
            return 0;
        };
        let compact: String = inside.split_whitespace().collect();
        if compact.contains("cite") && compact.contains("{#1}") {
            let name = name.trim().trim_start_matches('\\');
            self.macros.insert(name.to_owned());
        }
        arguments.len() - body.len() + inside.len() + 2
    }

    fn environment(&mut self, arguments: &str, place: &Place) -> Result<usize, DocumentError> {
        let name = braced(arguments.trim_start(), &self.ahead).unwrap_or_default();
        let end = || {
            arguments
                .find(&format!("\\end{{{name}}}"))
                .unwrap_or(arguments.len())
        };
        // pandoc writes the second if it has formatted the citations.
        if matches!(name, "thebibliography" | "CSLReferences") {
            let end = end();
            let list = arguments.get(..end).unwrap_or_default();
            self.add_list(list, place)?;
            return Ok(end);
        }
        if name.trim_end_matches('*') == "filecontents" {
            let end = end();
            let rest = arguments
                .trim_start()
                .get(name.len() + 2..)
                .unwrap_or_default();
            let rest = behind_options(rest, &self.ahead);
            if let Some(file) = braced(rest, &self.ahead) {
                let start = arguments.len() - rest.len() + file.len() + 2;
                let content = arguments.get(start..end).unwrap_or_default();
                self.budget.spend_bytes(content.len())?;
                self.written
                    .insert(file.trim().to_owned(), content.to_owned());
            }
            return Ok(end);
        }
        Ok(if VERBATIM.contains(&name) { end() } else { 0 })
    }

    fn read_input(&mut self, name: &str, place: &Place, depth: usize) -> Result<(), DocumentError> {
        if name.is_empty() || name.contains(['#', '\\']) {
            return Ok(());
        }
        let name = name.trim_matches('"').trim_start_matches("./");
        let with_extension = format!("{name}.tex");
        let written = |name: &str| self.written.get(name).map(|text| text.clone().into_bytes());
        let read = |name: &str| written(name).or_else(|| (self.companions)(name));
        let found = match name.contains('.') {
            true => read(name).map(|bytes| (name, bytes)),
            false => None,
        };
        let found = found.or_else(|| Some((with_extension.as_str(), read(&with_extension)?)));
        let Some((name, bytes)) = found else {
            // Style files and figures are also included.
            if !name.contains('.') {
                self.keyed.missing.push((with_extension, place.clone()));
            }
            return Ok(());
        };
        let (text, _) = citation_exchange::decode(&bytes);
        self.budget.spend_bytes(text.len())?;
        self.read_file(&text, Some(name), depth + 1)
    }
}

/// The start of a text, which contains the body of a definition.
fn near(text: &str) -> &str {
    const LOOKED_AT: usize = 200;
    text.get(..text.floor_char_boundary(LOOKED_AT))
        .unwrap_or(text)
}

/// The word at the start of a text: the name of a file without braces.
fn word<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    const MAX_NAME: usize = 1_000;
    let end = ahead.find(text, MAX_NAME, |window| window.find(char::is_whitespace));
    let is_short = end.is_some() || text.len() <= MAX_NAME;
    let word = text.get(..end.unwrap_or(text.len()));
    word.filter(|_| is_short).unwrap_or_default()
}

/// The text with comments blanked.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut is_escaped = false;
        let comment = line.char_indices().find(|(_, c)| {
            let found = *c == '%' && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            found
        });
        match comment {
            Some((at, _)) => {
                // Blanks keep all byte offsets.
                out.push_str(line.get(..at).unwrap_or_default());
                let end = line.trim_end_matches('\n').len();
                out.extend(std::iter::repeat_n(' ', end - at));
                out.push_str(line.get(end..).unwrap_or_default());
            }
            None => out.push_str(line),
        }
    }
    out
}
