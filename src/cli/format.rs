//! `citation format`: formats a bibliography file.

use clap::{Args, ValueEnum};
use serde_json::json;

use super::input::BibliographyInput;
use super::output::Destination;
use super::{Failure, Global, Outcome, open, terminal};
use citation_csl::{self as csl, Entry, Formatted, Options, OutputFormat, Rich, write_all};
use citation_model::inert::terminal as inert;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation format refs.bib --style nature
  citation format library.ris more.bib -s apa -l de-DE -t html -o refs.html
  curl -s https://example.org/refs.bib | citation format -s ieee")]
pub struct FormatCommand {
    #[command(flatten)]
    input: BibliographyInput,
    /// The style: short name, address, or a .csl file
    #[arg(short, long)]
    style: Option<String>,
    /// The locale, such as de-DE
    #[arg(short, long)]
    locale: Option<String>,
    /// The output format (default: text, or JSON with --json)
    #[arg(short, long, alias = "format", value_enum, value_name = "FORMAT")]
    to: Option<Output>,
    #[command(flatten)]
    destination: Destination,
    /// Turn DOIs and URLs into links, if the output has links
    #[arg(long)]
    links: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    Html,
    Text,
    Json,
    Rtf,
    Markdown,
    Latex,
    Typst,
}

impl FormatCommand {
    /// Exits with 1 if an entry cannot be read or is never closed, or if there is none; the entries
    /// read are still printed.
    pub fn run(&self, global: &Global) -> Outcome {
        let output = self.output(global)?;
        let config = open::config(open::overrides(global))?;
        let (mut items, status) = self.input.read()?;
        for item in &mut items {
            if item.tidy() {
                tell!("{}: control characters were removed", item.id);
            }
        }
        let styles = open::styles(&config);
        let name = self.style.as_deref().unwrap_or(&config.format.style);
        let ready = if name.ends_with(".csl") {
            let xml = std::fs::read_to_string(name)
                .map_err(|cause| Failure(format!("{name}: {cause}")))?;
            styles.ready_inline(name, &xml, self.locale.as_deref())?
        } else {
            styles.ready(name, self.locale.as_deref())?
        };
        if let (Some(asked), false) = (&self.locale, ready.locale_known) {
            let meant = styles.locales().nearest(asked);
            let meant = meant.map_or_else(String::new, |tag| format!(" (did you mean {tag}?)"));
            tell!(
                "unknown locale {asked}{meant}; {} is used instead",
                ready.locale
            );
        }
        let options = Options {
            markers: true,
            document: false,
            links: self.links,
            ..Options::default()
        };
        let formatted = csl::format(&ready.compiled, &items, &[], &options)
            .map_err(|cause| Failure(cause.to_string()))?;
        let text = write(&formatted, output);
        match (output, self.destination.file()) {
            (Output::Text, None) => terminal::print_lines(text.lines()),
            _ => self.destination.write(text)?,
        }
        Ok(status)
    }

    fn output(&self, global: &Global) -> Result<Output, Failure> {
        match (self.to, global.json) {
            (None | Some(Output::Json), true) => Ok(Output::Json),
            (Some(_), true) => Err(Failure(
                "--json conflicts with --to; omit one of them".to_owned(),
            )),
            (asked, false) => Ok(asked.unwrap_or(Output::Text)),
        }
    }
}

fn write(formatted: &Formatted, output: Output) -> String {
    let entries = formatted.bibliography.as_deref().unwrap_or_default();
    let contents = entries.iter().map(|entry| &entry.content);
    let lines = |lines: Vec<String>| lines.iter().map(|line| format!("{line}\n")).collect();
    let hanging = formatted.parameters.hanging_indent;
    let markup = |dialect| write_all(contents.clone(), dialect, hanging);
    match output {
        Output::Text => lines(contents.clone().map(Rich::text).collect()),
        Output::Html => {
            let entry =
                |content: &Rich| format!("  <div class=\"csl-entry\">{}</div>\n", content.html());
            let entries: String = contents.clone().map(entry).collect();
            format!("<div class=\"csl-bib-body\">\n{entries}</div>\n")
        }
        Output::Json => {
            let line = |entry: &Entry| {
                let marker = formatted.markers.get(entry.index);
                json!({
                    "id": entry.id,
                    "in_text": marker.map(|m| m.text()),
                    "bibliography": entry.content.text(),
                    "bibliography_html": entry.content.html(),
                })
                .to_string()
            };
            let line = |entry| inert::json(&line(entry)).into_owned();
            lines(entries.iter().map(line).collect())
        }
        Output::Rtf => markup(OutputFormat::Rtf),
        Output::Markdown => markup(OutputFormat::Markdown),
        Output::Latex => markup(OutputFormat::Latex),
        Output::Typst => markup(OutputFormat::Typst),
    }
}
