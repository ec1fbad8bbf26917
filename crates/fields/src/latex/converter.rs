//! The pass over the text: characters, groups, dashes, quotes, mathematics.

use super::commands::UNIT_BLANK;
use super::symbols::{subscript, superscript};
use super::{LatexMarkup, NOCASE_OPEN, PRECAUTION, SPAN_CLOSE, collapse_blanks};
use crate::clean::composed;

/// An open group and the action at its end.
pub struct Group {
    pub kind: GroupKind,
    /// Start of its text in the output.
    pub start: usize,
    /// Tags opened inside by `\it` and similar commands, closed with the group.
    pub closing: Vec<&'static str>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum GroupKind {
    /// Braces that only group.
    Plain,
    /// Braces that protect capitals from changes of case, and small letters if they begin a word.
    Protecting { begins_word: bool },
    /// Closed with this tag.
    Tag(&'static str),
    /// Closed with this text: a quote or a bracket.
    Text(&'static str),
    /// Superscript or subscript, as Unicode characters if tags are not allowed.
    Script(Script),
    /// Argument of an accent: accents without a letter are written after it.
    Accented { accents: usize },
    /// Omitted.
    Dropped,
    /// The argument of `\ensuremath`.
    Math,
    /// A unit of siunitx.
    Unit,
    /// The first of two arguments, and what stands between them.
    First(&'static str),
    /// Under or over a line: the combining character behind each sign.
    Lined(char),
}

/// The longest text that gets a line, in bytes. A longer one is set off, not spelled with it.
const MAX_LINED_LENGTH: usize = 32;

#[derive(Clone, Copy, PartialEq)]
pub enum Script {
    Super,
    Sub,
}

/// An open `$…$`.
pub struct Math {
    /// Start of its text in the output.
    pub out: usize,
    /// Start of its source, including the dollar.
    pub source: usize,
    /// Whether it began with two dollars.
    pub doubled: bool,
    /// Number of groups open before it.
    pub groups: usize,
}

/// Maximum nesting of groups.
const MAX_DEPTH: usize = 50;

pub struct Converter<'a> {
    pub text: &'a str,
    pub at: usize,
    pub out: String,
    pub groups: Vec<Group>,
    /// Open braces below the maximum depth.
    pub deeper: usize,
    /// Accents waiting for their letter.
    pub accents: Vec<char>,
    /// A `^` or `_` waiting for one character.
    pub script: Option<Script>,
    pub math: Option<Math>,
    pub markup: LatexMarkup,
}

impl<'a> Converter<'a> {
    pub(super) fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            match c {
                '\\' => self.command(),
                '{' => self.open_brace(),
                '}' => self.close_brace(),
                '$' => self.dollar(),
                '^' if self.math.is_some() => self.script(Script::Super),
                '_' if self.math.is_some() => self.script(Script::Sub),
                '~' => self.push('\u{a0}'),
                '\'' if self.math.is_some() => self.push('′'),
                '-' if self.math.is_none() => self.dashes(),
                '-' => self.push('−'),
                '`' | '\'' if self.math.is_none() => self.quotes(c),
                ' ' | '\t' | '\n' | '\r' => self.blank(),
                _ => self.push(c),
            }
        }
    }

    pub(super) fn finish(mut self) -> String {
        while !self.groups.is_empty() {
            self.close_group();
        }
        if let Some(math) = self.math.take() {
            // A lone dollar is a currency sign.
            self.out.truncate(math.out);
            let source = self.text.get(math.source..).unwrap_or_default();
            self.out
                .push_str(&collapse_blanks(&source.replace(['{', '}'], "")));
        }
        self.flush_accents(0);
        if self.out.contains(NOCASE_OPEN) {
            let joined = format!("{SPAN_CLOSE}{NOCASE_OPEN}");
            self.out = self.out.replace(&joined, "");
        }
        let trimmed = self.out.trim_matches([' ', '\t', '\n', '\r']);
        composed(trimmed).into_owned()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn push(&mut self, c: char) {
        let accents = std::mem::take(&mut self.accents);
        let script = self.script.take();
        let base = match c {
            // A dotless letter under an accent is the ordinary letter.
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
        // The innermost accent was written last.
        self.out.extend(accents.into_iter().rev());
    }

    pub(super) fn push_str(&mut self, text: &str) {
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

    pub(super) fn blank(&mut self) {
        if !self.accents.is_empty() {
            return;
        }
        if !self.out.ends_with(' ') && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    /// `--` is an en dash and `---` an em dash.
    pub(super) fn dashes(&mut self) {
        let more = self.rest().bytes().take_while(|b| *b == b'-').count();
        match more {
            1 => self.push('–'),
            2 => self.push('—'),
            _ => (0..=more).for_each(|_| self.push('-')),
        }
        self.at += more;
    }

    pub(super) fn quotes(&mut self, quote: char) {
        let doubled = self.rest().starts_with(quote);
        match (quote, doubled) {
            ('`', true) => self.push('“'),
            ('`', false) => self.push('‘'),
            (_, true) => self.push('”'),
            (_, false) => self.push('\''),
        }
        self.at += usize::from(doubled);
    }

    pub(super) fn open(&mut self, kind: GroupKind) {
        self.groups.push(Group {
            kind,
            start: self.out.len(),
            closing: Vec::new(),
        });
    }

    /// Skips a brace that opens a group beyond the maximum depth.
    pub(super) fn is_too_deep(&mut self) -> bool {
        let too_deep = self.groups.len() >= MAX_DEPTH;
        self.deeper += usize::from(too_deep);
        too_deep
    }

    pub(super) fn open_brace(&mut self) {
        if self.is_too_deep() {
            return;
        }
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
        // A group that begins with a command is a «special character» of BibTeX or only holds a command
        // together; it protects nothing.
        let special = self.rest().starts_with('\\');
        let protects = self.markup == LatexMarkup::Title
            && self.math.is_none()
            && !special
            && self.groups.is_empty();
        self.open(if protects {
            let before = self.text.get(..self.at).unwrap_or_default();
            let before = before.strip_suffix('{').unwrap_or(before);
            let joined = |c: char| c.is_alphanumeric() || c == '}';
            GroupKind::Protecting {
                begins_word: !before.ends_with(joined),
            }
        } else {
            GroupKind::Plain
        });
    }

    /// A closing brace.
    fn close_brace(&mut self) {
        match self.deeper.checked_sub(1) {
            Some(left) => self.deeper = left,
            None => self.close_group(),
        }
    }

    pub(super) fn close_group(&mut self) {
        let Some(mut group) = self.groups.pop() else {
            return;
        };
        // Mathematics ends with its enclosing group, closed or not.
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
            // Braces added by the writer itself carry no meaning for the title.
            GroupKind::Protecting { .. } if self.rest().starts_with(PRECAUTION) => {
                self.at += PRECAUTION.len();
            }
            GroupKind::Protecting { begins_word } => self.protect(group.start, begins_word),
            GroupKind::Tag(tag) => self.close_tag(tag, group.start),
            GroupKind::Text(text) => self.out.push_str(text),
            GroupKind::Script(script) => self.close_script(script, group.start),
            GroupKind::Accented { accents } => self.flush_accents(accents - 1),
            GroupKind::Dropped => self.out.truncate(group.start),
            GroupKind::Math | GroupKind::Unit => {}
            GroupKind::First(between) => self.second_argument(group.start, between),
            GroupKind::Lined(line) => self.line(group.start, line),
        }
    }

    /// Opens the second argument of a command, if it has one.
    fn second_argument(&mut self, start: usize, between: &str) {
        if !self.rest().starts_with('{') {
            return;
        }
        self.at += 1;
        if self.is_too_deep() {
            return;
        }
        if self.out.len() > start && !self.rest().starts_with('}') {
            self.out.push_str(between);
        }
        self.open(match between {
            UNIT_BLANK => GroupKind::Unit,
            _ => GroupKind::Plain,
        });
    }

    fn line(&mut self, start: usize, line: char) {
        let inside = self.out.get(start..).unwrap_or_default();
        if inside.len() > MAX_LINED_LENGTH || inside.contains('<') {
            return;
        }
        let lined = inside
            .chars()
            .flat_map(|c| [Some(c), c.is_alphanumeric().then_some(line)]);
        let lined: String = lined.flatten().collect();
        self.out.truncate(start);
        self.out.push_str(&lined);
    }

    /// Braces protect capitals from changes of case, and whole words of small letters (`{p53}`, `{npj}`). No
    /// style changes a single letter.
    pub(super) fn protect(&mut self, start: usize, begins_word: bool) {
        let inside = self.out.get(start..).unwrap_or_default();
        let has_capitals = inside.chars().any(char::is_uppercase);
        let is_word = || {
            let is_closed = self
                .text
                .get(..self.at)
                .is_some_and(|text| text.ends_with('}'));
            let goes_on = self.rest().starts_with(char::is_alphanumeric);
            let has_letters = inside.contains(char::is_alphabetic) && inside.chars().count() > 1;
            begins_word && is_closed && !goes_on && has_letters && !inside.contains('<')
        };
        if (has_capitals || is_word()) && !inside.contains(NOCASE_OPEN) {
            self.out.insert_str(start, NOCASE_OPEN);
            self.out.push_str(SPAN_CLOSE);
        }
    }

    /// Removes an element without content.
    pub(super) fn close_tag(&mut self, tag: &str, start: usize) {
        if self.out.len() > start {
            self.out.push_str(tag);
        } else if let Some(open) = self.out.rfind('<') {
            self.out.truncate(open);
        }
    }

    /// Accents without a letter (`\~{}`) stand alone; those before `keep` still wait.
    pub(super) fn flush_accents(&mut self, keep: usize) {
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

    pub(super) fn script(&mut self, script: Script) {
        let skipped = self.rest().len() - self.rest().trim_start().len();
        self.at += skipped;
        self.script = Some(script);
    }

    pub(super) fn open_script(&mut self, script: Script) -> usize {
        if self.markup != LatexMarkup::None {
            self.out.push_str(match script {
                Script::Super => "<sup>",
                Script::Sub => "<sub>",
            });
        }
        self.out.len()
    }

    pub(super) fn close_script(&mut self, script: Script, start: usize) {
        let tag = match script {
            Script::Super => "</sup>",
            Script::Sub => "</sub>",
        };
        if self.markup != LatexMarkup::None {
            // A degree sign is written as a superscript circle.
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

    pub(super) fn dollar(&mut self) {
        let was_doubled = self.math.as_ref().is_none_or(|math| math.doubled);
        let doubled = was_doubled && self.rest().starts_with('$');
        match self.math.take() {
            None => {
                self.math = Some(Math {
                    out: self.out.len(),
                    source: self.at - 1,
                    doubled,
                    groups: self.groups.len(),
                });
            }
            Some(math) => {
                if self.groups.len() > math.groups {
                    self.deeper = 0;
                }
                while self.groups.len() > math.groups {
                    self.close_group();
                }
                self.script = None;
                self.flush_accents(0);
            }
        }
        self.at += usize::from(doubled);
    }
}

/// Whether a combining accent stands above its letter and so replaces the dot.
fn is_above(accent: char) -> bool {
    !matches!(accent, '\u{323}' | '\u{326}'..='\u{328}' | '\u{331}')
}
