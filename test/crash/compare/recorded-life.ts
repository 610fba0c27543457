import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isIndex } from '../power/disk.ts';
import { type RecordedEvent, readRecording, recordingEnvironment } from '../record/recording.ts';

const WORKLOAD = fileURLToPath(new URL('./workload.ts', import.meta.url));
const DATABASE = 'queue.db';
/** The slowest queue that we know takes two seconds. Real time. */
const LONGEST_LIFE_MS = 60_000;
/** How much of what a workload wrote to stderr is told when it fails. */
const MOST_CHARS = 400;

/** What a queue says of the connection that it writes with; null where it keeps that to itself. */
export const Settings = z.object({
  journal_mode: z.string().nullable(),
  synchronous: z.int().nullable(),
});
export type Settings = z.infer<typeof Settings>;

export interface RecordedLife {
  readonly events: readonly RecordedEvent[];
  readonly settings: Settings;
  /** The database's path below the recorded folder. */
  readonly database: string;
  /** What was there when the process was gone, to hold the recording against. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface Workload {
  /** What opens the queue (`queue.ts`). */
  readonly file: string;
  /** The program that runs it: Node or Bun. */
  readonly program: string;
  readonly jobs: number;
}

/**
 * Lets a queue take its jobs in a process of its own, and records what it does to its disk.
 * @throws Error when the queue does not work here; its words are in the message.
 */
export async function recordLife(
  recorder: string,
  { file, program, jobs }: Workload,
  folder: string,
): Promise<RecordedLife> {
  const places = {
    folder: join(folder, 'disk'),
    output: join(folder, 'recording'),
    acks: join(folder, 'acks'),
  };
  const settings = join(folder, 'settings.json');
  mkdirSync(places.folder, { recursive: true });
  const child = spawn(
    program,
    [WORKLOAD, file, join(places.folder, DATABASE), String(jobs), places.acks, settings],
    {
      cwd: folder,
      env: { ...process.env, ...recordingEnvironment(recorder, places) },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LONGEST_LIFE_MS,
      killSignal: 'SIGABRT',
    },
  );
  const words = wordsOf(child);
  const [code, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL')
    throw new Error(`the workload ended by ${signal ?? `exit ${code}`}: ${words().slice(-MOST_CHARS)}`);
  const events = readRecording(places.output);
  const acknowledged = events.filter(({ type }) => type === 'ack').length;
  if (acknowledged !== jobs) throw new Error(`${acknowledged} of ${jobs} jobs were acknowledged`);
  return {
    events,
    settings: Settings.parse(JSON.parse(readFileSync(settings, 'utf8'))),
    database: DATABASE,
    files: filesIn(places.folder),
  };
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { encoding: 'utf8' }).filter((name) => !isIndex(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

function wordsOf(child: ChildProcess): () => string {
  const pieces: Buffer[] = [];
  child.stderr?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8').trim();
}
