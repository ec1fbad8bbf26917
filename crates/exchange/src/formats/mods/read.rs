//! Reads MODS records.

use super::kinds::{of_genre, of_resource};
use crate::reading::Reading;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::Element;
use citation_fields::catalogue;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::parts::{date_range, person};
use citation_fields::roles;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads every record of a file.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| name == "mods",
        is_skipped: |name| matches!(name, "recordInfo" | "tableOfContents"),
    };
    records::read(text, budget, &LAYOUT, |record, offset, found| {
        let mut item = ItemBuilder::new(offset);
        let entry_type = read_record(record, &mut item);
        found.push(Found { item, entry_type });
    })
}

fn read_record(record: Element<'_>, item: &mut ItemBuilder) -> String {
    let host = related(record, "host").next();
    let genres = record.child_texts("genre");
    item.set_kind(kind(record, host, &genres));
    titles(record, item);
    names(record, false, item);
    origin(record, item);
    item.date(DateVar::Issued, issued(record, host));
    part(record, item);
    if let Some(host) = host {
        read_host(host, item);
    }
    for series in related(record, "series") {
        let info = series.child("titleInfo");
        let part = |name| info.map(|info| info.child_text(name)).unwrap_or_default();
        // Catalogues append the number to the title: `Series ; v. 7`.
        let title = part("title");
        let (title, number) = title.split_once(" ; ").unwrap_or((&title, ""));
        item.text(
            TextVar::CollectionTitle,
            catalogue::without_separator(title),
        );
        item.number(NumberVar::CollectionNumber, &part("partNumber"));
        item.number(NumberVar::CollectionNumber, number);
        for detail in details(series) {
            item.number(NumberVar::CollectionNumber, &detail.child_text("number"));
        }
        identifiers(series, true, item);
    }
    if let Some(original) = related(record, "original").next() {
        item.text(TextVar::OriginalTitle, &title(original));
        let issued = original.path(&["originInfo", "dateIssued"]);
        item.date(DateVar::OriginalDate, issued.and_then(date));
    }
    if let Some(reviewed) = related(record, "reviewOf").next() {
        item.text(TextVar::ReviewedTitle, &title(reviewed));
        for author in reviewed.children_named("name") {
            item.name(NameVar::ReviewedAuthor, name(author));
        }
    }
    identifiers(record, false, item);
    if let Some(key) = record.attribute("ID") {
        item.set_key(&key);
    }
    locations(record, item);
    texts(record, item);
    genre(record, item);
    genres.into_iter().next().unwrap_or_default()
}

/// A genre in free words behind the one that gives the type; that of a thesis may be the only one.
fn genre(record: Element<'_>, item: &mut ItemBuilder) {
    let mut genres = record.children_named("genre");
    let first = genres.next().map(Element::text).unwrap_or_default();
    let free = genres.find(|genre| genre.attribute("authority").is_none());
    let free = free
        .filter(|_| of_genre(&first).is_some())
        .map(Element::text);
    item.text(TextVar::Genre, &free.unwrap_or_default());
    if item.kind() == ItemType::Thesis {
        item.text(TextVar::Genre, &first);
    }
}

fn related<'x>(record: Element<'x>, kind: &str) -> impl Iterator<Item = Element<'x>> {
    record
        .children_named("relatedItem")
        .filter(move |related| related.has("type", kind))
}

/// The type from the genre, otherwise the resource type, otherwise the host.
fn kind(record: Element<'_>, host: Option<Element<'_>>, genres: &[String]) -> ItemType {
    let told = genres.iter().find_map(|genre| of_genre(genre));
    let resources: Vec<Element> = record.children_named("typeOfResource").collect();
    let is_manuscript = resources
        .iter()
        .any(|resource| resource.has("manuscript", "yes"));
    let resource = resources
        .iter()
        .find_map(|resource| of_resource(&resource.text()));
    let issuance = |element: Element<'_>| {
        let origin = element.children_named("originInfo");
        let mut issuance = origin.flat_map(|origin| origin.children_named("issuance"));
        issuance.next().map(Element::text).unwrap_or_default()
    };
    match told {
        // Genres of a part such as «bibliography» and «conference publication» describe the whole.
        Some(kind) if host.is_none() || kind != ItemType::Periodical => return kind,
        _ => {}
    }
    if is_manuscript {
        return ItemType::Manuscript;
    }
    if let Some(kind) = resource {
        return kind;
    }
    if let Some(host) = host {
        let genre = host.child_text("genre");
        let is_serial = issuance(host) == "continuing"
            || host
                .children_named("identifier")
                .any(|id| id.has("type", "issn"))
            || of_genre(&genre) == Some(ItemType::Periodical)
            || details(host)
                .any(|detail| detail.has("type", "issue") || detail.has("type", "volume"));
        return match of_genre(&genre) {
            Some(ItemType::Book) if genre.contains("conference") || genre == "proceedings" => {
                ItemType::ConferencePaper
            }
            _ if genre.eq_ignore_ascii_case("newspaper") => ItemType::NewspaperArticle,
            _ if genre.eq_ignore_ascii_case("magazine") => ItemType::MagazineArticle,
            Some(ItemType::Book) => ItemType::Chapter,
            _ if is_serial => ItemType::Article,
            _ => ItemType::Chapter,
        };
    }
    match issuance(record).as_str() {
        "monographic" | "single unit" | "multipart monograph" => ItemType::Book,
        "continuing" | "serial" => ItemType::Periodical,
        _ if record
            .children_named("identifier")
            .any(|id| id.has("type", "isbn")) =>
        {
            ItemType::Book
        }
        _ => ItemType::Document,
    }
}

/// Main title, subtitle and part: `The work: a story. 2, The end`.
fn title_of(info: Element<'_>) -> String {
    let mut title = String::new();
    for element in info.children() {
        let text = element.text();
        let before = match element.name() {
            _ if text.is_empty() => continue,
            "nonSort" => "",
            "title" if title.is_empty() || title.ends_with(['\'', '’', '-']) => "",
            "title" => " ",
            "subTitle" => ": ",
            "partNumber" => ". ",
            "partName" if info.child("partNumber").is_some() => ", ",
            "partName" => ". ",
            _ => continue,
        };
        if element.name() == "subTitle" {
            // Catalogues write the colon at the end of the title (ISBD).
            title.truncate(title.trim_end_matches([' ', ':']).len());
        }
        title.push_str(before);
        title.push_str(&text);
    }
    title
}

/// The title proper, otherwise any other.
fn title(record: Element<'_>) -> String {
    let proper = record
        .children_named("titleInfo")
        .find(|info| info.attribute("type").is_none());
    let info = proper.or_else(|| record.child("titleInfo"));
    info.map(title_of).unwrap_or_default()
}

fn titles(record: Element<'_>, item: &mut ItemBuilder) {
    item.text(TextVar::Title, &title(record));
    let short = record
        .children_named("titleInfo")
        .find(|info| info.has("type", "abbreviated"));
    item.text(
        TextVar::TitleShort,
        &short.map(title_of).unwrap_or_default(),
    );
}

fn names(record: Element<'_>, in_host: bool, item: &mut ItemBuilder) {
    for element in record.children_named("name") {
        let roles = element
            .children_named("role")
            .flat_map(|role| role.children_named("roleTerm"));
        let role = roles
            .map(Element::text)
            .find_map(|role| roles::of_relator(&role));
        let variable = match (role, in_host) {
            (Some(Some(variable)), false) => variable,
            (None, false) => NameVar::Author,
            (Some(Some(NameVar::Author)) | None, true) => NameVar::ContainerAuthor,
            (Some(Some(variable)), true) => variable,
            // A role irrelevant to citations: an owner, a printer.
            (Some(None), _) => continue,
        };
        if element.has("type", "conference") {
            item.text(TextVar::EventTitle, &name_text(element));
            let date = { element.children_named("namePart") }.find(|part| part.has("type", "date"));
            item.date(
                DateVar::EventDate,
                date.and_then(|date| Date::parse(&date.text())),
            );
            continue;
        }
        item.name(variable, name(element));
        let mut ids = element.children_named("nameIdentifier");
        if let Some(orcid) = ids.find(|id| id.has("type", "orcid")) {
            item.orcid(variable, &orcid.text());
        }
    }
}

fn name_text(element: Element<'_>) -> String {
    let parts = element.children_named("namePart");
    let parts = parts.filter(|part| !part.has("type", "date"));
    let texts: Vec<String> = parts.map(Element::text).collect();
    texts.join(". ")
}

fn name(element: Element<'_>) -> Name {
    let typed = |kind: &str| {
        let parts = element
            .children_named("namePart")
            .filter(|part| part.has("type", kind));
        let texts: Vec<String> = parts.map(Element::text).collect();
        texts.join(" ")
    };
    let (family, given) = (typed("family"), typed("given"));
    if !family.is_empty() || !given.is_empty() {
        return person(&family, &given, &typed("termsOfAddress"));
    }
    if element.has("type", "corporate") || element.has("type", "family") {
        return Name::literal(&name_text(element));
    }
    let mut parts = element.children_named("namePart");
    let whole = parts.find(|part| part.attribute("type").is_none());
    let text = whole
        .or_else(|| element.child("displayForm"))
        .map(Element::text);
    catalogue::heading(&text.unwrap_or_default(), element.has("type", "personal"))
}

/// Publisher, place and date.
fn origin(record: Element<'_>, item: &mut ItemBuilder) {
    for origin in record.children_named("originInfo") {
        item.text(
            TextVar::Publisher,
            catalogue::without_separator(&publisher(origin)),
        );
        for place in origin.children_named("place") {
            let terms = place.children().filter(|term| !term.has("type", "code"));
            let terms: Vec<String> = terms.map(Element::text).collect();
            let place = terms.join(", ");
            item.text(
                TextVar::PublisherPlace,
                catalogue::without_separator(&place),
            );
        }
        item.number(NumberVar::Edition, &origin.child_text("edition"));
        item.date(DateVar::Accessed, dates(origin, "dateCaptured"));
    }
}

/// The date of issue. For a part, the date of its issue is more precise than the year of the record.
fn issued(record: Element<'_>, host: Option<Element<'_>>) -> Option<Date> {
    let own = origin_date(record);
    let mut parts = host
        .into_iter()
        .flat_map(|host| host.children_named("part"));
    let of_part = parts.find_map(|part| part.child("date")).and_then(date);
    let says_more = |own: &Date| match (own.start, of_part.as_ref().and_then(|date| date.start)) {
        (Some(own), Some(of_part)) => {
            own.year == of_part.year && of_part.precision() > own.precision()
        }
        _ => false,
    };
    match own {
        Some(own) if !says_more(&own) => Some(own),
        _ => of_part.or_else(|| host.and_then(origin_date)),
    }
}

fn origin_date(record: Element<'_>) -> Option<Date> {
    let names = ["dateIssued", "copyrightDate", "dateCreated", "dateOther"];
    names.iter().find_map(|name| {
        let mut origins = record.children_named("originInfo");
        origins.find_map(|origin| dates(origin, name))
    })
}

fn publisher(origin: Element<'_>) -> String {
    let agent = origin.path(&["agent", "namePart"]);
    let publisher = origin.child("publisher").or(agent);
    publisher.map(Element::text).unwrap_or_default()
}

/// Reads a date given once or several times: the key date is preferred, then an encoded one. Two may form a
/// range.
fn dates(origin: Element<'_>, name: &str) -> Option<Date> {
    let all = || origin.children_named(name);
    let point = |point: &str| all().find(|date| date.has("point", point)).and_then(date);
    if let Some(first) = point("start") {
        return Some(date_range(first, point("end")));
    }
    let key = all().find(|date| date.has("keyDate", "yes"));
    let encoded = || all().find(|date| date.attribute("encoding").is_some());
    key.or_else(encoded).or_else(|| all().next()).and_then(date)
}

fn date(element: Element<'_>) -> Option<Date> {
    let text = element.text();
    let digits: Option<i64> = Some(&text)
        .filter(|text| text.len() == 8)
        .and_then(|text| text.parse().ok());
    // `20020702`, ISO 8601's basic format.
    if let Some(number) = digits
        && (1000_0101..=9999_1231).contains(&number)
    {
        let year = (number / 10_000) as i32;
        return Some(DateParts::new(year, Some(number / 100 % 100), Some(number % 100)).into());
    }
    // Fill characters of MARC: `1835^^^^`.
    let bare = text.trim_end_matches(['^', '|', '#', '\\']);
    let mut date = Date::parse(bare.trim_matches(['[', ']', '.']))?;
    date.circa |= element.has("qualifier", "approximate");
    Some(date)
}

/// The containing journal or book.
fn read_host(host: Element<'_>, item: &mut ItemBuilder) {
    item.text(TextVar::ContainerTitle, &title(host));
    let short = host
        .children_named("titleInfo")
        .find(|info| info.has("type", "abbreviated"));
    item.text(
        TextVar::ContainerTitleShort,
        &short.map(title_of).unwrap_or_default(),
    );
    names(host, true, item);
    part(host, item);
    origin(host, item);
    for series in related(host, "series") {
        item.text(TextVar::CollectionTitle, &title(series));
    }
    identifiers(host, true, item);
}

fn details(record: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    record
        .children_named("part")
        .flat_map(|part| part.children_named("detail"))
}

/// Volume, issue and pages.
fn part(record: Element<'_>, item: &mut ItemBuilder) {
    for detail in details(record) {
        let number = detail.child("number").or_else(|| detail.child("title"));
        let number = number.map(Element::text).unwrap_or_default();
        let variable = match detail.attribute("type").as_deref() {
            Some("volume") => NumberVar::Volume,
            Some("issue" | "number") => NumberVar::Issue,
            Some("supplement") => NumberVar::SupplementNumber,
            Some("chapter") => NumberVar::ChapterNumber,
            Some("section") => NumberVar::Section,
            Some("page" | "pages") => NumberVar::Page,
            Some("part") => NumberVar::PartNumber,
            Some("edition") => NumberVar::Edition,
            _ => continue,
        };
        item.number(variable, &number);
    }
    let extents = record
        .children_named("part")
        .flat_map(|part| part.children_named("extent"));
    for extent in extents {
        let unit = extent.attribute("unit").unwrap_or_default();
        if !unit.is_empty() && !unit.starts_with("page") {
            continue;
        }
        item.pages(&extent.child_text("start"), &extent.child_text("end"));
        item.number(NumberVar::Page, &extent.child_text("list"));
        item.number(NumberVar::NumberOfPages, &extent.child_text("total"));
    }
}

/// Identifiers of the record or of its host; for a host, only the ISBN and ISSN.
fn identifiers(record: Element<'_>, around: bool, item: &mut ItemBuilder) {
    let valid = record
        .children_named("identifier")
        .filter(|id| !id.has("invalid", "yes"));
    for identifier in valid {
        let text = identifier.text();
        let kind = identifier
            .attribute("type")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let number = text.split([' ', '(']).next().unwrap_or_default();
        match (kind.as_str(), around) {
            ("isbn", _) => item.text(TextVar::Isbn, number),
            ("issn" | "issn-l" | "eissn", _) => item.text(TextVar::Issn, number),
            (_, true) => {}
            ("doi", _) => item.text(TextVar::Doi, &text),
            ("pmid" | "pubmed" | "medline", _) => item.text(TextVar::Pmid, &text),
            ("pmc" | "pmcid", _) => item.text(TextVar::Pmcid, &text),
            ("arxiv", _) => item.text(TextVar::ArxivId, &text),
            ("uri" | "url" | "hdl" | "handle", _) if text.contains("://") => item.address(&text),
            ("citekey", _) => item.set_key(&text),
            ("report number" | "serial number" | "patent number", _) => {
                item.number(NumberVar::Number, &text);
            }
            _ => {}
        }
    }
}

fn locations(record: Element<'_>, item: &mut ItemBuilder) {
    let urls = || {
        let locations = record.children_named("location");
        locations.flat_map(|location| location.children_named("url"))
    };
    let primary =
        urls().find(|url| url.has("usage", "primary display") || url.has("usage", "primary"));
    let shown = || urls().find(|url| !url.has("access", "preview"));
    if let Some(url) = primary.or_else(shown) {
        item.address(&url.text());
    }
    for location in record.children_named("location") {
        let shelf = location
            .descendant("shelfLocator")
            .map(Element::text)
            .unwrap_or_default();
        item.text(TextVar::CallNumber, &shelf);
        if item.kind() == ItemType::Manuscript || !shelf.is_empty() {
            item.text(TextVar::Archive, &location.child_text("physicalLocation"));
        }
    }
}

fn texts(record: Element<'_>, item: &mut ItemBuilder) {
    item.text(TextVar::Abstract, &record.child_text("abstract"));
    if let Some(language) = record.child("language") {
        let term = language.child("languageTerm").unwrap_or(language);
        item.text(TextVar::Language, &term.text());
    }
    for note in record.children_named("note") {
        let kind = note.attribute("type").unwrap_or_default();
        if kind != "statement of responsibility" {
            item.text(TextVar::Note, &note.text());
        }
    }
    for subject in record.children_named("subject") {
        for term in subject.children() {
            if matches!(term.name(), "topic" | "geographic" | "temporal" | "genre") {
                item.keyword(&term.text());
            }
            item.text(TextVar::Scale, &term.child_text("scale"));
        }
    }
    item.text(TextVar::License, &record.child_text("accessCondition"));
    let extent = record.path(&["physicalDescription", "extent"]);
    let extent = extent.map(Element::text).unwrap_or_default();
    if let Some(count) = citation_fields::pages::count_before_unit(&extent) {
        item.number(NumberVar::NumberOfPages, count);
    }
}

#[cfg(test)]
mod tests {
    use crate::MODS;
    use crate::testing::check_read;

    #[track_caller]
    fn check(record: &str, expected: &str) {
        let text = format!(
            "<m:modsCollection xmlns:m='http://www.loc.gov/mods/v3'><m:mods>{record}</m:mods></m:modsCollection>"
        );
        check_read(&MODS, &text, &format!("[{expected}]"));
    }

    #[test]
    fn punctuation_of_catalogues_goes() {
        check(
            "<m:name type='personal'><m:namePart>Smith, John (John Quincy), 1950-</m:namePart></m:name><m:name type='personal'><m:namePart>A. B. Roe</m:namePart></m:name>
            <m:originInfo><m:place><m:placeTerm type='text'>London :</m:placeTerm></m:place><m:publisher>Press Inc.,</m:publisher><m:issuance>monographic</m:issuance></m:originInfo>
            <m:relatedItem type='series'><m:titleInfo><m:title>Series ;</m:title><m:partNumber>3</m:partNumber></m:titleInfo></m:relatedItem>",
            r#"{"author": [{"family": "Smith", "given": "John"}, {"family": "Roe", "given": "A. B."}], "publisher-place": "London",
            "publisher": "Press Inc.", "collection-title": "Series"}"#,
        );
    }

    #[test]
    fn an_article_in_its_journal() {
        check(
            "<m:titleInfo><m:nonSort>The </m:nonSort><m:title>Work :</m:title><m:subTitle>a story</m:subTitle><m:partNumber>2</m:partNumber><m:partName>End</m:partName></m:titleInfo>
            <m:name type='personal'><m:namePart type='family'>Doe</m:namePart><m:namePart type='given'>Jane</m:namePart><m:namePart type='given'>Q.</m:namePart></m:name>
            <m:name type='personal'><m:namePart>Roe, Richard,</m:namePart><m:namePart type='date'>1950-</m:namePart><m:role><m:roleTerm>edt</m:roleTerm></m:role></m:name>
            <m:name type='corporate'><m:namePart>Owners</m:namePart><m:role><m:roleTerm>own</m:roleTerm></m:role></m:name>
            <m:originInfo><m:dateIssued>2003</m:dateIssued></m:originInfo><m:language><m:languageTerm>eng</m:languageTerm></m:language>
            <m:relatedItem type='host'><m:titleInfo><m:title>Journal</m:title></m:titleInfo><m:identifier type='issn'>2049-3630</m:identifier>
            <m:part><m:detail type='volume'><m:number>3</m:number></m:detail><m:detail type='issue'><m:number>1</m:number></m:detail>
            <m:extent unit='pages'><m:start>53</m:start><m:end>57</m:end></m:extent><m:date>Jan. 2003</m:date></m:part></m:relatedItem>",
            r#"{"type": "article-journal", "title": "The Work: a story. 2, End", "author": [{"family": "Doe", "given": "Jane Q."}], "editor": [{"family": "Roe", "given": "Richard"}],
            "issued": {"date-parts": [[2003, 1]]}, "container-title": "Journal", "volume": "3", "issue": "1", "page": "53-57", "ISSN": "2049-3630", "language": "en"}"#,
        );
    }

    #[test]
    fn types_by_genre_resource_and_host() {
        let title = "<m:titleInfo><m:title>T</m:title></m:titleInfo>";
        let kind = |record: &str, kind: &str| {
            check(
                &format!("{title}{record}"),
                &format!(r#"{{"type": "{kind}"}}"#),
            )
        };
        kind("<m:genre>theses</m:genre>", "thesis");
        kind("<m:typeOfResource>cartographic</m:typeOfResource>", "map");
        kind(
            "<m:typeOfResource manuscript='yes'>text</m:typeOfResource>",
            "manuscript",
        );
        kind(
            "<m:originInfo><m:issuance>monographic</m:issuance></m:originInfo>",
            "book",
        );
        kind(
            "<m:relatedItem type='host'><m:titleInfo><m:title>B</m:title></m:titleInfo></m:relatedItem>",
            "chapter",
        );
        kind(
            "<m:relatedItem type='host'><m:originInfo><m:issuance>continuing</m:issuance></m:originInfo></m:relatedItem>",
            "article-journal",
        );
    }

    #[test]
    fn dates_in_several_encodings() {
        let date = |date: &str, expected: &str| {
            check(
                &format!(
                    "<m:titleInfo><m:title>T</m:title></m:titleInfo><m:originInfo>{date}</m:originInfo>"
                ),
                &format!(r#"{{"issued": {expected}}}"#),
            )
        };
        date(
            "<m:dateIssued>c2011</m:dateIssued><m:dateIssued encoding='marc'>2012</m:dateIssued>",
            r#"{"date-parts": [[2012]]}"#,
        );
        date(
            "<m:dateCreated point='start'>1400</m:dateCreated><m:dateCreated point='end'>1499</m:dateCreated>",
            r#"{"date-parts": [[1400], [1499]]}"#,
        );
        date(
            "<m:dateIssued encoding='iso8601'>20020702</m:dateIssued>",
            r#"{"date-parts": [[2002, 7, 2]]}"#,
        );
        date(
            "<m:copyrightDate>1999</m:copyrightDate><m:dateCreated>1955</m:dateCreated>",
            r#"{"date-parts": [[1999]]}"#,
        );
        date(
            "<m:dateIssued encoding='marc'>1835^^^^</m:dateIssued>",
            r#"{"date-parts": [[1835]]}"#,
        );
    }

    #[test]
    fn type_of_zotero_is_a_genre() {
        check(
            "<m:titleInfo><m:title>T</m:title></m:titleInfo><m:genre authority='local'>magazineArticle</m:genre><m:genre authority='marcgt'>periodical</m:genre>",
            r#"{"type": "article-magazine"}"#,
        );
    }

    #[test]
    fn dates_of_life_in_brackets_are_no_name() {
        check(
            "<m:name type='personal'><m:namePart>Roe, Ann [1848-1914]</m:namePart></m:name>",
            r#"{"author": [{"family": "Roe", "given": "Ann"}]}"#,
        );
    }

    #[test]
    fn a_series_with_its_number() {
        check(
            "<m:titleInfo><m:title>T</m:title></m:titleInfo><m:relatedItem type='series'><m:titleInfo><m:title>Series ; v. 7</m:title></m:titleInfo></m:relatedItem>",
            r#"{"collection-title": "Series", "collection-number": "v. 7"}"#,
        );
    }
}
