//! Documents with several lists, each for a part of them: chapterbib, bibunits, biblatex's sections,
//! multibib. They are not set, since a manuscript has one list.

use super::reader::{CommandSite, TexReader};
use crate::latex::syntax::{after_options, braced};

impl TexReader<'_> {
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
        if is_unit {
            let what = match name {
                "begin" => format!("\\begin{{{}}}", argument()),
                _ => site.text.clone(),
            };
            self.keyed.add_unread_list(&what, &site.place);
        }
    }
}
