// Samples for compat.test.ts, not part of the app: first features that are too new for the oldest browser, then code that the rule accepts.
AbortSignal.any([]);
Promise.withResolvers();
Array.fromAsync([]);
new Set([1]).union(new Set([2]));
Object.groupBy([1], String);
[1].values().map(String);
URL.canParse("/");
navigator.userActivation.hasBeenActive;
requestAnimationFrame(() => document.body.showPopover());
/(?<=a)b/.test("ab");
/[\p{L}--a]/v.test("b");
new CSSStyleSheet().replaceSync("");
// From here on: code that the rule accepts.
AbortSignal.timeout(1);
[2, 1].toSorted();
structuredClone({});
if ("wakeLock" in navigator) navigator.wakeLock.request("screen");
({ any: () => 1 }).any();
[1].at(-1);
new Map().groupBy;
