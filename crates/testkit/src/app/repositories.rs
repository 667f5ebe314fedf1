//! Changes to installations and repositories. Each sends its webhooks.

use serde_json::json;

use super::data::Installation;
use super::limits::Usage;
use super::{AccountKind, AppServer, webhooks};

impl AppServer {
    /// Installs the App on an account with these repositories, which it creates, and returns the installation's ID. Sends
    /// `installation` (`created`).
    pub fn install(&self, account: &str, kind: AccountKind, repositories: &[&str]) -> u64 {
        let now = self.shared.now();
        let mut data = self.shared.data();
        data.account(account, kind);
        let id = 70_000_001 + data.installations.len() as u64 + data.removed;
        let repositories = repositories.iter().map(|name| data.create_repository(account, name)).collect();
        let installation = Installation {
            id,
            account: account.to_owned(),
            permissions: data.app.permissions.clone(),
            repositories,
            created: now,
            suspended: None,
            limit: None,
            usage: Usage::default(),
        };
        data.installations.insert(id, installation);
        webhooks::send_installation(&self.shared, &mut data, id, "created");
        id
    }

    /// Sets the permissions that an account has granted, such as `[("issues", "read")]`.
    pub fn set_permissions(&self, installation: u64, permissions: &[(&str, &str)]) {
        let permissions = permissions.iter().map(|(name, level)| ((*name).to_owned(), (*level).to_owned()));
        self.shared.data().installation(installation).permissions = permissions.collect();
    }

    /// Creates a repository and adds it to an installation. Sends `installation_repositories` (`added`).
    pub fn add_repository(&self, installation: u64, name: &str) -> u64 {
        let mut data = self.shared.data();
        let owner = data.installation(installation).account.clone();
        let repository = data.create_repository(&owner, name);
        data.installation(installation).repositories.insert(repository);
        webhooks::send_repositories(&self.shared, &mut data, installation, "added", repository);
        repository
    }

    /// Takes a repository from its installation. Sends `installation_repositories` (`removed`).
    pub fn remove_repository(&self, repository: u64) {
        let mut data = self.shared.data();
        let Some(installation) = data.installation_of(repository).map(|installation| installation.id) else { return };
        data.installation(installation).repositories.remove(&repository);
        webhooks::send_repositories(&self.shared, &mut data, installation, "removed", repository);
    }

    /// Suspends an installation. Sends `installation` (`suspend`).
    pub fn suspend(&self, installation: u64) {
        let now = self.shared.now();
        let mut data = self.shared.data();
        data.installation(installation).suspended = Some(now);
        webhooks::send_installation(&self.shared, &mut data, installation, "suspend");
    }

    /// Ends the suspension of an installation. Sends `installation` (`unsuspend`).
    pub fn unsuspend(&self, installation: u64) {
        let mut data = self.shared.data();
        data.installation(installation).suspended = None;
        webhooks::send_installation(&self.shared, &mut data, installation, "unsuspend");
    }

    /// Deletes an installation. Its repositories stay. Sends `installation` (`deleted`).
    pub fn uninstall(&self, installation: u64) {
        let mut data = self.shared.data();
        webhooks::send_installation(&self.shared, &mut data, installation, "deleted");
        data.installations.remove(&installation);
        data.removed += 1;
        data.tokens.retain(|_, token| token.installation != installation);
    }

    /// Renames a repository. Sends `repository` (`renamed`).
    pub fn rename(&self, repository: u64, name: &str) {
        let mut data = self.shared.data();
        let found = data.repositories.get_mut(&repository).expect("the repository exists");
        let old = std::mem::replace(&mut found.name, name.to_owned());
        let full_name = found.full_name();
        data.names.insert(full_name.to_ascii_lowercase(), repository);
        let changes = json!({ "repository": { "name": { "from": old } } });
        webhooks::send_repository(&self.shared, &mut data, repository, "renamed", Some(changes));
    }

    /// Transfers a repository to another account. If the App is installed there, that installation gets the repository. Sends
    /// `installation_repositories` (`removed`, and `added`) and `repository` (`transferred`).
    pub fn transfer(&self, repository: u64, account: &str) {
        self.remove_repository(repository);
        let mut data = self.shared.data();
        data.account(account, AccountKind::User);
        let found = data.repositories.get_mut(&repository).expect("the repository exists");
        let old = std::mem::replace(&mut found.owner, account.to_owned());
        let full_name = found.full_name();
        data.names.insert(full_name.to_ascii_lowercase(), repository);
        let is_of_organization = data.accounts[account].kind == AccountKind::Organization;
        data.repositories[&repository].world.change(|state| state.is_of_organization = is_of_organization);
        data.add_people(repository);
        let there = data.installations.values().find(|installation| installation.account == account);
        if let Some(there) = there.map(|installation| installation.id) {
            data.installation(there).repositories.insert(repository);
            webhooks::send_repositories(&self.shared, &mut data, there, "added", repository);
        }
        let kind = if data.accounts[&old].kind == AccountKind::User { "user" } else { "organization" };
        let changes = json!({ "owner": { "from": { kind: data.account_json(&old) } } });
        webhooks::send_repository(&self.shared, &mut data, repository, "transferred", Some(changes));
    }

    /// Archives a repository, so that it's read-only. Sends `repository` (`archived`).
    pub fn archive(&self, repository: u64) {
        self.set_archived(repository, true, "archived");
    }

    /// Makes an archived repository writable. Sends `repository` (`unarchived`).
    pub fn unarchive(&self, repository: u64) {
        self.set_archived(repository, false, "unarchived");
    }

    fn set_archived(&self, repository: u64, is_archived: bool, action: &str) {
        let mut data = self.shared.data();
        data.repositories.get_mut(&repository).expect("the repository exists").is_archived = is_archived;
        webhooks::send_repository(&self.shared, &mut data, repository, action, None);
    }

    /// Deletes a repository. Sends `repository` (`deleted`).
    pub fn delete_repository(&self, repository: u64) {
        let mut data = self.shared.data();
        webhooks::send_repository(&self.shared, &mut data, repository, "deleted", None);
        data.names.retain(|_, id| *id != repository);
        for installation in data.installations.values_mut() {
            installation.repositories.remove(&repository);
        }
    }

    /// Sends `ping`, as GitHub does when an App is created.
    pub fn ping(&self) {
        webhooks::send_ping(&self.shared, &mut self.shared.data());
    }
}
