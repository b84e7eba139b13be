// An enrolment code: which hub, the fingerprint of its authority, and a token that is good once. Pure.

export interface Enrolment {
  /** Host and port. */
  hub: string;
  /** First half of the SHA-256 of the authority's public key, 32 hexadecimal digits. */
  authority: string;
  /** 32 hexadecimal digits. */
  token: string;
}

/** What was scanned or pasted, spaces and line breaks left out; null if it is no code. */
export function enrolmentFrom(text: string): Enrolment | null {
  const [, hub, authority, token] = /^flagfall:\/\/([^#/]+:\d+)\/?#([0-9a-f]{32})\.([0-9a-f]{32})$/i.exec(text.replace(/\s+/g, "")) ?? [];
  if (hub === undefined || authority === undefined || token === undefined) return null;
  return { hub, authority: authority.toLowerCase(), token: token.toLowerCase() };
}
