//! Calls a route from within a request: admitted, bounded and charged by the same
//! rules, without a connection.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;

use crate::api::edge::body;
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;

/// A request to a route.
pub struct RouteCall {
    method: Method,
    /// The path as in the table.
    pattern: &'static str,
    path: Vec<(&'static str, String)>,
    query: Vec<(String, String)>,
    content_type: &'static str,
    body: Bytes,
}

impl RouteCall {
    pub fn get(pattern: &'static str) -> RouteCall {
        RouteCall {
            method: Method::GET,
            pattern,
            path: Vec::new(),
            query: Vec::new(),
            content_type: "application/json",
            body: Bytes::new(),
        }
    }

    pub fn post(pattern: &'static str, body: &Value) -> RouteCall {
        RouteCall {
            method: Method::POST,
            body: body.to_string().into(),
            ..RouteCall::get(pattern)
        }
    }

    /// A file, whose name decides the format if its content does not.
    pub fn post_file(pattern: &'static str, name: Option<&str>, content: Vec<u8>) -> RouteCall {
        let call = RouteCall {
            method: Method::POST,
            content_type: "application/octet-stream",
            body: content.into(),
            ..RouteCall::get(pattern)
        };
        match name {
            Some(name) => call.query("filename", name),
            None => call,
        }
    }

    /// A variable part of the path.
    pub fn path(mut self, name: &'static str, value: &str) -> RouteCall {
        self.path.push((name, value.to_owned()));
        self
    }

    pub fn query(mut self, name: &str, value: &str) -> RouteCall {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn switch(self, name: &str, is_on: bool) -> RouteCall {
        if is_on {
            self.query(name, "true")
        } else {
            self
        }
    }

    pub fn send(self, context: &RequestContext) -> Result<Reply, ApiError> {
        let mut table = context.edge.routes.iter().enumerate();
        let found = table.find(|(_, r)| r.method == self.method && r.path == self.pattern);
        let (row, route) = found.ok_or_else(|| ApiError::internal(self.pattern))?;
        let content_type = HeaderValue::from_static(self.content_type);
        let asked = RequestContext {
            edge: Arc::clone(&context.edge),
            app: Arc::clone(&context.app),
            row: Some(row),
            caller: context.caller.clone(),
            method: self.method,
            uri: context.uri.clone(),
            headers: Arc::new(HeaderMap::from_iter([(
                http::header::CONTENT_TYPE,
                content_type,
            )])),
            query: Query::of(self.query),
            path: self.path,
            body: self.body,
            client: context.client,
            request_id: context.request_id.clone(),
            idempotent: None,
            job: context.job.clone(),
            budget: context.budget.clone(),
        };
        gate::admit_operation(&asked, route.action)?;
        body::check_length(&asked, route.body, &asked.body)?;
        asked.check_address()?;
        (route.handler)(&asked)
    }

    /// The JSON of the route's answer.
    pub fn json(self, context: &RequestContext) -> Result<Value, ApiError> {
        let reply = self.send(context)?;
        serde_json::from_slice(&reply.body_bytes()).map_err(ApiError::internal)
    }
}
