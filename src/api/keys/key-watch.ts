import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { Throttled } from './throttled.ts';

const NOTE_EVERY_MS = 60_000;

interface WatchDeps {
  readonly keys: ApiKeyStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What operations can see of the keys: when each was last used, and that one was rejected.
 *
 * INVARIANTS:
 * - one write a minute and key at most, also while the disk rejects it;
 * - one log line a minute and known key at most, and one for all unknown keys; no line contains the credential.
 */
export class KeyWatch {
  readonly #deps: WatchDeps;
  readonly #uses: Throttled;
  readonly #refusals: Throttled;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    this.#uses = new Throttled(deps.clock);
    this.#refusals = new Throttled(deps.clock);
  }

  /** The last use is recorded to the minute, not once per request, and a failed write never fails a sale. */
  used({ id, lastUsedAt }: ApiKeyRecord): void {
    const { keys, clock, log } = this.#deps;
    const now = clock.now();
    if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < NOTE_EVERY_MS) return;
    if (this.#uses.due(id) === null) return;
    try {
      keys.touch(id, now);
    } catch (error) {
      log.warn({ keyId: id, error: messageOf(error) }, 'last use of a key not noted');
    }
  }

  /** A rejected known key belongs to a till whose staff cannot sell; the origin of an unknown key is not known. */
  refused(error: unknown, address: string): void {
    if (!(error instanceof AppError)) return;
    const keyId = error.context['keyId'];
    const times = this.#refusals.due(typeof keyId === 'string' ? keyId : '');
    if (times === null) return;
    const { code } = error;
    this.#deps.log.warn({ code, keyId: keyId ?? null, address, times }, 'api key refused');
  }
}
