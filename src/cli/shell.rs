//! `citation completions` and `citation man`: generated from the definition of the commands.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Cli, Failure, Global, Outcome, Status, terminal};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation completions bash > ~/.local/share/bash-completion/completions/citation
  citation completions zsh > ~/.zfunc/_citation
  citation completions fish > ~/.config/fish/completions/citation.fish
  citation completions powershell >> $PROFILE")]
pub struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(&self, _global: &Global) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "citation", &mut script);
        terminal::print(script)?;
        Ok(Status::Done)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation man | man -l -
  citation man --directory /usr/local/share/man/man1")]
pub struct ManualCommand {
    /// Write a page for the program and one for each command to this folder
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl ManualCommand {
    pub fn run(&self, _global: &Global) -> Outcome {
        let mut program = Cli::command();
        program.build();
        match &self.directory {
            Some(directory) => write_pages(&program, "citation", directory)?,
            None => terminal::print(program_page(&program)?)?,
        }
        Ok(Status::Done)
    }
}

/// The output of `--json`, and when a command that could run exits with 1. A hyphen: nothing, or never.
const OUTCOMES: &str = "\
serve | - | -
ingest | the counts, an object | a file broke off or could not be read
harvest | the counts, an object | -
import zotero | the counts, an object | the account does not exist
corpus stats | the counts, an object | -
corpus get | the work, which is JSON anyway | the work does not exist
corpus history | the versions, an array, always | no version was replaced
corpus compact | sizes before and after, an object | -
corpus delete | an object per work | a work was missing
index rebuild | the count, an object | -
index verify | what was found, an object | index and database differ
lookup | a work or an error per line | something was not found
reverse | the candidates, a line per text | a text has no accepted work
verify | a verdict per line | a reference is not verified
jobs list | an object per job | -
jobs show | the job, an object | the job does not exist
jobs cancel | - | the job does not exist
jobs result | a result per line, always, or the file | the job does not exist
report key | - | -
report check | - | the signature is not valid, or a file has changed
references | an object per file | a file contains no reference
identify | an object per line, always | a line contains no identifier
format | an entry per line | an entry could not be read
convert | - | an entry could not be read
webpage | an object, always | the page names no work
journals import | the counts, an object per file | a line has no pair
journals expand | the answer and candidates | no answer is certain
journals abbreviate | the answer and candidates | no answer is certain
journals set | - | -
journals unset | - | no title is set
journals stats | the counts, an object | -
styles install | the counts, an object | a style was rejected
styles list | an object per style | there is none
styles search | an object per style | none was found
styles show | an object | the style does not exist
styles remove | an object per style | a style was not installed
styles check | an object per style | a style is broken
citeproc | an object per job, always | -
cite | - | a cited work is unknown
collect | - | a cited work is unknown
lsp | messages, always | -
mcp | messages, always | -
pandoc | - | -
config check | the problems, an object | there is an error
config show | the values, an object | -
user add | the account, an object | -
user list | the accounts, an array | -
user show | the account, an object | the account does not exist
user set-plan | the account, an object | the account does not exist
user disable | the account, an object | the account does not exist
user enable | the account, an object | the account does not exist
user delete | its id, an object | the account does not exist, or you declined
user reset-password | the link, an object | the account does not exist
user api-key | the key, an object | the account does not exist
user invite | the link, an object | -
usage report | the report, an object | -
audit | an object per event | -
backup | the file, an object | -
restore | the counts, an object | -
healthcheck | the health, always | the server is not healthy
doctor | the findings, an object | a finding is a problem
completions | - | -
man | - | -
";

/// The page of the program, with a table of each command's JSON output and exit status.
fn program_page(program: &clap::Command) -> Result<String, Failure> {
    // The first line of a page with a table announces it (tbl).
    let mut page = b"'\\\" t\n".to_vec();
    Man::new(program.clone()).render(&mut page)?;
    let mut page = String::from_utf8(page)?;
    page.push_str(
        ".SH EXIT STATUS\n\
         0 on success; 1 for a negative result, see the table; 2 if the \
         command could not run, with the reason on standard error.\n\
         .TS\nlb lb lb\nl l l.\ncommand\tprints with \\-\\-json\texits with 1 if\n",
    );
    page.push_str(&OUTCOMES.replace(" | ", "\t").replace('-', "\\-"));
    page.push_str(".TE\n");
    Ok(page)
}

/// The pages of a command and its subcommands: `citation-user-add.1`.
fn write_pages(command: &clap::Command, name: &str, directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)?;
    let page = match name {
        "citation" => program_page(command)?,
        _ => {
            // The usage line already contains the full name of the command.
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

    /// Every command that runs something, with its name after `citation`.
    fn commands(above: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
        for command in above.get_subcommands().filter(|c| !c.is_hide_set()) {
            let name = format!("{path}{}", command.get_name());
            if command.has_subcommands() {
                commands(command, &format!("{name} "), found)
            } else {
                found.push((name, command.clone()))
            }
        }
    }

    fn all() -> Vec<(String, clap::Command)> {
        let mut found = Vec::new();
        commands(&Cli::command(), "", &mut found);
        found
    }

    #[test]
    fn table_has_every_command_in_the_order_of_help() {
        let listed: Vec<&str> = OUTCOMES
            .lines()
            .filter_map(|row| row.split(" | ").next())
            .collect();
        let known: Vec<String> = all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(listed, known);
    }

    #[test]
    fn help_examples_are_valid() {
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
