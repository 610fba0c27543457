import { GROUPS } from '../dialogues.ts';
import { record } from '../every-step.ts';
import type { Scenario } from '../scenario.ts';
import type { Pieces } from '../stage/steps.ts';

const WORDS: Readonly<Record<Pieces, string>> = {
  whole: 'packet by packet',
  bytes: 'in reads of one byte',
  paced: 'in bytes a millisecond apart',
  glued: 'with everything that is said within a moment glued into one read',
  ragged: 'with the last byte of each write in the read of the next',
};

const ALL: readonly Pieces[] = ['whole', 'bytes', 'paced', 'glued', 'ragged'];

/** The bytes of both sides may be cut as they like. */
export const segmentation: readonly Scenario[] = ALL.map(
  (pieces): Scenario => ({
    id: `segmentation/${pieces}`,
    theme: 'segmentation',
    title: `every dialogue ends well when bytes arrive ${WORDS[pieces]}`,
    run: async (subject) => {
      for (const { dialogues } of GROUPS)
        for (const dialogue of dialogues)
          if (dialogue.notFor(subject) === null) await record(subject, dialogue, { pieces });
    },
  }),
);
