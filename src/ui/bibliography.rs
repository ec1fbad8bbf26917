//! A list of works as a page shows it, the choice of style and locale above it, and the ways to take
//! it along below. Shared by the first page, collections and what others share.

use super::html::{Fill, Html, Template};
use super::page::option;
use super::styles;
use super::words::Words;
use citation_exchange::Format;
use citation_model::identifier::percent_encode;

/// One work of a list.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The formatted entry; its citation in a style without a bibliography.
    pub entry: Html,
    pub in_text: Html,
    /// Badges and links of its own.
    pub beside: Html,
    /// Buttons of its own.
    pub buttons: Html,
    pub note: String,
    /// The work as an OpenURL, for the connectors of reference managers; may be empty.
    pub open_url: String,
}

/// What a list is formatted with, and what else there is.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Short name of the style and its title.
    pub styles: Vec<(String, String)>,
    pub style: String,
    pub locales: Vec<String>,
    pub locale: String,
}

const SETTINGS: Template = Template(
    r#"<div class="settings" id="settings" data-style="{style}" data-locale="{locale}">
<div class="field"><label for="style">{~settings.style}</label>
<select id="style" name="style">{styles}</select></div>
<div class="field"><label for="locale">{~settings.locale}</label>
<select id="locale" name="locale">{locales}</select></div>
<div class="field scriptless"><label for="other_style">{~settings.other}</label>
<input id="other_style" name="other_style" autocomplete="off" placeholder="nature"></div>
<button class="scriptless" name="do" value="format">{~settings.apply}</button>
<div class="narrow" id="narrow" hidden><select data-name="citation_format" aria-label="{~styles.format}">{formats}</select><select data-name="field" aria-label="{~styles.field}">{fields}</select></div>
</div>"#,
);

/// The choice of style and locale, as part of a form.
pub fn settings(words: Words, choice: &Choice) -> Html {
    let styles = choice
        .styles
        .iter()
        .map(|(id, title)| option(id, title, *id == choice.style, None));
    let automatic = option(
        "",
        words.get("settings.automatic"),
        choice.locale.is_empty(),
        None,
    );
    let locales = choice
        .locales
        .iter()
        .map(|tag| option(tag, locale_name(tag), *tag == choice.locale, None));
    SETTINGS.say(
        words,
        &[
            ("style", choice.style.as_str().into()),
            (
                "formats",
                styles::formats(words, words.get("styles.all-formats"), "").into(),
            ),
            (
                "fields",
                styles::fields(words, words.get("styles.all-fields"), "").into(),
            ),
            ("locale", choice.locale.as_str().into()),
            ("styles", Html::join(styles).into()),
            (
                "locales",
                Html::join(std::iter::once(automatic).chain(locales)).into(),
            ),
        ],
    )
}

const LIST: Template = Template(r#"<ol class="entries{hanging}" role="list">{lines}</ol>"#);

const LINE: Template = Template(
    r#"<li class="entry"><div class="text" dir="auto">{entry}</div>
<p class="under"><span class="in-text" dir="auto">{in_text}</span>{beside}</p>{note}
<div class="buttons">{buttons}</div></li>
"#,
);

const NOTE: Template = Template(r#"<p class="note" dir="auto">{note}</p>"#);

/// The list itself.
pub fn list(lines: &[Line], has_hanging_indent: bool) -> Html {
    let lines = lines.iter().map(|line| {
        let note = match line.note.as_str() {
            "" => Html::empty(),
            note => NOTE.fill(&[("note", note.into())]),
        };
        LINE.fill(&[
            ("entry", line.entry.clone().into()),
            ("in_text", line.in_text.clone().into()),
            ("beside", line.beside.clone().into()),
            ("note", note.into()),
            ("buttons", line.buttons.clone().into()),
        ])
    });
    let hanging = if has_hanging_indent { " hanging" } else { "" };
    LIST.fill(&[
        ("lines", Html::join(lines).into()),
        ("hanging", hanging.into()),
    ])
}

/// The works of a list for the connectors of reference managers. They stand beside the list, since a page's
/// module writes the list anew.
pub fn coins(lines: &[Line]) -> Html {
    const COINS: Template = Template(r#"<span class="Z3988" title="{open_url}"></span>"#);
    let open_urls = lines.iter().map(|line| line.open_url.as_str());
    let known = open_urls.filter(|open_url| !open_url.is_empty());
    Html::join(known.map(|open_url| COINS.fill(&[("open_url", open_url.into())])))
}

/// What a list is mostly taken along as: the name in addresses, and how people call it.
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

const EXPORT_BUTTON: Template = Template(
    r#"<button class="plain" formaction="{address}" name="format" value="{format}">{name}</button> "#,
);

/// Buttons that send the form to where it becomes a file.
pub fn export_buttons(address: &str) -> Html {
    Html::join(FORMATS.iter().map(|(format, name)| {
        EXPORT_BUTTON.fill(&[
            ("address", address.into()),
            ("format", (*format).into()),
            ("name", (*name).into()),
        ])
    }))
}

const EXPORT_LINK: Template = Template(r#"<li><a href="{address}" download>{name}</a></li>"#);

/// Links to files of every format: address without the format's name in front of the query.
pub fn export_links(address: &str, style: &str, locale: &str) -> Html {
    let is_formatted = |(format, _): &&(&'static str, &'static str)| {
        Format::named(format).is_none_or(|f| f.id != *format)
    };
    let formatted = FORMATS.iter().filter(is_formatted).copied();
    let records = Format::writable().map(|format| (format.id, format.title));
    Html::join(records.chain(formatted).map(|(format, name)| {
        let address = format!(
            "{address}{format}?style={}&locale={}",
            percent_encode(style),
            percent_encode(locale)
        );
        EXPORT_LINK.fill(&[("address", address.into()), ("name", name.into())])
    }))
}

/// Links to files in which each work is followed by its note, by the address of a form.
pub fn annotated_links(address: impl Fn(&str) -> String, choice: &Choice) -> Html {
    let formatted = FORMATS
        .iter()
        .filter(|(format, _)| ["rtf", "html", "markdown", "text"].contains(format));
    Html::join(formatted.map(|(format, name)| {
        let (style, locale) = (&choice.style, &choice.locale);
        let address = format!(
            "{}?style={}&locale={}&notes=true",
            address(format),
            percent_encode(style),
            percent_encode(locale)
        );
        EXPORT_LINK.fill(&[("address", address.into()), ("name", (*name).into())])
    }))
}

/// A button of a list's form: what it does and the text that names it for those who do not see
/// where it stands.
pub fn button(words: Words, action: &str, key: &str, title: &str) -> Html {
    const BUTTON: Template = Template(
        r#"<button class="plain" name="do" value="{action}" aria-label="{text}: {title}">{text}</button>"#,
    );
    BUTTON.fill(&[
        ("action", action.into()),
        ("text", words.get(key).into()),
        ("title", Fill::from(title)),
    ])
}

/// A language as its own speakers call it; the tag where that is not known.
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
