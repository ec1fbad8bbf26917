//! Reads the bibliography files of a document together.

use citation_exchange::{Content, Hints, Reading};
use citation_model::budget::{Budget, Exceeded};

/// Reads bibliography files by their names and contents: BibTeX, CSL-JSON, RIS and others. Those of BibTeX are one
/// bibliography: strings of earlier files apply in later ones, and entries inherit from entries of any file. `None` for
/// a file that is no bibliography.
pub fn read_bibliographies(
    files: &[(&str, Content<'_>)],
    budget: &Budget,
) -> Result<Vec<Option<Reading>>, Exceeded> {
    let of_bibtex: Vec<&Content<'_>> = { files.iter() }
        .filter(|(name, _)| is_bibtex(name))
        .map(|(_, content)| content)
        .collect();
    let mut together = citation_exchange::read_together(&of_bibtex, budget)?.into_iter();
    let readings = files.iter().map(|(name, content)| {
        if is_bibtex(name) {
            Ok(together.next())
        } else {
            read_other(name, content, budget)
        }
    });
    readings.collect()
}

fn read_other(
    name: &str,
    content: &Content<'_>,
    budget: &Budget,
) -> Result<Option<Reading>, Exceeded> {
    let hints = Hints {
        file_name: Some(name),
        ..Hints::default()
    };
    let format = citation_exchange::recognise(content, hints, budget)?;
    match format.ok().flatten() {
        Some(format) => Ok(Some(citation_exchange::read(content, format, budget)?)),
        None => Ok(None),
    }
}

pub(super) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// pandoc treats every .bib as biblatex.
fn is_bibtex(name: &str) -> bool {
    matches!(extension(name), "bib" | "bibtex" | "biblatex")
}
