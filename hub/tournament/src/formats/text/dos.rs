//! DOS code page 850, which has the Latin letters of code page 437 at the same byte values. Owns the heuristic that
//! decides whether bytes use this code page.

pub(super) const NAME: &str = "IBM850";

/// The characters of the bytes from 0x80 onwards.
const UPPER: &str = "\
    ÇüéâäàåçêëèïîìÄÅ\
    ÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»\
    ░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
    ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\
    \u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}\
";

/// Returns true if bytes contain more letters in the DOS code page than in Windows-1252. Most bytes from 0x80 to 0xA5
/// are letters in DOS but punctuation in Windows-1252, and of that punctuation only the apostrophe occurs inside words.
/// Nearly all bytes from 0xC0 are letters in Windows-1252.
pub(super) fn is_likely(bytes: &[u8]) -> bool {
    let is_letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphabetic);
    let (mut dos, mut windows) = (0_usize, 0_usize);
    for (at, byte) in bytes.iter().enumerate() {
        let before = is_letter(at.checked_sub(1).and_then(|at| bytes.get(at)));
        let after = is_letter(bytes.get(at + 1));
        match byte {
            // These bytes are letters in Windows-1252, and most of them in DOS too.
            0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F => (),
            0x91 | 0x92 if before && after => windows += 1,
            0x80..=0x9B | 0xA0..=0xA5 if before && after => dos += 1,
            0xC0.. if before || after => windows += 1,
            _ => (),
        }
    }
    dos > windows
}

pub(super) fn decode(bytes: &[u8]) -> String {
    let upper: Vec<char> = UPPER.chars().collect();
    let char = |byte: &u8| match byte.checked_sub(0x80) {
        None => char::from(*byte),
        Some(at) => upper.get(usize::from(at)).copied().unwrap_or('?'),
    };
    bytes.iter().map(char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character() {
        let all: Vec<u8> = (0..=255).collect();
        let text = decode(&all);
        assert_eq!(UPPER.chars().count(), 128);
        assert_eq!(text.chars().count(), 256);
        let of = |bytes: &[u8]| decode(bytes);
        assert_eq!(of(b"\x80\x9d\xa5\xb5\xe1\xed\xfe"), "ÇØÑÁßÝ■");
    }
}
