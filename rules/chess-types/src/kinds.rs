//! The macros that make enums of what there is so many of.

/// Makes an enum whose kinds are numbered from 0 on.
macro_rules! numbered {
    ($(#[$about:meta])* $name:ident: $($(#[$doc:meta])* $kind:ident = $number:literal,)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $kind = $number,)+
        }

        impl $name {
            /// All there are, in their order.
            pub const ALL: [Self; Self::NUM] = [$(Self::$kind),+];

            /// How many there are.
            pub const NUM: usize = [$($number),+].len();

            /// Returns the one with this number, if there is one.
            #[inline(always)]
            pub const fn try_index(index: usize) -> Option<Self> {
                // A look into `ALL` would be a read from memory; this is compiled to nothing but the check.
                match index {
                    $($number => Some(Self::$kind),)+
                    _ => None,
                }
            }

            /// Returns the one with this number.
            ///
            /// # Panics
            ///
            /// If there is none.
            #[inline(always)]
            pub const fn index(index: usize) -> Self {
                match Self::try_index(index) {
                    Some(found) => found,
                    None => panic!("there are not so many"),
                }
            }

            /// Returns what [`Self::index`] returns, under the name by which `cozy-chess` calls it in constants.
            ///
            /// # Panics
            ///
            /// If there is none.
            #[inline(always)]
            pub const fn index_const(index: usize) -> Self {
                Self::index(index)
            }
        }
    };
}

/// Makes a numbered enum whose kinds are written as one letter each, and the error for every other letter.
macro_rules! lettered {
    ($(#[$about:meta])* $name:ident, $error:ident = $sentence:literal:
    $($(#[$doc:meta])* $kind:ident = $number:literal $letter:literal,)+) => {
        $crate::kinds::numbered! { $(#[$about])* $name: $($(#[$doc])* $kind = $number,)+ }

        $crate::helpers::simple_error! {
            #[doc = $sentence]
            pub struct $error = $sentence;
        }

        impl From<$name> for char {
            fn from(kind: $name) -> Self {
                match kind {
                    $($name::$kind => $letter,)+
                }
            }
        }

        impl TryFrom<char> for $name {
            type Error = $error;

            fn try_from(letter: char) -> Result<Self, $error> {
                match letter {
                    $($letter => Ok(Self::$kind),)+
                    _ => Err($error),
                }
            }
        }

        impl core::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let mut letters = text.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter), None) => Self::try_from(letter),
                    _ => Err($error),
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&char::from(*self), to)
            }
        }
    };
}

pub(crate) use {lettered, numbered};
