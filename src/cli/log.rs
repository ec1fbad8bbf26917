//! Logging on standard error, as text or JSON.

use std::fmt::{self, Debug};
use std::io::IsTerminal;

use citation_model::inert::terminal;
use tracing::field::Field;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::format::{Writer, debug_fn};

use super::terminal::JsonLog;
use crate::config::{LogFormat, LogSettings};

/// Starts logging of a command whose output has the failures of sources: only errors, unless the
/// configuration has another level than the default.
pub fn start_for_output(settings: &LogSettings) {
    let mut settings = settings.clone();
    if settings.level == LogSettings::default().level {
        settings.level = "error".to_owned();
    }
    start(&settings);
}

/// Starts logging. Called once per process; a second call changes nothing.
pub fn start(settings: &LogSettings) {
    let filter = EnvFilter::try_new(&settings.level).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // No colour codes in files, nor if the user disables them (no-color.org).
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    let started = match settings.format {
        LogFormat::Json => builder
            .with_writer(|| JsonLog(std::io::stderr()))
            .json()
            .flatten_event(true)
            .try_init(),
        LogFormat::Text => builder
            .with_writer(std::io::stderr)
            .fmt_fields(debug_fn(write_field).delimited(" "))
            .try_init(),
    };
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic
                .location()
                .map(ToString::to_string)
                .unwrap_or_default();
            // The payload may quote a user's text, so only the location is logged.
            tracing::error!(place, "recovered from a panic");
        }));
    }
}

/// A value may be the text of a caller, so it is shown like one on a terminal.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn Debug) -> fmt::Result {
    let value = format!("{value:?}");
    let value = terminal::line(&value);
    match field.name() {
        "message" => write!(writer, "{value}"),
        name => write!(writer, "{name}={value}"),
    }
}
