//! Writes items as a table with the columns of Zotero, which this and other programs can read.

use super::columns::ColumnTarget;
use super::people::cell_of;
use crate::cost::spend_written;
use crate::syntax::tagged::without_stop;
use citation_fields::parts::type_name;
use citation_model::budget::{Budget, Exceeded};
use citation_model::inert::table;
use citation_model::item::Item;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

const COLUMNS: &[(&str, ColumnTarget)] = {
    use ColumnTarget::*;
    &[
        ("Key", Key),
        ("Item Type", Kind),
        ("Publication Year", Year),
        ("Author", Names(NameVar::Author)),
        ("Title", Text(TextVar::Title)),
        ("Publication Title", Text(TextVar::ContainerTitle)),
        ("ISBN", Text(TextVar::Isbn)),
        ("ISSN", Text(TextVar::Issn)),
        ("DOI", Text(TextVar::Doi)),
        ("PMID", Text(TextVar::Pmid)),
        ("PMCID", Text(TextVar::Pmcid)),
        ("Url", Text(TextVar::Url)),
        ("Abstract Note", Text(TextVar::Abstract)),
        ("Date", Date(DateVar::Issued)),
        ("Access Date", Date(DateVar::Accessed)),
        ("Pages", Number(NumberVar::Page)),
        ("Num Pages", Number(NumberVar::NumberOfPages)),
        ("Issue", Number(NumberVar::Issue)),
        ("Volume", Number(NumberVar::Volume)),
        ("Number Of Volumes", Number(NumberVar::NumberOfVolumes)),
        ("Journal Abbreviation", Text(TextVar::ContainerTitleShort)),
        ("Short Title", Text(TextVar::TitleShort)),
        ("Series", Text(TextVar::CollectionTitle)),
        ("Series Number", Number(NumberVar::CollectionNumber)),
        ("Publisher", Text(TextVar::Publisher)),
        ("Place", Text(TextVar::PublisherPlace)),
        ("Language", Text(TextVar::Language)),
        ("Rights", Text(TextVar::License)),
        ("Type", Text(TextVar::Genre)),
        ("Archive", Text(TextVar::Archive)),
        ("Archive Location", Text(TextVar::ArchiveLocation)),
        ("Library Catalog", Text(TextVar::Source)),
        ("Call Number", Text(TextVar::CallNumber)),
        ("Extra", Text(TextVar::Note)),
        ("Manual Tags", Text(TextVar::Keyword)),
        ("Editor", Names(NameVar::Editor)),
        ("Series Editor", Names(NameVar::CollectionEditor)),
        ("Translator", Names(NameVar::Translator)),
        ("Book Author", Names(NameVar::ContainerAuthor)),
        ("Number", Number(NumberVar::Number)),
        ("Edition", Number(NumberVar::Edition)),
        ("Medium", Text(TextVar::Medium)),
        ("Conference Name", Text(TextVar::EventTitle)),
        ("Conference Location", Text(TextVar::EventPlace)),
        ("Conference Date", Date(DateVar::EventDate)),
        ("Version", Number(NumberVar::Version)),
        ("Section", Number(NumberVar::Section)),
        ("Scale", Text(TextVar::Scale)),
        ("Composer", Names(NameVar::Composer)),
        ("Director", Names(NameVar::Director)),
        ("Interviewer", Names(NameVar::Interviewer)),
        ("Performer", Names(NameVar::Performer)),
        ("Recipient", Names(NameVar::Recipient)),
        ("Reviewed Author", Names(NameVar::ReviewedAuthor)),
        ("Reviewed Title", Text(TextVar::ReviewedTitle)),
        ("Authority", Text(TextVar::Authority)),
        ("Dimensions", Text(TextVar::Dimensions)),
        ("Original Date", Date(DateVar::OriginalDate)),
        ("Submitted", Date(DateVar::Submitted)),
    ]
};

pub(super) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut out = names.join(",");
    out.push('\n');
    for item in items {
        let before = out.len();
        for (at, (_, source)) in COLUMNS.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            table::write_cell(&cell(item, *source), &mut out);
        }
        out.push('\n');
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

fn cell(item: &Item, source: ColumnTarget) -> String {
    let text = match source {
        ColumnTarget::Key => Some(item.id.as_str()),
        ColumnTarget::Kind => Some(type_name(item.kind)),
        ColumnTarget::Year => return item.year().map(|year| year.to_string()).unwrap_or_default(),
        // Databases end titles in a full stop.
        ColumnTarget::Text(TextVar::Title) => item.text(TextVar::Title).map(without_stop),
        ColumnTarget::Text(variable) => item.text(variable),
        ColumnTarget::Number(variable) => item.number(variable),
        ColumnTarget::Date(variable) => {
            return item
                .date(variable)
                .map(|date| date.edtf())
                .unwrap_or_default();
        }
        ColumnTarget::Names(variable) => {
            let names: Vec<String> = item.names(variable).iter().map(cell_of).collect();
            return names.join("; ");
        }
        // Only read.
        ColumnTarget::DatabaseKind
        | ColumnTarget::Month
        | ColumnTarget::Day
        | ColumnTarget::PageLast
        | ColumnTarget::Citation => None,
    };
    text.unwrap_or_default().to_owned()
}
