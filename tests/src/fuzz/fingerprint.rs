//! The fingerprint of a decoder's result: equal for results of the same kind and of similar sizes.
//!
//! Used in place of coverage data. Must not depend on the exact values in an input, or every input would count as new.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

/// The offset basis of 64-bit FNV-1a.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

impl Fingerprint {
    pub fn new() -> Self {
        Self(BASIS)
    }

    /// Adds the text of an error, without its numbers and quoted parts.
    #[must_use]
    pub fn error(mut self, error: &impl std::fmt::Display) -> Self {
        let mut quoted = false;
        for c in error.to_string().chars() {
            if matches!(c, '"' | '`') {
                quoted = !quoted;
            } else if !quoted && !c.is_ascii_digit() {
                self = self.byte(u8::try_from(c).unwrap_or(u8::MAX));
            }
        }
        self.byte(0)
    }

    /// Adds the magnitude of a size in a decoded value: the number of bits in which the size can be written.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        // The number of bits is at most 64, so it fits in a byte.
        self.byte(1)
            .byte(u8::try_from(usize::BITS - size.leading_zeros()).unwrap_or(u8::MAX))
    }

    /// Adds the result of one decoder: an error, or the sizes that `sizes` returns for a decoded value.
    #[must_use]
    pub fn result<T, E: std::fmt::Display, const N: usize>(
        self,
        result: &Result<T, E>,
        sizes: impl FnOnce(&T) -> [usize; N],
    ) -> Self {
        match result {
            Ok(value) => sizes(value).into_iter().fold(self, Self::size),
            Err(error) => self.byte(2).error(error),
        }
    }

    fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(PRIME))
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_kind_of_a_result_matters() {
        let of = |text: &str| Fingerprint::new().error(&text);
        assert_eq!(
            of("line 3: expected `a`, got 7"),
            of("line 41: expected `bc`, got 8")
        );
        assert_ne!(of("expected a name"), of("expected a number"));
        let size = |size| Fingerprint::new().size(size);
        assert_eq!(size(5), size(6));
        assert_ne!(size(0), size(1));
        assert_ne!(size(3), size(4));
    }
}
