//! Installed citation styles: their descriptions, files and aliases.

use rusqlite::types::Value;
use rusqlite::{Row, Transaction, params, params_from_iter};

use super::{Store, StoreError};

/// Compression level of the files. They are written once and rarely read.
const LEVEL: i32 = 12;

/// The largest style file, in bytes.
pub const MAX_STYLE_BYTES: usize = 4 << 20;

/// A style's description, without its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyleRow {
    /// The short name: `apa`.
    pub id: String,
    /// The style's own address.
    pub uri: String,
    pub title: String,
    pub title_short: Option<String>,
    /// The short name of a dependent style's parent.
    pub parent: Option<String>,
    pub default_locale: Option<String>,
    /// The CSL spelling: `author-date`.
    pub citation_format: Option<String>,
    pub fields: Vec<String>,
    pub issn: Vec<String>,
    pub updated: Option<String>,
    pub license: Option<String>,
    pub has_bibliography: bool,
}

/// The columns that [`style_row`] reads.
macro_rules! style_columns {
    () => {
        "id, uri, title, title_short, parent, default_locale, citation_format, fields, issn, \
         updated, license, has_bibliography"
    };
}

pub(super) use style_columns;

/// The counter of installations and removals.
const STATE: &str = "styles";

impl Store {
    /// The descriptions of all installed styles, in the order of their short names.
    pub fn styles(&self) -> Result<Vec<StyleRow>, StoreError> {
        let sql = concat!("SELECT ", style_columns!(), " FROM styles ORDER BY id");
        self.all(sql, [], style_row)
    }

    /// The file of an installed style.
    pub fn style_xml(&self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT xml FROM styles WHERE id = ?1";
        let packed: Option<Vec<u8>> = self.value(sql, [id])?;
        packed.map(|packed| unpack(id, &packed)).transpose()
    }

    /// A text that changes whenever styles are installed or removed, by any process.
    pub fn styles_state(&self) -> Result<Option<String>, StoreError> {
        self.fact(STATE)
    }

    /// Aliases of installed styles, as pairs of alias and style.
    pub fn style_aliases(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT alias, style FROM style_aliases";
        self.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Installs styles, replacing those with the same name, and their aliases, in one
    /// transaction. `each` is called with the number done so far.
    pub fn install_styles(
        &self,
        styles: &[(StyleRow, String)],
        aliases: &[(String, String)],
        each: &mut dyn FnMut(usize),
    ) -> Result<(), StoreError> {
        let mut packed = Vec::with_capacity(styles.len());
        for (done, (_, xml)) in styles.iter().enumerate() {
            packed.push(pack(xml)?);
            each(done + 1);
        }
        self.write_bulk(|transaction| {
            let mut insert = transaction.prepare(concat!(
                "INSERT INTO styles (",
                style_columns!(),
                ", xml)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT (id) DO UPDATE SET uri = excluded.uri, title = excluded.title,
                     title_short = excluded.title_short, parent = excluded.parent,
                     default_locale = excluded.default_locale,
                     citation_format = excluded.citation_format, fields = excluded.fields,
                     issn = excluded.issn, updated = excluded.updated,
                     license = excluded.license,
                     has_bibliography = excluded.has_bibliography, xml = excluded.xml"
            ))?;
            for ((row, _), packed) in styles.iter().zip(packed) {
                insert.execute(params_from_iter(style_values(row, packed)))?;
            }
            // Aliases of styles that were not installed are omitted.
            let mut alias = transaction.prepare(
                "INSERT OR REPLACE INTO style_aliases (alias, style)
                 SELECT ?1, id FROM styles WHERE id = ?2",
            )?;
            for (name, style) in aliases {
                alias.execute(params![name, style])?;
            }
            note_change(transaction)
        })
    }

    /// Removes a style; returns whether there was one.
    pub fn remove_style(&self, id: &str) -> Result<bool, StoreError> {
        self.write_bulk(|transaction| {
            let removed = transaction.execute("DELETE FROM styles WHERE id = ?1", [id])? > 0;
            note_change(transaction)?;
            Ok(removed)
        })
    }
}

fn note_change(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO meta (key, value) VALUES (?1, '1')
         ON CONFLICT (key) DO UPDATE SET value = value + 1",
        [STATE],
    )?;
    Ok(())
}

/// The values of `style_columns` and `xml`.
pub(super) fn style_values(row: &StyleRow, packed: Vec<u8>) -> [Value; 13] {
    [
        row.id.clone().into(),
        row.uri.clone().into(),
        row.title.clone().into(),
        row.title_short.clone().into(),
        row.parent.clone().into(),
        row.default_locale.clone().into(),
        row.citation_format.clone().into(),
        row.fields.join(" ").into(),
        row.issn.join(" ").into(),
        row.updated.clone().into(),
        row.license.clone().into(),
        row.has_bibliography.into(),
        packed.into(),
    ]
}

/// A style's file in the stored form.
pub(super) fn pack(xml: &str) -> Result<Vec<u8>, StoreError> {
    Ok(zstd::bulk::compress(xml.as_bytes(), LEVEL)?)
}

/// A style's file from a row.
pub(super) fn unpack(id: &str, packed: &[u8]) -> Result<String, StoreError> {
    let xml = zstd::bulk::decompress(packed, MAX_STYLE_BYTES)
        .map_err(|cause| StoreError::Corrupt(format!("style {id}: {cause}")))?;
    String::from_utf8(xml).map_err(|_| StoreError::Corrupt(format!("style {id} is not UTF-8")))
}

pub(super) fn style_row(row: &Row<'_>) -> Result<StyleRow, StoreError> {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    Ok(StyleRow {
        id: row.get(0)?,
        uri: row.get(1)?,
        title: row.get(2)?,
        title_short: row.get(3)?,
        parent: row.get(4)?,
        default_locale: row.get(5)?,
        citation_format: row.get(6)?,
        fields: words(row.get(7)?),
        issn: words(row.get(8)?),
        updated: row.get(9)?,
        license: row.get(10)?,
        has_bibliography: row.get(11)?,
    })
}
