//! Accounts as [the REST API](https://docs.github.com/en/rest/users/users#get-a-user) describes them.

use protocol::forge::{Account, Fault};
use serde::Deserialize;

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
