//! TeX: citations of LaTeX, natbib and biblatex in a file and its inputs, and the bibliographies that it
//! names; also `.bbl` and `.aux` alone.

use std::collections::{HashMap, HashSet};

use citation_model::budget::Budget;
use citation_model::cite::CiteMode;

use crate::Companions;
use crate::document::{Citation, Cited, Document, Place};
use crate::error::DocumentError;
use crate::keyed::Keyed;
use crate::latex::{braced, bracketed, entries, printed};
use crate::{locator, markdown};

/// Maximum nesting of included files.
const DEEPEST: usize = 16;
const MOST_FILES: usize = 500;
/// Maximum steps to find the ends of arguments.
const CITE_STEPS: u64 = 200;

/// Commands that contain `cite` in their name but cite nothing.
const NO_CITATIONS: [&str; 17] = [
    "citestyle",
    "setcitestyle",
    "citetext",
    "citereset",
    "citesetup",
    "defcitealias",
    "bibcite",
    "citation",
    "citeindextrue",
    "citeindexfalse",
    "citetrackertrue",
    "citetrackerfalse",
    "citecolor",
    "citenamefont",
    "citepunct",
    "citeform",
    "citeleft",
];

/// Environments whose text is verbatim or not printed.
const VERBATIM: [&str; 8] = [
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "comment",
    "alltt",
    "filecontents",
];

pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let (text, _) = citation_exchange::decode(bytes);
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, extension) = base.rsplit_once('.').unwrap_or((base, "tex"));
    let mut reader = Reader {
        companions,
        budget,
        keyed: Keyed::default(),
        stem,
        bibliographies: Vec::new(),
        written: HashMap::new(),
        macros: HashSet::new(),
        files: 0,
        has_ended: false,
    };
    match extension.to_ascii_lowercase().as_str() {
        "bbl" => reader.add_list(&text, &Place::line(1))?,
        "aux" => reader.aux(&text)?,
        _ => reader.file(&text, None, 0)?,
    }
    reader.load()?;
    let is_list = extension.eq_ignore_ascii_case("bbl");
    let mut document = reader.keyed.document();
    document.marks_citations = !is_list;
    // A list alone is cited elsewhere.
    if is_list {
        document.findings.clear();
    }
    Ok(document)
}

struct Reader<'a> {
    companions: Companions<'a>,
    budget: &'a Budget,
    keyed: Keyed,
    /// The document's file name without extension, also that of its `.bbl`.
    stem: &'a str,
    bibliographies: Vec<(String, Place)>,
    /// Files that the document writes itself.
    written: HashMap<String, String>,
    /// The document's macros that cite their first argument.
    macros: HashSet<String>,
    files: usize,
    has_ended: bool,
}

impl Reader<'_> {
    fn file(&mut self, text: &str, file: Option<&str>, depth: usize) -> Result<(), DocumentError> {
        self.files += 1;
        if depth > DEEPEST || self.files > MOST_FILES {
            return Err(DocumentError::TooDeep {
                what: file.unwrap_or("the document").to_owned(),
                limit: DEEPEST,
            });
        }
        self.budget.spend(text.len() as u64)?;
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
        let argument = || braced(arguments.trim_start());
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
                let rest = behind_options(arguments);
                if let Some(name) = braced(rest) {
                    self.add_bibliography(name, place);
                }
            }
            "input" | "include" | "subfile" | "subfileinclude" | "@input" => {
                let name = match braced(arguments.trim_start()) {
                    Some(name) => name,
                    None => arguments.split_whitespace().next().unwrap_or_default(),
                };
                self.take_in(name.trim(), place, depth)?;
            }
            "import" | "subimport" => {
                let folder = argument().unwrap_or_default();
                let rest = arguments.trim_start().get(folder.len() + 2..);
                let name = rest
                    .and_then(|rest| braced(rest.trim_start()))
                    .unwrap_or_default();
                self.take_in(&format!("{folder}{name}"), place, depth)?;
            }
            "verb" => {
                let mark = arguments.chars().next().unwrap_or(' ');
                let inside = arguments.get(mark.len_utf8()..).unwrap_or_default();
                let end = inside.find([mark, '\n']);
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
                let length = arguments.get(body..).and_then(braced).map_or(0, str::len);
                return Ok(body + length);
            }
            "begin" => return self.environment(arguments, place),
            "end" if argument() == Some("document") => self.has_ended = place.file.is_none(),
            _ if self.is_cite(name) => {
                self.budget.spend(CITE_STEPS)?;
                return Ok(self.cite(name, arguments, place));
            }
            _ => {}
        }
        Ok(0)
    }

    fn is_cite(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        lower.contains("cite") && !name.contains('@') && !NO_CITATIONS.contains(&name)
            || self.macros.contains(name)
    }

    /// `\newcommand{\name}[1]{… \cite{#1} …}`: a command that cites. Definitions themselves cite nothing.
    fn definition(&mut self, arguments: &str) -> usize {
        let rest = arguments.trim_start_matches(['*', ' ']);
        let (name, rest) = match braced(rest) {
            Some(name) => (name, rest.get(name.len() + 2..).unwrap_or_default()),
            None => {
                let end = near(rest).find(['[', '{']).unwrap_or(0);
                rest.split_at(end)
            }
        };
        let body = behind_options(rest);
        let Some(inside) = braced(body) else {
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
        let name = braced(arguments.trim_start()).unwrap_or_default();
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
            let rest = behind_options(rest);
            if let Some(file) = braced(rest) {
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

    /// The citations of a command: `\citep[see][p.~3]{doe,roe}`, `\parencites[3]{doe}[see][]{roe}`.
    fn cite(&mut self, name: &str, arguments: &str, place: &Place) -> usize {
        /// Maximum number of cites per command.
        const MOST_CITES: usize = 500;
        let has_volume = name.contains("volcite");
        let is_several = name.ends_with("cites") || name.ends_with("citess");
        let mut rest = arguments.strip_prefix('*').unwrap_or(arguments);
        // `\cites(pre)(post){a}{b}`
        while is_several && let Some(inside) = enclosed_round(rest) {
            rest = rest.get(inside.len() + 2..).unwrap_or_default();
        }
        let mut items: Vec<Cited> = Vec::new();
        let before_cites = rest;
        for _ in 0..MOST_CITES {
            let mut options = Vec::new();
            let mut next = skip_blank(rest);
            while options.len() < 4 {
                let option = bracketed(next).or_else(|| pointed(next));
                let Some(option) = option else { break };
                options.push(option);
                next = skip_blank(next.get(option.len() + 2..).unwrap_or_default());
                if has_volume
                    && let Some(volume) = braced(next)
                    && options.len() == 1
                {
                    next = skip_blank(next.get(volume.len() + 2..).unwrap_or_default());
                }
            }
            if has_volume && options.is_empty() {
                next = skip_blank(
                    next.get(braced(next).map_or(0, |v| v.len() + 2)..)
                        .unwrap_or_default(),
                );
                if let Some(option) = bracketed(next) {
                    options.push(option);
                    next = skip_blank(next.get(option.len() + 2..).unwrap_or_default());
                }
            }
            let Some(inside) = braced(next) else { break };
            rest = next.get(inside.len() + 2..).unwrap_or_default();
            let (before, behind) = match options.as_slice() {
                [] => ("", ""),
                [behind] => ("", *behind),
                [before, behind, ..] => (*before, *behind),
            };
            let first = items.len();
            items.extend(
                keys(inside)
                    .filter(|key| !key.contains(['#', '\\']))
                    .map(|key| {
                        let mut cited = Cited::key(key);
                        cited.cite.mode = mode(name);
                        cited
                    }),
            );
            if let Some(cited) = items.get_mut(first) {
                cited.cite.prefix = printed(before);
            }
            if let Some(cited) = items.last_mut() {
                locator::add(&mut cited.cite, &printed(behind));
            }
            if !is_several {
                break;
            }
        }
        let used = arguments.len() - rest.len();
        if rest.len() < before_cites.len() && !items.is_empty() {
            self.keyed.citations.push(Citation {
                items,
                text: format!("\\{name}{}", arguments.get(..used).unwrap_or_default()),
                place: place.clone(),
                span: None,
            });
        }
        used
    }

    fn add_bibliography(&mut self, name: &str, place: &Place) {
        let name = name.trim().replace("\\jobname", self.stem);
        let has_extension = name
            .rsplit('/')
            .next()
            .is_some_and(|base| base.contains('.'));
        let is_known = [".bib", ".bbl", ".json", ".ris"]
            .iter()
            .any(|end| name.ends_with(end));
        let name = match is_known || has_extension && (self.companions)(&name).is_some() {
            true => name,
            false => format!("{name}.bib"),
        };
        if !name.contains(['#', '\\']) {
            self.bibliographies.push((name, place.clone()));
        }
    }

    fn take_in(&mut self, name: &str, place: &Place, depth: usize) -> Result<(), DocumentError> {
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
        self.file(&text, Some(name), depth + 1)
    }

    fn add_list(&mut self, text: &str, place: &Place) -> Result<(), DocumentError> {
        let entries = entries(text, place, self.budget)?;
        self.keyed.is_printed |= !entries.is_empty();
        self.keyed.library.extend(entries);
        Ok(())
    }

    /// `\citation{a,b}`, `\bibdata{refs}`, and biblatex's equivalents.
    fn aux(&mut self, text: &str) -> Result<(), DocumentError> {
        for (n, line) in text.lines().enumerate() {
            self.budget.spend(4)?;
            let place = Place::line(n + 1);
            let behind = |command: &str| line.trim().strip_prefix(command);
            let cited = behind("\\citation").or_else(|| {
                let rest = behind("\\abx@aux@cite")?;
                let first = braced(rest)?;
                rest.get(first.len() + 2..)
                    .filter(|rest| rest.starts_with('{'))
                    .or(Some(rest))
            });
            if let Some(inside) = cited.and_then(braced) {
                let items: Vec<Cited> = keys(inside)
                    .filter(|key| *key != "*")
                    .map(Cited::key)
                    .collect();
                self.keyed.is_whole |= inside.contains('*');
                if !items.is_empty() {
                    self.keyed.citations.push(Citation {
                        items,
                        place: place.clone(),
                        ..Citation::default()
                    });
                }
            }
            for name in behind("\\bibdata")
                .and_then(braced)
                .map(keys)
                .into_iter()
                .flatten()
            {
                self.add_bibliography(name, &place);
            }
            if let Some(name) = behind("\\abx@aux@bibresource").and_then(braced) {
                self.add_bibliography(name, &place);
            }
        }
        Ok(())
    }

    /// Reads the bibliographies, or the last printed list if there are none.
    fn load(&mut self) -> Result<(), DocumentError> {
        let mut seen = HashSet::new();
        for (name, place) in std::mem::take(&mut self.bibliographies) {
            if self.keyed.is_printed || !seen.insert(name.clone()) {
                continue;
            }
            match self.written.get(&name) {
                Some(text) => self
                    .keyed
                    .library
                    .add_file(&name, text.as_bytes(), self.budget)?,
                None => {
                    markdown::add_file(&name, self.companions, &mut self.keyed, self.budget)?;
                    if let Some(missing) = self.keyed.missing.last_mut().filter(|(m, _)| *m == name)
                    {
                        missing.1 = place;
                    }
                }
            }
        }
        if self.keyed.library.is_empty() {
            let name = format!("{}.bbl", self.stem);
            if let Some(bytes) = (self.companions)(&name) {
                let (text, _) = citation_exchange::decode(&bytes);
                let place = Place {
                    file: Some(name),
                    ..Place::line(1)
                };
                self.add_list(&text, &place)?;
                // The printed list replaces its source files.
                if !self.keyed.library.is_empty() {
                    self.keyed.missing.retain(|(name, _)| !seen.contains(name));
                }
            }
        }
        Ok(())
    }
}

/// The start of a text, which contains the body of a definition.
fn near(text: &str) -> &str {
    const LOOKED_AT: usize = 200;
    text.get(..text.floor_char_boundary(LOOKED_AT))
        .unwrap_or(text)
}

fn mode(name: &str) -> CiteMode {
    let lower = name.to_ascii_lowercase();
    match () {
        () if lower.contains("author") => CiteMode::AuthorOnly,
        () if lower.contains("year") || lower.contains("date") => CiteMode::SuppressAuthor,
        () if lower.starts_with("citet") && !lower.starts_with("citetitle")
            || lower.starts_with("textcite") =>
        {
            CiteMode::Composite
        }
        () => CiteMode::Normal,
    }
}

fn keys(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|key| !key.is_empty())
}

/// White space and the end of a line between arguments.
fn skip_blank(text: &str) -> &str {
    let trimmed = text.trim_start();
    let blank = text.get(..text.len() - trimmed.len()).unwrap_or_default();
    match blank.matches('\n').count() > 1 {
        true => text,
        false => trimmed,
    }
}

/// `<2->` of beamer, `<see>` of apacite.
fn pointed(text: &str) -> Option<&str> {
    const LONGEST: usize = 100;
    let inside = text.strip_prefix('<')?;
    let end = inside.find(['>', '\n']).filter(|end| *end <= LONGEST)?;
    inside
        .get(end..)?
        .starts_with('>')
        .then(|| inside.get(..end))?
}

fn enclosed_round(text: &str) -> Option<&str> {
    const LONGEST: usize = 2_000;
    let inside = text.strip_prefix('(')?;
    let end = inside.find(')').filter(|end| *end <= LONGEST)?;
    inside.get(..end)
}

fn behind_options(text: &str) -> &str {
    let mut rest = skip_blank(text);
    while let Some(option) = bracketed(rest) {
        rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
    }
    rest
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
