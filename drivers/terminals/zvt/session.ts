import {
  AppError,
  type Capabilities,
  type CloseOutcome,
  type DriverContext,
  type LastTransaction,
  type Link,
  type MoneyCommand,
  type Observer,
  type Outcome,
  type Readiness,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
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
import { MoneyWatch } from './money-watch.ts';
import { OneShot } from './one-shot.ts';
import type { Settings } from './settings.ts';
import { readinessOf } from './terminal-status.ts';

/** Status-Enquiry: send device data as TLV. */
const WITH_DEVICE_DATA = 0x04;

interface SessionParts {
  readonly link: Link;
  readonly channel: ApduChannel;
  readonly context: DriverContext;
  readonly settings: Settings;
  /** What the driver can do at most on this device. */
  readonly capabilities: Capabilities;
}

/**
 * A conversation with one ZVT terminal.
 * Why it keeps little: the terminal is the truth; what is remembered is only how well it can be told.
 *
 * INVARIANTS:
 * - one dialogue at a time (the caller's promise);
 * - a money frame is handed over once per `execute`; nothing here sends it again.
 */
export class ZvtSession implements TerminalSession {
  readonly #parts: SessionParts;
  readonly #conversation: Conversation;
  #capabilities: Capabilities;
  /** The money dialogue that runs. */
  #paying: Dialogue | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#conversation = new Conversation(parts);
    this.#capabilities = parts.capabilities;
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
    if (refusal !== undefined && refusal !== '83') throw refused('TERMINAL_REFUSED', refusal);
    const identity = identityOf(completion, this.#conversation.terminalId);
    this.#narrow({ identity: identity.grade });
    return identity;
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const mended = new Set<string>();
    while (true) {
      const { completion, refusal } = await this.#status(signal);
      const status = refusal ?? completion.terminalStatus;
      if (status === undefined || mended.has(status) || !(await this.#mend(status, signal)))
        return readinessOf(status, completion.fields);
      mended.add(status);
    }
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const first = await repeatReceipt(this.#conversation, RESULT_WITHOUT_PAPER, signal);
    const last = first ?? (await repeatReceipt(this.#conversation, RESULT_ONLY, signal));
    if (last) return last;
    this.#narrow({ recover: 'none' });
    return {
      kind: 'unreadable',
      detail: 'the terminal ends Repeat Receipt without the result of its last transaction',
    };
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { settings, context } = this.#parts;
    const watch = new MoneyWatch(command.kind, observer, settings.charset);
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

  async close(): Promise<void> {
    this.#parts.channel.mute();
    await this.#parts.link.close();
  }

  #narrow(measured: Partial<Capabilities>): void {
    this.#capabilities = { ...this.#capabilities, ...measured };
  }

  /** Registers or initialises the terminal when that is all it lacks; true when it is worth asking again. */
  async #mend(status: string, signal: AbortSignal): Promise<boolean> {
    const { password, t4Ms } = this.#parts.settings;
    if (status === '6B') await this.register(signal);
    else if (status === '51')
      await this.#conversation.ask({ command: commands.initialisation(password), stepMs: t4Ms }, signal);
    else return false;
    return true;
  }

  async #status(signal: AbortSignal): Promise<{ completion: StatusCompletion; refusal?: string }> {
    const { password, t3Ms } = this.#parts.settings;
    const command = commands.statusEnquiry(password, WITH_DEVICE_DATA);
    const result = await this.#conversation.ask({ command, stepMs: 2 * t3Ms }, signal);
    if (result.kind === 'ended' && result.control === '060F') return { completion: statusOf(result.data) };
    return { completion: { fields: [] }, refusal: codeOf(result) ?? 'FF' };
  }
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
