//! The documentation page: the OpenAPI document written out as plain HTML. Needs no script and
//! fetches nothing from elsewhere.

use std::fmt::Write;

use serde_json::Value;

use super::error::Code;

/// The style sheet of the page.
pub const STYLE: &str = include_str!("docs.css");

/// Writes the whole page.
pub fn page(document: &Value) -> String {
    let mut html = String::with_capacity(64 * 1024);
    html.push_str(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Citation: the interface</title>\
         <link rel=\"stylesheet\" href=\"/api/docs/style.css\"></head><body>",
    );
    let operations = operations(document);
    navigation(&mut html, &operations);
    html.push_str("<main><h1>The interface of Citation</h1>");
    let _ = write!(
        html,
        "<p>{}</p><p>Version {}. The same as a machine reads it: \
         <a href=\"/api/openapi.json\">openapi.json</a>, <a href=\"/api/openapi.yaml\">openapi.yaml</a>.</p>",
        text(&document["info"]["description"]),
        text(&document["info"]["version"]),
    );
    credentials(&mut html);
    for operation in &operations {
        write_operation(&mut html, operation);
    }
    errors(&mut html);
    schemas(&mut html, document);
    html.push_str("</main></body></html>\n");
    html
}

struct Described<'d> {
    method: String,
    path: &'d str,
    value: &'d Value,
}

impl Described<'_> {
    fn id(&self) -> String {
        text(&self.value["operationId"])
    }

    fn tag(&self) -> String {
        text(&self.value["tags"][0])
    }
}

/// All operations, those of one tag together, in the order in which the tags first appear.
fn operations(document: &Value) -> Vec<Described<'_>> {
    let mut all: Vec<Described<'_>> = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, value) in item.as_object().into_iter().flatten() {
            all.push(Described {
                method: method.to_uppercase(),
                path,
                value,
            });
        }
    }
    let mut tags: Vec<String> = Vec::new();
    for operation in &all {
        let tag = operation.tag();
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    all.sort_by_key(|operation| {
        let tag = operation.tag();
        tags.iter().position(|known| *known == tag)
    });
    all
}

fn navigation(html: &mut String, operations: &[Described<'_>]) {
    html.push_str("<nav aria-label=\"Operations\"><ul>");
    let mut tag = String::new();
    for operation in operations {
        if operation.tag() != tag {
            tag = operation.tag();
            let _ = write!(html, "<li class=\"tag\">{tag}</li>");
        }
        let _ = write!(
            html,
            "<li><a href=\"#{}\">{} <code>{}</code></a></li>",
            operation.id(),
            operation.method,
            escape(operation.path)
        );
    }
    html.push_str("<li class=\"tag\"><a href=\"#errors\">Errors</a></li><li class=\"tag\"><a href=\"#schemas\">Schemas</a></li></ul></nav>");
}

fn credentials(html: &mut String) {
    html.push_str(
        "<section><h2>Credentials</h2><p>Send an API key as <code>Authorization: Bearer ck_…</code> \
         or <code>X-API-Key: ck_…</code>; browsers use the session cookie. Lookups, formatting and \
         styles also work without any. A key that is wrong, expired or revoked is refused with 401 \
         and never treated as anonymous.</p></section>",
    );
}

fn write_operation(html: &mut String, operation: &Described<'_>) {
    let value = operation.value;
    let _ = write!(
        html,
        "<section id=\"{}\"><h2><span class=\"method {}\">{}</span> <code>{}</code></h2><p><strong>{}</strong></p>",
        operation.id(),
        operation.method.to_lowercase(),
        operation.method,
        escape(operation.path),
        text(&value["summary"]),
    );
    if let Some(description) = value["description"].as_str() {
        let _ = write!(html, "<p>{}</p>", escape(description));
    }
    let parameters = value["parameters"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if !parameters.is_empty() {
        html.push_str(
            "<table><caption>Parameters</caption><tr><th>name<th>in<th>type<th>meaning</tr>",
        );
        for parameter in parameters {
            let _ = write!(
                html,
                "<tr><td><code>{}</code><td>{}<td>{}<td>{}</tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                text(&parameter["schema"]["type"]),
                text(&parameter["description"]),
            );
        }
        html.push_str("</table>");
    }
    if let Some(content) = value["requestBody"]["content"].as_object() {
        for (content_type, body) in content {
            let _ = write!(
                html,
                "<p>Body: <code>{content_type}</code> {}</p>",
                schema_link(&body["schema"])
            );
        }
    }
    html.push_str("<table><caption>Replies</caption><tr><th>status<th>meaning<th>body</tr>");
    for (status, reply) in value["responses"].as_object().into_iter().flatten() {
        let mut bodies = Vec::new();
        for (content_type, body) in reply["content"].as_object().into_iter().flatten() {
            bodies.push(format!(
                "<code>{content_type}</code> {}",
                schema_link(&body["schema"])
            ));
        }
        let _ = write!(
            html,
            "<tr><td>{status}<td>{}<td>{}</tr>",
            code_marks(&text(&reply["description"])),
            bodies.join("<br>"),
        );
    }
    html.push_str("</table></section>");
}

fn errors(html: &mut String) {
    html.push_str("<section id=\"errors\"><h2>Errors</h2><p>Every failure has the body <code>{\"error\", \"message\", …}</code>.</p><table><tr><th>error<th>status<th>meaning</tr>");
    for code in Code::ALL {
        let _ = write!(
            html,
            "<tr id=\"error-{0}\"><td><code>{0}</code><td>{1}<td>{2}</tr>",
            code.as_str(),
            code.status().as_u16(),
            escape(code.meaning()),
        );
    }
    html.push_str("</table></section>");
}

fn schemas(html: &mut String, document: &Value) {
    html.push_str("<section id=\"schemas\"><h2>Schemas</h2>");
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let _ = write!(html, "<h3 id=\"schema-{name}\">{name}</h3>");
        if let Some(description) = schema["description"].as_str() {
            let _ = write!(html, "<p>{}</p>", escape(description));
        }
        let Some(properties) = schema["properties"].as_object() else {
            let _ = write!(html, "<p>{}</p>", schema_link(schema));
            continue;
        };
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        html.push_str("<table><tr><th>member<th>type<th>meaning</tr>");
        for (member, property) in properties {
            let mark = if required.contains(&member.as_str()) {
                " (required)"
            } else {
                ""
            };
            let _ = write!(
                html,
                "<tr><td><code>{member}</code>{mark}<td>{}<td>{}</tr>",
                schema_link(property),
                text(&property["description"]),
            );
        }
        html.push_str("</table>");
    }
    html.push_str("</section>");
}

/// What a schema is, with a link where it has a name.
fn schema_link(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    for member in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[member].as_array() {
            let choices: Vec<String> = choices.iter().map(schema_link).collect();
            return choices.join(" or ");
        }
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => {
            format!("list of {}", schema_link(&schema["items"]))
        }
        Value::String(kind) => escape(kind),
        Value::Array(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(text).collect();
            kinds.join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

/// Turns back quotes into code.
fn code_marks(escaped: &str) -> String {
    let mut html = String::with_capacity(escaped.len());
    for (index, part) in escaped.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(html, "<code>{part}</code>");
        } else {
            html.push_str(part);
        }
    }
    html
}

fn text(value: &Value) -> String {
    escape(value.as_str().unwrap_or_default())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
