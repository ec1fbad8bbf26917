//! The part of the styles' page that is about styles of one's own.

use super::html::{Html, Template, message};
use super::page;
use super::words::Words;
use citation_model::identifier::percent_encode;

/// What the part shows.
#[derive(Clone, Debug, Default)]
pub struct OwnStyles {
    pub is_signed_in: bool,
    /// Name, as the interface has it, and title.
    pub styles: Vec<(String, String)>,
    /// A text that could not be kept.
    pub text: String,
    pub problem: Option<String>,
    /// Title and text of the style deleted just now.
    pub removed: Option<(String, String)>,
}

const PART: Template = Template(
    r#"<section class="panel" id="own"><h2>{~own.title}</h2><p>{~own.what}</p>{removed}{problem}
<form method="post" action="/styles/own"><ul class="cards">{styles}</ul></form>
<details{open}><summary>{~own.add}</summary>
<form method="post" action="/styles" enctype="multipart/form-data">
<label for="own-file">{~own.choose}</label><input type="file" id="own-file" name="file" accept=".csl,.xml">
<label for="own-text">{~own.paste}</label><textarea id="own-text" name="file" rows="6" spellcheck="false" dir="ltr">{text}</textarea>
<button class="primary">{~own.keep}</button>
</form></details></section>"#,
);

const STYLE: Template = Template(
    r#"<li class="card"><a href="/styles/{address}"><b dir="auto">{title}</b></a><code>{name}</code>
<div class="row"><a class="button plain" href="/api/v1/me/styles/{address}" aria-label="{~own.file}: {title}" download>{~own.file}</a>
<button class="plain" name="do" value="remove:{name}" aria-label="{~own.remove}: {title}">{~own.remove}</button></div></li>"#,
);

const REMOVED: Template = Template(
    r#"<form class="notice" role="status" method="post" action="/styles/own"><input type="hidden" name="xml" value="{text}"><span dir="auto">{said}</span> <button name="do" value="keep">{~own.undo}</button></form>"#,
);

const SIGN_IN: Template = Template(
    r#"<section class="panel" id="own"><h2>{~own.title}</h2><p>{~own.what} <a href="/auth/login?return_to=/styles">{~own.sign-in}</a></p></section>"#,
);

/// The part of the page.
pub fn part(words: Words, view: &OwnStyles) -> Html {
    if !view.is_signed_in {
        return SIGN_IN.say(words, &[]);
    }
    let styles = view.styles.iter().map(|(name, title)| {
        STYLE.say(
            words,
            &[
                ("address", percent_encode(name).into()),
                ("name", name.as_str().into()),
                ("title", title.as_str().into()),
            ],
        )
    });
    let open = match view.problem {
        Some(_) => Template(" open").html(),
        None => Html::empty(),
    };
    PART.say(
        words,
        &[
            ("removed", removed(words, view).into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("styles", Html::join(styles).into()),
            ("open", open.into()),
            // A line break that a text area begins with is not part of its text.
            ("text", format!("\n{}", view.text).into()),
        ],
    )
}

fn removed(words: Words, view: &OwnStyles) -> Html {
    let Some((title, text)) = &view.removed else {
        return Html::empty();
    };
    let said = message(words, "own.removed", &[("title", title.as_str().into())]);
    REMOVED.say(
        words,
        &[("said", said.into()), ("text", text.as_str().into())],
    )
}
