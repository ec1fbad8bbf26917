//! DOIs and their short forms.

use super::address;
use super::text::{decode, percent_encode_path, strip_invisible};
use super::{Doi, IdentifierError, ShortDoi, shape};

impl Doi {
    /// Parses a DOI bare, after `doi:`, in any address, percent-encoded or with entities, wrapped in quotes
    /// or brackets, or followed by sentence punctuation. SICI characters `<>;()[]` are kept. The registrant
    /// has four to nine digits, as in Crossref's own pattern.
    pub fn parse(text: &str) -> Result<Doi, IdentifierError> {
        if let Some(doi) = Doi::canonical(text) {
            return Ok(doi);
        }
        let cleaned = strip_invisible(text);
        let found = if address::is_address(&cleaned) {
            address::doi(&cleaned)
        } else {
            Doi::find(&cleaned)
        };
        found.ok_or_else(|| shape(text, "a DOI: it should look like 10.1038/nature12373"))
    }

    /// Fast path for plain DOIs that [`Doi::parse`] would return unchanged. Most DOIs of our own records
    /// are plain, and each lookup reads several.
    pub(super) fn canonical(text: &str) -> Option<Doi> {
        let (registrant, suffix) = text.strip_prefix("10.")?.split_once('/')?;
        let is_canonical = (4..=9).contains(&registrant.len())
            && registrant.bytes().all(|b| b.is_ascii_digit())
            && suffix
                .bytes()
                .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'/'))
            && suffix.ends_with(|last: char| last.is_ascii_alphanumeric());
        is_canonical.then(|| Doi(text.to_owned()))
    }

    /// The first DOI in a text.
    pub(super) fn find(text: &str) -> Option<Doi> {
        let decoded = decode(text);
        let start = find_registrant(&decoded)?;
        let (registrant, suffix) = decoded.get(start..)?.split_once('/')?;
        // Wrapped DOIs often contain a line break after the slash.
        let suffix = suffix.split_whitespace().next()?;
        // The DOI may be in the address of a link in HTML.
        let suffix = suffix.split("\">").next()?;
        let suffix = trim_suffix(before_another(suffix));
        // All characters of a DOI are printable (DOI Handbook, 2.2.2).
        let is_printable = !suffix.is_empty() && !suffix.contains(char::is_control);
        is_printable.then(|| Doi(format!("{registrant}/{suffix}").to_ascii_lowercase()))
    }

    /// The DOI without a suffix that only names a view of the page, if it has one.
    pub(super) fn without_views(self) -> Doi {
        let mut suffix = self.suffix();
        while let Some(shorter) = VIEWS.iter().find_map(|view| suffix.strip_suffix(view)) {
            // Punctuation that is now at the end is not part of the DOI either.
            let shorter = trim_suffix(shorter);
            if shorter.is_empty() {
                break;
            }
            suffix = shorter;
        }
        Doi(format!("{}/{suffix}", self.registrant()))
    }

    /// The DOI without its version: `10.1101/2020.03.09.983247v1`.
    pub(super) fn without_version(self) -> Doi {
        match self.0.rsplit_once('v') {
            Some((id, version)) if is_version(id, version) => Doi(id.to_owned()),
            _ => self,
        }
    }

    /// Alternatives to try if the DOI is unknown as read, most likely first: without what an address or a
    /// careless copy has appended.
    pub fn shorter_forms(&self) -> Vec<Doi> {
        let mut forms = vec![self.clone().without_views()];
        forms.extend(forms.first().map(|doi| doi.clone().without_version()));
        let cuts = ["&", ";jsessionid", "#", "?"];
        let cut = cuts
            .iter()
            .filter_map(|cut| self.0.split_once(cut))
            .map(|(doi, _)| doi);
        forms.extend(cut.map(|doi| Doi(trim_suffix(doi).to_owned())));
        let parent = self.suffix().rsplit_once('/').map(|(suffix, _)| suffix);
        let parent = parent.map(trim_suffix);
        forms.extend(parent.map(|suffix| Doi(format!("{}/{suffix}", self.registrant()))));
        let mut seen = vec![self.clone()];
        forms.retain(|doi| {
            let is_new = !doi.suffix().is_empty() && !seen.contains(doi);
            seen.push(doi.clone());
            is_new
        });
        forms
    }

    fn suffix(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, suffix)| suffix)
    }

    /// `https://doi.org/…` with the characters percent-encoded that a URL cannot contain.
    pub fn url(&self) -> String {
        format!("https://doi.org/{}", percent_encode_path(&self.0))
    }

    /// `10.1038` in `10.1038/nature12373`.
    pub fn registrant(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

/// Suffixes that publishers' addresses append to a DOI to name a view of the page.
const VIEWS: [&str; 37] = [
    "/",
    "/full",
    "/fulltext",
    "/full-text",
    "/abstract",
    "/abs",
    "/summary",
    "/pdf",
    "/epdf",
    "/pdfdirect",
    "/epub",
    "/html",
    "/xml",
    "/meta",
    "/references",
    "/citations",
    "/figures",
    "/tables",
    "/metrics",
    "/related",
    "/suppl",
    "/supplementary-material",
    "/supporting-information",
    "/download",
    "/preview",
    "/tab-pdf",
    ".pdf",
    ".pdf+html",
    ".full",
    ".full-text",
    ".fulltext",
    ".abstract",
    ".short",
    ".long",
    ".html",
    ".htm",
    ".epub",
];

fn is_version(id: &str, version: &str) -> bool {
    id.ends_with(|c: char| c.is_ascii_digit())
        && (1..=2).contains(&version.len())
        && version.bytes().all(|b| b.is_ascii_digit())
}

/// Separators between DOIs that are listed without spaces.
const LIST_MARKS: [char; 3] = [',', ';', '|'];

/// Whether a text is only a DOI: its words are the DOI, possibly broken after its slash, and DOI labels.
pub(super) fn stands_alone(text: &str) -> bool {
    let cleaned = strip_invisible(text);
    let decoded = decode(&cleaned);
    let mut is_broken = false;
    let mut dois = 0;
    let mut is_alone = true;
    for word in decoded.split_whitespace() {
        let lower = word.to_ascii_lowercase();
        if std::mem::take(&mut is_broken) {
            continue;
        }
        if let Some(start) = find_registrant(&lower) {
            let before = lower.get(..start).unwrap_or_default();
            let before = before.trim_start_matches(|c: char| !c.is_alphanumeric());
            is_alone &= before.is_empty()
                || before.ends_with(['/', ':', '=', '<', '(', '[', '"'])
                || before == "doi";
            let suffix = lower.get(start + 3..).unwrap_or_default();
            let lists = suffix.split(LIST_MARKS).skip(1);
            dois += 1 + lists.filter(|part| find_registrant(part).is_some()).count();
            is_broken = lower.ends_with('/');
            continue;
        }
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        is_alone &= matches!(bare, "" | "doi" | "https" | "http") || bare.ends_with("doi.org");
    }
    is_alone && dois == 1
}

/// Finds `10.`, four to nine digits, optional further digit groups and `/`.
fn find_registrant(text: &str) -> Option<usize> {
    let mut from = 0;
    // In a doubled address (`https://doi.org/https://doi.org/10.…`) any hit is correct, since the outer
    // address contains no registrant.
    while let Some(found) = text.get(from..)?.find("10.") {
        let start = from + found;
        let before = text.get(..start)?.chars().next_back();
        let free = !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.');
        let tail = text.get(start + 3..)?;
        // Only at possible starts of a DOI, so `10.10.10.…` is not rescanned at each part.
        let digits = || tail.bytes().take_while(u8::is_ascii_digit).count();
        let end = || tail.bytes().find(|b| !b.is_ascii_digit() && *b != b'.');
        if free && (4..=9).contains(&digits()) && end() == Some(b'/') {
            return Some(start);
        }
        from = start + 3;
    }
    None
}

/// A suffix up to the separator before another DOI, if DOIs are listed without spaces.
fn before_another(suffix: &str) -> &str {
    let mut marks = suffix.match_indices(LIST_MARKS);
    let begins_another = |at: usize| {
        let part = suffix.get(at + 1..).unwrap_or_default();
        let part = part.split(LIST_MARKS).next().unwrap_or_default();
        find_registrant(part).is_some()
    };
    let end = marks.find_map(|(at, _)| begins_another(at).then_some(at));
    suffix.get(..end.unwrap_or(suffix.len())).unwrap_or(suffix)
}

/// Strips trailing sentence punctuation, closing quotes and unbalanced closing brackets.
fn trim_suffix(suffix: &str) -> &str {
    const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
    // Number of unmatched closing brackets of each kind.
    let mut unbalanced = BRACKETS.map(|(open, close)| {
        let closing = suffix.matches(close).count();
        closing.saturating_sub(suffix.matches(open).count())
    });
    suffix.trim_end_matches(|last| match last {
        '.' | ',' | ';' | ':' | '/' | '"' | '\'' | '”' | '’' | '»' | '“' | '`' | '…' => {
            true
        }
        _ => {
            let kind = BRACKETS.iter().position(|(_, close)| *close == last);
            let left = kind.and_then(|kind| unbalanced.get_mut(kind));
            left.is_some_and(|left| {
                let is_junk = *left > 0;
                *left = left.saturating_sub(1);
                is_junk
            })
        }
    })
}

impl ShortDoi {
    /// Parses `10/abc`, or the short form at the end of a doi.org address.
    pub fn parse(text: &str) -> Result<ShortDoi, IdentifierError> {
        const EXPECTED: &str = "a shortDOI: it should look like 10/gfz5mj";
        let cleaned = strip_invisible(text).to_ascii_lowercase();
        let after_host = ["https://", "http://"]
            .iter()
            .find_map(|scheme| cleaned.strip_prefix(scheme))
            .unwrap_or(&cleaned);
        let after_host = ["doi.org/", "dx.doi.org/", "www.doi.org/"]
            .iter()
            .find_map(|host| after_host.strip_prefix(host));
        let bare = after_host.unwrap_or(cleaned.strip_prefix("doi:").unwrap_or(&cleaned).trim());
        let code = match bare.strip_prefix("10/") {
            Some(code) => code,
            None if after_host.is_some() => bare,
            None => return Err(shape(text, EXPECTED)),
        };
        let valid =
            (3..=16).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
        valid
            .then(|| ShortDoi(format!("10/{code}")))
            .ok_or_else(|| shape(text, EXPECTED))
    }
}
