import { z } from 'zod';

/** A process may end this often while a configuration is judged; then it is given up. */
export const MOST_STARTS = 3;

/** Settings by the names of the configuration file; the contract has checked them when they came. */
const Settings = z.record(z.string(), z.unknown());

const Revision = z.object({ revision: z.int(), settings: Settings });

/** `waiting`: it begins once every terminal is idle; `trying`: the next process, or this one, runs with it and is judged. */
const Attempt = Revision.extend({
  phase: z.enum(['waiting', 'trying']),
  /** Processes that were started with it. */
  starts: z.int(),
  /** How the shop was before, where it is tried. */
  before: z
    .object({ can_sell: z.boolean(), answering: z.array(z.string()), in_doubt: z.array(z.string()) })
    .nullable(),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * The settings that a hub's operator gave to this shop. One file has all of it, which is replaced as a whole: a power cut leaves the state before a step or behind it.
 */
export const ConfigurationState = z.object({
  /** The newest revision that was ever taken. */
  newest: z.int(),
  /** The digest of the shop's own settings when that was. */
  own: z.string(),
  /** The last good one; null: the shop's own files alone. */
  good: Revision.nullable(),
  attempt: Attempt.nullable(),
  /** The newest that was given up, and why, for people. `at` in epoch ms. */
  failed: z.object({ revision: z.int(), why: z.string(), at: z.int() }).nullable(),
});
export type ConfigurationState = z.infer<typeof ConfigurationState>;

/** Where the state is kept. */
export interface ConfigurationPlace {
  /** null: there is none. @throws when it exists and cannot be read */
  read(): ConfigurationState | null;
  /** It is on disk when this returns. */
  keep(state: ConfigurationState): void;
  remove(): void;
}

/** What a process is to run with, and the state that is on disk before it does. */
export interface Begun {
  readonly state: ConfigurationState;
  /** null: the shop's own files alone. */
  readonly run: z.infer<typeof Revision> | null;
}

/** A process begins: one that is tried is counted, so that it is given up where processes end with it before they are judged. */
export function begin(state: ConfigurationState, now: number): Begun {
  const { attempt, good } = state;
  if (attempt?.phase !== 'trying') return { state, run: good };
  if (attempt.starts >= MOST_STARTS)
    return {
      state: givenUp(
        state,
        `tilld was started ${attempt.starts} times with it, and never ran to the end of its trial`,
        now,
      ),
      run: good,
    };
  return { state: { ...state, attempt: { ...attempt, starts: attempt.starts + 1 } }, run: attempt };
}

/** The attempt ends, and the last good configuration holds. */
export function givenUp(state: ConfigurationState, why: string, now: number): ConfigurationState {
  const { attempt } = state;
  if (attempt === null) return state;
  return { ...state, attempt: null, failed: { revision: attempt.revision, why, at: now } };
}

/** The attempt becomes the last good configuration. */
export function approved(state: ConfigurationState): ConfigurationState {
  const { attempt } = state;
  if (attempt === null) return state;
  const { revision, settings } = attempt;
  return { ...state, attempt: null, good: { revision, settings }, failed: null };
}
