//! Rules for the addresses of sites: which identifier each kind of address implies. Only data; `address`
//! evaluates it, and `tests/addresses.tsv` has an example of each rule.

/// What an address implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implied {
    Doi,
    Isbn,
    Pmid,
    Pmcid,
    Arxiv,
    Pii,
    OpenAlex,
    Oclc,
    OpenLibrary,
    Handle,
    /// The page to cite, at the address that the template produces.
    Page,
}

/// One kind of address of one site.
pub(super) struct Rule {
    /// The site's domain; `{}.` before it takes the label there, `*` is any.
    pub host: &'static str,
    /// The first path segments (after `**/`, segments anywhere in the path) and optionally one query
    /// parameter. `*` is any segment. `{}` captures a segment, `{n}` digits, `{v}` a segment without its
    /// version; endings such as `.pdf` are dropped.
    pub path: &'static str,
    pub implied: Implied,
    /// The identifier or address, with the captures inserted for each `{}` in order.
    pub template: &'static str,
}

const fn rule(
    host: &'static str,
    path: &'static str,
    implied: Implied,
    template: &'static str,
) -> Rule {
    Rule {
        host,
        path,
        implied,
        template,
    }
}

use Implied::{Arxiv, Doi, Handle, Isbn, Oclc, OpenAlex, OpenLibrary, Page, Pii, Pmcid, Pmid};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    // Preprints.
    rule("arxiv.org", "/abs/{}/{}", Arxiv, "{}/{}"),
    rule("arxiv.org", "/abs/{}", Arxiv, "{}"),
    rule("arxiv.org", "/pdf/{}/{}", Arxiv, "{}/{}"),
    rule("arxiv.org", "/pdf/{}", Arxiv, "{}"),
    rule("arxiv.org", "/html/{}", Arxiv, "{}"),
    rule("alphaxiv.org", "/abs/{}", Arxiv, "{}"),
    rule("huggingface.co", "/papers/{}", Arxiv, "{}"),
    rule("biorxiv.org", "**/early/*/*/*/{v}", Doi, "10.1101/{}"),
    rule("medrxiv.org", "**/early/*/*/*/{v}", Doi, "10.1101/{}"),
    rule("ssrn.com", "/sol3/papers.cfm?abstract_id={n}", Doi, "10.2139/ssrn.{}"),
    rule("ssrn.com", "/abstract={n}", Doi, "10.2139/ssrn.{}"),
    rule("preprints.org", "/manuscript/{}/{}", Doi, "10.20944/preprints{}.{}"),
    rule("researchsquare.com", "/article/{}/{}", Doi, "10.21203/rs.3.{}/{}"),
    rule("osf.io", "/preprints/psyarxiv/{}", Doi, "10.31234/osf.io/{}"),
    rule("osf.io", "/preprints/socarxiv/{}", Doi, "10.31235/osf.io/{}"),
    rule("psyarxiv.com", "/{}", Doi, "10.31234/osf.io/{}"),
    rule("nber.org", "/papers/w{n}", Doi, "10.3386/w{}"),
    // Biomedicine.
    rule("pubmed.ncbi.nlm.nih.gov", "/{n}", Pmid, "{}"),
    rule("pubmed.ncbi.nlm.nih.gov", "?term={n}", Pmid, "{}"),
    rule("ncbi.nlm.nih.gov", "/pubmed/{n}", Pmid, "{}"),
    rule("ncbi.nlm.nih.gov", "/pubmed?term={n}", Pmid, "{}"),
    rule("ncbi.nlm.nih.gov", "/pmc/articles/PMC{n}", Pmcid, "PMC{}"),
    rule("ncbi.nlm.nih.gov", "/pmc/articles/pmid/{n}", Pmid, "{}"),
    rule("pmc.ncbi.nlm.nih.gov", "/articles/PMC{n}", Pmcid, "PMC{}"),
    rule("europepmc.org", "/article/MED/{n}", Pmid, "{}"),
    rule("europepmc.org", "/abstract/MED/{n}", Pmid, "{}"),
    rule("europepmc.org", "/article/PMC/PMC{n}", Pmcid, "PMC{}"),
    rule("europepmc.org", "/articles/PMC{n}", Pmcid, "PMC{}"),
    rule("rcsb.org", "/structure/{}", Doi, "10.2210/pdb{}/pdb"),
    // Publishers.
    rule("nature.com", "/articles/{}", Doi, "10.1038/{}"),
    rule("elifesciences.org", "/articles/{n}", Doi, "10.7554/elife.{}"),
    rule("elifesciences.org", "/content/*/e{n}", Doi, "10.7554/elife.{}"),
    rule("elifesciences.org", "/reviewed-preprints/{n}", Doi, "10.7554/elife.{}"),
    rule("peerj.com", "/articles/cs-{n}", Doi, "10.7717/peerj-cs.{}"),
    rule("peerj.com", "/articles/{n}", Doi, "10.7717/peerj.{}"),
    rule("peerj.com", "/preprints/{n}", Doi, "10.7287/peerj.preprints.{}"),
    rule("sciencedirect.com", "**/pii/{}", Pii, "{}"),
    rule("linkinghub.elsevier.com", "/retrieve/pii/{}", Pii, "{}"),
    rule("cell.com", "**/fulltext/{}", Pii, "{}"),
    rule("cell.com", "**/abstract/{}", Pii, "{}"),
    rule("cell.com", "**/pdf/{}", Pii, "{}"),
    rule("thelancet.com", "/journals/*/article/PII{}", Doi, "10.1016/{}"),
    rule("thelancet.com", "/journals/*/article/PII{}/*", Doi, "10.1016/{}"),
    rule("jstor.org", "/stable/{n}", Doi, "10.2307/{}"),
    rule("jstor.org", "/stable/pdf/{n}", Doi, "10.2307/{}"),
    rule("dl.acm.org", "/citation.cfm?id={}", Doi, "10.1145/{}"),
    rule("pubs.rsc.org", "/*/content/*/*/*/{}", Doi, "10.1039/{}"),
    rule("bmj.com", "/content/*/bmj.{}", Doi, "10.1136/bmj.{}"),
    rule("hindawi.com", "/journals/*/{n}/{n}", Doi, "10.1155/{}/{}"),
    rule("{}.copernicus.org", "/articles/{n}/{n}/{n}", Doi, "10.5194/{}-{}-{}-{}"),
    rule("nap.edu", "/catalog/{n}", Doi, "10.17226/{}"),
    rule("nap.nationalacademies.org", "/catalog/{n}", Doi, "10.17226/{}"),
    rule("rfc-editor.org", "**/rfc{n}", Doi, "10.17487/rfc{}"),
    rule("ietf.org", "**/rfc{n}", Doi, "10.17487/rfc{}"),
    // Conferences.
    rule("aclanthology.org", "/{}", Doi, "10.18653/v1/{}"),
    rule("aclweb.org", "/anthology/{}", Doi, "10.18653/v1/{}"),
    rule("openreview.net", "/pdf?id={}", Page, "https://openreview.net/forum?id={}"),
    rule("openreview.net", "/forum?id={}", Page, "https://openreview.net/forum?id={}"),
    // Repositories.
    rule("zenodo.org", "/record/{n}", Doi, "10.5281/zenodo.{}"),
    rule("zenodo.org", "/records/{n}", Doi, "10.5281/zenodo.{}"),
    rule("figshare.com", "/articles/*/*/{n}", Doi, "10.6084/m9.figshare.{}"),
    rule("figshare.com", "/articles/*/{n}", Doi, "10.6084/m9.figshare.{}"),
    rule("hdl.handle.net", "/{}/{}", Handle, "hdl:{}/{}"),
    rule("*", "**/handle/{}/{}", Handle, "hdl:{}/{}"),
    // Catalogs and books.
    rule("openalex.org", "/works/{}", OpenAlex, "{}"),
    rule("openalex.org", "/{}", OpenAlex, "{}"),
    rule("openlibrary.org", "/isbn/{}", Isbn, "{}"),
    rule("openlibrary.org", "/books/{}", OpenLibrary, "{}"),
    rule("openlibrary.org", "/works/{}", OpenLibrary, "{}"),
    rule("worldcat.org", "/isbn/{}", Isbn, "{}"),
    rule("worldcat.org", "**/oclc/{n}", Oclc, "{}"),
    rule("worldcat.org", "**/title/{n}", Oclc, "{}"),
    rule("books.google.com", "/books?vid=ISBN{}", Isbn, "{}"),
    rule("books.google.com", "/books?isbn={}", Isbn, "{}"),
    rule("books.google.com", "/books?id={}", Page, "https://books.google.com/books?id={}"),
    rule("google.com", "/books/edition/*/{}", Page, "https://books.google.com/books?id={}"),
    rule("*", "**/dp/{}", Isbn, "{}"),
    rule("*", "**/gp/product/{}", Isbn, "{}"),
    rule("*", "**/ASIN/{}", Isbn, "{}"),
    rule("goodreads.com", "/book/isbn/{}", Isbn, "{}"),
    rule("librarything.com", "/isbn/{}", Isbn, "{}"),
    rule("abebooks.com", "/{}", Isbn, "{}"),
    rule("bookshop.org", "/p/books/*/{}", Isbn, "{}"),
    rule("bookshop.org", "/a/*/{}", Isbn, "{}"),
    rule("barnesandnoble.com", "**?ean={}", Isbn, "{}"),
    rule("isbnsearch.org", "/isbn/{}", Isbn, "{}"),
    // Pages with several addresses.
    rule("{}.m.wikipedia.org", "/wiki/{}", Page, "https://{}.wikipedia.org/wiki/{}"),
    rule("youtu.be", "/{}", Page, "https://www.youtube.com/watch?v={}"),
    rule("youtube.com", "/embed/{}", Page, "https://www.youtube.com/watch?v={}"),
    rule("youtube.com", "/shorts/{}", Page, "https://www.youtube.com/watch?v={}"),
    rule("youtube.com", "/watch?v={}", Page, "https://www.youtube.com/watch?v={}"),
];
