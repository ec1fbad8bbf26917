//! COinS: the OpenURL in the title of an empty span, parsed by `exchange`.

use citation_exchange::openurl_item;
use citation_model::item::Item;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

use super::claims::Claims;

/// The metadata of the only span of a page. A page with several spans lists other works.
pub(super) fn read(spans: &[String]) -> Claims {
    match spans {
        [span] => openurl_item(span).map_or_else(Claims::default, |item| claims(&item)),
        _ => Claims::default(),
    }
}

fn claims(item: &Item) -> Claims {
    let text = |variable| item.text(variable).map(str::to_owned);
    let number = |variable| item.number(variable).map(str::to_owned);
    Claims {
        kind: Some(item.kind),
        title: text(TextVar::Title),
        authors: item.names(NameVar::Author).to_vec(),
        date: item.date(DateVar::Issued).cloned(),
        container: text(TextVar::ContainerTitle),
        container_short: text(TextVar::ContainerTitleShort),
        publisher: text(TextVar::Publisher),
        doi: text(TextVar::Doi),
        isbn: text(TextVar::Isbn).into_iter().collect(),
        issn: text(TextVar::Issn).into_iter().collect(),
        pmid: text(TextVar::Pmid),
        pmcid: text(TextVar::Pmcid),
        arxiv: text(TextVar::ArxivId),
        volume: number(NumberVar::Volume),
        issue: number(NumberVar::Issue),
        pages: number(NumberVar::Page),
        ..Claims::default()
    }
}
