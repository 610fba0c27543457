import { type ChildProcess, execFile } from 'node:child_process';
import { z } from 'zod';
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { WalSpace } from '../store/disk/wal-space.ts';
import type { Money } from './money.ts';
import { tillctlBeside } from './tillctl-beside.ts';

/** How often it is checked whether a payment runs: before a process reads the database, and during it. */
export const LOOK_MS = { before: 1_000, during: 250 } as const;
/** The scan starts after so long without a payment: one customer is often followed by another. */
export const CALM_MS = 30_000;
/** After a failure that is no damage the scan is tried again so much later. */
const AGAIN_MS = 3_600_000;
/** A reader keeps the log from being emptied; with less free space than this the log grows. */
export const LEAST_ROOM_BYTES = 2_097_152;

const Answer = z.object({ data: z.object({ flaw: z.string().nullable() }) });

export interface IntegrityScanDeps {
  readonly money: Pick<Money, 'database' | 'unreadPages'>;
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The state of the integrity scan for other parts. */
export interface IntegrityScan {
  /** A process scans right now: the log cannot be emptied, and writes that fill it end the scan. */
  readonly isOn: boolean;
}

/**
 * The integrity scan of every page that a start has postponed: in a process of its own, while no payment runs. A payment ends the scan, and it begins
 * again in the next quiet time. After a flaw the file is not trusted any more, and the next start scans it first.
 */
export function scanPages(deps: IntegrityScanDeps): IntegrityScan {
  if (deps.money.unreadPages.pending === 'nothing') return { isOn: false };
  deps.log.info({}, 'the pages of the database are read while no payment runs, after an unclean shutdown');
  const reading = new Reading(deps);
  const end = () => reading.stop();
  // Also when the process ends after a disk failure: it does not stop its parts in order then.
  process.once('exit', end);
  deps.lifecycle.started('unread pages', () => {
    process.off('exit', end);
    end();
  });
  return reading;
}

class Reading implements IntegrityScan {
  readonly #deps: IntegrityScanDeps;
  readonly #logSpace: WalSpace;
  #timer: Timer | null = null;
  #child: ChildProcess | null = null;
  /** Monotonic. */
  #notBefore: number;
  #flaw: string | null = null;

  constructor(deps: IntegrityScanDeps) {
    this.#deps = deps;
    this.#logSpace = new WalSpace(deps.money.database);
    this.#notBefore = deps.clock.monotonic() + CALM_MS;
    this.#later();
  }

  get isOn(): boolean {
    return this.#child !== null;
  }

  stop(): void {
    this.#timer?.stop();
    this.#endChild();
  }

  #later(): void {
    const ms = this.#child ? LOOK_MS.during : LOOK_MS.before;
    this.#timer = this.#deps.clock.timer('unread pages', ms, () => this.#look());
  }

  #look(): void {
    try {
      this.#step();
    } catch (error) {
      this.#tryAgain(error);
    }
    if (this.#deps.money.database.failure === null && this.#isPending) this.#later();
  }

  get #isPending(): boolean {
    return this.#deps.money.unreadPages.pending !== 'nothing';
  }

  #step(): void {
    const { clock, quiet } = this.#deps;
    if (!quiet()) this.#waitForCalm();
    else if (this.#flaw !== null) this.#fail(this.#flaw);
    else if (this.#child) this.#mayReadOn();
    else if (clock.monotonic() >= this.#notBefore) this.#begin();
  }

  #waitForCalm(): void {
    this.#endChild();
    this.#notBefore = Math.max(this.#notBefore, this.#deps.clock.monotonic() + CALM_MS);
  }

  #endChild(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #mayReadOn(): void {
    if (this.#logSpace.bytes < LEAST_ROOM_BYTES) this.#waitForCalm();
  }

  #begin(): void {
    if (this.#logSpace.bytes < LEAST_ROOM_BYTES) this.#logSpace.restart();
    if (this.#logSpace.bytes < LEAST_ROOM_BYTES) this.#waitForCalm();
    else this.#start();
  }

  #start(): void {
    const words = [tillctlBeside(), 'read-pages', this.#deps.money.database.path];
    const child = execFile(process.execPath, words, (error, output) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#ended(error, output);
    });
    this.#child = child;
  }

  #ended(error: Error | null, output: string): void {
    const { unreadPages } = this.#deps.money;
    try {
      if (error) throw error;
      const { flaw } = Answer.parse(JSON.parse(output)).data;
      this.#flaw = flaw;
      if (flaw === null) this.#settle();
      else unreadPages.request('first');
    } catch (failure) {
      this.#tryAgain(failure);
    }
  }

  #settle(): void {
    this.#deps.money.unreadPages.settle();
    this.stop();
    this.#deps.log.info({}, 'every page of the database was read, nothing is wrong');
  }

  #tryAgain(error: unknown): void {
    this.#notBefore = this.#deps.clock.monotonic() + AGAIN_MS;
    this.#deps.log.warn({ error: messageOf(error) }, 'the pages of the database could not be read');
  }

  /** No payment runs: the process ends, and the next start salvages what can be read. */
  #fail(flaw: string): void {
    const { database } = this.#deps.money;
    database.fail(new AppError('STORAGE_DAMAGED', `${database.path} is damaged: ${flaw}`));
  }
}
