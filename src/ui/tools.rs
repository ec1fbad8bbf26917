//! The tools around the pages: bookmarklet, browser extension, embedded box, pandoc and language models.

use super::words::Words;
use askama::Template;
use citation_model::identifier::percent_encode;

/// The page.
#[derive(Default, Template)]
#[template(path = "tools.html")]
pub struct ToolsPage<'p> {
    pub words: Words,
    /// The server's address, without a slash at its end.
    pub base: &'p str,
    /// Whether other sites may embed the box.
    pub is_embeddable: bool,
    /// Whether `/mcp` answers.
    pub has_mcp: bool,
}

impl ToolsPage<'_> {
    /// The bookmarklet, which sends the metadata of the open page: the same as in `examples/extension`.
    fn bookmarklet(&self) -> String {
        const CODE: &str = "javascript:(()=>{const p=[...document.querySelectorAll(\"title,meta[name],\
            meta[property],link[rel~=canonical],script[type='application/ld+json']\")]\
            .map(e=>e.outerHTML).join(\"\").slice(0,60000);open(\"BASE/#page/\"+encodeURIComponent(\
            JSON.stringify({url:location.href,html:\"<!doctype html><html><head>\"+p+\"</head></html>\"})))})()";
        CODE.replace("BASE", self.base)
    }

    /// The address of the embedded box with one work.
    fn box_address(&self) -> String {
        let query = percent_encode("10.1038/171737a0");
        format!(
            "{}/embed?q={query}&style=apa&locale=en-US&theme=light",
            self.base
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarklet_opens_this_server() {
        let page = ToolsPage {
            base: "http://cite.test",
            ..ToolsPage::default()
        };
        let code = page.bookmarklet();
        assert!(code.contains("open(\"http://cite.test/#page/\""), "{code}");
        // The page shows it as a link, escaped.
        assert!(page.to_string().contains("href=\"javascript:(()=&#62;{"));
    }
}
