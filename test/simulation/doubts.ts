import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';

/** Both sides may need this long, once they are back, or once the settle time is over. */
const WITHIN_MS = 60_000;

interface Doubt {
  readonly deviceId: string;
  /** The last transaction of its terminal can be read. */
  readonly isStrong: boolean;
  /** How long it may go on although it seems idle, ms. */
  readonly goesOnMs: number;
  /** Somebody typed at the terminal, or closed its day, while nobody knew. */
  byHand: boolean;
  /** Since when agent, line and terminal are well and the terminal is idle, without a break; null: they are not. */
  wellSince: number | null;
  /** They were well for long enough and nobody knew yet. */
  late: boolean;
}

export interface DoubtDeps {
  /** Agent, line and terminal of the device are well, and the terminal is idle. */
  readonly isWell: (deviceId: string) => boolean;
  /** The terminal that stands there can tell its last transaction. */
  readonly isStrong: (deviceId: string) => boolean;
  /** How long the terminal may go on with a payment that nobody hears, ms. */
  readonly goesOnMs: (deviceId: string) => number;
  readonly now: () => number;
}

/**
 * How long the agent took to settle what was in doubt, counted from the moment when both sides were back and idle.
 * A doubt counts when its terminal can tell its last transaction, and when a machine settled it or both sides were well for a minute in
 * a row. One on whose terminal somebody typed meanwhile counts like any other, and is counted apart as well: no machine can know there.
 */
export class Doubts {
  counted = 0;
  resolvedInTime = 0;
  /** Of those counted: how many had somebody at the keys of their terminal, and how many of these were settled in time. */
  byHand = 0;
  byHandInTime = 0;
  /** The same for those that this life of the books never sent: it has nothing to compare the terminal with. */
  unsent = 0;
  unsentInTime = 0;
  /** The same for those on whose terminal nothing was stored before: nothing tells whether it has closed its day by itself since. */
  fresh = 0;
  freshInTime = 0;
  readonly #open = new Map<string, Doubt>();
  readonly #deps: DoubtDeps;

  constructor(deps: DoubtDeps) {
    this.#deps = deps;
  }

  changed(attempt: Attempt, before: Attempt | undefined): void {
    const { isWell, isStrong, goesOnMs, now } = this.#deps;
    const { id, deviceId, state } = attempt;
    if (state.name === 'in_doubt' && !this.#open.has(id)) {
      const wellSince = isWell(deviceId) ? now() : null;
      this.#open.set(id, {
        deviceId,
        isStrong: isStrong(deviceId),
        goesOnMs: goesOnMs(deviceId),
        byHand: false,
        wellSince,
        late: false,
      });
    }
    if (isFinal(state) && before?.state.name === 'in_doubt') this.#settled(attempt);
  }

  /** Somebody typed at the terminal of this device, or closed its day. */
  usedByHand(deviceId: string): void {
    for (const doubt of this.#open.values()) if (doubt.deviceId === deviceId) doubt.byHand = true;
  }

  /** Something of the world has changed. */
  look(): void {
    for (const doubt of this.#open.values()) {
      const isWell = this.#deps.isWell(doubt.deviceId);
      this.#noteLate(doubt);
      if (!isWell) doubt.wellSince = null;
      else doubt.wellSince ??= this.#deps.now();
    }
  }

  #settled(attempt: Attempt): void {
    const doubt = this.#open.get(attempt.id);
    this.#open.delete(attempt.id);
    if (!doubt) return;
    this.#noteLate(doubt);
    const byMachine = !doubt.late && attempt.evidence?.kind !== 'person';
    if (!doubt.isStrong || !(doubt.late || byMachine)) return;
    this.counted += 1;
    const isUnsent = attempt.baseline === null;
    if (doubt.byHand) this.byHand += 1;
    if (isUnsent) this.unsent += 1;
    const isFresh = !isUnsent && !doubt.byHand && attempt.baseline?.last.kind === 'empty';
    if (isFresh) this.fresh += 1;
    if (!byMachine) return;
    this.resolvedInTime += 1;
    if (doubt.byHand) this.byHandInTime += 1;
    if (isUnsent) this.unsentInTime += 1;
    if (isFresh) this.freshInTime += 1;
  }

  #noteLate(doubt: Doubt): void {
    const { wellSince, goesOnMs } = doubt;
    if (wellSince !== null && this.#deps.now() - wellSince > WITHIN_MS + goesOnMs) doubt.late = true;
  }
}
