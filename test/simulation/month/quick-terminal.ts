import { type Clock, sleep } from '../../../src/base/clock.ts';
import type {
  Capabilities,
  LastTransaction,
  MoneyCommand,
  Observer,
  Outcome,
  TerminalDriver,
  TerminalIdentity,
  TerminalSession,
  TransactionReport,
} from '../../../src/terminal/ports.ts';

/** How long a customer takes, ms. */
const CUSTOMER_MS = 2500;
const NO_RECEIPTS = { receipts: {} } as const;

/**
 * A terminal without a wire: it approves what it is told, in the steps of the port, and counts what it charged. For the payments
 * that only have to be in the books as the payment core writes them.
 */
export class QuickTerminal {
  readonly driver: TerminalDriver;
  readonly capabilities: Capabilities;
  /** Payments that it charged. */
  charged = 0;
  /** Hears the attempt of each. */
  onCharge: (attemptId: string) => void = () => undefined;
  readonly #identity: TerminalIdentity;
  #last: TransactionReport | null = null;

  constructor(identity: TerminalIdentity, capabilities: Capabilities) {
    this.#identity = identity;
    this.capabilities = capabilities;
    this.driver = { open: async (_link, { clock }) => this.#session(clock) };
  }

  #session(clock: Clock): TerminalSession {
    return {
      capabilities: this.capabilities,
      identify: async () => this.#identity,
      readiness: async () => ({ kind: 'ready' }),
      lastTransaction: async () => this.#lastTransaction(),
      execute: (command, observer, signal) => this.#execute(clock, command, observer, signal),
      abort: () => undefined,
      endOfDay: async () => ({ kind: 'refused', code: 'NOT_HERE', message: 'it has no batch' }),
      totals: async () => null,
      journal: async () => ({ complete: false, lines: [], totals: null }),
      close: async () => undefined,
    };
  }

  #lastTransaction(): LastTransaction {
    return this.#last === null ? { kind: 'empty' } : { kind: 'found', report: this.#last };
  }

  async #execute(
    clock: Clock,
    { amount, attemptId }: MoneyCommand,
    observer: Observer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const unheard = { kind: 'unknown', code: 'UNHEARD', message: 'the till did not take it' } as const;
    if (!observer.accepted()) return unheard;
    await sleep(clock, CUSTOMER_MS, signal);
    this.charged += 1;
    this.onCharge(attemptId);
    const report: TransactionReport = {
      verdict: 'approved',
      kind: 'sale',
      amountMinor: amount.minor,
      currency: amount.currency,
      responseCode: '00',
      number: String(this.charged % 10_000).padStart(4, '0'),
      trace: String(this.charged % 1_000_000).padStart(6, '0'),
      authCode: String(this.charged),
      entryMode: 'contactless',
    };
    this.#last = report;
    const outcome: Outcome = { kind: 'approved', report, ...NO_RECEIPTS };
    return observer.beforeAcknowledge(report) && observer.beforeEnd(outcome) ? outcome : unheard;
  }
}
