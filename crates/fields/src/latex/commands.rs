//! Commands: accents, symbols, fonts, quotes, and arguments that are dropped or kept.

use super::converter::{Converter, GroupKind, Math, Script};
use super::symbols::{accents, symbol, unit};
use super::{LatexMarkup, SMALL_CAPS_OPEN, SPAN_CLOSE};
use crate::clean::decode_entities;

/// Maximum length of an argument of `\url`, in bytes. Longer ones are not addresses.
const MAX_ADDRESS_LENGTH: usize = 4_000;
/// Maximum nesting of braces in it.
const MAX_BRACES: usize = 4;

/// The longest branch of a condition that is skipped, in bytes.
const MAX_BRANCH_LENGTH: usize = 1_000;
/// The longest argument in square brackets, in bytes.
const MAX_OPTION_LENGTH: usize = 100;
/// The blank between a number and its unit.
pub(super) const UNIT_BLANK: &str = "\u{a0}";

impl<'a> Converter<'a> {
    pub(super) fn command(&mut self) {
        let name = self.command_name();
        let math = self.math.is_some();
        let in_unit = { self.groups.iter() }.any(|group| group.kind == GroupKind::Unit);
        if let Some(text) = unit(name).filter(|_| in_unit) {
            return self.push_str(text);
        }
        // `\a'` is `\'` where tabs are set.
        if name == "a" && self.rest().starts_with(['\'', '`', '=']) {
            return self.command();
        }
        if let Some(marks) = accents(name, math) {
            self.accents.extend(marks);
            return;
        }
        if name == "ifmmode" && !math {
            return self.skip_after("\\else");
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
            "href" | "foreignlanguage" | "selectlanguage" => self.dropped_argument(),
            "noopsort" | "hspace" | "vspace" | "vphantom" | "phantom" | "label" | "hskip"
            | "vskip" | "switchargs" | "printfirst" | "singleletter" | "begin" | "end"
            | "color" | "textcolor" | "index" | "overset" | "underset" | "stackrel"
            | "accentset" | "hypertarget" | "hyperlink" | "fontsize" | "raisebox" => {
                self.dropped_argument();
            }
            "ensuremath" => self.ensure_math(),
            "else" => self.skip_after("\\fi"),
            "frac" | "tfrac" | "dfrac" | "sfrac" | "nicefrac" | "cfrac" => self.argument("/"),
            "SI" | "qty" => self.argument(UNIT_BLANK),
            "si" | "unit" => self.opened(GroupKind::Unit),
            "overline" | "widebar" => self.opened(GroupKind::Lined('\u{305}')),
            "" => self.push('\\'),
            _ => self.unknown(name),
        }
    }

    /// Skips the text up to a command and the command: the other branch of a condition.
    fn skip_after(&mut self, command: &str) {
        let rest = self.rest();
        let near = rest.as_bytes();
        let near = near.get(..MAX_BRANCH_LENGTH).unwrap_or(near);
        if let Some(at) = memchr::memmem::find(near, command.as_bytes()) {
            self.at += at + command.len();
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        }
    }

    /// Opens a group for the argument, if there is one.
    fn opened(&mut self, kind: GroupKind) {
        self.skip_option();
        if self.rest().starts_with('{') {
            self.at += 1;
            if !self.is_too_deep() {
                self.open(kind);
            }
        }
    }

    /// Opens the first of two arguments, or takes two single characters (`\frac12`).
    fn argument(&mut self, between: &'static str) {
        self.skip_option();
        if self.rest().starts_with('{') {
            return self.opened(GroupKind::First(between));
        }
        let mut chars = self.rest().chars();
        if let (Some(one), Some(two)) = (chars.next(), chars.next())
            && one.is_ascii_alphanumeric()
            && two.is_ascii_alphanumeric()
        {
            self.at += 2;
            self.push(one);
            self.out.push_str(between);
            self.push(two);
        }
    }

    /// Skips an argument in square brackets before one in braces.
    fn skip_option(&mut self) {
        let rest = self.rest();
        if let Some(inside) = rest.strip_prefix('[')
            && let Some(end) = inside.find([']', '{', '}', '['])
            && end <= MAX_OPTION_LENGTH
            && inside.get(end..).is_some_and(|end| end.starts_with("]{"))
        {
            self.at += end + 2;
        }
    }

    /// The name of the command: letters and the white space after them, or one other character.
    pub(super) fn command_name(&mut self) -> &'a str {
        let rest = self.rest();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            self.at += length;
            return rest.get(..length).unwrap_or_default();
        }
        let name = rest.get(..letters).unwrap_or_default();
        // A dotless letter under an accent, whose end a program lost: `Mar\'\ia`.
        if !self.accents.is_empty() && name.starts_with(['i', 'j']) && symbol(name).is_none() {
            self.at += 1;
            return rest.get(..1).unwrap_or_default();
        }
        let after = rest.get(letters..).unwrap_or_default();
        let after_star = after
            .strip_prefix('*')
            .filter(|a| a.starts_with('{'))
            .unwrap_or(after);
        self.at += rest.len() - after_star.trim_start_matches([' ', '\t', '\n', '\r']).len();
        name
    }

    /// `\&`, `\,` and other single-character commands.
    pub(super) fn single(&mut self, name: &str) -> bool {
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

    /// Fonts: `\emph{…}`, and `\em …` to the end of its group.
    pub(super) fn font(&mut self, name: &str) -> bool {
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
            | "cal" | "frak" | "Bbb" | "germ" | "scr" | "num" | "underline" | "mathop"
            | "mathbin" | "mathrel" | "mathnormal" | "mathds" | "pmb" | "substack" | "mbox"
            | "hbox" | "operatorname" | "tt" | "sf" | "rm" | "ttfamily" | "sffamily"
            | "rmfamily" | "normalfont" | "upshape" | "small" | "large" | "uppercase"
            | "lowercase" | "MakeUppercase" | "MakeLowercase" | "MakeSentenceCase"
            | "MakeCapital" | "bibstring" | "autocite" | "citetitle" | "citefield" | "textcite"
            | "parencite" | "textcyr" | "bibcyr" | "textgreek" | "textlatin" | "boldsymbol"
            | "left" | "right" | "footnote" | "thanks" | "ce" => ("", ""),
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
            if !self.is_too_deep() {
                self.font_argument(scripted, tags);
            }
        } else if self.markup != LatexMarkup::None && !tags.0.is_empty() {
            // Outside of any group, a font change applies to all the rest and carries no meaning.
            if let Some(group) = self.groups.last_mut()
                && !group.closing.contains(&tags.1)
            {
                self.out.push_str(tags.0);
                group.closing.push(tags.1);
            }
        }
        true
    }

    pub(super) fn font_argument(
        &mut self,
        script: Option<Script>,
        tags: (&'static str, &'static str),
    ) {
        match script {
            Some(script) => {
                let start = self.open_script(script);
                self.open(GroupKind::Script(script));
                if let Some(group) = self.groups.last_mut() {
                    group.start = start;
                }
            }
            None if tags.0.is_empty() || self.markup == LatexMarkup::None => {
                self.open(GroupKind::Plain);
            }
            None => {
                self.out.push_str(tags.0);
                self.open(GroupKind::Tag(tags.1));
            }
        }
    }

    /// Commands that enclose their argument.
    pub(super) fn quoting(&mut self, name: &str) -> bool {
        let (open, close) = match name {
            "enquote" | "mkbibquote" | "qq" => ("“", "”"),
            "mkbibparens" | "parens" => ("(", ")"),
            "mkbibbrackets" => ("[", "]"),
            _ => return false,
        };
        if self.rest().starts_with('{') {
            self.at += 1;
            if !self.is_too_deep() {
                self.out.push_str(open);
                self.open(GroupKind::Text(close));
            }
        }
        true
    }

    /// The argument without its braces, unconverted: an address.
    pub(super) fn verbatim_argument(&mut self) {
        let rest = self.rest();
        let Some(inner) = rest.strip_prefix('{') else {
            return;
        };
        let mut depth = 0_usize;
        for (at, byte) in inner.bytes().enumerate().take(MAX_ADDRESS_LENGTH) {
            match byte {
                // No address nests braces so deep; each level costs another scan of the same text.
                b'{' if depth == MAX_BRACES => return,
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

    pub(super) fn dropped_argument(&mut self) {
        if self.rest().starts_with('{') {
            self.at += 1;
            if !self.is_too_deep() {
                self.open(GroupKind::Dropped);
            }
        }
    }

    pub(super) fn ensure_math(&mut self) {
        if !self.rest().starts_with('{') {
            return;
        }
        self.at += 1;
        if self.is_too_deep() {
            return;
        }
        self.open(GroupKind::Math);
        if self.math.is_none() {
            self.math = Some(Math {
                out: self.out.len(),
                source: self.at,
                doubled: false,
                groups: self.groups.len(),
            });
        }
    }

    /// The arguments of an unknown command, or its name: that of an entity of HTML in records of databases
    /// (`\nbsp`), otherwise the letters.
    fn unknown(&mut self, name: &str) {
        self.skip_option();
        let rest = self.rest();
        // An empty group only ends the name of a command.
        let only_ends = rest
            .strip_prefix("{}")
            .is_some_and(|next| !next.starts_with('{'));
        if rest.starts_with('{') && !only_ends {
            return self.argument(" ");
        }
        let entity = format!("&{name};");
        let text = decode_entities(&entity);
        if text.len() < entity.len() {
            self.push_str(&text)
        } else {
            self.push_str(name)
        }
    }
}
