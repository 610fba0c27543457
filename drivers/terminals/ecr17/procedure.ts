import { AppError, type Clock, type LineEvent, type StxLine } from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Conversation } from './conversation.ts';
import { ReceiptCollector } from './receipts.ts';

/** No procedure runs longer, whatever the terminal goes on saying. */
const LONGEST_MS = 900_000;
/** How long behind a result the first part of a receipt is waited for, where one was asked for; and anything else, where none was. */
const FIRST_PART_MS = 3000;
const NOTHING_MORE_MS = 300;
/** How long the next part of a receipt that has begun is waited for, and another receipt behind one that is complete. */
const NEXT_PART_MS = 2000;
const NEXT_RECEIPT_MS = 500;
/** No outcome waits longer for its receipts. */
const RECEIPTS_MS = 10_000;

export interface ProcedureParts {
  readonly line: StxLine;
  readonly conversation: Conversation;
  readonly clock: Clock;
  /** Longest silence of the terminal. */
  readonly silenceMs: number;
  readonly progress: (text: string) => void;
  /** Receipts were asked for. */
  readonly wantsReceipts: boolean;
}

/**
 * What comes behind a command that the terminal carries out: progress, a result, and parts of receipts before or behind it.
 * Everything is answered but the result, which the caller acknowledges once it is on disk.
 */
export class Procedure {
  readonly #parts: ProcedureParts;
  readonly #receipts = new ReceiptCollector();
  readonly #endsAt: number;

  constructor(parts: ProcedureParts) {
    this.#parts = parts;
    this.#endsAt = parts.clock.monotonic() + LONGEST_MS;
  }

  get receipts() {
    return this.#receipts.receipts();
  }

  /**
   * Waits for the result. `alive` is called once, with the first thing that the terminal says.
   * @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, the signal's reason, or what `alive` throws.
   */
  async result(wants: (answer: Answer) => boolean, alive: () => void, signal: AbortSignal): Promise<Answer> {
    const { clock, line, silenceMs } = this.#parts;
    while (true) {
      const ms = Math.min(silenceMs, this.#endsAt - clock.monotonic());
      if (ms <= 0) throw endless();
      const event = await line.receive({ name: 'customer', ms }, signal);
      alive();
      const answer = await this.#take(event);
      if (answer === null) continue;
      if (wants(answer)) return answer;
      // An answer to an older question; it is taken so that the terminal stops repeating it.
      await line.acknowledge();
    }
  }

  /**
   * Takes what still comes behind the acknowledged result, as long as it may be expected: parts of receipts, and the result again if
   * our ACK was lost. `take` is told each answer before it is acknowledged; false: it is not, and nothing more is waited for. The end of
   * the line, or of its signal, ends it, too: the outcome is known.
   * @throws what `take` throws
   */
  async rest(take: (answer: Answer) => boolean, signal: AbortSignal): Promise<void> {
    const { clock, line } = this.#parts;
    const end = clock.monotonic() + RECEIPTS_MS;
    let until = clock.monotonic() + this.#firstWaitMs();
    while (true) {
      const ms = Math.min(until, end) - clock.monotonic();
      const answer = ms <= 0 ? 'nothing' : await this.#next(ms, signal);
      if (answer === 'nothing' || (answer !== null && !take(answer))) return;
      if (answer !== null) await line.acknowledge().catch(() => undefined);
      until = this.#isComplete()
        ? clock.monotonic() + NEXT_RECEIPT_MS
        : Math.max(until, clock.monotonic() + this.#nextWaitMs());
    }
  }

  /** An answer; null: something else, which was taken. */
  async #next(ms: number, signal: AbortSignal): Promise<Answer | null | 'nothing'> {
    try {
      return await this.#take(await this.#parts.line.receive({ name: 'receipt', ms }, signal));
    } catch {
      return 'nothing';
    }
  }

  /** An answer that is no part of a receipt. */
  async #take(event: LineEvent): Promise<Answer | null> {
    const { line, conversation, progress } = this.#parts;
    if (event.kind === 'notice') progress(wordsOf(event.text));
    if (event.kind !== 'frame') return null;
    const answer = await conversation.read(line, event.data);
    if (answer?.code !== 'S') return answer;
    this.#receipts.add(answer.fields['receipt'] ?? '');
    await line.acknowledge();
    return null;
  }

  #isComplete(): boolean {
    return !this.#receipts.isEmpty && !this.#receipts.isOpen;
  }

  #firstWaitMs(): number {
    if (this.#isComplete()) return NEXT_RECEIPT_MS;
    return this.#parts.wantsReceipts ? FIRST_PART_MS : NOTHING_MORE_MS;
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
