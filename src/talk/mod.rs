//! What people say: who says it, where and when, and the command that it is read as.
//!
//! [`thread`] is the data of a conversation as a forge shows it; [`command`] turns a comment into a command or into chat.
//!
//! May use: [`crate::game`], [`crate::games`]. Used by: everything above.

pub mod command;
pub mod comment;
pub mod thread;
pub mod utterance;
