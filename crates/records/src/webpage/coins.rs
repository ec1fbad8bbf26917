//! COinS: an OpenURL in the title of an empty span (`ctx_ver=Z39.88-2004&rft.atitle=…`).

use citation_model::identifier::percent_decode;
use citation_model::item_type::ItemType;

use super::claims::Claims;
use super::{dates, metas, people};
use crate::{clean, names};

/// What the only span of a page says. A page with several lists the works of others.
pub(super) fn read(spans: &[String]) -> Claims {
    match spans {
        [span] => claims(span),
        _ => Claims::default(),
    }
}

/// What a span says.
fn claims(span: &str) -> Claims {
    let pairs: Vec<(String, String)> = span
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| {
            (
                name.to_ascii_lowercase(),
                percent_decode(&value.replace('+', " ")),
            )
        })
        .collect();
    let all = |wanted: &'static str| {
        let named = pairs.iter().filter(move |(name, _)| name == wanted);
        named.map(|(_, value)| value.as_str())
    };
    let first = |names: &[&str]| {
        let value = names.iter().find_map(|name| {
            pairs
                .iter()
                .find(|(n, v)| n == name && !v.trim().is_empty())
        });
        value.map(|(_, value)| clean::plain(value))
    };
    let kind = match first(&["rft.genre"]).as_deref() {
        Some("article" | "preprint") => Some(ItemType::Article),
        Some("bookitem") => Some(ItemType::Chapter),
        Some("book") => Some(ItemType::Book),
        Some("proceeding" | "conference") => Some(ItemType::ConferencePaper),
        Some("dissertation") => Some(ItemType::Thesis),
        Some("report") => Some(ItemType::Report),
        _ => None,
    };
    let mut authors: Vec<_> = first(&["rft.aulast"])
        .map(|family| {
            names::from_parts(
                Some(&family),
                first(&["rft.aufirst", "rft.auinit"]).as_deref(),
                None,
            )
        })
        .into_iter()
        .collect();
    let listed: Vec<_> = all("rft.au").flat_map(people::list).collect();
    if listed.len() >= authors.len() {
        authors = listed;
    }
    let pages = first(&["rft.pages"]).or_else(|| {
        let start = first(&["rft.spage"])?;
        Some(first(&["rft.epage"]).map_or(start.clone(), |end| format!("{start}-{end}")))
    });
    Claims {
        kind,
        title: first(&["rft.atitle", "rft.btitle", "rft.title"]),
        authors,
        date: first(&["rft.date"]).as_deref().and_then(dates::parse),
        container: first(&["rft.jtitle"])
            .or_else(|| first(&["rft.atitle"]).and(first(&["rft.btitle", "rft.title"]))),
        container_short: first(&["rft.stitle"]),
        publisher: first(&["rft.pub"]),
        doi: all("rft_id").chain(all("rft.doi")).find_map(metas::doi),
        isbn: first(&["rft.isbn"]).into_iter().collect(),
        issn: first(&["rft.issn"]).into_iter().collect(),
        volume: first(&["rft.volume"]),
        issue: first(&["rft.issue"]),
        pages,
        ..Claims::default()
    }
}
