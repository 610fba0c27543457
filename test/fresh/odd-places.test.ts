import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Newcomer } from './newcomer.ts';
import { nodeOf, npmOf, toolchain } from './toolchain.ts';

/** How long `npm ci` is let run before it is killed: it has unpacked some packages then, and not all. */
const HALF_WAY_MS = 4_000;

const tools = toolchain(nodeOf('20'), npmOf('10.8.2'));
const readOnly = process.getuid?.() === 0 ? '' : ' (skipped: mounting needs root)';
afterAll(() => rmSync(tools.bin, { recursive: true }));

async function arrived(name?: string): Promise<Newcomer> {
  const newcomer = await Newcomer.arrives(tools, name);
  onTestFinished(() => newcomer.leaves());
  return newcomer;
}

/** The one line that a command prints behind npm's own. */
const lastLine = (output: string) => output.trim().split('\n').at(-1);

async function sells(
  newcomer: Newcomer,
  stateFolder: string,
  tillctl = 'npx tillctl',
  options = '',
): Promise<void> {
  const daemon = await newcomer.start(`npm start -- --listen 127.0.0.1:0 ${options}`);
  const socket = `--socket "${join(stateFolder, 'tilld.sock')}"`;
  const paid = await newcomer.run(`${tillctl} ${socket} pay --device "Counter 1" --amount 12.34`);
  expect(paid).toMatchObject({ code: 0, output: expect.stringContaining('HAS paid 12.34 EUR') });
  expect((await daemon.stop()).output).toContain('"signal":"SIGTERM","msg":"stopping');
}

describe('npm start', () => {
  it.each(['npm start', 'npx tillctl status', 'npm test'])(
    'without node_modules, or with half of them, says in one sentence to run npm ci: %s',
    async (command) => {
      const newcomer = await arrived();
      const without = await newcomer.run(command);
      expect(without.code).toBe(1);
      expect(without.output).toContain(
        `The packages of tilld are not installed: run "npm ci" in ${newcomer.home}, then run it again.`,
      );
      await newcomer.run(`timeout -s KILL ${HALF_WAY_MS / 1000} npm ci`);
      const half = await newcomer.run(command);
      expect(half.code).toBe(1);
      expect(half.output).toMatch(
        /The (packages of tilld are not installed|installation of the packages was not finished): run "npm ci" in /,
      );
    },
  );

  it('in a folder with spaces and umlauts sells', async () => {
    const newcomer = await arrived('Kasse für Käse & Brot');
    expect(await newcomer.run('npm ci')).toMatchObject({ code: 0 });
    await sells(newcomer, join(newcomer.home, '.tilld'));
  });

  it.skipIf(readOnly !== '')(
    `on a checkout that may not be written, with its state elsewhere, sells${readOnly}`,
    async () => {
      const newcomer = await arrived();
      expect(await newcomer.run('npm ci')).toMatchObject({ code: 0 });
      const state = join(newcomer.home, '..', 'state');
      mkdirSync(state);
      execFileSync('mount', ['--bind', newcomer.home, newcomer.home]);
      onTestFinished(() => void execFileSync('umount', ['-l', newcomer.home]));
      execFileSync('mount', ['-o', 'remount,bind,ro', newcomer.home]);
      // npx makes the programs of a checkout executable, whether they are or not.
      await sells(newcomer, state, 'node src/bin/tillctl.js', `--state-dir "${state}"`);
      const own = await newcomer.run('npm start -- --listen 127.0.0.1:0');
      expect(own.code).toBe(2);
      expect(lastLine(own.output)).toBe('fix: npm start -- --state-dir OTHER_FOLDER');
    },
  );
});
