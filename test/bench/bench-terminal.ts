import { virtualTerminals } from '../../drivers/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock as clock } from '../../src/runtime/system-clock.ts';
import type { BytePipe } from '../../src/sandbox/terminal/byte-pipe.ts';
import { TcpListener } from '../../src/sandbox/terminal/listeners.ts';
import { PtyListener } from '../../src/sandbox/terminal/pty-listener.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';

/** The customer's time at the terminal, in ms: nothing of it is ours. */
const CUSTOMER_MS = 5;

export type Family = 'zvt' | 'ecr17' | 'transbank';

/** What is taken in where a family is at home. */
export const CURRENCIES: Readonly<Record<Family, string>> = { zvt: 'EUR', ecr17: 'EUR', transbank: 'CLP' };

/** Nothing of what a virtual terminal does by itself takes longer than it must. */
const QUICK: Readonly<Record<Family, object>> = {
  zvt: { hostMs: 1, cardRemovalMs: 0 },
  ecr17: { hostMs: 1 },
  transbank: { hostMs: 1, answerMs: 1 },
};

/** How a family's payment begins and ends on the wire, as hex. What was read at once may begin with our acknowledgements. */
const FRAMES: Readonly<Record<Family, { readonly money: RegExp; readonly end: RegExp }>> = {
  zvt: { money: /^(800000)*(1002)?0601/, end: /^(1002)?060f/ },
  ecr17: { money: /^02.{18}50/, end: /^02.{18}(45|56)/ },
  transbank: { money: /^0230323030/, end: /^0230323130/ },
};

/** A virtual terminal that notes when a payment's first byte came and its last byte went; both on the clock of `performance.now()`. */
export class BenchTerminal {
  /** `tcp://127.0.0.1:PORT` or the path of a pty. */
  readonly address: string;
  /** When the command of the newest payment was here, in ms. */
  moneyAt = Number.NaN;
  /** When its end had gone out, in ms. */
  endAt = Number.NaN;
  /** Ms that it took to answer so far, from what it heard to what it said. */
  answeringMs = 0;
  #heardAt = Number.NaN;
  /** Called at both moments. */
  onMoney: () => void = () => undefined;
  onEnd: () => void = () => undefined;
  readonly #stop: () => Promise<void>;

  private constructor(address: string, stop: () => Promise<void>) {
    this.address = address;
    this.#stop = stop;
  }

  static async start(family: Family, over: 'tcp' | 'pty', number: number): Promise<BenchTerminal> {
    const kept: { text: string | null } = { text: null };
    const memory = {
      load: () => kept.text,
      save: (text: string) => {
        kept.text = text;
      },
    };
    const found = virtualTerminals.find(({ protocol }) => protocol === family);
    if (!found) throw new Error(`there is no virtual ${family} terminal`);
    const dialect = await found.load(QUICK[family]);
    const settings = {
      name: `counter-${number}`,
      protocol: family,
      over,
      port: 0,
      currency: CURRENCIES[family],
      serial: `17F0${String(number).padStart(4, '0')}`,
      terminalId: String(52_500_038 + number),
      autopilot: 'approve',
      autopilotMs: CUSTOMER_MS,
      missingAcknowledgement: 'keep',
      faults: [],
    } as const;
    const terminal = new VirtualTerminal(settings, dialect, { clock, log: silentLog, memory });
    const tap: { on?: BenchTerminal } = {};
    const attach = (pipe: BytePipe) => terminal.attach(tapped(pipe, FRAMES[family], () => tap.on));
    const listener =
      over === 'pty' ? new PtyListener(undefined, clock, attach) : new TcpListener(0, clock, attach);
    terminal.start();
    await listener.open();
    tap.on = new BenchTerminal(listener.address, async () => {
      terminal.stop();
      await listener.remove();
    });
    return tap.on;
  }

  /** The last of what it heard counts: an acknowledgement needs no answer, and what comes behind it is not the terminal's time. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  answered(): void {
    if (!Number.isNaN(this.#heardAt)) this.answeringMs += performance.now() - this.#heardAt;
    this.#heardAt = Number.NaN;
  }

  moneyCame(): void {
    this.moneyAt = performance.now();
    this.onMoney();
  }

  endWent(): void {
    this.endAt = performance.now();
    this.onEnd();
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

function tapped(
  pipe: BytePipe,
  frames: (typeof FRAMES)[Family],
  to: () => BenchTerminal | undefined,
): BytePipe {
  async function* heard() {
    for await (const bytes of pipe.bytes) {
      const terminal = to();
      terminal?.heard();
      if (terminal && frames.money.test(hexOf(bytes))) terminal.moneyCame();
      yield bytes;
    }
  }
  return {
    kind: pipe.kind,
    bytes: heard(),
    closed: pipe.closed,
    close: () => pipe.close(),
    write: (bytes) => {
      const terminal = to();
      terminal?.answered();
      if (terminal && frames.end.test(hexOf(bytes))) terminal.endWent();
      return pipe.write(bytes);
    },
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('hex');
}
