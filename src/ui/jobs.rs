//! Jobs: the account's requests that are answered in the background, and the results of one of them.

use super::page::Moment;
use super::words::Words;
use askama::Template;

/// The page of all jobs.
#[derive(Template)]
#[template(path = "account/jobs.html")]
pub struct JobsPage {
    pub words: Words,
    pub jobs: Vec<JobView>,
    /// Whether the account's plan includes verification of files.
    pub has_batches: bool,
    /// Collections that can be written as a file: UUID and name.
    pub collections: Vec<(String, String)>,
    /// Formats of files: their endings in addresses, and their names.
    pub formats: Vec<(String, &'static str)>,
    pub problem: Option<String>,
}

/// A job in the list, and at the head of its page.
#[derive(Clone, Debug, Default)]
pub struct JobView {
    /// UUID.
    pub id: String,
    /// `verify`, `format`, `import` or `export`.
    pub kind: String,
    /// `queued`, `running`, `waiting_for_quota`, `done`, `failed` or `canceled`.
    pub state: &'static str,
    pub has_ended: bool,
    /// Whether it has made a file.
    pub has_file: bool,
    /// Files that are done, and all files.
    pub files: (u64, u64),
    /// Items that are done, and those found so far.
    pub items: (u64, u64),
    /// Each outcome and its number of results.
    pub outcomes: Vec<(String, u64)>,
    pub lookups: u64,
    pub created_at: Moment,
    /// When it is removed with its results; None before its end.
    pub removed_at: Option<Moment>,
    /// Why it failed.
    pub error: Option<String>,
}

impl JobView {
    /// How much is done, and of how much: files if there are several.
    fn progress(&self) -> (u64, u64) {
        let (done, all) = if self.files.1 > 1 {
            self.files
        } else {
            self.items
        };
        // An empty meter needs a maximum above 0.
        (done, all.max(done).max(1))
    }

    /// `3 of 10 files · 120 of 130`
    fn said(&self, words: &Words) -> String {
        let of = |(done, all): (u64, u64)| {
            let (done, all) = (words.number(done), words.number(all));
            words.fill("jobs.of", &[("done", &done), ("all", &all)])
        };
        let files = (self.files.1 > 1).then(|| {
            let files = of(self.files);
            words.fill("jobs.files", &[("n", &files)])
        });
        let items = (self.items.1 > 0).then(|| of(self.items));
        let said = [files, items].into_iter().flatten();
        said.collect::<Vec<_>>().join(" · ")
    }

    /// `Verified: 3 · Differs: 1`
    fn counts(&self, words: &Words) -> String {
        let counts = self.outcomes.iter();
        let counts = counts.map(|(outcome, n)| format!("{}: {n}", outcome_name(words, outcome)));
        counts.collect::<Vec<_>>().join(" · ")
    }
}

/// The name of an outcome, which is a verdict or the state of a formatted or an imported item.
fn outcome_name<'o>(words: &Words, outcome: &'o str) -> &'o str {
    let named = ["verdict", "status", "jobs.outcome"].into_iter();
    let mut named = named.filter_map(|kind| words.find(&format!("{kind}.{outcome}")));
    named.next().unwrap_or(outcome)
}

/// The page of one job.
#[derive(Template)]
#[template(path = "account/job.html")]
pub struct JobPage {
    pub words: Words,
    pub job: JobView,
    pub results: Vec<JobResultView>,
    /// The number after which the next results begin, if there are more.
    pub next: Option<u64>,
}

/// One result.
#[derive(Clone, Debug, Default)]
pub struct JobResultView {
    /// Counts the results of the job, from 1.
    pub number: u64,
    pub file: String,
    /// A verdict, or the state of an item.
    pub outcome: String,
    /// What was given: a reference, or what the request lists.
    pub given: String,
    /// The work found, or the entry made.
    pub found: String,
    pub doi: Option<String>,
    /// A sentence, in English as the interface's.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_files_if_there_are_several() {
        let words = Words::default();
        let mut job = JobView {
            files: (0, 1),
            items: (3, 10),
            ..JobView::default()
        };
        assert_eq!(job.progress(), (3, 10));
        assert_eq!(job.said(&words), "3 of 10");
        job.files = (2, 4);
        assert_eq!(job.progress(), (2, 4));
        assert_eq!(job.said(&words), "2 of 4 files · 3 of 10");
        job.outcomes = vec![("verified".to_owned(), 2), ("imported".to_owned(), 1)];
        assert_eq!(job.counts(&words), "Verified: 2 · Imported: 1");
    }

    #[test]
    fn job_that_has_found_nothing_has_an_empty_meter() {
        assert_eq!(JobView::default().progress(), (0, 1));
        assert_eq!(JobView::default().said(&Words::default()), "");
    }
}
