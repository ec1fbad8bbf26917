//! The rule of a key's value: checks it, describes it, and parses it from an
//! environment variable or a flag.

use std::net::{IpAddr, SocketAddr};

use toml::Value;

use super::nearest::nearest_word;
use super::values::{BaseUrl, Network};

/// The longest time that a time-out may be set to: one hour in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// One key of a section.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    /// The description, one line each, as above the field.
    pub about: &'static [&'static str],
    pub rule: Rule,
}

/// A rule for the value of a key.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// `true` or `false`.
    Switch,
    /// A whole number in an inclusive range.
    Whole(i64, i64),
    /// A number in an inclusive range.
    Decimal(f64, f64),
    /// Text without control characters, with a minimum and maximum number of characters.
    Text(usize, usize),
    /// Levels of the log, `LEVEL` or `TARGET=LEVEL`, separated by commas.
    Levels,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Some of these words, each at most once.
    Choices(fn() -> Vec<&'static str>),
    /// Texts without spaces.
    Words,
    /// Texts.
    Names,
    /// `HOST:PORT`.
    Address,
    /// `HOST:PORT`, or `off`.
    AddressOrOff,
    /// A base URL.
    Url,
    /// A base URL, or nothing.
    UrlOrNone,
    /// Addresses and networks.
    Networks,
    /// Origins of web pages, or `*`.
    Origins,
    /// A language tag.
    Language,
    /// The name of a cookie, or nothing.
    CookieName,
    /// The name of an identity provider in URLs.
    Slug,
    /// Text that is never shown.
    Secret,
    /// An array of tables with these keys, the first of which are required.
    Tables(&'static [Key], &'static [&'static str]),
}

impl Rule {
    /// Says why `value` is not allowed, as the end of a sentence that starts with it; `Ok` if it is
    /// allowed.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match self {
            Rule::Switch => match value {
                Value::Boolean(_) => Ok(()),
                _ => wrong_type(value),
            },
            Rule::Whole(min, max) => match value {
                Value::Integer(number) if (min..=max).contains(&number) => Ok(()),
                Value::Integer(number) if number < min => Err("is too small".to_owned()),
                Value::Integer(_) => Err("is too large".to_owned()),
                _ => wrong_type(value),
            },
            Rule::Decimal(min, max) => {
                let number = match value {
                    Value::Integer(number) => *number as f64,
                    Value::Float(number) => *number,
                    _ => return wrong_type(value),
                };
                if (*min..=*max).contains(&number) {
                    Ok(())
                } else {
                    Err("is out of range".to_owned())
                }
            }
            Rule::Tables(..) => match value {
                Value::Array(_) => Ok(()),
                _ => wrong_type(value),
            },
            Rule::Choices(words) => {
                let words = words();
                each_text(value, |text| one_of(&words, text))?;
                match repeated(value) {
                    Some(text) => Err(format!("names `{text}` twice")),
                    None => Ok(()),
                }
            }
            Rule::Words => each_text(value, |text| {
                if text.is_empty() || has_space(text) {
                    Err(format!("contains `{text}`, which is not one word"))
                } else {
                    Ok(())
                }
            }),
            Rule::Names => each_text(value, |text| Rule::Text(1, 256).check_text(text)),
            Rule::Networks => each_text(value, |text| {
                let parsed: Result<Network, _> = text.parse();
                parsed
                    .map(|_| ())
                    .map_err(|problem| format!("contains `{text}`, which {problem}"))
            }),
            Rule::Origins => each_text(value, |text| {
                if is_origin(text) {
                    Ok(())
                } else {
                    Err(format!("contains `{text}`, which is not an origin"))
                }
            }),
            _ => match value {
                Value::String(text) => self.check_text(text),
                _ => wrong_type(value),
            },
        }
    }

    /// [`Rule::check`] for the rules about a single text.
    fn check_text(&self, text: &str) -> Result<(), String> {
        let holds = |valid: bool, problem: &str| {
            if valid {
                Ok(())
            } else {
                Err(problem.to_owned())
            }
        };
        match self {
            Rule::Text(min, max) => {
                let length = text.chars().count();
                holds(
                    !text.chars().any(char::is_control),
                    "contains control characters",
                )?;
                holds(length >= *min, "is empty")?;
                holds(length <= *max, "is too long")
            }
            Rule::Levels => holds(is_levels(text), "is not a level"),
            Rule::Choice(words) => one_of(words, text),
            Rule::Address => holds(is_address(text), "is not HOST:PORT"),
            Rule::AddressOrOff => holds(
                text == "off" || is_address(text),
                "is neither HOST:PORT nor `off`",
            ),
            Rule::UrlOrNone if text.is_empty() => Ok(()),
            Rule::Url | Rule::UrlOrNone => {
                text.parse::<BaseUrl>().map(|_| ()).map_err(str::to_owned)
            }
            Rule::Language => holds(is_language_tag(text), "is not a language tag"),
            Rule::CookieName => holds(is_cookie_name(text), "is not the name of a cookie"),
            Rule::Slug => holds(is_slug(text), "is not a short name"),
            Rule::Secret => holds(
                !text.chars().any(char::is_control),
                "contains control characters",
            ),
            Rule::Switch
            | Rule::Whole(..)
            | Rule::Decimal(..)
            | Rule::Choices(_)
            | Rule::Words
            | Rule::Names
            | Rule::Networks
            | Rule::Origins
            | Rule::Tables(..) => Err("is text".to_owned()),
        }
    }

    /// The allowed values, as text.
    pub fn allowed(&self) -> String {
        match self {
            Rule::Switch => "true or false".to_owned(),
            Rule::Whole(min, max) => format!("a whole number from {min} to {max}"),
            Rule::Decimal(min, max) => format!("a number from {min} to {max}"),
            Rule::Text(0, max) => format!("text of at most {max} characters, or \"\""),
            Rule::Text(_, max) => format!("text of at most {max} characters"),
            Rule::Levels => {
                format!("{}, or TARGET=LEVEL, separated by commas", quoted(LEVELS))
            }
            Rule::Choice(words) => format!("one of {}", quoted(words)),
            Rule::Choices(words) => format!("a list of any of {}, each once", quoted(&words())),
            Rule::Words => "a list of words".to_owned(),
            Rule::Names => "a list of texts".to_owned(),
            Rule::Address => "HOST:PORT, such as \"127.0.0.1:8080\" or \"[::1]:8080\"".to_owned(),
            Rule::AddressOrOff => "HOST:PORT, such as \"127.0.0.1:9090\", or \"off\"".to_owned(),
            Rule::Url => format!("{URL}, such as \"https://example.org\""),
            Rule::UrlOrNone => format!("{URL}, or \"\""),
            Rule::Networks => {
                "a list of addresses and networks, such as [\"127.0.0.1\", \"10.0.0.0/8\"]"
                    .to_owned()
            }
            Rule::Origins => {
                "a list of origins, such as [\"https://app.example.org\"], or [\"*\"]".to_owned()
            }
            Rule::Language => "a language tag, such as \"en-US\"".to_owned(),
            Rule::CookieName => {
                "letters, digits, `-` and `_`, at most 64 characters, or \"\"".to_owned()
            }
            Rule::Slug => "1 to 32 lower-case letters, digits and `-`".to_owned(),
            Rule::Secret => "text; it is never shown".to_owned(),
            Rule::Tables(..) => "an array of tables".to_owned(),
        }
    }

    /// Parses the text of an environment variable or a flag: numbers and switches directly,
    /// lists separated by commas or in TOML, anything else as text. A text that does not fit the
    /// rule stays text, and `check` rejects it.
    pub fn read(&self, text: &str) -> Value {
        let as_text = || Value::String(text.to_owned());
        let as_toml = || text.trim().parse::<Value>().unwrap_or_else(|_| as_text());
        match self {
            Rule::Switch | Rule::Whole(..) | Rule::Decimal(..) | Rule::Tables(..) => as_toml(),
            _ if self.is_list() && text.trim_start().starts_with('[') => as_toml(),
            _ if self.is_list() => Value::Array(
                text.split(',')
                    .map(str::trim)
                    .filter(|part| !part.is_empty())
                    .map(|part| Value::String(part.to_owned()))
                    .collect(),
            ),
            _ => as_text(),
        }
    }

    fn is_list(&self) -> bool {
        matches!(
            self,
            Rule::Choices(_) | Rule::Words | Rule::Names | Rule::Networks | Rule::Origins
        )
    }
}

const URL: &str = "an http or https URL without user, query and fragment";

fn wrong_type(value: &Value) -> Result<(), String> {
    Err(match value {
        Value::String(_) => "is text".to_owned(),
        Value::Integer(_) => "is a whole number".to_owned(),
        Value::Float(_) => "is a decimal number".to_owned(),
        Value::Boolean(_) => "is a switch".to_owned(),
        Value::Datetime(_) => "is a date".to_owned(),
        Value::Array(_) => "is a list".to_owned(),
        Value::Table(_) => "is a table".to_owned(),
    })
}

/// Whether `check` accepts every element of a list.
fn each_text(value: &Value, check: impl Fn(&str) -> Result<(), String>) -> Result<(), String> {
    let Value::Array(elements) = value else {
        return wrong_type(value);
    };
    elements.iter().try_for_each(|element| match element {
        Value::String(text) => check(text),
        other => Err(format!("contains `{other}`, which is not text")),
    })
}

/// The first duplicate text of a list.
fn repeated(value: &Value) -> Option<&str> {
    let elements = value.as_array()?;
    elements.iter().enumerate().find_map(|(at, element)| {
        let earlier = elements.iter().take(at);
        earlier
            .into_iter()
            .any(|other| other == element)
            .then(|| element.as_str())?
    })
}

fn one_of(words: &[&str], text: &str) -> Result<(), String> {
    if words.contains(&text) {
        return Ok(());
    }
    Err(match nearest_word(text, words) {
        Some(word) => format!("does not know `{text}`; did you mean \"{word}\"?"),
        None => format!("does not know `{text}`"),
    })
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(", ")
}

fn has_space(text: &str) -> bool {
    text.contains(|c: char| c.is_whitespace() || c.is_control())
}

const LEVELS: &[&str] = &["off", "error", "warn", "info", "debug", "trace"];

fn is_levels(text: &str) -> bool {
    text.split(',')
        .all(|part| match part.trim().split_once('=') {
            Some((target, level)) => {
                let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
                !target.is_empty() && target.chars().all(valid) && LEVELS.contains(&level)
            }
            None => LEVELS.contains(&part.trim()),
        })
}

/// An IP address or host name with a port.
fn is_address(text: &str) -> bool {
    if text.parse::<SocketAddr>().is_ok() {
        return true;
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    // Text that looks like a number is an invalid IPv4 address, not a name.
    let named = host.parse::<IpAddr>().is_err() && host.contains(|c: char| c.is_ascii_alphabetic());
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    named && host.chars().all(valid) && port.parse::<u16>().is_ok()
}

/// `scheme://host[:port]` without a path, or `*`.
fn is_origin(text: &str) -> bool {
    text == "*"
        || text
            .parse::<BaseUrl>()
            .is_ok_and(|url| url.as_str() == text && url.origin() == text)
}

/// The shape of RFC 5646 tags: subtags of letters and digits, a language first.
fn is_language_tag(text: &str) -> bool {
    let mut subtags = text.split('-');
    let language = subtags.next().unwrap_or_default();
    (2..=8).contains(&language.len())
        && language.chars().all(|c| c.is_ascii_alphabetic())
        && subtags.all(|subtag| {
            (1..=8).contains(&subtag.len()) && subtag.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

fn is_cookie_name(text: &str) -> bool {
    text.len() <= 64
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn is_slug(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
