//! Reads a web page as a work, by one general reading with evidence.
//!
//! `page` collects the texts in one pass. Each vocabulary (Highwire, Dublin Core, PRISM, EPrints, schema.org, Open
//! Graph, COinS) and each place of the visible page makes claims; for every field, equal claims are one
//! candidate of a `pool`, with the `traits` of all of them: where they stand, who agrees, what the value looks
//! like. The candidate with the highest sum of `weights` is chosen, and an `explanation` lists the others.

mod address;
mod authors;
mod bibtex;
mod byline;
mod challenge;
mod charset;
mod cited;
mod claims;
mod coins;
mod containers;
mod dates;
mod dois;
mod dublin_core;
mod evidence;
mod explanation;
mod fact;
mod given_names;
mod highwire;
mod item;
mod kind;
mod kind_weights;
mod labels;
mod marks;
mod metas;
mod months;
mod objects;
mod open_graph;
mod own_citation;
mod page;
mod people;
mod pool;
mod publication;
mod published;
mod schema_org;
mod segments;
mod signs;
mod site;
mod title;
mod titles;
mod tokens;
mod traits;
mod weights;

use citation_fields::languages;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::identifier::{Identifier, address as implied};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::TextVar;

use crate::{fields, language};
pub use address::without_tracking;
use claims::Claims;
pub use explanation::{CandidateExplanation, Explanation, FieldExplanation};
pub use fact::Fact;
pub use kind_weights::PROSE;
use labels::Label;
use metas::Metas;
use page::{Page, WorkOnPage};
use pool::Pool;
pub use signs::Sign;
pub use traits::Trait;
pub use weights::Field;

/// The work of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct WebPage {
    /// The work: an article, a data set, … or the page itself. Unknown data are absent.
    pub item: Item,
    /// The name of the site; its host if the page does not name it.
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
    explain(bytes, url, charset, budget).map(|(page, _)| page)
}

/// What an address alone says of its page: the site, a guess at the type, and a date in the path.
pub fn of_address(url: &str, budget: &Budget) -> Item {
    let mut item = match read(b"", Some(url), None, budget) {
        Ok(page) => page.item,
        Err(_) => Item::new("", ItemType::Webpage),
    };
    let host = address::host(url).unwrap_or_default();
    if item.kind == ItemType::Webpage {
        item.kind = kind::of_host(host).unwrap_or(item.kind);
    }
    if item.text(TextVar::ContainerTitle).is_none() && item.kind != ItemType::Software {
        let site = host.strip_prefix("www.").unwrap_or(host);
        fields::plain(&mut item, TextVar::ContainerTitle, Some(site));
    }
    fields::plain(&mut item, TextVar::Url, Some(url));
    item
}

/// Reads a page as [`read`] does, and says what it was chosen from. The explanation of a challenge page is empty.
pub fn explain(
    bytes: &[u8],
    url: Option<&str>,
    charset: Option<&str>,
    budget: &Budget,
) -> Result<(WebPage, Explanation), Exceeded> {
    budget.spend(bytes.len() as u64 / 8 + 1)?;
    budget.spend_bytes(bytes.len())?;
    let page = page::read(&charset::decode(bytes, charset), budget)?;
    if challenge::is_one(&page) {
        let mut item = Item::new("", ItemType::Webpage);
        fields::plain(&mut item, TextVar::Url, url);
        let challenge = WebPage {
            missing: item::missing(&item),
            item,
            site: None,
            identifiers: Vec::new(),
            is_challenge: true,
        };
        return Ok((challenge, Explanation::default()));
    }
    let reading = join(&page, url);
    Ok((reading.page, reading.explanation))
}

/// The metadata of a page by vocabulary.
pub(super) struct Sources {
    highwire: Claims,
    prism: Claims,
    dublin_core: Claims,
    eprints: Claims,
    schema: Claims,
    graph: Claims,
    coins: Claims,
    bibtex: Claims,
}

impl Sources {
    fn read(page: &Page) -> Sources {
        let metas = Metas(page);
        let highwire = highwire::read(metas);
        let graph = open_graph::read(metas);
        let titles = [highwire.title.as_deref(), graph.title.as_deref()];
        let titles = titles.into_iter().flatten().chain([page.title.as_str()]);
        let titles: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
        let headings = page.lines.iter().filter(|line| line.heading == 1).take(20);
        let headings: Vec<&str> = headings.map(|line| line.text.as_str()).collect();
        let mut schema = schema_org::read(&page.objects, &titles, &headings);
        // A story that embeds a film is not a film.
        let is_story = metas.is_article();
        schema.kind = schema
            .kind
            .filter(|kind| !(is_story && *kind == ItemType::MotionPicture));
        Sources {
            highwire,
            prism: dublin_core::prism(metas),
            dublin_core: dublin_core::read(metas),
            eprints: dublin_core::eprints(metas),
            schema,
            graph,
            coins: coins::read(&page.coins),
            bibtex: bibtex::read(page),
        }
    }

    fn scholarly(&self) -> [&Claims; 4] {
        [
            &self.highwire,
            &self.prism,
            &self.dublin_core,
            &self.eprints,
        ]
    }

    /// Whether scholarly tags state a number that only works in journals and repositories have.
    fn is_numbered(&self) -> bool {
        (self.scholarly().into_iter()).any(|claims| {
            claims.doi.is_some() || claims.volume.is_some() || !claims.issn.is_empty()
        })
    }

    /// An article of a news site is not one of a journal: stories state the site as their source.
    fn without_source_of_story(mut self, is_story: bool, sites: &[String]) -> Sources {
        let is_numbered = self.is_numbered();
        if is_story && !is_numbered {
            for claims in [&mut self.highwire, &mut self.prism, &mut self.dublin_core] {
                let container = claims.container.as_deref().map(title::bare);
                if container.is_some_and(|container| sites.contains(&container)) {
                    claims.container = None;
                }
                if claims.container.is_none() && claims.kind == Some(ItemType::Article) {
                    claims.kind = None;
                }
            }
        }
        self
    }

    /// Removes the COinS and the BibTeX entry of another work.
    fn about(mut self, title: &str) -> Sources {
        let its = self.coins.title.as_deref().map(title::fold);
        let own = title::fold(title);
        let is_titled = its.is_none() || own.is_empty() || its.as_deref() == Some(own.as_str());
        let is_numbered = self.coins.doi.is_some() && self.coins.doi == self.highwire.doi;
        if !(is_titled || is_numbered) {
            self.coins = Claims::default();
        }
        let entry = self.bibtex.title.as_deref().map(title::fold);
        if entry.is_none_or(|entry| entry != own) {
            self.bibtex = Claims::default();
        }
        self
    }

    /// All claims, the more reliable vocabulary first.
    fn joined(&self) -> Claims {
        (self.highwire.clone())
            .or(self.prism.clone())
            .or(self.dublin_core.clone())
            .or(self.eprints.clone())
            .or(self.schema.clone())
            .or(self.coins.clone())
            .or(self.graph.clone())
    }

    fn address(&self, page: &Page, url: Option<&str>) -> Option<String> {
        let stated = self.graph.url.as_deref().or(self.highwire.url.as_deref());
        address::cited(page.canonical.as_deref(), stated, url)
    }
}

/// A page and the candidates of its fields.
struct Reading {
    page: WebPage,
    explanation: Explanation,
}

/// Chooses each field among its candidates: the site first, because titles and authors are told from it, then
/// the title, because its place tells bylines and dates from those of other works.
fn join(page: &Page, url: Option<&str>) -> Reading {
    let url = url.filter(|url| address::host(url).is_some());
    let sources = Sources::read(page);
    let address = sources.address(page, url);
    let host = address.as_deref().and_then(address::host);
    let sites = site::candidates(page, &sources, address.as_deref());
    let site = sites.best().map(|site| site.value.clone());
    let names = site::names(&sites, page);
    let is_story = is_story(page, &sources);
    let sources = sources.without_source_of_story(is_story, &names);
    let is_scholarly = is_scholarly(&sources);

    let titles = titles::candidates(
        page,
        &sources,
        &titles::Known {
            sites: &names,
            url: address.as_deref(),
            is_article: is_scholarly,
            is_story,
        },
    );
    let title = titles.best().map(|title| title.value.clone());
    let shown = title.clone().unwrap_or_default();
    let sources = sources.about(&shown);
    let heading = title::heading(page, &shown);
    let cited = cited::lines(page, heading);
    let own = own_citation::read(page, &shown);
    let own = own.or(heading.map_or_else(Claims::default, |at| own_citation::below(page, at)));
    let own = sources.bibtex.clone().or(own);
    let has_line = cited.iter().any(|cited| cited.container.is_some());
    let is_article = is_scholarly || !is_story && (has_line || own.container.is_some());

    let authors = authors::candidates(
        page,
        &sources,
        &cited,
        &own.authors,
        &authors::Known {
            heading,
            owners: &names,
            host,
            is_article,
            is_story,
            is_wiki: kind::is_wiki(Metas(page)),
            is_thread: sources.schema.kind == Some(ItemType::Post)
                || kind::is_thread(page, address.as_deref().unwrap_or_default()),
            title: &shown,
            site: site.as_deref(),
        },
    );
    let chosen = authors.best().map_or(&[][..], |best| &best.value);
    let author_lines = authors::lines_of(page, chosen, heading);
    let work = WorkOnPage {
        author_lines: &author_lines,
        heading,
        url: address.as_deref(),
        is_article,
        is_story,
    };
    let dates = published::candidates(page, &sources, &cited, &own, &work);
    let dois = dois::candidates(page, &sources, &cited, &own, &work);
    let containers = containers::candidates(
        page,
        &sources,
        &cited,
        &own,
        &containers::Known {
            title: &shown,
            sites: &names,
            site: site.as_deref(),
            is_article,
            is_story,
            is_chapter: kind::is_chapter(page, &shown),
        },
    );
    let container = containers.best().map(|container| container.value.clone());
    let stated = sources.joined();
    let mut identifiers: Vec<Identifier> = (sources.scholarly().into_iter())
        .chain([&sources.schema, &sources.coins, &own])
        .flat_map(item::identifiers)
        .collect();
    let mut claims = Claims {
        title,
        authors: authors
            .best()
            .map(|best| best.value.clone())
            .unwrap_or_default(),
        date: dates.best().map(|best| best.value.clone()),
        doi: dois.best().map(|best| best.value.clone()),
        container: container.clone(),
        url: address,
        ..stated
    };
    if is_article {
        claims = claims.or(numbers(&own, container.as_deref()));
        for cited in &cited {
            claims = claims.or(numbers(cited, container.as_deref()));
        }
    }
    if let Some(container) = container
        .as_deref()
        .filter(|_| claims.volume.is_none() && is_article)
    {
        claims = claims.or(own_citation::volume_and_issue(page, heading, container));
    }
    claims = claims.or(record(page));
    claims.publisher = claims
        .publisher
        .or_else(|| institution(&authors, &claims.authors));
    claims.pmcid = claims.pmcid.or_else(|| pmcid(claims.url.as_deref()?));
    let stated_language = claims.language.take();
    claims.language = stated_language
        .or_else(|| language::tag(page.lang.as_deref()?))
        .or_else(|| language_of(page).map(str::to_owned));
    let kinds = kind::evidence(&kind::Known {
        page,
        sources: &sources,
        claims: &claims,
        heading,
        site: site.as_deref(),
        is_article,
        is_story,
        is_publication_shown: dates.best().is_some_and(published::is_publication_shown),
    });
    let kind = kinds
        .scores
        .first()
        .map_or(ItemType::Webpage, |(kind, _, _)| *kind);
    if containers::is_part_of_site(kind) {
        claims.container = None;
    }
    let in_journal = claims.container.is_some() && kind == ItemType::Article;
    if in_journal && claims.pages.is_none() {
        claims.pages = own_citation::pages_near(page, heading);
    }
    identifiers.extend(item::identifiers(&claims));
    let item = item::of(kind, &claims, site.as_deref());
    let explanation = Explanation {
        fields: vec![
            FieldExplanation::of(Field::Title, &titles, String::clone),
            FieldExplanation::of(Field::Site, &sites, String::clone),
            FieldExplanation::of(Field::Authors, &authors, |names| {
                let names: Vec<String> = names.iter().map(Name::display).collect();
                names.join("; ")
            }),
            FieldExplanation::of(Field::Date, &dates, Date::edtf),
            FieldExplanation::of(Field::Container, &containers, String::clone),
            FieldExplanation::of(Field::Doi, &dois, String::clone),
        ],
        kinds: kinds.scores,
        votes: kinds.votes,
        signs: kinds.signs.iter().collect(),
    };
    Reading {
        page: WebPage {
            missing: item::missing(&item),
            item,
            site,
            identifiers: distinct(identifiers),
            is_challenge: false,
        },
        explanation,
    }
}

/// Whether a page is a story of a newspaper or a post of a blog.
fn is_story(page: &Page, sources: &Sources) -> bool {
    let is_posted = matches!(
        sources.schema.kind,
        Some(ItemType::NewspaperArticle | ItemType::BlogPost | ItemType::Post)
    );
    let is_article = Metas(page).is_article();
    let in_journal = sources.is_numbered()
        || sources.highwire.container.is_some()
        || sources.highwire.kind.is_some()
        || sources.eprints.kind.is_some()
        || sources.schema.kind == Some(ItemType::Article);
    (is_posted || is_article) && !in_journal
}

/// Whether the tags of a page state a scholarly work.
fn is_scholarly(sources: &Sources) -> bool {
    sources.is_numbered()
        || sources.highwire.kind.is_some()
        || sources.eprints.kind.is_some()
        || sources.coins.kind.is_some()
        || sources.prism.container.is_some()
        || matches!(
            sources.schema.kind,
            Some(ItemType::Article | ItemType::Thesis | ItemType::Dataset | ItemType::Chapter)
        )
}

/// The numbers of a citation of the work, if its container is the chosen one.
fn numbers(cited: &Claims, container: Option<&str>) -> Claims {
    let is_same = match (cited.container.as_deref(), container) {
        (Some(its), Some(own)) => containers::is_same(its, own),
        (None, _) => true,
        (Some(_), None) => false,
    };
    if is_same {
        Claims {
            title: None,
            authors: Vec::new(),
            date: None,
            container: None,
            doi: None,
            kind: None,
            ..cited.clone()
        }
    } else {
        Claims::default()
    }
}

/// The institution that the page states as its author beside the people chosen.
fn institution(authors: &Pool<Vec<Name>>, chosen: &[Name]) -> Option<String> {
    let has_people = chosen.iter().any(people::is_person);
    let mut stated = authors
        .candidates()
        .iter()
        .filter(|candidate| candidate.traits.has_any(&[Trait::Meta, Trait::DublinCore]));
    let single = stated.find_map(|candidate| match candidate.value.as_slice() {
        [name] => Some(name),
        _ => None,
    });
    let shown = single?.display();
    (has_people && !chosen.contains(single?) && crate::names::is_institution(&shown))
        .then_some(shown)
}

/// The facts that a record of a catalogue or an index has as label and value.
fn record(page: &Page) -> Claims {
    let first = |label: Label| labels::values(page, label).next().map(str::to_owned);
    let short = |label: Label| first(label).filter(|value| value.len() <= 40);
    // A number alone may be that of anything; in a record it is one of the work.
    let is_record = labels::is_record(page);
    let number = |label: Label| {
        let value = short(label).filter(|_| is_record)?;
        value
            .contains(|c: char| c.is_ascii_digit())
            .then_some(value)
    };
    // `Hamburg : Example , 2009`
    let imprints = [Label::Imprint, Label::Published];
    let mut publishers = imprints.into_iter().filter_map(|label| {
        let imprint = first(label).filter(|_| is_record || label == Label::Imprint)?;
        let (_, rest) = imprint.split_once(':')?;
        let name = rest.split([',', ';']).next()?.trim();
        let is_name = name.starts_with(char::is_alphabetic);
        is_name.then(|| name.to_owned())
    });
    Claims {
        publisher: publishers
            .next()
            .or_else(|| first(Label::Publisher).filter(|name| name.len() <= 120)),
        isbn: labels::values(page, Label::Isbn)
            .take(2)
            .map(str::to_owned)
            .collect(),
        issn: labels::values(page, Label::Issn)
            .take(2)
            .map(str::to_owned)
            .collect(),
        pmid: short(Label::Pmid).filter(|id| id.bytes().all(|byte| byte.is_ascii_digit())),
        number: number(Label::Number),
        ..Claims::default()
    }
}

/// The language of the visible text.
fn language_of(page: &Page) -> Option<&'static str> {
    let lines = page
        .lines
        .iter()
        .filter(|line| line.part == marks::Part::Main);
    let mut text = page.title.clone();
    for line in lines.take(200) {
        text.push(' ');
        text.push_str(&line.text);
        if text.len() > 4_000 {
            break;
        }
    }
    languages::of_text(&text)
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
