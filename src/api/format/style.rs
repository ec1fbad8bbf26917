//! The style and locale of a request.

use crate::api::context::RequestContext;
use crate::api::error::{ApiError, Code};
use crate::styles::own::own_name;
use crate::styles::{Ready, StyleProblem};

/// The style and locale of a request.
#[derive(Clone, Debug, Default)]
pub struct StyleChoice {
    pub style: Option<String>,
    pub locale: Option<String>,
    /// The XML of a style to use instead of a named one.
    pub style_xml: Option<String>,
    /// Whether the annotation of each work (`annote`) follows it as a separate paragraph.
    pub annotated: bool,
}

impl StyleChoice {
    /// A named or own style, and a locale.
    pub fn named(style: Option<String>, locale: Option<String>) -> StyleChoice {
        StyleChoice {
            style,
            locale,
            ..StyleChoice::default()
        }
    }
}

/// Rejects an unknown style and an invalid locale.
pub fn check_choice(context: &RequestContext, choice: &StyleChoice) -> Result<(), ApiError> {
    choose(context, choice).map(|_| ())
}

/// The style and locale of a request, or the configured ones.
pub fn choose(context: &RequestContext, choice: &StyleChoice) -> Result<Ready, ApiError> {
    let settings = &context.app.config.format;
    let locale = choice.locale.as_deref();
    let ready = match &choice.style_xml {
        Some(xml) if xml.len() as u64 > settings.max_style_bytes => {
            return Err(
                ApiError::too_many_bytes(settings.max_style_bytes).with("field", "/style_xml")
            );
        }
        Some(xml) => {
            let ready = context.app.styles.ready_inline("style_xml", xml, locale);
            return ready.map_err(|problem| match problem {
                StyleProblem::ParentMissing { .. } => {
                    ApiError::invalid_field("/style_xml", problem.to_string())
                }
                other => style_error(other),
            });
        }
        None => {
            let style = choice
                .style
                .as_deref()
                .map(str::trim)
                .filter(|style| !style.is_empty());
            named(context, style.unwrap_or(&settings.style), locale)
        }
    };
    ready.map_err(style_error)
}

/// A style by name: a public one, or the caller's own.
fn named(
    context: &RequestContext,
    name: &str,
    locale: Option<&str>,
) -> Result<Ready, StyleProblem> {
    match (own_name(name), context.caller.account()) {
        (Some(own), Some(account)) => context.app.styles.ready_own(account.id, own, locale),
        _ => context.app.styles.ready(name, locale),
    }
}

/// Rejects an unknown style name, at a position in a body.
pub fn check_style(context: &RequestContext, field: &str, name: &str) -> Result<(), ApiError> {
    let found = match (own_name(name), context.caller.account()) {
        (Some(own), Some(account)) => {
            let found = context.app.styles.own_entry(account.id, own);
            found.map(|_| ())
        }
        _ => context.app.styles.check(name),
    };
    found.map_err(|problem| style_error(problem).with("field", field))
}

pub fn style_error(problem: StyleProblem) -> ApiError {
    match problem {
        StyleProblem::Unknown { name, nearest } => ApiError::new(
            Code::UnknownStyle,
            format!("The style “{name}” does not exist; /api/v1/styles/search finds styles."),
        )
        .with("style", name)
        .with("field", "/style")
        .with("suggestions", nearest),
        StyleProblem::ParentMissing { ref name, .. } => {
            let message = problem.to_string();
            ApiError::new(Code::UnknownStyle, message)
                .with("style", name.as_str())
                .with("suggestions", Vec::<String>::new())
        }
        StyleProblem::Broken { .. } => ApiError::invalid_field("/style_xml", problem.to_string()),
        StyleProblem::BadLocale { .. } => ApiError::invalid_field("/locale", problem.to_string()),
        StyleProblem::Store(cause) => ApiError::internal(cause),
    }
}
