//! Real and made manuscripts in TeX, Typst and Markdown: what is no citation stays.

use std::path::Path;

use citation_documents::{Document, read as read_document};
use citation_model::budget::Budget;
use citation_testing::suite;

use crate::support::{Tree, cite, read};

/// Beginnings of what must stay as often as it was.
const KEPT: [&str; 26] = [
    "\\include{",
    "\\input",
    "\\subfile{",
    "\\import{",
    "\\subimport{",
    "\\footnote{",
    "\\chapter{",
    "\\section{",
    "\\subsection{",
    "\\begin{figure",
    "\\begin{table",
    "\\begin{tabular",
    "\\includegraphics",
    "\\label{",
    "\\ref{",
    "#include",
    "#import",
    "#figure",
    "#table",
    "#footnote",
    "#image",
    "{{< include",
    "[^",
    "![",
    "\n## ",
    "\n|",
];

/// What a line with a citation, or with the place of the list, contains.
const CITING: [&str; 9] = [
    "cite",
    "@",
    "bibliography",
    "#refs",
    "\\footfull",
    "\\fullref",
    "\\refer",
    "\\begin{document}",
    "\\end{document}",
];

/// A document as the program reads it.
fn document(folder: &Path, main: &str) -> Document {
    let path = folder.join(main);
    let beside = |name: &str| std::fs::read(path.parent().unwrap().join(name)).ok();
    let bytes = std::fs::read(&path).unwrap();
    read_document(main, &bytes, &beside, &Budget::unlimited()).unwrap()
}

/// The lines of a text that cite nothing.
fn plain_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let has = |line: &[u8], word: &str| line.windows(word.len()).any(|at| at == word.as_bytes());
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !CITING.iter().any(|word| has(line, word)))
        .collect()
}

fn count(bytes: &[u8], word: &str) -> usize {
    let text = String::from_utf8_lossy(bytes);
    text.matches(word).count()
}

/// Checks a copy with its citations formatted against the original.
fn check(name: &str, folder: &Path, main: &str, before: &Tree, after: &Tree) {
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>(),
        "{name}: files"
    );
    for (path, old) in before {
        let new = &after[path];
        if old == new {
            continue;
        }
        let mut lines = new.split(|byte| *byte == b'\n');
        for line in plain_lines(old) {
            assert!(
                lines.any(|found| found == line),
                "{name}: {}: “{}” has changed",
                path.display(),
                String::from_utf8_lossy(line)
            );
        }
        for word in KEPT {
            assert_eq!(
                count(old, word),
                count(new, word),
                "{name}: {}: {word}",
                path.display()
            );
        }
    }
    let written = tempfile::tempdir().unwrap();
    crate::support::write(after, written.path());
    let left = document(written.path(), main).citations;
    assert!(left.is_empty(), "{name}: {left:?} of {}", folder.display());
}

/// Formats a manuscript, and checks the copy. Every work without a name is reported with its place.
fn check_manuscript(name: &str, folder: &Path, main: &str) {
    let (run, after) = cite(folder, Some(main));
    let document = document(folder, main);
    let unknown = { document.findings.iter() }
        .filter(|finding| finding.kind == citation_documents::FindingKind::UndefinedKey)
        .flat_map(|finding| &finding.keys);
    for key in unknown {
        let is_cited = { document.citations.iter() }
            .any(|citation| citation.items.iter().any(|cited| cited.cite.id == *key));
        let is_named = { run.said.lines() }
            .any(|line| line.contains(&format!("“{key}”")) && line.contains(':'));
        assert!(!is_cited || is_named, "{name}: {key}: {}", run.said);
    }
    assert!(run.code < 2, "{name}: {}", run.said);
    check(name, folder, main, &read(folder), &after);
}

#[test]
fn documents_keep_everything_else() {
    let Some(documents) = suite("data/documents") else {
        return;
    };
    let index = std::fs::read_to_string(documents.join("index.tsv")).unwrap();
    for line in index.lines().skip(1) {
        let file = Path::new(line.split('\t').next().unwrap());
        let extension = file.extension().unwrap().to_str().unwrap();
        let parent = file.parent().unwrap();
        // A document without companions lies among the others.
        if !["tex", "md", "qmd", "typ"].contains(&extension) {
            continue;
        }
        let main = file.file_name().unwrap().to_str().unwrap();
        let mut folder = documents.join(parent);
        let alone = tempfile::tempdir().unwrap();
        if parent == Path::new("files") {
            std::fs::copy(documents.join(file), alone.path().join(main)).unwrap();
            folder = alone.path().to_owned();
        }
        check_manuscript(&file.display().to_string(), &folder, main);
    }
}

#[test]
fn reported_projects_keep_everything_else() {
    let Some(field) = suite("data/reported/field") else {
        return;
    };
    for (name, main) in [
        ("tex-multi-file", "main.tex"),
        ("tex-multi-file", "sub.tex"),
        ("tex-multi-file", "imp.tex"),
        ("typst-multi-file", "main.typ"),
        ("typst-template-bibliography", "main.typ"),
        ("md-include", "main.qmd"),
        ("quarto-book-uncited", "_quarto.yml"),
        ("bookdown-chapter", "_bookdown.yml"),
    ] {
        check_manuscript(name, &field.join(name), main);
    }
}

#[test]
fn roles_of_myst_are_set() {
    let Some(field) = suite("data/reported/field") else {
        return;
    };
    let (run, after) = cite(&field.join("myst-cite"), Some("chapter.md"));
    assert_eq!(run.code, 0, "{}", run.said);
    let text = String::from_utf8(after[Path::new("chapter.md")].clone()).unwrap();
    let start = "# One\n\nAs Roe (2001) showed (Doe, 2002; Poe, 2003); see also (Roe, 2001).\n\nDoe, J. (2002).";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn manuscripts_that_are_not_read_are_refused_by_name() {
    let Some(field) = suite("data/reported/field") else {
        return;
    };
    for (name, kind) in [
        ("in.org", "an Org document"),
        ("in.rst", "a reStructuredText document"),
        ("in.adoc", "an AsciiDoc document"),
        ("in.ipynb", "a Jupyter notebook"),
    ] {
        let path = field
            .join("org-rst-adoc")
            .join(name)
            .canonicalize()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        for command in ["references", "verify", "collect", "cite"] {
            let run = crate::support::run(folder.path(), &[command, path.to_str().unwrap()]);
            assert_eq!(run.code, 2, "{command} {name}: {}", run.said);
            assert!(run.said.contains(kind), "{command} {name}: {}", run.said);
        }
    }
}

#[test]
fn bibliographies_and_data_are_no_manuscripts() {
    let Some(field) = suite("data/reported/field") else {
        return;
    };
    for name in ["in.bib", "in.ris"] {
        let path = field.join("references-on-bibliography").join(name);
        let path = path.canonicalize().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let run = crate::support::run(folder.path(), &["references", path.to_str().unwrap()]);
        assert_eq!(run.code, 2, "{name}: {}", run.said);
        assert!(run.said.contains("convert"), "{name}: {}", run.said);
    }
}

#[test]
fn data_of_a_kind_that_is_not_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shelf =
        "<?xml version=\"1.0\"?>\n<shelf><thing><label>Alpha work</label></thing></shelf>\n";
    std::fs::write(folder.path().join("shelf.xml"), shelf).unwrap();
    for command in [&["verify"][..], &["convert", "--to", "ris"]] {
        let arguments = [command, &["shelf.xml"]].concat();
        let run = crate::support::run(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{command:?}: {}", run.said);
        assert!(run.said.contains("XML"), "{command:?}: {}", run.said);
    }
}

#[test]
fn folder_with_several_documents_is_refused_by_name() {
    let Some(field) = suite("data/reported/field") else {
        return;
    };
    let (run, after) = cite(&field.join("tex-multi-file"), None);
    assert_eq!((run.code, after.len()), (2, 0), "{}", run.said);
    for name in ["main.tex", "sub.tex", "imp.tex", "--main"] {
        assert!(run.said.contains(name), "{}", run.said);
    }
}
