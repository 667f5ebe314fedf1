//! Checks a workflow that uses this action.

use crate::action_version::{ACTION, ActionVersion};
use crate::doctor::Fact;
use crate::templates::{BUILD_MINUTES, is_hosted_runner};
use crate::workflow_steps::{OLD_INPUT, WorkflowStep, is_expression, nearest_name};
use crate::{Findings, Grade, WORKFLOW, WorkflowKind, YamlNode, action_inputs, check_cron, inputs, play_steps};

/// The events that games use, each with its only useful type.
const EVENT_TYPES: [(&str, &str); 2] = [("issue_comment", "created"), ("issues", "opened")];
/// The events that start a useful run.
const KNOWN_EVENTS: [&str; 5] = ["issue_comment", "issues", "schedule", "workflow_dispatch", "workflow_call"];
/// The words in a condition that let a schedule in.
const SCHEDULE_WORDS: [&str; 3] = ["schedule", "event_name !=", "issue_comment' ||"];
/// The parts that the job's `if:` should have: the words for each, and the finding if none of them appears.
const CONDITION_PARTS: [(&[&str], Fact); 5] = [
    (&["comment.body"], Fact::ConditionWithoutComment),
    (&["issue.body"], Fact::ConditionWithoutIssue),
    (&["play-by-commit"], Fact::ConditionWithoutLabel),
    (&["bot", "sender.type", "user.type"], Fact::ConditionWithoutBots),
    (&["pull_request"], Fact::ConditionWithoutPullRequest),
];
/// Expressions with text that anyone can write.
const UNTRUSTED: [&str; 3] = ["github.event.comment.body", "github.event.issue.body", "github.event.issue.title"];

/// Checks a step that plays, with its workflow and its job.
///
/// `enterprise` says whether the repository is on GitHub Enterprise Server.
pub(super) fn check_workflow(step: &WorkflowStep, enterprise: bool, findings: &mut Findings) {
    let problems_before = findings.problem_count();
    let mut check = WorkflowCheck { step, findings, problems_before };
    check.check_triggers();
    check.finish_section(match step.kind() {
        WorkflowKind::Play => Fact::GoodTriggers,
        WorkflowKind::Daily => Fact::GoodSchedule,
    });
    check.check_permissions();
    check.finish_section(Fact::GoodPermissions);
    check.check_condition();
    match step.kind() {
        WorkflowKind::Play => check.finish_section(Fact::GoodCondition),
        WorkflowKind::Daily => check.begin_section(),
    }
    check.check_concurrency(enterprise);
    check.check_runner(enterprise);
    check.check_scripts();
    check.finish_section(Fact::GoodJob);
    check.check_inputs();
    check.finish_section(Fact::GoodInputs);
    check_action_version(step, findings);
}

/// Checks the action and the version of a step.
pub(super) fn check_action_version(step: &WorkflowStep, findings: &mut Findings) {
    let (uses, version) = (step.uses().to_owned(), step.version());
    let (action, reference) = step.uses().split_once('@').unwrap_or((step.uses(), ""));
    let action = action.to_owned();
    if version != ActionVersion::Local && !action.eq_ignore_ascii_case(ACTION) {
        findings.add_at(&step.path, step.node.line, Fact::OtherAction { action: action.clone() });
    }
    let is_unknown = version.is_unknown();
    let fact = match version {
        ActionVersion::Missing => Fact::NoVersion { uses },
        ActionVersion::Branch(branch) => Fact::FollowsBranch { uses, action, branch },
        ActionVersion::Tag(tag, _) if is_unknown => Fact::UnknownTag { action, tag },
        ActionVersion::Tag(tag, _) => Fact::FollowsTag { tag },
        ActionVersion::Commit { .. } => Fact::PinnedCommit { commit: reference.chars().take(7).collect() },
        ActionVersion::Local => Fact::LocalAction,
    };
    let line = (fact.grade() != Grade::Good).then_some(step.node.line);
    findings.add_at(&step.path, line, fact);
}

/// The checks of one step that plays.
struct WorkflowCheck<'a> {
    step: &'a WorkflowStep,
    findings: &'a mut Findings,
    /// The number of problems at the start of the current section.
    problems_before: usize,
}

impl WorkflowCheck<'_> {
    fn check_triggers(&mut self) {
        let Some(on) = self.step.root.get("on") else { return self.add(1, Fact::NoTriggers) };
        let events = on.names();
        let is_play = self.step.kind() == WorkflowKind::Play;
        for (event, wanted) in EVENT_TYPES.into_iter().filter(|_| is_play) {
            match on.get_path(&[event, "types"]) {
                _ if !events.contains(&event) => self.add(on.line, Fact::MissingEvent { event, wanted }),
                Some(types) => self.check_types(types, event, wanted),
                None => self.add(on.line, Fact::EventOfAnyType { event, wanted }),
            }
        }
        if is_play && events.contains(&"schedule") {
            self.add(on.line, Fact::ScheduleWithComments);
        }
        for time in on.items_at("schedule").iter().filter_map(|time| time.get("cron")) {
            let cron = time.as_str().unwrap_or_default();
            if let Err(why) = check_cron(cron) {
                self.add(time.line, Fact::InvalidCron { cron: cron.to_owned(), why: why.to_string() });
            }
        }
        if !events.contains(&"workflow_dispatch") {
            self.add(on.line, Fact::NoDispatch);
        }
        for event in events.into_iter().filter(|event| !KNOWN_EVENTS.contains(event)) {
            self.add(on.line, Fact::UnknownEvent { event: event.to_owned() });
        }
    }

    fn check_types(&mut self, types: &YamlNode, event: &'static str, wanted: &'static str) {
        let (useful, useless): (Vec<&str>, Vec<&str>) = types.names().into_iter().partition(|name| *name == wanted);
        if useful.is_empty() {
            self.add(types.line, Fact::MissingEventType { event, wanted });
        }
        if !useless.is_empty() {
            self.add(types.line, Fact::UselessEventTypes { event, wanted, more: useless.join("`, `") });
        }
    }

    fn check_permissions(&mut self) {
        if let Some(token) = self.step.input("token")
            && !token.contains("github.token")
            && !token.contains("GITHUB_TOKEN")
        {
            if !is_expression(&token) {
                self.add(self.step.node.line, Fact::PublicToken);
            }
            return self.findings.add_at(&self.step.path, None, Fact::OwnToken);
        }
        let (name, job) = &self.step.job;
        let top = self.step.root.get("permissions");
        let Some(permissions) = job.get("permissions").or(top) else {
            return self.add(job.line, Fact::NoPermissions { job: name.clone() });
        };
        match permissions.as_str() {
            Some("write-all") => return self.add(permissions.line, Fact::WriteAll),
            Some("read-all") => return self.add(permissions.line, Fact::ReadAll),
            _ => {}
        }
        for (scope, action) in [("contents", "commit"), ("issues", "answer")] {
            if permissions.text_at(scope) != Some("write") {
                self.add(permissions.line, Fact::MissingPermission { scope, action });
            }
        }
        let useless = permissions.entries().iter().filter(|(name, access)| {
            !["contents", "issues"].contains(&name.as_str()) && access.as_str() == Some("write")
        });
        let useless: Vec<String> = useless.map(|(name, _)| format!("`{name}: write`")).collect();
        if !useless.is_empty() {
            self.add(permissions.line, Fact::UselessPermissions { list: useless.join(" and ") });
        }
        if top.is_none() {
            self.add(1, Fact::NoDefaultPermissions);
        }
    }

    /// Checks the `if:` of the job. If it isn't the template's, this only looks for the words of each part.
    fn check_condition(&mut self) {
        let (name, job) = &self.step.job;
        let is_play = self.step.kind() == WorkflowKind::Play;
        let Some(condition) = job.get("if") else {
            if is_play {
                self.add(job.line, Fact::NoCondition { job: name.clone() });
            }
            return;
        };
        let text = condition.as_str().unwrap_or_default();
        let lowercase = text.to_lowercase();
        if self.step.events().contains(&"schedule") && !SCHEDULE_WORDS.iter().any(|word| lowercase.contains(word)) {
            self.add(condition.line, Fact::ConditionWithoutSchedule);
        }
        let template = play_steps("", WORKFLOW, None).unwrap_or_default();
        let template = template.first().and_then(|step| step.job.1.text_at("if"));
        let normalize =
            |text: &str| text.replace("${{", " ").replace("}}", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        if template.map(normalize) == Some(normalize(text)) {
            return;
        }
        for (words, fact) in CONDITION_PARTS.into_iter().filter(|_| is_play) {
            if !words.iter().any(|word| lowercase.contains(word)) {
                self.add(condition.line, fact);
            }
        }
    }

    fn check_concurrency(&mut self, enterprise: bool) {
        let job = &self.step.job.1;
        let Some(concurrency) = job.get("concurrency").or_else(|| self.step.root.get("concurrency")) else {
            return self.add(job.line, Fact::NoConcurrency);
        };
        let group = concurrency.as_str().or_else(|| concurrency.text_at("group")).unwrap_or_default();
        let has_queue = concurrency.text_at("queue") == Some("max");
        if self.step.kind() == WorkflowKind::Play && !group.contains("issue.number") && !has_queue {
            self.add(concurrency.line, Fact::SharedGroup);
        }
        if concurrency.text_at("cancel-in-progress") == Some("true") {
            self.add(concurrency.line, Fact::CanceledRuns);
        }
        if has_queue && enterprise {
            self.add(concurrency.line, Fact::QueueOnEnterprise);
        }
    }

    fn check_runner(&mut self, enterprise: bool) {
        let (name, job) = &self.step.job;
        let limit = job.get("timeout-minutes");
        if limit.is_none() {
            self.add(job.line, Fact::NoTimeout { job: name.clone() });
        }
        let Some(runner) = job.get("runs-on") else {
            return self.add(job.line, Fact::NoRunner { job: name.clone() });
        };
        let label = runner.as_str().unwrap_or_default();
        if is_hosted_runner(label) && enterprise {
            self.add(runner.line, Fact::HostedOnEnterprise { label: label.to_owned() });
        } else if is_hosted_runner(label) && !label.starts_with("ubuntu-") {
            self.add(runner.line, Fact::CostlyRunner { label: label.to_owned() });
        }
        // A version that isn't a release is built from source, which needs Rust.
        let (uses, version) = (self.step.uses().to_owned(), self.step.version());
        if !version.is_built_from_source() {
            return;
        }
        if label == "ubuntu-slim" && !enterprise {
            let uses = uses.clone();
            self.add(
                runner.line,
                match version {
                    ActionVersion::Commit { .. } => Fact::RunnerWithoutCargoForCommit { uses },
                    _ => Fact::RunnerWithoutCargo { uses },
                },
            );
        }
        if let Some(limit) = limit
            && let Some(minutes) = limit.as_str().and_then(|text| text.parse::<u32>().ok())
            && minutes < BUILD_MINUTES
        {
            self.add(limit.line, Fact::ShortBuild { uses, minutes });
        }
    }

    fn check_scripts(&mut self) {
        for step in self.step.job.1.items_at("steps") {
            let script = step.text_at("run").unwrap_or_default();
            let mut expressions = script.split("${{").skip(1).filter_map(|part| part.split("}}").next());
            if expressions.any(|expression| UNTRUSTED.iter().any(|text| expression.contains(text))) {
                self.add(step.line, Fact::UntrustedScript);
            }
        }
    }

    fn check_inputs(&mut self) {
        let known = action_inputs();
        for (name, value) in self.step.node.entries_at("with") {
            let text = value.as_str().unwrap_or_default();
            if name == OLD_INPUT {
                // It has a sentence of its own, below.
            } else if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let nearest = nearest_name(&known, name);
                let name = name.clone();
                let fact = match nearest {
                    Some(nearest) => Fact::MisspelledInput { name, nearest },
                    None => Fact::UnknownInput { name, known: known.join(", ") },
                };
                self.add(value.line, fact);
            } else if is_expression(text) {
                // It has no value until the workflow runs.
            } else if name == "dice-secret" && !text.is_empty() {
                self.add(value.line, Fact::PublicDiceSecret);
            } else if let Err(why) = inputs::check_input(&name.to_lowercase(), text) {
                self.add(value.line, Fact::InvalidInput { why: why.to_string() });
            }
        }
        if let Some(old) = self.step.old_input() {
            self.add(old.line, Fact::OldInput);
        }
        let offered = self.step.root.get_path(&["on", "workflow_dispatch", "inputs", "doctor"]);
        if let Some(offered) = offered.filter(|_| self.step.input("doctor").is_none()) {
            self.add(offered.line, Fact::UnusedDispatchInput);
        }
    }

    /// Adds a finding in this line of the workflow.
    fn add(&mut self, line: usize, fact: Fact) {
        self.findings.add_at(&self.step.path, line, fact);
    }

    /// Ends a section of checks, with this fact if it had no problem.
    fn finish_section(&mut self, good: Fact) {
        if self.findings.problem_count() == self.problems_before {
            self.findings.add_at(&self.step.path, None, good);
        }
        self.begin_section();
    }

    fn begin_section(&mut self) {
        self.problems_before = self.findings.problem_count();
    }
}
