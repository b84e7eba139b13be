// The features of the app's oldest browser, according to MDN's compatibility data. The browser is Safari 16.0 on macOS, iPad and iPhone, because
// clubs keep old tablets. Pure lookups; rule.mjs and styles.mjs find the uses.

import bcd from "@mdn/browser-compat-data" with { type: "json" };

/** The oldest supported browser. vite.config.ts and dev/pages.mjs also build for it. */
export const OLDEST = { name: "Safari 16.0", browsers: ["safari", "safari_ios"], version: [16, 0] };

/** Returns the data of a feature; undefined if there is none. */
export function feature(...path) {
  let found = bcd;
  for (const key of path) {
    if (found === null || typeof found !== "object" || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/**
 * Reports whether the oldest browser does not support a feature, or only with a prefix or a setting. A feature that exists on only one of
 * macOS and iOS, such as a cursor, is not missing.
 */
export function isMissing(described) {
  const support = described?.__compat?.support;
  return support !== undefined && OLDEST.browsers.every((browser) => support[browser] !== undefined && ![support[browser]].flat().some(isThere));
}

/** Describes the first Safari version that supports a feature. */
export function since(described) {
  const [first] = [described?.__compat?.support?.safari].flat();
  return typeof first?.version_added === "string" ? `Safari ${first.version_added} has it` : "no Safari has it";
}

function isThere({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) {
  return typeof added === "string" && !flags && !prefix && !other && !isLater(added) && (typeof removed !== "string" || isLater(removed));
}

function isLater(version) {
  if (version === "preview") return true;
  const [major = 0, minor = 0] = version.replace("≤", "").split(".").map(Number);
  return major > OLDEST.version[0] || (major === OLDEST.version[0] && minor > OLDEST.version[1]);
}
