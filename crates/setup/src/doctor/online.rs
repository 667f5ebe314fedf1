//! Checks a repository on GitHub with a handful of read-only requests.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

use answers::percent_encode;
use anyhow::Result;
use github::{GetReply, GitHub, Settings};
use protocol::{
    COMMENTS_PER_PAGE, COMMENTS_WARNING, Clock, Forge, Head, HostError, MAX_COMMENTS, RepoConfig, RequestError,
    SETTINGS_PATH, SettingsFile, Snapshot, is_enterprise_server, server_name,
};
use serde_json::Value;
use table::timestamp::pgn_date_and_time;
use table::{IssueNumber, Oid, RepositoryId};

use crate::Findings;
use crate::doctor::files::{Files, GameInputs};
use crate::doctor::{Fact, branch_advice, files};

/// The number of files to read with one query.
const FILES_PER_QUERY: usize = 20;
/// The maximum number of files to read.
const MAX_FILES: usize = 200;
/// The types of [branch rules](https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch) that block the bot's commits.
const BLOCKING_RULES: [&str; 8] = [
    "pull_request",
    "required_status_checks",
    "merge_queue",
    "required_deployments",
    "workflows",
    "code_scanning",
    "update",
    "license_compliance_scanning",
];
/// The types of branch rules that block some commits, depending on their settings.
const CONDITIONAL_RULES: [&str; 7] = [
    "commit_message_pattern",
    "commit_author_email_pattern",
    "committer_email_pattern",
    "file_path_restriction",
    "max_file_path_length",
    "file_extension_restriction",
    "max_file_size",
];
/// The events whose runs can write the cache of the default branch.
const CACHING_EVENTS: [&str; 2] = ["schedule", "workflow_dispatch"];
/// GitHub deletes a cache that wasn't used for this long.
const CACHE_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A repository to check.
#[derive(Clone, Debug)]
pub struct OnlineCheck {
    /// How to reach GitHub.
    pub settings: Settings,
    /// The server, and the pages that the bot updates.
    pub config: RepoConfig,
    /// Whether this runs in the workflow. If so, the branch, the state directory and the pages above count, instead of
    /// those in the workflow file.
    pub in_workflow: bool,
}

/// Checks the settings, the files and the tables of a repository.
///
/// # Errors
/// Returns an error if GitHub can't be reached or doesn't accept the token, or if the token can't see the repository.
pub async fn examine(check: OnlineCheck, findings: &mut Findings) -> Result<(), RequestError> {
    let OnlineCheck { ref settings, in_workflow, .. } = check;
    let github = GitHub::new(Settings { branch: None, ..settings.clone() })?;
    let result = check_repository(&github, check, findings).await;
    skip_lost(result.clone(), "The repository and its files", findings)?;
    check_actions(&github, findings).await?;
    check_interactions(&github, findings).await?;
    // If GitHub never answered, a list of skipped checks doesn't help.
    if result.is_err() && findings.are_all_skipped() {
        *findings = Findings::default();
        return result;
    }
    if in_workflow {
        findings.add(Fact::HiddenTokenPermissions);
    }
    Ok(())
}

/// Checks the settings of the repository, and its files.
async fn check_repository(github: &GitHub, check: OnlineCheck, findings: &mut Findings) -> Result<(), RequestError> {
    let about = github.get("").await?;
    let enterprise = check.is_enterprise();
    if about.status != 200 {
        let name = format!("{}/{}", check.settings.owner, check.settings.name);
        let message = format!("This token can't see the repository {name} ({}).", about.status);
        return Err(RequestError::Fatal(HostError::new(message)));
    }
    check_settings(&about.body, enterprise, findings);
    let id = about.body["id"].as_u64().map(RepositoryId::new);
    let default = about.body["default_branch"].as_str().unwrap_or_default().to_owned();
    let Snapshot { head, settings, .. } = github.read(&[], &[], COMMENTS_PER_PAGE).await?;
    let Head::Commit(head) = head else {
        findings.add(Fact::EmptyRepository);
        return Ok(());
    };
    if let Some(tree) = list_files(github, &head, findings).await? {
        let shared = settings.filter(|file| file.is_shared);
        let result = check_tree(github, check, (&default, &head, tree), (id, shared), findings).await;
        skip_lost(result, "The other files", findings)?;
    }
    Ok(())
}

/// Checks the setup on the default branch, and the games on their branch.
async fn check_tree(
    github: &GitHub,
    check: OnlineCheck,
    (default, head, tree): (&str, &Oid, Vec<String>),
    (repository, shared): (Option<RepositoryId>, Option<SettingsFile>),
    findings: &mut Findings,
) -> Result<(), RequestError> {
    let enterprise = check.is_enterprise();
    let OnlineCheck { settings, config: RepoConfig { pages, .. }, in_workflow } = check;
    let mut setup_files = read_files(github, head, &files::setup_paths(&tree)).await?;
    if let Some(file) = shared {
        findings.add(Fact::SharedSettings);
        setup_files.insert(SETTINGS_PATH.to_owned(), file.content);
    }
    let inputs = files::check_setup(&setup_files, enterprise, findings);
    let mut inputs = GameInputs { repository, ..inputs };
    if in_workflow {
        // Here, expressions in the workflow have a value.
        let file = files::file_settings(&setup_files);
        let is_set = |name: &str| file.get(name).is_some();
        inputs.branch = if is_set("branch") { inputs.branch } else { settings.branch.clone() };
        inputs.state_dir = if is_set("state-dir") { inputs.state_dir } else { settings.state_dir.clone() };
        inputs.pages = if is_set("pages") { inputs.pages } else { pages };
    }
    // In a workflow, this very run caches the program.
    if !in_workflow {
        check_cached_build(github, &inputs.source_builds, findings).await?;
    }
    let branch = inputs.branch.clone().unwrap_or_else(|| default.to_owned());
    let state = match &inputs.branch {
        Some(name) if name != default => {
            files::check_other_branch(&read_files(github, head, &inputs.pages).await?, &inputs, findings);
            let github = GitHub::new(Settings { branch: inputs.branch.clone(), ..settings.clone() })?;
            match github.read(&[], &[], COMMENTS_PER_PAGE).await?.head {
                Head::Commit(oid) => Some((list_files(&github, &oid, findings).await?, oid)),
                Head::Missing { .. } => {
                    findings.add(Fact::NoBranchYet { branch: branch.clone() });
                    None
                }
            }
        }
        _ => Some((Some(tree), head.clone())),
    };
    check_branch_rules(github, &branch, inputs.branch.is_none(), state.is_some(), findings).await?;
    if let Some((Some(tree), oid)) = state {
        check_files(github, &oid, &tree, &inputs, findings).await?;
    }
    Ok(())
}

/// Gets a path below the repository. A server error becomes a 503 reply, so the other checks still run.
async fn get(github: &GitHub, path: &str) -> Result<GetReply, RequestError> {
    match github.get(path).await {
        Err(RequestError::Lost(_)) => Ok(GetReply { status: 503, body: Value::Null }),
        result => result,
    }
}

/// Reports a server error as a skipped check.
fn skip_lost(
    result: Result<(), RequestError>,
    what: &'static str,
    findings: &mut Findings,
) -> Result<(), RequestError> {
    match result {
        Err(RequestError::Lost(why)) => {
            findings.add(Fact::Unanswered { what, why });
            Ok(())
        }
        result => result,
    }
}

impl OnlineCheck {
    fn is_enterprise(&self) -> bool {
        self.config.web.as_ref().is_some_and(|web| is_enterprise_server(server_name(&web.server)))
    }
}

/// Checks whether a run of these workflows, given by path and name, has cached the program that they build from source.
async fn check_cached_build(
    github: &GitHub,
    workflows: &[(String, String)],
    findings: &mut Findings,
) -> Result<(), RequestError> {
    let Some((_, name)) = workflows.first() else { return Ok(()) };
    let day = pgn_date_and_time(Clock::start().now() - CACHE_AGE).map(|[day, _]| day.replace('.', "-"));
    let since = percent_encode(&format!(">={}", day.unwrap_or_default()));
    for (path, _) in workflows {
        let file = percent_encode(path.rsplit('/').next().unwrap_or_default());
        for event in CACHING_EVENTS {
            let query = format!("status=success&event={event}&created={since}&per_page=1");
            let GetReply { status, body } = get(github, &format!("actions/workflows/{file}/runs?{query}")).await?;
            if status != 200 {
                findings.add(skipped_fact("The runs that cache the program", status));
                return Ok(());
            }
            if body["total_count"].as_u64() > Some(0) {
                findings.add(Fact::CachedBuild);
                return Ok(());
            }
        }
    }
    findings.add(Fact::NoCachedBuild { name: name.clone() });
    Ok(())
}

fn check_settings(about: &Value, enterprise: bool, findings: &mut Findings) {
    let is = |name: &str| about[name] == true;
    let facts = [
        is("archived").then_some(Fact::Archived),
        is("disabled").then_some(Fact::Disabled),
        Some(if is("has_issues") { Fact::IssuesOn } else { Fact::IssuesOff }),
        (about["issue_creation_policy"] == "collaborators_only").then_some(Fact::OnlyCollaboratorsOpenIssues),
        (is("private") && !enterprise).then_some(Fact::Private),
    ];
    facts.into_iter().flatten().for_each(|fact| findings.add(fact));
}

/// Lists all files of a commit, from the [tree API](https://docs.github.com/en/rest/git/trees#get-a-tree); `None` if GitHub
/// doesn't list them.
pub(crate) async fn list_files(
    github: &GitHub,
    at: &Oid,
    findings: &mut Findings,
) -> Result<Option<Vec<String>>, RequestError> {
    let reply = get(github, &format!("git/trees/{at}?recursive=1")).await?;
    if reply.status != 200 {
        findings.add(Fact::FilesNotListed { commit: at.clone(), status: reply.status });
        return Ok(None);
    }
    if reply.body["truncated"] == true {
        findings.add(Fact::TooManyFiles);
    }
    let files = list(&reply.body["tree"]).iter().filter(|entry| entry["type"] == "blob");
    Ok(Some(files.filter_map(|entry| entry["path"].as_str()).map(str::to_owned).collect()))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(crate) async fn read_files(github: &GitHub, at: &Oid, paths: &[String]) -> Result<Files, RequestError> {
    let mut contents = Files::new();
    for chunk in paths.chunks(FILES_PER_QUERY) {
        contents.extend(github.read_files(at, chunk).await?);
    }
    Ok(contents)
}

/// Checks pages, standings and records: the newest tables first, up to [`MAX_FILES`] files.
async fn check_files(
    github: &GitHub,
    at: &Oid,
    tree: &[String],
    inputs: &GameInputs,
    findings: &mut Findings,
) -> Result<(), RequestError> {
    let mut paths = inputs.game_paths(tree);
    paths.sort_by_key(|path| match inputs.record(path) {
        // Pages and standings come first because they are few, then the current rounds.
        None => (false, false, Reverse(IssueNumber::default())),
        Some((issue, round)) => (true, round.is_some(), Reverse(issue)),
    });
    let all = paths.len();
    paths.truncate(MAX_FILES);
    let skipped = all - paths.len();
    let contents = read_files(github, at, &paths).await?;
    files::check_games(&contents, tree, inputs, skipped == 0, findings);
    if skipped > 0 {
        findings.add(Fact::OldestFiles { skipped, all });
    }
    Ok(())
}

/// Checks the [rules](https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch) and the protection of the games'
/// branch.
async fn check_branch_rules(
    github: &GitHub,
    name: &str,
    is_default: bool,
    exists: bool,
    findings: &mut Findings,
) -> Result<(), RequestError> {
    let branch = name.to_owned();
    let advice = branch_advice((!is_default).then_some(name));
    let rules = get(github, &format!("rules/branches/{}?per_page=100", percent_encode(name))).await?;
    let rules_fact = match rules.body.as_array() {
        Some(all) if rules.status == 200 => {
            let kinds: BTreeSet<&str> = all.iter().filter_map(|rule| rule["type"].as_str()).collect();
            let named = |is_wanted: &dyn Fn(&str) -> bool| {
                kinds.iter().copied().filter(|kind| is_wanted(kind)).collect::<Vec<_>>().join("`, `")
            };
            let rules = named(&|kind| BLOCKING_RULES.contains(&kind) || (kind == "creation" && !exists));
            let conditional = named(&|kind| CONDITIONAL_RULES.contains(&kind));
            let branch = branch.clone();
            match (rules.is_empty(), conditional.is_empty()) {
                (false, _) => Some(Fact::BlockingRules { branch, rules, advice: advice.clone() }),
                (true, false) => Some(Fact::ConditionalRules { branch, rules: conditional }),
                (true, true) => None,
            }
        }
        _ => Some(Fact::UnknownRules { branch: branch.clone(), status: rules.status }),
    };
    let mut protection_fact = None;
    if exists {
        let GetReply { status, body } = get(github, &format!("branches/{}", percent_encode(name))).await?;
        let checks = body["protection"]["required_status_checks"]["enforcement_level"].as_str();
        let branch = branch.clone();
        protection_fact = match status {
            200 if checks.is_some_and(|level| level != "off") => Some(Fact::RequiredChecks { branch, advice }),
            200 if body["protection"]["enabled"] == true => Some(Fact::HiddenProtection { branch, advice }),
            200 => None,
            status => Some(Fact::UnknownProtection { branch, status }),
        };
    }
    if rules_fact.is_none() && protection_fact.is_none() {
        findings.add(Fact::NoBlockingRule { branch });
    }
    rules_fact.into_iter().chain(protection_fact).for_each(|fact| findings.add(fact));
    Ok(())
}

/// Checks the settings of [GitHub Actions](https://docs.github.com/en/rest/actions/permissions).
async fn check_actions(github: &GitHub, findings: &mut Findings) -> Result<(), RequestError> {
    let GetReply { status, body } = get(github, "actions/permissions").await?;
    findings.add(match body["allowed_actions"].as_str() {
        _ if status != 200 => skipped_fact("The list of allowed actions", status),
        _ if body["enabled"] == false => Fact::ActionsOff,
        Some("local_only") => Fact::OnlyLocalActions,
        Some("selected") => Fact::OnlySelectedActions,
        _ if body["sha_pinning_required"] == true => Fact::OnlyPinnedActions,
        _ => Fact::AllowedAction,
    });
    let GetReply { status, body } = get(github, "actions/permissions/workflow").await?;
    findings.add(match body["default_workflow_permissions"].as_str() {
        Some(access) if status == 200 => Fact::DefaultPermissions { access: access.to_owned() },
        _ => skipped_fact("The default permissions of a job", status),
    });
    let GetReply { status, body } = get(github, "actions/workflows?per_page=100").await?;
    if status != 200 {
        findings.add(skipped_fact("The state of the workflow", status));
    }
    for workflow in list(&body["workflows"]) {
        let [path, name, state] =
            ["path", "name", "state"].map(|key| workflow[key].as_str().unwrap_or_default().to_owned());
        // The workflows that use the action have findings by now.
        if !findings.has_place(&path) {
            continue;
        }
        let why = match state.as_str() {
            "active" | "deleted" => continue,
            "disabled_inactivity" => " after sixty days without activity",
            "disabled_fork" => " because this repository is a fork",
            _ => "",
        };
        let effect = if findings.has_fact(&path, &Fact::GoodSchedule) {
            "games go on, but nothing that was missed is answered, and no clock runs out"
        } else if findings.has_fact(&path, &Fact::GoodSite) {
            "the website stays as it is"
        } else {
            "nobody can play"
        };
        findings.add(Fact::DisabledWorkflow { path, name, why, effect });
    }
    Ok(())
}

/// Checks the [interaction limits](https://docs.github.com/en/rest/interactions/repos), and the number of comments at each table.
async fn check_interactions(github: &GitHub, findings: &mut Findings) -> Result<(), RequestError> {
    let GetReply { status, body } = get(github, "interaction-limits").await?;
    findings.add(match body["limit"].as_str() {
        _ if status != 200 => skipped_fact("The interaction limits", status),
        Some(limit) => {
            let until = body["expires_at"].as_str().unwrap_or("further notice");
            Fact::LimitedInteractions { limit: limit.to_owned(), until: until.to_owned() }
        }
        None => Fact::UnlimitedInteractions,
    });
    let GetReply { status, body } =
        get(github, "issues?labels=play-by-commit&state=open&sort=comments&direction=desc&per_page=100").await?;
    if !body.is_array() {
        findings.add(skipped_fact("The number of comments in the tables' issues", status));
        return Ok(());
    }
    let issues = list(&body).iter().filter(|issue| issue["pull_request"].is_null());
    let counts = issues.filter_map(|issue| Some((issue["number"].as_u64()?, issue["comments"].as_u64()?)));
    let mut full = counts.filter(|(_, comments)| *comments >= COMMENTS_WARNING).peekable();
    if full.peek().is_none() {
        findings.add(Fact::NoFullIssue);
    }
    for (issue, comments) in full {
        findings.add(Fact::FullIssue { issue, comments, limit: MAX_COMMENTS });
    }
    Ok(())
}

/// Returns the fact that a check was skipped because of the status of GitHub's reply.
fn skipped_fact(what: &'static str, status: u16) -> Fact {
    match status {
        403 | 404 => Fact::Hidden { what },
        status => Fact::UnexpectedStatus { what, status },
    }
}
