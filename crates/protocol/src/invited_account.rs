//! The look-up of an invited person, before a game begins.

use table::any_table::AnyTable;
use table::decisions::refusal::{Refusal, SetupRefusal};
use tracing::info;

use crate::forge::{Account, Forge};
use crate::memory::RunMemory;

/// Returns the refusal of a new game whose invited account doesn't exist or can't play. It takes at most one request for each
/// username, and none for other commands. If the request fails, the game begins.
pub(super) async fn refuse_invitation(forge: &dyn Forge, memory: &mut RunMemory, table: &AnyTable) -> Option<Refusal> {
    let login = table.invited_by_name()?;
    // A username with an underscore is an account that a company manages, and GitHub may hide it from the bot.
    if login.contains('_') {
        return None;
    }
    let account = match memory.account(login) {
        Some(known) => known,
        None => match forge.account(login).await {
            Ok(account) => account,
            Err(fault) => {
                info!("The bot couldn't look up the invited account, so the game begins. {fault}");
                Account::Person
            }
        },
    };
    memory.note_account(login, account);
    match account {
        Account::Person => None,
        Account::Organization => Some(SetupRefusal::OpponentIsOrganization(format!("@{login}")).into()),
        Account::Missing => Some(SetupRefusal::OpponentIsMissing(format!("@{login}")).into()),
    }
}
