//! API keys: making one, seeing those there are, revoking one.

use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::page;
use crate::ui::words::Words;

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
<h2>{~keys.yours}</h2>
{keys}
<h2>{~keys.new}</h2>
<form method="post" action="/account/keys">
<label for="name">{~account.name}</label>
<input id="name" name="name" required maxlength="200" autocomplete="off" aria-describedby="name-hint">
<p class="hint" id="name-hint">{~keys.name-hint}</p>
<fieldset><legend>{~keys.may}</legend>
<label class="check"><input type="checkbox" name="read" value="1" checked> {~keys.read}</label>
<label class="check"><input type="checkbox" name="write" value="1" checked> {~keys.write}</label>
</fieldset>
<label for="days">{~keys.expires}</label>
<select id="days" name="days">
<option value="">{~keys.never}</option>
<option value="7">{~keys.days-7}</option>
<option value="30">{~keys.days-30}</option>
<option value="90">{~keys.days-90}</option>
<option value="365">{~keys.days-365}</option>
</select>
<div><button>{~keys.make}</button></div>
</form>
<p class="hint">{~keys.send} <code>Authorization: Bearer ck_…</code>.</p>"#,
);

const NEW_KEY: Template = Template(
    r#"<div class="notice" role="status"><p>{~keys.copy-now}</p>
<code class="secret">{key}</code></div>"#,
);

const TABLE: Template = Template(
    r#"<div class="wide"><table>
<thead><tr><th scope="col">{~account.name}</th><th scope="col">{~keys.begins}</th><th scope="col">{~keys.scopes}</th><th scope="col">{~keys.made}</th>
<th scope="col">{~keys.used}</th><th scope="col">{~keys.expires}</th><th scope="col">{~keys.revoke}</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{name}</th><td><code>{prefix}…</code></td><td>{scopes}</td><td>{created}</td><td>{used}</td><td>{expires}</td>
<td><form method="post" action="/account/keys/{id}/revoke"><button aria-label="{~keys.revoke}: {name}">{~keys.revoke}</button></form></td></tr>"#,
);

const NONE: Template = Template("<p>{~keys.none}</p>");

/// The main part of the page.
pub fn keys(words: Words, view: &Keys<'_>) -> Html {
    let new_key = view.new_key.map_or_else(Html::empty, |key| {
        NEW_KEY.say(words, &[("key", key.into())])
    });
    let table = if view.keys.is_empty() {
        NONE.say(words, &[])
    } else {
        TABLE.say(
            words,
            &[(
                "rows",
                Html::join(view.keys.iter().map(|item| row(words, item))).into(),
            )],
        )
    };
    KEYS.say(
        words,
        &[
            ("problem", page::problem(view.problem).into()),
            ("new_key", new_key.into()),
            ("keys", table.into()),
        ],
    )
}

fn row(words: Words, key: &Key) -> Html {
    let maybe = |at: Option<i64>| at.map_or_else(|| words.get("keys.never").to_owned(), moment);
    ROW.say(
        words,
        &[
            ("name", key.name.as_str().into()),
            ("prefix", key.prefix.as_str().into()),
            ("scopes", key.scopes.as_str().into()),
            ("created", moment(key.created_at).into()),
            ("used", maybe(key.last_used_at).into()),
            ("expires", maybe(key.expires_at).into()),
            ("id", key.id.as_str().into()),
        ],
    )
}
