//! Writes items as RIS, the inverse of `fields`, one tag per line.

use serde_json::Value;

use super::fields::{FIELDS, FIELDS_OF_TYPES, read_date};
use super::kinds::{read_kind, write_kind};
use super::parse::is_field;
use crate::cost::spend_written;
use crate::formats::zotero::extra;
use crate::rows::values;
use crate::syntax::tagged::{inverted, serials, several_lines};
use citation_fields::keywords;
use citation_fields::parts::{event_days, maker_role, month_name, second_role};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

/// Writes items as records separated by a blank line, with LF line ends. Variables without a tag are
/// omitted.
pub(crate) fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::new();
    for item in items {
        let before = out.len();
        if before > 0 {
            out.push('\n');
        }
        out = write_record(item, out);
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

/// Appends a record to the output.
fn write_record(item: &Item, out: String) -> String {
    let mut writer = RisWriter { item, out };
    writer.kind();
    writer.names();
    writer.titles();
    writer.dates();
    writer.numbers();
    writer.identifiers();
    writer.texts();
    writer.custom();
    writer.out.push_str("ER  - \n");
    writer.out
}

struct RisWriter<'i> {
    item: &'i Item,
    out: String,
}

impl RisWriter<'_> {
    /// One line; line breaks inside the value become blanks.
    fn tag(&mut self, tag: &str, value: &str) {
        let line = value.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
        self.whole(tag, line.trim());
    }

    fn whole(&mut self, tag: &str, value: &str) {
        if !value.is_empty() {
            self.out.extend([tag, "  - ", value, "\n"]);
        }
    }

    fn text(&mut self, tag: &str, variable: TextVar) {
        if let Some(text) = self.item.text(variable) {
            self.tag(tag, text);
        }
    }

    fn number(&mut self, tag: &str, variable: NumberVar) {
        if let Some(text) = self.item.number(variable) {
            self.tag(tag, text);
        }
    }

    fn is(&self, kinds: &[ItemType]) -> bool {
        kinds.contains(&self.item.kind)
    }

    fn kind(&mut self) {
        let unknown = self.item.custom.get("entry_type").and_then(Value::as_str);
        let in_press = self.item.text(TextVar::Status) == Some("in press");
        let kind = match self.item.kind {
            // `GEN` with these tags is read as an article.
            ItemType::Document if unknown.is_none() && self.is_in_volume() => "JOUR",
            ItemType::Document => unknown.filter(|kind| is_type_name(kind)).unwrap_or("GEN"),
            ItemType::Article if in_press => "INPR",
            // `CONF` without a container is read as the proceedings themselves.
            ItemType::ConferencePaper if !self.has_surroundings() => "CPAPER",
            kind => write_kind(kind),
        };
        self.out.push_str(&format!("TY  - {kind}\n"));
    }

    fn is_in_volume(&self) -> bool {
        self.item.text(TextVar::ContainerTitle).is_some()
            && self.item.number(NumberVar::Volume).is_some()
    }

    fn has_surroundings(&self) -> bool {
        let titles = [TextVar::ContainerTitle, TextVar::ContainerTitleShort].into_iter();
        let mut titles = titles.filter_map(|title| self.item.text(title));
        titles.next().is_some() || self.item.number(NumberVar::Page).is_some()
    }

    fn names(&mut self) {
        use ItemType::*;
        let item = self.item;
        if item.kind == Patent {
            self.text("A2", TextVar::Authority);
        }
        let maker = self.maker();
        self.name_list("AU", maker);
        for (tag, role) in self.roles() {
            if role != maker {
                self.name_list(tag, role);
            }
        }
    }

    /// The role of the names under `AU`.
    fn maker(&self) -> NameVar {
        match maker_role(self.item) {
            // They have a tag of their own.
            NameVar::Performer if self.is(&[ItemType::Song, ItemType::MusicalScore]) => {
                NameVar::Author
            }
            role => role,
        }
    }

    fn name_list(&mut self, tag: &str, role: NameVar) {
        for name in self.item.names(role) {
            self.tag(tag, &inverted(name));
        }
        if self.item.has_others(role) {
            self.tag(tag, "et al.");
        }
    }

    /// The tags of the roles that are read back from them, apart from the author's.
    fn roles(&self) -> Vec<(&'static str, NameVar)> {
        use ItemType::*;
        let kind = self.item.kind;
        // Types without a type of RIS are read as others.
        if read_kind(write_kind(kind)) != Some(kind) && kind != Broadcast {
            return vec![
                ("ED", NameVar::Editor),
                ("A3", NameVar::CollectionEditor),
                ("A4", NameVar::Translator),
            ];
        }
        let mut roles = vec![("ED", NameVar::Editor)];
        roles.extend(match kind {
            Book | Pamphlet | Classic | Report => vec![("A2", NameVar::CollectionEditor)],
            Thesis => vec![("A3", NameVar::Contributor)],
            MotionPicture | Broadcast => vec![
                ("A2", NameVar::Director),
                ("A3", NameVar::Producer),
                ("A4", NameVar::Performer),
            ],
            Song | MusicalScore => vec![
                ("A2", NameVar::Performer),
                ("A3", NameVar::CollectionEditor),
            ],
            Chapter => vec![
                ("A3", NameVar::CollectionEditor),
                ("C2", NameVar::ContainerAuthor),
            ],
            kind => match second_role(kind) {
                NameVar::Editor => vec![("A3", NameVar::CollectionEditor)],
                role => vec![("A2", role), ("A3", NameVar::CollectionEditor)],
            },
        });
        if !self.is(&[MotionPicture, Broadcast]) {
            roles.push(("A4", NameVar::Translator));
        }
        roles
    }

    /// Variables without a tag, as lines that are read back from a note.
    fn extra_lines(&self) -> Vec<String> {
        use ItemType::*;
        let roles = self.roles();
        let maker = self.maker();
        let is_written =
            |role: NameVar| role == maker || roles.iter().any(|(_, known)| *known == role);
        let names = NameVar::ALL
            .iter()
            .copied()
            .filter(|role| !is_written(*role));
        let mut variables: Vec<Variable> = names.map(Variable::Names).collect();
        let has_tag = |variable: &Variable| match variable {
            Variable::Date(DateVar::OriginalDate) => true,
            Variable::Text(TextVar::EventPlace) => self.is(&[ConferencePaper, Speech]),
            _ => false,
        };
        variables.extend(extra::RARE.iter().filter(|variable| !has_tag(variable)));
        if !self.is(&[ConferencePaper, Speech]) {
            variables.push(Variable::Text(TextVar::EventTitle));
        }
        if self.event_days().is_none() {
            variables.push(Variable::Date(DateVar::EventDate));
        }
        extra::lines(self.item, &variables)
    }

    fn titles(&mut self) {
        use ItemType::*;
        let item = self.item;
        self.text("TI", TextVar::Title);
        // As in the reader's `containers`: for these types the secondary title is that of the series.
        let secondary_is_series = self.is(&[Book, Report, Software, Map, Pamphlet, Classic]);
        // A second journal kept under `JF` would be read as the first.
        let (container, series) = match (secondary_is_series, item.custom.contains_key("JF")) {
            _ if self.is(&[Thesis]) => {
                self.text("T2", TextVar::Division);
                ("JF", "T3")
            }
            (true, _) => ("JF", "T2"),
            (false, true) => ("JF", "T3"),
            (false, false) => ("T2", "T3"),
        };
        // Without the full title, the short one is read as it.
        let title = match item.text(TextVar::ContainerTitle) {
            None => TextVar::ContainerTitleShort,
            Some(_) => TextVar::ContainerTitle,
        };
        self.text(container, title);
        self.text(series, TextVar::CollectionTitle);
        let full = item.text(TextVar::ContainerTitle);
        if full.is_some() && full != item.text(TextVar::ContainerTitleShort) {
            self.text("J2", TextVar::ContainerTitleShort);
        }
    }

    /// `PY` is the year for readers that support nothing more; `DA` is the full date.
    fn dates(&mut self) {
        let (issued, days) = self.issued();
        if let Some(date) = &issued {
            let year = date.start.map(|start| write_year(start.year));
            let whole = write_date(date);
            if let Some(year) = year.as_deref() {
                self.tag("PY", year);
            }
            if year.as_deref() != Some(whole.as_str()) {
                self.tag(if year.is_some() { "DA" } else { "PY" }, &whole);
            }
        }
        let accessed = self.item.date(DateVar::Accessed);
        let date = self.event_days().or(accessed).or(days.as_ref());
        if let Some(date) = date {
            self.tag("Y2", &write_date(date));
        }
        if self.is(&[ItemType::Patent])
            && let Some(date) = self.item.date(DateVar::Submitted)
        {
            self.tag("C1", &write_date(date));
        }
        if let Some(date) = self.item.date(DateVar::OriginalDate) {
            self.tag("OP", &write_date(date));
        }
    }

    /// The date of issue, and the days of a conference if that is all that is known of it.
    fn issued(&self) -> (Option<Date>, Option<Date>) {
        let date = self.item.date(DateVar::Issued);
        match date.map(|date| event_days(self.item.kind, date.clone())) {
            Some((issued, days)) => (Some(issued), days),
            None => (None, None),
        }
    }

    /// The days of an event, which are a range, take the place of the date of access.
    fn event_days(&self) -> Option<&Date> {
        let event = self.item.date(DateVar::EventDate);
        event.filter(|date| date.end.is_some() && self.item.date(DateVar::Accessed).is_none())
    }

    fn numbers(&mut self) {
        use ItemType::*;
        use NumberVar::*;
        self.number("VL", Volume);
        if !self.is(ItemType::NUMBERED) && !self.is(&[Chapter]) {
            self.number("IS", Issue);
        }
        // Types without a type of RIS are read as others.
        let kind = read_kind(write_kind(self.item.kind)).unwrap_or(self.item.kind);
        let has_article_number = [
            Book,
            Chapter,
            Pamphlet,
            Article,
            Preprint,
            MagazineArticle,
            NewspaperArticle,
            ConferencePaper,
        ]
        .contains(&kind);
        self.number(if has_article_number { "C7" } else { "M1" }, Number);
        self.pages();
    }

    fn pages(&mut self) {
        let counts_pages = self.item.kind.counts_pages();
        let Some(page) = self.item.number(NumberVar::Page) else {
            if counts_pages {
                self.number("SP", NumberVar::NumberOfPages);
            }
            return;
        };
        match page.split_once('-') {
            Some((start, end)) if is_page(start) && is_page(end) && start != end => {
                self.tag("SP", start);
                self.tag("EP", end);
            }
            _ => {
                self.tag("SP", page);
                // A single number would be read as the number of pages.
                if counts_pages && page.bytes().all(|b| b.is_ascii_digit()) {
                    self.tag("EP", page);
                }
            }
        }
    }

    fn identifiers(&mut self) {
        let item = self.item;
        self.text("DO", TextVar::Doi);
        self.text("UR", TextVar::Url);
        for number in serials(item) {
            self.tag("SN", &number);
        }
        let has_author = !item.names(NameVar::ContainerAuthor).is_empty();
        match item.text(TextVar::Pmcid) {
            // The tag has the author of the book.
            Some(id) if has_author && self.is(&[ItemType::Chapter]) => {
                self.tag("N1", &format!("PMCID: {id}"));
            }
            Some(id) => self.tag("C2", id),
            None => {}
        }
        self.pmid();
        if let Some(id) = item.text(TextVar::ArxivId) {
            self.tag("N1", &format!("arXiv: {id}"));
        }
        let key = item.text(TextVar::CitationKey).unwrap_or(&item.id);
        self.tag("ID", key);
    }

    /// `AN` is a PMID only together with the database name; otherwise the PMID goes into a note.
    fn pmid(&mut self) {
        let Some(pmid) = self.item.text(TextVar::Pmid) else {
            return;
        };
        let archive = self.item.text(TextVar::Archive).unwrap_or_default();
        let others = self.item.custom.contains_key("AN");
        if archive.eq_ignore_ascii_case("PubMed") && !others {
            self.tag("AN", pmid);
        } else {
            self.tag("N1", &format!("PMID: {pmid}"));
        }
    }

    fn texts(&mut self) {
        let fields = [FIELDS, FIELDS_OF_TYPES].into_iter();
        for (tag, value) in fields.flat_map(|rows| values(rows, self.item)) {
            self.tag(tag, value);
        }
        self.text("M3", TextVar::Genre);
        self.text("CY", TextVar::PublisherPlace);
        if self.is(&[ItemType::ConferencePaper, ItemType::Speech]) {
            self.text("C1", TextVar::EventPlace);
            self.text("CP", TextVar::EventTitle);
        }
        let summary = self.item.text(TextVar::Abstract).unwrap_or_default();
        self.whole("AB", &several_lines(summary, is_field));
        // Each line was a separate note.
        for line in self.item.text(TextVar::Note).unwrap_or_default().lines() {
            self.tag("N1", line);
        }
        // Other formats have other things under the tag of research notes, which are notes here.
        for line in self.custom_texts("RN") {
            self.tag("N1", &line);
        }
        for line in self.extra_lines() {
            self.tag("N1", &line);
        }
        let words = self.item.text(TextVar::Keyword).unwrap_or_default();
        for word in keywords::split(words) {
            self.tag("KW", word);
        }
        self.text("LA", TextVar::Language);
    }

    /// Tags without a variable, except those that begin or end a record.
    fn custom(&mut self) {
        let item = self.item;
        let is_tag = |name: &str| super::parse::is_tag(name) && !matches!(name, "TY" | "ER" | "RN");
        for name in item.custom.keys().filter(|name| is_tag(name)) {
            for text in self.custom_texts(name) {
                self.tag(name, &text);
            }
        }
    }

    /// The texts that the item has under a name of its own.
    fn custom_texts(&self, name: &str) -> Vec<String> {
        let values = match self.item.custom.get(name) {
            Some(Value::Array(values)) => values.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        { values.iter() }
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    }
}

/// Whether an unknown type is allowed as `TY`.
fn is_type_name(kind: &str) -> bool {
    read_kind(kind).is_none()
        && (2..=7).contains(&kind.len())
        && kind
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

fn is_page(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b':'))
}

fn write_year(year: i32) -> String {
    if year < 0 {
        format!("-{:04}", year.unsigned_abs())
    } else {
        format!("{year:04}")
    }
}

/// `2003/07/14/` or `2003///Spring`; ranges and approximate dates in a form that reads back as the same
/// date.
fn write_date(date: &Date) -> String {
    let Some(start) = date.start else {
        return date.literal.clone().unwrap_or_default();
    };
    let year = write_year(start.year);
    let slashes = match (start.month, start.day, start.season) {
        (Some(month), Some(day), _) => format!("{year}/{month:02}/{day:02}/"),
        (Some(month), None, _) => format!("{year}/{month:02}//"),
        (_, _, Some(season)) => {
            let name =
                ["Spring", "Summer", "Autumn", "Winter"].get(usize::from(season).wrapping_sub(1));
            format!("{year}///{}", name.copied().unwrap_or_default())
        }
        _ => year.clone(),
    };
    let span = date.end_parts().map(|end| write_span(date, end));
    let candidates = [Some(slashes.clone()), span, Some(date.edtf())];
    let exact = candidates
        .into_iter()
        .flatten()
        .find(|text| read_date(text).as_ref() == Some(date));
    exact.unwrap_or(slashes)
}

/// `1998-2000`, `Jan-Feb 2001`.
fn write_span(date: &Date, end: citation_model::date::DateParts) -> String {
    let start = date.start.unwrap_or(end);
    let month = |month: Option<u8>| month.and_then(month_name);
    match (month(start.month), month(end.month)) {
        (Some(first), Some(last)) if start.year == end.year => {
            format!("{}///{first}-{last}", write_year(start.year))
        }
        _ => format!("{}-{}", write_year(start.year), write_year(end.year)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ris::read::read;

    #[track_caller]
    fn check(record: &str) {
        let budget = Budget::unlimited();
        let reading = read(record, &budget).unwrap();
        let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
        assert_eq!(write(&items, &budget).unwrap(), record);
    }

    #[test]
    fn a_record_is_written_as_it_was_read() {
        check(
            "TY  - JOUR\nAU  - Curie, Marie\nAU  - King, Martin, Jr.\nAU  - World Health Organization\n\
             ED  - van der Berg, A.\nTI  - A title\nT2  - Some Journal\nJ2  - S. J.\nPY  - 2003\n\
             DA  - 2003/07/14/\nVL  - 5\nIS  - 2\nC7  - e17\nSP  - 12\nEP  - 34\nDO  - 10.1000/x\n\
             UR  - http://x.org/a_b%20c\nSN  - 2049-3630\nID  - key1\nAB  - Text.\nN1  - one\n\
             N1  - two\nKW  - ants\nKW  - bees\nLA  - en\nU1  - odd\nU1  - odder\nER  - \n",
        );
        check(
            "TY  - BOOK\nTI  - B\nT2  - Series\nPY  - 2003\nSP  - 300\nSN  - 9780198526636\nER  - \n\nTY  - THES\nTI  - C\nSP  - 7\nEP  - 7\nER  - \n",
        );
        check("TY  - CPAPER\nTI  - B\nC1  - Rome\nER  - \n");
        check(
            "TY  - JOUR\nTI  - A\nN1  - PMID: 123\nN1  - arXiv: 2001.00001\nDB  - JSTOR\nN1  - PMID: unknown\nER  - \n",
        );
        check("TY  - JOUR\nTI  - A\nAN  - 123\nDB  - PubMed\nER  - \n");
        // Differing values of a second date, and invalid dates, are kept.
        check(
            "TY  - JOUR\nTI  - A\nPY  - 2001\nDA  - 2001/05/03/\nY2  - 2010/01/02/\nDA  - no date\nPY  - 2005\nY2  - 2011\nER  - \n",
        );
        check("TY  - ODD\nTI  - B\nER  - \n");
        check("TY  - INPR\nTI  - B\nER  - \n");
    }

    #[test]
    fn dates_read_back() {
        for text in [
            "2003",
            "2003-07",
            "2003-07-14",
            "1998/2000",
            "2001-01/2001-02",
            "2001-21",
            "1984~",
            "-0044",
            "forthcoming",
        ] {
            let date = Date::parse(text).unwrap();
            let written = write_date(&date);
            assert_eq!(read_date(&written), Some(date), "{text}: {written}");
        }
    }
}
