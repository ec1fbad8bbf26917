//! `citation usage report`: usage for billing.

use clap::{Args, Subcommand, ValueEnum};

use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::clock;
use crate::quota::calendar::Month;
use crate::quota::report;

#[derive(Debug, Subcommand)]
pub enum UsageCommand {
    /// Report the API calls of a month, by account
    #[command(after_help = "\
Examples:
  citation usage report --month 2026-11 --by-day
  citation usage report --json")]
    Report(ReportCommand),
}

#[derive(Debug, Args)]
pub struct ReportCommand {
    /// The month, such as 2026-11 (UTC; default: the current one)
    #[arg(long, value_parser = read_month)]
    month: Option<Month>,
    /// csv, or json with daily counts
    #[arg(long, value_enum, default_value = "csv")]
    format: ReportFormat,
    /// In CSV, one line for each account and day
    #[arg(long)]
    by_day: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Csv,
    Json,
}

impl UsageCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let UsageCommand::Report(command) = self;
        let config = open::config(open::overrides(global))?;
        let store = open::store(&config)?;
        let month = command
            .month
            .unwrap_or_else(|| Month::of(clock::unix_now()));
        let report = report::monthly(&store, month).map_err(Failure::from)?;
        if global.json || command.format == ReportFormat::Json {
            terminal::print_json(&serde_json::to_string_pretty(&report)?);
        } else if command.by_day {
            terminal::print(report.to_daily_csv())?;
        } else {
            terminal::print(report.to_csv())?;
        }
        Ok(Status::Done)
    }
}

fn read_month(text: &str) -> Result<Month, String> {
    Month::parse(text).ok_or_else(|| "write a month as 2026-11".to_owned())
}
