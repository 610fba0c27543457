import { type ChildProcess, execFile } from 'node:child_process';
import { z } from 'zod';
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { LogRoom } from '../store/disk/log-room.ts';
import type { Money } from './money.ts';
import { tillctlBeside } from './tillctl-beside.ts';

/** How often is looked whether somebody pays: before the reading, and during it. */
const LOOK_MS = { before: 1_000, during: 250 } as const;
/** So long nobody pays before it begins: a customer is often followed by another one. */
export const CALM_MS = 30_000;
/** What could not be read for another reason than its damage is tried again so much later. */
const AGAIN_MS = 3_600_000;
/** Who reads keeps the log from being emptied, and less free room than this makes it longer. */
const LEAST_ROOM_BYTES = 2_097_152;

const Answer = z.object({ data: z.object({ flaw: z.string().nullable() }) });

export interface ReadPagesPorts {
  readonly money: Pick<Money, 'database' | 'unreadPages'>;
  /** Nobody pays, and the disk does what it is told. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** What reads the pages, as far as others must know of it. */
export interface PageReading {
  /** A process reads right now: the log cannot be emptied, and whoever fills it ends the reading. */
  readonly isOn: boolean;
}

/**
 * Reads every page of the database, where a start has left that for later: in a process of its own, while nobody
 * pays. Whoever pays ends it, and it begins anew in the next calm. A flaw ends the trust in the file, and the next start reads it first.
 */
export function readPages(ports: ReadPagesPorts): PageReading {
  if (ports.money.unreadPages.owed === 'nothing') return { isOn: false };
  ports.log.info({}, 'the pages of the database are read while nobody pays, after an end that was none');
  const reading = new Reading(ports);
  const end = () => reading.stop();
  // Also the end of a process whose disk failed: it stops nothing in order.
  process.once('exit', end);
  ports.lifecycle.started('unread pages', () => {
    process.off('exit', end);
    end();
  });
  return reading;
}

class Reading implements PageReading {
  readonly #ports: ReadPagesPorts;
  readonly #room: LogRoom;
  #timer: Timer | null = null;
  #child: ChildProcess | null = null;
  /** Monotonic. */
  #notBefore: number;
  #flaw: string | null = null;

  constructor(ports: ReadPagesPorts) {
    this.#ports = ports;
    this.#room = new LogRoom(ports.money.database);
    this.#notBefore = ports.clock.monotonic() + CALM_MS;
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
    this.#timer = this.#ports.clock.timer('unread pages', ms, () => this.#look());
  }

  #look(): void {
    try {
      this.#step();
    } catch (error) {
      this.#tryAgain(error);
    }
    if (this.#ports.money.database.failure === null && this.#isOwed) this.#later();
  }

  get #isOwed(): boolean {
    return this.#ports.money.unreadPages.owed !== 'nothing';
  }

  #step(): void {
    const { clock, quiet } = this.#ports;
    if (!quiet()) this.#waitForCalm();
    else if (this.#flaw !== null) this.#fail(this.#flaw);
    else if (this.#child) this.#mayReadOn();
    else if (clock.monotonic() >= this.#notBefore) this.#begin();
  }

  #waitForCalm(): void {
    this.#endChild();
    this.#notBefore = Math.max(this.#notBefore, this.#ports.clock.monotonic() + CALM_MS);
  }

  #endChild(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #mayReadOn(): void {
    if (this.#room.bytes < LEAST_ROOM_BYTES) this.#waitForCalm();
  }

  #begin(): void {
    if (this.#room.bytes < LEAST_ROOM_BYTES) this.#room.restart();
    if (this.#room.bytes < LEAST_ROOM_BYTES) this.#waitForCalm();
    else this.#start();
  }

  #start(): void {
    const words = [tillctlBeside(), 'read-pages', this.#ports.money.database.path];
    const child = execFile(process.execPath, words, (error, output) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#ended(error, output);
    });
    this.#child = child;
  }

  #ended(error: Error | null, output: string): void {
    const { unreadPages } = this.#ports.money;
    try {
      if (error) throw error;
      const { flaw } = Answer.parse(JSON.parse(output)).data;
      this.#flaw = flaw;
      if (flaw === null) this.#settle();
      else unreadPages.owe('first');
    } catch (failure) {
      this.#tryAgain(failure);
    }
  }

  #settle(): void {
    this.#ports.money.unreadPages.settle();
    this.stop();
    this.#ports.log.info({}, 'every page of the database was read, nothing is wrong');
  }

  #tryAgain(error: unknown): void {
    this.#notBefore = this.#ports.clock.monotonic() + AGAIN_MS;
    this.#ports.log.warn({ error: messageOf(error) }, 'the pages of the database could not be read');
  }

  /** Nobody pays: the process ends, and the next start saves what can be saved. */
  #fail(flaw: string): void {
    const { database } = this.#ports.money;
    database.fail(new AppError('STORAGE_DAMAGED', `${database.path} is damaged: ${flaw}`));
  }
}
