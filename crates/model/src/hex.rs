//! Writes bytes as hexadecimal digits.

use std::fmt::Write;

/// Two small digits for each byte.
pub fn hex<'b>(bytes: impl IntoIterator<Item = &'b u8>) -> String {
    let mut digits = String::new();
    for byte in bytes {
        // Writing to a text does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    #[test]
    fn small_bytes_have_two_digits() {
        assert_eq!(super::hex(&[0, 10, 255]), "000aff");
    }
}
