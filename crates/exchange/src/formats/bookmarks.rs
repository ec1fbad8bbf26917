//! Browser bookmarks (Netscape bookmark file): read as web pages, and written for works that have an address.
//! Works without one are left out, so writing is a format of its own.

use crate::cost::spend_written;
use crate::format::{Format, KeyRule};
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::tokens;
use crate::syntax::xml::write::{escaped, plain};
use citation_fields::clean::{cut, decode_entities, plain as without_markup};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::keywords;
use citation_model::budget::{Budget, Exceeded};
use citation_model::inert::link;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
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

pub static BROWSER_BOOKMARKS: Format = Format {
    id: "browser-bookmarks",
    title: "Browser bookmarks",
    media_types: &[],
    extensions: &[],
    recognise: |content, _| {
        let mut lines = content.lines();
        lines.next().is_some_and(|line| {
            let line = line.to_ascii_lowercase();
            line.starts_with("<!doctype netscape-bookmark-file")
        })
    },
    read: Some(|content, budget| read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<DT><A HREF=\"",
            "\" TAGS=\"a,b\">",
            "</A>",
            "<DD>",
            "<H3>",
            "https://example.org/",
        ],
    ],
};

/// Maximum bytes of a tag or a title. A tag may contain an icon; longer ones are not read.
const MAX_TAG: usize = 16 * 1024;

/// Reads every link to the web. Folders and the browser's own addresses are no works.
fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut reading = ReadingBuilder::new(text, budget)?;
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        let offset = text.len() - rest.len() + before.len();
        rest = behind;
        let is_link = behind
            .get(..2)
            .is_some_and(|tag| tag.eq_ignore_ascii_case("a "));
        let Some((tag, _)) = cut(behind, MAX_TAG).split_once('>').filter(|_| is_link) else {
            continue;
        };
        let behind = behind.get(tag.len() + 1..).unwrap_or_default();
        rest = behind;
        let address = decode_entities(attribute(tag, "href"));
        let Some(address) = link::parse(&address) else {
            continue;
        };
        if reading.is_full(offset) {
            continue;
        }
        let title = cut(behind, MAX_TAG).split('<').next().unwrap_or_default();
        reading.spend(2, tag.len() + title.len())?;
        let mut item = ItemBuilder::new(offset);
        item.set_kind(ItemType::Webpage);
        item.text(TextVar::Title, &without_markup(title));
        item.address(address);
        let tags = decode_entities(attribute(tag, "tags"));
        tags.split(',').for_each(|word| item.keyword(word));
        let (item, notices) = item.finish();
        reading.add(item, "bookmark", offset, notices);
    }
    Ok(reading.finish())
}

/// The value of an attribute in quotation marks; empty if there is none.
fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let mut parts = tag.split('"');
    while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
        let own = before.trim().trim_end_matches('=').rsplit(' ').next();
        if own.is_some_and(|own| own.eq_ignore_ascii_case(name)) {
            return value;
        }
    }
    ""
}

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
            let tags = if tags.is_empty() {
                String::new()
            } else {
                format!(" TAGS=\"{}\"", escaped(&tags.join(",")))
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
    fn bookmarks_are_web_pages() {
        crate::testing::check_read(
            &BROWSER_BOOKMARKS,
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><H3>Folder</H3>\n<DT><A HREF=\"https://x.org/?a=1&amp;b=2\" ADD_DATE=\"1\" TAGS=\"k,l\">A &amp; b</A>\n<DD>Said\n<DT><A HREF=\"place:sort=8\">Recent</A>\n<DT><A HREF=\"https://doi.org/10.5555/x\">D</a>",
            r#"[{"type": "webpage", "title": "A & b", "URL": "https://x.org/?a=1&b=2", "keyword": "k, l"},
                {"title": "D", "DOI": "10.5555/x"}]"#,
        );
    }

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
