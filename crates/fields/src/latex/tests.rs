//! Conversion of LaTeX.

use super::*;

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(convert(input, LatexMarkup::Title), expected, "{input}");
}

#[track_caller]
fn check_plain(input: &str, expected: &str) {
    assert_eq!(plain(input), expected, "{input}");
}

#[test]
fn blank_lines_and_commands_part_paragraphs() {
    assert_eq!(paragraphs("a\nb\n \n\nc"), ["a\nb\n ", "", "c"]);
    assert_eq!(paragraphs("a\\par b \\parbox{1}"), ["a", " b \\parbox{1}"]);
    assert_eq!(paragraphs("\\{a\n\nb{\n\n}"), ["\\{a\n", "b{\n\n}"]);
}

#[test]
fn accents_in_every_dress() {
    for text in ["\\\"{u}", "{\\\"u}", "{\\\"{u}}", "\\\"u", "\\\" u"] {
        check_plain(text, "ü");
    }
    check_plain("\\'{\\i}", "í");
    check_plain("\\'\\i", "í");
    check_plain("Mat\\'\\ias Mar\\'\\ia E", "Matías María E");
    check_plain("\\textbeta-globin \\textOmega", "β-globin Ω");
    check_plain("\\v{S}afa{\\v r}{\\'\\i}k", "Šafařík");
    check_plain("Ha\\c{c}ek, \\c{c} \\c c", "Haçek, ç ç");
    check_plain("\\'{\\^e}", "ế");
    check_plain("\\~{} \\^{}", "~ ^");
    check_plain(
        "Erd{\\H o}s, \\AA ngstr{\\\"o}m, \\L{}\\'od\\'z",
        "Erdős, Ångström, Łódź",
    );
    check_plain("\\t{oo}", "o\u{361}o");
    check_plain("Stra{\\ss}e \\o re {\\AE}sop \\i", "Straße øre Æsop ı");
}

#[test]
fn characters_and_ligatures() {
    check("50\\% of R\\&D \\#1 a\\_b \\$5", "50% of R&D #1 a_b $5");
    check("1--2 --- ``so'' it's `x'", "1–2 — “so” it's ‘x'");
    check("a~b\\,c\\ d\\\\e", "a\u{a0}b\u{a0}c d e");
    check("{\\textendash} \\textless\\ldots", "– <…");
    check("well- known  \n  text", "well- known text");
    check("\\TeX{} and {\\LaTeX}", "TeX and LaTeX");
}

#[test]
fn markup() {
    check(
        "\\emph{x} \\textbf{y} \\textsc{z}",
        "<i>x</i> <b>y</b> <span style=\"font-variant:small-caps;\">z</span>",
    );
    check("{\\it Homo sapiens} x", "<i>Homo sapiens</i> x");
    check(
        "H\\textsubscript{2}O \\textsuperscript{th}",
        "H<sub>2</sub>O <sup>th</sup>",
    );
    check("\\emph{} \\enquote{q}", "“q”");
    check_plain("\\emph{x} H\\textsubscript{2}O", "x H₂O");
    check("\\url{http://x.org/a_b%20c}", "http://x.org/a_b%20c");
    check("\\href{http://x.org}{here}", "here");
}

#[test]
fn mathematics() {
    check("$E=mc^2$", "E=mc<sup>2</sup>");
    check(
        "$\\alpha$-helix, $x_{10}^{-3}$",
        "α-helix, x<sub>10</sub><sup>−3</sup>",
    );
    check("$90^\\circ$", "90°");
    check("$\\frac{a}{b}$ and $\\frac12$", "a/b and 1/2");
    check(
        "H $\\to$$\\mathrm{b\\bar{b}}$ at $\\sqrt{s}$",
        "H →bb̄ at √s",
    );
    check(
        "$\\overline{M}_{0,n}$ and ${\\cal CP}$",
        "M̅<sub>0,n</sub> and CP",
    );
    check("$\\langle{}00\\overline{1}\\rangle$", "⟨001̅⟩");
    check("$\\varprojlim^1$", "lim<sup>1</sup>");
    check("$a \\not= b$, $\\slashed{D}$", "a ≠ b, D̸");
    check(
        "\\SI{20}{\\celsius}, \\SI[mode=text]{5}{\\milli\\meter\\per\\second}",
        "20\u{a0}°C, 5\u{a0}mm/s",
    );
    check("$\\acute{e}$ \\acute{e}", "é é");
    check("costs $5", "costs $5");
    check("$\\mathrm{H}_2$", "H<sub>2</sub>");
    check("\\ensuremath{\\beta}!", "β!");
}

#[test]
fn braces_protect_where_it_matters() {
    check(
        "The {DNA} of {x} 2{}",
        "The <span class=\"nocase\">DNA</span> of x 2",
    );
    check(
        "{P}aris {\\'E}cole",
        "<span class=\"nocase\">P</span>aris École",
    );
    check("{{The Whole Title}}", "The Whole Title");
    check(
        "The {p53} of caf{é}, {é}cole and {p}53",
        "The <span class=\"nocase\">p53</span> of café, école and p53",
    );
    check("{N}{A}{S}{A}", "<span class=\"nocase\">NASA</span>");
    check(
        "{A} and {B}",
        "<span class=\"nocase\">A</span> and <span class=\"nocase\">B</span>",
    );
    check_plain("The {DNA}", "The DNA");
    // Braces added as a precaution are not markup.
    check(
        "The {mRNA}{} of {pH}{}-{DNA}",
        "The mRNA of pH-<span class=\"nocase\">DNA</span>",
    );
}

#[test]
fn commands_without_text_go() {
    check("el-\\aftergroup\\ignorespaces x", "el-x");
    check_plain("\\foreignlanguage{german}{Das Haus}", "Das Haus");
    check_plain("\\textcyr{Дом} y", "Дом y");
}

#[test]
fn letters_of_unknown_commands_stay() {
    check("x \\unknown", "x unknown");
    check("\\foo{Bar} y", "Bar y");
    check("\\foo{Bar}{Baz} y", "Bar Baz y");
    check("\\foo[b]{}{Baz}", "Baz");
    check(
        "a {\\nbsp}{\\ldquo}b{\\rdquo} {\\lt} {\\amp}",
        "a \u{a0}“b” < &",
    );
    check("a } b { c", "a b c");
    check("\\", "\\");
}

#[test]
fn conditions_give_the_branch_for_text() {
    check("\\ifmmode \\check{C}\\else \\v{C}\\fi{}apek", "Čapek");
    check("$\\ifmmode \\acute{n}\\else \\'{n}\\fi$", "ń");
}

#[test]
fn macros_of_journals_and_letters_of_societies() {
    check("\\apj", "The Astrophysical Journal");
    check("{\\aap}", "Astronomy & Astrophysics");
    check("Franc{\\ocirc{u}} {\\polhk a}", "Franců ą");
    check("Funktsional\\cprime ny\\u{\\i}", "Funktsionalʹnyĭ");
    check("Alpha\\index{beta!gamma} theory", "Alpha theory");
    check("Nguy{\\cftil{e}}n", "Nguyễn");
}

#[test]
fn deep_nesting_is_harmless() {
    let deep = format!("{}X{}", "{".repeat(100_000), "}".repeat(100_000));
    assert_eq!(convert(&deep, LatexMarkup::Rich), "X");
    let accents = "\\'".repeat(100_000);
    assert!(convert(&accents, LatexMarkup::Rich).len() < 400_000);
}

#[test]
fn escaped_braces_protect() {
    let check = |tex: &str, expected: &str| {
        assert_eq!(convert(tex, LatexMarkup::Rich), expected, "{tex}");
    };
    check("The $\\{$ORION$\\}$ rights", "The ORION rights");
    check("{{\\{}S{\\}}imple} models", "Simple models");
    check("with {\\textbraceleft}R{\\textbraceright}: a", "with R: a");
    check("Using \\{\\vphantom\\}{{Web}}\\vphantom\\{\\}", "Using Web");
    check("from $\\{0,1\\}$ to \\{1\\}", "from {0,1} to {1}");
    check("a $\\{$1$\\}$ b", "a {1} b");
}
