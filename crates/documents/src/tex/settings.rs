//! Where a command stands: in the text, in the title of a section, or apart from the text, where LaTeX has
//! no notes.

use citation_model::lists::words;
use std::collections::HashMap;

use citation_model::lookahead::Lookahead;

use crate::document::{CitationSetting, HeadingArgument};
use crate::latex::syntax::{braced, bracketed, skip_blank};
use crate::sources::FileId;

/// Commands whose argument is the title of a section.
const HEADINGS: [&str; 11] = words(
    "part chapter section subsection subsubsection paragraph subparagraph addpart addchap addsec minisec",
);

/// Commands whose arguments are notes, boxes, or texts that LaTeX moves.
const APART: [&str; 34] = words(
    "footnote footnotetext endnote endnotetext sidenote marginnote marginpar tablefootnote thanks caption \
     captionof subcaption subcaptionbox captionabove captionbelow title subtitle author date frametitle \
     framesubtitle parbox mbox makebox fbox framebox sbox savebox multicolumn multirow makecell thead \
     shortstack todo",
);

/// Environments whose content floats or is a box.
const APART_ENVIRONMENTS: [&str; 36] = words(
    "figure table wrapfigure wraptable sidewaysfigure sidewaystable SCfigure SCtable floatingfigure \
     subfigure subtable marginfigure margintable threeparttable tablenotes tabular tabularx tabulary tabu \
     tabbing array longtable longtabu longtblr tblr supertabular xltabular tikzpicture picture algorithm \
     equation align gather multline eqnarray displaymath",
);

/// A place that is open, and what ends it.
struct OpenSetting {
    end: SettingEnd,
    setting: CitationSetting,
}

enum SettingEnd {
    /// A position in a file.
    At(FileId, usize),
    Environment(String),
}

/// The places that are open.
#[derive(Default)]
pub(super) struct Settings {
    open: Vec<OpenSetting>,
    /// How often each environment is open in them.
    environments: HashMap<String, usize>,
}

impl Settings {
    /// Where what begins at a position of a file stands.
    pub fn at(&mut self, own: FileId, start: usize) -> CitationSetting {
        let is_over = |open: &mut OpenSetting| match open.end {
            SettingEnd::At(file, end) => file == own && end <= start,
            SettingEnd::Environment(_) => false,
        };
        while self.open.pop_if(is_over).is_some() {}
        let innermost = self.open.last();
        innermost.map_or(CitationSetting::Text, |open| open.setting.clone())
    }

    /// Opens the arguments of a command that sets them elsewhere than in the text. They begin at a position
    /// of a file.
    pub fn open_argument(
        &mut self,
        name: &str,
        arguments: &str,
        (file, at): (FileId, usize),
        ahead: &Lookahead<'_>,
    ) {
        let is_heading = HEADINGS.contains(&name);
        if !is_heading && !APART.contains(&name) {
            return;
        }
        let starred = arguments.strip_prefix('*');
        let (mut rest, mut has_short) = (skip_blank(starred.unwrap_or(arguments)), false);
        let mut last = None;
        // The text is the last of the arguments.
        loop {
            if let Some(option) = bracketed(rest, ahead) {
                has_short = true;
                rest = skip_blank(rest.get(option.len() + 2..).unwrap_or_default());
                continue;
            }
            let Some(argument) = braced(rest, ahead) else {
                break;
            };
            let start = at + arguments.len() - rest.len() + 1;
            last = Some(start..start + argument.len());
            rest = rest.get(argument.len() + 2..).unwrap_or_default();
            if is_heading {
                break;
            }
        }
        let Some(range) = last else {
            return;
        };
        // What was open and has ended is not kept.
        self.at(file, at);
        self.open.push(OpenSetting {
            end: SettingEnd::At(file, range.end),
            setting: if is_heading {
                CitationSetting::Heading(HeadingArgument {
                    span: file.span(range),
                    is_listed: starred.is_none() && !has_short,
                })
            } else {
                CitationSetting::Apart
            },
        });
    }

    /// Closes the arguments of a file that has been read; `outer` is the number of places open before it.
    pub fn close_arguments(&mut self, outer: usize) {
        let inner = self.open.split_off(outer.min(self.open.len()));
        let environments = inner
            .into_iter()
            .filter(|open| matches!(open.end, SettingEnd::Environment(_)));
        self.open.extend(environments);
    }

    /// The number of places open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    pub fn open_environment(&mut self, name: &str) {
        if APART_ENVIRONMENTS.contains(&name.trim_end_matches('*')) {
            *self.environments.entry(name.to_owned()).or_default() += 1;
            self.open.push(OpenSetting {
                end: SettingEnd::Environment(name.to_owned()),
                setting: CitationSetting::Apart,
            });
        }
    }

    /// Closes an environment and what is open in it.
    pub fn close_environment(&mut self, name: &str) {
        // What was never opened is not looked for.
        if self.environments.get(name).is_none_or(|count| *count == 0) {
            return;
        }
        while let Some(open) = self.open.pop() {
            let SettingEnd::Environment(own) = open.end else {
                continue;
            };
            if let Some(count) = self.environments.get_mut(&own) {
                *count = count.saturating_sub(1);
            }
            if own == name {
                return;
            }
        }
    }
}
