//! Citations by the roles of MyST: `` {cite:t}`doe,roe` ``, `` {cite:p}`{see}doe{p. 3}` ``.

use citation_model::cite::CiteMode;
use citation_model::lookahead::Lookahead;

use super::citations::KeyCitation;
use crate::document::{CitationForm, Cited, ManuscriptCitation, Place};
use crate::locator;

/// What a body cites by roles, and roles that are not read.
#[derive(Default)]
pub(super) struct Roles {
    pub citations: Vec<KeyCitation>,
    /// Keys that are only listed.
    pub nocite: Vec<String>,
    /// The role and its line, from 0.
    pub unread: Vec<(String, usize)>,
}

const MAX_KEYS: usize = 4_000;

impl Roles {
    /// Reads a body; `masked` is the body with code blanked.
    pub fn read(body: &str, masked: &str, above: usize, ahead: &Lookahead<'_>) -> Roles {
        let mut roles = Roles::default();
        let (mut line, mut counted) = (0, 0);
        for (at, _) in masked.match_indices('{') {
            let rest = body.get(at + 1..).unwrap_or_default();
            let Some(name) = name(rest) else { continue };
            let keys = rest.get(name.len() + 2..).unwrap_or_default();
            let Some(end) = ahead.find(keys, MAX_KEYS, |window| window.find('`')) else {
                continue;
            };
            let keys = keys.get(..end).unwrap_or_default();
            line += body
                .get(counted..at)
                .unwrap_or_default()
                .matches('\n')
                .count();
            counted = at;
            let length = 1 + name.len() + 2 + end + 1;
            match role(name) {
                Role::Cites(mode, form) => {
                    let items = cites(keys, mode);
                    if items.is_empty() {
                        continue;
                    }
                    roles.citations.push(KeyCitation {
                        citation: ManuscriptCitation {
                            items,
                            text: body.get(at..at + length).unwrap_or_default().to_owned(),
                            place: Place::line(above + line + 1),
                            form,
                            ..ManuscriptCitation::default()
                        },
                        range: at..at + length,
                        is_bare: false,
                    });
                }
                Role::Lists => {
                    let keys = keys.split(',').map(|key| key.trim().to_owned());
                    roles.nocite.extend(keys);
                }
                Role::Unknown => roles.unread.push((format!("{{{name}}}"), line)),
            }
        }
        roles
    }
}

/// The name of a role that cites, before its keys.
fn name(text: &str) -> Option<&str> {
    const MAX_NAME: usize = 20;
    let end = text
        .bytes()
        .take(MAX_NAME)
        .position(|b| !(b.is_ascii_alphanumeric() || b == b':'))?;
    let name = text.get(..end)?;
    let family = name.split(':').next()?;
    let is_role = text.get(end..)?.starts_with("}`");
    (is_role && matches!(family, "cite" | "footcite" | "nocite")).then_some(name)
}

enum Role {
    Cites(CiteMode, CitationForm),
    /// Adds works to the list.
    Lists,
    Unknown,
}

/// The roles of sphinxcontrib-bibtex and mystmd.
fn role(name: &str) -> Role {
    let (family, kind) = name.split_once(':').unwrap_or((name, ""));
    let styled = |mode| Role::Cites(mode, CitationForm::Styled);
    match kind {
        _ if family == "nocite" => Role::Lists,
        "" | "p" | "ps" | "labelpar" => styled(CiteMode::Normal),
        "t" | "ts" | "ct" | "cts" => styled(CiteMode::Composite),
        "author" | "authors" => styled(CiteMode::AuthorOnly),
        "yearpar" => styled(CiteMode::SuppressAuthor),
        "year" => Role::Cites(CiteMode::SuppressAuthor, CitationForm::Year),
        "alp" | "alps" | "label" => Role::Cites(CiteMode::Normal, CitationForm::Bare),
        "title" => Role::Cites(CiteMode::Normal, CitationForm::Title),
        "empty" => Role::Lists,
        _ => Role::Unknown,
    }
}

/// `{see}doe{p. 3}, roe`
fn cites(text: &str, mode: CiteMode) -> Vec<Cited> {
    let mut cites = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (before, behind) = braced(rest);
        let end = behind.find([',', '{']).unwrap_or(behind.len());
        let (key, behind) = behind.split_at(end);
        let (after, behind) = braced(behind);
        let key = key.trim();
        if !key.is_empty() {
            let mut cited = Cited::key(key);
            cited.cite.mode = mode;
            before.trim().clone_into(&mut cited.cite.prefix);
            locator::add(&mut cited.cite, after);
            cites.push(cited);
        }
        let behind = behind.trim_start();
        rest = behind.strip_prefix(',').unwrap_or_default().trim_start();
    }
    cites
}

/// The content of braces at the start of a text, and what follows.
fn braced(text: &str) -> (&str, &str) {
    let inside = text.strip_prefix('{');
    inside
        .and_then(|inside| inside.split_once('}'))
        .unwrap_or(("", text))
}
