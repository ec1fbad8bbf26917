//! The arguments of commands that cite.

use citation_model::cite::CiteMode;
use citation_model::lookahead::Lookahead;

use super::commands::CiteCommand;
use super::reader::{CommandSite, TexReader};
use crate::document::{CitationForm, CitationFrame, CitationSetting, Cited, ManuscriptCitation};
use crate::latex::printed;
use crate::latex::syntax::{
    after_argument, braced, bracketed, in_angle_brackets, in_parentheses, skip_blank,
};
use crate::locator;

/// Maximum number of cites per command.
const MAX_CITES: usize = 500;

impl TexReader<'_> {
    /// Adds the citation of a command: `\citep[see][p.~3]{doe,roe}`, `\parencites[3]{doe}[see][]{roe}`.
    /// Returns the length of its arguments.
    pub fn cite(&mut self, name: &str, arguments: &str, site: &CommandSite) -> usize {
        let Some(found) = CiteArguments::read(name, arguments, &self.ahead) else {
            return 0;
        };
        let CiteArguments {
            items,
            command,
            used,
        } = found;
        let text = arguments.get(..used).unwrap_or_default();
        if items.is_empty() {
            // The keys are not readable, or those of arguments of a definition that is not read.
            if command.is_standard && self.is_body || text.contains('#') {
                self.keyed.add_unread_markup(&site.text, &site.place);
            }
            return used;
        }
        let setting = self.settings.at(site.file, site.start);
        self.keyed.citations.push(ManuscriptCitation {
            items,
            text: format!("\\{name}{text}"),
            place: site.place.clone(),
            span: Some(site.file.span(site.start..site.arguments + used)),
            frame: CitationFrame::default(),
            form: command.form,
            setting,
        });
        used
    }

    /// `\textcquote[see][3]{doe}[.]{words}` of csquotes, which becomes `\textquote` with the text of the
    /// citation: csquotes puts it in parentheses, at its place.
    pub fn quote(&mut self, name: &str, arguments: &str, site: &CommandSite) -> usize {
        let (mut head, mut rest) = (String::new(), arguments);
        if let Some(behind) = rest.strip_prefix('*') {
            head.push('*');
            rest = behind;
        }
        // The language of the words.
        if !name.starts_with("text") && !name.starts_with("block") {
            rest = after_argument(rest, &self.ahead);
            head = arguments
                .get(..arguments.len() - rest.len())
                .unwrap_or_default()
                .to_owned();
        }
        let group = CiteGroup::read(rest, false, &self.ahead);
        let cited = group.map(|(group, behind)| {
            let items = group.cites(CiteMode::Normal, &self.ahead);
            (items, arguments.len() - behind.len())
        });
        let Some((items, used)) = cited.filter(|(items, _)| !items.is_empty()) else {
            self.keyed.add_unread_markup(&site.text, &site.place);
            return 0;
        };
        let plain = name.replace("cquote", "quote");
        self.keyed.citations.push(ManuscriptCitation {
            items,
            text: format!("\\{name}{}", arguments.get(..used).unwrap_or_default()),
            place: site.place.clone(),
            span: Some(site.file.span(site.start..site.arguments + used)),
            frame: CitationFrame {
                before: format!("\\{plain}{head}[{{"),
                after: "}]".to_owned(),
            },
            form: CitationForm::Bare,
            setting: CitationSetting::Apart,
        });
        used
    }
}

/// What a command cites.
pub(crate) struct CiteArguments {
    pub items: Vec<Cited>,
    pub command: CiteCommand,
    /// The length of the arguments.
    pub used: usize,
}

impl CiteArguments {
    /// Reads the arguments of a command; `None` if it does not cite.
    pub fn read(name: &str, arguments: &str, ahead: &Lookahead<'_>) -> Option<CiteArguments> {
        let command = CiteCommand::find(name, arguments.starts_with('*'))?;
        let mut rest = arguments.strip_prefix('*').unwrap_or(arguments);
        // `\cites(pre)(post){a}{b}`
        let mut around: Vec<&str> = Vec::new();
        while command.is_several
            && let Some(inside) = in_parentheses(rest, ahead)
        {
            around.push(inside);
            rest = rest.get(inside.len() + 2..).unwrap_or_default();
        }
        let mut items: Vec<Cited> = Vec::new();
        for _ in 0..if command.is_several { MAX_CITES } else { 1 } {
            let Some((group, behind)) = CiteGroup::read(rest, command.has_volume, ahead) else {
                break;
            };
            rest = behind;
            items.extend(group.cites(command.mode, ahead));
        }
        if let Some(before) = around.first().filter(|_| around.len() > 1)
            && let Some(first) = items.first_mut()
        {
            let own = std::mem::take(&mut first.cite.prefix);
            first.cite.prefix = format!("{} {own}", printed(before, ahead))
                .trim()
                .to_owned();
        }
        if let (Some(behind), Some(last)) = (around.last(), items.last_mut()) {
            let behind = printed(behind, ahead);
            match last.cite.locator.is_none() && last.cite.suffix.is_empty() {
                true => locator::add(&mut last.cite, &behind),
                false if !behind.is_empty() => {
                    last.cite.suffix.push_str(&format!(", {behind}"));
                }
                false => {}
            }
        }
        Some(CiteArguments {
            items,
            command,
            used: arguments.len() - rest.len(),
        })
    }
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
        const MAX_OPTIONS: usize = 4;
        let mut options = Vec::new();
        let mut rest = skip_blank(text);
        while options.len() < MAX_OPTIONS
            && let Some(option) = bracketed(rest, ahead).or_else(|| in_angle_brackets(rest, ahead))
        {
            options.push(option);
            rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
            if has_volume && options.len() == 1 {
                rest = after_volume(rest, ahead);
            }
        }
        if has_volume && options.is_empty() {
            rest = after_volume(rest, ahead);
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

fn after_volume<'t>(text: &'t str, ahead: &Lookahead<'_>) -> &'t str {
    match braced(text, ahead) {
        Some(volume) => skip_blank(text.get(volume.len() + 2..).unwrap_or_default()),
        None => text,
    }
}

pub(super) fn keys(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|key| !key.is_empty())
}
