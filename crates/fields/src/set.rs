//! Sets an item's variables from cleaned values. Absent and blank values are ignored.

use serde_json::Value;

use citation_model::date::Date;
use citation_model::identifier::{Isbn, Issn};
use citation_model::item::Item;
use citation_model::variable::{DateVar, NumberVar, TextVar};

use crate::clean;
use crate::names;

/// Sets a text that may carry inline markup.
pub fn rich(item: &mut Item, variable: TextVar, value: Option<&str>) {
    if let Some(value) = value {
        item.set_text(variable, clean::rich(value));
    }
}

/// Sets a text without markup.
pub fn plain(item: &mut Item, variable: TextVar, value: Option<&str>) {
    if let Some(value) = value {
        item.set_text(variable, clean::plain(value));
    }
}

/// Sets a publisher or place without the punctuation of library records. Placeholders (`[s.n.]`, `(:unav)`)
/// are ignored.
pub fn imprint(item: &mut Item, variable: TextVar, value: Option<&str>) {
    let value = clean::plain(value.unwrap_or_default());
    // A question mark stands behind what a cataloguer inferred.
    let value = value.trim_matches(['[', ']', ':', ';', ',', '?', ' ']);
    let says_none = matches!(
        value.to_lowercase().as_str(),
        "s.n." | "s.l." | "s.n" | "s.l" | "n.p."
    );
    if !says_none && !names::is_nobody(value) {
        item.set_text(variable, value);
    }
}

pub fn number(item: &mut Item, variable: NumberVar, value: Option<&str>) {
    if let Some(value) = value {
        item.set_number(variable, clean::plain(value));
    }
}

pub fn date(item: &mut Item, variable: DateVar, value: Option<&Date>) {
    if let Some(value) = value {
        item.set_date(variable, value.clone());
    }
}

pub fn pages(item: &mut Item, value: Option<&str>) {
    if let Some(pages) = value.and_then(clean::pages) {
        item.set_number(NumberVar::Page, pages);
    }
}

/// Sets volume or issue. If the value only states that the work is ahead of print, it becomes the status
/// instead.
pub fn volume_or_issue(item: &mut Item, variable: NumberVar, value: Option<&str>) {
    let Some(value) = value.map(clean::plain) else {
        return;
    };
    if clean::is_ahead_of_print(&value) {
        item.set_text(TextVar::Status, "ahead of print");
    } else if clean::pages(&value).is_some() {
        item.set_number(variable, value);
    }
}

/// Sets the title with its subtitle, and records in `custom` if it is in all capitals.
pub fn title(item: &mut Item, title: &str, subtitle: Option<&str>) {
    let title = clean::rich(title);
    // Library records separate the title from the statement of responsibility by a slash.
    let bare = title.strip_suffix(" /").unwrap_or(&title);
    let bare = without_full_stop(without_note_mark(bare));
    let (title, translated) = in_two_scripts(bare.to_owned());
    let mut title = with_subtitle(title, subtitle);
    title.truncate(without_full_stop(&title).len());
    if clean::is_all_caps(&title) {
        item.custom
            .insert("title-all-caps".into(), Value::Bool(true));
    }
    item.set_text(TextVar::Title, title);
    further_titles(item, translated.as_deref());
}

/// Without the mark of a footnote at the end, such as a grant's: `The title*`, `The title<sup>1</sup>`. A raised
/// number counts only behind a long word, not in a formula.
fn without_note_mark(title: &str) -> &str {
    let is_word = |text: &str| {
        let letters = text.chars().rev().take_while(|c| c.is_lowercase()).count();
        letters >= 4
    };
    let raised = || {
        let (before, mark) = title.strip_suffix("</sup>")?.rsplit_once("<sup>")?;
        let is_mark = mark
            .chars()
            .all(|c| c.is_ascii_digit() || NOTE_MARKS.contains(&c));
        (is_mark && is_word(before)).then_some(before)
    };
    let plain = || {
        let before = title.trim_end_matches(NOTE_MARKS).trim_end();
        let is_end = |c: char| c.is_lowercase() || matches!(c, '?' | '!' | '.' | '”' | '"' | ')');
        (before.len() < title.len() && before.ends_with(is_end)).then_some(before)
    };
    raised().or_else(plain).unwrap_or(title)
}

const NOTE_MARKS: [char; 5] = ['*', '†', '‡', '§', '¶'];

/// Without the full stop of a sentence at the end, which styles set themselves. That of an abbreviation stays.
fn without_full_stop(title: &str) -> &str {
    const SHORTENED: [&str; 8] = [
        "subsp", "suppl", "assoc", "corp", "bros", "dept", "univ", "proc",
    ];
    let Some(bare) = title.strip_suffix('.') else {
        return title;
    };
    let text = bare.strip_suffix("</i>").unwrap_or(bare);
    let text = text.trim_end_matches([')', ']', '”', '"']);
    let word = text.rsplit([' ', '-', '–', '(', '>', '’', '\'']).next();
    let word = word.unwrap_or_default();
    let is_whole = word.chars().count() >= 4
        && word.chars().all(char::is_alphanumeric)
        && !SHORTENED.contains(&word.to_lowercase().as_str());
    if is_whole { bare } else { title }
}

/// A title and its translation into a language of another script, which some sources write into one text:
/// `Вода / Water`, `Water [水]`.
fn in_two_scripts(title: String) -> (String, Option<String>) {
    let halves = [" / ", " = "]
        .iter()
        .find_map(|separator| title.split_once(separator));
    let bracketed = || title.strip_suffix(']')?.rsplit_once(" [");
    let Some((first, second)) = halves.or_else(bracketed) else {
        return (title, None);
    };
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let are_titles = letters(first) >= 2 && letters(second) >= 2 && !second.contains(" / ");
    if are_titles && is_in_own_script(first) != is_in_own_script(second) {
        (first.trim().to_owned(), Some(second.trim().to_owned()))
    } else {
        (title, None)
    }
}

/// Keeps the first further title that differs: as the original title if only it is in a non-Latin script,
/// otherwise in `custom` as a translation.
pub fn further_titles<'a>(item: &mut Item, titles: impl IntoIterator<Item = &'a str>) {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let title = item.text(TextVar::Title).unwrap_or_default().to_owned();
    let is_other = |text: &String| !text.is_empty() && letters(text) != letters(&title);
    let Some(other) = titles.into_iter().map(clean::rich).find(is_other) else {
        return;
    };
    let is_original = is_in_own_script(&other) && !is_in_own_script(&title);
    if is_original && item.text(TextVar::OriginalTitle).is_none() {
        item.set_text(TextVar::OriginalTitle, other);
    } else {
        item.custom
            .insert("translated-title".into(), Value::String(other));
    }
}

/// Whether most letters of a text are non-Latin.
fn is_in_own_script(text: &str) -> bool {
    const LATIN_ENDS: char = '\u{24f}';
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    letters().filter(|c| *c > LATIN_ENDS).count() * 2 > letters().count()
}

/// Appends a subtitle after a colon, unless the title contains it or ends in punctuation.
pub fn with_subtitle(title: String, subtitle: Option<&str>) -> String {
    let subtitle = clean::rich(subtitle.unwrap_or_default());
    let subtitle = subtitle.trim_end_matches(['/', ':', ';', ' ']);
    if subtitle.is_empty() || title.to_lowercase().contains(&subtitle.to_lowercase()) {
        return title;
    }
    if title.is_empty() {
        return subtitle.to_owned();
    }
    let bare = title.trim_end_matches([':', ' ', '/', '—', '–']);
    let joint = if bare.ends_with(['.', '?', '!', '…']) {
        " "
    } else {
        ": "
    };
    format!("{bare}{joint}{subtitle}")
}

/// Sets the distinct valid ISBNs as 13 digits. If none is valid, keeps the first as written, because real
/// books have wrong numbers printed in them.
pub fn isbns<'a>(item: &mut Item, values: impl IntoIterator<Item = &'a str>) {
    let mut valid: Vec<String> = Vec::new();
    let mut first_given = None;
    for value in values {
        match Isbn::parse(value) {
            Ok(isbn) if !valid.iter().any(|known| known == isbn.as_str()) => {
                valid.push(isbn.as_str().to_owned());
            }
            Ok(_) => {}
            Err(_) => first_given = first_given.or(Some(value)),
        }
    }
    if valid.is_empty() {
        plain(item, TextVar::Isbn, first_given);
    } else {
        item.set_text(TextVar::Isbn, valid.join(", "));
    }
}

/// Sets the distinct ISSNs; invalid ones are dropped if there is a valid one.
pub fn issns<'a>(item: &mut Item, values: impl IntoIterator<Item = &'a str>) {
    let mut valid: Vec<String> = Vec::new();
    let mut first_given = None;
    for value in values {
        match Issn::parse(value) {
            Ok(issn) if !valid.iter().any(|known| known == issn.as_str()) => {
                valid.push(issn.as_str().to_owned());
            }
            Ok(_) => {}
            Err(_) => first_given = first_given.or(Some(value)),
        }
    }
    if valid.is_empty() {
        plain(item, TextVar::Issn, first_given);
    } else {
        item.set_text(TextVar::Issn, valid.join(", "));
    }
}

/// Sets at most 25 keywords, separated by semicolons because they may contain commas.
pub fn keywords<'a>(item: &mut Item, values: impl IntoIterator<Item = &'a str>) {
    let mut words: Vec<String> = Vec::new();
    for value in values.into_iter().take(100) {
        let word = clean::plain(value).replace(';', ",");
        let word = word.trim_end_matches(['.', ' ', ',']).to_owned();
        if !word.is_empty() && !words.contains(&word) && words.len() < 25 {
            words.push(word);
        }
    }
    item.set_text(TextVar::Keyword, words.join("; "));
}

/// An address that a browser can open.
pub fn web_address(text: &str) -> Option<String> {
    let text = clean::decode_entities(text.trim());
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    let is_whole = !text.contains(char::is_whitespace) && text.len() <= 2048;
    (is_web && is_whole).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item_type::ItemType;

    #[test]
    fn titles_in_two_scripts_are_parted() {
        let check = |text: &str, expected: [&str; 3]| {
            let mut item = Item::new("", ItemType::Article);
            title(&mut item, text, None);
            let translated = item.custom.get("translated-title").and_then(Value::as_str);
            let found = [
                item.text(TextVar::Title),
                item.text(TextVar::OriginalTitle),
                translated,
            ];
            assert_eq!(found.map(Option::unwrap_or_default), expected, "{text}");
        };
        check("Вода / Water", ["Вода", "", "Water"]);
        check("On water [水の研究]", ["On water", "水の研究", ""]);
        check("Input / output", ["Input / output", "", ""]);
        check("α / β ratio", ["α / β ratio", "", ""]);
    }

    #[test]
    fn titles_have_no_note_marks_and_full_stops() {
        let check = |text: &str, expected: &str| {
            let mut item = Item::new("", ItemType::Article);
            title(&mut item, text, None);
            assert_eq!(item.text(TextVar::Title), Some(expected));
        };
        check("The price of bread.", "The price of bread");
        check("The price of bread*", "The price of bread");
        check("Who pays?*", "Who pays?");
        check("The price of bread<sup>1</sup>", "The price of bread");
        check("The price of bread<sup>†</sup>", "The price of bread");
        check("Bakers’ lives (1890–1914).", "Bakers’ lives (1890–1914)");
        check("On <i>Panis niger</i>.", "On <i>Panis niger</i>");
        check("Bread and more …", "Bread and more …");
        check("Bread in the U.S.", "Bread in the U.S.");
        check("Smith, Inc.", "Smith, Inc.");
        check("New species of Panis spp.", "New species of Panis spp.");
        check("A theory of C*", "A theory of C*");
        check("Flows in L<sup>2</sup>", "Flows in L<sup>2</sup>");
        check("Ovens \u{fffd} a survey", "Ovens – a survey");
    }

    #[test]
    fn subtitles_are_joined_once() {
        let check = |title: &str, subtitle: &str, expected: &str| {
            let joined = with_subtitle(title.to_owned(), Some(subtitle));
            assert_eq!(joined, expected);
        };
        check("Emma", "A Novel", "Emma: A Novel");
        check("Emma: a novel", "A Novel", "Emma: a novel");
        check("Emma :", "A Novel /", "Emma: A Novel");
        check("Who's Afraid?", "A Play", "Who's Afraid? A Play");
        check("Emma", "", "Emma");
        let mut item = Item::new("", ItemType::Book);
        title(&mut item, "Emma.", Some("A novel."));
        assert_eq!(item.text(TextVar::Title), Some("Emma: A novel"));
    }

    #[test]
    fn isbns_are_told_once() {
        let mut item = Item::new("", ItemType::Book);
        isbns(
            &mut item,
            ["http://id.crossref.org/isbn/9780198526636", "0-19-852663-6"],
        );
        assert_eq!(item.text(TextVar::Isbn), Some("9780198526636"));
        isbns(&mut item, ["0-19-852663-5"]);
        assert_eq!(item.text(TextVar::Isbn), Some("0-19-852663-5"));
    }

    #[test]
    fn ahead_of_print_is_a_status() {
        let mut item = Item::new("", ItemType::Article);
        volume_or_issue(&mut item, NumberVar::Volume, Some("ahead-of-print"));
        assert_eq!(item.number(NumberVar::Volume), None);
        assert_eq!(item.text(TextVar::Status), Some("ahead of print"));
    }
}
