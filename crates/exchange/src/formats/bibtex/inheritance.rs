//! Strings and inherited entries shared between the pieces of a text that is too long to read at once. Two
//! passes over the pieces collect them; then each piece is read with what it needs prepended.

use std::collections::{HashMap, HashSet};

use super::raw::{BlockKind, Entry, Field, Piece, blocks};

/// Strings and entries that the pieces inherit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inheritance {
    /// Keys that entries inherit from.
    wanted: HashSet<String>,
    /// Each with the offset of its piece.
    strings: Vec<(u64, String)>,
    /// The entries with those keys, each on one line.
    parents: Vec<String>,
    by_key: HashMap<String, usize>,
    bytes: usize,
}

/// Maximum number of bytes kept: enough for any real proceedings volume, and a bound for hostile input.
const MAX_BYTES: usize = 64 << 20;

impl Inheritance {
    /// First pass: records which entries are inherited from.
    pub fn note(&mut self, piece: &str) {
        self.wanted.extend(all_references(piece));
    }

    /// Second pass: collects those entries and the strings. `offset` is the start of the piece.
    pub fn gather(&mut self, piece: &str, offset: u64) {
        for block in blocks(piece) {
            if self.bytes > MAX_BYTES {
                return;
            }
            match &block.kind {
                BlockKind::Strings(fields) => {
                    let text = format!("@string{{{}}} ", written(fields));
                    self.bytes += text.len();
                    self.strings.push((offset, text));
                }
                BlockKind::Entry(entry) => self.gather_entry(entry),
                _ => {}
            }
        }
    }

    fn gather_entry(&mut self, entry: &Entry<'_>) {
        let wanted: Vec<String> = names(entry)
            .filter(|name| self.wanted.contains(name) && !self.by_key.contains_key(name))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let fields = written(&entry.fields);
        let text = format!("@{}{{{}, {fields}}} ", entry.kind, entry.key);
        self.bytes += text.len();
        let place = self.parents.len();
        self.parents.push(text);
        self.by_key
            .extend(wanted.into_iter().map(|name| (name, place)));
    }

    /// The text to prepend to the piece at `offset`, on one line: the strings of earlier pieces, and the
    /// entries of other pieces that its entries inherit from.
    pub fn before(&self, piece: &str, offset: u64) -> String {
        let strings = self.strings.iter().filter(|(of, _)| *of < offset);
        let mut before: String = strings.map(|(_, text)| text.as_str()).collect();
        let mut own: HashSet<String> = HashSet::new();
        let mut asked: Vec<String> = Vec::new();
        for block in blocks(piece) {
            if let BlockKind::Entry(entry) = &block.kind {
                own.extend(names(entry).filter(|name| self.by_key.contains_key(name)));
                asked.extend(references(entry));
            }
        }
        let mut taken: HashSet<usize> = HashSet::new();
        while let Some(key) = asked.pop() {
            let Some(place) = self.by_key.get(&key).filter(|_| !own.contains(&key)) else {
                continue;
            };
            if !taken.insert(*place) {
                continue;
            }
            let text = self.parents.get(*place).map_or("", String::as_str);
            before.push_str(text);
            asked.extend(all_references(text));
        }
        before
    }
}

/// The keys that can refer to an entry.
fn names(entry: &Entry<'_>) -> impl Iterator<Item = String> {
    let key = (!entry.key.is_empty()).then(|| entry.key.to_owned());
    key.into_iter().chain(listed(entry, "ids"))
}

/// The keys of the entries that an entry inherits from.
fn references(entry: &Entry<'_>) -> impl Iterator<Item = String> {
    listed(entry, "crossref").chain(listed(entry, "xdata"))
}

/// The keys that any entry of a text inherits from.
fn all_references(text: &str) -> impl Iterator<Item = String> {
    blocks(text).flat_map(|block| match &block.kind {
        BlockKind::Entry(entry) => references(entry).collect(),
        _ => Vec::new(),
    })
}

fn listed(entry: &Entry<'_>, name: &'static str) -> impl Iterator<Item = String> {
    let mut fields = entry.fields.iter();
    let field = fields.find(|field| field.name.eq_ignore_ascii_case(name));
    let text: String = field
        .into_iter()
        .flat_map(|field| &field.value)
        .map(|piece| match piece {
            Piece::Braced(text) | Piece::Quoted(text) | Piece::Bare(text) => *text,
        })
        .collect();
    let keys: Vec<String> = text.split(',').map(|key| key.trim().to_owned()).collect();
    keys.into_iter().filter(|key| !key.is_empty())
}

fn written(fields: &[Field<'_>]) -> String {
    let fields = fields.iter().map(|field| {
        let pieces: Vec<String> = field
            .value
            .iter()
            .map(|piece| match piece {
                Piece::Braced(text) => format!("{{{text}}}"),
                Piece::Quoted(text) => format!("\"{text}\""),
                Piece::Bare(text) => (*text).to_owned(),
            })
            .collect();
        format!("{} = {}", field.name, pieces.join(" # "))
    });
    let fields: Vec<String> = fields.collect();
    fields.join(", ").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inherited(pieces: &[&str]) -> Inheritance {
        let mut inherited = Inheritance::default();
        pieces.iter().for_each(|piece| inherited.note(piece));
        for (offset, piece) in pieces.iter().enumerate() {
            inherited.gather(piece, offset as u64);
        }
        inherited
    }

    #[test]
    fn a_piece_is_lent_what_it_needs() {
        let pieces = [
            "@string{p = {P}}\n@inproceedings{a, crossref = {B}, title = {A}}\n@xdata{x, publisher = p}",
            "@proceedings{B, title = {Proc\n of {B}} # \" x\", xdata = {x, y}}\n@book{unasked, title = {U}}",
            "@string{q = p # {Q}}\n@inproceedings{c, CrossRef = b2}\n@inbook{d, xdata = {x}}",
            "@proceedings{b3, ids = {b1, b2}, title = {Q}}",
        ];
        let inherited = inherited(&pieces);
        let proceedings = "@proceedings{B, title = {Proc  of {B}} # \" x\", xdata = {x, y}} ";
        let check = |at: usize, expected: &str| {
            assert_eq!(inherited.before(pieces[at], at as u64), expected, "{at}");
        };
        // The data of `x` are in the piece itself.
        check(0, proceedings);
        check(1, "@string{p = {P}} @xdata{x, publisher = p} ");
        check(
            2,
            "@string{p = {P}} @xdata{x, publisher = p} @proceedings{b3, ids = {b1, b2}, title = {Q}} ",
        );
        check(3, "@string{p = {P}} @string{q = p # {Q}} ");
    }
}
