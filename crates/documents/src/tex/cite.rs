//! Commands that cite.

use citation_model::cite::CiteMode;
use citation_model::lists::words;
use citation_model::lookahead::Lookahead;

use super::reader::{CommandSite, TexReader};
use crate::document::{CitationFrame, Cited, ManuscriptCitation};
use crate::latex::printed;
use crate::latex::syntax::{braced, bracketed, in_angle_brackets, in_parentheses, skip_blank};
use crate::locator;

/// Commands that contain `cite` in their name but cite nothing.
const NO_CITATIONS: [&str; 17] = words(
    "citestyle setcitestyle citetext citereset citesetup defcitealias bibcite citation \
     citeindextrue citeindexfalse citetrackertrue citetrackerfalse citecolor citenamefont \
     citepunct citeform citeleft",
);

/// Maximum number of cites per command.
const MOST_CITES: usize = 500;

impl TexReader<'_> {
    /// Adds the citation of a command: `\citep[see][p.~3]{doe,roe}`, `\parencites[3]{doe}[see][]{roe}`.
    /// Returns the length of its arguments.
    pub fn cite(&mut self, name: &str, arguments: &str, site: &CommandSite) -> usize {
        let (items, used) = cites(name, arguments, &self.ahead);
        let is_standard = matches!(
            name,
            "cite" | "citep" | "citet" | "parencite" | "textcite" | "autocite" | "footcite"
        );
        if items.is_empty() && is_standard && self.is_body {
            self.keyed.add_unread_markup(&site.text, &site.place);
        }
        if !items.is_empty() {
            self.keyed.citations.push(ManuscriptCitation {
                items,
                text: format!("\\{name}{}", arguments.get(..used).unwrap_or_default()),
                place: site.place.clone(),
                span: Some(site.file.span(site.start..site.arguments + used)),
                frame: CitationFrame::default(),
            });
        }
        used
    }
}

/// The cites of a command, and the length of its arguments.
pub(super) fn cites(name: &str, arguments: &str, ahead: &Lookahead<'_>) -> (Vec<Cited>, usize) {
    let is_several = name.ends_with("cites") || name.ends_with("citess");
    let has_volume = name.contains("volcite");
    let mut rest = arguments.strip_prefix('*').unwrap_or(arguments);
    // `\cites(pre)(post){a}{b}`
    while is_several && let Some(inside) = in_parentheses(rest, ahead) {
        rest = rest.get(inside.len() + 2..).unwrap_or_default();
    }
    let mut items: Vec<Cited> = Vec::new();
    for _ in 0..if is_several { MOST_CITES } else { 1 } {
        let Some((group, behind)) = CiteGroup::read(rest, has_volume, ahead) else {
            break;
        };
        rest = behind;
        items.extend(group.cites(mode(name), ahead));
    }
    let used = arguments.len() - rest.len();
    (items, used)
}

/// `[see][p.~3]{doe,roe}`
struct CiteGroup<'t> {
    before: &'t str,
    behind: &'t str,
    keys: &'t str,
}

impl<'t> CiteGroup<'t> {
    /// With the text behind it. `has_volume` if it has a volume in braces before its keys, as in biblatex's
    /// `\volcite[see]{2}[34]{doe}`.
    fn read(
        text: &'t str,
        has_volume: bool,
        ahead: &Lookahead<'_>,
    ) -> Option<(CiteGroup<'t>, &'t str)> {
        const MOST_OPTIONS: usize = 4;
        let mut options = Vec::new();
        let mut rest = skip_blank(text);
        while options.len() < MOST_OPTIONS
            && let Some(option) = bracketed(rest, ahead).or_else(|| in_angle_brackets(rest, ahead))
        {
            options.push(option);
            rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
            if has_volume && options.len() == 1 {
                rest = behind_volume(rest, ahead);
            }
        }
        if has_volume && options.is_empty() {
            rest = behind_volume(rest, ahead);
            if let Some(option) = bracketed(rest, ahead) {
                options.push(option);
                rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
            }
        }
        let keys = braced(rest, ahead)?;
        let (before, behind) = match options.as_slice() {
            [] => ("", ""),
            [behind] => ("", *behind),
            [before, behind, ..] => (*before, *behind),
        };
        let group = CiteGroup {
            before,
            behind,
            keys,
        };
        Some((group, rest.get(keys.len() + 2..).unwrap_or_default()))
    }

    fn cites(&self, mode: CiteMode, ahead: &Lookahead<'_>) -> Vec<Cited> {
        let keys = keys(self.keys).filter(|key| !key.contains(['#', '\\']));
        let mut cites: Vec<Cited> = keys.map(Cited::key).collect();
        for cited in &mut cites {
            cited.cite.mode = mode;
        }
        if let Some(first) = cites.first_mut() {
            first.cite.prefix = printed(self.before, ahead);
        }
        if let Some(last) = cites.last_mut() {
            locator::add(&mut last.cite, &printed(self.behind, ahead));
        }
        cites
    }
}

fn behind_volume<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    match braced(text, ahead) {
        Some(volume) => skip_blank(text.get(volume.len() + 2..).unwrap_or_default()),
        None => text,
    }
}

/// Whether a command of LaTeX, natbib or biblatex cites.
pub(super) fn is_cite(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("cite") && !name.contains('@') && !NO_CITATIONS.contains(&name)
}

fn mode(name: &str) -> CiteMode {
    let lower = name.to_ascii_lowercase();
    match () {
        () if lower.contains("author") => CiteMode::AuthorOnly,
        () if lower.contains("year") || lower.contains("date") => CiteMode::SuppressAuthor,
        () if lower.starts_with("citet") && !lower.starts_with("citetitle")
            || lower.starts_with("textcite") =>
        {
            CiteMode::Composite
        }
        () => CiteMode::Normal,
    }
}

pub(super) fn keys(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|key| !key.is_empty())
}
