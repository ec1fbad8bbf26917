//! The program, folders as values, and the tools that compile results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a folder, by relative path.
pub type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// What the program said, and how it ended.
pub struct Run {
    pub said: String,
    pub code: i32,
}

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Run {
    let data = folder.join("data");
    let output = Command::new(env!("CARGO_BIN_EXE_citation"))
        .current_dir(folder)
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder)
        .args(arguments)
        .args(["--init", "--data"])
        .arg(data)
        .output()
        .unwrap();
    Run {
        said: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Formats a manuscript in APA style into `out`, in a folder of its own.
pub fn cite(manuscript: &Path, main: Option<&str>) -> (Run, Tree) {
    let folder = tempfile::tempdir().unwrap();
    let manuscript = manuscript.canonicalize().unwrap();
    let path = manuscript.to_str().unwrap();
    let mut arguments = vec!["cite", path, "--style", "apa", "--local-only", "-o", "out/"];
    arguments.extend(main.iter().flat_map(|main| ["--main", main]));
    let run = run(folder.path(), &arguments);
    let out = folder.path().join("out");
    let tree = if out.exists() {
        read(&out)
    } else {
        Tree::new()
    };
    (run, tree)
}

pub fn read(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let inner = path.strip_prefix(folder).unwrap().to_owned();
            tree.insert(inner, std::fs::read(&path).unwrap());
        }
    }
    tree
}

pub fn write(tree: &Tree, folder: &Path) {
    for (name, bytes) in tree {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Compiles a file, if the compiler is installed. What it prints is the reason of a failure.
pub fn compiles(tree: &Tree, compiler: &str, arguments: &[&str]) {
    if Command::new(compiler).arg("--version").output().is_err() {
        println!("skipped: {compiler} is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write(tree, folder.path());
    let output = Command::new(compiler)
        .current_dir(folder.path())
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler}: {said}");
}
