// Keeps the screen on while the hall is shown, because arbiters watch the hall without touching the screen.
//
// Uses the app's Rust side or, where that has no effect, the browser's wake lock.

import { invoke } from "@tauri-apps/api/core";
import { inApp } from "./shell.js";

/** Returns true in the app, which attempts to keep the screen on in any case, and in a browser with a wake lock. */
export const canStayAwake = (): boolean => inApp() || "wakeLock" in navigator;

/** Keeps the screen on while the page is visible, until `signal` aborts. */
export function stayAwake(signal: AbortSignal): void {
  let lock: WakeLockSentinel | null = null;
  const isOver = (): boolean => signal.aborted;
  const look = async (): Promise<void> => {
    const on = document.visibilityState === "visible" && !isOver();
    const kept = inApp() && (await invoke<boolean>("keep_awake", { on }).catch(() => false));
    if (!on) {
      await lock?.release();
      lock = null;
    } else if (!kept && "wakeLock" in navigator && (!lock || lock.released)) {
      // A system that saves power may refuse; the screen then goes dark.
      lock = await navigator.wakeLock.request("screen").catch(() => null);
      // `signal` may have aborted before the browser granted the lock.
      if (isOver()) await lock?.release();
    }
  };
  const changed = (): void => void look();
  document.addEventListener("visibilitychange", changed, { signal });
  signal.addEventListener("abort", changed);
  changed();
}
