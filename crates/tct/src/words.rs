//! What a finding is called, in one list: its code for programs, the rule that it is about, its clause for people.

/// Gives each variant its stable code in kebab case, the rule of the catalogue, and the clause that `Display` writes. A last
/// variant may take all three from the finding that it holds.
macro_rules! words {
    ($type:ident $($variant:ident => $code:literal, $rule:literal, $clause:literal;)+ $(| $other:ident($held:ident) => $same:ident;)?) => {
        impl $type {
            /// The stable code, in kebab case.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $($type::$variant => $code,)+
                    $($type::$other($held) => $same.code(),)?
                }
            }

            /// The rule of the catalogue that it is about.
            #[must_use]
            pub const fn requirement(self) -> &'static str {
                match self {
                    $($type::$variant => $rule,)+
                    $($type::$other($held) => $same.requirement(),)?
                }
            }

            /// What was expected, and what was found.
            pub(crate) const fn clause(self) -> &'static str {
                match self {
                    $($type::$variant => $clause,)+
                    $($type::$other($held) => $same.clause(),)?
                }
            }
        }
    };
}
