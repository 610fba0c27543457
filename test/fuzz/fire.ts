import fc from 'fast-check';
import { minimised } from './minimise.ts';
import { Oddity, type Target } from './target.ts';

/** CPU time that one input may take; the slowest honest one, 70 kB through every layer, takes a small part of it. */
export const LONGEST_CASE_MS = 2000;

/** How long fast-check may look for a smaller counterexample: a slow one would take it hours. */
const SMALLER_WITHIN_MS = 15_000;

/** A broken promise, ready to be replayed. */
export interface Finding {
  readonly target: string;
  readonly message: string;
  readonly seed: number;
  /** Where fast-check found it under this seed; empty when it did not come from there. */
  readonly path: string;
  /** The smallest input that shows it. */
  readonly bytes: Uint8Array;
}

/** What one salvo came to. */
export interface Salvo {
  readonly executions: number;
  readonly finding: Finding | null;
}

export interface Aim {
  readonly seed: number;
  readonly runs: number;
  /** Replays one counterexample of `seed`. */
  readonly path?: string;
  /** CPU time that one input may take; default {@link LONGEST_CASE_MS}. */
  readonly longestMs?: number;
  /** Called with every input before it is tried, so that a hang has a name. */
  readonly onCase?: (bytes: Uint8Array) => void;
}

/** Fires `runs` inputs at a target; ends at the first broken promise, made as small as can be. */
export async function fire(target: Target, aim: Aim): Promise<Salvo> {
  const { seed, runs, path = '', longestMs = LONGEST_CASE_MS, onCase } = aim;
  let executions = 0;
  let smallerUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(target.inputs, async (bytes) => {
    if (performance.now() > smallerUntil) return;
    executions += 1;
    onCase?.(bytes);
    try {
      await hold(target, bytes, longestMs);
    } catch (error) {
      smallerUntil = Math.min(smallerUntil, performance.now() + SMALLER_WITHIN_MS);
      throw error;
    }
  });
  const details = await fc.check(property, { seed, numRuns: runs, path, verbose: false });
  const [counterexample] = details.counterexample ?? [];
  if (!details.failed || counterexample === undefined) return { executions, finding: null };
  const bytes = await minimised(counterexample, (smaller) => {
    onCase?.(smaller);
    return breaks(target, smaller, longestMs);
  });
  const message =
    (await wordsOf(target, bytes, longestMs)) ?? `${String(details.errorInstance)} (and not again)`;
  const place = details.counterexamplePath ?? '';
  return { executions, finding: { target: target.name, message, seed, path: place, bytes } };
}

/** Fires one input; null when the promise holds. */
export async function fireOne(
  target: Target,
  bytes: Uint8Array,
  longestMs = LONGEST_CASE_MS,
): Promise<Finding | null> {
  const message = await wordsOf(target, bytes, longestMs);
  return message === null ? null : { target: target.name, message, seed: 0, path: '', bytes };
}

/** @throws whatever is wrong with the target on these bytes, its time included. */
async function hold(target: Target, bytes: Uint8Array, longestMs: number): Promise<void> {
  const before = cpuMs();
  await target.check(bytes);
  const took = cpuMs() - before;
  if (took > longestMs)
    throw new Oddity(`it took ${Math.round(took)} ms of CPU time for ${bytes.length} bytes`);
}

async function breaks(target: Target, bytes: Uint8Array, longestMs: number): Promise<boolean> {
  return (await wordsOf(target, bytes, longestMs)) !== null;
}

async function wordsOf(target: Target, bytes: Uint8Array, longestMs: number): Promise<string | null> {
  try {
    await hold(target, bytes, longestMs);
    return null;
  } catch (error) {
    return error instanceof Oddity ? error.message : `an error without a type: ${String(error)}`;
  }
}

/** CPU time of this thread: a busy machine does not make a parser slow. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
