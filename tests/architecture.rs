//! The shape of the code: imports point down, no circle of files is longer than three, and the map in
//! `docs/architecture.md` names every module.
//!
//! `CITATION_WRITE_MAP=1 cargo test --test architecture` writes the map anew, with today's sizes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates, and the modules of the service, from the bottom up. Each may import what stands before
/// it.
const ORDER: &[&str] = &[
    "testing",
    "model",
    "fields",
    "csl",
    "exchange",
    "matching",
    "records",
    "documents",
    "citing",
    "embedded",
    "clock",
    "histogram",
    "background",
    "config",
    "manuscript",
    "store",
    "provider",
    "corpus",
    "styles",
    "disk",
    "backups",
    "updates",
    "harvest",
    "quota",
    "jobs",
    "webhooks",
    "blocking",
    "auth",
    "mail",
    "collections",
    "lookup",
    "formatting",
    "app",
    "recovery",
    "ui",
    "api",
    "cli",
];

/// The most files that may import each other in a circle.
const MAX_CIRCLE_LENGTH: usize = 3;

/// One source file.
struct Source {
    /// From the top of the repository.
    path: String,
    /// `["csl", "eval", "names"]`: the crate or the service's module, then the modules below it.
    module: Vec<String>,
    /// Without comments, texts and unit tests.
    code: String,
    /// Lines of code, without comments, blank lines and unit tests.
    lines: usize,
}

#[test]
fn imports_point_down() {
    let sources = sources();
    let mut faults = Vec::new();
    for (from, to) in imports(&sources) {
        let (lower, upper) = (rank(&sources[to].module), rank(&sources[from].module));
        if lower > upper {
            faults.push(format!(
                "{} imports {}",
                sources[from].path, sources[to].path
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Standard output and standard error have one writer, which shows what a terminal would obey.
#[test]
fn only_the_writer_of_the_terminal_prints() {
    // Streams of protocols, and a process that only the program itself runs.
    const STREAMS: [&str; 7] = [
        "src/cli/terminal.rs",
        "src/cli/log.rs",
        "src/cli/mod.rs",
        "src/cli/mcp.rs",
        "src/cli/pandoc.rs",
        "src/cli/reverse.rs",
        "src/cli/identify.rs",
    ];
    for source in sources() {
        let is_service =
            source.path.starts_with("src/") && source.path != "src/manuscript/apart.rs";
        if !is_service || STREAMS.contains(&source.path.as_str()) {
            continue;
        }
        for call in [
            "println!",
            "print!(",
            "io::stdout",
            "io::stderr",
            "/dev/tty",
        ] {
            let is_terminal_check = source.code.matches(call).count()
                == source
                    .code
                    .matches(&format!("{call}().is_terminal"))
                    .count();
            assert!(is_terminal_check, "{} has {call}", source.path);
        }
    }
}

#[test]
fn import_cycles_have_at_most_three_files() {
    let sources = sources();
    let imports = imports(&sources);
    let mut told = String::new();
    let mut longest = 0;
    for circle in circles(sources.len(), &imports) {
        longest = longest.max(circle.len());
        writeln!(told, "{} files:", circle.len()).unwrap();
        let inside = |(from, to): &&(usize, usize)| circle.contains(from) && circle.contains(to);
        for (from, to) in imports.iter().filter(inside) {
            writeln!(
                told,
                "  {} imports {}",
                sources[*from].path, sources[*to].path
            )
            .unwrap();
        }
    }
    println!("{told}");
    assert!(longest <= MAX_CIRCLE_LENGTH, "{told}");
}

#[test]
fn map_names_every_module() {
    let file = root().join("docs/architecture.md");
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once("<!-- map -->\n").expect("a map");
    let (map, after) = rest.split_once("<!-- end of map -->\n").expect("its end");
    let sources = sources();
    if std::env::var_os("CITATION_WRITE_MAP").is_some() {
        let page = format!(
            "{before}<!-- map -->\n{}<!-- end of map -->\n{after}",
            draw(&sources)
        );
        fs::write(&file, page).unwrap();
        return;
    }
    let modules: BTreeSet<&str> = sources
        .iter()
        .map(|source| source.module[0].as_str())
        .collect();
    let absent = modules
        .iter()
        .filter(|module| !map.contains(&format!("`{module}`")));
    let absent: Vec<_> = absent.collect();
    assert!(absent.is_empty(), "CITATION_WRITE_MAP=1 adds {absent:?}");
}

/// A row a module, from the top down.
fn draw(sources: &[Source]) -> String {
    let mut map = String::from(
        "| module | where | files | lines of code | imports |\n|---|---|---|---|---|\n",
    );
    let mut imported: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in imports(sources) {
        let (from, to) = (
            sources[from].module[0].as_str(),
            sources[to].module[0].as_str(),
        );
        if from != to {
            imported.entry(from).or_default().insert(to);
        }
    }
    for module in ORDER.iter().rev() {
        let of: Vec<&Source> = sources.iter().filter(|s| s.module[0] == *module).collect();
        let Some(first) = of.first() else { continue };
        let folder = first.path.split('/').next().unwrap();
        let place = if folder == "crates" {
            format!("crates/{module}")
        } else {
            "src".to_owned()
        };
        let lines: usize = of.iter().map(|source| source.lines).sum();
        let below: Vec<&str> = imported
            .get(module)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        writeln!(
            map,
            "| `{module}` | {place} | {} | {lines} | {} |",
            of.len(),
            below.join(", ")
        )
        .unwrap();
    }
    let lines: usize = sources.iter().map(|source| source.lines).sum();
    writeln!(map, "| all | | {} | {lines} | |", sources.len()).unwrap();
    map
}

fn rank(module: &[String]) -> usize {
    let name = module[0].as_str();
    ORDER
        .iter()
        .position(|known| *known == name)
        .unwrap_or_else(|| panic!("{name} has no place in ORDER"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

// ---- reading the tree ----

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for krate in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = krate.file_name().to_string_lossy().into_owned();
        collect(&krate.path().join("src"), &[name], &mut found);
    }
    collect(&root().join("src"), &[], &mut found);
    found.sort_by(|a: &Source, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, module: &[String], found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let below = [module, &[stem]].concat();
            collect(&path, &below, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_tests(&stem) {
            // The top files of the service only list its modules.
            if module.is_empty() && matches!(stem.as_str(), "lib" | "main") {
                continue;
            }
            let is_door = matches!(stem.as_str(), "mod" | "lib");
            let own = if is_door {
                module.to_vec()
            } else {
                [module, &[stem]].concat()
            };
            found.push(read(&path, own));
        }
    }
}

fn is_tests(stem: &str) -> bool {
    stem == "tests" || stem.ends_with("_tests")
}

fn read(path: &Path, module: Vec<String>) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    let (lines, code): (Vec<&str>, String) = (
        lines.clone().collect(),
        lines.collect::<Vec<_>>().join("\n"),
    );
    Source {
        path: path
            .strip_prefix(root())
            .unwrap()
            .to_string_lossy()
            .into_owned(),
        module,
        lines: lines.len(),
        code,
    }
}

// ---- imports ----

/// Which file imports which, by index.
fn imports(sources: &[Source]) -> BTreeSet<(usize, usize)> {
    let by_module: BTreeMap<&[String], usize> = sources
        .iter()
        .enumerate()
        .map(|(at, source)| (source.module.as_slice(), at))
        .collect();
    let mut found = BTreeSet::new();
    for (from, source) in sources.iter().enumerate() {
        let is_crate = source.path.starts_with("crates/");
        for path in paths(&source.code) {
            let Some(absolute) = resolve(&path, &source.module, is_crate) else {
                continue;
            };
            // The longest beginning that is a file; what follows is an item in it.
            let target = (1..=absolute.len())
                .rev()
                .find_map(|end| by_module.get(&absolute[..end]));
            found.extend(target.filter(|to| **to != from).map(|to| (from, *to)));
        }
    }
    found
}

/// A path as a module path from the top; nothing for foreign crates.
fn resolve(path: &[String], module: &[String], is_crate: bool) -> Option<Vec<String>> {
    let mut base: Vec<String> = match path.first()?.as_str() {
        "crate" if is_crate => vec![module[0].clone()],
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module[..module.len() - 1].to_vec(),
        foreign => vec![foreign.strip_prefix("citation_")?.to_owned()],
    };
    for part in &path[1..] {
        match part.as_str() {
            "super" => drop(base.pop()),
            "self" => {}
            other => base.push(other.to_owned()),
        }
    }
    Some(base)
}

/// Every path that begins at a crate, `self` or `super`, with the lists of `use` taken apart.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::", "citation_"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '"') {
                continue;
            }
            spell_out(&code[at..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Reads `a::b::{c, d::{e, f}}` and gives back what is left of the text.
fn spell_out<'t>(text: &'t str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'t str {
    let depth = prefix.len();
    let mut rest = text;
    loop {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        prefix.push(rest[..end].to_owned());
        rest = &rest[end..];
        let Some(after) = rest.strip_prefix("::") else {
            break;
        };
        if let Some(list) = after.strip_prefix('{') {
            let mut list = list.trim_start();
            while !list.is_empty() && !list.starts_with('}') {
                list = spell_out(list, prefix, found);
                list = list.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == '*');
            }
            prefix.truncate(depth);
            return list.strip_prefix('}').unwrap_or(list);
        }
        rest = after;
    }
    found.push(prefix.clone());
    prefix.truncate(depth);
    // `as name` belongs to the path.
    match rest.strip_prefix(" as ") {
        Some(name) => name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'),
        None => rest,
    }
}

// ---- circles ----

/// The sets of files that import each other, by way of others or not.
fn circles(count: usize, imports: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let mut reach: Vec<BTreeSet<usize>> = Vec::with_capacity(count);
    for from in 0..count {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            let next = imports.range((at, 0)..(at + 1, 0)).map(|(_, to)| *to);
            open.extend(next.filter(|to| seen.insert(*to)));
        }
        reach.push(seen);
    }
    let mut found = BTreeSet::new();
    for from in 0..count {
        let circle: Vec<usize> = reach[from]
            .iter()
            .copied()
            .filter(|to| reach[*to].contains(&from))
            .collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

#[test]
fn use_paths_are_expanded() {
    let code = "use crate::a::{b, c::{D, e as F}};\nlet x = super::g::h(1);";
    let told: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
    assert_eq!(
        told,
        [
            "crate::a::b",
            "crate::a::c::D",
            "crate::a::c::e",
            "super::g::h"
        ]
    );
}
