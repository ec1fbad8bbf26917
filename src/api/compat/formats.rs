//! The formats of files by the names that Zotero's services give them: translation-server's `/export` and
//! the `format` and `include` of Zotero's web API.

use crate::api::reply::Reply;
use citation_exchange::{
    self as exchange, BIBLATEX, BIBTEX, CSL_JSON, CSV, ENDNOTE_XML, Format, MODS, REFER, RIS,
    WriteOptions, linked,
};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

/// A format of Zotero's that is written here.
pub struct ZoteroFormat {
    pub name: &'static str,
    /// The translator that has it in Zotero.
    pub translator: &'static str,
    pub media_type: &'static str,
    write: Written,
}

#[derive(Clone, Copy)]
enum Written {
    As(&'static Format),
    Coins,
    Rdf,
}

/// Every one. Zotero has more: bookmarks, evernote, rdf_dc, rdf_zotero, refworks_tagged, tei, wikipedia.
pub static FORMATS: [ZoteroFormat; 10] = [
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
        "refer",
        "881f60f2-0802-411a-9228-ce5f47b64c7d",
        "application/x-research-info-systems",
        Written::As(&REFER),
    ),
    row(
        "ris",
        "32d59d2d-b65a-4da4-b0a3-bdd3cfb979e7",
        "application/x-research-info-systems",
        Written::As(&RIS),
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

    /// Zotero's own of a format, where it has one.
    pub fn of(format: &Format) -> Option<&'static ZoteroFormat> {
        FORMATS
            .iter()
            .find(|known| matches!(known.write, Written::As(written) if written == format))
    }

    pub fn write(&self, items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
        match self.write {
            Written::As(format) => exchange::write(items, format, &WriteOptions::default(), budget),
            Written::Coins => linked::coins(items, budget),
            Written::Rdf => linked::rdf_xml(items, budget),
        }
    }

    pub fn reply(&self, items: &[Item], budget: &Budget) -> Result<Reply, Exceeded> {
        Ok(Reply::bytes(self.media_type, self.write(items, budget)?))
    }
}
