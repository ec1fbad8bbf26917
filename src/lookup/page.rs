//! The address of a page → the work that the page names, or the page itself as a work.

use super::resolve::{LookupError, Resolution, Resolver};
use crate::blocking::{Job, PoolKind};
use crate::clock;
use crate::provider::{Deadline, FetchedPage, Pages};
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
    /// Nothing is known of the page but its address. The reason continues “the page”.
    Unread { work: Box<Work>, reason: String },
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
    let unread = |reason: &str| {
        let mut item = Item::new("", ItemType::Webpage);
        item.set_text(TextVar::Url, address.as_str());
        Ok(PageOutcome::Unread {
            work: Box::new(work(item, &address, now)),
            reason: reason.to_owned(),
        })
    };
    let Some(pages) = pages else {
        return unread("was not asked for, since no pages may be fetched");
    };
    let page = match fetch(resolver, pages, &address, job) {
        Ok(Some(page)) => page,
        Ok(None) => return unread("does not exist, as its site says"),
        Err(reason) => return unread(&reason),
    };
    let (bytes, charset) = (&page.bytes, page.charset.as_deref());
    let Ok(read) = webpage::read(bytes, Some(&page.url), charset, job.budget()) else {
        return unread("is too complex to be read");
    };
    if read.is_challenge {
        return unread("only lets people in, no programs");
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
        work: Box::new(work(read.item, &address, now)),
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

/// The page; the error says why there is none.
fn fetch(
    resolver: &Resolver,
    pages: &Pages,
    address: &str,
    job: &Job,
) -> Result<Option<FetchedPage>, String> {
    let deadline = Deadline::of(resolver.patience()).for_request(job.budget());
    let fetched = job.visit(PoolKind::Providers, |job| {
        job.hold(deadline.left(), || pages.fetch(address, &deadline))
    });
    match fetched.flatten() {
        Ok(page) => page.map_err(|failure| failure.kind.to_string()),
        Err(_) => Err("could not be asked for, since too much is being asked already".to_owned()),
    }
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
