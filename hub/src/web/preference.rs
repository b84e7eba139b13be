//! The preferences of a client in `Accept-Encoding` and `Accept-Language`: lists of names with qualities (RFC 9110 12.4.2).
//!
//! Owns the parsing of these two headers, because no maintained library has a parser for them: `headers` has none, and `tower-http`'s is
//! private. Must never parse any other header: `headers` and `headers-accept` do.

use axum::http::HeaderMap;
use axum::http::header::{self, HeaderName};

/// Returns the quality of the encoding that has these names, in thousandths; 0 if it is refused or not listed. A quality given by name takes
/// precedence over that of `*` (RFC 9110 12.5.3).
pub(super) fn encoding_quality(request: &HeaderMap, names: &[&str]) -> u16 {
    let mut of_all = 0;
    for (coding, quality) in preferences(request, header::ACCEPT_ENCODING) {
        match coding {
            "*" => of_all = quality,
            coding if names.iter().any(|name| coding.eq_ignore_ascii_case(name)) => return quality,
            _ => (),
        }
    }
    of_all
}

/// Returns the names in a header with their qualities in thousandths, in the header's order.
pub(super) fn preferences(
    request: &HeaderMap,
    name: HeaderName,
) -> impl Iterator<Item = (&str, u16)> {
    request
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|item| {
            let (name, parameter) = item.split_once(';').unwrap_or((item, ""));
            (name.trim(), thousandths(parameter.trim()))
        })
}

/// Parses `q=0.5` as 500. A missing or invalid quality counts as 1, so that a malformed header refuses nothing.
fn thousandths(parameter: &str) -> u16 {
    let quality = parameter
        .split_once('=')
        .filter(|(name, _)| name.eq_ignore_ascii_case("q"))
        .and_then(|(_, quality)| quality.parse::<f32>().ok())
        .filter(|quality| (0.0..=1.0).contains(quality));
    quality.map_or(1000, |quality| (quality * 1000.0).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quality_has_three_decimals_and_is_1_by_default() {
        for (parameter, quality) in [
            ("", 1000),
            ("q=1", 1000),
            ("q=1.000", 1000),
            ("q=0", 0),
            ("q=0.", 0),
            ("q=0.000", 0),
            ("q=0.001", 1),
            ("q=0.57", 570),
            ("Q=0.999", 999),
            ("q=2", 1000),
            ("q=-1", 1000),
            ("q=NaN", 1000),
            ("q=", 1000),
            ("level=0", 1000),
        ] {
            assert_eq!(thousandths(parameter), quality, "{parameter}");
        }
    }
}
