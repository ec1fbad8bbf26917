//! Builds the item of a page, its identifiers, and the list of missing facts.

use citation_model::identifier::{ArxivId, Doi, Identifier, Isbn, Issn, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

use super::claims::Claims;
use super::containers::is_part_of_site;
use super::fact::Fact;
use crate::fields;

/// The item. `site` is the container if there is no other.
pub(super) fn of(kind: ItemType, claims: &Claims, site: Option<&str>) -> Item {
    let mut item = Item::new("", kind);
    fields::rich(&mut item, TextVar::Title, claims.title.as_deref());
    item.set_names(NameVar::Author, claims.authors.clone());
    item.set_names(NameVar::Editor, claims.editors.clone());
    fields::date(&mut item, DateVar::Issued, claims.date.as_ref());
    let container = claims.container.as_deref();
    let container = container.or(site.filter(|_| is_part_of_site(kind)));
    fields::rich(&mut item, TextVar::ContainerTitle, container);
    let short = claims.container_short.as_deref();
    fields::rich(&mut item, TextVar::ContainerTitleShort, short);
    fields::imprint(&mut item, TextVar::Publisher, claims.publisher.as_deref());
    let volume = claims.volume.as_deref().map(without_label);
    fields::volume_or_issue(&mut item, NumberVar::Volume, volume);
    let issue = claims.issue.as_deref().map(without_label);
    fields::volume_or_issue(&mut item, NumberVar::Issue, issue);
    fields::pages(&mut item, claims.pages.as_deref());
    fields::number(&mut item, NumberVar::Number, claims.number.as_deref());
    fields::plain(&mut item, TextVar::Language, claims.language.as_deref());
    fields::plain(&mut item, TextVar::Url, claims.url.as_deref());
    fields::issns(&mut item, claims.issn.iter().map(String::as_str));
    for identifier in identifiers(claims) {
        match identifier {
            Identifier::Doi(id) if item.doi().is_none() => item.set_text(TextVar::Doi, id.as_str()),
            Identifier::Pmid(id) => item.set_text(TextVar::Pmid, id.as_str()),
            Identifier::Pmcid(id) => item.set_text(TextVar::Pmcid, id.as_str()),
            Identifier::Arxiv(id) => item.set_text(TextVar::ArxivId, id.as_str()),
            _ => {}
        }
    }
    fields::isbns(&mut item, claims.isbn.iter().map(String::as_str));
    item
}

/// The number in `Volume 12` and `No. 4`.
fn without_label(text: &str) -> &str {
    let bare = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let label = text
        .get(..text.len() - bare.len())
        .unwrap_or_default()
        .to_lowercase();
    match label.trim_end_matches(['.', ' ', ':']) {
        "volume" | "vol" | "band" | "bd" | "jahrgang" | "tome" | "tomo" | "том" | "issue"
        | "number" | "no" | "nr" | "heft" | "núm" | "num" | "n°" | "nº" | "№"
            if !bare.is_empty() =>
        {
            bare
        }
        _ => text,
    }
}

/// The valid identifiers, those of the work before those of its container.
pub(super) fn identifiers(claims: &Claims) -> Vec<Identifier> {
    fn read<T, E>(
        text: &Option<String>,
        parse: impl Fn(&str) -> Result<T, E>,
        kind: impl Fn(T) -> Identifier,
    ) -> Option<Identifier> {
        parse(text.as_deref()?).ok().map(kind)
    }
    let single = [
        read(&claims.doi, Doi::parse, Identifier::Doi),
        read(&claims.pmid, Pmid::parse, Identifier::Pmid),
        read(&claims.pmcid, Pmcid::parse, Identifier::Pmcid),
        read(&claims.arxiv, ArxivId::parse, Identifier::Arxiv),
    ];
    let isbns = claims.isbn.iter().filter_map(|isbn| Isbn::parse(isbn).ok());
    let issns = claims.issn.iter().filter_map(|issn| Issn::parse(issn).ok());
    single
        .into_iter()
        .flatten()
        .chain(isbns.map(Identifier::Isbn))
        .chain(issns.map(Identifier::Issn))
        .collect()
}

/// The facts of a citation that an item lacks.
pub(super) fn missing(item: &Item) -> Vec<Fact> {
    let has = |fact: &Fact| match fact {
        Fact::Title => item.text(TextVar::Title).is_some(),
        Fact::Authors => {
            !item.names(NameVar::Author).is_empty() || !item.names(NameVar::Editor).is_empty()
        }
        Fact::Date => item.date(DateVar::Issued).is_some(),
        Fact::Container => {
            let is_part = is_part_of_site(item.kind) || item.kind.is_in_periodical();
            !is_part || item.text(TextVar::ContainerTitle).is_some()
        }
        Fact::Url => item.text(TextVar::Url).is_some(),
    };
    Fact::ALL.into_iter().filter(|fact| !has(fact)).collect()
}
