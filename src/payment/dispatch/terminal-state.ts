import type { Clock } from '../../base/clock.ts';
import type { Device } from '../../terminal/device.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { PaymentStore } from '../ports.ts';
import type { DatabaseAge } from '../recovery/restored-database.ts';
import { wentTo } from '../recovery/same-terminal.ts';
import type { ServiceWitness } from '../recovery/service-witness.ts';

/** How long the service has to show that the database is the newest, before the terminal is read without that. */
export const WITNESS_MS = 15_000;

export interface TerminalStateDeps {
  readonly device: Device;
  readonly terminal: TerminalSupervisor;
  readonly store: PaymentStore;
  readonly databaseAge: DatabaseAge;
  readonly witness: ServiceWitness;
  /** A service is configured. */
  readonly hasService: boolean;
  readonly clock: Clock;
}

/**
 * What the terminal of a device does right now, and what of it is known since the start. Its queue worker writes it; the guards and the views read it.
 */
export class TerminalState {
  readonly #deps: TerminalStateDeps;
  #running: Attempt | null = null;
  #isClosing = false;
  /** Start of the database restore whose last transaction was shown here; null: none was. */
  #shownSince: number | null = null;
  #isShownNow = false;
  /** The same, where a person was asked because the terminal could not be read. */
  #askedSince: number | null = null;
  #wasAskedAfterStart = false;
  /** The time in which tilld did not run was judged. */
  #isJudged = false;
  /** Monotonic. */
  #startedAt: number;

  constructor(deps: TerminalStateDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
    const { databaseAge, store, device } = deps;
    if (databaseAge.lost && store.wasDatabaseCompared(device.id)) this.#shownSince = databaseAge.since;
  }

  get device(): Device {
    return this.#deps.device;
  }

  get terminal(): TerminalSupervisor {
    return this.#deps.terminal;
  }

  /** The attempt that the terminal works on right now. */
  get running(): Attempt | null {
    return this.#running;
  }

  /** The terminal is closing its day right now. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** A payment, a close or recovery has the terminal. */
  get isTaken(): boolean {
    return this.#running !== null || this.#isClosing || this.blockedBy !== null;
  }

  /** A payment, a close or a recovery runs or waits here; a doubt whose terminal does not answer is none. */
  get isBusy(): boolean {
    const { store, device, terminal } = this.#deps;
    const goesOn = store.openAttempts(device.id).some(({ state }) => state.name !== 'in_doubt');
    const recovers = this.blockedBy !== null && terminal.reach.kind === 'up';
    return goesOn || recovers || store.openSettlements(device.id).length > 0;
  }

  /** The requests that wait for it, oldest first. */
  get waiting(): readonly Attempt[] {
    const { store, device } = this.#deps;
    return store.openAttempts(device.id).filter(({ state }) => state.name === 'requested');
  }

  /**
   * The newest attempt in doubt on this terminal, whatever device it was made on; a released one counts as well. Why the newest: a person who
   * forces a close has seen those before it.
   */
  get doubt(): Attempt | null {
    return this.#doubts().findLast((one) => this.concerns(one)) ?? null;
  }

  /** The attempt in doubt that keeps this terminal from selling. */
  get blockedBy(): Attempt | null {
    return this.#doubts().find((one) => one.releasedAt === null && this.concerns(one)) ?? null;
  }

  /** The command of this attempt went to the terminal that serves the device now. */
  concerns(attempt: Attempt): boolean {
    const { terminal, device } = this.#deps;
    return wentTo(attempt, terminal.identity, device.id);
  }

  /** After a restore: the terminal's last transaction was read and shown to a person. */
  get hasLooked(): boolean {
    return this.#shownSince === this.#deps.databaseAge.since;
  }

  /** It was read and shown in this process run, because the database is restored. */
  get isShownNow(): boolean {
    return this.#isShownNow;
  }

  /** A person was asked what this terminal took, although it may not have been read. */
  get wasAsked(): boolean {
    return this.hasLooked || this.#askedSince === this.#deps.databaseAge.since;
  }

  /** The time in which tilld did not run was judged. */
  get isJudged(): boolean {
    return this.#isJudged;
  }

  /** The machine was rebooted since our last payment here, and this terminal has not been read yet. */
  get isToRead(): boolean {
    const { store } = this.#deps;
    const previous = this.#isJudged ? null : this.lastHere('lastSent');
    return previous !== null && store.isFromEarlierBoot(previous.id);
  }

  /** The machine was rebooted, and neither the service nor this terminal has shown yet that the database is the newest. */
  get isUnread(): boolean {
    const { hasService, witness } = this.#deps;
    return hasService && !witness.isGiven && !this.#wasAskedAfterStart && this.isToRead;
  }

  /** The machine was rebooted a moment ago, and the service has not been asked yet whether the database is the newest. */
  get awaitsWitness(): boolean {
    const { hasService, witness, store } = this.#deps;
    return hasService && !witness.isGiven && store.isStartedAgain() && !this.#hasWaitedForWitness;
  }

  /** The service has been asked by now whether the database is the newest, or could not be. */
  get isWitnessOver(): boolean {
    const { hasService, witness } = this.#deps;
    return !hasService || witness.isGiven || this.#hasWaitedForWitness;
  }

  /** Our newest attempt of this device, if its command went to the terminal that serves here: that terminal reports nothing of any other. */
  lastHere(which: 'lastSent' | 'lastStarted'): Attempt | null {
    const { store, device } = this.#deps;
    const previous = store[which](device.id);
    return previous !== null && this.concerns(previous) ? previous : null;
  }

  /** The queue runs from now on. */
  started(): void {
    this.#startedAt = this.#deps.clock.monotonic();
  }

  /** Runs `work` while the terminal works on this attempt. */
  async serving(attempt: Attempt, work: () => Promise<void>): Promise<void> {
    this.#running = attempt;
    try {
      await work();
    } finally {
      this.#running = null;
    }
  }

  /** Runs `work` while the terminal closes its day. */
  async closingDay(work: () => Promise<void>): Promise<void> {
    this.#isClosing = true;
    try {
      await work();
    } finally {
      this.#isClosing = false;
    }
  }

  /** @param since the restore after which it was shown */
  shown(since: number): void {
    this.#shownSince = since;
    this.#isShownNow = true;
  }

  /** @param since the restore after which a person was asked without a reading */
  askedUnread(since: number): void {
    this.#askedSince = since;
  }

  askedAfterStart(): void {
    this.#wasAskedAfterStart = true;
  }

  judged(): void {
    this.#isJudged = true;
  }

  get #hasWaitedForWitness(): boolean {
    return this.#deps.clock.monotonic() - this.#startedAt >= WITNESS_MS;
  }

  #doubts(): readonly Attempt[] {
    return this.#deps.store.openAttempts().filter(({ state }) => state.name === 'in_doubt');
  }
}
