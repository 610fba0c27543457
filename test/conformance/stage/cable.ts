import type { Clock, Timer } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { BytePipe } from '../../../src/sandbox/terminal/byte-pipe.ts';
import type { Link, LinkLoss } from '../../../src/terminal/link.ts';
import { End } from '../../simulation/cable-end.ts';
import type { Subject } from '../subject.ts';
import type { Reader, TerminalPacket, TillPacket } from '../words.ts';
import type { Happening } from './happenings.ts';
import { type Handling, PASS, type Party, type Pieces, type Step } from './steps.ts';

/** Whatever is said within this time is one read of a glued line, ms. */
const GLUE_MS = 20;
/** How long a ragged line keeps the last byte back when nothing follows, ms. */
const RAGGED_MS = 60;
/** More writes than any dialogue has; a driver and a terminal that talk in circles are stopped. */
const MOST_STEPS = 4000;

/** Somebody at the far end who takes pipes. */
interface Socket {
  readonly powered: boolean;
  attach(pipe: BytePipe): void;
}

interface Parts {
  readonly subject: Subject;
  readonly clock: Clock;
  readonly pieces: Pieces;
  readonly happenings: Happening[];
  /** Whether somebody waits for the driver. */
  readonly isAsked: () => boolean;
}

/**
 * The way between the driver and the virtual terminal: counts what is written, step by step, and does to it what a scenario orders.
 * TCP has a connection per `open`. On a serial line the terminal's side stays when the till closes its port, and neither side
 * sees that the other is gone; what is said while no port is open is lost.
 */
export class Cable {
  /** What becomes of each step; a scenario sets it. */
  handle: (step: Step) => Handling = () => PASS;
  /** Called when a step has been handled. */
  onStep: (step: Step) => void = () => undefined;
  /** Every step since {@link begin}. */
  readonly steps: Step[] = [];
  readonly #parts: Parts;
  readonly #ways: Record<Party, Way>;
  #socket: Socket | undefined;
  #till: End | undefined;
  #terminal: End | undefined;
  #written: Reader<TillPacket>;
  #terminalPackets: Reader<TerminalPacket>;
  #heard: Reader<TerminalPacket>;
  readonly #packetsOf = new WeakMap<Uint8Array, readonly TerminalPacket[]>();
  /** All that came since the line was opened came as the terminal had said it. */
  #isIntact = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ways = {
      till: new Way(parts.clock, parts.pieces, (bytes) => this.#terminal?.receive(bytes)),
      terminal: new Way(parts.clock, parts.pieces, (bytes) => this.#reachTill(bytes)),
    };
    this.#written = parts.subject.tillReader();
    this.#terminalPackets = parts.subject.terminalReader(this.#written);
    this.#heard = parts.subject.terminalReader(this.#written);
  }

  /** Leads to this terminal from now on. */
  plugInto(socket: Socket): void {
    this.#terminal?.end(GONE);
    this.#terminal = undefined;
    this.#socket = socket;
  }

  /** Opens a connection or the port. @throws LINK_REFUSED when nobody is there. */
  open(): Link {
    const { subject } = this.#parts;
    const socket = this.#socket;
    if (!socket || (subject.wire === 'tcp' && !socket.powered)) throw refused();
    if (this.#till && !this.#till.ended) throw refused();
    this.#forget();
    const till = new End(subject.wire, {
      write: (bytes) => this.#carry('till', bytes),
      close: () => this.#closedBy('till'),
    });
    this.#till = till;
    this.#written = subject.tillReader();
    this.#heard = subject.terminalReader(this.#written);
    this.#isIntact = true;
    if (subject.wire === 'tcp' || !this.#terminal || this.#terminal.ended) this.reattach();
    return this.#watched(till);
  }

  /** Opens a connection beside the one whose steps are counted. @throws LINK_REFUSED on a serial line, and when nobody is there */
  openBeside(): Link {
    const { subject } = this.#parts;
    const socket = this.#socket;
    if (!socket?.powered || subject.wire === 'serial') throw refused();
    const till: End = new End('tcp', {
      write: (bytes) => terminal.receive(bytes),
      close: () => terminal.end(GONE),
    });
    const terminal: End = new End('tcp', {
      write: (bytes) => till.receive(bytes),
      close: () => till.end(GONE),
    });
    socket.attach(terminal);
    return this.#watched(till);
  }

  /** The till's end; a write after its own close is noted. */
  #watched(till: End): Link {
    let closedByUs = false;
    const closing = (close: () => Promise<void>) => () => {
      closedByUs = true;
      return close();
    };
    return {
      kind: till.kind,
      closed: till.closed,
      bytes: till.bytes,
      write: (bytes) => {
        if (closedByUs && !this.#parts.isAsked()) this.#parts.happenings.push({ kind: 'stray' });
        return till.write(bytes);
      },
      close: closing(() => till.close()),
      abandon: closing(() => till.abandon()),
    };
  }

  /** Gives the terminal a fresh end, as after a power-up. */
  reattach(): void {
    if (!this.#socket?.powered) return;
    this.#terminal?.end(GONE);
    this.#terminalPackets = this.#parts.subject.terminalReader(this.#written);
    const end = new End(this.#parts.subject.wire, {
      write: (bytes) => {
        if (end === this.#terminal) this.#carry('terminal', bytes);
      },
      close: () => {
        if (end === this.#terminal) this.#closedBy('terminal');
      },
    });
    this.#terminal = end;
    this.#socket.attach(end);
  }

  /** Counts steps from 0 again. */
  begin(): void {
    this.steps.length = 0;
  }

  /** All is well from now on. */
  heal(): void {
    this.handle = () => PASS;
    this.onStep = () => undefined;
  }

  /**
   * Ends the line: both ends of a connection, the terminal's a moment later, so that it reads what had arrived; of a serial line
   * the till's only, the terminal sees nothing.
   */
  cut(reason: LinkLoss['reason'] = this.#parts.subject.wire === 'tcp' ? 'error' : 'unplugged'): void {
    this.#ways.terminal.forget();
    this.#till?.end({ reason, detail: 'cut by the scenario' });
    if (this.#parts.subject.wire === 'serial') return;
    const terminal = this.#terminal;
    this.#parts.clock.timer('conformance cut', 1, () => terminal?.end(GONE));
  }

  /** Says something to the till that the terminal did not say. */
  sayToTill(bytes: Uint8Array): void {
    this.#reachTill(bytes);
  }

  #carry(from: Party, bytes: Uint8Array): void {
    if (from === 'till') {
      const packets = this.#written.read(bytes);
      this.#parts.happenings.push({ kind: 'wrote', at: this.#parts.clock.monotonic(), packets });
      this.#step(
        from,
        bytes,
        packets.map(({ word }) => word),
      );
    } else {
      const packets = this.#terminalPackets.read(bytes);
      this.#packetsOf.set(bytes, packets);
      this.#step(
        from,
        bytes,
        packets.map(({ word }) => word),
      );
    }
  }

  #step(from: Party, bytes: Uint8Array, words: Step['words']): void {
    const step: Step = { index: this.steps.length, from, bytes, words };
    if (step.index >= MOST_STEPS) throw new Error(`more than ${MOST_STEPS} writes in one dialogue`);
    this.steps.push(step);
    const handling = this.handle(step);
    this.#apply(step, handling);
    this.onStep(step);
    if (handling.do === 'cut' && handling.isNoticed && from === 'till') throw lost();
  }

  #apply({ from, bytes }: Step, handling: Handling): void {
    const way = this.#ways[from];
    if (handling.do === 'pass') way.carry(bytes);
    else if (handling.do === 'delay') way.carry(bytes, handling.ms);
    else if (handling.do === 'replace') for (const piece of handling.pieces) way.carry(piece);
    else if (handling.do === 'cut') {
      if (handling.after > 0) way.carry(bytes.subarray(0, handling.after));
      way.flush();
      this.cut();
    }
  }

  #reachTill(bytes: Uint8Array): void {
    if (!this.#till || this.#till.ended) return;
    const packets = this.#packetsIn(bytes);
    this.#parts.happenings.push({ kind: 'heard', at: this.#parts.clock.monotonic(), packets });
    this.#till.receive(bytes);
  }

  /** What arrives as it was said need not be read twice. */
  #packetsIn(bytes: Uint8Array): readonly TerminalPacket[] {
    const known = this.#isIntact ? this.#packetsOf.get(bytes) : undefined;
    this.#isIntact = known !== undefined;
    return known ?? this.#heard.read(bytes);
  }

  #closedBy(side: Party): void {
    const isSerial = this.#parts.subject.wire === 'serial';
    if (side === 'terminal' && !isSerial) {
      const till = this.#till;
      this.#ways.till.forget();
      this.#ways.terminal.endWith(() => till?.end(GONE));
      return;
    }
    this.#forget();
    if (side === 'till' && !isSerial) this.#terminal?.end(GONE);
    if (side === 'terminal' && isSerial && this.#socket?.powered)
      this.#till?.end({ reason: 'unplugged', detail: 'the device is gone' });
  }

  #forget(): void {
    this.#ways.till.forget();
    this.#ways.terminal.forget();
  }
}

/** One direction: bytes in their order, cut into the pieces of this line. */
class Way {
  readonly #clock: Clock;
  readonly #pieces: Pieces;
  readonly #arrive: (bytes: Uint8Array) => void;
  #held: number[] = [];
  #flushing: Timer | undefined;
  #lastDue = 0;
  #underway = 0;
  #generation = 0;

  constructor(clock: Clock, pieces: Pieces, arrive: (bytes: Uint8Array) => void) {
    this.#clock = clock;
    this.#pieces = pieces;
    this.#arrive = arrive;
  }

  carry(bytes: Uint8Array, delayMs = 0): void {
    if (delayMs > 0 || this.#underway > 0) this.#later(delayMs, () => this.#cut(bytes));
    else this.#cut(bytes);
  }

  /** What is on its way never arrives. */
  forget(): void {
    this.#generation += 1;
    this.#underway = 0;
    this.#lastDue = 0;
    this.#held = [];
    this.#flushing?.stop();
  }

  /** Nothing follows; the end itself overtakes nothing that was said before. */
  endWith(arrive: () => void): void {
    this.flush();
    if (this.#underway > 0) this.#later(0, arrive);
    else arrive();
  }

  /** What is held back arrives now. */
  flush(): void {
    this.#flushing?.stop();
    if (this.#held.length > 0) this.#arrive(Uint8Array.from(this.#held.splice(0)));
  }

  #cut(bytes: Uint8Array): void {
    switch (this.#pieces) {
      case 'bytes':
        for (const byte of bytes) this.#arrive(Uint8Array.of(byte));
        return;
      case 'paced':
        for (const byte of bytes) this.#later(1, () => this.#arrive(Uint8Array.of(byte)), true);
        return;
      case 'glued':
        this.#held.push(...bytes);
        this.#flushAfter(GLUE_MS);
        return;
      case 'ragged':
        this.#ragged(bytes);
        return;
      default:
        this.#arrive(bytes);
    }
  }

  #ragged(bytes: Uint8Array): void {
    const all = [...this.#held.splice(0), ...bytes];
    this.#held = all.splice(-1);
    if (all.length > 0) this.#arrive(Uint8Array.from(all));
    this.#flushAfter(RAGGED_MS);
  }

  #flushAfter(ms: number): void {
    this.#flushing?.stop();
    this.#flushing = this.#clock.timer('conformance flush', ms, () => this.flush());
  }

  /** Nothing overtakes what was written before; `each`: one after the other. */
  #later(ms: number, arrive: () => void, each = false): void {
    const now = this.#clock.monotonic();
    const due = Math.max(now + ms, each ? this.#lastDue + ms : this.#lastDue);
    this.#lastDue = due;
    this.#underway += 1;
    const generation = this.#generation;
    this.#clock.timer('conformance way', due - now, () => {
      if (generation !== this.#generation) return;
      this.#underway -= 1;
      arrive();
    });
  }
}

const GONE: LinkLoss = { reason: 'closed_by_peer', detail: 'the other side is gone' };

function refused(): AppError {
  return new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
}

function lost(): AppError {
  return new AppError('LINK_LOST', 'the link ended while writing', { moneyMoved: 'unknown' });
}
