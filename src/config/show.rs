//! The configuration as text: effective values with origins, and the template file.

use std::fmt::Write;

use serde_json::json;
use toml::{Table, Value};

use super::Config;
use super::error::ValueOrigin;
use super::load::Loaded;
use super::registry::sections;
use super::rule::Rule;

impl Loaded {
    /// The effective configuration as valid TOML, each value that is not a
    /// default with its origin. Secrets are masked.
    pub fn to_toml(&self) -> String {
        let values = table(&self.config);
        let mut text = String::new();
        for section in sections() {
            let _ = writeln!(text, "[{}]", section.path);
            for key in section.keys {
                let path = format!("{}.{}", section.path, key.name);
                let value = get(&values, &path);
                let _ = match self.origins.get(&path) {
                    Some(origin) => writeln!(text, "{} = {value} # {origin}", key.name),
                    None => writeln!(text, "{} = {value}", key.name),
                };
            }
            text.push('\n');
        }
        text
    }

    /// The same as JSON: `{"file", "values": {key: {"value", "default", "origin"}}}`, where
    /// `origin` has `kind` (`default`, `file`, `environment`, `flag`) and the position.
    pub fn to_json(&self) -> serde_json::Value {
        let values = table(&self.config);
        let defaults = table(&Config::default());
        let mut shown = serde_json::Map::new();
        for path in super::registry::paths() {
            let origins = &self.origins;
            let origin = origins.get(&path).cloned().unwrap_or(ValueOrigin::Default);
            let entry = json!({
                "value": get(&values, &path),
                "default": get(&defaults, &path),
                "origin": origin,
            });
            shown.insert(path, entry);
        }
        json!({ "file": self.file, "values": shown })
    }
}

/// The `citation.toml` of the distribution: every key commented out at its default, with its
/// description and allowed values.
pub fn template() -> String {
    let defaults = table(&Config::default());
    let mut text = String::from(HEAD);
    for section in sections() {
        text.push('\n');
        comment(&mut text, section.about);
        let _ = writeln!(text, "[{}]", section.path);
        for key in section.keys {
            let value = get(&defaults, &format!("{}.{}", section.path, key.name));
            text.push('\n');
            comment(&mut text, key.about);
            let _ = writeln!(text, "# Allowed: {}. Default: {value}", key.rule.allowed());
            let _ = writeln!(text, "#{} = {value}", key.name);
            if let Rule::Tables(keys, required) = key.rule {
                tables_template(
                    &mut text,
                    &format!("{}.{}", section.path, key.name),
                    keys,
                    required,
                );
            }
        }
    }
    text
}

const HEAD: &str = "\
# Citation's configuration. Every key is listed with its default, commented out; to set one, remove
# its #. Environment variables override this file and flags override both: the variable for the key
# `free_daily` of [quota] is CITATION_QUOTA__FREE_DAILY; lists are separated by commas.
#
# `citation config check` reports errors, `citation config show` prints the effective values.
";

/// The keys of one table of an array, as a commented example.
fn tables_template(text: &mut String, path: &str, keys: &[super::rule::Key], required: &[&str]) {
    let defaults = toml::Table::try_from(super::IssuerSettings::default()).unwrap_or_default();
    let _ = writeln!(text, "#\n# A table looks like this:\n#\n#   [[{path}]]");
    for key in keys {
        for line in key.about {
            let _ = writeln!(text, "#   #{line}");
        }
        let default = defaults
            .get(key.name)
            .map(Value::to_string)
            .unwrap_or_default();
        let _ = if required.contains(&key.name) {
            writeln!(text, "#   # Allowed: {}. Required.", key.rule.allowed())
        } else {
            writeln!(text, "#   # Allowed: {}.", key.rule.allowed())
        };
        let _ = writeln!(text, "#   {} = {default}", key.name);
    }
}

fn comment(text: &mut String, lines: &[&str]) {
    for line in lines {
        let _ = writeln!(text, "#{line}");
    }
}

fn table(config: &Config) -> Table {
    Table::try_from(config).unwrap_or_default()
}

fn get(table: &Table, path: &str) -> Value {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| table.get(name));
    let found = names.fold(first, |value, name| value?.get(name));
    found.cloned().unwrap_or(Value::String(String::new()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// CITATION_WRITE_TEMPLATE=1 writes the file.
    #[test]
    fn shipped_file_is_the_template() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("citation.toml");
        let template = template();
        if std::env::var_os("CITATION_WRITE_TEMPLATE").is_some() {
            fs::write(&path, &template).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let differs = text.lines().zip(template.lines()).find(|(a, b)| a != b);
        assert!(
            text == template,
            "citation.toml is not what src/config says; CITATION_WRITE_TEMPLATE=1 cargo test -p citation --lib \
             shipped_file writes it. The first difference: {differs:#?}"
        );
    }
}
