//! Splits names into searchable words, in lower case and without accents.
//!
//! Defines which letters count as equal. FIDE writes names in plain Latin letters; arbiters type them with the accents of the player's language.

/// The choice between two common transcriptions of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Without its mark: ü becomes u.
    Bare,
    /// Spelt out: ü becomes ue.
    SpeltOut,
}

const PLAIN: [(&str, &str); 33] = [
    ("àáâãäåāăąǎ", "a"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęěə", "e"),
    ("ĝğġģǧ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŋ", "n"),
    ("òóôõöøōŏő", "o"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ţťŧț", "t"),
    ("ùúûüũūŭůűų", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    ("ß", "ss"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("þ", "th"),
    ("ạảấầẩẫậắằẳẵặ", "a"),
    ("ẹẻẽếềểễệ", "e"),
    ("ỉị", "i"),
    ("ọỏốồổỗộớờởỡợơ", "o"),
    ("ụủứừửữựư", "u"),
    ("ỳỵỷỹ", "y"),
    ("ǵ", "g"),
    ("ḥ", "h"),
    ("ṣ", "s"),
    ("ṭ", "t"),
];

const SPELT_OUT: [(char, &str); 5] = [
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('ø', "oe"),
    ('å', "aa"),
];

#[must_use]
pub fn words(text: &str, spelling: Spelling) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'a'..='z' | '0'..='9' => word.push(letter),
            // Drop apostrophes, which are optional (O'Connor, OConnor), and combining marks, which are accents.
            '\'' | '’' | '`' | '´' | '\u{300}'..='\u{36f}' => (),
            letter if letter.is_alphanumeric() => push_plain(letter, spelling, &mut word),
            _ => words.extend(take_word(&mut word)),
        }
    }
    words.extend(take_word(&mut word));
    words
}

/// Returns true if `text` has a letter that the two spellings transcribe differently.
#[must_use]
pub(crate) fn has_two_spellings(text: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    letters.any(|letter| SPELT_OUT.iter().any(|(marked, _)| *marked == letter))
}

fn take_word(word: &mut String) -> Option<String> {
    Some(std::mem::take(word)).filter(|word| !word.is_empty())
}

fn push_plain(letter: char, spelling: Spelling, word: &mut String) {
    let spelt_out = || {
        let found = SPELT_OUT.iter().find(|(marked, _)| *marked == letter);
        found.map(|(_, plain)| *plain)
    };
    let bare = || {
        let found = PLAIN.iter().find(|(marked, _)| marked.contains(letter));
        found.map(|(_, plain)| *plain)
    };
    let plain = match spelling {
        Spelling::Bare => bare(),
        Spelling::SpeltOut => spelt_out().or_else(bare),
    };
    match plain {
        Some(plain) => word.push_str(plain),
        None => word.push(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_make_no_difference() {
        let of = |text: &str| words(text, Spelling::Bare).join(" ");
        assert_eq!(of("Łukasiewicz, Żaneta-Ewa"), "lukasiewicz zaneta ewa");
        assert_eq!(of("O'CONNOR,Áine"), "oconnor aine");
        assert_eq!(of("Mu\u{308}ller"), "muller");
        assert_eq!(of("  , - "), "");
        assert_eq!(of("Nguyễn Ngọc"), "nguyen ngoc");
    }

    #[test]
    fn umlauts_have_two_spellings() {
        assert_eq!(words("Müller", Spelling::SpeltOut), ["mueller"]);
        assert_eq!(
            words("Sørensen Åse", Spelling::SpeltOut),
            ["soerensen", "aase"]
        );
        assert!(has_two_spellings("MÜLLER") && !has_two_spellings("Carlsen é"));
    }
}
