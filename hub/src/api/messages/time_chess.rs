//! Converts a game of Time Chess to messages. Takes positions and turns only from views, which omit what the viewer must not see.

use hall::view::{self, Running};
use hall::{BoardDetail, PlayerRefusal, to_proto};
use proto::grpc;
use time_chess::{Attempt, Phase, Refusal, SeenTurn, View, Viewer, side_of};

use super::{maybe_side, text};

/// Converts a board's game: the whole game for arbiters, otherwise only what both players may see.
pub(super) fn on_board(
    detail: &BoardDetail,
    public: Option<&view::TimeChess>,
) -> Option<grpc::TimeChessBoard> {
    let public = public?;
    let Some(game) = &detail.time_chess else {
        let view = grpc::TimeChessView {
            phase: public.phase.to_owned(),
            blind: maybe_side(public.blind).into(),
            pieces: public.pieces.clone(),
            ..grpc::TimeChessView::default()
        };
        return Some(grpc::TimeChessBoard {
            view: Some(view),
            ..grpc::TimeChessBoard::default()
        });
    };
    Some(grpc::TimeChessBoard {
        view: Some(seen(&game.view(Viewer::Arbiter), game.game.start().phase())),
        press: to_proto::time_chess::press_rule(game.press).into(),
        draw_offer: to_proto::side(game.offer).into(),
    })
}

/// Converts the part of a game that one viewer may see. `first` is the phase of the game's first turn.
pub(in crate::api) fn seen(view: &View, first: Phase) -> grpc::TimeChessView {
    let blind = view.phase.blind().filter(|_| view.outcome.is_none());
    let phases = std::iter::successors(Some(first), |phase| Some(phase.next()));
    let turns = phases.zip(&view.turns);
    grpc::TimeChessView {
        phase: view.phase.name().to_owned(),
        blind: to_proto::side(blind.map(side_of)).into(),
        move_number: view.fullmoves,
        moved: view.is_moved,
        pieces: view.board.board_fen().to_string(),
        check: to_proto::side(view.check.map(side_of)).into(),
        attempts: view.attempts.iter().map(Attempt::to_string).collect(),
        turns: turns.map(|(phase, turn)| turn_of(phase, turn)).collect(),
        end: text(view.outcome.map(|outcome| outcome.reason.words())),
    }
}

fn turn_of(phase: Phase, turn: &SeenTurn) -> grpc::TimeChessTurn {
    let base = grpc::TimeChessTurn {
        phase: phase.name().to_owned(),
        ..grpc::TimeChessTurn::default()
    };
    match *turn {
        SeenTurn::Hidden => grpc::TimeChessTurn {
            hidden: true,
            ..base
        },
        SeenTurn::Forfeited { attempt } => grpc::TimeChessTurn {
            forfeited: true,
            attempt: text(attempt),
            ..base
        },
        SeenTurn::Moved {
            from,
            to,
            promotion,
            captured,
            attempt,
        } => {
            let made = Attempt {
                from,
                to,
                promotion,
            };
            grpc::TimeChessTurn {
                r#move: made.to_string(),
                captured: text(captured.map(|role| role.char())),
                attempt: text(attempt.filter(|attempt| *attempt != made)),
                ..base
            }
        }
    }
}

pub(in crate::api) fn running(running: Running) -> proto::Side {
    match running {
        Running::White => proto::Side::White,
        Running::Black => proto::Side::Black,
        Running::None => proto::Side::Unspecified,
    }
}

pub(in crate::api) fn refusal(why: PlayerRefusal) -> grpc::ActRefusal {
    match why {
        PlayerRefusal::NoGame => grpc::ActRefusal::NoGame,
        PlayerRefusal::NotRunning => grpc::ActRefusal::NotRunning,
        PlayerRefusal::NotInPlay => grpc::ActRefusal::NotInPlay,
        PlayerRefusal::PressTheClock => grpc::ActRefusal::PressTheClock,
        PlayerRefusal::NoOffer => grpc::ActRefusal::NoOffer,
        PlayerRefusal::OfferStands => grpc::ActRefusal::OfferStands,
        PlayerRefusal::Game(why) => match why {
            Refusal::NotPossible(_) => grpc::ActRefusal::NotPossible,
            Refusal::AlreadyMoved => grpc::ActRefusal::AlreadyMoved,
            Refusal::NotMoved => grpc::ActRefusal::NotMoved,
            Refusal::NotOnMove => grpc::ActRefusal::NotOnMove,
            Refusal::Blind => grpc::ActRefusal::Blind,
            Refusal::NoDraw => grpc::ActRefusal::NoDraw,
            Refusal::GameOver(_) | Refusal::DecidedByRules(_) => grpc::ActRefusal::NotInPlay,
        },
    }
}
