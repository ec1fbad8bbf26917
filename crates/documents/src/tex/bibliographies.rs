//! Bibliographies: files, printed lists, and what LaTeX writes about them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use citation_model::lookahead::Lookahead;

use super::cite::keys;
use super::reader::CommandSite;
use super::reader::TexReader;
use crate::document::{Cited, ManuscriptCitation, Place};
use crate::document::{ListHeading, ListPlace, ListPlaceKind};
use crate::error::DocumentError;
use crate::latex::entries;
use crate::latex::syntax::{braced, bracketed};
use crate::sources::{folder, joined};

/// The heading of `\printbibliography[title={Works cited}]`.
fn heading(options: &str, ahead: &Lookahead<'_>) -> ListHeading {
    let value = |name: &str| {
        let mut behind = options.match_indices(name).map(|(at, _)| {
            let before = options.get(..at).unwrap_or_default().trim_end();
            let rest = options.get(at + name.len()..).unwrap_or_default();
            let is_name = before.is_empty() || before.ends_with(',');
            let rest = rest.trim_start().strip_prefix('=').filter(|_| is_name)?;
            Some(rest.trim_start())
        });
        let rest = behind.find_map(|rest| rest)?;
        let end = rest.find(',').unwrap_or(rest.len());
        let value = braced(rest, ahead).or_else(|| rest.get(..end))?;
        Some(value.trim())
    };
    match (value("heading"), value("title")) {
        (Some("none"), _) => ListHeading::None,
        (_, Some(title)) => ListHeading::Title(title.to_owned()),
        (_, None) => ListHeading::Default,
    }
}

impl TexReader<'_> {
    pub fn add_bibliography(&mut self, name: &str, place: &Place) {
        let name = name.trim().replace("\\jobname", self.stem);
        let has_extension = name
            .rsplit('/')
            .next()
            .is_some_and(|base| base.contains('.'));
        let is_known = [".bib", ".bbl", ".json", ".ris"]
            .iter()
            .any(|end| name.ends_with(end));
        let name = if is_known || has_extension && (self.companions)(&name).is_some() {
            name
        } else {
            format!("{name}.bib")
        };
        // Files of subfiles and imports may name it from their own folder.
        let own = folder(place.file.as_deref());
        let name = if (self.companions)(&name).is_none() && !own.is_empty() {
            Some(joined(own, &name))
                .filter(|own| (self.companions)(own).is_some())
                .unwrap_or(name)
        } else {
            name
        };
        if !name.contains(['#', '\\']) {
            self.bibliographies.push((name, place.clone()));
        }
    }

    /// Remembers where the list is printed: the first place in the document itself, or else in a file.
    pub fn add_list_place(&mut self, site: &CommandSite, arguments: &str) {
        let mut rest = arguments;
        let mut options = "";
        let ahead = &self.ahead;
        loop {
            let group = braced(rest, ahead).or_else(|| {
                options = bracketed(rest, ahead)?;
                Some(options)
            });
            let Some(group) = group else { break };
            rest = rest.get(group.len() + 2..).unwrap_or_default();
        }
        let end = site.arguments + arguments.len() - rest.len();
        let known = self.keyed.list_place.as_ref();
        let known = known.filter(|place| place.kind == ListPlaceKind::Command);
        if known.is_some_and(|known| self.has_units || known.span.file() == site.file) {
            self.keyed.add_unread_list(&site.text, &site.place);
            return;
        }
        let is_own = |place: &ListPlace| self.keyed.sources.name(place.span.file()).is_none();
        let is_better = match &self.keyed.list_place {
            Some(known) => site.place.file.is_none() && !is_own(known),
            None => true,
        };
        if is_better {
            self.keyed.list_place = Some(ListPlace {
                span: site.file.span(site.start..end),
                kind: ListPlaceKind::Command,
                heading: heading(options, ahead),
            });
        }
    }

    pub fn add_list(&mut self, text: &str, place: &Place) -> Result<(), DocumentError> {
        let entries = entries(text, place, self.budget)?;
        self.keyed.is_printed |= !entries.is_empty();
        self.keyed.library.extend(entries);
        Ok(())
    }

    /// `\citation{a,b}`, `\bibdata{refs}`, and biblatex's equivalents.
    pub fn aux(&mut self, text: &str) -> Result<(), DocumentError> {
        self.ahead.add(text.len());
        for (n, line) in text.lines().enumerate() {
            self.budget.spend(4)?;
            let place = Place::line(n + 1);
            let behind = |command: &str| line.trim().strip_prefix(command);
            let cited = behind("\\citation").or_else(|| {
                let rest = behind("\\abx@aux@cite")?;
                let first = braced(rest, &self.ahead)?;
                rest.get(first.len() + 2..)
                    .filter(|rest| rest.starts_with('{'))
                    .or(Some(rest))
            });
            if let Some(inside) = cited.and_then(|rest| braced(rest, &self.ahead)) {
                let items: Vec<Cited> = keys(inside)
                    .filter(|key| *key != "*")
                    .map(Cited::key)
                    .collect();
                self.keyed.is_whole |= inside.contains('*');
                if !items.is_empty() {
                    self.keyed.citations.push(ManuscriptCitation {
                        items,
                        place: place.clone(),
                        ..ManuscriptCitation::default()
                    });
                }
            }
            let named = behind("\\bibdata").and_then(|rest| braced(rest, &self.ahead));
            for name in named.map(keys).into_iter().flatten() {
                self.add_bibliography(name, &place);
            }
            let named = behind("\\abx@aux@bibresource");
            if let Some(name) = named.and_then(|rest| braced(rest, &self.ahead)) {
                self.add_bibliography(name, &place);
            }
        }
        Ok(())
    }

    /// Reads the bibliographies, or the last printed list if there are none.
    pub fn load(&mut self) -> Result<(), DocumentError> {
        let mut named: HashMap<String, Place> = HashMap::new();
        let mut names = Vec::new();
        if !self.keyed.is_printed {
            for (name, place) in std::mem::take(&mut self.bibliographies) {
                if let Entry::Vacant(free) = named.entry(name) {
                    names.push(free.key().clone());
                    free.insert(place);
                }
            }
        }
        let companions = self.companions;
        let written = &self.written;
        let file = |name: &str| match written.get(name) {
            Some(text) => Some(text.as_bytes().to_vec()),
            None => companions(name),
        };
        self.keyed.add_files(&names, &file, self.budget)?;
        for (name, place) in &mut self.keyed.missing {
            if let Some(own) = named.get(name) {
                place.clone_from(own);
            }
        }
        if self.keyed.library.is_empty() {
            let name = format!("{}.bbl", self.stem);
            if let Some(bytes) = (self.companions)(&name) {
                let (text, _) = citation_exchange::decode(&bytes);
                let place = Place {
                    file: Some(name),
                    ..Place::line(1)
                };
                self.add_list(&text, &place)?;
                // The printed list replaces its source files.
                if !self.keyed.library.is_empty() {
                    self.keyed
                        .missing
                        .retain(|(name, _)| !named.contains_key(name));
                }
            }
        }
        Ok(())
    }
}
