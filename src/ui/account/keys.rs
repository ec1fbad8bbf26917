//! API keys: making one, seeing those there are, revoking one.

use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::page;

/// A key as its owner sees it.
#[derive(Clone, Debug)]
pub struct Key {
    pub id: String,
    pub name: String,
    pub prefix: String,
    pub scopes: String,
    pub created_at: i64,
    pub expires_at: Option<i64>,
    pub last_used_at: Option<i64>,
}

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Keys<'p> {
    pub keys: Vec<Key>,
    /// The key that was just made.
    pub new_key: Option<&'p str>,
    pub problem: Option<&'p str>,
}

const KEYS: Template = Template(
    r#"{problem}{new_key}
<h2>Your keys</h2>
{keys}
<h2>New key</h2>
<form method="post" action="/account/keys">
<label for="name">Name</label>
<input id="name" name="name" required maxlength="200" autocomplete="off" aria-describedby="name-hint">
<p class="hint" id="name-hint">What the key is for, such as “laptop” or “reading list script”.</p>
<fieldset><legend>What the key may do</legend>
<label class="check"><input type="checkbox" name="read" value="1" checked> read and look up</label>
<label class="check"><input type="checkbox" name="write" value="1" checked> change collections</label>
</fieldset>
<label for="days">Expires</label>
<select id="days" name="days">
<option value="">never</option>
<option value="7">in 7 days</option>
<option value="30">in 30 days</option>
<option value="90">in 90 days</option>
<option value="365">in a year</option>
</select>
<div><button>Make a key</button></div>
</form>
<p class="hint">Send a key as <code>Authorization: Bearer ck_…</code>.</p>"#,
);

const NEW_KEY: Template = Template(
    r#"<div class="notice" role="status"><p>This is the new key. Copy it now: it is not kept and cannot be shown again.</p>
<code class="secret">{key}</code></div>"#,
);

const TABLE: Template = Template(
    r#"<div class="wide"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Begins with</th><th scope="col">May</th><th scope="col">Made</th>
<th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">Revoke</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{name}</th><td><code>{prefix}…</code></td><td>{scopes}</td><td>{created}</td><td>{used}</td><td>{expires}</td>
<td><form method="post" action="/account/keys/{id}/revoke"><button aria-label="Revoke {name}">Revoke</button></form></td></tr>"#,
);

const NONE: Template = Template("<p>There are none yet.</p>");

/// The main part of the page.
pub fn keys(view: &Keys<'_>) -> Html {
    let new_key = view
        .new_key
        .map_or_else(Html::empty, |key| NEW_KEY.fill(&[("key", key.into())]));
    let table = if view.keys.is_empty() {
        NONE.html()
    } else {
        TABLE.fill(&[("rows", Html::join(view.keys.iter().map(row)).into())])
    };
    KEYS.fill(&[
        ("problem", page::problem(view.problem).into()),
        ("new_key", new_key.into()),
        ("keys", table.into()),
    ])
}

fn row(key: &Key) -> Html {
    let maybe = |at: Option<i64>| at.map_or_else(|| "never".to_owned(), moment);
    ROW.fill(&[
        ("name", key.name.as_str().into()),
        ("prefix", key.prefix.as_str().into()),
        ("scopes", key.scopes.as_str().into()),
        ("created", moment(key.created_at).into()),
        ("used", maybe(key.last_used_at).into()),
        ("expires", maybe(key.expires_at).into()),
        ("id", key.id.as_str().into()),
    ])
}
