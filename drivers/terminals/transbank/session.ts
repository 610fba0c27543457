import {
  AppError,
  type AskedReference,
  type Capabilities,
  type CloseOutcome,
  type DriverContext,
  hasCode,
  type LastTransaction,
  type Link,
  type MoneyCommand,
  type Observer,
  type Outcome,
  type OwnTransaction,
  type Readiness,
  type StxLine,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
import { POLL } from './commands.ts';
import { Conversation } from './conversation.ts';
import { closeDay } from './end-of-day.ts';
import { Keys } from './keys.ts';
import { sell } from './sale.ts';
import { lastOf, ownIn, readList, reportsOf, type SalesList } from './sales-list.ts';
import { capabilitiesOf, type Settings } from './settings.ts';
import { undo } from './void.ts';

interface SessionDeps {
  readonly link: Link;
  readonly line: StxLine;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/** A session with one terminal. It reads the terminal's stored sales from its list, and uses no command that prints. */
export class TransbankSession implements TerminalSession {
  readonly #deps: SessionDeps;
  readonly #conversation: Conversation;
  readonly #keys: Keys;
  #capabilities: Capabilities;
  #references: ReadonlySet<string> = new Set();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#conversation = new Conversation(deps.line, deps.context);
    this.#keys = new Keys(this.#conversation, deps.settings);
    this.#capabilities = capabilitiesOf(deps.settings);
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** Whether the terminal is reachable, in integrated mode, and idle as far as it reports. @throws the errors of a question */
  poll(signal: AbortSignal): Promise<void> {
    return this.#conversation.ask(POLL, signal);
  }

  /**
   * By the terminal id, which every line of the list has. An empty list may omit it, and then it comes with the next sale; a
   * terminal that omits it also with its sales is known by its port only.
   */
  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const list = await this.#list(signal);
    const model = 'POS Integrado';
    if (typeof list !== 'string' && list.terminalId !== '')
      return { grade: 'tid', terminalId: list.terminalId, model };
    if (typeof list !== 'string' && list.lines.length === 0) return { grade: 'port', model, untold: true };
    this.#narrow({ identity: 'port' });
    return { grade: 'port', model };
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    try {
      await this.poll(signal);
    } catch (error) {
      if (isBusy(error)) return BUSY;
      throw error;
    }
    return (await this.#keys.readiness(signal)) ?? { kind: 'ready' };
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const list = await this.#list(signal);
    return typeof list === 'string' ? { kind: 'unreadable', detail: list } : lastOf(list);
  }

  references(): ReadonlySet<string> {
    return this.#references;
  }

  /** A void has no ticket of its own on the terminal: its sale is listed with a negative amount once it is voided. */
  async ownTransaction({ ticket: own, sale }: AskedReference, signal: AbortSignal): Promise<OwnTransaction> {
    const ticket = sale?.ticket ?? own;
    const list = await this.#list(signal);
    return typeof list === 'string' ? { kind: 'unreadable', detail: list } : ownIn(list, ticket);
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { settings } = this.#deps;
    const outcome =
      command.kind === 'void'
        ? await undo(this.#conversation, command, settings, observer, signal)
        : await sell(this.#conversation, command, settings, observer, signal);
    this.#keys.heed(outcome);
    return outcome;
  }

  /** The protocol has no abort: staff press the stop key. */
  abort(): void {}

  endOfDay(_progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    return closeDay(this.#conversation, this.#deps.settings.close_ms, signal);
  }

  /** The terminal prints its sums on paper only. */
  async totals(): Promise<Totals | null> {
    return null;
  }

  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    const list = await this.#list(signal);
    if (typeof list === 'string') return { complete: false, lines: [], totals: null };
    return { complete: true, lines: reportsOf(list.lines), totals: null };
  }

  async close(): Promise<void> {
    this.#deps.line.mute();
    await this.#deps.link.close();
  }

  /** The list, or the reason why the terminal does not send it; then recovery is not possible. */
  async #list(signal: AbortSignal): Promise<SalesList | string> {
    const answer = await readList(this.#conversation, signal);
    if (answer.kind === 'told') {
      this.#references = new Set(answer.list.lines.map(({ ticket }) => ticket));
      return answer.list;
    }
    this.#narrow({ recover: 'none' });
    return answer.detail;
  }

  #narrow(change: Partial<Capabilities>): void {
    this.#capabilities = { ...this.#capabilities, ...change };
  }
}

/** The terminal runs an older dialogue, or refused the poll although it accepted one when the conversation began. */
function isBusy(error: unknown): boolean {
  if (hasCode(error, 'TERMINAL_BUSY')) return true;
  return error instanceof AppError && error.code === 'TERMINAL_NOT_HEARD' && error.context['naks'] !== 0;
}

const BUSY: Readiness = {
  kind: 'wait',
  code: 'TERMINAL_BUSY',
  message: 'The terminal is busy, one moment please.',
};
