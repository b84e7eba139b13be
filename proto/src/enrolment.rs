//! The enrolment code `flagfall://host:port#<authority>.<token>`, printed, scanned or pasted. Owns the code's text form; never decides whether a code
//! is valid.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};

use crate::ids::{hex, unhex};

/// An enrolment code: the hub's address, the authority to trust, and a token that lets a device enrol or ask for admission.
#[derive(Clone, PartialEq, Eq)]
pub struct EnrolmentCode {
    /// Host name or address; an IPv6 address has no brackets.
    pub host: String,
    /// Port of the hub: UDP for agents and gateways, TCP for arbiters' programs.
    pub port: u16,
    /// First 16 bytes of the SHA-256 of the authority's certificate (DER).
    pub authority: [u8; 16],
    /// The secret. The hub decides how often and for how long the token is valid.
    pub token: [u8; 16],
}

/// A syntax error in a typed or scanned code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "column {column}: expected {expected}; a code has the form flagfall://HOST:PORT#AUTHORITY.TOKEN, as printed by `flagfall enrol`"
)]
pub struct CodeError {
    /// Column of the error, in bytes from 1, not counting whitespace.
    pub column: usize,
    /// The expected text at that column.
    pub expected: &'static str,
}

/// Returns the fingerprint that identifies an authority in a code: the first 16 bytes of the SHA-256 of its certificate.
pub fn fingerprint(authority_der: &[u8]) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::digest(authority_der).into();
    let mut half = [0; 16];
    half.copy_from_slice(&hash[..16]);
    half
}

/// Formats a fingerprint, or its first bytes, as browsers and operating systems show it: `AB:CD:…`.
pub fn fingerprint_text(bytes: &[u8]) -> String {
    let mut text = hex(bytes).to_uppercase();
    for at in (1..bytes.len()).rev() {
        text.insert(2 * at, ':');
    }
    text
}

impl fmt::Display for EnrolmentCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.host.contains(':') {
            ("[", "]")
        } else {
            ("", "")
        };
        write!(
            f,
            "flagfall://{open}{}{close}:{}#{}.{}",
            self.host,
            self.port,
            hex(&self.authority),
            hex(&self.token)
        )
    }
}

impl fmt::Debug for EnrolmentCode {
    /// Omits the token, which must not appear in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "EnrolmentCode({}:{}#{}.…)",
            self.host,
            self.port,
            hex(&self.authority)
        )
    }
}

impl FromStr for EnrolmentCode {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        // People may type a printed code in groups, with spaces between them.
        let text: String = text.split_whitespace().collect();
        let text = text.as_str();
        let wrong = |column: usize, expected| CodeError {
            column: column + 1,
            expected,
        };
        let rest = text
            .strip_prefix("flagfall://")
            .ok_or(wrong(0, "flagfall://"))?;
        let at = "flagfall://".len();
        let (address, secret) = rest
            .split_once('#')
            .ok_or(wrong(text.len(), "#AUTHORITY.TOKEN"))?;
        let (host, port) = address
            .rsplit_once(':')
            .ok_or(wrong(at + address.len(), ":PORT"))?;
        let port_at = at + host.len() + 1;
        let host = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        if host.is_empty() || host.chars().any(|c| "/@[]".contains(c)) {
            return Err(wrong(at, "a host name or address"));
        }
        let port = port
            .parse()
            .ok()
            .filter(|port| *port != 0)
            .ok_or(wrong(port_at, "a port from 1 to 65535"))?;
        let secret_at = at + address.len() + 1;
        let (authority, token) = secret.split_once('.').ok_or(wrong(text.len(), ".TOKEN"))?;
        Ok(Self {
            host: host.to_owned(),
            port,
            authority: digits(authority).ok_or(wrong(secret_at, "32 hexadecimal digits"))?,
            token: digits(token).ok_or(wrong(
                secret_at + authority.len() + 1,
                "32 hexadecimal digits",
            ))?,
        })
    }
}

fn digits(text: &str) -> Option<[u8; 16]> {
    unhex(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn wrong(text: &str, column: usize) {
        assert_eq!(
            text.parse::<EnrolmentCode>().map_err(|error| error.column),
            Err(column),
            "{text}"
        );
    }

    #[test]
    fn fingerprints_print_as_in_browsers() {
        assert_eq!(fingerprint_text(&[0x0a, 0xff, 0x10]), "0A:FF:10");
        assert_eq!(fingerprint_text(&[7]), "07");
        assert_eq!(fingerprint_text(&[]), "");
    }

    #[test]
    fn a_code_prints_and_parses() {
        for host in ["hub.local", "192.0.2.7", "2001:db8::1"] {
            let code = EnrolmentCode {
                host: host.to_owned(),
                port: 7464,
                authority: [1; 16],
                token: [2; 16],
            };
            assert_eq!(code.to_string().parse(), Ok(code.clone()));
            assert!(!format!("{code:?}").contains("0202"));
        }
    }

    #[test]
    fn a_code_may_be_typed_in_groups() {
        let keys = format!("{}.{}", "01".repeat(16), "02".repeat(16));
        let typed = format!(" flagfall://hub:1#  {}\n{} ", &keys[..20], &keys[20..]);
        let code: EnrolmentCode = typed.parse().unwrap();
        assert_eq!(code.to_string(), format!("flagfall://hub:1#{keys}"));
    }

    #[test]
    fn errors_name_the_column() {
        let keys = format!("{}.{}", "01".repeat(16), "02".repeat(16));
        wrong("https://hub", 1);
        wrong("flagfall://hub:7464", 20);
        wrong(&format!("flagfall://hub#{keys}"), 15);
        wrong(&format!("flagfall://:1#{keys}"), 12);
        wrong(&format!("flagfall://hub:99999#{keys}"), 16);
        wrong(&format!("flagfall://hub:0#{keys}"), 16);
        wrong("flagfall://hub:1#0102", 22);
        wrong("flagfall://hub:1#0102.03", 18);
        wrong(&format!("flagfall://hub:1#{}.03", "01".repeat(16)), 51);
    }
}
