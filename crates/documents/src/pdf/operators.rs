//! Counts the operators that a page executes before it is drawn. A form's operators count as often as it is
//! drawn, so a few kilobytes of forms that draw each other count as what they are.

use std::collections::{HashMap, VecDeque};

use hayro_interpret::hayro_syntax::content::TypedIter;
use hayro_interpret::hayro_syntax::content::ops::TypedInstruction;
use hayro_interpret::hayro_syntax::object::dict::keys::{FORM, RESOURCES, SUBTYPE};
use hayro_interpret::hayro_syntax::object::{Name, ObjectIdentifier, Stream};
use hayro_interpret::hayro_syntax::page::{Page, Resources};

/// Maximum number of operators per page. Detailed maps have some hundred thousand.
pub(super) const MAX_OPERATORS: u64 = 2_000_000;

/// Bytes of content that count as one operator: they are unpacked and scanned whenever they are drawn.
const OPERATOR_BYTES: usize = 32;

/// A byte of text that is shown counts as this number of operators: it is a glyph of a font.
const TEXT_OPERATORS: usize = 4;

/// Drawing a form counts as this number of operators in addition to its own.
const FORM_OPERATORS: u64 = 32;

/// How deep hayro draws forms within forms.
const MAX_DEPTH: usize = 50;

/// A form, and where names in it are looked up if it has no resources of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FormKey {
    stream: ObjectIdentifier,
    /// The address of the outer resources in the file; 0 if the form has its own.
    outer: usize,
}

/// The content of a page or of a form.
#[derive(Default)]
struct Content {
    /// Its own operators.
    operators: u64,
    /// The forms that it draws, by index, and how often.
    draws: HashMap<usize, u64>,
}

impl Content {
    /// All operators, with those of forms as given.
    fn total(&self, of_form: impl Fn(usize) -> u64) -> u64 {
        let forms = self.draws.iter();
        forms.fold(self.operators, |sum, (form, times)| {
            let operators = of_form(*form).saturating_add(FORM_OPERATORS);
            sum.saturating_add(times.saturating_mul(operators))
        })
    }
}

/// A form that is known by its key and not scanned yet.
struct UnscannedForm<'a> {
    stream: Stream<'a>,
    resources: Resources<'a>,
}

/// Counts for the pages of one file. Forms that several pages draw are scanned once.
#[derive(Default)]
pub(super) struct OperatorCounter<'a> {
    indexes: HashMap<FormKey, usize>,
    forms: Vec<Content>,
    /// All operators of each form.
    totals: Vec<u64>,
    /// In the order of their indexes.
    unscanned: VecDeque<UnscannedForm<'a>>,
}

impl<'a> OperatorCounter<'a> {
    /// The number of operators that drawing a page executes.
    pub fn count(&mut self, page: &Page<'a>) -> u64 {
        let content = self.scan(page.page_stream().unwrap_or_default(), page.resources());
        while let Some(form) = self.unscanned.pop_front() {
            let bytes = form.stream.decoded_data().unwrap_or_default();
            let content = self.scan(&bytes, &form.resources);
            self.forms.push(content);
        }
        self.add_totals();
        content.total(|form| self.totals.get(form).copied().unwrap_or(0))
    }

    /// Reads a content stream. Forms that are not known yet are to be scanned next.
    fn scan(&mut self, bytes: &[u8], resources: &Resources<'a>) -> Content {
        let mut content = Content {
            operators: (bytes.len() / OPERATOR_BYTES) as u64,
            draws: HashMap::new(),
        };
        let mut named: HashMap<Vec<u8>, Option<usize>> = HashMap::new();
        let mut operators = TypedIter::new(bytes);
        while let Some(operator) = operators.next() {
            content.operators += 1;
            let text = shown_bytes(&operator).saturating_mul(TEXT_OPERATORS);
            content.operators = content.operators.saturating_add(text as u64);
            let TypedInstruction::XObject(drawn) = operator else {
                continue;
            };
            let name: &[u8] = drawn.0;
            let form = match named.get(name) {
                Some(form) => *form,
                None => {
                    let form = self.index(drawn.0, resources);
                    named.insert(name.to_vec(), form);
                    form
                }
            };
            if let Some(form) = form {
                *content.draws.entry(form).or_default() += 1;
            }
        }
        content
    }

    /// The index of the form of that name; `None` if there is none.
    fn index(&mut self, name: &Name<'_>, resources: &Resources<'a>) -> Option<usize> {
        let stream = resources.get_x_object(name)?;
        let subtype = stream.dict().get::<Name<'_>>(SUBTYPE)?;
        if subtype.as_ref() != FORM {
            return None;
        }
        let own = stream.dict().get(RESOURCES).map(Resources::new);
        let key = FormKey {
            stream: stream.obj_id(),
            outer: match own {
                Some(_) => 0,
                None => resources.x_objects.data().as_ptr() as usize,
            },
        };
        let next = self.indexes.len();
        let index = *self.indexes.entry(key).or_insert(next);
        if index == next {
            let resources = own.unwrap_or_else(|| resources.clone());
            self.unscanned
                .push_back(UnscannedForm { stream, resources });
        }
        Some(index)
    }

    /// Adds the totals of the forms that were scanned since. Those of a depth follow from those of the depth
    /// below, so forms that draw themselves end where hayro ends.
    fn add_totals(&mut self) {
        let known = self.totals.len();
        self.totals.resize(self.forms.len(), 0);
        let new = self.forms.get(known..).unwrap_or_default();
        for _ in 0..MAX_DEPTH {
            let of_form = |form: usize| self.totals.get(form).copied().unwrap_or(0);
            let next: Vec<u64> = new.iter().map(|content| content.total(of_form)).collect();
            let before = self.totals.get_mut(known..).unwrap_or_default();
            if *before == *next {
                return;
            }
            before.copy_from_slice(&next);
        }
    }
}

/// The length of the text that an operator shows; that of an array of texts includes the gaps between them.
fn shown_bytes(operator: &TypedInstruction<'_, '_>) -> usize {
    match operator {
        TypedInstruction::ShowText(shown) => shown.0.as_bytes().len(),
        TypedInstruction::NextLineAndShowText(shown) => shown.0.as_bytes().len(),
        TypedInstruction::ShowTextWithParameters(shown) => shown.2.as_bytes().len(),
        TypedInstruction::ShowTexts(shown) => shown.0.data().len(),
        _ => 0,
    }
}
