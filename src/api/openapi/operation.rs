//! The OpenAPI description of one route. Handlers define it beside the types that they read and
//! write.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, SchemaType};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use super::schemas::{DocumentUpload, FileUpload};
use crate::api::error::Code;

/// The description of a route's body: whether it is required, and its schema by content type.
pub struct BodyDescription {
    pub is_required: bool,
    pub schemas: Map<String, Value>,
}

/// The description of one route.
pub struct Operation {
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    pub parameters: Vec<Value>,
    pub body: Option<BodyDescription>,
    pub replies: BTreeMap<u16, Value>,
    pub codes: Vec<Code>,
    pub schemas: Vec<(String, RefOr<Schema>)>,
}

impl Operation {
    /// `id` is unique in the document; `tag` groups routes in the documentation.
    pub fn new(id: &'static str, tag: &'static str, summary: &'static str) -> Operation {
        Operation {
            id,
            tag,
            summary,
            description: "",
            parameters: Vec::new(),
            body: None,
            replies: BTreeMap::new(),
            codes: Vec::new(),
            schemas: Vec::new(),
        }
    }

    pub fn describe(mut self, text: &'static str) -> Operation {
        self.description = text;
        self
    }

    /// A variable part of the path.
    pub fn path(self, name: &str, text: &str) -> Operation {
        self.parameter("path", name, json!({"type": "string"}), text)
    }

    /// A variable part of the path that is one of `values`.
    pub fn path_choice(
        self,
        name: &str,
        values: impl IntoIterator<Item = impl Into<Value>>,
        text: &str,
    ) -> Operation {
        self.parameter("path", name, choice(values), text)
    }

    /// An optional text in the query.
    pub fn query(self, name: &str, text: &str) -> Operation {
        self.parameter("query", name, json!({"type": "string"}), text)
    }

    /// An optional text in the query that is one of `values`.
    pub fn query_choice(
        self,
        name: &str,
        values: impl IntoIterator<Item = &'static str>,
        text: &str,
    ) -> Operation {
        self.parameter("query", name, choice(values), text)
    }

    /// An optional time in the query.
    pub fn query_time(self, name: &str, text: &str) -> Operation {
        let schema = json!({"type": "string", "format": "date-time"});
        self.parameter("query", name, schema, text)
    }

    /// An optional whole number in the query, of at least `least`.
    pub fn query_number(self, name: &str, least: u32, text: &str) -> Operation {
        let schema = json!({"type": "integer", "minimum": least});
        self.parameter("query", name, schema, text)
    }

    /// A switch in the query.
    pub fn query_switch(self, name: &str, text: &str) -> Operation {
        self.parameter("query", name, json!({"type": "boolean"}), text)
    }

    /// A required text in the query.
    pub fn required_query(mut self, name: &str, text: &str) -> Operation {
        self = self.query(name, text);
        if let Some(parameter) = self.parameters.last_mut() {
            parameter["required"] = true.into();
        }
        self
    }

    fn parameter(mut self, place: &str, name: &str, schema: Value, text: &str) -> Operation {
        self.parameters.push(json!({
            "name": name, "in": place, "required": place == "path", "description": text,
            "schema": schema,
        }));
        self
    }

    /// A JSON body of the given type.
    pub fn body<T: ToSchema>(mut self) -> Operation {
        let schema = self.reference::<T>();
        self.add_body("application/json", schema);
        self
    }

    /// A JSON body of the given type, or none.
    pub fn optional_body<T: ToSchema>(self) -> Operation {
        let mut operation = self.body::<T>();
        operation.body = operation.body.map(|body| BodyDescription {
            is_required: false,
            ..body
        });
        operation
    }

    /// A file with one of these content types, or detected by content, instead of another body.
    /// JSON types are not listed: a generated client would encode the file itself.
    pub fn body_files(mut self, content_types: &[&str]) -> Operation {
        let binary = json!({"type": "string", "format": "binary"});
        self.add_body("application/octet-stream", binary);
        self.body_texts(content_types)
    }

    /// A text with one of these content types, instead of another body.
    pub fn body_texts(mut self, content_types: &[&str]) -> Operation {
        let texts = content_types.iter().filter(|name| !name.ends_with("json"));
        for content_type in texts {
            self.add_body(content_type, json!({"type": "string", "minLength": 1}));
        }
        self
    }

    /// A form with the part `file`.
    pub fn body_form(mut self) -> Operation {
        let schema = self.reference::<FileUpload>();
        self.add_body("multipart/form-data", schema);
        self
    }

    /// A form with the part `file` and any number of parts `companion`, or the file itself.
    pub fn body_document(mut self) -> Operation {
        let schema = self.reference::<DocumentUpload>();
        self.add_body("multipart/form-data", schema);
        let file = json!({"type": "string", "format": "binary"});
        self.add_body("application/octet-stream", file);
        self
    }

    /// A body with a schema without a type.
    pub fn body_schema(mut self, content_type: &str, schema: Value) -> Operation {
        self.add_body(content_type, schema);
        self
    }

    fn add_body(&mut self, content_type: &str, schema: Value) {
        let body = self.body.get_or_insert_with(|| BodyDescription {
            is_required: true,
            schemas: Map::new(),
        });
        body.schemas
            .insert(content_type.to_owned(), json!({"schema": schema}));
    }

    /// A JSON reply of the given type.
    pub fn reply<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = self.reference::<T>();
        self.json_reply(status, text, schema)
    }

    /// A JSON reply that is a list of the given type.
    pub fn reply_list<T: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = json!({"type": "array", "items": self.reference::<T>()});
        self.json_reply(status, text, schema)
    }

    /// A JSON reply of one of two types.
    pub fn reply_either<T: ToSchema, U: ToSchema>(mut self, status: u16, text: &str) -> Operation {
        let schema = json!({"anyOf": [self.reference::<T>(), self.reference::<U>()]});
        self.json_reply(status, text, schema)
    }

    /// A JSON reply that is an object without a fixed type.
    pub fn reply_object(self, status: u16, text: &str) -> Operation {
        self.json_reply(
            status,
            text,
            json!({"type": "object", "additionalProperties": true}),
        )
    }

    /// A JSON reply with a schema without a type.
    pub fn reply_schema(self, status: u16, text: &str, schema: Value) -> Operation {
        self.json_reply(status, text, schema)
    }

    fn json_reply(mut self, status: u16, text: &str, schema: Value) -> Operation {
        let content = json!({"application/json": {"schema": schema}});
        self.replies
            .insert(status, json!({"description": text, "content": content}));
        self
    }

    /// A reply with other content types, in addition to earlier ones of the status. JSON types
    /// are combined in a range: with a JSON type among texts, generated clients would read every
    /// reply as JSON.
    pub fn reply_text(
        mut self,
        status: u16,
        text: &str,
        content_types: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Operation {
        let reply = self
            .replies
            .entry(status)
            .or_insert_with(|| json!({"content": {}}));
        let mut ranged: Vec<String> = Vec::new();
        for content_type in content_types {
            let essence = content_type.as_ref().split(';').next().unwrap_or_default();
            let (key, schema) = if essence.ends_with("json") {
                ranged.push(format!("`{essence}`"));
                ("application/*", json!({}))
            } else if essence.ends_with("yaml") || essence == "text/event-stream" {
                // The content is not text after decoding; before OpenAPI 3.2, readers take the schema of a
                // stream of events for that of one event or of all.
                (essence, json!({}))
            } else {
                (essence, json!({"type": "string"}))
            };
            if reply["content"].get(key).is_none() {
                reply["content"][key] = json!({"schema": schema});
            }
        }
        reply["description"] = if ranged.is_empty() {
            text.into()
        } else {
            format!("{text} `application/*` means {}.", ranged.join(", ")).into()
        };
        self
    }

    /// A reply without a body.
    pub fn reply_empty(mut self, status: u16, text: &str) -> Operation {
        self.replies.insert(status, json!({"description": text}));
        self
    }

    /// The reply has an `ETag`, and a request that has it in `If-None-Match` gets 304.
    pub fn conditional(self) -> Operation {
        self.reply_empty(304, "Not changed since the `ETag` in `If-None-Match`.")
    }

    /// The errors beyond those of every route.
    pub fn codes(mut self, codes: &[Code]) -> Operation {
        self.codes.extend_from_slice(codes);
        self
    }

    /// A schema that others reference by name.
    pub fn schema<T: ToSchema>(mut self) -> Operation {
        self.reference::<T>();
        self
    }

    fn reference<T: ToSchema>(&mut self) -> Value {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        json!({"$ref": format!("#/components/schemas/{}", T::name())})
    }
}

fn choice(values: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    let values: Vec<Value> = values.into_iter().map(Into::into).collect();
    json!({"type": "string", "enum": values})
}

/// The schema of a member that is one of `names`, or null.
pub fn one_of(names: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(names.into_iter().map(Some).chain([None])))
        .build()
}
