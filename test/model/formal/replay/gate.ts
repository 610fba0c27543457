import type { BytePipe } from '../../../../src/sandbox/terminal/byte-pipe.ts';
import type { Link } from '../../../../src/terminal/link.ts';
import { End } from '../../../simulation/cable-end.ts';

/**
 * What passes between the agent and its terminal until the model takes its next step.
 * `shut`: nothing; `questions`: all but a money command; `result_held`, `answer_held`: the money dialogue as far as the result of the terminal,
 * or its end; as far as the agent's answer to the result. `answers`: what the terminal says and the agent's answers to it, and nothing new.
 */
export type GateMode = 'shut' | 'questions' | 'result_held' | 'answer_held' | 'answers';

const GONE = { reason: 'closed_by_peer', detail: 'the other side is gone' } as const;
const POSITIVE = Uint8Array.of(0x80, 0x00, 0x00);
const [AUTHORISATION, RESULT, COMPLETION, ABORT, PROGRESS] = [0x0601, 0x040f, 0x060f, 0x061e, 0x04ff];

/** The way of the bytes (ZVT over TCP, a packet a write): each step of the model lets it go on a little. */
export class Gate {
  #mode: GateMode = 'shut';
  #wire: GatedWire | null = null;
  #opened: (() => void)[] = [];

  set mode(mode: GateMode) {
    this.#mode = mode;
    this.#wire?.flush();
    if (mode === 'shut') return;
    const opened = this.#opened;
    this.#opened = [];
    for (const go of opened) go();
  }

  /** A result or an end of the terminal waits here. */
  get holdsForAgent(): boolean {
    return this.#wire?.holdsForAgent ?? false;
  }

  /** A connection to the terminal that stands there once the gate is open. */
  async open(attach: (pipe: BytePipe) => void): Promise<Link> {
    if (this.#mode === 'shut') await new Promise<void>((resolve) => this.#opened.push(resolve));
    const wire = new GatedWire(this);
    this.#wire = wire;
    attach(wire.theirs);
    return wire.ours;
  }

  /** The agent hears nothing any more, and what it wrote last is lost. @returns the wire on which the terminal still believes */
  cut(): GatedWire | null {
    const wire = this.#wire;
    this.#wire = null;
    wire?.cut();
    return wire;
  }

  /** Who waits to be let through waits no more: its process is gone. */
  forgetWaiting(): void {
    this.#opened = [];
  }

  holdsToTerminal(packet: Uint8Array): boolean {
    if (this.#mode === 'questions') return controlOf(packet) === AUTHORISATION;
    if (this.#mode === 'answers') return !isAnswer(packet);
    return this.#mode === 'shut' || this.#mode === 'answer_held';
  }

  holdsToAgent(packet: Uint8Array): boolean {
    if (this.#mode === 'result_held') return [RESULT, COMPLETION, ABORT].includes(controlOf(packet));
    return this.#mode === 'shut';
  }
}

/** One connection with a queue in each direction; nothing overtakes what is held. */
export class GatedWire {
  readonly ours: End;
  readonly theirs: End;
  readonly #gate: Gate;
  #toTerminal: Uint8Array[] = [];
  #toAgent: Uint8Array[] = [];
  #isCut = false;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.ours = new End('tcp', {
      write: (bytes) => {
        this.#toTerminal.push(bytes);
        this.flush();
      },
      close: () => this.theirs.end(GONE),
    });
    this.theirs = new End('tcp', {
      write: (bytes) => (this.#isCut ? this.#answerAlone(bytes) : this.#queueForAgent(bytes)),
      close: () => this.ours.end(GONE),
    });
  }

  get holdsForAgent(): boolean {
    return this.#toAgent.length > 0;
  }

  flush(): void {
    if (this.#isCut) return;
    for (
      let next = this.#toTerminal[0];
      next && !this.#gate.holdsToTerminal(next);
      next = this.#toTerminal[0]
    )
      this.theirs.receive(this.#toTerminal.shift() ?? next);
    for (let next = this.#toAgent[0]; next && !this.#gate.holdsToAgent(next); next = this.#toAgent[0])
      this.ours.receive(this.#toAgent.shift() ?? next);
  }

  cut(): void {
    this.#isCut = true;
    this.#toTerminal = [];
    this.#toAgent = [];
    this.ours.end({ reason: 'error', detail: 'the link is lost' });
  }

  /** The terminal notices that it is alone. */
  endForTerminal(): void {
    this.theirs.end(GONE);
  }

  #queueForAgent(bytes: Uint8Array): void {
    this.#toAgent.push(bytes);
    this.flush();
  }

  /** A terminal goes on with its customer when its progress is not heard; here it need not wait for its time limit each time. */
  #answerAlone(bytes: Uint8Array): void {
    if (controlOf(bytes) === PROGRESS) this.theirs.receive(POSITIVE);
  }
}

function isAnswer(packet: Uint8Array): boolean {
  return packet[0] === 0x80 || packet[0] === 0x84;
}

/** The two bytes that name a packet: class and instruction. */
function controlOf(packet: Uint8Array): number {
  return ((packet[0] ?? 0) << 8) | (packet[1] ?? 0);
}
