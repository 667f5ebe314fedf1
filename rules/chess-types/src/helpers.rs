//! The macro by which errors are declared, in here and in `cozy-chess`.

/// Declares an error that says one sentence, or an enum of errors that say one each.
#[macro_export]
macro_rules! simple_error {
    ($(#[$about:meta])* $access:vis struct $name:ident = $sentence:expr;) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        $access struct $name;

        impl ::core::fmt::Display for $name {
            fn fmt(&self, to: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                to.write_str($sentence)
            }
        }

        impl ::core::error::Error for $name {}
    };
    ($(#[$about:meta])* $access:vis enum $name:ident { $($kind:ident = $sentence:expr),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        $access enum $name {
            $(#[doc = $sentence] $kind,)+
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, to: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                to.write_str(match self {
                    $(Self::$kind => $sentence,)+
                })
            }
        }

        impl ::core::error::Error for $name {}
    };
}

pub use simple_error;
