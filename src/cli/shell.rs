//! `citation completions` and `citation man`: what shells and manuals say of the commands, made from
//! their definition.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Cli, Failure, Global, Outcome, Status, print};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation completions bash > ~/.local/share/bash-completion/completions/citation
  citation completions zsh > ~/.zfunc/_citation
  citation completions fish > ~/.config/fish/completions/citation.fish
  citation completions powershell >> $PROFILE")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, _global: &Global) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "citation", &mut script);
        print(&String::from_utf8(script)?)?;
        Ok(Status::Done)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation man | man -l -
  citation man --directory /usr/local/share/man/man1")]
pub struct Manual {
    /// Write a page for the program and one for each command into this folder
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Manual {
    pub fn run(&self, _global: &Global) -> Outcome {
        let mut program = Cli::command();
        program.build();
        match &self.directory {
            Some(directory) => write_pages(&program, "citation", directory)?,
            None => print(&program_page(&program)?)?,
        }
        Ok(Status::Done)
    }
}

/// What `--json` prints and when a command that could run ends with 1. A hyphen: nothing, or never.
const OUTCOMES: &[(&str, &str, &str)] = &[
    ("serve", "-", "-"),
    (
        "ingest",
        "the counts, an object",
        "a file broke off or was not read",
    ),
    (
        "import zotero",
        "the counts, an object",
        "there is no such account",
    ),
    ("corpus stats", "the counts, an object", "-"),
    (
        "corpus get",
        "the work, which is JSON anyway",
        "there is no such work",
    ),
    ("corpus compact", "sizes before and after, an object", "-"),
    ("corpus delete", "an object a work", "a work was not there"),
    ("index rebuild", "the count, an object", "-"),
    (
        "index verify",
        "what was found, an object",
        "index and database differ",
    ),
    (
        "lookup",
        "a work or an error a line",
        "something was not found",
    ),
    (
        "reverse",
        "the candidates, a line a text",
        "a text has no accepted work",
    ),
    (
        "verify",
        "a verdict a line",
        "a reference is anything but verified",
    ),
    (
        "references",
        "an object a file",
        "a file holds no reference",
    ),
    (
        "identify",
        "an object a line, always",
        "a line was no identifier",
    ),
    ("format", "an entry a line", "an entry could not be read"),
    ("convert", "-", "an entry could not be read"),
    ("webpage", "an object, always", "the page names no work"),
    (
        "journals import",
        "the counts, an object a file",
        "a line gives no pair",
    ),
    (
        "journals expand",
        "the answer and candidates",
        "nothing is certain",
    ),
    (
        "journals abbreviate",
        "the answer and candidates",
        "nothing is certain",
    ),
    ("journals set", "-", "-"),
    ("journals unset", "-", "nothing was said of it"),
    ("journals stats", "the counts, an object", "-"),
    (
        "styles install",
        "the counts, an object",
        "a style was refused",
    ),
    ("styles list", "an object a style", "there is none"),
    ("styles search", "an object a style", "none was found"),
    ("styles show", "an object", "there is no such style"),
    (
        "styles remove",
        "an object a style",
        "a style was not installed",
    ),
    ("styles check", "an object a style", "a style is broken"),
    ("citeproc", "an object a job, always", "-"),
    ("cite", "-", "a cited work is unknown"),
    ("collect", "-", "a cited work is unknown"),
    ("mcp", "messages, always", "-"),
    ("pandoc", "-", "-"),
    (
        "config check",
        "the problems, an object",
        "something is wrong",
    ),
    ("config show", "the values, an object", "-"),
    ("user add", "the account, an object", "-"),
    ("user list", "the accounts, an array", "-"),
    (
        "user show",
        "the account, an object",
        "there is no such account",
    ),
    (
        "user set-plan",
        "the account, an object",
        "there is no such account",
    ),
    (
        "user disable",
        "the account, an object",
        "there is no such account",
    ),
    (
        "user enable",
        "the account, an object",
        "there is no such account",
    ),
    (
        "user delete",
        "its id, an object",
        "there is none, or you said no",
    ),
    (
        "user reset-password",
        "the link, an object",
        "there is no such account",
    ),
    (
        "user api-key",
        "the key, an object",
        "there is no such account",
    ),
    ("user invite", "the link, an object", "-"),
    ("usage report", "the report, an object", "-"),
    ("audit", "an object an event", "-"),
    ("backup", "the file, an object", "-"),
    ("restore", "the counts, an object", "-"),
    (
        "healthcheck",
        "the health, always",
        "the server is not well",
    ),
    (
        "doctor",
        "the findings, an object",
        "a finding is a problem",
    ),
    ("completions", "-", "-"),
    ("man", "-", "-"),
];

/// The page of the program, with a table of what its commands print and how they end.
fn program_page(program: &clap::Command) -> Result<String, Failure> {
    // A page with a table says so in its first line.
    let mut page = b"'\\\" t\n".to_vec();
    Man::new(program.clone()).render(&mut page)?;
    let mut page = String::from_utf8(page)?;
    page.push_str(
        ".SH EXIT STATUS\n\
         0 where all is done; 1 where something was found wanting, as the table says; 2 where the \
         command could not run, and standard error says why.\n\
         .TS\nlb lb lb\nl l l.\ncommand\tprints with \\-\\-json\tends with 1 where\n",
    );
    for (command, json, wanting) in OUTCOMES {
        let row = format!("{command}\t{json}\t{wanting}\n");
        page.push_str(&row.replace('-', "\\-"));
    }
    page.push_str(".TE\n");
    Ok(page)
}

/// The page of a command and those of the commands below it: `citation-user-add.1`.
fn write_pages(command: &clap::Command, name: &str, directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)?;
    let page = match name {
        "citation" => program_page(command)?,
        _ => {
            // The usage line already names the program and the commands above.
            let mut page = Vec::new();
            Man::new(command.clone()).title(name).render(&mut page)?;
            String::from_utf8(page)?
        }
    };
    std::fs::write(directory.join(format!("{name}.1")), page)?;
    let commands = command.get_subcommands();
    for below in commands.filter(|c| c.get_name() != "help" && !c.is_hide_set()) {
        write_pages(below, &format!("{name}-{}", below.get_name()), directory)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command that does something, with its name after `citation`.
    fn commands(above: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
        for command in above.get_subcommands().filter(|c| !c.is_hide_set()) {
            let name = format!("{path}{}", command.get_name());
            match command.has_subcommands() {
                true => commands(command, &format!("{name} "), found),
                false => found.push((name, command.clone())),
            }
        }
    }

    fn all() -> Vec<(String, clap::Command)> {
        let mut found = Vec::new();
        commands(&Cli::command(), "", &mut found);
        found
    }

    #[test]
    fn the_table_has_every_command_in_the_order_of_help() {
        let told: Vec<&str> = OUTCOMES.iter().map(|(command, ..)| *command).collect();
        let known: Vec<String> = all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(told, known);
    }

    #[test]
    fn every_help_has_an_example_that_the_command_line_takes() {
        for (name, command) in all() {
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_else(|| panic!("{name} has no example"));
            let start = format!("citation {name}");
            let mut examples = 0;
            for line in help.lines().filter(|line| line.trim().starts_with(&start)) {
                let line = line.split(['|', '>', '<']).next().unwrap_or_default();
                let words = line.split_whitespace().map(|word| word.trim_matches('\''));
                if !line.contains('\'') {
                    Cli::command()
                        .try_get_matches_from(words)
                        .unwrap_or_else(|fault| panic!("{line}: {fault}"));
                }
                examples += 1;
            }
            assert!(examples > 0 || help.contains(&name), "{name}: {help}");
        }
    }
}
