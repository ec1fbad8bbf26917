//! Progress bars on standard error; silent unless it is a terminal.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// A bar that counts to `total`: `1,240 of 9,000 works, 310 works/s, 2 min left`.
pub fn counter(total: u64, what: &'static str) -> ProgressBar {
    let rate = move |state: &ProgressState, out: &mut dyn Write| {
        // Errors of the terminal do not stop the command.
        let _ = out.write_str(&rate(state.per_sec(), what));
    };
    let style = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{human_pos}} of {{human_len}} {what}, {{rate}}, {{left}}"
    ));
    styled(
        ProgressBar::new(total),
        style.map(|style| style.with_key("rate", rate)),
    )
}

/// A bar for the bytes of the input, with a message about the records read.
pub fn bytes(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {binary_bytes} of {binary_total_bytes}, {msg}, {left}",
    );
    styled(ProgressBar::new(total), style)
}

/// `1,240 records/s`
pub fn rate(a_second: f64, what: &str) -> String {
    format!("{} {what}/s", HumanCount(a_second.round() as u64))
}

fn styled(
    bar: ProgressBar,
    style: Result<ProgressStyle, indicatif::style::TemplateError>,
) -> ProgressBar {
    // The templates are constants; an invalid one would show the plain bar.
    if let Ok(style) = style {
        bar.set_style(
            style.with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&left(state.eta()));
            }),
        );
    }
    bar
}

/// `40 s left`, `2 min left`, `3 h left`
fn left(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=89 => format!("{seconds} s left"),
        90..=5_399 => format!("{} min left", (seconds + 30) / 60),
        _ => format!("{} h left", (seconds + 1_800) / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_readable() {
        assert_eq!(rate(1_239.6, "records"), "1,240 records/s");
        let check = |seconds, expected| assert_eq!(left(Duration::from_secs(seconds)), expected);
        check(7, "7 s left");
        check(130, "2 min left");
        check(11_000, "3 h left");
    }
}
