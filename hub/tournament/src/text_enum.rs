//! Enums without data whose variants each have one text, used in files and commands.

/// Defines an enum with a list of its variants (`ALL`), the text of each (`as_str`), and a look-up by text (`from_word`).
macro_rules! text_enum {
    ($(#[$attribute:meta])* $Name:ident { $($(#[$doc:meta])+ $variant:ident = $text:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[$doc])+ $variant,)+
        }

        impl $Name {
            /// Every value, in the order of declaration.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// Returns the value's text, as used in files and commands.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// Returns the value with exactly this text.
            #[must_use]
            pub fn from_word(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == text)
            }
        }
    };
}
