//! The first page: a box to paste into, and the bibliography that grows below it. Without script the
//! list travels within the form; with script the browser keeps it.

use super::bibliography::{self, Choice, Line};
use super::html::{Fill, Html, Template, message};
use super::page;
use super::words::Words;
use crate::lookup::resolve::Tried;

/// What the page shows.
#[derive(Clone, Debug, Default)]
pub struct Cite<'p> {
    pub query: &'p str,
    pub choice: Choice,
    /// The list as JSON, to come back with the form.
    pub entries: String,
    /// What was found and may be taken, as JSON.
    pub candidates: String,
    /// The metadata of a page that is to be filled in, as JSON.
    pub unread: String,
    /// How works were found.
    pub notes: Vec<Html>,
    pub outcome: Option<Outcome>,
    pub lines: Vec<Line>,
    pub has_hanging_indent: bool,
    /// Lookups left and allowed in 24 hours.
    pub lookups: (u64, u64),
    /// Why the list could not be formatted.
    pub problem: Option<String>,
}

/// What came of a look-up.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// So many works were put into the list.
    Added(u64),
    /// Works that may be meant.
    Hits(Vec<Hit>),
    /// No source has it.
    Nothing(Vec<Tried>),
    /// A page that could not be read and may be filled in.
    Unread,
    /// It was not looked up, since too much came before it.
    Later,
    /// Of several, those that came to nothing, and what came of each.
    Left(Vec<(String, Outcome)>),
    /// Said in the reader's language, with what was asked and, where the quota is spent, when it
    /// begins anew.
    Problem { text: String, resets: Option<u64> },
}

/// A work that may be meant.
#[derive(Clone, Debug)]
pub struct Hit {
    pub title: String,
    pub about: String,
    pub source: &'static str,
    /// 0 to 100.
    pub percent: u64,
}

const CITE: Template = Template(
    r#"<div class="intro"><h1>{~cite.title}</h1>
<p class="lede">{~cite.lede}</p></div>
<form id="cite" data-scripted class="workbench" method="post" action="/cite">
<input type="hidden" name="entries" value="{entries}">
<input type="hidden" name="candidates" value="{candidates}">
<input type="hidden" name="unread" value="{unread}">
<div class="box">
<label for="q">{~cite.label}</label>
<div class="ask"><textarea id="q" name="q" rows="1" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="kind hint" placeholder="{~cite.placeholder}" autofocus>{query}</textarea>
<span id="kind" class="kind" hidden></span><button class="primary" id="find" name="do" value="find">{~cite.find}</button></div>
<p class="under"><span id="hint">{~cite.hint}</span> <span id="quota" class="quota">{quota}</span></p>
</div>
<div id="outcome">{notes}{outcome}</div>
<section id="list" aria-labelledby="list-title">
<div class="head"><h2 id="list-title">{~cite.bibliography}</h2><span id="count" class="quiet">{count}</span><div id="target"></div><div id="tools" class="tools"></div></div>
{settings}
{problem}<div id="entries">{list}</div>
</section>
<div id="keep"></div>
{export}
</form>
<section class="examples" id="examples"{examples_hidden}><h2>{~cite.examples}</h2>
<ul>
<li><a href="/cite?q=10.1038/171737a0"><span class="tag">DOI</span> 10.1038/171737a0</a></li>
<li><a href="/cite?q=978-0-262-03384-8"><span class="tag">ISBN</span> 978-0-262-03384-8</a></li>
<li><a href="/cite?q=Shannon+CE.+A+mathematical+theory+of+communication.+Bell+System+Technical+Journal+1948"><span class="tag">{~kind.text}</span> Shannon CE. A mathematical theory of communication. 1948</a></li>
</ul>
<p class="quiet">{~cite.kept}</p>
</section>"#,
);

const EXPORT: Template = Template(
    r#"<div class="scriptless export"><p>{~cite.scriptless}</p><p>{~export.title}: {buttons}</p></div>"#,
);

const EMPTY: Template = Template(r#"<p class="empty">{~cite.empty}</p>"#);

const HIDDEN: Template = Template(" hidden");

/// The main part of the page.
pub fn cite(words: Words, view: &Cite<'_>) -> Html {
    let list = match view.lines.as_slice() {
        [] => EMPTY.say(words, &[]),
        lines => bibliography::list(lines, view.has_hanging_indent),
    };
    let (export, examples_hidden) = match view.lines.len() {
        0 => (Html::empty(), Html::empty()),
        _ => {
            let buttons = bibliography::export_buttons("/cite/export");
            (
                EXPORT.say(words, &[("buttons", buttons.into())]),
                HIDDEN.html(),
            )
        }
    };
    let count = match view.lines.len() {
        0 => String::new(),
        n => words.count("count.works", n as u64),
    };
    let (left, limit) = view.lookups;
    let quota = message(
        words,
        "quota.left",
        &[("left", left.into()), ("limit", limit.into())],
    );
    CITE.say(
        words,
        &[
            ("entries", view.entries.as_str().into()),
            ("candidates", view.candidates.as_str().into()),
            ("unread", view.unread.as_str().into()),
            ("query", view.query.into()),
            (
                "notes",
                Html::join(
                    view.notes
                        .iter()
                        .map(|note| NOTE.fill(&[("note", note.clone().into())])),
                )
                .into(),
            ),
            ("quota", quota.into()),
            ("outcome", outcome(words, view.outcome.as_ref()).into()),
            (
                "settings",
                bibliography::settings(words, &view.choice).into(),
            ),
            ("count", count.into()),
            ("problem", page::problem(view.problem.as_deref()).into()),
            ("list", list.into()),
            ("export", export.into()),
            ("examples_hidden", examples_hidden.into()),
        ],
    )
}

const HITS: Template = Template(
    r#"<section class="panel" aria-labelledby="hits-title"><h2 id="hits-title">{title}</h2>
<p>{~hits.which}</p><ol class="hits">{hits}</ol></section>"#,
);

const HIT: Template = Template(
    r#"<li class="hit"><div><b dir="auto">{title}</b><br><span class="quiet" dir="auto">{about}</span><br><span class="quiet">{likeness}</span></div>
<button name="do" value="pick:{index}" aria-label="{~hits.take}: {title}">{~hits.take}</button></li>"#,
);

const NOTHING: Template = Template(
    r#"<section class="panel" role="status"><h2>{~nothing.title}</h2>
<p>{~nothing.text}</p><ul class="sources">{sources}</ul><p>{~nothing.next}</p></section>"#,
);

const NOTE: Template = Template(r#"<p class="notice" role="status">{note}</p>"#);

const UNREAD: Template = Template(
    r#"<section class="panel editor" role="status"><h2>{~unread.title}</h2><p>{~unread.text}</p>
<label for="title">{~field.title}</label><input id="title" name="title" dir="auto">
<label for="authors">{~field.authors}</label><textarea id="authors" name="authors" rows="2" aria-describedby="authors-hint" dir="auto"></textarea>
<p class="hint" id="authors-hint">{~editor.authors-hint}</p>
<label for="date">{~field.date}</label><input id="date" name="date">
<div class="row"><button class="primary" name="do" value="write">{~unread.add}</button></div></section>"#,
);

const LEFT: Template = Template(
    r#"<section class="panel" role="status"><h2>{~left.title}</h2><ul class="sources">{rows}</ul></section>"#,
);

const LEFT_ROW: Template = Template(r#"<li><b dir="auto">{given}</b>: {reason}</li>"#);

const PROBLEM: Template =
    Template(r#"<section class="panel bad" role="alert"><p>{text}</p>{resets}</section>"#);

const RESETS: Template = Template(
    r#"<p>{when}</p><p><a class="button" href="/auth/sign-up">{~quota.account}</a> <a href="/auth/login">{~nav.sign-in}</a></p>"#,
);

/// What came of a look-up.
fn outcome(words: Words, outcome: Option<&Outcome>) -> Html {
    match outcome {
        None => Html::empty(),
        Some(Outcome::Added(n)) => page::notice(&words.count("count.added", *n)),
        Some(Outcome::Hits(found)) => {
            let title = words.count("hits.title", found.len() as u64);
            let found = found
                .iter()
                .enumerate()
                .map(|(index, found)| hit(words, index, found));
            HITS.say(
                words,
                &[("title", title.into()), ("hits", Html::join(found).into())],
            )
        }
        Some(Outcome::Nothing(tried)) => {
            NOTHING.say(words, &[("sources", sources(words, tried).into())])
        }
        Some(Outcome::Unread) => UNREAD.say(words, &[]),
        Some(Outcome::Later) => page::notice(words.get("left.later")),
        Some(Outcome::Left(left)) => {
            let rows = left.iter().map(|(given, outcome)| {
                let reason = reason(words, outcome);
                LEFT_ROW.fill(&[("given", given.as_str().into()), ("reason", reason.into())])
            });
            LEFT.say(words, &[("rows", Html::join(rows).into())])
        }
        Some(Outcome::Problem { text, resets }) => {
            let resets = resets.map_or_else(Html::empty, |seconds| {
                let when = words.count("quota.hours", seconds.div_ceil(3600));
                RESETS.say(words, &[("when", when.into())])
            });
            PROBLEM.fill(&[("text", text.as_str().into()), ("resets", resets.into())])
        }
    }
}

/// Why something came to nothing, in a few words.
fn reason(words: Words, outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Problem { text, .. } => text,
        Outcome::Later => words.get("left.later"),
        Outcome::Unread => words.get("unread.title"),
        Outcome::Hits(_) => words.get("status.low_confidence"),
        _ => words.get("nothing.title"),
    }
}

fn hit(words: Words, index: usize, hit: &Hit) -> Html {
    let likeness = message(
        words,
        "hits.likeness",
        &[
            ("percent", Fill::from(hit.percent)),
            ("source", source_name(words, hit.source).into()),
        ],
    );
    HIT.say(
        words,
        &[
            ("title", hit.title.as_str().into()),
            ("about", hit.about.as_str().into()),
            ("likeness", likeness.into()),
            ("index", (index as u64).into()),
        ],
    )
}

/// The sources that were asked, each once with what it answered last, as the items of a list.
pub fn sources(words: Words, tried: &[Tried]) -> Html {
    const SOURCE: Template = Template("<li><b>{source}</b>: {outcome}</li>");
    let is_last = |at: usize, source: &str| {
        let mut later = tried.iter().skip(at + 1);
        !later.any(|tried| tried.source == source)
    };
    let last = tried.iter().enumerate();
    let last = last.filter(|(at, tried)| is_last(*at, tried.source));
    Html::join(last.map(|(_, tried)| {
        let outcome = tried.outcome.as_str();
        let outcome = words.find(&format!("tried.{outcome}")).unwrap_or(outcome);
        SOURCE.fill(&[
            ("source", source_name(words, tried.source).into()),
            ("outcome", outcome.into()),
        ])
    }))
}

/// A source as people know it.
pub fn source_name(words: Words, source: &str) -> &str {
    words.find(&format!("source.{source}")).unwrap_or(source)
}
