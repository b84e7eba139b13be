//! Certificates as a printable document: A4, one page per clock, without scripts or external files. Owns the markup and escapes every
//! text in it.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::{Page, sheet};

const STYLE: &str = "@page { size: A4; margin: 20mm } body { font: 11pt/1.45 sans-serif; color: #000; margin: 0 } \
section { break-after: page; page-break-after: always } section:last-child { break-after: auto; page-break-after: auto } \
h1 { font-size: 18pt; margin: 0 0 2mm } h2 { font-size: 24pt; margin: 0 0 8mm } .failed { text-decoration: underline } \
table { border-collapse: collapse; width: 100% } th, td { border-bottom: 1px solid #999; padding: 2mm 3mm 2mm 0; \
text-align: left; vertical-align: top } th { width: 45mm; font-weight: 600 } td { overflow-wrap: anywhere } \
.signature { margin-top: 25mm; border-top: 1px solid #000; width: 90mm; padding-top: 1mm } ul { margin: 6mm 0 0; padding-left: 6mm }";

pub(super) fn document(pages: &[Page]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Clock test</title>\n<style>{STYLE}</style>\n"
    );
    for page in pages {
        section(&mut html, page);
    }
    html.push_str("</html>\n");
    html
}

fn section(html: &mut String, page: &Page) {
    let (class, word) = if page.passed() {
        ("passed", "passed")
    } else {
        ("failed", "FAILED")
    };
    // Writing to a String cannot fail.
    let _ = write!(
        html,
        "<section>\n<h1>Clock test certificate</h1>\n<h2 class=\"{class}\">Board {}: {word}</h2>\n<table>\n",
        escape(&page.board)
    );
    for (what, figure) in sheet::rows(page) {
        let (what, figure) = (escape(what), escape(&figure));
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{what}</th><td>{figure}</td></tr>"
        );
    }
    html.push_str("</table>\n");
    let findings = page.findings();
    if !findings.is_empty() {
        html.push_str("<ul>\n");
        for finding in findings {
            let _ = writeln!(html, "<li>{}</li>", escape(finding));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("<p class=\"signature\">Arbiter's signature</p>\n</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_page_and_markup_is_escaped() {
        let page = |board: &str| Page {
            board: board.to_owned(),
            event: "<script>alert(1)</script>".to_owned(),
            found: Err("silent & \"lost\"".to_owned()),
        };
        let html = document(&[page("1"), page("A<b>")]);
        assert_eq!(html.matches("<section>").count(), 2);
        assert!(html.contains("size: A4"));
        assert!(html.contains("Board A&lt;b&gt;: FAILED"));
        assert!(html.contains("silent &amp; &quot;lost&quot;"));
        assert!(!html.contains("<script"));
    }
}
