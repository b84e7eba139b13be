//! A brute-force referee on a mailbox board, written from the rules alone.
//!
//! Owns an independent FEN reader, move generator and count. Must share no code with the crate or with `shakmaty`.

/// The totals over all sequences of attempts to a fixed depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of sequences that reach the full depth before the game ends.
    pub(crate) leaves: u64,
    pub(crate) forfeits: u64,
    pub(crate) captures: u64,
    /// The number of captures that stopped a piece before its target square.
    pub(crate) interrupted: u64,
    /// The number of sequences that ended the game, early or at the last turn.
    pub(crate) ends: u64,
}

/// A position whose cells hold piece letters as in FEN, `.` for an empty square, and `#` outside the board.
#[derive(Clone)]
pub(crate) struct Mailbox {
    cells: [u8; 120],
    rights: Vec<u8>,
    passed: Option<usize>,
    /// The phase of the day, from 1 at dawn to 6 in the morning.
    phase: u8,
}

type Step = (usize, usize, u8);

enum Fate {
    Forfeit,
    Lands(usize),
}

const DIAGONAL: [i32; 4] = [-11, -9, 9, 11];
const STRAIGHT: [i32; 4] = [-10, -1, 1, 10];
const LEAPS: [i32; 8] = [-21, -19, -12, -8, 8, 12, 19, 21];

fn at(cell: usize, step: i32) -> usize {
    (cell as i32 + step) as usize
}

impl Mailbox {
    /// Reads a FEN with a phase, which must be well formed. Cell 21 is a8, and cell 98 is h1.
    pub(crate) fn read(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut cells = [b'#'; 120];
        for (row, rank) in fields[0].split('/').enumerate() {
            let mut cell = 21 + 10 * row;
            for letter in rank.bytes() {
                let (fill, times) = if letter.is_ascii_digit() {
                    (b'.', usize::from(letter - b'0'))
                } else {
                    (letter, 1)
                };
                for _ in 0..times {
                    cells[cell] = fill;
                    cell += 1;
                }
            }
        }
        let passed = (fields[3] != "-").then(|| {
            let name = fields[3].as_bytes();
            usize::from(21 + 10 * (b'8' - name[1]) + (name[0] - b'a'))
        });
        let names = ["dawn", "midday", "evening", "dusk", "midnight", "morning"];
        let phase = names.iter().position(|name| *name == fields[6]);
        Self {
            cells,
            rights: fields[2].bytes().filter(|right| *right != b'-').collect(),
            passed,
            phase: phase.map_or(0, |place| place as u8 + 1),
        }
    }

    fn is_white_turn(&self) -> bool {
        self.phase.is_multiple_of(2)
    }

    fn is_blind_turn(&self) -> bool {
        self.phase == 3 || self.phase == 6
    }

    fn is_own(&self, cell: usize) -> bool {
        let piece = self.cells[cell];
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == self.is_white_turn()
    }

    fn is_enemy(&self, cell: usize) -> bool {
        self.cells[cell].is_ascii_alphabetic() && !self.is_own(cell)
    }

    fn as_seen_blind(&self) -> Self {
        let mut seen = self.clone();
        for (cell, content) in seen.cells.iter_mut().enumerate() {
            if self.is_enemy(cell) {
                *content = b'.';
            }
        }
        seen
    }

    /// Returns every movement of the mover's pieces except castling, ignoring check. With `wild`, pawns may also move diagonally to empty squares.
    fn movements(&self, wild: bool) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in (0..120).filter(|cell| self.is_own(*cell)) {
            match self.cells[from].to_ascii_lowercase() {
                b'p' => self.pawn(from, wild, &mut steps),
                b'n' => self.walk(from, &LEAPS, 1, &mut steps),
                b'b' => self.walk(from, &DIAGONAL, 7, &mut steps),
                b'r' => self.walk(from, &STRAIGHT, 7, &mut steps),
                b'q' | b'k' => {
                    let far = if self.cells[from].eq_ignore_ascii_case(&b'q') {
                        7
                    } else {
                        1
                    };
                    self.walk(from, &DIAGONAL, far, &mut steps);
                    self.walk(from, &STRAIGHT, far, &mut steps);
                }
                other => unreachable!("no piece: {other}"),
            }
        }
        steps
    }

    fn walk(&self, from: usize, ways: &[i32], far: usize, steps: &mut Vec<Step>) {
        for way in ways {
            let mut cell = from;
            for _ in 0..far {
                cell = at(cell, *way);
                if self.cells[cell] == b'#' || self.is_own(cell) {
                    break;
                }
                steps.push((from, cell, 0));
                if self.cells[cell] != b'.' {
                    break;
                }
            }
        }
    }

    fn pawn(&self, from: usize, wild: bool, steps: &mut Vec<Step>) {
        let (way, start, last) = if self.is_white_turn() {
            (-10, 8, 2)
        } else {
            (10, 3, 9)
        };
        let mut reached = Vec::new();
        let one = at(from, way);
        if self.cells[one] == b'.' {
            reached.push(one);
            let two = at(one, way);
            if from / 10 == start && self.cells[two] == b'.' {
                reached.push(two);
            }
        }
        for side in [-1, 1] {
            let to = at(one, side);
            let empty = self.cells[to] == b'.';
            if self.is_enemy(to) || (empty && (wild || self.passed == Some(to))) {
                reached.push(to);
            }
        }
        for to in reached {
            if to / 10 == last {
                steps.extend([b'q', b'r', b'b', b'n'].map(|piece| (from, to, piece)));
            } else {
                steps.push((from, to, 0));
            }
        }
    }

    fn castlings(&self) -> Vec<Step> {
        let (king, wanted) = if self.is_white_turn() {
            (95, [b'K', b'Q'])
        } else {
            (25, [b'k', b'q'])
        };
        let mut steps = Vec::new();
        if self.rights.contains(&wanted[0]) && (1..=2).all(|n| self.cells[king + n] == b'.') {
            steps.push((king, king + 2, 0));
        }
        if self.rights.contains(&wanted[1]) && (1..=3).all(|n| self.cells[king - n] == b'.') {
            steps.push((king, king - 2, 0));
        }
        steps
    }

    /// Returns true if the opponent could capture a piece on this cell in one movement.
    fn is_hit(&self, cell: usize) -> bool {
        let mut turned = self.clone();
        turned.phase = if self.is_white_turn() { 1 } else { 2 };
        turned.passed = None;
        if turned.cells[cell] == b'.' {
            turned.cells[cell] = if self.is_white_turn() { b'N' } else { b'n' };
        }
        turned.movements(false).iter().any(|(_, to, _)| *to == cell)
    }

    fn king(&self, white: bool) -> usize {
        let letter = if white { b'K' } else { b'k' };
        (0..120)
            .find(|cell| self.cells[*cell] == letter)
            .unwrap_or(0)
    }

    fn castling_is_safe(&self, (from, to, _): Step) -> bool {
        !self.is_hit(from) && !self.is_hit(usize::midpoint(from, to))
    }

    fn attempts(&self) -> Vec<Step> {
        if self.is_blind_turn() {
            let seen = self.as_seen_blind();
            let mut steps = seen.movements(true);
            steps.extend(seen.castlings());
            return steps;
        }
        let mut steps = self.movements(false);
        let castlings = self.castlings();
        steps.extend(
            castlings
                .into_iter()
                .filter(|step| self.castling_is_safe(*step)),
        );
        let other_king = self.king(!self.is_white_turn());
        steps.retain(|step| step.1 != other_king && !self.exposes(*step));
        steps
    }

    fn exposes(&self, step: Step) -> bool {
        let mut after = self.clone();
        after.carry_out(step);
        after.is_hit(after.king(after.is_white_turn()))
    }

    fn fate(&self, step: Step) -> Fate {
        let (from, to, _) = step;
        let piece = self.cells[from].to_ascii_lowercase();
        let way = to as i32 - from as i32;
        if !self.is_blind_turn() {
            return Fate::Lands(to);
        }
        match piece {
            b'p' if way % 10 == 0 => {
                let passes = (from.min(to)..=from.max(to))
                    .step_by(10)
                    .filter(|cell| *cell != from);
                for cell in passes {
                    if self.cells[cell] != b'.' {
                        return Fate::Forfeit;
                    }
                }
            }
            b'p' if self.cells[to] == b'.' => return Fate::Forfeit,
            b'k' if way.abs() == 2
                && (!self.castlings().contains(&step) || !self.castling_is_safe(step)) =>
            {
                return Fate::Forfeit;
            }
            b'b' | b'r' | b'q' => {
                let unit = DIAGONAL
                    .iter()
                    .chain(&STRAIGHT)
                    .find(|unit| (1..8).any(|n| *unit * n == way));
                let mut cell = from;
                while cell != to {
                    cell = at(cell, *unit.unwrap_or(&way));
                    if self.cells[cell] != b'.' {
                        break;
                    }
                }
                return Fate::Lands(cell);
            }
            _ => (),
        }
        Fate::Lands(to)
    }

    /// Carries out a step and updates the position, except the phase. Returns true for a capture.
    fn carry_out(&mut self, (from, to, promotion): Step) -> bool {
        let white = self.is_white_turn();
        let piece = self.cells[from];
        let is_pawn = piece.eq_ignore_ascii_case(&b'p');
        let mut captures = self.cells[to] != b'.';
        if is_pawn && (from % 10 != to % 10) && !captures {
            self.cells[from / 10 * 10 + to % 10] = b'.';
            captures = true;
        }
        if piece.eq_ignore_ascii_case(&b'k') && from.abs_diff(to) == 2 {
            let (rook, beside) = if to > from {
                (to + 1, to - 1)
            } else {
                (to - 2, to + 1)
            };
            self.cells[beside] = self.cells[rook];
            self.cells[rook] = b'.';
        }
        self.cells[from] = b'.';
        self.cells[to] = match (promotion, white) {
            (0, _) => piece,
            (letter, true) => letter.to_ascii_uppercase(),
            (letter, false) => letter,
        };
        let gone = |right: u8| match right {
            b'K' => [95, 98].contains(&from) || to == 98,
            b'Q' => [95, 91].contains(&from) || to == 91,
            b'k' => [25, 28].contains(&from) || to == 28,
            _ => [25, 21].contains(&from) || to == 21,
        };
        self.rights.retain(|right| !gone(*right));
        self.passed = (is_pawn && from.abs_diff(to) == 20).then(|| usize::midpoint(from, to));
        captures
    }

    /// Returns true if the turn cannot be played because of mate, stalemate, or a blind turn in which no attempt can succeed.
    fn is_end(&self) -> bool {
        self.attempts()
            .into_iter()
            .all(|step| matches!(self.fate(step), Fate::Forfeit))
    }

    pub(crate) fn count(&self, depth: u32) -> Counts {
        let mut counts = Counts::default();
        if self.is_end() {
            counts.ends = 1;
            return counts;
        }
        if depth == 0 {
            counts.leaves = 1;
            return counts;
        }
        for step in self.attempts() {
            let mut next = self.clone();
            match self.fate(step) {
                Fate::Forfeit => {
                    counts.forfeits += 1;
                    next.passed = None;
                }
                Fate::Lands(to) => {
                    counts.interrupted += u64::from(to != step.1);
                    counts.captures += u64::from(next.carry_out((step.0, to, step.2)));
                }
            }
            next.phase = next.phase % 6 + 1;
            let below = next.count(depth - 1);
            counts.leaves += below.leaves;
            counts.forfeits += below.forfeits;
            counts.captures += below.captures;
            counts.interrupted += below.interrupted;
            counts.ends += below.ends;
        }
        counts
    }
}
