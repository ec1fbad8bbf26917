//! What the commands print about hostile files: no control character, no mark of direction out of place, no line that
//! a field began, and no command to a CI system.

use std::path::Path;

use citation_model::inert::is_invisible;
use serde_json::{Value, json};

use crate::support::program::{Run, run};

/// Escape sequences (title, colour, clipboard, link), C1, marks of direction, invisible characters, line breaks with
/// commands of CI systems, and a verdict of another reference.
const EVIL: &str = "E\u{1b}]0;t\u{7}\u{1b}[31m\u{1b}]52;c;eA==\u{7}\u{1b}]8;;http://x\u{1b}\\\u{9b}31m\
    \u{202e}r\u{2066}i\u{200f}m\u{61c}z\u{200b}\u{2028}\r\n::error file=a,line=1::forged\n\
    ::add-mask::citation\n##[error]forged\nverified     forged.json:1  x\tend\u{8}";

/// A name of a file that is as hostile as names can be.
const FILE: &str = "a\n::error::b\u{1b}[31m\u{202e}.json";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let items = json!([
        {"id": format!("k{EVIL}"), "type": "article-journal", "title": EVIL, "DOI": "10.1038/171737a0",
         "container-title": EVIL, "issued": {"date-parts": [[1963]]},
         "author": [{"family": EVIL, "given": "J"}]},
        {"id": "b", "type": "book", "title": format!("Unknown {EVIL}"), "note": EVIL},
    ]);
    let bibtex = format!(
        "@article{{k{EVIL},\n title={{{EVIL}}}, year={{1963}}, doi={{10.1038/171737a0}}}}\n@b {EVIL}"
    );
    let markdown = format!(
        "# T\n\nSee [@k\u{202e}] and [@unknown].\n\n# References\n\nDoe, J. (2001). {EVIL} Rings 1.\n"
    );
    let tex = format!(
        "\\documentclass{{article}}\\begin{{document}}\\cite{{k\u{202e}x}} {EVIL}\\bibliography{{none\u{1b}[31m}}\\end{{document}}"
    );
    for (name, text) in [
        (FILE, items.to_string()),
        ("a.json", items.to_string()),
        ("a.bib", bibtex),
        ("a.md", markdown),
        ("a.tex", tex),
        ("a.txt", format!("10.1038/171737a0 {EVIL}\n{EVIL}")),
        ("a.csl", format!("<style>{EVIL}")),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    run(
        folder.path(),
        &["--data", "data", "--init", "corpus", "stats"],
        b"",
    )
    .done();
    folder
}

/// The rule for what people and logs see.
#[track_caller]
fn check_shown(arguments: &[&str], text: &str) {
    for line in text.split('\n') {
        // A page is no list of lines: white space of a text has no meaning there.
        let is_page = arguments.contains(&"html");
        let is_kept = |c: char| c == '\t' && is_page;
        let bad: Vec<char> = line
            .chars()
            .filter(|c| is_invisible(*c) && !is_kept(*c))
            .collect();
        assert!(bad.is_empty(), "{arguments:?} sent {bad:?}: {line:?}");
        let is_own = line.starts_with("::error file=")
            || line.starts_with("::warning file=")
            || line.starts_with("::notice file=");
        let is_command = line.trim_start().starts_with("::") && !is_own;
        assert!(
            !is_command && !line.contains("##["),
            "{arguments:?}: {line:?}"
        );
        assert!(
            (is_page || !line.starts_with("verified     forged"))
                && !line.starts_with("::error file=a,line=1::forged"),
            "{arguments:?}: {line:?}"
        );
    }
}

fn shown(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let mut all = vec!["--data", "data"];
    all.extend(arguments);
    let ran = run(folder, &all, input);
    check_shown(arguments, &ran.said);
    ran
}

#[test]
fn no_command_sends_what_a_file_contains_to_the_terminal() {
    let folder = folder();
    let folder = folder.path();
    let check = |arguments: &[&str], input: &str| {
        let ran = shown(folder, arguments, input.as_bytes());
        check_shown(arguments, &ran.out);
    };
    for file in [
        FILE,
        "a.json",
        "a.bib",
        "a.md",
        "a.tex",
        "a.txt",
        "missing\u{1b}[31m\n::error::x",
    ] {
        for to in ["table", "jsonl", "csv", "annotations", "sarif", "html"] {
            check(&["verify", "--local-only", "--to", to, file], "");
        }
        check(
            &["verify", "--local-only", "--fix", "--output", "fixed", file],
            "",
        );
        check(&["references", file], "");
        check(&["references", "--jsonl", file], "");
        check(&["format", file], "");
        check(&["--json", "format", file], "");
        check(&["convert", "--to", "csl-json", file], "");
        check(&["identify", file], "");
        check(&["webpage", file], "");
        check(&["styles", "check", file], "");
        check(&["journals", "import", file], "");
        check(&["ingest", file], "");
        check(&["--json", "ingest", file], "");
        check(&["config", "check", file], "");
        check(&["backup", file], "");
        check(&["restore", file], "");
    }
    for text in [
        EVIL,
        "10.1038/171737a0\u{202e}",
        "10.9999/\u{9b}31m\u{202e}x",
    ] {
        for json in [&[][..], &["--json"]] {
            let with = |arguments: &[&str], input: &str| check(&[json, arguments].concat(), input);
            with(&["lookup", "--local-only", text], "");
            with(&["lookup", "--local-only"], &text.replace('\n', " "));
            with(&["reverse", "--local-only", text], "");
            with(&["journals", "expand", text], "");
            with(&["journals", "abbreviate", text], "");
            with(&["styles", "show", text], "");
            with(&["styles", "search", text], "");
            with(&["styles", "remove", text], "");
            with(&["corpus", "get", text], "");
            with(&["corpus", "delete", text], "");
            with(&["user", "show", text], "");
            with(&["user", "add", text], "");
            with(&["user", "invite", "--email", text], "");
            with(&["audit", "--account", text], "");
            with(&["usage", text], "");
            with(&["doctor", "--local-only"], "");
            with(&["healthcheck", text], "");
            with(&[text], "");
        }
        let line = json!({"id": text, "text": text}).to_string();
        check(&["reverse", "--jsonl", "--local-only"], &line);
        check(
            &["citeproc"],
            &json!({"kind": "job", "id": text, "style": text, "items": []}).to_string(),
        );
    }
    // The lines that stay data on a pipe: what goes to standard error is still for people.
    for arguments in [
        &["convert", "--to", "bibtex", "a.json"][..],
        &["cite", "a.md"],
        &["collect", "--local-only", "a.tex"],
    ] {
        shown(folder, arguments, b"");
    }
}

#[test]
fn json_for_programs_means_the_same() {
    let folder = folder();
    let ran = shown(
        folder.path(),
        &["convert", "--to", "csl-json", "a.json"],
        b"",
    );
    let items: Value = serde_json::from_str(&ran.out).unwrap();
    let title = items[0]["title"].as_str().unwrap();
    assert!(
        title.contains("\u{1b}]0;t\u{7}") && title.contains('\u{202e}'),
        "{title:?}"
    );
}

/// Converted text is data: a pipe gets every character of it.
#[test]
fn converted_text_is_unchanged_on_a_pipe() {
    let folder = folder();
    let input = json!([{"id": "a", "type": "book", "title": "\u{5d0}\u{200f}! \u{202a}x\u{202c}"}])
        .to_string();
    std::fs::write(folder.path().join("b.json"), input).unwrap();
    let ran = shown(folder.path(), &["convert", "--to", "ris", "b.json"], b"");
    assert!(
        ran.out.contains("\u{5d0}\u{200f}! \u{202a}x\u{202c}"),
        "{}",
        ran.out
    );
}
