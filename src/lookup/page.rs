//! The address of a page → the work that the page names, or the page itself as a work.

use std::fmt;

use super::resolve::{LookupError, Resolution, Resolver};
use crate::blocking::{Job, PoolKind};
use crate::clock;
use crate::provider::{Deadline, FetchedPage, Pages, Wanted};
use citation_exchange::{self as exchange, Content};
use citation_model::date::Date;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, TextVar};
use citation_model::work::{Provenance, Source, Work};
use citation_records::webpage::{self, Fact};

/// What became of an address.
#[derive(Clone, Debug)]
pub enum PageOutcome {
    /// The page says which work it is about, and a source has it.
    Named {
        identifier: Identifier,
        resolution: Box<Resolution>,
    },
    /// What the page says of itself, and what a citation of it lacks.
    Read { work: Box<Work>, missing: Vec<Fact> },
    /// Nothing is known of the page but its address.
    Unread { work: Box<Work>, reason: NotRead },
}

/// Why a page was not read; shown, it continues “the page”.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    NotAsked,
    Missing,
    Failed(String),
    TooComplex,
    /// It keeps programs out.
    Challenge,
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotRead::NotAsked => "was not asked for, since no pages may be fetched",
            NotRead::Missing => "does not exist, as its site says",
            NotRead::Failed(reason) => reason,
            NotRead::TooComplex => "is too complex to be read",
            NotRead::Challenge => "only lets people in, no programs",
        })
    }
}

/// What lies at an address.
#[derive(Clone, Debug)]
pub enum SiteOutcome {
    Page(PageOutcome),
    /// A page that lists works in COinS, two or more.
    List(Vec<Item>),
    /// Something else than a page.
    File(FetchedPage),
}

/// Identifiers of one page that are looked up.
const MOST_IDENTIFIERS: usize = 3;

/// Fetches a page once and reads it, for a user; `pages` is absent where nothing may be fetched. `now` is
/// the day of access, in Unix seconds.
pub fn look_up(
    resolver: &Resolver,
    pages: Option<&Pages>,
    address: &str,
    user: Option<i64>,
    now: i64,
    job: &Job,
) -> Result<PageOutcome, LookupError> {
    let address = webpage::without_tracking(address);
    let fetched = fetch(resolver, pages, &address, Wanted::Page, job);
    let page = match fetched {
        Ok(page) => page,
        Err(reason) => return Ok(unread(&address, now, reason)),
    };
    read(resolver, &page, &address, user, now, job)
}

/// The same of a page as the user's browser has loaded it.
pub fn look_up_loaded(
    resolver: &Resolver,
    html: &str,
    address: &str,
    user: Option<i64>,
    now: i64,
    job: &Job,
) -> Result<PageOutcome, LookupError> {
    let address = webpage::without_tracking(address);
    let page = FetchedPage {
        bytes: html.as_bytes().to_vec(),
        is_page: true,
        content_type: "text/html".to_owned(),
        charset: Some("utf-8".to_owned()),
        url: address.clone(),
    };
    read(resolver, &page, &address, user, now, job)
}

/// The same of whatever lies at an address: a list of works and a file are given as they are.
pub fn visit(
    resolver: &Resolver,
    pages: Option<&Pages>,
    address: &str,
    user: Option<i64>,
    now: i64,
    job: &Job,
) -> Result<SiteOutcome, LookupError> {
    let address = webpage::without_tracking(address);
    let fetched = fetch(resolver, pages, &address, Wanted::PageOrFile, job);
    let page = match fetched {
        Ok(page) if page.is_page => page,
        Ok(file) => return Ok(SiteOutcome::File(file)),
        Err(reason) => return Ok(SiteOutcome::Page(unread(&address, now, reason))),
    };
    let listed = exchange::read(&Content::new(&page.bytes), &exchange::COINS, job.budget());
    let listed = listed.map_err(LookupError::TooComplex)?.items;
    if listed.len() > 1 {
        let items = listed.into_iter().map(|read| read.item);
        return Ok(SiteOutcome::List(items.collect()));
    }
    read(resolver, &page, &address, user, now, job).map(SiteOutcome::Page)
}

fn unread(address: &str, now: i64, reason: NotRead) -> PageOutcome {
    let mut item = Item::new("", ItemType::Webpage);
    item.set_text(TextVar::Url, address);
    PageOutcome::Unread {
        work: Box::new(work(item, address, now)),
        reason,
    }
}

fn read(
    resolver: &Resolver,
    page: &FetchedPage,
    address: &str,
    user: Option<i64>,
    now: i64,
    job: &Job,
) -> Result<PageOutcome, LookupError> {
    let (bytes, charset) = (&page.bytes, page.charset.as_deref());
    let Ok(read) = webpage::read(bytes, Some(&page.url), charset, job.budget()) else {
        return Ok(unread(address, now, NotRead::TooComplex));
    };
    if read.is_challenge {
        return Ok(unread(address, now, NotRead::Challenge));
    }
    for identifier in names(&read.item, &read.identifiers) {
        // A source that does not answer is no loss: the page itself says what the work is.
        if let Ok(resolution) = resolver.resolve(user, identifier, job)
            && resolution.work.is_some()
        {
            return Ok(PageOutcome::Named {
                identifier: identifier.clone(),
                resolution: Box::new(resolution),
            });
        }
    }
    Ok(PageOutcome::Read {
        work: Box::new(work(read.item, address, now)),
        missing: read.missing,
    })
}

/// What a page calls the work that it is about. The ISBN of the book that a chapter stands in names
/// another one.
fn names<'p>(item: &Item, identifiers: &'p [Identifier]) -> impl Iterator<Item = &'p Identifier> {
    let is_book = item.kind == ItemType::Book;
    let names_it = move |identifier: &&Identifier| match identifier {
        Identifier::Isbn(_) => is_book,
        Identifier::Issn(_) => false,
        _ => true,
    };
    identifiers.iter().filter(names_it).take(MOST_IDENTIFIERS)
}

fn fetch(
    resolver: &Resolver,
    pages: Option<&Pages>,
    address: &str,
    wanted: Wanted,
    job: &Job,
) -> Result<FetchedPage, NotRead> {
    let pages = pages.ok_or(NotRead::NotAsked)?;
    let deadline = Deadline::of(resolver.patience()).for_request(job.budget());
    let fetched = job.enter_pool(PoolKind::Providers, |job| {
        job.with_slot(deadline.left(), || pages.fetch(address, wanted, &deadline))
    });
    let Ok(fetched) = fetched.flatten() else {
        let reason = "could not be asked for, since too much is being asked already";
        return Err(NotRead::Failed(reason.to_owned()));
    };
    let page = fetched.map_err(|failure| NotRead::Failed(failure.kind.to_string()))?;
    page.ok_or(NotRead::Missing)
}

/// A page as a work, with the day of access where the address is all that leads to it.
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
