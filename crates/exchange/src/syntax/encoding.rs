//! Detects the encoding of a file and decodes it.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::syntax::code_pages;

/// A supported encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin1,
    Windows1252,
    /// Another code page: that of a language, or of an older system.
    CodePage(&'static encoding_rs::Encoding),
}

impl Encoding {
    /// The IANA name in lower case: `utf-8`, `utf-16le`, `utf-16be`, `iso-8859-1`, `windows-1252`,
    /// `windows-1251`, `gbk`, `macintosh` and others.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Latin1 => "iso-8859-1",
            Encoding::Windows1252 => "windows-1252",
            Encoding::CodePage(page) => match page.name() {
                "GBK" => "gbk",
                "gb18030" => "gb18030",
                "Big5" => "big5",
                "EUC-KR" => "euc-kr",
                "EUC-JP" => "euc-jp",
                "Shift_JIS" => "shift_jis",
                "KOI8-R" => "koi8-r",
                "KOI8-U" => "koi8-u",
                "IBM866" => "ibm866",
                "ISO-8859-2" => "iso-8859-2",
                "ISO-8859-5" => "iso-8859-5",
                "ISO-8859-7" => "iso-8859-7",
                "ISO-8859-15" => "iso-8859-15",
                name => name,
            },
        }
    }

    /// The encoding of a label, as programs write it: `Cp1251`, `latin1`, `ISO8859_1`, `Mac OS Roman`.
    pub fn of_label(label: &str) -> Option<Encoding> {
        let label = label.trim().to_ascii_lowercase().replace('_', "-");
        let label = match label.as_str() {
            "macroman" | "mac os roman" | "applemac" | "western (mac os roman)" => "macintosh",
            "utf8x" | "unicode (utf-8)" | "utf-8-unix" | "utf-8-dos" => "utf-8",
            "ansinew" | "western (windows latin 1)" | "ansi" => "windows-1252",
            "western (iso latin 1)" | "latin1" | "latin-1" | "iso latin 1" => "iso-8859-1",
            "latin2" | "latin-2" => "iso-8859-2",
            "latin9" | "iso latin 9" | "western (iso latin 9)" => "iso-8859-15",
            "shiftjis" => "shift_jis",
            "shift-jis" | "sjis" => "shift_jis",
            label => label,
        };
        let found = encoding_rs::Encoding::for_label(label.as_bytes())?;
        Some(match found.name() {
            "UTF-8" => Encoding::Utf8,
            "UTF-16LE" => Encoding::Utf16Le,
            "UTF-16BE" => Encoding::Utf16Be,
            "windows-1252" if label.starts_with("iso") => Encoding::Latin1,
            "windows-1252" => Encoding::Windows1252,
            "replacement" => return None,
            _ => Encoding::CodePage(found),
        })
    }
}

/// How the encoding of a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingSource {
    /// By a byte order mark, or because the bytes are valid in it.
    Certain,
    /// The file names it.
    Declared,
    /// UTF-8 with stray bytes, which are read as Windows-1252.
    Repaired,
    /// By what its words would be.
    Guessed,
}

/// Decodes a file. A byte order mark decides and is dropped. Otherwise zero bytes at every other position
/// mean UTF-16, and valid UTF-8 is UTF-8. Then an encoding that the file names counts if its bytes are valid
/// in it. UTF-8 with a few invalid bytes stays UTF-8; these are read as Windows-1252. The rest is guessed.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Encoding) {
    let encoding = sniff(bytes);
    (decode_as(bytes, encoding), encoding)
}

/// Whether the beginning of a decoded file is text: not a PDF, and almost no control characters. A few
/// occur in text copied from a PDF.
pub fn is_text(text: &str) -> bool {
    const LOOKED_AT: usize = 8_000;
    const MAX_SHARE: usize = 50;
    let is_control = |c: &char| c.is_control() && !c.is_whitespace() && *c != '\u{1b}';
    let beginning = || text.chars().take(LOOKED_AT);
    let controls = beginning().filter(is_control).count();
    let is_binary = beginning().any(|c| c == '\0') || controls * MAX_SHARE > beginning().count();
    !is_binary && !text.trim_start().starts_with("%PDF-")
}

/// Decodes bytes in a known encoding. A byte order mark is dropped.
pub fn decode_as(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    match encoding {
        Encoding::Utf8 => utf8_with_strays(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
        Encoding::Utf16Le => UTF_16LE.decode_with_bom_removal(bytes).0,
        Encoding::Utf16Be => UTF_16BE.decode_with_bom_removal(bytes).0,
        // The two agree on any text detected as Latin-1.
        Encoding::Latin1 | Encoding::Windows1252 => {
            WINDOWS_1252.decode_without_bom_handling(bytes).0
        }
        Encoding::CodePage(page) => page.decode_without_bom_handling(bytes).0,
    }
}

/// UTF-8 whose invalid bytes are those of texts that were pasted in.
fn utf8_with_strays(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    Cow::Owned(text)
}

/// The encoding that [`decode`] assumes.
pub fn sniff(bytes: &[u8]) -> Encoding {
    detect(bytes).0
}

/// The encoding that [`decode`] assumes, and how it was found.
pub fn detect(bytes: &[u8]) -> (Encoding, EncodingSource) {
    use EncodingSource::{Certain, Declared, Guessed, Repaired};
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return (Encoding::Utf8, Certain),
        [0xff, 0xfe, ..] => return (Encoding::Utf16Le, Certain),
        [0xfe, 0xff, ..] => return (Encoding::Utf16Be, Certain),
        _ => {}
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return (encoding, Certain);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return (Encoding::Utf8, Certain);
    }
    if mostly_utf8(bytes) {
        return (Encoding::Utf8, Repaired);
    }
    if let Some(encoding) = declared(bytes) {
        return (encoding, Declared);
    }
    (code_pages::guess(bytes), Guessed)
}

/// Bytes at the beginning and at the end in which a file names its encoding.
const LOOKED_AT: usize = 4_096;

/// The encoding that a file names, if all of its bytes are valid in it. UTF-8 is not: its bytes are invalid.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let tail = bytes.get(bytes.len().saturating_sub(LOOKED_AT)..)?;
    [head, tail].iter().find_map(|part| {
        let text = String::from_utf8_lossy(part);
        let mut found = text
            .lines()
            .filter_map(|line| Encoding::of_label(label(line)?));
        found.find(|encoding| match encoding {
            Encoding::CodePage(page) => !page.decode_without_bom_handling(bytes).1,
            Encoding::Latin1 | Encoding::Windows1252 => true,
            _ => false,
        })
    })
}

/// The label of an encoding in a line: of TeX editors (`% !TeX encoding = UTF-8`), JabRef (`% Encoding: UTF8`),
/// BibDesk, Emacs (`-*- coding: latin-1 -*-`), LaTeX (`\usepackage[latin1]{inputenc}`) and XML.
fn label(line: &str) -> Option<&str> {
    const MAX_LINE_LENGTH: usize = 500;
    const MAX_LABEL_LENGTH: usize = 40;
    if line.len() > MAX_LINE_LENGTH {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    if let Some(end) = lower.find("]{inputenc}") {
        return line.get(..end)?.rsplit('[').next();
    }
    let words = ["saved with string encoding ", "encoding", "coding:"];
    let (at, word) = words
        .iter()
        .find_map(|word| Some((lower.find(word)?, word)))?;
    let rest = line.get(at + word.len()..)?;
    let rest = rest.trim_start_matches([' ', ':', '=', '"', '\'']);
    let end = if word.starts_with("saved") {
        rest.len()
    } else {
        rest.find([' ', '"', '\'', ';', '%', '?'])
            .unwrap_or(rest.len())
    };
    rest.get(..end)
        .filter(|label| label.len() <= MAX_LABEL_LENGTH)
}

/// Bibliographies are mostly ASCII, so in UTF-16 every other byte is zero.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let sample = bytes.get(..bytes.len().min(4096) & !1)?;
    if sample.len() < 4 || bytes.len() % 2 == 1 {
        return None;
    }
    let pairs = sample.len() / 2;
    let zeros = |offset: usize| {
        let chosen = sample.iter().skip(offset).step_by(2);
        chosen.filter(|byte| **byte == 0).count()
    };
    let (first, second) = (zeros(0), zeros(1));
    if second * 10 > pairs * 6 && first * 10 < pairs {
        Some(Encoding::Utf16Le)
    } else if first * 10 > pairs * 6 && second * 10 < pairs {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// Whether the bytes are UTF-8 with errors: as many valid sequences of several bytes as invalid places. Texts in
/// other encodings rarely contain even one.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let mut good = 0_usize;
    let mut bad = 0_usize;
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= bad
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_reported() {
        let check = |bytes: &[u8], expected| assert_eq!(is_text(&decode(bytes).0), expected);
        check(
            b"Doe J. A\x02 of it.\x0c Ring 2001, with many more words than that one sign.",
            true,
        );
        check("Щербаков И. Звон\u{2028}1987".as_bytes(), true);
        check(b"", true);
        check(b"%PDF-1.7\n1 0 obj", false);
        check(
            b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00>\x00",
            false,
        );
        check(b"PK\x03\x04\x14\x00\x06\x00\x08\x00", false);
    }

    #[track_caller]
    fn check(bytes: &[u8], text: &str, encoding: Encoding) {
        assert_eq!(decode(bytes), (text.into(), encoding));
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf8_with_and_without_mark() {
        check("Müller".as_bytes(), "Müller", Encoding::Utf8);
        check(b"\xef\xbb\xbfM\xc3\xbcller", "Müller", Encoding::Utf8);
        check(b"", "", Encoding::Utf8);
    }

    #[test]
    fn utf16_with_and_without_mark() {
        let text = "@book{Müller, title={X}}";
        check(&utf16(text, u16::to_le_bytes), text, Encoding::Utf16Le);
        check(&utf16(text, u16::to_be_bytes), text, Encoding::Utf16Be);
        let marked = format!("\u{feff}{text}");
        check(&utf16(&marked, u16::to_le_bytes), text, Encoding::Utf16Le);
        check(&utf16(&marked, u16::to_be_bytes), text, Encoding::Utf16Be);
    }

    #[test]
    fn one_byte_encodings() {
        check(b"M\xfcller", "Müller", Encoding::Latin1);
        check(
            b"M\xfcller \x96 \x93x\x94",
            "Müller – “x”",
            Encoding::Windows1252,
        );
    }

    #[test]
    fn a_bad_byte_in_much_utf8_stays_utf8() {
        let mut bytes = "äöüäöüäöüäöü".as_bytes().to_vec();
        bytes.push(0xff);
        check(&bytes, "äöüäöüäöüäöüÿ", Encoding::Utf8);
        check(b"M\xc3\xbcller M\xfcller", "Müller Müller", Encoding::Utf8);
    }

    #[test]
    fn encodings_that_files_name_count() {
        let check = |head: &str, text: &str, label: &str| {
            let encoding = Encoding::of_label(label).unwrap();
            let page = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).unwrap();
            let whole = format!("{head}\n@book{{a, title={{{text}}}}}\n");
            let bytes = page.encode(&whole).0.into_owned();
            assert_eq!(
                detect(&bytes),
                (encoding, EncodingSource::Declared),
                "{head}"
            );
            assert_eq!(decode(&bytes).0, whole);
        };
        check("% Encoding: Cp1251", "О проверке", "cp1251");
        check("% !TeX encoding = windows-1250", "Zkouška", "Cp1250");
        check(
            "%% Saved with string encoding Western (Mac OS Roman) ",
            "Über",
            "macroman",
        );
        check("% -*- coding: latin-1 -*-", "Über", "latin1");
        check("\\usepackage[latin2]{inputenc}", "Łódź", "iso-8859-2");
        check("% Encoding: GBK", "中国学报", "gbk");
    }

    #[test]
    fn encodings_that_no_file_names_are_guessed() {
        let check = |text: &str, label: &str| {
            let page = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let bytes = page.encode(text).0.into_owned();
            let (encoding, source) = detect(&bytes);
            assert_eq!(
                (encoding.name(), source),
                (label, EncodingSource::Guessed),
                "{text}"
            );
            assert_eq!(decode(&bytes).0, text);
        };
        check(
            "@article{ivanov, author={Иванов, Иван}, title={О проверке}, journal={Вестник}}",
            "windows-1251",
        );
        check(
            "@article{n, author={Dvořák, Jiří and Łukasz, Żak}, title={Zkouška čtení}}",
            "windows-1250",
        );
        check(
            "@article{a, author={Müller, Jörg}, title={Über Ät}}",
            "macintosh",
        );
        check(
            "@article{wang, author={王, 明}, title={中文测试}, journal={学报}}",
            "gbk",
        );
        check(
            "@article{lin, author={林, 大明}, title={台灣的歷史與文化}, journal={學報}}",
            "big5",
        );
        check(
            "@article{kim, author={김, 철수}, title={한국어 시험}, journal={학회지}}",
            "euc-kr",
        );
        check(
            "@article{s, author={佐藤, 花子}, title={日本語のテストについて}}",
            "shift_jis",
        );
        check(
            "TI  - Économie de la santé “à l’œuvre”\nAU  - Müller, K.\nAU  - Ørsted, H.",
            "windows-1252",
        );
        check(
            "AU  - García Núñez, José\nTI  - El niño – una revisión",
            "windows-1252",
        );
        check(
            "AU  - Yılmaz, Ayşe\nTI  - Türkiye'de kaynakça doğrulama ve işleme",
            "windows-1254",
        );
        check(
            "AU  - Íslands, Háskóli\nTI  - Um þróun íslenskrar tungu og það",
            "iso-8859-1",
        );
        check(
            "AU  - Παπαδόπουλος, Γιώργος\nTI  - Ο έλεγχος των παραπομπών",
            "windows-1253",
        );
        check(
            "AU  - כהן, דוד\nTI  - בדיקת הפניות ביבליוגרפיות",
            "windows-1255",
        );
        check("AU  - العلي, محمد\nTI  - التحقق من المراجع", "windows-1256");
        check(
            "@book{i, author={Иванов, Иван}, title={О проверке}}",
            "koi8-r",
        );
    }
}
