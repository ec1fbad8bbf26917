//! Manuscripts: a PDF is read by a process of its own.

use citation::manuscript::read;
use citation_documents::DocumentError;
use citation_model::budget::{Budget, Exceeded};

/// A PDF of one page with this content; `/X1` to `/X9` are forms, each of which draws the next ten times.
fn page(content: &str) -> Vec<u8> {
    let mut text = String::from("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n");
    text.push_str("2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 600 800]>>endobj\n");
    text.push_str("3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources 5 0 R>>endobj\n");
    let stream = |head: &str, body: &str| {
        format!("<<{head}/Length {}>>stream\n{body}\nendstream", body.len())
    };
    text.push_str(&format!("4 0 obj{}endobj\n", stream("", content)));
    let forms: Vec<String> = (1..=9).map(|n| format!("/X{n} 1{n} 0 R")).collect();
    text.push_str(&format!(
        "5 0 obj<</Font<</F 6 0 R>>/XObject<<{}>>>>endobj\n",
        forms.join("")
    ));
    text.push_str("6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>endobj\n");
    for n in 1..=9 {
        let body = match n {
            9 => "BT /F 10 Tf (light) Tj ET".to_owned(),
            n => format!("/X{} Do ", n + 1).repeat(10),
        };
        let head = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources 5 0 R";
        text.push_str(&format!("1{n} 0 obj{}endobj\n", stream(head, &body)));
    }
    text.push_str("trailer<</Root 1 0 R/Size 20>>\n%%EOF\n");
    text.into_bytes()
}

#[test]
fn pdf_is_read_by_another_process() {
    let bytes = page(
        "BT /F 10 Tf 1 0 0 1 60 700 Tm (References) Tj 1 0 0 1 60 680 Tm \
         ([1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).) Tj ET",
    );
    let document = read("a.pdf", &bytes, &|_| None, &Budget::unlimited()).unwrap();
    let texts: Vec<&str> = document
        .references
        .iter()
        .map(|r| r.text.as_str())
        .collect();
    assert_eq!(texts, ["J. Doe, On light, J. Light 12, 1-9 (2001)."]);
}

#[test]
fn refusal_of_a_pdf_names_its_cause() {
    let scanned = read("a.pdf", &page(""), &|_| None, &Budget::unlimited()).unwrap_err();
    assert!(
        scanned.to_string().contains("pictures of pages"),
        "{scanned}"
    );
    let broken = read("a.pdf", b"%PDF-1.4", &|_| None, &Budget::unlimited()).unwrap_err();
    assert!(matches!(broken, DocumentError::Broken { .. }), "{broken}");
}

#[test]
fn reading_a_pdf_ends_when_nobody_waits() {
    let budget = Budget::unlimited();
    budget.cancel();
    // A hundred million forms, which would be drawn until the limit of time.
    let result = read("a.pdf", &page("/X1 Do"), &|_| None, &budget);
    assert_eq!(
        result.unwrap_err(),
        DocumentError::Exceeded(Exceeded::Cancelled)
    );
}

#[test]
fn other_formats_are_read_here() {
    let text = b"# Light\n\n## References\n\n1. Doe, J. (2001). On light. J. Light, 12(3), 1-9.\n";
    let document = read("a.md", text, &|_| None, &Budget::unlimited()).unwrap();
    assert_eq!(document.references.len(), 1);
}
