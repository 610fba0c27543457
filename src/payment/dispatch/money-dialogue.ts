import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { underAll } from '../../base/signals.ts';
import type { MoneyCommand, Outcome, TerminalSession, TransactionReport } from '../../terminal/ports.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { commandOf } from '../attempt/money-command.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { PaymentStore } from '../ports.ts';
import { Dialogue, type FrameLog } from './dialogue.ts';
import { GIVE_UP_MS, PhaseWatch } from './phase-limits.ts';

/** A dispatch whose first byte could not leave by then is not sent: the customer may be gone, and another till may use the terminal. */
const FIRST_BYTE_MS = 2000;

export interface MoneyDialogueDeps {
  readonly store: Pick<PaymentStore, 'findAttempt'>;
  readonly writer: PaymentWriter;
  readonly frames: FrameLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly fatal: (error: unknown) => void;
  /** Why an approval is not believed to be of this terminal, in words; null: it is. */
  readonly disbelief: (attempt: Attempt, report: TransactionReport) => string | null;
}

/**
 * Runs the one money dialogue of a dispatched attempt, from its command to its end; every end is stored when it returns.
 * @param decidedAt monotonic; when the dispatch was decided
 * @param givingUp ends it: what the terminal does then is in doubt
 */
export async function runMoneyDialogue(
  attempt: Attempt,
  session: TerminalSession,
  deps: MoneyDialogueDeps,
  decidedAt: number,
  givingUp: AbortSignal,
): Promise<void> {
  const { clock } = deps;
  const phases = new PhaseWatch(clock);
  const dialogue = new Dialogue(attempt, { ...deps, phases });
  try {
    const isLate = clock.monotonic() - decidedAt > FIRST_BYTE_MS;
    const outcome = isLate
      ? TOO_LATE_TO_SEND
      : await underAll([givingUp, phases.signal], (signal) =>
          endOf(talk(commandOf(attempt, deps.store), session, dialogue, signal), clock, signal),
        );
    dialogue.conclude(outcome);
  } finally {
    phases.over();
  }
}

function talk(
  command: MoneyCommand,
  session: TerminalSession,
  dialogue: Dialogue,
  signal: AbortSignal,
): Promise<Outcome> {
  return session
    .execute(command, dialogue, signal)
    .catch((error): Outcome => ({ kind: 'unknown', code: 'driver_error', message: messageOf(error) }));
}

/** A driver that does not end after the abort is abandoned; its later calls find a dialogue that is over. */
async function endOf(running: Promise<Outcome>, clock: Clock, signal: AbortSignal): Promise<Outcome> {
  const { promise: abandoned, resolve } = Promise.withResolvers<Outcome>();
  const message = 'the driver did not end when it was told to';
  const grace: { timer?: Timer } = {};
  const onAbort = () => {
    const giveUp = () => resolve({ kind: 'unknown', code: 'driver_error', message });
    grace.timer = clock.timer('abandon', GIVE_UP_MS, giveUp);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    grace.timer?.stop();
  }
}

const TOO_LATE_TO_SEND: Outcome = {
  kind: 'not_started',
  code: 'FIRST_BYTE_LATE',
  message: 'The disk took too long to note it, and nothing was sent to the terminal. Try again.',
};
