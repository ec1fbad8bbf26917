//! LaTeX to Unicode: accents, commands, ligatures, mathematics and markup. One pass over the text
//! with a stack of open groups, so that nesting of any depth costs no more than its length.

use unicode_normalization::UnicodeNormalization;

use super::symbols::{accent, subscript, superscript, symbol};

/// What a converted text may hold beside characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Characters alone: names, publishers, places.
    None,
    /// CSL's rich text: `<i> <b> <sup> <sub>` and small capitals.
    Rich,
    /// Rich text in which braces protect from changes of case: `<span class="nocase">`.
    Title,
}

pub const NOCASE_OPEN: &str = "<span class=\"nocase\">";
pub const SMALL_CAPS_OPEN: &str = "<span style=\"font-variant:small-caps;\">";
pub const SPAN_CLOSE: &str = "</span>";

/// Converts a value of a BibTeX field. What no rule knows stays as it is, backslash and all.
pub fn convert(text: &str, markup: Markup) -> String {
    if is_plain(text) {
        return collapse_blanks(text);
    }
    let text = if markup == Markup::Title {
        strip_outer_braces(text)
    } else {
        text
    };
    let mut converter = Converter {
        text,
        at: 0,
        out: String::with_capacity(text.len()),
        groups: Vec::new(),
        accents: Vec::new(),
        script: None,
        math: None,
        markup,
    };
    converter.run();
    converter.finish()
}

/// Converts to characters alone.
pub fn plain(text: &str) -> String {
    convert(text, Markup::None)
}

fn is_plain(text: &str) -> bool {
    !text.bytes().any(|b| {
        matches!(
            b,
            b'\\' | b'{' | b'}' | b'$' | b'~' | b'`' | b'\'' | b'-' | b'^'
        )
    })
}

/// Runs of white space become one blank; outer white space goes.
pub fn collapse_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split([' ', '\t', '\n', '\r'])
        .filter(|w| !w.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Braces around the whole of a title are a habit of exporting programs; they would protect
/// everything and so say nothing.
pub fn strip_outer_braces(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = inside_braces(text) {
        text = inner.trim();
    }
    text
}

/// What stands inside, where one pair of braces encloses the whole text.
pub fn inside_braces(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    if inner.starts_with('\\') {
        return None;
    }
    let mut depth = 0_usize;
    for byte in inner.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(inner)
}

/// An open group and what happens where it closes.
struct Group {
    kind: GroupKind,
    /// Where its text begins in the output.
    start: usize,
    /// Tags opened inside by `\it` and its like, closed with the group.
    closing: Vec<&'static str>,
}

#[derive(Clone, Copy, PartialEq)]
enum GroupKind {
    /// Braces that only hold together.
    Plain,
    /// Braces that protect from changes of case.
    Protecting,
    /// Closed with this tag.
    Tag(&'static str),
    /// Closed with this text: a quote or a bracket.
    Text(&'static str),
    /// Characters raised or lowered, by Unicode's own where no tags may stand.
    Script(Script),
    /// An accent's argument: accents that found no letter stand alone behind it.
    Accented { accents: usize },
    /// Left out.
    Dropped,
    /// The argument of `\ensuremath`.
    Math,
    /// The argument of a command that nobody knows: it keeps its braces.
    Unknown,
}

#[derive(Clone, Copy, PartialEq)]
enum Script {
    Super,
    Sub,
}

/// `$…$` that is open.
struct Math {
    /// Where its text begins in the output.
    out: usize,
    /// Where its source begins, the dollar included.
    source: usize,
    /// Whether something in it has no counterpart in text.
    unknown: bool,
    /// Groups that were open before.
    groups: usize,
}

struct Converter<'a> {
    text: &'a str,
    at: usize,
    out: String,
    groups: Vec<Group>,
    /// Accents that wait for their letter.
    accents: Vec<char>,
    /// A `^` or `_` that waits for one character.
    script: Option<Script>,
    math: Option<Math>,
    markup: Markup,
}

impl<'a> Converter<'a> {
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            match c {
                '\\' => self.command(),
                '{' => self.open_brace(),
                '}' => self.close_group(),
                '$' => self.dollar(),
                '^' if self.math.is_some() => self.script(Script::Super),
                '_' if self.math.is_some() => self.script(Script::Sub),
                '~' => self.push('\u{a0}'),
                '\'' if self.math.is_some() => self.push('′'),
                '-' if self.math.is_none() => self.dashes(),
                '`' | '\'' if self.math.is_none() => self.quotes(c),
                ' ' | '\t' | '\n' | '\r' => self.blank(),
                _ => self.push(c),
            }
        }
    }

    fn finish(mut self) -> String {
        while !self.groups.is_empty() {
            self.close_group();
        }
        if let Some(math) = self.math.take() {
            // A lone dollar is an amount of money.
            self.out.truncate(math.out);
            let source = self.text.get(math.source..).unwrap_or_default();
            self.out
                .push_str(&collapse_blanks(&source.replace(['{', '}'], "")));
        }
        self.flush_accents(0);
        let joined = format!("{SPAN_CLOSE}{NOCASE_OPEN}");
        if self.out.contains(&joined) {
            self.out = self.out.replace(&joined, "");
        }
        let trimmed = self.out.trim_matches([' ', '\t', '\n', '\r']);
        trimmed.nfc().collect()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, c: char) {
        let accents = std::mem::take(&mut self.accents);
        let script = self.script.take();
        let base = match c {
            // A dotless letter under an accent is the ordinary one.
            'ı' if accents.iter().any(|a| is_above(*a)) => 'i',
            'ȷ' if accents.iter().any(|a| is_above(*a)) => 'j',
            _ => c,
        };
        match script {
            Some(script) => {
                let start = self.open_script(script);
                self.out.push(base);
                self.close_script(script, start);
            }
            None => self.out.push(base),
        }
        // The accent nearest to the letter was written last.
        self.out.extend(accents.into_iter().rev());
    }

    fn push_str(&mut self, text: &str) {
        let mut chars = text.chars();
        if let Some(first) = chars.next() {
            if let (Some(script), true) = (self.script, text.len() > first.len_utf8()) {
                self.script = None;
                let start = self.open_script(script);
                self.out.push_str(text);
                self.close_script(script, start);
                return;
            }
            self.push(first);
            self.out.extend(chars);
        }
    }

    fn blank(&mut self) {
        if !self.accents.is_empty() {
            return;
        }
        if !self.out.ends_with(' ') && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    /// `--` is an en dash and `---` an em dash.
    fn dashes(&mut self) {
        let more = self.rest().bytes().take_while(|b| *b == b'-').count();
        match more {
            1 => self.push('–'),
            2 => self.push('—'),
            _ => (0..=more).for_each(|_| self.push('-')),
        }
        self.at += more;
    }

    fn quotes(&mut self, quote: char) {
        let doubled = self.rest().starts_with(quote);
        match (quote, doubled) {
            ('`', true) => self.push('“'),
            ('`', false) => self.push('‘'),
            (_, true) => self.push('”'),
            (_, false) => self.push('\''),
        }
        self.at += usize::from(doubled);
    }

    fn open(&mut self, kind: GroupKind) {
        self.groups.push(Group {
            kind,
            start: self.out.len(),
            closing: Vec::new(),
        });
    }

    fn open_brace(&mut self) {
        if let Some(script) = self.script.take() {
            let start = self.open_script(script);
            self.open(GroupKind::Script(script));
            if let Some(group) = self.groups.last_mut() {
                group.start = start;
            }
            return;
        }
        if !self.accents.is_empty() {
            let accents = self.accents.len();
            self.open(GroupKind::Accented { accents });
            return;
        }
        // A group that begins with a command is a «special character» of BibTeX, or a command kept
        // together; it protects nothing.
        let special = self.rest().starts_with('\\');
        let protects = self.markup == Markup::Title
            && self.math.is_none()
            && !special
            && self.groups.is_empty();
        self.open(if protects {
            GroupKind::Protecting
        } else {
            GroupKind::Plain
        });
    }

    fn close_group(&mut self) {
        let Some(mut group) = self.groups.pop() else {
            return;
        };
        // Mathematics ends with the group that it began in, closed or not.
        if self
            .math
            .as_ref()
            .is_some_and(|math| self.groups.len() < math.groups)
        {
            self.math = None;
        }
        while let Some(tag) = group.closing.pop() {
            self.out.push_str(tag);
        }
        match group.kind {
            GroupKind::Plain => {}
            GroupKind::Protecting => self.protect(group.start),
            GroupKind::Tag(tag) => self.close_tag(tag, group.start),
            GroupKind::Text(text) => self.out.push_str(text),
            GroupKind::Script(script) => self.close_script(script, group.start),
            GroupKind::Accented { accents } => self.flush_accents(accents - 1),
            GroupKind::Dropped => self.out.truncate(group.start),
            GroupKind::Math => {}
            GroupKind::Unknown => self.out.push('}'),
        }
    }

    /// Braces matter to those who change case only around capitals.
    fn protect(&mut self, start: usize) {
        let inside = self.out.get(start..).unwrap_or_default();
        if inside.chars().any(char::is_uppercase) && !inside.contains(NOCASE_OPEN) {
            self.out.insert_str(start, NOCASE_OPEN);
            self.out.push_str(SPAN_CLOSE);
        }
    }

    /// An element without content is left out again.
    fn close_tag(&mut self, tag: &str, start: usize) {
        if self.out.len() > start {
            self.out.push_str(tag);
        } else if let Some(open) = self.out.rfind('<') {
            self.out.truncate(open);
        }
    }

    /// Accents that found no letter (`\~{}`) stand alone; those before `keep` still wait.
    fn flush_accents(&mut self, keep: usize) {
        while self.accents.len() > keep {
            match self.accents.pop() {
                Some('\u{303}') => self.out.push('~'),
                Some('\u{302}') => self.out.push('^'),
                Some('\u{300}') => self.out.push('`'),
                Some('\u{301}') => self.out.push('´'),
                Some('\u{308}') => self.out.push('¨'),
                _ => {}
            }
        }
    }

    fn script(&mut self, script: Script) {
        let skipped = self.rest().len() - self.rest().trim_start().len();
        self.at += skipped;
        self.script = Some(script);
    }

    fn open_script(&mut self, script: Script) -> usize {
        if self.markup != Markup::None {
            self.out.push_str(match script {
                Script::Super => "<sup>",
                Script::Sub => "<sub>",
            });
        }
        self.out.len()
    }

    fn close_script(&mut self, script: Script, start: usize) {
        let tag = match script {
            Script::Super => "</sup>",
            Script::Sub => "</sub>",
        };
        if self.markup != Markup::None {
            // Degrees are written as a raised circle.
            if script == Script::Super && self.out.get(start..) == Some("∘") {
                self.out.truncate(start - "<sup>".len());
                self.out.push('°');
                return;
            }
            return self.close_tag(tag, start);
        }
        let map = match script {
            Script::Super => superscript,
            Script::Sub => subscript,
        };
        let inside = self.out.get(start..).unwrap_or_default();
        if let Some(small) = inside.chars().map(map).collect::<Option<String>>() {
            self.out.truncate(start);
            self.out.push_str(&small);
        }
    }

    fn dollar(&mut self) {
        let doubled = self.rest().starts_with('$');
        match self.math.take() {
            None => {
                self.math = Some(Math {
                    out: self.out.len(),
                    source: self.at - 1,
                    unknown: false,
                    groups: self.groups.len(),
                });
            }
            Some(math) => {
                while self.groups.len() > math.groups {
                    self.close_group();
                }
                self.script = None;
                self.flush_accents(0);
                if math.unknown {
                    let end = self.at + usize::from(doubled);
                    self.out.truncate(math.out);
                    let source = self.text.get(math.source..end).unwrap_or_default();
                    self.out.push_str(&collapse_blanks(source));
                }
            }
        }
        self.at += usize::from(doubled);
    }

    fn command(&mut self) {
        let source = self.at - 1;
        let name = self.command_name();
        let math = self.math.is_some();
        if let Some(mark) = accent(name, math) {
            self.accents.push(mark);
            return;
        }
        if let Some(text) = symbol(name) {
            self.push_str(text);
            return;
        }
        if name.len() == 1 && self.single(name) {
            return;
        }
        if self.font(name) || self.quoting(name) {
            return;
        }
        match name {
            "url" | "path" | "nolinkurl" => self.verbatim_argument(),
            "href" => self.dropped_argument(),
            "noopsort" | "hspace" | "vspace" | "vphantom" | "phantom" | "label" | "hskip"
            | "vskip" | "switchargs" | "printfirst" | "singleletter" | "begin" | "end"
            | "color" => self.dropped_argument(),
            "ensuremath" => self.ensure_math(),
            "" => self.push('\\'),
            _ => self.unknown(source),
        }
    }

    /// The command's name: letters, with the white space behind them, or one other character.
    fn command_name(&mut self) -> &'a str {
        let rest = self.rest();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            self.at += length;
            return rest.get(..length).unwrap_or_default();
        }
        let name = rest.get(..letters).unwrap_or_default();
        let after = rest.get(letters..).unwrap_or_default();
        let after_star = after
            .strip_prefix('*')
            .filter(|a| a.starts_with('{'))
            .unwrap_or(after);
        self.at += rest.len() - after_star.trim_start_matches([' ', '\t', '\n', '\r']).len();
        name
    }

    /// `\&`, `\,` and the other commands of one character.
    fn single(&mut self, name: &str) -> bool {
        match name {
            "&" | "%" | "#" | "_" | "$" | "{" | "}" | "@" | "!" if self.math.is_none() => {
                self.push_str(name);
            }
            "&" | "%" | "#" | "_" | "$" | "{" | "}" | "|" => self.push_str(name),
            "," | ":" | ";" | ">" => {
                if self.math.is_none() {
                    self.push('\u{a0}');
                }
            }
            "/" | "-" | "!" | "(" | ")" | "[" | "]" => {}
            " " | "\t" | "\n" | "\r" | "\\" => self.blank(),
            _ => return false,
        }
        true
    }

    /// Fonts: `\emph{…}`, and `\em …` up to the end of its group.
    fn font(&mut self, name: &str) -> bool {
        let tags = match name {
            "emph" | "textit" | "textsl" | "mkbibemph" | "mkbibitalic" | "em" | "it" | "sl"
            | "itshape" | "slshape" => ("<i>", "</i>"),
            "mathit" => ("", ""),
            "textbf" | "mkbibbold" | "bf" | "bfseries" | "mathbf" | "bm" => ("<b>", "</b>"),
            "textsc" | "sc" | "scshape" => (SMALL_CAPS_OPEN, SPAN_CLOSE),
            "textsuperscript" | "mkbibsuperscript" | "sp" => ("<sup>", "</sup>"),
            "textsubscript" | "mkbibsubscript" | "sb" => ("<sub>", "</sub>"),
            "texttt" | "textsf" | "textrm" | "textup" | "textnormal" | "textmd" | "text"
            | "mathrm" | "mathsf" | "mathtt" | "mathcal" | "mathbb" | "mathfrak" | "mathscr"
            | "mbox" | "hbox" | "operatorname" | "tt" | "sf" | "rm" | "ttfamily" | "sffamily"
            | "rmfamily" | "normalfont" | "upshape" | "small" | "large" | "uppercase"
            | "lowercase" | "MakeUppercase" | "MakeLowercase" | "MakeSentenceCase"
            | "MakeCapital" | "bibstring" | "autocite" | "citetitle" | "citefield" | "textcite"
            | "parencite" | "foreignlanguage" | "boldsymbol" | "left" | "right" | "footnote"
            | "thanks" | "unit" | "ce" => ("", ""),
            _ => return false,
        };
        let scripted = match tags.0 {
            "<sup>" => Some(Script::Super),
            "<sub>" => Some(Script::Sub),
            _ => None,
        };
        if let (Some(script), false) = (scripted, self.rest().starts_with('{')) {
            self.script = Some(script);
            return true;
        }
        if self.rest().starts_with('{') {
            self.at += 1;
            self.font_argument(scripted, tags);
        } else if self.markup != Markup::None && !tags.0.is_empty() {
            // Outside of any group, a font lasts to the end, and so says nothing.
            if let Some(group) = self.groups.last_mut() {
                self.out.push_str(tags.0);
                group.closing.push(tags.1);
            }
        }
        true
    }

    fn font_argument(&mut self, script: Option<Script>, tags: (&'static str, &'static str)) {
        match script {
            Some(script) => {
                let start = self.open_script(script);
                self.open(GroupKind::Script(script));
                if let Some(group) = self.groups.last_mut() {
                    group.start = start;
                }
            }
            None if tags.0.is_empty() || self.markup == Markup::None => {
                self.open(GroupKind::Plain);
            }
            None => {
                self.out.push_str(tags.0);
                self.open(GroupKind::Tag(tags.1));
            }
        }
    }

    /// Commands that put something around their argument.
    fn quoting(&mut self, name: &str) -> bool {
        let (open, close) = match name {
            "enquote" | "mkbibquote" | "qq" => ("“", "”"),
            "mkbibparens" | "parens" => ("(", ")"),
            "mkbibbrackets" => ("[", "]"),
            _ => return false,
        };
        if self.rest().starts_with('{') {
            self.at += 1;
            self.out.push_str(open);
            self.open(GroupKind::Text(close));
        }
        true
    }

    /// The argument without its braces and as it stands: an address.
    fn verbatim_argument(&mut self) {
        let rest = self.rest();
        let Some(inner) = rest.strip_prefix('{') else {
            return;
        };
        let mut depth = 0_usize;
        for (at, byte) in inner.bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => {
                    let address = inner.get(..at).unwrap_or_default();
                    self.push_str(&address.replace("\\_", "_").replace("\\%", "%"));
                    self.at += at + 2;
                    return;
                }
                b'}' => depth -= 1,
                _ => {}
            }
        }
    }

    fn dropped_argument(&mut self) {
        if self.rest().starts_with('{') {
            self.at += 1;
            self.open(GroupKind::Dropped);
        }
    }

    fn ensure_math(&mut self) {
        if !self.rest().starts_with('{') {
            return;
        }
        self.at += 1;
        self.open(GroupKind::Math);
        if self.math.is_none() {
            self.math = Some(Math {
                out: self.out.len(),
                source: self.at,
                unknown: false,
                groups: self.groups.len(),
            });
        }
    }

    /// A command that has no counterpart stays, with the braces of its argument.
    fn unknown(&mut self, source: usize) {
        if let Some(math) = &mut self.math {
            math.unknown = true;
        }
        let text = self.text.get(source..self.at).unwrap_or_default();
        let braced = self.rest().starts_with('{');
        self.push_str(if braced { text.trim_end() } else { text });
        if braced {
            self.at += 1;
            self.out.push('{');
            self.open(GroupKind::Unknown);
        }
    }
}

/// Whether a combining accent stands above its letter and so takes the dot's place.
fn is_above(accent: char) -> bool {
    !matches!(accent, '\u{323}' | '\u{326}'..='\u{328}' | '\u{331}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(convert(input, Markup::Title), expected, "{input}");
    }

    #[track_caller]
    fn check_plain(input: &str, expected: &str) {
        assert_eq!(plain(input), expected, "{input}");
    }

    #[test]
    fn accents_in_every_dress() {
        for text in ["\\\"{u}", "{\\\"u}", "{\\\"{u}}", "\\\"u", "\\\" u"] {
            check_plain(text, "ü");
        }
        check_plain("\\'{\\i}", "í");
        check_plain("\\'\\i", "í");
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
            "α-helix, x<sub>10</sub><sup>-3</sup>",
        );
        check("$90^\\circ$", "90°");
        check("$\\frac{a}{b}$ stays", "$\\frac{a}{b}$ stays");
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
        check("{N}{A}{S}{A}", "<span class=\"nocase\">NASA</span>");
        check(
            "{A} and {B}",
            "<span class=\"nocase\">A</span> and <span class=\"nocase\">B</span>",
        );
        check_plain("The {DNA}", "The DNA");
    }

    #[test]
    fn what_is_unknown_stays() {
        check("x \\unknown", "x \\unknown");
        check("\\foo{Bar} y", "\\foo{Bar} y");
        check("a } b { c", "a b c");
        check("\\", "\\");
    }

    #[test]
    fn deep_nesting_is_harmless() {
        let deep = format!("{}X{}", "{".repeat(100_000), "}".repeat(100_000));
        assert_eq!(convert(&deep, Markup::Rich), "X");
        let accents = "\\'".repeat(100_000);
        assert!(convert(&accents, Markup::Rich).len() < 400_000);
    }
}
