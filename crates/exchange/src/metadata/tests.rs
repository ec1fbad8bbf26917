//! Examples of reading and writing.

use serde_json::{Value, json};

use super::{CitationMetadata, read, read_value};
use citation_model::access::{CopyVersion, OpenCopy, TextAccess};
use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

fn item(value: Value) -> Item {
    match read_value(&value) {
        Ok((item, _)) => item,
        Err(errors) => panic!("{value}: {errors:?}"),
    }
}

fn written(item: &Item) -> Value {
    serde_json::to_value(CitationMetadata::of_item(item).with_abstract(true)).unwrap()
}

#[track_caller]
fn check_error(value: Value, field: &str, code: &str) {
    let errors = read_value(&value).unwrap_err();
    assert!(
        errors.iter().any(|e| e.field == field && e.code == code),
        "{errors:?}"
    );
}

#[test]
fn the_interfaces_own_example_reads_and_writes() {
    let value = json!({
        "id": "a", "entry_type": "Article", "csl_type": "article-journal",
        "title": "Deep learning",
        "authors": [{"family": "LeCun", "given": "Yann"}, {"literal": "WHO"}],
        "date": {"year": 2015, "month": 5, "day": 27},
        "journal": "Nature", "container_title": "Nature",
        "volume": "521", "issue": "7553", "pages": "436–444",
        "doi": "10.1038/nature14539",
    });
    assert_eq!(written(&item(value.clone())), value);
}

#[test]
fn every_variable_comes_back() {
    let mut one = Item::new("x", ItemType::Collection);
    for &v in TextVar::ALL {
        one.set_text(v, format!("text of {}", v.csl()));
    }
    one.set_text(TextVar::Doi, "10.1000/x");
    one.set_text(TextVar::Isbn, "9780198526636");
    one.set_text(TextVar::Issn, "2049-3630");
    for &v in NumberVar::ALL {
        one.set_number(v, format!("{}-12a", v.csl()));
    }
    for &v in NameVar::ALL {
        let mut name = Name::person("Berg", "Anna");
        name.non_dropping_particle = Some("van den".into());
        name.suffix = Some(format!("{}", v.csl().len()));
        name.comma_suffix = true;
        name.static_ordering = true;
        name.parse_names = false;
        name.orcid = Some("0000-0002-1825-0097".into());
        one.set_names(v, vec![name, Name::literal("The Firm, Ltd.")]);
    }
    let dates = [
        Date::parse("2004-03-01/2004-04"),
        Date::parse("1984~/.."),
        Date::parse("2001-23"),
        Date::parse("-0044-03-15"),
        Date::parse("no date at all"),
        Some(Date {
            start: Some(DateParts::year(1999)),
            end: Some(DateEnd::At(DateParts::new(2000, Some(21), None))),
            circa: true,
            literal: Some("Trinity 1999".into()),
        }),
    ];
    for (&v, date) in DateVar::ALL.iter().zip(dates) {
        one.set_date(v, date.unwrap());
    }
    one.custom
        .insert("shelf".into(), json!({"row": [1, 2.5, null]}));
    one.custom.insert(
        "title".into(),
        json!("a member that is named like a variable"),
    );
    assert_eq!(item(written(&one)), one);
    for &kind in ItemType::ALL {
        let bare = Item::new("", kind);
        assert_eq!(item(written(&bare)), bare);
    }
}

#[test]
fn article_means_what_its_neighbours_say() {
    let kind = |value: Value| item(value).kind;
    assert_eq!(
        kind(json!({"entry_type": "article", "journal": "X"})),
        ItemType::Article
    );
    assert_eq!(kind(json!({"entry_type": "article"})), ItemType::Article);
    assert_eq!(
        kind(json!({"type": "article", "genre": "Preprint"})),
        ItemType::Preprint
    );
    assert_eq!(
        kind(json!({"entry_type": "article", "archive": "arXiv"})),
        ItemType::Preprint
    );
    assert_eq!(kind(json!({"entry_type": "Preprint"})), ItemType::Preprint);
    assert_eq!(
        kind(json!({"entry_type": "proceedings-article"})),
        ItemType::ConferencePaper
    );
    assert_eq!(
        kind(json!({"journal": "X", "volume": 1})),
        ItemType::Article
    );
    assert_eq!(kind(json!({"isbn": "9780198526636"})), ItemType::Book);
}

#[test]
fn unknown_types_are_kept_with_a_warning() {
    let value = json!({"entry_type": "Stone tablet", "title": "T"});
    let (item, warnings) = read_value(&value).unwrap();
    assert_eq!(item.kind, ItemType::Document);
    assert_eq!(item.custom.get("entry_type"), Some(&json!("Stone tablet")));
    assert_eq!(warnings[0].code, "unknown_entry_type");
}

#[test]
fn other_shapes_are_understood() {
    let one = item(json!({
        "type": "article-journal", "container-title": ["Nature"], "page": "1-2", "volume": 12,
        "author": [{"family": "Berg", "non-dropping-particle": "van den"}, "Curie, Marie"],
        "issued": {"date-parts": [["2004", 3]]}, "DOI": "https://doi.org/10.1000/ABC",
        "ISBN": ["0-19-852663-6", "978-0-19-852663-6"], "keyword": "ants, bees",
        "editor": "Gauss, C. F. and Emmy Noether",
    }));
    assert_eq!(one.text(TextVar::ContainerTitle), Some("Nature"));
    assert_eq!(one.number(NumberVar::Volume), Some("12"));
    assert_eq!(one.text(TextVar::Doi), Some("10.1000/abc"));
    assert_eq!(one.text(TextVar::Isbn), Some("9780198526636"));
    assert_eq!(
        one.names(NameVar::Author)[1],
        Name::person("Curie", "Marie")
    );
    assert_eq!(
        one.names(NameVar::Editor)[1],
        Name::person("Noether", "Emmy")
    );
    assert_eq!(one.date(DateVar::Issued).unwrap().edtf(), "2004-03");
    assert_eq!(written(&one)["keywords"], json!(["ants", "bees"]));
    let date = |value: Value| item(value).date(DateVar::Issued).map(Date::edtf);
    assert_eq!(date(json!({"date": "2021-07"})).as_deref(), Some("2021-07"));
    assert_eq!(date(json!({"date": 2021})).as_deref(), Some("2021"));
    assert_eq!(
        date(json!({"date": {"year": "2021", "month": "July"}})).as_deref(),
        Some("2021-07")
    );
    assert_eq!(
        date(json!({"year": 2021, "month": 3})).as_deref(),
        Some("2021-03")
    );
    assert_eq!(date(json!({"date": {"year": null}})), None);
}

#[test]
fn journal_wins_over_a_stale_container_title() {
    let value = json!({"entry_type": "Article", "journal": "New", "container_title": "Old"});
    let (item, warnings) = read_value(&value).unwrap();
    assert_eq!(item.text(TextVar::ContainerTitle), Some("New"));
    assert_eq!(warnings[0].code, "conflicting_fields");
}

#[test]
fn unknown_members_come_back_in_extra() {
    let one = item(json!({"title": "T", "shelf": 7, "extra": {"box": [1]}, "custom": {"k": "v"}}));
    assert_eq!(
        written(&one)["extra"],
        json!({"shelf": 7, "box": [1], "k": "v"})
    );
    assert_eq!(item(written(&one)), one);
}

#[test]
fn wrong_members_are_named() {
    check_error(json!([1]), "", "not_an_object");
    check_error(json!({"authors": "Curie"}), "/authors", "wrong_type");
    check_error(json!({"authors": [7]}), "/authors/0", "wrong_type");
    check_error(
        json!({"authors": [{"family": {}}]}),
        "/authors/0/family",
        "wrong_type",
    );
    check_error(json!({"title": {"a": 1}}), "/title", "wrong_type");
    check_error(
        json!({"date": {"year": "soon"}}),
        "/date/year",
        "not_an_integer",
    );
    check_error(
        json!({"date": {"year": 2020.5}}),
        "/date/year",
        "not_an_integer",
    );
    check_error(
        json!({"date": {"year": 2020, "month": 30}}),
        "/date/month",
        "out_of_range",
    );
    check_error(json!({"date": true}), "/date", "wrong_type");
    check_error(json!({"year": 1e12}), "/year", "out_of_range");
    check_error(json!({"authors": vec!["A"; 5001]}), "/authors", "too_many");
    check_error(json!({"notes": "x".repeat(33_000)}), "/extra", "too_large");
}

#[test]
fn wrong_identifiers_are_kept_with_a_warning() {
    let value = json!({"title": "T", "doi": "nonsense", "isbn": "978-0-19-852663-0"});
    let (item, warnings) = read_value(&value).unwrap();
    assert_eq!(item.text(TextVar::Doi), Some("nonsense"));
    let codes: Vec<&str> = warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["invalid_doi", "invalid_isbn"]);
}

#[test]
fn work_shows_where_it_is_from() {
    let mut item = Item::new("n", ItemType::Article);
    item.set_text(TextVar::Title, "T");
    item.set_text(TextVar::Abstract, "Long.");
    let provenance = Provenance {
        source: Source::Crossref,
        record_id: "10.1000/x".into(),
        url: None,
        license: None,
        fetched_at: 0,
    };
    let mut work = Work::new(item, provenance);
    work.updates.push(Update {
        kind: UpdateKind::Retraction,
        relation: UpdateRelation::UpdatedBy,
        doi: Doi::parse("10.1000/y").unwrap(),
        date: Date::parse("2020-01-02"),
        source: "publisher".into(),
        reasons: Vec::new(),
    });
    assert_eq!(
        serde_json::to_value(CitationMetadata::of_work(&work)).unwrap(),
        json!({
            "id": "n", "entry_type": "Article", "csl_type": "article-journal", "title": "T",
            "provenance": {"source": "crossref", "fetched_at": "1970-01-01T00:00:00Z"},
            "updates": [{"type": "retraction", "relation": "updated_by", "doi": "10.1000/y",
                         "date": "2020-01-02", "source": "publisher"}],
        })
    );
    let access = TextAccess {
        open_copy: Some(OpenCopy {
            url: "https://example.org/a".into(),
            version: Some(CopyVersion::Accepted),
            license: None,
            source: "openalex".into(),
        }),
        library_url: Some("https://library.example.org/?id=1".into()),
    };
    let with_access = |access| CitationMetadata::of_work(&work).with_access(Some(access));
    let sent_back = serde_json::to_value(with_access(access)).unwrap();
    assert_eq!(
        sent_back["open_access"],
        json!({"url": "https://example.org/a", "version": "accepted", "source": "openalex"})
    );
    assert_eq!(
        sent_back["library_url"],
        "https://library.example.org/?id=1"
    );
    let none = serde_json::to_value(with_access(TextAccess::default())).unwrap();
    assert_eq!(none.get("open_access"), Some(&serde_json::Value::Null));
    assert!(
        read(sent_back.as_object().unwrap())
            .unwrap()
            .0
            .custom
            .is_empty()
    );
}

#[cfg(feature = "openapi")]
#[test]
fn the_schema_knows_every_member_that_is_written() {
    use utoipa::PartialSchema;
    let schema = serde_json::to_value(CitationMetadata::schema()).unwrap();
    let known = schema["properties"].as_object().unwrap();
    for name in TextVar::ALL
        .iter()
        .map(|v| v.json_name())
        .filter(|w| *w != "keyword")
    {
        assert!(known.contains_key(name), "{name}");
    }
    for name in [
        "id",
        "entry_type",
        "csl_type",
        "journal",
        "keywords",
        "provenance",
        "open_access",
        "library_url",
        "extra",
    ] {
        assert!(known.contains_key(name), "{name}");
    }
}

#[test]
fn dates_with_odd_numbers_are_told() {
    for (date, told) in [
        (json!({"date-parts": [[2020, 99]]}), true),
        (json!({"date-parts": [[2020, 1, 40]]}), true),
        (json!([2020, 13, 1]), true),
        (json!([2020, 21]), false),
        (json!({"date-parts": [[2021, 2, 30]]}), true),
        (json!({"year": 2021, "month": 2, "day": 30}), true),
        (json!({"year": 2021, "month": 13}), true),
        (json!({"year": 2021, "month": "22"}), false),
        (
            json!({"year": 2021, "end": {"year": 2021, "month": 13}}),
            true,
        ),
        (json!("2021-02-30"), true),
        (json!("2021-13-01"), true),
        (json!({"date-parts": [[2020, 2]]}), false),
        (json!({"year": 2020}), false),
        (json!("2020-02"), false),
    ] {
        let read = read_value(&json!({"title": "T", "issued": date}));
        let codes: Vec<&str> = read.unwrap().1.iter().map(|w| w.code).collect();
        let expected: &[&str] = if told { &["invalid_date"] } else { &[] };
        assert_eq!(codes, expected, "{date}");
    }
}

#[test]
fn long_texts_are_refused_under_every_name() {
    let long = "x".repeat(10_001);
    let check = |value: Value, field: &str, code: &str| {
        let errors = read_value(&value).unwrap_err();
        assert_eq!((errors[0].field.as_str(), errors[0].code), (field, code));
    };
    check(json!({"title": long}), "/title", "too_long");
    check(json!({"DOI": long}), "/DOI", "too_long");
    check(
        json!({"publicationTitle": long}),
        "/publicationTitle",
        "too_long",
    );
    check(json!({"volume": long}), "/volume", "too_long");
    check(json!({"authors": [long]}), "/authors/0", "too_long");
    check(
        json!({"authors": [{"last": long}]}),
        "/authors/0/last",
        "too_long",
    );
    check(
        json!({"keywords": vec!["a"; 1_001]}),
        "/keywords",
        "too_many",
    );
    check(json!({"date": long}), "/date", "too_long");
    check(
        json!({"date": {"literal": long}}),
        "/date/literal",
        "too_long",
    );
    check(
        json!({"author": "a; ".repeat(5_001)}),
        "/author",
        "too_many",
    );
    let members = (0..1_001).map(|n| (format!("m{n}"), json!(0)));
    check(Value::Object(members.collect()), "", "too_many");
    assert!(read_value(&json!({"abstract": long})).is_ok());
}

#[test]
fn years_beyond_64_bits_are_out_of_range() {
    let errors = read_value(&json!({"year": "123456789012345678901234567890"})).unwrap_err();
    assert_eq!(
        (errors[0].field.as_str(), errors[0].code),
        ("/year", "out_of_range")
    );
}
