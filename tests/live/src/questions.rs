//! Questions to GitHub that its documents don't answer. Each one sends raw requests and compares the replies with what the product
//! assumes.

use anyhow::{Context, Result, ensure};
use http::Method;
use serde_json::{Value, json};

use crate::api::Reply;
use crate::report::{Question, Row};
use crate::{Answer, Live, id, number, poll};

const OWN_COMMENT: Question = Question {
    text: "Does GitHub say that a comment is the token's own?",
    assumed: "`viewerDidAuthor` is true, or the login is the viewer's",
    is_vital: true,
};
const DELETION: Question = Question {
    text: "Is there an event after the author deletes a comment?",
    assumed: "Yes, in the issue's timeline",
    is_vital: false,
};
const REACTIONS: Question =
    Question { text: "Two equal reactions at the same time?", assumed: "One gets 201, the other 200", is_vital: true };
const COMMITS: Question = Question {
    text: "Two commits on one head at the same time?",
    assumed: "One lands, and the other's error says that the branch moved",
    is_vital: true,
};
const YOUNG_FILE: Question = Question {
    text: "A commit that deletes a file right after the commit that made it?",
    assumed: "It lands, or the error says that the path doesn't exist",
    is_vital: false,
};
const COST: Question = Question {
    text: "What does the daily run's page of 100 issues with ten comments cost?",
    assumed: "At most 10 points, and the reply is whole",
    is_vital: false,
};
const SIGNATURE: Question = Question {
    text: "Who wrote a commit, and is it signed?",
    assumed: "The token's account, and yes",
    is_vital: false,
};
const ASSOCIATION: Question = Question {
    text: "Does an author's association show whether they may push?",
    assumed: "`OWNER` may; in a person's public repository, `COLLABORATOR` may, too, and nobody else; elsewhere the bot asks",
    is_vital: false,
};
const ASSIGNMENT: Question =
    Question { text: "Can somebody who wrote in an issue be assigned to it?", assumed: "Yes", is_vital: false };
const PARTS: Question = Question {
    text: "Do the other parts of a request with a failing part succeed?",
    assumed: "The comment is posted, the label added and the title set",
    is_vital: false,
};
const INTERACTION_LIMIT: Question =
    Question { text: "Does an interaction limit stop the bot?", assumed: "No", is_vital: false };

const READ: &str = include_str!("read.graphql");
const ANSWER: &str = include_str!("answer.graphql");
/// The daily run's own request.
const SWEEP: &str = include_str!("../../../crates/github/src/sweep.graphql");

/// The file that questions commit and delete.
const FILE: &str = "play-by-commit-live.txt";

impl Live<'_> {
    /// Asks every question, in this issue.
    pub(crate) async fn ask_questions(&self, scratch: &Value, rows: &mut Vec<Row>) {
        let issue = number(scratch).unwrap_or_default();
        self.ask(rows, OWN_COMMENT, self.own_comment(issue)).await;
        self.ask(rows, DELETION, self.deletion(issue)).await;
        self.ask(rows, REACTIONS, self.reactions(issue)).await;
        self.ask(rows, COMMITS, self.commits(issue)).await;
        self.ask(rows, YOUNG_FILE, self.young_file()).await;
        self.ask(rows, COST, self.cost()).await;
        self.ask(rows, SIGNATURE, self.signature(scratch)).await;
        self.ask(rows, ASSOCIATION, self.association(issue, scratch)).await;
        self.ask(rows, ASSIGNMENT, self.assignment(issue, scratch)).await;
        self.ask(rows, PARTS, self.parts(issue, scratch)).await;
        self.ask(rows, INTERACTION_LIMIT, self.interaction_limit()).await;
    }

    async fn read(&self, issue: u64) -> Result<Value> {
        let variables = json!({ "issue0": issue, "comments": 1, "onDefault": true });
        let mut data = self.api.graphql(READ, variables).await?.accepted("reading an issue")?;
        Ok(data["data"].take())
    }

    /// Reads until the issue has a comment, and returns it and the viewer's login.
    async fn newest_comment(&self, issue: u64) -> Result<(Value, String)> {
        let read = poll(async || {
            let data = self.read(issue).await?;
            let comment = data["repository"]["issue0"]["comments"]["nodes"].get(0).cloned();
            Ok(comment.map(|comment| (comment, data["viewer"]["login"].as_str().unwrap_or_default().to_owned())))
        });
        read.await?.context("no read shows the comment")
    }

    async fn own_comment(&self, issue: u64) -> Result<Answer> {
        self.comment(issue, "Whose comment is this?").await?;
        let (comment, viewer) = self.newest_comment(issue).await?;
        let author = comment["author"]["login"].as_str().unwrap_or_default();
        let is_viewer = author == viewer.trim_end_matches("[bot]");
        let observed =
            format!("`viewerDidAuthor` {}, author `{author}`, viewer `{viewer}`", comment["viewerDidAuthor"]);
        Ok(Answer::agrees_if(comment["viewerDidAuthor"] == true || is_viewer, observed))
    }

    async fn deletion(&self, issue: u64) -> Result<Answer> {
        let comment = id(&self.comment(issue, "This comment will be deleted.").await?)?;
        self.delete(comment).await?;
        let event =
            poll(async || Ok(self.read(issue).await?["repository"]["issue0"]["deletions"]["nodes"].get(0).cloned()));
        Ok(match event.await? {
            Some(event) => Answer::agrees_if(true, format!("an event of {}", event["createdAt"])),
            None => Answer::agrees_if(false, "no event"),
        })
    }

    async fn delete(&self, comment: u64) -> Result<()> {
        let path = format!("issues/comments/{comment}");
        self.api.rest(Method::DELETE, &path, Value::Null).await?.accepted("deleting a comment").map(drop)
    }

    async fn reactions(&self, issue: u64) -> Result<Answer> {
        let comment = id(&self.comment(issue, "Two reactions at the same time.").await?)?;
        let path = format!("issues/comments/{comment}/reactions");
        let react = || self.api.rest(Method::POST, &path, json!({ "content": "eyes" }));
        let (one, other) = tokio::join!(react(), react());
        let mut statuses = [one?.status, other?.status];
        statuses.sort_unstable();
        Ok(Answer::agrees_if(statuses == [200, 201], format!("{} and {}", statuses[0], statuses[1])))
    }

    async fn commits(&self, issue: u64) -> Result<Answer> {
        let data = self.read(issue).await?;
        let head =
            data["repository"]["defaultBranchRef"]["target"]["oid"].as_str().context("the repository is empty")?;
        let branch = self.question_branch();
        let made = json!({ "ref": format!("refs/heads/{branch}"), "sha": head });
        self.api.rest(Method::POST, "git/refs", made).await?.accepted("creating a branch")?;
        let commit = |text| {
            let branch = &branch;
            async move { self.api.commit(branch, head, &[(FILE, Some(text))]).await }
        };
        let (one, other) = tokio::join!(commit("one\n"), commit("other\n"));
        let (one, other) = (one?, other?);
        let (landed, lost): (Vec<&Reply>, Vec<&Reply>) =
            [&one, &other].into_iter().partition(|reply| oid(reply).is_some());
        let errors: Vec<String> = lost.iter().filter_map(|reply| reply.error()).collect();
        // These are the words by which a run knows a lost race.
        let has_moved = |error: &String| {
            error.starts_with("`STALE_DATA`")
                || error.contains("Expected branch to point to")
                || (error.contains(" is at ") && error.contains("but expected"))
        };
        let observed = format!("{} landed; {}", landed.len(), errors.join("; "));
        Ok(Answer::agrees_if(landed.len() == 1 && errors.len() == 1 && errors.iter().all(has_moved), observed))
    }

    /// Returns the newest commit of the questions' branch.
    async fn head(&self) -> Result<String> {
        let branch = self.api.get(&format!("branches/{}", self.question_branch())).await?;
        branch["commit"]["sha"].as_str().map(str::to_owned).context("a branch without a commit")
    }

    async fn young_file(&self) -> Result<Answer> {
        let (branch, path) = (self.question_branch(), "play-by-commit-live-young.txt");
        let made = self.api.commit(&branch, &self.head().await?, &[(path, Some("young\n"))]).await?;
        let Some(made) = oid(&made) else { return made.accepted("committing a file").map(|_| Answer::not_asked("")) };
        let deleted = self.api.commit(&branch, &made, &[(path, None)]).await?;
        let error = deleted.error();
        let is_known = error.as_ref().is_none_or(|error| error.contains("does not exist as of commit"));
        Ok(Answer::agrees_if(is_known, error.unwrap_or_else(|| "it lands".to_owned())))
    }

    async fn cost(&self) -> Result<Answer> {
        let document = SWEEP.replacen("  repository(", "  rateLimit { cost remaining }\n  repository(", 1);
        let variables = json!({
            "since": "2020-01-01T00:00:00Z", "after": null, "issues": 100, "comments": 10, "branch": "refs/heads/none",
            "dir": "state", "withDefault": true, "withBranch": false,
        });
        let reply = self.api.graphql(&document, variables).await?;
        let limit = &reply.body["data"]["rateLimit"];
        let issues = reply.body["data"]["repository"]["issues"]["nodes"].as_array().map_or(0, Vec::len);
        let mut observed = format!("{issues} issues, {} points, {} left", limit["cost"], limit["remaining"]);
        let error = reply.error();
        observed.extend(error.iter().flat_map(|error| ["; ", error]));
        Ok(Answer::agrees_if(error.is_none() && limit["cost"].as_u64().is_some_and(|cost| cost <= 10), observed))
    }

    async fn signature(&self, scratch: &Value) -> Result<Answer> {
        let commit = self.api.get(&format!("commits/{}", self.head().await?)).await?;
        let (author, verification) = (&commit["author"]["login"], &commit["commit"]["verification"]);
        let observed = format!("author {author}, verified {} ({})", verification["verified"], verification["reason"]);
        Ok(Answer::agrees_if(*author == scratch["user"]["login"] && verification["verified"] == true, observed))
    }

    async fn association(&self, issue: u64, scratch: &Value) -> Result<Answer> {
        let repository = &self.read(issue).await?["repository"];
        let association = repository["issue0"]["comments"]["nodes"][0]["authorAssociation"].as_str().unwrap_or("none");
        let is_personal = repository["isInOrganization"] == false && repository["isPrivate"] == false;
        let login = scratch["user"]["login"].as_str().unwrap_or_default();
        let reply = self.api.rest(Method::GET, &format!("collaborators/{login}/permission"), Value::Null).await?;
        if let Some(error) = reply.error() {
            return Ok(Answer::not_asked(format!(
                "the token may not see permissions ({error}); association {association}"
            )));
        }
        let (role, may_push) = (&reply.body["permission"], reply.body["user"]["permissions"]["push"] == true);
        let shown = match association {
            "OWNER" => Some(true),
            _ if is_personal => Some(association == "COLLABORATOR"),
            _ => None,
        };
        let observed = format!(
            "of the token's account: {association}, a person's public repository: {is_personal}, permission {role}, may \
             push: {may_push}"
        );
        Ok(Answer::agrees_if(shown.is_none_or(|shown| shown == may_push), observed))
    }

    async fn assignment(&self, issue: u64, scratch: &Value) -> Result<Answer> {
        if scratch["user"]["type"] == "Bot" {
            return Ok(Answer::not_asked("GitHub assigns no bots; use a person's token"));
        }
        let assigned = json!({ "assignees": [scratch["user"]["login"]] });
        let reply = self.api.rest(Method::POST, &format!("issues/{issue}/assignees"), assigned).await?;
        let people = reply.accepted("assigning")?["assignees"].take();
        let is_assigned =
            people.as_array().is_some_and(|people| people.iter().any(|person| person["id"] == scratch["user"]["id"]));
        let observed = if is_assigned { "yes, the token's account; others need a second account" } else { "no" };
        Ok(Answer::agrees_if(is_assigned, observed))
    }

    async fn parts(&self, issue: u64, scratch: &Value) -> Result<Answer> {
        let label = self.api.rest(Method::GET, "labels/play-by-commit", Value::Null).await?;
        let Some(label) = label.body["node_id"].as_str() else {
            return Ok(Answer::not_asked("the repository has no label `play-by-commit`; play a game first"));
        };
        let gone = self.comment(issue, "This comment will be deleted, and then get a reaction.").await?;
        self.delete(id(&gone)?).await?;
        let title = format!("{} with a new title", scratch["title"].as_str().unwrap_or_default());
        let issue_id = &scratch["node_id"];
        let variables = json!({
            "comment": { "subjectId": issue_id, "body": "The reaction of this request fails." },
            "rocket0": { "subjectId": gone["node_id"], "content": "ROCKET" },
            "addLabel0": { "labelableId": issue_id, "labelIds": [label] },
            "title0": { "id": issue_id, "title": title },
        });
        let reply = self.api.graphql(ANSWER, variables).await?;
        let error = reply.error().context("the reaction to a comment that is gone succeeded")?;
        let is_done = |part: &str| reply.body["data"][part].is_object();
        let about = self.api.get(&format!("issues/{issue}")).await?;
        let is_labeled = about["labels"]
            .as_array()
            .is_some_and(|labels| labels.iter().any(|label| label["name"] == "play-by-commit"));
        ensure!(
            is_labeled == is_done("addLabel0"),
            "the reply says that the label was added: {}, but: {is_labeled}",
            is_done("addLabel0")
        );
        let parts = ["comment", "rocket0", "addLabel0", "title0"];
        let state = |part: &str| format!("{part}: {}", if is_done(part) { "done" } else { "failed" });
        let observed = format!("{}; {error}", parts.map(state).join(", "));
        self.api.rest(Method::DELETE, &format!("issues/{issue}/labels/play-by-commit"), Value::Null).await?;
        let is_issue_updated = is_done("addLabel0") && is_done("title0") && about["title"] == title;
        Ok(Answer::agrees_if(is_done("comment") && is_issue_updated, observed))
    }

    async fn interaction_limit(&self) -> Result<Answer> {
        let reply = self.api.rest(Method::GET, "interaction-limits", Value::Null).await?;
        Ok(match (reply.error(), reply.body["limit"].as_str()) {
            (Some(error), _) => Answer::not_asked(format!("the token may not see limits ({error})")),
            (_, None) => Answer::not_asked("no limit is on; an administrator can set one and run this again"),
            // Every comment before this was posted.
            (_, Some(limit)) => Answer::agrees_if(true, format!("`{limit}` is on, and the token's comments are there")),
        })
    }
}

/// Returns the commit in a reply.
fn oid(reply: &Reply) -> Option<String> {
    reply.body["data"]["createCommitOnBranch"]["commit"]["oid"].as_str().map(str::to_owned)
}
