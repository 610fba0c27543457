import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Role } from '../contract/session.ts';
import type { PageSession, PageSessionStore } from '../ports.ts';
import { lifeOf } from './role.ts';

const SECRET_BYTES = 24;

/** The two halves of the secret that opens a session. */
export interface SessionHalves {
  /** The browser sends it by itself; no script can read it. */
  readonly cookie: string;
  /** The page sends it; only pages of this origin can read it. */
  readonly proof: string;
}

/**
 * The sessions of signed-in users of the pages.
 * Why two halves: browsers send a cookie to every port of this machine, and a flaw in a script can leak whatever a script can read.
 * Either half alone opens nothing.
 *
 * INVARIANTS:
 * - the database holds a hash of both halves together, never a half;
 * - a session ends at its time, whatever is done with it.
 */
export class Sessions {
  readonly #store: PageSessionStore;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ store, clock, ids }: { store: PageSessionStore; clock: Clock; ids: Ids }) {
    this.#store = store;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** @throws STORAGE_FULL, STORAGE_FAILED; then there is no session */
  open(role: Role): { readonly session: PageSession; readonly halves: SessionHalves } {
    const halves = { cookie: secret(), proof: secret() };
    const createdAt = this.#clock.now();
    const session = {
      id: this.#ids.uuid(),
      hash: hashOf(halves),
      role,
      createdAt,
      expiresAt: createdAt + lifeOf(role),
    };
    this.#store.insert(session);
    return { session, halves };
  }

  /** @throws SESSION_ENDED when there is none, or it has ended */
  find(halves: SessionHalves): PageSession {
    const session = this.#store.byHash(hashOf(halves));
    if (session && this.#clock.now() < session.expiresAt) return session;
    throw new AppError('SESSION_ENDED', 'Nobody is signed in here any more: sign in again');
  }

  /** Whether these halves still open a session. @throws STORAGE_FAILED */
  isOpen(halves: SessionHalves): boolean {
    const session = this.#store.byHash(hashOf(halves));
    return session !== null && this.#clock.now() < session.expiresAt;
  }

  /** Ends it for good; a second call does nothing. */
  end(id: string): void {
    this.#store.end(id);
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** 288 bits of randomness: a plain hash is enough. */
function hashOf({ cookie, proof }: SessionHalves): string {
  return createHash('sha256').update(`${cookie}.${proof}`).digest('hex');
}
