import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changed } from '../../mutants/plant.ts';
import { BUGS, type Bug } from './bugs.ts';

const TREE = fileURLToPath(new URL('../../../', import.meta.url));
const NOT_COPIED = ['.git', '.tilld', 'node_modules'];
const PACKAGES = ['node_modules', 'test/checks/node_modules', 'test/browser/node_modules'];
const LONGEST_RUN_MS = 240_000;

/** A copy of the tree in which bugs are planted; packages are shared. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tilld-planted-'));
  cpSync(TREE, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
  for (const packages of PACKAGES) {
    mkdirSync(dirname(join(copy, packages)), { recursive: true });
    symlinkSync(join(TREE, packages), join(copy, packages));
  }
  return copy;
}

/** Runs the tests of a reproduction in the copy. @returns the titles of those that failed; null: they did not run */
function failuresOf(copy: string, reproduction: string): Promise<readonly string[] | null> {
  const [file] = readdirSync(join(copy, 'test/reproductions')).filter((name) =>
    name.startsWith(`${reproduction}-`),
  );
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=json',
  ];
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, `--outputFile=${report}`, `test/reproductions/${file}`],
      { cwd: copy, timeout: LONGEST_RUN_MS, maxBuffer: 64 * 1024 * 1024 },
      () => resolve(existsSync(report) ? failedIn(readFileSync(report, 'utf8')) : null),
    );
  });
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

function failedIn(report: string): readonly string[] | null {
  const results = (JSON.parse(report) as Report).testResults.flatMap(
    ({ assertionResults }) => assertionResults,
  );
  if (results.length === 0) return null;
  return results.filter(({ status }) => status === 'failed').map(({ title }) => title);
}

async function tried(copy: string, bug: Bug): Promise<boolean> {
  const places = [bug, ...(bug.also ?? [])];
  const sources = places.map(({ file }) => readFileSync(join(copy, file), 'utf8'));
  places.forEach((place, index) => {
    writeFileSync(join(copy, place.file), changed(sources[index] ?? '', place.file, place));
  });
  const failed = await failuresOf(copy, bug.reproduction);
  places.forEach(({ file }, index) => {
    writeFileSync(join(copy, file), sources[index] ?? '');
  });
  const [first] = failed ?? [];
  const verdict =
    failed === null ? 'NO VERDICT, its tests did not run' : first ? `found: ${first}` : 'MISSED';
  process.stdout.write(`${bug.reproduction} ${bug.promise}\n   ${bug.in} in ${bug.file}\n   ${verdict}\n`);
  return first !== undefined;
}

const { positionals } = parseArgs({ allowPositionals: true });
const chosen =
  positionals.length === 0 ? BUGS : BUGS.filter(({ reproduction }) => positionals.includes(reproduction));
const bugs = chosen.values();
const missed: string[] = [];

/** Plants one bug after the other in a copy of its own; the copies share the bugs. */
async function workOff(copy: string): Promise<void> {
  for (const bug of bugs) if (!(await tried(copy, bug))) missed.push(bug.reproduction);
}

const copies = Array.from(
  { length: Math.max(1, Math.min(availableParallelism(), chosen.length)) },
  copyOfTree,
);
try {
  const control = await failuresOf(copies[0] ?? '', chosen[0]?.reproduction ?? '01');
  await Promise.all(copies.map(workOff));
  const isControlled = control?.length === 0;
  process.stdout.write(
    `${JSON.stringify({ bugs: chosen.length, found: chosen.length - missed.length, missed, control: isControlled ? 'passed' : 'failed' })}\n`,
  );
  process.exitCode = missed.length === 0 && isControlled ? 0 : 1;
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
