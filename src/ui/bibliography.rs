//! A list of works with the choice of style and locale above it and the export links below. Shared by
//! the first page, collections and shared lists.

use super::html::Html;
use citation_exchange::Format;
use citation_model::identifier::percent_encode;

/// One work of a list.
#[derive(Clone, Debug, Default)]
pub struct WorkView {
    /// The formatted entry, or the citation if the style has no bibliography.
    pub entry: Html,
    pub in_text: Html,
    /// Names the work for screen readers, which cannot see the position of its buttons.
    pub title: String,
    pub tags: Vec<String>,
    /// Its state in words; may be empty.
    pub state: &'static str,
    /// The address of its retraction notice.
    pub notice: Option<String>,
    /// The value of its buttons; without it, it has none.
    pub id: String,
    /// The address of its own page, if it has one.
    pub page: Option<String>,
    /// Whether it can swap places with the work above it.
    pub can_rise: bool,
    pub note: String,
    /// The work as an OpenURL, for the browser connectors of reference managers; may be empty.
    pub open_url: String,
}

/// The style and locale of a list, and the alternatives.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Short name and title of the style.
    pub styles: Vec<(String, String)>,
    pub style: String,
    pub locales: Vec<String>,
    pub locale: String,
}

/// The most common export formats: the name in addresses and the label.
pub const FORMATS: [(&str, &str); 8] = [
    ("bibtex", "BibTeX"),
    ("biblatex", "biblatex"),
    ("ris", "RIS"),
    ("csl-json", "CSL-JSON"),
    ("rtf", "RTF"),
    ("html", "HTML"),
    ("markdown", "Markdown"),
    ("text", "Text"),
];

/// The label of an export format that is formatted in a style.
pub fn format_label(name: &str) -> Option<&'static str> {
    let known = FORMATS.iter().find(|(known, _)| *known == name);
    known.map(|(_, label)| *label)
}

/// Files of every format: addresses and names. `address` lacks the format's name and the query.
pub fn export_links(address: &str, choice: &Choice) -> Vec<(String, &'static str)> {
    let is_formatted = |(format, _): &&(&'static str, &'static str)| {
        Format::named(format).is_none_or(|f| f.id != *format)
    };
    let formatted = FORMATS.iter().filter(is_formatted).copied();
    let records = Format::writable().map(|format| (format.id, format.title));
    let all = records.chain(formatted);
    all.map(|(format, name)| (export_address(address, format, choice), name))
        .collect()
}

/// The same with each work's note after it.
pub fn annotated_links(address: &str, choice: &Choice) -> Vec<(String, &'static str)> {
    let formatted = FORMATS.into_iter();
    let formatted =
        formatted.filter(|(format, _)| ["rtf", "html", "markdown", "text"].contains(format));
    formatted
        .map(|(format, name)| {
            let address = export_address(address, format, choice);
            (address + "&notes=true", name)
        })
        .collect()
}

fn export_address(address: &str, format: &str, choice: &Choice) -> String {
    let (style, locale) = (
        percent_encode(&choice.style),
        percent_encode(&choice.locale),
    );
    format!("{address}{format}?style={style}&locale={locale}")
}

/// A language in its own language; the tag if unknown.
pub fn locale_name(tag: &str) -> &str {
    let known = LOCALES.iter().find(|(known, _)| *known == tag);
    known.map_or(tag, |(_, name)| name)
}

const LOCALES: [(&str, &str); 63] = [
    ("af-ZA", "Afrikaans"),
    ("ar", "العربية"),
    ("bal-PK", "بلۏچی"),
    ("bg-BG", "Български"),
    ("brh-PK", "Bráhuí"),
    ("ca-AD", "Català"),
    ("cs-CZ", "Čeština"),
    ("cy-GB", "Cymraeg"),
    ("da-DK", "Dansk"),
    ("de-AT", "Deutsch (Österreich)"),
    ("de-CH", "Deutsch (Schweiz)"),
    ("de-DE", "Deutsch (Deutschland)"),
    ("el-GR", "Ελληνικά"),
    ("en-GB", "English (UK)"),
    ("en-US", "English (US)"),
    ("es-CL", "Español (Chile)"),
    ("es-ES", "Español (España)"),
    ("es-MX", "Español (México)"),
    ("et-EE", "Eesti"),
    ("eu", "Euskara"),
    ("fa-IR", "فارسی"),
    ("fi-FI", "Suomi"),
    ("fr-CA", "Français (Canada)"),
    ("fr-FR", "Français (France)"),
    ("gl-ES", "Galego"),
    ("he-IL", "עברית"),
    ("hi-IN", "हिन्दी"),
    ("hr-HR", "Hrvatski"),
    ("hu-HU", "Magyar"),
    ("hy-AM", "Հայերեն"),
    ("id-ID", "Bahasa Indonesia"),
    ("is-IS", "Íslenska"),
    ("it-IT", "Italiano"),
    ("ja-JP", "日本語"),
    ("kk-KZ", "Қазақша"),
    ("km-KH", "ភាសាខ្មែរ"),
    ("ko-KR", "한국어"),
    ("la", "Latina"),
    ("lij-IT", "Ligure"),
    ("lt-LT", "Lietuvių"),
    ("lv-LV", "Latviešu"),
    ("mn-MN", "Монгол"),
    ("ms-MY", "Bahasa Melayu"),
    ("nb-NO", "Norsk bokmål"),
    ("nl-NL", "Nederlands"),
    ("nn-NO", "Norsk nynorsk"),
    ("pa-PK", "پنجابی"),
    ("pl-PL", "Polski"),
    ("pt-BR", "Português (Brasil)"),
    ("pt-PT", "Português (Portugal)"),
    ("ro-RO", "Română"),
    ("ru-RU", "Русский"),
    ("sk-SK", "Slovenčina"),
    ("sl-SI", "Slovenščina"),
    ("sr-Cyrl-RS", "Српски"),
    ("sr-RS", "Српски / Srpski"),
    ("sv-SE", "Svenska"),
    ("th-TH", "ไทย"),
    ("tr-TR", "Türkçe"),
    ("uk-UA", "Українська"),
    ("vi-VN", "Tiếng Việt"),
    ("zh-CN", "中文 (中国大陆)"),
    ("zh-TW", "中文 (台灣)"),
];
