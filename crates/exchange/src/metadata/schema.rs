//! The OpenAPI schema of CitationMetadata, made from the tables for reading and writing.

use utoipa::openapi::schema::{AdditionalProperties, SchemaType, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::date::MAX_YEAR;
use super::limits::{KEYWORDS, MEMBERS, NAME_CHARS, SHORT_CHARS, text_chars};
use super::write::CitationMetadata;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// A person or institution in a list of names. Used only for its schema.
pub struct Author;

impl PartialSchema for Author {
    fn schema() -> RefOr<Schema> {
        let parts = [
            (
                "family",
                "The family name, or the whole name where there is only one.",
            ),
            ("given", "The given names or initials."),
            ("suffix", "What follows the name: Jr., III."),
            (
                "dropping_particle",
                "A particle left out where the family name stands alone.",
            ),
            (
                "non_dropping_particle",
                "A particle that stays with the family name.",
            ),
            (
                "literal",
                "An institution, or a name that must not be taken apart.",
            ),
            ("orcid", "ORCID iD without address."),
        ];
        parts
            .into_iter()
            .fold(ObjectBuilder::new(), |object, (name, about)| {
                object.property(name, text(about, NAME_CHARS))
            })
            .into()
    }
}

impl ToSchema for Author {
    fn name() -> std::borrow::Cow<'static, str> {
        "Author".into()
    }
}

impl PartialSchema for CitationMetadata<'_> {
    fn schema() -> RefOr<Schema> {
        let mut object = ObjectBuilder::new()
            .max_properties(Some(MEMBERS))
            .description(Some(
                "A bibliographic record. Absent members are unknown; members that the interface \
                 does not know are kept in `extra`.",
            ))
            .property(
                "id",
                text("Identifier of the caller's choice.", SHORT_CHARS),
            )
            .property("entry_type", entry_type())
            .property("csl_type", read_only("The CSL name of the type."))
            .property(
                "journal",
                text(
                    "The periodical; the same as `container_title`.",
                    text_chars(TextVar::ContainerTitle),
                ),
            )
            .property(
                "journal_abbreviation",
                text(
                    "The periodical's short title; the same as `container_title_short`.",
                    text_chars(TextVar::ContainerTitleShort),
                ),
            )
            .property(
                "keywords",
                ArrayBuilder::new()
                    .items(text("A keyword.", SHORT_CHARS))
                    .max_items(Some(KEYWORDS)),
            );
        for variable in TextVar::ALL.iter().filter(|v| **v != TextVar::Keyword) {
            object = object.property(
                variable.json_name(),
                text(about_text(*variable), text_chars(*variable)),
            );
        }
        for variable in NumberVar::ALL {
            object = object.property(
                variable.json_name(),
                text("A number or a range, as text.", SHORT_CHARS),
            );
        }
        for variable in NameVar::ALL {
            let list = ArrayBuilder::new().items(Ref::from_schema_name("Author"));
            object = object.property(variable.json_name(), list);
        }
        for variable in DateVar::ALL {
            object = object.property(variable.json_name(), date());
        }
        object
            .property("provenance", provenance())
            .property("updates", ArrayBuilder::new().items(update()))
            .property("open_access", open_access())
            .property(
                "library_url",
                read_only("The work at the instance's library, if it has a link resolver. Only on request."),
            )
            .property(
                "extra",
                ObjectBuilder::new()
                    .description(Some("Members outside the interface, at most 32 KiB."))
                    .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true))),
            )
            .into()
    }
}

impl ToSchema for CitationMetadata<'_> {
    fn name() -> std::borrow::Cow<'static, str> {
        "CitationMetadata".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("Author".to_owned(), Author::schema()));
    }
}

fn open_access() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .description(Some(
            "A copy of the text that anybody may read. Only on request; null if none is known.",
        ))
        .read_only(true)
        .property("url", described("Its address: http or https."))
        .property(
            "version",
            described("`published`, `accepted` or `submitted`; null if unknown."),
        )
        .property(
            "license",
            described("`cc-by-4.0`, or as the source writes it."),
        )
        .property(
            "source",
            described("Who says so: a source, or `pmc` for PubMed Central."),
        )
}

fn text(about: &str, most: usize) -> ObjectBuilder {
    described(about).max_length(Some(most))
}

/// A text that only the server writes.
fn described(about: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(about))
}

fn read_only(about: &str) -> ObjectBuilder {
    described(about).read_only(true)
}

fn between(least: i32, most: i32, about: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .description(Some(about))
        .minimum(Some(least))
        .maximum(Some(most))
}

fn entry_type() -> ObjectBuilder {
    described(
        "The type. Names of CSL, BibTeX, RIS, Crossref and Zotero are understood as well; \
         unknown ones become Document.",
    )
    .enum_values(Some(ItemType::ALL.iter().map(|kind| kind.json_name())))
}

fn about_text(variable: TextVar) -> &'static str {
    match variable {
        TextVar::Abstract => "Left out unless asked for with `include=abstract`.",
        TextVar::Doi => "The DOI, bare and in lower case.",
        TextVar::Isbn => "ISBN-13 without hyphens; several are parted by commas.",
        TextVar::Issn => "ISSN with its hyphen; several are parted by commas.",
        TextVar::Title => "May hold <i>, <b>, <sup>, <sub> and <span class=\"nocase\">.",
        TextVar::Language => "BCP 47 language tag.",
        _ => "Text.",
    }
}

fn date_parts() -> ObjectBuilder {
    ObjectBuilder::new()
        .property(
            "year",
            between(-MAX_YEAR, MAX_YEAR, "Astronomical year; may be negative."),
        )
        .property(
            "month",
            between(1, 24, "The month; 13 to 24 are seasons, four to a round."),
        )
        .property("day", between(1, 31, "The day."))
        .property("season", between(1, 4, "1 (spring) to 4 (winter)."))
}

fn date() -> ObjectBuilder {
    date_parts()
        .property(
            "circa",
            ObjectBuilder::new()
                .schema_type(Type::Boolean)
                .description(Some("Whether the date is approximate.")),
        )
        .property(
            "end",
            date_parts().property(
                "open",
                ObjectBuilder::new()
                    .schema_type(Type::Boolean)
                    .description(Some("Whether the range is still going on.")),
            ),
        )
        .property(
            "literal",
            text("A date that cannot be taken apart.", SHORT_CHARS),
        )
}

fn provenance() -> ObjectBuilder {
    ObjectBuilder::new()
        .read_only(true)
        .property(
            "source",
            described("local, crossref, datacite, openlibrary, collection and others."),
        )
        .property("fetched_at", described("ISO 8601, UTC."))
        .property("url", described("An address that shows the record."))
        .property("license", described("The licence of the metadata."))
}

fn update() -> ObjectBuilder {
    ObjectBuilder::new()
        .read_only(true)
        .property(
            "type",
            described(
                "retraction, withdrawal, expression_of_concern, correction, reinstatement, …",
            ),
        )
        .property(
            "relation",
            described("updated_by, or update_to for the notice itself."),
        )
        .property("doi", described("The other work."))
        .property("date", described("ISO 8601."))
        .property("source", described("Who says so."))
        .property(
            "reasons",
            ArrayBuilder::new()
                .description(Some("Why, in the words of the source."))
                .items(text("A reason.", SHORT_CHARS)),
        )
}
