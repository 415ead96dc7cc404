//! Enums whose values have a name each.

/// Makes an enum with a method that gives the name of a value, which is also shown.
macro_rules! named {
    (
        $(#[$outer:meta])* pub enum $kind:ident
        $(#[$inner:meta])* [$($method:tt)+]
        $($(#[$doc:meta])* $value:ident $name:literal,)*
    ) => {
        $(#[$outer])*
        pub enum $kind { $($(#[$doc])* $value,)* }

        impl $kind {
            $(#[$inner])*
            #[must_use]
            $($method)+(self) -> &'static str {
                match self { $($kind::$value => $name,)* }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($kind::$value => $name,)* })
            }
        }
    };
}
