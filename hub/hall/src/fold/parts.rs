//! Parts of a whole that is longer than one record of the log. A part counts only after all previous ones.

use super::Misfit;

pub(super) struct Part {
    pub(super) of: &'static str,
    /// The part's number, from 1.
    pub(super) part: u32,
    pub(super) parts: u32,
}

impl Part {
    /// Checks that the part follows the parts that are `here`, the first of which belongs to the `same` whole.
    pub(super) fn follows<E>(
        &self,
        here: &[E],
        same: impl FnOnce(&E) -> bool,
    ) -> Result<(), Misfit> {
        let place = u32::try_from(here.len()).unwrap_or(u32::MAX);
        let fits = self.part == place.saturating_add(1)
            && self.part <= self.parts
            && here.first().is_none_or(same);
        match fits {
            true => Ok(()),
            false => Err(Misfit::PartOutOfOrder {
                of: self.of,
                part: self.part,
                parts: self.parts,
                before: place,
            }),
        }
    }
}
