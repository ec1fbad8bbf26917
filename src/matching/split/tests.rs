//! Lists, and what is made of them.

use super::*;

/// What stands at a place.
fn shown(text: &str, place: &Place) -> String {
    let range = &place.characters;
    text.chars().skip(range.start).take(range.len()).collect()
}

fn check(text: &str, expected: &[&str]) {
    let found = split(text).pieces;
    let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(texts, expected, "{text:?}");
    for piece in found {
        assert!(!shown(text, &piece.place).is_empty(), "{text:?}: {piece:?}");
    }
}

#[test]
fn numbers_begin_references() {
    check(
        "References\n[1] Doe J. First title of\n    the list. Ring. 2001.\n[2] Roe R. Second. Ring. 2002.",
        &[
            "Doe J. First title of the list. Ring. 2001.",
            "Roe R. Second. Ring. 2002.",
        ],
    );
    check("1. Doe J. A.\n2. Roe R. B.\n", &["Doe J. A.", "Roe R. B."]);
    check("• Doe J. A.\n• Roe R. B.", &["Doe J. A.", "Roe R. B."]);
}

#[test]
fn blank_lines_part_references() {
    check(
        "Doe, J. (2001). A long\ntitle. Ring, 3.\n\nRoe, R. (2002). Another.",
        &[
            "Doe, J. (2001). A long title. Ring, 3.",
            "Roe, R. (2002). Another.",
        ],
    );
}

#[test]
fn every_line_may_be_a_reference() {
    check(
        "Doe, J. (2001). A. Ring, 3, 1–9.\nRoe, R. (2002). B. Ring, 4, 1–9.",
        &[
            "Doe, J. (2001). A. Ring, 3, 1–9.",
            "Roe, R. (2002). B. Ring, 4, 1–9.",
        ],
    );
}

#[test]
fn wrapped_lines_are_joined() {
    check(
        "Doe, J., & Roe, R. (2001). Coher-\nence of light in the\nworld. Ring, 3, 1–9.\nRoe, R. (2002). Waves and\nrays. Ring, 4, 1–9.",
        &[
            "Doe, J., & Roe, R. (2001). Coherence of light in the world. Ring, 3, 1–9.",
            "Roe, R. (2002). Waves and rays. Ring, 4, 1–9.",
        ],
    );
    check(
        "Doe, J. (2001). Hanging\n   lines here. Ring.\nRoe, R. (2002). More\n   of them. Ring.",
        &[
            "Doe, J. (2001). Hanging lines here. Ring.",
            "Roe, R. (2002). More of them. Ring.",
        ],
    );
}

#[test]
fn references_glued_on_a_line_are_parted() {
    check(
        "[7] Doe J. A. Ring 1, 2. [8] Roe R. B [2] of it. Ring 3, 4. [9] Poe E. C.",
        &[
            "Doe J. A. Ring 1, 2.",
            "Roe R. B [2] of it. Ring 3, 4.",
            "Poe E. C.",
        ],
    );
    check(
        "1) Doe J. A. Ring 1, 2. 2) Roe R. B. Ring 3, 4.",
        &["Doe J. A. Ring 1, 2.", "Roe R. B. Ring 3, 4."],
    );
}

#[test]
fn authors_behind_pages_begin_a_reference() {
    check(
        "Doe J, Roe R. First of it. Ring. 1953;171:737. Poe EC. Second. Ring 2015;52:43-44.",
        &[
            "Doe J, Roe R. First of it. Ring. 1953;171:737.",
            "Poe EC. Second. Ring 2015;52:43-44.",
        ],
    );
    check(
        "Doe, J. (2001). First. Ring, 12(3), 45–67; Roe, R. (2002). Second. Ring, 13, 5–9.",
        &[
            "Doe, J. (2001). First. Ring, 12(3), 45–67;",
            "Roe, R. (2002). Second. Ring, 13, 5–9.",
        ],
    );
    for whole in [
        "Doe J. Review of Ring, 2002, pp. 1-302. Irish Social History. 2003. 30. 141-142",
        "Doe J: Rings in Sweden, 12:1970-2006. Eur J Cancer 2010, 46:1093-1100.",
    ] {
        check(whole, &[whole]);
    }
}

#[test]
fn dashes_stand_for_the_authors_before() {
    check(
        "Price, R. 1983. First-Time. Baltimore.\n———. 1990. Alabi's World. Baltimore.\n---, ed. 1996. Maroon Societies. Baltimore.",
        &[
            "Price, R. 1983. First-Time. Baltimore.",
            "Price, R. 1990. Alabi's World. Baltimore.",
            "Price, R, ed. 1996. Maroon Societies. Baltimore.",
        ],
    );
}

#[test]
fn lists_as_they_are_pasted() {
    check(
        "Bibliography\n\nBooks\n\nDoe, J. (2001). A. Ring.\n\nJournal articles\n\nRoe, R. (2002). B. Ring, 4.\n\n17\n",
        &["Doe, J. (2001). A. Ring.", "Roe, R. (2002). B. Ring, 4."],
    );
    check(
        "1. Doe J. A of it. Ring 2001;1:2. 2. Roe R. B 3. of it. Ring 2002;3:4. 3. Poe E. C.",
        &[
            "Doe J. A of it. Ring 2001;1:2.",
            "Roe R. B 3. of it. Ring 2002;3:4.",
            "Poe E. C.",
        ],
    );
    check(
        "1) Doe J. Eine lange Über-\nschrift. Ring. 2001.\n2) Щербаков И. Звон старых\nколоколов. 1987. Т. 5.\n3) 田中花子「架空都市」仮想\n地理学雑誌 18(4), 2011",
        &[
            "Doe J. Eine lange Überschrift. Ring. 2001.",
            "Щербаков И. Звон старых колоколов. 1987. Т. 5.",
            "田中花子「架空都市」仮想 地理学雑誌 18(4), 2011",
        ],
    );
    check(
        "- Doe, J. (2001). A. Ring, 3, 1–9.\n  https://doi.org/10.1000/a\n- Roe, R. (2002). B. Ring, 4.",
        &[
            "Doe, J. (2001). A. Ring, 3, 1–9. https://doi.org/10.1000/a",
            "Roe, R. (2002). B. Ring, 4.",
        ],
    );
}

#[test]
fn headings_and_emptiness_are_no_references() {
    check("Literaturverzeichnis:\n\n", &[]);
    check("", &[]);
    check(
        "参考文献\n[1] 王小明. 标题. 北京, 2001.",
        &["王小明. 标题. 北京, 2001."],
    );
}

#[test]
fn the_line_is_counted_from_one() {
    let found = split("References\n\n[1] Doe J. A.\n[2] Roe R. B.");
    let lines: Vec<usize> = found.pieces.iter().map(|piece| piece.place.line).collect();
    assert_eq!(lines, [3, 4]);
}
