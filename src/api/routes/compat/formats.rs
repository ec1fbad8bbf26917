//! File formats under the names of Zotero's services: translation-server's `/export` and
//! the `format` and `include` of Zotero's web API.

use crate::api::edge::reply::Reply;
use citation_exchange::{
    self as exchange, BIBLATEX, BIBTEX, BOOKMARKS, CSL_JSON, CSV, DUBLIN_CORE, ENDNOTE_XML, Format,
    MODS, RDF, REFER, REFWORKS, RIS, TEI, WIKIPEDIA, WriteOptions, linked,
};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// A format of Zotero that can be written.
pub struct ZoteroFormat {
    pub name: &'static str,
    /// Its translator in Zotero.
    pub translator: &'static str,
    pub media_type: &'static str,
    write: Written,
}

#[derive(Clone, Copy)]
enum Written {
    As(&'static Format),
    /// Zotero reads it with another translator, or not at all.
    Only(&'static Format),
    Coins,
    Rdf,
}

/// All formats. Zotero has one more, evernote.
pub static FORMATS: [ZoteroFormat; 16] = [
    row(
        "bibtex",
        "9cb70025-a888-4a29-a210-93ec52da40d4",
        "application/x-bibtex",
        Written::As(&BIBTEX),
    ),
    row(
        "biblatex",
        "b6e39b57-8942-4d11-8259-342c46ce395f",
        "application/x-bibtex",
        Written::As(&BIBLATEX),
    ),
    row(
        "bookmarks",
        "4e7119e0-02be-4848-86ef-79a64185aad8",
        "text/html",
        Written::Only(&BOOKMARKS),
    ),
    row(
        "coins",
        "05d07af9-105a-4572-99f6-a8e231c0daef",
        "text/html",
        Written::Coins,
    ),
    row(
        "csljson",
        "bc03b4fe-436d-4a1f-ba59-de4d2d7a63f7",
        "application/json",
        Written::As(&CSL_JSON),
    ),
    row(
        "csv",
        "25f4c5e2-d790-4daa-a667-797619c7e2f2",
        "text/csv",
        Written::As(&CSV),
    ),
    row(
        "endnote_xml",
        "eb7059a4-35ec-4961-a915-3cf58eb9784b",
        "text/xml",
        Written::As(&ENDNOTE_XML),
    ),
    row(
        "mods",
        "0e2235e7-babf-413c-9acf-f27cce5f059c",
        "application/mods+xml",
        Written::As(&MODS),
    ),
    row(
        "rdf_bibliontology",
        "14763d25-8ba0-45df-8f52-b8d1108e7ac9",
        "application/rdf+xml",
        Written::Rdf,
    ),
    row(
        "rdf_dc",
        "6e372642-ed9d-4934-b5d1-c11ac758ebb7",
        "application/rdf+xml",
        Written::Only(&DUBLIN_CORE),
    ),
    row(
        "rdf_zotero",
        "14763d24-8ba0-45df-8f52-b8d1108e7ac9",
        "application/rdf+xml",
        Written::Only(&RDF),
    ),
    row(
        "refer",
        "881f60f2-0802-411a-9228-ce5f47b64c7d",
        "application/x-research-info-systems",
        Written::As(&REFER),
    ),
    row(
        "refworks_tagged",
        "1a3506da-a303-4b0a-a1cd-f216e6138d86",
        "text/plain",
        Written::As(&REFWORKS),
    ),
    row(
        "ris",
        "32d59d2d-b65a-4da4-b0a3-bdd3cfb979e7",
        "application/x-research-info-systems",
        Written::As(&RIS),
    ),
    row(
        "tei",
        "032ae9b7-ab90-9205-a479-baf81f49184a",
        "text/xml",
        Written::Only(&TEI),
    ),
    row(
        "wikipedia",
        "3f50aaac-7acc-4350-acd0-59cb77faf620",
        "text/x-wiki",
        Written::Only(&WIKIPEDIA),
    ),
];

const fn row(
    name: &'static str,
    translator: &'static str,
    media_type: &'static str,
    write: Written,
) -> ZoteroFormat {
    ZoteroFormat {
        name,
        translator,
        media_type,
        write,
    }
}

impl ZoteroFormat {
    pub fn named(name: &str) -> Option<&'static ZoteroFormat> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Zotero's name of a format, if it has one.
    pub fn of(format: &Format) -> Option<&'static ZoteroFormat> {
        FORMATS
            .iter()
            .find(|known| matches!(known.write, Written::As(written) if written == format))
    }

    pub fn write(&self, items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
        match self.write {
            Written::As(format) | Written::Only(format) => {
                exchange::write(items, format, &WriteOptions::default(), budget)
            }
            Written::Coins => linked::coins(items, budget),
            Written::Rdf => linked::rdf_xml(items, budget),
        }
    }

    pub fn reply(&self, items: &[Item], budget: &Budget) -> Result<Reply, Exceeded> {
        Ok(Reply::bytes(self.media_type, self.write(items, budget)?))
    }
}
