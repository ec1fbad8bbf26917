//! Looks up the address of a page: the work that the page names, or the page itself as a work.

use std::fmt;

use super::resolve::{LookupError, Resolution, Resolver};
use super::scope::Scope;
use crate::blocking::{Job, PoolKind};
use crate::clock;
use crate::provider::{Deadline, ExpectedContent, FetchedPage, Pages};
use citation_exchange::{self as exchange, Content};
use citation_model::date::Date;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, TextVar};
use citation_model::work::{Provenance, Source, Work};
use citation_records::webpage::{self, Fact};

/// The result of looking up an address.
#[derive(Clone, Debug)]
pub enum PageOutcome {
    /// The page names a work, and a source has it.
    Named {
        identifier: Identifier,
        resolution: Box<Resolution>,
    },
    /// The page's own metadata, and what a citation of it lacks.
    Read { work: Box<Work>, missing: Vec<Fact> },
    /// Nothing is known of the page except its address.
    Unread { work: Box<Work>, reason: NotRead },
}

/// Why a page was not read; its text continues “the page”.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    NotAsked,
    Missing,
    Failed(String),
    TooComplex,
    /// It blocks programs.
    Challenge,
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotRead::NotAsked => "was not requested, because fetching pages is disabled",
            NotRead::Missing => "does not exist according to its site",
            NotRead::Failed(reason) => reason,
            NotRead::TooComplex => "is too complex to be read",
            NotRead::Challenge => "blocks programs",
        })
    }
}

/// The content of an address.
#[derive(Clone, Debug)]
pub enum SiteOutcome {
    Page(PageOutcome),
    /// A page that lists two or more works in COinS.
    List(Vec<Item>),
    /// Not a page.
    File(FetchedPage),
}

/// The most identifiers of one page that are looked up.
const MAX_IDENTIFIERS: usize = 3;

/// A lookup of a page.
pub struct PageLookup<'a> {
    pub resolver: &'a Resolver,
    /// `None` if fetching is disabled.
    pub pages: Option<&'a Pages>,
    pub scope: Scope,
    /// The day of access, in Unix seconds.
    pub now: i64,
    pub job: &'a Job,
}

impl PageLookup<'_> {
    /// Fetches a page once and reads it.
    pub fn look_up(&self, address: &str) -> Result<PageOutcome, LookupError> {
        let address = webpage::without_tracking(address);
        match self.fetch(&address, ExpectedContent::Page) {
            Ok(page) => self.read(&page, &address),
            Err(reason) => Ok(self.unread(&address, reason)),
        }
    }

    /// Reads a page that the user's browser has loaded.
    pub fn look_up_html(&self, html: &str, address: &str) -> Result<PageOutcome, LookupError> {
        let address = webpage::without_tracking(address);
        let page = FetchedPage {
            bytes: html.as_bytes().to_vec(),
            is_page: true,
            content_type: "text/html".to_owned(),
            charset: Some("utf-8".to_owned()),
            url: address.clone(),
        };
        self.read(&page, &address)
    }

    /// Like [`PageLookup::look_up`], but returns lists of works and files unread.
    pub fn visit(&self, address: &str) -> Result<SiteOutcome, LookupError> {
        let address = webpage::without_tracking(address);
        let page = match self.fetch(&address, ExpectedContent::PageOrFile) {
            Ok(page) if page.is_page => page,
            Ok(file) => return Ok(SiteOutcome::File(file)),
            Err(reason) => return Ok(SiteOutcome::Page(self.unread(&address, reason))),
        };
        let content = Content::new(&page.bytes);
        let listed = exchange::read(&content, &exchange::COINS, self.job.budget());
        let listed = listed.map_err(LookupError::TooComplex)?.items;
        if listed.len() > 1 {
            let items = listed.into_iter().map(|read| read.item);
            return Ok(SiteOutcome::List(items.collect()));
        }
        self.read(&page, &address).map(SiteOutcome::Page)
    }

    fn fetch(&self, address: &str, wanted: ExpectedContent) -> Result<FetchedPage, NotRead> {
        let pages = self.pages.filter(|_| !self.scope.local_only);
        let pages = pages.ok_or(NotRead::NotAsked)?;
        let deadline = Deadline::of(self.resolver.patience()).for_request(self.job.budget());
        let fetched = self.job.enter_pool(PoolKind::Providers, |job| {
            job.with_slot(deadline.left(), || pages.fetch(address, wanted, &deadline))
        });
        let Ok(fetched) = fetched.flatten() else {
            let reason = "could not be requested, because too many requests are running";
            return Err(NotRead::Failed(reason.to_owned()));
        };
        let page = fetched.map_err(|failure| NotRead::Failed(failure.kind.to_string()))?;
        page.ok_or(NotRead::Missing)
    }

    fn read(&self, page: &FetchedPage, address: &str) -> Result<PageOutcome, LookupError> {
        let (bytes, charset) = (&page.bytes, page.charset.as_deref());
        let Ok(read) = webpage::read(bytes, Some(&page.url), charset, self.job.budget()) else {
            return Ok(self.unread(address, NotRead::TooComplex));
        };
        if read.is_challenge {
            return Ok(self.unread(address, NotRead::Challenge));
        }
        for identifier in names(&read.item, &read.identifiers) {
            // If a source does not answer, the page's own metadata is used.
            if let Ok(resolution) = self.resolver.resolve(self.scope, identifier, self.job)
                && resolution.work.is_some()
            {
                return Ok(PageOutcome::Named {
                    identifier: identifier.clone(),
                    resolution: Box::new(resolution),
                });
            }
        }
        Ok(PageOutcome::Read {
            work: Box::new(work(read.item, address, self.now)),
            missing: read.missing,
        })
    }

    fn unread(&self, address: &str, reason: NotRead) -> PageOutcome {
        let item = webpage::of_address(address, self.job.budget());
        PageOutcome::Unread {
            work: Box::new(work(item, address, self.now)),
            reason,
        }
    }
}

/// The identifiers of the work that a page is about. The ISBN of a chapter's book names
/// another work.
fn names<'p>(item: &Item, identifiers: &'p [Identifier]) -> impl Iterator<Item = &'p Identifier> {
    let is_book = item.kind == ItemType::Book;
    let names_it = move |identifier: &&Identifier| match identifier {
        Identifier::Isbn(_) => is_book,
        Identifier::Issn(_) => false,
        _ => true,
    };
    identifiers.iter().filter(names_it).take(MAX_IDENTIFIERS)
}

/// A page as a work, with the day of access if only its address leads to it.
fn work(mut item: Item, address: &str, now: i64) -> Work {
    if item.text(TextVar::Url).is_none() {
        item.set_text(TextVar::Url, address);
    }
    let day = clock::iso8601(now);
    let day = day.get(..10).and_then(Date::parse_iso);
    if let Some(day) = day.filter(|_| item.doi().is_none()) {
        item.set_date(DateVar::Accessed, day);
    }
    let provenance = Provenance {
        source: Source::Page,
        record_id: String::new(),
        url: Some(address.to_owned()),
        license: None,
        fetched_at: now,
    };
    Work::new(item, provenance)
}
