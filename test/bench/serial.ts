import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPty } from '../../src/sandbox/terminal/pty.ts';
import { type BenchOptions, figuresOf, type Print, quantile } from './figure.ts';

const SOURCE = join(import.meta.dirname, 'serial-echo.c');
const OURS = fileURLToPath(new URL('./serial-till.ts', import.meta.url));
const BAR = 2.6;

/** Twenty bytes to a terminal and twenty back: our serial link against a program in C, each in a process of its own on the same pty. */
export async function serial({ times }: BenchOptions, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-serial-'));
  const pty = await openPty();
  try {
    const echo = join(folder, 'echo');
    const { status, stderr } = spawnSync('cc', ['-O2', '-o', echo, SOURCE], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the peer in C does not compile: ${stderr}`);
    void echoing(pty.pipe.bytes, (bytes) => pty.pipe.write(bytes));
    const figure = figuresOf('serial', print);
    const c = await roundTrips(echo, [pty.path, String(times)]);
    const ours = await roundTrips(process.execPath, [OURS, pty.path, String(times)]);
    for (const [name, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const limit = { name: `a program in C, ${name}`, value: quantile(c, q) };
      figure(limit.name, limit.value, 'µs');
      figure(`our serial link, ${name}`, quantile(ours, q), 'µs', limit);
    }
    const ratio = { name: `the bar of ${BAR} × C, p50`, value: quantile(c, 0.5) * BAR };
    figure('our serial link, p50', quantile(ours, 0.5), 'µs', ratio);
  } finally {
    await pty.pipe.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function echoing(
  bytes: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  try {
    for await (const piece of bytes) await write(piece);
  } catch {
    // The line is closed: that is the end of it.
  }
}

async function roundTrips(program: string, words: readonly string[]): Promise<readonly number[]> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  const all = output.trim().split('\n').map(Number);
  return all.slice(Math.floor(all.length / 10));
}
