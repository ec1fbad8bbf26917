//! Hayagriva's YAML, used by Typst (its `docs/file-format.md`, version 0.10). CSL variables of the
//! container are in a parent.

mod entry;
mod read;
mod text;

use crate::content::Content;
use crate::cost::spend_written;
use crate::format::{Format, KeyRule};
use crate::keys;
use crate::syntax::tokens;
use crate::syntax::yaml::write::{Value, write_member};
use crate::syntax::yaml::{Line, outline};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

pub static HAYAGRIVA: Format = Format {
    id: "hayagriva",
    title: "Hayagriva",
    media_types: &["application/yaml"],
    extensions: &["yaml", "yml"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Unicode,
    tokens: &[
        tokens::YAML,
        &[
            "a:\n",
            "  type: Book\n",
            "  title: ",
            "  author: ",
            "  date: ",
            "  parent:\n",
            "  serial-number:\n",
            "{type: book, title: ",
        ],
    ],
};

/// Whether the first entry, or the whole text as one entry, looks valid.
fn recognise(content: &Content<'_>) -> bool {
    let lines = outline(content);
    let Some((first, rest)) = lines.split_first() else {
        return false;
    };
    let in_flow = first.value.starts_with('{') && { ["type:", "title:"].iter() }
        .all(|member| first.value.contains(member));
    let indent = rest.first().map_or(0, |line| line.indent);
    let end = rest.iter().position(|line| line.indent < indent);
    let below = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let is_list = rest.first().is_some_and(|line| line.is_listed);
    let is_keyed = first.value.is_empty() && indent > 0 && !is_list;
    !first.is_listed && (in_flow || is_entry(&lines, 0) || is_keyed && is_entry(below, indent))
}

/// Whether lines with the same indentation have a type of the format and another member, or the members of
/// a reference.
fn is_entry(lines: &[Line<'_>], indent: usize) -> bool {
    let members = { lines.iter() }.filter(|line| line.indent == indent && !line.is_listed);
    let has = |names: &[&str]| members.clone().any(|line| names.contains(&line.key));
    let is_kind = |line: &&Line<'_>| line.key == "type" && read::is_kind(line.value);
    members.clone().any(|line| is_kind(&line)) && has(&["title", "author", "date", "url"])
        || has(&["title"])
            && has(&["author", "editor"])
            && has(&["date", "parent", "publisher", "url"])
}

/// Writes items as a mapping, each under a unique key ([`keys::for_export`]). Hayagriva rejects a whole
/// document for one invalid value, so values that the format cannot express are omitted: date ranges,
/// five-digit years, addresses other than web addresses.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let keys = keys::for_export(items, keys::Letters::Any);
    let mut out = String::new();
    for (key, item) in keys.iter().zip(items) {
        let before = out.len();
        write_member(key, &Value::Map(entry::of(item)), &mut out);
        spend_written(budget, out.len() - before)?;
    }
    if out.is_empty() {
        out.push_str("{}\n");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BIBLATEX, read};

    #[track_caller]
    fn check(bibtex: &str, expected: &str) {
        let budget = Budget::unlimited();
        let reading = read(&bibtex.into(), &BIBLATEX, &budget).unwrap();
        let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
        assert_eq!(write(&items, &budget).unwrap(), expected);
    }

    #[test]
    fn an_article_has_its_journal_for_a_parent() {
        check(
            "@article{a, title={The {DNA} of \\emph{it} \\& 5\\$}, author={van der Berg, Jan and {W, H \\& O}}, \
             journal={J. of \"X\"}, volume=3, number={2}, pages={10--12}, date={2001-02-03}, doi={10.1000/X}, \
             issn={1234-5679}, url={https://example.org/a?b=c}, urldate={2020-01-02}, langid={english}}",
            r#"a:
  type: article
  title: "The {DNA} of it & 5\\$"
  author:
    - given-name: "Jan"
      prefix: "van der"
      name: "Berg"
    - name: "W, H & O"
  date: "2001-02-03"
  page-range: "10-12"
  url:
    value: "https://example.org/a?b=c"
    date: "2020-01-02"
  serial-number:
    doi: "10.1000/x"
  language: "en"
  parent:
    type: periodical
    title: "J. of \"X\""
    volume: "3"
    issue: "2"
    serial-number:
      issn: "1234-5679"
"#,
        );
    }

    #[test]
    fn fields_of_the_book_are_written_with_the_book() {
        check(
            "@inproceedings{1:b, title={T}, author={Smith, A.}, booktitle={Proc}, editor={Doe, J.}, \
             series={LNCS}, publisher={P}, address={Berlin}, year=1999, isbn={9780306406157}}",
            r#""1:b":
  type: article
  title: "T"
  author:
    - "Smith, A."
  date: "1999"
  parent:
    type: proceedings
    title: "Proc"
    editor:
      - "Doe, J."
    publisher:
      name: "P"
      location: "Berlin"
    serial-number:
      isbn: "9780306406157"
    parent:
      type: anthology
      title: "LNCS"
"#,
        );
    }

    #[test]
    fn written_items_read_back() {
        let text = concat!(
            "a:\n  type: article\n  title: 'The {DNA} of \\$5'\n  author: ['Doe, J', {name: 'W, H'}]\n  date: 2001-02-03\n",
            "  page-range: 1-2\n  serial-number: {doi: 10.5555/x, serial: '7'}\n  url: {value: 'https://x.org', date: 2020-01-02}\n",
            "  language: de\n  parent: {type: periodical, title: J, volume: 1, issue: 2, publisher: {name: P, location: Q}}\n",
            "b:\n  type: book\n  title: B\n  editor: 'Doe, J'\n  affiliated: [{role: translator, names: ['Roe, R']}]\n  parent: [{type: anthology, title: S, volume: 3}]\n",
        );
        let budget = Budget::unlimited();
        let items = |text: &str| -> Vec<Item> {
            let reading = super::read::read(text, &budget).unwrap();
            reading.items.into_iter().map(|read| read.item).collect()
        };
        let first = items(text);
        let written = write(&first, &budget).unwrap();
        assert_eq!(items(&written), first, "{written}");
    }

    #[test]
    fn entries_are_recognised() {
        let check = |text: &str, expected: bool| {
            assert_eq!(recognise(&Content::of_text(text)), expected, "{text}");
        };
        check("# x\n\na:\n  type: Book\n  title: T\n", true);
        check(
            "author:\n- given-name: A\n  name: T\ntype: Article\ntitle: T\n",
            true,
        );
        check("a: {type: book, title: T}\n", true);
        check("a:\n  title: T\n  author: X\n  date: 2001\n", true);
        check("jobs:\n  type: build\n  title: T\n", false);
        check("name: x\nversion: 1\n", false);
        check("- id: a\n  type: book\n", false);
        check("Title: a\nAuthor: b\n", false);
    }

    #[test]
    fn nothing_is_an_empty_mapping() {
        check("", "{}\n");
    }
}
