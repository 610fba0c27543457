import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { Random } from './random.ts';
import type { SimTerminal } from './terminal.ts';
import type { Place, World } from './world.ts';

const AMOUNTS = [100, 990, 1234, 1999, 4500, 12_000] as const;

/**
 * Who uses the keys of a terminal without the till: a sale in a hurry, money back, an undone sale, the end of the day, a second till.
 * What they type belongs to no attempt of ours.
 */
export class Hands {
  readonly #world: World;
  readonly #random: Random;
  /** How likely somebody types while an outcome is not known. */
  readonly #boldness: number;

  constructor(world: World, random: Random, boldness: number) {
    this.#world = world;
    this.#random = random;
    this.#boldness = boldness;
  }

  /** Somebody does something at some terminal. */
  use(): void {
    const random = this.#random;
    const { terminal } = random.pick(this.#world.places);
    if (random.chance(0.25)) this.#close(terminal);
    else
      this.#type(
        terminal,
        random.pick(AMOUNTS),
        random.pick(['sale', 'sale', 'sale', 'refund', 'void'] as const),
      );
  }

  /** The outcome is not known, and somebody cannot wait: the same amount again, at the terminal itself. */
  inDoubt(attempt: Attempt): void {
    const random = this.#random;
    if (!random.chance(this.#boldness)) return;
    const place = this.#world.positionOf(attempt.deviceId);
    if (!place) return;
    const amount = random.chance(0.7) ? attempt.amount.minor : random.pick(AMOUNTS);
    const soon = random.time(300, 40_000);
    const when = random.chance(0.3) ? this.#forgetCable(place) : soon;
    this.#world.time.at(when, () => this.#type(place.terminal, amount, attempt.type));
  }

  /** Nobody watches: the agent is gone for a while. */
  alone(): void {
    const random = this.#random;
    if (!random.chance(this.#boldness)) return;
    const { terminal } = random.pick(this.#world.places);
    const what = random.chance(0.2)
      ? () => this.#close(terminal)
      : () => this.#type(terminal, random.pick(AMOUNTS), random.pick(['sale', 'refund', 'void'] as const));
    this.#world.time.at(random.time(10, 20_000), what);
  }

  /** The cable stays out, and is put back only after somebody has sold by hand; how long that takes. */
  #forgetCable({ cable, terminal }: Place): number {
    const ms = this.#random.time(60_000, 900_000);
    this.#world.struck(`cable of ${terminal.name} is out for ${ms} ms`);
    cable.cut('unplugged', ms + 1000);
    return ms;
  }

  #type(terminal: SimTerminal, amountMinor: number, kind: 'sale' | 'refund' | 'void'): void {
    const result = this.#random.chance(0.85) ? 'approved' : 'declined';
    const typed = terminal.typeByHand({ kind, amountMinor, result });
    if (typed) this.#used(terminal, `typed ${kind} of ${typed.amountMinor}`);
  }

  #close(terminal: SimTerminal): void {
    if (terminal.closeByHand()) this.#used(terminal, 'closed its day');
  }

  #used(terminal: SimTerminal, what: string): void {
    this.#world.struck(`by hand at ${terminal.name}: ${what}`);
    const here = this.#world.places.filter((place: Place) => place.terminal === terminal);
    for (const { device } of here) this.#world.doubts.usedByHand(device.id);
  }
}
