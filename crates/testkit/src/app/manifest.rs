//! The pages that create an App from a manifest.

use http::Method;
use serde_json::{Value, json};

use super::endpoints::{app_json, parameter, query};
use super::{Shared, TEST_KEY, webhooks};
use crate::server::{Canned, Seen, canned, message};

/// The events that GitHub doesn't take in a manifest, because every App gets them.
const NOT_IN_MANIFESTS: [&str; 2] = ["installation", "installation_repositories"];

fn page(status: u16, title: &str, body: &str) -> Canned {
    canned(status, format!("<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{body}\n"))
}

/// Takes a manifest and sends the browser back with a code. Without a manifest, it's a form for one.
pub(super) fn create_page(shared: &Shared, seen: &Seen) -> Canned {
    let form = if seen.method == Method::POST { seen.body.as_str().unwrap_or_default() } else { "" };
    let Some(manifest) = parameter(form, "manifest").or_else(|| query(&seen.path, "manifest")) else {
        let form =
            "<form method=post><textarea name=manifest rows=20 cols=80></textarea><p><button>Create</button></form>";
        return page(200, "Register new GitHub App", form);
    };
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    if let Some(why) = fault(&manifest) {
        return page(422, "Invalid GitHub App configuration", &format!("<p>{why}"));
    }
    let code = {
        let mut data = shared.data();
        let code = format!("{:040x}", u128::from(data.next()) * 0x9e37_79b9_7f4a_7c15);
        data.codes.insert(code.clone(), owned(manifest.clone(), &seen.path));
        code
    };
    let back = manifest["redirect_url"].as_str().unwrap_or_default();
    let sign = if back.contains('?') { '&' } else { '?' };
    let state = seen.path.split_once('?').map_or("", |(_, query)| query).split('&');
    let state = state.filter(|pair| pair.starts_with("state=")).map(|pair| format!("&{pair}")).collect::<String>();
    page(302, "Redirecting", "").header("location", format!("{back}{sign}code={code}{state}"))
}

/// Adds the organization that will own the App.
fn owned(mut manifest: Value, path: &str) -> Value {
    if let Some(organization) = path.strip_prefix("/organizations/").and_then(|rest| rest.split('/').next()) {
        manifest["owner"] = json!(organization);
    }
    manifest
}

/// Returns what is wrong with a manifest.
fn fault(manifest: &Value) -> Option<String> {
    if !manifest.is_object() {
        return Some("The manifest isn't JSON.".to_owned());
    }
    for field in ["url", "redirect_url"] {
        if manifest[field].as_str().is_none_or(str::is_empty) {
            return Some(format!("The field {field} is missing."));
        }
    }
    let events = manifest["default_events"].as_array().into_iter().flatten();
    let wrong = events.filter_map(Value::as_str).find(|event| NOT_IN_MANIFESTS.contains(event));
    wrong.map(|event| format!("Default events unsupported: {event}"))
}

/// Turns a code into the App, once. The fake's App becomes the one of the manifest.
pub(super) fn convert(shared: &Shared, code: &str) -> Canned {
    let mut data = shared.data();
    let Some(manifest) = data.codes.remove(code) else { return canned(404, message("Not Found")) };
    let name = manifest["name"].as_str().unwrap_or("Play by Commit").to_owned();
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let number = data.next();
    let app = &mut data.app;
    app.slug = words.join("-");
    app.name = name;
    app.webhook_secret = format!("{:040x}", u128::from(number) * 0xbf58_476d_1ce4_e5b9);
    app.external_url = manifest["url"].as_str().unwrap_or_default().to_owned();
    if let Some(owner) = manifest["owner"].as_str() {
        owner.clone_into(&mut app.owner);
    }
    if let Some(url) = manifest["hook_attributes"]["url"].as_str() {
        app.urls = vec![url.to_owned()];
    }
    if let Some(permissions) = manifest["default_permissions"].as_object() {
        let level = |level: &Value| level.as_str().unwrap_or_default().to_owned();
        app.permissions = permissions.iter().map(|(name, granted)| (name.clone(), level(granted))).collect();
    }
    if let Some(events) = manifest["default_events"].as_array() {
        app.events = events.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let permissions = app.permissions.clone();
    for installation in data.installations.values_mut() {
        installation.permissions.clone_from(&permissions);
    }
    let repositories: Vec<u64> = data.repositories.keys().copied().collect();
    repositories.into_iter().for_each(|repository| data.add_people(repository));
    let mut created = app_json(&data, &shared.url);
    created["client_secret"] = json!("the client secret of a test");
    created["webhook_secret"] = json!(data.app.webhook_secret);
    created["pem"] = json!(TEST_KEY);
    webhooks::send_ping(shared, &mut data);
    canned(201, created.to_string())
}

/// Shows the App's page. The installations of the fake stay as they are.
pub(super) fn app_page(shared: &Shared, slug: &str) -> Canned {
    let data = shared.data();
    if slug != data.app.slug {
        return page(404, "Page not found", "");
    }
    let installed = data.installations.values().flat_map(|installation| &installation.repositories);
    let names: String = installed.map(|id| format!("<li>{}", data.repositories[id].full_name())).collect();
    page(200, &data.app.name, &format!("<p>It's installed in these repositories:<ul>{names}</ul>"))
}
