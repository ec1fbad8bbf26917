//! `/help`, `/offline`, `/status`, `/plans` and `/tools`.

use super::frame::{show, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route;
use crate::api::error::ApiError;
use crate::api::routes::operator::{OperatorCount, OperatorView};
use crate::api::routes::{health, operator};
use crate::ui::help::{HelpPage, OfflinePage};
use crate::ui::page::Frame;
use crate::ui::plans::{PlanView, PlansPage};
use crate::ui::status::{
    CountView, NewAccountView, OperatorSection, PlanLimitsView, ProviderView, RequestCounts,
    StatusPage,
};
use crate::ui::tools::ToolsPage;
use citation_model::plan::Plan;

/// `GET /help`.
pub fn help(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let frame = Frame {
        title: words.get("help.title"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, HelpPage { words }))
}

/// `GET /offline`: shown by the service worker instead of an unreachable page.
pub fn offline(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let frame = Frame {
        title: words.get("offline.title"),
        ..Frame::default()
    };
    Ok(show(context, &frame, OfflinePage { words }))
}

/// `GET /plans`.
pub fn plans(context: &RequestContext) -> Result<Reply, ApiError> {
    if !context.app.config.quota.sells_plans {
        return Err(route::no_such_route(context.uri.path()));
    }
    let shown = Plan::ALL.into_iter().map(|plan| {
        let rules = context.app.quota.plans().rules(plan);
        PlanView {
            name: plan.as_str(),
            lookups: rules.daily_lookups,
            collections: rules.collections,
            entries: rules.entries_per_collection,
            has_batches: plan.is_paid(),
            calls: rules.monthly_calls,
            price: rules.price.clone(),
            is_own: plan == context.caller.plan,
        }
    });
    let words = words(context);
    let frame = Frame {
        title: words.get("plans.title"),
        is_listed: true,
        ..Frame::default()
    };
    let plans = shown.collect();
    Ok(show(context, &frame, PlansPage { words, plans }))
}

/// `GET /tools`.
pub fn tools(context: &RequestContext) -> Result<Reply, ApiError> {
    let words = words(context);
    let config = &context.app.config;
    let frame = Frame {
        title: words.get("tools.title"),
        is_listed: true,
        ..Frame::default()
    };
    let main = ToolsPage {
        words,
        base: context.edge.site.base_url.as_str(),
        is_embeddable: !config.server.embed_origins.is_empty(),
        has_mcp: config.compat.mcp,
    };
    Ok(show(context, &frame, main))
}

/// `GET /status`.
pub fn status(context: &RequestContext) -> Result<Reply, ApiError> {
    let health = health::health_of(context);
    let facts = match gate::admit_operation(context, Action::Operator) {
        Ok(()) => Some(operator::view_of(context)?),
        Err(_) => None,
    };
    let counts_of = |name: &str| {
        let mut counts = facts.iter().flat_map(|facts| &facts.providers);
        let counts = counts.find(|counts| counts.name == name)?;
        Some(RequestCounts {
            requests: counts.requests,
            failures: counts.failures,
        })
    };
    let providers = health.providers.into_iter().map(|provider| ProviderView {
        name: provider.name,
        circuit: provider.circuit,
        counts: counts_of(provider.name),
    });
    let details = facts.iter().flat_map(|facts| facts.problems.clone());
    let words = words(context);
    let status = StatusPage {
        words,
        status: health.status,
        problems: health.problems.into_iter().chain(details).collect(),
        version: format!("{} ({})", health.version, health.commit),
        works: health.managed_counts.corpus_records,
        documents: health.search.documents,
        is_search_ready: health.search.ready,
        ingest: health.ingest.status,
        last_ingest: health.ingest.last_success_at,
        uptime_seconds: health.uptime_seconds,
        providers: providers.collect(),
        operator: facts.map(|facts| operator(context, facts)),
    };
    let frame = Frame {
        title: words.get("status.title"),
        is_listed: true,
        ..Frame::default()
    };
    Ok(show(context, &frame, status))
}

/// The operator's additional details.
fn operator(context: &RequestContext, facts: OperatorView) -> OperatorSection {
    let plans = facts.accounts.plans.into_iter();
    let newest = facts
        .accounts
        .newest
        .into_iter()
        .map(|account| NewAccountView {
            name: account.email.or(account.name).unwrap_or(account.id),
            plan: account.plan,
            created_at: account.created_at,
            is_disabled: account.disabled,
        });
    let backups = facts.backups.into_iter();
    OperatorSection {
        accounts: facts.accounts.total,
        disabled: facts.accounts.disabled,
        plans: plans.map(|plan| (plan.plan, plan.accounts)).collect(),
        newest: newest.collect(),
        month: facts.month.month,
        calls: facts.month.calls,
        overage: facts.month.overage,
        database_bytes: facts.disk.database_bytes,
        index_bytes: facts.disk.index_bytes,
        total_bytes: facts.disk.total_bytes,
        not_indexed: facts.not_indexed,
        counts: facts.counts.into_iter().map(count).collect(),
        backups: backups
            .map(|backup| (backup.name, backup.bytes, backup.made_at))
            .collect(),
        limits: plan_limits(context),
    }
}

/// The limits of each plan.
pub fn plan_limits(context: &RequestContext) -> Vec<PlanLimitsView> {
    let limits = Plan::ALL.into_iter().map(|plan| {
        let rules = context.app.quota.plans().rules(plan);
        PlanLimitsView {
            plan: plan.as_str(),
            daily_lookups: rules.daily_lookups,
            monthly_calls: rules.monthly_calls,
            collections: rules.collections,
            entries: rules.entries_per_collection,
            burst: rules.burst_per_minute.into(),
        }
    });
    limits.collect()
}

fn count(count: OperatorCount) -> CountView {
    CountView {
        of: count.of,
        label: count.label,
        count: count.count,
        mean_ms: count.mean_ms,
        hits: count.hits,
    }
}
