//! What each plan of the server includes.

use super::html::{Html, Template};
use super::words::Words;

/// A plan as the page shows it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub name: &'static str,
    pub lookups: u64,
    pub collections: u64,
    pub entries: u64,
    /// Whether lists and manuscripts are taken as a whole.
    pub has_batches: bool,
    /// API calls a month; nothing where they are not counted.
    pub calls: Option<u64>,
    pub price: Option<String>,
    /// Whether it is the reader's own.
    pub is_own: bool,
}

const PLANS: Template = Template(
    r#"<p class="lede">{~plans.lede}</p>
<div class="wide"><table>
<thead><tr><th scope="col">{~plans.plan}</th><th scope="col">{~plans.lookups}</th><th scope="col">{~plans.collections}</th><th scope="col">{~plans.entries}</th><th scope="col">{~plans.batches}</th><th scope="col">{~plans.calls}</th>{price}</tr></thead>
<tbody>{rows}</tbody>
</table></div>
<p>{~plans.who}</p>
<p>{~plans.single}</p>"#,
);

const PRICE: Template = Template(r#"<th scope="col">{~plans.price}</th>"#);

const ROW: Template = Template(
    r#"<tr><th scope="row">{name}{own}</th><td>{lookups}</td><td>{collections}</td><td>{entries}</td><td>{batches}</td><td>{calls}</td>{price}</tr>"#,
);

const OWN: Template = Template(" <strong>({~plans.own})</strong>");

const CELL: Template = Template("<td>{text}</td>");

/// The main part of the page. Prices are shown where there are any.
pub fn plans(words: Words, plans: &[Plan]) -> Html {
    let has_prices = plans.iter().any(|plan| plan.price.is_some());
    let price = match has_prices {
        true => PRICE.say(words, &[]),
        false => Html::empty(),
    };
    let rows = plans.iter().map(|plan| row(words, plan, has_prices));
    PLANS.say(
        words,
        &[("price", price.into()), ("rows", Html::join(rows).into())],
    )
}

fn row(words: Words, plan: &Plan, has_prices: bool) -> Html {
    let name = format!("plans.{}", plan.name.to_lowercase());
    let own = match plan.is_own {
        true => OWN.say(words, &[]),
        false => Html::empty(),
    };
    let batches = match plan.has_batches {
        true => words.get("plans.yes"),
        false => words.get("plans.no"),
    };
    let calls = plan.calls.map_or("–".to_owned(), |calls| calls.to_string());
    let price = match has_prices {
        true => CELL.fill(&[("text", plan.price.as_deref().unwrap_or("–").into())]),
        false => Html::empty(),
    };
    ROW.fill(&[
        ("name", words.find(&name).unwrap_or(plan.name).into()),
        ("own", own.into()),
        ("lookups", plan.lookups.into()),
        ("collections", plan.collections.into()),
        ("entries", plan.entries.into()),
        ("batches", batches.into()),
        ("calls", calls.into()),
        ("price", price.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_shown_where_there_are_any() {
        let plan = |price: Option<&str>| Plan {
            name: "Academic",
            price: price.map(str::to_owned),
            ..Plan::default()
        };
        let html = |price| plans(Words::default(), &[plan(price)]).into_string();
        assert!(html(Some("EUR 4")).contains("<td>EUR 4</td>"));
        assert!(!html(None).contains("Price"));
    }
}
