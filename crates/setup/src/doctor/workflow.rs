//! Judges a workflow in which this action is a step.

use std::fmt::Display;

use protocol::inputs;

use crate::action_version::ActionVersion;
use crate::cron::check_cron;
use crate::doctor::findings::{Findings, Grade};
use crate::doctor::version;
use crate::templates::{BUILD_MINUTES, BUILD_RUNNER, WORKFLOW};
use crate::workflow_steps::{WorkflowStep, action_inputs, play_steps};
use crate::yaml::YamlNode;

/// The events that play, each with the only one of its types that wakes anybody.
const EVENT_TYPES: [(&str, &str); 2] = [("issue_comment", "created"), ("issues", "opened")];

/// Judges one workflow. `enterprise`: the repository is on an Enterprise Server.
pub(super) fn check_workflow(step: &WorkflowStep, enterprise: bool, findings: &mut Findings) {
    let mut judge = WorkflowCheck { step, findings, problems_before: 0 };
    judge.problems_before = judge.problem_count();
    judge.check_triggers();
    judge.finish_section("it starts on comments, on new issues, by hand and on a schedule");
    judge.check_permissions();
    judge.finish_section("its job can write contents and issues");
    judge.check_condition();
    judge.finish_section("its `if:` lets commands in and keeps chat and bots out");
    judge.check_concurrency(enterprise);
    judge.check_job(enterprise);
    judge.finish_section("its job has a time limit, and the runs of one issue wait for each other");
    judge.check_inputs();
    judge.finish_section("its inputs are valid");
    version::check_action_version(step, findings);
}

struct WorkflowCheck<'a> {
    step: &'a WorkflowStep,
    findings: &'a mut Findings,
    /// The number of faults when the last chapter began.
    problems_before: usize,
}

impl WorkflowCheck<'_> {
    fn check_triggers(&mut self) {
        let Some(on) = self.step.root.get("on") else {
            return self.at_line(1).change("it has no `on:`, so nothing starts it");
        };
        let events = on.names();
        for (event, wanted) in EVENT_TYPES {
            if !events.contains(&event) {
                self.at_line(on.line)
                    .change(format!("`{event}` doesn't start it. Add `{event}:` with `types: [{wanted}]`"));
                continue;
            }
            let Some(types) = on.get_path(&[event, "types"]) else {
                self.at_line(on.line).better(format!(
                    "`{event}` also starts it for edits and the like, which change no game. Add `types: [{wanted}]`"
                ));
                continue;
            };
            let words = types.names();
            if !words.contains(&wanted) {
                self.at_line(types.line)
                    .change(format!("`{event}` doesn't start it for `{wanted}`. Set `types: [{wanted}]`"));
            }
            let more: Vec<&str> = words.into_iter().filter(|word| *word != wanted).collect();
            if !more.is_empty() {
                let more = more.join("`, `");
                self.at_line(types.line).better(format!(
                    "`{event}` with `{more}` starts runs that change no game. Set `types: \
                         [{wanted}]`"
                ));
            }
        }
        if !events.contains(&"schedule") {
            self.at_line(on.line).change(
                "it has no `schedule:`, so if GitHub drops a run, nobody answers its comment. Add `schedule:` with a \
                 daily `cron:`",
            );
        }
        let times = on.get("schedule").map(YamlNode::items).unwrap_or_default();
        for time in times.iter().filter_map(|time| time.get("cron")) {
            let cron = time.as_str().unwrap_or_default();
            if let Err(why) = check_cron(cron) {
                self.at_line(time.line).change(format!(
                    "GitHub rejects the whole workflow because of `cron: \"{cron}\"`: \
                     {why}"
                ));
            }
        }
        if !events.contains(&"workflow_dispatch") {
            self.at_line(on.line).better("you can't start it by hand. Add `workflow_dispatch:`");
        }
        let known = ["issue_comment", "issues", "schedule", "workflow_dispatch", "workflow_call"];
        for event in events.into_iter().filter(|event| !known.contains(event)) {
            self.at_line(on.line).change(format!("games don't use `{event}`, and runs for it fail. Remove it"));
        }
    }

    fn check_permissions(&mut self) {
        if let Some(token) =
            self.step.input("token").filter(|token| !token.contains("github.token") && !token.contains("GITHUB_TOKEN"))
        {
            if !token.contains("${{") {
                self.at_line(self.step.node.line).change(
                    "everyone can read the `token` in this file. Revoke it, and use a secret: `${{ secrets.NAME \
                     }}`",
                );
            }
            self.findings.skipped(format!("{}: the permissions of its own token.", self.step.path));
            return;
        }
        let (name, job) = &self.step.job;
        let top = self.step.root.get("permissions");
        let Some(permissions) = job.get("permissions").or(top) else {
            return self.at_line(job.line).better(format!(
                "neither the workflow nor its job `{name}` has `permissions:`, so a repository setting decides. Give \
                 the job `contents: write` and `issues: write`"
            ));
        };
        match permissions.as_str() {
            Some("write-all") => {
                return self
                    .at_line(permissions.line)
                    .better("`write-all` grants too much: `contents: write` and `issues: write` are enough");
            }
            Some("read-all") => {
                return self.at_line(permissions.line).change(
                    "with `read-all`, the bot can neither commit nor answer. Set `contents: write` and `issues: write`",
                );
            }
            _ => {}
        }
        for (what, why) in [("contents", "commit"), ("issues", "answer")] {
            if permissions.get(what).and_then(YamlNode::as_str) != Some("write") {
                self.at_line(permissions.line)
                    .change(format!("the bot can't {why} without `{what}: write` in the job's permissions"));
            }
        }
        let more = permissions
            .entries()
            .iter()
            .filter(|(what, may)| !["contents", "issues"].contains(&what.as_str()) && may.as_str() == Some("write"));
        let more: Vec<String> = more.map(|(what, _)| format!("`{what}: write`")).collect();
        if !more.is_empty() {
            self.at_line(permissions.line).better(format!("the bot doesn't need {}", more.join(" and ")));
        }
        if top.is_none() {
            self.at_line(1).better(
                "it has no `permissions: {}` at the top, so a job without its own gets the repository's default",
            );
        }
    }

    /// Judges the condition of the job: that of the template is right, and of any other only the missing words can be named.
    fn check_condition(&mut self) {
        let (name, job) = &self.step.job;
        let Some(gate) = job.get("if") else {
            return self.at_line(job.line).better(format!(
                "the job `{name}` has no `if:`, so every comment in the repository starts a job. In a private \
                 repository, each costs a minute. Copy the `if:` from the README of Play by Commit"
            ));
        };
        let text = gate.as_str().unwrap_or_default();
        let ours = play_steps("", WORKFLOW, None).ok().and_then(|found| found.into_iter().next());
        let ours = ours.as_ref().and_then(|step| step.job.1.get("if")).and_then(YamlNode::as_str);
        let words =
            |text: &str| text.replace("${{", " ").replace("}}", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        if ours.map(words) == Some(words(text)) {
            return;
        }
        let quiet = text.to_lowercase();
        let mentions = |any: &[&str]| any.iter().any(|word| quiet.contains(word));
        for (any, why) in [
            (
                &["schedule", "event_name !=", "issue_comment' ||"][..],
                "`schedule`: make sure that the daily run gets through",
            ),
            (&["comment.body"], "`github.event.comment.body`: make sure that commands get through"),
            (&["issue.body"], "`github.event.issue.body`: make sure that `/new` in a new issue gets through"),
            (&["play-by-commit"], "the label `play-by-commit`: without it, a bare `b2` at a table doesn't get through"),
            (&["bot", "sender.type", "user.type"], "bots: make sure that bots' comments don't start jobs"),
            (&["pull_request"], "`github.event.issue.pull_request`: comments on pull requests don't need a job"),
        ] {
            if !mentions(any) {
                self.at_line(gate.line).better(format!("the `if:` doesn't mention {why}"));
            }
        }
    }

    fn check_concurrency(&mut self, enterprise: bool) {
        let Some(concurrency) = self.step.job.1.get("concurrency").or_else(|| self.step.root.get("concurrency")) else {
            return self.at_line(self.step.job.1.line).better(
                "it has no `concurrency:`, so runs of one issue race. No move is lost, but a group for each issue \
                 saves API requests",
            );
        };
        let group =
            concurrency.as_str().or_else(|| concurrency.get("group").and_then(YamlNode::as_str)).unwrap_or_default();
        let queue = concurrency.get("queue").and_then(YamlNode::as_str) == Some("max");
        if !group.contains("issue.number") && !queue {
            self.at_line(concurrency.line).change(
                "its concurrency group is the same for all issues, so GitHub drops waiting runs, and their moves \
                 wait for the daily run. Add `${{ github.event.issue.number }}` to `group:`",
            );
        }
        if concurrency.get("cancel-in-progress").and_then(YamlNode::as_str) == Some("true") {
            self.at_line(concurrency.line).better(
                "`cancel-in-progress: true` stops runs in the middle of an answer. No move is lost, but answers come \
                 late. Set it to false",
            );
        }
        if queue && enterprise {
            self.at_line(concurrency.line)
                .change("GitHub Enterprise Server doesn't know `queue: max`. Leave the line out");
        }
    }

    fn check_job(&mut self, enterprise: bool) {
        let (name, job) = &self.step.job;
        if job.get("timeout-minutes").is_none() {
            self.at_line(job.line).better(format!(
                "the job `{name}` has no `timeout-minutes:`, so a stuck run takes six hours. 10 minutes are enough"
            ));
        }
        let Some(runs_on) = job.get("runs-on") else {
            return self.at_line(job.line).change(format!("the job `{name}` has no `runs-on:`"));
        };
        let label = runs_on.as_str().unwrap_or_default();
        let hosted = ["ubuntu-", "windows-", "macos-"].iter().any(|system| label.starts_with(system));
        if hosted && enterprise {
            self.at_line(runs_on.line).change(format!(
                "`{label}` is one of GitHub's own runners, which an Enterprise Server doesn't have. Use the label of \
                 your own runner"
            ));
        } else if hosted && !label.starts_with("ubuntu-") {
            self.at_line(runs_on.line)
                .better(format!("in a private repository, `{label}` costs several times as much as `ubuntu-slim`"));
        }
        // Without a release the action builds itself, which needs Rust.
        let (uses, version) = (self.step.uses(), self.step.version());
        if version.is_built_from_source() {
            if label == "ubuntu-slim" {
                let unless = match version {
                    ActionVersion::Commit { .. } => {
                        ". If it's the commit of a release, add its tag as a comment: `# v1.2.3`"
                    }
                    _ => "",
                };
                self.at_line(runs_on.line).change(format!(
                    "`{uses}` isn't a release, so cargo builds it, and `ubuntu-slim` has no cargo. Set `runs-on: \
                     {BUILD_RUNNER}`{unless}"
                ));
            }
            let minutes =
                job.get("timeout-minutes").and_then(|node| Some((node.line, node.as_str()?.parse::<u32>().ok()?)));
            if let Some((line, minutes)) = minutes.filter(|(_, minutes)| *minutes < BUILD_MINUTES) {
                self.at_line(line).better(format!(
                    "`{uses}` isn't a release, and building it may take longer than {minutes} minutes. Set \
                     `timeout-minutes: \
                     {BUILD_MINUTES}`"
                ));
            }
        }
        for step in job.get("steps").map(YamlNode::items).unwrap_or_default() {
            let script = step.get("run").and_then(YamlNode::as_str).unwrap_or_default();
            let quoted = ["github.event.comment.body", "github.event.issue.body", "github.event.issue.title"];
            if quoted.iter().any(|text| {
                script
                    .split("${{")
                    .skip(1)
                    .any(|part| part.split("}}").next().is_some_and(|inner| inner.contains(text)))
            }) {
                self.at_line(step.line).change(
                    "a script in the same job contains the text of a comment or an issue as an expression, so anyone \
                     can run commands there. Pass it as an environment variable",
                );
            }
        }
    }

    fn check_inputs(&mut self) {
        let known = action_inputs();
        let given = self.step.node.get("with").map(YamlNode::entries).unwrap_or_default();
        for (name, value) in given {
            let text = value.as_str().unwrap_or_default();
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let near = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
                let near = near.filter(|near| strsim::damerau_levenshtein(near, name) <= 3);
                let hint = near.map_or(format!("The inputs are: {}", known.join(", ")), |near| {
                    format!(
                        "Perhaps you mean \
                         `{near}`"
                    )
                });
                self.at_line(value.line).change(format!("there is no input `{name}`, so it does nothing. {hint}"));
            } else if text.contains("${{") {
                // What an expression comes to is known when it runs.
            } else if name == "dice-secret" && !text.is_empty() {
                self.at_line(value.line).change(
                    "everyone can read the `dice-secret` in this file and predict the rolls. Use a secret: \
                     `${{ secrets.DICE_SECRET }}`",
                );
            } else if let Err(why) = inputs::check_input(&name.to_lowercase(), text) {
                self.at_line(value.line).change(format!("{why}"));
            }
        }
    }

    /// Returns the place of a finding: a line of the workflow.
    fn at_line(&mut self, line: usize) -> Location<'_> {
        Location { findings: self.findings, before: format!("{}, line {line}: ", self.step.path) }
    }

    /// Ends a chapter; one without a fault is good.
    fn finish_section(&mut self, sentence: &str) {
        if self.problem_count() == self.problems_before {
            self.findings.ok(format!("{}: {sentence}.", self.step.path));
        }
        self.problems_before = self.problem_count();
    }

    fn problem_count(&self) -> usize {
        self.findings.all.iter().filter(|finding| finding.grade != Grade::Ok).count()
    }
}

/// A place in a workflow, about which there is a finding.
struct Location<'a> {
    findings: &'a mut Findings,
    before: String,
}

impl Location<'_> {
    fn change(self, sentence: impl Display) {
        self.findings.error(format!("{}{sentence}.", self.before));
    }

    fn better(self, sentence: impl Display) {
        self.findings.warning(format!("{}{sentence}.", self.before));
    }
}
