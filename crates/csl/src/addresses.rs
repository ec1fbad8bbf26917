//! The address of a work that can be found by its only identifier.
//!
//! Styles print DOIs and addresses. A preprint that has neither, only a number of arXiv, would be printed without
//! a way to it: it gets the address of its identifier. A work with a container or several identifiers can be
//! found otherwise.

use std::borrow::Cow;

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::links;

/// The identifiers that CSL has no variable for, or that few styles print.
const HIDDEN: [TextVar; 3] = [TextVar::ArxivId, TextVar::Pmid, TextVar::Pmcid];

/// The items, with addresses where only an identifier leads to the work.
pub fn of_all<'i>(items: &'i [Item], budget: &Budget) -> Result<Cow<'i, [Item]>, Exceeded> {
    let mut shown = Cow::Borrowed(items);
    for (at, item) in items.iter().enumerate() {
        if !HIDDEN.iter().any(|hidden| item.text.contains(*hidden)) {
            continue;
        }
        budget.spend(1)?;
        let Some(address) = identifier_address(item).filter(|_| !has_way(item)) else {
            continue;
        };
        if let Some(shown) = shown.to_mut().get_mut(at) {
            shown.set_text(TextVar::Url, address);
            let is_preprint = shown.kind == ItemType::Preprint;
            if is_preprint && item.text.contains(TextVar::ArxivId) && is_unpublished(item) {
                shown.text.remove(TextVar::ContainerTitle);
                shown.set_text(TextVar::Publisher, "arXiv");
            }
        }
    }
    Ok(shown)
}

/// The address of an item if it comes from its identifier.
pub fn only_way(item: &Item) -> Option<&str> {
    let address = item.text(TextVar::Url)?;
    identifier_address(item)
        .is_some_and(|way| way == address)
        .then_some(address)
}

/// The address of an item's only identifier.
fn identifier_address(item: &Item) -> Option<String> {
    let [_] = item.identifiers().as_slice() else {
        return None;
    };
    HIDDEN
        .iter()
        .find_map(|variable| links::target(*variable, item.text(*variable)?))
}

/// Whether a reader finds the work by what styles print.
fn has_way(item: &Item) -> bool {
    let container = item.text(TextVar::ContainerTitle);
    let is_in_container = container.is_some_and(|container| !names_arxiv(container));
    let [url, doi] = [TextVar::Url, TextVar::Doi].map(|variable| item.text.contains(variable));
    url || doi || is_in_container
}

fn is_unpublished(item: &Item) -> bool {
    let said = [TextVar::Publisher, TextVar::Archive];
    !said.iter().any(|variable| item.text.contains(*variable))
}

/// Whether arXiv stands where a journal would: `ArXiv e-prints`.
fn names_arxiv(container: &str) -> bool {
    let first = container.split(|c: char| !c.is_alphanumeric()).next();
    first.is_some_and(|word| word.eq_ignore_ascii_case("arxiv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(item: serde_json::Value, expected: Option<&str>) {
        let item: Item = serde_json::from_value(item).unwrap();
        let items = [item];
        let shown = of_all(&items, &Budget::unlimited()).unwrap();
        assert_eq!(shown[0].text(TextVar::Url), expected);
    }

    #[test]
    fn works_without_another_way_have_the_address_of_their_identifier() {
        let preprint = |more: serde_json::Value| {
            let mut item = serde_json::json!({
                "id": "a", "type": "article", "title": "T", "arxiv-id": "1703.04627",
            });
            for (key, value) in more.as_object().into_iter().flatten() {
                item[key] = value.clone();
            }
            item
        };
        let empty = serde_json::json!({});
        check(preprint(empty), Some("https://arxiv.org/abs/1703.04627"));
        check(preprint(serde_json::json!({"DOI": "10.1000/a"})), None);
        check(preprint(serde_json::json!({"container-title": "J"})), None);
        check(preprint(serde_json::json!({"PMID": "123"})), None);
        let url = "https://a.org/";
        check(preprint(serde_json::json!({"URL": url})), Some(url));
    }
}
