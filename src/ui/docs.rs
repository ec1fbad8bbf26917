//! The reference of the interface: the OpenAPI document written out. It is English, whatever language the
//! pages around it have.

use serde_json::{Map, Value};

use super::html::{Html, Template};

/// A code of failure as the reference lists it.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    pub code: &'static str,
    pub status: u16,
    pub meaning: &'static str,
}

const DOCS: Template = Template(
    r##"<div class="docs" lang="en" dir="ltr"><nav class="contents" aria-label="Operations"><ul>{contents}<li class="group"><a href="#errors">Errors</a></li><li class="group"><a href="#schemas">Schemas</a></li></ul></nav>
<div><h1>API reference</h1>
<p class="lede">{description}</p>
<p>Version {version}. For programs: <a href="/api/openapi.json">openapi.json</a>, <a href="/api/openapi.yaml">openapi.yaml</a>.</p>
<section><h2>Credentials</h2><p>Send an API key as <code>Authorization: Bearer ck_…</code> or <code>X-API-Key: ck_…</code>; browsers use the session cookie. Lookups, formatting and styles also work without any. A key that is wrong, expired or revoked is refused with 401 and never treated as anonymous.</p></section>
{operations}
<section id="errors"><h2>Errors</h2><p>Every failure has the body <code>{"error", "message", …}</code>.</p>{errors}</section>
<section id="schemas"><h2>Schemas</h2>{schemas}</section></div></div>"##,
);

const GROUP: Template = Template(r#"<li class="group">{name}</li>"#);

const CONTENT: Template = Template(
    r##"<li><a href="#{id}"><span class="method">{method}</span> <code>{path}</code></a></li>"##,
);

const OPERATION: Template = Template(
    r#"<section id="{id}"><h2><span class="method">{method}</span> <code>{path}</code></h2><p><b>{summary}</b></p>{description}{parameters}{bodies}{replies}</section>
"#,
);

const PARAGRAPH: Template = Template("<p>{text}</p>");

const BODY: Template = Template("<p>Body: {body}</p>");

const CODE: Template = Template("<code>{text}</code>");

const NAMED_CODE: Template = Template(r#"<code id="error-{text}">{text}</code>"#);

const TABLE: Template = Template(
    r#"<div class="wide"><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"#,
);

const HEAD: Template = Template(r#"<th scope="col">{text}</th>"#);

const ROW: Template = Template("<tr>{cells}</tr>");

const CELL: Template = Template("<td>{text}</td>");

const SCHEMA: Template = Template(r#"<h3 id="schema-{name}">{name}</h3>{description}{members}"#);

const LINK: Template = Template(r##"<a href="#schema-{name}">{name}</a>"##);

/// The main part of the page.
pub fn docs(document: &Value, failures: &[Failure]) -> Html {
    let operations = operations(document);
    let sections = operations.iter().map(|operation| section(operation));
    let errors = failures.iter().map(|failure| {
        vec![
            NAMED_CODE.fill(&[("text", failure.code.into())]),
            Html::text(&failure.status.to_string()),
            code_marks(failure.meaning),
        ]
    });
    let schemas = members(&document["components"]["schemas"]);
    let schemas = schemas.map(|(name, value)| schema(name, value));
    DOCS.fill(&[
        ("contents", contents(&operations).into()),
        (
            "description",
            code_marks(text(&document["info"]["description"])).into(),
        ),
        ("version", text(&document["info"]["version"]).into()),
        ("operations", Html::join(sections).into()),
        (
            "errors",
            table("Codes", &["error", "status", "meaning"], errors).into(),
        ),
        ("schemas", Html::join(schemas).into()),
    ])
}

struct Described<'d> {
    method: String,
    path: &'d str,
    value: &'d Value,
}

impl Described<'_> {
    fn tag(&self) -> &str {
        text(&self.value["tags"][0])
    }
}

/// All operations, those of one tag together, in the order in which the tags first appear.
fn operations(document: &Value) -> Vec<Described<'_>> {
    let paths = members(&document["paths"]);
    let mut all: Vec<Described<'_>> = paths
        .flat_map(|(path, item)| {
            members(item).map(move |(method, value)| Described {
                method: method.to_uppercase(),
                path,
                value,
            })
        })
        .collect();
    let mut tags: Vec<String> = Vec::new();
    for operation in &all {
        if !tags.iter().any(|tag| tag == operation.tag()) {
            tags.push(operation.tag().to_owned());
        }
    }
    all.sort_by_key(|operation| tags.iter().position(|tag| tag == operation.tag()));
    all
}

fn contents(operations: &[Described<'_>]) -> Html {
    Html::join(operations.chunk_by(|a, b| a.tag() == b.tag()).map(|group| {
        let name = group.first().map_or("", Described::tag);
        let lines = group.iter().map(|operation| {
            CONTENT.fill(&[
                ("id", text(&operation.value["operationId"]).into()),
                ("method", operation.method.as_str().into()),
                ("path", operation.path.into()),
            ])
        });
        let name = GROUP.fill(&[("name", name.into())]);
        Html::join(std::iter::once(name).chain(lines))
    }))
}

fn section(operation: &Described<'_>) -> Html {
    let value = operation.value;
    let parameters = value["parameters"].as_array().into_iter().flatten();
    let parameters = parameters.map(|parameter| {
        vec![
            code(text(&parameter["name"])),
            Html::text(text(&parameter["in"])),
            Html::text(text(&parameter["schema"]["type"])),
            code_marks(text(&parameter["description"])),
        ]
    });
    let bodies = members(&value["requestBody"]["content"]);
    let bodies = bodies.map(|body| BODY.fill(&[("body", typed(body).into())]));
    let replies = members(&value["responses"]).map(|(status, reply)| {
        vec![
            Html::text(status),
            code_marks(text(&reply["description"])),
            Html::join(members(&reply["content"]).map(typed)),
        ]
    });
    OPERATION.fill(&[
        ("id", text(&value["operationId"]).into()),
        ("method", operation.method.as_str().into()),
        ("path", operation.path.into()),
        ("summary", code_marks(text(&value["summary"])).into()),
        ("description", described(value).into()),
        (
            "parameters",
            table("Parameters", &["name", "in", "type", "meaning"], parameters).into(),
        ),
        ("bodies", Html::join(bodies).into()),
        (
            "replies",
            table("Replies", &["status", "meaning", "body"], replies).into(),
        ),
    ])
}

fn schema(name: &str, schema: &Value) -> Html {
    let required: Vec<&str> = { schema["required"].as_array().into_iter().flatten() }
        .filter_map(Value::as_str)
        .collect();
    let rows = members(&schema["properties"]).map(|(member, property)| {
        let mark = match required.contains(&member) {
            true => " (required)",
            false => "",
        };
        vec![
            Html::join([code(member), Html::text(mark)]),
            kind(property),
            code_marks(text(&property["description"])),
        ]
    });
    let own = match schema["properties"].is_object() {
        true => table(name, &["member", "type", "meaning"], rows),
        false => PARAGRAPH.fill(&[("text", kind(schema).into())]),
    };
    SCHEMA.fill(&[
        ("name", name.into()),
        ("description", described(schema).into()),
        ("members", own.into()),
    ])
}

/// A table; nothing where it has no row.
fn table(caption: &str, heads: &[&str], rows: impl Iterator<Item = Vec<Html>>) -> Html {
    let rows = rows.map(|cells| {
        let cells = cells
            .into_iter()
            .map(|cell| CELL.fill(&[("text", cell.into())]));
        ROW.fill(&[("cells", Html::join(cells).into())])
    });
    let rows = Html::join(rows);
    if rows.as_str().is_empty() {
        return rows;
    }
    let heads = heads
        .iter()
        .map(|text| HEAD.fill(&[("text", (*text).into())]));
    TABLE.fill(&[
        ("caption", caption.into()),
        ("heads", Html::join(heads).into()),
        ("rows", rows.into()),
    ])
}

fn described(value: &Value) -> Html {
    match text(&value["description"]) {
        "" => Html::empty(),
        text => PARAGRAPH.fill(&[("text", code_marks(text).into())]),
    }
}

/// A media type and its schema.
fn typed((content_type, body): (&str, &Value)) -> Html {
    Html::join([
        code(content_type),
        Html::text(" "),
        kind(&body["schema"]),
        Html::text(" "),
    ])
}

/// What a schema is, with a link where it has a name.
fn kind(schema: &Value) -> Html {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return LINK.fill(&[("name", name.into())]);
    }
    let either = |kinds: Vec<Html>| {
        let or = |(at, kind)| Html::join([Html::text(if at == 0 { "" } else { " or " }), kind]);
        Html::join(kinds.into_iter().enumerate().map(or))
    };
    for member in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[member].as_array() {
            return either(choices.iter().map(kind).collect());
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => {
            Html::join([Html::text("list of "), kind(&schema["items"])])
        }
        Value::String(name) => Html::text(name),
        Value::Array(names) => either(names.iter().map(|name| Html::text(text(name))).collect()),
        _ => Html::text("anything"),
    }
}

fn code(text: &str) -> Html {
    CODE.fill(&[("text", text.into())])
}

/// Text whose back quotes are code.
fn code_marks(text: &str) -> Html {
    let parts = text.split('`').enumerate();
    Html::join(parts.map(|(index, part)| match index % 2 {
        1 => code(part),
        _ => Html::text(part),
    }))
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members: Option<&Map<String, Value>> = value.as_object();
    let members = members.into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
