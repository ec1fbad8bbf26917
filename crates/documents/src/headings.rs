//! Headings of reference lists and of the sections that follow them.

use std::collections::HashSet;
use std::sync::LazyLock;

use citation_model::lists::{phrases, words};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// In lower case, by language; the usual one of a language first.
const LISTS: [(&str, &str); 26] = [
    (
        "en",
        "references|reference|reference list|list of references|references cited|\
         cited references|references and notes|notes and references|\
         references and further reading|references and links|\
         references and recommended reading|bibliography|selected bibliography|\
         select bibliography|annotated bibliography|bibliography and references|\
         bibliographic references|bibliographical references|works cited|works consulted|\
         cited works|works referenced|literature cited|cited literature|literature|\
         literature references|references/literature|sources|sources cited|primary sources|\
         secondary sources|primary references|secondary literature|primary literature|\
         further reading|source list|online sources|supplementary references|\
         additional references|references for methods|methods references|main references|\
         end notes|endnotes|citations",
    ),
    (
        "de",
        "literatur|literaturverzeichnis|literaturangaben|literaturnachweis|literaturnachweise|\
         literaturliste|literatur- und quellenverzeichnis|quellen- und literaturverzeichnis|\
         quellen und literatur|literatur und quellen|quellen|quellenverzeichnis|\
         quellenangaben|bibliographie|bibliografie|referenzen|einzelnachweise|\
         zitierte literatur|verwendete literatur|internetquellen|sekundärliteratur|\
         primärliteratur|schrifttum|schrifttumsverzeichnis|referenzliste|\
         weiterführende literatur",
    ),
    (
        "fr",
        "références|références bibliographiques|bibliographie|bibliographie sélective|\
         ouvrages cités|littérature|liste des références|liste de références|sources|\
         sources et bibliographie|références citées|notes et références|travaux cités|\
         littérature citée|éléments de bibliographie",
    ),
    (
        "es",
        "referencias|referencias bibliográficas|bibliografía|bibliografía citada|\
         obras citadas|trabajos citados|literatura citada|fuentes|lista de referencias|\
         referencias citadas|bibliografía y fuentes|fuentes y bibliografía",
    ),
    (
        "it",
        "bibliografia|riferimenti bibliografici|riferimenti|opere citate|letteratura|\
         letteratura citata|fonti|fonti e bibliografia|sitografia|bibliografia e sitografia|\
         referenze bibliografiche|referenze",
    ),
    (
        "pt",
        "referências|referências bibliográficas|bibliografia|obras citadas|literatura citada|\
         lista de referências|fontes|bibliografia citada",
    ),
    (
        "ca",
        "referències|referències bibliogràfiques|bibliografia|obres citades",
    ),
    (
        "nl",
        "literatuur|literatuurlijst|literatuurverwijzingen|referenties|referentielijst|\
         bibliografie|bronnen|bronnenlijst|bronvermelding|geraadpleegde literatuur|\
         literatuuropgave",
    ),
    (
        "sv",
        "referenser|referenslista|litteraturförteckning|litteratur|litteraturlista|\
         källförteckning|källor|källor och litteratur|käll- och litteraturförteckning|\
         bibliografi",
    ),
    (
        "da",
        "litteratur|litteraturliste|referencer|referenceliste|kilder|kildeliste|bibliografi|\
         litteraturfortegnelse|kildefortegnelse",
    ),
    (
        "no",
        "litteratur|litteraturliste|referanser|referanseliste|kilder|kildeliste|bibliografi|\
         kjelder|referansar|litteraturreferanser",
    ),
    (
        "fi",
        "lähteet|lähdeluettelo|kirjallisuus|viitteet|kirjallisuusluettelo|kirjallisuusviitteet",
    ),
    ("is", "heimildir|heimildaskrá|ritaskrá"),
    (
        "pl",
        "bibliografia|literatura|piśmiennictwo|literatura cytowana|spis literatury|źródła|\
         wykaz literatury|literatura cytowana i źródła|odwołania|przypisy",
    ),
    (
        "cs",
        "literatura|použitá literatura|seznam literatury|seznam použité literatury|\
         bibliografie|reference|zdroje|prameny a literatura|citovaná literatura|\
         použité zdroje|seznam použitých zdrojů",
    ),
    (
        "sk",
        "literatúra|použitá literatúra|zoznam použitej literatúry|zoznam literatúry|\
         bibliografia|bibliografické odkazy",
    ),
    (
        "hu",
        "irodalom|irodalomjegyzék|felhasznált irodalom|hivatkozások|hivatkozott irodalom|\
         bibliográfia|források",
    ),
    (
        "ro",
        "bibliografie|referințe|referințe bibliografice|surse bibliografice|\
         lista bibliografică",
    ),
    (
        "hr",
        "literatura|popis literature|reference|bibliografija|izvori|izvori i literatura|viri|\
         viri in literatura|seznam literature|литература и извори",
    ),
    (
        "tr",
        "kaynakça|kaynaklar|kaynak listesi|referanslar|bibliyografya|yararlanılan kaynaklar",
    ),
    (
        "el",
        "βιβλιογραφία|αναφορές|βιβλιογραφικές αναφορές|πηγές|παραπομπές",
    ),
    (
        "ru",
        "литература|список литературы|список использованной литературы|список источников|\
         библиография|библиографический список|источники|использованная литература|\
         список использованных источников|список источников и литературы|\
         источники и литература|ссылки|цитированная литература",
    ),
    (
        "uk",
        "література|список літератури|список використаних джерел|\
         список використаної літератури|бібліографія|джерела|посилання|літературa|\
         литература и источници|използвана литература|литературни източници",
    ),
    (
        "zh",
        "参考文献|參考文獻|引用文献|引用文獻|参考资料|參考資料|参考书目|參考書目|文献|文獻|\
         主要参考文献",
    ),
    (
        "ja",
        "参考文献|引用文献|参考資料|文献|文献一覧|引用・参考文献|引用文献・参考文献|\
         参考・引用文献|参考文献一覧|文献リスト",
    ),
    (
        "ko ar fa he vi id eu et lv lt",
        "참고문헌|참고 문헌|인용문헌|참고자료|المراجع|قائمة المراجع|المصادر|المصادر والمراجع|\
         مراجع|منابع|فهرست منابع|منابع و مآخذ|מקורות|ביבליוגרפיה|רשימת מקורות|\
         רשימה ביבליוגרפית|tài liệu tham khảo|daftar pustaka|daftar rujukan|referensi|\
         rujukan|bibliografia|erreferentziak|kasutatud kirjandus|viited|kirjandus|literatūra|\
         izmantotā literatūra|atsauces|literatūros sąrašas|naudota literatūra|šaltiniai",
    ),
];

/// First words of sections that follow a list, in lower case.
const AFTER: [&str; 65] = phrases(
    "appendix|appendices|annex|annexes|supplement|supplementary|supporting information|\
     acknowledgement|acknowledgements|acknowledgment|acknowledgments|author contributions|\
     author biographies|biographies|biography|about the author|about the authors|\
     conflict of interest|conflicts of interest|competing interests|declaration|declarations|\
     funding|data availability|figure legends|figure captions|figures|tables|list of figures|\
     list of tables|glossary|index|correspondence|publisher's note|ethics|anhang|anhänge|\
     danksagung|abbildungsverzeichnis|tabellenverzeichnis|eidesstattliche|erklärung|annexe|\
     remerciements|anexo|anexos|apéndice|agradecimientos|appendice|allegato|apêndice|bijlage|\
     bilaga|bilag|liite|załącznik|příloha|приложение|©|copyright|付録|附录|附錄|謝辞|致谢",
);

/// The heading of the list in a language such as `de-AT`; English if unknown.
pub fn list_heading(language: &str) -> String {
    let language = language.split(['-', '_']).next().unwrap_or_default();
    let known = LISTS.iter().find(|(own, _)| *own == language);
    let name = known.and_then(|(_, names)| names.split('|').next());
    let mut letters = name.unwrap_or("references").chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whether a line is the heading of a list: `7. References`, `LITERATURVERZEICHNIS:`.
pub(crate) fn names_list(line: &str) -> bool {
    static NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
        LISTS
            .iter()
            .flat_map(|(_, names)| names.split('|'))
            .map(without_accents)
            .collect()
    });
    NAMES.contains(without_accents(&bare(line)).as_str())
}

/// Whether a line is the heading of a section of notes: `Notes`, `Anmerkungen`.
pub(crate) fn names_notes(line: &str) -> bool {
    const NAMES: [&str; 15] = words(
        "notes endnotes anmerkungen endnoten fußnoten notas note noten noter noder viitteet przypisy \
         poznámky примечания 注释",
    );
    NAMES.contains(&bare(line).as_str())
}

/// A text without accents, also those that stand apart from their letters (`Bibliograf´ıa`), as printing may leave
/// them.
fn without_accents(text: &str) -> String {
    let is_accent = |c: &char| {
        is_combining_mark(*c) || matches!(c, '`' | '´' | '¨' | '¸' | '˛' | '^' | '~' | 'ˆ'..='˝')
    };
    let letters = text.nfd().filter(|c| !is_accent(c));
    letters
        .map(|c| match c {
            'ı' => 'i',
            'ȷ' => 'j',
            c => c,
        })
        .collect()
}

/// Whether a line is the heading of a section that follows a list.
pub(crate) fn follows_list(line: &str) -> bool {
    const MAX_LENGTH: usize = 90;
    let name = bare(line);
    let begins = |word: &str| {
        let has_letters = |rest: &str| rest.starts_with(char::is_alphabetic);
        // In scripts without blanks, words are not separated.
        let runs_on = !word.is_ascii() && word.ends_with(|c| c >= '\u{3000}');
        name.strip_prefix(word)
            .is_some_and(|rest| runs_on || !has_letters(rest))
    };
    line.len() <= MAX_LENGTH && AFTER.iter().any(|word| begins(word))
}

/// First words of captions, in lower case.
const CAPTIONS: [&str; 22] = words(
    "figure fig table tab scheme chart box plate abbildung abb tabelle tableau figura tabla \
     tabella tabela рис таблица рисунок tabel 図 表",
);

/// Whether a paragraph is a caption: `Table A1. Codes`, `Abb. 2: Stationen`, `表1 符号`.
pub(crate) fn is_caption(text: &str) -> bool {
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let word = word.to_lowercase();
    // `表A1` has no blank between word and label.
    let word = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() && !word.is_ascii());
    let label = rest.trim_start_matches(['.', ' ', '\u{a0}']);
    let label = label.trim_start_matches(|c: char| c.is_ascii_uppercase());
    CAPTIONS.contains(&word) && label.starts_with(|c: char| c.is_ascii_digit())
}

/// A heading in lower case, without its number, frame and bracketed remark.
fn bare(line: &str) -> String {
    const MAX_LENGTH: usize = 120;
    let line = line.trim();
    if line.len() > MAX_LENGTH || line.contains('\n') {
        return String::new();
    }
    let framed = |c: char| c.is_whitespace() || "#*=_-–—:：.．。·•|【】〔〕〈〉《》[]§".contains(c);
    let line = line.trim_matches(framed);
    let letters: Vec<&str> = line.split_whitespace().collect();
    // `R E F E R E N C E S`, with close pairs: `L I T E R AT U R`
    let single = { letters.iter() }.filter(|word| word.chars().count() == 1);
    let is_spaced = letters.iter().all(|word| word.chars().count() <= 2);
    if letters.len() > 4 && is_spaced && single.count() * 2 > letters.len() {
        return letters.concat().to_lowercase();
    }
    let line = without_number(line).trim_matches(framed);
    let line = match line.split_once(['(', '（', '[']) {
        Some((name, _)) => name.trim_matches(framed),
        None => line,
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// A heading without `7`, `7.2.`, `VII.`, `A.`
fn without_number(line: &str) -> &str {
    let Some((number, rest)) = line.split_once([' ', '\u{a0}', '\t', '.', '、', ')']) else {
        return line;
    };
    let is_number = !number.is_empty()
        && (number.chars().all(|c| c.is_ascii_digit())
            || number.chars().all(|c| "IVXLC".contains(c))
            || number.len() == 1 && number.starts_with(|c: char| c.is_ascii_uppercase()));
    let rest =
        rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
    if is_number && !rest.is_empty() && rest.chars().count() > 1 {
        rest
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_headings_are_recognised() {
        for line in [
            "References",
            "7. REFERENCES",
            "VII. References:",
            "**Literaturverzeichnis**",
            "R E F E R E N C E S",
            "L I T E R AT U R",
            "Bibliograf´ıa",
            "R´ef´erences",
            "References (26)",
            "References[edit]",
            "参考文献",
            "Список литературы",
        ] {
            assert!(names_list(line), "{line}");
        }
        for line in [
            "Reference values",
            "References to earlier surveys",
            "References . . . 17",
            "",
        ] {
            assert!(!names_list(line), "{line}");
        }
    }

    #[test]
    fn headings_after_the_list_are_recognised() {
        assert!(follows_list("Appendix A. Questionnaire"));
        assert!(follows_list("8 Acknowledgements"));
        assert!(follows_list("付録A 質問票"));
        assert!(!follows_list("Indexing of crystals, 2001"));
        for caption in [
            "Table A1. Codes",
            "Fig. 3",
            "Abb. 2: Stationen",
            "表A1 符号",
        ] {
            assert!(is_caption(caption), "{caption}");
        }
        assert!(!is_caption("Tab, C. (2001). Figures."));
    }
}
