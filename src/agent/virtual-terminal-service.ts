import type {
  VirtualFault,
  VirtualKey,
  VirtualLedgerLine,
  VirtualTerminals,
  VirtualTerminalView,
} from '../api/virtual-terminals.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import type { LedgerEntry } from '../sandbox/controllable-terminal.ts';
import { allCards, cardById } from '../sandbox/terminal/cards.ts';
import type { RunningVirtualTerminal } from '../sandbox/terminal/start-virtual-terminal.ts';

const NEWEST_LINES = 20;

/** The virtual terminals as the pages show and operate them. */
export class VirtualTerminalService implements VirtualTerminals {
  readonly #terminals: readonly RunningVirtualTerminal[];
  readonly #devices: Config['devices'];

  constructor(terminals: readonly RunningVirtualTerminal[], { devices }: Pick<Config, 'devices'>) {
    this.#terminals = terminals;
    this.#devices = devices;
  }

  all(): readonly VirtualTerminalView[] {
    return this.#terminals.map((terminal) => this.#viewOf(terminal));
  }

  press(name: string, key: VirtualKey, card: string | null): VirtualTerminalView {
    return this.#at(name, (terminal) => {
      if (card !== null) {
        if (!cardById(card)) throw refused(`there is no card called ${card}`);
        terminal.nextCard(card);
      }
      terminal.press(key);
    });
  }

  inject(name: string, fault: VirtualFault): VirtualTerminalView {
    return this.#at(name, (terminal) => terminal.inject(fault));
  }

  forgetFaults(name: string): VirtualTerminalView {
    return this.#at(name, (terminal) => terminal.forgetFaults());
  }

  set(name: string, { isOn, isPlugged, autopilot, exchange }: Parameters<VirtualTerminals['set']>[1]) {
    return this.#at(name, (terminal) => {
      if (exchange) terminal.exchange();
      if (isPlugged !== undefined) terminal.setCable(isPlugged);
      if (isOn !== undefined) terminal.setPower(isOn);
      if (autopilot !== undefined) terminal.setAutopilot(autopilot);
    });
  }

  #at(name: string, act: (terminal: RunningVirtualTerminal) => void): VirtualTerminalView {
    const terminal = this.#terminals.find((one) => one.name === name);
    if (!terminal)
      throw new AppError('VIRTUAL_TERMINAL_UNKNOWN', `There is no virtual terminal called ${name}`);
    try {
      act(terminal);
    } catch (error) {
      throw error instanceof AppError && error.code.startsWith('SANDBOX_')
        ? refused(messageOf(error))
        : error;
    }
    return this.#viewOf(terminal);
  }

  #viewOf(terminal: RunningVirtualTerminal): VirtualTerminalView {
    const { name, protocol, busy, screen, ledger } = terminal.snapshot();
    const { earlier, ...bench } = terminal.bench();
    const served = this.#devices.filter(({ link }) => link.type === 'virtual' && link.terminal === name);
    return {
      name,
      protocol,
      address: terminal.address,
      deviceIds: served.map(({ id }) => id),
      isBusy: busy,
      screen,
      ...bench,
      cards: allCards().map(({ id, label, entryMode, verification }) => ({
        id,
        label,
        entry: entryMode,
        verification,
      })),
      ledger: newest(ledger),
      earlier: earlier.map(({ serial, ledger: before }) => ({ serial, ledger: newest(before) })),
    };
  }
}

function newest(ledger: readonly LedgerEntry[]): readonly VirtualLedgerLine[] {
  return ledger.slice(-NEWEST_LINES).reverse().map(lineOf);
}

function lineOf(entry: LedgerEntry): VirtualLedgerLine {
  const { receiptNumber, kind, amountMinor, currency, result, reversed, at } = entry;
  return { receiptNumber, kind, amountMinor, currency, result, isReversed: reversed, at };
}

function refused(message: string): AppError {
  return new AppError('VIRTUAL_TERMINAL_REFUSED', message);
}
