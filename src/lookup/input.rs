//! Answers what somebody pasted: an identifier, an address, several of them, or the text of a reference.
//! Every edge asks here and only translates the answer.

use super::page::{NotRead, PageLookup, PageOutcome};
use super::reference::{Candidate, ReferenceSearch, SearchOutcome};
use super::resolve::{LookupError, Resolution, ResolutionOrigin, Resolver, SourceResult};
use super::scope::Scope;
use super::verify::rivals;
use crate::blocking::Job;
use crate::provider::Pages;
use citation_matching::certainty::{Certainty, rounded};
use citation_matching::reference::Reference;
use citation_matching::{Piece, split};
use citation_model::identifier::input::Input;
use citation_model::identifier::{Identifier, IdentifierError, address};
use citation_model::work::Work;
use citation_records::webpage::Fact;

/// The most references of one text that are searched for. More of them are a list, for verification.
const MAX_REFERENCES: usize = 5;

/// A lookup for somebody.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    pub resolver: &'a Resolver,
    pub references: &'a ReferenceSearch,
    /// `None` if fetching is disabled.
    pub pages: Option<&'a Pages>,
    pub scope: Scope,
    /// The day of access of pages, in Unix seconds.
    pub now: i64,
    pub job: &'a Job,
    /// The score from which the best candidate is the work of a text; that of [`Certainty::Certain`] unless
    /// the caller names another one.
    pub certain_from: f64,
}

/// The answer to an input.
#[derive(Clone, Debug)]
pub enum Answer {
    Work(Box<FoundWork>),
    /// A text that may mean one of several works, or only possibly means one.
    Candidates(TextSearch),
    Missing(Missing),
    /// Several inputs, each to be looked up by itself.
    Several(Vec<Input>),
    /// A number with a wrong check digit.
    Mistyped(IdentifierError),
    /// A page that could not be read: a work of which only the address is known.
    Unread {
        work: Box<Work>,
        reason: NotRead,
    },
}

/// A work, and how it was found.
#[derive(Clone, Debug)]
pub struct FoundWork {
    pub work: Work,
    /// `local`, `page`, or the name of the provider.
    pub source: &'static str,
    pub by: FoundBy,
    /// Whether it is the caller's own entry, which is free.
    is_free: bool,
}

/// What led to a work.
#[derive(Clone, Debug)]
pub enum FoundBy {
    /// The identifier that was given.
    Identifier,
    /// A DOI without a suffix that does not belong to it.
    ShorterDoi(Identifier),
    /// An identifier of the work that a page is about.
    NamedOnPage(Identifier),
    /// The page itself, which is the work, and what a citation of it lacks.
    Page(Vec<Fact>),
    /// The text of a reference, with all candidates.
    Text(TextSearch),
}

/// A definite miss.
#[derive(Clone, Debug)]
pub struct Missing {
    /// `None` for a text.
    pub identifier: Option<Identifier>,
    /// The sources in the order of the requests.
    pub tried: Vec<SourceResult>,
    /// The works that share words with a text.
    pub unlikely: Option<TextSearch>,
}

/// The result for a text.
#[derive(Clone, Debug)]
pub struct TextSearch {
    /// The references in the text: nearly always one.
    pub references: Vec<Reference>,
    /// Best first, each with the index of its reference. Their scores are not shown as 0.
    pub candidates: Vec<(usize, Candidate)>,
    /// The sources in the order of the requests.
    pub tried: Vec<SourceResult>,
    /// The index of the candidate that the text certainly means.
    certain: Option<usize>,
}

/// A lookup whose free part is done.
#[derive(Clone, Debug)]
pub enum BegunLookup {
    /// The answer is free.
    Answered(Box<Answer>),
    /// The rest may cost a lookup.
    Open(Box<OpenLookup>),
}

/// A lookup that may cost something.
#[derive(Clone, Debug)]
pub enum OpenLookup {
    Identifier {
        identifier: Identifier,
        /// The page to read if no source has the work.
        page: Option<String>,
        /// The work of the corpus, if it is there.
        known: Option<Box<Resolution>>,
    },
    Page(String),
    Text(String),
}

impl Answer {
    /// Whether it costs a lookup: a work does unless it is the caller's own, or local if such works are
    /// free, and so does a definite miss.
    pub fn costs(&self) -> bool {
        match self {
            Answer::Work(found) => !found.is_free,
            Answer::Candidates(_) | Answer::Missing(_) => true,
            Answer::Several(_) | Answer::Mistyped(_) | Answer::Unread { .. } => false,
        }
    }

    /// The answer for a page.
    pub fn of_page(outcome: PageOutcome) -> Answer {
        match outcome {
            PageOutcome::Named {
                identifier,
                resolution,
            } => Answer::of_resolution(*resolution, &identifier, |shorter| {
                FoundBy::NamedOnPage(shorter.unwrap_or(identifier.clone()))
            }),
            PageOutcome::Read { work, missing } => Answer::Work(Box::new(FoundWork {
                source: work.provenance.source.as_str(),
                work: *work,
                by: FoundBy::Page(missing),
                is_free: false,
            })),
            PageOutcome::Unread { work, reason } => Answer::Unread { work, reason },
        }
    }

    fn of_resolution(
        resolution: Resolution,
        identifier: &Identifier,
        by: impl FnOnce(Option<Identifier>) -> FoundBy,
    ) -> Answer {
        let Some(work) = resolution.work else {
            return Answer::Missing(Missing {
                identifier: Some(identifier.clone()),
                tried: resolution.tried,
                unlikely: None,
            });
        };
        Answer::Work(Box::new(FoundWork {
            source: match resolution.origin {
                ResolutionOrigin::Corpus => "local",
                _ => work.provenance.source.as_str(),
            },
            is_free: resolution.is_free,
            by: by(resolution.found_by),
            work,
        }))
    }

    fn of_text(search: TextSearch, local_works_are_free: bool) -> Answer {
        if let Some(best) = search.certain() {
            return Answer::Work(Box::new(FoundWork {
                work: best.work.clone(),
                source: best.source(),
                is_free: best.is_local && local_works_are_free,
                by: FoundBy::Text(search),
            }));
        }
        let mut candidates = search.candidates.iter();
        if candidates.any(|(_, candidate)| candidate.certainty() >= Certainty::Possible) {
            Answer::Candidates(search)
        } else {
            Answer::Missing(Missing {
                identifier: None,
                tried: search.tried.clone(),
                unlikely: Some(search),
            })
        }
    }
}

impl FoundWork {
    /// The candidate of a text.
    pub fn candidate(&self) -> Option<&Candidate> {
        match &self.by {
            FoundBy::Text(search) => search.certain(),
            _ => None,
        }
    }
}

impl TextSearch {
    /// The work that the text certainly means: that of its only reference with a certain one.
    pub fn certain(&self) -> Option<&Candidate> {
        let (_, candidate) = self.candidates.get(self.certain?)?;
        Some(candidate)
    }
}

impl BegunLookup {
    pub fn is_free(&self) -> bool {
        matches!(self, BegunLookup::Answered(_))
    }

    fn answered(answer: Answer) -> BegunLookup {
        BegunLookup::Answered(Box::new(answer))
    }
}

impl Lookup<'_> {
    /// Looks up an input, parsed from the text `given`.
    pub fn look_up(&self, given: &str, input: &Input) -> Result<Answer, LookupError> {
        match self.begin(given, input)? {
            BegunLookup::Answered(answer) => Ok(*answer),
            BegunLookup::Open(open) => self.finish(*open),
        }
    }

    /// Does what is free: only the caller's collections and the corpus are read.
    pub fn begin(&self, given: &str, input: &Input) -> Result<BegunLookup, LookupError> {
        let open = match input {
            Input::Identifier(identifier) => {
                let page = identifier.page().or_else(|| address::page(given));
                return self.begin_identifier(identifier, page);
            }
            Input::Url(address) => OpenLookup::Page(address.clone()),
            Input::Text(text) => OpenLookup::Text(text.clone()),
            Input::Several(inputs) => {
                return Ok(BegunLookup::answered(Answer::Several(inputs.clone())));
            }
            Input::Mistyped(fault) => {
                return Ok(BegunLookup::answered(Answer::Mistyped(fault.clone())));
            }
        };
        Ok(BegunLookup::Open(Box::new(open)))
    }

    /// Does what is free of a lookup by identifier. `page` is read if no source has the work.
    fn begin_identifier(
        &self,
        identifier: &Identifier,
        page: Option<String>,
    ) -> Result<BegunLookup, LookupError> {
        let known = self.resolver.local(self.scope, identifier)?;
        Ok(match known {
            Some(free) if free.is_free => {
                BegunLookup::answered(Answer::of_resolution(free, identifier, by_identifier))
            }
            known => BegunLookup::Open(Box::new(OpenLookup::Identifier {
                identifier: identifier.clone(),
                page,
                known: known.map(Box::new),
            })),
        })
    }

    /// Does the rest. What it costs is a property of the answer; a failure is free.
    pub fn finish(&self, open: OpenLookup) -> Result<Answer, LookupError> {
        match open {
            OpenLookup::Identifier {
                identifier,
                page,
                known,
            } => self.find(&identifier, page, known.map(|known| *known)),
            OpenLookup::Page(address) => self.page().look_up(&address).map(Answer::of_page),
            OpenLookup::Text(text) => {
                let local_works_are_free = self.resolver.local_works_are_free();
                let search = self.search(&text)?;
                Ok(Answer::of_text(search, local_works_are_free))
            }
        }
    }

    /// A lookup of a page, with the same scope.
    pub fn page(&self) -> PageLookup<'_> {
        PageLookup {
            resolver: self.resolver,
            pages: self.pages,
            scope: self.scope,
            now: self.now,
            job: self.job,
        }
    }

    /// The work of an identifier; if no source has it, that of its page.
    fn find(
        &self,
        identifier: &Identifier,
        page: Option<String>,
        known: Option<Resolution>,
    ) -> Result<Answer, LookupError> {
        let (resolver, job) = (self.resolver, self.job);
        let resolution = resolver.complete(known, self.scope, identifier, job)?;
        let answer = Answer::of_resolution(resolution, identifier, by_identifier);
        let page = page.filter(|_| matches!(answer, Answer::Missing(_)));
        let Some(page) = page else {
            return Ok(answer);
        };
        Ok(match self.page().look_up(&page).map(Answer::of_page)? {
            found @ Answer::Work(_) => found,
            // Only the address is known of works without a source.
            unread if identifier.page().is_some() => unread,
            _ => answer,
        })
    }

    /// Searches for every reference in a text. A failing source is an error if no other one has a possible
    /// work.
    pub fn search(&self, text: &str) -> Result<TextSearch, LookupError> {
        let budget = self.job.budget();
        let pieces = split(text, budget)?.pieces;
        let texts: Vec<&str> = match pieces.as_slice() {
            several if several.iter().filter(|piece| is_whole(piece)).count() > 1 => several
                .iter()
                .take(MAX_REFERENCES)
                .map(|piece| piece.text.as_str())
                .collect(),
            _ => vec![text],
        };
        let mut found = Vec::with_capacity(texts.len());
        for text in texts {
            budget.spend(Reference::steps(text))?;
            let reference = Reference::parse(text);
            let (search, resolver) = (self.references, self.resolver);
            let outcome = search.find(resolver, &reference, self.scope, self.job)?;
            found.push((reference, outcome));
        }
        let is_possible = found.iter().any(|(_, outcome)| outcome.is_possible());
        let mut failures = found
            .iter_mut()
            .filter_map(|(_, outcome)| outcome.failure.take());
        match failures.next().filter(|_| !is_possible) {
            Some(failure) => Err(failure),
            None => Ok(self.join(found)),
        }
    }

    /// The candidates of all references.
    fn join(&self, found: Vec<(Reference, SearchOutcome)>) -> TextSearch {
        let reaches = |outcome: &SearchOutcome| {
            let best = outcome.candidates.first();
            best.is_some_and(|best| rounded(best.score) >= self.certain_from)
        };
        let mut sure = found.iter().enumerate().filter(|(_, (_, o))| reaches(o));
        let certain = match (sure.next(), sure.next()) {
            (Some((at, (_, outcome))), None) if rivals(&outcome.candidates, 0).is_empty() => {
                Some(at)
            }
            _ => None,
        };
        let mut search = TextSearch {
            references: Vec::with_capacity(found.len()),
            candidates: Vec::new(),
            tried: Vec::new(),
            certain: None,
        };
        for (at, (reference, outcome)) in found.into_iter().enumerate() {
            search.references.push(reference);
            let shown = outcome.candidates.into_iter();
            let shown = shown.filter(|candidate| rounded(candidate.score) > 0.0);
            search
                .candidates
                .extend(shown.map(|candidate| (at, candidate)));
            search.tried.extend(outcome.tried);
        }
        let score = |(_, candidate): &(usize, Candidate)| rounded(candidate.score);
        let candidates = &mut search.candidates;
        candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
        // The best one of the certain reference.
        search.certain = certain.and_then(|of| candidates.iter().position(|(at, _)| *at == of));
        search
    }
}

fn by_identifier(shorter: Option<Identifier>) -> FoundBy {
    shorter.map_or(FoundBy::Identifier, FoundBy::ShorterDoi)
}

/// Whether a part of a text has a year or an identifier, as a reference does. The lines of a single
/// reference, its title in one and its journal in another, are searched together.
fn is_whole(piece: &Piece) -> bool {
    let reference = Reference::parse(&piece.text);
    reference.year().is_some() || !reference.identifiers.is_empty()
}
