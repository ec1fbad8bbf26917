//! The order of the cites within each citation (specification, «Sorting» and «Cite grouping»).

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use citation_model::budget::Exceeded;
use citation_model::cite::Citation;

use super::cluster;
use super::document::Document;
use super::eval::Area;
use super::node::Tree;
use super::position::CitePosition;
use super::sort::{self, Collation};
use super::style::{Class, Collapse};

/// The sort keys of cites.
pub struct CiteOrder {
    /// By item; empty if cites are not sorted.
    keys: Vec<Vec<sort::Key>>,
    /// By item, if cites with the same names are grouped.
    groups: Option<Vec<sort::Key>>,
}

impl CiteOrder {
    /// `in_document` is whether the citations form one document.
    pub fn new(
        document: &Document,
        citations: &[Citation],
        collation: Option<&Collation>,
        in_document: bool,
    ) -> Result<CiteOrder, Exceeded> {
        let sort = &document.compiled.style.citation.sort;
        let mut order = CiteOrder {
            keys: Vec::new(),
            groups: None,
        };
        if sort.is_empty() || citations.iter().all(|c| c.cites.len() < 2) {
            return Ok(order);
        }
        order.keys = sort::item_keys(document, sort, Area::Citation, collation)?;
        if in_document && groups_cites(document) {
            order.groups = Some(group_keys(document, collation)?);
        }
        Ok(order)
    }

    /// The order of a citation's cites after sorting. With `affixes_part`, cites are sorted only between
    /// prefixes and suffixes.
    pub fn of(&self, document: &Document, citation: &Citation, affixes_part: bool) -> Vec<usize> {
        let order: Vec<usize> = (0..citation.cites.len()).collect();
        let cites = &citation.cites;
        let are_sorted_together = |&a: &usize, &b: &usize| {
            !affixes_part || cites[a].suffix.is_empty() && cites[b].prefix.is_empty()
        };
        let runs = order.chunk_by(are_sorted_together);
        runs.flat_map(|run| self.sorted(document, citation, run.to_vec()))
            .collect()
    }

    fn sorted(
        &self,
        document: &Document,
        citation: &Citation,
        mut order: Vec<usize>,
    ) -> Vec<usize> {
        let sort = &document.compiled.style.citation.sort;
        if sort.is_empty() || order.len() < 2 {
            return order;
        }
        let item = |at: usize| {
            let cite = citation.cites.get(at)?;
            document.index(&cite.id)
        };
        let keys = |at: usize| -> &[sort::Key] {
            item(at)
                .and_then(|item| self.keys.get(item))
                .map_or(&[], Vec::as_slice)
        };
        order.sort_by(|&a, &b| sort::compare(sort, keys(a), keys(b)));
        let Some(groups) = &self.groups else {
            return order;
        };
        let group = |at: usize| item(at).and_then(|item| groups.get(item)?.as_deref());
        let descending = sort[0].descending;
        order.sort_by(|&a, &b| sort::directed(group(a), group(b), descending));
        // Each group takes the position of its first cite.
        let mut leader = order[0];
        let mut led: Vec<(usize, usize)> = Vec::with_capacity(order.len());
        for &at in &order {
            if group(at) != group(leader) {
                leader = at;
            }
            led.push((leader, at));
        }
        if descending {
            led.reverse();
        }
        let first = |leader: usize| keys(leader).first().and_then(Option::as_deref);
        led.sort_by(|(a, _), (b, _)| sort::directed(first(*a), first(*b), descending));
        led.into_iter().map(|(_, at)| at).collect()
    }
}

/// Whether cites with the same names are grouped.
fn groups_cites(document: &Document) -> bool {
    let style = &document.compiled.style;
    let citation = &style.citation;
    let by_collapse = style.options.class == Class::InText && citation.collapse != Collapse::None;
    by_collapse || citation.cite_group_delimiter.is_some() && !document.compiled.numbers_cites
}

/// The names of each item, as cites show them.
fn group_keys(
    document: &Document,
    collation: Option<&Collation>,
) -> Result<Vec<sort::Key>, Exceeded> {
    let mut tree = Tree::new(&document.budget);
    (0..document.items.len())
        .map(|item| {
            document.budget.check()?;
            let context = document.context(
                item,
                Area::Citation,
                &document.hints[item],
                &CitePosition::default(),
            );
            let names = cluster::names(context, &mut tree);
            Ok(names.and_then(|names| sort::text_key(&names, collation)))
        })
        .collect()
}
