//! The account itself: plan, usage, password, everything to take along, the end.

use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::page;

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
    pub has_password: bool,
    pub min_chars: usize,
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
<dt>Name</dt><dd>{name}</dd>
<dt>E-mail address</dt><dd>{email}</dd>
<dt>Plan</dt><dd>{plan}{price}</dd>
<dt>Collections</dt><dd>{collections} of {most_collections}, up to {entries} entries each</dd>
</dl>
<h2>Usage</h2>
<div class="wide"><table>
<thead><tr><th scope="col">What</th><th scope="col">Used</th><th scope="col">Included</th><th scope="col">Begins anew</th></tr></thead>
<tbody>
<tr><th scope="row">Lookups in 24 hours</th><td>{used}</td><td>{limit}</td><td>{resets}</td></tr>
{month}
</tbody>
</table></div>
<h2>Password</h2>
<form method="post" action="/account/password">
{present}
<label for="new">New password</label>
<input id="new" name="new" type="password" autocomplete="new-password" required minlength="{min}" aria-describedby="new-hint">
<p class="hint" id="new-hint">At least {min} characters. All other sessions end.</p>
<div><button>Set password</button></div>
</form>
{providers}
<h2>Your data</h2>
<p><a href="/account/export" download="citation-account.json">Everything that is kept of this account</a>, as a JSON file.</p>
<p><a href="/account/delete">Delete this account</a></p>"#,
);

const PRICE: Template = Template(" ({price} a month)");

const MONTH: Template = Template(
    r#"<tr><th scope="row">API calls this month</th><td>{used}{overage}</td><td>{included}</td><td>{resets}</td></tr>"#,
);

const OVERAGE: Template = Template(", of which {calls} over what is included");

const PRESENT: Template = Template(
    r#"<label for="present">Present password</label>
<input id="present" name="present" type="password" autocomplete="current-password" required>"#,
);

const PROVIDERS: Template = Template("<h2>Other ways to sign in</h2><ul>{links}</ul>");

const PROVIDER: Template = Template(
    r#"<li><a href="/auth/login?provider={name}&amp;link=1">Sign in with {label} from now on too</a></li>"#,
);

/// The main part of the page.
pub fn overview(view: &Overview<'_>) -> Html {
    let price = view
        .price
        .map_or_else(Html::empty, |price| PRICE.fill(&[("price", price.into())]));
    let month = view.month.as_ref().map_or_else(Html::empty, month_row);
    let present = if view.has_password {
        PRESENT.html()
    } else {
        Html::empty()
    };
    OVERVIEW.fill(&[
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
        ("used", view.lookups.used.into()),
        ("limit", view.lookups.limit.into()),
        ("resets", moment(view.lookups.resets_at).into()),
        ("month", month.into()),
        ("present", present.into()),
        ("min", (view.min_chars as u64).into()),
        ("providers", providers(&view.providers).into()),
    ])
}

fn month_row(month: &Month) -> Html {
    let overage = match month.overage {
        0 => Html::empty(),
        calls => OVERAGE.fill(&[("calls", calls.into())]),
    };
    MONTH.fill(&[
        ("used", month.used.into()),
        ("overage", overage.into()),
        ("included", month.included.into()),
        ("resets", moment(month.resets_at).into()),
    ])
}

fn providers(providers: &[(String, String)]) -> Html {
    if providers.is_empty() {
        return Html::empty();
    }
    let links = providers.iter().map(|(name, label)| {
        PROVIDER.fill(&[
            ("name", name.as_str().into()),
            ("label", label.as_str().into()),
        ])
    });
    PROVIDERS.fill(&[("links", Html::join(links).into())])
}

const DELETE: Template = Template(
    r#"{problem}
<p>The account {email}, its API keys, its sessions and its collections are deleted at once and cannot be brought
back. What remains is the number of API calls in past months, without your name.</p>
<form method="post" action="/account/delete">
<label for="confirm">Type “delete” to delete the account</label>
<input id="confirm" name="confirm" autocomplete="off" required>
<div><button class="danger">Delete this account</button></div>
</form>
<p><a href="/account">Keep the account</a></p>"#,
);

/// The main part of the page that asks whether to delete the account.
pub fn delete(email: Option<&str>, problem: Option<&str>) -> Html {
    DELETE.fill(&[
        ("problem", page::problem(problem).into()),
        ("email", email.unwrap_or_default().into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_month_is_shown_where_the_plan_has_an_allowance() {
        let month = Month {
            used: 12,
            included: 10,
            overage: 2,
            resets_at: 0,
        };
        let html = overview(&Overview {
            month: Some(month),
            ..Overview::default()
        })
        .into_string();
        assert!(html.contains(
            "<td>12, of which 2 over what is included</td><td>10</td><td>1970-01-01 00:00 UTC</td>"
        ));
        assert!(
            !overview(&Overview::default())
                .into_string()
                .contains("API calls this month")
        );
    }
}
