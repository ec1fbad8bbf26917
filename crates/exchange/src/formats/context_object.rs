//! OpenURL context objects in XML (Z39.88-2004): a referent described by value as an article, book,
//! dissertation or patent.

use crate::format::{Format, KeyRule};
use crate::reading::Reading;
use crate::syntax::tokens;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::Element;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::parts::{date_of, person};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static CONTEXT_OBJECT: Format = Format {
    id: "contextobject-xml",
    title: "OpenURL ContextObject XML",
    media_types: &["application/vnd.openurl.contextobject+xml"],
    extensions: &["xml"],
    recognise: |content, _| {
        let root = content.root();
        root.is_some_and(|root| matches!(root.name, "context-objects" | "context-object"))
    },
    read: Some(|content, budget| read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<context-objects>",
            "<context-object>",
            "<referent>",
            "</referent>",
            "<metadata-by-val>",
            "<metadata>",
            "<journal>",
            "<atitle>",
            "<author>",
            "<identifier>",
        ],
    ],
};

/// Reads the referent of every context object.
fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| name == "referent",
        is_skipped: |name| {
            matches!(
                name,
                "referring-entity" | "requester" | "resolver" | "referrer" | "service-type"
            )
        },
    };
    records::read(text, budget, &LAYOUT, |referent, offset, found| {
        let mut item = ItemBuilder::new(offset);
        let entry_type = read_referent(referent, &mut item);
        found.push(Found { item, entry_type });
    })
}

fn read_referent(referent: Element<'_>, item: &mut ItemBuilder) -> String {
    let metadata = referent.path(&["metadata-by-val", "metadata"]);
    let description = metadata.and_then(|metadata| metadata.children().next());
    let mut genre = String::new();
    if let Some(description) = description {
        genre = description.child_text("genre");
        item.set_kind(kind(description, &genre));
        fields(description, item);
    }
    for id in referent.child_texts("identifier") {
        identifier(&id, item);
    }
    genre
}

fn kind(description: Element<'_>, genre: &str) -> ItemType {
    let has = |name| description.child(name).is_some();
    match (description.name(), genre) {
        (_, "proceeding") | (_, "conference") if has("atitle") => ItemType::ConferencePaper,
        (_, "bookitem") => ItemType::Chapter,
        (_, "report") => ItemType::Report,
        (_, "preprint") => ItemType::Preprint,
        ("dissertation", _) => ItemType::Thesis,
        ("patent", _) => ItemType::Patent,
        ("journal", "journal" | "issue") => ItemType::Periodical,
        ("journal", _) => ItemType::Article,
        ("book", _) if has("atitle") => ItemType::Chapter,
        ("book", _) => ItemType::Book,
        _ => ItemType::Document,
    }
}

fn fields(description: Element<'_>, item: &mut ItemBuilder) {
    let text = |name: &str| description.child_text(name);
    item.text(TextVar::Title, &text("atitle"));
    let around = match item.item().text(TextVar::Title) {
        Some(_) => TextVar::ContainerTitle,
        None => TextVar::Title,
    };
    for name in ["jtitle", "btitle", "title"] {
        item.text(around, &text(name));
    }
    item.text(TextVar::ContainerTitleShort, &text("stitle"));
    if item.kind().is_in_periodical() {
        item.text(TextVar::ContainerTitle, &text("stitle"));
    }
    names(description, item);
    let season = text("ssn");
    item.date(DateVar::Issued, date_of(&text("date"), &season));
    for (name, variable) in [
        ("volume", NumberVar::Volume),
        ("issue", NumberVar::Issue),
        ("part", NumberVar::PartNumber),
        ("pages", NumberVar::Page),
        ("artnum", NumberVar::Number),
        ("number", NumberVar::Number),
        ("edition", NumberVar::Edition),
        ("tpages", NumberVar::NumberOfPages),
    ] {
        item.number(variable, &text(name));
    }
    item.pages(&text("spage"), &text("epage"));
    for (name, variable) in [
        ("pub", TextVar::Publisher),
        ("inst", TextVar::Publisher),
        ("place", TextVar::PublisherPlace),
        ("series", TextVar::CollectionTitle),
        ("degree", TextVar::Genre),
        ("issn", TextVar::Issn),
        ("eissn", TextVar::Issn),
        ("isbn", TextVar::Isbn),
    ] {
        item.text(variable, &text(name));
    }
}

/// The first author is given in parts; `au` has the others, sometimes including the first.
fn names(description: Element<'_>, item: &mut ItemBuilder) {
    let text = |name: &str| description.child_text(name);
    let mut given = text("aufirst");
    if given.is_empty() {
        given = [text("auinit1"), text("auinitm")].join(" ");
    }
    if given.trim().is_empty() {
        given = text("auinit");
    }
    let first = person(&text("aulast"), &given, &text("ausuffix"));
    let others = description
        .child_texts("au")
        .into_iter()
        .map(|name| names::in_any_order(&name));
    let same_family = |name: &Name| name.family == first.family;
    let others: Vec<Name> = others
        .enumerate()
        .filter(|(at, name)| *at > 0 || !same_family(name))
        .map(|(_, name)| name)
        .collect();
    item.name(NameVar::Author, first);
    for name in others {
        item.name(NameVar::Author, name);
    }
    for inventor in ["inventor", "aucorp"] {
        for name in description.child_texts(inventor) {
            item.name(
                NameVar::Author,
                match inventor {
                    "aucorp" => Name::literal(&name),
                    _ => names::in_any_order(&name),
                },
            );
        }
    }
}

/// `info:doi/10.1038/171737a0`, `urn:ISBN:…`, an address.
fn identifier(id: &str, item: &mut ItemBuilder) {
    let after = |start: &str| {
        let begins = id
            .get(..start.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(start));
        begins.then(|| id.get(start.len()..).unwrap_or_default())
    };
    for (start, variable) in [
        ("info:doi/", TextVar::Doi),
        ("info:pmid/", TextVar::Pmid),
        ("info:arxiv/", TextVar::ArxivId),
        ("urn:ISBN:", TextVar::Isbn),
        ("urn:ISSN:", TextVar::Issn),
    ] {
        if let Some(bare) = after(start) {
            return item.text(variable, bare);
        }
    }
    if id.starts_with("http") {
        item.address(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_read;

    #[track_caller]
    fn check(kind: &str, fields: &str, expected: &str) {
        let text = format!(
            "<ctx:context-objects xmlns:ctx='info:ofi/fmt:xml:xsd:ctx'><ctx:context-object><ctx:referent><ctx:identifier>info:doi/10.5555/x</ctx:identifier>
            <ctx:metadata-by-val><ctx:metadata><{kind}>{fields}</{kind}></ctx:metadata></ctx:metadata-by-val></ctx:referent>
            <ctx:referring-entity><ctx:metadata-by-val><ctx:metadata><journal/></ctx:metadata></ctx:metadata-by-val></ctx:referring-entity></ctx:context-object></ctx:context-objects>"
        );
        check_read(&CONTEXT_OBJECT, &text, &format!("[{expected}]"));
    }

    #[test]
    fn referent_is_read() {
        check(
            "journal",
            "<rft:atitle>On it</rft:atitle><rft:jtitle>Tests</rft:jtitle><rft:aulast>Doe</rft:aulast><rft:auinit>J. Q.</rft:auinit><rft:au>Doe, J.</rft:au><rft:au>R Roe</rft:au>
            <rft:spage>1</rft:spage><rft:epage>9</rft:epage><rft:date>2001-05</rft:date><rft:volume>7</rft:volume>",
            r#"{"type": "article-journal", "title": "On it", "container-title": "Tests", "author": [{"family": "Doe", "given": "J. Q."}, {"family": "Roe", "given": "R"}],
            "page": "1-9", "issued": {"date-parts": [[2001, 5]]}, "volume": "7", "DOI": "10.5555/x"}"#,
        );
        check(
            "book",
            "<btitle>Whole</btitle><genre>book</genre><pub>House</pub>",
            r#"{"type": "book", "title": "Whole", "publisher": "House"}"#,
        );
        check(
            "dissertation",
            "<title>Ding</title><inst>University</inst>",
            r#"{"type": "thesis", "title": "Ding", "publisher": "University"}"#,
        );
    }
}
