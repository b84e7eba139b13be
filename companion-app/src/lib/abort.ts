// Helpers for abort signals. They combine signals by hand, because Safari before 17.4 has no `AbortSignal.any`.

/** Runs `act`, and aborts it when `signal` aborts or after `ms` milliseconds. */
export async function within<T>(ms: number, signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort(signal?.reason);
  const patience = setTimeout(end, ms);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await act(over.signal);
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener("abort", end);
  }
}

/** Returns the value of `answer`, or throws if the signal has aborted or aborts first. */
export async function unlessAborted<T>(signal: AbortSignal | null | undefined, answer: Promise<T>): Promise<T> {
  if (!signal) return answer;
  // After an abort, nothing awaits this promise, and its failure must not count as unhandled.
  answer.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, refuse) => {
    stop = () => refuse(signal.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError"));
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits for `ms` milliseconds, or until `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) {
      done();
      return;
    }
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}
