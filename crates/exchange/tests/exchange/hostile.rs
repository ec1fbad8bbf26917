//! Truncated files, files with stray bytes, and input that costs a careless reader its stack or time.
//! Nothing may panic or take more than linear time (a quadratic reader would not finish).

use citation_exchange::{BIBTEX, CSL_JSON, Format, RIS, WriteOptions, decode};
use citation_model::budget::{Budget, Exceeded};
use citation_model::variable::{NameVar, TextVar};
use citation_testing::Random;

use super::{read, write};

use super::corpus;

/// Reads bytes and optionally writes the result in every format.
fn survive(bytes: &[u8], format: &Format, written: bool) {
    let (text, _) = decode(bytes);
    let reading = read(&text, format);
    for problem in &reading.problems {
        assert!(problem.line > 0 && problem.column > 0);
        assert!(!problem.code.is_empty() && !problem.message.is_empty());
    }
    if !written {
        return;
    }
    let items: Vec<_> = reading.items.into_iter().map(|read| read.item).collect();
    let options = WriteOptions { latex: true };
    for format in Format::writable() {
        write(&items, format, &options);
    }
}

/// Number of truncations of each file, and of variants with stray bytes.
const CUTS: usize = 50;
const STRAYS: usize = 20;

/// Bytes before a cut that are read. An optimised build reads from the start of the file; a debug build
/// reads only the last entries before the cut, because the cut does not affect earlier ones, which other
/// tests cover.
const BEFORE_CUT: usize = if cfg!(debug_assertions) {
    2_000
} else {
    usize::MAX
};

/// One in this many texts is also written, which takes longer than reading.
const WRITTEN: usize = if cfg!(debug_assertions) { 10 } else { 1 };

/// Maximum size of a file that is read in full repeatedly, in bytes.
const SMALL: usize = if cfg!(debug_assertions) {
    4_000
} else {
    40_000
};

fn small_files() -> Vec<corpus::File> {
    let files = corpus::files().unwrap_or_default();
    let small = files.into_iter();
    small.filter(|file| file.bytes().len() < SMALL).collect()
}

/// The start of the entry [`BEFORE_CUT`] bytes before a cut.
fn entry_before(bytes: &[u8], cut: usize) -> usize {
    let begins = |at: usize| {
        let line_start = at == 0 || bytes.get(at - 1) == Some(&b'\n');
        line_start && matches!(bytes.get(at), Some(b'@' | b'T'))
    };
    let far = cut.saturating_sub(BEFORE_CUT);
    (far..cut).find(|at| begins(*at)).unwrap_or(far)
}

#[test]
fn any_beginning_of_a_file_is_survived() {
    let mut random = Random::new();
    for file in corpus::files().unwrap_or_default() {
        let bytes = file.bytes();
        for n in 0..CUTS {
            let cut = random.below(bytes.len());
            let from = entry_before(&bytes, cut);
            let text = bytes.get(from..cut).unwrap_or_default();
            survive(text, file.format, n % WRITTEN == 0);
        }
    }
}

#[test]
fn stray_bytes_are_survived() {
    const STRAY: &[u8] = b"{}\"@#=,%\\$~^_&()-<>\n\r\x00\xff\xe2";
    let mut random = Random::new();
    for file in small_files() {
        let original = file.bytes();
        for n in 0..STRAYS {
            let mut bytes = original.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                let stray = STRAY[random.below(STRAY.len())];
                match random.below(3) {
                    0 if at < bytes.len() => bytes[at] = stray,
                    1 if at < bytes.len() => drop(bytes.remove(at)),
                    _ => bytes.insert(at, stray),
                }
            }
            survive(&bytes, file.format, n % WRITTEN == 0);
        }
    }
}

/// A truncated file loses at most its last entry.
#[test]
fn a_cut_file_keeps_the_entries_before_the_cut() {
    for file in small_files().iter().filter(|file| file.format == &BIBTEX) {
        let text = file.text();
        let whole = read(&text, file.format);
        let mut random = Random::new();
        for _ in 0..5 {
            let mut end = random.below(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let cut = read(text.get(..end).unwrap_or_default(), file.format);
            let line = text.get(..end).unwrap_or_default().lines().count();
            let before = whole.items.iter().filter(|item| item.line < line).count();
            assert!(
                cut.items.len() + 1 >= before,
                "{} cut at {end}: {} of {before}",
                file.name,
                cut.items.len()
            );
        }
    }
}

#[test]
fn shapes_that_cost_careless_readers_dear() {
    // Enough that a quadratic reader does not finish, and a recursive one overflows.
    const MANY: usize = if cfg!(debug_assertions) {
        8_000
    } else {
        60_000
    };
    let many = |piece: &str| piece.repeat(MANY);
    let entry = |value: &str| format!("@article{{k, title = {{{value}}}}}");
    let bibtex = [
        entry(&format!("{}x{}", many("{"), many("}"))),
        entry(&many("\\'")),
        entry(&many("\\emph{")),
        entry(&many("$")),
        entry(&many("{A}")),
        entry(&many("\\url{")),
        entry(&many("< ")),
        entry(&many("`")),
        many("@a{"),
        many("@a{k,"),
        many("@a{k}"),
        many("@comment{"),
        many("@comment("),
        many("@preamble{"),
        many("@a{k, t={\n y=1} x "),
        format!("@a{{k, x y{}", many("\n")),
        format!("@a{{k, t = {{{}", many("\n")),
        format!("@a{{k, t = \"{}", many("a=\"")),
        entry(&many("\\url{\\emph{")),
        entry(&many("\\it ")),
        format!("@a{{k, issn = {{{}}}}}", many("1234-5679 ")),
        many("@a{k, t = {\n"),
        many("@a{k, t = \"\n"),
        many("@a{k} x "),
        many("@"),
        many("@a{k, t = {x}\n y"),
        format!("@a{{k, {}", many("t = {x}, ")),
        format!("@a{{k, {}", many("t = {x")),
        format!("@a{{k, {}}}", many(",")),
        format!("@a{{k, author = {{{}}}}}", many("A and ")),
        format!("@a{{k, author = \"{}\"}}", many("a b ")),
        format!("@a{{k, author = {{{}}}}}", many("{")),
        format!("@a{{k, keywords = {{{}}}}}", many("k, ")),
        format!("@a{{k, t = {}}}", many("a # ")),
        (0..MANY)
            .map(|n| format!("@a{{k{n}, crossref = {{k{}}}}}", n + 1))
            .collect(),
        (0..2_000)
            .map(|n| format!("@string{{s{} = s{n} # s{n} # \"x\"}}", n + 1))
            .collect::<String>()
            + "@a{k, t = s1999 # s1999}",
        format!(
            "@book{{p, note = {{{}}}}}{}",
            "x".repeat(MANY),
            "@inbook{c, crossref = {p}}".repeat(3_000)
        ),
    ];
    for text in bibtex {
        survive(text.as_bytes(), &BIBTEX, true);
    }
    let ris = [
        many("TY  - JOUR\n"),
        many("ER  - \n"),
        many("TY  - JOUR\nER  - TY  - JOUR\n"),
        format!("TY  - JOUR\n{}", many("AU  - A, B\n")),
        format!("TY  - JOUR\n{}", many("KW  - a\n")),
        format!("TY  - JOUR\n{}", many("U9  - a\n")),
        format!("TY  - JOUR\nAB  - {}", many("a\n")),
        format!("TY  - JOUR\nSN  - {}", many("1 ")),
    ];
    for text in ris {
        survive(text.as_bytes(), &RIS, true);
    }
    let json = [
        many("["),
        many("{"),
        many("{\"a\":"),
        many("{\"id\":1,"),
        many("{\"id\":\""),
        many("{} "),
        format!("[{{\"id\":1,\"issued\":{}", many("{\"date-parts\":[")),
        format!("[{}", many("{\"id\":1,\"title\":[")),
        format!("[{}]", many("7,")),
    ];
    for text in json {
        survive(text.as_bytes(), &CSL_JSON, true);
    }
}

/// The steps spent on reading.
fn steps(text: &str, format: &Format) -> u64 {
    let budget = Budget::unlimited();
    citation_exchange::read(&text.into(), format, &budget).unwrap();
    budget.steps()
}

/// Ten times the input costs about ten times the work.
#[track_caller]
fn check_growth(format: &Format, text: impl Fn(usize) -> String) {
    let [small, middle, large] = [100, 1_000, 10_000].map(|n| steps(&text(n), format));
    assert!(middle <= small * 12, "{small}, {middle}");
    assert!(large <= middle * 12, "{middle}, {large}");
}

#[test]
fn steps_grow_with_the_text() {
    let xdata: String = (0..500).map(|n| format!("a{n} = {{x}}, ")).collect();
    check_growth(&BIBTEX, |n| {
        format!(
            "@xdata{{x, {xdata}}}@misc{{k, xdata = {{{}}}}}",
            "x,".repeat(n * 30)
        )
    });
    check_growth(&BIBTEX, |n| {
        format!("@misc{{k, xdata={{{}}}}}", "z,".repeat(n))
    });
    check_growth(&BIBTEX, |n| {
        (0..n)
            .map(|at| format!("@book{{k{at}, crossref = {{k{}}}}}", (at + 1) % n))
            .collect()
    });
    check_growth(&BIBTEX, |n| {
        format!("@misc{{k, title = {{{}", "{".repeat(n))
    });
    check_growth(&BIBTEX, |n| {
        format!("@misc{{k, author = {{{}}}}}", "a and ".repeat(n))
    });
    check_growth(&RIS, |n| format!("TY  - JOUR\n{}", "AU  - a\n".repeat(n)));
    check_growth(&CSL_JSON, |n| format!("[{}]", "{\"id\":\"a\"},".repeat(n)));
}

/// Entries of 20 bytes that each inherit 500 fields multiply the work; the budget stops it.
#[test]
fn inheritance_by_product_is_refused() {
    let xdata: String = (0..500).map(|n| format!("a{n} = {{x}}, ")).collect();
    let heirs = "@misc{,xdata={x}}\n".repeat(5_000);
    let text = format!("@xdata{{x, {xdata}}}{heirs}");
    let budget = Budget::new(20_000_000, 16 << 20);
    let exceeded = citation_exchange::read(&text.as_str().into(), &BIBTEX, &budget);
    assert_eq!(exceeded, Err(Exceeded::Bytes { limit: 16 << 20 }));
}

#[test]
fn joined_strings_are_bounded_by_the_budget() {
    let strings: String = (0..40)
        .map(|n| format!("@string{{s{} = s{n} # s{n}}}", n + 1))
        .collect();
    let uses = "@a{k, t = s40 # s40}".repeat(1_000);
    let text = format!("@string{{s0 = {{{}}}}}{strings}{uses}", "x".repeat(1_000));
    let budget = Budget::new(20_000_000, 4 << 20);
    let exceeded = citation_exchange::read(&text.as_str().into(), &BIBTEX, &budget);
    assert_eq!(exceeded, Err(Exceeded::Bytes { limit: 4 << 20 }));
}

#[test]
fn names_behind_the_first_5000_are_cut_and_told() {
    let json = format!(
        "[{{\"id\":\"k\",\"author\":[{}{{}}]}}]",
        "{\"family\":\"a\"},".repeat(5_999)
    );
    let ris: String = (0..6_000).map(|n| format!("AU  - A, B{n}\n")).collect();
    let list: String = (0..5_999).map(|n| format!("a{n} and ")).collect();
    for (format, text) in [
        (&BIBTEX, format!("@a{{k, author = {{{list}b}}}}")),
        (&RIS, format!("TY  - BOOK\n{ris}ER  - \n")),
        (&CSL_JSON, json),
    ] {
        let reading = read(&text, format);
        let item = &reading.items[0].item;
        assert_eq!(item.names(NameVar::Author).len(), 5_000, "{}", format.id);
        assert_eq!(reading.problems[0].code, "too_many_names");
    }
}

/// The first of many problems are listed, per record and per text, with the number of the others.
#[test]
fn problems_are_capped_with_the_number_of_the_others() {
    let keys: String = (0..90).map(|n| format!("z{n},")).collect();
    let reading = read(&format!("@misc{{k, xdata={{{keys}}}}}"), &BIBTEX);
    assert_eq!(reading.problems.len(), 21);
    let told = |message: &str| reading.problems.iter().any(|p| p.message.contains(message));
    assert!(
        told("70 more problems here are not listed."),
        "{:?}",
        reading.problems
    );
    for (format, text) in [
        (&BIBTEX, "@misc{k}\n".repeat(5_000)),
        (&RIS, "TY  - BOOK\nER  - \n".repeat(5_000)),
        (&CSL_JSON, "{}\n".repeat(5_000)),
    ] {
        let reading = read(&text, format);
        assert_eq!(reading.problems.len(), 1_001, "{}", format.id);
        assert_eq!(reading.items.len(), 5_000);
        let last = &reading.problems[1_000];
        assert_eq!(last.code, "more_problems");
    }
    let lost = read(&"7\n".repeat(5_000), &CSL_JSON);
    assert_eq!((lost.total, lost.problems.len()), (5_000, 1_001));
    assert!(lost.problems[1_000].message.starts_with("4000 more"));
}

/// Every reader and writer stays within a small stack at any depth, including dropping the result.
#[test]
fn depth_takes_no_stack() {
    let deep = |open: &str, close: &str, n| format!("{}x{}", open.repeat(n), close.repeat(n));
    let json = |depth: usize| {
        let value = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        format!("[{{\"id\":\"a\",\"x\":{value},\"author\":{value},\"title\":{value}}}]")
    };
    let texts = [
        (
            &BIBTEX,
            format!("@a{{k, title = {{{}}}}}", deep("{", "}", 100_000)),
        ),
        (
            &BIBTEX,
            format!("@a{{k, title = {{{}}}}}", deep("\\emph{", "}", 100_000)),
        ),
        (
            &BIBTEX,
            format!("@a{{k, note = {{{}}}}}", deep("{\\it ", "}", 100_000)),
        ),
        (
            &BIBTEX,
            format!("@a{{k, title = {{{}}}}}", deep("<i>", "</i>", 100_000)),
        ),
        (&CSL_JSON, json(60)),
        (&CSL_JSON, json(120)),
        (&CSL_JSON, json(100_000)),
    ];
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    let run = move || {
        for (format, text) in texts {
            survive(text.as_bytes(), format, true);
        }
    };
    thread.spawn(run).unwrap().join().unwrap();
}

#[test]
fn groups_deeper_than_any_text_keep_their_text() {
    let title = format!("{}x{} y", "\\emph{".repeat(1_000), "}".repeat(1_000));
    let reading = read(&format!("@a{{k, title = {{{title}}}}}"), &BIBTEX);
    let title = reading.items[0].item.text(TextVar::Title).unwrap();
    assert_eq!(title.matches("<i>").count(), 50);
    assert_eq!(title.matches("</i>").count(), 50);
    assert!(title.ends_with(" y") && title.contains('x'), "{title}");
}

/// The messy files of real programs: about 4,000 entries.
#[test]
fn honest_files_spend_little() {
    let (mut entries, mut steps, mut most) = (0, 0, 0);
    for file in corpus::files().unwrap_or_default() {
        let budget = Budget::new(20_000_000, 128 << 20);
        let reading = citation_exchange::read(&file.text().as_str().into(), file.format, &budget);
        entries += reading.expect("within the budget").items.len();
        steps += budget.steps();
        most = most.max(budget.steps());
    }
    println!("{entries} entries: {steps} steps, {most} for the largest file");
    assert!(steps < 4_000_000, "{steps} steps for {entries} entries");
}
