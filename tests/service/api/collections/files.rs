//! Import and export.

use citation_testing::suite;
use std::collections::BTreeSet;

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, expect};
use crate::support::list;

const BIB: &str = "\u{feff}@string{j = {Journal}}\n\
    @article{one, title={The {DNA} story}, author={M{\\\"u}ller, Jo}, journal=j, year=2001, doi={10.1000/ONE}}\n\
    @book{two, title={Two}, year={2002}\n\
    @misc{three, title={Three}}\n";

fn numbers(report: &Value) -> [u64; 4] {
    ["total", "imported", "skipped", "failed"].map(|name| report[name].as_u64().unwrap())
}

fn form(name: &str, file_name: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "--B\r\nContent-Disposition: form-data; name=\"hint\"\r\n\r\nx\r\n--B\r\nContent-Disposition: \
         form-data; name=\"{name}\"; filename=\"{file_name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), content, b"\r\n--B--\r\n"].concat()
}

fn upload(me: &Member, path: &str, file_name: &str, content: &[u8]) -> crate::support::Answer {
    let body = form("file", file_name, content);
    me.send_bytes(
        "POST",
        path,
        "multipart/form-data; boundary=B",
        Some(&body),
        &[],
    )
}

#[test]
fn file_is_imported_from_form_or_raw_body() {
    let (_, me, path) = Library::with_collection("A");
    let import = format!("{path}/import");
    let rehearsed = expect(
        &upload(
            &me,
            &format!("{import}?dry_run=true"),
            "a.bib",
            BIB.as_bytes(),
        ),
        200,
    );
    assert_eq!(
        (&rehearsed["dry_run"], &rehearsed["entries"][0]["entry_id"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(me.titles(&path), Vec::<String>::new());

    let report = expect(&upload(&me, &import, "a.bib", BIB.as_bytes()), 200);
    assert_eq!(
        (&report["format"], &report["encoding"]),
        (&json!("bibtex"), &json!("utf-8"))
    );
    let [total, imported, skipped, failed] = numbers(&report);
    assert_eq!((total, skipped), (imported + failed, 0));
    assert_eq!(numbers(&rehearsed), numbers(&report));
    let entry = expect(&me.get(&path), 200)["entries"][0].clone();
    assert_eq!(entry["id"], report["entries"][0]["entry_id"]);
    assert_eq!(
        (
            &entry["citation_key"],
            &report["entries"][0]["citation_key"]
        ),
        (&json!("one"), &json!("one"))
    );
    assert_eq!(entry["metadata"]["authors"][0]["family"], "Müller");
    assert_eq!(
        entry["metadata"]["title"],
        "The <span class=\"nocase\">DNA</span> story"
    );
    for problem in list(&report["errors"])
        .iter()
        .chain(list(&report["warnings"]))
    {
        for member in ["line", "column", "code", "message", "snippet"] {
            assert!(!problem[member].is_null(), "{problem}");
        }
    }

    let raw = |query: &str, content_type: &str, content: &[u8]| {
        me.send_bytes(
            "POST",
            &format!("{import}{query}"),
            content_type,
            Some(content),
            &[],
        )
    };
    let again = expect(
        &raw("?on_duplicate=skip", "application/x-bibtex", BIB.as_bytes()),
        200,
    );
    assert_eq!(numbers(&again), [total, 0, imported, failed]);
    assert_eq!(list(&again["duplicates"]).len() as u64, imported);
    let ris = "TY  - JOUR\r\nTI  - Ris\r\nAU  - M\u{fc}ller, J\r\nER  - \r\n";
    let latin: Vec<u8> = ris.chars().map(|c| c as u8).collect();
    let report = expect(&raw("", "application/x-research-info-systems", &latin), 200);
    assert_eq!(
        (&report["format"], &report["encoding"]),
        (&json!("ris"), &json!("iso-8859-1"))
    );
    let report = expect(
        &raw(
            "",
            "application/json",
            br#"[{"id":"x","type":"book","title":"Csl"}]"#,
        ),
        200,
    );
    assert_eq!(report["format"], "csl-json");
    let wide: Vec<u8> = "@book{w, title={Wide}}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        expect(&upload(&me, &import, "w.bib", &wide), 200)["encoding"],
        "utf-16le"
    );
    let titles = me.titles(&path);
    assert!(
        ["Ris", "Csl", "Wide"]
            .iter()
            .all(|title| titles.iter().any(|t| t.ends_with(title))),
        "{titles:?}"
    );
}

#[test]
fn unreadable_file_is_rejected_with_reason() {
    let library = Library::open_with(|config| config.limits.import_bytes = 4096);
    let me = library.member(Plan::Free);
    let path = me.collection("A");
    let import = format!("{path}/import");
    let raw = |query: &str, content_type: &str, content: &[u8]| {
        me.send_bytes(
            "POST",
            &format!("{import}{query}"),
            content_type,
            Some(content),
            &[],
        )
    };
    let fault = raw("", "application/pdf", b"%PDF-1.4").expect_error(415, "unsupported_media_type");
    assert!(list(&fault["supported"]).len() > 2);
    let fault = raw("", "application/x-bibtex", b"").expect_error(422, "unprocessable_import");
    assert_eq!((&fault["total"], &fault["errors"]), (&json!(0), &json!([])));
    let fault =
        upload(&me, &import, "a.json", b"[{\"type\": ").expect_error(422, "unprocessable_import");
    assert_eq!(list(&fault["errors"]).len(), 1);
    raw("?format=docx", "application/x-bibtex", BIB.as_bytes())
        .expect_error(400, "invalid_parameter");
    let broken = "multipart/form-data; boundary=C";
    me.send_bytes("POST", &import, broken, Some(&form("file", "a", b"x")), &[])
        .expect_error(400, "bad_request");
    let no_file = b"--B\r\nContent-Disposition: form-data; name=\"hint\"\r\n\r\nx\r\n--B--";
    me.send_bytes(
        "POST",
        &import,
        "multipart/form-data; boundary=B",
        Some(no_file),
        &[],
    )
    .expect_error(422, "validation_failed");
    let large = raw("", "application/x-bibtex", &vec![b' '; 5000]);
    let fault = large.expect_error(413, "payload_too_large");
    assert_eq!(
        (&fault["limit"], &fault["unit"]),
        (&json!(4096), &json!("bytes"))
    );
    assert_eq!(me.titles(&path), Vec::<String>::new());
}

#[test]
fn repeated_records_of_a_file_are_marked() {
    let (_, me, path) = Library::with_collection("A");
    let twice = "@book{a, title={A rather long title of a book}, author={Smith, J}, year=2001, isbn={9780198526636}}\n";
    let report = expect(
        &upload(
            &me,
            &format!("{path}/import"),
            "x.bib",
            twice.repeat(2).as_bytes(),
        ),
        200,
    );
    assert_eq!(
        (&report["imported"], &report["duplicates"][0]["index"]),
        (&json!(2), &json!(1))
    );
    let entries = expect(&me.get(&path), 200)["entries"].clone();
    assert_eq!(
        (&entries[0]["review_status"], &entries[1]["review_status"]),
        (&json!("clean"), &json!("possible_duplicate"))
    );
}

#[test]
fn collection_is_exported_in_every_format() {
    let (_, me, path) = Library::with_collection("A \"b\"");
    expect(
        &upload(&me, &format!("{path}/import"), "a.bib", BIB.as_bytes()),
        200,
    );
    let export = |what: &str| me.get(&format!("{path}/export.{what}"));
    let bib = export("bib");
    assert_eq!(
        bib.header("content-type"),
        "application/x-bibtex; charset=utf-8"
    );
    assert_eq!(
        bib.header("content-disposition"),
        "attachment; filename=\"A -b.bib\"; filename*=UTF-8''A%20-b.bib"
    );
    assert!(!bib.header("etag").is_empty());
    assert!(bib.text().contains("@article{one,") && bib.text().contains("Müller"));
    assert!(export("bib?encoding=latex").text().is_ascii());
    assert!(export("biblatex.bib").text().contains("journaltitle"));
    assert!(export("ris").text().contains("TY  - JOUR"));
    let items: Vec<Value> = serde_json::from_slice(&export("json").body).unwrap();
    assert_eq!(items[0]["DOI"], "10.1000/one");
    let yaml = export("yaml");
    assert_eq!(
        yaml.header("content-type"),
        "application/yaml; charset=utf-8"
    );
    assert!(yaml.text().starts_with("one:\n  type: article\n"));
    export("docx").expect_error(404, "not_found");
    export("bib?encoding=ebcdic").expect_error(400, "invalid_parameter");
    // What was exported imports to the same metadata.
    let second = me.collection("B");
    expect(
        &upload(&me, &format!("{second}/import"), "b.bib", &bib.body),
        200,
    );
    let metadata = |path: &str| -> Vec<Value> {
        let entries = expect(&me.get(path), 200)["entries"].clone();
        list(&entries)
            .iter()
            .map(|entry| entry["metadata"].clone())
            .collect()
    };
    assert_eq!(metadata(&path), metadata(&second));
}

#[test]
fn collection_is_exported_in_its_style() {
    let (library, me, path) = Library::with_collection("<A> & b");
    expect(
        &upload(&me, &format!("{path}/import"), "a.bib", BIB.as_bytes()),
        200,
    );
    let token = expect(&me.post(&format!("{path}/share"), json!({})), 201)["share_token"].clone();
    let token = token.as_str().unwrap();
    let check = |what: &str, content_type: &str, has: &[&str]| {
        let own = me.get(&format!("{path}/export.{what}"));
        let shared = library
            .app
            .get(&format!("/api/v1/shared/{token}/export.{what}"));
        for answer in [&own, &shared] {
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (200, content_type)
            );
            assert!(!answer.header("etag").is_empty());
            for part in has {
                assert!(answer.text().contains(part), "{what}: {}", answer.text());
            }
        }
        assert_eq!(own.text(), shared.text());
        own.text()
    };
    let html = "text/html; charset=utf-8";
    check(
        "html",
        html,
        &["<h1>&lt;A&gt; &amp; b</h1>", "Müller, J. (2001)", "charset"],
    );
    check("rtf", "application/rtf", &["{\\rtf1", "(2001)"]);
    check("md", "text/markdown; charset=utf-8", &["*Journal*"]);
    let plain = "text/plain; charset=utf-8";
    let apa = check("txt", plain, &["Müller, J. (2001)."]);
    let ieee = check("txt?style=ieee", plain, &["[1]"]);
    assert_ne!(apa, ieee);
    check("txt?locale=de-DE", plain, &["(o."]);
    expect(&me.patch(&path, json!({"defaultstyle": "ieee"})), 200);
    assert_eq!(check("txt", plain, &[]), ieee);
    me.get(&format!("{path}/export.txt?style=no-such-style"))
        .expect_error(422, "unknown_style");
}

#[test]
fn file_with_known_works_is_rejected_on_request() {
    let (_, me, path) = Library::with_collection("A");
    let import = |query: &str| {
        upload(
            &me,
            &format!("{path}/import{query}"),
            "a.bib",
            BIB.as_bytes(),
        )
    };
    expect(&import("?on_duplicate=error"), 200);
    let titles = me.titles(&path);
    let etag = me.get(&path).header("etag").to_owned();
    let first = expect(&me.get(&path), 200)["entries"][0]["id"].clone();
    let fault = import("?on_duplicate=error").expect_error(409, "conflict");
    assert_eq!(
        fault["duplicates"][0],
        json!({"index": 0, "entry_id": first})
    );
    let fault = me
        .post(
            &format!("{path}/entries/batch?on_duplicate=error"),
            json!({"entries": [{}, {"title": "New"}, {"title": "The DNA story", "doi": "10.1000/one", "authors": ["Müller, Jo"]}]}),
        )
        .expect_error(409, "conflict");
    assert_eq!(
        fault["duplicates"],
        json!([{"index": 2, "entry_id": first}])
    );
    import("?on_duplicate=perhaps").expect_error(400, "invalid_parameter");
    assert_eq!(me.titles(&path), titles);

    // A rehearsal has no version, and makes none.
    assert_eq!(import("?dry_run=true").header("etag"), "");
    assert_eq!(me.get(&path).header("etag"), etag);
}

/// Every file of the corpus: each record is imported, skipped or reported.
#[test]
fn corpus_conversion_drops_no_record_silently() {
    let Some(root) = suite("data/import") else {
        return;
    };
    let (_, me) = Library::with_member(Plan::Business);
    let mut files = 0;
    for folder in ["bib", "ris"] {
        for file in std::fs::read_dir(root.join(folder)).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            check_file(&me, &name, &std::fs::read(&file).unwrap());
            files += 1;
        }
    }
    assert!(files > 100, "{files}");
}

fn check_file(me: &Member, name: &str, content: &[u8]) {
    let path = me.collection(name);
    let answer = upload(
        me,
        &format!("{path}/import?on_duplicate=skip"),
        name,
        content,
    );
    assert!(
        matches!(answer.status, 200 | 415 | 422),
        "{name}: {}",
        answer.text()
    );
    let report = answer.json();
    if answer.status == 415 {
        assert!(!content.contains(&b'@'), "{name}");
    } else {
        let [total, imported, skipped, failed] = numbers(&report);
        assert_eq!(total, imported + skipped + failed, "{name}");
        assert_eq!(list(&report["entries"]).len() as u64, imported, "{name}");
        let lost: BTreeSet<u64> = list(&report["errors"])
            .iter()
            .filter_map(|error| error["index"].as_u64())
            .collect();
        assert!(lost.len() as u64 >= failed.min(1), "{name}: {report}");
        assert_eq!(
            expect(&me.get(&path), 200)["entry_count"],
            imported,
            "{name}"
        );
    }
    assert_eq!(me.delete(&path).status, 204);
}

#[test]
fn form_holds_one_file() {
    let (_, me, path) = Library::with_collection("A");
    let send = |files: &[(&str, &str, &str)]| {
        let mut body = String::new();
        for (name, file_name, content) in files {
            body += &format!(
                "--B\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n\r\n{content}\r\n"
            );
        }
        body += "--B--\r\n";
        let form = "multipart/form-data; boundary=B";
        me.send_bytes(
            "POST",
            &format!("{path}/import"),
            form,
            Some(body.as_bytes()),
            &[],
        )
    };
    let (one, two) = ("@book{a, title={One}}", "@book{b, title={Two}}");
    let fault = send(&[("file", "a.bib", one), ("file2", "b.bib", two)])
        .expect_error(422, "validation_failed");
    assert_eq!(fault["field"], "/file");
    assert!(
        fault["message"].as_str().unwrap().contains("2 files"),
        "{fault}"
    );
    assert_eq!(me.titles(&path), Vec::<String>::new());
    expect(&send(&[("file", "", ""), ("other", "b.bib", two)]), 200);
    assert_eq!(me.titles(&path), ["Two"]);
}

#[test]
fn unstorable_records_are_not_imported() {
    let (_, me, path) = Library::with_collection("A");
    let names = vec![json!({"family": "A"}); 5_200];
    let file = json!([
        {"id": "a", "type": "book", "title": "Good"},
        {"id": "b", "type": "book", "title": "Blob", "blob": "b".repeat(50_000)},
        {"id": "c", "type": "book", "title": "Crowd", "author": names},
    ]);
    let import = |file: &str, content_type: &str| {
        let path = format!("{path}/import");
        expect(
            &me.send_bytes("POST", &path, content_type, Some(file.as_bytes()), &[]),
            200,
        )
    };
    let report = import(&file.to_string(), "application/json");
    assert_eq!(numbers(&report), [3, 2, 0, 1]);
    let errors: Vec<Value> = list(&report["errors"])
        .iter()
        .map(|error| {
            json!([
                error["index"],
                error["line"],
                error["citation_key"],
                error["code"]
            ])
        })
        .collect();
    assert_eq!(errors, [json!([1, 1, "b", "too_large"])]);
    // A crowd is cut, and told of.
    assert_eq!(report["warnings"][0]["code"], "too_many_names");
    let bib = format!(
        "@book{{x, title={{X}}}}\n@book{{y, title={{Y}}, blob={{{}}}}}",
        "b".repeat(50_000)
    );
    let report = import(&bib, "application/x-bibtex");
    assert_eq!(numbers(&report), [2, 1, 0, 1]);
    let error = &report["errors"][0];
    assert_eq!(
        (&error["line"], &error["citation_key"]),
        (&json!(2), &json!("y"))
    );
    assert_eq!(me.titles(&path), ["Good", "Crowd", "X"]);
}

#[test]
fn file_without_entries_is_rejected_with_reason() {
    let (_, me, path) = Library::with_collection("A");
    let check = |content: &[u8], expected: &str| {
        let answer = upload(&me, &format!("{path}/import"), "a.bib", content);
        let fault = answer.expect_error(422, "unprocessable_import");
        assert_eq!(fault["message"], expected);
        let has_errors = !list(&fault["errors"]).is_empty();
        assert_eq!(has_errors, expected.contains("“errors”"), "{fault}");
    };
    check(b"", "The file is empty.");
    check(b" \r\n\t", "The file is empty.");
    let nothing = "No BibTeX entry was found in the file.";
    check(b"No entry at all.", nothing);
    check(
        b"@book{",
        "The file contains no usable entry; “errors” lists the problems.",
    );

    let refused = |content: &[u8], expected: &str| {
        let answer = me.send_bytes(
            "POST",
            &format!("{path}/import?filename=a.bib"),
            "text/plain",
            Some(content),
            &[],
        );
        let fault = answer.expect_error(415, "unsupported_media_type");
        let message = fault["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
        assert!(list(&fault["supported"]).len() > 2);
    };
    refused(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is an image.");
    refused(b"PK\x03\x04\x14\0\0\0", "This is a ZIP archive. Unpack it");
    refused(
        b"<!doctype html><title>Not found</title>",
        "This is a Web page without citation metadata",
    );
    let text = me.send_bytes(
        "POST",
        &format!("{path}/import"),
        "text/plain",
        Some(b"hello world"),
        &[],
    );
    let fault = text.expect_error(415, "unsupported_media_type");
    let message = fault["message"].as_str().unwrap();
    assert!(message.starts_with(
        "The file's content and its content type match none of BibTeX, biblatex, RIS"
    ));
}

#[test]
fn table_is_imported_by_its_columns() {
    let (_, me, path) = Library::with_collection("A");
    let import = |query: &str, table: &str| {
        me.send_bytes(
            "POST",
            &format!("{path}/import{query}"),
            "text/csv",
            Some(table.as_bytes()),
            &[],
        )
    };
    let report = import("", "Title,Authors,Year\nOne,\"Doe, J.; Roe, A.\",2001\n").json();
    assert_eq!(
        (&report["format"], &report["imported"]),
        (&json!("csv"), &json!(1))
    );
    assert_eq!(
        report["columns"][2],
        json!({"name": "Year", "variable": "year"})
    );

    let table = "Wer;Was;Wann\nDoe, Jane;Two;2002\n";
    let fault = import("", table).expect_error(422, "unprocessable_import");
    assert_eq!(fault["errors"][0]["code"], "unknown_columns");
    let query = "?columns=Wer%3Dauthor,Was%3Dtitle,Wann%3Dyear";
    assert_eq!(import(query, table).json()["imported"], 1);
    let fault = import("?columns=Was%3Dheading", table);
    fault.expect_error(400, "invalid_parameter");
    assert_eq!(me.titles(&path), ["One", "Two"]);
}

/// The keys of a collection's .bib, in its order.
fn keys(me: &Member, path: &str) -> Vec<String> {
    let file = me.get(&format!("{path}/export.bib")).text();
    let heads = file.lines().filter(|line| line.starts_with('@'));
    let key = |head: &str| {
        head.split('{')
            .nth(1)
            .unwrap()
            .trim_end_matches(',')
            .to_owned()
    };
    heads.map(key).collect()
}

#[test]
fn citation_keys_never_change() {
    let (_, me, path) = Library::with_collection("A");
    let add = |title: &str, key: Value| {
        let metadata = json!({"entry_type": "Book", "title": title, "date": 2020, "citation_key": key,
            "authors": [{"family": "Smith"}]});
        let added = me.post(&format!("{path}/entries"), json!({"metadata": metadata}));
        expect(&added, 201)["id"].as_str().unwrap().to_owned()
    };
    let (one, two) = (add("Reeds", Value::Null), add("Stars", Value::Null));
    assert_eq!(keys(&me, &path), ["Smith2020", "Smith2020a"]);
    let order = json!({"entry_ids": [two, one]});
    expect(&me.patch(&format!("{path}/reorder"), order), 200);
    assert_eq!(keys(&me, &path), ["Smith2020a", "Smith2020"]);
    add("Trees", json!("Smith2020"));
    add("Winds", json!("own"));
    assert_eq!(
        keys(&me, &path),
        ["Smith2020a", "Smith2020", "Smith2020b", "own"]
    );
    assert_eq!(me.delete(&format!("{path}/entries/{one}")).status, 204);
    assert_eq!(keys(&me, &path), ["Smith2020a", "Smith2020b", "own"]);
}

#[test]
fn long_numbers_keep_their_digits() {
    let (_, me, path) = Library::with_collection("A");
    let body = br#"{"metadata":{"title":"x","call_number":12345678901234567890123,"pages":100000000000000000000}}"#;
    let added = me.send_bytes(
        "POST",
        &format!("{path}/entries"),
        "application/json",
        Some(body.as_slice()),
        &[],
    );
    let metadata = &expect(&added, 201)["metadata"];
    assert_eq!(metadata["call_number"], "12345678901234567890123");
    assert_eq!(metadata["pages"], "100000000000000000000");
}

/// One rule decides what may be stored, whether a client sends it or a file contains it.
#[test]
fn import_stores_only_what_a_client_may_send() {
    let (_, me, path) = Library::with_collection("A");
    let long = "x".repeat(10_001);
    let records = json!([
        {"id": "a", "type": "book", "title": "Good"},
        {"id": "b", "type": "book", "author": [{"family": "Nobody"}]},
        {"id": "c", "type": "book", "DOI": "no doi", "volume": "1"},
        {"id": "d", "type": "book", "title": "D", "volume": long},
        {"id": "e", "type": "book", "title": "E", "author": [{"family": long}]},
        {"id": "f", "type": "book", "title": long},
        {"id": "g", "type": "book", "URL": "https://example.org/g"},
        {"id": "h", "type": "book", "title": "H", "issued": {"date-parts": [[1234567]]}},
    ]);
    let entries = format!("{path}/entries");
    let file = records.to_string();
    let import = format!("{path}/import");
    let report = me.send_bytes(
        "POST",
        &import,
        "application/json",
        Some(file.as_bytes()),
        &[],
    );
    let report = expect(&report, 200);
    let stored: BTreeSet<u64> = { list(&report["entries"]).iter() }
        .map(|entry| entry["index"].as_u64().unwrap())
        .collect();
    assert_eq!(stored, BTreeSet::from([0, 6]), "{report}");
    let [total, imported, skipped, failed] = numbers(&report);
    assert_eq!((total, imported, skipped, failed), (8, 2, 0, 6));
    let failed: BTreeSet<u64> = { list(&report["errors"]).iter() }
        .map(|error| error["index"].as_u64().unwrap())
        .collect();
    assert_eq!(failed, BTreeSet::from([1, 2, 3, 4, 5, 7]), "{report}");
    for entry in list(&report["entries"]) {
        let entry = format!("{entries}/{}", entry["entry_id"].as_str().unwrap());
        let metadata = expect(&me.get(&entry), 200)["metadata"].clone();
        expect(&me.post(&entries, metadata), 201);
    }
    // A file without anything to store is refused with its problems.
    let nothing = r#"[{"id": "b", "type": "book", "author": [{"family": "Nobody"}]}]"#;
    let refused = me.send_bytes(
        "POST",
        &import,
        "application/json",
        Some(nothing.as_bytes()),
        &[],
    );
    let refused = refused.expect_error(422, "unprocessable_import");
    assert_eq!(refused["errors"][0]["index"], 0, "{refused}");
}

#[test]
fn impossible_dates_are_reported_by_imports_and_entries() {
    let (_, me, path) = Library::with_collection("A");
    let import = format!("{path}/import");
    let check = |content_type: &str, text: &str, expected: usize| {
        let report = me.send_bytes("POST", &import, content_type, Some(text.as_bytes()), &[]);
        let report = expect(&report, 200);
        let warnings = list(&report["warnings"]).iter();
        let found = warnings
            .filter(|warning| warning["code"] == "invalid_date")
            .count();
        assert_eq!(found, expected, "{report}");
    };
    let bibtex = "@misc{a, title={A}, date={2021-02-30}}\n@misc{b, title={B}, date={2021-13-01}}\n\
                  @misc{c, title={C}, year=2021, month=13}\n@misc{d, title={D}, year=2021, month=feb, day=30}\n\
                  @misc{e, title={E}, date={2021-02-28}}\n@misc{f, title={F}, year=2021, month=12}\n";
    check("application/x-bibtex", bibtex, 4);
    let ris = "TY  - BOOK\nTI  - A\nDA  - 2021/02/30/\nER  - \nTY  - BOOK\nTI  - B\nPY  - 2021/13//\nER  - \n\
               TY  - BOOK\nTI  - C\nPY  - 2021/12/31/\nER  - \n";
    check("application/x-research-info-systems", ris, 2);
    check(
        "text/csv",
        "title,date\nA,2021-02-30\nB,2021-13-01\nC,2021-12-31\n",
        2,
    );
    let entry = |date: Value| {
        let added = me.post(
            &format!("{path}/entries"),
            json!({"title": "T", "date": date}),
        );
        let added = expect(&added, 201);
        let warnings = added["warnings"].as_array().cloned().unwrap_or_default();
        warnings
            .iter()
            .any(|warning| warning["code"] == "invalid_date")
    };
    assert!(entry(json!({"year": 2021, "month": 2, "day": 30})));
    assert!(entry(json!({"year": 2021, "month": 13})));
    assert!(entry(json!("2021-02-30")));
    assert!(!entry(json!({"year": 2021, "month": 2, "day": 28})));
}
