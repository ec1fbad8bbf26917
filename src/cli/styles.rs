//! `citation styles`: installs, lists, searches, shows, removes and checks styles.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::{Failure, Global, Outcome, Status, open, progress, terminal};
use crate::config::Config;
use crate::provider::download;
use crate::styles::catalog::StyleFilter;
use crate::styles::entry::StyleEntry;
use crate::styles::install::{self, InstallError, InstallStep, Installed};
use crate::styles::{self, Styles};
use citation_csl::CitationFormat;

/// The public collection, which `install` fetches by default.
const PUBLIC_COLLECTION: &str =
    "https://github.com/citation-style-language/styles/archive/refs/heads/v1.0.2.zip";

/// The largest archive to fetch, in bytes.
const MAX_ARCHIVE_BYTES: u64 = 512 << 20;

#[derive(Debug, Subcommand)]
pub enum StylesCommand {
    /// Install a collection of styles into the database (default: the public one)
    #[command(after_help = "\
Examples:
  citation styles install
  citation styles install my-journal.csl")]
    Install {
        /// An archive (.zip, .tar, .tar.gz), a folder, a .csl file, or the URL of an archive
        source: Option<String>,
    },
    /// List the styles
    #[command(after_help = "\
Examples:
  citation styles list
  citation styles list --json")]
    List,
    /// Search the styles
    #[command(after_help = "\
Examples:
  citation styles search nature
  citation styles search 'modern language' --limit 5")]
    Search {
        query: String,
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Describe a style
    #[command(after_help = "\
Examples:
  citation styles show apa
  citation styles show apa --xml > apa.csl")]
    Show {
        style: String,
        /// Print the style's XML
        #[arg(long)]
        xml: bool,
    },
    /// Remove an installed style
    #[command(after_help = "\
Examples:
  citation styles remove my-journal")]
    Remove {
        #[arg(required = true)]
        styles: Vec<String>,
    },
    /// Check style files, folders of them, or all known styles; exits with 1 if one is
    /// broken
    #[command(after_help = "\
Examples:
  citation styles check my-journal.csl
  citation styles check")]
    Check { files: Vec<PathBuf> },
}

impl StylesCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        if let StylesCommand::Check { files } = self
            && !files.is_empty()
        {
            return check_files(files, global.json);
        }
        let config = open::config(open::overrides(global))?;
        match self {
            StylesCommand::Install { source } => install(&config, source.as_deref(), global.json),
            StylesCommand::List => {
                let catalog = open::styles(&config).catalog()?;
                print_entries(catalog.entries().iter().map(AsRef::as_ref), global.json)
            }
            StylesCommand::Search { query, limit } => {
                let catalog = open::styles(&config).catalog()?;
                let found = catalog.search(query, &StyleFilter::default(), *limit);
                print_entries(found.iter().map(AsRef::as_ref), global.json)
            }
            StylesCommand::Show { style, xml } => {
                show(&open::styles(&config), style, *xml, global.json)
            }
            StylesCommand::Remove { styles } => remove(&config, styles, global.json),
            StylesCommand::Check { .. } => check_all(&open::styles(&config), global.json),
        }
    }
}

fn install(config: &Config, source: Option<&str>, as_json: bool) -> Outcome {
    let styles = open::stored_styles(config)?;
    let source = source.unwrap_or(PUBLIC_COLLECTION);
    let fetched;
    let path = if source.starts_with("https://") || source.starts_with("http://") {
        fetched = fetch(&config.data.dir, source)?;
        fetched.path()
    } else {
        Path::new(source)
    };
    let bar = progress::counter(0, "styles");
    let installed = styles.install(path, &mut |step| match step {
        InstallStep::Reading(done) => bar.set_length(done as u64),
        InstallStep::Storing(done, total) => {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
    })?;
    bar.finish_and_clear();
    report(&installed, as_json);
    Ok(if installed.refused.is_empty() {
        Status::Done
    } else {
        Status::Negative
    })
}

/// A downloaded archive, deleted on drop.
struct Fetched(PathBuf);

impl Fetched {
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn fetch(folder: &Path, url: &str) -> Result<Fetched, Failure> {
    let fetched = Fetched(folder.join(format!("styles-{}.download", std::process::id())));
    let mut file = std::fs::File::create(fetched.path())?;
    let bar = progress::bytes(0);
    download::to_writer(url, &mut file, MAX_ARCHIVE_BYTES, &mut |done| {
        bar.set_length(done);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    Ok(fetched)
}

fn report(installed: &Installed, as_json: bool) {
    if as_json {
        let refused: Vec<Value> = installed
            .refused
            .iter()
            .map(|r| json!({"file": r.file, "reason": r.reason.to_string()}))
            .collect();
        terminal::print_json(&json!({
            "independent": installed.independent,
            "dependent": installed.dependent,
            "former_names": installed.former_names,
            "refused": refused,
        }));
        return;
    }
    say!(
        "installed {} styles and {} dependent ones, with {} former names",
        installed.independent,
        installed.dependent,
        installed.former_names
    );
    for refused in &installed.refused {
        tell!("{}: {}", refused.file, refused.reason);
    }
}

fn show(styles: &Styles, name: &str, xml: bool, as_json: bool) -> Outcome {
    let catalog = styles.catalog()?;
    let entry = match styles::find(&catalog, name) {
        Ok(entry) => entry,
        Err(problem) => {
            tell!("{problem}");
            return Ok(Status::Negative);
        }
    };
    if xml {
        terminal::print(styles.xml(entry)?.unwrap_or_default())?;
    } else if as_json {
        terminal::print_json(&describe(entry));
    } else {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let mut lines = vec![entry.id.clone(), format!("  {}", entry.title)];
        let rows = [
            ("address", entry.uri.clone()),
            (
                "format",
                entry
                    .citation_format
                    .map(CitationFormat::csl)
                    .unwrap_or_default()
                    .to_owned(),
            ),
            ("depends on", text(&entry.parent)),
            ("locale", text(&entry.default_locale)),
            ("fields", entry.fields.join(", ")),
            ("ISSN", entry.issn.join(", ")),
            ("updated", text(&entry.updated)),
            ("licence", text(&entry.license)),
            ("origin", entry.origin.as_str().to_owned()),
        ];
        for (label, value) in rows {
            if !value.is_empty() {
                lines.push(format!("  {label:<11}{value}"));
            }
        }
        terminal::print_lines(lines);
    }
    Ok(Status::Done)
}

fn remove(config: &Config, names: &[String], as_json: bool) -> Outcome {
    let store = open::store(config)?;
    let mut status = Status::Done;
    for name in names {
        let removed = store.remove_style(name)?;
        if !removed {
            status = Status::Negative;
        }
        if as_json {
            terminal::print_json(&json!({"style": name, "removed": removed}));
        } else {
            say!(
                "{name}: {}",
                if removed {
                    "removed"
                } else {
                    "is not installed"
                }
            );
        }
    }
    Ok(status)
}

fn check_files(paths: &[PathBuf], as_json: bool) -> Outcome {
    let mut status = Status::Done;
    let mut check = |file: &Path| {
        let checked = install::check(file);
        if checked.is_err() {
            status = Status::Negative;
        }
        let doubts = checked.as_deref().unwrap_or_default();
        let doubts: Vec<String> = doubts.iter().map(ToString::to_string).collect();
        let fault = checked.err().map(|fault| fault.to_string());
        print_check(&file.display().to_string(), fault, &doubts, as_json);
    };
    for path in paths {
        if !path.is_dir() {
            check(path);
            continue;
        }
        let files = install::files_in(path)
            .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?;
        if files.is_empty() {
            return Err(InstallError::Empty(path.clone()).into());
        }
        files.iter().for_each(|file| check(file));
    }
    Ok(status)
}

/// Compiles every known style.
fn check_all(styles: &Styles, as_json: bool) -> Outcome {
    let catalog = styles.catalog()?;
    let bar = progress::counter(catalog.entries().len() as u64, "styles");
    let mut broken = 0;
    for entry in catalog.entries() {
        if let Err(fault) = styles.ready(&entry.id, None) {
            broken += 1;
            bar.suspend(|| print_check(&entry.id, Some(fault.to_string()), &[], as_json));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !as_json {
        say!(
            "{} styles checked, {broken} broken",
            catalog.entries().len()
        );
    }
    Ok(if broken == 0 {
        Status::Done
    } else {
        Status::Negative
    })
}

fn print_check(name: &str, fault: Option<String>, doubts: &[String], as_json: bool) {
    if as_json {
        let ok = fault.is_none();
        return terminal::print_json(
            &json!({"style": name, "ok": ok, "problem": fault, "warnings": doubts}),
        );
    }
    match fault {
        None => say!("{name}: right"),
        Some(fault) => tell!("{name}: {fault}"),
    }
    for doubt in doubts {
        tell!("{name}: warning: {doubt}");
    }
}

fn print_entries<'e>(entries: impl Iterator<Item = &'e StyleEntry>, as_json: bool) -> Outcome {
    let mut status = Status::Negative;
    for entry in entries {
        status = Status::Done;
        if as_json {
            terminal::print_json(&describe(entry))
        } else {
            say!("{:<50} {}", entry.id, entry.title)
        }
    }
    Ok(status)
}

fn describe(entry: &StyleEntry) -> Value {
    json!({
        "id": entry.id,
        "uri": entry.uri,
        "title": entry.title,
        "title_short": entry.title_short,
        "citation_format": entry.citation_format.map(CitationFormat::csl),
        "default_locale": entry.default_locale,
        "parent": entry.parent,
        "fields": entry.fields,
        "issn": entry.issn,
        "updated": entry.updated,
        "license": entry.license,
        "origin": entry.origin.as_str(),
    })
}
