//! One fixture of the CSL test suite: its sections, how to run it, and how to compare results.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use citation_csl::{Compiled, Formatted, Locale, Options, Style};
use citation_model::cite::{Citation, Cite};
use citation_model::cite_json::{CitationJson, CiteJson};
use citation_model::item::Item;

/// The locale files by tag.
pub struct Locales(HashMap<String, Arc<Locale>>);

impl Locales {
    pub fn from_archive(archive: &Path) -> Locales {
        let files = crate::archive::members(archive, "locales/locales-");
        let parsed = files.into_iter().filter_map(|(path, xml)| {
            let tag = path
                .strip_prefix("locales/locales-")?
                .strip_suffix(".xml")?;
            Some((tag.to_owned(), Arc::new(Locale::parse(&xml).unwrap())))
        });
        Locales(parsed.collect())
    }

    /// A small English locale of our own, for cases that need no archive.
    pub fn built_in() -> Locales {
        let xml = include_str!("local/locales-en-US.xml");
        let locale = Arc::new(Locale::parse(xml).unwrap());
        Locales(HashMap::from([("en-US".to_owned(), locale)]))
    }
}

/// The sections of a fixture by name.
pub struct Fixture {
    sections: HashMap<String, String>,
}

impl Fixture {
    pub fn parse(text: &str) -> Fixture {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let mut sections = HashMap::new();
        let mut open: Option<(String, Vec<&str>)> = None;
        for line in text.split('\n') {
            match &mut open {
                None => open = opener(line).map(|name| (name.to_owned(), Vec::new())),
                Some((name, lines)) => {
                    if closes(line, name) {
                        sections.insert(std::mem::take(name), lines.join("\n"));
                        open = None;
                    } else {
                        lines.push(line);
                    }
                }
            }
        }
        Fixture { sections }
    }

    fn section(&self, name: &str) -> Option<&str> {
        self.sections.get(name).map(String::as_str)
    }

    fn json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        let text = self.section(name)?;
        Some(serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}")))
    }

    /// The expected text, normalized for comparison.
    pub fn expected(&self) -> String {
        comparable(self.section("RESULT").unwrap_or_default())
    }

    /// Formats the fixture's input; an error is the reason why that is impossible.
    pub fn run(&self, locales: &Locales) -> Result<String, String> {
        let style = Style::parse(self.section("CSL").unwrap_or_default());
        let style = style.map_err(|error| format!("style: {error}"))?;
        let find = |tag: &str| locales.0.get(tag).cloned();
        let compiled = Compiled::new(Arc::new(style), None, &find).map_err(|e| e.to_string())?;
        let items = registered(self.json("INPUT").unwrap_or_default());
        let steps: Option<Vec<Step>> = self.json("CITATIONS");
        let result = match (self.section("MODE"), steps) {
            (Some("bibliography"), Some(steps)) => {
                let document = replay(&steps).pop().unwrap_or_default();
                bibliography(&in_document(&compiled, &items, &document))
            }
            (Some("bibliography"), None) => {
                bibliography(&format(&compiled, &items, &[], &Options::default()))
            }
            (_, Some(steps)) => transcript(&compiled, &items, &steps),
            (_, None) => self.clusters(&compiled, &items),
        };
        Ok(comparable(&result))
    }

    /// Independent citations, one per line.
    fn clusters(&self, compiled: &Compiled, items: &[Item]) -> String {
        let options = Options {
            bibliography: false,
            document: false,
            ..Options::default()
        };
        let clusters: Vec<Vec<CiteJson>> = self.json("CITATION-ITEMS").unwrap_or_default();
        let mut citations: Vec<Citation> = clusters
            .iter()
            .map(|cites| Citation {
                cites: cites.iter().map(Cite::from).collect(),
                ..Citation::default()
            })
            .collect();
        if citations.is_empty() {
            let order = format(compiled, items, &[], &options).order;
            let cites = order.iter().map(|&at| Cite {
                id: items[at].id.clone(),
                ..Cite::default()
            });
            citations.push(Citation {
                cites: cites.collect(),
                ..Citation::default()
            });
        }
        let formatted = format(compiled, items, &citations, &options);
        let lines: Vec<String> = formatted.citations.iter().map(|c| c.html()).collect();
        lines.join("\n")
    }
}

/// Items by id: a later one replaces an earlier one (see number_PlainHyphenOrEnDashAlwaysPlural).
fn registered(items: Vec<Item>) -> Vec<Item> {
    let mut known: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match known.iter_mut().find(|earlier| earlier.id == item.id) {
            Some(earlier) => *earlier = item,
            None => known.push(item),
        }
    }
    known
}

/// A citation that is inserted or edited, and the ids of those before and after it.
type Step = (CitationJson, Vec<(String, u32)>, Vec<(String, u32)>);

/// The document after each step.
fn replay(steps: &[Step]) -> Vec<Vec<Citation>> {
    let mut known: HashMap<String, Citation> = HashMap::new();
    let mut states = Vec::new();
    for (inserted, before, after) in steps {
        known.insert(inserted.id.clone(), Citation::from(inserted));
        let own = (inserted.id.clone(), inserted.properties.note_index);
        let order = before.iter().chain([&own]).chain(after);
        let document: Vec<Citation> = order
            .filter_map(|(id, note)| {
                let mut citation = known.get(id)?.clone();
                citation.note_number = *note;
                Some(citation)
            })
            .collect();
        states.push(document);
    }
    states
}

/// Formats with an unlimited budget, which never fails.
fn format(
    compiled: &Compiled,
    items: &[Item],
    citations: &[Citation],
    options: &Options,
) -> Formatted {
    let options = Options {
        suite_notation: true,
        ..options.clone()
    };
    citation_csl::format(compiled, items, citations, &options).unwrap()
}

/// Formats a document with only the cited items.
fn in_document(compiled: &Compiled, items: &[Item], citations: &[Citation]) -> Formatted {
    let cited = |item: &&Item| {
        let mut cites = citations.iter().flat_map(|citation| &citation.cites);
        cites.any(|cite| cite.id == item.id)
    };
    let items: Vec<Item> = items.iter().filter(cited).cloned().collect();
    format(compiled, &items, citations, &Options::default())
}

/// The citations of the final document; `>>` marks those that the last step changed.
fn transcript(compiled: &Compiled, items: &[Item], steps: &[Step]) -> String {
    let states = replay(steps);
    let (Some(last), Some((inserted, ..))) = (states.last(), steps.last()) else {
        return String::new();
    };
    let texts = |document: &[Citation]| -> Vec<(String, u64)> {
        let formatted = in_document(compiled, items, document);
        let texts = formatted.citations.iter().map(|c| c.html());
        texts.zip(formatted.states).collect()
    };
    let now = texts(last);
    let previous = states.len().checked_sub(2).map(|at| &states[at]);
    let before: HashMap<&str, (String, u64)> = previous
        .map(|document| {
            let ids = document.iter().map(|citation| citation.id.as_str());
            ids.zip(texts(document)).collect()
        })
        .unwrap_or_default();
    let lines: Vec<String> = last
        .iter()
        .zip(&now)
        .enumerate()
        .map(|(at, (citation, now))| {
            let same = before.get(citation.id.as_str()) == Some(now);
            let text = &now.0;
            let mark = if same && citation.id != inserted.id {
                ".."
            } else {
                ">>"
            };
            format!("{mark}[{at}] {text}")
        })
        .collect();
    lines.join("\n")
}

fn bibliography(formatted: &Formatted) -> String {
    let mut out = String::from("<div class=\"csl-bib-body\">\n");
    for entry in formatted.bibliography.iter().flatten() {
        out.push_str("  <div class=\"csl-entry\">");
        out.push_str(&entry.content.html());
        out.push_str("</div>\n");
    }
    out.push_str("</div>");
    out
}

/// Normalizes entities and removes line breaks that only lay out the HTML.
fn comparable(text: &str) -> String {
    let text = text
        .replace("&#38;", "&amp;")
        .replace("&#60;", "&lt;")
        .replace("&#62;", "&gt;");
    if !text.contains("<div class=\"csl-bib-body\">") {
        return text.trim_end_matches('\n').to_owned();
    }
    text.lines().map(str::trim_start).collect()
}

fn opener(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(">>=")?.trim_start_matches('=');
    let rest = rest.trim_end().strip_suffix("=>>")?;
    let name = rest.trim_end_matches('=').trim();
    let known = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-';
    (!name.is_empty() && name.bytes().all(known)).then_some(name)
}

fn closes(line: &str, name: &str) -> bool {
    let Some(rest) = line.strip_prefix("<<=") else {
        return false;
    };
    let rest = rest.trim_start_matches('=').trim_end();
    rest.strip_suffix("=<<")
        .is_some_and(|rest| rest.trim_end_matches('=').trim() == name)
}
