import type { Fault } from './every-step.ts';
import { sitDown, untilReady } from './stage/aftermath.ts';
import { judgeStale } from './stage/law.ts';
import { type Handling, LOSE, PASS, type Step } from './stage/steps.ts';
import type { Subject } from './subject.ts';

const yes = () => true;
const no = () => false;
const ofTheTerminal = ({ from }: Step) => from === 'terminal';
const ofTheTill = ({ from }: Step) => from === 'till';

/** Does something to one step and leaves the others alone. */
function handled(handling: (step: Step, subject: Subject) => Handling): Fault['strike'] {
  return ({ bench, at, subject }) => {
    bench.cable.handle = (step) => (step.index === at.index ? handling(step, subject) : PASS);
  };
}

/** Does something to every step from this one on. */
function fromHereOn(isStruck: (step: Step) => boolean): Fault['strike'] {
  return ({ bench, at }) => {
    bench.cable.handle = (step) => (step.index >= at.index && isStruck(step) ? LOSE : PASS);
  };
}

/** Does something beside the line when the dialogue comes to this step. */
function beside(action: Fault['strike']): Fault['strike'] {
  return (blow) => {
    blow.bench.cable.onStep = ({ index }) => {
      if (index === blow.at.index) action(blow);
    };
  };
}

/** The line ends: before the step arrives, in the middle of it, or right behind it. */
export const CUTS: readonly Fault[] = [
  {
    name: 'the line cut before it',
    // Before a step of the terminal is behind one of the till, but for its answer.
    strikes: ofTheTill,
    strike: handled(() => ({ do: 'cut', after: 0, isNoticed: true })),
    mayFail: yes,
    asksVendor: true,
  },
  {
    name: 'the line cut within it',
    strikes: ({ bytes }) => bytes.length > 1,
    strike: handled(({ bytes }) => ({ do: 'cut', after: bytes.length >> 1, isNoticed: true })),
    mayFail: yes,
    asksVendor: true,
  },
  {
    name: 'the line cut behind it',
    strike: handled(({ bytes }) => ({ do: 'cut', after: bytes.length, isNoticed: false })),
    mayFail: yes,
    asksVendor: true,
  },
];

/**
 * Nobody sees that the line is dead: from a step on nothing arrives, in one direction or in both. A direction dies with one of
 * its own steps.
 */
export const SILENCES: readonly Fault[] = [
  {
    name: 'the terminal not heard from here on',
    strikes: ofTheTerminal,
    strike: fromHereOn(ofTheTerminal),
    mayFail: yes,
    asksVendor: true,
  },
  {
    name: 'the till not heard from here on',
    strikes: ofTheTill,
    strike: fromHereOn(ofTheTill),
    mayFail: yes,
    asksVendor: true,
  },
  {
    name: 'silence in both directions from here on',
    strike: fromHereOn(yes),
    mayFail: yes,
    asksVendor: true,
  },
];

/** The terminal loses its power while the step is under way, and everything that it does not keep. */
export const POWER_LOSS: readonly Fault[] = [
  {
    name: 'the power lost',
    strike: ({ bench, at }) => {
      bench.cable.handle = (step) => {
        if (step.index !== at.index) return PASS;
        bench.losePower();
        return LOSE;
      };
    },
    mayFail: yes,
    asksVendor: true,
  },
];

export const DELAYS: readonly Fault[] = [
  {
    name: 'it late, but in time',
    strike: handled((_, { times }) => ({ do: 'delay', ms: times.bearableMs })),
    mayFail: no,
  },
];

/** Single packets that never arrive, on a line that repeats them. */
export const LOSSES: readonly Fault[] = [
  {
    name: 'it lost',
    strike: handled(() => LOSE),
    mayFail: isNotRepeated,
    allowed: { orderUntold: true },
  },
];

/** Half of it arrives, and the line goes on. */
export const TRUNCATIONS: readonly Fault[] = [
  {
    name: 'half of it lost',
    strikes: ({ bytes }) => bytes.length > 1,
    strike: handled(({ bytes }) => ({ do: 'replace', pieces: [bytes.subarray(0, bytes.length >> 1)] })),
    mayFail: isNotRepeated,
    allowed: { orderUntold: true },
  },
];

/** One bit of it turned over. */
export const DAMAGES: readonly Fault[] = [
  {
    name: 'a bit of it turned over',
    strike: handled(({ bytes }) => ({ do: 'replace', pieces: [damaged(bytes)] })),
    mayFail: isNotSeen,
    allowed: { orderUntold: true },
  },
];

/** The line says "damaged" to a frame that arrived: the ACK of the terminal became a NAK. */
export const NAKS: readonly Fault[] = [
  {
    name: 'a NAK instead of it',
    strikes: ({ from, words }) => from === 'terminal' && words.length === 1 && words[0] === 'line_ack',
    strike: handled((_, { line }) => ({ do: 'replace', pieces: [line.nak ?? Uint8Array.of(0x15)] })),
    // The terminal gets a frame twice that it had taken already; what it makes of the second one is its own.
    mayFail: yes,
    allowed: { orderUntold: true },
  },
];

export const DUPLICATES: readonly Fault[] = [
  {
    name: 'it twice',
    strikes: ofTheTerminal,
    strike: handled(({ bytes }) => ({ do: 'replace', pieces: [bytes, bytes] })),
    mayFail: yes,
    allowed: { orderUntold: true },
  },
];

/** One kind of noise after the other, in turn. */
export const NOISES: readonly Fault[] = [
  {
    name: 'noise before it',
    strikes: ofTheTerminal,
    strike: handled(({ index, bytes }, { noise }) => ({
      do: 'replace',
      pieces: [noise[index % noise.length] ?? bytes, bytes],
    })),
    mayFail: (_, { line }) => !line.skipsNoise,
    allowed: { orderUntold: true },
  },
];

export const OVERLONG: readonly Fault[] = [
  {
    name: 'an over-long frame before it',
    strikes: ofTheTerminal,
    strike: handled(({ bytes }, { overlong }) => ({ do: 'replace', pieces: [overlong, bytes] })),
    mayFail: yes,
    allowed: { orderUntold: true },
  },
];

/** The till's process dies and is back at once, while the customer still pays; on a serial line the terminal has not noticed. */
export const RESTARTS: readonly Fault[] = [
  {
    name: 'the till gone and back at once',
    strike: beside(({ bench }) => bench.cable.cut('closed_by_us')),
    afterwards: async (bench) => {
      const from = bench.happenings.length;
      await untilReady(bench, await sitDown(bench));
      judgeStale(bench.happenings.slice(from));
    },
    mayFail: yes,
    asksVendor: true,
  },
];

/** The caller's time limit ends. */
export const STOPS: readonly Fault[] = [
  {
    name: 'its signal aborted',
    strike: beside(({ controller }) => controller.abort()),
    mayFail: yes,
  },
];

/** The conversation is closed under the running dialogue. */
export const CLOSES: readonly Fault[] = [
  {
    name: 'the conversation closed',
    strike: beside(
      ({ bench, prepared }) =>
        void prepared.seat?.session.close().catch(() => bench.leaks.push('close failed')),
    ),
    mayFail: yes,
  },
];

/** The cashier cancels: the outcome is the terminal's, and it is known. */
export const ABORTS: readonly Fault[] = [
  {
    name: 'an abort',
    strike: beside(({ prepared }) => prepared.seat?.session.abort()),
    mayFail: no,
    allowed: { orElse: 'aborted' },
  },
  {
    name: 'two aborts',
    strikes: ofTheTill,
    strike: beside(({ prepared }) => {
      prepared.seat?.session.abort();
      prepared.seat?.session.abort();
    }),
    mayFail: no,
    allowed: { orElse: 'aborted' },
  },
];

/**
 * What the line repeats by itself is no reason to fail: an ordinary frame that was lost. A frame that must not be doubled is
 * repeated on a NAK only, and a lost sign of the line may have a frame come twice.
 */
function isNotRepeated({ words }: Step, { line }: Subject): boolean {
  if (!line.acknowledges) return true;
  if (isSign(words) || isUnrepeated(words, line)) return true;
  return words.some((word) => word === 'money' || word === 'close');
}

/** Damage is seen and said: even a frame that must not be doubled is repeated then. */
function isNotSeen({ words }: Step, { line }: Subject): boolean {
  return !line.checks || isSign(words) || isUnrepeated(words, line);
}

function isUnrepeated(words: Step['words'], { unrepeated = [] }: Subject['line']): boolean {
  return unrepeated.some((word) => words.includes(word));
}

function isSign(words: Step['words']): boolean {
  return words.every((word) => word === 'line_ack' || word === 'line_nak');
}

function damaged(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const middle = bytes.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 0x40;
  return copy;
}
