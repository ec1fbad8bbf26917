//! The time to read a web page: `cargo bench --bench webpage`. Generates a page of 1 MB, pages of ten and a
//! hundred times the size, and hostile ones; the last column compares the time per megabyte with the first.
//! Times are CPU times, the best of several runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod clock;

use std::time::Duration;

use citation_model::budget::Budget;
use citation_model::variable::TextVar;
use citation_records::webpage;
use clock::cpu_time;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MEGABYTE: usize = 1_000_000;

/// The limit for a page of 1 MB.
const LIMIT: Duration = Duration::from_millis(20);

const RUNS: usize = 5;

fn main() {
    println!("| page | MB | ms | ms a MB | of the first |");
    println!("|---|---|---|---|---|");
    let first = row("story", &story(MEGABYTE), None);
    for factor in [10, 100] {
        row("story", &story(MEGABYTE * factor), Some(first));
    }
    for (name, part) in [
        ("nested tags", "<div>"),
        ("tags never opened", "</b></i>"),
        ("attributes", " a=b"),
        ("classes", "<p class='byline author date'>By Jane Roe "),
        (
            "JSON-LD",
            "<script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"A\"}</script>",
        ),
    ] {
        let start = if name == "attributes" { "<p" } else { "" };
        let page = format!("{start}{}", part.repeat(10 * MEGABYTE / part.len()));
        row(name, &page, Some(first));
    }
    println!("\nthe limit of a page of 1 MB is {} ms", LIMIT.as_millis());
    assert!(
        first <= LIMIT,
        "a page of 1 MB takes {} ms",
        first.as_millis()
    );
}

/// Prints a row and returns the time per megabyte.
fn row(name: &str, page: &str, first: Option<Duration>) -> Duration {
    let megabytes = page.len() as f64 / MEGABYTE as f64;
    let time = (0..RUNS).map(|_| read(page)).min().unwrap();
    let each = time.div_f64(megabytes);
    let ratio = first.map_or(1.0, |first| each.as_secs_f64() / first.as_secs_f64());
    println!(
        "| {name} | {megabytes:.0} | {:.1} | {:.1} | {ratio:.2} |",
        time.as_secs_f64() * 1e3,
        each.as_secs_f64() * 1e3,
    );
    each
}

fn read(page: &str) -> Duration {
    let start = cpu_time();
    let url = Some("https://www.example.org/2021/07/14/story");
    let read = webpage::read(page.as_bytes(), url, None, &Budget::unlimited()).expect("unlimited");
    let time = cpu_time() - start;
    assert!(!page.starts_with("<!DOCTYPE") || read.item.text(TextVar::Title).is_some());
    time
}

/// A page like those of content management systems, of `bytes` bytes: tags, scripts, a story, comments.
fn story(bytes: usize) -> String {
    let mut page = String::with_capacity(bytes + 4_096);
    page.push_str(
        "<!DOCTYPE html><html lang=en><head><title>A story of waves | The Example</title>\
         <meta property=og:site_name content='The Example'><meta property=og:title content='A story of waves'>\
         <script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":\"A story of waves\",\
         \"author\":{\"name\":\"Jane Roe\"},\"datePublished\":\"2021-07-14\"}</script></head><body>\
         <h1 class=headline>A story of waves</h1><p class=byline>By Jane Roe</p>",
    );
    let mut at = 0;
    while page.len() < bytes {
        at += 1;
        page.push_str(&format!(
            "<div class=\"story-part part-{at}\" id=p{at} data-track='{{\"a\":{at}}}'><h3><a class=\"link link--plain\" \
             href=\"/2021/07/{at}/more?a=1&amp;b=2\">Wave {at}</a></h3><p>Waves of water, and of other \
             things, come and go; on {at} July 2021 somebody counted {at} of them and wrote it down in a \
             paper.</p><img src=\"/i/{at}.jpg\" alt=\"A wave\"><ul><li>One</li><li>Two &mdash; or \
             three</li></ul></div><script>window.at = {{\"at\": {at}, \"list\": [1, 2, 3]}};</script>\n"
        ));
    }
    page.push_str("</body></html>");
    page
}
