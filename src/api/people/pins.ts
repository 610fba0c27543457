import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { AuditEntry, PairedDevice, Person, SignInStore } from '../ports.ts';
import type { People } from './people.ts';
import { SignInTries } from './sign-in-tries.ts';

/** 32 MiB and about 60 ms for each try. */
const COST = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export interface PinDeps {
  readonly store: SignInStore;
  readonly people: People;
  readonly clock: Clock;
}

/**
 * PINs of people, which open a session on paired devices only: six digits are no secret for the open network.
 *
 * INVARIANTS:
 * - the store holds a salted scrypt hash, never the PIN;
 * - a wrong PIN, a person without one and a person who may not sign in get the same answer after the same work.
 */
export class Pins {
  readonly #deps: PinDeps;
  readonly #tries: SignInTries;
  #lastHash: Promise<unknown> = Promise.resolve();

  constructor(deps: PinDeps) {
    this.#deps = deps;
    this.#tries = new SignInTries(deps.store, deps.clock);
  }

  /** @throws PIN_WEAK, STORAGE_FULL, STORAGE_FAILED */
  async set(person: Person, pin: string, from: string): Promise<void> {
    if (isWeak(pin))
      throw new AppError(
        'PIN_WEAK',
        'This PIN is too easy to guess: not one digit again and again, no row like 123456',
      );
    const salt = randomBytes(SALT_BYTES);
    const hash = `${salt.toString('base64url')}.${(await this.#hashOf(pin, salt)).toString('base64url')}`;
    this.#deps.store.keepPin(person.id, hash, {
      at: this.#deps.clock.now(),
      event: 'pin_set',
      subject: person.id,
      who: person.name,
      from,
      details: { name: person.name },
    });
  }

  /** The person that this PIN signs in. @throws SIGN_IN_PAUSED, SIGN_IN_REFUSED, STORAGE_FULL, STORAGE_FAILED */
  async check(personId: string, pin: string, device: PairedDevice, from: string): Promise<Person> {
    const { store, people } = this.#deps;
    // A person that is not there is not counted: a device could fill the books with them.
    const subjects = [...(people.active(personId) ? [`person:${personId}`] : []), `device:${device.id}`];
    this.#tries.take(subjects);
    const kept = store.pinOf(personId);
    const [salt = '', hash = ''] = (kept ?? '').split('.');
    const given = await this.#hashOf(pin, Buffer.from(salt, 'base64url'));
    const wanted = Buffer.from(hash, 'base64url');
    const person = people.active(personId);
    const isRight = wanted.length === given.length && timingSafeEqual(wanted, given);
    // The person may have set another PIN meanwhile.
    if (person && isRight && store.pinOf(personId) === kept) {
      this.#tries.succeeded(subjects);
      return person;
    }
    people.note(this.#refused(personId, device, from));
    throw new AppError('SIGN_IN_REFUSED', 'This PIN is wrong');
  }

  /** One after the other: terminals and files need the other threads of the process. */
  #hashOf(pin: string, salt: Buffer): Promise<Buffer> {
    const hash = this.#lastHash.then(() => hashOf(pin, salt));
    this.#lastHash = hash.catch(() => undefined);
    return hash;
  }

  #refused(personId: string, device: PairedDevice, from: string): AuditEntry {
    const name = this.#deps.people.active(personId)?.name ?? null;
    const at = this.#deps.clock.now();
    return { at, event: 'pin_refused', subject: personId, who: device.name, from, details: { name } };
  }
}

function isWeak(pin: string): boolean {
  const steps = [...pin].map((digit, index) => (Number(pin[index + 1] ?? digit) - Number(digit) + 10) % 10);
  const inner = steps.slice(0, -1);
  return [0, 1, 9].some((step) => inner.every((one) => one === step));
}

function hashOf(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, HASH_BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
