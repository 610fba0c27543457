import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { backOff } from './back-off.ts';
import type { Answer } from './report-port.ts';

const LINE_GROWTH = { firstMs: 1_000, mostMs: 2_000 };
const HALT_GROWTH = { firstMs: 30_000, mostMs: 300_000 };
/** Failures in a row, of any rows, after which a ping comes before the next row. */
const DOWN_AFTER = 3;

/**
 * The circuit breaker of delivery: open for seconds while the line or the service is down, for minutes while the key is refused.
 * Why: a row that cannot arrive still costs two syncs of the disk; a refused key makes every row fail alike.
 */
export class DeliveryCircuit {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #log: Log;
  #opened: { readonly cause: 'line' | 'key'; readonly until: number } | null = null;
  #troubles = 0;
  #halts = 0;
  #down = false;

  constructor(clock: Clock, ids: Ids, log: Log) {
    this.#clock = clock;
    this.#ids = ids;
    this.#log = log;
  }

  /** How long it stays open, ms; 0: rows may go now. */
  openMs(): number {
    return Math.max(0, (this.#opened?.until ?? 0) - this.#clock.monotonic());
  }

  /** The service must answer a ping before the next row. */
  get down(): boolean {
    return this.#down;
  }

  /** The key was refused, and no later answer has accepted it. */
  get halted(): boolean {
    return this.#halts > 0;
  }

  /** Learns from the answer to a row or a look-up. */
  note(answer: Answer): void {
    if (answer.kind === 'unavailable') {
      this.#troubles += 1;
      if (answer.reached === 'no' || this.#troubles >= DOWN_AFTER) this.#waitForLine(answer.words);
      return;
    }
    this.#troubles = 0;
    this.#down = false;
    if (answer.kind === 'unauthorised' || answer.kind === 'forbidden') return;
    this.#halts = 0;
  }

  /** Learns from the answer to a ping. @returns true when rows may go. */
  noteProbe(answer: Answer): boolean {
    if (answer.kind === 'unavailable') {
      this.#troubles += 1;
      this.#waitForLine(answer.words);
      return false;
    }
    this.note(answer);
    if (answer.kind !== 'unauthorised' && answer.kind !== 'forbidden') return true;
    this.halt(`${answer.kind}: ${answer.refusal.code ?? answer.refusal.message}`);
    return false;
  }

  /** The key is refused, or proves nothing: stop, log it once, keep everything. Refusals of one moment count once. */
  halt(error: string): void {
    if (this.#opened?.cause === 'key' && this.openMs() > 0) return;
    if (this.#halts === 0)
      this.#log.error({ error }, 'reporting stopped: the service does not accept our key');
    this.#halts += 1;
    this.#open('key', backOff(this.#halts, HALT_GROWTH, this.#ids));
  }

  lineRestored(): void {
    this.#down = false;
    this.#troubles = 0;
    if (this.#opened?.cause === 'line') this.#opened = null;
  }

  keyChanged(): void {
    if (this.#opened?.cause === 'key') this.#opened = null;
  }

  #waitForLine(words: string): void {
    if (!this.#down) this.#log.warn({ words }, 'outbox waits for the service');
    this.#down = true;
    this.#open('line', backOff(this.#troubles, LINE_GROWTH, this.#ids));
  }

  #open(cause: 'line' | 'key', ms: number): void {
    const until = this.#clock.monotonic() + ms;
    if (this.openMs() === 0 || cause === 'key') this.#opened = { cause, until };
  }
}
