//! Reads and writes pairings as a table. Columns are found by their headings, in any order and in many languages.
//! Players are found by number, FIDE ID or name. Owns both searches; must never guess between two players.

mod some_boards;
mod teams;

use std::collections::{BTreeMap, BTreeSet};

use super::result_text::{self, Cell};
use super::{Columns, rows, start, write};
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::expected::Expected;
use crate::formats::fault::{Fault, Faults, Field, MAX_FAULTS};
use crate::formats::remark::{ReadingRemark, Remark};
use crate::formats::text::decode;
use crate::formats::trf::value::Letter;
use crate::formats::wording::{joined, shown};
use crate::{BoardNo, Contest, PlayerNo, RoundNo};
use some_boards::with_boards;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Round,
    Board,
    White,
    WhiteNo,
    WhiteId,
    Black,
    BlackNo,
    BlackId,
    Result,
}

const HEADINGS: [(Column, &str); 9] = [
    (Column::Round, "round rd rnd runde ronde ronda turno"),
    (
        Column::Board,
        "board bd bo brd table brett tisch br echiquier tablero mesa bord boardno",
    ),
    (
        Column::White,
        "white whitename namewhite whiteplayer weiss weiß blancs blancas bianco wit hvit vit",
    ),
    (
        Column::WhiteNo,
        "whiteno whitenumber nowhite wno whitesnr snrwhite whitestartno whitetpn whiterank",
    ),
    (
        Column::WhiteId,
        "whiteid whitefideid whitefide fideidwhite wfideid",
    ),
    (
        Column::Black,
        "black blackname nameblack blackplayer schwarz noirs negras nero zwart svart sort",
    ),
    (
        Column::BlackNo,
        "blackno blacknumber noblack bno blacksnr snrblack blackstartno blacktpn blackrank",
    ),
    (
        Column::BlackId,
        "blackid blackfideid blackfide fideidblack bfideid",
    ),
    (
        Column::Result,
        "result res score ergebnis erg resultat resultado risultato uitslag",
    ),
];

/// The cell texts, in lower case, that stand for an empty seat.
const NO_PLAYER: [&str; 9] = [
    "bye",
    "spielfrei",
    "freilos",
    "exempt",
    "descansa",
    "-",
    "not paired",
    "0",
    "nobody",
];

/// The rounds of a table that was read for an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingTable {
    /// The pairings, results and byes of each round in the table.
    pub rounds: BTreeMap<RoundNo, DraftRound>,
    /// Unknown headings, whose columns were not read.
    pub ignored: Vec<String>,
    /// Remarks on the text, and on boards that keep their numbers although the table states different ones.
    pub notices: Vec<Remark>,
}

impl PairingTable {
    /// Returns `notices`, followed by a remark on each unknown heading.
    pub fn remarks(&self) -> impl Iterator<Item = Remark> {
        let ignored = self.ignored.iter();
        let ignored = ignored.map(|header| ReadingRemark::UnknownColumn(header.clone()).into());
        self.notices.iter().cloned().chain(ignored)
    }

    /// Merges the table into `known`, the event for which it was read, and returns the result.
    ///
    /// A table changes only the boards it names. Any other board loses its pairing only if the table gives one of its
    /// players a different board or a bye.
    pub fn merged(&self, known: &Draft) -> Draft {
        let mut draft = known.clone();
        for (no, in_table) in &self.rounds {
            let before = known.rounds.get(no);
            let round = match before {
                Some(before) => with_boards(before, in_table),
                None => in_table.clone(),
            };
            draft.rounds.insert(*no, round);
        }
        draft
    }
}

/// Reads a table of pairings. A row that does not state its round belongs to round `next`.
///
/// # Errors
/// Returns the errors with their lines and columns; the table is then refused as a whole.
pub fn read(bytes: &[u8], known: &Draft, next: RoundNo) -> Result<PairingTable, Faults> {
    let text = decode(bytes)?;
    let rows = rows(&text.without_hidden())?;
    let Some((header, rows)) = rows.split_first() else {
        let expected = Expected::Headers("Board, White, Black");
        return Err(Fault::of_file(expected, "an empty file").into());
    };
    let mut reader = Reader::new(header, known, next)?;
    let mut faults = Vec::new();
    for row in rows {
        if let Err(fault) = reader.row(row) {
            faults.push(fault);
        }
        if faults.len() >= MAX_FAULTS {
            break;
        }
    }
    if rows.is_empty() {
        let (line, _) = start(header);
        let (expected, found) = (Expected::Pairing, "the end of the file");
        faults.push(Fault::because(line + 1, 1, expected, found));
    }
    let (ignored, lines) = (reader.columns.ignored, reader.lines);
    let mut rounds = reader.rounds;
    let mut notices = text.remarks;
    for (no, round) in &mut rounds {
        let line = |board: BoardNo| lines.get(&(*no, board)).copied().unwrap_or(1);
        if matches!(known.event.contest, Contest::Teams { .. }) {
            teams::find_matches(known, round);
            faults.extend(teams::faults(known, *no, round, line));
        }
        notices.extend(some_boards::kept_number(known, *no, round, line).map(Remark::from));
    }
    let table = PairingTable {
        rounds,
        ignored,
        notices,
    };
    Faults::none_or(table, faults)
}

struct Reader<'k> {
    columns: Columns<Column>,
    width: usize,
    known: &'k Draft,
    names: BTreeMap<String, BTreeSet<PlayerNo>>,
    next: RoundNo,
    rounds: BTreeMap<RoundNo, DraftRound>,
    lines: BTreeMap<(RoundNo, BoardNo), usize>,
}

impl<'k> Reader<'k> {
    fn new(header: &[Field], known: &'k Draft, next: RoundNo) -> Result<Self, Fault> {
        let columns = Columns::find(header, &HEADINGS)?;
        for (one, word) in [
            ([Column::White, Column::WhiteNo, Column::WhiteId], "White"),
            ([Column::Black, Column::BlackNo, Column::BlackId], "Black"),
        ] {
            if !columns.has_any(&one) {
                let (line, column) = start(header);
                let words = joined(header.iter().map(|field| &field.text), " ");
                return Err(Fault::new(line, column, Expected::Header(word), &words));
            }
        }
        let mut names: BTreeMap<String, BTreeSet<PlayerNo>> = BTreeMap::new();
        for player in known.players.values() {
            let namesakes = names.entry(plain(&player.name)).or_default();
            namesakes.insert(player.no);
        }
        Ok(Self {
            columns,
            width: header.len(),
            known,
            names,
            next,
            rounds: BTreeMap::new(),
            lines: BTreeMap::new(),
        })
    }

    fn row(&mut self, row: &[Field]) -> Result<(), Fault> {
        let mut more = row.iter().skip(self.width);
        if let Some(more) = more.find(|field| !field.is_blank()) {
            return Err(more.fault(Expected::Fields(self.width)));
        }
        let last = self.known.event.rounds;
        let round = self.number(row, Column::Round, "a round", last)?;
        let round = round.map_or(self.next, RoundNo);
        let first = start(row);
        if round.0 == 0 || round.0 > last {
            let expected = Expected::number("a round", 1_u16, last);
            return Err(Fault::because(first.0, 1, expected, round.to_string()));
        }
        let white = self.player(row, [Column::WhiteNo, Column::WhiteId, Column::White])?;
        let black = self.player(row, [Column::BlackNo, Column::BlackId, Column::Black])?;
        let of_round = self.rounds.entry(round).or_default();
        for player in white.into_iter().chain(black) {
            let seated = of_round.board_of(player).is_some();
            if seated || of_round.byes.contains_key(&player) || white == black {
                let found = format!("player {player} again");
                let expected = Expected::PlayerOnce(round);
                return Err(Fault::because(first.0, first.1, expected, found));
            }
        }
        let result = self.columns.cell(row, Column::Result);
        let teams = matches!(self.known.event.contest, Contest::Teams { .. });
        match (white, black) {
            (Some(player), None) | (None, Some(player)) if !teams => {
                let text = result.map_or("", |field| field.text.as_str());
                let bye = result_text::read_bye(text);
                let bye = bye.ok_or_else(|| fault(result, row, Expected::Bye))?;
                of_round.byes.insert(player, bye);
                Ok(())
            }
            (None, None) => {
                let expected = Expected::PlayersOrBye;
                Err(Fault::because(first.0, first.1, expected, "no player"))
            }
            (_, _) => self.board(row, round, white, black, result),
        }
    }

    fn board(
        &mut self,
        row: &[Field],
        round: RoundNo,
        white: Option<PlayerNo>,
        black: Option<PlayerNo>,
        result: Option<&Field>,
    ) -> Result<(), Fault> {
        let result = match result.map(|field| (field, result_text::read(&field.text))) {
            None | Some((_, Some(Cell::Open))) => None,
            Some((_, Some(Cell::Game(result)))) => Some(result),
            Some((field, None)) => return Err(field.fault(Expected::Result)),
        };
        let stated = self.number(row, Column::Board, "a board", u16::MAX)?;
        let of_round = self.rounds.entry(round).or_default();
        let boards = &mut of_round.boards;
        let last = boards.keys().next_back();
        let next = last.map_or(1, |last| last.0.saturating_add(1));
        let board = BoardNo(stated.unwrap_or(next));
        if boards.contains_key(&board) {
            let field = self.columns.cell(row, Column::Board);
            return Err(fault(field, row, Expected::BoardOnce(round)));
        }
        self.lines.insert((round, board), start(row).0);
        let seats = Seats {
            white,
            black,
            of_match: None,
            result,
        };
        boards.insert(board, seats);
        if stated.is_some() {
            of_round.numbered.insert(board);
        }
        Ok(())
    }

    fn number(
        &self,
        row: &[Field],
        column: Column,
        what: &'static str,
        max: u16,
    ) -> Result<Option<u16>, Fault> {
        let Some(field) = self.columns.cell(row, column) else {
            return Ok(None);
        };
        let plain = field.text.bytes().all(|byte| byte.is_ascii_digit());
        match field.text.parse::<u16>() {
            Ok(number) if plain && (1..=max).contains(&number) => Ok(Some(number)),
            Ok(_) | Err(_) => Err(field.fault(Expected::number(what, 1_u16, max))),
        }
    }

    /// Returns the player in the columns for number, FIDE ID and name. The first column with an entry decides. Returns
    /// `None` if every column is blank or says that there is no player.
    fn player(&self, row: &[Field], columns: [Column; 3]) -> Result<Option<PlayerNo>, Fault> {
        let field = |column: Column| {
            let field = self.columns.cell(row, column);
            field.filter(|field| !NO_PLAYER.contains(&field.text.to_lowercase().as_str()))
        };
        let [no, id, name] = columns.map(field);
        if let Some(field) = no {
            return self.by_number(field).map(Some);
        }
        if let Some(field) = id {
            let number: Option<u64> = field.text.parse().ok();
            let mut players = self.known.players.values();
            let found = players.find(|player| number.is_some() && player.fide_id == number);
            let found = found.ok_or_else(|| field.fault(Expected::KnownFideId))?;
            return Ok(Some(found.no));
        }
        let Some(field) = name else {
            return Ok(None);
        };
        if field.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.by_number(field).map(Some);
        }
        let Some(namesakes) = self.names.get(&plain(&field.text)) else {
            return Err(field.fault(Expected::KnownName));
        };
        match namesakes.len() {
            1 => Ok(namesakes.first().copied()),
            _ => Err(field.fault(Expected::UniqueName)),
        }
    }

    fn by_number(&self, field: &Field) -> Result<PlayerNo, Fault> {
        let number = field.text.parse().ok().map(PlayerNo);
        let known = number.filter(|number| self.known.players.contains_key(number));
        known.ok_or_else(|| field.fault(Expected::KnownNumber))
    }
}

fn fault(field: Option<&Field>, row: &[Field], expected: Expected) -> Fault {
    match (field, start(row)) {
        (Some(field), _) => field.fault(expected),
        (None, (line, column)) => Fault::new(line, column, expected, ""),
    }
}

/// Returns the form in which names are compared: lower case, with the words in alphabetical order. So `Last, First`
/// equals `First Last`.
pub(in crate::formats) fn plain(name: &str) -> String {
    let letters = |char: char| char.is_alphanumeric() || matches!(char, '-' | '\'');
    let words = name.split(|char: char| !letters(char));
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort();
    words.join(" ")
}

/// Writes the pairings, results and players' byes of rounds as a table, with headings that [`read`] knows.
pub fn table(draft: &Draft, rounds: &[RoundNo]) -> String {
    let header = "Round,Board,White No,White,White FIDE ID,Black No,Black,Black FIDE ID,Result";
    let mut rows = vec![header.split(',').map(str::to_owned).collect::<Vec<_>>()];
    for no in rounds {
        let Some(round) = draft.rounds.get(no) else {
            continue;
        };
        for (board, seats) in &round.boards {
            let mut row = vec![no.to_string(), board.to_string()];
            row.extend(player(draft, seats.white));
            row.extend(player(draft, seats.black));
            row.push(result_text::write(seats.result));
            rows.push(row);
        }
        for (of, bye) in &round.byes {
            let mut row = vec![no.to_string(), String::new()];
            row.extend(player(draft, Some(*of)));
            row.extend(player(draft, None));
            row.push(Letter::Bye(*bye).letter().to_string());
            rows.push(row);
        }
    }
    write(&rows)
}

fn player(draft: &Draft, no: Option<PlayerNo>) -> [String; 3] {
    let Some(no) = no else {
        return [String::new(), "bye".to_owned(), String::new()];
    };
    let known = draft.players.get(&no);
    let name = known.map(|player| player.name.clone()).unwrap_or_default();
    let id = known.and_then(|player| player.fide_id);
    [no.to_string(), name, shown(id)]
}
