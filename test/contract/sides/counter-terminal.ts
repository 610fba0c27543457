import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Key, Memory } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type { OpenLink } from '../../../src/terminal/link.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';

const POWER_GONE_MS = 3000;

/** A virtual terminal of one device, with a customer who does what the row says. It lives on when tilld is restarted. */
export class CounterTerminal {
  readonly #terminal: VirtualTerminal;
  readonly #clock: Clock;

  /** @param index tells its serial number and terminal id from those of the others */
  constructor(clock: Clock, index: number, memory: Memory) {
    const number = String(index + 1).padStart(4, '0');
    const settings = {
      name: `counter-${index + 1}`,
      protocol: 'zvt',
      over: 'tcp',
      port: 0,
      currency: 'EUR',
      serial: `17F0${number}`,
      terminalId: `5250${number}`,
      autopilot: 'off',
      autopilotMs: 1000,
      missingAcknowledgement: 'keep',
      faults: [],
    } as const;
    this.#clock = clock;
    this.#terminal = new VirtualTerminal(settings, virtualZvt, { clock, log: silentLog, memory });
    this.#terminal.start();
    // It was in use before tilld came: an empty one could not tell "nothing stored" from a close of its own.
    this.#terminal.typeByHand({ kind: 'sale', amountMinor: 500 });
  }

  /** A customer is asked for a card, or a reversal that needs none runs. */
  get isAtWork(): boolean {
    return /^(Present card|Reversal)/.test(this.#terminal.snapshot().screen);
  }

  readonly openLink: OpenLink = async () => {
    if (!this.#terminal.powered) throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
    const { ours, theirs } = memoryLinkPair();
    this.#terminal.attach(theirs);
    return ours;
  };

  press(key: Key): void {
    this.#terminal.press(key);
  }

  /** The power goes, and comes back by itself. */
  losePower(): void {
    this.#terminal.stop();
    this.#clock.timer('contract power', POWER_GONE_MS, () => this.#terminal.start());
  }
}
