//! The providers that the operator lets be asked, by name.

use std::sync::Arc;

use super::{Crossref, Datacite, DoiOrg, OpenLibrary, Provider, ProviderStats, ProvidersSettings};

/// All providers. Those that are switched off are counted, but never handed out.
pub struct Providers {
    crossref: Member<Crossref>,
    datacite: Member<Datacite>,
    doi: Member<DoiOrg>,
    openlibrary: Member<OpenLibrary>,
}

struct Member<P> {
    provider: Arc<P>,
    is_enabled: bool,
}

impl<P> Member<P> {
    fn new(provider: P, is_enabled: bool) -> Member<P> {
        Member {
            provider: Arc::new(provider),
            is_enabled,
        }
    }

    fn enabled(&self) -> Option<Arc<P>> {
        self.is_enabled.then(|| Arc::clone(&self.provider))
    }
}

impl Providers {
    pub fn new(settings: &ProvidersSettings) -> Providers {
        let (crossref, datacite) = (&settings.crossref, &settings.datacite);
        let (doi, openlibrary) = (&settings.doi, &settings.openlibrary);
        Providers {
            crossref: Member::new(Crossref::new(crossref.clone()), crossref.enabled),
            datacite: Member::new(Datacite::new(datacite.clone()), datacite.enabled),
            doi: Member::new(DoiOrg::new(doi.clone()), doi.enabled),
            openlibrary: Member::new(OpenLibrary::new(openlibrary.clone()), openlibrary.enabled),
        }
    }

    /// The provider of that name (`crossref`, `datacite`, `doi`, `openlibrary`), if it is there
    /// and switched on.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Provider>> {
        match name {
            "crossref" => self.crossref.enabled().map(|p| p as Arc<dyn Provider>),
            "datacite" => self.datacite.enabled().map(|p| p as Arc<dyn Provider>),
            "doi" => self.doi.enabled().map(|p| p as Arc<dyn Provider>),
            "openlibrary" => self.openlibrary.enabled().map(|p| p as Arc<dyn Provider>),
            _ => None,
        }
    }

    /// The DOI resolver, which alone knows what shortDOIs stand for; nothing if it is off.
    pub fn doi(&self) -> Option<Arc<DoiOrg>> {
        self.doi.enabled()
    }

    /// What happened so far, of every provider.
    pub fn stats(&self) -> Vec<ProviderStats> {
        vec![
            self.crossref.provider.stats(),
            self.datacite.provider.stats(),
            self.doi.provider.stats(),
            self.openlibrary.provider.stats(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_switched_off_are_not_handed_out() {
        let mut settings = ProvidersSettings::default();
        settings.datacite.enabled = false;
        settings.doi.enabled = false;
        let providers = Providers::new(&settings);
        assert_eq!(
            providers.get("crossref").map(|p| p.name()),
            Some("crossref")
        );
        assert!(providers.get("datacite").is_none());
        assert!(providers.doi().is_none());
        assert!(providers.get("nobody").is_none());
        assert_eq!(providers.stats().len(), 4);
    }
}
