import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { CloseOutcome, Outcome } from '../terminal/ports.ts';

/**
 * Runs a money dialogue whose command is written once; never rejects. `begun` is called before the first byte of the command is handed over:
 * an error before it, and LINK_CLOSED, prove that nothing was sent. Any other error behind it is `unknown`.
 */
export async function payOnce(work: (begun: () => void) => Promise<Outcome>): Promise<Outcome> {
  const run = await once(work);
  if ('result' in run) return run.result;
  return { kind: run.isSent ? 'unknown' : 'not_started', code: run.code, message: run.message };
}

/** The same for an end of day: an error behind `begun` leaves it unknown whether the batch is closed. Never rejects. */
export async function closeOnce(work: (begun: () => void) => Promise<CloseOutcome>): Promise<CloseOutcome> {
  const run = await once(work);
  if ('result' in run) return run.result;
  const { isSent, code, message } = run;
  if (!isSent) return { kind: 'refused', code, message: `${message}. Its day is still open.` };
  const words = `It is not known whether the terminal closed its day (${message}). Look at the terminal.`;
  return { kind: 'unknown', code, message: words };
}

async function once<T>(
  work: (begun: () => void) => Promise<T>,
): Promise<
  { readonly result: T } | { readonly isSent: boolean; readonly code: string; readonly message: string }
> {
  let isBegun = false;
  try {
    const result = await work(() => {
      isBegun = true;
    });
    return { result };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'DRIVER_FAILED';
    return { isSent: isBegun && !hasCode(error, 'LINK_CLOSED'), code, message: messageOf(error) };
  }
}
