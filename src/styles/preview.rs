//! The sample works of a style preview: one article, book, chapter and web page.

use citation_model::date::DateParts;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Four items, each of another type.
pub fn items() -> Vec<Item> {
    vec![article(), book(), chapter(), web_page()]
}

fn article() -> Item {
    let mut item = Item::new("article", ItemType::Article);
    item.set_text(
        TextVar::Title,
        "Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid",
    );
    item.set_names(
        NameVar::Author,
        vec![
            Name::person("Watson", "J. D."),
            Name::person("Crick", "F. H. C."),
        ],
    );
    item.set_text(TextVar::ContainerTitle, "Nature");
    item.set_number(NumberVar::Volume, "171");
    item.set_number(NumberVar::Issue, "4356");
    item.set_number(NumberVar::Page, "737-738");
    item.set_date(
        DateVar::Issued,
        DateParts::new(1953, Some(4), Some(25)).into(),
    );
    item.set_text(TextVar::Doi, "10.1038/171737a0");
    item.set_text(TextVar::Language, "en");
    item
}

fn book() -> Item {
    let mut item = Item::new("book", ItemType::Book);
    item.set_text(TextVar::Title, "The Structure of Scientific Revolutions");
    item.set_names(NameVar::Author, vec![Name::person("Kuhn", "Thomas S.")]);
    item.set_text(TextVar::Publisher, "University of Chicago Press");
    item.set_text(TextVar::PublisherPlace, "Chicago");
    item.set_number(NumberVar::Edition, "3");
    item.set_date(DateVar::Issued, DateParts::year(1996).into());
    item.set_text(TextVar::Language, "en");
    item
}

fn chapter() -> Item {
    let mut item = Item::new("chapter", ItemType::Chapter);
    item.set_text(TextVar::Title, "The Forms of Capital");
    item.set_names(NameVar::Author, vec![Name::person("Bourdieu", "Pierre")]);
    item.set_names(NameVar::Editor, vec![Name::person("Richardson", "John G.")]);
    item.set_text(
        TextVar::ContainerTitle,
        "Handbook of Theory and Research for the Sociology of Education",
    );
    item.set_number(NumberVar::Page, "241-258");
    item.set_text(TextVar::Publisher, "Greenwood Press");
    item.set_text(TextVar::PublisherPlace, "New York");
    item.set_date(DateVar::Issued, DateParts::year(1986).into());
    item.set_text(TextVar::Language, "en");
    item
}

fn web_page() -> Item {
    let mut item = Item::new("webpage", ItemType::Webpage);
    item.set_text(TextVar::Title, "Citation Style Language");
    item.set_names(
        NameVar::Author,
        vec![Name::literal("Citation Style Language Project")],
    );
    item.set_text(TextVar::ContainerTitle, "CitationStyles.org");
    item.set_text(TextVar::Url, "https://citationstyles.org/");
    item.set_date(
        DateVar::Accessed,
        DateParts::new(2026, Some(11), Some(21)).into(),
    );
    item.set_text(TextVar::Language, "en");
    item
}
