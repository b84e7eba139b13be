//! The parts of a change or request that is longer than one record of the log. A part counts only after all previous
//! ones.

use super::RecordConflict;

/// Checks that a part follows the parts in `here`. `part` is its number, from 1, and `parts` is the number of all
/// parts. `same` compares the part with the first one. `of` names the whole in the error.
pub(super) fn follows<E>(
    of: &'static str,
    (part, parts): (u32, u32),
    here: &[E],
    same: impl FnOnce(&E) -> bool,
) -> Result<(), RecordConflict> {
    let before = u32::try_from(here.len()).unwrap_or(u32::MAX);
    if part == before.saturating_add(1) && part <= parts && here.first().is_none_or(same) {
        return Ok(());
    }
    Err(RecordConflict::PartOutOfOrder {
        of,
        part,
        parts,
        before,
    })
}
