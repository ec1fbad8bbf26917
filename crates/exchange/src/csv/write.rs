//! Writes items as a table with the columns of Zotero, which this and other programs can read.

use super::table::quote;
use crate::parts::type_name;
use crate::spend_written;
use crate::tagged::inverted;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// The source of a column.
enum Source {
    Key,
    Kind,
    Year,
    Text(TextVar),
    Number(NumberVar),
    Date(DateVar),
    Names(NameVar),
}

const COLUMNS: &[(&str, Source)] = &[
    ("Key", Source::Key),
    ("Item Type", Source::Kind),
    ("Publication Year", Source::Year),
    ("Author", Source::Names(NameVar::Author)),
    ("Title", Source::Text(TextVar::Title)),
    ("Publication Title", Source::Text(TextVar::ContainerTitle)),
    ("ISBN", Source::Text(TextVar::Isbn)),
    ("ISSN", Source::Text(TextVar::Issn)),
    ("DOI", Source::Text(TextVar::Doi)),
    ("PMID", Source::Text(TextVar::Pmid)),
    ("PMCID", Source::Text(TextVar::Pmcid)),
    ("Url", Source::Text(TextVar::Url)),
    ("Abstract Note", Source::Text(TextVar::Abstract)),
    ("Date", Source::Date(DateVar::Issued)),
    ("Access Date", Source::Date(DateVar::Accessed)),
    ("Pages", Source::Number(NumberVar::Page)),
    ("Num Pages", Source::Number(NumberVar::NumberOfPages)),
    ("Issue", Source::Number(NumberVar::Issue)),
    ("Volume", Source::Number(NumberVar::Volume)),
    (
        "Number Of Volumes",
        Source::Number(NumberVar::NumberOfVolumes),
    ),
    (
        "Journal Abbreviation",
        Source::Text(TextVar::ContainerTitleShort),
    ),
    ("Short Title", Source::Text(TextVar::TitleShort)),
    ("Series", Source::Text(TextVar::CollectionTitle)),
    ("Series Number", Source::Number(NumberVar::CollectionNumber)),
    ("Publisher", Source::Text(TextVar::Publisher)),
    ("Place", Source::Text(TextVar::PublisherPlace)),
    ("Language", Source::Text(TextVar::Language)),
    ("Rights", Source::Text(TextVar::License)),
    ("Type", Source::Text(TextVar::Genre)),
    ("Archive", Source::Text(TextVar::Archive)),
    ("Archive Location", Source::Text(TextVar::ArchiveLocation)),
    ("Library Catalog", Source::Text(TextVar::Source)),
    ("Call Number", Source::Text(TextVar::CallNumber)),
    ("Extra", Source::Text(TextVar::Note)),
    ("Manual Tags", Source::Text(TextVar::Keyword)),
    ("Editor", Source::Names(NameVar::Editor)),
    ("Series Editor", Source::Names(NameVar::CollectionEditor)),
    ("Translator", Source::Names(NameVar::Translator)),
    ("Book Author", Source::Names(NameVar::ContainerAuthor)),
    ("Number", Source::Number(NumberVar::Number)),
    ("Edition", Source::Number(NumberVar::Edition)),
    ("Medium", Source::Text(TextVar::Medium)),
    ("Conference Name", Source::Text(TextVar::EventTitle)),
    ("Conference Location", Source::Text(TextVar::EventPlace)),
    ("Conference Date", Source::Date(DateVar::EventDate)),
    ("Version", Source::Number(NumberVar::Version)),
    ("Section", Source::Number(NumberVar::Section)),
    ("Scale", Source::Text(TextVar::Scale)),
    ("Composer", Source::Names(NameVar::Composer)),
    ("Director", Source::Names(NameVar::Director)),
    ("Interviewer", Source::Names(NameVar::Interviewer)),
    ("Performer", Source::Names(NameVar::Performer)),
    ("Recipient", Source::Names(NameVar::Recipient)),
    ("Reviewed Author", Source::Names(NameVar::ReviewedAuthor)),
    ("Reviewed Title", Source::Text(TextVar::ReviewedTitle)),
    ("Authority", Source::Text(TextVar::Authority)),
    ("Dimensions", Source::Text(TextVar::Dimensions)),
    ("Original Date", Source::Date(DateVar::OriginalDate)),
    ("Submitted", Source::Date(DateVar::Submitted)),
];

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
            quote(&cell(item, source), &mut out);
        }
        out.push('\n');
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

fn cell(item: &Item, source: &Source) -> String {
    let text = match source {
        Source::Key => Some(item.id.as_str()),
        Source::Kind => Some(type_name(item.kind)),
        Source::Year => return item.year().map(|year| year.to_string()).unwrap_or_default(),
        Source::Text(variable) => item.text(*variable),
        Source::Number(variable) => item.number(*variable),
        Source::Date(variable) => {
            return item
                .date(*variable)
                .map(|date| date.edtf())
                .unwrap_or_default();
        }
        Source::Names(variable) => {
            let names: Vec<String> = item.names(*variable).iter().map(inverted).collect();
            return names.join("; ");
        }
    };
    text.unwrap_or_default().to_owned()
}
