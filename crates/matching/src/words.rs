//! Words around the data of a reference: labels, months, function words, and words that mark a work
//! as being about another one.

use citation_model::{name, roman};

/// The kind of a labelled number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberLabel {
    Volume,
    Issue,
    Page,
}

/// Reads the folded label before a number: `vol`, `nr`, `pp`, in the common languages of
/// references. One letter is a label only before a full stop, which the caller checks.
pub fn label(word: &str) -> Option<NumberLabel> {
    let label = match word {
        "vol" | "vols" | "volume" | "volumes" | "volumen" | "v" | "bd" | "band" | "jg"
        | "jahrgang" | "tome" | "tom" | "tomo" | "t" | "deel" | "arg" => NumberLabel::Volume,
        "no" | "nos" | "nr" | "num" | "number" | "numero" | "n" | "issue" | "iss" | "heft"
        | "h" | "vyp" | "fasc" | "cilt" | "sayi" | "zesz" => NumberLabel::Issue,
        "pp" | "p" | "page" | "pages" | "pag" | "pags" | "pg" | "pgs" | "seite" | "seiten"
        | "s" | "str" | "ss" | "article" | "art" | "artno" => NumberLabel::Page,
        _ => return None,
    };
    Some(label)
}

/// Words that belong to the form of a reference, not to the work; a record need not have them.
pub fn is_furniture(word: &str) -> bool {
    matches!(
        word,
        "vol"
            | "vols"
            | "std"
            | "volume"
            | "no"
            | "nr"
            | "issue"
            | "pp"
            | "page"
            | "pages"
            | "et"
            | "al"
            | "others"
            | "ed"
            | "eds"
            | "edn"
            | "edited"
            | "editor"
            | "editors"
            | "hrsg"
            | "in"
            | "doi"
            | "http"
            | "https"
            | "www"
            | "org"
            | "com"
            | "url"
            | "isbn"
            | "issn"
            | "pmid"
            | "pmcid"
            | "arxiv"
            | "available"
            | "retrieved"
            | "accessed"
            | "online"
            | "internet"
            | "cited"
            | "epub"
            | "ahead"
            | "print"
            | "press"
            | "suppl"
            | "supplement"
            | "article"
            | "abstract"
            | "accepted"
            | "published"
            | "pdf"
            | "html"
    ) || is_month(word)
}

/// Whether this folded word may introduce a reference in a note: `See`, `Vgl.`, `Voir`.
pub fn is_lead(word: &str) -> bool {
    matches!(
        word,
        "see" | "cf" | "cfr" | "compare" | "vgl" | "siehe" | "voir" | "vid" | "vease" | "zie"
    )
}

/// Whether a folded word may follow an introducing word: `See also`.
pub fn is_lead_after(word: &str) -> bool {
    matches!(word, "also" | "eg" | "auch" | "aussi" | "tambien" | "ook")
}

/// Whether a folded word is a month or season. Only full names and the usual abbreviations count:
/// `Jane`, `Mars` and `Decker` are people.
pub fn is_month(word: &str) -> bool {
    let abbreviated = word.len() <= 3 && citation_model::date::month_by_name(word).is_some();
    abbreviated
        || matches!(
            word,
            "january"
                | "february"
                | "march"
                | "april"
                | "june"
                | "july"
                | "august"
                | "september"
                | "october"
                | "november"
                | "december"
                | "sept"
                | "spring"
                | "summer"
                | "autumn"
                | "fall"
                | "winter"
                | "januar"
                | "februar"
                | "marz"
                | "juni"
                | "juli"
                | "oktober"
                | "dezember"
                | "janvier"
                | "fevrier"
                | "avril"
                | "juin"
                | "juillet"
                | "aout"
                | "septembre"
                | "octobre"
                | "novembre"
                | "decembre"
                | "enero"
                | "febrero"
                | "marzo"
                | "abril"
                | "mayo"
                | "junio"
                | "julio"
                | "agosto"
                | "septiembre"
                | "octubre"
                | "noviembre"
                | "diciembre"
                | "gennaio"
                | "febbraio"
                | "aprile"
                | "maggio"
                | "giugno"
                | "luglio"
                | "settembre"
                | "ottobre"
                | "dicembre"
                | "janeiro"
                | "fevereiro"
                | "marco"
                | "junho"
                | "julho"
                | "setembro"
                | "outubro"
                | "novembro"
                | "dezembro"
                | "januari"
                | "februari"
                | "maart"
                | "augusti"
                | "augustus"
        )
}

/// Whether a folded word introduces the date on which a web page was read: `Accessed 12 May 2019`.
pub fn introduces_access_date(word: &str) -> bool {
    matches!(
        word,
        "accessed"
            | "retrieved"
            | "cited"
            | "viewed"
            | "visited"
            | "abgerufen"
            | "consulte"
            | "consultado"
            | "consultato"
            | "geraadpleegd"
    )
}

/// Whether a folded word names a site that pages of references link to: `[PubMed] [Google Scholar]`.
pub fn is_link_label(word: &str) -> bool {
    matches!(
        word,
        "pubmed" | "crossref" | "scholar" | "scopus" | "medline" | "pmc"
    )
}

/// Whether a folded word may stand among such labels.
pub fn is_beside_link_label(word: &str) -> bool {
    matches!(
        word,
        "google"
            | "article"
            | "free"
            | "full"
            | "text"
            | "cas"
            | "ads"
            | "view"
            | "abstract"
            | "doi"
    )
}

/// Whether a folded word marks the names beside it as those of editors or the like.
pub fn is_editor_mark(word: &str) -> bool {
    matches!(
        word,
        "ed" | "eds"
            | "edt"
            | "editor"
            | "editors"
            | "hrsg"
            | "hg"
            | "comp"
            | "comps"
            | "dir"
            | "coord"
    )
}

/// Whether two folded words, one behind the other, say that a list of people goes on with others: `et al`, `and
/// others`, `y otros`, `u. a.`, `i dr.`.
pub fn continues_people(first: &str, second: &str) -> bool {
    match first {
        "et" => matches!(second, "al" | "alii" | "alia" | "coll" | "autres" | "aliae"),
        "and" => matches!(second, "others" | "colleagues" | "coworkers"),
        "y" => matches!(second, "otros" | "col" | "cols"),
        "e" => matches!(second, "outros" | "altri" | "cols"),
        "u" | "und" => matches!(second, "a" | "andere" | "mitarb"),
        "en" => matches!(second, "anderen"),
        "og" | "och" => matches!(second, "andre" | "andra"),
        "i" => matches!(second, "dr" | "in" | "wsp" | "inni"),
        "ve" => matches!(second, "ark" | "digerleri"),
        _ => false,
    }
}

/// Whether a folded word names a group of people, of whom a work may list the members.
pub fn is_group(word: &str) -> bool {
    matches!(
        word,
        "collaboration"
            | "collaborations"
            | "collaborators"
            | "consortium"
            | "committee"
            | "group"
            | "investigators"
            | "network"
            | "team"
    )
}

/// Whether a folded word before `by` introduces people other than the authors.
pub fn introduces_others(word: &str) -> bool {
    matches!(
        word,
        "edited" | "translated" | "compiled" | "illustrated" | "reviewed" | "ed" | "eds" | "trans"
    )
}

/// Whether a folded word belongs to the family name behind it: `van der Berg`, and what folding leaves of `d'`, `O'`
/// and `St.`.
pub fn is_particle(word: &str) -> bool {
    name::is_particle(word) || matches!(word, "d" | "o" | "st")
}

/// Function words of the most common title languages, folded.
pub fn is_function_word(word: &str) -> bool {
    const MAX_LENGTH: usize = 5;
    const WORDS: [&str; 109] = [
        "a", "an", "and", "are", "as", "at", "by", "for", "from", "how", "in", "into", "is", "its",
        "it", "of", "on", "or", "that", "the", "their", "to", "under", "using", "via", "was",
        "what", "with", "der", "die", "das", "dem", "den", "des", "ein", "eine", "einer", "im",
        "und", "von", "zu", "zum", "zur", "fur", "mit", "bei", "uber", "auf", "aus", "le", "la",
        "les", "l", "d", "de", "du", "un", "une", "et", "en", "dans", "sur", "par", "pour", "au",
        "aux", "el", "los", "las", "y", "del", "al", "con", "por", "para", "una", "o", "e", "os",
        "da", "do", "dos", "em", "no", "na", "com", "um", "uma", "il", "lo", "gli", "di", "della",
        "delle", "dei", "nel", "per", "van", "het", "een", "voor", "met", "i", "v", "s", "po",
        "dlya", "ob", "iz",
    ];
    if word.len() > MAX_LENGTH {
        return false;
    }
    WORDS.contains(&word)
}

/// The kind of a work about another work, if the folded word indicates it. If only one of reference
/// and record has such a word, they mean different works.
pub fn companion(word: &str) -> Option<&'static str> {
    let kind = match word {
        "erratum" | "errata" | "corrigendum" | "corrigenda" | "correction" | "corrections"
        | "berichtigung" => "correction",
        "retraction" | "retracted" | "withdrawal" | "withdrawn" => "retraction",
        "reply" | "response" | "rejoinder" | "antwort" | "reponse" => "reply",
        "comment" | "commentary" | "comments" | "kommentar" => "comment",
        "addendum" | "addenda" => "addendum",
        _ => return None,
    };
    Some(kind)
}

/// The value of a well-formed Roman numeral, 1 to 3999.
pub fn roman(word: &str) -> Option<u32> {
    let value = |c| match c {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        'd' => Some(500),
        'm' => Some(1000),
        _ => None,
    };
    let digits: Vec<u32> = word.chars().map(value).collect::<Option<_>>()?;
    let mut total = 0;
    for (at, digit) in digits.iter().enumerate() {
        if digits.get(at + 1).is_some_and(|next| next > digit) {
            total -= *digit as i64;
        } else {
            total += *digit as i64;
        }
    }
    let total = u32::try_from(total).ok()?;
    (roman::write(total)? == word).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numerals_are_read_when_well_formed() {
        assert_eq!(roman("cxxv"), Some(125));
        assert_eq!(roman("iv"), Some(4));
        assert_eq!(roman("iiii"), None);
        assert_eq!(roman("mix"), Some(1009));
        assert_eq!(roman("civil"), None);
        assert_eq!(roman(""), None);
    }
}
