//! The endpoints of the App and its installations.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use super::data::{Data, Token};
use super::{AccountKind, Shared};
use crate::Millis;
use crate::payloads;
use crate::server::{Canned, canned, message};
use crate::simulator::rng::Rng;

/// Returns a time as GitHub writes it.
pub(super) fn time(millis: Millis) -> String {
    let time = DateTime::from_timestamp_millis(i64::try_from(millis).expect("a time")).expect("a time");
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Returns a text from a URL or a form.
pub(super) fn decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// Returns a parameter of a path's query.
pub(super) fn query(path: &str, name: &str) -> Option<String> {
    parameter(path.split_once('?')?.1, name)
}

/// Returns a parameter of a query or a form.
pub(super) fn parameter(form: &str, name: &str) -> Option<String> {
    form.split('&')
        .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))
        .map(|(_, value)| decode(value))
}

fn not_found() -> Canned {
    canned(404, message("Not Found"))
}

/// Returns a page of a list as JSON, with the header `Link`. `wrap` puts the items into the response.
fn paged<T>(url: &str, path: &str, items: &[T], wrap: impl FnOnce(&[T]) -> Value) -> Canned {
    let number = |name: &str, usual: usize| query(path, name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (count, page) = (number("per_page", 30).clamp(1, 100), number("page", 1).max(1));
    let start = ((page - 1) * count).min(items.len());
    let end = (start + count).min(items.len());
    let response = canned(200, wrap(&items[start..end]).to_string());
    if end == items.len() {
        return response;
    }
    let bare = path.split('?').next().unwrap_or_default();
    let link = |page: usize, rel: &str| format!("<{url}{bare}?per_page={count}&page={page}>; rel=\"{rel}\"");
    response.header("link", format!("{}, {}", link(page + 1, "next"), link(items.len().div_ceil(count), "last")))
}

/// Returns the App as the API shows it.
pub(super) fn app_json(data: &Data, url: &str) -> Value {
    let app = &data.app;
    let owner = match data.accounts.get(&app.owner) {
        Some(_) => data.account_json(&app.owner),
        None => payloads::user(&app.owner, 1, "User"),
    };
    json!({
        "id": app.id,
        "slug": app.slug,
        "node_id": format!("A_{}", app.id),
        "client_id": app.client_id,
        "owner": owner,
        "name": app.name,
        "description": "",
        "external_url": app.external_url,
        "html_url": format!("{url}/apps/{}", app.slug),
        "created_at": time(app.created),
        "updated_at": time(app.created),
        "permissions": app.permissions,
        "events": app.events,
        "installations_count": data.installations.len(),
    })
}

pub(super) fn show_app(shared: &Shared) -> Canned {
    canned(200, app_json(&shared.data(), &shared.url).to_string())
}

pub(super) fn show_hook(shared: &Shared) -> Canned {
    let url = shared.data().app.urls.first().cloned().unwrap_or_default();
    canned(200, json!({ "content_type": "json", "insecure_ssl": "0", "secret": "********", "url": url }).to_string())
}

pub(super) fn list_installations(shared: &Shared, path: &str) -> Canned {
    let data = shared.data();
    let ids: Vec<u64> = data.installations.keys().copied().collect();
    paged(&shared.url, path, &ids, |ids| ids.iter().map(|id| data.installation_json(&shared.url, *id)).collect())
}

pub(super) fn show_installation(shared: &Shared, id: &str) -> Canned {
    let data = shared.data();
    match id.parse().ok().filter(|id| data.installations.contains_key(id)) {
        Some(id) => canned(200, data.installation_json(&shared.url, id).to_string()),
        None => not_found(),
    }
}

pub(super) fn installation_of_repository(shared: &Shared, owner: &str, name: &str) -> Canned {
    let data = shared.data();
    let installation = data.find(&format!("{owner}/{name}")).and_then(|repository| data.installation_of(repository));
    match installation {
        Some(installation) => canned(200, data.installation_json(&shared.url, installation.id).to_string()),
        None => not_found(),
    }
}

pub(super) fn installation_of_account(shared: &Shared, account: &str) -> Canned {
    let data = shared.data();
    match data.installations.values().find(|installation| installation.account == account) {
        Some(installation) => canned(200, data.installation_json(&shared.url, installation.id).to_string()),
        None => not_found(),
    }
}

/// Lists the repositories that a token opens.
pub(super) fn list_repositories(shared: &Shared, token: &Token, path: &str) -> Canned {
    let data = shared.data();
    let ids: Vec<u64> = token.opens(&data).collect();
    paged(&shared.url, path, &ids, |page| {
        let shown: Vec<Value> = page.iter().map(|id| data.repository_json(*id)).collect();
        json!({ "total_count": ids.len(), "repository_selection": "selected", "repositories": shown })
    })
}

/// Shows an account.
pub(super) fn show_user(shared: &Shared, login: &str) -> Canned {
    let login = decode(login);
    let mut data = shared.data();
    if login == crate::world::MISSING_LOGIN {
        return not_found();
    }
    if let Some(slug) = login.strip_suffix("[bot]") {
        return if slug == data.app.slug { canned(200, data.app.bot_json().to_string()) } else { not_found() };
    }
    data.account(&login, AccountKind::User);
    canned(200, data.account_json(&login).to_string())
}

/// Creates an installation token.
pub(super) fn create_token(shared: &Shared, id: &str, body: &Value) -> Canned {
    let now = shared.now();
    let mut data = shared.data();
    let Some(installation) = id.parse().ok().and_then(|id: u64| data.installations.get(&id)) else {
        return not_found();
    };
    if installation.suspended.is_some() {
        return canned(403, message("This installation has been suspended"));
    }
    let token = match narrowed(&data, installation.id, body, now + data.token_lifetime) {
        Ok(token) => token,
        Err(why) => return canned(422, message(why)),
    };
    let mut reply = json!({
        "expires_at": time(token.expires),
        "permissions": token.permissions,
        "repository_selection": "selected",
    });
    if let Some(chosen) = &token.repositories {
        reply["repositories"] = chosen.iter().map(|id| data.repository_json(*id)).collect();
    }
    let secret = secret(data.next());
    reply["token"] = json!(secret);
    data.tokens.retain(|_, token| token.expires > now);
    data.tokens.insert(secret, token);
    canned(201, reply.to_string())
}

/// Returns a token of an installation, narrowed as a request asks.
fn narrowed(data: &Data, installation: u64, body: &Value, expires: Millis) -> Result<Token, &'static str> {
    let of = &data.installations[&installation];
    let mut permissions = of.permissions.clone();
    if let Some(asked) = body["permissions"].as_object() {
        let level = |level: &str| ["read", "write", "admin"].iter().position(|known| *known == level);
        let is_granted = |(name, asked): (&String, &Value)| {
            let granted = of.permissions.get(name).and_then(|granted| level(granted));
            asked.as_str().and_then(level).is_some_and(|asked| granted.is_some_and(|granted| asked <= granted))
        };
        if !asked.iter().all(is_granted) {
            return Err("The permissions requested are not granted to this installation.");
        }
        let asked = asked.iter().map(|(name, level)| (name.clone(), level.as_str().unwrap_or_default().to_owned()));
        permissions = asked.collect::<BTreeMap<_, _>>();
        // Every token may read metadata.
        permissions.entry("metadata".to_owned()).or_insert_with(|| "read".to_owned());
    }
    let by_id = body["repository_ids"].as_array().into_iter().flatten().map(Value::as_u64);
    let by_name = body["repositories"].as_array().into_iter().flatten();
    let by_name = by_name.map(|name| data.find(&format!("{}/{}", of.account, name.as_str().unwrap_or_default())));
    let asked: Vec<Option<u64>> = by_id.chain(by_name).collect();
    let chosen: Option<BTreeSet<u64>> =
        asked.iter().map(|id| id.filter(|id| of.repositories.contains(id))).collect::<Option<_>>();
    let Some(chosen) = chosen else {
        return Err(
            "There is at least one repository that does not exist or is not accessible to the parent installation.",
        );
    };
    let repositories = (!chosen.is_empty()).then_some(chosen);
    Ok(Token { installation, repositories, permissions, expires: expires / 1000 * 1000 })
}

/// Returns a new opaque token.
fn secret(seed: u64) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    let mut rng = Rng::new(seed);
    let letters = (0..516).map(|_| char::from(*rng.choose(LETTERS)));
    "ghs_".chars().chain(letters).collect()
}
