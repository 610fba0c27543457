/**
 * Runs a task under a signal that aborts with the first of `signals`, and with its reason.
 * Why not `AbortSignal.any`: its signals stay in memory as long as one listener is registered. One listener that is not removed would make the
 * daemon grow with every payment.
 */
export async function underAll<T>(
  signals: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const forget = abortWith(controller, signals);
  try {
    return await task(controller.signal);
  } finally {
    forget();
  }
}

/** Aborts `controller` with the first of `signals`, until the returned function is called. */
export function abortWith(controller: AbortController, signals: readonly AbortSignal[]): () => void {
  const ends = signals.map((signal) => {
    const onAbort = () => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return () => {
    for (const end of ends) end();
  };
}
