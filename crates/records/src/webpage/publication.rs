//! Tells what a page shows of the publication that it stands in, as a reader would see it: what its tags state, its
//! system and its address, who writes, what stands in its menus, and how its text speaks.

use std::collections::HashSet;

use citation_model::lists::{phrases, words};
use citation_model::name::Name;

use super::kind::{self, Known};
use super::marks::Part;
use super::metas::Metas;
use super::page::Page;
use super::schema_org::Stated;
use super::signs::{Sign, Signs};
use super::title::fold;
use super::{address, given_names, labels, people};
use crate::names;

/// The signs of a page, with what its objects state.
pub(super) fn signs(known: &Known<'_>, stated: &Stated<'_>) -> Signs {
    let signs = of_address(known, Signs::default().with(Sign::Every));
    let page = known.page;
    if page.metas.is_empty() && page.objects.is_empty() && page.lines.is_empty() {
        // Nothing was read, so nothing is absent.
        return signs;
    }
    let signs = of_statements(known, stated, signs);
    let signs = of_system(page, signs);
    let signs = of_names(known, signs);
    let signs = of_people(known, signs);
    let signs = of_byline(known, signs);
    let signs = of_furniture(page, signs);
    let signs = of_text(known, signs);
    let is_thread = kind::is_thread(page, known.claims.url.as_deref().unwrap_or_default());
    signs
        .with_if(known.is_story, Sign::IsStory)
        .with_if(known.is_article, Sign::IsScholarly)
        .with_if(is_thread, Sign::IsThread)
        .with_if(labels::is_record(page), Sign::IsRecord)
}

/// Beginnings of tags that serve the tools of newsrooms: analytics of readers, aggregators of news, syndication.
const NEWSROOM: [&str; 30] = words(
    "news_keywords parsely- sailthru. cxenseparse: original-source syndication-source standout \
     article:content_tier article.origheadline mrf: dable: brightspot. bt: vr: vf: k5a: lp: cxense: \
     article:opinion ob_ io.article chartbeat tbc_ nastooh: dcsext. rnews: article_id \
     content_tier iawp- ia:markup_url",
);

/// What the tags and objects state of the page.
fn of_statements(known: &Known<'_>, stated: &Stated<'_>, signs: Signs) -> Signs {
    let page = known.page;
    let metas = Metas(page);
    let kinds = &stated.kinds;
    let has = |kind: &str| kinds.contains(kind);
    let has_any = |all: &[&str]| all.iter().any(|kind| has(kind));
    let is_post = has("BlogPosting");
    // An article of a news organization is news.
    let is_news = kinds.iter().any(|kind| kind.ends_with("NewsArticle"))
        || has("LiveBlogPosting")
        || has("Article") && has("NewsMediaOrganization") && !is_post;
    let is_article = has_any(&["Article", "TechArticle"]) && !is_news && !is_post;
    let is_page = has_any(&[
        "WebPage",
        "ItemPage",
        "FAQPage",
        "CollectionPage",
        "AboutPage",
    ]) && !is_news
        && !is_post
        && !is_article;
    let named = |starts: &[&str]| {
        let mut names = page.metas.iter().map(|(name, _)| name.as_str());
        names.any(|name| starts.iter().any(|start| name.starts_with(start)))
    };
    let og = metas.first(&["og:type"]).unwrap_or_default();
    const LOOSE: [&str; 7] =
        words("author date datepublished date.created publish-date pubdate last-modified");
    let scholarly = &known.sources;
    let is_scholarly = [&scholarly.highwire, &scholarly.eprints, &scholarly.prism];
    signs
        .with_if(is_news, Sign::StatesNews)
        .with_if(is_post, Sign::StatesBlogPost)
        .with_if(is_article, Sign::StatesArticle)
        .with_if(is_page, Sign::StatesPage)
        .with_if(kinds.is_empty(), Sign::StatesNothing)
        .with_if(has_any(&["Recipe", "HowTo"]), Sign::StatesRecipe)
        .with_if(
            has_any(&[
                "Product",
                "Offer",
                "Event",
                "LocalBusiness",
                "Place",
                "Course",
                "Service",
            ]),
            Sign::StatesProduct,
        )
        .with_if(has("NewsMediaOrganization"), Sign::StatesNewsroom)
        .with_if(stated.has_access, Sign::StatesAccess)
        .with_if(og.eq_ignore_ascii_case("website"), Sign::StatesSite)
        .with_if(metas.is_article(), Sign::StatesStory)
        .with_if(
            named(&[
                "article:section",
                "articlesection",
                "section",
                "prism.section",
            ]),
            Sign::StatesSection,
        )
        .with_if(named(&["article:tag"]), Sign::StatesTags)
        .with_if(
            named(&["article:published_time", "article:published"]),
            Sign::StatesTime,
        )
        .with_if(named(&NEWSROOM), Sign::NewsroomTags)
        .with_if(
            page.metas
                .iter()
                .any(|(name, _)| LOOSE.contains(&name.as_str())),
            Sign::Keywords,
        )
        .with_if(
            is_scholarly
                .iter()
                .any(|claims| claims.title.is_some() || claims.kind.is_some()),
            Sign::ScholarlyTags,
        )
}

/// Systems used almost only for blogs, as named in `<meta name="generator">`.
const BLOG_SYSTEMS: [&str; 19] = phrases(
    "blogger|ghost|medium|movable type|typepad|tumblr|substack|livejournal|jekyll|hugo|gatsby|hexo|pelican|\
     wordpress.com|posterous|serendipity|octopress|bear blog|svbtle",
);

/// Systems used by institutions more than by others.
const INSTITUTION_SYSTEMS: [&str; 11] = phrases(
    "typo3|government site builder|contao|plone|joomla|drupal|ez publish|imperia|scrivito|liferay|wix",
);

/// The generator and the feeds. What is absent says nothing where only the tags of a page were saved.
fn of_system(page: &Page, signs: Signs) -> Signs {
    const OF_COMMENTS: [&str; 8] =
        words("comment kommentar commentaire comentario comentário commenti reacties komentář");
    let generators = Metas(page).all(&["generator"]).map(str::to_lowercase);
    let generators: Vec<String> = generators.take(8).collect();
    let is_of = |systems: &[&str]| {
        let mut known = generators.iter();
        known.any(|generator| systems.iter().any(|system| generator.starts_with(system)))
    };
    let is_of_comments = |feed: &&String| {
        let feed = feed.to_lowercase();
        OF_COMMENTS.iter().any(|word| feed.contains(word))
    };
    let comments = page.feeds.iter().filter(is_of_comments).count();
    let others = page.feeds.len() - comments;
    signs
        .with_if(is_of(&BLOG_SYSTEMS), Sign::BlogSystem)
        .with_if(is_of(&["wordpress"]), Sign::WordPress)
        .with_if(is_of(&INSTITUTION_SYSTEMS), Sign::InstitutionSystem)
        .with_if(comments > 0, Sign::CommentFeed)
        .with_if(matches!(others, 1 | 2), Sign::OneFeed)
        .with_if(others > 2, Sign::ManyFeeds)
        .with_if(
            page.feeds.is_empty() && !page.lines.is_empty(),
            Sign::NoFeed,
        )
}

/// The host and the path.
fn of_address(known: &Known<'_>, signs: Signs) -> Signs {
    const BLOGS: [&str; 5] = words("blog blogs blog-post weblog blogpost");
    const NEWS: [&str; 29] = words(
        "news newsticker nachrichten noticias noticia noticies notizie actualite actualites article articles artikel \
         articulo story stories nyheter nyheder nieuws novosti haber haberler wiadomosci aktuelles-thema ticker \
         breaking-news latest-news top-story local local-news",
    );
    const MAGAZINES: [&str; 11] =
        words("magazin magazine magazines heft features reviews review test tests ratgeber issue");
    const PRESS: [&str; 28] = words(
        "press presse press-release press-releases pressrelease pressemitteilungen pressemitteilung \
         presseinformationen pressemeldungen newsroom media-center aktuelles meldungen detail shareddocs \
         about ueber-uns about-us themen service services produkte products lexikon wiki glossar glossary tools",
    );
    const ENDINGS: [&str; 8] = words(".html .htm .php .aspx .shtml .asp .cms .ghtml");
    const INSTITUTIONS: [&str; 12] =
        words(".gov .edu .int .mil .gov. .edu. .ac. .gob. .gouv. .govt. .gv. .admin.");
    let url = known.claims.url.as_deref().unwrap_or_default();
    let host = address::host(url).unwrap_or_default().to_lowercase();
    let path = url.to_lowercase();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path
        .split('/')
        .skip(3)
        .filter(|part| !part.is_empty())
        .collect();
    let has = |list: &[&str]| parts.iter().any(|part| list.contains(part));
    let above = parts.len().saturating_sub(1);
    let is_section = |part: &&str| {
        kind::SECTIONS.contains(part) || kind::SECTIONS.contains(&part.replace('-', " ").as_str())
    };
    let last = parts.last().copied().unwrap_or_default();
    let is_number = |part: &str| {
        let mut runs = part.split(|c: char| !c.is_ascii_digit());
        runs.any(|run| run.len() >= 5)
    };
    let date = address::date(url).map(|date| date.edtf().len());
    let bare = host.strip_prefix("www.").unwrap_or(&host);
    let is_institution = INSTITUTIONS.iter().any(|end| {
        let is_inner = end.ends_with('.');
        if is_inner {
            host.contains(end)
        } else {
            host.ends_with(end)
        }
    });
    let labels = bare.split('.').count();
    let is_number_host = bare.bytes().all(|byte| !byte.is_ascii_alphabetic());
    let is_sub = labels > 2 && !is_number_host && address::bare_host(bare).contains('.');
    signs
        .with_if(kind::is_host_of_blogs(&host), Sign::HostOfBlogs)
        .with_if(is_institution, Sign::HostOfInstitution)
        .with_if(kind::is_host_of_press(&host), Sign::HostOfPress)
        .with_if(is_sub, Sign::SubHost)
        .with_if(has(&BLOGS), Sign::PathOfBlog)
        .with_if(has(&NEWS), Sign::PathOfNews)
        .with_if(has(&MAGAZINES), Sign::PathOfMagazine)
        .with_if(has(&PRESS), Sign::PathOfPress)
        .with_if(
            parts.iter().take(above).any(is_section),
            Sign::PathOfSection,
        )
        .with_if(date == Some(10), Sign::PathWithDay)
        .with_if(date == Some(7), Sign::PathWithMonth)
        .with_if(
            is_number(last) || parts.iter().rev().take(2).any(|part| is_number(part)),
            Sign::PathWithNumber,
        )
        .with_if(parts.len() == 1, Sign::PathOfOnePart)
        .with_if(parts.len() == 2, Sign::PathOfTwoParts)
        .with_if(parts.len() > 3, Sign::PathDeep)
        .with_if(
            ENDINGS.iter().any(|end| last.ends_with(end)),
            Sign::PathWithEnding,
        )
}

/// The name of the site.
fn of_names(known: &Known<'_>, signs: Signs) -> Signs {
    const BROADCASTERS: [&str; 8] =
        words("radio tv television fm channel rundfunk fernsehen televisión");
    let site = known.site.unwrap_or_default();
    let lower = site.to_lowercase();
    let url = known.claims.url.as_deref().unwrap_or_default();
    let host = address::host(url).unwrap_or_default().to_lowercase();
    let named = |list: &[&str]| {
        list.iter()
            .any(|word| lower.contains(word) || host.contains(word))
    };
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let is_broadcaster = words.any(|word| BROADCASTERS.contains(&word));
    let authors = &known.claims.authors;
    signs
        .with_if(named(&kind::NEWS), Sign::SiteOfNews)
        .with_if(
            is_broadcaster || kind::is_host_of_broadcaster(&host),
            Sign::SiteOfBroadcaster,
        )
        .with_if(named(&kind::MAGAZINES), Sign::SiteOfMagazine)
        .with_if(lower.contains("blog"), Sign::SiteOfBlog)
        .with_if(names::is_institution(site), Sign::SiteOfInstitution)
        .with_if(
            authors.iter().any(|author| is_owner(author, site, &host)),
            Sign::SiteOfAuthor,
        )
        .with_if(
            site.contains('.') && !site.contains(' '),
            Sign::SiteIsDomain,
        )
        .with_if(site.split_whitespace().count() > 3, Sign::SiteIsLong)
}

/// Whether the site has the name of a person.
fn is_owner(author: &Name, site: &str, host: &str) -> bool {
    let shown = author.display();
    let name = fold(&shown);
    let is_named = [site, host].iter().any(|place| fold(place).contains(&name));
    is_named && people::is_person(author) && given_names::begins_with_one(&shown)
}

/// The authors, the owner and the date.
fn of_people(known: &Known<'_>, signs: Signs) -> Signs {
    const COMPANIES: [&str; 16] =
        words("gmbh inc llc ltd ag limited corp corporation co kg sa spa plc bv pty e.v");
    const PUBLISHERS: [&str; 35] = words(
        "verlag verlagsgesellschaft media medien medienhaus mediengruppe mediahuset publishing publishers publications \
         newspaper newspapers news press presse zeitung zeitungsverlag communications broadcasting television radio \
         editora editorial éditions edizioni shimbun herald tribune times post journal group périodico diario jornal",
    );
    let page = known.page;
    let authors = &known.claims.authors;
    let site = fold(known.site.unwrap_or_default());
    let is_single =
        |name: &Name| !name.display().contains(' ') && !people::is_east_asian(&name.display());
    let is_site = |name: &Name| {
        let shown = fold(&name.display());
        shown.len() > 2 && !site.is_empty() && (site.contains(&shown) || shown.contains(&site))
    };
    let copyrights: Vec<String> = page.copyrights().take(3).map(str::to_lowercase).collect();
    let words: Vec<&str> = copyrights
        .iter()
        .flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '.')))
        .map(|word| word.trim_matches('.'))
        .collect();
    let is_owned = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let folded: Vec<String> = copyrights.iter().map(|text| fold(text)).collect();
    let is_copyright = |name: &Name| {
        let shown = fold(&name.display());
        shown.len() > 5 && folded.iter().any(|text| text.contains(&shown))
    };
    let is_marked = |name: &Name| {
        let shown = name.display();
        let letters = || shown.chars().filter(|c| c.is_alphabetic());
        letters().count() > 3 && letters().all(char::is_uppercase) || shown.contains(". ")
    };
    signs
        .with_if(authors.is_empty(), Sign::NoAuthor)
        .with_if(authors.iter().any(is_site), Sign::AuthorIsSite)
        .with_if(authors.iter().any(is_single), Sign::AuthorIsHandle)
        .with_if(
            authors
                .iter()
                .any(|name| names::is_institution(&name.display())),
            Sign::AuthorIsInstitution,
        )
        .with_if(authors.iter().any(people::is_person), Sign::AuthorIsPerson)
        .with_if(authors.iter().any(is_marked), Sign::AuthorIsMarked)
        .with_if(authors.len() > 1, Sign::SeveralAuthors)
        .with_if(authors.iter().any(is_copyright), Sign::OwnerIsAuthor)
        .with_if(is_owned(&COMPANIES), Sign::OwnerIsCompany)
        .with_if(is_owned(&PUBLISHERS), Sign::OwnerIsPublisher)
        .with_if(
            known.claims.date.is_none() && !page.lines.is_empty(),
            Sign::NoDate,
        )
        .with_if(known.is_publication_shown, Sign::DateShown)
}

/// The lines around the heading.
fn of_byline(known: &Known<'_>, signs: Signs) -> Signs {
    /// Lines before and behind the heading.
    const BEFORE: usize = 4;
    const AROUND: usize = 20;
    const CHANGES: [&str; 19] = phrases(
        "updated|update:|aktualisiert|stand:|actualizado|actualización|mis à jour|modifié|aggiornato|atualizado|\
         bijgewerkt|uppdaterad|oppdatert|opdateret|обновлено|güncelleme|diperbarui|aktualizacja|последнее обновление",
    );
    const READING: [&str; 14] = phrases(
        "min read|minute read|minutes read|mins read|reading time|read time|lesedauer|lesezeit|min. lesezeit|\
         minuten lesezeit|temps de lecture|tiempo de lectura|min de lecture|tempo di lettura",
    );
    let page = known.page;
    let at = known.heading.unwrap_or(0);
    let near = page
        .lines
        .iter()
        .skip(at.saturating_sub(BEFORE))
        .take(AROUND);
    let near: Vec<String> = near
        .filter(|line| line.text.len() <= 120)
        .map(|line| line.text.to_lowercase())
        .collect();
    let says = |list: &[&str]| {
        near.iter()
            .any(|text| list.iter().any(|word| text.contains(word)))
    };
    let trail = page.lines.iter().take(at).rev().take(8);
    let is_trail = trail.clone().any(|line| {
        let text = line.text.to_lowercase();
        let first = text
            .split([' ', '»', '>', '›', '/'])
            .next()
            .unwrap_or_default();
        [
            "home",
            "start",
            "startseite",
            "inicio",
            "accueil",
            "início",
            "hjem",
            "homepage",
        ]
        .contains(&first)
    });
    let authors: Vec<String> = known
        .claims
        .authors
        .iter()
        .map(|name| fold(&name.display()))
        .collect();
    let is_byline = near.iter().any(|text| {
        let folded = fold(text);
        text.len() <= 80
            && authors
                .iter()
                .any(|name| !name.is_empty() && folded.contains(name.as_str()))
    });
    signs
        .with_if(near.iter().any(|text| has_time(text)), Sign::TimeShown)
        .with_if(says(&CHANGES), Sign::ChangeShown)
        .with_if(says(&READING), Sign::ReadingTime)
        .with_if(is_trail, Sign::Breadcrumb)
        .with_if(is_byline, Sign::Byline)
}

/// Whether a text has a time of day: `17:30`, `9.05 Uhr`, `11h46`.
fn has_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u8>().ok());
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    bytes.iter().enumerate().any(|(at, byte)| {
        let is_stop = *byte == b'.'
            && text
                .get(at + 3..)
                .is_some_and(|rest| rest.trim_start().starts_with("uhr"));
        if !(matches!(byte, b':' | b'h') || is_stop)
            || !(is_digit(at + 1) && is_digit(at + 2))
            || is_digit(at + 3)
        {
            return false;
        }
        let begin = at.saturating_sub(if at > 1 && is_digit(at - 2) { 2 } else { 1 });
        let hour = number(text.get(begin..at));
        let minute = number(text.get(at + 1..at + 3));
        hour.is_some_and(|hour| hour < 24) && minute.is_some_and(|minute| minute < 60)
    })
}

/// Sections that newspapers have and magazines about one subject lack.
const HARD_SECTIONS: [&str; 69] = phrases(
    "politics|sports|sport|local|local news|world|nation|national|weather|crime|courts|obituaries|opinion|editorial|letters|\
     breaking news|politik|regional|lokales|panorama|politique|faits divers|monde|política|deportes|nacional|internacional|\
     sucesos|policiales|mundo|esportes|polícia|cidades|politica|cronaca|esteri|politiek|binnenland|buitenland|nyheter|\
     politikk|nyheder|indland|udland|urheilu|kotimaa|ulkomaat|polityka|kraj|świat|politika|domácí|политика|происшествия|\
     в мире|спорт|siyaset|gündem|spor|yerel|dünya|时政|社会|政治|スポーツ|정치|사회|سياسة|رياضة",
);

/// Words in the menus and footers of newspapers.
const OF_PAPER: [&str; 75] = phrases(
    "e-paper|epaper|e-edition|digital edition|print edition|today's paper|classifieds|obituaries|obits|subscribe|\
     subscriptions|letters to the editor|letters|editorial|editorials|columnists|breaking news|latest news|top stories|most read|\
     most popular|trending|abo|abo bestellen|abonnieren|anzeigen|traueranzeigen|leserbriefe|zeitung|meistgelesen|newsticker|schlagzeilen|\
     eilmeldungen|abonnez-vous|s'abonner|je m'abonne|les plus lus|suscríbete|suscribirse|suscripción|edición impresa|\
     clasificados|últimas noticias|más leídas|lo más leído|assine|assinante|edição impressa|classificados|últimas notícias|\
     mais lidas|abbonati|necrologie|ultime notizie|prenumerera|abonnér|bli abonnent|najnowsze|последние новости|\
     son dakika|速報|社説|puzzles|horoscopes|horóscopo|crossword|cartoons|rätsel|weather|wetter|local|local news|crime|nation|wires",
);

/// Words in the menus and footers of magazines.
const OF_MAGAZINE: [&str; 53] = phrases(
    "current issue|back issues|past issues|latest issue|in this issue|magazine|the magazine|magazin|das magazin|heft|\
     hefte|alle hefte|aktuelles heft|aktuelle ausgabe|einzelheft|heftarchiv|ausgaben|zeitschrift|le magazine|la revue|\
     revista|la revista|rivista|tijdschrift|e-magazine|emagazine|media kit|mediakit|reviews|tests|kaufberatung|ratgeber|\
     features|interviews|long reads|abo & hefte|probeheft|einzelhefte|kiosk|produkttests|guides|buying guides|lifestyle|\
     fashion|beauty|mode|celebrity|culture|science|health|gaming|gadgets|reportagen",
);

/// Words in the menus and footers of blogs.
const OF_BLOG: [&str; 67] = phrases(
    "archives|archive|archiv|categories|kategorien|recent posts|recent comments|letzte beiträge|neueste beiträge|aktuelle beiträge|\
     neueste kommentare|letzte kommentare|blogroll|about me|über mich|meta|popular posts|older posts|newer posts|\
     previous post|next post|all posts|blog archive|followers|subscribe via email|follow blog via email|blog|tags|schlagwörter|schlagworte|\
     articles récents|commentaires récents|catégories|entradas recientes|comentarios recientes|categorías|posts recentes|\
     arquivo|categorias|about the author|share this:|like this:|teilen mit:|gefällt mir:|ähnliche beiträge|log in|anmelden|\
     entries feed|comments feed|feed der einträge|beitragsnavigation|post navigation|powered by blogger.|subscribe to blog|\
     older post|newer post|no comments:|my blog list|links to this post|email this|blogthis!|newsletter|work with me|contact me|\
     publish on substack|discussion about this post|ready for more?",
);

/// Beginnings of lines below the posts of blogs.
const BEGIN_BLOG: [&str; 21] = phrases(
    "posted in |posted by |posted on |filed under|tagged |veröffentlicht in|abgelegt unter|verschlagwortet|erstellt am|\
     publié dans|publicado en|pubblicato in|geplaatst in|this entry was posted|dieser eintrag wurde|dieser beitrag wurde|\
     previous post|next post|← |vorheriger beitrag|nächster beitrag",
);

/// Words in the menus and footers of institutions and companies.
const OF_INSTITUTION: [&str; 84] = phrases(
    "our services|services|service|products|produkte|leistungen|unternehmen|das unternehmen|karriere|stellenangebote|careers|our team|\
     team|das team|vorstand|mitglieder|mitglied werden|membership|members|downloads|download|ansprechpartner|\
     ansprechpersonen|pressemitteilungen|press releases|pressebereich|presse|publications|publikationen|\
     veranstaltungen|termine|leichte sprache|gebärdensprache|barrierefreiheit|erklärung zur barrierefreiheit|accessibility|projekte|projects|\
     standorte|solutions|resources|partners|partner|customers|kunden|referenzen|mission|leitbild|satzung|\
     spenden|jetzt spenden|donate|ministerium|students|studium|forschung|research|faculty|admissions|alumni|contact us|faq|quienes somos|\
     quiénes somos|servicios|transparencia|nos services|sitemap|inhaltsverzeichnis|seite drucken|ausschreibungen|stellen|beratung|\
     aus- und weiterbildung|mediathek|formulare|wer wir sind|what we do|who we are|get involved|über uns|about us|glossar|lexikon",
);

const OF_SHOP: [&str; 17] = phrases(
    "add to cart|cart|shopping cart|basket|checkout|warenkorb|in den warenkorb|mein konto|wunschzettel|panier|carrito|\
     carrinho|my account|wishlist|buy now|zur kasse|merkliste",
);

const OF_ADVERTISERS: [&str; 22] = phrases(
    "advertise|advertise with us|advertising|advertisement|anzeige|werbung|mediadaten|werben|inserieren|publicidad|publicité|pubblicità|\
     anúncie|anuncie|annonsere|annonsera|annoncer|advertentie|reklama|реклама|reklam|anunciantes",
);

const OF_NEWSROOMS: [&str; 29] = phrases(
    "corrections|editorial policy|editorial standards|ethics policy|code of ethics|redaktion|newsroom|masthead|staff|\
     rédaction|la rédaction|redacción|redazione|redakcja|редакция|submit a tip|send a tip|news tips|tips oss|report a correction|\
     ownership|autoren|redaktionsstatut|all authors|reporters|journalisten|kontakt zur redaktion|our journalists|writers",
);

const SYSTEMS_IN_FOOTERS: [&str; 16] = phrases(
    "powered by wordpress|powered by blogger|powered by ghost|published with ghost|theme:|theme by|proudly powered|präsentiert von wordpress|\
     powered by movable|template|design:|entries (rss)|blog auf wordpress.com|blog at wordpress.com|substack is|publish on substack",
);

/// The menus, the footer and what else stands around the text.
fn of_furniture(page: &Page, signs: Signs) -> Signs {
    /// Maximum bytes of an entry of a menu.
    const ENTRY: usize = 32;
    const FOOTER: usize = 60;
    const MANY: usize = 3;
    const MONTHS: usize = 4;
    let short = page.lines.iter().filter(|line| line.text.len() <= ENTRY);
    let entries: HashSet<String> = short.map(|line| entry(&line.text)).collect();
    let count = |list: &[&str]| list.iter().filter(|word| entries.contains(**word)).count();
    let footer = page.lines.iter().rev().take(FOOTER);
    let is_powered = footer.clone().any(|line| {
        let text = line.text.to_lowercase();
        line.text.len() <= 200 && SYSTEMS_IN_FOOTERS.iter().any(|words| text.contains(words))
    });
    let begins = page.lines.iter().filter(|line| line.text.len() <= 200);
    let begun = begins.filter(|line| {
        let text = line.text.to_lowercase();
        BEGIN_BLOG.iter().any(|words| text.starts_with(words))
    });
    let of_blog = count(&OF_BLOG) + begun.take(MANY).count();
    let months = entries
        .iter()
        .filter(|entry| is_month(entry))
        .take(MONTHS)
        .count();
    let (sections, paper) = (count(&kind::SECTIONS), count(&OF_PAPER));
    let (magazine, institution) = (count(&OF_MAGAZINE), count(&OF_INSTITUTION));
    signs
        .with_if((2..5).contains(&sections), Sign::FewSections)
        .with_if(sections >= 5, Sign::ManySections)
        .with_if(count(&HARD_SECTIONS) >= MANY, Sign::HardSections)
        .with_if(paper == 1, Sign::OneOfPaper)
        .with_if(paper > 1, Sign::ManyOfPaper)
        .with_if(magazine == 1, Sign::OneOfMagazine)
        .with_if(magazine > 1, Sign::ManyOfMagazine)
        .with_if((1..MANY).contains(&of_blog), Sign::OneOfBlog)
        .with_if(of_blog >= MANY, Sign::ManyOfBlog)
        .with_if(months == MONTHS, Sign::ArchiveOfMonths)
        .with_if((2..5).contains(&institution), Sign::FewOfInstitution)
        .with_if(institution >= 5, Sign::ManyOfInstitution)
        .with_if(count(&OF_SHOP) > 0, Sign::Shop)
        .with_if(count(&OF_ADVERTISERS) > 0, Sign::Advertises)
        .with_if(count(&OF_NEWSROOMS) > 0, Sign::Newsroom)
        .with_if(is_powered, Sign::PoweredBy)
        .with_if(kind::has_comment_form(page), Sign::CommentForm)
}

/// An entry of a menu without arrows and counts: `Categories (12) »`.
fn entry(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit() || "()[]»›>▼+ ".contains(c));
    text.to_lowercase()
}

/// Whether an entry is a month of an archive: `march 2011`.
fn is_month(entry: &str) -> bool {
    // Counts were removed from the end, and so were the digits of the year.
    super::months::of_word(entry.trim()).is_some()
}

/// How often words of one kind stand in the text, in thousandths.
struct Voice {
    words: usize,
    first: usize,
    speech: usize,
    address: usize,
    we: usize,
}

impl Voice {
    fn is_often(&self, count: usize, least: usize) -> bool {
        self.words > 0 && count * 1_000 >= least * self.words
    }
}

/// How the text speaks.
fn of_text(known: &Known<'_>, signs: Signs) -> Signs {
    const STOCKS: [&str; 10] = words(
        "shutterstock istock istockphoto unsplash pixabay pexels fotolia depositphotos stock.adobe.com pixelio",
    );
    const AGENCIES: [&str; 18] = words(
        "reuters afp dpa ap epa apa efe ansa tass bloomberg xinhua pti ani anadolu sda keystone ritzau ntb",
    );
    const BEGIN_ADVICE: [&str; 13] = phrases(
        "how to |wie |so |how i |why you |what is |was ist |cómo |comment |tipps |die besten |the best |best ",
    );
    /// Bytes from which on a line is a paragraph.
    const PARAGRAPH: usize = 80;
    const LINES: usize = 600;
    let page = known.page;
    let at = known.heading.unwrap_or(0);
    let behind = || {
        page.lines
            .iter()
            .skip(at)
            .take(LINES)
            .filter(|line| line.part == Part::Main)
    };
    let paragraphs = || behind().filter(|line| line.text.len() >= PARAGRAPH && line.heading == 0);
    let voice = voice(paragraphs().map(|line| line.text.as_str()));
    let mut first = paragraphs().take(3);
    let is_dateline = first.any(|line| has_dateline(&line.text));
    let credits = page.lines.iter().skip(at).take(LINES);
    let mut credited: HashSet<String> = HashSet::new();
    for line in credits.filter(|line| line.text.len() <= 160) {
        let words = line
            .text
            .split(|c: char| !(c.is_alphanumeric() || c == '.'));
        // `AP` is an agency, `ap` is not.
        let words = words
            .map(|word| word.trim_matches('.'))
            .filter(|word| word.len() > 1);
        let words = words.filter(|word| {
            word.len() > 3 || word.chars().all(char::is_uppercase) || *word == "dpa"
        });
        credited.extend(words.map(str::to_lowercase));
    }
    let credits = |list: &[&str]| list.iter().any(|word| credited.contains(*word));
    let headings = behind()
        .skip(1)
        .filter(|line| matches!(line.heading, 2 | 3))
        .take(4)
        .count();
    let title = known
        .claims
        .title
        .as_deref()
        .unwrap_or_default()
        .to_lowercase();
    let is_advice = BEGIN_ADVICE.iter().any(|words| title.starts_with(words))
        || title.starts_with(|c: char| c.is_ascii_digit()) && title.contains(' ');
    let count = voice.words;
    signs
        .with_if(is_dateline, Sign::Dateline)
        .with_if(credits(&AGENCIES), Sign::Agency)
        .with_if(credits(&STOCKS), Sign::StockPhoto)
        .with_if(
            voice.is_often(voice.first, 2) && !voice.is_often(voice.first, 12),
            Sign::FirstPerson,
        )
        .with_if(voice.is_often(voice.first, 12), Sign::MuchFirstPerson)
        .with_if(
            voice.is_often(voice.speech, 2) && !voice.is_often(voice.speech, 9),
            Sign::Speech,
        )
        .with_if(voice.is_often(voice.speech, 9), Sign::MuchSpeech)
        .with_if(voice.is_often(voice.address, 6), Sign::Address)
        .with_if(voice.is_often(voice.we, 8), Sign::WeVoice)
        .with_if(count == 0 && !page.lines.is_empty(), Sign::NoText)
        .with_if((1..150).contains(&count), Sign::ShortText)
        .with_if(count > 1_200, Sign::LongText)
        .with_if(headings == 4, Sign::ManyHeadings)
        .with_if(is_advice, Sign::TitleOfAdvice)
}

/// Counts the words of a text by who speaks.
fn voice<'t>(paragraphs: impl Iterator<Item = &'t str>) -> Voice {
    const FIRST: [&str; 37] = words(
        "i'm i've i'd i’m i’ve i’d my me myself ich mein meine meinen meiner meinem mir mich j'ai j’ai moi mon yo eu meu minha \
         io mio mia ik mijn jag jeg я мой моя мне меня",
    );
    const SPEECH: [&str; 56] = words(
        "said says told according sagte sagt betonte erklärte erklärt laut zufolge teilte dijo afirmó señaló aseguró según explicó informó declaró déclaré \
         affirmé indiqué expliqué selon disse afirmou segundo informou secondo dichiarato riferito zei volgens zegt sade säger \
         enligt sa sier ifølge siger сообщил сообщает заявил сказал словам powiedział według oświadczył dedi söyledi açıkladı \
         mengatakan ujarnya kata",
    );
    const ADDRESS: [&str; 22] = words(
        "you your you're you’re you'll you’ll yourself du dein deine deinen dir dich deiner vous votre vos tú usted você euch eure",
    );
    const WE: [&str; 27] = words(
        "we our us we're we’re we've wir unser unsere unseren uns nous notre nosotros nuestro nuestra nós nosso nossa noi nostro \
         nostra wij ons onze мы наш",
    );
    /// Words that East Asian reports have, whose words are not separated.
    const REPORTS: [&str; 10] = words("记者 記者 表示 据 报道 によると 述べ 밝혔다 말했다 전했다");
    let mut voice = Voice {
        words: 0,
        first: 0,
        speech: 0,
        address: 0,
        we: 0,
    };
    for text in paragraphs {
        voice.speech += REPORTS.iter().filter(|word| text.contains(**word)).count();
        for word in text.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            voice.words += 1;
            if word == "I" {
                voice.first += 1;
                continue;
            }
            // Longer words are none of these.
            if word.len() > 24 {
                continue;
            }
            let lower = word.to_lowercase();
            let lower = lower.as_str();
            voice.first += usize::from(FIRST.contains(&lower));
            voice.speech += usize::from(SPEECH.contains(&lower));
            voice.address += usize::from(ADDRESS.contains(&lower));
            voice.we += usize::from(WE.contains(&lower));
        }
    }
    voice
}

/// Whether a text begins with the place of a report: `LONDON (AP) — `, `Berlin – `.
fn has_dateline(text: &str) -> bool {
    /// Maximum bytes of the place and the agency.
    const PLACE: usize = 60;
    let head = text.get(..text.floor_char_boundary(PLACE)).unwrap_or(text);
    let ends = [
        " – ",
        " — ",
        " - ",
        ".- ",
        " -- ",
        " —",
        "(AP)",
        "(Reuters)",
        "(AFP)",
        "(dpa)",
    ];
    let Some(at) = ends.iter().filter_map(|end| head.find(end)).min() else {
        return false;
    };
    let place = head.get(..at).unwrap_or_default();
    let words: Vec<&str> = place.split_whitespace().collect();
    let is_place = |word: &&str| {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) || word.is_empty()
    };
    (1..=5).contains(&words.len())
        && words.iter().all(is_place)
        && place.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_begin_with_a_place() {
        for text in [
            "LONDON (AP) — The tides were high.",
            "Berlin – Die Flut war hoch.",
            "SAN JUAN, May 3 — The tides were high.",
        ] {
            assert!(has_dateline(text), "{text}");
        }
        for text in ["The tides - all of them - were high.", "Tides were high."] {
            assert!(!has_dateline(text), "{text}");
        }
    }

    #[test]
    fn times_of_day_are_found() {
        for text in [
            "3 may 2001, 17:30",
            "03.05.2001, 9.05 uhr",
            "le 3 mai à 11h46",
        ] {
            assert!(has_time(text), "{text}");
        }
        for text in ["score 17:99", "3:2", "1.05 m", "2001:305"] {
            assert!(!has_time(text), "{text}");
        }
    }

    #[test]
    fn entries_of_menus_are_bare() {
        assert_eq!(entry("» Categories (12)"), "categories");
        assert_eq!(entry("March 2011"), "march");
    }

    #[test]
    fn voices_are_counted() {
        let heard = voice(["I told you that we heard my brother."].into_iter());
        let counts = [
            heard.words,
            heard.first,
            heard.speech,
            heard.address,
            heard.we,
        ];
        assert_eq!(counts, [8, 2, 1, 1, 1]);
    }
}
