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

/** Plays the customers: whoever is asked for a card presses keys, whether the daemon lives or not. */
export class Customers {
  readonly #terminal: RunningVirtualTerminal;
  readonly #habitOf: (basket: number) => Habit;
  readonly #pressing = new Set<NodeJS.Timeout>();
  readonly #looking: NodeJS.Timeout;
  #seen = '';

  constructor(terminal: RunningVirtualTerminal, habitOf: (basket: number) => Habit) {
    this.#terminal = terminal;
    this.#habitOf = habitOf;
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
    if (seen === this.#seen) return;
    this.#seen = seen;
    const [, units, cents] = /^Present card: .*?(\d+)[.,](\d\d)/.exec(screen) ?? [];
    if (units === undefined) return;
    const { keys, delayMs, approved } = this.#habitOf(basketOf(Number(units) * 100 + Number(cents)));
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
