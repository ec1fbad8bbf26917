//! Dublin Core with its prefixes (as in OJS, DSpace and Drupal), PRISM, and EPrints.

use citation_model::item_type::ItemType;

use super::claims::Claims;
use super::metas::{Metas, pages};
use super::{own_citation, people};
use crate::language;

/// PRISM, which publishers combine with Dublin Core.
pub(super) fn prism(metas: Metas<'_>) -> Claims {
    let container = metas.plain(&["prism.publicationname"]);
    Claims {
        kind: container.is_some().then_some(ItemType::Article),
        doi: metas.doi(&["prism.doi"]),
        container,
        volume: metas.plain(&["prism.volume"]),
        issue: metas.plain(&["prism.number", "prism.issueidentifier"]),
        pages: pages(
            metas.plain(&["prism.startingpage"]),
            metas.plain(&["prism.endingpage"]),
        )
        .or_else(|| pages(metas.plain(&["prism.pagerange"]), None)),
        date: metas.date(&["prism.publicationdate", "prism.coverdate"]),
        issn: metas.owned(&["prism.issn", "prism.eissn"]),
        ..Claims::default()
    }
}

/// Dublin Core, with the qualifiers of OJS (`DC.Source.Volume`).
pub(super) fn read(metas: Metas<'_>) -> Claims {
    let authors = metas.list(&[
        "dc.creator.personalname",
        "dc.creator",
        "dcterms.creator",
        "dc.contributor.author",
        "dc.contributor.inventor",
        "dc.contributor",
    ]);
    let source = metas.plain(&["dc.source", "dcterms.source"]);
    let kind = (metas.all(&["dc.type", "dcterms.type"])).find_map(kind);
    // Other works are part of a collection.
    let in_journal = matches!(
        kind,
        None | Some(ItemType::Article | ItemType::ConferencePaper)
    );
    let whole = metas.plain(&["dcterms.ispartof", "dc.relation.ispartof"]);
    let whole = whole.filter(|_| in_journal);
    let cited = source.as_deref().map(own_citation::source);
    let claims = Claims {
        kind,
        title: metas.rich(&["dc.title", "dcterms.title"]),
        authors: people::of_tags(&authors),
        date: metas.date(&[
            "dc.date.issue",
            "dc.date.issued",
            "dcterms.issued",
            "dc.issued",
            "dc.date",
            "dcterms.date",
            "dcterms.created",
            "dc.date.created",
        ]),
        modified: metas.date(&["dcterms.modified", "dc.date.modified"]),
        container: source
            .filter(|_| kind != Some(ItemType::Thesis))
            .into_iter()
            .chain(whole)
            .find(|text| is_container(text)),
        publisher: metas.plain(&["dc.publisher", "dcterms.publisher"]),
        doi: metas.doi(&["dc.identifier.doi", "dc.identifier", "dcterms.identifier"]),
        isbn: metas.owned(&["dc.identifier.isbn"]),
        issn: metas.owned(&["dc.source.issn", "dc.identifier.issn"]),
        volume: metas.plain(&["dc.source.volume", "dc.citation.volume"]),
        issue: metas.plain(&["dc.source.issue", "dc.citation.issue"]),
        pages: metas.plain(&["dc.identifier.pagenumber"]).or_else(|| {
            pages(
                metas.plain(&["dc.citation.spage"]),
                metas.plain(&["dc.citation.epage"]),
            )
        }),
        language: metas
            .first(&["dc.language", "dcterms.language"])
            .and_then(language::tag),
        ..Claims::default()
    };
    claims.or(cited.unwrap_or_default())
}

/// The tags of EPrints repositories.
pub(super) fn eprints(metas: Metas<'_>) -> Claims {
    let journal = metas.plain(&["eprints.publication"]);
    let event = metas.plain(&["eprints.event_title"]);
    let authors = metas.all(&["eprints.creators_name"]);
    Claims {
        kind: metas.first(&["eprints.type"]).and_then(kind),
        title: metas.rich(&["eprints.title"]),
        authors: authors.flat_map(people::names).collect(),
        editors: metas
            .all(&["eprints.editors_name"])
            .flat_map(people::names)
            .collect(),
        date: metas.date(&["eprints.date"]),
        container: journal.or(metas.plain(&["eprints.book_title"])).or(event),
        publisher: metas.plain(&["eprints.publisher", "eprints.institution"]),
        doi: metas.doi(&["eprints.id_number", "eprints.doi", "eprints.official_url"]),
        isbn: metas.owned(&["eprints.isbn"]),
        issn: metas.owned(&["eprints.issn"]),
        volume: metas.plain(&["eprints.volume"]),
        issue: metas.plain(&["eprints.number"]),
        pages: metas.plain(&["eprints.pagerange"]),
        ..Claims::default()
    }
}

/// The source in Dublin Core may be an address, a whole reference, or the code of a language.
fn is_container(text: &str) -> bool {
    !text.contains("://")
        && !text.chars().any(|c| c.is_ascii_digit())
        && text.len() < 200
        && text.chars().nth(2).is_some()
}

/// Words of `DC.Type`, including the COAR and EPrints vocabularies, and their item types; the first match
/// counts.
const KINDS: [(&str, ItemType); 46] = [
    ("thesis", ItemType::Thesis),
    ("dissertation", ItemType::Thesis),
    ("dissertação", ItemType::Thesis),
    ("thèse", ItemType::Thesis),
    ("tesis", ItemType::Thesis),
    ("hochschulschrift", ItemType::Thesis),
    ("dataset", ItemType::Dataset),
    ("software", ItemType::Software),
    ("working paper", ItemType::Report),
    ("workingpaper", ItemType::Report),
    ("report", ItemType::Report),
    ("monograph", ItemType::Report),
    ("preprint", ItemType::Preprint),
    ("book review", ItemType::BookReview),
    ("bookpart", ItemType::Chapter),
    ("book part", ItemType::Chapter),
    ("book_section", ItemType::Chapter),
    ("book section", ItemType::Chapter),
    ("book chapter", ItemType::Chapter),
    ("text.chapter", ItemType::Chapter),
    ("conferenceobject", ItemType::ConferencePaper),
    ("conference", ItemType::ConferencePaper),
    ("proceedings", ItemType::ConferencePaper),
    ("serial.journal", ItemType::Article),
    ("article", ItemType::Article),
    ("artigo", ItemType::Article),
    ("artículo", ItemType::Article),
    ("patent", ItemType::Patent),
    ("book", ItemType::Book),
    ("movingimage", ItemType::MotionPicture),
    ("video", ItemType::MotionPicture),
    ("blog", ItemType::BlogPost),
    ("data set", ItemType::Dataset),
    ("datensatz", ItemType::Dataset),
    ("jeu de données", ItemType::Dataset),
    ("conjunto de datos", ItemType::Dataset),
    ("数据集", ItemType::Dataset),
    ("مجموعة بيانات", ItemType::Dataset),
    ("aufsatz", ItemType::Article),
    ("artikel", ItemType::Article),
    ("logiciel", ItemType::Software),
    ("buch", ItemType::Book),
    ("livre", ItemType::Book),
    ("libro", ItemType::Book),
    ("图书", ItemType::Book),
    ("كتاب", ItemType::Book),
];

pub(super) fn kind(text: &str) -> Option<ItemType> {
    let text = text.to_lowercase();
    let found = KINDS.iter().find(|(word, _)| text.contains(word));
    found.map(|(_, kind)| *kind)
}
