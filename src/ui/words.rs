//! The text of the pages in the reader's language: embedded message files, language negotiation and
//! plural forms.
//!
//! A language has two files under `messages`: `TAG.txt` for the server and `TAG.script.txt` for the
//! scripts. A line is `key = text`; text may have placeholders, `{name}`, filled like those of a
//! template. Missing messages fall back to English. The names of services are messages too, the same in
//! every language.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use citation_model::work::Source;

/// A language of the pages.
#[derive(Debug)]
pub struct PageLanguage {
    /// BCP 47, as in `lang` attributes.
    pub tag: &'static str,
    /// Its name in the language itself.
    pub name: &'static str,
    pub is_right_to_left: bool,
    pages: &'static str,
    script: &'static str,
}

impl PageLanguage {
    /// The value of `dir` attributes.
    pub fn dir(&self) -> &'static str {
        if self.is_right_to_left { "rtl" } else { "ltr" }
    }
}

macro_rules! language {
    ($tag:literal, $name:literal, $is_right_to_left:literal) => {
        PageLanguage {
            tag: $tag,
            name: $name,
            is_right_to_left: $is_right_to_left,
            pages: include_str!(concat!("messages/", $tag, ".txt")),
            script: include_str!(concat!("messages/", $tag, ".script.txt")),
        }
    };
}

/// In the order of the menu. The first one has every message.
pub static LANGUAGES: [PageLanguage; 6] = [
    language!("en", "English", false),
    language!("de", "Deutsch", false),
    language!("fr", "Français", false),
    language!("es", "Español", false),
    language!("zh-CN", "简体中文", false),
    language!("ar", "العربية", true),
];

/// The messages of one language.
#[derive(Clone, Copy, Debug)]
pub struct Words(&'static Book);

#[derive(Debug)]
struct Book {
    language: &'static PageLanguage,
    messages: HashMap<String, &'static str>,
}

/// In the order of [`LANGUAGES`].
static BOOKS: LazyLock<[Book; LANGUAGES.len()]> = LazyLock::new(|| {
    LANGUAGES.each_ref().map(|language| Book {
        language,
        messages: services().chain(owned(lines(language.pages))).collect(),
    })
});

impl Default for Words {
    /// English.
    fn default() -> Words {
        let [english, ..] = &*BOOKS;
        Words(english)
    }
}

impl Words {
    /// The messages of a language by its tag.
    pub fn of(tag: &str) -> Option<Words> {
        BOOKS
            .iter()
            .find(|book| book.language.tag.eq_ignore_ascii_case(tag))
            .map(Words)
    }

    /// The reader's choice, else the browser's preference (`Accept-Language`, RFC 9110, section
    /// 12.5.4), else English.
    pub fn choose(chosen: Option<&str>, accepted: &str) -> Words {
        if let Some(words) = chosen.and_then(Words::of) {
            return words;
        }
        let mut ranges: Vec<(f32, &str)> = accepted.split(',').filter_map(language_range).collect();
        ranges.sort_by(|a, b| b.0.total_cmp(&a.0));
        let speaks = |tag: &str| {
            let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_lowercase();
            let wanted = primary(tag);
            let same = |book: &&Book| primary(book.language.tag) == wanted;
            Words::of(tag).or_else(|| BOOKS.iter().find(same).map(Words))
        };
        ranges
            .into_iter()
            .find_map(|(_, tag)| speaks(tag))
            .unwrap_or_default()
    }

    pub fn language(&self) -> &'static PageLanguage {
        self.0.language
    }

    /// A message; the key itself if no language has it.
    pub fn get<'k>(&self, key: &'k str) -> &'k str {
        self.find(key).unwrap_or(key)
    }

    /// A message in this language or in English, if any.
    pub fn find(&self, key: &str) -> Option<&'static str> {
        let english = || Words::default().0.messages.get(key).copied();
        self.0.messages.get(key).copied().or_else(english)
    }

    /// A message with its placeholders, `{name}`, filled.
    pub fn fill(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut text = String::new();
        let mut rest = self.get(key);
        while let Some((before, (name, after))) = next_place(rest) {
            text.push_str(before);
            match values.iter().find(|(given, _)| *given == name) {
                Some((_, value)) => text.push_str(&value.to_string()),
                None => debug_assert!(false, "nothing is given for {name} of {key}"),
            }
            rest = after;
        }
        text + rest
    }

    /// The label of an enumerated value: the message `kind.value`, else the value itself.
    pub fn name<'v>(&self, kind: &str, value: &'v str) -> &'v str {
        self.find(&format!("{kind}.{value}")).unwrap_or(value)
    }

    /// The message for a count: `key.one`, `key.other` and so on by the plural rule, with `{n}`
    /// filled.
    pub fn count(&self, key: &str, n: impl Borrow<u64>) -> String {
        let n = *n.borrow();
        let form = format!("{key}.{}", plural(self.0.language.tag, n));
        let text = match self.0.messages.get(form.as_str()) {
            Some(text) => text,
            None => self.find(&format!("{key}.other")).unwrap_or("{n}"),
        };
        text.replace("{n}", &self.number(n))
    }

    /// A whole number with its digits grouped as the language groups them (CLDR, decimal formats).
    pub fn number(&self, n: impl Borrow<u64>) -> String {
        const GROUP: usize = 3;
        let digits = n.borrow().to_string();
        let (separator, shortest) = match self.0.language.tag {
            "de" => ('.', 4),
            "es" => ('.', 5),
            "fr" => ('\u{202f}', 4),
            _ => (',', 4),
        };
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            let left = digits.len() - at;
            if at > 0 && left % GROUP == 0 && digits.len() >= shortest {
                text.push(separator);
            }
            text.push(digit);
        }
        text
    }
}

/// A part of the scripts' messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptPart {
    /// Those that the first page needs at once.
    First,
    /// Those needed later or not at all.
    More,
}

/// Key prefixes of the messages in [`ScriptPart::More`].
pub const MORE: [&str; 31] = [
    "batch.",
    "candidates.",
    "cite.",
    "collection.",
    "compare.",
    "drop.",
    "duplicates.",
    "edit-many.",
    "editor.",
    "history.",
    "import.",
    "jobs.",
    "key.",
    "local.",
    "locator.",
    "mark.",
    "names.",
    "new-key.",
    "remedy.",
    "role.",
    "share.",
    "status.",
    "style-editor.",
    "styles.",
    "tags.",
    "target-menu.",
    "trash.",
    "type.",
    "verdict.",
    "verify.",
    "word.",
];

impl ScriptPart {
    fn of(key: &str) -> ScriptPart {
        if MORE.iter().any(|start| key.starts_with(start)) {
            ScriptPart::More
        } else {
            ScriptPart::First
        }
    }
}

/// The scripts' messages in a language, as a module that exports one object.
pub fn script_module(language: &PageLanguage, part: ScriptPart) -> String {
    let all = lines(LANGUAGES[0].script).chain(lines(language.script));
    let messages: serde_json::Map<String, serde_json::Value> = services()
        .chain(owned(all))
        .filter(|(key, _)| ScriptPart::of(key) == part)
        .map(|(key, text)| (key, text.into()))
        .collect();
    format!("export default {};\n", serde_json::Value::Object(messages))
}

/// The names of the services that have records.
fn services() -> impl Iterator<Item = Message> {
    let named = |source: Source| Some((format!("source.{}", source.as_str()), source.title()?));
    Source::ALL.into_iter().filter_map(named)
}

type Message = (String, &'static str);

fn owned(
    lines: impl Iterator<Item = (&'static str, &'static str)>,
) -> impl Iterator<Item = Message> {
    lines.map(|(key, text)| (key.to_owned(), text))
}

fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .map(|(key, text)| (key.trim(), text.trim()))
}

/// The text before the next placeholder of a message, its name, and the rest.
fn next_place(text: &str) -> Option<(&str, (&str, &str))> {
    let (before, place) = text.split_once('{')?;
    Some((before, place.split_once('}')?))
}

/// `de-AT;q=0.8` as quality and tag.
fn language_range(text: &str) -> Option<(f32, &str)> {
    let (tag, parameters) = text.split_once(';').unwrap_or((text, ""));
    let quality = parameters.trim().strip_prefix("q=");
    let quality = quality.map_or(Some(1.0), |q| q.parse().ok())?;
    (quality > 0.0).then_some((quality, tag.trim()))
}

/// The plural form for a whole number (CLDR plural rules, cardinals).
fn plural(tag: &str, n: u64) -> &'static str {
    match tag.split('-').next().unwrap_or_default() {
        "zh" => "other",
        "fr" if n < 2 => "one",
        "ar" => match (n, n % 100) {
            (0, _) => "zero",
            (1, _) => "one",
            (2, _) => "two",
            (_, 3..=10) => "few",
            (_, 11..=99) => "many",
            _ => "other",
        },
        _ if n == 1 => "one",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn language_follows_the_user_then_the_browser() {
        let check = |chosen, accepted, expected| {
            let words = Words::choose(chosen, accepted);
            assert_eq!(words.language().tag, expected, "{chosen:?} {accepted}");
        };
        check(None, "", "en");
        check(None, "de-AT,en;q=0.5", "de");
        check(None, "nl, fr;q=0.3, es;q=0.9", "es");
        check(None, "zh-TW", "zh-CN");
        check(None, "de;q=0, fr", "fr");
        check(Some("ar"), "de", "ar");
        check(Some("xx"), "de", "de");
    }

    #[test]
    fn plurals_follow_the_language() {
        let check = |tag, n, expected| assert_eq!(plural(tag, n), expected, "{tag} {n}");
        check("en", 1, "one");
        check("en", 0, "other");
        check("fr", 0, "one");
        check("ar", 2, "two");
        check("ar", 103, "few");
        check("ar", 100, "other");
        check("zh-CN", 1, "other");
    }

    #[test]
    fn numbers_are_grouped_by_the_language() {
        let check = |tag, n: u64, expected| {
            assert_eq!(Words::of(tag).unwrap().number(n), expected, "{tag} {n}");
        };
        check("en", 0, "0");
        check("en", 999, "999");
        check("en", 10_000, "10,000");
        check("en", 1_234_567, "1,234,567");
        check("de", 1_000, "1.000");
        check("es", 1_000, "1000");
        check("es", 10_000, "10.000");
        check("fr", 10_000, "10\u{202f}000");
        check("zh-CN", 10_000, "10,000");
        check("ar", 10_000, "10,000");
    }

    fn places(text: &str) -> BTreeSet<String> {
        let parts = text.split('{').skip(1);
        parts
            .filter_map(|part| part.split_once('}'))
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    /// Every language has the messages of English, its own plural forms, and the same placeholders.
    #[test]
    fn languages_have_all_messages() {
        let stem = |key: &str| -> String {
            let forms = [".zero", ".one", ".two", ".few", ".many", ".other"];
            let form = forms.iter().find(|form| key.ends_with(*form));
            form.map_or(key, |form| key.strip_suffix(form).unwrap())
                .to_owned()
        };
        for language in &LANGUAGES[1..] {
            for (english, file) in [
                (LANGUAGES[0].pages, language.pages),
                (LANGUAGES[0].script, language.script),
            ] {
                let theirs: HashMap<&str, &str> = lines(file).collect();
                let stems: BTreeSet<String> = theirs.keys().map(|key| stem(key)).collect();
                for (key, text) in lines(english) {
                    assert!(stems.contains(&stem(key)), "{} lacks {key}", language.tag);
                    if let Some(own) = theirs.get(key)
                        && stem(key) == key
                    {
                        assert_eq!(places(own), places(text), "{} {key}", language.tag);
                    }
                }
                let known: BTreeSet<String> = lines(english).map(|(key, _)| stem(key)).collect();
                for key in &stems {
                    assert!(
                        known.contains(key),
                        "{}: {key} is nowhere used",
                        language.tag
                    );
                }
            }
        }
    }
    /// The keys used by a template: `words.get("key")` and the like.
    fn keys_named<'t>(template: &'t str, method: &str) -> Vec<&'t str> {
        let call = format!("words.{method}(\"");
        let calls = template.split(&call).skip(1);
        calls.filter_map(|call| call.split('"').next()).collect()
    }

    fn templates(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let within = entries.flat_map(|path| {
            if path.is_dir() {
                templates(&path)
            } else {
                vec![path]
            }
        });
        within.collect()
    }

    #[test]
    fn messages_of_templates_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui/templates");
        let english = Words::default();
        let begins = |start: &str| english.0.messages.keys().any(|key| key.starts_with(start));
        let mut checked = 0;
        for path in templates(&folder) {
            let template = fs::read_to_string(&path).unwrap();
            let mut check = |method, is_there: &dyn Fn(&str) -> bool| {
                for key in keys_named(&template, method) {
                    assert!(is_there(key), "{}: no message {key}", path.display());
                    checked += 1;
                }
            };
            check("get", &|key| english.find(key).is_some());
            check("count", &|key| {
                english.find(&format!("{key}.other")).is_some()
            });
            check("name", &|kind| begins(&format!("{kind}.")));
            check("fill", &|key| english.find(key).is_some());
            for call in template.split("words.fill(\"").skip(1) {
                let (key, values) = call.split_once('"').unwrap();
                let values = values.split("])").next().unwrap();
                for place in places(english.get(key)) {
                    let is_filled = values.contains(&format!("(\"{place}\", "));
                    assert!(is_filled, "{}: {place} of {key}", path.display());
                }
            }
        }
        assert!(checked > 300, "only {checked} keys were found");
    }

    #[test]
    fn filled_values_are_not_placeholders() {
        let filled = Words::default().fill("library.count", &[("used", &"{limit}"), ("limit", &3)]);
        assert_eq!(filled, "{limit} of 3");
    }
}
