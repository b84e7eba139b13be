// An enrolment code: a hub's address, the fingerprint of its authority, and a single-use token. Pure.

export interface Enrolment {
  /** The hub's host and port. */
  hub: string;
  /** The first half of the SHA-256 of the hub's authority, as 32 hexadecimal digits. The app trusts only this authority; a browser ignores it. */
  authority: string;
  /** The token, as 32 hexadecimal digits. */
  token: string;
}

/** Parses scanned or pasted text: a code, or the address of a hub's page with the code in its fragment. Returns null for any other text. */
export function enrolmentFrom(text: string): Enrolment | null {
  const [, scheme, host, port, secret] = /^(flagfall|https):\/\/([^#/:]+|\[[^\]]+\])(:\d+)?\/?#(.*)$/i.exec(text.replace(/\s+/g, "")) ?? [];
  if (host === undefined || secret === undefined) return null;
  const known = port ?? (scheme?.toLowerCase() === "https" ? ":443" : undefined);
  return known === undefined ? null : enrolmentOf(host + known, secret);
}

/** Parses a code in the fragment of a page that the hub itself served. */
export function enrolmentIn(hub: string, fragment: string): Enrolment | null {
  return enrolmentOf(hub, fragment.replace(/^#/, ""));
}

function enrolmentOf(hub: string, secret: string): Enrolment | null {
  const [, authority, token] = /^([0-9a-f]{32})\.([0-9a-f]{32})$/i.exec(secret) ?? [];
  if (authority === undefined || token === undefined) return null;
  return { hub, authority: authority.toLowerCase(), token: token.toLowerCase() };
}

export function codeText({ hub, authority, token }: Enrolment): string {
  return `flagfall://${hub}#${authority}.${token}`;
}

/** Formats a fingerprint as browsers and the hub do: `AB:CD:…`. */
export function fingerprintText(fingerprint: string): string {
  return fingerprint.toUpperCase().match(/../g)?.join(":") ?? "";
}
