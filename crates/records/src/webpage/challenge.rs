//! Detects bot challenges and error pages.

use citation_model::lists::phrases;

use super::page::Page;

/// The start of titles of such pages.
const TITLES: [&str; 46] = phrases(
    "just a moment|attention required|access denied|access to this page has been denied|\
     are you a robot|are you human|bot verification|checking your browser|client challenge|\
     robot check|robot or human|security check|verify you are human|vérification|\
     pardon our interruption|ddos-guard|request rejected|request unsuccessful|403 forbidden|\
     one moment, please|one more step|captcha|radware|human verification|validate user|\
     error - cookies|cookies disabled|cookie absent|shieldsquare|unusual traffic|\
     let's confirm you are human|your request has been blocked|bot check|\
     verifying your browser|too many requests|400 bad request|404 not found|404 page not found|\
     404 error|error 404|page not found|429 too many requests|500 internal server error|\
     502 bad gateway|503 service|service unavailable",
);

/// Words that only such pages contain.
const MARKS: [&str; 8] = phrases(
    "verify you are human|verifying you are human|enable javascript and cookies to continue|\
     checking if the site connection is secure|please complete the security check|\
     press and hold to confirm you are a human|please enable js and disable any ad blocker|\
     please make sure your browser supports javascript and cookies",
);

/// Maximum number of lines of such a page.
const LINES: usize = 60;

pub(super) fn is_one(page: &Page) -> bool {
    let tells = |(name, _): &(String, String)| name.starts_with("citation_");
    if page.lines.len() >= LINES || !page.objects.is_empty() || page.metas.iter().any(tells) {
        return false;
    }
    let title = page.title.to_lowercase();
    let is_titled = TITLES.iter().any(|known| title.starts_with(known));
    // Some bot protections use the host as the title.
    let is_untitled = !title.contains(' ');
    let says_so = || {
        let mut lines = page.lines.iter().map(|line| line.text.to_lowercase());
        lines.any(|line| MARKS.iter().any(|mark| line.contains(mark)))
    };
    is_titled || is_untitled && says_so()
}
