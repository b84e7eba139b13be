//! What the Laws say about a board's game now, for an arbiter.

use laws::{Choice, OpenClaim, RuleSet};
use timing::{BySide, Hub, Instant, Side};

use crate::Hall;

/// The Laws on one board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardProceedings {
    /// The board's sequence number.
    pub seq: u64,
    /// The rule set.
    pub rules: &'static RuleSet,
    /// The moves written down, in SAN.
    pub moves: Vec<String>,
    /// The position after them; `None` if the game is not chess.
    pub fen: Option<String>,
    /// The moves written down less the moves completed on the clock.
    pub ahead: BySide<i64>,
    /// The claim that waits for a decision.
    pub open: Option<OpenClaim>,
    /// The side whose draw offer stands.
    pub draw_offer: Option<Side>,
    /// The move that a side must play after an incorrect claim, in SAN.
    pub must_play: Option<(Side, String)>,
    /// The requests that the rule set knows, possible now or not.
    pub choices: Vec<Choice>,
}

impl Hall {
    /// Returns what the Laws say about a board's game now; `None` if there is no such board or no rule set for it.
    pub fn proceedings(&self, board: &str, now: Instant<Hub>) -> Option<BoardProceedings> {
        let board = self.fold.boards.get(board)?;
        let clock = board.clock();
        let at = self.instant_on_board(board, now);
        let rulings = &board.rulings;
        let proceedings = rulings
            .proceedings(clock, board.offences.by_the_laws())
            .ok()?;
        let rules = proceedings.rules();
        let is_chess = rules.game == laws::GameKind::Chess;
        let score = rulings.score().cloned().unwrap_or_default();
        let made = BySide::from_fn(|side| clock.side(side, clock.now()).moves);
        let moves = score.moves().iter().map(|played| played.san.clone());
        Some(BoardProceedings {
            seq: board.changes.seq,
            rules,
            moves: moves.collect(),
            fen: is_chess.then(|| score.fen()),
            ahead: score.difference(made),
            open: proceedings.open_claim().cloned(),
            draw_offer: proceedings.draw_offer(),
            must_play: proceedings
                .must_play()
                .map(|(side, san)| (side, san.to_owned())),
            choices: proceedings.choices(rulings.situation(clock, at)),
        })
    }
}
