//! Reads a web page as a work. Sources in order of trust: Highwire's `citation_*`, PRISM, Dublin Core and
//! EPrints; schema.org in JSON-LD, microdata and RDFa; Open Graph; COinS; and the visible text: title,
//! byline, dates, and the page's citation of itself.
//!
//! `page` collects the texts in one pass, a module per vocabulary converts them to `claims::Claims`, and
//! this module joins them.

mod address;
mod byline;
mod challenge;
mod charset;
mod claims;
mod coins;
mod dates;
mod dois;
mod dublin_core;
mod fact;
mod highwire;
mod item;
mod kind;
mod marks;
mod metas;
mod months;
mod objects;
mod open_graph;
mod own_citation;
mod page;
mod people;
mod published;
mod schema_org;
mod site;
mod title;
mod tokens;

use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::{Identifier, address as implied};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::TextVar;

use crate::{fields, language};
pub use address::without_tracking;
use claims::Claims;
pub use fact::Fact;
use metas::Metas;
use page::Page;

/// The work of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct WebPage {
    /// The work: an article, a data set, … or the page itself. Unknown data are absent.
    pub item: Item,
    /// The name of the site.
    pub site: Option<String>,
    /// Identifiers of the work, the most reliable first, and of its container.
    pub identifiers: Vec<Identifier>,
    /// Facts that a citation needs and the page lacks.
    pub missing: Vec<Fact>,
    /// Whether the page is a bot challenge without the work.
    pub is_challenge: bool,
}

/// What pages are made of, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<html>",
    "<head>",
    "<title>",
    "</title>",
    "<meta name=\"citation_title\" content=\"",
    "<meta name=\"citation_author\" content=\"",
    "<meta property=\"og:title\" content=\"",
    "<link rel=\"canonical\" href=\"",
    "<script type=\"application/ld+json\">",
    "{\"@type\":\"Article\",",
    "\"author\":[",
    "</script>",
    "<script>",
    "<div itemscope itemtype=\"http://schema.org/Article\">",
    "<span itemprop=\"author\">",
    "<p>",
    "</p>",
    "<div class=\"byline\">",
    "</div>",
    "<h1>",
    "</h1>",
    "<a rel=\"author\" href=\"/people/a\">",
    "</a>",
    "<a href=\"https://doi.org/10.1000/a\">",
    "<time datetime=\"2001-02-03\">",
    "<span class=\"Z3988\" title=\"",
    "<!--",
    "-->",
    "<",
    ">",
    "\"",
    "=",
    "&amp;",
    "&",
    "By Jane Doe and ",
    "How to cite: ",
    "(2001)",
    "3 May 2001",
    "10.1000/",
    "| ",
    "{",
    "[",
    "\n",
    "a ",
];

/// Reads a page. `url` is its address, `charset` is from the `Content-Type` header. Linear in the length of
/// the page: some steps per tag and text, its bytes for the text.
pub fn read(
    bytes: &[u8],
    url: Option<&str>,
    charset: Option<&str>,
    budget: &Budget,
) -> Result<WebPage, Exceeded> {
    budget.spend(bytes.len() as u64 / 8 + 1)?;
    budget.spend_bytes(bytes.len())?;
    let page = page::read(&charset::decode(bytes, charset), budget)?;
    if challenge::is_one(&page) {
        let mut item = Item::new("", ItemType::Webpage);
        fields::plain(&mut item, TextVar::Url, url);
        return Ok(WebPage {
            missing: item::missing(&item),
            item,
            site: None,
            identifiers: Vec::new(),
            is_challenge: true,
        });
    }
    Ok(join(&page, url))
}

/// Joins the vocabularies with the visible text.
fn join(page: &Page, url: Option<&str>) -> WebPage {
    let url = url.filter(|url| address::host(url).is_some());
    let said = Said::read(page);
    let address = said.address(page, url);
    let host = address.as_deref().and_then(address::host);
    let stated = said.graph.site.clone().or_else(|| said.schema.site.clone());
    let publisher = said.schema.publisher.clone();
    let is_title = |name: &String| said.graph.title.as_ref() == Some(name);
    let is_section = |name: &String| {
        let is_named = publisher.is_some() && host.is_some();
        is_named
            && address
                .as_deref()
                .is_some_and(|url| site::is_section(name, url))
    };
    let is_address = |name: &String| publisher.is_some() && site::is_address(name);
    let stated = stated.filter(|name| !is_title(name) && !is_section(name) && !is_address(name));
    let site = site::name(page, Metas(page), stated, host);
    let site = site.or_else(|| site::of_publisher(page, publisher?));
    let title = said.title(page, site.as_deref(), host);
    let heading = title::heading(page, title.as_deref().unwrap_or_default());
    let own = own_citation::read(page, title.as_deref().unwrap_or_default());
    let own = own.or(heading.map_or_else(Claims::default, |at| own_citation::below(page, at)));
    let said = said.about(title.as_deref());
    let authors = said.authors(page, heading, site.as_deref(), &own);

    let sources = [&said.scholarly, &said.schema, &said.coins, &own];
    let mut identifiers: Vec<Identifier> =
        sources.into_iter().flat_map(item::identifiers).collect();
    let mut claims = Claims {
        title,
        authors,
        url: address,
        ..(said.scholarly)
            .or(said.schema)
            .or(said.coins)
            .or(said.graph)
            .or(own)
    };
    let seen_date = || published::date(page, heading, claims.url.as_deref());
    claims.date = claims.date.clone().or_else(seen_date);
    claims.doi = claims.doi.clone().or_else(|| doi(page, &claims, heading));
    if claims.doi.is_some() && claims.kind.is_none() && claims.container.is_none() {
        claims.container = title::journal(page, claims.title.as_deref(), site.as_deref());
    }
    if let Some(container) = claims.container.clone().filter(|_| claims.volume.is_none()) {
        claims = claims.or(own_citation::volume_and_issue(page, heading, &container));
    }
    let in_journal = claims.container.is_some() && claims.kind == Some(ItemType::Article);
    if in_journal && claims.pages.is_none() {
        claims.pages = own_citation::pages_near(page, heading);
    }
    let is_article = claims.kind.is_none_or(|kind| kind == ItemType::Article);
    if let Some(proceedings) = title::proceedings(page).filter(|_| is_article) {
        claims.kind = Some(ItemType::ConferencePaper);
        claims.container = claims.container.or(Some(proceedings));
    }
    claims.pmcid = claims.pmcid.or_else(|| pmcid(claims.url.as_deref()?));
    let stated_language = claims.language.take();
    claims.language = stated_language.or_else(|| language::tag(page.lang.as_deref()?));
    let kind = kind::of(&claims, Metas(page), claims.url.as_deref());
    if kind == ItemType::Webpage {
        claims.date = claims.date.or(claims.modified.take());
        claims.date = claims.date.or_else(|| published::changed(page));
    }
    identifiers.extend(item::identifiers(&claims));
    let item = item::of(kind, &claims, site.as_deref());
    WebPage {
        missing: item::missing(&item),
        item,
        site,
        identifiers: distinct(identifiers),
        is_challenge: false,
    }
}

/// The metadata of a page by vocabulary.
struct Said {
    /// Highwire's tags, PRISM, Dublin Core and EPrints.
    scholarly: Claims,
    schema: Claims,
    graph: Claims,
    coins: Claims,
}

impl Said {
    fn read(page: &Page) -> Said {
        let metas = Metas(page);
        let mut scholarly = highwire::read(metas)
            .or(dublin_core::prism(metas))
            .or(dublin_core::read(metas))
            .or(dublin_core::eprints(metas));
        let graph = open_graph::read(metas);
        let titles = [scholarly.title.as_deref(), graph.title.as_deref()];
        let titles = titles.into_iter().flatten().chain([page.title.as_str()]);
        let titles: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
        let headings = page.lines.iter().filter(|line| line.heading == 1).take(20);
        let headings: Vec<&str> = headings.map(|line| line.text.as_str()).collect();
        let mut schema = schema_org::read(&page.objects, &titles, &headings);
        // A story that embeds a film is not a film, and an article of a news site is not one of a journal.
        let is_story = metas.first(&["og:type"]) == Some("article");
        let is_numbered =
            scholarly.doi.is_some() || scholarly.volume.is_some() || !scholarly.issn.is_empty();
        // Stories of a site state the site as their source.
        let site = graph.site.as_deref().unwrap_or_default();
        let is_site = |container: &mut String| title::is_same_site(container, site);
        if is_story && !is_numbered {
            scholarly.container.take_if(is_site);
        }
        let in_journal = is_numbered || scholarly.container.is_some();
        if is_story && !in_journal && scholarly.kind == Some(ItemType::Article) {
            scholarly.kind = None;
        }
        schema.kind = schema
            .kind
            .filter(|kind| !(is_story && *kind == ItemType::MotionPicture));
        Said {
            scholarly,
            schema,
            graph,
            coins: coins::read(&page.coins),
        }
    }

    fn address(&self, page: &Page, url: Option<&str>) -> Option<String> {
        let stated = self.graph.url.as_deref().or(self.scholarly.url.as_deref());
        address::cited(page.canonical.as_deref(), stated, url)
    }

    /// The title without the site name.
    fn title(&self, page: &Page, site: Option<&str>, host: Option<&str>) -> Option<String> {
        let first_heading = page.lines.iter().find(|line| line.heading == 1);
        let seen = Some(page.title.as_str()).filter(|title| !title.is_empty());
        let seen = seen.or(first_heading.map(|line| line.text.as_str()));
        let schema = self.schema.title.as_deref();
        // Software repositories state only the name here, and the full title elsewhere.
        let is_software = self.schema.kind == Some(ItemType::Software);
        let titles = [
            self.scholarly.title.as_deref(),
            schema.filter(|_| !is_software),
            self.graph.title.as_deref(),
            seen,
            schema,
            self.coins.title.as_deref(),
        ];
        let publishers = [&self.schema.publisher, &self.scholarly.publisher];
        let in_title = host.and_then(|host| site::in_title(page, host));
        let sites: Vec<&str> = (site.into_iter())
            .chain(in_title.as_deref())
            .chain(publishers.into_iter().flatten().map(String::as_str))
            .chain(page.feeds.iter().map(String::as_str))
            .collect();
        // Careless templates state the site's name.
        let site_name = site.map(title::fold);
        let is_site = |title: &&str| site_name.as_ref() == Some(&title::fold(title));
        let own = titles.iter().flatten().copied();
        let own = own.clone().filter(|title| !is_site(title)).chain(own);
        let title = title::whole(own)?;
        Some(title::without_site(title, &sites, page))
    }

    /// Removes the COinS of another work.
    fn about(mut self, title: Option<&str>) -> Said {
        let fold = |title: &str| title::fold(title);
        let (its, own) = (self.coins.title.as_deref().map(fold), title.map(fold));
        let is_titled = its.is_none() || own.is_none() || its == own;
        let is_numbered = self.coins.doi.is_some() && self.coins.doi == self.scholarly.doi;
        if !(is_titled || is_numbered) {
            self.coins = Claims::default();
        }
        self
    }

    /// The authors: those of scholarly tags, otherwise the first list that contains people.
    fn authors(
        &self,
        page: &Page,
        heading: Option<usize>,
        site: Option<&str>,
        own: &Claims,
    ) -> Vec<Name> {
        let owners = [site, self.schema.publisher.as_deref()];
        let scholarly = self.scholarly.authors.clone();
        // News sites state themselves as creator in Dublin Core.
        let is_news = matches!(
            self.schema.kind,
            Some(ItemType::NewspaperArticle | ItemType::BlogPost)
        );
        let is_stated = is_news && self.schema.authors.iter().any(people::is_person);
        let is_scholarly = self.scholarly.container.is_some() || self.scholarly.doi.is_some();
        if scholarly.iter().any(people::is_person) && (is_scholarly || !is_stated) {
            return people::best([scholarly], &owners);
        }
        let (first, last) = match is_stated {
            true => (Vec::new(), scholarly),
            false => (scholarly, Vec::new()),
        };
        let stated = [&self.schema, &self.coins, &self.graph, own];
        let stated = stated.map(|claims| claims.authors.clone());
        // Wikis have no bylines; their tables name the makers of films.
        let seen = match kind::is_wiki(Metas(page)) {
            true => Vec::new(),
            false => byline::lists(page, heading),
        };
        let posted = open_graph::written_by(Metas(page));
        let lists = std::iter::once(first)
            .chain(stated)
            .chain(seen)
            .chain([posted, last]);
        people::best(lists, &owners)
    }
}

/// The DOI in the address or printed on the page. A DOI in a news story is that of the study it reports.
fn doi(page: &Page, claims: &Claims, heading: Option<usize>) -> Option<String> {
    let in_address = claims.url.as_deref().and_then(implied::doi);
    if let Some(doi) = in_address {
        return Some(doi.as_str().to_owned());
    }
    let is_story = matches!(
        claims.kind,
        Some(ItemType::NewspaperArticle | ItemType::BlogPost | ItemType::Post)
    );
    let is_scholarly =
        claims.container.is_some() || claims.volume.is_some() || claims.pmid.is_some();
    let printed = dois::printed(page, heading).filter(|_| !is_story);
    printed.or_else(|| dois::linked(page, heading).filter(|_| is_scholarly && !is_story))
}

/// The PubMed Central id in the address.
fn pmcid(url: &str) -> Option<String> {
    match implied::identify(url)? {
        Identifier::Pmcid(id) => Some(id.as_str().to_owned()),
        _ => None,
    }
}

fn distinct(identifiers: Vec<Identifier>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for identifier in identifiers {
        if !found.contains(&identifier) {
            found.push(identifier);
        }
    }
    found
}
