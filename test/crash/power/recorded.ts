import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecording, recordingEnvironment } from '../record/recording.ts';
import { Disk, isIndex } from './disk.ts';
import { writeFiles } from './image-folder.ts';
import { SCENARIOS } from './scenarios.ts';

const LIFE = fileURLToPath(new URL('./life.ts', import.meta.url));
/** A scenario takes a few seconds. */
const LONGEST_LIFE_MS = 120_000;

/** A scenario as it was played: the disk before, and everything that was done to it. All of it in a folder of its own. */
export interface RecordedScenario {
  readonly name: string;
  /** Holds `before/`, `spare-before/` and `recording`. */
  readonly folder: string;
}

/** Adds to the environment of a life that is recorded: a bug that is planted in it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Plays a scenario with the recorder preloaded.
 * @throws Error when a life ends otherwise than it should, or when the recording does not lead to the files that are there.
 */
export function playScenario(
  name: string,
  root: string,
  recorder: string,
  environment: Environment = {},
): RecordedScenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario) throw new Error(`no scenario is called ${name}`);
  const folder = join(root, name);
  const [state, spare, output] = [join(folder, 'state'), join(folder, 'spare'), join(folder, 'recording')];
  for (const one of [state, spare]) mkdirSync(one, { recursive: true });
  const live = (part: 'before' | 'lives', index: number, recorded: Environment) => {
    const { status, signal, stderr, error } = spawnSync(
      process.execPath,
      [LIFE, name, part, `${index}`, state, spare],
      {
        env: { ...process.env, ...environment, ...recorded },
        encoding: 'utf8',
        timeout: LONGEST_LIFE_MS,
        killSignal: 'SIGABRT',
      },
    );
    if (status === 0 || signal === 'SIGKILL') return;
    throw new Error(
      `life ${index} of ${name} ended with ${signal ?? status ?? 'nothing'}: ${error?.message ?? stderr}`,
    );
  };
  for (const index of (scenario.before ?? []).keys()) live('before', index, {});
  const before = filesIn(state);
  writeFiles(join(folder, 'before'), before);
  cpSync(spare, join(folder, 'spare-before'), { recursive: true });
  const places = { folder: state, output, acks: join(folder, 'acks') };
  for (const index of scenario.lives.keys()) live('lives', index, recordingEnvironment(recorder, places));
  mustLeadTo(name, state, before, output);
  return { name, folder };
}

/** What was recorded, without a gap: it leads to exactly the bytes that are on the disk now. */
function mustLeadTo(name: string, state: string, before: ReadonlyMap<string, Buffer>, output: string): void {
  const disk = new Disk(before);
  for (const event of readRecording(output)) disk.apply(event);
  const [seen, real] = [disk.seen(), filesIn(state)];
  for (const path of new Set([...seen.keys(), ...real.keys()])) {
    const [ours, theirs] = [seen.get(path), real.get(path)];
    if (!ours || !theirs || !ours.equals(theirs))
      throw new Error(
        `${name}: the recording of ${path} misses something: ${ours?.length} bytes, really ${theirs?.length}`,
      );
  }
}

/** The disk as a recording begins with it. */
export function diskBefore({ folder }: RecordedScenario): Disk {
  return new Disk(filesIn(join(folder, 'before')));
}

/** The terminal's memory as the recording begins with it. */
export function terminalBefore({ folder }: RecordedScenario): string | null {
  const file = join(folder, 'spare-before', 'terminal.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

export function recordingOf({ folder }: RecordedScenario) {
  return readRecording(join(folder, 'recording'));
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !isIndex(path) && statSync(path).isFile());
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}
