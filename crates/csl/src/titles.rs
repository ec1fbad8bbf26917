//! Selects the title of a work known in two languages: the one that readers of the locale's language can
//! read.
//!
//! The title is kept unless its script is not that of the locale's language and the other title's is. The
//! other title is the record's translation (`translated-title` in `custom`) or the `original-title`; the
//! latter not for a work that is itself translated, which has a translator or a language other than the
//! locale's. The replaced title becomes the other title.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::borrow::Cow;

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::{NameVar, TextVar};

use crate::compiled::Compiled;
use crate::locale::lang;

const TRANSLATED: &str = "translated-title";

/// The items with their titles for the locale of a style.
pub fn of_all<'i>(
    compiled: &Compiled,
    items: &'i [Item],
    budget: &Budget,
) -> Result<Cow<'i, [Item]>, Exceeded> {
    let mut shown = Cow::Borrowed(items);
    for (at, item) in items.iter().enumerate() {
        let has_other =
            item.text.contains(TextVar::OriginalTitle) || item.custom.contains_key(TRANSLATED);
        if !has_other {
            continue;
        }
        budget.spend(
            item.text(TextVar::Title)
                .map_or(1, |title| 1 + title.len() as u64 / 16),
        )?;
        if let Some(item) = in_locale(item, compiled.lang()) {
            shown.to_mut()[at] = item;
        }
    }
    Ok(shown)
}

/// The item with its title for the locale; `None` if that is its title already.
fn in_locale(item: &Item, locale: &str) -> Option<Item> {
    let readers = lang::language(locale);
    let title = item.text(TextVar::Title)?;
    if reads(readers, title) {
        return None;
    }
    let mut shown = item.clone();
    let original = item.text(TextVar::OriginalTitle);
    if let Some(original) = original.filter(|text| reads(readers, text) && is_own(item, readers)) {
        shown.set_text(TextVar::Title, original);
        shown.text.remove(TextVar::OriginalTitle);
        shown.custom.insert(TRANSLATED.to_owned(), title.into());
    } else {
        let translated = item.custom.get(TRANSLATED)?.as_str()?;
        if !reads(readers, translated) {
            return None;
        }
        shown.set_text(TextVar::Title, translated);
        shown.custom.remove(TRANSLATED);
        shown.set_text(TextVar::OriginalTitle, title);
    }
    if item
        .text(TextVar::TitleShort)
        .is_some_and(|short| !reads(readers, short))
    {
        shown.text.remove(TextVar::TitleShort);
    }
    Some(shown)
}

/// Whether the original title may be the work's own title in the readers' language.
fn is_own(item: &Item, readers: &str) -> bool {
    match item.text(TextVar::Language) {
        Some(language) => lang::language(language).eq_ignore_ascii_case(readers),
        None => item.names(NameVar::Translator).is_empty(),
    }
}

/// Whether most letters of a text, ignoring markup, are in the script of a language.
fn reads(language: &str, text: &str) -> bool {
    let mut letters = 0usize;
    let mut known = 0usize;
    let mut in_tag = false;
    for c in text.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if !in_tag && c.is_alphabetic() => {
                letters += 1;
                known += usize::from(is_letter_of(language, c));
            }
            _ => {}
        }
    }
    known * 2 >= letters
}

fn is_letter_of(language: &str, c: char) -> bool {
    let is_han =
        matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    match language {
        "zh" => is_han,
        "ja" => is_han || matches!(c, '々' | '\u{3040}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}'),
        "ko" => {
            is_han
                || matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}')
        }
        "be" | "bg" | "kk" | "ky" | "mk" | "mn" | "ru" | "sr" | "tg" | "uk" => {
            matches!(c, '\u{400}'..='\u{52f}')
        }
        "el" => matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
        "ar" | "fa" | "ps" | "ur" => matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}'),
        "he" | "yi" => matches!(c, '\u{590}'..='\u{5ff}'),
        "hi" | "mr" | "ne" => matches!(c, '\u{900}'..='\u{97f}'),
        "th" => matches!(c, '\u{e00}'..='\u{e7f}'),
        "hy" => matches!(c, '\u{530}'..='\u{58f}'),
        "ka" => matches!(c, '\u{10a0}'..='\u{10ff}'),
        _ => c <= '\u{24f}' || matches!(c, '\u{1e00}'..='\u{1eff}'),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(locale: &str, item: Value, expected: &str) {
        let item: Item = serde_json::from_value(item).unwrap();
        let shown = in_locale(&item, locale);
        let title = shown.as_ref().unwrap_or(&item).text(TextVar::Title);
        assert_eq!(title, Some(expected), "{locale}");
    }

    fn record(language: &str) -> Value {
        serde_json::json!({
            "id": "a", "type": "article-journal", "title": "引用形式に関する研究",
            "language": language, "translated-title": "A study of <i>citation</i> forms",
        })
    }

    #[test]
    fn translations_are_for_readers_of_other_scripts() {
        check("en-US", record("ja"), "A study of <i>citation</i> forms");
        check("de-DE", record("ja"), "A study of <i>citation</i> forms");
        check("ja-JP", record("ja"), "引用形式に関する研究");
        check("ru-RU", record("ja"), "引用形式に関する研究");
    }

    #[test]
    fn originals_are_for_readers_of_their_language() {
        let record = |more: Value| {
            let mut item = serde_json::json!({
                "id": "a", "type": "book", "title": "War and peace", "original-title": "Война и мир",
            });
            for (key, value) in more.as_object().into_iter().flatten() {
                item[key] = value.clone();
            }
            item
        };
        check("ru-RU", record(serde_json::json!({})), "Война и мир");
        check(
            "ru-RU",
            record(serde_json::json!({"language": "ru"})),
            "Война и мир",
        );
        check(
            "en-GB",
            record(serde_json::json!({"language": "ru"})),
            "War and peace",
        );
        // The translation of a book is a separate book.
        check(
            "ru-RU",
            record(serde_json::json!({"language": "en"})),
            "War and peace",
        );
        let translated = serde_json::json!({"translator": [{"family": "Pevear"}]});
        check("ru-RU", record(translated), "War and peace");
    }

    #[test]
    fn titles_in_one_script_stand() {
        let item = serde_json::json!({
            "id": "a", "type": "book", "title": "Der kleine Prinz", "language": "de",
            "original-title": "Le Petit Prince",
        });
        check("de-DE", item.clone(), "Der kleine Prinz");
        check("fr-FR", item, "Der kleine Prinz");
    }

    #[test]
    fn what_gives_way_is_kept() {
        let item: Item = serde_json::from_value(record("ja")).unwrap();
        let shown = in_locale(&item, "en-US").unwrap();
        let original = shown.text(TextVar::OriginalTitle);
        assert_eq!(original, Some("引用形式に関する研究"));
        assert_eq!(in_locale(&shown, "ja-JP").as_ref(), Some(&item));
    }
}
