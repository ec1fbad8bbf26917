//! BibTeX names: lists separated by `and`, the three name forms with particle («von») and suffix («Jr»),
//! biblatex's extended format, institutions in braces.

use citation_fields::latex::{inside_braces, plain};
use citation_fields::names::MAX_NAME_LENGTH;
use citation_fields::names::institutions::{
    has_conjunction, has_function_word, is_institution_alone,
};
use citation_fields::names::suffixes::{is_suffix, split_suffix};
use citation_fields::names::{MAX_NAMES, may_be_several, several, with_initials};
use citation_model::name::{Name, is_particle, non_blank};

/// A list of names read from a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameList {
    pub names: Vec<Name>,
    /// Whether the list ends in `and others`.
    pub and_others: bool,
    /// Number of omitted names after the first [`MAX_NAMES`].
    pub left_out: usize,
}

/// Whether a particle stays with a family name that stands alone. BibTeX's styles keep it; biblatex has
/// `useprefix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Particle {
    NonDropping,
    Dropping,
}

/// Reads the names of a field.
pub fn parse_names(text: &str, particle: Particle) -> NameList {
    let mut list = NameList::default();
    let text = joined_in_braces(text).unwrap_or(text);
    for name in split_list(text) {
        if name.eq_ignore_ascii_case("others") || name.eq_ignore_ascii_case("{others}") {
            list.and_others = true;
            continue;
        }
        if list.names.len() == MAX_NAMES {
            list.left_out += 1;
            continue;
        }
        let (name, is_cut_short) = without_et_al(name);
        list.and_others |= is_cut_short;
        if let Some(names) = without_and(name) {
            list.names.extend(names);
            continue;
        }
        // Who writes `et al.` behind a name has it from a printed list: `Doe J et al.`, `Roe AB et al`.
        let printed = is_cut_short.then(|| with_initials(&name_text(name)));
        let name = printed
            .flatten()
            .unwrap_or_else(|| parse_name(name, particle));
        if !name.is_empty() {
            list.names.push(name);
        }
    }
    list
}

/// The list inside braces around all of it, as Web of Science writes editors: `{Poe, A and Moe, BC}`. A name of
/// an institution has no comma before and after its conjunction.
fn joined_in_braces(text: &str) -> Option<&str> {
    let inner = inside_braces(text.trim())?;
    let mut parts = split_list(inner);
    let is_inverted = |part: &str| {
        part.matches(',').count() == 1 && !is_institution_alone(part)
            || part.eq_ignore_ascii_case("others")
    };
    let are_names = parts.clone().count() > 1 && parts.all(is_inverted);
    are_names.then_some(inner)
}

/// A list without `et al.` at its end, and whether it had it.
fn without_et_al(text: &str) -> (&str, bool) {
    const MARK: &str = " et al";
    let undotted = text.trim_end_matches('.');
    let split = undotted.len().checked_sub(MARK.len());
    match split.and_then(|at| undotted.split_at_checked(at)) {
        Some((bare, mark)) if mark.eq_ignore_ascii_case(MARK) && inside_braces(text).is_none() => {
            (bare.trim_end_matches([',', ' ']), true)
        }
        _ => (text, false),
    }
}

/// Names that are separated by commas or `\&` instead of `and`, more than one name has: `{A. Doe \& B. Roe}`, `Jane Doe, {Al}
/// Roe, Eve Poe`. A comma in the braces of a part belongs to an institution, unless every part is a person with initials:
/// `{Doe, A., Roe}, B.`.
fn without_and(text: &str) -> Option<Vec<Name>> {
    let text = text.trim();
    let may_be_list = text.contains([',', '&']) && may_be_several(text);
    if !may_be_list || text.contains('=') || text.len() > MAX_NAME_LENGTH {
        return None;
    }
    let inner = inside_braces(text);
    let bare = inner.unwrap_or(text);
    let shown = name_text(bare);
    if shown.contains('"') {
        return None;
    }
    let has_braced_comma = |text: &str| {
        let groups = text.split('{').skip(1);
        let mut insides = groups.filter_map(|group| group.split('}').next());
        insides.any(|inside| inside.contains(','))
    };
    // Names in braces are told only by initials, others also by their number.
    let have_initials = |names: &Vec<Name>| {
        let is_initials = |given: &str| {
            let mut words = given.split([' ', '.', '-']).filter(|word| !word.is_empty());
            words.all(|word| word.chars().count() == 1)
        };
        let mut given = names.iter().map(|name| name.given.as_deref());
        given.all(|given| given.is_some_and(is_initials))
    };
    if inner.is_some() && !bare.contains('&') && bare.matches(',').count() < 2 {
        return None;
    }
    let are_protected = inner.is_some() || has_braced_comma(text);
    several(&shown).filter(|names| !are_protected || have_initials(names))
}

/// Splits a list at `and` between blanks outside of braces, in any case.
pub fn split_list(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = Some((text, 0));
    let parts = std::iter::from_fn(move || {
        let (list, start) = rest?;
        let (end, next) = part_end(list, start);
        rest = next.map(|next| (list, next));
        list.get(start..end)
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// The end of the part that begins at `start`, and the start of the next one.
fn part_end(list: &str, start: usize) -> (usize, Option<usize>) {
    let bytes = list.as_bytes();
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'a' | b'A' if depth == 0 && is_and(bytes, at) => return (at, Some(at + 3)),
            _ => {}
        }
    }
    (list.len(), None)
}

/// Whether the word `and` is at `at`, between two names or their braces.
fn is_and(bytes: &[u8], at: usize) -> bool {
    let word = bytes.get(at..at + 3).unwrap_or_default();
    let edge =
        |byte: Option<&u8>, brace| byte.is_some_and(|b| b.is_ascii_whitespace() || *b == brace);
    let before = at == 0 || edge(bytes.get(at - 1), b'}');
    let after = bytes.get(at + 3).is_none() || edge(bytes.get(at + 3), b'{');
    word.eq_ignore_ascii_case(b"and") && before && after
}

fn parse_name(text: &str, particle: Particle) -> Name {
    let text = text.trim().trim_end_matches([',', ';']).trim_end();
    if let Some(inner) = inside_braces(text) {
        // The conjunction before the last name of a list.
        let inner = inner.strip_prefix("and ").unwrap_or(inner);
        // Web of Science has every editor in braces: `{Poe, AB}`.
        if let Some((family, given)) = inner.split_once(", ")
            && let Some(name) = with_initials(&format!("{family} {given}"))
            && name.family.as_deref() == Some(family)
        {
            return Name::person(family, given);
        }
        return Name::literal(&name_text(inner));
    }
    if text.len() > MAX_NAME_LENGTH {
        return Name::literal(&name_text(text));
    }
    let parts = split_outside(text, ',');
    if let Some(name) = extended(&parts, particle) {
        return name;
    }
    match parts.as_slice() {
        [] => Name::default(),
        [whole] => first_von_last(whole, particle),
        // `Martin Luther King, Jr.`
        [whole, suffix] if is_suffix(suffix) && split_words(whole).len() > 1 => Name {
            suffix: non_blank(&name_text(suffix)),
            ..first_von_last(whole, particle)
        },
        [family, given] => {
            // `{King, Jr.}, Martin Luther`
            let braced = inside_braces(family.trim());
            let braced = braced.filter(|inner| split_suffix(inner).1.is_some());
            let (family, suffix) = split_suffix(braced.unwrap_or(family.trim()));
            von_last(family, given, suffix.unwrap_or_default(), particle)
        }
        [family, suffix, given] => von_last(family, given, suffix, particle),
        [family, suffix, given, ..] => {
            let mut name = von_last(family, given, suffix, particle);
            let rest: Vec<String> = parts.iter().skip(2).map(|part| name_text(part)).collect();
            name.given = non_blank(&rest.join(", "));
            name
        }
    }
}

/// `family=Berg, given=Anna, prefix=van den, useprefix=true` (biblatex manual, 3.7.4).
fn extended(parts: &[&str], list_particle: Particle) -> Option<Name> {
    let mut name = Name {
        parse_names: true,
        ..Name::default()
    };
    let mut prefix = None;
    let mut particle = list_particle;
    let mut known = 0;
    for part in parts {
        let part = unquote(part.trim());
        let (key, value) = part.split_once('=')?;
        let value = unquote(value.trim());
        let key = key.trim().trim_start_matches('"');
        known += 1;
        match key {
            "family" => name.family = part_text(value),
            "given" => name.given = part_text(value),
            "suffix" => name.suffix = part_text(value),
            "prefix" => prefix = part_text(value),
            "literal" => name.literal = part_text(value),
            "useprefix" if value == "false" => particle = Particle::Dropping,
            "useprefix" => particle = Particle::NonDropping,
            "orcid" => name.orcid = part_text(value),
            _ if is_part_key(key) => {}
            _ => return None,
        }
    }
    if known == 0 {
        return None;
    }
    set_particle(&mut name, prefix, particle);
    Some(name)
}

/// `given-i` (initials), `id`, `sortingnamekeytemplatename` and similar keys.
fn is_part_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

fn part_text(value: &str) -> Option<String> {
    non_blank(&name_text(value))
}

fn unquote(text: &str) -> &str {
    let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    quoted.or_else(|| inside_braces(text)).unwrap_or(text)
}

/// `First von Last`: the particle runs from the first lower-case word to the last one, but the last word
/// always belongs to the family name. Two words without capitals (`ada berg`) are a person unless the first
/// is a particle. A word that never occurs in personal names makes an institution (`American Rights at
/// Work`).
fn first_von_last(text: &str, particle: Particle) -> Name {
    let words = split_words(text);
    let Some((last, before_last)) = words.split_last() else {
        return Name::default();
    };
    if has_function_word(text) || has_conjunction(text) {
        return Name::literal(&name_text(text));
    }
    if let Some(name) = with_suffix(last, before_last) {
        return Name {
            suffix: name.suffix,
            ..first_von_last(&name.text, particle)
        };
    }
    if let Some(name) = initials_last(&words) {
        return name;
    }
    let is_without_capitals = is_lower(last) && !before_last.iter().any(|word| is_particle(word));
    let first_lower = before_last
        .iter()
        .position(|word| is_lower(word))
        .filter(|_| !(before_last.len() == 1 && is_without_capitals));
    let last_lower = before_last.iter().rposition(|word| is_lower(word));
    let (given_end, family_start) = match (first_lower, last_lower) {
        (Some(first), Some(last)) => (first, last + 1),
        _ => (before_last.len(), before_last.len()),
    };
    let mut name = Name {
        family: joined(words.get(family_start..)),
        given: joined(words.get(..given_end)),
        parse_names: true,
        ..Name::default()
    };
    set_particle(
        &mut name,
        joined(words.get(given_end..family_start)),
        particle,
    );
    name
}

/// A name in reading order, without its suffix.
struct WithoutSuffix {
    text: String,
    suffix: Option<String>,
}

/// The suffix that is the last word, or is in its braces: `Hal Daumé III`, `A. {MacDonald III}`. A king has no
/// given name before his: `Elizabeth II`.
fn with_suffix(last: &str, before_last: &[&str]) -> Option<WithoutSuffix> {
    let (_, first_names) = before_last.split_first()?;
    if is_suffix(last) && !first_names.is_empty() {
        return Some(WithoutSuffix {
            text: before_last.join(" "),
            suffix: part_text(last),
        });
    }
    let (family, suffix) = split_suffix(inside_braces(last)?);
    Some(WithoutSuffix {
        text: format!("{} {{{family}}}", before_last.join(" ")),
        suffix: Some(part_text(suffix?)?),
    })
}

/// `Miller E K`, `Hesz I.`: several initials, or one with a full stop, are no family name. One alone may be:
/// `Malcolm X`.
fn initials_last(words: &[&str]) -> Option<Name> {
    let [family, initials @ ..] = words else {
        return None;
    };
    let is_initial = |word: &&str| {
        let mut letters = word.trim_end_matches('.').split('.');
        letters.all(|letter| {
            let mut letter = letter.trim_start_matches('-').chars();
            letter.next().is_some_and(char::is_uppercase) && letter.next().is_none()
        })
    };
    let is_marked = match initials {
        [] => false,
        [alone] => alone.ends_with('.'),
        _ => true,
    };
    if !is_marked || !initials.iter().all(is_initial) {
        return None;
    }
    let is_full = name_text(family)
        .chars()
        .filter(|c| c.is_lowercase())
        .count()
        > 1;
    is_full.then(|| with_initials(&name_text(&words.join(" "))))?
}

/// `von Last, First`: the particle ends with the last lower-case word before the final one.
fn von_last(family: &str, given: &str, suffix: &str, particle: Particle) -> Name {
    let mut name = Name {
        given: part_text(given),
        suffix: part_text(suffix),
        parse_names: true,
        ..Name::default()
    };
    if let Some(inner) = inside_braces(family.trim()) {
        name.family = part_text(inner);
        return name;
    }
    let words = split_words(family);
    let before_last = words.split_last().map_or(&[][..], |(_, before)| before);
    let start = before_last
        .iter()
        .rposition(|word| is_lower(word))
        .map_or(0, |last| last + 1);
    name.family = joined(words.get(start..));
    set_particle(&mut name, joined(words.get(..start)), particle);
    name
}

fn set_particle(name: &mut Name, text: Option<String>, particle: Particle) {
    match particle {
        Particle::NonDropping => name.non_dropping_particle = text,
        Particle::Dropping => name.dropping_particle = text,
    }
}

fn joined(words: Option<&[&str]>) -> Option<String> {
    let words: Vec<String> = words
        .unwrap_or_default()
        .iter()
        .map(|w| name_text(w))
        .collect();
    non_blank(&words.join(" "))
}

/// The text of a name part, with non-breaking blanks as ordinary ones.
fn name_text(text: &str) -> String {
    plain(text).replace('\u{a0}', " ")
}

/// Whether a word counts as lower case. The first letter outside of braces decides; groups are skipped
/// unless they begin with a command (BibTeX's «special characters»).
fn is_lower(word: &str) -> bool {
    if word.starts_with('{') && !word.starts_with("{\\") {
        return false;
    }
    let converted = plain(word.trim_start_matches(['{', '-', '\'', '`']));
    converted
        .chars()
        .find(|c| c.is_alphabetic())
        .is_some_and(char::is_lowercase)
}

/// Splits words at blanks and `~` outside of braces.
fn split_words(text: &str) -> Vec<&str> {
    split_where(text, |c| c.is_whitespace() || c == '~')
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect()
}

fn split_outside(text: &str, separator: char) -> Vec<&str> {
    split_where(text, |c| c == separator)
}

fn split_where(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    let mut in_command = false;
    let mut start = 0;
    let last_quote = text.rfind('"');
    for (at, c) in text.char_indices() {
        // The blank after a command (`\o stby`) only ends the command.
        let ends_command = in_command && c == ' ';
        in_command = (escaped || in_command) && c.is_ascii_alphabetic();
        match c {
            _ if ends_command => {}
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            // A quote after a backslash is an umlaut; in an extended name a quote is a delimiter.
            '"' if !escaped => quoted = !quoted && last_quote.is_some_and(|last| last > at),
            // `\ ` and `\~` are not separators.
            _ if depth == 0 && !quoted && !escaped && is_separator(c) => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `given|dropping|non-dropping|family|suffix|literal`.
    fn show(name: &Name) -> String {
        let parts = [
            &name.given,
            &name.dropping_particle,
            &name.non_dropping_particle,
            &name.family,
            &name.suffix,
            &name.literal,
        ];
        let parts: Vec<&str> = parts.iter().map(|p| p.as_deref().unwrap_or("")).collect();
        parts.join("|").trim_end_matches('|').to_owned()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let list = parse_names(text, Particle::NonDropping);
        let shown: Vec<String> = list.names.iter().map(show).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn the_three_orders() {
        check("Donald E. Knuth", &["Donald E.|||Knuth"]);
        check("Knuth, Donald E.", &["Donald E.|||Knuth"]);
        check("King, Jr., Martin Luther", &["Martin Luther|||King|Jr."]);
        check("Martin Luther King, Jr.", &["Martin Luther|||King|Jr."]);
        check("{King, Jr.}, Martin Luther", &["Martin Luther|||King|Jr."]);
        check("Plato", &["|||Plato"]);
        check("Ludwig van Beethoven", &["Ludwig||van|Beethoven"]);
        check("van der Berg, Anna", &["Anna||van der|Berg"]);
        check(
            "Charles Louis de la Vall{\\'e}e Poussin",
            &["Charles Louis||de la|Vallée Poussin"],
        );
        check("Van de Graaff, R. J.", &["R. J.||Van de|Graaff"]);
        check(
            "jean de la fontaine du Bois Joli",
            &["||jean de la fontaine du|Bois Joli"],
        );
        check("a b", &["a|||b"]);
        check("van b", &["||van|b"]);
        check("{\\'E}mile {\\o}st, X", &["X|||Émile øst"]);
        check("Jos{\\'e} Mar{\\'\\i}a~P{\\'e}rez", &["José María|||Pérez"]);
    }

    #[test]
    fn suffix_is_no_family_name() {
        check("Hal Daum{\\'e} III", &["Hal|||Daumé|III"]);
        check("A {MacDonald III}", &["A|||MacDonald|III"]);
        check("{Daum{\\'e} III}, H", &["H|||Daumé|III"]);
        check("B~H {Roe~III}", &["B H|||Roe|III"]);
        check("{Roe~III}, B. H.", &["B. H.|||Roe|III"]);
        check("Sammy Davis Jr.", &["Sammy|||Davis|Jr."]);
        check("Ludwig van Beethoven II", &["Ludwig||van|Beethoven|II"]);
        check("Elizabeth II", &["Elizabeth|||II"]);
    }

    #[test]
    fn initials_are_no_family_name() {
        check("Miller E K", &["E. K.|||Miller"]);
        check("Hesz I.", &["I.|||Hesz"]);
        check("Stock-Schröer B.", &["B.|||Stock-Schröer"]);
        check("A, Bhoomadevi", &["Bhoomadevi|||A"]);
        check("K Hou U", &["K Hou|||U"]);
        check("Malcolm X", &["Malcolm|||X"]);
        check("Doe J et al", &["J.|||Doe"]);
        check("Doe, J. and Roe AB et al.", &["J.|||Doe", "A. B.|||Roe"]);
        check("Jane Doe et al.", &["Jane|||Doe"]);
        check(
            "Doe, R.L., K.K. Roe, P.R. Poe, and C. Moe",
            &["R.L.|||Doe", "K.K.|||Roe", "P.R.|||Poe", "C.|||Moe"],
        );
    }

    #[test]
    fn institutions_are_told_by_words_that_no_person_has() {
        check("Rights at Work", &["|||||Rights at Work"]);
        check(
            "Centre for It and A. One",
            &["|||||Centre for It", "A.|||One"],
        );
    }

    #[test]
    fn braces_hold_together() {
        check(
            "{Poe, AB} and {Wasmer, Inc.} and Roe, Li;",
            &["AB|||Poe", "|||||Wasmer, Inc.", "Li|||Roe"],
        );
        check(
            "{World Health Organization}",
            &["|||||World Health Organization"],
        );
        check(
            "{Barnes and Noble, Inc.} and Ann Other",
            &["|||||Barnes and Noble, Inc.", "Ann|||Other"],
        );
        check("Ian {Iliad Ipswich}", &["Ian|||Iliad Ipswich"]);
        check("{Iliad Ipswich}, Ian", &["Ian|||Iliad Ipswich"]);
        check(
            "Alexandre D\\textquotesingle aspremont",
            &["Alexandre|||D'aspremont"],
        );
        check("{\\\"O}zg{\\\"u}r, A.", &["A.|||Özgür"]);
    }

    #[test]
    fn lists_without_and_are_taken_apart() {
        check(
            "{A.~W.~Doe \\& E.-A.~R{\\\"o}e}",
            &["A. W.|||Doe", "E.-A.|||Röe"],
        );
        check(
            "{J. H. Doe, T. J. Roe, \\& A. Poe}",
            &["J. H.|||Doe", "T. J.|||Roe", "A.|||Poe"],
        );
        check("{Doe, S., Roe}, J.", &["S.|||Doe", "J.|||Roe"]);
        check(
            "Niels Doe, Michael R{\\oe}e, Peter Poe",
            &["Niels|||Doe", "Michael|||Rœe", "Peter|||Poe"],
        );
        check(
            "{Doe} Jane, Barbara Roe, Jon Poe",
            &["Doe|||Jane", "Barbara|||Roe", "Jon|||Poe"],
        );
        check("{Johnson \\& Johnson}", &["|||||Johnson & Johnson"]);
        check(
            "{Springer, Berlin, Heidelberg}",
            &["|||||Springer, Berlin, Heidelberg"],
        );
        check(
            "{National Council, Division on Earth and Life Studies, Commission on Rocks}",
            &["|||||National Council, Division on Earth and Life Studies, Commission on Rocks"],
        );
        check(
            "A. Doe and {and Test Team}",
            &["A.|||Doe", "|||||Test Team"],
        );
        check("Зенченко~В.А.", &["В.А.|||Зенченко"]);
    }

    #[test]
    fn et_al_cuts_a_list_short() {
        for text in [
            "K. A. Olive et al.",
            "K. A. Olive, et al",
            "K. A. Olive and others",
        ] {
            let list = parse_names(text, Particle::NonDropping);
            assert!(list.and_others, "{text}");
            assert_eq!(show(&list.names[0]), "K. A.|||Olive");
        }
    }

    #[test]
    fn lists() {
        check(
            "A. One and\n B. Two AND Three, C.",
            &["A.|||One", "B.|||Two", "C.|||Three"],
        );
        check("Anderson, Sandy", &["Sandy|||Anderson"]);
        check("", &[]);
        let list = parse_names("A. One and others", Particle::NonDropping);
        assert!(list.and_others);
        assert_eq!(list.names.len(), 1);
    }

    #[test]
    fn extended_names() {
        check(
            "family=Berg, given=Anna, prefix=van den",
            &["Anna||van den|Berg"],
        );
        check(
            "given={Jean Pierre}, family=Du, prefix=de, useprefix=false",
            &["Jean Pierre|de||Du"],
        );
        check(
            "\"family={Smith, Inc.}\", suffix=III, given-i=X",
            &["|||Smith, Inc.|III"],
        );
        check("id=x, given=Alfred, family=Adler", &["Alfred|||Adler"]);
    }

    #[test]
    fn particles_drop_where_the_entry_says_so() {
        let list = parse_names("de Lamartine, Alphonse", Particle::Dropping);
        assert_eq!(show(&list.names[0]), "Alphonse|de||Lamartine");
    }
}
