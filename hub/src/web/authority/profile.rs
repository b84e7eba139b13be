//! The browser authority as an Apple configuration profile.
//!
//! Owns the profile's text. A profile's identifiers depend only on the authority, so that a device that installs it twice keeps one copy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proto::enrolment::fingerprint_text;
use rustls_pki_types::CertificateDer;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::web::words::Language;

pub(super) const CONTENT_TYPE: &str = "application/x-apple-aspen-config";

pub(super) fn of(root: &CertificateDer<'_>, language: Language) -> String {
    let digest: [u8; 32] = Sha256::digest(root).into();
    let id = proto::ids::hex(&digest[..8]);
    let (profile, payload) = (uuid("profile", &digest), uuid("root", &digest));
    let fingerprint = fingerprint_text(&digest);
    let certificate = STANDARD.encode(root);
    let name = language.say_markup("hub_page_profile_name", &[]);
    let root_name = language.say_markup("hub_page_profile_root", &[]);
    let text = language.say_markup("hub_page_profile_text", &[("fingerprint", &fingerprint)]);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadType</key>
	<string>Configuration</string>
	<key>PayloadVersion</key>
	<integer>1</integer>
	<key>PayloadIdentifier</key>
	<string>flagfall.hub.{id}</string>
	<key>PayloadUUID</key>
	<string>{profile}</string>
	<key>PayloadDisplayName</key>
	<string>{name}</string>
	<key>PayloadDescription</key>
	<string>{text}</string>
	<key>PayloadOrganization</key>
	<string>Flagfall</string>
	<key>PayloadRemovalDisallowed</key>
	<false/>
	<key>PayloadContent</key>
	<array>
		<dict>
			<key>PayloadType</key>
			<string>com.apple.security.root</string>
			<key>PayloadVersion</key>
			<integer>1</integer>
			<key>PayloadIdentifier</key>
			<string>flagfall.hub.{id}.root</string>
			<key>PayloadUUID</key>
			<string>{payload}</string>
			<key>PayloadDisplayName</key>
			<string>{root_name}</string>
			<key>PayloadCertificateFileName</key>
			<string>authority.crt</string>
			<key>PayloadContent</key>
			<data>{certificate}</data>
		</dict>
	</array>
</dict>
</plist>
"#
    )
}

/// Derives an application-defined UUID (RFC 9562, version 8).
fn uuid(of: &str, digest: &[u8; 32]) -> String {
    let mut hash = Sha256::new();
    hash.update(b"flagfall profile v1\n");
    hash.update(of.as_bytes());
    hash.update(digest);
    let hash: [u8; 32] = hash.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    let uuid = uuid::Builder::from_custom_bytes(bytes).into_uuid();
    Uuid::to_string(&uuid).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<'a>(profile: &'a str, key: &str) -> Vec<&'a str> {
        let key = format!("<key>{key}</key>");
        let after = profile.split(key.as_str()).skip(1);
        after
            .map(|rest| {
                let text = rest.split('>').nth(1).unwrap();
                text.split('<').next().unwrap()
            })
            .collect()
    }

    #[test]
    fn a_profile_contains_the_root_and_has_stable_identifiers() {
        let root = CertificateDer::from(vec![1, 2, 3]);
        let profile = of(&root, Language::English);
        assert_eq!(profile, of(&root, Language::English));
        assert_eq!(
            values(&profile, "PayloadType"),
            ["Configuration", "com.apple.security.root"]
        );
        assert_eq!(values(&profile, "PayloadContent")[1], "AQID");
        let (ours, others) = (
            values(&profile, "PayloadUUID"),
            of(&CertificateDer::from(vec![4]), Language::English),
        );
        let others = values(&others, "PayloadUUID");
        let all: std::collections::BTreeSet<&str> = ours.iter().chain(&others).copied().collect();
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(all.iter().all(|uuid| uuid.parse::<Uuid>().is_ok()));
        for language in Language::ALL {
            let said = of(&root, language);
            assert_eq!(values(&said, "PayloadUUID"), ours, "{language:?}");
            let named =
                values(&said, "PayloadDescription") != values(&profile, "PayloadDescription");
            assert_eq!(named, language != Language::English, "{language:?}");
        }
        for element in ["dict", "array", "plist", "key", "string", "integer", "data"] {
            let opened = profile.matches(&format!("<{element}>")).count()
                + profile.matches(&format!("<{element} ")).count();
            assert_eq!(opened, profile.matches(&format!("</{element}>")).count());
        }
    }
}
