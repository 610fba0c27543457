import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

const LIFE_MS = 300_000;
const RANDOM_BYTES = 16;
const END_BYTES = 8;
const MAC_BYTES = 32;

/**
 * Challenges of WebAuthn that carry their own end, under a key of this process: many that are asked for displace none.
 *
 * INVARIANT: a challenge is of this process, and good for one answer within five minutes.
 */
export class Challenges {
  readonly #clock: Clock;
  readonly #key = randomBytes(MAC_BYTES);
  /** Used ones and when they end, oldest first. */
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): Uint8Array<ArrayBuffer> {
    const end = Buffer.alloc(END_BYTES);
    end.writeBigUInt64BE(BigInt(Math.ceil(this.#clock.monotonic()) + LIFE_MS));
    const signed = Buffer.concat([randomBytes(RANDOM_BYTES), end]);
    return new Uint8Array(Buffer.concat([signed, this.#macOf(signed)]));
  }

  /** Whether it is good; then it is used up. @param challenge base64url */
  use(challenge: string): boolean {
    const now = this.#clock.monotonic();
    for (const [used, endsAt] of this.#used) if (endsAt <= now) this.#used.delete(used);
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== RANDOM_BYTES + END_BYTES + MAC_BYTES) return false;
    const signed = bytes.subarray(0, RANDOM_BYTES + END_BYTES);
    const endsAt = Number(signed.readBigUInt64BE(RANDOM_BYTES));
    const name = signed.toString('base64url');
    if (!timingSafeEqual(bytes.subarray(signed.length), this.#macOf(signed))) return false;
    if (now >= endsAt || this.#used.has(name)) return false;
    this.#used.set(name, endsAt);
    return true;
  }

  #macOf(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest();
  }
}
