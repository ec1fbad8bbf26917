//! Texts that nobody wrote on purpose: cut files, files with stray bytes, and shapes that cost a
//! careless reader its stack or its time. Nothing may panic, and nothing may take longer than in
//! proportion to its size (a reader that does would not come to an end here).

use citation_exchange::{Format, WriteOptions, decode, read, write};

use super::corpus;

/// A small generator with a fixed seed, so that every run is the same (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Reads bytes and, if asked, writes what was read in every format.
fn survive(bytes: &[u8], format: Format, written: bool) {
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
    for format in Format::ALL {
        write(&items, format, &options);
    }
}

/// Cuts of each file, and files with stray bytes made of each.
const CUTS: usize = 50;
const STRAYS: usize = 20;

/// How much of a file stands before a cut, in bytes. A program built for speed reads files from
/// their beginning; a slow one reads the last entries before the cut, since entries further off
/// were read without a fault by other tests and have no part in what the cut breaks.
const BEFORE_CUT: usize = if cfg!(debug_assertions) {
    2_000
} else {
    usize::MAX
};

/// How many of the texts are written again too, which takes longer than reading them: one in so
/// many.
const WRITTEN: usize = if cfg!(debug_assertions) { 10 } else { 1 };

/// The largest file that is read as a whole again and again, in bytes.
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

/// Where the entry begins that lies [`BEFORE_CUT`] before a cut.
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
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
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
    let mut random = Random(0x2545_f491_4f6c_dd1d);
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

/// A cut file loses its last entry at most.
#[test]
fn a_cut_file_keeps_the_entries_before_the_cut() {
    for file in small_files()
        .iter()
        .filter(|file| file.format == Format::Bibtex)
    {
        let text = file.text();
        let whole = read(&text, file.format);
        let mut random = Random(0x1234_5678_9abc_def1);
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
    // Enough that a reader of quadratic time does not come to an end, and a recursive one breaks.
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
        survive(text.as_bytes(), Format::Bibtex, true);
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
        survive(text.as_bytes(), Format::Ris, true);
    }
    let json = [
        many("["),
        many("{"),
        many("{\"a\":"),
        many("{\"id\":1,"),
        many("{\"id\":\""),
        many("{} "),
        format!("[{}", many("{\"id\":1,\"title\":[")),
        format!("[{}]", many("7,")),
    ];
    for text in json {
        survive(text.as_bytes(), Format::CslJson, true);
    }
}
