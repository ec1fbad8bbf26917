//! TOML text → settings, each with its line and column.

use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

use super::error::{ConfigError, ValueOrigin};
use super::registry;
use super::rule::Rule;
use super::settings::{Settings, unknown_key};

/// Reads a file's text. Problems are recorded in the settings; reading continues.
pub fn read_file(path: &Path, text: &str, settings: &mut Settings) {
    let lines = LineIndex::of(text);
    let origin = |at: usize| lines.origin(path, at);
    let (table, errors) = DeTable::parse_recoverable(text);
    let broken: Vec<ValueOrigin> = errors
        .iter()
        .map(|error| origin(start(error.span())))
        .collect();
    for (error, place) in errors.iter().zip(&broken) {
        settings.errors.push(syntax_error(error, place.clone()));
    }
    // Consequences of a syntax error are not problems of their own.
    let follows = |place: &ValueOrigin| {
        broken
            .iter()
            .any(|slip| line_of(slip).is_some_and(|line| line_of(place) == Some(line)))
    };
    let known = settings.errors.len();
    SettingsReader {
        text,
        origin: &origin,
        settings,
    }
    .table("", table.get_ref());
    let found = settings.errors.split_off(known);
    settings
        .errors
        .extend(found.into_iter().filter(|error| !follows(&error.origin)));
}

/// Reads one value in TOML, as an environment variable may hold it for an array of tables.
pub fn read_value(path: &str, text: &str, origin: &ValueOrigin, settings: &mut Settings) {
    let (value, errors) = DeValue::parse_recoverable(text);
    if let Some(error) = errors.first() {
        settings.errors.push(ConfigError {
            key: Some(path.to_owned()),
            ..syntax_error(error, origin.clone())
        });
        return;
    }
    SettingsReader {
        text,
        origin: &|_| origin.clone(),
        settings,
    }
    .value(path, 0, &value);
}

fn start(span: Option<Range<usize>>) -> usize {
    span.map_or(0, |span| span.start)
}

fn line_of(origin: &ValueOrigin) -> Option<usize> {
    match origin {
        ValueOrigin::File { line, .. } => Some(*line),
        _ => None,
    }
}

fn syntax_error(error: &toml::de::Error, origin: ValueOrigin) -> ConfigError {
    let hint = if error.message().contains("duplicate") {
        "Each section and each key may occur once; an array of tables excludes `key = []`."
    } else {
        "Text must be in quotes, lists in [brackets], comments after #."
    };
    ConfigError {
        origin,
        problem: format!("not valid TOML: {}", error.message()),
        hint: Some(hint.to_owned()),
        ..ConfigError::default()
    }
}

/// Visits the values of keys in a parsed document.
struct SettingsReader<'a> {
    text: &'a str,
    /// The text at a byte range.
    origin: &'a dyn Fn(usize) -> ValueOrigin,
    settings: &'a mut Settings,
}

impl SettingsReader<'_> {
    fn table(&mut self, parent: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let at = name.span().start;
            let name = name.get_ref();
            let path = match parent {
                "" => name.to_string(),
                parent => format!("{parent}.{name}"),
            };
            if name.contains('.') {
                // `"quota.free_daily" = 1` is one key with a dot in its name.
                let hint = Some("Do not quote a key together with its section.".to_owned());
                let error = unknown_key(&path, (self.origin)(at));
                self.settings.errors.push(ConfigError { hint, ..error });
                continue;
            }
            self.value(&path, at, value);
        }
    }

    /// The value of the key whose name starts at `at`.
    fn value(&mut self, path: &str, at: usize, value: &Spanned<DeValue<'_>>) {
        let is_section = registry::is_section(path);
        match (registry::find(path).map(|key| key.rule), value.get_ref()) {
            (Some(Rule::Tables(..)), DeValue::Array(tables)) => {
                self.settings.start_tables(path, (self.origin)(at));
                for (number, table) in tables.iter().enumerate() {
                    self.element(&format!("{path}.{number}"), table);
                }
            }
            (Some(_), _) => self.leaf(path, value),
            (None, DeValue::Table(inner)) if is_section || !inner.is_empty() => {
                self.table(path, inner);
            }
            (None, _) if is_section => self.settings.errors.push(ConfigError {
                origin: (self.origin)(at),
                key: Some(path.to_owned()),
                problem: "is a section, not a key".to_owned(),
                allowed: Some(format!("[{path}] with keys below it")),
                ..ConfigError::default()
            }),
            (None, _) => {
                let error = unknown_key(path, (self.origin)(at));
                self.settings.errors.push(error);
            }
        }
    }

    /// One table of an array of tables.
    fn element(&mut self, path: &str, element: &Spanned<DeValue<'_>>) {
        match element.get_ref() {
            DeValue::Table(table) => self.table(path, table),
            _ => self.settings.errors.push(ConfigError {
                origin: (self.origin)(element.span().start),
                key: Some(path.to_owned()),
                problem: "is not a table".to_owned(),
                allowed: registry::names_in(path).map(|names| names.join(", ")),
                ..ConfigError::default()
            }),
        }
    }

    fn leaf(&mut self, path: &str, value: &Spanned<DeValue<'_>>) {
        let origin = (self.origin)(value.span().start);
        let written = match value.get_ref() {
            // A table under a header has no text of its own that could be parsed again.
            DeValue::Table(_) => Ok(Value::Table(toml::Table::new())),
            _ => self
                .text
                .get(value.span())
                .unwrap_or_default()
                .parse::<Value>(),
        };
        match written {
            Ok(value) => self.settings.set(path, value, origin),
            Err(error) => self.settings.errors.push(ConfigError {
                key: Some(path.to_owned()),
                problem: format!("cannot be read: {}", error.message()),
                allowed: registry::find(path).map(|key| key.rule.allowed()),
                origin,
                ..ConfigError::default()
            }),
        }
    }
}

/// The lines of a text, to convert offsets to lines and columns.
struct LineIndex<'a> {
    text: &'a str,
    /// Byte offsets of the starts of lines.
    starts: Vec<usize>,
}

impl LineIndex<'_> {
    fn of(text: &str) -> LineIndex<'_> {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        LineIndex {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    fn origin(&self, path: &Path, at: usize) -> ValueOrigin {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = line
            .checked_sub(1)
            .and_then(|line| self.starts.get(line))
            .copied();
        let before = self.text.get(start.unwrap_or(0)..at).unwrap_or_default();
        ValueOrigin::File {
            path: path.to_owned(),
            line,
            column: before.chars().count() + 1,
        }
    }
}
