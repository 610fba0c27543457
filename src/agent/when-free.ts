import { type Clock, sleep } from '../base/clock.ts';
import { hasCode } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { userOf } from '../cli/users.ts';
import { portOwner } from '../runtime/port-owner.ts';
import type { ServiceManager } from '../runtime/service-manager.ts';

/** Pause between two tries, in ms. */
const PORT_MS = 2_000;
const FOLDER_MS = 100;
/** How long a start waits for the last tilld of its state folder: a killed process lives until its memory is given back. */
const LAST_ONE_MS = 5_000;
/** The log repeats the message after so many tries. */
const SAY_AGAIN = 30;

export interface WhenFreeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Runs `hold`, and again while the state folder belongs to another tilld, 5 s at most.
 * @throws what it throws; STATE_FOLDER_HELD after that time
 */
export async function whenLeft<T>(hold: () => T, { clock, log, signal }: WhenFreeDeps): Promise<T> {
  const until = clock.monotonic() + LAST_ONE_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      return hold();
    } catch (error) {
      if (!hasCode(error, 'STATE_FOLDER_HELD') || clock.monotonic() >= until) throw error;
      if (tries === 0) log.warn({}, 'another tilld holds the state folder: the start waits for its end');
    }
    await sleep(clock, FOLDER_MS, signal, 'state folder');
  }
}

/** Waits before the next try to listen on a port that another program has, and says who has it: for a start that a service manager asked for. */
export function portWait(
  port: number,
  manager: Pick<ServiceManager, 'notify'>,
  { clock, log, signal }: WhenFreeDeps,
): () => Promise<void> {
  let tries = 0;
  return async () => {
    const uid = portOwner(port);
    const owner = uid === null ? null : userOf(uid);
    const by = owner === null ? 'another program' : `a program of ${owner}`;
    void manager.notify(`STATUS=port ${port} is held by ${by}: tilld waits for it, and cannot sell`);
    const facts = { port, owner, mend: `ss -ltnp 'sport = :${port}'` };
    if (tries % SAY_AGAIN === 0)
      log.error(facts, 'the port is held by another program: the start waits for it');
    tries += 1;
    await sleep(clock, PORT_MS, signal, 'port');
  };
}
