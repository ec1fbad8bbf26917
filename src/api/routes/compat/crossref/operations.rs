//! The OpenAPI descriptions.

use crate::api::error::Code;
use crate::api::openapi::operation::Operation;
use crate::api::routes::representation::OF_DOIS;

pub fn work_operation() -> Operation {
    described("crossref_work", "A work, in the format of Crossref's REST API")
        .describe("`…/agency` returns the DOI's registration agency; `…/transform/{media type}` returns another representation. Costs one lookup.")
        .path("doi", "The DOI; its slash need not be encoded.")
        .reply_text(200, "The response in Crossref's envelope, or the requested representation.", std::iter::once("application/json").chain(OF_DOIS.iter().map(|(media_type, _)| *media_type)))
        .codes(&[Code::WorkNotFound, Code::NotAcceptable, Code::UnknownStyle, Code::UpstreamError, Code::UpstreamTimeout])
}

pub fn works_operation() -> Operation {
    of_list(described(
        "crossref_works",
        "Works of the corpus for a query, in the format of Crossref's REST API",
    ))
}

pub fn works_of_journal_operation() -> Operation {
    let operation = described("crossref_works_of_journal", "The same for one journal");
    of_list(operation.path("issn", "The journal's ISSN."))
}

pub fn journal_operation() -> Operation {
    described(
        "crossref_journal",
        "A journal, in the format of Crossref's REST API",
    )
    .describe("From Crossref. Costs one lookup.")
    .path("issn", "The journal's ISSN.")
    .codes(&[
        Code::WorkNotFound,
        Code::UpstreamError,
        Code::UpstreamTimeout,
    ])
}

pub fn types_operation() -> Operation {
    described("crossref_types", "Types of works, with Crossref's names")
}

pub fn type_operation() -> Operation {
    described("crossref_type", "A type of works").path("id", "The type, such as journal-article.")
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    Operation::new(id, "compat", summary)
        .reply_object(200, "The response in Crossref's envelope.")
        .reply_text(404, "Not found.", ["text/plain"])
}

/// The common parts of the descriptions of lists.
fn of_list(operation: Operation) -> Operation {
    operation
        .describe("The best works of the local corpus. Costs one lookup.")
        .query("query", "Words.")
        .query("query.bibliographic", "Words of a reference.")
        .query("query.title", "Words of a title.")
        .query("query.author", "Words of authors' names.")
        .query("query.container-title", "Words of the title of a journal or book.")
        .query("query.publisher-name", "Words of a publisher's name.")
        .query("filter", "Conditions, `name:value` separated by commas: doi, type, issn, isbn, from-pub-date, until-pub-date, has-abstract, has-orcid.")
        .query_number("rows", 0, "Works per page; default 20, at most 1,000.")
        .query_number("offset", 0, "Number of works to skip.")
        .query("cursor", "`*` for the first page, then `next-cursor` of the last.")
        .query("sort", "score, relevance, published or issued.")
        .query("order", "asc or desc.")
        .query("select", "Members of the works to return, separated by commas.")
        .query("mailto", "Ignored.")
        .reply_object(400, "Invalid input: Crossref's list of messages, or our own error.")
        .codes(&[Code::InvalidParameter, Code::QuotaExhausted])
}
