//! Writes works that have an address as browser bookmarks (Netscape bookmark file).

use crate::format::{Format, KeyRule};
use crate::spend_written;
use crate::xml::write::{escaped, plain};
use citation_fields::keywords;
use citation_model::budget::{Budget, Exceeded};
use citation_model::inert::link;
use citation_model::item::Item;
use citation_model::variable::TextVar;

pub static BOOKMARKS: Format = Format {
    id: "bookmarks",
    title: "Bookmarks",
    media_types: &["text/html"],
    extensions: &["bookmarks.html"],
    recognise: |_, _| false,
    read: None,
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[],
};

fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::from(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n",
    );
    for item in items {
        let before = out.len();
        let own = item.text(TextVar::Url).and_then(link::parse);
        let own = own.map(str::to_owned);
        if let Some(address) = own.or_else(|| Some(item.doi()?.url())) {
            let title = item.text(TextVar::Title).map(plain);
            let title = title.unwrap_or_else(|| address.clone());
            let words = item.text(TextVar::Keyword).unwrap_or_default();
            let tags: Vec<&str> = keywords::split(words).collect();
            let tags = match tags.is_empty() {
                true => String::new(),
                false => format!(" TAGS=\"{}\"", escaped(&tags.join(","))),
            };
            let (address, title) = (escaped(&address), escaped(&title));
            out.push_str(&format!(
                "    <DT><A HREF=\"{address}\"{tags}>{title}</A>\n"
            ));
        }
        spend_written(budget, out.len() - before)?;
    }
    out.push_str("</DL><p>\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::items;

    #[test]
    fn works_with_an_address_are_bookmarks() {
        let items = items(
            r#"[{"type": "webpage", "title": "A <i>b</i> & c", "URL": "https://x.org/?a=1&b=2", "keyword": "k; l"},
                {"type": "book", "title": "None"}, {"type": "webpage", "title": "Run", "URL": "javascript:alert(1)"}, {"type": "article-journal", "title": "D", "DOI": "10.5555/x"}]"#,
        );
        let written = write(&items, &Budget::unlimited()).unwrap();
        assert!(written.contains("<A HREF=\"https://x.org/?a=1&amp;b=2\" TAGS=\"k,l\">A b &amp; c</A>\n    <DT><A HREF=\"https://doi.org/10.5555/x\">D</A>\n</DL>"), "{written}");
    }
}
