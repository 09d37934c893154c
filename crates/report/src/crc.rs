//! Cyclic redundancy checks of 32 bits, as PNG and TensorBoard want them.

/// The polynomial of PNG and zip, mirrored.
const PLAIN: u32 = 0xedb8_8320;

/// Castagnoli's polynomial, mirrored.
const CASTAGNOLI: u32 = 0x82f6_3b78;

/// CRC-32.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc(PLAIN, bytes)
}

/// CRC-32C.
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc(CASTAGNOLI, bytes)
}

/// Bit by bit: it is for a few kilobytes.
fn crc(polynomial: u32, bytes: &[u8]) -> u32 {
    let shift = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ polynomial } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| shift(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_values_are_those_of_the_catalogue() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }
}
