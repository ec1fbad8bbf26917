//! Lists and the references split from them.

use super::*;

fn split(text: &str) -> Split {
    super::split(text, &Budget::unlimited()).unwrap()
}

/// The text at a position.
fn shown(text: &str, place: &TextPosition) -> String {
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
fn full_lines_between_blank_ones_do_not_end_references() {
    check(
        "Doe, J. (2001). On the memory of places and other things: A reader.\nRepresentations, 26, \
         7–24.\n\nRoe, R. (2002). The structure of water in the cold, and the work of it.\nScience, 169, \
         635–641.\n\nPoe, P. (2003). How to share a secret with all of one's old friends.\nLanguage, 22, 2.",
        &[
            "Doe, J. (2001). On the memory of places and other things: A reader. Representations, 26, 7–24.",
            "Roe, R. (2002). The structure of water in the cold, and the work of it. Science, 169, 635–641.",
            "Poe, P. (2003). How to share a secret with all of one's old friends. Language, 22, 2.",
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

const LBH: &str = "LeCun, Y., Bengio, Y., & Hinton, G. (2015). Deep learning. Nature, 521(7553), 436–444. https://doi.org/10.1038/nature14539";
const QUINT: &str = "Marlow, T. R., & Quint, H. (2019). Quantum entanglement of municipal tax records. Journal of Fiscal Physics, 12(3), 45–67.";
const BOOK: &str = "Kahneman, D. (2011). Thinking, fast and slow. Farrar, Straus and Giroux.";

/// Checks the references and the lines left out.
fn check_around(text: &str, expected: &[&str], left_out: &[&str]) {
    check(text, expected);
    let found = split(text).left_out;
    let texts: Vec<&str> = found.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(texts, left_out, "{text:?}");
    for piece in &found {
        assert_eq!(shown(text, &piece.place), piece.text, "{text:?}");
    }
}

#[test]
fn a_reference_behind_an_address_is_parted() {
    check(&format!("{LBH} {QUINT}"), &[LBH, QUINT]);
    check(
        &format!("{LBH}. {QUINT} {BOOK}"),
        &[&format!("{LBH}."), QUINT, BOOK],
    );
    check(&format!("1. {LBH} {QUINT}\n2. {BOOK}"), &[LBH, QUINT, BOOK]);
    check(
        "Doe J. First of it. Ring. 1953;171:737. doi:10.1000/a World Health Organization. (2010). Rings. WHO.",
        &[
            "Doe J. First of it. Ring. 1953;171:737. doi:10.1000/a",
            "World Health Organization. (2010). Rings. WHO.",
        ],
    );
    check(
        "Doe, Jane. “First.” Ring 3 (2001): 4–5. https://example.org/a Roe, Richard. “Second.” Ring 4 (2002): 6–7.",
        &[
            "Doe, Jane. “First.” Ring 3 (2001): 4–5. https://example.org/a",
            "Roe, Richard. “Second.” Ring 4 (2002): 6–7.",
        ],
    );
    check(
        "[1] Doe J. A. Ring 2001, https://doi.org/10.1000/a [2] Roe R. B. Ring 2002.",
        &[
            "Doe J. A. Ring 2001, https://doi.org/10.1000/a",
            "Roe R. B. Ring 2002.",
        ],
    );
    for whole in [
        "Doe, J. (2001). A of it. Ring, 3, 1–9. https://doi.org/10.1000/a Accessed May 12, 2010.",
        "Doe, J. (2001). A of it. Ring, 3, 1–9. doi:10.1000/a PMID: 23903748; PMCID: PMC3548812",
        "Doe, J. (2001). A of it. Ring, 3, 1–9. https://example.org/a Retrieved May 2001 from Ring.",
        "Doe, J. (2001). Review of Rings by R. Roe. Ring, 3, 1–9. https://doi.org/10.1000/a [Correction in Ring, 4 (2002), 5]",
    ] {
        check(whole, &[whole]);
    }
}

#[test]
fn marks_of_every_form_begin_references() {
    let (a, b, c) = (
        "Doe J. A of it. Ring 2001;1:2.",
        "Roe R. B of it. Ring 2002;3:4.",
        "Poe E. C of it. Ring 2003;5:6.",
    );
    let list = |marks: [&str; 3]| format!("{}{a}\n{}{b}\n{}{c}", marks[0], marks[1], marks[2]);
    for marks in [
        ["● ", "● ", "● "],
        ["→ ", "→ ", "→ "],
        ["a) ", "b) ", "c) "],
        ["(a) ", "(b) ", "(c) "],
        ["(i) ", "(ii) ", "(iii) "],
        ["iv) ", "v) ", "vi) "],
        ["［1］", "［2］", "［3］"],
        ["【1】", "【2】", "【3】"],
        ["① ", "② ", "③ "],
        ["1. ", "1. ", "1. "],
        ["9. ", "8. ", "7. "],
        ["[12] ", "[5] ", "[33] "],
        ["[Doe01] ", "[Roe02] ", "[Poe03] "],
        ["1\t", "2\t", "3\t"],
        ["[1]\n", "[2]\n", "[3]\n"],
    ] {
        check(&list(marks), &[a, b, c]);
    }
    check(
        "(1) (a) Doe, J. J. Ring 2001, 1, 2. (b) Roe, R. Ring 2002, 3, 4; (c) Poe, E. Ring 2003, 5.\n(2) Moe, M. Ring 2004, 6.",
        &[
            "Doe, J. J. Ring 2001, 1, 2.",
            "Roe, R. Ring 2002, 3, 4;",
            "Poe, E. Ring 2003, 5.",
            "Moe, M. Ring 2004, 6.",
        ],
    );
    check(
        "\\begin{thebibliography}{9}\n\\bibitem{doe} J.~Doe, {\\em A of it}, Ring \\textbf{1} (2001), 2--3.\n\n\\bibitem[Roe(2002)]{roe}\nR. R\\\"oe,\n\\newblock B of it. Ring, 2002.\n\\end{thebibliography}",
        &[
            "J. Doe, A of it, Ring 1 (2001), 2–3.",
            "R. Roe, B of it. Ring, 2002.",
        ],
    );
}

#[test]
fn numbers_run_on() {
    check(
        "1. Watson JD, Crick FHC. Structure of it. Nature. 1953;171:737–\n738. doi:10.1038/171737a0\n2. Doe J. A of it. Ring. 2004–\n2005. 7 p.\n3. Roe R. B of it. Ring. 2002;9:10–\n12. Springer.\n4. Poe E. C of it. 2003.",
        &[
            "Watson JD, Crick FHC. Structure of it. Nature. 1953;171:737–738. doi:10.1038/171737a0",
            "Doe J. A of it. Ring. 2004–2005. 7 p.",
            "Roe R. B of it. Ring. 2002;9:10–12. Springer.",
            "Poe E. C of it. 2003.",
        ],
    );
    check(
        "1. Doe J. A 2001.\n2. Roe R. B 2002.\n4. Poe E. C 2003.",
        &["Doe J. A 2001.", "Roe R. B 2002.", "Poe E. C 2003."],
    );
    check_around(
        "Articles\n1. Doe J. A 2001.\n2. Roe R. B 2002.\nBooks\n1. Poe E. C 2003.\n2. Moe M. D 2004.",
        &[
            "Doe J. A 2001.",
            "Roe R. B 2002.",
            "Poe E. C 2003.",
            "Moe M. D 2004.",
        ],
        &["Articles", "Books"],
    );
}

#[test]
fn a_line_each() {
    let check_lines = |lines: &[&str]| {
        check(&lines.join("\n"), lines);
        check(&lines.join("\r\n"), lines);
    };
    check_lines(&[
        "https://doi.org/10.1038/171737a0",
        "https://doi.org/10.1038/nature14539",
    ]);
    check_lines(&[
        "doi:10.1038/171737a0",
        "doi: 10.1038/nature14539",
        "10.1000/x",
    ]);
    check_lines(&[
        "https://doi.org/10.1038/171737a0",
        "10.1038/nature14539",
        "arXiv:1706.03762",
        "https://example.org/page",
        "doi:10.1000/x",
    ]);
    check_lines(&[
        "Deep learning",
        "Attention is all you need",
        "Molecular structure of nucleic acids",
    ]);
    check_lines(&["Molecular structure of nucleic acids", "Deep learning"]);
    check_lines(&[
        "Kahneman, Thinking, fast and slow",
        "Gawande, Being mortal",
        "LeCun, Deep learning",
    ]);
    check_lines(&[
        "LeCun Deep learning Nature 2015",
        "Watson Crick Molecular structure 1953",
    ]);
    check_lines(&[LBH, BOOK, QUINT]);
    let ends = ["\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}"];
    for end in ends {
        check(&[LBH, BOOK, QUINT].join(end), &[LBH, BOOK, QUINT]);
    }
    check(
        "Watson JD, Crick FHC\nMolecular structure of nucleic acids\nNature 1953;171:737-8",
        &["Watson JD, Crick FHC Molecular structure of nucleic acids Nature 1953;171:737-8"],
    );
    check(
        "Watson JD, Crick FHC. Molecular structure of\nNucleic Acids. Nature\n1953;171:737",
        &["Watson JD, Crick FHC. Molecular structure of Nucleic Acids. Nature 1953;171:737"],
    );
    check(
        "Doe, J. (2001). A of it. Ring, 3, 1–9.\nhttps://doi.org/10.1000/a\nRoe, R. (2002). B of it. Ring, 4, 1–9.\nhttps://doi.org/10.1000/b",
        &[
            "Doe, J. (2001). A of it. Ring, 3, 1–9. https://doi.org/10.1000/a",
            "Roe, R. (2002). B of it. Ring, 4, 1–9. https://doi.org/10.1000/b",
        ],
    );
}

#[test]
fn identifiers_stand_between_references() {
    let check_lines = |lines: &[&str]| check(&lines.join("\n"), lines);
    check_lines(&[QUINT, "10.1038/nature14539", "9780374275631"]);
    check_lines(&[
        QUINT,
        "https://doi.org/10.1038/nature14539",
        "ISBN 978-0-374-27563-1",
    ]);
    check_lines(&[QUINT, "10.1038/nature14539", BOOK]);
    check_lines(&[QUINT, BOOK, "23903748", "1706.03762"]);
    check_lines(&[
        "10.1038/nature14539",
        QUINT,
        "10.1038/171737a0",
        "PMC3548812",
    ]);
    check_lines(&[LBH, "10.1038/171737a0"]);
    check(
        &format!("{QUINT}\n10.1000/a\n{BOOK}\nISBN 978-0-374-27563-1"),
        &[
            &format!("{QUINT} 10.1000/a"),
            &format!("{BOOK} ISBN 978-0-374-27563-1"),
        ],
    );
    check(
        &format!("{QUINT}\ndoi:10.1000/a\nPMID: 23903748\n{BOOK}"),
        &[&format!("{QUINT} doi:10.1000/a PMID: 23903748"), BOOK],
    );
}

#[test]
fn link_below_a_reference_is_an_item_of_its_own() {
    const LINK: &str = "https://www.theguardian.com/world/2019/may/03/tax-records";
    let check_lines = |lines: &[&str]| check(&lines.join("\n"), lines);
    check_lines(&[QUINT, LINK]);
    check_lines(&[QUINT, LINK, "ISBN 978-0-374-27563-1"]);
    check_lines(&[QUINT, LINK, "9780374275631"]);
    check_lines(&[QUINT, LINK, BOOK]);
    check_lines(&[QUINT, BOOK, LINK, LBH]);
    check_lines(&[QUINT, LINK, "https://example.org/a"]);
    check_lines(&[QUINT, "www.example.org/a"]);
    check(
        &format!("{QUINT}\nhttps://doi.org/10.1000/a\n{LINK}"),
        &[&format!("{QUINT} https://doi.org/10.1000/a"), LINK],
    );
}

#[test]
fn link_belongs_to_the_reference_above_where_links_are_regular_or_announced() {
    let one = "https://example.org/one";
    let two = "https://example.org/two";
    let (quint, book) = (format!("{QUINT} {one}"), format!("{BOOK} {two}"));
    check(&format!("{QUINT}\n{one}\n{BOOK}\n{two}"), &[&quint, &book]);
    check(
        &format!("{QUINT}\n{one}\n\n{BOOK}\n{two}"),
        &[&quint, &book],
    );
    // Blank lines separate the references.
    check(&format!("{QUINT}\n{one}\n\n{BOOK}"), &[&quint, BOOK]);
    // The place of a work without pages.
    let page = "Kahneman, D. (2011, May 3). How slowly we think. The Guardian.";
    check(&format!("{page}\n{one}"), &[&format!("{page} {one}")]);
    for label in [
        "URL: ",
        "URL ",
        "Available at: ",
        "Available at:\n",
        "Retrieved from ",
        "Retrieved from\n",
        "Retrieved 3 May 2019, from ",
    ] {
        let announced = format!("{QUINT}\n{label}{one}");
        check(&announced, &[&announced.replace('\n', " ")]);
        check(
            &format!("{announced}\n{BOOK}"),
            &[&announced.replace('\n', " "), BOOK],
        );
    }
}

#[test]
fn identifiers_on_one_line_are_parted() {
    check(
        "10.1038/nature14539, 10.1038/171737a0 9780374275631",
        &["10.1038/nature14539,", "10.1038/171737a0", "9780374275631"],
    );
    check(
        &format!("{QUINT}\n\nPMID: 23903748; PMID 23903749 and doi: 10.1000/a\n{BOOK}"),
        &[
            QUINT,
            "PMID: 23903748;",
            "PMID 23903749 and",
            "doi: 10.1000/a",
            BOOK,
        ],
    );
    check("10.1000/a 2 of it", &["10.1000/a 2 of it"]);
}

#[test]
fn headings_part_what_they_stand_between() {
    let other = "Gawande, A. (2014). Being mortal. Metropolitan Books.";
    check_around(
        &format!("Primary works\n{BOOK}\nSecondary works\n{other}\n{LBH}"),
        &[BOOK, other, LBH],
        &["Primary works", "Secondary works"],
    );
    check_around(
        &format!("Primary sources\n{BOOK}\nSecondary sources\n{other}\n{LBH}"),
        &[BOOK, other, LBH],
        &[],
    );
    check(
        "参考文献：\n1. 王小明. 标题. 北京, 2001.\n2. 李华. 书名. 上海, 2002.",
        &["王小明. 标题. 北京, 2001.", "李华. 书名. 上海, 2002."],
    );
}

#[test]
fn text_around_a_list_is_left_out_and_listed() {
    let (a, b) = (
        "Doe J. A of it. Ring 2001;1:2.",
        "Roe R. B of it. Ring 2002;3:4.",
    );
    check_around(
        &format!("Works we consulted for this chapter\n1. {a}\n2. {b}"),
        &[a, b],
        &["Works we consulted for this chapter"],
    );
    check_around(
        &format!("The following works were used.\n\n{LBH}\n\n{BOOK}"),
        &[LBH, BOOK],
        &["The following works were used."],
    );
    check_around(
        &format!(
            "1. {a}\n\nA Handbook of Rings 17\n\nReferences (continued)\n2. Roe R. B of\n\nA Handbook of Rings 18\n\nit. Ring 2002;3:4.\n\nAppendix A. The survey\nWe asked 312 people in 2015 what they read.\n\nTable A1. Means (N = 312)\n"
        ),
        &[a, b],
        &[
            "A Handbook of Rings 17",
            "A Handbook of Rings 18",
            "Appendix A. The survey",
            "We asked 312 people in 2015 what they read.",
            "Table A1. Means (N = 312)",
        ],
    );
    check_around(
        &format!(
            "References\n{LBH}\n{BOOK}\n\nAppendix A. The survey\nWe asked 312 people in 2015.\n"
        ),
        &[LBH, BOOK],
        &["Appendix A. The survey", "We asked 312 people in 2015."],
    );
    // A possible reference is kept anywhere.
    check(
        &format!("{BOOK}\n\n1. {a}\n2. {b}\n\n{QUINT}"),
        &[BOOK, a, b, QUINT],
    );
    check(
        "1. Doe J. A of it. 2001.\n2. Beowulf.\n3. Roe R. B. 2002.",
        &["Doe J. A of it. 2001.", "Beowulf.", "Roe R. B. 2002."],
    );
    check(
        "Box, G. E. P. (1976). Science and statistics.\nTable, A. (2001). Rings. Ring.",
        &[
            "Box, G. E. P. (1976). Science and statistics.",
            "Table, A. (2001). Rings. Ring.",
        ],
    );
}

#[test]
fn a_remark_in_small_letters_is_no_end_of_the_reference_above() {
    let turing = "Turing AM. Computing machinery and intelligence. Mind. 1950;59:433-460.";
    let shannon = "Shannon CE. A mathematical theory of communication. BSTJ. 1948;27:379-423.";
    let lines = [
        "10.1038/171737a0",
        turing,
        "blorp wibble see you soon",
        shannon,
    ];
    check_around(
        &lines.join("\n"),
        &[lines[0], turing, shannon],
        &["blorp wibble see you soon"],
    );
    // A title broken behind an abbreviation continues.
    check(
        "Roe J, Doe A. Effects of imagined salts on Escher.\ncoli in water. Shore. 2001;4:1-9.",
        &["Roe J, Doe A. Effects of imagined salts on Escher. coli in water. Shore. 2001;4:1-9."],
    );
}

#[test]
fn why_a_line_is_left_out_is_told() {
    let text = format!("We cite these works.\n\n[1] {LBH}\n\n17\n\n[2] {BOOK}\n\nTable 1. Means\n");
    let reasons: Vec<Reason> = split(&text)
        .left_out
        .iter()
        .map(|line| line.reason)
        .collect();
    assert_eq!(reasons, [Reason::Around, Reason::Page, Reason::Caption]);
}

#[test]
fn a_blank_line_in_a_marked_reference_is_passed_over() {
    check(
        "1. Doe J. A title of it.\n\nRing. 2001;3:4.\n\n2. Roe, R. (2002). B of it.\n\nRing World, 12(3), 45–67.\n\ndoi:10.1000/b",
        &[
            "Doe J. A title of it. Ring. 2001;3:4.",
            "Roe, R. (2002). B of it. Ring World, 12(3), 45–67. doi:10.1000/b",
        ],
    );
}

#[test]
fn a_broken_doi_is_put_together() {
    check(
        "Ioannidis JPA. Why most published research findings are false. PLoS Med. 2005;2:e124. doi:10.1371/journal.\npmed.0020124",
        &[
            "Ioannidis JPA. Why most published research findings are false. PLoS Med. 2005;2:e124. doi:10.1371/journal.pmed.0020124",
        ],
    );
}

#[test]
fn places_tell_references_apart() {
    let text = format!("Référence\n\n  [1] {LBH} {QUINT}\r[2] {BOOK}");
    let found = split(&text).pieces;
    let places: Vec<(usize, usize)> = found
        .iter()
        .map(|p| (p.place.line, p.place.column))
        .collect();
    let second = 3 + "[1] ".len() + LBH.chars().count() + 1;
    assert_eq!(places, [(3, 3), (3, second), (4, 1)]);
    assert_eq!(shown(&text, &found[0].place), format!("[1] {LBH}"));
    assert_eq!(shown(&text, &found[1].place), QUINT);
}

#[test]
fn hostile_text_is_read_in_time() {
    for piece in [
        "1. A 1. A (2001) ",
        "[1] ",
        "(a) ",
        "1\n",
        "Doe, J. (2001). ",
        "— ",
        "10.1000/a A",
        "\u{85}①",
    ] {
        let text = piece.repeat(6_000 / piece.len());
        assert!(split(&text).pieces.len() <= MAX_PIECES);
    }
}

/// Checks that the steps grow no faster than the text.
fn check_growth(text: impl Fn(usize) -> String) {
    let steps = |n: usize| {
        let budget = Budget::unlimited();
        super::split(&text(n), &budget).unwrap();
        budget.steps()
    };
    let (one, ten, hundred) = (steps(20), steps(200), steps(2_000));
    let shown = text(2);
    // A short text is smaller than the lookback before a position.
    assert!(ten <= 60 * one, "{shown:?}: {one}, {ten}");
    assert!(hundred <= 13 * ten, "{shown:?}: {ten}, {hundred}");
}

#[test]
fn work_grows_with_the_text_and_no_faster() {
    for piece in [
        "a-\n",
        "https://\n",
        "1.\n2.\n",
        "a)\n",
        "Fig. 1\n",
        "Jan 2001 ",
        "XIV(1) ",
        "[1] Doe J. T. 2001. ",
        "Doe, J. (2001). Title of it. Ring 1, 2-3.\n",
        "— ",
        "A. ",
    ] {
        check_growth(|n| piece.repeat(n));
    }
    // One long reference under a number, followed by lines.
    check_growth(|n| format!("1. Doe J. {}\n{}", "Title ".repeat(n), "a\n".repeat(n)));
    check_growth(|n| {
        format!(
            "1. Doe J. 2001 {}\n{}",
            "Title ".repeat(n),
            "\n1:2\n".repeat(n)
        )
    });
}

#[test]
fn split_stops_where_the_budget_ends() {
    let text = format!("1. {}\n{}", "x ".repeat(200_000), "a\n".repeat(300_000));
    let limit = 1_000_000;
    let budget = Budget::new(limit, u64::MAX);
    assert_eq!(super::split(&text, &budget), Err(Exceeded::Steps { limit }));
    let blank = "\n".repeat(100_000);
    let limit = 1_000_000;
    let budget = Budget::new(u64::MAX, limit);
    assert_eq!(
        super::split(&blank, &budget),
        Err(Exceeded::Bytes { limit })
    );
}

#[test]
fn lines_left_out_are_listed_up_to_a_limit() {
    let text = format!(
        "1. Doe J. A. 2001.\n2. Roe R. B. 2002.\n{}",
        "\nFigure 1\n".repeat(1_500)
    );
    let found = split(&text);
    assert_eq!(found.pieces.len(), 2);
    assert_eq!(found.left_out.len(), MAX_LEFT_OUT);
    assert_eq!(found.more_left_out, 500);
}

#[test]
fn references_behind_the_limit_are_told_of() {
    let text = "• Doe J. A. 2001.\n".repeat(MAX_PIECES + 1);
    let found = split(&text);
    assert_eq!(found.pieces.len(), MAX_PIECES);
    assert!(found.is_cut_off);
}
