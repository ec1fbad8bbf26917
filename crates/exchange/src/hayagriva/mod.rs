//! The YAML of Hayagriva, which Typst reads (its `docs/file-format.md`, version 0.10). It is written
//! and not read.

mod entry;
mod text;
mod yaml;

use crate::{keys, spend_written};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// Writes items as a document of one mapping, each under a key of its own ([`keys::for_export`]).
/// Where one value breaks a rule of the format, the whole document is refused; what the format has no
/// place for is therefore left out: ranges of dates, years of five digits, addresses other than those
/// of the web.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let keys = keys::for_export(items, keys::Letters::Any);
    let mut out = String::new();
    for (key, item) in keys.iter().zip(items) {
        let before = out.len();
        yaml::write_member(key, &entry::of(item), &mut out);
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
    use crate::{Format, read};

    #[track_caller]
    fn check(bibtex: &str, expected: &str) {
        let budget = Budget::unlimited();
        let reading = read(bibtex, Format::Biblatex, &budget).unwrap();
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
    fn what_belongs_to_the_book_stands_with_the_book() {
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
    fn nothing_is_an_empty_mapping() {
        check("", "{}\n");
    }
}
