//! Macros that declare the sections of the file.

use super::rule::Key;

/// One section of the file, `[path]`.
#[derive(Debug)]
pub struct Section {
    pub path: &'static str,
    pub about: &'static [&'static str],
    pub keys: &'static [Key],
}

/// Declares a section: the struct, its defaults and its keys from one list. A line is
/// `name: Type = default, rule;` with the description of the key for `citation.toml` as doc comment.
/// Nested sections come last, as `[name]: Type;`.
macro_rules! section {
    (
        $(#[doc = $about:literal])*
        $section:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[serde($($serde:tt)*)])?
                $name:ident: $type:ty = $default:expr, $rule:expr;
            )*
            $(
                [$inner:ident]: $inner_type:ty;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $section {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = concat!("Default: `", stringify!($default), "`; allowed: `", stringify!($rule), "`.")]
                $(#[serde($($serde)*)])?
                pub $name: $type,
            )*
            $(
                #[doc = "A nested section."]
                pub $inner: $inner_type,
            )*
        }

        impl Default for $section {
            fn default() -> Self {
                Self {
                    $($name: $default,)*
                    $($inner: Default::default(),)*
                }
            }
        }

        impl $section {
            // Tables that repeat are described where they occur.
            #[allow(dead_code)]
            pub(in crate::config) const ABOUT: &'static [&'static str] = &[$($about),*];
            pub(in crate::config) const KEYS: &'static [crate::config::rule::Key] = &[
                $(crate::config::rule::Key {
                    name: stringify!($name),
                    about: &[$($doc),*],
                    rule: $rule,
                },)*
            ];
        }
    };
}

pub(super) use section;
