import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const TREE = join(import.meta.dirname, '../../..');
/** Makes this Node look like an old one that has no `process.execve`. */
const OLD_HOST = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } }); delete process.execve;",
)}`;
/** Says who it is, and ends as it is told: by `argument`, or by a signal that it names before. */
const PROGRAM = `
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => { console.log(signal); process.exit(7); });
  console.log(JSON.stringify({ pid: process.pid, major: Number.parseInt(process.versions.node), argv: process.argv.slice(2) }));
  const how = process.argv[2];
  if (how === 'wait') setInterval(() => {}, 1000);
  else if (how === 'SIGKILL') process.kill(process.pid, how);
  else process.exitCode = Number(how);
`;
const hasBundled = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

describe.each([
  ['this host', [] as readonly string[], false],
  ['an old host, which runs the installed Node as a child', ['--import', OLD_HOST], true],
])('node src/bin/node.js on %s', (_title, preload, needsBundled) => {
  const suite = it.skipIf(needsBundled && !hasBundled);
  const parent = mkdtempSync(join(tmpdir(), 'tilld launch '));
  const root = join(parent, 'Käse & "Brot" für 5 €');
  const running: ChildProcess[] = [];

  beforeAll(() => {
    mkdirSync(join(root, 'src'), { recursive: true });
    cpSync(join(TREE, 'src/bin'), join(root, 'src/bin'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json', 'node_modules'])
      symlinkSync(join(TREE, name), join(root, name));
    writeFileSync(join(root, 'program.mjs'), PROGRAM);
  });
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => rmSync(parent, { recursive: true }));

  function started(...args: readonly string[]) {
    const child = spawn(process.execPath, [...preload, join(root, 'src/bin/node.js'), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    return {
      child,
      ended: once(child, 'close').then(([code, signal]) => ({ code, signal, lines: out.trim().split('\n') })),
      saysSomething: () => once(child.stdout, 'data'),
    };
  }

  suite.each([0, 2, 41])(`ends with the exit code of the program: %i`, async (code) => {
    const { ended } = started('program.mjs', String(code));
    expect(await ended).toMatchObject({ code, signal: null });
  });

  suite(`hands options, script and arguments on as they are`, async () => {
    const { ended } = started('--no-deprecation', 'program.mjs', '0', '--flag', 'two words', '', 'ümlaut');
    const { lines } = await ended;
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      major: Number.parseInt(process.versions.node, 10),
      argv: ['0', '--flag', 'two words', '', 'ümlaut'],
    });
  });

  suite.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    `%s reaches the program, which ends in its own way`,
    async (signal) => {
      const { child, ended, saysSomething } = started('program.mjs', 'wait');
      await saysSomething();
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 7, signal: null, lines: [expect.anything(), signal] });
    },
  );

  suite(`dies of the signal that the program died of`, async () => {
    const { ended } = started('program.mjs', 'SIGKILL');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  });
});

describe('the programs of package.json', () => {
  const { bin } = JSON.parse(readFileSync(join(TREE, 'package.json'), 'utf8'));

  it.each(Object.entries<string>(bin))('%s is executable, and says its version', async (_name, path) => {
    expect(statSync(join(TREE, path)).mode & 0o111).toBe(0o111);
    const { stdout } = await promisify(execFile)(join(TREE, path), ['--version']);
    expect(stdout).toMatch(/\d+\.\d+\.\d+\n$/);
  });
});

describe('what a person sees', () => {
  it.each(['tilld', 'tillctl', 'node'])('%s without packages: one sentence, exit 1', async (name) => {
    const root = mkdtempSync(join(tmpdir(), 'tilld bare '));
    try {
      mkdirSync(join(root, 'src'), { recursive: true });
      cpSync(join(TREE, 'src/bin'), join(root, 'src/bin'), { recursive: true });
      cpSync(join(TREE, 'package.json'), join(root, 'package.json'));
      const child = spawn(process.execPath, [join(root, `src/bin/${name}.js`), '--version'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const [code] = await once(child, 'close');
      expect([code, output]).toEqual([
        1,
        `The packages of tilld are not installed: run "npm ci" in ${root}, then run it again.\n`,
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
