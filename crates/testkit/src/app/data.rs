//! The data of the fake GitHub: its App, accounts, installations, repositories and tokens.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, mpsc};
use std::time::Instant;

use serde_json::{Value, json};
use table::Permission;

use super::deliveries::Courier;
use super::limits::{Limit, Usage};
use crate::Millis;
use crate::payloads;
use crate::world::{FIRST_REPOSITORY, Person, State, World};

/// The kind of an account that has repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountKind {
    User,
    Organization,
}

impl AccountKind {
    /// Returns GitHub's word for the kind.
    pub fn name(self) -> &'static str {
        match self {
            AccountKind::User => "User",
            AccountKind::Organization => "Organization",
        }
    }
}

/// An account's ID and kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) kind: AccountKind,
}

/// The App.
pub(super) struct App {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) slug: String,
    pub(super) client_id: String,
    pub(super) owner: String,
    pub(super) external_url: String,
    pub(super) webhook_secret: String,
    pub(super) urls: Vec<String>,
    pub(super) permissions: BTreeMap<String, String>,
    pub(super) events: Vec<String>,
    pub(super) created: Millis,
}

impl App {
    /// Returns the user ID of the App's account.
    pub(super) fn bot_id(&self) -> u64 {
        100_000_000 + self.id
    }

    /// Returns the App's account as payloads and the REST API show it.
    pub(super) fn bot_json(&self) -> Value {
        payloads::user(&format!("{}[bot]", self.slug), self.bot_id(), "Bot")
    }
}

/// An installation of the App on an account.
pub(super) struct Installation {
    pub(super) id: u64,
    pub(super) account: String,
    pub(super) permissions: BTreeMap<String, String>,
    pub(super) repositories: BTreeSet<u64>,
    pub(super) created: Millis,
    pub(super) suspended: Option<Millis>,
    pub(super) limit: Option<Limit>,
    pub(super) usage: Usage,
}

/// A repository.
pub(super) struct Repository {
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) world: Arc<World>,
    pub(super) is_archived: bool,
    /// New comments (0: the issue itself) that reads don't show yet: issue, comment, and when it is shown.
    pub(super) hidden: Vec<(u64, u64, Millis)>,
}

impl Repository {
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }
}

/// An installation token.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) installation: u64,
    /// The repositories that it's narrowed to.
    pub(super) repositories: Option<BTreeSet<u64>>,
    pub(super) permissions: BTreeMap<String, String>,
    pub(super) expires: Millis,
}

/// A `repository_dispatch` that the App sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    pub repository: u64,
    pub event_type: String,
    pub client_payload: Value,
    pub at: Millis,
}

/// A comment that the App posted.
#[derive(Clone, Debug)]
pub struct Posted {
    pub repository: u64,
    pub full_name: String,
    pub issue: u64,
    pub comment: u64,
    pub text: String,
    pub at: Instant,
}

/// All data, except that of the repositories.
pub(super) struct Data {
    pub(super) app: App,
    pub(super) accounts: BTreeMap<String, Account>,
    pub(super) installations: BTreeMap<u64, Installation>,
    pub(super) repositories: BTreeMap<u64, Repository>,
    /// The repositories by name in lower case, with their former names.
    pub(super) names: HashMap<String, u64>,
    pub(super) tokens: HashMap<String, Token>,
    pub(super) public_key: Vec<u8>,
    pub(super) token_lifetime: Millis,
    pub(super) limit: Option<Limit>,
    pub(super) courier: Courier,
    /// The manifests whose App isn't created yet, by code.
    pub(super) codes: BTreeMap<String, Value>,
    pub(super) dispatches: Vec<Dispatch>,
    pub(super) watchers: Vec<mpsc::Sender<Posted>>,
    pub(super) requests: BTreeMap<String, u64>,
    /// The number of deleted installations, whose IDs stay unused.
    pub(super) removed: u64,
    counter: u64,
}

impl Data {
    pub(super) fn new(now: Millis) -> Data {
        let permissions = [("contents", "write"), ("issues", "write"), ("metadata", "read")];
        let events = ["issue_comment", "issues", "repository"];
        let app = App {
            id: 4242,
            name: "Play by Commit".to_owned(),
            slug: "play-by-commit".to_owned(),
            client_id: "Iv23liTheClientOfTests".to_owned(),
            owner: "octo".to_owned(),
            external_url: "https://games.example.org".to_owned(),
            webhook_secret: "webhook-secret-of-the-tests".to_owned(),
            urls: Vec::new(),
            permissions: permissions.map(|(name, level)| (name.to_owned(), level.to_owned())).into(),
            events: events.map(str::to_owned).into(),
            created: now,
        };
        Data {
            app,
            accounts: BTreeMap::new(),
            installations: BTreeMap::new(),
            repositories: BTreeMap::new(),
            names: HashMap::new(),
            tokens: HashMap::new(),
            public_key: super::auth::public_key(),
            token_lifetime: 3_600_000,
            limit: None,
            courier: Courier::default(),
            codes: BTreeMap::new(),
            dispatches: Vec::new(),
            watchers: Vec::new(),
            requests: BTreeMap::new(),
            removed: 0,
            counter: now,
        }
    }

    /// Returns a number that is different each time.
    pub(super) fn next(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Counts a request.
    pub(super) fn count(&mut self, kind: &str) {
        match self.requests.get_mut(kind) {
            Some(count) => *count += 1,
            None => drop(self.requests.insert(kind.to_owned(), 1)),
        }
    }

    pub(super) fn installation(&mut self, id: u64) -> &mut Installation {
        self.installations.get_mut(&id).unwrap_or_else(|| panic!("there's no installation {id}"))
    }

    /// Returns the installation that a repository belongs to.
    pub(super) fn installation_of(&self, repository: u64) -> Option<&Installation> {
        self.installations.values().find(|installation| installation.repositories.contains(&repository))
    }

    /// Returns a repository by its full name, or a former one.
    pub(super) fn find(&self, full_name: &str) -> Option<u64> {
        self.names.get(&full_name.to_ascii_lowercase()).copied()
    }

    /// Returns an account, and creates it if it is new.
    pub(super) fn account(&mut self, login: &str, kind: AccountKind) -> Account {
        let id = 2_000_001 + self.accounts.len() as u64;
        *self.accounts.entry(login.to_owned()).or_insert(Account { id, kind })
    }

    /// Returns an account as payloads and the REST API show it.
    pub(super) fn account_json(&self, login: &str) -> Value {
        let account = self.accounts.get(login).copied();
        // A person of a single repository, whom a test added there.
        let Account { id, kind } = account.unwrap_or(Account { id: 1, kind: AccountKind::User });
        payloads::user(login, id, kind.name())
    }

    /// Adds a new repository to an account.
    pub(super) fn create_repository(&mut self, owner: &str, name: &str) -> u64 {
        let id = FIRST_REPOSITORY + 1 + self.repositories.len() as u64;
        let Account { kind, .. } = self.account(owner, AccountKind::User);
        let world = Arc::new(World::new());
        world.set_logging(false);
        world.change(|state| {
            state.repository_id = id;
            state.latency = 0;
            state.pace = 0;
            state.next_comment = 5_000_000_001 + (id - FIRST_REPOSITORY) * 1_000_000;
            state.is_of_organization = kind == AccountKind::Organization;
        });
        let (owner, name) = (owner.to_owned(), name.to_owned());
        let repository = Repository { owner, name, world, is_archived: false, hidden: Vec::new() };
        self.names.insert(repository.full_name().to_ascii_lowercase(), id);
        self.repositories.insert(id, repository);
        self.add_people(id);
        id
    }

    /// Makes the App's account the bot of a repository, and its owner a person there.
    pub(super) fn add_people(&mut self, repository: u64) {
        let (slug, bot_id) = (self.app.slug.clone(), self.app.bot_id());
        let Repository { owner, world, .. } = &self.repositories[&repository];
        let Account { id, kind } = self.accounts[owner];
        world.change(|state| {
            let person = |id, login: &str, bot| Person {
                id,
                login: login.to_owned(),
                bot,
                association: if bot { "NONE" } else { "OWNER" },
                permission: if bot { Permission::Read } else { Permission::Write },
            };
            state.people.insert(slug.clone(), person(bot_id, &slug, true));
            if kind == AccountKind::User {
                state.people.insert(owner.clone(), person(id, owner, false));
            }
            state.bot = slug;
        });
    }

    /// Makes a person known to a repository, under the same ID as everywhere.
    pub(super) fn meet(&mut self, state: &mut State, login: &str) {
        let Account { id, .. } = self.account(login, AccountKind::User);
        let (login, association, permission) = (login.to_owned(), "NONE", Permission::Read);
        let person = Person { id, login: login.clone(), bot: false, association, permission };
        state.people.entry(login).or_insert(person);
    }

    /// Returns an installation as the API shows it.
    pub(super) fn installation_json(&self, url: &str, id: u64) -> Value {
        let installation = &self.installations[&id];
        let account = self.account_json(&installation.account);
        let (target, kind) = (account["id"].clone(), account["type"].clone());
        json!({
            "id": id,
            "client_id": self.app.client_id,
            "account": account,
            "repository_selection": "selected",
            "access_tokens_url": format!("{url}/app/installations/{id}/access_tokens"),
            "repositories_url": format!("{url}/installation/repositories"),
            "html_url": format!("{url}/settings/installations/{id}"),
            "app_id": self.app.id,
            "app_slug": self.app.slug,
            "target_id": target,
            "target_type": kind,
            "permissions": installation.permissions,
            "events": self.app.events,
            "created_at": super::endpoints::time(installation.created),
            "updated_at": super::endpoints::time(installation.created),
            "single_file_name": null,
            "has_multiple_single_files": false,
            "single_file_paths": [],
            "suspended_by": null,
            "suspended_at": installation.suspended.map(super::endpoints::time),
        })
    }

    /// Returns a repository as the API and payloads show it.
    pub(super) fn repository_json(&self, id: u64) -> Value {
        let repository = &self.repositories[&id];
        let full_name = repository.full_name();
        let mut shown = payloads::repository();
        rename(&mut shown, &full_name);
        shown["id"] = json!(id);
        shown["node_id"] = json!(format!("R_{id}"));
        shown["name"] = json!(repository.name);
        shown["owner"] = self.account_json(&repository.owner);
        shown["archived"] = json!(repository.is_archived);
        shown["default_branch"] = json!(repository.world.with_state(|state| state.default_branch.clone()));
        shown
    }
}

/// Replaces the repository's name in the URLs of a payload.
pub(super) fn rename(value: &mut Value, full_name: &str) {
    match value {
        Value::String(text) if text.contains(payloads::REPOSITORY) => {
            *text = text.replace(payloads::REPOSITORY, full_name);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, full_name)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, full_name)),
        _ => {}
    }
}
