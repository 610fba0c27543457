import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BenchOptions, figuresOf, type Print, rounded } from './figure.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The demo's own ports may be taken on this machine. */
const ANY_PORT = ' -- --listen 127.0.0.1:0';
const READY = /^tilld ready /;

/**
 * A newcomer's path: an empty folder, a clone of what is committed here, and the commands of the top README until the first payment has
 * succeeded. Packages come from where npm finds them, so an empty npm cache makes it longer.
 */
export async function newcomer(_options: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('newcomer', print);
  const folder = mkdtempSync(join(tmpdir(), 'tilld-newcomer-'));
  const seconds = stopwatch();
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, join(folder, 'tilld')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const home = join(folder, 'tilld');
    figure('git clone', seconds.lap(), 's');
    const [install = '', start = '', pay = ''] = commandsOf(join(home, 'README.md'));
    run(install, home);
    figure(install, seconds.lap(), 's');
    const daemon = await started(`${start}${ANY_PORT}`, home);
    figure(`${start}, until it is ready`, seconds.lap(), 's');
    const output = run(pay, home);
    if (!/HAS paid 12\.34 EUR/.test(output)) throw new Error(`the payment did not succeed:\n${output}`);
    figure('first payment', seconds.lap(), 's');
    figure('clone to first payment', seconds.all(), 's');
    figure('commands, the clone included', 4, 'commands');
    await daemon.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The two commands of the first block of the README, and the first one that pays. */
function commandsOf(readme: string): readonly string[] {
  const blocks = [...readFileSync(readme, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  );
  const first = (blocks[0] ?? '').trim().split('\n');
  const pay = blocks.find((text) => text.includes('tillctl pay'))?.trim();
  if (first.length !== 2 || pay === undefined) throw new Error('the README does not begin with two commands');
  return [...first, pay];
}

function run(command: string, cwd: string): string {
  return execFileSync('/bin/sh', ['-c', command], {
    cwd,
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function started(command: string, cwd: string) {
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    // npm, its shell and the daemon are one group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) if (READY.test(line)) return { stop };
  throw new Error(`"${command}" ended before it was ready`);
}

/** That of a person: nothing that this run of npm has set, and no program of this folder. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD)/.test(name));
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}

/** Seconds since the last lap, and since the beginning. */
function stopwatch() {
  const begin = performance.now();
  let last = begin;
  const since = (from: number) => rounded((performance.now() - from) / 1000, 1);
  return {
    all: () => since(begin),
    lap: () => {
      const seconds = since(last);
      last = performance.now();
      return seconds;
    },
  };
}
