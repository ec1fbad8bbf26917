//! The account: plan, usage, password, export, deletion.

use super::identities::IdentityView;
use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// The page.
#[derive(Debug, Default, Template)]
#[template(path = "account/overview.html")]
pub struct AccountPage<'p> {
    pub words: Words,
    pub email: Option<&'p str>,
    pub name: Option<&'p str>,
    pub plan: &'p str,
    pub price: Option<&'p str>,
    /// Whether plans are shown.
    pub sells_plans: bool,
    pub lookups: LookupsView,
    /// None for plans without an allowance.
    pub month: Option<CallsView>,
    pub collections: (u64, u64),
    pub entries: u64,
    /// Bytes stored, and the limit.
    pub bytes: (u64, u64),
    pub has_password: bool,
    pub min_chars: usize,
    /// Identities that can sign in to the account.
    pub identities: Vec<IdentityView>,
    /// Identity providers that can still be linked: name and label.
    pub providers: Vec<(String, String)>,
    pub problem: Option<&'p str>,
    pub notice: Option<&'p str>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct LookupsView {
    pub used: u64,
    pub limit: u64,
    pub resets_at: Moment,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CallsView {
    pub used: u64,
    pub included: u64,
    pub overage: u64,
    pub resets_at: Moment,
}

/// Megabytes of 2^20 bytes, rounded up.
fn megabytes(bytes: &u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// The page that confirms the account's deletion.
#[derive(Template)]
#[template(path = "account/delete.html")]
pub struct DeletePage<'p> {
    pub words: Words,
    pub email: Option<&'p str>,
    pub problem: Option<&'p str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_rounded_up_to_megabytes() {
        let view = AccountPage {
            bytes: (3 << 19, 64 << 20),
            ..AccountPage::default()
        };
        let html = view.to_string();
        assert!(html.contains("<dd>2 of 64 MB</dd>"), "{html}");
    }

    #[test]
    fn month_is_shown_if_the_plan_has_an_allowance() {
        let month = CallsView {
            used: 12,
            included: 10,
            overage: 2,
            resets_at: Moment(0),
        };
        let view = AccountPage {
            month: Some(month),
            ..AccountPage::default()
        };
        let html = view.to_string();
        assert!(html.contains(
            "<td>12, 2 of them over the included amount</td><td>10</td><td><bdi dir=\"ltr\">1970-01-01 00:00 UTC</bdi></td>"
        ));
        assert!(
            !AccountPage::default()
                .to_string()
                .contains("API calls this month")
        );
    }
}
