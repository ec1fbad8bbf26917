//! Pieces of evidence with names, and sets of them.

/// Defines an enum of at most 128 pieces of evidence, their names, and a set of them.
macro_rules! evidence {
    (
        $(#[$of_one:meta])*
        $one:ident,
        $(#[$of_set:meta])*
        $set:ident,
        $($name:ident = $text:literal,)*
    ) => {
        $(#[$of_one])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $one { $($name,)* }

        impl $one {
            pub const ALL: &'static [$one] = &[$($one::$name,)*];

            /// The name that explanations show.
            pub fn as_str(self) -> &'static str {
                match self { $($one::$name => $text,)* }
            }
        }

        $(#[$of_set])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(super) struct $set(u128);

        impl $set {
            #[must_use]
            pub fn with(self, one: $one) -> $set {
                $set(self.0 | 1 << one as u32)
            }

            #[must_use]
            pub fn with_if(self, is_so: bool, one: $one) -> $set {
                if is_so { self.with(one) } else { self }
            }

            pub fn has(self, one: $one) -> bool {
                self.0 & 1 << one as u32 != 0
            }

            pub fn iter(self) -> impl Iterator<Item = $one> {
                $one::ALL.iter().copied().filter(move |one| self.has(*one))
            }
        }
    };
}

pub(super) use evidence;
