//! Accounts and their permissions as the REST API describes them.

use protocol::forge::{Account, Fault};
use serde::Deserialize;
use table::comments::comment::Author;
use table::comments::context::Permission;

use crate::fault;
use crate::reply::Reply;

/// The field of an account that the bot needs.
#[derive(Deserialize)]
struct User {
    r#type: String,
}

/// Returns the account in a reply.
///
/// # Errors
/// Returns an error if the reply has an unexpected status.
pub(super) fn from_reply(reply: &Reply) -> Result<Account, Fault> {
    match reply.status.as_u16() {
        200 if reply.json::<User>()?.r#type == "Organization" => Ok(Account::Organization),
        200 => Ok(Account::Person),
        404 => Ok(Account::Missing),
        _ => Err(fault::from_refusal(reply)),
    }
}

/// Returns a person's permission in a reply about their username.
///
/// The reply's own field `permission` can't tell `triage` from `read`, so this uses the permissions of the user in it.
pub(super) fn permission_from_reply(reply: &Reply, person: &Author) -> Result<Permission, Fault> {
    #[derive(Deserialize)]
    struct Body {
        user: Option<Collaborator>,
    }
    #[derive(Deserialize)]
    struct Collaborator {
        id: u64,
        permissions: Option<Permissions>,
    }
    #[derive(Deserialize)]
    struct Permissions {
        #[serde(default)]
        triage: bool,
        #[serde(default)]
        push: bool,
    }
    let user = reply.json::<Body>()?.user.filter(|user| user.id == person.id.get());
    // Somebody else may have the username by now.
    Ok(match user.and_then(|user| user.permissions) {
        Some(Permissions { push: true, .. }) => Permission::Write,
        Some(Permissions { triage: true, .. }) => Permission::Triage,
        _ => Permission::Read,
    })
}
