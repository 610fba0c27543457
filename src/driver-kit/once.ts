import { AppError, messageOf } from '../base/errors.ts';
import type { CloseOutcome, Observer, Outcome } from '../terminal/ports.ts';

/** What a line calls while it hands over a command: `begun` right before the first byte, `handed` behind the last one; on `false` it writes nothing more. */
export interface Sending {
  readonly begun: () => void;
  readonly handed: () => boolean;
}

/**
 * Runs a money dialogue whose command is written once; never rejects. `handed` calls `observer.accepted`. An error before `begun`, and LINK_CLOSED
 * before `handed`, prove that nothing was sent. Any other error is `unknown`: so is LINK_CLOSED of a later write.
 */
export async function payOnce(
  observer: Pick<Observer, 'accepted'>,
  work: (sending: Sending) => Promise<Outcome>,
): Promise<Outcome> {
  const run = await once(work, () => observer.accepted());
  if ('result' in run) return run.result;
  return { kind: run.isSent ? 'unknown' : 'not_started', code: run.code, message: run.message };
}

/** The same for an end of day: an error behind `begun` leaves it unknown whether the batch is closed. Never rejects. */
export async function closeOnce(work: (sending: Sending) => Promise<CloseOutcome>): Promise<CloseOutcome> {
  const run = await once(work, () => true);
  if ('result' in run) return run.result;
  const { isSent, code, message } = run;
  if (!isSent) return { kind: 'refused', code, message: `${message}. Its day is still open.` };
  const words = `It is not known whether the terminal closed its day (${message}). Look at the terminal.`;
  return { kind: 'unknown', code, message: words };
}

/** The terminal's explicit no to an end of day. @param why without a full stop */
export function notClosed(why: string): CloseOutcome {
  return { kind: 'refused', code: 'TERMINAL_REFUSED', message: `${why}. Its day is still open.` };
}

/** An answer to an end of day that says neither yes nor no. */
export function unclearClose(words: string): CloseOutcome {
  const message = `The terminal does not say whether it closed its day: ${words}`;
  return { kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR', message };
}

async function once<T>(
  work: (sending: Sending) => Promise<T>,
  accepted: () => boolean,
): Promise<
  { readonly result: T } | { readonly isSent: boolean; readonly code: string; readonly message: string }
> {
  const sent = { isBegun: false, isHanded: false };
  const begun = () => {
    sent.isBegun = true;
  };
  const handed = () => {
    sent.isHanded = true;
    return accepted();
  };
  try {
    return { result: await work({ begun, handed }) };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'DRIVER_FAILED';
    const isSent = sent.isHanded || (sent.isBegun && code !== 'LINK_CLOSED');
    return { isSent, code, message: messageOf(error) };
  }
}
