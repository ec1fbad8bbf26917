//! Web pages as works: a small page for each convention, and hostile pages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::Identifier;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_records::webpage::{self, Fact, WebPage};

const URL: &str = "https://www.example.org/waves";

fn read(html: &str) -> WebPage {
    read_at(html, URL)
}

fn read_at(html: &str, url: &str) -> WebPage {
    webpage::read(html.as_bytes(), Some(url), None, &Budget::unlimited()).unwrap()
}

/// The value of a field of a page: `type`, `title`, `authors`, `date` or a CSL variable.
fn said(page: &WebPage, field: &str) -> String {
    let item = &page.item;
    let names = |variable| {
        let names = item.names(variable).iter().map(|name| name.display());
        names.collect::<Vec<_>>().join("; ")
    };
    match field {
        "type" => item.kind.csl().to_owned(),
        "authors" => names(NameVar::Author),
        "editors" => names(NameVar::Editor),
        "date" => item
            .date(DateVar::Issued)
            .map(|date| date.edtf())
            .unwrap_or_default(),
        "site" => page.site.clone().unwrap_or_default(),
        field => {
            let text = TextVar::from_csl(field).and_then(|variable| item.text(variable));
            let number = || NumberVar::from_csl(field).and_then(|variable| item.number(variable));
            text.or_else(number).unwrap_or_default().to_owned()
        }
    }
}

#[track_caller]
fn check(html: &str, expected: &[(&str, &str)]) {
    check_page(&read(html), expected);
}

#[track_caller]
fn check_page(page: &WebPage, expected: &[(&str, &str)]) {
    for (field, value) in expected {
        assert_eq!(said(page, field), *value, "{field}");
    }
}

#[test]
fn highwire_tags_are_read() {
    check(
        "<meta name=citation_title content='Waves of H<sub>2</sub>O'>\
         <meta name=citation_author content='Roe, Jane'><meta name=citation_author content='John Doe'>\
         <meta name=citation_journal_title content=Annals><meta name=citation_publication_date content=2021/07/14>\
         <meta name=citation_volume content=4><meta name=citation_issue content=2>\
         <meta name=citation_firstpage content=10><meta name=citation_lastpage content=19>\
         <meta name=citation_issn content=2049-3630><meta name=citation_doi content='doi:10.5555/Waves.1'>\
         <meta name=citation_pmid content=12345>",
        &[
            ("type", "article-journal"),
            ("title", "Waves of H<sub>2</sub>O"),
            ("authors", "Jane Roe; John Doe"),
            ("date", "2021-07-14"),
            ("container-title", "Annals"),
            ("volume", "4"),
            ("issue", "2"),
            ("page", "10-19"),
            ("ISSN", "2049-3630"),
            ("DOI", "10.5555/waves.1"),
            ("PMID", "12345"),
        ],
    );
}

#[test]
fn highwire_tags_name_the_type() {
    let check = |tag: &str, expected: &str| {
        let title = "<meta name=citation_title content=Waves>";
        check(
            &format!("{title}<meta name={tag} content='A b'>"),
            &[("type", expected)],
        );
    };
    check("citation_conference_title", "paper-conference");
    check("citation_inbook_title", "chapter");
    check("citation_dissertation_institution", "thesis");
    check("citation_technical_report_institution", "report");
    check("citation_arxiv_id", "article");
}

#[test]
fn dublin_core_of_journal_systems_is_read() {
    check(
        "<meta name=DC.Title content='Waves of water'><meta name=DC.Creator.PersonalName content='Jane Roe'>\
         <meta name=DC.Date.issued content=2021-07-14><meta name=DC.Source content='First Day'>\
         <meta name=DC.Source.Volume content=25><meta name=DC.Source.Issue content=10>\
         <meta name=DC.Source.ISSN content=2049-3630><meta name=DC.Identifier.DOI content=10.5555/w.1>\
         <meta name=DC.Type content=Text.Serial.Journal><meta name=DC.Language content=en>",
        &[
            ("type", "article-journal"),
            ("title", "Waves of water"),
            ("authors", "Jane Roe"),
            ("date", "2021-07-14"),
            ("container-title", "First Day"),
            ("volume", "25"),
            ("issue", "10"),
            ("DOI", "10.5555/w.1"),
            ("language", "en"),
        ],
    );
}

#[test]
fn prism_names_the_journal_beside_dublin_core() {
    check(
        "<meta name=dc.title content=Waves><meta name=prism.publicationName content=Annals>\
         <meta name=prism.volume content=4><meta name=prism.number content=2>\
         <meta name=prism.startingPage content=7><meta name=prism.doi content=10.5555/w.1>",
        &[
            ("type", "article-journal"),
            ("container-title", "Annals"),
            ("volume", "4"),
            ("issue", "2"),
            ("page", "7"),
            ("DOI", "10.5555/w.1"),
        ],
    );
}

#[test]
fn eprints_tags_are_read() {
    check(
        "<meta name=eprints.title content=Waves><meta name=eprints.creators_name content='Roe, Jane'>\
         <meta name=eprints.type content=book_section><meta name=eprints.book_title content='All of Water'>\
         <meta name=eprints.date content=2019-03><meta name=eprints.pagerange content=10-19>",
        &[
            ("type", "chapter"),
            ("authors", "Jane Roe"),
            ("container-title", "All of Water"),
            ("date", "2019-03"),
            ("page", "10-19"),
        ],
    );
}

#[test]
fn json_ld_is_read_through_its_references() {
    check(
        r##"<title>Waves of water - The Example</title><script type="application/ld+json">{"@graph": [
            {"@type": "Article", "headline": "Waves of water", "author": {"@id": "#jane"},
             "datePublished": "2021-07-14T10:00:00+02:00", "publisher": {"@id": "#org"}},
            {"@type": "Person", "@id": "#jane", "name": "Jane Roe"},
            {"@type": "NewsMediaOrganization", "@id": "#org", "name": "The Example"}]}</script>"##,
        &[
            ("type", "article-newspaper"),
            ("title", "Waves of water"),
            ("authors", "Jane Roe"),
            ("date", "2021-07-14"),
            ("publisher", "The Example"),
        ],
    );
}

#[test]
fn json_ld_author_that_is_an_address_is_no_name() {
    check(
        r#"<title>Waves of water</title><script type="application/ld+json">{"@type": "Book",
            "name": "Waves of water", "author": "/author/jane_roe.html"}</script>"#,
        &[("title", "Waves of water"), ("authors", "")],
    );
}

#[test]
fn json_ld_of_teasers_is_passed_over() {
    check(
        r#"<title>Waves of water</title>
        <script type="application/ld+json">{"@type": "NewsArticle", "headline": "Another story of fire",
            "author": "John Doe", "datePublished": "2020-01-01"}</script>
        <script type="application/ld+json">//<![CDATA[
            {"@type": "NewsArticle", "headline": "Waves of
            water", "author": [{"@type": "Person", "givenName": "Jane", "familyName": "Roe"}]}
        //]]></script>"#,
        &[
            ("title", "Waves of water"),
            ("authors", "Jane Roe"),
            ("date", ""),
        ],
    );
}

#[test]
fn microdata_is_read_as_objects() {
    check(
        "<div itemscope itemtype='http://schema.org/BlogPosting'><h1 itemprop=headline>Waves of water</h1>\
         <span itemprop=author itemscope itemtype='http://schema.org/Person'>By <b itemprop=name>Jane Roe</b></span>\
         <time itemprop=datePublished datetime=2021-07-14>yesterday</time></div>",
        &[
            ("type", "post-weblog"),
            ("title", "Waves of water"),
            ("authors", "Jane Roe"),
            ("date", "2021-07-14"),
        ],
    );
}

#[test]
fn rdfa_is_read_as_objects() {
    check(
        "<div vocab='http://schema.org/' typeof=ScholarlyArticle><h1 property='schema:name'>Waves of water</h1>\
         <span property=author typeof=Person><span property=name>Jane Roe</span></span>\
         <span property=isPartOf typeof=Periodical><span property=name>Annals</span></span></div>",
        &[
            ("type", "article-journal"),
            ("title", "Waves of water"),
            ("authors", "Jane Roe"),
            ("container-title", "Annals"),
        ],
    );
}

#[test]
fn open_graph_is_read_with_what_stands_beside_it() {
    check(
        "<meta property=og:site_name content='The Example'><meta property=og:title content='Waves | The Example'>\
         <meta property=article:author content='https://social.example/jane'><meta name=author content='Jane Roe'>\
         <meta property=article:published_time content=2021-07-14T08:00:00Z><meta property=og:locale content=de_DE>",
        &[
            ("title", "Waves"),
            ("authors", "Jane Roe"),
            ("date", "2021-07-14"),
            ("container-title", "The Example"),
            ("language", "de-DE"),
        ],
    );
}

#[test]
fn coins_of_the_work_itself_are_read() {
    let span = |title: &str| {
        format!(
            "<span class=Z3988 title='ctx_ver=Z39.88-2004&amp;rft.atitle={title}&amp;rft.jtitle=Annals&amp;\
             rft.date=1988&amp;rft.spage=14&amp;rft.epage=23&amp;rft.genre=article&amp;rft.au=Roe%2C+Jane'></span>"
        )
    };
    let page = format!("<title>Waves of water</title>{}", span("Waves+of+water"));
    check(
        &page,
        &[
            ("container-title", "Annals"),
            ("authors", "Jane Roe"),
            ("page", "14-23"),
        ],
    );
    let page = format!("<title>Waves of water</title>{}", span("Quite+another"));
    check(
        &page,
        &[("container-title", "example.org"), ("authors", "")],
    );
}

#[test]
fn bylines_and_dates_beside_the_heading_are_read() {
    check(
        "<title>Waves of water</title><h1>Waves of water</h1><p>By JANE ROE and John Doe July 14, 2021</p>",
        &[("authors", "JANE ROE; John Doe"), ("date", "2021-07-14")],
    );
    check(
        "<b>Waves of all the water</b><br><a>Jane Roe</a><br>November 2020<p>Text<title>Waves of all the water</title>",
        &[("authors", "Jane Roe"), ("date", "2020-11")],
    );
    check(
        "<h1>Waves</h1><div class=byline>Written by Jane Roe<br>Edited by John Doe</div>\
         <time datetime='2021-07-14'>Wednesday</time>",
        &[("authors", "Jane Roe"), ("date", "2021-07-14")],
    );
}

#[test]
fn bylines_of_comments_and_references_are_others() {
    check(
        "<h1>Waves</h1><div id=comments><p class=author>By Max Muster</p><time>1 May 2001</time></div>\
         <ul class=references><li><span class=author>V. Ex</span></ul>",
        &[("authors", ""), ("date", "")],
    );
}

#[test]
fn names_marked_in_parts_are_joined() {
    check(
        "<h1>Waves</h1><span class=given-name>Jane</span> <span class='text surname'>Roe</span><sup>a</sup>,\
         <span class=given-name>John Q.</span> <span class='text surname'>Doe</span>\
         <li class=bib-reference><span class=author>V. Ex</span>",
        &[("authors", "Jane Roe; John Q. Doe")],
    );
}

#[test]
fn people_go_before_the_owner_of_the_site() {
    check(
        "<meta property=og:site_name content='The Example'><meta name=author content='The Example'>\
         <h1>Waves</h1><a rel=author>Jane Roe</a>",
        &[("authors", "Jane Roe")],
    );
}

#[test]
fn names_in_east_asian_characters_are_read() {
    check(
        "<title>水の波</title><h1>水の波</h1><p class=author>山田太郎（記者）</p><p class=date>2021年7月14日</p>",
        &[("authors", "山田太郎"), ("date", "2021-07-14")],
    );
}

#[test]
fn numeric_dates_follow_the_language() {
    check(
        "<html lang=tr><h1>Tides of the bay</h1><p><span class=date-create>05.04.2025 - 10:30</span>",
        &[("date", "2025-04-05")],
    );
    check(
        "<html lang=fr><h1>Tides of the bay</h1><p>Publié le 04/03/2020 à 10h30, mis à jour le 05/03/2020",
        &[("date", "2020-03-04")],
    );
    check(
        "<html lang=pt-BR><h1>Tides of the bay</h1><p>04/03/2020 10h30 Atualizado há 2 anos",
        &[("date", "2020-03-04")],
    );
    check(
        "<html lang=it><meta name=date content=04/03/2020><h1>Tides of the bay</h1>",
        &[("date", "2020-03-04")],
    );
    check(
        "<html lang=en-US><meta name=date content=04/03/2020><h1>Tides of the bay</h1>",
        &[("date", "2020")],
    );
}

#[test]
fn dates_beside_other_words_are_read() {
    check(
        "<h1>Tides of the bay</h1><p>3 July 2021 | Science, Oceans, Coast, Boats",
        &[("date", "2021-07-03")],
    );
    check(
        "<title>Tides of the bay | Example | 03.07.2021</title><h1>Tides of the bay</h1>",
        &[("date", "2021-07-03")],
    );
    check(
        "<meta property='article:published_time ' content=2021-07-03><h1>Tides of the bay</h1>",
        &[("date", "2021-07-03")],
    );
    check(
        "<h1>Tides of the bay</h1><p>By Jane Roe - EX Writers | <abbr title=2021-07-03T10:00:00Z>1 hr ago</abbr>",
        &[("date", "2021-07-03"), ("authors", "Jane Roe")],
    );
    check(
        "<body typeof=sioc:Item><h1>Tides of the bay</h1><span property=dc:date content=2021-07-03T10:00>x</span>",
        &[("date", "2021-07-03")],
    );
    check(
        "<h1>Tides of the bay</h1><p>2021-07-03 10:00:00 Source: Example and others",
        &[("date", "2021-07-03")],
    );
    check(
        "<html lang=id><h1>Tides of the bay</h1><p>Sabtu, 3 Juli 2021 10:00 WIB</p>",
        &[("date", "2021-07-03")],
    );
    let far = "<p>Lorem ipsum dolor sit amet.".repeat(40);
    check(
        &format!("<h1>Tides of the bay</h1>{far}<p>Erschienen am: 03.07.2021"),
        &[("date", "2021-07-03")],
    );
}

#[test]
fn pages_without_another_date_have_that_of_their_change() {
    check(
        "<h1>Tide clock guide</h1><footer>Last updated: 3 May 2021</footer>",
        &[("type", "webpage"), ("date", "2021-05-03")],
    );
    check(
        "<h1>Tide clock guide</h1><p>Published 2 May 2021<footer>Last updated: 3 May 2021</footer>",
        &[("date", "2021-05-02")],
    );
}

#[test]
fn links_to_profiles_are_bylines() {
    check(
        "<h1>Tides of the bay</h1><ul class=info-list><li><a href=/author/jroe/>Jane Roe</a></ul>",
        &[("authors", "Jane Roe")],
    );
    check(
        "<h1>Tides of the bay</h1><p><a href=/authors/>All Authors</a>",
        &[("authors", "")],
    );
}

#[test]
fn bylines_are_read_without_what_surrounds_them() {
    let of = |line: &str| format!("<h1>Tides of the bay</h1><p>{line}");
    check(
        &of("3. April 2009 von Jane Roe"),
        &[("authors", "Jane Roe"), ("date", "2009-04-03")],
    );
    check(&of("Par Jane Roe (avec EX)"), &[("authors", "Jane Roe")]);
    check(&of("Por Jane Roe — Recife"), &[("authors", "Jane Roe")]);
    check(&of("di Jane Roe"), &[("authors", "Jane Roe")]);
    check(
        &of("By Jane Roe Senior Harbour Correspondent"),
        &[("authors", "Jane Roe")],
    );
    check(
        &of("Posted by <span>Jane Roe</span> at 9:08 AM"),
        &[("authors", "Jane Roe")],
    );
}

#[test]
fn news_state_their_authors_in_schema_org() {
    let page = |dublin_core: &str, author: &str| {
        format!(
            "<title>Tides of the bay</title>{dublin_core}<script type=application/ld+json>\
            {{\"@type\":\"NewsArticle\",\"headline\":\"Tides of the bay\",\"author\":{{\"name\":\"{author}\"}}}}</script>"
        )
    };
    check(
        &page(
            "<meta name=DC.creator content='example online'>",
            "Jane Roe",
        ),
        &[("authors", "Jane Roe")],
    );
    check(&page("", "Jane Roe, Lille"), &[("authors", "Jane Roe")]);
    check(
        &page(
            "<meta name=articleAuthor content='Sea Agency News'><meta property=og:site_name content=Example>",
            "Example",
        ),
        &[("authors", "Sea Agency News")],
    );
}

#[test]
fn articles_of_news_sites_are_in_no_journal() {
    let page =
        "<meta name=dc.type content=Text.Article><meta name=dc.title content='Tides of the bay'>";
    check(page, &[("type", "article-journal")]);
    let news = format!("{page}<meta property=og:type content=article>");
    assert_ne!(said(&read(&news), "type"), "article-journal");
}

#[test]
fn names_of_databases_have_initials_last() {
    let read = |names: &[&str]| {
        let tags = names
            .iter()
            .map(|name| format!("<meta name=citation_author content='{name}'>"));
        said(&read(&tags.collect::<String>()), "authors")
    };
    assert_eq!(read(&["Roe JB", "van Salz D"]), "J. B. Roe; D. van Salz");
    assert_eq!(read(&["von Salz D.E."]), "D.E. von Salz");
    assert_eq!(read(&["von Salz, Dora"]), "Dora von Salz");
    assert_eq!(read(&["Иванов И. И."]), "И. И. Иванов");
    assert_eq!(read(&["Jian WU"]), "Jian WU");
    assert_eq!(read(&["Jane Roe", "John Q."]), "Jane Roe; John Q.");
}

#[test]
fn papers_of_proceedings_are_in_a_book() {
    check(
        "<meta name=citation_title content=Tides><meta name=citation_inbook_title content='Advances in Tides'>\
        <meta name=citation_conference_title content='Conference on Tides'>",
        &[
            ("type", "paper-conference"),
            ("container-title", "Advances in Tides"),
        ],
    );
    let page = |proceedings: &str| {
        format!(
            "<title>Tides of the bay | {proceedings}</title><h1>Tides of the bay</h1>\
            <meta name=dc.title content='Tides of the bay | {proceedings}'><meta name=dc.identifier content=10.5555/a.1>"
        )
    };
    let meeting = "Proceedings of the 2020 Conference on Tides";
    check(
        &page(meeting),
        &[
            ("type", "paper-conference"),
            ("title", "Tides of the bay"),
            ("container-title", meeting),
        ],
    );
    let kind = said(&read(&page("Proceedings of the Example Society")), "type");
    assert_ne!(kind, "paper-conference");
}

#[test]
fn the_journal_is_read_below_a_heading() {
    check(
        "<h1>Tides of Trade</h1><p>Jane B. Roe and John Doe<p><cite>The Economic Review</cite>\
        <p>Vol. 42, No. 3 (Jun., 1972), pp. 305-327 (23 pages)",
        &[
            ("type", "article-journal"),
            ("authors", "Jane B. Roe; John Doe"),
            ("container-title", "The Economic Review"),
            ("volume", "42"),
            ("issue", "3"),
            ("page", "305-327"),
            ("date", "1972-06"),
        ],
    );
    check(
        "<meta name=citation_journal_title content='Sea Studies'><meta name=dc.title content='Tides of Trade'>\
        <h1>Tides of Trade</h1><p>Pages 411-430 | Published online: 02 Sep 2021",
        &[("page", "411-430")],
    );
}

#[test]
fn the_journal_is_read_on_a_line_near_the_heading() {
    check(
        "<div>Sea Studies, Volume 4, Issue 2, May 2013, Pages 11–20, https://doi.org/10.5555/ss.4</div>\
        <h1>Tides of the bay</h1>",
        &[
            ("type", "article-journal"),
            ("container-title", "Sea Studies"),
            ("volume", "4"),
            ("issue", "2"),
            ("page", "11-20"),
            ("DOI", "10.5555/ss.4"),
        ],
    );
    check(
        "<div>See Sea Studies, Volume 4</div><h1>Tides of the bay</h1>",
        &[("type", "webpage"), ("container-title", "example.org")],
    );
}

#[test]
fn dublin_core_states_journals_in_several_ways() {
    let title = "<meta name=DC.title content='Tides of the bay'>";
    let read = |tags: &str| read(&format!("{title}{tags}"));
    check_page(
        &read("<meta name=DC.Source content='Sea Studies; Vol 4, No 2 (2013): Waves; 11-20'>"),
        &[
            ("container-title", "Sea Studies"),
            ("volume", "4"),
            ("issue", "2"),
            ("page", "11-20"),
        ],
    );
    let part = "<meta name=dcterms.isPartOf content='Sea Studies'>";
    check_page(&read(part), &[("container-title", "Sea Studies")]);
    check_page(
        &read(&format!("{part}<meta name=DC.type content=Thesis>")),
        &[("container-title", "")],
    );
    check_page(
        &read(
            "<meta name=DC.citation.volume content='Band 4'><meta name=DC.citation.issue content='Heft 2'>\
            <meta name=DC.citation.spage content=7><meta name=DC.citation.epage content=9>",
        ),
        &[("volume", "4"), ("issue", "2"), ("page", "7-9")],
    );
    for tag in ["citation_pages", "prism.pageRange"] {
        let page = read(&format!("<meta name={tag} content=101-119>"));
        check_page(&page, &[("page", "101-119")]);
    }
}

#[test]
fn patents_are_by_their_inventors() {
    check(
        "<meta name=DC.type content=patent><meta name=DC.title content='Tide gauge'>\
        <meta name=DC.date content=2001-01-02 scheme=dateSubmitted>\
        <meta name=DC.date content=2003-04-05 scheme=issue>\
        <meta name=DC.contributor content='Harbour Inc' scheme=assignee>\
        <meta name=DC.contributor content='Jane Roe' scheme=inventor>",
        &[
            ("type", "patent"),
            ("authors", "Jane Roe"),
            ("date", "2003-04-05"),
        ],
    );
}

#[test]
fn labels_may_be_in_a_cell_of_a_table() {
    check(
        "<h1>Gezeiten der Bucht</h1><table><tr><th>Autor</th><td>Roe, Jane</td></tr></table>",
        &[("authors", "Jane Roe")],
    );
}

#[test]
fn json_ld_with_slips_is_read() {
    let of = |json: &str| {
        let page = format!("<title>Tides</title><script type=application/ld+json>{json}</script>");
        said(&read(&page), "authors")
    };
    let story = r#"{"@type":"NewsArticle","headline":"Tides","author":{"name":"Jane Roe"}}"#;
    assert_eq!(of(&format!(r#"{{"@type":"WebSite"}}{story}"#)), "Jane Roe");
    assert_eq!(of(&format!("[{story},]")), "Jane Roe");
    assert_eq!(of(&format!("/* x */ {story};")), "Jane Roe");
    assert_eq!(of("[1,]ä"), "");
    let list = r#"{"@type":"Article","author":{"@list":[{"name":"Jane Roe"},{"name":"Max Poe"}]}}"#;
    assert_eq!(of(list), "Jane Roe; Max Poe");
}

#[test]
fn types_of_schema_org_may_be_in_lower_case() {
    check(
        "<script type=application/ld+json>{\"@type\":\"dataset\",\"name\":\"Seal counts\",\
        \"creator\":{\"@type\":\"Person\",\"name\":\"Jane Roe\"}}</script>",
        &[
            ("type", "dataset"),
            ("title", "Seal counts"),
            ("authors", "Jane Roe"),
        ],
    );
}

#[test]
fn questions_have_the_author_of_their_post() {
    check(
        "<body itemscope itemtype=https://schema.org/QAPage><div itemprop=mainEntity itemscope \
        itemtype=https://schema.org/Question><h1 itemprop=name>How are tides computed?</h1>\
        <time itemprop=dateCreated datetime=2011-05-06>x</time><div itemprop=author itemscope \
        itemtype=https://schema.org/Person><span itemprop=name>user5105</span></div></div>",
        &[
            ("type", "post"),
            ("authors", "user5105"),
            ("date", "2011-05-06"),
        ],
    );
}

#[test]
fn a_headline_that_is_a_description_is_no_title() {
    check(
        "<title>Marée — Wiki</title><h1>Marée</h1><script type=application/ld+json>{\"@type\":\"Article\",\
        \"name\":\"Marée\",\"headline\":\"movement of the sea\"}</script>",
        &[("title", "Marée")],
    );
}

#[test]
fn titles_are_cut_at_the_site() {
    check(
        "<meta property=og:site_name content=Harbour><h1>What is the biggest tide?</h1>\
        <meta property=og:title content='Oceans on Harbour: What is the biggest tide?'>",
        &[("title", "What is the biggest tide?")],
    );
    check(
        "<meta property=og:site_name content=Harbour><h1>What is the biggest tide</h1>\
        <meta property=og:title content='What is the biggest tide-Scienceㅣ Harbour'>",
        &[("title", "What is the biggest tide")],
    );
    check(
        "<meta name=dcterms.title content=Harbour.example><meta property=og:site_name content=Harbour.example>\
        <meta property=og:title content='What is the biggest tide?'>",
        &[("title", "What is the biggest tide?")],
    );
}

#[test]
fn sites_are_named_by_host_or_publisher() {
    let site = |html: &str, url: &str| said(&read_at(html, url), "site");
    assert_eq!(
        site(
            "<title>Tides: Journal of Harbour News</title>",
            "https://www.jhn.example/a"
        ),
        "Journal of Harbour News"
    );
    assert_eq!(
        site(
            "<title>Tides | harbour.de</title>",
            "https://www.harbour.de/a"
        ),
        "harbour.de"
    );
    assert_eq!(
        site("<title>Tides — Marée</title>", "https://fr.maree.org/a"),
        "Marée"
    );
    assert_eq!(
        site(
            "<title>Sea Notes: Tides</title>",
            "https://seanotes.blogspot.com/a"
        ),
        "Sea Notes"
    );
    let news = |name: &str| {
        format!(
            "<title>Tides of the bay</title><meta property=og:title content='Tides of the bay'>\
            <meta property=og:site_name content='{name}'><script type=application/ld+json>\
            {{\"@type\":\"NewsArticle\",\"headline\":\"Tides of the bay\",\"publisher\":{{\"name\":\"Harbour Post\"}}}}</script>"
        )
    };
    for name in ["Política", "Tides of the bay", "https://harbour.example/"] {
        let url = "https://harbour.example/politica/a";
        assert_eq!(site(&news(name), url), "Harbour Post", "{name}");
    }
}

#[test]
fn type_is_guessed_from_an_address_alone() {
    for (url, expected) in [
        ("https://example.org/rain", ItemType::Webpage),
        ("http://127.0.0.1:8080/rain", ItemType::Webpage),
        ("https://www.example.gov/news/rain", ItemType::Webpage),
        ("https://example.wordpress.com/rain", ItemType::BlogPost),
        (
            "https://www.youtube.com/watch?v=rain",
            ItemType::MotionPicture,
        ),
    ] {
        let item = webpage::of_address(url, &Budget::unlimited());
        assert_eq!(item.kind, expected, "{url}");
    }
}

#[test]
fn dates_of_addresses_are_read() {
    let page = read_at(
        "<title>Waves</title>",
        "https://www.example.org/2021/07/14/waves",
    );
    check_page(&page, &[("date", "2021-07-14")]);
}

#[test]
fn a_reference_that_a_page_prints_for_itself_is_read() {
    check(
        "<title>Waves of all the water</title><h1>Waves of All the Water</h1><p>Text<p>Cite as: Roe, J. (2016). \
         Waves of all the water. <em>Annals of Water, 4</em>(1), 32-37. https://doi.org/10.5555/w.1",
        &[
            ("type", "article-journal"),
            ("date", "2016"),
            ("container-title", "Annals of Water"),
            ("volume", "4"),
            ("issue", "1"),
            ("page", "32-37"),
            ("DOI", "10.5555/w.1"),
        ],
    );
}

#[test]
fn a_printed_doi_is_taken_where_it_is_the_works_own() {
    check(
        "<h1>Waves</h1><p>Published in:</p><p>2023. Acta 70: 1-9 https://doi.org/10.5555/w.1</p>",
        &[("DOI", "10.5555/w.1")],
    );
    check(
        "<h1>Waves</h1><p>DOI: 10.5555/w.1</p>",
        &[("DOI", "10.5555/w.1")],
    );
    // The study that a news story reports.
    check(
        "<h1>Waves</h1><p>Somebody wrote a long study of waves in the Annals, and everybody reads it now \
         (doi: 10.5555/other.1), which is a wonder.</p>",
        &[("DOI", "")],
    );
}

#[test]
fn the_sites_name_is_no_part_of_a_title() {
    let check = |title: &str, expected: &str| {
        let site = "<meta property=og:site_name content='The Example'>";
        check(
            &format!("<title>{title}</title>{site}"),
            &[("title", expected)],
        );
    };
    check("Waves | The Example", "Waves");
    check("Example: Waves", "Waves");
    check("Waves - Physics - Example.com", "Waves - Physics");
    check("Waves: a study", "Waves: a study");
}

#[test]
fn the_host_names_the_site_where_the_title_ends_in_it() {
    check(
        "<title>Waves | Example</title>",
        &[("site", "Example"), ("title", "Waves")],
    );
}

#[test]
fn addresses_are_cited_without_tracking() {
    let html = "<title>Waves</title><link rel=canonical href='https://www.example.org/waves?utm_source=x'>";
    let page = read_at(html, "https://m.example.org/waves?fbclid=1");
    check_page(&page, &[("URL", URL)]);
    assert_eq!(page.missing, [Fact::Authors, Fact::Date]);
}

#[test]
fn identifiers_are_told_in_order_of_trust() {
    let page = read(
        "<meta name=citation_doi content=10.5555/w.1><meta name=citation_pmid content=12345>\
         <meta name=citation_title content='Waves of water'><meta name=citation_issn content=2049-3630>\
         <meta name=dc.identifier content=10.5555/w.1>",
    );
    let kinds: Vec<&str> = page.identifiers.iter().map(Identifier::kind).collect();
    assert_eq!(kinds, ["doi", "pmid", "issn"]);
}

#[test]
fn challenge_pages_say_nothing() {
    for html in [
        "<title>Just a moment...</title><h1>www.example.org</h1><p>Enable JavaScript and cookies to continue",
        "<title>Access Denied</title><h1>Access Denied</h1>Reference #18.2",
        "<title>example.org</title><p>Verifying you are human. This may take a few seconds.",
    ] {
        let page = read(html);
        assert!(page.is_challenge, "{html}");
        check_page(
            &page,
            &[("title", ""), ("authors", ""), ("date", ""), ("DOI", "")],
        );
    }
    assert!(
        !read(
            "<title>Access denied to the moon: a study</title><meta name=citation_title content=A>"
        )
        .is_challenge
    );
}

#[test]
fn charsets_of_headers_and_pages_are_heeded() {
    let read = |bytes: &[u8], charset| {
        let page = webpage::read(bytes, None, charset, &Budget::unlimited()).unwrap();
        said(&page, "title")
    };
    assert_eq!(
        read(b"<title>\x93\xfa\x96\x7b</title>", Some("Shift_JIS")),
        "日本"
    );
    assert_eq!(
        read(
            "<meta charset=no-such><title>Größe</title>".as_bytes(),
            Some("?")
        ),
        "Größe"
    );
}

/// Hostile pages with this number of parts.
fn hostile(parts: usize) -> Vec<String> {
    let nested_json = format!("{}{}", "[".repeat(parts), "]".repeat(parts));
    vec![
        "<div>".repeat(parts),
        "<b class='byline author date comment'>".repeat(parts),
        "</i></b>".repeat(parts),
        format!("<p {}", "a=b ".repeat(parts)),
        format!("<p {}>", "class=x ".repeat(parts)),
        "<div itemscope itemprop=author itemtype=Article>".repeat(parts),
        "<meta name=citation_author content='Roe, Jane'>".repeat(parts),
        format!(
            "<meta name=author content='{}'>",
            "Jane Roe and ".repeat(parts)
        ),
        format!("<script type=application/ld+json>{nested_json}</script>"),
        format!(
            "<script type=application/ld+json>[{}1]</script>",
            "{\"@type\":\"Article\",\"name\":\"A\",\"author\":[{\"name\":\"B C\"}]},".repeat(parts)
        ),
        format!("<title>{}</title><h1>x</h1>", " - a | b".repeat(parts)),
        "<p>By Jane Roe<br>14 July 2021".repeat(parts),
        "<p>DOI: 10.5555/a.1 Vol. 1, No. 2".repeat(parts),
        "<html lang=fr><h1>x: y</h1><a href=/author/a/b>Jane Roe</a>".repeat(parts),
        "<p>Last updated 1/2/3/4.5.6.2021-1-2 | 3".repeat(parts),
        format!("<!--{}", "<p>--".repeat(parts)),
        format!(
            "<title>Waves of water</title>{}",
            "<p>Waves of water, 4(1), 2-3".repeat(parts)
        ),
    ]
}

#[test]
fn hostile_pages_cost_steps_in_step_with_their_length() {
    let steps = |page: &String| {
        let budget = Budget::unlimited();
        webpage::read(page.as_bytes(), Some(URL), None, &budget).unwrap();
        assert!(budget.steps() <= 2 * page.len() as u64 + 100);
        budget.steps()
    };
    let (small, large) = (hostile(100), hostile(10_000));
    for (small, large) in small.iter().zip(&large) {
        let start: String = small.chars().take(60).collect();
        assert!(steps(large) <= 110 * steps(small) + 1_000, "{start}");
    }
}

#[test]
fn pages_stop_where_the_budget_ends() {
    let page = "<p>".repeat(10_000);
    let read = |budget: &Budget| webpage::read(page.as_bytes(), None, None, budget).err();
    assert_eq!(
        read(&Budget::new(100, u64::MAX)),
        Some(Exceeded::Steps { limit: 100 })
    );
    assert_eq!(
        read(&Budget::new(u64::MAX, 100)),
        Some(Exceeded::Bytes { limit: 100 })
    );
}

#[test]
fn pages_cut_anywhere_are_read() {
    let page = "<title>Waves – of | Ex</title><meta name=citation_author content='Roe, Jane'>\
        <script type='application/ld+json'>{\"@type\":\"Article\",\"name\":\"Ä\"}</script>\
        <span class=Z3988 title='rft.title=%C3%A4&amp;rft.au=%'></span><p class=byline>Von Jürgen Roe, 3. März 2020</p>";
    for at in 0..page.len() {
        let bytes = page.as_bytes();
        let _ = webpage::read(&bytes[..at], Some(URL), None, &Budget::unlimited()).unwrap();
        let mut broken = bytes.to_vec();
        broken[at] = 0xff;
        let _ = webpage::read(&broken, Some(URL), Some("koi8-r"), &Budget::unlimited()).unwrap();
    }
}

#[test]
fn source_of_a_story_is_no_journal() {
    check(
        "<title>Waves | Example News</title><meta property=og:type content=article>\
         <meta property=og:site_name content='Example News'><meta name=dc.source content=ExampleNews.com>\
         <meta name=dc.type content=Text.Article><meta name=dc.title content=Waves>",
        &[("container-title", "Example News")],
    );
    check(
        "<meta property=og:type content=article><meta property=og:site_name content=Annals>\
         <meta name=dc.source content=Annals><meta name=citation_doi content=10.5555/waves.1>\
         <meta name=citation_title content=Waves>",
        &[("type", "article-journal"), ("container-title", "Annals")],
    );
    check(
        "<meta name=dc.source content=fa><meta name=dc.language content=fa><meta name=dc.title content=Waves>",
        &[("container-title", "example.org")],
    );
}

#[test]
fn theses_of_repositories_are_read() {
    check(
        "<meta name=DC.type content='Dissertação de mestrado'><meta name=DC.source content=Aleph>\
         <meta name=DC.creator content='Roe Júnior, Ana Maria de [EX]'><meta name=DCTERMS.issued content=2004>\
         <meta name=citation_firstpage content='284 f. : il., tabs.'><meta name=citation_title content=Ondas>",
        &[
            ("type", "thesis"),
            ("authors", "Ana Maria de Roe Júnior"),
            ("date", "2004"),
            ("container-title", ""),
            ("page", ""),
        ],
    );
}

#[test]
fn wikis_have_no_bylines() {
    let body = "<h1>Waves</h1><p>Written by</p><p>Jane Roe</p>";
    let page = format!("<title>Waves</title>{body}");
    check(&page, &[("authors", "Jane Roe")]);
    let wiki = format!("<meta name=generator content='MediaWiki 1.40'>{page}");
    check(&wiki, &[("authors", "")]);
}

#[test]
fn accounts_with_whole_names_are_authors() {
    let page =
        |name: &str| format!("<title>Waves</title><meta name=twitter:creator content='{name}'>");
    check(&page("Jane Roe"), &[("authors", "Jane Roe")]);
    check(&page("@janeroe"), &[("authors", "")]);
}

#[test]
fn name_of_the_site_is_shorter_than_its_publisher() {
    check(
        "<title>Waves - The Daily</title><script type=application/ld+json>\
         {\"@type\":\"NewsArticle\",\"headline\":\"Waves\",\"publisher\":{\"name\":\"The Daily Company\"}}</script>",
        &[("site", "The Daily"), ("title", "Waves")],
    );
}

#[test]
fn an_empty_page_says_nothing() {
    let page = webpage::read(b"", None, None, &Budget::unlimited()).unwrap();
    assert_eq!(page.item.kind, ItemType::Webpage);
    assert_eq!(page.missing, Fact::ALL);
}

#[test]
fn bibtex_entry_of_the_page_names_authors_and_proceedings() {
    let page = "<title>Waves in Channels | Example</title><h1>Waves in Channels</h1>\
        <p>Example University</p><pre>@inproceedings{roe,\n author = {Jane Roe and John Doe},\n\
        title = {Waves in {C}hannels},\n booktitle = {Proceedings of the 3rd Symposium on Waves},\n\
        year = {2022},\n pages = {77--85}\n}</pre>";
    check(
        page,
        &[
            ("title", "Waves in Channels"),
            ("authors", "Jane Roe; John Doe"),
            (
                "container-title",
                "Proceedings of the 3rd Symposium on Waves",
            ),
            ("date", "2022"),
            ("type", "paper-conference"),
        ],
    );
}

#[test]
fn bibtex_entries_of_other_works_say_nothing() {
    let entry = |title: &str| {
        format!("<pre>@book{{key, author = {{Jane Roe}}, title = {{{title}}}}}</pre>")
    };
    for entries in [
        entry("Another Book"),
        format!("{}{}", entry("Waves in Channels"), entry("Another Book")),
        "<pre>@book{key, title = {Waves in".to_owned(),
    ] {
        let page = read(&format!("<h1>Waves in Channels</h1>{entries}"));
        assert_eq!(said(&page, "authors"), "", "{entries}");
    }
}

#[test]
fn authors_with_affiliations_behind_commas_are_people() {
    check(
        "<meta name=citation_doi content=10.5555/a><h1>Waves in Channels</h1>\
         <p>Jane Roe, <em>Example University;</em> John Doe, <em>Institute of Waves, Example</em></p>",
        &[("authors", "Jane Roe; John Doe")],
    );
}

#[test]
fn sites_are_named_by_logos_and_copyright_lines() {
    let story = "<title>Waves are coming</title><h1>Waves are coming</h1><p>3 May 2021</p>";
    let check = |html: &str, url: &str, site: &str| {
        let page = read_at(&format!("{html}{story}"), url);
        assert_eq!(page.site.as_deref(), Some(site), "{html}");
    };
    check(
        "<a href='/'><img src=a.svg alt='Ocean Courier – Home'></a>",
        "https://www.oceancourier.com/waves",
        "Ocean Courier",
    );
    check(
        "<p>© 2021 Ocean Courier GmbH & Co. KG. All rights reserved.</p>",
        "https://www.oceancourier.de/waves",
        "Ocean Courier",
    );
    check("", "https://www.oceancourier.com/waves", "oceancourier.com");
}

#[test]
fn symbols_separate_titles_from_sites() {
    for mark in ["⋆", "›", "✩", "│"] {
        let html = format!("<title>Waves are coming {mark} Ocean Courier</title><h1>News</h1>");
        let page = read_at(&html, "https://oceancourier.org/waves");
        assert_eq!(said(&page, "title"), "Waves are coming", "{mark}");
    }
}

#[test]
fn menu_with_sections_is_one_of_a_newspaper() {
    let menu = "<nav><p>Politics</p><p>Business</p><p>Opinion</p><p>World</p><p>Sports</p></nav>";
    let story = "<h1>Waves are coming</h1><p>By Jane Roe</p><p>3 May 2021</p>";
    check(&format!("{menu}{story}"), &[("type", "article-newspaper")]);
    let menu = "<nav><p>Products</p><p>Our team</p><p>Careers</p><p>Downloads</p><p>Press releases</p></nav>";
    check(&format!("{menu}{story}"), &[("type", "webpage")]);
    let menu = "<nav><p>Recent posts</p><p>Archives</p><p>Categories</p><p>About me</p></nav>";
    check(&format!("{menu}{story}"), &[("type", "post-weblog")]);
    let menu = "<nav><p>Magazine</p><p>Current issue</p><p>Back issues</p><p>Advertise</p></nav>";
    check(&format!("{menu}{story}"), &[("type", "article-magazine")]);
}

#[test]
fn titles_with_the_number_of_a_standard_are_standards() {
    for title in ["ISO 1:2001 - Water", "Water | ISO 1", "DIN EN 1-2"] {
        let page = format!("<title>{title}</title><h1>{title}</h1><p>Published</p>");
        assert_eq!(said(&read(&page), "type"), "standard", "{title}");
    }
}

#[test]
fn works_of_reference_have_entries() {
    for url in [
        "https://example.org/lexikon/water",
        "https://lexikon.example.org/water",
        "https://examplepedia.org/water",
    ] {
        let page = read_at("<title>Water</title><h1>Water</h1><p>Wet.</p>", url);
        assert_eq!(said(&page, "type"), "entry-encyclopedia", "{url}");
    }
}

#[test]
fn story_with_a_film_is_no_film() {
    let page = |object: &str| {
        format!(
            "<title>Waves</title><meta property=og:type content=video.other><h1>Waves</h1>\
             <script type='application/ld+json'>{object}</script><p>By Jane Roe</p><p>3 May 2021, 10:20</p>"
        )
    };
    let film = page(r#"{"@type": "VideoObject", "name": "Waves"}"#);
    check(&film, &[("type", "motion_picture")]);
    let story = page(r#"{"@type": "NewsArticle", "headline": "Waves"}"#);
    check(&story, &[("type", "article-newspaper")]);
}

#[test]
fn people_of_the_title_and_places_of_reports_are_no_authors() {
    let page = |title: &str, below: &str| format!("<title>{title}</title><h1>{title}</h1>{below}");
    let subject = page(
        "Waves frighten Jane Roe",
        "<p>Jane Roe</p><p>The waves were high.</p>",
    );
    check(&subject, &[("authors", "")]);
    let place = page(
        "Waves are coming",
        "<p><div>SAINT CATHERINE</div><div>, Example — The waves were high.</div>",
    );
    check(&place, &[("authors", "")]);
    let speaker = page(
        "Jane Roe: Waves",
        "<p>By Jane Roe</p><p>The waves were high.</p>",
    );
    check(&speaker, &[("authors", "Jane Roe")]);
}

#[test]
fn blog_below_a_path_is_the_site_and_a_section_is_not() {
    let site = |name: &str, title: &str, url: &str| {
        let html = format!("<title>{title}</title><meta property=og:site_name content='{name}'>");
        said(&read_at(&html, url), "site")
    };
    let blog = "https://example.org/seashore/2023/tides";
    assert_eq!(site("Seashore", "Tides – Seashore", blog), "Seashore");
    let story = "https://example.org/culture/tides";
    assert_eq!(site("Culture", "Tides | Example", story), "Example");
}

#[test]
fn name_of_a_site_with_its_domain_is_the_same_name() {
    let html = "<title>Tides of the bay - Étoile</title><meta property=og:site_name content=Étoile.fr>\
                <meta name=application-name content=Étoile>";
    let page = read_at(html, "https://www.etoile.fr/2015/04/30/tides");
    check_page(
        &page,
        &[("site", "Étoile.fr"), ("title", "Tides of the bay")],
    );
}

#[test]
fn number_of_the_work_is_no_part_of_the_name_of_a_site() {
    let html = "<title>Tides of the bay - seabuzz/0042</title><p>seabuzz/0042</p>";
    let page = read_at(html, "https://sea.example.net/seabuzz/0042");
    let expected = [("site", "seabuzz"), ("title", "Tides of the bay")];
    check_page(&page, &expected);
    assert_ne!(said(&page, "container-title"), "seabuzz/0042");
}

#[test]
fn lists_that_differ_by_a_suffix_are_of_the_same_people() {
    check(
        "<meta name=citation_title content='Tides of the bay'><meta name=citation_author content='Roe, Jane'>\
         <meta name=citation_author content='Doe, John H.'><meta name=DC.Contributor content='Jane Roe'>\
         <meta name=DC.Contributor content='John H. Doe IV'><h1>Tides of the bay</h1>\
         <p class=author>Jane Roe</p><p class=author>John H. Doe IV</p>",
        &[("authors", "Jane Roe; John H. Doe")],
    );
}

#[test]
fn kickers_inside_headings_are_no_parts_of_titles() {
    check(
        "<h1><span class=article__kicker>Tides</span><span>: </span><span>The sea is rising fast</span></h1>\
         <p>The sea rises.</p>",
        &[("title", "The sea is rising fast")],
    );
}

#[test]
fn sites_and_their_staff_are_no_authors() {
    for author in ["Example News", "Redaktion Example News", "example-news.org"] {
        let html = format!(
            "<meta property=og:site_name content='Example News'><meta property=og:type content=article>\
             <script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"headline\":\"Waves are coming\",\
             \"author\":{{\"@type\":\"Person\",\"name\":\"{author}\"}}}}</script><h1>Waves are coming</h1>"
        );
        let page = read_at(&html, "https://www.example-news.org/waves");
        check_page(&page, &[("authors", "")]);
    }
}

#[test]
fn a_top_heading_that_ends_the_title_is_the_site() {
    let body = "<h1>The Example Book</h1><h2>What is a wave?</h2>";
    let page = format!("<title>What is a wave? - The Example Book</title>{body}");
    check(&page, &[("title", "What is a wave?")]);
}

#[test]
fn name_of_the_site_may_have_separators() {
    let page = "<title>Waves - Sea Blog - Example College</title>\
         <meta property=og:site_name content='Sea Blog - Example College'>\
         <meta property=og:title content='Waves - Sea Blog - Example College'><h1>Waves</h1>";
    check(page, &[("title", "Waves")]);
}

#[test]
fn bylines_may_begin_with_the_date() {
    let page = "<title>Waves</title><h1>Waves</h1>\
         <div class=author>Dec. 19, 2025 · Jane Roe on behalf of The Examples</div>";
    check(page, &[("authors", "Jane Roe")]);
}

#[test]
fn posts_are_by_accounts() {
    let page = "<title>Best tide tables?</title><h1>Best tide tables?</h1>\
         <a href='memberlist.php?mode=viewprofile&u=7'>tidefan</a><p>Which do you use?</p>";
    let page = read_at(page, "https://example.org/forum/viewtopic.php?t=9");
    check_page(&page, &[("authors", "tidefan")]);
}

#[test]
fn records_are_read_by_their_labels() {
    let page = "<title>Web-OPAC</title><h1>Detailanzeige</h1><table>\
         <tr><td>Titel</td><td>Wellen der Ostsee</td></tr>\
         <tr><td>1. Verfasser:</td><td>Roe Doe, Ana</td></tr>\
         <tr><td>Verfasser:</td><td>Poe, Max [Hrsg.]</td></tr>\
         <tr><td>Impressum:</td><td>Hamburg : Beispiel , 1964</td></tr>\
         <tr><td>Umfang:</td><td>334 S.</td></tr></table>";
    check(
        page,
        &[
            ("type", "book"),
            ("title", "Wellen der Ostsee"),
            ("authors", "Ana Roe Doe"),
            ("date", "1964"),
            ("publisher", "Beispiel"),
        ],
    );
}

#[test]
fn value_of_a_term_has_all_lines_up_to_the_next_term() {
    let page = "<title>Sea level</title><h1>Sea level</h1><dl><dt>Creator</dt><dd>Roe, Jane</dd><dd>Doe, John</dd>\
         <dt>Publisher</dt><dd>Example Archive</dd><dt>Date issued</dt><dd>2019</dd>\
         <dt>Temporal coverage</dt><dd>1990-2018</dd><dt>File format</dt><dd>CSV</dd></dl>";
    check(
        page,
        &[
            ("type", "dataset"),
            ("authors", "Jane Roe; John Doe"),
            ("date", "2019"),
        ],
    );
}

#[test]
fn a_date_of_a_change_makes_no_newspaper_article() {
    let page = |body: &str| {
        format!(
            "<title>Waves</title><meta property=og:type content=article>\
             <meta property=og:updated_time content=2021-03-04><h1>Waves</h1>{body}"
        )
    };
    check(&page("<p>About waves</p>"), &[("type", "webpage")]);
    let story = page("<p>By Jane Roe</p><time pubdate>2021-03-01</time>");
    assert_ne!(said(&read(&story), "type"), "webpage");
}

#[test]
fn a_site_with_the_name_of_its_author_is_a_blog() {
    let page = "<title>Waves</title><meta property=og:site_name content='Jane Roe'>\
         <meta property=og:type content=article><meta name=author content='Jane Roe'>\
         <meta property=article:published_time content=2021-03-04><h1>Waves</h1>";
    check(page, &[("type", "post-weblog"), ("authors", "Jane Roe")]);
}

#[test]
fn addresses_and_sentences_are_no_citations() {
    let page = |line: &str| format!("<title>Waves</title><h1>Waves</h1><p>{line}</p>");
    for line in [
        "Transversal 18Q Bis 36-85, Pasto 2015",
        "Average heights over the past decade 12 of 1995–2004",
    ] {
        check(&page(line), &[("type", "webpage"), ("volume", "")]);
    }
}

/// A page with the title `Waves`, some tags in its head, and a body.
fn page(tags: &str, body: &str) -> String {
    format!("<title>Waves</title>{tags}<h1>Waves</h1>{body}")
}

#[test]
fn a_labelled_byline_goes_before_the_account_that_posted() {
    let tags = "<meta name=author content='Max Poe'><meta name=parsely-author content='Max Poe'>";
    for byline in [
        "By Jane Roe",
        "Eine Kolumne von Jane Roe",
        "Ein Interview von Jane Roe mit Ann Doe",
        "Autorin: Jane Roe, Projektleiterin in Bern",
        "Von Jane Roe/EX",
        "04.02.2022 | 13:10 Uhr | By Jane Roe",
    ] {
        let html = page(tags, &format!("<p>{byline}</p>"));
        assert_eq!(said(&read(&html), "authors"), "Jane Roe", "{byline}");
    }
    // Without another byline the tags are right.
    check(&page(tags, ""), &[("authors", "Max Poe")]);
}

#[test]
fn a_person_stated_by_one_tag_needs_no_common_given_name() {
    check(
        &page("<meta name=author content='Zyxia Roe'>", ""),
        &[("authors", "Zyxia Roe")],
    );
    check(
        &page("<meta name='example:post_author' content='Jane Roe'>", ""),
        &[("authors", "Jane Roe")],
    );
    check(
        &page("<meta name=author content=publisher>", ""),
        &[("authors", "")],
    );
}

#[test]
fn names_are_spelled_as_the_page_shows_them() {
    check(
        &page(
            "<meta name=author content=janeroe>",
            "<p class=author>von Jane Roe</p>",
        ),
        &[("authors", "Jane Roe")],
    );
    check(
        &page("", "<p class=author>Jane RoeJane Roe</p>"),
        &[("authors", "Jane Roe")],
    );
}

#[test]
fn a_tag_with_the_first_author_does_not_shorten_a_list() {
    let tags = "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"headline\":\"Waves\",\
         \"author\":{\"@type\":\"Person\",\"name\":\"Jane Roe\"}}</script>\
         <meta name=author content='Jane Roe, John Doe'>";
    let body = "<p class=author><a href='/author/jane-roe'>Jane Roe</a></p>\
         <p class=author><a href='/author/john-doe'>John Doe</a></p>";
    check(&page(tags, body), &[("authors", "Jane Roe; John Doe")]);
}

#[test]
fn captions_menus_and_greetings_are_no_bylines() {
    for body in [
        "<p>7 May 2021</p><p>Jane Roe, John Doe and Ann Poe (from the left) spoke about waves that come with rising \
         wind</p>",
        "<aside><a href='/author/a'>Jane Roe</a> <a href='/author/b'>John Doe</a> \
         <a href='/author/c'>Ann Poe</a></aside>",
        "<p>7 May 2021</p><p>Hi Robert</p>",
        "<p>2021年7月14日</p><p>シェア</p><p>記者イベント</p>",
        "<p class=author><a href='/author/all'>Zur Übersicht</a></p>",
    ] {
        let html = page("", body);
        assert_eq!(said(&read(&html), "authors"), "", "{body}");
    }
}

#[test]
fn a_site_with_the_name_of_a_person_in_its_host_is_theirs() {
    let html = page("<meta property=og:site_name content='Dr. Jane Roe'>", "");
    let of = |url: &str| said(&read_at(&html, url), "authors");
    assert_eq!(of("https://www.jane-roe.example/waves"), "Jane Roe");
    assert_eq!(of("https://www.example.org/waves"), "");
}

#[test]
fn a_publisher_with_its_place_is_no_author() {
    let of = |author: &str| {
        let tag = format!("<meta name=author content='{author}'>");
        said(&read(&page(&tag, "")), "authors")
    };
    assert_eq!(of("Sea Media GmbH, Bern, Switzerland"), "");
    assert_eq!(of("Sea Media GmbH, Jane Roe"), "Sea Media GmbH; Jane Roe");
}

#[test]
fn several_bylines_far_from_the_heading_are_of_other_works() {
    let text = "<p>About waves and the sea</p>".repeat(40);
    let body = format!("{text}<p>By Jane Roe</p><p>About tides</p><p>By John Doe</p>");
    check(&page("", &body), &[("authors", "")]);
}

#[test]
fn a_post_beside_a_sidebar_is_the_work() {
    check(
        &format!(
            "<title>Waves</title><div class='post hentry sidebar-right'>{}</div>",
            "<h1>Waves</h1><p>By Jane Roe</p>"
        ),
        &[("authors", "Jane Roe")],
    );
}

#[test]
fn reporters_of_datelines_are_authors() {
    let tags = "<meta name=author content='示例报'>";
    for line in [
        "示例社北京12月9日电（记者张三）示例社记者获悉",
        "示例报讯（记者 张三 整理） 近日",
        "本报讯(通讯员 张三)",
    ] {
        let html = page(tags, &format!("<p>{line}</p>"));
        assert_eq!(said(&read(&html), "authors"), "张三", "{line}");
    }
    for line in [
        "图片记者张三、李四摄",
        "做专栏的名记者，晋升部级",
        "作者最新文章",
    ] {
        let html = page("", &format!("<p>{line}</p>"));
        assert_eq!(said(&read(&html), "authors"), "", "{line}");
    }
}

#[test]
fn people_elsewhere_are_not_those_that_tags_state() {
    let tags = "<meta name=author content='Zyxia Roe'>";
    let text = "<p>About waves and the sea</p>".repeat(40);
    let body = format!("{text}<h2>Tides</h2><p><a href='/author/john-doe'>John Doe</a></p>");
    check(&page(tags, &body), &[("authors", "Zyxia Roe")]);
}

#[test]
fn names_without_separators_are_those_of_the_list() {
    let tags = "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"headline\":\"Waves\",\"author\":[\
         {\"@type\":\"Person\",\"name\":\"Jane Roe\"},{\"@type\":\"Person\",\"name\":\"John Max Doe\"}]}</script>";
    check(
        &page(tags, "<p class=author>Jane Roe John Max Doe</p>"),
        &[("authors", "Jane Roe; John Max Doe")],
    );
}
