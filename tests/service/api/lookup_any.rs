//! Lookups of any input: identifiers of any kind, addresses, pages, several at once, text.

use std::io::Write;
use std::time::Duration;

use citation::config::Config;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::program::{Run, run};

/// A page of an article, which names its DOI.
const ARTICLE: &str = r#"<!doctype html><html lang="en"><head><title>A study | The Journal</title>
    <meta name="citation_title" content="A study"><meta name="citation_author" content="Berg, Ada">
    <meta name="citation_publication_date" content="2020/05/01"><meta name="citation_journal_title" content="The Journal">
    <meta name="citation_doi" content="10.1038/171737a0"></head><body><p>Text.</p></body></html>"#;

/// A page that is itself what is cited.
const NEWS: &str = r#"<!doctype html><html lang="en"><head><title>Rain in June | Daily Example</title>
    <meta property="og:type" content="article"><meta property="og:title" content="Rain in June">
    <meta property="og:site_name" content="Daily Example"><meta name="author" content="Ada Berg">
    <meta property="article:published_time" content="2020-06-01T08:00:00Z"></head><body><p>Rain.</p></body></html>"#;

/// A server that may fetch pages from a stand-in.
fn app_with(site: &StandIn) -> TestApp {
    TestApp::start_with(|config| trust(config, site))
}

fn trust(config: &mut Config, site: &StandIn) {
    config.lookup.fetch_pages = true;
    config.lookup.fetch_origins = vec![site.url()];
    config.lookup.page_bytes = 1 << 20;
}

fn html(body: impl Into<Vec<u8>>) -> Reply {
    Reply::whole(200, "text/html; charset=utf-8", body)
}

fn look_up(app: &TestApp, query: &str) -> Value {
    let answer = app.post("/api/v1/lookup", &json!({"query": query}));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

fn notice(answer: &Value) -> &str {
    answer["notices"][0]["code"].as_str().unwrap_or_default()
}

#[test]
fn query_reply_reports_interpretation() {
    let app = TestApp::start();
    for (query, taken_for) in [
        ("10.1038/171737a0", "doi"),
        (
            "https://www.nature.com/articles/171737a0.pdf?utm_source=x#sec2",
            "doi",
        ),
        ("urn:isbn:978-0-262-03384-8", "isbn"),
    ] {
        let answer = look_up(&app, query);
        assert_eq!(answer["taken_for"], taken_for, "{query}");
        assert!(answer["metadata"]["title"].is_string(), "{answer}");
    }
    let text = "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.";
    let answer = look_up(&app, text);
    assert_eq!(answer["taken_for"], "text");
    assert_eq!(answer["metadata"]["doi"], "10.1038/171737a0");
    assert!(
        answer["candidates"][0]["score"]
            .as_f64()
            .is_some_and(|score| score >= 0.95)
    );
    let nothing = look_up(&app, "zzqx vvkk ppww");
    assert!(nothing.get("metadata").is_none(), "{nothing}");
}

#[test]
fn several_inputs_are_answered_and_counted_separately() {
    let app = TestApp::start();
    let request = json!({"query": "10.1038/171737a0, 978-0-262-03384-8 PMID: 99999999"});
    let answer = app.post("/api/v1/lookup", &request);
    let body = answer.json();
    assert_eq!(body["taken_for"], "several", "{body}");
    assert_eq!(body["results"][0]["metadata"]["doi"], "10.1038/171737a0");
    assert_eq!(body["results"][1]["taken_for"], "isbn");
    assert_eq!(body["results"][2]["error"]["error"], "work_not_found");
    assert_eq!(answer.header("x-lookup-cost"), "3");
}

/// Like a lookup of one: 429 says that nothing could be looked up.
#[test]
fn several_inputs_without_lookups_left_are_refused() {
    let app = TestApp::start_with(|config| config.quota.anonymous_daily = 2);
    let request = json!({"query": "10.1038/171737a0, 10.1038/171738a0, 10.1038/171740a0"});
    // What is still left is used.
    let body = app.post("/api/v1/lookup", &request).json();
    assert_eq!(body["results"][0]["metadata"]["doi"], "10.1038/171737a0");
    assert_eq!(body["results"][2]["error"]["error"], "quota_exhausted");
    let answer = app.post("/api/v1/lookup", &request);
    answer.expect_error(429, "quota_exhausted");
    assert!(!answer.header("retry-after").is_empty());
}

#[test]
fn wrong_check_digit_is_rejected_with_correction() {
    let app = TestApp::start();
    let body = app
        .post("/api/v1/lookup", &json!({"query": "978-0-7432-7356-6"}))
        .expect_error(422, "invalid_isbn");
    assert_eq!(body["suggestion"], "9780743273565");
    app.post("/api/v1/lookup/url", &json!({"url": "no address"}))
        .expect_error(422, "validation_failed");
}

#[test]
fn unknown_doi_is_retried_without_suffix() {
    let app = TestApp::start();
    let answer = look_up(&app, "10.1038/171737a0.pdf");
    assert_eq!(answer["metadata"]["doi"], "10.1038/171737a0");
    assert_eq!(answer["found_by"]["value"], "10.1038/171737a0");
    assert_eq!(notice(&answer), "shorter_doi");
    let answer = app.post(
        "/api/v1/lookup/doi",
        &json!({"doi": "10.1038/171737a0/full"}),
    );
    assert_eq!(
        answer.header("content-location"),
        "/api/v1/works/10.1038/171737a0"
    );
}

#[test]
fn page_of_a_work_returns_the_work() {
    let site = StandIn::start(|_: &Request| html(ARTICLE));
    let app = app_with(&site);
    let url = format!("{}/articles/1?utm_source=x", site.url());
    let answer = app.post("/api/v1/lookup/url", &json!({"url": url}));
    assert_eq!(answer.header("x-lookup-cost"), "1");
    let answer = answer.json();
    assert_eq!(answer["taken_for"], "url", "{answer}");
    assert_eq!(answer["metadata"]["journal"], "Nature");
    assert_eq!(answer["found_by"]["kind"], "doi");
    assert_eq!(notice(&answer), "found_on_page");
    // Fetched once, without what only tells where a reader came from, by a program that says so.
    let requests = site.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].target, "/articles/1");
    assert!(
        requests[0]
            .header("user-agent")
            .is_some_and(|agent| agent.starts_with("citation/"))
    );
}

#[test]
fn page_without_work_has_access_date() {
    let site = StandIn::start(|_: &Request| html(NEWS));
    let app = app_with(&site);
    let answer = look_up(&app, &format!("{}/news/rain?fbclid=1", site.url()));
    let metadata = &answer["metadata"];
    assert_eq!(metadata["title"], "Rain in June", "{answer}");
    assert_eq!(metadata["date"]["year"], 2020);
    assert!(
        !metadata["url"].as_str().unwrap().contains("fbclid"),
        "{answer}"
    );
    assert!(answer.to_string().contains("accessed"), "{answer}");
}

#[test]
fn unfetched_page_returns_incomplete_entry() {
    let site = StandIn::start(|_: &Request| html(NEWS));
    let switched_off = TestApp::start();
    let allowed = app_with(&site);
    let url = format!("{}/news/rain?utm_medium=x", site.url());
    let off = json!({"url": url});
    let local = json!({"url": url, "local_only": true});
    for (app, request) in [(&switched_off, off), (&allowed, local)] {
        let answer = app.post("/api/v1/lookup/url", &request);
        assert_eq!(answer.header("x-lookup-cost"), "0");
        let answer = answer.json();
        assert_eq!(notice(&answer), "page_not_fetched", "{answer}");
        assert_eq!(answer["metadata"]["csl_type"], "webpage");
        assert_eq!(
            answer["metadata"]["url"],
            format!("{}/news/rain", site.url())
        );
        assert!(answer.to_string().contains("accessed"), "{answer}");
    }
    assert!(site.requests().is_empty());
}

/// Whatever a site does, the answer is an entry to fill in, nothing is asked twice, and memory stays in bounds.
#[test]
fn hostile_sites_are_not_read() {
    let packed = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let inner = StandIn::start(|_: &Request| html(ARTICLE));
    let port = inner.port();
    let replies = [
        ("private address", Reply::redirect(&inner.url())),
        (
            "private name",
            Reply::redirect(&format!("http://localhost:{port}/")),
        ),
        (
            "secure private name",
            Reply::redirect(&format!("https://localhost:{port}/")),
        ),
        (
            "metadata service",
            Reply::redirect("https://169.254.169.254/latest/meta-data/"),
        ),
        (
            "mapped address",
            Reply::redirect(&format!("https://[::ffff:127.0.0.1]:{port}/")),
        ),
        ("another scheme", Reply::redirect("file:///etc/passwd")),
        ("circle", Reply::redirect("/again")),
        ("endless body", Reply::Zeros),
        ("endless packed body", Reply::PackedZeros),
        (
            "broken packing",
            html("no gzip").with_header("Content-Encoding", "gzip"),
        ),
        ("cut off", Reply::CutOff),
        ("nothing", Reply::Close),
        ("silence", Reply::Hang),
        ("drops", Reply::Trickle(Duration::from_millis(20))),
        ("no page", Reply::whole(200, "application/pdf", "%PDF-1.7")),
        ("refused", Reply::status(403)),
        ("gone", Reply::status(410)),
    ];
    for (name, reply) in replies {
        let site = StandIn::start(move |_: &Request| reply.clone());
        let app = TestApp::start_with(|config| {
            trust(config, &site);
            config.lookup.budget_ms = 500;
        });
        let answer = look_up(&app, &format!("{}/page", site.url()));
        assert_eq!(notice(&answer), "page_not_fetched", "{name}: {answer}");
        assert!(site.requests().len() <= 4, "{name}");
    }
    assert!(inner.requests().is_empty(), "a redirect led inside");
    let deep = "<div>".repeat(10 << 20);
    for (name, reply) in [
        ("nested tags", html(deep.clone())),
        (
            "packed nested tags",
            html(packed(deep.as_bytes())).with_header("Content-Encoding", "gzip"),
        ),
        (
            "unknown encoding",
            Reply::whole(200, "text/html; charset=x-none", NEWS),
        ),
        (
            "wrong encoding",
            Reply::whole(200, "text/html; charset=utf-16", NEWS),
        ),
        ("no text", html(vec![0xff_u8; 1 << 20])),
    ] {
        let site = StandIn::start(move |_: &Request| reply.clone());
        let answer = app_with(&site).post(
            "/api/v1/lookup",
            &json!({"query": format!("{}/page", site.url())}),
        );
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        assert!(answer.text().len() < 16 << 10, "{name}");
    }
}

/// A name outside is not trusted for an origin that is: not even to fetch it under another port.
#[test]
fn only_trusted_origins_may_be_private() {
    let trusted = StandIn::start(|_: &Request| html(NEWS));
    let other = StandIn::start(|_: &Request| html(NEWS));
    let app = app_with(&trusted);
    for url in [
        other.url(),
        format!("http://localhost:{}", trusted.port()),
        "http://[::1]/".into(),
    ] {
        let answer = app.post("/api/v1/lookup/url", &json!({"url": url}));
        let fetched = answer.status == 200 && notice(&answer.json()) != "page_not_fetched";
        assert!(!fetched, "{url}: {}", answer.text());
    }
    assert!(other.requests().is_empty() && trusted.requests().is_empty());
}

/// A text of a batch used to be searched for, whatever it was.
#[test]
fn batch_texts_are_read_like_lookups() {
    let site = StandIn::start(|_: &Request| html(NEWS));
    let app = app_with(&site);
    let key = app.bearer(Plan::Business);
    let items = json!([
        {"text": "https://www.nature.com/articles/171737a0.pdf?utm_source=x"},
        {"text": format!("{}/news/rain", site.url())},
        {"text": "978-0-7432-7356-6"},
        {"text": "10.1038/171737a0, 978-0-262-03384-8"},
    ]);
    let answer = app.post_as(&key, "/api/v1/format/batch", &json!({"items": items}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let results = &body["results"];
    assert_eq!(results[0]["metadata"]["doi"], "10.1038/171737a0", "{body}");
    assert_eq!(results[1]["metadata"]["title"], "Rain in June", "{body}");
    assert_eq!(results[1]["source"], "page");
    let message = |n: usize| results[n]["error"]["message"].as_str().unwrap_or_default();
    assert!(message(2).contains("9780743273565"), "{body}");
    assert!(message(3).contains("several identifiers"), "{body}");
    assert_eq!(body["lookups_used"], 2, "{body}");
}

/// No pause between the lookup and the questions: what it brought is found at once.
#[test]
fn fetched_work_is_found_at_once() {
    let record = r#"{"status":"ok","message":{"DOI":"10.5555/fresh","type":"journal-article",
        "title":["A quite unheard-of treatise on turnips"],"author":[{"family":"Berg","given":"Ada"}],
        "container-title":["Journal of Examples"],"issued":{"date-parts":[[2021]]}}}"#;
    let page = r#"<html><head><title>x</title><meta name="citation_title" content="A quite unheard-of treatise on turnips">
        <meta name="citation_doi" content="10.5555/fresh"></head></html>"#;
    for through in ["identifier", "page", "url"] {
        let crossref = StandIn::start(move |_: &Request| Reply::json(record));
        let site = StandIn::start(move |_: &Request| html(page));
        let app = TestApp::start_with(|config| {
            trust(config, &site);
            config.providers.crossref.enabled = true;
            config.providers.crossref.base_url = crossref.url().parse().unwrap();
        });
        let answer = match through {
            "identifier" => look_up(&app, "https://doi.org/10.5555/fresh"),
            "page" => look_up(&app, &format!("{}/turnips", site.url())),
            _ => {
                let request =
                    json!({"url": "https://publisher.example.org/doi/full/10.5555/fresh"});
                app.post("/api/v1/lookup/url", &request).json()
            }
        };
        assert_eq!(
            answer["metadata"]["doi"], "10.5555/fresh",
            "{through}: {answer}"
        );
        let text = "Berg A. A quite unheard-of treatise on turnips. Journal of Examples 2021.";
        let request = json!({"text": text, "local_only": true});
        let found = app.post("/api/v1/reverse", &request).json();
        assert_eq!(
            found[0]["metadata"]["doi"], "10.5555/fresh",
            "{through}: {found}"
        );
        assert_eq!(found[0]["source"], "local");
        let checked = app
            .post_as(&app.bearer(Plan::Business), "/api/v1/verify", &request)
            .json();
        assert_eq!(
            checked["match"]["doi"], "10.5555/fresh",
            "{through}: {checked}"
        );
        let again = app.post("/api/v1/lookup", &request_of(text)).json();
        assert_eq!(
            again["metadata"]["doi"], "10.5555/fresh",
            "{through}: {again}"
        );
    }
}

fn request_of(text: &str) -> Value {
    json!({"query": text, "local_only": true})
}

/// A link used to be searched as text, which found an unrelated work with exit code 0.
#[test]
fn command_reports_missing_match() {
    let data = tempfile::tempdir().unwrap();
    let run = |text: &str| {
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_citation"))
            .args(["--init", "--data", "data", "lookup", "--local-only", text])
            .current_dir(data.path())
            .output();
        let output = command.unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let (code, said) = run("https://news.example.org/rain-in-june");
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = run("purple turnips of the moon zzz");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("no match"), "{said}");
    let (code, said) = run("Watson Crick 1953 Molecular structure of nucleic acids Nature");
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn commands_name_the_sources_without_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    // Nothing listens on the port of a socket that was closed.
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    drop(socket);
    let config = format!(
        "[lookup]\nreverse_order = [\"crossref\"]\n[providers.crossref]\nbase_url = \"http://{address}\"\nretries = 0\n"
    );
    std::fs::write(folder.path().join("citation.toml"), config).unwrap();
    let text = "Abel, A. (1999). Purple turnips of the moon. Journal of Turnips, 12, 45-67.";
    for command in ["lookup", "reverse", "verify"] {
        let arguments: &[&str] = match command {
            "verify" => &["--init", "--data", "data", "verify", "-"],
            _ => &["--init", "--data", "data", command, text],
        };
        let Run { out, said, code } = run(folder.path(), arguments, text.as_bytes());
        assert_eq!(code, 1, "{command}: {out}{said}");
        let told = format!("{out}{said}");
        assert!(
            told.contains("no answer from: crossref (error)"),
            "{command}: {told}"
        );
        assert!(!told.contains("WARN"), "{command}: {told}");
    }
}
