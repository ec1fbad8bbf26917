//! Manuscripts of several files: finds the main file of a folder, and copies the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::Failure;
use super::manuscript::{self, ManuscriptFile};
use super::references::read_sibling;
use citation_documents::{self as documents, DocumentError, ManuscriptFormat};
use citation_model::budget::Budget;

/// Folders of version control, which are never copied.
const VERSION_CONTROL: [&str; 8] = [
    ".git", ".hg", ".svn", ".jj", ".bzr", ".pijul", "_darcs", "CVS",
];
/// How deep the main file is looked for.
const MAX_MAIN_DEPTH: usize = 3;
/// Maximum number of files in a copy, and of their bytes.
const MAX_FILES: usize = 50_000;
const MAX_BYTES: u64 = 8 * 1024 * 1024 * 1024;
/// The file that marks a copy in the folder of its original, so that it is not copied along later.
const COPY_MARK: &str = ".citation-copy";
/// Files that say something about a project.
const ABOUT: [&str; 6] = [
    "readme",
    "changelog",
    "license",
    "contributing",
    "todo",
    "news",
];

/// A manuscript and its folder.
pub struct Project {
    pub root: PathBuf,
    pub main: PathBuf,
    /// The path of the main file inside of the folder.
    pub inner: PathBuf,
    /// The folder that names in the manuscript are relative to.
    pub base: PathBuf,
    /// Whether the folder was named, not the file.
    pub is_folder: bool,
}

impl Project {
    /// The project of a main file, or of a folder and its main file.
    pub fn find(path: &Path, main: Option<&Path>) -> Result<Project, Failure> {
        let is_folder = path.is_dir();
        if !is_folder {
            if main.is_some() {
                let cause = "--main names the main file of a folder, and this is a file";
                return Err(Failure::of_file(&path.display().to_string(), &cause));
            }
            let inner = path.file_name().map(PathBuf::from).unwrap_or_default();
            let root = path.parent().unwrap_or(Path::new("")).to_owned();
            return Ok(Project {
                base: root.clone(),
                root,
                main: path.to_owned(),
                inner,
                is_folder,
            });
        }
        let inner = match main {
            // A path inside of the folder, or one that leads into it.
            Some(main) => match main.strip_prefix(path) {
                Ok(inner) => inner.to_owned(),
                Err(_) => main.to_owned(),
            },
            None => main_file(path)?,
        };
        let main = path.join(&inner);
        if !is_inside(path, &main)? || inner.components().any(|part| part == Component::ParentDir) {
            let cause = "--main names a file in the folder of the manuscript";
            return Err(Failure::of_file(&inner.display().to_string(), &cause));
        }
        Ok(Project {
            root: path.to_owned(),
            base: main.parent().unwrap_or(path).to_owned(),
            main,
            inner,
            is_folder,
        })
    }

    /// Reads the manuscript. TeX may be run in the folder of the main file or in that of the project.
    pub fn read(&mut self) -> Result<ManuscriptFile, Failure> {
        if let Some(book) = unlisted_book(&self.main)? {
            return manuscript::read_bytes(&self.main, &self.base, book.into_bytes());
        }
        let own = manuscript::read_from(&self.main, &self.base)?;
        let is_tex = own.document.format == ManuscriptFormat::Tex;
        if own.document.unread.is_empty() || self.base == self.root || !is_tex {
            return Ok(own);
        }
        let other = manuscript::read_from(&self.main, &self.root)?;
        Ok(if other.document.unread.len() < own.document.unread.len() {
            self.base.clone_from(&self.root);
            other
        } else {
            own
        })
    }
}

/// Whether a file is in a folder, also if links lead to it.
fn is_inside(folder: &Path, file: &Path) -> Result<bool, Failure> {
    let fail = |cause: std::io::Error| Failure::of_file(&file.display().to_string(), &cause);
    Ok(file
        .canonicalize()
        .map_err(fail)?
        .starts_with(folder.canonicalize().map_err(fail)?))
}

/// A changed file outside of the folder has no place in the copy.
pub fn outside(project: &Project, name: &str) -> Failure {
    Failure(format!(
        "{}: {name} has citations and lies outside of the folder; name the folder that has all files, and the main file with --main",
        project.main.display()
    ))
}

/// A book of bookdown that names no chapters, with those that it has: the files of R Markdown beside it, in the
/// order of their names, `index.Rmd` first.
fn unlisted_book(path: &Path) -> Result<Option<String>, Failure> {
    if path.file_name().is_none_or(|name| name != "_bookdown.yml") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(of_path(path))?;
    let listed = documents::book_chapters(&text, &Budget::unlimited());
    if listed.is_ok_and(|chapters| !chapters.is_empty()) {
        return Ok(None);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(of_path(folder))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_chapter =
            name.to_ascii_lowercase().ends_with(".rmd") && !name.starts_with(['_', '.']);
        names.extend(is_chapter.then_some(name));
    }
    names.sort_by_key(|name| (!name.eq_ignore_ascii_case("index.Rmd"), name.clone()));
    let listed: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let is_book = !listed.is_empty();
    Ok(is_book.then(|| format!("{text}\nrmd_files: [{}]\n", listed.join(", "))))
}

/// The main file of a folder.
fn main_file(root: &Path) -> Result<PathBuf, Failure> {
    for name in ["_quarto.yml", "_quarto.yaml", "_bookdown.yml"] {
        let text = std::fs::read_to_string(root.join(name)).unwrap_or_default();
        let chapters = documents::book_chapters(&text, &Budget::unlimited());
        let is_unlisted = || {
            let path = root.join(name);
            Ok::<bool, Failure>(path.is_file() && unlisted_book(&path)?.is_some())
        };
        if chapters.is_ok_and(|chapters| !chapters.is_empty()) || is_unlisted()? {
            return Ok(PathBuf::from(name));
        }
    }
    let levels = levels(root)?;
    let of_kind = |is_main: &dyn Fn(&Path) -> bool| {
        let mut levels = levels.iter();
        levels.find_map(|files| {
            let mains: Vec<PathBuf> = { files.iter() }
                .filter(|file| is_main(&root.join(file)))
                .cloned()
                .collect();
            (!mains.is_empty()).then_some(mains)
        })
    };
    let is_main = |file: &Path| is_tex_main(file) || has_format(file, ManuscriptFormat::Typst);
    let mut found = of_kind(&is_main).unwrap_or_default();
    if found.is_empty() {
        refuse_unread(root, &levels)?;
        let is_text = |file: &Path| has_format(file, ManuscriptFormat::Markdown) && !is_about(file);
        found = of_kind(&is_text).unwrap_or_default();
    }
    let found = not_included(root, found);
    let preferred = |name: &str| {
        let mut named = { found.iter() }.filter(|file| file.file_stem() == Some(name.as_ref()));
        let (one, other) = (named.next(), named.next());
        one.filter(|_| other.is_none())
    };
    let is_tex = |file: &PathBuf| has_format(file, ManuscriptFormat::Tex);
    let one = match found.as_slice() {
        [one] => Some(one),
        // In TeX every document may be the one that is meant.
        found if found.iter().any(is_tex) => None,
        _ => preferred("main").or_else(|| preferred("index")),
    };
    one.cloned().ok_or_else(|| {
        let folder = root.display();
        let names: Vec<String> = found
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        Failure(match names.as_slice() {
            [] => format!("{folder}: holds no manuscript in TeX, Typst or Markdown"),
            names => format!(
                "{folder}: which is the main file? name it in place of the folder, or with --main: {}",
                names.join(", ")
            ),
        })
    })
}

/// Refuses a folder whose manuscript is of a kind that is not read: on its first level with a manuscript.
fn refuse_unread(root: &Path, levels: &[Vec<PathBuf>]) -> Result<(), Failure> {
    let is_text = |file: &PathBuf| has_format(file, ManuscriptFormat::Markdown) && !is_about(file);
    let is_manuscript = |file: &PathBuf| is_text(file) || unread_kind(file.as_path()).is_some();
    let first = levels.iter().find(|files| files.iter().any(is_manuscript));
    let Some(first) = first.filter(|files| !files.iter().any(is_text)) else {
        return Ok(());
    };
    match { first.iter() }.find_map(|file| Some((file, unread_kind(file)?))) {
        Some((file, cause)) => {
            let file = root.join(file).display().to_string();
            Err(Failure::of_file(&file, &cause))
        }
        None => Ok(()),
    }
}

/// Why a file of this name is not read as a manuscript, if it is one.
fn unread_kind(file: &Path) -> Option<DocumentError> {
    let cause = documents::detect(&file.display().to_string(), b"").err()?;
    matches!(cause, DocumentError::Unsupported { .. }).then_some(cause)
}

/// The files of a folder and of those in it, level by level, without hidden ones.
fn levels(root: &Path) -> Result<Vec<Vec<PathBuf>>, Failure> {
    let mut levels = Vec::new();
    let mut folders = vec![PathBuf::new()];
    for _ in 0..MAX_MAIN_DEPTH {
        let (mut files, mut inner) = (Vec::new(), Vec::new());
        for folder in &folders {
            let path = root.join(folder);
            for entry in std::fs::read_dir(&path).map_err(of_path(&path))? {
                let entry = entry?;
                let name = entry.file_name();
                let path = folder.join(&name);
                let kind = entry.file_type()?;
                match () {
                    () if name.to_string_lossy().starts_with(['.', '_']) => {}
                    () if kind.is_dir() && is_copy(&entry.path()) => {}
                    () if kind.is_dir() => inner.push(path),
                    () => files.push(path),
                }
            }
        }
        files.sort();
        levels.push(files);
        folders = inner;
    }
    Ok(levels)
}

/// Whether a folder is a copy that was written into the folder of its original.
fn is_copy(folder: &Path) -> bool {
    folder.join(COPY_MARK).is_file()
}

/// Names the file or folder of a failure.
fn of_path(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |cause| Failure::of_file(&path.display().to_string(), &cause)
}

fn has_format(file: &Path, format: ManuscriptFormat) -> bool {
    let extension = file.extension().map(|ending| ending.to_string_lossy());
    extension.and_then(|ending| ManuscriptFormat::of_extension(&ending)) == Some(format)
}

fn is_about(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .map(|stem| stem.to_string_lossy().to_lowercase());
    stem.is_some_and(|stem| ABOUT.contains(&stem.as_str()))
}

/// Whether a file is a document of its own: not a chapter, not a subfile, not a picture.
fn is_tex_main(file: &Path) -> bool {
    if file
        .extension()
        .is_none_or(|ending| ending != "tex" && ending != "ltx")
    {
        return false;
    }
    let Ok(bytes) = std::fs::read(file) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    let has = |command: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| {
            let line = line.split_once('%').map_or(line, |(before, _)| before);
            let at = line.find(command)?;
            line.get(at + command.len()..).map(str::to_owned)
        })
    };
    // The class may stand in a preamble of its own.
    let is_part = |class: String| class.contains("{subfiles}") || class.contains("{standalone}");
    has("\\begin{document}").is_some() && !has("\\documentclass").is_some_and(is_part)
}

/// The files that no other one of them includes.
fn not_included(root: &Path, found: Vec<PathBuf>) -> Vec<PathBuf> {
    if found.len() < 2 {
        return found;
    }
    let mut included: BTreeSet<PathBuf> = BTreeSet::new();
    for file in &found {
        let folder = file.parent().unwrap_or(Path::new(""));
        let beside = |name: &str| read_sibling(&root.join(folder), name);
        let bytes = std::fs::read(root.join(file)).unwrap_or_default();
        let name = file.display().to_string();
        let read = documents::read(&name, &bytes, &beside, &Budget::unlimited());
        let sources = read.map(|document| document.sources).unwrap_or_default();
        included
            .extend({ sources.iter() }.filter_map(|file| Some(folder.join(file.name.as_ref()?))));
    }
    { found.into_iter() }
        .filter(|file| !included.contains(file))
        .collect()
}

/// The files of a folder that are copied.
pub struct ProjectCopy {
    root: PathBuf,
    /// Relative to the folder.
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl ProjectCopy {
    /// All files, without those of version control and those that links lead to outside of the folder. A
    /// link to a file inside of the folder is copied as the file.
    pub fn plan(root: &Path, output: &Path) -> Result<ProjectCopy, Failure> {
        refuse_content(output)?;
        let root = if root == Path::new("") {
            PathBuf::from(".")
        } else {
            root.to_owned()
        };
        let real = root.canonicalize()?;
        let output = output.canonicalize().ok();
        let mut copy = ProjectCopy {
            root,
            folders: Vec::new(),
            files: Vec::new(),
        };
        let mut bytes = 0;
        let mut open = vec![PathBuf::new()];
        while let Some(folder) = open.pop() {
            let path = copy.root.join(&folder);
            for entry in std::fs::read_dir(&path).map_err(of_path(&path))? {
                let entry = entry?;
                let name = entry.file_name();
                let path = folder.join(&name);
                let kind = entry.file_type()?;
                let target = entry.path().canonicalize().ok();
                if VERSION_CONTROL.iter().any(|own| name == *own)
                    || target.is_some() && target == output
                {
                    continue;
                }
                if kind.is_dir() && is_copy(&entry.path()) {
                    tell!("{}: an earlier copy, not copied", entry.path().display());
                    continue;
                }
                if kind.is_dir() {
                    copy.folders.push(path.clone());
                    open.push(path);
                    continue;
                }
                let target = target.filter(|target| target.starts_with(&real) && target.is_file());
                let Some(target) = target else {
                    tell!("{}: not copied", entry.path().display());
                    continue;
                };
                bytes += target.metadata().map_err(of_path(&entry.path()))?.len();
                copy.files.push(path);
            }
            if copy.files.len() > MAX_FILES || bytes > MAX_BYTES {
                return Err(Failure(format!(
                    "{}: is too large to copy; put the manuscript in a folder of its own",
                    copy.root.display()
                )));
            }
        }
        Ok(copy)
    }

    /// Writes the copy and the changed files: all, or nothing. Returns how many files are unchanged.
    pub fn write(
        &self,
        changed: &BTreeMap<PathBuf, &[u8]>,
        output: &Path,
    ) -> Result<usize, Failure> {
        let fail = |cause: std::io::Error| Failure(format!("{}: {cause}", output.display()));
        let output = if output.is_dir() {
            output.canonicalize().map_err(fail)?
        } else {
            std::path::absolute(output).map_err(fail)?
        };
        let parent = output.parent().unwrap_or(Path::new("/"));
        std::fs::create_dir_all(parent).map_err(fail)?;
        let name = output
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let partial = parent.join(format!(".{name}.{}.partial", std::process::id()));
        std::fs::create_dir(&partial).map_err(fail)?;
        let written = self
            .fill(changed, &partial)
            .and_then(|count| {
                if self.contains(&output) {
                    std::fs::write(partial.join(COPY_MARK), COPY_NOTE).map_err(fail)?;
                }
                Ok(count)
            })
            // An empty folder is replaced.
            .and_then(|count| {
                std::fs::rename(&partial, &output).map_err(fail)?;
                Ok(count)
            });
        written.inspect_err(|_| {
            // The failure is reported; what is left of the copy is of no use.
            let _ = std::fs::remove_dir_all(&partial);
        })
    }

    /// Whether the copy is written into the folder that is copied.
    fn contains(&self, output: &Path) -> bool {
        let parent = output
            .parent()
            .and_then(|parent| parent.canonicalize().ok());
        let root = self.root.canonicalize().ok();
        parent
            .zip(root)
            .is_some_and(|(parent, root)| parent.starts_with(root))
    }

    fn fill(&self, changed: &BTreeMap<PathBuf, &[u8]>, into: &Path) -> Result<usize, Failure> {
        for folder in &self.folders {
            std::fs::create_dir_all(into.join(folder))?;
            copy_mode(&self.root.join(folder), &into.join(folder))?;
        }
        copy_mode(&self.root, into)?;
        let mut unchanged = 0;
        for file in &self.files {
            if !changed.contains_key(file) {
                let from = self.root.join(file);
                std::fs::copy(&from, into.join(file)).map_err(of_path(&from))?;
                unchanged += 1;
            }
        }
        for (file, bytes) in changed {
            let to = into.join(file);
            if let Some(folder) = to.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&to, bytes).map_err(of_path(&to))?;
            copy_mode(&self.root.join(file), &to)?;
        }
        Ok(unchanged)
    }
}

const COPY_NOTE: &str =
    "A copy made by `citation cite`. It is not copied along with its original.\n";

/// Gives a copy the permissions of its original; the owner may always write.
pub fn copy_mode(original: &Path, copy: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let original = std::fs::metadata(original).map_err(of_path(original))?;
    let mode = original.permissions().mode() | 0o600;
    std::fs::set_permissions(copy, std::fs::Permissions::from_mode(mode)).map_err(of_path(copy))
}

/// A folder with content is not written to.
fn refuse_content(output: &Path) -> Result<(), Failure> {
    if !output.exists() {
        return Ok(());
    }
    let is_empty = output.is_dir() && std::fs::read_dir(output)?.next().is_none();
    if is_empty {
        Ok(())
    } else {
        Err(Failure(format!(
            "{}: is not empty; name a new folder, or empty it",
            output.display()
        )))
    }
}
