//! Manuscripts: PDFs are read by a separate process.

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

/// A PDF of these objects, numbered from 1; the first is its catalog.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    for (n, object) in objects.iter().enumerate() {
        bytes.extend(format!("{} 0 obj", n + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"endobj\n");
    }
    bytes.extend(b"trailer<</Root 1 0 R/Size 99999>>\n%%EOF\n");
    bytes
}

fn stream(head: &str, body: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{head}/Length {}>>stream\n", body.len()).into_bytes();
    object.extend(body);
    object.extend(b"\nendstream ");
    object
}

/// 4 GB of blanks, packed twice.
fn bomb() -> Vec<u8> {
    use flate2::write::ZlibEncoder;
    use flate2::{Compress, Compression, FlushCompress};
    use std::io::Write;
    let blanks = vec![b' '; 1 << 20];
    let mut packer = Compress::new(Compression::best(), true);
    // Blocks that a full flush ends say the same, wherever they stand.
    let mut block = || {
        let mut packed = Vec::with_capacity(1 << 16);
        packer
            .compress_vec(&blanks, &mut packed, FlushCompress::Full)
            .unwrap();
        packed
    };
    let (mut once, next) = (block(), block());
    for _ in 1..4096 {
        once.extend(&next);
    }
    let mut twice = ZlibEncoder::new(Vec::new(), Compression::best());
    twice.write_all(&once).unwrap();
    twice.finish().unwrap()
}

/// PDFs that want to cost more than they are worth, by what they do.
pub fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let catalog = || b"<</Type/Catalog/Pages 2 0 R>>".to_vec();
    let tree = |text: &str| text.as_bytes().to_vec();
    let pages = || tree("<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 600 800]>>");
    let page =
        || tree("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>");
    let deep = |open: &str, close: &str| {
        tree(&format!(
            "{}{}",
            open.repeat(100_000),
            close.repeat(100_000)
        ))
    };
    let level = |n: usize| tree(&format!("<</Type/Pages/Count 1/Kids[{} 0 R]>>", n + 1));
    let nested = std::iter::once(catalog())
        .chain((2..20_000).map(level))
        .collect::<Vec<_>>();
    let many = tree(&format!(
        "<</Type/Pages/Count 100000/Kids[{}]>>",
        "3 0 R ".repeat(100_000)
    ));
    let huge = "/Type/XObject/Subtype/Image/Width 2147483647/Height 2147483647/BitsPerComponent 8/ColorSpace/DeviceRGB";
    let plain = file(&[catalog(), pages(), page(), stream("", b"")]);
    let ended = |start: &str| {
        let text = String::from_utf8(plain.clone()).unwrap();
        text.replace("%%EOF", &format!("startxref\n{start}\n%%EOF"))
            .into_bytes()
    };
    let counted = [
        b"%PDF-1.4\nxref\n0 4294967295\n0000000000 65535 f \n",
        &plain[9..],
    ]
    .concat();
    let table = "/Type/XRef/Size 2147483647/W[1 4 2]/Index[0 2147483647]/Root 1 0 R";
    vec![
        ("references to itself", file(&[catalog(), tree("2 0 R")])),
        (
            "pages inside themselves",
            file(&[
                catalog(),
                tree("<</Type/Pages/Count 1/Kids[2 0 R 2 0 R]/Parent 2 0 R>>"),
            ]),
        ),
        (
            "content that is itself",
            file(&[catalog(), pages(), page(), tree("4 0 R")]),
        ),
        (
            "length that is the stream",
            file(&[
                catalog(),
                pages(),
                page(),
                tree("<</Length 4 0 R>>stream\nBT ET\nendstream "),
            ]),
        ),
        ("deep tree of pages", file(&nested)),
        ("deep arrays", file(&[catalog(), deep("[", "]")])),
        ("deep dictionaries", file(&[catalog(), deep("<</A", ">>")])),
        (
            "one page a hundred thousand times",
            file(&[catalog(), many, page(), stream("", b"")]),
        ),
        (
            "states that pile up",
            file(&[
                catalog(),
                pages(),
                page(),
                stream("", &b"q ".repeat(200_000)),
            ]),
        ),
        (
            "huge picture",
            file(&[
                catalog(),
                pages(),
                page(),
                stream("", &b"/I Do ".repeat(1000)),
                stream(huge, b"x"),
            ]),
        ),
        ("table beyond the end", ended("99999999999")),
        ("table that is the header", ended("0")),
        ("table of four billion entries", counted),
        (
            "stream of two billion entries",
            file(&[
                catalog(),
                pages(),
                page(),
                stream("", b""),
                stream(table, &[0; 7000]),
            ]),
        ),
    ]
}

#[test]
fn hostile_pdf_is_rejected() {
    for (what, bytes) in hostile() {
        let refusal = read("a.pdf", &bytes, &|_| None, &Budget::unlimited());
        let refusal = refusal.map(|document| document.blocks.len()).unwrap_err();
        assert!(
            matches!(
                refusal,
                DocumentError::Broken { .. } | DocumentError::Scanned(_)
            ),
            "{what}: {refusal}"
        );
    }
}

#[test]
fn endlessly_unpacking_pdf_is_stopped() {
    let bomb = bomb();
    assert!(bomb.len() < 100_000);
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 600 800]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>".to_vec(),
        stream(
            "/Type/ObjStm/N 100/First 10/Filter[/FlateDecode/FlateDecode]",
            &bomb,
        ),
    ];
    let refusal = read("a.pdf", &file(&objects), &|_| None, &Budget::unlimited());
    let refusal = refusal.map(|document| document.blocks.len()).unwrap_err();
    assert!(
        matches!(refusal, DocumentError::Stopped { .. }),
        "{refusal}"
    );
}

/// A PDF of these pages: the rest of the dictionary of each content, and its bytes.
fn pages(contents: &[(&str, &[u8])]) -> Vec<u8> {
    let kids: Vec<String> = (0..contents.len())
        .map(|n| format!("{} 0 R", 4 + 2 * n))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Count {}/Kids[{}]/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>>>",
            contents.len(),
            kids.join(" ")
        )
        .into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>".to_vec(),
    ];
    for (n, (head, content)) in contents.iter().enumerate() {
        let page = format!("<</Type/Page/Parent 2 0 R/Contents {} 0 R>>", 5 + 2 * n);
        objects.extend([page.into_bytes(), stream(head, content)]);
    }
    file(&objects)
}

const LIST: &str = "BT /F 10 Tf 1 0 0 1 60 700 Tm (References) Tj 1 0 0 1 60 680 Tm \
                    ([1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).) Tj ET";

const PROSE: &str =
    "BT /F 10 Tf 1 0 0 1 60 700 Tm (The sample was taken in the spring of that year.) Tj ET";

/// A PDF that any reader reads.
pub fn plain() -> Vec<u8> {
    page(LIST)
}

#[test]
fn pages_that_unpack_endlessly_are_left_out() {
    let bomb = bomb();
    let endless = ("/Filter[/FlateDecode/FlateDecode]", bomb.as_slice());
    let (prose, list) = (("", PROSE.as_bytes()), ("", LIST.as_bytes()));
    let bytes = pages(&[endless, prose, endless, list]);
    let document = read("a.pdf", &bytes, &|_| None, &Budget::unlimited()).unwrap();
    let texts: Vec<&str> = { &document.references }
        .iter()
        .map(|r| r.text.as_str())
        .collect();
    assert_eq!(texts, ["J. Doe, On light, J. Light 12, 1-9 (2001)."]);
    let findings: Vec<(&str, Option<usize>)> = { &document.findings }
        .iter()
        .map(|finding| (finding.kind.as_str(), finding.place.page))
        .collect();
    assert_eq!(
        findings,
        [("unread_page", Some(1)), ("unread_page", Some(3))]
    );
}

#[test]
fn pages_after_too_many_endless_ones_are_left_out() {
    let bomb = bomb();
    let endless = ("/Filter[/FlateDecode/FlateDecode]", bomb.as_slice());
    let list = ("", LIST.as_bytes());
    let bytes = pages(&[list, endless, endless, endless, endless, endless, list]);
    let document = read("a.pdf", &bytes, &|_| None, &Budget::unlimited()).unwrap();
    let pages: Vec<Option<usize>> = { &document.references }
        .iter()
        .map(|r| r.place.page)
        .collect();
    assert_eq!(pages, [Some(1)]);
    let unread = document
        .findings
        .iter()
        .flat_map(|finding| finding.keys.clone());
    assert!(unread.last().is_some_and(|last| last.ends_with('7')));
}

#[test]
fn pdf_is_read_in_a_separate_process() {
    let document = read("a.pdf", &plain(), &|_| None, &Budget::unlimited()).unwrap();
    let references = &document.references;
    let texts: Vec<&str> = references.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(texts, ["J. Doe, On light, J. Light 12, 1-9 (2001)."]);
}

#[test]
fn rejected_pdf_has_a_cause() {
    // A hundred million forms.
    let forms = read("a.pdf", &page("/X1 Do"), &|_| None, &Budget::unlimited()).unwrap_err();
    assert!(forms.to_string().contains("page 1"), "{forms}");
    let scanned = read("a.pdf", &page(""), &|_| None, &Budget::unlimited()).unwrap_err();
    assert!(
        scanned.to_string().contains("pictures of pages"),
        "{scanned}"
    );
    let broken = read("a.pdf", b"%PDF-1.4", &|_| None, &Budget::unlimited()).unwrap_err();
    assert!(matches!(broken, DocumentError::Broken { .. }), "{broken}");
}

#[test]
fn pdf_reading_stops_when_abandoned() {
    let budget = Budget::unlimited();
    budget.cancel();
    let bomb = bomb();
    let bytes = pages(&[("/Filter[/FlateDecode/FlateDecode]", bomb.as_slice())]);
    let result = read("a.pdf", &bytes, &|_| None, &budget);
    assert_eq!(
        result.unwrap_err(),
        DocumentError::Exceeded(Exceeded::Cancelled)
    );
}

#[test]
fn other_formats_are_read_in_process() {
    let text = b"# Light\n\n## References\n\n1. Doe, J. (2001). On light. J. Light, 12(3), 1-9.\n";
    let document = read("a.md", text, &|_| None, &Budget::unlimited()).unwrap();
    assert_eq!(document.references.len(), 1);
}
