//! The note about a press that completed no turn of Time Chess. Owns its text.

use timing::Side;

use super::{NoteKind, Notice, of_board};
use crate::board_id::BoardId;
use crate::to_proto;
use crate::words::capital;

pub(crate) fn press_without_move(board: &BoardId, side: Side) -> Notice {
    let text = format!(
        "{} pressed without moving: the day does not advance until {0} has moved. To give the press back, resume {0}'s clock \
         or restore the board (FIDE 7.5.3)",
        capital(side)
    );
    of_board(NoteKind::PressWithoutMove, board, text)
        .with(|figures| figures.set_side(to_proto::side(side)))
}
