// An enrolment code: which hub, the fingerprint of its authority, and a token that is good once. Pure.

export interface Enrolment {
  /** Host and port. */
  hub: string;
  /** First half of the SHA-256 of the hall's authority, which the app trusts (not the browser's): 32 hexadecimal digits. */
  authority: string;
  /** 32 hexadecimal digits. */
  token: string;
}

/** What was scanned or pasted, as a code or as the address of the hub's page; null if it is no code. */
export function enrolmentFrom(text: string): Enrolment | null {
  const [, scheme, host, port, secret] = /^(flagfall|https):\/\/([^#/:]+|\[[^\]]+\])(:\d+)?\/?#(.*)$/i.exec(text.replace(/\s+/g, "")) ?? [];
  if (host === undefined || secret === undefined) return null;
  const known = port ?? (scheme?.toLowerCase() === "https" ? ":443" : undefined);
  return known === undefined ? null : enrolmentOf(host + known, secret);
}

/** The part behind the `#`, of a page that the hub itself has sent. */
export function enrolmentIn(hub: string, fragment: string): Enrolment | null {
  return enrolmentOf(hub, fragment.replace(/^#/, ""));
}

function enrolmentOf(hub: string, secret: string): Enrolment | null {
  const [, authority, token] = /^([0-9a-f]{32})\.([0-9a-f]{32})$/i.exec(secret) ?? [];
  if (authority === undefined || token === undefined) return null;
  return { hub, authority: authority.toLowerCase(), token: token.toLowerCase() };
}

/** As browsers show fingerprints, and as the hub prints them: `AB:CD:…`. */
export function fingerprintText(fingerprint: string): string {
  return fingerprint.toUpperCase().match(/../g)?.join(":") ?? "";
}
