import { messageOf } from '../../src/base/errors.ts';
import { Breach } from './breach.ts';
import { type Dialogue, type Ended, judgeEnd, type Prepared } from './dialogues.ts';
import { Bench, type BenchOptions } from './stage/bench.ts';
import { type Allowance, judgeAnswered } from './stage/law.ts';
import { describeStep, type Step } from './stage/steps.ts';
import type { Subject } from './subject.ts';

type Vendor = 'reverse' | 'decline' | 'keep';
/** What a terminal does with an approval that nobody acknowledged. */
const VENDORS: readonly Vendor[] = ['reverse', 'decline', 'keep'];
/** Breaches of one row that are told; more say nothing new. */
const MOST_SHOWN = 4;

/** A question leaves nothing behind that a sale could show: a clean sale follows every so many of its steps. */
const QUESTIONS_PER_SALE = 4;

/** What happens at one step. */
export interface Blow {
  readonly bench: Bench;
  readonly prepared: Prepared;
  readonly subject: Subject;
  /** Aborts the signal under which the dialogue runs. */
  readonly controller: AbortController;
  readonly at: Step;
}

/** A fault that can strike at any step of any dialogue. */
export interface Fault {
  /** `cut behind it`. */
  readonly name: string;
  /** Whether it makes sense at this step; default everywhere. */
  readonly strikes?: (step: Step, subject: Subject) => boolean;
  /** Makes it happen when the dialogue comes to the step. */
  readonly strike: (blow: Blow) => void;
  /** Whether the dialogue may fail of it; false: it must end as if nothing had been. */
  readonly mayFail: (step: Step, subject: Subject, dialogue: Dialogue) => boolean;
  readonly allowed?: Allowance;
  /** What is done as soon as the dialogue has ended. */
  readonly afterwards?: (bench: Bench) => Promise<void>;
  /** What the terminal does with an unacknowledged approval matters: all three ways are tried around the first result, in turn behind. */
  readonly asksVendor?: boolean;
}

/**
 * Records the clean dialogue and runs it again with the fault at each of its steps.
 * @throws Breach that names the steps at which a promise was broken.
 */
export async function atEveryStep(
  subject: Subject,
  dialogue: Dialogue,
  faults: readonly Fault[],
  recordings: Recordings,
): Promise<void> {
  const { steps, clean } = await recordings.of(subject, dialogue);
  const result = steps.findIndex(({ words }) => words.includes('result'));
  const breaches: string[] = [];
  for (const fault of faults)
    for (const step of steps.filter(
      (one) => isTelling(one, steps) && (fault.strikes?.(one, subject) ?? true),
    ))
      for (const vendor of vendorsFor(fault, dialogue, step, result)) {
        try {
          await runWith(subject, dialogue, fault, step, clean, {
            settings: { missingAcknowledgement: vendor },
          });
        } catch (error) {
          breaches.push(
            `${dialogue.name}, ${fault.name} at ${describeStep(step)} [${vendor}]: ${textOf(error)}`,
          );
        }
      }
  if (breaches.length > 0) throw new Breach(summary(breaches));
}

interface Recording {
  readonly steps: readonly Step[];
  readonly clean: Ended;
}

/** Clean dialogues, each recorded once: the same every time, because time is virtual. */
export class Recordings {
  readonly #known = new Map<Subject, Map<Dialogue, Recording>>();

  /** @throws Breach when the clean dialogue itself breaks a promise. */
  async of(subject: Subject, dialogue: Dialogue): Promise<Recording> {
    const own = this.#known.get(subject) ?? new Map<Dialogue, Recording>();
    this.#known.set(subject, own);
    const known = own.get(dialogue) ?? (await record(subject, dialogue));
    own.set(dialogue, known);
    return known;
  }
}

/** Runs a dialogue with nothing in its way, holds it to everything, and gives its steps. */
export async function record(
  subject: Subject,
  dialogue: Dialogue,
  options: BenchOptions = {},
): Promise<Recording> {
  const bench = await Bench.set(subject, options);
  const prepared = await dialogue.prepare(bench);
  bench.cable.begin();
  const from = bench.happenings.length;
  const clean = await prepared.run();
  const steps = [...bench.cable.steps];
  judgeAnswered(bench.happenings.slice(from));
  await judgeEnd(bench, prepared, clean, undefined, { mayFail: false });
  return { steps, clean };
}

async function runWith(
  subject: Subject,
  dialogue: Dialogue,
  fault: Fault,
  step: Step,
  clean: Ended,
  options: BenchOptions,
): Promise<void> {
  const bench = await Bench.set(subject, options);
  const prepared = await dialogue.prepare(bench);
  const controller = new AbortController();
  bench.cable.begin();
  fault.strike({ bench, prepared, subject, controller, at: step });
  const ended = await prepared.run(controller);
  if (fault.afterwards) {
    bench.cable.heal();
    await fault.afterwards(bench);
  }
  const mayFail = fault.mayFail(step, subject, dialogue);
  const sellsAfterQuestion = step.index % QUESTIONS_PER_SALE === 0;
  await judgeEnd(bench, prepared, ended, clean, { ...fault.allowed, mayFail, sellsAfterQuestion });
}

/** The longest exchange that is repeated: a packet, its ACK, the answer, its ACK. */
const PERIOD = 4;

/** In a long repetition (a receipt, line by line) the first two and the last two rounds tell as much as all of them. */
function isTelling({ index }: Step, steps: readonly Step[]): boolean {
  const like = (at: number) => {
    const step = steps[at];
    return step && `${step.from} ${step.words.join()}`;
  };
  return ![-2, -1, 1, 2].every((round) => like(index + round * PERIOD) === like(index));
}

/** How many steps from a result on are tried with every vendor: the result and what acknowledges it. */
const TELLING_STEPS = 5;

function vendorsFor(fault: Fault, dialogue: Dialogue, step: Step, result: number): readonly Vendor[] {
  const matters = fault.asksVendor === true && dialogue.sort === 'money' && step.index >= result;
  if (!matters) return VENDORS.slice(0, 1);
  const which = step.index % VENDORS.length;
  return step.index < result + TELLING_STEPS ? VENDORS : VENDORS.slice(which, which + 1);
}

function summary(breaches: readonly string[]): string {
  const more = breaches.length - MOST_SHOWN;
  const lines = breaches.slice(0, MOST_SHOWN);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function textOf(error: unknown): string {
  if (error instanceof Breach) return error.message;
  return error instanceof Error
    ? `${messageOf(error)} ${error.stack?.split('\n')[1]?.trim() ?? ''}`
    : String(error);
}
