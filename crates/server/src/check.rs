//! `--check`: tries the App's key, permissions, webhook and installations, and prints a sentence about each problem.

use std::path::Path;
use std::time::Duration;

use github::{GitHub, one_line, split_api_url};
use http::Method;
use protocol::wakes::InstallationId;
use protocol::{Forge, RepoConfig, RequestError, SETTINGS_PATH, WebRepo};
use serde::Deserialize;
use setup::repo_config_with_file;

use crate::app::{App, AppInfo, Delivery, PERMISSIONS};
use crate::config::{Config, is_public};
use crate::intake;
use crate::manifest::{EVENTS, is_local};

/// The number of repositories that the check looks into.
const MAX_REPOSITORIES: usize = 100;

/// How long the check waits for a webhook that GitHub sends again. GitHub gives up after ten seconds.
const RETRY_SECONDS: u64 = 12;

#[derive(Deserialize)]
struct HookConfig {
    url: Option<String>,
    secret: Option<String>,
}

/// Checks the settings file, the App and its webhook, and prints a sentence about each. Returns whether all is well.
pub(super) async fn check(file: Option<&Path>, config: &Config, app: &App, print: impl Fn(&str)) -> bool {
    let info = match app.info().await {
        Ok(info) => info,
        Err(error) => {
            print(&format!("✗ {}", key_problem(&error)));
            return false;
        }
    };
    print(&format!("✓ The key belongs to the App `{}` ({}).", info.slug, info.html_url));
    let mut problems = permission_problems(&info);
    if let Some(file) = file.filter(|file| is_public(file)) {
        let file = file.display();
        problems
            .push(format!("Everybody on this machine can read {file}, which has the App's key. Run: chmod 600 {file}"));
    }
    problems.extend(hook_problems(app).await);
    problems.extend(installation_problems(config, app, &info, &print).await);
    problems.iter().for_each(|problem| print(&format!("✗ {problem}")));
    if problems.is_empty() {
        print("✓ Permissions, webhook and installations are as they should be.");
    }
    problems.is_empty()
}

/// Returns what is wrong if GitHub doesn't accept the App's key.
pub(super) fn key_problem(error: &RequestError) -> String {
    match error {
        // For the key of another App, GitHub says that there is no such integration.
        RequestError::Fatal(problem) if ["accept the token", "Not Found"].iter().any(|words| problem.to_string().contains(words)) => {
            "GitHub doesn't accept the key. `app-id` and `private-key` have to belong to the same App, and this machine's clock has \
             to be right."
                .to_owned()
        }
        RequestError::Fatal(problem) => format!("GitHub doesn't show the App: {problem}"),
        error => format!("GitHub can't be reached: {error} Check `github-api-url` and the network."),
    }
}

/// Returns what is wrong with the App's permissions and events.
fn permission_problems(info: &AppInfo) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, level) in PERMISSIONS {
        if info.permissions.get(name).map(String::as_str) != Some(level) {
            problems.push(format!("The App needs the permission `{name}: {level}`. Set it in the App's settings."));
        }
    }
    let known = |name: &String| PERMISSIONS.iter().any(|(known, _)| known == name);
    for (name, level) in info.permissions.iter().filter(|(name, _)| !known(name)) {
        problems.push(format!(
            "The App has the permission `{name}: {level}`, which games don't need. Remove it in the App's settings."
        ));
    }
    for event in EVENTS {
        if !info.events.iter().any(|known| known == event) {
            problems.push(format!("The App doesn't get the event `{event}`. Select it in the App's settings."));
        }
    }
    problems
}

/// Returns what is wrong with the address and the secret of the webhook.
async fn hook_problems(app: &App) -> Vec<String> {
    let hook: HookConfig = match app.get("/app/hook/config").await {
        Ok(hook) => hook,
        Err(error) => return vec![format!("GitHub doesn't show the App's webhook: {error}")],
    };
    let mut problems = Vec::new();
    let url = hook.url.unwrap_or_default();
    match split_api_url(&url) {
        Ok((origin, path)) if path.ends_with("/webhook") => {
            if origin.starts_with("http:") && !is_local(&origin) {
                problems.push(format!("The webhook goes to {url}. Use https, so that nobody on the way reads private repositories."));
            }
        }
        _ => problems.push(format!(
            "The webhook goes to `{url}`. In the App's settings, set it to the server's address with /webhook at the end."
        )),
    }
    if hook.secret.is_none() {
        problems
            .push("The webhook has no secret. Set it in the App's settings to the one in `webhook-secret`.".to_owned());
    }
    if let Some(last) = last_delivery(app).await {
        match last.status_code {
            200..300 => {}
            401 => problems.push(
                "The server refused GitHub's last webhook: `webhook-secret` isn't the secret in the App's settings."
                    .to_owned(),
            ),
            0 => problems.push(format!(
                "GitHub's last webhook didn't reach {url}. Start the server, and check the proxy before it."
            )),
            status => problems.push(format!(
                "GitHub's last webhook got the status {status} from {url}. Start the server, and check the proxy before it."
            )),
        }
    }
    problems
}

/// Returns GitHub's last webhook. If it didn't arrive, asks GitHub to send it again, and returns the new attempt. A server accepts doubled webhooks.
async fn last_delivery(app: &App) -> Option<Delivery> {
    let newest = async || app.deliveries(None, false).await.ok()?.0.into_iter().next();
    let last = newest().await?;
    let path = format!("/app/hook/deliveries/{}/attempts", last.id);
    if last.has_arrived() || !app.request(Method::POST, &path, None).await.ok()?.status.is_success() {
        return Some(last);
    }
    for _ in 0..RETRY_SECONDS {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if let Some(again) = newest().await.filter(|again| again.id != last.id) {
            return Some(again);
        }
    }
    Some(last)
}

/// Returns what is wrong if an account in the settings hasn't installed the App.
pub(super) fn absent_account(name: &str) -> String {
    format!("The setting `accounts` names `{}`, which hasn't installed the App.", one_line(name))
}

/// Returns what is wrong in the repositories: nothing installed, or a workflow that plays there, too.
async fn installation_problems(config: &Config, app: &App, info: &AppInfo, print: &impl Fn(&str)) -> Vec<String> {
    let installations = match app.installations().await {
        Ok(installations) => installations,
        Err(error) => return vec![format!("GitHub doesn't list the App's installations: {error}")],
    };
    let absent = config.absent_accounts(&installations);
    let (mut problems, mut count) = (absent.iter().map(|name| absent_account(name)).collect::<Vec<String>>(), 0);
    for installation in &installations {
        let (id, account) = (InstallationId(installation.id), &installation.account.login);
        if intake::is_suspended(installation) {
            problems.push(format!(
                "The installation of `{account}` is suspended. Unsuspend it there, or uninstall the App."
            ));
            continue;
        }
        if !config.plays_for(account) {
            problems.push(format!("`{account}` has installed the App, but the setting `accounts` doesn't name it."));
            continue;
        }
        let repositories = match app.repositories(id).await {
            Ok(repositories) => repositories,
            Err(error) => {
                problems.push(format!("The repositories of `{account}` can't be listed: {error}"));
                continue;
            }
        };
        for repository in repositories.iter().take(MAX_REPOSITORIES.saturating_sub(count)) {
            count += 1;
            let name = &repository.full_name;
            let path = format!("/repos/{name}/contents/.github/workflows/play.yml");
            let reply = app.request_as(id, Method::GET, &path, None).await;
            if reply.is_ok_and(|reply| reply.status == 200) {
                problems.push(format!(
                    "{name} has a workflow play.yml, so two bots would answer. Delete it, and write `bots: {}[bot]` into \
                     {SETTINGS_PATH} if daily.yml stays.",
                    info.slug
                ));
            }
            problems.extend(settings_problems(app, id, name).await);
        }
    }
    if count == 0 && problems.is_empty() {
        problems.push(format!(
            "The App isn't installed in any repository. Install it: {}/installations/new",
            info.html_url
        ));
    }
    print(&format!("  Installations: {}. Repositories: {count}.", installations.len()));
    problems
}

/// Returns the mistakes in the settings file of a repository.
async fn settings_problems(app: &App, installation: InstallationId, full_name: &str) -> Vec<String> {
    let (owner, name) = full_name.split_once('/').unwrap_or_default();
    let read = async {
        let settings = app.settings_for(installation, owner, name).await?;
        GitHub::with_connections(app.connections(), settings)?.read(&[], &[], 1).await
    };
    let file = match read.await {
        Ok(snapshot) => snapshot.settings,
        Err(error) => return vec![format!("{full_name} can't be read: {error}")],
    };
    let web = WebRepo { server: app.server.url.clone(), repository: full_name.to_owned(), branch: None };
    match repo_config_with_file(file.as_ref(), |_| None, web) {
        Ok(RepoConfig { settings: Some(source), .. }) => {
            let place = source.place();
            source
                .mistakes
                .iter()
                .map(|mistake| format!("{full_name}, {place}, {}.", one_line(&mistake.text())))
                .collect()
        }
        Ok(_) => Vec::new(),
        Err(error) => vec![format!("{full_name}, `{SETTINGS_PATH}`: {error}.")],
    }
}
