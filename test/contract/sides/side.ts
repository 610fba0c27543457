import type { Answer, Ask } from '../ask.ts';
import type { End, Plan } from '../interface.ts';

export const SIDES = ['local', 'sandbox'] as const;
export type SideName = (typeof SIDES)[number];

/** How a side is set up for a group of rows. */
export interface Setting {
  /** Absent: so many requests that no row meets the limit. */
  readonly plan?: Plan;
  /** Absent: a connector serves every integration, wherever an integration needs one. */
  readonly connectors?: 'none';
  /** Absent: every list of the account is there. `empty`: tilld is configured to mirror none. */
  readonly mirror?: 'empty';
}

/**
 * One side of the interface, served over real sockets on a clock that the row moves. Everything a row needs that the interface itself
 * does not offer (a customer at the terminal, the time, a restart) is here; everything else goes through `send`.
 */
export interface Side {
  readonly name: SideName;
  /** Sends a request as it is, and holds the answer to the laws of every answer. @throws Breach */
  send(asked: Ask): Promise<Answer>;
  /** The API key of that name; see `keys.ts`. */
  keyOf(name: string): string;
  /** The devices that the merchant has, in their order. */
  readonly devices: readonly string[];
  /** A device that no row has used so far. */
  freshDevice(): string;
  /** An amount that no sale of this side has had. */
  freshAmount(): number;
  /** Epoch milliseconds of its clock. */
  now(): number;
  /** Time passes, with everything that falls due in it. */
  pass(ms: number): Promise<void>;
  /** Its wall clock alone goes forward; nothing falls due. */
  jump(ms: number): void;
  /** Lets real and a little virtual time pass until it is so. @throws Breach when it does not become so. */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** A payment that was requested is in the hands of its terminal: `in_progress`. */
  begin(id: string): Promise<void>;
  /** A payment comes to its end, by what happens at its terminal. */
  finish(id: string, as: End): Promise<void>;
  /** The next request meets a fault of the server's own: it fails, or what it stands on is not there; where that cannot be, it throws. */
  failNext(how: Fault): void;
  /** The next writes stand still once they have begun, until they are released; where that cannot be, it throws. */
  holdNext(): Held;
  /** Where the merchant makes and ends API keys: no operation of the interface. */
  readonly dashboard: Dashboard;
  /** It stops and starts again with what it has stored. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A request that is being served and stands still. */
export interface Held {
  begun(): Promise<void>;
  release(): Promise<void>;
}

export type Fault = 'broken' | 'unavailable' | 'gateway_failed' | 'gateway_slow';

/** An API key as it is shown once. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
}

export interface Dashboard {
  /** A key that may read payments. */
  make(): Promise<ShownKey>;
  /** A new secret; the one before stays valid for a while. @throws Breach when it is refused */
  roll(id: string, overlapHours?: number): Promise<ShownKey>;
  revoke(id: string): Promise<void>;
  /** Ids of keys that nobody has used for a long time. */
  stale(): Promise<readonly string[]>;
}
