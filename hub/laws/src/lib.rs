#![doc = include_str!("../README.md")]

mod read_move;

mod scoresheet;

mod mate;

mod board_end;

mod electronic_board;

mod rule_set;

mod proceedings;

mod article;

pub mod script;

mod fifty;

pub use article::{ARTICLES, Article, articles_on, figures_of};
pub use board_end::{BoardEnd, board_end};
pub use electronic_board::{BoardEntry, NoBoardEntry};
pub use fifty::{ERAS, EraRow, era_row};
pub use mate::{
    DEFAULT_SEARCH, MateVerdict, can_mate, can_mate_within, is_dead_position, material_can_mate,
};
pub use proceedings::{
    Actor, Choice, Claimable, Decision, Finding, FlagOrder, Offence, OffenceKind, OpenClaim,
    ParseRequestError, ProcedureStep, Proceedings, Refusal, Request, Situation, effect_of,
    othello_score,
};
pub use read_move::{MoveError, Unplayable, read_move};
pub use rule_set::{
    AutomaticDraw, CannotMate, Cited, ClaimKind, ClaimRule, FlagCaller, FlagRule, GameKind,
    IllegalMoveRule, ProcedureKind, ResultsRule, RuleSet, RuleSetError, Switch,
};
pub use scoresheet::{MovetextError, PlayedMove, Scoresheet, StartError};

use shakmaty::Color;
use timing::Side;

pub(crate) const fn color_of(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

pub(crate) const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}
