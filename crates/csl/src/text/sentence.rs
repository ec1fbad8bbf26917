//! Suggests sentence case for a title in Title Case. Names cannot be recognized reliably, so a person
//! must review the suggestion; it never changes any text.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::case::{Language, is_stop_word};
use super::proper::{follows_name, is_name, is_pair, leads_name};

/// Returns an English title in sentence case: lowercase except for the first word, the first word of a
/// subtitle, and probable names: acronyms, words with inner capitals or digits, single letters, text in
/// italics or `nocase`, and known names. Markup is kept.
///
/// `None` if the title is not in Title Case, or is in another language; if the language is unknown, a
/// word must identify it as English.
pub fn suggestion(title: &str, language: Option<&str>) -> Option<String> {
    let known = language.map(str::trim).filter(|tag| !tag.is_empty());
    if known.is_some_and(|tag| !Language::of(tag).takes_title_case) {
        return None;
    }
    let words = words(title);
    let kinds: Vec<Kind> = (0..words.len()).map(|at| kind(title, &words, at)).collect();
    let is_english = known.is_some() || words.iter().any(|word| is_english(word.of(title)));
    if !is_english || !is_title_case(&kinds) {
        return None;
    }
    let mut changed = title.to_owned();
    for (word, kind) in words.iter().zip(&kinds) {
        if matches!(kind, Kind::Capital | Kind::Small) {
            let small = word.of(title).to_lowercase();
            // A letter whose lowercase form has another length is not English.
            if small.len() == word.range.len() {
                changed.replace_range(word.range.clone(), &small);
            }
        }
    }
    (changed != title).then_some(changed)
}

/// What a word indicates about the case of its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Becomes lowercase in sentence case.
    Capital,
    /// Becomes lowercase too, but indicates nothing: a word that Title Case keeps lowercase, or a later
    /// part of a compound.
    Small,
    /// In lowercase, which contradicts Title Case.
    Against,
    /// Keeps its case and indicates nothing.
    Kept,
}

/// In Title Case at least two words have an optional capital, and almost none lacks one.
fn is_title_case(kinds: &[Kind]) -> bool {
    let count = |wanted| kinds.iter().filter(|kind| **kind == wanted).count();
    let capitals = count(Kind::Capital);
    capitals >= 2 && count(Kind::Against) * 6 <= capitals
}

fn kind(title: &str, words: &[Word], at: usize) -> Kind {
    let Some(word) = words.get(at) else {
        return Kind::Kept;
    };
    let text = word.of(title);
    if word.is_protected || has_own_case(text) {
        return Kind::Kept;
    }
    let lower = text.to_lowercase();
    let is_capital = text.chars().next().is_some_and(char::is_uppercase);
    if !is_capital {
        let says_nothing = word.is_part || is_stop_word(&lower);
        return if says_nothing {
            Kind::Kept
        } else {
            Kind::Against
        };
    }
    let neighbour = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at));
        word.map(|word| word.of(title).to_lowercase())
            .unwrap_or_default()
    };
    let (before, after) = (neighbour(at.checked_sub(1)), neighbour(Some(at + 1)));
    let is_named = is_name(&lower)
        || is_possessive_name(&lower)
        || is_pair(&before, &lower)
        || is_pair(&lower, &after)
        || leads_name(&lower) && is_name(&after)
        || follows_name(&lower) && is_name(&before);
    if word.opens || is_named {
        Kind::Kept
    } else if word.is_part || is_stop_word(&lower) {
        Kind::Small
    } else {
        Kind::Capital
    }
}

/// Whether a word keeps its case everywhere: a symbol, an acronym, an unusual spelling, or a word that is
/// not English.
fn has_own_case(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    let first = letters.next();
    let is_alone = letters.clone().next().is_none();
    first.is_none()
        || is_alone
        || letters.any(char::is_uppercase)
        || word.chars().any(|c| c.is_numeric() || c == '.')
        || word.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// `Alzheimer’s`: most possessives in titles are names, except those of common nouns.
fn is_possessive_name(lower: &str) -> bool {
    let Some(owner) = lower
        .strip_suffix("'s")
        .or_else(|| lower.strip_suffix("’s"))
    else {
        return false;
    };
    !OWNERS.contains(owner)
}

/// Common nouns whose possessives occur in titles.
static OWNERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let nouns = "adult artist author beginner body child children citizen city consumer country
        customer doctor engineer everyone father girl he here it king let man manager men mind mother
        nation nature nobody nurse one other parent patient people person player practitioner
        programmer queen reader researcher scientist she state student teacher that there today user
        what who woman women worker world writer year";
    nouns.split_whitespace().collect()
});

/// Words that are rare in other languages.
static ENGLISH: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = "about after against among and are before between by during for from how into is its
        of on our over that the their this through to towards under upon via what when why with within
        without you your";
    words.split_whitespace().collect()
});

fn is_english(word: &str) -> bool {
    let lower = word.to_lowercase();
    let has_ending = lower.len() > 5 && (lower.ends_with("ing") || lower.ends_with("ness"));
    has_ending || ENGLISH.contains(lower.as_str())
}

struct Word {
    range: Range<usize>,
    /// Whether it starts the title or a subtitle.
    opens: bool,
    /// Whether it is a later part of a compound: `Scale` in `Large-Scale`.
    is_part: bool,
    is_protected: bool,
}

impl Word {
    fn of<'t>(&self, title: &'t str) -> &'t str {
        title.get(self.range.clone()).unwrap_or_default()
    }
}

/// The words of a title outside its tags.
fn words(title: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open_tags = Vec::new();
    let (mut opens, mut at) = (true, 0);
    // No tag ends after the last `>`.
    let tags_end = title.rfind('>').unwrap_or_default();
    while let Some(rest) = title.get(at..).filter(|rest| !rest.is_empty()) {
        if at < tags_end
            && let Some(tag) = tag(rest)
        {
            follow(tag, &mut open_tags);
            at += tag.len();
            continue;
        }
        let length = word_length(rest);
        if length == 0 {
            let Some(mark) = rest.chars().next() else {
                break;
            };
            let last = words.last().map_or("", |word| word.of(title));
            let behind = match mark {
                // In a run of these, the last one decides.
                '.' | '-' | '–' => rest.trim_start_matches(mark),
                _ => rest.get(mark.len_utf8()..).unwrap_or_default(),
            };
            opens = opens || ends_sentence(mark, behind, last);
            at += rest.len() - behind.len();
            continue;
        }
        let before = title.get(..at).unwrap_or_default();
        words.push(Word {
            range: at..at + length,
            is_part: before.ends_with(['-', '‐', '‑', '/']) && !opens,
            is_protected: open_tags.last() == Some(&true),
            opens,
        });
        opens = false;
        at += length;
    }
    words
}

/// Whether a mark, or a run of it, ends a sentence or precedes a subtitle.
fn ends_sentence(mark: char, behind: &str, last: &str) -> bool {
    match mark {
        ':' | '?' | '!' | '—' => true,
        // `vs.`, `U.S.` and `J.` are abbreviations, `II.` is a heading.
        '.' => {
            let is_number = || last.bytes().all(|c| matches!(c, b'I' | b'V' | b'X'));
            let is_long = || last.len() > 3 && !last.contains('.');
            behind.starts_with(' ') && (is_long() || last.len() < 10 && is_number())
        }
        // A dash between blanks.
        '–' | '-' => behind.starts_with(' '),
        _ => false,
    }
}

/// The length in bytes of the word at the start of a text; 0 if there is none.
fn word_length(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let goes_on = || rest.chars().next().is_some_and(char::is_alphanumeric);
        let is_letter = c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c);
        let joins = at > 0 && matches!(c, '\'' | '’' | '.' | '&' | '\u{ad}') && goes_on();
        if !is_letter && !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// The tag at the start of a text, if any.
fn tag(text: &str) -> Option<&str> {
    let name = text.strip_prefix('<')?.trim_start_matches('/');
    let is_tag = name.starts_with(|c: char| c.is_ascii_lowercase());
    let end = text.find('>').filter(|_| is_tag)?;
    text.get(..=end)
}

/// Tracks the open tags, each with whether its content keeps its case.
fn follow(tag: &str, open: &mut Vec<bool>) {
    if tag.starts_with("</") {
        open.pop();
        return;
    }
    let is_inside = open.last() == Some(&true);
    open.push(is_inside || tag == "<i>" || tag == "<em>" || tag.contains("nocase"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of titles in title case and in sentence case.
    #[track_caller]
    fn check(rows: &str) {
        for row in rows.trim().lines() {
            let (title, expected) = row.trim().split_once(" → ").unwrap();
            assert_eq!(suggestion(title, Some("en")).as_deref(), Some(expected));
        }
    }

    #[track_caller]
    fn none(title: &str, language: Option<&str>) {
        assert_eq!(suggestion(title, language), None, "{title}");
    }

    #[test]
    fn title_case_becomes_sentence_case() {
        check(
            "
            A Mathematical Theory of Communication → A mathematical theory of communication
            Attention Is All You Need → Attention is all you need
            The Art Of Computer Programming → The art of computer programming
            Signals and Noise, on and Off Air → Signals and noise, on and off air
            Large-Scale Neural Networks → Large-scale neural networks
            Input/Output Devices and Buses → Input/output devices and buses
            “Quoted Words” in Long Titles → “Quoted words” in long titles
            ",
        );
    }

    #[test]
    fn subtitles_begin_with_a_capital() {
        check(
            "
            Deep Learning: A New Approach to Vision → Deep learning: A new approach to vision
            Is It Safe? The Long View → Is it safe? The long view
            Two Cultures – And One World → Two cultures – And one world
            Well-Known Facts. Second Part → Well-known facts. Second part
            Cell Growth Rates. II. Further Tests → Cell growth rates. II. Further tests
            ",
        );
    }

    #[test]
    fn names_keep_their_capitals() {
        check(
            "
            The Role of DNA in Cell Growth → The role of DNA in cell growth
            Using mRNA and COVID-19 Tests Well → Using mRNA and COVID-19 tests well
            PubMed and the U.S. Health Care System → PubMed and the U.S. health care system
            Vitamin C and Type II Diabetes Care → Vitamin C and type II diabetes care
            Small Farms and Markets in West Africa → Small farms and markets in West Africa
            Public Health Law of the United States → Public health law of the United States
            Warm Winds and Tides of the Baltic Sea → Warm winds and tides of the Baltic Sea
            New Roads in New York State → New roads in New York state
            Treating Alzheimer’s Disease and Women’s Health → Treating Alzheimer’s disease and women’s health
            Solving Schrödinger Equations by Hand → Solving Schrödinger equations by hand
            X-Ray Images of Human Bones → X-ray images of human bones
            Rock ’n’ Roll and R&D Spending → Rock ’n’ roll and R&D spending
            ",
        );
    }

    #[test]
    fn markup_stays_and_protects() {
        check(
            r#"
            Growth of <i>Escherichia Coli</i> in Warm Water → Growth of <i>Escherichia Coli</i> in warm water
            The <span class="nocase">Lorenz Attractor</span> and Its Many Forms → The <span class="nocase">Lorenz Attractor</span> and its many forms
            The <b>Bold</b> H<sub>2</sub>O Cycle <span class="nocase">of <i>Bodies</i> Here</span> → The <b>bold</b> H<sub>2</sub>O cycle <span class="nocase">of <i>Bodies</i> Here</span>
            If x < Y Then Stop Now → If x < Y then stop now
            Open <b>Tags </i></b></b> Do No Harm < → Open <b>tags </i></b></b> do no harm <
            "#,
        );
    }

    #[test]
    fn other_titles_are_left_alone() {
        none("A mathematical theory of communication", Some("en"));
        none("The history of France, Germany and Spain", Some("en"));
        none("Introduction to Algorithms", Some("en"));
        none("Deep Learning", Some("en"));
        none("MOLECULAR STRUCTURE OF NUCLEIC ACIDS", Some("en"));
        none("Kritik der reinen Vernunft", None);
        none("Über die Natur der Dinge und Menschen", None);
        none("Les Fleurs du Mal et Autres Contes", None);
        none("Principia Mathematica Philosophiae Naturalis", None);
        none("Handbuch Moderner Statistik", Some("de"));
        none("深度学习 的 方法", None);
        none("", None);
        none("<i>", Some("en"));
        none("Growth and Decay Rates", Some("fr"));
        assert!(suggestion("Growth and Decay Rates", None).is_some());
        assert!(suggestion("Growth and Decay Rates", Some(" ")).is_some());
    }
}
