//! Blocks of well-formed and broken texts.

use super::*;

fn show(block: &Block<'_>) -> String {
    let faults: Vec<&str> = block.faults.iter().map(|f| f.kind.code()).collect();
    let body = match &block.kind {
        BlockKind::Entry(entry) => {
            format!(
                "{}:{} {}",
                entry.kind,
                entry.key,
                show_fields(&entry.fields)
            )
        }
        BlockKind::Strings(fields) => format!("string {}", show_fields(fields)),
        BlockKind::Preamble => "preamble".into(),
        BlockKind::Comment => "comment".into(),
        BlockKind::Bodiless { name } => format!("bodiless {name}"),
    };
    format!("{body} {}", faults.join(" ")).trim().to_owned()
}

fn show_fields(fields: &[Field<'_>]) -> String {
    let one = |field: &Field<'_>| {
        let pieces: Vec<String> = field
            .value
            .iter()
            .map(|piece| match piece {
                Piece::Braced(text) => format!("{{{text}}}"),
                Piece::Quoted(text) => format!("\"{text}\""),
                Piece::Bare(text) => (*text).to_owned(),
            })
            .collect();
        format!("[{}={}]", field.name, pieces.join("#"))
    };
    fields.iter().map(one).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let shown: Vec<String> = blocks(text).map(|block| show(&block)).collect();
    assert_eq!(shown, expected);
}

#[test]
fn well_formed_entries() {
    check(
        "@book{a, title = {T {x} y}, year = 2000 }",
        &["book:a [title={T {x} y}][year=2000]"],
    );
    check(
        "@Article(b,\n author=\"A \"#b # {c},)",
        &["Article:b [author=\"A \"#b#{c}]"],
    );
    check(
        "@string{x = \"y\"} @preamble{\"z\"}",
        &["string [x=\"y\"]", "preamble"],
    );
    check("@misc{only} @misc{key,}", &["misc:only", "misc:key"]);
    check("write to me@example.org, or me @ home", &[]);
}

#[test]
fn comments() {
    check(
        "% @book{a, title={x}}\n@book{b, % why\n year=1 % end\n}",
        &["book:b [year=1]"],
    );
    check(
        "@comment{ @book{a, title={x}} } @book{b}",
        &["comment", "book:b"],
    );
    check("@comment{ never closed {\n@book{b}", &["comment", "book:b"]);
    check("@book{a, title={50% x}}", &["book:a [title={50% x}]"]);
}

#[test]
fn quotes_inside_quotes() {
    check(
        "@a{k, t = \"The \"best\" M\\\"uller\", y = 1}",
        &["a:k [t=\"The \"best\" M\\\"uller\"][y=1]"],
    );
}

#[test]
fn broken_entries_end_where_the_next_begins() {
    check(
        "@a{x, title = {never closed,\n year = 1\n}\n@b{y, n = {2}}",
        &[
            "a:x [title={never closed}][year=1] unbalanced_braces",
            "b:y [n={2}]",
        ],
    );
    check(
        "@a{x, title = \"never closed,\n year = \"1\"\n}",
        &["a:x [title=\"never closed\"][year=\"1\"] unbalanced_braces"],
    );
    check(
        "@a{x, title = \"never closed,\n year = 1\n}\n@b{y}",
        &[
            "a:x [title=\"never closed\"][year=1] unbalanced_braces",
            "b:y",
        ],
    );
    check(
        "@a{x, n = 1\n\n@b{y}",
        &["a:x [n=1] unterminated_entry", "b:y"],
    );
    check(
        "@a{x, t = {cut",
        &["a:x [t={cut}] unterminated_entry unbalanced_braces"],
    );
    check("@article\n@b{y}", &["bodiless article missing_body", "b:y"]);
}

#[test]
fn an_escaped_brace_does_not_close_an_entry_whose_fields_go_on() {
    check(
        "@a{x,\n t = {{A\\} B}},\n n = {1},\n}\n@b{y}",
        &["a:x [t={{A\\} B}}][n={1}]", "b:y"],
    );
    // Text between entries is no field.
    check("@a{x, t = {A\\}}, see\n@b{y}", &["a:x [t={A\\}]", "b:y"]);
}

#[test]
fn heads_that_name_no_type_are_entries_all_the_same() {
    for (head, kind) in [
        ("@{", ""),
        ("@ {", ""),
        ("@123{", "123"),
        ("@bo ok{", "bo ok"),
        ("@book ok {", "book ok"),
        ("@b\u{f6}ok{", "b\u{f6}ok"),
    ] {
        let lost = format!("{kind}:d [t={{x}}] invalid_type");
        let before = format!("{head}d,t={{x}}}}\n@b{{ok}}");
        check(&before, &[&lost, "b:ok"]);
        // Also after an unclosed entry.
        let behind = format!("@b{{ok, n=1\n {head}d,t={{x}}}}");
        check(&behind, &["b:ok [n=1] unterminated_entry", &lost]);
    }
    check("@book\u{a0}{a, t={x}}", &["book:a [t={x}]"]);
    // In running text they mean nothing.
    check("see @{x} or me@123{y}\n@me.org, me (x)\n@ home\n", &[]);
    check("@a{k, t={x\n@{y}\n}}", &["a:k [t={x\n@{y}\n}]"]);
}

#[test]
fn a_value_may_hold_what_looks_like_an_entry() {
    check(
        "@a{x, abstract = {see\n@article{z, n=1}\n}, n = 2}",
        &["a:x [abstract={see\n@article{z, n=1}\n}][n=2]"],
    );
}

#[test]
fn missing_pieces_are_named() {
    check("@a{ t = 1}", &["a: [t=1] missing_key"]);
    check("@a{k\n t = 1}", &["a:k [t=1] missing_comma"]);
    check(
        "@a{k, t = {x}\n n = 1}",
        &["a:k [t={x}][n=1] missing_comma"],
    );
    check("@a{k, t, n = 1}", &["a:k [n=1] missing_value"]);
    check(
        "@a{k, t = {x} junk, n = 1}",
        &["a:k [t={x}][n=1] unexpected_text"],
    );
    check("@a{k, t = {a \\{ b}, n = 1}", &["a:k [t={a \\{ b}][n=1]"]);
}

#[test]
fn deep_nesting_and_long_junk_are_harmless() {
    let deep = format!(
        "@a{{k, t = {}x{}}}",
        "{".repeat(200_000),
        "}".repeat(200_000)
    );
    assert_eq!(blocks(&deep).count(), 1);
    let starts = "@a{".repeat(50_000);
    assert!(blocks(&starts).count() > 0);
    let lines = "@a{k, t = {\n".repeat(50_000);
    assert_eq!(blocks(&lines).count(), 50_000);
}
