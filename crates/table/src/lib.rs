//! Comments, tables, records and decisions. The crate decides what a comment does to a game. It is pure: no I/O, no clock.
//!
//! `history` defines the events, and `game_state` decides what may happen. `table` applies events to a table.
//! [`state_file`] writes a table to a file and reads it back by replaying it.

pub mod absence;
mod comments;
mod conditional_moves;
mod crowd;
mod decisions;
pub mod dice;
mod effects;
pub mod engine;
mod game_state;
mod game_summary;
mod history;
mod ids;
mod invalid_history;
pub mod json;
mod offers;
mod players;
pub mod state_file;
mod state_path;
mod table;
mod timeline;
pub mod timestamp;

pub use absence::{Absence, Absences, AwayFile, AwayRequest, MAX_DAYS};
pub use comments::command::{Command, CommandTarget};
pub use comments::commands::{NEW, Usage, commands, find_command, target_of};
pub use comments::comment::{Author, CommentContext, CommentRef, Entropy, Permission, RefusedAttempt, Turn, is_login};
pub use comments::game_names::{expand_variant, is_computer_word, variant_words};
pub use comments::own_text::form_comment;
pub use comments::parsed_comment::{
    ParsedComment, is_complete_command, parse_comment, parse_issue_body, parse_issue_title, starts_job,
};
pub use comments::phrases::{Meaning, phrases};
pub use conditional_moves::{ANY, Branch, MAX_COMMENTS_PER_TURN, MAX_MOVES, MAX_WRITTEN_PER_TURN, RESIGN};
pub use crowd::{Ballot, Candidate, CrowdRule, VoteCount, VoteReaction, total_votes};
pub use decisions::append::{end_without_issue, let_flag_fall, play_voted_move};
pub use decisions::decide::{decide, decide_at_once, decide_refusal};
pub use decisions::decision::{Decision, Done, Pending, Query, Ranking};
pub use decisions::interpret::{Interpreted, begins_with_move, interpret, interpreted_count, may_answer};
pub use decisions::option_words::TABLE_OPTIONS;
pub use decisions::refusal::{
    AwayRefusal, CommandError, LineFault, MoveRefusal, MovedOn, Refusal, Suggestion, level_names, reserved_for,
};
pub use decisions::setup::{HostPolicy, WhoMayStart};
pub use decisions::setup_refusal::{InvalidTableOption, SetupRefusal};
pub use decisions::suggestion::names_piece_in_french;
pub use decisions::table_refusal::{
    ClockRefusal, ConditionalRefusal, CrowdRefusal, ExtensionRefusal, NudgeRefusal, OfferRefusal, SeatRefusal,
    TableRefusal,
};
pub use dice::{Commitment, InvalidSecret, Key, RoundContext, Secret};
pub use game_state::TableStatus;
pub use game_state::time::{LATE_AFTER, MENTION_INTERVAL, TurnClock};
pub use game_summary::{GameSummary, RatingChange, is_player_name, is_provisional};
pub use history::{Effect, Event, EventKind, ImportedReason, ImportedResult, Mover, OpenRule, PgnTags, Reply, Terms};
pub use ids::{CommentId, IssueNumber, Oid, RepositoryId, ResultNumber, UserId};
pub use invalid_history::InvalidHistory;
pub use offers::{Offer, Question, asked_question, mentions_opponent};
pub use players::{COMPUTER_NAME, CROWD_NAME, Person, Player, Players};
pub use state_file::InvalidFile;
pub use state_path::StatePath;
pub use table::Table;
pub use timeline::{MadeBy, Ply, ReplyAudit};
pub use timestamp::Timestamp;
