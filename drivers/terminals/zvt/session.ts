import {
  AppError,
  type Capabilities,
  type CloseOutcome,
  type DriverContext,
  hasCode,
  type LastTransaction,
  type Link,
  type MoneyCommand,
  type Observer,
  type Outcome,
  type Readiness,
  type Reprint,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
import { builtReceipts } from './built-receipts.ts';
import type { ApduChannel } from './channel.ts';
import * as commands from './commands.ts';
import { readStatusCompletion, type StatusCompletion } from './completion.ts';
import { Conversation, codeOf, isBusy, refused } from './conversation.ts';
import type { Dialogue } from './dialogue.ts';
import { closeBatch } from './end-of-day.ts';
import { identityOf } from './identity.ts';
import { readJournal, turnoverTotals } from './journal.ts';
import { RESULT_ONLY, RESULT_WITHOUT_PAPER, repeatReceipt } from './last-transaction.ts';
import { failed, frameOf, outcomeOf } from './money-command.ts';
import { type BuildReceipts, MoneyWatch } from './money-watch.ts';
import { OneShot } from './one-shot.ts';
import { mend } from './own-business.ts';
import { reprint } from './reprint.ts';
import { printsPayments, type Settings } from './settings.ts';
import { readinessOf } from './terminal-status.ts';

/** Status-Enquiry: request device data as TLV. */
const WITH_DEVICE_DATA = 0x04;
/** The terminal does not know the command. */
const UNKNOWN_COMMAND = '83';

/** The last transaction of a terminal that repeats no receipt. */
const REPORTS_NOTHING: LastTransaction = {
  kind: 'unreadable',
  detail: 'the terminal ends Repeat Receipt without the result of its last transaction',
};

interface SessionDeps {
  readonly link: Link;
  readonly channel: ApduChannel;
  readonly context: DriverContext;
  readonly settings: Settings;
  /** The full capabilities of the driver on this device. */
  readonly capabilities: Capabilities;
}

/**
 * A session with one ZVT terminal.
 * Why it stores little: the terminal is the source of truth; only its capabilities are remembered.
 *
 * INVARIANTS:
 * - one dialogue at a time (the caller guarantees this);
 * - a money frame is sent once per `execute`; nothing here sends it again.
 */
export class ZvtSession implements TerminalSession {
  readonly #deps: SessionDeps;
  readonly #conversation: Conversation;
  #capabilities: Capabilities;
  /** The running money dialogue. */
  #paying: Dialogue | undefined;
  /** Until when a terminal may leave a Status-Enquiry unanswered after an Abort, on the monotonic clock. */
  #quietUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#conversation = new Conversation(deps);
    this.#capabilities = deps.capabilities;
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** @throws TERMINAL_BUSY, TERMINAL_REGISTRATION_REFUSED, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST */
  register(signal: AbortSignal): Promise<void> {
    return this.#conversation.register(signal);
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { completion, refusal } = await this.#status(signal);
    if (isBusy(refusal)) throw refused('TERMINAL_BUSY', refusal);
    if (refusal !== undefined && refusal !== UNKNOWN_COMMAND) throw refused('TERMINAL_REFUSED', refusal);
    const identity = identityOf(completion, this.#conversation.terminalId);
    this.#narrow({ identity: identity.grade });
    return identity;
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const mended = new Set<string>();
    while (true) {
      const { completion, refusal } = await this.#status(signal);
      const status = refusal ?? completion.terminalStatus;
      const need = status === '00' ? this.#conversation.takeRequested() : status;
      if (need === undefined || mended.has(need) || !(await mend(need, this.#conversation, signal)))
        return readinessOf(status, completion.fields);
      mended.add(need);
    }
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    if (this.#deps.settings.quirks.recover === 'none') return REPORTS_NOTHING;
    const first = await repeatReceipt(this.#conversation, RESULT_WITHOUT_PAPER, signal);
    const mayRepeat = printsPayments(this.#deps.settings);
    const last =
      first ?? (mayRepeat ? await repeatReceipt(this.#conversation, RESULT_ONLY, signal) : undefined);
    if (last) return last;
    this.#narrow({ recover: 'none' });
    return REPORTS_NOTHING;
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { settings, context } = this.#deps;
    const { charset } = this.#conversation;
    const paper = { charset, width: settings.printerWidth, build: this.#builder() };
    const watch = new MoneyWatch(command, observer, paper);
    let shot: OneShot | undefined;
    try {
      const frame = new OneShot(this.#conversation, frameOf(command, this.#conversation, context.currency));
      shot = frame;
      this.#paying = this.#conversation.dialogue(command.kind, settings.t4Ms);
      const result = await this.#paying.run(() => frame.send(signal), watch, signal);
      return outcomeOf(result, watch, (refusal) => this.#conversation.isProof(refusal));
    } catch (error) {
      return failed(error, shot?.neverTaken(error) ?? true, watch.lastReport);
    } finally {
      this.#expectQuiet(this.#paying);
      this.#paying = undefined;
    }
  }

  abort(): void {
    this.#paying?.askToStop();
  }

  endOfDay(progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    return closeBatch(this.#conversation, progress, signal);
  }

  async totals(signal: AbortSignal): Promise<Totals | null> {
    const { totals, knows } = await turnoverTotals(this.#conversation, signal);
    if (!knows) this.#narrow({ totalsWithoutPaper: false });
    return totals;
  }

  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    const { knowsTotals, ...journal } = await readJournal(this.#conversation, signal);
    if (!knowsTotals) this.#narrow({ totalsWithoutPaper: false });
    return journal;
  }

  reprint(signal: AbortSignal): Promise<Reprint> {
    return reprint(this.#conversation, signal);
  }

  async close(): Promise<void> {
    this.#deps.channel.mute();
    await this.#deps.link.close();
  }

  #narrow(measured: Partial<Capabilities>): void {
    this.#capabilities = { ...this.#capabilities, ...measured };
  }

  /** Builds the receipts where the terminal neither prints nor sends them. */
  #builder(): BuildReceipts | undefined {
    const { settings, context } = this.#deps;
    if (settings.receipts !== 'built') return undefined;
    const { receiptLanguage: language, printerWidth: width } = settings;
    const { charset } = this.#conversation;
    return (data, kind) =>
      builtReceipts(data, kind, { charset, language, width, currency: context.currency });
  }

  /** After an Abort some terminals leave Status-Enquiries unanswered for a while. */
  #expectQuiet(dialogue: Dialogue | undefined): void {
    const { context, settings } = this.#deps;
    if (dialogue?.wasStopped)
      this.#quietUntil = context.clock.monotonic() + settings.quirks.quietAfterCancelMs;
  }

  /** The terminal's status; the question is repeated while an Abort may be the reason for silence. */
  async #status(signal: AbortSignal): Promise<Status> {
    while (true) {
      try {
        return await this.#statusOnce(signal);
      } catch (error) {
        const mayBeQuiet = this.#deps.context.clock.monotonic() < this.#quietUntil;
        if (!mayBeQuiet || !hasCode(error, 'TERMINAL_NO_ANSWER')) throw error;
      }
    }
  }

  async #statusOnce(signal: AbortSignal): Promise<Status> {
    const { password, t3Ms } = this.#deps.settings;
    const command = commands.statusEnquiry(password, WITH_DEVICE_DATA);
    const result = await this.#conversation.ask({ command, stepMs: 2 * t3Ms }, signal);
    this.#quietUntil = Number.NEGATIVE_INFINITY;
    if (result.kind === 'refused' && result.code === UNKNOWN_COMMAND) throw outOfStep();
    if (result.kind === 'ended' && result.control === '060F') return { completion: statusOf(result.data) };
    return { completion: { fields: [] }, refusal: codeOf(result) ?? 'FF' };
  }
}

/** Every ZVT terminal knows the Status-Enquiry: a refusal means that the dialogue is out of step, and a new link is needed. */
function outOfStep(): AppError {
  return new AppError(
    'TERMINAL_GARBLED',
    'the terminal does not understand the status enquiry: the line is out of step, or ZVT is switched off in its menu',
    { retry: 'safe' },
  );
}

/** The completion of a Status-Enquiry, or the code of its refusal. */
interface Status {
  readonly completion: StatusCompletion;
  readonly refusal?: string;
}

function statusOf(data: Uint8Array): StatusCompletion {
  try {
    return readStatusCompletion(data);
  } catch (error) {
    throw new AppError('TERMINAL_GARBLED', "the terminal's status cannot be read", {
      retry: 'safe',
      cause: error,
    });
  }
}
