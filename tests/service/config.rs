//! The configuration: priorities of sources, error messages, and the template
//! file.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use citation::config::{self, Config, ConfigError, ConfigOverrides, ConfigSources, Loaded};

/// Loads `citation.toml` with this text, and this environment, in a folder of its own.
fn load(text: &str, environment: &[(&str, &str)]) -> Result<Loaded, Vec<ConfigError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("citation.toml"), text).unwrap();
    config::load(&sources(folder.path(), environment))
}

fn sources(folder: &Path, environment: &[(&str, &str)]) -> ConfigSources {
    ConfigSources {
        overrides: ConfigOverrides::default(),
        environment: environment
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect(),
        directory: folder.to_owned(),
    }
}

/// The problems as printed, without the folder of the file.
fn problems(text: &str, environment: &[(&str, &str)]) -> Vec<String> {
    let errors = load(text, environment).expect_err("the configuration should be refused");
    let printed = errors.iter().map(ToString::to_string);
    printed
        .map(|line| match line.find("citation.toml:") {
            Some(at) => line[at..].to_owned(),
            None => line,
        })
        .collect()
}

/// Every text of `expected` must stand in the problem at its place, and there are no others.
fn check_problems(text: &str, environment: &[(&str, &str)], expected: &[&[&str]]) {
    let found = problems(text, environment);
    assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
    for (problem, parts) in found.iter().zip(expected) {
        for part in *parts {
            assert!(problem.contains(part), "{part:?} is not in {problem:?}");
        }
    }
}

/// Checks rows of a section with one of its lines, and what is said about it.
fn check_rows(rows: &str) {
    for row in rows.trim().lines() {
        let (text, parts) = row.split_once(" | ").unwrap();
        let parts: Vec<&str> = parts.split(" | ").collect();
        let text = text.replace("] ", "]\n");
        check_problems(&format!("{text}\n"), &[], &[&parts]);
    }
}

/// What holds where nothing is set, nor is there a home.
fn unset() -> Config {
    let mut config = Config::default();
    config.data.dir = "data".into();
    config
}

#[test]
fn data_folder_defaults_to_local_or_platform_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("data");
    let home = folder.path().join("home");
    let environment = [
        ("HOME", home.to_str().unwrap()),
        ("LOCALAPPDATA", home.to_str().unwrap()),
    ];
    let found = || {
        let sources = sources(folder.path(), &environment);
        config::load(&sources).unwrap().config.data.dir
    };
    let elsewhere = found();
    assert!(
        elsewhere.starts_with(&home) && elsewhere.ends_with("citation"),
        "{elsewhere:?}"
    );
    if cfg!(target_os = "linux") {
        assert_eq!(elsewhere, home.join(".local/share/citation"));
    }
    // A project's own folder is nothing to put a database into.
    fs::create_dir(&here).unwrap();
    assert_eq!(found(), Path::new("data"));
    fs::write(here.join("measurements.csv"), "").unwrap();
    assert_eq!(found(), elsewhere);
    fs::write(here.join("citation.db"), "").unwrap();
    assert_eq!(found(), Path::new("data"));
    // Its file is read, too.
    fs::create_dir_all(&elsewhere).unwrap();
    fs::remove_dir_all(&here).unwrap();
    fs::write(elsewhere.join("citation.toml"), "[quota]\nfree_daily = 7\n").unwrap();
    let loaded = config::load(&sources(folder.path(), &environment)).unwrap();
    assert_eq!(loaded.config.quota.free_daily, 7);
}

#[test]
fn defaults_apply_without_any_source() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = config::load(&sources(folder.path(), &[])).unwrap();
    assert_eq!(loaded.config, unset());
    assert_eq!(loaded.file, None);
    assert!(loaded.origins.is_empty());
}

#[test]
fn defaults_match_the_interface() {
    let config = Config::default();
    let quota = &config.quota;
    assert_eq!((quota.anonymous_daily, quota.free_daily), (20, 60));
    assert_eq!(
        (quota.academic_daily, quota.business_daily),
        (20_000, 20_000)
    );
    assert_eq!(
        (quota.academic_monthly, quota.business_monthly),
        (10_000, 40_000)
    );
    let limits = &config.limits;
    assert_eq!(
        (limits.anonymous_per_minute, limits.credential_per_minute),
        (100, 600)
    );
    assert_eq!((limits.free_collections, limits.free_entries), (4, 200));
    assert_eq!(
        (limits.academic_collections, limits.academic_entries),
        (10, 1_000)
    );
    assert_eq!(
        (limits.business_collections, limits.business_entries),
        (20, 4_000)
    );
    assert_eq!(
        (limits.json_body_bytes, limits.import_bytes),
        (2 << 20, 10 << 20)
    );
    assert_eq!(
        (config.lookup.budget_ms, config.server.request_timeout_ms),
        (8_000, 30_000)
    );
    assert_eq!(
        (config.format.max_entries, config.format.max_indices),
        (1_000, 200)
    );
    assert_eq!(config.session.days, 30);
}

#[test]
fn flags_override_the_environment_and_the_environment_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[server]\nlisten = \"127.0.0.1:1\"\n[quota]\nfree_daily = 1\nanonymous_daily = 2\n";
    fs::write(folder.path().join("citation.toml"), text).unwrap();
    let environment = [
        ("CITATION_SERVER__LISTEN", "127.0.0.1:2"),
        ("CITATION_QUOTA__FREE_DAILY", "3"),
        ("HOME", "/nowhere"),
        ("CITATION_SOMETHING_ELSE", "left alone"),
    ];
    let sources = ConfigSources {
        overrides: ConfigOverrides {
            listen: Some("127.0.0.1:3".to_owned()),
            data: Some("elsewhere".into()),
            ..ConfigOverrides::default()
        },
        ..sources(folder.path(), &environment)
    };
    let loaded = config::load(&sources).unwrap();
    assert_eq!(loaded.config.server.listen, "127.0.0.1:3");
    assert_eq!(loaded.config.quota.free_daily, 3);
    assert_eq!(loaded.config.quota.anonymous_daily, 2);
    assert_eq!(loaded.config.data.dir, Path::new("elsewhere"));

    let origin = |key: &str| loaded.origins[key].to_string();
    assert_eq!(origin("server.listen"), "--listen");
    assert_eq!(origin("quota.free_daily"), "CITATION_QUOTA__FREE_DAILY");
    assert!(origin("quota.anonymous_daily").ends_with("citation.toml:5:19"));
    assert_eq!(origin("data.dir"), "--data");
}

#[test]
fn first_existing_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(
        folder.path().join("citation.toml"),
        "# nothing\n[quota]\n#free_daily = 9\n",
    )
    .unwrap();
    fs::write(data.join("citation.toml"), "[quota]\nfree_daily = 1\n").unwrap();
    let loaded = config::load(&sources(folder.path(), &[])).unwrap();
    assert_eq!(loaded.config.quota.free_daily, 1);
    assert_eq!(loaded.file, Some(data.join("citation.toml")));

    fs::write(
        folder.path().join("citation.toml"),
        "[quota]\nanonymous_daily = 2\n",
    )
    .unwrap();
    let loaded = config::load(&sources(folder.path(), &[])).unwrap();
    assert_eq!(
        (
            loaded.config.quota.free_daily,
            loaded.config.quota.anonymous_daily
        ),
        (60, 2)
    );

    fs::write(folder.path().join("mine.toml"), "[quota]\nfree_daily = 3\n").unwrap();
    let named = ConfigSources {
        overrides: ConfigOverrides {
            config: Some("mine.toml".into()),
            ..ConfigOverrides::default()
        },
        ..sources(folder.path(), &[])
    };
    let loaded = config::load(&named).unwrap();
    assert_eq!(
        (
            loaded.config.quota.free_daily,
            loaded.config.quota.anonymous_daily
        ),
        (3, 20)
    );
}

#[test]
fn data_folder_with_the_file_comes_from_flag_or_environment() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("citation.toml"), "[quota]\nfree_daily = 1\n").unwrap();
    let by_environment = sources(folder.path(), &[("CITATION_DATA__DIR", "other")]);
    assert_eq!(
        config::load(&by_environment)
            .unwrap()
            .config
            .quota
            .free_daily,
        1
    );
    let by_flag = ConfigSources {
        overrides: ConfigOverrides {
            data: Some("other".into()),
            ..ConfigOverrides::default()
        },
        ..sources(folder.path(), &[])
    };
    assert_eq!(config::load(&by_flag).unwrap().config.quota.free_daily, 1);
}

#[test]
fn named_file_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let errors = config::check(&folder.path().join("absent.toml")).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].to_string().starts_with("--config: "),
        "{}",
        errors[0]
    );
    assert!(
        errors[0].to_string().contains("absent.toml cannot be read"),
        "{}",
        errors[0]
    );
}

#[test]
fn values_of_every_kind_come_from_the_environment() {
    let config = |name: &str, value: &str| load("", &[(name, value)]).unwrap().config;
    let c = config(
        "CITATION_PROVIDERS__CROSSREF__BASE_URL",
        "http://127.0.0.1:9/api/",
    );
    assert_eq!(
        c.providers.crossref.base_url.as_str(),
        "http://127.0.0.1:9/api"
    );
    assert_eq!(
        c.providers.datacite.base_url.as_str(),
        "https://api.datacite.org"
    );
    let c = config(
        "CITATION_SERVER__CORS__ALLOWED_ORIGINS",
        "https://a.example, https://b.example",
    );
    assert_eq!(
        c.server.cors.allowed_origins,
        ["https://a.example", "https://b.example"]
    );
    let c = config(
        "CITATION_SERVER__CORS__ALLOWED_ORIGINS",
        r#"["https://a.example"]"#,
    );
    assert_eq!(c.server.cors.allowed_origins, ["https://a.example"]);
    let c = config("CITATION_SERVER__TRUSTED_PROXIES", "10.0.0.0/8");
    assert!(c.server.trusted_proxies[0].contains("10.1.2.3".parse().unwrap()));
    let c = config("CITATION_LOOKUP__DOI_ORDER", "");
    assert!(c.lookup.doi_order.is_empty());
    let c = config("CITATION_SERVER__COMPRESSION", "false");
    assert!(!c.server.compression);
    let c = config("CITATION_LOOKUP__SUFFICIENT_SCORE", "0.5");
    assert_eq!(c.lookup.sufficient_score, 0.5);
    let c = config("CITATION_LOOKUP__SUFFICIENT_SCORE", "1");
    assert_eq!(c.lookup.sufficient_score, 1.0);
    let c = config("CITATION_SERVER__METRICS_LISTEN", "127.0.0.1:9090");
    assert_eq!(c.server.metrics_listen.as_deref(), Some("127.0.0.1:9090"));
    let c = config(
        "CITATION_PROVIDERS__CROSSREF__CONTACT",
        "librarian@example.org",
    );
    assert_eq!(c.providers.crossref.contact, "librarian@example.org");
}

const ISSUERS: &str = r#"
[[auth.oidc]]
name = "one"
issuer = "https://one.example"
client_id = "id-1"
client_secret = "hunter2"

[[auth.oidc]]
name = "two"
issuer = "https://two.example/realm"
client_id = "id-2"
scopes = ["openid"]
"#;

#[test]
fn identity_providers_are_tables() {
    let config = load(ISSUERS, &[]).unwrap().config;
    let [one, two] = config.auth.oidc.as_slice() else {
        panic!("{:?}", config.auth.oidc);
    };
    assert_eq!(
        (one.name.as_str(), one.client_secret.reveal()),
        ("one", "hunter2")
    );
    assert_eq!(one.scopes, ["openid", "email", "profile"]);
    assert_eq!(
        (two.client_id.as_str(), two.client_secret.is_empty()),
        ("id-2", true)
    );
    assert_eq!(two.scopes, ["openid"]);
}

#[test]
fn environment_sets_one_value_of_a_table_or_all_tables() {
    let secret = ("CITATION_AUTH__OIDC__1__CLIENT_SECRET", "s3");
    let config = load(ISSUERS, &[secret]).unwrap().config;
    assert_eq!(config.auth.oidc[0].client_secret.reveal(), "hunter2");
    assert_eq!(config.auth.oidc[1].client_secret.reveal(), "s3");

    let all = r#"[{name = "three", issuer = "https://three.example", client_id = "id-3"}]"#;
    let config = load(ISSUERS, &[("CITATION_AUTH__OIDC", all)])
        .unwrap()
        .config;
    assert_eq!(config.auth.oidc.len(), 1);
    assert_eq!(config.auth.oidc[0].name, "three");
    let both = [
        secret,
        ("CITATION_AUTH__OIDC__0__CLIENT_SECRET", "s0"),
        ("CITATION_AUTH__OIDC", all),
    ];
    let errors = load("", &both).unwrap_err();
    assert!(
        errors
            .iter()
            .any(|e| e.to_string().contains("`auth.oidc.1.name` is missing")),
        "{errors:?}"
    );
    let config = load("", &both[1..]).unwrap().config;
    assert_eq!(config.auth.oidc[0].client_secret.reveal(), "s0");
}

#[test]
fn identity_providers_must_be_complete() {
    check_problems(
        "[[auth.oidc]]\nname = \"One\"\nclient_di = \"x\"\n[[auth.oidc]]\nname = \"two\"\nissuer = \"two\"\nclient_id = \"x\"\n",
        &[],
        &[
            &["1:8: `auth.oidc.0.issuer` is missing", "http or https"],
            &["1:8: `auth.oidc.0.client_id` is missing"],
            &[
                "2:8: `auth.oidc.0.name` is not a short name",
                "lower-case letters",
            ],
            &[
                "3:1: `auth.oidc.0.client_di`",
                "Did you mean `auth.oidc.0.client_id`?",
            ],
            &["6:10: `auth.oidc.1.issuer` is not an http or https URL"],
        ],
    );
    let twice = ISSUERS.replace("\"two\"", "\"one\"");
    check_problems(
        &twice,
        &[],
        &[&["citation.toml:9:8", "repeats the name `one`"]],
    );
    let groups = format!(
        "{ISSUERS}[[auth.groups]]\nprovider = \"three\"\nclaim = \"lab\"\nrole = \"owner\"\n"
    );
    check_problems(
        &groups,
        &[],
        &[&["`auth.groups.0.role`", "\"reader\", \"editor\""]],
    );
    let groups = groups.replace("\"owner\"", "\"editor\"");
    check_problems(
        &groups,
        &[],
        &[&[
            "`auth.groups.0.provider`",
            "which no table of `auth.oidc` has",
        ]],
    );
    check_problems(
        "[auth]\noidc = [1]\n",
        &[],
        &[&["citation.toml:2:9", "is not a table"]],
    );
}

#[test]
fn secrets_are_never_shown() {
    let loaded = load(
        ISSUERS,
        &[("CITATION_AUTH__OIDC__1__CLIENT_SECRET", "s3cret")],
    )
    .unwrap();
    for shown in [
        loaded.to_toml(),
        loaded.to_json().to_string(),
        format!("{loaded:?}"),
    ] {
        assert!(shown.contains("id-1"), "{shown}");
        assert!(
            !shown.contains("hunter2") && !shown.contains("s3cret"),
            "{shown}"
        );
    }
    let printed = problems("[[auth.oidc]]\nname = \"a\"\nclient_secret = 12345\n", &[]).join("\n");
    assert!(!printed.contains("12345"), "{printed}");
}

#[test]
fn wrong_keys_are_rejected_with_suggestion() {
    check_rows(
        r#"
[quota] anonymous_dialy = 5 | citation.toml:2:1: `quota.anonymous_dialy` is not a known key. | Did you mean `quota.anonymous_daily`?
[limits] free_daily = 5 | Did you mean `quota.free_daily`?
[quotas] free_daily = 5 | 2:1 | Did you mean `quota.free_daily`?
listen = "127.0.0.1:1" | 1:1 | Did you mean `server.listen`?
"quota.free_daily" = 1 | 1:1 | Do not quote a key together
[quota] favourite_colour = 5 | 2:1 | Allowed: anonymous_daily, free_daily
[zebra] | 1:2 | `zebra` is not a known key | Allowed: sections server
quota = 5 | 1:1 | is a section, not a key
"#,
    );
    check_problems(
        "",
        &[("CITATION_QUOTA__ANONYMOUS_DIALY", "5")],
        &[&[
            "CITATION_QUOTA__ANONYMOUS_DIALY: ",
            "Did you mean `CITATION_QUOTA__ANONYMOUS_DAILY`?",
        ]],
    );
    check_problems(
        "",
        &[("CITATION_QUOTA_ANONYMOUS_DAILY", "5")],
        &[&[
            "Did you mean `CITATION_QUOTA__ANONYMOUS_DAILY`?",
            "separated by two underscores",
        ]],
    );
}

#[test]
fn wrong_values_are_rejected_with_allowed_ones() {
    check_rows(
        r#"
[quota] free_daily = -1 | 2:14 | is too small (-1) | from 0 to 1000000000
[quota] free_daily = 4294967296 | is too large
[quota] free_daily = 99999999999999999999 | cannot be read | from 0 to
[quota] free_daily = 1.5 | is a decimal number (1.5) | a whole number
[quota] free_daily = "60" | is text | a whole number
[quota] free_daily = [60] | is a list | a whole number
[quota] free_daily = { a = 1 } | is a table | a whole number
[quota] free_daily = 2026-11-21 | is a date | a whole number
[limits] json_body_bytes = "2 MiB" | is text ("2 MiB") | from 1024
[server] compression = "yes" | is text | true or false
[server] listen = "8080" | is not HOST:PORT | 127.0.0.1:8080
[server] listen = "127.0.0.1:80800" | is not HOST:PORT
[server] listen = "1.2.3:80" | is not HOST:PORT
[server] base_url = "example.org" | is not an http or https URL | http or https
[server] base_url = "https://e.org/?a" | has a query or a fragment
[server] base_url = "https://e.org/citation/" | has a path | a host name or a port of its own
[server] trusted_proxies = ["10.0.0.0/99"] | has more bits | 10.0.0.0/8
[server] trusted_proxies = "10.0.0.1" | is text | a list
[server] metrics_listen = "on" | neither HOST:PORT nor `off`
[server.cors] allowed_origins = ["https://e.org/"] | is not an origin
[log] level = "verbose" | is not a level | "debug"
[lookup] sufficient_score = 1.5 | is out of range | from 0 to 1
[lookup] sufficient_score = nan | is out of range
[lookup] doi_order = ["crosref"] | did you mean "crossref"? | "datacite"
[lookup] doi_order = ["doi", "doi"] | names `doi` twice
[auth] sign_up = "opne" | did you mean "open"? | "closed"
[format] locale = "english please" | is not a language tag | en-US
[session] cookie_name = "my cookie" | is not the name of a cookie
"#,
    );
    check_problems(
        "",
        &[("CITATION_QUOTA__FREE_DAILY", "many")],
        &[&[
            "CITATION_QUOTA__FREE_DAILY: `quota.free_daily` is text (\"many\")",
            "a whole number",
        ]],
    );
}

#[test]
fn related_values_must_agree() {
    check_rows(
        r#"
[lookup] budget_ms = 40000 | 2:13 | `lookup.budget_ms` (40000) must not exceed `server.request_timeout_ms` (30000)
[providers.doi] timeout_ms = 1000 | 2:14: `providers.doi.timeout_ms` | (3000) must not exceed | (1000)
[limits] reverse_candidates = 30 | 2:22 | reverse_candidates_max` (20)
[session] cookie_name = "__Host-x" | 2:15 | only accept over https
"#,
    );
    let fits = "[session]\ncookie_name = \"__Host-x\"\n[server]\nbase_url = \"https://e.org\"\n";
    assert!(load(fits, &[]).is_ok());
}

#[test]
fn all_problems_are_reported_together() {
    check_problems(
        "[server]\nlisten = 8080\ncolour = 1\n\n[quota]\nfree_daily = -1\n",
        &[
            ("CITATION_LOG__FORMAT", "xml"),
            ("CITATION_LGO__LEVEL", "info"),
        ],
        &[
            &["citation.toml:2:10", "server.listen"],
            &["citation.toml:3:1", "server.colour"],
            &["citation.toml:6:14", "quota.free_daily"],
            &[
                "CITATION_LGO__LEVEL: ",
                "Did you mean `CITATION_LOG__LEVEL`?",
            ],
            &["CITATION_LOG__FORMAT: ", "`xml`", "\"json\""],
        ],
    );
}

#[test]
fn syntax_errors_have_positions() {
    check_problems(
        "[quota]\nfree_daily =\n",
        &[],
        &[&["citation.toml:2:", "not valid TOML"]],
    );
    check_problems(
        "[quota]\nfree_daily = 60 60\n[limits]\ntags = 0\n",
        &[],
        &[
            &["citation.toml:2:", "not valid TOML"],
            &["citation.toml:4:8", "is too small"],
        ],
    );
    check_problems(
        "[quota]\nfree_daily = 1\nfree_daily = 2\n",
        &[],
        &[&["3:1", "duplicate key", "may occur once"]],
    );
    check_problems(
        "# ü\r\n[log]\r\nlevel = \"ü\", x\r\n",
        &[],
        &[&["citation.toml:3:", "not valid TOML"]],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("citation.toml");
    fs::write(&path, b"[log]\nlevel = \"\xff\"\n").unwrap();
    let errors = config::check(&path).unwrap_err();
    assert!(
        errors[0]
            .to_string()
            .contains("citation.toml:2:1: not valid TOML"),
        "{}",
        errors[0]
    );
}

#[test]
fn columns_count_characters() {
    check_problems(
        "[quota]\nacademic_price = \"ü\"; free_daily = 1\n",
        &[],
        &[&["citation.toml:2:21"]],
    );
}

#[test]
fn shown_settings_read_back() {
    let text = "[quota]\nfree_daily = 61\n[data]\ndir = \"a \\\"b\\\" \\\\c\"\n";
    let loaded = load(text, &[("CITATION_LOG__FORMAT", "json")]).unwrap();
    let shown = loaded.to_toml();
    assert!(
        shown.contains("format = \"json\" # CITATION_LOG__FORMAT\n"),
        "{shown}"
    );
    assert_eq!(load(&shown, &[]).unwrap().config, loaded.config);

    let json = loaded.to_json();
    assert!(json["file"].as_str().unwrap().ends_with("citation.toml"));
    let value = &json["values"]["quota.free_daily"];
    assert_eq!(
        (&value["value"], &value["default"]),
        (&61.into(), &60.into())
    );
    assert_eq!(
        (&value["origin"]["kind"], &value["origin"]["line"]),
        (&"file".into(), &2.into())
    );
    assert_eq!(
        json["values"]["quota.anonymous_daily"]["origin"]["kind"],
        "default"
    );
}

/// `citation.toml` of the project.
#[test]
fn shipped_file_has_every_key_at_its_default() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("citation.toml");
    let text = fs::read_to_string(&path).unwrap();
    let set: Vec<String> = text.lines().map(uncommented).collect();
    let loaded = load(&set.join("\n"), &[]).unwrap();
    assert_eq!(loaded.config, unset());
    let known = loaded.to_json()["values"].as_object().unwrap().len();
    assert_eq!(loaded.origins.len(), known, "some key is not in the file");
    assert!(load(&text, &[]).unwrap().origins.is_empty());
}

/// A commented key without its `#`; prose has a space after it.
fn uncommented(line: &str) -> String {
    match line.strip_prefix('#') {
        Some(key) if !key.starts_with([' ', '#']) => key.to_owned(),
        _ => line.to_owned(),
    }
}
