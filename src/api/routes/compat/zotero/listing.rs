//! The parameters of lists: `since`, `itemKey`, `q`, `tag`, `itemType`, `sort`, `start`, `limit`.

use std::cmp::Ordering;
use std::ops::Range;

use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::api::routes::compat::keys::key;
use crate::collections::input::has_tag;
use crate::collections::{CollectionError, Snapshot};
use crate::store::collections::EntryRow;
use citation_exchange::zotero::type_name;
use citation_matching::normalize::fold;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, TextVar};

/// Default and maximum number of objects on a page.
#[derive(Clone, Copy)]
pub struct PageSize {
    default: usize,
    most: usize,
}

impl PageSize {
    pub const OBJECTS: PageSize = PageSize {
        default: 25,
        most: 100,
    };
    pub const BIBLIOGRAPHY: PageSize = PageSize {
        default: 150,
        most: 150,
    };
    /// Keys and versions are not paged.
    pub const KEYS: PageSize = PageSize {
        default: usize::MAX,
        most: usize::MAX,
    };
}

/// Budget steps for reading an item from the database.
const STEPS_OF_ITEM: u64 = 200;

/// An entry, its item if it was needed, and the index of its collection in the library.
pub struct Listed {
    pub collection: usize,
    pub row: EntryRow,
    pub item: Option<Item>,
}

impl Listed {
    /// The item of an entry, parsed on demand.
    pub fn load(
        &mut self,
        context: &RequestContext,
        snapshot: &Snapshot<'_>,
    ) -> Result<&Item, CollectionError> {
        let item = match self.item.take() {
            Some(item) => item,
            None => {
                context.budget.spend(STEPS_OF_ITEM)?;
                snapshot.item(&self.row)?
            }
        };
        Ok(self.item.insert(item))
    }

    fn text(&self, variable: TextVar) -> String {
        let item = self.item.as_ref();
        let text = item.and_then(|item| item.text(variable));
        fold(text.unwrap_or_default())
    }
}

/// The sort key of a list.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Added,
    Modified,
    Title,
    Creator,
    Type,
    Date,
    Publisher,
    Container,
}

/// The values of `sort`.
const SORTS: [(&str, Sort); 8] = [
    ("dateAdded", Sort::Added),
    ("dateModified", Sort::Modified),
    ("title", Sort::Title),
    ("creator", Sort::Creator),
    ("itemType", Sort::Type),
    ("date", Sort::Date),
    ("publisher", Sort::Publisher),
    ("publicationTitle", Sort::Container),
];

/// The parameters of a list.
pub struct Listing {
    pub since: i64,
    keys: Vec<String>,
    words: Vec<String>,
    tags: Vec<TermChoice>,
    types: Vec<TermChoice>,
    sort: Sort,
    is_descending: bool,
    start: usize,
    /// `None` if the request does not say.
    limit: Option<usize>,
}

/// `a || b`, or `-a`.
struct TermChoice {
    any: Vec<String>,
    is_negated: bool,
}

impl TermChoice {
    fn parse(text: &str) -> TermChoice {
        let text = text.trim();
        let (text, is_negated) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let any = text.split("||").map(|part| part.trim().to_owned());
        TermChoice {
            any: any.filter(|part| !part.is_empty()).collect(),
            is_negated,
        }
    }

    fn is_met(&self, has: impl Fn(&str) -> bool) -> bool {
        self.any.iter().any(|part| has(part)) != self.is_negated
    }
}

impl Listing {
    pub fn of(context: &RequestContext) -> Result<Listing, ApiError> {
        let query = &context.query;
        let given = |name: &str| query.given(name);
        let sort = match given("sort") {
            None => Sort::Modified,
            Some(name) => {
                let known = SORTS.iter().find(|(known, _)| *known == name);
                let (_, sort) = known.ok_or_else(|| {
                    let names = SORTS.map(|(name, _)| name).join(", ");
                    let message = format!("sort must be one of {names}, not “{name}”.");
                    ApiError::invalid_parameter("sort", message)
                })?;
                *sort
            }
        };
        let is_descending = match given("direction") {
            None => matches!(sort, Sort::Added | Sort::Modified),
            Some("asc") => false,
            Some("desc") => true,
            Some(other) => {
                let message = format!("direction must be asc or desc, not “{other}”.");
                return Err(ApiError::invalid_parameter("direction", message));
            }
        };
        let limit = match given("limit") {
            None => None,
            Some(_) => Some(query.number("limit", 1, 1, usize::MAX)?),
        };
        let choices = |name: &str| query.all(name).map(TermChoice::parse).collect();
        let list = |name: &str| given(name).unwrap_or_default().split(',').map(str::trim);
        Ok(Listing {
            since: query.number("since", 0, 0, u32::MAX as usize)? as i64,
            keys: list("itemKey")
                .filter(|key| !key.is_empty())
                .map(str::to_ascii_uppercase)
                .collect(),
            words: fold(given("q").unwrap_or_default())
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            tags: choices("tag"),
            types: choices("itemType"),
            sort,
            is_descending,
            start: query.number("start", 0, 0, u32::MAX as usize)?,
            limit,
        })
    }

    /// The matching entries, in order. Their items are parsed only if needed.
    pub fn select(
        &self,
        context: &RequestContext,
        snapshot: &Snapshot<'_>,
        entries: Vec<Listed>,
    ) -> Result<Vec<Listed>, CollectionError> {
        let mut found = Vec::new();
        for mut listed in entries {
            context.budget.spend(1)?;
            let row = &listed.row;
            let fits = row.updated_at > self.since
                && (self.keys.is_empty() || self.keys.contains(&key(&row.uid)))
                && { self.tags.iter() }.all(|tags| tags.is_met(|tag| has_tag(&row.tags, tag)));
            if fits && self.fits_item(context, snapshot, &mut listed)? {
                found.push(listed);
            }
        }
        if !matches!(self.sort, Sort::Added | Sort::Modified) {
            for listed in &mut found {
                listed.load(context, snapshot)?;
            }
        }
        self.order(&mut found);
        Ok(found)
    }

    fn fits_item(
        &self,
        context: &RequestContext,
        snapshot: &Snapshot<'_>,
        listed: &mut Listed,
    ) -> Result<bool, CollectionError> {
        if self.types.is_empty() && self.words.is_empty() {
            return Ok(true);
        }
        let kind = listed.load(context, snapshot)?.kind;
        let is_type = |name: &str| name == type_name(kind);
        let has_words = self.words.is_empty() || snapshot.has_words(&listed.row, &self.words)?;
        Ok(has_words && self.types.iter().all(|types| types.is_met(is_type)))
    }

    fn order(&self, found: &mut [Listed]) {
        let by_text = |found: &mut [Listed], text: &dyn Fn(&Listed) -> String| {
            found.sort_by_cached_key(text);
        };
        match self.sort {
            Sort::Added => found.sort_by_key(|listed| (listed.row.added_at, listed.row.id)),
            Sort::Modified => found.sort_by_key(|listed| (listed.row.updated_at, listed.row.id)),
            Sort::Title => by_text(found, &|listed| listed.text(TextVar::Title)),
            Sort::Publisher => by_text(found, &|listed| listed.text(TextVar::Publisher)),
            Sort::Container => by_text(found, &|listed| listed.text(TextVar::ContainerTitle)),
            Sort::Type => by_text(found, &|listed| {
                let item = listed.item.as_ref();
                item.map_or_else(String::new, |item| type_name(item.kind).to_owned())
            }),
            Sort::Creator => by_text(found, &|listed| {
                let names = listed.item.as_ref().map(|item| item.names(NameVar::Author));
                let first = names.and_then(<[Name]>::first);
                fold(&first.map(Name::heading).unwrap_or_default())
            }),
            Sort::Date => found.sort_by(|a, b| {
                let date = |listed: &Listed| {
                    let issued = listed.item.as_ref()?.date(DateVar::Issued)?;
                    issued.start.map(|start| start.numbers())
                };
                date(a).cmp(&date(b)).then(Ordering::Equal)
            }),
        }
        if self.is_descending {
            found.reverse();
        }
    }

    /// The range of objects on the page.
    pub fn page(&self, total: usize, size: PageSize) -> Range<usize> {
        let limit = self.limit.unwrap_or(size.default).min(size.most);
        let start = self.start.min(total);
        start..start.saturating_add(limit).min(total)
    }
}

/// Adds the number of objects and the links to other pages.
pub fn paged(context: &RequestContext, reply: Reply, page: &Range<usize>, total: usize) -> Reply {
    let size = page.len().max(1);
    let mut links = Vec::new();
    let mut link = |name: &str, start: usize| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (present, value) in context.query.pairs() {
            if !matches!(present, "start" | "key") {
                query.append_pair(present, value);
            }
        }
        query.append_pair("start", &start.to_string());
        let path = format!("{}?{}", context.uri.path(), query.finish());
        let address = context.edge.site.base_url.join(&path);
        links.push(format!("<{address}>; rel=\"{name}\""));
    };
    if page.start > 0 {
        link("first", 0);
        link("prev", page.start.saturating_sub(size));
    }
    if page.end < total {
        link("next", page.end);
        link("last", (total - 1) / size * size);
    }
    let reply = reply.with_header("total-results", total.to_string());
    if links.is_empty() {
        reply
    } else {
        reply.with_header("link", links.join(", "))
    }
}

/// The description of the parameters.
pub fn described(operation: Operation) -> Operation {
    operation
        .query_number("since", 0, "Only changes after this version.")
        .query(
            "itemKey",
            "Only items with these keys, separated by commas.",
        )
        .query("q", "Only items with these words.")
        .query(
            "tag",
            "Only items with this tag; `a || b` for either, `-a` for items without it.",
        )
        .query("itemType", "Only items of this type, likewise.")
        .query_choice(
            "sort",
            SORTS.map(|(name, _)| name),
            "The sort key; default dateModified.",
        )
        .query_choice("direction", ["asc", "desc"], "The direction.")
        .query_number("start", 0, "Number of items to skip.")
        .query_number("limit", 1, "Items per page; default 25, at most 100.")
}
