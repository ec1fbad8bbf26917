//! What commands print. Everything passes a function of this file, so that nothing of a file that was read steers
//! the terminal, breaks a line, or is a command to the CI system that keeps the log.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Stderr, Write};

use citation_model::inert::terminal;
use serde::Serialize;

use super::Failure;

/// Prints a line to standard output: `say!("{file}: {count} records")`. A closed pipe is not an error.
macro_rules! say {
    () => { say!("") };
    ($($line:tt)*) => { $crate::cli::terminal::print_line(&format!($($line)*)) };
}

/// Prints a line to standard error.
macro_rules! tell {
    ($($line:tt)*) => { $crate::cli::terminal::tell_lines([format!($($line)*)]) };
}

pub fn print_line(line: &str) {
    put(format!("{}\n", terminal::line(line)));
}

/// Prints several lines to standard output. No line is broken by what it contains.
pub fn print_lines<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) {
    lines.into_iter().for_each(|line| print_line(line.as_ref()));
}

/// Prints a line whose start has a colour (SGR, ECMA-48).
pub fn print_coloured(colour: &str, start: &str, rest: &str) {
    let (start, rest) = (terminal::line(start), terminal::line(rest));
    put(format!("\u{1b}[{colour}m{start}\u{1b}[0m{rest}\n"));
}

/// Prints the lines of a source text, such as those of a difference. Their tabs stay.
pub fn print_source(text: &str) {
    put(format!("{}\n", terminal::lines(text)));
}

/// Prints JSON: a value, or one that is already written.
pub fn print_json(json: &impl Display) {
    put(format!("{}\n", terminal::json(&json.to_string())));
}

/// Prints a command to the CI system that keeps the log, `::error file=…::…`, which is the only text that may be one.
pub fn print_workflow_command(command: &str) {
    let inner = command.trim_start_matches(':');
    put(format!("::{}\n", terminal::line(inner)));
}

/// Writes the output of a command, such as a converted file, to standard output: unchanged to a pipe or a file,
/// readable to a terminal.
pub fn print(output: impl AsRef<[u8]>) -> Result<(), Failure> {
    let output = output.as_ref();
    if std::io::stdout().is_terminal() {
        write(terminal::lines(&String::from_utf8_lossy(output)).as_bytes())
    } else {
        write(output)
    }
}

/// Prints lines to standard error.
pub fn tell_lines<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) {
    let lines: String = { lines.into_iter() }
        .map(|line| format!("{}\n", terminal::line(line.as_ref())))
        .collect();
    write_error(&lines);
}

/// Prints why a command could not run. Further lines are indented.
pub fn tell_failure(text: &str) {
    let lines = text.lines().enumerate();
    tell_lines(lines.map(|(n, line)| match n {
        0 => format!("citation: {line}"),
        _ => format!("  {line}"),
    }));
}

/// Asks a question on standard error, on a line that stays open for the answer.
pub fn ask(question: &str) {
    write_error(&terminal::line(question));
}

/// A writer of JSON lines, for commands whose output is a stream.
pub struct JsonLines<W: Write>(pub W);

impl<W: Write> JsonLines<W> {
    pub fn write(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let line = serde_json::to_string(value)?;
        self.0.write_all(terminal::json(&line).as_bytes())?;
        self.0.write_all(b"\n")
    }

    pub fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Standard error for log records in JSON.
pub struct JsonLog(pub Stderr);

impl Write for JsonLog {
    /// A record comes in one piece.
    fn write(&mut self, record: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(record);
        self.0.write_all(terminal::json(&text).as_bytes())?;
        Ok(record.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Writes lines to standard output. An error, such as a full disk behind it, is only reported on standard error.
fn put(lines: String) {
    if let Err(Failure(cause)) = write(lines.as_bytes()) {
        tell!("citation: standard output: {cause}");
    }
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(bytes) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => Err(cause.into()),
        _ => Ok(()),
    }
}

/// There is nowhere to report that standard error is closed.
fn write_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
