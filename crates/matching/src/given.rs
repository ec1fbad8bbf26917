//! References given as fields instead of text: a bibliography file entry or metadata. The item is
//! written out in one plain form and parsed as text, so that both follow the same rules.

use super::record::{identifiers_of, joined, without_tex};
use super::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// The maximum number of names written out; comparison uses no more.
const MAX_NAMES: usize = 30;

impl Reference {
    /// Builds a reference from an item's fields.
    pub fn of_item(item: &Item) -> Reference {
        let mut reference = Reference::parse(&text_of(item));
        // Known values need no guess.
        let text = |variable| item.text(variable).map(str::to_owned);
        reference.title = text(TextVar::Title);
        reference.container =
            text(TextVar::ContainerTitle).or_else(|| text(TextVar::ContainerTitleShort));
        reference.names = people(item).to_vec();
        reference.names_listed = true;
        reference.has_others = has_others(item);
        reference.identifiers = identifiers(item);
        reference
    }
}

/// The identifiers of the work. An article's ISBN counts as its own; a chapter's ISBN belongs to
/// its book.
fn identifiers(item: &Item) -> Vec<Identifier> {
    let mut found = identifiers_of(item);
    if item.kind.is_in_periodical() {
        found.extend(item.isbns().into_iter().map(Identifier::Isbn));
    }
    found
}

/// Whether the people of an item are not all named.
pub fn has_others(item: &Item) -> bool {
    let role = [NameVar::Author, NameVar::Editor];
    let role = role.into_iter().find(|role| !item.names(*role).is_empty());
    role.is_some_and(|role| item.has_others(role))
}

fn people(item: &Item) -> &[Name] {
    [NameVar::Author, NameVar::Editor]
        .into_iter()
        .map(|variable| item.names(variable))
        .find(|names| !names.is_empty())
        .unwrap_or_default()
}

/// `Berg, Johan; Doe, Jane. 2001. “Title.” Container, vol. 3, no. 4, pp. 5–9.`
fn text_of(item: &Item) -> String {
    let mut text = String::new();
    let names: Vec<String> = people(item).iter().take(MAX_NAMES).map(inverted).collect();
    if !names.is_empty() {
        text.push_str(&names.join("; "));
        text.push_str(". ");
    }
    if let Some(year) = item.year() {
        text.push_str(&format!("{year}. "));
    }
    if let Some(title) = item.text(TextVar::Title) {
        text.push_str(&format!("“{}.” ", without_tex(title)));
    }
    let container = item
        .text(TextVar::ContainerTitle)
        .or_else(|| item.text(TextVar::ContainerTitleShort));
    let numbered = |label: &str, variable| item.number(variable).map(|n| format!("{label} {n}"));
    let place: Vec<String> = [
        container.map(str::to_owned),
        numbered("vol.", NumberVar::Volume),
        numbered("no.", NumberVar::Issue),
        numbered("pp.", NumberVar::Page),
    ]
    .into_iter()
    .flatten()
    .collect();
    text.push_str(&place.join(", "));
    if !place.is_empty() {
        text.push('.');
    }
    for identifier in item.identifiers() {
        text.push_str(&format!(" {}:{}", identifier.kind(), identifier.as_str()));
    }
    text
}

fn inverted(name: &Name) -> String {
    if let Some(whole) = joined(name) {
        return whole;
    }
    match (&name.literal, &name.given) {
        (None, Some(given)) => format!("{}, {given}", name.heading()),
        _ => name.heading(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::rank;
    use citation_model::budget::Budget;
    use citation_model::date::DateParts;
    use citation_model::item_type::ItemType;
    use citation_model::variable::DateVar;

    #[test]
    fn fields_come_back_as_they_went() {
        let mut item = Item::new("a", ItemType::Article);
        item.set_text(TextVar::Title, "Coherence of light");
        item.set_text(TextVar::ContainerTitle, "Ring");
        item.set_names(
            NameVar::Author,
            vec![Name::person("Berg", "Johan"), Name::person("Doe", "J.")],
        );
        item.set_date(DateVar::Issued, DateParts::year(2001).into());
        item.set_number(NumberVar::Volume, "3");
        item.set_number(NumberVar::Issue, "4");
        item.set_number(NumberVar::Page, "5-9");
        let reference = Reference::of_item(&item);
        assert_eq!(reference.year(), Some(2001));
        assert_eq!(reference.volume.as_deref(), Some("3"));
        assert_eq!(reference.issue.as_deref(), Some("4"));
        assert_eq!(reference.pages.as_deref(), Some("5–9"));
        assert_eq!(reference.names.len(), 2);
        let named: Vec<&str> = reference
            .with_role(super::super::reference::Role::Name)
            .map(|token| token.text.as_str())
            .collect();
        assert_eq!(named, ["berg", "johan", "doe", "j"]);
    }

    #[test]
    fn names_without_blanks_match_in_one_part_and_in_two() {
        let item = |title: &str, names: Vec<Name>| {
            let mut item = Item::new("a", ItemType::Book);
            item.set_text(TextVar::Title, title);
            item.set_names(NameVar::Author, names);
            item.set_date(DateVar::Issued, DateParts::year(1982).into());
            item
        };
        for (title, family, given, text) in [
            (
                "红楼梦",
                "曹",
                "雪芹",
                "曹雪芹. 红楼梦. 北京: 人民文学出版社, 1982.",
            ),
            (
                "吾輩は猫である",
                "夏目",
                "漱石",
                "夏目漱石『吾輩は猫である』岩波書店, 1982.",
            ),
            ("채식주의자", "한", "강", "한강. 채식주의자. 창비, 1982."),
        ] {
            let parts = item(title, vec![Name::person(family, given)]);
            let whole = item(title, vec![Name::literal(&format!("{family}{given}"))]);
            let score = |reference: &Reference, record: &Item| {
                let found = rank(
                    reference,
                    std::slice::from_ref(record),
                    &Budget::unlimited(),
                );
                found.unwrap()[0].score
            };
            let (text, of_parts, of_whole) = (
                Reference::parse(text),
                Reference::of_item(&parts),
                Reference::of_item(&whole),
            );
            for (name, reference) in [("text", &text), ("parts", &of_parts), ("whole", &of_whole)] {
                let (a, b) = (score(reference, &parts), score(reference, &whole));
                assert!(
                    (a - b).abs() < 0.01,
                    "{name} of {title}: {a} in parts, {b} as a whole"
                );
            }
        }
    }
}
