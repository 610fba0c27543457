import { z } from 'zod';

/** How many attempts the model has. */
export const ATTEMPTS = [0, 1, 2, 3] as const;
export type AttemptNumber = (typeof ATTEMPTS)[number];

/** States of an attempt, in the order of their numbers in `payments.pml`. */
const STATES = [
  'none',
  'requested',
  'dispatched',
  'approved',
  'in_doubt',
  'charged',
  'not_charged',
  'written_off',
] as const;
export type ModelState = (typeof STATES)[number];

/** Every step that the model prints, but those of the service. */
const STEPS = [
  'sell',
  'dispatched',
  'sent',
  'expired',
  'approval_heard',
  'acknowledged',
  'ended_paid',
  'ended_declined',
  'recovered_yes',
  'recovered_reversed',
  'recovered_no',
  'released',
  'corrected_yes',
  'corrected_no',
  'pays',
  'declines',
  'keeps',
  'reverses',
  'ends_alone',
  'person_yes',
  'person_no',
  'person_false_yes',
  'person_false_no',
  'person_off',
  'basket_open',
  'basket_false_open',
  'settle_time',
  'starts',
  'adopts',
  'crash',
  'link_lost',
  'exchange',
  'closes',
  'clock_step',
  'copy',
  'restore',
] as const;
export type StepName = (typeof STEPS)[number];

/** What the model says after a step. */
export interface ModelView {
  readonly states: readonly ModelState[];
  /** Sets of attempts: a person has a task; a correction says otherwise than its end; its card was charged, in truth. */
  readonly tasks: readonly boolean[];
  readonly corrected: readonly boolean[];
  readonly charged: readonly boolean[];
  /** The terminal that was adopted. */
  readonly known: number;
}

/** One step of a run of the model. `of`: the attempt, the terminal or the sale that it is about. */
export interface Step {
  readonly name: StepName;
  readonly of: number;
  readonly after: ModelView;
}

const LINE = /^STEP (\w+) (\d) : (\d) (\d) (\d) (\d) : (\d+) (\d+) (\d+) (\d)$/;
/** The run met its length in the middle of this step. */
const CUT_OFF = /-{5,}$/;
const Name = z.enum(STEPS);

/** Reads what SPIN printed of one run. @throws Error for a line that begins like a step and is none */
export function readTrace(text: string): readonly Step[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('STEP') && !CUT_OFF.test(line))
    .map(readStep);
}

function readStep(line: string): Step {
  const [, name, ...digits] = LINE.exec(line) ?? [];
  const known = Name.safeParse(name);
  if (!known.success) throw new Error(`no step of the model: ${line}`);
  const [of = 0, ...numbers] = digits.map(Number);
  const [task = 0, corrected = 0, charged = 0, terminal = 0] = numbers.slice(4);
  return {
    name: known.data,
    of,
    after: {
      states: numbers.slice(0, 4).map(stateOf),
      tasks: bitsOf(task),
      corrected: bitsOf(corrected),
      charged: bitsOf(charged),
      known: terminal,
    },
  };
}

function stateOf(number: number): ModelState {
  const state = STATES[number];
  if (state === undefined) throw new Error(`the model has no state ${number}`);
  return state;
}

function bitsOf(mask: number): readonly boolean[] {
  return ATTEMPTS.map((index) => ((mask >> index) & 1) === 1);
}

/** The steps alone, for comparing runs: `sell 0, dispatched 0`. */
export function nameOfTrace(steps: readonly Step[]): string {
  return steps.map(({ name, of }) => `${name} ${of}`).join(', ');
}
