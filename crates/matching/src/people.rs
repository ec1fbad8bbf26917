//! Reads the names at the start of a reference, in either order of family and given name.

use super::normalize::TokenShape;
use super::reference::{Reference, Role};
use super::similar;
use super::words;
use citation_model::name::Name;

/// The maximum number of names read from one reference.
const MAX_NAMES: usize = 200;

/// Reads the names at the start, marks their tokens and returns the token behind them.
pub fn read(reference: &mut Reference) -> usize {
    let marked = usize::from(reference.role(0) == Role::Marker);
    let start = skip_lead(reference, marked);
    let mut reader = Reader {
        reference,
        at: start,
        start,
        in_full: false,
        is_first_inverted: false,
        spans: Vec::new(),
        names: Vec::new(),
    };
    reader.run();
    let (spans, names, end) = (reader.spans, reader.names, reader.at);
    let mark = reference.token(end).map(|token| token.text.as_str());
    reference.names_editors = !names.is_empty() && mark.is_some_and(is_editor_mark);
    for at in spans.into_iter().flatten() {
        if let Some(role) = reference.roles.get_mut(at) {
            *role = Role::Name;
        }
    }
    reference.names = names;
    reference.has_others = goes_on(reference, end);
    end
}

/// Whether a word marks the people before it as editors, perhaps with one wrong letter.
fn is_editor_mark(word: &str) -> bool {
    let is_like =
        |mark: &str| similar::bounded_edits(word.as_bytes(), mark.as_bytes(), 1).is_some();
    words::is_editor_mark(word) || is_like("editors")
}

/// Whether the list of people goes on: with words for others, an ellipsis between names, or a group.
fn goes_on(reference: &Reference, end: usize) -> bool {
    let word = |at: usize| reference.token(at).map_or("", |token| token.text.as_str());
    let is_ellipsis =
        |at: usize| reference.gap(at).contains(['…', '+']) || reference.gap(at).contains("...");
    (0..reference.tokens.len()).any(|at| words::continues_people(word(at), word(at + 1)))
        || (1..=end).any(is_ellipsis)
        || (0..=end + GROUP_WORDS).any(|at| words::is_group(word(at)))
        || reference.text.contains('等')
        || reference.text.contains("ほか")
}

/// The most words of the name of a group behind people.
const GROUP_WORDS: usize = 5;

/// Skips the words that introduce a reference in a note (`See also`, `Vgl.`), and marks them as not
/// part of it. In a title that begins with such a word, no capital follows it. As a family name,
/// initials follow it (`See TJ`, `See, T.`).
fn skip_lead(reference: &mut Reference, start: usize) -> usize {
    let leads = |at: usize| {
        let token = reference
            .token(at)
            .filter(|_| reference.role(at) == Role::Open);
        token.is_some_and(|token| match token.shape {
            TokenShape::Capital => at == start && words::is_lead(&token.text),
            TokenShape::Lower => words::is_lead(&token.text) || words::is_lead_after(&token.text),
            // `e.g.` behind `See`.
            TokenShape::Letter => at > start && matches!(token.text.as_str(), "e" | "g"),
            _ => false,
        })
    };
    let end = (start..reference.tokens.len())
        .find(|at| !leads(*at))
        .unwrap_or(start);
    let follows = |shape: TokenShape| reference.token(end).is_some_and(|t| t.shape == shape);
    let stopped = reference.gap(end).contains('.') || end > start + 1;
    let is_lead =
        follows(TokenShape::Capital) || (follows(TokenShape::Letter) && (stopped || start > 0));
    if end == start || !is_lead {
        return start;
    }
    for role in reference.roles.iter_mut().take(end).skip(start) {
        *role = Role::Furniture;
    }
    end
}

struct Reader<'a> {
    reference: &'a Reference,
    at: usize,
    /// The start of the first name.
    start: usize,
    /// Whether a name had its full given name first. The names behind it then have the same form:
    /// `Jane Doe, Ann W. Roe`.
    in_full: bool,
    /// Whether the first name is inverted with a full given name. Behind a comma the others are not:
    /// `Doe, Jane, Adam Berg, M. O'Roe`.
    is_first_inverted: bool,
    spans: Vec<std::ops::Range<usize>>,
    names: Vec<Name>,
}

/// A name, with the token behind it.
struct ParsedName {
    name: Name,
    end: usize,
    /// Whether initials confirm the name. `Rome, Italy` looks like a name too.
    certain: bool,
    in_full: bool,
    /// Whether the full given name is behind the family name.
    is_inverted: bool,
}

impl Reader<'_> {
    fn run(&mut self) {
        let mut doubtful = Vec::new();
        while self.names.len() + doubtful.len() < MAX_NAMES {
            let Some(found) = self.name_at(self.at) else {
                break;
            };
            let span = self.at..found.end;
            self.at = found.end;
            let certain = found.certain;
            self.in_full |= found.in_full;
            self.is_first_inverted |= found.is_inverted;
            doubtful.push((found.name, span));
            // One certain name makes the names in the same sequence certain.
            if certain || self.closes_list() {
                for (name, span) in doubtful.drain(..) {
                    self.names.push(name);
                    self.spans.push(span);
                }
            }
            if !self.skip_separator() {
                break;
            }
        }
        if let Some((_, span)) = doubtful.first() {
            self.at = span.start;
        }
    }

    /// Whether the list of names ends here in a way that title words do not: a full stop and a
    /// year, a bracket, a quotation mark or `et al`.
    fn closes_list(&self) -> bool {
        let gap = self.reference.gap(self.at);
        let next = self.reference.role(self.at);
        let mark = self.reference.token(self.at);
        let is_marked =
            mark.is_some_and(|t| is_editor_mark(&t.text)) && gap.trim_end().ends_with([',', '(']);
        next == Role::Year
            || is_marked
            || self.is_word(self.at, "et")
            || (gap.trim_start().starts_with('.') && !self.spans.is_empty())
            || gap.trim_end().ends_with(['“', '"', '«'])
            || (gap.starts_with('.') && self.at > 1 && self.comma_inside())
    }

    /// Whether the last name read has the form `Family, Given`.
    fn comma_inside(&self) -> bool {
        self.at
            .checked_sub(1)
            .is_some_and(|last| self.reference.gap(last).starts_with(','))
    }

    /// Skips the separator between two names; false at the end of the list.
    fn skip_separator(&mut self) -> bool {
        let gap = self.reference.gap(self.at);
        let joined = ["and", "und", "y", "e"]
            .iter()
            .any(|word| self.is_word(self.at, word));
        let parted = gap
            .trim_start_matches('.')
            .trim_start()
            .starts_with([',', ';', '&'])
            || gap.contains('&');
        if joined {
            self.at += 1;
            return true;
        }
        if self.is_word(self.at, "et") {
            let al = self.is_word(self.at + 1, "al");
            self.at += if al { 2 } else { 1 };
            return !al;
        }
        parted && !gap.contains(['(', '“', '"', ':'])
    }

    /// Whether the token is this word in lower case; `E.` is an initial, `e` joins names.
    fn is_word(&self, at: usize, word: &str) -> bool {
        self.reference.token(at).is_some_and(|t| {
            t.text == word && self.reference.text.get(t.span.clone()) == Some(word)
        })
    }

    fn name_at(&self, at: usize) -> Option<ParsedName> {
        self.initials_first(at)
            .or_else(|| {
                let is_expected = self.in_full || self.is_behind_inverted(at);
                self.given_and_family(at).filter(|_| is_expected)
            })
            .or_else(|| self.family_and_initials(at))
            .or_else(|| self.family_and_given(at))
            .or_else(|| self.given_and_family(at))
    }

    /// Whether a name behind a first inverted one has its given name first.
    fn is_behind_inverted(&self, at: usize) -> bool {
        let last = self.given(at).and_then(|end| end.checked_sub(1));
        let is_word = last.is_some_and(|last| self.initials(last).is_none());
        self.is_first_inverted
            && at > self.start
            && is_word
            && !self.reference.gap(at).contains(';')
    }

    /// `J.-P. van der Berg`
    fn initials_first(&self, at: usize) -> Option<ParsedName> {
        let initials_end = self.initials(at)?;
        let family_end = self.family(initials_end)?;
        let apart = self.reference.gap(initials_end).contains([',', ';']);
        (!apart).then(|| self.found(initials_end..family_end, at..initials_end, family_end, true))
    }

    /// `van der Berg, J. P.`, `Berg JP`
    fn family_and_initials(&self, at: usize) -> Option<ParsedName> {
        let family_end = self.family_before_initials(at)?;
        let initials_end = self.initials(family_end)?;
        Some(self.found(at..family_end, family_end..initials_end, initials_end, true))
    }

    /// `Berg, Johan`
    fn family_and_given(&self, at: usize) -> Option<ParsedName> {
        if !self.names.is_empty() || self.is_given_first(at) {
            return None;
        }
        let family_end = self.family(at)?;
        if self.reference.gap(family_end).trim() != "," {
            return None;
        }
        let given_end = self.given(family_end)?;
        Some(ParsedName {
            is_inverted: self.initials(family_end).is_none(),
            ..self.found(at..family_end, family_end..given_end, given_end, false)
        })
    }

    /// Whether a later name is complete without the text behind its comma:
    /// `Berg, Johan, Jane Doe, and …`. Behind a semicolon every name is inverted.
    fn is_given_first(&self, at: usize) -> bool {
        let Some(found) = self.given_and_family(at) else {
            return false;
        };
        if at > self.start {
            return !self.reference.gap(at).contains(';');
        }
        // `Jane Doe, Adam Berg`: the text behind the comma is a name too.
        let written_out = |at: usize| !self.is_letter(at);
        let behind = self.given_and_family(found.end);
        behind.is_some_and(|next| (found.end..next.end).all(written_out))
    }

    fn is_letter(&self, at: usize) -> bool {
        let token = self.reference.token(at);
        token.is_some_and(|token| token.shape == TokenShape::Letter)
    }

    /// `Johan van der Berg`
    fn given_and_family(&self, at: usize) -> Option<ParsedName> {
        let end = self.given(at)?;
        if end < at + 2 {
            return None;
        }
        let particle = (at + 1..end - 1).find(|n| {
            self.reference
                .token(*n)
                .is_some_and(|t| t.shape == TokenShape::Lower)
        });
        let split = particle.unwrap_or(end - 1);
        Some(ParsedName {
            in_full: true,
            ..self.found(split..end, at..split, end, false)
        })
    }

    fn found(
        &self,
        family: std::ops::Range<usize>,
        given: std::ops::Range<usize>,
        end: usize,
        certain: bool,
    ) -> ParsedName {
        ParsedName {
            name: Name::person(self.reference.slice(family), self.reference.slice(given)),
            end,
            certain,
            in_full: false,
            is_inverted: false,
        }
    }

    /// The end of the initials that start here: single capitals, or up to four adjacent capitals.
    fn initials(&self, at: usize) -> Option<usize> {
        let mut end = at;
        while end < at + 5 {
            let Some(token) = self.reference.token(end) else {
                break;
            };
            let text = &self.reference.text;
            let raw = text.get(token.span.clone()).unwrap_or_default();
            let capital = raw.chars().all(char::is_uppercase);
            let short = raw.chars().count() <= if end == at { 4 } else { 2 };
            let open = self.reference.role(end) == Role::Open;
            let parted = end > at && self.reference.gap(end).contains([',', ';', '(', ':', '&']);
            let joined = matches!(token.shape, TokenShape::Letter | TokenShape::Upper);
            let article = self.reference.is_article(end);
            // `O'Roe` is one word.
            let is_elided = self.reference.gap(end + 1).starts_with(['\'', '’']);
            if !(capital && short && open && joined) || parted || article || is_elided {
                break;
            }
            end += 1;
        }
        (end > at).then_some(end)
    }

    /// The end of the family name that starts here: particles, then one to three capitalised words.
    fn family(&self, at: usize) -> Option<usize> {
        let mut end = at;
        while self.is_particle(end) && end < at + 3 {
            end += 1;
        }
        let first = end;
        while end < first + 3 && self.is_name_word(end) && (end == first || self.is_close(end)) {
            end += 1;
        }
        (end > first).then_some(end)
    }

    /// Like [`Reader::family`], but stops at initials.
    fn family_before_initials(&self, at: usize) -> Option<usize> {
        let longest = self.family(at)?;
        (at + 1..=longest).find(|end| {
            self.initials(*end).is_some()
                && self
                    .reference
                    .gap(*end)
                    .chars()
                    .all(|c| c.is_whitespace() || c == ',')
        })
    }

    /// The end of a given name of up to four words or initials.
    fn given(&self, at: usize) -> Option<usize> {
        let mut end = at;
        while end < at + 5
            && (self.is_name_word(end)
                || self.initials(end).is_some()
                || (end > at && self.is_particle(end)))
            && (end == at || self.is_close(end))
        {
            end += 1;
        }
        (end > at).then_some(end)
    }

    fn is_name_word(&self, at: usize) -> bool {
        self.reference.role(at) == Role::Open
            && self
                .reference
                .token(at)
                .is_some_and(|t| matches!(t.shape, TokenShape::Capital | TokenShape::Upper))
    }

    fn is_particle(&self, at: usize) -> bool {
        let token = self.reference.token(at);
        token.is_some_and(|token| words::is_particle(&token.text))
    }

    /// Whether only a space, a hyphen, an apostrophe or the stop of an initial separates the token
    /// from the previous one.
    fn is_close(&self, at: usize) -> bool {
        let gap = self.reference.gap(at);
        let after_initial = at
            .checked_sub(1)
            .and_then(|before| self.reference.token(before))
            .is_some_and(|before| before.shape == TokenShape::Letter);
        gap.chars().all(|c| {
            c.is_whitespace()
                || matches!(c, '-' | '‐' | '\'' | '’' | '–')
                || (c == '.' && after_initial)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a reference and its names.
    fn check(rows: &str) {
        for row in rows.trim().lines() {
            let (text, expected) = row.trim().split_once(" →").unwrap();
            let names = Reference::parse(text).names;
            let names = names.iter().map(|name| {
                let given = name.given.as_deref().unwrap_or_default();
                format!("{}/{given}", name.heading())
            });
            let names: Vec<String> = names.collect();
            assert_eq!(names.join("; "), expected.trim(), "{text:?}");
        }
    }

    #[test]
    fn names_in_every_order() {
        check(
            "
            Doe, J., & van der Berg, A. B. (2001). T. → Doe/J; van der Berg/A. B
            Doe A and Berg A. A title of it. Ring 2001 → Doe/A; Berg/A
            Doe, A measured title, 2001 →
            Doe J, Berg AB: Title of it. Ring 2001 → Doe/J; Berg/AB
            [3]J. Doe and A. B. Berg, “Title of it,” → Doe/J; Berg/A. B
            Doe, Jane, Adam Berg, and Eve de Roe. 2016. “Title.” → Doe/Jane; Berg/Adam; de Roe/Eve
            Doe, Jane, Adam Berg, Eve Mary Roe, and Paul Poe. 2013. “Title.” → Doe/Jane; Berg/Adam; Roe/Eve Mary; Poe/Paul
            Doe, Jane F., Adam Berg, Ann W. Roe, and D. R. Poe. 2013. “Title.” → Doe/Jane F; Berg/Adam; Roe/Ann W; Poe/D. R
            Jane Doe, Adam Berg and Eve Roe, “Title of it,” Ring 2001 → Doe/Jane; Berg/Adam; Roe/Eve
            Berg Lund, Adam P. 2001. “Title.” → Berg Lund/Adam P
            Doe, Jane; Berg Lund, Adam; Roe, Eve. 2013. “Title.” → Doe/Jane; Berg Lund/Adam; Roe/Eve
            Woe, Michael, Matthew H. Todd, and Piero Poe. 2011. “Title.” → Woe/Michael; Todd/Matthew H; Poe/Piero
            Doe, Jane, Adam Berg, M. O'Roe, and O. M. Poe. 1999. “Title.” → Doe/Jane; Berg/Adam; O'Roe/M; Poe/O. M
            Berners-Lee, T., Fielding, R., Masinter, L. (2005). Uniform Resource. → Berners-Lee/T; Fielding/R; Masinter/L
            T. Berners-Lee, R. Fielding, L. Masinter, “Uniform Resource,” RFC Editor, 2005. → Berners-Lee/T; Fielding/R; Masinter/L
            T. Berners-Lee, R. Fielding, L. Masinter. Uniform Resource Identifier (RFC 3986). → Berners-Lee/T; Fielding/R; Masinter/L
            Fielding, R., Nottingham, M., Reschke, J.: HTTP Semantics. 2022. → Fielding/R; Nottingham/M; Reschke/J
            R. Fielding, M. Nottingham, J. Reschke. HTTP Semantics (RFC 9110). 2022. → Fielding/R; Nottingham/M; Reschke/J
            A. Berg, M. O’Roe, and P. Poe, “Title of it,” Ring 2001 → Berg/A; O’Roe/M; Poe/P
            Doe, Jane. Title of it. Ring. 2005. → Doe/Jane
            Doe J, Roe R et al (2002) Title → Doe/J; Roe/R
            Berg, Johan, and Jane Doe, eds. Title of it. 2002 → Berg/Johan; Doe/Jane
            ",
        );
    }

    #[test]
    fn lists_of_people_go_on() {
        for (text, expected) in [
            ("Doe J, Roe R, et al. Title of it. Ring 2001", true),
            ("Doe J., Roe R. [et al.] (2001) Title of it. Ring", true),
            ("Doe J., Roe R. u. a.: Title of it. Ring 2001", true),
            (
                "Doe, J., Roe, R. and others (2001). Title of it. Ring",
                true,
            ),
            (
                "Doe, J., Roe, R., ... Poe, P. (2001). Title of it. Ring",
                true,
            ),
            (
                "Doe J, Roe R; Ring Collaboration. Title of it. Ring 2001",
                true,
            ),
            (
                "Doe J, Roe R. Title of it and others of it... Ring 2001",
                true,
            ),
            ("Doe J, Roe R. Title of it... Ring 2001", false),
            ("Doe J, Roe R. Title of it. Ring 2001", false),
        ] {
            assert_eq!(Reference::parse(text).has_others, expected, "{text}");
        }
    }

    #[test]
    fn lead_words_of_a_reference_are_no_names() {
        check(
            "
            12 See Jane Doe and Adam Berg, “Title,” 2001 → Doe/Jane; Berg/Adam
            Vgl. Doe J, Berg A. Title. Ring 2001 → Doe/J; Berg/A
            Cf. also J. Doe, “Title of it,” 2001 → Doe/J
            See, e.g., Jane Doe, “Title of it,” 2001 → Doe/Jane
            See TJ, Doe J. Title of it. Ring. 2001 → See/TJ; Doe/J
            See, T. J. (2001). Title of it. Ring → See/T. J
            G. Doe, “Title of it,” 2001 → Doe/G
            ",
        );
    }

    #[test]
    fn title_words_are_no_names() {
        check(
            "
            Proceedings of the Ring (2010). →
            Social Mediators of change. J. Ring 15, 21-32. →
            ",
        );
    }
}
