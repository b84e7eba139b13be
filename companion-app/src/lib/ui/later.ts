// Parts of the app that are fetched after its first screen.

/** How long the first screen has to itself where the browser does not say when it is idle. */
const SETTLE_MS = 3000;

/** Fetches parts in advance once the page is idle, so that they are there when the hub is away. A part that fails is fetched again when it is shown. */
export function whenIdle(parts: readonly (() => Promise<unknown>)[]): void {
  const fetchAll = (): void => {
    for (const part of parts) part().catch(() => undefined);
  };
  if ("requestIdleCallback" in globalThis) requestIdleCallback(fetchAll, { timeout: SETTLE_MS });
  else setTimeout(fetchAll, SETTLE_MS);
}
