import { setTimeout as pause } from 'node:timers/promises';
import type { BytePipe } from '../../src/sandbox/terminal/byte-pipe.ts';
import type { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Bus, Plugged, UsbDevice } from './bus.ts';
import { aTerminal, type Counter } from './counter.ts';
import type { PlugFamily } from './family.ts';

/** A step that takes longer has failed, ms. */
const LIMIT_MS = 30_000;
/** What a scale would show: it is no terminal, and nothing may be written to it. */
const SCALE: Omit<UsbDevice, 'serial'> = { vendorId: '1509', productId: '2206', name: 'Scale' };

export const KINDS = ['idle', 'busy', 'renumbered', 'stranger', 'deaf', 'silent'] as const;
export type Kind = (typeof KINDS)[number];

/** What one cycle took, ms. */
export interface Cycle {
  readonly kind: Kind;
  /** From the loss until the counter was told. */
  readonly detectionMs: number;
  /** From the plug until a sale could have gone to the terminal. */
  readonly returnMs: number;
}

/** One counter with its cable, its terminal, and another terminal that looks the same from outside. */
export class Place {
  readonly stranger: VirtualTerminal;
  readonly #counter: Counter;
  readonly #terminal: VirtualTerminal;
  readonly #bus: Bus;
  readonly #device: UsbDevice;
  readonly #random: () => number;
  #number: number;
  #cable: Plugged | null = null;
  #isMute = false;
  /** Bytes that came to things that are no terminal of this counter. */
  bytesToOthers = 0;

  /** `number`: the first of ten that belong to this place. */
  constructor(
    family: PlugFamily,
    counter: Counter,
    bus: Bus,
    device: UsbDevice,
    number: number,
    random: () => number,
  ) {
    this.#counter = counter;
    this.#bus = bus;
    this.#device = device;
    this.#number = number;
    this.#random = random;
    this.#terminal = aTerminal(
      family,
      `terminal ${device.serial}`,
      `17F000${String(number).padStart(2, '0')}`,
    );
    this.stranger = aTerminal(
      family,
      `stranger ${device.serial}`,
      `99F000${String(number).padStart(2, '0')}`,
    );
  }

  /** Plugs in and waits until it is usable. */
  async begin(): Promise<void> {
    await this.#plugIn();
    this.#counter.supervisor.start();
    await this.#counter.until(['up'], LIMIT_MS);
  }

  async end(): Promise<void> {
    await this.#counter.supervisor.stop();
    this.#terminal.stop();
    this.stranger.stop();
    await this.#cable?.pull();
  }

  async cycle(kind: Kind): Promise<Cycle> {
    await pause(this.#random() * 400);
    switch (kind) {
      case 'idle':
        return this.#pullAndReturn(kind);
      case 'busy':
        return this.#busy();
      case 'renumbered':
        return this.#renumbered();
      case 'stranger':
        return this.#stranger();
      case 'deaf':
        return this.#deaf();
      case 'silent':
        return this.#silent();
    }
  }

  async #pullAndReturn(kind: Kind, meanwhile: () => Promise<void> = async () => undefined): Promise<Cycle> {
    const detectionMs = await this.#pull();
    await meanwhile();
    await pause(this.#random() * 800);
    return { kind, detectionMs, returnMs: await this.#return() };
  }

  /** The customer stands at the terminal when the cable goes: the outcome must be unknown. */
  async #busy(): Promise<Cycle> {
    const sale = this.#counter.sell(1234);
    while (!this.#terminal.snapshot().busy) await pause(5);
    const cycle = this.#pullAndReturn('busy', async () => {
      const outcome = await sale;
      if (outcome.kind !== 'unknown') throw new Error(`a sale that lost its cable is ${outcome.kind}`);
      this.#terminal.press('abort');
      while (this.#terminal.snapshot().busy) await pause(5);
    });
    // A failing cycle leaves the sale behind.
    sale.catch(() => undefined);
    return cycle;
  }

  /** The port has another number after the plug, and what has the old one now is a scale. */
  async #renumbered(): Promise<Cycle> {
    let scale: Plugged | null = null;
    const cycle = await this.#pullAndReturn('renumbered', async () => {
      const serial = `scale-${this.#number}`;
      scale = await this.#bus.plugIn({ ...SCALE, serial }, this.#number);
      this.#count(scale);
      this.#number = this.#number % 10 === 9 ? this.#number - 9 : this.#number + 1;
    });
    await (scale as Plugged | null)?.pull();
    return cycle;
  }

  /** Another terminal at the same place, with the same USB ids and serial number: only the protocol can tell. */
  async #stranger(): Promise<Cycle> {
    return this.#pullAndReturn('stranger', async () => {
      const cable = await this.#bus.plugIn(this.#device, this.#number);
      this.stranger.attach(cable.pipe);
      await this.#counter.until(['wrong_terminal'], LIMIT_MS);
      await cable.pull();
    });
  }

  /** The terminal has its name on the bus before it listens: what is said to it first is lost. */
  async #deaf(): Promise<Cycle> {
    const detectionMs = await this.#pull();
    await pause(this.#random() * 800);
    this.#isMute = true;
    setTimeout(() => {
      this.#isMute = false;
    }, 500);
    return { kind: 'deaf', detectionMs, returnMs: await this.#return() };
  }

  /** The terminal falls silent, its cable is in: only a beat can tell. */
  async #silent(): Promise<Cycle> {
    const from = performance.now();
    this.#isMute = true;
    const noticed = await this.#counter.until(['down', 'wrong_terminal'], LIMIT_MS);
    await pause(this.#random() * 800);
    this.#isMute = false;
    return { kind: 'silent', detectionMs: noticed - from, returnMs: await this.#usable() };
  }

  async #pull(): Promise<number> {
    const from = performance.now();
    const pulled = this.#cable?.pull();
    const noticed = await this.#counter.until(['down', 'wrong_terminal'], LIMIT_MS);
    await pulled;
    this.#cable = null;
    return noticed - from;
  }

  async #return(): Promise<number> {
    await this.#plugIn();
    return this.#usable();
  }

  async #usable(): Promise<number> {
    const from = performance.now();
    await this.#counter.until(['up'], LIMIT_MS);
    if (!(await this.#counter.isUsable())) throw new Error('up, but not ready');
    return performance.now() - from;
  }

  async #plugIn(): Promise<void> {
    this.#cable = await this.#bus.plugIn(this.#device, this.#number);
    this.#terminal.attach(this.#throughSwitch(this.#cable.pipe));
  }

  /** The terminal's power, with the cable in: what passes while it is off is lost. */
  #throughSwitch(pipe: BytePipe): BytePipe {
    const heard = async function* (isMute: () => boolean) {
      for await (const bytes of pipe.bytes) if (!isMute()) yield bytes;
    };
    return {
      kind: pipe.kind,
      closed: pipe.closed,
      bytes: { [Symbol.asyncIterator]: () => heard(() => this.#isMute) },
      write: async (bytes) => {
        if (!this.#isMute) await pipe.write(bytes);
      },
      close: () => pipe.close(),
    };
  }

  #count(other: Plugged): void {
    const read = async () => {
      for await (const bytes of other.pipe.bytes) this.bytesToOthers += bytes.length;
    };
    read().catch(() => undefined);
  }
}
