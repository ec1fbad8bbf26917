//! A web page as a work: what it says of itself, in order of trust — Highwire's `citation_*`, PRISM and
//! Dublin Core, schema.org in JSON-LD and microdata, Open Graph, COinS, and last the title and the
//! byline that readers see.

mod charset;
mod claims;
mod coins;
mod dates;
mod markup;
mod people;
mod schema_org;
mod tags;
mod visible;

use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::identifier::{Doi, Isbn, Issn};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

use crate::{fields, language};
pub use charset::{decode, decode_as};
use claims::Claims;
use tags::Tags;

/// What a page says.
#[derive(Clone, Debug)]
pub struct WebPage {
    /// The work: an article, a data set, … or the page itself. What the page does not say is absent.
    pub item: Item,
    /// The name of the site.
    pub site: Option<String>,
    /// Whether the page only keeps robots out and shows nothing of the work.
    pub is_challenge: bool,
}

/// Reads a page. `url` is the address it came from, `accessed` the day. Costs a few steps for every
/// tag and is linear in the length of the page.
pub fn read(
    html: &str,
    url: Option<&str>,
    accessed: Option<Date>,
    budget: &Budget,
) -> Result<WebPage, Exceeded> {
    let markup = markup::read(html, budget)?;
    if visible::is_challenge(&markup) {
        return Ok(WebPage {
            item: Item::new("", ItemType::Webpage),
            site: None,
            is_challenge: true,
        });
    }
    let tags = Tags(&markup);
    let graph = tags::open_graph(&tags);
    let schema = schema_org::read(&markup.objects);
    let site = graph
        .site
        .clone()
        .or(schema.site.clone())
        .or_else(|| visible::site(&markup, url));
    let scholarly = tags::highwire(&tags)
        .or(tags::prism(&tags))
        .or(tags::dublin_core(&tags));
    let mut claims = scholarly.or(schema);
    let seen = visible::read(&markup);
    let people: Vec<Vec<Name>> = vec![
        std::mem::take(&mut claims.authors),
        graph.authors.clone(),
        seen.authors.clone(),
    ];
    claims.authors = best_authors(people, &[site.as_deref(), claims.publisher.as_deref()]);
    if !claims.names_a_work() {
        claims = claims.or(coins::read(&markup.coins));
    }
    claims = claims.or(graph).or(seen);
    claims.title = claims
        .title
        .map(|title| visible::without_site(&title, site.as_deref(), &markup));
    claims.language = claims
        .language
        .or_else(|| language::tag(markup.lang.as_deref()?));
    claims.url = address(&markup, claims.url.take(), url);
    let item = item(&claims, site.as_deref(), accessed);
    Ok(WebPage {
        item,
        site,
        is_challenge: false,
    })
}

/// The first list of authors that names somebody else than the site and its publisher; else the first.
fn best_authors(lists: Vec<Vec<Name>>, owners: &[Option<&str>]) -> Vec<Name> {
    let is_owner = |name: &Name| {
        let name = visible::fold(&name.display());
        owners
            .iter()
            .flatten()
            .any(|owner| visible::fold(owner) == name)
    };
    let mut lists: Vec<Vec<Name>> = lists.into_iter().filter(|list| !list.is_empty()).collect();
    let at = lists
        .iter()
        .position(|list| !list.iter().all(is_owner))
        .unwrap_or(0);
    match at < lists.len() {
        true => lists.swap_remove(at),
        false => Vec::new(),
    }
}

/// The address to cite: the canonical one where the page names one of its own, without tracking.
fn address(markup: &markup::Markup, stated: Option<String>, url: Option<&str>) -> Option<String> {
    let absolute = |text: &String| text.starts_with("http://") || text.starts_with("https://");
    let canonical = markup.canonical.clone().filter(absolute);
    let address = canonical
        .or(stated.filter(absolute))
        .or(url.map(str::to_owned))?;
    Some(without_tracking(&address))
}

/// An address without the parts that only say where a reader came from.
pub fn without_tracking(address: &str) -> String {
    const TRACKERS: [&str; 12] = [
        "fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "ref_src", "cmpid",
        "ocid", "yclid", "_hsenc",
    ];
    let (address, fragment) = address
        .split_once('#')
        .map_or((address, None), |(a, f)| (a, Some(f)));
    let (path, query) = address
        .split_once('?')
        .map_or((address, None), |(p, q)| (p, Some(q)));
    let mut kept = path.to_owned();
    let is_tracker = |part: &&str| {
        let name = part
            .split('=')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        name.starts_with("utm_") || TRACKERS.contains(&name.as_str())
    };
    let parts: Vec<&str> = query
        .unwrap_or_default()
        .split('&')
        .filter(|p| !p.is_empty() && !is_tracker(p))
        .collect();
    if !parts.is_empty() {
        kept.push('?');
        kept.push_str(&parts.join("&"));
    }
    if let Some(fragment) = fragment.filter(|f| !f.is_empty() && !f.starts_with("xtor=")) {
        kept.push('#');
        kept.push_str(fragment);
    }
    kept
}

fn item(claims: &Claims, site: Option<&str>, accessed: Option<Date>) -> Item {
    let kind = claims.kind.unwrap_or(ItemType::Webpage);
    let mut item = Item::new("", kind);
    fields::rich(&mut item, TextVar::Title, claims.title.as_deref());
    item.set_names(NameVar::Author, claims.authors.clone());
    item.set_names(NameVar::Editor, claims.editors.clone());
    fields::date(&mut item, DateVar::Issued, claims.date.as_ref());
    let on_the_web = matches!(
        kind,
        ItemType::Webpage
            | ItemType::BlogPost
            | ItemType::Post
            | ItemType::NewspaperArticle
            | ItemType::Broadcast
    );
    let container = claims.container.as_deref().or(site.filter(|_| on_the_web));
    fields::rich(&mut item, TextVar::ContainerTitle, container);
    fields::rich(
        &mut item,
        TextVar::ContainerTitleShort,
        claims.container_short.as_deref(),
    );
    fields::imprint(&mut item, TextVar::Publisher, claims.publisher.as_deref());
    fields::volume_or_issue(&mut item, NumberVar::Volume, claims.volume.as_deref());
    fields::volume_or_issue(&mut item, NumberVar::Issue, claims.issue.as_deref());
    fields::pages(&mut item, claims.pages.as_deref());
    fields::number(&mut item, NumberVar::Number, claims.number.as_deref());
    fields::plain(&mut item, TextVar::Language, claims.language.as_deref());
    fields::plain(&mut item, TextVar::Url, claims.url.as_deref());
    if let Some(doi) = claims.doi.as_deref().and_then(|doi| Doi::parse(doi).ok()) {
        item.set_text(TextVar::Doi, doi.as_str());
    }
    let isbns = claims.isbn.iter().filter_map(|isbn| Isbn::parse(isbn).ok());
    if let Some(isbn) = isbns.map(|isbn| isbn.as_str().to_owned()).next() {
        item.set_text(TextVar::Isbn, isbn);
    }
    let mut issns: Vec<String> = claims
        .issn
        .iter()
        .filter_map(|issn| Issn::parse(issn).ok())
        .map(|issn| issn.as_str().to_owned())
        .collect();
    issns.dedup();
    item.set_text(TextVar::Issn, issns.join(" "));
    fields::plain(&mut item, TextVar::Pmid, claims.pmid.as_deref());
    if let Some(accessed) = accessed.filter(|_| on_the_web) {
        item.set_date(DateVar::Accessed, accessed);
    }
    item
}
