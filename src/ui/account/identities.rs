//! Identities at providers that sign in to the account, and those that could.

use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::words::Words;

/// An identity as the owner of the account sees it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub id: String,
    /// What the provider is known by.
    pub label: String,
    /// What the person is known by there.
    pub who: String,
    /// Unix seconds.
    pub linked_at: i64,
}

const SECTION: Template = Template("<h2>{~account.other-ways}</h2>{linked}{providers}");

const TABLE: Template = Template(
    r#"<div class="wide"><table>
<thead><tr><th scope="col">{~identities.provider}</th><th scope="col">{~identities.who}</th><th scope="col">{~identities.since}</th><th scope="col">{~identities.unlink}</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{label}</th><td>{who}</td><td>{since}</td>
<td><form method="post" action="/account/identities/{id}/unlink"><button aria-label="{~identities.unlink}: {label}, {who}">{~identities.unlink}</button></form></td></tr>"#,
);

const PROVIDER: Template = Template(
    r#"<form method="post" action="/account/identities"><input type="hidden" name="provider" value="{name}"><button>{~account.link}</button></form>"#,
);

/// The part of the account's page. Nothing where there is nothing to see and no provider.
pub fn section(words: Words, linked: &[Shown], providers: &[(String, String)]) -> Html {
    if linked.is_empty() && providers.is_empty() {
        return Html::empty();
    }
    let table = match linked {
        [] => Html::empty(),
        linked => {
            let rows = linked.iter().map(|identity| row(words, identity));
            TABLE.say(words, &[("rows", Html::join(rows).into())])
        }
    };
    let providers = providers.iter().map(|(name, label)| {
        PROVIDER.say(
            words,
            &[
                ("name", name.as_str().into()),
                ("label", label.as_str().into()),
            ],
        )
    });
    SECTION.say(
        words,
        &[
            ("linked", table.into()),
            ("providers", Html::join(providers).into()),
        ],
    )
}

fn row(words: Words, identity: &Shown) -> Html {
    ROW.say(
        words,
        &[
            ("label", identity.label.as_str().into()),
            ("who", identity.who.as_str().into()),
            ("since", moment(identity.linked_at).into()),
            ("id", identity.id.as_str().into()),
        ],
    )
}

const ONWARD: Template =
    Template(r#"<p>{~identities.onward} <a href="{address}">{~sign-in.continue}</a></p>"#);

/// The main part of the page from which the browser goes on to a provider.
pub fn onward(words: Words, label: &str, address: &str) -> Html {
    ONWARD.say(
        words,
        &[("label", label.into()), ("address", address.into())],
    )
}

const CONFIRM: Template = Template(
    r#"<p>{~identities.confirm}</p>
<form method="post" action="/account/identities/confirm">
<input type="hidden" name="link" value="{link}">
<div><button>{~account.link}</button></div>
</form>
<p><a href="/account">{~identities.cancel}</a></p>"#,
);

/// The main part of the page that asks whether to link an identity.
pub fn confirm(words: Words, link: &str, label: &str, who: &str) -> Html {
    CONFIRM.say(
        words,
        &[
            ("link", link.into()),
            ("label", label.into()),
            ("who", who.into()),
        ],
    )
}
