import { AppError, type Clock, type LineEvent, type StxLine } from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Conversation } from './conversation.ts';
import { ReceiptCollector } from './receipts.ts';
import { isOutcome } from './report.ts';

/** The maximum duration of a procedure, whatever the terminal sends. */
const LONGEST_MS = 900_000;
/** How long to wait after a result for the first part of a requested receipt, or for anything else where none was requested. */
const FIRST_PART_MS = 3000;
const NOTHING_MORE_MS = 300;
/** How long to wait for the next part of an open receipt, or for another receipt after a complete one. */
const NEXT_PART_MS = 2000;
const NEXT_RECEIPT_MS = 500;
/** The maximum delay of an outcome by its receipts. */
const RECEIPTS_MS = 10_000;

export interface ProcedureDeps {
  readonly line: StxLine;
  readonly conversation: Conversation;
  readonly clock: Clock;
  /** Longest silence of the terminal. */
  readonly silenceMs: number;
  readonly progress: (text: string) => void;
  /** Whether receipts were requested. */
  readonly wantsReceipts: boolean;
}

/**
 * The dialogue after a command: progress, a result, and parts of receipts before or after it.
 * Everything is acknowledged here except the result, which the caller acknowledges once it is on disk.
 */
export class Procedure {
  readonly #deps: ProcedureDeps;
  readonly #receipts = new ReceiptCollector();
  readonly #endsAt: number;

  constructor(deps: ProcedureDeps) {
    this.#deps = deps;
    this.#endsAt = deps.clock.monotonic() + LONGEST_MS;
  }

  get receipts() {
    return this.#receipts.receipts();
  }

  /** Whether a receipt has arrived, and none is in the middle. */
  get isComplete(): boolean {
    return !this.#receipts.isEmpty && !this.#receipts.isOpen;
  }

  /**
   * Waits for the result. `alive` is called once, with the first message of the terminal.
   * @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, the signal's reason, or what `alive` throws.
   */
  async result(wants: (answer: Answer) => boolean, alive: () => void, signal: AbortSignal): Promise<Answer> {
    const { clock, line, silenceMs } = this.#deps;
    while (true) {
      const ms = Math.min(silenceMs, this.#endsAt - clock.monotonic());
      if (ms <= 0) throw endless();
      const event = await line.receive({ name: 'customer', ms }, signal);
      alive();
      const answer = await this.#take(event);
      if (answer === null) continue;
      if (wants(answer)) return answer;
      // An answer to an older question is acknowledged so that the terminal stops repeating it, the result of an older command is not.
      if (!isOutcome(answer)) await line.acknowledge();
    }
  }

  /**
   * Reads what follows the acknowledged result, as long as it may be expected: parts of receipts, and the result again if
   * our ACK was lost. `take` receives each answer before it is acknowledged; false: it is not, and the wait ends. The end of
   * the line, or of its signal, also ends it: the outcome is known.
   * @throws what `take` throws
   */
  async rest(take: (answer: Answer) => boolean, signal: AbortSignal): Promise<void> {
    const { clock, line } = this.#deps;
    const end = clock.monotonic() + RECEIPTS_MS;
    let until = clock.monotonic() + this.#firstWaitMs();
    while (true) {
      const ms = Math.min(until, end) - clock.monotonic();
      const answer = ms <= 0 ? 'nothing' : await this.#next(ms, signal);
      if (answer === 'nothing' || (answer !== null && !take(answer))) return;
      if (answer !== null) await line.acknowledge().catch(() => undefined);
      until = this.isComplete
        ? clock.monotonic() + NEXT_RECEIPT_MS
        : Math.max(until, clock.monotonic() + this.#nextWaitMs());
    }
  }

  /** An answer; null: another message, which was handled. */
  async #next(ms: number, signal: AbortSignal): Promise<Answer | null | 'nothing'> {
    try {
      return await this.#take(await this.#deps.line.receive({ name: 'receipt', ms }, signal));
    } catch {
      return 'nothing';
    }
  }

  /** An answer that is not part of a receipt. */
  async #take(event: LineEvent): Promise<Answer | null> {
    const { line, conversation, progress } = this.#deps;
    if (event.kind === 'notice') progress(wordsOf(event.text));
    if (event.kind !== 'frame') return null;
    const answer = await conversation.read(line, event.data);
    if (answer?.code !== 'S') return answer;
    this.#receipts.add(answer.fields['receipt'] ?? '');
    await line.acknowledge();
    return null;
  }

  #firstWaitMs(): number {
    if (this.isComplete) return NEXT_RECEIPT_MS;
    return this.#deps.wantsReceipts ? FIRST_PART_MS : NOTHING_MORE_MS;
  }

  #nextWaitMs(): number {
    return this.#receipts.isOpen ? NEXT_PART_MS : NOTHING_MORE_MS;
  }
}

function wordsOf(text: Uint8Array): string {
  return new TextDecoder('latin1')
    .decode(text)
    .replace(/[^\x20-\x7e]/g, ' ')
    .trim();
}

function endless(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal goes on without a result', {
    retry: 'after_recovery',
    moneyMoved: 'unknown',
  });
}
