//! The tokens of the syntaxes that several formats share, for tests that repeat them (`Format::tokens`).

pub const XML: &[&str] = &[
    "<a>",
    "</a>",
    "<a/>",
    "<a b=\"",
    "<",
    ">",
    "\"",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE a [",
    "<?a",
    "&amp;",
    "&#x41;",
    "&",
    "\n",
    "a ",
];

pub const JSON: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\":", "\"a\",", "{\"a\":", "1", "1,", "null",
    "\\n", "\n", "a ",
];

pub const YAML: &[&str] = &[
    "a: ", "- ", "? ", "  ", "\n", "[", "]", "{", "}", ",", "\"", "'", "&a ", "*a ", "|\n", ">-\n",
    "#", "---\n", "!!a ", "1",
];

pub const TABLE: &[&str] = &[
    ",", ";", "\t", "|", "\"", "\"\"", "\",", "\n", "\n\"", "2001", "a ",
];
