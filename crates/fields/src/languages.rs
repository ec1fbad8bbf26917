//! Maps language names of babel, polyglossia and common usage to BCP 47 tags, and tags to babel's names.

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
}
