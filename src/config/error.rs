//! Configuration errors: the position, the key, the allowed values.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// The origin of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ValueOrigin {
    /// The built-in default.
    #[default]
    Default,
    /// A position in a file. Line and column count from 1, columns in characters.
    File {
        path: PathBuf,
        line: usize,
        column: usize,
    },
    /// An environment variable.
    Environment { variable: String },
    /// A command-line flag, with its dashes.
    Flag { flag: &'static str },
}

/// One problem of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct ConfigError {
    pub origin: ValueOrigin,
    /// The key as written, with its section; `None` for the file as a whole.
    pub key: Option<String>,
    /// The problem, a clause without a full stop.
    pub problem: String,
    /// The allowed values.
    pub allowed: Option<String>,
    /// The known key that was probably intended.
    pub nearest: Option<String>,
    /// A further hint, a whole sentence.
    pub hint: Option<String>,
}

/// The name of the environment variable that sets a key.
pub fn variable_name(key: &str) -> String {
    format!("CITATION_{}", key.replace('.', "__").to_uppercase())
}

impl fmt::Display for ValueOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueOrigin::Default => f.write_str("default"),
            ValueOrigin::File { path, line, column } => {
                write!(f, "{}:{line}:{column}", path.display())
            }
            ValueOrigin::Environment { variable } => f.write_str(variable),
            ValueOrigin::Flag { flag } => f.write_str(flag),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{}: `{key}` {}.", self.origin, self.problem)?,
            None => write!(f, "{}: {}.", self.origin, self.problem)?,
        }
        if let Some(nearest) = &self.nearest {
            match self.origin {
                ValueOrigin::Environment { .. } => {
                    write!(f, " Did you mean `{}`?", variable_name(nearest))?;
                }
                _ => write!(f, " Did you mean `{nearest}`?")?,
            }
        }
        if let Some(allowed) = &self.allowed {
            write!(f, " Allowed: {allowed}.")?;
        }
        match &self.hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}
