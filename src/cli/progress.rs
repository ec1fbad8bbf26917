//! Progress on standard error, for those who sit at a terminal; silent elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts up to `total`, with rate and remaining time.
pub fn counter(total: u64, what: &str) -> ProgressBar {
    let template =
        format!("{{wide_bar}} {{human_pos}} of {{human_len}} {what}, {{per_sec}}, {{eta}} left");
    styled(ProgressBar::new(total), &template)
}

/// A bar over the bytes of the input, with a message for the records.
pub fn bytes(total: u64) -> ProgressBar {
    styled(
        ProgressBar::new(total),
        "{wide_bar} {binary_bytes} of {binary_total_bytes}, {msg}, {eta} left",
    )
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    // The templates are constants; a wrong one would show the plain bar.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
