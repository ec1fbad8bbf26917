//! COinS: the OpenURL in the title of an empty span, parsed by `exchange`.

use citation_exchange::openurl_item;

use super::claims::Claims;

/// The metadata of the only span of a page. A page with several spans lists other works.
pub(super) fn read(spans: &[String]) -> Claims {
    match spans {
        [span] => openurl_item(span).map_or_else(Claims::default, |item| Claims::of_item(&item)),
        _ => Claims::default(),
    }
}
