//! Collects each game's figures from the hall, and checks them against the conditions of [`super::game`].

use timing::{BoardState, BySide, Duration, Hub, Instant, Side};

use super::game::{self, Counts, GameFigures, ScoreFigures};
use super::{Finding, Kind, Subject, Verdict};
use crate::Hall;
use crate::board::{Board, Keeper};
use crate::pair::on_board;
use crate::rulings::ahead_of;

impl Hall {
    pub(super) fn check_games(&self, now: Instant<Hub>) -> Vec<Finding> {
        let running = self.fold.boards.values().filter(|board| board.runs());
        let running = u64::try_from(running.count()).unwrap_or(u64::MAX);
        let mut found = Vec::new();
        for board in self.fold.boards.values() {
            if board.fault.is_some() {
                // The board's clock has failed, and the arbiter already has a note about that.
                continue;
            }
            let figures = self.game_figures(board, now, running);
            let at = &self.live.options.notes;
            let verdicts: [(Kind, Verdict); 5] = [
                (Kind::MissedPress, game::missed_press(&figures, at)),
                (Kind::Counters, game::counters(&figures).into()),
                (Kind::ScoreDiffers, game::score(&figures)),
                (Kind::IgnoredPresses, game::ignored_presses(&figures, at)),
                (Kind::Stopped, game::stopped(&figures, at).into()),
            ];
            for (kind, verdict) in verdicts {
                found.extend(self.news(Subject::board(&board.id), kind, verdict));
            }
            if !board.in_play() {
                found.extend(self.fold.anomalies.unchecked_time_over(&board.id));
            }
        }
        found
    }

    fn game_figures<'a>(
        &self,
        board: &'a Board,
        now: Instant<Hub>,
        running: u64,
    ) -> GameFigures<'a> {
        let clock = board.clock();
        let control = clock.time_control();
        let at = clock.now();
        GameFigures {
            id: &board.id,
            state: clock.state(),
            in_state_for: board.since.map_or(Duration::ZERO, |since| now - since),
            moves: BySide::from_fn(|side| clock.side(side, at).moves),
            main: BySide::from_fn(|side: Side| {
                let first = control.side(side).periods().first();
                first.map_or(Duration::ZERO, |period| period.main)
            }),
            moved_on: self.moved_on(board),
            score: self.score_figures(board),
            counts: self.counts(board, now, running),
        }
    }

    fn score_figures(&self, board: &Board) -> Option<ScoreFigures> {
        let score = board.rulings.score()?;
        (!score.moves().is_empty() && self.is_online(board)).then(|| ScoreFigures {
            ahead: ahead_of(score, board.clock()),
            is_followed: board.rulings.is_followed(),
        })
    }

    fn moved_on(&self, board: &Board) -> bool {
        let subject = Subject::board(&board.id);
        let noted = self.fold.anomalies.since(subject, Kind::MissedPress);
        let tally = self.live.watch.games.get(&board.id);
        let began = tally.and_then(|tally| tally.began);
        began.zip(noted).is_some_and(|(began, noted)| began > noted)
    }

    fn counts(&self, board: &Board, now: Instant<Hub>, running: u64) -> Option<Counts> {
        let tally = self.live.watch.games.get(&board.id)?;
        let think = match (board.clock().state(), board.keeper) {
            (BoardState::Running { .. }, Keeper::Agent(agent)) if self.is_online(board) => {
                let turn = board.play.turn;
                let here = self.board_now(agent, now);
                here.map(|here| turn.used + turn.since.map_or(Duration::ZERO, |since| here - since))
            }
            (BoardState::Running { .. }, Keeper::Hub { .. })
                if board.pair.is_some() && self.is_online(board) =>
            {
                // A board with two clocks uses the hub's timeline.
                let turn = board.play.turn;
                let since = turn.since.map(|since| on_board(now) - since);
                Some(turn.used + since.map_or(Duration::ZERO, Duration::or_zero))
            }
            (_, _) => None,
        };
        Some(Counts {
            ignored_in_move: tally.ignored_in_move,
            ignored_in_game: tally.ignored_in_game,
            longest: tally.longest,
            think,
            others: running.saturating_sub(1),
            hall_plies: self.live.watch.plies.saturating_sub(tally.plies_at_start),
        })
    }
}
