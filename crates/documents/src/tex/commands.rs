//! The commands of LaTeX, natbib, biblatex and other packages that cite, and what they print.

use citation_model::cite::CiteMode;
use citation_model::lists::words;

use crate::document::CitationForm;

/// What a command that cites means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CiteCommand {
    pub mode: CiteMode,
    pub form: CitationForm,
    /// Whether it takes several groups of arguments: `\parencites`.
    pub is_several: bool,
    /// Whether a volume stands before the keys: `\volcite`.
    pub has_volume: bool,
    /// Whether a package defines it; otherwise only its name says that it cites.
    pub is_standard: bool,
}

/// A row of the table: names, each with a small first letter, and what they print.
type Row = (&'static [&'static str], CiteMode, CitationForm);

const COMMANDS: [Row; 9] = [
    (&STYLED, CiteMode::Normal, CitationForm::Styled),
    (&BARE, CiteMode::Normal, CitationForm::Bare),
    (&NARRATIVE, CiteMode::Composite, CitationForm::Styled),
    (
        &["citeyearpar"],
        CiteMode::SuppressAuthor,
        CitationForm::Styled,
    ),
    (
        &["citeyear", "citeyearNP", "citedate"],
        CiteMode::SuppressAuthor,
        CitationForm::Year,
    ),
    (
        &["citeauthor", "citeauthorNP", "shortciteauthor"],
        CiteMode::AuthorOnly,
        CitationForm::Styled,
    ),
    (
        &["citefullauthor"],
        CiteMode::AuthorOnly,
        CitationForm::Authors,
    ),
    (&["citetitle"], CiteMode::Normal, CitationForm::Title),
    (&["citeurl"], CiteMode::Normal, CitationForm::Url),
];

const STYLED: [&str; 22] = words(
    "cite citep parencite footcite footcitetext smartcite autocite supercite footfullcite volcite \
     pvolcite fvolcite ftvolcite svolcite avolcite notecite pnotecite fnotecite shortcite citeaffixed \
     upcite inlinecite",
);
const BARE: [&str; 8] =
    words("citealt citealp citenum citen citeNP shortciteNP onlinecite citeonline");
const NARRATIVE: [&str; 9] =
    words("citet textcite citeA citeN shortciteA shortciteN fullciteA citeasnoun tvolcite");
const ENTRIES: [&str; 2] = ["fullcite", "bibentry"];

/// Commands that print a field which no style prints alone.
const OF_FIELDS: [&str; 3] = ["citefield", "citelist", "citename"];

/// Commands that contain `cite` in their name but cite nothing.
const NO_CITATIONS: [&str; 25] = words(
    "citestyle setcitestyle citetext citereset citesetup defcitealias bibcite citation \
     citeindextrue citeindexfalse citetrackertrue citetrackerfalse citecolor citenamefont \
     citepunct citeform citeleft citeright citemid citedash citenumfont citeprepunct mkbibcite \
     citeindex newcites",
);

impl CiteCommand {
    /// The meaning of a command; `None` if it does not cite.
    pub fn find(name: &str, is_starred: bool) -> Option<CiteCommand> {
        let small = small(name);
        let own = |name: &str| {
            let row = COMMANDS.iter().find(|(names, ..)| names.contains(&name));
            let entry =
                (ENTRIES.contains(&name)).then_some((CiteMode::Normal, CitationForm::Entry));
            row.map(|(_, mode, form)| (*mode, *form)).or(entry)
        };
        // `\parencites`, `\footcitetexts`
        let single = { small.strip_suffix('s') }
            .filter(|single| single.ends_with("cite") || single.ends_with("citetext"));
        let found = own(&small).or_else(|| own(single?));
        let has_suppressed = is_starred
            && ["parencite", "autocite", "smartcite", "footcite"].contains(&small.as_str());
        match found {
            Some((mode, form)) => Some(CiteCommand {
                mode: if has_suppressed {
                    CiteMode::SuppressAuthor
                } else {
                    mode
                },
                form,
                is_several: single.is_some(),
                has_volume: small.contains("volcite"),
                is_standard: true,
            }),
            None => CiteCommand::by_name(name),
        }
    }

    /// The meaning that a name suggests.
    fn by_name(name: &str) -> Option<CiteCommand> {
        let lower = name.to_ascii_lowercase();
        if !lower.contains("cite") || name.contains('@') || NO_CITATIONS.contains(&name) {
            return None;
        }
        Some(CiteCommand {
            mode: match () {
                () if lower.contains("author") => CiteMode::AuthorOnly,
                () if lower.contains("year") || lower.contains("date") => CiteMode::SuppressAuthor,
                () if lower.starts_with("citet") || lower.starts_with("textcite") => {
                    CiteMode::Composite
                }
                () => CiteMode::Normal,
            },
            form: CitationForm::Styled,
            is_several: name.ends_with("cites"),
            has_volume: name.contains("volcite"),
            is_standard: false,
        })
    }
}

/// Whether a command prints a field of a work that no style prints alone.
pub(super) fn prints_field(name: &str) -> bool {
    OF_FIELDS.contains(&small(name).as_str())
}

/// A name with a small first letter: `\Citet` is `\citet` at the start of a sentence.
fn small(name: &str) -> String {
    let mut small = name.to_owned();
    if let Some(first) = small.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    small
}

/// Whether a command cites.
pub(super) fn is_cite(name: &str) -> bool {
    CiteCommand::find(name, false).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_meaning_of_their_packages() {
        let check = |name: &str, mode: CiteMode, form: CitationForm| {
            let found = CiteCommand::find(name, false).map(|command| (command.mode, command.form));
            assert_eq!(found, Some((mode, form)), "{name}");
        };
        check("cite", CiteMode::Normal, CitationForm::Styled);
        check("Citet", CiteMode::Composite, CitationForm::Styled);
        check("textcites", CiteMode::Composite, CitationForm::Styled);
        check("citealp", CiteMode::Normal, CitationForm::Bare);
        check("citeyear", CiteMode::SuppressAuthor, CitationForm::Year);
        check(
            "citeyearpar",
            CiteMode::SuppressAuthor,
            CitationForm::Styled,
        );
        check("citetitle", CiteMode::Normal, CitationForm::Title);
        check("citeauthor", CiteMode::AuthorOnly, CitationForm::Styled);
        check("fullcite", CiteMode::Normal, CitationForm::Entry);
        check("mycite", CiteMode::Normal, CitationForm::Styled);
        for name in ["citestyle", "citecolor", "section", "cite@x"] {
            assert_eq!(CiteCommand::find(name, false), None, "{name}");
        }
        let starred = CiteCommand::find("parencite", true).map(|command| command.mode);
        assert_eq!(starred, Some(CiteMode::SuppressAuthor));
    }
}
