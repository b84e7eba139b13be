// What the oldest browser of the app lacks, by MDN's compatibility data: Safari 16.0, on macOS and on iPad and iPhone. Older tablets of
// clubs stay there. Pure lookups; what uses a feature is found by rule.mjs and styles.mjs.

import bcd from "@mdn/browser-compat-data" with { type: "json" };

/** The oldest browser that the app is made for. Also the target of vite.config.ts. */
export const OLDEST = { name: "Safari 16.0", browsers: ["safari", "safari_ios"], version: [16, 0] };

/** The description of a feature; absent where the data knows none. */
export function feature(...path) {
  let found = bcd;
  for (const key of path) {
    if (found === null || typeof found !== "object" || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/**
 * Whether the data knows this feature, and says that the oldest browser lacks it, or wants a prefix or a setting for it. What one of the two
 * systems never has, as a cursor on a tablet, is not missing.
 */
export function isMissing(described) {
  const support = described?.__compat?.support;
  return support !== undefined && OLDEST.browsers.every((browser) => support[browser] !== undefined && ![support[browser]].flat().some(isThere));
}

/** Since when the browsers have it, for people. */
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
