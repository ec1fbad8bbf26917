//! Generated PDF files: the order of their text, and rejected ones.

#![cfg(feature = "pdf")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod lists;

use citation_documents::pdf::{Remaining, Transcript};
use citation_documents::{Document, DocumentError, FindingKind, pdf, read};
use citation_model::budget::Budget;

/// A line of a page: its start from the upper left corner, in points, and its text, after the font if it is not
/// of 10 points (`/F 16 Tf Text`).
type Line<'a> = (f32, f32, &'a str);

/// A PDF with pages of 600 by 800 points in 10-point Times.
fn document(pages: &[Vec<Line<'_>>]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len())
        .map(|n| format!("{} 0 R", 4 + 2 * n))
        .collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type/Pages/Count {}/Kids[{}]/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>>>",
            pages.len(),
            kids.join(" ")
        ),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (n, lines) in pages.iter().enumerate() {
        let mut content = String::from("BT ");
        for (left, top, text) in lines {
            // A larger font for a heading: `/F 16 Tf Heading`.
            let (font, text) = match text.split_once(" Tf ") {
                Some((font, text)) => (format!("{font} Tf "), text),
                None => ("/F 10 Tf ".to_owned(), *text),
            };
            let top = 800.0 - top;
            content.push_str(&format!("{font}1 0 0 1 {left} {top} Tm ({text}) Tj "));
        }
        content.push_str("ET");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R>>",
            5 + 2 * n
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{content}\nendstream",
            content.len()
        ));
    }
    file(&objects, "")
}

/// A PDF file of objects, the first of which is the catalog.
fn file(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut text = String::from("%PDF-1.4\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (n, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", text.len()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", n + 1));
    }
    let start = text.len();
    let size = objects.len() + 1;
    text.push_str(&format!(
        "xref\n0 {size}\n{table}trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n"
    ));
    text.into_bytes()
}

fn try_read(bytes: &[u8]) -> Result<Document, DocumentError> {
    read("a.pdf", bytes, &|_| None, &Budget::unlimited())
}

/// The output of a process that reads a PDF, and how many pages it may draw.
struct Output {
    bytes: Vec<u8>,
    pages: usize,
}

impl pdf::PageWatch for Output {
    fn may_draw(&mut self) -> bool {
        self.pages = self.pages.saturating_sub(1);
        self.pages > 0
    }

    fn report(&mut self, line: Vec<u8>) {
        self.bytes.extend(line);
        self.bytes.push(b'\n');
    }
}

/// The output of a process that goes on from a transcript.
fn serve(bytes: Vec<u8>, transcript: &str) -> Vec<u8> {
    let mut output = Output {
        bytes: Vec::new(),
        pages: usize::MAX,
    };
    pdf::serve(bytes, transcript, &mut output);
    output.bytes
}

fn references(pages: &[Vec<Line<'_>>]) -> Vec<String> {
    let document = try_read(&document(pages)).unwrap();
    document.references.into_iter().map(|r| r.text).collect()
}

const PROSE: [&str; 6] = [
    "The sample was taken in the spring of that year and kept",
    "in the dark for some weeks before anybody looked at it.",
    "It is not plain how the two views could be reconciled by",
    "those who came later, nor did they try to reconcile them.",
    "Most of what was known before did not change by much, as",
    "the second part of this paper shows at greater length.",
];

/// Lines below each other from a height.
fn below<'a>(left: f32, top: f32, lines: &[&'a str]) -> Vec<Line<'a>> {
    let line = |(n, text): (usize, &&'a str)| (left, top + 12.0 * n as f32, *text);
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn hanging_entries_are_joined_over_pages() {
    let mut first = below(60.0, 100.0, &PROSE);
    first.extend([
        (60.0, 200.0, "References"),
        (60.0, 224.0, "Doe, J. \\(2001\\). On the deter-"),
        (
            80.0,
            236.0,
            "mination of light. Journal of Light, 12\\(3\\), 1-9.",
        ),
        (
            60.0,
            248.0,
            "Young, T. \\(1802\\). On the theory of light and",
        ),
    ]);
    let second = vec![
        (
            80.0,
            100.0,
            "colours. Philosophical Transactions, 92, 12-48.",
        ),
        (
            60.0,
            112.0,
            "Zimmer, A. \\(1999\\). Waves in glass. Optics Letters,",
        ),
        (80.0, 124.0, "7\\(1\\), 33-40. https://doi.org/10.1000/"),
        (80.0, 136.0, "waves.7"),
    ];
    let found = references(&[first, second]);
    assert_eq!(
        found,
        [
            "Doe, J. (2001). On the determination of light. Journal of Light, 12(3), 1-9.",
            "Young, T. (1802). On the theory of light and colours. Philosophical Transactions, 92, 12-48.",
            "Zimmer, A. (1999). Waves in glass. Optics Letters, 7(1), 33-40. https://doi.org/10.1000/waves.7",
        ]
    );
}

#[test]
fn list_may_be_indented_on_its_first_page_only() {
    let mut first = below(60.0, 100.0, &PROSE);
    first.push((60.0, 200.0, "References"));
    let entries = |left: f32, top: f32, from: usize| -> Vec<(f32, f32, String)> {
        (0..8)
            .flat_map(|n| {
                let top = top + 26.0 * n as f32;
                let head = format!("{}. Roe J. Waves of the kind {n} in the", from + n);
                [
                    (left, top, head),
                    (
                        left + 15.0,
                        top + 12.0,
                        "open sea. Tides. 2001;4:1-9.".to_owned(),
                    ),
                ]
            })
            .collect()
    };
    let (upper, lower) = (entries(110.0, 224.0, 1), entries(60.0, 100.0, 9));
    first.extend(
        upper
            .iter()
            .map(|(left, top, text)| (*left, *top, text.as_str())),
    );
    let second = lower
        .iter()
        .map(|(left, top, text)| (*left, *top, text.as_str()));
    let found = references(&[first, second.collect()]);
    assert_eq!(found.len(), 16, "{found:?}");
    assert_eq!(
        found[15],
        "Roe J. Waves of the kind 7 in the open sea. Tides. 2001;4:1-9."
    );
}

#[test]
fn lines_that_differ_in_numbers_are_not_page_headers() {
    let mut first = below(60.0, 100.0, &PROSE);
    first.push((60.0, 200.0, "References"));
    first.extend(below(
        60.0,
        700.0,
        &[
            "Doe, J. \\(1968\\). On the rate of change at the level of the cell. Nature",
            "    217\\(5129\\): 624-626. https://doi.org/10.1038/217624a0.",
        ],
    ));
    let second = below(
        60.0,
        700.0,
        &[
            "Roe, R. \\(1977\\). On the places of things in the cell and in its wall. Nature",
            "    267\\(5201\\): 485-490. https://doi.org/10.1038/267485a0.",
        ],
    );
    assert_eq!(
        references(&[first, second]),
        [
            "Doe, J. (1968). On the rate of change at the level of the cell. Nature 217(5129): 624-626. \
             https://doi.org/10.1038/217624a0.",
            "Roe, R. (1977). On the places of things in the cell and in its wall. Nature 267(5201): 485-490. \
             https://doi.org/10.1038/267485a0.",
        ]
    );
}

#[test]
fn names_after_an_address_begin_the_next_page() {
    let mut first = below(60.0, 500.0, &PROSE);
    first.push((60.0, 590.0, "References"));
    first.extend(below(
        60.0,
        620.0,
        &[
            "World Bank \\(1966\\). On ropes and knots, and on the",
            "knots of others, with a view to what was found",
            "in the harbour. Rope 3 \\(2\\): 5-6.",
        ],
    ));
    first.extend(below(
        60.0,
        670.0,
        &[
            "Roe, R. \\(1967\\). On rings and knots, and on what",
            "may be said of them by those who came too late.",
            "Ring 4 \\(1\\): 7. https://doi.org/10.1000/mmmmmmmmmmmmmm.1967",
        ],
    ));
    let second = below(
        60.0,
        60.0,
        &[
            "Doe, J. \\(1968\\). On the cell and on its wall, and",
            "on the things around it. Nature 217: 624-626.",
        ],
    );
    let found = references(&[first, second]);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn notes_as_large_as_the_text_are_found_below_a_heading() {
    let page = |top: f32, notes: &[&'static str]| {
        let mut page = below(60.0, 100.0, &PROSE);
        page.push((60.0, 190.0, "/F 16 Tf A heading"));
        page.extend(below(60.0, 230.0, &PROSE));
        page.extend(below(60.0, top, notes));
        page
    };
    let found = references(&[
        page(
            600.0,
            &[
                "1 Jane Roe, \\223On Rings,\\224 Ring 3, no. 2 \\(1966\\): 5-6; John",
                "Poe, \\223On Ropes,\\224 Rope 4, no. 1 \\(1967\\): 7-9.",
                "2 See Ann Doe, \\223On Bells,\\224 Bell 5, no. 1 \\(1968\\): 10-12.",
            ],
        ),
        page(
            600.0,
            &["3 See Max Foe, \\223On Wells,\\224 Well 6, no. 3 \\(1969\\): 13-15."],
        ),
    ]);
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn volume_below_a_large_heading_is_not_a_note() {
    let mut page = below(60.0, 100.0, &PROSE);
    page.push((60.0, 190.0, "/F 16 Tf Printed works"));
    for (top, lines) in [
        (
            230.0,
            [
                "Poe, P. \\(1966\\). On ropes and",
                "knots. Rope 3 \\(2\\): 5-6.",
            ],
        ),
        (
            270.0,
            [
                "Roe, R. \\(1967\\). On rings and",
                "knots. Ring 4 \\(1\\): 7-9.",
            ],
        ),
        (
            310.0,
            [
                "Doe, J. \\(1968\\). On the cell. Nature",
                "217 \\(5129\\): 624-626.",
            ],
        ),
    ] {
        page.extend(below(60.0, top, &lines));
    }
    let found = references(&[page]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found[2],
        "Doe, J. (1968). On the cell. Nature 217 (5129): 624-626."
    );
}

#[test]
fn columns_are_read_in_order() {
    let mut page = below(40.0, 100.0, &PROSE);
    page.extend(below(40.0, 172.0, &PROSE));
    page.push((40.0, 260.0, "References"));
    page.extend(below(
        40.0,
        284.0,
        &[
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
            "[2] T. Young, On the theory of light and of",
        ],
    ));
    page.extend(below(
        320.0,
        100.0,
        &[
            "colours, Phil. Trans. 92, 12-48 \\(1802\\).",
            "[3] A. Zimmer, Waves in glass as they are,",
            "Optics Letters 7, 33-40 \\(1999\\).",
            "[4] B. Acker, Waves in water, as they were",
            "before, Fluids 3, 1-7 \\(1987\\).",
        ],
    ));
    let found = references(&[page]);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(
        found[1],
        "T. Young, On the theory of light and of colours, Phil. Trans. 92, 12-48 (1802)."
    );
}

#[test]
fn list_goes_on_at_the_top_of_the_right_column_in_smaller_type() {
    let entry = |n: usize| {
        format!(
            "/F 8 Tf {n}. Doe J, Roe R. Studies of rings and of what they do. Rings. 2001;{n}:1-9."
        )
    };
    let entries: Vec<String> = (1..=20).map(entry).collect();
    let mut page = below(40.0, 60.0, &PROSE);
    page.extend(below(40.0, 132.0, &PROSE));
    page.push((40.0, 250.0, "References"));
    for (n, text) in entries.iter().enumerate() {
        page.push(if n < 4 {
            (40.0, 270.0 + 10.0 * n as f32, text.as_str())
        } else {
            (330.0, 60.0 + 10.0 * (n - 4) as f32, text.as_str())
        });
    }
    // Larger than the list, level with its heading.
    page.extend(below(330.0, 252.0, &PROSE[..4]));
    let found = references(&[page]);
    assert_eq!(found.len(), 20, "{found:?}");
    assert!(found[19].ends_with("20:1-9."), "{found:?}");
}

#[test]
fn list_below_small_print_is_not_a_note() {
    let mut page = below(60.0, 60.0, &PROSE);
    page.extend(below(60.0, 132.0, &PROSE));
    for (n, text) in [
        "/F 8 Tf Author details",
        "/F 8 Tf 1Unit of Rings, 1 Ring Street, London, UK. 2Knot House, Bath, UK.",
        "/F 8 Tf References",
        "/F 8 Tf 1. Doe J, Roe R. Studies of rings. Rings. 2001;1:1-9.",
        "/F 8 Tf 2. Poe P. Knots of five lines. Knots. 2002;5:31-9.",
        "/F 8 Tf 3. Moe M. Ropes. Ropes. 2003;6:41-9.",
    ]
    .into_iter()
    .enumerate()
    {
        page.push((60.0, 240.0 + 10.0 * n as f32, text));
    }
    let found = references(&[page]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[2], "Moe M. Ropes. Ropes. 2003;6:41-9.");
}

#[test]
fn feet_of_left_and_right_pages_are_skipped() {
    let entry =
        |n: usize| format!("[{n}] Doe, J. and Roe, R. On ring {n}. Rings {n}, 1-9 \\(200{n}\\).");
    let entries: Vec<String> = (1..=6).map(entry).collect();
    let list = |from: usize, top: f32| {
        let lines: Vec<&str> = entries[from..from + 3].iter().map(String::as_str).collect();
        below(60.0, top, &lines)
    };
    let mut left = below(60.0, 60.0, &PROSE);
    left.push((60.0, 640.0, "References"));
    left.extend(list(0, 660.0));
    let mut right = list(3, 60.0);
    let parts = ["e24", "Rings of the Week 44, e24-e25", "Ring Society 2019"];
    left.extend(
        [60.0, 120.0, 400.0]
            .into_iter()
            .zip(parts)
            .map(|(x, text)| (x, 740.0, text)),
    );
    let parts = ["Ring Society 2019", "Rings of the Week 44, e24-e25", "e25"];
    right.extend(
        [60.0, 220.0, 500.0]
            .into_iter()
            .zip(parts)
            .map(|(x, text)| (x, 740.0, text)),
    );
    let found = references(&[left, right]);
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(
        found.iter().all(|entry| !entry.contains("Society")),
        "{found:?}"
    );
}

#[test]
fn mark_of_digits_below_each_page_does_not_end_the_list() {
    let entry = |n: usize| format!("{n}. Doe J, Roe R \\(200{n}\\) On ring {n}. Rings {n}:1-9");
    let entries: Vec<String> = (1..=6).map(entry).collect();
    let mut pages = vec![
        below(60.0, 60.0, &PROSE),
        below(60.0, 60.0, &PROSE),
        Vec::new(),
    ];
    pages[1].push((60.0, 200.0, "References"));
    for (n, text) in entries.iter().enumerate() {
        pages[1 + n / 3].push((60.0, 220.0 + 12.0 * n as f32, text));
    }
    for page in &mut pages {
        page.push((500.0, 760.0, "/F 20 Tf 123"));
    }
    let found = references(&pages);
    assert_eq!(found.len(), 6, "{found:?}");
}

#[test]
fn numbered_list_under_its_heading_at_the_foot_of_a_column_is_not_a_note() {
    let mut page = below(60.0, 60.0, &PROSE);
    page.push((60.0, 190.0, "/F 12 Tf 5 Discussion"));
    page.extend(below(60.0, 210.0, &PROSE));
    page.push((60.0, 300.0, "/F 11 Tf References"));
    let list = [
        "1 Doe J. Studies of rings. Rings. 2001;1:1-9.",
        "2 Poe P. Knots of five lines. Knots. 2002;5:31-9.",
        "3 Moe M. Ropes. Ropes. 2003;6:41-9.",
    ];
    page.extend(below(60.0, 320.0, &list));
    let found = references(&[page]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], "Doe J. Studies of rings. Rings. 2001;1:1-9.");
}

#[test]
fn small_capitals_do_not_change_the_size_of_a_line() {
    let mut page = below(60.0, 60.0, &["References", "Doe J, Roe R, Ka-"]);
    // The rest of a name in small capitals.
    page.push((72.0, 84.0, "/F 9 Tf LO M:"));
    page.push((101.0, 84.0, "Role of rings in knots and of knots in rings."));
    page.push((72.0, 96.0, "Rings 2001; 1: 1-9."));
    page.extend(below(
        60.0,
        108.0,
        &["Poe P: Knots of five lines. Knots 2002; 5: 31-9."],
    ));
    page.extend(below(
        60.0,
        120.0,
        &["Moe M: Ropes of several colours and of what"],
    ));
    page.push((72.0, 132.0, "they are made. Ropes 2003; 6: 41-9."));
    let found = references(&[page]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("Doe J, Roe R"), "{found:?}");
    assert!(found[0].ends_with("Rings 2001; 1: 1-9."), "{found:?}");
}

#[test]
fn figure_at_the_top_of_a_page_interrupts_the_list() {
    let first = below(
        60.0,
        600.0,
        &[
            "References",
            "1 Doe J. Studies of rings. Rings 2001; 1: 1-9.",
            "2 Poe P. Knots of five lines. Knots 2002; 5: 31-9.",
        ],
    );
    let second = below(
        60.0,
        60.0,
        &[
            "Figure 1 \\(a\\) Rings of the year 2019 and the knots between them,",
            "as seen from the side.",
            "3 Moe M. Ropes. Ropes 2003; 6: 41-9.",
            "4 Loe L. Bells. Bells 2004; 7: 51-9.",
        ],
    );
    let found = references(&[first, second]);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found[1], "Poe P. Knots of five lines. Knots 2002; 5: 31-9.");
}

#[test]
fn headers_footers_and_page_numbers_are_skipped() {
    let page = |number: &'static str, entries: &[&'static str]| {
        let mut page = vec![
            (
                60.0,
                40.0,
                "Doe and Young: On light, manuscript under review",
            ),
            (300.0, 770.0, number),
        ];
        page.extend(below(60.0, 100.0, entries));
        page
    };
    let first = page(
        "7",
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
            "[2] T. Young, On the theory of light and of",
        ],
    );
    let second = page(
        "8",
        &[
            "colours, Phil. Trans. 92, 12-48 \\(1802\\).",
            "[3] A. Zimmer, Waves in glass, Optics Letters 7, 33-40 \\(1999\\).",
        ],
    );
    let found = references(&[first, second]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found[1],
        "T. Young, On the theory of light and of colours, Phil. Trans. 92, 12-48 (1802)."
    );
}

#[test]
fn line_numbers_are_skipped() {
    let numbers: Vec<String> = (1..=9).map(|n| n.to_string()).collect();
    let mut page = below(60.0, 100.0, &PROSE);
    page.push((60.0, 172.0, "References"));
    page.push((60.0, 184.0, "J. Doe. On light, and on what there is to"));
    page.push((80.0, 196.0, "say of it. J. Light, 12\\(3\\):1-9, 2001."));
    page.extend(
        numbers
            .iter()
            .enumerate()
            .map(|(n, number)| (30.0, 100.0 + 12.0 * n as f32, number.as_str())),
    );
    let found = references(&[page]);
    assert_eq!(
        found,
        ["J. Doe. On light, and on what there is to say of it. J. Light, 12(3):1-9, 2001."]
    );
}

#[test]
fn reference_has_its_page() {
    let list = below(
        60.0,
        100.0,
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
        ],
    );
    let pages = [below(60.0, 100.0, &PROSE), list];
    let read = try_read(&document(&pages)).unwrap();
    assert_eq!(read.references[0].place.page, Some(2));
}

#[test]
fn output_of_the_child_process_gives_the_same_document() {
    let bytes = document(&[below(
        60.0,
        100.0,
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
        ],
    )]);
    let there = pdf::document("a.pdf", &serve(bytes.clone(), ""), &Budget::unlimited()).unwrap();
    let here = try_read(&bytes).unwrap();
    assert_eq!(there.references, here.references);
    assert_eq!(there.format, here.format);
    let cut = pdf::document("a.pdf", b"{\"Ok\":[", &Budget::unlimited());
    assert!(matches!(cut, Err(DocumentError::Broken { .. })), "{cut:?}");
}

#[test]
fn pages_without_text_are_rejected_as_scanned() {
    let result = try_read(&document(&[Vec::new(), Vec::new()]));
    assert!(
        matches!(result, Err(DocumentError::Scanned(_))),
        "{result:?}"
    );
}

#[test]
fn encrypted_file_is_rejected() {
    let key = "00".repeat(32);
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[3 0 R]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>".to_owned(),
        format!("<</Filter/Standard/V 2/R 3/Length 128/P -4/O<{key}>/U<{key}>>>"),
    ];
    let result = try_read(&file(&objects, "/Encrypt 4 0 R/ID[<00><00>]"));
    assert!(
        matches!(result, Err(DocumentError::Encrypted(_))),
        "{result:?}"
    );
}

#[test]
fn broken_object_table_is_repaired() {
    let whole = document(&[below(
        60.0,
        100.0,
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
        ],
    )]);
    let text = String::from_utf8(whole).unwrap();
    let broken = text
        .replace(" 00000 n", " 99999 n")
        .replace("startxref\n", "startxref\n9");
    assert_eq!(try_read(broken.as_bytes()).unwrap().references.len(), 1);
}

#[test]
fn hostile_files_are_rejected() {
    let catalog = "<</Type/Catalog/Pages 2 0 R>>".to_owned();
    let endless_tree = "<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>".to_owned();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: [Vec<u8>; 5] = [
        b"%PDF-1.7".to_vec(),
        b"%PDF-1.7\nstartxref\n0\n%%EOF".to_vec(),
        file(&[catalog.clone(), endless_tree], ""),
        file(
            &[catalog.clone(), format!("<</Type/Pages/Kids {deep}>>")],
            "",
        ),
        file(&[catalog], "/Prev 9"),
    ];
    for bytes in cases {
        let result = try_read(&bytes);
        assert!(result.is_err(), "{result:?}");
    }
}

#[test]
fn truncated_file_gives_a_result() {
    let whole = document(&[below(
        60.0,
        100.0,
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
        ],
    )]);
    for length in (0..whole.len()).step_by(7) {
        let _ = try_read(&whole[..length]);
    }
}

/// Entries as wide as their column, without indent or space between.
const PLAIN: [&str; 6] = [
    "Doe, J., Roe, R. (2001). On light and what it does in glass, a first look. J. Light, 12, 1-9.",
    "Poe, P. (2002). On rings. Rings, 3, 11-19.",
    "Moe, M. Q. (2003). The colours of shadows that are cast by things of several colours and",
    "what follows from them for painters. Shadows, 4, 21-29.",
    "Coe, C. (2004). Knots. Knots, 5, 31-39.",
    "Loe, L. (2005). Ropes. Ropes, 6, 41-49.",
];

#[test]
fn entries_without_indent_or_space_begin_with_names() {
    let mut lines = vec!["References"];
    lines.extend(PLAIN);
    let found = references(&[below(60.0, 100.0, &lines)]);
    let joined = format!("{} {}", PLAIN[2], PLAIN[3]);
    let expected = [PLAIN[0], PLAIN[1], &joined, PLAIN[4], PLAIN[5]];
    assert_eq!(found, expected);
}

#[test]
fn text_after_a_numbered_list_is_not_an_entry() {
    let entries = [
        "References",
        "[1] Doe, J. (2001). On light. Light, 1, 1-9.",
        "[2] Roe, R. (2002). On rings, and on what there is to say of",
    ];
    let mut page = below(60.0, 100.0, &entries);
    page.push((75.0, 136.0, "them in two lines. Rings, 3, 11-19."));
    page.push((60.0, 148.0, "[3] Poe, P. (2003). Knots. Knots, 5, 31-39."));
    page.extend(below(60.0, 160.0, &PROSE));
    page.extend(below(60.0, 250.0, &PROSE));
    let found = references(&[page]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[2], "Poe, P. (2003). Knots. Knots, 5, 31-39.");
}

#[test]
fn line_of_text_repeated_on_two_pages_is_not_a_header() {
    let mut pages: Vec<Vec<Line<'_>>> = (0..8).map(|_| below(60.0, 40.0, &PROSE)).collect();
    for (n, page) in pages.iter_mut().enumerate() {
        // Two of eight pages begin alike.
        let first = [
            "One", "Two", "Same", "Same", "Five", "Six", "Seven", "Eight",
        ][n];
        page[0].2 = first;
    }
    let list = [
        "References",
        "[1] Doe, J. (2001). On light. Light, 1, 1-9.",
        "[2] Roe, R. (2002). On rings, and on what there is to say of",
    ];
    pages[7].extend(below(60.0, 730.0, &list));
    let rest = [
        "them in two lines. Rings, 3, 11-19.",
        "[3] Poe, P. (2003). Knots. Knots, 5, 31-39.",
    ];
    pages.push(below(60.0, 40.0, &rest));
    let found = references(&pages);
    let second = "Roe, R. (2002). On rings, and on what there is to say of them in two lines. Rings, 3, 11-19.";
    assert_eq!((found.len(), found[1].as_str()), (3, second), "{found:?}");
}

/// A page of prose, and one with a list.
fn prose_and_list<'a>() -> [Vec<Line<'a>>; 2] {
    let list = below(
        60.0,
        100.0,
        &[
            "References",
            "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
        ],
    );
    [below(60.0, 100.0, &PROSE), list]
}

/// A PDF of pages with these contents, and with forms `/X0`, `/X1` and so on, which may draw each other.
fn with_forms(contents: &[String], forms: &[String]) -> Vec<u8> {
    let first_form = 5 + 2 * contents.len();
    let stream = |head: &str, content: &String| {
        let length = content.len();
        format!("<<{head}/Length {length}>>stream\n{content}\nendstream")
    };
    let references = |from: usize, count: usize, step: usize| -> Vec<String> {
        (0..count)
            .map(|n| format!("{} 0 R", from + step * n))
            .collect()
    };
    let kids = references(5, contents.len(), 2);
    let named = references(first_form, forms.len(), 1)
        .into_iter()
        .enumerate();
    let named: String = named.map(|(n, form)| format!("/X{n} {form}")).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type/Pages/Count {}/Kids[{}]/MediaBox[0 0 600 800]/Resources 4 0 R>>",
            contents.len(),
            kids.join(" ")
        ),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>".to_owned(),
        format!("<</Font<</F 3 0 R>>/XObject<<{named}>>>>"),
    ];
    for (n, content) in contents.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R>>",
            6 + 2 * n
        ));
        objects.push(stream("", content));
    }
    for content in forms {
        objects.push(stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 600 800]",
            content,
        ));
    }
    file(&objects, "")
}

/// The content of a page with lines of text.
fn written(lines: &[&str]) -> String {
    let lines = lines.iter().enumerate();
    let lines = lines.map(|(n, line)| format!("1 0 0 1 60 {} Tm ({line}) Tj ", 700 - 14 * n));
    format!("BT /F 10 Tf {}ET", lines.collect::<String>())
}

/// The findings about pages of a document whose second page has this content, between one of prose and one with
/// the reference list, which is read.
#[track_caller]
fn check_second_page(content: &str, forms: &[String], expected: &[&str]) {
    let list = [
        "References",
        "[1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).",
    ];
    let contents = [written(&PROSE), content.to_owned(), written(&list)];
    let read = try_read(&with_forms(&contents, forms)).unwrap();
    let texts: Vec<&str> = read.references.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(texts, ["J. Doe, On light, J. Light 12, 1-9 (2001)."]);
    assert_eq!(read.references[0].place.page, Some(3));
    let unread = read.findings.iter();
    let unread = unread.filter(|finding| finding.kind == FindingKind::UnreadPage);
    let messages: Vec<&str> = { unread.clone() }
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(messages, expected);
    for finding in unread {
        assert_eq!(finding.place.page, Some(2));
    }
}

const TOO_MUCH: &str = "Page 2 is not read: more than 2000000 operators.";

#[test]
fn page_of_forms_that_draw_each_other_is_left_out() {
    let twice = |n: usize| format!("/X{0} Do /X{0} Do", n + 1);
    let mut forms: Vec<String> = (0..30).map(twice).collect();
    forms.push(written(&["Light"]));
    check_second_page("/X0 Do", &forms, &[TOO_MUCH]);
    // The last ones are few.
    check_second_page("/X25 Do", &forms, &[]);
    // Forms in a circle end at the depth that hayro draws.
    check_second_page("/X0 Do", &["/X0 Do".to_owned()], &[]);
    check_second_page(
        "/X0 Do",
        &["/X1 Do ".repeat(2), "/X0 Do".to_owned()],
        &[TOO_MUCH],
    );
}

#[test]
fn page_of_many_operators_is_left_out() {
    check_second_page(&"q Q ".repeat(1_000_001), &[], &[TOO_MUCH]);
    check_second_page(&"q Q ".repeat(100_000), &[], &[]);
    // A long form counts whenever it is drawn, however few operators it has.
    let long = vec![format!("%{}\n", " ".repeat(1_000_000))];
    check_second_page(&"/X0 Do ".repeat(100), &long, &[TOO_MUCH]);
    check_second_page(&"/X0 Do ".repeat(10), &long, &[]);
}

#[test]
fn page_of_many_pieces_is_left_out() {
    let places = (0..21_000).map(|n| (n % 141 * 4, 5 + n / 141 * 5));
    let pieces = places.map(|(left, top)| format!("1 0 0 1 {left} {top} Tm (a) Tj "));
    let content = format!("BT /F 1 Tf {}ET", pieces.collect::<String>());
    check_second_page(
        &content,
        &[],
        &["Page 2 is not read: more than 20000 pieces of text."],
    );
}

#[test]
fn document_without_a_readable_page_is_rejected_by_its_page() {
    let contents = [("/X0 Do ".repeat(2_000_000))];
    let refusal = try_read(&with_forms(&contents, &[])).unwrap_err();
    let text = refusal.to_string();
    assert_eq!(
        text,
        "a.pdf is not read: page 1: more than 2000000 operators"
    );
}

#[test]
fn pages_are_left_out_when_the_time_is_over() {
    let [prose, list] = prose_and_list();
    let bytes = document(&[list, prose.clone(), prose.clone(), prose]);
    let mut output = Output {
        bytes: Vec::new(),
        pages: 3,
    };
    pdf::serve(bytes, "", &mut output);
    let read = pdf::document("a.pdf", &output.bytes, &Budget::unlimited()).unwrap();
    assert_eq!(read.references.len(), 1);
    let finding = &read.findings[0];
    assert_eq!(
        finding.message,
        "Pages 3–4 are not read: the time for the document was over."
    );
    assert_eq!(
        (finding.kind, finding.place.page),
        (FindingKind::UnreadPage, Some(3))
    );
}

#[test]
fn process_goes_on_behind_the_page_in_which_another_ended() {
    let [prose, list] = prose_and_list();
    let bytes = document(&[prose.clone(), list.clone(), prose, list]);
    let whole = serve(bytes.clone(), "");
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 6);
    // It ended in the second page.
    let mut transcript = Transcript::default();
    assert!(transcript.add_ended(&lines[..2].concat(), Remaining::Drawn));
    let rest = serve(bytes.clone(), &transcript.to_text());
    let read = pdf::document("a.pdf", &rest, &Budget::unlimited()).unwrap();
    let pages: Vec<Option<usize>> = read.references.iter().map(|r| r.place.page).collect();
    assert_eq!(pages, [Some(4)]);
    let messages: Vec<&str> = read.findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        ["Page 2 is not read: too much memory or time, or a part that breaks the reader."]
    );
    // It ended after the last page.
    assert!(!Transcript::default().add_ended(&lines[..5].concat(), Remaining::Drawn));
}
