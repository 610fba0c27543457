import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ROOT } from './lean-bundle.ts';

/** A start is told to stop so long after it has spoken to its terminal, and after this at the latest. */
const SETTLED_MS = 500;
const LATEST_MS = 20_000;

const Coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({ ranges: z.array(z.object({ endOffset: z.number(), count: z.number() })).min(1) }),
      ),
    }),
  ),
});

/**
 * Starts the daemon once, from a snapshot, with a terminal that listens and says nothing.
 * @param folder where the script of the snapshot lies
 * @returns where each function ends that this start called, in the order of the script
 * @throws Error when it does not come as far as to its terminal
 */
export async function calledByAStart(folder: string, script: string): Promise<readonly number[]> {
  const work = mkdtempSync(join(tmpdir(), 'tilld-profile-'));
  const terminal = createServer((socket) => socket.on('error', () => undefined).resume());
  try {
    const called = once(terminal, 'connection', { signal: AbortSignal.timeout(LATEST_MS) });
    terminal.listen(0, '127.0.0.1');
    await once(terminal, 'listening');
    layOut(work, folder, (terminal.address() as AddressInfo).port);
    writeFileSync(
      join(work, 'draft.json'),
      JSON.stringify({ builder: `src/${script}`, withoutCodeCache: true }),
    );
    const node = (...args: string[]) => ['--no-warnings', '--snapshot-blob', 'draft.snapshot', ...args];
    const within = { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] as const };
    execFileSync(process.execPath, node('--build-snapshot-config', 'draft.json'), {
      ...within,
      stdio: [...within.stdio],
    });
    const args = ['--config', 'tilld.json', '--state-dir', 'state', '--listen', '127.0.0.1:0'];
    const daemon = spawn(process.execPath, node('--', join(work, 'src/tilld.js'), ...args), {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: join(work, 'coverage') },
    });
    const ended = once(daemon, 'exit');
    try {
      await Promise.race([called, ended.then(() => Promise.reject(new Error('the start ended early')))]);
      await wait(SETTLED_MS);
    } finally {
      daemon.kill('SIGTERM');
      await ended;
    }
    return functionsIn(join(work, 'coverage'), script);
  } finally {
    terminal.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** The package as it lies on a disk, with a shop of one terminal. */
function layOut(work: string, folder: string, port: number): void {
  symlinkSync(folder, join(work, 'src'));
  symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  symlinkSync(join(ROOT, 'package.json'), join(work, 'package.json'));
  mkdirSync(join(work, 'state'));
  const device = {
    id: '0199c0de-0000-7000-8000-000000000001',
    name: 'Counter',
    driver: 'zvt',
    currency: 'EUR',
    link: { type: 'tcp', host: '127.0.0.1', port },
  };
  const config = { version: 1, environment: 'sandbox', log: { level: 'warn' }, devices: [device] };
  writeFileSync(join(work, 'tilld.json'), JSON.stringify(config));
}

function functionsIn(coverage: string, script: string): readonly number[] {
  const ends = new Set<number>();
  for (const file of readdirSync(coverage)) {
    const { result } = Coverage.parse(JSON.parse(readFileSync(join(coverage, file), 'utf8')));
    for (const { url, functions } of result) {
      if (!url.endsWith(`/${script}`)) continue;
      for (const { ranges } of functions) if (ranges[0] && ranges[0].count > 0) ends.add(ranges[0].endOffset);
    }
  }
  return [...ends].sort((one, other) => one - other);
}
