//! A record of Crossref as an item: the JSON of its REST API and public data files, in every format since 2013,
//! and of its content negotiation, which has texts instead of lists.

mod access;
mod container;
mod dto;

use citation_fields::{clean, identifiers, names, set as fields, statement};
use citation_model::date::{Date, DateEnd};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::language;
use citation_model::lists::words;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Update, UpdateKind, UpdateRelation};

use crate::formats::linked::item_type_of_crossref;
use container::Containers;
pub use dto::CrossrefRecord;
use dto::{Contributor, Related, Relations, TypedNumber, UpdateNotice};

/// Whether the item includes the abstract. Abstracts are authored texts, not facts, so by default they are
/// omitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstracts {
    #[default]
    Leave,
    Keep,
}

/// Maximum number of notices per work; each is compared with the earlier ones.
const MAX_UPDATES: usize = 500;

impl CrossrefRecord {
    /// The DOI as written.
    pub fn doi(&self) -> Option<&str> {
        self.doi.as_deref()
    }

    /// The item; its id is the DOI. A record without a possible title gives an item without one.
    pub fn item(&self, doi: &Doi, abstracts: Abstracts) -> Item {
        let mut item = Item::new(doi.as_str(), self.item_type());
        item.set_text(TextVar::Doi, doi.as_str());
        self.set_titles(&mut item);
        self.set_names(&mut item);
        self.set_containers(&mut item);
        self.set_numbers(&mut item);
        self.set_dates(&mut item);
        self.set_publisher(&mut item);
        self.set_event(&mut item);
        self.set_identifiers(&mut item, doi);
        self.set_description(&mut item, abstracts);
        item
    }

    fn item_type(&self) -> ItemType {
        let is_part = !self.isbn.is_empty() && !self.container_title.is_empty();
        let is_preprint = self.subtype.as_deref().is_none_or(|s| s == "preprint");
        match self.kind.as_deref().unwrap_or_default() {
            "posted-content" if !is_preprint => ItemType::BlogPost,
            "other" if is_part => ItemType::Chapter,
            "" if !self.issn.is_empty() => ItemType::Article,
            // doi.org has had the type names of CSL.
            kind => item_type_of_crossref(kind)
                .or_else(|| ItemType::from_csl(kind))
                .unwrap_or_default(),
        }
    }

    fn set_titles(&self, item: &mut Item) {
        let titles = [&self.title, &self.original_title, &self.short_title];
        let title = titles.into_iter().find_map(|titles| titles.first());
        // An issue has only the title of its journal.
        let is_periodical = item.kind == ItemType::Periodical;
        let container = || self.container_title.first().filter(|_| is_periodical);
        let Some(title) = title.or_else(container) else {
            return;
        };
        fields::title(item, title, self.subtitle.first().map(String::as_str));
        set_unless_title(item, TextVar::TitleShort, self.short_title.first());
        set_unless_title(item, TextVar::OriginalTitle, self.original_title.first());
        let further = self.title.iter().skip(1).map(String::as_str);
        fields::further_titles(item, further);
    }

    fn set_names(&self, item: &mut Item) {
        let lists = [
            (NameVar::Author, &self.author),
            (NameVar::Editor, &self.editor),
            (NameVar::Translator, &self.translator),
            (NameVar::Chair, &self.chair),
        ];
        for (variable, contributors) in lists {
            let names = contributors.iter().map(Contributor::name).collect();
            item.set_names(variable, names);
        }
    }

    /// A work is dated by the cited form: the printed one, except for an article without volume, issue or
    /// page, which is not yet in print. For that, Crossref's `issued` is used, the earlier of both dates.
    /// The other date is kept: the online date as `available-date`, the date of a future issue in `custom`.
    fn set_dates(&self, item: &mut Item) {
        let approved_first = item.kind == ItemType::Thesis;
        let placed = [NumberVar::Volume, NumberVar::Issue, NumberVar::Page];
        let is_placed = placed
            .into_iter()
            .any(|number| item.number(number).is_some());
        let in_print = is_placed || !item.kind.is_in_periodical();
        let print = self.published_print.as_ref();
        let dates = [
            self.approved.as_ref().filter(|_| approved_first),
            print.filter(|_| in_print),
            self.issued.as_ref(),
            self.published_online.as_ref(),
            self.published.as_ref(),
            self.posted.as_ref(),
            self.published_other.as_ref(),
            self.journal_issue
                .as_ref()
                .and_then(|issue| issue.published_print.as_ref()),
            self.approved.as_ref(),
            self.content_created.as_ref(),
            // The deposit date: late for old works, but the only date left.
            self.created.as_ref(),
        ];
        fields::date(item, DateVar::Issued, dates.into_iter().flatten().next());
        let other = |date: &Option<Date>| {
            let issued = item.date(DateVar::Issued);
            date.clone()
                .filter(|date| issued.is_some_and(|issued| issued != date))
        };
        let (online, print) = (other(&self.published_online), other(&self.published_print));
        fields::date(item, DateVar::AvailableDate, online.as_ref());
        if let Some(print) = print {
            item.custom
                .insert("published-print".into(), print.edtf().into());
        }
    }

    fn set_containers(&self, item: &mut Item) {
        let containers = Containers::of(item.kind, &self.container_title);
        fields::rich(item, TextVar::ContainerTitle, containers.title);
        fields::rich(item, TextVar::CollectionTitle, containers.series);
        if item.kind == ItemType::BlogPost {
            let blog = self.group_title.as_deref().or(self.institution_name());
            fields::plain(item, TextVar::ContainerTitle, blog);
        }
        let short = self.short_container_title.first();
        let short = short
            .or(self.container_title_short.first())
            .map(String::as_str);
        let short = short.or(containers.short).map(clean::rich);
        // With two containers, the short title may belong to either.
        let is_single = containers.series.is_none() || containers.title.is_none();
        if let Some(short) = short.filter(|_| is_single)
            && item
                .text(TextVar::ContainerTitle)
                .is_some_and(|title| title != short)
        {
            item.set_text(TextVar::ContainerTitleShort, short);
        }
    }

    fn set_numbers(&self, item: &mut Item) {
        let issue = self
            .journal_issue
            .as_ref()
            .and_then(|issue| issue.issue.as_deref());
        let issue = self.issue.as_deref().or(issue);
        fields::volume_or_issue(item, NumberVar::Volume, self.volume.as_deref());
        fields::volume_or_issue(item, NumberVar::Issue, issue);
        fields::pages(item, self.page.as_deref());
        let number = [&self.article_number, &self.report_number, &self.number];
        let number = number.into_iter().find_map(|number| number.as_deref());
        fields::number(item, NumberVar::Number, number);
        if item.number(NumberVar::Page).is_none() {
            fields::pages(item, self.article_number.as_deref());
        }
        // 0 stands for no edition.
        let edition = self.edition_number.as_deref().map(statement::edition);
        let edition = edition.filter(|edition| edition != "0");
        fields::number(item, NumberVar::Edition, edition.as_deref());
    }

    fn institution_name(&self) -> Option<&str> {
        self.institution.first()?.name.as_deref()
    }

    fn set_publisher(&self, item: &mut Item) {
        let institution = self.institution_name();
        let publisher = match item.kind {
            ItemType::Report | ItemType::Thesis => institution,
            // Preprints are known by their server.
            ItemType::Preprint => institution.or(self.server()),
            ItemType::Standard => self.standards_body.as_ref().and_then(|b| b.name.as_deref()),
            _ => None,
        };
        fields::imprint(
            item,
            TextVar::Publisher,
            publisher.or(self.publisher.as_deref()),
        );
        let place = match item.kind {
            ItemType::Report | ItemType::Thesis => self.institution.first(),
            _ => None,
        };
        let place = place.and_then(|institution| institution.place.as_deref());
        let place = self.publisher_location.as_deref().or(place);
        fields::imprint(item, TextVar::PublisherPlace, place);
    }

    /// The group title of a preprint, if it names a server and not a subject.
    fn server(&self) -> Option<&str> {
        let title = self.group_title.as_deref()?;
        let last = title.split_whitespace().next_back()?.to_lowercase();
        const ENDS: [&str; 11] = words(
            "logy graphy omics istry physics science sciences medicine engineering mathematics \
             health",
        );
        (!ENDS.iter().any(|end| last.ends_with(end))).then_some(title)
    }

    fn set_event(&self, item: &mut Item) {
        let Some(event) = self.event.as_ref() else {
            return;
        };
        fields::plain(item, TextVar::EventTitle, event.name.as_deref());
        fields::plain(item, TextVar::EventPlace, event.location.as_deref());
        let Some(start) = event.start.as_ref().and_then(|date| date.start) else {
            return;
        };
        let end = event.end.as_ref().and_then(|date| date.start);
        let date = Date {
            start: Some(start),
            end: end.filter(|end| *end != start).map(DateEnd::At),
            ..Date::default()
        };
        item.set_date(DateVar::EventDate, date);
    }

    fn set_identifiers(&self, item: &mut Item, doi: &Doi) {
        let is_print = |number: &&TypedNumber| number.kind.as_deref() == Some("print");
        let print = self.isbn_type.iter().filter(is_print);
        let print = print.filter_map(|number| number.value.as_deref());
        let all = self.isbn.iter().map(String::as_str);
        fields::isbns(item, print.chain(all));
        fields::issns(item, self.issn.iter().map(String::as_str));
        let primary = self
            .resource
            .as_ref()
            .and_then(|resource| resource.primary.as_ref());
        let url = primary.and_then(|address| address.url.as_deref());
        let url = url.and_then(fields::web_address);
        item.set_text(TextVar::Url, url.unwrap_or_else(|| doi.url()));
    }

    fn set_description(&self, item: &mut Item, abstracts: Abstracts) {
        let language = self.language.as_deref().and_then(language::tag);
        fields::plain(item, TextVar::Language, language.as_deref());
        let licenses = self
            .license
            .iter()
            .filter_map(|license| license.url.as_deref());
        let license = licenses.filter_map(fields::web_address).next();
        fields::plain(item, TextVar::License, license.as_deref());
        fields::keywords(item, self.subject.iter().map(String::as_str));
        let genre = match item.kind {
            ItemType::Preprint => Some("preprint"),
            ItemType::Thesis => self.degree.first().map(String::as_str),
            _ => None,
        };
        fields::plain(item, TextVar::Genre, genre);
        let reviewed = self.relation.iter().flat_map(|r| r.is_review_of.iter());
        if let Some(doi) = reviewed.filter_map(Related::doi).next() {
            item.set_text(TextVar::Note, format!("Review of {}", doi.url()));
        }
        if abstracts == Abstracts::Keep {
            fields::rich(item, TextVar::Abstract, self.summary.as_deref());
        }
    }

    /// When Crossref last indexed the record: milliseconds since 1970, or a time as text.
    pub fn indexed(&self) -> (Option<i64>, Option<&str>) {
        let moment = self.indexed.as_ref();
        let text = moment.and_then(|moment| moment.date_time.as_deref());
        (moment.and_then(|moment| moment.timestamp), text)
    }

    /// All distinct notices in both directions.
    pub fn updates(&self, own: &Doi) -> Vec<Update> {
        use UpdateRelation::{UpdateTo, UpdatedBy};
        let by = self
            .updated_by
            .iter()
            .map(|notice| notice.update(UpdatedBy));
        let to = self.update_to.iter().map(|notice| notice.update(UpdateTo));
        let none = Relations::default();
        let relations = self.relation.as_ref().unwrap_or(&none);
        let related = relations.updates();
        let mut updates: Vec<Update> = Vec::new();
        for update in by.chain(to).flatten().chain(related).take(MAX_UPDATES) {
            let is_known = updates.iter().any(|known| {
                let same = (known.kind, known.relation) == (update.kind, update.relation);
                same && known.doi == update.doi
            });
            // A notice that updates itself, as some publishers register it, concerns no other work; a
            // retraction in place does.
            let is_idle = update.doi == *own && update.relation == UpdateTo;
            if !is_known && !is_idle {
                updates.push(update);
            }
        }
        updates
    }
}

impl Contributor {
    fn name(&self) -> Name {
        let whole = self.name.as_deref().or(self.literal.as_deref());
        let family = self.family.as_deref();
        let mut name = match (family.or(self.given.as_deref()), whole) {
            (None, Some(whole)) => names::literal(whole),
            _ => names::from_parts(family, self.given.as_deref(), self.suffix.as_deref()),
        };
        name.orcid = self.orcid.as_deref().and_then(identifiers::bare_orcid);
        name
    }
}

impl UpdateNotice {
    fn update(&self, relation: UpdateRelation) -> Option<Update> {
        let doi = Doi::parse(self.doi.as_deref()?).ok()?;
        Some(Update {
            kind: UpdateKind::parse(self.kind.as_deref().unwrap_or_default()),
            relation,
            doi,
            date: self.updated.0.clone(),
            source: self.source.as_deref().unwrap_or("publisher").into(),
            reasons: Vec::new(),
        })
    }
}

impl Relations {
    fn updates(&self) -> Vec<Update> {
        use UpdateRelation::{UpdateTo, UpdatedBy};
        let groups = [
            (&self.retraction, UpdateKind::Retraction, UpdatedBy),
            (&self.withdrawal, UpdateKind::Withdrawal, UpdatedBy),
            (
                &self.expression_of_concern,
                UpdateKind::ExpressionOfConcern,
                UpdatedBy,
            ),
            (&self.correction, UpdateKind::Correction, UpdatedBy),
            (&self.corrigendum, UpdateKind::Correction, UpdatedBy),
            (&self.erratum, UpdateKind::Correction, UpdatedBy),
            (&self.is_replaced_by, UpdateKind::NewVersion, UpdatedBy),
            (&self.replaces, UpdateKind::NewVersion, UpdateTo),
        ];
        let mut updates = Vec::new();
        for (related, kind, relation) in groups {
            for doi in related.iter().filter_map(Related::doi) {
                updates.push(Update {
                    kind,
                    relation,
                    doi,
                    date: None,
                    source: "publisher".into(),
                    reasons: Vec::new(),
                });
            }
        }
        updates
    }
}

impl Related {
    fn doi(&self) -> Option<Doi> {
        let is_doi = self
            .id_type
            .as_deref()
            .is_none_or(|kind| kind.eq_ignore_ascii_case("doi"));
        Doi::parse(self.id.as_deref()?).ok().filter(|_| is_doi)
    }
}

/// Sets a further title if it differs from the title.
fn set_unless_title(item: &mut Item, variable: TextVar, value: Option<&String>) {
    let value = clean::rich(value.map_or("", String::as_str));
    if item.text(TextVar::Title) != Some(value.as_str()) {
        item.set_text(variable, value);
    }
}
