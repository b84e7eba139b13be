//! No-op replacements for the macros of `tracing`. Owns names only.

macro_rules! nothing {
    ($($told:tt)*) => {{}};
}

pub(crate) use {nothing as debug, nothing as error, nothing as info, nothing as warn};
