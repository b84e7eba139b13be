//! Faults at the start: wrong settings (FIDE 6.10.2), reversed colours (7.3) and late players (6.7). Also covers
//! players who stop keeping score (8.4, 8.5).

use timing::{
    BoardClock, BoardState, Bonus, BySide, Command, Duration, FlagView, GameResult, Instant, Side,
};

use super::{Actor, Proceedings, Refusal, Situation, Steps, ends_with, step};
use crate::rule_set::ProcedureKind;

/// Number of moves by each player after which reversed colours are no longer corrected (7.3). In rapid chess, a wrong setting is then corrected only
/// if the schedule would otherwise suffer (A.5.1.1).
const CORRECTABLE_MOVES: u32 = 10;

fn ten_moves_made(at: Situation<'_>) -> bool {
    Side::BOTH
        .into_iter()
        .all(|side| at.clock.side(side, at.now).moves >= CORRECTABLE_MOVES)
}

/// Returns true if the player must record the moves, because the player has five minutes or more, or an increment of
/// 30 s or more (FIDE 8.4).
fn must_record(clock: &BoardClock, side: Side, now: Instant<timing::Board>) -> bool {
    let view = clock.side(side, now);
    let periods = clock.control(side).periods();
    let index = usize::try_from(view.period).unwrap_or(usize::MAX);
    let period = periods.get(index.saturating_sub(1)).or(periods.last());
    let long_increment = period.is_some_and(|period| match period.bonus {
        Bonus::Increment(increment) => increment.by >= Duration::from_secs(30),
        Bonus::None
        | Bonus::Delay(_)
        | Bonus::Bronstein(_)
        | Bonus::MoveTime(_)
        | Bonus::TripleBlock(_) => false,
    });
    view.time >= Duration::from_mins(5) || long_increment
}

impl Proceedings {
    pub(super) fn wrong_setting(
        &mut self,
        at: Situation<'_>,
        times: BySide<Duration>,
        moves: Option<BySide<u32>>,
        schedule_suffers: bool,
    ) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::WrongSetting)?;
        at.in_progress()?;
        if article.starts_with('A') && ten_moves_made(at) && !schedule_suffers {
            return Err(Refusal::TenMoves {
                article: article.to_owned(),
            });
        }
        let set = |side| Command::Set {
            side,
            to: times[side],
        };
        let count = |side| {
            moves.map(|moves| Command::Moves {
                side,
                to: moves[side],
            })
        };
        let mut commands = Vec::from_iter(at.pause());
        commands.extend(Side::BOTH.map(set));
        commands.extend(Side::BOTH.into_iter().filter_map(count));
        let text = format!(
            "the setting was wrong; correct times by best judgement: White {}, Black {}",
            times.white, times.black
        );
        Ok(vec![step(Actor::Arbiter, article, text, commands)])
    }

    pub(super) fn reversed_colours(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::ReversedColours)?;
        at.in_progress()?;
        if ten_moves_made(at) {
            let text = "ten moves were made by both players: the game continues";
            return Ok(vec![step(Actor::Rules, article, text, [])]);
        }
        let text =
            "fewer than ten moves by both players: a new game is played with the correct colours";
        Ok(vec![step(Actor::Rules, article, text, at.pause())])
    }

    pub(super) fn scorekeeping_stopped(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Scorekeeping)?;
        at.in_progress()?;
        let a_flag_is_down = Side::BOTH
            .into_iter()
            .any(|side| at.clock.side(side, at.now).flag != FlagView::None);
        if a_flag_is_down {
            let text =
                "a flag has fallen: both players update their scoresheets before play continues";
            return Ok(vec![step(Actor::Arbiter, article, text, at.pause())]);
        }
        let must_record = |side| must_record(at.clock, side, at.now);
        match Side::BOTH.into_iter().any(must_record) {
            true => Err(Refusal::MustRecord),
            false => Err(Refusal::NoFlagYet),
        }
    }

    pub(super) fn absent(
        &mut self,
        at: Situation<'_>,
        sides: BySide<bool>,
        elapsed: Duration,
        default_time: Duration,
    ) -> Result<Steps, Refusal> {
        let Some(rule) = &self.rules.default_time else {
            return Err(self.not_in_rules());
        };
        if at.clock.state() == BoardState::Over {
            return Err(Refusal::GameOver);
        }
        if elapsed <= default_time {
            return Err(Refusal::NotYetLate);
        }
        let (result, text) = match (sides.white, sides.black) {
            (true, true) => (
                GameResult::BothForfeit,
                "both players are absent: both lose",
            ),
            (true, false) => (GameResult::BlackWinsByForfeit, "White is absent and loses"),
            (false, true) => (GameResult::WhiteWinsByForfeit, "Black is absent and loses"),
            (false, false) => return Err(Refusal::NotYetLate),
        };
        let commands = at.pause().into_iter().chain([ends_with(result)]);
        Ok(vec![step(Actor::Rules, &rule.article, text, commands)])
    }
}
