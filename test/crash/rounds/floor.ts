import type { Random } from '../../simulation/random.ts';
import type { Habit } from './customers.ts';
import type { Till } from './till.ts';
import type { World } from './world.ts';

/** What a scenario is played on: the world, a till, and chance. */
export interface Floor {
  readonly world: World;
  readonly till: Till;
  readonly random: Random;
  /** Baskets that the service's back office asked for. */
  readonly officeBaskets: number[];
  /** A basket that nobody has had, and what its customer will do; default: approves after a moment. */
  basket(habit?: Partial<Habit>): number;
  /** Makes the terminal approve another amount of this basket. */
  approveOf(basket: number, approved: NonNullable<Habit['approved']>): void;
}

const FIRST = 3;

/** Baskets of one round, and the habits of their customers. */
export class Baskets {
  readonly #random: Random;
  readonly #habits = new Map<number, Habit>();
  #last = FIRST;

  constructor(random: Random) {
    this.#random = random;
  }

  take(habit: Partial<Habit> = {}): number {
    this.#last += this.#random.int(1, 3);
    this.#habits.set(this.#last, { keys: ['approve'], delayMs: this.#random.time(20, 350), ...habit });
    return this.#last;
  }

  approveOf(basket: number, approved: NonNullable<Habit['approved']>): void {
    this.#habits.set(basket, { ...this.habitOf(basket), approved });
  }

  readonly habitOf = (basket: number): Habit =>
    this.#habits.get(basket) ?? { keys: ['approve'], delayMs: 50 };
}
