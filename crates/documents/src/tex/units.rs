//! Documents with several lists, each for a part of them: chapterbib, bibunits, biblatex's sections,
//! multibib. They are not set, since a manuscript has one list.

use super::commands::CiteCommand;
use super::reader::{CommandSite, TexReader};
use crate::latex::syntax::{after_options, braced};

impl TexReader<'_> {
    /// The command of LaTeX that a command for one of the lists of multibib stands for: `\citepA` is `\citep`, `\bibliographyA`
    /// is `\bibliography`.
    pub fn of_every_list<'t>(&self, name: &'t str) -> &'t str {
        let mut bases = { self.lists.iter() }.filter_map(|list| name.strip_suffix(list.as_str()));
        let is_known = |base: &&str| {
            matches!(*base, "bibliography" | "nobibliography" | "nocite")
                || CiteCommand::find(base, false).is_some_and(|command| command.is_standard)
        };
        bases.find(is_known).unwrap_or(name)
    }

    /// Reports a command that begins a list of its own.
    pub fn read_unit(&mut self, name: &str, arguments: &str, site: &CommandSite) {
        let rest = after_options(arguments, &self.ahead);
        let argument = || braced(rest, &self.ahead).unwrap_or_default();
        let is_unit = match name {
            "newrefsection" | "putbib" | "newcites" | "bibliographyunit" | "bibbysection"
            | "bibbysegment" | "bibbycategory" => true,
            "begin" => matches!(
                argument(),
                "refsection" | "refsegment" | "bibunit" | "btSect" | "btUnit"
            ),
            "usepackage" | "RequirePackage" => {
                let options = arguments.get(..arguments.len() - rest.len());
                let has_option = |option: &str| options.is_some_and(|all| all.contains(option));
                let mut names = argument().split(',').map(str::trim);
                self.has_units |= names.any(|name| match name {
                    "chapterbib" => true,
                    "biblatex" => has_option("refsection=") || has_option("refsegment="),
                    _ => false,
                });
                false
            }
            _ => false,
        };
        if name == "newcites" {
            let names = argument().split(',').map(str::trim);
            let names = names.filter(|name| !name.is_empty());
            self.lists.extend(names.map(str::to_owned));
        }
        if is_unit {
            let what = match name {
                "begin" => format!("\\begin{{{}}}", argument()),
                _ => site.text.clone(),
            };
            self.keyed.add_unread_list(&what, &site.place);
        }
    }
}
