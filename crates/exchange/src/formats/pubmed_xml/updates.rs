//! Notices of retraction and correction: `CommentsCorrectionsList` of PubMed XML.

use serde_json::Value;

use crate::syntax::xml::tree::Element;
use citation_fields::item_builder::ItemBuilder;
use citation_model::identifier::Doi;
use citation_model::variable::TextVar;
use citation_model::work::{Update, UpdateKind, UpdateRelation};

/// Maximum number of notices per article; each is compared with the earlier ones.
const MAX_NOTICES: usize = 500;

/// Reads the notices of an article. Those with a DOI become updates. Those with a PubMed id are kept in the
/// item; if they change this work, its own DOI replaces the notice's. A retracted work has that status.
pub fn read(citation: Element<'_>, item: &mut ItemBuilder) -> Vec<Update> {
    let list = citation.child("CommentsCorrectionsList").into_iter();
    let notices = list.flat_map(|list| list.children_named("CommentsCorrections"));
    let own = { item.item().text(TextVar::Doi) }.and_then(|doi| Doi::parse(doi).ok());
    let (mut updates, mut by_pmid) = (Vec::new(), Vec::new());
    for notice in notices.take(MAX_NOTICES) {
        let kind = notice.attribute("RefType").unwrap_or_default();
        let Some((kind, relation)) = kind_and_relation(&kind) else {
            continue;
        };
        if (kind, relation) == (UpdateKind::Retraction, UpdateRelation::UpdatedBy) {
            item.text(TextVar::Status, "retracted");
        }
        let own = own
            .clone()
            .filter(|_| relation == UpdateRelation::UpdatedBy);
        if let Some(doi) = doi_after(&notice.child_text("RefSource")).or(own) {
            let update = Update {
                kind,
                relation,
                doi,
                date: None,
                source: "pubmed".into(),
                reasons: Vec::new(),
            };
            if !updates.contains(&update) {
                updates.push(update);
            }
        }
        let pmid = notice.child_text("PMID");
        if !pmid.is_empty() {
            by_pmid.push(serde_json::json!({
                "type": kind.as_str(),
                "relation": relation.as_str(),
                "pmid": pmid,
            }));
        }
    }
    if !by_pmid.is_empty() {
        item.custom_value("pubmed-notices", Value::Array(by_pmid));
    }
    updates
}

fn kind_and_relation(ref_type: &str) -> Option<(UpdateKind, UpdateRelation)> {
    use UpdateRelation::{UpdateTo, UpdatedBy};
    Some(match ref_type {
        "RetractionIn" | "PartialRetractionIn" => (UpdateKind::Retraction, UpdatedBy),
        "RetractionOf" | "PartialRetractionOf" => (UpdateKind::Retraction, UpdateTo),
        "ErratumIn" => (UpdateKind::Correction, UpdatedBy),
        "ErratumFor" => (UpdateKind::Correction, UpdateTo),
        "CorrectedandRepublishedIn" => (UpdateKind::Correction, UpdatedBy),
        "CorrectedandRepublishedFrom" => (UpdateKind::Correction, UpdateTo),
        "ExpressionOfConcernIn" => (UpdateKind::ExpressionOfConcern, UpdatedBy),
        "ExpressionOfConcernFor" => (UpdateKind::ExpressionOfConcern, UpdateTo),
        "UpdateIn" | "RepublishedIn" => (UpdateKind::NewVersion, UpdatedBy),
        "UpdateOf" | "RepublishedFrom" => (UpdateKind::NewVersion, UpdateTo),
        _ => return None,
    })
}

/// The DOI at the end of `J Urol. 2009;181(2):1. doi: 10.1016/j.juro.2008.12.001`.
fn doi_after(source: &str) -> Option<Doi> {
    let at = source.to_ascii_lowercase().rfind("doi")?;
    Doi::parse(source.get(at..)?).ok()
}
