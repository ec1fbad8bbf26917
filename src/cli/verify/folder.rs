//! The manuscripts and bibliographies of folders, and references that several papers share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use citation_matching::normalize::squeeze;

/// The extensions of files that a folder is searched for.
const EXTENSIONS: [&str; 13] = [
    "bib", "docx", "html", "md", "nbib", "odt", "pdf", "qmd", "ris", "rtf", "tex", "txt", "typ",
];

/// The maximum depth of folders.
const MAX_DEPTH: usize = 8;

/// Replaces folders by the files in them and in their folders, in order of their names. Hidden ones are left out.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            add_files(path, MAX_DEPTH, &mut files)?
        } else {
            files.push(path.clone())
        }
    }
    Ok(files)
}

fn add_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let fail = |cause: std::io::Error| Failure(format!("{}: {cause}", folder.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let extension = extension.to_ascii_lowercase();
        if name.starts_with('.') || path.is_symlink() {
            continue;
        }
        if path.is_dir() && depth > 0 {
            add_files(&path, depth - 1, files)?;
        } else if path.is_file() && EXTENSIONS.contains(&extension.as_str()) {
            files.push(path);
        }
    }
    Ok(())
}

/// References that no source has, by their letters, with the files that have them.
#[derive(Debug, Default)]
pub struct SharedReferences(BTreeMap<String, (String, Vec<String>)>);

impl SharedReferences {
    pub fn add(&mut self, reference: &str, file: &str) {
        let known = self.0.entry(squeeze(reference));
        let (_, files) = known.or_insert_with(|| (reference.to_owned(), Vec::new()));
        if files.last().is_none_or(|last| last != file) {
            files.push(file.to_owned());
        }
    }

    /// Those in two files or more: the reference, and the files.
    pub fn several(&self) -> impl Iterator<Item = &(String, Vec<String>)> {
        self.0.values().filter(|(_, files)| files.len() > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_has_the_files_of_its_folders_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("b")).unwrap();
        for name in ["z.bib", "b/a.TEX", "a.docx", ".x.bib", "figure.png"] {
            std::fs::write(at(name), "").unwrap();
        }
        let files = expand(&[folder.path().to_owned(), PathBuf::from("-")]);
        let expected = [at("a.docx"), at("b/a.TEX"), at("z.bib"), PathBuf::from("-")];
        assert_eq!(files.ok().unwrap(), expected);
        assert!(expand(&[at("b/none")]).is_ok());
    }

    #[test]
    fn shared_reference_is_in_two_files() {
        let mut shared = SharedReferences::default();
        shared.add("Doe, J. On tides.", "a.bib");
        shared.add("Doe J: On tides", "a.bib");
        assert_eq!(shared.several().count(), 0);
        shared.add("Doe J. On Tides", "b.bib");
        let (reference, files) = shared.several().next().unwrap();
        assert_eq!((reference.as_str(), files.len()), ("Doe, J. On tides.", 2));
    }
}
