//! Maps language names of babel, polyglossia and common usage to BCP 47 tags, and tags to babel's names; tells the
//! language of a text.

use citation_model::language;

/// Whether a code of ISO 639-2 names no single language: undetermined, none, several.
pub fn is_none(code: &str) -> bool {
    matches!(code, "und" | "zxx" | "mul")
}

/// Babel's name and its tag. The first name of a tag is written.
const LANGUAGES: &[(&str, &str)] = &[
    ("english", "en"),
    ("american", "en-US"),
    ("usenglish", "en-US"),
    ("british", "en-GB"),
    ("ukenglish", "en-GB"),
    ("canadian", "en-CA"),
    ("australian", "en-AU"),
    ("newzealand", "en-NZ"),
    ("german", "de"),
    ("ngerman", "de"),
    ("deutsch", "de"),
    ("germanb", "de"),
    ("austrian", "de-AT"),
    ("naustrian", "de-AT"),
    ("swissgerman", "de-CH"),
    ("nswissgerman", "de-CH"),
    ("french", "fr"),
    ("francais", "fr"),
    ("français", "fr"),
    ("frenchb", "fr"),
    ("canadien", "fr-CA"),
    ("acadian", "fr-CA"),
    ("spanish", "es"),
    ("español", "es"),
    ("espanol", "es"),
    ("italian", "it"),
    ("italiano", "it"),
    ("portuguese", "pt"),
    ("portuges", "pt"),
    ("brazilian", "pt-BR"),
    ("brazil", "pt-BR"),
    ("dutch", "nl"),
    ("nederlands", "nl"),
    ("afrikaans", "af"),
    ("danish", "da"),
    ("norwegian", "no"),
    ("norsk", "nb"),
    ("nynorsk", "nn"),
    ("swedish", "sv"),
    ("finnish", "fi"),
    ("icelandic", "is"),
    ("estonian", "et"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("polish", "pl"),
    ("czech", "cs"),
    ("slovak", "sk"),
    ("slovene", "sl"),
    ("slovenian", "sl"),
    ("croatian", "hr"),
    ("serbian", "sr"),
    ("bosnian", "bs"),
    ("bulgarian", "bg"),
    ("macedonian", "mk"),
    ("russian", "ru"),
    ("ukrainian", "uk"),
    ("belarusian", "be"),
    ("hungarian", "hu"),
    ("magyar", "hu"),
    ("romanian", "ro"),
    ("albanian", "sq"),
    ("greek", "el"),
    ("polutonikogreek", "grc"),
    ("ancientgreek", "grc"),
    ("latin", "la"),
    ("turkish", "tr"),
    ("hebrew", "he"),
    ("arabic", "ar"),
    ("persian", "fa"),
    ("farsi", "fa"),
    ("hindi", "hi"),
    ("bengali", "bn"),
    ("tamil", "ta"),
    ("telugu", "te"),
    ("sanskrit", "sa"),
    ("thai", "th"),
    ("vietnamese", "vi"),
    ("indonesian", "id"),
    ("malay", "ms"),
    ("chinese", "zh"),
    ("japanese", "ja"),
    ("korean", "ko"),
    ("mongolian", "mn"),
    ("armenian", "hy"),
    ("georgian", "ka"),
    ("catalan", "ca"),
    ("galician", "gl"),
    ("basque", "eu"),
    ("breton", "br"),
    ("welsh", "cy"),
    ("irish", "ga"),
    ("scottish", "gd"),
    ("esperanto", "eo"),
    ("interlingua", "ia"),
    // Names in other languages than English.
    ("anglais", "en"),
    ("englisch", "en"),
    ("inglés", "en"),
    ("inglês", "en"),
    ("inglese", "en"),
    ("engels", "en"),
    ("allemand", "de"),
    ("alemán", "de"),
    ("tedesco", "de"),
    ("französisch", "fr"),
    ("francés", "fr"),
    ("francese", "fr"),
    ("spanisch", "es"),
    ("espagnol", "es"),
    ("italienisch", "it"),
    ("italien", "it"),
    ("português", "pt"),
    ("russisch", "ru"),
    ("русский", "ru"),
    ("中文", "zh"),
    ("日本語", "ja"),
    ("한국어", "ko"),
];

/// The BCP 47 tag of a babel name, an English language name or a three-letter code; other text stays
/// unchanged.
pub fn tag_of(name: &str) -> String {
    let folded: String = name
        .trim()
        .strip_prefix("lang")
        .unwrap_or(name.trim())
        .to_lowercase();
    let row = LANGUAGES.iter().find(|(babel, _)| *babel == folded);
    match row {
        Some((_, tag)) => (*tag).to_owned(),
        None => language::tag(name).unwrap_or_else(|| name.trim().to_owned()),
    }
}

/// Babel's name of a tag, if it has one.
pub fn babel_name(tag: &str) -> Option<&'static str> {
    let find = |tag: &str| {
        let row = LANGUAGES
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(tag));
        row.map(|(babel, _)| *babel)
    };
    find(tag)
}

/// Frequent short words of languages in Latin letters that are rare in the others.
const FREQUENT: [(&str, &[&str]); 15] = [
    (
        "en",
        &[
            "the", "and", "of", "is", "that", "with", "was", "this", "from", "have",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "von", "ein", "auf",
        ],
    ),
    (
        "fr",
        &[
            "le", "les", "des", "est", "et", "dans", "une", "pour", "que", "du",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "las", "una", "que", "por", "del", "con", "para", "y",
        ],
    ),
    (
        "pt",
        &[
            "o", "os", "uma", "que", "não", "em", "do", "da", "com", "para",
        ],
    ),
    (
        "it",
        &[
            "il", "gli", "che", "di", "della", "per", "una", "con", "non", "è",
        ],
    ),
    (
        "nl",
        &[
            "het", "een", "van", "niet", "zijn", "dat", "op", "voor", "met", "ook",
        ],
    ),
    (
        "sv",
        &[
            "och", "att", "det", "som", "är", "en", "på", "för", "inte", "av",
        ],
    ),
    (
        "da",
        &[
            "og", "at", "det", "af", "ikke", "er", "til", "på", "med", "der",
        ],
    ),
    (
        "nb",
        &[
            "og", "å", "det", "av", "ikke", "er", "til", "på", "med", "som",
        ],
    ),
    (
        "fi",
        &[
            "ja", "on", "ei", "että", "oli", "se", "mutta", "myös", "kun", "ovat",
        ],
    ),
    (
        "pl",
        &["i", "w", "nie", "na", "się", "jest", "że", "do", "z", "to"],
    ),
    (
        "cs",
        &[
            "a", "v", "je", "se", "na", "že", "to", "jsou", "nebo", "ale",
        ],
    ),
    (
        "tr",
        &[
            "ve", "bir", "bu", "için", "ile", "da", "de", "olarak", "daha", "çok",
        ],
    ),
    (
        "id",
        &[
            "yang", "dan", "di", "dengan", "untuk", "dari", "ini", "tidak", "pada", "akan",
        ],
    ),
];

/// Whether a character is a letter of a script.
type IsLetter = fn(char) -> bool;

/// Words that prove a language: as many as make a share of one in twelve.
const SHARE: usize = 12;

/// The language of a text by its script and its most frequent words: a tag, or `None` if neither tells. Linear in
/// the text.
pub fn of_text(text: &str) -> Option<&'static str> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let share = |is_in: IsLetter| text.chars().filter(|c| is_in(*c)).count();
    let is_common = |count: usize| count * 4 > letters && count > 4;
    let kana = share(|c| matches!(c, '\u{3040}'..='\u{30ff}'));
    let han = share(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
    let scripts: [(IsLetter, &'static str); 5] = [
        (|c| matches!(c, '\u{ac00}'..='\u{d7af}'), "ko"),
        (|c| matches!(c, '\u{0590}'..='\u{05ff}'), "he"),
        (|c| matches!(c, '\u{0e00}'..='\u{0e7f}'), "th"),
        (|c| matches!(c, '\u{0370}'..='\u{03ff}'), "el"),
        (|c| matches!(c, '\u{0900}'..='\u{097f}'), "hi"),
    ];
    if is_common(kana + han) {
        return Some(if kana * 20 > kana + han { "ja" } else { "zh" });
    }
    if let Some((_, tag)) = scripts.iter().find(|(is_in, _)| is_common(share(*is_in))) {
        return Some(tag);
    }
    if is_common(share(|c| matches!(c, '\u{0600}'..='\u{06ff}'))) {
        return Some(if text.contains(['گ', 'چ', 'پ', 'ژ']) {
            "fa"
        } else {
            "ar"
        });
    }
    if is_common(share(|c| matches!(c, '\u{0400}'..='\u{04ff}'))) {
        return Some(if text.contains(['і', 'ї', 'є']) {
            "uk"
        } else {
            "ru"
        });
    }
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let counts = FREQUENT.iter().map(|(tag, known)| {
        let count = words
            .iter()
            .filter(|word| known.contains(&word.as_str()))
            .count();
        (count, *tag)
    });
    // The first of equals, because the list is in order of frequency.
    let (count, tag) = counts.rev().max_by_key(|(count, _)| *count)?;
    (count > 2 && count * SHARE >= words.len()).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags() {
        assert_eq!(tag_of("ngerman"), "de");
        assert_eq!(tag_of("American"), "en-US");
        assert_eq!(tag_of("langenglish"), "en");
        assert_eq!(tag_of("en-US"), "en-US");
        assert_eq!(tag_of("anglais"), "en");
        assert_eq!(babel_name("en"), Some("english"));
        assert_eq!(tag_of("Klingon"), "Klingon");
        assert_eq!(tag_of("ger"), "de");
        assert_eq!(babel_name("de"), Some("german"));
        for (_, tag) in LANGUAGES {
            let babel = babel_name(tag).unwrap();
            assert_eq!(tag_of(babel), *tag);
        }
    }

    #[test]
    fn texts_show_their_language() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(of_text(text), expected, "{text}");
        check(
            "The waves of the sea and the wind that is with them",
            Some("en"),
        );
        check(
            "Die Wellen und der Wind sind nicht das, was mit dem Meer ist",
            Some("de"),
        );
        check("数字是优长，文化也是优长", Some("zh"));
        check("波の高さについての研究である", Some("ja"));
        check("Волны и ветер на море", Some("ru"));
        check("Roe 2001", None);
        check("", None);
    }
}
