//! Lists in generated PDF files: every entry is whole, whatever the layout, the labels and the text around it.

use super::{Line, PROSE, below, document, references, try_read};

const WORDS: [&str; 8] = [
    "rings", "knots", "bows", "arrows", "tides", "waves", "ropes", "masts",
];

/// The entries of a list: `Doe, J. On rings and knots. Journal of Bows 3, 2001, 1-9.`
fn entries(count: usize) -> Vec<String> {
    let word = |n: usize| WORDS[n % WORDS.len()];
    let names = ["Doe", "Roe", "Poe", "Moe", "Noe", "Loe"];
    (0..count)
        .map(|n| {
            format!(
                "{}, {}. On {} and {} in the sea of the north. Journal of {} {}, {}, {}-{}.",
                names[n % names.len()],
                char::from(b'A' + u8::try_from(n % 26).unwrap()),
                word(n),
                word(n + n / 8 + 1),
                word(n + 3),
                n + 2,
                1980 + n,
                n + 1,
                n + 9
            )
        })
        .collect()
}

/// The lines of a text of at most a number of letters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().unwrap();
        if last.len() + word.len() < width || last.is_empty() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// How the entries of a list begin.
#[derive(Clone, Copy, Debug)]
enum Labels {
    None,
    Brackets,
    Point,
    Bare,
    Keys,
}

impl Labels {
    fn put(self, n: usize, text: &str) -> String {
        match self {
            Labels::None => text.to_owned(),
            Labels::Brackets => format!("[{}] {text}", n + 1),
            Labels::Point => format!("{}. {text}", n + 1),
            Labels::Bare => format!("{} {text}", n + 1),
            Labels::Keys => format!("KEY{n}: {text}"),
        }
    }
}

/// Pages with prose, then a list with hanging indents in columns of 24 lines, then prose below it. A column of few
/// lines may be the ends of other lines, so that the columns are longer then.
fn pages(
    columns: usize,
    labels: Labels,
    entries: &[String],
    prose_behind: bool,
) -> Vec<Vec<(f32, f32, String)>> {
    let step = 480.0 / columns as f32;
    let width = [84, 42, 26][columns - 1];
    let mut lines: Vec<(f32, String)> = vec![(0.0, "References".to_owned()), (0.0, String::new())];
    for (n, entry) in entries.iter().enumerate() {
        let wrapped = wrapped(&labels.put(n, entry), width);
        lines.extend(wrapped.into_iter().enumerate().map(|(n, line)| {
            let indent = if n > 0 { 12.0 } else { 0.0 };
            (indent, line)
        }));
    }
    if prose_behind {
        lines.extend([(0.0, String::new()), (0.0, String::new())]);
        let prose = wrapped(&PROSE.join(" "), width);
        lines.extend(prose.into_iter().map(|line| (0.0, line)));
    }
    let rows = (24..40).find(|rows| lines.len() % rows >= 6).unwrap();
    let first = below(60.0, 100.0, &PROSE);
    let owned = |(left, top, text): Line<'_>| (left, top, text.to_owned());
    let mut pages: Vec<Vec<(f32, f32, String)>> = vec![first.into_iter().map(owned).collect()];
    for page in lines.chunks(rows * columns) {
        let place = |(n, (indent, text)): (usize, &(f32, String))| {
            let left = 60.0 + step * (n / rows) as f32 + indent;
            let text = text.replace('(', "\\(").replace(')', "\\)");
            (left, 100.0 + 12.0 * (n % rows) as f32, text)
        };
        let placed = page.iter().enumerate().map(place);
        pages.push(placed.filter(|(_, _, text)| !text.is_empty()).collect());
    }
    pages
}

fn read(pages: &[Vec<(f32, f32, String)>]) -> Vec<String> {
    let borrowed: Vec<Vec<Line<'_>>> = { pages.iter() }
        .map(|page| {
            page.iter()
                .map(|(left, top, text)| (*left, *top, text.as_str()))
                .collect()
        })
        .collect();
    references(&borrowed)
}

#[test]
fn entries_are_whole_in_every_layout() {
    for columns in 1..=3 {
        for labels in [
            Labels::None,
            Labels::Brackets,
            Labels::Point,
            Labels::Bare,
            Labels::Keys,
        ] {
            for count in [5, 20, 30] {
                for prose_behind in [false, true] {
                    let entries = entries(count);
                    let found = read(&pages(columns, labels, &entries, prose_behind));
                    assert_eq!(
                        found, entries,
                        "{columns} columns, {labels:?}, {count}, prose behind: {prose_behind}"
                    );
                }
            }
        }
    }
}

#[test]
fn titles_that_begin_with_a_digit_keep_their_label() {
    for labels in [Labels::Brackets, Labels::Point, Labels::Bare] {
        let mut entries = entries(9);
        entries[3] =
            "3d-matching: learning to match, by A. Doe. Journal of Bows 3, 2001, 1-9.".to_owned();
        entries[8] = format!("2D maps. {}", entries[8]);
        let found = read(&pages(1, labels, &entries, false));
        assert_eq!(found, entries, "{labels:?}");
    }
}

#[test]
fn numbered_entry_needs_no_year() {
    let mut entries = entries(7);
    entries[2] = "The manual of the tool, version three.".to_owned();
    entries[3] = "Guide to the tool".to_owned();
    entries[6] = "A primer of the tool.".to_owned();
    let found = read(&pages(1, Labels::Brackets, &entries, false));
    assert_eq!(found, entries);
}

/// Lines below a heading, after a page of prose.
fn under_heading(heading: &str, lines: &[&str]) -> Vec<String> {
    let mut second = vec![(60.0, 100.0, heading)];
    second.extend(below(60.0, 130.0, lines));
    references(&[below(60.0, 100.0, &PROSE), second])
}

const NUMBERED: [&str; 3] = [
    "[1] Doe, J. On rings. Journal of Rings 3, 2001, 1-9.",
    "[2] Roe, R. On knots. Journal of Knots 4, 2002, 11-19.",
    "[3] Poe, P. On bows. Journal of Bows 5, 2003, 21-29.",
];

#[test]
fn text_without_a_number_behind_a_numbered_list_is_no_entry() {
    for behind in [
        "Jane Doe received the degree of a doctor in 2001 and is a member of the IEEE, vol. 3.",
        "doi:10.1000/182 Cite this article as: Doe J. 2010. Test Journal 9:1.",
        "Received in final form 15 May 2018",
        "Open Access. This article is licensed, see http://example.org/licence, 2019.",
    ] {
        let mut second = vec![(60.0, 100.0, "References")];
        second.extend(below(60.0, 130.0, &NUMBERED));
        second.push((60.0, 200.0, behind));
        let found = references(&[below(60.0, 100.0, &PROSE), second]);
        assert_eq!(found.len(), 3, "{behind}: {found:?}");
    }
}

#[test]
fn web_pages_are_entries() {
    let lines = [
        "https://example.org/rings. \\(s.f.\\).",
        "https://example.com/knots. \\(s.f.\\).",
        "https://example.net/bows. \\(s.f.\\).",
    ];
    assert_eq!(under_heading("Referencias", &lines).len(), 3);
}

#[test]
fn entries_may_have_parts_in_small_print() {
    let mut second = vec![(60.0, 60.0, "References")];
    let mut top = 90.0;
    for line in [
        "[1] Doe, J. On rings and on what is said of them.",
        "[2] Roe, R. On knots and on what is said of them.",
        "[3] Poe, P. On bows and on what is said of them.",
        "[4] Moe, M. On masts and on what is said of them.",
    ] {
        second.push((60.0, top, line));
        second.push((
            76.0,
            top + 12.0,
            "/F 8 Tf https://example.org/on \\(visited 2018-05-01\\).",
        ));
        top += 30.0;
    }
    let found = references(&[below(60.0, 100.0, &PROSE), second]);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(
        found[3],
        "Moe, M. On masts and on what is said of them. https://example.org/on (visited 2018-05-01)."
    );
}

#[test]
fn list_goes_on_below_the_running_head_with_its_name() {
    let mut second = vec![(60.0, 60.0, "Bibliografia")];
    second.extend(below(60.0, 130.0, &NUMBERED));
    let mut third = vec![(60.0, 60.0, "46"), (300.0, 60.0, "BIBLIOGRAFIA")];
    third.extend(below(
        60.0,
        100.0,
        &[
            "[4] Moe, M. On masts. Journal of Masts 3, 2001, 1-9.",
            "[5] Noe, N. On ropes. Journal of Ropes 4, 2002, 11-19.",
        ],
    ));
    let found = references(&[below(60.0, 100.0, &PROSE), second, third]);
    assert_eq!(found.len(), 5, "{found:?}");
}

#[test]
fn heading_of_the_list_at_the_top_of_a_page_is_no_running_head() {
    let page = |head: &'static str| {
        let mut lines = vec![(60.0, 40.0, head)];
        lines.extend(below(60.0, 100.0, &PROSE));
        lines
    };
    let mut last = vec![(60.0, 40.0, "References")];
    last.extend(below(
        60.0,
        100.0,
        &["Doe, J. On rings. Journal of Rings 3, 2001, 1-9."],
    ));
    let found = references(&[page("Of Rings"), page("Of Rings"), page("Of Rings"), last]);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn heading_inside_a_numbered_list_names_a_part_of_it() {
    let mut second = vec![(60.0, 60.0, "/F 16 Tf References")];
    second.extend(below(60.0, 100.0, &NUMBERED));
    second.push((60.0, 160.0, "/F 16 Tf Web pages"));
    second.push((
        60.0,
        190.0,
        "[4] Moe, M. On masts. https://example.org/masts, 2004.",
    ));
    let found = references(&[below(60.0, 100.0, &PROSE), second]);
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn gap_in_the_numbers_is_reported() {
    let all = entries(9);
    let lines: Vec<String> = { all.iter().enumerate() }
        .filter(|(n, _)| *n != 6)
        .map(|(n, entry)| format!("[{}] {entry}", n + 1))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut second = vec![(60.0, 60.0, "References")];
    second.extend(below(60.0, 100.0, &lines));
    let found = try_read(&document(&[below(60.0, 100.0, &PROSE), second])).unwrap();
    assert_eq!(found.references.len(), 8);
    let messages: Vec<&str> = found
        .findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(messages, ["The list has no entry with the number 7."]);
}

#[test]
fn names_alone_do_not_end_the_last_entry() {
    let mut second = vec![(60.0, 100.0, "References")];
    second.extend(below(
        60.0,
        130.0,
        &[
            "1. Doe J, Roe R, et al.",
            "On rings and on what is said of them. Journal of Rings 2001;3:1-9.",
            "2. Roe R, Poe P, et al.",
            "On knots and on what is said of them. Journal of Knots 2002;4:1-9.",
            "3. Poe P, Moe M, et al.",
            "On bows and on what is said of them. Journal of Bows 2003;5:1-9.",
        ],
    ));
    let found = references(&[below(60.0, 100.0, &PROSE), second]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[2].ends_with("2003;5:1-9."), "{found:?}");
}
