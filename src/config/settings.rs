//! Values collected from all sources: validated on arrival, later ones override earlier
//! ones, and finally converted to a [`Config`].

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use super::Config;
use super::error::{ConfigError, ValueOrigin};
use super::nearest::nearest_key;
use super::registry;
use super::rule::Rule;

/// The values by path, and the problems.
#[derive(Debug, Default)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
    pub errors: Vec<ConfigError>,
}

/// A valid value, and its origin.
#[derive(Clone, Debug)]
struct Setting {
    value: Value,
    origin: ValueOrigin,
}

impl Settings {
    /// Whether no source has set anything.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.errors.is_empty()
    }

    /// Stores a value for the key at `path`, or records why it is invalid.
    pub fn set(&mut self, path: &str, value: Value, origin: ValueOrigin) {
        let Some(key) = registry::find(path) else {
            self.errors.push(unknown_key(path, origin));
            return;
        };
        if let Err(problem) = key.rule.check(&value) {
            self.errors.push(ConfigError {
                origin,
                key: Some(path.to_owned()),
                problem: with_value(problem, &value, &key.rule),
                allowed: Some(key.rule.allowed()),
                ..ConfigError::default()
            });
            return;
        }
        self.values
            .insert(path.to_owned(), Setting { value, origin });
    }

    /// Starts an array of tables, replacing the tables of earlier sources.
    pub fn start_tables(&mut self, path: &str, origin: ValueOrigin) {
        let inside = format!("{path}.");
        self.values.retain(|key, _| !key.starts_with(&inside));
        self.set(path, Value::Array(Vec::new()), origin);
    }

    /// The configuration, with the origin of each value that is not a default; or all problems.
    pub fn build(mut self) -> Result<(Config, BTreeMap<String, ValueOrigin>), Vec<ConfigError>> {
        self.require_keys_of_tables();
        let tried = self.to_config();
        if self.errors.is_empty()
            && let Ok(config) = &tried
        {
            self.errors = super::relations::check(config, |key| self.origin(key));
        }
        match tried {
            Ok(config) if self.errors.is_empty() => {
                let origins = self.values.into_iter().map(|(key, set)| (key, set.origin));
                Ok((config, origins.collect()))
            }
            Err(problem) if self.errors.is_empty() => Err(vec![ConfigError {
                problem,
                ..ConfigError::default()
            }]),
            _ => {
                self.errors.sort_by_key(|error| place(&error.origin));
                Err(self.errors)
            }
        }
    }

    fn origin(&self, key: &str) -> ValueOrigin {
        self.values
            .get(key)
            .map(|set| set.origin.clone())
            .unwrap_or_default()
    }

    /// Applies the values to the defaults. Every value has passed its rule, so this fails only if
    /// a rule is laxer than the type of its key.
    fn to_config(&self) -> Result<Config, String> {
        let mut whole = Table::try_from(Config::default()).map_err(|e| e.to_string())?;
        for (path, setting) in &self.values {
            insert(&mut whole, path, setting.value.clone());
        }
        Config::deserialize(whole).map_err(|e| e.message().to_owned())
    }

    /// Records missing required keys of a table in an array.
    fn require_keys_of_tables(&mut self) {
        let mut missing = Vec::new();
        for array in registry::paths() {
            let Some(Rule::Tables(_, required)) = registry::find(&array).map(|key| key.rule) else {
                continue;
            };
            for table in (0..self.table_count(&array)).map(|number| format!("{array}.{number}")) {
                let keys = required.iter().map(|name| format!("{table}.{name}"));
                let absent: Vec<String> = keys.filter(|key| !self.is_mentioned(key)).collect();
                let origin = self.origin_of_table(&array, &table);
                missing.extend(absent.into_iter().map(|key| ConfigError {
                    origin: origin.clone(),
                    allowed: registry::find(&key).map(|key| key.rule.allowed()),
                    key: Some(key),
                    problem: "is missing".to_owned(),
                    ..ConfigError::default()
                }));
            }
        }
        self.errors.append(&mut missing);
    }

    /// Number of tables in an array, including gaps before later ones.
    fn table_count(&self, array: &str) -> usize {
        let inside = format!("{array}.");
        let number = |path: &String| {
            let (number, _) = path.strip_prefix(&inside)?.split_once('.')?;
            number.parse::<usize>().ok()
        };
        self.values
            .keys()
            .filter_map(number)
            .max()
            .map_or(0, |last| last + 1)
    }

    /// Whether a key has a value, or had an invalid one.
    fn is_mentioned(&self, key: &str) -> bool {
        let refused = |error: &ConfigError| error.key.as_deref() == Some(key);
        self.values.contains_key(key) || self.errors.iter().any(refused)
    }

    /// The position of a table of an array: its first value, else the array.
    fn origin_of_table(&self, array: &str, table: &str) -> ValueOrigin {
        let inside = format!("{table}.");
        let values = &self.values;
        let first = values.iter().find(|(path, _)| path.starts_with(&inside));
        first.map_or_else(|| self.origin(array), |(_, set)| set.origin.clone())
    }
}

/// The order of problems: by position in the file, then the other sources.
fn place(origin: &ValueOrigin) -> (u8, usize, usize) {
    match origin {
        ValueOrigin::File { line, column, .. } => (0, *line, *column),
        ValueOrigin::Environment { .. } => (1, 0, 0),
        ValueOrigin::Flag { .. } => (2, 0, 0),
        ValueOrigin::Default => (3, 0, 0),
    }
}

/// Inserts a value at its path. Arrays of tables grow as needed.
fn insert(table: &mut Table, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        table.insert(path.to_owned(), value);
        return;
    };
    match table.get_mut(first) {
        Some(Value::Table(inner)) => insert(inner, rest, value),
        Some(Value::Array(tables)) => insert_into_array(tables, rest, value),
        _ => {}
    }
}

fn insert_into_array(tables: &mut Vec<Value>, path: &str, value: Value) {
    let Some((number, name)) = path.split_once('.') else {
        return;
    };
    let Ok(number) = number.parse::<usize>() else {
        return;
    };
    while tables.len() <= number {
        tables.push(Value::Table(Table::new()));
    }
    if let Some(Value::Table(table)) = tables.get_mut(number) {
        table.insert(name.to_owned(), value);
    }
}

/// The problem, with the value if it is short and not secret.
fn with_value(problem: String, value: &Value, rule: &Rule) -> String {
    let shown = value.to_string();
    let plain = !matches!(value, Value::Array(_) | Value::Table(_));
    if plain && shown.chars().count() <= 60 && !matches!(rule, Rule::Secret) {
        format!("{problem} ({shown})")
    } else {
        problem
    }
}

/// The error for an unknown key.
pub fn unknown_key(path: &str, origin: ValueOrigin) -> ConfigError {
    let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    let beside = registry::names_in(parent);
    let beside_paths = beside
        .iter()
        .flatten()
        .map(|name| format!("{parent}.{name}"));
    let nearest = nearest_key(path, registry::paths().chain(beside_paths));
    let allowed = match (&nearest, beside) {
        (Some(_), _) => None,
        (None, Some(names)) => Some(names.join(", ")),
        (None, None) => {
            let sections = registry::sections().map(|section| section.path);
            Some(format!(
                "sections {}",
                sections.collect::<Vec<_>>().join(", ")
            ))
        }
    };
    ConfigError {
        origin,
        key: Some(path.to_owned()),
        problem: "is not a known key".to_owned(),
        allowed,
        nearest,
        hint: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values at the limits of a rule.
    fn extremes(rule: &Rule) -> Vec<Value> {
        let text = |text: &str| Value::String(text.to_owned());
        let list = |words: &[&str]| Value::Array(words.iter().map(|word| text(word)).collect());
        match rule {
            Rule::Whole(min, max) => vec![Value::Integer(*min), Value::Integer(*max)],
            Rule::Decimal(min, max) => {
                vec![Value::Float(*min), Value::Float(*max), Value::Integer(1)]
            }
            Rule::Choice(words) => words.iter().map(|word| text(word)).collect(),
            Rule::Choices(words) => vec![list(&words()), list(&[])],
            Rule::Text(min, max) => vec![text(&"x".repeat(*min)), text(&"x".repeat(*max))],
            Rule::Switch => vec![Value::Boolean(true), Value::Boolean(false)],
            Rule::Words => vec![list(&[]), list(&["a", "b"])],
            Rule::Names => vec![list(&[]), list(&["/staff", "Library Staff"])],
            Rule::Networks => vec![list(&["::/0", "10.0.0.1"])],
            Rule::Origins => vec![list(&["*", "https://example.org:8443"])],
            Rule::Url => vec![text("http://localhost")],
            Rule::UrlOrNone => vec![text(""), text("https://example.org/a/")],
            Rule::Address => vec![text("localhost:0"), text("[::]:65535")],
            Rule::AddressOrOff => vec![text("off"), text("0.0.0.0:1")],
            Rule::Levels => vec![text("off"), text("warn,citation::api=debug")],
            Rule::Language => vec![text("zh-Hant-TW")],
            Rule::CookieName => vec![text(""), text("a-b_c")],
            Rule::Slug => vec![text("a-1")],
            Rule::Secret => vec![text(""), text("s3cret")],
            Rule::Tables(..) => vec![Value::Array(Vec::new())],
        }
    }

    /// A value that the rule allows must fit the type of its key.
    #[test]
    fn keys_accept_every_value_of_their_rules() {
        let issuer = registry::names_in("auth.oidc.0").unwrap();
        let issuer = issuer.iter().map(|name| format!("auth.oidc.0.{name}"));
        for path in registry::paths().chain(issuer) {
            for value in extremes(&registry::find(&path).unwrap().rule) {
                let mut settings = Settings::default();
                settings.set(&path, value.clone(), ValueOrigin::Default);
                assert_eq!(settings.errors, [], "{path} = {value}");
                settings
                    .to_config()
                    .unwrap_or_else(|problem| panic!("{path} = {value}: {problem}"));
            }
        }
    }

    #[test]
    fn numbers_out_of_range_are_rejected() {
        for path in registry::paths() {
            let Rule::Whole(min, max) = registry::find(&path).unwrap().rule else {
                continue;
            };
            for number in [min - 1, max + 1] {
                let mut settings = Settings::default();
                settings.set(&path, Value::Integer(number), ValueOrigin::Default);
                assert_eq!(settings.errors.len(), 1, "{path} = {number}");
            }
        }
    }
}
