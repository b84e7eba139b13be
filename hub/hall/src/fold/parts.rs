//! What is longer than one record of the log comes in parts. Owns that a part counts only after all those before it.

use super::Misfit;

/// One record's place in what comes in parts.
pub(super) struct Part {
    /// What it is a part of, for people.
    pub(super) of: &'static str,
    /// From 1.
    pub(super) part: u32,
    /// How many there are.
    pub(super) parts: u32,
}

impl Part {
    /// Whether it comes after those that are `here`, the first of which is of the `same` whole.
    ///
    /// # Errors
    /// [`Misfit::PartOutOfOrder`].
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
