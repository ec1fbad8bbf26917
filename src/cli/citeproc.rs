//! `citation citeproc`: a filter for other programs. Reads jobs as JSON lines on standard input
//! and writes one result line per job, in the order of the jobs.
//!
//! The first line holds the items, `{"kind":"items","items":[…CSL-JSON…]}`; each further line is
//! a job: `{"id","style","locale","items":[ids],"citations":[{"citationID","citationItems",
//! "properties":{"noteIndex"}}]}`. `style` is the name of a style of the library, `locale` forces a
//! locale. A result has `id`, `style`, `locale`, `bib_ids`, `bibliography` and `citations` in HTML,
//! or `error`; `warnings` lists unknown items and locales of a job that succeeded.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::terminal::JsonLines;
use citation_csl::{
    self as csl, Compiled, Locale, Options, Style, UNKNOWN_ITEM, lang, unknown_item,
};
use citation_model::cite::Citation;
use citation_model::cite_json::{CitationJson, id_text};
use citation_model::item::Item;

/// Answers every job. Fails only if reading or writing fails; errors of a job are part of its
/// result.
pub fn run(input: impl BufRead, output: impl Write, library: StyleLibrary) -> io::Result<()> {
    let mut output = JsonLines(output);
    let mut filter = LineProcessor {
        library,
        items: HashMap::new(),
    };
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        if let Some(answer) = filter.line(&line) {
            output.write(&answer)?;
        }
    }
    output.flush()
}

/// A line of input, distinguished by its members.
#[derive(Deserialize)]
struct InputLine {
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
    citations: Vec<CitationJson>,
}

#[derive(Serialize)]
struct JobAnswer {
    id: Value,
    #[serde(skip_serializing_if = "String::is_empty")]
    style: String,
    locale: Option<String>,
    #[serde(flatten)]
    outcome: JobOutcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JobOutcome {
    Done {
        bib_ids: Vec<String>,
        bibliography: Option<Vec<String>>,
        citations: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    Failed {
        error: String,
    },
}

struct LineProcessor {
    library: StyleLibrary,
    items: HashMap<String, Item>,
}

impl LineProcessor {
    /// The answer to a line; `None` for the line of items.
    fn line(&mut self, line: &str) -> Option<JobAnswer> {
        let line: InputLine = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(error) => {
                return Some(JobAnswer {
                    id: Value::Null,
                    style: String::new(),
                    locale: None,
                    outcome: JobOutcome::Failed {
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
            .unwrap_or_else(|error| JobOutcome::Failed { error });
        Some(JobAnswer {
            id: line.id,
            style: line.style,
            locale: line.locale,
            outcome,
        })
    }

    fn job(&mut self, job: &InputLine) -> Result<JobOutcome, String> {
        let compiled = self.library.compiled(&job.style, job.locale.as_deref())?;
        let mut warnings = Vec::new();
        warnings.extend(
            self.library
                .locale_warning(job.locale.as_deref(), &compiled),
        );
        let mut items: Vec<Item> = Vec::with_capacity(job.items.len());
        for id in &job.items {
            let id = id_text(id);
            match self.items.get(&id) {
                Some(item) => items.push(item.clone()),
                None => add(unknown_item(&id), &mut warnings),
            }
        }
        let citations: Vec<Citation> = job.citations.iter().map(Citation::from).collect();
        let options = Options {
            titles_in_locale: false,
            addresses: false,
            suite_notation: true,
            ..Options::default()
        };
        let formatted = csl::format(&compiled, &items, &citations, &options)
            .map_err(|cause| cause.to_string())?;
        let entries = formatted.bibliography;
        for warning in formatted.warnings {
            if warning.code == UNKNOWN_ITEM {
                add(warning.message, &mut warnings);
            }
        }
        Ok(JobOutcome::Done {
            bib_ids: entries.iter().flatten().map(|e| e.id.clone()).collect(),
            bibliography: entries.map(|entries| entries.iter().map(|e| e.content.html()).collect()),
            citations: formatted.citations.iter().map(|c| c.html()).collect(),
            warnings,
        })
    }
}

/// Adds a warning unless it is already there.
fn add(warning: String, warnings: &mut Vec<String>) {
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

fn read_item(value: Value) -> Option<Item> {
    serde_json::from_value(value).ok()
}

/// Returns the XML of a style by its name, or the error message.
pub type ReadStyle = Box<dyn Fn(&str) -> Result<String, String>>;

/// Returns the locale of a tag, if it exists.
pub type ReadLocale = Box<dyn Fn(&str) -> Option<Arc<Locale>>>;

/// Styles and locales, read on demand.
pub struct StyleLibrary {
    styles: ReadStyle,
    locales: ReadLocale,
    read: HashMap<String, Option<Arc<Locale>>>,
    /// The style used last; jobs of one style tend to follow each other.
    last: Option<(String, ResolvedStyle)>,
}

/// An independent style, and the locale that a dependent style requests.
#[derive(Clone)]
struct ResolvedStyle {
    style: Arc<Style>,
    locale: Option<String>,
}

impl StyleLibrary {
    pub fn new(styles: ReadStyle, locales: ReadLocale) -> StyleLibrary {
        StyleLibrary {
            styles,
            locales,
            read: HashMap::new(),
            last: None,
        }
    }

    /// A style by name, in a locale, its own default or English.
    pub fn compiled(&mut self, name: &str, locale: Option<&str>) -> Result<Compiled, String> {
        let ResolvedStyle { style, locale: own } = self.choose(name)?;
        let locale = locale.map(str::to_owned).or(own);
        let tag = locale
            .as_deref()
            .or(style.options.default_locale.as_deref())
            .unwrap_or(lang::ROOT);
        for name in lang::fallback_chain(tag) {
            if !self.read.contains_key(&name) {
                let locale = (self.locales)(&name);
                self.read.insert(name, locale);
            }
        }
        let find = |name: &str| self.read.get(name).cloned().flatten();
        Compiled::new(style, locale.as_deref(), &find).map_err(|error| error.to_string())
    }

    /// The warning for a requested locale that is not the one used.
    fn locale_warning(&self, asked: Option<&str>, compiled: &Compiled) -> Option<String> {
        let asked = asked?;
        let is_read = |tag: &String| self.read.get(tag).is_some_and(Option::is_some);
        let chain = lang::fallback_chain(compiled.lang());
        let used = chain.iter().find(|tag| is_read(tag)).map(|tag| &**tag);
        match lang::normalized(asked) {
            None => Some(format!("\"{asked}\" is not a language tag such as en-US.")),
            Some(tag) => {
                let stands_in = used.is_none_or(|used| used == lang::ROOT);
                let is_english = lang::language(&tag) == lang::language(lang::ROOT);
                (stands_in && !is_english).then(|| match used {
                    Some(used) => {
                        format!("The locale {tag} does not exist; {used} is used instead.")
                    }
                    None => format!("The locale {tag} does not exist, nor does {}.", lang::ROOT),
                })
            }
        }
    }

    fn choose(&mut self, name: &str) -> Result<ResolvedStyle, String> {
        if let Some((known, chosen)) = &self.last
            && known == name
        {
            return Ok(chosen.clone());
        }
        let mut style = self.read_style(name)?;
        let mut locale = None;
        if let Some(parent) = &style.info.parent {
            let parent = parent.rsplit('/').next().unwrap_or_default().to_owned();
            locale = style.options.default_locale.take();
            style = self.read_style(&parent)?;
        }
        let chosen = ResolvedStyle {
            style: Arc::new(style),
            locale,
        };
        self.last = Some((name.to_owned(), chosen.clone()));
        Ok(chosen)
    }

    fn read_style(&self, name: &str) -> Result<Style, String> {
        Style::parse(&(self.styles)(name)?).map_err(|error| format!("{name}: {error}"))
    }
}

/// The styles `NAME.csl` of a folder and of its folder `dependent`.
pub fn styles_in(folder: PathBuf) -> ReadStyle {
    Box::new(move |name| {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(format!("\"{name}\" is not the name of a style"));
        }
        let file = format!("{name}.csl");
        fs::read_to_string(folder.join(&file))
            .or_else(|_| fs::read_to_string(folder.join("dependent").join(&file)))
            .map_err(|error| format!("the style {name} cannot be read: {error}"))
    })
}

/// The locales `locales-TAG.xml` of a folder.
pub fn locales_in(folder: PathBuf) -> ReadLocale {
    Box::new(move |tag| {
        let xml = fs::read_to_string(folder.join(format!("locales-{tag}.xml"))).ok()?;
        Locale::parse(&xml).ok().map(Arc::new)
    })
}
