//! Roles of people, as MARC codes or in words, and their variables.

use citation_model::variable::NameVar;

/// The variable of a relator, given as a MARC code or in words. `Some(None)` is a relator irrelevant to
/// citations, such as a former owner; `None` is an unknown one.
pub fn of_relator(relator: &str) -> Option<Option<NameVar>> {
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
        _ => return in_words(relator).map(Some),
    };
    Some(Some(variable))
}

/// The variable of a role in words; `None` also for one that is irrelevant to citations.
pub fn of_words(words: &str) -> Option<NameVar> {
    of_relator(words).flatten()
}

/// The variable of words that contain the name of a role: `Edited with an introduction`.
fn in_words(words: &str) -> Option<NameVar> {
    let lower = words.to_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    // «Series editor» and «Editor and translator» are checked before «editor».
    if has(&["series"]) && has(&["editor"]) {
        Some(NameVar::CollectionEditor)
    } else if has(&[
        "translat",
        "übersetz",
        "traduc",
        "traduzione",
        "vertaling",
        "tr.",
    ]) {
        Some(NameVar::Translator)
    } else if has(&[
        "editor", "edited", "ed.", "eds.", "hrsg", "herausg", "dir.", "redig",
    ]) {
        Some(NameVar::Editor)
    } else if has(&["illustrat", "ill.", "drawings", "pictures by"]) {
        Some(NameVar::Illustrator)
    } else if has(&["compil"]) {
        Some(NameVar::Compiler)
    } else if has(&["narrat", "reader"]) {
        Some(NameVar::Narrator)
    } else if has(&["author"]) {
        Some(NameVar::Author)
    } else if has(&[
        "introduction",
        "foreword",
        "preface",
        "afterword",
        "photograph",
        "contributor",
    ]) {
        Some(NameVar::Contributor)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NameVar::*;

    #[test]
    fn roles_have_one_variable_in_codes_and_words() {
        let check = |words: &str, expected: Option<Option<NameVar>>| {
            assert_eq!(of_relator(words), expected, "{words}");
        };
        check("edt", Some(Some(Editor)));
        check(
            "http://id.loc.gov/vocabulary/relators/trl",
            Some(Some(Translator)),
        );
        check("Editor.", Some(Some(Editor)));
        check("General editor of the series", Some(Some(CollectionEditor)));
        check("translated with notes", Some(Some(Translator)));
        check("writer of foreword", Some(Some(Contributor)));
        check("former owner", Some(None));
        check("thesis advisor", Some(None));
        check("piano tuner", None);
    }
}
