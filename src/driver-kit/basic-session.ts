import type {
  Capabilities,
  CloseOutcome,
  LastTransaction,
  MoneyCommand,
  Observer,
  Outcome,
  Readiness,
  TerminalIdentity,
  TerminalJournal,
  TerminalSession,
  Totals,
} from '../terminal/ports.ts';

/** A session of a protocol that has no abort, no end of day and no report of its open batch: a driver replaces what its protocol has. */
export abstract class BasicSession implements TerminalSession {
  abstract readonly capabilities: Capabilities;
  abstract identify(signal: AbortSignal): Promise<TerminalIdentity>;
  abstract readiness(signal: AbortSignal): Promise<Readiness>;
  abstract lastTransaction(signal: AbortSignal): Promise<LastTransaction>;
  abstract execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome>;
  abstract close(): Promise<void>;

  /** Nothing is sent: staff press the stop key. */
  abort(): void {}

  async endOfDay(_progress: (text: string) => void, _signal: AbortSignal): Promise<CloseOutcome> {
    return {
      kind: 'refused',
      code: 'TERMINAL_CANNOT',
      message: 'This terminal has no end of day: nothing was sent to it.',
    };
  }

  async totals(_signal: AbortSignal): Promise<Totals | null> {
    return null;
  }

  /** Its totals alone. */
  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    return { complete: false, lines: [], totals: await this.totals(signal) };
  }
}
