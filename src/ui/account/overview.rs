//! The account itself: plan, usage, password, everything to take along, the end.

use super::identities::{Shown, section};
use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::page;
use crate::ui::words::Words;

/// What is to be seen of an account.
#[derive(Clone, Debug, Default)]
pub struct Overview<'p> {
    pub email: Option<&'p str>,
    pub name: Option<&'p str>,
    pub plan: &'p str,
    pub price: Option<&'p str>,
    pub lookups: Usage,
    /// Nothing for plans without an allowance.
    pub month: Option<Month>,
    pub collections: (u64, u64),
    pub entries: u64,
    /// Bytes kept, and how many may be.
    pub bytes: (u64, u64),
    pub has_password: bool,
    pub min_chars: usize,
    /// Identities that sign in to the account.
    pub identities: Vec<Shown>,
    /// Identity providers that could be used to sign in: name and label.
    pub providers: Vec<(String, String)>,
    pub problem: Option<&'p str>,
    pub notice: Option<&'p str>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub used: u64,
    pub limit: u64,
    /// Unix seconds.
    pub resets_at: i64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Month {
    pub used: u64,
    pub included: u64,
    pub overage: u64,
    /// Unix seconds.
    pub resets_at: i64,
}

const OVERVIEW: Template = Template(
    r#"{problem}{notice}
<dl>
<dt>{~account.name}</dt><dd>{name}</dd>
<dt>{~account.email}</dt><dd>{email}</dd>
<dt>{~account.plan}</dt><dd>{plan}{price} · <a href="/plans">{~plans.see}</a></dd>
<dt>{~account.collections}</dt><dd>{~account.collections-of}</dd>
<dt>{~account.storage}</dt><dd>{~account.storage-of}</dd>
</dl>
<h2>{~account.usage}</h2>
<div class="wide"><table>
<thead><tr><th scope="col">{~account.what}</th><th scope="col">{~account.used}</th><th scope="col">{~account.included}</th><th scope="col">{~account.anew}</th></tr></thead>
<tbody>
<tr><th scope="row">{~account.lookups}</th><td>{used}</td><td>{limit}</td><td>{resets}</td></tr>
{month}
</tbody>
</table></div>
<h2>{~account.password}</h2>
<form method="post" action="/account/password">
{present}
<label for="new">{~account.new-password}</label>
<input id="new" name="new" type="password" autocomplete="new-password" required minlength="{min}" aria-describedby="new-hint">
<p class="hint" id="new-hint">{~account.new-password-hint}</p>
<div><button>{~account.set-password}</button></div>
</form>
{identities}
<h2>{~account.data}</h2>
<p><a href="/account/export" download="citation-account.json">{~account.export}</a></p>
<p><a href="/account/delete">{~account.delete}</a></p>"#,
);

const PRICE: Template = Template(" ({~account.price})");

const MONTH: Template = Template(
    r#"<tr><th scope="row">{~account.calls}</th><td>{used}{overage}</td><td>{included}</td><td>{resets}</td></tr>"#,
);

const OVERAGE: Template = Template(", {~account.overage}");

const PRESENT: Template = Template(
    r#"<label for="present">{~account.present-password}</label>
<input id="present" name="present" type="password" autocomplete="current-password" required>"#,
);

/// The main part of the page.
pub fn overview(words: Words, view: &Overview<'_>) -> Html {
    let price = view.price.map_or_else(Html::empty, |price| {
        PRICE.say(words, &[("price", price.into())])
    });
    let month = view
        .month
        .as_ref()
        .map_or_else(Html::empty, |month| month_row(words, month));
    let present = if view.has_password {
        PRESENT.say(words, &[])
    } else {
        Html::empty()
    };
    OVERVIEW.say(
        words,
        &[
            ("problem", page::problem(view.problem).into()),
            (
                "notice",
                view.notice.map_or_else(Html::empty, page::notice).into(),
            ),
            ("name", view.name.unwrap_or("–").into()),
            ("email", view.email.unwrap_or("–").into()),
            ("plan", view.plan.into()),
            ("price", price.into()),
            ("collections", view.collections.0.into()),
            ("most_collections", view.collections.1.into()),
            ("entries", view.entries.into()),
            ("megabytes", megabytes(view.bytes.0).into()),
            ("most_megabytes", megabytes(view.bytes.1).into()),
            ("used", view.lookups.used.into()),
            ("limit", view.lookups.limit.into()),
            ("resets", moment(view.lookups.resets_at).into()),
            ("month", month.into()),
            ("present", present.into()),
            ("min", (view.min_chars as u64).into()),
            (
                "identities",
                section(words, &view.identities, &view.providers).into(),
            ),
        ],
    )
}

/// Whole megabytes of 2^20 bytes; what is begun counts.
fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

fn month_row(words: Words, month: &Month) -> Html {
    let overage = match month.overage {
        0 => Html::empty(),
        calls => OVERAGE.say(words, &[("calls", calls.into())]),
    };
    MONTH.say(
        words,
        &[
            ("used", month.used.into()),
            ("overage", overage.into()),
            ("included", month.included.into()),
            ("resets", moment(month.resets_at).into()),
        ],
    )
}

const DELETE: Template = Template(
    r#"{problem}
<p>{~account.delete-what}</p>
<form method="post" action="/account/delete">
<label for="confirm">{~account.delete-confirm}</label>
<input id="confirm" name="confirm" autocomplete="off" required>
<div><button class="danger">{~account.delete}</button></div>
</form>
<p><a href="/account">{~account.keep}</a></p>"#,
);

/// The main part of the page that asks whether to delete the account.
pub fn delete(words: Words, email: Option<&str>, problem: Option<&str>) -> Html {
    DELETE.say(
        words,
        &[
            ("problem", page::problem(problem).into()),
            ("email", email.unwrap_or_default().into()),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_shown_in_begun_megabytes() {
        let view = Overview {
            bytes: (3 << 19, 64 << 20),
            ..Overview::default()
        };
        let html = overview(Words::default(), &view).into_string();
        assert!(html.contains("<dd>2 of 64 MB</dd>"), "{html}");
    }

    #[test]
    fn the_month_is_shown_where_the_plan_has_an_allowance() {
        let month = Month {
            used: 12,
            included: 10,
            overage: 2,
            resets_at: 0,
        };
        let html = overview(
            Words::default(),
            &Overview {
                month: Some(month),
                ..Overview::default()
            },
        )
        .into_string();
        assert!(html.contains(
            "<td>12, of which 2 over what is included</td><td>10</td><td>1970-01-01 00:00 UTC</td>"
        ));
        assert!(
            !overview(Words::default(), &Overview::default())
                .into_string()
                .contains("API calls this month")
        );
    }
}
