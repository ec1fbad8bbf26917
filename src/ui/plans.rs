//! The contents of each plan of the server.

use super::words::Words;
use askama::Template;

/// A plan as shown.
#[derive(Clone, Debug, Default)]
pub struct PlanView {
    pub name: &'static str,
    pub lookups: u64,
    pub collections: u64,
    pub entries: u64,
    /// Whether whole lists and manuscripts are accepted.
    pub has_batches: bool,
    /// API calls a month; None if not counted.
    pub calls: Option<u64>,
    pub price: Option<String>,
    /// Whether it is the reader's current plan.
    pub is_own: bool,
}

/// The page. Shows prices if there are any.
#[derive(Template)]
#[template(path = "plans.html")]
pub struct PlansPage {
    pub words: Words,
    pub plans: Vec<PlanView>,
}

impl PlansPage {
    fn has_prices(&self) -> bool {
        self.plans.iter().any(|plan| plan.price.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let html = |tag| {
            let plan = PlanView {
                lookups: 10_000,
                calls: Some(2_000_000),
                ..PlanView::default()
            };
            let words = Words::of(tag).unwrap();
            PlansPage {
                words,
                plans: vec![plan],
            }
            .to_string()
        };
        assert!(html("en").contains(">10,000</td>"));
        assert!(html("en").contains(">2,000,000</td>"));
        assert!(html("de").contains(">10.000</td>"));
    }

    #[test]
    fn prices_are_shown_if_set() {
        let plan = |price: Option<&str>| PlanView {
            name: "Academic",
            price: price.map(str::to_owned),
            ..PlanView::default()
        };
        let html = |price| {
            let page = PlansPage {
                words: Words::default(),
                plans: vec![plan(price)],
            };
            page.to_string()
        };
        assert!(html(Some("EUR 4")).contains(">EUR 4</td>"));
        assert!(!html(None).contains("Price"));
    }
}
