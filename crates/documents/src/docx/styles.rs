//! Paragraph styles: which of them are headings, lists, references or tables of contents.

use std::collections::HashMap;

use crate::error::DocumentError;
use crate::xml::{Node, Xml};

#[derive(Clone, Debug, Default)]
pub(crate) struct ParagraphStyle {
    /// In lower case.
    pub name: String,
    /// For a heading, from 1.
    pub level: Option<u8>,
    pub is_reference: bool,
    pub is_contents: bool,
    pub is_item: bool,
}

pub(super) fn read(text: &str) -> Result<HashMap<String, ParagraphStyle>, DocumentError> {
    let mut styles = HashMap::new();
    let mut xml = Xml::new(text, "styles.xml");
    let (mut id, mut style, mut base) = (String::new(), ParagraphStyle::default(), None);
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(element) => {
                let value = || element.attribute("val").unwrap_or_default();
                match element.name.as_str() {
                    "style" => {
                        id = element.attribute("styleId").unwrap_or_default();
                        (style, base) = (ParagraphStyle::default(), None);
                    }
                    "name" => style = style_named(&value()),
                    "basedOn" => base = Some(value()),
                    "outlineLvl" => style.level = level(&value()).or(style.level),
                    "numPr" => style.is_item = true,
                    _ => {}
                }
            }
            Node::Close(name) if name == "style" => {
                let style = std::mem::take(&mut style);
                styles.insert(std::mem::take(&mut id), (style, base.take()));
            }
            _ => {}
        }
    }
    let resolved = { styles.iter() }.map(|(id, (style, base))| {
        let style = with_bases(style, base.as_ref(), &styles);
        (id.clone(), style)
    });
    Ok(resolved.collect())
}

/// A style with what it inherits from the styles that it is based on.
fn with_bases<'s>(
    style: &ParagraphStyle,
    mut base: Option<&'s String>,
    styles: &'s HashMap<String, (ParagraphStyle, Option<String>)>,
) -> ParagraphStyle {
    const MAX_BASES: usize = 12;
    let mut style = style.clone();
    for _ in 0..MAX_BASES {
        let Some((above, next)) = base.and_then(|id| styles.get(id)) else {
            break;
        };
        style.level = style.level.or(above.level);
        style.is_reference |= above.is_reference;
        base = next.as_ref();
    }
    style
}

/// The level of `w:outlineLvl`; 9 is body text.
pub(super) fn level(value: &str) -> Option<u8> {
    let level: u8 = value.parse().ok()?;
    (level < 9).then_some(level + 1)
}

/// The meaning of a style name. Word's built-in styles have English names in every language.
pub(super) fn style_named(name: &str) -> ParagraphStyle {
    let name = name.to_lowercase();
    let number = name
        .strip_prefix("heading ")
        .and_then(|n| n.trim().parse().ok());
    let is_list = ["bibliograph", "reference", "literatur", "bibliograf"]
        .iter()
        .any(|word| name.contains(word));
    let is_other = [
        "heading",
        "title",
        "char",
        "head",
        "überschrift",
        "footnote",
        "endnote ref",
    ]
    .iter()
    .any(|word| name.contains(word));
    ParagraphStyle {
        level: number,
        is_reference: is_list && !is_other && !name.contains("comment"),
        is_contents: name.starts_with("toc "),
        is_item: name.starts_with("list "),
        name,
    }
}

/// `Heading1` in the form of a style name: `Heading 1`.
pub(super) fn spaced(id: &str) -> String {
    let digits = id.len() - id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, number) = id.split_at(id.len() - digits);
    format!("{word} {number}").trim_end().to_owned()
}
