//! Players, rounds, results and standings of one event.
//!
//! Owns the fold of [`Change`]s, the standings computed from it, and the file formats of other programs. Must never
//! read a clock, a file or a socket, know a wire format, or use floating point.

#[macro_use]
mod text_enum;

pub mod abnormal_points;
pub mod actor;
pub mod berger;
pub mod change;
pub mod cross_table;
pub mod event;
pub mod fold;
pub mod formats;
pub mod numbering;
pub mod numbers;
pub mod pairing_rules;
pub mod player;
pub mod points;
pub mod rate_of_play;
pub mod refusal;
pub mod result;
pub mod round;
pub mod standings;
pub mod stated;
pub mod team;
pub mod tie_break;

pub use abnormal_points::{AbnormalPoints, ResultKind};
pub use actor::{Actor, ActorKind};
pub use change::{Change, Pairing, Pairings, Refusal, Renumbering, Reseating, Scope};
pub use event::{Contest, Date, Event, Regulations, Sector, System};
pub use fold::{Publication, Rounds, Tournament};
pub use numbers::{BoardNo, MatchNo, Participant, PlayerNo, RoundNo, TeamNo};
pub use pairing_rules::{Acceleration, Forbidden};
pub use player::{Player, Sex, TITLES, fide_title};
pub use points::{Points, Ratio};
pub use rate_of_play::RateOfPlay;
pub use refusal::{Conflict, Invalid, InvalidResult};
pub use result::{Bye, Game, GameResult, Outcome, Scoring, Tally};
pub use round::{Board, BoardPhase, Correction, Match, ProposalReason, Round, RoundPhase};
pub use standings::{Explanation, Row, Standings};
pub use stated::{PlaceSource, StatedRow, StatedStandings};
pub use team::Team;
pub use tie_break::{Code, Cut, KoyaLimit, Measure, TieBreak};
pub use timing::Side;
