//! A work as `citation_*` meta tags, which Google Scholar and reference managers read
//! (<https://scholar.google.com/intl/en/scholar/inclusion.html#indexing>).

use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Name and content of each tag, in output order.
pub fn highwire(item: &Item) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    let mut put = |name, content: Option<String>| tags.extend(content.map(|text| (name, text)));
    let text = |variable| item.text(variable).map(str::to_owned);
    let number = |variable| item.number(variable).map(str::to_owned);
    put("citation_title", text(TextVar::Title));
    for author in item.names(NameVar::Author) {
        put("citation_author", Some(written(author)));
    }
    for editor in item.names(NameVar::Editor) {
        put("citation_editor", Some(written(editor)));
    }
    let issued = item.date(DateVar::Issued).and_then(|date| date.start);
    put(
        "citation_publication_date",
        issued.map(|start| start.iso().replace('-', "/")),
    );
    let (container, publisher) = names_of(item.kind);
    put(container, text(TextVar::ContainerTitle));
    put(
        "citation_journal_abbrev",
        text(TextVar::ContainerTitleShort),
    );
    put(publisher, text(TextVar::Publisher));
    put("citation_volume", number(NumberVar::Volume));
    put("citation_issue", number(NumberVar::Issue));
    if let Some((first, last)) = super::pages(item) {
        put("citation_firstpage", Some(first.to_owned()));
        put("citation_lastpage", last.map(str::to_owned));
    }
    put("citation_doi", item.doi().map(|doi| doi.to_string()));
    put("citation_pmid", text(TextVar::Pmid));
    put("citation_arxiv_id", text(TextVar::ArxivId));
    for isbn in item.isbns() {
        put("citation_isbn", Some(isbn.to_string()));
    }
    for issn in item.issns() {
        put("citation_issn", Some(issn.to_string()));
    }
    put("citation_language", text(TextVar::Language));
    // Without it, readers use the address of the current page.
    let resolved = || item.doi().map(|doi| doi.url());
    put("citation_public_url", text(TextVar::Url).or_else(resolved));
    put("citation_keywords", text(TextVar::Keyword));
    put("citation_abstract", text(TextVar::Abstract));
    tags
}

/// The tags for the container and the publisher, from which readers infer the type.
fn names_of(kind: ItemType) -> (&'static str, &'static str) {
    use ItemType::*;
    match kind {
        Chapter | Entry | DictionaryEntry | EncyclopediaEntry => {
            ("citation_inbook_title", "citation_publisher")
        }
        ConferencePaper => ("citation_conference_title", "citation_publisher"),
        Thesis => ("citation_series_title", "citation_dissertation_institution"),
        Report => (
            "citation_series_title",
            "citation_technical_report_institution",
        ),
        Book => ("citation_series_title", "citation_publisher"),
        _ => ("citation_journal_title", "citation_publisher"),
    }
}

fn written(name: &Name) -> String {
    match (&name.literal, &name.family, &name.given) {
        (None, Some(family), Some(given)) => format!("{family}, {given}"),
        _ => name.display(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_tell_the_type_by_what_the_work_is_in() {
        let mut item = Item::new("", ItemType::Chapter);
        item.set_text(TextVar::Title, "A");
        item.set_text(TextVar::ContainerTitle, "B");
        item.set_number(NumberVar::Page, "1-9");
        item.set_names(NameVar::Author, vec![Name::person("Doe", "Jane")]);
        let expected = [
            ("citation_title", "A"),
            ("citation_author", "Doe, Jane"),
            ("citation_inbook_title", "B"),
            ("citation_firstpage", "1"),
            ("citation_lastpage", "9"),
        ];
        assert_eq!(
            highwire(&item),
            expected.map(|(name, content)| (name, content.to_owned()))
        );
    }

    #[test]
    fn work_without_an_address_has_that_of_its_doi() {
        let mut item = Item::new("", ItemType::Article);
        let address_of = |item: &Item| {
            let mut tags = highwire(item).into_iter();
            tags.find_map(|(name, content)| (name == "citation_public_url").then_some(content))
        };
        assert_eq!(address_of(&item), None);
        item.set_text(TextVar::Doi, "10.1000/a<b");
        assert_eq!(
            address_of(&item).as_deref(),
            Some("https://doi.org/10.1000/a%3Cb")
        );
        item.set_text(TextVar::Url, "https://example.org/a");
        assert_eq!(address_of(&item).as_deref(), Some("https://example.org/a"));
    }
}
