//! Names of people and institutions.

/// A name, as in CSL-JSON. A name without any part is never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// `Berg` in `Ludwig van den Berg`; the whole name if it has only one part.
    pub family: Option<String>,
    pub given: Option<String>,
    /// A particle omitted when only the family name is shown: `de` in `Alphonse de Lamartine`.
    pub dropping_particle: Option<String>,
    /// A particle that stays with the family name: `van der` in Dutch names.
    pub non_dropping_particle: Option<String>,
    /// `Jr.`, `III`.
    pub suffix: Option<String>,
    /// Whether a comma precedes the suffix in display order. Default false.
    pub comma_suffix: bool,
    /// Whether family precedes given regardless of the style. Default false.
    pub static_ordering: bool,
    /// An institution, or a name that must not be split.
    pub literal: Option<String>,
    /// ORCID iD, bare (`0000-0002-1825-0097`).
    pub orcid: Option<String>,
    /// False if the source states that particles are already separate and none is part of `family` or
    /// `given` (CSL-JSON `parse-names: 0`). Default true.
    pub parse_names: bool,
}

impl Name {
    /// A person with a family name and an optional given name. Blank parts count as absent.
    pub fn person(family: &str, given: &str) -> Name {
        Name {
            family: non_blank(family),
            given: non_blank(given),
            parse_names: true,
            ..Name::default()
        }
    }

    /// An institution, or any name kept whole.
    pub fn literal(text: &str) -> Name {
        Name {
            literal: non_blank(text),
            parse_names: true,
            ..Name::default()
        }
    }

    /// Parses `Family, Given`, `Family, Suffix, Given` or `Given Family`; in Chinese, Japanese and Korean,
    /// `Family Given`. A lower-case particle before the family name is stored as non-dropping.
    pub fn parse(text: &str) -> Name {
        let text = text.trim();
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        match parts.as_slice() {
            [family, given] => Name::person(family, given),
            [family, suffix, given] => Name {
                suffix: non_blank(suffix),
                ..Name::person(family, given)
            },
            _ => match text.rsplit_once(char::is_whitespace) {
                Some((family, given)) if is_family_first(text) => Name::person(family, given),
                Some((given, family)) => with_particle(given, family),
                None => Name::person(text, ""),
            },
        }
    }

    pub fn is_empty(&self) -> bool {
        self.family.is_none() && self.given.is_none() && self.literal.is_none()
    }

    /// The family name with its non-dropping particle, or the literal, or the given name: the part by which
    /// a reader would look it up.
    pub fn heading(&self) -> String {
        if let Some(literal) = &self.literal {
            return literal.clone();
        }
        match (&self.non_dropping_particle, &self.family, &self.given) {
            (Some(particle), Some(family), _) if particle.ends_with(['\'', '’']) => {
                format!("{particle}{family}")
            }
            (Some(particle), Some(family), _) => format!("{particle} {family}"),
            (_, Some(family), _) => family.clone(),
            (_, None, given) => given.clone().unwrap_or_default(),
        }
    }

    /// The name in reading order: `Ludwig van Beethoven`.
    pub fn display(&self) -> String {
        if let Some(literal) = &self.literal {
            return literal.clone();
        }
        let parts = [
            self.given.as_deref(),
            self.dropping_particle.as_deref(),
            self.non_dropping_particle.as_deref(),
            self.family.as_deref(),
            self.suffix.as_deref(),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Whether a text is two words in Han or Hangul of the length of names, of which the first is the family.
pub fn is_family_first(text: &str) -> bool {
    let is_letter =
        |c: char| matches!(c, '\u{3005}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    // Given names in Japanese may be in kana.
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [family, given] => {
            (1..=4).contains(&family.chars().count())
                && (1..=4).contains(&given.chars().count())
                && family.chars().all(is_letter)
                && given.chars().all(|c| is_letter(c) || is_kana(c))
        }
        _ => false,
    }
}

/// Whether a lower-case word is a particle of a family name, as in `van der Berg` or `ben Ari`.
pub fn is_particle(word: &str) -> bool {
    const PARTICLES: [&str; 43] = [
        "'t", "af", "al", "ap", "aus", "av", "ben", "bin", "bint", "d'", "da", "dal", "dalla",
        "das", "de", "degli", "dei", "del", "della", "den", "der", "di", "do", "dos", "du", "el",
        "ibn", "la", "las", "le", "les", "lo", "los", "te", "ten", "ter", "van", "vom", "von",
        "zu", "zum", "zur", "’t",
    ];
    PARTICLES.binary_search(&word).is_ok()
}

/// Splits `van der` off the end of the given names of `Ludwig van der` + `Berg`. In a name without capitals
/// (`ada berg`) the first word is a given name unless it is a known particle.
fn with_particle(given: &str, family: &str) -> Name {
    let words: Vec<&str> = given.split_whitespace().collect();
    if let [word] = words.as_slice()
        && family.starts_with(char::is_lowercase)
        && !is_particle(word)
    {
        return Name::person(family, given);
    }
    let first_particle = words
        .iter()
        .rposition(|word| !word.chars().next().is_some_and(char::is_lowercase))
        .map_or(0, |last_given| last_given + 1);
    let (given, particle) = words.split_at(first_particle);
    Name {
        non_dropping_particle: non_blank(&particle.join(" ")),
        ..Name::person(family, &given.join(" "))
    }
}

/// The text without outer white space, or `None` if it is blank.
pub fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_in_either_order() {
        assert_eq!(Name::parse("Curie, Marie"), Name::person("Curie", "Marie"));
        assert_eq!(Name::parse("Marie Curie"), Name::person("Curie", "Marie"));
        assert_eq!(Name::parse("Plato"), Name::person("Plato", ""));
        let king = Name::parse("King, Jr., Martin Luther");
        assert_eq!(king.suffix.as_deref(), Some("Jr."));
        assert_eq!(king.given.as_deref(), Some("Martin Luther"));
    }

    #[test]
    fn east_asian_names_have_the_family_first() {
        assert_eq!(Name::parse("鈴木 花子"), Name::person("鈴木", "花子"));
        assert_eq!(Name::parse("김 철수"), Name::person("김", "철수"));
        assert_eq!(
            Name::parse("ジョン スミス"),
            Name::person("スミス", "ジョン")
        );
    }

    #[test]
    fn names_without_capitals_have_given_names() {
        assert_eq!(Name::parse("ada berg"), Name::person("berg", "ada"));
        let name = Name::parse("van berg");
        assert_eq!(name.non_dropping_particle.as_deref(), Some("van"));
    }

    #[test]
    fn sets_particles_apart() {
        let name = Name::parse("Ludwig van der Rohe");
        assert_eq!(name.given.as_deref(), Some("Ludwig"));
        assert_eq!(name.non_dropping_particle.as_deref(), Some("van der"));
        assert_eq!(name.heading(), "van der Rohe");
        assert_eq!(name.display(), "Ludwig van der Rohe");
    }
}
