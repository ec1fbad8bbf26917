//! `POST /api/v1/import` and `/api/v1/export`.

use serde_json::json;

use crate::support::{Answer, TestApp, list};

fn import(app: &TestApp, content_type: &str, body: &str) -> Answer {
    let headers = [("content-type", content_type)];
    app.send("POST", "/api/v1/import", &headers, Some(body.as_bytes()))
}

#[test]
fn imported_files_report_errors_with_positions() {
    let app = TestApp::start();
    let text = "@article{a, title={One}, year={2001}}\n\n@book{b, title={Two}\n";
    for content_type in ["text/plain", "application/x-bibtex"] {
        let body = import(&app, content_type, text).json();
        assert_eq!(body["format"], "bibtex");
        assert_eq!(body["total"], 2);
        assert_eq!(body["entries"][0]["metadata"]["title"], "One");
        assert_eq!(body["entries"][1]["line"], 3);
        assert_eq!(body["warnings"][0]["line"], 3, "{body}");
        assert_eq!(body["references"], json!([]));
    }
    let body = import(&app, "text/plain", "TY  - JOUR\nTI  - Three\nER  - \n").json();
    assert_eq!(
        (&body["format"], &body["entries"][0]["metadata"]["title"]),
        (&json!("ris"), &json!("Three"))
    );
}

#[test]
fn plain_text_is_split_into_references() {
    let app = TestApp::start();
    let text = "1. Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature. 1953;171:737-8.\n\
                2. Shannon CE. A mathematical theory of communication. Bell Syst Tech J. 1948;27:379-423.\n";
    let body = import(&app, "text/plain", text).json();
    assert_eq!(body["format"], "text");
    assert_eq!(list(&body["references"]).len(), 2);
    assert!(
        body["references"][1]
            .as_str()
            .unwrap()
            .starts_with("Shannon")
    );
    let around = format!("The following works were used.\n\n{text}");
    let body = import(&app, "text/plain", &around).json();
    assert_eq!(body["total"], 2);
    assert_eq!(
        body["left_out"][0]["text"],
        "The following works were used."
    );
    import(&app, "text/plain", " \n").expect_error(422, "unprocessable_import");
    import(&app, "image/png", "x").expect_error(415, "unsupported_media_type");
}

#[test]
fn file_that_is_too_complex_is_named() {
    let app = TestApp::start_with(|config| config.limits.request_steps = 1_000);
    for text in [
        "@book{b, title={Two}}\n",
        "Doe J. A title. Ring 1999;1:2.\n",
    ] {
        let answer = import(&app, "text/plain", &text.repeat(1_000));
        answer.expect_error(422, "too_complex");
        assert_eq!(answer.json()["field"], "/file");
    }
}

#[test]
fn formats_are_recognised_regardless_of_media_type() {
    let app = TestApp::start();
    for (text, format) in [
        ("PMID- 1\nTI  - One\n", "nbib"),
        ("%0 Book\n%A Doe, Jane\n%T One\n", "refer"),
        ("RT Book, Whole\nA1 Doe, Jane\nT1 One\n", "refworks"),
        ("PT J\nAU Doe, J\nTI One\nER\n", "wos-tagged"),
        ("Title,Author,Year\nOne,\"Doe, J.\",2001\n", "csv"),
    ] {
        for content_type in ["text/plain", "application/x-bibtex"] {
            let body = import(&app, content_type, text).json();
            assert_eq!(body["format"], format, "{text}");
            assert_eq!(body["entries"][0]["metadata"]["title"], "One", "{text}");
        }
    }
    let refused = import(&app, "text/plain", "TI- A\nAU- B\nHL- C\n");
    let fault = refused.expect_error(415, "unsupported_media_type");
    let message = fault["message"].as_str().unwrap();
    assert!(message.starts_with("This is a Copac export."), "{message}");
}

#[test]
fn entries_are_written_in_every_format() {
    let app = TestApp::start();
    let export = |format: &str| {
        app.post(
            "/api/v1/export",
            &json!({"format": format, "style": "apa", "entries": [{
                "title": "On “quotes” & <braces>", "entry_type": "Article", "journal": "J",
                "authors": [{"family": "A", "given": "B"}], "date": {"year": 2001},
            }]}),
        )
    };
    for (format, sign, extension) in [
        ("bibtex", "@article{", "bib"),
        ("biblatex", "journaltitle", "bib"),
        ("ris", "TY  - JOUR", "ris"),
        ("csl-json", "\"article-journal\"", "json"),
        ("text", "A, B. (2001).", "txt"),
        ("html", "&lt;braces&gt;", "html"),
        ("rtf", "{\\rtf1", "rtf"),
        ("markdown", "*J*", "md"),
    ] {
        let answer = export(format);
        assert_eq!(answer.status, 200, "{format}");
        assert!(answer.text().contains(sign), "{format}: {}", answer.text());
        let name = format!("filename=\"bibliography.{extension}\"");
        assert!(answer.header("content-disposition").contains(&name));
    }
    let error = export("docx").expect_error(422, "validation_failed");
    assert_eq!(error["field"], "/format");
}

#[test]
fn table_without_known_columns_is_refused() {
    let app = TestApp::start();
    for (content_type, text) in [
        ("text/csv", "colour,weight\nred,7\nblue,8\n"),
        (
            "text/tab-separated-values",
            "colour\tweight\nred\t7\nblue\t8\n",
        ),
    ] {
        let body = import(&app, content_type, text).expect_error(422, "unprocessable_import");
        let message = body["message"].as_str().unwrap();
        assert!(message.contains("column"), "{message}");
    }
    let known = import(&app, "text/csv", "title,year\nOne,2001\n").json();
    assert_eq!(known["total"], 1, "{known}");
}
