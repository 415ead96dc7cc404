//! The names of findings, verdicts and reasons, in one list each: the stable word for programs, the rule concerned, the clause
//! for people. And the one form of methods that change a setting.

/// For each variant its code, the rule of the catalogue and its clause; a last variant may take all three from the finding that it
/// holds. Or with `name:` or `code:` before the type, a word and perhaps a clause: `Display` writes the clause, or else the word, and
/// the word is what is stored.
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
    ($word:ident: $type:ident $($variant:ident => $name:literal;)+) => {
        words!(@ $word $type $word $($variant => $name;)+);
    };
    ($word:ident: $type:ident $($variant:ident => $name:literal, $clause:literal;)+) => {
        words!(@ $word $type clause $($variant => $name;)+);

        impl $type {
            const fn clause(self) -> &'static str {
                match self {
                    $($type::$variant => $clause,)+
                }
            }
        }
    };
    (@ $word:ident $type:ident $shown:ident $($variant:ident => $name:literal;)+) => {
        impl $type {
            /// The stable word, in kebab case.
            #[must_use]
            pub const fn $word(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.$shown())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$word())
            }
        }
    };
}

/// Methods of settings that give the same ones with another value of one field.
macro_rules! with_each {
    ($type:ident $($(#[$doc:meta])+ $with:ident: $field:ident: $value:ty;)+) => {
        impl $type {
            $(
                $(#[$doc])+
                #[must_use]
                pub const fn $with(self, $field: $value) -> Self {
                    $type { $field, ..self }
                }
            )+
        }
    };
}
