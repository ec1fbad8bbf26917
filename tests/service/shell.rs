//! Completions and manual: their content, and that real shells load them if installed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::program::run;

fn print(arguments: &[&str]) -> String {
    run(Path::new("/"), arguments, b"").done()
}

#[test]
fn completions_name_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = print(&["completions", shell]);
        assert!(
            script.contains("reverse") && script.contains("local-only"),
            "{shell}"
        );
    }
}

#[test]
fn shells_load_their_completions() {
    for shell in ["bash", "zsh", "fish"] {
        let script = print(&["completions", shell]);
        let Ok(mut process) = Command::new(shell)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
        else {
            println!("skipped: {shell} is not installed");
            continue;
        };
        let before = if shell == "zsh" {
            "autoload -Uz compinit; compinit -u\n"
        } else {
            ""
        };
        let mut stdin = process.stdin.take().unwrap();
        stdin
            .write_all(format!("{before}{script}").as_bytes())
            .unwrap();
        drop(stdin);
        let output = process.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && errors.is_empty(),
            "{shell}: {errors}"
        );
    }
}

#[test]
fn manual_has_a_page_for_every_command() {
    let page = print(&["man"]);
    assert!(page.contains(".SH EXIT STATUS"), "{page}");
    assert!(page.contains("\nuser set\\-plan\t"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    print(&["man", "--directory", folder.path().to_str().unwrap()]);
    assert!(!folder.path().join("citation-help.1").exists());
    for name in ["citation.1", "citation-verify.1", "citation-user-add.1"] {
        let page = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
}
