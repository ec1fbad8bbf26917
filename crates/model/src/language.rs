//! Maps MARC and ISO 639-2 three-letter codes and English language names to BCP 47 tags.

/// The tag of a language given as a tag (`en`, `pt-BR`, `EN_us`), as a three-letter code (`ger`, `deu`) or
/// by its English name. `None` for unknown values and for codes without a single language (`mul`, `und`,
/// `zxx`).
pub fn tag(text: &str) -> Option<String> {
    let text = text.trim().replace('_', "-");
    let mut parts = text.split('-');
    let first = parts.next()?.to_ascii_lowercase();
    let is_letters = first.bytes().all(|b| b.is_ascii_lowercase());
    let language = match first.len() {
        2 if is_letters => first,
        3 if is_letters => from_three_letters(&first)?,
        _ => return from_name(&text).map(str::to_owned),
    };
    let mut tag = language;
    for part in parts {
        match part.len() {
            2 if part.bytes().all(|b| b.is_ascii_alphabetic()) => {
                tag.push('-');
                tag.push_str(&part.to_ascii_uppercase());
            }
            2..=8 if part.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                tag.push('-');
                tag.push_str(part);
            }
            _ => return None,
        }
    }
    Some(tag)
}

/// Languages without a two-letter code keep their three letters.
fn from_three_letters(code: &str) -> Option<String> {
    if matches!(code, "mul" | "und" | "zxx" | "mis") {
        return None;
    }
    let found = CODES.binary_search_by(|(three, _)| (*three).cmp(code));
    let tag = found.ok().and_then(|at| CODES.get(at)).map(|pair| pair.1);
    Some(tag.unwrap_or(code).to_owned())
}

fn from_name(name: &str) -> Option<&'static str> {
    let tag = match name.to_ascii_lowercase().as_str() {
        "english" => "en",
        "german" | "deutsch" => "de",
        "french" | "français" => "fr",
        "spanish" | "español" | "castilian" => "es",
        "italian" | "italiano" => "it",
        "portuguese" | "português" => "pt",
        "dutch" | "nederlands" => "nl",
        "russian" => "ru",
        "chinese" => "zh",
        "japanese" => "ja",
        "korean" => "ko",
        "arabic" => "ar",
        "polish" => "pl",
        "swedish" => "sv",
        "danish" => "da",
        "norwegian" => "no",
        "finnish" => "fi",
        "czech" => "cs",
        "hungarian" => "hu",
        "turkish" => "tr",
        "greek" => "el",
        "hebrew" => "he",
        "latin" => "la",
        "ukrainian" => "uk",
        _ => return None,
    };
    Some(tag)
}

/// ISO 639-2 (bibliographic, terminological and three withdrawn codes) and ISO 639-1, sorted.
const CODES: [(&str, &str); 206] = [
    ("aar", "aa"),
    ("abk", "ab"),
    ("afr", "af"),
    ("aka", "ak"),
    ("alb", "sq"),
    ("amh", "am"),
    ("ara", "ar"),
    ("arg", "an"),
    ("arm", "hy"),
    ("asm", "as"),
    ("ava", "av"),
    ("ave", "ae"),
    ("aym", "ay"),
    ("aze", "az"),
    ("bak", "ba"),
    ("bam", "bm"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bih", "bh"),
    ("bis", "bi"),
    ("bod", "bo"),
    ("bos", "bs"),
    ("bre", "br"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cha", "ch"),
    ("che", "ce"),
    ("chi", "zh"),
    ("chu", "cu"),
    ("chv", "cv"),
    ("cor", "kw"),
    ("cos", "co"),
    ("cre", "cr"),
    ("cym", "cy"),
    ("cze", "cs"),
    ("dan", "da"),
    ("deu", "de"),
    ("div", "dv"),
    ("dut", "nl"),
    ("dzo", "dz"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("eus", "eu"),
    ("ewe", "ee"),
    ("fao", "fo"),
    ("fas", "fa"),
    ("fij", "fj"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("fry", "fy"),
    ("ful", "ff"),
    ("geo", "ka"),
    ("ger", "de"),
    ("gla", "gd"),
    ("gle", "ga"),
    ("glg", "gl"),
    ("glv", "gv"),
    ("gre", "el"),
    ("grn", "gn"),
    ("guj", "gu"),
    ("hat", "ht"),
    ("hau", "ha"),
    ("heb", "he"),
    ("her", "hz"),
    ("hin", "hi"),
    ("hmo", "ho"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ibo", "ig"),
    ("ice", "is"),
    ("ido", "io"),
    ("iii", "ii"),
    ("iku", "iu"),
    ("ile", "ie"),
    ("ina", "ia"),
    ("ind", "id"),
    ("ipk", "ik"),
    ("isl", "is"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kal", "kl"),
    ("kan", "kn"),
    ("kas", "ks"),
    ("kat", "ka"),
    ("kau", "kr"),
    ("kaz", "kk"),
    ("khm", "km"),
    ("kik", "ki"),
    ("kin", "rw"),
    ("kir", "ky"),
    ("kom", "kv"),
    ("kon", "kg"),
    ("kor", "ko"),
    ("kua", "kj"),
    ("kur", "ku"),
    ("lao", "lo"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lim", "li"),
    ("lin", "ln"),
    ("lit", "lt"),
    ("ltz", "lb"),
    ("lub", "lu"),
    ("lug", "lg"),
    ("mac", "mk"),
    ("mah", "mh"),
    ("mal", "ml"),
    ("mao", "mi"),
    ("mar", "mr"),
    ("may", "ms"),
    ("mkd", "mk"),
    ("mlg", "mg"),
    ("mlt", "mt"),
    ("mon", "mn"),
    ("mri", "mi"),
    ("msa", "ms"),
    ("mya", "my"),
    ("nau", "na"),
    ("nav", "nv"),
    ("nbl", "nr"),
    ("nde", "nd"),
    ("ndo", "ng"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nno", "nn"),
    ("nob", "nb"),
    ("nor", "no"),
    ("nya", "ny"),
    ("oci", "oc"),
    ("oji", "oj"),
    ("ori", "or"),
    ("orm", "om"),
    ("oss", "os"),
    ("pan", "pa"),
    ("per", "fa"),
    ("pli", "pi"),
    ("pol", "pl"),
    ("por", "pt"),
    ("pus", "ps"),
    ("que", "qu"),
    ("roh", "rm"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("run", "rn"),
    ("rus", "ru"),
    ("sag", "sg"),
    ("san", "sa"),
    ("scc", "sr"),
    ("scr", "hr"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("sme", "se"),
    ("smo", "sm"),
    ("sna", "sn"),
    ("snd", "sd"),
    ("som", "so"),
    ("sot", "st"),
    ("spa", "es"),
    ("sqi", "sq"),
    ("srd", "sc"),
    ("srp", "sr"),
    ("ssw", "ss"),
    ("sun", "su"),
    ("swa", "sw"),
    ("swe", "sv"),
    ("tah", "ty"),
    ("tam", "ta"),
    ("tat", "tt"),
    ("tel", "te"),
    ("tgk", "tg"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tib", "bo"),
    ("tir", "ti"),
    ("ton", "to"),
    ("tsn", "tn"),
    ("tso", "ts"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("twi", "tw"),
    ("uig", "ug"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("ven", "ve"),
    ("vie", "vi"),
    ("vol", "vo"),
    ("wel", "cy"),
    ("wln", "wa"),
    ("wol", "wo"),
    ("xho", "xh"),
    ("yid", "yi"),
    ("yor", "yo"),
    ("zha", "za"),
    ("zho", "zh"),
    ("zul", "zu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_in_any_dress() {
        let check = |text: &str, expected: &str| {
            assert_eq!(tag(text).unwrap_or_default(), expected, "{text}");
        };
        check("eng", "en");
        check("ger", "de");
        check("grc", "grc");
        check("pt_br", "pt-BR");
        check("EN", "en");
        check("English", "en");
        check("zh-Hant", "zh-Hant");
        check("und", "");
        check("no such language", "");
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(CODES.is_sorted());
    }
}
