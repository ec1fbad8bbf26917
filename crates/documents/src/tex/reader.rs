//! Reads the commands of a file and of its inputs.

use std::collections::{HashMap, HashSet};

use citation_model::budget::Budget;
use citation_model::lists::words;
use citation_model::lookahead::Lookahead;

use super::cite::keys;
use super::commands::prints_field;
use super::macros::{CitingMacro, Definition};
use super::settings::Settings;
use crate::Companions;
use crate::document::{ListHeading, ListPlace, ListPlaceKind, Place};
use crate::error::DocumentError;
use crate::keyed::Keyed;
use crate::latex::syntax::{after_argument, after_options, braced};
use crate::sources::{Added, FileId, folder, joined};

/// Maximum steps to find the ends of arguments.
const CITE_STEPS: u64 = 200;

/// Environments whose text is verbatim or not printed.
const VERBATIM: [&str; 12] = words(
    "verbatim verbatim* Verbatim Verbatim* BVerbatim LVerbatim lstlisting tcblisting minted comment alltt filecontents",
);

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
    /// The document's macros that include a file named by an argument.
    pub including: HashSet<String>,
    /// The document's macros that cite what their arguments name.
    pub macros: HashMap<String, CitingMacro>,
    /// Names that the document gives to commands that cite: `\let\oc\cite`.
    pub aliases: HashMap<String, String>,
    /// The document's environments that cite what their arguments name.
    pub environments: HashSet<String>,
    /// Places other than the text that are open.
    pub settings: Settings,
    /// Whether chapters have lists of their own.
    pub has_units: bool,
    /// The names of further lists of multibib, which its commands end in.
    pub lists: Vec<String>,
    /// Macros whose definitions cite, and the positions of these citations.
    pub defined: Vec<(String, usize)>,
    /// The names of the commands of the text.
    pub used: HashSet<String>,
    /// The folder of the file that `\import` reads.
    import_folder: String,
    /// The folders of `\input@path`.
    input_folders: Vec<String>,
    /// The files of `\includeonly`.
    included_only: Option<HashSet<String>>,
    /// Whether what is read is printed: not the preamble.
    pub is_body: bool,
    ended: Option<Ended>,
}

/// What ends before its last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    File,
    Document,
}

/// Where a command stands.
#[derive(Clone)]
pub(super) struct CommandSite {
    pub file: FileId,
    pub place: Place,
    /// The position of its backslash.
    pub start: usize,
    /// The position behind its name.
    pub arguments: usize,
    /// The command itself.
    pub text: String,
}

impl<'a> TexReader<'a> {
    pub fn new(stem: &'a str, companions: Companions<'a>, budget: &'a Budget) -> TexReader<'a> {
        TexReader {
            companions,
            budget,
            ahead: Lookahead::new(0, budget),
            keyed: Keyed {
                naming: "`\\bibliography{FILE}` or `\\addbibresource{FILE}`",
                ..Keyed::default()
            },
            stem,
            bibliographies: Vec::new(),
            written: HashMap::new(),
            including: HashSet::new(),
            macros: HashMap::new(),
            aliases: HashMap::new(),
            environments: HashSet::new(),
            settings: Settings::default(),
            has_units: false,
            lists: Vec::new(),
            defined: Vec::new(),
            used: HashSet::new(),
            import_folder: String::new(),
            input_folders: Vec::new(),
            included_only: None,
            is_body: true,
            ended: None,
        }
    }

    pub fn read_document(&mut self, file: FileId) -> Result<(), DocumentError> {
        self.is_body = !self.keyed.sources.text(file).contains("\\begin{document}");
        self.read_file(file)?;
        let end = self.keyed.sources.text(file).len();
        self.keyed.list_place.get_or_insert(ListPlace {
            span: file.span(end..end),
            kind: ListPlaceKind::End,
            heading: ListHeading::Default,
        });
        // What an unused macro cites is not cited.
        let unused: HashSet<usize> = { self.defined.iter() }
            .filter(|(name, _)| !self.used.contains(name))
            .map(|(_, citation)| *citation)
            .collect();
        let mut at = 0..;
        self.keyed
            .citations
            .retain(|_| !at.next().is_some_and(|at| unused.contains(&at)));
        Ok(())
    }

    fn read_file(&mut self, file: FileId) -> Result<(), DocumentError> {
        let name = self.keyed.sources.name(file).map(str::to_owned);
        let text = without_comments(self.keyed.sources.text(file));
        self.budget.spend(text.len() as u64)?;
        self.ahead.add(text.len());
        let (mut at, mut line, mut counted) = (0, 1, 0);
        while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')) {
            at += next;
            self.budget.spend(2)?;
            let behind = text.get(at + 1..).unwrap_or_default();
            let name_end = behind
                .find(|c: char| !(c.is_ascii_alphabetic() || c == '@'))
                .unwrap_or(behind.len());
            let (command, arguments) = behind.split_at(name_end);
            if command.is_empty() {
                at += 1 + behind.chars().next().map_or(0, char::len_utf8);
                continue;
            }
            let passed = text.get(counted..at).unwrap_or_default();
            line += passed.matches('\n').count();
            counted = at;
            let site = CommandSite {
                file,
                place: Place {
                    file: name.clone(),
                    ..Place::line(line)
                },
                start: at,
                arguments: at + 1 + name_end,
                text: format!("\\{command}"),
            };
            let used = self.command(command, arguments, &site)?;
            match self.ended {
                Some(Ended::File) => {
                    self.ended = None;
                    break;
                }
                Some(Ended::Document) => break,
                None => {}
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
        site: &CommandSite,
    ) -> Result<usize, DocumentError> {
        let place = &site.place;
        if !self.used.contains(name) {
            self.used.insert(name.to_owned());
        }
        let place_of_arguments = (site.file, site.arguments);
        self.settings
            .open_argument(name, arguments, place_of_arguments, &self.ahead);
        self.read_unit(name, arguments, site);
        let name = self.of_every_list(name);
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
                if name == "bibliography" {
                    self.add_list_place(site, arguments);
                }
            }
            "printbibliography" => self.add_list_place(site, arguments),
            "addbibresource" | "addglobalbib" | "addsectionbib" => {
                let rest = after_options(arguments, ahead);
                if let Some(name) = braced(rest, ahead) {
                    self.add_bibliography(name, place);
                }
            }
            "includeonly" => {
                let names = keys(argument().unwrap_or_default());
                self.included_only = Some(names.map(str::to_owned).collect());
            }
            "input" | "include" | "subfile" | "subfileinclude" | "@input" => {
                let name = match argument() {
                    Some(name) => name,
                    None => word(arguments.trim_start(), ahead),
                };
                self.read_input(name.trim(), Missing::Reported, site)?;
            }
            "InputIfFileExists" => {
                let name = argument().unwrap_or_default();
                self.read_input(name.trim(), Missing::Allowed, site)?;
            }
            "IfFileExists" => {
                let name = argument().unwrap_or_default();
                let rest = after_argument(arguments, ahead);
                if self.find_input(name.trim(), site).is_none() {
                    return Ok(arguments.len() - after_argument(rest, &self.ahead).len());
                }
            }
            "import" | "subimport" | "includefrom" | "subincludefrom" | "inputfrom"
            | "subinputfrom" => self.import(name, arguments, site)?,
            // Read alone, not as a part of this document.
            "ifSubfilesClassLoaded" | "onlyinsubfile" if place.file.is_some() => {
                return Ok(arguments.len() - after_argument(arguments, ahead).len());
            }
            "url" | "path" | "nolinkurl" | "detokenize" => {
                return Ok(arguments.len() - after_argument(arguments, ahead).len());
            }
            "lstinline" | "mintinline" => {
                return Ok(verbatim(name, arguments, ahead).unwrap_or_default());
            }
            "verb" | "Verb" => {
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
            | "newrobustcmd" => {
                return Ok(self.define(Definition::newcommand(arguments, ahead), site));
            }
            "NewDocumentCommand" | "RenewDocumentCommand" | "DeclareDocumentCommand" => {
                return Ok(self.define(Definition::document_command(arguments, ahead), site));
            }
            "def" | "gdef" | "edef" => {
                if let Some(folders) = arguments.trim_start().strip_prefix("\\input@path") {
                    let folders = braced(folders, ahead).unwrap_or_default().split(['{', '}']);
                    let folders = folders.map(str::trim).filter(|folder| !folder.is_empty());
                    self.input_folders = folders.map(str::to_owned).collect();
                }
                return Ok(self.define(Definition::def(arguments, ahead), site));
            }
            "let" => return Ok(self.read_let(arguments)),
            "NewCommandCopy" | "DeclareCommandCopy" | "RenewCommandCopy" => {
                return Ok(self.read_copy(arguments));
            }
            "newenvironment" | "renewenvironment" | "NewDocumentEnvironment" => {
                self.define_environment(arguments);
            }
            "begin" => return self.environment(arguments, site),
            "end" if arguments.trim_start().starts_with("{document}") => self.end_document(site),
            "end" => {
                let name = argument().unwrap_or_default();
                self.settings.close_environment(name);
            }
            "endinput" => self.ended = Some(Ended::File),
            _ if self.including.contains(name) || prints_field(name) => {
                self.keyed.add_unread_markup(&site.text, place);
            }
            _ if name.ends_with("cquote") => {
                self.budget.spend(CITE_STEPS)?;
                return Ok(self.quote(name, arguments, site));
            }
            _ if self.macros.contains_key(name) || self.standard_name(name).is_some() => {
                self.budget.spend(CITE_STEPS)?;
                return Ok(match self.macros.get(name).cloned() {
                    Some(citing) => self.call(&citing, arguments, site),
                    None => {
                        let meaning = self.standard_name(name).unwrap_or_default();
                        self.cite(&meaning, arguments, site)
                    }
                });
            }
            _ => {}
        }
        Ok(0)
    }

    /// A file with a document of its own, as of subfiles, ends for itself.
    fn end_document(&mut self, site: &CommandSite) {
        if site.place.file.is_some() {
            self.ended = Some(Ended::File);
            return;
        }
        self.ended = Some(Ended::Document);
        self.keyed.list_place.get_or_insert(ListPlace {
            span: site.file.span(site.start..site.start),
            kind: ListPlaceKind::End,
            heading: ListHeading::Default,
        });
    }

    /// `\import{folder/}{file}`: names inside of the file are relative to the folder.
    fn import(
        &mut self,
        command: &str,
        arguments: &str,
        site: &CommandSite,
    ) -> Result<(), DocumentError> {
        let arguments = arguments.trim_start_matches('*').trim_start();
        let folder = braced(arguments, &self.ahead).unwrap_or_default();
        let rest = arguments.get(folder.len() + 2..).unwrap_or_default();
        let name = braced(rest.trim_start(), &self.ahead).unwrap_or_default();
        let base = if command.starts_with("sub") {
            self.import_folder.as_str()
        } else {
            ""
        };
        let inner = joined(base, folder.trim());
        let outer = std::mem::replace(&mut self.import_folder, inner);
        let read = self.read_input(name.trim(), Missing::Reported, site);
        self.import_folder = outer;
        read
    }

    fn environment(&mut self, arguments: &str, site: &CommandSite) -> Result<usize, DocumentError> {
        let place = &site.place;
        let name = braced(arguments.trim_start(), &self.ahead).unwrap_or_default();
        let end = || {
            arguments
                .find(&format!("\\end{{{name}}}"))
                .unwrap_or(arguments.len())
        };
        if name == "document" && place.file.is_none() {
            self.is_body = true;
            // A command of the preamble names files and prints nothing.
            self.keyed.list_place = None;
        }
        if self.environments.contains(name) || name.ends_with("cquote") {
            let what = format!("\\begin{{{name}}}");
            self.keyed.add_unread_markup(&what, place);
        }
        self.settings.open_environment(name);
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
            let rest = after_options(rest, &self.ahead);
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

    fn read_input(
        &mut self,
        name: &str,
        missing: Missing,
        site: &CommandSite,
    ) -> Result<(), DocumentError> {
        if name.contains(['#', '\\']) && self.is_body {
            self.keyed.add_unread_markup(&site.text, &site.place);
        }
        if name.is_empty() || name.contains(['#', '\\', '|']) {
            return Ok(());
        }
        let Some(InputFile { name, bytes }) = self.find_input(name, site) else {
            // Style files and figures are also included.
            if missing == Missing::Reported && (!name.contains('.') || name.ends_with(".tex")) {
                self.add_missing_input(name, site);
            }
            return Ok(());
        };
        self.budget.spend_bytes(bytes.len())?;
        if let Added::New(file) = self.keyed.sources.open(&name, &bytes)? {
            // What has ended before the command does not go on in the file.
            self.settings.at(site.file, site.start);
            let outer = self.settings.count();
            self.read_file(file)?;
            self.settings.close_arguments(outer);
            self.keyed.sources.close();
        }
        Ok(())
    }

    /// A file that is missing in the preamble comes with TeX, or cites nothing.
    fn add_missing_input(&mut self, name: &str, site: &CommandSite) {
        let stem = name.trim_end_matches(".tex");
        let file = format!("{stem}.tex");
        let is_left_out = { self.included_only.as_ref() }
            .is_some_and(|only| site.text == "\\include" && !only.contains(stem));
        if self.is_body && !is_left_out {
            self.keyed.add_missing_include(&file, &site.place)
        } else {
            self.keyed.missing.push((file, site.place.clone()))
        }
    }

    /// Looks for a file in the folder of an import, of the document, of the file that names it, and in those
    /// of `\input@path`.
    fn find_input(&self, name: &str, site: &CommandSite) -> Option<InputFile> {
        let name = name.trim_matches('"');
        let folders = [
            self.import_folder.as_str(),
            "",
            folder(site.place.file.as_deref()),
        ];
        let others = self.input_folders.iter().map(String::as_str);
        folders.into_iter().chain(others).find_map(|folder| {
            let path = joined(folder, name);
            let with_extension = format!("{path}.tex");
            let has_extension = name.rsplit('/').next().is_some_and(|own| own.contains('.'));
            let own = has_extension.then_some(path);
            own.into_iter().chain([with_extension]).find_map(|name| {
                let written = self
                    .written
                    .get(&name)
                    .map(|text| text.clone().into_bytes());
                let bytes = written.or_else(|| (self.companions)(&name))?;
                Some(InputFile { name, bytes })
            })
        })
    }
}

/// Whether a missing file is an error of the document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Reported,
    Allowed,
}

struct InputFile {
    name: String,
    bytes: Vec<u8>,
}

/// The length of the arguments of a command that prints code: `[options]{code}`, `{language}|code|`.
fn verbatim(name: &str, arguments: &str, ahead: &Lookahead<'_>) -> Option<usize> {
    let mut rest = after_options(arguments, ahead);
    if name == "mintinline" {
        rest = after_argument(rest, ahead);
    }
    let behind = match rest.chars().next()? {
        '{' => after_argument(rest, ahead),
        mark => {
            let inside = rest.get(mark.len_utf8()..)?;
            let end = ahead.find(inside, usize::MAX, |window| window.find([mark, '\n']))?;
            inside.get(end + 1..)?
        }
    };
    Some(arguments.len() - behind.len())
}

/// The word at the start of a text: the name of a file without braces.
fn word<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    const MAX_NAME: usize = 1_000;
    let end = ahead.find(text, MAX_NAME, |window| {
        window.find(|c: char| c.is_whitespace() || "\\{}".contains(c))
    });
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
