//! `citation webpage`: prints the metadata of a saved web page.

use std::io::{Cursor, Read};
use std::path::PathBuf;

use clap::Args;
use flate2::read::MultiGzDecoder;

use super::{Failure, Outcome, Status, terminal};
use citation_exchange::metadata::CitationMetadata;
use citation_model::budget::Budget;
use citation_records::webpage::{self, Fact};

/// The longest page in bytes, unpacked.
const MAX_LENGTH: u64 = 256 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  curl -s https://example.org/story | citation webpage - --url https://example.org/story"
)]
pub struct WebpageCommand {
    /// The saved page, plain or gzipped (default, and for `-`: standard input)
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The URL of the page
    #[arg(long)]
    url: Option<String>,
    /// Also print on standard error what each field was chosen from: the candidates, their scores and
    /// their evidence
    #[arg(long)]
    explain: bool,
}

impl WebpageCommand {
    /// Prints the metadata of the interface in one line. Missing metadata is listed on
    /// standard error; exits with 1 if the page names no work.
    pub fn run(&self) -> Outcome {
        let name = self.file.display();
        let bytes = self
            .bytes()
            .map_err(|cause| Failure(format!("{name}: {cause}")))?;
        let budget = Budget::unlimited();
        let (page, explanation) = webpage::explain(&bytes, self.url.as_deref(), None, &budget)?;
        terminal::print_json(&serde_json::to_string(&CitationMetadata::of_item(
            &page.item,
        ))?);
        if self.explain {
            for line in explanation.to_string().lines() {
                tell!("{line}");
            }
        }
        if page.is_challenge {
            tell!("{name} is a robot check without metadata of a work");
        } else if !page.missing.is_empty() {
            let facts: Vec<&str> = page.missing.iter().map(|fact| fact.as_str()).collect();
            tell!("{name} lacks: {}", facts.join(", "));
        }
        Ok(if page.missing.contains(&Fact::Title) {
            Status::Negative
        } else {
            Status::Done
        })
    }

    /// The page's bytes, unpacked.
    fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut source: Box<dyn Read> = if self.file.as_os_str() == "-" {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(std::fs::File::open(&self.file)?)
        };
        let mut start = Vec::new();
        source.by_ref().take(2).read_to_end(&mut start)?;
        let is_packed = start == [0x1f, 0x8b];
        let source = Cursor::new(start).chain(source);
        let mut source: Box<dyn Read> = if is_packed {
            Box::new(MultiGzDecoder::new(source))
        } else {
            Box::new(source)
        };
        let mut bytes = Vec::new();
        source
            .by_ref()
            .take(MAX_LENGTH + 1)
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_LENGTH {
            Err(std::io::Error::other("the page is larger than 256 MiB"))
        } else {
            Ok(bytes)
        }
    }
}
