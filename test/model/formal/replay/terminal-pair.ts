import { zvtDialect } from '../../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { LedgerEntry } from '../../../../src/sandbox/controllable-terminal.ts';
import type { BytePipe } from '../../../../src/sandbox/terminal/byte-pipe.ts';
import { VirtualTerminal } from '../../../../src/sandbox/terminal/virtual-terminal.ts';
import { PartClock, type SimClock, Wall } from '../../../simulation/sim-clock.ts';
import type { GatedWire } from './gate.ts';

/** Nothing happens on these terminals by the passing of time: the model says when. */
const NEVER_MS = 1_000_000_000;

/** One of the two terminals that may stand at the place: the real virtual terminal, whose customer and whose vendor the model plays. */
export class ModelTerminal {
  readonly #terminal: VirtualTerminal;
  /** What it does with an approval that was not acknowledged: read at that very moment. */
  #unheard: 'keep' | 'reverse' = 'keep';
  /** The wire of its payment, on which it still believes to have a till. */
  #orphan: GatedWire | null = null;
  /** A payment runs on it, its end included. */
  #isPaying = false;

  constructor(number: number, time: SimClock) {
    const zvt = zvtDialect({ hostMs: 0, t3Ms: NEVER_MS, customerTimeoutMs: NEVER_MS, forgetsAtClose: true });
    const unheard = () => this.#unheard;
    let text: string | null = null;
    this.#terminal = new VirtualTerminal(
      {
        name: `T${number}`,
        protocol: 'zvt',
        over: 'tcp',
        port: 0,
        currency: 'EUR',
        serial: `17F0000${number}`,
        terminalId: `5250003${number}`,
        autopilot: 'off',
        autopilotMs: 1000,
        missingAcknowledgement: 'keep',
        faults: [],
      },
      {
        ...zvt,
        powerUp: (device) =>
          zvt.powerUp({
            ...device,
            settings: {
              ...device.settings,
              get missingAcknowledgement() {
                return unheard();
              },
            },
          }),
      },
      {
        clock: new PartClock(time, new Wall(0)),
        log: silentLog,
        memory: {
          load: () => text,
          save: (next) => {
            text = next;
          },
        },
      },
    );
    this.#terminal.start();
  }

  get busy(): boolean {
    return this.#terminal.snapshot().busy;
  }

  get ledger(): readonly LedgerEntry[] {
    return this.#terminal.snapshot().ledger;
  }

  attach(pipe: BytePipe): void {
    this.#terminal.attach(pipe);
  }

  dialogueBegins(): void {
    this.#isPaying = true;
  }

  dialogueEnds(): void {
    this.#isPaying = false;
  }

  /** The till is gone; while a payment runs the terminal goes on and notices it when the model says so. */
  lostTill(wire: GatedWire): void {
    if (this.#isPaying && this.#orphan === null) this.#orphan = wire;
    else wire.endForTerminal();
  }

  pay(): void {
    this.#terminal.press('approve');
  }

  decline(): void {
    this.#terminal.press('decline');
  }

  /** It notices that its till is gone, and does this with an approval. */
  goOnAlone(unheard: 'keep' | 'reverse'): void {
    this.#unheard = unheard;
    this.#orphan?.endForTerminal();
    this.#orphan = null;
    this.#isPaying = false;
  }

  /** Its batch is closed without the till, and it tells nothing of it any more. */
  close(): void {
    this.#terminal.closeByHand();
  }
}
