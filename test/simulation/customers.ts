import type { Clock } from '../../src/base/clock.ts';
import type { Key } from '../../src/sandbox/controllable-terminal.ts';
import { Keypad } from '../../src/sandbox/terminal/keypad.ts';
import type { Random } from './random.ts';

/** How customers are, in hundredths up to which each kind goes. */
const KINDS: readonly (readonly [upTo: number, readonly Key[]])[] = [
  [70, ['approve']],
  [79, ['decline']],
  [85, ['wrong_pin', 'approve']],
  [88, ['wrong_pin', 'wrong_pin', 'wrong_pin']],
  [94, ['abort']],
  [100, ['walk_away']],
];

/** Just within the time that the terminal waits for a card. */
const SLOWEST_MS = 29_500;

/**
 * The customers of one terminal, in place of its keys. They press only while they are asked to: what one of them did not press in
 * time is gone with the dialogue.
 */
export class Customers extends Keypad {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cardShown: () => void;
  #keys: Key[] = [];

  constructor(clock: Clock, random: Random, cardShown: () => void) {
    super(clock, 'off', 0);
    this.#clock = clock;
    this.#random = random;
    this.#cardShown = cardShown;
  }

  /** The next dialogue has another customer. */
  newDialogue(): void {
    const at = this.#random.int(0, 99);
    this.#keys = [...(KINDS.find(([upTo]) => at < upTo)?.[1] ?? [])];
  }

  override next(signal: AbortSignal): Promise<Key> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const key = this.#keys.shift();
    const mostMs = this.#random.chance(0.12) ? SLOWEST_MS : 12_000;
    return new Promise((resolve, reject) => {
      const press = () => {
        signal.removeEventListener('abort', onAbort);
        if (key === 'approve') this.#cardShown();
        if (key !== undefined) resolve(key);
      };
      const timer = key && this.#clock.timer('customer', this.#random.time(150, mostMs), press);
      const onAbort = () => {
        if (timer) timer.stop();
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
