import { randomUUID } from 'node:crypto';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { type Answer, type Ask, send } from '../ask.ts';
import { Breach, hold } from '../breach.ts';
import { keepLaws } from '../laws.ts';
import { KEY_PLANS } from './keys.ts';

const DEVICES = 24;
/** Real time that something on a real socket may take. */
const TURNS = 1500;
const TURN_MS = 2;
const VIRTUAL_MS_A_TURN = 5;
/** A payment that runs has minutes of grace before everything stops. */
const END_MS_A_TURN = 1000;

/** What both sides have in common: a clock, devices, keys by name, and requests that are held to the laws. */
export class Stage {
  readonly clock = new VirtualClock();
  readonly devices: readonly string[] = Array.from({ length: DEVICES }, () => randomUUID());
  #used = 0;
  #amount = 1000;

  async send(url: string, asked: Ask): Promise<Answer> {
    const answer = await send(url, asked);
    try {
      keepLaws(answer, this.clock.now());
    } catch (error) {
      if (!(error instanceof Breach)) throw error;
      throw new Breach(
        `${asked.method ?? 'GET'} ${asked.path.slice(0, 120)} gave ${answer.status}: ${error.message}`,
      );
    }
    return answer;
  }

  keyOf(name: string): string {
    const plan = KEY_PLANS.find((known) => known.name === name);
    if (!plan) throw new Error(`no row may use a key "${name}"`);
    return plan.key;
  }

  freshDevice(): string {
    const device = this.devices[this.#used];
    if (device === undefined)
      throw new Error(`more than ${DEVICES} devices in one group of rows: split the group`);
    this.#used += 1;
    return device;
  }

  freshAmount(): number {
    this.#amount += 7;
    return this.#amount;
  }

  /** Lets real and virtual time pass until something has come to its end. */
  async through<T>(what: string, work: Promise<T>): Promise<T> {
    let settled = false;
    const note = () => {
      settled = true;
    };
    work.then(note, note);
    await this.until(what, () => settled, END_MS_A_TURN);
    return work;
  }

  async until(
    what: string,
    isSo: () => boolean | Promise<boolean>,
    virtualMs = VIRTUAL_MS_A_TURN,
  ): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (await isSo()) return;
      await this.clock.advance(virtualMs);
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
    hold(false, () => `${what} did not come about`);
  }
}
