import { AppError } from '../../src/base/errors.ts';
import type { BytePipe } from '../../src/sandbox/terminal/byte-pipe.ts';
import type { Link, LinkLoss } from '../../src/terminal/link.ts';
import { End } from './cable-end.ts';
import type { SimFamily } from './families/family.ts';
import type { Random } from './random.ts';
import type { SimClock } from './sim-clock.ts';

export type Direction = 'to_terminal' | 'to_agent';

/** `reset`: the connection ends for both; `unplugged`: the agent sees it, the cable is out; `silent`: nobody sees it, nothing arrives. */
export type CutKind = 'reset' | 'unplugged' | 'silent';

/** Something that is wrong with the bytes to come in one direction. */
export interface LineFault {
  readonly direction: Direction;
  /** Bytes that still pass unharmed. */
  readonly after: number;
  readonly what: CutKind | 'noise' | 'lose' | 'double' | 'delay' | 'loose_wire';
  /** How long a cut, a delay or a loose wire lasts. */
  readonly ms: number;
}

export interface CableShape extends Pick<SimFamily, 'isMoney' | 'answers'> {
  readonly kind: 'tcp' | 'serial';
  /** How a write arrives: in one piece, byte by byte, or in random pieces. */
  readonly pieces: 'whole' | 'bytes' | 'random';
  /** Longest way of a piece, in ms; 0: it arrives at once. */
  readonly latencyMs: number;
  /** A terminal that loses its power does not end its connections. */
  readonly diesSilently: boolean;
}

/** The side of the agent that a cable must ask: whether it lives, and whether it dies within these bytes. */
export interface LifeOnLine {
  readonly dead: boolean;
  /** How many of `length` bytes still pass before it crashes; all of them when it does not. */
  passes(direction: Direction, length: number): number;
  crash(why: string): void;
}

/** Somebody at the far end who takes pipes. */
export interface Socket {
  readonly powered: boolean;
  attach(pipe: BytePipe): void;
}

/**
 * The way between one place of the agent and the terminal that stands there.
 * TCP has a connection per open; on a serial line the terminal's side stays when the agent opens and closes its port, and
 * neither side sees that the other is gone.
 */
export class Cable {
  readonly shape: CableShape;
  /** Called when a fault has struck. */
  onFault: (text: string) => void = () => undefined;
  /** Called when a money command is written, with whether a NAK was read since the one before. */
  onMoney: (afterNak: boolean) => void = () => undefined;
  /** Called when a positive answer to a packet of the terminal is written. */
  onAnswer: () => void = () => undefined;
  /** Called when nothing but a result can have been answered, and it came before the terminal had accepted anything. */
  onLateResultAnswered: () => void = () => undefined;
  readonly #time: SimClock;
  readonly #random: Random;
  readonly #faults: LineFault[] = [];
  #socket: Socket;
  #state: 'up' | 'unplugged' | 'silent' = 'up';
  #agentEnd: End | null = null;
  #life: LifeOnLine | null = null;
  #nak = false;
  /** What the terminal has said since a command of ours that it has not accepted yet; null: there is none. */
  #early: ('result' | 'other')[] | null = null;
  #atMoney: LineFault | null = null;
  /** How many packets the terminal has written, and which of them the agent has answered last. */
  #packets = 0;
  #answered = 0;
  /** Packets that reached the agent and wait for its answer, oldest first. */
  #unanswered: { readonly packet: number; readonly at: number }[] = [];
  /** Until when nothing arrives in one direction, on the clock of the simulation. */
  #looseUntil = { to_terminal: 0, to_agent: 0 };
  #terminalEnd: End | null = null;
  readonly #connections = new Set<readonly [End, End]>();

  constructor(shape: CableShape, socket: Socket, time: SimClock, random: Random) {
    this.shape = shape;
    this.#socket = socket;
    this.#time = time;
    this.#random = random;
  }

  get isUp(): boolean {
    const loose = Math.max(this.#looseUntil.to_terminal, this.#looseUntil.to_agent);
    return this.#state === 'up' && this.#faults.length === 0 && this.#time.elapsed >= loose;
  }

  /** What the terminal takes for the acknowledgement of its newest packet was an answer to an older one, which came late or twice. */
  get answeredOlder(): boolean {
    return this.#answered < this.#packets;
  }

  /** Adds a fault; at most a few wait. */
  spoil(fault: LineFault): void {
    if (this.#faults.length < 4) this.#faults.push(fault);
  }

  /** Lies in wait for the next money command. */
  spoilMoney(fault: LineFault): void {
    this.#atMoney = fault;
  }

  /** All is well from now on. */
  heal(): void {
    this.#faults.length = 0;
    this.#looseUntil = { to_terminal: 0, to_agent: 0 };
    this.#atMoney = null;
    if (this.#state !== 'up') this.#comeBack(this.#state);
  }

  /** Somebody plugs the cable into another terminal. */
  plugInto(socket: Socket): void {
    this.cut(this.shape.kind === 'tcp' ? 'reset' : 'unplugged', 0);
    this.#socket = socket;
    this.#terminalEnd?.end(GONE);
    this.#terminalEnd = null;
    this.#state = 'up';
    this.powerChanged();
  }

  /** A serial line leads to the terminal whenever it is on. */
  powerChanged(): void {
    if (this.shape.kind !== 'serial' || !this.#socket.powered) return;
    this.#terminalEnd?.end(GONE);
    this.#terminalEnd = this.#end('to_agent');
    this.#socket.attach(this.#terminalEnd);
  }

  async open(life: LifeOnLine): Promise<Link> {
    if (this.#state === 'unplugged') throw refused('nothing is plugged in');
    if (this.shape.kind === 'serial') return this.#openPort(life);
    if (this.#state === 'silent' || !this.#socket.powered) {
      if (this.#random.chance(0.5)) await this.#time.wait(3000);
      throw refused('nobody answers');
    }
    const [ours, theirs] = [this.#end('to_terminal', life), this.#end('to_agent')];
    ours.peer = theirs;
    theirs.peer = ours;
    this.#connections.add([ours, theirs]);
    this.#agentEnd = ours;
    this.#life = life;
    this.#socket.attach(theirs);
    return ours;
  }

  /**
   * The agent is gone: its system ends the connections; on a serial line nobody notices. What still waited to be sent is lost: a port
   * is only opened again once its system has given up the old bytes.
   */
  agentDied(): void {
    this.#agentEnd?.forget();
    for (const [ours, theirs] of this.#connections) {
      ours.end(GONE);
      this.#time.at(this.#delay(), () => theirs.end(GONE));
    }
    this.#connections.clear();
    this.#agentEnd = null;
    this.#life = null;
  }

  cut(kind: CutKind, ms: number): void {
    if (kind === 'silent') this.#state = 'silent';
    else {
      this.#agentEnd?.forget();
      this.#agentEnd?.end({
        reason: kind === 'reset' ? 'error' : 'unplugged',
        detail: `${kind} in the simulation`,
      });
      for (const [, theirs] of this.#connections) theirs.end(GONE);
      this.#connections.clear();
      this.#agentEnd = null;
      if (kind === 'unplugged') this.#state = 'unplugged';
    }
    if (kind !== 'reset') this.#time.at(ms, () => this.#comeBack(kind));
  }

  /** A connection that was silent for long is dead when the line is back. */
  #comeBack(kind: CutKind): void {
    if (this.#state !== kind) return;
    this.#state = 'up';
    if (this.shape.kind === 'tcp') this.cut('reset', 0);
  }

  /** A terminal that hangs up on a serial line is like one that is unplugged and plugged in again. */
  #hangUp(): void {
    this.cut('unplugged', 500);
    this.#time.at(500, () => {
      if (this.#terminalEnd?.ended) this.powerChanged();
    });
  }

  #openPort(life: LifeOnLine): Link {
    if (this.#agentEnd && !this.#agentEnd.ended) throw refused('the port is held');
    this.#agentEnd = this.#end('to_terminal', life);
    this.#life = life;
    return this.#agentEnd;
  }

  #end(direction: Direction, life: LifeOnLine | null = null): End {
    const end = new End(this.shape.kind, {
      write: (bytes) => this.#carry(end, direction, bytes, life),
      close: () => this.#closed(end, direction, life),
    });
    return end;
  }

  #closed(end: End, direction: Direction, life: LifeOnLine | null): void {
    if (end === this.#agentEnd) this.#agentEnd = null;
    if (end === this.#terminalEnd && this.#socket.powered) this.#hangUp();
    if (life?.dead || this.shape.kind === 'serial') return;
    const { peer } = end;
    const lostPower = direction === 'to_agent' && !this.#socket.powered && this.shape.diesSilently;
    if (peer && !lostPower && this.#state === 'up') {
      // The end of a connection comes behind what was written before; one that is abandoned ends at once.
      const delay = end.isForgotten ? this.#delay() : end.queued(this.#time.elapsed, this.#delay());
      this.#time.at(delay, () => peer.end({ reason: 'closed_by_peer', detail: 'closed by the other side' }));
    }
  }

  /** Takes what one side writes to the other, with whatever is wrong with the line. */
  #carry(from: End, direction: Direction, written: Uint8Array, life: LifeOnLine | null): void {
    if (life?.dead) return;
    if (direction === 'to_terminal' && this.shape.isMoney(written)) this.#moneyGoes();
    if (direction === 'to_terminal' && this.shape.answers === 'packets') this.#agentSays(written);
    this.#count(direction, written);
    const passing = life ? life.passes(direction, written.length) : written.length;
    const taken = passing === written.length ? written : written.subarray(0, passing);
    const bytes = this.#spoiled(from, direction, taken);
    if (bytes.length > 0) this.#deliver(from, direction, this.#pieces(bytes));
    if (passing < written.length) life?.crash(`after byte ${passing} of a write`);
    if (from.ended && direction === 'to_terminal' && this.#random.chance(0.5)) throw lost();
  }

  /** The pieces arrive one behind the other, at the moment that the way takes; none reaches a terminal that was plugged in later. */
  #deliver(from: End, direction: Direction, pieces: readonly Uint8Array[]): void {
    const to = from.peer;
    const fixed = this.shape.kind === 'tcp' ? to : null;
    const after = from.queued(this.#time.elapsed, this.#delay());
    const packets = this.#packets;
    const socket = this.#socket;
    const isHeldBack = after > this.shape.latencyMs;
    const arrive = () => {
      const end = fixed ?? (direction === 'to_terminal' ? this.#terminalEnd : this.#agentEnd);
      const isElsewhere = direction === 'to_terminal' && socket !== this.#socket;
      if (!end || isElsewhere || (from.isForgotten && isHeldBack) || this.#state === 'silent') return;
      if (direction === 'to_agent') for (const piece of pieces) this.#reachAgent(end, piece, packets);
      else if (fixed?.ended && this.#socket.powered) from.end({ reason: 'error', detail: 'ECONNRESET' });
      else for (const piece of pieces) end.receive(piece);
    };
    if (after === 0 && !from.isLate && !this.#time.isBehind) {
      arrive();
      return;
    }
    from.departed();
    this.#time.at(after, () => {
      from.arrived();
      arrive();
    });
  }

  #count(direction: Direction, written: Uint8Array): void {
    const [first = 0] = this.shape.answers === 'packets' ? commandOf(written) : written;
    const [answer, packets] = this.shape.answers === 'packets' ? [0x80, [0x04, 0x06]] : [ACK, [STX]];
    if (direction === 'to_agent' && packets.includes(first)) this.#packets += 1;
    if (direction === 'to_agent' || first !== answer) return;
    const newest = this.#unanswered.at(-1)?.packet ?? this.#answered;
    this.#unanswered = this.#unanswered.filter(({ at }) => this.#time.elapsed - at < ANSWERS_WITHIN_MS);
    this.#answered = this.#unanswered.shift()?.packet ?? newest;
  }

  #agentSays(written: Uint8Array): void {
    const [kind = 0, command] = commandOf(written);
    if (kind === 0x80) {
      this.onAnswer();
      if (this.#early?.length === 1 && this.#early[0] === 'result') this.onLateResultAnswered();
      this.#early?.shift();
    } else if (kind === 0x05 || (kind === 0x06 && command !== ABORT)) this.#early = [];
  }

  /** Notes what comes before the terminal accepts a command; only whole packets can be told apart. */
  #terminalSays(piece: Uint8Array): void {
    if (this.shape.pieces !== 'whole' || this.shape.answers !== 'packets') return;
    const [kind = 0, command] = commandOf(piece);
    if (kind === 0x80 || kind === 0x84) this.#early = null;
    else if (kind === 0x04 || kind === 0x06)
      this.#early?.push(kind === 0x04 && command === 0x0f ? 'result' : 'other');
  }

  #moneyGoes(): void {
    this.onMoney(this.#nak);
    this.#nak = false;
    if (this.#atMoney) this.#faults.unshift(this.#atMoney);
    this.#atMoney = null;
  }

  /** A piece can end early because the agent crashes while it reads. */
  #reachAgent(end: End, piece: Uint8Array, packets: number): void {
    const life = this.#life;
    if (!life || life.dead) return;
    if (this.#unanswered.at(-1)?.packet !== packets)
      this.#unanswered.push({ packet: packets, at: this.#time.elapsed });
    const passing = life.passes('to_agent', piece.length);
    if (piece.includes(NAK)) this.#nak = true;
    this.#terminalSays(piece);
    if (passing > 0) end.receive(passing === piece.length ? piece : piece.subarray(0, passing));
    if (passing < piece.length) life.crash(`after byte ${passing} of a piece it read`);
  }

  /** Applies the oldest fault of this direction once its bytes have passed. */
  #spoiled(from: End, direction: Direction, bytes: Uint8Array): Uint8Array {
    if (this.#time.elapsed < this.#looseUntil[direction]) return new Uint8Array();
    if (this.#faults.length === 0) return bytes;
    const index = this.#faults.findIndex((one) => one.direction === direction);
    const fault = this.#faults[index];
    if (!fault) return bytes;
    if (fault.after > bytes.length) {
      this.#faults[index] = { ...fault, after: fault.after - bytes.length };
      return bytes;
    }
    this.#faults.splice(index, 1);
    this.onFault(`${fault.what} ${direction} after byte ${fault.after} for ${fault.ms} ms`);
    switch (fault.what) {
      case 'noise':
        return this.#noisy(bytes, fault.after);
      case 'lose':
        return bytes.subarray(0, fault.after);
      case 'loose_wire':
        this.#looseUntil[direction] = this.#time.elapsed + fault.ms;
        return bytes.subarray(0, fault.after);
      case 'double':
        return Uint8Array.from([...bytes, ...bytes]);
      case 'delay':
        from.queued(this.#time.elapsed, fault.ms);
        return bytes;
      default:
        this.#cutAfter(fault.what, fault.ms, bytes, direction);
        return bytes.subarray(0, fault.after);
    }
  }

  /** What was written before the cut is on its way; the cut comes right behind it. */
  #cutAfter(kind: CutKind, ms: number, bytes: Uint8Array, direction: Direction): void {
    if (direction === 'to_terminal' && bytes.length > 0 && this.#random.chance(0.5)) {
      queueMicrotask(() => this.cut(kind, ms));
    } else this.#time.at(this.shape.latencyMs + 1, () => this.cut(kind, ms));
  }

  #noisy(bytes: Uint8Array, at: number): Uint8Array {
    const list = [...bytes];
    const index = Math.min(at, Math.max(0, list.length - 1));
    if (this.#random.chance(0.6)) list[index] = (list[index] ?? 0) ^ (1 << this.#random.int(0, 7));
    else if (this.#random.chance(0.5)) list.splice(index, 1);
    else list.splice(index, 0, this.#random.int(0, 255));
    return Uint8Array.from(list);
  }

  #pieces(bytes: Uint8Array): readonly Uint8Array[] {
    const { pieces } = this.shape;
    if (pieces === 'whole') return [bytes];
    const cut: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = pieces === 'bytes' ? 1 : this.#random.int(1, 8);
      cut.push(bytes.subarray(at, at + size));
      at += size;
    }
    return cut;
  }

  #delay(): number {
    return this.shape.latencyMs === 0 ? 0 : this.#random.next() * this.shape.latencyMs;
  }
}

const STX = 0x02;
const ACK = 0x06;
const NAK = 0x15;
/** `06 B0` asks a running dialogue to stop, and begins none. */
const ABORT = 0xb0;
/** What the agent has not answered by then it will not: it was spoilt, or it wants no answer. */
const ANSWERS_WITHIN_MS = 500;
const GONE: LinkLoss = { reason: 'closed_by_peer', detail: 'the other side is gone' };

/** The control field: bare on TCP, behind DLE STX on a serial line. */
function commandOf(bytes: Uint8Array): readonly (number | undefined)[] {
  const at = bytes[0] === 0x10 ? 2 : 0;
  return [bytes[at], bytes[at + 1]];
}

function refused(detail: string): AppError {
  return new AppError('LINK_REFUSED', detail, { retry: 'safe' });
}

function lost(): AppError {
  return new AppError('LINK_LOST', 'the link ended while writing', { moneyMoved: 'unknown' });
}
