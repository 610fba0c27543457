import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import type { RunningVirtualTerminal } from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { basketOf } from './basket.ts';

/** What the customer of a basket does at the terminal, and how long it takes. */
export interface Habit {
  readonly keys: readonly Key[];
  readonly delayMs: number;
  /** What the terminal approves instead of what was asked for, tip included. */
  readonly approved?: { readonly amountMinor: number; readonly tipMinor?: number };
}

const LOOK_MS = 15;
/** Whom the terminal asks for this long was overlooked: on a busy machine a look may miss that another dialogue has begun. */
const OVERLOOKED_MS = 15_000;

/** Plays the customers: whoever is asked for a card presses keys, whether the daemon lives or not. */
export class Customers {
  readonly #terminal: RunningVirtualTerminal;
  readonly #habitOf: (basket: number) => Habit;
  readonly #words: RegExp;
  readonly #pressing = new Set<NodeJS.Timeout>();
  readonly #looking: NodeJS.Timeout;
  #seen = '';
  #seenAt = 0;

  /** @param voidNeedsCard a void asks for the card, too */
  constructor(terminal: RunningVirtualTerminal, habitOf: (basket: number) => Habit, voidNeedsCard: boolean) {
    this.#terminal = terminal;
    this.#habitOf = habitOf;
    this.#words = voidNeedsCard ? /^(?:Present card|Reversal): (.*)$/ : /^Present card: (.*)$/;
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
  }

  leave(): void {
    clearInterval(this.#looking);
    for (const timer of this.#pressing) clearTimeout(timer);
  }

  #look(): void {
    const { screen, ledger } = this.#terminal.snapshot();
    // The same basket may be asked for twice in a row.
    const seen = `${screen} ${ledger.length}`;
    const now = performance.now();
    const again = seen === this.#seen;
    if (again && (this.#pressing.size > 0 || now - this.#seenAt < OVERLOOKED_MS)) return;
    this.#seen = seen;
    this.#seenAt = now;
    const amount = this.#words.exec(screen)?.[1];
    if (amount === undefined) return;
    const { keys, delayMs, approved } = this.#habitOf(basketOf(minorOf(amount)));
    if (again && keys.includes('walk_away')) return;
    const timer = setTimeout(() => {
      this.#pressing.delete(timer);
      // Who was sent away meanwhile presses nothing: a key that waits would be the next customer's.
      if (this.#terminal.snapshot().screen !== screen) return;
      if (approved) this.#terminal.nextAmount(approved.amountMinor, { tipMinor: approved.tipMinor ?? 0 });
      for (const key of keys) this.#terminal.press(key);
    }, delayMs);
    this.#pressing.add(timer);
  }
}

/** `EUR 7,00`, or minor units as they are. */
function minorOf(shown: string): number {
  return Number(shown.replace(/\D/g, ''));
}
