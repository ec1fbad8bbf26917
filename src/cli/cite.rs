//! `citation cite`: formats the citations of a manuscript and inserts its bibliography.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::manuscript::{LocalSources, ManuscriptFile};
use super::position::FilePosition;
use super::project::{self, Project, ProjectCopy};
use super::{Failure, Global, Outcome, Status, open, terminal};
use citation_citing::{
    self as citing, CitedFiles, CitingError, IncompleteList, ShortenedList, UnreadHandling,
    WordOptions,
};
use citation_documents::{
    Document, FieldHandling, FindingKind, LeftCause, LeftPart, ManuscriptFormat,
};
use citation_model::budget::Budget;

#[derive(Debug, Args)]
pub struct CiteCommand {
    /// A manuscript in Markdown, TeX, Typst or HTML, in UTF-8, with the files that it includes; a .docx or
    /// .odt; or the folder of a manuscript
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write (default, and for `-`: standard output), or a new or empty folder for a copy of the
    /// manuscript's folder, which a manuscript of several files needs
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The main file of the manuscript, in its folder
    #[arg(long, value_name = "FILE")]
    main: Option<PathBuf>,
    /// The style instead of the manuscript's own: short name, address, or a .csl file
    #[arg(long)]
    style: Option<String>,
    /// A bibliography in addition to those that the manuscript names; may be given several times
    #[arg(long, value_name = "FILE")]
    bibliography: Vec<String>,
    /// In a .docx, keep the fields of Zotero, Mendeley, EndNote and Word and change only their texts and Zotero's style
    #[arg(long)]
    keep_fields: bool,
    /// Format the rest of a manuscript of which an included file is missing or a markup is not read
    #[arg(long)]
    allow_unread: bool,
    /// In a .docx, replace the reference list even if fields cite works that cannot be read or are not known, which
    /// the new list lacks
    #[arg(long)]
    replace_list: bool,
    /// Ask no provider for works that are cited by identifier
    #[arg(long)]
    local_only: bool,
}

/// Where the result goes.
enum Target<'a> {
    /// A file, or standard output.
    File(Option<&'a Path>),
    Folder(&'a Path),
}

impl CiteCommand {
    /// Exits with 1 if the manuscript cites an unknown work.
    pub fn run(self, global: &Global) -> Outcome {
        let mut project = Project::find(&self.file, self.main.as_deref())?;
        let manuscript = project.read()?;
        let sources = LocalSources::new(
            open::overrides(global),
            project.base.clone(),
            self.local_only,
            self.style.clone(),
        )?;
        let written = self.write(&project, &manuscript, &sources);
        sources.close();
        written
    }

    fn write(
        &self,
        project: &Project,
        manuscript: &ManuscriptFile,
        sources: &LocalSources,
    ) -> Outcome {
        let document = &manuscript.document;
        let file = project.main.display().to_string();
        let fail = |cause: &dyn std::fmt::Display| Failure::of_file(&file, cause);
        let named = { self.bibliography.iter() }
            .map(|name| Ok(std::path::absolute(name)?.display().to_string()))
            .collect::<Result<Vec<String>, Failure>>()?;
        let budget = Budget::unlimited();
        match document.format {
            ManuscriptFormat::Docx | ManuscriptFormat::Odt => {
                return self.write_word(&file, manuscript, &named, sources);
            }
            ManuscriptFormat::Pdf => return Err(fail(&CitingError::NoMarkers)),
            _ => {}
        }
        check_names(project, document)?;
        let unread = if self.allow_unread {
            UnreadHandling::Leave
        } else {
            UnreadHandling::Refuse
        };
        let set = citing::cite(document, &named, unread, sources, &budget);
        let set = set.map_err(|cause| match cause {
            CitingError::Unread(_) => fail(&format!("{cause} (--allow-unread formats the rest)")),
            cause => fail(&cause),
        })?;
        match self.target(project, &set)? {
            Target::File(output) => {
                refuse_input(project, manuscript, output)?;
                let changed = set.changed.first().map(|changed| &changed.bytes);
                let bytes = changed.unwrap_or(&manuscript.bytes);
                write_file(output, bytes, &project.main)?;
                tell_no_citation(&file, document);
            }
            Target::Folder(output) => write_folder(project, manuscript, &set, output)?,
        }
        Ok(report(&file, document, &set))
    }

    fn write_word(
        &self,
        file: &str,
        manuscript: &ManuscriptFile,
        bibliographies: &[String],
        sources: &LocalSources,
    ) -> Outcome {
        let options = WordOptions {
            fields: if self.keep_fields {
                FieldHandling::Keep
            } else {
                FieldHandling::Replace
            },
            incomplete_list: if self.replace_list {
                IncompleteList::Replace
            } else {
                IncompleteList::Refuse
            },
        };
        let budget = Budget::unlimited();
        let set = citing::cite_word(&manuscript.bytes, bibliographies, options, sources, &budget);
        if let Err(CitingError::IncompleteList(fields)) = &set {
            tell_left(file, fields);
        }
        let set = set.map_err(|cause| match cause {
            CitingError::IncompleteList(_) => {
                let cause = format!("{cause}; --replace-list replaces it without them");
                Failure::of_file(file, &cause)
            }
            cause => Failure::of_file(file, &cause),
        })?;
        write_file(self.output_file(), &set.bytes, &self.file)?;
        tell_no_citation(file, &manuscript.document);
        for key in &set.unknown {
            tell!("{file}: no work is known of “{key}”");
        }
        tell_left(file, &set.left);
        if let Some(ShortenedList { before, after }) = set.shortened {
            tell!(
                "{file}: the reference list had {before} entries and has {after} now: it lists only works that are cited"
            );
        }
        let is_meant = |part: &LeftPart| part.cause == LeftCause::ByHand;
        let is_whole = set.unknown.is_empty() && set.left.iter().all(is_meant);
        Ok(if is_whole {
            Status::Done
        } else {
            Status::Negative
        })
    }

    fn output_file(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    /// A folder if it is one already, is named with a slash, or must be one because several files change.
    fn target(&self, project: &Project, set: &CitedFiles) -> Result<Target<'_>, Failure> {
        let others: Vec<&str> = { set.changed.iter() }
            .filter_map(|changed| changed.name.as_deref())
            .collect();
        let output = self.output_file();
        let is_several = !others.is_empty() || project.is_folder;
        let Some(output) = output.filter(|output| is_folder(output, is_several)) else {
            return if is_several {
                Err(several(project, &others))
            } else {
                Ok(Target::File(output))
            };
        };
        Ok(Target::Folder(output))
    }
}

/// Typed citations are none: they stay as they are.
fn tell_no_citation(file: &str, document: &Document) {
    if document.citations.is_empty() && document.possible.is_empty() {
        tell!("{file}: no citation is marked, so nothing is formatted");
    }
}

fn is_folder(output: &Path, is_several: bool) -> bool {
    let ends_in_slash = output.as_os_str().to_string_lossy().ends_with('/');
    let extension = output.extension().map(|ending| ending.to_string_lossy());
    let is_manuscript = extension.is_some_and(|e| ManuscriptFormat::of_extension(&e).is_some());
    output.is_dir() || ends_in_slash || is_several && !output.is_file() && !is_manuscript
}

fn several(project: &Project, others: &[&str]) -> Failure {
    let main = project.main.display();
    Failure(match others {
        [] => format!("{main}: name the folder to write with --output"),
        others => format!(
            "{main}: citations are in other files, too: {}; name a folder with --output, and all files are written to it",
            others.join(", ")
        ),
    })
}

/// The manuscript and what it names are not overwritten.
fn refuse_input(
    project: &Project,
    manuscript: &ManuscriptFile,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let Some(target) = output.and_then(|output| output.canonicalize().ok()) else {
        return Ok(());
    };
    let mut read = { manuscript.companions.iter() }.chain([&project.main]);
    if read.any(|path| path.canonicalize().is_ok_and(|path| path == target)) {
        Err(Failure(format!(
            "{}: is a file of the manuscript; name another one with --output",
            target.display()
        )))
    } else {
        Ok(())
    }
}

/// Writes the result. A new file gets the permissions of the manuscript.
fn write_file(output: Option<&Path>, bytes: &[u8], manuscript: &Path) -> Result<(), Failure> {
    let Some(path) = output else {
        return terminal::print(bytes);
    };
    let is_new = !path.exists();
    std::fs::write(path, bytes).map_err(|cause| Failure(format!("{}: {cause}", path.display())))?;
    if is_new {
        project::copy_mode(manuscript, path)
    } else {
        Ok(())
    }
}

/// Two names of one file, by a link or in other letters, would give it two texts.
fn check_names(project: &Project, document: &Document) -> Result<(), Failure> {
    let folder = &project.base;
    let mut known: BTreeMap<PathBuf, &str> = BTreeMap::new();
    for name in document
        .sources
        .iter()
        .filter_map(|file| file.name.as_deref())
    {
        let Ok(path) = folder.join(name).canonicalize() else {
            continue;
        };
        if let Some(other) = known.insert(path, name) {
            let cause = format!("{other} and {name} are one file; include it by one name");
            return Err(Failure::of_file(
                &project.main.display().to_string(),
                &cause,
            ));
        }
    }
    Ok(())
}

/// Writes a copy of the project's folder with the changed files.
fn write_folder(
    project: &Project,
    manuscript: &ManuscriptFile,
    set: &CitedFiles,
    output: &Path,
) -> Result<(), Failure> {
    let mut changed = BTreeMap::new();
    for file in &set.changed {
        changed.insert(
            project.relative(file.name.as_deref())?,
            file.bytes.as_slice(),
        );
    }
    for file in manuscript.document.sources.iter() {
        let path = project.relative(file.name.as_deref()).ok();
        if path.is_none() {
            let name = file.name.as_deref().unwrap_or_default();
            tell!("{name}: outside of {}, not copied", project.root.display());
        }
    }
    let copy = ProjectCopy::plan(&project.root, output)?;
    let written = copy.write(&changed, output)?;
    let names: Vec<String> = changed
        .keys()
        .map(|path| path.display().to_string())
        .collect();
    let output = output.display();
    match names.as_slice() {
        [] => tell!("{output}: no citations; {written} files copied"),
        names => tell!(
            "{output}: {} formatted, {written} other files copied",
            names.join(", ")
        ),
    }
    Ok(())
}

/// Names the citations that are not formatted, by their places.
fn report(file: &str, document: &Document, set: &CitedFiles) -> Status {
    for key in &set.unknown {
        let possible = document.possible.iter().map(|found| &found.citation);
        let citing = { document.citations.iter().chain(possible) }
            .find(|citation| citation.items.iter().any(|cited| cited.cite.id == *key));
        let place = citing.map(|citation| FilePosition::in_document(file, &citation.place));
        match place {
            Some(place) => tell!("{place}: no work is known of “{key}”"),
            None => tell!("{file}: no work is known of “{key}”"),
        }
    }
    tell_left(file, &set.left);
    let is_left = |name: &String| set.left.iter().any(|part| part.text == *name);
    for finding in &document.findings {
        let is_missing = finding.kind == FindingKind::MissingFile;
        if is_missing && !finding.keys.iter().any(is_left) {
            let place = FilePosition::in_document(file, &finding.place);
            tell!("{place}: {}", finding.message);
        }
    }
    if let Some(naming) = document.naming.filter(|_| !set.unknown.is_empty()) {
        tell!("{file}: the document names no bibliography; {naming} or --bibliography names one");
    }
    if set.unknown.is_empty() && set.left.is_empty() {
        Status::Done
    } else {
        Status::Negative
    }
}

impl Project {
    /// The path of a file of the manuscript in the project's folder.
    fn relative(&self, name: Option<&str>) -> Result<PathBuf, Failure> {
        let Some(name) = name else {
            return Ok(self.inner.clone());
        };
        let folder = self.base.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut path = PathBuf::new();
        for part in folder.join(name).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    if !path.pop() {
                        return Err(project::outside(self, name));
                    }
                }
                part => path.push(part),
            }
        }
        Ok(path)
    }
}

/// Names the parts that stay as they are.
fn tell_left(file: &str, parts: &[LeftPart]) {
    for LeftPart { text, place, cause } in parts {
        let place = FilePosition::in_document(file, place);
        let reason = match cause {
            LeftCause::MissingFile | LeftCause::Markup => "is not read, and its citations stay",
            LeftCause::FurtherList => "makes a further list, which stays as it is",
            LeftCause::Field => {
                "is a field whose works cannot be read or are not known, and stays as it is"
            }
            LeftCause::Fixed => "is in a place where it cannot be replaced",
            LeftCause::ByHand => "is not in the form of a style, and stays as it is",
        };
        tell!("{place}: “{text}” {reason}");
    }
}
