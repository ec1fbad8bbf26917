//! Reads CitationMetadata from JSON. Values of the wrong type are errors with a JSON pointer; values that
//! can be repaired or kept are accepted, with a warning if the client should know.

use serde_json::{Map, Value};

use super::date::{read_date, to_year, truth, whole};
use super::error::{FieldError, Warning};
use super::fields::{Member, Number, member};
use super::kind::{infer, read_kind};
use super::limits::{KEYWORDS, MEMBERS, NAME_CHARS, SHORT_CHARS, text_chars};
use crate::formats::csl_json::loses_parts;
use crate::mend::no_such_day;
use citation_fields::notice::lost_numbers;
use citation_fields::{identifiers, keywords};
use citation_model::budget::is_longer;
use citation_model::date::{Date, DateParts, is_month, loses_numbers, month_by_name};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Size limits of an item.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Names in one list. Default 5,000.
    pub names: usize,
    /// Bytes of JSON in `extra`, unknown members included. Default 32 KiB.
    pub extra_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            names: 5_000,
            extra_bytes: 32 * 1024,
        }
    }
}

/// The item with warnings, or all errors.
pub type Outcome = Result<(Item, Vec<Warning>), Vec<FieldError>>;

/// Reads an object with the default limits. All of CSL-JSON is supported.
pub fn read(members: &Map<String, Value>) -> Outcome {
    read_with(members, &Limits::default())
}

/// Reads any JSON value; anything but an object is an error.
pub fn read_value(value: &Value) -> Outcome {
    match value {
        Value::Object(members) => read(members),
        _ => Err(vec![FieldError::new(
            "",
            "not_an_object",
            "Citation metadata must be a JSON object.",
        )]),
    }
}

/// Whether an object states its item type; otherwise reading infers it.
pub fn names_type(members: &Map<String, Value>) -> bool {
    let says_something = |value: &Value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    };
    members.iter().any(|(key, value)| {
        matches!(member(key), Some(Member::Type | Member::CslType)) && says_something(value)
    })
}

/// Reads an object with custom limits.
pub fn read_with(members: &Map<String, Value>, limits: &Limits) -> Outcome {
    let mut reader = MetadataReader {
        limits,
        item: Item::default(),
        kind: None,
        csl_kind: None,
        journal: None,
        subtitle: None,
        loose_date: LooseDate::default(),
        warnings: Vec::new(),
        errors: Vec::new(),
    };
    if members.len() > MEMBERS {
        reader.too_many("members", members.len(), MEMBERS, "");
        return Err(reader.errors);
    }
    // Canonical spellings take precedence over aliases, whatever the order in the object.
    let (own, other): (Vec<_>, Vec<_>) = members
        .iter()
        .partition(|(key, _)| key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
    for (key, value) in own.into_iter().chain(other) {
        reader.member(key, value);
    }
    reader.finish()
}

struct MetadataReader<'a> {
    limits: &'a Limits,
    item: Item,
    kind: Option<String>,
    csl_kind: Option<String>,
    journal: Option<String>,
    subtitle: Option<String>,
    loose_date: LooseDate,
    warnings: Vec<Warning>,
    errors: Vec<FieldError>,
}

/// `year`, `month` and `day` as members of the item.
#[derive(Default)]
struct LooseDate {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
}

impl MetadataReader<'_> {
    fn member(&mut self, key: &str, value: &Value) {
        if value.is_null() {
            return;
        }
        let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        match member(key) {
            Some(Member::Id) => {
                self.item.id = self.text(value, &pointer, SHORT_CHARS).unwrap_or_default()
            }
            Some(Member::Type) => self.kind = self.text(value, &pointer, SHORT_CHARS),
            Some(Member::CslType) => self.csl_kind = self.text(value, &pointer, SHORT_CHARS),
            Some(Member::Names(variable, number)) => {
                self.names(variable, number, value, &pointer);
            }
            Some(Member::Text(variable)) => {
                if let Some(text) = self.text(value, &pointer, text_chars(variable)) {
                    self.set_text(variable, text, &pointer);
                }
            }
            Some(Member::Journal) => {
                let text = self.text(value, &pointer, text_chars(TextVar::ContainerTitle));
                self.journal = self.journal.take().or(text);
            }
            Some(Member::Keywords) => self.keywords(value, &pointer),
            Some(Member::Subtitle) => {
                self.subtitle = self.text(value, &pointer, text_chars(TextVar::Title))
            }
            Some(Member::ArticleNumber) => self.number(NumberVar::Number, value, &pointer),
            Some(Member::Numeric(variable)) => self.number(variable, value, &pointer),
            Some(Member::Date(variable)) => {
                let date = read_date(value, &pointer, &mut self.errors);
                self.odd_date(value, date.as_ref(), &pointer);
                if let (Some(date), None) = (date, self.item.date(variable)) {
                    self.item.set_date(variable, date);
                }
            }
            Some(Member::Year) => {
                self.loose_date.year = whole(value, &pointer, "year", &mut self.errors);
            }
            Some(Member::Month) => self.loose_date.month = month(value),
            Some(Member::Day) => {
                self.loose_date.day = whole(value, &pointer, "day", &mut Vec::new())
            }
            Some(Member::Extra) => self.extra(key, value),
            Some(Member::ReadOnly) => {}
            None => {
                self.item.custom.insert(key.to_owned(), value.clone());
            }
        }
    }

    /// Reports numbers that are not a month or day and are dropped, and days that no calendar has.
    fn odd_date(&mut self, value: &Value, date: Option<&Date>, pointer: &str) {
        let parts = value.get("date-parts").unwrap_or(value);
        let dates = parts.as_array().into_iter().flatten().chain([parts]);
        let lists = dates.filter(|date| loses_parts(date)).map(Value::to_string);
        let mut odd: Vec<String> = lists.collect();
        let ends = [Some(value), value.get("end")].into_iter().flatten();
        for end in ends {
            let is_odd = match end {
                Value::String(text) => loses_numbers(text),
                Value::Object(members) => {
                    let month = members.get("month").and_then(month);
                    month.is_some_and(|month| !is_month(month))
                }
                _ => false,
            };
            odd.extend(is_odd.then(|| end.to_string()));
        }
        for odd in odd {
            self.invalid_date(lost_numbers(&odd), pointer);
        }
        if let Some(day) = date.and_then(Date::impossible_day) {
            self.invalid_date(no_such_day(&day.iso()), pointer);
        }
    }

    fn invalid_date(&mut self, message: String, pointer: &str) {
        self.warnings.push(Warning {
            code: "invalid_date",
            field: pointer.to_owned(),
            message,
        });
    }

    fn extra(&mut self, key: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    self.item.custom.insert(name.clone(), value.clone());
                }
            }
            other => {
                self.item.custom.insert(key.to_owned(), other.clone());
            }
        }
    }

    /// Sets a text once; another spelling of the same variable is dropped, with a warning if it differs.
    fn set_text(&mut self, variable: TextVar, text: String, pointer: &str) {
        let text = self.canonical(variable, text, pointer);
        match self.item.text(variable) {
            Some(first) if first != text => self.warnings.push(Warning {
                code: "duplicate_field",
                field: pointer.to_owned(),
                message: format!(
                    "`{}` was given twice; the first stays.",
                    variable.json_name()
                ),
            }),
            Some(_) => {}
            None => self.item.set_text(variable, text),
        }
    }

    /// Makes an identifier canonical; an invalid one stays unchanged, with a warning.
    fn canonical(&mut self, variable: TextVar, text: String, pointer: &str) -> String {
        match identifiers::canonical(variable, &text) {
            None => text,
            Some(Ok(canonical)) => canonical,
            Some(Err(wrong)) => {
                self.warnings.push(Warning {
                    code: wrong.code,
                    field: pointer.to_owned(),
                    message: wrong.message,
                });
                text
            }
        }
    }

    fn number(&mut self, variable: NumberVar, value: &Value, pointer: &str) {
        let text = self.text(value, pointer, SHORT_CHARS);
        if let (Some(text), None) = (text, self.item.number(variable)) {
            self.item.set_number(variable, text);
        }
    }

    fn keywords(&mut self, value: &Value, pointer: &str) {
        let list: Vec<String> = match value {
            Value::Array(values) if values.len() > KEYWORDS => {
                self.too_many("keywords", values.len(), KEYWORDS, pointer);
                return;
            }
            Value::Array(values) => {
                let texts = values.iter().enumerate();
                texts
                    .filter_map(|(at, value)| {
                        self.text(value, &format!("{pointer}/{at}"), SHORT_CHARS)
                    })
                    .collect()
            }
            other => {
                let text = self.text(other, pointer, text_chars(TextVar::Keyword));
                text.into_iter().collect()
            }
        };
        let joined = keywords::join(list.iter().map(String::as_str));
        if self.item.text(TextVar::Keyword).is_none() {
            self.item.set_text(TextVar::Keyword, joined);
        }
    }

    fn names(&mut self, variable: NameVar, number: Number, value: &Value, pointer: &str) {
        let names = match (value, number) {
            (Value::Array(values), _) if values.len() > self.limits.names => {
                self.too_many("names", values.len(), self.limits.names, pointer);
                return;
            }
            (Value::Array(values), _) => {
                let values = values.iter().enumerate();
                values
                    .filter_map(|(at, value)| self.name(value, &format!("{pointer}/{at}")))
                    .collect()
            }
            (Value::String(_), Number::Singular) => {
                let text = self.text(value, pointer, text_chars(TextVar::Abstract));
                let names = split_names(&text.unwrap_or_default());
                if names.len() > self.limits.names {
                    self.too_many("names", names.len(), self.limits.names, pointer);
                    return;
                }
                names
            }
            (Value::Object(_), Number::Singular) => self.name(value, pointer).into_iter().collect(),
            _ => {
                self.errors.push(FieldError::new(
                    pointer,
                    "wrong_type",
                    "Names must be a list of objects with `family` and `given`, or of texts.",
                ));
                return;
            }
        };
        if self.item.names(variable).is_empty() {
            self.item.set_names(variable, names);
        }
    }

    fn too_many(&mut self, what: &str, given: usize, most: usize, pointer: &str) {
        let message = format!("At most {most} {what} are allowed here, and {given} were given.");
        self.errors
            .push(FieldError::new(pointer, "too_many", &message));
    }

    fn name(&mut self, value: &Value, pointer: &str) -> Option<Name> {
        match value {
            Value::Null => None,
            Value::String(_) => {
                let text = self.text(value, pointer, NAME_CHARS)?;
                Some(Name::parse(&text))
            }
            Value::Object(members) => Some(self.name_object(members, pointer)),
            _ => {
                self.errors.push(FieldError::new(
                    pointer,
                    "wrong_type",
                    "A name is an object with `family` and `given`, or a text.",
                ));
                None
            }
        }
    }

    fn name_object(&mut self, members: &Map<String, Value>, pointer: &str) -> Name {
        let mut name = Name {
            parse_names: true,
            ..Name::default()
        };
        for (key, value) in members {
            let pointer = format!("{pointer}/{key}");
            let folded = key.replace('-', "_").to_ascii_lowercase();
            let slot = match folded.as_str() {
                "family" | "lastname" | "last_name" | "family_name" | "last" => &mut name.family,
                "given" | "firstname" | "first_name" | "given_name" | "first" => &mut name.given,
                "suffix" => &mut name.suffix,
                "dropping_particle" => &mut name.dropping_particle,
                "non_dropping_particle" => &mut name.non_dropping_particle,
                "literal" | "name" => &mut name.literal,
                "orcid" => {
                    let text = self.text(value, &pointer, NAME_CHARS);
                    name.orcid = text.map(|t| t.rsplit('/').next().unwrap_or_default().to_owned());
                    continue;
                }
                "comma_suffix" => {
                    name.comma_suffix = truth(value);
                    continue;
                }
                "static_ordering" => {
                    name.static_ordering = truth(value);
                    continue;
                }
                "parse_names" => {
                    name.parse_names = truth(value);
                    continue;
                }
                _ => continue,
            };
            let text = self.text(value, &pointer, NAME_CHARS);
            *slot = slot.take().or(text);
        }
        name
    }

    /// Text of at most `most` characters, a number, or a list of these. Blank text is absent.
    fn text(&mut self, value: &Value, pointer: &str, most: usize) -> Option<String> {
        let text = match value {
            Value::Null => return None,
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Array(values) => {
                let texts = values.iter().enumerate();
                let parts: Vec<String> = texts
                    .filter_map(|(at, value)| match value {
                        Value::Array(_) => {
                            self.wrong_text(&format!("{pointer}/{at}"));
                            None
                        }
                        other => self.text(other, &format!("{pointer}/{at}"), most),
                    })
                    .collect();
                parts.join(", ")
            }
            Value::Bool(_) | Value::Object(_) => {
                self.wrong_text(pointer);
                return None;
            }
        };
        if is_longer(&text, most) {
            let message = format!("At most {most} characters are allowed here.");
            self.errors
                .push(FieldError::new(pointer, "too_long", &message));
            return None;
        }
        (!text.is_empty()).then_some(text)
    }

    fn wrong_text(&mut self, pointer: &str) {
        self.errors.push(FieldError::new(
            pointer,
            "wrong_type",
            "A text is expected here.",
        ));
    }

    fn finish(mut self) -> Outcome {
        self.settle_date();
        self.settle_container();
        if let Some(subtitle) = self.subtitle.take() {
            let title = self.item.text(TextVar::Title).unwrap_or_default();
            if !title.contains(&subtitle) {
                let joined = if title.is_empty() {
                    subtitle
                } else {
                    format!("{title}: {subtitle}")
                };
                self.item.set_text(TextVar::Title, joined);
            }
        }
        self.settle_kind();
        let extra = serde_json::to_string(&self.item.custom).unwrap_or_default();
        if extra.len() > self.limits.extra_bytes {
            let message = format!(
                "Members outside the interface may fill {} bytes, and these fill {}.",
                self.limits.extra_bytes,
                extra.len()
            );
            self.errors
                .push(FieldError::new("/extra", "too_large", &message));
        }
        if self.errors.is_empty() {
            Ok((self.item, self.warnings))
        } else {
            Err(self.errors)
        }
    }

    fn settle_date(&mut self) {
        let (Some(year), None) = (self.loose_date.year, self.item.date(DateVar::Issued)) else {
            return;
        };
        if let Some(year) = to_year(year, "/year", &mut self.errors) {
            let (month, day) = (self.loose_date.month, self.loose_date.day);
            let parts = DateParts::new(year, month, day);
            if month.is_some_and(|month| !is_month(month)) {
                self.invalid_date(
                    lost_numbers(&format!("{year}-{}", month.unwrap_or(0))),
                    "/month",
                );
            } else if !parts.is_possible() {
                self.invalid_date(no_such_day(&parts.iso()), "/day");
            }
            self.item.set_date(DateVar::Issued, Date::from(parts));
        }
    }

    /// `journal` and `container_title` are the same variable. If they differ, `journal` wins: the API
    /// displays it, so it is the one that the client has changed.
    fn settle_container(&mut self) {
        let Some(journal) = self.journal.take() else {
            return;
        };
        let differs = self
            .item
            .text(TextVar::ContainerTitle)
            .is_some_and(|title| title != journal);
        if differs {
            self.warnings.push(Warning {
                code: "conflicting_fields",
                field: "/container_title".to_owned(),
                message: "`journal` and `container_title` differ; `journal` is taken.".to_owned(),
            });
        }
        self.item.set_text(TextVar::ContainerTitle, journal);
    }

    fn settle_kind(&mut self) {
        let from_csl = self.csl_kind.as_deref().and_then(ItemType::from_csl);
        let Some(text) = self.kind.take() else {
            self.item.kind = from_csl.unwrap_or_else(|| infer(&self.item));
            return;
        };
        match read_kind(&text, &self.item) {
            Some(kind) => self.item.kind = kind,
            None => {
                self.item.kind = ItemType::Document;
                self.warnings.push(Warning {
                    code: "unknown_entry_type",
                    field: "/entry_type".to_owned(),
                    message: format!("“{text}” is no known type; it is treated as Document."),
                });
                self.item.custom.insert("entry_type".into(), text.into());
            }
        }
    }
}

/// Splits names in one text at ` and ` or semicolons.
fn split_names(text: &str) -> Vec<Name> {
    text.split(';')
        .flat_map(|part| part.split(" and "))
        .filter(|name| !name.trim().is_empty())
        .map(Name::parse)
        .collect()
}

fn month(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => match text.trim().parse() {
            Ok(number) => Some(number),
            Err(_) => month_by_name(text.trim()).map(i64::from),
        },
        _ => None,
    }
}
