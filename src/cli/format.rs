//! `citation format`: a bibliography file in, a formatted bibliography out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::input::read_items;
use super::{Failure, Global, Outcome, open};
use crate::csl::{self, Options};

#[derive(Debug, Args)]
pub struct Format {
    /// BibTeX, biblatex, RIS or CSL-JSON; `-` for standard input
    file: PathBuf,
    /// The style: short name, address, or a .csl file
    #[arg(long)]
    style: Option<String>,
    /// The locale, such as de-DE
    #[arg(long)]
    locale: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
    /// The format of the file, instead of telling it from its name and beginning
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    Html,
    Text,
    Json,
}

impl Format {
    /// Ends with 1 where an entry could not be read; what was read is printed all the same.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let (items, status) = read_items(&self.file, self.from.as_deref())?;
        let styles = open::styles(&config)?;
        let name = self.style.as_deref().unwrap_or(&config.format.style);
        let ready = if name.ends_with(".csl") {
            let xml = std::fs::read_to_string(name)
                .map_err(|cause| Failure(format!("{name}: {cause}")))?;
            styles.ready_inline(&xml, self.locale.as_deref())?
        } else {
            styles.ready(name, self.locale.as_deref())?
        };
        let options = Options {
            markers: true,
            document: false,
            ..Options::default()
        };
        let formatted = csl::format(&ready.compiled, &items, &[], &options);
        let entries = formatted.bibliography.unwrap_or_default();
        match if global.json {
            Output::Json
        } else {
            self.output
        } {
            Output::Text => {
                for entry in &entries {
                    println!("{}", entry.content.text());
                }
            }
            Output::Html => {
                println!("<div class=\"csl-bib-body\">");
                for entry in &entries {
                    println!("  <div class=\"csl-entry\">{}</div>", entry.content.html());
                }
                println!("</div>");
            }
            Output::Json => {
                for entry in &entries {
                    let marker = formatted.markers.get(entry.index);
                    let line = json!({
                        "id": entry.id,
                        "in_text": marker.map(|m| m.text()),
                        "bibliography": entry.content.text(),
                        "bibliography_html": entry.content.html(),
                    });
                    println!("{line}");
                }
            }
        }
        Ok(status)
    }
}
