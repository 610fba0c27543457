import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { buildRecorder, NO_COMPILER } from '../record/build.ts';
import { Answer, type Contest, type Order } from './contest.ts';
import { type Contestant, LIBRARY, OURS, QUEUES } from './contestants.ts';
import { installPeers, missing, programOf, versionOf } from './install.ts';
import { scratchFolder } from './scratch-folder.ts';
import { type Row, tableOf } from './table.ts';
import { complaintsOf } from './verdict.ts';

export interface CompareOptions {
  /** Draws the moments of the cuts and what becomes of each write; 1 unless given. */
  readonly seed?: number;
}

/** Jobs that every queue takes, one by one. */
const JOBS = 1000;
/** Moments of a cut besides the very end, and disks that may come of each. */
const MOMENTS = 200;
const DISKS = 3;
const WORKERS = 2;

/** A queue that is not in the table. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/**
 * `npm run crash -- --compare`: cuts the power of tilld's outbox and of the job queues of others, in the same way, and tells what of the
 * acknowledged is lost. A table on stderr, one line of JSON on stdout.
 * @returns 1 when ours lost anything, when no queue of others could run, or when the two rows of the library, whose results are
 * known, show that the cut itself does not work; else 0.
 */
export async function runCompare({ seed = 1 }: CompareOptions = {}): Promise<number> {
  const root = scratchFolder();
  try {
    const recorder = buildRecorder(root);
    if (recorder === null) {
      say(NO_COMPILER);
      return 1;
    }
    const notInstalled = await installPeers(say);
    if (notInstalled !== null) say(notInstalled);
    const startedAt = performance.now();
    const leftOut: LeftOut[] = [];
    const runnable = QUEUES.filter((queue) => {
      const why = notInstalled === null ? missing(queue) : 'the install failed';
      if (why !== null) leftOut.push({ name: queue.name, why });
      return why === null;
    });
    const order = { recorder, root, jobs: JOBS, plan: { seed, moments: MOMENTS, disks: DISKS } };
    const rows = await cutAll([OURS, ...LIBRARY, ...runnable], order, leftOut);
    return report(rows, leftOut, Math.round(performance.now() - startedAt));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Terms = Omit<Order, 'file' | 'program' | 'find'>;

/** Two at a time, each in a process of its own; what does not work is left out with its reason. */
async function cutAll(
  contestants: readonly Contestant[],
  terms: Terms,
  leftOut: LeftOut[],
): Promise<readonly Row[]> {
  const rows = new Map<Contestant, Row>();
  const queue = contestants.values();
  const lane = async () => {
    for (const contestant of queue) {
      const answer = await ask(contestant, terms);
      if ('error' in answer) leftOut.push({ name: contestant.name, why: answer.error });
      else rows.set(contestant, rowOf(contestant, answer.contest));
      say(`${contestant.name}: ${'error' in answer ? answer.error : `${answer.contest.images} disks`}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, lane));
  return contestants.flatMap((contestant) => rows.get(contestant) ?? []);
}

/** Lets a process of its own record one queue and cut its power. */
async function ask({ file, runtime, find }: Contestant, terms: Terms): Promise<Answer> {
  const worker: ChildProcess = fork(new URL('./contest-worker.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  try {
    const answered = once(worker, 'message').then(([answer]) => Answer.parse(answer));
    const died = once(worker, 'close').then(([code]): Answer => ({ error: `its process ended by ${code}` }));
    const order: Order = { ...terms, file, find, program: programOf(runtime) };
    worker.send(order);
    return await Promise.race([answered, died]);
  } finally {
    worker.kill();
  }
}

function rowOf({ name, packages }: Contestant, contest: Contest): Row {
  return { name, version: versionOfRow(name, packages), ...contest };
}

const Manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) });

function versionOfRow(name: string, [first]: readonly string[]): string {
  if (first !== undefined) return versionOf(first) ?? '?';
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version, dependencies } = Manifest.parse(JSON.parse(manifest));
  return name === OURS.name ? version : (dependencies['better-sqlite3'] ?? '?');
}

function report(rows: readonly Row[], leftOut: readonly LeftOut[], wallMs: number): number {
  const complaints = complaintsOf(rows);
  say(`\n${tableOf(rows)}\n`);
  for (const { name, why } of leftOut) say(`not compared: ${name}: ${why}`);
  for (const complaint of complaints) say(`FAILED: ${complaint}`);
  const ours = rows.find(({ name }) => name === OURS.name) ?? null;
  const peers = rows.filter((row) => row !== ours);
  process.stdout.write(
    `${JSON.stringify({ mode: 'compare', peers, not_installed: leftOut, ours, wall_ms: wallMs })}\n`,
  );
  return complaints.length === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
