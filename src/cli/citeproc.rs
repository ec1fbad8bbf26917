//! `citation citeproc`: a filter for other programs. Reads jobs as JSON lines on standard input
//! and writes one result line a job, in the order of the jobs.
//!
//! The first line holds the items, `{"kind":"items","items":[…CSL-JSON…]}`; each further line is
//! a job: `{"id","style","locale","items":[ids],"citations":[{"citationID","citationItems",
//! "properties":{"noteIndex"}}]}`. `style` is a file name without `.csl` in the styles directory
//! (or its `dependent` folder), `locale` forces a locale. A result has `id`, `style`, `locale`,
//! `bib_ids`, `bibliography` and `citations` in HTML, or `error`.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::csl::{self, Compiled, Locale, Options, Style};
use crate::model::cite::{Citation, Cite, CiteMode, Locator, Position};
use crate::model::item::Item;

/// Answers every job. Fails only where reading or writing does; what is wrong with a job is said
/// in its result.
pub fn run(
    input: impl BufRead,
    mut output: impl Write,
    styles: &Path,
    locales: &Path,
) -> io::Result<()> {
    let mut filter = Filter {
        library: Library::new(styles, locales),
        items: HashMap::new(),
    };
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        if let Some(answer) = filter.line(&line) {
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
        }
    }
    output.flush()
}

/// A line of input, told apart by its members.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    style: String,
    locale: Option<String>,
    #[serde(default)]
    items: Vec<Value>,
    #[serde(default)]
    citations: Vec<CitationLine>,
}

/// A citation in the terms of citeproc's word processor interface.
#[derive(Deserialize)]
pub struct CitationLine {
    #[serde(rename = "citationID", default)]
    pub id: String,
    #[serde(rename = "citationItems", default)]
    pub cites: Vec<CiteLine>,
    #[serde(default)]
    pub properties: Properties,
}

#[derive(Default, Deserialize)]
pub struct Properties {
    #[serde(rename = "noteIndex", default)]
    pub note_index: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CiteLine {
    pub id: Value,
    #[serde(default)]
    pub locator: Value,
    pub label: Option<String>,
    pub prefix: Option<String>,
    pub suffix: Option<String>,
    #[serde(default)]
    pub suppress_author: Value,
    #[serde(default)]
    pub author_only: Value,
    pub position: Option<u8>,
    pub near_note: Option<bool>,
    pub first_reference_note_number: Option<Value>,
}

#[derive(Serialize)]
struct Answer {
    id: Value,
    #[serde(skip_serializing_if = "String::is_empty")]
    style: String,
    locale: Option<String>,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Done {
        bib_ids: Vec<String>,
        bibliography: Option<Vec<String>>,
        citations: Vec<String>,
    },
    Failed {
        error: String,
    },
}

struct Filter {
    library: Library,
    items: HashMap<String, Item>,
}

impl Filter {
    /// The answer to a line; none to the line of items.
    fn line(&mut self, line: &str) -> Option<Answer> {
        let line: Line = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(error) => {
                return Some(Answer {
                    id: Value::Null,
                    style: String::new(),
                    locale: None,
                    outcome: Outcome::Failed {
                        error: format!("the line is not a job: {error}"),
                    },
                });
            }
        };
        if line.kind == "items" {
            let items = line.items.into_iter().filter_map(read_item);
            self.items = items.map(|item| (item.id.clone(), item)).collect();
            return None;
        }
        let outcome = self
            .job(&line)
            .unwrap_or_else(|error| Outcome::Failed { error });
        Some(Answer {
            id: line.id,
            style: line.style,
            locale: line.locale,
            outcome,
        })
    }

    fn job(&mut self, job: &Line) -> Result<Outcome, String> {
        let compiled = self.library.compiled(&job.style, job.locale.as_deref())?;
        let items: Vec<Item> = job
            .items
            .iter()
            .filter_map(|id| self.items.get(&id_text(id)).cloned())
            .collect();
        let citations: Vec<Citation> = job.citations.iter().map(CitationLine::citation).collect();
        let formatted = csl::format(&compiled, &items, &citations, &Options::default());
        let entries = formatted.bibliography;
        Ok(Outcome::Done {
            bib_ids: entries.iter().flatten().map(|e| e.id.clone()).collect(),
            bibliography: entries.map(|entries| entries.iter().map(|e| e.content.html()).collect()),
            citations: formatted.citations.iter().map(|c| c.html()).collect(),
        })
    }
}

fn read_item(value: Value) -> Option<Item> {
    serde_json::from_value(value).ok()
}

impl CitationLine {
    pub fn citation(&self) -> Citation {
        Citation {
            id: self.id.clone(),
            cites: self.cites.iter().map(CiteLine::cite).collect(),
            note_number: self.properties.note_index,
        }
    }
}

impl CiteLine {
    pub fn cite(&self) -> Cite {
        let value = id_text(&self.locator);
        Cite {
            id: id_text(&self.id),
            locator: (!value.is_empty()).then(|| Locator {
                label: self.label.clone().unwrap_or_else(|| "page".into()),
                value,
            }),
            prefix: self.prefix.clone().unwrap_or_default(),
            suffix: self.suffix.clone().unwrap_or_default(),
            mode: if is_true(&self.author_only) {
                CiteMode::AuthorOnly
            } else if is_true(&self.suppress_author) {
                CiteMode::SuppressAuthor
            } else {
                CiteMode::Normal
            },
            position: self.position.map(|position| match position {
                0 => Position::First,
                1 => Position::Subsequent,
                2 => Position::Ibid,
                _ => Position::IbidWithLocator,
            }),
            near_note: self.near_note,
            first_reference_note_number: self
                .first_reference_note_number
                .as_ref()
                .and_then(|number| id_text(number).parse().ok()),
        }
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.as_str(), "" | "false" | "0"),
        _ => false,
    }
}

/// Ids and locators may be texts or numbers.
fn id_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Styles and locales of two directories, read when they are asked for.
pub struct Library {
    styles: PathBuf,
    locales: PathBuf,
    read: HashMap<String, Option<Arc<Locale>>>,
    /// The style compiled last; jobs of one style tend to come together.
    last: Option<(String, Arc<Style>)>,
}

impl Library {
    pub fn new(styles: &Path, locales: &Path) -> Library {
        Library {
            styles: styles.to_owned(),
            locales: locales.to_owned(),
            read: HashMap::new(),
            last: None,
        }
    }

    /// A style by file name, with a locale or its own default.
    pub fn compiled(&mut self, name: &str, locale: Option<&str>) -> Result<Compiled, String> {
        let style = self.style(name)?;
        self.compile(style, locale)
    }

    pub fn compile(&mut self, style: Arc<Style>, locale: Option<&str>) -> Result<Compiled, String> {
        let tag = locale
            .or(style.options.default_locale.as_deref())
            .unwrap_or(csl::locale::lang::ROOT);
        for name in csl::locale::lang::fallback_chain(tag) {
            self.locale(&name);
        }
        let find = |name: &str| self.read.get(name).cloned().flatten();
        Compiled::new(style.clone(), locale, &find).map_err(|error| error.to_string())
    }

    fn style(&mut self, name: &str) -> Result<Arc<Style>, String> {
        if let Some((known, style)) = &self.last
            && known == name
        {
            return Ok(style.clone());
        }
        let mut style = self.read_style(name)?;
        if let Some(parent) = &style.info.parent {
            let parent = parent.rsplit('/').next().unwrap_or_default().to_owned();
            style = self.read_style(&parent)?;
        }
        let style = Arc::new(style);
        self.last = Some((name.to_owned(), style.clone()));
        Ok(style)
    }

    fn read_style(&self, name: &str) -> Result<Style, String> {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(format!("\"{name}\" is not the name of a style"));
        }
        let file = format!("{name}.csl");
        let xml = fs::read_to_string(self.styles.join(&file))
            .or_else(|_| fs::read_to_string(self.styles.join("dependent").join(&file)))
            .map_err(|error| format!("the style {name} cannot be read: {error}"))?;
        Style::parse(&xml).map_err(|error| format!("{file}: {error}"))
    }

    fn locale(&mut self, tag: &str) -> Option<Arc<Locale>> {
        if let Some(known) = self.read.get(tag) {
            return known.clone();
        }
        let file = self.locales.join(format!("locales-{tag}.xml"));
        let locale = fs::read_to_string(file)
            .ok()
            .and_then(|xml| Locale::parse(&xml).ok())
            .map(Arc::new);
        self.read.insert(tag.to_owned(), locale.clone());
        locale
    }
}
