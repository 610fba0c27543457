import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodeOf, mendOf } from '../../../src/agent/exit-code.ts';
import { portWait, whenLeft } from '../../../src/agent/when-free.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ownerLine } from '../../../src/runtime/pid-file.ts';
import type { Notice } from '../../../src/runtime/service-manager.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { aFolder } from '../../support/money-database.ts';

const deps = () => ({ clock: systemClock, log: silentLog, signal: new AbortController().signal });

/** A process that lives until it is killed, and holds this state folder. */
async function holderOf(folder: string) {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  writeFileSync(join(folder, 'tilld.pid'), ownerLine(child.pid ?? 0));
  return child;
}

describe('a start whose state folder has a holder', () => {
  it('waits for its end, which a kill does not bring at once', async () => {
    const folder = aFolder();
    const holder = await holderOf(folder);
    const start = whenLeft(() => holdStateFolder(folder), deps());
    await wait(300);
    holder.kill('SIGKILL');
    const hold = await start;
    expect(hold.cutShort).toBe(true);
    hold.release();
  });

  it('does not wait for a zombie: it runs no more', async () => {
    const folder = aFolder();
    // The shell does not collect its child, which ends at once.
    const shell = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const [pid] = await once(shell.stdout, 'data');
    writeFileSync(join(folder, 'tilld.pid'), `${String(pid).trim()} unknown\n`);
    await wait(200);
    const begin = performance.now();
    (await whenLeft(() => holdStateFolder(folder), deps())).release();
    expect(performance.now() - begin).toBeLessThan(1_000);
  });

  it('is refused after five seconds, and no message proposes another folder: it would not know the payments of this one', async () => {
    const folder = aFolder();
    await holderOf(folder);
    const error = await whenLeft(() => holdStateFolder(folder), deps()).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'STATE_FOLDER_HELD' });
    expect(exitCodeOf(error)).toBe(2);
    expect(`${String(error)} ${mendOf(error, 'tilld')}`).not.toContain('--state-dir');
  }, 10_000);
});

it('a start whose port is taken says who has it, where systemctl status shows it', async () => {
  const notices: Notice[] = [];
  const manager = { notify: async (...sent: readonly Notice[]) => void notices.push(...sent) };
  const stop = new AbortController();
  const waiting = portWait(1, manager, { ...deps(), signal: stop.signal })();
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  expect(notices).toEqual(['STATUS=port 1 is held by another program: tilld waits for it, and cannot sell']);
});
