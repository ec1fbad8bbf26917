//! The peers: how each is obtained and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Files, Run};

const CITEPROC_JS: &str = "citeproc@2.4.63";
const CITEPROC_JS_RUNNER: &str = include_str!("citeproc.js");
const HAYAGRIVA_MANIFEST: &str = include_str!("hayagriva/Cargo.toml");
/// The sources of the crate that runs hayagriva, by name.
const HAYAGRIVA_RUNNER: [(&str, &str); 3] = [
    ("main.rs", include_str!("hayagriva/main.rs")),
    ("clock.rs", include_str!("../clock.rs")),
    ("measure.rs", include_str!("measure.rs")),
];

/// An available engine.
pub enum Peer {
    /// The folder of the npm installation.
    CiteprocJs(PathBuf),
    /// The program built around it.
    Hayagriva(PathBuf),
    Pandoc,
}

/// Obtains a peer, or returns why it is not available.
type Maker = fn(&Path) -> Result<Peer, String>;

/// All available peers; prints which are not, and why.
pub fn all(files: &Files) -> Vec<Peer> {
    let makers: [(&str, Maker); 3] = [
        ("citeproc-js", citeproc_js),
        ("hayagriva", hayagriva),
        ("pandoc", pandoc),
    ];
    let made = makers.into_iter().filter_map(|(name, make)| {
        make(&files.work)
            .inspect_err(|reason| println!("{name} is left out: {reason}"))
            .ok()
    });
    made.collect()
}

fn citeproc_js(work: &Path) -> Result<Peer, String> {
    let folder = work.join("npm");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    fs::write(folder.join("run.js"), CITEPROC_JS_RUNNER).map_err(|e| e.to_string())?;
    if !folder.join("node_modules/citeproc").is_dir() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]);
        finish(npm.arg(&folder).arg(CITEPROC_JS))?;
    }
    finish(Command::new("node").arg("--version"))?;
    Ok(Peer::CiteprocJs(folder))
}

fn hayagriva(work: &Path) -> Result<Peer, String> {
    let folder = work.join("hayagriva");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    fs::write(folder.join("Cargo.toml"), HAYAGRIVA_MANIFEST).map_err(|e| e.to_string())?;
    for (name, source) in HAYAGRIVA_RUNNER {
        fs::write(folder.join(name), source).map_err(|e| e.to_string())?;
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--quiet"])
        .current_dir(&folder);
    finish(cargo.env("CARGO_TARGET_DIR", folder.join("target")))?;
    Ok(Peer::Hayagriva(folder.join("target/release/peer")))
}

fn pandoc(_: &Path) -> Result<Peer, String> {
    finish(Command::new("pandoc").arg("--version"))?;
    Ok(Peer::Pandoc)
}

impl Peer {
    pub fn name(&self) -> &'static str {
        match self {
            Peer::CiteprocJs(_) => "citeproc-js",
            Peer::Hayagriva(_) => "hayagriva",
            Peer::Pandoc => "pandoc",
        }
    }

    /// Formats a bibliography.
    pub fn run(&self, files: &Files, style: &str, count: usize) -> Result<Run, String> {
        let (style, items) = (files.style(style), files.items(count));
        match self {
            Peer::CiteprocJs(folder) => {
                let mut node = Command::new("node");
                node.arg(folder.join("run.js"));
                answer(with(node, &[&style, &files.locales, items]))
            }
            Peer::Hayagriva(program) => answer(with(
                Command::new(program),
                &[&style, &files.locales, items],
            )),
            Peer::Pandoc => run_pandoc(files, &style, items),
        }
    }
}

/// pandoc reports no times, so the better of two whole runs is measured, minus one with a single item,
/// which counts as compilation.
fn run_pandoc(files: &Files, style: &Path, items: &Path) -> Result<Run, String> {
    let document = files.work.join("nocite.md");
    fs::write(&document, "---\nnocite: '@*'\n---\n").map_err(|e| e.to_string())?;
    let measure = |items: &Path| {
        let mut command = Command::new("pandoc");
        command.args(["--citeproc", "--from", "markdown", "--to", "html"]);
        command
            .arg("--csl")
            .arg(style)
            .arg("--bibliography")
            .arg(items);
        let mut command = pinned(with(command, &[&document]));
        let before = children_seconds();
        let output = finish(&mut command)?;
        let between = children_seconds();
        finish(&mut command)?;
        let best = (between - before).min(children_seconds() - between);
        Ok::<_, String>((output, best))
    };
    let (_, one) = measure(files.items(1))?;
    let (html, all) = measure(items)?;
    if all < one * 1.1 {
        return Err("its work cannot be told from its start".to_owned());
    }
    Ok(Run {
        compile_ms: one * 1e3,
        seconds: all - one,
        entries: html.matches("class=\"csl-entry\"").count(),
        bytes: html.len(),
        peak_mb: f64::NAN,
    })
}

fn with(mut command: Command, paths: &[&Path]) -> Command {
    command.args(paths);
    command
}

/// Runs an engine that prints a line of JSON.
pub fn answer(command: Command) -> Result<Run, String> {
    let output = finish(&mut pinned(command))?;
    serde_json::from_str(&output).map_err(|e| format!("{e} in {output:?}"))
}

/// The same command pinned to one core, if possible.
fn pinned(command: Command) -> Command {
    let there = Command::new("taskset").arg("--version").output().is_ok();
    if !there {
        return command;
    }
    let last = std::thread::available_parallelism().map_or(0, |n| n.get() - 1);
    let mut outer = Command::new("taskset");
    outer
        .arg("-c")
        .arg(last.to_string())
        .arg(command.get_program());
    outer.args(command.get_args());
    outer
}

/// The output of a program; the end of its error output if it fails.
fn finish(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
    Err(format!("{program}: {}", last.unwrap_or("it failed")))
}

/// CPU seconds of all finished children, in the kernel's ticks of 1/100 s.
fn children_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| -> f64 {
        let field = after_name.split_whitespace().nth(at);
        field.and_then(|text| text.parse().ok()).unwrap_or(0.0)
    };
    // Fields 16 and 17 of proc(5), counted from the one after the name.
    (ticks(13) + ticks(14)) / 100.0
}
