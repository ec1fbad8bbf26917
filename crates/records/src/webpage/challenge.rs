//! Pages that only keep robots out.

use super::page::Page;
use super::title::fold;

/// How the titles of such pages begin.
const TITLES: [&str; 24] = [
    "just a moment",
    "attention required",
    "access denied",
    "access to this page has been denied",
    "are you a robot",
    "are you human",
    "bot verification",
    "checking your browser",
    "client challenge",
    "robot check",
    "robot or human",
    "security check",
    "verify you are human",
    "vérification",
    "pardon our interruption",
    "ddos-guard",
    "request rejected",
    "request unsuccessful",
    "403 forbidden",
    "one moment, please",
    "one more step",
    "captcha",
    "radware",
    "human verification",
];

/// Words that only such pages load.
const MARKS: [&str; 6] = [
    "verify you are human",
    "verifying you are human",
    "enable javascript and cookies to continue",
    "checking if the site connection is secure",
    "please complete the security check",
    "press and hold to confirm you are a human",
];

/// The most lines of such a page.
const LINES: usize = 60;

pub(super) fn is_one(page: &Page) -> bool {
    if (page.metas.iter()).any(|(name, _)| name.starts_with("citation_")) {
        return false;
    }
    let title = page.title.to_lowercase();
    let is_titled = TITLES.iter().any(|known| title.starts_with(known));
    let says_so = || {
        let mut lines = page.lines.iter().map(|line| line.text.to_lowercase());
        lines.any(|line| MARKS.iter().any(|mark| line.contains(mark)))
    };
    let is_short = page.lines.len() < LINES;
    // A host alone is the title that some guards give the page.
    let is_host = || fold(&title).is_empty() || !title.contains(' ');
    is_short && (is_titled || is_host() && says_so())
}
