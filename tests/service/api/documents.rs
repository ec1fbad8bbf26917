//! Verification of manuscripts over HTTP: input forms, results and costs.

use serde_json::{Value, json};

use super::matching::Server;
use crate::manuscripts;
use crate::support::{Answer, list};

const PATH: &str = "/api/v1/verify/document?local_only=true";

/// Sends a form with these parts: field, name of the file, content.
fn send(server: &Server, accept: &str, parts: &[(&str, &str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (field, name, content) in parts {
        let head = format!(
            "--xx\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--xx--\r\n");
    let headers = [
        ("content-type", "multipart/form-data; boundary=xx"),
        ("accept", accept),
        ("authorization", &server.key),
    ];
    server.app.send("POST", PATH, &headers, Some(&body))
}

#[test]
fn document_check_finds_altered_and_invented_references() {
    let server = Server::start();
    let paper = manuscripts::printed_docx();
    let answer = send(&server, "*/*", &[("file", "paper.docx", &paper)]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let found = list(&body["results"]).iter();
    let found: Vec<&str> = found
        .map(|result| result["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(found, manuscripts::verdicts(), "{body}");
    assert_eq!(body["document"]["format"], "docx");
    assert_eq!(body["document"]["references"], 14);
    assert_eq!(body["results"][0]["position"], json!({"paragraph": 3}));
    assert_eq!(body["lookups_used"], 14);
    let streamed = send(
        &server,
        "application/x-ndjson",
        &[("file", "paper.docx", &paper)],
    );
    let lines: Vec<Value> = streamed
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 15, "{lines:?}");
    assert_eq!(lines[0]["document"], body["document"]);
    assert_eq!(lines[3]["position"], json!({"paragraph": 5}));
    assert_eq!(lines[3]["diffs"][0]["field"], "year");
}

#[test]
fn hostile_pdf_is_rejected_without_harm_to_the_next() {
    let server = Server::start();
    for (what, bytes) in crate::pdf::hostile() {
        let answer = send(&server, "*/*", &[("file", "paper.pdf", &bytes)]);
        assert_eq!(answer.status / 100, 4, "{what}: {}", answer.text());
    }
    let paper = manuscripts::printed_docx();
    let answer = send(&server, "*/*", &[("file", "paper.docx", &paper)]);
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[test]
fn companions_define_what_a_document_cites() {
    let server = Server::start();
    let paper = b"---\nbibliography: sub/refs.bib\n---\n\nAs @watson and @gone say.\n";
    let bib = b"@article{watson, doi={10.1038/171737a0}, title={Molecular Structure of Nucleic Acids}}\n\n\
                @misc{other, title={Another}}";
    let body = send(
        &server,
        "*/*",
        &[("file", "paper.md", paper), ("companion", "refs.bib", bib)],
    )
    .json();
    assert_eq!(body["results"][0]["verdict"], "verified", "{body}");
    let position = &body["results"][0]["position"];
    assert_eq!(
        position,
        &json!({"line": 1, "file": "sub/refs.bib", "citation_key": "watson"})
    );
    let kinds: Vec<&Value> = list(&body["document"]["findings"])
        .iter()
        .map(|finding| &finding["kind"])
        .collect();
    assert_eq!(kinds, ["undefined_key", "uncited_entry"], "{body}");
}

#[test]
fn bibliography_and_list_are_checked_as_documents() {
    let server = Server::start();
    let check = |name: &str, text: &str, format: &str| {
        let body = send(&server, "*/*", &[("file", name, text.as_bytes())]).json();
        assert_eq!(body["document"]["format"], format, "{body}");
        assert_eq!(body["results"][0]["verdict"], "not_found", "{body}");
    };
    check(
        "refs.bib",
        "@misc{a, title={An invention of this test}}",
        "bibtex",
    );
    check(
        "refs.md",
        "1. Nobody, N. (2001). An invention of this test. Nowhere 3, 1.",
        "list",
    );
}

#[test]
fn unreadable_document_is_rejected_with_reason() {
    let server = Server::start_with(|config| config.limits.document_references = 2);
    let check = |parts: &[(&str, &str, &[u8])], status: u16, code: &str| {
        send(&server, "*/*", parts).expect_error(status, code);
    };
    check(
        &[("file", "old.doc", b"\xd0\xcf\x11\xe0")],
        415,
        "unsupported_media_type",
    );
    check(
        &[("file", "paper.docx", b"PK\x03\x04broken")],
        415,
        "unsupported_media_type",
    );
    check(
        &[("companion", "refs.bib", b"@misc{a, title={A}}")],
        422,
        "validation_failed",
    );
    check(
        &[("file", "empty.tex", b"\\documentclass{article}")],
        422,
        "validation_failed",
    );
    let many: String = (0..3)
        .map(|n| format!("@misc{{k{n}, title={{A title}}}}\n"))
        .collect();
    check(
        &[("file", "refs.bib", many.as_bytes())],
        413,
        "payload_too_large",
    );
    let deep = format!("<html><body>{}", "<div>".repeat(200_000));
    let answer = send(&server, "*/*", &[("file", "deep.html", deep.as_bytes())]);
    assert!((400..500).contains(&answer.status), "{}", answer.text());
}
