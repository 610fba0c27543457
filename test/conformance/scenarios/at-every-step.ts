import { type Dialogue, GROUPS } from '../dialogues.ts';
import { atEveryStep, type Fault, Recordings } from '../every-step.ts';
import * as faults from '../faults.ts';
import type { Scenario } from '../scenario.ts';
import type { Subject } from '../subject.ts';

type Group = (typeof GROUPS)[number];
type NotFor = (subject: Subject) => string | null;

/** One fault that strikes at every step; a row for each group of dialogues. */
interface Theme {
  readonly id: string;
  readonly theme: string;
  /** `a cut` → "a cut at every step of a sale …". */
  readonly words: string;
  readonly promise: string;
  readonly faults: readonly Fault[];
  readonly groups: readonly Group['name'][];
  readonly notFor?: NotFor;
}

const MONEY = ['sale', 'refund', 'void'];
const ALL = [...MONEY, 'end-of-day', 'questions', 'reprint', 'opening'];
const RUNNING = [...MONEY, 'end-of-day', 'questions', 'reprint'];

const THEMES: readonly Theme[] = [
  {
    id: 'cut',
    theme: 'cut',
    words: 'a line cut before, within or behind',
    promise: 'never becomes a wrong answer, and the truth is found out afterwards',
    faults: faults.CUTS,
    groups: ALL,
  },
  {
    id: 'silence',
    theme: 'silence',
    words: 'a line that is dead without a word from',
    promise: 'never becomes a wrong answer, and the truth is found out afterwards',
    faults: faults.SILENCES,
    groups: ALL,
  },
  {
    id: 'power',
    theme: 'power',
    words: 'a power loss of the terminal at',
    promise: 'never becomes a wrong answer, and the truth is found out afterwards',
    faults: faults.POWER_LOSS,
    groups: ALL,
  },
  {
    id: 'late',
    theme: 'silence',
    words: 'a delay that the protocol allows at',
    promise: 'changes nothing',
    faults: faults.DELAYS,
    groups: ALL,
  },
  {
    id: 'lost',
    theme: 'noise',
    words: 'the loss of',
    promise: 'is mended by the line, or never becomes a wrong answer',
    faults: faults.LOSSES,
    groups: ALL,
  },
  {
    id: 'truncated',
    theme: 'noise',
    words: 'a truncated packet at',
    promise: 'is mended by the line, or never becomes a wrong answer',
    faults: faults.TRUNCATIONS,
    groups: ALL,
    notFor: withoutChecks,
  },
  {
    id: 'damaged',
    theme: 'noise',
    words: 'a damaged packet at',
    promise: 'is mended by the line, and money goes out again on a NAK only',
    faults: faults.DAMAGES,
    groups: ALL,
    notFor: withoutChecks,
  },
  {
    id: 'nak',
    theme: 'noise',
    words: 'a NAK out of nowhere at',
    promise: 'never moves money twice',
    faults: faults.NAKS,
    groups: ALL,
    notFor: withoutAcknowledgements,
  },
  {
    id: 'duplicate',
    theme: 'noise',
    words: 'a packet that the terminal says twice at',
    promise: 'never becomes a wrong answer',
    faults: faults.DUPLICATES,
    groups: ALL,
  },
  {
    id: 'noise',
    theme: 'noise',
    words: 'noise before',
    promise: 'is passed over, or never becomes a wrong answer',
    faults: faults.NOISES,
    groups: ALL,
  },
  {
    id: 'overlong',
    theme: 'noise',
    words: 'an over-long packet at',
    promise: 'ends in time, and never becomes a wrong answer',
    faults: faults.OVERLONG,
    groups: ALL,
  },
  {
    id: 'restart',
    theme: 'cut',
    words: 'a till that dies and is back at once at',
    promise: 'takes no older result for its own, and waits until the terminal is ready',
    faults: faults.RESTARTS,
    groups: RUNNING,
  },
  {
    id: 'stop',
    theme: 'closing',
    words: 'the signal aborted at',
    promise: 'ends it at once, without an exception out of a money dialogue',
    faults: faults.STOPS,
    groups: ALL,
  },
  {
    id: 'close',
    theme: 'closing',
    words: 'the conversation closed at',
    promise: 'ends it at once, without an exception out of a money dialogue',
    faults: faults.CLOSES,
    groups: RUNNING,
  },
  {
    id: 'abort',
    theme: 'abort',
    words: 'an abort, once or twice, at',
    promise: 'leaves the outcome to the terminal, and it is known',
    faults: faults.ABORTS,
    groups: [...MONEY, 'end-of-day'],
  },
];

const STEPS: Readonly<Record<string, string>> = {
  sale: 'every step of a sale',
  refund: 'every step of a refund',
  void: 'every step of a void',
  'end-of-day': 'every step of an end of day',
  questions:
    'every step of every question (identity, readiness, last transaction, totals, journal, own payments)',
  reprint: 'every step of a repeated receipt',
  opening: 'every step of the opening',
};

/** Every fault at every step of every dialogue. */
export function everyFault(): readonly Scenario[] {
  const recordings = new Recordings();
  return THEMES.flatMap((theme) =>
    GROUPS.filter(({ name }) => theme.groups.includes(name)).map((group) => rowOf(theme, group, recordings)),
  );
}

function rowOf(
  { id, theme, words, promise, faults: these, notFor }: Theme,
  group: Group,
  recordings: Recordings,
): Scenario {
  return {
    id: `${id}/${group.name}`,
    theme,
    title: `${words} ${STEPS[group.name]} ${promise}`,
    notFor: (subject) => notFor?.(subject) ?? withoutDialogue(group, subject),
    run: async (subject) => {
      for (const dialogue of possible(group.dialogues, subject))
        await atEveryStep(subject, dialogue, these, recordings);
    },
  };
}

/** A group is not for a protocol that has none of its dialogues. */
function withoutDialogue({ dialogues }: Group, subject: Subject): string | null {
  return possible(dialogues, subject).length > 0 ? null : (dialogues[0]?.notFor(subject) ?? null);
}

function possible(dialogues: readonly Dialogue[], subject: Subject): readonly Dialogue[] {
  return dialogues.filter((dialogue) => dialogue.notFor(subject) === null);
}

function withoutChecks({ line }: Subject): string | null {
  return line.checks ? null : line.because;
}

function withoutAcknowledgements({ line }: Subject): string | null {
  return line.acknowledges ? null : line.because;
}
