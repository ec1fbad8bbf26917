//! `--fix --published`: the corrections that make a reference to a preprint one to its published version.

use crate::lookup::verify::{Verdict, Verification, WorkForm};
use citation_exchange::correction::Correction;
use citation_matching::duplicate::is_preprint;
use citation_matching::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::{NumberVar, TextVar};

/// The published version of a verified preprint; `None` if there are several to choose from.
pub fn only_version(verification: &Verification) -> Option<&Item> {
    let matched = verification.matched.as_ref()?;
    if verification.verdict != Verdict::Verified || !is_preprint(&matched.work.item) {
        return None;
    }
    let mut published = { verification.forms.iter() }
        .filter(|other| other.form == WorkForm::Published)
        .map(|other| &other.work.item);
    let only = published.next()?;
    published.next().is_none().then_some(only)
}

/// Replaces each value of a reference by that of the published version. None if it lacks one of them, since
/// half of each version is neither, or if the reference names no place to be replaced.
pub fn corrections(reference: &Reference, published: &Item) -> Vec<Correction> {
    let number = |variable| published.number(variable).map(str::to_owned);
    let text = |variable| published.text(variable).map(str::to_owned);
    let doi = { reference.identifiers.iter() }.find(|identifier| {
        // An arXiv id stands for arXiv's DOI of it.
        matches!(identifier, Identifier::Doi(_) | Identifier::Arxiv(_))
    });
    let values = [
        (
            "year",
            reference.year().map(|year| year.to_string()),
            published.year().map(|year| year.to_string()),
        ),
        (
            "volume",
            reference.volume.clone(),
            number(NumberVar::Volume),
        ),
        ("issue", reference.issue.clone(), number(NumberVar::Issue)),
        ("pages", reference.pages.clone(), number(NumberVar::Page)),
        (
            "container_title",
            reference.container.clone(),
            text(TextVar::ContainerTitle),
        ),
        (
            "doi",
            doi.map(|doi| doi.as_str().to_owned()),
            text(TextVar::Doi),
        ),
    ];
    let has_place = reference.container.is_some();
    // `arXiv preprint arXiv:2101.00001` is replaced with its number.
    let is_in_container = |field: &str, given: &str| {
        let container = reference.container.as_deref().unwrap_or_default();
        field == "doi" && container.contains(given)
    };
    let mut corrections = Vec::new();
    for (field, given, found) in values {
        match (given, found) {
            (Some(given), Some(_)) if is_in_container(field, &given) => {}
            (Some(given), Some(found)) if given != found => corrections.push(Correction {
                field,
                given,
                found,
            }),
            (Some(_), Some(_)) | (None, _) => {}
            (Some(_), None) => return Vec::new(),
        }
    }
    if has_place { corrections } else { Vec::new() }
}

/// The comment on a preprint whose published version is known.
pub fn message(published: &Item) -> String {
    let text = |variable| published.text(variable).unwrap_or_default().to_owned();
    let year = published.year().map(|year| year.to_string());
    let doi = published.doi().map(|doi| doi.to_string());
    let parts = [
        text(TextVar::Title),
        text(TextVar::ContainerTitle),
        year.unwrap_or_default(),
        doi.unwrap_or_default(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("The preprint has been published: {}", parts.join(". "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::DateParts;
    use citation_model::item_type::ItemType;
    use citation_model::variable::DateVar;

    fn published() -> Item {
        let mut item = Item::new("a", ItemType::Article);
        item.set_text(TextVar::ContainerTitle, "Annals of Tides");
        item.set_text(TextVar::Doi, "10.5555/tides");
        item.set_date(DateVar::Issued, DateParts::year(2021).into());
        item
    }

    fn preprint() -> Item {
        let mut item = Item::new("b", ItemType::Preprint);
        item.set_text(TextVar::Title, "The rise of tides");
        item.set_text(TextVar::ContainerTitle, "medRxiv");
        item.set_text(TextVar::Doi, "10.1101/2020.01.01");
        item.set_date(DateVar::Issued, DateParts::year(2020).into());
        item
    }

    fn fields(item: &Item, published: &Item) -> Vec<&'static str> {
        let corrections = corrections(&Reference::of_item(item), published);
        corrections.iter().map(|c| c.field).collect()
    }

    #[test]
    fn preprint_takes_each_value_of_the_published_version() {
        let whole = ["year", "container_title", "doi"];
        assert_eq!(fields(&preprint(), &published()), whole);
    }

    #[test]
    fn number_in_the_container_is_replaced_with_it() {
        let mut numbered = preprint();
        numbered.set_text(TextVar::Doi, "");
        numbered.set_text(TextVar::ContainerTitle, "arXiv preprint arXiv:2101.00001");
        assert_eq!(fields(&numbered, &published()), ["year", "container_title"]);
    }

    #[test]
    fn half_of_each_version_is_not_written() {
        let mut numbered = preprint();
        numbered.set_number(NumberVar::Volume, "7");
        assert_eq!(fields(&numbered, &published()), [""; 0]);
        let mut unplaced = preprint();
        unplaced.set_text(TextVar::ContainerTitle, "");
        assert_eq!(fields(&unplaced, &published()), [""; 0]);
    }
}
