//! Reads CITATION.cff.

use super::kinds;
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::yaml::{self, Node};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::{keywords, pages};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::item_type::ItemType;
use citation_model::lists::words;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads the preferred citation, the software or dataset, and its references, in this order.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut builder = ReadingBuilder::new(text, budget)?;
    let root = match yaml::read(text, budget)? {
        Ok(root) if is_cff(&root) => root,
        Ok(_) => {
            let message =
                "This is no CITATION.cff: it has neither `cff-version` nor a title and authors.";
            builder.lost(0, "not_cff", message.to_owned());
            return Ok(builder.finish());
        }
        Err(notice) => {
            builder.lost(notice.offset, notice.code, notice.message);
            return Ok(builder.finish());
        }
    };
    let preferred = root.get("preferred-citation").filter(|node| node.is_map());
    let references = root.get("references").map_or(&[][..], Node::values);
    if let Some(node) = preferred {
        reference(node, &mut builder)?;
    }
    if is_work(&root, preferred) {
        let is_dataset = root.text_of("type") == Some("dataset");
        let kind = if is_dataset {
            ItemType::Dataset
        } else {
            ItemType::Software
        };
        let word = root.text_of("type").unwrap_or("software");
        builder.add_built(item(&root, kind), word, root.offset)?;
    }
    for node in references {
        reference(node, &mut builder)?;
    }
    Ok(builder.finish())
}

fn reference(node: &Node, builder: &mut ReadingBuilder<'_>) -> Result<(), Exceeded> {
    if node.is_map() {
        let word = node.text_of("type").unwrap_or("generic");
        return builder.add_built(item(node, kinds::item_type(word)), word, node.offset);
    }
    let message = "A reference is a mapping; this is none.".to_owned();
    builder.lost(node.offset, "invalid_item", message);
    Ok(())
}

fn is_cff(root: &Node) -> bool {
    let has = |name| root.get(name).is_some();
    has("cff-version") || (has("title") && has("authors"))
}

/// Whether the head of a file describes a work. The head is required even with a preferred citation, and
/// then often repeats its title.
fn is_work(root: &Node, preferred: Option<&Node>) -> bool {
    const OF_THE_FILE: [&str; 4] = ["cff-version", "message", "preferred-citation", "references"];
    const REPEATED: [&str; 3] = ["title", "authors", "type"];
    let is_repeated =
        preferred.is_some_and(|preferred| root.text_of("title") == preferred.text_of("title"));
    root.members().iter().any(|(name, _)| {
        let name = name.as_str();
        !(OF_THE_FILE.contains(&name) || is_repeated && REPEATED.contains(&name))
    })
}

/// Members copied as texts.
pub(super) const TEXTS: [(&str, TextVar); 15] = [
    ("title", TextVar::Title),
    ("abbreviation", TextVar::TitleShort),
    ("abstract", TextVar::Abstract),
    ("doi", TextVar::Doi),
    ("isbn", TextVar::Isbn),
    ("issn", TextVar::Issn),
    ("pmcid", TextVar::Pmcid),
    ("journal", TextVar::ContainerTitle),
    ("volume-title", TextVar::VolumeTitle),
    ("database", TextVar::Source),
    ("department", TextVar::Division),
    ("medium", TextVar::Medium),
    ("notes", TextVar::Note),
    ("status", TextVar::Status),
    ("thesis-type", TextVar::Genre),
];

/// Members copied as numbers.
pub(super) const NUMBERS: [(&str, NumberVar); 7] = [
    ("volume", NumberVar::Volume),
    ("issue", NumberVar::Issue),
    ("edition", NumberVar::Edition),
    ("number", NumberVar::Number),
    ("number-volumes", NumberVar::NumberOfVolumes),
    ("section", NumberVar::Section),
    ("version", NumberVar::Version),
];

pub(super) const NAMES: [(&str, NameVar); 5] = [
    ("authors", NameVar::Author),
    ("editors", NameVar::Editor),
    ("editors-series", NameVar::CollectionEditor),
    ("translators", NameVar::Translator),
    ("recipients", NameVar::Recipient),
];

/// The addresses of a work, best first.
pub(super) const ADDRESSES: [&str; 4] = [
    "url",
    "repository-code",
    "repository-artifact",
    "repository",
];

fn item(node: &Node, kind: ItemType) -> ItemBuilder {
    let mut item = ItemBuilder::new(node.offset);
    item.set_kind(kind);
    identifiers(node, &mut item);
    for (name, variable) in TEXTS {
        item.text(variable, node.text_of(name).unwrap_or_default());
    }
    for (name, variable) in NUMBERS {
        item.number(variable, node.text_of(name).unwrap_or_default());
    }
    for (name, variable) in NAMES {
        item.name_list(variable, people(node.get(name)));
    }
    if item.item().names(NameVar::Author).is_empty() {
        item.name_list(NameVar::Author, people(node.get("senders")));
    }
    item.text(TextVar::Url, address(node).unwrap_or_default());
    for (name, variable) in [
        ("license", TextVar::License),
        ("languages", TextVar::Language),
    ] {
        item.text(
            variable,
            &list(node.get(name)).collect::<Vec<_>>().join(", "),
        );
    }
    item.text(
        TextVar::Keyword,
        &keywords::join(list(node.get("keywords"))),
    );
    collection(node, &mut item);
    published(node, &mut item);
    dates(node, &mut item);
    page(node, &mut item);
    rest(node, &mut item);
    item
}

fn list(node: Option<&Node>) -> impl Iterator<Item = &str> + Clone {
    node.map_or(&[][..], Node::values)
        .iter()
        .filter_map(Node::text)
}

fn people(node: Option<&Node>) -> Vec<Name> {
    node.map_or(&[][..], Node::values)
        .iter()
        .map(person)
        .collect()
}

/// A person, an institution (`name`), or somebody known only by an alias.
fn person(node: &Node) -> Name {
    if let Some(text) = node.text() {
        return Name::parse(text);
    }
    let part = |name: &str| node.text_of(name).and_then(non_blank);
    let orcid = part("orcid").and_then(|text| text.rsplit('/').next().and_then(non_blank));
    let mut name = Name {
        family: part("family-names"),
        given: part("given-names"),
        non_dropping_particle: part("name-particle"),
        suffix: part("name-suffix"),
        ..Name::literal("")
    };
    if name.is_empty() {
        name.literal = part("name").or(part("alias"));
    }
    name.orcid = orcid;
    name
}

/// The list of identifiers replaces what the members of their own lack, or have as a placeholder.
fn identifiers(node: &Node, item: &mut ItemBuilder) {
    for identifier in node.get("identifiers").map_or(&[][..], Node::values) {
        let (variable, own) = match identifier.text_of("type") {
            Some("doi") => (TextVar::Doi, node.text_of("doi")),
            Some("url") => (TextVar::Url, address(node)),
            _ => continue,
        };
        // No registrant's number begins with 0; templates contain such DOIs as placeholders.
        let is_given = |text: &str| variable != TextVar::Doi || !text.contains("10.0");
        if !own.is_some_and(is_given) {
            item.text(variable, identifier.text_of("value").unwrap_or_default());
        }
    }
}

fn address(node: &Node) -> Option<&str> {
    ADDRESSES.iter().find_map(|name| node.text_of(name))
}

fn collection(node: &Node, item: &mut ItemBuilder) {
    let title = node.text_of("collection-title").unwrap_or_default();
    let in_series =
        kinds::is_in_series(item.kind()) || item.item().text(TextVar::ContainerTitle).is_some();
    let variable = if in_series {
        TextVar::CollectionTitle
    } else {
        TextVar::ContainerTitle
    };
    item.text(variable, title);
    if let Some(conference) = node.get("conference") {
        item.text(TextVar::EventTitle, entity_name(conference));
        item.text(TextVar::EventPlace, &place(conference));
        let date = |name| conference.text_of(name).and_then(Date::parse);
        if let Some(mut date_start) = date("date-start") {
            let end = date("date-end").and_then(|end| end.start);
            date_start.end = end
                .filter(|end| Some(*end) != date_start.start)
                .map(citation_model::date::DateEnd::At);
            item.date(DateVar::EventDate, Some(date_start));
        }
    }
}

/// The publisher of a work, or the institution of a thesis or report.
fn published(node: &Node, item: &mut ItemBuilder) {
    let publisher = node.get("publisher").or_else(|| node.get("institution"));
    if let Some(publisher) = publisher {
        item.text(TextVar::Publisher, entity_name(publisher));
        item.text(TextVar::PublisherPlace, &place(publisher));
    }
    if let Some(location) = node.get("location") {
        item.text(TextVar::ArchiveLocation, entity_name(location));
    }
}

fn entity_name(entity: &Node) -> &str {
    entity.text().or(entity.text_of("name")).unwrap_or_default()
}

fn place(entity: &Node) -> String {
    let parts = ["city", "region", "country"]
        .iter()
        .filter_map(|name| entity.text_of(name));
    parts.collect::<Vec<_>>().join(", ")
}

fn dates(node: &Node, item: &mut ItemBuilder) {
    let date = |name: &&str| node.text_of(name).and_then(Date::parse);
    let year_and_month = || {
        let year = node.text_of("year")?.trim().parse().ok()?;
        let month = node
            .text_of("month")
            .and_then(|month| month.trim().parse().ok());
        Some(Date::from(DateParts::new(year, month, None)))
    };
    let issued = ["date-published", "date-released"].iter().find_map(date);
    let issued = issued.or_else(year_and_month).or_else(|| date(&"year"));
    if let Some(issued) = issued.or_else(|| date(&"issue-date")) {
        item.date(DateVar::Issued, Some(issued));
    }
    if let Some(accessed) = ["date-accessed", "date-downloaded"].iter().find_map(date) {
        item.date(DateVar::Accessed, Some(accessed));
    }
    if let Some(original) = date(&"year-original") {
        item.date(DateVar::OriginalDate, Some(original));
    }
}

/// `pages` is the number of pages, but often contains the range.
fn page(node: &Node, item: &mut ItemBuilder) {
    let (start, end) = (node.text_of("start"), node.text_of("end"));
    let range = match (start, end) {
        (Some(start), Some(end)) if start != end => Some(format!("{start}-{end}")),
        (start, end) => start.or(end).map(str::to_owned),
    };
    let pages = node.text_of("pages").unwrap_or_default();
    let is_count = !pages.is_empty() && pages.trim().bytes().all(|b| b.is_ascii_digit());
    if is_count {
        item.number(NumberVar::NumberOfPages, pages);
    }
    let range = range.unwrap_or_else(|| if is_count { "" } else { pages }.to_owned());
    item.number(NumberVar::Page, &pages::normal(&range));
}

/// Texts without a CSL variable.
pub(super) const KEPT: [&str; 9] =
    words("commit copyright data-type entry filename format issue-title license-url scope");

/// Texts without a CSL variable are kept under their names.
fn rest(node: &Node, item: &mut ItemBuilder) {
    for name in KEPT.iter().chain(&ADDRESSES) {
        let text = node.text_of(name);
        if let Some(text) = text.filter(|text| item.item().text(TextVar::Url) != Some(text)) {
            item.custom(name, text);
        }
    }
}
