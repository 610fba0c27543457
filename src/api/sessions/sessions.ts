import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Role } from '../contract/session.ts';
import type { AuditEntry, PageSession, PageSessionStore, PairedDevice, Person } from '../ports.ts';
import { lifeOf } from './role.ts';

const SECRET_BYTES = 24;

/** The two tokens of the secret that opens a session. */
export interface SessionTokens {
  /** The browser sends it by itself; no script can read it. */
  readonly cookie: string;
  /** The page sends it; only pages of this origin can read it. */
  readonly proof: string;
}

export interface NewSession {
  readonly role: Role;
  /** null: the code was of no named person. */
  readonly person: Person | null;
  /** The paired device on which it is opened; null: the browser is not paired. */
  readonly device: PairedDevice | null;
  readonly way: 'code' | 'passkey' | 'pin';
  /** Who made the code; null: it was another way. */
  readonly codeBy: string | null;
  /** The address of the browser. */
  readonly from: string;
}

/**
 * The sessions of signed-in users of the pages.
 * Why two tokens: browsers send a cookie to every port of this machine, and a flaw in a script can leak whatever a script can read.
 * Either half alone opens nothing.
 *
 * INVARIANTS:
 * - the database holds a hash of both tokens together, never a half;
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
  open({ role, person, device, way, codeBy, from }: NewSession): {
    readonly session: PageSession;
    readonly tokens: SessionTokens;
  } {
    const tokens = { cookie: secret(), proof: secret() };
    const createdAt = this.#clock.now();
    const session = {
      id: this.#ids.uuid(),
      hash: hashOf(tokens),
      role,
      personId: person?.id ?? null,
      pairedDeviceId: device?.id ?? null,
      createdAt,
      expiresAt: createdAt + lifeOf(role),
    };
    if (person) this.#store.insert(session, signedIn(person, { from, way, codeBy, device }, createdAt));
    else this.#store.insert(session);
    return { session, tokens };
  }

  /** @throws SESSION_ENDED when there is none, or it has ended */
  find(tokens: SessionTokens): PageSession {
    const session = this.#store.byHash(hashOf(tokens));
    if (session && this.#clock.now() < session.expiresAt) return session;
    throw new AppError('SESSION_ENDED', 'This session has ended: sign in again');
  }

  /** Whether these tokens still open a session. @throws STORAGE_FAILED */
  isOpen(tokens: SessionTokens): boolean {
    const session = this.#store.byHash(hashOf(tokens));
    return session !== null && this.#clock.now() < session.expiresAt;
  }

  /** Ends it for good; a second call does nothing. */
  end(id: string): void {
    this.#store.end(id);
  }
}

function signedIn(
  { id, name }: Person,
  { from, way, codeBy, device }: Pick<NewSession, 'from' | 'way' | 'codeBy' | 'device'>,
  at: number,
): AuditEntry {
  const details = {
    name,
    way,
    ...(codeBy === null ? {} : { code_by: codeBy }),
    ...(device ? { device: device.name } : {}),
  };
  return { at, event: 'signed_in', subject: id, who: name, from, details };
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What the store knows a session by. 288 bits of randomness: a plain hash is enough. */
export function hashOf({ cookie, proof }: SessionTokens): string {
  return createHash('sha256').update(`${cookie}.${proof}`).digest('hex');
}
