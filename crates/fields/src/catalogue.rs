//! Shared by MARC and MODS: relators, name headings, extents.

use crate::names;
use citation_model::name::Name;
use citation_model::variable::NameVar;

/// The variable of a relator, given as a MARC code or in words. `Some(None)` is a relator irrelevant to
/// citations, such as a former owner; `None` is an unknown one.
pub fn variable(relator: &str) -> Option<Option<NameVar>> {
    use NameVar::*;
    let lower = relator.trim().trim_end_matches(['.', ',']).to_lowercase();
    let code = lower.rsplit('/').next().unwrap_or_default();
    let variable = match code {
        "aut" | "author" | "creator" | "cre" | "verfasser" | "verfasserin" | "auteur" | "dis"
        | "dissertant" | "joint author" | "art" | "artist" | "pht" | "photographer" | "inv"
        | "inventor" | "ctg" | "cartographer" | "prg" | "programmer" | "ive" | "interviewee" => {
            Author
        }
        "edt"
        | "editor"
        | "ed"
        | "joint editor"
        | "herausgeber"
        | "herausgeberin"
        | "hrsg"
        | "éditeur scientifique"
        | "editor of compilation"
        | "edc" => Editor,
        "pbd" | "publishing director" | "series editor" => CollectionEditor,
        "trl" | "translator" | "tr" | "übersetzer" | "übersetzerin" | "traducteur" => Translator,
        "com" | "compiler" | "comp" => Compiler,
        "cmp" | "composer" => Composer,
        "ill" | "illustrator" => Illustrator,
        "drt" | "director" | "fmd" | "film director" => Director,
        "pro" | "producer" | "fmp" => Producer,
        "prf" | "performer" | "sng" | "singer" | "mus" | "musician" | "itr" | "cnd"
        | "conductor" | "act" | "actor" => Performer,
        "ivr" | "interviewer" => Interviewer,
        "nrt" | "narrator" => Narrator,
        "cur" | "curator" => Curator,
        "hst" | "host" => Host,
        "rcp" | "recipient" | "addressee" => Recipient,
        "aus" | "sce" | "screenwriter" | "author of screenplay" => ScriptWriter,
        "orm" | "organizer" => Organizer,
        "ctb"
        | "contributor"
        | "mitwirkender"
        | "mitwirkende"
        | "aui"
        | "aft"
        | "win"
        | "writer of introduction" => Contributor,
        "ths"
        | "thesis advisor"
        | "degree supervisor"
        | "dgs"
        | "dgg"
        | "own"
        | "fmo"
        | "owner"
        | "former owner"
        | "prt"
        | "printer"
        | "pbl"
        | "publisher"
        | "dst"
        | "distributor"
        | "bsl"
        | "fnd"
        | "funder"
        | "spn"
        | "sponsor"
        | "oth"
        | "dte"
        | "dedicatee"
        | "isb"
        | "issuing body"
        | "hnr"
        | "bnd"
        | "degree granting institution" => return Some(None),
        _ => return None,
    };
    Some(Some(variable))
}

/// A name in catalogue form: `West, Matthew,`. Other than personal names are kept whole.
pub fn heading(text: &str, is_person: bool) -> Name {
    let text = &without_fuller_form(without_stop(text));
    match is_person || text.contains(',') {
        true if text.contains(',') => names::inverted(text),
        true if is_person => names::inverted(text),
        _ => Name::literal(text),
    }
}

/// `Doe, Jane Q. (Jane Quincy), 1950-` without the name in brackets, `Doe, Jane [1848-1914]` without the
/// dates of life.
fn without_fuller_form(text: &str) -> String {
    let within = |open: &str, close: char| {
        let (name, rest) = text
            .split_once(open)
            .filter(|(name, _)| name.contains(','))?;
        rest.split_once(close)
            .map(|(inside, behind)| (name, inside, behind))
    };
    let is_of_digits = |inside: &str| inside.starts_with(|c: char| c.is_ascii_digit());
    let dates = within(" [", ']').filter(|(_, inside, _)| is_of_digits(inside));
    let behind = within(" (", ')')
        .or(dates)
        .map(|(name, _, behind)| (name, behind));
    match behind {
        Some((name, behind)) => format!("{name}{behind}"),
        None => text.to_owned(),
    }
}

/// Removes the punctuation that separates a text from what stands around it in a record, but no full stop.
pub fn without_separator(text: &str) -> &str {
    let is_separator = |c: char| matches!(c, '/' | ':' | ';' | ',' | '=');
    let text = text
        .trim_end_matches(|c: char| c.is_whitespace() || is_separator(c))
        .trim_start();
    match text.split_once(' ') {
        Some((sign, rest)) if sign.len() == 1 && sign.starts_with(is_separator) => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Removes the punctuation that separates a text from what follows in a record. The full stop of an initial
/// or abbreviation stays.
pub fn without_stop(text: &str) -> &str {
    let text = without_separator(text);
    let Some(shorter) = text.strip_suffix('.') else {
        return text;
    };
    let last = shorter
        .rsplit([' ', '.', '-', ','])
        .next()
        .unwrap_or_default();
    let is_abbreviation = last.chars().count() <= 1
        || matches!(
            last,
            "Jr" | "Sr" | "St" | "Mr" | "Dr" | "etc" | "al" | "ed" | "vol" | "Inc" | "Co" | "Ltd"
        );
    match is_abbreviation {
        true => text,
        false => shorter.trim_end(),
    }
}
