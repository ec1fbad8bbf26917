//! `citation format` and `citation citeproc`: the program itself, in a folder of its own.

use std::path::Path;

use crate::support::program::{Run, run};
use serde_json::{Value, json};

const ITEMS: &str = r#"[{"id": "a", "type": "book", "title": "Oaks", "edition": "2",
    "author": [{"family": "Abel", "given": "Ann"}], "issued": {"date-parts": [[1999]]}}]"#;

fn format(folder: &Path, arguments: &[&str]) -> Run {
    let all: Vec<&str> = ["format", "-"].iter().chain(arguments).copied().collect();
    run(folder, &all, ITEMS.as_bytes())
}

fn dependent_on(parent: &str) -> String {
    format!(
        "<style xmlns=\"http://purl.org/net/xbiblio/csl\" version=\"1.0\" default-locale=\"de-DE\">\
         <info><title>Journal</title><id>http://example.org/journal</id>\
         <link href=\"http://www.zotero.org/styles/{parent}\" rel=\"independent-parent\"/>\
         <updated>2026-01-01T00:00:00Z</updated></info></style>"
    )
}

#[test]
fn dependent_file_takes_the_rules_of_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("journal.csl"), dependent_on("apa")).unwrap();
    let done = format(folder.path(), &["--style", "journal.csl"]);
    assert_eq!(
        done.out, "Abel, A. (1999). Oaks (2. Aufl.).\n",
        "{}",
        done.said
    );
    std::fs::write(folder.path().join("orphan.csl"), dependent_on("nobody")).unwrap();
    let done = format(folder.path(), &["--style", "orphan.csl"]);
    assert_eq!(done.code, 2);
    assert!(
        done.said.contains("orphan.csl") && done.said.contains("nobody"),
        "{}",
        done.said
    );
}

#[test]
fn unavailable_locale_and_output_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let done = format(folder.path(), &["--locale", "xx-XX"]);
    assert_eq!(done.code, 0, "{}", done.said);
    assert!(done.said.contains("unknown locale xx-XX"), "{}", done.said);
    let done = format(folder.path(), &["--json", "--to", "rtf"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(format(folder.path(), &["--json"]).out.starts_with('{'));
}

#[test]
fn citeproc_filter_warns_of_unknown_items_and_locales() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |locale: Value, cited: &str| -> Value {
        let items =
            json!({"kind": "items", "items": serde_json::from_str::<Value>(ITEMS).unwrap()});
        let job = json!({"id": 1, "style": "apa", "locale": locale, "items": ["a"],
            "citations": [{"citationItems": [{"id": cited}]}]});
        let done = run(
            folder.path(),
            &["citeproc"],
            format!("{items}\n{job}\n").as_bytes(),
        );
        serde_json::from_str(&done.out).unwrap()
    };
    assert_eq!(answer(Value::Null, "a").get("warnings"), None);
    assert_eq!(answer(json!("de-AT"), "a").get("warnings"), None);
    assert_eq!(
        answer(Value::Null, "b")["warnings"],
        json!(["No item has the id \"b\"."])
    );
    assert_eq!(
        answer(json!("xx-XX"), "a")["warnings"],
        json!(["The locale xx-XX does not exist; en-US is used instead."])
    );
    assert_eq!(
        answer(json!("not a tag!"), "a")["warnings"],
        json!(["\"not a tag!\" is not a language tag such as en-US."])
    );
}
