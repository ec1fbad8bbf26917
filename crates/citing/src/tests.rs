//! Shared fixtures of the engine's tests: one bibliography, two styles and a work by identifier.

use std::sync::Arc;

use citation_csl::{Compiled, Locale, Style};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::Sources;

pub struct TestSources;

impl Sources for TestSources {
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let library = b"@article{young, title={On light}, author={Young, Thomas}, year={1802}}";
        (name == "refs.bib").then(|| library.to_vec())
    }

    fn style(&self, name: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        let xml = match name {
            Some("notes") => NOTES.to_owned(),
            other => citation_embedded::style(other.unwrap_or("apa")).ok_or("no such style")?,
        };
        let style = Style::parse(&xml).map_err(|cause| cause.to_string())?;
        let find = |tag: &str| {
            Some(Arc::new(
                Locale::parse(&citation_embedded::locale(tag)?).ok()?,
            ))
        };
        Compiled::new(Arc::new(style), locale, &find).map_err(|cause| cause.to_string())
    }

    fn work(&self, key: &str) -> Option<Item> {
        (key == "doi:10.1/light").then(|| {
            let mut item = Item::new(key, ItemType::Book);
            item.set_text(TextVar::Title, "Opticks");
            item
        })
    }

    fn reference(&self, text: &str) -> Option<Item> {
        text.contains("Huygens").then(|| {
            let mut item = Item::new("", ItemType::Book);
            item.set_text(TextVar::Title, "Treatise on light");
            item
        })
    }
}

/// The sources with a chosen style.
pub struct StyledSources(pub &'static str);

impl Sources for StyledSources {
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        TestSources.file(name)
    }

    fn style(&self, _: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        TestSources.style(Some(self.0), locale)
    }

    fn work(&self, key: &str) -> Option<Item> {
        TestSources.work(key)
    }

    fn reference(&self, text: &str) -> Option<Item> {
        TestSources.reference(text)
    }
}

const NOTES: &str = r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="note" version="1.0">
  <info><title>Notes</title><id>notes</id><updated>2026-01-01T00:00:00Z</updated></info>
  <citation><layout suffix="." delimiter="; ">
    <group delimiter=", ">
      <names variable="author"><name form="short"/></names>
      <text variable="title" font-style="italic"/>
      <group delimiter=" "><label variable="locator" form="short"/><text variable="locator"/></group>
    </group>
  </layout></citation>
</style>"#;
