//! Sets the citations of a document that a word processor holds. The request carries the whole document, or what
//! changed in it since an answer whose token it names.

mod cache;
mod reply;
mod state;

pub use cache::DocumentStates;
pub use reply::{DocumentWarning, SetDocumentReply};
pub use state::{
    DocumentEdit, DocumentState, EditFault, HostCitation, HostCite, HostForm, OutputChoice,
    PlaceEdit, WorkRecord,
};

use super::{FormatError, Formatter};
use crate::styles::Ready;
use citation_citing::{FieldText, FormattedCitation, SetDocument, is_note_style};
use citation_csl::Options;
use citation_model::spread::Run;

/// What became of a citation.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldOutcome {
    Set(FieldText),
    /// A person wrote its text.
    Kept,
    /// The ids of its works that are not known: its text stays.
    Unknown(Vec<String>),
}

/// A document that was set.
pub struct DocumentResult {
    pub ready: Ready,
    pub set: SetDocument,
    /// One for each citation.
    pub fields: Vec<FieldOutcome>,
}

impl Formatter<'_> {
    /// Sets the citations of a document.
    pub fn document(&self, state: &DocumentState) -> Result<DocumentResult, FormatError> {
        let choice = &state.choice;
        let ready = self.choose(choice)?;
        let options = Options {
            bibliography: state.output.bibliography,
            budget: self.job.budget().clone(),
            ..Options::default()
        };
        let run: &Run = &|work| self.job.spread(work);
        let set = { state.engine_document() }
            .set(&ready.compiled, &options, Some(run))
            .map_err(|cause| choice.too_complex(cause))?;
        let is_note_style = is_note_style(&ready.compiled);
        let shown = set.set.citations.iter().zip(&set.keep_case);
        let fields = state.citations.iter().zip(shown);
        let fields = fields.map(|(cited, (shown, keeps_case))| {
            let unknown = state.unknown(cited);
            match shown {
                _ if !unknown.is_empty() => FieldOutcome::Unknown(unknown),
                _ if cited.is_by_hand => FieldOutcome::Kept,
                FormattedCitation::Unknown(keys) => FieldOutcome::Unknown(keys.clone()),
                FormattedCitation::Known(rich) => FieldOutcome::Set(FieldText::new(
                    rich,
                    *keeps_case,
                    cited.place(),
                    is_note_style,
                )),
            }
        });
        Ok(DocumentResult {
            fields: fields.collect(),
            ready,
            set,
        })
    }
}
