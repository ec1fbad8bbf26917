//! `citation completions` and `citation man`: what shells and manuals say of the commands, made from
//! their definition.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

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

/// The page of the program, with its exit codes.
fn program_page(program: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(program.clone()).render(&mut page)?;
    let mut codes = Roff::new();
    codes.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in [
        ("0", "Done."),
        ("1", "Nothing was found, or a check failed."),
        ("2", "The command could not run; standard error says why."),
    ] {
        codes.control("TP", []);
        codes.text([bold(code)]);
        codes.text([roman(meaning)]);
    }
    codes.to_writer(&mut page)?;
    Ok(String::from_utf8(page)?)
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
    for below in command.get_subcommands() {
        write_pages(below, &format!("{name}-{}", below.get_name()), directory)?;
    }
    Ok(())
}
