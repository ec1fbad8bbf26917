//! Text and formulas for TeX. A text has no active character; a formula or a value that stays LaTeX has only
//! commands of the lists below, which print something and do nothing else.

/// The LaTeX that prints a character which is active in TeX; `None` for every other one.
pub fn escaped(c: char) -> Option<&'static str> {
    Some(match c {
        '\\' => "\\textbackslash{}",
        '{' => "\\{",
        '}' => "\\}",
        '$' => "\\$",
        '&' => "\\&",
        '#' => "\\#",
        '%' => "\\%",
        '_' => "\\_",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        _ => return None,
    })
}

/// Writes the address of `\href`, whose argument is read as text: what is active there stands as percent-encoded
/// bytes, where it can.
pub fn push_address(address: &str, out: &mut String) {
    for c in address.chars() {
        match c {
            '\\' => out.push_str("\\%5C"),
            '^' => out.push_str("\\%5E"),
            '{' => out.push_str("\\%7B"),
            '}' => out.push_str("\\%7D"),
            '$' => out.push_str("\\%24"),
            // A shorthand of several languages of babel.
            '"' => out.push_str("\\%22"),
            '%' | '#' | '&' | '_' | '~' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
}

/// One token of a value that TeX reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A control sequence without its backslash: letters, or one other character. Empty at the end of the text.
    Command(&'t str),
    /// `^^`, which TeX replaces by another character before it reads on: `^^5c` is a backslash.
    Notation,
    Character(char),
}

/// The tokens of a text.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let (token, length) = match c {
            '^' if after.starts_with('^') => (Token::Notation, 2),
            '\\' => {
                let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
                let other = after.chars().next().map_or(0, char::len_utf8);
                let length = if letters > 0 { letters } else { other };
                let name = after.get(..length).unwrap_or_default();
                (Token::Command(name), 1 + length)
            }
            _ => (Token::Character(c), c.len_utf8()),
        };
        rest = rest.get(length..).unwrap_or_default();
        Some(token)
    })
}

/// Whether LaTeX has only commands of the lists, and groups that are closed within it.
pub fn is_inert(latex: &str) -> bool {
    // `^` behind a backslash is a command, which would hide the notation.
    if latex.contains("^^") {
        return false;
    }
    let mut depth = 0_usize;
    for token in tokens(latex) {
        match token {
            Token::Command("begin" | "end") | Token::Notation => return false,
            Token::Command(name) if !is_listed(name) => return false,
            Token::Character('{') => depth += 1,
            Token::Character('}') if depth == 0 => return false,
            Token::Character('}') => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Whether the inside of a formula has only commands of the lists, environments of mathematics, and neither a
/// comment nor a parameter.
pub fn is_inert_formula(latex: &str) -> bool {
    let is_sign = |token| matches!(token, Token::Character('%' | '#' | '~'));
    if tokens(latex).any(is_sign) {
        return false;
    }
    if latex.contains("\\begin") {
        without_environments(latex).is_some_and(|inner| is_inert(&inner))
    } else {
        is_inert(latex)
    }
}

/// The text without `\begin{matrix}` and `\end{matrix}`; `None` if one is not closed, or not of mathematics.
fn without_environments(latex: &str) -> Option<String> {
    let mut out = String::with_capacity(latex.len());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = latex;
    while let Some(at) = rest.find(['\\']) {
        let (before, command) = rest.split_at(at);
        out.push_str(before);
        let begin = command.strip_prefix("\\begin{");
        let Some(named) = begin.or_else(|| command.strip_prefix("\\end{")) else {
            // A backslash and what follows, so that `\\begin` is a line break and a word.
            let length = command.chars().nth(1).map_or(1, |c| 1 + c.len_utf8());
            let (token, after) = command.split_at(length);
            out.push_str(token);
            rest = after;
            continue;
        };
        let (name, after) = named.split_once('}')?;
        match begin {
            Some(_) => open.push(ENVIRONMENTS.iter().find(|known| **known == name)?),
            None if open.pop() == Some(name) => {}
            None => return None,
        }
        rest = after;
    }
    out.push_str(rest);
    open.is_empty().then_some(out)
}

/// Whether a control sequence only prints something.
pub fn is_listed(name: &str) -> bool {
    LISTS.iter().any(|list| list.contains(&name))
}

/// The lists, by what their commands do. Names are those of LaTeX's kernel and of amsmath and amssymb ("The
/// Comprehensive LaTeX Symbol List", "User's Guide for the amsmath Package"). None of them defines, reads or writes
/// anything, changes the meaning of a character, or takes the name of a macro.
const LISTS: &[&[&str]] = &[
    ESCAPES,
    ACCENTS,
    LETTERS,
    PUNCTUATION,
    FONTS,
    SPACES,
    GREEK,
    ALPHABETS,
    STRUCTURES,
    FUNCTIONS,
    OPERATORS,
    RELATIONS,
    NEGATED,
    ARROWS,
    DELIMITERS,
    SIGNS,
];

/// Characters that have another meaning without a backslash.
const ESCAPES: &[&str] = &[
    "\\",
    "{",
    "}",
    "$",
    "&",
    "#",
    "%",
    "_",
    "textbackslash",
    "textasciitilde",
    "textasciicircum",
    "textasciigrave",
    "textunderscore",
    "textdollar",
    "textbar",
    "textless",
    "textgreater",
    "textbraceleft",
    "textbraceright",
    "textasteriskcentered",
    "slash",
    "backslash",
    "lbrace",
    "rbrace",
];

/// Accents of text and of mathematics.
const ACCENTS: &[&str] = &[
    "`",
    "'",
    "^",
    "~",
    "=",
    "u",
    ".",
    "\"",
    "r",
    "H",
    "v",
    "d",
    "c",
    "k",
    "b",
    "t",
    "textcommabelow",
    "textcommaabove",
    "grave",
    "acute",
    "hat",
    "widehat",
    "tilde",
    "widetilde",
    "bar",
    "breve",
    "dot",
    "ddot",
    "dddot",
    "ddddot",
    "mathring",
    "check",
    "vec",
    "overline",
    "underline",
    "overrightarrow",
    "overleftarrow",
    "overleftrightarrow",
    "underrightarrow",
    "underleftarrow",
    "widecheck",
];

/// Letters.
const LETTERS: &[&str] = &[
    "ss",
    "SS",
    "ae",
    "AE",
    "oe",
    "OE",
    "aa",
    "AA",
    "o",
    "O",
    "l",
    "L",
    "i",
    "j",
    "dh",
    "DH",
    "dj",
    "DJ",
    "ng",
    "NG",
    "th",
    "TH",
    "imath",
    "jmath",
    "hbar",
    "hslash",
    "ell",
    "wp",
    "Re",
    "Im",
    "aleph",
    "beth",
    "gimel",
    "daleth",
    "eth",
    "complement",
    "Bbbk",
    "mho",
    "Finv",
    "Game",
];

/// Punctuation and other signs of text.
const PUNCTUATION: &[&str] = &[
    "S",
    "textsection",
    "P",
    "textparagraph",
    "dag",
    "textdagger",
    "ddag",
    "textdaggerdbl",
    "copyright",
    "textcopyright",
    "textregistered",
    "texttrademark",
    "pounds",
    "textsterling",
    "texteuro",
    "euro",
    "textyen",
    "textcent",
    "ldots",
    "dots",
    "textellipsis",
    "textendash",
    "textemdash",
    "textquoteleft",
    "lq",
    "textquoteright",
    "rq",
    "textquotedblleft",
    "textquotedblright",
    "textquotedbl",
    "textquotesingle",
    "quotesinglbase",
    "quotedblbase",
    "glqq",
    "grqq",
    "guillemotleft",
    "guillemetleft",
    "flqq",
    "guillemotright",
    "guillemetright",
    "frqq",
    "guilsinglleft",
    "guilsinglright",
    "textexclamdown",
    "textquestiondown",
    "textdegree",
    "degree",
    "textmu",
    "micro",
    "textpm",
    "texttimes",
    "textdiv",
    "textonehalf",
    "textonequarter",
    "textthreequarters",
    "textonesuperior",
    "texttwosuperior",
    "textthreesuperior",
    "textordfeminine",
    "textordmasculine",
    "textperiodcentered",
    "textbullet",
    "textnumero",
    "textohm",
    "textnonbreakinghyphen",
    "hyphen",
    "TeX",
    "LaTeX",
];

/// Fonts.
const FONTS: &[&str] = &[
    "emph",
    "textit",
    "textsl",
    "textbf",
    "textsc",
    "texttt",
    "textsf",
    "textrm",
    "textup",
    "textmd",
    "textnormal",
    "textsuperscript",
    "textsubscript",
    "text",
    "mbox",
    "em",
    "it",
    "sl",
    "bf",
    "sc",
    "tt",
    "sf",
    "rm",
    "cal",
    "mathrm",
    "mathit",
    "mathbf",
    "mathsf",
    "mathtt",
    "mathcal",
    "mathbb",
    "mathfrak",
    "mathscr",
    "mathnormal",
    "boldsymbol",
    "bm",
    "pmb",
    "operatorname",
    "displaystyle",
    "textstyle",
    "scriptstyle",
    "scriptscriptstyle",
];

/// Space of a fixed width.
const SPACES: &[&str] = &[
    " ",
    "\n",
    "\t",
    "\r",
    ",",
    ":",
    ";",
    "!",
    ">",
    "/",
    "-",
    "quad",
    "qquad",
    "thinspace",
    "medspace",
    "thickspace",
    "negthinspace",
    "nobreakspace",
    "enspace",
    "space",
];

/// Greek letters.
const GREEK: &[&str] = &[
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "varepsilon",
    "zeta",
    "eta",
    "theta",
    "vartheta",
    "iota",
    "kappa",
    "varkappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "varpi",
    "rho",
    "varrho",
    "sigma",
    "varsigma",
    "tau",
    "upsilon",
    "phi",
    "varphi",
    "chi",
    "psi",
    "omega",
    "digamma",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
    "varGamma",
    "varDelta",
    "varTheta",
    "varLambda",
    "varXi",
    "varPi",
    "varSigma",
    "varUpsilon",
    "varPhi",
    "varPsi",
    "varOmega",
];

/// Sets and other signs that are letters of mathematics.
const ALPHABETS: &[&str] = &[
    "emptyset",
    "varnothing",
    "infty",
    "partial",
    "nabla",
    "forall",
    "exists",
    "nexists",
    "top",
    "bot",
    "angle",
    "measuredangle",
    "sphericalangle",
    "triangle",
    "triangledown",
    "square",
    "Box",
    "blacksquare",
    "Diamond",
    "lozenge",
    "blacklozenge",
    "bigstar",
    "diagup",
    "diagdown",
    "surd",
    "prime",
    "backprime",
    "flat",
    "natural",
    "sharp",
    "clubsuit",
    "diamondsuit",
    "heartsuit",
    "spadesuit",
    "checkmark",
    "maltese",
    "circledR",
    "circledS",
];

/// Fractions, roots, scripts and what stands over or under another formula.
const STRUCTURES: &[&str] = &[
    "frac",
    "dfrac",
    "tfrac",
    "cfrac",
    "binom",
    "dbinom",
    "tbinom",
    "sqrt",
    "root",
    "of",
    "over",
    "choose",
    "atop",
    "stackrel",
    "overset",
    "underset",
    "sideset",
    "overbrace",
    "underbrace",
    "substack",
    "sp",
    "sb",
    "limits",
    "nolimits",
    "not",
    "phantom",
    "vphantom",
    "hphantom",
    "smash",
    "boxed",
    "mathstrut",
    "xrightarrow",
    "xleftarrow",
    "mathord",
    "mathop",
    "mathbin",
    "mathrel",
    "mathopen",
    "mathclose",
    "mathpunct",
    "mathinner",
    "ensuremath",
    "hbox",
    "ce",
];

/// Named functions.
const FUNCTIONS: &[&str] = &[
    "arccos",
    "arcsin",
    "arctan",
    "arg",
    "cos",
    "cosh",
    "cot",
    "coth",
    "csc",
    "deg",
    "det",
    "dim",
    "exp",
    "gcd",
    "hom",
    "inf",
    "injlim",
    "ker",
    "lg",
    "lim",
    "liminf",
    "limsup",
    "ln",
    "log",
    "max",
    "min",
    "Pr",
    "projlim",
    "sec",
    "sin",
    "sinh",
    "sup",
    "tan",
    "tanh",
    "varinjlim",
    "varprojlim",
    "varliminf",
    "varlimsup",
    "bmod",
    "pmod",
    "mod",
    "pod",
];

/// Operators, small and large.
const OPERATORS: &[&str] = &[
    "pm",
    "mp",
    "times",
    "div",
    "cdot",
    "cdotp",
    "ast",
    "star",
    "circ",
    "bullet",
    "cap",
    "cup",
    "uplus",
    "sqcap",
    "sqcup",
    "vee",
    "lor",
    "wedge",
    "land",
    "setminus",
    "smallsetminus",
    "wr",
    "diamond",
    "bigtriangleup",
    "bigtriangledown",
    "triangleleft",
    "triangleright",
    "lhd",
    "rhd",
    "unlhd",
    "unrhd",
    "oplus",
    "ominus",
    "otimes",
    "oslash",
    "odot",
    "bigcirc",
    "dagger",
    "ddagger",
    "amalg",
    "neg",
    "lnot",
    "dotplus",
    "ltimes",
    "rtimes",
    "Cap",
    "Cup",
    "barwedge",
    "veebar",
    "boxminus",
    "boxtimes",
    "boxdot",
    "boxplus",
    "divideontimes",
    "circleddash",
    "circledast",
    "circledcirc",
    "centerdot",
    "intercal",
    "sum",
    "prod",
    "coprod",
    "int",
    "iint",
    "iiint",
    "iiiint",
    "idotsint",
    "oint",
    "bigcap",
    "bigcup",
    "bigsqcup",
    "bigvee",
    "bigwedge",
    "bigodot",
    "bigotimes",
    "bigoplus",
    "biguplus",
];

/// Relations.
const RELATIONS: &[&str] = &[
    "le",
    "leq",
    "ge",
    "geq",
    "ne",
    "neq",
    "equiv",
    "sim",
    "simeq",
    "approx",
    "cong",
    "doteq",
    "propto",
    "ll",
    "gg",
    "lll",
    "ggg",
    "prec",
    "succ",
    "preceq",
    "succeq",
    "subset",
    "supset",
    "subseteq",
    "supseteq",
    "sqsubset",
    "sqsupset",
    "sqsubseteq",
    "sqsupseteq",
    "in",
    "ni",
    "owns",
    "notin",
    "vdash",
    "dashv",
    "models",
    "perp",
    "mid",
    "parallel",
    "bowtie",
    "Join",
    "smile",
    "frown",
    "asymp",
    "leqslant",
    "geqslant",
    "leqq",
    "geqq",
    "lesssim",
    "gtrsim",
    "lessapprox",
    "gtrapprox",
    "lessgtr",
    "gtrless",
    "lesseqgtr",
    "gtreqless",
    "approxeq",
    "thicksim",
    "thickapprox",
    "backsim",
    "backsimeq",
    "subseteqq",
    "supseteqq",
    "Subset",
    "Supset",
    "preccurlyeq",
    "succcurlyeq",
    "precsim",
    "succsim",
    "trianglelefteq",
    "trianglerighteq",
    "vartriangle",
    "vartriangleleft",
    "vartriangleright",
    "vDash",
    "Vdash",
    "Vvdash",
    "shortmid",
    "shortparallel",
    "smallsmile",
    "smallfrown",
    "bumpeq",
    "Bumpeq",
    "circeq",
    "eqcirc",
    "triangleq",
    "doteqdot",
    "risingdotseq",
    "fallingdotseq",
    "pitchfork",
    "between",
    "varpropto",
    "because",
    "therefore",
    "colon",
];

/// Negated relations.
const NEGATED: &[&str] = &[
    "nless",
    "ngtr",
    "nleq",
    "ngeq",
    "nleqslant",
    "ngeqslant",
    "lneq",
    "gneq",
    "lneqq",
    "gneqq",
    "nprec",
    "nsucc",
    "npreceq",
    "nsucceq",
    "nsim",
    "ncong",
    "nmid",
    "nparallel",
    "nshortmid",
    "nshortparallel",
    "nvdash",
    "nVdash",
    "nvDash",
    "nVDash",
    "nsubseteq",
    "nsupseteq",
    "subsetneq",
    "supsetneq",
    "subsetneqq",
    "supsetneqq",
    "ntriangleleft",
    "ntriangleright",
    "ntrianglelefteq",
    "ntrianglerighteq",
];

/// Arrows.
const ARROWS: &[&str] = &[
    "leftarrow",
    "gets",
    "rightarrow",
    "to",
    "leftrightarrow",
    "Leftarrow",
    "Rightarrow",
    "Leftrightarrow",
    "longleftarrow",
    "longrightarrow",
    "longleftrightarrow",
    "Longleftarrow",
    "Longrightarrow",
    "Longleftrightarrow",
    "implies",
    "impliedby",
    "iff",
    "mapsto",
    "longmapsto",
    "hookleftarrow",
    "hookrightarrow",
    "leftharpoonup",
    "leftharpoondown",
    "rightharpoonup",
    "rightharpoondown",
    "rightleftharpoons",
    "leftrightharpoons",
    "leadsto",
    "uparrow",
    "downarrow",
    "updownarrow",
    "Uparrow",
    "Downarrow",
    "Updownarrow",
    "nearrow",
    "searrow",
    "swarrow",
    "nwarrow",
    "leftleftarrows",
    "rightrightarrows",
    "leftrightarrows",
    "rightleftarrows",
    "twoheadleftarrow",
    "twoheadrightarrow",
    "leftarrowtail",
    "rightarrowtail",
    "curvearrowleft",
    "curvearrowright",
    "circlearrowleft",
    "circlearrowright",
    "upuparrows",
    "downdownarrows",
    "multimap",
    "rightsquigarrow",
    "leftrightsquigarrow",
    "nleftarrow",
    "nrightarrow",
    "nLeftarrow",
    "nRightarrow",
    "nleftrightarrow",
    "nLeftrightarrow",
    "dashrightarrow",
    "dashleftarrow",
];

/// Brackets and their sizes.
const DELIMITERS: &[&str] = &[
    "|",
    "vert",
    "Vert",
    "lvert",
    "rvert",
    "lVert",
    "rVert",
    "langle",
    "rangle",
    "lceil",
    "rceil",
    "lfloor",
    "rfloor",
    "lbrack",
    "rbrack",
    "lgroup",
    "rgroup",
    "lmoustache",
    "rmoustache",
    "ulcorner",
    "urcorner",
    "llcorner",
    "lrcorner",
    "left",
    "right",
    "middle",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "bigm",
    "Bigm",
    "biggm",
    "Biggm",
];

/// Dots and other signs of mathematics.
const SIGNS: &[&str] = &[
    "cdots", "vdots", "ddots", "dotsb", "dotsc", "dotsi", "dotsm", "dotso",
];

/// Environments within a formula.
const ENVIRONMENTS: &[&str] = &[
    "matrix",
    "pmatrix",
    "bmatrix",
    "Bmatrix",
    "vmatrix",
    "Vmatrix",
    "smallmatrix",
    "cases",
    "aligned",
    "gathered",
    "split",
    "array",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_the_list_are_inert() {
        for formula in [
            "\\frac{a}{b}",
            "\\mathbb{R}^n \\setminus \\{0\\}",
            "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
            "\\left| \\hat{x} \\right|_{L^2}",
        ] {
            assert!(is_inert_formula(formula), "{formula}");
        }
    }

    #[test]
    fn commands_outside_of_the_list_are_active() {
        for formula in [
            "\\immediate\\write18{id}y",
            "\\hbox{\\input{/etc/hostname}}",
            "\\catcode`\\@=0",
            "\\csname input\\endcsname",
            "^^5cinput",
            "\\^^5cinput",
            "\\def\\x{}",
            "\\loop\\iftrue\\repeat",
            "\\directlua{x}",
            "\\begin{filecontents}{x}\\end{filecontents}",
            "\\begin{matrix}",
            "\\end{matrix}\\begin{matrix}",
            "\\begin{array}{>{\\input{x}}c}\\end{array}",
            "\\begin\n{filecontents}",
            "\\verb|x|",
            "\\href{javascript:x}{y}",
            "\\frac{a}%",
            "\\{ }",
            "a\\",
            "#1",
        ] {
            assert!(!is_inert_formula(formula), "{formula}");
        }
    }

    #[test]
    fn every_active_character_is_escaped() {
        for c in "\\{}$&#%_^~".chars() {
            let latex = escaped(c).unwrap();
            let command = tokens(latex).next();
            assert!(
                matches!(command, Some(Token::Command(name)) if is_listed(name)),
                "{c}"
            );
        }
        assert_eq!(escaped('a'), None);
    }
}
